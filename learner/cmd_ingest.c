
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpus/combined.h"
#include "corpus/corpus.h"
#include "corpus/reader.h"
#include "learn.h"
#include "miqps_url.h"


/* lines between two looks at the progress */

#define LEARN_INGEST_STEP  65536


typedef enum {
    LEARN_FORMAT_AUTO = 0,
    LEARN_FORMAT_URLS,
    LEARN_FORMAT_COMBINED,
    LEARN_FORMAT_MAX
} learn_format_e;


typedef struct {
    const char      *store;
    const char      *host;
    size_t           batch;
    learn_format_e   format;
    int              quiet;
    int              tty;
    uint8_t          canon[MIQPS_MAX_HOST];
    learn_corpus_t   corpus;
} learn_ingest_t;


static int  learn_ingest_options(int argc, char **argv, learn_ingest_t *ctx);
static int  learn_ingest_host(learn_ingest_t *ctx);
static int  learn_ingest_files(learn_ingest_t *ctx, char **paths);
static int  learn_ingest_file(learn_ingest_t *ctx, const char *path);
static int  learn_ingest_lines(learn_ingest_t *ctx, learn_reader_t *reader);
static int  learn_ingest_line(learn_ingest_t *ctx, const miqps_str_t *line);
static int  learn_ingest_entry(learn_ingest_t *ctx,
    const learn_combined_t *entry);
static void  learn_ingest_progress(const learn_ingest_t *ctx,
    const learn_reader_t *reader);
static void  learn_ingest_report(const learn_ingest_t *ctx);


static const char  learn_ingest_usage[] =
    "usage: miqps ingest --store sqlite:PATH [option...] [FILE...]\n"
    "\n"
    "Reads URLs, one a line, or an access_log of nginx, from files or\n"
    "standard input (\"-\"), compressed with gzip or not, into the store,\n"
    "which is made if it is not there.  A file that was read before is read\n"
    "on from where that ended.\n"
    "\n"
    "  --store URL    the store, sqlite:PATH\n"
    "  --format NAME  auto, urls or combined, the access_log\n"
    "  --host NAME    the host of lines and requests that begin with \"/\"\n"
    "  --batch N      lines that are written at a time, 1000000\n"
    "  --quiet        no counts at the end, no progress\n"
    "  --help         this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 4 somebody else writes to\n"
    "the store.\n";


static const struct option  learn_ingest_long[] = {
    { "store",   required_argument,  NULL,  's' },
    { "format",  required_argument,  NULL,  'f' },
    { "host",    required_argument,  NULL,  'H' },
    { "batch",   required_argument,  NULL,  'b' },
    { "quiet",   no_argument,        NULL,  'q' },
    { "help",    no_argument,        NULL,  'h' },
    { NULL,      0,                  NULL,  0 }
};


/* by learn_format_e */

static const char  *learn_ingest_formats[] = { "auto", "urls", "combined" };


int
learn_cmd_ingest(int argc, char **argv)
{
    int              rc;
    learn_store_t   *store;
    learn_ingest_t  *ctx;

    ctx = calloc(1, sizeof(learn_ingest_t));

    if (ctx == NULL) {
        learn_complain("ingest: out of memory");
        return LEARN_EXIT_FAILED;
    }

    rc = learn_ingest_options(argc, argv, ctx);

    if (rc >= 0) {
        free(ctx);
        return rc;
    }

    rc = learn_store_open(&store, "ingest", ctx->store, LEARN_STORE_CREATE);

    if (rc != LEARN_EXIT_OK) {
        free(ctx);
        return rc;
    }

    rc = learn_corpus_init(&ctx->corpus, store, "ingest");

    if (ctx->batch > 0) {
        ctx->corpus.max_lines = ctx->batch;
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_ingest_host(ctx);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_ingest_files(ctx, argv + optind);
    }

    learn_corpus_release(&ctx->corpus);
    store->ops->close(store);
    free(ctx);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_ingest_options(int argc, char **argv, learn_ingest_t *ctx)
{
    int    c;
    char  *end;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_ingest_long, NULL)) != -1) {
        switch (c) {

        case 's':
            ctx->store = optarg;
            break;

        case 'f':
            while (ctx->format < LEARN_FORMAT_MAX
                   && strcmp(learn_ingest_formats[ctx->format], optarg) != 0)
            {
                ctx->format++;
            }

            if (ctx->format == LEARN_FORMAT_MAX) {
                learn_complain("ingest: '%s' is no format: auto, urls, "
                               "combined", optarg);
                return LEARN_EXIT_USAGE;
            }

            break;

        case 'H':
            ctx->host = optarg;
            break;

        case 'b':
            ctx->batch = strtoul(optarg, &end, 10);

            if (*end != '\0' || ctx->batch == 0 || optarg[0] == '-') {
                learn_complain("ingest: '%s' is no number of lines for "
                               "--batch", optarg);
                return LEARN_EXIT_USAGE;
            }

            break;

        case 'q':
            ctx->quiet = 1;
            break;

        case 'h':
            (void) fputs(learn_ingest_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("ingest", argv[optind - 1]);
        }
    }

    if (ctx->store == NULL) {
        learn_complain("ingest: name the store, --store %s", LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    ctx->tty = !ctx->quiet && isatty(STDERR_FILENO);

    return -1;
}


static int
learn_ingest_host(learn_ingest_t *ctx)
{
    miqps_str_t  host;

    if (ctx->host == NULL) {
        return LEARN_EXIT_OK;
    }

    host.data = (const uint8_t *) ctx->host;
    host.len = strlen(ctx->host);

    if (host.len == 0
        || miqps_url_host(&host, ctx->canon, &ctx->corpus.host) != MIQPS_OK
        || !learn_corpus_host_ok(&ctx->corpus.host))
    {
        learn_complain("ingest: '%s' is not the name of a host", ctx->host);
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


static int
learn_ingest_files(learn_ingest_t *ctx, char **paths)
{
    int  rc;

    rc = LEARN_EXIT_OK;

    if (*paths == NULL) {
        rc = learn_ingest_file(ctx, "-");
    }

    for (/* void */ ; *paths != NULL && rc == LEARN_EXIT_OK; paths++) {
        rc = learn_ingest_file(ctx, *paths);
    }

    if (!ctx->quiet) {
        learn_ingest_report(ctx);

        if (!learn_output_ok() && rc == LEARN_EXIT_OK) {
            rc = LEARN_EXIT_FAILED;
        }
    }

    return rc;
}


static int
learn_ingest_file(learn_ingest_t *ctx, const char *path)
{
    int             rc, written;
    learn_reader_t  reader;

    rc = learn_reader_init(&reader, ctx->corpus.store, "ingest", path);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_ingest_lines(ctx, &reader);

        /* what could be read of a damaged file is written all the same */

        if (rc == LEARN_EXIT_OK || rc == LEARN_EXIT_REFUSED) {
            written = learn_corpus_flush(&ctx->corpus, path,
                                         learn_reader_source(&reader));
            rc = (rc == LEARN_EXIT_OK) ? written : LEARN_EXIT_FAILED;
        }
    }

    if (ctx->tty) {
        (void) fputs("\r\033[K", stderr);
    }

    learn_reader_release(&reader);

    return rc;
}


/* LEARN_EXIT_REFUSED if the file could not be read to its end */

static int
learn_ingest_lines(learn_ingest_t *ctx, learn_reader_t *reader)
{
    int          rc, got;
    miqps_str_t  line;

    /* a log is being written to */

    reader->whole = (ctx->format == LEARN_FORMAT_COMBINED && reader->resumes);

    for ( ;; ) {
        got = learn_reader_line(reader, &line);

        if (got <= 0) {
            return (got == 0) ? LEARN_EXIT_OK : LEARN_EXIT_REFUSED;
        }

        if (got == 2) {
            learn_corpus_skip(&ctx->corpus, LEARN_LINE_TOO_LONG);
            rc = LEARN_EXIT_OK;

        } else {
            rc = learn_ingest_line(ctx, &line);
        }

        if (rc == LEARN_EXIT_OK && learn_corpus_full(&ctx->corpus)) {
            rc = learn_corpus_flush(&ctx->corpus, reader->path,
                                    learn_reader_source(reader));
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        if (ctx->tty && reader->source.lines % LEARN_INGEST_STEP == 0) {
            learn_ingest_progress(ctx, reader);
        }
    }
}


static int
learn_ingest_line(learn_ingest_t *ctx, const miqps_str_t *line)
{
    learn_visit_t     visit;
    learn_combined_t  entry;

    /* an entry of a log begins with an address */

    if (ctx->format == LEARN_FORMAT_COMBINED
        || (ctx->format == LEARN_FORMAT_AUTO && line->len > 0
            && line->data[0] != 'h' && line->data[0] != '/'))
    {
        if (learn_combined_parse(&entry, line)) {
            return learn_ingest_entry(ctx, &entry);
        }

        if (ctx->format == LEARN_FORMAT_COMBINED) {
            learn_corpus_skip(&ctx->corpus, LEARN_LINE_FORM);
            return LEARN_EXIT_OK;
        }
    }

    memset(&visit, 0, sizeof(learn_visit_t));

    return learn_corpus_add(&ctx->corpus, line, &visit);
}


static int
learn_ingest_entry(learn_ingest_t *ctx, const learn_combined_t *entry)
{
    learn_visit_t  visit;

    if (entry->user.data[0] != '-' || entry->user.len != 2) {
        learn_corpus_skip(&ctx->corpus, LEARN_LINE_USER);
        return LEARN_EXIT_OK;
    }

    if (entry->status != 200 || entry->method.len != 3
        || memcmp(entry->method.data, "GET", 3) != 0)
    {
        learn_corpus_skip(&ctx->corpus, LEARN_LINE_REQUEST);
        return LEARN_EXIT_OK;
    }

    visit.day = entry->day;
    visit.client = learn_store_hash(ctx->corpus.store, entry->client.data,
                                    entry->client.len);

    /* 0 is nobody */

    visit.client += (visit.client == 0);

    return learn_corpus_add(&ctx->corpus, &entry->target, &visit);
}


static void
learn_ingest_progress(const learn_ingest_t *ctx, const learn_reader_t *reader)
{
    (void) fprintf(stderr, "\r\033[K%llu lines, %llu URLs taken, in ",
                   (unsigned long long) reader->source.lines,
                   (unsigned long long) ctx->corpus.counts[LEARN_LINE_TAKEN]);

    learn_put_safe((const uint8_t *) reader->path, strlen(reader->path),
                   stderr);
}


static void
learn_ingest_report(const learn_ingest_t *ctx)
{
    size_t    i;
    uint64_t  lines;

    lines = 0;

    for (i = 0; i < LEARN_LINE_MAX; i++) {
        lines += ctx->corpus.counts[i];
    }

    (void) printf("%10llu  lines\n", (unsigned long long) lines);

    for (i = 0; i < LEARN_LINE_MAX; i++) {
        if (i == LEARN_LINE_TAKEN || ctx->corpus.counts[i] > 0) {
            (void) printf("%10llu  %s\n",
                          (unsigned long long) ctx->corpus.counts[i],
                          learn_line_text((learn_line_e) i));
        }
    }
}
