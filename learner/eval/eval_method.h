
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _EVAL_METHOD_H_INCLUDED_
#define _EVAL_METHOD_H_INCLUDED_


#include "eval_alias.h"
#include "peer/peer_dust.h"
#include "peer/peer_fanout.h"
#include "site/deployed.h"
#include "site/site.h"
#include "tree/tree_options.h"


/*
 * What can be compared: each method learns candidates from one set of URLs,
 * selects among them for a limit of false positives, as often as asked, and
 * applies what it has selected to any URL.
 */

typedef enum {
    LEARN_METHOD_DUST = 0,
    LEARN_METHOD_FANOUT_5,
    LEARN_METHOD_FANOUT_10,
    LEARN_METHOD_TREE_NAIVE,
    LEARN_METHOD_TREE_GRAPH,
    LEARN_METHOD_MIQPS,
    LEARN_METHODS
} learn_method_e;


/* of CPU time */

typedef enum {
    LEARN_STAGE_SET = 0,           /* URLs become numbers */
    LEARN_STAGE_TREE,
    LEARN_STAGE_RULES,             /* candidates and their proof */
    LEARN_STAGE_SELECT,
    LEARN_STAGE_APPLY,             /* to all URLs of a site */
    LEARN_STAGES
} learn_stage_e;


typedef struct {
    learn_method_e               method;
    const learn_set_t           *set;      /* what is learned from, ... */
    const learn_line_t          *lines;    /* ... the same as lines */
    size_t                       nlines;
    const learn_tree_options_t  *options;

    double                       seconds[LEARN_STAGES];
    size_t                       raw;
    size_t                       qualified;
    size_t                       deployed;
    uint32_t                     nnodes;   /* of the tree */
    uint32_t                     height;

    learn_tree_t                 tree;
    learn_rules_t                rules;
    learn_plan_t                 plan;
    learn_fan_t                  fan;
    learn_dust_t                 dust;
    learn_site_t                 site;
    learn_deployed_t             map;
    learn_alias_t                alias;
    unsigned                     guard:1;  /* it has its say */
    unsigned                     planned:1;
} learn_learner_t;


/* "fanout-10" and so on; never NULL */

const char *learn_method_name(learn_method_e method);
const char *learn_stage_name(learn_stage_e stage);

/* LEARN_METHODS if there is no such method */

learn_method_e learn_method_find(const char *name);


/*
 * The set is finished, and lines are sorted by cluster; all of it has to stay.
 * With "guard", what nginx would leave alone is left alone by a learned map,
 * too.  Returns 0 without memory; release it anyway.
 */
int learn_learner_learn(learn_learner_t *learner, learn_method_e method,
    const learn_set_t *set, const learn_line_t *lines, size_t nlines,
    const learn_tree_options_t *options, int guard);
void learn_learner_release(learn_learner_t *learner);

/* what was selected before is forgotten; returns 0 without memory */

int learn_learner_select(learn_learner_t *learner, double limit);

/* how many would be qualified; nothing changes */

size_t learn_learner_qualified(const learn_learner_t *learner, double limit);

/* a number that is the same for the same selection */

uint64_t learn_learner_selection(const learn_learner_t *learner);

/* as learn_plan_apply() */

int learn_learner_apply(learn_learner_t *learner, uint8_t *url, size_t len,
    miqps_str_t *result);


/* seconds of CPU time that the process has used */

double learn_cpu_seconds(void);


#endif /* _EVAL_METHOD_H_INCLUDED_ */
