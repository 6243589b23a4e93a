
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "corpus.h"
#include "learn.h"


static int  learn_flush_hosts(learn_corpus_t *corpus);
static int  learn_flush_sites(learn_corpus_t *corpus);
static int  learn_flush_names(learn_corpus_t *corpus, learn_names_t *names);
static int  learn_flush_param(learn_corpus_t *corpus, learn_names_t *names,
    learn_param_t *param);
static void  learn_flush_merge(learn_pattern_t *row, learn_names_t *names);
static int  learn_flush_trim(learn_corpus_t *corpus, uint64_t *gone);
static void  learn_flush_done(learn_corpus_t *corpus, uint64_t gone);
static void  learn_flush_hashes(learn_hashes_t *hashes);


int
learn_corpus_flush(learn_corpus_t *corpus, const char *path,
    learn_source_t *source)
{
    int             rc;
    uint64_t        gone;
    learn_store_t  *store;
    learn_names_t  *names;

    store = corpus->store;
    gone = 0;

    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_flush_hosts(corpus);
    }

    for (names = corpus->all_names; names != NULL; names = names->next) {
        if (rc == LEARN_EXIT_OK && names->hits > 0) {
            rc = learn_flush_names(corpus, names);
        }
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_flush_sites(corpus);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_shared_save(&corpus->shared);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_flush_trim(corpus, &gone);
    }

    if (rc == LEARN_EXIT_OK && source != NULL) {
        rc = store->ops->source_save(store, path, source);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
        return rc;
    }

    learn_flush_done(corpus, gone);

    return LEARN_EXIT_OK;
}


static int
learn_flush_hosts(learn_corpus_t *corpus)
{
    int             rc;
    learn_host_t   *host;
    learn_site_t   *site;
    learn_store_t  *store;

    rc = LEARN_EXIT_OK;
    store = corpus->store;

    for (host = corpus->all_hosts; host != NULL; host = host->next) {

        if (host->hits == 0) {
            continue;
        }

        site = host->site;

        if (site->owner.id == 0) {
            rc = store->ops->site(store, &site->name, &site->owner);
        }

        if (rc == LEARN_EXIT_OK && host->id == 0) {
            rc = store->ops->host(store, site->owner.id, &host->name,
                                  &host->id);
        }

        if (rc == LEARN_EXIT_OK) {
            rc = store->ops->host_add(store, host->id, host->hits);
        }

        if (rc != LEARN_EXIT_OK) {
            break;
        }
    }

    return rc;
}


static int
learn_flush_sites(learn_corpus_t *corpus)
{
    int             rc;
    size_t          n;
    learn_site_t   *site;
    learn_store_t  *store;

    rc = LEARN_EXIT_OK;
    store = corpus->store;

    for (site = corpus->all_sites; site != NULL; site = site->next) {

        if (site->nurls > 0) {
            n = learn_corpus_gather(corpus, site);
            rc = store->ops->reservoir_add(store, &site->owner, corpus->picks,
                                           n);
        }

        if (rc == LEARN_EXIT_OK && site->hits > 0) {
            rc = store->ops->site_add(store, site->owner.id, site->hits,
                                      site->fresh);
        }

        if (rc != LEARN_EXIT_OK) {
            break;
        }
    }

    return rc;
}


static int
learn_flush_names(learn_corpus_t *corpus, learn_names_t *names)
{
    int              rc;
    uint32_t         i;
    learn_store_t   *store;
    learn_pattern_t  row;

    store = corpus->store;

    rc = store->ops->pattern(store, names->host->id, &names->names, &row);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    names->id = row.id;
    names->host->site->fresh += row.fresh;
    learn_flush_merge(&row, names);

    rc = store->ops->pattern_save(store, &row);

    for (i = 0; i < names->nparams && rc == LEARN_EXIT_OK; i++) {
        rc = learn_flush_param(corpus, names, &names->params[i]);
    }

    return rc;
}


static void
learn_flush_merge(learn_pattern_t *row, learn_names_t *names)
{
    int64_t   back;
    uint32_t  i;

    row->hits += names->hits;

    for (i = 0; i < names->urls.n; i++) {
        learn_sketch_add(&row->urls, names->urls.list[i]);
    }

    for (i = 0; i < names->clients.n; i++) {
        learn_sketch_add(&row->clients, names->clients.list[i]);
    }

    names->urls.floor = learn_sketch_floor(&row->urls);
    names->clients.floor = learn_sketch_floor(&row->clients);

    if (names->last_day > row->last_day) {
        back = names->last_day - row->last_day;
        row->days = names->days | ((back < 64) ? row->days << back : 0);
        row->last_day = names->last_day;

    } else {
        back = row->last_day - names->last_day;
        row->days |= (back < 64) ? names->days << back : 0;
    }
}


static int
learn_flush_param(learn_corpus_t *corpus, learn_names_t *names,
    learn_param_t *param)
{
    int             rc;
    learn_store_t  *store;

    if (param->owner.id != 0 && param->picks.hashes.n == 0) {
        return LEARN_EXIT_OK;
    }

    store = corpus->store;

    rc = store->ops->sample_add(store, names->id, &param->name, &param->owner,
                                param->picks.list, param->picks.hashes.n);

    param->picks.hashes.floor = param->owner.floor;

    return rc;
}


static int
learn_flush_trim(learn_corpus_t *corpus, uint64_t *gone)
{
    int             rc;
    uint64_t        n;
    learn_host_t   *host;
    learn_store_t  *store;

    store = corpus->store;

    for (host = corpus->all_hosts; host != NULL; host = host->next) {

        if (!host->fresh) {
            continue;
        }

        host->fresh = 0;
        rc = store->ops->trim_host(store, host->id, &n);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        *gone += n;
    }

    return LEARN_EXIT_OK;
}


/* an empty batch; what the store has dropped must not stay in memory */

static void
learn_flush_done(learn_corpus_t *corpus, uint64_t gone)
{
    uint32_t        i;
    learn_host_t   *host;
    learn_site_t   *site;
    learn_names_t  *names;

    for (site = corpus->all_sites; site != NULL; site = site->next) {
        site->hits = 0;
        site->fresh = 0;
        site->urls = NULL;
        site->nurls = 0;
    }

    for (host = corpus->all_hosts; host != NULL; host = host->next) {
        host->hits = 0;
    }

    for (names = corpus->all_names; names != NULL; names = names->next) {
        names->hits = 0;
        names->days = 0;
        names->last_day = 0;
        learn_flush_hashes(&names->urls);
        learn_flush_hashes(&names->clients);

        for (i = 0; i < names->nparams; i++) {
            learn_flush_hashes(&names->params[i].picks.hashes);
        }
    }

    learn_arena_clear(&corpus->batch);

    if (corpus->nseen > 0) {
        memset(corpus->seen, 0, corpus->max_seen * sizeof(uint64_t));
    }

    if (corpus->ncrowd > 0) {
        memset(corpus->crowd, 0, LEARN_CROWD * sizeof(uint32_t));
    }

    corpus->nseen = 0;
    corpus->ncrowd = 0;
    corpus->pending = 0;
    corpus->lines = 0;

    if (gone > 0 || corpus->cached >= LEARN_CACHE_BYTES / 2) {
        learn_corpus_clear(corpus);
    }
}


/* the floor stays */

static void
learn_flush_hashes(learn_hashes_t *hashes)
{
    hashes->list = NULL;
    hashes->n = 0;
    hashes->room = 0;
}
