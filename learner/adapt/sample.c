
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_SAMPLE_AHEAD  8            /* pages that are asked for at once */


static int  learn_sample_enough(const learn_kind_t *kind,
    const learn_traits_t *loose);
static int  learn_sample_turn(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn);


int
learn_sample(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int             over;
    uint32_t        turn, ahead;
    learn_traits_t  loose;

    learn_kind_again(kind);

    kind->odd = 0;
    over = 1;
    ahead = 0;

    for (turn = 0; turn < 2 * kind->share && ahead < LEARN_SAMPLE_AHEAD;
         turn++)
    {
        learn_kind_loose(adapt, kind, &loose);

        if (learn_sample_enough(kind, &loose)
            || (!over && turn >= kind->share))
        {
            break;
        }

        if (!learn_sample_turn(adapt, kind, &loose, turn)) {
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
                || trait->viewers != (1u << LEARN_VIEWERS) - 1))
        {
            return 0;
        }
    }

    return 1;
}


/* one more value of each, with one of the bases */

static int
learn_sample_turn(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn)
{
    size_t               n;
    uint32_t             i;
    unsigned             viewer;
    learn_said_e          rc;
    miqps_str_t          rich;
    learn_pair_t         pair;
    learn_trait_t       *trait;
    learn_base_t         bases[LEARN_ADAPT_BASES];
    const learn_base_t  *base;

    n = learn_kind_bases(adapt, kind, loose, bases,
                         (kind->share > LEARN_ADAPT_BASES)
                         ? LEARN_ADAPT_BASES : LEARN_ADAPT_BASES / 2);

    if (n == 0) {
        return 1;
    }

    base = &bases[turn % n];
    viewer = (unsigned) (turn / n) % LEARN_VIEWERS;

    rich = learn_form_more(adapt, kind, &base->url, loose, turn);
    rc = learn_inquire(adapt, kind, &rich, &base->url, viewer,
                   learn_form_names(adapt, kind, loose), &pair);

    if (rc == LEARN_SAID_DIFFERS) {
        return learn_kind_blame(adapt, kind, &base->url, loose, turn, viewer,
                                pair.differs);
    }

    for (i = 0; rc == LEARN_SAID_SAME && i < kind->ntraits; i++) {
        trait = &kind->traits[i];

        if (learn_traits_has(loose, i)) {
            learn_trait_note(trait, &pair, 0);
            trait->viewers |= 1u << viewer;
        }
    }

    return rc != LEARN_SAID_WAIT;
}
