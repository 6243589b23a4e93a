
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_NORMALIZE_H_INCLUDED_
#define _MIQPS_NORMALIZE_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_guard.h"
#include "miqps_map.h"
#include "miqps_paths.h"
#include "miqps_plan.h"
#include "miqps_policy.h"
#include "miqps_query.h"


/*
 * THE NORMALIZER
 *
 * One function, the same object code in nginx and in miqps:
 *
 *     escape -> split -> scopes -> map -> decide -> order -> settle -> emit
 *                                                                       |
 *                                                     path rules <------+
 *
 * Path rules of the map, where they are wanted, come last.  What one has made
 * of the URL is taken only if nothing of it would be stripped.  Without them,
 * it holds for every result that
 *
 *   (1) normalizing it again changes nothing;
 *   (2) a kept parameter has the bytes it had, but for escapes of unreserved
 *       characters, which are decoded, and hex digits, which are upper case;
 *   (3) no byte appears that was not in the input;
 *   (4) it is no longer than the input;
 *   (5) with "sort", parameters of different families may come in any order
 *       and the result is the same;
 *   (6) an opaque query is the input, byte for byte.
 *
 * With them, (1), (5) and (6) do, and an opaque URL has no path rule.
 */

typedef struct miqps_second_s  miqps_second_t;


typedef struct {
    miqps_str_t           host;      /* lower case, no port; may be empty */
    miqps_str_t           path;      /* raw bytes, from the first slash */
    miqps_str_t           args;      /* raw bytes after the "?" */
    miqps_plans_t        *plans;     /* or NULL; see below */
    const miqps_image_t  *image;     /* a learned map, or NULL */
    miqps_second_t       *second;    /* for its path rules, or NULL: none */
    unsigned              sort:1;
    unsigned              shown:1;   /* a browser will have the result */
    unsigned              stay:1;    /* the host must be what it is */
} miqps_request_t;


/*
 * Scratch of one call.  A process needs one: fill nothing, read the
 * parameters after the call, before the next.
 */

typedef struct {
    miqps_param_t         params[MIQPS_MAX_PARAMS];
    uint16_t              order[MIQPS_MAX_PARAMS];
    uint16_t              spare[MIQPS_MAX_PARAMS];
    uint32_t              active[MIQPS_MAX_ACTIVE];
    size_t                nactive;
    miqps_scan_t          scan;

    /* where a map is asked */
    miqps_param_t         left[MIQPS_MAX_PARAMS];
    uint16_t              back[MIQPS_MAX_PARAMS];
    miqps_map_work_t      map;
} miqps_work_t;


/*
 * What path rules need: scratch of a second look, and a buffer of
 * miqps_second_bound() bytes, both valid as those of the first are.
 */

struct miqps_second_s {
    miqps_work_t          work;
    uint8_t              *buf;
    size_t                size;
};


typedef struct {
    miqps_str_t           args;      /* in a buffer; or the input itself, if
                                        it is the same */
    miqps_str_t           path;      /* the input itself, or what a rule */
    miqps_str_t           host;      /* has made of it */
    miqps_guard_e         guard;     /* other than PASS: opaque, and why */
    size_t                nparams;   /* work->params in order of the input */
    size_t                nstripped;
    unsigned              changed:1; /* args differ from the input */
    unsigned              moved:1;   /* a path rule was applied, ... */
    uint32_t              rule;      /* ... this one of the host, or */
    uint32_t              host_rule; /* MIQPS_PATHS_NONE; the same */
    const uint8_t        *record;    /* of the host in the map, or NULL; */
    uint32_t              place;     /* of it in the section, if moved */
    unsigned              mapped:1;  /* the map has the host, */
    unsigned              known:1;   /* and the names */
    const uint8_t        *verdicts;  /* of parameters, where a plan was
                                        followed, which leaves "work" and
                                        "entry" as they are; or NULL */
    miqps_strips_t        strips;
    miqps_map_entry_t     entry;     /* what of it spoke first, if it did */
} miqps_result_t;


/*
 * Bytes of buffer that a query of "len" bytes can need: a small multiple of
 * it and a constant; none for none.
 */
size_t miqps_normalize_bound(size_t len);

/* the same for req->second, with the length of the path; never none */

size_t miqps_second_bound(size_t path, size_t len);


/*
 * Normalizes the query of a request under a policy.
 *
 * "buf" of "size" bytes backs res->args and the parameters, which are valid
 * while it and req->args are.  An opaque query has no parameters; see
 * miqps_query_pieces() for a report on it.
 *
 * MIQPS_OK        "res" is filled, also for an opaque query
 * MIQPS_NO_SPACE  "size" is below miqps_normalize_bound(req->args.len);
 *                 nothing is set
 */
miqps_rc_e miqps_normalize(const miqps_policy_t *policy,
    const miqps_request_t *req, miqps_work_t *work, uint8_t *buf, size_t size,
    miqps_result_t *res);


#endif /* _MIQPS_NORMALIZE_H_INCLUDED_ */
