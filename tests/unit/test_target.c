
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "fetch/fetch.h"


static miqps_collect_memo_t  memo;


typedef struct {
    const char      *sentence;
    const char      *url;
    learn_target_e   why;
} check_row_t;


#define OK      LEARN_TARGET_OK
#define FORM    LEARN_TARGET_FORM
#define HOST    LEARN_TARGET_HOST
#define SECRET  LEARN_TARGET_SECRET
#define ACT     LEARN_TARGET_ACT


static const check_row_t  check_rows[] = {
    { "takes a page", "https://a.example/p?id=1", OK },
    { "takes a port", "http://a.example:8080/", OK },
    { "takes a host below", "https://x.b.example/", OK },
    { "takes bytes that are not ASCII", "https://a.example/\xc3\xa9", OK },
    { "refuses another host", "https://c.example/", HOST },
    { "refuses a host above", "https://b.example/", HOST },
    { "refuses a host that ends so", "https://xa.example/", HOST },
    { "refuses a host that begins so", "https://a.example.evil.example/",
      HOST },
    { "refuses a user", "https://u@a.example/", FORM },
    { "refuses a user that looks like a host",
      "https://a.example@evil.example/", FORM },
    { "refuses capitals", "https://A.example/", FORM },
    { "refuses another scheme", "ftp://a.example/", FORM },
    { "refuses no scheme", "//a.example/", FORM },
    { "refuses no host", "/p", FORM },
    { "refuses no path", "https://a.example", FORM },
    { "refuses a query without a path", "https://a.example?x", FORM },
    { "refuses the end of a line", "https://a.example/\r\nHost: b", FORM },
    { "refuses a newline", "https://a.example/p\n", FORM },
    { "refuses a space", "https://a.example/ HTTP/1.1", FORM },
    { "refuses a tab", "https://a.example/\tx", FORM },
    { "refuses a fragment", "https://a.example/#x", FORM },
    { "refuses dots that lead up", "https://a.example/a/../b", FORM },
    { "refuses dots that are escaped", "https://a.example/a/.%2e", FORM },
    { "takes dots in names", "https://a.example/a..b/.c/...", OK },
    { "refuses a port that is a name", "https://a.example:x/", FORM },
    { "refuses a backslash in the host", "https://a.example\\@b.example/",
      FORM },
    { "refuses secrets", "https://a.example/?access_token=1", SECRET },
    { "refuses what is personal", "https://a.example/?q=a%40b.example",
      SECRET },
    { "refuses acts", "https://a.example/logout", ACT },
    { "refuses acts in a parameter", "https://a.example/?action=delete", ACT }
};


static void
check_says(void **state)
{
    page_t              page;
    miqps_str_t         url, list[2];
    learn_hosts_t       hosts;
    learn_target_t      target;
    const check_row_t  *row;

    row = *state;

    list[0] = unit_str("a.example");
    list[1] = unit_str("*.b.example");
    hosts.list = list;
    hosts.n = 2;
    hosts.any = 0;

    url = unit_put(&page, row->url);
    assert_int_equal(learn_target_check(&url, &hosts, &memo, &target),
                     row->why);

    page_release(&page);
}


typedef struct {
    const char      *sentence;
    const char      *url;
    const char      *name;
    const char      *without;
} without_row_t;


static const without_row_t  without_rows[] = {
    { "takes the first", "http://a/p?a=1&b=2", "a", "http://a/p?b=2" },
    { "takes the last", "http://a/p?a=1&b=2", "b", "http://a/p?a=1" },
    { "takes the only one", "http://a/p?a=1", "a", "http://a/p" },
    { "takes all of that name", "http://a/p?a=1&b=2&a=3", "a",
      "http://a/p?b=2" },
    { "takes one without a value", "http://a/p?a&b=2", "a", "http://a/p?b=2" },
    { "takes an escaped name", "http://a/p?%61=1&b=2", "a", "http://a/p?b=2" },
    { "takes a name with escapes", "http://a/p?%c3%a9=1&b", "%C3%A9",
      "http://a/p?b" },
    { "leaves others that begin so", "http://a/p?ab=1&a=2", "a",
      "http://a/p?ab=1" },
    { "leaves brackets", "http://a/p?a[]=1&a=2", "a", "http://a/p?a[]=1" },
    { "takes brackets", "http://a/p?a[]=1&a=2", "a[]", "http://a/p?a=2" },
    { "leaves other bytes", "http://a/p?c=%7e+&&a=1&d=?", "a",
      "http://a/p?c=%7e+&&d=?" },
    { "leaves what is not there", "http://a/p?b=1", "a", "http://a/p?b=1" },
    { "leaves a URL without a query", "http://a/p", "a", "http://a/p" },
    { "leaves an empty query", "http://a/p?", "a", "http://a/p?" }
};


static void
without_is(void **state)
{
    page_t                page;
    size_t                len, found;
    uint8_t               out[256];
    miqps_str_t           url, name;
    const without_row_t  *row;

    row = *state;
    url = unit_put(&page, row->url);
    name = unit_str(row->name);

    len = learn_target_without(&url, &name, out, &found);
    unit_equal(out, len, row->without);
    assert_int_equal(found > 0, strcmp(row->url, row->without) != 0);

    page_release(&page);
}


static void
brakes_are_known(void **state)
{
    miqps_str_t  name;

    (void) state;

    name = unit_str("confirm");
    assert_true(learn_target_brakes(&name));
    name = unit_str("dry_run");
    assert_true(learn_target_brakes(&name));
    name = unit_str("DryRun");
    assert_true(learn_target_brakes(&name));
    name = unit_str("Preview");
    assert_true(learn_target_brakes(&name));
    name = unit_str("page");
    assert_false(learn_target_brakes(&name));
    name = unit_str("a-name-that-is-much-longer-than-any-of-them");
    assert_false(learn_target_brakes(&name));
}


typedef struct {
    const char      *sentence;
    const char      *via;
    int              ok;
} via_row_t;


static const via_row_t  via_rows[] = {
    { "goes by a socket", "unix:/run/a.sock", 1 },
    { "goes by the loopback", "http://127.0.0.1:8080", 1 },
    { "goes by another address of it", "http://127.1.2.3:80", 1 },
    { "goes by that of IPv6", "http://[::1]:80", 1 },
    { "goes by its name", "http://localhost:80", 1 },
    { "goes by no other host", "http://a.example:80", 0 },
    { "goes by no other address", "http://192.0.2.1:80", 0 },
    { "needs a port", "http://127.0.0.1", 0 },
    { "takes nothing behind it", "http://127.0.0.1:80/x", 0 },
    { "takes no user", "http://127.0.0.1:80@a.example:80", 0 },
    { "needs a whole path", "unix:a.sock", 0 },
    { "takes no TLS", "https://127.0.0.1:443", 0 }
};


static void
via_is(void **state)
{
    const via_row_t  *row;

    row = *state;

    assert_int_equal(learn_fetcher_via(row->via) == NULL, row->ok);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, check_says, check_rows);
    unit_rows(&unit, without_is, without_rows);
    unit_rows(&unit, via_is, via_rows);
    unit_add(&unit, "knows what holds an act back", brakes_are_known, NULL);

    return unit_run(&unit, "target");
}
