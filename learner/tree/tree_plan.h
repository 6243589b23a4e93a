
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_PLAN_H_INCLUDED_
#define _TREE_PLAN_H_INCLUDED_


#include "tree_rule.h"
#include "tree_select.h"


/*
 * DEPLOYED RULES, and how they are applied
 *
 * A plan has at most one action for each node.  It is the rule that was
 * selected for the node, concatenated with all that follow: whoever arrives
 * at a node goes on by the rule of that node or of its nearest ancestor that
 * has one, so that chains become one step:
 *
 *     1: A -> B    2: B -> C    3: C -> D        4: A -> D, B -> D, C -> D
 *
 * Where rules end, URLs may be that need no rule.  These get an action too,
 * that makes "*" of what is ignored there: so the URLs that come by rules and
 * those that were there already end as the same.  If rules that end at a node
 * ignore different keys, the form of the node is that of one of them: of the
 * one that brings the most URLs, together with those that ignore less, which
 * then ignore as much.  Rules that ignore something else are not deployed:
 * what they make would be like nothing else.  A rule of a part of this very
 * node may ignore more: its URLs have that in common with each other.  What
 * came of it is proofed as the candidates were, see tree_plan_proof.h.
 *
 * To apply it, a URL is led down the tree, from the key of each node to the
 * child with the URL's value of it.  The last node on this way that has an
 * action and whose pattern the URL matches decides.  A URL that has a part "*"
 * is what an action has made, and stays as it is.
 */

typedef enum {
    LEARN_SELECT_GRAPH = 0,
    LEARN_SELECT_NAIVE
} learn_select_e;


typedef struct {
    double              limit;         /* of false positives, 0.05 */
    learn_select_e      select;
    int                 by_rate;       /* the other variant of naive (b) */
    size_t              destinations;  /* of graph, 0 for no limit */
} learn_plan_options_t;


#define learn_plan_options  { 0.05, LEARN_SELECT_GRAPH, 1, 0 }


typedef struct learn_action_s  learn_action_t;

struct learn_action_s {
    learn_action_t     *next;          /* with the same target */
    uint32_t            node;
    uint32_t            target;
    learn_op_t         *ops;           /* one of each field of the target */
    learn_op_t         *own;           /* with less ignored, or NULL */
    double              fpr;           /* of the first rule */
    uint32_t            nrules;        /* 0: of URLs that are in the form */
    unsigned            ignores:1;
    unsigned            stays:1;       /* does nothing, nor do those above */
};


typedef struct {
    const learn_rules_t  *rules;
    learn_plan_options_t  options;
    learn_arena_t         arena;

    learn_arrow_t        *arrows;      /* of qualified rules */
    uint32_t             *numbers;     /* of these, the rules */
    size_t                qualified;
    size_t                deployed;
    learn_energy_t       *energy;      /* of nodes; graph only, else NULL */

    learn_arrow_t       **acts;        /* of each node, the one that is kept */
    learn_action_t      **actions;     /* of each node, or NULL */
    uint32_t             *absent;      /* of each node, the child for URLs */
    uint32_t             *trivial;     /* without the key; for other values */
    uint32_t             *children;    /* a table of the others */
    uint32_t              mask;

    uint32_t             *stamp;       /* of each key, the last URL with it */
    uint32_t             *again;
    uint32_t             *pair;        /* of each key, its place in a URL */
    uint32_t              now;
    uint8_t              *out[2];
    size_t                size[2];
} learn_plan_t;


/*
 * Selects among the candidates, which have to stay.  Returns 0 without memory;
 * release the plan anyway.
 */
int learn_plan_make(learn_plan_t *plan, const learn_rules_t *rules,
    const learn_plan_options_t *options);
void learn_plan_release(learn_plan_t *plan);


/*
 * Normalizes a URL, of which learn_keys_split() may make letters small.
 *
 *  1   "result" is its form, until the next call
 *  0   no action is for it, and "result" is the URL itself
 * -1   out of memory
 */
int learn_plan_apply(learn_plan_t *plan, uint8_t *url, size_t len,
    miqps_str_t *result);


#endif /* _TREE_PLAN_H_INCLUDED_ */
