
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>

#include "miqps_builtin_rules.h"
#include "miqps_rules_book.h"


static void  *miqps_book_grow(miqps_rules_t *book, void *old, size_t n,
    size_t *max, size_t size);


miqps_rc_e
miqps_rules_init(miqps_rules_t *book, const miqps_mem_t *mem, int tracking,
    miqps_rules_error_t *error)
{
    miqps_scope_t  *any;

    memset(book, 0, sizeof(miqps_rules_t));

    book->mem = mem;
    book->tracking = (tracking != 0);

    any = miqps_book_scope(book);

    if (any == NULL) {
        return MIQPS_NO_MEMORY;
    }

    return miqps_rules_read(book, (const char *) miqps_builtin_rules,
                            sizeof(miqps_builtin_rules), error);
}


miqps_rc_e
miqps_rules_platform(miqps_rules_t *book, const miqps_str_t *name,
    miqps_rules_error_t *error)
{
    char               names[256];
    uint32_t          *list;
    miqps_rc_e         rc;
    miqps_scope_t     *any;
    miqps_platform_t  *platform;

    platform = miqps_book_find(book, name);

    if (platform == NULL) {
        miqps_book_names(book, names, sizeof(names));

        error->line = 0;
        error->column = 0;

        (void) snprintf(error->text, sizeof(error->text),
                        "unknown platform \"%.*s\"; known are %s",
                        (int) name->len, (const char *) name->data, names);
        return MIQPS_SYNTAX;
    }

    rc = miqps_book_bind(book, platform);

    if (rc != MIQPS_OK) {
        return rc;
    }

    any = &book->scopes[MIQPS_SCOPE_ANY];

    list = book->mem->alloc(book->mem->data,
                            (any->nplatforms + 1) * sizeof(uint32_t));

    if (list == NULL) {
        return MIQPS_NO_MEMORY;
    }

    if (any->nplatforms > 0) {
        memcpy(list, any->platforms, any->nplatforms * sizeof(uint32_t));
    }

    list[any->nplatforms++] = platform->scope;

    any->platforms = list;
    any->label = platform->title;

    return MIQPS_OK;
}


void
miqps_rules_strict(miqps_rules_t *book)
{
    book->scopes[MIQPS_SCOPE_ANY].strict = 1;
}


miqps_rc_e
miqps_rules_operator(miqps_rules_t *book, miqps_action_e action,
    const miqps_str_t *text, miqps_rules_error_t *error)
{
    miqps_rc_e      rc;
    miqps_rule_t   *rule;
    miqps_fault_t   fault;

    rc = miqps_policy_check_rule(text, &fault);

    if (rc == MIQPS_NO_MEMORY) {
        return rc;
    }

    if (rc != MIQPS_OK) {
        error->line = 0;
        error->column = 0;

        (void) snprintf(error->text, sizeof(error->text), "\"%.*s\" %s%s",
                        (int) text->len, (const char *) text->data,
                        (rc == MIQPS_BAD_REGEX) ? "is not a regular "
                        "expression: " : "", fault.message);
        return MIQPS_SYNTAX;
    }

    rule = miqps_book_rule(book);

    if (rule == NULL) {
        return MIQPS_NO_MEMORY;
    }

    rule->action = action;
    rule->layer = MIQPS_LAYER_OPERATOR;

    return miqps_book_copy(book, &rule->text, (const char *) text->data,
                           text->len);
}


void
miqps_rules_reason(const miqps_param_t *param, char *out, size_t size)
{
    const char          *why;
    const miqps_rule_t  *rule;

    rule = param->rule;
    why = miqps_why_text(param->why);

    if (param->why == MIQPS_WHY_UNLISTED && param->strict->label.len > 0) {
        (void) snprintf(out, size, "%s of %.*s", why,
                        (int) param->strict->label.len,
                        (const char *) param->strict->label.data);
        return;
    }

    if (rule == NULL || param->layer == MIQPS_LAYER_GUARD) {
        (void) snprintf(out, size, "%s", why);
        return;
    }

    (void) snprintf(out, size, "%.*s%s%s \"%.*s\"", (int) rule->note.len,
                    (const char *) rule->note.data,
                    (rule->note.len > 0) ? ": " : "", why,
                    (int) rule->text.len, (const char *) rule->text.data);
}


miqps_rule_t *
miqps_book_rule(miqps_rules_t *book)
{
    book->rules = miqps_book_grow(book, book->rules, book->nrules,
                                  &book->max_rules, sizeof(miqps_rule_t));

    return (book->rules != NULL) ? &book->rules[book->nrules++] : NULL;
}


miqps_scope_t *
miqps_book_scope(miqps_rules_t *book)
{
    book->scopes = miqps_book_grow(book, book->scopes, book->nscopes,
                                   &book->max_scopes, sizeof(miqps_scope_t));

    return (book->scopes != NULL) ? &book->scopes[book->nscopes++] : NULL;
}


miqps_platform_t *
miqps_book_platform(miqps_rules_t *book)
{
    book->platforms = miqps_book_grow(book, book->platforms, book->nplatforms,
                                      &book->max_platforms,
                                      sizeof(miqps_platform_t));

    return (book->platforms != NULL) ? &book->platforms[book->nplatforms++]
                                     : NULL;
}


miqps_rc_e
miqps_book_copy(miqps_rules_t *book, miqps_str_t *copy, const char *text,
    size_t len)
{
    uint8_t  *p;

    p = book->mem->alloc(book->mem->data, len + 1);

    if (p == NULL) {
        return MIQPS_NO_MEMORY;
    }

    memcpy(p, text, len);

    copy->data = p;
    copy->len = len;

    return MIQPS_OK;
}


miqps_platform_t *
miqps_book_find(miqps_rules_t *book, const miqps_str_t *name)
{
    size_t  i;

    for (i = book->nplatforms; i > 0; i--) {
        if (miqps_str_eq(&book->platforms[i - 1].name, name)) {
            return &book->platforms[i - 1];
        }
    }

    return NULL;
}


miqps_rc_e
miqps_book_bind(miqps_rules_t *book, miqps_platform_t *platform)
{
    size_t          i;
    miqps_rule_t   *rule;
    miqps_scope_t  *scope;

    if (platform->scope != 0) {
        return MIQPS_OK;
    }

    scope = miqps_book_scope(book);

    if (scope == NULL) {
        return MIQPS_NO_MEMORY;
    }

    scope->platform = 1;
    scope->label = platform->title;

    platform->scope = (uint32_t) (book->nscopes - 1);

    for (i = 0; i < platform->nrules; i++) {
        rule = miqps_book_rule(book);

        if (rule == NULL) {
            return MIQPS_NO_MEMORY;
        }

        *rule = platform->rules[i];
        rule->scope = platform->scope;
    }

    return MIQPS_OK;
}


void
miqps_book_names(const miqps_rules_t *book, char *out, size_t size)
{
    int     n;
    size_t  i, len;

    len = 0;
    out[0] = '\0';

    for (i = 0; i < book->nplatforms; i++) {
        n = snprintf(out + len, size - len, "%s%.*s", (i > 0) ? ", " : "",
                     (int) book->platforms[i].name.len,
                     (const char *) book->platforms[i].name.data);

        if (n < 0 || (size_t) n >= size - len) {
            return;
        }

        len += (size_t) n;
    }
}


/* an array with a free, zeroed element at "n" */

static void *
miqps_book_grow(miqps_rules_t *book, void *old, size_t n, size_t *max,
    size_t size)
{
    uint8_t  *array;

    if (n < *max) {
        return old;
    }

    *max = (n == 0) ? 16 : 2 * n;

    array = book->mem->alloc(book->mem->data, *max * size);

    if (array == NULL) {
        return NULL;
    }

    memset(array, 0, *max * size);

    if (n > 0) {
        memcpy(array, old, n * size);
    }

    return array;
}
