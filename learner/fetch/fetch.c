
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "fetch.h"
#include "learn.h"


#define LEARN_FETCH_BODY     (64 * 1024)         /* room to begin with */
#define LEARN_FETCH_WAIT     86400               /* s of Retry-After, at most */


/* the first one comes as what it is */

typedef struct {
    const char               *language;
    const char               *agent;
} learn_viewer_t;


static const learn_viewer_t  learn_viewers[LEARN_VIEWERS] = {
    { "en-US,en;q=0.8", NULL },
    { "de-DE,de;q=0.8,fr;q=0.5",
      "Mozilla/5.0 (Linux; Android 14; Mobile) miqps" }
};


typedef struct {
    CURL                     *easy;
    learn_fetch_t            *fetch;     /* NULL: free */
    learn_fetcher_t          *fetcher;
    struct curl_slist        *headers;
    char                     *target;
    uint8_t                  *body;
    size_t                    len;
    size_t                    room;
    size_t                    head;      /* bytes of headers so far */
    unsigned                  large:1;
    char                      error[CURL_ERROR_SIZE];
} learn_transfer_t;


struct learn_fetcher_s {
    const learn_fetcher_options_t  *options;
    CURLM                          *multi;
    char                           *url;     /* of the server */
    const char                     *socket;  /* or NULL */
    learn_transfer_t               *list;
    size_t                          flying;
    int                             also;    /* -1: none */
};


static int  learn_fetcher_handle(learn_fetcher_t *fetcher,
    learn_transfer_t *transfer);
static int  learn_fetcher_request(learn_transfer_t *transfer);
static struct curl_slist  *learn_fetcher_header(struct curl_slist *list,
    const char *name, const miqps_str_t *value);
static void  learn_fetcher_ended(learn_fetcher_t *fetcher, CURL *easy,
    CURLcode code);
static size_t  learn_fetcher_body(char *data, size_t size, size_t n,
    void *ctx);
static size_t  learn_fetcher_head(char *data, size_t size, size_t n,
    void *ctx);
static void  learn_fetcher_field(learn_fetch_t *fetch, const char *line,
    size_t len);
static uint64_t  learn_fetcher_retry(const char *text);
static int  learn_fetcher_no_memory(void);


const char *
learn_fetcher_via(const char *via)
{
    char            host[64];
    size_t          len;
    const char     *p;
    struct in_addr  four;

    static const char  unix_prefix[] = "unix:", http_prefix[] = "http://";

    if (strncmp(via, unix_prefix, sizeof(unix_prefix) - 1) == 0) {
        return (via[sizeof(unix_prefix) - 1] == '/')
               ? NULL : "the path of a socket begins with \"/\"";
    }

    if (strncmp(via, http_prefix, sizeof(http_prefix) - 1) != 0) {
        return "it is neither unix:PATH nor http://127.0.0.1:PORT";
    }

    p = via + sizeof(http_prefix) - 1;
    len = (*p == '[') ? strcspn(p, "]") + 1 : strcspn(p, ":/");

    if (len >= sizeof(host) || p[len] != ':'
        || p[len + 1 + strspn(p + len + 1, "0123456789")] != '\0'
        || p[len + 1] == '\0')
    {
        return "an address is followed by \":\" and a port, and nothing else";
    }

    memcpy(host, p, len);
    host[len] = '\0';

    if (strcmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0
        || (inet_pton(AF_INET, host, &four) == 1
            && (ntohl(four.s_addr) >> 24) == 127))
    {
        return NULL;
    }

    return "nginx is to be on this machine: an address of the loopback";
}


learn_fetcher_t *
learn_fetcher_create(const learn_fetcher_options_t *options)
{
    size_t            i;
    learn_fetcher_t  *fetcher;

    fetcher = calloc(1, sizeof(learn_fetcher_t));

    if (fetcher == NULL) {
        (void) learn_fetcher_no_memory();
        return NULL;
    }

    fetcher->options = options;
    fetcher->also = -1;

    if (strncmp(options->via, "unix:", 5) == 0) {
        fetcher->socket = options->via + 5;
        fetcher->url = strdup("http://localhost/");

    } else {
        fetcher->url = strdup(options->via);
    }

    fetcher->multi = curl_multi_init();
    fetcher->list = calloc(options->max, sizeof(learn_transfer_t));

    if (fetcher->url == NULL || fetcher->multi == NULL
        || fetcher->list == NULL)
    {
        learn_fetcher_free(fetcher);
        (void) learn_fetcher_no_memory();
        return NULL;
    }

    for (i = 0; i < options->max; i++) {
        fetcher->list[i].fetcher = fetcher;
    }

    (void) curl_multi_setopt(fetcher->multi, CURLMOPT_MAXCONNECTS,
                             (long) options->max);

    return fetcher;
}


void
learn_fetcher_free(learn_fetcher_t *fetcher)
{
    size_t             i;
    learn_transfer_t  *transfer;

    if (fetcher == NULL) {
        return;
    }

    for (i = 0; fetcher->list != NULL && i < fetcher->options->max; i++) {
        transfer = &fetcher->list[i];

        if (transfer->easy != NULL) {
            (void) curl_multi_remove_handle(fetcher->multi, transfer->easy);
            curl_easy_cleanup(transfer->easy);
        }

        curl_slist_free_all(transfer->headers);
        free(transfer->target);
        free(transfer->body);
    }

    (void) curl_multi_cleanup(fetcher->multi);

    free(fetcher->list);
    free(fetcher->url);
    free(fetcher);
}


size_t
learn_fetcher_room(const learn_fetcher_t *fetcher)
{
    return fetcher->options->max - fetcher->flying;
}


int
learn_fetcher_start(learn_fetcher_t *fetcher, learn_fetch_t *fetch)
{
    size_t             i;
    learn_transfer_t  *transfer;

    for (i = 0; fetcher->list[i].fetch != NULL; i++) {
        /* void */
    }

    transfer = &fetcher->list[i];

    if (transfer->easy == NULL
        && learn_fetcher_handle(fetcher, transfer) != LEARN_EXIT_OK)
    {
        return LEARN_EXIT_FAILED;
    }

    transfer->fetch = fetch;
    transfer->len = 0;
    transfer->head = 0;
    transfer->large = 0;
    transfer->error[0] = '\0';

    fetch->outcome = LEARN_FETCH_DONE;
    fetch->error = NULL;
    fetch->status = 0;
    fetch->length = -1;
    fetch->retry_after = 0;
    fetch->type[0] = '\0';
    fetch->etag[0] = '\0';
    fetch->modified[0] = '\0';
    fetch->cache[0] = '\0';
    fetch->no_vary[0] = '\0';
    learn_jar_init(&fetch->jar);
    fetch->location[0] = '\0';

    if (learn_fetcher_request(transfer) != LEARN_EXIT_OK
        || curl_multi_add_handle(fetcher->multi, transfer->easy) != CURLM_OK)
    {
        transfer->fetch = NULL;
        return learn_fetcher_no_memory();
    }

    fetcher->flying++;

    return LEARN_EXIT_OK;
}


/* what is the same for all requests */

static int
learn_fetcher_handle(learn_fetcher_t *fetcher, learn_transfer_t *transfer)
{
    CURL  *easy;

    easy = curl_easy_init();

    if (easy == NULL) {
        return learn_fetcher_no_memory();
    }

    transfer->easy = easy;

    (void) curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    (void) curl_easy_setopt(easy, CURLOPT_URL, fetcher->url);
    (void) curl_easy_setopt(easy, CURLOPT_PROXY, "");
    (void) curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void) curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    (void) curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                            (long) CURL_HTTP_VERSION_1_1);
    (void) curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    (void) curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS,
                            fetcher->options->timeout);
    (void) curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
    (void) curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, learn_fetcher_body);
    (void) curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    (void) curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, learn_fetcher_head);
    (void) curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);

    if (fetcher->socket != NULL) {
        (void) curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH,
                                fetcher->socket);
    }

    return LEARN_EXIT_OK;
}


/* what is not: the host, the scheme and the target, byte for byte */

static int
learn_fetcher_request(learn_transfer_t *transfer)
{
    size_t                 len;
    char                  *target;
    miqps_str_t            language;
    struct curl_slist     *headers;
    const learn_target_t  *to;

    to = &transfer->fetch->target;
    len = to->target.len;

    headers = learn_fetcher_header(NULL, "Host", &to->authority);

    if (headers != NULL) {
        headers = learn_fetcher_header(headers, "Miqps-Learn", &to->scheme);
    }

    if (headers != NULL) {
        headers = learn_fetcher_header(headers, "Accept",
                      &(miqps_str_t) miqps_string("text/html,"
                                                  "application/xhtml+xml;q=0.9,"
                                                  "*/*;q=0.1"));
    }

    language.data = (const uint8_t *)
                    learn_fetcher_language(transfer->fetch->viewer);
    language.len = strlen((const char *) language.data);

    if (headers != NULL) {
        headers = learn_fetcher_header(headers, "Accept-Language", &language);
    }

    target = realloc(transfer->target, len + 1);

    if (headers == NULL || target == NULL) {
        curl_slist_free_all(headers);
        return LEARN_EXIT_FAILED;
    }

    memcpy(target, to->target.data, len);
    target[len] = '\0';
    transfer->target = target;

    curl_slist_free_all(transfer->headers);
    transfer->headers = headers;

    (void) curl_easy_setopt(transfer->easy, CURLOPT_REQUEST_TARGET, target);
    (void) curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, headers);
    (void) curl_easy_setopt(transfer->easy, CURLOPT_USERAGENT,
                            learn_fetcher_agent(transfer->fetcher,
                                                transfer->fetch->viewer));

    return LEARN_EXIT_OK;
}


/* NULL without memory; the list is freed then */

static struct curl_slist *
learn_fetcher_header(struct curl_slist *list, const char *name,
    const miqps_str_t *value)
{
    char                text[LEARN_FETCH_TEXT + MIQPS_MAX_HOST + 16];
    struct curl_slist  *longer;

    (void) snprintf(text, sizeof(text), "%s: %.*s", name, (int) value->len,
                    (const char *) value->data);

    longer = curl_slist_append(list, text);

    if (longer == NULL) {
        curl_slist_free_all(list);
    }

    return longer;
}


void
learn_fetcher_also(learn_fetcher_t *fetcher, int fd)
{
    fetcher->also = fd;
}


const char *
learn_fetcher_language(unsigned viewer)
{
    return learn_viewers[viewer].language;
}


const char *
learn_fetcher_agent(const learn_fetcher_t *fetcher, unsigned viewer)
{
    return (learn_viewers[viewer].agent != NULL) ? learn_viewers[viewer].agent
                                                 : fetcher->options->agent;
}


int
learn_fetcher_poll(learn_fetcher_t *fetcher, int ms)
{
    int                 left, running;
    CURLMsg            *message;
    CURLMcode           code;
    struct curl_waitfd  also;

    also.fd = fetcher->also;
    also.events = CURL_WAIT_POLLIN;
    also.revents = 0;

    code = curl_multi_perform(fetcher->multi, &running);

    if (code == CURLM_OK && (size_t) running == fetcher->flying && ms > 0) {
        code = curl_multi_poll(fetcher->multi, &also, fetcher->also != -1, ms,
                               NULL);

        if (code == CURLM_OK) {
            code = curl_multi_perform(fetcher->multi, &running);
        }
    }

    if (code != CURLM_OK) {
        learn_complain("fetches cannot go on: %s", curl_multi_strerror(code));
        return LEARN_EXIT_FAILED;
    }

    for ( ;; ) {
        message = curl_multi_info_read(fetcher->multi, &left);

        if (message == NULL) {
            return LEARN_EXIT_OK;
        }

        if (message->msg == CURLMSG_DONE) {
            learn_fetcher_ended(fetcher, message->easy_handle,
                                message->data.result);
        }
    }
}


static void
learn_fetcher_ended(learn_fetcher_t *fetcher, CURL *easy, CURLcode code)
{
    long               status;
    curl_off_t         us, received;
    learn_fetch_t     *fetch;
    learn_transfer_t  *transfer;

    (void) curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **) &transfer);

    fetch = transfer->fetch;
    status = 0;
    us = 0;
    received = 0;

    (void) curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    (void) curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &us);
    (void) curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
    (void) curl_multi_remove_handle(fetcher->multi, easy);

    fetch->status = (unsigned) status;
    fetch->ms = (uint64_t) us / 1000;
    fetch->received = (uint64_t) received;
    fetch->body = transfer->body;
    fetch->body_len = transfer->len;

    if (code != CURLE_OK) {
        fetch->outcome = transfer->large ? LEARN_FETCH_TOO_LARGE
                                         : LEARN_FETCH_FAILED;
        fetch->error = (transfer->error[0] != '\0')
                       ? transfer->error : curl_easy_strerror(code);
    }

    transfer->fetch = NULL;
    fetcher->flying--;

    fetch->done(fetch);
}


/* however much it becomes when it is unpacked */

static size_t
learn_fetcher_body(char *data, size_t size, size_t n, void *ctx)
{
    size_t             room, max;
    uint8_t           *body;
    learn_transfer_t  *transfer;

    transfer = ctx;
    n *= size;
    max = transfer->fetcher->options->body;

    if (n > max - transfer->len) {
        transfer->large = 1;
        return 0;
    }

    if (n > transfer->room - transfer->len) {
        room = (transfer->room == 0) ? LEARN_FETCH_BODY : transfer->room;

        while (room - transfer->len < n) {
            room *= 2;
        }

        body = realloc(transfer->body, room);

        if (body == NULL) {
            return 0;
        }

        transfer->body = body;
        transfer->room = room;
    }

    memcpy(transfer->body + transfer->len, data, n);
    transfer->len += n;

    return n;
}


static size_t
learn_fetcher_head(char *data, size_t size, size_t n, void *ctx)
{
    learn_transfer_t  *transfer;

    transfer = ctx;
    n *= size;
    transfer->head += n;

    if (transfer->head > LEARN_FETCH_HEAD) {
        transfer->large = 1;
        return 0;
    }

    learn_fetcher_field(transfer->fetch, data, n);

    return n;
}


static void
learn_fetcher_field(learn_fetch_t *fetch, const char *line, size_t len)
{
    size_t       i, n;
    char         value[LEARN_TARGET_MAX + 1];
    const char  *colon, *end;

    const struct {
        const char  *name;
        char        *text;
        size_t       room;
    } fields[] = {
        { "content-type", fetch->type, sizeof(fetch->type) },
        { "etag", fetch->etag, sizeof(fetch->etag) },
        { "last-modified", fetch->modified, sizeof(fetch->modified) },
        { "x-miqps-cache", fetch->cache, sizeof(fetch->cache) },
        { "location", fetch->location, sizeof(fetch->location) },
        { "no-vary-search", fetch->no_vary, sizeof(fetch->no_vary) }
    };

    colon = memchr(line, ':', len);

    if (colon == NULL) {
        return;
    }

    end = line + len;
    n = (size_t) (colon - line);

    for (colon++; colon < end && (*colon == ' ' || *colon == '\t'); colon++) {
        /* void */
    }

    while (end > colon && (uint8_t) end[-1] <= ' ') {
        end--;
    }

    len = (size_t) (end - colon);

    if (len >= sizeof(value)) {
        return;
    }

    memcpy(value, colon, len);
    value[len] = '\0';

    for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (strlen(fields[i].name) == n && len < fields[i].room
            && strncasecmp(line, fields[i].name, n) == 0)
        {
            memcpy(fields[i].text, value, len + 1);
        }
    }

    if (n == 14 && strncasecmp(line, "content-length", n) == 0) {
        fetch->length = strtoll(value, NULL, 10);
    }

    if (n == 11 && strncasecmp(line, "retry-after", n) == 0) {
        fetch->retry_after = learn_fetcher_retry(value);
    }

    if (n == 10 && strncasecmp(line, "set-cookie", n) == 0) {
        learn_jar_cookie(&fetch->jar, value);
    }

    if (n == 4 && strncasecmp(line, "vary", n) == 0) {
        learn_jar_vary(&fetch->jar, value);
    }
}


/* seconds, or a date */

static uint64_t
learn_fetcher_retry(const char *text)
{
    char    *end;
    long     seconds;
    time_t   at;

    seconds = strtol(text, &end, 10);

    if (end == text || *end != '\0') {
        at = curl_getdate(text, NULL);
        seconds = (at == -1) ? 0 : (long) (at - time(NULL));
    }

    if (seconds < 0) {
        return 0;
    }

    return (seconds > LEARN_FETCH_WAIT) ? LEARN_FETCH_WAIT
                                        : (uint64_t) seconds;
}


static int
learn_fetcher_no_memory(void)
{
    learn_complain("out of memory");

    return LEARN_EXIT_FAILED;
}
