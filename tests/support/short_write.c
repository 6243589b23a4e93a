
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>


/*
 * To be preloaded: writes that do less than they are asked for, and say so.
 * SHORT_WRITE is the number of the one that does, from 1, or "all"; how many
 * there were goes to the file SHORT_WRITES when the program ends.
 *
 * strace can only claim that less was written, and would have nothing written.
 */

static void  short_end(void) __attribute__ ((destructor));


static size_t  short_count;


ssize_t pwrite64(int fd, const void *buf, size_t len, off_t at);


/* half of it, where there is a half */

static size_t
short_len(size_t len)
{
    const char  *which;

    which = getenv("SHORT_WRITE");
    short_count++;

    if (which == NULL || len < 2) {
        return len;
    }

    return (strcmp(which, "all") == 0
            || strtoul(which, NULL, 10) == short_count) ? len / 2 : len;
}


ssize_t
write(int fd, const void *buf, size_t len)
{
    ssize_t  (*next)(int, const void *, size_t);

    *(void **) &next = dlsym(RTLD_NEXT, "write");

    return next(fd, buf, short_len(len));
}


ssize_t
pwrite(int fd, const void *buf, size_t len, off_t at)
{
    ssize_t  (*next)(int, const void *, size_t, off_t);

    *(void **) &next = dlsym(RTLD_NEXT, "pwrite");

    return next(fd, buf, short_len(len), at);
}


ssize_t
pwrite64(int fd, const void *buf, size_t len, off_t at)
{
    return pwrite(fd, buf, len, at);
}


static void
short_end(void)
{
    FILE        *out;
    const char  *name;

    name = getenv("SHORT_WRITES");
    out = (name != NULL) ? fopen(name, "w") : NULL;

    if (out != NULL) {
        (void) fprintf(out, "%zu\n", short_count);
        (void) fclose(out);
    }
}
