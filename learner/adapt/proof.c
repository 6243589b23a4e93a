
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdio.h>
#include <stdlib.h>

#include <xxhash.h>

#include "learn.h"
#include "ways.h"


/*
 * RULES ARE TRIED BEFORE THEY ARE KEPT, see ways.h
 *
 * Pairs are chosen in waves, and the next one when all of the last are known:
 * what is asked for does not depend on which page comes first.  What is still
 * wanted of rules, of their first segments and of steps is gone through, those
 * with most URLs first; of the URLs that would do, the one is taken that most
 * is wanted of, and then the one that costs less, since its result was fetched
 * before.  First all get the least that they need, then more.
 */

#define LEARN_PROOF_RULE    2            /* pairs of a rule of its own */
#define LEARN_PROOF_HEAD    1            /* and of a first segment */
#define LEARN_PROOF_TRIES   4            /* for each pair */
#define LEARN_PROOF_CHOICE  24           /* URLs that are looked at for one */
#define LEARN_PROOF_SPARE   8            /* fetches, for second looks */


typedef struct {
    learn_adapt_t       *adapt;
    learn_ways_t        *ways;
    uint32_t             steps[LEARN_SITE_STEPS];  /* pairs, with those that */
    uint32_t            *rules;                    /* are to come */
    uint32_t           (*heads)[LEARN_WAYS_HEADS];
} learn_plan_t;


static int  learn_proof_create(learn_adapt_t *adapt, learn_ways_t *ways);
static void  learn_proof_heads(learn_ways_t *ways, uint32_t rule);
static int  learn_proof_by_order(const void *one, const void *two);
static int  learn_proof_wave(learn_adapt_t *adapt, learn_ways_t *ways);
static void  learn_proof_judge(learn_ways_t *ways, const learn_trial_t *pick);
static void  learn_proof_blame(learn_ways_t *ways, uint64_t trace);
static uint64_t  learn_proof_words(const learn_ways_t *ways, uint64_t trace);
static uint64_t  learn_proof_refused(const learn_ways_t *ways);
static int  learn_proof_kin(const learn_ways_t *ways, uint32_t one,
    uint64_t refused);
static learn_head_t  *learn_proof_head(learn_ways_t *ways, uint32_t rule,
    uint32_t form);
static int  learn_proof_plan(learn_adapt_t *adapt, learn_ways_t *ways);
static void  learn_proof_rules(learn_plan_t *plan);
static void  learn_proof_steps(learn_plan_t *plan);
static int  learn_proof_pick(learn_plan_t *plan, uint32_t rule,
    const learn_head_t *head, uint64_t step);
static uint32_t  learn_proof_worth(learn_plan_t *plan, uint32_t form);
static uint32_t  learn_proof_cost(learn_plan_t *plan, uint32_t form,
    unsigned viewer, int *doubted);
static void  learn_proof_add(learn_plan_t *plan, uint32_t form,
    unsigned viewer);
static learn_said_e  learn_proof_ask(learn_adapt_t *adapt, learn_ways_t *ways,
    learn_trial_t *pick);
static void  learn_proof_pair(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t form, miqps_str_t *full, miqps_str_t *made,
    learn_traits_t *less);
static void  learn_proof_keep(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t rule);
static void  learn_proof_evidence(learn_ways_t *ways, uint32_t rule);
static void  learn_proof_disown(learn_adapt_t *adapt, learn_ways_t *ways);


int
learn_ways_rules(learn_adapt_t *adapt)
{
    uint32_t       i;
    uint64_t       refused;
    unsigned       level;
    learn_ways_t  *ways;

    ways = adapt->ways;

    if (ways == NULL || ways->site.nsteps == 0) {
        return 1;
    }

    if (ways->proofs == NULL && !learn_proof_create(adapt, ways)) {
        adapt->failed = 1;
        return 0;
    }

    for ( ;; ) {

        if (!learn_proof_wave(adapt, ways)) {
            return 0;
        }

        if (!learn_proof_plan(adapt, ways)) {
            return 0;
        }

        if (ways->npicks == ways->known
            && ways->level++ == LEARN_DANGER_LEVELS - 1)
        {
            break;
        }
    }

    refused = learn_proof_refused(ways);

    for (i = 0; i < ways->site.nsteps; i++) {
        level = learn_proof_kin(ways, i, refused) ? LEARN_DANGER_KIN : 0;

        if (ways->good[i] < learn_danger_pairs(&ways->site.steps[i], level)) {
            ways->scarce |= UINT64_C(1) << i;
        }
    }

    for (i = 0; i < ways->nrules; i++) {
        learn_proof_keep(adapt, ways, i);
    }

    learn_proof_disown(adapt, ways);

    return !adapt->failed;
}


/* what is left of URLs may be less than it was when steps were found */

static int
learn_proof_create(learn_adapt_t *adapt, learn_ways_t *ways)
{
    uint32_t       i, k;
    learn_site_t  *site;

    typedef struct { uint64_t order; uint32_t form; } learn_ordered_t;

    learn_ordered_t  *list;

    site = &ways->site;

    if (!learn_ways_fill(adapt, ways) || !learn_site_walk(site)) {
        return 0;
    }

    ways->rules = learn_site_rules(site, &ways->nrules);
    ways->proofs = calloc(ways->nrules + 1, sizeof(learn_proof_t));
    ways->order = malloc((site->nforms + 1) * sizeof(uint32_t));
    ways->rule_of = malloc((site->nforms + 1) * sizeof(uint32_t));
    ways->tried = calloc(site->nforms + 1, 1);
    ways->picks = malloc(LEARN_WAYS_PICKS * sizeof(learn_trial_t));
    list = malloc((site->nforms + 1) * sizeof(learn_ordered_t));

    if (ways->rules == NULL || ways->proofs == NULL || ways->order == NULL
        || ways->rule_of == NULL || ways->tried == NULL
        || ways->picks == NULL || list == NULL)
    {
        free(list);
        return 0;
    }

    for (i = 0; i < site->nforms; i++) {
        list[i].order = adapt->urls[ways->urls[i]].order;
        list[i].form = i;
        ways->rule_of[i] = LEARN_NOTHING;

        for (k = 0; k < ways->nrules; k++) {
            if (learn_site_rule_has(site, &ways->rules[k], i)) {
                ways->rule_of[i] = k;
                break;
            }
        }
    }

    qsort(list, site->nforms, sizeof(learn_ordered_t), learn_proof_by_order);

    for (i = 0; i < site->nforms; i++) {
        ways->order[i] = list[i].form;
    }

    free(list);

    for (i = 0; i < ways->nrules; i++) {
        learn_proof_heads(ways, i);
    }

    return 1;
}


static int
learn_proof_by_order(const void *one, const void *two)
{
    const uint64_t  *a, *b;

    a = one;
    b = two;

    return (*a > *b) - (*a < *b);
}


/* those that its URLs end up with */

static void
learn_proof_heads(learn_ways_t *ways, uint32_t rule)
{
    uint32_t             i, k, token;
    learn_proof_t       *proof;
    const learn_form_t  *made;

    proof = &ways->proofs[rule];

    for (i = 0; ways->rules[rule].heads && i < ways->site.nforms; i++) {
        made = &ways->site.forms[i];

        if (ways->rule_of[i] != rule || made->nsegs == 0) {
            continue;
        }

        token = made->parts[0];

        for (k = 0; k < proof->nheads && proof->heads[k].token != token; k++) {
            /* void */
        }

        if (k == proof->nheads && k < LEARN_WAYS_HEADS) {
            proof->heads[proof->nheads++].token = token;
        }
    }
}


/* what was asked for last; 0 while it is to come */

static int
learn_proof_wave(learn_adapt_t *adapt, learn_ways_t *ways)
{
    uint32_t        i, open;
    learn_trial_t  *pick;

    open = 0;

    for (i = ways->known; i < ways->npicks && !adapt->failed; i++) {
        pick = &ways->picks[i];

        if (pick->said == LEARN_SAID_WAIT) {
            learn_arena_clear(&adapt->scratch);
            pick->said = learn_proof_ask(adapt, ways, pick);
            open += (pick->said == LEARN_SAID_WAIT);
        }
    }

    if (open > 0 || adapt->failed) {
        return 0;
    }

    for (i = ways->known; i < ways->npicks; i++) {
        learn_proof_judge(ways, &ways->picks[i]);
    }

    ways->known = ways->npicks;

    return 1;
}


static void
learn_proof_judge(learn_ways_t *ways, const learn_trial_t *pick)
{
    uint32_t        i;
    uint64_t        trace;
    learn_head_t   *head;
    learn_proof_t  *proof;

    proof = &ways->proofs[pick->rule];
    trace = ways->rules[pick->rule].trace;
    head = learn_proof_head(ways, pick->rule, pick->form);

    if (pick->said == LEARN_SAID_DIFFERS) {

        /* a segment for which it does not hold is left alone */

        if (head != NULL) {
            head->bad = 1;

        } else {
            proof->state = LEARN_WAY_REFUSED;
            learn_proof_blame(ways, trace);
        }

        return;
    }

    if (pick->said != LEARN_SAID_SAME) {
        return;
    }

    proof->good++;

    if (head != NULL) {
        head->good++;
    }

    for (i = 0; i < ways->site.nsteps; i++) {
        ways->good[i] += (trace >> i & 1);
    }
}


/* of several steps it was one of those that can be wrong most */

static void
learn_proof_blame(learn_ways_t *ways, uint64_t trace)
{
    uint64_t  words;

    words = learn_proof_words(ways, trace);

    if (words != 0) {
        ways->refused |= words;

    } else if ((trace & (trace - 1)) == 0) {
        ways->refused |= trace;
    }
}


/* those of its steps that make one word of another */

static uint64_t
learn_proof_words(const learn_ways_t *ways, uint64_t trace)
{
    uint32_t  i;
    uint64_t  words;

    words = 0;

    for (i = 0; i < ways->site.nsteps; i++) {
        if ((trace >> i & 1) && learn_danger_words(&ways->site.steps[i])) {
            words |= UINT64_C(1) << i;
        }
    }

    return words;
}


/* words that are others somewhere, be it below some first segments only */

static uint64_t
learn_proof_refused(const learn_ways_t *ways)
{
    uint32_t  i, k;
    uint64_t  refused;

    refused = ways->refused;

    for (i = 0; i < ways->nrules; i++) {
        for (k = 0; k < ways->proofs[i].nheads; k++) {
            if (ways->proofs[i].heads[k].bad) {
                refused |= learn_proof_words(ways, ways->rules[i].trace);
            }
        }
    }

    return refused;
}


/*
 * True if what was refused is much like it: where "red" is not "black", "blue"
 * is not without more ado.
 */

static int
learn_proof_kin(const learn_ways_t *ways, uint32_t one, uint64_t refused)
{
    uint32_t             i;
    const learn_step_t  *step, *other;

    step = &ways->site.steps[one];

    for (i = 0; i < ways->site.nsteps && step->kind == LEARN_STEP_WORD; i++) {
        other = &ways->site.steps[i];

        if (i != one && (refused >> i & 1) && other->kind == LEARN_STEP_WORD
            && (other->one == step->one || other->one == step->two
                || other->two == step->one || other->two == step->two))
        {
            return 1;
        }
    }

    return 0;
}


/* that of the form, where a rule has some; or NULL */

static learn_head_t *
learn_proof_head(learn_ways_t *ways, uint32_t rule, uint32_t form)
{
    uint32_t             i;
    learn_proof_t       *proof;
    const learn_form_t  *made;

    proof = &ways->proofs[rule];
    made = &ways->site.forms[form];

    for (i = 0; i < proof->nheads && made->nsegs > 0; i++) {
        if (proof->heads[i].token == made->parts[0]) {
            return &proof->heads[i];
        }
    }

    return NULL;
}


/* the next wave; 0 without memory */

static int
learn_proof_plan(learn_adapt_t *adapt, learn_ways_t *ways)
{
    learn_plan_t  plan;

    memset(&plan, 0, sizeof(learn_plan_t));

    plan.adapt = adapt;
    plan.ways = ways;
    plan.rules = calloc(ways->nrules + 1, sizeof(uint32_t));
    plan.heads = calloc(ways->nrules + 1, sizeof(*plan.heads));

    if (plan.rules == NULL || plan.heads == NULL) {
        free(plan.rules);
        free(plan.heads);
        adapt->failed = 1;
        return 0;
    }

    memcpy(plan.steps, ways->good, sizeof(plan.steps));

    learn_proof_rules(&plan);
    learn_proof_steps(&plan);

    free(plan.rules);
    free(plan.heads);

    return !adapt->failed;
}


/* rules come with most URLs first */

static void
learn_proof_rules(learn_plan_t *plan)
{
    uint32_t        i, k;
    learn_ways_t   *ways;
    learn_proof_t  *proof;

    ways = plan->ways;

    for (i = 0; i < ways->nrules; i++) {
        proof = &ways->proofs[i];

        for (k = 0; k < proof->nheads; k++) {
            while (!proof->heads[k].bad
                   && proof->heads[k].good + plan->heads[i][k]
                      < LEARN_PROOF_HEAD
                   && learn_proof_pick(plan, i, &proof->heads[k], 0))
            {
                /* void */
            }
        }

        while (proof->good + plan->rules[i] < LEARN_PROOF_RULE
               && learn_proof_pick(plan, i, NULL, 0))
        {
            /* void */
        }
    }
}


/* and so are steps gone through: those of large rules before others */

static void
learn_proof_steps(learn_plan_t *plan)
{
    uint32_t       i, k, want;
    uint64_t       done, step;
    learn_ways_t  *ways;

    ways = plan->ways;
    done = 0;

    for (i = 0; i < ways->nrules; i++) {
        for (k = 0; k < ways->site.nsteps; k++) {
            step = UINT64_C(1) << k;

            if (!(ways->rules[i].trace & step) || (done & step)) {
                continue;
            }

            done |= step;
            want = learn_danger_pairs(&ways->site.steps[k], ways->level);

            while (plan->steps[k] < want
                   && learn_proof_pick(plan, LEARN_NOTHING, NULL, step))
            {
                /* void */
            }
        }
    }
}


/* one more URL, of a rule, a first segment, or a step; 0 if none is left */

static int
learn_proof_pick(learn_plan_t *plan, uint32_t rule, const learn_head_t *head,
    uint64_t step)
{
    int            doubted;
    uint32_t       i, n, of, form, worth, cost, best, best_worth, best_cost;
    uint32_t       moved;
    unsigned       viewer;
    learn_ways_t  *ways;

    ways = plan->ways;
    best = LEARN_NOTHING;
    best_worth = 0;
    best_cost = 0;
    n = 0;

    /* what is left is for second looks, and for what will have moved */

    moved = learn_again_moved(plan->adapt, 2 * (ways->npicks - ways->known));

    if (ways->npicks == LEARN_WAYS_PICKS
        || plan->adapt->asked + moved + LEARN_PROOF_SPARE >= plan->adapt->cap)
    {
        return 0;
    }

    viewer = ways->npicks % LEARN_VIEWERS;

    for (i = 0; i < ways->site.nforms && n < LEARN_PROOF_CHOICE; i++) {
        form = ways->order[i];
        of = ways->rule_of[form];

        if (of == LEARN_NOTHING || ways->tried[form]
            || (rule != LEARN_NOTHING && of != rule)
            || (step != 0 && !(ways->rules[of].trace & step))
            || (head != NULL && learn_proof_head(ways, of, form) != head)
            || ways->proofs[of].state == LEARN_WAY_REFUSED
            || (ways->rules[of].trace & ways->refused))
        {
            continue;
        }

        worth = learn_proof_worth(plan, form);

        if (best != LEARN_NOTHING && worth < best_worth) {
            continue;
        }

        cost = learn_proof_cost(plan, form, viewer, &doubted);

        if (doubted) {
            continue;
        }

        n++;

        if (best == LEARN_NOTHING || worth > best_worth || cost < best_cost) {
            best = form;
            best_worth = worth;
            best_cost = cost;
        }
    }

    if (best == LEARN_NOTHING) {
        return 0;
    }

    learn_proof_add(plan, best, viewer);

    return 1;
}


/* how much is wanted of it */

static uint32_t
learn_proof_worth(learn_plan_t *plan, uint32_t form)
{
    uint32_t       i, n, rule;
    uint64_t       trace;
    learn_ways_t  *ways;

    ways = plan->ways;
    rule = ways->rule_of[form];
    trace = ways->rules[rule].trace;
    n = (ways->proofs[rule].good + plan->rules[rule] < LEARN_PROOF_RULE);

    for (i = 0; i < ways->site.nsteps; i++) {
        n += (trace >> i & 1)
             && plan->steps[i] < learn_danger_pairs(&ways->site.steps[i],
                                                    ways->level);
    }

    return n;
}


/* fetches; its URLs must not be those by which something was suspected */

static uint32_t
learn_proof_cost(learn_plan_t *plan, uint32_t form, unsigned viewer,
    int *doubted)
{
    uint32_t              i, k, cost;
    uint64_t              hash;
    miqps_str_t           urls[2];
    learn_adapt_t        *adapt;
    learn_traits_t        less;
    const learn_visit_t  *visit;

    adapt = plan->adapt;
    cost = 0;
    *doubted = 0;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_VIEWERS)) {
        viewer = 0;
    }

    learn_arena_clear(&adapt->scratch);
    learn_proof_pair(adapt, plan->ways, form, &urls[0], &urls[1], &less);

    for (i = 0; i < 2; i++) {

        if (urls[i].len == 0) {
            *doubted = 1;
            return 0;
        }

        hash = XXH3_64bits(urls[i].data, urls[i].len);

        for (k = 0; k < plan->ways->ndoubted; k++) {
            *doubted |= (plan->ways->doubted[k] == hash);
        }

        visit = learn_visit_find(adapt->study, &urls[i], viewer);
        cost += (visit == NULL || !visit->touched);
    }

    return cost;
}


static void
learn_proof_add(learn_plan_t *plan, uint32_t form, unsigned viewer)
{
    uint32_t        i;
    uint64_t        trace;
    learn_head_t   *head;
    learn_ways_t   *ways;
    learn_trial_t  *pick;

    ways = plan->ways;
    pick = &ways->picks[ways->npicks++];

    memset(pick, 0, sizeof(learn_trial_t));

    pick->form = form;
    pick->rule = ways->rule_of[form];
    pick->viewer = viewer;

    ways->tried[form] = 1;
    plan->rules[pick->rule]++;
    head = learn_proof_head(ways, pick->rule, form);

    if (head != NULL) {
        plan->heads[pick->rule][head - ways->proofs[pick->rule].heads]++;
    }

    trace = ways->rules[pick->rule].trace;

    for (i = 0; i < ways->site.nsteps; i++) {
        plan->steps[i] += (trace >> i & 1);
    }

    /* from now on it is known what this costs */

    learn_arena_clear(&plan->adapt->scratch);
    pick->said = learn_proof_ask(plan->adapt, ways, pick);
}


/* the URL as it came, and what the map would make of it */

static learn_said_e
learn_proof_ask(learn_adapt_t *adapt, learn_ways_t *ways, learn_trial_t *pick)
{
    int              leads;
    uint32_t         form;
    miqps_str_t      full, made;
    learn_said_e     rc;
    learn_kind_t    *kind, *noise;
    learn_traits_t   less;

    form = pick->form;
    kind = &adapt->kinds[adapt->urls[ways->urls[form]].kind];
    noise = learn_ways_noise(adapt, ways, form, &ways->site.forms[form]);

    if (noise->why != NULL) {
        return LEARN_SAID_NOTHING;
    }

    learn_proof_pair(adapt, ways, form, &full, &made, &less);

    rc = learn_inquire(adapt, noise, &full, &made, pick->viewer,
                       learn_form_names(adapt, kind, &less), &pick->pair);

    if (rc == LEARN_SAID_SAME
        && learn_proof_declared(adapt, &full, &made, pick->viewer, &leads))
    {
        return LEARN_SAID_DIFFERS;
    }

    return rc;
}


static void
learn_proof_pair(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t form,
    miqps_str_t *full, miqps_str_t *made, learn_traits_t *less)
{
    uint32_t       url;
    learn_kind_t  *kind;

    static const learn_traits_t  none;

    url = ways->urls[form];
    kind = &adapt->kinds[adapt->urls[url].kind];

    learn_joint_less(adapt, kind, url, less);
    *full = learn_form_less(adapt, kind, url, &none);
    *made = learn_ways_url(adapt, ways, &ways->site.forms[form]);
}


int
learn_proof_declared(learn_adapt_t *adapt, const miqps_str_t *one,
    const miqps_str_t *two, unsigned viewer, int *leads)
{
    const miqps_str_t    *a, *b;
    const learn_visit_t  *first, *second;

    *leads = 0;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_VIEWERS)) {
        viewer = 0;
    }

    first = learn_visit_find(adapt->study, one, viewer);
    second = learn_visit_find(adapt->study, two, viewer);

    if (first == NULL || second == NULL) {
        return 0;
    }

    a = &first->row.canonical;
    b = &second->row.canonical;
    *leads = miqps_str_eq(a, two);

    return !miqps_str_eq(one, two) && miqps_str_eq(a, one)
           && miqps_str_eq(b, two);
}


void
learn_proof_doubt(learn_adapt_t *adapt, learn_ways_t *ways,
    const miqps_str_t *url)
{
    uint32_t   i;
    uint64_t   hash, *list;

    hash = XXH3_64bits(url->data, url->len);

    for (i = 0; i < ways->ndoubted; i++) {
        if (ways->doubted[i] == hash) {
            return;
        }
    }

    list = realloc(ways->doubted, (i + 1) * sizeof(uint64_t));

    if (list == NULL) {
        adapt->failed = 1;
        return;
    }

    list[i] = hash;
    ways->doubted = list;
    ways->ndoubted = i + 1;
}


/* what it has come to */

static void
learn_proof_keep(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t rule)
{
    uint32_t        i, n, heads[LEARN_WAYS_HEADS];
    uint64_t        trace;
    learn_proof_t  *proof;

    proof = &ways->proofs[rule];
    trace = ways->rules[rule].trace;
    n = 0;

    for (i = 0; i < proof->nheads; i++) {
        if (!proof->heads[i].bad && proof->heads[i].good > 0) {
            heads[n++] = proof->heads[i].token;
        }
    }

    if (proof->state == LEARN_WAY_REFUSED || proof->good < LEARN_PROOF_RULE
        || (trace & (ways->refused | ways->scarce))
        || (ways->rules[rule].heads && n == 0))
    {
        proof->state = LEARN_WAY_REFUSED;
        return;
    }

    if (ways->rules[rule].heads) {
        learn_site_heads(&ways->site, heads, n);
    }

    learn_proof_evidence(ways, rule);
    proof->text = learn_site_rule_text(&ways->site, &ways->rules[rule]);
    proof->state = LEARN_WAY_TAKEN;

    if (proof->text == NULL) {
        adapt->failed = 1;
    }
}


/* pairs of its own first, and then those of other rows with its steps */

static void
learn_proof_evidence(learn_ways_t *ways, uint32_t rule)
{
    int                   own;
    uint32_t              i;
    uint64_t              trace, words;
    learn_proof_t        *proof;
    const learn_trial_t  *pick;

    proof = &ways->proofs[rule];
    words = learn_proof_words(ways, ways->rules[rule].trace);
    words = (words != 0) ? words : ways->rules[rule].trace;

    for (own = 1; own >= 0; own--) {
        for (i = 0; i < ways->npicks && proof->npairs < LEARN_WAYS_PROOFS; i++)
        {
            pick = &ways->picks[i];
            trace = ways->rules[pick->rule].trace;

            if (pick->said == LEARN_SAID_SAME && (trace & words)
                && (pick->rule == rule) == own)
            {
                proof->pairs[proof->npairs++] = pick->pair;
            }
        }
    }
}


/* kinds whose pages are not those of another one after all */

static void
learn_proof_disown(learn_adapt_t *adapt, learn_ways_t *ways)
{
    uint32_t  i;

    for (i = 0; i < ways->site.nforms; i++) {
        if (ways->site.forms[i].trace & (ways->refused | ways->scarce)) {
            adapt->kinds[adapt->urls[ways->urls[i]].kind].heir = 0;
        }
    }

    if (ways->scarce & ~ways->refused) {
        (void) snprintf(adapt->study->why, sizeof(adapt->study->why),
                        "there are too few fetches or URLs for some path "
                        "rules");
    }
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
