
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_policy_data.h"


/* what speaks for and against one parameter */

typedef struct {
    const miqps_policy_t   *policy;
    const uint32_t         *active;
    size_t                  nactive;
    const miqps_verdict_t  *none;        /* if nobody speaks */
    uint32_t                seen;        /* of the guard's marks, by all */
    unsigned                gave_up;     /* a regular expression did */

    uint64_t                key;         /* of the name */
    uint32_t                marks;
    unsigned                by_value;    /* its value has a say */
    unsigned                have;        /* bits of the ranks in best[] ... */
    unsigned                family;      /* ... and of those by the family */
    const miqps_verdict_t  *best[MIQPS_RANK_MAX];
} miqps_case_t;


static inline void  miqps_policy_plain(const miqps_policy_t *policy,
    const uint32_t *active, size_t nactive, const miqps_verdict_t *none,
    miqps_param_t *param);
static inline const miqps_verdict_t  *miqps_policy_stronger(
    const miqps_verdict_t *a, const miqps_verdict_t *b);
static miqps_noinline const miqps_verdict_t  *miqps_policy_by_key(
    const miqps_policy_t *policy, const miqps_param_t *param,
    const miqps_verdict_t *best);
static miqps_noinline miqps_guard_e  miqps_policy_again(
    const miqps_policy_t *policy, const uint32_t *active, size_t nactive,
    const miqps_verdict_t *none, miqps_param_t *params, size_t n,
    unsigned *gave_up);
static void  miqps_policy_full(miqps_case_t *c, miqps_param_t *param);
static void  miqps_policy_by_name(miqps_case_t *c, const miqps_param_t *param);
static void  miqps_policy_by_terms(miqps_case_t *c,
    const miqps_param_t *param, const miqps_term_t *term);
static const miqps_term_t  *miqps_policy_terms(const miqps_policy_t *policy,
    uint32_t scope, uint64_t place);
static int  miqps_policy_has_value(const miqps_param_t *param,
    const miqps_str_t *wanted);
static void  miqps_policy_by_family(miqps_case_t *c,
    const miqps_param_t *param);
static void  miqps_policy_by_inner(miqps_case_t *c,
    const miqps_param_t *param);
static void  miqps_policy_by_star(miqps_case_t *c, const miqps_param_t *param,
    const miqps_term_t *term);
static void  miqps_policy_by_glob(miqps_case_t *c, const miqps_param_t *param,
    const miqps_term_t *term);
static void  miqps_policy_by_regex(miqps_case_t *c,
    const miqps_param_t *param);
static void  miqps_policy_keep_all(miqps_param_t *params, size_t n);
static int  miqps_policy_active(const miqps_case_t *c, uint32_t scope);
static void  miqps_policy_note(miqps_case_t *c,
    const miqps_verdict_t *verdict);
static inline void  miqps_policy_verdict(miqps_param_t *param,
    const miqps_verdict_t *verdict);


miqps_guard_e
miqps_policy_scopes(const miqps_policy_t *policy, const miqps_str_t *host,
    const miqps_str_t *path, uint32_t *active, size_t *n,
    const miqps_scope_t **strict)
{
    /* the scratch of regular expressions is not part of the policy's value */

    return miqps_scope_find(&policy->scopes,
                            (miqps_regex_work_t *) &policy->work, host, path,
                            active, n, strict);
}


int
miqps_policy_pathless(const miqps_policy_t *policy)
{
    return policy->scopes.plain;
}


miqps_guard_e
miqps_policy_decide(const miqps_policy_t *policy, const uint32_t *active,
    size_t nactive, const miqps_scope_t *strict, miqps_param_t *params,
    size_t n, unsigned *gave_up)
{
    uint32_t          always, more;
    miqps_param_t    *param, *last;
    miqps_verdict_t   none;

    none = policy->nobody;

    if (strict != NULL) {
        none.rank = MIQPS_RANK_STRICT;
        none.action = MIQPS_STRIP;
        none.why = MIQPS_WHY_UNLISTED;
        none.layer = (strict == policy->scopes.scopes) ? MIQPS_LAYER_PLATFORM
                                                       : MIQPS_LAYER_RULES;
    }

    always = policy->some_regex | (policy->any_star != NULL);
    more = 0;
    last = params + n;

    for (param = params; param < last; param++) {
        param->more = param->special | always;
        param->strict = strict;

        miqps_policy_plain(policy, active, nactive, &none, param);

        more |= param->more;
    }

    *gave_up = 0;

    if (more == 0) {
        return MIQPS_GUARD_PASS;
    }

    return miqps_policy_again(policy, active, nactive, &none, params, n,
                              gave_up);
}


/* a map comes behind every other keep, and before every other strip */

void
miqps_policy_learned(miqps_param_t *param, miqps_learned_e learned, int shown)
{
    if (param->rank <= MIQPS_RANK_KEEP || learned == MIQPS_LEARNED_NOTHING
        || (learned == MIQPS_LEARNED_ELSEWHERE && param->action == MIQPS_KEEP))
    {
        return;
    }

    param->layer = MIQPS_LAYER_MAP;
    param->rule = NULL;
    param->action = MIQPS_STRIP;

    switch (learned) {

    case MIQPS_LEARNED_KEEP:
        param->action = MIQPS_KEEP;
        param->why = MIQPS_WHY_MATTERS;
        break;

    case MIQPS_LEARNED_ELSEWHERE:
        param->action = MIQPS_KEEP;
        param->why = MIQPS_WHY_ELSEWHERE;
        break;

    case MIQPS_LEARNED_CLIENT:
        param->action = shown ? MIQPS_KEEP : MIQPS_STRIP;
        param->why = MIQPS_WHY_CLIENT;
        break;

    case MIQPS_LEARNED_DEFAULT:
        param->why = MIQPS_WHY_DEFAULT;
        break;

    default: /* MIQPS_LEARNED_STRIP */
        param->why = MIQPS_WHY_NEUTRAL;
    }
}


/*
 * Decides a parameter by its name alone, which is enough for most; sets
 * param->more if it is not.
 */

static inline void
miqps_policy_plain(const miqps_policy_t *policy, const uint32_t *active,
    size_t nactive, const miqps_verdict_t *none, miqps_param_t *param)
{
    size_t                  i;
    uint32_t                more;
    uint64_t                rest, place;
    const miqps_name_t     *name;
    const miqps_filter_t   *filter;
    const miqps_verdict_t  *best, *scoped;

    best = none;
    more = param->more;

    filter = (none->rank == MIQPS_RANK_STRICT) ? &policy->strict
                                               : &policy->filter;

    if (miqps_filter_passes(filter, param->key)) {
        best = miqps_policy_by_key(policy, param, best);
        more |= best->more;
    }

    rest = miqps_family_rest_padded(param->name, param->name_len);
    place = miqps_policy_place(policy, param->name, param->name_len,
                               param->key, rest);

    name = &policy->names[place];
    more |= name->marks | name->any.verdict.more;
    best = miqps_policy_stronger(best, &name->any.verdict);

    for (i = 1; i < nactive; i++) {
        scoped = &miqps_policy_pair(policy, active[i], place)->entry.verdict;

        more |= scoped->more;
        best = miqps_policy_stronger(best, scoped);
    }

    param->more = more;

    miqps_policy_verdict(param, best);
}


/* decides those again for which the name was not enough */

static miqps_noinline miqps_guard_e
miqps_policy_again(const miqps_policy_t *policy, const uint32_t *active,
    size_t nactive, const miqps_verdict_t *none, miqps_param_t *params,
    size_t n, unsigned *gave_up)
{
    size_t        i;
    miqps_case_t  c;

    c.policy = policy;
    c.active = active;
    c.nactive = nactive;
    c.none = none;
    c.gave_up = 0;
    c.seen = 0;

    for (i = 0; i < n; i++) {
        if (params[i].more != 0) {
            miqps_policy_full(&c, &params[i]);
        }
    }

    if (c.gave_up) {
        miqps_policy_keep_all(params, n);
    }

    *gave_up = c.gave_up;

    return miqps_guard_judge(c.seen);
}


/* the first one, if they are equal; no branch, since nobody could foresee it */

static inline const miqps_verdict_t *
miqps_policy_stronger(const miqps_verdict_t *a, const miqps_verdict_t *b)
{
    uintptr_t  one, two, mask;

    one = (uintptr_t) a;
    two = (uintptr_t) b;
    mask = -(uintptr_t) (b->rank < a->rank);

    return (const miqps_verdict_t *) (one ^ ((one ^ two) & mask));
}


/*
 * Terms that have a star at their end and all of the rest in their key, so
 * that it takes no more to know that they match.  Those that take more end
 * it.
 */

static miqps_noinline const miqps_verdict_t *
miqps_policy_by_key(const miqps_policy_t *policy, const miqps_param_t *param,
    const miqps_verdict_t *best)
{
    const miqps_term_t  *star;

    for (star = policy->stars[param->key >> 56];
         star != NULL && !best->more;
         star = star->next)
    {
        if ((param->key & star->mask) == star->key
            && (star->verdict.rank < best->rank || star->marks != 0))
        {
            best = &star->verdict;
        }
    }

    return best;
}


/* decides a parameter by all there is */

static void
miqps_policy_full(miqps_case_t *c, miqps_param_t *param)
{
    unsigned      have, rank;
    miqps_str_t   value;

    c->have = miqps_rank_bit(c->none->rank);
    c->best[c->none->rank] = c->none;
    c->family = 0;
    c->marks = 0;
    c->by_value = 0;
    c->key = param->key;

    if (param->special) {
        c->key = miqps_family_key_padded(param->name, param->name_len);
    }

    miqps_policy_by_name(c, param);

    if (param->special) {
        miqps_policy_by_family(c, param);
    }

    /* nothing begins with the zero that an empty name seems to */

    miqps_policy_by_star(c, param, c->policy->stars[c->key >> 56]);
    miqps_policy_by_star(c, param, c->policy->any_star);

    if (c->key >> 56 != param->key >> 56) {

        /* the family begins otherwise: "_a" for "%2Ea" */

        miqps_policy_by_star(c, param, c->policy->stars[param->key >> 56]);
    }

    if (c->marks != 0) {
        value = miqps_param_value(param);
        miqps_guard_note(&c->seen, c->marks, &value);
        c->by_value = 1;
    }

    if (c->policy->some_regex) {
        miqps_policy_by_regex(c, param);
    }

    have = c->have;

    /* an exception takes something back, or it is none */

    if (!(have & miqps_rank_bit(MIQPS_RANK_STRIP))) {
        have &= ~miqps_rank_bit(MIQPS_RANK_EXCEPT);
    }

    rank = (unsigned) __builtin_ctz(have);

    miqps_policy_verdict(param, c->best[rank]);

    param->more = c->by_value ? MIQPS_MORE_VALUE : 0;

    if (rank == MIQPS_RANK_EXCEPT) {
        param->why = MIQPS_WHY_EXCEPTED;

    } else if (c->family & miqps_rank_bit(rank)) {
        param->why = MIQPS_WHY_FAMILY;
    }
}


/* terms with exactly this name, in any active scope */

static void
miqps_policy_by_name(miqps_case_t *c, const miqps_param_t *param)
{
    size_t    i;
    uint64_t  place;

    place = miqps_policy_place(c->policy, param->name, param->name_len,
                               c->key,
                               miqps_family_rest_padded(param->name,
                                                        param->name_len));

    c->marks = c->policy->names[place].marks;

    for (i = 0; i < c->nactive; i++) {
        miqps_policy_by_terms(c, param,
                              miqps_policy_terms(c->policy, c->active[i],
                                                 place));
    }
}


static void
miqps_policy_by_terms(miqps_case_t *c, const miqps_param_t *param,
    const miqps_term_t *term)
{
    for (/* void */ ; term != NULL; term = term->next) {

        if (term->verdict.why == MIQPS_WHY_VALUE) {
            c->by_value = 1;

            if (!miqps_policy_has_value(param, &term->value)) {
                continue;
            }
        }

        miqps_policy_note(c, &term->verdict);
    }
}


static int
miqps_policy_has_value(const miqps_param_t *param, const miqps_str_t *wanted)
{
    miqps_str_t  value;

    value = miqps_param_value(param);

    return param->len > param->name_len && miqps_str_eq(&value, wanted);
}


static const miqps_term_t *
miqps_policy_terms(const miqps_policy_t *policy, uint32_t scope,
    uint64_t place)
{
    if (scope == MIQPS_SCOPE_ANY) {
        return policy->names[place].any.terms;
    }

    return miqps_policy_pair(policy, scope, place)->entry.terms;
}


/* keeps and marks of the family, for names such as "a[]" and "a.b" */

static void
miqps_policy_by_family(miqps_case_t *c, const miqps_param_t *param)
{
    size_t               i;
    uint64_t             place;
    const miqps_term_t  *term;

    miqps_policy_by_inner(c, param);

    place = miqps_policy_place(c->policy, param->family, param->family_len,
                               param->key,
                               miqps_policy_rest(param->family,
                                                 param->family_len));

    c->marks |= c->policy->names[place].marks;

    for (i = 0; i < c->nactive; i++) {

        for (term = miqps_policy_terms(c->policy, c->active[i], place);
             term != NULL;
             term = term->next)
        {

            if (miqps_term_keeps(term)
                && !(c->have & miqps_rank_bit(term->verdict.rank)))
            {
                c->best[term->verdict.rank] = &term->verdict;
                c->have |= miqps_rank_bit(term->verdict.rank);
                c->family |= miqps_rank_bit(term->verdict.rank);
            }
        }
    }
}


/*
 * Marks of what the last brackets hold, which may be escaped: "password" of
 * "user[password]".
 */

static void
miqps_policy_by_inner(miqps_case_t *c, const miqps_param_t *param)
{
    size_t          len;
    uint64_t        place;
    const uint8_t  *p, *last, *inner;

    p = param->name;
    last = p + param->name_len;

    if (last - p >= 1 && last[-1] == ']') {
        last--;

    } else if (last - p >= 3 && memcmp(last - 3, "%5D", 3) == 0) {
        last -= 3;
    }

    inner = last;

    while (inner > p && inner[-1] != '['
           && !(inner - p >= 3 && memcmp(inner - 3, "%5B", 3) == 0))
    {
        inner--;
    }

    len = (size_t) (last - inner);
    place = miqps_policy_place(c->policy, inner, len,
                               miqps_family_key_padded(inner, len),
                               miqps_family_rest_padded(inner, len));

    c->marks |= c->policy->names[place].marks;
}


/* terms with a star, from one chain */

static void
miqps_policy_by_star(miqps_case_t *c, const miqps_param_t *param,
    const miqps_term_t *term)
{
    for (/* void */ ; term != NULL; term = term->next) {

        /* most end here: the first bytes are not those of the prefix */

        if ((c->key & term->mask) == term->key || param->special) {
            miqps_policy_by_glob(c, param, term);
        }
    }
}


static void
miqps_policy_by_glob(miqps_case_t *c, const miqps_param_t *param,
    const miqps_term_t *term)
{
    if (!miqps_glob_match(&term->glob, param->name, param->name_len)
        && !(param->special && term->verdict.rule != NULL
             && miqps_term_keeps(term)
             && miqps_glob_match(&term->glob, param->family,
                                 param->family_len)))
    {
        return;
    }

    if (!miqps_policy_active(c, term->scope)) {
        return;
    }

    c->marks |= term->marks;

    if (term->verdict.rule != NULL) {
        miqps_policy_note(c, &term->verdict);
    }
}


/*
 * Regular expressions, until one gives up: then none is run for the rest of
 * the query, so that the time is bounded, and all of the query is kept, so
 * that the order of parameters does not matter.
 */

static void
miqps_policy_by_regex(miqps_case_t *c, const miqps_param_t *param)
{
    size_t               i;
    miqps_str_t          name, family;
    miqps_regex_rc_e     rc;
    miqps_regex_work_t  *work;
    const miqps_term_t  *term;

    work = (miqps_regex_work_t *) &c->policy->work;

    name.data = param->name;
    name.len = param->name_len;
    family.data = param->family;
    family.len = param->family_len;

    for (i = 0; i < c->nactive; i++) {

        for (term = c->policy->regexes[c->active[i]];
             term != NULL && !c->gave_up;
             term = term->next)
        {
            if ((c->have & miqps_rank_bit(term->verdict.rank))
                && c->best[term->verdict.rank]->why != MIQPS_WHY_VALUE)
            {
                continue;
            }

            rc = miqps_regex_exec(&term->regex, work, &name);

            if (rc == MIQPS_REGEX_MISS && param->special
                && miqps_term_keeps(term))
            {
                rc = miqps_regex_exec(&term->regex, work, &family);
            }

            if (rc == MIQPS_REGEX_HIT) {
                miqps_policy_note(c, &term->verdict);
            }

            c->gave_up = (rc == MIQPS_REGEX_GAVE_UP);
        }
    }
}


static void
miqps_policy_keep_all(miqps_param_t *params, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (params[i].action == MIQPS_STRIP) {
            params[i].action = MIQPS_KEEP;
            params[i].layer = MIQPS_LAYER_GUARD;
            params[i].why = MIQPS_WHY_REGEX_FAILED;
        }
    }
}


static int
miqps_policy_active(const miqps_case_t *c, uint32_t scope)
{
    size_t  i;

    for (i = 0; i < c->nactive; i++) {
        if (c->active[i] == scope) {
            return 1;
        }
    }

    return 0;
}


/* what holds for any value is worth more than what does not */

static void
miqps_policy_note(miqps_case_t *c, const miqps_verdict_t *verdict)
{
    unsigned                 bit;
    const miqps_verdict_t  **best;

    best = &c->best[verdict->rank];
    bit = miqps_rank_bit(verdict->rank);

    if (!(c->have & bit)
        || ((*best)->why == MIQPS_WHY_VALUE && verdict->why != MIQPS_WHY_VALUE))
    {
        *best = verdict;
        c->have |= bit;
        c->family &= ~bit;
    }
}


static inline void
miqps_policy_verdict(miqps_param_t *param, const miqps_verdict_t *verdict)
{
    param->action = verdict->action;
    param->layer = verdict->layer;
    param->why = verdict->why;
    param->rank = verdict->rank;
    param->rule = verdict->rule;
}


uint64_t
miqps_policy_probe(const miqps_policy_t *policy, const uint8_t *data,
    size_t len, uint64_t key, uint64_t rest, uint64_t place)
{
    uint64_t             mask;
    const miqps_name_t  *name;

    mask = miqps_hash_size(policy->names_shift) - 1;

    for (name = &policy->names[place]; name->taken;
         name = &policy->names[place])
    {
        if (name->key == key && name->rest == rest && name->len == len
            && (len <= 16 || memcmp(name->name, data, len) == 0))
        {
            break;
        }

        place = (place + 1) & mask;
    }

    return place;
}


uint64_t
miqps_policy_probe_pair(const miqps_policy_t *policy, uint64_t id, uint64_t i)
{
    uint64_t  mask;

    mask = miqps_hash_size(policy->pairs_shift) - 1;

    while (policy->pairs[i].id != id && policy->pairs[i].id != 0) {
        i = (i + 1) & mask;
    }

    return i;
}
