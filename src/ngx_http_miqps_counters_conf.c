
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_int_t ngx_http_miqps_counters_alloc(ngx_conf_t *cf,
    ngx_http_miqps_main_conf_t *mmcf, ngx_http_miqps_counters_t *counters);
static ngx_int_t ngx_http_miqps_counters_names(ngx_conf_t *cf,
    ngx_http_miqps_counters_t *counters);
static ngx_int_t ngx_http_miqps_counters_share(ngx_conf_t *cf,
    ngx_http_miqps_counters_t *counters);
static size_t ngx_http_miqps_counters_head_size(ngx_uint_t nzones,
    ngx_uint_t nhosts);
static size_t ngx_http_miqps_counters_block_size(ngx_uint_t nzones,
    ngx_uint_t nhosts);
static ngx_int_t ngx_http_miqps_counters_init_zone(ngx_shm_zone_t *shm_zone,
    void *data);
static void ngx_http_miqps_counters_lay(ngx_http_miqps_counters_t *counters);


/* blocks begin at a line of the cache, and the one beside it is theirs too */

#define ngx_http_miqps_counters_align(size)  ngx_align(size, 128)

#define NGX_HTTP_MIQPS_COUNT_ZONES  16       /* their number is rounded up */


ngx_int_t
ngx_http_miqps_counters_init(ngx_conf_t *cf)
{
    ngx_http_miqps_counters_t   *counters;
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    counters = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_counters_t));
    if (counters == NULL) {
        return NGX_ERROR;
    }

    if (ngx_http_miqps_counters_alloc(cf, mmcf, counters) != NGX_OK
        || ngx_http_miqps_counters_share(cf, counters) != NGX_OK)
    {
        return NGX_ERROR;
    }

    mmcf->counters = counters;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_counters_alloc(ngx_conf_t *cf, ngx_http_miqps_main_conf_t *mmcf,
    ngx_http_miqps_counters_t *counters)
{
    ngx_uint_t              i, n;
    ngx_http_miqps_zone_t  *zone;

    /* for nobody, until a process has its own */

    mmcf->counts = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_counts_t));
    if (mmcf->counts == NULL) {
        return NGX_ERROR;
    }

    n = (mmcf->zones != NULL) ? mmcf->zones->nelts : 0;

    for (i = 0; i < n; i++) {
        zone = ((ngx_http_miqps_zone_t **) mmcf->zones->elts)[i];

        zone->counts = ngx_pcalloc(cf->pool,
                                   sizeof(ngx_http_miqps_zone_counts_t));
        if (zone->counts == NULL) {
            return NGX_ERROR;
        }
    }

    counters->nzones = ngx_align(n, NGX_HTTP_MIQPS_COUNT_ZONES);
    counters->nhosts = mmcf->hosts;

    if (counters->nhosts == 0) {
        return NGX_OK;
    }

    counters->cache = ngx_pcalloc(cf->pool,
                                  NGX_HTTP_MIQPS_HOSTS_CACHE
                                  * sizeof(ngx_http_miqps_host_cache_t));
    if (counters->cache == NULL) {
        return NGX_ERROR;
    }

    return ngx_http_miqps_counters_names(cf, counters);
}


/* exact names of servers; ".name" is one for itself, and more */

static ngx_int_t
ngx_http_miqps_counters_names(ngx_conf_t *cf,
    ngx_http_miqps_counters_t *counters)
{
    ngx_str_t                   *name, text;
    ngx_uint_t                   i, k;
    ngx_http_server_name_t      *sn;
    ngx_http_core_srv_conf_t   **cscf;
    ngx_http_core_main_conf_t   *cmcf;

    if (ngx_array_init(&counters->names, cf->pool, 4, sizeof(ngx_str_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    cscf = cmcf->servers.elts;

    for (i = 0; i < cmcf->servers.nelts; i++) {
        sn = cscf[i]->server_names.elts;

        for (k = 0; k < cscf[i]->server_names.nelts; k++) {
            text = sn[k].name;

            if (text.len > 0 && text.data[0] == '.') {
                text.data++;
                text.len--;
            }

#if (NGX_PCRE)
            if (sn[k].regex != NULL) {
                continue;
            }
#endif

            if (text.len == 0 || text.len > MIQPS_MAX_HOST
                || ngx_strlchr(text.data, text.data + text.len, '*') != NULL)
            {
                continue;
            }

            name = ngx_array_push(&counters->names);
            if (name == NULL) {
                return NGX_ERROR;
            }

            *name = text;
        }
    }

    ngx_qsort(counters->names.elts, counters->names.nelts, sizeof(ngx_str_t),
              ngx_http_miqps_counters_cmp);

    return NGX_OK;
}


/*
 * A reload keeps what has the same name and size, and the name tells what
 * would make it another one.
 */

static ngx_int_t
ngx_http_miqps_counters_share(ngx_conf_t *cf,
    ngx_http_miqps_counters_t *counters)
{
    size_t      size;
    u_char      text[sizeof("ngx_http_miqps_counters__") + 2 * NGX_INT_T_LEN];
    ngx_str_t   name;

    name.len = ngx_sprintf(text, "ngx_http_miqps_counters_%ui_%ui",
                           counters->nzones, counters->nhosts)
               - text;
    name.data = text;

    name.data = ngx_pstrdup(cf->pool, &name);
    if (name.data == NULL) {
        return NGX_ERROR;
    }

    size = ngx_http_miqps_counters_head_size(counters->nzones,
                                             counters->nhosts)
           + NGX_MAX_PROCESSES
             * ngx_http_miqps_counters_block_size(counters->nzones,
                                                  counters->nhosts);

    /* what nginx needs of each page, and some pages for itself */

    size = (size / ngx_pagesize + 8)
           * (ngx_pagesize + sizeof(ngx_slab_page_t));

    counters->shm_zone = ngx_shared_memory_add(cf, &name, size,
                                               &ngx_http_miqps_module);
    if (counters->shm_zone == NULL) {
        return NGX_ERROR;
    }

    counters->shm_zone->init = ngx_http_miqps_counters_init_zone;
    counters->shm_zone->data = counters;

    return NGX_OK;
}


/* all that is before the blocks */

static size_t
ngx_http_miqps_counters_head_size(ngx_uint_t nzones, ngx_uint_t nhosts)
{
    return ngx_http_miqps_counters_align(
               sizeof(ngx_http_miqps_counters_sh_t)
               + nzones * sizeof(ngx_atomic_t)
               + nhosts * sizeof(ngx_atomic_t)
               + nhosts * sizeof(ngx_http_miqps_host_name_t)
               + nzones * sizeof(ngx_http_miqps_rule_counts_t));
}


static size_t
ngx_http_miqps_counters_block_size(ngx_uint_t nzones, ngx_uint_t nhosts)
{
    return ngx_http_miqps_counters_align(
               sizeof(ngx_http_miqps_worker_t)
               + (nzones + 1) * sizeof(ngx_http_miqps_zone_counts_t)
               + (nhosts + 1) * sizeof(ngx_http_miqps_host_counts_t));
}


/*
 * There is room for as many processes as nginx can have.  What none of them
 * uses is not touched here either, so that it takes no memory: it is zero as
 * the system gives it.
 */

static ngx_int_t
ngx_http_miqps_counters_init_zone(ngx_shm_zone_t *shm_zone, void *data)
{
    ngx_http_miqps_counters_t  *old = data;

    size_t                         head, block;
    ngx_slab_pool_t               *shpool;
    ngx_http_miqps_counters_t     *counters;
    ngx_http_miqps_counters_sh_t  *sh;

    counters = shm_zone->data;
    shpool = (ngx_slab_pool_t *) shm_zone->shm.addr;

    if (old != NULL) {
        counters->sh = old->sh;
        ngx_http_miqps_counters_lay(counters);
        return NGX_OK;
    }

    shpool->log_nomem = 0;

    head = ngx_http_miqps_counters_head_size(counters->nzones,
                                             counters->nhosts);
    block = ngx_http_miqps_counters_block_size(counters->nzones,
                                               counters->nhosts);

    sh = ngx_slab_alloc(shpool, head + NGX_MAX_PROCESSES * block);

    if (sh == NULL) {
        ngx_log_error(NGX_LOG_EMERG, shm_zone->shm.log, 0,
                      "there is no room for the counters of miqps");
        return NGX_ERROR;
    }

    sh->seed = (uint64_t) ngx_random() << 32 ^ (uint64_t) ngx_random()
               ^ (uint64_t) ngx_time() << 16 ^ (uint64_t) ngx_pid;
    sh->since = ngx_time();
    sh->nzones = counters->nzones;
    sh->nhosts = counters->nhosts;
    sh->size = block;

    counters->sh = sh;

    ngx_http_miqps_counters_lay(counters);

    return NGX_OK;
}


/* finds the parts */

static void
ngx_http_miqps_counters_lay(ngx_http_miqps_counters_t *counters)
{
    ngx_http_miqps_counters_sh_t  *sh;

    sh = counters->sh;

    counters->zones = (ngx_atomic_t *) (sh + 1);
    counters->hosts = counters->zones + sh->nzones;
    counters->host_names = (ngx_http_miqps_host_name_t *)
                           (counters->hosts + sh->nhosts);
    counters->rules = (ngx_http_miqps_rule_counts_t *)
                      (counters->host_names + sh->nhosts);
    counters->blocks = (u_char *) sh
                       + ngx_http_miqps_counters_head_size(sh->nzones,
                                                           sh->nhosts);
}
