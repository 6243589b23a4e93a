
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "map_builder.h"
#include "map_check.h"
#include "map_rules.h"


static int  learn_paths_entry_cmp(const void *one, const void *two);
static int  learn_paths_same_table(const learn_paths_table_t *table,
    const learn_paths_entry_t *entries, uint32_t n);
static const char  *learn_paths_segment(learn_paths_t *rules,
    const miqps_str_t *given, int last);
static const char  *learn_paths_check_path(const learn_paths_t *rules);
static int  learn_paths_dots(const learn_paths_text_t *text);
static int  learn_paths_tables_used(const learn_paths_t *rules);


void
learn_paths_init(learn_paths_t *rules, learn_arena_t *arena,
    learn_words_t *words)
{
    memset(rules, 0, sizeof(learn_paths_t));

    rules->arena = arena;
    rules->words = words;

    learn_arena_init(&rules->own);
}


void
learn_paths_release(learn_paths_t *rules)
{
    free(rules->rules);
    learn_arena_release(&rules->own);
}


void
learn_paths_clear(learn_paths_t *rules)
{
    rules->careful = 0;

    if (rules->n == 0 && rules->ntables == 0) {
        return;
    }

    learn_arena_release(&rules->own);
    learn_arena_init(&rules->own);

    rules->n = 0;
    rules->ntables = 0;
}


void
learn_paths_careful(learn_paths_t *rules)
{
    rules->careful = 1;
}


void
learn_paths_begin(learn_paths_t *rules)
{
    memset(rules->forms, 0, sizeof(rules->forms));

    rules->forms[0].deep = MIQPS_PATHS_NO_DEEP;
    rules->forms[1].deep = MIQPS_PATHS_NO_DEEP;
    rules->target = 0;
    rules->nnames = 0;
    rules->ncaptures = 0;
}


void
learn_paths_source(learn_paths_t *rules)
{
    rules->target = 0;
}


void
learn_paths_target(learn_paths_t *rules)
{
    rules->target = 1;
}


/* --- tables */


const char *
learn_paths_table(learn_paths_t *rules, const miqps_str_t *name)
{
    size_t  i;

    if (rules->nnames == MIQPS_PATHS_MAX_TABLES) {
        return "a rule has at most 64 tables";
    }

    for (i = 0; i < name->len; i++) {
        if (!miqps_piece_holds(MIQPS_PIECE_WORD, name->data[i])) {
            return "a table has a name of letters, digits and \"_\"";
        }
    }

    rules->nentries = 0;
    rules->names[rules->nnames].name = *name;

    return (name->len == 0) ? "a table has a name" : NULL;
}


const char *
learn_paths_entry(learn_paths_t *rules, const miqps_str_t *value,
    const miqps_str_t *to)
{
    const char           *why;
    learn_paths_entry_t  *entry;

    if (rules->nentries == MIQPS_PATHS_MAX_ENTRIES) {
        return "a table has at most 1024 values";
    }

    entry = &rules->entries[rules->nentries++];
    why = learn_paths_word(rules, MIQPS_PLACE_TABLE, value, &entry->value);

    return (why != NULL) ? why
           : learn_paths_word(rules, MIQPS_PLACE_TABLE, to, &entry->to);
}


/* tables of a host are stored once */

const char *
learn_paths_table_end(learn_paths_t *rules)
{
    size_t                size;
    uint32_t              i;
    learn_paths_table_t  *table;

    if (rules->nentries == 0) {
        return "a table has at least one value";
    }

    qsort(rules->entries, rules->nentries, sizeof(learn_paths_entry_t),
          learn_paths_entry_cmp);

    for (i = 1; i < rules->nentries; i++) {
        if (rules->entries[i].value == rules->entries[i - 1].value) {
            return "a value of the table is there twice";
        }
    }

    for (i = 0; i < rules->ntables; i++) {
        if (learn_paths_same_table(&rules->tables[i], rules->entries,
                                   rules->nentries))
        {
            break;
        }
    }

    if (i == MIQPS_PATHS_MAX_TABLES) {
        return "the rules of a host have at most 64 different tables";
    }

    rules->names[rules->nnames++].number = (uint8_t) i;

    if (i < rules->ntables) {
        return NULL;
    }

    table = &rules->tables[rules->ntables];
    size = rules->nentries * sizeof(learn_paths_entry_t);
    table->entries = learn_arena_alloc(&rules->own, size);

    if (table->entries == NULL) {
        return learn_map_no_memory;
    }

    memcpy(table->entries, rules->entries, size);
    table->n = rules->nentries;
    rules->ntables++;

    return NULL;
}


static int
learn_paths_entry_cmp(const void *one, const void *two)
{
    const learn_paths_entry_t  *a = one;
    const learn_paths_entry_t  *b = two;

    return miqps_paths_cmp(&a->value->text, &b->value->text);
}


static int
learn_paths_same_table(const learn_paths_table_t *table,
    const learn_paths_entry_t *entries, uint32_t n)
{
    uint32_t  i;

    for (i = 0; table->n == n && i < n; i++) {
        if (table->entries[i].value != entries[i].value
            || table->entries[i].to != entries[i].to)
        {
            return 0;
        }
    }

    return table->n == n;
}


/* --- sources and targets */


const char *
learn_paths_host(learn_paths_t *rules, const miqps_str_t *text)
{
    const char          *why;
    learn_paths_form_t  *form;

    const miqps_str_t  none = miqps_null_str;

    form = &rules->forms[rules->target];
    form->has_host = 1;

    if (text->len == 0) {
        return "a host has a name";
    }

    why = learn_paths_read_text(rules, text, MIQPS_PLACE_HOST, &none,
                                &form->host);

    if (why == NULL && rules->target) {
        why = learn_check_host(text);
    }

    return why;
}


const char *
learn_paths_path(learn_paths_t *rules, const miqps_str_t *text)
{
    const char          *why;
    miqps_str_t          segment;
    const uint8_t       *p, *end, *last;
    learn_paths_form_t  *form;

    form = &rules->forms[rules->target];
    form->has_path = 1;

    p = text->data;
    last = p + text->len;

    if (text->len == 0 || *p != '/') {
        return "a path begins with \"/\"";
    }

    while (p < last) {
        p++;
        end = memchr(p, '/', (size_t) (last - p));
        end = (end == NULL) ? last : end;

        segment.data = p;
        segment.len = (size_t) (end - p);

        why = learn_paths_segment(rules, &segment, end == last);

        if (why != NULL) {
            return why;
        }

        p = end;
    }

    return learn_paths_check_path(rules);
}


static const char *
learn_paths_segment(learn_paths_t *rules, const miqps_str_t *given, int last)
{
    const char          *why;
    learn_paths_form_t  *form;
    learn_paths_text_t  *text;

    const miqps_str_t  none = miqps_null_str;

    form = &rules->forms[rules->target];

    if (form->nsegments + (form->deep != MIQPS_PATHS_NO_DEEP)
        == MIQPS_MAX_SEGMENTS)
    {
        return "a path has at most 32 segments";
    }

    if (given->len == 2 && memcmp(given->data, "**", 2) == 0) {

        if (form->deep != MIQPS_PATHS_NO_DEEP) {
            return "a path has at most one \"**\"";
        }

        form->deep = form->nsegments;

        return NULL;
    }

    if (given->len == 0 && !last) {
        return "a segment that is not the last one is not empty";
    }

    text = &form->segments[form->nsegments++];
    why = learn_paths_read_text(rules, given, MIQPS_PLACE_PATH, &none, text);

    return (why == NULL && learn_paths_dots(text))
           ? "no segment is \".\" or \"..\"" : why;
}


static int
learn_paths_dots(const learn_paths_text_t *text)
{
    const miqps_str_t  *str;

    if (text->n != 1 || text->pieces[0].kind != MIQPS_PIECE_LITERAL) {
        return 0;
    }

    str = &text->pieces[0].literal->text;

    return (str->len == 1 && str->data[0] == '.')
           || (str->len == 2 && memcmp(str->data, "..", 2) == 0);
}


static const char *
learn_paths_check_path(const learn_paths_t *rules)
{
    uint32_t                   i, raw;
    const learn_paths_form_t  *form;

    form = &rules->forms[rules->target];

    if (!rules->target) {
        return NULL;
    }

    if (!rules->forms[0].has_path) {
        return "\"from\" has no path";
    }

    if (form->deep != MIQPS_PATHS_NO_DEEP
        && rules->forms[0].deep == MIQPS_PATHS_NO_DEEP)
    {
        return "\"from\" has no \"**\"";
    }

    if (form->deep != MIQPS_PATHS_NO_DEEP && form->deep != form->nsegments
        && rules->forms[0].deep == rules->forms[0].nsegments)
    {
        return "\"**\" that ends \"from\" can only end \"to\"";
    }

    raw = 0;

    for (i = 0; i < rules->ncaptures; i++) {
        raw += (rules->captures[i].kind == MIQPS_PIECE_RAW
                && rules->captures[i].place == MIQPS_PLACE_PATH);
    }

    return (form->nraw != 0 && form->nraw != raw)
           ? "there are more \"*\" in \"from\"; name them, as in {a:raw}"
           : NULL;
}


void
learn_paths_params(learn_paths_t *rules)
{
    rules->forms[rules->target].has_params = 1;
}


const char *
learn_paths_param(learn_paths_t *rules, const miqps_str_t *name,
    const miqps_str_t *text)
{
    uint8_t               out[3 * LEARN_CHECK_MAX_NAME];
    uint32_t              i;
    const char           *why;
    miqps_str_t           seen;
    learn_word_t         *word;
    learn_paths_form_t   *form;
    learn_paths_param_t   param;

    form = &rules->forms[rules->target];

    if (name->len == 1 && name->data[0] == '*') {

        if (rules->target || text->len != 1 || text->data[0] != '*') {
            return "\"*\": \"*\" stands in \"from\" for all other parameters";
        }

        form->rest = 1;

        return NULL;
    }

    why = learn_check_name(name, out, &seen);

    if (why == NULL) {
        why = learn_paths_word(rules, MIQPS_PLACE_NAME, &seen, &word);
    }

    if (why != NULL) {
        return why;
    }

    if (form->nparams == MIQPS_PATHS_MAX_PARAMS) {
        return "a rule has at most 16 parameters";
    }

    param.name = word;
    why = learn_paths_read_text(rules, text, MIQPS_PLACE_VALUE, &word->text,
                                &param.text);

    if (why != NULL) {
        return why;
    }

    for (i = form->nparams; i > 0; i--) {

        if (form->params[i - 1].name == word) {
            return "the name is there twice";
        }

        if (miqps_paths_cmp(&form->params[i - 1].name->text, &word->text) < 0)
        {
            break;
        }

        form->params[i] = form->params[i - 1];
    }

    form->params[i] = param;
    form->nparams++;

    return NULL;
}


const char *
learn_paths_end(learn_paths_t *rules)
{
    uint32_t             max;
    const char          *why;
    learn_paths_rule_t  *p;

    if (!rules->forms[1].has_host && !rules->forms[1].has_path
        && !rules->forms[1].has_params)
    {
        return "\"to\" changes nothing";
    }

    if (!learn_paths_tables_used(rules)) {
        return "one of \"tables\" is no type of \"from\"";
    }

    if (rules->n == MIQPS_PATHS_MAX) {
        return "a host has at most 256 rules";
    }

    if (rules->n == rules->max) {
        max = (rules->max == 0) ? 16 : 2 * rules->max;
        p = realloc(rules->rules, max * sizeof(learn_paths_rule_t));

        if (p == NULL) {
            return learn_map_no_memory;
        }

        rules->rules = p;
        rules->max = max;
    }

    why = learn_paths_encode(rules, &rules->rules[rules->n]);

    if (why == NULL) {
        rules->rules[rules->n].number = rules->n;
        rules->n++;
    }

    return why;
}


static int
learn_paths_tables_used(const learn_paths_t *rules)
{
    uint32_t  i, k;

    for (i = 0; i < rules->nnames; i++) {
        for (k = 0; k < rules->ncaptures; k++) {
            if (rules->captures[k].kind == MIQPS_PIECE_TABLE
                && rules->captures[k].table == rules->names[i].number)
            {
                break;
            }
        }

        if (k == rules->ncaptures) {
            return 0;
        }
    }

    return 1;
}
