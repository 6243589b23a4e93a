
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "publish/publish.h"


typedef struct {
    learn_publish_t    publish;
    int64_t            to;           /* 0: the one before */
    uint8_t           *data;         /* its image, and behind it its source */
    size_t             size;         /* of the image */
    miqps_str_t        source;
} learn_rollback_t;


static int  learn_rollback_options(learn_rollback_t *ctx, int argc,
    char **argv);
static int  learn_rollback_run(learn_rollback_t *ctx);
static int  learn_rollback_find(const learn_version_t *version, void *data);
static int  learn_rollback_take(const learn_version_t *version, void *data);


static const char  learn_rollback_usage[] =
    "usage: miqps rollback --store sqlite:PATH --map IMAGE [option...]\n"
    "\n"
    "Publishes a map that was published before, as a new generation.\n"
    "\n"
    learn_publish_usage
    "  --to N             the generation to go back to; the one before what\n"
    "                     is published if not given\n"
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

    rc = learn_rollback_options(&ctx, argc, argv);

    if (rc < 0) {
        rc = learn_publish_open(&ctx.publish);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_rollback_run(&ctx);
        }

        learn_publish_close(&ctx.publish);
    }

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
        rc = store->ops->versions(store, learn_rollback_find, ctx);

        if (rc == LEARN_EXIT_OK && ctx->to == 0) {
            learn_complain("rollback: the archive has no map from before; "
                           "'miqps history' lists it");
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

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    (void) snprintf(note, sizeof(note), "rolled back to %lld",
                    (long long) ctx->to);

    return learn_publish(&ctx->publish, ctx->data, ctx->size, &ctx->source,
                         note);
}


/* the last that was published before the one that is */

static int
learn_rollback_find(const learn_version_t *version, void *data)
{
    learn_rollback_t  *ctx;

    ctx = data;

    if (version->state != LEARN_VERSION_PUBLISHED
        || (ctx->publish.now.data != NULL
            && version->id >= (int64_t) ctx->publish.now.image.generation))
    {
        return 1;
    }

    ctx->to = version->id;

    return 0;
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
