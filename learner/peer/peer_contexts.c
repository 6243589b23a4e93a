
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "peer_fanout.h"
#include "tree/tree_overlap.h"


/* a context without one of its cells */

typedef struct {
    uint64_t          hash;
    uint32_t          context;     /* its number in the level */
    uint32_t          key;
    uint32_t          value;       /* LEARN_NONE: it is not there */
} learn_gap_t;


typedef struct {
    learn_context_t  *list;
    size_t            n;
    size_t            max;
    uint64_t         *known;       /* their hashes, a table; 0 is empty */
    size_t            mask;
} learn_level_t;


/* how often there is a context with this gap, for the second step */

typedef struct {
    uint64_t          hash;
    uint32_t          count;
    uint32_t          done;
} learn_gap_count_t;


typedef struct {
    learn_fan_t        *fan;
    const learn_set_t  *set;
    learn_arena_t       cluster;   /* contexts of one cluster */
    learn_level_t       one;
    learn_level_t       two;
    learn_level_t       pool;      /* what the first step has found */
    learn_gap_t        *gaps;
    size_t              ngaps;
    size_t              max_gaps;
    uint32_t           *distinct;  /* values of each key on the site, ... */
    uint32_t           *counts;    /* ... and URLs of each value */
    uint32_t           *varies;    /* keys that some contexts lack, ... */
    uint32_t            nvaries;
    uint32_t           *has;       /* ... and how many have them */
} learn_steps_t;


static int  learn_steps_init(learn_steps_t *steps);
static void  learn_steps_release(learn_steps_t *steps);
static int  learn_steps_cluster(learn_steps_t *steps, const uint32_t *urls,
    uint32_t n);
static int  learn_steps_url(learn_steps_t *steps, uint32_t url);
static int  learn_steps_stars(learn_steps_t *steps);
static int  learn_steps_gaps(learn_steps_t *steps);
static int  learn_steps_lacking(learn_steps_t *steps);
static int  learn_steps_group(learn_steps_t *steps, const learn_gap_t *gaps,
    size_t n);
static int  learn_steps_swaps(learn_steps_t *steps, const learn_gap_t *gaps,
    size_t n);
static int  learn_steps_better(const learn_steps_t *steps,
    const learn_gap_t *one, const learn_gap_t *two);
static uint32_t  learn_steps_frequency(const learn_steps_t *steps,
    const learn_gap_t *gap);
static int  learn_steps_generalize(learn_steps_t *steps);
static int  learn_steps_level(learn_steps_t *steps, learn_level_t *from,
    learn_level_t *to);
static learn_gap_count_t  *learn_steps_count(learn_gap_count_t *table,
    size_t mask, uint64_t hash);
static int  learn_steps_put(learn_steps_t *steps, learn_level_t *level,
    learn_arena_t *arena, const learn_context_t *context,
    const learn_cell_t *cell);
static int  learn_level_knows(learn_level_t *level, uint64_t hash);
static void  learn_level_clear(learn_level_t *level);
static int  learn_steps_gap(learn_steps_t *steps, uint64_t hash,
    uint32_t context, uint32_t key, uint32_t value);
static int  learn_gap_by_hash(const void *one, const void *two);


int
learn_fan_contexts(learn_fan_t *fan)
{
    int            ok;
    uint32_t       c, *starts, *urls;
    learn_steps_t  steps;

    memset(&steps, 0, sizeof(learn_steps_t));

    steps.fan = fan;
    steps.set = fan->set;
    starts = NULL;
    urls = NULL;

    learn_arena_init(&steps.cluster);

    ok = learn_steps_init(&steps)
         && learn_set_by_cluster(fan->set, &starts, &urls);

    for (c = 0; ok && c < fan->set->nclusters; c++) {
        if (starts[c + 1] - starts[c] > 1) {
            ok = learn_steps_cluster(&steps, urls + starts[c],
                                     starts[c + 1] - starts[c]);
        }
    }

    free(starts);
    free(urls);

    ok = ok && learn_steps_generalize(&steps);

    learn_steps_release(&steps);

    return ok;
}


static int
learn_steps_init(learn_steps_t *steps)
{
    uint32_t            i;
    const learn_set_t  *set;

    set = steps->set;

    steps->distinct = calloc(set->nkeys + (size_t) 1, sizeof(uint32_t));
    steps->has = calloc(set->nkeys + (size_t) 1, sizeof(uint32_t));
    steps->varies = malloc((set->nkeys + (size_t) 1) * sizeof(uint32_t));
    steps->counts = calloc(set->nvalues + (size_t) 1, sizeof(uint32_t));

    if (steps->distinct == NULL || steps->has == NULL
        || steps->varies == NULL || steps->counts == NULL)
    {
        return 0;
    }

    for (i = 0; i < set->nvalues; i++) {
        steps->distinct[set->values[i].key]++;
    }

    for (i = 0; i < set->npairs; i++) {
        steps->counts[set->pairs[i]]++;
    }

    return 1;
}


static void
learn_steps_release(learn_steps_t *steps)
{
    free(steps->one.list);
    free(steps->one.known);
    free(steps->two.list);
    free(steps->two.known);
    free(steps->pool.list);
    free(steps->pool.known);
    free(steps->gaps);
    free(steps->distinct);
    free(steps->counts);
    free(steps->varies);
    free(steps->has);

    learn_arena_release(&steps->cluster);
}


/* step 1, with one star more each time */

static int
learn_steps_cluster(learn_steps_t *steps, const uint32_t *urls, uint32_t n)
{
    int            ok;
    uint32_t       i;
    learn_level_t  level;

    ok = 1;
    learn_level_clear(&steps->one);

    for (i = 0; ok && i < n; i++) {
        ok = learn_steps_url(steps, urls[i]);
    }

    while (ok && steps->one.n > 1) {
        learn_level_clear(&steps->two);

        ok = learn_steps_stars(steps);

        level = steps->one;
        steps->one = steps->two;
        steps->two = level;
    }

    learn_arena_clear(&steps->cluster);

    return ok;
}


static int
learn_steps_url(learn_steps_t *steps, uint32_t url)
{
    uint32_t            i, j, n, rank;
    learn_cell_t        cells[LEARN_MAX_PAIRS], cell;
    learn_context_t     context;
    const learn_set_t  *set;

    n = 0;
    set = steps->set;
    memset(&cell, 0, sizeof(learn_cell_t));

    context.cells = cells;
    context.hash = 0;

    for (i = set->rows[url]; i < set->rows[url + 1]; i++) {
        cell.value = set->pairs[i];
        cell.key = set->values[cell.value].key;
        cell.kind = LEARN_CELL_LITERAL;
        rank = set->keys[cell.key].rank;

        for (j = n++; j > 0 && set->keys[cells[j - 1].key].rank > rank; j--) {
            cells[j] = cells[j - 1];
        }

        cells[j] = cell;
        context.hash += learn_cell_hash(&cell);
    }

    context.n = n;

    return learn_steps_put(steps, &steps->one, &steps->cluster, &context,
                           NULL);
}


static int
learn_steps_stars(learn_steps_t *steps)
{
    size_t  first, last;

    if (!learn_steps_gaps(steps) || !learn_steps_lacking(steps)) {
        return 0;
    }

    if (steps->ngaps > 0) {
        qsort(steps->gaps, steps->ngaps, sizeof(learn_gap_t),
              learn_gap_by_hash);
    }

    for (first = 0; first < steps->ngaps; first = last) {
        for (last = first + 1; last < steps->ngaps
                           && steps->gaps[last].hash == steps->gaps[first].hash
                           && steps->gaps[last].key == steps->gaps[first].key;
             last++)
        {
            /* void */
        }

        if (last - first > 1
            && !learn_steps_group(steps, steps->gaps + first, last - first))
        {
            return 0;
        }
    }

    return 1;
}


/* contexts of the level without each of their literals */

static int
learn_steps_gaps(learn_steps_t *steps)
{
    size_t            i;
    uint32_t          j;
    learn_cell_t     *cell;
    learn_context_t  *context;

    steps->ngaps = 0;
    steps->nvaries = 0;

    for (i = 0; i < steps->one.n; i++) {
        context = &steps->one.list[i];

        for (j = 0; j < context->n; j++) {
            cell = &context->cells[j];

            if (cell->kind != LEARN_CELL_LITERAL) {
                continue;
            }

            if (steps->has[cell->key]++ == 0) {
                steps->varies[steps->nvaries++] = cell->key;
            }

            if (!learn_steps_gap(steps, context->hash - learn_cell_hash(cell),
                                 (uint32_t) i, cell->key, cell->value))
            {
                return 0;
            }
        }
    }

    return 1;
}


/* contexts that do not have a key which others of the level have */

static int
learn_steps_lacking(learn_steps_t *steps)
{
    int               ok;
    size_t            i;
    uint32_t          j, k, n, *keys;
    learn_context_t  *context;

    ok = 1;
    n = 0;
    keys = steps->varies;

    for (k = 0; k < steps->nvaries; k++) {
        if (steps->has[keys[k]] < steps->one.n) {
            keys[n++] = keys[k];
        }

        steps->has[keys[k]] = 0;
    }

    for (i = 0; ok && n > 0 && i < steps->one.n; i++) {
        context = &steps->one.list[i];

        for (j = 0; j < context->n; j++) {
            steps->has[context->cells[j].key] = 1;
        }

        for (k = 0; ok && k < n; k++) {
            if (!steps->has[keys[k]]) {
                ok = learn_steps_gap(steps, context->hash, (uint32_t) i,
                                     keys[k], LEARN_NONE);
            }
        }

        for (j = 0; j < context->n; j++) {
            steps->has[context->cells[j].key] = 0;
        }
    }

    return ok;
}


/* contexts that differ in one key, some of which may be without it */

static int
learn_steps_group(learn_steps_t *steps, const learn_gap_t *gaps, size_t n)
{
    learn_cell_t  cell;

    /* they are sorted by value */

    if (gaps[0].value == gaps[n - 1].value) {
        return 1;
    }

    if (steps->distinct[gaps[0].key] >= steps->fan->fanout) {
        memset(&cell, 0, sizeof(learn_cell_t));

        cell.key = gaps[0].key;
        cell.kind = LEARN_CELL_STAR;

        if (!learn_steps_put(steps, &steps->two, &steps->cluster,
                             &steps->one.list[gaps[0].context], &cell)
            || !learn_steps_put(steps, &steps->pool, &steps->fan->arena,
                                &steps->one.list[gaps[0].context], &cell))
        {
            return 0;
        }
    }

    return learn_steps_swaps(steps, gaps, n);
}


static int
learn_steps_swaps(learn_steps_t *steps, const learn_gap_t *gaps, size_t n)
{
    size_t        i, best;
    uint32_t      frequency;
    learn_cell_t  cell;

    best = 0;
    memset(&cell, 0, sizeof(learn_cell_t));

    for (i = 1; i < n; i++) {
        if (learn_steps_better(steps, &gaps[i], &gaps[best])) {
            best = i;
        }
    }

    cell.key = gaps[0].key;
    cell.kind = LEARN_CELL_SWAP;
    cell.other = gaps[best].value;

    for (i = 0; i < n; i++) {
        cell.value = gaps[i].value;
        frequency = learn_steps_frequency(steps, &gaps[i]);

        /* a value that is too rare for its contexts to be generalized */

        if (cell.value == cell.other || frequency < steps->fan->fanout) {
            continue;
        }

        if (!learn_steps_put(steps, &steps->pool, &steps->fan->arena,
                             &steps->one.list[gaps[i].context], &cell))
        {
            return 0;
        }
    }

    return 1;
}


/* the more frequent one; of equal ones none at all, or by their bytes */

static int
learn_steps_better(const learn_steps_t *steps, const learn_gap_t *one,
    const learn_gap_t *two)
{
    uint32_t  a, b;

    a = learn_steps_frequency(steps, one);
    b = learn_steps_frequency(steps, two);

    if (a != b) {
        return a > b;
    }

    if (one->value == LEARN_NONE || two->value == LEARN_NONE) {
        return one->value == LEARN_NONE && two->value != LEARN_NONE;
    }

    return learn_value_compare(&steps->set->values[one->value],
                               &steps->set->values[two->value]) < 0;
}


static uint32_t
learn_steps_frequency(const learn_steps_t *steps, const learn_gap_t *gap)
{
    if (gap->value == LEARN_NONE) {
        return steps->set->nurls - steps->set->keys[gap->key].urls;
    }

    return steps->counts[gap->value];
}


/* step 2 */

static int
learn_steps_generalize(learn_steps_t *steps)
{
    int            ok;
    size_t         i, total;
    learn_level_t  level;

    total = steps->pool.n;

    level = steps->one;
    steps->one = steps->pool;
    steps->pool = level;

    for (ok = 1; ok && steps->one.n > 0 && total < LEARN_MAX_CONTEXTS;
         total += steps->one.n)
    {
        learn_level_clear(&steps->two);

        ok = learn_steps_level(steps, &steps->one, &steps->two);

        for (i = 0; ok && i < steps->two.n; i++) {
            ok = learn_fan_add(steps->fan, &steps->two.list[i]);
        }

        level = steps->one;
        steps->one = steps->two;
        steps->two = level;
    }

    return ok;
}


static int
learn_steps_level(learn_steps_t *steps, learn_level_t *from,
    learn_level_t *to)
{
    int                 pass, ok;
    size_t              i, size, ncells;
    uint32_t            j;
    uint64_t            hash;
    learn_cell_t       *cell, any;
    learn_context_t    *context;
    learn_gap_count_t  *table, *count;

    ncells = 0;
    memset(&any, 0, sizeof(learn_cell_t));

    for (i = 0; i < from->n; i++) {
        ncells += from->list[i].n;
    }

    for (size = 64; size < 2 * ncells; size *= 2) { /* void */ }

    table = calloc(size, sizeof(learn_gap_count_t));

    if (table == NULL) {
        return 0;
    }

    /* contexts are all different: so are the values where a gap is the same */

    for (pass = 0, ok = 1; ok && pass < 2; pass++) {
        for (i = 0; ok && i < from->n; i++) {
            context = &from->list[i];

            for (j = 0; ok && j < context->n; j++) {
                cell = &context->cells[j];

                if (cell->kind != LEARN_CELL_LITERAL) {
                    continue;
                }

                any.key = cell->key;
                any.kind = LEARN_CELL_ANY;
                hash = context->hash - learn_cell_hash(cell)
                       + learn_cell_hash(&any);
                count = learn_steps_count(table, size - 1, hash);

                if (pass == 0) {
                    count->count++;

                } else if (count->count >= steps->fan->fanout && !count->done)
                {
                    count->done = 1;
                    ok = learn_steps_put(steps, to, &steps->fan->arena,
                                         context, &any);

                    any.kind = LEARN_CELL_STAR;
                    ok = ok && learn_steps_put(steps, to, &steps->fan->arena,
                                               context, &any);
                }
            }
        }
    }

    free(table);

    return ok;
}


static learn_gap_count_t *
learn_steps_count(learn_gap_count_t *table, size_t mask, uint64_t hash)
{
    size_t  i;

    hash = (hash != 0) ? hash : 1;
    i = (size_t) (hash >> 20) & mask;

    while (table[i].hash != hash) {
        if (table[i].hash == 0) {
            table[i].hash = hash;
            break;
        }

        i = (i + 1) & mask;
    }

    return &table[i];
}


/* adds a context with another cell, unless the level has it */

static int
learn_steps_put(learn_steps_t *steps, learn_level_t *level,
    learn_arena_t *arena, const learn_context_t *context,
    const learn_cell_t *cell)
{
    int               known;
    size_t            more;
    uint32_t          i, j, rank;
    uint64_t          hash;
    learn_context_t  *list, *new;

    hash = context->hash;
    rank = (cell != NULL) ? steps->set->keys[cell->key].rank : 0;

    for (i = 0; cell != NULL && i < context->n; i++) {
        if (steps->set->keys[context->cells[i].key].rank >= rank) {
            break;
        }
    }

    if (cell != NULL) {
        hash += learn_cell_hash(cell);

        if (i < context->n && context->cells[i].key == cell->key) {
            hash -= learn_cell_hash(&context->cells[i]);
        }
    }

    known = learn_level_knows(level, hash);

    if (known != 0) {
        return known > 0;
    }

    if (level->n == level->max) {
        more = 2 * level->max + 64;
        list = realloc(level->list, more * sizeof(learn_context_t));

        if (list == NULL) {
            return 0;
        }

        level->list = list;
        level->max = more;
    }

    new = &level->list[level->n];
    new->cells = learn_arena_alloc(arena, (context->n + (size_t) 1)
                                          * sizeof(learn_cell_t));

    if (new->cells == NULL) {
        return 0;
    }

    new->hash = hash;
    memcpy(new->cells, context->cells, i * sizeof(learn_cell_t));

    j = i;

    if (cell != NULL) {
        new->cells[i++] = *cell;
        j += (j < context->n && context->cells[j].key == cell->key);
    }

    while (j < context->n) {
        new->cells[i++] = context->cells[j++];
    }

    new->n = i;
    level->n++;

    return 1;
}


/* 1 if the hash was there, 0 if not, from now on it is; -1 without memory */

static int
learn_level_knows(learn_level_t *level, uint64_t hash)
{
    size_t     i, n, size;
    uint64_t  *table;

    size = (level->known != NULL) ? level->mask + 1 : 0;

    if (level->n >= size / 2) {
        size = (size > 0) ? 2 * size : 64;
        table = calloc(size, sizeof(uint64_t));

        if (table == NULL) {
            return -1;
        }

        free(level->known);

        level->known = table;
        level->mask = size - 1;

        for (n = 0; n < level->n; n++) {
            (void) learn_level_knows(level, level->list[n].hash);
        }
    }

    hash = (hash != 0) ? hash : 1;
    i = (size_t) (hash >> 20) & level->mask;

    while (level->known[i] != hash) {
        if (level->known[i] == 0) {
            level->known[i] = hash;
            return 0;
        }

        i = (i + 1) & level->mask;
    }

    return 1;
}


static void
learn_level_clear(learn_level_t *level)
{
    size_t  size;

    level->n = 0;

    if (level->known == NULL) {
        return;
    }

    size = level->mask + 1;

    /* a large one is not to be cleared for each small cluster */

    if (size > 4096) {
        free(level->known);
        level->known = NULL;
        return;
    }

    memset(level->known, 0, size * sizeof(uint64_t));
}


static int
learn_steps_gap(learn_steps_t *steps, uint64_t hash, uint32_t context,
    uint32_t key, uint32_t value)
{
    size_t        more;
    learn_gap_t  *gap;

    if (steps->ngaps == steps->max_gaps) {
        more = 2 * steps->max_gaps + 256;
        gap = realloc(steps->gaps, more * sizeof(learn_gap_t));

        if (gap == NULL) {
            return 0;
        }

        steps->gaps = gap;
        steps->max_gaps = more;
    }

    gap = &steps->gaps[steps->ngaps++];

    gap->hash = hash;
    gap->context = context;
    gap->key = key;
    gap->value = value;

    return 1;
}


static int
learn_gap_by_hash(const void *one, const void *two)
{
    const learn_gap_t  *a, *b;

    a = one;
    b = two;

    if (a->hash != b->hash) {
        return (a->hash > b->hash) ? 1 : -1;
    }

    if (a->key != b->key) {
        return (a->key > b->key) ? 1 : -1;
    }

    return (a->value > b->value) - (a->value < b->value);
}
