
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _EVAL_SCORE_H_INCLUDED_
#define _EVAL_SCORE_H_INCLUDED_


#include "eval_method.h"
#include "tree/tree_tally.h"


/*
 * HOW GOOD A NORMALIZATION IS
 *
 * Formulas 1 to 3, over all URLs of a site.  N is the number of different
 * URLs, C that of clusters, before and after:
 *
 *     compression     1 - N' / N
 *     dup-reduction   1 - (1 - C' / N') / (1 - C / N)
 *     fpr             pairs that became equal and should not have, as a share
 *                     of all pairs that did
 *
 * The paper does not say what C' is if URLs of two clusters become the same.
 * Clusters that have a URL in common afterwards are one here: as N' gets
 * smaller by such a mistake, C' does so too, and nothing is gained by it.  Of
 * a site without duplicates the dup-reduction is 0.
 */

typedef struct {
    uint64_t     urls;                 /* N, C, N', C' */
    uint64_t     clusters;
    uint64_t     norm_urls;
    uint64_t     norm_clusters;
    uint64_t     supports;
    uint64_t     wrong;
    uint64_t     raw;                  /* rules */
    uint64_t     qualified;
    uint64_t     deployed;

    /* of URLs with an operation, those that became the main form of the page */

    uint64_t     applied[LEARN_MAX_OPERATIONS];
    uint64_t     undone[LEARN_MAX_OPERATIONS];
} learn_score_t;


double learn_score_compression(const learn_score_t *score);
double learn_score_reduction(const learn_score_t *score);
double learn_score_fpr(const learn_score_t *score);


typedef struct {
    learn_tally_t    tally;
    uint32_t        *first;            /* of each group, a page */
    uint32_t        *joined;           /* of each page, one it is one with */
    uint32_t        *sizes;            /* of each group, within a page */
    size_t           max;
} learn_scorer_t;


/* room for "max" URLs of "pages" pages; returns 0 without memory */

int learn_scorer_init(learn_scorer_t *scorer, size_t max, size_t pages);
void learn_scorer_release(learn_scorer_t *scorer);

/*
 * Applies what the learner has selected to lines, which are sorted by page,
 * numbered from 0.  Returns 0 without memory.
 */
int learn_scorer_run(learn_scorer_t *scorer, learn_learner_t *learner,
    const learn_line_t *lines, size_t n, learn_score_t *score);


#endif /* _EVAL_SCORE_H_INCLUDED_ */
