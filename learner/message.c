
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "learn.h"


void
learn_complain(const char *format, ...)
{
    va_list  args;

    (void) fflush(stdout);
    (void) fputs("miqps: ", stderr);

    va_start(args, format);
    (void) vfprintf(stderr, format, args);
    va_end(args);

    (void) fputc('\n', stderr);
}


int
learn_usage_error(const char *command)
{
    learn_complain("'miqps %s --help' lists the options", command);

    return LEARN_EXIT_USAGE;
}


int
learn_output_ok(void)
{
    errno = 0;

    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return 1;
    }

    learn_complain("cannot write the result: %s",
                   (errno != 0) ? strerror(errno) : "the output was closed");

    return 0;
}
