
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_SET_H_INCLUDED_
#define _TREE_SET_H_INCLUDED_


#include "arena.h"
#include "tree_keys.h"


/*
 * URLS AS NUMBERS
 *
 * What a tree is learned from: URLs in their key-value form, each with the
 * number of its cluster.  Every pair of a key and a value has a number, in
 * the order in which they were first seen, and a URL is a row of such numbers.
 * All that comes later goes over these rows and over columns beside them, and
 * does not look at a byte of a URL again:
 *
 *     rows      0       4       8        11         where a row begins
 *               |       |       |        |
 *     pairs     0 1 2 3 0 1 2 4 0 1 5
 *
 *     cluster   0       0       1                   of each URL
 *
 *     values    0: scheme http   1: path_0 p   2: id 7   3: sid ab
 *               4: sid cd        5: id 8
 *
 * A key that a URL does not have has no number in its row.  Rows are sorted by
 * the numbers of the keys, and URLs with the same keys are of one shape: so it
 * is known of a row what is where in it, without a look at the values.
 *
 *     shapes    0: scheme path_0 id sid   1: scheme path_0 id
 *     shape     0       0       1                   of each URL
 *
 * Values that are the same text under several keys have one of them in common,
 * "same": that is how a value is found again after it moved from the path to
 * the query.
 *
 * The text is the caller's, and has to stay as long as the set; or, with
 * "copy", the set has each key and each value once for itself.
 */

typedef enum {
    LEARN_VALUE_DIGITS = 1,        /* one or more */
    LEARN_VALUE_HEX = 2,           /* eight or more */
    LEARN_VALUE_UUID = 4
} learn_value_type_e;


typedef struct {
    const uint8_t     *text;
    unsigned           len:29;
    unsigned           types:3;    /* what it could be, as bits */
    uint32_t           key;
    uint32_t           hash;
    uint32_t           same;       /* the first value with this text */
} learn_value_t;


typedef struct {
    uint32_t           first;      /* of its keys, in shape_keys */
    uint32_t           n;
    uint64_t           hash;
} learn_shape_t;


typedef struct {
    learn_key_t        key;
    uint32_t           rank;       /* in the order of learn_key_compare() */
    uint32_t           urls;       /* that have it */
    uint32_t           stamp;      /* the last of them, from 1, and ... */
    uint32_t           again;      /* ... the key of its last such name */
} learn_set_key_t;


typedef struct {
    learn_arena_t      arena;
    uint64_t           seed;       /* of hashes */
    int                copy;       /* texts; set it before the first URL */
    uint8_t           *pool;       /* for these */
    size_t             pool_left;

    learn_set_key_t   *keys;
    uint32_t          *by_rank;    /* keys in their order; when finished */
    uint32_t           nkeys;
    uint32_t           max_keys;

    learn_value_t     *values;
    uint32_t           nvalues;
    uint32_t           max_values;

    uint32_t          *pairs;
    uint32_t           npairs;
    uint32_t           max_pairs;

    uint32_t          *rows;       /* nurls + 1 */
    uint32_t          *clusters;   /* nurls */
    uint32_t          *shape;      /* nurls */
    uint32_t           nurls;
    uint32_t           max_urls;
    uint32_t           nclusters;

    learn_shape_t     *shapes;
    uint32_t           nshapes;
    uint32_t           max_shapes;
    uint32_t          *shape_keys;
    uint32_t           nshape_keys;
    uint32_t           max_shape_keys;

    uint32_t          *key_table;      /* places of keys; of values; ... */
    uint32_t          *value_table;
    uint32_t          *same_table;     /* ... of the first of equal texts, */
    uint32_t          *shape_table;    /* ... and of shapes */
    uint32_t           key_mask;
    uint32_t           value_mask;
    uint32_t           same_mask;
    uint32_t           shape_mask;
    uint32_t           nsame;

    uint32_t           place[LEARN_KEY_PARAM][LEARN_MAX_PAIRS];
} learn_set_t;


#define LEARN_NONE  UINT32_MAX


/* "seed" makes hashes that nobody can foresee; no result depends on it */

void learn_set_init(learn_set_t *set, uint64_t seed);
void learn_set_release(learn_set_t *set);


/*
 * Adds a URL, which learn_keys_split() may change to small letters.  Clusters
 * are numbers from 0.
 *
 *  1   it is in the set
 *  0   it is not a URL, or has too many pairs; nothing was done
 * -1   out of memory, or 4 billions of something; release the set
 */
int learn_set_add(learn_set_t *set, uint8_t *url, size_t len,
    uint32_t cluster);


/*
 * To be called once, after the last URL: orders the keys, and gives back what
 * is needed only to add, or, with "find" true, not what learn_set_find()
 * needs.  Returns 0 without memory.
 */
int learn_set_finish(learn_set_t *set, int find);


/*
 * The number of a key, and that of a value under it; LEARN_NONE if the set
 * does not have it.
 */
uint32_t learn_set_key(const learn_set_t *set, const learn_key_t *key);
uint32_t learn_set_find(const learn_set_t *set, uint32_t key,
    const miqps_str_t *value);


/* what a text could be, as bits of learn_value_type_e */

unsigned learn_value_types(const uint8_t *text, size_t len);

/* compares the bytes of two values */

int learn_value_compare(const learn_value_t *one, const learn_value_t *two);


#endif /* _TREE_SET_H_INCLUDED_ */
