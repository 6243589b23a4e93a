
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _POSIX_C_SOURCE  200809L

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ingest.h"
#include "learn.h"


/*
 * FILES THAT GROW
 *
 * Every few seconds files are looked at; those that have grown are read on, in
 * rounds.  The store is open during a round only, so that others can write to
 * it between two of them.
 *
 * A file whose name another one has now, as after a rotation, is read until
 * nobody has written to it for some rounds.  Then the other one is opened.
 */

#define LEARN_FOLLOW_SECONDS  2
#define LEARN_FOLLOW_ROUNDS   3


typedef struct {
    learn_feed_t      feed;
    unsigned          open:1;
    unsigned          told:1;        /* that it is not there */
    unsigned          rounds;        /* of silence since it was replaced */
} learn_followed_t;


static int  learn_follow_round(learn_ingest_t *ctx, learn_followed_t *files,
    size_t n, learn_store_mode_e mode);
static int  learn_follow_file(learn_ingest_t *ctx, learn_followed_t *file,
    const char *path);
static int  learn_follow_news(learn_followed_t *files, char **paths, size_t n);
static int  learn_follow_wants(learn_followed_t *file, const char *path);
static void  learn_follow_close(learn_followed_t *file);
static void  learn_follow_stop(int signo);


static volatile sig_atomic_t  learn_follow_stopped;


int
learn_ingest_follow(learn_ingest_t *ctx)
{
    int                rc;
    size_t             i, n;
    struct timespec    wait = { LEARN_FOLLOW_SECONDS, 0 };
    struct sigaction   action;
    learn_followed_t  *files;

    for (n = 0; ctx->paths[n] != NULL; n++) {
        /* void */
    }

    files = calloc(n, sizeof(learn_followed_t));

    if (files == NULL) {
        learn_complain("ingest: out of memory");
        return LEARN_EXIT_FAILED;
    }

    memset(&action, 0, sizeof(struct sigaction));
    action.sa_handler = learn_follow_stop;

    (void) sigaction(SIGINT, &action, NULL);
    (void) sigaction(SIGTERM, &action, NULL);

    rc = learn_follow_round(ctx, files, n, LEARN_STORE_CREATE);

    while (rc == LEARN_EXIT_OK && !learn_follow_stopped) {
        (void) nanosleep(&wait, NULL);

        if (!learn_follow_stopped && learn_follow_news(files, ctx->paths, n)) {
            rc = learn_follow_round(ctx, files, n, LEARN_STORE_AWAIT);
        }
    }

    if (rc == LEARN_EXIT_LOCKED && learn_follow_stopped) {
        rc = LEARN_EXIT_OK;
    }

    for (i = 0; i < n; i++) {
        learn_follow_close(&files[i]);
    }

    free(files);

    return rc;
}


static void
learn_follow_stop(int signo)
{
    (void) signo;

    learn_follow_stopped = 1;
}


static int
learn_follow_round(learn_ingest_t *ctx, learn_followed_t *files, size_t n,
    learn_store_mode_e mode)
{
    int     rc;
    size_t  i;

    rc = learn_ingest_open(ctx, mode);

    for (i = 0; i < n && rc == LEARN_EXIT_OK; i++) {
        rc = learn_follow_file(ctx, &files[i], ctx->paths[i]);
    }

    return learn_ingest_close(ctx, rc);
}


static int
learn_follow_file(learn_ingest_t *ctx, learn_followed_t *file,
    const char *path)
{
    int  rc, bad;

    if (file->open && file->rounds >= LEARN_FOLLOW_ROUNDS) {
        learn_follow_close(file);
    }

    if (!file->open) {

        if (strcmp(path, "-") != 0 && access(path, F_OK) == -1
            && errno == ENOENT)
        {
            if (!file->told) {
                learn_complain("ingest: there is no '%s' yet, waiting for it",
                               path);
            }

            file->told = 1;
            return LEARN_EXIT_OK;
        }

        file->open = 1;
        file->rounds = 0;

        rc = learn_feed_init(&file->feed, ctx->corpus.store, "ingest", path,
                             ctx->format, &ctx->log);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        file->feed.reader.whole = 1;
    }

    bad = 0;
    file->feed.reader.store = ctx->corpus.store;

    rc = learn_ingest_feed(ctx, &file->feed, &bad);

    return (rc == LEARN_EXIT_OK && bad) ? LEARN_EXIT_FAILED : rc;
}


static int
learn_follow_news(learn_followed_t *files, char **paths, size_t n)
{
    int     news;
    size_t  i;

    news = 0;

    for (i = 0; i < n; i++) {
        news |= learn_follow_wants(&files[i], paths[i]);
    }

    return news;
}


static int
learn_follow_wants(learn_followed_t *file, const char *path)
{
    if (!file->open) {
        return access(path, F_OK) == 0;
    }

    if (learn_reader_grown(&file->feed.reader)) {
        file->rounds = 0;
        return 1;
    }

    if (!learn_reader_replaced(&file->feed.reader)) {
        file->rounds = 0;
        return 0;
    }

    file->rounds++;

    return file->rounds >= LEARN_FOLLOW_ROUNDS;
}


static void
learn_follow_close(learn_followed_t *file)
{
    if (file->open) {
        learn_feed_release(&file->feed);
    }

    file->open = 0;
    file->rounds = 0;
}
