
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_normalize.h"


/*
 * Each row sends one query, and then another one, through the normalizer with
 * the same plans.
 */

#define SORT        1      /* the first */
#define SORT_BOTH   3
#define OTHER_HOST  4      /* the second */
#define OTHER_RULES 8      /* the second */


typedef struct {
    const char  *sentence;
    const char  *first;
    const char  *second;
    unsigned     flags;
    unsigned     followed;  /* the second takes the plan of the first */
    const char  *want;      /* of the second */
} row_t;


static const miqps_rule_t  rules[] = {
    { miqps_string("gclid"), miqps_null_str, MIQPS_STRIP,
      MIQPS_LAYER_TRACKING, 0 },
    { miqps_string("utm_*"), miqps_null_str, MIQPS_STRIP,
      MIQPS_LAYER_TRACKING, 0 },
    { miqps_string("page=1"), miqps_null_str, MIQPS_STRIP,
      MIQPS_LAYER_OPERATOR, 0 },
    { miqps_string("~^_[a-z]$"), miqps_null_str, MIQPS_STRIP,
      MIQPS_LAYER_OPERATOR, 0 },
    { miqps_string("color"), miqps_null_str, MIQPS_STRIP,
      MIQPS_LAYER_RULES, 1 },
    { miqps_string("a"), miqps_null_str, MIQPS_STRIP,
      MIQPS_LAYER_RULES, 2 },
    { miqps_string("a"), miqps_null_str, MIQPS_STRIP,
      MIQPS_LAYER_RULES, 3 }
};


static miqps_str_t  hosts[] = {
    miqps_string("shop.example"), miqps_string("many.example")
};


/* "many.example" is in four, everything is in scope 0 */

static const miqps_scope_t  scopes[] = {
    { miqps_null_str, NULL, NULL, NULL, 0, 0, 0, 0, 0 },
    { miqps_null_str, hosts, NULL, NULL, 2, 0, 0, 0, 0 },
    { miqps_null_str, &hosts[1], NULL, NULL, 1, 0, 0, 0, 0 },
    { miqps_null_str, &hosts[1], NULL, NULL, 1, 0, 0, 0, 0 }
};


static const row_t  rows[] = {
    { "follows it with other values", "a=1&gclid=2&b=3", "a=x&gclid=&b=%7E",
      0, 1, "a=x&b=~" },
    { "follows it where nothing is stripped", "a=1&b=2", "a=3&b=4", 0, 1,
      "a=3&b=4" },
    { "follows it where everything is", "gclid=1", "gclid=2", 0, 1, "" },
    { "follows it in sorting", "b=1&gclid=2&a=3", "b=4&gclid=5&a=6",
      SORT_BOTH, 1, "a=6&b=4" },
    { "follows it with a name of sixteen bytes", "abcdefghijklmnop=1",
      "abcdefghijklmnop=2", 0, 1, "abcdefghijklmnop=2" },
    { "follows it with a long value",
      "gclid=1&a=2",
      "gclid=1&a=0123456789012345678901234567890123456789012345678901234567"
      "8901234567890123456789", 0, 1,
      "a=01234567890123456789012345678901234567890123456789012345678901234"
      "567890123456789" },
    { "follows it with brackets", "b[]=1&gclid=2&b[]=3", "b[]=4&gclid=5&b[]=6",
      0, 1, "b[]=4&b[]=6" },
    { "follows it with a repeated name", "a=1&a=2", "a=3&a=4", SORT_BOTH, 1,
      "a=3&a=4" },
    { "follows it where a regular expression decided", "_x=1&a=2",
      "_x=3&a=4", 0, 1, "a=4" },

    { "has none for other names", "a=1&gclid=2", "b=1&gclid=2", 0, 0, "b=1" },
    { "has none for a longer name", "a=1&gclid=2", "aa=1&gclid=2", 0, 0,
      "aa=1" },
    { "has none for another order", "a=1&gclid=2", "gclid=2&a=1", 0, 0,
      "a=1" },
    { "has none for one name more", "a=1&gclid=2", "a=1&gclid=2&b=3", 0, 0,
      "a=1&b=3" },
    { "has none for one name less", "a=1&gclid=2&b=3", "a=1&gclid=2", 0, 0,
      "a=1" },
    { "has none for another host", "a=1&color=2", "a=1&color=2", OTHER_HOST, 0,
      "a=1&color=2" },
    { "has none for other rules", "a=1&gclid=2", "a=1&gclid=2", OTHER_RULES, 0,
      "a=1&gclid=2" },
    { "has none for sorted against not", "b=1&a=2", "b=1&a=2", SORT, 0,
      "b=1&a=2" },

    { "leaves none where a value decides", "a=1&page=2", "a=1&page=1", 0, 0,
      "a=1" },
    { "leaves none where a value could be a secret", "token=red&gclid=1",
      "token=0a1b2c3d4e5f60718293a4b5&gclid=1", 0, 0,
      "token=0a1b2c3d4e5f60718293a4b5&gclid=1" },
    { "leaves none for a name of seventeen bytes", "abcdefghijklmnopq=1",
      "abcdefghijklmnopq=2", 0, 0, "abcdefghijklmnopq=2" },
    { "leaves none for a word", "gclid=1&amp", "gclid=1&amp", 0, 0, "amp&" },
    { "leaves none for an empty piece", "a=1&&b=2", "a=1&&b=2", 0, 0,
      "a=1&b=2" },
    { "leaves none for a second equals sign", "a=1=2", "a=1=3", 0, 0,
      "a=1=3" },
    { "leaves none for bytes that are not ASCII", "a=\xc3\xa9", "a=\xc3\xa8",
      0, 0, "a=\xc3\xa8" },
    { "leaves none for thirteen names",
      "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=1&l=2&m=3&gclid=4",
      "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=1&l=2&m=3&gclid=4", 0, 0,
      "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=1&l=2&m=3" },
    { "leaves none for what is opaque", "a=1;b&gclid=2", "a=1;b&gclid=2", 0, 0,
      "a=1;b&gclid=2" }
};


typedef struct {
    heap_t           heap;
    miqps_policy_t  *policy;
    miqps_policy_t  *other;
} fixture_t;


static miqps_work_t   work;
static miqps_plans_t  plans;


static void
fixture_init(fixture_t *f)
{
    miqps_fault_t  fault;

    heap_init(&f->heap);
    memset(&plans, 0, sizeof(plans));

    assert_int_equal(miqps_policy_init(&f->policy, rules,
                                       sizeof(rules) / sizeof(rules[0]),
                                       scopes, 4, &f->heap.mem, &fault),
                     MIQPS_OK);
    assert_int_equal(miqps_policy_init(&f->other, NULL, 0, scopes, 1,
                                       &f->heap.mem, &fault),
                     MIQPS_OK);
}


static void
fixture_release(fixture_t *f)
{
    miqps_policy_release(f->policy);
    miqps_policy_release(f->other);
    heap_release(&f->heap);
}


/* the result, and whether the query took the long way, which fills these */

static int
normalize(const miqps_policy_t *policy, const char *host, const char *text,
    unsigned sort, const char *want)
{
    page_t           in, out;
    size_t           size;
    miqps_result_t   res;
    miqps_request_t  req;

    memset(&req, 0, sizeof(req));
    memset(&work.params[0], 0, sizeof(work.params[0]));

    req.host = unit_str(host);
    req.path = unit_str("/");
    req.args = unit_put(&in, text);
    req.plans = &plans;
    req.sort = sort & 1;

    size = miqps_normalize_bound(req.args.len);
    page_init(&out, size);

    assert_int_equal(miqps_normalize(policy, &req, &work,
                                     page_tail(&out, size), size, &res),
                     MIQPS_OK);

    if (want != NULL) {
        unit_equal(res.args.data, res.args.len, want);
        assert_int_equal(res.changed, strcmp(text, want) != 0);
    }

    page_release(&in);
    page_release(&out);

    return work.params[0].name != NULL || res.guard != MIQPS_GUARD_PASS;
}


static void
test_row(void **state)
{
    int           slow;
    fixture_t     f;
    const row_t  *row;

    row = *state;

    fixture_init(&f);

    assert_true(normalize(f.policy, "shop.example", row->first, row->flags,
                          NULL));

    slow = normalize((row->flags & OTHER_RULES) ? f.other : f.policy,
                     (row->flags & OTHER_HOST) ? "b.example" : "shop.example",
                     row->second, row->flags >> 1, row->want);

    assert_int_equal(!slow, row->followed);

    fixture_release(&f);
}


static void
test_scopes(void **state)
{
    fixture_t  f;

    (void) state;

    fixture_init(&f);

    assert_true(normalize(f.policy, "many.example", "a=1&b=2", 0, "b=2"));
    assert_true(normalize(f.policy, "many.example", "a=1&b=2", 0, "b=2"));

    fixture_release(&f);
}


/* more of them than a place has room for: the older ones go */

static void
test_many(void **state)
{
    char       text[32];
    unsigned   i, round, followed;
    fixture_t  f;

    (void) state;

    fixture_init(&f);

    followed = 0;

    for (round = 0; round < 2; round++) {
        for (i = 0; i < 4 * MIQPS_PLANS; i++) {
            (void) snprintf(text, sizeof(text), "n%x=1&gclid=2", i);

            followed += !normalize(f.policy, "shop.example", text, 0, NULL);
        }
    }

    /* none in the first round; in the second most had to make room */

    assert_true(followed < MIQPS_PLANS);

    assert_true(normalize(f.policy, "shop.example", "gclid=1&zz=2", 0,
                          "zz=2"));
    assert_false(normalize(f.policy, "shop.example", "gclid=1&zz=3", 0,
                           "zz=3"));

    fixture_release(&f);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_row, rows);

    unit_add(&unit, "leaves none in four scopes", test_scopes, NULL);
    unit_add(&unit, "forgets the oldest of too many", test_many, NULL);

    return unit_run(&unit, "plan");
}
