
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


/*
 * Names that are neutral by what is sent are looked at once more, as a browser
 * draws it.  Three pictures tell, all names of a kind at once:
 *
 *     a    the page of a URL with the names, shown there
 *     b    the page of the URL without them, shown where the other one is
 *     c    the same, shown where it is
 *
 * If "a" and "b" differ, something that is sent differs and can be seen, but
 * not read: the names matter.  If "b" and "c" do, which are drawn from one
 * response, it is the page's own script that reads the URL: these are the
 * client's.  In both cases halves of the names tell which of them it is.
 *
 * What differs by itself is no difference: pages that seem to differ are
 * fetched again, and only regions count that are always the same with the
 * names, always the same without them, and never the same in both.
 */

#define LEARN_LOOK_TURNS   2             /* values of a name */
#define LEARN_LOOK_AGAIN   3             /* fetches of what differs */
#define LEARN_LOOK_MOST    200           /* looks at a kind, at most */


typedef struct {
    learn_adapt_t     *adapt;
    learn_kind_t      *kind;
    miqps_str_t        base;
    uint32_t           turn;
    unsigned           viewer;
} learn_look_t;


/* what is said of a group of names */

typedef struct {
    unsigned           wait:1;
    unsigned           matters:1;
    unsigned           client:1;
    learn_pair_t       pair;
} learn_seeing_t;


static int  learn_look_turn(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn);
static int  learn_look_split(learn_look_t *look, const learn_traits_t *group);
static void  learn_look_group(learn_look_t *look, const learn_traits_t *group,
    learn_seeing_t *seeing);
static unsigned  learn_look_differ(learn_look_t *look,
    const miqps_str_t *one, const miqps_str_t *two, const miqps_str_t *as,
    unsigned *wait);
static unsigned  learn_look_client(learn_look_t *look,
    const learn_visit_t *there, const learn_visit_t *here,
    const miqps_str_t *as, unsigned *wait);
static int  learn_look_mask(const learn_visit_t *one, const learn_visit_t *two,
    int differ, learn_regions_t *regions);
static learn_visit_t  *learn_look_visit(learn_look_t *look,
    const miqps_str_t *url, const miqps_str_t *as, unsigned turn);
static void  learn_look_note(learn_kind_t *kind, const learn_traits_t *group,
    const learn_seeing_t *seeing);


int
learn_look(learn_adapt_t *adapt, learn_kind_t *kind)
{
    uint32_t        turn;
    learn_traits_t  loose;

    if (adapt->study->painter == NULL) {
        return 1;
    }

    learn_kind_again(kind);
    kind->drawn = 0;

    for (turn = 0; turn < LEARN_LOOK_TURNS; turn++) {
        learn_kind_loose(adapt, kind, &loose);

        if (!learn_look_turn(adapt, kind, &loose, turn)) {
            return 0;
        }
    }

    return learn_kind_next(adapt, kind);
}


static int
learn_look_turn(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t turn)
{
    size_t        n;
    learn_look_t  look;
    learn_base_t  bases[LEARN_LOOK_TURNS];

    static const learn_traits_t  none;

    if (memcmp(loose, &none, sizeof(learn_traits_t)) == 0) {
        return 1;
    }

    n = learn_kind_bases(adapt, kind, loose, bases, LEARN_LOOK_TURNS);

    if (n == 0) {
        return 1;
    }

    look.adapt = adapt;
    look.kind = kind;
    look.base = bases[turn % n].url;
    look.turn = turn;
    look.viewer = turn % LEARN_VIEWERS;

    return learn_look_split(&look, loose);
}


/* where neither half does it, both do */

static int
learn_look_split(learn_look_t *look, const learn_traits_t *group)
{
    size_t          n;
    learn_traits_t  list[LEARN_ADAPT_TRAITS], half[2];
    learn_seeing_t  all, one, two;

    list[0] = *group;

    for (n = 1; n > 0; /* void */ ) {
        n--;

        learn_look_group(look, &list[n], &all);

        if (all.wait) {
            return 0;
        }

        if (!all.matters && !all.client) {
            continue;
        }

        if (learn_traits_count(&list[n]) == 1) {
            learn_look_note(look->kind, &list[n], &all);
            continue;
        }

        learn_traits_split(&list[n], &half[0], &half[1]);

        learn_look_group(look, &half[0], &one);
        learn_look_group(look, &half[1], &two);

        if (one.wait || two.wait) {
            return 0;
        }

        if ((all.matters && !one.matters && !two.matters)
            || (all.client && !one.client && !two.client))
        {
            learn_look_note(look->kind, &list[n], &all);
            continue;
        }

        list[n] = half[0];
        list[n + 1] = half[1];
        n += 2;
    }

    return 1;
}


static void
learn_look_group(learn_look_t *look, const learn_traits_t *group,
    learn_seeing_t *seeing)
{
    unsigned        wait;
    miqps_str_t     rich;
    learn_visit_t  *a, *b, *c;

    memset(seeing, 0, sizeof(learn_seeing_t));

    rich = learn_form_more(look->adapt, look->kind, &look->base, group,
                           look->turn);

    if (rich.len == 0) {
        return;
    }

    a = learn_look_visit(look, &rich, &rich, 0);
    b = learn_look_visit(look, &look->base, &rich, 0);
    c = learn_look_visit(look, &look->base, &look->base, 0);

    if (a == NULL || b == NULL || c == NULL) {
        return;
    }

    if (a->state != LEARN_VISIT_DONE || b->state != LEARN_VISIT_DONE
        || c->state != LEARN_VISIT_DONE)
    {
        seeing->wait = 1;
        return;
    }

    if (learn_visit_worth(a) != LEARN_WORTH_PAGE
        || learn_visit_worth(b) != LEARN_WORTH_PAGE
        || learn_visit_worth(c) != LEARN_WORTH_PAGE)
    {
        return;
    }

    wait = 0;

    seeing->matters = learn_look_differ(look, &rich, &look->base, &rich,
                                        &wait);
    seeing->client = learn_look_client(look, b, c, &rich, &wait);
    seeing->wait = wait;

    seeing->pair.original = a->row.hash;
    seeing->pair.variant = c->row.hash;
    seeing->pair.differs = seeing->matters
                           ? LEARN_DIFFERS_PICTURE|LEARN_DIFFERS_ID
                           : LEARN_DIFFERS_PICTURE|LEARN_DIFFERS_CLIENT;
}


/* two URLs, both shown at "as" */

static unsigned
learn_look_differ(learn_look_t *look, const miqps_str_t *one,
    const miqps_str_t *two, const miqps_str_t *as, unsigned *wait)
{
    unsigned          i, k;
    learn_regions_t   regions;
    learn_visit_t    *ones[LEARN_LOOK_AGAIN], *twos[LEARN_LOOK_AGAIN];

    memset(&regions, 0xff, sizeof(learn_regions_t));

    for (i = 0; i < LEARN_LOOK_AGAIN; i++) {
        ones[i] = learn_look_visit(look, one, as, i);
        twos[i] = learn_look_visit(look, two, as, i);

        if (ones[i] == NULL || twos[i] == NULL) {
            return i > 0;
        }

        if (ones[i]->state != LEARN_VISIT_DONE
            || twos[i]->state != LEARN_VISIT_DONE)
        {
            *wait = 1;
            return 0;
        }

        if (learn_visit_worth(ones[i]) != LEARN_WORTH_PAGE
            || learn_visit_worth(twos[i]) != LEARN_WORTH_PAGE
            || !learn_look_mask(ones[0], ones[i], 0, &regions)
            || !learn_look_mask(twos[0], twos[i], 0, &regions))
        {
            return 0;
        }

        for (k = 0; k <= i; k++) {
            if (!learn_look_mask(ones[i], twos[k], 1, &regions)
                || !learn_look_mask(ones[k], twos[i], 1, &regions))
            {
                return 0;
            }
        }

        if (learn_regions_count(&regions) == 0) {
            return 0;
        }
    }

    return 1;
}


/* one response, shown at "as" and where it is */

static unsigned
learn_look_client(learn_look_t *look, const learn_visit_t *there,
    const learn_visit_t *here, const miqps_str_t *as, unsigned *wait)
{
    learn_regions_t       regions;
    const learn_visit_t  *again;

    if (learn_show_same(there, here)) {
        return 0;
    }

    again = learn_look_visit(look, &look->base, as, LEARN_VISIT_FRESH);

    if (again == NULL) {
        return 1;
    }

    if (again->state != LEARN_VISIT_DONE) {
        *wait = 1;
        return 0;
    }

    memset(&regions, 0xff, sizeof(learn_regions_t));

    return learn_visit_worth(again) == LEARN_WORTH_PAGE
           && learn_look_mask(there, again, 0, &regions)
           && learn_look_mask(there, here, 1, &regions)
           && learn_regions_count(&regions) > 0;
}


/* leaves regions in which they differ, or in which they do not */

static int
learn_look_mask(const learn_visit_t *one, const learn_visit_t *two, int differ,
    learn_regions_t *regions)
{
    size_t           i;
    learn_regions_t  found;

    if (one == two) {
        return 1;
    }

    if (!learn_shot_compare(&one->picture, &two->picture, &found)) {
        return 0;
    }

    for (i = 0; i < LEARN_SHOT_WORDS; i++) {
        regions->bits[i] &= differ ? found.bits[i] : ~found.bits[i];
    }

    return 1;
}


/* NULL without memory, or if there are too many already */

static learn_visit_t *
learn_look_visit(learn_look_t *look, const miqps_str_t *url,
    const miqps_str_t *as, unsigned turn)
{
    learn_visit_t  *visit;

    if (look->kind->drawn >= LEARN_LOOK_MOST) {
        return NULL;
    }

    visit = learn_visit_shown(look->adapt->study, url, as, look->viewer, turn);

    if (visit == NULL) {
        look->adapt->failed = 1;
        return NULL;
    }

    look->kind->drawn++;
    learn_visit_want(look->adapt->study, visit);

    return visit;
}


static void
learn_look_note(learn_kind_t *kind, const learn_traits_t *group,
    const learn_seeing_t *seeing)
{
    uint32_t        i;
    learn_trait_t  *trait;

    for (i = 0; i < kind->ntraits; i++) {

        if (!learn_traits_has(group, i)) {
            continue;
        }

        trait = &kind->traits[i];

        if (seeing->matters) {
            trait->matters = 1;
            trait->differed++;

        } else {
            trait->client = 1;
        }

        /* it says more than any other */

        trait->npairs += (trait->npairs < LEARN_ADAPT_PAIRS);
        memmove(trait->pairs + 1, trait->pairs,
                (trait->npairs - 1) * sizeof(learn_pair_t));
        trait->pairs[0] = seeing->pair;
    }
}
