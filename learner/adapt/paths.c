
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "adapt.h"
#include "learn.h"
#include "site/site.h"


/*
 * PATH RULES, FOUND WITHOUT LABELS
 *
 * What is left of the host's URLs is looked through for those that differ in
 * one part of the path, see site_suspect.c.  Some pairs of each such step are
 * fetched; if all show the same page, and for both viewers, the step is taken.
 * Then there is a rule for each row of steps that URLs go through, and some of
 * its URLs are fetched, and what it makes of them: a rule of which one of these
 * is another page is none, and neither is one whose result cannot be asked for.
 */

#define LEARN_WAYS_SUSPECTS   24         /* steps that are tried */
#define LEARN_WAYS_PAIRS      3          /* of each, that are the same */
#define LEARN_WAYS_PROOFS     3          /* URLs of each rule */
#define LEARN_WAYS_LEAST      3          /* pairs that make it worth it */
#define LEARN_WAYS_SHARE      500        /* one URL in so many does */


typedef struct {
    char                *text;           /* JSON */
    learn_pair_t         pairs[LEARN_WAYS_PROOFS];
    size_t               npairs;
} learn_way_rule_t;


struct learn_ways_s {
    learn_site_t         site;
    uint32_t            *urls;           /* of each form: its URL */
    learn_suspect_t     *suspects;
    uint32_t             nsuspects;
    learn_site_rule_t   *rules;
    uint32_t             nrules;
    learn_way_rule_t    *kept;
    uint32_t             nkept;
    char                 scheme[8];
    unsigned             found:1;        /* steps are known */
};


typedef struct learn_ways_s  learn_ways_t;


static void  learn_ways_inherit(learn_adapt_t *adapt, learn_ways_t *ways);
static uint32_t  learn_ways_kind(const learn_adapt_t *adapt,
    const learn_ways_t *ways, const learn_form_t *form);
static int  learn_ways_create(learn_adapt_t *adapt);
static int  learn_ways_fill(learn_adapt_t *adapt, learn_ways_t *ways);
static int  learn_ways_add(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t url);
static int  learn_ways_try(learn_adapt_t *adapt, learn_ways_t *ways);
static int  learn_ways_moot(const learn_site_t *site,
    const learn_step_t *step);
static int  learn_ways_suspect(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_suspect_t *suspect, int *same);
static int  learn_ways_prove(learn_adapt_t *adapt, learn_ways_t *ways);
static int  learn_ways_rule(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_site_rule_t *rule, learn_way_rule_t *kept, int *holds);
static learn_said_e  learn_ways_same(learn_adapt_t *adapt,
    learn_ways_t *ways, const learn_form_t *one, const learn_form_t *two,
    uint32_t form, unsigned viewer, learn_pair_t *pair);
static miqps_str_t  learn_ways_url(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_form_t *form);


int
learn_ways_find(learn_adapt_t *adapt)
{
    learn_ways_t  *ways;

    if (!adapt->study->settings->paths) {
        return 1;
    }

    if (adapt->ways == NULL && !learn_ways_create(adapt)) {
        adapt->failed = 1;
        return 0;
    }

    ways = adapt->ways;

    if (!ways->found) {

        if (!learn_ways_try(adapt, ways)) {
            return 0;
        }

        ways->found = 1;
        learn_ways_inherit(adapt, ways);
    }

    return 1;
}


int
learn_ways_rules(learn_adapt_t *adapt)
{
    learn_ways_t  *ways;

    ways = adapt->ways;

    if (ways == NULL || ways->site.nsteps == 0) {
        return 1;
    }

    if (ways->kept == NULL) {

        /* what is left of URLs may be more than it was */

        if (!learn_ways_fill(adapt, ways) || !learn_site_walk(&ways->site)) {
            adapt->failed = 1;
            return 0;
        }

        ways->rules = learn_site_rules(&ways->site, &ways->nrules);
        ways->kept = calloc(ways->nrules + 1, sizeof(learn_way_rule_t));

        if (ways->rules == NULL || ways->kept == NULL) {
            adapt->failed = 1;
            return 0;
        }
    }

    return learn_ways_prove(adapt, ways);
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


void
learn_ways_free(learn_adapt_t *adapt)
{
    uint32_t       i;
    learn_ways_t  *ways;

    ways = adapt->ways;

    if (ways == NULL) {
        return;
    }

    for (i = 0; ways->kept != NULL && i < ways->nrules; i++) {
        free(ways->kept[i].text);
    }

    learn_site_release(&ways->site);
    free(ways->suspects);
    free(ways->rules);
    free(ways->kept);
    free(ways->urls);
    free(ways);
}


/* what is left of all URLs; 0 without memory */

static int
learn_ways_create(learn_adapt_t *adapt)
{
    uint32_t              least;
    learn_ways_t         *ways;
    const learn_seen_t   *first;

    ways = calloc(1, sizeof(learn_ways_t));

    if (ways == NULL) {
        return 0;
    }

    adapt->ways = ways;
    learn_site_init(&ways->site);
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

    least = ways->site.nforms / LEARN_WAYS_SHARE;
    least = (least < LEARN_WAYS_LEAST) ? LEARN_WAYS_LEAST : least;
    ways->suspects = learn_site_suspects(&ways->site, least,
                                         &ways->nsuspects);

    return ways->suspects != NULL;
}


/* forms of what is left of URLs, by what is known now */

static int
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

    free(site->bare);

    return learn_site_bare(site);
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


/* which of the suspects are steps */

static int
learn_ways_try(learn_adapt_t *adapt, learn_ways_t *ways)
{
    int               over, same;
    uint32_t          i, n;
    learn_site_t     *site;
    learn_suspect_t  *suspect;

    site = &ways->site;
    site->nsteps = 0;
    over = 1;
    n = 0;

    for (i = 0; i < ways->nsuspects && n < LEARN_WAYS_SUSPECTS; i++) {
        suspect = &ways->suspects[i];

        if (!learn_site_right_way(site, &suspect->step)) {
            continue;
        }

        n++;

        if (!learn_ways_suspect(adapt, ways, suspect, &same)) {
            over = 0;
            adapt->ahead = 1;

        } else if (same && site->nsteps < LEARN_SITE_STEPS
                   && !learn_ways_moot(site, &suspect->step))
        {
            learn_site_put(site, &suspect->step);
        }
    }

    adapt->ahead = 0;

    return over && learn_site_walk(site);
}


/* what goes as a whole has no part that is to be fixed */

static int
learn_ways_moot(const learn_site_t *site, const learn_step_t *step)
{
    uint32_t  i;

    if (step->kind != LEARN_STEP_FIXED) {
        return 0;
    }

    for (i = 0; i < site->nsteps; i++) {
        if (site->steps[i].kind == LEARN_STEP_FRONT
            && site->steps[i].n > step->left
            && memcmp(site->steps[i].atoms, step->atoms,
                      (step->left + 1) * sizeof(uint32_t)) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* 1 if it is known, and whether all of its pairs are the same */

static int
learn_ways_suspect(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_suspect_t *suspect, int *same)
{
    uint32_t       i, good;
    learn_said_e   rc;
    learn_pair_t   pair;
    learn_site_t  *site;

    *same = 0;
    good = 0;
    site = &ways->site;

    for (i = 0; i < suspect->n && good < LEARN_WAYS_PAIRS; i++) {
        rc = learn_ways_same(adapt, ways, &site->bare[suspect->one[i]],
                             &site->bare[suspect->two[i]], suspect->one[i],
                             i % LEARN_VIEWERS, &pair);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc == LEARN_SAID_DIFFERS) {
            return 1;
        }

        good += (rc == LEARN_SAID_SAME);
    }

    *same = (good >= LEARN_WAYS_LEAST);

    return 1;
}


/* which of the rules hold */

static int
learn_ways_prove(learn_adapt_t *adapt, learn_ways_t *ways)
{
    int       over, holds;
    uint32_t  i;

    over = 1;

    for (i = 0; i < ways->nkept; i++) {
        free(ways->kept[i].text);
        ways->kept[i].text = NULL;
    }

    ways->nkept = 0;

    for (i = 0; i < ways->nrules; i++) {

        if (!learn_ways_rule(adapt, ways, &ways->rules[i],
                             &ways->kept[ways->nkept], &holds))
        {
            over = 0;
            adapt->ahead = 1;
            continue;
        }

        if (!holds || !over) {
            continue;
        }

        ways->kept[ways->nkept].text =
            learn_site_rule_text(&ways->site, &ways->rules[i]);

        if (ways->kept[ways->nkept++].text == NULL) {
            adapt->failed = 1;
            return 0;
        }
    }

    adapt->ahead = 0;

    return over;
}


static int
learn_ways_rule(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_site_rule_t *rule, learn_way_rule_t *kept, int *holds)
{
    uint32_t       i;
    learn_said_e   rc;
    learn_site_t  *site;

    site = &ways->site;
    kept->npairs = 0;
    *holds = 0;

    for (i = 0; i < site->nforms && kept->npairs < LEARN_WAYS_PROOFS; i++) {

        if (site->forms[i].trace != rule->trace) {
            continue;
        }

        rc = learn_ways_same(adapt, ways, &site->bare[i], &site->forms[i], i,
                             kept->npairs % LEARN_VIEWERS,
                             &kept->pairs[kept->npairs]);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc == LEARN_SAID_DIFFERS) {
            return 1;
        }

        kept->npairs += (rc == LEARN_SAID_SAME);
    }

    *holds = (kept->npairs == LEARN_WAYS_PROOFS);

    return 1;
}


static learn_said_e
learn_ways_same(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_form_t *one, const learn_form_t *two, uint32_t form,
    unsigned viewer, learn_pair_t *pair)
{
    uint32_t     kind;
    miqps_str_t  from, to;

    static const uint32_t  none[] = { UINT32_MAX };

    from = learn_ways_url(adapt, ways, one);
    to = learn_ways_url(adapt, ways, two);
    kind = adapt->urls[ways->urls[form]].kind;

    if (adapt->kinds[kind].why != NULL) {
        return LEARN_SAID_NOTHING;
    }

    return learn_inquire(adapt, &adapt->kinds[kind], &from, &to, viewer, none,
                         pair);
}


static miqps_str_t
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


int
learn_ways_save(learn_adapt_t *adapt)
{
    int                rc;
    uint32_t           i;
    learn_ways_t      *ways;
    learn_rule_row_t   row;

    ways = adapt->ways;
    rc = LEARN_EXIT_OK;

    for (i = 0; ways != NULL && i < ways->nkept && rc == LEARN_EXIT_OK; i++) {
        row.number = i;
        row.rule.data = (const uint8_t *) ways->kept[i].text;
        row.rule.len = strlen(ways->kept[i].text);
        row.pairs = ways->kept[i].pairs;
        row.npairs = ways->kept[i].npairs;

        rc = adapt->study->store->ops->rule_save(adapt->study->store,
                                                 adapt->study->run, &row);
    }

    return rc;
}
