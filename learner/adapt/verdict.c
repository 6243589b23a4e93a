
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>

#include "adapt.h"
#include "learn.h"
#include "sequential.h"


#define LEARN_VERDICT_SURE   3           /* different values, at least, */
#define LEARN_VERDICT_MANY   20          /* or URLs whose values are all */


static int  learn_verdict_alike(learn_adapt_t *adapt,
    const learn_kind_t *kind);
static int  learn_verdict_apart(learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_visit_t **first,
    const learn_visit_t *visit);
static void  learn_verdict_known(const learn_adapt_t *adapt,
    learn_kind_t *kind);
static int  learn_verdict_neutral(const learn_adapt_t *adapt, uint32_t name);
static void  learn_verdict_trait(const learn_adapt_t *adapt,
    const learn_kind_t *kind, learn_trait_t *trait);
static int  learn_verdict_enough(const learn_adapt_t *adapt,
    const learn_trait_t *trait);
static uint32_t  learn_verdict_defaults(const learn_adapt_t *adapt,
    const learn_trait_t *trait);
static uint32_t  learn_verdict_total(const learn_adapt_t *adapt,
    const learn_trait_t *trait);
static void  learn_verdict_client(learn_trait_t *trait);
static void  learn_verdict_inherit(learn_adapt_t *adapt, learn_kind_t *kind);
static void  learn_verdict_generalize(learn_adapt_t *adapt, uint32_t name);
static int  learn_verdict_closed(const learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_trait_t *trait);
static void  learn_verdict_rely(learn_kind_t *kind);
static uint32_t  learn_verdict_tested(const learn_adapt_t *adapt,
    const learn_trait_t *trait);
static int  learn_verdict_set(learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_nameset_t *set);


/* once: rules of paths rely on it, and nothing is found out after them */

void
learn_verdict_settle(learn_adapt_t *adapt)
{
    uint32_t       i;
    learn_kind_t  *kind;

    if (adapt->settled) {
        return;
    }

    adapt->settled = 1;

    for (i = 0; i < adapt->nkinds; i++) {
        kind = &adapt->kinds[i];
        kind->alike = learn_plan_open(kind) && adapt->study->painter == NULL
                      && learn_verdict_alike(adapt, kind);
    }

    for (i = 0; i < adapt->nkinds; i++) {
        if (!adapt->kinds[i].alike) {
            learn_verdict_known(adapt, &adapt->kinds[i]);
        }
    }

    for (i = 0; i < adapt->nkinds; i++) {
        if (adapt->kinds[i].alike) {
            learn_verdict_known(adapt, &adapt->kinds[i]);
        }
    }

    for (i = 0; i < adapt->nkinds; i++) {
        learn_verdict_inherit(adapt, &adapt->kinds[i]);
    }

    for (i = 0; i < adapt->nnames
                && !learn_adapt_without(adapt, LEARN_WITHOUT_GENERAL); i++)
    {
        learn_verdict_generalize(adapt, i);
    }

    for (i = 0; i < adapt->nkinds; i++) {
        learn_verdict_rely(&adapt->kinds[i]);
    }

    if (adapt->ordered) {
        (void) snprintf(adapt->study->why, sizeof(adapt->study->why),
                        "parameters count by what is in front of them, so "
                        "that none is neutral");
    }
}


/*
 * True if all pages that were seen of a kind are one and the same, so that
 * there is nothing that a name could change: a notice that the site is closed,
 * or a shell that a script fills.
 */

static int
learn_verdict_alike(learn_adapt_t *adapt, const learn_kind_t *kind)
{
    uint32_t              i;
    unsigned              viewer;
    miqps_str_t           url;
    learn_visit_t        *visit;
    const learn_visit_t  *first[LEARN_VIEWERS] = { NULL };

    static const learn_traits_t  none;

    for (i = 0; i < kind->ntraits; i++) {
        if (kind->traits[i].matters) {
            return 0;
        }
    }

    learn_arena_clear(&adapt->scratch);

    for (i = 0; learn_joint_visits(adapt, kind, i, &visit); i++) {
        if (learn_verdict_apart(adapt, kind, &first[i % LEARN_VIEWERS], visit))
        {
            return 0;
        }
    }

    for (i = 0; i < kind->nleads; i++) {
        viewer = i % LEARN_VIEWERS;
        url = learn_form_less(adapt, kind, kind->leads[i], &none);
        visit = (url.len > 0) ? learn_visit_of(adapt->study, &url, viewer, 0)
                              : NULL;

        if (learn_verdict_apart(adapt, kind, &first[viewer], visit)) {
            return 0;
        }
    }

    return 1;
}


static int
learn_verdict_apart(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_visit_t **first, const learn_visit_t *visit)
{
    learn_differ_t  how;

    if (visit == NULL || visit->state != LEARN_VISIT_DONE
        || learn_visit_worth(visit) != LEARN_WORTH_PAGE || visit == *first)
    {
        return 0;
    }

    if (*first == NULL) {
        *first = visit;
        return 0;
    }

    learn_arena_clear(&adapt->compare);

    if (!learn_noise_compare(&kind->noise, &(*first)->lines, &visit->lines,
                             NULL, &how, &adapt->compare))
    {
        adapt->failed = 1;
        return 0;
    }

    return how.lines > 0;
}


static void
learn_verdict_known(const learn_adapt_t *adapt, learn_kind_t *kind)
{
    uint32_t  k;

    for (k = 0; k < kind->ntraits; k++) {

        if (!kind->alike || learn_verdict_neutral(adapt, kind->traits[k].name))
        {
            learn_verdict_trait(adapt, kind, &kind->traits[k]);
        }

        learn_verdict_client(&kind->traits[k]);
    }
}


/* true if lists of trackers name it, or if it is neutral in another kind */

static int
learn_verdict_neutral(const learn_adapt_t *adapt, uint32_t name)
{
    uint32_t              i, k;
    const learn_trait_t  *trait;

    if (adapt->names[name].tracker) {
        return 1;
    }

    for (i = 0; i < adapt->nkinds; i++) {
        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            trait = &adapt->kinds[i].traits[k];

            if (trait->name == name && !adapt->kinds[i].alike
                && trait->verdict == LEARN_VERDICT_NEUTRAL)
            {
                return 1;
            }
        }
    }

    return 0;
}


static void
learn_verdict_trait(const learn_adapt_t *adapt, const learn_kind_t *kind,
    learn_trait_t *trait)
{
    int             few;
    learn_traits_t  loose;

    learn_kind_loose(adapt, kind, &loose);
    trait->verdict = LEARN_VERDICT_UNKNOWN;

    if (kind->why != NULL) {
        return;
    }

    if (trait->matters) {
        trait->verdict = (trait->value.data != NULL
                          && learn_verdict_enough(adapt, trait))
                         ? LEARN_VERDICT_DEFAULT : LEARN_VERDICT_MATTERS;
        return;
    }

    if (!learn_traits_has(&loose, trait - kind->traits)
        || !learn_verdict_enough(adapt, trait))
    {
        return;
    }

    /* of values that nobody has seen nothing is known */

    few = trait->distinct < LEARN_VERDICT_SURE
          && !adapt->names[trait->name].tracker
          && !learn_declared(adapt, kind, trait->name);

    if (!few || (trait->distinct > 1 && trait->urls >= LEARN_VERDICT_MANY)) {
        trait->verdict = LEARN_VERDICT_NEUTRAL;
        return;
    }

    if (trait->distinct == 1) {
        trait->verdict = LEARN_VERDICT_DEFAULT;
        trait->value = trait->values[0];
    }
}


/*
 * True if it was tried often enough: a tracker with any values, others with
 * those of their own URLs; a default on different pages, or on all there are.
 */

static int
learn_verdict_enough(const learn_adapt_t *adapt, const learn_trait_t *trait)
{
    uint32_t  need, own;

    need = trait->need;
    own = trait->own;

    if (trait->matters) {

        if (adapt->study->settings->without
            & (LEARN_WITHOUT_JOINT|LEARN_WITHOUT_SEQUENTIAL))
        {
            return 1;
        }

        need = (need > trait->homes) ? trait->homes : need;

        return need > 0 && own >= need
               && (own >= trait->homes
                   || learn_verdict_defaults(adapt, trait)
                      >= adapt->study->settings->values);
    }

    if (trait->viewers != LEARN_ADAPT_ALL
        && !learn_adapt_without(adapt, LEARN_WITHOUT_VIEWERS))
    {
        return 0;
    }

    if (adapt->names[trait->name].tracker
        || learn_adapt_without(adapt, LEARN_WITHOUT_JOINT))
    {
        return trait->same >= need;
    }

    if (learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)) {
        return own >= need;
    }

    return learn_sequential_shared(adapt->study->settings->values, need, own,
                                   learn_verdict_total(adapt, trait), 0)
           == LEARN_SEQUENTIAL_NEUTRAL;
}


/* trials of a default in all kinds, if it is refuted in none */

static uint32_t
learn_verdict_defaults(const learn_adapt_t *adapt, const learn_trait_t *trait)
{
    uint32_t              i, k, total;
    const learn_trait_t  *other;

    total = 0;

    for (i = 0; i < adapt->nkinds
                && !learn_adapt_without(adapt, LEARN_WITHOUT_SHARE); i++)
    {
        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            other = &adapt->kinds[i].traits[k];

            if (other->name != trait->name) {
                continue;
            }

            if (miqps_str_eq(&other->refuted, &trait->value)) {
                return trait->own;
            }

            total += (other->value.data != NULL
                      && miqps_str_eq(&other->value, &trait->value))
                     ? other->own : 0;
        }
    }

    return (total > trait->own) ? total : trait->own;
}


/* trials of the name in all kinds, if it is the same in all of them */

static uint32_t
learn_verdict_total(const learn_adapt_t *adapt, const learn_trait_t *trait)
{
    uint32_t              i, k, total;
    const learn_kind_t   *kind;
    const learn_trait_t  *other;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_SHARE)) {
        return trait->own;
    }

    total = 0;

    for (i = 0; i < adapt->nkinds; i++) {
        kind = &adapt->kinds[i];

        for (k = 0; k < kind->ntraits; k++) {
            other = &kind->traits[k];

            if (other->name != trait->name || kind->lazy || kind->why != NULL
                || kind->alike)
            {
                continue;
            }

            if (other->matters) {
                return trait->own;
            }

            total += other->own;
        }
    }

    return total;
}


/* of what a script may read nothing goes that the browser would miss */

static void
learn_verdict_client(learn_trait_t *trait)
{
    if (!trait->client) {
        return;
    }

    if (trait->verdict == LEARN_VERDICT_NEUTRAL) {
        trait->verdict = LEARN_VERDICT_CLIENT;

    } else if (trait->verdict == LEARN_VERDICT_DEFAULT) {
        trait->verdict = LEARN_VERDICT_UNKNOWN;
    }
}


/* what is known of the kind whose pages these are */

static void
learn_verdict_inherit(learn_adapt_t *adapt, learn_kind_t *kind)
{
    uint32_t              i, k;
    learn_trait_t        *trait;
    const learn_kind_t   *from;
    const learn_trait_t  *other;

    if (!kind->heir) {
        return;
    }

    from = &adapt->kinds[kind->from];

    for (i = 0; i < kind->ntraits; i++) {
        trait = &kind->traits[i];

        for (k = 0; k < from->ntraits; k++) {
            other = &from->traits[k];

            if (other->name == trait->name && !trait->matters) {
                trait->verdict = other->verdict;
                trait->matters = other->matters;
                trait->value = other->value;
            }
        }
    }
}


/*
 * A name that is neutral wherever that is known, in two kinds or in one and in
 * lists of trackers, is so in kinds of which too little is known; but not where
 * it was asked for and nobody could tell, unless it is a tracker.
 */

static void
learn_verdict_generalize(learn_adapt_t *adapt, uint32_t name)
{
    uint32_t        i, k, neutral, client, other;
    learn_kind_t   *kind;
    learn_trait_t  *trait;

    neutral = adapt->names[name].tracker;
    client = 0;
    other = 0;

    for (i = 0; i < adapt->nkinds; i++) {

        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            trait = &adapt->kinds[i].traits[k];

            if (trait->name == name) {
                neutral += (trait->verdict == LEARN_VERDICT_NEUTRAL);
                client += (trait->verdict == LEARN_VERDICT_CLIENT);
                other += trait->matters;
            }
        }
    }

    if (neutral + client < 2 || other > 0) {
        return;
    }

    for (i = 0; i < adapt->nkinds; i++) {
        kind = &adapt->kinds[i];

        for (k = 0; k < kind->ntraits; k++) {
            trait = &kind->traits[k];

            if (trait->name == name && !trait->matters
                && !learn_verdict_closed(adapt, kind, trait))
            {
                trait->verdict = (client > 0) ? LEARN_VERDICT_CLIENT
                                              : LEARN_VERDICT_NEUTRAL;
            }
        }
    }
}


/*
 * True if what holds elsewhere says nothing here.  Pages that are all alike
 * are as good as none, but where they differ elsewhere it is known.
 */

static int
learn_verdict_closed(const learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_trait_t *trait)
{
    if (trait->doubted) {
        return 1;
    }

    if (adapt->names[trait->name].tracker) {
        return 0;
    }

    return kind->why != NULL || (trait->mute && trait->own == 0);
}


/* what is not neutral in the end goes no more, nor does a value */

static void
learn_verdict_rely(learn_kind_t *kind)
{
    uint32_t        k;
    learn_trait_t  *trait;

    for (k = 0; k < kind->ntraits; k++) {
        trait = &kind->traits[k];

        if (trait->verdict == LEARN_VERDICT_MATTERS) {
            trait->value.data = NULL;

        } else if (trait->verdict == LEARN_VERDICT_UNKNOWN) {
            trait->doubted = 1;
        }
    }
}


/* trials that count */

static uint32_t
learn_verdict_tested(const learn_adapt_t *adapt, const learn_trait_t *trait)
{
    return trait->differed
           + ((adapt->names[trait->name].tracker
               || learn_adapt_without(adapt, LEARN_WITHOUT_JOINT))
              ? trait->same : trait->own);
}


/* for reports, each name of a kind is what a name of a pattern is elsewhere */

void
learn_verdict_tell(learn_adapt_t *adapt)
{
    uint32_t              i, k;
    learn_task_t         *task;
    learn_study_t        *study;
    const learn_trait_t  *trait;

    study = adapt->study;
    study->tasks = learn_arena_alloc(adapt->arena, (study->ntasks + 1)
                                                   * sizeof(learn_task_t));

    if (study->tasks == NULL) {
        adapt->failed = 1;
        return;
    }

    task = study->tasks;

    for (i = 0; i < adapt->nkinds; i++) {
        for (k = 0; k < adapt->kinds[i].ntraits; k++, task++) {
            trait = &adapt->kinds[i].traits[k];

            task->path = adapt->kinds[i].shape;
            task->name = adapt->names[trait->name].text;
            task->urls = trait->urls;
            task->tested = learn_verdict_tested(adapt, trait);
            task->differed = trait->differed;
            task->verdict = trait->verdict;
            task->done = 1;
            study->decided++;

            if (study->told != NULL) {
                study->told(study, task);
            }
        }
    }
}


int
learn_verdict_save(learn_adapt_t *adapt)
{
    int            rc;
    uint32_t       i, k;
    learn_kind_t  *kind;

    rc = LEARN_EXIT_OK;

    for (i = 0; i < adapt->nkinds; i++) {
        kind = &adapt->kinds[i];

        for (k = 0; k < kind->nsets && rc == LEARN_EXIT_OK; k++) {
            rc = learn_verdict_set(adapt, kind, &kind->sets[k]);
        }
    }

    return rc;
}


static int
learn_verdict_set(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_nameset_t *set)
{
    int                   rc;
    size_t                len;
    uint8_t              *names;
    uint32_t              i;
    const miqps_str_t    *name;
    learn_verdict_t       verdict;
    const uint8_t        *equal;
    const learn_trait_t  *trait;

    len = 0;

    for (i = 0; i < set->n; i++) {
        len += adapt->names[kind->traits[set->traits[i]].name].text.len + 1;
    }

    learn_arena_clear(&adapt->scratch);
    names = learn_arena_alloc(&adapt->scratch, len + 1);

    if (names == NULL) {
        learn_complain("%s: out of memory", adapt->study->command);
        return LEARN_EXIT_FAILED;
    }

    len = 0;

    for (i = 0; i < set->n; i++) {
        name = &adapt->names[kind->traits[set->traits[i]].name].text;

        if (i > 0) {
            names[len++] = '&';
        }

        memcpy(names + len, name->data, name->len);
        len += name->len;
    }

    memset(&verdict, 0, sizeof(learn_verdict_t));

    verdict.path = kind->shape;
    verdict.names.data = names;
    verdict.names.len = len;
    verdict.urls = set->urls;
    rc = LEARN_EXIT_OK;

    for (i = 0; i < set->n && rc == LEARN_EXIT_OK; i++) {
        trait = &kind->traits[set->traits[i]];

        verdict.name = adapt->names[trait->name].text;
        verdict.tested = learn_verdict_tested(adapt, trait);
        verdict.differed = trait->differed;
        verdict.verdict = trait->verdict;
        verdict.value.len = 0;
        verdict.pairs = trait->pairs;
        verdict.npairs = trait->npairs;

        equal = (trait->verdict == LEARN_VERDICT_DEFAULT)
                ? memchr(trait->value.data, '=', trait->value.len) : NULL;

        /* a word without a value has none to be named, nor has a list */

        if (trait->verdict == LEARN_VERDICT_DEFAULT
            && (equal == NULL
                || memchr(trait->value.data, '&', trait->value.len) != NULL))
        {
            verdict.verdict = LEARN_VERDICT_MATTERS;
            equal = NULL;
        }

        if (equal != NULL) {
            verdict.value.data = equal + 1;
            verdict.value.len = (size_t) (trait->value.data
                                          + trait->value.len - equal - 1);
        }

        rc = adapt->study->store->ops->verdict_save(adapt->study->store,
                                                    adapt->study->run,
                                                    &verdict);
    }

    return rc;
}
