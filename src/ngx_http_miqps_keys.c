
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * A key of a cache must tell apart whatever the upstream is sent.  The clean
 * form of a URL does not, unless the request itself has taken it.  So a
 * variable that is read for a key gives what was sent, and a key that got the
 * clean form in a roundabout way, by "set" or "map", is not stored under.
 */


static ngx_uint_t ngx_http_miqps_keys_built(ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_keys_own(ngx_http_request_t *r,
    ngx_str_t *target, ngx_str_t *args);
#if (NGX_HTTP_CACHE)
static ngx_uint_t ngx_http_miqps_keys_hold(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx);
static ngx_uint_t ngx_http_miqps_keys_have(ngx_array_t *keys, u_char before,
    ngx_str_t *text);
#endif
static void ngx_http_miqps_keys_complain(ngx_http_request_t *r,
    const char *consequence);


ngx_int_t
ngx_http_miqps_keys_target(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    ngx_str_t *target, ngx_str_t *args)
{
    *target = ctx->target;
    *args = ctx->clean;

    if (!ngx_http_miqps_keys_building(r)) {

        if (ctx->changed && !ctx->taken && !ngx_http_miqps_keys_built(r)) {
            ctx->ahead = 1;
        }

        return NGX_OK;
    }

    if (ctx->changed && !ctx->taken) {
        *target = ctx->sent;
        *args = ctx->args;

        ngx_http_miqps_keys_complain(r, "the key has what the client sent");
    }

    if (r != r->main && !r->valid_unparsed_uri) {
        return ngx_http_miqps_keys_own(r, target, args);
    }

    return NGX_OK;
}


/* true while u->create_key() runs: there is a cache, but no header for it */

ngx_uint_t
ngx_http_miqps_keys_building(ngx_http_request_t *r)
{
#if (NGX_HTTP_CACHE)
    return r->cache != NULL && r->cache->header_start == 0;
#else
    return 0;
#endif
}


/* true when it is too late for a value to become part of the key */

static ngx_uint_t
ngx_http_miqps_keys_built(ngx_http_request_t *r)
{
#if (NGX_HTTP_CACHE)
    return r->cache != NULL && r->cache->header_start != 0;
#else
    return 0;
#endif
}


/*
 * A subrequest may be for something else than its parent, as an include is,
 * or on behalf of it, as that of "auth_request" is: its key has both.
 */

static ngx_int_t
ngx_http_miqps_keys_own(ngx_http_request_t *r, ngx_str_t *target,
    ngx_str_t *args)
{
    u_char     *p;
    ngx_str_t   own;

    own.len = target->len + r->uri.len + r->args.len
              + sizeof("  ?") - 1 + NGX_SIZE_T_LEN;

    p = ngx_pnalloc(r->pool, own.len + args->len + sizeof(" ") - 1
                             + r->args.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    own.data = p;
    p = ngx_sprintf(p, "%V %uz %V?%V", target, r->uri.len, &r->uri, &r->args);
    own.len = p - own.data;

    *target = own;

    own.data = p;
    own.len = ngx_sprintf(p, "%V %V", args, &r->args) - p;

    *args = own;

    return NGX_OK;
}


void
ngx_http_miqps_keys_watch(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx)
{
#if (NGX_HTTP_CACHE)

    if (r->cache == NULL || r->upstream == NULL
        || !r->upstream->cacheable || ngx_http_miqps_keys_hold(r, ctx))
    {
        return;
    }

    r->upstream->cacheable = 0;

    ngx_http_miqps_keys_complain(r, "the response is not cached");

#endif
}


#if (NGX_HTTP_CACHE)


/*
 * True if the keys have what the upstream was sent, as far as something else
 * was given away: the arguments, the path, the host.
 */

static ngx_uint_t
ngx_http_miqps_keys_hold(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx)
{
    ngx_str_t     host;
    ngx_array_t  *keys;

    keys = &r->cache->keys;

    if (ctx->ahead && !ngx_http_miqps_keys_have(keys, '?', &r->args)) {
        return 0;
    }

    if (ctx->ahead && ctx->moved && !ctx->taken
        && !ngx_http_miqps_keys_have(keys, '\0', &ctx->path))
    {
        return 0;
    }

    ngx_http_miqps_server(r, &host);

    return !ctx->away || ngx_http_miqps_keys_have(keys, '\0', &host);
}


/* arguments behind a "?": a path or host may well have the same bytes */

static ngx_uint_t
ngx_http_miqps_keys_have(ngx_array_t *keys, u_char before, ngx_str_t *text)
{
    u_char      *p, *last;
    ngx_str_t   *key;
    ngx_uint_t   i, k;

    if (text->len == 0) {
        return 1;
    }

    key = keys->elts;
    k = (before != '\0');

    for (i = 0; i < keys->nelts; i++) {

        if (key[i].len < text->len + k) {
            continue;
        }

        last = key[i].data + key[i].len - text->len - k;

        for (p = key[i].data; p <= last; p++) {
            if ((k == 0 || *p == before)
                && ngx_memcmp(p + k, text->data, text->len) == 0)
            {
                return 1;
            }
        }
    }

    return 0;
}

#endif


/* once for each location and worker: it is the configuration that is wrong */

static void
ngx_http_miqps_keys_complain(ngx_http_request_t *r, const char *consequence)
{
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);

    if (mlcf->complained) {
        return;
    }

    mlcf->complained = 1;

    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                  "a cache key is made from \"$miqps_*\" while the upstream "
                  "is sent the original arguments: %s; \"miqps rewrite\" is "
                  "needed here", consequence);
}
