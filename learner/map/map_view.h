
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_VIEW_H_INCLUDED_
#define _MAP_VIEW_H_INCLUDED_


#include "map_builder.h"


/*
 * WHAT AN IMAGE SAYS, in an order that people can follow: hosts, names and
 * patterns by their bytes.
 */

typedef struct {
    miqps_str_t           name;
    miqps_str_t           value;        /* the default; data is NULL if none */
    learn_map_verdict_e   verdict;
} learn_view_param_t;


typedef struct {
    learn_view_param_t   *params;
    uint32_t              nparams;
    miqps_str_t           path;         /* or empty */
    const uint8_t        *record;
} learn_view_pattern_t;


/* of one host; begins as all zeroes, and is used for one after the other */

typedef struct {
    learn_view_pattern_t  *patterns;
    size_t                 npatterns;
    size_t                 max_patterns;
    learn_view_param_t    *params;
    size_t                 max_params;
} learn_view_t;


typedef struct {
    miqps_str_t           host;
    const uint8_t        *record;
    const uint8_t        *target;       /* of a mirror, else NULL */
    int                   wildcard;
} learn_index_host_t;


typedef struct {
    const miqps_image_t  *image;
    learn_index_host_t   *hosts;        /* sorted */
    size_t                n;
    learn_index_host_t   *mirrors;      /* sorted by target, then by host */
    size_t                nmirrors;
} learn_index_t;


/* these return false without memory; release in any case */

int learn_index_init(learn_index_t *index, const miqps_image_t *image);
void learn_index_release(learn_index_t *index);

int learn_view_read(learn_view_t *view, const miqps_image_t *image,
    const uint8_t *record);
void learn_view_release(learn_view_t *view);


/* the host with this name, a wildcard or not; NULL if there is none */

const learn_index_host_t *learn_index_find(const learn_index_t *index,
    const learn_index_host_t *wanted);

/* the mirrors of a record: "*n" of them */

const learn_index_host_t *learn_index_mirrors(const learn_index_t *index,
    const uint8_t *record, size_t *n);

/* orders of hosts, and of patterns by names and path */

int learn_index_cmp(const learn_index_host_t *one,
    const learn_index_host_t *two);
int learn_view_cmp(const learn_view_pattern_t *one,
    const learn_view_pattern_t *two);


#endif /* _MAP_VIEW_H_INCLUDED_ */
