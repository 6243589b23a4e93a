
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_response.h"


typedef struct {
    ngx_str_t                    name;        /* in lower case */
    ngx_int_t                  (*handler)(ngx_http_miqps_base_t *base,
                                          ngx_table_elt_t *h);
} ngx_http_miqps_response_t;


static ngx_int_t ngx_http_miqps_response_header(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h);
static ngx_int_t ngx_http_miqps_response_location(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h);
static ngx_int_t ngx_http_miqps_response_content(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h);
static ngx_int_t ngx_http_miqps_response_put(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h, ngx_str_t *in, ngx_str_t *clean);


static ngx_http_miqps_response_t  ngx_http_miqps_response[] = {
    { ngx_string("location"), ngx_http_miqps_response_location },
    { ngx_string("content-location"), ngx_http_miqps_response_content },
    { ngx_string("refresh"), ngx_http_miqps_response_refresh },
    { ngx_string("link"), ngx_http_miqps_response_link },
    { ngx_null_string, NULL }
};


ngx_int_t
ngx_http_miqps_response_headers(ngx_http_request_t *r)
{
    ngx_uint_t              i;
    ngx_list_part_t        *part;
    ngx_table_elt_t        *h;
    ngx_http_miqps_base_t   base;

    base.request = NULL;

    for (part = &r->headers_out.headers.part; part; part = part->next) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (h[i].hash == 0
                || ngx_strchr("LlCcRr", h[i].key.data[0]) == NULL)
            {
                continue;
            }

            if (base.request == NULL
                && ngx_http_miqps_base_init(&base, r) != NGX_OK)
            {
                return NGX_ERROR;
            }

            if (ngx_http_miqps_response_header(&base, &h[i]) != NGX_OK) {
                return NGX_ERROR;
            }
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_response_header(ngx_http_miqps_base_t *base, ngx_table_elt_t *h)
{
    ngx_http_miqps_response_t  *known;

    for (known = ngx_http_miqps_response; known->name.len != 0; known++) {

        if (known->name.len == h->key.len
            && ngx_strncasecmp(known->name.data, h->key.data, h->key.len) == 0)
        {
            return known->handler(base, h);
        }
    }

    return NGX_OK;
}


/* where it means nothing, it may mean anything */

static ngx_int_t
ngx_http_miqps_response_location(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h)
{
    ngx_uint_t  status;

    status = base->request->headers_out.status;

    if (status != NGX_HTTP_CREATED
        && (status < NGX_HTTP_MOVED_PERMANENTLY
            || status > NGX_HTTP_PERMANENT_REDIRECT
            || status == NGX_HTTP_NOT_MODIFIED))
    {
        return NGX_OK;
    }

    return ngx_http_miqps_response_redirect(base, h, &h->value);
}


static ngx_int_t
ngx_http_miqps_response_content(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h)
{
    ngx_str_t  clean;

    if (ngx_http_miqps_reference(base, 0, &h->value, &clean) != NGX_OK) {
        return NGX_OK;
    }

    return ngx_http_miqps_response_put(base, h, &h->value, &clean);
}


ngx_int_t
ngx_http_miqps_response_redirect(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h, ngx_str_t *in)
{
    ngx_int_t  rc;
    ngx_str_t  clean;

    rc = ngx_http_miqps_response_lead(base, in, &clean);

    if (rc != NGX_OK) {
        return (rc == NGX_DECLINED) ? NGX_OK : rc;
    }

    /* where there is more than the reference, a quote would end it */

    if (in->len < h->value.len
        && (memchr(clean.data, '"', clean.len) != NULL
            || memchr(clean.data, '\'', clean.len) != NULL))
    {
        return NGX_OK;
    }

    return ngx_http_miqps_response_put(base, h, in, &clean);
}


ngx_int_t
ngx_http_miqps_response_lead(ngx_http_miqps_base_t *base, ngx_str_t *in,
    ngx_str_t *clean)
{
    u_char                  *p;
    ngx_int_t                rc;
    ngx_http_miqps_place_t   place;

    rc = ngx_http_miqps_reference(base, NGX_HTTP_MIQPS_AWAY, in, clean);

    if (rc != NGX_OK) {

        if (ngx_http_miqps_place(base, in, &place) == NGX_OK) {
            ngx_http_miqps_rounds_note(base, &place, 0);
        }

        return NGX_DECLINED;
    }

    /* what comes next would take its place */

    p = ngx_pstrdup(base->request->pool, clean);
    if (p == NULL) {
        return NGX_ERROR;
    }

    clean->data = p;

    if (ngx_http_miqps_place(base, clean, &place) != NGX_OK) {
        return NGX_DECLINED;
    }

    if (ngx_http_miqps_rounds_closed(base, &place)) {
        ngx_log_error(NGX_LOG_INFO, base->request->connection->log, 0,
                      "miqps leaves a redirect to \"%V\", which would lead "
                      "back without what would be stripped", in);

        if (ngx_http_miqps_place(base, in, &place) == NGX_OK) {
            ngx_http_miqps_rounds_note(base, &place, 0);
        }

        return NGX_DECLINED;
    }

    if (ngx_http_miqps_place(base, clean, &place) == NGX_OK) {
        ngx_http_miqps_rounds_note(base, &place, 1);
    }

    return NGX_OK;
}


/* in the place of "in", which is a part of the value */

static ngx_int_t
ngx_http_miqps_response_put(ngx_http_miqps_base_t *base, ngx_table_elt_t *h,
    ngx_str_t *in, ngx_str_t *clean)
{
    u_char  *p, *value;
    size_t   before, behind;

    before = in->data - h->value.data;
    behind = h->value.len - before - in->len;

    value = ngx_pnalloc(base->request->pool, before + clean->len + behind + 1);
    if (value == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(value, h->value.data, before);
    p = ngx_cpymem(p, clean->data, clean->len);
    p = ngx_cpymem(p, in->data + in->len, behind);

    /* nginx writes it with its length; others look for the end of it */

    *p = '\0';

    h->value.data = value;
    h->value.len = p - value;

    return NGX_OK;
}
