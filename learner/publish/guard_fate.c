
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "guard_steps.h"


static int  learn_fate_raise(uint8_t *fate, learn_fate_e least);
static int  learn_fate_within(const learn_index_t *one,
    const learn_index_host_t *entry, const learn_index_t *two,
    const learn_index_host_t *other);
static int  learn_fate_meet(learn_guarding_t *ctx);


size_t
learn_fate_entry(const learn_index_t *index, const learn_index_host_t *host)
{
    if (host->target != NULL) {
        host = learn_fate_record(index, host->target);
    }

    return (size_t) (host - index->hosts);
}


const learn_index_host_t *
learn_fate_record(const learn_index_t *index, const uint8_t *record)
{
    learn_index_host_t  wanted;

    memset(&wanted, 0, sizeof(learn_index_host_t));

    wanted.host.data = record + MIQPS_HOST_HEAD;
    wanted.host.len = record[4];
    wanted.wildcard = ((record[5] & MIQPS_HOST_WILDCARD) != 0);

    return learn_index_find(index, &wanted);
}


static int
learn_fate_raise(uint8_t *fate, learn_fate_e least)
{
    if (*fate >= (uint8_t) least) {
        return 0;
    }

    *fate = (uint8_t) least;

    return 1;
}


int
learn_fate_set(learn_guarding_t *ctx, const learn_index_host_t *host,
    learn_fate_e fate)
{
    int                        changed;
    const learn_index_t       *old, *new;
    const learn_index_host_t  *one, *two;

    old = &ctx->anomaly.old;
    new = &ctx->anomaly.new;
    one = learn_index_find(old, host);
    two = learn_index_find(new, host);
    changed = 0;

    if (one != NULL) {
        changed |= learn_fate_raise(&ctx->before[learn_fate_entry(old, one)],
                                    fate);
    }

    if (two != NULL) {
        changed |= learn_fate_raise(&ctx->after[learn_fate_entry(new, two)],
                                    fate);
    }

    return changed;
}


void
learn_fate_settle(learn_guarding_t *ctx)
{
    while (learn_fate_meet(ctx)) { /* void */ }
}


/* once through the hosts that are in both maps */

static int
learn_fate_meet(learn_guarding_t *ctx)
{
    int                        changed;
    size_t                     i, one, two;
    const learn_index_t       *old, *new;
    const learn_index_host_t  *host;

    old = &ctx->anomaly.old;
    new = &ctx->anomaly.new;
    changed = 0;

    for (i = 0; i < new->n; i++) {
        host = learn_index_find(old, &new->hosts[i]);

        if (host == NULL) {
            continue;
        }

        one = learn_fate_entry(old, host);
        two = learn_fate_entry(new, &new->hosts[i]);

        changed |= learn_fate_raise(&ctx->before[one], ctx->after[two]);
        changed |= learn_fate_raise(&ctx->after[two], ctx->before[one]);
    }

    return changed;
}


int
learn_fate_alone(const learn_guarding_t *ctx, const learn_index_host_t *old,
    const learn_index_host_t *new)
{
    return old->target == NULL && new->target == NULL
           && learn_fate_within(&ctx->anomaly.old, old, &ctx->anomaly.new, new)
           && learn_fate_within(&ctx->anomaly.new, new, &ctx->anomaly.old,
                                old);
}


/* whether mirrors of one entry are of the other or of none */

static int
learn_fate_within(const learn_index_t *one, const learn_index_host_t *entry,
    const learn_index_t *two, const learn_index_host_t *other)
{
    size_t                     i, n;
    const learn_index_host_t  *mirrors, *host;

    mirrors = learn_index_mirrors(one, entry->record, &n);

    for (i = 0; i < n; i++) {
        host = learn_index_find(two, &mirrors[i]);

        if (host != NULL && host->target != other->record) {
            return 0;
        }
    }

    return 1;
}
