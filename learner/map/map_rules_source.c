
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_check.h"
#include "map_source_parts.h"


typedef enum {
    LEARN_RULE_FROM = 0,
    LEARN_RULE_TO,
    LEARN_RULE_TABLES,
    LEARN_RULE_SUPPORT,
    LEARN_RULE_EVIDENCE,
    LEARN_RULE_KEYS
} learn_rule_key_e;


typedef enum {
    LEARN_FORM_HOST = 0,
    LEARN_FORM_PATH,
    LEARN_FORM_PARAMS,
    LEARN_FORM_KEYS
} learn_form_key_e;


static learn_text_rc_e  learn_source_rule(learn_source_t *s,
    const cJSON *object);
static learn_text_rc_e  learn_source_tables(learn_source_t *s,
    const cJSON *object);
static learn_text_rc_e  learn_source_table(learn_source_t *s,
    const cJSON *table);
static learn_text_rc_e  learn_source_form(learn_source_t *s,
    const cJSON *object);
static learn_text_rc_e  learn_source_form_host(learn_source_t *s,
    const cJSON *item);
static const char  *learn_source_owner(learn_map_t *map,
    const miqps_str_t *to);
static learn_text_rc_e  learn_source_form_params(learn_source_t *s,
    const cJSON *object);
static learn_text_rc_e  learn_source_rules_end(learn_source_t *s,
    const cJSON *list);
static int  learn_source_is_ours(const learn_map_t *map,
    const miqps_str_t *host);


static const learn_source_key_t  learn_rule_keys[LEARN_RULE_KEYS] = {
    { "from",      cJSON_Object },
    { "to",        cJSON_Object },
    { "tables",    cJSON_Object },
    { "support",   cJSON_Number },
    { "evidence",  cJSON_Object }
};


static const learn_source_key_t  learn_form_keys[LEARN_FORM_KEYS] = {
    { "host",      cJSON_String },
    { "path",      cJSON_String },
    { "params",    cJSON_Object }
};


learn_text_rc_e
learn_source_rules(learn_source_t *s, const cJSON *list)
{
    const cJSON      *item;
    learn_text_rc_e   rc;

    if (list == NULL || list->child == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    cJSON_ArrayForEach(item, list) {

        if (!cJSON_IsObject(item)) {
            return learn_source_fail(s, item, 0, "a rule is an object, "
                                     "{\"from\": {...}, \"to\": {...}}");
        }

        rc = learn_source_rule(s, item);

        if (rc != LEARN_TEXT_OBJECT) {
            return rc;
        }
    }

    return learn_source_rules_end(s, list);
}


static learn_text_rc_e
learn_source_rule(learn_source_t *s, const cJSON *object)
{
    const char       *why;
    const cJSON      *items[LEARN_RULE_KEYS];
    learn_text_rc_e   rc;

    rc = learn_source_keys(s, object, learn_rule_keys, LEARN_RULE_KEYS, items);

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    if (items[LEARN_RULE_FROM] == NULL || items[LEARN_RULE_TO] == NULL) {
        return learn_source_fail(s, object, 0, "no \"%s\"",
                                 (items[LEARN_RULE_FROM] == NULL) ? "from"
                                                                  : "to");
    }

    if (items[LEARN_RULE_SUPPORT] != NULL
        && !(items[LEARN_RULE_SUPPORT]->valuedouble >= 0))
    {
        return learn_source_fail(s, items[LEARN_RULE_SUPPORT], 0,
                                 "\"support\" must not be negative");
    }

    learn_paths_begin(&s->map->rules);
    rc = learn_source_tables(s, items[LEARN_RULE_TABLES]);

    if (rc == LEARN_TEXT_OBJECT) {
        learn_paths_source(&s->map->rules);
        rc = learn_source_form(s, items[LEARN_RULE_FROM]);
    }

    if (rc == LEARN_TEXT_OBJECT) {
        learn_paths_target(&s->map->rules);
        rc = learn_source_form(s, items[LEARN_RULE_TO]);
    }

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    why = learn_paths_end(&s->map->rules);

    return (why == NULL) ? LEARN_TEXT_OBJECT
                         : learn_source_refuse(s, object, why);
}


static learn_text_rc_e
learn_source_tables(learn_source_t *s, const cJSON *object)
{
    const cJSON      *table;
    learn_text_rc_e   rc;

    if (object == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    cJSON_ArrayForEach(table, object) {

        if (!cJSON_IsObject(table)) {
            return learn_source_fail(s, table, 0, "\"%s\" must be an object",
                                     table->string);
        }

        rc = learn_source_table(s, table);

        if (rc != LEARN_TEXT_OBJECT) {
            return rc;
        }
    }

    return LEARN_TEXT_OBJECT;
}


static learn_text_rc_e
learn_source_table(learn_source_t *s, const cJSON *table)
{
    const char   *why;
    miqps_str_t   name, value, to;
    const cJSON  *item;

    name = learn_source_str(table->string);
    why = learn_paths_table(&s->map->rules, &name);

    if (why != NULL) {
        return learn_source_fail(s, table, 1, "\"%s\": %s", table->string,
                                 why);
    }

    cJSON_ArrayForEach(item, table) {

        if (!cJSON_IsString(item)) {
            return learn_source_fail(s, item, 0, "\"%s\" must be a string",
                                     item->string);
        }

        value = learn_source_str(item->string);
        to = learn_source_str(item->valuestring);
        why = learn_paths_entry(&s->map->rules, &value, &to);

        if (why == learn_map_no_memory) {
            return LEARN_TEXT_NO_MEMORY;
        }

        if (why != NULL) {
            return learn_source_fail(s, item, 1, "\"%s\": \"%s\": %s",
                                     item->string, item->valuestring, why);
        }
    }

    why = learn_paths_table_end(&s->map->rules);

    return (why == NULL) ? LEARN_TEXT_OBJECT
                         : learn_source_refuse(s, table, why);
}


static learn_text_rc_e
learn_source_form(learn_source_t *s, const cJSON *object)
{
    const char       *why;
    miqps_str_t       text;
    const cJSON      *items[LEARN_FORM_KEYS];
    learn_text_rc_e   rc;

    rc = learn_source_keys(s, object, learn_form_keys, LEARN_FORM_KEYS, items);

    if (rc == LEARN_TEXT_OBJECT) {
        rc = learn_source_form_host(s, items[LEARN_FORM_HOST]);
    }

    if (rc != LEARN_TEXT_OBJECT) {
        return rc;
    }

    if (items[LEARN_FORM_PATH] != NULL) {
        text = learn_source_str(items[LEARN_FORM_PATH]->valuestring);
        why = learn_paths_path(&s->map->rules, &text);

        if (why != NULL) {
            return learn_source_refuse(s, items[LEARN_FORM_PATH], why);
        }
    }

    return learn_source_form_params(s, items[LEARN_FORM_PARAMS]);
}


static learn_text_rc_e
learn_source_form_host(learn_source_t *s, const cJSON *item)
{
    const char   *why;
    miqps_str_t   text;

    if (item == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    text = learn_source_str(item->valuestring);
    why = learn_paths_host(&s->map->rules, &text);

    if (why == NULL && s->map->rules.target
        && !learn_source_is_ours(s->map, &text))
    {
        why = "the host of \"to\" is the one that the rule is of, or in "
              "\"hosts\"";
    }

    if (why == NULL && s->map->rules.target) {
        why = learn_source_owner(s->map, &text);
    }

    return (why == NULL) ? LEARN_TEXT_OBJECT
                         : learn_source_refuse(s, item, why);
}


/* mirrors of a host follow it */

static int
learn_source_is_ours(const learn_map_t *map, const miqps_str_t *host)
{
    uint32_t            i;
    miqps_str_t         tail;
    const miqps_str_t  *text;

    for (i = map->host; i < map->hosts.n; i++) {
        if (miqps_str_eq(&map->hosts.words[i]->text, host)) {
            return 1;
        }
    }

    text = &map->hosts.words[map->host]->text;

    if (text->data[0] != '*' || host->len < text->len) {
        return 0;
    }

    /* "*" is one byte or more */

    tail.data = host->data + host->len - (text->len - 1);
    tail.len = text->len - 1;

    return memcmp(tail.data, text->data + 1, tail.len) == 0;
}


/* the hosts of a source, of which the last wildcard is one label or less */

static const char *
learn_source_owner(learn_map_t *map, const miqps_str_t *to)
{
    uint8_t                    text[MIQPS_MAX_HOST];
    miqps_str_t                from;
    const uint8_t             *dot;
    const learn_paths_text_t  *host;

    if (!map->rules.forms[0].has_host) {
        return learn_map_owner(map, to);
    }

    host = &map->rules.forms[0].host;
    from.len = 0;

    if (host->pieces[host->n - 1].kind == MIQPS_PIECE_LITERAL) {
        from = host->pieces[host->n - 1].literal->text;
    }

    if (host->n > 1 || from.len == 0) {
        dot = (from.len > 0) ? memchr(from.data, '.', from.len) : NULL;
        from.len = (dot != NULL) ? (size_t) (from.data + from.len - dot) : 0;

        if (from.len + 1 > sizeof(text)) {
            return "a host has at most 253 bytes";
        }

        text[0] = '-';

        if (from.len > 0) {
            memcpy(text + 1, dot, from.len);
        }

        from.data = text;
        from.len++;
    }

    return learn_check_owners(to, &from, &map->psl);
}


static learn_text_rc_e
learn_source_form_params(learn_source_t *s, const cJSON *object)
{
    const char   *why;
    miqps_str_t   name, text;
    const cJSON  *item;

    if (object == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    learn_paths_params(&s->map->rules);

    cJSON_ArrayForEach(item, object) {

        if (!cJSON_IsString(item)) {
            return learn_source_fail(s, item, 0, "\"%s\" must be a string",
                                     item->string);
        }

        name = learn_source_str(item->string);
        text = learn_source_str(item->valuestring);
        why = learn_paths_param(&s->map->rules, &name, &text);

        if (why == learn_map_no_memory) {
            return LEARN_TEXT_NO_MEMORY;
        }

        if (why != NULL) {
            return learn_source_fail(s, item, 1, "\"%s\": \"%s\": %s",
                                     item->string, item->valuestring, why);
        }
    }

    return LEARN_TEXT_OBJECT;
}


/* what is wrong with two rules is a verb between them */

static learn_text_rc_e
learn_source_rules_end(learn_source_t *s, const cJSON *list)
{
    uint32_t      which, other;
    const char   *why;
    const cJSON  *item;

    why = learn_map_rules(s->map, &which, &other);

    if (why == NULL) {
        return LEARN_TEXT_OBJECT;
    }

    if (why == learn_map_no_memory) {
        return LEARN_TEXT_NO_MEMORY;
    }

    item = cJSON_GetArrayItem(list, (int) which);

    return (which == other)
           ? learn_source_fail(s, item, 0, "%s", why)
           : learn_source_fail(s, item, 0, "rule %lu %s rule %lu",
                               (unsigned long) which + 1, why,
                               (unsigned long) other + 1);
}
