
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <curl/curl.h>

#include "ask.h"
#include "learn.h"
#include "learn/study.h"
#include "miqps_image_check.h"
#include "notify.h"
#include "trust.h"


#define LEARN_NOTIFY_TRIES   5               /* a second */
#define LEARN_NOTIFY_MASTER  ": master process"


/* a request to nginx, until there is no time left */

typedef struct {
    const learn_notify_t  *notify;
    const char            *image;
    uint64_t               end;          /* of the time, as learn_clock() */
    learn_answer_t         answer;
} learn_notifying_t;


static learn_notify_e  learn_notify_post(learn_notifying_t *ctx);
static void  learn_notify_complain(const learn_notify_t *notify,
    const learn_answer_t *answer);
static learn_notify_e  learn_notify_signal(const learn_notify_t *notify);
static long  learn_notify_pid(const learn_notify_t *notify);
static int  learn_notify_master(long pid);
static learn_notify_e  learn_notify_wait(learn_notifying_t *ctx);
static void  learn_notify_pause(void);
static learn_notify_e  learn_notify_serves(const learn_answer_t *answer,
    const char *image);
static int  learn_notify_ask(const learn_notify_t *notify, const char *action,
    int quiet, learn_answer_t *answer);


learn_notify_e
learn_notify(const learn_notify_t *notify, const char *image)
{
    learn_notify_e     rc;
    learn_notifying_t  ctx;

    memset(&ctx, 0, sizeof(learn_notifying_t));

    ctx.notify = notify;
    ctx.image = image;
    ctx.end = learn_clock() + notify->wait * LEARN_LANE_SECOND;

    rc = LEARN_NOTIFY_TOLD;

    if (notify->pid != NULL) {
        rc = learn_notify_signal(notify);

    } else if (notify->control != NULL) {
        rc = learn_notify_post(&ctx);
    }

    if (rc == LEARN_NOTIFY_TOLD && notify->control != NULL) {
        rc = learn_notify_wait(&ctx);
    }

    learn_answer_release(&ctx.answer);

    return rc;
}


learn_notify_e
learn_notify_look(const learn_notify_t *notify, const char *image)
{
    learn_notify_e  rc;
    learn_answer_t  answer;

    if (notify->control == NULL) {
        return LEARN_NOTIFY_TOLD;
    }

    memset(&answer, 0, sizeof(learn_answer_t));

    rc = LEARN_NOTIFY_FAILED;

    if (learn_notify_ask(notify, NULL, 0, &answer)) {

        if (answer.status == 200) {
            rc = learn_notify_serves(&answer, image);

        } else {
            learn_notify_complain(notify, &answer);
        }
    }

    learn_answer_release(&answer);

    return rc;
}


int
learn_notify_ready(const learn_notify_t *notify)
{
    int             ok;
    learn_answer_t  answer;

    if (notify->control == NULL) {
        return 1;
    }

    memset(&answer, 0, sizeof(learn_answer_t));

    ok = learn_notify_ask(notify, NULL, 0, &answer);

    if (ok && answer.status != 200) {
        learn_notify_complain(notify, &answer);
        ok = 0;
    }

    learn_answer_release(&answer);

    return ok;
}


void
learn_notify_image(const uint8_t *sum, char text[LEARN_NOTIFY_IMAGE])
{
    size_t  i;

    for (i = 0; i < MIQPS_IMAGE_CHECKSUM; i++) {
        (void) snprintf(text + 2 * i, 3, "%02x", sum[i]);
    }
}


/*
 * The same again does no harm: who got no answer cannot know whether nginx has
 * heard him.  It may be busy with another file, too, or start anew.
 */

static learn_notify_e
learn_notify_post(learn_notifying_t *ctx)
{
    int   heard, more;
    long  status;

    for ( ;; ) {
        more = (learn_clock() < ctx->end);
        heard = learn_notify_ask(ctx->notify, "reload", more, &ctx->answer);
        status = ctx->answer.status;

        if (heard && status == 200) {
            return LEARN_NOTIFY_TOLD;
        }

        if (heard && status == 422) {
            learn_notify_complain(ctx->notify, &ctx->answer);
            return LEARN_NOTIFY_REFUSED;
        }

        if (!more || (heard && status != 409 && status < 500)) {
            break;
        }

        learn_notify_pause();
    }

    if (heard) {
        learn_notify_complain(ctx->notify, &ctx->answer);
    }

    return LEARN_NOTIFY_FAILED;
}


static void
learn_notify_complain(const learn_notify_t *notify,
    const learn_answer_t *answer)
{
    cJSON       *json;
    const char  *why;

    json = cJSON_Parse(answer->text);
    why = cJSON_GetStringValue(cJSON_GetObjectItem(json, "error"));

    learn_complain("%s: nginx answers %ld: %s", notify->command,
                   answer->status, (why != NULL) ? why : "it does not say why");

    cJSON_Delete(json);
}


static learn_notify_e
learn_notify_signal(const learn_notify_t *notify)
{
    long  pid;

    pid = learn_notify_pid(notify);

    if (pid == 0) {
        return LEARN_NOTIFY_FAILED;
    }

    if (!learn_notify_master(pid)) {
        learn_complain("%s: the process %ld of '%s' is no master of nginx, and "
                       "is not signalled", notify->command, pid, notify->pid);
        return LEARN_NOTIFY_FAILED;
    }

    if (kill((pid_t) pid, SIGHUP) == -1) {
        learn_complain("%s: cannot signal the process %ld of '%s': %s",
                       notify->command, pid, notify->pid, strerror(errno));
        return LEARN_NOTIFY_FAILED;
    }

    return LEARN_NOTIFY_TOLD;
}


/* 0 after a complaint; who may write to the file chooses whom we stop */

static long
learn_notify_pid(const learn_notify_t *notify)
{
    int           fd;
    char          text[32], *end;
    long          pid;
    ssize_t       n;
    struct stat   st;

    fd = open(notify->pid, O_RDONLY|O_NONBLOCK|O_CLOEXEC);

    if (fd == -1 || fstat(fd, &st) == -1) {
        learn_complain("%s: cannot open '%s': %s", notify->command,
                       notify->pid, strerror(errno));

        if (fd != -1) {
            (void) close(fd);
        }

        return 0;
    }

    if (!learn_trust(notify->command, notify->pid, &st, LEARN_TRUST_FILE)) {
        (void) close(fd);
        return 0;
    }

    do {
        n = read(fd, text, sizeof(text) - 1);
    } while (n == -1 && errno == EINTR);

    (void) close(fd);

    text[(n > 0) ? n : 0] = '\0';
    pid = strtol(text, &end, 10);

    if (pid <= 1 || (*end != '\n' && *end != '\0')) {
        learn_complain("%s: there is no process in '%s'", notify->command,
                       notify->pid);
        return 0;
    }

    return pid;
}


/*
 * A file may be left from an nginx that was killed, and its number be that of
 * somebody whom the signal ends.  nginx calls itself "nginx: master process",
 * under whatever name it was built.  Who cannot be asked is none; without /proc
 * nobody can be.
 */

static int
learn_notify_master(long pid)
{
    int      fd;
    char     name[64], text[256];
    ssize_t  n;

    if (access("/proc/self/cmdline", R_OK) == -1) {
        return 1;
    }

    (void) snprintf(name, sizeof(name), "/proc/%ld/cmdline", pid);
    fd = open(name, O_RDONLY|O_CLOEXEC);

    if (fd == -1) {
        return 0;
    }

    do {
        n = read(fd, text, sizeof(text));
    } while (n == -1 && errno == EINTR);

    (void) close(fd);

    return n > 0 && memmem(text, (size_t) n, LEARN_NOTIFY_MASTER,
                           sizeof(LEARN_NOTIFY_MASTER) - 1) != NULL;
}


/* until it is served */

static learn_notify_e
learn_notify_wait(learn_notifying_t *ctx)
{
    int  heard, more;

    for ( ;; ) {
        more = (learn_clock() < ctx->end);
        heard = learn_notify_ask(ctx->notify, NULL, more, &ctx->answer);

        if (heard
            && learn_notify_serves(&ctx->answer, ctx->image)
               == LEARN_NOTIFY_SERVED)
        {
            return LEARN_NOTIFY_SERVED;
        }

        if (!more) {
            break;
        }

        learn_notify_pause();
    }

    if (heard) {
        learn_complain("%s: nginx serves another map after %u s; its error "
                       "log says why", ctx->notify->command,
                       ctx->notify->wait);
    }

    return LEARN_NOTIFY_FAILED;
}


static void
learn_notify_pause(void)
{
    struct timespec  pause;

    pause.tv_sec = 0;
    pause.tv_nsec = 1000000000 / LEARN_NOTIFY_TRIES;

    (void) nanosleep(&pause, NULL);
}


static learn_notify_e
learn_notify_serves(const learn_answer_t *answer, const char *image)
{
    cJSON           *json;
    const char      *text;
    const cJSON     *back;
    learn_notify_e   rc;

    json = cJSON_Parse(answer->text);
    text = cJSON_GetStringValue(cJSON_GetObjectItem(json, "image"));
    rc = LEARN_NOTIFY_OTHER;

    if (answer->status == 200 && text != NULL && strcmp(text, image) == 0) {
        cJSON_Delete(json);
        return LEARN_NOTIFY_SERVED;
    }

    cJSON_ArrayForEach(back, cJSON_GetObjectItem(json, "rolled_back")) {
        text = cJSON_GetStringValue(back);

        if (text != NULL && strcmp(text, image) == 0) {
            rc = LEARN_NOTIFY_BACK;
        }
    }

    cJSON_Delete(json);

    return rc;
}


/* a request to miqps_control; without an action it changes nothing */

static int
learn_notify_ask(const learn_notify_t *notify, const char *action,
    int quiet, learn_answer_t *answer)
{
    int          ok;
    char        *query, *zone;
    learn_ask_t  ask;

    ask.command = notify->command;
    ask.url = notify->control;
    ask.token = notify->token;
    ask.wait = notify->wait;
    ask.quiet = (unsigned) quiet;

    query = NULL;
    zone = (notify->zone != NULL) ? curl_easy_escape(NULL, notify->zone, 0)
                                  : NULL;

    ok = (notify->zone == NULL || zone != NULL)
         && asprintf(&query, "%s%s%s%s%s", (action != NULL) ? "action=" : "",
                     (action != NULL) ? action : "",
                     (action != NULL && zone != NULL) ? "&" : "",
                     (zone != NULL) ? "zone=" : "",
                     (zone != NULL) ? zone : "")
            != -1;

    if (!ok) {
        learn_complain("%s: out of memory", notify->command);
        query = NULL;
    }

    ok = ok && learn_ask(&ask, query, action != NULL, answer);

    curl_free(zone);
    free(query);

    return ok;
}
