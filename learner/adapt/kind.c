
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>

#include <xxhash.h>

#include "adapt.h"


/* differences that are no name's, of which a kind may have so many */

#define LEARN_KIND_ODD     2

/* what is left of a URL */

typedef struct {
    uint64_t            hash;
    uint32_t            url;
} learn_left_t;

#define LEARN_KIND_OTHERS  64            /* URLs that bases are taken from */


static int  learn_kind_pages(learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t *pages);
static int  learn_kind_by_hash(const void *one, const void *two);
static void  learn_kind_core(const learn_nameset_t *set,
    const learn_traits_t *loose, learn_traits_t *core);
static int  learn_kind_has_core(const learn_base_t *bases, size_t n,
    const learn_traits_t *core);
static int  learn_kind_has_url(const learn_base_t *bases, size_t n,
    const miqps_str_t *url);
static int  learn_kind_half(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, const learn_traits_t *half, uint32_t turn,
    unsigned viewer, learn_said_e *answer);
static void  learn_kind_doubt(learn_kind_t *kind,
    const learn_traits_t *group);
static void  learn_kind_split(const learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_traits_t *traits,
    learn_traits_t *one, learn_traits_t *two);
static void  learn_kind_matter(learn_kind_t *kind,
    const learn_traits_t *group);


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

    for (i = 0; i < kind->ntraits; i++) {
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
            learn_form_traits(adapt, kind, kind->sets[i].first, &base->home);
            n += (base->url.len > 0);
        }
    }

    for (i = 0; i < kind->urls && i < LEARN_KIND_OTHERS && n < max; i++) {

        if (adapt->urls[kind->list[i]].set == UINT32_MAX) {
            continue;
        }

        base = &bases[n];
        base->url = learn_form_less(adapt, kind, kind->list[i], loose);
        learn_form_traits(adapt, kind, kind->list[i], &base->home);
        learn_kind_core(&kind->sets[adapt->urls[kind->list[i]].set], loose,
                        &base->core);

        n += (base->url.len > 0
              && !learn_kind_has_url(bases, n, &base->url));
    }

    return n;
}


size_t
learn_kind_homes(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t t, learn_base_t *bases, size_t max)
{
    size_t         n;
    uint32_t       i;
    learn_base_t  *base;

    n = 0;

    for (i = 0; i < kind->urls && n < max; i++) {
        base = &bases[n];
        learn_form_traits(adapt, kind, kind->list[i], &base->home);

        if (!learn_traits_has(&base->home, t)) {
            continue;
        }

        base->url = learn_form_less(adapt, kind, kind->list[i], loose);
        n += (base->url.len > 0
              && !learn_kind_has_url(bases, n, &base->url));
    }

    return n;
}


/* true if as many URLs, of any names, are more than twice as many pages */

int
learn_kind_locals(learn_adapt_t *adapt, learn_kind_t *kind)
{
    uint32_t        i, t, any, here, urls, *pages, *seen;
    learn_traits_t  has;

    pages = malloc(2 * ((size_t) kind->urls + 1) * sizeof(uint32_t));

    if (pages == NULL || !learn_kind_pages(adapt, kind, pages)) {
        free(pages);
        return 0;
    }

    seen = pages + kind->urls + 1;
    memset(seen, 0xff, (kind->urls + 1) * sizeof(uint32_t));

    for (t = 0; t < kind->ntraits; t++) {
        urls = 0;
        here = 0;
        any = 0;

        for (i = 0; i < kind->urls; i++) {
            learn_form_traits(adapt, kind, kind->list[i], &has);

            if (learn_traits_has(&has, t)) {
                urls++;
                here += (seen[pages[i]] != 2 * t);
                seen[pages[i]] = 2 * t;
            }
        }

        for (i = 0; i < urls; i++) {
            any += (seen[pages[i]] != 2 * t + 1);
            seen[pages[i]] = 2 * t + 1;
        }

        kind->traits[t].local = (2 * here < any);
    }

    free(pages);

    return 1;
}


/* the number of the page that is left of each URL */

static int
learn_kind_pages(learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t *pages)
{
    uint32_t        i, n;
    miqps_str_t     rest;
    learn_traits_t  loose;
    learn_left_t   *left;

    left = malloc((kind->urls + 1) * sizeof(learn_left_t));

    if (left == NULL) {
        return 0;
    }

    learn_kind_loose(adapt, kind, &loose);

    for (i = 0; i < kind->urls; i++) {
        rest = learn_form_less(adapt, kind, kind->list[i], &loose);
        left[i].hash = (rest.len > 0) ? XXH3_64bits(rest.data, rest.len) : 0;
        left[i].url = i;
    }

    if (kind->urls > 0) {
        qsort(left, kind->urls, sizeof(learn_left_t), learn_kind_by_hash);
    }

    for (i = 0, n = 0; i < kind->urls; i++) {
        n += (i > 0 && left[i].hash != left[i - 1].hash);
        pages[left[i].url] = n;
    }

    free(left);

    return 1;
}


static int
learn_kind_by_hash(const void *one, const void *two)
{
    const learn_left_t  *a, *b;

    a = one;
    b = two;

    return (a->hash > b->hash) - (a->hash < b->hash);
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
 * Halves of the group, and halves of these, as long as they differ.  Where all
 * make a difference and no part of them does, it is chance, or they do it
 * together; if that happens often, or is more than some lines, they matter.
 */

int
learn_kind_blame(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, const learn_traits_t *group, uint32_t turn,
    unsigned viewer, uint16_t differs)
{
    int             over;
    size_t          n;
    learn_said_e    one, two;
    learn_traits_t  list[LEARN_ADAPT_TRAITS], half[2];

    list[0] = *group;
    over = 1;

    for (n = 1; n > 0; /* void */ ) {
        n--;

        if (learn_traits_count(&list[n]) == 1) {
            learn_kind_matter(kind, &list[n]);
            continue;
        }

        learn_kind_split(adapt, kind, &list[n], &half[0], &half[1]);

        over = learn_kind_half(adapt, kind, url, &half[0], turn, viewer, &one)
               & learn_kind_half(adapt, kind, url, &half[1], turn, viewer,
                                 &two);

        if (!over) {
            return 0;
        }

        if (one != LEARN_SAID_DIFFERS && two != LEARN_SAID_DIFFERS
            && (one == LEARN_SAID_NOTHING || two == LEARN_SAID_NOTHING))
        {
            if (one == LEARN_SAID_NOTHING) {
                learn_kind_doubt(kind, &half[0]);
            }

            if (two == LEARN_SAID_NOTHING) {
                learn_kind_doubt(kind, &half[1]);
            }

            continue;
        }

        if (one != LEARN_SAID_DIFFERS && two != LEARN_SAID_DIFFERS) {
            kind->odd++;

            if (kind->odd > LEARN_KIND_ODD
                || (differs & ~(LEARN_DIFFERS_ID|LEARN_DIFFERS_TEXT)))
            {
                learn_kind_matter(kind, &list[n]);
            }

            continue;
        }

        if (one == LEARN_SAID_DIFFERS) {
            list[n] = half[0];
            n++;
        }

        if (two == LEARN_SAID_DIFFERS) {
            list[n] = half[1];
            n++;
        }
    }

    return over;
}


static int
learn_kind_half(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, const learn_traits_t *half, uint32_t turn,
    unsigned viewer, learn_said_e *answer)
{
    uint32_t      i;
    miqps_str_t   rich;
    learn_pair_t  pair;

    rich = learn_form_more(adapt, kind, url, half, turn);
    *answer = learn_inquire(adapt, kind, &rich, url, viewer,
                        learn_form_names(adapt, kind, half), &pair);

    if (*answer == LEARN_SAID_WAIT) {
        return 0;
    }

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_traits_has(half, i)
            && (*answer == LEARN_SAID_SAME
                || (*answer == LEARN_SAID_DIFFERS
                    && learn_traits_count(half) == 1)))
        {
            learn_trait_note(&kind->traits[i], &pair,
                             *answer == LEARN_SAID_DIFFERS);
            kind->traits[i].viewers |= (*answer == LEARN_SAID_SAME)
                                       ? 1u << viewer : 0;
        }
    }

    return 1;
}


static void
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


static void
learn_kind_matter(learn_kind_t *kind, const learn_traits_t *group)
{
    uint32_t  i;

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_traits_has(group, i)) {
            kind->traits[i].matters = 1;
        }
    }
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
