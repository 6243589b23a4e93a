
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * A LINE, with tabs between its fields:
 *
 *     1  time  client  scheme  host  target  type  size  cache
 *
 * The first field is the version of this.  Bytes of the others that are not
 * printable ASCII, and backslashes, are written as \xHH: a line has no other
 * tab, and no byte that would need a second look.  See miqps-corpus(5).
 *
 * All writes append whole lines.  Where a disk is full, a line may break off.
 * This process begins the next one on a line of its own; if another one goes
 * on behind it, the line has too many fields, or a version that there is not.
 */

#define NGX_HTTP_MIQPS_CORPUS_ACCESS  0600
#define NGX_HTTP_MIQPS_CORPUS_QUIET   60      /* seconds between errors */

/* all but what is escaped */

#define NGX_HTTP_MIQPS_CORPUS_LINE                                            \
    (sizeof("1\t\t\thttps\t\t\t\t\t\n") + NGX_TIME_T_LEN                      \
     + NGX_HTTP_MIQPS_CLIENT_LEN + NGX_OFF_T_LEN + 32)


static u_char *ngx_http_miqps_corpus_escape(u_char *p, ngx_str_t *text);
static void ngx_http_miqps_corpus_flush(ngx_http_miqps_corpus_file_t *file,
    ngx_log_t *log);
static void ngx_http_miqps_corpus_lost(ngx_http_miqps_corpus_file_t *file,
    u_char *from, ssize_t n, ngx_log_t *log);


ngx_int_t
ngx_http_miqps_corpus_line(ngx_http_request_t *r,
    ngx_http_miqps_corpus_t *corpus, ngx_str_t *host, ngx_str_t *target)
{
    off_t                          sent;
    size_t                         size;
    u_char                        *p;
    ngx_str_t                      type, cache, scheme;
    ngx_http_miqps_corpus_file_t  *file;

    file = corpus->file;

    type.data = r->headers_out.content_type.data;
    type.len = r->headers_out.content_type_len;

    size = NGX_HTTP_MIQPS_CORPUS_LINE + 4 * (host->len + target->len
                                             + type.len);

    if (size > (size_t) (file->end - file->start)) {
        return NGX_DECLINED;
    }

    if (size > (size_t) (file->end - file->pos)) {

        /* that of the request would tell its URL, too */

        ngx_http_miqps_corpus_flush(file, ngx_cycle->log);
    }

    if (file->pos == file->start) {
        ngx_add_timer(file->event, file->flush);
    }

    ngx_str_set(&scheme, "http");
    ngx_str_set(&cache, "-");

#if (NGX_HTTP_SSL)
    if (r->connection->ssl != NULL) {
        ngx_str_set(&scheme, "https");
    }
#endif

#if (NGX_HTTP_CACHE)
    if (r->upstream != NULL && r->upstream->cache_status != 0) {
        cache = ngx_http_cache_status[r->upstream->cache_status - 1];
    }
#endif

    sent = r->connection->sent - r->header_size;

    p = ngx_sprintf(file->pos, "1\t%T\t", ngx_time());

    ngx_http_miqps_urls_client(corpus->seen, r->connection, p);
    p += NGX_HTTP_MIQPS_CLIENT_LEN;

    p = ngx_sprintf(p, "\t%V\t", &scheme);
    p = ngx_http_miqps_corpus_escape(p, host);
    *p++ = '\t';
    p = ngx_http_miqps_corpus_escape(p, target);
    *p++ = '\t';
    p = ngx_http_miqps_corpus_escape(p, &type);
    p = ngx_sprintf(p, "\t%O\t%V\n", ngx_max(sent, 0), &cache);

    file->pos = p;
    file->lines++;

    return NGX_OK;
}


static u_char *
ngx_http_miqps_corpus_escape(u_char *p, ngx_str_t *text)
{
    size_t  i;
    u_char  c;

    for (i = 0; i < text->len; i++) {
        c = text->data[i];

        if (c <= 0x20 || c >= 0x7f || c == '\\') {
            p = ngx_sprintf(p, "\\x%02Xd", (ngx_uint_t) c);

        } else {
            *p++ = c;
        }
    }

    return p;
}


static void
ngx_http_miqps_corpus_flush(ngx_http_miqps_corpus_file_t *file,
    ngx_log_t *log)
{
    size_t    len;
    u_char   *from;
    ssize_t   n;

    if (file->event->timer_set) {
        ngx_del_timer(file->event);
    }

    if (file->pos == file->start) {
        return;
    }

    /* before "start" there is a newline */

    from = file->start - file->torn;
    len = file->pos - from;

    n = ngx_write_fd(file->file->fd, from, len);

    if (n == (ssize_t) len) {
        file->torn = 0;

    } else {
        ngx_http_miqps_corpus_lost(file, from, n, log);
    }

    file->pos = file->start;
    file->lines = 0;
}


/* requests go on; all processes together tell it once a minute */

static void
ngx_http_miqps_corpus_lost(ngx_http_miqps_corpus_file_t *file, u_char *from,
    ssize_t n, ngx_log_t *log)
{
    u_char             *p;
    ngx_err_t           err;
    ngx_uint_t          lost;
    ngx_atomic_t       *told;
    ngx_atomic_uint_t   before, now;

    err = ngx_errno;
    lost = file->lines;

    if (n > 0) {
        for (p = ngx_max(from, file->start); p < from + n; p++) {
            lost -= (*p == '\n');
        }

        file->torn = (from[n - 1] != '\n');
        err = 0;
    }

    if (file->errors != NULL) {
        *file->errors += lost;
    }

    told = &file->seen->sh->told;
    before = *told;
    now = ngx_time();

    if (before != 0 && now - before < NGX_HTTP_MIQPS_CORPUS_QUIET) {
        return;
    }

    if (!ngx_atomic_cmp_set(told, before, now)) {
        return;
    }

    ngx_log_error(NGX_LOG_ERR, log, err,
                  "%ui lines of \"miqps_corpus\" were lost: " ngx_write_fd_n
                  " to \"%V\" %s, see miqps_status for more of them", lost,
                  &file->file->name,
                  (n > 0) ? "was incomplete, is the disk full?" : "failed");
}


void
ngx_http_miqps_corpus_flush_handler(ngx_event_t *ev)
{
    ngx_http_miqps_corpus_flush(ev->data, ev->log);
}


/*
 * nginx makes files that all may read.  This one is made before nginx opens
 * it, and what was there is taken from others.
 */

const char *
ngx_http_miqps_corpus_create(ngx_str_t *name, ngx_err_t *err)
{
    ngx_fd_t         fd;
    const char      *why;
    ngx_file_info_t  info;

    /* who reads from a pipe must not be waited for */

    fd = open((const char *) name->data,
              O_WRONLY|O_APPEND|O_CREAT|O_NOFOLLOW|O_NONBLOCK|O_CLOEXEC,
              NGX_HTTP_MIQPS_CORPUS_ACCESS);

    *err = (fd == NGX_INVALID_FILE) ? ngx_errno : 0;

    if (fd == NGX_INVALID_FILE) {
        return "it cannot be opened";
    }

    why = NULL;

    if (ngx_fd_info(fd, &info) == NGX_FILE_ERROR) {
        *err = ngx_errno;
        why = "nobody knows what it is";

    } else if (!ngx_is_file(&info)) {
        why = "it is no regular file";

    } else if ((info.st_mode & 0777) != NGX_HTTP_MIQPS_CORPUS_ACCESS
               && fchmod(fd, NGX_HTTP_MIQPS_CORPUS_ACCESS) == -1)
    {
        *err = ngx_errno;
        why = "others could read it";
    }

    (void) ngx_close_file(fd);

    return why;
}


/* what could not be made, nginx will complain of */

void
ngx_http_miqps_corpus_reopen(ngx_open_file_t *file, ngx_log_t *log)
{
    ngx_err_t                      err;
    const char                    *why;
    ngx_http_miqps_corpus_file_t  *of;

    of = file->data;

    ngx_http_miqps_corpus_flush(of, log);

    of->torn = 0;

    why = ngx_http_miqps_corpus_create(&file->name, &err);

    /* another process may have it made, for this one too */

    if (why != NULL && err != NGX_EACCES && err != NGX_EPERM) {
        ngx_log_error(NGX_LOG_ERR, log, err,
                      "\"miqps_corpus\" and \"%V\": %s", &file->name, why);
    }
}


void
ngx_http_miqps_corpus_start(ngx_cycle_t *cycle)
{
    ngx_uint_t                      i;
    ngx_http_miqps_main_conf_t     *mmcf;
    ngx_http_miqps_corpus_file_t  **file;

    mmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_miqps_module);

    if (mmcf == NULL || mmcf->corpora == NULL) {
        return;
    }

    file = mmcf->corpora->elts;

    for (i = 0; i < mmcf->corpora->nelts; i++) {
        file[i]->errors = &mmcf->counts->corpus[NGX_HTTP_MIQPS_CORPUS_ERRORS];
    }
}


void
ngx_http_miqps_corpus_stop(ngx_cycle_t *cycle)
{
    ngx_uint_t                      i;
    ngx_http_miqps_main_conf_t     *mmcf;
    ngx_http_miqps_corpus_file_t  **file;

    mmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_miqps_module);

    if (mmcf == NULL || mmcf->corpora == NULL) {
        return;
    }

    file = mmcf->corpora->elts;

    for (i = 0; i < mmcf->corpora->nelts; i++) {
        ngx_http_miqps_corpus_flush(file[i], cycle->log);
    }
}
