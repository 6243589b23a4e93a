
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_int_t ngx_http_miqps_header_filter(ngx_http_request_t *r);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_header_filter_on(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_header_filter_urls(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf);
static ngx_inline miqps_always_inline ngx_int_t
    ngx_http_miqps_header_filter_usual(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_header_filter_more(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf);


#define ngx_http_miqps_is_redirect(r)                                         \
    ((r)->headers_out.status >= NGX_HTTP_MOVED_PERMANENTLY                    \
     && (r)->headers_out.status <= NGX_HTTP_PERMANENT_REDIRECT)


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;


/* what is known only once there is a response */

static ngx_int_t
ngx_http_miqps_header_filter(ngx_http_request_t *r)
{
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);

    if (!mlcf->filtered) {
        return ngx_http_next_header_filter(r);
    }

    return ngx_http_miqps_header_filter_on(r, mlcf);
}


static ngx_int_t
ngx_http_miqps_header_filter_on(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    return ngx_http_miqps_seldom(mlcf->filtered > 1)
           ? ngx_http_miqps_header_filter_urls(r, mlcf)
           : ngx_http_miqps_header_filter_usual(r, mlcf);
}


/* URLs that the response has, and the one that it is of */

static ngx_int_t
ngx_http_miqps_header_filter_urls(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    if (r == r->main && mlcf->response != NGX_HTTP_MIQPS_RESPONSE_OFF
        && ngx_http_miqps_response_headers(r) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (r == r->main && mlcf->canonical_link
        && ngx_http_miqps_canonical(r, mlcf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return (mlcf->mode != NGX_HTTP_MIQPS_OFF)
           ? ngx_http_miqps_header_filter_usual(r, mlcf)
           : ngx_http_next_header_filter(r);
}


/* there is nothing to do, as a rule */

static ngx_inline ngx_int_t
ngx_http_miqps_header_filter_usual(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    ngx_http_miqps_ctx_t  *ctx;

    if (mlcf->mode == NGX_HTTP_MIQPS_LEARN) {
        return (ngx_http_miqps_learn_filter(r) == NGX_OK)
               ? ngx_http_next_header_filter(r) : NGX_ERROR;
    }

    ctx = ngx_http_get_module_ctx(r, ngx_http_miqps_module);

    if (r == r->main && !r->internal
        && (ctx == NULL || (!ctx->ahead && !ctx->away))
        && !ngx_http_miqps_is_redirect(r) && !mlcf->no_vary_search
        && mlcf->headers != NGX_HTTP_MIQPS_HEADERS_RESPONSE)
    {
        return ngx_http_next_header_filter(r);
    }

    return ngx_http_miqps_header_filter_more(r, mlcf);
}


static ngx_int_t
ngx_http_miqps_header_filter_more(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    ngx_http_miqps_ctx_t  *ctx;

    if (r != r->main) {
        ctx = ngx_http_miqps_known(r);

        /* a slice, or so, which has the URL of its parent */

        if (ctx != NULL && (ctx->ahead || ctx->away)
            && r->valid_unparsed_uri)
        {
            ngx_http_miqps_keys_watch(r, ctx);
        }

        return ngx_http_next_header_filter(r);
    }

    if (ngx_http_miqps_is_redirect(r)) {
        ngx_http_miqps_loops_watch(r, mlcf);
    }

    ctx = ngx_http_miqps_known(r);

    if (ctx != NULL) {

        if (ctx->ahead || ctx->away) {
            ngx_http_miqps_keys_watch(r, ctx);
        }

        if (mlcf->no_vary_search
            && ngx_http_miqps_no_vary_search(r, ctx) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    if (mlcf->headers == NGX_HTTP_MIQPS_HEADERS_RESPONSE
        && ngx_http_miqps_headers_response(r) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_next_header_filter(r);
}


void
ngx_http_miqps_filter_init(void)
{
    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_miqps_header_filter;
}
