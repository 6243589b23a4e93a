
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_save.h"
#include "import/import.h"
#include "learn.h"
#include "miqps_rules.h"


/* a list that is larger is not one */

#define LEARN_IMPORT_MAX_FILE  (64 * 1024 * 1024)

/* scratch memory is given back after so many rules */

#define LEARN_IMPORT_SINCE     256


typedef struct {
    const char             *name;
    learn_import_rc_e     (*read)(learn_import_t *im,
                                  const learn_import_file_t *files,
                                  size_t nfiles);
} learn_import_format_t;


typedef struct {
    const learn_import_format_t
                           *format;
    const char             *output;     /* or NULL for standard output */
} learn_import_options_t;


static int  learn_import_options(int argc, char **argv,
    learn_import_options_t *options, learn_import_t *im);
static int  learn_import_set_format(learn_import_options_t *options,
    const char *name);
static int  learn_import_run(const learn_import_options_t *options,
    learn_import_t *im, char **names, size_t n);
static int  learn_import_read(const char *name, learn_import_file_t *file);
static int  learn_import_load(const char *name, int fd, size_t size,
    learn_import_file_t *file);
static int  learn_import_fail(const char *what, const char *name);


static const char  learn_import_usage[] =
    "usage: miqps import --from FORMAT [option...] FILE...\n"
    "\n"
    "Writes a rules file, see miqps-rules(5), made of lists of tracking\n"
    "parameters.  No rule strips more than the list does.  What a rules file\n"
    "cannot express is left out and reported to standard error.\n"
    "\n"
    "  --from FORMAT      what the files are: clearurls, the JSON of\n"
    "                     ClearURLs, or adguard, a list of filters of which\n"
    "                     those with removeparam count\n"
    "  -o, --output FILE  write to this file, not to standard output\n"
    "  --referral         of ClearURLs, take over referral parameters too\n"
    "  --verbose          report each rule that is left out\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage.\n";


static const learn_import_format_t  learn_import_formats[] = {
    { "clearurls",  learn_import_clearurls },
    { "adguard",    learn_import_adguard },
    { NULL,         NULL }
};


static const struct option  learn_import_long[] = {
    { "from",      required_argument,  NULL,  'f' },
    { "output",    required_argument,  NULL,  'o' },
    { "referral",  no_argument,        NULL,  'r' },
    { "verbose",   no_argument,        NULL,  'v' },
    { "help",      no_argument,        NULL,  'h' },
    { NULL,        0,                  NULL,  0 }
};


int
learn_cmd_import(int argc, char **argv)
{
    int                     rc;
    learn_import_t         *im;
    learn_import_options_t  options;

    im = calloc(1, sizeof(learn_import_t));

    if (im == NULL) {
        return learn_import_fail("out of memory", NULL);
    }

    learn_arena_init(&im->scratch);
    learn_arena_init(&im->rules.mem);

    im->report.out = stderr;

    memset(&options, 0, sizeof(learn_import_options_t));

    rc = learn_import_options(argc, argv, &options, im);

    if (rc < 0) {
        rc = learn_import_run(&options, im, argv + optind,
                              (size_t) (argc - optind));
    }

    learn_import_rules_release(&im->rules);
    learn_arena_release(&im->scratch);
    free(im);

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_import_options(int argc, char **argv, learn_import_options_t *options,
    learn_import_t *im)
{
    int  c;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":o:", learn_import_long, NULL))
           != -1)
    {
        switch (c) {

        case 'f':
            if (learn_import_set_format(options, optarg) != LEARN_EXIT_OK) {
                return LEARN_EXIT_USAGE;
            }

            break;

        case 'o':
            options->output = optarg;
            break;

        case 'r':
            im->referral = 1;
            break;

        case 'v':
            im->report.verbose = 1;
            break;

        case 'h':
            fputs(learn_import_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        case ':':
            learn_complain("import: option '%s' needs an argument",
                           argv[optind - 1]);
            return LEARN_EXIT_USAGE;

        default:
            learn_complain("import: unknown option '%s'; 'miqps import "
                           "--help' lists them", argv[optind - 1]);
            return LEARN_EXIT_USAGE;
        }
    }

    if (options->format == NULL) {
        learn_complain("import: --from is missing, say clearurls or adguard");
        return LEARN_EXIT_USAGE;
    }

    if (optind == argc) {
        learn_complain("import: no file is named");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_import_set_format(learn_import_options_t *options, const char *name)
{
    const learn_import_format_t  *format;

    for (format = learn_import_formats; format->name != NULL; format++) {
        if (strcmp(format->name, name) == 0) {
            options->format = format;
            return LEARN_EXIT_OK;
        }
    }

    learn_complain("import: unknown format '%s', say clearurls or adguard",
                   name);

    return LEARN_EXIT_USAGE;
}


static int
learn_import_run(const learn_import_options_t *options, learn_import_t *im,
    char **names, size_t n)
{
    int                   rc;
    size_t                i;
    learn_import_rc_e     done;
    learn_import_buf_t    buf;
    learn_import_file_t  *files;

    memset(&buf, 0, sizeof(learn_import_buf_t));

    files = calloc(n, sizeof(learn_import_file_t));

    if (files == NULL) {
        return learn_import_fail("out of memory", NULL);
    }

    rc = 0;

    for (i = 0; i < n && rc == 0; i++) {
        rc = learn_import_read(names[i], &files[i]);
    }

    if (rc == 0) {
        done = options->format->read(im, files, n);

        if (done == LEARN_IMPORT_OK) {
            done = learn_import_rules_write(&im->rules, &im->report, &buf);
        }

        if (done == LEARN_IMPORT_ERROR) {
            rc = learn_import_fail("out of memory", NULL);

        } else if (done == LEARN_IMPORT_DECLINED) {
            rc = LEARN_EXIT_FAILED;

        } else if (buf.len > MIQPS_RULES_MAX_FILE) {
            rc = learn_import_fail("the rules would be more than the 16 MiB "
                                   "of a rules file", NULL);
        }
    }

    if (rc == 0) {
        rc = learn_file_save("import", options->output, buf.data, buf.len);
    }

    if (rc == 0) {
        learn_import_report_print(&im->report, im->rules.hosts, n);
    }

    for (i = 0; i < n; i++) {
        free(files[i].data);
    }

    free(files);
    learn_import_buf_release(&buf);

    return rc;
}


static int
learn_import_read(const char *name, learn_import_file_t *file)
{
    int          fd, rc;
    struct stat  st;

    fd = open(name, O_RDONLY|O_CLOEXEC);

    if (fd == -1) {
        return learn_import_fail("cannot open", name);
    }

    if (fstat(fd, &st) == -1) {
        rc = learn_import_fail("cannot read", name);

    } else if (S_ISREG(st.st_mode) && st.st_size > LEARN_IMPORT_MAX_FILE) {
        learn_complain("import: '%s' has %lld bytes, more than the 64 MiB "
                       "that a list may have", name, (long long) st.st_size);
        rc = LEARN_EXIT_FAILED;

    } else {
        rc = learn_import_load(name, fd,
                               S_ISREG(st.st_mode) ? (size_t) st.st_size : 0,
                               file);
    }

    close(fd);

    return rc;
}


/* reads to the end; "size" is a guess, since a pipe has none */

static int
learn_import_load(const char *name, int fd, size_t size,
    learn_import_file_t *file)
{
    char    *p;
    ssize_t  n;

    file->name = name;
    size += 4096;
    p = NULL;

    for ( ;; ) {

        if (p == NULL || file->len + 1 >= size) {

            size = (p == NULL) ? size : 2 * size;
            p = realloc(file->data, size);

            if (p == NULL) {
                return learn_import_fail("out of memory", NULL);
            }

            file->data = p;
        }

        n = read(fd, file->data + file->len, size - file->len - 1);

        if (n == -1 && errno == EINTR) {
            continue;
        }

        if (n == -1) {
            return learn_import_fail("cannot read", name);
        }

        if (n == 0) {
            break;
        }

        file->len += (size_t) n;

        if (file->len > LEARN_IMPORT_MAX_FILE) {
            learn_complain("import: '%s' has more than the 64 MiB that a list "
                           "may have", name);
            return LEARN_EXIT_FAILED;
        }
    }

    file->data[file->len] = '\0';

    if (strlen(file->data) != file->len) {
        learn_complain("import: '%s' is not text, byte %zu is zero", name,
                       strlen(file->data));
        return LEARN_EXIT_FAILED;
    }

    return 0;
}


void
learn_import_next(learn_import_t *im)
{
    if (++im->since == LEARN_IMPORT_SINCE) {
        learn_arena_release(&im->scratch);
        im->since = 0;
    }
}


/* one line about what failed; with a name, also why */

static int
learn_import_fail(const char *what, const char *name)
{
    if (name == NULL) {
        learn_complain("import: %s", what);

    } else {
        learn_complain("import: %s '%s': %s", what, name, strerror(errno));
    }

    return LEARN_EXIT_FAILED;
}
