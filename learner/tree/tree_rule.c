
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_trial.h"


static int  learn_rules_all(learn_rules_t *rules, const learn_overlap_t *list,
    const learn_rule_limits_t *limits);
static int  learn_rules_one(learn_rules_t *rules, learn_trial_t *trial,
    learn_rule_t *rule, const learn_rule_limits_t *limits);


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


static int
learn_rules_all(learn_rules_t *rules, const learn_overlap_t *list,
    const learn_rule_limits_t *limits)
{
    int             ok;
    size_t          i;
    learn_rule_t   *rule;
    learn_trial_t   trial;

    if (rules->nrules == 0) {
        return 1;
    }

    rules->rules = learn_arena_alloc(&rules->arena,
                                     rules->nrules * sizeof(learn_rule_t));

    if (rules->rules == NULL) {
        return 0;
    }

    ok = learn_trial_init(&trial, rules->tree);

    for (i = 0; ok && i < rules->nrules; i++) {
        rule = &rules->rules[i];

        rule->source = list[i].source;
        rule->target = list[i].target;
        rule->overlap = list[i].overlap;

        ok = learn_rules_one(rules, &trial, rule, limits);
    }

    learn_trial_release(&trial);

    return ok;
}


static int
learn_rules_one(learn_rules_t *rules, learn_trial_t *trial,
    learn_rule_t *rule, const learn_rule_limits_t *limits)
{
    int                     ok;
    const learn_pattern_t  *source, *target;

    source = &rules->tree->patterns[rule->source];
    target = &rules->tree->patterns[rule->target];

    rule->ops = learn_arena_alloc(&rules->arena,
                                  target->n * sizeof(learn_op_t) + 1);

    if (rule->ops == NULL) {
        return 0;
    }

    learn_trial_begin(trial, rule, source, target);

    ok = learn_trial_map(trial, rule, source, target, limits->mapping)
         && learn_trial_fake(trial, rule, limits->fake)
         && learn_trial_proof(trial, rule);

    learn_trial_end(trial, source, target);

    return ok;
}
