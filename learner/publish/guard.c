
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "guard.h"
#include "learn.h"
#include "map/map_make.h"
#include "miqps_image_check.h"
#include "replay.h"


typedef struct {
    learn_guard_t           *guard;
    const miqps_image_t     *old;
    const miqps_image_t     *new;
    learn_anomaly_t          anomaly;
    learn_merge_t            merge;
    uint8_t                 *refused;    /* old hosts that stay, by place */
    uint8_t                 *later;      /* new ones that wait, by place */
    char                   **held;       /* ... that must not be so, and why */
    int                      rc;
    FILE                    *lines;      /* what there is to tell */
    char                    *text;
    size_t                   len;
} learn_guarding_t;


typedef struct {
    uint64_t                 changed;
    size_t                   place;
} learn_guard_change_t;


static int  learn_guard_compare(learn_guarding_t *ctx, FILE *out);
static int  learn_guard_holds(learn_guarding_t *ctx);
static int  learn_guard_hold(const learn_hold_t *hold, void *data);
static int  learn_guard_round(learn_guarding_t *ctx, int *again);
static int  learn_guard_write(learn_guarding_t *ctx, int *again);
static int  learn_guard_host(learn_guarding_t *ctx, size_t place, int *again);
static int  learn_guard_changed(learn_guarding_t *ctx, size_t place,
    const learn_anomaly_pattern_t *list, size_t n, int *again);
static int  learn_guard_vanished(learn_guarding_t *ctx);
static int  learn_guard_refuse_host(learn_guarding_t *ctx, size_t place,
    int *again);
static int  learn_guard_prove(learn_guarding_t *ctx, int *again);
static int  learn_guard_traffic(learn_guarding_t *ctx, int *again);
static int  learn_guard_wait(learn_guarding_t *ctx,
    const learn_index_t *index, const learn_replay_count_t *counts,
    const learn_replay_count_t *all, int *again);
static int  learn_guard_by_change(const void *one, const void *two);
static void  learn_guard_say_later(learn_guarding_t *ctx,
    const learn_index_host_t *host);
static void  learn_guard_say_held(learn_guarding_t *ctx,
    const learn_index_host_t *host, const char *why);
static void  learn_guard_say(learn_guarding_t *ctx,
    const learn_index_host_t *host, const char *what,
    const learn_anomaly_pattern_t *list, size_t n);
static int  learn_guard_whole(learn_guarding_t *ctx);
static int  learn_guard_ratio(learn_guarding_t *ctx, const char *what,
    uint64_t before, uint64_t after);
static int  learn_guard_copy(learn_guard_t *guard, const miqps_image_t *image);
static int  learn_guard_memory(const learn_guard_t *guard);


void
learn_guard_init(learn_guard_t *guard, const char *command)
{
    memset(guard, 0, sizeof(learn_guard_t));

    guard->command = command;
    guard->limits.anomalies = LEARN_GUARD_ANOMALIES;
    guard->limits.vanish = LEARN_GUARD_VANISH;
    guard->limits.change = LEARN_GUARD_CHANGE;
    guard->limits.shrink = LEARN_GUARD_SHRINK;
    guard->limits.grow = LEARN_GUARD_GROW;
    guard->limits.size = LEARN_GUARD_SIZE;
}


void
learn_guard_release(learn_guard_t *guard)
{
    free(guard->data);
}


int
learn_guard(learn_guard_t *guard, const miqps_image_t *old,
    const miqps_image_t *new, FILE *out)
{
    int                rc;
    size_t             size;
    uint8_t           *none;
    miqps_image_t      empty;
    learn_guarding_t   ctx;

    memset(&ctx, 0, sizeof(learn_guarding_t));

    ctx.guard = guard;
    ctx.old = old;
    ctx.new = new;
    none = NULL;

    if (old == NULL) {
        rc = learn_map_make(guard->command, "nothing", "", 0, &none, &size);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        miqps_image_use(&empty, none);
        ctx.old = &empty;
    }

    rc = learn_guard_compare(&ctx, out);

    if (rc == LEARN_EXIT_OK && guard->force) {
        free(guard->data);
        rc = learn_guard_copy(guard, new);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_guard_whole(&ctx);
    }

    free(none);

    return (rc == LEARN_EXIT_REFUSED && guard->force) ? LEARN_EXIT_OK : rc;
}


/*
 * What is made of both maps is compared with the old one again, since a host
 * may be served by what is said of another; hosts that lose something then
 * stay as they were, until none does.
 */

static int
learn_guard_compare(learn_guarding_t *ctx, FILE *out)
{
    int     rc, again;
    size_t  i;

    rc = learn_anomaly_init(&ctx->anomaly, ctx->guard->command, ctx->old,
                            ctx->new);

    ctx->refused = calloc(ctx->anomaly.old.n + 1, 1);
    ctx->later = calloc(ctx->anomaly.new.n + 1, 1);
    ctx->held = calloc(ctx->anomaly.new.n + 1, sizeof(char *));

    if (rc == LEARN_EXIT_OK && (ctx->refused == NULL || ctx->later == NULL
                                || ctx->held == NULL))
    {
        rc = learn_guard_memory(ctx->guard);
    }

    if (rc == LEARN_EXIT_OK && ctx->guard->store != NULL
        && !ctx->guard->force)
    {
        rc = learn_guard_holds(ctx);
    }

    again = 1;

    while (rc == LEARN_EXIT_OK && again) {
        again = 0;
        rc = learn_guard_round(ctx, &again);

        if (rc == LEARN_EXIT_OK && !again && ctx->guard->store != NULL) {
            rc = learn_guard_traffic(ctx, &again);
        }
    }

    if (rc == LEARN_EXIT_OK && ctx->len > 0) {
        (void) fwrite(ctx->text, 1, ctx->len, out);
    }

    for (i = 0; ctx->held != NULL && i < ctx->anomaly.new.n; i++) {
        free(ctx->held[i]);
    }

    learn_anomaly_release(&ctx->anomaly);
    free(ctx->refused);
    free(ctx->later);
    free(ctx->held);
    free(ctx->text);

    return rc;
}


/* hosts that would be what they must not be again, wait as others do */

static int
learn_guard_holds(learn_guarding_t *ctx)
{
    int  rc;

    rc = ctx->guard->store->ops->holds(ctx->guard->store, learn_guard_hold,
                                       ctx);

    return (rc == LEARN_EXIT_OK) ? ctx->rc : rc;
}


static int
learn_guard_hold(const learn_hold_t *hold, void *data)
{
    char                      *text;
    size_t                     place;
    learn_guarding_t          *ctx;
    const learn_index_t       *new;
    const learn_index_host_t  *host;

    ctx = data;
    new = &ctx->anomaly.new;
    host = learn_entry_of(new, hold->host);

    if (host == NULL) {
        return 1;
    }

    text = learn_entry_text(new, host, &ctx->anomaly.next);

    if (text == NULL) {
        ctx->rc = learn_guard_memory(ctx->guard);
        return 0;
    }

    place = (size_t) (host - new->hosts);

    if (learn_entry_hash(text) == hold->entry && ctx->held[place] == NULL) {
        ctx->later[place] = 1;
        ctx->held[place] = strdup(hold->why);

        if (ctx->held[place] == NULL) {
            ctx->rc = learn_guard_memory(ctx->guard);
        }
    }

    free(text);

    return ctx->rc == LEARN_EXIT_OK;
}


static int
learn_guard_round(learn_guarding_t *ctx, int *again)
{
    int             rc;
    learn_guard_t  *guard;

    guard = ctx->guard;
    guard->hosts = 0;
    guard->fresh = 0;
    guard->merged = 0;
    guard->refused = 0;
    guard->later = 0;
    guard->held = 0;
    guard->gone = 0;

    free(guard->data);
    free(ctx->text);
    guard->data = NULL;
    ctx->text = NULL;

    ctx->lines = open_memstream(&ctx->text, &ctx->len);

    if (ctx->lines == NULL) {
        return learn_guard_memory(guard);
    }

    rc = learn_merge_init(&ctx->merge, guard->command, &ctx->anomaly.old,
                          &ctx->anomaly.new);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_guard_write(ctx, again);
    }

    if (rc == LEARN_EXIT_OK && !*again) {
        rc = learn_merge_image(&ctx->merge, &guard->data, &guard->size);
    }

    learn_merge_release(&ctx->merge);

    if (fclose(ctx->lines) != 0 && rc == LEARN_EXIT_OK) {
        rc = learn_guard_memory(guard);
    }

    return (rc == LEARN_EXIT_OK && !*again) ? learn_guard_prove(ctx, again)
                                            : rc;
}


/* hosts of the old map, and those that only the new one has */

static int
learn_guard_write(learn_guarding_t *ctx, int *again)
{
    int                        rc;
    size_t                     i;
    const learn_index_t       *new;
    const learn_index_host_t  *old;

    rc = LEARN_EXIT_OK;
    new = &ctx->anomaly.new;

    for (i = 0; rc == LEARN_EXIT_OK && i < ctx->anomaly.old.n; i++) {
        rc = learn_guard_host(ctx, i, again);
    }

    for (i = 0; rc == LEARN_EXIT_OK && i < new->n; i++) {
        ctx->guard->hosts++;
        old = learn_index_find(&ctx->anomaly.old, &new->hosts[i]);

        if (old == NULL) {
            ctx->guard->fresh++;
        }

        if (ctx->held[i] != NULL) {
            learn_guard_say_held(ctx, &new->hosts[i], ctx->held[i]);
            continue;
        }

        if (ctx->later[i]) {
            learn_guard_say_later(ctx, &new->hosts[i]);
            continue;
        }

        if (new->hosts[i].target == NULL
            && (old == NULL || old->target != NULL))
        {
            rc = learn_merge_host(&ctx->merge, new, &new->hosts[i]);
        }
    }

    return rc;
}


static int
learn_guard_host(learn_guarding_t *ctx, size_t place, int *again)
{
    int                        rc;
    size_t                     n;
    const learn_index_host_t  *old, *new;
    learn_anomaly_pattern_t   *list;

    old = &ctx->anomaly.old.hosts[place];
    new = learn_index_find(&ctx->anomaly.new, old);

    if (!learn_anomaly_host(&ctx->anomaly, old, &list, &n)) {
        free(list);
        return learn_guard_memory(ctx->guard);
    }

    if (ctx->refused[place]) {
        learn_guard_say(ctx, old, "refused, it stays as it is published",
                        list, n);
        ctx->guard->refused++;
        rc = learn_merge_host(&ctx->merge, &ctx->anomaly.old, old);

    } else if (new != NULL && ctx->later[new - ctx->anomaly.new.hosts]) {
        rc = (old->target == NULL)
             ? learn_merge_host(&ctx->merge, &ctx->anomaly.old, old)
             : LEARN_EXIT_OK;

    } else if (n == 0 && new != NULL && learn_guard_vanished(ctx)) {
        rc = learn_guard_refuse_host(ctx, place, again);

    } else if (n > 0 || ctx->anomaly.ndropped > 0) {
        rc = learn_guard_changed(ctx, place, list, n, again);

    } else if (new == NULL) {
        ctx->guard->gone++;
        rc = LEARN_EXIT_OK;

    } else {

        /* mirrors are written with what they mirror */

        rc = (old->target == NULL && new->target == NULL)
             ? learn_merge_host(&ctx->merge, &ctx->anomaly.new, new)
             : LEARN_EXIT_OK;
    }

    free(list);

    return rc;
}


/* a host of which something would be lost */

static int
learn_guard_changed(learn_guarding_t *ctx, size_t place,
    const learn_anomaly_pattern_t *list, size_t n, int *again)
{
    const learn_index_host_t  *old, *new;

    old = &ctx->anomaly.old.hosts[place];
    new = learn_index_find(&ctx->anomaly.new, old);

    if (old->target != NULL || new == NULL || new->target != NULL
        || 100.0 * (double) n > ctx->guard->limits.anomalies
                                * (double) ctx->anomaly.view.npatterns)
    {
        return learn_guard_refuse_host(ctx, place, again);
    }

    learn_guard_say(ctx, old, "taken, and what mattered is kept", list, n);
    ctx->guard->merged++;

    return learn_merge_union(&ctx->merge, old, new, list, n,
                             ctx->anomaly.dropped);
}


/*
 * Patterns come and go, but not most of them at once: then it is another host
 * that was learned, or something that is no visitor.
 */

static int
learn_guard_vanished(learn_guarding_t *ctx)
{
    int                  rc;
    size_t               i, k, gone;
    const learn_view_t  *old, *new;

    old = &ctx->anomaly.view;
    new = &ctx->anomaly.next;
    gone = 0;

    for (i = 0, k = 0; i < old->npatterns; /* void */) {
        rc = (k < new->npatterns)
             ? learn_view_cmp(&old->patterns[i], &new->patterns[k]) : -1;

        gone += (rc < 0);
        i += (rc <= 0);
        k += (rc >= 0);
    }

    return old->npatterns >= LEARN_GUARD_SOME
           && 100.0 * (double) gone > ctx->guard->limits.vanish
                                      * (double) old->npatterns;
}


/* what a mirror would lose, the host that it mirrors does not get either */

static int
learn_guard_refuse_host(learn_guarding_t *ctx, size_t place, int *again)
{
    size_t                     i;
    const learn_index_host_t  *old;

    *again = 1;
    old = &ctx->anomaly.old.hosts[place];

    if (old->target == NULL) {
        ctx->refused[place] = 1;
        return LEARN_EXIT_OK;
    }

    for (i = 0; i < ctx->anomaly.old.n; i++) {
        if (ctx->anomaly.old.hosts[i].record == old->target) {
            *again = !ctx->refused[i];
            ctx->refused[i] = 1;
        }
    }

    return LEARN_EXIT_OK;
}


static int
learn_guard_prove(learn_guarding_t *ctx, int *again)
{
    int                       rc;
    size_t                    i, n;
    const char               *why;
    miqps_image_t             image;
    learn_anomaly_t           anomaly;
    learn_anomaly_pattern_t  *list;

    if (miqps_image_open(&image, ctx->guard->data, ctx->guard->size, &why)
        != MIQPS_OK)
    {
        learn_complain("%s: the map that was made is none: %s",
                       ctx->guard->command, why);
        return LEARN_EXIT_FAILED;
    }

    rc = learn_anomaly_init(&anomaly, ctx->guard->command, ctx->old, &image);

    for (i = 0; rc == LEARN_EXIT_OK && i < anomaly.old.n; i++) {

        if (!learn_anomaly_host(&anomaly, &anomaly.old.hosts[i], &list, &n)) {
            rc = learn_guard_memory(ctx->guard);

        } else if ((n > 0 || anomaly.ndropped > 0) && !ctx->refused[i]) {
            rc = learn_guard_refuse_host(ctx, i, again);
        }

        free(list);
    }

    learn_anomaly_release(&anomaly);

    return rc;
}


/* if too much would change, those that change most wait */

static int
learn_guard_traffic(learn_guarding_t *ctx, int *again)
{
    int                    rc;
    learn_index_t          index;
    miqps_image_t          image;
    learn_replay_count_t   all, *counts;

    miqps_image_use(&image, ctx->guard->data);

    counts = calloc((size_t) image.nhosts + 1, sizeof(learn_replay_count_t));

    if (!learn_index_init(&index, &image) || counts == NULL) {
        rc = learn_guard_memory(ctx->guard);

    } else {
        rc = learn_replay(ctx->guard->store, ctx->old, &index, counts, &all);
    }

    if (rc == LEARN_EXIT_OK) {
        ctx->guard->changed = (all.urls > 0) ? 100.0 * (double) all.changed
                                               / (double) all.urls : 0.0;

        if (ctx->guard->changed > ctx->guard->limits.change
            && !ctx->guard->force)
        {
            rc = learn_guard_wait(ctx, &index, counts, &all, again);
        }
    }

    learn_index_release(&index);
    free(counts);

    return rc;
}


/* those that change most, but for the last; "*again" if one more waits now */

static int
learn_guard_wait(learn_guarding_t *ctx, const learn_index_t *index,
    const learn_replay_count_t *counts, const learn_replay_count_t *all,
    int *again)
{
    size_t                     i, n;
    double                     left, may;
    learn_guard_change_t      *list;
    const learn_index_host_t  *host;

    list = malloc((index->n + 1) * sizeof(learn_guard_change_t));

    if (list == NULL) {
        return learn_guard_memory(ctx->guard);
    }

    for (i = 0, n = 0; i < index->n; i++) {
        if (counts[i].changed > 0) {
            list[n].place = i;
            list[n++].changed = counts[i].changed;
        }
    }

    qsort(list, n, sizeof(learn_guard_change_t), learn_guard_by_change);

    left = (double) all->changed;
    may = ctx->guard->limits.change * (double) all->urls / 100.0;

    for (i = 0; i + 1 < n && left > may; i++) {
        left -= (double) list[i].changed;
        host = learn_index_find(&ctx->anomaly.new,
                                &index->hosts[list[i].place]);

        if (host != NULL && !ctx->later[host - ctx->anomaly.new.hosts]) {
            ctx->later[host - ctx->anomaly.new.hosts] = 1;
            *again = 1;
        }
    }

    free(list);

    return LEARN_EXIT_OK;
}


static int
learn_guard_by_change(const void *one, const void *two)
{
    const learn_guard_change_t  *a = one, *b = two;

    if (a->changed != b->changed) {
        return (a->changed < b->changed) ? 1 : -1;
    }

    return (a->place > b->place) - (a->place < b->place);
}


static void
learn_guard_say_later(learn_guarding_t *ctx, const learn_index_host_t *host)
{
    ctx->guard->later++;

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fprintf(ctx->lines, ": waits for the next time, since %.0f %% of "
                   "the URLs may change at once\n",
                   ctx->guard->limits.change);
}


static void
learn_guard_say_held(learn_guarding_t *ctx, const learn_index_host_t *host,
    const char *why)
{
    ctx->guard->held++;

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fputs(": stays as it is published, since it was rolled back as it "
                 "is now: ", ctx->lines);
    learn_put_safe((const uint8_t *) why, strlen(why), ctx->lines);
    (void) fputc('\n', ctx->lines);
}


static void
learn_guard_say(learn_guarding_t *ctx, const learn_index_host_t *host,
    const char *what, const learn_anomaly_pattern_t *list, size_t n)
{
    size_t                       i;
    uint32_t                     k;
    const learn_view_param_t    *param;
    const learn_view_pattern_t  *pattern;

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fprintf(ctx->lines, ": %s; ", what);

    if (ctx->anomaly.ndropped > 0) {
        (void) fprintf(ctx->lines, "%zu path rule%s would take what was kept%s",
                       ctx->anomaly.ndropped,
                       (ctx->anomaly.ndropped > 1) ? "s" : "",
                       (n > 0) ? "; " : "\n");
    }

    if (n == 0) {
        if (ctx->anomaly.ndropped == 0) {
            (void) fprintf(ctx->lines, "most of its %zu patterns are gone\n",
                           ctx->anomaly.view.npatterns);
        }

        return;
    }

    (void) fprintf(ctx->lines, "%zu of %zu patterns would lose a parameter "
                   "that matters:", n, ctx->anomaly.view.npatterns);

    for (i = 0; i < n; i++) {
        pattern = &ctx->anomaly.view.patterns[list[i].pattern];

        for (k = 0; k < pattern->nparams; k++) {
            param = &pattern->params[k];

            (void) fputs((k == 0) ? " " : "&", ctx->lines);
            learn_put_safe(param->name.data, param->name.len, ctx->lines);

            if (list[i].lost[k]) {
                (void) fputs("(lost)", ctx->lines);
            }
        }
    }

    (void) fputc('\n', ctx->lines);
}


static int
learn_guard_whole(learn_guarding_t *ctx)
{
    miqps_image_t   image;
    learn_guard_t  *guard;

    guard = ctx->guard;
    miqps_image_use(&image, guard->data);

    if (image.nhosts == 0) {
        (void) snprintf(guard->why, sizeof(guard->why), "it is empty");
        return LEARN_EXIT_REFUSED;
    }

    if (guard->size > guard->limits.size) {
        (void) snprintf(guard->why, sizeof(guard->why),
                        "it has %zu bytes, and no more than %llu are allowed",
                        guard->size, (unsigned long long) guard->limits.size);
        return LEARN_EXIT_REFUSED;
    }

    if (!learn_guard_ratio(ctx, "hosts", ctx->old->nhosts, image.nhosts)
        || !learn_guard_ratio(ctx, "patterns", ctx->old->npatterns,
                              image.npatterns))
    {
        return LEARN_EXIT_REFUSED;
    }

    return LEARN_EXIT_OK;
}


static int
learn_guard_ratio(learn_guarding_t *ctx, const char *what, uint64_t before,
    uint64_t after)
{
    double          share;
    learn_guard_t  *guard;

    guard = ctx->guard;
    share = (before > 0) ? 100.0 * ((double) after - (double) before)
                           / (double) before : 0.0;

    if (-share > guard->limits.shrink) {
        (void) snprintf(guard->why, sizeof(guard->why),
                        "it has %llu %s and the published one %llu: %.0f %% "
                        "are gone, and %.0f %% may be",
                        (unsigned long long) after, what,
                        (unsigned long long) before, -share,
                        guard->limits.shrink);
        return 0;
    }

    if (share > guard->limits.grow && after - before > LEARN_GUARD_FEW) {
        (void) snprintf(guard->why, sizeof(guard->why),
                        "it has %llu %s and the published one %llu: %.0f %% "
                        "more, and %.0f %% may be",
                        (unsigned long long) after, what,
                        (unsigned long long) before, share,
                        guard->limits.grow);
        return 0;
    }

    return 1;
}


static int
learn_guard_copy(learn_guard_t *guard, const miqps_image_t *image)
{
    guard->size = image->size;
    guard->data = malloc(image->size);

    if (guard->data == NULL) {
        return learn_guard_memory(guard);
    }

    memcpy(guard->data, image->base, image->size);

    return LEARN_EXIT_OK;
}


static int
learn_guard_memory(const learn_guard_t *guard)
{
    learn_complain("%s: out of memory", guard->command);

    return LEARN_EXIT_FAILED;
}
