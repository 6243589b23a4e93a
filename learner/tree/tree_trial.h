
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_TRIAL_H_INCLUDED_
#define _TREE_TRIAL_H_INCLUDED_


#include "tree_rule.h"
#include "tree_tally.h"


/*
 * THE URLS OF TWO NODES, and columns to count in
 *
 * What is asked of a candidate is counted over the members of its source and
 * its target.  One trial serves all candidates, one after the other: begin()
 * puts the members of both together by their clusters, those of the source
 * first, and the rest goes over them:
 *
 *     members    4  7 | 9  5 | 2      URLs
 *     target     0  1 | 0  1 | 0      which are of the target only
 *
 * What an operation needs of a URL is at the same place in all rows of a
 * shape.  It is looked up once for each shape, and for members of the target
 * apart, which have it under the key of the target.
 */

typedef struct {
    uint32_t                place;      /* in a row */
    uint32_t                op;
    int                     same;       /* by text, as it has moved */
} learn_take_t;


typedef struct {
    uint32_t                rule;       /* that it was made for, from 1 */
    uint32_t                first;
    uint32_t                n;
} learn_takes_t;


typedef struct {
    const learn_tree_t     *tree;
    const learn_set_t      *set;

    uint32_t               *members;
    uint8_t                *target;
    uint32_t                nmembers;
    uint32_t               *cursor;     /* of each cluster, 0 in between */
    uint32_t               *touched;    /* clusters */
    uint32_t                ntouched;

    learn_takes_t          *takes;      /* of each shape, source and target */
    learn_take_t           *list;
    size_t                  nlist;
    size_t                  max_list;
    uint32_t                rule;       /* the number of the candidate */

    uint32_t               *place;      /* of each key, the field of the
                                           target or LEARN_NONE, ... */
    uint32_t               *origin;     /* ... and of the source */
    uint32_t               *first_op;   /* of each key, the operations ... */
    uint32_t               *next_op;    /* ... that copy it */

    uint32_t                mapped;     /* the source of what follows, from 1 */
    uint32_t                nentries;
    uint32_t               *mark;       /* of each value, its first entry */
    uint32_t               *seen;       /* ... the last time it came */
    uint32_t                now;
    uint32_t               *entries;    /* values of the source, ... */
    uint32_t               *next;
    uint32_t               *others;     /* ... and of the target */
    uint32_t               *matrix;     /* values that two keys share */
    size_t                  max_matrix;

    learn_tally_t           tally;
} learn_trial_t;


/* returns 0 without memory; release anyway */

int learn_trial_init(learn_trial_t *trial, const learn_tree_t *tree);
void learn_trial_release(learn_trial_t *trial);


/*
 * From one candidate to the next.  Patterns are those of the two nodes, and
 * rule->ops has room for one of each field of the target.
 *
 * learn_trial_map()    algorithm 3: operations by mapping alone; also those of
 *                      the rule in the other direction, if it is not NULL;
 *                      its "nops" stays 0 if that would be too much
 * learn_trial_fake()   replacements that are none become ignored
 * learn_trial_proof()  supports, wrong and fpr
 *
 * All three return 0 without memory.
 */
void learn_trial_begin(learn_trial_t *trial, const learn_rule_t *rule,
    const learn_pattern_t *source, const learn_pattern_t *target);
int learn_trial_map(learn_trial_t *trial, learn_rule_t *rule,
    learn_rule_t *reverse, const learn_pattern_t *source,
    const learn_pattern_t *target, double least);
int learn_trial_fake(learn_trial_t *trial, learn_rule_t *rule, double most);
int learn_trial_proof(learn_trial_t *trial, learn_rule_t *rule);
void learn_trial_end(learn_trial_t *trial, const learn_pattern_t *source,
    const learn_pattern_t *target);


/* adds to the list; returns 0 without memory */

int learn_trial_take(learn_trial_t *trial, uint32_t place, uint32_t op,
    int same);


#endif /* _TREE_TRIAL_H_INCLUDED_ */
