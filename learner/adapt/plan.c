
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


/*
 * HOW OFTEN NAMES ARE TRIED
 *
 * A name is one and the same in all kinds that it is in, and so what is seen of
 * it in one says something about the others.  In each of them it is tried so
 * often, at least, that all of them together are enough for the error that is
 * allowed; what is left of the budget then makes it enough in each of them.
 * Where it matters in one, nothing is said by that about the others.
 */

#define LEARN_PLAN_FEW    3              /* trials of a name in each kind, */
#define LEARN_PLAN_FIXED  5              /* or, if it is fixed, of trackers */
#define LEARN_PLAN_TINY   200            /* one URL in so many: not looked at */


static void  learn_plan_kind(learn_adapt_t *adapt, learn_kind_t *kind);
static uint32_t  learn_plan_wide(const learn_adapt_t *adapt, uint32_t name);
static int  learn_plan_single(const learn_kind_t *kind);
static int  learn_plan_matters(const learn_adapt_t *adapt, uint32_t name);
static uint32_t  learn_plan_shared(const learn_adapt_t *adapt,
    const learn_trait_t *trait);


void
learn_plan_needs(learn_adapt_t *adapt)
{
    uint32_t  i;

    for (i = 0; i < adapt->nkinds && !adapt->failed; i++) {
        if (!adapt->kinds[i].planned) {
            learn_plan_kind(adapt, &adapt->kinds[i]);
        }
    }
}


static void
learn_plan_kind(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int             single;
    uint32_t        k, all, wide;
    learn_trait_t  *trait;

    single = learn_plan_single(kind);
    all = adapt->study->settings->values;

    for (k = 0; k < kind->ntraits; k++) {
        trait = &kind->traits[k];
        trait->need = all;

        if (learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)) {
            trait->need = LEARN_PLAN_FIXED;

        } else if (!learn_adapt_without(adapt, LEARN_WITHOUT_SHARE)) {
            wide = learn_plan_wide(adapt, trait->name);
            trait->need = (wide > 1) ? (all + wide - 1) / wide : all;

            if (single && wide > 0) {
                trait->need = LEARN_PLAN_FEW;
            }
        }

        if (adapt->names[trait->name].tracker
            && trait->need > LEARN_PLAN_FIXED)
        {
            trait->need = LEARN_PLAN_FIXED;
        }

        if (trait->need < LEARN_PLAN_FEW) {
            trait->need = LEARN_PLAN_FEW;
        }

        trait->need = (trait->need > all) ? all : trait->need;
    }

    kind->planned = 1;

    /* it is what each step begins with */

    if (!learn_kind_next(adapt, kind)) {
        adapt->failed = 1;
    }
}


/*
 * In how many kinds a name can go; 0 if it matters in one.  A single page that
 * is always the same says little of it.
 */

static uint32_t
learn_plan_wide(const learn_adapt_t *adapt, uint32_t name)
{
    int                   single;
    uint32_t              i, k, found;
    const learn_trait_t  *trait;

    found = 0;

    for (i = 0; i < adapt->nkinds; i++) {

        if (!adapt->kinds[i].led || adapt->kinds[i].lazy) {
            continue;
        }

        single = learn_plan_single(&adapt->kinds[i]);

        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            trait = &adapt->kinds[i].traits[k];

            if (trait->name == name) {

                if (trait->matters) {
                    return 0;
                }

                found += !single && (trait->same > 0 || trait->hope);
            }
        }
    }

    return found;
}


static int
learn_plan_single(const learn_kind_t *kind)
{
    uint32_t  k;

    for (k = 0; k < kind->ntraits; k++) {
        if (kind->traits[k].matters) {
            return 0;
        }
    }

    return kind->shape.len == 0
           || memchr(kind->shape.data, '*', kind->shape.len) == NULL;
}


void
learn_plan_defaults(learn_adapt_t *adapt)
{
    uint32_t       i, k;
    learn_kind_t  *kind;

    if (adapt->defaults) {
        return;
    }

    adapt->defaults = 1;

    for (i = 0; i < adapt->nkinds && !adapt->failed; i++) {
        kind = &adapt->kinds[i];

        for (k = 0; k < kind->ntraits; k++) {
            if (kind->traits[k].value.data != NULL) {
                learn_plan_default(adapt, &kind->traits[k]);
            }
        }

        if (!learn_kind_next(adapt, kind)) {
            adapt->failed = 1;
        }
    }
}


void
learn_plan_default(const learn_adapt_t *adapt, learn_trait_t *trait)
{
    uint32_t  all, wide;

    all = adapt->study->settings->values;
    wide = learn_adapt_without(adapt, LEARN_WITHOUT_SHARE
                                      |LEARN_WITHOUT_SEQUENTIAL)
           ? 1 : learn_plan_shared(adapt, trait);

    trait->need = (wide > 1) ? (all + wide - 1) / wide : all;

    if (trait->need < LEARN_PLAN_FEW) {
        trait->need = LEARN_PLAN_FEW;
    }

    trait->need = (trait->need > all) ? all : trait->need;
}


/* in how many kinds a value is as good as none; 0 if in one it is not */

static uint32_t
learn_plan_shared(const learn_adapt_t *adapt, const learn_trait_t *trait)
{
    uint32_t              i, k, found;
    const learn_trait_t  *other;

    found = 0;

    for (i = 0; i < adapt->nkinds; i++) {

        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            other = &adapt->kinds[i].traits[k];

            if (other->name != trait->name) {
                continue;
            }

            if (miqps_str_eq(&other->refuted, &trait->value)) {
                return 0;
            }

            found += other->value.data != NULL
                     && miqps_str_eq(&other->value, &trait->value);
        }
    }

    return found;
}


/* true if there is little to be gained: nothing is unknown, or nobody comes */

int
learn_plan_small(const learn_adapt_t *adapt, const learn_kind_t *kind)
{
    uint32_t  i;

    if ((uint64_t) kind->urls * LEARN_PLAN_SMALL >= adapt->nurls) {
        return 0;
    }

    if ((uint64_t) kind->urls * LEARN_PLAN_TINY < adapt->nurls) {
        return 1;
    }

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_plan_wide(adapt, kind->traits[i].name) < 2
            && !learn_plan_matters(adapt, kind->traits[i].name))
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_plan_matters(const learn_adapt_t *adapt, uint32_t name)
{
    uint32_t  i, k;

    for (i = 0; i < adapt->nkinds; i++) {
        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            if (adapt->kinds[i].traits[k].name == name
                && adapt->kinds[i].traits[k].matters)
            {
                return 1;
            }
        }
    }

    return 0;
}


int
learn_plan_open(const learn_kind_t *kind)
{
    return kind->ntraits > 0 && kind->why == NULL && !kind->lazy;
}
