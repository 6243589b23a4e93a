
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_query.h"
#include "miqps_scan.h"
#include "miqps_utf8.h"


/* a piece, from one "&" to the next */

typedef struct {
    const uint8_t   *start;
    const uint8_t   *name_end;
    const uint8_t   *end;
    uint64_t         special;    /* not zero: special bytes in the name */
    uint64_t         more;       /* not zero: a "=" in the value */
} miqps_piece_t;


/* how far the query was read */

typedef struct {
    const miqps_str_t  *args;
    miqps_scan_t        scan;    /* what is left of the block at ... */
    const uint8_t      *block;
    unsigned            high;    /* not zero: something was not ASCII */
} miqps_cursor_t;


static inline miqps_guard_e  miqps_query_next(miqps_piece_t *piece,
    miqps_cursor_t *cursor);
static inline void  miqps_query_piece(miqps_piece_t *piece,
    miqps_scan_t *scan, const uint8_t *block);
static miqps_guard_e  miqps_query_long(miqps_piece_t *piece,
    miqps_cursor_t *cursor);
static inline miqps_guard_e  miqps_query_param(miqps_param_t *param,
    const miqps_piece_t *piece, uint8_t **pool, const uint8_t *last);
static miqps_guard_e  miqps_query_bad(const uint8_t *p);
static int  miqps_query_splits(const miqps_piece_t *piece);


miqps_guard_e
miqps_query_split(const miqps_str_t *args, uint8_t *pool,
    miqps_param_t *params, size_t *n, size_t *pieces)
{
    size_t           count;
    miqps_guard_e    guard;
    miqps_piece_t    piece;
    miqps_param_t   *param;
    miqps_cursor_t   cursor;
    const uint8_t   *last;

    if (args->len == 0) {
        *n = 0;
        *pieces = 1;
        return MIQPS_GUARD_PASS;
    }

    cursor.args = args;
    cursor.scan.ends = 0;
    cursor.high = 0;

    last = args->data + args->len;
    param = params;

    memset(&piece, 0, sizeof(miqps_piece_t));
    piece.start = args->data;

    for (count = 1; /* void */ ; count++) {

        if (count > MIQPS_MAX_PARAMS) {
            return MIQPS_GUARD_TOO_MANY;
        }

        guard = miqps_query_next(&piece, &cursor);

        if (guard == MIQPS_GUARD_PASS && piece.end > piece.start) {
            guard = miqps_query_param(param++, &piece, &pool, last);
        }

        if (guard != MIQPS_GUARD_PASS) {
            return guard;
        }

        if (piece.end == last) {
            break;
        }

        piece.start = piece.end + 1;
    }

    /* Django reads a query as Latin-1 if one byte of it is not UTF-8 */

    if (cursor.high != 0 && !miqps_utf8_valid(args->data, args->len)) {
        return MIQPS_GUARD_VALUE_BYTES;
    }

    *n = (size_t) (param - params);
    *pieces = count;

    return MIQPS_GUARD_PASS;
}


/* finds the end of the piece that starts at piece->start */

static inline miqps_guard_e
miqps_query_next(miqps_piece_t *piece, miqps_cursor_t *cursor)
{
    /* a piece that a block cuts begins another one */

    if (cursor->scan.ends == 0) {
        cursor->block = piece->start;

        miqps_scan(&cursor->scan, cursor->args,
                   (size_t) (piece->start - cursor->args->data));

        cursor->high |= cursor->scan.high;

        if (cursor->scan.bad != 0) {
            return miqps_query_bad(cursor->block);
        }

        if (cursor->scan.ends == 0) {
            return miqps_query_long(piece, cursor);
        }
    }

    miqps_query_piece(piece, &cursor->scan, cursor->block);

    if (piece->more != 0 && miqps_query_splits(piece)) {
        return MIQPS_GUARD_VALUE_SPLIT;
    }

    return MIQPS_GUARD_PASS;
}


/* takes the next piece of a block, which has an end, out of its bits */

static inline void
miqps_query_piece(miqps_piece_t *piece, miqps_scan_t *scan,
    const uint8_t *block)
{
    uint64_t  end, equals, first;

    end = scan->ends & -scan->ends;
    equals = scan->equals & (end - 1);

    /* the name ends at the first "=", or with the piece */

    first = (equals | end) & -(equals | end);

    piece->name_end = block + __builtin_ctzll(first);
    piece->end = block + __builtin_ctzll(end);
    piece->special = scan->special & (first - 1);
    piece->more = equals & (equals - 1);

    scan->ends ^= end;
    scan->equals &= -end;
    scan->special &= -end;
}


/* takes a piece that is longer than a block */

static miqps_guard_e
miqps_query_long(miqps_piece_t *piece, miqps_cursor_t *cursor)
{
    miqps_scan_t    scan;
    const uint8_t  *p, *last, *data;

    data = cursor->args->data;
    last = data + cursor->args->len;

    p = memchr(piece->start, '&', (size_t) (last - piece->start));
    piece->end = (p != NULL) ? p : last;

    p = memchr(piece->start, '=', (size_t) (piece->end - piece->start));
    piece->name_end = (p != NULL) ? p : piece->end;

    piece->special = 0;

    for (p = piece->start; p < piece->end; p += MIQPS_SCAN_BLOCK) {
        miqps_scan(&scan, cursor->args, (size_t) (p - data));

        if (scan.bad != 0) {
            return miqps_query_bad(p);
        }

        cursor->high |= scan.high;

        if (piece->name_end - p >= MIQPS_SCAN_BLOCK) {
            piece->special |= scan.special;

        } else if (piece->name_end > p) {
            piece->special |= scan.special
                              & ((UINT64_C(1) << (piece->name_end - p)) - 1);
        }
    }

    return miqps_query_splits(piece) ? MIQPS_GUARD_VALUE_SPLIT
                                     : MIQPS_GUARD_PASS;
}


static inline miqps_guard_e
miqps_query_param(miqps_param_t *param, const miqps_piece_t *piece,
    uint8_t **pool, const uint8_t *last)
{
    miqps_str_t    name, family;
    miqps_guard_e  guard;

    name.data = piece->start;
    name.len = (size_t) (piece->name_end - piece->start);
    family = name;

    param->name = name.data;
    param->name_len = (uint32_t) name.len;
    param->len = (uint32_t) (piece->end - piece->start);
    param->special = 0;
    param->action = MIQPS_KEEP;
    param->layer = MIQPS_LAYER_DEFAULT;
    param->why = MIQPS_WHY_UNNAMED;
    param->rule = NULL;

    if (piece->special != 0) {
        guard = miqps_family_of(&name, *pool, &family);

        if (guard != MIQPS_GUARD_PASS) {
            return guard;
        }

        *pool += family.len;
        last = family.data + family.len;

        param->special = 1;
    }

    param->family = family.data;
    param->family_len = (uint32_t) family.len;
    param->key = miqps_family_key(family.data, family.len, last);

    return MIQPS_GUARD_PASS;
}


size_t
miqps_query_pieces(const miqps_str_t *args, miqps_param_t *params)
{
    size_t          n;
    const uint8_t  *p, *last, *end, *equals;

    n = 0;
    p = args->data;
    last = p + args->len;

    while (p < last && n < MIQPS_MAX_PARAMS) {

        end = memchr(p, '&', (size_t) (last - p));

        if (end == NULL) {
            end = last;
        }

        if (end > p) {
            equals = memchr(p, '=', (size_t) (end - p));

            memset(&params[n], 0, sizeof(miqps_param_t));

            params[n].name = p;
            params[n].len = (uint32_t) (end - p);
            params[n].name_len = (uint32_t) (((equals != NULL) ? equals : end)
                                             - p);
            n++;
        }

        p = end + 1;
    }

    return n;
}


const char *
miqps_why_text(miqps_why_e why)
{
    static const char *const  text[] = {
        "no rule names it",
        "named",
        "named with this value",
        "matched by",
        "matched by",
        "of the family of",
        "not on the allow-list",
        "excepted",
        "a regular expression gave up on it",
        "another parameter of its family stays",
        "its name occurs more than once",
        "the query must not change"
    };

    return text[why];
}


const char *
miqps_layer_name(miqps_layer_e layer)
{
    static const char *const  name[] = {
        "default", "operator", "rules", "platform", "regex", "map",
        "tracking", "guard"
    };

    return name[layer];
}


/* a block with something bad in it: the first of that tells why */

static miqps_guard_e
miqps_query_bad(const uint8_t *p)
{
    while (!miqps_scan_bad(*p)) {
        p++;
    }

    switch (*p) {

    case ';':
        return MIQPS_GUARD_SEMICOLON;

    case '#':
        return MIQPS_GUARD_FRAGMENT;

    default:
        return MIQPS_GUARD_CONTROL;
    }
}


/*
 * True if a value holds "]=" or "%5D=": qs takes the name to end there, even
 * behind an earlier "=".
 */

static int
miqps_query_splits(const miqps_piece_t *piece)
{
    const uint8_t  *p, *value;

    value = piece->name_end + 1;

    for (p = value + 1; p < piece->end; p++) {

        if (*p == '='
            && (p[-1] == ']'
                || (p - value >= 3 && memcmp(p - 3, "%5D", 3) == 0)))
        {
            return 1;
        }
    }

    return 0;
}
