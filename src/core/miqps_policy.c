
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_hash.h"
#include "miqps_policy_data.h"


/* what speaks for and against one parameter */

typedef struct {
    const miqps_policy_t   *policy;
    const uint32_t         *active;
    size_t                  nactive;
    const miqps_scope_t    *strict;
    unsigned                gave_up;     /* a regular expression did */

    const miqps_term_t     *best[MIQPS_RANK_MAX];
    uint8_t                 family;      /* bit set: best[] by the family */
    uint32_t                marks;
} miqps_case_t;


static void  miqps_policy_by_name(miqps_case_t *c, const miqps_param_t *param);
static void  miqps_policy_by_family(miqps_case_t *c,
    const miqps_param_t *param);
static miqps_str_t  miqps_policy_inner(const miqps_param_t *param);
static const miqps_slot_t  *miqps_policy_slot(const miqps_policy_t *policy,
    uint32_t hash, uint32_t scope, const uint8_t *name, size_t len);
static void  miqps_policy_by_star(miqps_case_t *c, const miqps_param_t *param,
    const miqps_term_t *term);
static void  miqps_policy_by_regex(miqps_case_t *c,
    const miqps_param_t *param);
static void  miqps_policy_keep_all(miqps_param_t *params, size_t n);
static int  miqps_policy_active(const miqps_case_t *c, uint32_t scope);
static void  miqps_policy_note(miqps_case_t *c, const miqps_term_t *term);
static void  miqps_policy_settle(const miqps_case_t *c, miqps_param_t *param);
static void  miqps_policy_verdict(const miqps_case_t *c, miqps_param_t *param,
    miqps_action_e action, miqps_rank_e rank);


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


miqps_guard_e
miqps_policy_decide(const miqps_policy_t *policy, const uint32_t *active,
    size_t nactive, const miqps_scope_t *strict, miqps_param_t *params,
    size_t n)
{
    size_t         i;
    uint32_t       seen;
    miqps_str_t    value;
    miqps_case_t   c;

    c.policy = policy;
    c.active = active;
    c.nactive = nactive;
    c.strict = strict;
    c.gave_up = 0;

    seen = 0;

    for (i = 0; i < n; i++) {
        memset(c.best, 0, sizeof(c.best));
        c.family = 0;
        c.marks = 0;

        miqps_policy_by_name(&c, &params[i]);

        if (params[i].special) {
            miqps_policy_by_family(&c, &params[i]);
        }

        if (params[i].name_len > 0) {
            miqps_policy_by_star(&c, &params[i],
                                 policy->stars[params[i].name[0]]);
        }

        miqps_policy_by_star(&c, &params[i], policy->any_star);

        if (c.marks != 0) {
            value = miqps_param_value(&params[i]);
            miqps_guard_note(&seen, c.marks, &value);
        }

        if (policy->some_regex) {
            miqps_policy_by_regex(&c, &params[i]);
        }

        miqps_policy_settle(&c, &params[i]);
    }

    if (c.gave_up) {
        miqps_policy_keep_all(params, n);
    }

    return miqps_guard_judge(seen);
}


/* terms with exactly this name, in any active scope */

static void
miqps_policy_by_name(miqps_case_t *c, const miqps_param_t *param)
{
    size_t               i;
    uint32_t             hash;
    miqps_str_t          value;
    const miqps_term_t  *term;
    const miqps_slot_t  *slot;

    hash = miqps_hash(param->name, param->name_len, 0);

    for (i = 0; i < c->nactive; i++) {
        slot = miqps_policy_slot(c->policy, hash, c->active[i], param->name,
                                 param->name_len);

        if (slot == NULL) {
            continue;
        }

        c->marks |= slot->marks;

        for (term = slot->terms; term != NULL; term = term->next) {

            if (term->why == MIQPS_WHY_VALUE) {
                value = miqps_param_value(param);

                if (param->len == param->name_len
                    || !miqps_str_eq(&term->value, &value))
                {
                    continue;
                }
            }

            miqps_policy_note(c, term);
        }
    }
}


/*
 * Keeps and marks of the family, for names such as "a[]" and "a.b", and marks
 * of what the last brackets hold, as in "user[password]".
 */

static void
miqps_policy_by_family(miqps_case_t *c, const miqps_param_t *param)
{
    size_t               i;
    uint32_t             hash;
    miqps_str_t          inner;
    const miqps_term_t  *term;
    const miqps_slot_t  *slot;

    inner = miqps_policy_inner(param);

    hash = miqps_hash(inner.data, inner.len, 0);
    slot = miqps_policy_slot(c->policy, hash, MIQPS_SCOPE_ANY, inner.data,
                             inner.len);

    c->marks |= (slot != NULL) ? slot->marks : 0;

    hash = miqps_hash(param->family, param->family_len, 0);

    for (i = 0; i < c->nactive; i++) {
        slot = miqps_policy_slot(c->policy, hash, c->active[i], param->family,
                                 param->family_len);

        if (slot == NULL) {
            continue;
        }

        c->marks |= slot->marks;

        for (term = slot->terms; term != NULL; term = term->next) {
            if (term->keeps && c->best[term->rank] == NULL) {
                c->best[term->rank] = term;
                c->family |= (uint8_t) (1u << term->rank);
            }
        }
    }
}


/* "password" of "user[password]", whose brackets may be escaped */

static miqps_str_t
miqps_policy_inner(const miqps_param_t *param)
{
    miqps_str_t     inner;
    const uint8_t  *p, *last;

    p = param->name;
    last = p + param->name_len;

    if (last - p >= 1 && last[-1] == ']') {
        last--;

    } else if (last - p >= 3 && memcmp(last - 3, "%5D", 3) == 0) {
        last -= 3;
    }

    inner.data = last;

    while (inner.data > p && inner.data[-1] != '['
           && !(inner.data - p >= 3 && memcmp(inner.data - 3, "%5B", 3) == 0))
    {
        inner.data--;
    }

    inner.len = (size_t) (last - inner.data);

    return inner;
}


static const miqps_slot_t *
miqps_policy_slot(const miqps_policy_t *policy, uint32_t hash, uint32_t scope,
    const uint8_t *name, size_t len)
{
    uint32_t             i;
    const miqps_slot_t  *slot;

    hash ^= scope * MIQPS_POLICY_SPREAD;

    for (i = hash & policy->mask; /* void */ ; i = (i + 1) & policy->mask) {
        slot = &policy->slots[i];

        if (slot->name == NULL) {
            return NULL;
        }

        if (slot->hash == hash && slot->scope == scope && slot->len == len
            && memcmp(slot->name, name, len) == 0)
        {
            return slot;
        }
    }
}


/* terms with a star, from one chain */

static void
miqps_policy_by_star(miqps_case_t *c, const miqps_param_t *param,
    const miqps_term_t *term)
{
    for (/* void */ ; term != NULL; term = term->next) {

        if (!miqps_glob_match(&term->glob, param->name, param->name_len)
            && !(term->keeps && param->special
                 && miqps_glob_match(&term->glob, param->family,
                                     param->family_len)))
        {
            continue;
        }

        if (!miqps_policy_active(c, term->scope)) {
            continue;
        }

        c->marks |= term->marks;

        if (term->rule != NULL) {
            miqps_policy_note(c, term);
        }
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
            if (c->best[term->rank] != NULL) {
                continue;
            }

            rc = miqps_regex_exec(&term->regex, work, &name);

            if (rc == MIQPS_REGEX_MISS && term->keeps && param->special) {
                rc = miqps_regex_exec(&term->regex, work, &family);
            }

            if (rc == MIQPS_REGEX_HIT) {
                miqps_policy_note(c, term);
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


/* a term that holds for any value is worth more than one that does not */

static void
miqps_policy_note(miqps_case_t *c, const miqps_term_t *term)
{
    const miqps_term_t  **best;

    best = &c->best[term->rank];

    if (*best == NULL
        || ((*best)->why == MIQPS_WHY_VALUE && term->why != MIQPS_WHY_VALUE))
    {
        *best = term;
    }
}


/* the precedence */

static void
miqps_policy_settle(const miqps_case_t *c, miqps_param_t *param)
{
    if (c->best[MIQPS_RANK_OPERATOR_KEEP] != NULL) {
        miqps_policy_verdict(c, param, MIQPS_KEEP, MIQPS_RANK_OPERATOR_KEEP);
        return;
    }

    if (c->best[MIQPS_RANK_OPERATOR_STRIP] != NULL) {
        miqps_policy_verdict(c, param, MIQPS_STRIP, MIQPS_RANK_OPERATOR_STRIP);
        return;
    }

    if (c->best[MIQPS_RANK_KEEP] != NULL) {
        miqps_policy_verdict(c, param, MIQPS_KEEP, MIQPS_RANK_KEEP);
        return;
    }

    if (c->strict != NULL) {
        param->action = MIQPS_STRIP;
        param->layer = (c->strict == c->policy->scopes.scopes)
                       ? MIQPS_LAYER_PLATFORM : MIQPS_LAYER_RULES;
        param->why = MIQPS_WHY_UNLISTED;
        param->strict = c->strict;
        return;
    }

    if (c->best[MIQPS_RANK_STRIP] == NULL) {
        return;
    }

    if (c->best[MIQPS_RANK_EXCEPT] != NULL) {
        miqps_policy_verdict(c, param, MIQPS_KEEP, MIQPS_RANK_EXCEPT);
        param->why = MIQPS_WHY_EXCEPTED;
        return;
    }

    miqps_policy_verdict(c, param, MIQPS_STRIP, MIQPS_RANK_STRIP);
}


static void
miqps_policy_verdict(const miqps_case_t *c, miqps_param_t *param,
    miqps_action_e action, miqps_rank_e rank)
{
    const miqps_term_t  *term;

    term = c->best[rank];

    param->action = (uint8_t) action;
    param->rule = term->rule;
    param->layer = (uint8_t) term->rule->layer;
    param->why = (c->family & (1u << rank)) ? MIQPS_WHY_FAMILY : term->why;

    if (term->why == MIQPS_WHY_REGEX
        && term->rule->layer == MIQPS_LAYER_RULES)
    {
        param->layer = MIQPS_LAYER_REGEX;
    }
}
