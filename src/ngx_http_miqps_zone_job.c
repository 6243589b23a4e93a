
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * Files that a worker loads while it serves.  Jobs of a zone stand in a queue,
 * and the first one goes on: in a thread, or a step with each event of its
 * timer.  The timer of what a thread does only keeps the worker from exiting.
 */


static void ngx_http_miqps_job_start(ngx_http_miqps_load_t *load);
static void ngx_http_miqps_job_timer(ngx_event_t *ev);
static void ngx_http_miqps_job_end(ngx_http_miqps_load_t *load);
#if (NGX_THREADS)
static void ngx_http_miqps_job_thread(void *data, ngx_log_t *log);
static void ngx_http_miqps_job_event(ngx_event_t *ev);
#endif


/* milliseconds */

#define NGX_HTTP_MIQPS_JOB_STEP   1
#define NGX_HTTP_MIQPS_JOB_PAUSE  2
#define NGX_HTTP_MIQPS_JOB_WAIT   100


void
ngx_http_miqps_job_add(ngx_http_miqps_load_t *load,
    ngx_http_miqps_load_pt handler, ngx_log_t *log, ngx_uint_t wait)
{
    ngx_uint_t              first;
    ngx_http_miqps_zone_t  *zone;

    zone = load->zone;

    load->handler = handler;
    load->log = log;

    load->timer.handler = ngx_http_miqps_job_timer;
    load->timer.data = load;
    load->timer.log = log;
    load->timer.cancelable = !wait;

    first = ngx_queue_empty(&zone->jobs);
    ngx_queue_insert_tail(&zone->jobs, &load->queue);

    if (first) {
        ngx_http_miqps_job_start(load);
    }
}


/*
 * There are no threads any more in a single process that was reloaded: nginx
 * starts them when processes start.
 */

static void
ngx_http_miqps_job_start(ngx_http_miqps_load_t *load)
{
#if (NGX_THREADS)
    if (load->zone->pool != NULL && ngx_process == NGX_PROCESS_WORKER) {

        load->task.ctx = load;
        load->task.handler = ngx_http_miqps_job_thread;
        load->task.event.handler = ngx_http_miqps_job_event;
        load->task.event.data = load;
        load->task.event.log = load->log;

        if (ngx_thread_task_post(load->zone->pool, &load->task) == NGX_OK) {
            load->threaded = 1;

            if (!load->timer.cancelable) {
                ngx_add_timer(&load->timer, NGX_HTTP_MIQPS_JOB_WAIT);
            }

            return;
        }
    }
#endif

    ngx_add_timer(&load->timer, NGX_HTTP_MIQPS_JOB_STEP);
}


static void
ngx_http_miqps_job_timer(ngx_event_t *ev)
{
    ngx_http_miqps_load_t  *load = ev->data;

    if (load->threaded) {
        ngx_add_timer(ev, NGX_HTTP_MIQPS_JOB_WAIT);
        return;
    }

    switch (ngx_http_miqps_load_step(load)) {

    case NGX_AGAIN:
        ngx_add_timer(ev, NGX_HTTP_MIQPS_JOB_STEP);
        break;

    case NGX_BUSY:
        ngx_add_timer(ev, NGX_HTTP_MIQPS_JOB_PAUSE);
        break;

    default: /* NGX_DONE */
        ngx_http_miqps_job_end(load);
        break;
    }
}


/* the handler may free the job */

static void
ngx_http_miqps_job_end(ngx_http_miqps_load_t *load)
{
    ngx_queue_t            *next;
    ngx_http_miqps_zone_t  *zone;

    zone = load->zone;

    if (load->timer.timer_set) {
        ngx_del_timer(&load->timer);
    }

    ngx_queue_remove(&load->queue);

    if (!ngx_queue_empty(&zone->jobs)) {
        next = ngx_queue_head(&zone->jobs);

        ngx_http_miqps_job_start(ngx_queue_data(next, ngx_http_miqps_load_t,
                                                queue));
    }

    load->handler(load);
}


#if (NGX_THREADS)


static void
ngx_http_miqps_job_thread(void *data, ngx_log_t *log)
{
    ngx_http_miqps_load_run(data);
}


static void
ngx_http_miqps_job_event(ngx_event_t *ev)
{
    ngx_http_miqps_job_end(ev->data);
}


#endif


/* their timers find them at their end */

void
ngx_http_miqps_jobs_abort(ngx_http_miqps_zone_t *zone)
{
    ngx_queue_t            *q;
    ngx_http_miqps_load_t  *load;

    for (q = ngx_queue_head(&zone->jobs);
         q != ngx_queue_sentinel(&zone->jobs);
         q = ngx_queue_next(q))
    {
        load = ngx_queue_data(q, ngx_http_miqps_load_t, queue);

        if (!load->threaded) {
            ngx_http_miqps_load_abort(load);
        }
    }
}
