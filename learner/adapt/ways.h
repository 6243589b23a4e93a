
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_WAYS_H_INCLUDED_
#define _LEARN_WAYS_H_INCLUDED_


#include "adapt.h"
#include "site/site.h"


/*
 * PATH RULES, FOUND WITHOUT LABELS
 *
 * What is left of the host's URLs is looked through for those that differ in
 * one part of the path, see site_suspect.c.  Some pairs of each such step are
 * fetched; if all show the same page, and for both viewers, the step is taken,
 * and what it explains is suspected no more.  Values that have two names are
 * found by what pages declare to be, see tables.c.
 *
 * Then there is a rule for each row of steps that URLs go through.  Some of its
 * URLs are fetched as they came, and what would be made of them, without the
 * parameters that go.  A rule of which one of these is another page is none,
 * and neither is one whose result cannot be asked for.  A rule that holds for
 * any path is one for those first segments only with which it was tried.
 */

#define LEARN_WAYS_PAIRS      3          /* of a step, that are the same */
#define LEARN_WAYS_PROOFS     8          /* pairs of a rule that are kept */
#define LEARN_WAYS_TRIALS     96         /* URLs of a rule */
#define LEARN_WAYS_HEADS      32         /* first segments of a rule */


typedef enum {
    LEARN_WAY_OPEN = 0,
    LEARN_WAY_TAKEN,
    LEARN_WAY_REFUSED
} learn_way_e;


/* a URL that a rule is tried with; those with one first segment together */

typedef struct {
    uint32_t             form;
    uint32_t             head;           /* a token, or LEARN_NOTHING */
} learn_trial_t;


typedef struct {
    learn_way_e          state;
    char                *text;           /* JSON, if it is taken */
    learn_trial_t       *trials;
    uint32_t             ntrials;
    uint32_t             need;           /* of these, that are the same */
    uint32_t             heads[LEARN_WAYS_HEADS];
    uint32_t             nheads;
    learn_pair_t         pairs[LEARN_WAYS_PROOFS];
    uint32_t             npairs;
} learn_proof_t;


typedef struct learn_tables_s  learn_tables_t;


struct learn_ways_s {
    learn_site_t         site;
    uint32_t            *urls;           /* of each form: its URL */
    learn_suspect_t     *suspects;
    uint8_t             *states;         /* of these, learn_way_e */
    uint32_t             nsuspects;
    learn_site_rule_t   *rules;
    learn_proof_t       *proofs;         /* of each rule */
    uint32_t             nrules;
    learn_tables_t      *tables;         /* NULL until then */
    char                 scheme[8];
    unsigned             found:1;        /* steps are known */
};


typedef struct learn_ways_s  learn_ways_t;


/* tables.c: values that have two names; 1 when that is known */

int learn_ways_tables(learn_adapt_t *adapt, learn_ways_t *ways);


/* paths.c: forms of what is left of URLs, by what is known now; 0 without
   memory */

int learn_ways_fill(learn_adapt_t *adapt, learn_ways_t *ways);

/* the URL of a form, in the scratch memory; empty if it must not be fetched */

miqps_str_t learn_ways_url(learn_adapt_t *adapt, learn_ways_t *ways,
    const learn_form_t *form);

/* the kind whose noise counts where a form is compared with what it becomes */

learn_kind_t *learn_ways_noise(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t form, const learn_form_t *made);


#endif /* _LEARN_WAYS_H_INCLUDED_ */
