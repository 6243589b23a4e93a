
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <string.h>

#include "learn.h"
#include "learn/mapping.h"


typedef struct {
    const char      *store;
    learn_latest_t   latest;
} learn_cmd_map_t;


static int  learn_mapping_options(int argc, char **argv,
    learn_cmd_map_t *ctx);

static const char  learn_mapping_usage[] =
    "usage: miqps map --store sqlite:PATH [HOST...]\n"
    "\n"
    "Prints what was learned last of the hosts, or of all, as map source for\n"
    "miqps compile.\n"
    "\n"
    "  --store URL  the store, sqlite:PATH\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, or nothing was learned of a host, 2 wrong\n"
    "usage.\n";


static const struct option  learn_mapping_long[] = {
    { "store",  required_argument,  NULL,  's' },
    { "help",   no_argument,        NULL,  'h' },
    { NULL,     0,                  NULL,  0 }
};


int
learn_cmd_map(int argc, char **argv)
{
    int               rc;
    learn_store_t    *store;
    learn_cmd_map_t   ctx;

    memset(&ctx, 0, sizeof(learn_cmd_map_t));
    ctx.latest.command = "map";

    rc = learn_mapping_options(argc, argv, &ctx);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_store_open(&store, "map", ctx.store, LEARN_STORE_READ);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_latest_named(&ctx.latest, store, argv + optind);

    if (rc == LEARN_EXIT_OK && argv[optind] != NULL) {
        rc = learn_latest_mirrored(&ctx.latest, store);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_mapping_print(store, &ctx.latest, stdout);
    }

    learn_latest_release(&ctx.latest);
    store->ops->close(store);

    if (!learn_output_ok()) {
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_mapping_options(int argc, char **argv, learn_cmd_map_t *ctx)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_mapping_long, NULL)) != -1)
    {
        switch (c) {

        case 's':
            ctx->store = optarg;
            break;

        case 'h':
            (void) fputs(learn_mapping_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("map", argv[optind - 1]);
        }
    }

    if (ctx->store == NULL) {
        learn_complain("map: name the store, --store %s", LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    return -1;
}
