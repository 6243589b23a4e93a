
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * When maps are loaded: by the master when a configuration is put in force,
 * and by a worker when it sees that the file was replaced.  The worker leaves
 * the work to a thread, if there are threads.
 */

typedef struct {
    ngx_http_miqps_zone_t       *zone;
    ngx_log_t                   *log;
    ngx_http_miqps_load_e        rc;
    u_char                       text[256];
} ngx_http_miqps_load_t;


static void ngx_http_miqps_watch_timer(ngx_event_t *ev);
static void ngx_http_miqps_watch_start(ngx_http_miqps_zone_t *zone,
    ngx_log_t *log);
#if (NGX_THREADS)
static void ngx_http_miqps_watch_thread(void *data, ngx_log_t *log);
static void ngx_http_miqps_watch_done(ngx_event_t *ev);
#endif
static void ngx_http_miqps_watch_report(ngx_http_miqps_load_t *load,
    ngx_log_t *log);


void
ngx_http_miqps_zones_load(ngx_array_t *zones, ngx_log_t *log)
{
    ngx_uint_t               i;
    ngx_http_miqps_load_t    load;
    ngx_http_miqps_zone_t  **zone;

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

        load.zone = zone[i];
        load.rc = ngx_http_miqps_zone_load(zone[i], 1, load.text,
                                           sizeof(load.text));

        ngx_http_miqps_watch_report(&load, log);
    }
}


void
ngx_http_miqps_zone_watch(ngx_http_miqps_zone_t *zone, ngx_cycle_t *cycle)
{
    if (zone->watch == 0) {
        return;
    }

    zone->timer.handler = ngx_http_miqps_watch_timer;
    zone->timer.data = zone;
    zone->timer.log = cycle->log;
    zone->timer.cancelable = 1;

    ngx_add_timer(&zone->timer, zone->watch);
}


static void
ngx_http_miqps_watch_timer(ngx_event_t *ev)
{
    ngx_http_miqps_zone_t  *zone = ev->data;

    if (ngx_exiting || ngx_quit || ngx_terminate
        || zone->reload != zone->sh->reload)
    {
        return;
    }

    /* one of the workers is enough; the others find it done */

    if (!zone->loading && ngx_http_miqps_zone_replaced(zone)) {
        ngx_http_miqps_watch_start(zone, ev->log);
    }

    ngx_add_timer(ev, zone->watch);
}


#if (NGX_THREADS)


static void
ngx_http_miqps_watch_start(ngx_http_miqps_zone_t *zone, ngx_log_t *log)
{
    ngx_thread_task_t      *task;
    ngx_http_miqps_load_t  *load;

    if (zone->task == NULL) {
        task = ngx_thread_task_alloc(ngx_cycle->pool,
                                     sizeof(ngx_http_miqps_load_t));
        if (task == NULL) {
            return;
        }

        load = task->ctx;
        load->zone = zone;
        load->log = log;

        task->handler = ngx_http_miqps_watch_thread;
        task->event.handler = ngx_http_miqps_watch_done;
        task->event.data = load;
        task->event.log = log;

        zone->task = task;
    }

    if (ngx_thread_task_post(zone->pool, zone->task) == NGX_OK) {
        zone->loading = 1;
    }
}


static void
ngx_http_miqps_watch_thread(void *data, ngx_log_t *log)
{
    ngx_http_miqps_load_t  *load = data;

    load->rc = ngx_http_miqps_zone_load(load->zone, 0, load->text,
                                        sizeof(load->text));
}


static void
ngx_http_miqps_watch_done(ngx_event_t *ev)
{
    ngx_http_miqps_load_t  *load = ev->data;

    load->zone->loading = 0;

    ngx_http_miqps_watch_report(load, load->log);
}


#else


static void
ngx_http_miqps_watch_start(ngx_http_miqps_zone_t *zone, ngx_log_t *log)
{
    ngx_http_miqps_load_t  load;

    load.zone = zone;
    load.rc = ngx_http_miqps_zone_load(zone, 0, load.text,
                                       sizeof(load.text));

    ngx_http_miqps_watch_report(&load, log);
}


#endif


static void
ngx_http_miqps_watch_report(ngx_http_miqps_load_t *load, ngx_log_t *log)
{
    ngx_http_miqps_zone_t  *zone;

    zone = load->zone;

    switch (load->rc) {

    case NGX_HTTP_MIQPS_LOAD_OK:
        ngx_log_error(NGX_LOG_NOTICE, log, 0,
                      "miqps zone \"%V\": map \"%V\" is generation %uL",
                      &zone->name, &zone->map, zone->sh->generation);
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
