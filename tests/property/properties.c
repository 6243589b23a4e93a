
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/dice.h"
#include "../support/generate.h"
#include "../support/model.h"
#include "../support/page.h"
#include "miqps_normalize.h"


/*
 * What must be true of every query, over generated ones:
 *
 *     properties [--count N] [--seed S] [--first I]
 *
 * Query I of seed S is always the same one, under the same policy.  Without
 * --count there are a million, ten million if TEST_LEVEL is "fuzz".  Each
 * input and each buffer ends at a guard page; buffers and scratch hold
 * garbage before each call.
 */

#define QUERIES_PER_POLICY   1000
#define BEFORE               32        /* watched bytes before a buffer */
#define WATCH                0x5a
#define ENOUGH               500000    /* queries that meet everything */
#define LARGE                64        /* parameters; more are not shuffled
                                          every time */


typedef enum {
    P_MEMORY = 0,
    P_SPACE,
    P_SCRATCH,
    P_OPAQUE,
    P_REASON,
    P_TWICE,
    P_VALUES,
    P_BYTES,
    P_LENGTH,
    P_INPUT_ORDER,
    P_SORTED,
    P_SHUFFLED,
    P_UNMOVED,
    P_FAMILY,
    P_ONCE,
    P_WORD,
    P_COUNTS,
    P_VERDICT,
    P_RESULT,
    P_PLAN,
    P_MAX
} property_e;


typedef struct {
    const char         *sentence;
    uint64_t            checked;
    uint64_t            failed;
} property_t;


/* one call of the normalizer and what it left */

typedef struct {
    page_t              in;
    page_t              out;
    uint8_t            *args;
    uint8_t            *buf;
    miqps_work_t        work;
    miqps_result_t      res;
} run_t;


typedef struct {
    uint64_t            seed;
    uint64_t            index;
    generate_policy_t  *policy;
    miqps_str_t         host;
    miqps_str_t         path;
    int                 sort;
    dice_t              dice;       /* for choices of the checks */
} case_t;


static property_t  properties[P_MAX] = {
    { "reads and writes nothing outside of its buffers", 0, 0 },
    { "refuses a buffer below the bound and sets nothing", 0, 0 },
    { "garbage in buffer and scratch changes nothing", 0, 0 },
    { "an opaque query is the input, byte for byte", 0, 0 },
    { "a query is opaque when the model says so, for a reason it has", 0, 0 },
    { "normalizing twice changes nothing more", 0, 0 },
    { "a kept parameter keeps its bytes, but for escapes", 0, 0 },
    { "no byte appears that was not in the input", 0, 0 },
    { "the result is no longer than the input", 0, 0 },
    { "without sorting, what is kept has the order of the input", 0, 0 },
    { "with sorting, families ascend and are stable inside", 0, 0 },
    { "with sorting, the order of families in the input is nothing", 0, 0 },
    { "a verdict does not depend on the order of the families", 0, 0 },
    { "a family is stripped whole, under one name, or not at all", 0, 0 },
    { "a rule on a value strips only what occurs once", 0, 0 },
    { "a lone word gets an ampersand if it was not alone, else none", 0, 0 },
    { "the numbers and flags of a result are those of its parts", 0, 0 },
    { "the verdict on each parameter is the model's", 0, 0 },
    { "the result is the model's, byte for byte", 0, 0 },
    { "a plan, left or followed, changes nothing", 0, 0 }
};


static model_t           model;
static run_t             first, again, twice, moved, planned;
static generate_query_t  query, shuffled, smaller, other;
static miqps_plans_t     plans;
static uint16_t          places[MIQPS_MAX_PARAMS];  /* where they moved to */

static uint64_t          guards[MIQPS_GUARD_MAX];    /* how often each came */
static uint64_t          whys[MIQPS_WHY_MAX];

static const case_t     *current;                   /* for the last words */


static void  normalize(run_t *run, const case_t *c, const uint8_t *args,
    size_t len, int sort, int garbage, uint32_t *bad);


/* marks a property as tried, and as broken unless "true_" */

static void
expect(uint32_t *bad, property_e property, int true_)
{
    properties[property].checked++;

    if (!true_) {
        *bad |= UINT32_C(1) << property;
    }
}


/* --- the checks, each on what normalize() and the model left */

static void
check_opaque(uint32_t *bad, size_t len)
{
    const miqps_result_t  *res;

    res = &first.res;

    expect(bad, P_REASON, (res->guard == MIQPS_GUARD_PASS)
                          ? model.reasons == 0
                          : (model.reasons >> res->guard & 1));

    if (res->guard == MIQPS_GUARD_PASS) {
        return;
    }

    expect(bad, P_OPAQUE, model_equal(res->args.data, res->args.len,
                                      first.args, len)
                          && !res->changed && res->nparams == 0
                          && res->nstripped == 0);
}


static int
same_verdict(const miqps_param_t *a, const miqps_param_t *b)
{
    return a->action == b->action && a->layer == b->layer && a->why == b->why
           && a->rule == b->rule
           && (a->why != MIQPS_WHY_UNLISTED || a->strict == b->strict);
}


static int
same_param(const miqps_param_t *a, const miqps_param_t *b)
{
    return same_verdict(a, b) && a->special == b->special
           && model_equal(a->name, a->len, b->name, b->len)
           && a->name_len == b->name_len && a->key == b->key
           && model_equal(a->family, a->family_len, b->family, b->family_len);
}


static void
check_scratch(uint32_t *bad)
{
    size_t  i;

    expect(bad, P_SCRATCH, first.res.guard == again.res.guard
                           && first.res.nparams == again.res.nparams
                           && first.res.nstripped == again.res.nstripped
                           && first.res.changed == again.res.changed
                           && miqps_str_eq(&first.res.args, &again.res.args));

    for (i = 0; i < first.res.nparams && i < again.res.nparams; i++) {
        if (!same_param(&first.work.params[i], &again.work.params[i])) {
            *bad |= UINT32_C(1) << P_SCRATCH;
        }
    }
}


/* the pieces of the result against the kept parameters, one by one */

static void
check_order(uint32_t *bad, const case_t *c)
{
    int                   ok;
    size_t                i, at, kept;
    const miqps_str_t    *out;
    const miqps_param_t  *param;

    out = &first.res.args;
    at = 0;
    kept = 0;
    ok = 1;

    for (i = 0; ok && i < first.res.nparams; i++) {
        param = &first.work.params[c->sort ? model.order[i] : i];

        if (param->action == MIQPS_STRIP) {
            continue;
        }

        if (kept++ > 0) {
            ok = (at < out->len && out->data[at++] == '&');
        }

        ok = ok && out->len - at >= param->len
             && memcmp(out->data + at, param->name, param->len) == 0;

        at += param->len;
    }

    expect(bad, c->sort ? P_SORTED : P_INPUT_ORDER, ok);

    if (!ok) {
        return;
    }

    param = (kept == 1) ? first.work.params : NULL;

    while (param != NULL && param->action == MIQPS_STRIP) {
        param++;
    }

    if (param != NULL && param->name_len == param->len && model.pieces > 1) {
        expect(bad, P_WORD, out->len == at + 1 && out->data[at] == '&');

    } else {
        expect(bad, P_WORD, out->len == at);
    }
}


/* each parameter is a piece of the input as the model normalizes it */

static void
check_values(uint32_t *bad)
{
    int                   ok;
    size_t                i;
    const miqps_param_t  *param;
    const model_param_t  *want;

    ok = (first.res.nparams == model.nparams);

    for (i = 0; ok && i < model.nparams; i++) {
        param = &first.work.params[i];
        want = &model.params[i];

        ok = model_equal(param->name, param->len, want->name, want->len)
             && param->name_len == want->name_len
             && model_equal(param->family, param->family_len, want->family,
                            want->family_len);
    }

    expect(bad, P_VALUES, ok);
}


static void
check_bytes(uint32_t *bad, size_t len)
{
    int                 ok;
    size_t              i;
    const miqps_str_t  *out;

    static int32_t  left[256];

    out = &first.res.args;

    expect(bad, P_LENGTH, out->len <= len);

    for (i = 0; i < model.len; i++) {
        left[model.text[i]]++;
    }

    ok = 1;

    for (i = 0; i < out->len; i++) {
        ok = ok && --left[out->data[i]] >= 0;
    }

    memset(left, 0, sizeof(left));

    expect(bad, P_BYTES, ok);
}


static void
check_families(uint32_t *bad)
{
    int                   whole, once;
    size_t                i, k;
    const miqps_param_t  *a, *b;

    whole = 1;
    once = 1;

    for (i = 0; i < first.res.nparams; i++) {
        a = &first.work.params[i];

        if (a->action != MIQPS_STRIP) {
            continue;
        }

        for (k = 0; k < first.res.nparams; k++) {
            b = &first.work.params[k];

            if (k == i || !model_same_family(&model.params[i],
                                             &model.params[k]))
            {
                continue;
            }

            once = once && a->why != MIQPS_WHY_VALUE;
            whole = whole && b->action == MIQPS_STRIP
                    && model_equal(a->name, a->name_len, b->name,
                                   b->name_len);
        }
    }

    expect(bad, P_FAMILY, whole);
    expect(bad, P_ONCE, once);
}


static void
check_counts(uint32_t *bad, size_t len)
{
    size_t                 i, stripped;
    const miqps_result_t  *res;

    res = &first.res;
    stripped = 0;

    for (i = 0; i < res->nparams; i++) {
        stripped += (first.work.params[i].action == MIQPS_STRIP);
    }

    expect(bad, P_COUNTS, res->nstripped == stripped
                          && res->changed
                             == !model_equal(res->args.data, res->args.len,
                                             first.args, len));
}


/* whether a rule that is quoted has the form that is quoted with it */

static int
right_why(const model_rule_t *m, const model_param_t *want, int why)
{
    if (want->rank == MODEL_EXCEPT) {
        return why == MIQPS_WHY_EXCEPTED;
    }

    switch (m->form) {

    case MODEL_REGEX:
        return why == MIQPS_WHY_REGEX;

    case MODEL_STAR:
        return why == MIQPS_WHY_WILDCARD;

    case MODEL_VALUE:
        return why == MIQPS_WHY_VALUE
               || (why == MIQPS_WHY_FAMILY && want->wish == MIQPS_KEEP);

    default:
        return why == MIQPS_WHY_NAME
               || (why == MIQPS_WHY_FAMILY && want->wish == MIQPS_KEEP);
    }
}


/* a verdict that rests on a rule: is it one that holds, and rightly quoted */

static int
right_rule(const generate_policy_t *p, const model_param_t *want,
    const miqps_param_t *param)
{
    size_t               i;
    uint64_t             may;
    const model_rule_t  *m;

    if (param->rule < p->rules || param->rule >= p->rules + p->nrules) {
        return 0;
    }

    i = (size_t) (param->rule - p->rules);
    m = &p->model.rules[i];

    may = want->hits[want->rank];

    if (want->wish == MIQPS_STRIP && want->general[want->rank] != 0) {
        may = want->general[want->rank];
    }

    if (!(may >> i & 1)) {
        return 0;
    }

    if (want->wish != want->action) {
        return param->layer == MIQPS_LAYER_GUARD
               && param->why == ((m->form == MODEL_VALUE)
                                 ? MIQPS_WHY_REPEATED : MIQPS_WHY_MIXED);
    }

    return right_why(m, want, param->why)
           && param->layer == ((m->form == MODEL_REGEX
                                && m->rule->layer == MIQPS_LAYER_RULES)
                               ? MIQPS_LAYER_REGEX : m->rule->layer);
}


static int
right_verdict(const generate_policy_t *p, const model_param_t *want,
    const miqps_param_t *param)
{
    if (param->action != want->action) {
        return 0;
    }

    if (model.gave_up) {
        /* why it would be kept is another question */
        return 1;
    }

    if (want->rank >= 0) {
        return right_rule(p, want, param);
    }

    if (want->wish == MIQPS_KEEP) {
        return param->rule == NULL && param->layer == MIQPS_LAYER_DEFAULT
               && param->why == MIQPS_WHY_UNNAMED;
    }

    if (want->action == MIQPS_KEEP) {
        return param->layer == MIQPS_LAYER_GUARD
               && param->why == MIQPS_WHY_MIXED;
    }

    if (param->rule != NULL || param->strict < p->scopes
        || param->strict >= p->scopes + p->nscopes || !param->strict->strict
        || !(model.active >> (param->strict - p->scopes) & 1))
    {
        return 0;
    }

    return param->layer == ((param->strict == p->scopes)
                            ? MIQPS_LAYER_PLATFORM : MIQPS_LAYER_RULES)
           && param->why == MIQPS_WHY_UNLISTED;
}


static void
check_model(uint32_t *bad, const case_t *c)
{
    int     ok;
    size_t  i;

    ok = (first.res.nparams == model.nparams);

    for (i = 0; ok && i < model.nparams; i++) {
        ok = right_verdict(c->policy, &model.params[i], &first.work.params[i]);
    }

    expect(bad, P_VERDICT, ok);
    expect(bad, P_RESULT, model_equal(first.res.args.data, first.res.args.len,
                                      model.out, model.out_len));
}


static void
check_twice(uint32_t *bad, const case_t *c)
{
    normalize(&twice, c, first.res.args.data, first.res.args.len, c->sort,
              0x77, bad);

    expect(bad, P_TWICE, twice.res.guard == first.res.guard
                         && !twice.res.changed && twice.res.nstripped == 0
                         && miqps_str_eq(&twice.res.args, &first.res.args));
}


/*
 * The pieces of "in" in another order, but for the members of a family, and
 * the empty ones anywhere.  places[i] is where the i-th parameter went.
 */

static void
shuffle(dice_t *dice, const uint8_t *in, size_t len)
{
    size_t                i, k, n, at, empty;

    static uint8_t        used[MIQPS_MAX_PARAMS];
    static miqps_str_t    pieces[MIQPS_MAX_PARAMS];

    n = 0;
    empty = 0;

    for (i = 0; i <= len; i = at + 1) {
        for (at = i; at < len && in[at] != '&'; at++) { /* void */ }

        if (at > i) {
            pieces[n].data = in + i;
            pieces[n++].len = at - i;

        } else {
            empty++;
        }
    }

    memset(used, 0, n);
    shuffled.len = 0;

    for (at = 0; at < n; at++) {

        while (empty > 0 && dice_once_in(dice, 2)) {
            generate_byte(&shuffled, '&');
            empty--;
        }

        i = dice_below(dice, n);

        while (used[i]) {
            i = (i + 1) % n;
        }

        for (k = 0; used[k] || !model_same_family(&model.params[k],
                                                  &model.params[i]); k++)
        {
            /* the first one left of this family */
        }

        used[k] = 1;
        places[k] = (uint16_t) at;

        generate_add(&shuffled, pieces[k].data, pieces[k].len);

        if (at + 1 < n) {
            generate_byte(&shuffled, '&');
        }
    }

    generate_run(&shuffled, '&', (n > 0 || empty == 0) ? empty : empty - 1);
}


static void
check_shuffled(uint32_t *bad, case_t *c, const uint8_t *args, size_t len)
{
    int     ok;
    size_t  i;

    if (model.nparams < 2
        || (model.nparams > LARGE && !dice_once_in(&c->dice, 8)))
    {
        return;
    }

    shuffle(&c->dice, args, len);

    normalize(&moved, c, shuffled.data, shuffled.len, c->sort, 0xee, bad);

    if (c->sort) {
        expect(bad, P_SHUFFLED, moved.res.guard == MIQPS_GUARD_PASS
                                && miqps_str_eq(&moved.res.args,
                                                &first.res.args));
    }

    ok = (moved.res.nparams == first.res.nparams
          && moved.res.nstripped == first.res.nstripped);

    for (i = 0; ok && i < first.res.nparams; i++) {
        ok = model.gave_up
             ? first.work.params[i].action
               == moved.work.params[places[i]].action
             : same_verdict(&first.work.params[i],
                            &moved.work.params[places[i]]);
    }

    expect(bad, P_UNMOVED, ok);
}


/* whether "planned" came to what "run" did */

static void
check_planned(uint32_t *bad, const run_t *run)
{
    expect(bad, P_PLAN, planned.res.guard == run->res.guard
                        && planned.res.nparams == run->res.nparams
                        && planned.res.nstripped == run->res.nstripped
                        && planned.res.changed == run->res.changed
                        && miqps_str_eq(&planned.res.args, &run->res.args));
}


/*
 * The query takes whatever plan is there, or leaves one; then it takes its
 * own, and so does one with the same names and other values.
 */

static void
check_plan(uint32_t *bad, case_t *c, const uint8_t *args, size_t len)
{
    int     value;
    size_t  i;

    normalize(&planned, c, args, len, c->sort, 0xaa, bad);
    check_planned(bad, &first);

    normalize(&planned, c, args, len, c->sort, 0x55, bad);
    check_planned(bad, &first);

    other.len = 0;
    value = 0;

    for (i = 0; i < len; i++) {
        value = (args[i] == '=') || (value && args[i] != '&');

        generate_byte(&other, (value && args[i] >= '0' && args[i] < '9')
                              ? (uint8_t) (args[i] + 1) : args[i]);
    }

    normalize(&moved, c, other.data, other.len, c->sort, 0x11, bad);
    normalize(&planned, c, other.data, other.len, c->sort, 0x22, bad);
    check_planned(bad, &moved);
}


static void
check_space(uint32_t *bad, const case_t *c, size_t len)
{
    miqps_rc_e       rc;
    miqps_request_t  req;

    static miqps_result_t  garbage;

    if (len == 0) {
        return;
    }

    memset(&garbage, 0x3c, sizeof(garbage));
    moved.res = garbage;

    memset(&req, 0, sizeof(req));

    req.host = c->host;
    req.path = c->path;
    req.args.data = first.args;
    req.args.len = len;

    rc = miqps_normalize(c->policy->policy, &req, &moved.work, moved.buf,
                         miqps_normalize_bound(len) - 1, &moved.res);

    expect(bad, P_SPACE, rc == MIQPS_NO_SPACE
                         && memcmp(&moved.res, &garbage, sizeof(garbage))
                            == 0);
}


/* --- one query, and many */

static void
normalize(run_t *run, const case_t *c, const uint8_t *args, size_t len,
    int sort, int garbage, uint32_t *bad)
{
    size_t           i, n, size;
    miqps_rc_e       rc;
    miqps_request_t  req;

    size = miqps_normalize_bound(len);

    run->args = page_put(&run->in, args, len);
    run->buf = page_tail(&run->out, size);

    memset(run->buf - BEFORE, WATCH, BEFORE);
    memset(run->buf, garbage, size);

    for (i = 0, n = 2; i < len; i++) {
        n += (args[i] == '&');
    }

    n = (n < MIQPS_MAX_PARAMS) ? n : MIQPS_MAX_PARAMS;

    memset(run->work.params, garbage, n * sizeof(run->work.params[0]));
    memset(run->work.order, garbage, n * sizeof(run->work.order[0]));
    memset(run->work.spare, garbage, n * sizeof(run->work.spare[0]));
    memset(run->work.active, garbage, sizeof(run->work.active));
    memset(&run->res, garbage, sizeof(run->res));
    memset(&req, garbage, sizeof(req));

    req.host = c->host;
    req.path = c->path;
    req.args.data = run->args;
    req.args.len = len;
    req.plans = (run == &planned) ? &plans : NULL;
    req.image = NULL;
    req.sort = (sort != 0);

    rc = miqps_normalize(c->policy->policy, &req, &run->work, run->buf, size,
                         &run->res);

    for (i = 0; i < BEFORE && run->buf[(ptrdiff_t) i - BEFORE] == WATCH; i++) {
        /* void */
    }

    expect(bad, P_MEMORY, rc == MIQPS_OK && i == BEFORE
                          && model_equal(run->args, len, args, len));
}


/* the bits of the properties that do not hold */

static uint32_t
check(case_t *c, const uint8_t *args, size_t len)
{
    uint32_t     bad;
    miqps_str_t  str;

    bad = 0;
    dice_init(&c->dice, c->seed ^ 0x517, c->index);

    str.data = args;
    str.len = len;

    normalize(&first, c, args, len, c->sort, 0x00, &bad);
    normalize(&again, c, args, len, c->sort, 0xff, &bad);

    model_run(&model, &c->policy->model, generate_regexes, &c->host, &c->path,
              &str, c->sort);

    check_scratch(&bad);
    check_opaque(&bad, len);
    check_twice(&bad, c);
    check_plan(&bad, c, args, len);

    if (dice_once_in(&c->dice, 16)) {
        check_space(&bad, c, len);
    }

    if (first.res.guard != MIQPS_GUARD_PASS || model.reasons != 0) {
        return bad;
    }

    check_values(&bad);
    check_bytes(&bad, len);
    check_counts(&bad, len);
    check_model(&bad, c);

    if (first.res.nparams == model.nparams) {
        check_order(&bad, c);
        check_families(&bad);
        check_shuffled(&bad, c, args, len);
    }

    return bad;
}


/* --- reports */

static void
print_bytes(const char *what, const uint8_t *s, size_t len)
{
    size_t  i;

    printf("# %s \"", what);

    for (i = 0; i < len; i++) {

        if (s[i] == '"' || s[i] == '\\' || s[i] == '?') {
            printf("\\%c", s[i]);

        } else if (s[i] < ' ' || s[i] > '~') {
            printf("\\%03o", s[i]);

        } else {
            putchar(s[i]);
        }
    }

    printf("\" (%zu bytes)\n", len);
}


static void
print_rules(const generate_policy_t *p)
{
    size_t                i;
    const miqps_rule_t   *rule;
    const miqps_scope_t  *scope;

    static const char *const  actions[] = { "keep", "strip", "except" };

    for (i = 0; i < p->nrules; i++) {
        rule = &p->rules[i];

        printf("# rule %s %s scope %u: %s\n",
               miqps_layer_name(rule->layer), actions[rule->action],
               (unsigned) rule->scope, (const char *) rule->text.data);
    }

    for (i = 0; i < p->nscopes && i < 8; i++) {
        scope = &p->scopes[i];

        printf("# scope %zu:%s%s host %s path %s platforms %u\n", i,
               scope->platform ? " platform" : "",
               scope->strict ? " strict" : "",
               scope->nhosts ? (const char *) scope->hosts[0].data : "-",
               scope->npaths ? (const char *) scope->paths[0].data : "-",
               (unsigned) scope->nplatforms);
    }
}


/* takes pieces out of the query as long as the property does not hold */

static void
shrink(case_t *c, property_e property)
{
    size_t  at, cut, len;

    smaller = query;

    for (cut = smaller.len; cut > 0; cut /= 2) {

        for (at = 0; at + cut <= smaller.len; /* void */ ) {
            len = smaller.len - cut;

            memcpy(query.data, smaller.data, at);
            memcpy(query.data + at, smaller.data + at + cut, len - at);

            if (check(c, query.data, len) >> property & 1) {
                memcpy(smaller.data, query.data, len);
                smaller.len = len;
                continue;
            }

            at += cut;
        }
    }

    query = smaller;
}


static void
complain(case_t *c, property_e property)
{
    printf("# broken: %s\n", properties[property].sentence);
    printf("# --seed %llu --first %llu --count 1, sort %s\n",
           (unsigned long long) c->seed, (unsigned long long) c->index,
           c->sort ? "on" : "off");
    print_bytes("host", c->host.data, c->host.len);
    print_bytes("path", c->path.data, c->path.len);
    print_rules(c->policy);
    print_bytes("query", query.data, query.len);

    smaller = query;
    shrink(c, property);

    (void) check(c, query.data, query.len);

    print_bytes("shrunk to", query.data, query.len);
    print_bytes("result", first.res.args.data, first.res.args.len);
    print_bytes("model", model.out, (model.reasons == 0) ? model.out_len : 0);
    printf("# guard %s, the model's reasons %#x\n",
           miqps_guard_name(first.res.guard), (unsigned) model.reasons);
    fflush(stdout);
}


static void
last_words(int sig)
{
    (void) signal(sig, SIG_DFL);

    printf("Bail out! signal %d at --seed %llu --first %llu --count 1\n", sig,
           (unsigned long long) current->seed,
           (unsigned long long) current->index);
    print_bytes("query", query.data, query.len);
    fflush(stdout);

    (void) raise(sig);
}


static void
one_case(case_t *c, uint64_t index)
{
    dice_t      dice;
    uint32_t    bad;
    property_e  property;

    static generate_query_t  whole;

    dice_init(&dice, c->seed, index);

    c->index = index;
    c->sort = (int) dice_below(&dice, 2);
    generate_str(&c->host, generate_pick(&dice, generate_hosts));
    generate_path(&dice, &c->path);

    generate_query(&dice, &query);

    bad = check(c, query.data, query.len);

    if (bad == 0) {
        return;
    }

    whole.len = query.len;
    memcpy(whole.data, query.data, query.len);

    for (property = 0; property < P_MAX; property++) {
        if (bad >> property & 1 && properties[property].failed++ == 0) {
            query.len = whole.len;
            memcpy(query.data, whole.data, whole.len);
            complain(c, property);
        }
    }
}


static void
count_case(void)
{
    size_t  i;

    guards[first.res.guard]++;

    for (i = 0; i < first.res.nparams; i++) {
        whys[first.work.params[i].why]++;
    }
}


/* whether a long run met everything there is */

static int
met_all(uint64_t count)
{
    int     ok;
    size_t  i;

    ok = 1;

    for (i = 0; i < MIQPS_GUARD_MAX; i++) {
        printf("# %10llu queries: %s\n", (unsigned long long) guards[i],
               miqps_guard_name((miqps_guard_e) i));
        ok = ok && guards[i] > 0;
    }

    for (i = 0; i < MIQPS_WHY_MAX; i++) {

        /* there is no map here */

        if (i >= MIQPS_WHY_OPAQUE) {
            continue;
        }

        printf("# %10llu parameters: %s\n", (unsigned long long) whys[i],
               miqps_why_text((miqps_why_e) i));
        ok = ok && whys[i] > 0;
    }

    return ok || count < ENOUGH;
}


static int
summary(uint64_t count, double seconds)
{
    int     ok, all;
    size_t  i;

    all = 1;
    printf("1..%d\n", P_MAX + 1);

    for (i = 0; i < P_MAX; i++) {
        ok = (properties[i].failed == 0
              && (properties[i].checked > 0 || count < ENOUGH));
        all = all && ok;

        printf("%s %zu - %s\n", ok ? "ok" : "not ok", i + 1,
               properties[i].sentence);
        printf("# checked %llu times, broken %llu times\n",
               (unsigned long long) properties[i].checked,
               (unsigned long long) properties[i].failed);
    }

    ok = met_all(count);

    printf("%s %d - every reason and every verdict came up\n",
           ok ? "ok" : "not ok", P_MAX + 1);

    printf("# %llu queries, %llu opaque, %.1f s, %.0f a second\n",
           (unsigned long long) count,
           (unsigned long long) (count - guards[MIQPS_GUARD_PASS]), seconds,
           (double) count / (seconds > 0 ? seconds : 1));

    return all && ok;
}


static void
run_init(run_t *run)
{
    page_init(&run->in, GENERATE_MAX_LEN);
    page_init(&run->out, BEFORE + miqps_normalize_bound(GENERATE_MAX_LEN));
}


static uint64_t
number(const char *s)
{
    char      *end;
    uint64_t   n;

    n = strtoull(s, &end, 10);

    if (end == s || *end != '\0') {
        fprintf(stderr, "properties: \"%s\" is not a number\n", s);
        exit(2);
    }

    return n;
}


int
main(int argc, char **argv)
{
    int          i;
    case_t       c;
    double       start;
    dice_t       dice;
    uint64_t     count, from, n;
    const char  *level;

    static generate_policy_t  policy;

    level = getenv("TEST_LEVEL");
    count = (level != NULL && strcmp(level, "fuzz") == 0) ? 10000000 : 1000000;
    from = 0;

    memset(&c, 0, sizeof(c));
    c.seed = 1;
    c.policy = &policy;

    for (i = 1; i + 1 < argc; i += 2) {

        if (strcmp(argv[i], "--count") == 0) {
            count = number(argv[i + 1]);

        } else if (strcmp(argv[i], "--seed") == 0) {
            c.seed = number(argv[i + 1]);

        } else if (strcmp(argv[i], "--first") == 0) {
            from = number(argv[i + 1]);

        } else {
            break;
        }
    }

    if (i < argc) {
        fprintf(stderr, "usage: properties [--count N] [--seed S] "
                "[--first I]\n");
        return 2;
    }

    run_init(&first);
    run_init(&again);
    run_init(&twice);
    run_init(&moved);
    run_init(&planned);

    moved.buf = page_tail(&moved.out, 0);
    current = &c;

    (void) signal(SIGSEGV, last_words);
    (void) signal(SIGBUS, last_words);
    (void) signal(SIGFPE, last_words);
    (void) signal(SIGABRT, last_words);

    start = (double) clock() / CLOCKS_PER_SEC;

    for (n = from; n < from + count; n++) {

        if (n == from || n % QUERIES_PER_POLICY == 0) {

            if (n != from) {
                generate_policy_release(&policy);
                memset(&plans, 0, sizeof(plans));
            }

            dice_init(&dice, ~c.seed, n / QUERIES_PER_POLICY);
            generate_policy(&dice, &policy);
        }

        one_case(&c, n);
        count_case();
    }

    generate_policy_release(&policy);

    return summary(count, (double) clock() / CLOCKS_PER_SEC - start) ? 0 : 1;
}
