
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_http_miqps_apart ngx_http_miqps_verdict_e
    ngx_http_miqps_eligible_other(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);
static ngx_inline miqps_always_inline ngx_http_miqps_verdict_e
    ngx_http_miqps_eligible_get(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);
static ngx_int_t ngx_http_miqps_same_args(ngx_http_request_t *r);
static ngx_inline void ngx_http_miqps_sent(ngx_http_request_t *r,
    ngx_str_t *path, ngx_str_t *args);
static u_char *ngx_http_miqps_args_start(ngx_http_request_t *r);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_host_value(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host);
static ngx_inline miqps_always_inline ngx_int_t ngx_http_miqps_run(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags, miqps_plans_t *plans,
    ngx_str_t *host, ngx_str_t *path, ngx_str_t *args, miqps_result_t *res);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_moved(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host,
    ngx_str_t *path, ngx_str_t *args, miqps_result_t *res, ngx_str_t *uri);
static ngx_inline ngx_http_miqps_verdict_e ngx_http_miqps_judge(
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host, ngx_str_t *args,
    ngx_uint_t query, miqps_result_t *res);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_other(
    ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx, miqps_result_t *res);
static ngx_inline ngx_http_miqps_ctx_t *ngx_http_miqps_create(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_ctx_t *known, size_t size);
static void ngx_http_miqps_compose(ngx_http_miqps_ctx_t *ctx,
    miqps_result_t *res);
static miqps_image_t *ngx_http_miqps_image(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_zone_t *zone);
static ngx_inline ngx_int_t ngx_http_miqps_remember(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, miqps_result_t *res);
static ngx_http_miqps_apart ngx_int_t ngx_http_miqps_remember_all(
    ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx, miqps_result_t *res);
static ngx_http_miqps_ctx_t *ngx_http_miqps_untouched(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_ctx_t *known,
    ngx_http_miqps_verdict_e verdict);


ngx_http_miqps_verdict_e
ngx_http_miqps_eligible(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf)
{
    if (ngx_http_miqps_seldom(ngx_http_miqps_is_off(mlcf))) {
        return NGX_HTTP_MIQPS_IS_OFF;
    }

    /* "recursive_error_pages" leaves the first unset */

    if (ngx_http_miqps_seldom(r->error_page || r->err_status != 0)) {
        return NGX_HTTP_MIQPS_ERROR_PAGE;
    }

    if (ngx_http_miqps_seldom(!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD)))) {
        return ngx_http_miqps_eligible_other(r, mlcf);
    }

    return ngx_http_miqps_eligible_get(r, mlcf);
}


/*
 * A request that clears an entry of the cache is as good as one for the page:
 * the entry is found by the URL that made it.  nginx has no number for the
 * method.
 */

static ngx_http_miqps_verdict_e
ngx_http_miqps_eligible_other(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    if (!mlcf->purge || mlcf->mode != NGX_HTTP_MIQPS_REWRITE
        || r->method_name.len != sizeof("PURGE") - 1
        || ngx_memcmp(r->method_name.data, "PURGE", 5) != 0)
    {
        return NGX_HTTP_MIQPS_METHOD;
    }

    return ngx_http_miqps_eligible_get(r, mlcf);
}


static ngx_inline ngx_http_miqps_verdict_e
ngx_http_miqps_eligible_get(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    if (ngx_http_miqps_seldom(r->headers_in.content_length_n > 0
                              || r->headers_in.chunked))
    {
        return NGX_HTTP_MIQPS_BODY;
    }

    if (ngx_http_miqps_seldom(r->headers_in.upgrade != NULL)) {
        return NGX_HTTP_MIQPS_UPGRADE;
    }

    /* a request line that nginx could not read has none of these */

    if (ngx_http_miqps_seldom(r->unparsed_uri.len == 0
                              || r->uri_start == NULL
                              || r->empty_path_in_uri
                              || r->uri_start[0] != '/'))
    {
        return NGX_HTTP_MIQPS_PATH;
    }

    /* what begins with two slashes names a host, in the eyes of a browser */

    if (mlcf->mode == NGX_HTTP_MIQPS_REDIRECT
        && r->uri_end - r->uri_start > 1
        && (r->uri_start[1] == '/' || r->uri_start[1] == '\\'))
    {
        return NGX_HTTP_MIQPS_PATH;
    }

    /* a report is on what the client sent, whatever became of it since */

    if (mlcf->mode != NGX_HTTP_MIQPS_ANNOTATE
        && !ngx_http_miqps_same_args(r))
    {
        return NGX_HTTP_MIQPS_ARGS;
    }

    return NGX_HTTP_MIQPS_CLEAN;
}


/*
 * nginx cuts the arguments off at a "#", which still reaches the upstream;
 * the guard has the last word on it.
 */

static ngx_int_t
ngx_http_miqps_same_args(ngx_http_request_t *r)
{
    size_t     len;
    ngx_str_t  path, args;

    if (r->args.data == r->args_start && r->args_start != NULL
        && r->args_start + r->args.len == r->uri_end)
    {
        return 1;
    }

    ngx_http_miqps_sent(r, &path, &args);

    len = r->args.len;

    if (len != args.len && (len > args.len || args.data[len] != '#')) {
        return 0;
    }

    return len == 0 || r->args.data == args.data
           || ngx_memcmp(r->args.data, args.data, len) == 0;
}


ngx_http_miqps_ctx_t *
ngx_http_miqps_target(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_ctx_t *known)
{
    size_t                     size;
    ngx_str_t                  host, path, args, uri;
    ngx_uint_t                 query;
    miqps_result_t             res;
    ngx_http_miqps_ctx_t      *ctx;
    ngx_http_miqps_verdict_e   verdict;

    ngx_http_miqps_sent(r, &path, &args);

    query = (args.data != NULL);

    if (!query && !mlcf->path_rules) {
        ngx_http_miqps_count(r, mlcf, known, NGX_HTTP_MIQPS_CLEAN, NULL,
                             NULL);
        return NULL;
    }

    if (ngx_http_miqps_host(r, mlcf, &host) != NGX_OK
        || ngx_http_miqps_run(r, mlcf, mlcf->zone,
                              ngx_http_miqps_shown(mlcf)
                              |NGX_HTTP_MIQPS_PATHS,
                              mlcf->main->plans, &host, &path, &args, &res)
           != NGX_OK
        || (res.moved
            && ngx_http_miqps_moved(r, mlcf, &host, &path, &args, &res, &uri)
               != NGX_OK))
    {
        return NULL;
    }

    verdict = ngx_http_miqps_judge(mlcf, &host, &args, query, &res);

    if (verdict != NGX_HTTP_MIQPS_STRIPPED
        && verdict != NGX_HTTP_MIQPS_NORMALIZED
        && verdict != NGX_HTTP_MIQPS_MOVED)
    {
        ngx_http_miqps_count(r, mlcf, known, verdict, &host, &res);
        return NULL;
    }

    if (!ngx_http_miqps_counted(r, known)) {
        mlcf->main->counts->verdicts[verdict]++;
        ngx_http_miqps_count_layers(mlcf->main->counts, &res);

        if (mlcf->zone != NULL) {
            ngx_http_miqps_count_zone(mlcf, verdict, &res);
        }

        if (mlcf->main->host_counts) {
            ngx_http_miqps_count_hosts(r, mlcf, verdict, &host, &res);
        }
    }

    size = res.path.len + sizeof("?") - 1 + res.args.len;

    ctx = ngx_http_miqps_create(r, mlcf, known, size);

    if (ctx == NULL) {
        return NULL;
    }

    ctx->host = host;
    ctx->path = path;
    ctx->args = args;
    ctx->sent.data = path.data;
    ctx->sent.len = path.len + query + args.len;
    ctx->guard = MIQPS_GUARD_PASS;
    ctx->changed = 1;
    ctx->counted = 1;
    ctx->verdict = verdict;

    ngx_http_miqps_compose(ctx, &res);

    if (res.moved) {
        ctx->moved = 1;
        ctx->uri = uri;

        /* the scratch has it; the page is the same */

        if (uri.data == res.path.data) {
            ngx_str_null(&ctx->uri);
        }

        if (ngx_http_miqps_other(r, ctx, &res) != NGX_OK) {
            return NULL;
        }
    }

    if (mlcf->zone != NULL
        && ngx_http_miqps_remember(r, ctx, &res) != NGX_OK)
    {
        return NULL;
    }

    return ctx;
}


/* if it may not be, the same without path rules */

static ngx_int_t
ngx_http_miqps_moved(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_str_t *host, ngx_str_t *path, ngx_str_t *args, miqps_result_t *res,
    ngx_str_t *uri)
{
    ngx_int_t  rc;

    rc = NGX_DECLINED;

    if (!ngx_http_miqps_loops_any(mlcf->main->loops)
        || !ngx_http_miqps_loops_rule(mlcf->main->loops, host,
                                      mlcf->main->generation, res->rule))
    {
        rc = ngx_http_miqps_paths_fit(r, mlcf, path, res, uri);
    }

    if (rc != NGX_DECLINED) {
        return rc;
    }

    return ngx_http_miqps_run(r, mlcf, mlcf->zone, ngx_http_miqps_shown(mlcf),
                              mlcf->main->plans, host, path, args, res);
}


/* a redirect may lead to the host of which this one is a mirror */

static ngx_int_t
ngx_http_miqps_other(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    miqps_result_t *res)
{
    if (res->host.len == ctx->host.len
        && ngx_memcmp(res->host.data, ctx->host.data, res->host.len) == 0)
    {
        return NGX_OK;
    }

    ctx->other.data = ngx_pnalloc(r->pool, res->host.len);
    if (ctx->other.data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(ctx->other.data, res->host.data, res->host.len);
    ctx->other.len = res->host.len;

    return NGX_OK;
}


static ngx_inline ngx_http_miqps_verdict_e
ngx_http_miqps_judge(ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host,
    ngx_str_t *args, ngx_uint_t query, miqps_result_t *res)
{
    /* a "?" with nothing after it goes as well */

    if (!res->changed && !res->moved && (args->len > 0 || !query)) {
        return (res->guard != MIQPS_GUARD_PASS) ? NGX_HTTP_MIQPS_OPAQUE
                                                : NGX_HTTP_MIQPS_CLEAN;
    }

    if (ngx_http_miqps_loops_any(mlcf->main->loops)
        && ngx_http_miqps_loops_has(mlcf->main->loops, host, args))
    {
        return NGX_HTTP_MIQPS_LOOP;
    }

    return (res->nstripped > 0) ? NGX_HTTP_MIQPS_STRIPPED
           : res->moved ? NGX_HTTP_MIQPS_MOVED : NGX_HTTP_MIQPS_NORMALIZED;
}


/*
 * The map of a zone, to be left again.  What it says was learned from pages
 * that anybody can see.
 */

static miqps_image_t *
ngx_http_miqps_image(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_zone_t *zone)
{
    if (r->headers_in.authorization != NULL
        || (mlcf->bypass != NULL
            && ngx_http_test_predicates(r, mlcf->bypass) != NGX_OK))
    {
        mlcf->main->bypassed = 1;
        return NULL;
    }

    return ngx_http_miqps_zone_enter(zone);
}


/*
 * Keeps what was decided with a map.  There may be another one by the time
 * that somebody asks, and a request has to do with one alone.
 */

static ngx_inline ngx_int_t
ngx_http_miqps_remember(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    miqps_result_t *res)
{
    ctx->generation = ctx->conf->main->generation;

    if (!res->mapped || res->nparams == 0) {
        return NGX_OK;
    }

    if (res->verdicts == NULL) {
        return ngx_http_miqps_remember_all(r, ctx, res);
    }

    ngx_memcpy(ctx->planned, res->verdicts, MIQPS_PLAN_NAMES);
    ctx->decided = ctx->planned;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_remember_all(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    miqps_result_t *res)
{
    size_t          i;
    miqps_param_t  *params;

    ctx->decided = ngx_pnalloc(r->pool, res->nparams);
    if (ctx->decided == NULL) {
        return NGX_ERROR;
    }

    params = ctx->conf->main->work->params;

    for (i = 0; i < res->nparams; i++) {
        ctx->decided[i] = miqps_param_verdict(&params[i]);
    }

    return NGX_OK;
}


/* what the client sent, from the bytes that nginx keeps of the request */

static ngx_inline void
ngx_http_miqps_sent(ngx_http_request_t *r, ngx_str_t *path, ngx_str_t *args)
{
    path->data = r->uri_start;
    args->data = ngx_http_miqps_args_start(r);

    if (args->data == NULL) {
        path->len = r->uri_end - r->uri_start;
        args->len = 0;
        return;
    }

    path->len = args->data - 1 - r->uri_start;
    args->len = r->uri_end - args->data;
}


/*
 * nginx forgets where the arguments begin if there is a "#" in them, which
 * makes of a URI a complex one.
 */

static u_char *
ngx_http_miqps_args_start(ngx_http_request_t *r)
{
    u_char  *p;

    if (r->args_start != NULL || !r->complex_uri) {
        return r->args_start;
    }

    for (p = r->uri_start; p < r->uri_end && *p != '#'; p++) {
        if (*p == '?') {
            return p + 1;
        }
    }

    return NULL;
}


void
ngx_http_miqps_raw(ngx_http_request_t *r, ngx_str_t *path, ngx_str_t *args)
{
    ngx_http_miqps_sent(r, path, args);
}


void
ngx_http_miqps_server(ngx_http_request_t *r, ngx_str_t *host)
{
    ngx_http_core_srv_conf_t  *cscf;

    *host = r->headers_in.server;

    if (host->len == 0) {
        cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
        *host = cscf->server_name;
    }
}


ngx_int_t
ngx_http_miqps_host(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_str_t *host)
{
    if (mlcf->host == NULL) {
        ngx_http_miqps_server(r, host);
        return NGX_OK;
    }

    return ngx_http_miqps_host_value(r, mlcf, host);
}


static ngx_int_t
ngx_http_miqps_host_value(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host)
{
    u_char     *p;
    ngx_str_t   value;

    if (ngx_http_complex_value(r, mlcf->host, &value) != NGX_OK) {
        return NGX_ERROR;
    }

    /* as $http_host has it, with a port */

    for (p = value.data + value.len; p > value.data; p--) {
        if (p[-1] < '0' || p[-1] > '9') {
            break;
        }
    }

    if (p > value.data && p[-1] == ':') {
        value.len = p - 1 - value.data;
    }

    return ngx_http_miqps_canon(r, value.data, value.len, host);
}


ngx_int_t
ngx_http_miqps_canon(ngx_http_request_t *r, const u_char *data, size_t len,
    ngx_str_t *host)
{
    u_char       buf[MIQPS_MAX_HOST];
    miqps_str_t  given, canon;

    ngx_str_null(host);

    given.data = data;
    given.len = len;

    if (miqps_url_host(&given, buf, &canon) != MIQPS_OK) {
        return NGX_OK;
    }

    host->data = ngx_pnalloc(r->pool, canon.len);
    if (host->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(host->data, canon.data, canon.len);
    host->len = canon.len;

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_normalize(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_uint_t flags, ngx_str_t *host,
    ngx_str_t *path, ngx_str_t *args, miqps_result_t *res)
{
    return ngx_http_miqps_run(r, mlcf, mlcf->zone, flags,
                              (flags & NGX_HTTP_MIQPS_PLANS)
                              ? mlcf->main->plans : NULL,
                              host, path, args, res);
}


static ngx_inline ngx_int_t
ngx_http_miqps_run(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags, miqps_plans_t *plans,
    ngx_str_t *host, ngx_str_t *path, ngx_str_t *args, miqps_result_t *res)
{
    miqps_rc_e                   rc;
    miqps_request_t              req;
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = mlcf->main;

    req.host.data = host->data;
    req.host.len = host->len;
    req.path.data = path->data;
    req.path.len = path->len;
    req.args.data = args->data;
    req.args.len = args->len;
    req.plans = plans;
    req.image = NULL;
    req.second = (mlcf->path_rules && (flags & NGX_HTTP_MIQPS_PATHS))
                 ? mmcf->second : NULL;
    req.sort = mlcf->sort;
    req.shown = ((flags & NGX_HTTP_MIQPS_SHOWN) != 0);
    req.stay = ((flags & NGX_HTTP_MIQPS_AWAY) == 0);

    if (args->len > MIQPS_MAX_ARGS) {
        ngx_memzero(res, sizeof(miqps_result_t));

        res->args = req.args;
        res->path = req.path;
        res->host = req.host;
        res->guard = MIQPS_GUARD_TOO_LONG;

        mmcf->generation = 0;
        mmcf->bypassed = 0;

        return NGX_OK;
    }

    if (zone != NULL) {
        mmcf->bypassed = 0;
        req.image = (flags & NGX_HTTP_MIQPS_ANYONE)
                    ? ngx_http_miqps_zone_enter(zone)
                    : ngx_http_miqps_image(r, mlcf, zone);
        mmcf->generation = (req.image != NULL)
                           ? ngx_http_miqps_zone_generation(zone) : 0;
    }

    rc = miqps_normalize(mlcf->policy->policy, &req, mmcf->work, mmcf->buf,
                         mmcf->size, res);

    if (req.image != NULL) {
        ngx_http_miqps_zone_leave(zone);
    }

    if (rc != MIQPS_OK) {
        ngx_log_error(NGX_LOG_ALERT, r->connection->log, 0,
                      "miqps has no room for %uz bytes of arguments",
                      args->len);
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* with "size" bytes for the target behind it */

static ngx_inline ngx_http_miqps_ctx_t *
ngx_http_miqps_create(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_ctx_t *known, size_t size)
{
    ngx_http_miqps_ctx_t  *ctx;

    ctx = ngx_palloc(r->pool, sizeof(ngx_http_miqps_ctx_t) + size);

    if (ctx == NULL) {
        return NULL;
    }

    ctx->conf = mlcf;
    ctx->target.data = (u_char *) (ctx + 1);
    ctx->generation = 0;
    ctx->decided = NULL;
    ctx->other.len = 0;
    ctx->moved = 0;
    ctx->away = 0;
    ctx->taken = 0;
    ctx->ahead = (known != NULL && known->ahead);

    /* nothing to clean; how it is found again when contexts are gone */

    ctx->cleanup.handler = NULL;
    ctx->cleanup.data = &ngx_http_miqps_module;
    ctx->cleanup.next = r->pool->cleanup;
    r->pool->cleanup = &ctx->cleanup;

    ngx_http_set_ctx(r, ctx, ngx_http_miqps_module);

    return ctx;
}


static void
ngx_http_miqps_compose(ngx_http_miqps_ctx_t *ctx, miqps_result_t *res)
{
    u_char  *p;

    p = ngx_cpymem(ctx->target.data, res->path.data, res->path.len);

    ctx->page.data = ctx->target.data;
    ctx->page.len = res->path.len;

    if (res->args.len > 0) {
        *p++ = '?';
    }

    ctx->clean.data = p;
    ctx->clean.len = res->args.len;

    p = ngx_cpymem(p, res->args.data, res->args.len);

    ctx->target.len = p - ctx->target.data;
}


ngx_http_miqps_ctx_t *
ngx_http_miqps_recall(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t    *cln;
    ngx_http_miqps_ctx_t  *ctx;

    for (cln = r->pool->cleanup; cln != NULL; cln = cln->next) {

        if (cln->data == &ngx_http_miqps_module) {
            ctx = (ngx_http_miqps_ctx_t *) cln;
            ngx_http_set_ctx(r, ctx, ngx_http_miqps_module);
            return ctx;
        }
    }

    return NULL;
}


ngx_http_miqps_ctx_t *
ngx_http_miqps_ask(ngx_http_request_t *r)
{
    ngx_http_miqps_ctx_t       *ctx, *target;
    ngx_http_miqps_verdict_e    verdict;
    ngx_http_miqps_loc_conf_t  *mlcf;

    r = r->main;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);
    ctx = ngx_http_miqps_known(r);

    if (ctx != NULL && (ctx->taken || ctx->conf == mlcf)) {
        return ctx;
    }

    verdict = ngx_http_miqps_eligible(r, mlcf);

    if (verdict == NGX_HTTP_MIQPS_CLEAN) {
        target = ngx_http_miqps_target(r, mlcf, ctx);

        if (target != NULL) {
            return target;
        }

    } else {
        ngx_http_miqps_count(r, mlcf, ctx, verdict, NULL, NULL);
    }

    return ngx_http_miqps_untouched(r, mlcf, ctx, verdict);
}


static ngx_http_miqps_ctx_t *
ngx_http_miqps_untouched(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_ctx_t *known,
    ngx_http_miqps_verdict_e verdict)
{
    miqps_result_t         res;
    ngx_http_miqps_ctx_t  *ctx;

    ctx = ngx_http_miqps_create(r, mlcf, known, 0);

    if (ctx == NULL) {
        return NULL;
    }

    ngx_str_null(&ctx->host);
    ngx_str_null(&ctx->path);
    ngx_str_null(&ctx->args);
    ngx_str_null(&ctx->sent);

    if (r->unparsed_uri.len > 0 && r->uri_start != NULL) {
        ngx_http_miqps_sent(r, &ctx->path, &ctx->args);
        ctx->sent.data = r->uri_start;
        ctx->sent.len = r->uri_end - r->uri_start;
    }

    ctx->target = ctx->sent;
    ctx->page = ctx->path;
    ctx->clean = ctx->args;
    ctx->verdict = verdict;
    ctx->guard = MIQPS_GUARD_PASS;
    ctx->changed = 0;
    ctx->counted = (verdict != NGX_HTTP_MIQPS_IS_OFF
                    || (known != NULL && known->counted));

    if (verdict != NGX_HTTP_MIQPS_CLEAN) {
        return ctx;
    }

    /* which of the reasons to leave it as it is */

    if (ngx_http_miqps_host(r, mlcf, &ctx->host) != NGX_OK
        || ngx_http_miqps_normalize(r, mlcf, ngx_http_miqps_shown(mlcf),
                                    &ctx->host, &ctx->path, &ctx->args, &res)
           != NGX_OK
        || (mlcf->zone != NULL
            && ngx_http_miqps_remember(r, ctx, &res) != NGX_OK))
    {
        return NULL;
    }

    ctx->guard = res.guard;

    if (res.guard != MIQPS_GUARD_PASS) {
        ctx->verdict = NGX_HTTP_MIQPS_OPAQUE;

    } else if (res.changed) {
        ctx->verdict = NGX_HTTP_MIQPS_LOOP;
    }

    return ctx;
}


ngx_int_t
ngx_http_miqps_again(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx,
    miqps_result_t *res)
{
    size_t          i;
    miqps_param_t  *params;

    if (ngx_http_miqps_run(r, ctx->conf, NULL, 0, NULL, &ctx->host,
                           &ctx->path, &ctx->args, res)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->decided == NULL) {
        return NGX_OK;
    }

    params = ctx->conf->main->work->params;

    for (i = 0; i < res->nparams; i++) {
        params[i].action = miqps_verdict_action(ctx->decided[i]);
        params[i].layer = miqps_verdict_layer(ctx->decided[i]);
    }

    return NGX_OK;
}
