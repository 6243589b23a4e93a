
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_html.h"


static ngx_buf_t *ngx_http_miqps_html_put(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static ngx_buf_t *ngx_http_miqps_html_last(ngx_http_miqps_html_ctx_t *ctx);
static ngx_buf_t *ngx_http_miqps_html_empty(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx);
static void ngx_http_miqps_html_sent(ngx_http_miqps_html_ctx_t *ctx);


#define NGX_HTTP_MIQPS_HTML_TAG                                               \
    ((ngx_buf_tag_t) &ngx_http_miqps_html_filter_module)


ngx_uint_t
ngx_http_miqps_html_room(ngx_http_miqps_html_ctx_t *ctx)
{
    return ctx->bufs + 2 <= NGX_HTTP_MIQPS_HTML_BUFS;
}


/* a buffer at the end of what is put out, to be filled */

static ngx_buf_t *
ngx_http_miqps_html_put(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_chain_t  *cl;

    cl = ngx_chain_get_free_buf(r->pool, &ctx->free);
    if (cl == NULL) {
        return NULL;
    }

    ctx->bufs++;

    cl->next = NULL;
    *ctx->last_out = cl;
    ctx->last_out = &cl->next;

    return cl->buf;
}


ngx_int_t
ngx_http_miqps_html_pass(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_buf_t  *b, *buf;

    if (ctx->from == ctx->to) {
        return NGX_OK;
    }

    b = ngx_http_miqps_html_put(r, ctx);
    if (b == NULL) {
        return NGX_ERROR;
    }

    buf = ctx->buf;
    *b = *buf;

    b->pos = ctx->from;
    b->last = ctx->to;
    b->tag = NULL;
    b->shadow = NULL;
    b->last_shadow = 0;
    b->recycled = 0;
    b->flush = 0;
    b->sync = 0;
    b->last_buf = 0;
    b->last_in_chain = 0;

    if (b->in_file) {
        b->file_last = b->file_pos + (b->last - buf->pos);
        b->file_pos += b->pos - buf->pos;
    }

    ctx->from = ctx->to;
    ctx->shown = 1;

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_html_text(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx,
    size_t len)
{
    ngx_buf_t  *b;

    b = ngx_http_miqps_html_put(r, ctx);
    if (b == NULL) {
        return NGX_ERROR;
    }

    ngx_memzero(b, sizeof(ngx_buf_t));

    b->tag = NGX_HTTP_MIQPS_HTML_TAG;
    b->memory = 1;
    b->start = ctx->pos;
    b->pos = ctx->pos;
    b->last = ctx->pos + len;
    b->end = b->last;

    ctx->pos = b->last;
    ctx->texts++;

    return NGX_OK;
}


/*
 * The last of what was put out tells it, if there is anything that is not sent
 * yet.  A buffer of which nothing was put out is done with.
 */

ngx_int_t
ngx_http_miqps_html_end(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_buf_t  *b, *buf;

    buf = ctx->buf;
    ctx->buf = NULL;

    if (!ctx->shown && !ngx_buf_special(buf) && !buf->flush && !buf->last_buf
        && !buf->last_in_chain)
    {
        buf->pos = buf->last;
        buf->file_pos = buf->file_last;

        return NGX_OK;
    }

    b = ngx_http_miqps_html_last(ctx);

    /* one tells of one buffer only */

    if (b == NULL || b->shadow != NULL) {
        b = ngx_http_miqps_html_empty(r, ctx);
        if (b == NULL) {
            return NGX_ERROR;
        }
    }

    b->flush = buf->flush;
    b->last_buf = buf->last_buf;
    b->last_in_chain = buf->last_in_chain;
    b->recycled = buf->recycled;
    b->shadow = buf;

    return NGX_OK;
}


/*
 * nginx waits for more than "postpone_output" bytes, or for a buffer that is
 * recycled.  Without a buffer, it does not look at what it has, unless that
 * waits for the client; and a part of a page has to wait for its turn.
 */

ngx_int_t
ngx_http_miqps_html_urge(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_buf_t  *b;

    b = ngx_http_miqps_html_last(ctx);

    if (b == NULL) {

        if (r->connection->buffered || r != r->connection->data) {
            return NGX_OK;
        }

        b = ngx_http_miqps_html_empty(r, ctx);
        if (b == NULL) {
            return NGX_ERROR;
        }
    }

    b->recycled = 1;

    return NGX_OK;
}


/* of what is put out and not sent yet, or NULL */

static ngx_buf_t *
ngx_http_miqps_html_last(ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_chain_t  *cl;

    if (ctx->out == NULL) {
        return NULL;
    }

    cl = (ngx_chain_t *) ((u_char *) ctx->last_out
                          - offsetof(ngx_chain_t, next));

    return cl->buf;
}


/* a buffer without bytes, put out to tell something */

static ngx_buf_t *
ngx_http_miqps_html_empty(ngx_http_request_t *r,
    ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_buf_t  *b;

    b = ngx_http_miqps_html_put(r, ctx);

    if (b != NULL) {
        ngx_memzero(b, sizeof(ngx_buf_t));
        b->sync = 1;
    }

    return b;
}


ngx_int_t
ngx_http_miqps_html_send(ngx_http_request_t *r, ngx_http_miqps_html_ctx_t *ctx,
    ngx_http_output_body_filter_pt next)
{
    ngx_int_t     rc;
    ngx_chain_t  *cl;

    rc = next(r, ctx->out);

    if (ctx->busy == NULL) {
        ctx->busy = ctx->out;

    } else {
        for (cl = ctx->busy; cl->next; cl = cl->next) { /* void */ }
        cl->next = ctx->out;
    }

    ctx->out = NULL;
    ctx->last_out = &ctx->out;

    ngx_http_miqps_html_sent(ctx);

    return rc;
}


/* what was sent is free again, and so are the buffers that it lay over */

static void
ngx_http_miqps_html_sent(ngx_http_miqps_html_ctx_t *ctx)
{
    ngx_buf_t    *b;
    ngx_chain_t  *cl;

    while (ctx->busy != NULL) {
        cl = ctx->busy;
        b = cl->buf;

        if (ngx_buf_size(b) != 0) {
            break;
        }

        if (b->shadow != NULL) {
            b->shadow->pos = b->shadow->last;
            b->shadow->file_pos = b->shadow->file_last;
        }

        ctx->busy = cl->next;
        ctx->bufs--;

        if (b->tag == NGX_HTTP_MIQPS_HTML_TAG) {
            ctx->texts--;
        }

        /* nobody knows when one without bytes is done with */

        if (ngx_buf_in_memory(b) || b->in_file) {
            cl->next = ctx->free;
            ctx->free = cl;
        }
    }

    if (ctx->texts == 0) {
        ctx->pos = ctx->text;
    }
}
