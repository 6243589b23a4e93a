
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
} learn_status_host_t;


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

/* zeroes if the host was not counted */

learn_reply_t learn_status_host(const learn_status_t *status,
    const char *host);

/*
 * What was answered between two times.  All that "after" has if nginx began
 * anew in between.
 */
learn_reply_t learn_status_between(const learn_status_t *before,
    const learn_status_t *after, const char *host);


#endif /* _LEARN_STATUS_H_INCLUDED_ */
