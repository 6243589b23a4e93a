
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_STUDY_H_INCLUDED_
#define _LEARN_STUDY_H_INCLUDED_


#include "content/content.h"
#include "fetch/fetch.h"
#include "fetch/lane.h"
#include "fetch/robots.h"
#include "honor/honor.h"
#include "settings.h"
#include "visual/painter.h"
#include "store/store.h"


/*
 * WHAT ONE HOST IS LEARNED BY
 *
 *     plan ---- task ---- pair ---- visit ---- fetch
 *     host      a name    a URL,    a URL,     a request
 *               of a      with and  once       of it
 *               pattern   without
 *
 * A plan has a task for each parameter of the patterns that count most.  A
 * task has pairs of URLs, with the parameter and without it, and looks at them
 * one after the other; a few are fetched ahead.  URLs that several pairs have
 * are fetched once.  The order in which fetches end does not matter: the same
 * corpus, site and seed give the same verdicts.
 */


/* how a visit ended */

typedef enum {
    LEARN_VISIT_PAGE = 0,          /* with a response; see status and page */
    LEARN_VISIT_FAILED,            /* without one, whatever was tried */
    LEARN_VISIT_CACHED,            /* with one from a cache */
    LEARN_VISIT_LARGE,             /* with one that is too large */
    LEARN_VISIT_DENIED             /* it was never asked for */
} learn_visit_e;


/* what it is worth to a comparison */

typedef enum {
    LEARN_WORTH_NOTHING = 0,       /* it failed, or is about something else */
    LEARN_WORTH_PAGE,
    LEARN_WORTH_OTHER              /* an answer, but no page: it was refused,
                                      is not there, or is elsewhere */
} learn_worth_e;


typedef enum {
    LEARN_VISIT_NEW = 0,
    LEARN_VISIT_QUEUED,
    LEARN_VISIT_FLYING,
    LEARN_VISIT_DONE
} learn_visit_state_e;


typedef struct learn_study_s  learn_study_t;
typedef struct learn_visit_s  learn_visit_t;
typedef struct learn_adapt_s  learn_adapt_t;


struct learn_visit_s {
    learn_visit_t         *next;         /* in the queue, or to be saved */
    learn_visit_row_t      row;
    miqps_str_t            now;          /* what is asked for, in the end */
    learn_visit_state_e    state;
    unsigned               tries;
    unsigned               hops;         /* redirects that were followed */
    unsigned               touched:1;    /* this process asked for it, */
    unsigned               sent:1;       /* and sent it, to where it is, */
    unsigned               counted:1;    /* and knows that it has moved */
    unsigned               compared:1;   /* with the same page before */
    unsigned               steady:1;     /* it was seen again, or as another */
    unsigned               probe:1;      /* for a page that cannot be there */
    unsigned               robots:1;     /* for robots.txt */
    uint64_t               not_before;   /* a time, as in lane.h */
    uint64_t               ended;        /* the same; 0 for an earlier run */
    learn_lines_t          lines;
    learn_jar_t           *jar;          /* of redirects; NULL: of none */

    /* of pages that a browser draws, see show.c */
    miqps_str_t            as;           /* where it is shown; empty: there */
    miqps_str_t            picture;      /* packed, see shot.h; or empty */
    unsigned               resource:1;   /* part of such a page */
    learn_want_t          *wants;        /* who waits for it, */
    learn_visit_t         *shown;        /* or is to be drawn from it */
    uint8_t               *body;         /* of the part, or NULL */
    size_t                 body_len;
    char                  *type;
};


typedef struct {
    learn_visit_t         *original;
    learn_visit_t         *variant;
    learn_visit_t         *shown;        /* the variant, where the original
                                            is; if that is needed */
    learn_pair_t           row;
} learn_tested_t;


typedef struct {
    miqps_str_t            path;         /* a shape, where that is known */
    miqps_str_t            names;
    miqps_str_t            name;
    uint64_t               urls;         /* of the pattern */
    int64_t                param;        /* in the store */
    learn_tested_t        *pairs;
    size_t                 npairs;
    size_t                 asked;        /* those before it are fetched */
    size_t                 seen;         /* those before it were looked at */
    uint64_t               tested;
    uint64_t               differed;
    uint64_t               scripted;     /* by the page's script alone */
    learn_verdict_e        verdict;
    unsigned               ready:1;      /* has its pairs */
    unsigned               done:1;
    unsigned               saved:1;
} learn_task_t;


typedef enum {
    LEARN_STUDY_BEGIN = 0,         /* robots.txt and the probe */
    LEARN_STUDY_TASKS,
    LEARN_STUDY_ENDED
} learn_study_state_e;


struct learn_study_s {
    learn_study_t           *next;
    const learn_settings_t  *settings;
    const learn_hosts_t     *allowed;
    learn_store_t           *store;
    learn_fetcher_t         *fetcher;
    learn_parser_t          *parser;
    learn_painter_t         *painter;      /* NULL: nothing is drawn */
    miqps_collect_memo_t    *memo;
    const char              *command;      /* begins complaints */
    void                   (*told)(learn_study_t *study,
                                   const learn_task_t *task);

    char                     host[MIQPS_MAX_HOST + 1];
    int64_t                  run;
    learn_study_state_e      state;
    learn_run_e              result;
    char                     why[256];
    char                     error[128];   /* of the last fetch that failed */
    int                      rc;           /* an exit code */

    learn_arena_t            arena;
    learn_lane_t             lane;
    learn_robots_t           robots;
    learn_honor_t            honor;        /* what the host says itself */
    learn_content_t          absent;       /* what is not there looks so */
    unsigned                 has_absent:1;
    unsigned                 over:1;       /* all is known */
    unsigned                 news:1;       /* a visit has ended */
    unsigned                 resumed:1;

    learn_adapt_t           *adapt;        /* NULL: as published */
    learn_task_t            *tasks;
    size_t                   ntasks;
    size_t                   room;
    size_t                   first;        /* those before it are done */
    size_t                   decided;

    learn_visit_t          **visits;       /* by hash */
    size_t                   nvisits;
    size_t                   max_visits;
    learn_visit_t           *queue;
    learn_visit_t          **queue_end;
    learn_visit_t           *unsaved;

    uint64_t                 fetches;      /* that were sent */
    uint64_t                 repeated;     /* of these, once more */
    uint64_t                 answers;      /* of nginx, whatever they are */
    uint64_t                 failed;
    uint64_t                 limited;
    uint64_t                 bytes;
    unsigned                 flying;
    size_t                   parts;        /* bytes of parts that are kept */
};


/*
 * A study of a host, with its plan; NULL after a complaint.  With "run" 0
 * there is no run in the store: it is only planned.
 */
learn_study_t *learn_study_create(const learn_study_t *like,
    const miqps_str_t *host, int64_t run);
void learn_study_free(learn_study_t *study);

/* true if there is nothing to be learned of what the store has of it */

int learn_study_idle(const learn_study_t *study);

/* fetches that the plan has at most */

uint64_t learn_study_most(learn_study_t *study);

/*
 * Goes on: looks at what has come, asks for more as far as the lane and the
 * fetcher allow, and ends the study when all is decided.  Returns microseconds
 * until it wants to be called again, if nothing comes before that.
 */
uint64_t learn_study_step(learn_study_t *study, uint64_t now);

/* the host that it is a mirror of; or "" */

const char *learn_study_mirrors(const learn_study_t *study);

/* writes what is new, as part of a transaction; an exit code */

int learn_study_save(learn_study_t *study);


/* --- between the files of this folder */

/* plan.c: the tasks of a host, and the pairs of a task; exit codes */

int learn_plan(learn_study_t *study);
int learn_plan_pairs(learn_study_t *study, learn_task_t *task);

/* visit.c: the visit of a URL, made if there is none; NULL without memory */

learn_visit_t *learn_visit_get(learn_study_t *study, const miqps_str_t *url);

/* the same by a viewer, and once more */

learn_visit_t *learn_visit_of(learn_study_t *study, const miqps_str_t *url,
    unsigned viewer, unsigned turn);

/* a viewer's first look at a URL, if there is one; or NULL */

const learn_visit_t *learn_visit_find(const learn_study_t *study,
    const miqps_str_t *url, unsigned viewer);

/*
 * The same, drawn as if it were at "as".  Turns that differ by a multiple of
 * LEARN_VISIT_FRESH are drawn from one response.
 */

#define LEARN_VISIT_FRESH  8

learn_visit_t *learn_visit_shown(learn_study_t *study, const miqps_str_t *url,
    const miqps_str_t *as, unsigned viewer, unsigned turn);

/* asks for it, unless somebody has */

void learn_visit_want(learn_study_t *study, learn_visit_t *visit);

/*
 * cookies.c: true if two pages set the same cookies.  Values do not count of
 * those that were another time seen to have two at one URL.
 */
int learn_visit_cookies(const learn_study_t *study, const learn_visit_t *one,
    const learn_visit_t *two);

/* judge.c: of one that is done */

learn_worth_e learn_visit_worth(const learn_visit_t *visit);

/* visit.c: starts what may start; microseconds until more may */

uint64_t learn_visit_run(learn_study_t *study, uint64_t now);

/* what an interrupted run has fetched */

int learn_visit_load(learn_study_t *study);

/* ends it, with an outcome */

void learn_visit_end(learn_study_t *study, learn_visit_t *visit,
    learn_visit_e outcome);

/*
 * show.c: draws a page that has come.  The visit ends when that is done.  0
 * without memory.
 */
int learn_show(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch);

/* asks for what a visit that is shown elsewhere is drawn from */

void learn_show_elsewhere(learn_study_t *study, learn_visit_t *visit);

/* visit.c: what has come becomes a page */

void learn_visit_page(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch);

/* true if it is to be drawn */

int learn_show_wanted(const learn_study_t *study, const learn_visit_t *visit);

/* a part of a page has come, or, without "fetch", will not */

void learn_show_part(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch);

/* true if two pages look the same */

int learn_show_same(const learn_visit_t *one, const learn_visit_t *two);

/* what is kept of parts */

void learn_show_release(learn_study_t *study);

/*
 * judge.c: true if all is there that is needed for a pair.  What is not is
 * asked for.
 */
int learn_judge_ready(learn_study_t *study, learn_tested_t *pair);

/* looks at a pair that is ready */

void learn_judge_pair(const learn_study_t *study, learn_tested_t *pair);

/* adds the pair to what is known; sets task->done when that is enough */

void learn_judge_task(const learn_study_t *study, learn_task_t *task);

/* microseconds of a clock that only goes forward */

uint64_t learn_clock(void);


#endif /* _LEARN_STUDY_H_INCLUDED_ */
