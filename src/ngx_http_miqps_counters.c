
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"

#define XXH_INLINE_ALL
#include <xxhash.h>


static ngx_uint_t ngx_http_miqps_counters_number(
    ngx_http_miqps_counters_t *counters, ngx_atomic_t *hashes, ngx_uint_t n,
    ngx_str_t *name);
static void ngx_http_miqps_counters_take(ngx_http_miqps_counters_t *counters);


ngx_http_miqps_worker_t *
ngx_http_miqps_counters_block(ngx_http_miqps_counters_t *counters,
    ngx_uint_t i)
{
    return (ngx_http_miqps_worker_t *)
           (counters->blocks + i * counters->sh->size);
}


ngx_http_miqps_zone_counts_t *
ngx_http_miqps_counters_zones(ngx_http_miqps_worker_t *block)
{
    return (ngx_http_miqps_zone_counts_t *) (block + 1);
}


ngx_http_miqps_host_counts_t *
ngx_http_miqps_counters_hosts(ngx_http_miqps_counters_sh_t *sh,
    ngx_http_miqps_worker_t *block)
{
    ngx_http_miqps_zone_counts_t  *zones;

    zones = ngx_http_miqps_counters_zones(block);

    return (ngx_http_miqps_host_counts_t *) (zones + sh->nzones + 1);
}


uint64_t
ngx_http_miqps_counts_requests(const ngx_http_miqps_counts_t *counts)
{
    uint64_t    n;
    ngx_uint_t  i;

    n = 0;

    for (i = 0; i < NGX_HTTP_MIQPS_VERDICTS; i++) {
        n += counts->verdicts[i];
    }

    return n;
}


/* the number of a name, or "n" if there is no place */

static ngx_uint_t
ngx_http_miqps_counters_number(ngx_http_miqps_counters_t *counters,
    ngx_atomic_t *hashes, ngx_uint_t n, ngx_str_t *name)
{
    ngx_uint_t         i, k;
    ngx_atomic_uint_t  hash;

    hash = (ngx_atomic_uint_t) XXH3_64bits_withSeed(name->data, name->len,
                                                    counters->sh->seed);
    hash += (hash == 0);

    for (i = 0; i < n && i < NGX_HTTP_MIQPS_HOSTS_NEAR; i++) {
        k = (hash + i) % n;

        if (hashes[k] == 0) {
            (void) ngx_atomic_cmp_set(&hashes[k], 0, hash);
        }

        if (hashes[k] == hash) {
            return k;
        }
    }

    return n;
}


ngx_uint_t
ngx_http_miqps_counters_zone(ngx_http_miqps_counters_t *counters,
    ngx_str_t *name)
{
    return ngx_http_miqps_counters_number(counters, counters->zones,
                                          counters->sh->nzones, name);
}


ngx_uint_t
ngx_http_miqps_counters_host(ngx_http_miqps_counters_t *counters,
    ngx_str_t *name)
{
    ngx_uint_t                   i;
    ngx_http_miqps_host_name_t  *to;

    i = ngx_http_miqps_counters_number(counters, counters->hosts,
                                       counters->sh->nhosts, name);

    if (i < counters->sh->nhosts && counters->host_names[i].len == 0) {
        to = &counters->host_names[i];

        /* whoever else does it at the same time writes the same */

        ngx_memcpy(to->data, name->data, name->len);
        ngx_memory_barrier();
        to->len = name->len;
    }

    return i;
}


ngx_uint_t
ngx_http_miqps_counters_server(ngx_http_miqps_counters_t *counters,
    ngx_str_t *host)
{
    return counters->names.nelts > 0
           && bsearch(host, counters->names.elts, counters->names.nelts,
                      sizeof(ngx_str_t), ngx_http_miqps_counters_cmp)
              != NULL;
}


int ngx_libc_cdecl
ngx_http_miqps_counters_cmp(const void *one, const void *two)
{
    const ngx_str_t  *a = one, *b = two;

    return (int) ngx_memn2cmp(a->data, b->data, a->len, b->len);
}


void
ngx_http_miqps_counters_join(ngx_cycle_t *cycle)
{
    ngx_uint_t                      i, n;
    ngx_http_miqps_zone_t         **zone;
    ngx_http_miqps_counters_t      *counters;
    ngx_http_miqps_main_conf_t     *mmcf;
    ngx_http_miqps_zone_counts_t   *zones;

    mmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_miqps_module);

    if (mmcf == NULL || mmcf->counters == NULL) {
        return;
    }

    counters = mmcf->counters;

    ngx_http_miqps_counters_take(counters);

    zones = ngx_http_miqps_counters_zones(counters->block);

    if (mmcf->zones != NULL) {
        zone = mmcf->zones->elts;

        for (i = 0; i < mmcf->zones->nelts; i++) {
            n = ngx_http_miqps_counters_zone(counters, &zone[i]->name);
            zones[n].generation = 0;
            zone[i]->counts = &zones[n];
            zone[i]->rules = (n < counters->sh->nzones) ? &counters->rules[n]
                                                        : NULL;
        }
    }

    mmcf->counts = &counters->block->counts;
    mmcf->host_counts = (counters->sh->nhosts > 0);
}


static void
ngx_http_miqps_counters_take(ngx_http_miqps_counters_t *counters)
{
    ngx_atomic_uint_t         nblocks;
    ngx_http_miqps_worker_t  *block;

    do {
        nblocks = counters->sh->nblocks;

        if (nblocks > (ngx_atomic_uint_t) ngx_process_slot) {
            break;
        }

    } while (!ngx_atomic_cmp_set(&counters->sh->nblocks, nblocks,
                                 ngx_process_slot + 1));

    block = ngx_http_miqps_counters_block(counters, ngx_process_slot);

    block->before = ngx_http_miqps_counts_requests(&block->counts);
    block->since = ngx_time();
    block->pid = ngx_pid;

    counters->block = block;
    counters->host_counts = ngx_http_miqps_counters_hosts(counters->sh, block);
}


void
ngx_http_miqps_counters_part(ngx_cycle_t *cycle)
{
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_miqps_module);

    if (mmcf != NULL && mmcf->counters != NULL
        && mmcf->counters->block != NULL)
    {
        mmcf->counters->block->pid = 0;
    }
}
