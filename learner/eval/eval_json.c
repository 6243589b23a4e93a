
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <cjson/cJSON.h>

#include "eval_report.h"


static cJSON  *learn_json_method(const learn_eval_t *eval,
    learn_method_e method);
static int  learn_json_rates(cJSON *object, const learn_rates_t *rates);
static int  learn_json_counts(cJSON *object, const learn_sum_t *sum);
static int  learn_json_stages(cJSON *object, const learn_sum_t *sum);
static int  learn_json_sweep(cJSON *object, const learn_eval_t *eval,
    learn_method_e method);
static int  learn_json_point(cJSON *list, const learn_eval_t *eval,
    learn_method_e method, size_t limit);
static int  learn_json_operations(cJSON *object, const learn_eval_t *eval,
    const learn_sum_t *sum);
static int  learn_json_number(cJSON *object, const char *name, double number);


int
learn_report_json(const learn_eval_t *eval, FILE *out)
{
    char            *text;
    cJSON           *object;
    learn_method_e   m;

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (!(eval->methods >> m & 1)) {
            continue;
        }

        object = learn_json_method(eval, m);
        text = (object != NULL) ? cJSON_PrintUnformatted(object) : NULL;

        cJSON_Delete(object);

        if (text == NULL) {
            return 0;
        }

        (void) fprintf(out, "%s\n", text);
        cJSON_free(text);
    }

    return 1;
}


/* rates of all URLs stand at the top, means of sites in "macro" */

static cJSON *
learn_json_method(const learn_eval_t *eval, learn_method_e method)
{
    cJSON        *object, *macro;
    learn_sum_t   sum;

    learn_eval_sum(eval, method, LEARN_LIMITS, &sum);

    object = cJSON_CreateObject();

    if (object == NULL
        || cJSON_AddStringToObject(object, "method", learn_method_name(method))
           == NULL
        || !learn_json_rates(object, &sum.micro)
        || !learn_json_number(object, "seconds", learn_sum_seconds(&sum))
        || (macro = cJSON_AddObjectToObject(object, "macro")) == NULL
        || !learn_json_rates(macro, &sum.macro)
        || !learn_json_number(object, "limit", eval->tree.plan.limit)
        || !learn_json_counts(object, &sum)
        || !learn_json_number(object, "sites", (double) eval->nresults)
        || !learn_json_number(object, "urls", (double) sum.total.urls)
        || !learn_json_number(object, "clusters", (double) sum.total.clusters)
        || !learn_json_number(object, "normalized",
                              (double) sum.total.norm_urls)
        || !learn_json_number(object, "normalized_clusters",
                              (double) sum.total.norm_clusters)
        || !learn_json_number(object, "pairs", (double) sum.total.supports)
        || !learn_json_number(object, "wrong", (double) sum.total.wrong)
        || !learn_json_stages(object, &sum)
        || (eval->noperations > 0
            && !learn_json_operations(object, eval, &sum))
        || (eval->sweep && !learn_json_sweep(object, eval, method)))
    {
        cJSON_Delete(object);
        return NULL;
    }

    return object;
}


static int
learn_json_rates(cJSON *object, const learn_rates_t *rates)
{
    return learn_json_number(object, "compression", rates->compression)
           && learn_json_number(object, "dup_reduction", rates->reduction)
           && learn_json_number(object, "fpr", rates->fpr);
}


static int
learn_json_counts(cJSON *object, const learn_sum_t *sum)
{
    return learn_json_number(object, "raw", (double) sum->raw)
           && learn_json_number(object, "qualified", (double) sum->qualified)
           && learn_json_number(object, "deployed", (double) sum->deployed);
}


static int
learn_json_stages(cJSON *object, const learn_sum_t *sum)
{
    cJSON          *stages;
    learn_stage_e   s;

    stages = cJSON_AddObjectToObject(object, "stages");

    for (s = LEARN_STAGE_SET; stages != NULL && s < LEARN_STAGES; s++) {
        if (!learn_json_number(stages, learn_stage_name(s), sum->seconds[s])) {
            return 0;
        }
    }

    return stages != NULL;
}


/* the share of the URLs with an operation that are in the page's main form */

static int
learn_json_operations(cJSON *object, const learn_eval_t *eval,
    const learn_sum_t *sum)
{
    size_t   i;
    cJSON   *undone;

    undone = cJSON_AddObjectToObject(object, "undone");

    for (i = 0; undone != NULL && i < eval->noperations; i++) {
        if (sum->total.applied[i] > 0
            && !learn_json_number(undone, eval->operations[i],
                                  (double) sum->total.undone[i]
                                  / (double) sum->total.applied[i]))
        {
            return 0;
        }
    }

    return undone != NULL;
}


static int
learn_json_sweep(cJSON *object, const learn_eval_t *eval,
    learn_method_e method)
{
    size_t   i;
    cJSON   *list;

    list = cJSON_AddArrayToObject(object, "sweep");

    for (i = 0; list != NULL && i < LEARN_RATES; i++) {
        if (!learn_json_point(list, eval, method, i)) {
            return 0;
        }
    }

    return list != NULL;
}


static int
learn_json_point(cJSON *list, const learn_eval_t *eval, learn_method_e method,
    size_t limit)
{
    cJSON        *point, *macro;
    learn_sum_t   sum;

    point = cJSON_CreateObject();

    if (point == NULL || !cJSON_AddItemToArray(list, point)) {
        cJSON_Delete(point);
        return 0;
    }

    if (!learn_json_number(point, "limit", learn_limits[limit])
        || !learn_json_number(point, "rate",
                              learn_eval_qualified(eval, method, limit)))
    {
        return 0;
    }

    if (limit >= LEARN_LIMITS) {
        return 1;
    }

    learn_eval_sum(eval, method, limit, &sum);

    macro = cJSON_AddObjectToObject(point, "macro");

    return macro != NULL && learn_json_rates(point, &sum.micro)
           && learn_json_rates(macro, &sum.macro)
           && learn_json_number(point, "deployed", (double) sum.deployed);
}


static int
learn_json_number(cJSON *object, const char *name, double number)
{
    return cJSON_AddNumberToObject(object, name, number) != NULL;
}
