
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "map/map_diff.h"
#include "map/map_file.h"
#include "publish/archive.h"


typedef struct {
    const char     *store;
    int             json;
    int             exit_code;
} learn_diff_options_t;


static int  learn_diff_options(int argc, char **argv,
    learn_diff_options_t *options);
static int  learn_diff_open(learn_map_file_t *file, learn_store_t *store,
    const char *name);
static int64_t  learn_diff_generation(const char *name);
static int  learn_diff_run(const learn_diff_options_t *options,
    const learn_map_file_t *one, const learn_map_file_t *two);


static const char  learn_diff_usage[] =
    "usage: miqps diff [option...] OLD NEW\n"
    "\n"
    "Tells in what two images differ, a line for each host, pattern and path\n"
    "rule that is added (+), removed (-) or changed (~).  A line that begins\n"
    "with \"!\" is about a pattern of which something is stripped that was\n"
    "not before, or about a path rule that was not there so.\n"
    "\n"
    "  --store URL  a number is a generation of this store, sqlite:PATH, as\n"
    "               'miqps history' lists them\n"
    "  --json       an object for each line\n"
    "  --exit-code  exit with 1 if they differ\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const struct option  learn_diff_long[] = {
    { "store",      required_argument,  NULL,  's' },
    { "json",       no_argument,        NULL,  'j' },
    { "exit-code",  no_argument,        NULL,  'e' },
    { "help",       no_argument,        NULL,  'h' },
    { NULL,         0,                  NULL,  0 }
};


int
learn_cmd_diff(int argc, char **argv)
{
    int                    rc;
    learn_store_t         *store;
    learn_map_file_t       one, two;
    learn_diff_options_t   options;

    memset(&options, 0, sizeof(learn_diff_options_t));
    memset(&one, 0, sizeof(learn_map_file_t));
    memset(&two, 0, sizeof(learn_map_file_t));

    rc = learn_diff_options(argc, argv, &options);

    if (rc >= 0) {
        return rc;
    }

    store = NULL;
    rc = (options.store != NULL)
         ? learn_store_open(&store, "diff", options.store, LEARN_STORE_READ)
         : LEARN_EXIT_OK;

    if (rc == LEARN_EXIT_OK) {
        rc = learn_diff_open(&one, store, argv[optind]);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_diff_open(&two, store, argv[optind + 1]);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_diff_run(&options, &one, &two);
    }

    learn_map_file_release(&one);
    learn_map_file_release(&two);

    if (store != NULL) {
        store->ops->close(store);
    }

    return rc;
}


/* a file, or a generation of the store */

static int
learn_diff_open(learn_map_file_t *file, learn_store_t *store, const char *name)
{
    int      rc;
    int64_t  generation;

    generation = (store != NULL) ? learn_diff_generation(name) : 0;

    if (generation == 0) {
        return learn_map_file_open(file, "diff", name);
    }

    rc = learn_archive_open(store, "diff", generation, file);

    if (rc == LEARN_EXIT_OK && file->data == NULL) {
        learn_complain("diff: the archive has no map %s; 'miqps history' "
                       "lists it", name);
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


/* 0 if it is none */

static int64_t
learn_diff_generation(const char *name)
{
    char       *end;
    long long   n;

    if (name[0] < '1' || name[0] > '9') {
        return 0;
    }

    n = strtoll(name, &end, 10);

    return (*end == '\0') ? (int64_t) n : 0;
}


/* an exit status, or -1 to go on */

static int
learn_diff_options(int argc, char **argv, learn_diff_options_t *options)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_diff_long, NULL)) != -1) {
        switch (c) {

        case 's':
            options->store = optarg;
            break;

        case 'j':
            options->json = 1;
            break;

        case 'e':
            options->exit_code = 1;
            break;

        case 'h':
            (void) fputs(learn_diff_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("diff", argv[optind - 1]);
        }
    }

    if (argc - optind != 2) {
        learn_complain("diff: name two images, the old one first");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_diff_run(const learn_diff_options_t *options,
    const learn_map_file_t *one, const learn_map_file_t *two)
{
    size_t  n;

    if (!learn_diff_images(&one->image, &two->image, options->json, stdout,
                           &n))
    {
        learn_complain("diff: out of memory");
        return LEARN_EXIT_FAILED;
    }

    if (!learn_output_ok()) {
        return LEARN_EXIT_FAILED;
    }

    return (options->exit_code && n > 0) ? LEARN_EXIT_FAILED : LEARN_EXIT_OK;
}
