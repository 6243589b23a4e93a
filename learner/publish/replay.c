
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "learn.h"
#include "normalizer.h"
#include "replay.h"
#include "rules_options.h"


typedef struct {
    learn_store_t          *store;
    learn_rules_options_t   rules;      /* none */
    learn_normalizer_t      before;
    learn_normalizer_t      after;
    const learn_index_t    *new;
    learn_replay_count_t   *counts;
    learn_replay_count_t   *all;
    int                     rc;
} learn_replay_t;


static int  learn_replay_site(const learn_store_row_t *row, void *data);
static int  learn_replay_url(const learn_pick_t *pick, void *data);
static void  learn_replay_add(learn_replay_t *replay,
    const learn_pick_t *pick, int changed);


int
learn_replay(learn_store_t *store, const miqps_image_t *old,
    const learn_index_t *new, learn_replay_count_t *counts,
    learn_replay_count_t *all)
{
    int             rc;
    learn_replay_t  replay;

    memset(&replay, 0, sizeof(learn_replay_t));
    memset(all, 0, sizeof(learn_replay_count_t));

    learn_rules_options_init(&replay.rules);
    rc = learn_rules_options_compile(&replay.rules);

    replay.store = store;
    replay.before.policy = replay.rules.policy;
    replay.before.image = old;
    replay.before.paths = 1;
    replay.after.policy = replay.rules.policy;
    replay.after.image = new->image;
    replay.after.paths = 1;
    replay.new = new;
    replay.counts = counts;
    replay.all = all;

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->list(store, LEARN_LIST_SITES, INT64_MAX,
                              learn_replay_site, &replay);
        rc = (replay.rc != LEARN_EXIT_OK) ? replay.rc : rc;
    }

    learn_normalizer_release(&replay.before);
    learn_normalizer_release(&replay.after);
    learn_rules_options_release(&replay.rules);

    return rc;
}


static int
learn_replay_site(const learn_store_row_t *row, void *data)
{
    learn_owner_t    site;
    miqps_str_t      name;
    learn_replay_t  *replay;

    replay = data;
    name.data = (const uint8_t *) row->site;
    name.len = strlen(row->site);

    memset(&site, 0, sizeof(learn_owner_t));

    replay->rc = replay->store->ops->site(replay->store, &name, &site);

    if (replay->rc == LEARN_EXIT_OK) {
        replay->rc = replay->store->ops->reservoir(replay->store, site.id,
                                                   learn_replay_url, replay);
    }

    return replay->rc == LEARN_EXIT_OK;
}


static int
learn_replay_url(const learn_pick_t *pick, void *data)
{
    int                 changed;
    miqps_str_t         url;
    learn_replay_t     *replay;
    learn_normalized_t  a, b;

    replay = data;
    url.data = pick->url;
    url.len = pick->len;

    replay->rc = learn_normalizer_url(&replay->before, &url, &a);

    if (replay->rc == LEARN_EXIT_OK) {
        replay->rc = learn_normalizer_url(&replay->after, &url, &b);
    }

    if (replay->rc != LEARN_EXIT_OK) {
        return 0;
    }

    changed = (a.result.len != b.result.len
               || memcmp(a.result.data, b.result.data, a.result.len) != 0);

    replay->all->urls++;
    replay->all->changed += (uint64_t) changed;

    learn_replay_add(replay, pick, changed);

    return 1;
}


static void
learn_replay_add(learn_replay_t *replay, const learn_pick_t *pick, int changed)
{
    miqps_str_t                name;
    learn_index_host_t         wanted;
    const learn_index_host_t  *host;

    name = learn_store_url_host(pick);

    memset(&wanted, 0, sizeof(learn_index_host_t));
    wanted.host = name;

    host = learn_index_find(replay->new, &wanted);

    if (host != NULL && host->target != NULL) {
        wanted.host.data = host->target + MIQPS_HOST_HEAD;
        wanted.host.len = host->target[4];
        wanted.wildcard = ((host->target[5] & MIQPS_HOST_WILDCARD) != 0);
        host = learn_index_find(replay->new, &wanted);
    }

    if (host != NULL) {
        replay->counts[host - replay->new->hosts].urls++;
        replay->counts[host - replay->new->hosts].changed
            += (uint64_t) changed;
    }
}
