
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "learn.h"
#include "learn/clustered.h"
#include "site/site.h"
#include "tree/tree_clusters.h"
#include "tree/tree_options.h"
#include "tree/tree_print.h"


typedef struct {
    const char            *clusters;
    const char            *store;
    char                 **hosts;        /* ended by NULL */
    learn_tree_options_t   tree;
    int                    json;
    int                    print_tree;
    int                    all;
    int                    map;
} learn_find_options_t;


static int  learn_find_options(int argc, char **argv,
    learn_find_options_t *options);
static int  learn_find_option(learn_find_options_t *options, int c);
static int  learn_find_run(const learn_find_options_t *options,
    learn_set_t *set);
static int  learn_find_read(const learn_find_options_t *options,
    learn_clusters_t *clusters, learn_set_t *set);
static int  learn_find_clusters(const learn_find_options_t *options,
    learn_clusters_t *clusters);
static int  learn_find_rules(const learn_find_options_t *options,
    const learn_tree_t *tree);
static int  learn_find_map(const learn_find_options_t *options);
static int  learn_find_add(learn_site_t *site, learn_clusters_t *clusters);
static int  learn_find_by_url(const void *one, const void *two);
static int  learn_find_by_cluster(const void *one, const void *two);
static int  learn_find_done(int ok);


static const char  learn_find_usage[] =
    "usage: miqps rules --clusters FILE [option...]\n"
    "       miqps rules --store sqlite:PATH [option...] [HOST...]\n"
    "\n"
    "Learns rules that turn the URLs of a page into one, from URLs of which\n"
    "it is known which show the same page.  Prints those to be deployed.\n"
    "\n"
    "  --clusters FILE    lines of a URL, a tab, and any name for the page;\n"
    "                     - is standard input\n"
    "  --store URL        URLs that 'miqps learn' has fetched, of these hosts\n"
    "                     or of all, by what their pages show and declare\n"
    "  --select NAME      graph or naive\n"
    learn_tree_usage
    "  --all              print all candidates\n"
    "  --tree             print the tree and no rules\n"
    "  --map              print a map of all that can be learned of a site's\n"
    "                     URLs, by another method: parameters, paths, hosts\n"
    "  --json             an object for each line\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const struct option  learn_find_long[] = {
    { "clusters",      required_argument, NULL, 'c' },
    { "store",         required_argument, NULL, 'S' },
    { "select",        required_argument, NULL, 's' },
    learn_tree_long,
    { "all",           no_argument,       NULL, 'a' },
    { "tree",          no_argument,       NULL, 't' },
    { "map",           no_argument,       NULL, 'm' },
    { "json",          no_argument,       NULL, 'j' },
    { "help",          no_argument,       NULL, 'h' },
    { NULL,            0,                 NULL, 0 }
};


int
learn_cmd_rules(int argc, char **argv)
{
    int                   rc;
    learn_set_t          *set;
    learn_clusters_t      clusters;
    learn_find_options_t  options = { NULL, NULL, NULL, learn_tree_options,
                                      0, 0, 0, 0 };

    rc = learn_find_options(argc, argv, &options);

    if (rc >= 0) {
        return rc;
    }

    if (options.map) {
        return learn_find_map(&options);
    }

    set = malloc(sizeof(learn_set_t));

    if (set == NULL) {
        return learn_find_done(0);
    }

    learn_set_init(set, 0);

    rc = learn_find_read(&options, &clusters, set);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_find_run(&options, set);
    }

    learn_set_release(set);
    learn_clusters_release(&clusters);
    free(set);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_find_options(int argc, char **argv, learn_find_options_t *options)
{
    int  c, rc;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_find_long, NULL)) != -1) {

        if (c == '?' || c == ':') {
            return learn_usage_error("rules", argv[optind - 1]);
        }

        if (c == 'h') {
            (void) fputs(learn_find_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        rc = learn_find_option(options, c);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    options->hosts = argv + optind;

    if ((options->clusters == NULL) == (options->store == NULL)
        || (options->store == NULL && optind < argc))
    {
        learn_complain("rules: name one file of clusters, --clusters FILE, or "
                       "a store, --store sqlite:PATH");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_find_option(learn_find_options_t *options, int c)
{
    switch (c) {

    case 'c':
        if (options->clusters != NULL) {
            learn_complain("rules: --clusters once; 'miqps eval' takes more");
            return LEARN_EXIT_USAGE;
        }

        options->clusters = optarg;
        break;

    case 'S':
        options->store = optarg;
        break;

    case 's':
        if (strcmp(optarg, "graph") == 0) {
            options->tree.plan.select = LEARN_SELECT_GRAPH;

        } else if (strcmp(optarg, "naive") == 0) {
            options->tree.plan.select = LEARN_SELECT_NAIVE;

        } else {
            learn_complain("rules: --select is 'graph' or 'naive', not '%s'",
                           optarg);
            return LEARN_EXIT_USAGE;
        }

        break;

    case 'a':
        options->all = 1;
        break;

    case 't':
        options->print_tree = 1;
        break;

    case 'm':
        options->map = 1;
        break;

    case 'j':
        options->json = 1;
        break;

    default:
        return learn_tree_option(&options->tree, "rules", c, optarg);
    }

    return LEARN_EXIT_OK;
}


/*
 * Lines are taken from the last one on, and what is behind is given back: so
 * the text and the set that is made of it are never there both.
 */

static int
learn_find_read(const learn_find_options_t *options,
    learn_clusters_t *clusters, learn_set_t *set)
{
    int            rc, added;
    size_t         refused;
    learn_line_t  *line;

    rc = learn_find_clusters(options, clusters);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    refused = 0;
    set->copy = 1;

    while (clusters->nlines > 0) {
        line = &clusters->lines[clusters->nlines - 1];
        added = learn_set_add(set, line->url, line->len, line->cluster);

        if (added < 0) {
            return learn_find_done(0);
        }

        refused += (added == 0);
        learn_clusters_shrink(clusters, clusters->nlines - 1);
    }

    if (refused > 0) {
        learn_complain("rules: %zu URLs have more than %u parts and are left "
                       "out", refused, LEARN_MAX_PAIRS);
    }

    return learn_set_finish(set, 0) ? LEARN_EXIT_OK : learn_find_done(0);
}


static int
learn_find_clusters(const learn_find_options_t *options,
    learn_clusters_t *clusters)
{
    int      rc;
    char    *text;
    size_t   len;

    if (options->store == NULL) {
        return learn_clusters_read(clusters, "rules", options->clusters);
    }

    memset(clusters, 0, sizeof(learn_clusters_t));

    rc = learn_clustered("rules", options->store, options->hosts, &text,
                         &len);

    if (rc != LEARN_EXIT_OK) {
        free(text);
        return rc;
    }

    return learn_clusters_parse(clusters, (uint8_t *) text, len)
           ? LEARN_EXIT_OK : learn_find_done(0);
}


static int
learn_find_run(const learn_find_options_t *options, learn_set_t *set)
{
    int           rc;
    learn_tree_t  tree;

    if (!learn_tree_build(&tree, set)) {
        rc = learn_find_done(0);

    } else if (options->print_tree) {
        rc = learn_find_done(learn_print_tree(&tree, options->json, stdout));

    } else {
        rc = learn_find_rules(options, &tree);
    }

    learn_tree_release(&tree);

    return rc;
}


static int
learn_find_rules(const learn_find_options_t *options, const learn_tree_t *tree)
{
    int            ok;
    learn_plan_t   plan;
    learn_rules_t  rules;

    ok = learn_rules_make(&rules, tree, &options->tree.rules);

    if (ok) {
        ok = learn_plan_make(&plan, &rules, &options->tree.plan);

        if (ok) {
            ok = options->all
                 ? learn_print_candidates(&plan, options->json, stdout)
                 : learn_print_plan(&plan, options->json, stdout);
        }

        if (ok && isatty(STDERR_FILENO)) {
            (void) fprintf(stderr, "%u URLs, %u nodes on %u levels, %zu "
                           "candidates, %zu qualified, %zu deployed\n",
                           tree->set->nurls, tree->nnodes, tree->height,
                           learn_rules_candidates(&rules),
                           learn_rules_qualified(&rules,
                                                 options->tree.plan.limit),
                           plan.deployed);
        }

        learn_plan_release(&plan);
    }

    learn_rules_release(&rules);

    return learn_find_done(ok);
}


/* not by the tree, but by all that is told of pages */

static int
learn_find_map(const learn_find_options_t *options)
{
    int                rc, ok;
    char              *text;
    size_t             len;
    uint32_t           nrules;
    learn_site_t       site;
    learn_clusters_t   clusters;

    rc = learn_find_clusters(options, &clusters);

    if (rc != LEARN_EXIT_OK) {
        learn_clusters_release(&clusters);
        return rc;
    }

    learn_site_init(&site);

    ok = learn_find_add(&site, &clusters) && learn_site_learn(&site);
    text = ok ? learn_site_map(&site, &len, &nrules) : NULL;

    if (text != NULL) {
        (void) fwrite(text, 1, len, stdout);

        if (isatty(STDERR_FILENO)) {
            (void) fprintf(stderr, "%u URLs, %u names, %u steps, %u path "
                           "rules\n", site.nforms, site.nnames, site.nsteps,
                           nrules);
        }
    }

    free(text);
    learn_site_release(&site);
    learn_clusters_release(&clusters);

    return learn_find_done(text != NULL);
}


static int
learn_find_add(learn_site_t *site, learn_clusters_t *clusters)
{
    int           ok;
    size_t        i;
    uint32_t      n, *numbers;
    miqps_str_t   url;

    if (clusters->nlines == 0) {
        return 1;
    }

    /* clusters in the order of their first URLs, whatever that of lines was */

    numbers = malloc((clusters->nclusters + (size_t) 1) * sizeof(uint32_t));

    if (numbers == NULL) {
        return 0;
    }

    memset(numbers, 0xff, clusters->nclusters * sizeof(uint32_t));
    qsort(clusters->lines, clusters->nlines, sizeof(learn_line_t),
          learn_find_by_url);

    for (i = 0, n = 0; i < clusters->nlines; i++) {

        if (numbers[clusters->lines[i].cluster] == UINT32_MAX) {
            numbers[clusters->lines[i].cluster] = n++;
        }

        clusters->lines[i].cluster = numbers[clusters->lines[i].cluster];
    }

    free(numbers);
    qsort(clusters->lines, clusters->nlines, sizeof(learn_line_t),
          learn_find_by_cluster);
    ok = 1;

    for (i = 0; i < clusters->nlines && ok; i++) {
        url.data = clusters->lines[i].url;
        url.len = clusters->lines[i].len;
        ok = learn_site_add(site, &url, clusters->lines[i].cluster);
    }

    return ok;
}


static int
learn_find_by_url(const void *one, const void *two)
{
    int                  rc;
    uint32_t             len;
    const learn_line_t  *a, *b;

    a = one;
    b = two;

    len = (a->len < b->len) ? a->len : b->len;
    rc = memcmp(a->url, b->url, len);

    return (rc != 0) ? rc : (a->len > b->len) - (a->len < b->len);
}


static int
learn_find_by_cluster(const void *one, const void *two)
{
    const learn_line_t  *a, *b;

    a = one;
    b = two;

    if (a->cluster != b->cluster) {
        return (a->cluster > b->cluster) ? 1 : -1;
    }

    return learn_find_by_url(one, two);
}


/* an exit code; 0 is out of memory */

static int
learn_find_done(int ok)
{
    if (!ok) {
        learn_complain("rules: out of memory");
        return LEARN_EXIT_FAILED;
    }

    return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}
