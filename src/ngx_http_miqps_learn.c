
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * A request of the learner has the header Miqps-Learn, whose value is the
 * scheme that the page has: the learner asks for all of them in plain, over a
 * socket that nobody else uses.
 */

static ngx_int_t ngx_http_miqps_learn_refuse(ngx_http_request_t *r,
    ngx_int_t status, const char *why);
static ngx_uint_t ngx_http_miqps_learn_is(ngx_str_t *value, const char *text);


static ngx_str_t  ngx_http_miqps_learn_name = ngx_string("miqps-learn");


ngx_int_t
ngx_http_miqps_learn_handler(ngx_http_request_t *r)
{
    ngx_table_elt_t  *mark;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return ngx_http_miqps_learn_refuse(r, NGX_HTTP_NOT_ALLOWED,
                                           "it is neither GET nor HEAD");
    }

    mark = ngx_http_miqps_learn_mark(r);

    if (mark == NULL || (!ngx_http_miqps_learn_is(&mark->value, "http")
                         && !ngx_http_miqps_learn_is(&mark->value, "https")))
    {
        return ngx_http_miqps_learn_refuse(r, NGX_HTTP_FORBIDDEN,
                             "its header Miqps-Learn is no scheme, or absent");
    }

    if (r->headers_in.content_length_n > 0 || r->headers_in.chunked) {
        return ngx_http_miqps_learn_refuse(r, NGX_HTTP_BAD_REQUEST,
                                           "it has a body");
    }

    /* pages are those that anybody gets */

    if (r->headers_in.authorization != NULL
#if (nginx_version >= 1023000)
        || r->headers_in.cookie != NULL)
#else
        || r->headers_in.cookies.nelts > 0)
#endif
    {
        return ngx_http_miqps_learn_refuse(r, NGX_HTTP_FORBIDDEN,
                                           "it has cookies or credentials");
    }

    return NGX_DECLINED;
}


static ngx_int_t
ngx_http_miqps_learn_refuse(ngx_http_request_t *r, ngx_int_t status,
    const char *why)
{
    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                  "\"miqps_learn\" is for the learner, and this request is "
                  "not his: %s", why);

    return status;
}


ngx_table_elt_t *
ngx_http_miqps_learn_mark(ngx_http_request_t *r)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    for (part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {
            if (header[i].key.len == ngx_http_miqps_learn_name.len
                && ngx_strncmp(header[i].lowcase_key,
                               ngx_http_miqps_learn_name.data,
                               ngx_http_miqps_learn_name.len)
                   == 0)
            {
                return &header[i];
            }
        }
    }

    return NULL;
}


static ngx_uint_t
ngx_http_miqps_learn_is(ngx_str_t *value, const char *text)
{
    return value->len == ngx_strlen(text)
           && ngx_strncmp(value->data, text, value->len) == 0;
}


ngx_int_t
ngx_http_miqps_learn_filter(ngx_http_request_t *r)
{
#if (NGX_HTTP_CACHE)

    ngx_table_elt_t      *h;
    ngx_http_upstream_t  *u;

    u = r->upstream;

    if (r != r->main || u == NULL) {
        return NGX_OK;
    }

    /* what is not cacheable by now, nginx does not put into its cache */

    u->cacheable = 0;

    if (u->cache_status == 0) {
        return NGX_OK;
    }

    h = ngx_list_push(&r->headers_out.headers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    h->hash = 1;
#if (nginx_version >= 1023000)
    h->next = NULL;
#endif
    ngx_str_set(&h->key, "X-Miqps-Cache");
    h->value = ngx_http_cache_status[u->cache_status - 1];

#endif

    return NGX_OK;
}


/* elsewhere it is $scheme */

ngx_int_t
ngx_http_miqps_learn_scheme(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_uint_t                  https;
    ngx_table_elt_t            *mark;
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);
    https = 0;

#if (NGX_HTTP_SSL)
    https = (r->connection->ssl != NULL);
#endif

    if (mlcf->mode == NGX_HTTP_MIQPS_LEARN) {
        mark = ngx_http_miqps_learn_mark(r);
        https = (mark != NULL
                 && ngx_http_miqps_learn_is(&mark->value, "https"));
    }

    v->data = (u_char *) "https";
    v->len = https ? 5 : 4;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}
