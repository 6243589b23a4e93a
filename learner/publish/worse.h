
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_WORSE_H_INCLUDED_
#define _LEARN_WORSE_H_INCLUDED_


#include "status.h"


/*
 * HAS A HOST BECOME WORSE?
 *
 * Of what it answered before and after, the shares of errors (4xx and 5xx) and
 * of redirects are compared.  One is worse if it is larger by more than
 * "points" percent of the requests, and that is no chance: both shares are
 * taken at the end of their interval of 99.9 % that speaks for the host.  So a
 * host that was asked little before has to become much worse, and one that
 * nobody asked for before cannot.
 *
 * Upstreams are slower if an answer takes "factor" times as long on the
 * average, and LEARN_WORSE_MS more, each over LEARN_WORSE_ANSWERS at least.
 * What is cached more often is missing there, so that some more is no wonder.
 */

/*
 * Hosts that were not counted by name before, since they were below a wildcard
 * or in no map, are compared with all that were counted there, which may be
 * others: so these must be much worse, and how fast they are says nothing.
 */

#define LEARN_WORSE_OTHERS   50.0         /* points, at least */


typedef struct {
    double               points;
    double               factor;
} learn_worse_t;


#define learn_worse_limits  { 5.0, 3.0 }

#define LEARN_WORSE_MS       100.0
#define LEARN_WORSE_ANSWERS  30
#define LEARN_WORSE_WHY      256


/* true if it is, and "why" says in what; else it is left */

int learn_worse(const learn_worse_t *limits, const learn_reply_t *before,
    const learn_reply_t *after, char why[LEARN_WORSE_WHY]);


#endif /* _LEARN_WORSE_H_INCLUDED_ */
