
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_save.h"
#include "learn.h"
#include "map/map_source.h"


/* hosts between two looks at the progress */

#define LEARN_COMPILE_STEP  8192


typedef struct {
    const char   *output;
    int           verbose;
    int           progress;     /* standard error is a terminal */
} learn_compile_options_t;


static int  learn_compile_options(int argc, char **argv,
    learn_compile_options_t *options);
static int  learn_compile_run(const learn_compile_options_t *options,
    char **names, int n);
static int  learn_compile_file(learn_map_t *map, const char *name,
    int progress);
static int  learn_compile_read(learn_map_t *map, const char *name, int fd,
    int progress);
static ssize_t  learn_compile_fd(void *data, char *buf, size_t size);
static void  learn_compile_progress(void *data, const learn_map_t *map);
static int  learn_compile_write(const learn_compile_options_t *options,
    learn_map_t *map);


static const char  learn_compile_usage[] =
    "usage: miqps compile [option...] SOURCE... -o IMAGE\n"
    "\n"
    "Makes an image, which nginx loads, of map source, see miqps-map(5).  A\n"
    "SOURCE may be \"-\", standard input.  Equal maps become equal images,\n"
    "byte for byte.  An existing image is replaced when the new one is\n"
    "complete.\n"
    "\n"
    "  -o, --output IMAGE  the file to write; it must be given\n"
    "  --verbose           tell what is in the image, to standard error\n"
    "  --help              this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const struct option  learn_compile_long[] = {
    { "output",    required_argument,  NULL,  'o' },
    { "verbose",   no_argument,        NULL,  'v' },
    { "help",      no_argument,        NULL,  'h' },
    { NULL,        0,                  NULL,  0 }
};


int
learn_cmd_compile(int argc, char **argv)
{
    int                      rc;
    learn_compile_options_t  options;

    memset(&options, 0, sizeof(learn_compile_options_t));

    rc = learn_compile_options(argc, argv, &options);

    if (rc >= 0) {
        return rc;
    }

    return learn_compile_run(&options, argv + optind, argc - optind);
}


/* an exit status, or -1 to go on */

static int
learn_compile_options(int argc, char **argv, learn_compile_options_t *options)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":o:", learn_compile_long, NULL))
           != -1)
    {
        switch (c) {

        case 'o':
            options->output = optarg;
            break;

        case 'v':
            options->verbose = 1;
            break;

        case 'h':
            (void) fputs(learn_compile_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("compile", argv[optind - 1]);
        }
    }

    if (optind == argc) {
        learn_complain("compile: no source is named; \"-\" is standard input");
        return LEARN_EXIT_USAGE;
    }

    if (options->output == NULL) {
        learn_complain("compile: -o is missing, the image to write");
        return LEARN_EXIT_USAGE;
    }

    options->progress = isatty(STDERR_FILENO);

    return -1;
}


static int
learn_compile_run(const learn_compile_options_t *options, char **names, int n)
{
    int           i, rc;
    learn_map_t  *map;

    map = malloc(sizeof(learn_map_t));

    if (map == NULL) {
        learn_complain("compile: out of memory");
        return LEARN_EXIT_FAILED;
    }

    learn_map_init(map);

    rc = LEARN_EXIT_OK;

    for (i = 0; i < n && rc == LEARN_EXIT_OK; i++) {
        rc = learn_compile_file(map, names[i], options->progress);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_compile_write(options, map);
    }

    learn_map_release(map);
    free(map);

    return rc;
}


static int
learn_compile_file(learn_map_t *map, const char *name, int progress)
{
    int          fd, rc;
    struct stat  st;

    if (strcmp(name, "-") == 0) {
        return learn_compile_read(map, "standard input", STDIN_FILENO,
                                  progress);
    }

    fd = open(name, O_RDONLY|O_CLOEXEC);

    if (fd == -1) {
        learn_complain("compile: cannot open '%s': %s", name, strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        learn_complain("compile: cannot read '%s': it is a directory", name);
        rc = LEARN_EXIT_FAILED;

    } else {
        rc = learn_compile_read(map, name, fd, progress);
    }

    (void) close(fd);

    return rc;
}


static int
learn_compile_read(learn_map_t *map, const char *name, int fd, int progress)
{
    int                 rc;
    learn_text_t        text;
    learn_text_rc_e     read;
    learn_text_error_t  error;

    learn_text_init(&text, learn_compile_fd, &fd);

    rc = LEARN_EXIT_FAILED;

    read = learn_source_read(map, &text,
                             progress ? learn_compile_progress : NULL, NULL,
                             &error);

    if (progress) {
        (void) fputs("\r\033[K", stderr);
    }

    switch (read) {

    case LEARN_TEXT_END:
        rc = LEARN_EXIT_OK;
        break;

    case LEARN_TEXT_SYNTAX:
        learn_complain("%s:%zu:%zu: %s", name, error.line, error.column,
                       error.text);
        break;

    case LEARN_TEXT_FAILED:
        learn_complain("compile: cannot read '%s': %s", name, strerror(errno));
        break;

    default:
        learn_complain("compile: out of memory");
        break;
    }

    learn_text_release(&text);

    return rc;
}


static ssize_t
learn_compile_fd(void *data, char *buf, size_t size)
{
    return read(*(int *) data, buf, size);
}


static void
learn_compile_progress(void *data, const learn_map_t *map)
{
    (void) data;

    if (map->hosts.n % LEARN_COMPILE_STEP == 0) {
        (void) fprintf(stderr, "\rmiqps: compile: %lu hosts, %llu patterns",
                       (unsigned long) map->hosts.n,
                       (unsigned long long) map->npatterns);
    }
}


static int
learn_compile_write(const learn_compile_options_t *options, learn_map_t *map)
{
    int             rc;
    size_t          size;
    uint8_t        *data;
    const char     *why;
    miqps_image_t   image;

    why = learn_map_image(map, &data, &size);

    if (why != NULL) {
        learn_complain("compile: cannot make the image: %s", why);
        return LEARN_EXIT_FAILED;
    }

    rc = learn_file_save("compile", options->output, data, size);

    if (rc == LEARN_EXIT_OK && (options->verbose || options->progress)) {
        miqps_image_use(&image, data);

        (void) fprintf(stderr, "miqps: compile: %lu hosts, %lu patterns, "
                       "%lu names, %zu bytes\n", (unsigned long) image.nhosts,
                       (unsigned long) image.npatterns,
                       (unsigned long) image.nnames, size);
    }

    free(data);

    return rc;
}
