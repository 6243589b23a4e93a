
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/heap.h"
#include "../support/dice.h"
#include "../support/model.h"
#include "../support/generate.h"
#include "../support/atlas.h"
#include "../support/mapped.h"
#include "miqps_normalize.h"


/*
 * Queries by chance, under policies by chance, with a map by chance.  What
 * comes out must be what a model says that has read the rules and the map and
 * knows neither policies nor images: it does one step, by the precedence of
 * the layers, writes the result down, and does the same with what it wrote,
 * until that is the same.
 */

#define QUERIES  50              /* of a map and a policy */
#define MAX_LEN  2048


typedef enum {
    P_MODEL = 0,
    P_TWICE,
    P_BYTES,
    P_LAYERS,
    P_MATTERS,
    P_FAMILIES,
    P_DEFAULTS,
    P_CLIENT,
    P_OPAQUE,
    P_UNMAPPED,
    P_PLANS,
    P_SHUFFLED,
    P_MAX
} property_e;


static const char *const  properties[P_MAX] = {
    "the result is what the model says",
    "normalizing twice changes nothing more",
    "what is kept has its bytes",
    "operator and keeps of rules win against the map",
    "what the map keeps goes by no list",
    "families go or stay as a whole",
    "no default is stripped from a name that repeats",
    "what only scripts read stays where it is shown",
    "an opaque query is left alone",
    "a host that is not in the map is as without one",
    "plans change nothing",
    "the order of unrelated parameters does not matter"
};


/* what has to happen for a property to mean something */

typedef enum {
    MET_STRIP = 0,
    MET_KEEP,
    MET_SAVED,
    MET_AGAIN,
    MET_THIRD,
    MET_ELSEWHERE,
    MET_CLIENT_KEPT,
    MET_CLIENT,
    MET_DEFAULT,
    MET_OPERATOR_KEEP,
    MET_OPERATOR_STRIP,
    MET_RULES_KEEP,
    MET_MIXED,
    MET_OPAQUE,
    MET_UNMAPPED,
    MET_SHUFFLED,
    MET_PLAN,
    MET_MAX
} met_e;


static const char *const  meetings[MET_MAX] = {
    "stripped by the map", "kept by the map", "kept against another strip",
    "strips twice", "strips a third time",
    "kept against a strip, for it matters with other names",
    "kept for a script", "stripped, though for a script", "a default",
    "kept by the operator against the map",
    "stripped by the operator against the map",
    "kept by a rule against the map", "a family that stays", "opaque",
    "not in the map", "shuffled", "a plan for what is in the map"
};


typedef struct {
    generate_policy_t  *policy;
    const atlas_t      *atlas;
    miqps_image_t      *image;
    atlas_query_t       query;
    miqps_str_t         host;
    miqps_str_t         path;
    int                 sort;
    int                 shown;
    size_t              len;
    uint8_t             args[MAX_LEN];
} case_t;


/* what came out, and what the model says */

typedef struct {
    miqps_result_t      res;
    miqps_work_t        work;
    uint8_t             buf[8 * MAX_LEN];
} run_t;


typedef struct {
    int                 opaque;
    size_t              nparams;
    size_t              nstripped;
    size_t              rounds;
    size_t              len;
    uint8_t             out[MODEL_MAX_LEN];
} want_t;


static run_t          first, second, third;
static model_t        given;            /* the model of what was asked ... */
static model_t        model;            /* ... and of what is left of it */
static want_t         want;
static miqps_plans_t  plans;

static size_t         failed[P_MAX];
static size_t         met[MET_MAX];


/* --- the model */

/* the names and values that are left, as the atlas knows them */

static void
model_query(const model_t *m, const case_t *c, atlas_query_t *q)
{
    size_t                i, k;
    const model_param_t  *param;

    q->host = c->query.host;
    q->path = c->query.path;
    q->n = m->nparams;

    for (i = 0; i < m->nparams; i++) {
        param = &m->params[i];
        q->params[i].name = -1;
        q->params[i].value = NULL;

        for (k = 0; k < atlas_count(atlas_names); k++) {
            if (model_equal(param->name, param->name_len,
                            (const uint8_t *) atlas_names[k],
                            strlen(atlas_names[k])))
            {
                q->params[i].name = (int) k;
            }
        }

        for (k = 0; k < atlas_count(atlas_values); k++) {
            if (param->len > param->name_len
                && model_equal(param->value, param->value_len,
                               (const uint8_t *) atlas_values[k],
                               strlen(atlas_values[k])))
            {
                q->params[i].value = atlas_values[k];
            }
        }
    }
}


/* the map's word, where nobody stronger has spoken */

static void
model_learned(const case_t *c, model_param_t *param, int letter)
{
    if (param->rank == MODEL_OPERATOR_KEEP
        || param->rank == MODEL_OPERATOR_STRIP || param->rank == MODEL_KEEP)
    {
        return;
    }

    param->rank = -1;
    param->wish = (letter == 'K' || (letter == 'C' && c->shown)) ? MIQPS_KEEP
                                                                 : MIQPS_STRIP;
}


/*
 * Whether a name matters to a pattern of the host; or looks as if, since the
 * image has only the end of its hash.
 */

static int
model_matters(const case_t *c, const model_param_t *param)
{
    size_t               i, k;
    uint64_t             own;
    const atlas_host_t  *host;

    host = atlas_host(c->atlas, c->query.host);
    own = miqps_image_hash_name(c->image->seed, param->name, param->name_len);

    for (i = 0; host != NULL && i < host->npatterns; i++) {
        for (k = 0; k < atlas_count(atlas_names); k++) {
            if (((host->patterns[i].keep | host->patterns[i].client)
                 & 1u << k)
                && ((own ^ miqps_image_hash_name(c->image->seed,
                                         (const uint8_t *) atlas_names[k],
                                         strlen(atlas_names[k])))
                    & 0xffff) == 0)
            {
                return 1;
            }
        }
    }

    return 0;
}


/* names that the map has not got together: what matters goes by no list */

static void
model_elsewhere(const case_t *c, model_param_t *param)
{
    if (param->wish == MIQPS_STRIP && param->rank != MODEL_OPERATOR_STRIP
        && model_matters(c, param))
    {
        param->rank = -1;
        param->wish = MIQPS_KEEP;
    }
}


/* one step; false if the query may not be touched */

static int
model_step(model_t *m, const case_t *c, const miqps_str_t *args)
{
    char            said[ATLAS_MAX_PARAMS + 4], *letter;
    size_t          i;
    model_param_t  *param;
    atlas_query_t   query;

    model_run(m, &c->policy->model, generate_regexes, &c->host, &c->path, args,
              0);

    if (m->reasons != 0) {
        return 0;
    }

    model_query(m, c, &query);
    atlas_look(c->atlas, &query, said);

    letter = said + (said[0] == '~');

    for (i = 0; i < m->nparams && !m->gave_up; i++) {
        if (*letter != '-') {
            model_learned(c, &m->params[i], letter[i]);

        } else {
            model_elsewhere(c, &m->params[i]);
        }
    }

    m->nstripped = 0;

    for (i = 0; i < m->nparams; i++) {
        param = &m->params[i];
        param->action = model_settle(m, param);
        m->nstripped += (param->action == MIQPS_STRIP);
    }

    if (c->sort) {
        model_sort(m);
    }

    model_emit(m);

    return 1;
}


static void
model_all(const case_t *c)
{
    miqps_str_t     args;
    const model_t  *m;

    args.data = c->args;
    args.len = c->len;

    want.opaque = !model_step(&given, c, &args);
    want.rounds = 0;
    want.nparams = 0;
    want.nstripped = 0;

    if (want.opaque) {
        want.len = c->len;
        memcpy(want.out, c->args, c->len);
        return;
    }

    want.nparams = given.nparams;

    for (m = &given; /* void */ ; m = &model) {
        want.nstripped += m->nstripped;
        want.len = m->out_len;
        memcpy(want.out, m->out, m->out_len);

        args.data = want.out;
        args.len = want.len;

        if (m->nstripped == 0 || !model_step(&model, c, &args)) {
            break;
        }

        want.rounds++;
    }
}


/* --- properties */

static void
normalize(run_t *run, const case_t *c, const miqps_image_t *image,
    const uint8_t *args, size_t len, int planned)
{
    miqps_request_t  req;

    memset(&req, 0, sizeof(req));

    req.host = c->host;
    req.path = c->path;
    req.args.data = args;
    req.args.len = len;
    req.plans = planned ? &plans : NULL;
    req.image = image;
    req.sort = (c->sort != 0);
    req.shown = (c->shown != 0);

    if (miqps_normalize(c->policy->policy, &req, &run->work, run->buf,
                        sizeof(run->buf), &run->res) != MIQPS_OK)
    {
        printf("Bail out! no space\n");
        exit(1);
    }
}


static int
same(const run_t *a, const run_t *b)
{
    return a->res.guard == b->res.guard && a->res.nparams == b->res.nparams
           && a->res.nstripped == b->res.nstripped
           && a->res.changed == b->res.changed
           && miqps_str_eq(&a->res.args, &b->res.args);
}


static int
holds_model(const case_t *c)
{
    return (first.res.guard != MIQPS_GUARD_PASS) == want.opaque
           && first.res.nparams == want.nparams
           && first.res.nstripped == want.nstripped
           && model_equal(first.res.args.data, first.res.args.len, want.out,
                          want.len)
           && (first.res.mapped != 0)
              == (!want.opaque && c->len > 0
                  && atlas_host(c->atlas, c->query.host) != NULL);
}


static int
holds_twice(const case_t *c)
{
    static uint8_t  args[MAX_LEN];

    if (first.res.args.len > sizeof(args)) {
        return 0;
    }

    memcpy(args, first.res.args.data, first.res.args.len);
    normalize(&second, c, c->image, args, first.res.args.len, 0);

    return !second.res.changed && second.res.nstripped == 0;
}


/* each one that is kept, byte for byte, somewhere between ampersands */

static int
holds_bytes(void)
{
    size_t                i, len, total, kept;
    const uint8_t        *p, *out, *last;
    const model_param_t  *param;

    out = first.res.args.data;
    last = out + first.res.args.len;
    total = 0;
    kept = 0;

    for (i = 0; i < first.res.nparams; i++) {
        param = &given.params[i];
        len = param->len;

        if (!model_equal(first.work.params[i].name, first.work.params[i].len,
                         param->name, len))
        {
            return 0;
        }

        if (first.work.params[i].action == MIQPS_STRIP) {
            continue;
        }

        for (p = out; p < last; p++) {
            if ((size_t) (last - p) >= len && memcmp(p, param->name, len) == 0
                && (p == out || p[-1] == '&')
                && (p + len == last || p[len] == '&'))
            {
                break;
            }
        }

        if (p == last) {
            return 0;
        }

        kept++;
        total += len + 1;
    }

    return total - (kept > 0) == first.res.args.len
           || (kept == 1 && total == first.res.args.len);
}


static int
right_layer(const miqps_param_t *param, int rank, int mapped)
{
    switch (rank) {

    case MODEL_OPERATOR_KEEP:
        return param->action == MIQPS_KEEP
               && param->layer == MIQPS_LAYER_OPERATOR;

    case MODEL_OPERATOR_STRIP:
        return (param->action == MIQPS_STRIP)
               ? param->layer == MIQPS_LAYER_OPERATOR
               : param->layer == MIQPS_LAYER_GUARD;

    case MODEL_KEEP:
        return param->action == MIQPS_KEEP
               && param->layer != MIQPS_LAYER_MAP;

    default:
        return param->layer != MIQPS_LAYER_MAP
               || (mapped && param->rule == NULL
                   && (first.res.entry.host != NULL
                       || param->why == MIQPS_WHY_ELSEWHERE));
    }
}


static int
holds_layers(void)
{
    size_t  i;

    for (i = 0; i < first.res.nparams; i++) {
        if (!right_layer(&first.work.params[i], given.params[i].rank,
                         first.res.mapped))
        {
            return 0;
        }
    }

    return 1;
}


/* the map may know better when it knows what is left, but nobody else may */

static int
holds_matters(const case_t *c)
{
    char            said[ATLAS_MAX_PARAMS + 4], *letter;
    size_t          i;
    miqps_param_t  *param;
    atlas_query_t   query;

    model_query(&given, c, &query);
    atlas_look(c->atlas, &query, said);

    letter = said + (said[0] == '~');

    for (i = 0; i < first.res.nparams && *letter != '-'; i++) {
        param = &first.work.params[i];

        if (letter[i] == 'K' && param->action == MIQPS_STRIP
            && param->layer != MIQPS_LAYER_MAP
            && param->layer != MIQPS_LAYER_OPERATOR)
        {
            return 0;
        }
    }

    return 1;
}


static int
holds_families(void)
{
    size_t  i, k;

    for (i = 0; i < first.res.nparams; i++) {
        for (k = 0; k < i; k++) {
            if (model_same_family(&given.params[i], &given.params[k])
                && first.work.params[i].action != first.work.params[k].action)
            {
                return 0;
            }
        }
    }

    return 1;
}


static int
holds_defaults(void)
{
    size_t                i, k;
    const miqps_param_t  *params;

    params = first.work.params;

    for (i = 0; i < first.res.nparams; i++) {

        if (params[i].why != MIQPS_WHY_DEFAULT) {
            continue;
        }

        for (k = 0; k < first.res.nparams; k++) {
            if (k != i && model_equal(params[i].name, params[i].name_len,
                                      params[k].name, params[k].name_len))
            {
                return 0;
            }
        }
    }

    return 1;
}


static int
holds_client(const case_t *c)
{
    size_t                i;
    const miqps_param_t  *param;

    for (i = 0; i < first.res.nparams; i++) {
        param = &first.work.params[i];

        if (param->why == MIQPS_WHY_CLIENT
            && param->action != (c->shown ? MIQPS_KEEP : MIQPS_STRIP))
        {
            return 0;
        }
    }

    return 1;
}


static int
holds_opaque(const case_t *c)
{
    return first.res.guard == MIQPS_GUARD_PASS
           || (first.res.args.data == c->args && first.res.args.len == c->len
               && !first.res.changed && first.res.nparams == 0);
}


static int
holds_unmapped(const case_t *c)
{
    int  ok;

    if (atlas_host(c->atlas, c->query.host) != NULL) {
        return 1;
    }

    met[MET_UNMAPPED]++;

    normalize(&second, c, NULL, c->args, c->len, 0);
    ok = same(&first, &second);

    normalize(&second, c, NULL, c->args, c->len, 1);

    return ok && same(&first, &second);
}


/* what a plan has to say of each parameter is what was found out without */

static int
same_verdicts(const run_t *a, const run_t *b)
{
    size_t  i;

    if (a->res.known != b->res.known || a->res.mapped != b->res.mapped
        || memcmp(&a->res.strips, &b->res.strips, sizeof(miqps_strips_t)) != 0)
    {
        return 0;
    }

    for (i = 0; i < a->res.nparams && b->res.verdicts != NULL; i++) {
        if (miqps_param_verdict(&a->work.params[i]) != b->res.verdicts[i]) {
            return 0;
        }
    }

    met[MET_PLAN] += (b->res.verdicts != NULL && b->res.known);

    return 1;
}


/* the same names elsewhere, with other values */

static void
elsewhere(const case_t *c, dice_t *dice, case_t *other)
{
    size_t                i;
    const char           *value;
    const model_param_t  *param;

    *other = *c;
    other->query.path = atlas_pick(dice, atlas_paths);
    other->path.data = (const uint8_t *) other->query.path;
    other->path.len = strlen(other->query.path);
    other->len = 0;

    for (i = 0; i < given.nparams; i++) {
        param = &given.params[i];
        value = atlas_pick(dice, atlas_values);

        other->len += (size_t) snprintf((char *) other->args + other->len,
                            MAX_LEN - other->len, "%s%.*s%s%s",
                            (i > 0) ? "&" : "", (int) param->name_len,
                            (const char *) param->name,
                            (param->len > param->name_len) ? "=" : "",
                            (param->len > param->name_len) ? value : "");
    }
}


/*
 * One that leaves a plan, or takes one, and one that takes it; then one with
 * other values and another path that may take it.
 */

static int
holds_plans(const case_t *c, dice_t *dice)
{
    int            ok;
    static case_t  other;

    normalize(&second, c, c->image, c->args, c->len, 1);
    ok = same(&first, &second);

    normalize(&second, c, c->image, c->args, c->len, 1);
    ok = ok && same(&first, &second) && same_verdicts(&first, &second);

    if (want.opaque) {
        return ok;
    }

    elsewhere(c, dice, &other);

    normalize(&second, &other, c->image, other.args, other.len, 1);
    normalize(&third, &other, c->image, other.args, other.len, 0);

    return ok && same(&third, &second) && same_verdicts(&third, &second);
}


/* neighbours of different families change places, now and then */

static int
holds_shuffled(const case_t *c, dice_t *dice)
{
    size_t                 i, k, n, len, swap;
    size_t                 order[ATLAS_MAX_PARAMS];
    const model_param_t   *param;
    static uint8_t         args[MAX_LEN];

    n = given.nparams;

    if (!c->sort || want.opaque || n < 2) {
        return 1;
    }

    for (i = 0; i < n; i++) {
        order[i] = i;
    }

    for (i = 0; i < 3 * n; i++) {
        k = dice_below(dice, n - 1);

        if (!model_same_family(&given.params[order[k]],
                               &given.params[order[k + 1]]))
        {
            swap = order[k];
            order[k] = order[k + 1];
            order[k + 1] = swap;
            met[MET_SHUFFLED]++;
        }
    }

    len = 0;

    for (i = 0; i < n; i++) {
        param = &given.params[order[i]];
        memcpy(args + len, param->name, param->len);
        len += param->len;
        args[len++] = '&';
    }

    normalize(&second, c, c->image, args, len, 0);

    return second.res.guard == MIQPS_GUARD_PASS
           && miqps_str_eq(&first.res.args, &second.res.args);
}


/* --- counts */

static void
count_param(const miqps_param_t *param, const model_param_t *own, int letter)
{
    if (param->layer == MIQPS_LAYER_MAP) {
        met[param->action == MIQPS_STRIP ? MET_STRIP : MET_KEEP]++;
        met[MET_SAVED] += (param->action == MIQPS_KEEP
                           && own->hits[MODEL_STRIP] != 0);
        met[MET_DEFAULT] += (param->why == MIQPS_WHY_DEFAULT);
        met[MET_ELSEWHERE] += (param->why == MIQPS_WHY_ELSEWHERE);

        if (param->why == MIQPS_WHY_CLIENT) {
            met[param->action == MIQPS_KEEP ? MET_CLIENT_KEPT : MET_CLIENT]++;
        }
    }

    met[MET_MIXED] += (param->layer == MIQPS_LAYER_GUARD);

    if (letter == 'S') {
        met[MET_OPERATOR_KEEP] += (own->rank == MODEL_OPERATOR_KEEP);
        met[MET_RULES_KEEP] += (own->rank == MODEL_KEEP);

    } else if (letter == 'K') {
        met[MET_OPERATOR_STRIP] += (own->rank == MODEL_OPERATOR_STRIP);
    }
}


static void
count_case(const case_t *c)
{
    char           said[ATLAS_MAX_PARAMS + 4], *letter;
    size_t         i;
    atlas_query_t  query;

    if (want.opaque) {
        met[MET_OPAQUE]++;
        return;
    }

    model_query(&given, c, &query);
    atlas_look(c->atlas, &query, said);

    letter = said + (said[0] == '~');

    for (i = 0; i < first.res.nparams; i++) {
        count_param(&first.work.params[i], &given.params[i],
                    (*letter == '-') ? '-' : letter[i]);
    }

    met[MET_AGAIN] += (want.rounds > 1);
    met[MET_THIRD] += (want.rounds > 2);
}


/* --- one case, and many */

static void
print_source(const char *source)
{
    size_t  len;

    for (/* void */ ; *source != '\0'; source += len + (source[len] != '\0')) {
        len = strcspn(source, "\n");
        printf("#   %.*s\n", (int) len, source);
    }
}


static void
complain(const case_t *c, property_e property, const char *source)
{
    size_t               i;
    const miqps_rule_t  *rule;

    if (failed[property] > 3) {
        return;
    }

    printf("# %s: %s%s%s%s\n", properties[property], c->query.host,
           c->query.path, c->sort ? " sort" : "", c->shown ? " shown" : "");
    printf("#   %.*s\n", (int) c->len, (const char *) c->args);
    printf("#   %.*s\n", (int) first.res.args.len,
           (const char *) first.res.args.data);
    printf("#   %.*s, says the model\n", (int) want.len,
           (const char *) want.out);

    for (i = 0; i < c->policy->nrules; i++) {
        rule = &c->policy->rules[i];
        printf("#   %s %.*s, by %s, scope %u\n",
               (rule->action == MIQPS_KEEP) ? "keep"
               : (rule->action == MIQPS_STRIP) ? "strip" : "except",
               (int) rule->text.len, (const char *) rule->text.data,
               miqps_layer_name(rule->layer), (unsigned) rule->scope);
    }

    print_source(source);
}


static void
check(const case_t *c, dice_t *dice, const char *source)
{
    int         ok[P_MAX];
    property_e  i;

    model_all(c);
    normalize(&first, c, c->image, c->args, c->len, 0);

    ok[P_MODEL] = holds_model(c);
    ok[P_TWICE] = holds_twice(c);
    ok[P_BYTES] = want.opaque || holds_bytes();
    ok[P_LAYERS] = want.opaque || holds_layers();
    ok[P_MATTERS] = want.opaque || given.gave_up || holds_matters(c);
    ok[P_FAMILIES] = holds_families();
    ok[P_DEFAULTS] = holds_defaults();
    ok[P_CLIENT] = holds_client(c);
    ok[P_OPAQUE] = holds_opaque(c);
    ok[P_UNMAPPED] = holds_unmapped(c);
    ok[P_PLANS] = holds_plans(c, dice);
    ok[P_SHUFFLED] = holds_shuffled(c, dice);

    for (i = 0; i < P_MAX; i++) {
        if (!ok[i]) {
            failed[i]++;
            complain(c, i, source);
        }
    }

    count_case(c);
}


/* the query with empty pieces and escapes; once in a while nobody's business */

static void
make_args(dice_t *dice, case_t *c)
{
    size_t       len;
    uint8_t     *args;
    const char  *p;

    args = c->args;
    len = 0;

    if (dice_once_in(dice, 16)) {
        args[len++] = '&';
    }

    for (p = c->query.text; *p != '\0'; p++) {

        if (*p == '%') {
            memcpy(args + len, p, 3);
            len += 3;
            p += 2;

        } else if (*p >= 'a' && *p <= 'z' && dice_once_in(dice, 64)) {
            len += (size_t) snprintf((char *) args + len, MAX_LEN - len,
                                     "%%%02x", (unsigned) *p);

        } else {
            args[len++] = (uint8_t) *p;

            if (*p == '&' && dice_once_in(dice, 32)) {
                args[len++] = '&';
            }
        }
    }

    if (dice_once_in(dice, 24)) {
        len += (size_t) snprintf((char *) args + len, MAX_LEN - len, "%s",
                                 dice_once_in(dice, 2)
                                 ? ";x" : "&X-Amz-Signature=0a1b");
    }

    c->len = len;
}


static void
many(dice_t *dice, case_t *c, const char *source)
{
    size_t  i;

    for (i = 0; i < QUERIES; i++) {
        atlas_make_query(dice, c->atlas, &c->query);
        make_args(dice, c);

        generate_str(&c->host, c->query.host);
        generate_str(&c->path, c->query.path);

        c->sort = dice_once_in(dice, 2);
        c->shown = dice_once_in(dice, 2);

        check(c, dice, source);
    }
}


static size_t
maps(void)
{
    const char  *level;

    level = getenv("TEST_LEVEL");

    return (level == NULL || strcmp(level, "check") == 0) ? 4000
           : (strcmp(level, "fuzz") == 0) ? 400000 : 40000;
}


static int
report(size_t n)
{
    size_t      bad, missed;
    met_e       m;
    property_e  i;

    bad = 0;

    for (i = 0; i < P_MAX; i++) {
        printf("%s %d - %s\n", failed[i] ? "not ok" : "ok", (int) i + 1,
               properties[i]);

        if (failed[i]) {
            printf("# %zu of %zu queries\n", failed[i], n * QUERIES);
            bad++;
        }
    }

    /* what never happened was not tested */

    missed = 0;

    for (m = 0; m < MET_MAX; m++) {
        printf("# %zu %s\n", met[m], meetings[m]);
        missed += (met[m] < n / 100);
    }

    printf("%s %d - all of it came about, in %zu queries\n1..%d\n",
           missed ? "not ok" : "ok", P_MAX + 1, n * QUERIES, P_MAX + 1);

    return bad > 0 || missed > 0;
}


int
main(void)
{
    char           *source;
    size_t          i, n, size;
    dice_t          dice;
    uint8_t        *data;
    const char     *why;
    miqps_image_t   image;

    static atlas_t            atlas;
    static case_t             c;
    static generate_policy_t  policy;

    n = maps();

    for (i = 0; i < n; i++) {
        dice_init(&dice, 12, i);
        atlas_make(&dice, &atlas);
        generate_policy(&dice, &policy);

        source = atlas_print(&atlas);
        data = mapped_image(source, &size);

        if (miqps_image_open(&image, data, size, &why) != MIQPS_OK) {
            printf("Bail out! %s\n", why);
            return 1;
        }

        image.serial = i + 1;

        c.policy = &policy;
        c.atlas = &atlas;
        c.image = &image;

        /* they are for one policy, and the next may be where this one was */

        memset(&plans, 0, sizeof(plans));

        many(&dice, &c, source);

        generate_policy_release(&policy);
        free(data);
        free(source);
    }

    return report(n);
}
