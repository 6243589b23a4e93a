
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_bulk.h"
#include "miqps_utf8.h"

#include <cjson/cJSON.h>


static ngx_int_t ngx_http_miqps_bulk_elements(ngx_http_miqps_bulk_t *bulk);
static ngx_int_t ngx_http_miqps_bulk_element(ngx_http_miqps_bulk_t *bulk,
    const cJSON *item);
static u_char *ngx_http_miqps_bulk_body(ngx_http_miqps_bulk_t *bulk,
    size_t *len);
static void ngx_http_miqps_bulk_cleanup(void *data);
static cJSON *ngx_http_miqps_bulk_parse(u_char *data, size_t len,
    const char **why);
static void ngx_http_miqps_bulk_escapes(u_char *p, u_char *last);
static ngx_uint_t ngx_http_miqps_bulk_unit(const u_char *p,
    const u_char *last);
static const char *ngx_http_miqps_bulk_value(const cJSON *item,
    ngx_str_t *value);
static ngx_int_t ngx_http_miqps_bulk_object(ngx_http_miqps_bulk_t *bulk,
    ngx_str_t *url, ngx_uint_t bare);
static ngx_int_t ngx_http_miqps_bulk_list(ngx_http_miqps_bulk_t *bulk,
    ngx_http_miqps_clean_t *clean);
static ngx_int_t ngx_http_miqps_bulk_string(ngx_http_miqps_bulk_t *bulk,
    const u_char *data, size_t len);


#define ngx_http_miqps_bulk_lit(bulk, text)                                   \
    ngx_http_miqps_bulk_put(bulk, text, sizeof(text) - 1)


/* U+0000 in the UTF-8 of those who have no other way to write it */

#define NGX_HTTP_MIQPS_BULK_NUL  "\xc0\x80"


/* the rest of an array */

typedef struct {
    cJSON                       *root;
    const cJSON                 *item;
    ngx_uint_t                   begun;
} ngx_http_miqps_array_t;


ngx_int_t
ngx_http_miqps_bulk_ndjson(ngx_http_miqps_bulk_t *bulk, ngx_str_t *line)
{
    cJSON       *root;
    size_t       i;
    ngx_int_t    rc;
    ngx_str_t    url;
    const char  *why;

    for (i = 0; i < line->len; i++) {
        if (line->data[i] != ' ' && line->data[i] != '\t'
            && line->data[i] != '\r')
        {
            break;
        }
    }

    if (i == line->len) {
        return ngx_http_miqps_bulk_lit(bulk, "\n");
    }

    root = ngx_http_miqps_bulk_parse(line->data, line->len, &why);

    if (root == NULL) {
        return ngx_http_miqps_bulk_error(bulk, why);
    }

    if (cJSON_IsObject(root)) {
        why = ngx_http_miqps_bulk_value(root, &url);

    } else {
        why = "the line is not an object";
    }

    if (why != NULL) {
        rc = ngx_http_miqps_bulk_error(bulk, why);

    } else {
        rc = ngx_http_miqps_bulk_object(bulk, &url, 0);

        if (rc == NGX_OK) {
            rc = ngx_http_miqps_bulk_lit(bulk, "\n");
        }
    }

    cJSON_Delete(root);

    return rc;
}


ngx_int_t
ngx_http_miqps_bulk_error(ngx_http_miqps_bulk_t *bulk, const char *what)
{
    u_char  text[256], *p;

    p = ngx_snprintf(text, sizeof(text), "{\"error\":\"%s\",\"line\":%ui}\n",
                     what, bulk->number);

    return ngx_http_miqps_bulk_put(bulk, text, p - text);
}


const char *
ngx_http_miqps_bulk_array(ngx_http_miqps_bulk_t *bulk, ngx_uint_t *status)
{
    u_char                  *text;
    size_t                   len;
    const char              *why;
    ngx_pool_cleanup_t      *cln;
    ngx_http_miqps_array_t  *array;

    *status = NGX_HTTP_INTERNAL_SERVER_ERROR;

    cln = ngx_pool_cleanup_add(bulk->request->pool,
                               sizeof(ngx_http_miqps_array_t));
    if (cln == NULL) {
        return "there is no memory";
    }

    text = ngx_http_miqps_bulk_body(bulk, &len);

    if (text == NULL) {

        if (len > NGX_HTTP_MIQPS_BULK_ARRAY) {
            *status = NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
            return "an array must not be larger than a megabyte; lines may be";
        }

        return "the body could not be read";
    }

    *status = NGX_HTTP_BAD_REQUEST;

    array = cln->data;
    array->begun = 0;
    array->root = ngx_http_miqps_bulk_parse(text, len, &why);

    if (array->root == NULL) {
        return why;
    }

    cln->handler = ngx_http_miqps_bulk_cleanup;

    if (!cJSON_IsArray(array->root)) {
        return "the body is not an array";
    }

    /* each of them takes more memory, and room in the answer, than here */

    if (cJSON_GetArraySize(array->root) > NGX_HTTP_MIQPS_BULK_ELEMENTS) {
        *status = NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
        return "an array must not have more than 65536 elements; lines may be "
               "more";
    }

    array->item = array->root->child;

    bulk->array = array;
    bulk->work = ngx_http_miqps_bulk_elements;

    return NULL;
}


/* all of it; or NULL, and in "len" how much there is, if it is too much */

static u_char *
ngx_http_miqps_bulk_body(ngx_http_miqps_bulk_t *bulk, size_t *len)
{
    off_t         size;
    ngx_chain_t  *cl;

    size = 0;

    for (cl = bulk->body; cl != NULL; cl = cl->next) {
        size += ngx_buf_size(cl->buf);
    }

    *len = (size > NGX_HTTP_MIQPS_BULK_ARRAY) ? NGX_HTTP_MIQPS_BULK_ARRAY + 1
                                              : (size_t) size;

    if (size > NGX_HTTP_MIQPS_BULK_ARRAY) {
        return NULL;
    }

    bulk->in = ngx_pnalloc(bulk->request->pool,
                           (size_t) size + NGX_HTTP_MIQPS_BULK_READ);
    if (bulk->in == NULL) {
        return NULL;
    }

    bulk->pos = bulk->in;
    bulk->last = bulk->in;

    do {
        if (ngx_http_miqps_bulk_read(bulk) != NGX_OK) {
            return NULL;
        }

    } while (!bulk->end);

    return bulk->in;
}


static void
ngx_http_miqps_bulk_cleanup(void *data)
{
    ngx_http_miqps_array_t  *array = data;

    cJSON_Delete(array->root);
}


/*
 * Why not is for a JSON string, and needs no escapes there.  "data" is not the
 * same afterwards.
 */

static cJSON *
ngx_http_miqps_bulk_parse(u_char *data, size_t len, const char **why)
{
    cJSON       *root;
    const char  *end, *last;

    if (memchr(data, '\0', len) != NULL) {
        *why = "there is a NUL in it";
        return NULL;
    }

    ngx_http_miqps_bulk_escapes(data, data + len);

    *why = "it is not JSON";

    root = cJSON_ParseWithLengthOpts((const char *) data, len, &end, 0);

    if (root == NULL) {
        return NULL;
    }

    last = (const char *) data + len;

    while (end < last && (*end == ' ' || *end == '\t' || *end == '\r'
                          || *end == '\n'))
    {
        end++;
    }

    if (end < last) {
        cJSON_Delete(root);
        return NULL;
    }

    return root;
}


/*
 * Escapes that cJSON does not read: a NUL would end a string before its end,
 * and half a pair of surrogates is an error of all that is read with it.  In
 * their places is put what is no UTF-8, and tells of one string only.
 */

static void
ngx_http_miqps_bulk_escapes(u_char *p, u_char *last)
{
    ngx_uint_t  unit;

    for ( ;; ) {
        p = memchr(p, '\\', last - p);

        if (p == NULL || last - p < 2) {
            return;
        }

        unit = ngx_http_miqps_bulk_unit(p, last);

        if (unit > 0xffff) {

            /* without its digits it would be a NUL, too, and is no JSON */

            if (p[1] == 'u') {
                p[1] = 'x';
            }

            p += 2;
            continue;
        }

        if (unit == 0) {
            ngx_memcpy(p, NGX_HTTP_MIQPS_BULK_NUL NGX_HTTP_MIQPS_BULK_NUL
                          NGX_HTTP_MIQPS_BULK_NUL, 6);

        } else if (unit >= 0xd800 && unit < 0xe000) {

            if (unit < 0xdc00
                && (ngx_http_miqps_bulk_unit(p + 6, last) & ~0x3ffu) == 0xdc00)
            {
                p += 6;

            } else {
                ngx_memset(p, 0xff, 6);
            }
        }

        p += 6;
    }
}


/* what "\uXXXX" stands for, or more than 0xffff if there is none */

static ngx_uint_t
ngx_http_miqps_bulk_unit(const u_char *p, const u_char *last)
{
    ngx_int_t  unit;

    if (last - p < 6 || p[0] != '\\' || p[1] != 'u') {
        return NGX_MAX_UINT32_VALUE;
    }

    unit = ngx_hextoi((u_char *) p + 2, 4);

    return (unit != NGX_ERROR) ? (ngx_uint_t) unit : NGX_MAX_UINT32_VALUE;
}


/* NULL if it has a URL, else why not */

static const char *
ngx_http_miqps_bulk_value(const cJSON *item, ngx_str_t *value)
{
    if (cJSON_IsObject(item)) {
        item = cJSON_GetObjectItemCaseSensitive(item, "url");
    }

    if (!cJSON_IsString(item)) {
        return "there is no string named url";
    }

    value->data = (u_char *) item->valuestring;
    value->len = ngx_strlen(item->valuestring);

    if (value->len > NGX_HTTP_MIQPS_BULK_LINE) {
        return "the URL is too long";
    }

    /* what is no UTF-8 could not be said in JSON */

    if (miqps_utf8_valid(value->data, value->len)) {
        return NULL;
    }

    return (ngx_strstr(value->data, NGX_HTTP_MIQPS_BULK_NUL) != NULL)
           ? "there is a NUL in it" : "it is not UTF-8";
}


static ngx_int_t
ngx_http_miqps_bulk_elements(ngx_http_miqps_bulk_t *bulk)
{
    ngx_uint_t               i;
    ngx_http_miqps_array_t  *array;

    array = bulk->array;

    if (!array->begun && ngx_http_miqps_bulk_lit(bulk, "[") != NGX_OK) {
        return NGX_ERROR;
    }

    for (i = 0; array->item != NULL && i < NGX_HTTP_MIQPS_BULK_TURN; i++) {

        if (array->begun && ngx_http_miqps_bulk_lit(bulk, ",") != NGX_OK) {
            return NGX_ERROR;
        }

        if (ngx_http_miqps_bulk_element(bulk, array->item) != NGX_OK) {
            return NGX_ERROR;
        }

        array->begun = 1;
        array->item = array->item->next;
    }

    array->begun = 1;

    if (array->item != NULL) {
        return NGX_OK;
    }

    return (ngx_http_miqps_bulk_lit(bulk, "]\n") == NGX_OK) ? NGX_DONE
                                                            : NGX_ERROR;
}


static ngx_int_t
ngx_http_miqps_bulk_element(ngx_http_miqps_bulk_t *bulk, const cJSON *item)
{
    ngx_str_t    url;
    const char  *why;

    why = ngx_http_miqps_bulk_value(item, &url);

    if (why == NULL) {
        return ngx_http_miqps_bulk_object(bulk, &url, cJSON_IsString(item));
    }

    if (ngx_http_miqps_bulk_lit(bulk, "{\"error\":\"") != NGX_OK
        || ngx_http_miqps_bulk_put(bulk, why, ngx_strlen(why)) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_miqps_bulk_lit(bulk, "\"}");
}


/* "bare" is a string alone, unless there is more to say */

static ngx_int_t
ngx_http_miqps_bulk_object(ngx_http_miqps_bulk_t *bulk, ngx_str_t *url,
    ngx_uint_t bare)
{
    u_char                   word[NGX_HTTP_MIQPS_BULK_VERDICT];
    size_t                   len;
    ngx_int_t                rc;
    ngx_str_t                value;
    ngx_http_miqps_clean_t   clean;

    rc = ngx_http_miqps_bulk_url(bulk, url, &clean);

    value = *url;

    if (rc == NGX_OK && clean.changed) {
        value.data = bulk->clean;
        value.len = ngx_http_miqps_clean_put(&clean, bulk->clean);
    }

    if (bare && !bulk->verdicts) {
        return ngx_http_miqps_bulk_string(bulk, value.data, value.len);
    }

    if (ngx_http_miqps_bulk_lit(bulk, "{\"url\":") != NGX_OK
        || ngx_http_miqps_bulk_string(bulk, value.data, value.len) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (!bulk->verdicts) {
        return ngx_http_miqps_bulk_lit(bulk, "}");
    }

    len = ngx_http_miqps_bulk_verdict(bulk, rc, &clean, word);

    if (ngx_http_miqps_bulk_lit(bulk, ",\"verdict\":\"") != NGX_OK
        || ngx_http_miqps_bulk_put(bulk, word, len) != NGX_OK
        || ngx_http_miqps_bulk_lit(bulk, "\",\"stripped\":[") != NGX_OK
        || (rc == NGX_OK && ngx_http_miqps_bulk_list(bulk, &clean) != NGX_OK))
    {
        return NGX_ERROR;
    }

    return ngx_http_miqps_bulk_lit(bulk, "]}");
}


static ngx_int_t
ngx_http_miqps_bulk_list(ngx_http_miqps_bulk_t *bulk,
    ngx_http_miqps_clean_t *clean)
{
    size_t          i, n;
    ngx_uint_t      more;
    miqps_param_t  *param;

    more = 0;
    n = ngx_http_miqps_bulk_nstripped(clean);
    param = bulk->conf->main->work->params;

    for (i = 0; i < n; i++) {

        if (param[i].action != MIQPS_STRIP) {
            continue;
        }

        if ((more && ngx_http_miqps_bulk_lit(bulk, ",") != NGX_OK)
            || ngx_http_miqps_bulk_string(bulk, param[i].name,
                                          param[i].name_len)
               != NGX_OK)
        {
            return NGX_ERROR;
        }

        more = 1;
    }

    return NGX_OK;
}


/* of UTF-8; a "/" needs no escape, and so URLs look like URLs */

static ngx_int_t
ngx_http_miqps_bulk_string(ngx_http_miqps_bulk_t *bulk, const u_char *data,
    size_t len)
{
    u_char         text[sizeof("\\u0000")], *end;
    const u_char  *p, *plain, *last;

    if (ngx_http_miqps_bulk_lit(bulk, "\"") != NGX_OK) {
        return NGX_ERROR;
    }

    plain = data;
    last = data + len;

    for (p = data; p < last; p++) {

        if (*p >= ' ' && *p != '"' && *p != '\\' && *p != 0x7f) {
            continue;
        }

        end = (*p == '"' || *p == '\\') ? ngx_sprintf(text, "\\%c", *p)
                                        : ngx_sprintf(text, "\\u%04xd", *p);

        if (ngx_http_miqps_bulk_put(bulk, plain, p - plain) != NGX_OK
            || ngx_http_miqps_bulk_put(bulk, text, end - text) != NGX_OK)
        {
            return NGX_ERROR;
        }

        plain = p + 1;
    }

    if (ngx_http_miqps_bulk_put(bulk, plain, last - plain) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_miqps_bulk_lit(bulk, "\"");
}
