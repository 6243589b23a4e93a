
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_WORDS_H_INCLUDED_
#define _MAP_WORDS_H_INCLUDED_


#include "arena.h"


/*
 * Strings, each once, numbered from 0 in the order in which they came.
 */

typedef struct {
    miqps_str_t          text;      /* right behind this struct */
    uint32_t             number;
    uint32_t             same;      /* the number that stands for it; and */
    uint32_t             uses;      /* as often; both are the user's */
} learn_word_t;


/* an entry of the table, which is at most half full */

typedef struct {
    learn_word_t        *word;      /* or NULL */
    uint64_t             hash;
} learn_words_entry_t;


typedef struct {
    learn_arena_t        *arena;    /* holds the words */
    learn_word_t        **words;
    uint32_t              n;
    uint32_t              max;
    learn_words_entry_t  *table;
    uint32_t              mask;
} learn_words_t;


void learn_words_init(learn_words_t *words, learn_arena_t *arena);
void learn_words_release(learn_words_t *words);

/* the word of a string, a new one if need be; NULL without memory */

learn_word_t *learn_words_add(learn_words_t *words, const miqps_str_t *text);

/*
 * Says that the string will be looked for, and later that it will be soon.
 * Saves time where strings are many, and is never needed.
 */
void learn_words_expect(const learn_words_t *words, const miqps_str_t *text,
    int soon);

/*
 * Numbers of the words with a use, sorted by bytes or, with "frequent", by
 * falling use first: "*list" has "*n" of them and is the caller's to free().
 * False without memory.
 */
int learn_words_sorted(const learn_words_t *words, int frequent,
    uint32_t **list, uint32_t *n);

/* as memcmp(), a shorter one first */

int learn_str_cmp(const miqps_str_t *one, const miqps_str_t *two);


#endif /* _MAP_WORDS_H_INCLUDED_ */
