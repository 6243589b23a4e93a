
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_COUNTERS_H_INCLUDED_
#define _NGX_HTTP_MIQPS_COUNTERS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "miqps_normalize.h"

#include "ngx_http_miqps_corpus.h"


/* what became of a request; $miqps_verdict has a word for each */

typedef enum {
    NGX_HTTP_MIQPS_CLEAN = 0,      /* nothing to do */
    NGX_HTTP_MIQPS_STRIPPED,
    NGX_HTTP_MIQPS_NORMALIZED,     /* sorted, escapes; nothing stripped */
    NGX_HTTP_MIQPS_MOVED,          /* by a path rule; nothing stripped */
    NGX_HTTP_MIQPS_OPAQUE,         /* the guard refused */
    NGX_HTTP_MIQPS_METHOD,         /* neither GET nor HEAD */
    NGX_HTTP_MIQPS_BODY,           /* GET with a body */
    NGX_HTTP_MIQPS_UPGRADE,
    NGX_HTTP_MIQPS_LOOP,           /* the upstream redirects back */
    NGX_HTTP_MIQPS_PATH,           /* no path, or one not to redirect to */
    NGX_HTTP_MIQPS_ARGS,           /* something else changed the arguments */
    NGX_HTTP_MIQPS_ERROR_PAGE,
    NGX_HTTP_MIQPS_IS_OFF          /* the last: it is never counted */
} ngx_http_miqps_verdict_e;


#define NGX_HTTP_MIQPS_VERDICTS  NGX_HTTP_MIQPS_IS_OFF


/*
 * COUNTERS are in shared memory, a block for each worker:
 *
 *     | slab header | zones | hosts | rules | block 0 | block 1 | ... |
 *
 * A worker adds to its own block only, so that it needs neither a lock nor an
 * atomic operation, and shares no line of a cache.  The block is that of the
 * process's place in the master's table.  Who takes the place of a worker that
 * is gone goes on where that one was.  Whoever wants to know adds all up.
 *
 * Zones and hosts have a number by which blocks have their counters.  It is
 * given once, by storing the hash of the name where there was none, and never
 * taken back.  A worker that dies while it does so leaves a hash without a
 * name; the next one who comes for it writes the name.
 *
 * HOSTS are only those that a map has, and exact names of servers: what else
 * a client may send in "Host" would fill all places.  Hosts that a map has by
 * a wildcard are one.  What has no place is counted together.
 *
 * RULES are path rules of the map that a zone has at the time, in a table of
 * their own for each zone, which is emptied when there is another map.  They
 * are counted by atomic operations, since only requests that one has changed
 * are.
 *
 * All of it is kept over a reload that changes neither the number of hosts
 * nor, by much, that of zones.
 */

#define NGX_HTTP_MIQPS_COUNT_HOSTS  1024     /* unless told */
#define NGX_HTTP_MIQPS_MAX_HOSTS    16384
#define NGX_HTTP_MIQPS_HOSTS_NEAR   64       /* places of one host */
#define NGX_HTTP_MIQPS_HOSTS_CACHE  256      /* a power of two */
#define NGX_HTTP_MIQPS_COUNT_RULES  1024     /* of a zone, a power of two */
#define NGX_HTTP_MIQPS_RULES_NEAR   16       /* places of one rule */


typedef struct {
    uint64_t                     verdicts[NGX_HTTP_MIQPS_VERDICTS];
    uint64_t                     guards[MIQPS_GUARD_MAX];
    uint64_t                     hits[MIQPS_LAYER_MAX];    /* requests */
    uint64_t                     strips[MIQPS_LAYER_MAX];  /* parameters */
    uint64_t                     redirects;
    uint64_t                     corpus[NGX_HTTP_MIQPS_CORPUS_MAX];
} ngx_http_miqps_counts_t;


typedef struct {
    uint64_t                     lookups;
    uint64_t                     hosts;       /* that the map had */
    uint64_t                     known;       /* and the names */
    uint64_t                     bypassed;
    uint64_t                     stripped;    /* requests */
    uint64_t                     strips;      /* parameters */
    uint64_t                     moved;       /* requests, by path rules */
    uint64_t                     generation;  /* of the last look-up */
} ngx_http_miqps_zone_counts_t;


/*
 * A rule is the end of its map's generation, the place of its host's record in
 * the image, and its number there from 1, of 16, 32 and 16 bits; 0 for none.
 */

typedef struct {
    volatile uint64_t            rule;
    volatile uint64_t            requests;
} ngx_http_miqps_rule_count_t;


typedef struct {
    volatile uint64_t            generation;
    ngx_http_miqps_rule_count_t  rules[NGX_HTTP_MIQPS_COUNT_RULES];
} ngx_http_miqps_rule_counts_t;


#define ngx_http_miqps_rule_key(generation, place, number)                    \
    ((uint64_t) (generation) << 48 | (uint64_t) (place) << 16 | (number))


typedef struct {
    uint64_t                     requests;
    uint64_t                     stripped;
    uint64_t                     known;
    uint64_t                     redirects;   /* not ours */
    uint64_t                     refused;     /* 4xx */
    uint64_t                     failed;      /* 5xx */
    uint64_t                     upstream;    /* answers of upstreams, ... */
    uint64_t                     upstream_ms; /* ... and how long they took */
} ngx_http_miqps_host_counts_t;


/* a block; zones and hosts follow, and one more of each for all others */

typedef struct {
    ngx_atomic_t                 pid;
    time_t                       since;
    uint64_t                     before;      /* requests of others here */
    ngx_http_miqps_counts_t      counts;
} ngx_http_miqps_worker_t;


typedef struct {
    ngx_uint_t                   len;         /* 0: not written yet */
    u_char                       data[MIQPS_MAX_HOST + sizeof("*.")];
} ngx_http_miqps_host_name_t;


typedef struct {
    uint64_t                     seed;
    time_t                       since;
    ngx_uint_t                   nzones;
    ngx_uint_t                   nhosts;
    size_t                       size;        /* of a block */
    ngx_atomic_t                 nblocks;     /* the first ones, in use */
} ngx_http_miqps_counters_sh_t;


typedef struct {
    uint64_t                     hash;
    uint64_t                     serial;      /* of the image, or 0 */
    ngx_http_miqps_host_counts_t  *counts;
} ngx_http_miqps_host_cache_t;


typedef struct {
    ngx_shm_zone_t              *shm_zone;
    ngx_uint_t                   nzones;      /* that are wanted */
    ngx_uint_t                   nhosts;
    ngx_array_t                  names;       /* of servers, sorted */

    ngx_http_miqps_counters_sh_t  *sh;
    ngx_atomic_t                *zones;       /* hashes */
    ngx_atomic_t                *hosts;
    ngx_http_miqps_host_name_t  *host_names;
    ngx_http_miqps_rule_counts_t  *rules;     /* of each zone */
    u_char                      *blocks;

    /* of this process */
    ngx_http_miqps_worker_t      *block;
    ngx_http_miqps_host_counts_t  *host_counts;
    ngx_http_miqps_host_cache_t  *cache;
} ngx_http_miqps_counters_t;


#pragma GCC visibility push(hidden)


/* ngx_http_miqps_counters_conf.c */

/* adds the shared memory; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_counters_init(ngx_conf_t *cf);


/* ngx_http_miqps_counters.c */

/* takes the block of this process; until then it counts for nobody */

void ngx_http_miqps_counters_join(ngx_cycle_t *cycle);
void ngx_http_miqps_counters_part(ngx_cycle_t *cycle);


/* READING, at any time, of block "i" of sh->nblocks */

ngx_http_miqps_worker_t *ngx_http_miqps_counters_block(
    ngx_http_miqps_counters_t *counters, ngx_uint_t i);

/* its counters by number; sh->nzones and sh->nhosts are those of all others */

ngx_http_miqps_zone_counts_t *ngx_http_miqps_counters_zones(
    ngx_http_miqps_worker_t *block);
ngx_http_miqps_host_counts_t *ngx_http_miqps_counters_hosts(
    ngx_http_miqps_counters_sh_t *sh, ngx_http_miqps_worker_t *block);

/* the number of a zone or host, which is given to it if need be */

ngx_uint_t ngx_http_miqps_counters_zone(ngx_http_miqps_counters_t *counters,
    ngx_str_t *name);
ngx_uint_t ngx_http_miqps_counters_host(ngx_http_miqps_counters_t *counters,
    ngx_str_t *name);

/* the order of names of servers, which are ngx_str_t */

int ngx_libc_cdecl ngx_http_miqps_counters_cmp(const void *one,
    const void *two);

/* whether a server has just this name */

ngx_uint_t ngx_http_miqps_counters_server(ngx_http_miqps_counters_t *counters,
    ngx_str_t *host);

/* all requests */

uint64_t ngx_http_miqps_counts_requests(const ngx_http_miqps_counts_t *counts);


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_COUNTERS_H_INCLUDED_ */
