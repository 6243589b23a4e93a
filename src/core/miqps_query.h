
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_QUERY_H_INCLUDED_
#define _MIQPS_QUERY_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_guard.h"
#include "miqps_rule.h"
#include "miqps_scan.h"


/*
 * A QUERY STRING AND ITS PARAMETERS
 *
 *     color=red&size%5B%5D=4&&print
 *     |   | |   |          |  |
 *     |   | |   |          |  +-- a name without a value, name_len == len
 *     |   | |   |          +----- an empty piece, no parameter
 *     name  |   +---------------- family "size"
 *         value
 *
 * Parameters point into the percent-normalized query; nothing is copied but
 * the families that differ from their names.
 */


/* why a parameter got its verdict; with the layer and the rule a sentence */

typedef enum {
    MIQPS_WHY_UNNAMED = 0,     /* no rule speaks of it */
    MIQPS_WHY_NAME,            /* a rule has this name */
    MIQPS_WHY_VALUE,           /* a rule has this name with this value */
    MIQPS_WHY_WILDCARD,        /* a rule with "*" matches */
    MIQPS_WHY_REGEX,           /* a regular expression matches */
    MIQPS_WHY_FAMILY,          /* a rule keeps its family */
    MIQPS_WHY_UNLISTED,        /* strict, and nothing keeps it */
    MIQPS_WHY_EXCEPTED,        /* an exception took the strip back */
    MIQPS_WHY_REGEX_FAILED,    /* a regular expression gave up: kept */
    MIQPS_WHY_MIXED,           /* its family has a member that stays */
    MIQPS_WHY_REPEATED,        /* a rule on a value, but the name repeats */
    MIQPS_WHY_OPAQUE,          /* the guard refused the whole query */
    MIQPS_WHY_MATTERS,         /* learned: the page changes without it */
    MIQPS_WHY_ELSEWHERE,       /* learned: it does so with other names */
    MIQPS_WHY_NEUTRAL,         /* learned: it does not */
    MIQPS_WHY_DEFAULT,         /* learned: it does not, for this value */
    MIQPS_WHY_CLIENT,          /* learned: only the page's script reads it */
    MIQPS_WHY_MAX
} miqps_why_e;


typedef struct {
    const uint8_t        *name;       /* also the start of the pair */
    const uint8_t        *family;     /* equals name where they agree */
    uint64_t              key;        /* first bytes of family, big-endian */
    uint32_t              name_len;
    uint32_t              family_len;
    uint32_t              len;        /* of the pair, "name=value" or "name" */
    uint32_t              special;    /* the family is not the plain name */
    uint8_t               action;     /* MIQPS_KEEP or MIQPS_STRIP */
    uint8_t               layer;      /* miqps_layer_e */
    uint8_t               why;        /* miqps_why_e */
    uint8_t               rank;       /* in the precedence; the policy's, ... */
    uint32_t              more;       /* ... and so is this; in the end 0, or
                                         MIQPS_MORE_VALUE */
    const miqps_rule_t   *rule;       /* the deciding one, or NULL */
    const miqps_scope_t  *strict;     /* with MIQPS_WHY_UNLISTED, which */
} miqps_param_t;


/* another value could have made another verdict, on it or on the query */

#define MIQPS_MORE_VALUE  1


/* layer and action in one byte */

#define miqps_param_verdict(param)                                           \
    ((uint8_t) ((param)->layer << 1 | (param)->action))

#define miqps_verdict_action(verdict)  ((verdict) & 1)
#define miqps_verdict_layer(verdict)   ((verdict) >> 1)


/* how many parameters each layer stripped */

typedef struct {
    uint16_t              by[MIQPS_LAYER_MAX];
} miqps_strips_t;


/* the value; empty also for a name without "=" */

static inline miqps_str_t
miqps_param_value(const miqps_param_t *param)
{
    miqps_str_t  value = miqps_null_str;

    if (param->len > param->name_len) {
        value.data = param->name + param->name_len + 1;
        value.len = param->len - param->name_len - 1;
    }

    return value;
}


/*
 * Names are looked at in blocks, so that there have to be some bytes behind a
 * query; these are neither part of it nor hex digits that complete an escape.
 */

#define MIQPS_QUERY_SLACK  32


static inline void
miqps_query_pad(uint8_t *last)
{
    memset(last, 'x', MIQPS_QUERY_SLACK);
}


/*
 * Copies "len" bytes, in blocks: others behind them are read, and written, as
 * many as the slack has.
 */

static inline void
miqps_query_copy(uint8_t *dst, const uint8_t *src, size_t len)
{
    memcpy(dst, src, MIQPS_QUERY_SLACK);

    while (len > MIQPS_QUERY_SLACK) {
        dst += MIQPS_QUERY_SLACK;
        src += MIQPS_QUERY_SLACK;
        len -= MIQPS_QUERY_SLACK;

        memcpy(dst, src, MIQPS_QUERY_SLACK);
    }
}


/*
 * Splits "args", which is percent-normalized, padded as above, and has been
 * read by miqps_scan(), on "&" into "params", which has room for
 * MIQPS_MAX_PARAMS.  Families that are not plain names are written to "pool",
 * which has room for args->len bytes.
 *
 * MIQPS_GUARD_PASS   "params" holds "*n" parameters with name, family, key,
 *                    lengths and special set, kept by nobody; "*pieces"
 *                    counts empty pieces too
 * anything else      the query is opaque for this reason; nothing is set.
 *                    Bytes that no query holds come first, then what names
 *                    and values say, then their number
 */
miqps_guard_e miqps_query_split(const miqps_str_t *args,
    const miqps_scan_t *scan, uint8_t *pool, miqps_param_t *params, size_t *n,
    size_t *pieces);


/*
 * Splits the raw bytes of any query on "&", for reports on opaque ones: name
 * and lengths are set, the rest is zero.  Stops at MIQPS_MAX_PARAMS; returns
 * the number of parameters.
 */
size_t miqps_query_pieces(const miqps_str_t *args, miqps_param_t *params);


/* one clause for people, such as "no rule names it"; never NULL */

const char *miqps_why_text(miqps_why_e why);

/* "operator", "rules", "platform", ...; never NULL */

const char *miqps_layer_name(miqps_layer_e layer);


#endif /* _MIQPS_QUERY_H_INCLUDED_ */
