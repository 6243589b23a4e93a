
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>
#include <curl/curl.h>

#include "learn.h"
#include "miqps_image_check.h"
#include "notify.h"


#define LEARN_NOTIFY_ANSWER  65536
#define LEARN_NOTIFY_TOKEN   4096
#define LEARN_NOTIFY_TRIES   5               /* a second */
#define LEARN_NOTIFY_UNIX    "unix:"


typedef struct {
    char     text[LEARN_NOTIFY_ANSWER];
    size_t   len;
    long     status;
} learn_answer_t;


static learn_notify_e  learn_notify_post(const learn_notify_t *notify,
    learn_answer_t *answer);
static learn_notify_e  learn_notify_signal(const learn_notify_t *notify);
static learn_notify_e  learn_notify_wait(const learn_notify_t *notify,
    learn_answer_t *answer, const char *image);
static int  learn_notify_serves(const learn_answer_t *answer,
    const char *image);
static int  learn_notify_ask(const learn_notify_t *notify, const char *action,
    learn_answer_t *answer);
static char  *learn_notify_url(const learn_notify_t *notify,
    const char *action, char **path);
static struct curl_slist  *learn_notify_headers(const learn_notify_t *notify,
    int *ok);
static size_t  learn_notify_take(char *data, size_t one, size_t n,
    void *to);


learn_notify_e
learn_notify(const learn_notify_t *notify, const char *image)
{
    learn_notify_e   rc;
    learn_answer_t  *answer;

    answer = calloc(1, sizeof(learn_answer_t));

    if (answer == NULL) {
        learn_complain("%s: out of memory", notify->command);
        return LEARN_NOTIFY_FAILED;
    }

    rc = LEARN_NOTIFY_TOLD;

    if (notify->pid != NULL) {
        rc = learn_notify_signal(notify);

    } else if (notify->control != NULL) {
        rc = learn_notify_post(notify, answer);
    }

    if (rc == LEARN_NOTIFY_TOLD && notify->control != NULL) {
        rc = learn_notify_wait(notify, answer, image);
    }

    free(answer);

    return rc;
}


void
learn_notify_image(const uint8_t *sum, char text[LEARN_NOTIFY_IMAGE])
{
    size_t  i;

    for (i = 0; i < MIQPS_IMAGE_CHECKSUM; i++) {
        (void) snprintf(text + 2 * i, 3, "%02x", sum[i]);
    }
}


static learn_notify_e
learn_notify_post(const learn_notify_t *notify, learn_answer_t *answer)
{
    cJSON       *json;
    const char  *why;

    if (!learn_notify_ask(notify, "reload", answer)) {
        return LEARN_NOTIFY_FAILED;
    }

    if (answer->status == 200) {
        return LEARN_NOTIFY_TOLD;
    }

    json = cJSON_Parse(answer->text);
    why = cJSON_GetStringValue(cJSON_GetObjectItem(json, "error"));

    learn_complain("%s: nginx answers %ld: %s", notify->command,
                   answer->status, (why != NULL) ? why : "it does not say why");

    cJSON_Delete(json);

    return (answer->status == 422) ? LEARN_NOTIFY_REFUSED
                                   : LEARN_NOTIFY_FAILED;
}


static learn_notify_e
learn_notify_signal(const learn_notify_t *notify)
{
    FILE  *file;
    char   text[32], *end;
    long   pid;

    file = fopen(notify->pid, "r");

    if (file == NULL) {
        learn_complain("%s: cannot open '%s': %s", notify->command,
                       notify->pid, strerror(errno));
        return LEARN_NOTIFY_FAILED;
    }

    pid = 0;

    if (fgets(text, sizeof(text), file) != NULL) {
        pid = strtol(text, &end, 10);
        pid = (*end == '\n' || *end == '\0') ? pid : 0;
    }

    (void) fclose(file);

    if (pid <= 1) {
        learn_complain("%s: there is no process in '%s'", notify->command,
                       notify->pid);
        return LEARN_NOTIFY_FAILED;
    }

    if (kill((pid_t) pid, SIGHUP) == -1) {
        learn_complain("%s: cannot signal the process %ld of '%s': %s",
                       notify->command, pid, notify->pid, strerror(errno));
        return LEARN_NOTIFY_FAILED;
    }

    return LEARN_NOTIFY_TOLD;
}


/* until it is served */

static learn_notify_e
learn_notify_wait(const learn_notify_t *notify, learn_answer_t *answer,
    const char *image)
{
    unsigned         i;
    struct timespec  pause;

    pause.tv_sec = 0;
    pause.tv_nsec = 1000000000 / LEARN_NOTIFY_TRIES;

    for (i = 0; ; i++) {

        if (!learn_notify_ask(notify, NULL, answer)) {
            return LEARN_NOTIFY_FAILED;
        }

        if (learn_notify_serves(answer, image)) {
            return LEARN_NOTIFY_SERVED;
        }

        if (i == notify->wait * LEARN_NOTIFY_TRIES) {
            break;
        }

        (void) nanosleep(&pause, NULL);
    }

    learn_complain("%s: nginx serves another map after %u s; its error log "
                   "says why", notify->command, notify->wait);

    return LEARN_NOTIFY_FAILED;
}


static int
learn_notify_serves(const learn_answer_t *answer, const char *image)
{
    int          same;
    cJSON       *json;
    const char  *text;

    json = cJSON_Parse(answer->text);
    text = cJSON_GetStringValue(cJSON_GetObjectItem(json, "image"));
    same = (answer->status == 200 && text != NULL && strcmp(text, image) == 0);

    cJSON_Delete(json);

    return same;
}


/* a request to miqps_control; without an action it changes nothing */

static int
learn_notify_ask(const learn_notify_t *notify, const char *action,
    learn_answer_t *answer)
{
    int                 ok;
    char               *url, *path, error[CURL_ERROR_SIZE];
    CURL               *curl;
    CURLcode            code;
    struct curl_slist  *headers;

    path = NULL;
    error[0] = '\0';
    answer->len = 0;
    answer->text[0] = '\0';

    headers = learn_notify_headers(notify, &ok);
    url = learn_notify_url(notify, action, &path);
    curl = curl_easy_init();
    code = CURLE_OUT_OF_MEMORY;

    if (ok && url != NULL && curl != NULL) {
        (void) curl_easy_setopt(curl, CURLOPT_URL, url);
        (void) curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, path);
        (void) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        (void) curl_easy_setopt(curl, CURLOPT_PROXY, "");
        (void) curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        (void) curl_easy_setopt(curl, CURLOPT_TIMEOUT,
                                (long) notify->wait + 1);
        (void) curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
        (void) curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION,
                                learn_notify_take);
        (void) curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);

        if (action != NULL) {
            (void) curl_easy_setopt(curl, CURLOPT_POST, 1L);
            (void) curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, 0L);
        }

        code = curl_easy_perform(curl);
        (void) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE,
                                 &answer->status);
    }

    if (ok && code != CURLE_OK) {
        learn_complain("%s: '%s' does not answer: %s", notify->command,
                       notify->control, (error[0] != '\0')
                                        ? error : curl_easy_strerror(code));
    }

    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    free(path);
    free(url);

    return ok && code == CURLE_OK;
}


/* NULL without memory; "*path" of a unix socket */

static char *
learn_notify_url(const learn_notify_t *notify, const char *action, char **path)
{
    int          n;
    char        *url, *zone;
    const char  *uri, *base;

    base = notify->control;
    uri = "";

    if (strncmp(base, LEARN_NOTIFY_UNIX, sizeof(LEARN_NOTIFY_UNIX) - 1) == 0) {
        base += sizeof(LEARN_NOTIFY_UNIX) - 1;
        uri = strchr(base, ':');
        *path = (uri != NULL) ? strndup(base, (size_t) (uri - base))
                              : strdup(base);
        uri = (uri != NULL) ? uri + 1 : "/";
        base = "http://localhost";

        if (*path == NULL) {
            return NULL;
        }
    }

    zone = (notify->zone != NULL) ? curl_easy_escape(NULL, notify->zone, 0)
                                  : NULL;

    if (notify->zone != NULL && zone == NULL) {
        return NULL;
    }

    n = asprintf(&url, "%s%s?%s%s%s%s%s", base, uri,
                 (action != NULL) ? "action=" : "",
                 (action != NULL) ? action : "",
                 (action != NULL && zone != NULL) ? "&" : "",
                 (zone != NULL) ? "zone=" : "", (zone != NULL) ? zone : "");

    curl_free(zone);

    return (n != -1) ? url : NULL;
}


static struct curl_slist *
learn_notify_headers(const learn_notify_t *notify, int *ok)
{
    FILE               *file;
    char                header[LEARN_NOTIFY_TOKEN];
    size_t              len;
    struct curl_slist  *list;

    *ok = 1;

    if (notify->token == NULL) {
        return NULL;
    }

    list = NULL;
    file = fopen(notify->token, "r");
    len = (size_t) snprintf(header, sizeof(header), "X-Miqps-Token: ");

    if (file != NULL
        && fgets(header + len, (int) (sizeof(header) - len), file) != NULL)
    {
        header[strcspn(header, "\r\n")] = '\0';
        list = curl_slist_append(NULL, header);
    }

    if (file != NULL) {
        (void) fclose(file);
    }

    if (list == NULL) {
        learn_complain("%s: there is no token in '%s'", notify->command,
                       notify->token);
        *ok = 0;
    }

    return list;
}


static size_t
learn_notify_take(char *data, size_t one, size_t n, void *to)
{
    learn_answer_t  *answer;

    (void) one;

    answer = to;

    if (n >= LEARN_NOTIFY_ANSWER - answer->len) {
        return 0;
    }

    memcpy(answer->text + answer->len, data, n);
    answer->len += n;
    answer->text[answer->len] = '\0';

    return n;
}
