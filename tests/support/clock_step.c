
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>


/*
 * To be preloaded: somebody sets the clock, by as many seconds as the file
 * CLOCK_STEP has, as soon as there is one.
 */


time_t
time(time_t *at)
{
    FILE        *in;
    char         text[32];
    time_t       now;
    const char  *name;
    time_t     (*next)(time_t *);

    *(void **) &next = dlsym(RTLD_NEXT, "time");

    now = next(NULL);
    name = getenv("CLOCK_STEP");
    in = (name != NULL) ? fopen(name, "r") : NULL;

    if (in != NULL) {
        now += (fgets(text, sizeof(text), in) != NULL)
               ? (time_t) strtol(text, NULL, 10) : 0;
        (void) fclose(in);
    }

    if (at != NULL) {
        *at = now;
    }

    return now;
}
