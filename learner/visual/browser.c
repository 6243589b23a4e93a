
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "browser.h"
#include "learn.h"


/* descriptors that Chromium reads commands from and writes answers to */

#define LEARN_BROWSER_IN   3
#define LEARN_BROWSER_OUT  4

#define LEARN_BROWSER_PIPE (1024 * 1024)

#define LEARN_BROWSER_FDS  16            /* folders that are open at a time */


static int  learn_browser_pipes(int to[2], int from[2]);
static void  learn_browser_run(const char *program, const char *folder,
    int in, int out);
static void  learn_browser_alone(void);
static void  learn_browser_map(const char *path, const char *text);
static int  learn_browser_remove(const char *path, const struct stat *st,
    int type, struct FTW *ftw);


/* the smaller one first: it is made for this */

static const char *const  learn_browser_names[] = {
    "chromium-headless-shell", "chromium", "chromium-browser",
    "google-chrome", "chrome"
};


#define LEARN_BROWSER_WITHOUT                                                \
    "--disable-features=IsolateOrigins,site-per-process,MediaRouter,"        \
    "OptimizationHints,Translate,BackForwardCache"


/*
 * Nothing in the background, nothing that moves, and the same letters and
 * colours everywhere.
 */

static const char *const  learn_browser_flags[] = {
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-renderer-backgrounding",
    "--disable-site-isolation-trials",
    "--disable-sync",
    LEARN_BROWSER_WITHOUT,
    "--disable-lcd-text",
    "--disable-smooth-scrolling",
    "--blink-settings=imageAnimationPolicy=2",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--hide-scrollbars",
    "--lang=en-US",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-proxy-server"
};

#define LEARN_BROWSER_FLAGS                                                  \
    (sizeof(learn_browser_flags) / sizeof(learn_browser_flags[0]))


char *
learn_browser_find(const char *command, const char *path)
{
    char        *file;
    size_t       i, len;
    const char  *p;

    if (path != NULL) {

        if (access(path, X_OK) == 0) {
            return strdup(path);
        }

        learn_complain("%s: --browser '%s': %s", command, path,
                       strerror(errno));
        return NULL;
    }

    for (i = 0; i < sizeof(learn_browser_names) / sizeof(char *); i++) {

        for (p = getenv("PATH"); p != NULL && *p != '\0';
             p += (p[len] == ':') ? len + 1 : len)
        {
            len = strcspn(p, ":");

            if (asprintf(&file, "%.*s/%s", (int) len, p,
                         learn_browser_names[i]) == -1)
            {
                break;
            }

            if (access(file, X_OK) == 0) {
                return file;
            }

            free(file);
        }
    }

    learn_complain("%s: there is no Chromium to draw pages with: install the "
                   "package chromium-headless-shell or chromium, or name it "
                   "with --browser PATH", command);

    return NULL;
}


int
learn_browser_start(learn_browser_t *browser, const char *command,
    const char *program)
{
    int          to[2], from[2];
    const char  *dir;

    memset(browser, 0, sizeof(learn_browser_t));

    dir = getenv("TMPDIR");

    if (dir == NULL || strlen(dir) > sizeof(browser->folder) - 24) {
        dir = "/tmp";
    }

    (void) snprintf(browser->folder, sizeof(browser->folder),
                    "%s/miqps-browser-XXXXXX", dir);

    if (mkdtemp(browser->folder) == NULL) {
        learn_complain("%s: '%s' cannot be made: %s", command,
                       browser->folder, strerror(errno));
        browser->folder[0] = '\0';
        return 0;
    }

    if (!learn_browser_pipes(to, from)) {
        learn_complain("%s: no pipe to '%s': %s", command, program,
                       strerror(errno));
        learn_browser_stop(browser);
        return 0;
    }

    browser->pid = fork();

    if (browser->pid == 0) {
        learn_browser_run(program, browser->folder, to[0], from[1]);
        _exit(127);
    }

    (void) close(to[0]);
    (void) close(from[1]);

    if (browser->pid == -1) {
        learn_complain("%s: '%s' cannot be run: %s", command, program,
                       strerror(errno));
        (void) close(to[1]);
        (void) close(from[0]);
        browser->pid = 0;
        learn_browser_stop(browser);
        return 0;
    }

    /* it does so itself, and whoever is first is right */

    (void) setpgid(browser->pid, browser->pid);

    /* a page as a whole, if that can be had */

    (void) fcntl(to[1], F_SETPIPE_SZ, LEARN_BROWSER_PIPE);
    (void) fcntl(from[0], F_SETPIPE_SZ, LEARN_BROWSER_PIPE);

    learn_pipe_init(&browser->pipe, from[0], to[1]);

    return 1;
}


static int
learn_browser_pipes(int to[2], int from[2])
{
    if (pipe2(to, O_CLOEXEC) == -1) {
        return 0;
    }

    if (pipe2(from, O_CLOEXEC) == -1) {
        (void) close(to[0]);
        (void) close(to[1]);
        return 0;
    }

    return 1;
}


/* in the child; returns if that is not possible */

static void
learn_browser_run(const char *program, const char *folder, int in, int out)
{
    int          null;
    char         data[128];
    size_t       i, n;
    const char  *argv[LEARN_BROWSER_FLAGS + 5];

    (void) setpgid(0, 0);
    (void) signal(SIGPIPE, SIG_DFL);
    (void) signal(SIGINT, SIG_DFL);
    (void) signal(SIGTERM, SIG_DFL);

    learn_browser_alone();

    null = open("/dev/null", O_RDWR);

    /* out of the way of those that they become */

    in = fcntl(in, F_DUPFD, 16);
    out = fcntl(out, F_DUPFD, 16);

    if (null == -1 || in == -1 || out == -1) {
        return;
    }

    (void) dup2(null, STDIN_FILENO);
    (void) dup2(null, STDOUT_FILENO);
    (void) dup2(null, STDERR_FILENO);
    (void) dup2(in, LEARN_BROWSER_IN);
    (void) dup2(out, LEARN_BROWSER_OUT);

    for (i = LEARN_BROWSER_OUT + 1; i < 256; i++) {
        (void) close((int) i);
    }

    (void) snprintf(data, sizeof(data), "--user-data-dir=%s", folder);

    n = 0;
    argv[n++] = program;

    for (i = 0; i < LEARN_BROWSER_FLAGS; i++) {
        argv[n++] = learn_browser_flags[i];
    }

    argv[n++] = data;

    /* its sandbox is not for root */

    if (geteuid() == 0) {
        argv[n++] = "--no-sandbox";
    }

    argv[n++] = "about:blank";
    argv[n] = NULL;

    (void) setenv("HOME", folder, 1);
    (void) setenv("TZ", "UTC", 1);
    (void) setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1);

    (void) execv(program, (char *const *) argv);
}


/*
 * A network with nothing in it.  Who is not root needs to be root of a
 * namespace for that, and stays who it is; where that is not allowed, nothing
 * changes.
 */

static void
learn_browser_alone(void)
{
    char   text[64];
    uid_t  uid;
    gid_t  gid;

    if (unshare(CLONE_NEWNET) == 0) {
        return;
    }

    uid = geteuid();
    gid = getegid();

    if (uid == 0 || unshare(CLONE_NEWUSER|CLONE_NEWNET) == -1) {
        return;
    }

    (void) snprintf(text, sizeof(text), "%u %u 1", (unsigned) uid,
                    (unsigned) uid);
    learn_browser_map("/proc/self/uid_map", text);

    (void) snprintf(text, sizeof(text), "%u %u 1", (unsigned) gid,
                    (unsigned) gid);
    learn_browser_map("/proc/self/setgroups", "deny");
    learn_browser_map("/proc/self/gid_map", text);
}


static void
learn_browser_map(const char *path, const char *text)
{
    int      fd;
    ssize_t  n;

    fd = open(path, O_WRONLY|O_CLOEXEC);

    if (fd != -1) {
        n = write(fd, text, strlen(text));
        (void) n;
        (void) close(fd);
    }
}


/*
 * All processes of its group: what was started may have been a script.  They
 * may still write while they end, so that the folder is removed until it is
 * gone.
 */

void
learn_browser_stop(learn_browser_t *browser)
{
    int  i;

    if (browser->pid > 0) {
        (void) kill(-browser->pid, SIGKILL);
        (void) kill(browser->pid, SIGKILL);

        while (waitpid(browser->pid, NULL, 0) == -1 && errno == EINTR) {
            /* void */
        }

        learn_pipe_release(&browser->pipe);
    }

    for (i = 0; i < 10 && browser->folder[0] != '\0'; i++) {

        (void) nftw(browser->folder, learn_browser_remove, LEARN_BROWSER_FDS,
                    FTW_DEPTH|FTW_PHYS);

        if (access(browser->folder, F_OK) == -1) {
            break;
        }

        (void) usleep(20000);
    }

    browser->pid = 0;
    browser->folder[0] = '\0';
}


static int
learn_browser_remove(const char *path, const struct stat *st, int type,
    struct FTW *ftw)
{
    (void) st;
    (void) type;
    (void) ftw;

    (void) remove(path);

    return 0;
}
