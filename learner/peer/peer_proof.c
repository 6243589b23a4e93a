
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "peer_fanout.h"
#include "tree/tree_overlap.h"
#include "tree/tree_tally.h"


/* the forms that URLs of a shape can be of */

typedef struct {
    uint32_t         *forms;
    uint32_t          nforms;
    unsigned          known:1;
} learn_fan_shape_t;


/* a URL that is one of a rule's, and what it becomes there */

typedef struct {
    uint64_t          hash;
    uint32_t          rule;
    uint32_t          cluster;
} learn_hit_t;


typedef struct {
    learn_fan_t      *fan;
    learn_fan_shape_t  *shapes;
    learn_hit_t      *hits;
    size_t            nhits;
    size_t            max_hits;
} learn_proof_t;


static int  learn_proof_urls(learn_proof_t *proof);
static int  learn_proof_url(learn_proof_t *proof, uint32_t url);
static int  learn_proof_forms(learn_proof_t *proof, learn_fan_shape_t *shape,
    size_t nkeys);
static int  learn_proof_hit(learn_proof_t *proof, uint32_t entry,
    uint32_t cluster);
static int  learn_proof_count(learn_proof_t *proof);


int
learn_fan_proof(learn_fan_t *fan)
{
    int            ok;
    learn_proof_t  proof;

    memset(&proof, 0, sizeof(learn_proof_t));

    proof.fan = fan;
    proof.shapes = calloc(fan->set->nshapes + (size_t) 1,
                          sizeof(learn_fan_shape_t));

    ok = (proof.shapes != NULL && learn_proof_urls(&proof)
          && learn_proof_count(&proof));

    free(proof.shapes);
    free(proof.hits);

    return ok;
}


/* in the order of clusters, so that those of one are together */

static int
learn_proof_urls(learn_proof_t *proof)
{
    int        ok;
    uint32_t   i, *starts, *urls;

    starts = NULL;
    urls = NULL;

    ok = learn_set_by_cluster(proof->fan->set, &starts, &urls);

    for (i = 0; ok && i < proof->fan->set->nurls; i++) {
        ok = learn_proof_url(proof, urls[i]);
    }

    free(starts);
    free(urls);

    return ok;
}


static int
learn_proof_url(learn_proof_t *proof, uint32_t url)
{
    uint32_t            i, e, key, first, last;
    uint64_t            hash;
    learn_fan_t        *fan;
    const learn_set_t  *set;
    learn_fan_shape_t  *shape;

    fan = proof->fan;
    set = fan->set;
    first = set->rows[url];
    last = set->rows[url + 1];

    fan->now++;

    for (i = first; i < last; i++) {
        key = set->values[set->pairs[i]].key;

        fan->stamp[key] = fan->now;
        fan->value[key] = set->pairs[i];
    }

    shape = &proof->shapes[set->shape[url]];

    if (!shape->known && !learn_proof_forms(proof, shape, last - first)) {
        return 0;
    }

    for (i = 0; i < shape->nforms; i++) {
        hash = learn_fan_form_hash(&fan->forms[shape->forms[i]], fan->value);

        for (e = learn_fan_find(fan, shape->forms[i], hash); e != LEARN_NONE;
             e = fan->entries[e].next)
        {
            if (!learn_proof_hit(proof, e, set->clusters[url])) {
                return 0;
            }
        }
    }

    return 1;
}


static int
learn_proof_forms(learn_proof_t *proof, learn_fan_shape_t *shape, size_t nkeys)
{
    size_t        f;
    learn_fan_t  *fan;

    fan = proof->fan;

    shape->known = 1;

    for (f = 0; f < fan->nforms; f++) {
        shape->nforms += (uint32_t) learn_fan_form_has(&fan->forms[f],
                                                       fan->stamp, fan->now,
                                                       nkeys);
    }

    if (shape->nforms == 0) {
        return 1;
    }

    shape->forms = learn_arena_alloc(&fan->arena,
                                     shape->nforms * sizeof(uint32_t));

    if (shape->forms == NULL) {
        return 0;
    }

    shape->nforms = 0;

    for (f = 0; f < fan->nforms; f++) {
        if (learn_fan_form_has(&fan->forms[f], fan->stamp, fan->now, nkeys)) {
            shape->forms[shape->nforms++] = (uint32_t) f;
        }
    }

    return 1;
}


/* URLs of a rule become equal where what is "any" is equal */

static int
learn_proof_hit(learn_proof_t *proof, uint32_t entry, uint32_t cluster)
{
    size_t              more;
    uint32_t            i;
    uint64_t            hash;
    learn_fan_t        *fan;
    learn_hit_t        *hit;
    learn_cell_t        cell;
    learn_fan_form_t   *form;

    fan = proof->fan;

    if (proof->nhits == proof->max_hits) {
        more = 2 * proof->max_hits + 4096;
        hit = realloc(proof->hits, more * sizeof(learn_hit_t));

        if (hit == NULL) {
            return 0;
        }

        proof->hits = hit;
        proof->max_hits = more;
    }

    hash = 0;
    form = &fan->forms[fan->entries[entry].form];

    for (i = 0; i < form->n; i++) {
        if (form->cells[i].kind == LEARN_CELL_ANY) {
            cell.key = form->cells[i].key;
            cell.value = fan->value[cell.key];
            cell.kind = LEARN_CELL_LITERAL;
            hash += learn_cell_hash(&cell);
        }
    }

    hit = &proof->hits[proof->nhits++];

    hit->hash = hash;
    hit->rule = fan->entries[entry].rule;
    hit->cluster = cluster;

    if (!fan->entries[entry].target) {
        fan->rules[hit->rule].urls++;
    }

    return 1;
}


/* hits by rule, in the order in which they came */

static int
learn_proof_count(learn_proof_t *proof)
{
    int                ok;
    size_t             i, n, most, *starts, *order;
    learn_fan_t       *fan;
    learn_pairs_t      pairs;
    learn_tally_t      tally;
    learn_fan_rule_t  *rule;

    fan = proof->fan;
    starts = calloc(fan->nrules + 2, sizeof(size_t));
    order = malloc((proof->nhits + 1) * sizeof(size_t));
    ok = (starts != NULL && order != NULL);
    most = 0;

    for (i = 0; ok && i < proof->nhits; i++) {
        starts[proof->hits[i].rule + 2]++;
    }

    for (i = 2; ok && i < fan->nrules + 2; i++) {
        most = (starts[i] > most) ? starts[i] : most;
        starts[i] += starts[i - 1];
    }

    for (i = 0; ok && i < proof->nhits; i++) {
        order[starts[proof->hits[i].rule + 1]++] = i;
    }

    memset(&tally, 0, sizeof(learn_tally_t));
    ok = ok && learn_tally_init(&tally, most);

    for (i = 0; ok && i < fan->nrules; i++) {
        for (n = 0; n < starts[i + 1] - starts[i]; n++) {
            tally.hashes[n] = proof->hits[order[starts[i] + n]].hash;
            tally.clusters[n] = proof->hits[order[starts[i] + n]].cluster;
        }

        learn_tally_count(&tally, n, &pairs);

        rule = &fan->rules[i];
        rule->supports = pairs.supports;
        rule->wrong = pairs.wrong;
        rule->fpr = learn_pairs_rate(&pairs);
    }

    learn_tally_release(&tally);
    free(starts);
    free(order);

    return ok;
}
