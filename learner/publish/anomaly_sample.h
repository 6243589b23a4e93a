
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ANOMALY_SAMPLE_H_INCLUDED_
#define _LEARN_ANOMALY_SAMPLE_H_INCLUDED_


#include "anomaly.h"


/*
 * A URL of the form of a rule's source, with more parameters, if a pattern has
 * them; and others that differ from it in one part only.  What a wildcard
 * stands for is nothing that a narrower one could, too, since that may be in
 * the source of a rule that is more precise.
 */

typedef enum {
    LEARN_PART_NONE = 0,                 /* nothing is another */
    LEARN_PART_CAPTURE,                  /* one capture is, */
    LEARN_PART_PARAM,                    /* or the value of a parameter, */
    LEARN_PART_WITHOUT                   /* which may not be there, too */
} learn_part_e;


typedef struct {
    learn_anomaly_t             *anomaly;
    const miqps_paths_t         *rules;
    const miqps_rewrite_t       *rewrite;
    const learn_view_pattern_t  *pattern;   /* or NULL */
    const miqps_str_t           *shape;     /* paths are of it, too, or NULL */
    const char                  *host;      /* what serves it */
    int                          narrow;    /* wildcards stand for digits */
    int                          settled;   /* parameters that get a literal
                                               have it already */
    learn_part_e                 part;
    uint32_t                     which;     /* capture or parameter */
    miqps_str_t                  value;     /* of it */
    uint32_t                     next;      /* the capture at hand */
    FILE                        *out;
} learn_sample_t;


/* the URL, on the heap; NULL without memory */

char *learn_sample_url(learn_sample_t *at, size_t *len);

/*
 * The host of the rule's source, as it may be, on the heap; NULL without
 * memory.
 */
char *learn_sample_host(learn_sample_t *at);

/* how many captures there are in a text */

uint32_t learn_sample_captures(const miqps_paths_t *rules,
    const uint8_t *text);

/* one of two values of a wildcard that is no table */

const char *learn_sample_value(miqps_piece_e kind, int other);

/* a value of a table */

miqps_str_t learn_sample_entry(const miqps_paths_t *rules, uint32_t table,
    uint32_t entry);


#endif /* _LEARN_ANOMALY_SAMPLE_H_INCLUDED_ */
