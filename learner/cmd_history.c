
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "store/store.h"


typedef struct {
    const char    *store;
    int            json;
} learn_history_t;


static int  learn_history_options(int argc, char **argv,
    learn_history_t *ctx);
static int  learn_history_line(const learn_version_t *version, void *data);
static int  learn_history_json(const learn_version_t *version);


static const char  learn_history_usage[] =
    "usage: miqps history --store sqlite:PATH [option...]\n"
    "\n"
    "Lists the maps that were published, the last first.\n"
    "\n"
    "  --store URL  the store, sqlite:PATH\n"
    "  --json       an object for each\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const struct option  learn_history_long[] = {
    { "store",  required_argument,  NULL,  's' },
    { "json",   no_argument,        NULL,  'j' },
    { "help",   no_argument,        NULL,  'h' },
    { NULL,     0,                  NULL,  0 }
};


int
learn_cmd_history(int argc, char **argv)
{
    int               rc;
    learn_store_t    *store;
    learn_history_t   ctx;

    memset(&ctx, 0, sizeof(learn_history_t));

    rc = learn_history_options(argc, argv, &ctx);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_store_open(&store, "history", ctx.store, LEARN_STORE_READ);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = store->ops->versions(store, learn_history_line, &ctx);
    store->ops->close(store);

    return learn_output_ok() ? rc : LEARN_EXIT_FAILED;
}


/* an exit status, or -1 to go on */

static int
learn_history_options(int argc, char **argv, learn_history_t *ctx)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_history_long, NULL)) != -1)
    {
        switch (c) {

        case 's':
            ctx->store = optarg;
            break;

        case 'j':
            ctx->json = 1;
            break;

        case 'h':
            (void) fputs(learn_history_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("history", argv[optind - 1]);
        }
    }

    if (ctx->store == NULL) {
        learn_complain("history: name the store, --store %s",
                       LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_history_line(const learn_version_t *version, void *data)
{
    char              when[32];
    time_t            at;
    struct tm         tm;
    learn_history_t  *ctx;

    ctx = data;

    if (ctx->json) {
        return learn_history_json(version);
    }

    at = (time_t) version->at;
    when[0] = '\0';

    if (gmtime_r(&at, &tm) != NULL) {
        (void) strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
    }

    (void) printf("%6lld  %s  %-9s  hosts %llu  patterns %llu  image %s  ",
                  (long long) version->id, when,
                  learn_version_state_name(version->state),
                  (unsigned long long) version->hosts,
                  (unsigned long long) version->patterns, version->image);
    learn_put_safe((const uint8_t *) version->note, strlen(version->note),
                   stdout);
    (void) fputc('\n', stdout);

    return 1;
}


static int
learn_history_json(const learn_version_t *version)
{
    char   *text;
    cJSON  *object;

    object = cJSON_CreateObject();

    (void) cJSON_AddNumberToObject(object, "generation",
                                   (double) version->id);
    (void) cJSON_AddNumberToObject(object, "time", (double) version->at);
    (void) cJSON_AddStringToObject(object, "state",
                                   learn_version_state_name(version->state));
    (void) cJSON_AddStringToObject(object, "image", version->image);
    (void) cJSON_AddNumberToObject(object, "hosts", (double) version->hosts);
    (void) cJSON_AddNumberToObject(object, "patterns",
                                   (double) version->patterns);

    text = (cJSON_AddStringToObject(object, "note", version->note) != NULL)
           ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);

    if (text == NULL) {
        learn_complain("history: out of memory");
        return 0;
    }

    (void) printf("%s\n", text);
    cJSON_free(text);

    return 1;
}
