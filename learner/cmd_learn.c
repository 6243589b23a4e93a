
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <curl/curl.h>

#include "adapt/sequential.h"
#include "learn.h"
#include "learn/schedule.h"
#include "visual/browser.h"


#define LEARN_VIA  "unix:/run/miqps-learn.sock"

#define LEARN_LESSON_ERROR  1e-6         /* or more */


typedef struct {
    const char        *store;
    learn_settings_t   settings;
    learn_hosts_t      hosts;
    int                plan;
    int                json;
    int                quiet;
    int                tty;
    const char        *browser;
    const char        *paper;         /* an option of that algorithm, */
    const char        *own;           /* and one of the other */
    uint64_t           most;          /* fetches of the plan */
} learn_lesson_t;


static int  learn_lesson_options(int argc, char **argv,
    learn_lesson_t *lesson);
static int  learn_lesson_fits(const learn_lesson_t *lesson);
static int  learn_lesson_option(learn_lesson_t *lesson, int c);
static int  learn_lesson_id(learn_lesson_t *lesson, const char *text);
static int  learn_lesson_number(const char *option, const char *text,
    double low, double high, double *value);
static int  learn_lesson_whole(const char *option, const char *text,
    unsigned low, unsigned high, unsigned *value);
static int  learn_lesson_hosts(learn_lesson_t *lesson, char **names);
static int  learn_lesson_run(learn_lesson_t *lesson);
static int  learn_lesson_bare(const learn_settings_t *settings);
static void  learn_lesson_began(learn_schedule_t *schedule,
    learn_study_t *study);
static void  learn_lesson_decided(learn_study_t *study,
    const learn_task_t *task);
static void  learn_lesson_ended(learn_schedule_t *schedule,
    learn_study_t *study);
static void  learn_lesson_progress(learn_schedule_t *schedule);
static void  learn_lesson_event(cJSON *event);


static const char  learn_lesson_usage[] =
    "usage: miqps learn --store sqlite:PATH [option...] HOST...\n"
    "\n"
    "Finds out which parameters of the hosts' URLs change the page: fetches\n"
    "URLs of the store with and without each of them, through nginx, and\n"
    "compares.  A run that was interrupted is gone on with.\n"
    "\n"
    "  --store URL        the store, sqlite:PATH\n"
    "  --via SERVER       nginx, unix:PATH or http://127.0.0.1:PORT; it is\n"
    "                     " LEARN_VIA " if not given\n"
    "  --all              all hosts of the store; HOST may be *.NAME, too\n"
    "  --algorithm NAME   adaptive, or paper; adaptive\n"
    "  --fetches N        pages of a host, at most; 300\n"
    "  --error SHARE      how often a parameter may be taken for neutral that\n"
    "                     matters for one value or page in five; 0.05\n"
    "  --values N         the same as a number of values without a difference\n"
    "  --without LIST     parts that are left out: control, time, viewers,\n"
    "                     groups, joint, kinds, defaults, general, paths,\n"
    "                     mirrors, sequential, tables, share\n"
    "  --honor LIST       what hosts say themselves of their parameters makes\n"
    "                     these be tried first: no-vary-search,clean-param\n"
    "  --content-id NAME  what pages are compared by: headers, body, title,\n"
    "                     dom, text, near, canonical, exec:COMMAND, visual,\n"
    "                     as a browser draws them; if not given, text\n"
    "  --browser PATH     Chromium, for visual; it is looked for if not given\n"
    "  --patterns N       sets of names of a host, at most; 50\n"
    "  --samples N        URLs of a parameter, at most; 10\n"
    "  --tests N          pairs of pages that are needed; 5\n"
    "  --threshold N      percent that differ where it matters; 10\n"
    "  --seed N           for the choice of URLs; 1\n"
    "  --rate N           fetches a second of a host, 0 for any; 10\n"
    "  --concurrency N    fetches of a host at a time; 4\n"
    "  --parallel N       hosts at a time; 16\n"
    "  --timeout N        seconds of a fetch, at most; 30\n"
    "  --max-size N       kilobytes of a page, at most; 4096\n"
    "  --foreign          the hosts are not ours: robots.txt counts\n"
    "  --dry-run          prints the plan, and fetches nothing\n"
    "  --json             an object for each host and verdict\n"
    "  --quiet            no report, no progress\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, interrupted, or a host was deferred, 2\n"
    "wrong usage, 4 somebody else learns.\n";


static const struct option  learn_lesson_long[] = {
    { "store",        required_argument,  NULL,  's' },
    { "via",          required_argument,  NULL,  'v' },
    { "all",          no_argument,        NULL,  'a' },
    { "algorithm",    required_argument,  NULL,  'A' },
    { "content-id",   required_argument,  NULL,  'c' },
    { "browser",      required_argument,  NULL,  'b' },
    { "fetches",      required_argument,  NULL,  'F' },
    { "values",       required_argument,  NULL,  'V' },
    { "error",        required_argument,  NULL,  'E' },
    { "without",      required_argument,  NULL,  'W' },
    { "patterns",     required_argument,  NULL,  'K' },
    { "samples",      required_argument,  NULL,  'S' },
    { "tests",        required_argument,  NULL,  'N' },
    { "threshold",    required_argument,  NULL,  'T' },
    { "seed",         required_argument,  NULL,  'e' },
    { "rate",         required_argument,  NULL,  'r' },
    { "concurrency",  required_argument,  NULL,  'w' },
    { "parallel",     required_argument,  NULL,  'p' },
    { "timeout",      required_argument,  NULL,  't' },
    { "max-size",     required_argument,  NULL,  'm' },
    { "honor",        required_argument,  NULL,  'H' },
    { "foreign",      no_argument,        NULL,  'f' },
    { "dry-run",      no_argument,        NULL,  'n' },
    { "json",         no_argument,        NULL,  'j' },
    { "quiet",        no_argument,        NULL,  'q' },
    { "help",         no_argument,        NULL,  'h' },
    { NULL,           0,                  NULL,  0 }
};


int
learn_cmd_learn(int argc, char **argv)
{
    int             rc;
    learn_lesson_t  lesson;

    memset(&lesson, 0, sizeof(learn_lesson_t));

    learn_settings_init(&lesson.settings);
    lesson.settings.via = LEARN_VIA;

    rc = learn_lesson_options(argc, argv, &lesson);

    if (rc < 0) {
        rc = learn_lesson_hosts(&lesson, argv + optind);
    }

    if (rc < 0) {
        rc = learn_lesson_run(&lesson);
    }

    free(lesson.hosts.list);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_lesson_options(int argc, char **argv, learn_lesson_t *lesson)
{
    int          c, rc;
    const char  *error;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_lesson_long, NULL)) != -1) {

        if (c == 'h') {
            (void) fputs(learn_lesson_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        if (c == '?' || c == ':') {
            return learn_usage_error("learn", argv[optind - 1]);
        }

        rc = learn_lesson_option(lesson, c);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (lesson->store == NULL) {
        learn_complain("learn: name the store, --store %s", LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    error = learn_fetcher_via(lesson->settings.via);

    if (error != NULL) {
        learn_complain("learn: --via '%s': %s", lesson->settings.via, error);
        return LEARN_EXIT_USAGE;
    }

    rc = learn_lesson_fits(lesson);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    if (lesson->settings.samples < lesson->settings.tests) {
        learn_complain("learn: --samples %u are fewer than the --tests %u that "
                       "are needed, so that nothing could be learned",
                       lesson->settings.samples, lesson->settings.tests);
        return LEARN_EXIT_USAGE;
    }

    lesson->tty = !lesson->quiet && isatty(STDERR_FILENO);

    return -1;
}


/* options are of one algorithm, or of both */

static int
learn_lesson_fits(const learn_lesson_t *lesson)
{
    const learn_settings_t  *set;

    set = &lesson->settings;

    if (set->adaptive && lesson->paper != NULL) {
        learn_complain("learn: --%s goes with --algorithm paper",
                       lesson->paper);
        return LEARN_EXIT_USAGE;
    }

    if (set->adaptive && set->id != LEARN_ID_TEXT
        && set->id != LEARN_ID_VISUAL)
    {
        learn_complain("learn: --content-id %s goes with --algorithm paper: "
                       "adaptive compares lines of what a reader sees",
                       learn_id_name(set->id));
        return LEARN_EXIT_USAGE;
    }

    if (!set->adaptive && lesson->own != NULL) {
        learn_complain("learn: --%s goes with --algorithm adaptive",
                       lesson->own);
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


static int
learn_lesson_option(learn_lesson_t *lesson, int c)
{
    double             number;
    unsigned           whole;
    learn_settings_t  *to;

    to = &lesson->settings;

    switch (c) {

    case 's':
        lesson->store = optarg;
        return LEARN_EXIT_OK;

    case 'v':
        to->via = optarg;
        return LEARN_EXIT_OK;

    case 'a':
        lesson->hosts.any = 1;
        return LEARN_EXIT_OK;

    case 'A':
        to->adaptive = (strcmp(optarg, "adaptive") == 0);

        if (to->adaptive || strcmp(optarg, "paper") == 0) {
            return LEARN_EXIT_OK;
        }

        learn_complain("learn: '%s' is no algorithm: adaptive or paper",
                       optarg);
        return LEARN_EXIT_USAGE;

    case 'F':
        lesson->own = "fetches";
        return learn_lesson_whole("fetches", optarg, 1, 1000000,
                                  &to->fetches);
    case 'V':
        lesson->own = "values";
        to->error = 0;
        return learn_lesson_whole("values", optarg, 1, LEARN_STORE_SAMPLE,
                                  &to->values);
    case 'E':
        lesson->own = "error";
        c = learn_lesson_number("error", optarg, LEARN_LESSON_ERROR, 0.5,
                                &to->error);
        to->values = learn_sequential_need(to->error);
        return c;

    case 'c':
        return learn_lesson_id(lesson, optarg);

    case 'b':
        lesson->browser = optarg;
        return LEARN_EXIT_OK;

    case 'K':
        lesson->paper = "patterns";
        return learn_lesson_whole("patterns", optarg, 1, LEARN_STORE_PATTERNS,
                                  &to->patterns);
    case 'S':
        lesson->paper = "samples";
        return learn_lesson_whole("samples", optarg, 1, LEARN_STORE_SAMPLE,
                                  &to->samples);
    case 'N':
        lesson->paper = "tests";
        return learn_lesson_whole("tests", optarg, 1, LEARN_STORE_SAMPLE,
                                  &to->tests);
    case 'T':
        lesson->paper = "threshold";
        return learn_lesson_number("threshold", optarg, 0, 100,
                                   &to->threshold);
    case 'e':
        c = learn_lesson_whole("seed", optarg, 0, UINT32_MAX, &whole);
        to->seed = whole;
        return c;

    case 'r':
        return learn_lesson_number("rate", optarg, 0, 100000, &to->rate);

    case 'w':
        return learn_lesson_whole("concurrency", optarg, 1, 256, &to->wide);

    case 'p':
        return learn_lesson_whole("parallel", optarg, 1, 256, &to->hosts);

    case 't':
        c = learn_lesson_number("timeout", optarg, 0.1, 3600, &number);
        to->timeout = (long) (number * 1000);
        return c;

    case 'm':
        c = learn_lesson_whole("max-size", optarg, 1, 1024 * 1024, &whole);
        to->body = (size_t) whole * 1024;
        return c;

    case 'H':
        lesson->own = "honor";

        if (learn_settings_honors(to, optarg)) {
            return LEARN_EXIT_OK;
        }

        learn_complain("learn: --honor '%s': it is no-vary-search, "
                       "clean-param, or both with a comma", optarg);
        return LEARN_EXIT_USAGE;

    case 'W':
        lesson->own = "without";

        if (learn_settings_leaves(to, optarg)) {
            return LEARN_EXIT_OK;
        }

        learn_complain("learn: --without '%s': it is a list of control, time, "
                       "viewers, groups, joint, kinds, defaults, general, "
                       "paths, mirrors, sequential, tables and share, with "
                       "commas", optarg);
        return LEARN_EXIT_USAGE;

    case 'f':
        to->foreign = 1;
        return LEARN_EXIT_OK;

    case 'n':
        lesson->plan = 1;
        return LEARN_EXIT_OK;

    case 'j':
        lesson->json = 1;
        return LEARN_EXIT_OK;

    default: /* 'q' */
        lesson->quiet = 1;
        return LEARN_EXIT_OK;
    }
}


static int
learn_lesson_id(learn_lesson_t *lesson, const char *text)
{
    static const char  exec[] = "exec:";

    if (strncmp(text, exec, sizeof(exec) - 1) == 0
        && text[sizeof(exec) - 1] != '\0')
    {
        lesson->settings.id = LEARN_ID_EXEC;
        lesson->settings.command = text + sizeof(exec) - 1;
        return LEARN_EXIT_OK;
    }

    lesson->settings.id = learn_id_find(text);
    lesson->settings.command = NULL;

    if (lesson->settings.id < LEARN_ID_EXEC
        || lesson->settings.id == LEARN_ID_VISUAL)
    {
        return LEARN_EXIT_OK;
    }

    learn_complain("learn: '%s' is no content ID: headers, body, title, dom, "
                   "text, near, canonical, exec:COMMAND or visual", text);

    return LEARN_EXIT_USAGE;
}


static int
learn_lesson_number(const char *option, const char *text, double low,
    double high, double *value)
{
    char  *end;

    *value = strtod(text, &end);

    if (end != text && *end == '\0' && *value >= low && *value <= high) {
        return LEARN_EXIT_OK;
    }

    learn_complain("learn: '%s' is no number for --%s, from %g to %g", text,
                   option, low, high);

    return LEARN_EXIT_USAGE;
}


static int
learn_lesson_whole(const char *option, const char *text, unsigned low,
    unsigned high, unsigned *value)
{
    int     rc;
    double  number;

    rc = learn_lesson_number(option, text, low, high, &number);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    *value = (unsigned) number;

    if (*value == number) {
        return LEARN_EXIT_OK;
    }

    learn_complain("learn: '%s' is no whole number for --%s", text, option);

    return LEARN_EXIT_USAGE;
}


/* -1 to go on */

static int
learn_lesson_hosts(learn_lesson_t *lesson, char **names)
{
    if (*names == NULL && !lesson->hosts.any) {
        learn_complain("learn: name the hosts that may be asked, or --all that "
                       "the store has");
        return LEARN_EXIT_USAGE;
    }

    return learn_hosts_read(&lesson->hosts, "learn", names);
}


static int
learn_lesson_run(learn_lesson_t *lesson)
{
    int               rc;
    char             *browser;
    learn_store_t    *store;
    learn_schedule_t  schedule;

    browser = NULL;

    if (lesson->settings.id == LEARN_ID_VISUAL && !lesson->plan) {
        browser = learn_browser_find("learn", lesson->browser);

        if (browser == NULL) {
            return LEARN_EXIT_FAILED;
        }

        lesson->settings.browser = browser;
    }

    rc = learn_store_open(&store, "learn", lesson->store,
                          lesson->plan ? LEARN_STORE_READ : LEARN_STORE_SHARE);

    if (rc != LEARN_EXIT_OK) {
        free(browser);
        return rc;
    }

    if (!lesson->plan) {
        rc = store->ops->study_lock(store);
    }

    (void) curl_global_init(CURL_GLOBAL_DEFAULT);

    memset(&schedule, 0, sizeof(learn_schedule_t));

    schedule.settings = &lesson->settings;
    schedule.allowed = &lesson->hosts;
    schedule.store = store;
    schedule.command = "learn";
    schedule.began = (lesson->plan || lesson->json) ? learn_lesson_began
                                                    : NULL;
    schedule.decided = lesson->json ? learn_lesson_decided : NULL;
    schedule.ended = lesson->quiet ? NULL : learn_lesson_ended;
    schedule.progress = lesson->tty ? learn_lesson_progress : NULL;
    schedule.data = lesson;

    if (rc == LEARN_EXIT_OK) {
        rc = lesson->plan ? learn_schedule_plan(&schedule)
                          : learn_schedule(&schedule);
    }

    if (lesson->tty) {
        (void) fputs("\r\033[K", stderr);
    }

    if (rc == LEARN_EXIT_OK && lesson->plan && !lesson->json) {
        (void) printf("%10llu  fetches at most\n",
                      (unsigned long long) lesson->most);
    }

    if (rc == LEARN_EXIT_OK && !lesson->plan
        && schedule.hosts == schedule.skipped)
    {
        learn_complain("learn: the store has no URL %sof these hosts%s",
                       learn_lesson_bare(&lesson->settings)
                       ? "" : "with parameters ",
                       lesson->settings.adaptive
                       ? "" : ", and paper learns nothing of others");
        rc = LEARN_EXIT_FAILED;
    }

    if (rc == LEARN_EXIT_OK && schedule.deferred > 0) {
        rc = LEARN_EXIT_FAILED;
    }

    curl_global_cleanup();
    store->ops->close(store);
    free(browser);

    if (!learn_output_ok()) {
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


/* true if something is learned of URLs without parameters */

static int
learn_lesson_bare(const learn_settings_t *settings)
{
    return settings->adaptive && !(settings->without & LEARN_WITHOUT_PATHS);
}


static void
learn_lesson_began(learn_schedule_t *schedule, learn_study_t *study)
{
    cJSON           *event;
    uint64_t         most;
    learn_lesson_t  *lesson;

    lesson = schedule->data;
    most = 0;

    if (lesson->plan) {
        most = learn_study_most(study);
        lesson->most += most;
    }

    if (!lesson->json) {
        (void) printf("%10llu  %s  parameters %zu\n",
                      (unsigned long long) most, study->host, study->ntasks);
        return;
    }

    event = cJSON_CreateObject();

    (void) cJSON_AddStringToObject(event, "event", "host");
    (void) cJSON_AddStringToObject(event, "host", study->host);
    (void) cJSON_AddNumberToObject(event, "parameters",
                                   (double) study->ntasks);

    if (lesson->plan) {
        (void) cJSON_AddNumberToObject(event, "fetches", (double) most);

    } else {
        (void) cJSON_AddBoolToObject(event, "resumed", study->resumed);
    }

    learn_lesson_event(event);
}


static void
learn_lesson_decided(learn_study_t *study, const learn_task_t *task)
{
    cJSON  *event;
    char    names[LEARN_TARGET_MAX], name[LEARN_TARGET_MAX];

    /* of a kind of pages, or of a set of names */

    (void) snprintf(names, sizeof(names), "%.*s",
                    (int) ((task->path.len > 0) ? task->path.len
                                                : task->names.len),
                    (const char *) ((task->path.len > 0)
                                    ? task->path.data : task->names.data));
    (void) snprintf(name, sizeof(name), "%.*s", (int) task->name.len,
                    (const char *) task->name.data);

    event = cJSON_CreateObject();

    (void) cJSON_AddStringToObject(event, "event", "verdict");
    (void) cJSON_AddStringToObject(event, "host", study->host);
    (void) cJSON_AddStringToObject(event,
                                   (task->path.len > 0) ? "path" : "names",
                                   names);
    (void) cJSON_AddStringToObject(event, "name", name);
    (void) cJSON_AddStringToObject(event, "verdict",
                                   learn_verdict_name(task->verdict));
    (void) cJSON_AddNumberToObject(event, "tested", (double) task->tested);
    (void) cJSON_AddNumberToObject(event, "differed",
                                   (double) task->differed);

    learn_lesson_event(event);
}


static void
learn_lesson_ended(learn_schedule_t *schedule, learn_study_t *study)
{
    cJSON           *event;
    size_t           i, count[LEARN_VERDICT_CLIENT + 1] = { 0 };
    char             client[32];
    const char      *mirrors;
    learn_lesson_t  *lesson;

    lesson = schedule->data;

    /* a study that came to nothing may have none */

    for (i = 0; study->tasks != NULL && i < study->ntasks; i++) {
        if (study->tasks[i].done) {
            count[study->tasks[i].verdict]++;
        }
    }

    if (lesson->tty) {
        (void) fputs("\r\033[K", stderr);
    }

    client[0] = '\0';
    mirrors = learn_study_mirrors(study);

    if (count[LEARN_VERDICT_CLIENT] > 0) {
        (void) snprintf(client, sizeof(client), "  client %zu",
                        count[LEARN_VERDICT_CLIENT]);
    }

    if (!lesson->json) {
        (void) printf("%s%s%s  neutral %zu%s  matter %zu  unknown %zu  "
                      "fetches %llu%s%s\n", study->host,
                      (mirrors[0] != '\0') ? "  mirror of " : "", mirrors,
                      count[LEARN_VERDICT_NEUTRAL], client,
                      count[LEARN_VERDICT_MATTERS]
                      + count[LEARN_VERDICT_DEFAULT],
                      count[LEARN_VERDICT_UNKNOWN],
                      (unsigned long long) study->fetches,
                      (study->result == LEARN_RUN_DEFERRED) ? "  deferred: "
                                                            : "",
                      (study->result == LEARN_RUN_DEFERRED) ? study->why
                                                            : "");

        if (study->result == LEARN_RUN_DONE && study->why[0] != '\0') {
            (void) printf("%s  %s\n", study->host, study->why);
        }

        (void) fflush(stdout);
        return;
    }

    event = cJSON_CreateObject();

    (void) cJSON_AddStringToObject(event, "event", "end");
    (void) cJSON_AddStringToObject(event, "host", study->host);
    (void) cJSON_AddStringToObject(event, "state",
                                   (study->result == LEARN_RUN_DONE)
                                   ? "done" : "deferred");
    (void) cJSON_AddStringToObject(event, "why", study->why);
    (void) cJSON_AddStringToObject(event, "mirrors", mirrors);
    (void) cJSON_AddNumberToObject(event, "neutral",
                                   (double) count[LEARN_VERDICT_NEUTRAL]);
    (void) cJSON_AddNumberToObject(event, "client",
                                   (double) count[LEARN_VERDICT_CLIENT]);
    (void) cJSON_AddNumberToObject(event, "matter",
                                   (double) (count[LEARN_VERDICT_MATTERS]
                                             + count[LEARN_VERDICT_DEFAULT]));
    (void) cJSON_AddNumberToObject(event, "unknown",
                                   (double) count[LEARN_VERDICT_UNKNOWN]);
    (void) cJSON_AddNumberToObject(event, "fetches", (double) study->fetches);
    (void) cJSON_AddNumberToObject(event, "failed", (double) study->failed);
    (void) cJSON_AddNumberToObject(event, "limited", (double) study->limited);
    (void) cJSON_AddNumberToObject(event, "bytes", (double) study->bytes);

    learn_lesson_event(event);
}


static void
learn_lesson_event(cJSON *event)
{
    char  *text;

    text = cJSON_PrintUnformatted(event);

    if (text != NULL) {
        (void) printf("%s\n", text);
        (void) fflush(stdout);
    }

    free(text);
    cJSON_Delete(event);
}


/* hosts, fetches, what is decided, and how long it may take */

static void
learn_lesson_progress(learn_schedule_t *schedule)
{
    double          seconds, rate;
    uint64_t        fetches, decided, tasks;
    learn_study_t  *study;

    fetches = schedule->fetches;
    decided = schedule->decisions;
    tasks = decided;

    for (study = schedule->studies; study != NULL; study = study->next) {
        fetches += study->fetches;
        decided += study->decided;
        tasks += study->ntasks;
    }

    seconds = (double) (learn_clock() - schedule->started) / 1e6;
    rate = (double) fetches / (seconds + 0.001);

    (void) fprintf(stderr, "\r\033[K%llu hosts done, %zu under way, %llu "
                   "fetches (%.0f/s), %llu of %llu parameters decided",
                   (unsigned long long) schedule->hosts, schedule->open,
                   (unsigned long long) fetches, rate,
                   (unsigned long long) decided, (unsigned long long) tasks);

    if (decided > 0 && tasks > decided) {
        (void) fprintf(stderr, ", about %.0f s left",
                       seconds / (double) decided
                       * (double) (tasks - decided));
    }
}
