
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_html.h"
#include "ngx_http_miqps_response.h"


static ngx_int_t ngx_http_miqps_html_header_filter(ngx_http_request_t *r);
static ngx_uint_t ngx_http_miqps_html_is(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);
static ngx_int_t ngx_http_miqps_html_begin(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);
static void ngx_http_miqps_html_part(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_html_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);
static ngx_int_t ngx_http_miqps_html_read(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static void ngx_http_miqps_html_take(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_html_pieces(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_html_piece(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_html_base(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_html_link(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx, size_t *len);
static ngx_int_t ngx_http_miqps_html_held(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_html_memory(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_int_t ngx_http_miqps_html_init(ngx_conf_t *cf);


/*
 * All four bits are taken.  This one is that of the image filter, which does
 * not see a page.
 */

#define NGX_HTTP_MIQPS_HTML_BUFFERED  0x08


static ngx_http_module_t  ngx_http_miqps_html_filter_module_ctx = {
    NULL,                                  /* preconfiguration */
    ngx_http_miqps_html_init,              /* postconfiguration */

    NULL,                                  /* create main configuration */
    NULL,                                  /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    NULL,                                  /* create location configuration */
    NULL                                   /* merge location configuration */
};


/*
 * A module of its own, since it has to stand behind gunzip; its settings are
 * those of ngx_http_miqps_module.
 */

ngx_module_t  ngx_http_miqps_html_filter_module = {
    NGX_MODULE_V1,
    &ngx_http_miqps_html_filter_module_ctx,    /* module context */
    NULL,                                  /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    NULL,                                  /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    NULL,                                  /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;


static ngx_int_t
ngx_http_miqps_html_header_filter(ngx_http_request_t *r)
{
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);

    if (mlcf->response != NGX_HTTP_MIQPS_RESPONSE_HTML
        || !ngx_http_miqps_html_is(r, mlcf))
    {
        return ngx_http_next_header_filter(r);
    }

    if (ngx_http_miqps_html_begin(r, mlcf) != NGX_OK) {
        return NGX_ERROR;
    }

    r->filter_need_in_memory = 1;

    if (r == r->main) {
        ngx_http_clear_content_length(r);
        ngx_http_clear_accept_ranges(r);

        if (mlcf->response_last_modified) {
            ngx_http_weak_etag(r);

        } else {
            ngx_http_clear_last_modified(r);
            ngx_http_clear_etag(r);
        }
    }

    return ngx_http_next_header_filter(r);
}


/*
 * A part of a page, or one that is still encoded, cannot be read.  Parts are
 * what slices are, too: each comes as a request of its own, and as status 200.
 */

static ngx_uint_t
ngx_http_miqps_html_is(ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf)
{
    return r->headers_out.content_length_n != 0
           && r->headers_out.status != NGX_HTTP_PARTIAL_CONTENT
           && r->headers_out.status != NGX_HTTP_NOT_MODIFIED
           && !r->subrequest_ranges
           && (r->headers_out.content_encoding == NULL
               || r->headers_out.content_encoding->value.len == 0)
           && ngx_http_test_content_type(r, &mlcf->response_types) != NULL
           && ngx_http_miqps_html_charset(&r->headers_out.charset);
}


ngx_uint_t
ngx_http_miqps_html_charset(ngx_str_t *charset)
{
    static ngx_str_t  strange[] = {
        ngx_string("utf-16"),
        ngx_string("utf16"),
        ngx_string("utf-32"),
        ngx_string("utf32"),
        ngx_string("utf-7"),
        ngx_string("utf7"),
        ngx_string("ucs-"),
        ngx_string("unicode"),
        ngx_string("iso-10646"),
        ngx_string("iso-2022"),
        ngx_string("csiso2022"),
        ngx_string("csunicode"),
        ngx_string("hz-"),
        ngx_null_string
    };

    ngx_str_t  *s;

    for (s = strange; s->len != 0; s++) {
        if (charset->len >= s->len
            && ngx_strncasecmp(charset->data, s->data, s->len) == 0)
        {
            return 0;
        }
    }

    return 1;
}


static ngx_int_t
ngx_http_miqps_html_begin(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    ngx_http_miqps_html_ctx_t  *ctx;

    ctx = ngx_palloc(r->pool, sizeof(ngx_http_miqps_html_ctx_t));
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    ngx_memzero(ctx, offsetof(ngx_http_miqps_html_ctx_t, html));

    ctx->last_out = &ctx->out;

    miqps_html_init(&ctx->html, mlcf->path_rules);

    if (ngx_http_miqps_base_init(&ctx->base, r) != NGX_OK) {
        return NGX_ERROR;
    }

    ctx->base.open = 1;

    if (r != r->main) {
        ngx_http_miqps_html_part(r, ctx);
    }

    ngx_http_set_ctx(r, ctx, ngx_http_miqps_html_filter_module);

    return NGX_OK;
}


/* nobody has read the bases of a page that is not filtered itself */

static void
ngx_http_miqps_html_part(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_http_request_t         *pr;
    ngx_http_miqps_html_ctx_t  *outer;

    for (pr = r->parent; pr != NULL; pr = pr->parent) {
        outer = ngx_http_get_module_ctx(pr, ngx_http_miqps_html_filter_module);

        if (outer != NULL) {
            ngx_http_miqps_base_share(&ctx->base, &outer->base);
            return;
        }
    }

    ctx->base.unknown = 1;
}


static ngx_int_t
ngx_http_miqps_html_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_int_t                   rc, more;
    ngx_http_miqps_html_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_miqps_html_filter_module);

    if (ctx == NULL
        || (in == NULL && ctx->in == NULL && ctx->buf == NULL
            && ctx->busy == NULL))
    {
        return ngx_http_next_body_filter(r, in);
    }

    if (in != NULL && ngx_chain_add_copy(r->pool, &ctx->in, in) != NGX_OK) {
        return NGX_ERROR;
    }

    /* what waits for the client may be gone by now */

    if (ctx->busy != NULL && !ngx_http_miqps_html_room(ctx)
        && ngx_http_miqps_html_send(r, ctx, ngx_http_next_body_filter)
           == NGX_ERROR)
    {
        return NGX_ERROR;
    }

    for ( ;; ) {
        more = ngx_http_miqps_html_read(r, ctx);

        if (more == NGX_ERROR) {
            return NGX_ERROR;
        }

        if (ctx->out == NULL && ctx->busy == NULL) {
            return NGX_OK;
        }

        /* what comes next must not wait until there is enough to be sent */

        if ((more == NGX_AGAIN || !ngx_http_miqps_html_room(ctx))
            && ngx_http_miqps_html_urge(r, ctx) != NGX_OK)
        {
            return NGX_ERROR;
        }

        rc = ngx_http_miqps_html_send(r, ctx, ngx_http_next_body_filter);

        if (rc == NGX_ERROR) {
            return NGX_ERROR;
        }

        if (more == NGX_OK) {
            r->buffered &= ~NGX_HTTP_MIQPS_HTML_BUFFERED;
            return rc;
        }

        if (ctx->busy != NULL) {
            r->buffered |= NGX_HTTP_MIQPS_HTML_BUFFERED;
            return NGX_AGAIN;
        }
    }
}


/* NGX_OK if all was read; NGX_AGAIN if there is no more room; NGX_ERROR */

static ngx_int_t
ngx_http_miqps_html_read(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_int_t  rc;

    while (ctx->buf != NULL || ctx->in != NULL) {

        if (ctx->buf == NULL) {
            ngx_http_miqps_html_take(r, ctx);
        }

        rc = ngx_http_miqps_html_pieces(r, ctx);

        if (rc == NGX_OK && !ctx->ended
            && (ctx->buf->last_buf || ctx->buf->last_in_chain))
        {
            /* what is held is not going to be whole */

            ctx->ended = 1;
            miqps_html_finish(&ctx->html);

            rc = ngx_http_miqps_html_pieces(r, ctx);
        }

        if (rc != NGX_OK) {
            return rc;
        }

        if (!ngx_http_miqps_html_room(ctx)) {
            return NGX_AGAIN;
        }

        if (ngx_http_miqps_html_pass(r, ctx) != NGX_OK
            || ngx_http_miqps_html_end(r, ctx) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static void
ngx_http_miqps_html_take(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    cl = ctx->in;
    b = cl->buf;

    ctx->in = cl->next;
    ngx_free_chain(r->pool, cl);

    ctx->buf = b;
    ctx->shown = 0;
    ctx->from = b->pos;
    ctx->to = b->pos;

    if (ngx_buf_in_memory(b)) {
        miqps_html_feed(&ctx->html, b->pos, b->last - b->pos);
    }
}


/* all that the scanner has; results as above */

static ngx_int_t
ngx_http_miqps_html_pieces(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_int_t  rc;

    for ( ;; ) {

        if (ctx->what == MIQPS_HTML_MORE) {
            ctx->what = miqps_html_next(&ctx->html, &ctx->piece);

            if (ctx->what == MIQPS_HTML_MORE) {
                return NGX_OK;
            }
        }

        rc = ngx_http_miqps_html_piece(r, ctx);

        if (rc != NGX_OK) {
            return rc;
        }

        ctx->what = MIQPS_HTML_MORE;
    }
}


static ngx_int_t
ngx_http_miqps_html_piece(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx)
{
    size_t               len;
    ngx_int_t            rc;
    miqps_html_piece_t  *piece;

    piece = &ctx->piece;
    rc = NGX_DECLINED;

    if (ctx->what == MIQPS_HTML_BASE) {

        if (ngx_http_miqps_html_base(r, ctx) != NGX_OK) {
            return NGX_ERROR;
        }

        /* once, even if there is no room */

        ctx->what = MIQPS_HTML_TEXT;
    }

    if (ctx->what == MIQPS_HTML_LINK) {
        rc = ngx_http_miqps_html_link(r, ctx, &len);

        if (rc == NGX_AGAIN || rc == NGX_ERROR) {
            return rc;
        }
    }

    if (rc == NGX_DECLINED) {

        if (piece->held) {
            return ngx_http_miqps_html_held(r, ctx);
        }

        /* before it may be the end of what was held, which was told */

        if (ctx->to != piece->data) {
            ctx->from = (u_char *) piece->data;
        }

        ctx->to = (u_char *) piece->data + piece->len;

        return NGX_OK;
    }

    if (ngx_http_miqps_html_pass(r, ctx) != NGX_OK
        || ngx_http_miqps_html_text(r, ctx, len) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (!piece->held) {
        ctx->from = (u_char *) piece->data + piece->len;
        ctx->to = ctx->from;
    }

    return NGX_OK;
}


/* that of a part is the page's, too, unless the page has had one */

static ngx_int_t
ngx_http_miqps_html_base(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    u_char                      decoded[MIQPS_HTML_HOLD];
    ngx_str_t                   href;
    miqps_str_t                 url;
    ngx_http_request_t         *pr;
    ngx_http_miqps_html_ctx_t  *outer;

    if (!ctx->base.open) {
        return NGX_OK;
    }

    if (miqps_html_decode(&ctx->piece, decoded, &url) == MIQPS_OK) {
        href.data = (u_char *) url.data;
        href.len = url.len;

    } else {
        ngx_str_null(&href);
    }

    if (ngx_http_miqps_base_set(&ctx->base, &href) != NGX_OK) {
        return NGX_ERROR;
    }

    for (pr = r->parent; pr != NULL; pr = pr->parent) {
        outer = ngx_http_get_module_ctx(pr, ngx_http_miqps_html_filter_module);

        if (outer == NULL) {
            continue;
        }

        if (outer->base.open) {
            ngx_http_miqps_base_share(&outer->base, &ctx->base);

        } else {

            /* which of the two comes first? */

            outer->base.unknown = 1;
        }
    }

    return NGX_OK;
}


/*
 * NGX_OK        the clean link, as it stands in HTML, is at ctx->pos
 * NGX_DECLINED  it stays as it is
 * NGX_AGAIN     there is no room now
 */

static ngx_int_t
ngx_http_miqps_html_link(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx,
    size_t *len)
{
    u_char       decoded[MIQPS_HTML_HOLD];
    ngx_int_t    rc;
    ngx_str_t    in, out;
    miqps_str_t  url;

    if (miqps_html_decode(&ctx->piece, decoded, &url) != MIQPS_OK) {
        return NGX_DECLINED;
    }

    in.data = (u_char *) url.data;
    in.len = url.len;

    if (ctx->piece.in == MIQPS_HTML_REFRESH) {
        rc = ngx_http_miqps_response_lead(&ctx->base, &in, &out);

    } else {
        rc = ngx_http_miqps_reference(&ctx->base,
                                      ctx->piece.canonical ? NGX_HTTP_MIQPS_AWAY
                                                           : 0,
                                      &in, &out);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_http_miqps_html_memory(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!ngx_http_miqps_html_room(ctx)) {
        return NGX_AGAIN;
    }

    url.data = out.data;
    url.len = out.len;

    switch (miqps_html_encode(&ctx->piece, &url, ctx->pos,
                              ctx->text + NGX_HTTP_MIQPS_HTML_TEXT - ctx->pos,
                              len))
    {
    case MIQPS_OK:
        return NGX_OK;

    case MIQPS_NO_SPACE:

        /* one that is too long for all of it stays */

        return (ctx->texts > 0) ? NGX_AGAIN : NGX_DECLINED;

    default:
        return NGX_DECLINED;
    }
}


/* bytes of a buffer that is gone, or at its end */

static ngx_int_t
ngx_http_miqps_html_held(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    miqps_html_piece_t  *piece;

    piece = &ctx->piece;

    if (ngx_http_miqps_html_memory(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!ngx_http_miqps_html_room(ctx)
        || ctx->pos + piece->len > ctx->text + NGX_HTTP_MIQPS_HTML_TEXT)
    {
        return NGX_AGAIN;
    }

    /* of the last buffer of a page it may stand behind text */

    if (ngx_http_miqps_html_pass(r, ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_memcpy(ctx->pos, piece->data, piece->len);

    return ngx_http_miqps_html_text(r, ctx, piece->len);
}


static ngx_int_t
ngx_http_miqps_html_memory(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx)
{
    if (ctx->text != NULL) {
        return NGX_OK;
    }

    ctx->text = ngx_palloc(r->pool, NGX_HTTP_MIQPS_HTML_TEXT);
    ctx->pos = ctx->text;

    return (ctx->text != NULL) ? NGX_OK : NGX_ERROR;
}


/* the settings have been merged */

static ngx_int_t
ngx_http_miqps_html_init(ngx_conf_t *cf)
{
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    if (!mmcf->html) {
        return NGX_OK;
    }

    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_miqps_html_header_filter;

    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_miqps_html_body_filter;

    return NGX_OK;
}
