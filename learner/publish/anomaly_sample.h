
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ANOMALY_SAMPLE_H_INCLUDED_
#define _LEARN_ANOMALY_SAMPLE_H_INCLUDED_


#include "anomaly.h"


/*
 * A URL of the form of a rule's source, of which one capture has its other
 * value; with more parameters, if a pattern has them.
 */

typedef struct {
    learn_anomaly_t             *anomaly;
    const miqps_paths_t         *rules;
    const miqps_rewrite_t       *rewrite;
    const learn_view_pattern_t  *pattern;   /* or NULL */
    const miqps_str_t           *shape;     /* paths are of it, too, or NULL */
    uint8_t                     *lost;      /* names of the pattern */
    size_t                      *nlost;
    uint32_t                     other;     /* that capture, or NONE */
    uint32_t                     entry;     /* of a table, or NONE */
    uint32_t                     without;   /* a parameter of the source that
                                               is left out, or NONE */
    uint32_t                     next;      /* the capture at hand */
    FILE                        *out;
} learn_sample_t;


#define LEARN_SAMPLE_NONE  UINT32_MAX


void learn_sample_init(learn_sample_t *at, learn_anomaly_t *anomaly,
    const miqps_paths_t *rules, const miqps_rewrite_t *rewrite);

/* the URL, on the heap; NULL without memory */

char *learn_sample_url(learn_sample_t *at, uint32_t other, uint32_t without,
    size_t *len);

/* how many captures there are in a text */

uint32_t learn_sample_captures(const miqps_paths_t *rules,
    const uint8_t *text);


#endif /* _LEARN_ANOMALY_SAMPLE_H_INCLUDED_ */
