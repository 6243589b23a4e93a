
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "map/map_diff.h"
#include "map/map_file.h"


typedef struct {
    int    json;
    int    exit_code;
} learn_diff_options_t;


static int  learn_diff_options(int argc, char **argv,
    learn_diff_options_t *options);
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
    "  --json       an object for each line\n"
    "  --exit-code  exit with 1 if they differ\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const struct option  learn_diff_long[] = {
    { "json",       no_argument,  NULL,  'j' },
    { "exit-code",  no_argument,  NULL,  'e' },
    { "help",       no_argument,  NULL,  'h' },
    { NULL,         0,            NULL,  0 }
};


int
learn_cmd_diff(int argc, char **argv)
{
    int                   rc;
    learn_map_file_t      one, two;
    learn_diff_options_t  options;

    memset(&options, 0, sizeof(learn_diff_options_t));
    memset(&two, 0, sizeof(learn_map_file_t));

    rc = learn_diff_options(argc, argv, &options);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_map_file_open(&one, "diff", argv[optind]);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_map_file_open(&two, "diff", argv[optind + 1]);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_diff_run(&options, &one, &two);
    }

    learn_map_file_release(&one);
    learn_map_file_release(&two);

    return rc;
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
