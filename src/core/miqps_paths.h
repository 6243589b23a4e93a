
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_PATHS_H_INCLUDED_
#define _MIQPS_PATHS_H_INCLUDED_


#include "miqps_image_rules.h"


/*
 * PATH RULES, EXECUTED
 *
 * A URL is taken apart once, into segments and parameters, and the bits that
 * rules may need are collected.  Rules that need no others are tried one after
 * the other, the most precise first, until the URL has the source of one: each
 * text is read from left to right, and no byte of it twice.  Then the target
 * is written.
 *
 *     /s/9f3c/item?id=7     segments   s  9f3c  item
 *                           names      id
 *     /s/{:hex}/{p}         captures   9f3c  item
 *     /s/0/{p}              written    /s/0/item?id=7
 *
 * Nothing is allocated; a URL with more segments or parameters than there is
 * room for has no rule.
 */

#define MIQPS_PATHS_SEGMENTS  64
#define MIQPS_PATHS_PARAMS    32

/* what may be read behind a path that is copied */

#define MIQPS_PATHS_SLACK     16


typedef struct {
    const miqps_image_t  *image;
    const uint8_t        *record;    /* of the host, no mirror */
    miqps_str_t           host;
    miqps_str_t           path;      /* raw bytes, from the first slash */
    miqps_str_t           args;      /* as miqps_normalize() leaves them */
    int                   stay;      /* the host must be what it is */
} miqps_paths_url_t;


typedef struct {
    miqps_str_t           host;      /* the same, or in the buffer */
    miqps_str_t           path;      /* in the buffer */
    miqps_str_t           args;      /* the same, or in the buffer */
    uint32_t              rule;      /* its number in the block, or NONE; */
    uint32_t              host_rule; /* the same of a host rule */
    unsigned              params:1;  /* args were written */
} miqps_paths_result_t;


#define MIQPS_PATHS_NONE  UINT32_MAX


/* bytes of buffer that a URL with such a path and arguments can need */

size_t miqps_paths_bound(size_t path, size_t args);


/* true if a host has rules, so that it is worth to ask */

static inline int
miqps_paths_any(const uint8_t *record)
{
    return record != NULL && (record[5] & MIQPS_HOST_RULES);
}


/*
 * Applies the rule whose source the URL has, and then the host rule, if they
 * change something.  "buf" is of miqps_paths_bound(), and backs the result.
 * Returns true and the result; or false.
 */
int miqps_paths_apply(const miqps_paths_url_t *url, uint8_t *buf,
    miqps_paths_result_t *res);


#endif /* _MIQPS_PATHS_H_INCLUDED_ */
