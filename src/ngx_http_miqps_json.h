
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_JSON_H_INCLUDED_
#define _NGX_HTTP_MIQPS_JSON_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/*
 * JSON, written piece by piece into a chain of buffers, which grows:
 *
 *     ngx_http_miqps_json_init(&json, r->pool, limit);
 *     ngx_http_miqps_json_open(&json, NULL, '{');
 *     ngx_http_miqps_json_true(&json, "ok", 1);
 *     ngx_http_miqps_json_open(&json, "hosts", '[');
 *     ngx_http_miqps_json_string(&json, NULL, host.data, host.len);
 *     ngx_http_miqps_json_close(&json, ']');
 *     ngx_http_miqps_json_close(&json, '}');
 *
 *     return ngx_http_miqps_json_send(r, &json, NGX_HTTP_OK);
 *
 * A key is written as it is, so that it must need no escapes; it is NULL in
 * an array and for the outermost value.  Values may be any bytes: what is not
 * UTF-8 becomes U+FFFD, byte by byte, and all but printable ASCII and UTF-8
 * is escaped, also "<", ">" and "&", which would mean something in HTML.
 *
 * No call fails.  Where memory is lacking, or "limit" bytes would not be
 * enough, nothing more is written, and that is told at the end.
 */

typedef struct {
    ngx_pool_t                  *pool;
    ngx_chain_t                 *out;
    ngx_chain_t                **last;
    ngx_buf_t                   *buf;         /* the last one, or NULL */
    size_t                       size;        /* of all that was written */
    size_t                       limit;
    unsigned                     comma:1;     /* before the next value */
    unsigned                     failed:1;
} ngx_http_miqps_json_t;


#pragma GCC visibility push(hidden)


void ngx_http_miqps_json_init(ngx_http_miqps_json_t *json, ngx_pool_t *pool,
    size_t limit);

/* '{' or '[', and '}' or ']' */

void ngx_http_miqps_json_open(ngx_http_miqps_json_t *json, const char *key,
    u_char bracket);
void ngx_http_miqps_json_close(ngx_http_miqps_json_t *json, u_char bracket);

void ngx_http_miqps_json_string(ngx_http_miqps_json_t *json, const char *key,
    const u_char *data, size_t len);
void ngx_http_miqps_json_number(ngx_http_miqps_json_t *json, const char *key,
    uint64_t value);
void ngx_http_miqps_json_true(ngx_http_miqps_json_t *json, const char *key,
    ngx_uint_t value);

/* bytes in lower case hex, two digits each */

void ngx_http_miqps_json_hex(ngx_http_miqps_json_t *json, const char *key,
    const u_char *data, size_t len);

/*
 * The end: NGX_OK, and json->out is all of it, json->size bytes, with a newline
 * behind it; or NGX_ERROR.
 */
ngx_int_t ngx_http_miqps_json_end(ngx_http_miqps_json_t *json);

/*
 * Ends it and makes it the response, which nobody may keep.  The result is one
 * for ngx_http_finalize_request(); 500 if not all could be written.
 */
ngx_int_t ngx_http_miqps_json_send(ngx_http_request_t *r,
    ngx_http_miqps_json_t *json, ngx_uint_t status);

/* the same for another type of text, and without a newline behind it */

ngx_int_t ngx_http_miqps_json_reply(ngx_http_request_t *r,
    ngx_http_miqps_json_t *json, ngx_uint_t status, ngx_str_t *type);

/* bytes as they are, for such text */

void ngx_http_miqps_json_bytes(ngx_http_miqps_json_t *json,
    const u_char *data, size_t len);


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_JSON_H_INCLUDED_ */
