
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_NORMALIZE_REPORT_H_INCLUDED_
#define _LEARN_NORMALIZE_REPORT_H_INCLUDED_


#include "learn.h"
#include "normalizer.h"


/* What "miqps normalize" tells of one URL, and of all of them. */


/* one object on one line; LEARN_EXIT_OK or, without memory, FAILED */

int learn_normalize_json(const learn_normalized_t *n, FILE *out);

/* some lines for people */

void learn_normalize_explain(const learn_normalized_t *n, FILE *out);


typedef struct {
    size_t                  lines;
    size_t                  urls;
    size_t                  queries;
    size_t                  changed;
    size_t                  moved;     /* by path rules */
    size_t                  params;
    size_t                  stripped[MIQPS_LAYER_MAX];
    size_t                  opaque[MIQPS_GUARD_MAX];
} learn_normalize_stats_t;


void learn_normalize_count(learn_normalize_stats_t *stats,
    const learn_normalized_t *n);

void learn_normalize_stats(const learn_normalize_stats_t *stats, FILE *out);


#endif /* _LEARN_NORMALIZE_REPORT_H_INCLUDED_ */
