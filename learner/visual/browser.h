
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_BROWSER_H_INCLUDED_
#define _LEARN_BROWSER_H_INCLUDED_


#include <sys/types.h>

#include "pipe.h"


/*
 * Chromium without a window, as a process of our own: in a group of processes,
 * with a folder that goes away when it ends, and told over a pipe what to do.
 *
 * It is not to talk to anybody: whatever name or address it would connect to
 * is one that there is not, and where the system allows that, it has a network
 * of its own with nothing in it.
 */

typedef struct {
    pid_t           pid;             /* 0: there is none */
    learn_pipe_t    pipe;
    char            folder[64];
} learn_browser_t;


/*
 * The program: "path", or, if that is NULL, the first of the known names that
 * is found.  NULL after a complaint; to be free()d.
 */
char *learn_browser_find(const char *command, const char *path);

/* 0 after a complaint */

int learn_browser_start(learn_browser_t *browser, const char *command,
    const char *program);

/* ends it, at once, and removes its folder */

void learn_browser_stop(learn_browser_t *browser);


#endif /* _LEARN_BROWSER_H_INCLUDED_ */
