
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"

#define XXH_INLINE_ALL
#include <xxhash.h>


/*
 * An upstream may insist on a parameter that is stripped: it redirects the
 * clean URL to one with the parameter, which is stripped again, and so on.
 * When such a redirect goes by, the names of its arguments are noted for its
 * host, and requests with just these names pass unchanged from then on.
 *
 * The notes are hashes in a table that all workers share, as long as this
 * configuration lives.  They are read and written one word at a time, without
 * a lock; one that is overwritten is noted again when its redirect comes by
 * again.
 */

#define NGX_HTTP_MIQPS_LOOPS        1024     /* a power of two */
#define NGX_HTTP_MIQPS_LOOPS_NEAR   8        /* places of one hash */


typedef struct {
    ngx_atomic_t                 any;         /* the first: see the header */
    uint64_t                     seed;
    volatile uint64_t            notes[NGX_HTTP_MIQPS_LOOPS];
} ngx_http_miqps_loops_t;


static ngx_uint_t ngx_http_miqps_loops_back(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *location, ngx_str_t *host,
    ngx_str_t *args);
static ngx_int_t ngx_http_miqps_loops_split(ngx_http_request_t *r,
    ngx_str_t *own, ngx_str_t *location, miqps_url_t *url);
static ngx_uint_t ngx_http_miqps_loops_here(ngx_http_request_t *r,
    ngx_str_t *own, miqps_url_t *url);
static void ngx_http_miqps_loops_note(ngx_http_request_t *r,
    ngx_http_miqps_loops_t *loops, ngx_str_t *host, ngx_str_t *args);
static uint64_t ngx_http_miqps_loops_hash(ngx_http_miqps_loops_t *loops,
    ngx_str_t *host, ngx_str_t *args);
static ngx_int_t ngx_http_miqps_loops_init_zone(ngx_shm_zone_t *zone,
    void *data);


ngx_uint_t
ngx_http_miqps_loops_has(ngx_shm_zone_t *zone, ngx_str_t *host,
    ngx_str_t *args)
{
    uint64_t                 hash;
    ngx_uint_t               i;
    ngx_http_miqps_loops_t  *loops;

    loops = zone->data;

    hash = ngx_http_miqps_loops_hash(loops, host, args);

    for (i = 0; i < NGX_HTTP_MIQPS_LOOPS_NEAR; i++) {
        if (loops->notes[(hash + i) % NGX_HTTP_MIQPS_LOOPS] == hash) {
            return 1;
        }
    }

    return 0;
}


void
ngx_http_miqps_loops_watch(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    ngx_str_t         host, args;
    ngx_table_elt_t  *location;

    if (r->upstream == NULL || mlcf->mode == NGX_HTTP_MIQPS_ANNOTATE) {
        return;
    }

    /* nginx notes the header only if "proxy_redirect" has changed it */

    location = r->headers_out.location;

    if (location == NULL) {
        location = r->upstream->headers_in.location;
    }

    if (location != NULL
        && ngx_http_miqps_loops_back(r, mlcf, &location->value, &host, &args))
    {
        ngx_http_miqps_loops_note(r, mlcf->main->loops->data, &host, &args);
    }
}


/*
 * True if "location" is not clean, and its clean form is the request's own.
 * Gives the host that rules are taken of, and the arguments of "location".
 */

static ngx_uint_t
ngx_http_miqps_loops_back(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *location, ngx_str_t *host,
    ngx_str_t *args)
{
    miqps_url_t            url;
    miqps_result_t         res;
    ngx_http_miqps_ctx_t  *ctx;

    ctx = ngx_http_miqps_ask(r);

    if (ctx == NULL || ctx->path.len == 0
        || (!ctx->taken && ctx->verdict != NGX_HTTP_MIQPS_CLEAN))
    {
        return 0;
    }

    if (ngx_http_miqps_loops_split(r, &ctx->path, location, &url) != NGX_OK
        || !ngx_http_miqps_loops_here(r, &ctx->path, &url)
        || ngx_http_miqps_host(r, mlcf, host) != NGX_OK)
    {
        return 0;
    }

    args->data = (u_char *) url.args.data;
    args->len = url.args.len;

    if (ngx_http_miqps_normalize(r, mlcf, ngx_http_miqps_shown(mlcf), host,
                                 &ctx->path, args, &res)
        != NGX_OK)
    {
        return 0;
    }

    return res.changed && res.args.len == ctx->clean.len
           && (res.args.len == 0
               || ngx_memcmp(res.args.data, ctx->clean.data, res.args.len)
                  == 0);
}


/* a relative one is taken as it would stand behind the request's own path */

static ngx_int_t
ngx_http_miqps_loops_split(ngx_http_request_t *r, ngx_str_t *own,
    ngx_str_t *location, miqps_url_t *url)
{
    u_char       *p;
    size_t        len;
    miqps_str_t   full;

    full.data = location->data;
    full.len = location->len;

    if (miqps_url_split(url, &full) == MIQPS_OK) {
        return NGX_OK;
    }

    len = own->len;

    if (location->len == 0 || location->data[0] != '?') {
        while (len > 0 && own->data[len - 1] != '/') {
            len--;
        }
    }

    p = ngx_pnalloc(r->pool, len + location->len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    full.data = p;
    full.len = len + location->len;

    ngx_memcpy(ngx_cpymem(p, own->data, len), location->data, location->len);

    return (miqps_url_split(url, &full) == MIQPS_OK) ? NGX_OK : NGX_ERROR;
}


/*
 * The page of the request, with whatever arguments.  The scheme and port may
 * be others than here: there may be something in front of this server.
 */

static ngx_uint_t
ngx_http_miqps_loops_here(ngx_http_request_t *r, ngx_str_t *own,
    miqps_url_t *url)
{
    uint8_t      buf[MIQPS_MAX_HOST];
    ngx_str_t    server;
    miqps_str_t  host;

    if (url->authority.len > 0) {
        ngx_http_miqps_server(r, &server);

        if (miqps_url_host(&url->host, buf, &host) != MIQPS_OK
            || host.len != server.len
            || ngx_memcmp(host.data, server.data, host.len) != 0)
        {
            return 0;
        }

        if (url->path.len == 0) {
            return own->len == 1;
        }
    }

    return url->path.len == own->len
           && ngx_memcmp(url->path.data, own->data, own->len) == 0;
}


static void
ngx_http_miqps_loops_note(ngx_http_request_t *r,
    ngx_http_miqps_loops_t *loops, ngx_str_t *host, ngx_str_t *args)
{
    uint64_t             hash;
    ngx_uint_t           i;
    volatile uint64_t   *note;

    hash = ngx_http_miqps_loops_hash(loops, host, args);

    for (i = 0; i < NGX_HTTP_MIQPS_LOOPS_NEAR; i++) {
        note = &loops->notes[(hash + i) % NGX_HTTP_MIQPS_LOOPS];

        if (*note == hash) {
            return;
        }

        if (*note == 0) {
            break;
        }
    }

    if (i == NGX_HTTP_MIQPS_LOOPS_NEAR) {
        note = &loops->notes[hash % NGX_HTTP_MIQPS_LOOPS];
    }

    *note = hash;
    loops->any = 1;

    ngx_log_error(NGX_LOG_WARN, r->connection->log, 0,
                  "upstream redirects to \"?%V\" what comes without it: "
                  "requests of \"%V\" with such arguments will pass "
                  "unchanged; \"miqps_keep\" can name what it needs",
                  args, host);
}


/* of the host and the names, in whatever order; never 0 */

static uint64_t
ngx_http_miqps_loops_hash(ngx_http_miqps_loops_t *loops, ngx_str_t *host,
    ngx_str_t *args)
{
    u_char    *p, *last, *end, *equals;
    uint64_t   hash;

    hash = XXH3_64bits_withSeed(host->data, host->len, loops->seed);

    last = args->data + args->len;

    for (p = args->data; p < last; p = end + 1) {

        end = ngx_strlchr(p, last, '&');

        if (end == NULL) {
            end = last;
        }

        equals = ngx_strlchr(p, end, '=');

        if (equals == NULL) {
            equals = end;
        }

        hash += XXH3_64bits_withSeed(p, equals - p, ~loops->seed);
    }

    return (hash != 0) ? hash : 1;
}


ngx_int_t
ngx_http_miqps_loops_init(ngx_conf_t *cf, ngx_http_miqps_main_conf_t *mmcf)
{
    ngx_str_t  name = ngx_string("ngx_http_miqps_loops");

    mmcf->loops = ngx_shared_memory_add(cf, &name,
                                        sizeof(ngx_http_miqps_loops_t)
                                        + 8 * ngx_pagesize,
                                        &ngx_http_miqps_module);
    if (mmcf->loops == NULL) {
        return NGX_ERROR;
    }

    /* a new configuration may strip other things, and starts without notes */

    mmcf->loops->noreuse = 1;
    mmcf->loops->init = ngx_http_miqps_loops_init_zone;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_loops_init_zone(ngx_shm_zone_t *zone, void *data)
{
    ngx_slab_pool_t         *shpool;
    ngx_http_miqps_loops_t  *loops;

    shpool = (ngx_slab_pool_t *) zone->shm.addr;

    loops = ngx_slab_calloc(shpool, sizeof(ngx_http_miqps_loops_t));
    if (loops == NULL) {
        return NGX_ERROR;
    }

    loops->seed = (uint64_t) ngx_random() << 32 ^ (uint64_t) ngx_random()
                  ^ (uint64_t) ngx_time() << 16 ^ (uint64_t) ngx_pid;

    zone->data = loops;

    return NGX_OK;
}
