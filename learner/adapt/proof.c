
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "ways.h"


/* RULES ARE TRIED BEFORE THEY ARE KEPT, see ways.h */

#define LEARN_PROOF_SINGLE  3            /* pairs, of a step alone, */
#define LEARN_PROOF_ROW     2            /* or of several, each of which held */
#define LEARN_PROOF_SPARE   3            /* URLs for one that is a page */


static int  learn_proof_create(learn_adapt_t *adapt, learn_ways_t *ways);
static int  learn_proof_trials(learn_ways_t *ways, uint32_t rule);
static void  learn_proof_add(learn_ways_t *ways, uint32_t rule,
    uint32_t form);
static int  learn_proof_by_head(const void *one, const void *two);
static int  learn_proof_rule(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t rule);
static int  learn_proof_head(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t rule, uint32_t first, uint32_t last, uint32_t *good);
static learn_said_e  learn_proof_ask(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t form, unsigned viewer, learn_pair_t *pair);
static int  learn_proof_keep(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t rule);


int
learn_ways_rules(learn_adapt_t *adapt)
{
    uint32_t       i, open;
    learn_ways_t  *ways;

    ways = adapt->ways;

    if (ways == NULL || ways->site.nsteps == 0) {
        return 1;
    }

    if (ways->proofs == NULL && !learn_proof_create(adapt, ways)) {
        adapt->failed = 1;
        return 0;
    }

    open = 0;

    for (i = 0; i < ways->nrules && !adapt->failed; i++) {

        if (ways->proofs[i].state == LEARN_WAY_OPEN
            && !learn_proof_rule(adapt, ways, i))
        {
            open++;
        }
    }

    return open == 0 && !adapt->failed;
}


/* what is left of URLs may be less than it was when steps were found */

static int
learn_proof_create(learn_adapt_t *adapt, learn_ways_t *ways)
{
    uint32_t  i;

    if (!learn_ways_fill(adapt, ways) || !learn_site_walk(&ways->site)) {
        return 0;
    }

    ways->rules = learn_site_rules(&ways->site, &ways->nrules);
    ways->proofs = calloc(ways->nrules + 1, sizeof(learn_proof_t));

    if (ways->rules == NULL || ways->proofs == NULL) {
        return 0;
    }

    for (i = 0; i < ways->nrules; i++) {
        if (!learn_proof_trials(ways, i)) {
            return 0;
        }
    }

    return 1;
}


/* URLs that it changes, some for each first segment that they end up with */

static int
learn_proof_trials(learn_ways_t *ways, uint32_t rule)
{
    uint64_t        trace;
    uint32_t        i;
    learn_site_t   *site;
    learn_proof_t  *proof;

    site = &ways->site;
    proof = &ways->proofs[rule];
    trace = ways->rules[rule].trace;

    proof->trials = malloc(LEARN_WAYS_TRIALS * sizeof(learn_trial_t));

    if (proof->trials == NULL) {
        return 0;
    }

    for (i = 0; i < site->nforms; i++) {
        if (learn_site_rule_has(site, &ways->rules[rule], i)) {
            learn_proof_add(ways, rule, i);
        }
    }

    qsort(proof->trials, proof->ntrials, sizeof(learn_trial_t),
          learn_proof_by_head);

    proof->need = (trace & (trace - 1)) ? LEARN_PROOF_ROW
                                        : LEARN_PROOF_SINGLE;

    if (proof->need > proof->ntrials) {
        proof->need = LEARN_PROOF_ROW;
    }

    return 1;
}


static void
learn_proof_add(learn_ways_t *ways, uint32_t rule, uint32_t form)
{
    uint32_t             i, most, same;
    learn_trial_t       *trial;
    learn_proof_t       *proof;
    const learn_form_t  *made;

    proof = &ways->proofs[rule];
    made = &ways->site.forms[form];
    trial = &proof->trials[proof->ntrials];

    if (proof->ntrials == LEARN_WAYS_TRIALS) {
        return;
    }

    trial->form = form;
    trial->head = (ways->rules[rule].heads && made->nsegs > 0)
                  ? made->parts[0] : LEARN_NOTHING;

    same = 0;

    for (i = 0; i < proof->ntrials; i++) {
        same += (proof->trials[i].head == trial->head);
    }

    most = (trial->head == LEARN_NOTHING)
           ? LEARN_PROOF_SINGLE + LEARN_PROOF_SPARE : LEARN_PROOF_SPARE;

    proof->ntrials += (same < most);
}


static int
learn_proof_by_head(const void *one, const void *two)
{
    const learn_trial_t  *a, *b;

    a = one;
    b = two;

    if (a->head != b->head) {
        return (a->head > b->head) ? 1 : -1;
    }

    return (a->form > b->form) - (a->form < b->form);
}


/* 1 if it is known whether it holds */

static int
learn_proof_rule(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t rule)
{
    int             over;
    uint32_t        i, k, good;
    learn_proof_t  *proof;

    proof = &ways->proofs[rule];
    proof->npairs = 0;
    proof->nheads = 0;
    over = 1;
    good = 0;

    for (i = 0; i < proof->ntrials; i = k) {

        for (k = i + 1; k < proof->ntrials
                        && proof->trials[k].head == proof->trials[i].head;
             k++)
        {
            /* void */
        }

        over &= learn_proof_head(adapt, ways, rule, i, k, &good);
    }

    if (!over) {
        return 0;
    }

    if (good < proof->need || proof->state == LEARN_WAY_REFUSED
        || (ways->rules[rule].heads && proof->nheads == 0))
    {
        proof->state = LEARN_WAY_REFUSED;
        return 1;
    }

    return learn_proof_keep(adapt, ways, rule);
}


/*
 * One page for each first segment, and as many as are needed in all.  A segment
 * for which it does not hold, or of which nobody can tell, is left alone.
 */

static int
learn_proof_head(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t rule,
    uint32_t first, uint32_t last, uint32_t *good)
{
    uint32_t        i, same, need;
    learn_pair_t    pair;
    learn_said_e    rc;
    learn_proof_t  *proof;

    proof = &ways->proofs[rule];
    need = proof->need;

    if (proof->trials[first].head != LEARN_NOTHING) {
        need = (*good + 1 < need && last == proof->ntrials) ? need - *good : 1;
    }

    same = 0;

    for (i = first; i < last && same < need; i++) {
        rc = learn_proof_ask(adapt, ways, proof->trials[i].form,
                             i % LEARN_VIEWERS, &pair);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc == LEARN_SAID_DIFFERS) {

            if (proof->trials[first].head == LEARN_NOTHING) {
                proof->state = LEARN_WAY_REFUSED;
            }

            return 1;
        }

        if (rc == LEARN_SAID_SAME) {
            same++;

            if (proof->npairs < LEARN_WAYS_PROOFS) {
                proof->pairs[proof->npairs++] = pair;
            }
        }
    }

    *good += same;

    if (same > 0 && proof->trials[first].head != LEARN_NOTHING
        && proof->nheads < LEARN_WAYS_HEADS)
    {
        proof->heads[proof->nheads++] = proof->trials[first].head;
    }

    return 1;
}


/* the URL as it came, and what the map would make of it */

static learn_said_e
learn_proof_ask(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t form,
    unsigned viewer, learn_pair_t *pair)
{
    uint32_t         url;
    miqps_str_t      full, made;
    learn_kind_t    *kind, *noise;
    learn_traits_t   less;

    static const learn_traits_t  none;

    url = ways->urls[form];
    kind = &adapt->kinds[adapt->urls[url].kind];
    noise = learn_ways_noise(adapt, ways, form, &ways->site.forms[form]);

    if (noise->why != NULL) {
        return LEARN_SAID_NOTHING;
    }

    learn_joint_less(adapt, kind, url, &less);
    full = learn_form_less(adapt, kind, url, &none);
    made = learn_ways_url(adapt, ways, &ways->site.forms[form]);

    return learn_inquire(adapt, noise, &full, &made, viewer,
                         learn_form_names(adapt, kind, &less), pair);
}


static int
learn_proof_keep(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t rule)
{
    learn_proof_t  *proof;

    proof = &ways->proofs[rule];

    if (ways->rules[rule].heads) {
        learn_site_heads(&ways->site, proof->heads, proof->nheads);
    }

    proof->text = learn_site_rule_text(&ways->site, &ways->rules[rule]);
    proof->state = LEARN_WAY_TAKEN;

    if (proof->text == NULL) {
        adapt->failed = 1;
    }

    return 1;
}


int
learn_ways_save(learn_adapt_t *adapt)
{
    int                rc;
    uint32_t           i, n;
    learn_ways_t      *ways;
    learn_proof_t     *proof;
    learn_rule_row_t   row;

    ways = adapt->ways;
    rc = LEARN_EXIT_OK;
    n = 0;

    for (i = 0; ways != NULL && i < ways->nrules && rc == LEARN_EXIT_OK; i++) {
        proof = &ways->proofs[i];

        if (proof->state != LEARN_WAY_TAKEN) {
            continue;
        }

        row.number = n++;
        row.rule.data = (const uint8_t *) proof->text;
        row.rule.len = strlen(proof->text);
        row.pairs = proof->pairs;
        row.npairs = proof->npairs;

        rc = adapt->study->store->ops->rule_save(adapt->study->store,
                                                 adapt->study->run, &row);
    }

    return rc;
}
