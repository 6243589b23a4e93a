
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * No-Vary-Search tells a browser's cache which parameters of this URL it may
 * overlook, by name and whatever their value.  So only those are named that
 * a rule stripped just for their name, that the guard would not look at, and
 * that all parsers spell alike.  What a map strips depends on the other names.
 */


/* longer than this it would cost more than it saves */

#define NGX_HTTP_MIQPS_NO_VARY_LEN  1024


static ngx_uint_t ngx_http_miqps_no_vary_has(ngx_http_request_t *r);
static ngx_uint_t ngx_http_miqps_no_vary_safe(const miqps_param_t *param);
static ngx_uint_t ngx_http_miqps_no_vary_guarded(const miqps_param_t *param);
static ngx_uint_t ngx_http_miqps_no_vary_again(const miqps_param_t *params,
    size_t i);


static ngx_str_t  ngx_http_miqps_no_vary_name = ngx_string("No-Vary-Search");


ngx_int_t
ngx_http_miqps_no_vary_search(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx)
{
    u_char          *p, *last;
    size_t           i;
    ngx_str_t        value;
    miqps_param_t   *params;
    miqps_result_t   res;

    if (!ctx->taken || ctx->conf->mode != NGX_HTTP_MIQPS_REWRITE
        || ctx->verdict != NGX_HTTP_MIQPS_STRIPPED
        || ngx_http_miqps_no_vary_has(r))
    {
        return NGX_OK;
    }

    if (ngx_http_miqps_again(r, ctx, &res) != NGX_OK) {
        return NGX_ERROR;
    }

    params = ctx->conf->main->work->params;

    p = ngx_pnalloc(r->pool, NGX_HTTP_MIQPS_NO_VARY_LEN);
    if (p == NULL) {
        return NGX_ERROR;
    }

    value.data = p;
    last = p + NGX_HTTP_MIQPS_NO_VARY_LEN;
    p = ngx_cpymem(p, "params=(", sizeof("params=(") - 1);

    for (i = 0; i < res.nparams; i++) {

        if (!ngx_http_miqps_no_vary_safe(&params[i])
            || ngx_http_miqps_no_vary_again(params, i))
        {
            continue;
        }

        if ((size_t) (last - p) < params[i].name_len + sizeof(" \"\")") - 1) {
            break;
        }

        if (p[-1] != '(') {
            *p++ = ' ';
        }

        *p++ = '"';
        p = ngx_cpymem(p, params[i].name, params[i].name_len);
        *p++ = '"';
    }

    if (p[-1] == '(') {
        return NGX_OK;
    }

    *p++ = ')';
    value.len = p - value.data;

    return ngx_http_miqps_header_push(r, &r->headers_out.headers,
                                      &ngx_http_miqps_no_vary_name, &value);
}


/* what the upstream says of itself is not added to */

static ngx_uint_t
ngx_http_miqps_no_vary_has(ngx_http_request_t *r)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    for (part = &r->headers_out.headers.part; part != NULL; part = part->next)
    {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {
            if (h[i].hash != 0
                && h[i].key.len == ngx_http_miqps_no_vary_name.len
                && ngx_strncasecmp(h[i].key.data,
                                   ngx_http_miqps_no_vary_name.data,
                                   h[i].key.len)
                   == 0)
            {
                return 1;
            }
        }
    }

    return 0;
}


static ngx_uint_t
ngx_http_miqps_no_vary_safe(const miqps_param_t *param)
{
    u_char      c;
    ngx_uint_t  i;

    if (param->action != MIQPS_STRIP || param->why == MIQPS_WHY_VALUE
        || param->layer == MIQPS_LAYER_MAP)
    {
        return 0;
    }

    for (i = 0; i < param->name_len; i++) {
        c = param->name[i];

        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')
            && !(c >= '0' && c <= '9') && c != '_' && c != '-')
        {
            return 0;
        }
    }

    return param->name_len > 0 && !ngx_http_miqps_no_vary_guarded(param);
}


/* another value of such a name could have made the query opaque */

static ngx_uint_t
ngx_http_miqps_no_vary_guarded(const miqps_param_t *param)
{
    size_t                     i, n, len;
    const miqps_guard_name_t  *name;

    name = miqps_guard_names(&n);

    for (i = 0; i < n; i++) {
        len = name[i].text.len;

        if (name[i].text.data[len - 1] == '*') {

            if (param->name_len >= len - 1
                && ngx_memcmp(param->name, name[i].text.data, len - 1) == 0)
            {
                return 1;
            }

            continue;
        }

        if (param->name_len == len
            && ngx_memcmp(param->name, name[i].text.data, len) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* true if the name of parameter "i" was there before */

static ngx_uint_t
ngx_http_miqps_no_vary_again(const miqps_param_t *params, size_t i)
{
    size_t  k;

    for (k = 0; k < i; k++) {
        if (params[k].name_len == params[i].name_len
            && ngx_memcmp(params[k].name, params[i].name, params[i].name_len)
               == 0)
        {
            return 1;
        }
    }

    return 0;
}
