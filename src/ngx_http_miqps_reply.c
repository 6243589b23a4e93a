
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * A request that was counted for its host waits for its answer, which is
 * counted in the log phase.  It is found in the request's pool, as contexts
 * are, whatever internal redirects came between.
 */

typedef struct {
    ngx_pool_cleanup_t             cleanup;   /* by which it is found */
    ngx_http_miqps_host_counts_t  *counts;
    ngx_uint_t                     own;       /* it is our redirect */
} ngx_http_miqps_reply_t;


/* what its cleanup points to; contexts and marks point to other members */

#define NGX_HTTP_MIQPS_REPLY  ((void *) &ngx_http_miqps_module.version)


static ngx_http_miqps_reply_t *ngx_http_miqps_reply_find(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_reply_handler(ngx_http_request_t *r);
static void ngx_http_miqps_reply_upstream(ngx_http_request_t *r,
    ngx_http_miqps_host_counts_t *counts);


void
ngx_http_miqps_reply_await(ngx_http_request_t *r,
    ngx_http_miqps_host_counts_t *counts)
{
    ngx_http_miqps_reply_t  *reply;

    reply = ngx_palloc(r->pool, sizeof(ngx_http_miqps_reply_t));

    if (reply == NULL) {
        return;
    }

    reply->cleanup.handler = NULL;
    reply->cleanup.data = NGX_HTTP_MIQPS_REPLY;
    reply->cleanup.next = r->pool->cleanup;
    reply->counts = counts;
    reply->own = 0;

    r->pool->cleanup = &reply->cleanup;
}


void
ngx_http_miqps_reply_own(ngx_http_request_t *r)
{
    ngx_http_miqps_reply_t  *reply;

    reply = ngx_http_miqps_reply_find(r);

    if (reply != NULL) {
        reply->own = 1;
    }
}


static ngx_http_miqps_reply_t *
ngx_http_miqps_reply_find(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t  *cln;

    for (cln = r->pool->cleanup; cln != NULL; cln = cln->next) {
        if (cln->data == NGX_HTTP_MIQPS_REPLY) {
            return (ngx_http_miqps_reply_t *)
                   ((u_char *) cln - offsetof(ngx_http_miqps_reply_t,
                                              cleanup));
        }
    }

    return NULL;
}


static ngx_int_t
ngx_http_miqps_reply_handler(ngx_http_request_t *r)
{
    ngx_uint_t               status;
    ngx_http_miqps_reply_t  *reply;

    reply = ngx_http_miqps_reply_find(r);

    if (reply == NULL) {
        return NGX_OK;
    }

    status = r->err_status ? r->err_status : r->headers_out.status;

    switch (status) {

    case NGX_HTTP_MOVED_PERMANENTLY:
    case NGX_HTTP_MOVED_TEMPORARILY:
    case NGX_HTTP_SEE_OTHER:
    case NGX_HTTP_TEMPORARY_REDIRECT:
    case NGX_HTTP_PERMANENT_REDIRECT:
        reply->counts->redirects += !reply->own;
        break;

    /* the client did not wait */

    case NGX_HTTP_CLIENT_CLOSED_REQUEST:
        break;

    default:
        reply->counts->refused += (status >= 400 && status < 500);
        reply->counts->failed += (status >= 500);
    }

    if (r->upstream_states != NULL) {
        ngx_http_miqps_reply_upstream(r, reply->counts);
    }

    return NGX_OK;
}


/* one answer, however many servers were asked for it */

static void
ngx_http_miqps_reply_upstream(ngx_http_request_t *r,
    ngx_http_miqps_host_counts_t *counts)
{
    ngx_uint_t                  i, answered;
    ngx_http_upstream_state_t  *state;

    answered = 0;
    state = r->upstream_states->elts;

    for (i = 0; i < r->upstream_states->nelts; i++) {
        if (state[i].peer != NULL
            && state[i].response_time != (ngx_msec_t) -1)
        {
            answered = 1;
            counts->upstream_ms += state[i].response_time;
        }
    }

    counts->upstream += answered;
}


ngx_int_t
ngx_http_miqps_reply_init(ngx_conf_t *cf)
{
    ngx_http_handler_pt        *h;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_LOG_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_miqps_reply_handler;

    return NGX_OK;
}
