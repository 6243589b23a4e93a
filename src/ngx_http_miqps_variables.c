
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"

#define XXH_INLINE_ALL
#include <xxhash.h>


/* which one it is */

typedef enum {
    NGX_HTTP_MIQPS_VAR_URI = 0,
    NGX_HTTP_MIQPS_VAR_ARGS,
    NGX_HTTP_MIQPS_VAR_URL,
    NGX_HTTP_MIQPS_VAR_KEY,
    NGX_HTTP_MIQPS_VAR_ORIGINAL,
    NGX_HTTP_MIQPS_VAR_VERDICT,
    NGX_HTTP_MIQPS_VAR_GENERATION,
    NGX_HTTP_MIQPS_VAR_LIST                /* plus ngx_http_miqps_list_e */
} ngx_http_miqps_variable_e;


static ngx_int_t ngx_http_miqps_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_http_miqps_variable_value(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_uint_t which, ngx_str_t *value);
static ngx_int_t ngx_http_miqps_variable_target(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_uint_t which, ngx_str_t *value);
static ngx_int_t ngx_http_miqps_variable_url(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_str_t *target, ngx_str_t *value);
static ngx_int_t ngx_http_miqps_key(ngx_http_request_t *r, ngx_str_t *url,
    ngx_str_t *value);


/* none is cached by nginx: a request is rewritten in the midst of its life */

static ngx_http_variable_t  ngx_http_miqps_variables[] = {

    { ngx_string("miqps_uri"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_URI, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_args"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_ARGS, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_url"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_URL, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_key"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_KEY, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_original"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_ORIGINAL, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_verdict"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_VERDICT, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_generation"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_GENERATION, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_stripped"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_LIST + NGX_HTTP_MIQPS_LIST_STRIPPED,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_kept"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_LIST + NGX_HTTP_MIQPS_LIST_KEPT,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_pattern"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_LIST + NGX_HTTP_MIQPS_LIST_PATTERN,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_layer"), NULL, ngx_http_miqps_variable,
      NGX_HTTP_MIQPS_VAR_LIST + NGX_HTTP_MIQPS_LIST_LAYER,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("miqps_scheme"), NULL, ngx_http_miqps_learn_scheme,
      0, 0, 0 },

      ngx_http_null_variable
};


static ngx_int_t
ngx_http_miqps_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    ngx_str_t              value;
    ngx_http_miqps_ctx_t  *ctx;

    ctx = ngx_http_miqps_ask(r);

    if (ctx == NULL
        || ngx_http_miqps_variable_value(r, ctx, data, &value) != NGX_OK)
    {
        return NGX_ERROR;
    }

    v->data = value.data;
    v->len = value.len;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_variable_value(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_uint_t which, ngx_str_t *value)
{
    if (which >= NGX_HTTP_MIQPS_VAR_LIST) {
        return ngx_http_miqps_report(r, ctx, which - NGX_HTTP_MIQPS_VAR_LIST,
                                     value);
    }

    switch (which) {

    case NGX_HTTP_MIQPS_VAR_ORIGINAL:
        *value = ctx->sent;
        return NGX_OK;

    case NGX_HTTP_MIQPS_VAR_VERDICT:
        return ngx_http_miqps_verdict(r, ctx, value);

    case NGX_HTTP_MIQPS_VAR_GENERATION:
        return ngx_http_miqps_generation(r, ctx, value);

    default:
        return ngx_http_miqps_variable_target(r, ctx, which, value);
    }
}


static ngx_int_t
ngx_http_miqps_variable_target(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_uint_t which, ngx_str_t *value)
{
    ngx_str_t  target, args;

    if (ngx_http_miqps_keys_target(r, ctx, &target, &args) != NGX_OK) {
        return NGX_ERROR;
    }

    switch (which) {

    case NGX_HTTP_MIQPS_VAR_URI:
        *value = target;
        return NGX_OK;

    case NGX_HTTP_MIQPS_VAR_ARGS:
        *value = args;
        return NGX_OK;

    case NGX_HTTP_MIQPS_VAR_URL:
        return ngx_http_miqps_variable_url(r, ctx, &target, value);

    default: /* NGX_HTTP_MIQPS_VAR_KEY */

        if (ngx_http_miqps_variable_url(r, ctx, &target, value) != NGX_OK) {
            return NGX_ERROR;
        }

        return ngx_http_miqps_key(r, value, value);
    }
}


/*
 * Of a mirror, it is the URL of what it mirrors; but not where it may become
 * part of a cache's key, which has the host that is sent upstream.
 */

static ngx_int_t
ngx_http_miqps_variable_url(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    ngx_str_t *target, ngx_str_t *value)
{
    u_char          *p;
    ngx_str_t        host, other;
    miqps_result_t   res;

    ngx_http_miqps_server(r, &host);

    if (!ctx->conf->path_rules || ctx->guard != MIQPS_GUARD_PASS
        || ctx->host.len == 0 || ngx_http_miqps_keys_building(r))
    {
        return ngx_http_miqps_url(r, NULL, target, value);
    }

    if (ngx_http_miqps_normalize(r, ctx->conf,
                                 ngx_http_miqps_shown(ctx->conf)
                                 |NGX_HTTP_MIQPS_PATHS|NGX_HTTP_MIQPS_AWAY,
                                 &ctx->host, &ctx->path, &ctx->args, &res)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (!res.moved || ctx->conf->main->generation != ctx->generation
        || (res.host.len == ctx->host.len
            && ngx_memcmp(res.host.data, ctx->host.data, res.host.len) == 0))
    {
        return ngx_http_miqps_url(r, NULL, target, value);
    }

    p = ngx_pnalloc(r->pool, res.host.len + res.path.len + sizeof("?") - 1
                             + res.args.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ctx->away = 1;

    host.data = p;
    host.len = res.host.len;
    p = ngx_cpymem(p, res.host.data, res.host.len);

    other.data = p;
    p = ngx_cpymem(p, res.path.data, res.path.len);

    if (res.args.len > 0) {
        *p++ = '?';
        p = ngx_cpymem(p, res.args.data, res.args.len);
    }

    other.len = p - other.data;

    return ngx_http_miqps_url(r, &host, &other, value);
}


/* as nginx makes Location absolute, so that both name the same page */

ngx_int_t
ngx_http_miqps_url(ngx_http_request_t *r, ngx_str_t *other, ngx_str_t *target,
    ngx_str_t *value)
{
    u_char                    *p;
    ngx_str_t                  scheme, host;
    ngx_uint_t                 port, usual;
    ngx_connection_t          *c;
    ngx_http_core_loc_conf_t  *clcf;
    ngx_http_core_srv_conf_t  *cscf;

    c = r->connection;
    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    ngx_str_set(&scheme, "http");
    usual = 80;

#if (NGX_HTTP_SSL)
    if (c->ssl) {
        ngx_str_set(&scheme, "https");
        usual = 443;
    }
#endif

    ngx_http_miqps_server(r, &host);

    if (other != NULL) {
        host = *other;

    } else if (clcf->server_name_in_redirect) {
        cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
        host = cscf->server_name;
    }

    port = 0;

    if (clcf->port_in_redirect) {

        if (ngx_connection_local_sockaddr(c, NULL, 0) != NGX_OK) {
            return NGX_ERROR;
        }

        port = ngx_inet_get_port(c->local_sockaddr);
    }

    value->len = scheme.len + sizeof("://:65535") - 1 + host.len + target->len;

    value->data = ngx_pnalloc(r->pool, value->len);
    if (value->data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(value->data, "%V://%V", &scheme, &host);

    if (port != 0 && port != usual) {
        p = ngx_sprintf(p, ":%ui", port);
    }

    p = ngx_cpymem(p, target->data, target->len);

    value->len = p - value->data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_key(ngx_http_request_t *r, ngx_str_t *url, ngx_str_t *value)
{
    u_char                *hex;
    XXH128_canonical_t     bytes;

    hex = ngx_pnalloc(r->pool, 2 * sizeof(XXH128_canonical_t));
    if (hex == NULL) {
        return NGX_ERROR;
    }

    XXH128_canonicalFromHash(&bytes, XXH3_128bits(url->data, url->len));

    ngx_hex_dump(hex, bytes.digest, sizeof(XXH128_canonical_t));

    value->data = hex;
    value->len = 2 * sizeof(XXH128_canonical_t);

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_add_variables(ngx_conf_t *cf)
{
    ngx_http_variable_t  *var, *v;

    for (v = ngx_http_miqps_variables; v->name.len != 0; v++) {

        var = ngx_http_add_variable(cf, &v->name, v->flags);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}
