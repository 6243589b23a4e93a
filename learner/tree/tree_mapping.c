
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_trial.h"


/* two nodes with more keys than this map each key to itself alone */

#define LEARN_MAX_MATRIX  (1024 * 1024)


static void  learn_mapping_ops(learn_rule_t *rule,
    const learn_pattern_t *target);
static int  learn_mapping_source(learn_trial_t *trial, uint32_t source,
    const learn_pattern_t *pattern);
static int  learn_mapping_room(learn_trial_t *trial, size_t size);
static uint32_t  learn_mapping_values(learn_trial_t *trial,
    const learn_node_t *node, const learn_pattern_t *pattern, int target,
    uint32_t *values);
static const learn_takes_t  *learn_mapping_places(learn_trial_t *trial,
    uint32_t shape, const learn_pattern_t *pattern, int target);
static void  learn_mapping_chain(learn_trial_t *trial, uint32_t n);
static void  learn_mapping_count(learn_trial_t *trial, const uint32_t *values,
    uint32_t n, uint32_t width, int cross);
static void  learn_mapping_best(learn_trial_t *trial, learn_op_t *op,
    uint32_t t, const learn_pattern_t *source, const learn_pattern_t *target,
    int cross, double least);
static void  learn_mapping_back(learn_trial_t *trial, learn_op_t *op,
    uint32_t s, const learn_pattern_t *source, const learn_pattern_t *target,
    double least);


int
learn_trial_map(learn_trial_t *trial, learn_rule_t *rule,
    learn_rule_t *reverse, const learn_pattern_t *source,
    const learn_pattern_t *target, double least)
{
    int       cross;
    size_t    size;
    uint32_t  i, n;

    learn_mapping_ops(rule, target);

    /* each key of a node is the most like itself */

    if (rule->source == rule->target) {
        return 1;
    }

    /* without it, there is a column of the keys that both have */

    size = (size_t) source->n * target->n;
    cross = (size <= LEARN_MAX_MATRIX);

    if (!learn_mapping_room(trial, cross ? size : target->n)) {
        return 0;
    }

    trial->rule++;
    trial->nlist = 0;

    if (!learn_mapping_source(trial, rule->source, source)) {
        return 0;
    }

    n = learn_mapping_values(trial, &trial->tree->nodes[rule->target], target,
                             1, trial->others);

    if (n == LEARN_NONE) {
        return 0;
    }

    learn_mapping_count(trial, trial->others, n, target->n, cross);

    for (i = 0; i < target->n; i++) {
        if (rule->ops[i].kind == LEARN_OP_REPLACE) {
            learn_mapping_best(trial, &rule->ops[i], i, source, target, cross,
                               least);
        }
    }

    if (reverse == NULL || !cross) {
        return 1;
    }

    learn_mapping_ops(reverse, source);

    for (i = 0; i < source->n; i++) {
        if (reverse->ops[i].kind == LEARN_OP_REPLACE) {
            learn_mapping_back(trial, &reverse->ops[i], i, source, target,
                               least);
        }
    }

    return 1;
}


/* the values of a source, which mostly is that of the rule before */

static int
learn_mapping_source(learn_trial_t *trial, uint32_t source,
    const learn_pattern_t *pattern)
{
    uint32_t  i;

    if (trial->mapped == source + 1) {
        return 1;
    }

    for (i = 0; i < trial->nentries; i++) {
        trial->mark[trial->set->values[trial->entries[i]].same] = 0;
    }

    trial->mapped = 0;
    trial->nentries = 0;

    i = learn_mapping_values(trial, &trial->tree->nodes[source], pattern, 0,
                             trial->entries);

    if (i == LEARN_NONE) {
        return 0;
    }

    trial->mapped = source + 1;
    trial->nentries = i;

    learn_mapping_chain(trial, i);

    return 1;
}


/* keys to keep, and others as if they were copied to where they are */

static void
learn_mapping_ops(learn_rule_t *rule, const learn_pattern_t *target)
{
    uint32_t              i;
    learn_op_t           *op;
    const learn_field_t  *field;

    rule->nops = target->n;

    for (i = 0; i < target->n; i++) {
        op = &rule->ops[i];
        field = &target->fields[i];

        op->key = field->key;

        if (learn_field_fixed(field)) {
            op->kind = LEARN_OP_KEEP;
            op->from = field->value;

        } else {
            op->kind = LEARN_OP_REPLACE;
            op->from = op->key;
        }
    }
}


static int
learn_mapping_room(learn_trial_t *trial, size_t size)
{
    if (size > trial->max_matrix) {
        free(trial->matrix);

        trial->max_matrix = 2 * size;
        trial->matrix = malloc(trial->max_matrix * sizeof(uint32_t));

        if (trial->matrix == NULL) {
            trial->max_matrix = 0;
            return 0;
        }
    }

    if (size > 0) {
        memset(trial->matrix, 0, size * sizeof(uint32_t));
    }

    return 1;
}


/*
 * The values of a node, each once.  Literals are those of the pattern, and only
 * what else is in the rows is looked at.  LEARN_NONE without memory.
 */

static uint32_t
learn_mapping_values(learn_trial_t *trial, const learn_node_t *node,
    const learn_pattern_t *pattern, int target, uint32_t *values)
{
    uint32_t              i, j, n, url, value;
    const uint32_t       *row;
    const learn_set_t    *set;
    const learn_takes_t  *takes;

    n = 0;
    set = trial->set;
    trial->now++;

    for (i = 0; i < pattern->n; i++) {
        if (learn_field_fixed(&pattern->fields[i])) {
            values[n++] = pattern->fields[i].value;
        }
    }

    for (i = node->first; i < node->last; i++) {
        url = trial->tree->order[i];
        takes = learn_mapping_places(trial, set->shape[url], pattern, target);

        if (takes == NULL) {
            return LEARN_NONE;
        }

        row = set->pairs + set->rows[url];

        for (j = 0; j < takes->n; j++) {
            value = row[trial->list[takes->first + j].place];

            if (trial->seen[value] != trial->now) {
                trial->seen[value] = trial->now;
                values[n++] = value;
            }
        }
    }

    return n;
}


/* where the keys are that are not fixed, in the rows of a shape */

static const learn_takes_t *
learn_mapping_places(learn_trial_t *trial, uint32_t shape,
    const learn_pattern_t *pattern, int target)
{
    uint32_t              i, field;
    const uint32_t       *keys;
    learn_takes_t        *takes;
    const learn_shape_t  *s;

    takes = &trial->takes[2 * (size_t) shape + (size_t) target];

    if (takes->rule == trial->rule) {
        return takes;
    }

    s = &trial->set->shapes[shape];
    keys = trial->set->shape_keys + s->first;

    takes->rule = trial->rule;
    takes->first = (uint32_t) trial->nlist;

    for (i = 0; i < s->n; i++) {
        field = target ? trial->place[keys[i]] : trial->origin[keys[i]];

        if (!learn_field_fixed(&pattern->fields[field])
            && !learn_trial_take(trial, i, 0, 0))
        {
            return NULL;
        }
    }

    takes->n = (uint32_t) trial->nlist - takes->first;

    return takes;
}


/* those of equal text in one chain */

static void
learn_mapping_chain(learn_trial_t *trial, uint32_t n)
{
    uint32_t  i, same;

    for (i = 0; i < n; i++) {
        same = trial->set->values[trial->entries[i]].same;

        trial->next[i] = trial->mark[same];
        trial->mark[same] = i + 1;
    }
}


/* how many values of each key of the target are among those of each key */

static void
learn_mapping_count(learn_trial_t *trial, const uint32_t *values, uint32_t n,
    uint32_t width, int cross)
{
    uint32_t              i, e, from, t;
    const learn_value_t  *value;

    for (i = 0; i < n; i++) {
        value = &trial->set->values[values[i]];
        t = trial->place[value->key];

        for (e = trial->mark[value->same]; e != 0; e = trial->next[e - 1]) {
            from = trial->set->values[trial->entries[e - 1]].key;

            if (cross) {
                trial->matrix[trial->origin[from] * width + t]++;

            } else if (from == value->key) {
                trial->matrix[t]++;
            }
        }
    }
}


static void
learn_mapping_best(learn_trial_t *trial, learn_op_t *op, uint32_t t,
    const learn_pattern_t *source, const learn_pattern_t *target, int cross,
    double least)
{
    double    rate, best;
    uint32_t  s, common, own;

    best = 0;
    own = trial->origin[op->key];
    op->kind = LEARN_OP_IGNORE;
    op->from = LEARN_NONE;

    for (s = 0; s < source->n; s++) {
        if (!cross && s != own) {
            continue;
        }

        common = trial->matrix[cross ? s * target->n + t : t];

        rate = 2.0 * common / ((double) source->fields[s].distinct
                               + target->fields[t].distinct);

        if (rate > least && (rate > best || (rate == best && s == own))) {
            best = rate;
            op->kind = LEARN_OP_REPLACE;
            op->from = source->fields[s].key;
        }
    }
}


/* the same for a key of the source, from those of the target */

static void
learn_mapping_back(learn_trial_t *trial, learn_op_t *op, uint32_t s,
    const learn_pattern_t *source, const learn_pattern_t *target,
    double least)
{
    double    rate, best;
    uint32_t  t, common, own;

    best = 0;
    own = trial->place[op->key];
    op->kind = LEARN_OP_IGNORE;
    op->from = LEARN_NONE;

    for (t = 0; t < target->n; t++) {
        common = trial->matrix[s * target->n + t];

        rate = 2.0 * common / ((double) target->fields[t].distinct
                               + source->fields[s].distinct);

        if (rate > least && (rate > best || (rate == best && t == own))) {
            best = rate;
            op->kind = LEARN_OP_REPLACE;
            op->from = target->fields[t].key;
        }
    }
}
