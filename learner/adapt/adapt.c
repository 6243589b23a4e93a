
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "adapt.h"
#include "learn.h"
#include "map/map_check.h"
#include "ways.h"


#define LEARN_ADAPT_AHEAD    8           /* kinds that are looked at ahead */
#define LEARN_ADAPT_MIRROR   25          /* percent of fetches */
#define LEARN_ADAPT_LEADS    40          /* ... up to here, */
#define LEARN_ADAPT_WAYS     58          /* and here, */
#define LEARN_ADAPT_REST     68          /* and here */
#define LEARN_ADAPT_MORE     5           /* steps until all is done */
#define LEARN_ADAPT_SPARE    4           /* fetches */
#define LEARN_ADAPT_ROW      4           /* kinds at a time */


typedef int (*learn_adapt_pt)(learn_adapt_t *adapt, learn_kind_t *kind);


static int  learn_adapt_main(learn_adapt_t *adapt);
static int  learn_adapt_owner(const learn_study_t *study,
    const miqps_str_t *main);
static int  learn_adapt_moved(const learn_adapt_t *adapt);
static void  learn_adapt_cap(learn_adapt_t *adapt, uint32_t percent);
static int  learn_adapt_leads(learn_adapt_t *adapt, int all);
static int  learn_adapt_ahead(const learn_adapt_t *adapt,
    const learn_kind_t *kind, int all);
static void  learn_adapt_twins(learn_adapt_t *adapt);
static int  learn_adapt_twin(const miqps_str_t *one, const miqps_str_t *two);


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
    uint32_t       i, open;
    learn_kind_t  *kind;

    /*
     * With the percent of the fetches that are used up by then, at most, also
     * if rules of paths are to be tried, which need pages, too; and the kinds
     * that are looked at at a time: those with most URLs are to end first, and
     * what is a default in one is likely to be one in the next.
     */
    static const struct {
        learn_adapt_pt  step;
        uint32_t        cap;
        uint32_t        moved;
        uint32_t        kinds;
    } steps[] = {
        { learn_sample,      88, 88, LEARN_ADAPT_KINDS },
        { learn_default,     78, 78, 1 },
        { learn_joint_least, 100, 94, LEARN_ADAPT_ROW },
        { learn_joint_rest,  100, 60, LEARN_ADAPT_ROW / 2 },
        { learn_look,        100, 94, LEARN_ADAPT_KINDS },
        { learn_joint_twice, 100, 58, LEARN_ADAPT_ROW },
        { learn_joint_often, 100, 58, LEARN_ADAPT_ROW },
        { learn_joint_all,   100, 58, LEARN_ADAPT_ROW }
    };

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

    learn_plan_needs(adapt);

    for (s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
        open = 0;
        adapt->sparing = (s >= LEARN_ADAPT_MORE);

        if (steps[s].step == learn_joint_least) {
            learn_plan_defaults(adapt);
        }

        learn_adapt_cap(adapt, learn_adapt_moved(adapt) ? steps[s].moved
                                                        : steps[s].cap);

        for (i = 0; i < adapt->nkinds && open < steps[s].kinds
                    && !adapt->failed; i++)
        {
            kind = &adapt->kinds[i];

            if (learn_plan_open(kind) && kind->steps <= s) {
                if (steps[s].step(adapt, kind)) {
                    kind->steps = (unsigned) s + 1;

                } else {
                    open++;
                }
            }
        }

        if (open > 0 || adapt->failed) {
            return 0;
        }
    }

    adapt->sparing = 0;

    learn_verdict_settle(adapt);
    learn_adapt_cap(adapt, 100);

    if (!learn_ways_rules(adapt) || adapt->failed) {
        return 0;
    }

    learn_verdict_tell(adapt);

    return 1;
}


/* true if rules of paths are to be tried, which need pages, too */

static int
learn_adapt_moved(const learn_adapt_t *adapt)
{
    uint32_t  i;

    for (i = 0; adapt->ways != NULL && i < adapt->ways->nsuspects; i++) {
        if (adapt->ways->states[i] == LEARN_WAY_TAKEN) {
            return 1;
        }
    }

    return 0;
}


/* some are left for what is no page; what was tried again is used up */

static void
learn_adapt_cap(learn_adapt_t *adapt, uint32_t percent)
{
    uint32_t  all;
    uint64_t  gone;

    all = adapt->study->settings->fetches;
    gone = LEARN_ADAPT_SPARE + adapt->study->repeated;
    all -= (all > gone) ? (uint32_t) gone : 0;

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

        if (kind->led || !learn_plan_open(kind) || (kind->twin && !all)) {
            continue;
        }

        if (learn_plan_small(adapt, kind)) {
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
    return !kind->led && learn_plan_open(kind) && (!kind->twin || all)
           && (uint64_t) kind->urls * LEARN_PLAN_SMALL >= adapt->nurls;
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


int
learn_adapt_neutral(const learn_adapt_t *adapt, uint32_t name)
{
    uint32_t              i, k, found;
    const learn_trait_t  *trait;

    found = 0;

    for (i = 0; i < adapt->nkinds && !adapt->ordered
                && !learn_adapt_without(adapt, LEARN_WITHOUT_SHARE); i++)
    {
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


int
learn_adapt_save(learn_adapt_t *adapt)
{
    int  rc;

    if (adapt->mirror) {
        return learn_mirror_save(adapt);
    }

    rc = learn_verdict_save(adapt);

    return (rc == LEARN_EXIT_OK) ? learn_ways_save(adapt) : rc;
}
