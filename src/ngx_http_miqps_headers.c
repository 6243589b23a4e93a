
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_uint_t ngx_http_miqps_headers_ours(ngx_table_elt_t *h);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_headers_take(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_headers_cut(ngx_http_request_t *r,
    ngx_list_part_t *prev, ngx_list_part_t *part, ngx_uint_t i);
static ngx_int_t ngx_http_miqps_headers_add(ngx_http_request_t *r,
    ngx_list_t *headers);


#define NGX_HTTP_MIQPS_PREFIX_LEN  (sizeof("x-miqps-") - 1)


ngx_int_t
ngx_http_miqps_headers_clear(ngx_http_request_t *r)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    for (part = &r->headers_in.headers.part; part; part = part->next) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {
            if (ngx_http_miqps_headers_ours(&h[i])) {
                return ngx_http_miqps_headers_take(r);
            }
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_headers_take(ngx_http_request_t *r)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part, *prev;
    ngx_table_elt_t  *h;

    prev = NULL;
    part = &r->headers_in.headers.part;

    while (part != NULL) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {
            if (ngx_http_miqps_headers_ours(&h[i])) {
                break;
            }
        }

        if (i == part->nelts) {
            prev = part;
            part = part->next;
            continue;
        }

        if (ngx_http_miqps_headers_cut(r, prev, part, i) != NGX_OK) {
            return NGX_ERROR;
        }

        if (part->nelts == 0 && prev != NULL) {
            part = part->next;
        }
    }

    return NGX_OK;
}


/* to FastCGI and its kin an underscore is as good as a dash */

static ngx_uint_t
ngx_http_miqps_headers_ours(ngx_table_elt_t *h)
{
    u_char  *p;

    if (h->key.len < NGX_HTTP_MIQPS_PREFIX_LEN) {
        return 0;
    }

    p = h->lowcase_key;

    return p[0] == 'x' && (p[1] == '-' || p[1] == '_')
           && ngx_memcmp(p + 2, "miqps", 5) == 0
           && (p[7] == '-' || p[7] == '_');
}


/*
 * Takes the element "i" out of a part.  Nothing is moved, since others point
 * to elements; and no part but the first is left empty, since others look at
 * the first element of a part without asking.
 */

static ngx_int_t
ngx_http_miqps_headers_cut(ngx_http_request_t *r, ngx_list_part_t *prev,
    ngx_list_part_t *part, ngx_uint_t i)
{
    ngx_list_t       *headers;
    ngx_list_part_t  *rest;
    ngx_table_elt_t  *h;

    headers = &r->headers_in.headers;
    h = part->elts;

    if (i == part->nelts - 1) {
        part->nelts--;

        if (part->nelts > 0 || prev == NULL) {
            return NGX_OK;
        }

        prev->next = part->next;

        if (part == headers->last) {
            headers->last = prev;
            headers->nalloc = ngx_max(prev->nelts, 1);
        }

        return NGX_OK;
    }

    if (i == 0) {
        part->elts = &h[1];
        part->nelts--;

        if (part == headers->last) {
            headers->nalloc--;
        }

        return NGX_OK;
    }

    rest = ngx_palloc(r->pool, sizeof(ngx_list_part_t));
    if (rest == NULL) {
        return NGX_ERROR;
    }

    rest->elts = &h[i + 1];
    rest->nelts = part->nelts - i - 1;
    rest->next = part->next;

    part->nelts = i;
    part->next = rest;

    if (part == headers->last) {
        headers->last = rest;
        headers->nalloc -= i + 1;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_headers_request(ngx_http_request_t *r)
{
    return ngx_http_miqps_headers_add(r, &r->headers_in.headers);
}


ngx_int_t
ngx_http_miqps_headers_response(ngx_http_request_t *r)
{
    return ngx_http_miqps_headers_add(r, &r->headers_out.headers);
}


/* never what was stripped: it would be unkeyed input for the upstream */

static ngx_int_t
ngx_http_miqps_headers_add(ngx_http_request_t *r, ngx_list_t *headers)
{
    ngx_str_t              value;
    ngx_http_miqps_ctx_t  *ctx;

    static ngx_str_t  verdict = ngx_string("X-Miqps-Verdict");
    static ngx_str_t  generation = ngx_string("X-Miqps-Generation");

    ctx = ngx_http_miqps_ask(r);

    if (ctx == NULL
        || ngx_http_miqps_verdict(r, ctx, &value) != NGX_OK
        || ngx_http_miqps_header_push(r, headers, &verdict, &value) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_http_miqps_generation(r, ctx, &value) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_miqps_header_push(r, headers, &generation, &value);
}


ngx_int_t
ngx_http_miqps_header_push(ngx_http_request_t *r, ngx_list_t *headers,
    ngx_str_t *name, ngx_str_t *value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(headers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    /* a header that a failed step left behind must not be seen */

    h->hash = 0;
    h->key = *name;
    h->value = *value;
#if (nginx_version >= 1023000)
    h->next = NULL;
#endif

    h->lowcase_key = ngx_pnalloc(r->pool, name->len);
    if (h->lowcase_key == NULL) {
        return NGX_ERROR;
    }

    h->hash = ngx_hash_strlow(h->lowcase_key, name->data, name->len);

    return NGX_OK;
}
