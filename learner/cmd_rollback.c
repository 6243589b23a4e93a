
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "publish/archive.h"
#include "publish/publish.h"


typedef struct {
    learn_publish_t    publish;
    int64_t            to;           /* 0: the one before */
    uint8_t           *data;         /* its image, and behind it its source */
    size_t             size;         /* of the image */
    miqps_str_t        source;
    learn_map_file_t   target;       /* a copy of that image */
    learn_undo_t       undo;         /* what changes by it, and ... */
    size_t             held;         /* of how many hosts */
} learn_rollback_t;


static int  learn_rollback_options(learn_rollback_t *ctx, int argc,
    char **argv);
static int  learn_rollback_run(learn_rollback_t *ctx);
static int  learn_rollback_hosts(learn_rollback_t *ctx);
static int  learn_rollback_take(const learn_version_t *version, void *data);


static const char  learn_rollback_usage[] =
    "usage: miqps rollback --store sqlite:PATH --map IMAGE [option...]\n"
    "\n"
    "Publishes a map that was published before, as a new generation; what\n"
    "hosts have that change by it is not published for them again.\n"
    "\n"
    learn_publish_usage
    "  --to N             the generation to go back to; if not given, the\n"
    "                     last one before that is another map, and was not\n"
    "                     taken back itself\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 4 somebody else publishes.\n";


static const struct option  learn_rollback_long[] = {
    learn_publish_long,
    { "to",          required_argument,  NULL,  't' },
    { "help",        no_argument,        NULL,  'h' },
    { NULL,          0,                  NULL,  0 }
};


int
learn_cmd_rollback(int argc, char **argv)
{
    int               rc;
    learn_rollback_t  ctx;

    memset(&ctx, 0, sizeof(learn_rollback_t));
    ctx.publish.command = "rollback";
    ctx.publish.notify.wait = LEARN_PUBLISH_WAIT;
    ctx.publish.mend = 1;

    rc = learn_rollback_options(&ctx, argc, argv);

    if (rc < 0) {
        rc = learn_publish_open(&ctx.publish);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_rollback_run(&ctx);
        }

        learn_publish_close(&ctx.publish);
    }

    learn_undo_release(&ctx.undo);
    learn_map_file_release(&ctx.target);
    free(ctx.data);

    return learn_output_ok() ? rc : LEARN_EXIT_FAILED;
}


/* an exit status, or -1 to go on */

static int
learn_rollback_options(learn_rollback_t *ctx, int argc, char **argv)
{
    int    c, rc;
    char  *end;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_rollback_long, NULL))
           != -1)
    {
        switch (c) {

        case 't':
            ctx->to = strtoll(optarg, &end, 10);

            if (*end != '\0' || end == optarg || ctx->to < 1) {
                learn_complain("rollback: '%s' is no generation", optarg);
                return LEARN_EXIT_USAGE;
            }

            break;

        case 'h':
            (void) fputs(learn_rollback_usage, stdout);
            return LEARN_EXIT_OK;

        default:
            rc = learn_publish_option(&ctx->publish, c, optarg);

            if (rc < 0) {
                return learn_usage_error("rollback", argv[optind - 1]);
            }

            if (rc != LEARN_EXIT_OK) {
                return rc;
            }
        }
    }

    if (optind < argc) {
        learn_complain("rollback: '%s' is no option; a generation is --to N",
                       argv[optind]);
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_rollback_run(learn_rollback_t *ctx)
{
    int             rc;
    char            note[64];
    learn_store_t  *store;

    store = ctx->publish.store;
    rc = LEARN_EXIT_OK;

    if (ctx->to == 0) {
        rc = learn_archive_before(store, "rollback", ctx->publish.name,
                                  &ctx->publish.now, &ctx->to);

        if (rc == LEARN_EXIT_OK && ctx->to == 0) {
            learn_complain("rollback: the archive has no map from before that "
                           "was not taken back; 'miqps history' lists it, and "
                           "--to N goes back to any");
            return LEARN_EXIT_FAILED;
        }
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->version(store, ctx->to, learn_rollback_take, ctx);
    }

    if (rc == LEARN_EXIT_OK && ctx->data == NULL) {
        learn_complain("rollback: the archive has no map %lld; 'miqps "
                       "history' lists it", (long long) ctx->to);
        return LEARN_EXIT_FAILED;
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_rollback_hosts(ctx);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    learn_archive_note_back(note, sizeof(note), ctx->to);

    ctx->publish.why = note;
    rc = learn_publish(&ctx->publish, ctx->data, ctx->size, &ctx->source,
                       note);

    if (rc == LEARN_EXIT_OK && ctx->held > 0) {
        (void) printf("held: %zu hosts are not published again as they were, "
                      "unless by 'miqps publish --force'\n", ctx->held);
    }

    return rc;
}


/* what hosts have now they are not to get from the next who publishes */

static int
learn_rollback_hosts(learn_rollback_t *ctx)
{
    int               rc;
    size_t            i;
    const char       *why;
    learn_publish_t  *publish;

    publish = &ctx->publish;

    if (publish->now.data == NULL) {
        return LEARN_EXIT_OK;
    }

    why = learn_map_file_copy(&ctx->target, ctx->data, ctx->size);

    if (why != NULL) {
        learn_complain("rollback: cannot use the map %lld of the store: %s",
                       (long long) ctx->to, why);
        return LEARN_EXIT_FAILED;
    }

    rc = learn_undo_init(&ctx->undo, "rollback", &ctx->target.image,
                         &publish->now.image);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_undo_source(&ctx->undo, publish->store,
                               (int64_t) publish->now.image.generation);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_undo_former(&ctx->undo, &ctx->source);
    }

    for (i = 0; rc == LEARN_EXIT_OK && i < ctx->undo.new.n; i++) {
        ctx->held += ctx->undo.changed[i];
    }

    publish->undo = &ctx->undo;

    return rc;
}


static int
learn_rollback_take(const learn_version_t *version, void *data)
{
    learn_rollback_t  *ctx;

    ctx = data;

    if (version->state != LEARN_VERSION_PUBLISHED) {
        learn_complain("rollback: the map %lld was never published: %s",
                       (long long) version->id, version->note);
        return 0;
    }

    ctx->size = version->data.len;
    ctx->data = malloc(ctx->size + version->source.len + 1);

    if (ctx->data == NULL) {
        learn_complain("rollback: out of memory");
        return 0;
    }

    memcpy(ctx->data, version->data.data, ctx->size);
    memcpy(ctx->data + ctx->size, version->source.data, version->source.len);

    ctx->source.data = ctx->data + ctx->size;
    ctx->source.len = version->source.len;

    return 1;
}
