
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arena.h"
#include "miqps_normalize.h"
#include "miqps_rules.h"


typedef struct {
    const char   *text;
    size_t        line;
    size_t        column;
    const char   *message;       /* a part of it */
} bad_case_t;


static const bad_case_t  bad_cases[] = {

    /* not JSON */

    { "",                                        1, 1,  "not JSON" },
    { "{\"version\": 1,\n  x}",                  2, 4,  "not JSON" },
    { "{\"version\": 1} {}",                     1, 16, "follows" },
    { "[1]",                                     1, 1,  "is an object" },

    /* not ours */

    { "{}",                                      1, 1,  "no \"version\"" },
    { "{\"version\": 2}",                        1, 13, "version 2" },
    { "{\"version\": \"1\"}",                    1, 13, "a number" },
    { "{\"version\": 1,\n \"strp\": []}",        2, 2,  "unknown key" },
    { "{\"version\": 1,\n \"keep\": [],\n \"keep\": []}",
                                                 3, 2,  "duplicate key" },
    { "{\"version\": 1, \"keep\": {}}",          1, 24, "an array" },
    { "{\"version\": 1, \"platforms\": []}",     1, 29, "an object" },

    /* rules */

    { "{\"version\": 1, \"strip\": [\"a\", 7]}", 1, 31, "a rule must be" },
    { "{\"version\": 1, \"strip\": [\n\"a\",\n\"b\",\n\"a\"]}",
                                                 4, 1,  "duplicate \"a\"" },
    { "{\"version\": 1, \"strip\": [\"a\", {\"name\": \"a\"}]}",
                                                 1, 31, "duplicate \"a\"" },
    { "{\"version\": 1, \"strip\": [{\"vendor\": \"x\"}]}",
                                                 1, 26, "needs a \"name\"" },
    { "{\"version\": 1, \"strip\": [{\"nam\": \"x\"}]}",
                                                 1, 27, "unknown key" },
    { "{\"version\": 1, \"strip\": [{\"name\": 1}]}",
                                                 1, 35, "a string" },
    { "{\"version\": 1, \"strip\": [{\"name\": \"a\", \"name\": \"b\"}]}",
                                                 1, 40, "duplicate key" },
    { "{\"version\": 1, \"strip\": [\"\"]}",     1, 26, "is empty" },
    { "{\"version\": 1, \"strip\": [\"a*b*\"]}", 1, 26, "more than one" },
    { "{\"version\": 1, \"strip\": [\"a=*\"]}",  1, 26, "both" },
    { "{\"version\": 1, \"strip\": [\"a b\"]}",  1, 26, "a space" },
    { "{\"version\": 1, \"keep\": [\"~(\"]}",    1, 25, "not a regular" },
    { "{\"version\": 1, \"keep\": [\"~^(a+)+$\"]}",
                                                 1, 25, "too many steps" },
    { "{\"version\": 1, \"keep\": [\"a\\u0000b\"]}",
                                                 1, 27, "\\u0000" },

    /* platforms */

    { "{\"version\": 1, \"platforms\": {\"p\": 1}}",
                                                 1, 35, "an object" },
    { "{\"version\": 1, \"platforms\": {\"p\": {\"drop\": []}}}",
                                                 1, 36, "unknown key" },
    { "{\"version\": 1, \"platforms\": {\"strict\": {}}}",
                                                 1, 30, "cannot be the name" },
    { "{\"version\": 1, \"platforms\": {\"p\": {}, \"p\": {}}}",
                                                 1, 39, "duplicate key" },

    /* sites */

    { "{\"version\": 1, \"sites\": [1]}",        1, 26, "an object" },
    { "{\"version\": 1, \"sites\": [{\"keep\": []}]}",
                                                 1, 26, "needs \"hosts\"" },
    { "{\"version\": 1, \"sites\": [{\"hosts\": [\"A.example\"]}]}",
                                                 1, 37, "lower-case" },
    { "{\"version\": 1, \"sites\": [{\"hosts\": [\"a\", \"a\"]}]}",
                                                 1, 42, "duplicate" },
    { "{\"version\": 1, \"sites\": [{\"hosts\": [1]}]}",
                                                 1, 37, "must be a string" },
    { "{\"version\": 1, \"sites\": [{\"paths\": [\"a\"]}]}",
                                                 1, 37, "neither a path" },
    { "{\"version\": 1, \"sites\": [{\"paths\": [\"~\"]}]}",
                                                 1, 37, "neither a path" },
    { "{\"version\": 1, \"sites\": [{\"paths\": [\"~[\"]}]}",
                                                 1, 37, "not a regular" },
    { "{\"version\": 1, \"sites\": [{\"hosts\": [\"a\"], "
      "\"platforms\": [\"shopfy\"]}]}",          1, 57, "known are shopify" },
    { "{\"version\": 1, \"sites\": [{\"hosts\": [\"a\"], \"strict\": 1}]}",
                                                 1, 53, "true or false" }
};


static void
test_each_error_has_its_position(void **state)
{
    size_t               i;
    miqps_rc_e           rc;
    learn_arena_t        arena;
    miqps_rules_t        book;
    miqps_rules_error_t  error;

    (void) state;

    for (i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
        learn_arena_init(&arena);

        assert_int_equal(miqps_rules_init(&book, &arena.mem, 0, &error),
                         MIQPS_OK);

        rc = miqps_rules_read(&book, bad_cases[i].text,
                              strlen(bad_cases[i].text), &error);

        if (rc != MIQPS_SYNTAX || error.line != bad_cases[i].line
            || error.column != bad_cases[i].column
            || strstr(error.text, bad_cases[i].message) == NULL)
        {
            fail_msg("%s: got %zu:%zu: %s", bad_cases[i].text, error.line,
                     error.column, error.text);
        }

        learn_arena_release(&arena);
    }
}


/* a query under rules, a platform and the operator's own; the reason too */

typedef struct {
    const char   *sentence;
    const char   *rules;
    const char   *platform;
    const char   *strip;
    const char   *args;
    const char   *result;
    const char   *reason;        /* of the first parameter */
} good_case_t;


static const good_case_t  good_cases[] = {
    { "a tracker goes, with its vendor named",
      NULL, NULL, NULL, "fbclid=1&a=2", "a=2", "Meta: named \"fbclid\"" },

    { "a platform keeps what it knows and strips nothing",
      NULL, "shopify", NULL, "variant=1&x=2", "variant=1&x=2",
      "Shopify: named \"variant\"" },

    { "a platform that is strict strips the rest",
      NULL, "shopify+strict", NULL, "x=2&variant=1", "variant=1",
      "not on the allow-list of Shopify" },

    { "a rule of a file keeps what is tracking elsewhere",
      "{\"version\":1,\"keep\":[\"fbclid\"]}", NULL, NULL, "fbclid=1",
      "fbclid=1", "named \"fbclid\"" },

    { "an exception takes tracking back",
      "{\"version\":1,\"except\":[\"utm_id\"]}", NULL, NULL, "utm_id=1",
      "utm_id=1", "excepted \"utm_id\"" },

    { "the operator strips what a platform keeps",
      NULL, "shopify", "variant", "variant=1&x=2", "x=2",
      "named \"variant\"" },

    { "a file may define a platform behind the site that uses it",
      "{\"version\":1,\"sites\":[{\"hosts\":[\"*.example\"],\"strict\":true,"
      "\"platforms\":[\"own\"]}],\"platforms\":{\"own\":{\"title\":\"Own\","
      "\"keep\":[\"a*\"]}}}", NULL, NULL, "x=2&abc=1", "abc=1",
      "not on the allow-list of *.example" },

    { "a platform of a file takes the place of the built-in one",
      "{\"version\":1,\"platforms\":{\"shopify\":{\"keep\":[\"x\"]}}}",
      "shopify+strict", NULL, "variant=1&x=2", "x=2",
      "not on the allow-list of shopify" },

    { "a name that is not ASCII is written as it is read",
      "{\"version\":1,\"strip\":[\"gr\xc3\xb6\xc3\x9f" "e\"]}", NULL, NULL,
      "gr%c3%b6%C3%9Fe=1&a=2", "a=2", NULL }
};


static void
run_good_case(const good_case_t *c)
{
    char                  reason[512], shown[256];
    uint8_t               buf[4096];
    miqps_str_t           text;
    miqps_fault_t         fault;
    miqps_work_t         *work;
    learn_arena_t         arena;
    miqps_rules_t         book;
    miqps_policy_t       *policy;
    miqps_result_t        res;
    miqps_request_t       req;
    miqps_rules_error_t   error;

    static const uint8_t  host[] = "shop.example";
    static const uint8_t  path[] = "/p";

    learn_arena_init(&arena);
    work = malloc(sizeof(miqps_work_t));
    assert_non_null(work);

    assert_int_equal(miqps_rules_init(&book, &arena.mem, 1, &error), MIQPS_OK);

    if (c->rules != NULL) {
        assert_int_equal(miqps_rules_read(&book, c->rules, strlen(c->rules),
                                          &error), MIQPS_OK);
    }

    if (c->platform != NULL) {
        text.data = (const uint8_t *) c->platform;
        text.len = strcspn(c->platform, "+");

        assert_int_equal(miqps_rules_platform(&book, &text, &error), MIQPS_OK);

        if (c->platform[text.len] == '+') {
            miqps_rules_strict(&book);
        }
    }

    if (c->strip != NULL) {
        text.data = (const uint8_t *) c->strip;
        text.len = strlen(c->strip);

        assert_int_equal(miqps_rules_operator(&book, MIQPS_STRIP, &text,
                                              &error), MIQPS_OK);
    }

    assert_int_equal(miqps_policy_init(&policy, book.rules, book.nrules,
                                       book.scopes, book.nscopes, &arena.mem,
                                       &fault), MIQPS_OK);

    memset(&req, 0, sizeof(miqps_request_t));

    req.host.data = host;
    req.host.len = sizeof(host) - 1;
    req.path.data = path;
    req.path.len = sizeof(path) - 1;
    req.args.data = (const uint8_t *) c->args;
    req.args.len = strlen(c->args);

    assert_int_equal(miqps_normalize(policy, &req, work, buf, sizeof(buf),
                                     &res), MIQPS_OK);

    (void) snprintf(shown, sizeof(shown), "%.*s", (int) res.args.len,
                    (const char *) res.args.data);

    assert_string_equal(shown, c->result);

    if (c->reason != NULL) {
        miqps_rules_reason(&work->params[0], reason, sizeof(reason));
        assert_string_equal(reason, c->reason);
    }

    miqps_policy_release(policy);
    learn_arena_release(&arena);
    free(work);
}


static void
test_layers_work_together(void **state)
{
    size_t  i;

    (void) state;

    for (i = 0; i < sizeof(good_cases) / sizeof(good_cases[0]); i++) {
        print_message("# %s\n", good_cases[i].sentence);
        run_good_case(&good_cases[i]);
    }
}


/*
 * A keep wins over tracking, so that a platform whose wildcard takes in a
 * click identifier would bring the misses back.
 */

static void
test_no_platform_keeps_a_tracker(void **state)
{
    char                  name[128];
    size_t                i, k, len;
    uint8_t               buf[1024];
    miqps_str_t           text;
    miqps_fault_t         fault;
    miqps_work_t         *work;
    learn_arena_t         arena;
    miqps_rules_t         trackers, book;
    miqps_policy_t       *policy;
    miqps_result_t        res;
    miqps_request_t       req;
    miqps_rules_error_t   error;

    (void) state;

    learn_arena_init(&arena);
    work = malloc(sizeof(miqps_work_t));
    assert_non_null(work);

    assert_int_equal(miqps_rules_init(&trackers, &arena.mem, 1, &error),
                     MIQPS_OK);
    assert_true(trackers.nrules > 100);
    assert_true(trackers.nplatforms >= 10);

    for (i = 0; i < trackers.nplatforms; i++) {
        assert_int_equal(miqps_rules_init(&book, &arena.mem, 1, &error),
                         MIQPS_OK);
        assert_int_equal(miqps_rules_platform(&book,
                                              &trackers.platforms[i].name,
                                              &error), MIQPS_OK);
        assert_int_equal(miqps_policy_init(&policy, book.rules, book.nrules,
                                           book.scopes, book.nscopes,
                                           &arena.mem, &fault), MIQPS_OK);

        for (k = 0; k < trackers.nrules; k++) {
            text = trackers.rules[k].text;
            len = text.len - (text.data[text.len - 1] == '*');

            (void) snprintf(name, sizeof(name), "%.*s%s", (int) len,
                            (const char *) text.data,
                            (len < text.len) ? "x" : "");

            memset(&req, 0, sizeof(miqps_request_t));
            req.args.data = (const uint8_t *) name;
            req.args.len = strlen(name);

            assert_int_equal(miqps_normalize(policy, &req, work, buf,
                                             sizeof(buf), &res), MIQPS_OK);

            if (res.args.len != 0) {
                fail_msg("%.*s keeps \"%s\"",
                         (int) trackers.platforms[i].name.len,
                         (const char *) trackers.platforms[i].name.data, name);
            }
        }

        miqps_policy_release(policy);
    }

    learn_arena_release(&arena);
    free(work);
}


static void
test_an_unknown_platform_is_answered_with_the_known(void **state)
{
    learn_arena_t        arena;
    miqps_rules_t        book;
    miqps_rules_error_t  error;

    static const miqps_str_t  name = miqps_string("shopfy");

    (void) state;

    learn_arena_init(&arena);

    assert_int_equal(miqps_rules_init(&book, &arena.mem, 0, &error), MIQPS_OK);
    assert_int_equal(miqps_rules_platform(&book, &name, &error), MIQPS_SYNTAX);
    assert_non_null(strstr(error.text, "shopify"));
    assert_int_equal(error.line, 0);

    learn_arena_release(&arena);
}


/* an allocator that fails at a given call */

typedef struct {
    learn_arena_t   arena;
    size_t          left;
} failing_t;


static void *
failing_alloc(void *data, size_t size)
{
    failing_t  *failing = data;

    if (failing->left == 0) {
        return NULL;
    }

    failing->left--;

    return learn_arena_alloc(&failing->arena, size);
}


static void
test_want_of_memory_is_told_and_nothing_leaks(void **state)
{
    size_t                i;
    miqps_rc_e            rc;
    failing_t             failing;
    miqps_mem_t           mem;
    miqps_rules_t         book;
    miqps_rules_error_t   error;

    static const char  text[] = "{\"version\":1,\"keep\":[\"a\","
        "{\"name\":\"b\",\"vendor\":\"v\"}],\"sites\":[{\"hosts\":[\"h\"],"
        "\"paths\":[\"/x\"],\"platforms\":[\"shopify\"]}]}";

    (void) state;

    mem.alloc = failing_alloc;
    mem.data = &failing;

    rc = MIQPS_NO_MEMORY;

    for (i = 0; rc == MIQPS_NO_MEMORY; i += (i < 20) ? 1 : 17) {
        learn_arena_init(&failing.arena);
        failing.left = i;

        rc = miqps_rules_init(&book, &mem, 1, &error);

        if (rc == MIQPS_OK) {
            rc = miqps_rules_read(&book, text, sizeof(text) - 1, &error);
        }

        learn_arena_release(&failing.arena);
    }

    assert_int_equal(rc, MIQPS_OK);
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test(test_each_error_has_its_position),
        cmocka_unit_test(test_layers_work_together),
        cmocka_unit_test(test_no_platform_keeps_a_tracker),
        cmocka_unit_test(test_an_unknown_platform_is_answered_with_the_known),
        cmocka_unit_test(test_want_of_memory_is_told_and_nothing_leaks)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
