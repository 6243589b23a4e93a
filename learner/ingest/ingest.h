
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_INGEST_H_INCLUDED_
#define _LEARN_INGEST_H_INCLUDED_


#include "feed.h"


#define LEARN_INGEST_DAYS  36500       /* of a retention, at most */


/* what "miqps ingest" was asked for, and what it has done */

typedef struct {
    const char           *store;
    const char           *host;
    const char           *log_format;
    const char          **sites;           /* "NAME=HOST,..." */
    size_t                nsites;
    char                **paths;           /* up to NULL */
    size_t                batch;           /* lines; 0: not given */
    long                  days;            /* 0 for ever, -1 not given */
    learn_format_e        format;
    learn_log_format_t    log;
    int                   follow;
    int                   quiet;
    int                   tty;

    uint8_t               canon[MIQPS_MAX_HOST];
    learn_corpus_t        corpus;
    uint64_t              counts[LEARN_LINE_MAX];
    uint64_t              expired;
} learn_ingest_t;


/* both return an exit code, after complaints */

int learn_ingest_once(learn_ingest_t *ctx);
int learn_ingest_follow(learn_ingest_t *ctx);


/* --- between the files of this folder */

/*
 * Opens the store and the corpus in it; the first time, notes what is to be
 * remembered.  close() counts what was done, and expires what is old.
 */
int learn_ingest_open(learn_ingest_t *ctx, learn_store_mode_e mode);
int learn_ingest_close(learn_ingest_t *ctx, int rc);

/*
 * Reads a file to its end, and writes all of it.  "*bad" is set if the file
 * could not be read any further, which is none of the store's faults; an exit
 * code tells of these.
 */
int learn_ingest_feed(learn_ingest_t *ctx, learn_feed_t *feed, int *bad);


#endif /* _LEARN_INGEST_H_INCLUDED_ */
