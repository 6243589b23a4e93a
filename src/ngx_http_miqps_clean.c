
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


ngx_int_t
ngx_http_miqps_clean(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_uint_t flags, ngx_str_t *own, const ngx_str_t *in,
    ngx_http_miqps_clean_t *clean)
{
    ngx_str_t        path, args;
    miqps_str_t      bare, host;
    miqps_url_t     *url;
    miqps_result_t  *res;

    url = &clean->url;
    res = &clean->res;

    clean->in.data = in->data;
    clean->in.len = in->len;

    bare = clean->in;

    if (bare.len >= 3 && ngx_memcmp(bare.data, "\xef\xbb\xbf", 3) == 0) {
        bare.data += 3;
        bare.len -= 3;
    }

    if (bare.len > 0 && bare.data[bare.len - 1] == '\r') {
        bare.len--;
    }

    if (bare.len == 0 || miqps_url_split(url, &bare) != MIQPS_OK) {
        return NGX_DECLINED;
    }

    clean->host = *own;

    if (url->authority.len > 0) {

        if (miqps_url_host(&url->host, clean->name, &host) != MIQPS_OK) {
            return NGX_DECLINED;
        }

        clean->host.data = clean->name;
        clean->host.len = host.len;

        flags |= NGX_HTTP_MIQPS_AWAY;
    }

    path.data = (u_char *) url->path.data;
    path.len = url->path.len;
    args.data = (u_char *) url->args.data;
    args.len = url->args.len;

    if (ngx_http_miqps_normalize(r, mlcf, flags|NGX_HTTP_MIQPS_SHOWN
                                          |NGX_HTTP_MIQPS_PATHS,
                                 &clean->host, &path, &args, res)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* a "?" with nothing after it goes as well */

    clean->changed = res->changed || res->moved
                     || (url->query && args.len == 0);

    return NGX_OK;
}


size_t
ngx_http_miqps_clean_put(ngx_http_miqps_clean_t *clean, u_char *out)
{
    miqps_result_t  *res;

    res = &clean->res;

    return miqps_url_compose(&clean->url, &clean->in,
                             (res->host.data != clean->host.data) ? &res->host
                                                                  : NULL,
                             res->moved ? &res->path : NULL, &res->args, out);
}
