
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_overlap.h"


/* what is known of a key while a node is being looked at */

typedef struct {
    learn_fold_t    fold;
    uint64_t        sum;           /* of learn_entropy_term() */
    uint32_t        most;          /* URLs with its most frequent value */
    uint32_t        done;          /* the node that an ancestor's split of it
                                      was noted for, counted from 1 */
} learn_column_t;


typedef struct {
    uint32_t        value;         /* or LEARN_ABSENT */
    uint32_t        count;
} learn_group_t;


/* where in the rows of a shape something is */

typedef struct {
    uint32_t        node;          /* that it was looked up for, from 1 */
    uint32_t        first;         /* places of live keys, as a list */
    uint32_t        n;
    uint32_t        key_node;      /* the same for the key of the split */
    uint32_t        key;           /* or LEARN_NONE */
} learn_places_t;


typedef struct {
    learn_tree_t       *tree;
    const learn_set_t  *set;
    uint32_t           *alive;     /* of each key, the node where it has not
                                      one value, counted from 1 */
    learn_places_t     *places;    /* of each shape */
    uint32_t           *list;      /* of places */
    uint32_t            nlist;
    uint32_t            max_list;

    uint32_t           *count;     /* of each value, 0 between two nodes */
    uint32_t           *touched;   /* values of the node */
    uint32_t            ntouched;
    learn_column_t     *columns;   /* of each key, 0 but "done" */
    uint32_t           *keys;      /* of the node */
    uint32_t            nkeys;
    uint32_t           *spare;     /* as long as the order */
    learn_group_t      *groups;
    uint32_t           *heights;   /* counts of the groups */
    uint32_t           *starts;    /* where the members of a group go */
    uint32_t            ngroups;
    uint32_t            max_groups;
    uint32_t            floor;     /* no value with fewer URLs is salient */
} learn_build_t;


static int  learn_build_init(learn_build_t *build);
static int  learn_build_root_node(learn_build_t *build);
static int  learn_build_node(learn_build_t *build, uint32_t n);
static int  learn_build_count(learn_build_t *build, uint32_t n);
static learn_places_t  *learn_build_places(learn_build_t *build,
    uint32_t shape, uint32_t n);
static void  learn_build_columns(learn_build_t *build);
static int  learn_build_pattern(learn_build_t *build, uint32_t n);
static uint32_t  learn_build_key(learn_build_t *build, uint32_t shape,
    uint32_t n, uint32_t key);
static void  learn_build_done(learn_build_t *build, uint32_t n);
static uint32_t  learn_build_best(learn_build_t *build, uint32_t n);
static int  learn_build_groups(learn_build_t *build, uint32_t key,
    uint32_t volume);
static int  learn_build_split(learn_build_t *build, uint32_t n, uint32_t key);
static void  learn_build_move(learn_build_t *build, uint32_t n, uint32_t key,
    uint32_t rest);
static int  learn_build_children(learn_build_t *build, uint32_t n,
    uint32_t key, uint32_t rest);
static void  learn_build_clear(learn_build_t *build);
static uint32_t  learn_build_root(uint32_t n);


/* for qsort(), which has no other way to hand over the set */

typedef struct {
    learn_group_t         group;
    const learn_value_t  *value;   /* or NULL */
} learn_sort_t;


static int  learn_build_by_count(const void *one, const void *two);


int
learn_tree_build(learn_tree_t *tree, const learn_set_t *set)
{
    int            ok;
    uint32_t       n;
    learn_build_t  build;

    memset(tree, 0, sizeof(learn_tree_t));
    memset(&build, 0, sizeof(learn_build_t));

    learn_arena_init(&tree->arena);

    tree->set = set;
    build.tree = tree;
    build.set = set;

    ok = learn_build_init(&build) && learn_build_root_node(&build);

    for (n = 0; ok && n < tree->nnodes; n++) {
        ok = learn_build_node(&build, n);
    }

    free(build.count);
    free(build.touched);
    free(build.columns);
    free(build.keys);
    free(build.spare);
    free(build.groups);
    free(build.heights);
    free(build.starts);
    free(build.alive);
    free(build.places);
    free(build.list);

    return ok;
}


void
learn_tree_release(learn_tree_t *tree)
{
    learn_arena_release(&tree->arena);

    free(tree->patterns);
    free(tree->nodes);
    free(tree->order);
}


static int
learn_build_init(learn_build_t *build)
{
    size_t              urls, keys, values;
    learn_tree_t       *tree;
    const learn_set_t  *set;

    tree = build->tree;
    set = build->set;

    urls = set->nurls + (size_t) 1;
    keys = set->nkeys + (size_t) 1;
    values = set->nvalues + (size_t) 1;

    tree->max_nodes = 64;
    tree->nodes = malloc(tree->max_nodes * sizeof(learn_node_t));
    tree->patterns = malloc(tree->max_nodes * sizeof(learn_pattern_t));

    build->spare = malloc(urls * sizeof(uint32_t));
    build->count = calloc(values, sizeof(uint32_t));
    build->touched = malloc(values * sizeof(uint32_t));
    build->columns = calloc(keys, sizeof(learn_column_t));
    build->keys = malloc(keys * sizeof(uint32_t));
    build->alive = calloc(keys, sizeof(uint32_t));
    build->places = calloc(set->nshapes + (size_t) 1, sizeof(learn_places_t));

    /* that many values can be more frequent than the root, and an absent */

    build->floor = learn_build_root(set->nurls);
    build->max_groups = build->floor + 4;
    build->groups = malloc(build->max_groups * sizeof(learn_group_t));
    build->heights = malloc(build->max_groups * sizeof(uint32_t));
    build->starts = malloc(build->max_groups * sizeof(uint32_t));

    return tree->nodes != NULL && tree->patterns != NULL
           && build->spare != NULL
           && build->count != NULL && build->touched != NULL
           && build->columns != NULL && build->keys != NULL
           && build->alive != NULL && build->places != NULL
           && build->groups != NULL && build->heights != NULL
           && build->starts != NULL;
}


/* all URLs, by cluster, since those that are alike are looked at together */

static int
learn_build_root_node(learn_build_t *build)
{
    uint32_t      *starts;
    learn_tree_t  *tree;

    tree = build->tree;
    starts = NULL;

    if (!learn_set_by_cluster(build->set, &starts, &tree->order)) {
        free(starts);
        return 0;
    }

    free(starts);

    memset(&tree->nodes[0], 0, sizeof(learn_node_t));

    tree->nodes[0].parent = LEARN_NONE;
    tree->nodes[0].last = build->set->nurls;
    tree->nodes[0].key = LEARN_NONE;
    tree->nodes[0].value = LEARN_NONE;
    tree->nnodes = 1;
    tree->height = 1;

    return 1;
}


static int
learn_build_node(learn_build_t *build, uint32_t n)
{
    int       ok;
    uint32_t  key, volume;

    volume = learn_node_volume(&build->tree->nodes[n]);
    ok = learn_build_count(build, n);

    learn_build_columns(build);
    learn_build_done(build, n);

    ok = ok && learn_build_pattern(build, n);
    key = ok ? learn_build_best(build, n) : LEARN_NONE;

    if (key != LEARN_NONE) {
        ok = learn_build_groups(build, key, volume);

        if (ok && build->ngroups > 0
            && build->tree->nnodes < LEARN_MAX_NODES)
        {
            ok = learn_build_split(build, n, key);
        }
    }

    learn_build_clear(build);

    return ok;
}


static int
learn_build_count(learn_build_t *build, uint32_t n)
{
    uint32_t                i, j, url, value;
    const uint32_t         *row;
    learn_places_t         *places;
    const learn_set_t      *set;
    const learn_node_t     *node;
    const learn_pattern_t  *parent;

    set = build->set;
    node = &build->tree->nodes[n];

    build->ntouched = 0;
    build->nkeys = 0;
    build->nlist = 0;

    if (n == 0) {
        for (i = 0; i < set->nkeys; i++) {
            build->alive[i] = 1;
        }

    } else {
        parent = &build->tree->patterns[node->parent];

        for (i = 0; i < parent->n; i++) {
            if (!learn_field_fixed(&parent->fields[i])) {
                build->alive[parent->fields[i].key] = n + 1;
            }
        }
    }

    for (i = node->first; i < node->last; i++) {
        url = build->tree->order[i];
        places = learn_build_places(build, set->shape[url], n);

        if (places == NULL) {
            return 0;
        }

        row = set->pairs + set->rows[url];

        for (j = places->first; j < places->first + places->n; j++) {
            value = row[build->list[j]];

            if (build->count[value]++ == 0) {
                build->touched[build->ntouched++] = value;
            }
        }
    }

    return 1;
}


/* the places of live keys in the rows of a shape */

static learn_places_t *
learn_build_places(learn_build_t *build, uint32_t shape, uint32_t n)
{
    size_t                more;
    uint32_t              i, *list;
    learn_places_t       *places;
    const learn_shape_t  *s;

    places = &build->places[shape];

    if (places->node == n + 1) {
        return places;
    }

    s = &build->set->shapes[shape];

    if ((size_t) build->nlist + s->n > build->max_list) {
        more = 2 * (size_t) build->max_list + s->n + 256;
        list = (more < LEARN_NONE) ? realloc(build->list,
                                             more * sizeof(uint32_t)) : NULL;

        if (list == NULL) {
            return NULL;
        }

        build->list = list;
        build->max_list = (uint32_t) more;
    }

    places->node = n + 1;
    places->first = build->nlist;

    for (i = 0; i < s->n; i++) {
        if (build->alive[build->set->shape_keys[s->first + i]] == n + 1) {
            build->list[build->nlist++] = i;
        }
    }

    places->n = build->nlist - places->first;

    return places;
}


static void
learn_build_columns(learn_build_t *build)
{
    uint32_t         i, key, value, count;
    learn_column_t  *column;

    for (i = 0; i < build->ntouched; i++) {
        value = build->touched[i];
        key = build->set->values[value].key;
        count = build->count[value];
        column = &build->columns[key];

        if (column->fold.field.distinct == 0) {
            build->keys[build->nkeys++] = key;
        }

        learn_fold_add(build->set, &column->fold, value);

        column->fold.field.urls += count;
        column->sum += learn_entropy_term(count);
        column->most = (count > column->most) ? count : column->most;
    }
}


/* fields of the parent, as far as there are URLs here that have them */

static int
learn_build_pattern(learn_build_t *build, uint32_t n)
{
    uint32_t                i, nfields, key, volume;
    learn_field_t          *field;
    learn_column_t         *column;
    learn_pattern_t        *pattern;
    const learn_pattern_t  *parent;

    volume = learn_node_volume(&build->tree->nodes[n]);
    pattern = &build->tree->patterns[n];
    parent = (n > 0) ? &build->tree->patterns[build->tree->nodes[n].parent]
                     : NULL;
    nfields = (n > 0) ? parent->n : build->set->nkeys;

    pattern->n = 0;
    pattern->required = 0;
    pattern->fields = learn_arena_alloc(&build->tree->arena,
                                        (nfields + (size_t) 1)
                                        * sizeof(learn_field_t));

    if (pattern->fields == NULL) {
        return 0;
    }

    for (i = 0; i < nfields; i++) {
        key = (n > 0) ? parent->fields[i].key : build->set->by_rank[i];
        column = &build->columns[key];
        field = &pattern->fields[pattern->n];

        if (n > 0 && learn_field_fixed(&parent->fields[i])) {
            *field = parent->fields[i];
            field->urls = volume;

        } else if (column->fold.field.distinct > 0) {
            learn_fold_end(build->set, &column->fold, volume);
            *field = column->fold.field;

        } else {
            continue;
        }

        pattern->required += !field->optional;
        pattern->n++;
    }

    return 1;
}


static void
learn_build_done(learn_build_t *build, uint32_t n)
{
    uint32_t  up;

    for (up = build->tree->nodes[n].parent; up != LEARN_NONE;
         up = build->tree->nodes[up].parent)
    {
        build->columns[build->tree->nodes[up].key].done = n + 1;
    }
}


/*
 * The entropy is log N less the sum divided by N, and N is the same for all
 * keys: it is smallest where the sum is largest.
 */

static uint32_t
learn_build_best(learn_build_t *build, uint32_t n)
{
    uint32_t         i, key, best, volume, absent;
    uint64_t         sum, best_sum;
    learn_column_t  *column;

    best = LEARN_NONE;
    best_sum = 0;
    volume = learn_node_volume(&build->tree->nodes[n]);

    for (i = 0; i < build->nkeys; i++) {
        key = build->keys[i];
        column = &build->columns[key];

        absent = volume - column->fold.field.urls;
        sum = column->sum + learn_entropy_term(absent);

        if (absent > column->most) {
            column->most = absent;
        }

        if (column->done == n + 1 || volume - column->most <= build->floor)
        {
            continue;
        }

        if (best == LEARN_NONE || sum > best_sum
            || (sum == best_sum
                && build->set->keys[key].rank < build->set->keys[best].rank))
        {
            best = key;
            best_sum = sum;
        }
    }

    return best;
}


/* the salient values of a key, in the order of the children */

static int
learn_build_groups(learn_build_t *build, uint32_t key, uint32_t volume)
{
    uint32_t       i, value, absent, ngroups;
    learn_sort_t  *sort;

    sort = malloc(build->max_groups * sizeof(learn_sort_t));

    if (sort == NULL) {
        return 0;
    }

    ngroups = 0;

    for (i = 0; i < build->ntouched; i++) {
        value = build->touched[i];

        if (build->set->values[value].key == key
            && build->count[value] > build->floor)
        {
            sort[ngroups].group.value = value;
            sort[ngroups].group.count = build->count[value];
            sort[ngroups++].value = &build->set->values[value];
        }
    }

    absent = volume - build->columns[key].fold.field.urls;

    if (absent > build->floor) {
        sort[ngroups].group.value = LEARN_ABSENT;
        sort[ngroups].group.count = absent;
        sort[ngroups++].value = NULL;
    }

    qsort(sort, ngroups, sizeof(learn_sort_t), learn_build_by_count);

    for (i = 0; i < ngroups; i++) {
        build->groups[i] = sort[i].group;
        build->heights[i] = sort[i].group.count;
    }

    free(sort);

    build->ngroups = (uint32_t) learn_salient(build->heights, ngroups,
                                              build->floor);

    return 1;
}


static int
learn_build_split(learn_build_t *build, uint32_t n, uint32_t key)
{
    uint32_t  i, rest;

    rest = learn_node_volume(&build->tree->nodes[n]);

    for (i = 0; i < build->ngroups; i++) {
        build->starts[i] = learn_node_volume(&build->tree->nodes[n]) - rest;
        rest -= build->groups[i].count;
    }

    if (!learn_build_children(build, n, key, rest)) {
        return 0;
    }

    learn_build_move(build, n, key, rest);

    return 1;
}


/* puts the members of each child beside each other */

static void
learn_build_move(learn_build_t *build, uint32_t n, uint32_t key, uint32_t rest)
{
    uint32_t             i, url, place, group, none, trivial, *order;
    const learn_set_t   *set;
    const learn_node_t  *node;

    set = build->set;
    order = build->tree->order;
    node = &build->tree->nodes[n];

    /* counts are not needed any more: they become numbers of groups */

    for (i = 0; i < build->ntouched; i++) {
        build->count[build->touched[i]] = build->ngroups;
    }

    none = build->ngroups;
    trivial = build->ngroups;

    for (i = 0; i < build->ngroups; i++) {
        if (build->groups[i].value == LEARN_ABSENT) {
            none = i;

        } else {
            build->count[build->groups[i].value] = i;
        }
    }

    build->starts[trivial] = learn_node_volume(node) - rest;

    for (i = node->first; i < node->last; i++) {
        url = order[i];
        place = learn_build_key(build, set->shape[url], n, key);

        group = (place == LEARN_NONE)
                ? none : build->count[set->pairs[set->rows[url] + place]];

        build->spare[build->starts[group]++] = url;
    }

    memcpy(order + node->first, build->spare,
           learn_node_volume(node) * sizeof(uint32_t));
}


/* the place of one key in the rows of a shape, or LEARN_NONE */

static uint32_t
learn_build_key(learn_build_t *build, uint32_t shape, uint32_t n, uint32_t key)
{
    uint32_t              i;
    learn_places_t       *places;
    const learn_shape_t  *s;

    places = &build->places[shape];

    if (places->key_node != n + 1) {
        s = &build->set->shapes[shape];

        for (i = 0; i < s->n; i++) {
            if (build->set->shape_keys[s->first + i] == key) {
                break;
            }
        }

        places->key_node = n + 1;
        places->key = (i < s->n) ? i : LEARN_NONE;
    }

    return places->key;
}


static int
learn_build_children(learn_build_t *build, uint32_t n, uint32_t key,
    uint32_t rest)
{
    uint32_t          i, more;
    learn_node_t     *nodes, *child, *node;
    learn_tree_t     *tree;
    learn_pattern_t  *patterns;

    tree = build->tree;
    more = tree->nnodes + build->ngroups + 1;

    if (more > tree->max_nodes) {
        more += more / 2;
        nodes = realloc(tree->nodes, more * sizeof(learn_node_t));

        if (nodes == NULL) {
            return 0;
        }

        tree->nodes = nodes;

        patterns = realloc(tree->patterns, more * sizeof(learn_pattern_t));

        if (patterns == NULL) {
            return 0;
        }

        tree->patterns = patterns;
        tree->max_nodes = more;
    }

    node = &tree->nodes[n];

    node->key = key;
    node->children = tree->nnodes;
    node->nchildren = build->ngroups + (rest > 0);

    for (i = 0; i < node->nchildren; i++) {
        child = &tree->nodes[tree->nnodes++];

        memset(child, 0, sizeof(learn_node_t));

        child->parent = n;
        child->key = LEARN_NONE;
        child->depth = node->depth + 1;

        if (i < build->ngroups) {
            child->value = build->groups[i].value;
            child->first = node->first + build->starts[i];
            child->last = child->first + build->groups[i].count;

        } else {
            child->value = LEARN_TRIVIAL;
            child->first = node->last - rest;
            child->last = node->last;
        }
    }

    if (node->depth + 2 > tree->height) {
        tree->height = node->depth + 2;
    }

    return 1;
}


static void
learn_build_clear(learn_build_t *build)
{
    uint32_t         i;
    learn_column_t  *column;

    for (i = 0; i < build->ntouched; i++) {
        build->count[build->touched[i]] = 0;
    }

    for (i = 0; i < build->nkeys; i++) {
        column = &build->columns[build->keys[i]];

        memset(&column->fold, 0, sizeof(learn_fold_t));

        column->sum = 0;
        column->most = 0;
    }
}


/* the square root, rounded down */

static uint32_t
learn_build_root(uint32_t n)
{
    uint32_t  root, bit;

    root = 0;

    for (bit = UINT32_C(1) << 15; bit > 0; bit >>= 1) {
        if ((uint64_t) (root | bit) * (root | bit) <= n) {
            root |= bit;
        }
    }

    return root;
}


/* the largest first, of equal ones the absent and then by their bytes */

static int
learn_build_by_count(const void *one, const void *two)
{
    const learn_sort_t  *a, *b;

    a = one;
    b = two;

    if (a->group.count != b->group.count) {
        return (a->group.count > b->group.count) ? -1 : 1;
    }

    if (a->value == NULL || b->value == NULL) {
        return (a->value != NULL) - (b->value != NULL);
    }

    return learn_value_compare(a->value, b->value);
}
