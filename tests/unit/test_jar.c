
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>

#include "unit.h"

#include "fetch/jar.h"


#define MOST  4


typedef struct {
    const char  *sentence;
    const char  *one[MOST];              /* headers, one after the other */
    const char  *two[MOST];
    int          same;
} jar_row_t;


static const jar_row_t  cookie_rows[] = {
    { "a value is part of a cookie",
      { "partner=p7; Path=/" }, { "partner=none; Path=/" }, 0 },
    { "a name is, too", { "a=1" }, { "b=1" }, 0 },
    { "a cookie is not none", { "a=1" }, { NULL }, 0 },
    { "attributes do not count",
      { "a=1; Expires=Thu, 01 Jan 2026 00:00:01 GMT; Max-Age=7" },
      { "a=1 ;path=/;  Secure" }, 1 },
    { "order does not count", { "a=1", "b=2" }, { "b=2", "a=1" }, 1 },
    { "nor does repetition", { "a=1", "a=1; Path=/x" }, { "a=1" }, 1 },
    { "values do not change places", { "a=1", "b=2" }, { "a=2", "b=1" }, 0 },
    { "a name with two values has both", { "a=1", "a=2" }, { "a=2" }, 0 },
    { "what is no pair is a name", { "a" }, { "a; Secure" }, 1 },
    { "an empty value is not without one", { "a=" }, { "a" }, 0 },
    { "a value has equal signs", { "a=b=1" }, { "a=b=2" }, 0 }
};


static const jar_row_t  vary_rows[] = {
    { "order does not count",
      { "Accept-Encoding, Cookie" }, { "Cookie,Accept-Encoding" }, 1 },
    { "nor do headers and repetition",
      { "b", "a", "B" }, { "a , b,," }, 1 },
    { "nor do capital letters", { "COOKIE" }, { "cookie" }, 1 },
    { "a name is not another one", { "Cookie" }, { "Cookie2" }, 0 },
    { "nor part of one", { "a,bc" }, { "ab,c" }, 0 },
    { "a name more is another set", { "a,b" }, { "a" }, 0 },
    { "none is none", { "" }, { NULL }, 1 },
    { "all names are all names", { "a,*" }, { "*", "b" }, 1 }
};


static void
cookies_of(const char *const *headers, learn_jar_t *jar, uint8_t *out,
    miqps_str_t *cookies)
{
    size_t  i;

    learn_jar_init(jar);

    for (i = 0; i < MOST && headers[i] != NULL; i++) {
        learn_jar_cookie(jar, headers[i]);
    }

    cookies->data = out;
    cookies->len = learn_jar_write(jar, out);
}


static void
compares_cookies(void **state)
{
    miqps_str_t       a, b;
    learn_jar_t       one, two;
    uint8_t           first[LEARN_JAR_BYTES], second[LEARN_JAR_BYTES];
    const jar_row_t  *row;

    row = *state;

    cookies_of(row->one, &one, first, &a);
    cookies_of(row->two, &two, second, &b);

    assert_int_equal(miqps_str_eq(&a, &b), row->same);
}


static void
compares_vary(void **state)
{
    size_t            i;
    learn_jar_t       one, two;
    const jar_row_t  *row;

    row = *state;

    learn_jar_init(&one);
    learn_jar_init(&two);

    for (i = 0; i < MOST && row->one[i] != NULL; i++) {
        learn_jar_vary(&one, row->one[i]);
    }

    for (i = 0; i < MOST && row->two[i] != NULL; i++) {
        learn_jar_vary(&two, row->two[i]);
    }

    assert_int_equal(strcmp(one.vary, two.vary) == 0, row->same);
}


static void
adds_what_a_redirect_brings(void **state)
{
    learn_jar_t  all, hop;

    (void) state;

    learn_jar_init(&all);
    learn_jar_init(&hop);
    learn_jar_cookie(&hop, "partner=p7");
    learn_jar_vary(&hop, "Cookie");
    learn_jar_add(&all, &hop);

    learn_jar_init(&hop);
    learn_jar_cookie(&hop, "seen=1");
    learn_jar_vary(&hop, "Accept-Language");
    learn_jar_add(&all, &hop);

    assert_int_equal(all.n, 2);
    assert_string_equal(all.vary, "accept-language,cookie");
}


static void
knows_names_and_values(void **state)
{
    learn_jar_t     jar;
    miqps_str_t     cookies;
    uint8_t         out[LEARN_JAR_BYTES];
    learn_cookie_t  cookie, other;

    static const char *const  headers[MOST] = { "a=1", "b=2" };
    static const char *const  others[MOST] = { "a=3" };

    (void) state;

    cookies_of(others, &jar, out, &cookies);
    assert_true(learn_jar_get(&cookies, 0, &other));
    assert_false(learn_jar_get(&cookies, 1, &other));

    cookies_of(headers, &jar, out, &cookies);
    assert_true(learn_jar_get(&cookies, 0, &cookie));
    assert_true(learn_jar_has(&cookies, &cookie));
    assert_true(learn_jar_has_name(&cookies, other.name));
    assert_false(learn_jar_has(&cookies, &other));
    assert_false(learn_jar_has_name(&cookies, other.name + 1));
    assert_true(learn_jar_names(&jar) != 0);
}


/* however many there are */

static void
keeps_within_its_bounds(void **state)
{
    int          i;
    char         text[64];
    learn_jar_t  one, two;

    (void) state;

    learn_jar_init(&one);
    learn_jar_init(&two);

    for (i = 0; i < 1000; i++) {
        (void) snprintf(text, sizeof(text), "cookie-%d=%d", i, i);
        learn_jar_cookie(&one, text);
        learn_jar_vary(&one, text);
        learn_jar_cookie(&two, text);
    }

    assert_int_equal(one.n, LEARN_JAR_COOKIES);
    assert_string_equal(one.vary, "*");
    assert_memory_equal(one.list, two.list, sizeof(one.list));

    learn_jar_cookie(&two, "one=more");
    assert_memory_not_equal(one.list, two.list, sizeof(one.list));
}


int
main(void)
{
    size_t         i;
    static unit_t  unit;

    for (i = 0; i < sizeof(cookie_rows) / sizeof(cookie_rows[0]); i++) {
        unit_add(&unit, cookie_rows[i].sentence, compares_cookies,
                 &cookie_rows[i]);
    }

    for (i = 0; i < sizeof(vary_rows) / sizeof(vary_rows[0]); i++) {
        unit_add(&unit, vary_rows[i].sentence, compares_vary, &vary_rows[i]);
    }

    unit_add(&unit, "adds what a redirect brings", adds_what_a_redirect_brings,
             NULL);
    unit_add(&unit, "knows names and values", knows_names_and_values, NULL);
    unit_add(&unit, "keeps within its bounds", keeps_within_its_bounds, NULL);

    return unit_run(&unit, "jar");
}
