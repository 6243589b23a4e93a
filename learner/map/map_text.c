
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_text.h"


#define LEARN_TEXT_SIZE  (256 * 1024)


/* where in an object the search for its end is */

typedef struct {
    size_t           at;            /* bytes of it that were looked at */
    size_t           depth;
    size_t           line;          /* of those bytes */
    size_t           line_at;       /* where that line begins */
    unsigned         string:1;
    unsigned         escape:1;
    unsigned         escapes:1;
    unsigned         high:1;
} learn_scan_t;


static learn_text_rc_e  learn_text_begin(learn_text_t *text);
static learn_text_rc_e  learn_text_bom(learn_text_t *text);
static learn_text_rc_e  learn_text_skip(learn_text_t *text, int *c);
static learn_text_rc_e  learn_text_fill(learn_text_t *text);
static void  learn_text_step(learn_text_t *text);
static learn_text_rc_e  learn_text_object(learn_text_t *text,
    learn_text_object_t *object, learn_text_error_t *error);
static int  learn_text_scan(learn_scan_t *scan, const char *p, size_t len);
static learn_text_rc_e  learn_text_error(const learn_text_t *text,
    learn_text_error_t *error, const char *what);


void
learn_text_init(learn_text_t *text, learn_text_read_pt read, void *data)
{
    memset(text, 0, sizeof(learn_text_t));

    text->read = read;
    text->data = data;
    text->line = 1;
    text->column = 1;
}


void
learn_text_release(learn_text_t *text)
{
    free(text->buf);
    text->buf = NULL;
}


learn_text_rc_e
learn_text_next(learn_text_t *text, learn_text_object_t *object,
    learn_text_error_t *error)
{
    int              c;
    learn_text_rc_e  rc;

    rc = learn_text_begin(text);

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    rc = learn_text_skip(text, &c);

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    if (c == EOF && (!text->array || text->closed)) {
        return LEARN_TEXT_END;
    }

    if (text->closed) {
        return learn_text_error(text, error, "not JSON: something follows the "
                                "array");
    }

    if (text->array && c == ']') {
        learn_text_step(text);
        text->closed = 1;

        return learn_text_next(text, object, error);
    }

    if (text->array && text->items) {

        if (c != ',') {
            return learn_text_error(text, error, "not JSON: \",\" or \"]\" is "
                                    "missing");
        }

        learn_text_step(text);
        rc = learn_text_skip(text, &c);

        if (rc != LEARN_TEXT_OBJECT) {
            return rc;
        }
    }

    if (c != '{') {
        return learn_text_error(text, error, "a map consists of objects, "
                                "{\"host\": ...}");
    }

    text->items = 1;

    return learn_text_object(text, object, error);
}


/* whether it is an array */

static learn_text_rc_e
learn_text_begin(learn_text_t *text)
{
    int              c;
    learn_text_rc_e  rc;

    if (text->begun) {
        return LEARN_TEXT_OBJECT;
    }

    text->begun = 1;

    rc = learn_text_bom(text);

    if (rc == LEARN_TEXT_OBJECT) {
        rc = learn_text_skip(text, &c);
    }

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    if (c == '[') {
        learn_text_step(text);
        text->array = 1;
    }

    return LEARN_TEXT_OBJECT;
}


/* a mark of the byte order, which some editors leave */

static learn_text_rc_e
learn_text_bom(learn_text_t *text)
{
    learn_text_rc_e  rc;

    while (!text->eof && text->end - text->start < 3) {
        rc = learn_text_fill(text);

        if (rc != LEARN_TEXT_OBJECT) {
            return rc;
        }
    }

    if (text->end - text->start >= 3
        && memcmp(text->buf + text->start, "\xef\xbb\xbf", 3) == 0)
    {
        text->start += 3;
    }

    return LEARN_TEXT_OBJECT;
}


/* goes to the next byte that is no white space; EOF if there is none */

static learn_text_rc_e
learn_text_skip(learn_text_t *text, int *c)
{
    learn_text_rc_e  rc;

    for ( ;; ) {

        while (text->start < text->end) {
            *c = (unsigned char) text->buf[text->start];

            if (*c != ' ' && *c != '\t' && *c != '\r' && *c != '\n') {
                return LEARN_TEXT_OBJECT;
            }

            learn_text_step(text);
        }

        if (text->eof) {
            *c = EOF;
            return LEARN_TEXT_OBJECT;
        }

        rc = learn_text_fill(text);

        if (rc != LEARN_TEXT_OBJECT) {
            return rc;
        }
    }
}


static void
learn_text_step(learn_text_t *text)
{
    if (text->buf[text->start++] == '\n') {
        text->line++;
        text->column = 1;

    } else {
        text->column++;
    }
}


/* reads on behind what there is, which moves to the start of the buffer */

static learn_text_rc_e
learn_text_fill(learn_text_t *text)
{
    char    *buf;
    size_t   size;
    ssize_t  n;

    if (text->start > 0) {
        memmove(text->buf, text->buf + text->start, text->end - text->start);
        text->end -= text->start;
        text->start = 0;
    }

    if (text->end == text->size) {
        size = (text->size == 0) ? LEARN_TEXT_SIZE : 2 * text->size;
        buf = realloc(text->buf, size);

        if (buf == NULL) {
            return LEARN_TEXT_NO_MEMORY;
        }

        text->buf = buf;
        text->size = size;
    }

    do {
        n = text->read(text->data, text->buf + text->end,
                       text->size - text->end);
    } while (n == -1 && errno == EINTR);

    if (n == -1) {
        return LEARN_TEXT_FAILED;
    }

    text->eof = (n == 0);
    text->end += (size_t) n;

    return LEARN_TEXT_OBJECT;
}


static learn_text_rc_e
learn_text_object(learn_text_t *text, learn_text_object_t *object,
    learn_text_error_t *error)
{
    learn_scan_t     scan;
    learn_text_rc_e  rc;

    memset(&scan, 0, sizeof(learn_scan_t));

    while (!learn_text_scan(&scan, text->buf + text->start,
                            text->end - text->start))
    {
        if (text->end - text->start > LEARN_TEXT_MAX_OBJECT) {
            return learn_text_error(text, error, "an object has more than "
                                    "256 MiB");
        }

        /* where it is not JSON is found by whoever reads it */

        if (text->eof) {
            break;
        }

        rc = learn_text_fill(text);

        if (rc != LEARN_TEXT_OBJECT) {
            return rc;
        }
    }

    object->data = text->buf + text->start;
    object->len = scan.at;
    object->line = text->line;
    object->column = text->column;
    object->escapes = scan.escapes;
    object->high = scan.high;

    text->start += scan.at;

    if (scan.line > 0) {
        text->line += scan.line;
        text->column = scan.at - scan.line_at + 1;

    } else {
        text->column += scan.at;
    }

    return LEARN_TEXT_OBJECT;
}


/* a byte of a string that nothing is to be done about */

static inline int
learn_text_plain(uint8_t c)
{
    return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}


/* true if the object ends; or a string is cut off, which no string may be */

static int
learn_text_scan(learn_scan_t *scan, const char *p, size_t len)
{
    size_t   at;
    uint8_t  c;

    for (at = scan->at; at < len; at++) {
        c = (uint8_t) p[at];

        if (scan->string) {

            if (scan->escape) {
                scan->escape = 0;
                continue;
            }

            while (learn_text_plain(c) && at + 1 < len) {
                c = (uint8_t) p[++at];
            }

            if (c == '"') {
                scan->string = 0;

            } else if (c == '\\') {
                scan->escape = 1;
                scan->escapes = 1;

            } else if (c < ' ') {
                scan->at = at;
                return 1;
            }

            scan->high |= (c >= 0x80);
            continue;
        }

        if (c == '"') {
            scan->string = 1;

        } else if (c == '{' || c == '[') {
            scan->depth++;

        } else if (c == '}' || c == ']') {

            if (--scan->depth == 0) {
                scan->at = at + 1;
                return 1;
            }

        } else if (c == '\n') {
            scan->line++;
            scan->line_at = at + 1;
        }
    }

    scan->at = len;

    return 0;
}


static learn_text_rc_e
learn_text_error(const learn_text_t *text, learn_text_error_t *error,
    const char *what)
{
    error->line = text->line;
    error->column = text->column;

    (void) snprintf(error->text, sizeof(error->text), "%s", what);

    return LEARN_TEXT_SYNTAX;
}
