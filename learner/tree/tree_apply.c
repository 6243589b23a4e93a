
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "tree_plan.h"


/* what an action has made can be the source of another one, so many times */

#define LEARN_APPLY_ROUNDS  4


typedef struct {
    learn_pair_t     pairs[LEARN_MAX_PAIRS];
    uint32_t         keys[LEARN_MAX_PAIRS];    /* their numbers */
    uint32_t         n;
} learn_form_t;


static int  learn_apply_once(learn_plan_t *plan, uint8_t *url, size_t len,
    unsigned round, miqps_str_t *result);
static int  learn_apply_keys(learn_plan_t *plan, learn_form_t *form);
static const learn_action_t  *learn_apply_find(learn_plan_t *plan,
    const learn_form_t *form);
static uint32_t  learn_apply_child(learn_plan_t *plan,
    const learn_form_t *form, uint32_t n);
static int  learn_apply_matches(const learn_plan_t *plan,
    const learn_form_t *form, const learn_pattern_t *pattern);
static const learn_field_t  *learn_apply_field(const learn_set_t *set,
    const learn_pattern_t *pattern, uint32_t key);
static size_t  learn_apply_ops(const learn_plan_t *plan,
    const learn_form_t *form, const learn_action_t *action,
    learn_pair_t *pairs);


static const miqps_str_t  learn_apply_star = miqps_string("*");


int
learn_plan_apply(learn_plan_t *plan, uint8_t *url, size_t len,
    miqps_str_t *result)
{
    int          rc;
    unsigned     round;
    miqps_str_t  next;

    result->data = url;
    result->len = len;

    for (round = 0; round < LEARN_APPLY_ROUNDS; round++) {
        rc = learn_apply_once(plan, (uint8_t *) (uintptr_t) result->data,
                              result->len, round & 1, &next);

        if (rc <= 0) {
            return (round > 0 && rc == 0) ? 1 : rc;
        }

        if (miqps_str_eq(&next, result)) {
            return 1;
        }

        *result = next;

        /* there is a "*" in it */

        if (rc == 2) {
            return 1;
        }
    }

    return 1;
}


/* as above; 2 if something was ignored */

static int
learn_apply_once(learn_plan_t *plan, uint8_t *url, size_t len, unsigned round,
    miqps_str_t *result)
{
    size_t                 n, size;
    uint8_t               *out;
    learn_form_t           form;
    learn_pair_t          *pairs;
    const learn_action_t  *action;

    if (plan->deployed == 0) {
        return 0;
    }

    form.n = (uint32_t) learn_keys_split(url, len, form.pairs);

    if (form.n == 0 || !learn_apply_keys(plan, &form)) {
        return 0;
    }

    action = learn_apply_find(plan, &form);

    if (action == NULL) {
        return 0;
    }

    n = plan->rules->tree->patterns[action->target].n;
    pairs = malloc((n + 1) * sizeof(learn_pair_t));

    if (pairs == NULL) {
        return -1;
    }

    n = learn_apply_ops(plan, &form, action, pairs);
    size = learn_keys_size(pairs, n);

    if (size > plan->size[round]) {
        out = realloc(plan->out[round], 2 * size);

        if (out == NULL) {
            free(pairs);
            return -1;
        }

        plan->out[round] = out;
        plan->size[round] = 2 * size;
    }

    result->len = learn_keys_join(pairs, n, plan->out[round]);
    result->data = plan->out[round];

    free(pairs);

    return action->ignores ? 2 : 1;
}


/* the numbers of the keys; false if one is not known, or a value is "*" */

static int
learn_apply_keys(learn_plan_t *plan, learn_form_t *form)
{
    uint32_t            i, key, again;
    learn_key_t         next;
    const learn_set_t  *set;

    set = plan->rules->tree->set;
    plan->now++;

    for (i = 0; i < form->n; i++) {
        key = learn_set_key(set, &form->pairs[i].key);

        if (key == LEARN_NONE
            || miqps_str_eq(&form->pairs[i].value, &learn_apply_star))
        {
            return 0;
        }

        again = key;

        if (plan->stamp[key] == plan->now) {
            next = form->pairs[i].key;
            next.nth = set->keys[plan->again[key]].key.nth + 1;
            again = learn_set_key(set, &next);

            if (again == LEARN_NONE) {
                return 0;
            }
        }

        plan->stamp[key] = plan->now;
        plan->again[key] = again;
        plan->stamp[again] = plan->now;
        plan->pair[again] = i;

        form->keys[i] = again;
    }

    return 1;
}


static const learn_action_t *
learn_apply_find(learn_plan_t *plan, const learn_form_t *form)
{
    uint32_t                n;
    const learn_node_t     *nodes;
    const learn_action_t   *action, *best;

    best = NULL;
    nodes = plan->rules->tree->nodes;

    for (n = learn_apply_child(plan, form, 0); n != LEARN_NONE;
         n = nodes[n].parent)
    {
        action = plan->actions[n];

        if (action == NULL
            || (best != NULL && action->fpr >= best->fpr)
            || !learn_apply_matches(plan, form,
                                    &plan->rules->tree->patterns[n]))
        {
            continue;
        }

        best = action;

        if (!plan->options.by_rate) {
            break;
        }
    }

    return (best != NULL && best->stays) ? NULL : best;
}


/* the last node on the way down from "n" */

static uint32_t
learn_apply_child(learn_plan_t *plan, const learn_form_t *form, uint32_t n)
{
    size_t                i;
    uint32_t              key, child;
    const miqps_str_t    *text;
    const learn_tree_t   *tree;
    const learn_value_t  *value;

    tree = plan->rules->tree;

    while ((key = tree->nodes[n].key) != LEARN_NONE) {

        if (plan->stamp[key] != plan->now) {
            child = (plan->absent[n] != 0) ? plan->absent[n]
                                           : plan->trivial[n];

        } else {
            text = &form->pairs[plan->pair[key]].value;
            i = XXH3_64bits_withSeed(text->data, text->len, n) & plan->mask;

            for ( ;; ) {
                child = plan->children[i];

                if (child == 0) {
                    child = plan->trivial[n];
                    break;
                }

                value = &tree->set->values[tree->nodes[child].value];

                if (tree->nodes[child].parent == n && value->len == text->len
                    && (text->len == 0
                        || memcmp(value->text, text->data, text->len) == 0))
                {
                    break;
                }

                i = (i + 1) & plan->mask;
            }
        }

        if (child == 0) {
            break;
        }

        n = child;
    }

    return n;
}


static int
learn_apply_matches(const learn_plan_t *plan, const learn_form_t *form,
    const learn_pattern_t *pattern)
{
    uint32_t              i, required;
    const learn_set_t    *set;
    const learn_field_t  *field;

    set = plan->rules->tree->set;
    required = 0;

    for (i = 0; i < form->n; i++) {
        field = learn_apply_field(set, pattern, form->keys[i]);

        if (field == NULL
            || !learn_field_matches(set, field, form->pairs[i].value.data,
                                    form->pairs[i].value.len))
        {
            return 0;
        }

        required += !field->optional;
    }

    return required == pattern->required;
}


static const learn_field_t *
learn_apply_field(const learn_set_t *set, const learn_pattern_t *pattern,
    uint32_t key)
{
    uint32_t  low, high, middle, rank, at;

    low = 0;
    high = pattern->n;
    rank = set->keys[key].rank;

    while (low < high) {
        middle = low + (high - low) / 2;
        at = set->keys[pattern->fields[middle].key].rank;

        if (at == rank) {
            return &pattern->fields[middle];
        }

        if (at < rank) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return NULL;
}


static size_t
learn_apply_ops(const learn_plan_t *plan, const learn_form_t *form,
    const learn_action_t *action, learn_pair_t *pairs)
{
    size_t                n;
    uint32_t              i;
    const learn_op_t     *op;
    const learn_set_t    *set;
    const learn_value_t  *value;

    n = 0;
    set = plan->rules->tree->set;

    for (i = 0; i < plan->rules->tree->patterns[action->target].n; i++) {
        op = &action->ops[i];
        pairs[n].key = set->keys[op->key].key;

        switch (op->kind) {

        case LEARN_OP_KEEP:
            value = &set->values[op->from];
            pairs[n].value.data = value->text;
            pairs[n++].value.len = value->len;
            break;

        case LEARN_OP_REPLACE:
            if (plan->stamp[op->from] == plan->now) {
                pairs[n++].value = form->pairs[plan->pair[op->from]].value;
            }

            break;

        case LEARN_OP_IGNORE:
            pairs[n++].value = learn_apply_star;
            break;

        default:
            break;
        }
    }

    return n;
}
