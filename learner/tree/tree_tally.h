
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_TALLY_H_INCLUDED_
#define _TREE_TALLY_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * PAIRS THAT BECAME EQUAL, and whether they should have
 *
 * URLs come as hashes of what they were turned into, those of one cluster
 * beside each other.  Equal hashes are a group: n URLs in it are n (n - 1) / 2
 * pairs.  A pair within a cluster is right, any other one is a false positive.
 * All is counted in two passes, without looking at pairs.
 */

typedef struct {
    uint32_t     groups;           /* different hashes */
    uint64_t     supports;         /* pairs of equal ones */
    uint64_t     wrong;            /* those from two clusters */
} learn_pairs_t;


typedef struct {
    uint64_t    *hashes;           /* of the URLs, to be filled in */
    uint32_t    *clusters;         /* the same, sorted or at least together */
    uint32_t    *groups;           /* of the URLs; numbers from 0 */

    uint32_t    *sizes;            /* of groups */
    uint32_t    *table;            /* the first URL of each, counted from 1 */
    size_t       max;
} learn_tally_t;


/* room for "max" URLs; returns 0 without memory; release anyway */

int learn_tally_init(learn_tally_t *tally, size_t max);
void learn_tally_release(learn_tally_t *tally);

/* counts the first "n", and numbers their groups */

void learn_tally_count(learn_tally_t *tally, size_t n, learn_pairs_t *pairs);


/* the rate of false positives; of no pairs it is 1 */

static inline double
learn_pairs_rate(const learn_pairs_t *pairs)
{
    return (pairs->supports > 0)
           ? (double) pairs->wrong / (double) pairs->supports : 1;
}


#endif /* _TREE_TALLY_H_INCLUDED_ */
