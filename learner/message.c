
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "learn.h"


/* a longer message is cut off */

#define LEARN_MESSAGE_SIZE  4096


void
learn_complain(const char *format, ...)
{
    char     text[LEARN_MESSAGE_SIZE];
    va_list  args;

    va_start(args, format);
    (void) vsnprintf(text, sizeof(text), format, args);
    va_end(args);

    (void) fflush(stdout);
    (void) fputs("miqps: ", stderr);

    learn_put_safe((const uint8_t *) text, strlen(text), stderr);

    (void) fputc('\n', stderr);
}


void
learn_put_safe(const uint8_t *data, size_t len, FILE *out)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        if (data[i] < ' ' || data[i] == 0x7f) {
            (void) fprintf(out, "\\x%02x", data[i]);

        } else {
            (void) fputc(data[i], out);
        }
    }
}


int
learn_usage_error(const char *command, const char *option)
{
    learn_complain("%s: '%s' is not an option, or lacks its argument; "
                   "'miqps %s --help' lists the options", command, option,
                   command);

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
