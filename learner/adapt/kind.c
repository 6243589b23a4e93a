
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


/* differences that are no name's, of which a kind may have so many */

#define LEARN_KIND_ODD     2

#define LEARN_KIND_OTHERS  64            /* URLs that bases are taken from */
#define LEARN_KIND_FEW     8             /* names that are tried one by one */


static void  learn_kind_core(const learn_nameset_t *set,
    const learn_traits_t *loose, learn_traits_t *core);
static int  learn_kind_has_core(const learn_base_t *bases, size_t n,
    const learn_traits_t *core);
static int  learn_kind_has_url(const learn_base_t *bases, size_t n,
    const miqps_str_t *url);
static int  learn_kind_half(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *half, int sure,
    learn_said_e *answer);
static int  learn_kind_few(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, learn_traits_t *group);
static int  learn_kind_without(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, learn_traits_t *group,
    const learn_traits_t *less);
static int  learn_kind_odd(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *group);
static void  learn_kind_split(const learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_traits_t *traits,
    learn_traits_t *one, learn_traits_t *two);
static void  learn_kind_matter(const learn_adapt_t *adapt,
    learn_kind_t *kind, const learn_home_t *home,
    const learn_traits_t *group);
static int  learn_kind_maybe(const learn_adapt_t *adapt,
    const learn_trait_t *trait, const learn_home_t *home, int added);


void
learn_kind_again(learn_kind_t *kind)
{
    if (kind->before != NULL) {
        memcpy(kind->traits, kind->before,
               kind->ntraits * sizeof(learn_trait_t));
    }
}


int
learn_kind_next(learn_adapt_t *adapt, learn_kind_t *kind)
{
    if (kind->before == NULL) {
        kind->before = learn_arena_alloc(adapt->arena,
                                         (kind->ntraits + 1)
                                         * sizeof(learn_trait_t));
    }

    if (kind->before == NULL) {
        adapt->failed = 1;
        return 0;
    }

    memcpy(kind->before, kind->traits, kind->ntraits * sizeof(learn_trait_t));

    return 1;
}


void
learn_trait_note(learn_trait_t *trait, const learn_pair_t *pair, int differs)
{
    if (differs) {
        trait->differed++;

    } else {
        trait->same++;
    }

    /* the last place is for the difference, if there is one */

    if (trait->npairs < LEARN_ADAPT_PAIRS - (differs ? 0 : 1)) {
        trait->pairs[trait->npairs++] = *pair;
    }
}


void
learn_kind_loose(const learn_adapt_t *adapt, const learn_kind_t *kind,
    learn_traits_t *loose)
{
    uint32_t              i;
    const learn_trait_t  *trait;

    memset(loose, 0, sizeof(learn_traits_t));

    for (i = 0; i < kind->ntraits && !adapt->ordered; i++) {
        trait = &kind->traits[i];

        if (!trait->matters && !trait->doubted
            && (trait->same > 0 || trait->hope)
            && !adapt->names[trait->name].brakes)
        {
            learn_traits_add(loose, i);
        }
    }
}


/*
 * One for each set of names that is left, those with most URLs first; and then,
 * as what a name does may depend on the page, others of the same sets.
 */

size_t
learn_kind_bases(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_traits_t *loose, learn_base_t *bases, size_t max)
{
    size_t         i, n;
    learn_base_t  *base;

    n = 0;

    for (i = 0; i < kind->nsets && n < max; i++) {
        base = &bases[n];
        learn_kind_core(&kind->sets[i], loose, &base->core);

        if (!learn_kind_has_core(bases, n, &base->core)) {
            base->url = learn_form_less(adapt, kind, kind->sets[i].first,
                                        loose);
            base->home = kind->sets[i].first;
            n += (base->url.len > 0);
        }
    }

    for (i = 0; i < kind->urls && i < LEARN_KIND_OTHERS && n < max; i++) {

        if (adapt->urls[kind->list[i]].set == UINT32_MAX) {
            continue;
        }

        base = &bases[n];
        base->url = learn_form_less(adapt, kind, kind->list[i], loose);
        base->home = kind->list[i];
        learn_kind_core(&kind->sets[adapt->urls[kind->list[i]].set], loose,
                        &base->core);

        n += (base->url.len > 0
              && !learn_kind_has_url(bases, n, &base->url));
    }

    return n;
}


static void
learn_kind_core(const learn_nameset_t *set, const learn_traits_t *loose,
    learn_traits_t *core)
{
    uint32_t  i;

    memset(core, 0, sizeof(learn_traits_t));

    for (i = 0; i < set->n; i++) {
        if (!learn_traits_has(loose, set->traits[i])) {
            learn_traits_add(core, set->traits[i]);
        }
    }
}


static int
learn_kind_has_core(const learn_base_t *bases, size_t n,
    const learn_traits_t *core)
{
    size_t  i;

    for (i = 0; i < n && memcmp(&bases[i].core, core, sizeof(learn_traits_t));
         i++)
    {
        /* void */
    }

    return i < n;
}


static int
learn_kind_has_url(const learn_base_t *bases, size_t n,
    const miqps_str_t *url)
{
    size_t  i;

    for (i = 0; i < n && !miqps_str_eq(&bases[i].url, url); i++) {
        /* void */
    }

    return i < n;
}


/*
 * Halves of the group, and halves of these, as long as they differ, or nobody
 * can tell.  Where all make a difference and no part of them does, it is
 * chance, or they do it together: if they do it for the other viewer, too, or
 * if that happens often, or is more than some lines, they matter.
 */

int
learn_kind_blame(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *group, uint16_t differs)
{
    size_t          n;
    learn_said_e    one, two, all;
    learn_traits_t  list[LEARN_ADAPT_TRAITS], half[2];

    list[0] = *group;

    /* what is doubted alone is told by the answer of its half */

    if (learn_traits_count(group) == 1) {

        if (differs & LEARN_DIFFERS_NOTHING) {
            learn_kind_doubt(kind, group);

        } else {
            learn_kind_matter(adapt, kind, home, group);
        }

        return 1;
    }

    for (n = 1; n > 0; /* void */ ) {
        n--;

        if (learn_traits_count(&list[n]) == 1) {
            continue;
        }

        learn_kind_split(adapt, kind, &list[n], &half[0], &half[1]);

        if (!(learn_kind_half(adapt, kind, home, &half[0], 0, &one)
              & learn_kind_half(adapt, kind, home, &half[1], 0, &two)))
        {
            return 0;
        }

        if (one == LEARN_SAID_SAME && two == LEARN_SAID_SAME) {

            if (!learn_kind_half(adapt, kind, home, &list[n], 1, &all)) {
                return 0;
            }

            if (all == LEARN_SAID_SAME) {
                continue;
            }

            if (!learn_kind_few(adapt, kind, home, &list[n])) {
                return 0;
            }

            kind->odd++;

            if (differs & LEARN_DIFFERS_NOTHING) {
                learn_kind_doubt(kind, &list[n]);

            } else if (kind->odd > LEARN_KIND_ODD
                       || (differs & ~(LEARN_DIFFERS_ID|LEARN_DIFFERS_TEXT)))
            {
                learn_kind_matter(adapt, kind, home, &list[n]);

            } else if (!learn_kind_odd(adapt, kind, home, &list[n])) {
                return 0;
            }

            continue;
        }

        if (one != LEARN_SAID_SAME) {
            list[n] = half[0];
            n++;
        }

        if (two != LEARN_SAID_SAME) {
            list[n] = half[1];
            n++;
        }
    }

    return 1;
}


/*
 * A half, and what is known by it of one that is alone in it.  Where there is
 * no page even with the half, it is not the half that brings it.  A large
 * difference is looked at again only of one that is alone, or to be sure.
 */

static int
learn_kind_half(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *half, int sure,
    learn_said_e *answer)
{
    int             alone;
    uint32_t        i;
    miqps_str_t     rich, poor;
    learn_pair_t    pair;
    learn_trait_t  *trait;
    learn_visit_t  *visit;

    alone = (learn_traits_count(half) == 1);

    rich = learn_form_home(adapt, kind, home, half);
    poor = learn_form_less(adapt, kind, home->url, &home->less);

    *answer = learn_inquire_by(adapt, kind, &rich, &poor, home->viewer,
                               learn_form_names(adapt, kind, half), &pair,
                               (alone || sure) ? LEARN_LOOKS_ALL
                                               : LEARN_LOOKS_SMALL);

    if (*answer == LEARN_SAID_WAIT) {
        return 0;
    }

    if (*answer == LEARN_SAID_NOTHING) {
        visit = learn_again_visit(adapt, kind, &rich, home->viewer, 0);

        if (visit != NULL && visit->state == LEARN_VISIT_DONE
            && learn_visit_worth(visit) != LEARN_WORTH_PAGE)
        {
            *answer = LEARN_SAID_SAME;
            return 1;
        }
    }

    if (alone && *answer == LEARN_SAID_NOTHING) {
        learn_kind_doubt(kind, half);
    }

    if (alone && *answer == LEARN_SAID_DIFFERS) {
        learn_kind_matter(adapt, kind, home, half);
    }

    for (i = 0; i < kind->ntraits; i++) {
        trait = &kind->traits[i];

        if (!learn_traits_has(half, i)) {
            continue;
        }

        if (*answer == LEARN_SAID_SAME) {
            learn_trait_note(trait, &pair, 0);
            trait->viewers |= 1u << home->viewer;

        } else if (*answer == LEARN_SAID_DIFFERS && alone) {
            learn_trait_note(trait, &pair, 1);
        }
    }

    return 1;
}


/* leaves those that it takes to make the difference: first without the likely
   ones, and then without one after the other */

static int
learn_kind_few(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, learn_traits_t *group)
{
    uint32_t        i;
    learn_traits_t  less;

    memset(&less, 0, sizeof(learn_traits_t));

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_traits_has(group, i)
            && (kind->traits[i].hope
                || adapt->names[kind->traits[i].name].tracker))
        {
            learn_traits_add(&less, i);
        }
    }

    if (learn_traits_count(&less) > 1
        && !learn_kind_without(adapt, kind, home, group, &less))
    {
        return 0;
    }

    for (i = 0; i < kind->ntraits
                && learn_traits_count(group) <= LEARN_KIND_FEW; i++)
    {
        memset(&less, 0, sizeof(learn_traits_t));
        learn_traits_add(&less, i);

        if (learn_traits_has(group, i) && learn_traits_count(group) > 2
            && !learn_kind_without(adapt, kind, home, group, &less))
        {
            return 0;
        }
    }

    return 1;
}


/* takes names from a group that makes a difference without them, too */

static int
learn_kind_without(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, learn_traits_t *group,
    const learn_traits_t *less)
{
    size_t          i;
    learn_said_e    answer;
    learn_traits_t  rest;

    for (i = 0; i < sizeof(rest.bits) / sizeof(rest.bits[0]); i++) {
        rest.bits[i] = group->bits[i] & ~less->bits[i];
    }

    if (learn_traits_count(&rest) < 2) {
        return 1;
    }

    if (!learn_kind_half(adapt, kind, home, &rest, 1, &answer)) {
        return 0;
    }

    if (answer == LEARN_SAID_DIFFERS) {
        *group = rest;
    }

    return 1;
}


/* all of them for the other viewer, who sees it only if it is no chance */

static int
learn_kind_odd(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *group)
{
    learn_home_t  other;
    learn_said_e  answer;

    other = *home;
    other.viewer = (home->viewer + 1) % LEARN_VIEWERS;

    if (!learn_kind_half(adapt, kind, &other, group, 1, &answer)) {
        return 0;
    }

    if (answer == LEARN_SAID_DIFFERS) {
        learn_kind_matter(adapt, kind, home, group);

    } else if (answer == LEARN_SAID_NOTHING) {
        learn_kind_doubt(kind, group);
    }

    return 1;
}


void
learn_kind_doubt(learn_kind_t *kind, const learn_traits_t *group)
{
    uint32_t  i;

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_traits_has(group, i)) {
            kind->traits[i].doubted = 1;
        }
    }
}


/*
 * In two: those of which other kinds or lists of trackers have nothing against
 * them, and the others; or in the middle.
 */

static void
learn_kind_split(const learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_traits_t *traits, learn_traits_t *one, learn_traits_t *two)
{
    uint32_t              i;
    const learn_trait_t  *trait;

    memset(one, 0, sizeof(learn_traits_t));
    memset(two, 0, sizeof(learn_traits_t));

    for (i = 0; i < kind->ntraits; i++) {
        trait = &kind->traits[i];

        if (learn_traits_has(traits, i)) {
            learn_traits_add((trait->hope || adapt->names[trait->name].tracker)
                             ? one : two, i);
        }
    }

    if (learn_traits_count(one) == 0 || learn_traits_count(two) == 0) {
        learn_traits_split(traits, one, two);
    }
}


/* what matters all the same may be as good as none with a value it had */

static void
learn_kind_matter(const learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *group)
{
    int             maybe;
    uint32_t        i;
    learn_trait_t  *trait;

    for (i = 0; i < kind->ntraits; i++) {

        if (!learn_traits_has(group, i)) {
            continue;
        }

        trait = &kind->traits[i];
        maybe = !trait->matters
                && learn_kind_maybe(adapt, trait, home,
                                    learn_traits_has(&home->more, i));

        if (trait->value.data != NULL) {
            trait->refuted = trait->value;
        }

        trait->matters = 1;
        trait->own = 0;
        trait->need = adapt->study->settings->values;
        trait->value.data = NULL;

        if (maybe) {
            trait->value = trait->hint;
            learn_plan_default(adapt, trait);
        }
    }
}


/* true if it made no difference once, and not with the value that makes one */

static int
learn_kind_maybe(const learn_adapt_t *adapt, const learn_trait_t *trait,
    const learn_home_t *home, int added)
{
    const miqps_str_t  *hint;

    hint = &trait->hint;

    if (hint->data == NULL || learn_adapt_without(adapt, LEARN_WITHOUT_DEFAULTS)
        || memchr(hint->data, '&', hint->len) != NULL)
    {
        return 0;
    }

    return added ? !miqps_str_eq(&trait->values[home->turn % trait->nvalues],
                                 hint)
                 : !learn_seen_has(&adapt->urls[home->url], trait->name, hint);
}


size_t
learn_traits_count(const learn_traits_t *traits)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < sizeof(traits->bits) / sizeof(traits->bits[0]); i++) {
        n += (size_t) __builtin_popcountll(traits->bits[i]);
    }

    return n;
}


void
learn_traits_split(const learn_traits_t *traits, learn_traits_t *one,
    learn_traits_t *two)
{
    size_t  i, n, half;

    memset(one, 0, sizeof(learn_traits_t));
    memset(two, 0, sizeof(learn_traits_t));

    half = learn_traits_count(traits) / 2;
    n = 0;

    for (i = 0; i < LEARN_ADAPT_TRAITS; i++) {

        if (!learn_traits_has(traits, i)) {
            continue;
        }

        if (n++ < half) {
            learn_traits_add(one, i);

        } else {
            learn_traits_add(two, i);
        }
    }
}
