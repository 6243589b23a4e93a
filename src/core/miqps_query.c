
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_query.h"
#include "miqps_scan.h"
#include "miqps_utf8.h"


/* a piece that is being read, from one "&" to the next */

typedef struct {
    const uint8_t   *start;
    const uint8_t   *name_end;   /* NULL until the "=" */
    const uint8_t   *end;
    uint64_t         special;    /* not zero: special bytes in the name */
    uint64_t         more;       /* not zero: a "=" in the value */
} miqps_piece_t;


static inline void  miqps_query_begin(miqps_piece_t *piece,
    const uint8_t *start);
static inline uint64_t  miqps_query_piece(miqps_piece_t *piece,
    const miqps_scan_t *scan, const uint8_t *block, uint64_t rest);
static inline miqps_guard_e  miqps_query_param(miqps_param_t *param,
    const miqps_piece_t *piece, uint8_t **pool, const uint8_t *last);
static miqps_guard_e  miqps_query_bad(const uint8_t *p);
static int  miqps_query_splits(const miqps_piece_t *piece);


miqps_guard_e
miqps_query_split(const miqps_str_t *args, uint8_t *pool,
    miqps_param_t *params, size_t *n, size_t *pieces)
{
    size_t          at, count, nparams;
    uint64_t        rest;
    unsigned        high;
    miqps_scan_t    scan;
    miqps_guard_e   guard;
    miqps_piece_t   piece;
    const uint8_t  *block, *last;

    last = args->data + args->len;
    count = 0;
    nparams = 0;
    high = 0;

    miqps_query_begin(&piece, args->data);

    /* there is always an end in the last block, if only that of the query */

    for (at = 0; at <= args->len; at += MIQPS_SCAN_BLOCK) {
        block = args->data + at;

        miqps_scan(&scan, args, at);

        if (scan.bad != 0) {
            return miqps_query_bad(block);
        }

        high |= scan.high;
        rest = UINT64_MAX;

        for ( ;; ) {
            rest = miqps_query_piece(&piece, &scan, block, rest);

            if (piece.end == NULL) {
                break;
            }

            if (++count > MIQPS_MAX_PARAMS) {
                return MIQPS_GUARD_TOO_MANY;
            }

            if (piece.end > piece.start) {

                if (piece.more != 0 && miqps_query_splits(&piece)) {
                    return MIQPS_GUARD_VALUE_SPLIT;
                }

                guard = miqps_query_param(&params[nparams++], &piece, &pool,
                                          last);

                if (guard != MIQPS_GUARD_PASS) {
                    return guard;
                }
            }

            miqps_query_begin(&piece, piece.end + 1);
        }
    }

    *n = nparams;
    *pieces = count;

    /* Django reads a query as Latin-1 if one byte of it is not UTF-8 */

    if (high != 0 && !miqps_utf8_valid(args->data, args->len)) {
        return MIQPS_GUARD_VALUE_BYTES;
    }

    return MIQPS_GUARD_PASS;
}


static inline void
miqps_query_begin(miqps_piece_t *piece, const uint8_t *start)
{
    piece->start = start;
    piece->name_end = NULL;
    piece->special = 0;
    piece->more = 0;
}


/*
 * Goes on with a piece in those bits of a block that are set in "rest".  If
 * it ends here, piece->end is set, and what is left of "rest" is returned.
 */

static inline uint64_t
miqps_query_piece(miqps_piece_t *piece, const miqps_scan_t *scan,
    const uint8_t *block, uint64_t rest)
{
    uint64_t  end, equals, first, span, stop;

    /* the lowest bit, or none; below none are all */

    end = scan->ends & rest;
    end &= -end;
    span = rest & (end - 1);
    equals = scan->equals & span;

    if (piece->name_end == NULL) {
        first = equals & -equals;
        equals ^= first;
        stop = first | end;

        piece->special |= scan->special & span & (first - 1);

        if (stop != 0) {
            piece->name_end = block + __builtin_ctzll(stop);
        }
    }

    piece->more |= equals;

    if (end == 0) {
        piece->end = NULL;
        return 0;
    }

    piece->end = block + __builtin_ctzll(end);

    return rest & ~(end | (end - 1));
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
