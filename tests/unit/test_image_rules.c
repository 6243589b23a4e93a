
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include "unit.h"

#include "../support/damage.h"
#include "../support/mapped.h"
#include "../support/paths.h"
#include "../support/print.h"
#include "map/map_diff.h"
#include "map/map_stats.h"
#include "miqps_image_check.h"


/* one of everything */

static const char  everything[] =
    "{\"host\":\"a.example\",\"hosts\":[\"m.example\"],\"rules\":["
    "{\"from\":{\"path\":\"/old/{x:digits}-{}.html\"},"
    "\"to\":{\"path\":\"/new/{x}\"}},"
    "{\"from\":{\"path\":\"/**/index.html\"},\"to\":{\"path\":\"/**/\"}},"
    "{\"from\":{\"host\":\"{:word}.example\",\"path\":\"/u/*/{h:hex}\","
    "\"params\":{\"id\":\"{i:uuid}\",\"s\":\"*\",\"*\":\"*\"}},"
    "\"to\":{\"host\":\"a.example\",\"path\":\"/u/*/x-{h}\","
    "\"params\":{\"s\":\"*\",\"i\":\"{i}\"}}},"
    "{\"from\":{\"path\":\"/shirt\",\"params\":{\"c\":\"{c:t}\"}},"
    "\"to\":{\"path\":\"/shirt-{c}\",\"params\":{}},"
    "\"tables\":{\"t\":{\"3\":\"yellow\",\"5\":\"red\"}}}]}"
    "{\"host\":\"b.example\",\"patterns\":[{\"params\":[\"u\"],\"keep\":[]}],"
    "\"rules\":[{\"from\":{\"path\":\"/s/{:any}/{a:word}\"},"
    "\"to\":{\"path\":\"/s/0/{a}\"}}]}"
    "{\"host\":\"c.example\"}";


static const char *const  urls[] = {
    "//a.example/old/12-title.html?a=1", "//a.example/a/b/index.html",
    "//m.example/u/.x/ff?id=00000000-0000-0000-0000-0000000000aa&s&u=1",
    "//a.example/shirt?c=3", "//a.example/shirt?c=5", "//a.example/shirt-red",
    "//b.example/s/x/y?u=1", "//b.example/s/0/y", "//c.example/s/x/y",
    "//a.example/old/1-0.html", "//a.example/shirt?c=yellow", "//a.example/"
};


static page_t   page;
static FILE    *nowhere;


static int
rules_of(const miqps_image_t *image, const paths_url_t *url,
    miqps_paths_t *rules)
{
    miqps_str_t     host;
    const uint8_t  *record;

    host = unit_str(url->host);
    record = miqps_map_host(image, &host);

    return record != NULL && miqps_paths_of(image, record, rules);
}


/* everything that is done with an image, and what must be true then */

static void
use(const miqps_image_t *image)
{
    int            stay;
    size_t         i, n;
    miqps_paths_t  rules;

    static paths_url_t  url, once, twice;

    for (i = 0; i < 2 * sizeof(urls) / sizeof(urls[0]); i++) {
        stay = (int) (i & 1);
        paths_read(urls[i / 2], &url);

        if (rules_of(image, &url, &rules)
            && paths_apply(&rules, image->seed, stay, &url, &once) != 0)
        {
            assert_true(rules_of(image, &once, &rules));
            assert_true(paths_apply(&rules, image->seed, stay, &once, &twice)
                        == 0
                        || paths_same(&once, &twice));
        }
    }

    free(print_image(image));

    learn_stats_print(image, nowhere);
    assert_true(learn_diff_images(image, image, 0, nowhere, &n));
    assert_int_equal(n, 0);
}


static int
try(const uint8_t *data, size_t size)
{
    const char     *why;
    miqps_image_t   image;

    why = NULL;

    if (miqps_image_open(&image, page_put(&page, data, size), size, &why)
        != MIQPS_OK)
    {
        assert_non_null(why);
        return 0;
    }

    use(&image);

    return 1;
}


static void
test_truncated(void **state)
{
    size_t    size, i, rules;
    uint8_t  *data;

    (void) state;

    data = mapped_image(everything, &size);

    assert_true(try(data, size));

    /* the section of rules is the last one, and ever shorter */

    rules = (size_t) miqps_get_u64(data + 80 + 16 * MIQPS_SECTION_RULES);
    assert_true(rules > MIQPS_IMAGE_HEAD && size - rules > 200);

    for (i = size - 1; i >= rules; i--) {
        memcpy(data + 16, (const uint8_t []) { (uint8_t) (i & 0xff),
                                               (uint8_t) (i >> 8) }, 2);
        memcpy(data + 88 + 16 * MIQPS_SECTION_RULES,
               (const uint8_t []) { (uint8_t) ((i - rules) & 0xff),
                                    (uint8_t) ((i - rules) >> 8) }, 2);
        mapped_mend(data, i);
        assert_false(try(data, i));
    }

    free(data);
}


static void
test_damaged(void **state)
{
    size_t    size, taken;
    uint8_t  *data;

    (void) state;

    data = mapped_image(everything, &size);
    taken = damage_bits(data, size, try);

    assert_true(taken > 100 && taken < 8 * size / 2);
    assert_true(damage_numbers(data, size, try) > 0);

    free(data);
}


/* in as many goes as there are hosts with rules, or more */

static void
test_steps(void **state)
{
    size_t                size, budget, n;
    uint8_t              *data;
    miqps_rc_e            rc;
    const char           *why;
    miqps_image_check_t   check;

    (void) state;

    data = mapped_image(everything, &size);

    for (budget = 1; budget <= size; budget *= 7) {
        miqps_image_check_init(&check, data, size);
        n = 0;

        do {
            rc = miqps_image_check(&check, budget, &why);
            n++;
        } while (rc == MIQPS_AGAIN);

        assert_int_equal(rc, MIQPS_OK);
        assert_true(n > 2);
        assert_int_equal(check.rules,
                         check.image.section[MIQPS_SECTION_RULES].size);
    }

    free(data);
}


/* what a rule does; all are of a.example and its mirror m.example */

typedef struct {
    const char   *sentence;
    const char   *rules;
    const char   *url;
    const char   *want;
} does_t;


static const does_t  does[] = {
    { "a literal path becomes another one, whatever the query",
      "{'from':{'path':'/index.html'},'to':{'path':'/'}}",
      "//a.example/index.html?a=1&b", "//a.example/?a=1&b" },
    { "a wildcard that is not named in the target is replaced",
      "{'from':{'path':'/s/{:hex}/{p}'},'to':{'path':'/s/0/{p}'}}",
      "//a.example/s/ff1/about", "//a.example/s/0/about" },
    { "a value moves from the query to the path",
      "{'from':{'path':'/show','params':{'id':'{i:digits}'}},"
      "'to':{'path':'/{i}','params':{}}}",
      "//a.example/show?id=12", "//a.example/12" },
    { "a value moves from the path to the query",
      "{'from':{'path':'/p-{i:digits}'},"
      "'to':{'path':'/show','params':{'id':'{i}'}}}",
      "//a.example/p-12?x=1", "//a.example/show?x=1&id=12" },
    { "a value is renamed by a table",
      "{'from':{'path':'/shirt','params':{'c':'{c:t}'}},"
      "'to':{'path':'/shirt-{c}','params':{}},"
      "'tables':{'t':{'3':'yellow','5':'red'}}}",
      "//a.example/shirt?c=3", "//a.example/shirt-yellow" },
    { "a value that is not in the table is no match",
      "{'from':{'path':'/shirt','params':{'c':'{c:t}'}},"
      "'to':{'path':'/shirt-{c}','params':{}},"
      "'tables':{'t':{'3':'yellow','5':'red'}}}",
      "//a.example/shirt?c=4", "-" },
    { "a parameter is dropped, and others stay in their order",
      "{'from':{'path':'/l','params':{'sid':'*','*':'*'}},"
      "'to':{'params':{}}}",
      "//a.example/l?b=1&sid=ff&a=2", "//a.example/l?b=1&a=2" },
    { "without a star there are no others",
      "{'from':{'path':'/l','params':{'sid':'*'}},'to':{'params':{}}}",
      "//a.example/l?sid=ff&a=2", "-" },
    { "any value is one that is not there as well",
      "{'from':{'path':'/l','params':{'a':'*','sid':'*'}},"
      "'to':{'params':{'a':'*'}}}",
      "//a.example/l?sid=1&a", "//a.example/l?a" },
    { "a name that is there twice is never touched",
      "{'from':{'path':'/l','params':{'sid':'*','*':'*'}},"
      "'to':{'params':{}}}",
      "//a.example/l?sid=1&sid=2", "-" },
    { "what a target adds is not there before",
      "{'from':{'path':'/p-{i:digits}'},"
      "'to':{'path':'/show','params':{'id':'{i}'}}}",
      "//a.example/p-12?id=1", "-" },
    { "two stars stand for one segment or more",
      "{'from':{'path':'/**/index.html'},'to':{'path':'/**/'}}",
      "//a.example/a/b.c/index.html", "//a.example/a/b.c/" },
    { "and not for none",
      "{'from':{'path':'/**/index.html'},'to':{'path':'/**/'}}",
      "//a.example/index.html", "-" },
    { "a slash at the end counts",
      "{'from':{'path':'/a'},'to':{'path':'/a/'}}",
      "//a.example/a/", "-" },
    { "wildcards of one segment end where the next byte is not theirs",
      "{'from':{'path':'/{i:digits}-{t}.html'},'to':{'path':'/{i}/{t}'}}",
      "//a.example/12-a-b.html", "//a.example/12/a-b" },
    { "a wildcard holds no dot",
      "{'from':{'path':'/u/{n}'},'to':{'path':'/{n}'}}",
      "//a.example/u/a.css", "-" },
    { "a star holds anything, and stays a segment",
      "{'from':{'path':'/s/{:digits}/*'},'to':{'path':'/s/*'}}",
      "//a.example/s/1/a.css", "//a.example/s/a.css" },
    { "a rule applies to mirrors, and can lead to one host",
      "{'from':{'path':'/*'},'to':{'host':'a.example'}}",
      "//m.example/x", "//a.example/x" },
    { "and paths of mirrors become one as well",
      "{'from':{'path':'/x'},'to':{'host':'a.example','path':'/y'}}",
      "//m.example/x", "//a.example/y" },
    { "a label of the host becomes a part of the path",
      "{'from':{'host':'{l:word}.example','path':'/p/{x}'},"
      "'to':{'path':'/{l}-{x}'}}",
      "//m.example/p/x", "//m.example/m-x" },
    { "the more precise of two rules applies",
      "{'from':{'path':'/{x}/{y}'},'to':{'path':'/q'}},"
      "{'from':{'path':'/{x:digits}/{y}'},'to':{'path':'/r'}}",
      "//a.example/1/a", "//a.example/r" },
    { "a rule with a segment of two dots never applies",
      "{'from':{'path':'/**/index.html'},'to':{'path':'/**/'}}",
      "//a.example/../index.html", "-" },
    { "nor one with a semicolon",
      "{'from':{'path':'/**/index.html'},'to':{'path':'/**/'}}",
      "//a.example/a;b/index.html", "-" }
};


static void
test_does(void **state)
{
    char            source[2048], got[1024], *p;
    size_t          size;
    uint8_t        *data;
    const char     *why;
    const does_t   *row;
    miqps_image_t   image;
    miqps_paths_t   rules;

    static paths_url_t  url, out;

    row = *state;

    (void) snprintf(source, sizeof(source), "{'host':'a.example','hosts':"
                    "['m.example'],'rules':[%s]}", row->rules);

    for (p = source; *p != '\0'; p++) {
        *p = (*p == '\'') ? '"' : *p;
    }

    data = mapped_image(source, &size);
    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    paths_read(row->url, &url);
    assert_true(rules_of(&image, &url, &rules));

    paths_set(got, "-");

    if (paths_apply(&rules, image.seed, 0, &url, &out) != 0) {
        paths_print(&out, got, sizeof(got));
    }

    assert_string_equal(got, row->want);

    free(data);
}


/* texts of an image that become others, and what is said of it */

typedef struct {
    const char   *sentence;
    const char   *from;
    const char   *to;
    const char   *want;
} text_t;


static const text_t  texts[] = {
    { "a rule that changes what another one makes", "d1", "a1",
      "a path rule could change what another one has made" },
    { "a rule that makes a line of its own", "d1", "\r1",
      "a path rule is damaged" },
    { "a rule that makes a segment of two dots", "d1", "..",
      "a path rule is damaged" },
    { "a rule that makes a file of a page", "_css", ".css",
      "a path rule makes a page look like a file" },
    { "a rule that makes a slash", "d1", "/1", "a path rule is damaged" },
    { "a name that would be two", "nm", "n&", "a path rule is damaged" },
    { "a name that would have a value", "nm", "n=",
      "a path rule is damaged" },
    { "a name out of order", "nm", "zm", "a path rule is damaged" },
    { "a table out of order", "33", "99",
      "a table of path rules is damaged" },
    { "a table with a dot", "33", "3.", "a table of path rules is damaged" },
    { "a rule of which URLs would lack a bit", "a1", "a2",
      "a path rule leads to a wrong host, or is not found" },
    { "a rule that leads to another host", "mm.example", "xx.example",
      "a path rule leads to a wrong host, or is not found" },
    { "a rule that leads to a host with an empty label", "mm.example",
      "m..example", "a path rule leads to a wrong host, or is not found" }
};


static void
test_text(void **state)
{
    size_t          size;
    uint8_t        *data, *p;
    const char     *why;
    const text_t   *text;
    miqps_image_t   image;

    static const char  source[] =
        "{\"host\":\"a.example\",\"hosts\":[\"mm.example\"],\"rules\":["
        "{\"from\":{\"path\":\"/a1\"},\"to\":{\"path\":\"/b1\"}},"
        "{\"from\":{\"path\":\"/c1\"},\"to\":{\"path\":\"/d1\"}},"
        "{\"from\":{\"path\":\"/e1/{x}\"},\"to\":{\"path\":\"/f1/{x}_css\"}},"
        "{\"from\":{\"path\":\"/h\"},\"to\":{\"host\":\"mm.example\"}},"
        "{\"from\":{\"path\":\"/t/{a:t}\",\"params\":{\"nm\":\"x\",\"oo\":"
        "\"*\"}},\"to\":{\"path\":\"/u/{a}\",\"params\":{}},"
        "\"tables\":{\"t\":{\"33\":\"r\",\"55\":\"s\"}}}]}";

    text = *state;
    data = mapped_image(source, &size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    p = memmem(image.section[MIQPS_SECTION_POOL].data,
               image.section[MIQPS_SECTION_POOL].size, text->from,
               strlen(text->from));

    assert_non_null(p);
    memcpy(p, text->to, strlen(text->to));
    mapped_mend(data, size);

    assert_int_equal(miqps_image_open(&image, data, size, &why),
                     MIQPS_SYNTAX);
    assert_string_equal(why, text->want);

    free(data);
}


/* what a table of 1024 values, 256 rules and 32 segments need */

static void
test_many(void **state)
{
    char           *source;
    FILE           *out;
    size_t          i, k, size, len;
    uint8_t        *data;
    const char     *why;
    miqps_image_t   image;
    miqps_paths_t   rules;

    static paths_url_t  url, made;

    (void) state;

    out = open_memstream(&source, &len);
    assert_non_null(out);

    fprintf(out, "{\"host\":\"a.example\",\"rules\":[");

    for (i = 0; i < MIQPS_PATHS_MAX; i++) {
        fprintf(out, "%s{\"from\":{\"path\":\"/r%zu", (i > 0) ? "," : "", i);

        for (k = 1; k < MIQPS_MAX_SEGMENTS; k++) {
            fprintf(out, "/{n%zu%s}", k, (k == 1 && i == 0) ? ":t" : "");
        }

        fprintf(out, "\"},\"to\":{\"path\":\"/to/{n1}\"}");

        if (i == 0) {
            fprintf(out, ",\"tables\":{\"t\":{");

            for (k = 0; k < MIQPS_PATHS_MAX_ENTRIES; k++) {
                fprintf(out, "%s\"%zu\":\"v%zu\"", (k > 0) ? "," : "", k,
                             k);
            }

            fprintf(out, "}}");
        }

        fprintf(out, "}");
    }

    fprintf(out, "]}");
    assert_int_equal(fclose(out), 0);

    data = mapped_image(source, &size);
    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    free(source);
    out = open_memstream(&source, &len);
    assert_non_null(out);

    fprintf(out, "//a.example/r0/1023");

    for (k = 2; k < MIQPS_MAX_SEGMENTS; k++) {
        fprintf(out, "/s");
    }

    assert_int_equal(fclose(out), 0);

    paths_read(source, &url);
    assert_true(rules_of(&image, &url, &rules));
    assert_int_equal(rules.n, MIQPS_PATHS_MAX);
    assert_int_not_equal(paths_apply(&rules, image.seed, 0, &url, &made), 0);

    paths_print(&made, source, len);
    assert_string_equal(source, "//a.example/to/v1023");

    free(data);
    free(source);
}


/* a host without rules has the record that it had */

static void
test_cost(void **state)
{
    size_t          one, two;
    uint8_t        *a, *b;
    const char     *why;
    miqps_str_t     host;
    miqps_image_t   image;

    (void) state;

    a = mapped_image("{\"host\":\"a.example\"}{\"host\":\"b.example\","
                     "\"rules\":[]}", &one);
    b = mapped_image("{\"host\":\"a.example\"}{\"host\":\"b.example\","
                     "\"rules\":[{\"from\":{\"path\":\"/x\"},"
                     "\"to\":{\"path\":\"/y\"}}]}", &two);

    host = unit_str("a.example");

    assert_int_equal(miqps_image_open(&image, a, one, &why), MIQPS_OK);
    assert_int_equal(image.section[MIQPS_SECTION_RULES].size, 0);

    one = miqps_get_u32(miqps_map_host(&image, &host));

    assert_int_equal(miqps_image_open(&image, b, two, &why), MIQPS_OK);
    assert_int_equal(miqps_get_u32(miqps_map_host(&image, &host)), one);

    host = unit_str("b.example");
    assert_int_equal(miqps_get_u32(miqps_map_host(&image, &host)), one + 4);

    free(a);
    free(b);
}


int
main(void)
{
    static unit_t  unit;

    nowhere = fopen("/dev/null", "w");
    page_init(&page, 64 * 1024);

    if (nowhere == NULL) {
        printf("Bail out! /dev/null\n");
        return 1;
    }

    unit_rows(&unit, test_does, does);
    unit_rows(&unit, test_text, texts);

    unit_add(&unit, "path rules that are cut off are refused",
             test_truncated, NULL);
    unit_add(&unit, "path rules with wrong bits or numbers do no harm",
             test_damaged, NULL);
    unit_add(&unit, "path rules are checked in steps", test_steps, NULL);
    unit_add(&unit, "a host can have as many of everything as is said",
             test_many, NULL);
    unit_add(&unit, "a host without path rules does not pay for them",
             test_cost, NULL);

    return unit_run(&unit, "image_rules");
}
