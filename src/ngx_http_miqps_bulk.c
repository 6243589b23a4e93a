
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_bulk.h"
#include "ngx_http_miqps_html.h"
#include "ngx_http_miqps_json.h"


/* what a body is, by its type */

typedef struct {
    ngx_str_t                    type;
    ngx_str_t                    answer;
    ngx_http_miqps_line_pt       line;        /* NULL: an array */
} ngx_http_miqps_form_t;


static ngx_int_t ngx_http_miqps_bulk_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_bulk_get(ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_bulk_one(ngx_http_miqps_bulk_t *bulk,
    ngx_str_t *value);
static ngx_int_t ngx_http_miqps_bulk_post(ngx_http_request_t *r);
static ngx_http_miqps_form_t *ngx_http_miqps_bulk_form(ngx_http_request_t *r);
static ngx_uint_t ngx_http_miqps_bulk_strange(u_char *p, u_char *last);
static ngx_uint_t ngx_http_miqps_bulk_encoded(ngx_http_request_t *r);
static ngx_http_miqps_bulk_t *ngx_http_miqps_bulk_create(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_bulk_refuse(ngx_http_request_t *r,
    ngx_uint_t status, const char *text);


static ngx_http_miqps_form_t  ngx_http_miqps_forms[] = {

    { ngx_string("text/plain"), ngx_string("text/plain"),
      ngx_http_miqps_bulk_text },

    { ngx_string("application/x-ndjson"), ngx_string("application/x-ndjson"),
      ngx_http_miqps_bulk_ndjson },

    { ngx_string("application/ndjson"), ngx_string("application/ndjson"),
      ngx_http_miqps_bulk_ndjson },

    { ngx_string("application/jsonl"), ngx_string("application/jsonl"),
      ngx_http_miqps_bulk_ndjson },

    { ngx_string("application/json"), ngx_string("application/json"), NULL },

    { ngx_null_string, ngx_null_string, NULL }
};


static ngx_int_t
ngx_http_miqps_bulk_handler(ngx_http_request_t *r)
{
    ngx_table_elt_t  *allow;

    if (r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD)) {
        return ngx_http_miqps_bulk_get(r);
    }

    if (r->method == NGX_HTTP_POST && r == r->main) {
        return ngx_http_miqps_bulk_post(r);
    }

    allow = ngx_list_push(&r->headers_out.headers);
    if (allow == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_memzero(allow, sizeof(ngx_table_elt_t));

    allow->hash = 1;
    ngx_str_set(&allow->key, "Allow");
    ngx_str_set(&allow->value, "GET, HEAD, POST");

    return ngx_http_miqps_bulk_refuse(r, NGX_HTTP_NOT_ALLOWED,
                                      "use GET ?url= or POST");
}


static ngx_int_t
ngx_http_miqps_bulk_get(ngx_http_request_t *r)
{
    ngx_int_t               rc;
    ngx_str_t               value;
    ngx_http_miqps_bulk_t  *bulk;

    if (ngx_http_arg(r, (u_char *) "url", 3, &value) != NGX_OK) {
        return ngx_http_miqps_bulk_refuse(r, NGX_HTTP_BAD_REQUEST,
                                          "the argument \"url\" is missing");
    }

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    bulk = ngx_http_miqps_bulk_create(r);

    if (bulk == NULL || ngx_http_miqps_set_decode(r, &value) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_miqps_bulk_one(bulk, &value);
}


static ngx_int_t
ngx_http_miqps_bulk_one(ngx_http_miqps_bulk_t *bulk, ngx_str_t *value)
{
    ngx_int_t                rc;
    ngx_http_request_t      *r;
    ngx_http_miqps_clean_t   clean;

    r = bulk->request;

    if (value->len > NGX_HTTP_MIQPS_BULK_LINE) {
        return ngx_http_miqps_bulk_tell(r, NGX_HTTP_REQUEST_URI_TOO_LARGE,
                                        "the URL is too long");
    }

    if (!bulk->off
        && ngx_http_miqps_bulk_url(bulk, value, &clean) == NGX_DECLINED)
    {
        return ngx_http_miqps_bulk_tell(r, NGX_HTTP_BAD_REQUEST,
                                        "the argument \"url\" is not a URL "
                                        "that begins with http://, https:// "
                                        "or a slash, with \"%\" escapes for "
                                        "what means something in arguments");
    }

    if (ngx_http_miqps_bulk_text(bulk, value) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_str_set(&r->headers_out.content_type, "text/plain");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = bulk->size;

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    bulk->buf->last_buf = (r == r->main);
    bulk->buf->last_in_chain = 1;

    return ngx_http_output_filter(r, bulk->out);
}


static ngx_int_t
ngx_http_miqps_bulk_post(ngx_http_request_t *r)
{
    ngx_int_t               rc;
    ngx_http_miqps_bulk_t  *bulk;
    ngx_http_miqps_form_t  *form;

    form = ngx_http_miqps_bulk_form(r);

    if (form == NULL) {
        return ngx_http_miqps_bulk_refuse(r, NGX_HTTP_UNSUPPORTED_MEDIA_TYPE,
                                          "the content type must be "
                                          "text/plain, application/x-ndjson "
                                          "or application/json, in a charset "
                                          "like UTF-8");
    }

    if (ngx_http_miqps_bulk_encoded(r)) {
        return ngx_http_miqps_bulk_refuse(r, NGX_HTTP_UNSUPPORTED_MEDIA_TYPE,
                                          "the body must not have a content "
                                          "encoding");
    }

    if (form->line == NULL
        && r->headers_in.content_length_n > NGX_HTTP_MIQPS_BULK_ARRAY)
    {
        return ngx_http_miqps_bulk_refuse(r, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE,
                                          "an array must not be larger than "
                                          "a megabyte; lines may be");
    }

    bulk = ngx_http_miqps_bulk_create(r);

    if (bulk == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    bulk->line = form->line;

    if (form->line != ngx_http_miqps_bulk_text) {
        bulk->clean = ngx_pnalloc(r->pool, NGX_HTTP_MIQPS_BULK_LINE
                                           + NGX_HTTP_MIQPS_BULK_MORE);
        if (bulk->clean == NULL) {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    r->headers_out.content_type = form->answer;
    r->headers_out.content_type_len = form->answer.len;

    bulk->cleanup.data = NGX_HTTP_MIQPS_BULK;
    bulk->cleanup.next = r->pool->cleanup;
    r->pool->cleanup = &bulk->cleanup;

    rc = ngx_http_read_client_request_body(r, ngx_http_miqps_bulk_start);

    return (rc >= NGX_HTTP_SPECIAL_RESPONSE) ? rc : NGX_DONE;
}


static ngx_http_miqps_form_t *
ngx_http_miqps_bulk_form(ngx_http_request_t *r)
{
    size_t                  len;
    u_char                 *end;
    ngx_str_t              *value;
    ngx_http_miqps_form_t  *form;

    if (r->headers_in.content_type == NULL) {
        return NULL;
    }

    value = &r->headers_in.content_type->value;

    end = ngx_strlchr(value->data, value->data + value->len, ';');
    len = (end != NULL) ? (size_t) (end - value->data) : value->len;

    if (end != NULL
        && ngx_http_miqps_bulk_strange(end, value->data + value->len))
    {
        return NULL;
    }

    while (len > 0 && value->data[len - 1] == ' ') {
        len--;
    }

    for (form = ngx_http_miqps_forms; form->type.len != 0; form++) {
        if (form->type.len == len
            && ngx_strncasecmp(form->type.data, value->data, len) == 0)
        {
            return form;
        }
    }

    return NULL;
}


/* true if one of the parameters is a charset that lines cannot be read in */

static ngx_uint_t
ngx_http_miqps_bulk_strange(u_char *p, u_char *last)
{
    ngx_str_t  charset;

    while (p < last) {
        p++;

        while (p < last && (*p == ' ' || *p == '\t')) {
            p++;
        }

        if (last - p > 8
            && ngx_strncasecmp(p, (u_char *) "charset=", 8) == 0)
        {
            p += (p[8] == '"') ? 9 : 8;

            charset.data = p;
            charset.len = last - p;

            return !ngx_http_miqps_html_charset(&charset);
        }

        while (p < last && *p != ';') {
            p++;
        }
    }

    return 0;
}


static ngx_uint_t
ngx_http_miqps_bulk_encoded(ngx_http_request_t *r)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    for (part = &r->headers_in.headers.part; part; part = part->next) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (h[i].key.len == sizeof("Content-Encoding") - 1
                && ngx_strcasecmp(h[i].key.data, (u_char *) "Content-Encoding")
                   == 0
                && h[i].value.len != 0
                && ngx_strcasecmp(h[i].value.data, (u_char *) "identity") != 0)
            {
                return 1;
            }
        }
    }

    return 0;
}


static ngx_http_miqps_bulk_t *
ngx_http_miqps_bulk_create(ngx_http_request_t *r)
{
    ngx_str_t               value;
    ngx_http_miqps_bulk_t  *bulk;

    bulk = ngx_pcalloc(r->pool, sizeof(ngx_http_miqps_bulk_t));
    if (bulk == NULL) {
        return NULL;
    }

    bulk->request = r;
    bulk->conf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);
    bulk->tail = &bulk->out;
    bulk->off = (bulk->conf->main->killed != 0);

    bulk->verdicts = (ngx_http_arg(r, (u_char *) "verdicts", 8, &value)
                      == NGX_OK && value.len == 1 && value.data[0] == '1');

    /* plans do not tell who was stripped */

    bulk->flags = bulk->verdicts ? NGX_HTTP_MIQPS_ANYONE
                                 : NGX_HTTP_MIQPS_ANYONE|NGX_HTTP_MIQPS_PLANS;

    if (ngx_http_miqps_host(r, bulk->conf, &bulk->host) != NGX_OK) {
        return NULL;
    }

    return bulk;
}


/* before anything of the body has been read */

static ngx_int_t
ngx_http_miqps_bulk_refuse(ngx_http_request_t *r, ngx_uint_t status,
    const char *text)
{
    ngx_int_t  rc;

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_http_miqps_bulk_tell(r, status, text);
}


ngx_int_t
ngx_http_miqps_bulk_tell(ngx_http_request_t *r, ngx_uint_t status,
    const char *text)
{
    ngx_str_t              type = ngx_string("text/plain");
    ngx_http_miqps_json_t  json;

    ngx_http_miqps_json_init(&json, r->pool, 4096);
    ngx_http_miqps_json_bytes(&json, (u_char *) text, ngx_strlen(text));
    ngx_http_miqps_json_bytes(&json, (u_char *) "\n", 1);

    return ngx_http_miqps_json_reply(r, &json, status, &type);
}


char *
ngx_http_miqps_bulk(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_http_core_loc_conf_t    *clcf;
    ngx_http_miqps_main_conf_t  *mmcf;

    if (mlcf->bulk) {
        return "is duplicate";
    }

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    mlcf->bulk = 1;
    mmcf->bulk = 1;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    clcf->handler = ngx_http_miqps_bulk_handler;

    return NGX_CONF_OK;
}
