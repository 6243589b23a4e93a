
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>

#include <cjson/cJSON.h>

#include "json_text.h"
#include "map/map_rules_print.h"
#include "map/map_words.h"
#include "miqps_rules.h"
#include "normalize_report.h"


#define LEARN_REASON_SIZE  512


static int  learn_normalize_json_params(cJSON *object,
    const learn_normalized_t *n);
static char  *learn_normalize_rule(const learn_normalized_t *n);
static void  learn_normalize_reason(const learn_normalized_t *n,
    const miqps_param_t *param, char *reason, size_t size);
static void  learn_normalize_entry(const learn_normalized_t *n, char *reason,
    size_t size);
static int  learn_normalize_cmp(const void *one, const void *two);
static miqps_layer_e  learn_normalize_layer(const learn_normalized_t *n,
    const miqps_param_t *param);
static double  learn_normalize_share(size_t part, size_t whole);


int
learn_normalize_json(const learn_normalized_t *n, FILE *out)
{
    int     ok;
    char   *text, *rule;
    cJSON  *object;

    text = NULL;
    object = cJSON_CreateObject();

    ok = object != NULL
         && learn_json_add_text(object, "url", n->line.data, n->line.len)
         && learn_json_add_text(object, "result", n->result.data,
                                n->result.len);

    if (ok && !n->url) {
        ok = cJSON_AddStringToObject(object, "error", "not a URL") != NULL;

    } else if (ok) {
        ok = cJSON_AddBoolToObject(object, "changed", n->changed) != NULL
             && ((n->guard == MIQPS_GUARD_PASS)
                 ? cJSON_AddNullToObject(object, "opaque") != NULL
                 : cJSON_AddStringToObject(object, "opaque",
                                           miqps_guard_name(n->guard))
                   != NULL)
             && learn_normalize_json_params(object, n);
    }

    if (ok && n->moved) {
        rule = learn_normalize_rule(n);
        ok = rule != NULL
             && learn_json_add_text(object, "rule", (const uint8_t *) rule,
                                    strlen(rule));
        free(rule);
    }

    if (ok) {
        text = cJSON_PrintUnformatted(object);
    }

    cJSON_Delete(object);

    if (text == NULL) {
        learn_complain("out of memory");
        return LEARN_EXIT_FAILED;
    }

    (void) fputs(text, out);
    (void) fputc('\n', out);

    free(text);

    return LEARN_EXIT_OK;
}


void
learn_normalize_explain(const learn_normalized_t *n, FILE *out)
{
    int                   width;
    char                  reason[LEARN_REASON_SIZE], *rule;
    size_t                i;
    const miqps_param_t  *param;

    learn_put_safe(n->line.data, n->line.len, out);

    if (!n->url) {
        (void) fputs("\n    not a URL: left as it is\n", out);
        return;
    }

    (void) fputs("\n -> ", out);
    learn_put_safe(n->result.data, n->result.len, out);
    (void) fputc('\n', out);

    if (n->guard != MIQPS_GUARD_PASS) {
        (void) fprintf(out, "    left whole (%s): %s\n",
                       miqps_guard_name(n->guard), miqps_guard_text(n->guard));
        return;
    }

    for (i = 0; i < n->nparams; i++) {
        param = &n->params[i];

        learn_normalize_reason(n, param, reason, sizeof(reason));

        (void) fprintf(out, "    %s  ",
                       (param->action == MIQPS_STRIP) ? "strip" : "keep ");

        learn_put_safe(param->name, param->name_len, out);

        width = (param->name_len < 20) ? 20 - (int) param->name_len : 0;

        (void) fprintf(out, "%*s  %-8s  ", width, "",
                       miqps_layer_name(learn_normalize_layer(n, param)));

        learn_put_safe((const uint8_t *) reason, strlen(reason), out);
        (void) fputc('\n', out);
    }

    rule = n->moved ? learn_normalize_rule(n) : NULL;

    if (rule != NULL) {
        (void) fputs("    rule   ", out);
        learn_put_safe((const uint8_t *) rule, strlen(rule), out);
        (void) fputc('\n', out);
        free(rule);
    }
}


/* both sides of the path rules that were applied; NULL without memory */

static char *
learn_normalize_rule(const learn_normalized_t *n)
{
    char           *text;
    FILE           *out;
    size_t          len;
    miqps_paths_t   rules;

    text = NULL;
    out = open_memstream(&text, &len);

    if (out == NULL) {
        return NULL;
    }

    if (miqps_paths_of(n->image, n->record, &rules)) {

        if (n->rule != MIQPS_PATHS_NONE) {
            learn_print_rule_text(&rules, n->rule, out);
        }

        if (n->host_rule != MIQPS_PATHS_NONE) {
            (void) fputs((n->rule != MIQPS_PATHS_NONE) ? ", " : "", out);
            learn_print_rule_text(&rules, n->host_rule, out);
        }
    }

    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }

    return text;
}


void
learn_normalize_count(learn_normalize_stats_t *stats,
    const learn_normalized_t *n)
{
    size_t  i;

    stats->lines++;
    stats->urls += n->url;
    stats->queries += n->query;
    stats->changed += n->changed;
    stats->opaque[n->guard]++;
    stats->moved += n->moved;

    if (n->guard != MIQPS_GUARD_PASS) {
        return;
    }

    stats->params += n->nparams;

    for (i = 0; i < n->nparams; i++) {
        if (n->params[i].action == MIQPS_STRIP) {
            stats->stripped[n->params[i].layer]++;
        }
    }
}


void
learn_normalize_stats(const learn_normalize_stats_t *stats, FILE *out)
{
    size_t  i, whole, stripped, unsure, base;

    whole = 0;
    stripped = 0;

    for (i = MIQPS_GUARD_PASS + 1; i < MIQPS_GUARD_MAX; i++) {
        whole += stats->opaque[i];
    }

    for (i = 0; i < MIQPS_LAYER_MAX; i++) {
        stripped += stats->stripped[i];
    }

    (void) fprintf(out, "lines         %10zu\n", stats->lines);
    (void) fprintf(out, "not a URL     %10zu\n", stats->lines - stats->urls);
    (void) fprintf(out, "with a query  %10zu\n", stats->queries);
    (void) fprintf(out, "changed       %10zu\n", stats->changed);
    (void) fprintf(out, "parameters    %10zu\n", stats->params);
    (void) fprintf(out, "stripped      %10zu\n", stripped);

    for (i = 0; i < MIQPS_LAYER_MAX; i++) {
        if (stats->stripped[i] > 0) {
            (void) fprintf(out, "  by %-9s%10zu\n",
                           miqps_layer_name((miqps_layer_e) i),
                           stats->stripped[i]);
        }
    }

    if (stats->moved > 0) {
        (void) fprintf(out, "by path rules %10zu\n", stats->moved);
    }

    (void) fprintf(out, "left whole    %10zu  %.2f %% of those with a query\n",
                   whole, learn_normalize_share(whole, stats->queries));

    for (i = MIQPS_GUARD_PASS + 1; i < MIQPS_GUARD_MAX; i++) {
        if (stats->opaque[i] > 0) {
            (void) fprintf(out, "  %-12s%10zu  %s\n",
                           miqps_guard_name((miqps_guard_e) i),
                           stats->opaque[i],
                           miqps_guard_text((miqps_guard_e) i));
        }
    }

    unsure = whole - stats->opaque[MIQPS_GUARD_SEMICOLON];
    base = stats->queries - stats->opaque[MIQPS_GUARD_SEMICOLON];

    (void) fprintf(out, "unsure        %10zu  %.2f %%, those with a raw \";\" "
                   "aside\n", unsure, learn_normalize_share(unsure, base));
}


static int
learn_normalize_json_params(cJSON *object, const learn_normalized_t *n)
{
    char                  reason[LEARN_REASON_SIZE];
    cJSON                *list, *one;
    size_t                i;
    const miqps_param_t  *param;

    list = cJSON_AddArrayToObject(object, "params");

    if (list == NULL) {
        return 0;
    }

    for (i = 0; i < n->nparams; i++) {
        param = &n->params[i];
        one = cJSON_CreateObject();

        if (one == NULL || !cJSON_AddItemToArray(list, one)) {
            cJSON_Delete(one);
            return 0;
        }

        learn_normalize_reason(n, param, reason, sizeof(reason));

        if (!learn_json_add_text(one, "name", param->name, param->name_len)
            || cJSON_AddStringToObject(one, "verdict",
                                       (param->action == MIQPS_STRIP)
                                       ? "strip" : "keep") == NULL
            || cJSON_AddStringToObject(one, "layer",
                          miqps_layer_name(learn_normalize_layer(n, param)))
               == NULL
            || !learn_json_add_text(one, "reason", (const uint8_t *) reason,
                                    strlen(reason)))
        {
            return 0;
        }
    }

    return 1;
}


static void
learn_normalize_reason(const learn_normalized_t *n, const miqps_param_t *param,
    char *reason, size_t size)
{
    if (n->guard != MIQPS_GUARD_PASS) {
        (void) snprintf(reason, size, "%s", miqps_guard_text(n->guard));
        return;
    }

    miqps_rules_reason(param, reason, size);

    if (param->layer == MIQPS_LAYER_MAP && param->why != MIQPS_WHY_ELSEWHERE) {
        learn_normalize_entry(n, reason, size);
    }
}


/* adds which entry of the map it was */

static void
learn_normalize_entry(const learn_normalized_t *n, char *reason, size_t size)
{
    size_t           len;
    uint32_t         i;
    miqps_str_t      names[MIQPS_MAX_PATTERN];
    miqps_host_t     host;
    miqps_pattern_t  pattern;

    miqps_image_host(&host, n->entry.host);
    miqps_image_pattern(&pattern, n->entry.pattern);

    len = strlen(reason);
    len += (size_t) snprintf(reason + len, size - len, ": %s%.*s, %s",
                             (host.flags & MIQPS_HOST_WILDCARD) ? "*." : "",
                             (int) host.host.len,
                             (const char *) host.host.data,
                             n->entry.similar ? "as with " : "");

    for (i = 0; i < pattern.n; i++) {
        names[i] = miqps_image_name(n->image,
                                    miqps_get_u24(pattern.names + 3 * i));
    }

    qsort(names, pattern.n, sizeof(miqps_str_t), learn_normalize_cmp);

    for (i = 0; i < pattern.n && len < size; i++) {
        len += (size_t) snprintf(reason + len, size - len, "%s%.*s",
                                 (i > 0) ? "&" : "", (int) names[i].len,
                                 (const char *) names[i].data);
    }
}


static int
learn_normalize_cmp(const void *one, const void *two)
{
    return learn_str_cmp(one, two);
}


static miqps_layer_e
learn_normalize_layer(const learn_normalized_t *n, const miqps_param_t *param)
{
    return (n->guard != MIQPS_GUARD_PASS) ? MIQPS_LAYER_GUARD
                                          : (miqps_layer_e) param->layer;
}


static double
learn_normalize_share(size_t part, size_t whole)
{
    return (whole == 0) ? 0.0 : 100.0 * (double) part / (double) whole;
}
