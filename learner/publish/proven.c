
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "map/map_make.h"
#include "proven.h"


static int  learn_proven_value(cJSON *value, FILE *out, int *all);
static int  learn_proven_host(cJSON *host, FILE *out, int *all);
static int  learn_proven_rule(const cJSON *rule);


int
learn_proven(const char *command, const char *text, size_t len,
    uint8_t **data, size_t *size)
{
    int          ok, rc, all;
    char        *made;
    FILE        *out;
    cJSON       *value;
    size_t       n;
    const char  *p, *last, *end;

    made = NULL;
    *data = NULL;
    all = 1;
    out = open_memstream(&made, &n);
    ok = (out != NULL);
    p = text;
    last = p + len;

    while (ok && p < last) {
        value = cJSON_ParseWithLengthOpts(p, (size_t) (last - p), &end, 0);

        /* it was read before; but what is not seen rests on nothing */

        if (value == NULL) {
            all = 0;
            break;
        }

        ok = learn_proven_value(value, out, &all);
        cJSON_Delete(value);

        for (p = end; p < last && strchr(" \t\r\n", *p) != NULL; p++) {
            /* void */
        }
    }

    ok = (out != NULL && fclose(out) == 0 && ok);

    if (!ok) {
        learn_complain("%s: out of memory", command);
        free(made);
        return LEARN_EXIT_FAILED;
    }

    rc = all ? LEARN_EXIT_OK
             : learn_map_make(command, "the path rules that rest on something",
                              made, n, data, size);
    free(made);

    return rc;
}


static int
learn_proven_value(cJSON *value, FILE *out, int *all)
{
    cJSON  *host;

    if (!cJSON_IsArray(value)) {
        return learn_proven_host(value, out, all);
    }

    cJSON_ArrayForEach(host, value) {
        if (!learn_proven_host(host, out, all)) {
            return 0;
        }
    }

    return 1;
}


/* its names and its rules; 0 without memory */

static int
learn_proven_host(cJSON *host, FILE *out, int *all)
{
    int     i;
    char   *text;
    cJSON  *rules;

    rules = cJSON_GetObjectItemCaseSensitive(host, "rules");

    for (i = cJSON_GetArraySize(rules) - 1; i >= 0; i--) {
        if (!learn_proven_rule(cJSON_GetArrayItem(rules, i))) {
            cJSON_DeleteItemFromArray(rules, i);
            *all = 0;
        }
    }

    if (cJSON_GetArraySize(rules) == 0) {
        return 1;
    }

    cJSON_DeleteItemFromObjectCaseSensitive(host, "patterns");
    cJSON_DeleteItemFromObjectCaseSensitive(host, "settings");
    text = cJSON_PrintUnformatted(host);

    if (text == NULL) {
        return 0;
    }

    (void) fprintf(out, "%s\n", text);
    cJSON_free(text);

    return !ferror(out);
}


static int
learn_proven_rule(const cJSON *rule)
{
    const cJSON  *pairs;

    pairs = cJSON_GetObjectItemCaseSensitive(
                cJSON_GetObjectItemCaseSensitive(rule, "evidence"), "pairs");

    return cJSON_IsNumber(pairs) && pairs->valuedouble >= LEARN_PROVEN_PAIRS;
}
