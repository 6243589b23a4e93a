
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "miqps_rules_book.h"
#include "miqps_rules_position.h"


/* more platforms than this in one book are a mistake */

#define MIQPS_RULES_MAX_PLATFORMS  256


typedef struct {
    miqps_rules_t              *book;
    const char                 *text;
    size_t                      len;
    cJSON                      *root;
    miqps_rules_error_t        *error;
} miqps_reader_t;


/* where the rules of a list go */

typedef struct {
    miqps_action_e              action;
    miqps_layer_e               layer;
    uint32_t                    scope;
    miqps_str_t                 note;      /* if a rule has none of its own */
    miqps_platform_t           *platform;  /* instead of the book */
    unsigned                    check:1;   /* look at them and forget them */
} miqps_target_t;


typedef miqps_rc_e (*miqps_reader_pt)(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);

typedef struct {
    const char                 *name;
    miqps_reader_pt             read;
    int                         type;      /* of cJSON */
    miqps_action_e              action;
    miqps_layer_e               layer;
} miqps_key_t;


static miqps_rc_e  miqps_read_root(miqps_reader_t *r);
static miqps_rc_e  miqps_read_object(miqps_reader_t *r, const cJSON *object,
    const miqps_key_t *keys, size_t nkeys, miqps_target_t *target);
static miqps_rc_e  miqps_read_version(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_nothing(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_platforms(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_title(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_sites(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_site(miqps_reader_t *r, const cJSON *site);
static miqps_rc_e  miqps_read_hosts(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_paths(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_bindings(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_strict(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_list(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_rule(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target);
static miqps_rc_e  miqps_read_rule_object(miqps_reader_t *r,
    const cJSON *item, const cJSON **name, const cJSON **vendor);
static miqps_rc_e  miqps_read_strings(miqps_reader_t *r, const cJSON *item,
    miqps_str_t **list, uint32_t *n,
    miqps_rc_e (*check)(const miqps_str_t *text, miqps_fault_t *fault));
static miqps_rc_e  miqps_read_unique(miqps_reader_t *r, const cJSON *list);
static int  miqps_read_cmp(const void *one, const void *two);
static const char  *miqps_read_rule_text(const cJSON *item);
static const char  *miqps_read_type(int type);
static miqps_rc_e  miqps_read_refuse(miqps_reader_t *r, const cJSON *item,
    const miqps_fault_t *fault, miqps_rc_e rc);
static miqps_rc_e  miqps_read_fail(miqps_reader_t *r, const cJSON *item,
    int key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));


#define MIQPS_ANY_TYPE  (-1)

static const miqps_key_t  miqps_root_keys[] = {
    { "version", miqps_read_version, cJSON_Number,
      MIQPS_KEEP, MIQPS_LAYER_RULES },
    { "platforms", miqps_read_platforms, cJSON_Object,
      MIQPS_KEEP, MIQPS_LAYER_PLATFORM },
    { "tracking", miqps_read_list, cJSON_Array,
      MIQPS_STRIP, MIQPS_LAYER_TRACKING },
    { "keep", miqps_read_list, cJSON_Array,
      MIQPS_KEEP, MIQPS_LAYER_RULES },
    { "strip", miqps_read_list, cJSON_Array,
      MIQPS_STRIP, MIQPS_LAYER_RULES },
    { "except", miqps_read_list, cJSON_Array,
      MIQPS_EXCEPT, MIQPS_LAYER_RULES },
    { "sites", miqps_read_sites, cJSON_Array,
      MIQPS_KEEP, MIQPS_LAYER_RULES }
};


static const miqps_key_t  miqps_platform_keys[] = {
    { "title", miqps_read_title, cJSON_String,
      MIQPS_KEEP, MIQPS_LAYER_PLATFORM },
    { "keep", miqps_read_list, cJSON_Array,
      MIQPS_KEEP, MIQPS_LAYER_PLATFORM },
    { "note", miqps_read_nothing, cJSON_String,
      MIQPS_KEEP, MIQPS_LAYER_PLATFORM }
};


static const miqps_key_t  miqps_site_keys[] = {
    { "hosts", miqps_read_hosts, cJSON_Array,
      MIQPS_KEEP, MIQPS_LAYER_RULES },
    { "paths", miqps_read_paths, cJSON_Array,
      MIQPS_KEEP, MIQPS_LAYER_RULES },
    { "platforms", miqps_read_bindings, cJSON_Array,
      MIQPS_KEEP, MIQPS_LAYER_RULES },
    { "strict", miqps_read_strict, MIQPS_ANY_TYPE,
      MIQPS_KEEP, MIQPS_LAYER_RULES },
    { "keep", miqps_read_list, cJSON_Array,
      MIQPS_KEEP, MIQPS_LAYER_RULES },
    { "strip", miqps_read_list, cJSON_Array,
      MIQPS_STRIP, MIQPS_LAYER_RULES },
    { "except", miqps_read_list, cJSON_Array,
      MIQPS_EXCEPT, MIQPS_LAYER_RULES },
    { "note", miqps_read_nothing, cJSON_String,
      MIQPS_KEEP, MIQPS_LAYER_RULES }
};


#define miqps_keys(array)  array, sizeof(array) / sizeof(array[0])


miqps_rc_e
miqps_rules_read(miqps_rules_t *book, const char *text, size_t len,
    miqps_rules_error_t *error)
{
    size_t           i;
    miqps_rc_e       rc;
    const char      *end;
    miqps_reader_t   r;

    r.book = book;
    r.text = text;
    r.len = len;
    r.error = error;
    r.root = NULL;

    /* cJSON ends a string there, and the rule would be another one */

    for (i = 0; i < len; i++) {
        if (text[i] == '\0'
            || (len - i >= 6 && memcmp(&text[i], "\\u0000", 6) == 0))
        {
            miqps_position_line(text, len, i, &error->line, &error->column);
            (void) snprintf(error->text, sizeof(error->text),
                            "NUL, \\u0000, cannot be part of a rule");
            return MIQPS_SYNTAX;
        }
    }

    end = text;
    r.root = cJSON_ParseWithLengthOpts(text, len, &end, 0);

    if (r.root != NULL) {
        while (end < text + len && strchr(" \t\r\n", *end) != NULL
               && *end != '\0')
        {
            end++;
        }
    }

    if (r.root == NULL || end < text + len) {
        miqps_position_line(text, len, (size_t) (end - text), &error->line,
                            &error->column);
        (void) snprintf(error->text, sizeof(error->text), "not JSON%s",
                        (r.root != NULL) ? ": something follows the object"
                                         : "");
        cJSON_Delete(r.root);
        return MIQPS_SYNTAX;
    }

    rc = miqps_read_root(&r);

    cJSON_Delete(r.root);

    return rc;
}


static miqps_rc_e
miqps_read_root(miqps_reader_t *r)
{
    miqps_rc_e      rc;
    miqps_target_t  target;

    memset(&target, 0, sizeof(miqps_target_t));

    if (!cJSON_IsObject(r->root)) {
        return miqps_read_fail(r, r->root, 0, "a rules file is an object, "
                               "{\"version\": 1, ...}");
    }

    if (cJSON_GetObjectItemCaseSensitive(r->root, "version") == NULL) {
        return miqps_read_fail(r, r->root, 0, "no \"version\"; this is what "
                               "version 1 reads");
    }

    /* sites may name platforms that stand behind them */

    rc = miqps_read_object(r, r->root, miqps_keys(miqps_root_keys), NULL);

    if (rc != MIQPS_OK) {
        return rc;
    }

    return miqps_read_object(r, r->root, miqps_keys(miqps_root_keys),
                             &target);
}


/*
 * Reads the members of an object by a table of keys.  Without a target it
 * only looks at the keys and at the platforms of the root.
 */

static miqps_rc_e
miqps_read_object(miqps_reader_t *r, const cJSON *object,
    const miqps_key_t *keys, size_t nkeys, miqps_target_t *target)
{
    size_t           i;
    unsigned         seen;
    miqps_rc_e       rc;
    const cJSON     *item;
    miqps_target_t   own;

    seen = 0;

    cJSON_ArrayForEach(item, object) {

        for (i = 0; i < nkeys; i++) {
            if (strcmp(item->string, keys[i].name) == 0) {
                break;
            }
        }

        if (i == nkeys) {
            return miqps_read_fail(r, item, 1, "unknown key \"%s\"",
                                   item->string);
        }

        if (seen & (1u << i)) {
            return miqps_read_fail(r, item, 1, "duplicate key \"%s\"",
                                   item->string);
        }

        seen |= 1u << i;

        if (keys[i].type != MIQPS_ANY_TYPE
            && (item->type & 0xff) != keys[i].type)
        {
            return miqps_read_fail(r, item, 0, "\"%s\" must be %s",
                                   item->string,
                                   miqps_read_type(keys[i].type));
        }

        if ((target == NULL) != (keys[i].read == miqps_read_platforms)) {
            continue;
        }

        memset(&own, 0, sizeof(miqps_target_t));

        if (target != NULL) {
            own = *target;
        }

        own.action = keys[i].action;
        own.layer = keys[i].layer;

        rc = keys[i].read(r, item, &own);

        if (rc != MIQPS_OK) {
            return rc;
        }
    }

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_version(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target)
{
    (void) target;

    if (item->valuedouble != 1) {
        return miqps_read_fail(r, item, 0, "version %g of rules files; "
                               "this program reads version 1",
                               item->valuedouble);
    }

    return MIQPS_OK;
}


/* a note is for people */

static miqps_rc_e
miqps_read_nothing(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target)
{
    (void) r;
    (void) item;
    (void) target;

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_platforms(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target)
{
    size_t             first, i;
    miqps_rc_e         rc;
    miqps_str_t        name;
    const cJSON       *one;
    miqps_platform_t  *platform;

    first = r->book->nplatforms;

    cJSON_ArrayForEach(one, item) {

        if (!cJSON_IsObject(one)) {
            return miqps_read_fail(r, one, 0, "platform \"%s\" must be an "
                                   "object", one->string);
        }

        name.data = (const uint8_t *) one->string;
        name.len = strlen(one->string);

        if (name.len == 0 || strcmp(one->string, "strict") == 0
            || strchr(one->string, ',') != NULL)
        {
            return miqps_read_fail(r, one, 1, "\"%s\" cannot be the name of a "
                                   "platform", one->string);
        }

        for (i = first; i < r->book->nplatforms; i++) {
            if (miqps_str_eq(&r->book->platforms[i].name, &name)) {
                return miqps_read_fail(r, one, 1, "duplicate key \"%s\"",
                                       one->string);
            }
        }

        if (r->book->nplatforms == MIQPS_RULES_MAX_PLATFORMS) {
            return miqps_read_fail(r, one, 1, "more than %d platforms",
                                   MIQPS_RULES_MAX_PLATFORMS);
        }

        platform = miqps_book_platform(r->book);

        if (platform == NULL
            || miqps_book_copy(r->book, &platform->name, one->string, name.len)
               != MIQPS_OK)
        {
            return MIQPS_NO_MEMORY;
        }

        platform->title = platform->name;
        target->platform = platform;

        rc = miqps_read_object(r, one, miqps_keys(miqps_platform_keys),
                               target);

        if (rc != MIQPS_OK) {
            return rc;
        }
    }

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_title(miqps_reader_t *r, const cJSON *item, miqps_target_t *target)
{
    return miqps_book_copy(r->book, &target->platform->title,
                           item->valuestring, strlen(item->valuestring));
}


static miqps_rc_e
miqps_read_sites(miqps_reader_t *r, const cJSON *item, miqps_target_t *target)
{
    miqps_rc_e    rc;
    const cJSON  *site;

    (void) target;

    cJSON_ArrayForEach(site, item) {
        rc = miqps_read_site(r, site);

        if (rc != MIQPS_OK) {
            return rc;
        }
    }

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_site(miqps_reader_t *r, const cJSON *site)
{
    miqps_rc_e      rc;
    miqps_scope_t  *scope;
    miqps_target_t  target;

    if (!cJSON_IsObject(site)) {
        return miqps_read_fail(r, site, 0, "a site must be an object");
    }

    if (miqps_book_scope(r->book) == NULL) {
        return MIQPS_NO_MEMORY;
    }

    memset(&target, 0, sizeof(miqps_target_t));

    target.scope = (uint32_t) (r->book->nscopes - 1);

    rc = miqps_read_object(r, site, miqps_keys(miqps_site_keys), &target);

    if (rc != MIQPS_OK) {
        return rc;
    }

    scope = &r->book->scopes[target.scope];

    if (scope->nhosts == 0 && scope->npaths == 0) {
        return miqps_read_fail(r, site, 0, "a site needs \"hosts\" or "
                               "\"paths\"; rules for all of them stand "
                               "outside of \"sites\"");
    }

    scope->label = (scope->nhosts > 0) ? scope->hosts[0] : scope->paths[0];

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_hosts(miqps_reader_t *r, const cJSON *item, miqps_target_t *target)
{
    miqps_scope_t  *scope;

    scope = &r->book->scopes[target->scope];

    return miqps_read_strings(r, item, &scope->hosts, &scope->nhosts,
                              miqps_policy_check_host);
}


static miqps_rc_e
miqps_read_paths(miqps_reader_t *r, const cJSON *item, miqps_target_t *target)
{
    miqps_scope_t  *scope;

    scope = &r->book->scopes[target->scope];

    return miqps_read_strings(r, item, &scope->paths, &scope->npaths,
                              miqps_policy_check_path);
}


static miqps_rc_e
miqps_read_bindings(miqps_reader_t *r, const cJSON *item,
    miqps_target_t *target)
{
    char               names[256];
    uint32_t          *list, n;
    miqps_rc_e         rc;
    miqps_str_t        name;
    const cJSON       *one;
    miqps_platform_t  *platform;

    rc = miqps_read_unique(r, item);

    if (rc != MIQPS_OK) {
        return rc;
    }

    n = (uint32_t) cJSON_GetArraySize(item);

    list = r->book->mem->alloc(r->book->mem->data, (n + 1) * sizeof(uint32_t));

    if (list == NULL) {
        return MIQPS_NO_MEMORY;
    }

    n = 0;

    cJSON_ArrayForEach(one, item) {
        name.data = (const uint8_t *) one->valuestring;
        name.len = strlen(one->valuestring);

        platform = miqps_book_find(r->book, &name);

        if (platform == NULL) {
            miqps_book_names(r->book, names, sizeof(names));
            return miqps_read_fail(r, one, 0, "unknown platform \"%s\"; "
                                   "known are %s", one->valuestring, names);
        }

        if (miqps_book_bind(r->book, platform) != MIQPS_OK) {
            return MIQPS_NO_MEMORY;
        }

        list[n++] = platform->scope;
    }

    r->book->scopes[target->scope].platforms = list;
    r->book->scopes[target->scope].nplatforms = n;

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_strict(miqps_reader_t *r, const cJSON *item, miqps_target_t *target)
{
    if (!cJSON_IsBool(item)) {
        return miqps_read_fail(r, item, 0, "\"strict\" must be true or false");
    }

    r->book->scopes[target->scope].strict = (cJSON_IsTrue(item) != 0);

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_list(miqps_reader_t *r, const cJSON *item, miqps_target_t *target)
{
    size_t        n;
    miqps_rc_e    rc;
    const cJSON  *one;

    target->check = (target->layer == MIQPS_LAYER_TRACKING
                     && !r->book->tracking);

    if (target->platform != NULL) {
        n = (size_t) cJSON_GetArraySize(item);

        target->platform->nrules = 0;
        target->platform->rules = r->book->mem->alloc(r->book->mem->data,
                                            (n + 1) * sizeof(miqps_rule_t));

        if (target->platform->rules == NULL) {
            return MIQPS_NO_MEMORY;
        }

        target->note = target->platform->title;
    }

    cJSON_ArrayForEach(one, item) {
        rc = miqps_read_rule(r, one, target);

        if (rc != MIQPS_OK) {
            return rc;
        }
    }

    return miqps_read_unique(r, item);
}


static miqps_rc_e
miqps_read_rule(miqps_reader_t *r, const cJSON *item, miqps_target_t *target)
{
    miqps_rc_e     rc;
    miqps_str_t    text;
    const cJSON   *name, *vendor;
    miqps_rule_t  *rule;
    miqps_fault_t  fault;

    rc = miqps_read_rule_object(r, item, &name, &vendor);

    if (rc != MIQPS_OK) {
        return rc;
    }

    text.data = (const uint8_t *) name->valuestring;
    text.len = strlen(name->valuestring);

    rc = miqps_policy_check_rule(&text, &fault);

    if (rc != MIQPS_OK) {
        return miqps_read_refuse(r, name, &fault, rc);
    }

    if (target->check) {
        return MIQPS_OK;
    }

    rule = (target->platform != NULL)
           ? &target->platform->rules[target->platform->nrules++]
           : miqps_book_rule(r->book);

    if (rule == NULL) {
        return MIQPS_NO_MEMORY;
    }

    rule->action = target->action;
    rule->layer = target->layer;
    rule->scope = target->scope;
    rule->note = target->note;

    rc = miqps_book_copy(r->book, &rule->text, name->valuestring, text.len);

    if (rc == MIQPS_OK && vendor != NULL) {
        rc = miqps_book_copy(r->book, &rule->note, vendor->valuestring,
                             strlen(vendor->valuestring));
    }

    return rc;
}


/* a rule is a string, or an object of strings with "name" among them */

static miqps_rc_e
miqps_read_rule_object(miqps_reader_t *r, const cJSON *item,
    const cJSON **name, const cJSON **vendor)
{
    const cJSON  *one, *note;

    *name = cJSON_IsString(item) ? item : NULL;
    *vendor = NULL;
    note = NULL;

    if (!cJSON_IsString(item) && !cJSON_IsObject(item)) {
        return miqps_read_fail(r, item, 0, "a rule must be a string, or an "
                               "object with \"name\"");
    }

    cJSON_ArrayForEach(one, item) {
        const cJSON  **place;

        place = (strcmp(one->string, "name") == 0) ? name
                : (strcmp(one->string, "vendor") == 0) ? vendor
                : (strcmp(one->string, "note") == 0) ? &note : NULL;

        if (place == NULL) {
            return miqps_read_fail(r, one, 1, "unknown key \"%s\"",
                                   one->string);
        }

        if (*place != NULL) {
            return miqps_read_fail(r, one, 1, "duplicate key \"%s\"",
                                   one->string);
        }

        if (!cJSON_IsString(one)) {
            return miqps_read_fail(r, one, 0, "\"%s\" must be a string",
                                   one->string);
        }

        *place = one;
    }

    if (*name == NULL) {
        return miqps_read_fail(r, item, 0, "a rule needs a \"name\"");
    }

    return MIQPS_OK;
}


static miqps_rc_e
miqps_read_strings(miqps_reader_t *r, const cJSON *item, miqps_str_t **list,
    uint32_t *n, miqps_rc_e (*check)(const miqps_str_t *text,
    miqps_fault_t *fault))
{
    miqps_rc_e     rc;
    const cJSON   *one;
    miqps_str_t   *text;
    miqps_fault_t  fault;

    rc = miqps_read_unique(r, item);

    if (rc != MIQPS_OK) {
        return rc;
    }

    *n = 0;
    *list = r->book->mem->alloc(r->book->mem->data,
                                ((size_t) cJSON_GetArraySize(item) + 1)
                                * sizeof(miqps_str_t));

    if (*list == NULL) {
        return MIQPS_NO_MEMORY;
    }

    cJSON_ArrayForEach(one, item) {
        text = &(*list)[(*n)++];

        rc = miqps_book_copy(r->book, text, one->valuestring,
                             strlen(one->valuestring));

        if (rc != MIQPS_OK) {
            return rc;
        }

        rc = check(text, &fault);

        if (rc != MIQPS_OK) {
            return miqps_read_refuse(r, one, &fault, rc);
        }
    }

    return MIQPS_OK;
}


/* all elements are strings or rules, and no two are the same */

static miqps_rc_e
miqps_read_unique(miqps_reader_t *r, const cJSON *list)
{
    size_t         i, n;
    miqps_rc_e     rc;
    const cJSON   *one, **sorted;

    n = (size_t) cJSON_GetArraySize(list);
    rc = MIQPS_OK;

    if (n == 0) {
        return MIQPS_OK;
    }

    sorted = malloc(n * sizeof(cJSON *));

    if (sorted == NULL) {
        return MIQPS_NO_MEMORY;
    }

    i = 0;

    cJSON_ArrayForEach(one, list) {

        if (miqps_read_rule_text(one) == NULL) {
            free(sorted);
            return miqps_read_fail(r, one, 0, "must be a string");
        }

        sorted[i++] = one;
    }

    qsort(sorted, n, sizeof(cJSON *), miqps_read_cmp);

    for (i = 1; i < n && rc == MIQPS_OK; i++) {
        if (miqps_read_cmp(&sorted[i - 1], &sorted[i]) == 0) {
            rc = miqps_read_fail(r, sorted[i], 0, "duplicate \"%s\"",
                                 miqps_read_rule_text(sorted[i]));
        }
    }

    free(sorted);

    return rc;
}


static int
miqps_read_cmp(const void *one, const void *two)
{
    return strcmp(miqps_read_rule_text(*(const cJSON *const *) one),
                  miqps_read_rule_text(*(const cJSON *const *) two));
}


static const char *
miqps_read_rule_text(const cJSON *item)
{
    if (cJSON_IsObject(item)) {
        item = cJSON_GetObjectItemCaseSensitive(item, "name");
    }

    return cJSON_GetStringValue(item);
}


static const char *
miqps_read_type(int type)
{
    switch (type) {

    case cJSON_Number:
        return "a number";

    case cJSON_String:
        return "a string";

    case cJSON_Array:
        return "an array";

    default:
        return "an object";
    }
}


/* what the core said of a text, with its position */

static miqps_rc_e
miqps_read_refuse(miqps_reader_t *r, const cJSON *item,
    const miqps_fault_t *fault, miqps_rc_e rc)
{
    switch (rc) {

    case MIQPS_NO_MEMORY:
        return rc;

    case MIQPS_BAD_REGEX:
        return miqps_read_fail(r, item, 0, "\"%.100s\" is not a regular "
                               "expression: %s at byte %zu",
                               item->valuestring, fault->message,
                               fault->offset);

    default:
        return miqps_read_fail(r, item, 0, "\"%.100s\" %s", item->valuestring,
                               fault->message);
    }
}


static miqps_rc_e
miqps_read_fail(miqps_reader_t *r, const cJSON *item, int key,
    const char *format, ...)
{
    size_t   offset;
    va_list  args;

    offset = miqps_position_of(r->text, r->len, r->root, item, key);

    miqps_position_line(r->text, r->len, offset, &r->error->line,
                        &r->error->column);

    va_start(args, format);
    (void) vsnprintf(r->error->text, sizeof(r->error->text), format, args);
    va_end(args);

    return MIQPS_SYNTAX;
}
