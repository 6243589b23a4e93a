
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_JOINT_SETS  4              /* of a kind that are looked at */


static int  learn_joint_front(learn_adapt_t *adapt, learn_kind_t *kind);
static int  learn_joint_covered(learn_adapt_t *adapt,
    const learn_kind_t *kind, uint32_t set);
static void  learn_joint_parts(const learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_nameset_t *set,
    learn_traits_t *less, learn_traits_t *rest);
static uint32_t  learn_joint_behind(const learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_traits_t *loose, uint32_t set);
static int  learn_joint_set(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_nameset_t *set, uint32_t n);


/*
 * Whole URLs, and what would be left of them: if that is another page, what
 * makes it so is put back.  Where several sets leave the same names, those are
 * looked at that lose most.
 */

int
learn_joint(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int       over;
    uint32_t  i, n;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_JOINT)) {
        return 1;
    }

    learn_kind_again(kind);

    over = learn_joint_front(adapt, kind);
    n = 0;

    for (i = 0; i < kind->nsets && n < LEARN_JOINT_SETS; i++) {

        if (kind->sets[i].n < 2 || learn_joint_covered(adapt, kind, i)) {
            continue;
        }

        if (!learn_joint_set(adapt, kind, &kind->sets[i], n)) {
            over = 0;
            adapt->ahead = 1;
        }

        n++;
    }

    adapt->ahead = 0;

    return over && learn_kind_next(adapt, kind);
}


/*
 * There are programs that read parameters up to the first which they do not
 * know.  So where URLs have it like that, what goes is put in front of what
 * stays, once for each viewer: if that is another page, all of it stays.
 */

static int
learn_joint_front(learn_adapt_t *adapt, learn_kind_t *kind)
{
    size_t          i, n;
    uint32_t        t;
    unsigned        seen;
    miqps_str_t     rich, path, query;
    learn_said_e    rc;
    learn_pair_t    pair;
    learn_base_t    bases[LEARN_ADAPT_BASES];
    learn_traits_t  loose;

    learn_kind_loose(adapt, kind, &loose);

    if (learn_joint_behind(adapt, kind, &loose, UINT32_MAX) == UINT32_MAX) {
        return 1;
    }

    n = learn_kind_bases(adapt, kind, &loose, bases, LEARN_ADAPT_BASES);
    seen = 0;

    for (i = 0; i < n && seen < LEARN_VIEWERS; i++) {
        path = bases[i].url;
        query.data = memchr(path.data, '?', path.len);

        if (query.data == NULL) {
            continue;
        }

        query.data++;
        query.len = (size_t) (path.data + path.len - query.data);
        path.len -= query.len + 1;

        rich = learn_form_more(adapt, kind, &path, &loose, (uint32_t) i);

        if (rich.len > 0) {
            rich = learn_form_with(adapt, &rich, &query);
        }

        rc = learn_inquire(adapt, kind, &rich, &bases[i].url, seen++,
                           learn_form_names(adapt, kind, &loose), &pair);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        for (t = 0; rc == LEARN_SAID_DIFFERS && t < kind->ntraits; t++) {
            if (learn_traits_has(&loose, t)) {
                kind->traits[t].matters = 1;
                learn_trait_note(&kind->traits[t], &pair, 1);
            }
        }

        if (rc == LEARN_SAID_DIFFERS) {
            break;
        }
    }

    return 1;
}


/* true if another set leaves the same, and loses more than this one */

static int
learn_joint_covered(learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t set)
{
    uint32_t        i, k, words;
    learn_traits_t  less, rest, more, other;

    learn_joint_parts(adapt, kind, &kind->sets[set], &less, &rest);
    words = sizeof(less.bits) / sizeof(less.bits[0]);

    for (i = 0; i < kind->nsets; i++) {

        if (i == set) {
            continue;
        }

        learn_joint_parts(adapt, kind, &kind->sets[i], &more, &other);

        for (k = 0; k < words && (less.bits[k] & ~more.bits[k]) == 0; k++) {
            /* void */
        }

        if (k == words && memcmp(&rest, &other, sizeof(learn_traits_t)) == 0
            && memcmp(&less, &more, sizeof(learn_traits_t)) != 0)
        {
            return 1;
        }
    }

    return 0;
}


/* names of a set that go, and those that stay */

static void
learn_joint_parts(const learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_nameset_t *set, learn_traits_t *less, learn_traits_t *rest)
{
    uint32_t  i;

    learn_joint_less(adapt, kind, set->first, less);
    memset(rest, 0, sizeof(learn_traits_t));

    for (i = 0; i < set->n; i++) {
        if (!learn_traits_has(less, set->traits[i])) {
            learn_traits_add(rest, set->traits[i]);
        }
    }
}


/*
 * A URL of the set, or of any if it is UINT32_MAX, that has something which
 * goes in front of something that stays; UINT32_MAX if there is none.
 */

static uint32_t
learn_joint_behind(const learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_traits_t *loose, uint32_t set)
{
    int                  gone;
    uint32_t             i, k, t;
    const learn_seen_t  *seen;

    for (i = 0; i < kind->urls; i++) {
        seen = &adapt->urls[kind->list[i]];

        if (seen->set == UINT32_MAX || (set != UINT32_MAX && seen->set != set))
        {
            continue;
        }

        gone = 0;

        for (k = 0; k < seen->npieces; k++) {

            for (t = 0; kind->traits[t].name != seen->pieces[k].name; t++) {
                /* void */
            }

            if (learn_traits_has(loose, t)) {
                gone = 1;

            } else if (gone) {
                return kind->list[i];
            }
        }
    }

    return UINT32_MAX;
}


static int
learn_joint_set(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_nameset_t *set, uint32_t n)
{
    uint32_t        t, url;
    unsigned        viewer;
    learn_said_e    rc, one;
    miqps_str_t     full, rest, with;
    learn_pair_t    pair;
    learn_traits_t  less, none, most;

    learn_kind_loose(adapt, kind, &none);
    url = learn_joint_behind(adapt, kind, &none,
                             adapt->urls[set->first].set);
    url = (url != UINT32_MAX) ? url : set->first;

    viewer = n % LEARN_VIEWERS;
    memset(&none, 0, sizeof(learn_traits_t));
    learn_joint_less(adapt, kind, url, &less);

    if (memcmp(&less, &none, sizeof(learn_traits_t)) == 0) {
        return 1;
    }

    full = learn_form_less(adapt, kind, url, &none);
    rest = learn_form_less(adapt, kind, url, &less);

    rc = learn_inquire(adapt, kind, &full, &rest, viewer,
                   learn_form_names(adapt, kind, &less), &pair);

    if (rc != LEARN_SAID_DIFFERS) {
        return rc != LEARN_SAID_WAIT;
    }

    /* those without which it is the page again; or all, if nobody knows */

    none = less;

    for (t = 0; t < kind->ntraits; t++) {

        if (!learn_traits_has(&less, t)) {
            continue;
        }

        most = less;
        learn_traits_del(&most, t);
        with = learn_form_less(adapt, kind, url, &most);

        one = learn_inquire(adapt, kind, &full, &with, viewer,
                        learn_form_names(adapt, kind, &most), &pair);

        if (one == LEARN_SAID_WAIT) {
            return 0;
        }

        if (one != LEARN_SAID_SAME) {
            learn_traits_del(&none, t);
        }
    }

    for (t = 0; t < kind->ntraits; t++) {
        if (learn_traits_has(&none, t)
            || (learn_traits_has(&less, t)
                && memcmp(&none, &(learn_traits_t) { { 0, 0, 0, 0 } },
                          sizeof(learn_traits_t)) == 0))
        {
            kind->traits[t].matters = 1;
            kind->traits[t].value.data = NULL;
            learn_trait_note(&kind->traits[t], &pair, 1);
        }
    }

    return 1;
}


/* what is stripped: names that seem to be neutral, and defaults */

void
learn_joint_less(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t url, learn_traits_t *less)
{
    uint32_t              i, t;
    const learn_seen_t   *seen;
    const learn_trait_t  *trait;

    learn_traits_t  loose;

    learn_kind_loose(adapt, kind, &loose);
    memset(less, 0, sizeof(learn_traits_t));

    /* of a kind that nobody has looked at, others tell */

    for (t = 0; !kind->led && t < kind->ntraits; t++) {
        if (learn_adapt_neutral(adapt, kind->traits[t].name)
            && !adapt->names[kind->traits[t].name].brakes)
        {
            learn_traits_add(&loose, t);
        }
    }

    seen = &adapt->urls[url];

    for (i = 0; i < seen->npieces; i++) {

        for (t = 0; t < kind->ntraits; t++) {
            trait = &kind->traits[t];

            if (trait->name == seen->pieces[i].name
                && (learn_traits_has(&loose, t)
                    || (trait->value.data != NULL
                        && learn_seen_has(seen, trait->name, &trait->value))))
            {
                learn_traits_add(less, t);
            }
        }
    }
}
