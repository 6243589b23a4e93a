
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "map/map_make.h"
#include "map/map_print.h"
#include "merge.h"


static int  learn_merge_print(learn_merge_t *merge,
    const learn_index_t *index, const learn_index_host_t *host, FILE *out);
static cJSON  *learn_merge_json(learn_merge_t *merge,
    const learn_index_t *index, const learn_index_host_t *host);
static int  learn_merge_added(cJSON *pattern, const uint8_t *lost);
static int  learn_merge_pattern(cJSON *patterns, const cJSON *old,
    const uint8_t *lost);
static int  learn_merge_keep(cJSON *pattern, const cJSON *params,
    const uint8_t *lost);
static void  learn_merge_rules(cJSON *rules, const uint8_t *dropped);
static void  learn_merge_drop(cJSON *list, const char *name);
static int  learn_merge_has(const cJSON *list, const char *name);
static int  learn_merge_memory(const learn_merge_t *merge);


int
learn_merge_init(learn_merge_t *merge, const char *command,
    const learn_index_t *old, const learn_index_t *new)
{
    memset(merge, 0, sizeof(learn_merge_t));

    merge->command = command;
    merge->old = old;
    merge->new = new;
    merge->out = open_memstream(&merge->text, &merge->len);

    return (merge->out != NULL) ? LEARN_EXIT_OK : learn_merge_memory(merge);
}


void
learn_merge_release(learn_merge_t *merge)
{
    if (merge->out != NULL) {
        (void) fclose(merge->out);
    }

    free(merge->text);
    learn_view_release(&merge->view);
}


int
learn_merge_host(learn_merge_t *merge, const learn_index_t *index,
    const learn_index_host_t *host)
{
    return learn_merge_print(merge, index, host, merge->out)
           ? LEARN_EXIT_OK : learn_merge_memory(merge);
}


static int
learn_merge_print(learn_merge_t *merge, const learn_index_t *index,
    const learn_index_host_t *host, FILE *out)
{
    if (!learn_view_read(&merge->view, index->image, host->record)) {
        return 0;
    }

    learn_print_host(index, host, &merge->view, index->image->time, out);

    return !ferror(out);
}


int
learn_merge_text(learn_merge_t *merge, const char *text)
{
    (void) fprintf(merge->out, "%s\n", text);

    return !ferror(merge->out) ? LEARN_EXIT_OK : learn_merge_memory(merge);
}


int
learn_merge_union(learn_merge_t *merge, const learn_union_t *both)
{
    int     ok;
    char   *text;
    cJSON  *old, *new, *patterns;
    size_t  i;

    old = (both->a != NULL) ? learn_merge_json(merge, merge->old, both->a)
                            : cJSON_CreateObject();
    new = learn_merge_json(merge, merge->new, both->b);
    patterns = cJSON_GetObjectItemCaseSensitive(new, "patterns");
    ok = (old != NULL && new != NULL);

    for (i = 0; ok && i < both->nadded; i++) {
        ok = learn_merge_added(
                 cJSON_GetArrayItem(patterns, (int) both->added[i].pattern),
                 both->added[i].lost);
    }

    for (i = 0; ok && i < both->n; i++) {
        ok = learn_merge_pattern(
                 patterns,
                 cJSON_GetArrayItem(
                     cJSON_GetObjectItemCaseSensitive(old, "patterns"),
                     (int) both->lost[i].pattern),
                 both->lost[i].lost);
    }

    learn_merge_rules(cJSON_GetObjectItemCaseSensitive(new, "rules"),
                      both->dropped);

    text = ok ? cJSON_PrintUnformatted(new) : NULL;

    if (text != NULL) {
        (void) fprintf(merge->out, "%s\n", text);
    }

    ok = (text != NULL && !ferror(merge->out));

    cJSON_free(text);
    cJSON_Delete(old);
    cJSON_Delete(new);

    return ok ? LEARN_EXIT_OK : learn_merge_memory(merge);
}


/* a pattern of the new map keeps what it lost itself */

static int
learn_merge_added(cJSON *pattern, const uint8_t *lost)
{
    return learn_merge_keep(pattern,
                            cJSON_GetObjectItemCaseSensitive(pattern,
                                                             "params"),
                            lost);
}


static cJSON *
learn_merge_json(learn_merge_t *merge, const learn_index_t *index,
    const learn_index_host_t *host)
{
    int     ok;
    char   *text;
    FILE   *out;
    cJSON  *json;
    size_t  len;

    text = NULL;
    out = open_memstream(&text, &len);

    if (out == NULL) {
        return NULL;
    }

    ok = learn_merge_print(merge, index, host, out);
    ok = (fclose(out) == 0 && ok);
    json = ok ? cJSON_Parse(text) : NULL;

    free(text);

    return json;
}


/*
 * Patterns with these names keep what is lost, wherever they apply; the old
 * one is added where there is none for its paths, since one with fewer names
 * would count there.
 */

static int
learn_merge_pattern(cJSON *patterns, const cJSON *old, const uint8_t *lost)
{
    int           found;
    cJSON        *pattern, *copy;
    const cJSON  *params, *path, *other;

    found = 0;
    params = cJSON_GetObjectItemCaseSensitive(old, "params");
    path = cJSON_GetObjectItemCaseSensitive(old, "path");

    cJSON_ArrayForEach(pattern, patterns) {
        if (!cJSON_Compare(cJSON_GetObjectItemCaseSensitive(pattern, "params"),
                           params, 1))
        {
            continue;
        }

        if (!learn_merge_keep(pattern, params, lost)) {
            return 0;
        }

        other = cJSON_GetObjectItemCaseSensitive(pattern, "path");
        found |= (other == NULL || cJSON_Compare(other, path, 1));
    }

    if (found) {
        return 1;
    }

    copy = cJSON_Duplicate(old, 1);

    return copy != NULL && cJSON_AddItemToArray(patterns, copy);
}


static int
learn_merge_keep(cJSON *pattern, const cJSON *params, const uint8_t *lost)
{
    size_t        i;
    cJSON        *keep, *item;
    const cJSON  *name;

    i = 0;
    keep = cJSON_GetObjectItemCaseSensitive(pattern, "keep");

    cJSON_ArrayForEach(name, params) {
        if (!lost[i++]) {
            continue;
        }

        learn_merge_drop(cJSON_GetObjectItemCaseSensitive(pattern, "client"),
                         name->valuestring);
        cJSON_DeleteItemFromObjectCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(pattern, "defaults"),
            name->valuestring);

        if (learn_merge_has(keep, name->valuestring)) {
            continue;
        }

        item = cJSON_CreateString(name->valuestring);

        if (item == NULL || !cJSON_AddItemToArray(keep, item)) {
            return 0;
        }
    }

    return 1;
}


/* they are printed in the order that they have in the image */

static void
learn_merge_rules(cJSON *rules, const uint8_t *dropped)
{
    int  i;

    for (i = cJSON_GetArraySize(rules) - 1; i >= 0; i--) {
        if (dropped[i]) {
            cJSON_DeleteItemFromArray(rules, i);
        }
    }
}


static void
learn_merge_drop(cJSON *list, const char *name)
{
    int     i;
    cJSON  *item;

    i = 0;

    cJSON_ArrayForEach(item, list) {
        if (strcmp(item->valuestring, name) == 0) {
            cJSON_DeleteItemFromArray(list, i);
            return;
        }

        i++;
    }
}


static int
learn_merge_has(const cJSON *list, const char *name)
{
    const cJSON  *item;

    cJSON_ArrayForEach(item, list) {
        if (strcmp(item->valuestring, name) == 0) {
            return 1;
        }
    }

    return 0;
}


int
learn_merge_image(learn_merge_t *merge, uint8_t **data, size_t *size)
{
    if (fflush(merge->out) != 0) {
        return learn_merge_memory(merge);
    }

    return learn_map_make(merge->command, "the map made of both", merge->text,
                          merge->len, data, size);
}


static int
learn_merge_memory(const learn_merge_t *merge)
{
    learn_complain("%s: out of memory", merge->command);

    return LEARN_EXIT_FAILED;
}
