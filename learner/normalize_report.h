
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_NORMALIZE_REPORT_H_INCLUDED_
#define _LEARN_NORMALIZE_REPORT_H_INCLUDED_


#include "learn.h"
#include "miqps_normalize.h"


/* What "miqps normalize" tells of one URL, and of all of them. */


typedef struct {
    miqps_str_t             line;      /* the input, without its end */
    miqps_str_t             result;    /* the whole URL */
    miqps_guard_e           guard;
    const miqps_param_t    *params;
    size_t                  nparams;
    size_t                  nstripped;
    const miqps_image_t    *image;     /* the map, or NULL */
    miqps_map_entry_t       entry;     /* what of it spoke */
    unsigned                url:1;     /* the line is one */
    unsigned                query:1;   /* it has parameters */
    unsigned                changed:1;
} learn_normalized_t;


/* one object on one line; LEARN_EXIT_OK or, without memory, FAILED */

int learn_normalize_json(const learn_normalized_t *n, FILE *out);

/* some lines for people */

void learn_normalize_explain(const learn_normalized_t *n, FILE *out);


typedef struct {
    size_t                  lines;
    size_t                  urls;
    size_t                  queries;
    size_t                  changed;
    size_t                  params;
    size_t                  stripped[MIQPS_LAYER_MAX];
    size_t                  opaque[MIQPS_GUARD_MAX];
} learn_normalize_stats_t;


void learn_normalize_count(learn_normalize_stats_t *stats,
    const learn_normalized_t *n);

void learn_normalize_stats(const learn_normalize_stats_t *stats, FILE *out);


#endif /* _LEARN_NORMALIZE_REPORT_H_INCLUDED_ */
