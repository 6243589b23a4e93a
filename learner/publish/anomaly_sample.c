
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "anomaly_sample.h"


static void  learn_sample_path(learn_sample_t *at);
static size_t  learn_sample_deep(const learn_sample_t *at);
static void  learn_sample_segment(learn_sample_t *at, miqps_str_t *left,
    const uint8_t *text);
static void  learn_sample_params(learn_sample_t *at);
static void  learn_sample_text(learn_sample_t *at, const uint8_t *text);
static void  learn_sample_piece(learn_sample_t *at,
    const miqps_piece_t *piece);
static miqps_str_t  learn_sample_entry(const miqps_paths_t *rules,
    uint32_t table, uint32_t entry);


void
learn_sample_init(learn_sample_t *at, learn_anomaly_t *anomaly,
    const miqps_paths_t *rules, const miqps_rewrite_t *rewrite)
{
    memset(at, 0, sizeof(learn_sample_t));

    at->anomaly = anomaly;
    at->rules = rules;
    at->rewrite = rewrite;
    at->entry = LEARN_SAMPLE_NONE;
}


/* on the heap; NULL without memory */

char *
learn_sample_url(learn_sample_t *at, uint32_t other, uint32_t without,
    size_t *len)
{
    int    ok;
    char  *text;

    text = NULL;
    at->out = open_memstream(&text, len);

    if (at->out == NULL) {
        return NULL;
    }

    at->other = other;
    at->without = without;
    at->next = (at->rewrite->from.host != NULL)
               ? learn_sample_captures(at->rules, at->rewrite->from.host) : 0;

    (void) fprintf(at->out, "http://%s", at->anomaly->name);

    learn_sample_path(at);
    learn_sample_params(at);

    ok = !ferror(at->out);

    if (fclose(at->out) != 0 || !ok) {
        free(text);
        return NULL;
    }

    return text;
}


static void
learn_sample_path(learn_sample_t *at)
{
    size_t               deep;
    uint32_t             i;
    miqps_str_t          left = miqps_null_str;
    const miqps_form_t  *from;

    from = &at->rewrite->from;

    if (at->shape != NULL) {
        left = *at->shape;
    }

    if (!from->path) {
        do {
            learn_sample_segment(at, &left, NULL);
        } while (left.len > 0);

        return;
    }

    deep = learn_sample_deep(at);

    for (i = 0; i <= from->nsegments; i++) {

        while (from->deep == i && deep > 0) {
            learn_sample_segment(at, &left, NULL);
            deep--;
        }

        if (i < from->nsegments) {
            learn_sample_segment(at, &left, from->segments[i]);
        }
    }
}


/* what "**" stands for: one segment, or those that the shape has more */

static size_t
learn_sample_deep(const learn_sample_t *at)
{
    size_t  i, n;

    if (at->shape == NULL) {
        return 1;
    }

    n = 0;

    for (i = 0; i < at->shape->len; i++) {
        n += (at->shape->data[i] == '/');
    }

    return (n > at->rewrite->from.nsegments) ? n - at->rewrite->from.nsegments
                                             : 1;
}


/*
 * One segment of the shape that is left, if there is one: what it says, or
 * what the rule says.  If these are at odds, the rule does not apply.
 */

static void
learn_sample_segment(learn_sample_t *at, miqps_str_t *left,
    const uint8_t *text)
{
    const uint8_t  *p, *end;

    p = left->data;
    end = p;

    (void) fputc('/', at->out);

    if (left->len > 0) {
        end = memchr(p + 1, '/', left->len - 1);
        end = (end != NULL) ? end : p + left->len;
        left->len -= (size_t) (end - p);
        left->data = end;
    }

    if (end > p && !(end - p == 2 && p[1] == '*')) {
        (void) fwrite(p + 1, 1, (size_t) (end - p) - 1, at->out);
        at->next += (text != NULL) ? learn_sample_captures(at->rules, text)
                                   : 0;

    } else if (text != NULL) {
        learn_sample_text(at, text);

    } else {
        (void) fputs(at->anomaly->shapes.word, at->out);
    }
}


/* those of the source, and the others of the pattern */

static void
learn_sample_params(learn_sample_t *at)
{
    int                  mark, named;
    uint32_t             i, k;
    miqps_str_t          name;
    const miqps_form_t  *from;

    mark = '?';
    from = &at->rewrite->from;

    for (i = 0; i < from->nparams; i++) {

        if (i == at->without) {
            at->next += learn_sample_captures(at->rules,
                                              from->params[i]
                                              + MIQPS_PATHS_STRING);
            continue;
        }

        name = miqps_paths_string(at->rules, from->params[i]);

        (void) fprintf(at->out, "%c%.*s=", mark, (int) name.len,
                       (const char *) name.data);
        learn_sample_text(at, from->params[i] + MIQPS_PATHS_STRING);
        mark = '&';
    }

    for (i = 0; at->pattern != NULL && i < at->pattern->nparams; i++) {
        named = 0;

        for (k = 0; k < from->nparams; k++) {
            name = miqps_paths_string(at->rules, from->params[k]);
            named |= miqps_str_eq(&name, &at->pattern->params[i].name);
        }

        if (!named) {
            (void) fprintf(at->out, "%c%.*s=zq7", mark,
                           (int) at->pattern->params[i].name.len,
                           (const char *) at->pattern->params[i].name.data);
            mark = '&';
        }
    }
}


static void
learn_sample_text(learn_sample_t *at, const uint8_t *text)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(at->rules, text, &piece);
        learn_sample_piece(at, &piece);
    }
}


static void
learn_sample_piece(learn_sample_t *at, const miqps_piece_t *piece)
{
    int          other;
    miqps_str_t  text;

    if (piece->kind == MIQPS_PIECE_LITERAL) {
        (void) fwrite(piece->literal.data, 1, piece->literal.len, at->out);
        return;
    }

    other = (at->next++ == at->other);

    switch (piece->kind) {

    case MIQPS_PIECE_DIGITS:
    case MIQPS_PIECE_HEX:
        (void) fputs(other ? "778" : "777", at->out);
        break;

    case MIQPS_PIECE_UUID:
        (void) fprintf(at->out, "%08d-0000-4000-8000-000000000000",
                       other ? 778 : 777);
        break;

    case MIQPS_PIECE_TABLE:
        text = learn_sample_entry(at->rules, piece->number,
                                  (other && at->entry != LEARN_SAMPLE_NONE)
                                  ? at->entry : 0);
        (void) fwrite(text.data, 1, text.len, at->out);
        break;

    default:
        (void) fputs(other ? "zq8" : "zq7", at->out);
        break;
    }
}


/* a value of a table */

static miqps_str_t
learn_sample_entry(const miqps_paths_t *rules, uint32_t table, uint32_t entry)
{
    const uint8_t  *p;

    p = miqps_paths_table(rules, table) + 2;

    return miqps_paths_string(rules, p + entry * (size_t) MIQPS_PATHS_ENTRY);
}


uint32_t
learn_sample_captures(const miqps_paths_t *rules, const uint8_t *text)
{
    uint32_t       n, captures;
    miqps_piece_t  piece;

    captures = 0;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);
        captures += (piece.kind != MIQPS_PIECE_LITERAL);
    }

    return captures;
}
