
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_bulk.h"


static ngx_http_miqps_bulk_t *ngx_http_miqps_bulk_find(ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_bulk_prepare(ngx_http_miqps_bulk_t *bulk);
static void ngx_http_miqps_bulk_writer(ngx_http_request_t *r);
static void ngx_http_miqps_bulk_turn(ngx_http_miqps_bulk_t *bulk);
static ngx_int_t ngx_http_miqps_bulk_last(ngx_http_miqps_bulk_t *bulk);
static ngx_int_t ngx_http_miqps_bulk_send(ngx_http_miqps_bulk_t *bulk);
static void ngx_http_miqps_bulk_wait(ngx_http_miqps_bulk_t *bulk);
static ngx_int_t ngx_http_miqps_bulk_next(ngx_http_miqps_bulk_t *bulk);


#define NGX_HTTP_MIQPS_BULK_TAG  ((ngx_buf_tag_t) &ngx_http_miqps_module)


void
ngx_http_miqps_bulk_start(ngx_http_request_t *r)
{
    ngx_int_t               rc;
    ngx_uint_t              status;
    const char             *why;
    ngx_http_miqps_bulk_t  *bulk;

    bulk = ngx_http_miqps_bulk_find(r);

    if (r->request_body == NULL) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    bulk->body = r->request_body->bufs;
    bulk->work = ngx_http_miqps_bulk_lines;

    if (bulk->line == NULL) {
        why = ngx_http_miqps_bulk_array(bulk, &status);

        if (why != NULL) {
            ngx_http_finalize_request(r, ngx_http_miqps_bulk_tell(r, status,
                                                                  why));
            return;
        }

    } else if (ngx_http_miqps_bulk_prepare(bulk) != NGX_OK) {
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    r->headers_out.status = NGX_HTTP_OK;
    ngx_http_clear_content_length(r);

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        ngx_http_finalize_request(r, rc);
        return;
    }

    r->read_event_handler = ngx_http_test_reading;
    r->write_event_handler = ngx_http_miqps_bulk_writer;

    ngx_http_miqps_bulk_turn(bulk);
}


static ngx_http_miqps_bulk_t *
ngx_http_miqps_bulk_find(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t  *cln;

    cln = r->pool->cleanup;

    while (cln->data != NGX_HTTP_MIQPS_BULK) {
        cln = cln->next;
    }

    return (ngx_http_miqps_bulk_t *) cln;
}


static ngx_int_t
ngx_http_miqps_bulk_prepare(ngx_http_miqps_bulk_t *bulk)
{
    bulk->in = ngx_pnalloc(bulk->request->pool, NGX_HTTP_MIQPS_BULK_LINE + 2
                                                + NGX_HTTP_MIQPS_BULK_READ);
    bulk->pos = bulk->in;
    bulk->last = bulk->in;

    return (bulk->in != NULL) ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_miqps_bulk_writer(ngx_http_request_t *r)
{
    ngx_int_t               rc;
    ngx_event_t            *wev;
    ngx_connection_t       *c;
    ngx_http_miqps_bulk_t  *bulk;

    c = r->connection;
    wev = c->write;
    bulk = ngx_http_miqps_bulk_find(r);

    if (wev->timedout) {
        ngx_log_error(NGX_LOG_INFO, c->log, NGX_ETIMEDOUT, "client timed out");
        c->timedout = 1;
        ngx_http_finalize_request(r, NGX_HTTP_REQUEST_TIME_OUT);
        return;
    }

    if (wev->delayed) {
        ngx_http_miqps_bulk_wait(bulk);
        return;
    }

    if (bulk->waits) {
        rc = ngx_http_miqps_bulk_send(bulk);

        if (rc != NGX_OK) {
            return;
        }
    }

    ngx_http_miqps_bulk_turn(bulk);
}


static void
ngx_http_miqps_bulk_turn(ngx_http_miqps_bulk_t *bulk)
{
    ngx_int_t            rc;
    ngx_http_request_t  *r;

    r = bulk->request;

    rc = bulk->work(bulk);

    if (rc == NGX_ERROR) {
        ngx_http_finalize_request(r, NGX_ERROR);
        return;
    }

    if (rc == NGX_DONE) {
        ngx_http_finalize_request(r, ngx_http_miqps_bulk_last(bulk));
        return;
    }

    if (ngx_http_miqps_bulk_send(bulk) == NGX_OK) {

        /* others have waited in the meantime */

        ngx_post_event(r->connection->write, &ngx_posted_next_events);
    }
}


/* what is left of it, which nginx sends by itself */

static ngx_int_t
ngx_http_miqps_bulk_last(ngx_http_miqps_bulk_t *bulk)
{
    ngx_http_request_t  *r;

    r = bulk->request;

    if (bulk->out == NULL) {
        return ngx_http_send_special(r, NGX_HTTP_LAST);
    }

    bulk->buf->last_buf = 1;
    bulk->buf->last_in_chain = 1;

    return ngx_http_output_filter(r, bulk->out);
}


/*
 * NGX_OK if the client has taken it; else it is waited for, or the request is
 * no more.
 */

static ngx_int_t
ngx_http_miqps_bulk_send(ngx_http_miqps_bulk_t *bulk)
{
    ngx_int_t            rc;
    ngx_event_t         *wev;
    ngx_http_request_t  *r;

    r = bulk->request;
    wev = r->connection->write;

    bulk->waits = 0;

    if (bulk->out == NULL && bulk->busy == NULL && !r->connection->buffered) {
        return NGX_OK;
    }

    /*
     * gzip, and nginx up to "postpone_output" bytes, would keep it back, and
     * the next turn waits until nothing is.
     */

    if (bulk->buf != NULL) {
        bulk->buf->flush = 1;
        bulk->buf->last_in_chain = 1;
    }

    rc = ngx_http_output_filter(r, bulk->out);

    if (rc == NGX_ERROR) {
        ngx_http_finalize_request(r, NGX_ERROR);
        return NGX_ERROR;
    }

    ngx_chain_update_chains(r->pool, &bulk->free, &bulk->busy, &bulk->out,
                            NGX_HTTP_MIQPS_BULK_TAG);
    bulk->tail = &bulk->out;
    bulk->buf = NULL;
    bulk->size = 0;

    /* "limit_rate" has the timer for its own */

    if (bulk->busy != NULL || r->connection->buffered || wev->delayed) {
        ngx_http_miqps_bulk_wait(bulk);
        return NGX_AGAIN;
    }

    if (wev->timer_set) {
        ngx_del_timer(wev);
    }

    return NGX_OK;
}


static void
ngx_http_miqps_bulk_wait(ngx_http_miqps_bulk_t *bulk)
{
    ngx_event_t               *wev;
    ngx_http_request_t        *r;
    ngx_http_core_loc_conf_t  *clcf;

    r = bulk->request;
    wev = r->connection->write;

    bulk->waits = 1;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (!wev->delayed) {
        ngx_add_timer(wev, clcf->send_timeout);
    }

    if (ngx_handle_write_event(wev, clcf->send_lowat) != NGX_OK) {
        ngx_http_finalize_request(r, NGX_ERROR);
    }
}


ngx_int_t
ngx_http_miqps_bulk_read(ngx_http_miqps_bulk_t *bulk)
{
    off_t       left;
    size_t      room;
    ssize_t     n;
    ngx_buf_t  *b;

    ngx_memmove(bulk->in, bulk->pos, bulk->last - bulk->pos);

    bulk->last = bulk->in + (bulk->last - bulk->pos);
    bulk->pos = bulk->in;

    room = NGX_HTTP_MIQPS_BULK_READ;

    while (bulk->body != NULL && room > 0) {
        b = bulk->body->buf;

        left = ngx_buf_size(b) - bulk->taken;

        if (left <= 0) {
            bulk->body = bulk->body->next;
            bulk->taken = 0;
            continue;
        }

        n = (left < (off_t) room) ? (ssize_t) left : (ssize_t) room;

        if (ngx_buf_in_memory(b)) {
            ngx_memcpy(bulk->last, b->pos + bulk->taken, n);

        } else {
            n = ngx_read_file(b->file, bulk->last, n,
                              b->file_pos + bulk->taken);

            if (n <= 0) {
                ngx_log_error(NGX_LOG_CRIT, bulk->request->connection->log, 0,
                              "miqps cannot read the request's body from "
                              "\"%V\"", &b->file->name);
                return NGX_ERROR;
            }
        }

        bulk->last += n;
        bulk->taken += n;
        room -= n;
    }

    bulk->end = (ngx_http_miqps_bulk_next(bulk) == NGX_DONE);

    return NGX_OK;
}


/* NGX_DONE if there is nothing left to read */

static ngx_int_t
ngx_http_miqps_bulk_next(ngx_http_miqps_bulk_t *bulk)
{
    while (bulk->body != NULL) {

        if (ngx_buf_size(bulk->body->buf) > bulk->taken) {
            return NGX_OK;
        }

        bulk->body = bulk->body->next;
        bulk->taken = 0;
    }

    return NGX_DONE;
}


u_char *
ngx_http_miqps_bulk_room(ngx_http_miqps_bulk_t *bulk, size_t size)
{
    ngx_buf_t    *b;
    ngx_pool_t   *pool;
    ngx_chain_t  *cl;

    if (bulk->buf != NULL
        && (size_t) (bulk->buf->end - bulk->buf->last) >= size)
    {
        return bulk->buf->last;
    }

    pool = bulk->request->pool;

    cl = ngx_chain_get_free_buf(pool, &bulk->free);
    if (cl == NULL) {
        return NULL;
    }

    b = cl->buf;

    if (b->start == NULL) {
        b->start = ngx_palloc(pool, NGX_HTTP_MIQPS_BULK_OUT);
        if (b->start == NULL) {
            return NULL;
        }

        b->end = b->start + NGX_HTTP_MIQPS_BULK_OUT;
        b->temporary = 1;
        b->tag = NGX_HTTP_MIQPS_BULK_TAG;
    }

    b->pos = b->start;
    b->last = b->start;
    b->flush = 0;
    b->last_in_chain = 0;

    cl->next = NULL;
    *bulk->tail = cl;
    bulk->tail = &cl->next;
    bulk->buf = b;

    return b->last;
}


ngx_int_t
ngx_http_miqps_bulk_put(ngx_http_miqps_bulk_t *bulk, const void *data,
    size_t len)
{
    size_t         n;
    u_char        *p;
    const u_char  *from;

    from = data;

    while (len > 0) {
        p = ngx_http_miqps_bulk_room(bulk, 1);

        if (p == NULL) {
            return NGX_ERROR;
        }

        n = ngx_min(len, (size_t) (bulk->buf->end - p));

        ngx_memcpy(p, from, n);
        ngx_http_miqps_bulk_used(bulk, n);

        from += n;
        len -= n;
    }

    return NGX_OK;
}
