
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_STATUS_H_INCLUDED_
#define _LEARN_STATUS_H_INCLUDED_


#include "ask.h"
#include "miqps_core.h"


/*
 * WHAT HOSTS ANSWERED, as miqps_status counts it, since it began to count.
 */

typedef struct {
    uint64_t             requests;
    uint64_t             redirects;    /* that are not to clean URLs */
    uint64_t             errors;       /* 4xx and 5xx */
    uint64_t             upstream;     /* answers of upstreams, and ... */
    uint64_t             upstream_ms;  /* ... how long they took */
} learn_reply_t;


typedef struct {
    char                 host[MIQPS_MAX_HOST + sizeof("*.")];
    learn_reply_t        reply;
    learn_reply_t        before;       /* see learn_status_before() */
    int                  changed;
} learn_status_host_t;


/* what is counted for nobody by name counts for this one */

#define LEARN_STATUS_OTHERS  "*"


typedef struct {
    uint64_t             since;        /* 0: nothing was read */
    learn_status_host_t *hosts;        /* by name */
    size_t               n;
} learn_status_t;


/*
 * Asks nginx; what "status" had before is released, and it begins as zeroes.
 * Returns 0 after a complaint.
 */
int learn_status_ask(learn_status_t *status, const learn_ask_t *ask);

/* the same from its JSON and back; the text is free()d, NULL without memory */

int learn_status_parse(learn_status_t *status, const char *text);
char *learn_status_print(const learn_status_t *status);

void learn_status_release(learn_status_t *status);

/* NULL if the host was not counted */

learn_status_host_t *learn_status_host(const learn_status_t *status,
    const char *host);

/*
 * What was answered between two times.  All that "after" has if nginx began
 * anew in between.
 */
learn_reply_t learn_status_between(const learn_status_t *before,
    const learn_status_t *after, const char *host);

/*
 * Sets what each host of "now" answered with the entry that it has in the map
 * which is about to be replaced, as "before".  "last" is the status when that
 * map was published, or NULL if nobody knows:
 *
 *     last                     now
 *     ---+---------------------+----> time
 *     before + what was answered since
 *
 * What was before counts if the entry did not change then, and if it is needed:
 * of hosts that were asked often since, only what is new does.  Hosts that are
 * not in "now", since nginx began anew, come along if "wanted" says so.
 *
 * Returns 0 if memory ran out.
 */
int learn_status_before(learn_status_t *now, const learn_status_t *last,
    int (*wanted)(const char *host, void *data), void *data);


#define LEARN_STATUS_ENOUGH  1000      /* requests */


#endif /* _LEARN_STATUS_H_INCLUDED_ */
