
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "guard_part.h"
#include "learn.h"
#include "miqps_image_rules.h"


typedef struct {
    learn_part_t     *part;
    size_t            place;
    learn_view_t      old;               /* views of both entries */
    learn_view_t      new;
} learn_parting_t;


static int  learn_part_read(const learn_index_t *index,
    const learn_index_host_t *host, learn_view_t *view, cJSON **json);
static int  learn_part_units(learn_part_t *part);
static void  learn_part_new(learn_part_t *part, const char *list,
    learn_unit_e kind);
static void  learn_part_gone(learn_part_t *part, const char *list,
    learn_unit_e kind);
static int  learn_part_count(learn_parting_t *ctx, learn_store_t *store,
    const learn_replay_t *replay);
static void  learn_part_url(size_t place, const learn_normalized_t *a,
    const learn_normalized_t *b, void *data);
static void  learn_part_add(learn_part_t *part, learn_unit_e kind, int place);
static int  learn_part_pattern(const learn_view_t *view, const uint8_t *p);
static int  learn_part_sort(const void *one, const void *two);
static int  learn_part_text(learn_part_t *part);
static int  learn_part_apply(cJSON *entry, const learn_part_t *part,
    const learn_unit_t *unit);
static int  learn_part_find(const cJSON *list, const cJSON *item,
    learn_unit_e kind, int same);


int
learn_part_make(learn_part_t *part, learn_store_t *store,
    const learn_replay_t *replay, size_t place, double may)
{
    int                        ok;
    size_t                     i;
    double                     urls;
    learn_parting_t            ctx;
    const learn_index_host_t  *new, *old;

    memset(&ctx, 0, sizeof(learn_parting_t));

    ctx.part = part;
    ctx.place = place;
    new = &replay->new->hosts[place];
    old = learn_index_find(replay->old, new);

    ok = learn_part_read(replay->old, old, &ctx.old, &part->old)
         && learn_part_read(replay->new, new, &ctx.new, &part->new)
         && learn_part_units(part) && learn_part_count(&ctx, store, replay);

    learn_view_release(&ctx.old);
    learn_view_release(&ctx.new);

    if (!ok) {
        return 0;
    }

    if (part->n > 0) {
        qsort(part->units, part->n, sizeof(learn_unit_t), learn_part_sort);
    }

    urls = 0.0;

    for (i = 0; i < part->n; i++) {
        urls += (double) part->units[i].urls;

        if (i > 0 && urls > may) {
            break;
        }
    }

    part->taken = i;

    return learn_part_text(part);
}


void
learn_part_release(learn_part_t *part)
{
    cJSON_Delete(part->old);
    cJSON_Delete(part->new);
    cJSON_free(part->text);
    free(part->units);
}


/* the last thing that was left out would be too much */

int
learn_part_less(learn_part_t *part)
{
    if (part->taken <= part->least + 1) {
        return 1;
    }

    part->taken--;

    return learn_part_text(part);
}


int
learn_part_more(learn_part_t *part)
{
    part->least = part->taken++;

    return learn_part_text(part);
}


static int
learn_part_read(const learn_index_t *index,
    const learn_index_host_t *host, learn_view_t *view, cJSON **json)
{
    char  *text;

    text = learn_entry_text(index, host, view);

    if (text == NULL) {
        return 0;
    }

    *json = cJSON_Parse(text);
    free(text);

    return *json != NULL;
}


static int
learn_part_units(learn_part_t *part)
{
    size_t        n;
    const cJSON  *item;

    n = 1;

    cJSON_ArrayForEach(item, part->old) {
        n += (size_t) cJSON_GetArraySize(item);
    }

    cJSON_ArrayForEach(item, part->new) {
        n += (size_t) cJSON_GetArraySize(item);
    }

    part->units = calloc(n, sizeof(learn_unit_t));

    if (part->units == NULL) {
        return 0;
    }

    learn_part_new(part, "patterns", LEARN_UNIT_PATTERN);
    learn_part_new(part, "rules", LEARN_UNIT_RULE);
    learn_part_gone(part, "patterns", LEARN_UNIT_NO_PATTERN);
    learn_part_gone(part, "rules", LEARN_UNIT_NO_RULE);

    return 1;
}


static void
learn_part_new(learn_part_t *part, const char *list, learn_unit_e kind)
{
    int           place;
    const cJSON  *item, *old;

    place = 0;
    old = cJSON_GetObjectItemCaseSensitive(part->old, list);

    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(part->new,
                                                              list))
    {
        if (learn_part_find(old, item, kind, 1) < 0) {
            part->units[part->n].kind = kind;
            part->units[part->n++].place = place;
        }

        place++;
    }
}


/* what becomes another does not go */

static void
learn_part_gone(learn_part_t *part, const char *list, learn_unit_e kind)
{
    int           place;
    const cJSON  *item, *new;

    place = 0;
    new = cJSON_GetObjectItemCaseSensitive(part->new, list);

    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(part->old,
                                                              list))
    {
        if (learn_part_find(new, item, kind, 0) < 0) {
            part->units[part->n].kind = kind;
            part->units[part->n++].place = place;
        }

        place++;
    }
}


/* the place of what is the same, or at least for the same URLs; -1 for none */

static int
learn_part_find(const cJSON *list, const cJSON *item, learn_unit_e kind,
    int same)
{
    int           place, rule;
    const cJSON  *other, *path, *its;

    place = 0;
    rule = (kind == LEARN_UNIT_RULE || kind == LEARN_UNIT_NO_RULE);
    path = cJSON_GetObjectItemCaseSensitive(item, "path");

    cJSON_ArrayForEach(other, list) {
        its = cJSON_GetObjectItemCaseSensitive(other, "path");

        if (same ? cJSON_Compare(item, other, 1)
            : rule ? cJSON_Compare(
                         cJSON_GetObjectItemCaseSensitive(item, "from"),
                         cJSON_GetObjectItemCaseSensitive(other, "from"), 1)
            : (path == NULL ? its == NULL : cJSON_Compare(path, its, 1))
              && cJSON_Compare(
                     cJSON_GetObjectItemCaseSensitive(item, "params"),
                     cJSON_GetObjectItemCaseSensitive(other, "params"), 1))
        {
            return place;
        }

        place++;
    }

    return -1;
}


static int
learn_part_count(learn_parting_t *ctx, learn_store_t *store,
    const learn_replay_t *replay)
{
    int             rc;
    learn_replay_t  counted;

    memset(&counted, 0, sizeof(learn_replay_t));

    counted.old = replay->old;
    counted.new = replay->new;
    counted.before = calloc(replay->old->n + 1, sizeof(learn_replay_count_t));
    counted.after = calloc(replay->new->n + 1, sizeof(learn_replay_count_t));
    counted.each = learn_part_url;
    counted.data = ctx;

    rc = (counted.before != NULL && counted.after != NULL)
         ? learn_replay(&counted, store) : LEARN_EXIT_FAILED;

    free(counted.before);
    free(counted.after);

    return rc == LEARN_EXIT_OK;
}


/* a URL counts for what is new of all that had a say */

static void
learn_part_url(size_t place, const learn_normalized_t *a,
    const learn_normalized_t *b, void *data)
{
    learn_parting_t  *ctx;

    ctx = data;

    if (place != ctx->place) {
        return;
    }

    if (b->moved && b->rule != MIQPS_PATHS_NONE) {
        learn_part_add(ctx->part, LEARN_UNIT_RULE, (int) b->rule);
    }

    if (a->moved && a->rule != MIQPS_PATHS_NONE) {
        learn_part_add(ctx->part, LEARN_UNIT_NO_RULE, (int) a->rule);
    }

    if (b->entry.host != NULL) {
        learn_part_add(ctx->part, LEARN_UNIT_PATTERN,
                       learn_part_pattern(&ctx->new, b->entry.pattern));
    }

    if (a->entry.host != NULL) {
        learn_part_add(ctx->part, LEARN_UNIT_NO_PATTERN,
                       learn_part_pattern(&ctx->old, a->entry.pattern));
    }
}


static void
learn_part_add(learn_part_t *part, learn_unit_e kind, int place)
{
    size_t  i;

    for (i = 0; i < part->n; i++) {
        if (part->units[i].kind == kind && part->units[i].place == place) {
            part->units[i].urls++;
            return;
        }
    }
}


static int
learn_part_pattern(const learn_view_t *view, const uint8_t *p)
{
    size_t  i;

    for (i = 0; i < view->npatterns; i++) {
        if (view->patterns[i].record == p) {
            return (int) i;
        }
    }

    return -1;
}


static int
learn_part_sort(const void *one, const void *two)
{
    const learn_unit_t  *a = one, *b = two;

    if (a->urls != b->urls) {
        return (a->urls < b->urls) ? 1 : -1;
    }

    if (a->kind != b->kind) {
        return (a->kind < b->kind) ? -1 : 1;
    }

    return (a->place > b->place) - (a->place < b->place);
}


/* the old entry, with what is taken; nothing to divide if that is all */

static int
learn_part_text(learn_part_t *part)
{
    int           ok;
    cJSON        *entry;
    size_t        i;
    const cJSON  *rules;

    cJSON_free(part->text);
    part->text = NULL;

    if (part->taken >= part->n) {
        part->whole = 1;
        return 1;
    }

    entry = cJSON_Duplicate(part->old, 1);
    ok = (entry != NULL);

    for (i = 0; ok && i < part->taken; i++) {
        ok = learn_part_apply(entry, part, &part->units[i]);
    }

    rules = cJSON_GetObjectItemCaseSensitive(entry, "rules");

    if (ok && cJSON_GetArraySize(rules) > 0) {

        /* these were never tried together */

        cJSON_DeleteItemFromObjectCaseSensitive(entry, "careful");
        ok = (cJSON_AddTrueToObject(entry, "careful") != NULL);
    }

    if (ok && cJSON_GetArraySize(rules) <= MIQPS_PATHS_MAX) {
        part->text = cJSON_PrintUnformatted(entry);
        ok = (part->text != NULL);
    }

    part->whole = (part->text == NULL);
    cJSON_Delete(entry);

    return ok;
}


static int
learn_part_apply(cJSON *entry, const learn_part_t *part,
    const learn_unit_t *unit)
{
    int           at, new;
    cJSON        *list, *item;
    const char   *name;
    const cJSON  *from;

    new = (unit->kind == LEARN_UNIT_PATTERN || unit->kind == LEARN_UNIT_RULE);
    name = (unit->kind == LEARN_UNIT_PATTERN
            || unit->kind == LEARN_UNIT_NO_PATTERN) ? "patterns" : "rules";

    list = cJSON_GetObjectItemCaseSensitive(entry, name);

    if (list == NULL) {
        list = cJSON_AddArrayToObject(entry, name);
    }

    from = cJSON_GetObjectItemCaseSensitive(new ? part->new : part->old, name);
    from = cJSON_GetArrayItem(from, unit->place);
    at = learn_part_find(list, from, unit->kind, 0);

    if (!new) {
        cJSON_DeleteItemFromArray(list, at);
        return list != NULL;
    }

    item = cJSON_Duplicate(from, 1);

    return item != NULL
           && ((at < 0) ? cJSON_AddItemToArray(list, item)
                        : cJSON_ReplaceItemInArray(list, at, item));
}
