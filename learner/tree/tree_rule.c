
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_trial.h"


static int  learn_rules_all(learn_rules_t *rules, const learn_overlap_t *list,
    const learn_rule_limits_t *limits);
static int  learn_rules_both(learn_rules_t *rules, learn_trial_t *trial,
    learn_rule_t *rule, const learn_rule_limits_t *limits);
static learn_rule_t  *learn_rules_reverse(const learn_rules_t *rules,
    const learn_rule_t *rule);
static int  learn_rules_room(learn_rules_t *rules, learn_rule_t *rule);
static void  learn_rules_begin(const learn_rules_t *rules,
    learn_trial_t *trial, const learn_rule_t *rule);
static void  learn_rules_end(const learn_rules_t *rules, learn_trial_t *trial,
    const learn_rule_t *rule);
static int  learn_rules_mutual(const learn_rule_t *rule,
    const learn_rule_t *reverse);
static const learn_op_t  *learn_rules_op(const learn_rule_t *rule,
    uint32_t key);
static void  learn_rules_turn(const learn_rule_t *rule,
    learn_rule_t *reverse);


int
learn_rules_make(learn_rules_t *rules, const learn_tree_t *tree,
    const learn_rule_limits_t *limits)
{
    int               ok;
    learn_overlap_t  *list;

    memset(rules, 0, sizeof(learn_rules_t));

    learn_arena_init(&rules->arena);

    rules->tree = tree;
    list = NULL;

    ok = learn_overlap_find(tree, limits->overlap, &list, &rules->nrules)
         && learn_rules_all(rules, list, limits);

    free(list);

    return ok;
}


void
learn_rules_release(learn_rules_t *rules)
{
    learn_arena_release(&rules->arena);
}


size_t
learn_rules_candidates(const learn_rules_t *rules)
{
    size_t  i, n;

    for (i = 0, n = 0; i < rules->nrules; i++) {
        n += (rules->rules[i].source <= rules->rules[i].target);
    }

    return n;
}


size_t
learn_rules_qualified(const learn_rules_t *rules, double limit)
{
    size_t               i, n;
    const learn_rule_t  *rule, *reverse;

    for (i = 0, n = 0; i < rules->nrules; i++) {
        rule = &rules->rules[i];

        if (rule->source > rule->target) {
            continue;
        }

        reverse = learn_rules_reverse(rules, rule);

        n += (learn_rule_qualified(rule, limit)
              || (reverse != NULL && learn_rule_qualified(reverse, limit)));
    }

    return n;
}


static int
learn_rules_all(learn_rules_t *rules, const learn_overlap_t *list,
    const learn_rule_limits_t *limits)
{
    int             ok;
    size_t          i;
    learn_trial_t   trial;

    if (rules->nrules == 0) {
        return 1;
    }

    rules->rules = learn_arena_alloc(&rules->arena,
                                     rules->nrules * sizeof(learn_rule_t));

    if (rules->rules == NULL) {
        return 0;
    }

    for (i = 0; i < rules->nrules; i++) {
        rules->rules[i].source = list[i].source;
        rules->rules[i].target = list[i].target;
        rules->rules[i].overlap = list[i].overlap;
    }

    ok = learn_trial_init(&trial, rules->tree);

    /* those that lead back are made together with those that lead there */

    for (i = 0; ok && i < rules->nrules; i++) {
        if (rules->rules[i].ops == NULL) {
            ok = learn_rules_both(rules, &trial, &rules->rules[i], limits);
        }
    }

    learn_trial_release(&trial);

    return ok;
}


static int
learn_rules_both(learn_rules_t *rules, learn_trial_t *trial,
    learn_rule_t *rule, const learn_rule_limits_t *limits)
{
    int            ok, same;
    learn_rule_t  *reverse;

    reverse = learn_rules_reverse(rules, rule);

    if (!learn_rules_room(rules, rule)
        || (reverse != NULL && !learn_rules_room(rules, reverse)))
    {
        return 0;
    }

    learn_rules_begin(rules, trial, rule);

    ok = learn_trial_map(trial, rule, reverse,
                         &rules->tree->patterns[rule->source],
                         &rules->tree->patterns[rule->target],
                         limits->mapping);

    same = (ok && reverse != NULL && learn_rules_mutual(rule, reverse));

    ok = ok && learn_trial_fake(trial, rule, limits->fake)
         && learn_trial_proof(trial, rule);

    learn_rules_end(rules, trial, rule);

    if (!ok || reverse == NULL) {
        return ok;
    }

    if (same) {
        learn_rules_turn(rule, reverse);
        return 1;
    }

    learn_rules_begin(rules, trial, reverse);

    ok = (reverse->nops > 0
          || learn_trial_map(trial, reverse, NULL,
                             &rules->tree->patterns[reverse->source],
                             &rules->tree->patterns[reverse->target],
                             limits->mapping))
         && learn_trial_fake(trial, reverse, limits->fake)
         && learn_trial_proof(trial, reverse);

    learn_rules_end(rules, trial, reverse);

    return ok;
}


/* the rule in the other direction, unless it is this one; NULL without */

static learn_rule_t *
learn_rules_reverse(const learn_rules_t *rules, const learn_rule_t *rule)
{
    size_t         low, high, middle;
    learn_rule_t  *other;

    low = (rule->source == rule->target) ? rules->nrules : 0;
    high = rules->nrules;

    while (low < high) {
        middle = low + (high - low) / 2;
        other = &rules->rules[middle];

        if (other->source == rule->target && other->target == rule->source) {
            return other;
        }

        if (other->source < rule->target
            || (other->source == rule->target
                && other->target < rule->source))
        {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return NULL;
}


static int
learn_rules_room(learn_rules_t *rules, learn_rule_t *rule)
{
    rule->ops = learn_arena_alloc(&rules->arena,
                                  rules->tree->patterns[rule->target].n
                                  * sizeof(learn_op_t) + 1);

    return rule->ops != NULL;
}


static void
learn_rules_begin(const learn_rules_t *rules, learn_trial_t *trial,
    const learn_rule_t *rule)
{
    learn_trial_begin(trial, rule, &rules->tree->patterns[rule->source],
                      &rules->tree->patterns[rule->target]);
}


static void
learn_rules_end(const learn_rules_t *rules, learn_trial_t *trial,
    const learn_rule_t *rule)
{
    learn_trial_end(trial, &rules->tree->patterns[rule->source],
                    &rules->tree->patterns[rule->target]);
}


/*
 * True if what one of two rules copies from a key to another, the other one
 * copies back.  Then the same pairs of URLs become equal by both.
 */

static int
learn_rules_mutual(const learn_rule_t *rule, const learn_rule_t *reverse)
{
    uint32_t           i, n, m;
    const learn_op_t  *op;

    for (i = 0, n = 0; i < rule->nops; i++) {
        n += (rule->ops[i].kind == LEARN_OP_REPLACE);
    }

    for (i = 0, m = 0; i < reverse->nops; i++) {
        if (reverse->ops[i].kind != LEARN_OP_REPLACE) {
            continue;
        }

        op = learn_rules_op(rule, reverse->ops[i].from);

        if (op == NULL || op->kind != LEARN_OP_REPLACE
            || op->from != reverse->ops[i].key)
        {
            return 0;
        }

        m++;
    }

    return reverse->nops > 0 && n == m;
}


static const learn_op_t *
learn_rules_op(const learn_rule_t *rule, uint32_t key)
{
    uint32_t  i;

    for (i = 0; i < rule->nops; i++) {
        if (rule->ops[i].key == key) {
            return &rule->ops[i];
        }
    }

    return NULL;
}


/* what was found out about the rule holds for the one back, too */

static void
learn_rules_turn(const learn_rule_t *rule, learn_rule_t *reverse)
{
    uint32_t           i;
    const learn_op_t  *op;

    for (i = 0; i < reverse->nops; i++) {
        if (reverse->ops[i].kind != LEARN_OP_REPLACE) {
            continue;
        }

        op = learn_rules_op(rule, reverse->ops[i].from);

        if (op != NULL && op->kind == LEARN_OP_IGNORE) {
            reverse->ops[i].kind = LEARN_OP_IGNORE;
            reverse->ops[i].from = LEARN_NONE;
        }
    }

    reverse->supports = rule->supports;
    reverse->wrong = rule->wrong;
    reverse->fpr = rule->fpr;
}
