
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "corpus/absolute.h"
#include "learn.h"
#include "miqps_url.h"
#include "study.h"


#define LEARN_VISIT_TRIES    3           /* of what fails */
#define LEARN_VISIT_HOPS     5           /* redirects */
#define LEARN_VISIT_PATIENCE 30          /* limits in a row that are borne */


/* a fetch that is under way, and whose it is */

typedef struct {
    learn_fetch_t       fetch;
    learn_study_t      *study;
    learn_visit_t      *visit;
} learn_errand_t;


static uint64_t  learn_visit_hash(const learn_study_t *study,
    const miqps_str_t *url, unsigned viewer, unsigned turn);
static int  learn_visit_grow(learn_study_t *study);
static learn_visit_t  *learn_visit_take(learn_study_t *study, uint64_t now,
    uint64_t *wait);
static int  learn_visit_lines(learn_study_t *study, learn_visit_t *visit);
static int  learn_visit_start(learn_study_t *study, learn_visit_t *visit,
    uint64_t now);
static void  learn_visit_fetched(learn_fetch_t *fetch);
static void  learn_visit_again(learn_study_t *study, learn_visit_t *visit,
    uint64_t later);
static int  learn_visit_redirect(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch);
static int  learn_visit_pour(learn_study_t *study, learn_visit_t *visit,
    const learn_jar_t *jar);
static int  learn_visit_jar(learn_study_t *study, learn_visit_t *visit,
    const learn_jar_t *jar);
static int  learn_visit_honor(learn_study_t *study,
    const learn_visit_t *visit, const learn_fetch_t *fetch);
static void  learn_visit_robots(learn_study_t *study,
    const learn_fetch_t *fetch);
static int  learn_visit_keep(learn_study_t *study, miqps_str_t *to,
    const char *text, size_t len);
static int  learn_visit_known(const learn_visit_row_t *row, void *data);


learn_visit_t *
learn_visit_get(learn_study_t *study, const miqps_str_t *url)
{
    return learn_visit_of(study, url, 0, 0);
}


learn_visit_t *
learn_visit_of(learn_study_t *study, const miqps_str_t *url, unsigned viewer,
    unsigned turn)
{
    static const miqps_str_t  itself;

    return learn_visit_shown(study, url, &itself, viewer, turn);
}


learn_visit_t *
learn_visit_shown(learn_study_t *study, const miqps_str_t *url,
    const miqps_str_t *as, unsigned viewer, unsigned turn)
{
    size_t          i;
    uint64_t        hash;
    learn_visit_t  *visit;

    if (2 * study->nvisits >= study->max_visits
        && !learn_visit_grow(study))
    {
        return NULL;
    }

    hash = learn_visit_hash(study, url, viewer, turn);

    if (as->len > 0) {
        hash = (hash ^ learn_store_hash(study->store, as->data, as->len) << 1)
               & INT64_MAX;
    }

    for (i = hash; /* void */ ; i++) {
        i &= study->max_visits - 1;
        visit = study->visits[i];

        if (visit == NULL) {
            break;
        }

        if (visit->row.hash == hash && visit->row.viewer == viewer
            && visit->row.turn == turn && miqps_str_eq(&visit->row.url, url)
            && miqps_str_eq(&visit->as, as))
        {
            return visit;
        }
    }

    visit = learn_arena_alloc(&study->arena, sizeof(learn_visit_t));

    if (visit == NULL
        || !learn_visit_keep(study, &visit->row.url, (const char *) url->data,
                             url->len)
        || (as->len > 0
            && !learn_visit_keep(study, &visit->as, (const char *) as->data,
                                 as->len)))
    {
        return NULL;
    }

    visit->row.hash = hash;
    visit->row.viewer = viewer;
    visit->row.turn = turn;
    visit->now = visit->row.url;

    study->visits[i] = visit;
    study->nvisits++;

    return visit;
}


const learn_visit_t *
learn_visit_find(const learn_study_t *study, const miqps_str_t *url,
    unsigned viewer)
{
    size_t                i;
    const learn_visit_t  *visit;

    if (study->max_visits == 0) {
        return NULL;
    }

    for (i = learn_visit_hash(study, url, viewer, 0); /* void */ ; i++) {
        visit = study->visits[i & (study->max_visits - 1)];

        if (visit == NULL
            || (visit->row.viewer == viewer && visit->row.turn == 0
                && visit->as.len == 0 && miqps_str_eq(&visit->row.url, url)))
        {
            return visit;
        }
    }
}


static uint64_t
learn_visit_hash(const learn_study_t *study, const miqps_str_t *url,
    unsigned viewer, unsigned turn)
{
    return (learn_store_hash(study->store, url->data, url->len)
            + viewer * UINT64_C(0x9e3779b97f4a7c15)
            + turn * UINT64_C(0xbf58476d1ce4e5b9))
           & INT64_MAX;
}


static int
learn_visit_grow(learn_study_t *study)
{
    size_t           i, k, size;
    learn_visit_t  **visits;

    size = (study->max_visits == 0) ? 256 : 2 * study->max_visits;
    visits = calloc(size, sizeof(learn_visit_t *));

    if (visits == NULL) {
        return 0;
    }

    for (i = 0; i < study->max_visits; i++) {

        if (study->visits[i] == NULL) {
            continue;
        }

        for (k = study->visits[i]->row.hash & (size - 1); visits[k] != NULL;
             k = (k + 1) & (size - 1))
        {
            /* void */
        }

        visits[k] = study->visits[i];
    }

    free(study->visits);

    study->visits = visits;
    study->max_visits = size;

    return 1;
}


void
learn_visit_want(learn_study_t *study, learn_visit_t *visit)
{
    if (visit->state != LEARN_VISIT_NEW) {
        return;
    }

    if (visit->as.len > 0) {
        visit->state = LEARN_VISIT_FLYING;
        learn_show_elsewhere(study, visit);
        return;
    }

    /* a page that is half drawn is before the next one */

    if (visit->resource && visit->not_before == 0) {
        learn_visit_again(study, visit, 0);
        return;
    }

    visit->state = LEARN_VISIT_QUEUED;
    visit->next = NULL;

    *study->queue_end = visit;
    study->queue_end = &visit->next;
}


/* in front, or later and behind the others */

static void
learn_visit_again(learn_study_t *study, learn_visit_t *visit, uint64_t later)
{
    visit->not_before = later;

    if (later > 0) {
        visit->state = LEARN_VISIT_NEW;
        learn_visit_want(study, visit);
        return;
    }

    visit->state = LEARN_VISIT_QUEUED;
    visit->next = study->queue;

    if (study->queue == NULL) {
        study->queue_end = &visit->next;
    }

    study->queue = visit;
}


uint64_t
learn_visit_run(learn_study_t *study, uint64_t now)
{
    uint64_t        wait;
    learn_visit_t  *visit;

    while (study->queue != NULL && learn_lane_open(&study->lane, now)
           && learn_fetcher_room(study->fetcher) > 0)
    {
        visit = learn_visit_take(study, now, &wait);

        if (visit == NULL) {
            return wait;
        }

        if (learn_visit_start(study, visit, now) != LEARN_EXIT_OK) {
            study->rc = LEARN_EXIT_FAILED;
            return 0;
        }
    }

    if (study->queue == NULL || study->lane.flying == study->lane.wide
        || learn_fetcher_room(study->fetcher) == 0)
    {
        return LEARN_LANE_SECOND;
    }

    wait = learn_lane_wait(&study->lane, now);

    return (wait > 0) ? wait : 1000;
}


/* the first whose time has come, or NULL and how long that takes */

static learn_visit_t *
learn_visit_take(learn_study_t *study, uint64_t now, uint64_t *wait)
{
    learn_visit_t  *visit, **place;

    *wait = LEARN_LANE_SECOND;

    for (place = &study->queue; *place != NULL; place = &(*place)->next) {
        visit = *place;

        if (visit->not_before <= now) {
            *place = visit->next;

            if (*place == NULL) {
                study->queue_end = place;
            }

            return visit;
        }

        if (visit->not_before - now < *wait) {
            *wait = visit->not_before - now;
        }
    }

    return NULL;
}


/* it is judged once more: redirects lead anywhere */

static int
learn_visit_start(learn_study_t *study, learn_visit_t *visit, uint64_t now)
{
    learn_errand_t  *errand;

    errand = malloc(sizeof(learn_errand_t));

    if (errand == NULL) {
        learn_complain("%s: out of memory", study->command);
        return LEARN_EXIT_FAILED;
    }

    errand->study = study;
    errand->visit = visit;
    errand->fetch.done = learn_visit_fetched;
    errand->fetch.data = errand;
    errand->fetch.viewer = visit->row.viewer;

    if (learn_target_check(&visit->now, study->allowed, study->memo,
                           &errand->fetch.target)
        != LEARN_TARGET_OK
        || (!visit->robots
            && !learn_robots_allow(&study->robots,
                                   &errand->fetch.target.target)))
    {
        free(errand);
        learn_visit_end(study, visit, LEARN_VISIT_DENIED);
        return LEARN_EXIT_OK;
    }

    if (learn_fetcher_start(study->fetcher, &errand->fetch) != LEARN_EXIT_OK) {
        free(errand);
        return LEARN_EXIT_FAILED;
    }

    visit->state = LEARN_VISIT_FLYING;
    study->fetches++;
    study->repeated += visit->sent;
    study->flying++;
    visit->sent = 1;

    learn_lane_start(&study->lane, now);

    return LEARN_EXIT_OK;
}


static void
learn_visit_fetched(learn_fetch_t *fetch)
{
    int              limited;
    uint64_t         now;
    learn_visit_t   *visit;
    learn_study_t   *study;
    learn_errand_t  *errand;

    errand = fetch->data;
    study = errand->study;
    visit = errand->visit;
    now = learn_clock();

    limited = (fetch->outcome == LEARN_FETCH_DONE
               && (fetch->status == 429 || fetch->status == 503));

    study->flying--;
    study->answers += (fetch->outcome != LEARN_FETCH_FAILED);
    study->bytes += fetch->received;
    learn_lane_end(&study->lane, now, limited, fetch->retry_after);

    visit->row.ms += fetch->ms;
    visit->row.bytes += fetch->received;

    if (limited) {
        study->limited++;

        if (study->lane.limited > LEARN_VISIT_PATIENCE) {
            (void) snprintf(study->error, sizeof(study->error),
                            "it is always too much, status %u",
                            fetch->status);
            learn_visit_end(study, visit, LEARN_VISIT_FAILED);

        } else {
            learn_visit_again(study, visit, 0);
        }

    } else if (fetch->outcome == LEARN_FETCH_FAILED || fetch->status >= 500) {

        if (fetch->error != NULL) {
            (void) snprintf(study->error, sizeof(study->error), "%s",
                            fetch->error);

        } else {
            (void) snprintf(study->error, sizeof(study->error), "status %u",
                            fetch->status);
        }

        if (++visit->tries < LEARN_VISIT_TRIES) {
            learn_visit_again(study, visit,
                              now + visit->tries * LEARN_LANE_SECOND / 2);

        } else {
            visit->row.status = fetch->status;
            learn_visit_end(study, visit, LEARN_VISIT_FAILED);
        }

    } else if (visit->robots) {
        learn_visit_robots(study, fetch);
        learn_visit_end(study, visit, LEARN_VISIT_PAGE);

    } else if (visit->resource) {
        if (!learn_visit_redirect(study, visit, fetch)) {
            learn_show_part(study, visit, fetch);
        }

    } else if (fetch->outcome == LEARN_FETCH_TOO_LARGE) {
        learn_visit_end(study, visit, LEARN_VISIT_LARGE);

    } else if (strcmp(fetch->cache, "HIT") == 0
               || strcmp(fetch->cache, "STALE") == 0
               || strcmp(fetch->cache, "UPDATING") == 0
               || strcmp(fetch->cache, "REVALIDATED") == 0)
    {
        learn_visit_end(study, visit, LEARN_VISIT_CACHED);

    } else if (!learn_visit_redirect(study, visit, fetch)) {
        learn_visit_page(study, visit, fetch);
    }

    free(errand);
}


/* 1 if it goes on elsewhere */

static int
learn_visit_redirect(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch)
{
    uint8_t         buf[LEARN_ABSOLUTE_ROOM(2 * LEARN_TARGET_MAX)];
    miqps_str_t     in, to;
    miqps_url_t     url;
    learn_target_t  target;

    if (fetch->status < 301 || fetch->status > 308 || fetch->status == 304
        || fetch->location[0] == '\0')
    {
        return 0;
    }

    in.data = (const uint8_t *) fetch->location;
    in.len = strlen(fetch->location);

    if (learn_absolute_resolved(&in, &visit->now, buf, &to) != MIQPS_OK
        || miqps_url_split(&url, &to) != MIQPS_OK)
    {
        return 0;
    }

    to.len -= url.fragment.len;

    /* where the first one leads is part of the evidence */

    if (visit->hops == 0
        && !learn_visit_keep(study, &visit->row.location,
                             (const char *) to.data, to.len))
    {
        study->rc = LEARN_EXIT_FAILED;
        return 0;
    }

    /* and so is what is set on the way */

    if (!learn_visit_pour(study, visit, &fetch->jar)) {
        study->rc = LEARN_EXIT_FAILED;
        return 0;
    }

    if (visit->hops == LEARN_VISIT_HOPS
        || learn_target_check(&to, study->allowed, study->memo, &target)
           != LEARN_TARGET_OK
        || !learn_visit_keep(study, &visit->now, (const char *) to.data,
                             to.len))
    {
        return 0;
    }

    visit->hops++;
    visit->sent = 0;
    learn_visit_again(study, visit, 0);

    return 1;
}


/* 0 without memory */

static int
learn_visit_pour(learn_study_t *study, learn_visit_t *visit,
    const learn_jar_t *jar)
{
    if (visit->jar == NULL) {
        visit->jar = learn_arena_alloc(&study->arena, sizeof(learn_jar_t));

        if (visit->jar == NULL) {
            return 0;
        }

        learn_jar_init(visit->jar);
    }

    learn_jar_add(visit->jar, jar);

    return 1;
}


void
learn_visit_page(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch)
{
    size_t           i;
    learn_content_t  content;

    visit->row.status = fetch->status;

    if (!learn_visit_honor(study, visit, fetch)) {
        learn_complain("%s: out of memory", study->command);
        study->rc = LEARN_EXIT_FAILED;
        return;
    }

    study->parser->lines = (study->adapt != NULL) ? &study->arena : NULL;

    if (!learn_content_read(&content, study->parser, fetch, &visit->now)
        || !learn_visit_keep(study, &visit->row.title, content.title,
                             strlen(content.title))
        || !learn_visit_keep(study, &visit->row.canonical, content.canonical,
                             strlen(content.canonical))
        || !learn_visit_jar(study, visit, &fetch->jar))
    {
        learn_complain("%s: out of memory", study->command);
        study->rc = LEARN_EXIT_FAILED;
        return;
    }

    if (study->has_absent && content.page == LEARN_PAGE_GOOD
        && learn_content_same(&content, &study->absent, LEARN_ID_TEXT))
    {
        content.page = LEARN_PAGE_MISSING;
    }

    visit->row.page = content.page;
    visit->lines = content.lines;

    if (study->adapt != NULL && !learn_visit_lines(study, visit)) {
        learn_complain("%s: out of memory", study->command);
        study->rc = LEARN_EXIT_FAILED;
        return;
    }

    for (i = 0; i < LEARN_ID_MAX && i < LEARN_VISIT_IDS; i++) {
        visit->row.ids[i] = content.id[i];
    }

    /* a redirect to a page that is there tells nothing of those that are not */

    if (visit->probe && visit->hops == 0 && fetch->status == 200
        && content.page == LEARN_PAGE_GOOD)
    {
        study->absent = content;
        study->has_absent = 1;
    }

    if (fetch->status == 200 && content.page == LEARN_PAGE_GOOD
        && learn_show_wanted(study, visit))
    {
        if (!learn_show(study, visit, fetch)) {
            learn_complain("%s: out of memory", study->command);
            study->rc = LEARN_EXIT_FAILED;
        }

        return;
    }

    learn_visit_end(study, visit, LEARN_VISIT_PAGE);
}


/* cookies and Vary of a response, and of all that have led to it */

static int
learn_visit_jar(learn_study_t *study, learn_visit_t *visit,
    const learn_jar_t *jar)
{
    uint8_t  cookies[LEARN_JAR_BYTES];

    if (visit->jar != NULL) {
        learn_jar_add(visit->jar, jar);
        jar = visit->jar;
    }

    visit->row.cookies = learn_jar_names(jar);

    return learn_visit_keep(study, &visit->row.jar, (const char *) cookies,
                            learn_jar_write(jar, cookies))
           && learn_visit_keep(study, &visit->row.vary, jar->vary,
                               strlen(jar->vary));
}


/* what the host says of its parameters, unless it has sent us elsewhere */

static int
learn_visit_honor(learn_study_t *study, const learn_visit_t *visit,
    const learn_fetch_t *fetch)
{
    if (!(study->settings->honor & LEARN_HONOR_NO_VARY)
        || fetch->no_vary[0] == '\0' || visit->hops > 0 || visit->probe)
    {
        return 1;
    }

    return learn_honor_no_vary(&study->honor, fetch->no_vary,
                               &fetch->target.path, &study->arena);
}


/* as bytes for the store */

static int
learn_visit_lines(learn_study_t *study, learn_visit_t *visit)
{
    size_t    len;
    uint8_t  *data;

    len = learn_lines_size(&visit->lines);
    data = learn_arena_alloc(&study->arena, len);

    if (data == NULL) {
        return 0;
    }

    learn_lines_write(&visit->lines, data);

    visit->row.lines.data = data;
    visit->row.lines.len = len;

    return 1;
}


static void
learn_visit_robots(learn_study_t *study, const learn_fetch_t *fetch)
{
    if ((study->settings->honor & LEARN_HONOR_CLEAN) && fetch->status == 200
        && fetch->outcome == LEARN_FETCH_DONE
        && !learn_honor_robots(&study->honor, fetch->body, fetch->body_len,
                               &study->arena))
    {
        learn_complain("%s: out of memory", study->command);
        study->rc = LEARN_EXIT_FAILED;
    }

    /* its rules are for others */

    if (!study->settings->foreign) {
        return;
    }

    if (fetch->status != 200 || fetch->outcome != LEARN_FETCH_DONE) {
        learn_robots_state(&study->robots, fetch->status);
        return;
    }

    if (!learn_robots_read(&study->robots, fetch->body, fetch->body_len,
                           "miqps", &study->arena))
    {
        learn_complain("%s: out of memory", study->command);
        study->rc = LEARN_EXIT_FAILED;
    }

    if (study->robots.delay > 0
        && (study->lane.most == 0
            || study->lane.most > 1.0 / (double) study->robots.delay))
    {
        learn_lane_init(&study->lane, 1.0 / (double) study->robots.delay, 1);
    }
}


void
learn_visit_end(learn_study_t *study, learn_visit_t *visit,
    learn_visit_e outcome)
{
    visit->state = LEARN_VISIT_DONE;
    visit->ended = learn_clock();
    study->news = 1;
    visit->row.outcome = outcome;
    visit->row.at = (int64_t) time(NULL);

    if (visit->resource) {
        learn_show_part(study, visit, NULL);
        return;
    }

    if (outcome == LEARN_VISIT_FAILED) {
        study->failed++;

        /* without it nobody knows what may be fetched */

        if (visit->robots && study->settings->foreign) {
            learn_robots_state(&study->robots, 500);
        }
    }

    if (!visit->robots) {
        visit->next = study->unsaved;
        study->unsaved = visit;
    }
}


static int
learn_visit_keep(learn_study_t *study, miqps_str_t *to, const char *text,
    size_t len)
{
    uint8_t  *copy;

    copy = learn_arena_alloc(&study->arena, len + 1);

    if (copy == NULL) {
        return 0;
    }

    if (len > 0) {
        memcpy(copy, text, len);
    }

    to->data = copy;
    to->len = len;

    return 1;
}


int
learn_visit_load(learn_study_t *study)
{
    return study->store->ops->visits(study->store, study->run,
                                     learn_visit_known, study);
}


/* what had failed is tried again */

static int
learn_visit_known(const learn_visit_row_t *row, void *data)
{
    learn_study_t  *study;
    learn_visit_t  *visit;

    study = data;

    if (row->outcome != LEARN_VISIT_PAGE && row->outcome != LEARN_VISIT_LARGE)
    {
        return 1;
    }

    /* an older miqps has not kept what cookies were set to */

    if (row->cookies != 0 && row->jar.len == 0) {
        return 1;
    }

    /* those that were drawn elsewhere are drawn again */

    if (row->hash != learn_visit_hash(study, &row->url, row->viewer,
                                      row->turn))
    {
        return 1;
    }

    visit = learn_visit_of(study, &row->url, row->viewer, row->turn);

    if (visit == NULL
        || !learn_visit_keep(study, &visit->row.title,
                             (const char *) row->title.data, row->title.len)
        || !learn_visit_keep(study, &visit->row.location,
                             (const char *) row->location.data,
                             row->location.len)
        || !learn_visit_keep(study, &visit->row.canonical,
                             (const char *) row->canonical.data,
                             row->canonical.len)
        || !learn_visit_keep(study, &visit->row.vary,
                             (const char *) row->vary.data, row->vary.len)
        || !learn_visit_keep(study, &visit->row.jar,
                             (const char *) row->jar.data, row->jar.len))
    {
        learn_complain("%s: out of memory", study->command);
        return 0;
    }

    /* what it looked like is needed; without it, it is fetched again */

    if (study->adapt != NULL && row->page == LEARN_PAGE_GOOD
        && row->status == 200 && row->outcome == LEARN_VISIT_PAGE
        && !learn_lines_load(&visit->lines, row->lines.data, row->lines.len,
                             &study->arena))
    {
        return 1;
    }

    if (learn_show_wanted(study, visit) && row->page == LEARN_PAGE_GOOD
        && row->status == 200 && row->outcome == LEARN_VISIT_PAGE)
    {
        if (row->lines.len == 0) {
            return 1;
        }

        if (!learn_visit_keep(study, &visit->picture,
                              (const char *) row->lines.data, row->lines.len))
        {
            learn_complain("%s: out of memory", study->command);
            return 0;
        }
    }

    visit->state = LEARN_VISIT_DONE;
    visit->row.at = row->at;
    visit->row.ms = row->ms;
    visit->row.bytes = row->bytes;
    visit->row.status = row->status;
    visit->row.outcome = row->outcome;
    visit->row.page = row->page;
    visit->row.cookies = row->cookies;
    memcpy(visit->row.ids, row->ids, sizeof(row->ids));

    study->fetches++;

    return 1;
}
