
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_HTML_H_INCLUDED_
#define _NGX_HTTP_MIQPS_HTML_H_INCLUDED_


#include "ngx_http_miqps_reference.h"

#pragma GCC visibility push(hidden)
#include "miqps_html.h"
#pragma GCC visibility pop


/*
 * LINKS OF A PAGE
 *
 * The body goes by as buffers.  Of each one, what is between two links that
 * change is sent on as a buffer of ours over the same memory; a link that
 * changes is written to "text", and so is the part of a link that the end of
 * a buffer cuts.  A buffer is given back when all that lies over it is sent.
 *
 *     in      | ..<a href="/p?utm_id=1">.. | ..
 *     out     | ........ |
 *                        | /p |                     of "text"
 *                             | .......... |
 *
 * There are not more than NGX_HTTP_MIQPS_HTML_BUFS of our buffers, and
 * NGX_HTTP_MIQPS_HTML_TEXT bytes of such text, that are not sent yet.  When
 * these are used up, the rest of the input waits for the client.
 */

#define NGX_HTTP_MIQPS_HTML_BUFS  64
#define NGX_HTTP_MIQPS_HTML_TEXT  (2 * MIQPS_HTML_HOLD)


typedef struct {
    ngx_http_miqps_base_t        base;

    ngx_chain_t                 *in;          /* not begun yet */
    ngx_buf_t                   *buf;         /* being read, or NULL */
    u_char                      *from;        /* of it, what goes on as it is */
    u_char                      *to;

    miqps_html_e                 what;        /* a piece that found no room, */
    miqps_html_piece_t           piece;       /* or MIQPS_HTML_MORE */

    ngx_chain_t                 *out;
    ngx_chain_t                **last_out;
    ngx_chain_t                 *busy;
    ngx_chain_t                 *free;

    ngx_uint_t                   bufs;        /* in "out" and "busy" */
    ngx_uint_t                   texts;       /* of these, with our text */
    u_char                      *text;        /* NULL: not needed so far */
    u_char                      *pos;         /* where it is free */

    unsigned                     shown:1;     /* some of "buf" was put out */
    unsigned                     ended:1;     /* the body */

    miqps_html_t                 html;
} ngx_http_miqps_html_ctx_t;


#pragma GCC visibility push(hidden)


extern ngx_module_t  ngx_http_miqps_html_filter_module;


/* ngx_http_miqps_html.c */

/* true if bytes of ASCII are ASCII in a charset, wherever they stand */

ngx_uint_t ngx_http_miqps_html_charset(ngx_str_t *charset);


/* ngx_http_miqps_html_out.c */

/* true if there is room for two buffers */

ngx_uint_t ngx_http_miqps_html_room(ngx_http_miqps_html_ctx_t *ctx);

/*
 * Puts out what of the buffer goes on as it is.  NGX_OK, or NGX_ERROR without
 * memory; so do those that follow.
 */
ngx_int_t ngx_http_miqps_html_pass(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);

/* the same for "len" bytes of ctx->text, from ctx->pos on */

ngx_int_t ngx_http_miqps_html_text(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx, size_t len);

/* the same for what a buffer says that was read: it is the last one, ... */

ngx_int_t ngx_http_miqps_html_end(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);

/* sees to it that nginx keeps nothing back, however little that is */

ngx_int_t ngx_http_miqps_html_urge(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);

/* sends what was put out; results are those of a body filter */

ngx_int_t ngx_http_miqps_html_send(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx, ngx_http_output_body_filter_pt next);


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_HTML_H_INCLUDED_ */
