
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "miqps_normalize.h"
#include "miqps_url.h"
#include "map/map_file.h"
#include "normalize_report.h"
#include "rules_options.h"


static const char  learn_normalize_usage[] =
    "usage: miqps normalize [option...] [URL...]\n"
    "\n"
    "Writes the canonical form of each URL, one a line, in order.  URLs are\n"
    "the arguments or, without any, the lines of standard input.\n"
    "\n"
    "  --keep LIST        names that always stay; a list is separated by\n"
    "                     commas, and an item ~REGEX goes on to its end\n"
    "  --strip LIST       names that go\n"
    "  --platform LIST    platforms whose parameters stay; with \"strict\" in\n"
    "                     the list, all others go\n"
    "  --rules FILE       rules, see miqps-rules(5)\n"
    "  --map IMAGE        a learned map, see miqps-compile(1)\n"
    "  --no-path-rules    its path rules do not apply\n"
    "  --tracking         click and campaign identifiers go\n"
    "  --sort             sort the parameters\n"
    "  --host NAME        take the rules of this host for every URL\n"
    "  --json             an object for each URL, with a verdict for each\n"
    "                     parameter\n"
    "  --explain          the same for people\n"
    "  --stats            counts, to standard error, at the end\n"
    "  --strict           exit with 1 if a line is not a URL\n"
    "  --help             this text\n"
    "\n"
    "Only queries change, and what path rules of the map are about.  A line\n"
    "that is not a URL is written as it is.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage or rules.\n";


enum {
    LEARN_NORMALIZE_TEXT = 0,
    LEARN_NORMALIZE_JSON,
    LEARN_NORMALIZE_EXPLAIN
};


typedef struct {
    learn_rules_options_t    rules;
    int                      format;
    int                      stats;
    int                      strict;
    const char              *host;
    const char              *map;
    learn_map_file_t         image;         /* of --map */

    uint8_t                  host_buf[MIQPS_MAX_HOST];
    learn_normalizer_t       normalizer;
    learn_normalize_stats_t  counts;
} learn_normalize_t;


static int  learn_normalize_options(learn_normalize_t *ctx, int argc,
    char **argv);
static int  learn_normalize_option(learn_normalize_t *ctx, int c);
static int  learn_normalize_host(learn_normalize_t *ctx);
static int  learn_normalize_all(learn_normalize_t *ctx, char **urls);
static int  learn_normalize_stdin(learn_normalize_t *ctx);
static int  learn_normalize_line(learn_normalize_t *ctx,
    const miqps_str_t *line);


#define LEARN_OPT_HELP  256

static const struct option  learn_normalize_long[] = {
    { "rules",    required_argument, NULL, 'r' },
    { "keep",     required_argument, NULL, 'k' },
    { "strip",    required_argument, NULL, 's' },
    { "platform", required_argument, NULL, 'p' },
    { "tracking", no_argument,       NULL, 't' },
    { "sort",     no_argument,       NULL, 'o' },
    { "host",     required_argument, NULL, 'h' },
    { "map",      required_argument, NULL, 'm' },
    { "no-path-rules", no_argument,  NULL, 'n' },
    { "json",     no_argument,       NULL, 'j' },
    { "explain",  no_argument,       NULL, 'e' },
    { "stats",    no_argument,       NULL, 'c' },
    { "strict",   no_argument,       NULL, 'x' },
    { "help",     no_argument,       NULL, LEARN_OPT_HELP },
    { NULL,       0,                 NULL, 0 }
};


int
learn_cmd_normalize(int argc, char **argv)
{
    int                 rc;
    learn_normalize_t  *ctx;

    ctx = calloc(1, sizeof(learn_normalize_t));

    if (ctx == NULL) {
        learn_complain("out of memory");
        return LEARN_EXIT_FAILED;
    }

    learn_rules_options_init(&ctx->rules);
    ctx->normalizer.paths = 1;

    rc = learn_normalize_options(ctx, argc, argv);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_normalize_all(ctx, argv + optind);

    } else if (rc < 0) {
        (void) fputs(learn_normalize_usage, stdout);
        rc = learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    learn_rules_options_release(&ctx->rules);
    learn_map_file_release(&ctx->image);
    learn_normalizer_release(&ctx->normalizer);
    free(ctx);

    return rc;
}


/* LEARN_EXIT_OK with a policy, an exit code, or -1 for --help */

static int
learn_normalize_options(learn_normalize_t *ctx, int argc, char **argv)
{
    int  c, rc;

    optind = 1;
    opterr = 0;

    for ( ;; ) {
        c = getopt_long(argc, argv, "", learn_normalize_long, NULL);

        if (c == -1) {
            break;
        }

        if (c == '?') {
            return learn_usage_error(argv[0], argv[optind - 1]);
        }

        rc = learn_normalize_option(ctx, c);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    rc = learn_normalize_host(ctx);

    if (rc == LEARN_EXIT_OK && ctx->map != NULL) {
        rc = learn_map_file_open(&ctx->image, argv[0], ctx->map);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_rules_options_compile(&ctx->rules);
    }

    ctx->normalizer.policy = ctx->rules.policy;
    ctx->normalizer.image = (ctx->map != NULL) ? &ctx->image.image : NULL;

    return rc;
}


static int
learn_normalize_option(learn_normalize_t *ctx, int c)
{
    switch (c) {

    case 'r':
    case 'k':
    case 's':
    case 'p':
        return learn_rules_options_add(&ctx->rules, (char) c, optarg);

    case 't':
        ctx->rules.tracking = 1;
        break;

    case 'o':
        ctx->normalizer.sort = 1;
        break;

    case 'n':
        ctx->normalizer.paths = 0;
        break;

    case 'h':
        ctx->host = optarg;
        break;

    case 'm':
        ctx->map = optarg;
        break;

    case 'j':
    case 'e':
        if (ctx->format != LEARN_NORMALIZE_TEXT) {
            learn_complain("--json and --explain, once, not both");
            return LEARN_EXIT_USAGE;
        }

        ctx->format = (c == 'j') ? LEARN_NORMALIZE_JSON
                                 : LEARN_NORMALIZE_EXPLAIN;
        break;

    case 'c':
        ctx->stats = 1;
        break;

    case 'x':
        ctx->strict = 1;
        break;

    case LEARN_OPT_HELP:
        return -1;

    }

    return LEARN_EXIT_OK;
}


static int
learn_normalize_host(learn_normalize_t *ctx)
{
    miqps_str_t    host;
    miqps_fault_t  fault;

    if (ctx->host == NULL) {
        return LEARN_EXIT_OK;
    }

    host.data = (const uint8_t *) ctx->host;
    host.len = strlen(ctx->host);

    if (miqps_url_host(&host, ctx->host_buf, &ctx->normalizer.host) != MIQPS_OK
        || miqps_policy_check_host(&ctx->normalizer.host, &fault) != MIQPS_OK
        || memchr(ctx->host, '*', host.len) != NULL
        || (ctx->host[0] != '[' && memchr(ctx->host, ':', host.len) != NULL))
    {
        learn_complain("--host: '%s' is not a host name; it has no port and "
                       "no \"*\"", ctx->host);
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


static int
learn_normalize_all(learn_normalize_t *ctx, char **urls)
{
    int          rc;
    miqps_str_t  line;

    rc = LEARN_EXIT_OK;

    if (*urls == NULL) {
        rc = learn_normalize_stdin(ctx);

    } else {
        for (/* void */ ; *urls != NULL && rc == LEARN_EXIT_OK; urls++) {
            line.data = (const uint8_t *) *urls;
            line.len = strlen(*urls);

            rc = learn_normalize_line(ctx, &line);
        }
    }

    if (!learn_output_ok()) {
        rc = LEARN_EXIT_FAILED;
    }

    if (ctx->stats) {
        learn_normalize_stats(&ctx->counts, stderr);
    }

    if (rc == LEARN_EXIT_OK && ctx->strict
        && ctx->counts.urls < ctx->counts.lines)
    {
        learn_complain("%zu of %zu lines are not URLs",
                       ctx->counts.lines - ctx->counts.urls,
                       ctx->counts.lines);
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


static int
learn_normalize_stdin(learn_normalize_t *ctx)
{
    int          rc;
    char        *text;
    size_t       size;
    ssize_t      n;
    miqps_str_t  line;

    rc = LEARN_EXIT_OK;
    text = NULL;
    size = 0;

    while (rc == LEARN_EXIT_OK && (n = getline(&text, &size, stdin)) != -1) {
        line.data = (const uint8_t *) text;
        line.len = (size_t) n - (text[n - 1] == '\n');

        rc = learn_normalize_line(ctx, &line);

        if (ferror(stdout)) {
            break;
        }
    }

    if (rc == LEARN_EXIT_OK && ferror(stdin)) {
        learn_complain("cannot read standard input: %s", strerror(errno));
        rc = LEARN_EXIT_FAILED;
    }

    free(text);

    return rc;
}


static int
learn_normalize_line(learn_normalize_t *ctx, const miqps_str_t *line)
{
    int                 rc;
    learn_normalized_t  n;

    rc = learn_normalizer_url(&ctx->normalizer, line, &n);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    learn_normalize_count(&ctx->counts, &n);

    switch (ctx->format) {

    case LEARN_NORMALIZE_JSON:
        return learn_normalize_json(&n, stdout);

    case LEARN_NORMALIZE_EXPLAIN:
        learn_normalize_explain(&n, stdout);
        break;

    default:
        (void) fwrite(n.result.data, 1, n.result.len, stdout);
        (void) fputc('\n', stdout);
    }

    return LEARN_EXIT_OK;
}
