
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
 * parameters that go: others than those by which its steps were suspected, from
 * anywhere in the site, as the seed has it.  Such a pair tries all steps of the
 * row at once, and speaks for each of them; how many a step wants depends on
 * how wrong it can be, see danger.c.  A rule of which one of these is another
 * page is none, and neither is one whose result cannot be asked for, or one of
 * whose steps too little is known when there are no fetches left.  A rule that
 * holds for any path is one for those first segments only with which it was
 * tried.
 */

#define LEARN_WAYS_PAIRS      2          /* of a step, that are the same */
#define LEARN_WAYS_PROOFS     30         /* pairs of a rule that are kept */
#define LEARN_WAYS_PICKS      512        /* pairs of all rules */
#define LEARN_WAYS_HEADS      32         /* first segments of a rule */


typedef enum {
    LEARN_WAY_OPEN = 0,
    LEARN_WAY_TAKEN,
    LEARN_WAY_REFUSED
} learn_way_e;


/* a URL that a rule is tried with */

typedef struct {
    uint32_t             form;
    uint32_t             rule;
    unsigned             viewer;
    learn_said_e         said;
    learn_pair_t         pair;
} learn_trial_t;


/* first segments that a rule leads to */

typedef struct {
    uint32_t             token;          /* LEARN_NOTHING: any */
    uint32_t             good;           /* pairs that are the same */
    unsigned             bad:1;          /* one is not */
} learn_head_t;


typedef struct {
    learn_way_e          state;
    char                *text;           /* JSON, if it is taken */
    uint32_t             good;           /* pairs that are the same */
    learn_head_t         heads[LEARN_WAYS_HEADS];
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

    uint64_t            *doubted;        /* hashes of URLs by which something */
    uint32_t             ndoubted;       /* was suspected */
    uint32_t            *order;          /* forms, as the seed has it, */
    uint32_t            *rule_of;        /* the rule of each, */
    uint8_t             *tried;          /* and whether it was */
    learn_trial_t        *picks;
    uint32_t             npicks;
    uint32_t             known;          /* those before it are */
    unsigned             level;          /* how much is wanted */
    uint32_t             good[LEARN_SITE_STEPS];  /* pairs of each step */
    uint64_t             refused;        /* steps, as a trace, */
    uint64_t             scarce;         /* and those that too few speak for */

    learn_tables_t      *tables;         /* NULL until then */
    char                 scheme[8];
    unsigned             found:1;        /* steps are known */
};


typedef struct learn_ways_s  learn_ways_t;


/* danger.c: true if a step puts one word in the place of another, or of none */

int learn_danger_words(const learn_step_t *step);

/*
 * Pairs that it wants; with less than those of level 0 it is no step, or with
 * those of LEARN_DANGER_KIN, if one that is much like it was wrong.
 */

#define LEARN_DANGER_LEVELS   5
#define LEARN_DANGER_KIN      2

uint32_t learn_danger_pairs(const learn_step_t *step, unsigned level);

/* true if it makes one language of another */

int learn_danger_tongues_apart(const learn_site_t *site,
    const learn_step_t *step);

/* proof.c: a URL by which something was suspected proves nothing */

void learn_proof_doubt(learn_adapt_t *adapt, learn_ways_t *ways,
    const miqps_str_t *url);

/*
 * 1 if both of two pages that have come declare to be just what they are.
 * "*leads" if the first declares to be the second.
 */

int learn_proof_declared(learn_adapt_t *adapt, const miqps_str_t *one,
    const miqps_str_t *two, unsigned viewer, int *leads);

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
