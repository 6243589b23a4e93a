
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "joint.h"


/*
 * WHOLE URLS, AND WHAT IS LEFT OF THEM
 *
 * It is what will be done to them, tried on some of them.  The next one is that
 * from which most is to be learned: names with few trials of their own, another
 * page than before, other segments in its path, other values, other names with
 * them, and names that go in front of some that stay, since there are programs
 * that do not read on behind a name that they do not know.  If a URL differs
 * from what is left of it, and does not where the same names are at its end,
 * the host has such a program, and no name goes, whatever is known of it.
 *
 * To three URLs in four those names are added, behind all others, that go and
 * that they have not, with values of other URLs; one in four is as it came.
 *
 * First each kind gets what is needed at least, where others with the same
 * names count, too; and then, kind after kind, what is needed in it alone.
 * Where the path has segments of which there are only some, each is tried.
 *
 * That is enough for names that matter for one page in five.  Many matter for
 * fewer: languages into which few pages are translated, pages of lists that are
 * mostly short, previews of drafts.  What is left of the budget is for these:
 * twice as many trials, and then twice as many again, as far as it goes.
 */

#define LEARN_JOINT_AHEAD   8
#define LEARN_JOINT_SPARE   32           /* fetches, for second looks */


static int  learn_joint_run(learn_adapt_t *adapt, learn_kind_t *kind,
    uint32_t times);
static int  learn_joint_ask(learn_joining_t *run, uint32_t place,
    uint32_t turn);
static int  learn_joint_differs(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_traits_t *group,
    const miqps_str_t *poor, learn_pair_t *pair);
static miqps_str_t  learn_joint_behind(const learn_joining_t *run,
    const learn_home_t *home, const miqps_str_t *poor);
static int  learn_joint_spare(const learn_joining_t *run,
    const miqps_str_t *rich, unsigned viewer);
static int  learn_joint_nothing(learn_joining_t *run, const learn_home_t *home,
    const miqps_str_t *rich, const miqps_str_t *poor);
static void  learn_joint_note(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_pair_t *pair);


int
learn_joint_least(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_joint_run(adapt, kind, 0);
}


int
learn_joint_rest(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 1);
}


int
learn_joint_twice(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 2);
}


int
learn_joint_often(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 4);
}


int
learn_joint_all(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 8);
}


static int
learn_joint_run(learn_adapt_t *adapt, learn_kind_t *kind, uint32_t times)
{
    int               over, rc;
    uint32_t          i, place, ahead, missed;
    learn_joining_t   run;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_JOINT)) {
        return 1;
    }

    learn_kind_again(kind);
    kind->odd = 0;

    if (kind->joint == NULL && !learn_joint_create(adapt, kind)) {
        adapt->failed = 1;
        return 0;
    }

    memset(&run, 0, sizeof(learn_joining_t));

    run.adapt = adapt;
    run.kind = kind;
    run.joint = kind->joint;
    run.times = times;

    for (i = 0; i < kind->ntraits; i++) {
        run.own[i] = kind->traits[i].own;
        run.same[i] = kind->traits[i].same;
        run.viewers[i] = kind->traits[i].viewers;
    }

    learn_joint_fill(&run);

    for (i = 0; i < kind->joint->ndone; i++) {
        learn_joint_count(&run, kind->joint->done[i], i, 0);
    }

    over = 1;
    ahead = 0;
    missed = 0;

    /* the first ones tell best what matters after all, and others need less */

    while (run.n < LEARN_JOINT_MOST && ahead < LEARN_JOINT_AHEAD
           && 2 * ahead <= run.n && !adapt->failed)
    {
        learn_joint_fill(&run);
        place = learn_joint_next(&run);

        if (place == UINT32_MAX) {
            break;
        }

        rc = learn_joint_ask(&run, place, run.n);

        /* the budget is over, but pages may have come for others */

        if (rc < 0 && missed++ == LEARN_JOINT_AHEAD) {
            break;
        }

        if (rc == 0) {
            over = 0;
            ahead++;
            adapt->ahead = 1;
        }

        learn_joint_count(&run, place, run.n, rc == 0);

        for (i = 0; rc > 0 && i < kind->ntraits; i++) {
            run.own[i] = kind->traits[i].own;
            run.same[i] = kind->traits[i].same;
            run.viewers[i] = kind->traits[i].viewers;
        }
    }

    adapt->ahead = 0;

    if (!over || adapt->failed) {
        return 0;
    }

    learn_joint_homes(&run);

    memcpy(kind->joint->done, run.order, run.n * sizeof(uint32_t));
    memcpy(kind->joint->viewers, run.by, run.n);
    kind->joint->ndone = run.n;

    return learn_kind_next(adapt, kind);
}


/* 1 when it is known, 0 to wait, -1 if the budget is over */

static int
learn_joint_ask(learn_joining_t *run, uint32_t place, uint32_t turn)
{
    miqps_str_t      rich, poor;
    learn_said_e     rc;
    learn_home_t     home;
    learn_pair_t     pair;
    learn_kind_t    *kind;
    learn_adapt_t   *adapt;
    learn_traits_t   group;

    adapt = run->adapt;
    kind = run->kind;

    learn_joint_trial(run, place, turn, &home, &group);

    if (learn_adapt_without(adapt, LEARN_WITHOUT_GROUPS)) {
        memset(&home.more, 0, sizeof(learn_traits_t));
        group = home.less;
    }

    rich = learn_form_home(adapt, kind, &home, &group);
    poor = learn_form_less(adapt, kind, home.url, &home.less);

    if (rich.len == 0 || poor.len == 0) {
        return adapt->failed ? 0 : 1;
    }

    if (!learn_joint_spare(run, &rich, home.viewer)
        || learn_again_visit(adapt, kind, &rich, home.viewer, 0) == NULL
        || learn_again_visit(adapt, kind, &poor, home.viewer, 0) == NULL)
    {
        return -1;
    }

    rc = learn_inquire(adapt, kind, &rich, &poor, home.viewer,
                       learn_form_names(adapt, kind, &group), &pair);

    switch (rc) {

    case LEARN_SAID_WAIT:
        return 0;

    case LEARN_SAID_SAME:
        learn_joint_note(run, place, &home, &pair);
        return 1;

    case LEARN_SAID_DIFFERS:
        return learn_joint_differs(run, place, &home, &group, &poor, &pair);

    default: /* LEARN_SAID_NOTHING */
        return learn_joint_nothing(run, &home, &rich, &poor);
    }
}


/* it is found out which names make the difference, or that their place does */

static int
learn_joint_differs(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_traits_t *group,
    const miqps_str_t *poor, learn_pair_t *pair)
{
    miqps_str_t     behind;
    learn_pair_t    other;
    learn_said_e    rc;

    if (run->joint->list[place].front) {
        behind = learn_joint_behind(run, home, poor);

        rc = (behind.len == 0)
             ? LEARN_SAID_NOTHING
             : learn_inquire_by(run->adapt, run->kind, &behind, poor,
                                home->viewer,
                                learn_form_names(run->adapt, run->kind,
                                                 group),
                                &other, LEARN_LOOKS_NONE);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc == LEARN_SAID_SAME) {
            run->adapt->ordered = 1;
            return 1;
        }
    }

    if (learn_traits_count(group) == 1) {
        learn_joint_note(run, UINT32_MAX, home, pair);
    }

    return learn_kind_blame(run->adapt, run->kind, home, group,
                            pair->differs);
}


/* what is left of a URL, and what goes at its end, as it came */

static miqps_str_t
learn_joint_behind(const learn_joining_t *run, const learn_home_t *home,
    const miqps_str_t *poor)
{
    uint32_t              i, t;
    miqps_str_t           made;
    const learn_seen_t   *seen;

    seen = &run->adapt->urls[home->url];
    made = *poor;

    for (i = 0; i < seen->npieces && made.len > 0; i++) {

        for (t = 0; run->kind->traits[t].name != seen->pieces[i].name; t++) {
            /* void */
        }

        if (learn_traits_has(&home->less, t)) {
            made = learn_form_with(run->adapt, &made, &seen->pieces[i].text);
        }
    }

    return (made.len > 0)
           ? learn_form_more(run->adapt, run->kind, &made, &home->more,
                             home->turn)
           : made;
}


/*
 * True if there are fetches left for what follows from a difference: without
 * them noise would be one.  What was begun is ended.
 */

static int
learn_joint_spare(const learn_joining_t *run, const miqps_str_t *rich,
    unsigned viewer)
{
    const learn_visit_t  *visit;

    if (run->times < 2
        || run->adapt->asked + LEARN_JOINT_SPARE
           + learn_again_moved(run->adapt, run->adapt->waiting)
           < run->adapt->cap)
    {
        return 1;
    }

    if (learn_adapt_without(run->adapt, LEARN_WITHOUT_VIEWERS)) {
        viewer = 0;
    }

    visit = learn_visit_find(run->adapt->study, rich, viewer);

    return visit != NULL && visit->touched;
}


/*
 * A URL that is no page says nothing.  If it is one, and what is left of it
 * cannot be had, what makes it so is not relied on.
 */

static int
learn_joint_nothing(learn_joining_t *run, const learn_home_t *home,
    const miqps_str_t *rich, const miqps_str_t *poor)
{
    size_t           i;
    learn_traits_t   group;
    learn_visit_t   *one, *two;

    one = learn_again_visit(run->adapt, run->kind, rich, home->viewer, 0);
    two = learn_again_visit(run->adapt, run->kind, poor, home->viewer, 0);

    if (one == NULL || two == NULL
        || learn_visit_worth(one) != LEARN_WORTH_PAGE
        || learn_visit_worth(two) == LEARN_WORTH_PAGE)
    {
        return 1;
    }

    for (i = 0; i < sizeof(group.bits) / sizeof(group.bits[0]); i++) {
        group.bits[i] = home->less.bits[i] | home->more.bits[i];
    }

    return learn_kind_blame(run->adapt, run->kind, home, &group,
                            LEARN_DIFFERS_NOTHING);
}


/* the same page; or, with UINT32_MAX, another one, by the only name of it */

static void
learn_joint_note(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_pair_t *pair)
{
    uint32_t        t;
    learn_trait_t  *trait;

    for (t = 0; t < run->kind->ntraits; t++) {
        trait = &run->kind->traits[t];

        if (!learn_traits_has(&home->less, t)
            && !learn_traits_has(&home->more, t))
        {
            continue;
        }

        learn_trait_note(trait, pair, place == UINT32_MAX);

        if (place != UINT32_MAX) {
            trait->viewers |= 1u << home->viewer;
            trait->own += learn_traits_has(&home->less, t)
                          && (!trait->matters
                              || learn_joint_fresh(run,
                                           &run->joint->list[place], t));
        }
    }
}


int
learn_joint_visits(learn_adapt_t *adapt, const learn_kind_t *kind, uint32_t n,
    learn_visit_t **poor)
{
    uint32_t                  place;
    miqps_str_t               url;
    const learn_candidate_t  *one;

    if (kind->joint == NULL || n >= kind->joint->ndone) {
        return 0;
    }

    place = kind->joint->done[n];
    one = &kind->joint->list[place];
    url = learn_form_less(adapt, kind, one->url, &one->less);
    *poor = (url.len > 0)
            ? learn_visit_of(adapt->study, &url, kind->joint->viewers[n], 0)
            : NULL;

    return 1;
}
