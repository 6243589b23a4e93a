
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_H_INCLUDED_
#define _TREE_H_INCLUDED_


#include "tree_pattern.h"


/*
 * A PATTERN TREE
 *
 * Each node is a group of URLs of one form, and its children are its parts:
 *
 *     order    5 2 7 1 | 9 0 3 | 4 8 6        URLs, by their leaves
 *     node A   [-----------------------)
 *     node B   [-------)                      members lie beside each other
 *     node C           [---------------)
 *     node D           [-------)
 *
 * so that a node is two places in a list, and whether one is an ancestor of
 * another can be seen from these.  Nodes are numbered by levels: the root is
 * 0, and the children of a node follow each other.
 *
 * A node is split by the key whose values have the smallest entropy (criterion
 * 1 of the paper).  Salient values make a child each, and all trivial ones
 * make one child together.  A node without salient values is a leaf (criterion
 * 2).  What the paper leaves open is decided as follows.
 *
 *   - A key that a URL does not have counts as a value of its own.  So the
 *     shares of all values add up to one, and URLs with and without a key are
 *     told apart as those with two values of it are.
 *
 *   - Formula 5 takes the largest of log f(i) - log f(i-1), which is never
 *     positive where values are sorted by falling frequency, and gives the
 *     drop where its place is meant.  The largest drop log f(i) - log f(i+1)
 *     is taken, and its place i is the last salient value.  Of equal drops the
 *     first counts: fewer values are salient, and the tree is cleaner.
 *
 *   - A curve of small numbers has its largest drop at its end, from 2 to 1,
 *     and one with equal numbers has none.  Criterion 2 speaks of values that
 *     seldom appear in other URLs: frequencies are therefore taken as the
 *     square root of the number of all URLs, rounded down, where they are
 *     below it, and the curve goes on at this height behind its end.  Equally
 *     frequent values of the root are thus salient just where each of them has
 *     more URLs than there are values; and trees are as large as those of the
 *     paper, whose largest one has 634 nodes for at most 100,000 URLs.
 *
 *   - A key that has its most frequent value in all URLs of a node but so few
 *     as that is no key to split by.  Otherwise each key that some stray URL
 *     has would come first, its entropy being the smallest.
 *
 *   - Of keys with the same entropy that counts which comes first in a URL.  A
 *     key with one value splits nothing.
 */

typedef struct {
    uint32_t       parent;         /* LEARN_NONE for the root */
    uint32_t       first;          /* members, as places in the order */
    uint32_t       last;           /* ... behind them */
    uint32_t       key;            /* children differ in it; LEARN_NONE for
                                      a leaf */
    uint32_t       value;          /* of the parent's key: a number, ... */
    uint32_t       children;       /* the first one */
    uint32_t       nchildren;
    uint32_t       depth;          /* of the root 0 */
} learn_node_t;


#define LEARN_ABSENT   (LEARN_NONE - 1)    /* ... that it is not there, ... */
#define LEARN_TRIVIAL  (LEARN_NONE - 2)    /* ... or that it is trivial */


/* a tree that grows beyond this is left as it is */

#define LEARN_MAX_NODES  65536


typedef struct {
    const learn_set_t   *set;
    learn_arena_t        arena;
    learn_node_t        *nodes;
    learn_pattern_t     *patterns;     /* of each node */
    uint32_t             nnodes;
    uint32_t             max_nodes;
    uint32_t             height;       /* levels */
    uint32_t            *order;
} learn_tree_t;


/*
 * Builds the tree of a set, which has to stay and to be finished.  Returns 0
 * without memory; release the tree anyway.  The tree of an empty set is a
 * root without members.
 */
int learn_tree_build(learn_tree_t *tree, const learn_set_t *set);
void learn_tree_release(learn_tree_t *tree);


/* true if "one" is "two" or one of its ancestors */

static inline int
learn_tree_covers(const learn_tree_t *tree, uint32_t one, uint32_t two)
{
    const learn_node_t  *a, *b;

    a = &tree->nodes[one];
    b = &tree->nodes[two];

    return a->first <= b->first && b->last <= a->last && a->depth <= b->depth;
}


static inline uint32_t
learn_node_volume(const learn_node_t *node)
{
    return node->last - node->first;
}


/*
 * Formula 5: "counts" are sorted, the largest first, none is 0, and "floor"
 * is what they are raised to.  Returns how many are salient.
 */
size_t learn_salient(const uint32_t *counts, size_t n, uint32_t floor);

/* v log v as a whole number, so that no sum depends on its order */

uint64_t learn_entropy_term(uint32_t v);


#endif /* _TREE_H_INCLUDED_ */
