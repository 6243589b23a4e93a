
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "adapt.h"
#include "learn.h"
#include "map/map_check.h"


#define LEARN_ADAPT_AHEAD    8           /* kinds that are looked at ahead */
#define LEARN_ADAPT_LEAST    5           /* values of a name, at least */
#define LEARN_ADAPT_MIRROR   25          /* percent of fetches */
#define LEARN_ADAPT_LEADS    40          /* ... up to here, */
#define LEARN_ADAPT_WAYS     58          /* and here, */
#define LEARN_ADAPT_REST     68          /* and here */
#define LEARN_ADAPT_SPARE    4           /* fetches */
#define LEARN_ADAPT_WIDE     3           /* kinds that a name is in, */
#define LEARN_ADAPT_FEW      3           /* and values in each of them */
#define LEARN_ADAPT_SMALL    33          /* one URL in so many, of a kind */
#define LEARN_ADAPT_TINY     200         /* ... that is not looked at */
#define LEARN_ADAPT_SURE     3           /* different ones, at least */
#define LEARN_ADAPT_MANY     20          /* URLs whose values are all */


typedef int (*learn_adapt_pt)(learn_adapt_t *adapt, learn_kind_t *kind);


static int  learn_adapt_main(learn_adapt_t *adapt);
static int  learn_adapt_owner(const learn_study_t *study,
    const miqps_str_t *main);
static void  learn_adapt_cap(learn_adapt_t *adapt, uint32_t percent);
static int  learn_adapt_leads(learn_adapt_t *adapt, int all);
static int  learn_adapt_ahead(const learn_adapt_t *adapt,
    const learn_kind_t *kind, int all);
static void  learn_adapt_twins(learn_adapt_t *adapt);
static int  learn_adapt_twin(const miqps_str_t *one, const miqps_str_t *two);
static int  learn_adapt_small(const learn_adapt_t *adapt,
    const learn_kind_t *kind);
static int  learn_adapt_matters(const learn_adapt_t *adapt, uint32_t name);
static void  learn_adapt_needs(learn_adapt_t *adapt, learn_kind_t *kind,
    uint32_t share);
static uint32_t  learn_adapt_wide(const learn_adapt_t *adapt, uint32_t name);
static void  learn_adapt_shares(learn_adapt_t *adapt);
static int  learn_adapt_open(const learn_kind_t *kind);
static void  learn_adapt_conclude(learn_adapt_t *adapt);
static void  learn_adapt_verdict(const learn_adapt_t *adapt,
    const learn_kind_t *kind, learn_trait_t *trait);
static void  learn_adapt_client(learn_trait_t *trait);
static void  learn_adapt_inherit(learn_adapt_t *adapt, learn_kind_t *kind);
static void  learn_adapt_generalize(learn_adapt_t *adapt, uint32_t name);
static void  learn_adapt_tell(learn_adapt_t *adapt);
static int  learn_adapt_save_set(learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_nameset_t *set);


int
learn_adapt_create(learn_study_t *study)
{
    int             rc;
    uint32_t        i;
    learn_adapt_t  *adapt;

    adapt = calloc(1, sizeof(learn_adapt_t));

    if (adapt == NULL) {
        learn_complain("%s: out of memory", study->command);
        return LEARN_EXIT_FAILED;
    }

    study->adapt = adapt;

    adapt->study = study;
    adapt->arena = &study->arena;
    learn_arena_init(&adapt->scratch);
    learn_arena_init(&adapt->compare);

    rc = learn_adapt_load(adapt);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    if (!learn_adapt_shapes(adapt) || !learn_adapt_traits(adapt)) {
        learn_complain("%s: out of memory", study->command);
        return LEARN_EXIT_FAILED;
    }

    if (!learn_adapt_without(adapt, LEARN_WITHOUT_PATHS)) {
        learn_adapt_twins(adapt);
    }

    if (!learn_adapt_without(adapt, LEARN_WITHOUT_MIRRORS)) {
        rc = learn_adapt_main(adapt);
    }

    for (i = 0; i < adapt->nkinds; i++) {
        study->ntasks += adapt->kinds[i].ntraits;
    }

    return rc;
}


/* the host of the site that is asked for most, if it is another one */

static int
learn_adapt_main(learn_adapt_t *adapt)
{
    int              rc;
    miqps_str_t      host;
    learn_study_t   *study;

    study = adapt->study;
    host.data = (const uint8_t *) study->host;
    host.len = strlen(study->host);

    rc = study->store->ops->host_main(study->store, &host, adapt->main,
                                      sizeof(adapt->main));

    host.data = (const uint8_t *) adapt->main;
    host.len = strlen(adapt->main);

    if (strcmp(adapt->main, study->host) == 0
        || !learn_hosts_have(study->allowed, &host)
        || !learn_adapt_owner(study, &host))
    {
        adapt->main[0] = '\0';
    }

    if (rc == LEARN_EXIT_OK && adapt->main[0] != '\0') {
        rc = learn_mirror_known(adapt);
    }

    return rc;
}


/* a site is what somebody has declared, too, but a map has no such mirror */

static int
learn_adapt_owner(const learn_study_t *study, const miqps_str_t *main)
{
    psl_ctx_t    *psl;
    const char   *why;
    miqps_str_t   host;

    psl = NULL;
    host.data = (const uint8_t *) study->host;
    host.len = strlen(study->host);
    why = learn_check_owners(&host, main, &psl);
    psl_free(psl);

    return why == NULL;
}


int
learn_adapt_place(const learn_adapt_t *adapt, const char *target,
    miqps_str_t *url, uint8_t *buf, size_t room)
{
    size_t               len;
    const learn_seen_t  *first;

    if (adapt->nurls == 0) {
        return 0;
    }

    first = &adapt->urls[0];
    len = first->base.len - first->path.len;

    if (len + strlen(target) > room) {
        return 0;
    }

    memcpy(buf, first->base.data, len);
    memcpy(buf + len, target, strlen(target));

    url->data = buf;
    url->len = len + strlen(target);

    return 1;
}


void
learn_adapt_free(learn_adapt_t *adapt)
{
    uint32_t  i;

    for (i = 0; i < adapt->nkinds; i++) {
        learn_noise_release(&adapt->kinds[i].noise);
        free(adapt->kinds[i].traits);
    }

    learn_ways_free(adapt);
    learn_arena_release(&adapt->scratch);
    learn_arena_release(&adapt->compare);
    free(adapt->kinds);
    free(adapt->answers);
    free(adapt);
}


uint64_t
learn_adapt_most(const learn_adapt_t *adapt)
{
    return learn_adapt_due(adapt) ? adapt->study->settings->fetches : 0;
}


int
learn_adapt_due(const learn_adapt_t *adapt)
{
    uint32_t  i;

    if (adapt->nurls > 0
        && (adapt->main[0] != '\0'
            || !learn_adapt_without(adapt, LEARN_WITHOUT_PATHS)))
    {
        return 1;
    }

    for (i = 0; i < adapt->nkinds; i++) {
        if (adapt->kinds[i].ntraits > 0) {
            return 1;
        }
    }

    return 0;
}


int
learn_adapt_step(learn_adapt_t *adapt)
{
    size_t         s;
    uint32_t       i;
    int            over;
    learn_kind_t  *kind;

    static const learn_adapt_pt  steps[] = {
        learn_sample, learn_default, learn_joint, learn_look
    };

    /* percent of the fetches that are used up by then */

    static const uint32_t  caps[] = { 80, 90, 93, 93 };

    learn_arena_clear(&adapt->scratch);
    adapt->waiting = 0;
    adapt->ahead = 0;

    learn_adapt_cap(adapt, LEARN_ADAPT_MIRROR);

    if (!learn_mirror(adapt) || adapt->mirror) {
        return adapt->mirror;
    }

    learn_adapt_cap(adapt, LEARN_ADAPT_LEADS);

    if (!learn_adapt_leads(adapt, 0)) {
        return 0;
    }

    learn_adapt_cap(adapt, LEARN_ADAPT_WAYS);

    if (!learn_ways_find(adapt) || adapt->failed) {
        return 0;
    }

    learn_adapt_cap(adapt, LEARN_ADAPT_REST);

    if (!learn_adapt_leads(adapt, 1)) {
        return 0;
    }

    learn_adapt_cap(adapt, caps[0]);
    learn_adapt_shares(adapt);

    for (s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
        over = 1;
        learn_adapt_cap(adapt, caps[s]);

        for (i = 0; i < adapt->nkinds && !adapt->failed; i++) {
            kind = &adapt->kinds[i];

            if (learn_adapt_open(kind) && kind->steps <= s) {
                if (steps[s](adapt, kind)) {
                    kind->steps = (unsigned) s + 1;

                } else {
                    over = 0;
                }
            }

            /* what is a default here is likely to be one in the next */

            if (!over && steps[s] == learn_default) {
                break;
            }
        }

        if (!over || adapt->failed) {
            return 0;
        }
    }

    learn_adapt_cap(adapt, 100);

    if (!learn_ways_rules(adapt) || adapt->failed) {
        return 0;
    }

    learn_adapt_conclude(adapt);

    return 1;
}


/* some are left for what is no page */

static void
learn_adapt_cap(learn_adapt_t *adapt, uint32_t percent)
{
    uint32_t  all;

    all = adapt->study->settings->fetches;
    all -= (all > LEARN_ADAPT_SPARE) ? LEARN_ADAPT_SPARE : 0;

    adapt->cap = (uint32_t) ((uint64_t) all * percent / 100);
}


/*
 * One kind after the other, since what is known of a name in one helps with
 * the next; but pages of the next ones are asked for meanwhile.  Those that
 * may be other paths of larger ones come when that is known.
 */

static int
learn_adapt_leads(learn_adapt_t *adapt, int all)
{
    uint32_t       i, k;
    learn_kind_t  *kind;

    for (i = 0; i < adapt->nkinds && !adapt->failed; i++) {
        kind = &adapt->kinds[i];

        if (kind->led || !learn_adapt_open(kind) || (kind->twin && !all)) {
            continue;
        }

        if (learn_adapt_small(adapt, kind)) {
            kind->lazy = 1;
            kind->led = 1;
            continue;
        }

        if (learn_lead(adapt, kind)) {
            kind->led = 1;
            continue;
        }

        adapt->ahead = 1;

        for (k = i + 1; k < adapt->nkinds && k <= i + LEARN_ADAPT_AHEAD; k++) {
            if (learn_adapt_ahead(adapt, &adapt->kinds[k], all)) {
                (void) learn_lead(adapt, &adapt->kinds[k]);
            }
        }

        adapt->ahead = 0;

        return 0;
    }

    return !adapt->failed;
}


static int
learn_adapt_ahead(const learn_adapt_t *adapt, const learn_kind_t *kind,
    int all)
{
    return !kind->led && learn_adapt_open(kind) && (!kind->twin || all)
           && (uint64_t) kind->urls * LEARN_ADAPT_SMALL >= adapt->nurls;
}


/* kinds that are others with one or two segments more */

static void
learn_adapt_twins(learn_adapt_t *adapt)
{
    uint32_t  i, k;

    for (i = 0; i < adapt->nkinds; i++) {
        for (k = 0; k < i && !adapt->kinds[i].twin; k++) {
            adapt->kinds[i].twin = learn_adapt_twin(&adapt->kinds[i].shape,
                                                    &adapt->kinds[k].shape);
        }
    }
}


/* true if the first is the second and something in front or behind */

static int
learn_adapt_twin(const miqps_str_t *one, const miqps_str_t *two)
{
    size_t          i, more, slashes;
    const uint8_t  *front, *back;

    if (one->len <= two->len || two->len < 2) {
        return 0;
    }

    more = one->len - two->len;
    front = one->data;
    back = one->data + two->len;
    slashes = 0;

    if (memcmp(front, two->data, two->len) == 0) {
        return back[0] == '/' && memchr(back + 1, '/', more - 1) == NULL;
    }

    if (memcmp(front + more, two->data, two->len) != 0) {
        return 0;
    }

    for (i = 0; i < more; i++) {
        slashes += (front[i] == '/');
    }

    return slashes <= 2;
}


/* true if there is little to be gained: nothing is unknown, or nobody comes */

static int
learn_adapt_small(const learn_adapt_t *adapt, const learn_kind_t *kind)
{
    uint32_t  i;

    if ((uint64_t) kind->urls * LEARN_ADAPT_SMALL >= adapt->nurls) {
        return 0;
    }

    if ((uint64_t) kind->urls * LEARN_ADAPT_TINY < adapt->nurls) {
        return 1;
    }

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_adapt_wide(adapt, kind->traits[i].name) < 2
            && !learn_adapt_matters(adapt, kind->traits[i].name))
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_adapt_matters(const learn_adapt_t *adapt, uint32_t name)
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


static int
learn_adapt_open(const learn_kind_t *kind)
{
    return kind->ntraits > 0 && kind->why == NULL && !kind->lazy;
}


/* how many values of each name are tried, so that all kinds have their turn */

static void
learn_adapt_shares(learn_adapt_t *adapt)
{
    uint32_t        i, k, left, kinds, share;
    learn_traits_t  loose;

    if (adapt->nkinds == 0 || adapt->kinds[0].share > 0) {
        return;
    }

    kinds = 0;

    for (i = 0; i < adapt->nkinds; i++) {
        learn_kind_loose(adapt, &adapt->kinds[i], &loose);

        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            if (learn_traits_has(&loose, k)
                && learn_adapt_wide(adapt, adapt->kinds[i].traits[k].name)
                   < LEARN_ADAPT_WIDE)
            {
                kinds++;
                break;
            }
        }
    }

    left = (adapt->cap > adapt->asked) ? adapt->cap - adapt->asked : 0;
    share = (kinds > 0) ? left / kinds : 0;
    share = (share > LEARN_ADAPT_BASES) ? share - LEARN_ADAPT_BASES : 0;

    if (share > adapt->study->settings->values) {
        share = adapt->study->settings->values;
    }

    if (share < LEARN_ADAPT_LEAST) {
        share = LEARN_ADAPT_LEAST;
    }

    for (i = 0; i < adapt->nkinds; i++) {
        learn_adapt_needs(adapt, &adapt->kinds[i], share);
    }
}


/*
 * A name that seems to be neutral in many kinds is tried in each of them with
 * fewer values: it is one and the same name.
 */

static void
learn_adapt_needs(learn_adapt_t *adapt, learn_kind_t *kind, uint32_t share)
{
    uint32_t        k, wide;
    learn_trait_t  *trait;

    kind->share = LEARN_ADAPT_FEW;

    for (k = 0; k < kind->ntraits; k++) {
        trait = &kind->traits[k];
        wide = learn_adapt_wide(adapt, trait->name);

        trait->need = share;

        if (wide >= LEARN_ADAPT_WIDE) {
            trait->need = 1 + adapt->study->settings->values / wide;
            trait->need = (trait->need < LEARN_ADAPT_FEW) ? LEARN_ADAPT_FEW
                                                          : trait->need;
        }

        if (trait->need > LEARN_ADAPT_FEW
            && learn_declared(adapt, kind, trait->name))
        {
            trait->need = LEARN_ADAPT_FEW;
        }

        if (trait->need > kind->share && !trait->matters
            && (trait->same > 0 || trait->hope))
        {
            kind->share = trait->need;
        }
    }

    /* it is what each step begins with */

    if (!learn_kind_locals(adapt, kind) || !learn_kind_next(adapt, kind)) {
        adapt->failed = 1;
    }
}


/* how many kinds a name can go in; 0 if it matters in one */

static uint32_t
learn_adapt_wide(const learn_adapt_t *adapt, uint32_t name)
{
    uint32_t              i, k, found;
    const learn_trait_t  *trait;

    found = 0;

    for (i = 0; i < adapt->nkinds; i++) {

        if (!adapt->kinds[i].led || adapt->kinds[i].lazy) {
            continue;
        }

        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            trait = &adapt->kinds[i].traits[k];

            if (trait->name == name) {

                if (trait->matters) {
                    return 0;
                }

                found += (trait->same > 0 || trait->hope);
            }
        }
    }

    return found;
}


int
learn_adapt_neutral(const learn_adapt_t *adapt, uint32_t name)
{
    uint32_t              i, k, found;
    const learn_trait_t  *trait;

    found = 0;

    for (i = 0; i < adapt->nkinds; i++) {

        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            trait = &adapt->kinds[i].traits[k];

            if (trait->name == name && adapt->kinds[i].led) {

                if (trait->matters) {
                    return 0;
                }

                found |= (trait->same > 0);
            }
        }
    }

    return (int) found;
}


/* --- what came out */


static void
learn_adapt_conclude(learn_adapt_t *adapt)
{
    uint32_t       i, k;
    learn_kind_t  *kind;

    for (i = 0; i < adapt->nkinds; i++) {
        kind = &adapt->kinds[i];

        for (k = 0; k < kind->ntraits; k++) {
            learn_adapt_verdict(adapt, kind, &kind->traits[k]);
            learn_adapt_client(&kind->traits[k]);
        }
    }

    for (i = 0; i < adapt->nkinds; i++) {
        learn_adapt_inherit(adapt, &adapt->kinds[i]);
    }

    for (i = 0; i < adapt->nnames
                && !learn_adapt_without(adapt, LEARN_WITHOUT_GENERAL); i++)
    {
        learn_adapt_generalize(adapt, i);
    }

    learn_adapt_tell(adapt);
}


/* for reports, each name of a kind is what a name of a pattern is elsewhere */

static void
learn_adapt_tell(learn_adapt_t *adapt)
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
            task->tested = trait->same + trait->differed;
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


static void
learn_adapt_verdict(const learn_adapt_t *adapt, const learn_kind_t *kind,
    learn_trait_t *trait)
{
    int             few;
    learn_traits_t  loose;

    learn_kind_loose(adapt, kind, &loose);

    if (kind->why != NULL) {
        trait->verdict = LEARN_VERDICT_UNKNOWN;
        return;
    }

    if (trait->matters) {
        trait->verdict = (trait->value.data != NULL) ? LEARN_VERDICT_DEFAULT
                                                     : LEARN_VERDICT_MATTERS;
        return;
    }

    if (!learn_traits_has(&loose, trait - kind->traits)
        || trait->same < trait->need
        || trait->viewers != (1u << LEARN_VIEWERS) - 1)
    {
        trait->verdict = LEARN_VERDICT_UNKNOWN;
        return;
    }

    /* of values that nobody has seen nothing is known */

    few = trait->distinct < LEARN_ADAPT_SURE
          && !adapt->names[trait->name].tracker
          && !learn_declared(adapt, kind, trait->name);

    if (!few || (trait->distinct > 1 && trait->urls >= LEARN_ADAPT_MANY)) {
        trait->verdict = LEARN_VERDICT_NEUTRAL;
        return;
    }

    trait->verdict = (trait->distinct == 1) ? LEARN_VERDICT_DEFAULT
                                            : LEARN_VERDICT_UNKNOWN;
    trait->value = trait->values[0];
}


/* of what a script may read nothing goes that the browser would miss */

static void
learn_adapt_client(learn_trait_t *trait)
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
learn_adapt_inherit(learn_adapt_t *adapt, learn_kind_t *kind)
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
 * lists of trackers, is so in kinds of which too little is known.
 */

static void
learn_adapt_generalize(learn_adapt_t *adapt, uint32_t name)
{
    uint32_t        i, k, neutral, client, other;
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

        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            trait = &adapt->kinds[i].traits[k];

            if (trait->name == name && !trait->matters && !trait->doubted) {
                trait->verdict = (client > 0) ? LEARN_VERDICT_CLIENT
                                              : LEARN_VERDICT_NEUTRAL;
            }
        }
    }
}


int
learn_adapt_save(learn_adapt_t *adapt)
{
    int            rc;
    uint32_t       i, k;
    learn_kind_t  *kind;

    if (adapt->mirror) {
        return learn_mirror_save(adapt);
    }

    rc = LEARN_EXIT_OK;

    for (i = 0; i < adapt->nkinds; i++) {
        kind = &adapt->kinds[i];

        for (k = 0; k < kind->nsets && rc == LEARN_EXIT_OK; k++) {
            rc = learn_adapt_save_set(adapt, kind, &kind->sets[k]);
        }
    }

    return (rc == LEARN_EXIT_OK) ? learn_ways_save(adapt) : rc;
}


static int
learn_adapt_save_set(learn_adapt_t *adapt, const learn_kind_t *kind,
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
        verdict.tested = trait->same + trait->differed;
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
