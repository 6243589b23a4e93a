
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _PEER_FANOUT_H_INCLUDED_
#define _PEER_FANOUT_H_INCLUDED_


#include "tree/tree_select.h"
#include "tree/tree_set.h"


/*
 * REWRITE RULES FROM PAIRS OF URLS, after Dasgupta, Kumar and Sasturkar, in
 * the form in which the paper on pattern trees describes and measures it
 *
 * A context is a URL in its key-value form in which some keys may be open:
 *
 *     literal   the key has this value
 *     any       it has some value, which stays
 *     star      whatever it has, or that it is not there, becomes "*"
 *     swap      it has one value, or is not there, and gets another, or is
 *               dropped
 *
 * and a rule is a context with a star or a swap.  Rules are found from the
 * bottom up, and only ever from inputs that differ in a single key:
 *
 *   1. Two URLs of a cluster that differ in one key make a context with a star
 *      there, if the key has "fanout" values at least on the whole site; and
 *      one with a swap, of the value that is rarer on the site for the one
 *      that is more frequent.  Contexts of one cluster with the same stars
 *      that differ in one key make one with a star more.
 *
 *   2. Contexts that differ in one literal key, whatever their clusters, make
 *      one in which the key is "any", if it has "fanout" different values
 *      among them; and one in which it is a star, since what was seen does not
 *      tell whether the key matters.  This goes on with what came out, until
 *      nothing does.
 *
 * All that comes out of step 2 is a candidate, also what was generalized
 * further: it may be good where the general one is not.  Which are any good,
 * the proof tells.
 *
 * Nothing here compares pairs.  The hash of a context is the sum of hashes of
 * its cells, so that those that differ in one key are found as those that are
 * equal without it, in time that grows with the number of cells.
 */

typedef enum {
    LEARN_CELL_LITERAL = 0,
    LEARN_CELL_ANY,
    LEARN_CELL_STAR,
    LEARN_CELL_SWAP
} learn_cell_e;


typedef struct {
    uint32_t             key;
    uint32_t             value;    /* a literal; what is swapped, LEARN_NONE
                                      if that is not there, ... */
    uint32_t             other;    /* ... and for what, the same */
    learn_cell_e         kind;
} learn_cell_t;


typedef struct {
    learn_cell_t        *cells;    /* by the rank of their keys */
    uint32_t             n;
    uint64_t             hash;     /* the sum of learn_cell_hash() */
} learn_context_t;


/* URLs that are in a rule, by which keys they have and what these are */

typedef struct {
    learn_cell_t        *cells;    /* their values do not count; a swap is
                                      a literal or not there */
    uint32_t             n;
    uint32_t             required; /* cells that are not stars */
    uint64_t             hash;
    unsigned             deployed:1;
} learn_fan_form_t;


/* an entry: URLs of a form with these literals are those of the rule */

typedef struct {
    uint64_t             hash;
    uint32_t             form;
    uint32_t             rule;
    uint32_t             next;     /* in the table, or LEARN_NONE */
    unsigned             target:1; /* they have what others get by a swap */
} learn_fan_entry_t;


typedef struct {
    learn_context_t      context;
    uint32_t             urls;     /* that it applies to */
    uint64_t             supports;
    uint64_t             wrong;
    double               fpr;
    unsigned             deployed:1;
} learn_fan_rule_t;


typedef struct {
    const learn_set_t   *set;
    size_t               fanout;
    learn_arena_t        arena;

    learn_fan_rule_t    *rules;
    size_t               nrules;
    size_t               max_rules;
    learn_fan_form_t    *forms;
    size_t               nforms;
    size_t               max_forms;
    learn_fan_entry_t   *entries;
    size_t               nentries;
    size_t               max_entries;
    uint32_t            *table;    /* of entries */
    size_t               mask;

    size_t               qualified;
    size_t               deployed;

    uint32_t            *stamp;    /* of each key, the last URL with it */
    uint32_t            *again;
    uint32_t            *value;    /* of each key, in the URL */
    uint32_t            *pair;
    uint32_t             now;
    uint8_t             *out[2];
    size_t               size[2];
} learn_fan_t;


/* beyond this number of contexts nothing is generalized any further */

#define LEARN_MAX_CONTEXTS  1000000


/*
 * Finds the candidates, and their rates of false positives on the URLs of the
 * set, which has to stay and to be finished for learn_set_find().  URLs count
 * that the rule changes, and those that are so already.  Returns 0 without
 * memory; release it anyway.
 */
int learn_fan_learn(learn_fan_t *fan, const learn_set_t *set, size_t fanout);
void learn_fan_release(learn_fan_t *fan);


/* naive selection of those within the limit; returns 0 without memory */

int learn_fan_select(learn_fan_t *fan, double limit);


/*
 * As learn_plan_apply().  Of several rules that apply, that with the best
 * rate counts, and then comes what applies to the result.
 */
int learn_fan_apply(learn_fan_t *fan, uint8_t *url, size_t len,
    miqps_str_t *result);


/* --- between its parts */

/* steps 1 and 2; each of these returns 0 without memory */

int learn_fan_contexts(learn_fan_t *fan);
int learn_fan_proof(learn_fan_t *fan);

/* a new candidate, whose cells are in the arena */

int learn_fan_add(learn_fan_t *fan, const learn_context_t *context);

uint64_t learn_cell_hash(const learn_cell_t *cell);

/* true if URLs with just these keys can be of the form; else false */

int learn_fan_form_has(const learn_fan_form_t *form, const uint32_t *stamp,
    uint32_t now, size_t nkeys);

/* what is looked up: a hash of the literals, that has[key] values have */

uint64_t learn_fan_form_hash(const learn_fan_form_t *form,
    const uint32_t *value);

/* the first entry, or LEARN_NONE; others follow by "next" */

uint32_t learn_fan_find(const learn_fan_t *fan, uint32_t form, uint64_t hash);


#endif /* _PEER_FANOUT_H_INCLUDED_ */
