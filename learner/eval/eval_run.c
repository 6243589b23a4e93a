
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "eval_run.h"
#include "learn.h"


static int  learn_eval_sites_all(learn_eval_t *eval,
    learn_clusters_t *clusters);
static int  learn_eval_operations(learn_eval_t *eval,
    learn_clusters_t *clusters);
static learn_result_t  *learn_eval_result(learn_eval_t *eval,
    const learn_eval_site_t *site);
static int  learn_eval_methods(learn_eval_t *eval, learn_result_t *result,
    learn_eval_site_t *site);
static int  learn_eval_set(learn_set_t *set, const learn_eval_site_t *site);
static int  learn_eval_method(learn_eval_t *eval, learn_outcome_t *outcome,
    learn_learner_t *learner, learn_scorer_t *scorer,
    const learn_eval_site_t *site);
static int  learn_eval_limits(learn_outcome_t *outcome,
    learn_learner_t *learner, learn_scorer_t *scorer,
    const learn_eval_site_t *site);
static void  learn_eval_add(learn_score_t *total, const learn_score_t *score);


const double  learn_limits[LEARN_RATES] = {
    0, 0.0005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1,
    0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9
};


int
learn_eval_file(learn_eval_t *eval, const char *name)
{
    int               rc;
    learn_clusters_t  clusters;

    rc = learn_clusters_read(&clusters, "eval", name);

    if (rc == LEARN_EXIT_OK && !learn_eval_sites_all(eval, &clusters)) {
        learn_complain("eval: out of memory");
        rc = LEARN_EXIT_FAILED;
    }

    learn_clusters_release(&clusters);

    return rc;
}


static int
learn_eval_sites_all(learn_eval_t *eval, learn_clusters_t *clusters)
{
    int                  ok;
    uint32_t             n;
    learn_result_t      *result;
    learn_eval_site_t    site;
    learn_eval_sites_t   sites;

    ok = learn_eval_sites(&sites, clusters, eval->sample.one)
         && learn_eval_operations(eval, clusters);

    for (n = 0; ok && n < sites.nsites; n++) {
        ok = learn_eval_site(&site, &sites, clusters, n, &eval->sample);
        result = ok ? learn_eval_result(eval, &site) : NULL;

        ok = (result != NULL && learn_eval_methods(eval, result, &site));

        learn_eval_site_release(&site);
    }

    learn_eval_sites_release(&sites);

    return ok;
}


/* the same name has the same bit in all files */

static int
learn_eval_operations(learn_eval_t *eval, learn_clusters_t *clusters)
{
    size_t        i, j, bit;
    uint32_t      bits;
    size_t        number[LEARN_MAX_OPERATIONS];
    miqps_str_t  *name;

    for (i = 0; i < clusters->noperations; i++) {
        name = &clusters->operations[i];

        for (j = 0; j < eval->noperations; j++) {
            if (strlen(eval->operations[j]) == name->len
                && memcmp(eval->operations[j], name->data, name->len) == 0)
            {
                break;
            }
        }

        number[i] = j;

        if (j == eval->noperations && j < LEARN_MAX_OPERATIONS) {
            eval->operations[j] = calloc(name->len + 1, 1);

            if (eval->operations[j] == NULL) {
                return 0;
            }

            memcpy(eval->operations[j], name->data, name->len);
            eval->noperations++;
        }
    }

    for (i = 0; i < clusters->nlines; i++) {
        bits = clusters->lines[i].operations;
        clusters->lines[i].operations = 0;

        for (bit = 0; bits >> bit != 0; bit++) {
            if ((bits >> bit & 1) && number[bit] < LEARN_MAX_OPERATIONS) {
                clusters->lines[i].operations |= UINT32_C(1) << number[bit];
            }

            if (bit == LEARN_MAX_OPERATIONS - 1) {
                break;
            }
        }
    }

    return 1;
}


static learn_result_t *
learn_eval_result(learn_eval_t *eval, const learn_eval_site_t *site)
{
    size_t           more, len, i, n;
    learn_result_t  *results, *result;

    if (eval->nresults == eval->max_results) {
        more = 2 * eval->max_results + 16;
        results = realloc(eval->results, more * sizeof(learn_result_t));

        if (results == NULL) {
            return NULL;
        }

        eval->results = results;
        eval->max_results = more;
    }

    result = &eval->results[eval->nresults];
    memset(result, 0, sizeof(learn_result_t));

    len = strlen(site->name) + 1;
    result->name = malloc(len);

    if (result->name == NULL) {
        return NULL;
    }

    memcpy(result->name, site->name, len);
    eval->nresults++;

    result->urls = site->nlines;
    result->clusters = site->npages;
    result->largest = site->largest;
    result->smallest = site->largest;
    result->training = site->ntraining;

    for (i = 0; i < site->nlines; i += n) {
        for (n = 1; i + n < site->nlines
                    && site->lines[i + n].page == site->lines[i].page; n++)
        {
            /* void */
        }

        result->smallest = (n < result->smallest) ? n : result->smallest;
    }

    if (eval->progress) {
        (void) fprintf(stderr, "%zu: %s, %zu URLs\n", eval->nresults,
                       result->name, site->nlines);
    }

    return result;
}


static int
learn_eval_methods(learn_eval_t *eval, learn_result_t *result,
    learn_eval_site_t *site)
{
    int               ok;
    double            start, seconds;
    learn_set_t      *set;
    learn_method_e    m;
    learn_scorer_t    scorer;
    learn_learner_t   learner;

    set = malloc(sizeof(learn_set_t));

    if (set == NULL) {
        return 0;
    }

    start = learn_cpu_seconds();

    ok = learn_eval_set(set, site);

    seconds = learn_cpu_seconds() - start;

    ok = learn_scorer_init(&scorer, site->nlines, site->npages) && ok;

    for (m = LEARN_METHOD_DUST; ok && m < LEARN_METHODS; m++) {
        if (!(eval->methods >> m & 1)) {
            continue;
        }

        ok = learn_learner_learn(&learner, m, set, site->training,
                                 site->ntraining, &eval->tree, eval->guard)
             && learn_eval_method(eval, &result->outcomes[m], &learner,
                                  &scorer, site);

        result->outcomes[m].seconds[LEARN_STAGE_SET] = seconds;

        if (learner.nnodes > 0) {
            result->nnodes = learner.nnodes;
            result->height = learner.height;
            result->tree_seconds = learner.seconds[LEARN_STAGE_TREE];
        }

        learn_learner_release(&learner);
    }

    learn_scorer_release(&scorer);
    learn_set_release(set);
    free(set);

    return ok;
}


static int
learn_eval_set(learn_set_t *set, const learn_eval_site_t *site)
{
    size_t  i;

    learn_set_init(set, 0);

    for (i = 0; i < site->ntraining; i++) {
        if (learn_set_add(set, site->training[i].url, site->training[i].len,
                          site->training[i].cluster) < 0)
        {
            return 0;
        }
    }

    return learn_set_finish(set, 1);
}


static int
learn_eval_method(learn_eval_t *eval, learn_outcome_t *outcome,
    learn_learner_t *learner, learn_scorer_t *scorer,
    const learn_eval_site_t *site)
{
    size_t  i;

    if (eval->sweep && !learn_eval_limits(outcome, learner, scorer, site)) {
        return 0;
    }

    if (!learn_learner_select(learner, eval->tree.plan.limit)
        || !learn_scorer_run(scorer, learner, site->lines, site->nlines,
                             &outcome->score))
    {
        return 0;
    }

    for (i = 0; i < LEARN_STAGES; i++) {
        outcome->seconds[i] = learner->seconds[i];
    }

    return 1;
}


/* what is selected for a limit is often the same as for the one before */

static int
learn_eval_limits(learn_outcome_t *outcome, learn_learner_t *learner,
    learn_scorer_t *scorer, const learn_eval_site_t *site)
{
    size_t          i;
    uint64_t        selection, last;
    learn_score_t   score;
    learn_point_t  *point;

    last = 0;

    for (i = 0; i < LEARN_RATES; i++) {
        outcome->qualified[i] = learn_learner_qualified(learner,
                                                        learn_limits[i]);
    }

    for (i = 0; i < LEARN_LIMITS; i++) {
        if (!learn_learner_select(learner, learn_limits[i])) {
            return 0;
        }

        selection = learn_learner_selection(learner);

        if ((i == 0 || selection != last)
            && !learn_scorer_run(scorer, learner, site->lines, site->nlines,
                                 &score))
        {
            return 0;
        }

        last = selection;
        point = &outcome->points[i];

        point->norm_urls = score.norm_urls;
        point->norm_clusters = score.norm_clusters;
        point->supports = score.supports;
        point->wrong = score.wrong;
        point->deployed = learner->deployed;
    }

    return 1;
}


void
learn_eval_release(learn_eval_t *eval)
{
    size_t  i;

    for (i = 0; i < eval->nresults; i++) {
        free(eval->results[i].name);
    }

    for (i = 0; i < eval->noperations; i++) {
        free(eval->operations[i]);
    }

    free(eval->results);
}


void
learn_eval_sum(const learn_eval_t *eval, learn_method_e method, size_t limit,
    learn_sum_t *sum)
{
    size_t                  i, s;
    learn_score_t           score;
    const learn_point_t    *point;
    const learn_outcome_t  *outcome;

    memset(sum, 0, sizeof(learn_sum_t));

    for (i = 0; i < eval->nresults; i++) {
        outcome = &eval->results[i].outcomes[method];
        score = outcome->score;

        if (limit < LEARN_LIMITS) {
            point = &outcome->points[limit];

            score.norm_urls = point->norm_urls;
            score.norm_clusters = point->norm_clusters;
            score.supports = point->supports;
            score.wrong = point->wrong;
            score.deployed = point->deployed;
            score.qualified = outcome->qualified[limit];
        }

        sum->macro.compression += learn_score_compression(&score);
        sum->macro.reduction += learn_score_reduction(&score);
        sum->macro.fpr += learn_score_fpr(&score);

        learn_eval_add(&sum->total, &score);

        for (s = 0; s < LEARN_STAGES; s++) {
            sum->seconds[s] += outcome->seconds[s];
        }
    }

    if (eval->nresults > 0) {
        sum->macro.compression /= (double) eval->nresults;
        sum->macro.reduction /= (double) eval->nresults;
        sum->macro.fpr /= (double) eval->nresults;
    }

    sum->micro.compression = learn_score_compression(&sum->total);
    sum->micro.reduction = learn_score_reduction(&sum->total);
    sum->micro.fpr = learn_score_fpr(&sum->total);

    sum->raw = sum->total.raw;
    sum->qualified = sum->total.qualified;
    sum->deployed = sum->total.deployed;
}


double
learn_eval_qualified(const learn_eval_t *eval, learn_method_e method,
    size_t limit)
{
    size_t                  i;
    uint64_t                raw, qualified;
    const learn_outcome_t  *outcome;

    raw = 0;
    qualified = 0;

    for (i = 0; i < eval->nresults; i++) {
        outcome = &eval->results[i].outcomes[method];
        raw += outcome->score.raw;
        qualified += outcome->qualified[limit];
    }

    return (raw > 0) ? (double) qualified / (double) raw : 0;
}


static void
learn_eval_add(learn_score_t *total, const learn_score_t *score)
{
    size_t  i;

    total->urls += score->urls;
    total->clusters += score->clusters;
    total->norm_urls += score->norm_urls;
    total->norm_clusters += score->norm_clusters;
    total->supports += score->supports;
    total->wrong += score->wrong;
    total->raw += score->raw;
    total->qualified += score->qualified;
    total->deployed += score->deployed;

    for (i = 0; i < LEARN_MAX_OPERATIONS; i++) {
        total->applied[i] += score->applied[i];
        total->undone[i] += score->undone[i];
    }
}
