
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


/*
 * LOOKING AT A PAGE AGAIN
 *
 * What differs between two looks at a page is noise, and holds for its kind.
 * Where it is much, one of the looks may have gone wrong: a page that was not
 * ready, a busy moment that says so.  What that took away must not be taken for
 * noise, so a third look tells.
 */

#define LEARN_AGAIN_APART   (2 * LEARN_LANE_SECOND + LEARN_LANE_SECOND / 10)
#define LEARN_AGAIN_STABLE  8             /* words that are needed */
#define LEARN_AGAIN_MOVED   16            /* one in so many is many */


/* how two looks differ */

typedef enum {
    LEARN_AGAIN_SAME = 0,
    LEARN_AGAIN_LITTLE,
    LEARN_AGAIN_MUCH
} learn_again_e;


static int  learn_again_third(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer, learn_visit_t *one,
    learn_visit_t *two);
static learn_again_e  learn_again_compare(learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_visit_t *one,
    const learn_visit_t *two, learn_differ_t *how);
static void  learn_again_noise(learn_adapt_t *adapt, learn_kind_t *kind,
    learn_visit_t *one, learn_visit_t *two);


learn_said_e
learn_again_twice(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer)
{
    learn_visit_t   *one, *two;
    learn_differ_t   how;

    one = learn_again_visit(adapt, kind, url, viewer, 0);
    two = learn_adapt_without(adapt, LEARN_WITHOUT_CONTROL)
          ? one : learn_again_visit(adapt, kind, url, viewer, 1);

    if (one == NULL || two == NULL) {
        return LEARN_SAID_NOTHING;
    }

    if (one->state != LEARN_VISIT_DONE || two->state != LEARN_VISIT_DONE
        || adapt->ahead)
    {
        return LEARN_SAID_WAIT;
    }

    if (learn_visit_worth(one) != LEARN_WORTH_PAGE
        || learn_visit_worth(two) != LEARN_WORTH_PAGE)
    {
        return LEARN_SAID_NOTHING;
    }

    if (!learn_again_learn(adapt, kind, url, viewer, one, two)) {
        return LEARN_SAID_WAIT;
    }

    (void) learn_again_compare(adapt, kind, one, two, &how);

    if (one->lines.cut) {
        kind->why = "pages are too long to be compared";

    } else if (how.all < how.masked + LEARN_AGAIN_STABLE
               || 2 * how.masked > how.all)
    {
        kind->why = "too little of a page stays the same";
    }

    return adapt->failed ? LEARN_SAID_WAIT : LEARN_SAID_SAME;
}


int
learn_again_learn(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer, learn_visit_t *one,
    learn_visit_t *two)
{
    learn_differ_t  how;

    if (two->compared) {
        return 1;
    }

    if (learn_again_compare(adapt, kind, one, two, &how) == LEARN_AGAIN_MUCH
        && url != NULL)
    {
        if (!learn_again_third(adapt, kind, url, viewer, one, two)) {
            return 0;
        }

    } else {
        learn_again_noise(adapt, kind, one, two);
    }

    if (url != NULL
        && learn_again_compare(adapt, kind, one, two, &how)
           == LEARN_AGAIN_SAME)
    {
        one->steady = 1;
        two->steady = 1;
    }

    two->compared = 1;

    return 1;
}


/*
 * If the third is one of the two, but for little, the other one went wrong; if
 * it is neither, pages are like that.  0 while it is to come.
 */

static int
learn_again_third(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer, learn_visit_t *one,
    learn_visit_t *two)
{
    learn_visit_t   *three;
    learn_differ_t   how;

    three = learn_again_visit(adapt, kind, url, viewer, 2);

    if (three == NULL) {
        return 1;
    }

    if (three->state != LEARN_VISIT_DONE) {
        return 0;
    }

    if (learn_visit_worth(three) != LEARN_WORTH_PAGE) {
        return 1;
    }

    if (learn_again_compare(adapt, kind, two, three, &how)
        != LEARN_AGAIN_MUCH)
    {
        learn_again_noise(adapt, kind, two, three);
        return 1;
    }

    if (learn_again_compare(adapt, kind, one, three, &how)
        == LEARN_AGAIN_MUCH)
    {
        learn_again_noise(adapt, kind, one, two);
    }

    learn_again_noise(adapt, kind, one, three);

    return 1;
}


static learn_again_e
learn_again_compare(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_visit_t *one, const learn_visit_t *two, learn_differ_t *how)
{
    learn_arena_clear(&adapt->compare);

    if (!learn_noise_compare(&kind->noise, &one->lines, &two->lines, NULL, how,
                             &adapt->compare))
    {
        adapt->failed = 1;
        return LEARN_AGAIN_SAME;
    }

    if (how->lines == 0) {
        return LEARN_AGAIN_SAME;
    }

    return (how->words * LEARN_ADAPT_LARGE >= how->all) ? LEARN_AGAIN_MUCH
                                                        : LEARN_AGAIN_LITTLE;
}


static void
learn_again_noise(learn_adapt_t *adapt, learn_kind_t *kind,
    learn_visit_t *one, learn_visit_t *two)
{
    learn_arena_clear(&adapt->compare);

    if (!learn_noise_learn(&kind->noise, &one->lines, &two->lines,
                           &adapt->compare))
    {
        adapt->failed = 1;
    }

    kind->looks++;
}


learn_visit_t *
learn_again_visit(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer, unsigned turn)
{
    learn_visit_t  *visit, *before;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_VIEWERS)) {
        viewer = 0;
    }

    visit = learn_visit_of(adapt->study, url, viewer, turn);

    if (visit == NULL) {
        adapt->failed = 1;
        return NULL;
    }

    if (!visit->touched) {

        if (adapt->asked >= adapt->cap) {
            return NULL;
        }

        visit->touched = 1;
        adapt->asked++;
        kind->asked++;
    }

    if (visit->state == LEARN_VISIT_DONE) {

        /* a redirect was a fetch, too */

        if (visit->row.location.len > 0 && !visit->counted) {
            visit->counted = 1;
            adapt->moved++;
            adapt->asked++;
            kind->asked++;
        }

        return visit;
    }

    adapt->waiting++;

    /* once more, but not too soon */

    if (turn > 0 && turn != LEARN_AGAIN_SOON) {
        before = learn_again_visit(adapt, kind, url, viewer, turn - 1);

        if (before == NULL || before->state != LEARN_VISIT_DONE) {
            return (before != NULL) ? visit : NULL;
        }

        if (before->ended != 0 && visit->not_before == 0
            && !learn_adapt_without(adapt, LEARN_WITHOUT_TIME))
        {
            visit->not_before = before->ended + LEARN_AGAIN_APART;
        }
    }

    learn_visit_want(adapt->study, visit);

    return visit;
}


uint32_t
learn_again_moved(const learn_adapt_t *adapt, uint32_t pages)
{
    if (adapt->moved * LEARN_AGAIN_MOVED > adapt->asked) {
        return pages;
    }

    return (uint32_t) ((uint64_t) pages * adapt->moved / (adapt->asked + 1));
}
