
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "clustered.h"
#include "content/content.h"
#include "latest.h"
#include "learn.h"
#include "study.h"


/* a page of a run */

typedef struct {
    int64_t             site;
    miqps_str_t         url;
    miqps_str_t         declared;        /* or empty */
    uint64_t            text;            /* IDs */
    uint64_t            near;
} learn_clustered_t;


typedef struct {
    learn_arena_t       arena;
    learn_clustered_t  *list;
    size_t              n;
    size_t              room;
    int64_t             site;            /* of the run that is being read */
    unsigned            failed:1;
} learn_clustering_t;


static int  learn_clustered_runs(learn_store_t *store,
    const learn_latest_t *latest, char **text, size_t *len);
static int  learn_clustered_visit(const learn_visit_row_t *visit, void *data);
static int  learn_clustered_copy(learn_clustering_t *ctx, miqps_str_t *to,
    const miqps_str_t *from);
static int  learn_clustered_by_declared(const void *one, const void *two);
static int  learn_clustered_cmp(const miqps_str_t *one,
    const miqps_str_t *two);
static void  learn_clustered_print(const learn_clustering_t *ctx, FILE *out);


int
learn_clustered(const char *command, const char *url, char **hosts,
    char **text, size_t *len)
{
    int              rc;
    learn_store_t   *store;
    learn_latest_t   latest;

    *text = NULL;
    *len = 0;

    memset(&latest, 0, sizeof(learn_latest_t));
    latest.command = command;

    rc = learn_store_open(&store, command, url, LEARN_STORE_READ);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_latest_named(&latest, store, hosts);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_clustered_runs(store, &latest, text, len);
    }

    learn_latest_release(&latest);
    store->ops->close(store);

    return rc;
}


static int
learn_clustered_runs(learn_store_t *store, const learn_latest_t *latest,
    char **text, size_t *len)
{
    int                 rc;
    FILE               *out;
    size_t              i;
    miqps_str_t         host;
    learn_clustering_t  ctx;

    memset(&ctx, 0, sizeof(learn_clustering_t));
    learn_arena_init(&ctx.arena);

    rc = LEARN_EXIT_OK;

    for (i = 0; i < latest->n && rc == LEARN_EXIT_OK; i++) {
        host.data = (const uint8_t *) latest->list[i].host;
        host.len = strlen(latest->list[i].host);

        rc = store->ops->host_site(store, &host, &ctx.site);

        if (rc == LEARN_EXIT_OK) {
            rc = store->ops->visits(store, latest->list[i].run,
                                    learn_clustered_visit, &ctx);
        }
    }

    out = (rc == LEARN_EXIT_OK && !ctx.failed) ? open_memstream(text, len)
                                               : NULL;

    if (out != NULL) {
        if (ctx.n > 0) {
            qsort(ctx.list, ctx.n, sizeof(learn_clustered_t),
                  learn_clustered_by_declared);
        }

        learn_clustered_print(&ctx, out);
        ctx.failed |= (fclose(out) != 0);

    } else if (rc == LEARN_EXIT_OK) {
        ctx.failed = 1;
    }

    if (ctx.failed) {
        learn_complain("%s: out of memory", latest->command);
        rc = LEARN_EXIT_FAILED;
    }

    free(ctx.list);
    learn_arena_release(&ctx.arena);

    return rc;
}


/* pages as they are at first sight, and of which there is a text */

static int
learn_clustered_visit(const learn_visit_row_t *visit, void *data)
{
    size_t               room;
    learn_clustered_t   *list, *one;
    learn_clustering_t  *ctx;

    ctx = data;

    if (visit->outcome != LEARN_VISIT_PAGE || visit->status != 200
        || visit->page != LEARN_PAGE_GOOD || visit->turn != 0
        || visit->viewer != 0 || visit->location.len > 0
        || visit->ids[LEARN_ID_TEXT] == 0)
    {
        return 1;
    }

    if (ctx->n == ctx->room) {
        room = 2 * ctx->room + 256;
        list = realloc(ctx->list, room * sizeof(learn_clustered_t));

        if (list == NULL) {
            ctx->failed = 1;
            return 0;
        }

        ctx->list = list;
        ctx->room = room;
    }

    one = &ctx->list[ctx->n++];

    one->site = ctx->site;
    one->text = visit->ids[LEARN_ID_TEXT];
    one->near = visit->ids[LEARN_ID_NEAR];
    one->declared.len = 0;

    /* pages that declare to be the home page have no ID for that */

    if (!learn_clustered_copy(ctx, &one->url, &visit->url)
        || (visit->ids[LEARN_ID_CANONICAL] != 0
            && !learn_clustered_copy(ctx, &one->declared, &visit->canonical)))
    {
        ctx->failed = 1;
        return 0;
    }

    return 1;
}


static int
learn_clustered_copy(learn_clustering_t *ctx, miqps_str_t *to,
    const miqps_str_t *from)
{
    uint8_t  *copy;

    copy = learn_arena_alloc(&ctx->arena, from->len + 1);

    if (copy == NULL) {
        return 0;
    }

    memcpy(copy, from->data, from->len);

    to->data = copy;
    to->len = from->len;

    return 1;
}


/* by site and what they declare, and then by their own URLs */

static int
learn_clustered_by_declared(const void *one, const void *two)
{
    int                       rc;
    const learn_clustered_t  *a, *b;

    a = one;
    b = two;

    if (a->site != b->site) {
        return (a->site > b->site) ? 1 : -1;
    }

    rc = learn_clustered_cmp(&a->declared, &b->declared);

    return (rc != 0) ? rc : learn_clustered_cmp(&a->url, &b->url);
}


static int
learn_clustered_cmp(const miqps_str_t *one, const miqps_str_t *two)
{
    int     rc;
    size_t  len;

    len = (one->len < two->len) ? one->len : two->len;
    rc = (len > 0) ? memcmp(one->data, two->data, len) : 0;

    return (rc != 0) ? rc : (one->len > two->len) - (one->len < two->len);
}


/*
 * The first of those that declare one URL stands for it: whoever differs from
 * it by much has a cluster of its own, by its text.
 */

static void
learn_clustered_print(const learn_clustering_t *ctx, FILE *out)
{
    size_t                    i;
    uint64_t                  text;
    const learn_clustered_t  *one, *first;

    first = NULL;

    for (i = 0; i < ctx->n; i++) {
        one = &ctx->list[i];

        if (first == NULL || first->site != one->site
            || !miqps_str_eq(&first->declared, &one->declared))
        {
            first = one;
        }

        text = (one->declared.len > 0
                && learn_content_near(one->near, first->near))
               ? first->text : one->text;

        (void) fprintf(out, "%.*s\t%lld-%016llx\n", (int) one->url.len,
                       (const char *) one->url.data, (long long) one->site,
                       (unsigned long long) text);
    }
}
