
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "learn.h"
#include "schedule.h"


#define LEARN_SCHEDULE_NAMES   256        /* of hosts, at a time */
#define LEARN_SCHEDULE_SAVE    LEARN_LANE_SECOND
#define LEARN_SCHEDULE_TELL    (LEARN_LANE_SECOND / 5)
#define LEARN_SCHEDULE_AGENT   "miqps/" MIQPS_VERSION " (URL normalization)"


/* names of hosts, one after the other */

typedef struct {
    learn_schedule_t  *schedule;
    char               name[LEARN_SCHEDULE_NAMES][MIQPS_MAX_HOST + 1];
    size_t             n;
    size_t             at;
    char               last[MIQPS_MAX_HOST + 1];
    unsigned           end:1;
} learn_hostnames_t;


/* what all studies have */

typedef struct {
    learn_schedule_t         *schedule;
    learn_hostnames_t         names;
    learn_study_t             like;
    learn_parser_t            parser;
    miqps_collect_memo_t      memo;
    learn_fetcher_options_t   options;
    learn_fetcher_t          *fetcher;
    learn_painter_t          *painter;     /* or NULL */
    uint64_t                  saved;
    uint64_t                  told;
} learn_loop_t;


static learn_loop_t  *learn_loop_create(learn_schedule_t *schedule);
static void  learn_loop_free(learn_loop_t *loop);
static int  learn_loop_next(learn_loop_t *loop, miqps_str_t *host);
static int  learn_loop_name(int64_t id, const miqps_str_t *name, void *data);
static int  learn_loop_fill(learn_loop_t *loop);
static int  learn_loop_open(learn_loop_t *loop, const miqps_str_t *host);
static int  learn_loop_round(learn_loop_t *loop);
static int  learn_loop_paint(learn_loop_t *loop, uint64_t now,
    uint64_t *wait);
static int  learn_loop_close(learn_loop_t *loop, learn_study_t *study);
static int  learn_loop_save(learn_loop_t *loop, learn_study_t *ended);
static void  learn_loop_stop(int signo);


static volatile sig_atomic_t  learn_loop_stopped;


int
learn_schedule(learn_schedule_t *schedule)
{
    int               rc;
    learn_loop_t     *loop;
    struct sigaction  action, interrupt, end;

    loop = learn_loop_create(schedule);

    if (loop == NULL) {
        return LEARN_EXIT_FAILED;
    }

    memset(&action, 0, sizeof(struct sigaction));
    action.sa_handler = learn_loop_stop;

    (void) sigaction(SIGINT, &action, &interrupt);
    (void) sigaction(SIGTERM, &action, &end);

    for ( ;; ) {
        schedule->stopped = (learn_loop_stopped != 0);
        rc = schedule->stopped ? LEARN_EXIT_OK : learn_loop_fill(loop);

        /* none is open although there was room: that was the last */

        if (rc != LEARN_EXIT_OK || schedule->studies == NULL) {
            break;
        }

        rc = learn_loop_round(loop);

        if (rc != LEARN_EXIT_OK) {
            break;
        }
    }

    if (rc == LEARN_EXIT_OK && schedule->stopped) {
        learn_complain("%s: interrupted; the same again goes on from here",
                       schedule->command);
        rc = LEARN_EXIT_FAILED;
    }

    (void) sigaction(SIGINT, &interrupt, NULL);
    (void) sigaction(SIGTERM, &end, NULL);

    learn_loop_free(loop);

    return rc;
}


int
learn_schedule_stopped(void)
{
    return learn_loop_stopped != 0;
}


static void
learn_loop_stop(int signo)
{
    (void) signo;

    learn_loop_stopped = 1;
}


int
learn_schedule_plan(learn_schedule_t *schedule)
{
    int             rc;
    miqps_str_t     host;
    learn_loop_t   *loop;
    learn_study_t  *study;

    loop = learn_loop_create(schedule);

    if (loop == NULL) {
        return LEARN_EXIT_FAILED;
    }

    for ( ;; ) {
        rc = learn_loop_next(loop, &host);

        if (rc != LEARN_EXIT_OK || host.len == 0) {
            break;
        }

        study = learn_study_create(&loop->like, &host, 0);

        if (study == NULL) {
            rc = LEARN_EXIT_FAILED;
            break;
        }

        schedule->began(schedule, study);
        learn_study_free(study);
    }

    learn_loop_free(loop);

    return rc;
}


static learn_loop_t *
learn_loop_create(learn_schedule_t *schedule)
{
    learn_loop_t  *loop;

    loop = calloc(1, sizeof(learn_loop_t));

    if (loop == NULL) {
        learn_complain("%s: out of memory", schedule->command);
        return NULL;
    }

    loop->schedule = schedule;
    loop->names.schedule = schedule;

    learn_parser_init(&loop->parser);
    loop->parser.command = schedule->settings->command;

    loop->options.via = schedule->settings->via;
    loop->options.max = (size_t) schedule->settings->hosts
                        * schedule->settings->wide;
    loop->options.body = schedule->settings->body;
    loop->options.timeout = schedule->settings->timeout;
    loop->options.agent = LEARN_SCHEDULE_AGENT;

    if (loop->options.via != NULL) {
        loop->fetcher = learn_fetcher_create(&loop->options);

        if (loop->fetcher == NULL) {
            learn_loop_free(loop);
            return NULL;
        }
    }

    if (loop->fetcher != NULL && schedule->settings->browser != NULL) {
        loop->painter = learn_painter_create(schedule->command,
                                             schedule->settings->browser);

        if (loop->painter == NULL) {
            learn_loop_free(loop);
            return NULL;
        }
    }

    loop->like.settings = schedule->settings;
    loop->like.painter = loop->painter;
    loop->like.allowed = schedule->allowed;
    loop->like.store = schedule->store;
    loop->like.fetcher = loop->fetcher;
    loop->like.parser = &loop->parser;
    loop->like.memo = &loop->memo;
    loop->like.command = schedule->command;
    loop->like.told = schedule->decided;

    schedule->started = learn_clock();
    loop->saved = schedule->started;

    return loop;
}


static void
learn_loop_free(learn_loop_t *loop)
{
    learn_study_t  *study;

    if (loop->painter != NULL) {
        learn_painter_drop(loop->painter);
    }

    learn_fetcher_free(loop->fetcher);

    while (loop->schedule->studies != NULL) {
        study = loop->schedule->studies;
        loop->schedule->studies = study->next;
        learn_study_free(study);
    }

    learn_painter_free(loop->painter);
    learn_parser_release(&loop->parser);
    free(loop);
}


/* the next host that is to be learned; an empty name at the end */

static int
learn_loop_next(learn_loop_t *loop, miqps_str_t *host)
{
    int                 rc;
    miqps_str_t         after;
    learn_hostnames_t  *names;

    names = &loop->names;

    while (names->at == names->n && !names->end) {
        after.data = (const uint8_t *) names->last;
        after.len = strlen(names->last);

        names->n = 0;
        names->at = 0;
        names->end = 1;

        rc = loop->schedule->store->ops->hosts(loop->schedule->store, &after,
                                               LEARN_SCHEDULE_NAMES,
                                               learn_loop_name, names);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (names->at == names->n) {
        host->len = 0;
        return LEARN_EXIT_OK;
    }

    host->data = (const uint8_t *) names->name[names->at++];
    host->len = strlen((const char *) host->data);

    return LEARN_EXIT_OK;
}


static int
learn_loop_name(int64_t id, const miqps_str_t *name, void *data)
{
    learn_hostnames_t  *names;

    (void) id;

    names = data;
    names->end = 0;

    if (name->len > MIQPS_MAX_HOST) {
        return 1;
    }

    memcpy(names->last, name->data, name->len);
    names->last[name->len] = '\0';

    if (learn_hosts_have(names->schedule->allowed, name)) {
        memcpy(names->name[names->n++], names->last, name->len + 1);
    }

    return 1;
}


static int
learn_loop_fill(learn_loop_t *loop)
{
    int          rc;
    miqps_str_t  host;

    while (loop->schedule->open < loop->schedule->settings->hosts) {
        rc = learn_loop_next(loop, &host);

        if (rc != LEARN_EXIT_OK || host.len == 0) {
            return rc;
        }

        rc = learn_loop_open(loop, &host);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    return LEARN_EXIT_OK;
}


static int
learn_loop_open(learn_loop_t *loop, const miqps_str_t *host)
{
    int                rc, resumed;
    char               settings[LEARN_SETTINGS_TEXT];
    int64_t            run;
    learn_study_t     *study;
    learn_store_t     *store;
    learn_schedule_t  *schedule;

    schedule = loop->schedule;
    store = schedule->store;
    resumed = 0;

    learn_settings_text(schedule->settings, settings, sizeof(settings));

    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->run_open(store, host, settings, &run, &resumed);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
        return rc;
    }

    study = learn_study_create(&loop->like, host, run);

    if (study == NULL) {
        return LEARN_EXIT_FAILED;
    }

    study->resumed = (unsigned) resumed;
    study->next = schedule->studies;

    schedule->studies = study;
    schedule->open++;

    if (schedule->began != NULL) {
        schedule->began(schedule, study);
    }

    return LEARN_EXIT_OK;
}


/* all studies go on by one step, and what comes meanwhile is taken */

static int
learn_loop_round(learn_loop_t *loop)
{
    int                rc, ms;
    uint64_t           now, wait, one;
    learn_study_t     *study, *next;
    learn_schedule_t  *schedule;

    schedule = loop->schedule;
    now = learn_clock();
    wait = LEARN_LANE_SECOND / 10;
    rc = learn_loop_paint(loop, now, &wait);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    for (study = schedule->studies; study != NULL; study = next) {
        next = study->next;

        if (study->state != LEARN_STUDY_ENDED && !schedule->stopped) {
            one = learn_study_step(study, now);
            wait = (one < wait) ? one : wait;
        }

        if (study->rc != LEARN_EXIT_OK) {
            return study->rc;
        }

        if (study->flying == 0 && (study->state == LEARN_STUDY_ENDED
                                   || schedule->stopped))
        {
            rc = learn_loop_close(loop, study);
            wait = 0;
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (now - loop->saved >= LEARN_SCHEDULE_SAVE) {
        rc = learn_loop_save(loop, NULL);
        loop->saved = now;
    }

    if (schedule->progress != NULL
        && now - loop->told >= LEARN_SCHEDULE_TELL)
    {
        schedule->progress(schedule);
        loop->told = now;
    }

    if (rc != LEARN_EXIT_OK || schedule->studies == NULL) {
        return rc;
    }

    ms = (int) (wait / 1000);

    return learn_fetcher_poll(loop->fetcher, (wait > 0 && ms == 0) ? 1 : ms);
}


/* what the browser has to say; when all is to end, it is not waited for */

static int
learn_loop_paint(learn_loop_t *loop, uint64_t now, uint64_t *wait)
{
    int  rc;

    if (loop->painter == NULL) {
        return LEARN_EXIT_OK;
    }

    if (loop->schedule->stopped) {
        learn_painter_drop(loop->painter);
        return LEARN_EXIT_OK;
    }

    rc = learn_painter_step(loop->painter, now, wait);
    learn_fetcher_also(loop->fetcher, learn_painter_fd(loop->painter));

    return rc;
}


static int
learn_loop_close(learn_loop_t *loop, learn_study_t *study)
{
    int                rc;
    learn_study_t    **place;
    learn_schedule_t  *schedule;

    schedule = loop->schedule;
    rc = learn_loop_save(loop, study);

    for (place = &schedule->studies; *place != study;
         place = &(*place)->next)
    {
        /* void */
    }

    *place = study->next;
    schedule->open--;

    if (rc == LEARN_EXIT_OK && study->state == LEARN_STUDY_ENDED) {
        schedule->hosts++;
        schedule->skipped += (learn_study_idle(study) != 0);
        schedule->deferred += (study->result == LEARN_RUN_DEFERRED);
        schedule->fetches += study->fetches;
        schedule->decisions += study->decided;

        if (schedule->ended != NULL) {
            schedule->ended(schedule, study);
        }
    }

    learn_study_free(study);

    return rc;
}


/* what is new of all studies, and the end of one of them */

static int
learn_loop_save(learn_loop_t *loop, learn_study_t *ended)
{
    int             rc;
    learn_run_t     run;
    learn_store_t  *store;
    learn_study_t  *study;

    store = loop->schedule->store;
    rc = store->ops->begin(store);

    for (study = loop->schedule->studies; study != NULL; study = study->next) {
        if (rc == LEARN_EXIT_OK) {
            rc = learn_study_save(study);
        }
    }

    if (rc == LEARN_EXIT_OK && ended != NULL
        && ended->state == LEARN_STUDY_ENDED)
    {
        memset(&run, 0, sizeof(learn_run_t));

        run.id = ended->run;
        run.state = ended->result;
        run.why = ended->why;
        run.ended = (int64_t) time(NULL);
        run.fetches = ended->fetches;
        run.failed = ended->failed;
        run.mirrors = learn_study_mirrors(ended);

        rc = store->ops->run_close(store, &run);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
    }

    return rc;
}
