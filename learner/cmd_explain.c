
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "content/content.h"
#include "learn.h"
#include "miqps_map.h"
#include "learn/pattern.h"
#include "learn/study.h"
#include "publish/ruled.h"
#include "store/store.h"


#define LEARN_EXPLAIN_PAIRS  10


typedef struct {
    const char          *store;
    uint64_t             pairs;      /* of a parameter, that are printed */
    learn_store_t       *from;
    learn_patterns_t     patterns;
    learn_pattern_of_t   pattern;    /* of the URL */
    int64_t              run;
    int64_t              time;
    char                 settings[LEARN_SETTINGS_TEXT];
    char                 mirrors[MIQPS_MAX_HOST + 1];
    miqps_str_t          path;       /* of the URL, */
    char                 shape[LEARN_TARGET_MAX + 1];  /* its kind, */
    size_t               stars;      /* and how many of these that has */
    size_t               found;
    char                 seen[LEARN_TARGET_MAX + 1];
    unsigned             status;
    unsigned             outcome;
    unsigned             page;
} learn_explain_t;


static int  learn_explain_options(int argc, char **argv,
    learn_explain_t *ctx);
static int  learn_explain_all(learn_explain_t *ctx, char **urls);
static int  learn_explain_url(learn_explain_t *ctx, const char *url);
static int  learn_explain_host(learn_explain_t *ctx, const miqps_str_t *host);
static int  learn_explain_run(const learn_run_t *run, void *data);
static void  learn_explain_path(const miqps_str_t *url, miqps_str_t *path);
static int  learn_explain_shape(const learn_verdict_t *verdict, void *data);
static int  learn_explain_names(const learn_explain_t *ctx,
    const learn_verdict_t *verdict);
static int  learn_explain_verdict(const learn_verdict_t *verdict, void *data);
static void  learn_explain_pair(learn_explain_t *ctx,
    const learn_pair_t *pair);
static int  learn_explain_visit(const learn_visit_row_t *visit, void *data);
static void  learn_explain_page(learn_explain_t *ctx, uint64_t hash,
    const char *label);
static void  learn_explain_differs(uint16_t differs);


static const char  learn_explain_usage[] =
    "usage: miqps explain --store sqlite:PATH [option...] URL...\n"
    "\n"
    "Tells, for each parameter of a URL, whether it matters, and which pages\n"
    "were compared to find that out; and which path rule of the published\n"
    "map applies to it, with its support and evidence.\n"
    "\n"
    "  --store URL  the store, sqlite:PATH\n"
    "  --pairs N    pairs of pages that are shown of each, 10\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, or nothing was learned of it, 2 wrong\n"
    "usage.\n";


static const struct option  learn_explain_long[] = {
    { "store",  required_argument,  NULL,  's' },
    { "pairs",  required_argument,  NULL,  'p' },
    { "help",   no_argument,        NULL,  'h' },
    { NULL,     0,                  NULL,  0 }
};


int
learn_cmd_explain(int argc, char **argv)
{
    int               rc;
    learn_explain_t  *ctx;

    ctx = calloc(1, sizeof(learn_explain_t));

    if (ctx == NULL) {
        learn_complain("explain: out of memory");
        return LEARN_EXIT_FAILED;
    }

    ctx->pairs = LEARN_EXPLAIN_PAIRS;
    rc = learn_explain_options(argc, argv, ctx);

    if (rc < 0) {
        rc = learn_explain_all(ctx, argv + optind);
    }

    free(ctx);

    return rc;
}


static int
learn_explain_all(learn_explain_t *ctx, char **urls)
{
    int  rc, one;

    rc = learn_store_open(&ctx->from, "explain", ctx->store,
                          LEARN_STORE_READ);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_patterns_init(&ctx->patterns);

    for (/* void */ ; ctx->patterns.rules.policy != NULL && *urls != NULL;
         urls++)
    {
        one = learn_explain_url(ctx, *urls);
        rc = (rc == LEARN_EXIT_OK) ? one : rc;
    }

    learn_patterns_release(&ctx->patterns);
    ctx->from->ops->close(ctx->from);

    return learn_output_ok() ? rc : LEARN_EXIT_FAILED;
}


/* an exit status, or -1 to go on */

static int
learn_explain_options(int argc, char **argv, learn_explain_t *ctx)
{
    int    c;
    char  *end;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_explain_long, NULL)) != -1)
    {
        switch (c) {

        case 's':
            ctx->store = optarg;
            break;

        case 'p':
            ctx->pairs = strtoul(optarg, &end, 10);

            if (*end != '\0' || end == optarg || optarg[0] == '-') {
                learn_complain("explain: '%s' is no number for --pairs",
                               optarg);
                return LEARN_EXIT_USAGE;
            }

            break;

        case 'h':
            (void) fputs(learn_explain_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("explain", argv[optind - 1]);
        }
    }

    if (ctx->store == NULL) {
        learn_complain("explain: name the store, --store %s",
                       LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    if (optind == argc) {
        learn_complain("explain: name a URL");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_explain_url(learn_explain_t *ctx, const char *url)
{
    int          rc;
    size_t       n;
    miqps_str_t  host, in;

    in.data = (const uint8_t *) url;
    in.len = strlen(url);

    rc = learn_ruled_print(ctx->from, "explain", &in, &n);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    if (learn_pattern_of(&ctx->patterns, &ctx->pattern, &in) != LEARN_EXIT_OK
        || ctx->pattern.names[0] == '\0')
    {
        if (n > 0) {
            return LEARN_EXIT_OK;
        }

        learn_complain("explain: '%s' is no URL that has a host and "
                       "parameters, or one that is left alone", url);
        return LEARN_EXIT_FAILED;
    }

    host.data = (const uint8_t *) ctx->pattern.host;
    host.len = strlen(ctx->pattern.host);

    ctx->run = 0;
    ctx->found = 0;

    rc = learn_explain_host(ctx, &host);

    if (rc == LEARN_EXIT_OK && ctx->run == 0) {
        if (n > 0) {
            return LEARN_EXIT_OK;
        }

        learn_complain("explain: nothing was learned of '%s'",
                       ctx->pattern.host);
        return LEARN_EXIT_FAILED;
    }

    (void) printf("%s  %s  %s\n", ctx->pattern.host, ctx->pattern.names,
                  ctx->settings);

    learn_explain_path(&in, &ctx->path);
    ctx->shape[0] = '\0';
    ctx->stars = SIZE_MAX;

    if (rc == LEARN_EXIT_OK) {
        rc = ctx->from->ops->verdicts(ctx->from, ctx->run,
                                      learn_explain_shape, ctx);
    }

    if (rc == LEARN_EXIT_OK && ctx->shape[0] != '\0') {
        (void) printf("paths %s\n", ctx->shape);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = ctx->from->ops->verdicts(ctx->from, ctx->run,
                                      learn_explain_verdict, ctx);
    }

    if (rc == LEARN_EXIT_OK && ctx->found == 0 && n == 0) {
        learn_complain("explain: '%s' has other names than were learned of, "
                       "%s", url, ctx->pattern.names);
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


/* the run of a host, or of the one whose pages it shows */

static int
learn_explain_host(learn_explain_t *ctx, const miqps_str_t *host)
{
    int          rc;
    miqps_str_t  other;

    ctx->mirrors[0] = '\0';
    rc = ctx->from->ops->runs(ctx->from, host, learn_explain_run, ctx);

    if (rc != LEARN_EXIT_OK || ctx->mirrors[0] == '\0') {
        return rc;
    }

    (void) printf("%s shows the pages of %s\n", ctx->pattern.host,
                  ctx->mirrors);

    other.data = (const uint8_t *) ctx->mirrors;
    other.len = strlen(ctx->mirrors);
    ctx->run = 0;

    return ctx->from->ops->runs(ctx->from, &other, learn_explain_run, ctx);
}


/* the last one that was done */

static int
learn_explain_run(const learn_run_t *run, void *data)
{
    learn_explain_t  *ctx;

    ctx = data;

    if (run->state == LEARN_RUN_DONE) {
        ctx->run = run->id;
        ctx->time = run->ended;
        (void) snprintf(ctx->settings, sizeof(ctx->settings), "%s",
                        run->settings);
        (void) snprintf(ctx->mirrors, sizeof(ctx->mirrors), "%s",
                        run->mirrors);
    }

    return 1;
}


/* the path of a URL, without what follows it */

static void
learn_explain_path(const miqps_str_t *url, miqps_str_t *path)
{
    const char  *p;

    p = strstr((const char *) url->data, "://");
    p = (p != NULL) ? p + 3 : (const char *) url->data;
    p += strcspn(p, "/?#");

    path->data = (const uint8_t *) ((*p == '/') ? p : "/");
    path->len = (*p == '/') ? strcspn(p, "?#") : 1;
}


/* the shape that says most of its path */

static int
learn_explain_shape(const learn_verdict_t *verdict, void *data)
{
    size_t            i, stars;
    learn_explain_t  *ctx;

    ctx = data;

    if (!learn_explain_names(ctx, verdict) || verdict->path.len == 0
        || verdict->path.len >= sizeof(ctx->shape)
        || !miqps_map_shape_match(&verdict->path, &ctx->path))
    {
        return 1;
    }

    stars = 0;

    for (i = 0; i < verdict->path.len; i++) {
        stars += (verdict->path.data[i] == '*');
    }

    if (stars < ctx->stars) {
        ctx->stars = stars;
        memcpy(ctx->shape, verdict->path.data, verdict->path.len);
        ctx->shape[verdict->path.len] = '\0';
    }

    return 1;
}


static int
learn_explain_names(const learn_explain_t *ctx,
    const learn_verdict_t *verdict)
{
    return verdict->names.len == strlen(ctx->pattern.names)
           && memcmp(verdict->names.data, ctx->pattern.names,
                     verdict->names.len) == 0;
}


static int
learn_explain_verdict(const learn_verdict_t *verdict, void *data)
{
    size_t            i;
    learn_explain_t  *ctx;

    ctx = data;

    if (!learn_explain_names(ctx, verdict)
        || verdict->path.len != strlen(ctx->shape)
        || memcmp(verdict->path.data, ctx->shape, verdict->path.len) != 0)
    {
        return 1;
    }

    ctx->found++;

    (void) printf("\n%-8s  ", learn_verdict_name(verdict->verdict));
    learn_put_safe(verdict->name.data, verdict->name.len, stdout);
    (void) printf("  differed in %llu of %llu pairs\n",
                  (unsigned long long) verdict->differed,
                  (unsigned long long) verdict->tested);

    for (i = 0; i < verdict->npairs && i < ctx->pairs; i++) {
        learn_explain_pair(ctx, &verdict->pairs[i]);
    }

    return 1;
}


static void
learn_explain_pair(learn_explain_t *ctx, const learn_pair_t *pair)
{
    learn_explain_page(ctx, pair->original, "with");
    learn_explain_page(ctx, pair->variant, "without");
    learn_explain_differs(pair->differs);
}


static void
learn_explain_page(learn_explain_t *ctx, uint64_t hash, const char *label)
{
    ctx->seen[0] = '\0';

    if (ctx->from->ops->visit(ctx->from, ctx->run, hash, learn_explain_visit,
                              ctx)
        != LEARN_EXIT_OK || ctx->seen[0] == '\0')
    {
        return;
    }

    (void) printf("    %-8s %3u  ", label, ctx->status);
    learn_put_safe((const uint8_t *) ctx->seen, strlen(ctx->seen), stdout);

    if (ctx->outcome != LEARN_VISIT_PAGE) {
        (void) printf("  (no page)");

    } else if (ctx->page != LEARN_PAGE_GOOD && ctx->page < LEARN_PAGE_MAX) {
        (void) printf("  (%s)", learn_page_text((learn_page_e) ctx->page));
    }

    (void) fputc('\n', stdout);
}


static int
learn_explain_visit(const learn_visit_row_t *visit, void *data)
{
    learn_explain_t  *ctx;

    ctx = data;

    if (visit->url.len < sizeof(ctx->seen)) {
        memcpy(ctx->seen, visit->url.data, visit->url.len);
        ctx->seen[visit->url.len] = '\0';
    }

    ctx->status = visit->status;
    ctx->outcome = visit->outcome;
    ctx->page = visit->page;

    return 1;
}


static void
learn_explain_differs(uint16_t differs)
{
    size_t  i;

    static const struct {
        uint16_t     bit;
        const char  *text;
    } texts[] = {
        { LEARN_DIFFERS_STATUS, "status" },
        { LEARN_DIFFERS_LOCATION, "redirect" },
        { LEARN_DIFFERS_TYPE, "type" },
        { LEARN_DIFFERS_TITLE, "title" },
        { LEARN_DIFFERS_TEXT, "text" },
        { LEARN_DIFFERS_CANONICAL, "canonical" },
        { LEARN_DIFFERS_COOKIES, "cookies" },
        { LEARN_DIFFERS_VARY, "vary" },
        { LEARN_DIFFERS_PICTURE, "picture" }
    };

    if (differs & LEARN_DIFFERS_NOTHING) {
        (void) printf("             says nothing\n");
        return;
    }

    if ((differs & LEARN_DIFFERS_CLIENT) && !(differs & LEARN_DIFFERS_ID)) {
        (void) printf("             the same page, which its own script "
                      "shows in another way\n");
        return;
    }

    (void) printf("             %s", (differs & LEARN_DIFFERS_ID)
                                     ? "another page:" : "the same page");

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if ((differs & LEARN_DIFFERS_ID) && (differs & texts[i].bit)) {
            (void) printf(" %s", texts[i].text);
        }
    }

    (void) fputc('\n', stdout);
}
