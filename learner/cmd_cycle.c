
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "learn/schedule.h"
#include "learn/stale.h"
#include "miqps_url.h"


/* the words of a command, on the heap, with a NULL behind them */

typedef struct {
    char            **list;
    size_t            n;
    size_t            room;
    int               failed;      /* memory ran out */
} learn_words_t;


typedef struct {
    const char           *store;
    learn_words_t         files;     /* to ingest, and how */
    learn_words_t         ingest;
    learn_words_t         learn;
    learn_words_t         publish;
    learn_hosts_t         hosts;
    learn_stale_limits_t  limits;
    learn_stales_t        stales;
    int                   dry;
    int                   quiet;
} learn_cycle_t;


static int  learn_cycle_options(learn_cycle_t *cycle, int argc, char **argv);
static int  learn_cycle_option(learn_cycle_t *cycle, int c, const char *name);
static int  learn_cycle_number(const char *option, double *value);
static int  learn_cycle_hosts(learn_cycle_t *cycle, char **names);
static int  learn_cycle_run(learn_cycle_t *cycle);
static int  learn_cycle_resume(learn_cycle_t *cycle);
static int  learn_cycle_ingest(learn_cycle_t *cycle);
static int  learn_cycle_stales(learn_cycle_t *cycle);
static void  learn_cycle_report(const learn_stale_t *stale);
static int  learn_cycle_says(const learn_cycle_t *cycle, const char *what);
static int  learn_cycle_learn(learn_cycle_t *cycle);
static int  learn_cycle_publish(learn_cycle_t *cycle, const char *option);
static int  learn_cycle_command(int (*run)(int argc, char **argv),
    learn_words_t *words);
static void  learn_words_add(learn_words_t *words, const char *word);
static void  learn_words_option(learn_words_t *words, const char *name,
    const char *value);
static void  learn_words_join(learn_words_t *words,
    const learn_words_t *more);
static void  learn_words_release(learn_words_t *words);


static const char  learn_cycle_usage[] =
    "usage: miqps cycle --store sqlite:PATH --map IMAGE [option...] HOST...\n"
    "\n"
    "Reads what hosts were asked for, learns those that are due, and\n"
    "publishes what was learned.  Whatever interrupts it, the same again goes\n"
    "on.\n"
    "\n"
    "  --store URL        the store, sqlite:PATH\n"
    "  --map IMAGE        the file that nginx reads\n"
    "  --all              all hosts of the store; HOST may be *.NAME, too\n"
    "  --ingest FILE      what to read, as 'miqps ingest' does; may be\n"
    "                     repeated\n"
    "  --stale DAYS       hosts are due that were learned so long ago; 30\n"
    "  --drift N          or of whose URLs more than so many percent have\n"
    "                     names that nothing was learned of; 20\n"
    "  --via SERVER       nginx, for fetches, as with 'miqps learn'\n"
    "  --control URL, --zone NAME, --token-file FILE, --pid FILE, --wait N,\n"
    "  --status URL, --watch N, --worse N, --slower N\n"
    "                     are those of 'miqps publish'\n"
    "  --ingest-with OPTION, --learn-with OPTION, --publish-with OPTION\n"
    "                     any other option of these, such as\n"
    "                     --learn-with=--rate=5; may be repeated\n"
    "  --dry-run          tells which hosts are due, and what would be\n"
    "                     fetched and published\n"
    "  --quiet            only what went wrong, and what was published\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, interrupted, or a host was deferred, 2\n"
    "wrong usage, 3 refused or rolled back, 4 somebody else is at work.\n";


static const struct option  learn_cycle_long[] = {
    { "store",         required_argument,  NULL,  's' },
    { "all",           no_argument,        NULL,  'a' },
    { "ingest",        required_argument,  NULL,  'i' },
    { "stale",         required_argument,  NULL,  'd' },
    { "drift",         required_argument,  NULL,  'D' },
    { "via",           required_argument,  NULL,  'v' },
    { "map",           required_argument,  NULL,  'p' },
    { "control",       required_argument,  NULL,  'p' },
    { "zone",          required_argument,  NULL,  'p' },
    { "token-file",    required_argument,  NULL,  'p' },
    { "pid",           required_argument,  NULL,  'p' },
    { "wait",          required_argument,  NULL,  'p' },
    { "status",        required_argument,  NULL,  'p' },
    { "watch",         required_argument,  NULL,  'p' },
    { "worse",         required_argument,  NULL,  'p' },
    { "slower",        required_argument,  NULL,  'p' },
    { "ingest-with",   required_argument,  NULL,  'I' },
    { "learn-with",    required_argument,  NULL,  'L' },
    { "publish-with",  required_argument,  NULL,  'P' },
    { "dry-run",       no_argument,        NULL,  'n' },
    { "quiet",         no_argument,        NULL,  'q' },
    { "help",          no_argument,        NULL,  'h' },
    { NULL,            0,                  NULL,  0 }
};


int
learn_cmd_cycle(int argc, char **argv)
{
    int                                rc;
    learn_cycle_t                      cycle;
    static const learn_stale_limits_t  limits = learn_stale_limits;

    memset(&cycle, 0, sizeof(learn_cycle_t));

    cycle.limits = limits;
    cycle.stales.command = "cycle";

    rc = learn_cycle_options(&cycle, argc, argv);

    if (rc < 0) {
        rc = learn_cycle_hosts(&cycle, argv + optind);
    }

    if (rc < 0) {
        rc = learn_cycle_run(&cycle);
    }

    learn_words_release(&cycle.files);
    learn_words_release(&cycle.ingest);
    learn_words_release(&cycle.learn);
    learn_words_release(&cycle.publish);
    free(cycle.hosts.list);
    learn_stales_release(&cycle.stales);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_cycle_options(learn_cycle_t *cycle, int argc, char **argv)
{
    int  c, rc, place;

    opterr = 0;
    optind = 0;
    place = 0;

    while ((c = getopt_long(argc, argv, ":", learn_cycle_long, &place)) != -1) {

        if (c == 'h') {
            (void) fputs(learn_cycle_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        if (c == '?' || c == ':') {
            return learn_usage_error("cycle", argv[optind - 1]);
        }

        rc = learn_cycle_option(cycle, c, learn_cycle_long[place].name);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (cycle->store == NULL) {
        learn_complain("cycle: name the store, --store %s", LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_cycle_option(learn_cycle_t *cycle, int c, const char *name)
{
    switch (c) {

    case 's':
        cycle->store = optarg;
        break;

    case 'a':
        cycle->hosts.any = 1;
        break;

    case 'i':
        learn_words_add(&cycle->files, optarg);
        break;

    case 'd':
        return learn_cycle_number("stale", &cycle->limits.days);

    case 'D':
        return learn_cycle_number("drift", &cycle->limits.drift);

    case 'v':
        learn_words_option(&cycle->learn, name, optarg);
        break;

    case 'p':
        learn_words_option(&cycle->publish, name, optarg);
        break;

    case 'I':
        learn_words_add(&cycle->ingest, optarg);
        break;

    case 'L':
        learn_words_add(&cycle->learn, optarg);
        break;

    case 'P':
        learn_words_add(&cycle->publish, optarg);
        break;

    case 'n':
        cycle->dry = 1;
        break;

    default: /* 'q' */
        cycle->quiet = 1;
    }

    return LEARN_EXIT_OK;
}


static int
learn_cycle_number(const char *option, double *value)
{
    char  *end;

    *value = strtod(optarg, &end);

    if (end != optarg && *end == '\0' && *value >= 0.0 && *value <= 1e6) {
        return LEARN_EXIT_OK;
    }

    learn_complain("cycle: '%s' is no number for --%s", optarg, option);

    return LEARN_EXIT_USAGE;
}


/* in lower case, in place; -1 to go on */

static int
learn_cycle_hosts(learn_cycle_t *cycle, char **names)
{
    if (*names == NULL && !cycle->hosts.any) {
        learn_complain("cycle: name the hosts that may be asked, or --all that "
                       "the store has");
        return LEARN_EXIT_USAGE;
    }

    return learn_hosts_read(&cycle->hosts, "cycle", names);
}


static int
learn_cycle_run(learn_cycle_t *cycle)
{
    int  rc, back, published;

    back = learn_cycle_resume(cycle);

    if (back != LEARN_EXIT_OK && back != LEARN_EXIT_REFUSED) {
        return back;
    }

    rc = (cycle->files.n > 0 && !cycle->dry) ? learn_cycle_ingest(cycle)
                                             : LEARN_EXIT_OK;

    if (rc == LEARN_EXIT_OK) {
        rc = learn_cycle_stales(cycle);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_cycle_learn(cycle);

    /* what was learned of other hosts is published, if some had to wait */

    if ((rc != LEARN_EXIT_OK && rc != LEARN_EXIT_FAILED)
        || learn_schedule_stopped())
    {
        return rc;
    }

    published = learn_cycle_publish(cycle, cycle->dry ? "--dry-run" : NULL);
    rc = (published != LEARN_EXIT_OK) ? published : rc;

    return (rc != LEARN_EXIT_OK) ? rc : back;
}


/*
 * A map that nobody watches, since who did so was killed, does not wait until
 * something was learned.
 */

static int
learn_cycle_resume(learn_cycle_t *cycle)
{
    int             rc;
    learn_store_t  *store;

    if (cycle->dry || !learn_store_found(cycle->store)) {
        return LEARN_EXIT_OK;
    }

    /* who reads logs is not waited for */

    rc = learn_store_open(&store, "cycle", cycle->store, LEARN_STORE_CHANGE);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    store->ops->close(store);

    return learn_cycle_publish(cycle, "--resume");
}


static int
learn_cycle_ingest(learn_cycle_t *cycle)
{
    learn_words_t  words;

    memset(&words, 0, sizeof(learn_words_t));

    learn_words_add(&words, "ingest");
    learn_words_option(&words, "store", cycle->store);

    if (cycle->quiet) {
        learn_words_add(&words, "--quiet");
    }

    learn_words_join(&words, &cycle->ingest);
    learn_words_join(&words, &cycle->files);

    return learn_cycle_command(learn_cmd_ingest, &words);
}


static int
learn_cycle_stales(learn_cycle_t *cycle)
{
    int             rc;
    size_t          i;
    learn_store_t  *store;

    cycle->limits.paths = !learn_cycle_says(cycle, "paper")
                          && !learn_cycle_says(cycle, "paths");

    rc = learn_store_open(&store, "cycle", cycle->store, LEARN_STORE_READ);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_stales_find(&cycle->stales, store, &cycle->hosts,
                           &cycle->limits);
    store->ops->close(store);

    for (i = 0; rc == LEARN_EXIT_OK && !cycle->quiet && i < cycle->stales.n;
         i++)
    {
        learn_cycle_report(&cycle->stales.list[i]);
    }

    (void) fflush(stdout);

    return rc;
}


static void
learn_cycle_report(const learn_stale_t *stale)
{
    static const char  *what[] = {
        "fresh", "due, never learned", "due, learned too long ago",
        "due, asked for other names"
    };

    (void) printf("%s  %s", stale->host, what[stale->why]);

    if (stale->why != LEARN_STALE_NEVER) {
        (void) printf("  days %.1f  unknown %.1f %%", stale->days,
                      stale->drift);
    }

    if (stale->bare > 0) {
        (void) printf("  paths of %llu URLs",
                      (unsigned long long) stale->bare);
    }

    (void) fputc('\n', stdout);
}


/* an algorithm or a part, among what the learner is told */

static int
learn_cycle_says(const learn_cycle_t *cycle, const char *what)
{
    size_t       i, len;
    const char  *p;

    for (i = 0; i < cycle->learn.n; i++) {
        for (p = cycle->learn.list[i]; *p != '\0'; p += len + (p[len] != '\0'))
        {
            len = strcspn(p, "=,");

            if (len == strlen(what) && memcmp(p, what, len) == 0) {
                return 1;
            }
        }
    }

    return 0;
}


static int
learn_cycle_learn(learn_cycle_t *cycle)
{
    size_t          i, due;
    learn_words_t   words;

    memset(&words, 0, sizeof(learn_words_t));

    learn_words_add(&words, "learn");
    learn_words_option(&words, "store", cycle->store);

    if (cycle->dry) {
        learn_words_add(&words, "--dry-run");

    } else if (cycle->quiet) {
        learn_words_add(&words, "--quiet");
    }

    learn_words_join(&words, &cycle->learn);

    for (i = 0, due = 0; i < cycle->stales.n; i++) {
        if (cycle->stales.list[i].why != LEARN_STALE_FRESH) {
            learn_words_add(&words, cycle->stales.list[i].host);
            due++;
        }
    }

    if (due == 0 && !words.failed) {
        learn_words_release(&words);
        return LEARN_EXIT_OK;
    }

    return learn_cycle_command(learn_cmd_learn, &words);
}


static int
learn_cycle_publish(learn_cycle_t *cycle, const char *option)
{
    learn_words_t  words;

    memset(&words, 0, sizeof(learn_words_t));

    learn_words_add(&words, "publish");
    learn_words_option(&words, "store", cycle->store);

    if (option != NULL) {
        learn_words_add(&words, option);
    }

    learn_words_join(&words, &cycle->publish);

    return learn_cycle_command(learn_cmd_publish, &words);
}


static int
learn_cycle_command(int (*run)(int argc, char **argv), learn_words_t *words)
{
    int  rc;

    if (words->failed) {
        learn_complain("cycle: out of memory");
        rc = LEARN_EXIT_FAILED;

    } else {
        rc = run((int) words->n, words->list);
    }

    learn_words_release(words);

    return rc;
}


static void
learn_words_add(learn_words_t *words, const char *word)
{
    char    **list;
    size_t    room;

    if (words->n + 1 >= words->room) {
        room = 2 * words->room + 16;
        list = realloc(words->list, room * sizeof(char *));

        if (list == NULL) {
            words->failed = 1;
            return;
        }

        words->list = list;
        words->room = room;
    }

    words->list[words->n] = strdup(word);
    words->failed |= (words->list[words->n] == NULL);
    words->n += (words->list[words->n] != NULL);
    words->list[words->n] = NULL;
}


static void
learn_words_option(learn_words_t *words, const char *name, const char *value)
{
    char  *word;

    if (asprintf(&word, "--%s=%s", name, value) == -1) {
        words->failed = 1;
        return;
    }

    learn_words_add(words, word);
    free(word);
}


static void
learn_words_join(learn_words_t *words, const learn_words_t *more)
{
    size_t  i;

    for (i = 0; i < more->n; i++) {
        learn_words_add(words, more->list[i]);
    }

    words->failed |= more->failed;
}


static void
learn_words_release(learn_words_t *words)
{
    size_t  i;

    for (i = 0; i < words->n; i++) {
        free(words->list[i]);
    }

    free(words->list);
}
