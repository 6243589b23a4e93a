
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * The configuration as text: words, directives, blocks, and the files that it
 * includes.  For what modules do not tell each other; nginx has read it
 * before, so that nothing in it is wrong.
 */

#define NGX_HTTP_MIQPS_MAX_NESTED  16        /* files */


typedef struct {
    ngx_conf_t                  *cf;
    ngx_pool_t                  *pool;
    ngx_http_miqps_text_pt       handler;
    void                        *data;
    ngx_uint_t                   nested;

    ngx_http_miqps_text_t        text;        /* what the handler is told */
    u_char                      *pos;
    u_char                      *last;
} ngx_http_miqps_reader_t;


static ngx_int_t ngx_http_miqps_text_file(ngx_http_miqps_reader_t *reader,
    ngx_str_t *file);
static ngx_int_t ngx_http_miqps_text_load(ngx_http_miqps_reader_t *reader,
    ngx_str_t *file);
static ngx_int_t ngx_http_miqps_text_parse(ngx_http_miqps_reader_t *reader);
static ngx_int_t ngx_http_miqps_text_tell(ngx_http_miqps_reader_t *reader,
    ngx_http_miqps_text_e what);
static ngx_int_t ngx_http_miqps_text_word(ngx_http_miqps_reader_t *reader);
static u_char *ngx_http_miqps_text_quoted(u_char *p, u_char *last);
static u_char *ngx_http_miqps_text_bare(u_char *p, u_char *last);
static ngx_int_t ngx_http_miqps_text_include(ngx_http_miqps_reader_t *reader);


ngx_int_t
ngx_http_miqps_text_read(ngx_conf_t *cf, ngx_pool_t *pool,
    ngx_http_miqps_text_pt handler, void *data)
{
    ngx_http_miqps_reader_t  reader;

    ngx_memzero(&reader, sizeof(ngx_http_miqps_reader_t));

    reader.cf = cf;
    reader.pool = pool;
    reader.handler = handler;
    reader.data = data;

    if (ngx_array_init(&reader.text.words, pool, 16, sizeof(ngx_str_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_miqps_text_file(&reader, &cf->cycle->conf_file);
}


/* a file, in the midst of another one or not */

static ngx_int_t
ngx_http_miqps_text_file(ngx_http_miqps_reader_t *reader, ngx_str_t *file)
{
    u_char      *pos, *last;
    ngx_int_t    rc;
    ngx_str_t    name;
    ngx_uint_t   line;

    if (reader->nested == NGX_HTTP_MIQPS_MAX_NESTED) {
        return NGX_ERROR;
    }

    name = reader->text.file;
    line = reader->text.line;
    pos = reader->pos;
    last = reader->last;

    reader->nested++;

    rc = ngx_http_miqps_text_load(reader, file);

    if (rc == NGX_OK) {
        rc = ngx_http_miqps_text_parse(reader);
    }

    reader->nested--;

    reader->text.file = name;
    reader->text.line = line;
    reader->pos = pos;
    reader->last = last;

    return rc;
}


static ngx_int_t
ngx_http_miqps_text_load(ngx_http_miqps_reader_t *reader, ngx_str_t *file)
{
    ssize_t          n;
    ngx_fd_t         fd;
    ngx_file_info_t  info;

    fd = ngx_open_file(file->data, NGX_FILE_RDONLY|O_NONBLOCK, NGX_FILE_OPEN,
                       0);

    if (fd == NGX_INVALID_FILE) {
        return NGX_ERROR;
    }

    n = -1;

    if (ngx_fd_info(fd, &info) != NGX_FILE_ERROR && ngx_is_file(&info)) {
        reader->pos = ngx_pnalloc(reader->pool, ngx_file_size(&info) + 1);

        if (reader->pos != NULL) {
            n = ngx_read_fd(fd, reader->pos, ngx_file_size(&info));
        }
    }

    (void) ngx_close_file(fd);

    if (n == -1) {
        return NGX_ERROR;
    }

    reader->last = reader->pos + n;
    reader->text.file = *file;
    reader->text.line = 1;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_text_parse(ngx_http_miqps_reader_t *reader)
{
    ngx_int_t  rc;

    rc = NGX_OK;

    while (rc == NGX_OK && reader->pos < reader->last) {

        switch (*reader->pos) {

        case LF:
            reader->text.line++;
            reader->pos++;
            break;

        case CR:
        case ' ':
        case '\t':
            reader->pos++;
            break;

        case '#':
            while (reader->pos < reader->last && *reader->pos != LF) {
                reader->pos++;
            }
            break;

        case ';':
            rc = ngx_http_miqps_text_tell(reader, NGX_HTTP_MIQPS_DIRECTIVE);
            break;

        case '{':
            rc = ngx_http_miqps_text_tell(reader, NGX_HTTP_MIQPS_OPEN);
            break;

        case '}':
            rc = ngx_http_miqps_text_tell(reader, NGX_HTTP_MIQPS_CLOSE);
            break;

        default:
            rc = ngx_http_miqps_text_word(reader);
        }
    }

    return rc;
}


static ngx_int_t
ngx_http_miqps_text_tell(ngx_http_miqps_reader_t *reader,
    ngx_http_miqps_text_e what)
{
    ngx_int_t   rc;
    ngx_str_t  *word;

    reader->pos++;

    word = reader->text.words.elts;

    if (what == NGX_HTTP_MIQPS_DIRECTIVE && reader->text.words.nelts == 2
        && word->len == sizeof("include") - 1
        && ngx_strncmp(word->data, "include", word->len) == 0)
    {
        rc = ngx_http_miqps_text_include(reader);

    } else {
        rc = reader->handler(what, &reader->text, reader->data);
    }

    reader->text.words.nelts = 0;

    return rc;
}


static ngx_int_t
ngx_http_miqps_text_word(ngx_http_miqps_reader_t *reader)
{
    u_char     *p, *end;
    ngx_str_t  *word;

    p = reader->pos;

    if (*p == '"' || *p == '\'') {
        end = ngx_http_miqps_text_quoted(p, reader->last);

        if (end == NULL) {
            return NGX_ERROR;
        }

    } else {
        end = ngx_http_miqps_text_bare(p, reader->last);
    }

    word = ngx_array_push(&reader->text.words);
    if (word == NULL) {
        return NGX_ERROR;
    }

    word->data = p;
    word->len = end - p;

    for (/* void */ ; p < end; p++) {
        reader->text.line += (*p == LF);
    }

    reader->pos = end;

    return NGX_OK;
}


/* the end of a word in quotes, behind them; or NULL */

static u_char *
ngx_http_miqps_text_quoted(u_char *p, u_char *last)
{
    u_char  quote;

    quote = *p++;

    while (p < last && *p != quote) {
        p += (*p == '\\' && last - p > 1) ? 2 : 1;
    }

    return (p < last) ? p + 1 : NULL;
}


/* the brace of "${name}" is part of a word */

static u_char *
ngx_http_miqps_text_bare(u_char *p, u_char *last)
{
    u_char  prev;

    for (prev = '\0'; p < last; prev = *p++) {

        if (*p == '\\' && last - p > 1) {
            p++;
            continue;
        }

        if (*p == ' ' || *p == '\t' || *p == CR || *p == LF || *p == ';'
            || (*p == '{' && prev != '$'))
        {
            break;
        }
    }

    return p;
}


static ngx_int_t
ngx_http_miqps_text_include(ngx_http_miqps_reader_t *reader)
{
    u_char      *p;
    ngx_int_t    rc;
    ngx_str_t   *word, name, file;
    ngx_glob_t   glob;

    word = reader->text.words.elts;
    name = word[1];

    if (name.data[0] == '"' || name.data[0] == '\'') {
        name.data++;
        name.len -= 2;
    }

    p = ngx_pnalloc(reader->pool, name.len + 1);
    if (p == NULL) {
        return NGX_ERROR;
    }

    ngx_cpystrn(p, name.data, name.len + 1);
    name.data = p;

    if (ngx_conf_full_name(reader->cf->cycle, &name, 1) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_memzero(&glob, sizeof(ngx_glob_t));

    glob.pattern = name.data;
    glob.log = reader->cf->log;
    glob.test = 1;

    if (ngx_open_glob(&glob) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = NGX_OK;
    reader->text.words.nelts = 0;

    while (rc == NGX_OK && ngx_read_glob(&glob, &name) == NGX_OK) {

        file.len = name.len;
        file.data = ngx_pnalloc(reader->pool, name.len + 1);

        if (file.data == NULL) {
            rc = NGX_ERROR;
            break;
        }

        ngx_cpystrn(file.data, name.data, name.len + 1);

        rc = ngx_http_miqps_text_file(reader, &file);
    }

    ngx_close_glob(&glob);

    return rc;
}
