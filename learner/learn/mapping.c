
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "mapping.h"


typedef struct {
    cJSON           *patterns;       /* of the host that is being printed */
    cJSON           *pattern;        /* the last of them */
    char            *names;          /* whose names these are, ... */
    char            *path;           /* ... and whose shape */
    cJSON           *rules;          /* or NULL */
    unsigned         failed:1;
} learn_mapping_t;


static int  learn_mapping_by_mirror(const void *one, const void *two);
static int  learn_mapping_host(learn_store_t *store, const char *command,
    const learn_latest_run_t *latest, learn_latest_run_t **mirrors, size_t n,
    FILE *out);
static int  learn_mapping_mirrors(learn_store_t *store, learn_mapping_t *ctx,
    const char *name, cJSON *host, learn_latest_run_t **mirrors, size_t n);
static int  learn_mapping_verdict(const learn_verdict_t *verdict, void *data);
static cJSON  *learn_mapping_pattern(learn_mapping_t *ctx,
    const learn_verdict_t *verdict);
static int  learn_mapping_rule(const learn_rule_row_t *row, void *data);
static int  learn_mapping_same(const char *text, const miqps_str_t *other);
static int  learn_mapping_client(cJSON *pattern, const char *name);
static int  learn_mapping_default(cJSON *pattern, const char *name,
    const miqps_str_t *value);
static char  *learn_mapping_text(const miqps_str_t *text);


int
learn_mapping_print(learn_store_t *store, const learn_latest_t *latest,
    FILE *out)
{
    int                    rc;
    size_t                 i, n;
    learn_latest_run_t   **mirrors;

    mirrors = malloc((latest->n + 1) * sizeof(learn_latest_run_t *));

    if (mirrors == NULL) {
        learn_complain("%s: out of memory", latest->command);
        return LEARN_EXIT_FAILED;
    }

    for (i = 0, n = 0; i < latest->n; i++) {
        if (latest->list[i].mirrors[0] != '\0') {
            mirrors[n++] = &latest->list[i];
        }
    }

    qsort(mirrors, n, sizeof(learn_latest_run_t *), learn_mapping_by_mirror);
    rc = LEARN_EXIT_OK;

    for (i = 0; i < latest->n && rc == LEARN_EXIT_OK; i++) {
        if (latest->list[i].mirrors[0] == '\0') {
            rc = learn_mapping_host(store, latest->command, &latest->list[i],
                                    mirrors, n, out);
        }
    }

    free(mirrors);

    return rc;
}


static int
learn_mapping_by_mirror(const void *one, const void *two)
{
    int                              rc;
    const learn_latest_run_t *const  *a = one, *const  *b = two;

    rc = strcmp((*a)->mirrors, (*b)->mirrors);

    return (rc != 0) ? rc : strcmp((*a)->host, (*b)->host);
}


static int
learn_mapping_host(learn_store_t *store, const char *command,
    const learn_latest_run_t *latest, learn_latest_run_t **mirrors, size_t n,
    FILE *out)
{
    int               rc;
    char             *text;
    cJSON            *host, *settings;
    learn_mapping_t   mapping, *ctx;

    ctx = &mapping;

    host = cJSON_CreateObject();
    ctx->patterns = cJSON_CreateArray();
    ctx->pattern = NULL;
    ctx->names = NULL;
    ctx->path = NULL;
    ctx->failed = (cJSON_AddStringToObject(host, "host", latest->host) == NULL
                   || ctx->patterns == NULL);

    rc = store->ops->verdicts(store, latest->run, learn_mapping_verdict, ctx);

    ctx->rules = NULL;

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->rules(store, latest->run, learn_mapping_rule, ctx);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_mapping_mirrors(store, ctx, latest->host, host, mirrors, n);
    }

    free(ctx->names);
    free(ctx->path);

    settings = cJSON_Parse(latest->settings);

    ctx->failed |= !cJSON_AddItemToObject(host, "patterns", ctx->patterns);

    if (ctx->rules != NULL) {
        ctx->failed |= !cJSON_AddItemToObject(host, "rules", ctx->rules);
        ctx->failed |= (cJSON_AddTrueToObject(host, "careful") == NULL);
    }
    ctx->failed |= (settings != NULL
                    && !cJSON_AddItemToObject(host, "settings", settings));
    ctx->failed |= (cJSON_AddNumberToObject(host, "time",
                                            (double) latest->time) == NULL);

    text = (rc == LEARN_EXIT_OK && !ctx->failed)
           ? cJSON_PrintUnformatted(host) : NULL;

    if (text != NULL) {
        (void) fprintf(out, "%s\n", text);

    } else if (rc == LEARN_EXIT_OK) {
        learn_complain("%s: out of memory", command);
        rc = LEARN_EXIT_FAILED;
    }

    free(text);
    cJSON_Delete(host);

    return rc;
}


/* hosts that show the pages of this one, with the rules that lead here */

static int
learn_mapping_mirrors(learn_store_t *store, learn_mapping_t *ctx,
    const char *name, cJSON *host, learn_latest_run_t **mirrors, size_t n)
{
    int      rc;
    cJSON   *hosts;
    size_t   i, low, high;

    for (low = 0, high = n; low < high; /* void */ ) {
        i = low + (high - low) / 2;

        if (strcmp(mirrors[i]->mirrors, name) < 0) {
            low = i + 1;

        } else {
            high = i;
        }
    }

    rc = LEARN_EXIT_OK;
    hosts = NULL;

    for (i = low; i < n && strcmp(mirrors[i]->mirrors, name) == 0
                  && rc == LEARN_EXIT_OK; i++)
    {
        if (hosts == NULL) {
            hosts = cJSON_AddArrayToObject(host, "hosts");
        }

        ctx->failed |= !cJSON_AddItemToArray(hosts,
                                       cJSON_CreateString(mirrors[i]->host));
        rc = store->ops->rules(store, mirrors[i]->run, learn_mapping_rule,
                               ctx);
    }

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

    if (ctx->pattern == NULL || !learn_mapping_same(ctx->names, &verdict->names)
        || !learn_mapping_same(ctx->path, &verdict->path))
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

    if (verdict->verdict == LEARN_VERDICT_CLIENT) {
        ctx->failed |= !learn_mapping_client(ctx->pattern, name);

    } else if (verdict->verdict != LEARN_VERDICT_NEUTRAL) {
        (void) cJSON_AddItemToArray(cJSON_GetObjectItem(ctx->pattern, "keep"),
                                    cJSON_CreateString(name));
    }

    if (verdict->verdict == LEARN_VERDICT_DEFAULT
        && !learn_mapping_default(ctx->pattern, name, &verdict->value))
    {
        ctx->failed = 1;
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


/* as it was stored, with what it rests on */

static int
learn_mapping_rule(const learn_rule_row_t *row, void *data)
{
    cJSON            *rule;
    learn_mapping_t  *ctx;

    ctx = data;
    rule = cJSON_ParseWithLength((const char *) row->rule.data,
                                 row->rule.len);

    if (ctx->rules == NULL) {
        ctx->rules = cJSON_CreateArray();
    }

    ctx->failed |= (cJSON_AddNumberToObject(
                        cJSON_AddObjectToObject(rule, "evidence"), "pairs",
                        (double) row->npairs) == NULL
                    || !cJSON_AddItemToArray(ctx->rules, rule));

    return 1;
}


static int
learn_mapping_same(const char *text, const miqps_str_t *other)
{
    return text != NULL && strlen(text) == other->len
           && memcmp(text, other->data, other->len) == 0;
}


static int
learn_mapping_client(cJSON *pattern, const char *name)
{
    cJSON  *client;

    client = cJSON_GetObjectItem(pattern, "client");

    if (client == NULL) {
        client = cJSON_AddArrayToObject(pattern, "client");
    }

    return cJSON_AddItemToArray(client, cJSON_CreateString(name));
}


static int
learn_mapping_default(cJSON *pattern, const char *name,
    const miqps_str_t *value)
{
    char   *text;
    cJSON  *defaults;

    text = learn_mapping_text(value);
    defaults = cJSON_GetObjectItem(pattern, "defaults");

    if (defaults == NULL) {
        defaults = cJSON_AddObjectToObject(pattern, "defaults");
    }

    (void) cJSON_AddStringToObject(defaults, name, (text != NULL) ? text : "");
    free(text);

    return text != NULL && cJSON_HasObjectItem(defaults, name);
}


static cJSON *
learn_mapping_pattern(learn_mapping_t *ctx, const learn_verdict_t *verdict)
{
    cJSON  *pattern;

    free(ctx->names);
    free(ctx->path);
    ctx->names = learn_mapping_text(&verdict->names);
    ctx->path = learn_mapping_text(&verdict->path);

    pattern = cJSON_CreateObject();

    if (ctx->names == NULL || ctx->path == NULL
        || (ctx->path[0] != '\0'
            && cJSON_AddStringToObject(pattern, "path", ctx->path) == NULL)
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
