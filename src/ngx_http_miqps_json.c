
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"
#include "ngx_http_miqps_json.h"
#include "miqps_utf8.h"


#define NGX_HTTP_MIQPS_JSON_BUF  4096


static ngx_int_t ngx_http_miqps_json_grow(ngx_http_miqps_json_t *json);
static void ngx_http_miqps_json_key(ngx_http_miqps_json_t *json,
    const char *key);
static void ngx_http_miqps_json_escape(ngx_http_miqps_json_t *json, u_char c);


void
ngx_http_miqps_json_init(ngx_http_miqps_json_t *json, ngx_pool_t *pool,
    size_t limit)
{
    ngx_memzero(json, sizeof(ngx_http_miqps_json_t));

    json->pool = pool;
    json->limit = limit;
    json->last = &json->out;
}


void
ngx_http_miqps_json_bytes(ngx_http_miqps_json_t *json, const u_char *data,
    size_t len)
{
    size_t  n;

    if (json->failed || len > json->limit - json->size) {
        json->failed = 1;
        return;
    }

    while (len > 0) {

        if ((json->buf == NULL || json->buf->last == json->buf->end)
            && ngx_http_miqps_json_grow(json) != NGX_OK)
        {
            json->failed = 1;
            return;
        }

        n = ngx_min(len, (size_t) (json->buf->end - json->buf->last));

        json->buf->last = ngx_cpymem(json->buf->last, data, n);
        json->size += n;

        data += n;
        len -= n;
    }
}


static ngx_int_t
ngx_http_miqps_json_grow(ngx_http_miqps_json_t *json)
{
    ngx_chain_t  *cl;

    cl = ngx_alloc_chain_link(json->pool);
    if (cl == NULL) {
        return NGX_ERROR;
    }

    cl->next = NULL;
    cl->buf = ngx_create_temp_buf(json->pool, NGX_HTTP_MIQPS_JSON_BUF);

    if (cl->buf == NULL) {
        return NGX_ERROR;
    }

    json->buf = cl->buf;

    *json->last = cl;
    json->last = &cl->next;

    return NGX_OK;
}


/* what comes before a value */

static void
ngx_http_miqps_json_key(ngx_http_miqps_json_t *json, const char *key)
{
    if (json->comma) {
        ngx_http_miqps_json_bytes(json, (u_char *) ",", 1);
    }

    json->comma = 1;

    if (key != NULL) {
        ngx_http_miqps_json_bytes(json, (u_char *) "\"", 1);
        ngx_http_miqps_json_bytes(json, (u_char *) key, ngx_strlen(key));
        ngx_http_miqps_json_bytes(json, (u_char *) "\":", 2);
    }
}


void
ngx_http_miqps_json_open(ngx_http_miqps_json_t *json, const char *key,
    u_char bracket)
{
    ngx_http_miqps_json_key(json, key);
    ngx_http_miqps_json_bytes(json, &bracket, 1);

    json->comma = 0;
}


void
ngx_http_miqps_json_close(ngx_http_miqps_json_t *json, u_char bracket)
{
    ngx_http_miqps_json_bytes(json, &bracket, 1);

    json->comma = 1;
}


void
ngx_http_miqps_json_string(ngx_http_miqps_json_t *json, const char *key,
    const u_char *data, size_t len)
{
    size_t         n;
    const u_char  *p, *plain, *last;

    ngx_http_miqps_json_key(json, key);
    ngx_http_miqps_json_bytes(json, (u_char *) "\"", 1);

    p = data;
    plain = data;
    last = data + len;

    while (p < last) {

        if (*p >= 0x80) {
            n = miqps_utf8_char(p, last - p);

        } else {
            n = *p >= 0x20 && *p != 0x7f && *p != '"' && *p != '\\'
                && *p != '<' && *p != '>' && *p != '&';
        }

        if (n > 0) {
            p += n;
            continue;
        }

        ngx_http_miqps_json_bytes(json, plain, p - plain);
        ngx_http_miqps_json_escape(json, *p);

        p++;
        plain = p;
    }

    ngx_http_miqps_json_bytes(json, plain, p - plain);
    ngx_http_miqps_json_bytes(json, (u_char *) "\"", 1);
}


static void
ngx_http_miqps_json_escape(ngx_http_miqps_json_t *json, u_char c)
{
    u_char  text[6], *p;

    switch (c) {

    case '"':
    case '\\':
        text[0] = '\\';
        text[1] = c;
        p = text + 2;
        break;

    default:
        p = ngx_sprintf(text, "\\u%04xd", (c < 0x80) ? c : 0xfffd);
        break;
    }

    ngx_http_miqps_json_bytes(json, text, p - text);
}


void
ngx_http_miqps_json_number(ngx_http_miqps_json_t *json, const char *key,
    uint64_t value)
{
    u_char  text[NGX_INT64_LEN + 1], *p;

    p = ngx_sprintf(text, "%uL", value);

    ngx_http_miqps_json_key(json, key);
    ngx_http_miqps_json_bytes(json, text, p - text);
}


void
ngx_http_miqps_json_true(ngx_http_miqps_json_t *json, const char *key,
    ngx_uint_t value)
{
    ngx_http_miqps_json_key(json, key);

    if (value) {
        ngx_http_miqps_json_bytes(json, (u_char *) "true", 4);

    } else {
        ngx_http_miqps_json_bytes(json, (u_char *) "false", 5);
    }
}


void
ngx_http_miqps_json_hex(ngx_http_miqps_json_t *json, const char *key,
    const u_char *data, size_t len)
{
    u_char  text[2];
    size_t  i;

    ngx_http_miqps_json_key(json, key);
    ngx_http_miqps_json_bytes(json, (u_char *) "\"", 1);

    for (i = 0; i < len; i++) {
        (void) ngx_hex_dump(text, (u_char *) &data[i], 1);
        ngx_http_miqps_json_bytes(json, text, 2);
    }

    ngx_http_miqps_json_bytes(json, (u_char *) "\"", 1);
}


ngx_int_t
ngx_http_miqps_json_end(ngx_http_miqps_json_t *json)
{
    ngx_http_miqps_json_bytes(json, (u_char *) "\n", 1);

    return json->failed ? NGX_ERROR : NGX_OK;
}


ngx_int_t
ngx_http_miqps_json_send(ngx_http_request_t *r, ngx_http_miqps_json_t *json,
    ngx_uint_t status)
{
    ngx_str_t  type = ngx_string("application/json");

    if (ngx_http_miqps_json_end(json) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_miqps_json_reply(r, json, status, &type);
}


ngx_int_t
ngx_http_miqps_json_reply(ngx_http_request_t *r, ngx_http_miqps_json_t *json,
    ngx_uint_t status, ngx_str_t *type)
{
    ngx_int_t  rc;

    static ngx_str_t  name = ngx_string("Cache-Control");
    static ngx_str_t  value = ngx_string("no-store");

    if (json->failed || json->buf == NULL
        || ngx_http_miqps_header_push(r, &r->headers_out.headers, &name,
                                      &value)
           != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.content_type = *type;
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;

    r->headers_out.status = status;
    r->headers_out.content_length_n = json->size;

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    json->buf->last_buf = (r == r->main);
    json->buf->last_in_chain = 1;

    return ngx_http_output_filter(r, json->out);
}
