
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "archive.h"
#include "learn.h"
#include "learn/study.h"
#include "undo.h"
#include "watch.h"


#define LEARN_WATCH_WAIT  5            /* seconds for an answer */


/* what the store has of the map that is published */

typedef struct {
    const char          *command;
    int64_t              version;      /* of that map */
    int64_t              previous;
    int64_t              until;
    int                  found;
    learn_status_t       at;           /* when it was published */
    int                  rc;
} learn_watch_last_t;


typedef struct {
    learn_watch_t       *watch;
    learn_publish_t     *publish;
    learn_undo_t         undo;
    learn_watch_last_t   last;
    uint64_t             end;          /* as learn_clock() */

    int                  answered;     /* when it was looked last, */
    uint64_t             requests;     /* of hosts that changed, */
    size_t               hosts;        /* how many these are, */
    size_t               harmed;       /* and became worse */
} learn_watching_t;


static int  learn_watch_number(const learn_watch_t *watch, const char *option,
    const char *value, double most, double *number);
static int  learn_watch_note(learn_watch_t *watch, learn_publish_t *publish,
    learn_watch_last_t *last, const miqps_image_t *image);
static int  learn_watch_known(const char *host, void *data);
static int  learn_watch_print(learn_watch_t *watch, learn_publish_t *publish);
static int  learn_watch_last(learn_watch_last_t *last,
    const learn_publish_t *publish, const char *command);
static int  learn_watch_row(const learn_watched_t *watched, void *data);
static int  learn_watch_images(learn_watching_t *ctx);
static int  learn_watch_loop(learn_watching_t *ctx);
static uint64_t  learn_watch_end(const learn_watching_t *ctx);
static int  learn_watch_look(learn_watching_t *ctx);
static int  learn_watch_host(learn_watching_t *ctx, const char *host);
static const learn_status_host_t  *learn_watch_others(
    const learn_watching_t *ctx, const char *host);
static int  learn_watch_hold(learn_watching_t *ctx,
    const learn_index_host_t *entry, const char *why);
static int  learn_watch_back(learn_watching_t *ctx);
static int  learn_watch_undone(learn_watching_t *ctx);
static int  learn_watch_over(learn_watching_t *ctx);
static void  learn_watch_progress(const learn_watching_t *ctx);


void
learn_watch_init(learn_watch_t *watch, const char *command)
{
    static const learn_worse_t  limits = learn_worse_limits;

    memset(watch, 0, sizeof(learn_watch_t));

    watch->ask.command = command;
    watch->ask.wait = LEARN_WATCH_WAIT;
    watch->seconds = LEARN_WATCH_SECONDS;
    watch->limits = limits;
}


void
learn_watch_release(learn_watch_t *watch)
{
    learn_status_release(&watch->status);
    free(watch->text);
}


int
learn_watch_option(learn_watch_t *watch, int c, const char *value)
{
    int     rc;
    double  seconds;

    switch (c) {

    case 'U':
        watch->ask.url = value;
        return LEARN_EXIT_OK;

    case 'V':
        rc = learn_watch_number(watch, "watch", value, 86400.0, &seconds);
        watch->seconds = (unsigned) seconds;
        return rc;

    case 'X':
        return learn_watch_number(watch, "worse", value, 100.0,
                                  &watch->limits.points);

    case 'Y':
        return learn_watch_number(watch, "slower", value, 1e6,
                                  &watch->limits.factor);
    }

    return -1;
}


static int
learn_watch_number(const learn_watch_t *watch, const char *option,
    const char *value, double most, double *number)
{
    char  *end;

    *number = strtod(value, &end);

    if (end == value || *end != '\0' || !(*number >= 0.0 && *number <= most))
    {
        learn_complain("%s: '%s' is no number for --%s", watch->ask.command,
                       value, option);
        *number = 0.0;
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


int
learn_watch_prepare(learn_watch_t *watch, learn_publish_t *publish,
    const uint8_t *data)
{
    int                 rc;
    miqps_image_t       image;
    learn_watch_last_t  last;

    if (watch->ask.url == NULL) {
        return LEARN_EXIT_OK;
    }

    if (!learn_status_ask(&watch->status, &watch->ask)) {
        return LEARN_EXIT_FAILED;
    }

    miqps_image_use(&image, data);

    rc = learn_watch_last(&last, publish, watch->ask.command);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_watch_note(watch, publish, &last, &image);
    }

    learn_status_release(&last.at);

    return rc;
}


/* what each host answered so far, and whether that is of interest later on */

static int
learn_watch_note(learn_watch_t *watch, learn_publish_t *publish,
    learn_watch_last_t *last, const miqps_image_t *image)
{
    int              rc;
    size_t           i;
    learn_undo_t     undo;
    learn_status_t  *now;

    now = &watch->status;
    rc = learn_undo_init(&undo, watch->ask.command,
                         (publish->now.data != NULL) ? &publish->now.image
                                                     : NULL,
                         image);

    if (rc == LEARN_EXIT_OK
        && !learn_status_before(now, last->found ? &last->at : NULL,
                                learn_watch_known, &undo))
    {
        learn_complain("%s: out of memory", watch->ask.command);
        rc = LEARN_EXIT_FAILED;
    }

    for (i = 0; rc == LEARN_EXIT_OK && i < now->n; i++) {
        now->hosts[i].changed = learn_undo_changed(&undo, now->hosts[i].host);
    }

    learn_undo_release(&undo);

    return (rc == LEARN_EXIT_OK) ? learn_watch_print(watch, publish) : rc;
}


static int
learn_watch_known(const char *host, void *data)
{
    const learn_undo_t  *undo;

    undo = data;

    return learn_entry_of(&undo->new, host) != NULL;
}


/* the status, with all that was found out about it, is noted with the map */

static int
learn_watch_print(learn_watch_t *watch, learn_publish_t *publish)
{
    free(watch->text);
    watch->text = learn_status_print(&watch->status);

    if (watch->text == NULL) {
        learn_complain("%s: out of memory", watch->ask.command);
        return LEARN_EXIT_FAILED;
    }

    publish->status = watch->text;
    publish->watch = watch->seconds;

    return LEARN_EXIT_OK;
}


int
learn_watch(learn_watch_t *watch, learn_publish_t *publish)
{
    int               rc;
    learn_watching_t  ctx;

    if (watch->ask.url == NULL || publish->now.data == NULL) {
        return LEARN_EXIT_OK;
    }

    memset(&ctx, 0, sizeof(learn_watching_t));

    ctx.watch = watch;
    ctx.publish = publish;

    rc = learn_watch_last(&ctx.last, publish, watch->ask.command);

    if (rc == LEARN_EXIT_OK && ctx.last.until != 0) {
        rc = learn_watch_images(&ctx);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_watch_loop(&ctx);
        }

        learn_undo_release(&ctx.undo);
    }

    learn_status_release(&ctx.last.at);

    return rc;
}


static int
learn_watch_last(learn_watch_last_t *last, const learn_publish_t *publish,
    const char *command)
{
    int  rc;

    memset(last, 0, sizeof(learn_watch_last_t));

    last->command = command;

    if (publish->now.data == NULL) {
        return LEARN_EXIT_OK;
    }

    last->version = (int64_t) publish->now.image.generation;
    rc = publish->store->ops->watched(publish->store, learn_watch_row, last);

    return (rc == LEARN_EXIT_OK) ? last->rc : rc;
}


/* the last one may be of a map that nginx did not take */

static int
learn_watch_row(const learn_watched_t *watched, void *data)
{
    learn_watch_last_t  *last;

    last = data;

    if (watched->version != last->version) {
        return 1;
    }

    last->previous = watched->previous;
    last->until = watched->until;
    last->found = learn_status_parse(&last->at, watched->status);

    if (!last->found) {
        learn_complain("%s: what the store has to watch is damaged, or memory "
                       "ran out", last->command);
        last->rc = LEARN_EXIT_FAILED;
    }

    return 0;
}


static int
learn_watch_images(learn_watching_t *ctx)
{
    int                rc;
    learn_map_file_t  *was;

    rc = LEARN_EXIT_OK;
    was = &ctx->publish->was;

    if (was->data == NULL && ctx->last.previous != 0) {
        rc = learn_archive_open(ctx->publish->store,
                                ctx->publish->command, ctx->last.previous,
                                was);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_undo_init(&ctx->undo, ctx->watch->ask.command,
                         (was->data != NULL) ? &was->image : NULL,
                         &ctx->publish->now.image);

    return (rc == LEARN_EXIT_OK)
           ? learn_undo_source(&ctx->undo, ctx->publish->store,
                               ctx->last.version)
           : rc;
}


/*
 * At least one look, however late it is.  Meanwhile, somebody who knows better
 * may go back to another map, and that is the end of it.
 */

static int
learn_watch_loop(learn_watching_t *ctx)
{
    int               rc, again;
    learn_release_t  *release;

    release = &ctx->publish->release;
    learn_release_leave(release);

    ctx->end = learn_watch_end(ctx);
    ctx->answered = 1;

    for ( ;; ) {
        rc = learn_watch_look(ctx);

        if (rc != LEARN_EXIT_OK || ctx->harmed > 0
            || learn_clock() >= ctx->end)
        {
            break;
        }

        learn_watch_progress(ctx);
        (void) sleep(1);

        if (!learn_release_same(release)) {
            break;
        }
    }

    again = learn_release_again(release);
    rc = (rc == LEARN_EXIT_OK) ? again : rc;

    if (isatty(STDERR_FILENO)) {
        (void) fputs("\r\033[K", stderr);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    return (ctx->harmed > 0) ? learn_watch_back(ctx) : learn_watch_over(ctx);
}


/*
 * A clock that is set must neither end it nor make it go on.  What somebody
 * else has begun can only be told by that clock, but is not watched for longer
 * than by us.
 */

static uint64_t
learn_watch_end(const learn_watching_t *ctx)
{
    int64_t  left;

    if (ctx->publish->watched == ctx->last.version) {
        return ctx->publish->end;
    }

    left = ctx->last.until - (int64_t) time(NULL);

    if (left > (int64_t) ctx->watch->seconds) {
        left = (int64_t) ctx->watch->seconds;
    }

    return learn_clock() + ((left > 0) ? (uint64_t) left * LEARN_LANE_SECOND
                                       : 0);
}


static int
learn_watch_look(learn_watching_t *ctx)
{
    int              rc;
    size_t           i;
    learn_status_t  *now;

    now = &ctx->watch->status;

    /*
     * nginx may be busy, or start anew; the next time it answers.  That it
     * does not is said once.
     */

    ctx->watch->ask.quiet = !ctx->answered;
    ctx->answered = learn_status_ask(now, &ctx->watch->ask);
    ctx->watch->ask.quiet = 0;

    if (!ctx->answered) {
        return LEARN_EXIT_OK;
    }

    ctx->hosts = 0;
    ctx->requests = 0;
    rc = LEARN_EXIT_OK;

    for (i = 0; rc == LEARN_EXIT_OK && i < now->n; i++) {
        if (learn_undo_changed(&ctx->undo, now->hosts[i].host)) {
            rc = learn_watch_host(ctx, now->hosts[i].host);
        }
    }

    return rc;
}


static int
learn_watch_host(learn_watching_t *ctx, const char *host)
{
    int                         own;
    char                        why[LEARN_WORSE_WHY];
    learn_worse_t               limits;
    learn_reply_t               before, after;
    const learn_index_host_t   *entry;
    const learn_status_host_t  *then;

    limits = ctx->watch->limits;
    memset(&before, 0, sizeof(learn_reply_t));
    then = learn_status_host(&ctx->last.at, host);
    own = (then != NULL && then->before.requests > 0);

    if (!own) {
        then = learn_watch_others(ctx, host);
    }

    if (then != NULL) {
        before = then->before;
    }

    if (!own && limits.points < LEARN_WORSE_OTHERS) {
        limits.points = LEARN_WORSE_OTHERS;
    }

    if (!own) {
        before.upstream = 0;
    }

    after = learn_status_between(&ctx->last.at, &ctx->watch->status, host);

    ctx->hosts++;
    ctx->requests += after.requests;

    if (!learn_worse(&limits, &before, &after, why)) {
        return LEARN_EXIT_OK;
    }

    ctx->harmed++;

    (void) printf("%s: goes back to what it was, since %s\n", host, why);

    entry = learn_undo_mark(&ctx->undo, host);

    return (entry != NULL) ? learn_watch_hold(ctx, entry, why)
                           : LEARN_EXIT_OK;
}


/* whom a host was counted with that has no numbers of its own; or NULL */

static const learn_status_host_t *
learn_watch_others(const learn_watching_t *ctx, const char *host)
{
    char                       name[MIQPS_MAX_HOST + sizeof("*.")];
    const learn_index_host_t  *old;

    old = learn_entry_of(&ctx->undo.old, host);

    if (old == NULL) {
        return learn_status_host(&ctx->last.at, LEARN_STATUS_OTHERS);
    }

    (void) snprintf(name, sizeof(name), "%s%.*s", old->wildcard ? "*." : "",
                    (int) old->host.len, (const char *) old->host.data);

    return learn_status_host(&ctx->last.at, name);
}


static int
learn_watch_hold(learn_watching_t *ctx, const learn_index_host_t *entry,
    const char *why)
{
    int             rc;
    learn_store_t  *store;

    store = ctx->publish->store;
    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_undo_hold(&ctx->undo, store, entry, why);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
    }

    return rc;
}


/* if no map can be made of both, all of the old one */

static int
learn_watch_back(learn_watching_t *ctx)
{
    int                rc;
    char              *text, note[128];
    size_t             len, size;
    uint8_t           *data;
    miqps_str_t        source;
    learn_map_file_t  *was;

    text = NULL;
    data = NULL;
    was = &ctx->publish->was;

    rc = learn_undo_make(&ctx->undo, &text, &len, &data, &size);

    if (rc != LEARN_EXIT_OK && was->data != NULL) {
        data = malloc(was->size);

        if (data != NULL) {
            memcpy(data, was->data, was->size);
            size = was->size;
            len = 0;
            rc = LEARN_EXIT_OK;
        }
    }

    if (rc == LEARN_EXIT_OK) {
        learn_archive_note_worse(note, sizeof(note), ctx->harmed,
                                 ctx->last.version);

        source.data = (const uint8_t *) text;
        source.len = len;

        rc = learn_watch_undone(ctx);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_publish(ctx->publish, data, size, &source, note);
    }

    free(text);
    free(data);

    if (rc != LEARN_EXIT_OK) {
        learn_complain("%s: hosts became worse with the map %lld, and it could "
                       "not be taken back; 'miqps rollback' or action=rollback "
                       "does it", ctx->watch->ask.command,
                       (long long) ctx->last.version);
        return rc;
    }

    learn_complain("%s: %zu hosts became worse with the map %lld and were "
                   "rolled back", ctx->watch->ask.command, ctx->harmed,
                   (long long) ctx->last.version);

    return LEARN_EXIT_REFUSED;
}


/*
 * Hosts that go back are what they were, and so is what they answered with
 * that: what they answered in between does not count.
 */

static int
learn_watch_undone(learn_watching_t *ctx)
{
    int                         rc;
    size_t                      i;
    learn_status_t             *now;
    learn_status_host_t        *host;
    const learn_status_host_t  *then;

    now = &ctx->watch->status;

    if (!learn_status_before(now, &ctx->last.at, learn_watch_known,
                             &ctx->undo))
    {
        learn_complain("%s: out of memory", ctx->watch->ask.command);
        return LEARN_EXIT_FAILED;
    }

    for (i = 0; i < now->n; i++) {
        host = &now->hosts[i];
        then = learn_status_host(&ctx->last.at, host->host);

        if (then != NULL && learn_undo_marked(&ctx->undo, host->host)) {
            host->before = then->before;
        }
    }

    rc = learn_watch_print(ctx->watch, ctx->publish);
    ctx->publish->watch = 0;

    return rc;
}


static int
learn_watch_over(learn_watching_t *ctx)
{
    int             rc;
    learn_store_t  *store;

    /* who has ended nginx may be that map: the next command looks again */

    if (!ctx->answered) {
        learn_complain("%s: nobody tells any more what hosts answer with the "
                       "map %lld: it stays, and was not watched to the end",
                       ctx->watch->ask.command, (long long) ctx->last.version);
        return LEARN_EXIT_FAILED;
    }

    store = ctx->publish->store;
    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->watched_end(store, ctx->last.version);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
        return rc;
    }

    (void) printf("watched: %zu hosts that changed, %llu requests; none became "
                  "worse\n", ctx->hosts, (unsigned long long) ctx->requests);

    return LEARN_EXIT_OK;
}


static void
learn_watch_progress(const learn_watching_t *ctx)
{
    uint64_t  now;

    now = learn_clock();

    if (!isatty(STDERR_FILENO)) {
        return;
    }

    (void) fprintf(stderr, "\r\033[Kwatching %zu hosts that changed, %llu "
                   "requests, %llu s left", ctx->hosts,
                   (unsigned long long) ctx->requests,
                   (unsigned long long) ((ctx->end > now)
                                         ? (ctx->end - now)
                                           / LEARN_LANE_SECOND : 0));
}
