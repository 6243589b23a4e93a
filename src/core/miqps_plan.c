
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_hash.h"
#include "miqps_plan.h"
#include "miqps_query.h"


static inline void  miqps_plan_name(miqps_plan_name_t *name, const uint8_t *p,
    size_t len);
static miqps_noinline const uint8_t  *miqps_plan_host(
    miqps_plan_host_t *own, const miqps_image_t *image,
    const miqps_str_t *host);
static int  miqps_plan_is(const miqps_plan_t *plan, const miqps_planned_t *q);


int
miqps_plan_read(miqps_planned_t *q, miqps_plans_t *plans, unsigned flags,
    const miqps_str_t *args, const miqps_scan_t *scan)
{
    size_t              at, n, len, name_len;
    uint64_t            hash, ends;
    miqps_plan_name_t  *name;

    if ((scan->bad | scan->high) != 0 || scan->any_more != 0) {
        return 0;
    }

    hash = q->key.scopes ^ (uintptr_t) q->key.record << 16;
    at = 0;

    for (n = 0; n < MIQPS_PLAN_NAMES; n++) {
        name_len = (size_t) __builtin_ctzll(miqps_scan_from(scan->names, at)
                                            | UINT64_C(1) << 17);

        ends = miqps_scan_from(scan->ends, at);
        len = (ends != 0) ? (size_t) __builtin_ctzll(ends)
                          : miqps_scan_next(scan->ends, at);

        /* this also tells an empty piece */

        if (name_len == len || name_len > 16) {
            return 0;
        }

        name = &q->names[n];

        miqps_plan_name(name, args->data + at, name_len);

        hash = miqps_hash_next(hash, name->first, name->rest);

        q->at[n] = (uint32_t) at;
        q->len[n] = (uint32_t) len;

        at += len + 1;

        if (at > args->len) {
            q->n = n + 1;
            q->tag = hash << 32 | (n + 1) << 8 | flags;
            q->place = &plans->plans[hash >> 32 & (MIQPS_PLANS - 1)
                                     & ~(uint64_t) (MIQPS_PLAN_WAYS - 1)];
            return 1;
        }
    }

    return 0;
}


static inline void
miqps_plan_name(miqps_plan_name_t *name, const uint8_t *p, size_t len)
{
    miqps_plan_name_t  bytes;

    /* what is taken of sixteen bytes, behind as many that are not */

    static const uint8_t  mask[32] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
    };

    memcpy(&bytes, p, sizeof(miqps_plan_name_t));
    memcpy(name, mask + 16 - len, sizeof(miqps_plan_name_t));

    name->first &= bytes.first;
    name->rest &= bytes.rest;
}


const uint8_t *
miqps_plan_record(miqps_plans_t *plans, const miqps_image_t *image,
    const miqps_str_t *host)
{
    uint64_t            first, middle, last;
    miqps_plan_host_t  *own;

    if (plans == NULL || image->serial == 0 || host->len < 8
        || host->len > 24)
    {
        return miqps_map_host(image, host);
    }

    /* these are all of its bytes */

    memcpy(&first, host->data, 8);
    memcpy(&middle, host->data + (host->len - 8) / 2, 8);
    memcpy(&last, host->data + host->len - 8, 8);

    own = &plans->hosts[miqps_hash_next(host->len, first ^ middle, last)
                        >> 40 & (MIQPS_PLAN_HOSTS - 1)];

    if (own->serial == image->serial && own->len == host->len
        && own->bytes[0] == first && own->bytes[1] == middle
        && own->bytes[2] == last)
    {
        return own->record;
    }

    return miqps_plan_host(own, image, host);
}


/* looks it up, and remembers it */

static miqps_noinline const uint8_t *
miqps_plan_host(miqps_plan_host_t *own, const miqps_image_t *image,
    const miqps_str_t *host)
{
    own->serial = image->serial;
    own->len = host->len;

    memcpy(&own->bytes[0], host->data, 8);
    memcpy(&own->bytes[1], host->data + (host->len - 8) / 2, 8);
    memcpy(&own->bytes[2], host->data + host->len - 8, 8);

    own->record = miqps_map_host(image, host);

    return own->record;
}


const miqps_plan_t *
miqps_plan_find(const miqps_planned_t *q)
{
    size_t  i;

    for (i = 0; i < MIQPS_PLAN_WAYS; i++) {
        if (miqps_plan_is(&q->place[i], q)) {
            return &q->place[i];
        }
    }

    return NULL;
}


static int
miqps_plan_is(const miqps_plan_t *plan, const miqps_planned_t *q)
{
    return plan->tag == q->tag
           && plan->key.policy == q->key.policy
           && plan->key.scopes == q->key.scopes
           && plan->key.record == q->key.record
           && plan->key.serial == q->key.serial
           && memcmp(plan->names, q->names, q->n * sizeof(miqps_plan_name_t))
              == 0;
}


size_t
miqps_plan_emit(const miqps_plan_t *plan, const miqps_planned_t *q,
    const miqps_str_t *args, uint8_t *out)
{
    size_t    i, k;
    uint8_t  *p;

    p = out;

    for (i = 0; i < plan->kept; i++) {
        k = plan->order[i];

        miqps_query_copy(p, args->data + q->at[k], q->len[k]);

        p += q->len[k];
        *p++ = '&';
    }

    return (size_t) (p - out) - (p > out);
}


void
miqps_plan_leave(const miqps_planned_t *q, const miqps_param_t *params,
    const uint16_t *order, int known)
{
    size_t                i;
    miqps_plan_t         *plan;
    const miqps_param_t  *param;

    if (q == NULL) {
        return;
    }

    for (i = 0; i < q->n; i++) {
        if (params[i].more == MIQPS_MORE_VALUE) {
            return;
        }
    }

    plan = q->place;

    memmove(plan + 1, plan, (MIQPS_PLAN_WAYS - 1) * sizeof(miqps_plan_t));
    memset(plan, 0, sizeof(miqps_plan_t));

    plan->key = q->key;
    plan->tag = q->tag;
    plan->n = (uint8_t) q->n;
    plan->known = (known != 0);

    for (i = 0; i < q->n; i++) {
        param = &params[i];

        plan->verdicts[i] = miqps_param_verdict(param);
        plan->strips.by[param->layer] += param->action;

        if (params[order[i]].action == MIQPS_KEEP) {
            plan->order[plan->kept++] = (uint8_t) order[i];
        }
    }

    memcpy(plan->names, q->names, q->n * sizeof(miqps_plan_name_t));
}
