
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "map/map_make.h"
#include "map/map_rules_print.h"
#include "miqps_image_check.h"
#include "miqps_map.h"
#include "normalizer.h"
#include "rule_text.h"
#include "ruled.h"
#include "rules_options.h"


typedef struct {
    const char           *command;
    const miqps_str_t    *url;
    int64_t               version;    /* the last one, or 0 */
    size_t                n;
    int                   rc;

    miqps_image_t         image;
    learn_normalized_t    found;
    const char           *source;
    size_t                len;
} learn_ruled_t;


static int  learn_ruled_last(const learn_version_t *version, void *data);
static int  learn_ruled_version(const learn_version_t *version, void *data);
static int  learn_ruled_url(learn_ruled_t *ctx);
static int  learn_ruled_one(learn_ruled_t *ctx, uint32_t rule);
static cJSON  *learn_ruled_source(learn_ruled_t *ctx, const char *text);
static cJSON  *learn_ruled_in(learn_ruled_t *ctx, cJSON *host,
    const char *text);
static int  learn_ruled_is_host(learn_ruled_t *ctx, const cJSON *host);
static int  learn_ruled_is(learn_ruled_t *ctx, const cJSON *host,
    const cJSON *rule, const char *text);
static void  learn_ruled_evidence(const cJSON *rule);


int
learn_ruled_print(learn_store_t *store, const char *command,
    const miqps_str_t *url, size_t *n)
{
    int            rc;
    learn_ruled_t  ctx;

    memset(&ctx, 0, sizeof(learn_ruled_t));

    ctx.command = command;
    ctx.url = url;
    *n = 0;

    rc = store->ops->versions(store, learn_ruled_last, &ctx);

    if (rc == LEARN_EXIT_OK && ctx.version != 0) {
        rc = store->ops->version(store, ctx.version, learn_ruled_version,
                                 &ctx);
    }

    *n = ctx.n;

    return (rc == LEARN_EXIT_OK) ? ctx.rc : rc;
}


static int
learn_ruled_last(const learn_version_t *version, void *data)
{
    learn_ruled_t  *ctx;

    ctx = data;

    if (version->state == LEARN_VERSION_PUBLISHED) {
        ctx->version = version->id;
    }

    return ctx->version == 0;
}


static int
learn_ruled_version(const learn_version_t *version, void *data)
{
    uint8_t        *copy;
    const char     *why;
    learn_ruled_t  *ctx;

    ctx = data;
    ctx->rc = LEARN_EXIT_FAILED;
    ctx->source = (const char *) version->source.data;
    ctx->len = version->source.len;

    /* it is read as from a file, and where it is aligned */

    copy = malloc(version->data.len + 1);

    if (copy == NULL) {
        learn_complain("%s: out of memory", ctx->command);
        return 1;
    }

    if (version->data.len > 0) {
        memcpy(copy, version->data.data, version->data.len);
    }

    if (miqps_image_open(&ctx->image, copy, version->data.len, &why)
        == MIQPS_OK)
    {
        ctx->rc = learn_ruled_url(ctx);

    } else {
        learn_complain("%s: the map %lld in the archive is damaged: %s",
                       ctx->command, (long long) version->id, why);
    }

    free(copy);

    return 1;
}


static int
learn_ruled_url(learn_ruled_t *ctx)
{
    int                    rc;
    learn_normalizer_t     norm;
    learn_rules_options_t  rules;

    memset(&norm, 0, sizeof(learn_normalizer_t));
    learn_rules_options_init(&rules);

    rc = learn_rules_options_compile(&rules);

    norm.policy = rules.policy;
    norm.image = &ctx->image;
    norm.paths = 1;

    if (rc == LEARN_EXIT_OK) {
        rc = learn_normalizer_url(&norm, ctx->url, &ctx->found);
    }

    if (rc == LEARN_EXIT_OK && ctx->found.moved) {
        rc = learn_ruled_one(ctx, ctx->found.rule);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_ruled_one(ctx, ctx->found.host_rule);
        }

        (void) fputs("    the URL becomes  ", stdout);
        learn_put_safe(ctx->found.result.data, ctx->found.result.len, stdout);
        (void) fputc('\n', stdout);
    }

    learn_normalizer_release(&norm);
    learn_rules_options_release(&rules);

    return rc;
}


static int
learn_ruled_one(learn_ruled_t *ctx, uint32_t rule)
{
    char           *text;
    cJSON          *source;
    miqps_paths_t   rules;

    if (rule == MIQPS_PATHS_NONE
        || !miqps_paths_of(&ctx->image, ctx->found.record, &rules))
    {
        return LEARN_EXIT_OK;
    }

    text = learn_rule_text(&rules, rule);

    if (text == NULL) {
        learn_complain("%s: out of memory", ctx->command);
        return LEARN_EXIT_FAILED;
    }

    (void) printf("rule %u of %.*s, in the map %lld\n    ", rule + 1,
                  ctx->found.record[4], (const char *) ctx->found.record + 12,
                  (long long) ctx->version);
    learn_print_rule_text(&rules, rule, stdout);
    (void) fputc('\n', stdout);

    source = learn_ruled_source(ctx, text);
    learn_ruled_evidence(source);

    cJSON_Delete(source);
    free(text);
    ctx->n++;

    return LEARN_EXIT_OK;
}


/* the rule as it was written, to be deleted; NULL if nobody knows */

static cJSON *
learn_ruled_source(learn_ruled_t *ctx, const char *text)
{
    cJSON       *value, *host, *rule;
    const char  *p, *last, *end;

    p = ctx->source;
    last = p + ctx->len;
    rule = NULL;

    while (p < last && rule == NULL) {
        value = cJSON_ParseWithLengthOpts(p, (size_t) (last - p), &end, 0);

        if (value == NULL) {
            return NULL;
        }

        if (cJSON_IsArray(value)) {
            cJSON_ArrayForEach(host, value) {
                if (rule == NULL) {
                    rule = learn_ruled_in(ctx, host, text);
                }
            }

        } else {
            rule = learn_ruled_in(ctx, value, text);
        }

        cJSON_Delete(value);

        for (p = end; p < last && strchr(" \t\r\n,", *p) != NULL; p++) {
            /* void */
        }
    }

    return rule;
}


static cJSON *
learn_ruled_in(learn_ruled_t *ctx, cJSON *host, const char *text)
{
    const cJSON  *rule;

    if (!learn_ruled_is_host(ctx, host)) {
        return NULL;
    }

    cJSON_ArrayForEach(rule, cJSON_GetObjectItemCaseSensitive(host, "rules")) {
        if (learn_ruled_is(ctx, host, rule, text)) {
            return cJSON_Duplicate(rule, 1);
        }
    }

    return NULL;
}


static int
learn_ruled_is_host(learn_ruled_t *ctx, const cJSON *host)
{
    size_t          len;
    const char     *name;
    const uint8_t  *record;

    record = ctx->found.record;
    name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(host,
                                                                 "host"));

    if (name == NULL) {
        return 0;
    }

    if (name[0] == '*' && name[1] == '.') {
        name += 2;
    }

    len = strlen(name);

    return len == record[4] && memcmp(name, record + 12, len) == 0;
}


/* alone in a map, it is the same as in the one that was published */

static int
learn_ruled_is(learn_ruled_t *ctx, const cJSON *host, const cJSON *rule,
    const char *text)
{
    int             same;
    char           *source, *other;
    cJSON          *one, *rules;
    size_t          size;
    uint8_t        *data;
    miqps_str_t     name;
    const char     *why;
    miqps_image_t   image;
    miqps_paths_t   paths;

    one = cJSON_Duplicate(host, 1);
    cJSON_DeleteItemFromObjectCaseSensitive(one, "patterns");
    rules = cJSON_CreateArray();
    (void) cJSON_AddItemToArray(rules, cJSON_Duplicate(rule, 1));
    (void) cJSON_ReplaceItemInObjectCaseSensitive(one, "rules", rules);
    source = cJSON_PrintUnformatted(one);

    same = 0;
    data = NULL;

    if (source != NULL
        && learn_map_make(ctx->command, "a rule in the archive", source,
                          strlen(source), &data, &size) == LEARN_EXIT_OK
        && miqps_image_open(&image, data, size, &why) == MIQPS_OK)
    {
        name.data = ctx->found.record + 12;
        name.len = ctx->found.record[4];

        if (miqps_paths_of(&image, miqps_map_host(&image, &name), &paths)) {
            other = learn_rule_text(&paths, 0);
            same = (other != NULL && strcmp(other, text) == 0);
            free(other);
        }
    }

    cJSON_free(source);
    cJSON_Delete(one);
    free(data);

    return same;
}


static void
learn_ruled_evidence(const cJSON *rule)
{
    char         *text;
    const cJSON  *support, *evidence, *item;

    support = cJSON_GetObjectItemCaseSensitive(rule, "support");
    evidence = cJSON_GetObjectItemCaseSensitive(rule, "evidence");

    if (cJSON_IsNumber(support)) {
        (void) printf("    support          %.0f\n", support->valuedouble);
    }

    cJSON_ArrayForEach(item, evidence) {
        text = cJSON_PrintUnformatted(item);

        if (text != NULL) {
            (void) fputs("    evidence         ", stdout);
            learn_put_safe((const uint8_t *) item->string,
                           strlen(item->string), stdout);
            (void) fputs("  ", stdout);
            learn_put_safe((const uint8_t *) text, strlen(text), stdout);
            (void) fputc('\n', stdout);
        }

        cJSON_free(text);
    }

    if (support == NULL && (evidence == NULL || evidence->child == NULL)) {
        (void) fputs("    nobody says what it rests on\n", stdout);
    }
}
