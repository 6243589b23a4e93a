
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "map_builder.h"
#include "map_put.h"
#include "map_rules.h"


/*
 * The rules of a host become a block: tables by their contents, rules by rank
 * and then by their sources, so that the order of telling does not matter.  A
 * copy of it, with texts of its own, is what the core checks.
 */

typedef struct {
    const learn_words_t   *words;
    uint8_t               *block;
    uint8_t               *pool;
    size_t                 len;             /* of the pool */
    miqps_paths_t          rules;
} learn_paths_copy_t;


typedef struct {
    learn_paths_rule_t     rule;
    uint64_t               rank;
    const miqps_paths_t   *rules;
    miqps_rewrite_t        rewrite;
} learn_paths_sort_t;


static void  learn_paths_order_tables(learn_paths_t *rules);
static int  learn_paths_table_cmp(const void *one, const void *two);
static void  learn_paths_renumber(void *data, uint8_t *p);
static void  learn_paths_nothing(void *data, uint8_t *p);
static const char  *learn_paths_order(learn_paths_t *rules,
    const uint8_t *block, size_t size, uint32_t *which, uint32_t *other);
static int  learn_paths_cmp(const void *one, const void *two);
static int  learn_paths_source_cmp(const learn_paths_sort_t *a,
    const learn_paths_sort_t *b);
static int  learn_paths_text_cmp(const miqps_paths_t *rules,
    const uint8_t *one, const uint8_t *two);
static const char  *learn_paths_check(const learn_paths_t *rules,
    const uint8_t *block, size_t size, uint32_t *which, uint32_t *other);
static size_t  learn_paths_size(const learn_paths_t *rules);
static void  learn_paths_write(const learn_paths_t *rules, uint8_t *block);
static uint8_t  *learn_paths_write_table(const learn_paths_table_t *table,
    uint8_t *p);
static int  learn_paths_copy(learn_paths_copy_t *copy,
    const learn_paths_t *rules, const uint8_t *block, size_t size);
static void  learn_paths_copy_release(learn_paths_copy_t *copy);
static void  learn_paths_copy_size(void *data, uint8_t *p);
static void  learn_paths_copy_text(void *data, uint8_t *p);


const char *
learn_paths_block(learn_paths_t *rules, learn_paths_block_t **block,
    uint32_t *which, uint32_t *other)
{
    size_t       size;
    const char  *why;

    *which = 0;
    *other = 0;
    *block = NULL;

    if (rules->n == 0) {
        return NULL;
    }

    learn_paths_order_tables(rules);

    size = learn_paths_size(rules);
    *block = learn_arena_alloc(rules->arena,
                               sizeof(learn_paths_block_t) + size);

    if (*block == NULL) {
        return learn_map_no_memory;
    }

    (*block)->size = (uint32_t) size;
    learn_paths_write(rules, (*block)->data);

    why = learn_paths_order(rules, (*block)->data, size, which, other);

    if (why != NULL) {
        return why;
    }

    learn_paths_write(rules, (*block)->data);

    return learn_paths_check(rules, (*block)->data, size, which, other);
}


static void
learn_paths_order_tables(learn_paths_t *rules)
{
    uint8_t              numbers[MIQPS_PATHS_MAX_TABLES];
    uint32_t             i, k;
    learn_paths_table_t  sorted[MIQPS_PATHS_MAX_TABLES];

    if (rules->ntables == 0) {
        return;
    }

    memcpy(sorted, rules->tables, sizeof(sorted));
    qsort(sorted, rules->ntables, sizeof(learn_paths_table_t),
          learn_paths_table_cmp);

    for (i = 0; i < rules->ntables; i++) {
        for (k = 0; sorted[k].entries != rules->tables[i].entries; k++) {
            /* void */
        }

        numbers[i] = (uint8_t) k;
    }

    memcpy(rules->tables, sorted, sizeof(sorted));

    for (i = 0; i < rules->n; i++) {
        learn_paths_walk(rules->rules[i].data, learn_paths_nothing,
                         learn_paths_renumber, numbers);
    }
}


static int
learn_paths_table_cmp(const void *one, const void *two)
{
    int                         rc;
    uint32_t                    i;
    const learn_paths_table_t  *a = one;
    const learn_paths_table_t  *b = two;

    for (i = 0; i < a->n && i < b->n; i++) {
        rc = miqps_paths_cmp(&a->entries[i].value->text,
                             &b->entries[i].value->text);

        if (rc == 0) {
            rc = miqps_paths_cmp(&a->entries[i].to->text,
                                 &b->entries[i].to->text);
        }

        if (rc != 0) {
            return rc;
        }
    }

    return (a->n > b->n) - (a->n < b->n);
}


static void
learn_paths_renumber(void *data, uint8_t *p)
{
    const uint8_t  *numbers = data;

    *p = numbers[*p];
}


static void
learn_paths_nothing(void *data, uint8_t *p)
{
    (void) data;
    (void) p;
}


/* puts rules->rules in the order of the image */

static const char *
learn_paths_order(learn_paths_t *rules, const uint8_t *block, size_t size,
    uint32_t *which, uint32_t *other)
{
    uint32_t             i;
    const char          *why;
    learn_paths_copy_t   copy;
    learn_paths_sort_t  *sorted;

    sorted = malloc(rules->n * sizeof(learn_paths_sort_t));

    if (!learn_paths_copy(&copy, rules, block, size) || sorted == NULL) {
        learn_paths_copy_release(&copy);
        free(sorted);

        return learn_map_no_memory;
    }

    for (i = 0; i < rules->n; i++) {
        sorted[i].rule = rules->rules[i];
        sorted[i].rules = &copy.rules;

        miqps_paths_read(&copy.rules, i, &sorted[i].rewrite);
        sorted[i].rank = miqps_paths_rank(&copy.rules, &sorted[i].rewrite);
    }

    qsort(sorted, rules->n, sizeof(learn_paths_sort_t), learn_paths_cmp);

    why = NULL;

    for (i = 0; i < rules->n; i++) {
        rules->rules[i] = sorted[i].rule;

        if (why == NULL && i > 0
            && learn_paths_source_cmp(&sorted[i - 1], &sorted[i]) == 0)
        {
            *which = sorted[i].rule.number;
            *other = sorted[i - 1].rule.number;
            why = "has the same \"from\" as";
        }

        if (why == NULL
            && miqps_paths_disguise(&copy.rules, &sorted[i].rewrite))
        {
            *which = sorted[i].rule.number;
            *other = *which;
            why = "what \"to\" makes could look like a file that caches store "
                  "for everybody: leave the \".\" of its last segment out, or "
                  "have it in that of \"from\", too";
        }
    }

    learn_paths_copy_release(&copy);
    free(sorted);

    return why;
}


static int
learn_paths_cmp(const void *one, const void *two)
{
    int                        rc;
    const learn_paths_sort_t  *a = one;
    const learn_paths_sort_t  *b = two;

    if (a->rank != b->rank) {
        return (a->rank < b->rank) ? -1 : 1;
    }

    rc = learn_paths_source_cmp(a, b);

    /* the one that is complained of is the later one */

    return (rc != 0) ? rc
           : (a->rule.number > b->rule.number)
             - (a->rule.number < b->rule.number);
}


/* of the same rank, sources have as many segments and parameters */

static int
learn_paths_source_cmp(const learn_paths_sort_t *a,
    const learn_paths_sort_t *b)
{
    int                  rc;
    uint32_t             i;
    miqps_str_t          one, two;
    const miqps_form_t  *f, *g;

    if (a->rank != b->rank) {
        return 1;
    }

    f = &a->rewrite.from;
    g = &b->rewrite.from;

    if (f->deep != g->deep) {
        return f->deep - g->deep;
    }

    rc = (f->host == NULL) ? 0
         : learn_paths_text_cmp(a->rules, f->host, g->host);

    for (i = 0; rc == 0 && i < f->nsegments; i++) {
        rc = learn_paths_text_cmp(a->rules, f->segments[i], g->segments[i]);
    }

    for (i = 0; rc == 0 && i < f->nparams; i++) {
        one = miqps_paths_string(a->rules, f->params[i]);
        two = miqps_paths_string(a->rules, g->params[i]);
        rc = miqps_paths_cmp(&one, &two);

        if (rc == 0) {
            rc = learn_paths_text_cmp(a->rules,
                                      f->params[i] + MIQPS_PATHS_STRING,
                                      g->params[i] + MIQPS_PATHS_STRING);
        }
    }

    return rc;
}


static int
learn_paths_text_cmp(const miqps_paths_t *rules, const uint8_t *one,
    const uint8_t *two)
{
    int            rc;
    uint32_t       n;
    miqps_piece_t  a, b;

    if (*one != *two) {
        return *one - *two;
    }

    two++;

    for (n = *one++; n > 0; n--) {
        one = miqps_piece_next(rules, one, &a);
        two = miqps_piece_next(rules, two, &b);

        rc = (int) a.kind - (int) b.kind;

        if (rc == 0 && a.kind == MIQPS_PIECE_LITERAL) {
            rc = miqps_paths_cmp(&a.literal, &b.literal);
        }

        if (rc == 0 && a.kind == MIQPS_PIECE_TABLE) {
            rc = a.number - b.number;
        }

        if (rc != 0) {
            return rc;
        }
    }

    return 0;
}


static const char *
learn_paths_check(const learn_paths_t *rules, const uint8_t *block,
    size_t size, uint32_t *which, uint32_t *other)
{
    uint32_t             one, two;
    const char          *why;
    miqps_paths_t        checked;
    learn_paths_copy_t   copy;

    if (!learn_paths_copy(&copy, rules, block, size)) {
        learn_paths_copy_release(&copy);
        return learn_map_no_memory;
    }

    why = miqps_paths_check(&checked, copy.block, size, copy.pool, copy.len);

    if (why != NULL) {
        why = "a rule makes a URL longer by more than 4096 bytes";

    } else if (!rules->careful && !miqps_paths_prove(&checked, &one, &two)) {
        *which = rules->rules[one].number;
        *other = rules->rules[two].number;

        why = (one == two)
              ? "the rule could apply again to what it has made"
              : "makes what could be changed by";
    }

    learn_paths_copy_release(&copy);

    return why;
}


/* --- writing */


static size_t
learn_paths_size(const learn_paths_t *rules)
{
    size_t    size;
    uint32_t  i;

    size = MIQPS_PATHS_HEAD + 12 * (size_t) rules->n
           + 4 * (size_t) rules->ntables;

    for (i = 0; i < rules->ntables; i++) {
        size += 2 + MIQPS_PATHS_ENTRY * (size_t) rules->tables[i].n;
    }

    for (i = 0; i < rules->n; i++) {
        size += rules->rules[i].size;
    }

    return (size + 3) & ~(size_t) 3;
}


static void
learn_paths_write(const learn_paths_t *rules, uint8_t *block)
{
    uint8_t   *p, *offsets;
    uint32_t   i;

    p = learn_put_u32(block, (uint32_t) learn_paths_size(rules));
    p = learn_put_u16(p, rules->n);
    *p++ = (uint8_t) rules->ntables;
    *p = rules->careful ? MIQPS_PATHS_CAREFUL : 0;

    for (i = 0; i < rules->n; i++) {
        *p |= (rules->rules[i].data[7] > 0) ? MIQPS_PATHS_SOME_PARAMS : 0;
    }

    p++;

    offsets = p + 8 * (size_t) rules->n;
    p = offsets + 4 * ((size_t) rules->n + rules->ntables);

    for (i = 0; i < rules->ntables; i++) {
        (void) learn_put_u32(offsets + 4 * ((size_t) rules->n + i),
                             (uint32_t) (p - block));
        p = learn_paths_write_table(&rules->tables[i], p);
    }

    for (i = 0; i < rules->n; i++) {
        offsets = learn_put_u32(offsets, (uint32_t) (p - block));
        p = learn_put_bytes(p, rules->rules[i].data, rules->rules[i].size);
    }
}


static uint8_t *
learn_paths_write_table(const learn_paths_table_t *table, uint8_t *p)
{
    uint32_t                    i;
    const learn_paths_entry_t  *entry;

    p = learn_put_u16(p, table->n);

    for (i = 0; i < table->n; i++) {
        entry = &table->entries[i];

        p = learn_put_u32(p, entry->value->number);
        p = learn_put_u16(p, (uint32_t) entry->value->text.len);
        p = learn_put_u32(p, entry->to->number);
        p = learn_put_u16(p, (uint32_t) entry->to->text.len);
    }

    return p;
}


/* --- a block with texts of its own */


static int
learn_paths_copy(learn_paths_copy_t *copy, const learn_paths_t *rules,
    const uint8_t *block, size_t size)
{
    memset(copy, 0, sizeof(learn_paths_copy_t));

    copy->words = rules->words;
    copy->block = malloc(size);

    if (copy->block == NULL) {
        return 0;
    }

    memcpy(copy->block, block, size);
    learn_paths_walk_block(copy->block, learn_paths_copy_size, copy);

    copy->pool = malloc(copy->len + 1);

    if (copy->pool == NULL) {
        return 0;
    }

    copy->len = 0;
    learn_paths_walk_block(copy->block, learn_paths_copy_text, copy);

    copy->rules.block = copy->block;
    copy->rules.pool = copy->pool;
    copy->rules.pool_size = copy->len;
    copy->rules.n = rules->n;
    copy->rules.ntables = rules->ntables;

    return 1;
}


static void
learn_paths_copy_release(learn_paths_copy_t *copy)
{
    free(copy->block);
    free(copy->pool);
}


static void
learn_paths_copy_size(void *data, uint8_t *p)
{
    learn_paths_copy_t  *copy = data;

    copy->len += miqps_get_u16(p + 4);
}


static void
learn_paths_copy_text(void *data, uint8_t *p)
{
    const miqps_str_t   *text;
    learn_paths_copy_t  *copy = data;

    text = &copy->words->words[miqps_get_u32(p)]->text;

    memcpy(copy->pool + copy->len, text->data, text->len);
    (void) learn_put_u32(p, (uint32_t) copy->len);

    copy->len += text->len;
}
