
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_STALE_H_INCLUDED_
#define _LEARN_STALE_H_INCLUDED_


#include "fetch/target.h"
#include "latest.h"


/*
 * HOSTS THAT ARE DUE: those that were never learned, that were learned too long
 * ago, or whose URLs are of other names by now.  What a host is asked for has
 * drifted if more than a share of its URLs have sets of names that the last
 * run knows nothing of, among as many of the most frequent sets as that run
 * looked at.  A host none of whose URLs has a parameter may have paths to be
 * learned; of these only the time tells.
 */

typedef struct {
    double           days;         /* since the last run, at most */
    double           drift;        /* percent of unknown URLs, at most */
    int              paths;        /* they are learned, too */
} learn_stale_limits_t;


#define learn_stale_limits  { 30.0, 20.0, 1 }


typedef enum {
    LEARN_STALE_FRESH = 0,
    LEARN_STALE_NEVER,
    LEARN_STALE_OLD,
    LEARN_STALE_DRIFTED
} learn_stale_e;


typedef struct {
    char             host[MIQPS_MAX_HOST + 1];
    learn_stale_e    why;
    double           days;         /* since it was learned; NEVER: 0 */
    double           drift;        /* percent; NEVER: 100 */
    uint64_t         urls;         /* that have parameters; if none has, ... */
    uint64_t         bare;         /* ... those of the reservoir */
} learn_stale_t;


typedef struct {
    const char      *command;      /* that complains */
    learn_stale_t   *list;         /* by name */
    size_t           n;
    size_t           room;
} learn_stales_t;


/*
 * All hosts of the store that are among "hosts" and have URLs with parameters,
 * or any URLs if paths are learned.  "stales" begins as zeroes and a command,
 * and is to be released.  LEARN_EXIT_OK, or another after a complaint.
 */
int learn_stales_find(learn_stales_t *stales, learn_store_t *store,
    const learn_hosts_t *hosts, const learn_stale_limits_t *limits);
void learn_stales_release(learn_stales_t *stales);


#endif /* _LEARN_STALE_H_INCLUDED_ */
