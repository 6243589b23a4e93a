
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_JOINT_SETS  4              /* of a kind that are looked at */


static int  learn_joint_set(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_nameset_t *set, uint32_t n);


/*
 * Whole URLs of the sets that most have, and what would be left of them: if
 * that is another page, what makes it so is put back.
 */

int
learn_joint(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int       over;
    uint32_t  i, n;

    learn_kind_again(kind);

    over = 1;
    n = 0;

    for (i = 0; i < kind->nsets && n < LEARN_JOINT_SETS; i++) {

        if (kind->sets[i].n < 2) {
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


static int
learn_joint_set(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_nameset_t *set, uint32_t n)
{
    uint32_t        t;
    unsigned        viewer;
    learn_said_e     rc, one;
    miqps_str_t     full, rest, with;
    learn_pair_t    pair;
    learn_traits_t  less, none, most;

    viewer = n % LEARN_VIEWERS;
    memset(&none, 0, sizeof(learn_traits_t));
    learn_joint_less(adapt, kind, set->first, &less);

    if (memcmp(&less, &none, sizeof(learn_traits_t)) == 0) {
        return 1;
    }

    full = learn_form_less(adapt, kind, set->first, &none);
    rest = learn_form_less(adapt, kind, set->first, &less);

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
        with = learn_form_less(adapt, kind, set->first, &most);

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

    seen = &adapt->urls[url];

    for (i = 0; i < seen->npieces; i++) {

        for (t = 0; t < kind->ntraits; t++) {
            trait = &kind->traits[t];

            if (trait->name == seen->pieces[i].name
                && (learn_traits_has(&loose, t)
                    || (trait->value.data != NULL
                        && miqps_str_eq(&trait->value,
                                        &seen->pieces[i].text))))
            {
                learn_traits_add(less, t);
            }
        }
    }
}
