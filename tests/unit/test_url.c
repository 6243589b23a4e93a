
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_url.h"


typedef struct {
    const char  *sentence;
    const char  *url;
    const char  *scheme;
    const char  *authority;
    const char  *host;
    const char  *path;
    const char  *args;
    const char  *fragment;
    unsigned     query;
} split_row_t;


typedef struct {
    const char  *sentence;
    const char  *text;
    const char  *want;
} text_row_t;


typedef struct {
    const char  *sentence;
    const char  *url;
    const char  *args;
    const char  *want;
} compose_row_t;


static const compose_row_t  compose_rows[] = {
    { "puts other arguments in", "https://a/b?c=d&e=f#g", "c=d",
      "https://a/b?c=d#g" },
    { "takes the question mark off with the last argument", "/b?c=d#g", "",
      "/b#g" },
    { "takes a lone question mark off", "//a/b?", "", "//a/b" },
    { "leaves a URL without a query as it is", "http://a/b#c", "",
      "http://a/b#c" },
    { "leaves a host alone as it is", "http://a", "", "http://a" }
};


static const split_row_t  split_rows[] = {
    { "takes a URL apart",
      "https://user@Shop.example:8443/shoes;x/?color=red#top",
      "https", "user@Shop.example:8443", "Shop.example", "/shoes;x/",
      "color=red", "#top", 1 },
    { "takes http", "http://a/b", "http", "a", "a", "/b", "", "", 0 },
    { "takes a scheme in capitals", "HTTPS://a/", "HTTPS", "a", "a", "/", "",
      "", 0 },
    { "takes a scheme in mixed case", "hTtP://a/", "hTtP", "a", "a", "/", "",
      "", 0 },
    { "takes a URL without a scheme", "//a.b/c?d", "", "a.b", "a.b", "/c",
      "d", "", 1 },
    { "takes a path alone", "/p?q=1#f", "", "", "", "/p", "q=1", "#f", 1 },
    { "takes a slash alone", "/", "", "", "", "/", "", "", 0 },
    { "takes a host without a path", "http://a", "http", "a", "a", "", "", "",
      0 },
    { "takes a query without a path", "http://a?b=c", "http", "a", "a", "",
      "b=c", "", 1 },
    { "takes a fragment without a path", "http://a#b", "http", "a", "a", "",
      "", "#b", 0 },
    { "tells an empty query from none", "http://a/?", "http", "a", "a", "/",
      "", "", 1 },
    { "keeps a question mark in the query", "/a?b?c", "", "", "", "/a", "b?c",
      "", 1 },
    { "keeps a question mark in the fragment", "/a#b?c", "", "", "", "/a", "",
      "#b?c", 0 },
    { "keeps a second number sign in the fragment", "/?a#b#c", "", "", "", "/",
      "a", "#b#c", 1 },
    { "keeps a slash in the query", "http://a?/b", "http", "a", "a", "", "/b",
      "", 1 },
    { "knows the host behind the last at sign", "http://u:p@x@h/", "http",
      "u:p@x@h", "h", "/", "", "", 0 },
    { "knows an address in brackets", "http://[::1]:80/", "http", "[::1]:80",
      "[::1]", "/", "", "", 0 },
    { "knows an address in brackets without a port", "//[fe80::1]", "",
      "[fe80::1]", "[fe80::1]", "", "", "", 0 },
    { "knows an address behind a user", "//u@[::1]", "", "u@[::1]", "[::1]",
      "", "", "", 0 },
    { "takes an empty port", "http://a:/", "http", "a:", "a", "/", "", "", 0 },
    { "leaves spaces in the path to others", "/a b?c d", "", "", "", "/a b",
      "c d", "", 1 },
    { "leaves bytes above ASCII to others", "http://\xc3\xa9/", "http",
      "\xc3\xa9", "\xc3\xa9", "/", "", "", 0 }
};


static const text_row_t  syntax_rows[] = {
    { "nothing is no URL", "", NULL },
    { "a word is no URL", "word", NULL },
    { "a relative path is no URL", "a/b?c", NULL },
    { "a query alone is no URL", "?a=b", NULL },
    { "another scheme is no URL", "ftp://a/", NULL },
    { "a longer scheme is no URL", "httpx://a/", NULL },
    { "a shorter scheme is no URL", "htt://a/", NULL },
    { "mailto is no URL", "mailto:a@b", NULL },
    { "a scheme alone is no URL", "http:", NULL },
    { "a scheme without slashes is no URL", "http:a", NULL },
    { "a scheme with one slash is no URL", "http:/a", NULL },
    { "a scheme without a host is no URL", "http://", NULL },
    { "an empty host is no URL", "http:///a", NULL },
    { "three slashes are no URL", "///a", NULL },
    { "a port alone is no URL", "http://:80/", NULL },
    { "a user alone is no URL", "http://u@/", NULL },
    { "an open bracket is no URL", "http://[::1/", NULL },
    { "something behind the bracket is no URL", "http://[::1]x/", NULL },
    { "a space in the host is no URL", "http://a b/", NULL },
    { "a tab in the host is no URL", "http://a\tb/", NULL },
    { "a DEL in the host is no URL", "http://a\x7f/", NULL },
    { "a backslash in the host is no URL", "http://a\\b/", NULL },
    { "nor is one among the first eight bytes", "http://abcde\\g.example/",
      NULL },
    { "a space far behind is no URL", "http://www.shop.example.com /", NULL },
    { "nor is a DEL among others", "http://www.shop\x7f.example/", NULL },
    { "nor is a control byte there", "http://www.sh\x01p.example/", NULL },
    { "a control byte is no colon", "http\x1a//a/", NULL },
    { "a control byte behind https is no colon", "https\x1a//a/", NULL },
    { "a beginning of a scheme is no URL", "h", NULL }
};


static const text_row_t  host_rows[] = {
    { "a host becomes lower case", "Shop.EXAMPLE", "shop.example" },
    { "only letters do", "@AZ[`az{.@AZ[`az{\xc1\xda",
      "@az[`az{.@az[`az{\xc1\xda" },
    { "so does one of eight bytes", "ABCD.XYZ", "abcd.xyz" },
    { "a trailing dot goes", "shop.example.", "shop.example" },
    { "only one trailing dot goes", "a..", "a." },
    { "a lone dot becomes nothing", ".", "" },
    { "an empty host stays empty", "", "" },
    { "digits, hyphens and brackets stay", "[A0-:]", "[a0-:]" },
    { "bytes around the capitals stay", "@[`{", "@[`{" },
    { "bytes above ASCII stay", "\xc3\x89", "\xc3\x89" }
};


static void
test_split(void **state)
{
    page_t              page;
    miqps_str_t         in;
    miqps_url_t         url;
    const split_row_t  *row;

    row = *state;
    in = unit_put(&page, row->url);

    memset(&url, 0xff, sizeof(url));

    assert_int_equal(miqps_url_split(&url, &in), MIQPS_OK);

    unit_equal(url.scheme.data, url.scheme.len, row->scheme);
    unit_equal(url.authority.data, url.authority.len, row->authority);
    unit_equal(url.host.data, url.host.len, row->host);
    unit_equal(url.path.data, url.path.len, row->path);
    unit_equal(url.args.data, url.args.len, row->args);
    unit_equal(url.fragment.data, url.fragment.len, row->fragment);
    assert_int_equal(url.query, row->query);

    page_release(&page);
}


static void
test_syntax(void **state)
{
    page_t             page;
    miqps_str_t        in;
    miqps_url_t        url;
    const text_row_t  *row;

    row = *state;
    in = unit_put(&page, row->text);

    assert_int_equal(miqps_url_split(&url, &in), MIQPS_SYNTAX);

    page_release(&page);
}


static void
test_host(void **state)
{
    page_t             in, out;
    uint8_t           *buf;
    miqps_str_t        host, canon;
    const text_row_t  *row;

    row = *state;
    host = unit_put(&in, row->text);

    page_init(&out, MIQPS_MAX_HOST);
    buf = page_tail(&out, MIQPS_MAX_HOST);

    assert_int_equal(miqps_url_host(&host, buf, &canon), MIQPS_OK);
    unit_equal(canon.data, canon.len, row->want);
    assert_ptr_equal(canon.data, buf);

    page_release(&in);
    page_release(&out);
}


static void
test_long_host(void **state)
{
    char         text[MIQPS_MAX_HOST + 3];
    page_t       out;
    uint8_t     *buf;
    miqps_str_t  host, canon;

    (void) state;

    page_init(&out, MIQPS_MAX_HOST);
    buf = page_tail(&out, MIQPS_MAX_HOST);

    memset(text, 'a', sizeof(text));

    host.data = (uint8_t *) text;
    host.len = MIQPS_MAX_HOST;
    assert_int_equal(miqps_url_host(&host, buf, &canon), MIQPS_OK);
    assert_int_equal(canon.len, MIQPS_MAX_HOST);

    text[MIQPS_MAX_HOST] = '.';
    host.len = MIQPS_MAX_HOST + 1;
    assert_int_equal(miqps_url_host(&host, buf, &canon), MIQPS_OK);
    assert_int_equal(canon.len, MIQPS_MAX_HOST);

    text[MIQPS_MAX_HOST] = 'a';
    canon.len = 7;
    assert_int_equal(miqps_url_host(&host, buf, &canon), MIQPS_TOO_LONG);
    assert_int_equal(canon.len, 7);

    page_release(&out);
}


static void
test_compose(void **state)
{
    size_t                len;
    page_t                in, out;
    uint8_t              *buf;
    miqps_str_t           text, args;
    miqps_url_t           url;
    const compose_row_t  *row;

    row = *state;
    text = unit_put(&in, row->url);
    args.data = (const uint8_t *) row->args;
    args.len = strlen(row->args);

    page_init(&out, text.len);
    buf = page_tail(&out, text.len);

    assert_int_equal(miqps_url_split(&url, &text), MIQPS_OK);

    len = miqps_url_compose(&url, &text, NULL, NULL, &args, buf);
    unit_equal(buf, len, row->want);

    page_release(&in);
    page_release(&out);
}


/* every beginning of a URL, so that each end is met once */

static void
test_every_beginning(void **state)
{
    size_t       len;
    page_t       page;
    miqps_str_t  in;
    miqps_url_t  url;

    static const char  text[] = "HttpS://u:p@[::1]:80/a/b?c=d&e#f?g";

    (void) state;

    page_init(&page, sizeof(text));

    for (len = 0; len < sizeof(text); len++) {
        in.data = page_put(&page, text, len);
        in.len = len;
        (void) miqps_url_split(&url, &in);
    }

    page_release(&page);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_split, split_rows);
    unit_rows(&unit, test_syntax, syntax_rows);
    unit_rows(&unit, test_host, host_rows);
    unit_rows(&unit, test_compose, compose_rows);

    unit_add(&unit, "a host above the limit is refused", test_long_host,
             NULL);
    unit_add(&unit, "a URL may end anywhere", test_every_beginning, NULL);

    return unit_run(&unit, "url");
}
