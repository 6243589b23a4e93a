
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_SOURCE_PARTS_H_INCLUDED_
#define _MAP_SOURCE_PARTS_H_INCLUDED_


#include <cjson/cJSON.h>

#include "map_source.h"


/* What the readers of map source share: an object, and what is wrong. */

typedef struct {
    learn_map_t           *map;
    learn_text_object_t    object;
    const cJSON           *root;
    learn_text_error_t    *error;
} learn_source_t;


/* a member of an object; cJSON_Invalid is any type */

typedef struct {
    const char            *name;
    int                    type;
} learn_source_key_t;


/*
 * These return LEARN_TEXT_OBJECT to go on.
 */

/* the members of an object by a table of keys, NULL for each that is none */

learn_text_rc_e learn_source_keys(learn_source_t *s, const cJSON *object,
    const learn_source_key_t *keys, size_t n, const cJSON **items);

/* a clause about an item, with its text if it is one; at its key or value */

learn_text_rc_e learn_source_refuse(learn_source_t *s, const cJSON *item,
    const char *why);
learn_text_rc_e learn_source_fail(learn_source_t *s, const cJSON *item,
    int key, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* path rules of a host, or NULL; see map_rules_source.c */

learn_text_rc_e learn_source_rules(learn_source_t *s, const cJSON *list);


static inline miqps_str_t
learn_source_str(const char *text)
{
    miqps_str_t  str;

    str.data = (const uint8_t *) text;
    str.len = strlen(text);

    return str;
}


#endif /* _MAP_SOURCE_PARTS_H_INCLUDED_ */
