
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "corpus/veil.h"
#include "learn.h"
#include "study.h"


/* what a pattern gives its tasks */

typedef struct {
    learn_study_t    *study;
    miqps_str_t       names;
    uint64_t          urls;
} learn_plan_pattern_t;


/* patterns are listed first, and asked for their parameters then */

typedef struct {
    learn_study_t    *study;
    learn_ranked_t   *list;
    size_t            n;
} learn_plan_list_t;


/* URLs of a sample, by an order that the seed says */

typedef struct {
    uint64_t          order;
    uint64_t          hash;
    miqps_str_t       url;
} learn_plan_url_t;


typedef struct {
    learn_study_t    *study;
    learn_plan_url_t  list[LEARN_STORE_SAMPLE];
    size_t            n;
    unsigned          failed:1;
} learn_plan_sample_t;


static int  learn_plan_ranked(const learn_ranked_t *pattern, void *data);
static int  learn_plan_param(int64_t id, const miqps_str_t *name, void *data);
static int  learn_plan_pick(const learn_pick_t *pick, void *data);
static int  learn_plan_cmp(const void *one, const void *two);
static int  learn_plan_pair(learn_study_t *study, learn_task_t *task,
    const learn_plan_url_t *from);
static int  learn_plan_copy(learn_study_t *study, miqps_str_t *to,
    const miqps_str_t *from);
static uint64_t  learn_plan_mix(uint64_t a, uint64_t b);


int
learn_plan(learn_study_t *study)
{
    int                   rc;
    size_t                i;
    miqps_str_t           host;
    learn_plan_list_t     list;
    learn_plan_pattern_t  pattern;

    host.data = (const uint8_t *) study->host;
    host.len = strlen(study->host);

    list.study = study;
    list.n = 0;
    list.list = learn_arena_alloc(&study->arena, study->settings->patterns
                                                 * sizeof(learn_ranked_t));

    if (list.list == NULL) {
        learn_complain("%s: out of memory", study->command);
        return LEARN_EXIT_FAILED;
    }

    rc = study->store->ops->ranked(study->store, &host, 0,
                                   study->settings->patterns,
                                   learn_plan_ranked, &list);

    pattern.study = study;

    for (i = 0; i < list.n && rc == LEARN_EXIT_OK; i++) {
        pattern.names = list.list[i].names;
        pattern.urls = list.list[i].urls;

        rc = study->store->ops->params(study->store, list.list[i].id,
                                       learn_plan_param, &pattern);
    }

    return rc;
}


static int
learn_plan_ranked(const learn_ranked_t *pattern, void *data)
{
    learn_plan_list_t  *list;

    list = data;
    list->list[list->n] = *pattern;

    return learn_plan_copy(list->study, &list->list[list->n++].names,
                           &pattern->names);
}


static int
learn_plan_param(int64_t id, const miqps_str_t *name, void *data)
{
    size_t                 room;
    learn_task_t          *task, *list;
    learn_study_t         *study;
    learn_plan_pattern_t  *pattern;

    pattern = data;
    study = pattern->study;

    if (study->ntasks == study->room) {
        room = (study->room == 0) ? 64 : 2 * study->room;
        list = learn_arena_alloc(&study->arena, room * sizeof(learn_task_t));

        if (list == NULL) {
            learn_complain("%s: out of memory", study->command);
            return 0;
        }

        if (study->ntasks > 0) {
            memcpy(list, study->tasks, study->ntasks * sizeof(learn_task_t));
        }

        study->tasks = list;
        study->room = room;
    }

    task = &study->tasks[study->ntasks++];

    task->names = pattern->names;
    task->urls = pattern->urls;
    task->param = id;

    return learn_plan_copy(study, &task->name, name);
}


int
learn_plan_pairs(learn_study_t *study, learn_task_t *task)
{
    int                  rc;
    size_t               i;
    learn_plan_sample_t  sample;

    task->ready = 1;

    /* what may hold an act back is not taken away */

    if (learn_target_brakes(&task->name)) {
        return LEARN_EXIT_OK;
    }

    sample.study = study;
    sample.n = 0;
    sample.failed = 0;

    rc = study->store->ops->sample(study->store, task->param, learn_plan_pick,
                                   &sample);

    if (rc == LEARN_EXIT_OK && sample.failed) {
        rc = LEARN_EXIT_FAILED;
    }

    task->pairs = learn_arena_alloc(&study->arena, study->settings->samples
                                                   * sizeof(learn_tested_t));

    if (rc == LEARN_EXIT_OK && task->pairs == NULL) {
        learn_complain("%s: out of memory", study->command);
        rc = LEARN_EXIT_FAILED;
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    qsort(sample.list, sample.n, sizeof(learn_plan_url_t), learn_plan_cmp);

    for (i = 0; i < sample.n && task->npairs < study->settings->samples; i++) {
        if (!learn_plan_pair(study, task, &sample.list[i])) {
            learn_complain("%s: out of memory", study->command);
            return LEARN_EXIT_FAILED;
        }
    }

    return LEARN_EXIT_OK;
}


static int
learn_plan_pick(const learn_pick_t *pick, void *data)
{
    miqps_str_t           url;
    learn_plan_url_t     *one;
    learn_plan_sample_t  *sample;

    sample = data;

    if (sample->n == LEARN_STORE_SAMPLE) {
        return 0;
    }

    one = &sample->list[sample->n++];

    one->hash = pick->hash;
    one->order = learn_plan_mix(pick->hash, sample->study->settings->seed);

    url.data = pick->url;
    url.len = pick->len;

    if (!learn_plan_copy(sample->study, &one->url, &url)) {
        sample->failed = 1;
        return 0;
    }

    return 1;
}


static int
learn_plan_cmp(const void *one, const void *two)
{
    const learn_plan_url_t  *a, *b;

    a = one;
    b = two;

    return (a->order > b->order) - (a->order < b->order);
}


/*
 * A URL, and the same without the parameter.  What is veiled in it gets some
 * value, the same in both.  URLs that must not be fetched make no pair.
 */

static int
learn_plan_pair(learn_study_t *study, learn_task_t *task,
    const learn_plan_url_t *from)
{
    size_t           found;
    uint8_t          full[LEARN_TARGET_MAX], less[LEARN_TARGET_MAX];
    miqps_str_t      url, without;
    learn_target_t   target;
    learn_tested_t  *pair;

    if (from->url.len > LEARN_TARGET_MAX) {
        return 1;
    }

    url.data = full;
    url.len = learn_veil_fill(&from->url, learn_plan_mix(from->hash,
                                                         from->order), full);

    without.data = less;
    without.len = learn_target_without(&url, &task->name, less, &found);

    if (found == 0
        || learn_target_check(&url, study->allowed, study->memo, &target)
           != LEARN_TARGET_OK
        || learn_target_check(&without, study->allowed, study->memo, &target)
           != LEARN_TARGET_OK)
    {
        return 1;
    }

    pair = &task->pairs[task->npairs];

    pair->original = learn_visit_get(study, &url);
    pair->variant = learn_visit_get(study, &without);

    if (pair->original == NULL || pair->variant == NULL) {
        return 0;
    }

    task->npairs++;

    return 1;
}


static int
learn_plan_copy(learn_study_t *study, miqps_str_t *to,
    const miqps_str_t *from)
{
    uint8_t  *copy;

    copy = learn_arena_alloc(&study->arena, from->len + 1);

    if (copy == NULL) {
        learn_complain("%s: out of memory", study->command);
        return 0;
    }

    memcpy(copy, from->data, from->len);

    to->data = copy;
    to->len = from->len;

    return 1;
}


static uint64_t
learn_plan_mix(uint64_t a, uint64_t b)
{
    a ^= (b + 1) * UINT64_C(0x9e3779b97f4a7c15);
    a = (a ^ a >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    a = (a ^ a >> 27) * UINT64_C(0x94d049bb133111eb);

    return a ^ a >> 31;
}
