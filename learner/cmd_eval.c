
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eval/eval_report.h"
#include "learn.h"


typedef struct {
    learn_eval_t     eval;
    const char     **files;
    size_t           nfiles;
    const char      *svg;          /* a folder, or NULL */
    int              json;
} learn_compare_t;


static int  learn_compare_asked(int argc, char **argv);
static int  learn_compare(int argc, char **argv);
static int  learn_compare_help(int argc, char **argv);
static int  learn_compare_options(int argc, char **argv,
    learn_compare_t *compare);
static int  learn_compare_option(learn_compare_t *compare, int c);
static int  learn_compare_methods(learn_compare_t *compare, char *list);
static int  learn_compare_run(learn_compare_t *compare);


static const char  learn_compare_usage[] =
    "usage: miqps eval --clusters FILE [option...]\n"
    "\n"
    "Compares methods that learn rules: each learns from some of the URLs of\n"
    "a site and is applied to all.\n"
    "\n"
    "  --clusters FILE    lines of a URL, a tab, and any name for the page;\n"
    "                     may be repeated; - is standard input\n"
    "  --method LIST      dust, fanout-5, fanout-10, tree-naive, tree-graph,\n"
    "                     miqps; all of them without it\n"
    "  --train SHARE      of the URLs of a site to learn from, 0.2\n"
    "  --most N           URLs to learn from, at most 100000\n"
    "  --seed N           draws others\n"
    "  --one-site         each file is one site, whatever the domains\n"
    "  --guard            with miqps: what looks signed or secret is left\n"
    "                     alone, as nginx leaves it\n"
    learn_tree_usage
    "  --sweep            other limits too: 0 to 0.1 by 0.01, and for the\n"
    "                     qualified rate 0.1 to 0.9 by 0.1\n"
    "  --svg DIR          writes figure-9.svg to figure-12.svg there; sweeps\n"
    "  --json             an object for each method\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const struct option  learn_compare_long[] = {
    { "clusters",      required_argument, NULL, 'c' },
    { "method",        required_argument, NULL, 'm' },
    { "train",         required_argument, NULL, 't' },
    { "most",          required_argument, NULL, 'n' },
    { "seed",          required_argument, NULL, 's' },
    { "one-site",      no_argument,       NULL, 'o' },
    { "guard",         no_argument,       NULL, 'u' },
    learn_tree_long,
    { "sweep",         no_argument,       NULL, 'w' },
    { "svg",           required_argument, NULL, 'g' },
    { "json",          no_argument,       NULL, 'j' },
    { "help",          no_argument,       NULL, 'h' },
    { NULL,            0,                 NULL, 0 }
};


/* there are two of this name, each with options of its own */

int
learn_cmd_eval(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return learn_compare_help(argc, argv);
    }

    return learn_compare_asked(argc, argv) ? learn_compare(argc, argv)
                                           : learn_cmd_eval_truth(argc, argv);
}


static int
learn_compare_asked(int argc, char **argv)
{
    int  i;

    for (i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--clusters", sizeof("--clusters") - 1) == 0) {
            return 1;
        }
    }

    return 0;
}


static int
learn_compare_help(int argc, char **argv)
{
    int  rc;

    rc = learn_cmd_eval_truth(argc, argv);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    (void) fputc('\n', stdout);
    (void) fputs(learn_compare_usage, stdout);

    return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


static int
learn_compare(int argc, char **argv)
{
    int                          rc;
    learn_compare_t              compare;
    const learn_tree_options_t   options = learn_tree_options;

    memset(&compare, 0, sizeof(learn_compare_t));

    compare.eval.tree = options;
    compare.eval.sample.share = 0.2;
    compare.eval.sample.most = 100000;
    compare.files = calloc((size_t) argc, sizeof(char *));

    if (compare.files == NULL) {
        learn_complain("eval: out of memory");
        return LEARN_EXIT_FAILED;
    }

    rc = learn_compare_options(argc, argv, &compare);

    if (rc < 0) {
        rc = learn_compare_run(&compare);
    }

    learn_eval_release(&compare.eval);
    free(compare.files);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_compare_options(int argc, char **argv, learn_compare_t *compare)
{
    int  c, rc;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_compare_long, NULL)) != -1)
    {
        if (c == '?' || c == ':') {
            return learn_usage_error("eval", argv[optind - 1]);
        }

        if (c == 'h') {
            (void) fputs(learn_compare_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        rc = learn_compare_option(compare, c);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (compare->nfiles == 0 || optind < argc) {
        learn_complain("eval: name files of clusters, --clusters FILE");
        return LEARN_EXIT_USAGE;
    }

    if (compare->eval.methods == 0) {
        compare->eval.methods = (1u << LEARN_METHODS) - 1;
    }

    return -1;
}


static int
learn_compare_option(learn_compare_t *compare, int c)
{
    int     rc;
    size_t  seed;

    switch (c) {

    case 'c':
        compare->files[compare->nfiles++] = optarg;
        return LEARN_EXIT_OK;

    case 'm':
        return learn_compare_methods(compare, optarg);

    case 't':
        return learn_option_share("eval", "train", optarg,
                                  &compare->eval.sample.share);

    case 'n':
        return learn_option_number("eval", "most", optarg, UINT32_MAX,
                                   &compare->eval.sample.most);

    case 's':
        rc = learn_option_number("eval", "seed", optarg, SIZE_MAX, &seed);
        compare->eval.sample.seed = seed;
        return rc;

    case 'o':
        compare->eval.sample.one = 1;
        return LEARN_EXIT_OK;

    case 'u':
        compare->eval.guard = 1;
        return LEARN_EXIT_OK;

    case 'w':
        compare->eval.sweep = 1;
        return LEARN_EXIT_OK;

    case 'g':
        compare->svg = optarg;
        compare->eval.sweep = 1;
        return LEARN_EXIT_OK;

    case 'j':
        compare->json = 1;
        return LEARN_EXIT_OK;

    default:
        return learn_tree_option(&compare->eval.tree, "eval", c, optarg);
    }
}


/* names separated by commas */

static int
learn_compare_methods(learn_compare_t *compare, char *list)
{
    char            *comma;
    learn_method_e   method;

    for (/* void */ ; list != NULL; list = comma) {
        comma = strchr(list, ',');

        if (comma != NULL) {
            *comma++ = '\0';
        }

        method = learn_method_find(list);

        if (method == LEARN_METHODS) {
            learn_complain("eval: there is no method '%s'; 'miqps eval "
                           "--help' lists them", list);
            return LEARN_EXIT_USAGE;
        }

        compare->eval.methods |= 1u << method;
    }

    return LEARN_EXIT_OK;
}


static int
learn_compare_run(learn_compare_t *compare)
{
    int     rc;
    size_t  i;

    rc = LEARN_EXIT_OK;
    compare->eval.progress = isatty(STDERR_FILENO);

    for (i = 0; rc == LEARN_EXIT_OK && i < compare->nfiles; i++) {
        rc = learn_eval_file(&compare->eval, compare->files[i]);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    if (compare->json) {
        if (!learn_report_json(&compare->eval, stdout)) {
            learn_complain("eval: out of memory");
            return LEARN_EXIT_FAILED;
        }

    } else {
        learn_report_sites(&compare->eval, stdout);
        learn_report_methods(&compare->eval, stdout);
        learn_report_figures(&compare->eval, stdout);
    }

    if (!learn_output_ok()
        || (compare->svg != NULL
            && !learn_report_svg(&compare->eval, compare->svg)))
    {
        return LEARN_EXIT_FAILED;
    }

    return LEARN_EXIT_OK;
}
