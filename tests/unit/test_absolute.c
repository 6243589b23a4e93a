
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include <stdlib.h>

#include "../support/dice.h"
#include "corpus/absolute.h"
#include "miqps_url.h"


typedef struct {
    const char     *sentence;
    const char     *in;
    const char     *out;             /* NULL: refused */
} absolute_row_t;


static const absolute_row_t  absolute_rows[] = {

    /* what stays */

    { "leaves a plain URL", "https://a.example/p?id=1&b=%41%20",
      "https://a.example/p?id=1&b=%41%20" },
    { "leaves a host alone", "http://a.example", "http://a.example" },
    { "leaves a target", "/p/../q?x=1", "/p/../q?x=1" },
    { "leaves escapes as they are", "https://a.example/%7e/%2F%3a?%c3%A9",
      "https://a.example/%7e/%2F%3a?%c3%A9" },
    { "leaves slashes in a row", "https://a.example//a///b//",
      "https://a.example//a///b//" },
    { "leaves dots inside of names", "https://a.example/a.b/..c/d../.e/x.html",
      "https://a.example/a.b/..c/d../.e/x.html" },
    { "leaves dots in a query", "https://a.example/?p=/../x&q=/./",
      "https://a.example/?p=/../x&q=/./" },
    { "leaves a port", "http://a.example:8080/", "http://a.example:8080/" },
    { "leaves an address", "http://[2001:db8::1]:80/a",
      "http://[2001:db8::1]:80/a" },
    { "leaves a user, who is for others to refuse", "http://u:p@a.example/",
      "http://u:p@a.example/" },

    /* RFC 3986, 5.2.4 */

    { "resolves dots", "https://a.example/a/b/c/./../../g",
      "https://a.example/a/g" },
    { "resolves dots at the end", "https://a.example/a/b/..",
      "https://a.example/a/" },
    { "resolves one dot at the end", "https://a.example/a/b/.",
      "https://a.example/a/b/" },
    { "never leaves the host", "https://a.example/../../a?x",
      "https://a.example/a?x" },
    { "resolves dots before a query", "https://a.example/a/../?b=/../",
      "https://a.example/?b=/../" },
    { "gives a URL without a scheme one", "//a.example/p",
      "https://a.example/p" },

    /* what browsers do */

    { "takes escaped dots for dots", "https://a.example/a/%2e%2E/b/%2e/c",
      "https://a.example/b/c" },
    { "takes mixed dots for dots", "https://a.example/a/b/.%2e/c",
      "https://a.example/a/c" },
    { "takes three dots for a name", "https://a.example/a/%2e%2e%2e/b",
      "https://a.example/a/%2e%2e%2e/b" },
    { "escapes what is not ASCII", "https://a.example/\xc3\xa9?q=\xc3\xa9",
      "https://a.example/%C3%A9?q=%C3%A9" },
    { "escapes quotes", "https://a.example/\"?\"",
      "https://a.example/%22?%22" },
    { "escapes angles", "https://a.example/<a>?<b>",
      "https://a.example/%3Ca%3E?%3Cb%3E" },
    { "escapes braces in a path only", "https://a.example/{a}?{b}",
      "https://a.example/%7Ba%7D?{b}" },
    { "leaves bars and brackets", "https://a.example/a|b?c[]=d|e",
      "https://a.example/a|b?c[]=d|e" },
    { "leaves escapes that are none", "https://a.example/50%?q=%zz",
      "https://a.example/50%?q=%zz" },
    { "turns backslashes in a path", "https://a.example/a\\b\\..\\c?d\\e",
      "https://a.example/a/c?d\\e" },
    { "writes a host in ASCII", "https://b\xc3\xbc" "cher.example/",
      "https://xn--bcher-kva.example/" },
    { "writes a host with a port in ASCII",
      "https://b\xc3\xbc" "cher.example:8/|",
      "https://xn--bcher-kva.example:8/|" },
    { "drops a fragment that it has to look at", "https://a.example/|#a b",
      "https://a.example/|" },

    /* what is none */

    { "refuses a word", "word", NULL },
    { "refuses a relative URL", "a/b.html", NULL },
    { "refuses other schemes", "ftp://a.example/", NULL },
    { "refuses mail", "mailto:joe@a.example", NULL },
    { "refuses nothing", "", NULL },
    { "refuses a URL without a host", "https:///a", NULL },
    { "refuses a host that cannot be", "https://\xff\xfe.example/", NULL }
};


static void
absolute_is(void **state)
{
    page_t                 page;
    uint8_t                buf[LEARN_ABSOLUTE_ROOM(256)];
    miqps_rc_e             rc;
    miqps_str_t            in, out;
    const absolute_row_t  *row;

    row = *state;
    in = unit_put(&page, row->in);

    rc = learn_absolute(&in, buf, &out);

    assert_int_equal(rc, (row->out != NULL) ? MIQPS_OK : MIQPS_SYNTAX);

    if (rc == MIQPS_OK) {
        unit_equal(out.data, out.len, row->out);
    }

    page_release(&page);
}


/* what comes out stays as it is, and fits, whatever goes in */

static void
twice_is_once(void **state)
{
    char         text[64];
    size_t       i, k, len;
    dice_t       dice;
    uint8_t      one[LEARN_ABSOLUTE_ROOM(64)];
    uint8_t      two[LEARN_ABSOLUTE_ROOM(sizeof(one))];
    miqps_str_t  in, first, again;
    const char  *p;

    static const char  *const  bits[] = {
        "/", ".", "..", "%2e", "%2E", "a", "%", "%4", "%41", "?", "#", "\\",
        "|", "\"", "{", "\xc3\xa9", "\xff", ":", "@", "&", "=", "[", "]"
    };

    (void) state;

    dice_init(&dice, 5, 0);

    for (i = 0; i < 200000; i++) {
        p = dice_once_in(&dice, 4) ? "//b.example" : "https://b.example";
        len = strlen(p);
        memcpy(text, p, len);

        for (k = dice_below(&dice, 10); k > 0; k--) {
            p = bits[dice_below(&dice, sizeof(bits) / sizeof(bits[0]))];
            memcpy(text + len, p, strlen(p));
            len += strlen(p);
        }

        in.data = (const uint8_t *) text;
        in.len = len;

        if (learn_absolute(&in, one, &first) != MIQPS_OK) {
            continue;
        }

        assert_true(first.len <= sizeof(one));

        if (learn_absolute(&first, two, &again) != MIQPS_OK
            || !miqps_str_eq(&first, &again))
        {
            fail_msg("%.*s becomes %.*s, and that %.*s", (int) len, text,
                     (int) first.len, (const char *) first.data,
                     (int) again.len, (const char *) again.data);
        }
    }
}


static void
long_ones_are_read(void **state)
{
    char         *text;
    size_t        i, n;
    uint8_t      *buf;
    miqps_str_t   in, out;

    (void) state;

    n = 8192;
    text = malloc(n);
    buf = malloc(LEARN_ABSOLUTE_ROOM(n));
    assert_non_null(text);
    assert_non_null(buf);

    memcpy(text, "https://a.example/", 18);

    for (i = 18; i < n; i++) {
        text[i] = "/.a"[i % 3];
    }

    in.data = (const uint8_t *) text;
    in.len = n;
    assert_int_equal(learn_absolute(&in, buf, &out), MIQPS_OK);
    assert_true(out.len <= LEARN_ABSOLUTE_ROOM(n));

    memset(text + 18, '\xff', n - 18);
    assert_int_equal(learn_absolute(&in, buf, &out), MIQPS_OK);
    assert_int_equal(out.len, 18 + 3 * (n - 18));

    free(text);
    free(buf);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, absolute_is, absolute_rows);
    unit_add(&unit, "changes nothing the second time", twice_is_once, NULL);
    unit_add(&unit, "reads long ones", long_ones_are_read, NULL);

    return unit_run(&unit, "absolute");
}
