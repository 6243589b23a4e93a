
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <string.h>
#include <time.h>

#include "learn.h"
#include "map/map_file.h"
#include "map/map_stats.h"


static int  learn_check_options(int argc, char **argv);
static void  learn_check_print(const learn_map_file_t *file);


static const char  learn_check_usage[] =
    "usage: miqps check IMAGE\n"
    "\n"
    "Tells whether an image made by \"miqps compile\" is whole, by the same\n"
    "checks that nginx makes before it uses one, and what is in it.\n"
    "\n"
    "  --help  this text\n"
    "\n"
    "Exit codes: 0 it can be used, 1 it cannot, 2 wrong usage.\n";


static const struct option  learn_check_long[] = {
    { "help",  no_argument,  NULL,  'h' },
    { NULL,    0,            NULL,  0 }
};


int
learn_cmd_check(int argc, char **argv)
{
    int               rc;
    learn_map_file_t  file;

    rc = learn_check_options(argc, argv);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_map_file_open(&file, "check", argv[optind]);

    if (rc == LEARN_EXIT_OK) {
        learn_check_print(&file);
        rc = learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    learn_map_file_release(&file);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_check_options(int argc, char **argv)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_check_long, NULL)) != -1) {
        if (c != 'h') {
            return learn_usage_error("check", argv[optind - 1]);
        }

        (void) fputs(learn_check_usage, stdout);
        return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    if (argc - optind != 1) {
        learn_complain("check: name one image");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static void
learn_check_print(const learn_map_file_t *file)
{
    char                  text[64];
    size_t                i;
    time_t                seconds;
    uint8_t               sum[MIQPS_IMAGE_CHECKSUM];
    struct tm             tm;
    const miqps_image_t  *image;

    image = &file->image;

    learn_put_safe((const uint8_t *) file->name, strlen(file->name), stdout);

    (void) printf(": map image, version %d, %lu hosts, %lu patterns, "
                  "%lu names, %zu bytes, ", MIQPS_IMAGE_VERSION,
                  (unsigned long) image->nhosts,
                  (unsigned long) image->npatterns,
                  (unsigned long) image->nnames, image->size);

    if (image->section[MIQPS_SECTION_RULES].size > 0) {
        (void) printf("%llu path rules, ",
                      (unsigned long long) learn_stats_rules(image));
    }

    seconds = (time_t) image->time;

    if (image->time > 0 && image->time < INT64_MAX / 2
        && gmtime_r(&seconds, &tm) != NULL
        && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) > 0)
    {
        (void) printf("of %s, ", text);
    }

    if (image->generation > 0) {
        (void) printf("generation %llu, ",
                      (unsigned long long) image->generation);
    }

    miqps_image_checksum(image->base, image->size, sum);

    for (i = 0; i < sizeof(sum); i++) {
        (void) printf("%02x", sum[i]);
    }

    (void) putchar('\n');
}
