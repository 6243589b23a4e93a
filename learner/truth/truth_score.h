
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_TRUTH_SCORE_H_INCLUDED_
#define _LEARN_TRUTH_SCORE_H_INCLUDED_


#include "interval.h"
#include "truth.h"


/*
 * HOW RIGHT A NORMALIZATION IS
 *
 * Each URL of the truth has its form by then, and parameters know how often
 * they were stripped.  A form is served by one page: that of the URL that the
 * form is, or else the one that most of its URLs are.  Who asked for another
 * one is misled, and a page that serves no form is lost.
 */

typedef struct {
    uint64_t     stripped;
    uint64_t     kept;
    uint64_t     unknown;              /* kept, as too little was learned */
} learn_truth_cell_t;


typedef struct {
    learn_truth_cell_t   roles[LEARN_ROLES];
    uint64_t             absent;       /* parameters that no URL has */

    uint64_t             urls;
    uint64_t             pages;
    uint64_t             forms;
    uint64_t             shares;       /* forms, once for each of its pages */
    uint64_t             wrong_merges; /* forms of several pages */
    uint64_t             misled;       /* URLs */
    uint64_t             lost;         /* pages */
} learn_truth_score_t;


/* the forms are put in order; returns 0 without memory */

int learn_truth_score(learn_truth_t *truth, learn_truth_score_t *score);


/*
 * Of the URLs, the share that is gone; and of the duplicates, the share that
 * met another URL of their page.
 */
double learn_truth_compression(const learn_truth_score_t *score);
double learn_truth_dup_reduction(const learn_truth_score_t *score);


#endif /* _LEARN_TRUTH_SCORE_H_INCLUDED_ */
