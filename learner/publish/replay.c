
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "miqps_map.h"
#include "replay.h"
#include "rules_options.h"


/* a URL with something that mattered */

typedef struct {
    uint64_t                before;     /* hashes of what became of it */
    uint64_t                after;
    uint64_t                names;      /* ... and of what mattered in it */
    uint64_t                values;
    learn_replay_count_t   *count;
    int                     moved;      /* by a path rule of the new map */
} learn_replayed_t;


typedef struct {
    learn_replay_t         *replay;
    learn_store_t          *store;
    learn_rules_options_t   rules;      /* what nginx has without any */
    learn_normalizer_t      before;
    learn_normalizer_t      after;
    learn_replayed_t       *list;       /* of the site at hand */
    size_t                  n;
    size_t                  max;
    int                     rc;
} learn_replaying_t;


static int  learn_replay_site(const learn_store_row_t *row, void *data);
static int  learn_replay_url(const learn_pick_t *pick, void *data);
static int  learn_replay_stripped(const learn_normalized_t *a,
    const learn_normalized_t *b);
static int  learn_replay_note(learn_replaying_t *ctx,
    const learn_normalized_t *a, const learn_normalized_t *b,
    learn_replay_count_t *count);
static void  learn_replay_merged(learn_replaying_t *ctx);
static int  learn_replay_sort(const void *one, const void *two);
static learn_replay_count_t  *learn_replay_entry(const learn_index_t *index,
    learn_replay_count_t *counts, const miqps_str_t *name);
static inline int  learn_replay_matters(const miqps_param_t *param);


int
learn_replay(learn_replay_t *replay, learn_store_t *store)
{
    int                 rc;
    learn_replaying_t   ctx;

    memset(&ctx, 0, sizeof(learn_replaying_t));
    memset(&replay->all, 0, sizeof(learn_replay_count_t));

    learn_rules_options_init(&ctx.rules);
    ctx.rules.tracking = 1;
    rc = learn_rules_options_compile(&ctx.rules);

    ctx.replay = replay;
    ctx.store = store;
    ctx.before.policy = ctx.rules.policy;
    ctx.before.image = replay->old->image;
    ctx.before.paths = 1;
    ctx.after.policy = ctx.rules.policy;
    ctx.after.image = replay->new->image;
    ctx.after.paths = 1;

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->list(store, LEARN_LIST_SITES, INT64_MAX,
                              learn_replay_site, &ctx);
        rc = (ctx.rc != LEARN_EXIT_OK) ? ctx.rc : rc;
    }

    learn_normalizer_release(&ctx.before);
    learn_normalizer_release(&ctx.after);
    learn_rules_options_release(&ctx.rules);
    free(ctx.list);

    return rc;
}


static int
learn_replay_site(const learn_store_row_t *row, void *data)
{
    learn_owner_t       site;
    miqps_str_t         name;
    learn_replaying_t  *ctx;

    ctx = data;
    ctx->n = 0;
    name.data = (const uint8_t *) row->site;
    name.len = strlen(row->site);

    memset(&site, 0, sizeof(learn_owner_t));

    ctx->rc = ctx->store->ops->site(ctx->store, &name, &site);

    if (ctx->rc == LEARN_EXIT_OK) {
        ctx->rc = ctx->store->ops->reservoir(ctx->store, site.id,
                                             learn_replay_url, ctx);
    }

    learn_replay_merged(ctx);

    return ctx->rc == LEARN_EXIT_OK;
}


static int
learn_replay_url(const learn_pick_t *pick, void *data)
{
    int                    changed, lost;
    miqps_str_t            url, name;
    learn_replay_t        *replay;
    learn_replaying_t     *ctx;
    learn_normalized_t     a, b;
    learn_replay_count_t  *count;

    ctx = data;
    replay = ctx->replay;
    url.data = pick->url;
    url.len = pick->len;

    ctx->rc = learn_normalizer_url(&ctx->before, &url, &a);

    if (ctx->rc == LEARN_EXIT_OK) {
        ctx->rc = learn_normalizer_url(&ctx->after, &url, &b);
    }

    if (ctx->rc != LEARN_EXIT_OK) {
        return 0;
    }

    changed = !miqps_str_eq(&a.result, &b.result);
    lost = (changed && learn_replay_stripped(&a, &b));

    name = learn_store_url_host(pick);
    count = learn_replay_entry(replay->new, replay->after, &name);

    if (count != NULL && changed && replay->each != NULL) {
        replay->each((size_t) (count - replay->after), &a, &b, replay->data);
    }

    if (count == NULL) {
        count = learn_replay_entry(replay->old, replay->before, &name);
    }

    replay->all.urls++;
    replay->all.changed += (uint64_t) changed;
    replay->all.lost += (uint64_t) lost;

    if (count == NULL) {
        return 1;
    }

    count->urls++;
    count->changed += (uint64_t) changed;
    count->lost += (uint64_t) lost;

    if (!learn_replay_note(ctx, &a, &b, count)) {
        learn_complain("out of memory");
        ctx->rc = LEARN_EXIT_FAILED;
    }

    return ctx->rc == LEARN_EXIT_OK;
}


static inline int
learn_replay_matters(const miqps_param_t *param)
{
    return param->action == MIQPS_KEEP && param->why == MIQPS_WHY_MATTERS;
}


/* whether the new map strips what mattered; both have the same parameters */

static int
learn_replay_stripped(const learn_normalized_t *a, const learn_normalized_t *b)
{
    size_t  i;

    if (a->guard != MIQPS_GUARD_PASS || b->guard != MIQPS_GUARD_PASS
        || a->nparams != b->nparams)
    {
        return 0;
    }

    for (i = 0; i < a->nparams; i++) {
        if (learn_replay_matters(&a->params[i])
            && (b->params[i].action == MIQPS_STRIP
                || b->params[i].why == MIQPS_WHY_CLIENT))
        {
            return 1;
        }
    }

    return 0;
}


/* notes what became of a URL; 0 without memory */

static int
learn_replay_note(learn_replaying_t *ctx, const learn_normalized_t *a,
    const learn_normalized_t *b, learn_replay_count_t *count)
{
    size_t                i, max;
    learn_replayed_t     *list, *one;
    const miqps_param_t  *param;

    if (ctx->n == ctx->max) {
        max = 2 * ctx->max + 256;
        list = realloc(ctx->list, max * sizeof(learn_replayed_t));

        if (list == NULL) {
            return 0;
        }

        ctx->list = list;
        ctx->max = max;
    }

    one = &ctx->list[ctx->n];
    one->before = XXH3_64bits(a->result.data, a->result.len);
    one->after = XXH3_64bits(b->result.data, b->result.len);
    one->names = 0;
    one->values = 0;
    one->count = count;
    one->moved = b->moved;

    for (i = 0; a->guard == MIQPS_GUARD_PASS && i < a->nparams; i++) {
        param = &a->params[i];

        /* in any order */

        if (learn_replay_matters(param)) {
            one->names += XXH3_64bits(param->name, param->name_len);
            one->values += XXH3_64bits(param->name, param->len);
        }
    }

    ctx->n += (one->names != 0);

    return 1;
}


/* of those that are one now, each that differed in a value that mattered */

static void
learn_replay_merged(learn_replaying_t *ctx)
{
    size_t             i;
    learn_replayed_t  *one, *two;

    if (ctx->n > 0) {
        qsort(ctx->list, ctx->n, sizeof(learn_replayed_t), learn_replay_sort);
    }

    for (i = 1; i < ctx->n; i++) {
        one = &ctx->list[i - 1];
        two = &ctx->list[i];

        if ((one->moved || two->moved)
            && one->after == two->after && one->names == two->names
            && one->values != two->values && one->before != two->before)
        {
            two->count->lost++;
            ctx->replay->all.lost++;
        }
    }
}


static int
learn_replay_sort(const void *one, const void *two)
{
    const learn_replayed_t  *a = one, *b = two;

    if (a->after != b->after) {
        return (a->after < b->after) ? -1 : 1;
    }

    if (a->names != b->names) {
        return (a->names < b->names) ? -1 : 1;
    }

    return (a->values > b->values) - (a->values < b->values);
}


/* what serves a host; NULL if nothing does */

static learn_replay_count_t *
learn_replay_entry(const learn_index_t *index, learn_replay_count_t *counts,
    const miqps_str_t *name)
{
    const uint8_t             *record;
    learn_index_host_t         wanted;
    const learn_index_host_t  *host;

    record = (index->n > 0) ? miqps_map_host(index->image, name) : NULL;

    if (record == NULL) {
        return NULL;
    }

    memset(&wanted, 0, sizeof(learn_index_host_t));

    wanted.host.data = record + MIQPS_HOST_HEAD;
    wanted.host.len = record[4];
    wanted.wildcard = ((record[5] & MIQPS_HOST_WILDCARD) != 0);
    host = learn_index_find(index, &wanted);

    return (host != NULL) ? &counts[host - index->hosts] : NULL;
}
