
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "ways.h"


#define LEARN_PATHS_SUSPECTS  32         /* steps that are tried */
#define LEARN_PATHS_AHEAD     3          /* of these, at once */
#define LEARN_PATHS_LEAST     3          /* pairs that make it worth it */
#define LEARN_PATHS_WORD      20         /* one form in so many has it */
#define LEARN_PATHS_SHARE     500        /* one URL in so many does */


static int  learn_ways_create(learn_adapt_t *adapt);
static uint32_t  learn_ways_values(learn_site_t *site);
static int  learn_ways_add(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t url);
static int  learn_ways_try(learn_adapt_t *adapt, learn_ways_t *ways);
static int  learn_ways_suspect(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_suspect_t *suspect, int *same);
static int  learn_ways_moot(const learn_site_t *site,
    const learn_suspect_t *suspect);
static void  learn_ways_inherit(learn_adapt_t *adapt, learn_ways_t *ways);
static uint32_t  learn_ways_kind(const learn_adapt_t *adapt,
    const learn_ways_t *ways, const learn_form_t *form);


int
learn_ways_find(learn_adapt_t *adapt)
{
    learn_ways_t  *ways;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_PATHS)) {
        return 1;
    }

    if (adapt->ways == NULL && !learn_ways_create(adapt)) {
        adapt->failed = 1;
        return 0;
    }

    ways = adapt->ways;

    if (!ways->found) {

        if (!learn_ways_try(adapt, ways) || !learn_ways_tables(adapt, ways)) {
            return 0;
        }

        ways->found = 1;
        learn_ways_inherit(adapt, ways);
    }

    return 1;
}


/* what is left of all URLs; 0 without memory */

static int
learn_ways_create(learn_adapt_t *adapt)
{
    uint32_t             least;
    learn_ways_t        *ways;
    const learn_seen_t  *first;

    ways = calloc(1, sizeof(learn_ways_t));

    if (ways == NULL) {
        return 0;
    }

    adapt->ways = ways;
    learn_site_init(&ways->site);
    ways->site.scoped = 1;
    ways->urls = malloc((adapt->nurls + 1) * sizeof(uint32_t));

    if (ways->urls == NULL) {
        return 0;
    }

    if (adapt->nurls > 0) {
        first = &adapt->urls[0];
        memcpy(ways->scheme, "http", 5);

        if (first->base.len > 5 && first->base.data[4] == 's') {
            memcpy(ways->scheme, "https", 6);
        }
    }

    if (!learn_ways_fill(adapt, ways)) {
        return 0;
    }

    least = ways->site.nforms / LEARN_PATHS_SHARE;
    least = (least < LEARN_PATHS_LEAST) ? LEARN_PATHS_LEAST : least;
    ways->suspects = learn_site_suspects(&ways->site, least,
                                         &ways->nsuspects);
    ways->states = calloc(ways->nsuspects + 1, 1);

    return ways->suspects != NULL && ways->states != NULL;
}


void
learn_ways_free(learn_adapt_t *adapt)
{
    uint32_t       i;
    learn_ways_t  *ways;

    ways = adapt->ways;

    if (ways == NULL) {
        return;
    }

    for (i = 0; ways->proofs != NULL && i < ways->nrules; i++) {
        free(ways->proofs[i].text);
    }

    learn_site_release(&ways->site);
    free(ways->tables);
    free(ways->suspects);
    free(ways->states);
    free(ways->rules);
    free(ways->proofs);
    free(ways->doubted);
    free(ways->order);
    free(ways->rule_of);
    free(ways->tried);
    free(ways->picks);
    free(ways->urls);
    free(ways);
}


int
learn_ways_fill(learn_adapt_t *adapt, learn_ways_t *ways)
{
    uint32_t       i;
    learn_site_t  *site;

    site = &ways->site;
    site->nforms = 0;

    for (i = 0; i < site->ntokens; i++) {
        site->tokens[i].urls = 0;
    }

    for (i = 0; i < adapt->nurls; i++) {
        if (!learn_ways_add(adapt, ways, i)) {
            return 0;
        }
    }

    /* what was a word may be a value, and forms are written anew then */

    if (learn_ways_values(site)) {
        return learn_ways_fill(adapt, ways);
    }

    free(site->bare);

    return learn_site_bare(site);
}


/*
 * A word that is a parameter's value here and a segment there is a value, if it
 * is no more frequent than values are; the number of those that were not.
 */

static uint32_t
learn_ways_values(learn_site_t *site)
{
    uint32_t             i, k, n, value;
    learn_token_t       *token;
    const learn_form_t  *form;

    n = 0;

    for (i = 0; i < site->nforms; i++) {
        form = &site->forms[i];

        for (k = 0; k < form->nparams; k++) {
            value = form->parts[form->nsegs + 2 * k + 1];

            if (value == LEARN_NOTHING) {
                continue;
            }

            token = &site->tokens[value];

            if (token->urls > 0
                && (uint64_t) token->urls * LEARN_PATHS_WORD < site->nforms
                && (token->kind & LEARN_TOKEN_PLAIN)
                && !(token->kind & LEARN_TOKEN_VALUE))
            {
                token->kind |= LEARN_TOKEN_VALUE;
                n++;
            }
        }
    }

    return n;
}


static int
learn_ways_add(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t url)
{
    uint32_t             before;
    miqps_str_t          rest;
    learn_traits_t       less;
    const learn_kind_t  *kind;

    if (adapt->urls[url].kind == UINT32_MAX) {
        return 1;
    }

    learn_arena_clear(&adapt->scratch);

    kind = &adapt->kinds[adapt->urls[url].kind];
    learn_joint_less(adapt, kind, url, &less);
    rest = learn_form_less(adapt, kind, url, &less);

    if (rest.len == 0) {
        return 1;
    }

    before = ways->site.nforms;

    if (!learn_site_add(&ways->site, &rest, url)) {
        return 0;
    }

    if (ways->site.nforms > before) {
        ways->urls[before] = url;
    }

    return 1;
}


/*
 * Which of the suspects are steps.  One after the other, since a step may
 * explain those that come later; some of these are asked for meanwhile.
 */

static int
learn_ways_try(learn_adapt_t *adapt, learn_ways_t *ways)
{
    int                     same;
    uint32_t                i, n, open;
    learn_site_t           *site;
    const learn_suspect_t  *suspect;

    site = &ways->site;
    open = 0;
    n = 0;

    for (i = 0; i < ways->nsuspects && n < LEARN_PATHS_SUSPECTS
                && open <= LEARN_PATHS_AHEAD; i++)
    {
        suspect = &ways->suspects[i];

        if (ways->states[i] != LEARN_WAY_OPEN) {
            n++;
            continue;
        }

        if (learn_ways_moot(site, suspect)
            || !learn_site_right_way(site, &suspect->step))
        {
            continue;
        }

        n++;

        if (!learn_ways_suspect(adapt, ways, suspect, &same)) {
            open++;
            adapt->ahead = 1;
            continue;
        }

        if (open > 0) {
            continue;
        }

        ways->states[i] = same ? LEARN_WAY_TAKEN : LEARN_WAY_REFUSED;

        if (same && site->nsteps < LEARN_SITE_STEPS) {
            learn_site_put(site, &suspect->step);

            if (!learn_site_walk(site)) {
                adapt->failed = 1;
                return 0;
            }
        }
    }

    adapt->ahead = 0;

    return open == 0;
}


/* true if steps that were taken have made its pairs equal */

static int
learn_ways_moot(const learn_site_t *site, const learn_suspect_t *suspect)
{
    uint32_t  i;

    for (i = 0; i < suspect->n; i++) {
        if (!learn_form_eq(&site->forms[suspect->one[i]],
                           &site->forms[suspect->two[i]]))
        {
            return 0;
        }
    }

    return 1;
}


/* 1 if it is known, and whether all of its pairs are the same */

static int
learn_ways_suspect(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_suspect_t *suspect, int *same)
{
    int                  leads;
    uint32_t             i, good;
    miqps_str_t          from, to;
    learn_said_e         rc;
    learn_pair_t         pair;
    learn_kind_t        *kind;
    const learn_form_t  *one, *two;

    static const uint32_t  none[] = { UINT32_MAX };

    *same = 0;
    good = 0;

    for (i = 0; i < suspect->n
                && (good < LEARN_WAYS_PAIRS || i < suspect->sets); i++)
    {
        one = &ways->site.bare[suspect->one[i]];
        two = &ways->site.bare[suspect->two[i]];
        kind = learn_ways_noise(adapt, ways, suspect->one[i], two);

        if (kind->why != NULL) {
            continue;
        }

        from = learn_ways_url(adapt, ways, one);
        to = learn_ways_url(adapt, ways, two);
        rc = learn_inquire(adapt, kind, &from, &to, i % LEARN_VIEWERS, none,
                           &pair);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        learn_proof_doubt(adapt, ways, &from);
        learn_proof_doubt(adapt, ways, &to);

        if (rc == LEARN_SAID_DIFFERS) {
            return 1;
        }

        if (rc != LEARN_SAID_SAME) {
            continue;
        }

        if (learn_proof_declared(adapt, &from, &to, i % LEARN_VIEWERS, &leads)
            || (learn_danger_tongues_apart(&ways->site, &suspect->step)
                && !leads))
        {
            return 1;
        }

        good++;
    }

    *same = (good >= LEARN_WAYS_PAIRS);

    return 1;
}


/* pages that are the same have the same noise: that of a kind which is known */

learn_kind_t *
learn_ways_noise(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t form,
    const learn_form_t *made)
{
    uint32_t  kind, other;

    kind = adapt->urls[ways->urls[form]].kind;

    if (adapt->kinds[kind].looks == 0) {
        other = learn_ways_kind(adapt, ways, made);
        kind = (other != UINT32_MAX) ? other : kind;
    }

    return &adapt->kinds[kind];
}


miqps_str_t
learn_ways_url(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_form_t *form)
{
    uint8_t         *out;
    miqps_str_t      url = miqps_null_str;
    learn_target_t   target;

    out = learn_arena_alloc(&adapt->scratch, LEARN_TARGET_MAX);

    if (out == NULL) {
        adapt->failed = 1;
        return url;
    }

    url.data = out;
    url.len = learn_site_url(&ways->site, form, ways->scheme, out,
                             LEARN_TARGET_MAX);

    if (url.len > 0
        && learn_target_check(&url, adapt->study->allowed,
                              adapt->study->memo, &target)
           != LEARN_TARGET_OK)
    {
        url.len = 0;
    }

    return url;
}


/*
 * Pages of a kind that are pages of another one are not looked at again: what
 * holds there holds here.
 */

static void
learn_ways_inherit(learn_adapt_t *adapt, learn_ways_t *ways)
{
    uint32_t  i, k, kind, seen[LEARN_ADAPT_KINDS], to[LEARN_ADAPT_KINDS];

    memset(seen, 0, sizeof(seen));

    for (i = 0; i < ways->site.nforms; i++) {
        kind = adapt->urls[ways->urls[i]].kind;

        k = (ways->site.forms[i].trace != 0)
            ? learn_ways_kind(adapt, ways, &ways->site.forms[i])
            : UINT32_MAX;

        to[kind] = (seen[kind] == 0 || to[kind] == k) ? k : UINT32_MAX;
        seen[kind] = 1;
    }

    for (i = 0; i < adapt->nkinds; i++) {
        if (seen[i] && to[i] != UINT32_MAX && to[i] != i) {
            adapt->kinds[i].heir = 1;
            adapt->kinds[i].lazy = 1;
            adapt->kinds[i].from = to[i];
        }
    }
}


/* the kind that has such a path, or UINT32_MAX */

static uint32_t
learn_ways_kind(const learn_adapt_t *adapt, const learn_ways_t *ways,
    const learn_form_t *form)
{
    size_t                at, len;
    uint32_t              i, k;
    const miqps_str_t    *shape;
    const learn_token_t  *token;

    for (i = 0; i < adapt->nkinds; i++) {
        shape = &adapt->kinds[i].shape;
        at = 0;

        for (k = 0; k < form->nsegs && at < shape->len; k++) {
            token = &ways->site.tokens[form->parts[k]];
            at++;

            for (len = 0; at + len < shape->len
                          && shape->data[at + len] != '/'; len++)
            {
                /* void */
            }

            if (!(len == 1 && shape->data[at] == '*' && token->len > 0)
                && (len != token->len
                    || (len > 0
                        && memcmp(shape->data + at, token->text, len) != 0)))
            {
                break;
            }

            at += len;
        }

        if (k == form->nsegs && at == shape->len && k > 0) {
            return i;
        }
    }

    return UINT32_MAX;
}
