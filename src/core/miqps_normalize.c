
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_escape.h"
#include "miqps_family.h"
#include "miqps_normalize.h"


/*
 * The buffer, in parts of args.len bytes:
 *
 *     | percent-normalized query | families | result |
 */

#define MIQPS_NORMALIZE_PARTS  3


static miqps_guard_e  miqps_normalize_query(const miqps_policy_t *policy,
    const miqps_request_t *req, miqps_work_t *work, uint8_t *buf,
    miqps_result_t *res);
static size_t  miqps_normalize_kept(miqps_work_t *work, size_t n,
    int ordered);
static size_t  miqps_normalize_emit(const miqps_work_t *work, size_t n,
    size_t pieces, uint8_t *out);


size_t
miqps_normalize_bound(size_t len)
{
    return MIQPS_NORMALIZE_PARTS * len;
}


miqps_rc_e
miqps_normalize(const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, uint8_t *buf, size_t size, miqps_result_t *res)
{
    if (size < miqps_normalize_bound(req->args.len)) {
        return MIQPS_NO_SPACE;
    }

    res->args = req->args;
    res->guard = MIQPS_GUARD_PASS;
    res->nparams = 0;
    res->nstripped = 0;
    res->changed = 0;

    if (req->args.len == 0) {
        return MIQPS_OK;
    }

    if (req->args.len > MIQPS_MAX_ARGS) {
        res->guard = MIQPS_GUARD_TOO_LONG;
        return MIQPS_OK;
    }

    res->guard = miqps_normalize_query(policy, req, work, buf, res);

    if (res->guard != MIQPS_GUARD_PASS) {
        res->args = req->args;
        res->nparams = 0;
        res->nstripped = 0;
        return MIQPS_OK;
    }

    res->changed = !miqps_str_eq(&res->args, &req->args);

    return MIQPS_OK;
}


static miqps_guard_e
miqps_normalize_query(const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, uint8_t *buf, miqps_result_t *res)
{
    size_t                kept, pieces, nactive;
    uint8_t              *out;
    miqps_str_t           args;
    miqps_guard_e         guard;
    const miqps_scope_t  *strict;

    guard = miqps_escape_normalize(&req->args, buf, &args);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    guard = miqps_query_split(&args, buf + req->args.len, work->params,
                              &res->nparams, &pieces);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    guard = miqps_policy_scopes(policy, &req->host, &req->path, work->active,
                                &nactive, &strict);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    guard = miqps_policy_decide(policy, work->active, nactive, strict,
                                work->params, res->nparams);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    kept = miqps_normalize_kept(work, res->nparams, 0);

    if (kept == pieces && !req->sort) {
        res->args = args;
        return MIQPS_GUARD_PASS;
    }

    if (miqps_family_single(work->params, res->nparams)) {

        if (req->sort) {
            miqps_family_sort(work->params, kept, work->order);
        }

    } else {
        miqps_family_order(work->params, res->nparams, work->order,
                           work->spare);
        (void) miqps_family_settle(work->params, res->nparams, work->order);

        kept = miqps_normalize_kept(work, res->nparams, req->sort);
    }

    out = buf + 2 * req->args.len;

    res->nstripped = res->nparams - kept;
    res->args.data = out;
    res->args.len = miqps_normalize_emit(work, kept, pieces, out);

    return MIQPS_GUARD_PASS;
}


/*
 * Leaves in work->order what is kept, in the order that it holds or, if not
 * "ordered", in that of the input.  Returns how many there are.
 */

static size_t
miqps_normalize_kept(miqps_work_t *work, size_t n, int ordered)
{
    size_t    i, kept;
    uint16_t  k;

    kept = 0;

    for (i = 0; i < n; i++) {
        k = ordered ? work->order[i] : (uint16_t) i;

        work->order[kept] = k;
        kept += (work->params[k].action == MIQPS_KEEP);
    }

    return kept;
}


/* writes the parameters that work->order names; returns the length */

static size_t
miqps_normalize_emit(const miqps_work_t *work, size_t n, size_t pieces,
    uint8_t *out)
{
    size_t                i;
    uint8_t              *p;
    const miqps_param_t  *param;

    p = out;
    param = NULL;

    for (i = 0; i < n; i++) {
        param = &work->params[work->order[i]];

        if (i > 0) {
            *p++ = '&';
        }

        memcpy(p, param->name, param->len);
        p += param->len;
    }

    /*
     * CGI programs take a lone word without "=" and "&" for a list of
     * keywords.  One that was not alone must not become one.
     */

    if (n == 1 && pieces > 1 && param->len == param->name_len) {
        *p++ = '&';
    }

    return (size_t) (p - out);
}
