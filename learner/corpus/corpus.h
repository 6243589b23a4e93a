
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_CORPUS_H_INCLUDED_
#define _LEARN_CORPUS_H_INCLUDED_


#include <libpsl.h>

#include "absolute.h"
#include "arena.h"
#include "miqps_collect.h"
#include "miqps_normalize.h"
#include "rules_options.h"
#include "shared.h"
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

/* clients of a batch are counted, those with one hash as one */

#define LEARN_CROWD           65536


/* what becomes of a line; all but the first are skipped */

typedef enum {
    LEARN_LINE_TAKEN = 0,
    LEARN_LINE_EMPTY,          /* or a comment */
    LEARN_LINE_FORM,           /* not of the format of the file */
    LEARN_LINE_REQUEST,        /* not a GET answered with 200 */
    LEARN_LINE_TYPE,           /* not HTML */
    LEARN_LINE_INDEX,          /* a sitemap, not a page */
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


/*
 * What a line says.  Of a visitor values are private until a second one sends
 * them; of a list that the operator gives they are not.
 */

typedef struct {
    miqps_str_t       target;      /* as it was sent, or an absolute URL */
    miqps_str_t       host;        /* of a target without one, or empty */
    uint64_t          client;      /* as in shared.h; 0: nobody knows */
    int64_t           day;         /* since 1970; 0: nobody knows */
    unsigned          listed:1;    /* by the operator */
    unsigned          http:1;      /* a target without a scheme has this */
} learn_entry_t;


/* a URL of the batch */

typedef struct learn_kept_s   learn_kept_t;

struct learn_kept_s {
    learn_kept_t     *next;
    uint64_t          hash;
    uint32_t          len;
    uint32_t          veiled;      /* unsigned  veiled:1; */
    uint8_t           url[];
};


typedef struct learn_site_s   learn_site_t;
typedef struct learn_host_s   learn_host_t;
typedef struct learn_names_s  learn_names_t;


/* the smallest hashes of a sketch or sample, in order */

typedef struct {
    uint64_t        *list;
    uint32_t         n;
    uint32_t         room;
    uint64_t         floor;
} learn_hashes_t;


/* those of a sample, and the URLs that they are for */

typedef struct {
    learn_hashes_t   hashes;
    learn_pick_t    *list;
} learn_picks_t;


struct learn_site_s {
    learn_site_t     *next;        /* all of them */
    miqps_str_t       name;
    uint64_t          hash;
    learn_owner_t     owner;
    uint64_t          hits;        /* of this batch, as the rest */
    uint64_t          fresh;       /* patterns that are new to the store */
    learn_kept_t     *urls;        /* in no order */
    size_t            nurls;
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
    learn_hashes_t    urls;
    learn_hashes_t    clients;
    uint32_t          nparams;
    learn_param_t     params[];
};


/* entries that begin with their hash, see corpus_table.c */

typedef struct {
    void            **slots;
    size_t            used;
    size_t            size;
} learn_table_t;


/* a host that somebody said is of a site */

typedef struct learn_declared_s  learn_declared_t;

struct learn_declared_s {
    learn_declared_t  *next;
    miqps_str_t        host;
    miqps_str_t        site;
};


typedef struct {
    learn_store_t           *store;
    const char              *command;
    learn_rules_options_t    rules;
    psl_ctx_t               *psl;
    miqps_str_t              host;           /* for lines without, or empty */
    learn_arena_t            kept;           /* for as long as this */
    learn_declared_t        *declared;

    /* one line */
    miqps_work_t             work;
    miqps_collect_memo_t     memo;
    uint8_t                 *buf;
    uint8_t                  clean[LEARN_ABSOLUTE_ROOM(LEARN_CORPUS_MAX_URL)];
    uint8_t                  judged[LEARN_CORPUS_MAX_URL];
    uint8_t                  url[LEARN_CORPUS_MAX_URL + MIQPS_MAX_HOST + 32];
    uint8_t                  veiled[3 * LEARN_CORPUS_MAX_URL];
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
    learn_shared_t           shared;

    /* the batch */
    learn_arena_t            batch;
    size_t                   pending;        /* bytes */
    size_t                   lines;
    size_t                   max_lines;
    learn_pick_t            *picks;          /* of two reservoirs */
    learn_pick_t            *spare;          /* as many */
    uint64_t                *seen;           /* hashes of URLs */
    size_t                   nseen;
    size_t                   max_seen;       /* a power of two */
    uint32_t                *crowd;          /* URLs of clients */
    size_t                   ncrowd;

    uint64_t                 counts[LEARN_LINE_MAX];
} learn_corpus_t;


/* LEARN_EXIT_OK, or another code after a complaint; release() anyway */

int learn_corpus_init(learn_corpus_t *corpus, learn_store_t *store,
    const char *command);
void learn_corpus_release(learn_corpus_t *corpus);


/*
 * Takes a URL, or counts why not.  What looks random in that of a visitor is
 * veiled, see veil.h, unless another one has sent the same.
 *
 * LEARN_EXIT_OK, or another code after a complaint.
 */
int learn_corpus_add(learn_corpus_t *corpus, const learn_entry_t *entry);

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
 * Takes a URL apart into corpus->work and "req", and puts it together again
 * as "*url"; what becomes of the line.  "*nparams" are in corpus->work.params.
 */
learn_line_e learn_corpus_parse(learn_corpus_t *corpus,
    const learn_entry_t *entry, miqps_request_t *req, uint8_t *host,
    size_t *nparams, miqps_str_t *url);

/*
 * Veils what is private in a URL of a visitor; "*veiled" tells whether there
 * was something, and "*url" is another one then.  An exit code.
 */
int learn_corpus_veil(learn_corpus_t *corpus, const learn_entry_t *entry,
    size_t nparams, miqps_str_t *url, int *veiled);

/* finds or makes; NULL without memory */

learn_host_t *learn_corpus_host(learn_corpus_t *corpus,
    const miqps_str_t *name);
learn_names_t *learn_corpus_names(learn_corpus_t *corpus, learn_host_t *host,
    const miqps_str_t *names, size_t n);

/* forgets what stays behind a batch */

void learn_corpus_clear(learn_corpus_t *corpus);

/* zeroed memory for as long as the batch; NULL without */

void *learn_corpus_alloc(learn_corpus_t *corpus, size_t size);

/*
 * What the batch has for the reservoir of a site, in order, in corpus->picks;
 * how many there are.
 */
size_t learn_corpus_gather(learn_corpus_t *corpus, learn_site_t *site);

/*
 * Adds a pick to a sample; its URL is copied into the batch if "*copy" is NULL,
 * and "*copy" is the copy then.  0 without memory.
 */
int learn_picks_add(learn_corpus_t *corpus, learn_picks_t *picks,
    const learn_pick_t *pick, const uint8_t **copy);

/*
 * Adds a hash that is below the floor; there are "max" at most.  "*at" is its
 * place.  1, 0 if it was there, -1 without memory.
 */
int learn_hashes_add(learn_corpus_t *corpus, learn_hashes_t *hashes,
    uint64_t hash, size_t max, size_t *at);


#endif /* _LEARN_CORPUS_H_INCLUDED_ */
