
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_trial.h"


/* what is known of an operation while the URLs of a cluster come by */

typedef struct {
    uint32_t         value;
    uint32_t         urls;
    uint32_t         cluster;      /* counted from 1; 0 is none */
    unsigned         differs:1;
    uint32_t         clusters;     /* in which it did */
} learn_spread_t;


static void  learn_trial_count(learn_trial_t *trial, const learn_node_t *node);
static void  learn_trial_gather(learn_trial_t *trial,
    const learn_node_t *node, int target);
static void  learn_trial_link(learn_trial_t *trial, const learn_rule_t *rule);
static void  learn_trial_unlink(learn_trial_t *trial,
    const learn_rule_t *rule);
static const learn_takes_t  *learn_trial_takes(learn_trial_t *trial,
    const learn_rule_t *rule, uint32_t member);
static int  learn_trial_make(learn_trial_t *trial, const learn_rule_t *rule,
    uint32_t shape, int target, learn_takes_t *takes);
static int  learn_trial_spread(learn_trial_t *trial, const learn_rule_t *rule,
    learn_spread_t *spread, uint32_t *list, uint32_t *clusters);
static uint32_t  learn_trial_run(const learn_trial_t *trial, uint32_t first,
    int *common);
static uint32_t  learn_trial_note(learn_spread_t *spread, uint32_t *list,
    uint32_t n, uint32_t op, uint32_t value, uint32_t cluster);
static uint32_t  learn_trial_value(const learn_trial_t *trial,
    const uint32_t *row, const learn_take_t *take);
static uint64_t  learn_trial_mix(uint64_t op, uint32_t value);


int
learn_trial_init(learn_trial_t *trial, const learn_tree_t *tree)
{
    size_t              urls, keys, values, clusters;
    const learn_set_t  *set;

    memset(trial, 0, sizeof(learn_trial_t));

    set = tree->set;
    trial->tree = tree;
    trial->set = set;

    urls = set->nurls + (size_t) 1;
    keys = set->nkeys + (size_t) 1;
    values = set->nvalues + (size_t) 1;

    clusters = set->nclusters + (size_t) 1;

    trial->members = malloc(urls * sizeof(uint32_t));
    trial->cursor = calloc(clusters, sizeof(uint32_t));
    trial->touched = malloc(clusters * sizeof(uint32_t));
    trial->target = malloc(urls);
    trial->takes = calloc(2 * ((size_t) set->nshapes + 1),
                          sizeof(learn_takes_t));

    trial->place = malloc(keys * sizeof(uint32_t));
    trial->origin = malloc(keys * sizeof(uint32_t));
    trial->first_op = malloc(keys * sizeof(uint32_t));
    trial->next_op = malloc(keys * sizeof(uint32_t));

    trial->mark = calloc(values, sizeof(uint32_t));
    trial->seen = calloc(values, sizeof(uint32_t));
    trial->entries = malloc(values * sizeof(uint32_t));
    trial->next = malloc(values * sizeof(uint32_t));
    trial->others = malloc(values * sizeof(uint32_t));

    if (trial->members == NULL || trial->target == NULL
        || trial->cursor == NULL || trial->touched == NULL
        || trial->takes == NULL || trial->place == NULL
        || trial->origin == NULL || trial->first_op == NULL
        || trial->next_op == NULL || trial->mark == NULL
        || trial->seen == NULL || trial->entries == NULL
        || trial->next == NULL || trial->others == NULL
        || !learn_tally_init(&trial->tally, set->nurls))
    {
        return 0;
    }

    memset(trial->place, 0xff, keys * sizeof(uint32_t));
    memset(trial->origin, 0xff, keys * sizeof(uint32_t));
    memset(trial->first_op, 0xff, keys * sizeof(uint32_t));

    return 1;
}


void
learn_trial_release(learn_trial_t *trial)
{
    free(trial->members);
    free(trial->cursor);
    free(trial->touched);
    free(trial->target);
    free(trial->takes);
    free(trial->list);
    free(trial->place);
    free(trial->origin);
    free(trial->first_op);
    free(trial->next_op);
    free(trial->mark);
    free(trial->seen);
    free(trial->entries);
    free(trial->next);
    free(trial->others);
    free(trial->matrix);

    learn_tally_release(&trial->tally);
}


void
learn_trial_begin(learn_trial_t *trial, const learn_rule_t *rule,
    const learn_pattern_t *source, const learn_pattern_t *target)
{
    uint32_t             i;
    const learn_node_t  *s, *t;

    s = &trial->tree->nodes[rule->source];
    t = &trial->tree->nodes[rule->target];

    trial->nmembers = 0;
    trial->ntouched = 0;

    /* they have no members in common, or are the same */

    learn_trial_count(trial, s);

    if (s != t) {
        learn_trial_count(trial, t);
    }

    for (i = 0; i < trial->ntouched; i++) {
        trial->nmembers += trial->cursor[trial->touched[i]];
        trial->cursor[trial->touched[i]] = trial->nmembers
                                       - trial->cursor[trial->touched[i]];
    }

    learn_trial_gather(trial, s, 0);

    if (s != t) {
        learn_trial_gather(trial, t, 1);
    }

    for (i = 0; i < trial->ntouched; i++) {
        trial->cursor[trial->touched[i]] = 0;
    }

    for (i = 0; i < target->n; i++) {
        trial->place[target->fields[i].key] = i;
    }

    for (i = 0; i < source->n; i++) {
        trial->origin[source->fields[i].key] = i;
    }
}


static void
learn_trial_count(learn_trial_t *trial, const learn_node_t *node)
{
    uint32_t  i, c;

    for (i = node->first; i < node->last; i++) {
        c = trial->set->clusters[trial->tree->order[i]];

        if (trial->cursor[c]++ == 0) {
            trial->touched[trial->ntouched++] = c;
        }
    }
}


static void
learn_trial_gather(learn_trial_t *trial, const learn_node_t *node, int target)
{
    uint32_t  i, n, url;

    for (i = node->first; i < node->last; i++) {
        url = trial->tree->order[i];
        n = trial->cursor[trial->set->clusters[url]]++;

        trial->members[n] = url;
        trial->target[n] = (uint8_t) target;
    }
}


void
learn_trial_end(learn_trial_t *trial, const learn_pattern_t *source,
    const learn_pattern_t *target)
{
    uint32_t  i;

    for (i = 0; i < target->n; i++) {
        trial->place[target->fields[i].key] = LEARN_NONE;
    }

    for (i = 0; i < source->n; i++) {
        trial->origin[source->fields[i].key] = LEARN_NONE;
    }
}


/* for each key of the source, what copies it; what was looked up is void */

static void
learn_trial_link(learn_trial_t *trial, const learn_rule_t *rule)
{
    uint32_t  i, key;

    trial->rule++;
    trial->nlist = 0;

    for (i = 0; i < rule->nops; i++) {
        if (rule->ops[i].kind == LEARN_OP_REPLACE) {
            key = rule->ops[i].from;

            trial->next_op[i] = trial->first_op[key];
            trial->first_op[key] = i;
        }
    }
}


static void
learn_trial_unlink(learn_trial_t *trial, const learn_rule_t *rule)
{
    uint32_t  i;

    for (i = 0; i < rule->nops; i++) {
        if (rule->ops[i].kind == LEARN_OP_REPLACE) {
            trial->first_op[rule->ops[i].from] = LEARN_NONE;
        }
    }
}


/* what the operations take of the row of a member; NULL without memory */

static const learn_takes_t *
learn_trial_takes(learn_trial_t *trial, const learn_rule_t *rule,
    uint32_t member)
{
    int             target;
    uint32_t        shape;
    learn_takes_t  *takes;

    target = trial->target[member];
    shape = trial->set->shape[trial->members[member]];
    takes = &trial->takes[2 * (size_t) shape + (size_t) target];

    if (takes->rule != trial->rule
        && !learn_trial_make(trial, rule, shape, target, takes))
    {
        return NULL;
    }

    return takes;
}


static int
learn_trial_make(learn_trial_t *trial, const learn_rule_t *rule,
    uint32_t shape, int target, learn_takes_t *takes)
{
    uint32_t              i, op, key;
    const learn_shape_t  *s;

    s = &trial->set->shapes[shape];

    takes->rule = trial->rule;
    takes->first = (uint32_t) trial->nlist;

    for (i = 0; i < s->n; i++) {
        key = trial->set->shape_keys[s->first + i];

        if (target) {
            op = trial->place[key];

            if (rule->ops[op].kind == LEARN_OP_REPLACE
                && !learn_trial_take(trial, i, op, rule->ops[op].from != key))
            {
                return 0;
            }

            continue;
        }

        for (op = trial->first_op[key]; op != LEARN_NONE;
             op = trial->next_op[op])
        {
            if (!learn_trial_take(trial, i, op, rule->ops[op].key != key)) {
                return 0;
            }
        }
    }

    takes->n = (uint32_t) trial->nlist - takes->first;

    return 1;
}


int
learn_trial_take(learn_trial_t *trial, uint32_t place, uint32_t op, int same)
{
    size_t         more;
    learn_take_t  *list;

    if (trial->nlist == trial->max_list) {
        more = 2 * trial->max_list + 256;
        list = realloc(trial->list, more * sizeof(learn_take_t));

        if (list == NULL) {
            return 0;
        }

        trial->list = list;
        trial->max_list = more;
    }

    list = &trial->list[trial->nlist++];

    list->place = place;
    list->op = op;
    list->same = same;

    return 1;
}


static uint32_t
learn_trial_value(const learn_trial_t *trial, const uint32_t *row,
    const learn_take_t *take)
{
    uint32_t  value;

    value = row[take->place];

    return take->same ? trial->set->values[value].same : value;
}


int
learn_trial_fake(learn_trial_t *trial, learn_rule_t *rule, double most)
{
    int              ok;
    uint32_t         i, clusters, *list;
    learn_spread_t  *spread;

    spread = calloc(rule->nops + (size_t) 1, sizeof(learn_spread_t));
    list = malloc((rule->nops + (size_t) 1) * sizeof(uint32_t));
    clusters = 0;

    learn_trial_link(trial, rule);

    ok = (spread != NULL && list != NULL
          && learn_trial_spread(trial, rule, spread, list, &clusters));

    learn_trial_unlink(trial, rule);

    for (i = 0; ok && i < rule->nops; i++) {
        if (rule->ops[i].kind == LEARN_OP_REPLACE
            && spread[i].clusters > most * clusters)
        {
            rule->ops[i].kind = LEARN_OP_IGNORE;
            rule->ops[i].from = LEARN_NONE;
        }
    }

    free(spread);
    free(list);

    return ok;
}


/* in how many clusters the values of an operation differ, and of how many */

static int
learn_trial_spread(learn_trial_t *trial, const learn_rule_t *rule,
    learn_spread_t *spread, uint32_t *list, uint32_t *clusters)
{
    int                   common;
    uint32_t              i, j, n, first, last;
    const uint32_t       *row;
    const learn_take_t   *take;
    const learn_takes_t  *takes;

    for (first = 0; first < trial->nmembers; first = last) {
        last = learn_trial_run(trial, first, &common);

        if (last - first < 2 || (!common && rule->source != rule->target)) {
            continue;
        }

        (*clusters)++;
        n = 0;

        for (i = first; i < last; i++) {
            takes = learn_trial_takes(trial, rule, i);

            if (takes == NULL) {
                return 0;
            }

            row = trial->set->pairs + trial->set->rows[trial->members[i]];

            for (j = 0; j < takes->n; j++) {
                take = &trial->list[takes->first + j];
                n = learn_trial_note(spread, list, n, take->op,
                                     learn_trial_value(trial, row, take),
                                     *clusters);
            }
        }

        for (i = 0; i < n; i++) {
            spread[list[i]].clusters += (spread[list[i]].differs
                                         || spread[list[i]].urls
                                            < last - first);
        }
    }

    return 1;
}


/* where the members of the first one's cluster end, and if both nodes do */

static uint32_t
learn_trial_run(const learn_trial_t *trial, uint32_t first, int *common)
{
    uint32_t         i, c;
    const uint32_t  *clusters;

    clusters = trial->set->clusters;
    c = clusters[trial->members[first]];

    for (i = first + 1; i < trial->nmembers; i++) {
        if (clusters[trial->members[i]] != c) {
            break;
        }
    }

    /* those of the source come first */

    *common = (trial->target[first] != trial->target[i - 1]);

    return i;
}


static uint32_t
learn_trial_note(learn_spread_t *spread, uint32_t *list, uint32_t n,
    uint32_t op, uint32_t value, uint32_t cluster)
{
    learn_spread_t  *one;

    one = &spread[op];

    if (one->cluster != cluster) {
        one->cluster = cluster;
        one->value = value;
        one->urls = 0;
        one->differs = 0;
        list[n++] = op;
    }

    one->urls++;
    one->differs |= (one->value != value);

    return n;
}


/* operations that do the same to all members do not count */

int
learn_trial_proof(learn_trial_t *trial, learn_rule_t *rule)
{
    uint32_t              i, j;
    uint64_t              hash;
    const uint32_t       *row;
    learn_pairs_t         pairs;
    const learn_take_t   *take;
    const learn_takes_t  *takes;

    learn_trial_link(trial, rule);

    for (i = 0; i < trial->nmembers; i++) {
        takes = learn_trial_takes(trial, rule, i);

        if (takes == NULL) {
            break;
        }

        hash = 0;
        row = trial->set->pairs + trial->set->rows[trial->members[i]];

        for (j = 0; j < takes->n; j++) {
            take = &trial->list[takes->first + j];
            hash += learn_trial_mix(take->op,
                                    learn_trial_value(trial, row, take));
        }

        trial->tally.hashes[i] = hash;
        trial->tally.clusters[i] = trial->set->clusters[trial->members[i]];
    }

    learn_trial_unlink(trial, rule);

    if (i < trial->nmembers) {
        return 0;
    }

    learn_tally_count(&trial->tally, trial->nmembers, &pairs);

    rule->supports = pairs.supports;
    rule->wrong = pairs.wrong;
    rule->fpr = learn_pairs_rate(&pairs);

    return 1;
}


static uint64_t
learn_trial_mix(uint64_t op, uint32_t value)
{
    uint64_t  x;

    x = (op << 32 | value) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);

    return x ^ x >> 31;
}
