
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_URL_H_INCLUDED_
#define _MIQPS_URL_H_INCLUDED_


#include "miqps_core.h"


/*
 * A URL in its parts, as bytes of the input:
 *
 *     https://user@Shop.example:8443/shoes;x/?color=red#top
 *     |    |  |    |          |     |        |         |
 *     scheme  |    host       |     path     args      fragment
 *             authority ------+---+
 *
 * This is for lists of URLs, where anything can stand: it takes what a
 * browser would fetch, and leaves judging it to others.  A fragment is cut
 * off here, while a "#" in the target of a request is the guard's business.
 */

typedef struct {
    miqps_str_t     scheme;       /* empty in "//host/path" and "/path" */
    miqps_str_t     authority;    /* empty in "/path" */
    miqps_str_t     host;         /* without user and port, as written */
    miqps_str_t     path;         /* may be empty if there is an authority */
    miqps_str_t     args;         /* without "?" */
    miqps_str_t     fragment;     /* with "#", or empty */
    unsigned        query:1;      /* there is a "?" */
} miqps_url_t;


/*
 * Splits "http://...", "https://...", "//host..." or "/path...".  "url"
 * points into "in".
 *
 * MIQPS_OK      "url" is filled
 * MIQPS_SYNTAX  it is none of these, has no host, or a space or control byte
 *               in its authority; "url" is void
 */
miqps_rc_e miqps_url_split(miqps_url_t *url, const miqps_str_t *in);


/*
 * Puts a host, a path and arguments in the place of those of "url", which "in"
 * was split into, and writes all of it to "out".  Host and path may be NULL,
 * for what is there.  A query that is empty loses its "?".  "out" is room for
 * in->len bytes and whatever these have more; returns how many were written.
 */
size_t miqps_url_compose(const miqps_url_t *url, const miqps_str_t *in,
    const miqps_str_t *host, const miqps_str_t *path, const miqps_str_t *args,
    uint8_t *out);


/*
 * Writes the host that rules are looked up by: lower case, without the
 * trailing dot.  "out" is room for MIQPS_MAX_HOST bytes.
 *
 * MIQPS_OK        "canon" points to "out"
 * MIQPS_TOO_LONG  nothing is set
 */
miqps_rc_e miqps_url_host(const miqps_str_t *host, uint8_t *out,
    miqps_str_t *canon);


#endif /* _MIQPS_URL_H_INCLUDED_ */
