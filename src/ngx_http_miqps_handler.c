
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_handle(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf);
static ngx_int_t ngx_http_miqps_rewrite(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_redirect(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx);


ngx_int_t
ngx_http_miqps_handler(ngx_http_request_t *r)
{
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);

    /* a subrequest has the bytes of its parent, which had its turn */

    if (mlcf->mode == NGX_HTTP_MIQPS_OFF || r != r->main) {
        return NGX_DECLINED;
    }

    return ngx_http_miqps_handle(r, mlcf);
}


static ngx_int_t
ngx_http_miqps_handle(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf)
{
    ngx_http_miqps_ctx_t      *ctx;
    ngx_http_miqps_verdict_e   verdict;

    if (mlcf->mode == NGX_HTTP_MIQPS_LEARN) {
        return ngx_http_miqps_learn_handler(r);
    }

    ctx = ngx_http_miqps_known(r);

    if (ctx != NULL && ctx->taken) {
        return NGX_DECLINED;
    }

    if (ngx_http_miqps_headers_clear(r) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (mlcf->mode != NGX_HTTP_MIQPS_ANNOTATE) {
        verdict = ngx_http_miqps_eligible(r, mlcf);

        if (verdict == NGX_HTTP_MIQPS_CLEAN) {
            ctx = ngx_http_miqps_target(r, mlcf, ctx);

        } else {
            ngx_http_miqps_count(r, mlcf, ctx, verdict, NULL, NULL);
            ctx = NULL;
        }

        if (ctx != NULL && mlcf->mode == NGX_HTTP_MIQPS_REDIRECT) {
            return ngx_http_miqps_redirect(r, ctx);
        }

        if (ctx != NULL && ngx_http_miqps_rewrite(r, mlcf, ctx) != NGX_OK) {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    if (mlcf->headers != NGX_HTTP_MIQPS_HEADERS_OFF
        && ngx_http_miqps_headers_request(r) != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return NGX_DECLINED;
}


/*
 * nginx takes the request line for the upstream, the default key of a cache
 * and $request_uri from unparsed_uri, and $args from args.  The flag that
 * unparsed_uri is valid stays as it is: without it the path would be made
 * again from its decoded form.
 */

static ngx_int_t
ngx_http_miqps_rewrite(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_ctx_t *ctx)
{
    ngx_http_variable_value_t  *v;

    if (ctx->moved && ngx_http_miqps_paths_take(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    r->unparsed_uri = ctx->target;
    r->args = ctx->clean;

    /* a "map" or "if" may have read it */

    v = &r->variables[mlcf->main->request_uri];

    v->valid = 0;
    v->not_found = 0;

    ctx->taken = 1;

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "miqps rewrite: \"%V\" to \"%V\"", &ctx->sent, &ctx->target);

    return NGX_OK;
}


/* from raw bytes only: decoded ones could hold the end of a line */

static ngx_int_t
ngx_http_miqps_redirect(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx)
{
    ngx_table_elt_t  *location;

    ngx_http_clear_location(r);

    location = ngx_list_push(&r->headers_out.headers);
    if (location == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    location->hash = 1;
#if (nginx_version >= 1023000)
    location->next = NULL;
#endif
    ngx_str_set(&location->key, "Location");
    location->value = ctx->target;

    if (ctx->other.len > 0
        && ngx_http_miqps_url(r, &ctx->other, &ctx->target, &location->value)
           != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.location = location;

    ctx->taken = 1;
    ctx->conf->main->counts->redirects++;

    if (ctx->conf->main->host_counts) {
        ngx_http_miqps_reply_own(r);
    }

    return ctx->conf->status;
}
