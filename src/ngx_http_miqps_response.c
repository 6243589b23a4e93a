
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"
#include "ngx_http_miqps_reference.h"


static ngx_int_t ngx_http_miqps_response_location(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h);


ngx_int_t
ngx_http_miqps_response_headers(ngx_http_request_t *r)
{
    ngx_uint_t              i;
    ngx_list_part_t        *part;
    ngx_table_elt_t        *h;
    ngx_http_miqps_base_t   base;

    if (ngx_http_miqps_base_init(&base, r) != NGX_OK) {
        return NGX_ERROR;
    }

    for (part = &r->headers_out.headers.part; part; part = part->next) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (h[i].hash == 0) {
                continue;
            }

            if (h[i].key.len == sizeof("Location") - 1
                && ngx_strncasecmp(h[i].key.data, (u_char *) "Location",
                                   h[i].key.len) == 0
                && ngx_http_miqps_response_location(&base, &h[i]) != NGX_OK)
            {
                return NGX_ERROR;
            }
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_response_location(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h)
{
    u_char     *p;
    ngx_str_t   clean;

    if (ngx_http_miqps_reference(base, NGX_HTTP_MIQPS_AWAY, &h->value, &clean)
        != NGX_OK)
    {
        return NGX_OK;
    }

    p = ngx_pnalloc(base->request->pool, clean.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(p, clean.data, clean.len);

    h->value.data = p;
    h->value.len = clean.len;

    return NGX_OK;
}
