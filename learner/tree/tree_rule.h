
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_RULE_H_INCLUDED_
#define _TREE_RULE_H_INCLUDED_


#include "tree_overlap.h"


/*
 * CANDIDATE RULES
 *
 * A rule turns URLs of one node, the source, into the form of another, the
 * target, by an operation for each key of the target:
 *
 *     keep      the key has one value in the target, and gets it
 *     replace   it gets what a key of the source has, also if that is none
 *     ignore    it becomes "*", whatever it was
 *
 * Keys of the source that the target does not have are dropped.  A key that
 * some URLs of the target do not have is never one to keep.
 *
 * Which key of the source a key of the target is filled from, algorithm 3,
 * depends on the rate of common values.  The paper does not say of what.  As
 * in formula 6, it is the share of the values of both keys that both have:
 * twice the common ones, divided by the sum of the two numbers.  A value
 * counts once, however many URLs have it; of two keys with the same rate the
 * one of the same name counts, then the one that comes first.
 *
 * A key with a mapping is replaced unless too many duplicates have different
 * values of it: then the values do not matter, and it is ignored.  The paper
 * gives no number.  Of the clusters that both nodes have, with two URLs or
 * more, it is the share in which the key does not have one value throughout.
 * A tenth of them is too many: twice as much as labels may err, and so little
 * that a mirror is found which one URL in ten has.
 *
 * Each candidate is tried on the URLs it was learned from.  These are the
 * members of its source, and also those of its target, which are in the form
 * of the target already, but for the keys to be ignored: otherwise a rule
 * that ignores something would turn URLs into a form that no other URL has.
 * Of the pairs that become equal, its supports, the share of those that are
 * in different clusters is the rate of false positives.  A rule that makes no
 * two URLs equal has shown nothing and has a rate of 1.
 */

typedef enum {
    LEARN_OP_KEEP = 0,
    LEARN_OP_REPLACE,
    LEARN_OP_IGNORE,
    LEARN_OP_DROP              /* only where rules were concatenated: what it
                                  would be replaced by is not there */
} learn_op_e;


typedef struct {
    uint32_t           key;        /* of the target */
    uint32_t           from;       /* to keep, a value; to replace, a key */
    learn_op_e         kind;
} learn_op_t;


typedef struct {
    uint32_t           source;
    uint32_t           target;
    learn_op_t        *ops;        /* in the order of the keys */
    uint32_t           nops;
    double             overlap;
    uint64_t           supports;   /* pairs that become equal */
    uint64_t           wrong;      /* those that should not */
    double             fpr;
} learn_rule_t;


typedef struct {
    double             overlap;    /* at least, 0.5 */
    double             mapping;    /* more than, 0.5 */
    double             fake;       /* more than is not replaced, 0.1 */
} learn_rule_limits_t;


#define learn_rule_limits  { 0.5, 0.5, 0.1 }


typedef struct {
    const learn_tree_t  *tree;
    learn_arena_t        arena;
    learn_rule_t        *rules;    /* sorted by source and target */
    size_t               nrules;
} learn_rules_t;


/*
 * All rules between nodes of a tree, which has to stay.  Returns 0 without
 * memory; release them anyway.
 */
int learn_rules_make(learn_rules_t *rules, const learn_tree_t *tree,
    const learn_rule_limits_t *limits);
void learn_rules_release(learn_rules_t *rules);


/*
 * For every two duplicate nodes there is one candidate, as the paper has it.
 * It says nothing of the direction; both are tried, and it is for selection to
 * choose.  So two rules are counted as one candidate where one leads back, and
 * it is qualified if one of them is.
 */
size_t learn_rules_candidates(const learn_rules_t *rules);
size_t learn_rules_qualified(const learn_rules_t *rules, double limit);


/* true if a rule has shown something, and errs within the limit */

static inline int
learn_rule_qualified(const learn_rule_t *rule, double limit)
{
    return rule->supports > 0 && rule->fpr <= limit;
}


#endif /* _TREE_RULE_H_INCLUDED_ */
