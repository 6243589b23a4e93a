
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_STATUS_H_INCLUDED_
#define _NGX_HTTP_MIQPS_STATUS_H_INCLUDED_


#include "ngx_http_miqps.h"
#include "ngx_http_miqps_json.h"


/* more than there can be to say */

#define NGX_HTTP_MIQPS_STATUS_LIMIT  (64 * 1024 * 1024)


/* a zone at one moment; without a map all that is of an image is 0 */

typedef struct {
    ngx_str_t                    name;
    ngx_str_t                    map;         /* a file, or empty */
    u_char                       checksum[MIQPS_IMAGE_CHECKSUM];
    u_char                       reason[256]; /* of the last refusal */
    ngx_uint_t                   off;
    ngx_uint_t                   number;      /* by which it is counted */

    uint64_t                     generation;
    uint64_t                     image_generation;
    uint64_t                     image_time;
    uint64_t                     since;
    uint64_t                     age;
    uint64_t                     hosts;
    uint64_t                     patterns;
    uint64_t                     names;
    uint64_t                     size;        /* of the image */
    uint64_t                     room;        /* of a slot */
    uint64_t                     memory;      /* of the zone */
    uint64_t                     slots;       /* with an image */
    uint64_t                     previous;    /* generation to go back to */
    uint64_t                     rolled_back; /* images that are remembered */
    uint64_t                     swaps;
    uint64_t                     refused;
    uint64_t                     skipped;

    ngx_http_miqps_zone_counts_t  counts;
    ngx_array_t                  rules;       /* that were applied */
} ngx_http_miqps_zone_status_t;


/* a path rule of a host, by its number there from 1 */

typedef struct {
    ngx_str_t                    host;
    ngx_uint_t                   number;
    uint64_t                     requests;
} ngx_http_miqps_rule_status_t;


typedef struct {
    ngx_pid_t                    pid;
    uint64_t                     since;
    uint64_t                     requests;
    uint64_t                    *generations; /* of zones, in their order */
} ngx_http_miqps_worker_status_t;


typedef struct {
    ngx_str_t                    name;
    ngx_http_miqps_host_counts_t  counts;
} ngx_http_miqps_host_status_t;


/* all that there is to say, in the pool of a request */

typedef struct {
    uint64_t                     time;
    uint64_t                     since;       /* of counting */
    ngx_http_miqps_counts_t      counts;
    ngx_http_miqps_zone_counts_t  map;        /* of all zones */
    ngx_http_miqps_host_counts_t  other;      /* hosts without a place */
    ngx_uint_t                   max_hosts;
    ngx_array_t                  zones;
    ngx_array_t                  workers;
    ngx_array_t                  hosts;
} ngx_http_miqps_status_t;


/*
 * Numbers that both forms have: one word for JSON, one for Prometheus with
 * what it means, and where to find it.  The last one has no key.
 */

typedef struct {
    const char                  *key;
    const char                  *name;        /* without "miqps_" */
    const char                  *help;
    size_t                       offset;
    ngx_uint_t                   gauge;       /* else it only grows */
} ngx_http_miqps_number_t;


#pragma GCC visibility push(hidden)


extern const ngx_http_miqps_number_t  ngx_http_miqps_zone_numbers[];
extern const ngx_http_miqps_number_t  ngx_http_miqps_map_numbers[];
extern const ngx_http_miqps_number_t  ngx_http_miqps_host_numbers[];

#define ngx_http_miqps_number(of, number)                                     \
    (*(uint64_t *) ((u_char *) (of) + (number)->offset))

#define ngx_http_miqps_layer_strips(layer)                                    \
    ((layer) >= MIQPS_LAYER_OPERATOR && (layer) <= MIQPS_LAYER_TRACKING)


/* ngx_http_miqps_status_read.c: NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_status_read(ngx_http_request_t *r,
    ngx_http_miqps_status_t *status);

/* ngx_http_miqps_status_json.c, ngx_http_miqps_status_text.c */

void ngx_http_miqps_status_json(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status);
void ngx_http_miqps_status_text(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status);


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_STATUS_H_INCLUDED_ */
