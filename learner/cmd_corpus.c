
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "store/store.h"


#define LEARN_CORPUS_TOP   10
#define LEARN_CORPUS_DAYS  7


typedef struct {
    const char    *store;
    int            json;
    uint64_t       top;
    uint64_t       days;
    uint64_t       today;         /* since 1970 */
    learn_list_e   list;          /* being printed */
} learn_report_t;


static int  learn_report_options(int argc, char **argv,
    learn_report_t *report);
static int  learn_report_run(learn_report_t *report, learn_store_t *store);
static int  learn_report_row(const learn_store_row_t *row, void *data);
static void  learn_report_text(learn_report_t *report,
    const learn_store_row_t *row);
static void  learn_report_growth(const learn_report_t *report,
    const learn_store_row_t *row);
static int  learn_report_json(const learn_report_t *report,
    const learn_store_row_t *row);
static int  learn_report_number(cJSON *object, const char *name,
    uint64_t value);
static int  learn_report_count(const char *option, const char *text,
    uint64_t *value);
static void  learn_report_day(uint64_t day, char *text, size_t size);


static const char  learn_report_usage[] =
    "usage: miqps corpus --store sqlite:PATH [option...]\n"
    "\n"
    "Prints what the store has: sites and how they grow, hosts, the sets of\n"
    "names that count most, and the parameters.  Values are never printed.\n"
    "\n"
    "  --store URL  the store, sqlite:PATH\n"
    "  --top N      patterns and parameters of each host, 10\n"
    "  --days N     days on which each site grew, the last 7\n"
    "  --json       an object for each line\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const struct option  learn_report_long[] = {
    { "store",  required_argument,  NULL,  's' },
    { "top",    required_argument,  NULL,  't' },
    { "days",   required_argument,  NULL,  'd' },
    { "json",   no_argument,        NULL,  'j' },
    { "help",   no_argument,        NULL,  'h' },
    { NULL,     0,                  NULL,  0 }
};


/* by learn_list_e */

static const char  *learn_report_kinds[] = {
    "site", "growth", "host", "pattern", "parameter"
};


int
learn_cmd_corpus(int argc, char **argv)
{
    int             rc;
    learn_store_t  *store;
    learn_report_t  report;

    memset(&report, 0, sizeof(learn_report_t));

    report.top = LEARN_CORPUS_TOP;
    report.days = LEARN_CORPUS_DAYS;

    rc = learn_report_options(argc, argv, &report);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_store_open(&store, "corpus", report.store, LEARN_STORE_READ);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_report_run(&report, store);
        store->ops->close(store);
    }

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_report_options(int argc, char **argv, learn_report_t *report)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_report_long, NULL)) != -1) {
        switch (c) {

        case 's':
            report->store = optarg;
            break;

        case 't':
            if (!learn_report_count("top", optarg, &report->top)) {
                return LEARN_EXIT_USAGE;
            }

            break;

        case 'd':
            if (!learn_report_count("days", optarg, &report->days)) {
                return LEARN_EXIT_USAGE;
            }

            break;

        case 'j':
            report->json = 1;
            break;

        case 'h':
            (void) fputs(learn_report_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("corpus", argv[optind - 1]);
        }
    }

    if (report->store == NULL) {
        learn_complain("corpus: name the store, --store %s", LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    if (optind < argc) {
        learn_complain("corpus: there is nothing to do with '%s'",
                       argv[optind]);
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_report_count(const char *option, const char *text, uint64_t *value)
{
    char  *end;

    *value = strtoul(text, &end, 10);

    if (*end == '\0' && *value > 0 && text[0] != '-') {
        return 1;
    }

    learn_complain("corpus: '%s' is no number for --%s", text, option);

    return 0;
}


static int
learn_report_run(learn_report_t *report, learn_store_t *store)
{
    int       i, rc;
    uint64_t  limit;

    rc = LEARN_EXIT_OK;
    report->today = store->today;

    for (i = LEARN_LIST_SITES; i < LEARN_LIST_MAX; i++) {
        report->list = (learn_list_e) i;

        limit = (i == LEARN_LIST_GROWTH) ? report->days
                : (i < LEARN_LIST_PATTERNS) ? INT64_MAX : report->top;

        rc = store->ops->list(store, report->list, limit, learn_report_row,
                              report);

        if (rc != LEARN_EXIT_OK) {
            break;
        }
    }

    if (!learn_output_ok()) {
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


static int
learn_report_row(const learn_store_row_t *row, void *data)
{
    learn_report_t  *report;

    report = data;

    if (report->json) {
        return learn_report_json(report, row);
    }

    learn_report_text(report, row);

    return 1;
}


static void
learn_report_text(learn_report_t *report, const learn_store_row_t *row)
{
    const char  *name;

    switch (report->list) {

    case LEARN_LIST_GROWTH:
        learn_report_growth(report, row);
        return;

    case LEARN_LIST_SITES:
        (void) printf("site       %s  hosts %llu  patterns %llu  lines %llu  "
                      "kept %llu\n", row->site,
                      (unsigned long long) row->hosts,
                      (unsigned long long) row->patterns,
                      (unsigned long long) row->hits,
                      (unsigned long long) row->kept);
        return;

    case LEARN_LIST_HOSTS:
        (void) printf("host       %s  patterns %llu  lines %llu\n", row->host,
                      (unsigned long long) row->patterns,
                      (unsigned long long) row->hits);
        return;

    default:
        name = learn_report_kinds[report->list];
        break;
    }

    (void) printf("%-10s %s  ", name, row->host);

    learn_put_safe((const uint8_t *) row->names, strlen(row->names), stdout);

    (void) printf("  lines %llu  urls %llu", (unsigned long long) row->hits,
                  (unsigned long long) row->urls);

    if (row->clients > 0) {
        (void) printf("  clients %llu  days %llu",
                      (unsigned long long) row->clients,
                      (unsigned long long) row->days);
    }

    if (report->list == LEARN_LIST_PARAMS) {
        (void) printf("  kept %llu", (unsigned long long) row->kept);
    }

    (void) fputc('\n', stdout);
}


static void
learn_report_growth(const learn_report_t *report, const learn_store_row_t *row)
{
    uint64_t  ago;

    ago = report->today - row->days;

    (void) printf("growth     %s  ", row->site);

    if (ago == 0) {
        (void) printf("today");

    } else {
        (void) printf("%llu day%s ago", (unsigned long long) ago,
                      (ago == 1) ? "" : "s");
    }

    (void) printf("  lines %llu  patterns %llu\n",
                  (unsigned long long) row->hits,
                  (unsigned long long) row->patterns);
}


static int
learn_report_json(const learn_report_t *report, const learn_store_row_t *row)
{
    int     ok;
    char   *text, day[16];
    cJSON  *object;

    text = NULL;
    object = cJSON_CreateObject();

    ok = object != NULL
         && cJSON_AddStringToObject(object, "kind",
                                    learn_report_kinds[report->list]) != NULL
         && cJSON_AddStringToObject(object, "site", row->site) != NULL
         && (row->host == NULL
             || cJSON_AddStringToObject(object, "host", row->host) != NULL)
         && (row->names == NULL
             || cJSON_AddStringToObject(object, "names", row->names) != NULL)
         && learn_report_number(object, "lines", row->hits);

    if (ok && report->list == LEARN_LIST_SITES) {
        ok = learn_report_number(object, "hosts", row->hosts);
    }

    if (ok && report->list == LEARN_LIST_GROWTH) {
        learn_report_day(row->days, day, sizeof(day));
        ok = cJSON_AddStringToObject(object, "day", day) != NULL;
    }

    if (ok && report->list != LEARN_LIST_PATTERNS) {
        ok = learn_report_number(object, "patterns", row->patterns);
    }

    if (ok && report->list >= LEARN_LIST_PATTERNS) {
        ok = learn_report_number(object, "urls", row->urls)
             && learn_report_number(object, "clients", row->clients)
             && learn_report_number(object, "days", row->days);
    }

    if (ok && (report->list == LEARN_LIST_SITES
               || report->list == LEARN_LIST_PARAMS))
    {
        ok = learn_report_number(object, "kept", row->kept);
    }

    if (ok) {
        text = cJSON_PrintUnformatted(object);
    }

    cJSON_Delete(object);

    if (text == NULL) {
        learn_complain("corpus: out of memory");
        return 0;
    }

    (void) printf("%s\n", text);
    free(text);

    return 1;
}


static int
learn_report_number(cJSON *object, const char *name, uint64_t value)
{
    return cJSON_AddNumberToObject(object, name, (double) value) != NULL;
}


static void
learn_report_day(uint64_t day, char *text, size_t size)
{
    time_t     at;
    struct tm  tm;

    at = (time_t) (day * 86400);
    text[0] = '\0';

    if (gmtime_r(&at, &tm) != NULL) {
        (void) strftime(text, size, "%Y-%m-%d", &tm);
    }
}
