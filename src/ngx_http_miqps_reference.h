
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_REFERENCE_H_INCLUDED_
#define _NGX_HTTP_MIQPS_REFERENCE_H_INCLUDED_


#include "ngx_http_miqps.h"


/*
 * REFERENCES
 *
 * URLs as headers and pages of a response have them:
 *
 *     https://shop.example/p?id=7&fbclid=x     absolute
 *     //shop.example/p?id=7&fbclid=x
 *     /p?id=7&fbclid=x                         from the root of the host
 *     ../p?id=7&fbclid=x                       from the page that it stands on
 *     ?id=7&fbclid=x                           of that page itself
 *
 * A reference is cleaned as the URL is that a browser would make of it; but
 * what is relative stays relative, and of one that is so to a page only the
 * query changes.  Where <base> may follow, which is for the links before it as
 * well, a query that loses all of its parameters stays as "?": what else has no
 * query is relative to one page only.  Resolved with uriparser is what has dots
 * in its path.
 *
 * Left alone are references to hosts other than that of the request and those
 * of miqps_response_hosts, or with a user or an unusual port; whatever
 * browsers would read in another way than RFC 3986 says, such as backslashes,
 * spaces and escaped dots in a path; and what the guard refuses.
 *
 * One base serves all references of a response:
 *
 *     ngx_http_miqps_base_t  base;
 *
 *     rc = ngx_http_miqps_base_init(&base, r);
 *     ...
 *     rc = ngx_http_miqps_reference(&base, 0, &in, &out);
 */

typedef struct {
    ngx_http_request_t          *request;
    ngx_http_miqps_loc_conf_t   *conf;

    ngx_str_t                    server;      /* the host of the request, */
    ngx_str_t                    port;        /* its port as the client has it,
                                                 with ":", or empty, */
    ngx_str_t                    rules;       /* and whose rules are for it */

    ngx_str_t                    host;        /* whose rules are for what is
                                                 relative, */
    ngx_str_t                    path;        /* and to what */
    ngx_uint_t                   unknown;     /* nobody knows: it stays */
    ngx_uint_t                   open;        /* <base> may follow, for all */
} ngx_http_miqps_base_t;


/* of a longer one nothing is changed */

#define NGX_HTTP_MIQPS_MAX_REFERENCE  (NGX_HTTP_MIQPS_MAX_PATH + MIQPS_MAX_ARGS)


#pragma GCC visibility push(hidden)


/*
 * Begins with the URL of the request that "r" belongs to, as the client sent
 * it.  Uses r->pool, once.  NGX_OK, or NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_base_init(ngx_http_miqps_base_t *base,
    ngx_http_request_t *r);

/*
 * Between a page and a part of it: what is relative in the one is so to what
 * it is in "outer".
 */
void ngx_http_miqps_base_share(ngx_http_miqps_base_t *base,
    ngx_http_miqps_base_t *outer);

/*
 * What <base href> says: "href", which may itself be relative to the request.
 * Where it is not understood, or is of a host that is left alone, relative
 * references are left alone from then on.  Copies to the pool what it needs.
 * NGX_OK, or NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_base_set(ngx_http_miqps_base_t *base,
    const ngx_str_t *href);

/*
 * Cleans a reference.  "in" has the URL alone, without spaces around it and
 * with nothing escaped that is not so in the URL: in HTML, "&amp;" must have
 * become "&".
 *
 * "flags" is NGX_HTTP_MIQPS_AWAY where a mirror may become the host that it
 * mirrors: in redirects and canonical links; or 0.
 *
 * NGX_OK        "out" is the clean one, which differs; it lies in memory of
 *               the process, up to the next call of anything that normalizes,
 *               so that a page with many links takes no memory of the request
 * NGX_DECLINED  it stays as it is; "out" is not set
 */
ngx_int_t ngx_http_miqps_reference(ngx_http_miqps_base_t *base,
    ngx_uint_t flags, const ngx_str_t *in, ngx_str_t *out);


/*
 * Where a client goes that is told "in" in a redirect: "host", "path" without
 * dots, and "args", as bytes of the reference, of the base, or of the process
 * as above.  Here hosts of others are as good as our own.  NGX_OK; or
 * NGX_DECLINED for what is left alone because of its bytes.
 */

typedef struct {
    ngx_str_t                    host;
    ngx_str_t                    path;
    ngx_str_t                    args;
} ngx_http_miqps_place_t;


ngx_int_t ngx_http_miqps_place(ngx_http_miqps_base_t *base,
    const ngx_str_t *in, ngx_http_miqps_place_t *place);

/* memory for all that, in the configuration's pool; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_reference_init(ngx_conf_t *cf,
    ngx_http_miqps_main_conf_t *mmcf);


/* ngx_http_miqps_resolve.c */

/* true if a path has segments "." or ".." */

ngx_uint_t ngx_http_miqps_resolve_dots(const ngx_str_t *path);

/* true if it has an escaped dot, which is one to browsers alone */

ngx_uint_t ngx_http_miqps_resolve_escaped(const ngx_str_t *path);

/*
 * Takes such segments out of a path that begins with a slash.  "buf" has
 * NGX_HTTP_MIQPS_RESOLVE bytes, in which "out" will lie.  NGX_OK; or
 * NGX_DECLINED if it is no path of RFC 3986, or longer than
 * NGX_HTTP_MIQPS_MAX_DOTS.
 */
ngx_int_t ngx_http_miqps_resolve(const ngx_str_t *path, u_char *buf,
    ngx_str_t *out);

#define NGX_HTTP_MIQPS_MAX_DOTS  2048

/* for the text, twice, and for what uriparser has of each segment, twice */

#define NGX_HTTP_MIQPS_RESOLVE   (NGX_HTTP_MIQPS_MAX_DOTS * 64 + 4096)


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_REFERENCE_H_INCLUDED_ */
