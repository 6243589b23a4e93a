
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "eval_method.h"


static int  learn_learner_tree(learn_learner_t *learner);
static int  learn_learner_site(learn_learner_t *learner);
static uint64_t  learn_learner_mix(uint64_t hash, uint64_t number);


static const char  *learn_method_names[] = {
    "dust", "fanout-5", "fanout-10", "tree-naive", "tree-graph", "miqps"
};


static const char  *learn_stage_names[] = {
    "set", "tree", "rules", "select", "apply"
};


const char *
learn_method_name(learn_method_e method)
{
    return learn_method_names[method];
}


const char *
learn_stage_name(learn_stage_e stage)
{
    return learn_stage_names[stage];
}


learn_method_e
learn_method_find(const char *name)
{
    learn_method_e  m;

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (strcmp(learn_method_names[m], name) == 0) {
            break;
        }
    }

    return m;
}


int
learn_learner_learn(learn_learner_t *learner, learn_method_e method,
    const learn_set_t *set, const learn_line_t *lines, size_t nlines,
    const learn_tree_options_t *options, int guard)
{
    int     ok;
    double  start;

    memset(learner, 0, sizeof(learn_learner_t));

    learner->method = method;
    learner->set = set;
    learner->lines = lines;
    learner->nlines = nlines;
    learner->options = options;
    learner->guard = (guard != 0);

    if (method == LEARN_METHOD_TREE_NAIVE || method == LEARN_METHOD_TREE_GRAPH)
    {
        return learn_learner_tree(learner);
    }

    if (method == LEARN_METHOD_MIQPS) {
        return learn_learner_site(learner);
    }

    start = learn_cpu_seconds();

    if (method == LEARN_METHOD_DUST) {
        ok = learn_dust_learn(&learner->dust, lines, nlines);
        learner->raw = learner->dust.nrules;

    } else {
        ok = learn_fan_learn(&learner->fan, set,
                             (method == LEARN_METHOD_FANOUT_5) ? 5 : 10);
        learner->raw = learner->fan.nrules;
    }

    learner->seconds[LEARN_STAGE_RULES] = learn_cpu_seconds() - start;

    return ok;
}


static int
learn_learner_tree(learn_learner_t *learner)
{
    int     ok;
    double  start, built;

    start = learn_cpu_seconds();
    ok = learn_tree_build(&learner->tree, learner->set);
    built = learn_cpu_seconds();

    ok = ok && learn_rules_make(&learner->rules, &learner->tree,
                                &learner->options->rules);

    learner->seconds[LEARN_STAGE_TREE] = built - start;
    learner->seconds[LEARN_STAGE_RULES] = learn_cpu_seconds() - built;

    learner->raw = learn_rules_candidates(&learner->rules);
    learner->nnodes = learner->tree.nnodes;
    learner->height = learner->tree.height;

    return ok;
}


static int
learn_learner_site(learn_learner_t *learner)
{
    int           ok;
    char         *text;
    double        start;
    size_t        i, len;
    uint32_t      nrules;
    miqps_str_t   url;

    start = learn_cpu_seconds();
    learn_site_init(&learner->site);
    ok = 1;

    for (i = 0; i < learner->nlines && ok; i++) {
        url.data = learner->lines[i].url;
        url.len = learner->lines[i].len;
        ok = (learner->guard || learn_alias_url(&learner->alias, &url, &url))
             && learn_site_add(&learner->site, &url,
                               learner->lines[i].cluster);
    }

    ok = ok && learn_site_learn(&learner->site);

    learner->seconds[LEARN_STAGE_RULES] = learn_cpu_seconds() - start;
    learner->raw = learner->site.nsteps;
    start = learn_cpu_seconds();

    text = ok ? learn_site_map(&learner->site, &len, &nrules) : NULL;

    /* it is released, whatever became of it */

    ok = learn_deployed_init(&learner->map, (text != NULL) ? text : "",
                             (text != NULL) ? len : 0)
         && text != NULL;
    free(text);

    learner->qualified = learner->site.nsteps;
    learner->deployed = ok ? nrules : 0;
    learner->seconds[LEARN_STAGE_SELECT] = learn_cpu_seconds() - start;

    return ok;
}


void
learn_learner_release(learn_learner_t *learner)
{
    switch (learner->method) {

    case LEARN_METHOD_MIQPS:
        learn_deployed_release(&learner->map);
        learn_site_release(&learner->site);
        learn_alias_release(&learner->alias);
        break;

    case LEARN_METHOD_DUST:
        learn_dust_release(&learner->dust);
        break;

    case LEARN_METHOD_FANOUT_5:
    case LEARN_METHOD_FANOUT_10:
        learn_fan_release(&learner->fan);
        break;

    default:
        if (learner->planned) {
            learn_plan_release(&learner->plan);
        }

        learn_rules_release(&learner->rules);
        learn_tree_release(&learner->tree);
    }
}


int
learn_learner_select(learn_learner_t *learner, double limit)
{
    int                   ok;
    double                start;
    learn_plan_options_t  options;

    ok = 1;
    start = learn_cpu_seconds();

    switch (learner->method) {

    case LEARN_METHOD_MIQPS:

        /* it has no limit but its own */

        return 1;

    case LEARN_METHOD_DUST:
        learn_dust_select(&learner->dust, limit);
        learner->qualified = learner->dust.qualified;
        learner->deployed = learner->dust.deployed;
        break;

    case LEARN_METHOD_FANOUT_5:
    case LEARN_METHOD_FANOUT_10:
        ok = learn_fan_select(&learner->fan, limit);
        learner->qualified = learner->fan.qualified;
        learner->deployed = learner->fan.deployed;
        break;

    default:
        if (learner->planned) {
            learn_plan_release(&learner->plan);
        }

        options = learner->options->plan;
        options.limit = limit;
        options.select = (learner->method == LEARN_METHOD_TREE_NAIVE)
                         ? LEARN_SELECT_NAIVE : LEARN_SELECT_GRAPH;

        ok = learn_plan_make(&learner->plan, &learner->rules, &options);

        learner->planned = 1;
        learner->qualified = learn_rules_qualified(&learner->rules, limit);
        learner->deployed = learner->plan.deployed;
    }

    learner->seconds[LEARN_STAGE_SELECT] = learn_cpu_seconds() - start;

    return ok;
}


size_t
learn_learner_qualified(const learn_learner_t *learner, double limit)
{
    size_t  i, n;

    n = 0;

    switch (learner->method) {

    case LEARN_METHOD_MIQPS:
        return learner->qualified;

    case LEARN_METHOD_DUST:
        for (i = 0; i < learner->dust.nrules; i++) {
            n += (learner->dust.rules[i].supports > 0
                  && learner->dust.rules[i].fpr <= limit);
        }

        return n;

    case LEARN_METHOD_FANOUT_5:
    case LEARN_METHOD_FANOUT_10:
        for (i = 0; i < learner->fan.nrules; i++) {
            n += (learner->fan.rules[i].supports > 0
                  && learner->fan.rules[i].fpr <= limit);
        }

        return n;

    default:
        return learn_rules_qualified(&learner->rules, limit);
    }
}


uint64_t
learn_learner_selection(const learn_learner_t *learner)
{
    size_t                 i;
    uint64_t               hash;
    const learn_action_t  *action;

    hash = 0;

    switch (learner->method) {

    case LEARN_METHOD_MIQPS:
        return 1;

    case LEARN_METHOD_DUST:
        for (i = 0; i < learner->dust.nrules; i++) {
            if (learner->dust.rules[i].deployed) {
                hash = learn_learner_mix(hash, i);
            }
        }

        break;

    case LEARN_METHOD_FANOUT_5:
    case LEARN_METHOD_FANOUT_10:
        for (i = 0; i < learner->fan.nrules; i++) {
            if (learner->fan.rules[i].deployed) {
                hash = learn_learner_mix(hash, i);
            }
        }

        break;

    default:
        for (i = 0; i < learner->plan.qualified; i++) {
            if (learner->plan.arrows[i].keep) {
                hash = learn_learner_mix(hash, learner->plan.numbers[i]);
            }
        }

        /* ways from one rule to the next may depend on others */

        for (i = 0; i < learner->nnodes; i++) {
            action = learner->plan.actions[i];

            if (action != NULL) {
                hash = learn_learner_mix(hash, action->target);
                hash = learn_learner_mix(hash, 2 * (action->own != NULL)
                                               + action->stays);
            }
        }
    }

    return hash;
}


static uint64_t
learn_learner_mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ (number + 1)) * UINT64_C(0xbf58476d1ce4e5b9);

    return hash ^ hash >> 29;
}


int
learn_learner_apply(learn_learner_t *learner, uint8_t *url, size_t len,
    miqps_str_t *result)
{
    int          moved;
    miqps_str_t  str;

    switch (learner->method) {

    case LEARN_METHOD_MIQPS:
        str.data = url;
        str.len = len;
        return ((learner->guard
                 || learn_alias_url(&learner->alias, &str, &str))
                && learn_deployed_url(&learner->map, &str, result, &moved))
               ? 1 : -1;

    case LEARN_METHOD_DUST:
        return learn_dust_apply(&learner->dust, url, len, result);

    case LEARN_METHOD_FANOUT_5:
    case LEARN_METHOD_FANOUT_10:
        return learn_fan_apply(&learner->fan, url, len, result);

    default:
        return learn_plan_apply(&learner->plan, url, len, result);
    }
}


double
learn_cpu_seconds(void)
{
    struct timespec  t;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);

    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}
