
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * What was decided is not kept with the request, for most are never asked
 * about: it is decided once more.
 */


/* all layers, with commas */

#define NGX_HTTP_MIQPS_LAYERS_LEN                                             \
    (sizeof("default,operator,rules,platform,regex,map,tracking,guard,paths") \
     - 1)


static ngx_int_t ngx_http_miqps_report_params(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, size_t *n);
static ngx_int_t ngx_http_miqps_report_names(ngx_http_request_t *r,
    miqps_param_t *params, size_t n, ngx_int_t action, ngx_str_t *value);
static ngx_int_t ngx_http_miqps_report_pattern(ngx_http_request_t *r,
    miqps_param_t *params, size_t n, ngx_str_t *value);
static int ngx_libc_cdecl ngx_http_miqps_report_cmp(const void *one,
    const void *two);
static ngx_int_t ngx_http_miqps_report_layers(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, size_t n, ngx_str_t *value);


static ngx_str_t  ngx_http_miqps_verdicts[] = {
    ngx_string("clean"),
    ngx_string("stripped"),
    ngx_string("normalized"),
    ngx_string("moved"),
    ngx_string("opaque"),
    ngx_string("method"),
    ngx_string("body"),
    ngx_string("upgrade"),
    ngx_string("loop"),
    ngx_string("path"),
    ngx_string("args"),
    ngx_string("error-page"),
    ngx_string("off")
};


const char *
ngx_http_miqps_verdict_name(ngx_http_miqps_verdict_e verdict)
{
    return (const char *) ngx_http_miqps_verdicts[verdict].data;
}


ngx_int_t
ngx_http_miqps_verdict(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    ngx_str_t *value)
{
    u_char      *p;
    const char  *reason;

    *value = ngx_http_miqps_verdicts[ctx->verdict];

    if (ctx->verdict != NGX_HTTP_MIQPS_OPAQUE) {
        return NGX_OK;
    }

    reason = miqps_guard_name(ctx->guard);

    p = ngx_pnalloc(r->pool, value->len + sizeof(":") - 1
                             + ngx_strlen(reason));
    if (p == NULL) {
        return NGX_ERROR;
    }

    value->len = ngx_sprintf(p, "%V:%s", value, reason) - p;
    value->data = p;

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_generation(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    ngx_str_t *value)
{
    value->data = ngx_pnalloc(r->pool, NGX_INT64_LEN);
    if (value->data == NULL) {
        return NGX_ERROR;
    }

    value->len = ngx_sprintf(value->data, "%uL", ctx->generation)
                 - value->data;

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_report(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    ngx_http_miqps_list_e list, ngx_str_t *value)
{
    size_t          n;
    miqps_param_t  *params;

    ngx_str_null(value);

    if (ctx->args.len == 0 && ctx->moved
        && list == NGX_HTTP_MIQPS_LIST_LAYER)
    {
        return ngx_http_miqps_report_layers(r, ctx, 0, value);
    }

    if (ctx->args.len == 0 || ctx->verdict == NGX_HTTP_MIQPS_IS_OFF) {
        return NGX_OK;
    }

    if (ngx_http_miqps_report_params(r, ctx, &n) != NGX_OK) {
        return NGX_ERROR;
    }

    params = ctx->conf->main->work->params;

    switch (list) {

    case NGX_HTTP_MIQPS_LIST_STRIPPED:
        return ngx_http_miqps_report_names(r, params, n, MIQPS_STRIP, value);

    case NGX_HTTP_MIQPS_LIST_KEPT:
        return ngx_http_miqps_report_names(r, params, n, MIQPS_KEEP, value);

    case NGX_HTTP_MIQPS_LIST_PATTERN:
        return ngx_http_miqps_report_pattern(r, params, n, value);

    default: /* NGX_HTTP_MIQPS_LIST_LAYER */
        return ngx_http_miqps_report_layers(r, ctx, n, value);
    }
}


/* leaves the parameters in main->work, with verdicts where there are any */

static ngx_int_t
ngx_http_miqps_report_params(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    size_t *n)
{
    miqps_str_t                  args;
    miqps_result_t               res;
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ctx->conf->main;

    switch (ctx->verdict) {

    case NGX_HTTP_MIQPS_CLEAN:
    case NGX_HTTP_MIQPS_STRIPPED:
    case NGX_HTTP_MIQPS_NORMALIZED:
    case NGX_HTTP_MIQPS_MOVED:

        if (ngx_http_miqps_again(r, ctx, &res) != NGX_OK) {
            return NGX_ERROR;
        }

        *n = res.nparams;

        return NGX_OK;

    default:
        break;
    }

    args.data = ctx->args.data;
    args.len = ctx->args.len;

    *n = miqps_query_pieces(&args, mmcf->work->params);

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_report_names(ngx_http_request_t *r, miqps_param_t *params,
    size_t n, ngx_int_t action, ngx_str_t *value)
{
    u_char  *p;
    size_t   i, len;

    len = 0;

    for (i = 0; i < n; i++) {
        if (params[i].action == action) {
            len += params[i].name_len + sizeof("&") - 1;
        }
    }

    if (len == 0) {
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    value->data = p;

    for (i = 0; i < n; i++) {
        if (params[i].action == action) {
            p = ngx_cpymem(p, params[i].name, params[i].name_len);
            *p++ = '&';
        }
    }

    value->len = len - 1;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_report_pattern(ngx_http_request_t *r, miqps_param_t *params,
    size_t n, ngx_str_t *value)
{
    size_t  i, kept;

    ngx_qsort(params, n, sizeof(miqps_param_t), ngx_http_miqps_report_cmp);

    kept = 0;

    for (i = 0; i < n; i++) {

        if (kept > 0
            && ngx_http_miqps_report_cmp(&params[kept - 1], &params[i]) == 0)
        {
            continue;
        }

        params[kept] = params[i];
        params[kept].action = MIQPS_KEEP;
        kept++;
    }

    return ngx_http_miqps_report_names(r, params, kept, MIQPS_KEEP, value);
}


static int ngx_libc_cdecl
ngx_http_miqps_report_cmp(const void *one, const void *two)
{
    const miqps_param_t  *a = one;
    const miqps_param_t  *b = two;

    return (int) ngx_memn2cmp((u_char *) a->name, (u_char *) b->name,
                              a->name_len, b->name_len);
}


static ngx_int_t
ngx_http_miqps_report_layers(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    size_t n, ngx_str_t *value)
{
    u_char         *p, *last;
    size_t          i;
    ngx_uint_t      layers, layer;
    miqps_param_t  *params;

    layers = (ctx->verdict == NGX_HTTP_MIQPS_OPAQUE) ? 1 << MIQPS_LAYER_GUARD
                                                     : 0;
    params = ctx->conf->main->work->params;

    for (i = 0; i < n; i++) {
        if (params[i].action == MIQPS_STRIP) {
            layers |= 1 << params[i].layer;
        }
    }

    if (layers == 0 && !ctx->moved) {
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, NGX_HTTP_MIQPS_LAYERS_LEN);
    if (p == NULL) {
        return NGX_ERROR;
    }

    value->data = p;
    last = p + NGX_HTTP_MIQPS_LAYERS_LEN;

    for (layer = 0; layer < MIQPS_LAYER_MAX; layer++) {
        if (layers & (1 << layer)) {
            p = ngx_slprintf(p, last, "%s%s", (p > value->data) ? "," : "",
                             miqps_layer_name(layer));
        }
    }

    if (ctx->moved) {
        p = ngx_slprintf(p, last, "%spaths", (p > value->data) ? "," : "");
    }

    value->len = p - value->data;

    return NGX_OK;
}
