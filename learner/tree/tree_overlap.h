
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_OVERLAP_H_INCLUDED_
#define _TREE_OVERLAP_H_INCLUDED_


#include "tree.h"


/*
 * NODES THAT SHOW THE SAME PAGES
 *
 * An index, turned around: for each cluster, the nodes that have some of its
 * URLs, ancestors included.  Two nodes in one entry have this cluster in
 * common, and no other pairs are ever looked at.  The overlap, formula 6, is
 * the share of the URLs of both that are in common clusters.
 *
 * For a node and itself it is the duplicate rate: one less the clusters per
 * URL.  A node and its ancestor are no pair: the URLs of one are URLs of the
 * other and need no rule to become so, as the paper says of the links between
 * them.  What duplicates there are is seen at the ancestor and itself.
 */

typedef struct {
    uint32_t      source;
    uint32_t      target;
    uint32_t      urls;            /* in common clusters */
    double        overlap;
} learn_overlap_t;


/*
 * A cluster that is in more nodes tells nothing of two of them, and would
 * cost more than all others.
 */

#define LEARN_MAX_SPREAD  1000


/*
 * Where all URLs are said to be the same, so are all pairs of nodes.  Beyond
 * this number, twice for both directions, those with the most URLs in common
 * clusters count.
 */

#define LEARN_MAX_OVERLAPS  1024


/*
 * All pairs with an overlap of "least" or more, in both directions, sorted;
 * "*list" is to be freed.  Returns 0 without memory.
 */
int learn_overlap_find(const learn_tree_t *tree, double least,
    learn_overlap_t **list, size_t *n);


/*
 * URLs sorted by their clusters: those of the c-th are urls[starts[c]] to
 * urls[starts[c + 1] - 1].  Both are to be freed; returns 0 without memory.
 */
int learn_set_by_cluster(const learn_set_t *set, uint32_t **starts,
    uint32_t **urls);


#endif /* _TREE_OVERLAP_H_INCLUDED_ */
