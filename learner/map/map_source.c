
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "map_check.h"
#include "map_pond.h"
#include "map_source_parts.h"
#include "miqps_rules_position.h"
#include "miqps_utf8.h"


/* seconds of the last day that can be written */

#define LEARN_SOURCE_MAX_TIME  253402300799.0


typedef const char *(*learn_source_item_pt)(learn_map_t *map,
    const miqps_str_t *text);


typedef enum {
    LEARN_HOST_HOST = 0,
    LEARN_HOST_HOSTS,
    LEARN_HOST_PATTERNS,
    LEARN_HOST_RULES,
    LEARN_HOST_CAREFUL,
    LEARN_HOST_SETTINGS,
    LEARN_HOST_TIME,
    LEARN_HOST_KEYS
} learn_host_key_e;


typedef enum {
    LEARN_PATTERN_PARAMS = 0,
    LEARN_PATTERN_KEEP,
    LEARN_PATTERN_CLIENT,
    LEARN_PATTERN_DEFAULTS,
    LEARN_PATTERN_PATH,
    LEARN_PATTERN_URLS,
    LEARN_PATTERN_EVIDENCE,
    LEARN_PATTERN_KEYS
} learn_pattern_key_e;


static learn_text_rc_e  learn_source_object(learn_source_t *s);
static learn_text_rc_e  learn_source_nul(learn_source_t *s);
static learn_text_rc_e  learn_source_host(learn_source_t *s);
static learn_text_rc_e  learn_source_time(learn_source_t *s,
    const cJSON *item);
static learn_text_rc_e  learn_source_patterns(learn_source_t *s,
    const cJSON *list);
static learn_text_rc_e  learn_source_pattern(learn_source_t *s,
    const cJSON *object);
static void  learn_source_expect(learn_source_t *s, const cJSON *pattern,
    int soon);
static learn_text_rc_e  learn_source_defaults(learn_source_t *s,
    const cJSON *object);
static learn_text_rc_e  learn_source_strings(learn_source_t *s,
    const cJSON *list, learn_source_item_pt take);
static const char  *learn_source_type(int type);
static void  learn_source_position(learn_source_t *s, size_t offset);


static const learn_source_key_t  learn_host_keys[LEARN_HOST_KEYS] = {
    { "host",      cJSON_String },
    { "hosts",     cJSON_Array },
    { "patterns",  cJSON_Array },
    { "rules",     cJSON_Array },
    { "careful",   cJSON_Invalid },
    { "settings",  cJSON_Object },
    { "time",      cJSON_Invalid }
};


static const learn_source_key_t  learn_pattern_keys[LEARN_PATTERN_KEYS] = {
    { "params",    cJSON_Array },
    { "keep",      cJSON_Array },
    { "client",    cJSON_Array },
    { "defaults",  cJSON_Object },
    { "path",      cJSON_String },
    { "urls",      cJSON_Number },
    { "evidence",  cJSON_Object }
};


learn_text_rc_e
learn_source_read(learn_map_t *map, learn_text_t *text,
    learn_source_each_pt each, void *data, learn_text_error_t *error)
{
    learn_source_t   s;
    learn_text_rc_e  rc;

    s.map = map;
    s.error = error;

    learn_pond_open();

    for ( ;; ) {
        rc = learn_text_next(text, &s.object, error);

        if (rc == LEARN_TEXT_OBJECT) {
            rc = learn_source_object(&s);
        }

        if (rc != LEARN_TEXT_OBJECT) {
            break;
        }

        if (each != NULL) {
            each(data, map);
        }
    }

    learn_pond_close();

    return rc;
}


static learn_text_rc_e
learn_source_object(learn_source_t *s)
{
    cJSON            *root;
    const char       *end;
    learn_text_rc_e   rc;

    rc = learn_source_nul(s);

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    end = s->object.data;
    root = cJSON_ParseWithLengthOpts(s->object.data, s->object.len, &end, 0);

    if (root == NULL && learn_pond_dry()) {
        return LEARN_TEXT_NO_MEMORY;
    }

    if (root == NULL || end < s->object.data + s->object.len) {
        learn_source_position(s, (size_t) (end - s->object.data));
        (void) snprintf(s->error->text, sizeof(s->error->text), "not JSON");

        rc = LEARN_TEXT_SYNTAX;

    } else {
        s->root = root;
        rc = learn_source_host(s);
    }

    learn_pond_drain();

    return rc;
}


/* cJSON ends a string at a NUL, and takes bytes that are no characters */

static learn_text_rc_e
learn_source_nul(learn_source_t *s)
{
    size_t       i, len;
    const char  *p;

    p = s->object.data;
    len = s->object.len;

    for (i = 0; s->object.escapes && len - i >= 6; i++) {
        if (p[i] == '\\' && memcmp(p + i, "\\u0000", 6) == 0) {
            learn_source_position(s, i);
            (void) snprintf(s->error->text, sizeof(s->error->text),
                            "NUL, \\u0000, cannot be part of a map");
            return LEARN_TEXT_SYNTAX;
        }

        /* what is behind a backslash does not begin an escape */

        i += (p[i] == '\\');
    }

    if (s->object.high && !miqps_utf8_valid((const uint8_t *) p, len)) {
        learn_source_position(s, 0);
        (void) snprintf(s->error->text, sizeof(s->error->text),
                        "the object is not UTF-8");
        return LEARN_TEXT_SYNTAX;
    }

    return LEARN_TEXT_OBJECT;
}


static learn_text_rc_e
learn_source_host(learn_source_t *s)
{
    miqps_str_t       host;
    const char       *why;
    const cJSON      *items[LEARN_HOST_KEYS];
    learn_text_rc_e   rc;

    rc = learn_source_keys(s, s->root, learn_host_keys, LEARN_HOST_KEYS,
                           items);

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    if (items[LEARN_HOST_HOST] == NULL) {
        return learn_source_fail(s, s->root, 0, "no \"host\"");
    }

    host = learn_source_str(items[LEARN_HOST_HOST]->valuestring);
    why = learn_map_host(s->map, &host);

    if (why != NULL) {
        return learn_source_refuse(s, items[LEARN_HOST_HOST], why);
    }

    rc = learn_source_strings(s, items[LEARN_HOST_HOSTS], learn_map_mirror);

    if (rc == LEARN_TEXT_OBJECT) {
        rc = learn_source_patterns(s, items[LEARN_HOST_PATTERNS]);
    }

    if (rc == LEARN_TEXT_OBJECT && items[LEARN_HOST_CAREFUL] != NULL) {

        if (!cJSON_IsBool(items[LEARN_HOST_CAREFUL])) {
            return learn_source_fail(s, items[LEARN_HOST_CAREFUL], 0,
                                     "\"careful\" must be true or false");
        }

        if (cJSON_IsTrue(items[LEARN_HOST_CAREFUL])) {
            learn_paths_careful(&s->map->rules);
        }
    }

    if (rc == LEARN_TEXT_OBJECT) {
        rc = learn_source_rules(s, items[LEARN_HOST_RULES]);
    }

    if (rc == LEARN_TEXT_OBJECT) {
        rc = learn_source_time(s, items[LEARN_HOST_TIME]);
    }

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    why = learn_map_host_end(s->map);

    return (why == NULL) ? LEARN_TEXT_OBJECT
                         : learn_source_refuse(s, s->root, why);
}


static learn_text_rc_e
learn_source_time(learn_source_t *s, const cJSON *item)
{
    uint64_t     seconds;
    const char  *why;

    if (item == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    why = NULL;
    seconds = 0;

    if (cJSON_IsString(item)) {
        why = learn_check_time(item->valuestring, &seconds);

    } else if (!cJSON_IsNumber(item)
               || !(item->valuedouble >= 0)
               || item->valuedouble > LEARN_SOURCE_MAX_TIME)
    {
        why = "\"time\" must be seconds since 1970 or a string";

    } else {
        seconds = (uint64_t) item->valuedouble;
    }

    if (why != NULL) {
        return learn_source_fail(s, item, 0, "%s", why);
    }

    learn_map_time(s->map, seconds);

    return LEARN_TEXT_OBJECT;
}


static learn_text_rc_e
learn_source_patterns(learn_source_t *s, const cJSON *list)
{
    const cJSON      *item;
    learn_text_rc_e   rc;

    if (list == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    learn_source_expect(s, list->child, 0);

    if (list->child != NULL) {
        learn_source_expect(s, list->child->next, 0);
        learn_source_expect(s, list->child, 1);
    }

    cJSON_ArrayForEach(item, list) {

        if (item->next != NULL) {
            learn_source_expect(s, item->next->next, 0);
            learn_source_expect(s, item->next, 1);
        }

        if (!cJSON_IsObject(item)) {
            return learn_source_fail(s, item, 0, "a pattern is an object, "
                                     "{\"params\": [...], \"keep\": [...]}");
        }

        rc = learn_source_pattern(s, item);

        if (rc != LEARN_TEXT_OBJECT) {
            return rc;
        }
    }

    return LEARN_TEXT_OBJECT;
}


static learn_text_rc_e
learn_source_pattern(learn_source_t *s, const cJSON *object)
{
    miqps_str_t       path;
    const char       *why;
    const cJSON      *items[LEARN_PATTERN_KEYS];
    learn_text_rc_e   rc;

    rc = learn_source_keys(s, object, learn_pattern_keys, LEARN_PATTERN_KEYS,
                           items);

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    if (items[LEARN_PATTERN_PARAMS] == NULL) {
        return learn_source_fail(s, object, 0, "no \"params\"");
    }

    if (items[LEARN_PATTERN_KEEP] == NULL) {
        return learn_source_fail(s, object, 0, "no \"keep\"; write [] if none "
                                 "of the names matters");
    }

    if (items[LEARN_PATTERN_URLS] != NULL
        && !(items[LEARN_PATTERN_URLS]->valuedouble >= 0))
    {
        return learn_source_fail(s, items[LEARN_PATTERN_URLS], 0,
                                 "\"urls\" must not be negative");
    }

    why = learn_map_pattern(s->map);

    if (why == NULL && items[LEARN_PATTERN_PATH] != NULL) {
        path = learn_source_str(items[LEARN_PATTERN_PATH]->valuestring);
        why = learn_map_path(s->map, &path);
        object = (why == NULL) ? object : items[LEARN_PATTERN_PATH];
    }

    if (why != NULL) {
        return learn_source_refuse(s, object, why);
    }

    if ((rc = learn_source_strings(s, items[LEARN_PATTERN_PARAMS],
                                   learn_map_param)) != LEARN_TEXT_OBJECT
        || (rc = learn_source_strings(s, items[LEARN_PATTERN_KEEP],
                                      learn_map_keep)) != LEARN_TEXT_OBJECT
        || (rc = learn_source_strings(s, items[LEARN_PATTERN_CLIENT],
                                      learn_map_client)) != LEARN_TEXT_OBJECT
        || (rc = learn_source_defaults(s, items[LEARN_PATTERN_DEFAULTS]))
           != LEARN_TEXT_OBJECT)
    {
        return rc;
    }

    why = learn_map_pattern_end(s->map);

    return (why == NULL) ? LEARN_TEXT_OBJECT
                         : learn_source_refuse(s, object, why);
}


/*
 * Names are all over the memory, so that it takes less time to say which ones
 * of the next patterns will be looked for.
 */

static void
learn_source_expect(learn_source_t *s, const cJSON *pattern, int soon)
{
    miqps_str_t   name;
    const cJSON  *list, *item;

    if (pattern == NULL || !cJSON_IsObject(pattern)) {
        return;
    }

    cJSON_ArrayForEach(list, pattern) {

        if (strcmp(list->string, learn_pattern_keys[0].name) != 0) {
            continue;
        }

        cJSON_ArrayForEach(item, list) {
            if (cJSON_IsString(item)) {
                name = learn_source_str(item->valuestring);
                learn_map_expect(s->map, &name, soon);
            }
        }

        return;
    }
}


static learn_text_rc_e
learn_source_defaults(learn_source_t *s, const cJSON *object)
{
    miqps_str_t   name, value;
    const char   *why;
    const cJSON  *item;

    if (object == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    cJSON_ArrayForEach(item, object) {

        if (!cJSON_IsString(item)) {
            return learn_source_fail(s, item, 0, "\"%s\" must be a string",
                                     item->string);
        }

        name = learn_source_str(item->string);
        value = learn_source_str(item->valuestring);

        why = learn_map_default(s->map, &name, &value);

        if (why == learn_map_no_memory) {
            return LEARN_TEXT_NO_MEMORY;
        }

        if (why != NULL) {
            return learn_source_fail(s, item, 1, "default of \"%s\": %s",
                                     item->string, why);
        }
    }

    return LEARN_TEXT_OBJECT;
}


static learn_text_rc_e
learn_source_strings(learn_source_t *s, const cJSON *list,
    learn_source_item_pt take)
{
    miqps_str_t   text;
    const char   *why;
    const cJSON  *item;

    if (list == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    cJSON_ArrayForEach(item, list) {

        if (!cJSON_IsString(item)) {
            return learn_source_fail(s, item, 0, "\"%s\" must be a list of "
                                     "strings", list->string);
        }

        text = learn_source_str(item->valuestring);
        why = take(s->map, &text);

        if (why != NULL) {
            return learn_source_refuse(s, item, why);
        }
    }

    return LEARN_TEXT_OBJECT;
}


/* the members of an object by a table of keys, NULL for each that is none */

learn_text_rc_e
learn_source_keys(learn_source_t *s, const cJSON *object,
    const learn_source_key_t *keys, size_t n, const cJSON **items)
{
    size_t        i;
    const cJSON  *item;

    memset(items, 0, n * sizeof(cJSON *));

    cJSON_ArrayForEach(item, object) {

        for (i = 0; i < n; i++) {
            if (strcmp(item->string, keys[i].name) == 0) {
                break;
            }
        }

        if (i == n) {
            return learn_source_fail(s, item, 1, "unknown key \"%s\"",
                                     item->string);
        }

        if (items[i] != NULL) {
            return learn_source_fail(s, item, 1, "duplicate key \"%s\"",
                                     item->string);
        }

        if (keys[i].type != cJSON_Invalid
            && (item->type & 0xff) != keys[i].type)
        {
            return learn_source_fail(s, item, 0, "\"%s\" must be %s",
                                     item->string,
                                     learn_source_type(keys[i].type));
        }

        items[i] = item;
    }

    return LEARN_TEXT_OBJECT;
}


static const char *
learn_source_type(int type)
{
    switch (type) {

    case cJSON_String:
        return "a string";

    case cJSON_Number:
        return "a number";

    case cJSON_Array:
        return "a list";

    default:
        return "an object";
    }
}


/* with the text that is at fault, if there is one */

learn_text_rc_e
learn_source_refuse(learn_source_t *s, const cJSON *item, const char *why)
{
    if (why == learn_map_no_memory) {
        return LEARN_TEXT_NO_MEMORY;
    }

    if (cJSON_IsString(item)) {
        return learn_source_fail(s, item, 0, "\"%s\": %s", item->valuestring,
                                 why);
    }

    return learn_source_fail(s, item, 0, "%s", why);
}


learn_text_rc_e
learn_source_fail(learn_source_t *s, const cJSON *item, int key,
    const char *format, ...)
{
    va_list  args;

    learn_source_position(s, miqps_position_of(s->object.data, s->object.len,
                                               s->root, item, key));

    va_start(args, format);
    (void) vsnprintf(s->error->text, sizeof(s->error->text), format, args);
    va_end(args);

    return LEARN_TEXT_SYNTAX;
}


static void
learn_source_position(learn_source_t *s, size_t offset)
{
    miqps_position_line(s->object.data, s->object.len, offset,
                        &s->error->line, &s->error->column);

    if (s->error->line == 1) {
        s->error->column += s->object.column - 1;
    }

    s->error->line += s->object.line - 1;
}
