
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adapt/adapt.h"
#include "learn.h"
#include "study.h"


/* percent of a host's fetches that may fail, and how many are needed to tell
   before the end */

#define LEARN_STUDY_FAILED   2
#define LEARN_STUDY_EARLY    100
#define LEARN_STUDY_NOBODY   3           /* failures without any answer */


static int  learn_study_begin(learn_study_t *study);
static int  learn_study_first_url(learn_study_t *study, const char *target,
    miqps_str_t *url, uint8_t *buf, size_t room);
static int  learn_study_waits(const learn_study_t *study);
static void  learn_study_tasks(learn_study_t *study);
static void  learn_study_task(learn_study_t *study, learn_task_t *task);
static void  learn_study_ask(learn_study_t *study, learn_task_t *task);
static int  learn_study_too_bad(const learn_study_t *study);
static void  learn_study_end(learn_study_t *study);


uint64_t
learn_clock(void)
{
    struct timespec  now;

    (void) clock_gettime(CLOCK_MONOTONIC, &now);

    return (uint64_t) now.tv_sec * LEARN_LANE_SECOND
           + (uint64_t) now.tv_nsec / 1000;
}


learn_study_t *
learn_study_create(const learn_study_t *like, const miqps_str_t *host,
    int64_t run)
{
    learn_study_t  *study;

    study = malloc(sizeof(learn_study_t));

    if (study == NULL) {
        learn_complain("%s: out of memory", like->command);
        return NULL;
    }

    *study = *like;

    memcpy(study->host, host->data, host->len);
    study->host[host->len] = '\0';

    study->run = run;
    study->queue_end = &study->queue;

    learn_arena_init(&study->arena);
    learn_lane_init(&study->lane, study->settings->rate,
                    study->settings->wide);

    if ((study->settings->adaptive ? learn_adapt_create(study)
                                   : learn_plan(study))
        != LEARN_EXIT_OK
        || (run != 0 && learn_visit_load(study) != LEARN_EXIT_OK)
        || (run != 0 && !learn_study_begin(study)))
    {
        learn_study_free(study);
        return NULL;
    }

    return study;
}


void
learn_study_free(learn_study_t *study)
{
    if (study->adapt != NULL) {
        learn_adapt_free(study->adapt);
    }

    learn_show_release(study);
    learn_arena_release(&study->arena);
    free(study->visits);
    free(study);
}


/* URLs without parameters have paths, which are learned of many of them */

int
learn_study_idle(const learn_study_t *study)
{
    return (study->adapt != NULL) ? !learn_adapt_due(study->adapt)
                                  : study->ntasks == 0;
}


uint64_t
learn_study_most(learn_study_t *study)
{
    size_t    i;
    uint64_t  most;

    if (study->adapt != NULL) {
        return learn_adapt_most(study->adapt);
    }

    for (i = 0; i < study->ntasks; i++) {
        if (learn_plan_pairs(study, &study->tasks[i]) != LEARN_EXIT_OK) {
            study->rc = LEARN_EXIT_FAILED;
            return 0;
        }
    }

    most = study->nvisits;

    return most + ((most > 0) ? 1 + study->settings->foreign : 0);
}


/* before all else: what may be fetched, and what is not there */

static int
learn_study_begin(learn_study_t *study)
{
    char            target[64];
    uint8_t         buf[LEARN_TARGET_MAX];
    miqps_str_t     url;
    learn_visit_t  *visit;

    if (learn_study_idle(study)) {
        return 1;
    }

    if ((study->settings->foreign
         || (study->settings->honor & LEARN_HONOR_CLEAN))
        && learn_study_first_url(study, "/robots.txt", &url, buf,
                                 sizeof(buf)))
    {
        visit = learn_visit_get(study, &url);

        if (visit == NULL) {
            return 0;
        }

        visit->state = LEARN_VISIT_NEW;
        visit->robots = 1;
        learn_visit_want(study, visit);
    }

    (void) snprintf(target, sizeof(target), "/miqps-%08llx-is-not-here",
                    (unsigned long long) (study->settings->seed
                                          * UINT64_C(0x9e3779b9)));

    if (learn_study_first_url(study, target, &url, buf, sizeof(buf))) {
        visit = learn_visit_get(study, &url);

        if (visit == NULL) {
            return 0;
        }

        /* what it looked like is known only by fetching it */

        visit->state = LEARN_VISIT_NEW;
        visit->probe = 1;
        learn_visit_want(study, visit);
    }

    return 1;
}


/* another target of where the first URL of the plan is */

static int
learn_study_first_url(learn_study_t *study, const char *target,
    miqps_str_t *url, uint8_t *buf, size_t room)
{
    size_t           i, len;
    learn_target_t   parts;
    const uint8_t   *first;

    if (study->adapt != NULL) {
        return learn_adapt_place(study->adapt, target, url, buf, room);
    }

    for (i = 0; i < study->ntasks; i++) {

        if (!study->tasks[i].ready
            && learn_plan_pairs(study, &study->tasks[i]) != LEARN_EXIT_OK)
        {
            study->rc = LEARN_EXIT_FAILED;
            return 0;
        }

        if (study->tasks[i].npairs > 0) {
            break;
        }
    }

    if (i == study->ntasks
        || learn_target_check(&study->tasks[i].pairs[0].original->row.url,
                              study->allowed, study->memo, &parts)
           != LEARN_TARGET_OK)
    {
        return 0;
    }

    first = study->tasks[i].pairs[0].original->row.url.data;
    len = (size_t) (parts.target.data - first);

    if (len + strlen(target) > room) {
        return 0;
    }

    memcpy(buf, first, len);
    memcpy(buf + len, target, strlen(target));

    url->data = buf;
    url->len = len + strlen(target);

    return 1;
}


uint64_t
learn_study_step(learn_study_t *study, uint64_t now)
{
    uint64_t  wait;

    if (study->state == LEARN_STUDY_BEGIN && !learn_study_waits(study)) {
        study->state = LEARN_STUDY_TASKS;
    }

    if (study->state == LEARN_STUDY_TASKS) {
        if (study->adapt == NULL) {
            learn_study_tasks(study);
            study->over = (study->first == study->ntasks);

        } else if (study->flying == 0 || study->news) {
            study->news = 0;
            study->over = (learn_adapt_step(study->adapt) != 0);
            study->rc = study->adapt->failed ? LEARN_EXIT_FAILED : study->rc;
        }
    }

    wait = learn_visit_run(study, now);

    if (study->rc != LEARN_EXIT_OK || learn_study_too_bad(study)
        || (study->state == LEARN_STUDY_TASKS && study->over))
    {
        learn_study_end(study);
    }

    return wait;
}


static int
learn_study_waits(const learn_study_t *study)
{
    return study->queue != NULL || study->flying > 0;
}


/*
 * Tasks in their order, as many at a time as keep the lane busy.  Those behind
 * the first that is not done may be done.
 */

static void
learn_study_tasks(learn_study_t *study)
{
    size_t         i, open;
    learn_task_t  *task;

    open = 0;

    for (i = study->first; i < study->ntasks; i++) {
        task = &study->tasks[i];

        if (!task->done) {
            learn_study_task(study, task);
        }

        if (study->rc != LEARN_EXIT_OK) {
            return;
        }

        if (task->done && i == study->first) {
            study->first++;
        }

        open += !task->done;

        if (open >= study->settings->wide) {
            return;
        }
    }
}


static void
learn_study_task(learn_study_t *study, learn_task_t *task)
{
    learn_tested_t  *pair;

    if (!task->ready && learn_plan_pairs(study, task) != LEARN_EXIT_OK) {
        study->rc = LEARN_EXIT_FAILED;
        return;
    }

    while (!task->done && task->seen < task->npairs) {
        pair = &task->pairs[task->seen];

        if (task->seen >= task->asked
            || pair->original->state != LEARN_VISIT_DONE
            || pair->variant->state != LEARN_VISIT_DONE
            || !learn_judge_ready(study, pair))
        {
            break;
        }

        learn_judge_pair(study, pair);
        learn_judge_task(study, task);
    }

    if (!task->done && task->npairs == 0) {
        learn_judge_task(study, task);
    }

    if (task->done) {
        study->decided++;

        if (study->told != NULL) {
            study->told(study, task);
        }

        return;
    }

    learn_study_ask(study, task);
}


/* no further ahead than pairs that are needed in any case */

static void
learn_study_ask(learn_study_t *study, learn_task_t *task)
{
    size_t           ahead;
    learn_tested_t  *pair;

    ahead = (task->tested < study->settings->tests)
            ? study->settings->tests - (size_t) task->tested : 1;

    while (task->asked < task->npairs && task->asked < task->seen + ahead) {
        pair = &task->pairs[task->asked++];

        learn_visit_want(study, pair->original);
        learn_visit_want(study, pair->variant);
    }
}


static int
learn_study_too_bad(const learn_study_t *study)
{
    if (study->answers == 0 && study->failed >= LEARN_STUDY_NOBODY) {
        return 1;
    }

    return study->fetches >= LEARN_STUDY_EARLY
           && study->failed * 100 > study->fetches * LEARN_STUDY_FAILED;
}


static void
learn_study_end(learn_study_t *study)
{
    study->state = LEARN_STUDY_ENDED;
    study->result = LEARN_RUN_DONE;

    if (study->failed * 100 > study->fetches * LEARN_STUDY_FAILED) {
        study->result = LEARN_RUN_DEFERRED;
        (void) snprintf(study->why, sizeof(study->why),
                        "%llu of %llu fetches failed, more than %d %%; the "
                        "last one: %s", (unsigned long long) study->failed,
                        (unsigned long long) study->fetches,
                        LEARN_STUDY_FAILED, study->error);
    }
}


const char *
learn_study_mirrors(const learn_study_t *study)
{
    return (study->adapt != NULL && study->adapt->mirror
            && study->result == LEARN_RUN_DONE) ? study->adapt->main : "";
}


int
learn_study_save(learn_study_t *study)
{
    int              rc;
    size_t           i, k;
    learn_pair_t    *pairs;
    learn_task_t    *task;
    learn_verdict_t  verdict;

    rc = LEARN_EXIT_OK;

    while (study->unsaved != NULL && rc == LEARN_EXIT_OK) {
        rc = study->store->ops->visit_save(study->store, study->run,
                                           &study->unsaved->row);
        study->unsaved = study->unsaved->next;
    }

    if (study->adapt != NULL) {
        return (rc == LEARN_EXIT_OK && study->over)
               ? learn_adapt_save(study->adapt) : rc;
    }

    for (i = 0; i < study->ntasks && rc == LEARN_EXIT_OK; i++) {
        task = &study->tasks[i];

        if (!task->done || task->saved) {
            continue;
        }

        pairs = learn_arena_alloc(&study->arena,
                                  task->seen * sizeof(learn_pair_t));

        if (pairs == NULL) {
            learn_complain("%s: out of memory", study->command);
            return LEARN_EXIT_FAILED;
        }

        for (k = 0; k < task->seen; k++) {
            pairs[k] = task->pairs[k].row;
        }

        memset(&verdict, 0, sizeof(learn_verdict_t));

        verdict.names = task->names;
        verdict.name = task->name;
        verdict.urls = task->urls;
        verdict.tested = task->tested;
        verdict.differed = task->differed;
        verdict.verdict = task->verdict;
        verdict.pairs = pairs;
        verdict.npairs = task->seen;

        rc = study->store->ops->verdict_save(study->store, study->run,
                                             &verdict);
        task->saved = 1;
    }

    return rc;
}
