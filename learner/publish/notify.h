
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_NOTIFY_H_INCLUDED_
#define _LEARN_NOTIFY_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * NGINX IS TOLD OF A NEW MAP, and asked which one it serves: by its
 * miqps_control, "http://HOST/URI" or "unix:PATH:/URI", by a signal to the
 * master, or not at all where it watches the file.
 */

typedef struct {
    const char      *command;
    const char      *control;      /* or NULL */
    const char      *zone;         /* or NULL: there is only one */
    const char      *token;        /* a file, or NULL */
    const char      *pid;          /* a file, or NULL */
    unsigned         wait;         /* seconds for the map to be served */
} learn_notify_t;


typedef enum {
    LEARN_NOTIFY_SERVED = 0,       /* nginx says that it serves it */
    LEARN_NOTIFY_TOLD,             /* nobody can be asked */
    LEARN_NOTIFY_REFUSED,          /* nginx does not take it: complained */
    LEARN_NOTIFY_FAILED,           /* nobody answers, or it is not served in
                                      time: complained */
    LEARN_NOTIFY_OTHER,            /* nginx says that it serves another map */
    LEARN_NOTIFY_BACK              /* ... since this one was rolled back by its
                                      miqps_control */
} learn_notify_e;


#define LEARN_NOTIFY_IMAGE  33     /* a checksum in hex, with its end */


/* true if nginx answers for the zone, or need not; else after a complaint */

int learn_notify_ready(const learn_notify_t *notify);

/*
 * Tells nginx, and waits for the map to be served.  An answer that does not
 * come may come the next time: it is asked again until "wait" is over.
 */
learn_notify_e learn_notify(const learn_notify_t *notify, const char *image);

/*
 * What there is to say without telling it anything: SERVED, OTHER, BACK or
 * FAILED; TOLD if nobody can be asked.
 */
learn_notify_e learn_notify_look(const learn_notify_t *notify,
    const char *image);

/* a checksum as nginx tells it */

void learn_notify_image(const uint8_t *sum, char text[LEARN_NOTIFY_IMAGE]);


#endif /* _LEARN_NOTIFY_H_INCLUDED_ */
