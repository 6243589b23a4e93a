
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
static uint64_t  learn_status_number(const cJSON *json, const char *name);
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
    const cJSON  *hosts, *host;

    hosts = cJSON_GetObjectItemCaseSensitive(json, "hosts");
    status->since = learn_status_number(json, "since");

    if (!cJSON_IsArray(hosts) || status->since == 0) {
        return 0;
    }

    status->hosts = calloc((size_t) cJSON_GetArraySize(hosts) + 1,
                           sizeof(learn_status_host_t));

    if (status->hosts == NULL) {
        return 0;
    }

    cJSON_ArrayForEach(host, hosts) {
        if (!learn_status_read_host(&status->hosts[status->n++], host)) {
            return 0;
        }
    }

    if (status->n > 0) {
        qsort(status->hosts, status->n, sizeof(learn_status_host_t),
              learn_status_by_host);
    }

    return 1;
}


static int
learn_status_read_host(learn_status_host_t *host, const cJSON *json)
{
    const char     *name;
    learn_reply_t  *reply;

    name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json,
                                                                 "host"));

    if (name == NULL || strlen(name) >= sizeof(host->host)
        || !cJSON_HasObjectItem(json, "5xx"))
    {
        return 0;
    }

    memcpy(host->host, name, strlen(name) + 1);

    reply = &host->reply;
    reply->requests = learn_status_number(json, "requests");
    reply->redirects = learn_status_number(json, "redirects");
    reply->errors = learn_status_number(json, "4xx")
                    + learn_status_number(json, "5xx");
    reply->upstream = learn_status_number(json, "upstream");
    reply->upstream_ms = learn_status_number(json, "upstream_ms");

    return 1;
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
    int                         ok;
    char                       *text;
    cJSON                      *json, *hosts, *host;
    size_t                      i;
    const learn_status_host_t  *from;

    json = cJSON_CreateObject();
    ok = (cJSON_AddNumberToObject(json, "since", (double) status->since)
          != NULL);
    hosts = cJSON_AddArrayToObject(json, "hosts");

    for (i = 0; ok && hosts != NULL && i < status->n; i++) {
        from = &status->hosts[i];
        host = cJSON_CreateObject();

        (void) cJSON_AddStringToObject(host, "host", from->host);
        (void) cJSON_AddNumberToObject(host, "requests",
                                       (double) from->reply.requests);
        (void) cJSON_AddNumberToObject(host, "redirects",
                                       (double) from->reply.redirects);
        (void) cJSON_AddNumberToObject(host, "4xx", 0);
        (void) cJSON_AddNumberToObject(host, "5xx",
                                       (double) from->reply.errors);
        (void) cJSON_AddNumberToObject(host, "upstream",
                                       (double) from->reply.upstream);
        ok = (cJSON_AddNumberToObject(host, "upstream_ms",
                                      (double) from->reply.upstream_ms)
              != NULL)
             && cJSON_AddItemToArray(hosts, host);
    }

    text = (ok && hosts != NULL) ? cJSON_PrintUnformatted(json) : NULL;
    cJSON_Delete(json);

    return text;
}


void
learn_status_release(learn_status_t *status)
{
    free(status->hosts);
    memset(status, 0, sizeof(learn_status_t));
}


learn_reply_t
learn_status_host(const learn_status_t *status, const char *host)
{
    size_t         low, high, middle;
    int            rc;
    learn_reply_t  none;

    low = 0;
    high = status->n;

    while (low < high) {
        middle = low + (high - low) / 2;
        rc = strcmp(status->hosts[middle].host, host);

        if (rc == 0) {
            return status->hosts[middle].reply;
        }

        if (rc < 0) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    memset(&none, 0, sizeof(learn_reply_t));

    return none;
}


learn_reply_t
learn_status_between(const learn_status_t *before, const learn_status_t *after,
    const char *host)
{
    learn_reply_t  now, then;

    now = learn_status_host(after, host);
    then = learn_status_host(before, host);

    if (before->since != after->since || then.requests > now.requests
        || then.redirects > now.redirects || then.errors > now.errors
        || then.upstream > now.upstream || then.upstream_ms > now.upstream_ms)
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


static int
learn_status_by_host(const void *one, const void *two)
{
    const learn_status_host_t  *a = one, *b = two;

    return strcmp(a->host, b->host);
}
