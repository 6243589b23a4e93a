
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "guard_steps.h"
#include "learn.h"
#include "map/map_make.h"
#include "miqps_image_check.h"
#include "proven.h"


static int  learn_guard_compare(learn_guarding_t *ctx, FILE *out);
static int  learn_guard_rounds(learn_guarding_t *ctx);
static int  learn_guard_holds(learn_guarding_t *ctx);
static int  learn_guard_hold(const learn_hold_t *hold, void *data);
static int  learn_guard_round(learn_guarding_t *ctx, int *again);
static int  learn_guard_write(learn_guarding_t *ctx, int *again);
static int  learn_guard_old(learn_guarding_t *ctx, size_t place);
static int  learn_guard_new(learn_guarding_t *ctx, size_t place, int *again);
static int  learn_guard_gone(learn_guarding_t *ctx, size_t place, int *again);
static int  learn_guard_stays(learn_guarding_t *ctx,
    const learn_index_host_t *host);
static int  learn_guard_entry(learn_guarding_t *ctx,
    const learn_index_host_t *new, const learn_anomaly_pattern_t *list,
    size_t n);
static int  learn_guard_prove(learn_guarding_t *ctx, int *again);
static int  learn_guard_prove_hosts(learn_guarding_t *ctx,
    learn_anomaly_t *anomaly, const learn_index_t *index, int *again);
static int  learn_guard_whole(learn_guarding_t *ctx);
static int  learn_guard_ratio(learn_guarding_t *ctx, const char *what,
    uint64_t before, uint64_t after);
static int  learn_guard_copy(learn_guard_t *guard, const miqps_image_t *image);


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
    uint8_t           *none, *rules;
    miqps_image_t      empty, proven;
    learn_guarding_t   ctx;

    memset(&ctx, 0, sizeof(learn_guarding_t));

    ctx.guard = guard;
    ctx.old = old;
    ctx.new = new;
    none = NULL;
    rules = NULL;
    rc = LEARN_EXIT_OK;

    if (old == NULL) {
        rc = learn_map_make(guard->command, "nothing", "", 0, &none, &size);

        if (rc == LEARN_EXIT_OK) {
            miqps_image_use(&empty, none);
            ctx.old = &empty;
        }
    }

    if (rc == LEARN_EXIT_OK && guard->source != NULL) {
        rc = learn_proven(guard->command, guard->source, guard->len, &rules,
                          &size);

        if (rc == LEARN_EXIT_OK && rules != NULL) {
            miqps_image_use(&proven, rules);
            ctx.proven = &proven;
        }
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_guard_compare(&ctx, out);
    }

    if (rc == LEARN_EXIT_OK && guard->force) {
        free(guard->data);
        rc = learn_guard_copy(guard, new);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_guard_whole(&ctx);
    }

    free(none);
    free(rules);

    return (rc == LEARN_EXIT_REFUSED && guard->force) ? LEARN_EXIT_OK : rc;
}


static int
learn_guard_compare(learn_guarding_t *ctx, FILE *out)
{
    int     rc;
    size_t  i;

    rc = learn_anomaly_init(&ctx->anomaly, ctx->guard->command, ctx->old,
                            ctx->new);

    ctx->before = calloc(ctx->anomaly.old.n + 1, 1);
    ctx->after = calloc(ctx->anomaly.new.n + 1, 1);
    ctx->held = calloc(ctx->anomaly.new.n + 1, sizeof(char *));
    ctx->parts = calloc(ctx->anomaly.new.n + 1, sizeof(learn_part_t));

    if (rc == LEARN_EXIT_OK && (ctx->before == NULL || ctx->after == NULL
                                || ctx->held == NULL || ctx->parts == NULL))
    {
        rc = learn_guard_memory(ctx->guard);
    }

    if (rc == LEARN_EXIT_OK && ctx->guard->store != NULL
        && !ctx->guard->force)
    {
        rc = learn_guard_holds(ctx);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_guard_rounds(ctx);
    }

    if (rc == LEARN_EXIT_OK && ctx->len > 0) {
        (void) fwrite(ctx->text, 1, ctx->len, out);
    }

    for (i = 0; ctx->held != NULL && i < ctx->anomaly.new.n; i++) {
        free(ctx->held[i]);
    }

    for (i = 0; ctx->parts != NULL && i < ctx->anomaly.new.n; i++) {
        learn_part_release(&ctx->parts[i]);
    }

    learn_anomaly_release(&ctx->anomaly);
    free(ctx->before);
    free(ctx->after);
    free(ctx->held);
    free(ctx->parts);
    free(ctx->text);

    return rc;
}


/*
 * What is made of both maps is compared with the old one again, since a host
 * may be served by what is said of another; hosts that lose something then
 * stay as they were, until none does.
 */

static int
learn_guard_rounds(learn_guarding_t *ctx)
{
    int  rc, again;

    do {
        again = 0;
        learn_fate_settle(ctx);
        rc = learn_guard_round(ctx, &again);

        if (rc == LEARN_EXIT_OK && !again && ctx->guard->store != NULL) {
            rc = learn_guard_traffic(ctx, &again);
        }

    } while (rc == LEARN_EXIT_OK && again);

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
        ctx->after[learn_fate_entry(new, host)] = LEARN_FATE_HELD;
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
    guard->dropped = 0;
    guard->parts = 0;

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


/* entries that stay, those of the new map, and hosts that only were */

static int
learn_guard_write(learn_guarding_t *ctx, int *again)
{
    int                   rc;
    size_t                i;
    const learn_index_t  *old, *new;

    rc = LEARN_EXIT_OK;
    old = &ctx->anomaly.old;
    new = &ctx->anomaly.new;

    for (i = 0; rc == LEARN_EXIT_OK && i < old->n; i++) {
        if (ctx->before[learn_fate_entry(old, &old->hosts[i])]
            != LEARN_FATE_TAKEN)
        {
            rc = learn_guard_old(ctx, i);

        } else if (learn_index_find(new, &old->hosts[i]) == NULL) {
            rc = learn_guard_gone(ctx, i, again);
        }
    }

    for (i = 0; rc == LEARN_EXIT_OK && i < new->n; i++) {
        ctx->guard->hosts++;
        ctx->guard->fresh += (learn_index_find(old, &new->hosts[i]) == NULL);

        rc = learn_guard_new(ctx, i, again);
    }

    return rc;
}


/* an entry that stays as it is published, or its mirror */

static int
learn_guard_old(learn_guarding_t *ctx, size_t place)
{
    const learn_index_host_t  *host;

    host = &ctx->anomaly.old.hosts[place];

    if (host->target != NULL) {
        return LEARN_EXIT_OK;
    }

    if (ctx->before[place] == LEARN_FATE_REFUSED
        && !learn_guard_stays(ctx, host))
    {
        return learn_guard_memory(ctx->guard);
    }

    if (ctx->before[place] == LEARN_FATE_LATER
        && learn_index_find(&ctx->anomaly.new, host) == NULL)
    {
        learn_guard_say_later(ctx, host);
    }

    return learn_merge_host(&ctx->merge, &ctx->anomaly.old, host);
}


/* a host that the new map has not got, but for a wildcard that may serve it */

static int
learn_guard_gone(learn_guarding_t *ctx, size_t place, int *again)
{
    int                        ok;
    size_t                     n;
    learn_anomaly_pattern_t   *list;
    const learn_index_host_t  *host;

    host = &ctx->anomaly.old.hosts[place];
    ok = learn_anomaly_host(&ctx->anomaly, host, &list, &n);
    free(list);

    if (!ok) {
        return learn_guard_memory(ctx->guard);
    }

    if (learn_anomaly_any(&ctx->anomaly, n)) {
        *again |= learn_fate_set(ctx, host, LEARN_FATE_REFUSED);

    } else {
        ctx->guard->gone++;
    }

    return LEARN_EXIT_OK;
}


static int
learn_guard_new(learn_guarding_t *ctx, size_t place, int *again)
{
    int                        rc;
    size_t                     n;
    learn_fate_e               fate;
    const learn_part_t        *part;
    const learn_index_t       *new;
    const learn_index_host_t  *host;
    learn_anomaly_pattern_t   *list;

    new = &ctx->anomaly.new;
    host = &new->hosts[place];
    fate = ctx->after[learn_fate_entry(new, host)];

    if (ctx->held[place] != NULL) {
        learn_guard_say_held(ctx, host, ctx->held[place]);
        return LEARN_EXIT_OK;
    }

    if (fate == LEARN_FATE_LATER && host->target == NULL) {
        learn_guard_say_later(ctx, host);
    }

    if (fate == LEARN_FATE_REFUSED && host->target == NULL
        && learn_index_find(&ctx->anomaly.old, host) == NULL
        && !learn_guard_stays(ctx, host))
    {
        return learn_guard_memory(ctx->guard);
    }

    if (fate != LEARN_FATE_TAKEN) {
        return LEARN_EXIT_OK;
    }

    part = &ctx->parts[learn_fate_entry(new, host)];

    if (part->text != NULL) {
        if (host->target != NULL) {
            return LEARN_EXIT_OK;
        }

        learn_guard_say_part(ctx, host, part);
        return learn_merge_text(&ctx->merge, part->text);
    }

    rc = LEARN_EXIT_OK;

    if (!learn_anomaly_host(&ctx->anomaly, host, &list, &n)) {
        rc = learn_guard_memory(ctx->guard);

    } else if (learn_guard_vanished(ctx, host)
               || 100.0 * (double) n > ctx->guard->limits.anomalies
                                       * (double) ctx->anomaly.view.npatterns
               || (learn_anomaly_any(&ctx->anomaly, n)
                   && host->target != NULL))
    {
        *again |= learn_fate_set(ctx, host, LEARN_FATE_REFUSED);

    } else if (host->target == NULL) {
        rc = learn_guard_entry(ctx, host, list, n);
    }

    /* mirrors are written with what they mirror */

    free(list);

    return rc;
}


/* tells why an entry stays, or is not taken; 0 without memory */

static int
learn_guard_stays(learn_guarding_t *ctx, const learn_index_host_t *host)
{
    int                       ok;
    size_t                    n;
    learn_anomaly_pattern_t  *list;

    ok = learn_anomaly_host(&ctx->anomaly, host, &list, &n);

    if (ok) {
        learn_guard_say(ctx, host, "refused, it stays as it is published",
                        list, n);
        ctx->guard->refused++;
    }

    free(list);

    return ok;
}


/* as the new map has it, but with all that the old one has kept */

static int
learn_guard_entry(learn_guarding_t *ctx, const learn_index_host_t *new,
    const learn_anomaly_pattern_t *list, size_t n)
{
    int               left;
    learn_union_t     both;
    learn_anomaly_t  *anomaly;

    anomaly = &ctx->anomaly;

    if (learn_anomaly_any(anomaly, n)) {
        learn_guard_say(ctx, new, "taken, and what mattered is kept", list,
                        n);
        ctx->guard->merged++;
    }

    left = learn_guard_rules(ctx);

    if (left < 0) {
        return learn_guard_memory(ctx->guard);
    }

    if (left > 0) {
        learn_guard_say_rules(ctx, new, left);
    }

    if (left == 0 && !learn_anomaly_any(anomaly, n)) {
        return learn_merge_host(&ctx->merge, &anomaly->new, new);
    }

    both.a = (anomaly->served != NULL)
             ? learn_fate_record(&anomaly->old, anomaly->served) : NULL;
    both.b = new;
    both.lost = list;
    both.n = n;
    both.added = anomaly->added;
    both.nadded = anomaly->nadded;
    both.dropped = anomaly->dropped;

    return learn_merge_union(&ctx->merge, &both);
}


/*
 * Patterns come and go, but not most of them at once: then it is another host
 * that was learned, or something that is no visitor.  A wildcard is for many
 * hosts, of which none needs to have all.
 */

int
learn_guard_vanished(const learn_guarding_t *ctx,
    const learn_index_host_t *host)
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

    return learn_index_find(&ctx->anomaly.old, host) != NULL
           && old->npatterns >= LEARN_GUARD_SOME
           && 100.0 * (double) gone > ctx->guard->limits.vanish
                                      * (double) old->npatterns;
}


static int
learn_guard_prove(learn_guarding_t *ctx, int *again)
{
    int              rc;
    const char      *why;
    miqps_image_t    image;
    learn_anomaly_t  anomaly;

    if (miqps_image_open(&image, ctx->guard->data, ctx->guard->size, &why)
        != MIQPS_OK)
    {
        learn_complain("%s: the map that was made is none: %s",
                       ctx->guard->command, why);
        return LEARN_EXIT_FAILED;
    }

    rc = learn_anomaly_init(&anomaly, ctx->guard->command, ctx->old, &image);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_guard_prove_hosts(ctx, &anomaly, &anomaly.old, again);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_guard_prove_hosts(ctx, &anomaly, &anomaly.new, again);
    }

    learn_anomaly_release(&anomaly);

    return rc;
}


/* what loses something stays; if that does not help, there is no map */

static int
learn_guard_prove_hosts(learn_guarding_t *ctx, learn_anomaly_t *anomaly,
    const learn_index_t *index, int *again)
{
    int                       ok;
    size_t                    i, n;
    learn_guard_t            *guard;
    learn_anomaly_pattern_t  *list;

    guard = ctx->guard;

    for (i = 0; i < index->n; i++) {

        if (index == &anomaly->new
            && learn_index_find(&anomaly->old, &index->hosts[i]) != NULL)
        {
            continue;
        }

        ok = learn_anomaly_host(anomaly, &index->hosts[i], &list, &n);
        free(list);

        if (!ok) {
            return learn_guard_memory(guard);
        }

        if (!learn_anomaly_any(anomaly, n)) {
            continue;
        }

        if (learn_fate_set(ctx, &index->hosts[i], LEARN_FATE_REFUSED)) {
            *again = 1;

        } else if (!*again && !guard->force) {
            (void) snprintf(guard->why, sizeof(guard->why),
                            "it would take what mattered at %s",
                            anomaly->name);
            return LEARN_EXIT_REFUSED;
        }
    }

    return LEARN_EXIT_OK;
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


int
learn_guard_memory(const learn_guard_t *guard)
{
    learn_complain("%s: out of memory", guard->command);

    return LEARN_EXIT_FAILED;
}
