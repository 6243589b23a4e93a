
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_hash.h"
#include "miqps_plan.h"


int
miqps_plan_read(miqps_planned_t *q, miqps_plans_t *plans,
    const miqps_policy_t *policy, const uint32_t *active, size_t nactive,
    unsigned sort, const miqps_str_t *args, const miqps_scan_t *scan)
{
    size_t          at, n, len, name_len;
    uint64_t        hash, *name;
    const uint8_t  *p;

    if ((scan->bad | scan->high) != 0 || scan->any_more != 0 || nactive > 3) {
        return 0;
    }

    q->policy = policy;
    q->sort = (uint8_t) sort;
    q->scopes = (nactive > 1) ? active[1] : MIQPS_SCOPE_ANY;

    if (nactive > 2) {
        q->scopes |= (uint64_t) active[2] << 32;
    }

    hash = q->scopes;
    name = q->names;
    at = 0;

    for (n = 0; n < MIQPS_PLAN_NAMES; /* void */) {
        name_len = miqps_scan_next(scan->names, at);
        len = miqps_scan_next(scan->ends, at);

        /* this also tells an empty piece */

        if (name_len == len || name_len > 16) {
            return 0;
        }

        p = args->data + at;

        name[0] = miqps_family_key_padded(p, name_len);
        name[1] = miqps_family_rest_padded(p, name_len);

        hash = miqps_hash_next(hash, name[0], name[1]);

        q->at[n] = (uint32_t) at;
        q->len[n] = (uint32_t) len;

        n++;
        name += 2;
        at += len + 1;

        if (at > args->len) {
            q->n = n;
            q->plan = &plans->plans[hash >> 32 & (MIQPS_PLANS - 1)];
            return 1;
        }
    }

    return 0;
}


int
miqps_plan_found(const miqps_planned_t *q)
{
    const miqps_plan_t  *plan;

    plan = q->plan;

    return plan->policy == q->policy && plan->scopes == q->scopes
           && plan->n == q->n && plan->sort == q->sort
           && memcmp(plan->names, q->names, 2 * q->n * sizeof(uint64_t)) == 0;
}


size_t
miqps_plan_emit(const miqps_planned_t *q, const miqps_str_t *args,
    uint8_t *out)
{
    size_t    i, k;
    uint8_t  *p;

    p = out;

    for (i = 0; i < q->plan->kept; i++) {
        k = q->plan->order[i];

        miqps_query_copy(p, args->data + q->at[k], q->len[k]);

        p += q->len[k];
        *p++ = '&';
    }

    return (size_t) (p - out) - (p > out);
}


void
miqps_plan_leave(const miqps_planned_t *q, const miqps_param_t *params,
    const uint16_t *order)
{
    size_t         i;
    miqps_plan_t  *plan;

    if (q == NULL) {
        return;
    }

    for (i = 0; i < q->n; i++) {
        if (params[i].more == MIQPS_MORE_VALUE) {
            return;
        }
    }

    plan = q->plan;

    plan->policy = q->policy;
    plan->scopes = q->scopes;
    plan->sort = q->sort;
    plan->n = (uint8_t) q->n;
    plan->kept = 0;

    for (i = 0; i < q->n; i++) {
        if (params[order[i]].action == MIQPS_KEEP) {
            plan->order[plan->kept++] = (uint8_t) order[i];
        }
    }

    memcpy(plan->names, q->names, 2 * q->n * sizeof(uint64_t));
}
