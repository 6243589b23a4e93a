
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_reference.h"


/* what one reference needs, until the next one */

struct ngx_http_miqps_scratch_s {
    u_char                       joined[2 * NGX_HTTP_MIQPS_MAX_PATH];
    u_char                       resolved[NGX_HTTP_MIQPS_RESOLVE];
    u_char                       host[MIQPS_MAX_HOST];
    u_char                       out[NGX_HTTP_MIQPS_MAX_REFERENCE
                                     + NGX_HTTP_MIQPS_MAX_PATH
                                     + MIQPS_PATHS_GROWTH + MIQPS_MAX_HOST];
};


/* a reference in its parts, and as the URL that it stands for */

typedef struct {
    miqps_str_t                  in;
    miqps_url_t                  url;
    ngx_str_t                    host;        /* whose rules are for it */
    ngx_str_t                    path;        /* resolved */
    ngx_uint_t                   fixed;       /* its path is no rule's */
    ngx_uint_t                   alone;       /* "?" and so on */
} ngx_http_miqps_target_t;


static ngx_int_t ngx_http_miqps_reference_split(const ngx_str_t *in,
    ngx_http_miqps_target_t *to);
static ngx_int_t ngx_http_miqps_reference_relative(
    ngx_http_miqps_target_t *to);
static ngx_uint_t ngx_http_miqps_reference_plain(const ngx_str_t *in);
static ngx_int_t ngx_http_miqps_reference_host(ngx_http_miqps_base_t *base,
    ngx_http_miqps_target_t *to);
static ngx_uint_t ngx_http_miqps_reference_usual(miqps_url_t *url,
    ngx_str_t *port);
static ngx_uint_t ngx_http_miqps_reference_foreign(ngx_hash_combined_t *hosts,
    miqps_str_t *host);
static ngx_uint_t ngx_http_miqps_reference_named(ngx_http_request_t *r,
    miqps_str_t *host);
static ngx_int_t ngx_http_miqps_reference_path(ngx_http_miqps_base_t *base,
    ngx_http_miqps_target_t *to);
static ngx_int_t ngx_http_miqps_reference_clean(ngx_http_miqps_base_t *base,
    ngx_http_miqps_target_t *to, ngx_uint_t flags, miqps_result_t *res);
static void ngx_http_miqps_reference_last(ngx_http_miqps_base_t *base,
    u_char *buf, miqps_str_t *last);


ngx_int_t
ngx_http_miqps_reference(ngx_http_miqps_base_t *base, ngx_uint_t flags,
    const ngx_str_t *in, ngx_str_t *out)
{
    miqps_str_t                *host, *path, last;
    miqps_result_t              res;
    ngx_http_miqps_target_t     to;
    ngx_http_miqps_scratch_t   *scratch;

    if (in->len == 0 || in->len > NGX_HTTP_MIQPS_MAX_REFERENCE
        || (!base->conf->path_rules
            && memchr(in->data, '?', in->len) == NULL))
    {
        return NGX_DECLINED;
    }

    if (ngx_http_miqps_reference_split(in, &to) != NGX_OK
        || ngx_http_miqps_reference_host(base, &to) != NGX_OK
        || ngx_http_miqps_reference_path(base, &to) != NGX_OK
        || ngx_http_miqps_reference_clean(base, &to, flags, &res) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    scratch = base->conf->main->scratch;

    host = (res.host.data != to.host.data) ? &res.host : NULL;
    path = res.moved ? &res.path : NULL;

    /* nothing at all would be the page with the query that it has */

    if (to.alone && res.args.len == 0) {
        ngx_http_miqps_reference_last(base, scratch->joined, &last);
        path = &last;
    }

    out->data = scratch->out;
    out->len = miqps_url_compose(&to.url, &to.in, host, path, &res.args,
                                 scratch->out);

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_place(ngx_http_miqps_base_t *base, const ngx_str_t *in,
    ngx_http_miqps_place_t *place)
{
    miqps_str_t                host;
    ngx_http_miqps_target_t    to;
    ngx_http_miqps_scratch_t  *scratch;

    scratch = base->conf->main->scratch;

    if (in->len == 0 || base->unknown
        || ngx_http_miqps_reference_split(in, &to) != NGX_OK
        || ngx_http_miqps_reference_path(base, &to) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    place->host = base->server;

    if (to.url.authority.len > 0) {

        if (miqps_url_host(&to.url.host, scratch->host, &host) != MIQPS_OK) {
            return NGX_DECLINED;
        }

        place->host.data = scratch->host;
        place->host.len = host.len;
    }

    place->path = to.path;
    place->args.data = (u_char *) to.url.args.data;
    place->args.len = to.url.args.len;

    return NGX_OK;
}


/* NGX_DECLINED for what is none, or what browsers see in another way */

static ngx_int_t
ngx_http_miqps_reference_split(const ngx_str_t *in,
    ngx_http_miqps_target_t *to)
{
    ngx_str_t  path;

    if (!ngx_http_miqps_reference_plain(in)) {
        return NGX_DECLINED;
    }

    to->in.data = in->data;
    to->in.len = in->len;
    to->fixed = 0;
    to->alone = 0;

    if (miqps_url_split(&to->url, &to->in) != MIQPS_OK
        && ngx_http_miqps_reference_relative(to) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    path.data = (u_char *) to->url.path.data;
    path.len = to->url.path.len;

    return ngx_http_miqps_resolve_escaped(&path) ? NGX_DECLINED : NGX_OK;
}


/* true if no byte before the query is a space, a backslash or the like */

static ngx_uint_t
ngx_http_miqps_reference_plain(const ngx_str_t *in)
{
    size_t  i;
    u_char  c;

    for (i = 0; i < in->len; i++) {
        c = in->data[i];

        if (c <= ' ' || c == 0x7f || c == '\\') {
            return 0;
        }

        if (c == '?' || c == '#') {
            break;
        }
    }

    return 1;
}


/* what has a scheme and is no URL as above is "mailto:", "http:x" and so on */

static ngx_int_t
ngx_http_miqps_reference_relative(ngx_http_miqps_target_t *to)
{
    size_t          i;
    miqps_url_t    *url;
    const uint8_t  *p, *last;

    p = to->in.data;
    last = p + to->in.len;

    for (i = 0; i < to->in.len; i++) {

        if (p[i] == ':') {
            return NGX_DECLINED;
        }

        if (p[i] == '/' || p[i] == '?' || p[i] == '#') {
            break;
        }
    }

    /* a host that is none, or nothing but a fragment */

    if (p[0] == '#' || p[0] == '/') {
        return NGX_DECLINED;
    }

    url = &to->url;
    ngx_memzero(url, sizeof(miqps_url_t));

    url->fragment.data = memchr(p, '#', to->in.len);

    if (url->fragment.data == NULL) {
        url->fragment.data = last;
    }

    url->fragment.len = last - url->fragment.data;

    url->path.data = p;
    url->path.len = url->fragment.data - p;

    p = memchr(p, '?', url->path.len);

    if (p != NULL) {
        url->query = 1;
        url->args.data = p + 1;
        url->args.len = url->fragment.data - url->args.data;
        url->path.len = p - to->in.data;
    }

    to->fixed = 1;
    to->alone = (url->path.len == 0);

    return NGX_OK;
}


/* NGX_DECLINED for hosts of others */

static ngx_int_t
ngx_http_miqps_reference_host(ngx_http_miqps_base_t *base,
    ngx_http_miqps_target_t *to)
{
    miqps_str_t                host;
    miqps_url_t               *url;
    ngx_http_miqps_scratch_t  *scratch;

    static miqps_str_t  names = {
        (const uint8_t *) "server_names", sizeof("server_names") - 1
    };

    url = &to->url;

    if (url->authority.len == 0) {
        to->host = base->host;
        return base->unknown ? NGX_DECLINED : NGX_OK;
    }

    scratch = base->conf->main->scratch;

    if (url->host.data != url->authority.data
        || miqps_url_host(&url->host, scratch->host, &host) != MIQPS_OK)
    {
        return NGX_DECLINED;
    }

    if (host.len == base->server.len
        && ngx_memcmp(host.data, base->server.data, host.len) == 0)
    {
        to->host = base->rules;
        return ngx_http_miqps_reference_usual(url, &base->port) ? NGX_OK
                                                                : NGX_DECLINED;
    }

    if (base->conf->response_hosts == NULL
        || !ngx_http_miqps_reference_usual(url, NULL)
        || (!ngx_http_miqps_reference_foreign(base->conf->response_hosts, &host)
            && (!ngx_http_miqps_reference_foreign(base->conf->response_hosts,
                                                  &names)
                || !ngx_http_miqps_reference_named(base->request, &host))))
    {
        return NGX_DECLINED;
    }

    to->host.data = scratch->host;
    to->host.len = host.len;

    return NGX_OK;
}


/*
 * True for the port that the scheme has, and for the client's own.  The scheme
 * may be another one than here: there may be something in front of this
 * server.
 */

static ngx_uint_t
ngx_http_miqps_reference_usual(miqps_url_t *url, ngx_str_t *port)
{
    size_t          len;
    const uint8_t  *p;

    p = url->host.data + url->host.len;
    len = url->authority.data + url->authority.len - p;

    if (len == 0
        || (len == 3 && ngx_memcmp(p, ":80", 3) == 0 && url->scheme.len != 5)
        || (len == 4 && ngx_memcmp(p, ":443", 4) == 0 && url->scheme.len != 4))
    {
        return 1;
    }

    return port != NULL && len == port->len
           && ngx_memcmp(p, port->data, len) == 0;
}


static ngx_uint_t
ngx_http_miqps_reference_foreign(ngx_hash_combined_t *hosts, miqps_str_t *host)
{
    u_char  *name;

    name = (u_char *) host->data;

    return ngx_hash_find_combined(hosts, ngx_hash_key(name, host->len), name,
                                  host->len)
           != NULL;
}


/* true for a name of the server; patterns may be names of others, too */

static ngx_uint_t
ngx_http_miqps_reference_named(ngx_http_request_t *r, miqps_str_t *host)
{
    ngx_uint_t                 i;
    ngx_http_server_name_t    *name;
    ngx_http_core_srv_conf_t  *cscf;

    cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
    name = cscf->server_names.elts;

    for (i = 0; i < cscf->server_names.nelts; i++) {
        if (name[i].name.len == host->len
            && ngx_memcmp(name[i].name.data, host->data, host->len) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* the path that a browser would ask for */

static ngx_int_t
ngx_http_miqps_reference_path(ngx_http_miqps_base_t *base,
    ngx_http_miqps_target_t *to)
{
    u_char                    *p;
    size_t                     len;
    ngx_str_t                 *path;
    ngx_http_miqps_scratch_t  *scratch;

    path = &to->path;
    scratch = base->conf->main->scratch;

    if (to->alone) {
        *path = base->path;
        return NGX_OK;
    }

    path->data = (u_char *) to->url.path.data;
    path->len = to->url.path.len;

    if (path->len > NGX_HTTP_MIQPS_MAX_PATH) {
        return NGX_DECLINED;
    }

    if (path->len == 0) {
        ngx_str_set(path, "/");
        return NGX_OK;
    }

    if (to->fixed) {
        len = base->path.len;

        while (base->path.data[len - 1] != '/') {
            len--;
        }

        p = ngx_cpymem(scratch->joined, base->path.data, len);
        p = ngx_cpymem(p, path->data, path->len);

        path->data = scratch->joined;
        path->len = p - scratch->joined;
    }

    if (!ngx_http_miqps_resolve_dots(path)) {
        return NGX_OK;
    }

    to->fixed = 1;

    return ngx_http_miqps_resolve(path, scratch->resolved, path);
}


/* NGX_DECLINED if nothing changes */

static ngx_int_t
ngx_http_miqps_reference_clean(ngx_http_miqps_base_t *base,
    ngx_http_miqps_target_t *to, ngx_uint_t flags, miqps_result_t *res)
{
    ngx_str_t     args;
    miqps_url_t  *url;

    url = &to->url;

    args.data = (u_char *) url->args.data;
    args.len = url->args.len;

    /* with a port, or rules of another host, nobody knows what it mirrors */

    if (url->authority.len != url->host.len
        || (to->host.data == base->rules.data
            && base->rules.data != base->server.data)
        || url->authority.len == 0)
    {
        flags &= ~NGX_HTTP_MIQPS_AWAY;
    }

    flags |= NGX_HTTP_MIQPS_SHOWN|NGX_HTTP_MIQPS_PLANS;

    if (!to->fixed) {
        flags |= NGX_HTTP_MIQPS_PATHS;
    }

    if (ngx_http_miqps_normalize(base->request, base->conf, flags, &to->host,
                                 &to->path, &args, res)
        != NGX_OK)
    {
        return NGX_DECLINED;
    }

    if (res->guard != MIQPS_GUARD_PASS) {
        return NGX_DECLINED;
    }

    /* what begins with two slashes would be a host */

    if (res->moved && url->authority.len == 0
        && (res->path.len < 1 || res->path.data[0] != '/'
            || (res->path.len > 1 && (res->path.data[1] == '/'
                                      || res->path.data[1] == '\\'))))
    {
        return NGX_DECLINED;
    }

    if (res->changed || res->moved) {
        return NGX_OK;
    }

    /* a "?" with nothing after it goes as well, where it is of no page */

    return (url->query && args.len == 0 && !to->alone) ? NGX_OK : NGX_DECLINED;
}


/* the page itself without its query, as a relative reference */

static void
ngx_http_miqps_reference_last(ngx_http_miqps_base_t *base, u_char *buf,
    miqps_str_t *last)
{
    u_char     *p;
    size_t      len;
    ngx_str_t  *path;

    /* a base that follows makes another page of it, with no query either */

    if (base->open) {
        buf[0] = '?';

        last->data = buf;
        last->len = 1;

        return;
    }

    path = &base->path;
    p = path->data + path->len;

    while (p[-1] != '/') {
        p--;
    }

    len = path->data + path->len - p;

    last->data = p;
    last->len = len;

    if (len > 0 && ngx_strlchr(p, p + len, ':') == NULL) {
        return;
    }

    ngx_memcpy(ngx_cpymem(buf, "./", 2), p, len);

    last->data = buf;
    last->len = len + 2;
}


ngx_int_t
ngx_http_miqps_base_init(ngx_http_miqps_base_t *base, ngx_http_request_t *r)
{
    u_char     *p;
    ngx_str_t   args, *host;

    ngx_memzero(base, sizeof(ngx_http_miqps_base_t));

    base->request = r;
    base->conf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);

    r = r->main;

    ngx_http_miqps_server(r, &base->server);

    if (ngx_http_miqps_host(r, base->conf, &base->rules) != NGX_OK) {
        return NGX_ERROR;
    }

    base->host = base->rules;

    if (r->headers_in.host != NULL) {
        host = &r->headers_in.host->value;

        for (p = host->data + host->len; p > host->data; p--) {
            if (p[-1] < '0' || p[-1] > '9') {
                break;
            }
        }

        if (p > host->data && p[-1] == ':') {
            base->port.data = p - 1;
            base->port.len = host->data + host->len - base->port.data;
        }
    }

    /* a request line that nginx could not read has no path */

    if (r->unparsed_uri.len == 0 || r->uri_start == NULL
        || r->uri_start[0] != '/')
    {
        base->unknown = 1;
        return NGX_OK;
    }

    ngx_http_miqps_raw(r, &base->path, &args);

    /* parts of it may become references, and what browsers ask for is plain */

    if (base->path.len > NGX_HTTP_MIQPS_MAX_PATH
        || !ngx_http_miqps_reference_plain(&base->path)
        || memchr(base->path.data, '#', base->path.len) != NULL
        || ngx_http_miqps_resolve_dots(&base->path)
        || ngx_http_miqps_resolve_escaped(&base->path))
    {
        base->unknown = 1;
    }

    return NGX_OK;
}


void
ngx_http_miqps_base_share(ngx_http_miqps_base_t *base,
    ngx_http_miqps_base_t *outer)
{
    base->path = outer->path;
    base->unknown = outer->unknown;
    base->open = outer->open;

    if (outer->host.data != outer->rules.data) {
        base->host = outer->host;
    }
}


ngx_int_t
ngx_http_miqps_base_set(ngx_http_miqps_base_t *base, const ngx_str_t *href)
{
    u_char                   *p;
    ngx_http_miqps_target_t   to;

    base->open = 0;

    if (base->unknown) {
        return NGX_OK;
    }

    if (href->len == 0 || href->len > NGX_HTTP_MIQPS_MAX_REFERENCE
        || ngx_http_miqps_reference_split(href, &to) != NGX_OK
        || ngx_http_miqps_reference_host(base, &to) != NGX_OK
        || ngx_http_miqps_reference_path(base, &to) != NGX_OK
        || to.path.len > NGX_HTTP_MIQPS_MAX_PATH)
    {
        base->unknown = 1;
        return NGX_OK;
    }

    p = ngx_pnalloc(base->request->pool, to.host.len + to.path.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    base->path.data = p;
    base->path.len = to.path.len;
    p = ngx_cpymem(p, to.path.data, to.path.len);

    if (to.host.data != base->rules.data) {
        base->host.data = p;
        base->host.len = to.host.len;
        ngx_memcpy(p, to.host.data, to.host.len);

    } else {
        base->host = base->rules;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_reference_init(ngx_conf_t *cf, ngx_http_miqps_main_conf_t *mmcf)
{
    mmcf->scratch = ngx_palloc(cf->pool, sizeof(ngx_http_miqps_scratch_t));

    return (mmcf->scratch != NULL) ? NGX_OK : NGX_ERROR;
}
