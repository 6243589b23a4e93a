
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _EVAL_RUN_H_INCLUDED_
#define _EVAL_RUN_H_INCLUDED_


#include "eval_score.h"
#include "eval_site.h"


/*
 * Sites one after the other, each method on each, and what came of it.
 *
 * With a sweep, rules are selected and applied for a row of limits, from 0 to
 * 0.1 by 0.01, and for 0.0005: the paper's table 3 gives the limit as 0.05 %,
 * and its text as 0.05.  For limits from 0.2 to 0.9 by 0.1 it is only counted
 * how many rules are qualified.
 */

#define LEARN_LIMITS  12
#define LEARN_RATES   20               /* the same, and eight more */

extern const double  learn_limits[LEARN_RATES];


typedef struct {
    uint64_t             norm_urls;
    uint64_t             norm_clusters;
    uint64_t             supports;
    uint64_t             wrong;
    uint64_t             deployed;
} learn_point_t;


typedef struct {
    double               seconds[LEARN_STAGES];
    learn_score_t        score;        /* at the limit that was asked for */
    learn_point_t        points[LEARN_LIMITS];
    uint64_t             qualified[LEARN_RATES];
} learn_outcome_t;


typedef struct {
    char                *name;
    uint64_t             urls;
    uint64_t             clusters;
    uint64_t             largest;      /* URLs of a cluster */
    uint64_t             smallest;
    uint64_t             training;     /* URLs that were learned from */
    uint32_t             nnodes;
    uint32_t             height;
    double               tree_seconds;
    learn_outcome_t      outcomes[LEARN_METHODS];
} learn_result_t;


typedef struct {
    learn_tree_options_t tree;
    learn_sample_t       sample;
    int                  sweep;
    int                  guard;        /* has its say, see eval_alias.h */
    int                  progress;     /* to standard error */
    unsigned             methods;      /* a bit each */

    learn_result_t      *results;
    size_t               nresults;
    size_t               max_results;

    char                *operations[LEARN_MAX_OPERATIONS];
    size_t               noperations;
} learn_eval_t;


/*
 * Adds the results of all sites of a file.  LEARN_EXIT_OK, or
 * LEARN_EXIT_FAILED after a complaint.
 */
int learn_eval_file(learn_eval_t *eval, const char *name);

void learn_eval_release(learn_eval_t *eval);


/* all sites together, for the n-th limit, or LEARN_LIMITS for that asked for */

typedef struct {
    double               compression;
    double               reduction;
    double               fpr;
} learn_rates_t;


typedef struct {
    learn_rates_t        micro;        /* of all URLs as one site, ... */
    learn_rates_t        macro;        /* ... the mean over sites */
    uint64_t             raw;
    uint64_t             qualified;
    uint64_t             deployed;
    double               seconds[LEARN_STAGES];
    learn_score_t        total;        /* of the limit asked for */
} learn_sum_t;


void learn_eval_sum(const learn_eval_t *eval, learn_method_e method,
    size_t limit, learn_sum_t *sum);

/* the share of candidates that are qualified for the n-th of all limits */

double learn_eval_qualified(const learn_eval_t *eval, learn_method_e method,
    size_t limit);


static inline double
learn_sum_qualified(const learn_sum_t *sum)
{
    return (sum->raw > 0) ? (double) sum->qualified / (double) sum->raw : 0;
}


/* to learn: all stages but the application */

static inline double
learn_sum_seconds(const learn_sum_t *sum)
{
    return sum->seconds[LEARN_STAGE_SET] + sum->seconds[LEARN_STAGE_TREE]
           + sum->seconds[LEARN_STAGE_RULES]
           + sum->seconds[LEARN_STAGE_SELECT];
}


#endif /* _EVAL_RUN_H_INCLUDED_ */
