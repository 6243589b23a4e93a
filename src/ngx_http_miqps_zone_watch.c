
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * When maps are loaded: by the master when a configuration is put in force,
 * and by a worker when it sees that the file was replaced.
 */


static void ngx_http_miqps_zones_hand_over(ngx_array_t *zones,
    ngx_cycle_t *old_cycle);
static void ngx_http_miqps_watch_timer(ngx_event_t *ev);
static void ngx_http_miqps_watch_done(ngx_http_miqps_load_t *load);


void
ngx_http_miqps_zones_load(ngx_array_t *zones, ngx_cycle_t *cycle)
{
    ngx_uint_t               i;
    ngx_http_miqps_load_t    load;
    ngx_http_miqps_zone_t  **zone;

    ngx_http_miqps_zones_hand_over(zones, cycle->old_cycle);

    if (zones == NULL) {
        return;
    }

    zone = zones->elts;

    for (i = 0; i < zones->nelts; i++) {

        /* workers of the configuration before this one load no more */

        zone[i]->reload = ngx_atomic_fetch_add(&zone[i]->sh->reload, 1) + 1;

        if (zone[i]->map.len == 0) {
            continue;
        }

        ngx_memzero(&load, sizeof(ngx_http_miqps_load_t));

        load.zone = zone[i];
        load.flags = NGX_HTTP_MIQPS_LOAD_ANYWAY|NGX_HTTP_MIQPS_LOAD_WAIT;

        ngx_http_miqps_load_run(&load);

        /* waiting was in vain, and there is no other time */

        if (load.rc == NGX_HTTP_MIQPS_LOAD_BUSY
            || load.rc == NGX_HTTP_MIQPS_LOAD_READ)
        {
            load.rc = NGX_HTTP_MIQPS_LOAD_REFUSED;
        }

        ngx_http_miqps_load_report(&load, cycle->log);
    }

    /* nobody else starts them in a single process that was reloaded */

    if (ngx_process == NGX_PROCESS_SINGLE
        && !ngx_is_init_cycle(cycle->old_cycle))
    {
        ngx_http_miqps_zones_start(zones, cycle);
    }
}


/*
 * Zones of the configuration before this one: what they know is handed over to
 * zones of the same name, where these are of another size.  A single process
 * also ends what it does with them.
 */

static void
ngx_http_miqps_zones_hand_over(ngx_array_t *zones, ngx_cycle_t *old_cycle)
{
    ngx_uint_t              i;
    ngx_list_part_t        *part;
    ngx_shm_zone_t         *shm_zone;
    ngx_http_miqps_zone_t  *zone, *old;

    for (part = &old_cycle->shared_memory.part; part; part = part->next) {
        shm_zone = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (shm_zone[i].init != ngx_http_miqps_zone_init) {
                continue;
            }

            old = shm_zone[i].data;
            zone = ngx_http_miqps_zone_find(zones, &old->name);

            if (zone != NULL && zone->sh != old->sh) {
                ngx_http_miqps_zone_inherit(zone, old);
            }

            if (ngx_process != NGX_PROCESS_SINGLE) {
                continue;
            }

            if (old->timer.timer_set) {
                ngx_del_timer(&old->timer);
            }

            ngx_http_miqps_jobs_abort(old);
        }
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
    ngx_uint_t              told;
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
        ngx_log_error(NGX_LOG_WARN, log, 0,
                      "miqps zone \"%V\": map \"%V\" is not used: %s; the one "
                      "before it stays", &zone->name, &zone->map, load->text);
        break;

    case NGX_HTTP_MIQPS_LOAD_REFUSED:
        ngx_log_error(NGX_LOG_ERR, log, 0,
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
