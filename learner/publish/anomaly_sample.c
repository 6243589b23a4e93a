
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "anomaly_sample.h"


static char  *learn_sample_end(learn_sample_t *at, char **text);
static void  learn_sample_path(learn_sample_t *at);
static size_t  learn_sample_deep(const learn_sample_t *at);
static void  learn_sample_segment(learn_sample_t *at, miqps_str_t *left,
    const uint8_t *text);
static void  learn_sample_params(learn_sample_t *at);
static int  learn_sample_settled(learn_sample_t *at, const miqps_str_t *name);
static void  learn_sample_text(learn_sample_t *at, const uint8_t *text);
static const char  *learn_sample_any(const learn_sample_t *at,
    miqps_piece_e kind);
static void  learn_sample_piece(learn_sample_t *at,
    const miqps_piece_t *piece);


char *
learn_sample_url(learn_sample_t *at, size_t *len)
{
    char  *text;

    text = NULL;
    at->out = open_memstream(&text, len);

    if (at->out == NULL) {
        return NULL;
    }

    at->next = (at->rewrite->from.host != NULL)
               ? learn_sample_captures(at->rules, at->rewrite->from.host) : 0;

    (void) fprintf(at->out, "http://%s", at->host);

    learn_sample_path(at);
    learn_sample_params(at);

    return learn_sample_end(at, &text);
}


char *
learn_sample_host(learn_sample_t *at)
{
    char    *text;
    size_t   len;

    text = NULL;
    at->out = open_memstream(&text, &len);

    if (at->out == NULL) {
        return NULL;
    }

    at->next = 0;
    at->part = LEARN_PART_NONE;

    learn_sample_text(at, at->rewrite->from.host);

    return learn_sample_end(at, &text);
}


static char *
learn_sample_end(learn_sample_t *at, char **text)
{
    int  ok;

    ok = !ferror(at->out);

    if (fclose(at->out) != 0 || !ok) {
        free(*text);
        return NULL;
    }

    return *text;
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

    deep = learn_sample_deep(at);

    if (!from->path) {
        while (deep-- > 0) {
            learn_sample_segment(at, &left, NULL);
        }

        return;
    }

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


/*
 * How many segments "**" stands for, or a path at all: what the shape has more,
 * or more than any rule without "**" can have.
 */

static size_t
learn_sample_deep(const learn_sample_t *at)
{
    size_t  i, n, own;

    n = 0;
    own = at->rewrite->from.path ? at->rewrite->from.nsegments : 0;

    if (at->shape == NULL) {
        return at->narrow ? 1 : MIQPS_MAX_SEGMENTS + 1 - own;
    }

    for (i = 0; i < at->shape->len; i++) {
        n += (at->shape->data[i] == '/');
    }

    return (n > own) ? n - own : 1;
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
        (void) fputs(learn_sample_any(at, MIQPS_PIECE_RAW), at->out);
    }
}


/* those of the source, and the others of the pattern */

static void
learn_sample_params(learn_sample_t *at)
{
    int                  mark, named;
    uint32_t             i, k;
    miqps_str_t          name;
    const uint8_t       *text;
    const miqps_form_t  *from;

    mark = '?';
    from = &at->rewrite->from;

    for (i = 0; i < from->nparams; i++) {
        name = miqps_paths_string(at->rules, from->params[i]);
        text = from->params[i] + MIQPS_PATHS_STRING;

        if (at->part == LEARN_PART_WITHOUT && at->which == i) {
            at->next += learn_sample_captures(at->rules, text);
            continue;
        }

        (void) fprintf(at->out, "%c%.*s=", mark, (int) name.len,
                       (const char *) name.data);
        mark = '&';

        if (at->part == LEARN_PART_PARAM && at->which == i) {
            (void) fwrite(at->value.data, 1, at->value.len, at->out);
            at->next += learn_sample_captures(at->rules, text);

        } else if (learn_sample_settled(at, &name)) {
            at->next += learn_sample_captures(at->rules, text);

        } else {
            learn_sample_text(at, text);
        }
    }

    for (i = 0; at->pattern != NULL && i < at->pattern->nparams; i++) {
        named = 0;

        for (k = 0; k < from->nparams; k++) {
            name = miqps_paths_string(at->rules, from->params[k]);
            named |= miqps_str_eq(&name, &at->pattern->params[i].name);
        }

        if (!named) {
            (void) fprintf(at->out, "%c%.*s=%s", mark,
                           (int) at->pattern->params[i].name.len,
                           (const char *) at->pattern->params[i].name.data,
                           learn_sample_any(at, MIQPS_PIECE_RAW));
            mark = '&';
        }
    }
}


/*
 * What a rule has made is looked at again: a rule that always writes the same
 * may apply only where that is there.
 */

static int
learn_sample_settled(learn_sample_t *at, const miqps_str_t *name)
{
    uint32_t             i;
    miqps_str_t          other;
    miqps_piece_t        piece;
    const uint8_t       *text;
    const miqps_form_t  *to;

    to = &at->rewrite->to;

    for (i = 0; at->settled && i < to->nparams; i++) {
        other = miqps_paths_string(at->rules, to->params[i]);
        text = to->params[i] + MIQPS_PATHS_STRING;

        if (!miqps_str_eq(&other, name) || *text != 1) {
            continue;
        }

        (void) miqps_piece_next(at->rules, text + 1, &piece);

        if (piece.kind == MIQPS_PIECE_LITERAL) {
            (void) fwrite(piece.literal.data, 1, piece.literal.len, at->out);
            return 1;
        }
    }

    return 0;
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
    miqps_str_t  text;

    if (piece->kind == MIQPS_PIECE_LITERAL) {
        (void) fwrite(piece->literal.data, 1, piece->literal.len, at->out);
        return;
    }

    if (at->next++ == at->which && at->part == LEARN_PART_CAPTURE) {
        (void) fwrite(at->value.data, 1, at->value.len, at->out);

    } else if (piece->kind == MIQPS_PIECE_TABLE) {
        text = learn_sample_entry(at->rules, piece->number, 0);
        (void) fwrite(text.data, 1, text.len, at->out);

    } else {
        (void) fputs(learn_sample_any(at, piece->kind), at->out);
    }
}


/* digits are hex, too, and a word, and anything */

static const char *
learn_sample_any(const learn_sample_t *at, miqps_piece_e kind)
{
    if (at->narrow && kind != MIQPS_PIECE_UUID) {
        kind = MIQPS_PIECE_DIGITS;
    }

    return learn_sample_value(kind, 0);
}


const char *
learn_sample_value(miqps_piece_e kind, int other)
{
    switch (kind) {

    case MIQPS_PIECE_DIGITS:
        return other ? "778" : "777";

    case MIQPS_PIECE_HEX:
        return other ? "7ac" : "7ab";

    case MIQPS_PIECE_UUID:
        return other ? "7a000778-0000-4000-8000-000000000000"
                     : "7a000777-0000-4000-8000-000000000000";

    case MIQPS_PIECE_WORD:
        return other ? "zq_8" : "zq_7";

    case MIQPS_PIECE_ANY:
        return other ? "zq-8" : "zq-7";

    default: /* MIQPS_PIECE_RAW */
        return other ? "zq.8" : "zq.7";
    }
}


/* a value of a table */

miqps_str_t
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
