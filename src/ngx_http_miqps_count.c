
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"

#define XXH_INLINE_ALL
#include <xxhash.h>


static void ngx_http_miqps_mark(ngx_http_request_t *r);
static void ngx_http_miqps_count_rule(ngx_http_miqps_loc_conf_t *mlcf,
    miqps_result_t *res, uint32_t rule);
static ngx_http_miqps_host_counts_t *ngx_http_miqps_count_host(
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_verdict_e verdict,
    ngx_str_t *host, miqps_result_t *res);
static ngx_http_miqps_host_counts_t *ngx_http_miqps_count_find(
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host, ngx_uint_t mapped);
static ngx_uint_t ngx_http_miqps_count_mapped(ngx_http_miqps_zone_t *zone,
    ngx_str_t *host, u_char *buf, ngx_str_t *name);


/* what a mark points to; a context points to the module itself */

#define NGX_HTTP_MIQPS_MARK  ((void *) &ngx_http_miqps_module.index)


void
ngx_http_miqps_count(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_ctx_t *ctx, ngx_http_miqps_verdict_e verdict,
    ngx_str_t *host, miqps_result_t *res)
{
    ngx_http_miqps_main_conf_t  *mmcf;

    if (verdict == NGX_HTTP_MIQPS_IS_OFF || ngx_http_miqps_counted(r, ctx)) {
        return;
    }

    mmcf = mlcf->main;

    ngx_http_miqps_mark(r);

    mmcf->counts->verdicts[verdict]++;

    if (verdict == NGX_HTTP_MIQPS_OPAQUE) {
        mmcf->counts->guards[res->guard]++;
    }

    if (mlcf->zone != NULL && res != NULL) {
        ngx_http_miqps_count_zone(mlcf, verdict, res);
    }

    if (mmcf->host_counts) {
        ngx_http_miqps_count_hosts(r, mlcf, verdict, host, res);
    }
}


/* contexts are cleared by internal redirects, cleanups are not */

static void
ngx_http_miqps_mark(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t  *cln;

    cln = ngx_palloc(r->pool, sizeof(ngx_pool_cleanup_t));

    if (cln != NULL) {
        cln->handler = NULL;
        cln->data = NGX_HTTP_MIQPS_MARK;
        cln->next = r->pool->cleanup;
        r->pool->cleanup = cln;
    }
}


ngx_uint_t
ngx_http_miqps_marked(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t  *cln;

    for (cln = r->pool->cleanup; cln != NULL; cln = cln->next) {
        if (cln->data == NGX_HTTP_MIQPS_MARK) {
            return 1;
        }
    }

    return 0;
}


void
ngx_http_miqps_count_rules(ngx_http_miqps_loc_conf_t *mlcf,
    miqps_result_t *res)
{
    if (mlcf->zone->rules == NULL) {
        return;
    }

    if (res->rule != MIQPS_PATHS_NONE) {
        ngx_http_miqps_count_rule(mlcf, res, res->rule);
    }

    if (res->host_rule != MIQPS_PATHS_NONE) {
        ngx_http_miqps_count_rule(mlcf, res, res->host_rule);
    }
}


/*
 * What a worker counts while another one empties the table may be lost, and a
 * rule that finds no place is not counted.
 */

static void
ngx_http_miqps_count_rule(ngx_http_miqps_loc_conf_t *mlcf,
    miqps_result_t *res, uint32_t rule)
{
    uint64_t                       key, was, now;
    ngx_uint_t                     i;
    ngx_http_miqps_rule_count_t   *count;
    ngx_http_miqps_rule_counts_t  *counts;

    counts = mlcf->zone->rules;
    was = counts->generation;
    now = mlcf->main->generation;

    if (was != now
        && __sync_bool_compare_and_swap(&counts->generation, was, now))
    {
        for (i = 0; i < NGX_HTTP_MIQPS_COUNT_RULES; i++) {
            counts->rules[i].rule = 0;
            counts->rules[i].requests = 0;
        }
    }

    key = ngx_http_miqps_rule_key(now, res->place, rule + 1);

    for (i = 0; i < NGX_HTTP_MIQPS_RULES_NEAR; i++) {
        count = &counts->rules[((key * UINT64_C(0x9e3779b97f4a7c15) >> 40) + i)
                               & (NGX_HTTP_MIQPS_COUNT_RULES - 1)];

        if (count->rule == 0) {
            (void) __sync_bool_compare_and_swap(&count->rule, 0, key);
        }

        if (count->rule == key) {
            (void) __sync_fetch_and_add(&count->requests, 1);
            return;
        }
    }
}


void
ngx_http_miqps_count_hosts(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_verdict_e verdict,
    ngx_str_t *host, miqps_result_t *res)
{
    ngx_str_t  own;

    if (host == NULL) {

        if (ngx_http_miqps_host(r, mlcf, &own) != NGX_OK) {
            ngx_str_null(&own);
        }

        host = &own;
    }

    ngx_http_miqps_reply_await(r, ngx_http_miqps_count_host(mlcf, verdict, host,
                                                            res));
}


static ngx_http_miqps_host_counts_t *
ngx_http_miqps_count_host(ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_verdict_e verdict, ngx_str_t *host, miqps_result_t *res)
{
    uint64_t                      hash, serial;
    ngx_uint_t                    mapped;
    ngx_http_miqps_counters_t    *counters;
    ngx_http_miqps_host_cache_t  *cache;

    counters = mlcf->main->counters;
    mapped = (res != NULL && res->mapped);

    hash = XXH3_64bits_withSeed(host->data, host->len, counters->sh->seed);

    /* what a map has may be another host in the next one */

    serial = mapped ? mlcf->zone->image.serial : 0;

    cache = &counters->cache[hash % NGX_HTTP_MIQPS_HOSTS_CACHE];

    if (cache->hash != hash || cache->serial != serial
        || cache->counts == NULL)
    {
        cache->hash = hash;
        cache->serial = serial;
        cache->counts = ngx_http_miqps_count_find(mlcf, host, mapped);
    }

    cache->counts->requests++;
    cache->counts->stripped += (verdict == NGX_HTTP_MIQPS_STRIPPED);
    cache->counts->known += (res != NULL && res->known);

    return cache->counts;
}


static ngx_http_miqps_host_counts_t *
ngx_http_miqps_count_find(ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host,
    ngx_uint_t mapped)
{
    u_char                      buf[MIQPS_MAX_HOST + sizeof("*.")];
    ngx_str_t                   name;
    ngx_uint_t                  i;
    ngx_http_miqps_counters_t  *counters;

    counters = mlcf->main->counters;

    if (ngx_http_miqps_counters_server(counters, host)) {
        i = ngx_http_miqps_counters_host(counters, host);

    } else if (mapped && ngx_http_miqps_count_mapped(mlcf->zone, host, buf,
                                                     &name))
    {
        i = ngx_http_miqps_counters_host(counters, &name);

    } else {
        i = counters->sh->nhosts;
    }

    return &counters->host_counts[i];
}


/*
 * The host's name in the map.  It is looked up once more, since the map that
 * the request was asked of may be gone.
 */

static ngx_uint_t
ngx_http_miqps_count_mapped(ngx_http_miqps_zone_t *zone, ngx_str_t *host,
    u_char *buf, ngx_str_t *name)
{
    u_char         *p;
    miqps_str_t     given;
    miqps_host_t    found;
    miqps_image_t  *image;
    const uint8_t  *record;

    image = ngx_http_miqps_zone_enter(zone);

    if (image == NULL) {
        return 0;
    }

    given.data = host->data;
    given.len = host->len;

    record = miqps_map_host(image, &given);

    if (record != NULL) {
        miqps_image_host(&found, record);

        p = buf;

        if (found.flags & MIQPS_HOST_WILDCARD) {
            *p++ = '*';
            *p++ = '.';
        }

        p = ngx_cpymem(p, found.host.data, found.host.len);

        name->data = buf;
        name->len = p - buf;
    }

    ngx_http_miqps_zone_leave(zone);

    return record != NULL;
}
