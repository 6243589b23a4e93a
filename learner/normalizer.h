
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_NORMALIZER_H_INCLUDED_
#define _LEARN_NORMALIZER_H_INCLUDED_


#include "miqps_normalize.h"


/*
 * Whole URLs through the core, one after the other.  Set what it goes by,
 * zeroes being none of it, and release it at the end.
 */

typedef struct {
    const miqps_policy_t   *policy;
    const miqps_image_t    *image;     /* the map */
    miqps_str_t             host;      /* whose rules, whatever the URL has */
    unsigned                sort:1;
    unsigned                paths:1;   /* the map's path rules apply */

    uint8_t                *buf;       /* for the core */
    size_t                  size;
    uint8_t                *out;       /* the whole URL */
    size_t                  out_size;
    miqps_work_t            work;
    miqps_second_t         *second;    /* for path rules, or NULL */
} learn_normalizer_t;


/* what points somewhere is valid until the next URL */

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
    unsigned                moved:1;   /* a path rule was applied, ... */
    uint32_t                rule;      /* ... this one of the host, or NONE */
    uint32_t                host_rule; /* ... the same of host rules */
    const uint8_t          *record;    /* ... which is this in the map */
} learn_normalized_t;


/* LEARN_EXIT_OK, or LEARN_EXIT_FAILED without memory */

int learn_normalizer_url(learn_normalizer_t *norm, const miqps_str_t *line,
    learn_normalized_t *n);

void learn_normalizer_release(learn_normalizer_t *norm);


#endif /* _LEARN_NORMALIZER_H_INCLUDED_ */
