
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_response.h"

#define XXH_INLINE_ALL
#include <xxhash.h>


/*
 * ROUNDS
 *
 * An upstream may redirect /a to /b?x=1 and /b, which has no x, to /a.  If x is
 * stripped on the way, a client goes round for ever, and the fault is ours.
 *
 * So each redirect that goes by leaves a note of where it comes from and where
 * it leads to.  Before one is changed, notes are followed from where it would
 * lead to then: if they come back to where the client is, it is left as it is.
 * The last redirect that would close a round is thus the one that does not.
 *
 * Redirects of others cannot be seen, of a server for logins, say.  So no
 * client is given the same changed redirect more than a few times in a short
 * while: fewer than those after which browsers give up.
 *
 * Notes are hashes in a table that all workers share, as long as this
 * configuration lives.  They are read and written without a lock.  One that is
 * lost, or read while it is written, makes for one redirect too many that is
 * left alone, or is noted again in the next round.
 */

#define NGX_HTTP_MIQPS_ROUNDS        4096    /* a power of two */
#define NGX_HTTP_MIQPS_ROUNDS_NEAR   8       /* places of one hash */
#define NGX_HTTP_MIQPS_ROUNDS_STEPS  20      /* browsers go no farther */
#define NGX_HTTP_MIQPS_ROUNDS_TIMES  8       /* the same for one client, ... */
#define NGX_HTTP_MIQPS_ROUNDS_WHILE  8       /* ... in as many seconds */


/* where a redirect leads to, by where it comes from */

typedef struct {
    volatile uint64_t            from;        /* 0: unused */
    volatile uint64_t            to;
} ngx_http_miqps_round_t;


typedef struct {
    uint64_t                     seed;
    ngx_http_miqps_round_t       notes[NGX_HTTP_MIQPS_ROUNDS];
    ngx_http_miqps_round_t       given[NGX_HTTP_MIQPS_ROUNDS];
} ngx_http_miqps_rounds_t;


static uint64_t ngx_http_miqps_rounds_own(ngx_http_miqps_base_t *base,
    ngx_http_miqps_rounds_t *rounds, ngx_uint_t clean);
static uint64_t ngx_http_miqps_rounds_hash(ngx_http_miqps_rounds_t *rounds,
    ngx_http_miqps_place_t *place);
static uint64_t ngx_http_miqps_rounds_client(ngx_http_miqps_rounds_t *rounds,
    ngx_http_request_t *r, uint64_t from, uint64_t to);
static ngx_http_miqps_round_t *ngx_http_miqps_rounds_find(
    ngx_http_miqps_round_t *table, uint64_t hash, ngx_uint_t add);
static ngx_int_t ngx_http_miqps_rounds_init_zone(ngx_shm_zone_t *zone,
    void *data);


ngx_uint_t
ngx_http_miqps_rounds_closed(ngx_http_miqps_base_t *base,
    ngx_http_miqps_place_t *place)
{
    uint64_t                  own, clean, at;
    ngx_uint_t                i;
    ngx_http_miqps_round_t   *note;
    ngx_http_miqps_rounds_t  *rounds;

    rounds = base->conf->main->rounds->data;

    /* the scratch has the place, and may not any more after what follows */

    at = ngx_http_miqps_rounds_hash(rounds, place);

    own = ngx_http_miqps_rounds_own(base, rounds, 0);
    clean = ngx_http_miqps_rounds_own(base, rounds, 1);

    note = ngx_http_miqps_rounds_find(rounds->given,
                   ngx_http_miqps_rounds_client(rounds, base->request, own, at),
                   0);

    if (note != NULL && note->to % 256 >= NGX_HTTP_MIQPS_ROUNDS_TIMES
        && (ngx_uint_t) ngx_time() - note->to / 256
           < NGX_HTTP_MIQPS_ROUNDS_WHILE)
    {
        return 1;
    }

    for (i = 0; i < NGX_HTTP_MIQPS_ROUNDS_STEPS; i++) {

        if (at == own || at == clean) {
            return 1;
        }

        note = ngx_http_miqps_rounds_find(rounds->notes, at, 0);

        if (note == NULL) {
            return 0;
        }

        at = note->to;
    }

    return 1;
}


void
ngx_http_miqps_rounds_note(ngx_http_miqps_base_t *base,
    ngx_http_miqps_place_t *place, ngx_uint_t made)
{
    uint64_t                  own, to, times;
    ngx_http_miqps_round_t   *note;
    ngx_http_miqps_rounds_t  *rounds;

    rounds = base->conf->main->rounds->data;

    to = ngx_http_miqps_rounds_hash(rounds, place);
    own = ngx_http_miqps_rounds_own(base, rounds, 0);

    note = ngx_http_miqps_rounds_find(rounds->notes, own, 1);
    note->to = to;

    if (!made) {
        return;
    }

    note = ngx_http_miqps_rounds_find(rounds->given,
                 ngx_http_miqps_rounds_client(rounds, base->request, own, to),
                 1);

    times = note->to % 256;

    if ((ngx_uint_t) ngx_time() - note->to / 256
        >= NGX_HTTP_MIQPS_ROUNDS_WHILE)
    {
        times = 0;
    }

    note->to = (uint64_t) ngx_time() * 256 + ngx_min(times + 1, 255);
}


/* the URL that the client asked for, or the clean one of it */

static uint64_t
ngx_http_miqps_rounds_own(ngx_http_miqps_base_t *base,
    ngx_http_miqps_rounds_t *rounds, ngx_uint_t clean)
{
    miqps_result_t           res;
    ngx_http_miqps_place_t   place;

    place.host = base->server;
    ngx_http_miqps_raw(base->request->main, &place.path, &place.args);

    if (clean
        && ngx_http_miqps_normalize(base->request, base->conf,
                                    NGX_HTTP_MIQPS_SHOWN|NGX_HTTP_MIQPS_PATHS
                                    |NGX_HTTP_MIQPS_PLANS,
                                    &base->rules, &place.path, &place.args,
                                    &res)
           == NGX_OK)
    {
        place.path.data = (u_char *) res.path.data;
        place.path.len = res.path.len;
        place.args.data = (u_char *) res.args.data;
        place.args.len = res.args.len;
    }

    return ngx_http_miqps_rounds_hash(rounds, &place);
}


/* never 0; the scheme and the port may be others than they were here */

static uint64_t
ngx_http_miqps_rounds_hash(ngx_http_miqps_rounds_t *rounds,
    ngx_http_miqps_place_t *place)
{
    uint64_t  hash;

    hash = XXH3_64bits_withSeed(place->host.data, place->host.len,
                                rounds->seed);
    hash = XXH3_64bits_withSeed(place->path.data, place->path.len, hash);

    if (place->args.len > 0) {
        hash = XXH3_64bits_withSeed(place->args.data, place->args.len, hash);
    }

    return (hash != 0) ? hash : 1;
}


/* one address may be that of many, most of whom have other browsers */

static uint64_t
ngx_http_miqps_rounds_client(ngx_http_miqps_rounds_t *rounds,
    ngx_http_request_t *r, uint64_t from, uint64_t to)
{
    uint64_t          hash;
    ngx_str_t        *addr;
    ngx_table_elt_t  *agent;

    addr = &r->connection->addr_text;
    agent = r->headers_in.user_agent;

    hash = XXH3_64bits_withSeed(addr->data, addr->len, rounds->seed ^ from);

    if (agent != NULL) {
        hash = XXH3_64bits_withSeed(agent->value.data, agent->value.len, hash);
    }

    hash ^= to;

    return (hash != 0) ? hash : 1;
}


/* with "add", always one of its places; else NULL if it is not there */

static ngx_http_miqps_round_t *
ngx_http_miqps_rounds_find(ngx_http_miqps_round_t *table, uint64_t hash,
    ngx_uint_t add)
{
    ngx_uint_t               i;
    ngx_http_miqps_round_t  *note;

    for (i = 0; i < NGX_HTTP_MIQPS_ROUNDS_NEAR; i++) {
        note = &table[(hash + i) % NGX_HTTP_MIQPS_ROUNDS];

        if (note->from == hash) {
            return note;
        }

        if (note->from == 0) {
            break;
        }
    }

    if (!add) {
        return NULL;
    }

    if (i == NGX_HTTP_MIQPS_ROUNDS_NEAR) {
        i = (hash >> 32) % NGX_HTTP_MIQPS_ROUNDS_NEAR;
    }

    note = &table[(hash + i) % NGX_HTTP_MIQPS_ROUNDS];

    note->to = 0;
    note->from = hash;

    return note;
}


ngx_int_t
ngx_http_miqps_rounds_init(ngx_conf_t *cf, ngx_http_miqps_main_conf_t *mmcf)
{
    ngx_str_t  name = ngx_string("ngx_http_miqps_rounds");

    mmcf->rounds = ngx_shared_memory_add(cf, &name,
                                         sizeof(ngx_http_miqps_rounds_t)
                                         + 8 * ngx_pagesize,
                                         &ngx_http_miqps_module);
    if (mmcf->rounds == NULL) {
        return NGX_ERROR;
    }

    /* a new configuration may strip other things, and starts without notes */

    mmcf->rounds->noreuse = 1;
    mmcf->rounds->init = ngx_http_miqps_rounds_init_zone;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_rounds_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t          *shpool;
    ngx_http_miqps_rounds_t  *rounds;

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    rounds = ngx_slab_calloc(shpool, sizeof(ngx_http_miqps_rounds_t));
    if (rounds == NULL) {
        return NGX_ERROR;
    }

    rounds->seed = (uint64_t) ngx_random() << 32 ^ (uint64_t) ngx_random()
                   ^ (uint64_t) ngx_time() << 16 ^ (uint64_t) ngx_pid;

    zone->data = rounds;

    return NGX_OK;
}
