
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
    LEARN_VERSION_STOPPED,        /* by the guard: it was never published */
    LEARN_VERSION_STATES
} learn_version_e;


/* so many are kept, and of those that were published as many, at least */

#define LEARN_VERSIONS_KEPT  50


typedef struct {
    int64_t              id;
    int64_t              at;             /* seconds since 1970 */
    learn_version_e      state;
    const char          *image;          /* the checksum, in hex */
    uint64_t             hosts;
    uint64_t             patterns;
    const char          *note;
    const char          *map;            /* the file; empty if nobody knows */
    miqps_str_t          data;           /* the image */
    miqps_str_t          source;         /* what it was made of, or empty */
} learn_version_t;


/*
 * What miqps_status told when a map was published, and until when it is looked
 * at what becomes of the hosts; 0 if that is over.
 */

typedef struct {
    int64_t              version;
    int64_t              previous;       /* the version before it, or 0 */
    int64_t              until;          /* seconds since 1970 */
    const char          *status;         /* JSON */
} learn_watched_t;


/*
 * What a host must not be again: its entry in a map that was taken back, by a
 * hash of it.  There may be several.
 */

typedef struct {
    const char          *host;
    uint64_t             entry;
    int64_t              at;             /* seconds since 1970 */
    const char          *why;
} learn_hold_t;


/* return nonzero to go on; what they are given is valid during the call */

typedef int (*learn_version_pt)(const learn_version_t *version, void *data);
typedef int (*learn_watched_pt)(const learn_watched_t *watched, void *data);
typedef int (*learn_hold_pt)(const learn_hold_t *hold, void *data);

/* one word for it */

const char *learn_version_state_name(learn_version_e state);


#endif /* _LEARN_VERSION_H_INCLUDED_ */
