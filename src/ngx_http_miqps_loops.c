
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
 * host, and requests with just these names pass unchanged from then on.  Where
 * a path rule leads back, it is the rule that is noted, for this map, and is
 * not applied any more.
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


static void ngx_http_miqps_loops_back(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *location);
static ngx_int_t ngx_http_miqps_loops_split(ngx_http_request_t *r,
    ngx_str_t *own, ngx_str_t *location, miqps_url_t *url);
static ngx_uint_t ngx_http_miqps_loops_here(ngx_http_request_t *r,
    miqps_url_t *url, ngx_str_t *path);
static ngx_uint_t ngx_http_miqps_loops_same(const miqps_str_t *one,
    ngx_str_t *two);
static ngx_uint_t ngx_http_miqps_loops_noted(ngx_http_miqps_loops_t *loops,
    uint64_t hash);
static ngx_uint_t ngx_http_miqps_loops_note(ngx_http_miqps_loops_t *loops,
    uint64_t hash);
static uint64_t ngx_http_miqps_loops_rule_hash(ngx_http_miqps_loops_t *loops,
    ngx_str_t *host, uint64_t generation, uint32_t rule);
static uint64_t ngx_http_miqps_loops_hash(ngx_http_miqps_loops_t *loops,
    ngx_str_t *host, ngx_str_t *args);
static ngx_int_t ngx_http_miqps_loops_init_zone(ngx_shm_zone_t *zone,
    void *data);


ngx_uint_t
ngx_http_miqps_loops_has(ngx_shm_zone_t *zone, ngx_str_t *host,
    ngx_str_t *args)
{
    return ngx_http_miqps_loops_noted(zone->data,
                            ngx_http_miqps_loops_hash(zone->data, host, args));
}


ngx_uint_t
ngx_http_miqps_loops_rule(ngx_shm_zone_t *zone, ngx_str_t *host,
    uint64_t generation, uint32_t rule)
{
    return ngx_http_miqps_loops_noted(zone->data,
               ngx_http_miqps_loops_rule_hash(zone->data, host, generation,
                                              rule));
}


static ngx_uint_t
ngx_http_miqps_loops_noted(ngx_http_miqps_loops_t *loops, uint64_t hash)
{
    ngx_uint_t  i;

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
    ngx_table_elt_t  *location;

    if (r->upstream == NULL || mlcf->mode == NGX_HTTP_MIQPS_ANNOTATE) {
        return;
    }

    /* nginx notes the header only if "proxy_redirect" has changed it */

    location = r->headers_out.location;

    if (location == NULL) {
        location = r->upstream->headers_in.location;
    }

    if (location != NULL) {
        ngx_http_miqps_loops_back(r, mlcf, &location->value);
    }
}


/* notes a "location" that is not clean, where the request is what it becomes */

static void
ngx_http_miqps_loops_back(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *location)
{
    ngx_str_t                host, path, args;
    miqps_url_t              url;
    miqps_result_t           res;
    ngx_http_miqps_ctx_t    *ctx;
    ngx_http_miqps_loops_t  *loops;

    ctx = ngx_http_miqps_ask(r);

    if (ctx == NULL || ctx->path.len == 0
        || (!ctx->taken && ctx->verdict != NGX_HTTP_MIQPS_CLEAN))
    {
        return;
    }

    if (ngx_http_miqps_loops_split(r, &ctx->page, location, &url) != NGX_OK
        || !ngx_http_miqps_loops_here(r, &url, &path)
        || ngx_http_miqps_host(r, mlcf, &host) != NGX_OK)
    {
        return;
    }

    args.data = (u_char *) url.args.data;
    args.len = url.args.len;

    if (ngx_http_miqps_normalize(r, mlcf, ngx_http_miqps_shown(mlcf)
                                          |NGX_HTTP_MIQPS_PATHS,
                                 &host, &path, &args, &res)
        != NGX_OK)
    {
        return;
    }

    if ((!res.changed && !res.moved)
        || !ngx_http_miqps_loops_same(&res.path, &ctx->page)
        || !ngx_http_miqps_loops_same(&res.args, &ctx->clean))
    {
        return;
    }

    loops = mlcf->main->loops->data;

    if (res.moved) {
        if (ngx_http_miqps_loops_note(loops,
                ngx_http_miqps_loops_rule_hash(loops, &host,
                                               mlcf->main->generation,
                                               res.rule)))
        {
            ngx_log_error(NGX_LOG_WARN, r->connection->log, 0,
                          "upstream redirects \"%V\" to \"%V\", which a path "
                          "rule leads back from: the rule %uD of \"%V\" is "
                          "not applied any more with this map",
                          &ctx->target, location, res.rule + 1, &host);
        }

        return;
    }

    if (ngx_http_miqps_loops_note(loops,
                              ngx_http_miqps_loops_hash(loops, &host, &args)))
    {
        ngx_log_error(NGX_LOG_WARN, r->connection->log, 0,
                      "upstream redirects to \"?%V\" what comes without it: "
                      "requests of \"%V\" with such arguments will pass "
                      "unchanged; \"miqps_keep\" can name what it needs",
                      &args, &host);
    }
}


static ngx_uint_t
ngx_http_miqps_loops_same(const miqps_str_t *one, ngx_str_t *two)
{
    return one->len == two->len
           && (one->len == 0
               || ngx_memcmp(one->data, two->data, one->len) == 0);
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
 * True if it is of the host of the request.  The scheme and port may be others
 * than here: there may be something in front of this server.
 */

static ngx_uint_t
ngx_http_miqps_loops_here(ngx_http_request_t *r, miqps_url_t *url,
    ngx_str_t *path)
{
    uint8_t      buf[MIQPS_MAX_HOST];
    ngx_str_t    server;
    miqps_str_t  host;

    path->data = (u_char *) url->path.data;
    path->len = url->path.len;

    if (url->authority.len > 0) {
        ngx_http_miqps_server(r, &server);

        if (miqps_url_host(&url->host, buf, &host) != MIQPS_OK
            || host.len != server.len
            || ngx_memcmp(host.data, server.data, host.len) != 0)
        {
            return 0;
        }

        if (url->path.len == 0) {
            ngx_str_set(path, "/");
        }
    }

    return 1;
}


/* true if it is new */

static ngx_uint_t
ngx_http_miqps_loops_note(ngx_http_miqps_loops_t *loops, uint64_t hash)
{
    ngx_uint_t           i;
    volatile uint64_t   *note;

    note = NULL;

    for (i = 0; i < NGX_HTTP_MIQPS_LOOPS_NEAR; i++) {
        note = &loops->notes[(hash + i) % NGX_HTTP_MIQPS_LOOPS];

        if (*note == hash) {
            return 0;
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

    return 1;
}


static uint64_t
ngx_http_miqps_loops_rule_hash(ngx_http_miqps_loops_t *loops, ngx_str_t *host,
    uint64_t generation, uint32_t rule)
{
    uint64_t  hash, which[2];

    which[0] = generation;
    which[1] = rule;

    hash = XXH3_64bits_withSeed(host->data, host->len, loops->seed)
           ^ XXH3_64bits_withSeed(which, sizeof(which), loops->seed + 1);

    return (hash != 0) ? hash : 1;
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
