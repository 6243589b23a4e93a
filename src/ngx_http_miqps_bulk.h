
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_BULK_H_INCLUDED_
#define _NGX_HTTP_MIQPS_BULK_H_INCLUDED_


#include "ngx_http_miqps.h"


/*
 * LISTS OF URLS
 *
 *     GET  ?url=...                       one line
 *     POST, text/plain                    a URL a line
 *     POST, application/x-ndjson          {"url": "..."} a line
 *     POST, application/json              ["...", {"url": "..."}, ...]
 *
 * The answer has the form of the question, and as many results in the same
 * order; with ?verdicts=1 each of them says what became of it.
 *
 * nginx reads the body first, into memory or a file, as it always does.  Then
 * it is taken in windows:
 *
 *     body   | done | rest of a line | what was just read |      ...
 *                     in             + BULK_READ          end
 *
 * What became of the lines in a window is sent before the next one is read, and
 * only when the client has taken it; in between, other requests have their
 * turn.  So memory does not grow with the body, and who does not read waits
 * alone.
 */

#define NGX_HTTP_MIQPS_BULK_READ   (64 * 1024)

/* a longer line comes back as it is, or as an error */

#define NGX_HTTP_MIQPS_BULK_LINE   (NGX_HTTP_MIQPS_MAX_PATH + MIQPS_MAX_ARGS)

/* what a URL may grow by, and a buffer that one fits in */

#define NGX_HTTP_MIQPS_BULK_MORE   (MIQPS_MAX_HOST + MIQPS_PATHS_GROWTH)
#define NGX_HTTP_MIQPS_BULK_OUT    (128 * 1024)

/* an array is read as a whole, and answered by so many at a time */

#define NGX_HTTP_MIQPS_BULK_ARRAY     (1024 * 1024)
#define NGX_HTTP_MIQPS_BULK_ELEMENTS  65536
#define NGX_HTTP_MIQPS_BULK_TURN      500


typedef struct ngx_http_miqps_bulk_s  ngx_http_miqps_bulk_t;

/*
 * The next piece of work: NGX_OK if there is more of it, NGX_DONE if that was
 * all, NGX_ERROR.
 */
typedef ngx_int_t (*ngx_http_miqps_bulk_pt)(ngx_http_miqps_bulk_t *bulk);

/* one line, without its end, and its result with one */

typedef ngx_int_t (*ngx_http_miqps_line_pt)(ngx_http_miqps_bulk_t *bulk,
    ngx_str_t *line);


/* found in the request's pool; its context is that of the request */

#define NGX_HTTP_MIQPS_BULK  ((void *) &ngx_http_miqps_module.name)


struct ngx_http_miqps_bulk_s {
    ngx_pool_cleanup_t           cleanup;     /* by which it is found */
    ngx_http_request_t          *request;
    ngx_http_miqps_loc_conf_t   *conf;
    ngx_str_t                    host;        /* of URLs that have none */
    ngx_uint_t                   flags;       /* of ngx_http_miqps_clean() */
    ngx_http_miqps_bulk_pt       work;
    ngx_http_miqps_line_pt       line;

    ngx_chain_t                 *body;        /* what is left to read, of */
    off_t                        taken;       /* which this is done already */

    u_char                      *in;          /* the window */
    u_char                      *pos;
    u_char                      *last;
    ngx_uint_t                   number;      /* of the line */

    void                        *array;       /* what is left of one */

    ngx_chain_t                 *out;         /* not yet sent */
    ngx_chain_t                **tail;
    ngx_chain_t                 *free;
    ngx_chain_t                 *busy;
    ngx_buf_t                   *buf;         /* the last one of "out" */
    size_t                       size;        /* of "out" */

    u_char                      *clean;       /* one URL, for JSON, or NULL */

    unsigned                     verdicts:1;
    unsigned                     off:1;       /* all stays as it is */
    unsigned                     end:1;       /* all has been read */
    unsigned                     skip:1;      /* amid a line that is too long */
    unsigned                     waits:1;     /* for the client */
};


#pragma GCC visibility push(hidden)


/* ngx_http_miqps_bulk.c */

/*
 * Answers with a text, for people, and a line feed behind it; for
 * ngx_http_finalize_request().
 */
ngx_int_t ngx_http_miqps_bulk_tell(ngx_http_request_t *r, ngx_uint_t status,
    const char *text);


/* ngx_http_miqps_bulk_run.c */

/* for the body that has been read */

void ngx_http_miqps_bulk_start(ngx_http_request_t *r);

/* reads the next window; NGX_OK, or NGX_ERROR, logged */

ngx_int_t ngx_http_miqps_bulk_read(ngx_http_miqps_bulk_t *bulk);

/*
 * Room for "size" bytes, NGX_HTTP_MIQPS_BULK_OUT at most, in one piece; how
 * many of them were used is told next.  NULL without memory.
 */
u_char *ngx_http_miqps_bulk_room(ngx_http_miqps_bulk_t *bulk, size_t size);


static ngx_inline void
ngx_http_miqps_bulk_used(ngx_http_miqps_bulk_t *bulk, size_t size)
{
    bulk->buf->last += size;
    bulk->size += size;
}


/* any number of bytes; NGX_OK, or NGX_ERROR without memory */

ngx_int_t ngx_http_miqps_bulk_put(ngx_http_miqps_bulk_t *bulk,
    const void *data, size_t len);


/* ngx_http_miqps_bulk_lines.c */

/* ngx_http_miqps_bulk_pt for lines of any kind */

ngx_int_t ngx_http_miqps_bulk_lines(ngx_http_miqps_bulk_t *bulk);

/* ngx_http_miqps_line_pt for a URL alone */

ngx_int_t ngx_http_miqps_bulk_text(ngx_http_miqps_bulk_t *bulk,
    ngx_str_t *line);

/*
 * Cleans a URL of NGX_HTTP_MIQPS_BULK_LINE bytes at most; results are those of
 * ngx_http_miqps_clean().
 */
ngx_int_t ngx_http_miqps_bulk_url(ngx_http_miqps_bulk_t *bulk, ngx_str_t *in,
    ngx_http_miqps_clean_t *clean);

/* what became of it, in a word: "stripped", "opaque:signed", "not-a-url" */

#define NGX_HTTP_MIQPS_BULK_VERDICT  64

size_t ngx_http_miqps_bulk_verdict(ngx_http_miqps_bulk_t *bulk, ngx_int_t rc,
    ngx_http_miqps_clean_t *clean, u_char *out);

/* parameters that were stripped; main->work has them */

#define ngx_http_miqps_bulk_nstripped(clean)                                  \
    (((clean)->res.nstripped > 0) ? (clean)->res.nparams : 0)


/* ngx_http_miqps_bulk_json.c */

/* ngx_http_miqps_line_pt for {"url": "..."} */

ngx_int_t ngx_http_miqps_bulk_ndjson(ngx_http_miqps_bulk_t *bulk,
    ngx_str_t *line);

/* an error in the place of a line; NGX_OK, or NGX_ERROR without memory */

ngx_int_t ngx_http_miqps_bulk_error(ngx_http_miqps_bulk_t *bulk,
    const char *what);

/*
 * Reads a body that is an array, and begins with the answer.  NULL; or why
 * that cannot be, with the status to answer with.
 */
const char *ngx_http_miqps_bulk_array(ngx_http_miqps_bulk_t *bulk,
    ngx_uint_t *status);


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_BULK_H_INCLUDED_ */
