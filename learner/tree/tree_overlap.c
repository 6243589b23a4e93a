
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_overlap.h"


/* two nodes, the smaller number first, and their URLs in common clusters */

typedef struct {
    uint32_t         one;          /* LEARN_NONE: an empty place */
    uint32_t         two;
    uint32_t         urls_one;
    uint32_t         urls_two;
} learn_shared_t;


typedef struct {
    const learn_tree_t  *tree;
    uint32_t            *leaf;         /* of each URL */
    uint32_t            *urls;         /* of a cluster in each node */
    uint32_t            *clusters;     /* of each node */
    uint32_t            *touched;
    uint32_t             ntouched;
    learn_shared_t      *table;
    size_t               mask;
    size_t               n;
    learn_overlap_t     *list;
    size_t               nlist;
    size_t               max_list;
} learn_index_nodes_t;


static int  learn_overlap_init(learn_index_nodes_t *index);
static int  learn_overlap_cluster(learn_index_nodes_t *index,
    const uint32_t *urls, uint32_t n);
static learn_shared_t  *learn_overlap_place(learn_index_nodes_t *index,
    uint32_t one, uint32_t two);
static int  learn_overlap_grow(learn_index_nodes_t *index);
static int  learn_overlap_judge(learn_index_nodes_t *index, double least);
static int  learn_overlap_pair(learn_index_nodes_t *index,
    const learn_shared_t *shared, double least);
static int  learn_overlap_add(learn_index_nodes_t *index, uint32_t source,
    uint32_t target, uint32_t urls, uint32_t volume, double least);
static int  learn_overlap_turn(learn_index_nodes_t *index);
static int  learn_overlap_by_urls(const void *one, const void *two);
static int  learn_overlap_by_nodes(const void *one, const void *two);


int
learn_overlap_find(const learn_tree_t *tree, double least,
    learn_overlap_t **list, size_t *n)
{
    int                   ok;
    uint32_t              c, *starts, *urls;
    learn_index_nodes_t   index;

    memset(&index, 0, sizeof(learn_index_nodes_t));

    index.tree = tree;
    starts = NULL;
    urls = NULL;

    ok = learn_set_by_cluster(tree->set, &starts, &urls)
         && learn_overlap_init(&index);

    for (c = 0; ok && c < tree->set->nclusters; c++) {
        ok = learn_overlap_cluster(&index, urls + starts[c],
                                   starts[c + 1] - starts[c]);
    }

    free(starts);
    free(urls);

    ok = ok && learn_overlap_judge(&index, least);

    free(index.leaf);
    free(index.urls);
    free(index.clusters);
    free(index.touched);
    free(index.table);

    *list = index.list;
    *n = index.nlist;

    return ok;
}


int
learn_set_by_cluster(const learn_set_t *set, uint32_t **starts,
    uint32_t **urls)
{
    uint32_t  i, c, *next;

    next = calloc(set->nclusters + (size_t) 2, sizeof(uint32_t));
    *starts = next;
    *urls = malloc((set->nurls + (size_t) 1) * sizeof(uint32_t));

    if (next == NULL || *urls == NULL) {
        return 0;
    }

    /* one place further on, so that they are right after the last pass */

    next++;

    for (i = 0; i < set->nurls; i++) {
        next[set->clusters[i]]++;
    }

    for (i = 0, c = 0; c < set->nclusters; c++) {
        i += next[c];
        next[c] = i - next[c];
    }

    for (i = 0; i < set->nurls; i++) {
        (*urls)[next[set->clusters[i]]++] = i;
    }

    return 1;
}


static int
learn_overlap_init(learn_index_nodes_t *index)
{
    uint32_t             i, n;
    const learn_node_t  *node;
    const learn_tree_t  *tree;

    tree = index->tree;

    index->leaf = malloc((tree->set->nurls + (size_t) 1) * sizeof(uint32_t));
    index->urls = calloc(tree->nnodes, sizeof(uint32_t));
    index->clusters = calloc(tree->nnodes, sizeof(uint32_t));
    index->touched = malloc(tree->nnodes * sizeof(uint32_t));

    if (index->leaf == NULL || index->urls == NULL || index->clusters == NULL
        || index->touched == NULL || !learn_overlap_grow(index))
    {
        return 0;
    }

    for (n = 0; n < tree->nnodes; n++) {
        node = &tree->nodes[n];

        for (i = node->first; node->nchildren == 0 && i < node->last; i++) {
            index->leaf[tree->order[i]] = n;
        }
    }

    return 1;
}


static int
learn_overlap_cluster(learn_index_nodes_t *index, const uint32_t *urls,
    uint32_t n)
{
    uint32_t         i, j, node, one, two;
    learn_shared_t  *shared;

    index->ntouched = 0;

    for (i = 0; i < n; i++) {
        for (node = index->leaf[urls[i]]; node != LEARN_NONE;
             node = index->tree->nodes[node].parent)
        {
            if (index->urls[node]++ == 0) {
                index->touched[index->ntouched++] = node;
                index->clusters[node]++;
            }
        }
    }

    for (i = 0; i < index->ntouched && index->ntouched <= LEARN_MAX_SPREAD;
         i++)
    {
        for (j = 0; j < i; j++) {
            one = index->touched[i];
            two = index->touched[j];

            if (learn_tree_covers(index->tree, one, two)
                || learn_tree_covers(index->tree, two, one))
            {
                continue;
            }

            shared = (one < two) ? learn_overlap_place(index, one, two)
                                 : learn_overlap_place(index, two, one);

            if (shared == NULL) {
                return 0;
            }

            shared->urls_one += index->urls[shared->one];
            shared->urls_two += index->urls[shared->two];
        }
    }

    for (i = 0; i < index->ntouched; i++) {
        index->urls[index->touched[i]] = 0;
    }

    return 1;
}


static learn_shared_t *
learn_overlap_place(learn_index_nodes_t *index, uint32_t one, uint32_t two)
{
    size_t           i;
    learn_shared_t  *shared;

    i = (((uint64_t) one << 32 | two) * UINT64_C(0x9e3779b97f4a7c15) >> 32)
        & index->mask;

    for ( ;; ) {
        shared = &index->table[i];

        if (shared->one == one && shared->two == two) {
            return shared;
        }

        if (shared->one == LEARN_NONE) {
            break;
        }

        i = (i + 1) & index->mask;
    }

    if (index->n >= (index->mask + 1) / 4 * 3) {
        if (!learn_overlap_grow(index)) {
            return NULL;
        }

        return learn_overlap_place(index, one, two);
    }

    index->n++;

    shared->one = one;
    shared->two = two;
    shared->urls_one = 0;
    shared->urls_two = 0;

    return shared;
}


static int
learn_overlap_grow(learn_index_nodes_t *index)
{
    size_t           i, size;
    learn_shared_t  *old, *shared;

    old = index->table;
    size = (old != NULL) ? index->mask + 1 : 0;

    index->mask = (old != NULL) ? 2 * size - 1 : 1023;
    index->table = malloc((index->mask + 1) * sizeof(learn_shared_t));

    if (index->table != NULL) {
        memset(index->table, 0xff, (index->mask + 1) * sizeof(learn_shared_t));
        index->n = 0;

        for (i = 0; i < size; i++) {
            if (old[i].one != LEARN_NONE) {
                shared = learn_overlap_place(index, old[i].one, old[i].two);
                *shared = old[i];
            }
        }
    }

    free(old);

    return index->table != NULL;
}


static int
learn_overlap_judge(learn_index_nodes_t *index, double least)
{
    size_t               i;
    uint32_t             n, volume;
    const learn_tree_t  *tree;

    tree = index->tree;

    for (i = 0; i <= index->mask; i++) {
        if (index->table[i].one != LEARN_NONE
            && !learn_overlap_pair(index, &index->table[i], least))
        {
            return 0;
        }
    }

    for (n = 0; n < tree->nnodes; n++) {
        volume = learn_node_volume(&tree->nodes[n]);

        if (volume > 0
            && !learn_overlap_add(index, n, n, volume - index->clusters[n],
                                  volume, least))
        {
            return 0;
        }
    }

    if (index->nlist > LEARN_MAX_OVERLAPS) {
        qsort(index->list, index->nlist, sizeof(learn_overlap_t),
              learn_overlap_by_urls);
        index->nlist = LEARN_MAX_OVERLAPS;
    }

    return learn_overlap_turn(index);
}


static int
learn_overlap_pair(learn_index_nodes_t *index, const learn_shared_t *shared,
    double least)
{
    uint32_t             volume;
    const learn_tree_t  *tree;

    tree = index->tree;
    volume = learn_node_volume(&tree->nodes[shared->one])
             + learn_node_volume(&tree->nodes[shared->two]);

    return learn_overlap_add(index, shared->one, shared->two,
                             shared->urls_one + shared->urls_two, volume,
                             least);
}


static int
learn_overlap_add(learn_index_nodes_t *index, uint32_t source, uint32_t target,
    uint32_t urls, uint32_t volume, double least)
{
    double            overlap;
    size_t            more;
    learn_overlap_t  *list;

    overlap = (double) urls / volume;

    if (overlap < least) {
        return 1;
    }

    if (index->nlist == index->max_list) {
        more = 2 * index->max_list + 64;
        list = realloc(index->list, more * sizeof(learn_overlap_t));

        if (list == NULL) {
            return 0;
        }

        index->list = list;
        index->max_list = more;
    }

    list = &index->list[index->nlist++];

    list->source = source;
    list->target = target;
    list->urls = urls;
    list->overlap = overlap;

    return 1;
}


/* adds the other direction of each pair */

static int
learn_overlap_turn(learn_index_nodes_t *index)
{
    size_t            i, n;
    learn_overlap_t  *list;

    n = index->nlist;

    if (n == 0) {
        return 1;
    }

    list = realloc(index->list, 2 * n * sizeof(learn_overlap_t));

    if (list == NULL) {
        return 0;
    }

    index->list = list;

    for (i = 0; i < n; i++) {
        if (list[i].source != list[i].target) {
            list[index->nlist] = list[i];
            list[index->nlist].source = list[i].target;
            list[index->nlist++].target = list[i].source;
        }
    }

    qsort(list, index->nlist, sizeof(learn_overlap_t), learn_overlap_by_nodes);

    return 1;
}


static int
learn_overlap_by_urls(const void *one, const void *two)
{
    const learn_overlap_t  *a, *b;

    a = one;
    b = two;

    if (a->urls != b->urls) {
        return (a->urls > b->urls) ? -1 : 1;
    }

    return learn_overlap_by_nodes(one, two);
}


static int
learn_overlap_by_nodes(const void *one, const void *two)
{
    const learn_overlap_t  *a, *b;

    a = one;
    b = two;

    if (a->source != b->source) {
        return (a->source > b->source) ? 1 : -1;
    }

    return (a->target > b->target) - (a->target < b->target);
}
