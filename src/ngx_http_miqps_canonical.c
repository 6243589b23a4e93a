
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_response.h"


static ngx_uint_t ngx_http_miqps_canonical_there(ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_canonical_url(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *url);
static ngx_uint_t ngx_http_miqps_canonical_safe(ngx_str_t *url);


/*
 * A page says what its URL is, unless it does so by itself; and not where the
 * query must not be touched, since nobody knows what is in it then.
 */

ngx_int_t
ngx_http_miqps_canonical(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    u_char     *p;
    ngx_int_t   rc;
    ngx_str_t   url, value;

    static ngx_str_t  name = ngx_string("Link");

    if (r->headers_out.status != NGX_HTTP_OK
        || !(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))
        || r->error_page || r->err_status != 0
        || r->unparsed_uri.len == 0 || r->uri_start == NULL
        || r->uri_start[0] != '/'
        || ngx_http_miqps_canonical_there(r))
    {
        return NGX_OK;
    }

    rc = ngx_http_miqps_canonical_url(r, mlcf, &url);

    if (rc != NGX_OK) {
        return (rc == NGX_DECLINED) ? NGX_OK : NGX_ERROR;
    }

    if (!ngx_http_miqps_canonical_safe(&url)) {
        return NGX_OK;
    }

    value.len = sizeof("<>; rel=\"canonical\"") - 1 + url.len;
    value.data = ngx_pnalloc(r->pool, value.len + 1);
    if (value.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(value.data, "<%V>; rel=\"canonical\"", &url);
    *p = '\0';

    return ngx_http_miqps_header_push(r, &r->headers_out.headers, &name,
                                      &value);
}


static ngx_uint_t
ngx_http_miqps_canonical_there(ngx_http_request_t *r)
{
    ngx_str_t               rest;
    ngx_uint_t              i;
    ngx_list_part_t        *part;
    ngx_table_elt_t        *h;
    ngx_http_miqps_link_t   link;

    for (part = &r->headers_out.headers.part; part; part = part->next) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (h[i].hash == 0 || h[i].key.len != sizeof("Link") - 1
                || ngx_strncasecmp(h[i].key.data, (u_char *) "Link", 4) != 0)
            {
                continue;
            }

            rest = h[i].value;

            while (ngx_http_miqps_link_next(&rest, &link) == NGX_OK) {
                if (link.canonical) {
                    return 1;
                }
            }
        }
    }

    return 0;
}


/* NGX_DECLINED if there is none to tell */

static ngx_int_t
ngx_http_miqps_canonical_url(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *url)
{
    u_char          *p;
    ngx_str_t        host, other, path, args, target;
    miqps_result_t   res;

    ngx_http_miqps_raw(r, &path, &args);

    if (ngx_http_miqps_host(r, mlcf, &host) != NGX_OK
        || ngx_http_miqps_normalize(r, mlcf,
                                    NGX_HTTP_MIQPS_SHOWN|NGX_HTTP_MIQPS_PATHS
                                    |NGX_HTTP_MIQPS_AWAY|NGX_HTTP_MIQPS_PLANS,
                                    &host, &path, &args, &res)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (res.guard != MIQPS_GUARD_PASS) {
        return NGX_DECLINED;
    }

    target.len = res.path.len + sizeof("?") - 1 + res.args.len;
    target.data = ngx_pnalloc(r->pool, target.len);
    if (target.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(target.data, res.path.data, res.path.len);

    if (res.args.len > 0) {
        *p++ = '?';
        p = ngx_cpymem(p, res.args.data, res.args.len);
    }

    target.len = p - target.data;

    other.data = (u_char *) res.host.data;
    other.len = res.host.len;

    return ngx_http_miqps_url(r, (res.host.data != host.data) ? &other : NULL,
                              &target, url);
}


/* nothing that could end it before its end, nor a "#", which is the guard's */

static ngx_uint_t
ngx_http_miqps_canonical_safe(ngx_str_t *url)
{
    size_t  i;
    u_char  c;

    for (i = 0; i < url->len; i++) {
        c = url->data[i];

        if (c <= ' ' || c >= 0x7f || c == '<' || c == '>' || c == '"'
            || c == '\\' || c == '#')
        {
            return 0;
        }
    }

    return 1;
}
