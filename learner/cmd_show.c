
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <string.h>

#include "learn.h"
#include "map/map_file.h"
#include "map/map_print.h"
#include "map/map_stats.h"
#include "miqps_map.h"


static int  learn_show_options(int argc, char **argv, int *stats);
static int  learn_show_run(const learn_map_file_t *file, char **names,
    int n, int stats);
static int  learn_show_hosts(const learn_index_t *index,
    const learn_map_file_t *file, char **names, int n);
static int  learn_show_host(const learn_index_t *index,
    const learn_index_host_t *host, learn_view_t *view, uint64_t time);
static const learn_index_host_t  *learn_show_find(const learn_index_t *index,
    const char *name);
static int  learn_show_no_memory(void);


static const char  learn_show_usage[] =
    "usage: miqps show [option...] IMAGE [HOST...]\n"
    "\n"
    "Prints an image as map source, see miqps-map(5), one host a line: all of\n"
    "them, or the entries that speak for each HOST.  Compiling what it prints\n"
    "gives the same image.\n"
    "\n"
    "  --stats  print figures about the image instead\n"
    "  --help   this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed or no such host, 2 wrong usage.\n";


static const struct option  learn_show_long[] = {
    { "stats",  no_argument,  NULL,  's' },
    { "help",   no_argument,  NULL,  'h' },
    { NULL,     0,            NULL,  0 }
};


int
learn_cmd_show(int argc, char **argv)
{
    int               rc, stats;
    learn_map_file_t  file;

    stats = 0;
    rc = learn_show_options(argc, argv, &stats);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_map_file_open(&file, "show", argv[optind]);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_show_run(&file, argv + optind + 1, argc - optind - 1,
                            stats);
    }

    learn_map_file_release(&file);

    if (rc == LEARN_EXIT_OK && !learn_output_ok()) {
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_show_options(int argc, char **argv, int *stats)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_show_long, NULL)) != -1) {
        switch (c) {

        case 's':
            *stats = 1;
            break;

        case 'h':
            (void) fputs(learn_show_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("show", argv[optind - 1]);
        }
    }

    if (optind == argc) {
        learn_complain("show: no image is named");
        return LEARN_EXIT_USAGE;
    }

    if (*stats && argc - optind > 1) {
        learn_complain("show: --stats is about the whole image, name no host");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_show_run(const learn_map_file_t *file, char **names, int n, int stats)
{
    int            rc;
    learn_index_t  index;

    if (stats) {
        learn_stats_print(&file->image, stdout);
        return LEARN_EXIT_OK;
    }

    rc = learn_index_init(&index, &file->image)
         ? learn_show_hosts(&index, file, names, n) : learn_show_no_memory();

    learn_index_release(&index);

    return rc;
}


static int
learn_show_hosts(const learn_index_t *index, const learn_map_file_t *file,
    char **names, int n)
{
    int                        i, rc;
    size_t                     k;
    uint64_t                   time;
    learn_view_t               view;
    const learn_index_host_t  *host;

    memset(&view, 0, sizeof(learn_view_t));

    /* the map has one time, and the first line that is printed has it */

    time = file->image.time;
    rc = LEARN_EXIT_OK;

    for (k = 0; n == 0 && k < index->n && rc == LEARN_EXIT_OK; k++) {
        if (index->hosts[k].target == NULL) {
            rc = learn_show_host(index, &index->hosts[k], &view, time);
            time = 0;
        }
    }

    for (i = 0; i < n && rc != LEARN_EXIT_FAILED; i++) {
        host = learn_show_find(index, names[i]);

        if (host == NULL) {
            learn_complain("show: '%s' has nothing for the host '%s'",
                           file->name, names[i]);
            rc = LEARN_EXIT_FAILED;
            break;
        }

        rc = learn_show_host(index, host, &view, time);
        time = 0;
    }

    learn_view_release(&view);

    return rc;
}


static int
learn_show_host(const learn_index_t *index, const learn_index_host_t *host,
    learn_view_t *view, uint64_t time)
{
    if (!learn_view_read(view, index->image, host->record)) {
        return learn_show_no_memory();
    }

    learn_print_host(index, host, view, time, stdout);

    return LEARN_EXIT_OK;
}


/* the entry that a look-up of the host would find, or "*.x" itself */

static const learn_index_host_t *
learn_show_find(const learn_index_t *index, const char *name)
{
    miqps_str_t         host;
    const uint8_t      *record;
    learn_index_host_t  wanted;

    wanted.wildcard = (strncmp(name, "*.", 2) == 0);
    wanted.host.data = (const uint8_t *) name + 2 * wanted.wildcard;
    wanted.host.len = strlen(name) - 2 * (size_t) wanted.wildcard;

    if (!wanted.wildcard) {
        host = wanted.host;
        record = miqps_map_host(index->image, &host);

        if (record == NULL) {
            return NULL;
        }

        wanted.host.data = record + MIQPS_HOST_HEAD;
        wanted.host.len = record[4];
        wanted.wildcard = ((record[5] & MIQPS_HOST_WILDCARD) != 0);
    }

    return learn_index_find(index, &wanted);
}


static int
learn_show_no_memory(void)
{
    learn_complain("show: out of memory");

    return LEARN_EXIT_FAILED;
}
