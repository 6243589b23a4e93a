
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "tree_set.h"


#define LEARN_SET_MIN    1024          /* of a table and of a column */
#define LEARN_MAX_VALUE  (1u << 29)

/* a shorter one may as well be a word, such as "cafe" */

#define LEARN_MIN_HEX    8

/* bytes of texts that are taken from the arena at once */

#define LEARN_SET_POOL   32768


static uint32_t  learn_set_row(learn_set_t *set, uint32_t *row,
    const learn_pair_t *pairs, size_t n);
static uint32_t  learn_set_shape(learn_set_t *set, const uint32_t *keys,
    size_t n);
static uint32_t  learn_set_pair_key(learn_set_t *set,
    const learn_pair_t *pair);
static uint32_t  learn_set_make_key(learn_set_t *set, const learn_key_t *key);
static uint64_t  learn_set_key_hash(const learn_set_t *set,
    const learn_key_t *key);
static uint32_t  learn_set_make_value(learn_set_t *set, uint32_t key,
    const miqps_str_t *text);
static uint32_t  learn_set_value_place(const learn_set_t *set, uint32_t key,
    const miqps_str_t *text, uint32_t hash);
static int  learn_set_same(learn_set_t *set, learn_value_t *value);
static const uint8_t  *learn_set_text(learn_set_t *set, const uint8_t *text,
    size_t len);
static uint32_t  learn_set_mix(uint32_t hash, uint32_t key);
static int  learn_set_room(void *column, uint32_t *max, size_t n,
    size_t size);
static void  learn_set_trim(void *column, uint32_t *max, size_t n,
    size_t size);
static int  learn_set_grow_values(learn_set_t *set);
static int  learn_set_grow_same(learn_set_t *set);
static int  learn_set_grow_keys(learn_set_t *set);
static int  learn_set_grow_shapes(learn_set_t *set);
static int  learn_set_by_key(const void *one, const void *two);


void
learn_set_init(learn_set_t *set, uint64_t seed)
{
    memset(set, 0, sizeof(learn_set_t));
    memset(set->place, 0xff, sizeof(set->place));

    learn_arena_init(&set->arena);

    set->seed = seed;
}


void
learn_set_release(learn_set_t *set)
{
    free(set->keys);
    free(set->by_rank);
    free(set->values);
    free(set->pairs);
    free(set->rows);
    free(set->clusters);
    free(set->shape);
    free(set->shapes);
    free(set->shape_keys);
    free(set->shape_table);
    free(set->key_table);
    free(set->value_table);
    free(set->same_table);

    learn_arena_release(&set->arena);
}


int
learn_set_add(learn_set_t *set, uint8_t *url, size_t len, uint32_t cluster)
{
    size_t        n;
    uint32_t      max, other, shape;
    learn_pair_t  pairs[LEARN_MAX_PAIRS];

    n = learn_keys_split(url, len, pairs);

    if (n == 0) {
        return 0;
    }

    max = set->max_urls;
    other = set->max_urls;

    if (!learn_set_room(&set->clusters, &max, set->nurls + (size_t) 2, 4)
        || !learn_set_room(&set->shape, &other, set->nurls + (size_t) 2, 4)
        || !learn_set_room(&set->rows, &set->max_urls,
                           set->nurls + (size_t) 2, 4)
        || !learn_set_room(&set->pairs, &set->max_pairs, set->npairs + n, 4))
    {
        return -1;
    }

    shape = learn_set_row(set, set->pairs + set->npairs, pairs, n);

    if (shape == LEARN_NONE) {
        return -1;
    }

    set->rows[0] = 0;
    set->npairs += (uint32_t) n;
    set->shape[set->nurls] = shape;
    set->clusters[set->nurls++] = cluster;
    set->rows[set->nurls] = set->npairs;

    if (cluster >= set->nclusters) {
        set->nclusters = cluster + 1;
    }

    return 1;
}


/* a row, sorted by keys; returns its shape, LEARN_NONE without memory */

static uint32_t
learn_set_row(learn_set_t *set, uint32_t *row, const learn_pair_t *pairs,
    size_t n)
{
    size_t    i, j;
    uint32_t  key, value, keys[LEARN_MAX_PAIRS];

    for (i = 0; i < n; i++) {
        key = learn_set_pair_key(set, &pairs[i]);

        if (key == LEARN_NONE) {
            return LEARN_NONE;
        }

        value = learn_set_make_value(set, key, &pairs[i].value);

        if (value == LEARN_NONE) {
            return LEARN_NONE;
        }

        for (j = i; j > 0 && keys[j - 1] > key; j--) {
            keys[j] = keys[j - 1];
            row[j] = row[j - 1];
        }

        keys[j] = key;
        row[j] = value;
    }

    return learn_set_shape(set, keys, n);
}


static uint32_t
learn_set_shape(learn_set_t *set, const uint32_t *keys, size_t n)
{
    uint32_t        i, found;
    uint64_t        hash;
    learn_shape_t  *shape;

    if (!learn_set_grow_shapes(set)) {
        return LEARN_NONE;
    }

    hash = XXH3_64bits_withSeed(keys, n * sizeof(uint32_t), set->seed);
    i = (uint32_t) hash & set->shape_mask;

    while ((found = set->shape_table[i]) != LEARN_NONE) {
        shape = &set->shapes[found];

        if (shape->hash == hash && shape->n == n
            && memcmp(set->shape_keys + shape->first, keys,
                      n * sizeof(uint32_t)) == 0)
        {
            return found;
        }

        i = (i + 1) & set->shape_mask;
    }

    if (!learn_set_room(&set->shapes, &set->max_shapes,
                        set->nshapes + (size_t) 1, sizeof(learn_shape_t))
        || !learn_set_room(&set->shape_keys, &set->max_shape_keys,
                           set->nshape_keys + n, sizeof(uint32_t)))
    {
        return LEARN_NONE;
    }

    shape = &set->shapes[set->nshapes];

    shape->first = set->nshape_keys;
    shape->n = (uint32_t) n;
    shape->hash = hash;

    memcpy(set->shape_keys + shape->first, keys, n * sizeof(uint32_t));

    set->nshape_keys += (uint32_t) n;
    set->shape_table[i] = set->nshapes;

    return set->nshapes++;
}


static uint32_t
learn_set_pair_key(learn_set_t *set, const learn_pair_t *pair)
{
    uint32_t     key, again;
    learn_key_t  next;

    key = learn_set_make_key(set, &pair->key);

    if (key == LEARN_NONE) {
        return LEARN_NONE;
    }

    if (set->keys[key].stamp == set->nurls + 1) {
        next = pair->key;
        next.nth = set->keys[set->keys[key].again].key.nth + 1;

        again = learn_set_make_key(set, &next);

        if (again == LEARN_NONE) {
            return LEARN_NONE;
        }

    } else {
        again = key;
    }

    set->keys[key].stamp = set->nurls + 1;
    set->keys[key].again = again;
    set->keys[again].urls++;

    return again;
}


static uint32_t
learn_set_make_key(learn_set_t *set, const learn_key_t *key)
{
    uint32_t          n;
    learn_set_key_t  *k;

    n = learn_set_key(set, key);

    if (n != LEARN_NONE) {
        return n;
    }

    n = set->nkeys;

    if (!learn_set_room(&set->keys, &set->max_keys, n + (size_t) 1,
                        sizeof(learn_set_key_t)))
    {
        return LEARN_NONE;
    }

    k = &set->keys[n];
    memset(k, 0, sizeof(learn_set_key_t));

    k->key = *key;
    k->key.name.data = learn_set_text(set, key->name.data, key->name.len);

    if (k->key.name.data == NULL && key->name.len > 0) {
        return LEARN_NONE;
    }

    set->nkeys++;

    if (key->kind < LEARN_KEY_PARAM) {
        set->place[key->kind][key->nth] = n;
        return n;
    }

    return learn_set_grow_keys(set) ? n : LEARN_NONE;
}


uint32_t
learn_set_key(const learn_set_t *set, const learn_key_t *key)
{
    uint32_t            i, n;
    const learn_key_t  *k;

    if (key->kind < LEARN_KEY_PARAM) {
        return set->place[key->kind][key->nth];
    }

    if (set->key_table == NULL) {
        return LEARN_NONE;
    }

    i = (uint32_t) learn_set_key_hash(set, key) & set->key_mask;

    while ((n = set->key_table[i]) != LEARN_NONE) {
        k = &set->keys[n].key;

        if (k->kind == key->kind && k->nth == key->nth
            && miqps_str_eq(&k->name, &key->name))
        {
            return n;
        }

        i = (i + 1) & set->key_mask;
    }

    return LEARN_NONE;
}


static uint64_t
learn_set_key_hash(const learn_set_t *set, const learn_key_t *key)
{
    return XXH3_64bits_withSeed(key->name.data, key->name.len,
                                set->seed + 8 * key->nth + key->kind);
}


static uint32_t
learn_set_make_value(learn_set_t *set, uint32_t key, const miqps_str_t *text)
{
    uint32_t        hash, i;
    learn_value_t  *value;

    if (!learn_set_grow_values(set)) {
        return LEARN_NONE;
    }

    hash = (uint32_t) XXH3_64bits_withSeed(text->data, text->len, set->seed);
    i = learn_set_value_place(set, key, text, hash);

    if (set->value_table[i] != LEARN_NONE) {
        return set->value_table[i];
    }

    if (text->len >= LEARN_MAX_VALUE
        || !learn_set_room(&set->values, &set->max_values,
                           set->nvalues + (size_t) 1, sizeof(learn_value_t)))
    {
        return LEARN_NONE;
    }

    value = &set->values[set->nvalues];

    value->text = learn_set_text(set, text->data, text->len);
    value->len = text->len & (LEARN_MAX_VALUE - 1);
    value->types = learn_value_types(text->data, text->len) & 7;
    value->key = key;
    value->hash = hash;

    if (value->text == NULL || !learn_set_same(set, value)) {
        return LEARN_NONE;
    }

    set->value_table[i] = set->nvalues;

    return set->nvalues++;
}


/* the text itself, or a copy; NULL without memory */

static const uint8_t *
learn_set_text(learn_set_t *set, const uint8_t *text, size_t len)
{
    size_t    size;
    uint8_t  *copy;

    if (!set->copy) {
        return text;
    }

    if (set->pool == NULL || len > set->pool_left) {
        size = (len > LEARN_SET_POOL) ? len : LEARN_SET_POOL;
        set->pool = learn_arena_alloc(&set->arena, size);

        if (set->pool == NULL) {
            return NULL;
        }

        set->pool_left = size;
    }

    copy = set->pool;

    if (len > 0) {
        memcpy(copy, text, len);
    }

    set->pool += len;
    set->pool_left -= len;

    return copy;
}


/* where in the table a value is, or would be */

static uint32_t
learn_set_value_place(const learn_set_t *set, uint32_t key,
    const miqps_str_t *text, uint32_t hash)
{
    uint32_t              i, n;
    const learn_value_t  *value;

    i = learn_set_mix(hash, key) & set->value_mask;

    while ((n = set->value_table[i]) != LEARN_NONE) {
        value = &set->values[n];

        if (value->hash == hash && value->key == key
            && value->len == text->len
            && (text->len == 0 || memcmp(value->text, text->data, text->len)
                                  == 0))
        {
            break;
        }

        i = (i + 1) & set->value_mask;
    }

    return i;
}


uint32_t
learn_set_find(const learn_set_t *set, uint32_t key, const miqps_str_t *value)
{
    uint32_t  hash;

    if (set->value_table == NULL) {
        return LEARN_NONE;
    }

    hash = (uint32_t) XXH3_64bits_withSeed(value->data, value->len, set->seed);

    return set->value_table[learn_set_value_place(set, key, value, hash)];
}


/* looks whether the text of a new value was there under another key */

static int
learn_set_same(learn_set_t *set, learn_value_t *value)
{
    uint32_t              i, n;
    const learn_value_t  *first;

    if (!learn_set_grow_same(set)) {
        return 0;
    }

    i = value->hash & set->same_mask;

    while ((n = set->same_table[i]) != LEARN_NONE) {
        first = &set->values[n];

        if (first->hash == value->hash
            && learn_value_compare(first, value) == 0)
        {
            value->same = n;
            return 1;
        }

        i = (i + 1) & set->same_mask;
    }

    set->same_table[i] = set->nvalues;
    set->nsame++;

    value->same = set->nvalues;

    return 1;
}


static uint32_t
learn_set_mix(uint32_t hash, uint32_t key)
{
    return (uint32_t) (((uint64_t) (key + 1) * UINT64_C(0x9e3779b97f4a7c15)
                        >> 32) ^ hash);
}


int
learn_set_finish(learn_set_t *set, int find)
{
    uint32_t           i;
    learn_set_key_t  **order;

    order = malloc((set->nkeys + (size_t) 1) * sizeof(learn_set_key_t *));
    set->by_rank = malloc((set->nkeys + (size_t) 1) * sizeof(uint32_t));

    if (order == NULL || set->by_rank == NULL) {
        free(order);
        return 0;
    }

    for (i = 0; i < set->nkeys; i++) {
        order[i] = &set->keys[i];
    }

    qsort(order, set->nkeys, sizeof(learn_set_key_t *), learn_set_by_key);

    for (i = 0; i < set->nkeys; i++) {
        order[i]->rank = i;
        set->by_rank[i] = (uint32_t) (order[i] - set->keys);
    }

    free(order);
    free(set->same_table);
    free(set->shape_table);

    set->same_table = NULL;
    set->shape_table = NULL;

    learn_set_trim(&set->pairs, &set->max_pairs, set->npairs,
                   sizeof(uint32_t));
    learn_set_trim(&set->values, &set->max_values, set->nvalues,
                   sizeof(learn_value_t));
    learn_set_trim(&set->clusters, NULL, set->nurls, sizeof(uint32_t));
    learn_set_trim(&set->shape, NULL, set->nurls, sizeof(uint32_t));
    learn_set_trim(&set->rows, NULL, set->nurls + (size_t) 1,
                   sizeof(uint32_t));

    set->max_urls = set->nurls;

    if (!find) {
        free(set->value_table);
        set->value_table = NULL;
    }

    return 1;
}


unsigned
learn_value_types(const uint8_t *text, size_t len)
{
    size_t    i, digits, hex, dashes;
    uint8_t   c;
    unsigned  types;

    digits = 0;
    hex = 0;
    dashes = 0;

    for (i = 0; i < len; i++) {
        c = text[i];

        if (c >= '0' && c <= '9') {
            digits++;

        } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
            hex++;

        } else if (c == '-' && (i == 8 || i == 13 || i == 18 || i == 23)) {
            dashes++;

        } else {
            return 0;
        }
    }

    types = 0;

    if (len > 0 && digits == len) {
        types |= LEARN_VALUE_DIGITS;
    }

    if (len >= LEARN_MIN_HEX && dashes == 0) {
        types |= LEARN_VALUE_HEX;
    }

    if (len == 36 && dashes == 4) {
        types |= LEARN_VALUE_UUID;
    }

    return types;
}


int
learn_value_compare(const learn_value_t *one, const learn_value_t *two)
{
    int       diff;
    uint32_t  len;

    len = (one->len < two->len) ? one->len : two->len;
    diff = (len > 0) ? memcmp(one->text, two->text, len) : 0;

    return (diff != 0) ? diff : (one->len > two->len) - (one->len < two->len);
}


/* room for "n" of "size" in a column; "column" is the address of a pointer */

static int
learn_set_room(void *column, uint32_t *max, size_t n, size_t size)
{
    void    *p;
    size_t   more;

    if (n <= *max) {
        return 1;
    }

    if (n >= LEARN_NONE) {
        return 0;
    }

    more = (size_t) *max + *max / 2 + LEARN_SET_MIN;
    more = (more > n) ? more : n;
    more = (more < LEARN_NONE) ? more : LEARN_NONE - 1;

    memcpy(&p, column, sizeof(void *));

    p = realloc(p, more * size);

    if (p == NULL) {
        return 0;
    }

    memcpy(column, &p, sizeof(void *));
    *max = (uint32_t) more;

    return 1;
}


/* gives back what is more than "n" */

static void
learn_set_trim(void *column, uint32_t *max, size_t n, size_t size)
{
    void  *p;

    memcpy(&p, column, sizeof(void *));

    if (p == NULL || n == 0) {
        return;
    }

    p = realloc(p, n * size);

    if (p == NULL) {
        return;
    }

    memcpy(column, &p, sizeof(void *));

    if (max != NULL) {
        *max = (uint32_t) n;
    }
}


/* a table of "size" places, a power of two, or NULL */

static uint32_t *
learn_set_table(size_t size)
{
    uint32_t  *table;

    table = malloc(size * sizeof(uint32_t));

    if (table != NULL) {
        memset(table, 0xff, size * sizeof(uint32_t));
    }

    return table;
}


/* what a table should have if it is to have "n" entries, or 0 if it has */

static size_t
learn_set_size(const uint32_t *table, uint32_t mask, size_t n)
{
    size_t  size;

    size = (table != NULL) ? (size_t) mask + 1 : LEARN_SET_MIN / 2;

    if (table != NULL && n <= size / 4 * 3) {
        return 0;
    }

    return 2 * size;
}


static int
learn_set_grow_values(learn_set_t *set)
{
    size_t                size;
    uint32_t              i, n, *table;
    const learn_value_t  *value;

    size = learn_set_size(set->value_table, set->value_mask,
                          set->nvalues + (size_t) 1);

    if (size == 0) {
        return 1;
    }

    free(set->value_table);

    table = learn_set_table(size);
    set->value_table = table;

    if (table == NULL) {
        return 0;
    }

    set->value_mask = (uint32_t) (size - 1);

    for (n = 0; n < set->nvalues; n++) {
        value = &set->values[n];
        i = learn_set_mix(value->hash, value->key) & set->value_mask;

        while (table[i] != LEARN_NONE) {
            i = (i + 1) & set->value_mask;
        }

        table[i] = n;
    }

    return 1;
}


static int
learn_set_grow_same(learn_set_t *set)
{
    size_t     size;
    uint32_t   i, n, *table;

    size = learn_set_size(set->same_table, set->same_mask,
                          set->nsame + (size_t) 1);

    if (size == 0) {
        return 1;
    }

    free(set->same_table);

    table = learn_set_table(size);
    set->same_table = table;

    if (table == NULL) {
        return 0;
    }

    set->same_mask = (uint32_t) (size - 1);

    for (n = 0; n < set->nvalues; n++) {
        if (set->values[n].same != n) {
            continue;
        }

        i = set->values[n].hash & set->same_mask;

        while (table[i] != LEARN_NONE) {
            i = (i + 1) & set->same_mask;
        }

        table[i] = n;
    }

    return 1;
}


/* the last key is not in the table yet */

static int
learn_set_grow_keys(learn_set_t *set)
{
    size_t     size;
    uint32_t   i, n, *table;

    n = set->nkeys - 1;
    size = learn_set_size(set->key_table, set->key_mask, set->nkeys);

    if (size > 0) {
        free(set->key_table);

        set->key_table = learn_set_table(size);
        set->key_mask = (uint32_t) (size - 1);

        if (set->key_table == NULL) {
            return 0;
        }

        n = 0;
    }

    table = set->key_table;

    for (/* void */ ; n < set->nkeys; n++) {
        if (set->keys[n].key.kind < LEARN_KEY_PARAM) {
            continue;
        }

        i = (uint32_t) learn_set_key_hash(set, &set->keys[n].key)
            & set->key_mask;

        while (table[i] != LEARN_NONE) {
            i = (i + 1) & set->key_mask;
        }

        table[i] = n;
    }

    return 1;
}


static int
learn_set_grow_shapes(learn_set_t *set)
{
    size_t     size;
    uint32_t   i, n, *table;

    size = learn_set_size(set->shape_table, set->shape_mask,
                          set->nshapes + (size_t) 1);

    if (size == 0) {
        return 1;
    }

    free(set->shape_table);

    table = learn_set_table(size);
    set->shape_table = table;

    if (table == NULL) {
        return 0;
    }

    set->shape_mask = (uint32_t) (size - 1);

    for (n = 0; n < set->nshapes; n++) {
        i = (uint32_t) set->shapes[n].hash & set->shape_mask;

        while (table[i] != LEARN_NONE) {
            i = (i + 1) & set->shape_mask;
        }

        table[i] = n;
    }

    return 1;
}


static int
learn_set_by_key(const void *one, const void *two)
{
    return learn_key_compare(&(*(learn_set_key_t *const *) one)->key,
                             &(*(learn_set_key_t *const *) two)->key);
}
