
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_status.h"


static ngx_int_t ngx_http_miqps_status_zones(ngx_http_request_t *r,
    ngx_http_miqps_main_conf_t *mmcf, ngx_http_miqps_status_t *status);
static ngx_int_t ngx_http_miqps_status_rules(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_http_miqps_zone_status_t *to);
static ngx_int_t ngx_http_miqps_status_rules_of(ngx_http_request_t *r,
    miqps_image_t *image, uint64_t generation,
    ngx_http_miqps_rule_counts_t *counts, ngx_array_t *rules);
static void ngx_http_miqps_status_zone(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_status_t *to);
static void ngx_http_miqps_status_image(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_status_t *to);
static ngx_int_t ngx_http_miqps_status_worker(ngx_http_request_t *r,
    ngx_http_miqps_counters_t *counters, ngx_http_miqps_worker_t *block,
    ngx_http_miqps_status_t *status);
static ngx_int_t ngx_http_miqps_status_hosts(ngx_http_request_t *r,
    ngx_http_miqps_counters_t *counters, ngx_http_miqps_status_t *status);
static void ngx_http_miqps_status_add(void *to, void *from, size_t size);


/* all counters of a struct, which has nothing else */

#define ngx_http_miqps_status_sum(to, from)                                   \
    ngx_http_miqps_status_add(to, from, sizeof(*(to)))


#define ngx_http_miqps_zone_number(key, name, help, field, gauge)             \
    { key, name, help, offsetof(ngx_http_miqps_zone_status_t, field), gauge }

const ngx_http_miqps_number_t  ngx_http_miqps_zone_numbers[] = {
    ngx_http_miqps_zone_number("generation", "zone_generation",
        "Number of the map in use.", generation, 1),
    ngx_http_miqps_zone_number("image_generation", "zone_image_generation",
        "Number that the image was published as.", image_generation, 1),
    ngx_http_miqps_zone_number("image_time", "zone_image_time_seconds",
        "Time of the run that the image comes from.", image_time, 1),
    ngx_http_miqps_zone_number("since", "zone_since_seconds",
        "Time since which the map has been in use.", since, 1),
    ngx_http_miqps_zone_number("age", "zone_age_seconds",
        "Seconds for which the map has been in use.", age, 1),
    ngx_http_miqps_zone_number("hosts", "zone_hosts",
        "Hosts of the map.", hosts, 1),
    ngx_http_miqps_zone_number("patterns", "zone_patterns",
        "Patterns of the map.", patterns, 1),
    ngx_http_miqps_zone_number("names", "zone_names",
        "Names of parameters of the map.", names, 1),
    ngx_http_miqps_zone_number("size", "zone_image_bytes",
        "Bytes of the map.", size, 1),
    ngx_http_miqps_zone_number("room", "zone_slot_bytes",
        "Bytes that a map may have.", room, 1),
    ngx_http_miqps_zone_number("memory", "zone_bytes",
        "Bytes of the zone.", memory, 1),
    ngx_http_miqps_zone_number("slots", "zone_slots_used",
        "Slots of the zone that hold a map, of three.", slots, 1),
    ngx_http_miqps_zone_number("previous", "zone_previous_generation",
        "Number of the map that a rollback goes to.", previous, 1),
    ngx_http_miqps_zone_number("rolled_back", "zone_rolled_back",
        "Maps that were rolled back and are not loaded again.", rolled_back,
        1),
    ngx_http_miqps_zone_number("swaps", "zone_swaps_total",
        "Maps that were put in use.", swaps, 0),
    ngx_http_miqps_zone_number("refused", "zone_refused_total",
        "Files that were refused.", refused, 0),
    ngx_http_miqps_zone_number("skipped", "zone_skipped_total",
        "Times that a file was left, since it was rolled back.", skipped, 0),
    { NULL, NULL, NULL, 0, 0 }
};


#define ngx_http_miqps_map_number(key, name, help, field)                     \
    { key, name, help, offsetof(ngx_http_miqps_zone_counts_t, field), 0 }

const ngx_http_miqps_number_t  ngx_http_miqps_map_numbers[] = {
    ngx_http_miqps_map_number("lookups", "map_lookups_total",
        "Requests that a map was asked about.", lookups),
    ngx_http_miqps_map_number("host_hits", "map_host_hits_total",
        "Of these, requests whose host it has.", hosts),
    ngx_http_miqps_map_number("hits", "map_hits_total",
        "Of these, requests whose names it has.", known),
    ngx_http_miqps_map_number("stripped", "map_stripped_total",
        "Of these, requests that it took something of.", stripped),
    ngx_http_miqps_map_number("strips", "map_strips_total",
        "Parameters that it took.", strips),
    ngx_http_miqps_map_number("moved", "map_moved_total",
        "Requests that a path rule was applied to.", moved),
    ngx_http_miqps_map_number("bypassed", "map_bypassed_total",
        "Requests that it was not asked about, as they were private.",
        bypassed),
    { NULL, NULL, NULL, 0, 0 }
};


#define ngx_http_miqps_host_number(key, name, help, field)                    \
    { key, name, help, offsetof(ngx_http_miqps_host_counts_t, field), 0 }

const ngx_http_miqps_number_t  ngx_http_miqps_host_numbers[] = {
    ngx_http_miqps_host_number("requests", "host_requests_total",
        "Requests by host.", requests),
    ngx_http_miqps_host_number("stripped", "host_stripped_total",
        "Requests that lost parameters, by host.", stripped),
    ngx_http_miqps_host_number("known", "host_known_total",
        "Requests whose names a map has, by host.", known),
    ngx_http_miqps_host_number("redirects", "host_redirects_total",
        "Redirects that are not to clean URLs, by host.", redirects),
    ngx_http_miqps_host_number("4xx", "host_4xx_total",
        "Requests that were refused, by host.", refused),
    ngx_http_miqps_host_number("5xx", "host_5xx_total",
        "Requests that failed, by host.", failed),
    ngx_http_miqps_host_number("upstream", "host_upstream_total",
        "Answers of upstreams, by host.", upstream),
    ngx_http_miqps_host_number("upstream_ms",
        "host_upstream_milliseconds_total",
        "Milliseconds that these took, by host.", upstream_ms),
    { NULL, NULL, NULL, 0, 0 }
};


ngx_int_t
ngx_http_miqps_status_read(ngx_http_request_t *r,
    ngx_http_miqps_status_t *status)
{
    ngx_uint_t                   i, n;
    ngx_http_miqps_counters_t   *counters;
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_get_module_main_conf(r, ngx_http_miqps_module);
    counters = mmcf->counters;

    ngx_memzero(status, sizeof(ngx_http_miqps_status_t));

    status->time = ngx_time();
    status->since = counters->sh->since;
    status->max_hosts = counters->sh->nhosts;

    if (ngx_http_miqps_status_zones(r, mmcf, status) != NGX_OK
        || ngx_http_miqps_status_hosts(r, counters, status) != NGX_OK
        || ngx_array_init(&status->workers, r->pool, 8,
                          sizeof(ngx_http_miqps_worker_status_t))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    n = counters->sh->nblocks;

    for (i = 0; i < n; i++) {
        if (ngx_http_miqps_status_worker(r, counters,
                ngx_http_miqps_counters_block(counters, i), status)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_status_zones(ngx_http_request_t *r,
    ngx_http_miqps_main_conf_t *mmcf, ngx_http_miqps_status_t *status)
{
    ngx_uint_t                      i, n;
    ngx_http_miqps_zone_t         **zone;
    ngx_http_miqps_zone_status_t   *to;

    n = (mmcf->zones != NULL) ? mmcf->zones->nelts : 0;

    if (ngx_array_init(&status->zones, r->pool, n + 1,
                       sizeof(ngx_http_miqps_zone_status_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (n == 0) {
        return NGX_OK;
    }

    zone = mmcf->zones->elts;
    to = ngx_array_push_n(&status->zones, n);

    if (to == NULL) {
        return NGX_ERROR;
    }

    ngx_memzero(to, n * sizeof(ngx_http_miqps_zone_status_t));

    for (i = 0; i < n; i++) {
        to[i].number = ngx_http_miqps_counters_zone(mmcf->counters,
                                                    &zone[i]->name);
        ngx_http_miqps_status_zone(zone[i], &to[i]);

        if (ngx_http_miqps_status_rules(r, zone[i], &to[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* those of the map that is current */

static ngx_int_t
ngx_http_miqps_status_rules(ngx_http_request_t *r, ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_status_t *to)
{
    ngx_int_t                      rc;
    miqps_image_t                 *image;
    ngx_http_miqps_rule_counts_t  *counts;

    if (ngx_array_init(&to->rules, r->pool, 4,
                       sizeof(ngx_http_miqps_rule_status_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    counts = zone->rules;
    image = (counts != NULL) ? ngx_http_miqps_zone_enter(zone) : NULL;

    if (image == NULL) {
        return NGX_OK;
    }

    rc = ngx_http_miqps_status_rules_of(r, image,
                                        ngx_http_miqps_zone_generation(zone),
                                        counts, &to->rules);

    ngx_http_miqps_zone_leave(zone);

    return rc;
}


static ngx_int_t
ngx_http_miqps_status_rules_of(ngx_http_request_t *r, miqps_image_t *image,
    uint64_t generation, ngx_http_miqps_rule_counts_t *counts,
    ngx_array_t *rules)
{
    uint64_t                       key;
    ngx_uint_t                     i;
    miqps_host_t                   host;
    ngx_http_miqps_rule_status_t  *rule;

    for (i = 0; i < NGX_HTTP_MIQPS_COUNT_RULES; i++) {
        key = counts->rules[i].rule;

        /* what another map has left says nothing of this one */

        if ((key & 0xffff) == 0
            || key >> 48 != (generation & 0xffff)
            || counts->generation != generation)
        {
            continue;
        }

        rule = ngx_array_push(rules);
        if (rule == NULL) {
            return NGX_ERROR;
        }

        miqps_image_host(&host, image->section[MIQPS_SECTION_HOSTS].data
                                + (uint32_t) (key >> 16));

        rule->number = key & 0xffff;
        rule->requests = counts->rules[i].requests;
        rule->host.len = host.host.len;
        rule->host.data = ngx_pnalloc(r->pool, host.host.len);

        if (rule->host.data == NULL) {
            return NGX_ERROR;
        }

        ngx_memcpy(rule->host.data, host.host.data, host.host.len);
    }

    return NGX_OK;
}


static void
ngx_http_miqps_status_zone(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_status_t *to)
{
    time_t                        now;
    ngx_uint_t                    i;
    ngx_http_miqps_zone_sh_t     *sh;
    ngx_http_miqps_zone_state_t   state;

    sh = zone->sh;

    to->name = zone->name;
    to->map = zone->map;
    to->off = (sh->off != 0);
    to->room = sh->room;
    to->memory = zone->shm_zone->shm.size;

    if (to->map.len == 0) {
        ngx_str_set(&to->map, "");
    }

    ngx_http_miqps_zone_state(zone, &state);

    to->previous = state.previous.generation;
    to->rolled_back = state.nback;
    to->swaps = state.swaps;
    to->refused = state.refused;
    to->skipped = state.skipped;

    ngx_cpystrn(to->reason, sh->reason, sizeof(to->reason));

    for (i = 0; i < NGX_HTTP_MIQPS_SLOTS; i++) {
        to->slots += (sh->slots[i].generation != 0);
    }

    ngx_http_miqps_status_image(zone, to);

    now = ngx_time();

    if (to->generation != 0 && (uint64_t) now > to->since) {
        to->age = now - to->since;
    }
}


/*
 * What is current stays as it is until something else is current, so that it
 * was read as a whole if it is still current behind that; also where the map
 * is off, and there is nothing to enter.
 */

static void
ngx_http_miqps_status_image(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_status_t *to)
{
    miqps_image_t              image;
    ngx_atomic_uint_t          current;
    ngx_http_miqps_slot_t      slot;
    ngx_http_miqps_zone_sh_t  *sh;

    sh = zone->sh;

    do {
        current = sh->current;

        if (current == 0) {
            return;
        }

        __sync_synchronize();

        slot = sh->slots[(current & 3) - 1];

        miqps_image_use(&image,
                        zone->slots + ((current & 3) - 1) * sh->room);

        __sync_synchronize();

    } while (sh->current != current);

    to->generation = current >> 2;
    to->since = slot.since;
    to->size = slot.size;
    to->image_generation = image.generation;
    to->image_time = image.time;
    to->hosts = image.nhosts;
    to->patterns = image.npatterns;
    to->names = image.nnames;

    ngx_memcpy(to->checksum, slot.checksum, MIQPS_IMAGE_CHECKSUM);
}


/* counts are of all that had the block, the process is the last of them */

static ngx_int_t
ngx_http_miqps_status_worker(ngx_http_request_t *r,
    ngx_http_miqps_counters_t *counters, ngx_http_miqps_worker_t *block,
    ngx_http_miqps_status_t *status)
{
    ngx_uint_t                       i, n;
    ngx_http_miqps_zone_counts_t    *zones;
    ngx_http_miqps_zone_status_t    *zone;
    ngx_http_miqps_worker_status_t  *worker;

    ngx_http_miqps_status_sum(&status->counts, &block->counts);

    zones = ngx_http_miqps_counters_zones(block);
    zone = status->zones.elts;
    n = status->zones.nelts;

    for (i = 0; i < n; i++) {
        ngx_http_miqps_status_sum(&zone[i].counts, &zones[zone[i].number]);
        ngx_http_miqps_status_sum(&status->map, &zones[zone[i].number]);
    }

    if (block->pid == 0
        || (kill((pid_t) block->pid, 0) == -1 && ngx_errno == NGX_ESRCH))
    {
        return NGX_OK;
    }

    worker = ngx_array_push(&status->workers);
    if (worker == NULL) {
        return NGX_ERROR;
    }

    worker->pid = block->pid;
    worker->since = block->since;
    worker->requests = ngx_http_miqps_counts_requests(&block->counts)
                       - block->before;

    worker->generations = ngx_palloc(r->pool, (n + 1) * sizeof(uint64_t));
    if (worker->generations == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < n; i++) {
        worker->generations[i] = zones[zone[i].number].generation;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_status_hosts(ngx_http_request_t *r,
    ngx_http_miqps_counters_t *counters, ngx_http_miqps_status_t *status)
{
    ngx_uint_t                     i, k, n, nblocks;
    ngx_http_miqps_host_counts_t  *counts, *sum;
    ngx_http_miqps_host_status_t  *host;

    n = counters->sh->nhosts;
    nblocks = counters->sh->nblocks;

    if (ngx_array_init(&status->hosts, r->pool, 16,
                       sizeof(ngx_http_miqps_host_status_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (i = 0; i <= n; i++) {

        sum = &status->other;

        if (i < n) {

            if (counters->host_names[i].len == 0) {
                continue;
            }

            host = ngx_array_push(&status->hosts);
            if (host == NULL) {
                return NGX_ERROR;
            }

            ngx_memzero(host, sizeof(ngx_http_miqps_host_status_t));

            ngx_memory_barrier();

            host->name.data = counters->host_names[i].data;
            host->name.len = counters->host_names[i].len;
            sum = &host->counts;
        }

        for (k = 0; k < nblocks; k++) {
            counts = ngx_http_miqps_counters_hosts(counters->sh,
                         ngx_http_miqps_counters_block(counters, k));
            ngx_http_miqps_status_sum(sum, &counts[i]);
        }
    }

    return NGX_OK;
}


static void
ngx_http_miqps_status_add(void *to, void *from, size_t size)
{
    size_t              i;
    uint64_t           *sum;
    volatile uint64_t  *counts;

    sum = to;
    counts = from;

    for (i = 0; i < size / sizeof(uint64_t); i++) {
        sum[i] += counts[i];
    }
}
