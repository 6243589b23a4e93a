
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "learn.h"
#include "rules_file.h"


static int  learn_rules_file_load(const char *path, char **text,
    size_t *len);
static int  learn_rules_file_slurp(FILE *file, const char *path,
    char **text, size_t *len);
static int  learn_rules_file_refuse(const char *path, const char *why);


int
learn_rules_file_read(miqps_rules_t *book, const char *path)
{
    int                  rc;
    char                *text;
    size_t               len;
    miqps_rules_error_t  error;

    rc = learn_rules_file_load(path, &text, &len);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    switch (miqps_rules_read(book, text, len, &error)) {

    case MIQPS_OK:
        rc = LEARN_EXIT_OK;
        break;

    case MIQPS_NO_MEMORY:
        learn_complain("out of memory");
        rc = LEARN_EXIT_FAILED;
        break;

    default:
        learn_complain("%s:%zu:%zu: %s", path, error.line, error.column,
                       error.text);
        rc = LEARN_EXIT_USAGE;
        break;
    }

    free(text);

    return rc;
}


static int
learn_rules_file_load(const char *path, char **text, size_t *len)
{
    int          rc;
    FILE        *file;
    struct stat  info;

    file = fopen(path, "rb");

    if (file == NULL || fstat(fileno(file), &info) != 0) {
        rc = learn_rules_file_refuse(path, strerror(errno));

    } else if (S_ISDIR(info.st_mode)) {
        rc = learn_rules_file_refuse(path, "it is a directory");

    } else if (S_ISREG(info.st_mode)
               && (uintmax_t) info.st_size > MIQPS_RULES_MAX_FILE)
    {
        rc = learn_rules_file_refuse(path, "it is larger than 16 MiB, "
                                     "which no rules file is");

    } else {
        rc = learn_rules_file_slurp(file, path, text, len);
    }

    if (file != NULL) {
        (void) fclose(file);
    }

    return rc;
}


/* reads to the end, of a pipe too, but not beyond the limit */

static int
learn_rules_file_slurp(FILE *file, const char *path, char **text,
    size_t *len)
{
    char    *buf, *more;
    size_t   n, size;

    size = 64 * 1024;
    n = 0;

    buf = malloc(size);

    while (buf != NULL) {
        n += fread(buf + n, 1, size - n, file);

        if (n < size || size > MIQPS_RULES_MAX_FILE) {
            break;
        }

        size *= 2;
        more = realloc(buf, size);

        if (more == NULL) {
            free(buf);
        }

        buf = more;
    }

    if (buf == NULL) {
        learn_complain("out of memory");
        return LEARN_EXIT_FAILED;
    }

    if (ferror(file)) {
        free(buf);
        return learn_rules_file_refuse(path, strerror(errno));
    }

    if (n > MIQPS_RULES_MAX_FILE) {
        free(buf);
        return learn_rules_file_refuse(path, "it is larger than 16 MiB, "
                                       "which no rules file is");
    }

    *text = buf;
    *len = n;

    return LEARN_EXIT_OK;
}


static int
learn_rules_file_refuse(const char *path, const char *why)
{
    learn_complain("%s:1:1: cannot read the rules: %s", path, why);

    return LEARN_EXIT_USAGE;
}
