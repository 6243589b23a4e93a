
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_LATEST_H_INCLUDED_
#define _LEARN_LATEST_H_INCLUDED_


#include "store/store.h"


/* the last runs of hosts that were done, by host */

typedef struct {
    char             host[MIQPS_MAX_HOST + 1];
    char            *settings;
    char            *mirrors;        /* the host whose pages it shows, or "" */
    int64_t          run;
    int64_t          time;
    uint64_t         fetches;
} learn_latest_run_t;


typedef struct {
    const char          *command;    /* that complains */
    learn_latest_run_t  *list;
    size_t               n;
    size_t               room;
    unsigned             failed:1;
} learn_latest_t;


/*
 * Adds those of a host, or of all if it is empty; "latest" begins as zeroes
 * and a command, and is to be released.  LEARN_EXIT_OK, or LEARN_EXIT_FAILED
 * after a complaint; that there are none is no failure.
 */
int learn_latest_add(learn_latest_t *latest, learn_store_t *store,
    const miqps_str_t *host);

/*
 * Those of hosts that are named, in a list that ends with NULL, or of all if
 * there is none.  That there are none is a failure.
 */
int learn_latest_named(learn_latest_t *latest, learn_store_t *store,
    char **names);

/*
 * Adds the hosts whose pages these show, and those that show the same: mirrors
 * are told of together.
 */
int learn_latest_mirrored(learn_latest_t *latest, learn_store_t *store);

void learn_latest_release(learn_latest_t *latest);


#endif /* _LEARN_LATEST_H_INCLUDED_ */
