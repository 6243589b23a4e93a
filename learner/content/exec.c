
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xxhash.h>

#include "html.h"
#include "learn.h"


#define LEARN_EXEC_MS    10000
#define LEARN_EXEC_OUT   4096          /* bytes of output that count */


static pid_t  learn_exec_start(const char *command, const learn_fetch_t *fetch,
    const miqps_str_t *url, int *in, int *out);
static void  learn_exec_env(const char *name, const char *value, size_t len);
static size_t  learn_exec_talk(int in, int out, const learn_fetch_t *fetch,
    char *answer);


uint64_t
learn_exec(const char *command, const learn_fetch_t *fetch,
    const miqps_str_t *url)
{
    int        in, out, status;
    char       answer[LEARN_EXEC_OUT];
    pid_t      pid;
    size_t     n;
    uint64_t   hash;

    pid = learn_exec_start(command, fetch, url, &in, &out);

    if (pid == -1) {
        learn_complain("'%s' cannot be run: %s", command, strerror(errno));
        return 0;
    }

    n = learn_exec_talk(in, out, fetch, answer);

    (void) close(out);

    if (n == 0) {
        (void) kill(pid, SIGKILL);
    }

    while (waitpid(pid, &status, 0) == -1 && errno == EINTR) {
        /* void */
    }

    if (n == 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return 0;
    }

    hash = XXH3_64bits(answer, n);

    return hash + (hash == 0);
}


/* by a shell; what the page is, it is told by its environment */

static pid_t
learn_exec_start(const char *command, const learn_fetch_t *fetch,
    const miqps_str_t *url, int *in, int *out)
{
    int    to[2], from[2];
    char   status[16];
    pid_t  pid;

    if (pipe(to) == -1) {
        return -1;
    }

    if (pipe(from) == -1) {
        (void) close(to[0]);
        (void) close(to[1]);
        return -1;
    }

    pid = fork();

    if (pid == 0) {
        (void) dup2(to[0], STDIN_FILENO);
        (void) dup2(from[1], STDOUT_FILENO);
        (void) close(to[0]);
        (void) close(to[1]);
        (void) close(from[0]);
        (void) close(from[1]);

        (void) signal(SIGPIPE, SIG_DFL);
        (void) snprintf(status, sizeof(status), "%u", fetch->status);

        learn_exec_env("MIQPS_URL", (const char *) url->data, url->len);
        learn_exec_env("MIQPS_STATUS", status, strlen(status));
        learn_exec_env("MIQPS_TYPE", fetch->type, strlen(fetch->type));

        (void) execl("/bin/sh", "sh", "-c", command, (char *) NULL);
        _exit(127);
    }

    (void) close(to[0]);
    (void) close(from[1]);

    if (pid == -1) {
        (void) close(to[1]);
        (void) close(from[0]);
        return -1;
    }

    *in = to[1];
    *out = from[0];

    return pid;
}


static void
learn_exec_env(const char *name, const char *value, size_t len)
{
    char  text[LEARN_TARGET_MAX + 1];

    len = (len < sizeof(text)) ? len : sizeof(text) - 1;

    memcpy(text, value, len);
    text[len] = '\0';

    (void) setenv(name, text, 1);
}


/* writes the page and reads the answer, whichever goes; closes "in" */

static size_t
learn_exec_talk(int in, int out, const learn_fetch_t *fetch, char *answer)
{
    size_t         sent, got;
    ssize_t        n;
    struct pollfd  fds[2];

    sent = 0;
    got = 0;

    for ( ;; ) {
        fds[0].fd = out;
        fds[0].events = POLLIN;
        fds[1].fd = in;
        fds[1].events = POLLOUT;

        if (poll(fds, 2, LEARN_EXEC_MS) <= 0) {
            got = 0;
            break;
        }

        if (fds[1].revents != 0) {
            n = (sent < fetch->body_len)
                ? write(in, fetch->body + sent,
                        (fetch->body_len - sent < 4096)
                        ? fetch->body_len - sent : 4096)
                : 0;

            if (n <= 0) {
                (void) close(in);
                in = -1;

            } else {
                sent += (size_t) n;
            }
        }

        if (fds[0].revents != 0) {
            n = read(out, answer + got, LEARN_EXEC_OUT - got);

            if (n <= 0) {
                break;
            }

            got += (size_t) n;

            if (got == LEARN_EXEC_OUT) {
                break;
            }
        }
    }

    if (in != -1) {
        (void) close(in);
    }

    return got;
}
