
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "tree_tally.h"


static uint32_t  learn_tally_group(learn_tally_t *tally, uint32_t url,
    size_t mask, uint32_t *n);
static uint64_t  learn_tally_right(learn_tally_t *tally, size_t n);


int
learn_tally_init(learn_tally_t *tally, size_t max)
{
    size_t  size;

    for (size = 16; size < 2 * max; size *= 2) { /* void */ }

    max++;

    tally->max = max;
    tally->hashes = malloc(max * sizeof(uint64_t));
    tally->clusters = malloc(max * sizeof(uint32_t));
    tally->groups = malloc(max * sizeof(uint32_t));
    tally->sizes = malloc(max * sizeof(uint32_t));
    tally->table = malloc(size * sizeof(uint32_t));

    return tally->hashes != NULL && tally->clusters != NULL
           && tally->groups != NULL && tally->sizes != NULL
           && tally->table != NULL;
}


void
learn_tally_release(learn_tally_t *tally)
{
    free(tally->hashes);
    free(tally->clusters);
    free(tally->groups);
    free(tally->sizes);
    free(tally->table);
}


void
learn_tally_count(learn_tally_t *tally, size_t n, learn_pairs_t *pairs)
{
    size_t    i, mask;
    uint32_t  group;

    pairs->groups = 0;
    pairs->supports = 0;

    for (mask = 15; mask + 1 < 2 * n; mask = 2 * mask + 1) { /* void */ }

    memset(tally->table, 0, (mask + 1) * sizeof(uint32_t));

    for (i = 0; i < n; i++) {
        group = learn_tally_group(tally, (uint32_t) i, mask, &pairs->groups);
        pairs->supports += tally->sizes[group]++;
    }

    pairs->wrong = pairs->supports;

    if (pairs->supports > 0) {
        memset(tally->sizes, 0, pairs->groups * sizeof(uint32_t));
        pairs->wrong -= learn_tally_right(tally, n);
    }
}


/* the number of the group, a new one if there was none */

static uint32_t
learn_tally_group(learn_tally_t *tally, uint32_t url, size_t mask,
    uint32_t *n)
{
    size_t    i;
    uint32_t  first;
    uint64_t  hash;

    hash = tally->hashes[url];
    i = (size_t) (hash >> 20) & mask;

    while ((first = tally->table[i]) != 0) {
        if (tally->hashes[first - 1] == hash) {
            tally->groups[url] = tally->groups[first - 1];
            return tally->groups[url];
        }

        i = (i + 1) & mask;
    }

    tally->table[i] = url + 1;
    tally->groups[url] = *n;
    tally->sizes[*n] = 0;

    return (*n)++;
}


static uint64_t
learn_tally_right(learn_tally_t *tally, size_t n)
{
    size_t    i, first, last;
    uint64_t  right;

    right = 0;

    for (first = 0; first < n; first = last) {
        for (last = first; last < n
                           && tally->clusters[last] == tally->clusters[first];
             last++)
        {
            right += tally->sizes[tally->groups[last]]++;
        }

        for (i = first; i < last; i++) {
            tally->sizes[tally->groups[i]] = 0;
        }
    }

    return right;
}
