
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <sys/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "ask.h"
#include "learn.h"
#include "trust.h"


#define LEARN_ASK_MOST   (64 * 1024 * 1024)  /* bytes of an answer */
#define LEARN_ASK_TOKEN  4096
#define LEARN_ASK_UNIX   "unix:"


static char  *learn_ask_url(const learn_ask_t *ask, const char *query,
    char **path);
static struct curl_slist  *learn_ask_headers(const learn_ask_t *ask,
    int *ok);
static size_t  learn_ask_take(char *data, size_t one, size_t n, void *to);


int
learn_ask(const learn_ask_t *ask, const char *query, int post,
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
    answer->status = 0;

    headers = learn_ask_headers(ask, &ok);
    url = learn_ask_url(ask, query, &path);
    curl = curl_easy_init();
    code = CURLE_OUT_OF_MEMORY;

    if (ok && url != NULL && curl != NULL) {
        (void) curl_easy_setopt(curl, CURLOPT_URL, url);
        (void) curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, path);
        (void) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        (void) curl_easy_setopt(curl, CURLOPT_PROXY, "");
        (void) curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        (void) curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long) ask->wait + 1);
        (void) curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
        (void) curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, learn_ask_take);
        (void) curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);

        if (post) {
            (void) curl_easy_setopt(curl, CURLOPT_POST, 1L);
            (void) curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, 0L);
        }

        /* so that there is always a text */

        (void) learn_ask_take(error, 1, 0, answer);

        code = (answer->text != NULL) ? curl_easy_perform(curl) : code;
        (void) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE,
                                 &answer->status);
    }

    if (ok && code != CURLE_OK && !ask->quiet) {
        learn_complain("%s: '%s' does not answer: %s", ask->command, ask->url,
                       (error[0] != '\0') ? error : curl_easy_strerror(code));
    }

    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    free(path);
    free(url);

    return ok && code == CURLE_OK;
}


void
learn_answer_release(learn_answer_t *answer)
{
    free(answer->text);
}


/* NULL without memory; "*path" of a unix socket */

static char *
learn_ask_url(const learn_ask_t *ask, const char *query, char **path)
{
    char        *url;
    const char  *uri, *base;

    base = ask->url;
    uri = "";

    if (strncmp(base, LEARN_ASK_UNIX, sizeof(LEARN_ASK_UNIX) - 1) == 0) {
        base += sizeof(LEARN_ASK_UNIX) - 1;
        uri = strchr(base, ':');
        *path = (uri != NULL) ? strndup(base, (size_t) (uri - base))
                              : strdup(base);
        uri = (uri != NULL) ? uri + 1 : "/";
        base = "http://localhost";

        if (*path == NULL) {
            return NULL;
        }
    }

    return (asprintf(&url, "%s%s%s%s", base, uri, (query[0] != '\0') ? "?" : "",
                     query)
            != -1) ? url : NULL;
}


static struct curl_slist *
learn_ask_headers(const learn_ask_t *ask, int *ok)
{
    FILE               *file;
    char                header[LEARN_ASK_TOKEN];
    size_t              len;
    struct stat         st;
    struct curl_slist  *list;

    *ok = 1;

    if (ask->token == NULL) {
        return NULL;
    }

    list = NULL;
    file = fopen(ask->token, "re");
    len = (size_t) snprintf(header, sizeof(header), "X-Miqps-Token: ");

    if (file != NULL && fstat(fileno(file), &st) == 0
        && !learn_trust(ask->command, ask->token, &st, LEARN_TRUST_SECRET))
    {
        (void) fclose(file);
        *ok = 0;
        return NULL;
    }

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
        learn_complain("%s: there is no token in '%s'", ask->command,
                       ask->token);
        *ok = 0;
    }

    return list;
}


static size_t
learn_ask_take(char *data, size_t one, size_t n, void *to)
{
    char            *text;
    learn_answer_t  *answer;

    (void) one;

    answer = to;

    if (n > LEARN_ASK_MOST - answer->len) {
        return 0;
    }

    text = realloc(answer->text, answer->len + n + 1);

    if (text == NULL) {
        return 0;
    }

    memcpy(text + answer->len, data, n);

    answer->text = text;
    answer->len += n;
    answer->text[answer->len] = '\0';

    return n;
}
