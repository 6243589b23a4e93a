
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_SAMPLE_AHEAD  8            /* pages that are asked for at once */
#define LEARN_SAMPLE_MOST   40           /* turns */


static int  learn_sample_enough(const learn_kind_t *kind,
    const learn_traits_t *loose);
static int  learn_sample_ask(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_base_t *base, const learn_traits_t *group, uint32_t turn,
    unsigned viewer);
static int  learn_sample_each(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn);
static int  learn_sample_turn(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn);


/*
 * Without trials of whole URLs: to what is left of some of them, names are
 * added with values of others, one more of each with each fetch.
 */

int
learn_sample(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int             over;
    uint32_t        turn, ahead;
    learn_traits_t  loose;

    if (!learn_adapt_without(adapt, LEARN_WITHOUT_JOINT)) {
        return 1;
    }

    learn_kind_again(kind);

    kind->odd = 0;
    over = 1;
    ahead = 0;

    for (turn = 0; turn < LEARN_SAMPLE_MOST && ahead < LEARN_SAMPLE_AHEAD;
         turn++)
    {
        learn_kind_loose(adapt, kind, &loose);

        if (learn_sample_enough(kind, &loose)
            || (!over && turn >= LEARN_SAMPLE_MOST / 2))
        {
            break;
        }

        if (!learn_sample_each(adapt, kind, &loose, turn)) {
            over = 0;
            ahead++;
            adapt->ahead = 1;
        }
    }

    adapt->ahead = 0;

    return over && learn_kind_next(adapt, kind);
}


/* true if there is nothing to be tried, or all of it was */

static int
learn_sample_enough(const learn_kind_t *kind, const learn_traits_t *loose)
{
    uint32_t              i;
    const learn_trait_t  *trait;

    for (i = 0; i < kind->ntraits; i++) {
        trait = &kind->traits[i];

        if (learn_traits_has(loose, i)
            && (trait->same < trait->need
                || trait->viewers != LEARN_ADAPT_ALL))
        {
            return 0;
        }
    }

    return 1;
}


/* one more value of each, of all at once or of one after the other */

static int
learn_sample_each(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn)
{
    int             over;
    uint32_t        i;
    learn_traits_t  one;

    if (!learn_adapt_without(adapt, LEARN_WITHOUT_GROUPS)) {
        return learn_sample_turn(adapt, kind, loose, turn);
    }

    over = 1;

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_traits_has(loose, i)) {
            memset(&one, 0, sizeof(learn_traits_t));
            learn_traits_add(&one, i);
            over &= learn_sample_turn(adapt, kind, &one, turn);
        }
    }

    return over;
}


/* a group of names is added to one of the bases */

static int
learn_sample_turn(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn)
{
    size_t          n;
    learn_base_t    bases[LEARN_ADAPT_BASES];
    learn_traits_t  all;

    learn_kind_loose(adapt, kind, &all);
    n = learn_kind_bases(adapt, kind, &all, bases, LEARN_ADAPT_BASES);

    if (n == 0) {
        return 1;
    }

    return learn_sample_ask(adapt, kind, &bases[turn % n], loose, turn,
                            (unsigned) (turn / n) % LEARN_VIEWERS);
}


static int
learn_sample_ask(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_base_t *base, const learn_traits_t *group, uint32_t turn,
    unsigned viewer)
{
    uint32_t        i;
    miqps_str_t     rich;
    learn_home_t    home;
    learn_said_e    rc;
    learn_pair_t    pair;
    learn_trait_t  *trait;

    learn_kind_loose(adapt, kind, &home.less);

    home.url = base->home;
    home.more = home.less;
    home.turn = turn;
    home.viewer = viewer;

    rich = learn_form_home(adapt, kind, &home, group);
    rc = learn_inquire(adapt, kind, &rich, &base->url, viewer,
                       learn_form_names(adapt, kind, group), &pair);

    if (rc == LEARN_SAID_DIFFERS) {
        return learn_kind_blame(adapt, kind, &home, group, pair.differs);
    }

    for (i = 0; rc == LEARN_SAID_SAME && i < kind->ntraits; i++) {
        trait = &kind->traits[i];

        if (learn_traits_has(group, i)) {
            learn_trait_note(trait, &pair, 0);
            trait->viewers |= 1u << viewer;
        }
    }

    return rc != LEARN_SAID_WAIT;
}
