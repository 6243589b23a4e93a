
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_plan_proof.h"


typedef struct {
    learn_plan_t        *plan;
    const learn_tree_t  *tree;
    const learn_set_t   *set;

    uint32_t            *owner;    /* of each place in the order, the node
                                      whose action is for it */
    uint32_t            *urls;     /* of each node, how many places */
    learn_action_t     **ends;     /* of each node, the actions to it */

    uint32_t            *value;    /* of each key, in the URL at hand */
    uint32_t            *stamp;
    uint32_t             now;

    uint64_t            *keys;     /* a table of forms, and of forms with a
                                      cluster, ... */
    uint32_t            *counts;   /* ... and of how many URLs have them */
    size_t               mask;
} learn_proof_t;


static int  learn_proof_init(learn_proof_t *proof);
static void  learn_proof_release(learn_proof_t *proof);
static void  learn_proof_arrows(learn_plan_t *plan);
static void  learn_proof_owners(learn_proof_t *proof);
static void  learn_proof_sort(learn_proof_t *proof, learn_action_t *action);
static int  learn_proof_before(const learn_proof_t *proof,
    const learn_action_t *one, const learn_action_t *two);
static void  learn_proof_target(learn_proof_t *proof, learn_action_t *list);
static void  learn_proof_action(learn_proof_t *proof, learn_action_t *action);
static void  learn_proof_narrow(const learn_proof_t *proof,
    learn_action_t *action);
static int  learn_proof_try(learn_proof_t *proof,
    const learn_action_t *action);
static void  learn_proof_count(learn_proof_t *proof,
    const learn_action_t *action, int less, learn_pairs_t *pairs);
static uint64_t  learn_proof_form(learn_proof_t *proof,
    const learn_action_t *action, uint32_t url);
static uint32_t  *learn_proof_place(learn_proof_t *proof, uint64_t key);
static uint64_t  learn_proof_mix(uint64_t key, uint64_t value);


int
learn_plan_proof(learn_plan_t *plan)
{
    int              ok;
    uint32_t         n;
    learn_proof_t    proof;

    memset(&proof, 0, sizeof(learn_proof_t));

    proof.plan = plan;
    proof.tree = plan->rules->tree;
    proof.set = proof.tree->set;

    ok = learn_proof_init(&proof);

    if (ok) {
        learn_proof_owners(&proof);

        for (n = 0; n < proof.tree->nnodes; n++) {
            if (plan->actions[n] != NULL) {
                learn_proof_sort(&proof, plan->actions[n]);
            }
        }

        for (n = 0; n < proof.tree->nnodes; n++) {
            if (proof.ends[n] != NULL) {
                learn_proof_target(&proof, proof.ends[n]);
            }
        }

        learn_proof_arrows(plan);
    }

    learn_proof_release(&proof);

    return ok;
}


static int
learn_proof_init(learn_proof_t *proof)
{
    size_t  urls, keys, nodes, size;

    urls = proof->set->nurls + (size_t) 1;
    keys = proof->set->nkeys + (size_t) 1;
    nodes = proof->tree->nnodes + (size_t) 1;

    for (size = 16; size < 4 * urls; size *= 2) { /* void */ }

    proof->owner = malloc(urls * sizeof(uint32_t));
    proof->urls = calloc(nodes, sizeof(uint32_t));
    proof->ends = calloc(nodes, sizeof(learn_action_t *));
    proof->value = malloc(keys * sizeof(uint32_t));
    proof->stamp = calloc(keys, sizeof(uint32_t));
    proof->keys = malloc(size * sizeof(uint64_t));
    proof->counts = malloc(size * sizeof(uint32_t));

    return proof->owner != NULL && proof->urls != NULL && proof->ends != NULL
           && proof->value != NULL && proof->stamp != NULL
           && proof->keys != NULL && proof->counts != NULL;
}


static void
learn_proof_release(learn_proof_t *proof)
{
    free(proof->owner);
    free(proof->urls);
    free(proof->ends);
    free(proof->value);
    free(proof->stamp);
    free(proof->keys);
    free(proof->counts);
}


static void
learn_proof_arrows(learn_plan_t *plan)
{
    size_t          i;
    learn_arrow_t  *arrow;

    for (i = 0; i < plan->qualified; i++) {
        arrow = &plan->arrows[i];

        if (arrow->keep && plan->actions[arrow->source]->stays) {
            arrow->keep = 0;
            plan->deployed--;
        }
    }
}


/* from the root down, so that the nearest has the last word */

static void
learn_proof_owners(learn_proof_t *proof)
{
    uint32_t                n, i, old;
    const learn_node_t     *node;
    learn_action_t *const  *actions;

    actions = proof->plan->actions;

    memset(proof->owner, 0xff, proof->set->nurls * sizeof(uint32_t));

    for (n = 0; n < proof->tree->nnodes; n++) {
        if (actions[n] == NULL) {
            continue;
        }

        node = &proof->tree->nodes[n];

        for (i = node->first; i < node->last; i++) {
            old = proof->owner[i];

            if (!proof->plan->options.by_rate || old == LEARN_NONE
                || actions[n]->fpr <= actions[old]->fpr)
            {
                proof->owner[i] = n;
            }
        }
    }

    for (i = 0; i < proof->set->nurls; i++) {
        if (proof->owner[i] != LEARN_NONE) {
            proof->urls[proof->owner[i]]++;
        }
    }
}


/* into the list of its target, those with the most URLs first */

static void
learn_proof_sort(learn_proof_t *proof, learn_action_t *action)
{
    learn_action_t  **next;

    next = &proof->ends[action->target];

    while (*next != NULL && learn_proof_before(proof, *next, action)) {
        next = &(*next)->next;
    }

    action->next = *next;
    *next = action;
}


static int
learn_proof_before(const learn_proof_t *proof, const learn_action_t *one,
    const learn_action_t *two)
{
    uint32_t  a, b;

    a = proof->urls[one->node];
    b = proof->urls[two->node];

    return (a != b) ? a > b : one->node < two->node;
}


static void
learn_proof_target(learn_proof_t *proof, learn_action_t *list)
{
    size_t           urls, size;
    learn_action_t  *action;

    urls = 0;

    for (action = list; action != NULL; action = action->next) {
        urls += proof->urls[action->node];
    }

    /* two entries of each URL, and as much again that is empty */

    for (size = 16; size < 4 * urls; size *= 2) { /* void */ }

    memset(proof->keys, 0, size * sizeof(uint64_t));
    memset(proof->counts, 0, size * sizeof(uint32_t));
    proof->mask = size - 1;

    for (action = list; action != NULL; action = action->next) {
        learn_proof_action(proof, action);
    }
}


static void
learn_proof_action(learn_proof_t *proof, learn_action_t *action)
{
    if (learn_proof_try(proof, action)) {
        return;
    }

    if (action->own != NULL) {
        learn_proof_narrow(proof, action);

        if (learn_proof_try(proof, action)) {
            return;
        }
    }

    action->stays = 1;
}


/* what it ignored before others were looked at */

static void
learn_proof_narrow(const learn_proof_t *proof, learn_action_t *action)
{
    uint32_t  i;

    action->ops = action->own;
    action->own = NULL;
    action->ignores = 0;

    for (i = 0; i < proof->tree->patterns[action->target].n; i++) {
        action->ignores |= (action->ops[i].kind == LEARN_OP_IGNORE);
    }
}


static int
learn_proof_try(learn_proof_t *proof, const learn_action_t *action)
{
    learn_pairs_t  pairs;

    learn_proof_count(proof, action, 0, &pairs);

    if (pairs.supports == 0
        || learn_pairs_rate(&pairs) <= proof->plan->options.limit)
    {
        return 1;
    }

    learn_proof_count(proof, action, 1, &pairs);

    return 0;
}


/* the pairs that its URLs make with each other and with what is there */

static void
learn_proof_count(learn_proof_t *proof, const learn_action_t *action, int less,
    learn_pairs_t *pairs)
{
    uint32_t             i, url, *all, *right;
    uint64_t             form;
    const learn_node_t  *node;

    memset(pairs, 0, sizeof(learn_pairs_t));

    node = &proof->tree->nodes[action->node];

    for (i = node->first; i < node->last; i++) {
        if (proof->owner[i] != action->node) {
            continue;
        }

        url = proof->tree->order[i];
        form = learn_proof_form(proof, action, url);

        all = learn_proof_place(proof, form);
        right = learn_proof_place(proof,
                       learn_proof_mix(form, proof->set->clusters[url]));

        if (less) {
            (*all)--;
            (*right)--;

        } else {
            pairs->supports += *all;
            pairs->wrong += (*all)++;
            pairs->wrong -= (*right)++;
        }
    }
}


/* a hash of what becomes of a URL */

static uint64_t
learn_proof_form(learn_proof_t *proof, const learn_action_t *action,
    uint32_t url)
{
    uint32_t           i, key, value;
    uint64_t           hash;
    const learn_op_t  *op;

    proof->now++;

    for (i = proof->set->rows[url]; i < proof->set->rows[url + 1]; i++) {
        value = proof->set->pairs[i];
        key = proof->set->values[value].key;

        proof->value[key] = proof->set->values[value].same;
        proof->stamp[key] = proof->now;
    }

    hash = 0;

    for (i = 0; i < proof->tree->patterns[action->target].n; i++) {
        op = &action->ops[i];

        switch (op->kind) {

        case LEARN_OP_KEEP:
            value = proof->set->values[op->from].same;
            break;

        case LEARN_OP_REPLACE:
            if (proof->stamp[op->from] != proof->now) {
                continue;
            }

            value = proof->value[op->from];
            break;

        case LEARN_OP_IGNORE:
            value = LEARN_NONE;
            break;

        default:
            continue;
        }

        hash += learn_proof_mix(op->key, value);
    }

    return hash;
}


static uint32_t *
learn_proof_place(learn_proof_t *proof, uint64_t key)
{
    size_t  i;

    key |= 1;               /* 0 is an empty place */

    for (i = (size_t) (key >> 1) & proof->mask; proof->keys[i] != 0;
         i = (i + 1) & proof->mask)
    {
        if (proof->keys[i] == key) {
            break;
        }
    }

    proof->keys[i] = key;

    return &proof->counts[i];
}


static uint64_t
learn_proof_mix(uint64_t key, uint64_t value)
{
    uint64_t  x;

    x = (key + 1) * UINT64_C(0x9e3779b97f4a7c15) + value;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);

    return x ^ x >> 31;
}
