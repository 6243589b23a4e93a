
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _SPLIT_H_INCLUDED_
#define _SPLIT_H_INCLUDED_


#include "miqps_query.h"
#include "page.h"


/*
 * Splits a query as miqps_normalize() does: a copy of it, with the slack that
 * it must have, right before a guard page.  What it yields is valid until the
 * next call.
 *
 * A file that includes this defines _DEFAULT_SOURCE before anything else.
 */

static inline miqps_guard_e
split_args(const miqps_str_t *args, uint8_t *pool, miqps_param_t *params,
    size_t *n, size_t *pieces)
{
    uint8_t      *p;
    miqps_str_t   copy;

    static page_t        page;
    static miqps_scan_t  scan;

    if (page.base == NULL) {
        page_init(&page, MIQPS_MAX_ARGS + MIQPS_QUERY_SLACK);
    }

    p = page_tail(&page, args->len + MIQPS_QUERY_SLACK);

    if (args->len > 0) {
        memcpy(p, args->data, args->len);
    }

    miqps_query_pad(p + args->len);

    copy.data = p;
    copy.len = args->len;

    miqps_scan(&scan, &copy);

    return miqps_query_split(&copy, &scan, pool, params, n, pieces);
}


#endif /* _SPLIT_H_INCLUDED_ */
