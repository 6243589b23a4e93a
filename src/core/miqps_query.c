
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_query.h"
#include "miqps_scan.h"
#include "miqps_utf8.h"


static inline void  miqps_query_param(miqps_param_t *param,
    const uint8_t *name, size_t name_len, size_t len);
static miqps_guard_e  miqps_query_odd(const miqps_str_t *args,
    const miqps_scan_t *scan, uint8_t *pool, miqps_param_t *params, size_t n);
static int  miqps_query_holds(const uint64_t *set, size_t at, size_t len);
static miqps_guard_e  miqps_query_family(miqps_param_t *param,
    uint8_t **pool);
static miqps_guard_e  miqps_query_bad(const uint8_t *p);
static int  miqps_query_splits(const miqps_param_t *param);


miqps_guard_e
miqps_query_split(const miqps_str_t *args, const miqps_scan_t *scan,
    uint8_t *pool, miqps_param_t *params, size_t *n, size_t *pieces)
{
    size_t          at, len, name_len, count;
    uint64_t        ends;
    miqps_guard_e   guard;
    miqps_param_t  *param;

    if (scan->bad) {
        return miqps_query_bad(args->data);
    }

    at = 0;
    param = params;

    for (count = 1; count <= MIQPS_MAX_PARAMS; count++) {

        ends = miqps_scan_from(scan->ends, at);

        if (ends != 0) {
            name_len = (size_t) __builtin_ctzll(miqps_scan_from(scan->names,
                                                                at));
            len = (size_t) __builtin_ctzll(ends);

        } else {
            name_len = miqps_scan_next(scan->names, at);
            len = miqps_scan_next(scan->ends, at);
        }

        miqps_query_param(param, args->data + at, name_len, len);

        /* the next one takes the place of an empty one */

        param += (len > 0);
        at += len;

        if (at == args->len) {
            break;
        }

        at++;
    }

    if (scan->any_special | scan->any_more) {
        guard = miqps_query_odd(args, scan, pool, params,
                                (size_t) (param - params));

        if (guard != MIQPS_GUARD_PASS) {
            return guard;
        }
    }

    if (count > MIQPS_MAX_PARAMS) {
        return MIQPS_GUARD_TOO_MANY;
    }

    /* Django reads a query as Latin-1 if one byte of it is not UTF-8 */

    if (scan->high && !miqps_utf8_valid(args->data, args->len)) {
        return MIQPS_GUARD_VALUE_BYTES;
    }

    *n = (size_t) (param - params);
    *pieces = count;

    return MIQPS_GUARD_PASS;
}


static inline void
miqps_query_param(miqps_param_t *param, const uint8_t *name, size_t name_len,
    size_t len)
{
    param->name = name;
    param->family = name;
    param->key = miqps_family_key_padded(name, name_len);
    param->name_len = (uint32_t) name_len;
    param->family_len = (uint32_t) name_len;
    param->len = (uint32_t) len;
    param->special = 0;
    param->action = MIQPS_KEEP;
    param->layer = MIQPS_LAYER_DEFAULT;
    param->why = MIQPS_WHY_UNNAMED;
    param->rank = 0;
    param->rule = NULL;
}


/* looks at the names and values that are not plain */

static miqps_guard_e
miqps_query_odd(const miqps_str_t *args, const miqps_scan_t *scan,
    uint8_t *pool, miqps_param_t *params, size_t n)
{
    size_t          i, at;
    miqps_guard_e   guard;
    miqps_param_t  *param;

    for (i = 0; i < n; i++) {
        param = &params[i];
        at = (size_t) (param->name - args->data);

        if (scan->any_more
            && miqps_query_holds(scan->more, at, param->len)
            && miqps_query_splits(param))
        {
            return MIQPS_GUARD_VALUE_SPLIT;
        }

        if (miqps_query_holds(scan->special, at, param->name_len)) {
            guard = miqps_query_family(param, &pool);

            if (guard != MIQPS_GUARD_PASS) {
                return guard;
            }
        }
    }

    return MIQPS_GUARD_PASS;
}


/* true if a set has one of "len" bits */

static int
miqps_query_holds(const uint64_t *set, size_t at, size_t len)
{
    uint64_t  bits;

    while (len > MIQPS_SCAN_VIEW) {
        bits = miqps_scan_from(set, at) << (64 - MIQPS_SCAN_VIEW);

        if (bits != 0) {
            return 1;
        }

        at += MIQPS_SCAN_VIEW;
        len -= MIQPS_SCAN_VIEW;
    }

    return (miqps_scan_from(set, at) & ((UINT64_C(1) << len) - 1)) != 0;
}


static miqps_guard_e
miqps_query_family(miqps_param_t *param, uint8_t **pool)
{
    miqps_str_t    name, family;
    miqps_guard_e  guard;

    name.data = param->name;
    name.len = param->name_len;

    guard = miqps_family_of(&name, *pool, &family);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    *pool += family.len;

    param->special = 1;
    param->family = family.data;
    param->family_len = (uint32_t) family.len;
    param->key = miqps_family_key(family.data, family.len);

    return MIQPS_GUARD_PASS;
}


size_t
miqps_query_pieces(const miqps_str_t *args, miqps_param_t *params)
{
    size_t          n;
    const uint8_t  *p, *last, *end, *equals;

    if (args->len == 0) {
        return 0;
    }

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
        "the query must not change",
        "the page changes without it",
        "with other names the page changes without it",
        "the page is the same without it",
        "with this value the page is the same without it",
        "only a script of the page reads it"
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


/* a query with something bad in it: the first of that tells why */

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
miqps_query_splits(const miqps_param_t *param)
{
    miqps_str_t     value;
    const uint8_t  *p, *last;

    value = miqps_param_value(param);
    last = value.data + value.len;

    for (p = value.data + 1; p < last; p++) {

        if (*p == '='
            && (p[-1] == ']'
                || (p - value.data >= 3 && memcmp(p - 3, "%5D", 3) == 0)))
        {
            return 1;
        }
    }

    return 0;
}
