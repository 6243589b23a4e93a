
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_DEFAULT_VALUES  4          /* of a name that are tried */
#define LEARN_DEFAULT_WORDS   16         /* values that a name has, if it is one
                                            of a few words */
#define LEARN_DEFAULT_HOLDS   2          /* times that one must hold, */
#define LEARN_DEFAULT_PAGES   6          /* for some of so many pages */


/* values by which programs mean that nothing was said */

static const char *const  learn_default_words[] = {
    "", "1", "0", "all", "any", "default", "none", "asc", "desc", "no", "off",
    "false", "true", "yes", "on", "en", "html", "date", "name"
};


static int  learn_default_other(learn_adapt_t *adapt, learn_kind_t *kind,
    uint32_t t, const learn_traits_t *loose);
static uint32_t  learn_default_list(const learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_trait_t *trait, uint32_t *list);
static int  learn_default_likely(const learn_adapt_t *adapt,
    const learn_trait_t *trait, const miqps_str_t *piece);
static int  learn_default_word(const miqps_str_t *piece);
static int  learn_default_value(learn_adapt_t *adapt, learn_kind_t *kind,
    uint32_t t, uint32_t value, const learn_traits_t *loose, int *holds);
static uint32_t  learn_default_pages(learn_adapt_t *adapt,
    learn_kind_t *kind, uint32_t t, const learn_traits_t *loose,
    miqps_str_t *pages);
static int  learn_default_has(const learn_adapt_t *adapt, uint32_t url,
    const learn_trait_t *trait);


int
learn_default(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int             over, holds;
    uint32_t        t, i, n, list[LEARN_DEFAULT_VALUES];
    learn_trait_t  *trait;
    learn_traits_t  loose;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_DEFAULTS)) {
        return 1;
    }

    learn_kind_again(kind);
    learn_kind_loose(adapt, kind, &loose);

    over = 1;

    for (t = 0; t < kind->ntraits; t++) {
        trait = &kind->traits[t];

        if (!learn_default_other(adapt, kind, t, &loose)) {
            over = 0;
            adapt->ahead = 1;
            continue;
        }

        if (!trait->matters || adapt->names[trait->name].brakes) {
            continue;
        }

        n = learn_default_list(adapt, kind, trait, list);

        for (i = 0; i < n && trait->value.data == NULL; i++) {

            if (!learn_default_value(adapt, kind, t, list[i], &loose, &holds))
            {
                over = 0;
                adapt->ahead = 1;
                break;
            }

            if (holds) {
                trait->value = trait->values[list[i]];
                trait->own = (uint32_t) holds;
            }
        }
    }

    adapt->ahead = 0;

    return over && learn_kind_next(adapt, kind);
}


/*
 * A name that has one of a few words made no difference, but that may have been
 * the word that is meant where there is none.  Another one is tried alone: with
 * all that goes it is not found out as quickly which of them it was.
 */

static int
learn_default_other(learn_adapt_t *adapt, learn_kind_t *kind, uint32_t t,
    const learn_traits_t *loose)
{
    uint32_t        i, best;
    miqps_str_t     rich, pages[LEARN_DEFAULT_PAGES];
    learn_said_e    rc;
    learn_pair_t    pair;
    learn_trait_t  *trait;
    learn_traits_t  one;

    trait = &kind->traits[t];

    if (!learn_traits_has(loose, t) || adapt->names[trait->name].tracker
        || trait->hint.data == NULL || trait->distinct > LEARN_DEFAULT_WORDS)
    {
        return 1;
    }

    best = UINT32_MAX;

    for (i = 0; i < trait->nvalues; i++) {
        if (!miqps_str_eq(&trait->values[i], &trait->hint)
            && memchr(trait->values[i].data, '&', trait->values[i].len) == NULL
            && (best == UINT32_MAX || trait->counts[i] > trait->counts[best]))
        {
            best = i;
        }
    }

    if (best == UINT32_MAX
        || learn_default_pages(adapt, kind, t, loose, pages) == 0)
    {
        return 1;
    }

    memset(&one, 0, sizeof(learn_traits_t));
    learn_traits_add(&one, t);

    rich = learn_form_with(adapt, &pages[0], &trait->values[best]);
    rc = learn_inquire(adapt, kind, &rich, &pages[0], t % LEARN_VIEWERS,
                       learn_form_names(adapt, kind, &one), &pair);

    if (rc == LEARN_SAID_WAIT) {
        return 0;
    }

    if (rc != LEARN_SAID_NOTHING) {
        trait->matters = (rc == LEARN_SAID_DIFFERS);
        learn_trait_note(trait, &pair, rc == LEARN_SAID_DIFFERS);
    }

    return 1;
}


/*
 * What made no difference before, or is a default elsewhere; the values that
 * most URLs have, and those that look like it; but not of names of which each
 * URL has another value.
 */

static uint32_t
learn_default_list(const learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_trait_t *trait, uint32_t *list)
{
    uint32_t  i, k, n, least, weight, weights[LEARN_DEFAULT_VALUES];

    n = 0;
    least = (kind->urls > 1000) ? kind->urls / 500 : 2;

    for (i = 0; i < trait->nvalues; i++) {
        weight = trait->counts[i];

        /* several values at once are none that could be named */

        if (memchr(trait->values[i].data, '&', trait->values[i].len) != NULL
            || miqps_str_eq(&trait->values[i], &trait->refuted))
        {
            continue;
        }

        if (learn_default_likely(adapt, trait, &trait->values[i])) {
            weight += kind->urls * 8;

        } else if (learn_default_word(&trait->values[i])) {
            weight = 4 * weight + 1;

        } else if (trait->counts[i] < least
                   || 20 * trait->counts[i] < trait->urls)
        {
            continue;
        }

        for (k = n; k > 0 && weights[k - 1] < weight; k--) {
            if (k < LEARN_DEFAULT_VALUES) {
                weights[k] = weights[k - 1];
                list[k] = list[k - 1];
            }
        }

        if (k < LEARN_DEFAULT_VALUES) {
            weights[k] = weight;
            list[k] = i;
            n += (n < LEARN_DEFAULT_VALUES);
        }
    }

    return n;
}


/* true if it made no difference once, or is the default in another kind */

static int
learn_default_likely(const learn_adapt_t *adapt, const learn_trait_t *trait,
    const miqps_str_t *piece)
{
    uint32_t              i, k;
    const learn_trait_t  *other;

    if (miqps_str_eq(piece, &trait->hint)) {
        return 1;
    }

    for (i = 0; i < adapt->nkinds; i++) {
        for (k = 0; k < adapt->kinds[i].ntraits; k++) {
            other = &adapt->kinds[i].traits[k];

            if (other != trait && other->name == trait->name
                && other->value.data != NULL
                && miqps_str_eq(&other->value, piece))
            {
                return 1;
            }
        }
    }

    return 0;
}


static int
learn_default_word(const miqps_str_t *piece)
{
    size_t          i, len;
    const uint8_t  *value;

    value = memchr(piece->data, '=', piece->len);

    if (value == NULL) {
        return 0;
    }

    value++;
    len = (size_t) (piece->data + piece->len - value);

    for (i = 0; i < sizeof(learn_default_words)
                    / sizeof(learn_default_words[0]); i++)
    {
        if (strlen(learn_default_words[i]) == len
            && memcmp(learn_default_words[i], value, len) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* 1 if it is known whether pages are the same with it and without the name */

static int
learn_default_value(learn_adapt_t *adapt, learn_kind_t *kind, uint32_t t,
    uint32_t value, const learn_traits_t *loose, int *holds)
{
    int             likely;
    uint32_t        n, pages, good, need;
    unsigned        viewer;
    learn_said_e    rc;
    miqps_str_t     rich, poor[LEARN_DEFAULT_PAGES];
    learn_pair_t    pair;
    learn_traits_t  one;

    *holds = 0;
    good = 0;

    memset(&one, 0, sizeof(learn_traits_t));
    learn_traits_add(&one, t);

    pages = learn_default_pages(adapt, kind, t, loose, poor);
    likely = learn_default_word(&kind->traits[t].values[value])
             || learn_default_likely(adapt, &kind->traits[t],
                                     &kind->traits[t].values[value]);

    need = LEARN_VIEWERS * pages;
    need = (need > LEARN_DEFAULT_HOLDS) ? LEARN_DEFAULT_HOLDS : need;

    for (n = 0; n < LEARN_VIEWERS * pages && good < need; n++) {
        viewer = (n + n / pages) % LEARN_VIEWERS;
        rich = learn_form_with(adapt, &poor[n % pages],
                               &kind->traits[t].values[value]);

        /* what is only worth a try ends at the first sight of another page */

        rc = learn_inquire_by(adapt, kind, &rich, &poor[n % pages], viewer,
                              learn_form_names(adapt, kind, &one), &pair,
                              likely ? LEARN_LOOKS_ALL : LEARN_LOOKS_NONE);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc == LEARN_SAID_DIFFERS) {
            kind->traits[t].refuted = kind->traits[t].values[value];
            return 1;
        }

        good += (rc == LEARN_SAID_SAME);
    }

    *holds = (pages > 0 && good >= need) ? (int) good : 0;

    return 1;
}


/*
 * Pages to try values with: some whose URLs have the name.  Elsewhere in the
 * kind there may be pages for which it does not matter, and then no value does.
 */

static uint32_t
learn_default_pages(learn_adapt_t *adapt, learn_kind_t *kind, uint32_t t,
    const learn_traits_t *loose, miqps_str_t *pages)
{
    uint32_t        i, k, n;
    miqps_str_t     page;
    learn_traits_t  less;

    less = *loose;
    learn_traits_add(&less, t);
    n = 0;

    for (i = 0; i < kind->urls && n < LEARN_DEFAULT_PAGES; i++) {

        if (!learn_default_has(adapt, kind->list[i], &kind->traits[t])) {
            continue;
        }

        page = learn_form_less(adapt, kind, kind->list[i], &less);

        for (k = 0; k < n && !miqps_str_eq(&pages[k], &page); k++) {
            /* void */
        }

        if (k == n && page.len > 0) {
            pages[n++] = page;
        }
    }

    return n;
}


static int
learn_default_has(const learn_adapt_t *adapt, uint32_t url,
    const learn_trait_t *trait)
{
    uint32_t             i;
    const learn_seen_t  *seen;

    seen = &adapt->urls[url];

    for (i = 0; seen->set != UINT32_MAX && i < seen->npieces; i++) {
        if (seen->pieces[i].name == trait->name) {
            return 1;
        }
    }

    return 0;
}
