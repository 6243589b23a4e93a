
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "status.h"


static int  learn_status_read(learn_status_t *status, const cJSON *json);
static int  learn_status_read_host(learn_status_host_t *host,
    const cJSON *json);
static void  learn_status_read_reply(learn_reply_t *reply, const cJSON *json);
static uint64_t  learn_status_number(const cJSON *json, const char *name);
static cJSON  *learn_status_print_host(const learn_status_host_t *host);
static int  learn_status_print_reply(cJSON *json, const learn_reply_t *reply);
static void  learn_status_sum(learn_reply_t *sum, const learn_reply_t *reply);
static void  learn_status_sort(learn_status_t *status);
static int  learn_status_by_host(const void *one, const void *two);


int
learn_status_ask(learn_status_t *status, const learn_ask_t *ask)
{
    int             ok;
    learn_answer_t  answer;

    memset(&answer, 0, sizeof(learn_answer_t));

    ok = learn_ask(ask, "", 0, &answer);

    if (ok && (answer.status != 200
               || !learn_status_parse(status, answer.text)))
    {
        learn_complain("%s: '%s' does not answer as miqps_status does, with "
                       "JSON: status %ld", ask->command, ask->url,
                       answer.status);
        ok = 0;
    }

    learn_answer_release(&answer);

    return ok;
}


int
learn_status_parse(learn_status_t *status, const char *text)
{
    int     ok;
    cJSON  *json;

    learn_status_release(status);

    json = cJSON_Parse(text);
    ok = (json != NULL && learn_status_read(status, json));
    cJSON_Delete(json);

    return ok;
}


static int
learn_status_read(learn_status_t *status, const cJSON *json)
{
    const cJSON          *hosts, *host, *others;
    learn_status_host_t  *all;

    hosts = cJSON_GetObjectItemCaseSensitive(json, "hosts");
    status->since = learn_status_number(json, "since");

    if (!cJSON_IsArray(hosts) || status->since == 0) {
        return 0;
    }

    status->hosts = calloc((size_t) cJSON_GetArraySize(hosts) + 2,
                           sizeof(learn_status_host_t));

    if (status->hosts == NULL) {
        return 0;
    }

    cJSON_ArrayForEach(host, hosts) {
        if (!learn_status_read_host(&status->hosts[status->n++], host)) {
            return 0;
        }
    }

    others = cJSON_GetObjectItemCaseSensitive(json, "other_hosts");

    if (cJSON_IsObject(others)) {
        all = &status->hosts[status->n++];
        memcpy(all->host, LEARN_STATUS_OTHERS, sizeof(LEARN_STATUS_OTHERS));
        learn_status_read_reply(&all->reply, others);
    }

    learn_status_sort(status);

    return 1;
}


static int
learn_status_read_host(learn_status_host_t *host, const cJSON *json)
{
    const char  *name;

    name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json,
                                                                 "host"));

    if (name == NULL || strlen(name) >= sizeof(host->host)
        || !cJSON_HasObjectItem(json, "5xx"))
    {
        return 0;
    }

    memcpy(host->host, name, strlen(name) + 1);

    learn_status_read_reply(&host->reply, json);
    learn_status_read_reply(&host->before,
                            cJSON_GetObjectItemCaseSensitive(json, "before"));

    host->changed = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json,
                                                                  "changed"));

    return 1;
}


static void
learn_status_read_reply(learn_reply_t *reply, const cJSON *json)
{
    reply->requests = learn_status_number(json, "requests");
    reply->redirects = learn_status_number(json, "redirects");
    reply->errors = learn_status_number(json, "4xx")
                    + learn_status_number(json, "5xx");
    reply->upstream = learn_status_number(json, "upstream");
    reply->upstream_ms = learn_status_number(json, "upstream_ms");
}


static uint64_t
learn_status_number(const cJSON *json, const char *name)
{
    const cJSON  *number;

    number = cJSON_GetObjectItemCaseSensitive(json, name);

    return (cJSON_IsNumber(number) && number->valuedouble > 0
            && number->valuedouble < 9007199254740992.0)
           ? (uint64_t) number->valuedouble : 0;
}


char *
learn_status_print(const learn_status_t *status)
{
    int      ok;
    char    *text;
    cJSON   *json, *hosts;
    size_t   i;

    json = cJSON_CreateObject();
    ok = (cJSON_AddNumberToObject(json, "since", (double) status->since)
          != NULL);
    hosts = cJSON_AddArrayToObject(json, "hosts");

    for (i = 0; ok && hosts != NULL && i < status->n; i++) {
        ok = cJSON_AddItemToArray(hosts,
                                  learn_status_print_host(&status->hosts[i]));
    }

    text = (ok && hosts != NULL) ? cJSON_PrintUnformatted(json) : NULL;
    cJSON_Delete(json);

    return text;
}


/* NULL if memory ran out */

static cJSON *
learn_status_print_host(const learn_status_host_t *host)
{
    cJSON  *json;

    json = cJSON_CreateObject();

    if (cJSON_AddStringToObject(json, "host", host->host) != NULL
        && learn_status_print_reply(json, &host->reply)
        && learn_status_print_reply(cJSON_AddObjectToObject(json, "before"),
                                    &host->before)
        && cJSON_AddBoolToObject(json, "changed", host->changed) != NULL)
    {
        return json;
    }

    cJSON_Delete(json);

    return NULL;
}


/* errors are one number, and read as a sum of two */

static int
learn_status_print_reply(cJSON *json, const learn_reply_t *reply)
{
    return cJSON_AddNumberToObject(json, "requests", (double) reply->requests)
           != NULL
           && cJSON_AddNumberToObject(json, "redirects",
                                      (double) reply->redirects)
              != NULL
           && cJSON_AddNumberToObject(json, "5xx", (double) reply->errors)
              != NULL
           && cJSON_AddNumberToObject(json, "upstream",
                                      (double) reply->upstream)
              != NULL
           && cJSON_AddNumberToObject(json, "upstream_ms",
                                      (double) reply->upstream_ms)
              != NULL;
}


void
learn_status_release(learn_status_t *status)
{
    free(status->hosts);
    memset(status, 0, sizeof(learn_status_t));
}


learn_status_host_t *
learn_status_host(const learn_status_t *status, const char *host)
{
    int     rc;
    size_t  low, high, middle;

    low = 0;
    high = status->n;

    while (low < high) {
        middle = low + (high - low) / 2;
        rc = strcmp(status->hosts[middle].host, host);

        if (rc == 0) {
            return &status->hosts[middle];
        }

        if (rc < 0) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return NULL;
}


learn_reply_t
learn_status_between(const learn_status_t *before, const learn_status_t *after,
    const char *host)
{
    learn_reply_t               now, then;
    const learn_status_host_t  *one, *two;

    one = learn_status_host(before, host);
    two = learn_status_host(after, host);

    memset(&now, 0, sizeof(learn_reply_t));

    if (two != NULL) {
        now = two->reply;
    }

    if (one == NULL || before->since != after->since) {
        return now;
    }

    then = one->reply;

    if (then.requests > now.requests || then.redirects > now.redirects
        || then.errors > now.errors || then.upstream > now.upstream
        || then.upstream_ms > now.upstream_ms)
    {
        return now;
    }

    now.requests -= then.requests;
    now.redirects -= then.redirects;
    now.errors -= then.errors;
    now.upstream -= then.upstream;
    now.upstream_ms -= then.upstream_ms;

    return now;
}


int
learn_status_before(learn_status_t *now, const learn_status_t *last,
    int (*wanted)(const char *host, void *data), void *data)
{
    size_t                      i, n;
    learn_status_host_t        *host, *hosts;
    const learn_status_host_t  *then;

    if (last == NULL) {
        for (i = 0; i < now->n; i++) {
            now->hosts[i].before = now->hosts[i].reply;
        }

        return 1;
    }

    hosts = realloc(now->hosts,
                    (now->n + last->n + 1) * sizeof(learn_status_host_t));

    if (hosts == NULL) {
        return 0;
    }

    now->hosts = hosts;
    n = now->n;

    for (i = 0; i < last->n; i++) {
        then = &last->hosts[i];

        if (learn_status_host(now, then->host) == NULL
            && wanted(then->host, data))
        {
            host = &hosts[n++];
            memset(host, 0, sizeof(learn_status_host_t));
            memcpy(host->host, then->host, sizeof(host->host));
        }
    }

    now->n = n;
    learn_status_sort(now);

    for (i = 0; i < n; i++) {
        host = &hosts[i];
        host->before = learn_status_between(last, now, host->host);
        then = learn_status_host(last, host->host);

        if (then != NULL && !then->changed
            && host->before.requests < LEARN_STATUS_ENOUGH)
        {
            learn_status_sum(&host->before, &then->before);
        }
    }

    return 1;
}


static void
learn_status_sum(learn_reply_t *sum, const learn_reply_t *reply)
{
    sum->requests += reply->requests;
    sum->redirects += reply->redirects;
    sum->errors += reply->errors;
    sum->upstream += reply->upstream;
    sum->upstream_ms += reply->upstream_ms;
}


static void
learn_status_sort(learn_status_t *status)
{
    if (status->n > 0) {
        qsort(status->hosts, status->n, sizeof(learn_status_host_t),
              learn_status_by_host);
    }
}


static int
learn_status_by_host(const void *one, const void *two)
{
    const learn_status_host_t  *a = one, *b = two;

    return strcmp(a->host, b->host);
}
