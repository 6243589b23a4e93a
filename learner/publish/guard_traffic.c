
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "guard_steps.h"
#include "learn.h"
#include "replay.h"


typedef struct {
    uint64_t                   changed;
    const learn_index_host_t  *host;
} learn_guard_change_t;


static int  learn_guard_replayed(learn_guarding_t *ctx,
    const learn_replay_t *replay, int *again);
static int  learn_guard_lost(learn_guarding_t *ctx,
    const learn_index_t *index, const learn_replay_count_t *counts);
static int  learn_guard_wait(learn_guarding_t *ctx,
    const learn_replay_t *replay, int *again);
static int  learn_guard_part(learn_guarding_t *ctx,
    const learn_replay_t *replay, const learn_index_host_t *host, double may,
    int *again);
static int  learn_guard_more(learn_guarding_t *ctx,
    const learn_replay_t *replay, int *again);
static size_t  learn_guard_changes(const learn_index_t *index,
    const learn_replay_count_t *counts, learn_guard_change_t *list, size_t n);
static int  learn_guard_by_change(const void *one, const void *two);


int
learn_guard_traffic(learn_guarding_t *ctx, int *again)
{
    int             rc;
    learn_index_t   index;
    miqps_image_t   image;
    learn_replay_t  replay;

    miqps_image_use(&image, ctx->guard->data);
    memset(&replay, 0, sizeof(learn_replay_t));

    replay.old = &ctx->anomaly.old;
    replay.new = &index;
    replay.before = calloc(ctx->anomaly.old.n + 1,
                           sizeof(learn_replay_count_t));
    replay.after = calloc((size_t) image.nhosts + 1,
                          sizeof(learn_replay_count_t));

    if (!learn_index_init(&index, &image) || replay.before == NULL
        || replay.after == NULL)
    {
        rc = learn_guard_memory(ctx->guard);

    } else {
        rc = learn_replay(&replay, ctx->guard->store);
    }

    if (rc == LEARN_EXIT_OK) {
        ctx->guard->changed = (replay.all.urls > 0)
                              ? 100.0 * (double) replay.all.changed
                                / (double) replay.all.urls : 0.0;

        if (!ctx->guard->force) {
            rc = learn_guard_replayed(ctx, &replay, again);
        }
    }

    learn_index_release(&index);
    free(replay.before);
    free(replay.after);

    return rc;
}


/* what loses something stays; if that does not help, there is no map */

static int
learn_guard_replayed(learn_guarding_t *ctx, const learn_replay_t *replay,
    int *again)
{
    learn_guard_t  *guard;

    guard = ctx->guard;

    if (replay->all.lost > 0) {
        *again = learn_guard_lost(ctx, replay->new, replay->after)
                 | learn_guard_lost(ctx, replay->old, replay->before);

        if (!*again) {
            (void) snprintf(guard->why, sizeof(guard->why),
                            "%llu URLs that were asked for would lose what "
                            "mattered", (unsigned long long) replay->all.lost);
            return LEARN_EXIT_REFUSED;
        }

        return LEARN_EXIT_OK;
    }

    return (guard->changed > guard->limits.change)
           ? learn_guard_wait(ctx, replay, again)
           : learn_guard_more(ctx, replay, again);
}


static int
learn_guard_lost(learn_guarding_t *ctx, const learn_index_t *index,
    const learn_replay_count_t *counts)
{
    int     again;
    size_t  i;

    again = 0;

    for (i = 0; i < index->n; i++) {
        if (counts[i].lost > 0) {
            again |= learn_fate_set(ctx, &index->hosts[i],
                                    LEARN_FATE_REFUSED);
        }
    }

    return again;
}


/*
 * If too much would change, those that change most wait, but for the last;
 * "*again" if one more waits now.
 */

static int
learn_guard_wait(learn_guarding_t *ctx, const learn_replay_t *replay,
    int *again)
{
    int                    rc;
    size_t                 i, n;
    double                 left, may;
    learn_guard_change_t  *list;

    list = malloc((replay->new->n + replay->old->n + 1)
                  * sizeof(learn_guard_change_t));

    if (list == NULL) {
        return learn_guard_memory(ctx->guard);
    }

    n = learn_guard_changes(replay->new, replay->after, list, 0);
    n = learn_guard_changes(replay->old, replay->before, list, n);

    qsort(list, n, sizeof(learn_guard_change_t), learn_guard_by_change);

    left = (double) replay->all.changed;
    may = ctx->guard->limits.change * (double) replay->all.urls / 100.0;

    for (i = 0; i + 1 < n && left > may; i++) {
        left -= (double) list[i].changed;
        *again |= learn_fate_set(ctx, list[i].host, LEARN_FATE_LATER);
    }

    rc = (!*again && n > 0)
         ? learn_guard_part(ctx, replay, list[n - 1].host, may, again)
         : LEARN_EXIT_OK;

    free(list);

    return rc;
}


/* one host that is too much already; "*again" if less of it is taken now */

static int
learn_guard_part(learn_guarding_t *ctx, const learn_replay_t *replay,
    const learn_index_host_t *host, double may, int *again)
{
    int                        ok;
    size_t                     taken;
    learn_part_t              *part;
    const learn_index_host_t  *old, *new;

    old = learn_index_find(replay->old, host);
    new = learn_index_find(&ctx->anomaly.new, host);

    if (old == NULL || new == NULL
        || learn_index_find(replay->new, host) != host)
    {
        return LEARN_EXIT_OK;
    }

    part = &ctx->parts[new - ctx->anomaly.new.hosts];
    taken = part->taken;

    if (part->whole || (part->units == NULL
                        && !learn_fate_alone(ctx, old, new)))
    {
        return LEARN_EXIT_OK;
    }

    if (part->units == NULL) {
        ok = learn_part_make(part, ctx->guard->store, replay,
                             (size_t) (host - replay->new->hosts), may);
        *again = !part->whole;

    } else {
        ok = learn_part_less(part);
        *again = (part->taken != taken);
    }

    return ok ? LEARN_EXIT_OK : learn_guard_memory(ctx->guard);
}


/* a part that changes nothing would be the same the next time */

static int
learn_guard_more(learn_guarding_t *ctx, const learn_replay_t *replay,
    int *again)
{
    size_t                     i;
    learn_part_t              *part;
    const learn_index_t       *new;
    const learn_index_host_t  *host;

    new = &ctx->anomaly.new;

    for (i = 0; i < new->n; i++) {
        part = &ctx->parts[i];
        host = learn_index_find(replay->new, &new->hosts[i]);

        if (part->text == NULL || host == NULL
            || replay->after[host - replay->new->hosts].changed > 0)
        {
            continue;
        }

        *again = 1;

        if (!learn_part_more(part)) {
            return learn_guard_memory(ctx->guard);
        }
    }

    return LEARN_EXIT_OK;
}


static size_t
learn_guard_changes(const learn_index_t *index,
    const learn_replay_count_t *counts, learn_guard_change_t *list, size_t n)
{
    size_t  i;

    for (i = 0; i < index->n; i++) {
        if (counts[i].changed > 0) {
            list[n].host = &index->hosts[i];
            list[n++].changed = counts[i].changed;
        }
    }

    return n;
}


static int
learn_guard_by_change(const void *one, const void *two)
{
    const learn_guard_change_t  *a = one, *b = two;

    if (a->changed != b->changed) {
        return (a->changed < b->changed) ? 1 : -1;
    }

    return learn_index_cmp(a->host, b->host);
}
