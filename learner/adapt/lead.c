
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_LEAD_TRIES  3              /* for one that is a page */
#define LEARN_LEAD_MANY   3              /* one URL in so many has it, */
#define LEARN_LEAD_TIMES  3              /* and so it is tried so often */
#define LEARN_LEAD_RARE   500            /* one URL in so many is not enough */


/* what is known of a URL that loses its names */

typedef struct {
    learn_adapt_t     *adapt;
    learn_kind_t      *kind;
    uint32_t           url;
    miqps_str_t        full;
    unsigned           viewer;
    learn_traits_t     gone;             /* may be taken away together */
} learn_leading_t;


static void  learn_lead_hope(learn_adapt_t *adapt, learn_kind_t *kind);
static int  learn_lead_set(const learn_kind_t *kind, const uint8_t *used,
    uint32_t *set);
static int  learn_lead_wanted(const learn_kind_t *kind,
    const learn_trait_t *trait);
static int  learn_lead_done(const learn_kind_t *kind,
    const learn_trait_t *trait);
static int  learn_lead_page(learn_leading_t *lead, uint32_t set, int first);
static int  learn_lead_url(learn_leading_t *lead);
static int  learn_lead_group(learn_leading_t *lead,
    const learn_traits_t *group);
static int  learn_lead_single(learn_leading_t *lead, uint32_t t,
    learn_traits_t *same);
static miqps_str_t  learn_lead_piece(const learn_leading_t *lead,
    uint32_t name);
static int  learn_lead_joint(learn_leading_t *lead,
    const learn_traits_t *same);
static void  learn_lead_own(learn_leading_t *lead,
    const learn_traits_t *names);
static int  learn_lead_mute(learn_leading_t *lead,
    const learn_traits_t *less);
static learn_said_e  learn_lead_ask(learn_leading_t *lead,
    const learn_traits_t *less, learn_pair_t *pair);


int
learn_lead(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int              rc;
    uint8_t          used[1024];
    uint32_t         n, set;
    learn_leading_t  lead;

    /* it is the first step, and nothing is noted yet */

    if (kind->before == NULL && !learn_kind_next(adapt, kind)) {
        return 0;
    }

    learn_kind_again(kind);
    learn_lead_hope(adapt, kind);
    kind->nleads = 0;
    memset(used, 0, sizeof(used));

    lead.adapt = adapt;
    lead.kind = kind;

    for (n = 0; n < LEARN_ADAPT_LED && kind->why == NULL; n++) {

        if (!learn_lead_set(kind, used, &set)) {

            /* one is looked at in any case, for its noise */

            if (n > 0) {
                break;
            }

            set = 0;
        }

        used[set] = 1;
        lead.viewer = n % LEARN_VIEWERS;
        memset(&lead.gone, 0, sizeof(learn_traits_t));

        rc = learn_lead_page(&lead, set, n == 0);

        if (rc > 0) {
            kind->leads[kind->nleads++] = lead.url;
            rc = learn_lead_url(&lead);
        }

        if (rc == 0) {
            return 0;
        }
    }

    return learn_kind_next(adapt, kind);
}


/* names that are neutral elsewhere need no URL of their own: samples tell */

static void
learn_lead_hope(learn_adapt_t *adapt, learn_kind_t *kind)
{
    uint32_t  t;

    for (t = 0; t < kind->ntraits; t++) {
        kind->traits[t].hope =
            !adapt->names[kind->traits[t].name].brakes
            && !learn_adapt_without(adapt, LEARN_WITHOUT_SHARE)
            && learn_adapt_neutral(adapt, kind->traits[t].name);
    }
}


/* the set with most URLs of names that were not tried yet */

static int
learn_lead_set(const learn_kind_t *kind, const uint8_t *used, uint32_t *set)
{
    uint32_t                i, k;
    uint64_t                weight, most;
    const learn_nameset_t  *one;

    most = 0;

    for (i = 0; i < kind->nsets && i < 1024; i++) {

        if (used[i]) {
            continue;
        }

        one = &kind->sets[i];
        weight = 0;

        for (k = 0; k < one->n; k++) {
            if (learn_lead_wanted(kind, &kind->traits[one->traits[k]])) {
                weight += kind->traits[one->traits[k]].urls;
            }
        }

        weight = weight * 16 + ((weight > 0) ? one->urls : 0);

        if (weight > most) {
            most = weight;
            *set = i;
        }
    }

    return most > 0;
}


static int
learn_lead_wanted(const learn_kind_t *kind, const learn_trait_t *trait)
{
    return !learn_lead_done(kind, trait) && !trait->hope
           && (uint64_t) trait->urls * LEARN_LEAD_RARE >= kind->urls;
}


/* what many URLs have should go for some sets of names, not only for one */

static int
learn_lead_done(const learn_kind_t *kind, const learn_trait_t *trait)
{
    return trait->matters
           || trait->tried >= (LEARN_LEAD_MANY * trait->urls >= kind->urls
                               ? LEARN_LEAD_TIMES : 1);
}


/* 1 if a URL of the set is a page, 0 to wait, -1 if none is */

static int
learn_lead_page(learn_leading_t *lead, uint32_t set, int first)
{
    uint32_t        i, tries;
    learn_said_e    rc;
    learn_pair_t    pair;
    learn_kind_t   *kind;
    learn_traits_t  none;

    kind = lead->kind;
    tries = 0;
    memset(&none, 0, sizeof(learn_traits_t));

    for (i = 0; i < kind->urls && tries < LEARN_LEAD_TRIES; i++) {

        if (lead->adapt->urls[kind->list[i]].set != set) {
            continue;
        }

        tries++;
        lead->url = kind->list[i];
        lead->full = learn_form_less(lead->adapt, kind, lead->url, &none);

        if (lead->full.len == 0) {
            continue;
        }

        if (first) {
            rc = learn_again_twice(lead->adapt, kind, &lead->full,
                                 lead->viewer);

            if (kind->why != NULL) {
                return -1;
            }

        } else {
            rc = learn_inquire(lead->adapt, kind, &lead->full, &lead->full,
                           lead->viewer,
                           learn_form_names(lead->adapt, kind, &none), &pair);
        }

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc == LEARN_SAID_SAME) {
            return 1;
        }
    }

    return -1;
}


static int
learn_lead_url(learn_leading_t *lead)
{
    int             over;
    uint32_t        t;
    learn_kind_t   *kind;
    learn_traits_t  has, group, same;

    kind = lead->kind;
    memset(&group, 0, sizeof(learn_traits_t));
    memset(&same, 0, sizeof(learn_traits_t));

    learn_form_traits(lead->adapt, kind, lead->url, &has);

    for (t = 0; t < kind->ntraits; t++) {

        if (!learn_traits_has(&has, t)
            || learn_lead_done(kind, &kind->traits[t]))
        {
            learn_traits_del(&has, t);
            continue;
        }

        if (lead->adapt->names[kind->traits[t].name].tracker
            || learn_declared(lead->adapt, kind, kind->traits[t].name)
            || learn_adapt_neutral(lead->adapt, kind->traits[t].name))
        {
            learn_traits_add(&group, t);
        }
    }

    if (!learn_lead_group(lead, &group)) {
        return 0;
    }

    over = 1;

    for (t = 0; t < kind->ntraits; t++) {

        if (learn_traits_has(&has, t)
            && !learn_lead_done(kind, &kind->traits[t])
            && !learn_lead_single(lead, t, &same))
        {
            over = 0;
            lead->adapt->ahead = 1;
        }
    }

    lead->adapt->ahead = 0;

    return over && learn_lead_joint(lead, &same);
}


/* what is likely to go, all at once */

static int
learn_lead_group(learn_leading_t *lead, const learn_traits_t *group)
{
    uint32_t      t;
    learn_said_e  rc;
    learn_pair_t  pair;

    static const learn_traits_t  none;

    if (memcmp(group, &none, sizeof(learn_traits_t)) == 0
        || learn_adapt_without(lead->adapt, LEARN_WITHOUT_GROUPS))
    {
        return 1;
    }

    rc = learn_lead_ask(lead, group, &pair);

    if (rc != LEARN_SAID_SAME) {
        return rc != LEARN_SAID_WAIT;
    }

    learn_lead_own(lead, group);
    lead->gone = *group;

    for (t = 0; t < lead->kind->ntraits; t++) {
        if (learn_traits_has(group, t)) {
            lead->kind->traits[t].tried = LEARN_LEAD_TIMES;
            learn_trait_note(&lead->kind->traits[t], &pair, 0);
        }
    }

    return 1;
}


static int
learn_lead_single(learn_leading_t *lead, uint32_t t, learn_traits_t *same)
{
    learn_said_e    rc;
    learn_pair_t    pair;
    learn_trait_t  *trait;
    learn_traits_t  less;

    trait = &lead->kind->traits[t];

    if (lead->adapt->names[trait->name].brakes) {
        trait->tried = LEARN_LEAD_TIMES;
        return 1;
    }

    less = lead->gone;
    learn_traits_add(&less, t);

    rc = learn_lead_ask(lead, &less, &pair);

    if (rc == LEARN_SAID_WAIT) {
        return 0;
    }

    if (rc == LEARN_SAID_NOTHING) {
        trait->mute = learn_lead_mute(lead, &less);

    } else {
        trait->tried++;
        trait->matters = (rc == LEARN_SAID_DIFFERS);
        learn_trait_note(trait, &pair, rc == LEARN_SAID_DIFFERS);

        if (rc == LEARN_SAID_SAME) {
            learn_traits_add(same, t);
            trait->hint = learn_lead_piece(lead, trait->name);

        } else {
            trait->refuted = learn_lead_piece(lead, trait->name);
        }
    }

    return 1;
}


/* the parameter of that name */

static miqps_str_t
learn_lead_piece(const learn_leading_t *lead, uint32_t name)
{
    uint32_t             i;
    miqps_str_t          none = miqps_null_str;
    const learn_seen_t  *seen;

    seen = &lead->adapt->urls[lead->url];

    for (i = 0; i < seen->npieces; i++) {
        if (seen->pieces[i].name == name) {
            return seen->pieces[i].text;
        }
    }

    return none;
}


/* what could go by itself goes one after the other, as far as it can */

static int
learn_lead_joint(learn_leading_t *lead, const learn_traits_t *same)
{
    uint32_t        t, n;
    learn_said_e    rc;
    learn_pair_t    pair;
    learn_trait_t  *trait;
    learn_traits_t  less;

    less = lead->gone;
    n = 0;

    for (t = 0; t < lead->kind->ntraits; t++) {
        if (learn_traits_has(same, t)) {
            learn_traits_add(&less, t);
            n++;
        }
    }

    if (n < 2 || learn_adapt_without(lead->adapt, LEARN_WITHOUT_JOINT)) {
        learn_lead_own(lead, same);
        return 1;
    }

    rc = learn_lead_ask(lead, &less, &pair);

    if (rc == LEARN_SAID_WAIT) {
        return 0;
    }

    if (rc == LEARN_SAID_SAME) {
        learn_lead_own(lead, same);
        return 1;
    }

    /* without all of them there is no page: nothing is known of any */

    if (rc == LEARN_SAID_NOTHING) {

        if (learn_lead_mute(lead, &less)) {
            learn_kind_doubt(lead->kind, same);
        }

        return 1;
    }

    less = lead->gone;

    for (t = 0; t < lead->kind->ntraits; t++) {

        if (!learn_traits_has(same, t)) {
            continue;
        }

        learn_traits_add(&less, t);
        rc = learn_lead_ask(lead, &less, &pair);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc != LEARN_SAID_SAME) {
            learn_traits_del(&less, t);
            trait = &lead->kind->traits[t];
            trait->matters = 1;
            learn_trait_note(trait, &pair, 1);
        }
    }

    learn_lead_own(lead, &less);

    return 1;
}


/* they went together, and it was the same page; what went before is counted */

static void
learn_lead_own(learn_leading_t *lead, const learn_traits_t *names)
{
    uint32_t        t;
    learn_trait_t  *trait;

    for (t = 0; t < lead->kind->ntraits; t++) {
        trait = &lead->kind->traits[t];

        if (learn_traits_has(names, t)
            && !learn_traits_has(&lead->gone, t))
        {
            trait->own++;
            trait->viewers |= 1u << lead->viewer;
        }
    }
}


/* true if it was asked, and nothing could be said */

static int
learn_lead_mute(learn_leading_t *lead, const learn_traits_t *less)
{
    miqps_str_t     poor;
    learn_visit_t  *visit;

    poor = learn_form_less(lead->adapt, lead->kind, lead->url, less);

    if (poor.len == 0) {
        return 0;
    }

    visit = learn_again_visit(lead->adapt, lead->kind, &poor, lead->viewer, 0);

    return visit != NULL && visit->state == LEARN_VISIT_DONE
           && learn_visit_worth(visit) == LEARN_WORTH_NOTHING;
}


static learn_said_e
learn_lead_ask(learn_leading_t *lead, const learn_traits_t *less,
    learn_pair_t *pair)
{
    miqps_str_t  poor;

    poor = learn_form_less(lead->adapt, lead->kind, lead->url, less);

    return learn_inquire(lead->adapt, lead->kind, &lead->full, &poor,
                     lead->viewer,
                     learn_form_names(lead->adapt, lead->kind, less), pair);
}
