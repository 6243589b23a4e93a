
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_RESPONSE_H_INCLUDED_
#define _NGX_HTTP_MIQPS_RESPONSE_H_INCLUDED_


#include "ngx_http_miqps.h"
#include "ngx_http_miqps_reference.h"


#pragma GCC visibility push(hidden)


/*
 * Headers that have URLs in them.  What is done with one puts a new value into
 * "h", in the request's pool, or leaves it.  NGX_OK, or NGX_ERROR without
 * memory.
 */

ngx_int_t ngx_http_miqps_response_link(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h);
ngx_int_t ngx_http_miqps_response_refresh(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h);

/*
 * The same for the reference "in", which is a part of the value or all of it
 * and which the client is sent to, unless that would lead it back.
 */
ngx_int_t ngx_http_miqps_response_redirect(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h, ngx_str_t *in);

/*
 * What becomes of the reference "in", which the client is sent to, by whatever
 * means: NGX_OK, and "clean" is in the request's pool; NGX_DECLINED if it stays
 * as it is, since that would lead it back, too; or NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_response_lead(ngx_http_miqps_base_t *base,
    ngx_str_t *in, ngx_str_t *clean);

/*
 * Links of a header Link, one after the other: "value" is the rest of it, of
 * which a link is cut off, with the comma and the spaces before it.  NGX_OK;
 * NGX_DECLINED at the end, or where it is none.
 */

typedef struct {
    ngx_str_t                    url;         /* between "<" and ">" */
    unsigned                     canonical:1;
    unsigned                     exact:1;     /* nothing of it may change */
} ngx_http_miqps_link_t;


ngx_int_t ngx_http_miqps_link_next(ngx_str_t *value,
    ngx_http_miqps_link_t *link);


/* ngx_http_miqps_rounds.c */

/* adds the zone; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_rounds_init(ngx_conf_t *cf,
    ngx_http_miqps_main_conf_t *mmcf);

/*
 * True if a client that asked for the request's URL, and is sent to "place",
 * would come back to where it was.  "place" is what we have made of a redirect.
 */
ngx_uint_t ngx_http_miqps_rounds_closed(ngx_http_miqps_base_t *base,
    ngx_http_miqps_place_t *place);

/* notes where it is sent to; "made" if that is what we have made of it */

void ngx_http_miqps_rounds_note(ngx_http_miqps_base_t *base,
    ngx_http_miqps_place_t *place, ngx_uint_t made);


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_RESPONSE_H_INCLUDED_ */
