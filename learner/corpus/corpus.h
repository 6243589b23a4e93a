
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_CORPUS_H_INCLUDED_
#define _LEARN_CORPUS_H_INCLUDED_


#include <libpsl.h>

#include "arena.h"
#include "miqps_collect.h"
#include "miqps_normalize.h"
#include "rules_options.h"
#include "store/store.h"


/*
 * URLs ON THEIR WAY INTO THE STORE
 *
 * Lines are gathered in memory, host by host and pattern by pattern, and
 * written as one batch.  Sites, hosts, patterns and parameters stay in memory
 * behind it, with the floors of their reservoirs and samples, so that most
 * later URLs are turned away without asking the store.  Both parts have a
 * limit, and so memory has one, whatever is read.
 */

#define LEARN_CORPUS_MAX_URL  8192         /* bytes; a longer one is skipped */

#define LEARN_CACHE_BYTES     (48 * 1024 * 1024)

/* a power of two, more than twice the URLs that a batch may keep */

#define LEARN_SEEN_SIZE       (1024 * 1024)
#define LEARN_SEEN_BYTES      (LEARN_SEEN_SIZE * sizeof(uint64_t))


/* what becomes of a line; all but the first are skipped */

typedef enum {
    LEARN_LINE_TAKEN = 0,
    LEARN_LINE_EMPTY,          /* or a comment */
    LEARN_LINE_FORM,           /* not of the format of the log */
    LEARN_LINE_REQUEST,        /* of a log: not a GET answered with 200 */
    LEARN_LINE_SYNTAX,         /* not a URL */
    LEARN_LINE_NO_HOST,
    LEARN_LINE_BAD_HOST,
    LEARN_LINE_BYTES,          /* control bytes or spaces in it */
    LEARN_LINE_TOO_LONG,
    LEARN_LINE_USER,           /* user and password before the host */
    LEARN_LINE_OPAQUE,         /* the guard refused the query */
    LEARN_LINE_SECRET,         /* signed, OAuth, one-time */
    LEARN_LINE_PERSONAL,       /* an e-mail address, a phone or card */
    LEARN_LINE_ACT,            /* it does something */
    LEARN_LINE_MAX
} learn_line_e;


typedef struct learn_site_s   learn_site_t;
typedef struct learn_host_s   learn_host_t;
typedef struct learn_names_s  learn_names_t;


/* hashes, with the URLs they are for; in order, the smallest "max" */

typedef struct {
    uint64_t         hash;
    const uint8_t   *url;
    uint32_t         len;
} learn_pick_t;

typedef struct {
    learn_pick_t    *list;
    uint32_t         n;
    uint32_t         room;
    uint64_t         floor;
} learn_picks_t;


typedef struct {
    learn_pick_t     pick;
    learn_host_t    *host;
} learn_site_url_t;


struct learn_site_s {
    learn_site_t      *next;       /* all of them */
    miqps_str_t        name;
    uint64_t           hash;
    learn_owner_t      owner;
    learn_site_url_t  *urls;       /* of this batch, in no order */
    size_t             nurls;
    size_t             room;
};


struct learn_host_s {
    learn_host_t     *next;
    learn_site_t     *site;
    miqps_str_t       name;
    uint64_t          hash;
    int64_t           id;
    uint64_t          hits;        /* of this batch */
    unsigned          fresh:1;     /* has patterns new to memory */
};


typedef struct {
    miqps_str_t       name;
    learn_owner_t     owner;
    learn_picks_t     picks;
} learn_param_t;


struct learn_names_s {
    learn_names_t    *next;
    learn_host_t     *host;
    miqps_str_t       names;
    uint64_t          hash;
    uint64_t          hits;        /* of this batch */
    int64_t           id;
    uint64_t          days;        /* as in learn_pattern_t */
    int64_t           last_day;
    learn_picks_t     urls;
    learn_picks_t     clients;
    uint32_t          nparams;
    learn_param_t     params[];
};


/* who asked, and when; zeroes where the source does not know */

typedef struct {
    uint64_t          client;      /* keyed hash */
    int64_t           day;         /* since 1970 */
} learn_visit_t;


typedef struct {
    void            **slots;
    size_t            used;
    size_t            size;
} learn_table_t;


typedef struct {
    learn_store_t           *store;
    const char              *command;
    learn_rules_options_t    rules;
    psl_ctx_t               *psl;
    miqps_str_t              host;           /* for lines without, or empty */

    /* one line */
    miqps_work_t             work;
    miqps_collect_memo_t     memo;
    uint8_t                 *buf;
    uint8_t                  url[LEARN_CORPUS_MAX_URL + MIQPS_MAX_HOST + 32];
    uint8_t                  judged[LEARN_CORPUS_MAX_URL];
    uint8_t                  names[LEARN_CORPUS_MAX_URL];
    uint16_t                 order[MIQPS_MAX_PARAMS];

    /* what stays behind a batch */
    learn_arena_t            cache;
    size_t                   cached;         /* bytes */
    learn_table_t            sites;
    learn_table_t            hosts;
    learn_table_t            patterns;
    learn_site_t            *all_sites;
    learn_host_t            *all_hosts;
    learn_names_t           *all_names;

    /* the batch */
    learn_arena_t            batch;
    size_t                   pending;        /* bytes */
    size_t                   lines;
    size_t                   max_lines;
    uint64_t                *seen;           /* hashes of URLs */
    size_t                   nseen;

    uint64_t                 counts[LEARN_LINE_MAX];
} learn_corpus_t;


/* LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint; release() anyway */

int learn_corpus_init(learn_corpus_t *corpus, learn_store_t *store,
    const char *command);
void learn_corpus_release(learn_corpus_t *corpus);


/*
 * Takes a URL, or counts why not.  Where the client is known, the URL is one
 * visitor's: values and parts of the path that look random, and so may be his
 * alone, are stored as others of the same length and kind, "Xx0".
 *
 * LEARN_EXIT_OK, or LEARN_EXIT_FAILED without memory.
 */
int learn_corpus_add(learn_corpus_t *corpus, const miqps_str_t *line,
    const learn_visit_t *visit);

/* counts a line that did not come as far as being a URL */

void learn_corpus_skip(learn_corpus_t *corpus, learn_line_e why);

/* true if the batch should be written */

int learn_corpus_full(const learn_corpus_t *corpus);

/*
 * Writes the batch, and with it how far "source" was read, unless that is
 * NULL.  An exit code; when it is not LEARN_EXIT_OK, nothing is written and
 * "corpus" may only be released.
 */
int learn_corpus_flush(learn_corpus_t *corpus, const char *path,
    learn_source_t *source);


/* letters, digits, "-", "_" and dots between them, or in brackets */

int learn_corpus_host_ok(const miqps_str_t *host);

/* a clause for reports; never NULL */

const char *learn_line_text(learn_line_e line);


/* --- between the files of this folder */

/*
 * Takes a URL apart into corpus->work, corpus->url and "req"; what becomes of
 * the line.  "*nparams" are in corpus->work.params.
 */
learn_line_e learn_corpus_parse(learn_corpus_t *corpus,
    const miqps_str_t *line, miqps_request_t *req, uint8_t *host,
    size_t *nparams, miqps_str_t *url);

/* finds or makes; NULL without memory */

learn_host_t *learn_corpus_host(learn_corpus_t *corpus,
    const miqps_str_t *name);
learn_names_t *learn_corpus_names(learn_corpus_t *corpus, learn_host_t *host,
    const miqps_str_t *names, size_t n);

/* makes what looks random in corpus->url, "url", another of its kind */

void learn_corpus_veil(learn_corpus_t *corpus, const miqps_str_t *url);

/* forgets what stays behind a batch */

void learn_corpus_clear(learn_corpus_t *corpus);

/* zeroed memory for as long as the batch; NULL without */

void *learn_corpus_alloc(learn_corpus_t *corpus, size_t size);

/*
 * Adds a hash to "picks", which is to have "max" at most.  "url" is copied
 * into the batch if "*copy" is NULL, and "*copy" is the copy then; it may be
 * NULL itself.  0 without memory.
 */
int learn_picks_add(learn_corpus_t *corpus, learn_picks_t *picks, size_t max,
    uint64_t hash, const miqps_str_t *url, const uint8_t **copy);


#endif /* _LEARN_CORPUS_H_INCLUDED_ */
