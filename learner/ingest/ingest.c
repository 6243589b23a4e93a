
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "ingest.h"
#include "learn.h"
#include "miqps_url.h"


/* lines between two looks at the progress */

#define LEARN_INGEST_STEP  65536


static int  learn_ingest_remember(learn_ingest_t *ctx, learn_store_t *store);
static int  learn_ingest_declare(learn_store_t *store, const char *text);
static int  learn_ingest_host(const char *text, size_t len, uint8_t *canon,
    miqps_str_t *host);
static int  learn_ingest_file(learn_ingest_t *ctx, learn_feed_t *feed,
    const char *path, int *bad);
static void  learn_ingest_progress(const learn_ingest_t *ctx,
    const learn_feed_t *feed);


int
learn_ingest_once(learn_ingest_t *ctx)
{
    int            rc, bad;
    char         **path;
    learn_feed_t  *feed;

    feed = calloc(1, sizeof(learn_feed_t));

    if (feed == NULL) {
        learn_complain("ingest: out of memory");
        return LEARN_EXIT_FAILED;
    }

    bad = 0;
    rc = learn_ingest_open(ctx, LEARN_STORE_CREATE);

    for (path = ctx->paths; *path != NULL && rc == LEARN_EXIT_OK; path++) {
        rc = learn_ingest_file(ctx, feed, *path, &bad);
    }

    rc = learn_ingest_close(ctx, rc);

    free(feed);

    return (rc == LEARN_EXIT_OK && bad) ? LEARN_EXIT_FAILED : rc;
}


static int
learn_ingest_file(learn_ingest_t *ctx, learn_feed_t *feed, const char *path,
    int *bad)
{
    int  rc;

    rc = learn_feed_init(feed, ctx->corpus.store, "ingest", path, ctx->format,
                         &ctx->log);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_ingest_feed(ctx, feed, bad);

    } else {
        *bad = 1;
        rc = LEARN_EXIT_OK;
    }

    learn_feed_release(feed);

    return rc;
}


int
learn_ingest_feed(learn_ingest_t *ctx, learn_feed_t *feed, int *bad)
{
    int              rc, got;
    uint64_t         n;
    learn_line_e     what;
    learn_entry_t    entry;
    learn_corpus_t  *corpus;

    corpus = &ctx->corpus;

    for (n = 1; /* void */ ; n++) {
        got = learn_feed_next(feed, &entry, &what);

        if (got <= 0) {
            break;
        }

        if (what == LEARN_LINE_TAKEN) {
            rc = learn_corpus_add(corpus, &entry);

        } else {
            learn_corpus_skip(corpus, what);
            rc = LEARN_EXIT_OK;
        }

        if (rc == LEARN_EXIT_OK && learn_corpus_full(corpus)) {
            rc = learn_corpus_flush(corpus, feed->path,
                                    learn_reader_source(&feed->reader));
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        if (ctx->tty && n % LEARN_INGEST_STEP == 0) {
            learn_ingest_progress(ctx, feed);
        }
    }

    if (ctx->tty) {
        (void) fputs("\r\033[K", stderr);
    }

    /* what could be read of a damaged file is written all the same */

    *bad |= (got < 0);

    return learn_corpus_flush(corpus, feed->path,
                              learn_reader_source(&feed->reader));
}


static void
learn_ingest_progress(const learn_ingest_t *ctx, const learn_feed_t *feed)
{
    (void) fprintf(stderr, "\r\033[K%llu lines, %llu URLs taken, in ",
                   (unsigned long long) feed->reader.source.lines,
                   (unsigned long long) ctx->corpus.counts[LEARN_LINE_TAKEN]);

    learn_put_safe((const uint8_t *) feed->path, strlen(feed->path), stderr);
}


int
learn_ingest_open(learn_ingest_t *ctx, learn_store_mode_e mode)
{
    int             rc;
    learn_store_t  *store;

    memset(&ctx->corpus, 0, sizeof(learn_corpus_t));

    rc = learn_store_open(&store, "ingest", ctx->store, mode);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_ingest_remember(ctx, store);

    if (rc != LEARN_EXIT_OK) {
        store->ops->close(store);
        return rc;
    }

    rc = learn_corpus_init(&ctx->corpus, store, "ingest");

    if (ctx->batch > 0) {
        ctx->corpus.max_lines = ctx->batch;
    }

    if (rc == LEARN_EXIT_OK && ctx->host != NULL
        && !learn_ingest_host(ctx->host, strlen(ctx->host), ctx->canon,
                              &ctx->corpus.host))
    {
        rc = LEARN_EXIT_USAGE;
    }

    return rc;
}


int
learn_ingest_close(learn_ingest_t *ctx, int rc)
{
    size_t          i;
    uint64_t        gone;
    learn_store_t  *store;

    store = ctx->corpus.store;

    if (store == NULL) {
        return rc;
    }

    for (i = 0; i < LEARN_LINE_MAX; i++) {
        ctx->counts[i] += ctx->corpus.counts[i];
    }

    learn_corpus_release(&ctx->corpus);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->expire(store, &gone);
        ctx->expired += gone;
    }

    store->ops->close(store);

    return rc;
}


/* sites and the retention, once */

static int
learn_ingest_remember(learn_ingest_t *ctx, learn_store_t *store)
{
    int     rc;
    size_t  i;

    if (ctx->nsites == 0 && ctx->days < 0) {
        return LEARN_EXIT_OK;
    }

    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK && ctx->days >= 0) {
        rc = store->ops->retention_save(store, (uint64_t) ctx->days);
    }

    for (i = 0; i < ctx->nsites && rc == LEARN_EXIT_OK; i++) {
        rc = learn_ingest_declare(store, ctx->sites[i]);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
        return rc;
    }

    ctx->nsites = 0;
    ctx->days = -1;

    return LEARN_EXIT_OK;
}


/* "NAME=HOST,HOST..." */

static int
learn_ingest_declare(learn_store_t *store, const char *text)
{
    int          rc;
    size_t       len;
    uint8_t      name[MIQPS_MAX_HOST], canon[MIQPS_MAX_HOST];
    miqps_str_t  site, host;

    len = strcspn(text, "=");

    if (!learn_ingest_host(text, len, name, &site)) {
        return LEARN_EXIT_USAGE;
    }

    do {
        text += len + 1;
        len = strcspn(text, ",");

        if (!learn_ingest_host(text, len, canon, &host)) {
            return LEARN_EXIT_USAGE;
        }

        rc = store->ops->declare(store, &host, &site);

    } while (rc == LEARN_EXIT_OK && text[len] == ',');

    return rc;
}


/* 0 after a complaint */

static int
learn_ingest_host(const char *text, size_t len, uint8_t *canon,
    miqps_str_t *host)
{
    host->data = (const uint8_t *) text;
    host->len = len;

    if (len > 0 && miqps_url_host(host, canon, host) == MIQPS_OK
        && learn_corpus_host_ok(host))
    {
        return 1;
    }

    learn_complain("ingest: '%.*s' is not the name of a host", (int) len, text);

    return 0;
}
