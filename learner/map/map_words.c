
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "map_words.h"
#include "pages.h"


/* what to sort: qsort() has no room for a context */

typedef struct {
    uint64_t             key;       /* decides if it differs */
    const learn_word_t  *word;
    uint32_t             number;
} learn_sorted_t;


static int  learn_words_grow(learn_words_t *words);
static int  learn_words_cmp(const void *one, const void *two);
static uint64_t  learn_words_key(const miqps_str_t *text);


void
learn_words_init(learn_words_t *words, learn_arena_t *arena)
{
    memset(words, 0, sizeof(learn_words_t));

    words->arena = arena;
}


void
learn_words_release(learn_words_t *words)
{
    free(words->words);
    free(words->table);

    words->words = NULL;
    words->table = NULL;
}


learn_word_t *
learn_words_add(learn_words_t *words, const miqps_str_t *text)
{
    uint32_t              i;
    uint64_t              hash;
    learn_word_t         *word;
    learn_words_entry_t  *entry;

    if (words->n == words->max && !learn_words_grow(words)) {
        return NULL;
    }

    hash = XXH3_64bits(text->data, text->len);

    for (i = (uint32_t) hash & words->mask; /* void */ ;
         i = (i + 1) & words->mask)
    {
        entry = &words->table[i];

        if (entry->word == NULL) {
            break;
        }

        if (entry->hash == hash && miqps_str_eq(&entry->word->text, text)) {
            return entry->word;
        }
    }

    word = learn_arena_alloc(words->arena, sizeof(learn_word_t) + text->len);

    if (word == NULL) {
        return NULL;
    }

    if (text->len > 0) {
        memcpy(word + 1, text->data, text->len);
    }

    word->text.data = (const uint8_t *) (word + 1);
    word->text.len = text->len;
    word->number = words->n;
    word->same = words->n;
    word->uses = 0;

    words->words[words->n++] = word;

    entry->word = word;
    entry->hash = hash;

    return word;
}


void
learn_words_expect(const learn_words_t *words, const miqps_str_t *text,
    int soon)
{
    uint64_t              hash;
    learn_words_entry_t  *entry;

    if (words->table == NULL) {
        return;
    }

    hash = XXH3_64bits(text->data, text->len);
    entry = &words->table[(uint32_t) hash & words->mask];

    if (!soon) {
        __builtin_prefetch(entry);

    } else if (entry->word != NULL) {
        __builtin_prefetch(entry->word);
    }
}


static int
learn_words_grow(learn_words_t *words)
{
    uint32_t              i, k, max;
    learn_word_t        **list;
    learn_words_entry_t  *table, *old;

    if (words->max > UINT32_MAX / 8) {
        return 0;
    }

    max = (words->max == 0) ? 64 : 2 * words->max;
    list = realloc(words->words, max * sizeof(learn_word_t *));

    if (list == NULL) {
        return 0;
    }

    words->words = list;

    table = learn_pages_alloc(2 * (size_t) max * sizeof(learn_words_entry_t));

    if (table == NULL) {
        return 0;
    }

    for (k = 0; k < 2 * words->max; k++) {
        old = &words->table[k];

        if (old->word == NULL) {
            continue;
        }

        for (i = (uint32_t) old->hash & (2 * max - 1); table[i].word != NULL;
             i = (i + 1) & (2 * max - 1))
        {
            /* void */
        }

        table[i] = *old;
    }

    free(words->table);

    words->table = table;
    words->mask = 2 * max - 1;
    words->max = max;

    return 1;
}


int
learn_words_sorted(const learn_words_t *words, int frequent, uint32_t **list,
    uint32_t *n)
{
    uint32_t         i, k;
    learn_sorted_t  *sorted;

    sorted = malloc(((size_t) words->n + 1) * sizeof(learn_sorted_t));
    *list = malloc(((size_t) words->n + 1) * sizeof(uint32_t));

    if (sorted == NULL || *list == NULL) {
        free(sorted);
        free(*list);
        return 0;
    }

    k = 0;

    for (i = 0; i < words->n; i++) {
        if (words->words[i]->uses == 0) {
            continue;
        }

        sorted[k].key = frequent ? UINT64_MAX - words->words[i]->uses
                                 : learn_words_key(&words->words[i]->text);
        sorted[k].word = words->words[i];
        sorted[k].number = i;
        k++;
    }

    qsort(sorted, k, sizeof(learn_sorted_t), learn_words_cmp);

    for (i = 0; i < k; i++) {
        (*list)[i] = sorted[i].number;
    }

    free(sorted);

    *n = k;

    return 1;
}


static int
learn_words_cmp(const void *one, const void *two)
{
    const learn_sorted_t  *a = one;
    const learn_sorted_t  *b = two;

    if (a->key != b->key) {
        return (a->key < b->key) ? -1 : 1;
    }

    return learn_str_cmp(&a->word->text, &b->word->text);
}


/* the first eight bytes, in the order of memcmp() */

static uint64_t
learn_words_key(const miqps_str_t *text)
{
    size_t    i;
    uint64_t  key;

    key = 0;

    for (i = 0; i < 8; i++) {
        key = key << 8 | (i < text->len ? text->data[i] : 0);
    }

    return key;
}


int
learn_str_cmp(const miqps_str_t *one, const miqps_str_t *two)
{
    int     rc;
    size_t  len;

    len = (one->len < two->len) ? one->len : two->len;
    rc = (len > 0) ? memcmp(one->data, two->data, len) : 0;

    return (rc != 0) ? rc : (one->len > two->len) - (one->len < two->len);
}
