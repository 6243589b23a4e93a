
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_STORE_H_INCLUDED_
#define _LEARN_STORE_H_INCLUDED_


#include "evidence.h"
#include "miqps_core.h"
#include "pick.h"
#include "sketch.h"
#include "version.h"


/*
 * THE STORE
 *
 * What the learner knows, kept on disk:
 *
 *     site --+-- host ---- pattern ---- parameter
 *            |                          |
 *            reservoir of URLs          sample of URLs
 *
 * Reservoirs and samples hold the URLs with the smallest hashes, under a key
 * of the store's own: a uniform choice among different URLs or values that
 * does not depend on their order or number, so that reading a line twice
 * changes nothing, and nobody can aim at it from outside.  Their sizes are
 * fixed, and so is the number of patterns of a host, however much is read.
 *
 * All functions return an exit code, LEARN_EXIT_OK or another after one line
 * of complaint.  What is written between begin() and commit() is there as a
 * whole or not at all.
 */

#define LEARN_STORE_RESERVOIR  100000     /* URLs of a site */
#define LEARN_STORE_SAMPLE     64         /* URLs of a parameter */
#define LEARN_STORE_PATTERNS   1000       /* of a host */
#define LEARN_STORE_RETENTION  90         /* days, unless told */
#define LEARN_STORE_KEY        192        /* bytes */

#define LEARN_STORE_URL        "sqlite:PATH"


typedef enum {
    LEARN_STORE_READ = 0,      /* what is there; others may write */
    LEARN_STORE_CHANGE,        /* what is there; nobody else may write */
    LEARN_STORE_CREATE,        /* and made if it is not */
    LEARN_STORE_AWAIT,         /* the same; who writes is waited for */
    LEARN_STORE_SHARE          /* what is there; others may write between two
                                  transactions, and are waited for */
} learn_store_mode_e;


/*
 * Who has a reservoir or sample; a hash at or above "floor" has no place.
 * What it has may be more for a while, in several runs.
 */

typedef struct {
    int64_t         id;            /* 0: not asked for yet */
    uint64_t        floor;
    uint64_t        kept;          /* URLs */
    uint64_t        runs;
} learn_owner_t;


/*
 * A pattern: names in order, with "&" between them.  "missed" is how many of
 * its URLs may have come while it was forgotten for being rare: 0 for those
 * that never were.
 */

typedef struct {
    int64_t         id;
    uint64_t        hits;          /* lines */
    uint64_t        missed;
    uint64_t        days;          /* bit 0 is last_day, bit 1 the day before */
    int64_t         last_day;      /* since 1970; 0 is unknown */
    learn_sketch_t  urls;
    learn_sketch_t  clients;
    unsigned        fresh:1;       /* it was just made */
} learn_pattern_t;


/*
 * How far a file was read.  It is known again by its first bytes and those
 * before the offset, whatever its name is by then.
 */

typedef struct {
    int64_t         id;            /* 0: not stored yet */
    uint64_t        head;          /* hash of the first head_len bytes */
    uint64_t        tail;          /* hash of up to as many before offset */
    uint64_t        head_len;
    uint64_t        offset;        /* uncompressed */
    uint64_t        lines;
} learn_source_t;


/* sums for reports */

typedef struct {
    const char     *site;
    const char     *host;          /* NULL where the row is a site's */
    const char     *names;         /* of a pattern, or of one parameter */
    uint64_t        hosts;
    uint64_t        patterns;
    uint64_t        hits;
    uint64_t        urls;          /* different ones, an estimate */
    uint64_t        clients;
    uint64_t        days;          /* or the day, since 1970, of growth */
    uint64_t        kept;          /* URLs in the reservoir or sample */
} learn_store_row_t;


typedef enum {
    LEARN_LIST_SITES = 0,
    LEARN_LIST_GROWTH,             /* of each site, the last "limit" days */
    LEARN_LIST_HOSTS,
    LEARN_LIST_PATTERNS,           /* of each host, the first "limit" */
    LEARN_LIST_PARAMS,             /* of each host, the first "limit" */
    LEARN_LIST_MAX
} learn_list_e;


typedef struct learn_store_s      learn_store_t;
typedef struct learn_store_ops_s  learn_store_ops_t;

/* return nonzero to go on */

typedef int (*learn_store_row_pt)(const learn_store_row_t *row, void *data);
typedef int (*learn_store_source_pt)(const learn_source_t *source, void *data);
typedef int (*learn_store_pick_pt)(const learn_pick_t *pick, void *data);
typedef int (*learn_store_declared_pt)(const miqps_str_t *host,
    const miqps_str_t *site, void *data);


struct learn_store_s {
    const learn_store_ops_t  *ops;
    uint16_t                  today;      /* day since 1970 */
    uint8_t                   key[LEARN_STORE_KEY];
};


struct learn_store_ops_s {
    void  (*close)(learn_store_t *store);

    int   (*begin)(learn_store_t *store);
    int   (*commit)(learn_store_t *store);
    void  (*rollback)(learn_store_t *store);

    /* these find it, or make it */

    int   (*site)(learn_store_t *store, const miqps_str_t *name,
               learn_owner_t *site);
    int   (*host)(learn_store_t *store, int64_t site, const miqps_str_t *name,
               int64_t *host);
    int   (*pattern)(learn_store_t *store, int64_t host,
               const miqps_str_t *names, learn_pattern_t *pattern);

    /* lines of today */

    int   (*host_add)(learn_store_t *store, int64_t host, uint64_t hits);
    int   (*site_add)(learn_store_t *store, int64_t site, uint64_t hits,
               uint64_t patterns);
    int   (*pattern_save)(learn_store_t *store,
               const learn_pattern_t *pattern);

    /* URLs for a reservoir, in order of their hashes */

    int   (*reservoir_add)(learn_store_t *store, learn_owner_t *site,
               const learn_pick_t *picks, size_t n);

    /* the same for the sample of a parameter, which is made if need be */

    int   (*sample_add)(learn_store_t *store, int64_t pattern,
               const miqps_str_t *name, learn_owner_t *param,
               const learn_pick_t *picks, size_t n);

    /* in order of their hashes; a pick is valid during the call */

    int   (*reservoir)(learn_store_t *store, int64_t site,
               learn_store_pick_pt each, void *data);
    int   (*sample)(learn_store_t *store, int64_t param,
               learn_store_pick_pt each, void *data);

    /* the patterns of a host, down to how many it may have; "*gone" went */

    int   (*trim_host)(learn_store_t *store, int64_t host, uint64_t *gone);

    int   (*sources)(learn_store_t *store, learn_store_source_pt each,
               void *data);
    int   (*source_save)(learn_store_t *store, const char *path,
               learn_source_t *source);

    /* hosts that are of a site because somebody said so */

    int   (*declare)(learn_store_t *store, const miqps_str_t *host,
               const miqps_str_t *site);
    int   (*declared)(learn_store_t *store, learn_store_declared_pt each,
               void *data);

    /* a page of what several clients sent, see shared.h; zeroes for none */

    int   (*shared_read)(learn_store_t *store, size_t page, void *data,
               size_t len);
    int   (*shared_save)(learn_store_t *store, size_t page, const void *data,
               size_t len);

    /*
     * How many days URLs are kept, 0 for ever; LEARN_STORE_RETENTION until it
     * is set.  expire() removes what was not seen for longer, URLs, patterns,
     * hosts and sources, in a transaction of its own, and overwrites it;
     * "*gone" is how many URLs went.
     */
    int   (*retention)(learn_store_t *store, uint64_t *days);
    int   (*retention_save)(learn_store_t *store, uint64_t days);
    int   (*expire)(learn_store_t *store, uint64_t *gone);

    /* one learns at a time; until the store is closed */

    int   (*study_lock)(learn_store_t *store);

    /*
     * For the learner: hosts behind "after" by name; the site of a host, or 0;
     * the host of that site with most lines, or none; patterns of a host, by
     * URLs or by clients and days, those that count most first; parameters of
     * a pattern.
     */
    int   (*hosts)(learn_store_t *store, const miqps_str_t *after,
               uint64_t limit, learn_named_pt each, void *data);
    int   (*host_site)(learn_store_t *store, const miqps_str_t *host,
               int64_t *site);
    int   (*host_main)(learn_store_t *store, const miqps_str_t *host,
               char *name, size_t size);
    int   (*ranked)(learn_store_t *store, const miqps_str_t *host,
               int clients, uint64_t limit, learn_ranked_pt each, void *data);
    int   (*params)(learn_store_t *store, int64_t pattern,
               learn_named_pt each, void *data);

    /*
     * The run of a host with these settings that has no end, or a new one;
     * "*resumed" tells which.  close() sets its end, and drops older ones.
     * runs() are those of a host, or of all for an empty name, in order.
     */
    int   (*run_open)(learn_store_t *store, const miqps_str_t *host,
               const char *settings, int64_t *run, int *resumed);
    int   (*run_close)(learn_store_t *store, const learn_run_t *run);
    int   (*runs)(learn_store_t *store, const miqps_str_t *host,
               learn_run_pt each, void *data);

    /* what is there by the same key is replaced */

    int   (*visit_save)(learn_store_t *store, int64_t run,
               const learn_visit_row_t *visit);
    int   (*visits)(learn_store_t *store, int64_t run, learn_visit_pt each,
               void *data);
    int   (*visit)(learn_store_t *store, int64_t run, uint64_t hash,
               learn_visit_pt each, void *data);
    int   (*verdict_save)(learn_store_t *store, int64_t run,
               const learn_verdict_t *verdict);
    int   (*verdicts)(learn_store_t *store, int64_t run,
               learn_verdict_pt each, void *data);
    int   (*rule_save)(learn_store_t *store, int64_t run,
               const learn_rule_row_t *rule);
    int   (*rules)(learn_store_t *store, int64_t run, learn_rule_pt each,
               void *data);

    /*
     * What was published.  next() is a number for another one; versions() are
     * all of them, the last first, without their bytes, and version() is one.
     */
    int   (*version_next)(learn_store_t *store, int64_t *id);
    int   (*version_add)(learn_store_t *store,
               const learn_version_t *version);
    int   (*version_state)(learn_store_t *store, int64_t id,
               learn_version_e state, const char *note);
    int   (*versions)(learn_store_t *store, learn_version_pt each,
               void *data);
    int   (*version)(learn_store_t *store, int64_t id, learn_version_pt each,
               void *data);

    /* the last two, the last first; and the end of one */

    int   (*watched_save)(learn_store_t *store,
               const learn_watched_t *watched);
    int   (*watched_end)(learn_store_t *store, int64_t version);
    int   (*watched)(learn_store_t *store, learn_watched_pt each,
               void *data);

    /* one for each host, the last; and of all hosts none */

    int   (*hold_save)(learn_store_t *store, const learn_hold_t *hold);
    int   (*hold_free)(learn_store_t *store, const learn_hold_t *hold);
    int   (*holds)(learn_store_t *store, learn_hold_pt each, void *data);
    int   (*holds_drop)(learn_store_t *store);

    int   (*list)(learn_store_t *store, learn_list_e what, uint64_t limit,
               learn_store_row_pt each, void *data);

    /* everything about a host; "*found" tells whether there was something */

    int   (*forget)(learn_store_t *store, const miqps_str_t *host,
               int *found);
};


/*
 * Opens the store that "url" names; "command" begins the complaints.
 *
 * LEARN_EXIT_OK      "*store" is open; close() it
 * LEARN_EXIT_USAGE   "url" names no kind of store
 * LEARN_EXIT_LOCKED  somebody else writes to it, or a signal came while he was
 *                    waited for
 * LEARN_EXIT_FAILED  it is damaged, of a newer version, or cannot be opened
 */
int learn_store_open(learn_store_t **store, const char *command,
    const char *url, learn_store_mode_e mode);

/* false if it is known that there is none yet */

int learn_store_found(const char *url);


/* under the store's key; 63 bits, so that it is a number anywhere */

uint64_t learn_store_hash(const learn_store_t *store, const void *data,
    size_t len);


/* the host that a URL of the store has, without its port */

miqps_str_t learn_store_url_host(const learn_pick_t *pick);


#endif /* _LEARN_STORE_H_INCLUDED_ */
