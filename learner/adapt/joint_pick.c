
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "joint.h"


#define LEARN_JOINT_PLAIN   4            /* one in so many */

/* what a URL is worth */

#define LEARN_JOINT_NAME    1000         /* that was never tried */
#define LEARN_JOINT_PAGE    1000
#define LEARN_JOINT_PART    300
#define LEARN_JOINT_VALUE   150
#define LEARN_JOINT_SET     100
#define LEARN_JOINT_FRONT   500


#define learn_joint_seen(run, hash)                                          \
    ((run)->seen[(hash) % LEARN_JOINT_BITS / 64] >> ((hash) % 64) & 1)
#define learn_joint_see(run, hash)                                           \
    ((run)->seen[(hash) % LEARN_JOINT_BITS / 64] |=                          \
        UINT64_C(1) << ((hash) % 64))


static uint32_t  learn_joint_worth(const learn_joining_t *run,
    const learn_candidate_t *one);
static uint32_t  learn_joint_target(const learn_joining_t *run,
    uint32_t trait);
static uint32_t  learn_joint_tried(const learn_joining_t *run, uint32_t trait);
static unsigned  learn_joint_viewer(const learn_joining_t *run,
    const learn_candidate_t *one, uint32_t turn);


uint32_t
learn_joint_next(const learn_joining_t *run)
{
    uint32_t  i, k, best, worth, most;

    best = UINT32_MAX;
    most = 0;

    for (i = 0; i < run->joint->n; i++) {
        worth = learn_joint_worth(run, &run->joint->list[i]);

        if (worth <= most) {
            continue;
        }

        for (k = 0; k < run->n && run->order[k] != i; k++) {
            /* void */
        }

        if (k == run->n) {
            best = i;
            most = worth;
        }
    }

    return best;
}


/* 0 if nothing is to be learned from it */

static uint32_t
learn_joint_worth(const learn_joining_t *run, const learn_candidate_t *one)
{
    int                  front;
    uint32_t             i, t, worth, target, tried, fresh;
    const learn_seen_t  *seen;

    static const learn_traits_t  none;

    if (memcmp(&one->less, &none, sizeof(learn_traits_t)) == 0) {
        return 0;
    }

    worth = 0;

    for (t = 0; t < run->kind->ntraits; t++) {

        if (!learn_traits_has(&one->less, t)) {
            continue;
        }

        fresh = (uint32_t) learn_joint_fresh(run, one, t);

        if (run->kind->traits[t].matters && !fresh) {
            continue;
        }

        target = learn_joint_target(run, t);
        tried = learn_joint_tried(run, t);

        if (tried < target) {
            worth += LEARN_JOINT_NAME * (target - tried) / target
                     + fresh * LEARN_JOINT_PAGE;
        }
    }

    fresh = 0;

    for (i = 0; i < LEARN_JOINT_SEGS; i++) {
        fresh += (one->parts[i] != 0 && !learn_joint_seen(run, one->parts[i]));
    }

    front = one->front && !learn_joint_seen(run, one->page)
            && run->fronts < run->adapt->study->settings->values;

    if (worth == 0) {
        return (run->times > 0 && (front || (one->words && fresh > 0)))
               ? LEARN_ADAPT_TRAITS * fresh
                 + (uint32_t) learn_traits_count(&one->less)
               : 0;
    }

    worth += (fresh > 0) ? LEARN_JOINT_PART : 0;
    worth += learn_joint_seen(run, one->set) ? 0 : LEARN_JOINT_SET;
    worth += front ? LEARN_JOINT_FRONT : 0;

    seen = &run->adapt->urls[one->url];

    for (i = 0; i < seen->npieces; i++) {
        t = learn_joint_hash(LEARN_JOINT_OF_VALUE, seen->pieces[i].text.data,
                             seen->pieces[i].text.len);
        worth += learn_joint_seen(run, t) ? 0 : LEARN_JOINT_VALUE;
    }

    /* what is left of it was fetched already */

    return learn_joint_seen(run, one->page) ? 2 * worth : worth;
}


/* trials of a name that are wanted, */

static uint32_t
learn_joint_target(const learn_joining_t *run, uint32_t trait)
{
    uint32_t              need, all;
    const learn_trait_t  *one;

    one = &run->kind->traits[trait];
    need = one->need;
    all = run->adapt->study->settings->values;

    /* lists of trackers say enough of them */

    if (!run->adapt->names[one->name].tracker) {
        all *= (run->times > 1) ? run->times : 1;
    }

    return (run->times > 0 && need < all) ? all : need;
}


/* and those that were: of trackers, wherever their values are from */

static uint32_t
learn_joint_tried(const learn_joining_t *run, uint32_t trait)
{
    uint32_t              tried, target;
    const learn_trait_t  *one;

    one = &run->kind->traits[trait];
    target = learn_joint_target(run, trait);

    tried = run->adapt->names[one->name].tracker ? run->same[trait]
                                                 : run->own[trait];

    if (run->viewers[trait] != LEARN_ADAPT_ALL && tried >= target
        && target > 0)
    {
        return target - 1;
    }

    return tried;
}


/* a trial that was made, or that is taken for passed until it is */

void
learn_joint_count(learn_joining_t *run, uint32_t place, uint32_t turn,
    int passed)
{
    uint32_t                  i, t, hash;
    learn_home_t              home;
    learn_traits_t            group;
    const learn_seen_t       *seen;
    const learn_candidate_t  *one;

    one = &run->joint->list[place];
    learn_joint_trial(run, place, turn, &home, &group);

    for (t = 0; t < run->kind->ntraits; t++) {

        if (learn_traits_has(&group, t) && passed) {
            run->same[t]++;
            run->viewers[t] |= 1u << home.viewer;
            run->own[t] += learn_traits_has(&home.less, t)
                           && (learn_joint_fresh(run, one, t)
                               || !run->kind->traits[t].matters);
        }

        if (learn_traits_has(&home.less, t)) {
            hash = learn_joint_hash(LEARN_JOINT_OF_NAME + t, &one->page,
                                    sizeof(uint32_t));
            learn_joint_see(run, hash);
        }
    }

    run->by[run->n] = (uint8_t) home.viewer;
    run->order[run->n++] = place;
    run->fronts += one->front;

    hash = learn_joint_hash(LEARN_JOINT_OF_VIEW + home.viewer, &one->page,
                            sizeof(uint32_t));
    learn_joint_see(run, hash);

    learn_joint_see(run, one->page);
    learn_joint_see(run, one->set);

    for (i = 0; i < LEARN_JOINT_SEGS; i++) {
        if (one->parts[i] != 0) {
            learn_joint_see(run, one->parts[i]);
        }
    }

    seen = &run->adapt->urls[one->url];

    for (i = 0; i < seen->npieces; i++) {
        hash = learn_joint_hash(LEARN_JOINT_OF_VALUE,
                                seen->pieces[i].text.data,
                                seen->pieces[i].text.len);
        learn_joint_see(run, hash);
    }
}


/* what is tried: all that goes, and what is added to it */

void
learn_joint_trial(const learn_joining_t *run, uint32_t place, uint32_t turn,
    learn_home_t *home, learn_traits_t *group)
{
    size_t                    i;
    const learn_candidate_t  *one;

    one = &run->joint->list[place];

    home->url = one->url;
    home->less = one->less;
    home->turn = turn;
    home->viewer = learn_joint_viewer(run, one, turn);
    memset(&home->more, 0, sizeof(learn_traits_t));

    for (i = 0; i < sizeof(group->bits) / sizeof(group->bits[0]); i++) {

        if (turn % LEARN_JOINT_PLAIN != LEARN_JOINT_PLAIN - 1) {
            home->more.bits[i] = run->joint->loose.bits[i] & ~one->has.bits[i];
        }

        group->bits[i] = home->less.bits[i] | home->more.bits[i];
    }
}


/*
 * One after the other; but what is left of it is not fetched for both, unless
 * it is the last thing that a name wants.
 */

static unsigned
learn_joint_viewer(const learn_joining_t *run, const learn_candidate_t *one,
    uint32_t turn)
{
    unsigned  i, n, viewer;
    uint32_t  t, hash;

    for (t = 0; t < run->kind->ntraits; t++) {

        if (!learn_traits_has(&one->less, t)
            || run->kind->traits[t].matters
            || run->viewers[t] == LEARN_ADAPT_ALL
            || learn_joint_tried(run, t) + 1 < learn_joint_target(run, t))
        {
            continue;
        }

        for (i = 0; run->viewers[t] >> i & 1; i++) {
            /* void */
        }

        return i;
    }

    viewer = turn % LEARN_VIEWERS;

    for (i = 0, n = 0; i < LEARN_VIEWERS; i++) {
        hash = learn_joint_hash(LEARN_JOINT_OF_VIEW + i, &one->page,
                                sizeof(uint32_t));

        if (learn_joint_seen(run, hash)) {
            viewer = (n++ == 0) ? i : turn % LEARN_VIEWERS;
        }
    }

    return viewer;
}


/* true if the name was not tried with this page */

int
learn_joint_fresh(const learn_joining_t *run, const learn_candidate_t *one,
    uint32_t trait)
{
    uint32_t  hash;

    hash = learn_joint_hash(LEARN_JOINT_OF_NAME + trait, &one->page,
                            sizeof(uint32_t));

    return !learn_joint_seen(run, hash);
}
