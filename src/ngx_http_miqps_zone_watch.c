
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * When maps are loaded: by the master when a configuration is put in force,
 * and by a worker when it sees that the file was replaced.
 */


static void ngx_http_miqps_zone_first(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_t *old, ngx_log_t *log);
static ngx_http_miqps_zone_t *ngx_http_miqps_zone_before(
    ngx_cycle_t *old_cycle, ngx_str_t *name);
static ngx_http_miqps_zone_t *ngx_http_miqps_zone_nth(ngx_cycle_t *cycle,
    ngx_uint_t n);
static void ngx_http_miqps_zones_leave(ngx_cycle_t *old_cycle);
static void ngx_http_miqps_watch_timer(ngx_event_t *ev);
static void ngx_http_miqps_watch_done(ngx_http_miqps_load_t *load);


void
ngx_http_miqps_zones_load(ngx_array_t *zones, ngx_cycle_t *cycle)
{
    ngx_uint_t               i, again;
    ngx_http_miqps_zone_t  **zone, *old;

    /* nobody else ends and starts in a single process that is reloaded */

    again = ngx_process == NGX_PROCESS_SINGLE
            && !ngx_is_init_cycle(cycle->old_cycle);

    if (again) {
        ngx_http_miqps_zones_leave(cycle->old_cycle);
    }

    if (zones == NULL) {
        return;
    }

    zone = zones->elts;

    for (i = 0; i < zones->nelts; i++) {
        old = ngx_http_miqps_zone_before(cycle->old_cycle, &zone[i]->name);

        ngx_http_miqps_zone_first(zone[i], old, cycle->log);
    }

    if (again) {
        ngx_http_miqps_zones_start(zones, cycle);
    }
}


/* "old" is the zone of that name before, or NULL; it may be of another size */

static void
ngx_http_miqps_zone_first(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_t *old, ngx_log_t *log)
{
    ngx_http_miqps_load_t  load;

    if (old != NULL && old->sh == zone->sh) {
        old = NULL;
    }

    if (old != NULL) {
        ngx_http_miqps_zone_inherit(zone, old);
    }

    /* workers of the configuration before this one load no more */

    zone->reload = ngx_atomic_fetch_add(&zone->sh->reload, 1) + 1;

    if (zone->map.len == 0) {
        return;
    }

    ngx_memzero(&load, sizeof(ngx_http_miqps_load_t));

    load.zone = zone;
    load.flags = NGX_HTTP_MIQPS_LOAD_ANYWAY|NGX_HTTP_MIQPS_LOAD_WAIT;

    ngx_http_miqps_load_run(&load);

    /* waiting was in vain, and there is no other time */

    if (load.rc == NGX_HTTP_MIQPS_LOAD_BUSY
        || load.rc == NGX_HTTP_MIQPS_LOAD_READ)
    {
        load.rc = NGX_HTTP_MIQPS_LOAD_REFUSED;
    }

    if (old != NULL && zone->sh->current == 0) {
        ngx_http_miqps_zone_adopt(zone, old);
    }

    ngx_http_miqps_load_report(&load, log);
}


static ngx_http_miqps_zone_t *
ngx_http_miqps_zone_before(ngx_cycle_t *old_cycle, ngx_str_t *name)
{
    ngx_uint_t              n;
    ngx_http_miqps_zone_t  *old;

    for (n = 0; /* void */ ; n++) {
        old = ngx_http_miqps_zone_nth(old_cycle, n);

        if (old == NULL
            || (old->name.len == name->len
                && ngx_strncmp(old->name.data, name->data, name->len) == 0))
        {
            return old;
        }
    }
}


/*
 * Zones of an older configuration, whose list of them is reached by no index
 * of ours: the module may not have been there.
 */

static ngx_http_miqps_zone_t *
ngx_http_miqps_zone_nth(ngx_cycle_t *cycle, ngx_uint_t n)
{
    ngx_uint_t        i;
    ngx_shm_zone_t   *shm_zone;
    ngx_list_part_t  *part;

    for (part = &cycle->shared_memory.part; part; part = part->next) {
        shm_zone = part->elts;

        for (i = 0; i < part->nelts; i++) {
            if (shm_zone[i].init == ngx_http_miqps_zone_init && n-- == 0) {
                return shm_zone[i].data;
            }
        }
    }

    return NULL;
}


/* ends what a single process does with the zones of an older configuration */

static void
ngx_http_miqps_zones_leave(ngx_cycle_t *old_cycle)
{
    ngx_uint_t              n;
    ngx_http_miqps_zone_t  *old;

    for (n = 0; /* void */ ; n++) {
        old = ngx_http_miqps_zone_nth(old_cycle, n);

        if (old == NULL) {
            return;
        }

        if (old->timer.timer_set) {
            ngx_del_timer(&old->timer);
        }

        ngx_http_miqps_jobs_abort(old);
    }
}


void
ngx_http_miqps_zones_start(ngx_array_t *zones, ngx_cycle_t *cycle)
{
    ngx_uint_t               i;
    ngx_event_t             *timer;
    ngx_http_miqps_zone_t  **zone;

    if (zones == NULL) {
        return;
    }

    zone = zones->elts;

    for (i = 0; i < zones->nelts; i++) {
        ngx_http_miqps_zone_join(zone[i]);

        if (zone[i]->watch == 0) {
            continue;
        }

        timer = &zone[i]->timer;

        timer->handler = ngx_http_miqps_watch_timer;
        timer->data = zone[i];
        timer->log = cycle->log;
        timer->cancelable = 1;

        ngx_add_timer(timer, zone[i]->watch);
    }
}


void
ngx_http_miqps_zones_stop(ngx_array_t *zones)
{
    ngx_uint_t               i;
    ngx_http_miqps_zone_t  **zone;

    if (zones == NULL) {
        return;
    }

    zone = zones->elts;

    for (i = 0; i < zones->nelts; i++) {
        ngx_http_miqps_jobs_abort(zone[i]);
        ngx_http_miqps_zone_part(zone[i]);
    }
}


static void
ngx_http_miqps_watch_timer(ngx_event_t *ev)
{
    ngx_http_miqps_zone_t  *zone = ev->data;

    ngx_http_miqps_load_t  *load;

    if (ngx_exiting || ngx_quit || ngx_terminate
        || zone->reload != zone->sh->reload)
    {
        return;
    }

    load = &zone->watching;

    /* one of the workers is enough; the others find it done */

    if (load->zone == NULL && ngx_http_miqps_zone_replaced(zone)) {
        ngx_memzero(load, sizeof(ngx_http_miqps_load_t));

        load->zone = zone;

        ngx_http_miqps_job_add(load, ngx_http_miqps_watch_done, ev->log, 0);
    }

    ngx_add_timer(ev, zone->watch);
}


static void
ngx_http_miqps_watch_done(ngx_http_miqps_load_t *load)
{
    ngx_http_miqps_load_report(load, load->log);

    load->zone = NULL;
}


void
ngx_http_miqps_load_report(ngx_http_miqps_load_t *load, ngx_log_t *log)
{
    ngx_uint_t              told, level;
    ngx_http_miqps_zone_t  *zone;

    zone = load->zone;

    told = zone->waiting;
    zone->waiting = 0;

    switch (load->rc) {

    case NGX_HTTP_MIQPS_LOAD_OK:
        ngx_log_error(NGX_LOG_NOTICE, log, 0,
                      "miqps zone \"%V\": map \"%V\" is generation %uL",
                      &zone->name, &zone->map, zone->sh->generation);
        break;

    case NGX_HTTP_MIQPS_LOAD_READ:
        zone->waiting = 1;

        if (!told) {
            ngx_log_error(NGX_LOG_WARN, log, 0,
                          "miqps zone \"%V\": map \"%V\" is not used yet: %s; "
                          "it is tried again", &zone->name, &zone->map,
                          load->text);
        }

        break;

    case NGX_HTTP_MIQPS_LOAD_BACK:
    case NGX_HTTP_MIQPS_LOAD_REFUSED:
        level = (load->rc == NGX_HTTP_MIQPS_LOAD_BACK) ? NGX_LOG_WARN
                                                       : NGX_LOG_ERR;

        ngx_log_error(level, log, 0,
                      "miqps zone \"%V\": map \"%V\" is not used: %s; %s",
                      &zone->name, &zone->map, load->text,
                      (zone->sh->current != 0)
                      ? "the one before it stays"
                      : "requests are served without a map");
        break;

    default: /* NGX_HTTP_MIQPS_LOAD_SAME, NGX_HTTP_MIQPS_LOAD_BUSY */
        break;
    }
}
