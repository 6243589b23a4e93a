
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_VERSION_H_INCLUDED_
#define _LEARN_VERSION_H_INCLUDED_


#include "miqps_core.h"


/*
 * A MAP THAT WAS PUBLISHED, or was about to be.  Its number is the generation
 * that its image has.
 */

typedef enum {
    LEARN_VERSION_BEGUN = 0,      /* nobody knows how it ended */
    LEARN_VERSION_PUBLISHED,
    LEARN_VERSION_REFUSED,        /* by nginx */
    LEARN_VERSION_STATES
} learn_version_e;


typedef struct {
    int64_t              id;
    int64_t              at;             /* seconds since 1970 */
    learn_version_e      state;
    const char          *image;          /* the checksum, in hex */
    uint64_t             hosts;
    uint64_t             patterns;
    const char          *note;
    miqps_str_t          data;           /* the image */
    miqps_str_t          source;         /* what it was made of, or empty */
} learn_version_t;


/* returns nonzero to go on; what it is given is valid during the call */

typedef int (*learn_version_pt)(const learn_version_t *version, void *data);

/* one word for it */

const char *learn_version_state_name(learn_version_e state);


#endif /* _LEARN_VERSION_H_INCLUDED_ */
