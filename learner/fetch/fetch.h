
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_FETCH_H_INCLUDED_
#define _LEARN_FETCH_H_INCLUDED_


#include <curl/curl.h>

#include "jar.h"
#include "target.h"


/*
 * PAGES, THROUGH NGINX
 *
 * One event loop of libcurl with a fixed number of transfers.  All of them go
 * to one place, a server with "miqps_learn on", whatever the URL is: its host
 * is a header, its path the target of a request.  No other address is ever
 * connected to, no redirect is followed here, there are neither cookies nor
 * credentials, and what comes is cut off at a size and a time.
 */

#define LEARN_FETCH_TEXT     256         /* bytes of a header that are kept */
#define LEARN_FETCH_RULE     1024        /* ... of one that is a rule */
#define LEARN_FETCH_HEAD     (64 * 1024) /* bytes of all headers, at most */


typedef enum {
    LEARN_FETCH_DONE = 0,                /* there is a response */
    LEARN_FETCH_FAILED,                  /* there is none, or not all of it */
    LEARN_FETCH_TOO_LARGE
} learn_fetch_e;


typedef struct learn_fetch_s    learn_fetch_t;
typedef struct learn_fetcher_s  learn_fetcher_t;

/* called once for each fetch, from learn_fetcher_poll() */

typedef void (*learn_fetch_pt)(learn_fetch_t *fetch);


/*
 * Who asks.  A page may be another one for another language or another kind
 * of device; what holds for viewers that differ in both holds for more.
 */

#define LEARN_VIEWERS        2


struct learn_fetch_s {
    learn_target_t        target;        /* checked; valid until it is done */
    unsigned              viewer;
    learn_fetch_pt        done;
    void                 *data;

    /* the response, valid during the call */
    learn_fetch_e         outcome;
    const char           *error;         /* or NULL */
    unsigned              status;
    uint64_t              ms;
    int64_t               length;        /* as Content-Length has it, or -1 */
    uint64_t              retry_after;   /* seconds; 0: not said */
    uint64_t              received;      /* bytes, compressed */
    const uint8_t        *body;
    size_t                body_len;
    char                  type[LEARN_FETCH_TEXT];
    char                  etag[LEARN_FETCH_TEXT];
    char                  modified[LEARN_FETCH_TEXT];
    char                  cache[LEARN_FETCH_TEXT];
    char                  no_vary[LEARN_FETCH_RULE];
    learn_jar_t           jar;
    char                  location[LEARN_TARGET_MAX + 1];
};


typedef struct {
    const char           *via;           /* "unix:PATH" or "http://HOST:PORT" */
    size_t                max;           /* transfers at a time */
    size_t                body;          /* bytes, at most */
    long                  timeout;       /* milliseconds */
    const char           *agent;
} learn_fetcher_options_t;


/*
 * NULL, or what is wrong with "via": it names a socket, or an address of the
 * loopback.
 */
const char *learn_fetcher_via(const char *via);

/* NULL without memory; the options are kept, not copied */

learn_fetcher_t *learn_fetcher_create(const learn_fetcher_options_t *options);
void learn_fetcher_free(learn_fetcher_t *fetcher);

/* how many more can be started */

size_t learn_fetcher_room(const learn_fetcher_t *fetcher);

/* LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint */

int learn_fetcher_start(learn_fetcher_t *fetcher, learn_fetch_t *fetch);

/* a descriptor that the wait for fetches ends with, too; -1 for none */

void learn_fetcher_also(learn_fetcher_t *fetcher, int fd);

/* who a viewer says to be */

const char *learn_fetcher_language(unsigned viewer);
const char *learn_fetcher_agent(const learn_fetcher_t *fetcher,
    unsigned viewer);

/* calls done() of those that are, after "ms" milliseconds at the latest */

int learn_fetcher_poll(learn_fetcher_t *fetcher, int ms);


#endif /* _LEARN_FETCH_H_INCLUDED_ */
