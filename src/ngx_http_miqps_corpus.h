
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_CORPUS_H_INCLUDED_
#define _NGX_HTTP_MIQPS_CORPUS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* what became of a request at miqps_corpus, for counters */

typedef enum {
    NGX_HTTP_MIQPS_CORPUS_LINES = 0,     /* collected */
    NGX_HTTP_MIQPS_CORPUS_SEEN,
    NGX_HTTP_MIQPS_CORPUS_SKIPPED,       /* no place for it */
    NGX_HTTP_MIQPS_CORPUS_ERRORS,        /* collected, but not written */

    NGX_HTTP_MIQPS_CORPUS_METHOD,        /* from here on: not eligible */
    NGX_HTTP_MIQPS_CORPUS_BODY,
    NGX_HTTP_MIQPS_CORPUS_STATUS,
    NGX_HTTP_MIQPS_CORPUS_AUTHORIZATION,
    NGX_HTTP_MIQPS_CORPUS_LEARNER,       /* the learner's own fetch */
    NGX_HTTP_MIQPS_CORPUS_TYPE,
    NGX_HTTP_MIQPS_CORPUS_TARGET,        /* no path, no host, or too long */
    NGX_HTTP_MIQPS_CORPUS_SAMPLE,
    NGX_HTTP_MIQPS_CORPUS_IF,
    NGX_HTTP_MIQPS_CORPUS_PRIVATE,
    NGX_HTTP_MIQPS_CORPUS_GUARD,
    NGX_HTTP_MIQPS_CORPUS_SECRET,
    NGX_HTTP_MIQPS_CORPUS_PERSONAL,
    NGX_HTTP_MIQPS_CORPUS_ACT,
    NGX_HTTP_MIQPS_CORPUS_MAX
} ngx_http_miqps_corpus_e;


#define NGX_HTTP_MIQPS_CORPUS_INELIGIBLE  NGX_HTTP_MIQPS_CORPUS_METHOD


/*
 * WHAT WAS SEEN
 *
 * A table of fingerprints in shared memory, behind the slab header and a head
 * of ours.  An entry is one word:
 *
 *     31      24 23                     0
 *     | epoch   | fingerprint, odd      |        0: never used
 *
 * A URL is looked for from the place that its hash says, in the next
 * NGX_HTTP_MIQPS_URLS_NEAR entries.  Entries of this epoch and of the one
 * before are alive; others are as good as free.  So nothing is ever cleared:
 * when an epoch has lasted long enough, or has filled a quarter of the table,
 * one store begins the next.
 *
 * A URL is added by exchanging the first free entry, if it is still what it
 * was.  Entries that are alive stay so for an epoch; hence two processes that
 * add the same URL choose the same entry, and one of them finds that it was
 * second.  Nobody waits and nobody holds anything: a process that is killed
 * leaves an entry as it was or as it shall be.
 *
 * Where no entry is free, or others are always faster, a URL is not collected,
 * as happens to one that has the hash of another one.
 *
 * The state of an epoch is one word too:
 *
 *     63    56 55                    32 31                       0
 *     | epoch | 64ths of all entries   | seconds (of 1024 ms)    |
 *             | added when it began    | when it began           |
 */

#define NGX_HTTP_MIQPS_URLS_NEAR    64
#define NGX_HTTP_MIQPS_URLS_TRIES   8
#define NGX_HTTP_MIQPS_URLS_KEY     32
#define NGX_HTTP_MIQPS_URLS_NAME    2
#define NGX_HTTP_MIQPS_URLS_SIZE    (4 * 1024 * 1024)    /* unless told */
#define NGX_HTTP_MIQPS_URLS_AGE     43200                /* seconds */


typedef struct {
    volatile uint64_t            state;
    ngx_atomic_t                 added;
    ngx_atomic_t                 told;        /* when an error was logged */
    uint64_t                     seed[3];     /* odd numbers */
    uint64_t                     nslots;
    u_char                       key[NGX_HTTP_MIQPS_URLS_KEY];
    u_char                       name[NGX_HTTP_MIQPS_URLS_NAME];  /* of it */
} ngx_http_miqps_urls_sh_t;


typedef struct {
    ngx_shm_zone_t              *shm_zone;
    ngx_http_miqps_urls_sh_t    *sh;
    volatile uint32_t           *slots;
} ngx_http_miqps_urls_t;


/* lines of a worker that are not written yet; one for each file */

typedef struct {
    u_char                      *start;       /* behind a newline */
    u_char                      *pos;
    u_char                      *end;
    ngx_uint_t                   lines;
    ngx_uint_t                   torn;        /* the last line in the file */
    size_t                       size;
    ngx_msec_t                   flush;
    ngx_event_t                 *event;
    ngx_open_file_t             *file;
    ngx_http_miqps_urls_t       *seen;        /* of the first directive */
    uint64_t                    *errors;      /* a counter, or NULL */
} ngx_http_miqps_corpus_file_t;


/* a miqps_corpus directive */

typedef struct {
    ngx_http_miqps_urls_t        *seen;
    ngx_http_miqps_corpus_file_t  *file;
    ngx_http_complex_value_t     *filter;     /* NULL: none */
    uint32_t                      sample;     /* of 2^32; 0: all */
    uint32_t                      age;        /* units of 1024 ms */
    ngx_uint_t                    private;    /* unsigned  private:1; */
} ngx_http_miqps_corpus_t;


#pragma GCC visibility push(hidden)


/* ngx_http_miqps_corpus_conf.c */

char *ngx_http_miqps_corpus(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* the log phase */

ngx_int_t ngx_http_miqps_corpus_init(ngx_conf_t *cf);


/* ngx_http_miqps_corpus.c */

ngx_int_t ngx_http_miqps_corpus_handler(ngx_http_request_t *r);

/* one word for it, such as "method"; never NULL */

const char *ngx_http_miqps_corpus_name(ngx_http_miqps_corpus_e what);


/* ngx_http_miqps_corpus_seen.c */

/* a zone of this name; NULL after an error, which has been logged */

ngx_http_miqps_urls_t *ngx_http_miqps_urls_add_zone(ngx_conf_t *cf,
    ngx_str_t *name, size_t size);

/* begins the next epoch, unless another process has done so */

void ngx_http_miqps_urls_next(ngx_http_miqps_urls_t *seen, uint64_t state);

/*
 * Adds a URL by its hash.  NGX_OK; NGX_DONE if it was there; NGX_DECLINED if
 * there is no place for it.
 */
ngx_int_t ngx_http_miqps_urls_add(ngx_http_miqps_urls_t *seen, uint64_t hash);

/*
 * Whom a request is from, 16 hex digits that nobody can trace back.  The first
 * four name the key that the others are a hash with: whoever compares clients
 * knows by them which cannot be compared.
 */

#define NGX_HTTP_MIQPS_CLIENT_LEN  16

void ngx_http_miqps_urls_client(ngx_http_miqps_urls_t *seen,
    ngx_connection_t *c, u_char *hex);


/* ngx_http_miqps_corpus_file.c */

/* makes the file, for its owner alone; NULL, or why it cannot be had */

const char *ngx_http_miqps_corpus_create(ngx_str_t *name, ngx_err_t *err);

/* before nginx opens a file anew, and when lines have waited long enough */

void ngx_http_miqps_corpus_reopen(ngx_open_file_t *file, ngx_log_t *log);
void ngx_http_miqps_corpus_flush_handler(ngx_event_t *ev);

/* the line of a request, to be written with others; NGX_OK or NGX_DECLINED */

ngx_int_t ngx_http_miqps_corpus_line(ngx_http_request_t *r,
    ngx_http_miqps_corpus_t *corpus, ngx_str_t *host, ngx_str_t *target);

/* for all files, when this process begins and ends */

void ngx_http_miqps_corpus_start(ngx_cycle_t *cycle);
void ngx_http_miqps_corpus_stop(ngx_cycle_t *cycle);


#pragma GCC visibility pop


static ngx_inline uint32_t
ngx_http_miqps_urls_now(void)
{
    return (uint32_t) (ngx_current_msec >> 10);
}


/* a fingerprint, and the entry of it in an epoch */

#define ngx_http_miqps_urls_fingerprint(hash)  ((uint32_t) ((hash) >> 40) | 1)

#define ngx_http_miqps_urls_entry(epoch, hash)                                \
    ((uint32_t) (epoch) << 24 | ngx_http_miqps_urls_fingerprint(hash))

#define ngx_http_miqps_urls_epoch(state)  ((uint32_t) ((state) >> 56))

/* whether an entry is of this epoch or of the one before */

#define ngx_http_miqps_urls_alive(e, state)                                   \
    ((e) != 0                                                                 \
     && ((ngx_http_miqps_urls_epoch(state) - ((e) >> 24)) & 0xfe) == 0)

#define ngx_http_miqps_urls_place(seen, hash)                                 \
    ((seen)->slots + (((hash) & 0xffffffff) * (seen)->sh->nslots >> 32))


/* begins the next epoch if this one has lasted for "age" */

static ngx_inline void
ngx_http_miqps_urls_turn(ngx_http_miqps_urls_t *seen, uint32_t age)
{
    uint64_t  state;

    state = seen->sh->state;

    if (ngx_http_miqps_urls_now() - (uint32_t) state >= age) {
        ngx_http_miqps_urls_next(seen, state);
    }
}


/* whether a URL was seen; nobody knows once the epoch has that age */

static ngx_inline ngx_uint_t
ngx_http_miqps_urls_has(ngx_http_miqps_urls_t *seen, uint64_t hash,
    uint32_t age)
{
    uint32_t            fingerprint, e;
    uint64_t            state;
    volatile uint32_t  *p, *last;

    state = seen->sh->state;

    if (ngx_http_miqps_urls_now() - (uint32_t) state >= age) {
        return 0;
    }

    fingerprint = ngx_http_miqps_urls_fingerprint(hash) << 8;

    p = ngx_http_miqps_urls_place(seen, hash);
    last = p + NGX_HTTP_MIQPS_URLS_NEAR;

    for ( /* void */ ; p < last; p++) {
        e = *p;

        if (e << 8 == fingerprint && ngx_http_miqps_urls_alive(e, state)) {
            return 1;
        }

        if (e == 0) {
            return 0;
        }
    }

    return 0;
}


#endif /* _NGX_HTTP_MIQPS_CORPUS_H_INCLUDED_ */
