
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpus/corpus.h"
#include "ingest/feed.h"
#include "ingest/ingest.h"
#include "learn.h"


static int  learn_ingest_options(int argc, char **argv, learn_ingest_t *ctx);
static int  learn_ingest_option(learn_ingest_t *ctx, int c);
static int  learn_ingest_format(learn_ingest_t *ctx);
static int  learn_ingest_site(learn_ingest_t *ctx, const char *text);
static int  learn_ingest_batch(learn_ingest_t *ctx, const char *text);
static int  learn_ingest_days(learn_ingest_t *ctx, const char *text);
static void  learn_ingest_report(const learn_ingest_t *ctx);


static const char  learn_ingest_usage[] =
    "usage: miqps ingest --store sqlite:PATH [option...] [FILE...]\n"
    "\n"
    "Reads what sites are asked for, from files or standard input (\"-\"),\n"
    "compressed with gzip or not, into the store, which is made if it is not\n"
    "there.  A file that was read before is read on from where that ended.\n"
    "\n"
    "  --store URL          the store, sqlite:PATH\n"
    "  --format NAME        auto, or one of urls, corpus (of miqps_corpus),\n"
    "                       combined (nginx's access_log), json, sitemap,\n"
    "                       warc, cdx\n"
    "  --log-format STRING  an access_log with this log_format\n"
    "  --host NAME          the host of lines and requests without one\n"
    "  --site NAME=HOST,... hosts that are one site; the store remembers it\n"
    "  --retention DAYS     how long URLs are kept, 90, or \"off\"; likewise\n"
    "  --follow             goes on when files grow, until it is stopped\n"
    "  --batch N            lines that are written at a time, 4000000\n"
    "  --quiet              no counts at the end, no progress\n"
    "  --help               this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 4 somebody else writes to\n"
    "the store.\n";


static const struct option  learn_ingest_long[] = {
    { "store",       required_argument,  NULL,  's' },
    { "format",      required_argument,  NULL,  'f' },
    { "log-format",  required_argument,  NULL,  'l' },
    { "host",        required_argument,  NULL,  'H' },
    { "site",        required_argument,  NULL,  'S' },
    { "retention",   required_argument,  NULL,  'r' },
    { "follow",      no_argument,        NULL,  'F' },
    { "batch",       required_argument,  NULL,  'b' },
    { "quiet",       no_argument,        NULL,  'q' },
    { "help",        no_argument,        NULL,  'h' },
    { NULL,          0,                  NULL,  0 }
};


int
learn_cmd_ingest(int argc, char **argv)
{
    int              rc;
    learn_ingest_t  *ctx;

    ctx = calloc(1, sizeof(learn_ingest_t));

    if (ctx == NULL) {
        learn_complain("ingest: out of memory");
        return LEARN_EXIT_FAILED;
    }

    rc = learn_ingest_options(argc, argv, ctx);

    if (rc < 0) {
        rc = ctx->follow ? learn_ingest_follow(ctx) : learn_ingest_once(ctx);

        if (!ctx->quiet && rc != LEARN_EXIT_USAGE && rc != LEARN_EXIT_LOCKED) {
            learn_ingest_report(ctx);

            if (!learn_output_ok() && rc == LEARN_EXIT_OK) {
                rc = LEARN_EXIT_FAILED;
            }
        }
    }

    free(ctx->sites);
    free(ctx);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_ingest_options(int argc, char **argv, learn_ingest_t *ctx)
{
    int  c, rc;

    static char   input[] = "-";
    static char  *standard[] = { input, NULL };

    opterr = 0;
    optind = 0;
    ctx->days = -1;

    while ((c = getopt_long(argc, argv, ":", learn_ingest_long, NULL)) != -1) {

        if (c == 'h') {
            (void) fputs(learn_ingest_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        if (c == '?' || c == ':') {
            return learn_usage_error("ingest", argv[optind - 1]);
        }

        rc = learn_ingest_option(ctx, c);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (ctx->store == NULL) {
        learn_complain("ingest: name the store, --store %s", LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    ctx->paths = (optind < argc) ? argv + optind : standard;
    ctx->tty = !ctx->quiet && isatty(STDERR_FILENO);

    return learn_ingest_format(ctx);
}


static int
learn_ingest_option(learn_ingest_t *ctx, int c)
{
    switch (c) {

    case 's':
        ctx->store = optarg;
        return LEARN_EXIT_OK;

    case 'f':
        ctx->format = learn_format_find(optarg);

        if (ctx->format == LEARN_FORMAT_MAX) {
            learn_complain("ingest: '%s' is no format: auto, urls, corpus, "
                           "combined, json, sitemap, warc, cdx", optarg);
            return LEARN_EXIT_USAGE;
        }

        return LEARN_EXIT_OK;

    case 'l':
        ctx->log_format = optarg;
        return LEARN_EXIT_OK;

    case 'H':
        ctx->host = optarg;
        return LEARN_EXIT_OK;

    case 'S':
        return learn_ingest_site(ctx, optarg);

    case 'r':
        return learn_ingest_days(ctx, optarg);

    case 'F':
        ctx->follow = 1;
        return LEARN_EXIT_OK;

    case 'b':
        return learn_ingest_batch(ctx, optarg);

    default: /* 'q' */
        ctx->quiet = 1;
        return LEARN_EXIT_OK;
    }
}


/* -1, or LEARN_EXIT_USAGE after a complaint */

static int
learn_ingest_format(learn_ingest_t *ctx)
{
    const char  *text, *error;

    text = LEARN_LOG_COMBINED;

    if (ctx->log_format != NULL) {

        if (ctx->format != LEARN_FORMAT_AUTO) {
            learn_complain("ingest: --log-format is a format of its own, leave "
                           "--format out");
            return LEARN_EXIT_USAGE;
        }

        ctx->format = LEARN_FORMAT_LOG;
        text = ctx->log_format;
    }

    error = learn_log_format_init(&ctx->log, text);

    if (error != NULL) {
        learn_complain("ingest: --log-format '%s': %s", text, error);
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_ingest_site(learn_ingest_t *ctx, const char *text)
{
    const char   *equal;
    const char  **list;

    equal = strchr(text, '=');

    if (equal == NULL || equal == text || equal[1] == '\0') {
        learn_complain("ingest: --site '%s' is not NAME=HOST,HOST...", text);
        return LEARN_EXIT_USAGE;
    }

    list = realloc(ctx->sites, (ctx->nsites + 1) * sizeof(const char *));

    if (list == NULL) {
        learn_complain("ingest: out of memory");
        return LEARN_EXIT_FAILED;
    }

    list[ctx->nsites++] = text;
    ctx->sites = list;

    return LEARN_EXIT_OK;
}


static int
learn_ingest_batch(learn_ingest_t *ctx, const char *text)
{
    char  *end;

    ctx->batch = strtoul(text, &end, 10);

    if (*end != '\0' || ctx->batch == 0 || text[0] == '-') {
        learn_complain("ingest: '%s' is no number of lines for --batch", text);
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


/* "90" or "90d" */

static int
learn_ingest_days(learn_ingest_t *ctx, const char *text)
{
    char  *end;

    if (strcmp(text, "off") == 0) {
        ctx->days = 0;
        return LEARN_EXIT_OK;
    }

    ctx->days = strtol(text, &end, 10);
    end += (*end == 'd');

    if (*end != '\0' || ctx->days < 1 || ctx->days > LEARN_INGEST_DAYS) {
        learn_complain("ingest: '%s' is no number of days for --retention, "
                       "from 1 to %d, nor \"off\"", text, LEARN_INGEST_DAYS);
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


static void
learn_ingest_report(const learn_ingest_t *ctx)
{
    size_t    i;
    uint64_t  lines;

    lines = 0;

    for (i = 0; i < LEARN_LINE_MAX; i++) {
        lines += ctx->counts[i];
    }

    (void) printf("%10llu  lines\n", (unsigned long long) lines);

    for (i = 0; i < LEARN_LINE_MAX; i++) {
        if (i == LEARN_LINE_TAKEN || ctx->counts[i] > 0) {
            (void) printf("%10llu  %s\n", (unsigned long long) ctx->counts[i],
                          learn_line_text((learn_line_e) i));
        }
    }

    if (ctx->expired > 0) {
        (void) printf("%10llu  URLs of the store were too old\n",
                      (unsigned long long) ctx->expired);
    }
}
