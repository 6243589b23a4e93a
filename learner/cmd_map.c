
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "learn/latest.h"
#include "miqps_url.h"


typedef struct {
    const char      *store;
    learn_latest_t   latest;
    cJSON           *patterns;       /* of the host that is being printed */
    cJSON           *pattern;        /* the last of them */
    char            *names;          /* whose names these are */
    unsigned         failed:1;
} learn_mapping_t;


static int  learn_mapping_options(int argc, char **argv,
    learn_mapping_t *ctx);
static int  learn_mapping_find(learn_mapping_t *ctx, learn_store_t *store,
    char **names);
static int  learn_mapping_print(learn_mapping_t *ctx, learn_store_t *store,
    const learn_latest_run_t *latest);
static int  learn_mapping_verdict(const learn_verdict_t *verdict, void *data);
static cJSON  *learn_mapping_pattern(learn_mapping_t *ctx,
    const learn_verdict_t *verdict);
static char  *learn_mapping_text(const miqps_str_t *text);


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
    size_t            i;
    learn_store_t    *store;
    learn_mapping_t   ctx;

    memset(&ctx, 0, sizeof(learn_mapping_t));
    ctx.latest.command = "map";

    rc = learn_mapping_options(argc, argv, &ctx);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_store_open(&store, "map", ctx.store, LEARN_STORE_READ);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_mapping_find(&ctx, store, argv + optind);

    for (i = 0; rc == LEARN_EXIT_OK && i < ctx.latest.n; i++) {
        rc = learn_mapping_print(&ctx, store, &ctx.latest.list[i]);
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
learn_mapping_options(int argc, char **argv, learn_mapping_t *ctx)
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


/* the runs to be printed; complains of hosts without one */

static int
learn_mapping_find(learn_mapping_t *ctx, learn_store_t *store, char **names)
{
    int          rc;
    size_t       before;
    uint8_t      canon[MIQPS_MAX_HOST];
    miqps_str_t  host = miqps_null_str;

    if (*names == NULL) {
        rc = learn_latest_add(&ctx->latest, store, &host);

        if (rc == LEARN_EXIT_OK && ctx->latest.n == 0) {
            learn_complain("map: nothing was learned yet; 'miqps learn' does");
            rc = LEARN_EXIT_FAILED;
        }

        return rc;
    }

    for (/* void */ ; *names != NULL; names++) {
        host.data = (const uint8_t *) *names;
        host.len = strlen(*names);
        before = ctx->latest.n;
        rc = LEARN_EXIT_OK;

        if (miqps_url_host(&host, canon, &host) == MIQPS_OK) {
            rc = learn_latest_add(&ctx->latest, store, &host);
        }

        if (rc == LEARN_EXIT_OK && ctx->latest.n == before) {
            learn_complain("map: nothing was learned of '%s'", *names);
            rc = LEARN_EXIT_FAILED;
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    return LEARN_EXIT_OK;
}


static int
learn_mapping_print(learn_mapping_t *ctx, learn_store_t *store,
    const learn_latest_run_t *latest)
{
    int     rc;
    char   *text;
    cJSON  *host, *settings;

    host = cJSON_CreateObject();
    ctx->patterns = cJSON_CreateArray();
    ctx->pattern = NULL;
    ctx->names = NULL;
    ctx->failed = (cJSON_AddStringToObject(host, "host", latest->host) == NULL
                   || ctx->patterns == NULL);

    rc = store->ops->verdicts(store, latest->run, learn_mapping_verdict, ctx);

    free(ctx->names);

    settings = cJSON_Parse(latest->settings);

    ctx->failed |= !cJSON_AddItemToObject(host, "patterns", ctx->patterns);
    ctx->failed |= (settings != NULL
                    && !cJSON_AddItemToObject(host, "settings", settings));
    ctx->failed |= (cJSON_AddNumberToObject(host, "time",
                                            (double) latest->time) == NULL);

    text = (rc == LEARN_EXIT_OK && !ctx->failed)
           ? cJSON_PrintUnformatted(host) : NULL;

    if (text != NULL) {
        (void) printf("%s\n", text);

    } else if (rc == LEARN_EXIT_OK) {
        learn_complain("map: out of memory");
        rc = LEARN_EXIT_FAILED;
    }

    free(text);
    cJSON_Delete(host);

    return rc;
}


/* verdicts of a pattern come one after the other */

static int
learn_mapping_verdict(const learn_verdict_t *verdict, void *data)
{
    char             *name;
    cJSON            *evidence;
    learn_mapping_t  *ctx;

    ctx = data;

    if (ctx->names == NULL || strlen(ctx->names) != verdict->names.len
        || memcmp(ctx->names, verdict->names.data, verdict->names.len) != 0)
    {
        ctx->pattern = learn_mapping_pattern(ctx, verdict);
    }

    name = learn_mapping_text(&verdict->name);

    if (ctx->pattern == NULL || name == NULL) {
        ctx->failed = 1;
        free(name);
        return 1;
    }

    (void) cJSON_AddItemToArray(cJSON_GetObjectItem(ctx->pattern, "params"),
                                cJSON_CreateString(name));

    if (verdict->verdict != LEARN_VERDICT_NEUTRAL) {
        (void) cJSON_AddItemToArray(cJSON_GetObjectItem(ctx->pattern, "keep"),
                                    cJSON_CreateString(name));
    }

    evidence = cJSON_AddObjectToObject(
                   cJSON_GetObjectItem(ctx->pattern, "evidence"), name);

    (void) cJSON_AddStringToObject(evidence, "verdict",
                                   learn_verdict_name(verdict->verdict));
    (void) cJSON_AddNumberToObject(evidence, "tested",
                                   (double) verdict->tested);
    ctx->failed |= (cJSON_AddNumberToObject(evidence, "differed",
                                            (double) verdict->differed)
                    == NULL);

    free(name);

    return 1;
}


static cJSON *
learn_mapping_pattern(learn_mapping_t *ctx, const learn_verdict_t *verdict)
{
    cJSON  *pattern;

    free(ctx->names);
    ctx->names = learn_mapping_text(&verdict->names);

    pattern = cJSON_CreateObject();

    if (ctx->names == NULL
        || cJSON_AddArrayToObject(pattern, "params") == NULL
        || cJSON_AddArrayToObject(pattern, "keep") == NULL
        || cJSON_AddNumberToObject(pattern, "urls", (double) verdict->urls)
           == NULL
        || cJSON_AddObjectToObject(pattern, "evidence") == NULL)
    {
        cJSON_Delete(pattern);
        return NULL;
    }

    (void) cJSON_AddItemToArray(ctx->patterns, pattern);

    return pattern;
}


static char *
learn_mapping_text(const miqps_str_t *text)
{
    char  *copy;

    copy = malloc(text->len + 1);

    if (copy != NULL) {
        memcpy(copy, text->data, text->len);
        copy[text->len] = '\0';
    }

    return copy;
}
