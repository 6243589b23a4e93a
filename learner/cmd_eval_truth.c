
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "learn/latest.h"
#include "map/map_file.h"
#include "truth/truth_forms.h"
#include "truth/truth_report.h"


typedef struct {
    learn_truth_t            truth;
    learn_rules_options_t    rules;
    learn_map_file_t         map;
    learn_normalizer_t       normalizer;
    learn_patterns_t         patterns;
    const char              *image;      /* its file */
    const char              *forms;
    const char              *store;
    uint64_t                 fetches;
    const char              *host;       /* whose verdicts are read */
    unsigned                 ntruths;
    unsigned                 sort:1;
    unsigned                 json:1;
    unsigned                 by_rules:1;
} learn_eval_truth_t;


static int  learn_eval_truth_options(learn_eval_truth_t *ctx, int argc,
    char **argv);
static int  learn_eval_truth_option(learn_eval_truth_t *ctx, int c);
static int  learn_eval_truth_run(learn_eval_truth_t *ctx);
static int  learn_eval_truth_forms(learn_eval_truth_t *ctx);
static int  learn_eval_truth_store(learn_eval_truth_t *ctx);
static int  learn_eval_truth_verdict(const learn_verdict_t *verdict,
    void *data);


static const char  learn_eval_truth_usage[] =
    "usage: miqps eval --truth FILE [option...]\n"
    "\n"
    "Tells how right a normalization is, on URLs whose pages are known.\n"
    "\n"
    "  --truth FILE       lines \"page\", URL, page, and \"param\", host,\n"
    "                     names, name, neutral|matters|alias, with tabs\n"
    "                     between; may be given more than once\n"
    "  --map IMAGE        a learned map, see miqps-compile(1)\n"
    "  --store URL        where it was learned: sqlite:PATH\n"
    "  --rules FILE, --keep LIST, --strip LIST, --platform LIST, --tracking,\n"
    "  --sort             as of miqps-normalize(1)\n"
    "  --forms FILE       what another tool made of the URLs: lines of a URL,\n"
    "                     a tab and its form\n"
    "  --json             one object, with all that is wrong\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 done, however wrong it is, 1 failed, 2 wrong usage or\n"
    "rules.\n";


static const struct option  learn_eval_truth_long[] = {
    { "truth",     required_argument,  NULL,  'f' },
    { "map",       required_argument,  NULL,  'm' },
    { "store",     required_argument,  NULL,  'd' },
    { "rules",     required_argument,  NULL,  'r' },
    { "keep",      required_argument,  NULL,  'k' },
    { "strip",     required_argument,  NULL,  's' },
    { "platform",  required_argument,  NULL,  'p' },
    { "tracking",  no_argument,        NULL,  't' },
    { "sort",      no_argument,        NULL,  'o' },
    { "forms",     required_argument,  NULL,  'x' },
    { "json",      no_argument,        NULL,  'j' },
    { "help",      no_argument,        NULL,  'h' },
    { NULL,        0,                  NULL,  0 }
};


int
learn_cmd_eval_truth(int argc, char **argv)
{
    int                  rc;
    learn_eval_truth_t  *ctx;

    ctx = calloc(1, sizeof(learn_eval_truth_t));

    if (ctx == NULL) {
        learn_complain("eval: out of memory");
        return LEARN_EXIT_FAILED;
    }

    learn_truth_init(&ctx->truth);
    learn_rules_options_init(&ctx->rules);

    rc = learn_eval_truth_options(ctx, argc, argv);

    if (rc < 0) {
        rc = learn_eval_truth_run(ctx);
    }

    learn_normalizer_release(&ctx->normalizer);
    learn_map_file_release(&ctx->map);
    learn_rules_options_release(&ctx->rules);
    learn_truth_release(&ctx->truth);
    free(ctx);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_eval_truth_options(learn_eval_truth_t *ctx, int argc, char **argv)
{
    int  c, rc;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_eval_truth_long, NULL))
           != -1)
    {
        rc = learn_eval_truth_option(ctx, c);

        if (rc < 0) {
            return learn_usage_error("eval", argv[optind - 1]);
        }

        if (c == 'h' || rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (optind < argc) {
        learn_complain("eval: '%s' is no option; the truth is --truth FILE",
                       argv[optind]);
        return LEARN_EXIT_USAGE;
    }

    if (ctx->ntruths == 0) {
        learn_complain("eval: name the truth, --truth FILE");
        return LEARN_EXIT_USAGE;
    }

    if (ctx->forms != NULL
        && (ctx->by_rules || ctx->image != NULL || ctx->sort))
    {
        learn_complain("eval: --forms are what another tool made of the URLs; "
                       "there is no map and no rule beside them");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


/* LEARN_EXIT_OK, another after a complaint, or -1 if there is no such option */

static int
learn_eval_truth_option(learn_eval_truth_t *ctx, int c)
{
    switch (c) {

    case 'f':
        ctx->ntruths++;
        return learn_truth_read(&ctx->truth, optarg);

    case 'm':
        ctx->image = optarg;
        return LEARN_EXIT_OK;

    case 'd':
        ctx->store = optarg;
        return LEARN_EXIT_OK;

    case 'r':
    case 'k':
    case 's':
    case 'p':
        ctx->by_rules = 1;
        return learn_rules_options_add(&ctx->rules, (char) c, optarg);

    case 't':
        ctx->by_rules = 1;
        ctx->rules.tracking = 1;
        return LEARN_EXIT_OK;

    case 'o':
        ctx->sort = 1;
        return LEARN_EXIT_OK;

    case 'x':
        ctx->forms = optarg;
        return LEARN_EXIT_OK;

    case 'j':
        ctx->json = 1;
        return LEARN_EXIT_OK;

    case 'h':
        (void) fputs(learn_eval_truth_usage, stdout);
        return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    return -1;
}


static int
learn_eval_truth_run(learn_eval_truth_t *ctx)
{
    int                  rc;
    const uint64_t      *fetches;
    learn_truth_score_t  score;

    rc = learn_truth_finish(&ctx->truth);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_eval_truth_forms(ctx);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_patterns_init(&ctx->patterns);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_truth_count(&ctx->truth, &ctx->patterns);
        }

        learn_patterns_release(&ctx->patterns);
    }

    if (rc == LEARN_EXIT_OK && ctx->store != NULL) {
        rc = learn_eval_truth_store(ctx);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    if (!learn_truth_score(&ctx->truth, &score)) {
        learn_complain("eval: out of memory");
        return LEARN_EXIT_FAILED;
    }

    fetches = (ctx->store != NULL) ? &ctx->fetches : NULL;

    if (ctx->json) {
        rc = learn_truth_json(&ctx->truth, &score, fetches);

    } else {
        learn_truth_print(&ctx->truth, &score, fetches);
    }

    return learn_output_ok() ? rc : LEARN_EXIT_FAILED;
}


static int
learn_eval_truth_forms(learn_eval_truth_t *ctx)
{
    int  rc;

    if (ctx->forms != NULL) {
        return learn_truth_read_forms(&ctx->truth, ctx->forms);
    }

    rc = learn_rules_options_compile(&ctx->rules);

    if (rc == LEARN_EXIT_OK && ctx->image != NULL) {
        rc = learn_map_file_open(&ctx->map, "eval", ctx->image);
        ctx->normalizer.image = &ctx->map.image;
        ctx->normalizer.paths = 1;
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    ctx->normalizer.policy = ctx->rules.policy;
    ctx->normalizer.sort = ctx->sort;

    return learn_truth_normalize(&ctx->truth, &ctx->normalizer);
}


/* what the last runs took, and what they could not tell */

static int
learn_eval_truth_store(learn_eval_truth_t *ctx)
{
    int              rc;
    size_t           i;
    learn_store_t   *store;
    learn_latest_t   latest;
    miqps_str_t      all = miqps_null_str;

    rc = learn_store_open(&store, "eval", ctx->store, LEARN_STORE_READ);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    memset(&latest, 0, sizeof(learn_latest_t));
    latest.command = "eval";

    for (i = 0; i < ctx->truth.nparams; i++) {
        ctx->truth.params[i].unknown = 1;
    }

    rc = learn_latest_add(&latest, store, &all);

    for (i = 0; rc == LEARN_EXIT_OK && i < latest.n; i++) {
        ctx->host = latest.list[i].host;
        ctx->fetches += latest.list[i].fetches;

        rc = store->ops->verdicts(store, latest.list[i].run,
                                  learn_eval_truth_verdict, ctx);
    }

    learn_latest_release(&latest);
    store->ops->close(store);

    return rc;
}


static int
learn_eval_truth_verdict(const learn_verdict_t *verdict, void *data)
{
    learn_eval_truth_t   *ctx;
    learn_truth_param_t  *param;

    ctx = data;

    param = learn_truth_param(&ctx->truth, ctx->host, &verdict->names,
                              &verdict->name);

    if (param != NULL) {
        param->unknown = (verdict->verdict == LEARN_VERDICT_UNKNOWN);
    }

    return 1;
}
