
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_paths_text.h"


static const uint8_t  *miqps_captures_take(miqps_captures_t *captures,
    const miqps_piece_t *piece, const uint8_t *next, uint32_t left,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_captures_end(const miqps_captures_t *captures,
    const uint8_t *next, uint32_t left, const uint8_t *p,
    const uint8_t *last);
static const uint8_t  *miqps_captures_run(miqps_piece_e kind,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_captures_uuid(const uint8_t *p,
    const uint8_t *last);
static int  miqps_captures_escape(const uint8_t *p, const uint8_t *last);


const uint8_t *
miqps_captures_read(miqps_captures_t *captures, const uint8_t *text,
    const miqps_str_t *value)
{
    uint32_t        n;
    miqps_piece_t   piece;
    const uint8_t  *p, *last;

    p = value->data;
    last = (value->len > 0) ? p + value->len : p;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(captures->rules, text, &piece);

        /* it is alone; a segment is not empty, and a value may be none */

        if (piece.kind == MIQPS_PIECE_RAW) {
            captures->list[captures->n++] = *value;
            p = last;
            continue;
        }

        if (piece.kind != MIQPS_PIECE_LITERAL) {
            p = miqps_captures_take(captures, &piece, text, n - 1, p, last);

            if (p == NULL) {
                return NULL;
            }

            continue;
        }

        if ((size_t) (last - p) < piece.literal.len
            || memcmp(p, piece.literal.data, piece.literal.len) != 0)
        {
            return NULL;
        }

        p += piece.literal.len;
    }

    return (p == last) ? text : NULL;
}


/* the end of what a piece stands for; NULL if that is nothing it may be */

static const uint8_t *
miqps_captures_take(miqps_captures_t *captures, const miqps_piece_t *piece,
    const uint8_t *next, uint32_t left, const uint8_t *p, const uint8_t *last)
{
    miqps_str_t     taken;
    const uint8_t  *end;

    last = miqps_captures_end(captures, next, left, p, last);
    end = (last == NULL) ? NULL
          : (piece->kind == MIQPS_PIECE_UUID)
            ? miqps_captures_uuid(p, last)
            : miqps_captures_run(piece->kind, p, last);

    if (end == NULL || end == p) {
        return NULL;
    }

    taken.data = p;
    taken.len = (size_t) (end - p);

    if (piece->kind == MIQPS_PIECE_TABLE) {
        taken = miqps_paths_find(captures->rules, piece->number, &taken);

        if (taken.data == NULL) {
            return NULL;
        }
    }

    captures->list[captures->n++] = taken;

    return end;
}


/*
 * How far a piece may reach.  The last one takes all up to the literal at the
 * end, if there is one; others end where the literal behind them begins, with
 * a byte that they do not have.
 */

static const uint8_t *
miqps_captures_end(const miqps_captures_t *captures, const uint8_t *next,
    uint32_t left, const uint8_t *p, const uint8_t *last)
{
    miqps_str_t  literal;

    if (left != 1) {
        return last;
    }

    literal = miqps_paths_string(captures->rules, next + 1);

    return ((size_t) (last - p) < literal.len) ? NULL : last - literal.len;
}


static const uint8_t *
miqps_captures_run(miqps_piece_e kind, const uint8_t *p, const uint8_t *last)
{
    uint8_t  mask;

    mask = miqps_paths_kinds[kind];

    for ( ;; ) {

        while (p < last && (miqps_paths_bytes[*p] & mask) && *p != '%') {
            p++;
        }

        if (p == last || !(miqps_paths_bytes[*p] & mask)
            || !miqps_captures_escape(p, last))
        {
            return p;
        }

        p += 3;
    }
}


/* of a byte above 0x7f, with digits in upper case */

static int
miqps_captures_escape(const uint8_t *p, const uint8_t *last)
{
    return last - p >= 3
           && ((p[1] >= '8' && p[1] <= '9') || (p[1] >= 'A' && p[1] <= 'F'))
           && ((p[2] >= '0' && p[2] <= '9') || (p[2] >= 'A' && p[2] <= 'F'));
}


static const uint8_t *
miqps_captures_uuid(const uint8_t *p, const uint8_t *last)
{
    size_t  i;

    if (last - p < 36) {
        return NULL;
    }

    for (i = 0; i < 36; i++) {
        if ((i == 8 || i == 13 || i == 18 || i == 23)
            ? p[i] != '-' : !miqps_piece_holds(MIQPS_PIECE_HEX, p[i]))
        {
            return NULL;
        }
    }

    return p + 36;
}


uint8_t *
miqps_captures_write(const miqps_captures_t *captures, const uint8_t **text,
    uint8_t *out)
{
    uint32_t        n;
    miqps_str_t     str;
    miqps_piece_t   piece;
    const uint8_t  *p;

    p = *text;

    for (n = *p++; n > 0; n--) {
        p = miqps_piece_next(captures->rules, p, &piece);
        str = (piece.kind == MIQPS_PIECE_LITERAL)
              ? piece.literal : captures->list[piece.number];

        if (str.len > 0) {
            memcpy(out, str.data, str.len);
            out += str.len;
        }
    }

    *text = p;

    return out;
}


const uint8_t *
miqps_captures_skip(const uint8_t *text)
{
    uint32_t  n;

    for (n = *text++; n > 0; n--) {
        text += (*text == MIQPS_PIECE_LITERAL) ? 1 + MIQPS_PATHS_STRING
                : (*text >= MIQPS_PIECE_TABLE) ? 2 : 1;
    }

    return text;
}
