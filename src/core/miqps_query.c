
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_query.h"


/* what a byte means to the splitter */

#define MIQPS_BYTE_AMP      0x01    /* ends a pair */
#define MIQPS_BYTE_EQUALS   0x02    /* ends a name */
#define MIQPS_BYTE_BAD      0x04    /* ends everything */
#define MIQPS_BYTE_SPECIAL  0x08    /* the family may not be the plain name */

#define A  MIQPS_BYTE_AMP
#define E  MIQPS_BYTE_EQUALS
#define B  MIQPS_BYTE_BAD
#define S  MIQPS_BYTE_SPECIAL

static const uint8_t  miqps_query_bytes[256] = {
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,

    /*       #     %  &              +        .                  */
    B, 0, 0, B, 0, S, A, 0, 0, 0, 0, S, 0, 0, S, 0,

    /*                                   ;     =     ?           */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B, 0, E, 0, S,

    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,

    /*                                   [     ]                 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, S, 0, S, 0, 0,

    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,

    /*                                               DEL         */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B,

    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S,
    S, S, S, S, S, S, S, S, S, S, S, S, S, S, S, S
};

#undef A
#undef E
#undef B
#undef S


static miqps_guard_e  miqps_query_bad(uint8_t c);
static int  miqps_query_splits(const uint8_t *value, const uint8_t *p);


miqps_guard_e
miqps_query_split(const miqps_str_t *args, uint8_t *pool,
    miqps_param_t *params, size_t *n, size_t *pieces)
{
    size_t          count, nparams;
    uint8_t         seen;
    miqps_str_t     name, family;
    miqps_guard_e   guard;
    const uint8_t  *p, *last, *value;
    miqps_param_t  *param;

    p = args->data;
    last = p + args->len;
    nparams = 0;

    for (count = 1; /* void */ ; count++) {

        if (count > MIQPS_MAX_PARAMS) {
            return MIQPS_GUARD_TOO_MANY;
        }

        name.data = p;
        seen = 0;

        while (p < last) {
            seen |= miqps_query_bytes[*p];

            if (seen & ~MIQPS_BYTE_SPECIAL) {
                break;
            }

            p++;
        }

        name.len = (size_t) (p - name.data);

        if (p < last && *p == '=') {
            value = ++p;

            while (p < last) {

                if (miqps_query_bytes[*p] & ~MIQPS_BYTE_SPECIAL) {

                    if (*p != '=') {
                        break;
                    }

                    if (miqps_query_splits(value, p)) {
                        return MIQPS_GUARD_VALUE_SPLIT;
                    }
                }

                p++;
            }
        }

        if (p < last && *p != '&') {
            return miqps_query_bad(*p);
        }

        if (p > name.data) {
            param = &params[nparams++];

            memset(param, 0, sizeof(miqps_param_t));

            param->name = name.data;
            param->name_len = (uint32_t) name.len;
            param->len = (uint32_t) (p - name.data);

            family = name;

            if (seen & MIQPS_BYTE_SPECIAL) {
                guard = miqps_family_of(&name, pool, &family);

                if (guard != MIQPS_GUARD_PASS) {
                    return guard;
                }

                pool += family.len;
                param->special = 1;
            }

            param->family = family.data;
            param->family_len = (uint32_t) family.len;
            param->key = miqps_family_key(family.data, family.len);
        }

        if (p == last) {
            break;
        }

        p++;
    }

    *n = nparams;
    *pieces = count;

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


static miqps_guard_e
miqps_query_bad(uint8_t c)
{
    switch (c) {

    case ';':
        return MIQPS_GUARD_SEMICOLON;

    case '#':
        return MIQPS_GUARD_FRAGMENT;

    default:
        return MIQPS_GUARD_CONTROL;
    }
}


/* qs takes the name to end at the first "]=", even behind an earlier "=" */

static int
miqps_query_splits(const uint8_t *value, const uint8_t *p)
{
    return (p - value >= 1 && p[-1] == ']')
           || (p - value >= 3 && memcmp(p - 3, "%5D", 3) == 0);
}
