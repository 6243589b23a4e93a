
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_int_t ngx_http_miqps_paths_decode(ngx_http_request_t *r,
    ngx_str_t *path, ngx_str_t *uri);


ngx_int_t
ngx_http_miqps_paths_fit(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *path, miqps_result_t *res,
    ngx_str_t *uri)
{
    ngx_str_t                  own, made;
    ngx_http_core_loc_conf_t  *clcf;

    /* the client asks again, and another location may well be for that */

    if (mlcf->mode == NGX_HTTP_MIQPS_REDIRECT) {
        ngx_str_null(uri);
        return NGX_OK;
    }

    made.data = (u_char *) res->path.data;
    made.len = res->path.len;

    if (ngx_http_miqps_paths_decode(r, path, &own) != NGX_OK
        || ngx_http_miqps_paths_decode(r, &made, uri) != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* the location was chosen for what the client sent, and for nothing else */

    if (r->internal || own.len != r->uri.len
        || ngx_memcmp(own.data, r->uri.data, own.len) != 0)
    {
        return NGX_DECLINED;
    }

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    return (ngx_http_miqps_location(r, uri) == clcf) ? NGX_OK : NGX_DECLINED;
}


/*
 * What has no escapes is its own decoded form, and stays where it is.  No rule
 * is about a path with escapes that nginx would not decode as well.
 */

static ngx_int_t
ngx_http_miqps_paths_decode(ngx_http_request_t *r, ngx_str_t *path,
    ngx_str_t *uri)
{
    u_char  *dst, *src;

    if (memchr(path->data, '%', path->len) == NULL) {
        *uri = *path;
        return NGX_OK;
    }

    uri->data = ngx_pnalloc(r->pool, path->len);
    if (uri->data == NULL) {
        return NGX_ERROR;
    }

    dst = uri->data;
    src = path->data;

    ngx_unescape_uri(&dst, &src, path->len, 0);

    uri->len = dst - uri->data;

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_paths_take(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx)
{
#if (NGX_PCRE)
    ngx_http_core_loc_conf_t  *clcf;
#endif

    r->uri = (ctx->uri.len > 0) ? ctx->uri : ctx->page;

    ngx_http_set_exten(r);

#if (NGX_PCRE)

    /* captures of the location are those of the path that it is asked for */

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (clcf->regex != NULL
        && ngx_http_regex_exec(r, clcf->regex, &r->uri) != NGX_OK)
    {
        return NGX_ERROR;
    }

#endif

    return NGX_OK;
}
