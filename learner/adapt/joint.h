
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_JOINT_H_INCLUDED_
#define _LEARN_JOINT_H_INCLUDED_


#define XXH_INLINE_ALL

#include <xxhash.h>

#include "adapt.h"


/*
 * Trials of whole URLs, between the files that make them: joint.c asks,
 * joint_list.c has the URLs, and joint_pick.c chooses.
 */

#define LEARN_JOINT_MOST    160          /* trials of a kind */
#define LEARN_JOINT_BITS    8192         /* of what was seen */
#define LEARN_JOINT_SEGS    6            /* segments of a path */

/* what hashes are of */

#define LEARN_JOINT_OF_PAGE   1
#define LEARN_JOINT_OF_SET    2
#define LEARN_JOINT_OF_VALUE  3
#define LEARN_JOINT_OF_VIEW   4          /* a page, by a viewer, */
#define LEARN_JOINT_OF_NAME   16         /* and with a name */

#define learn_joint_hash(what, data, len)                                    \
    ((uint32_t) XXH3_64bits_withSeed(data, len, what))


/* a URL that may be tried */

typedef struct {
    uint32_t            url;
    learn_traits_t      has;
    learn_traits_t      less;            /* of these */
    uint32_t            page;            /* what is left, as a hash, */
    uint32_t            set;             /* its names, in their order, */
    uint32_t            parts[LEARN_JOINT_SEGS];  /* and its path */
    unsigned            words:1;         /* few URLs have other segments */
    unsigned            front:1;         /* what goes is in front */
} learn_candidate_t;


struct learn_joint_s {
    learn_candidate_t  *list;
    uint32_t            n;
    uint32_t            done[LEARN_JOINT_MOST];   /* in earlier steps, */
    uint8_t             viewers[LEARN_JOINT_MOST];
    uint32_t            ndone;
    learn_traits_t      loose;           /* what "less" was made by, */
    learn_traits_t      values;          /* and defaults */
    unsigned            filled:1;
};


/* what was tried so far, and is about to be */

typedef struct {
    learn_adapt_t      *adapt;
    learn_kind_t       *kind;
    learn_joint_t      *joint;
    uint32_t            times;           /* what is needed; 0: at least */
    uint32_t            order[LEARN_JOINT_MOST];
    uint8_t             by[LEARN_JOINT_MOST];     /* viewers of these */
    uint32_t            n;
    uint32_t            own[LEARN_ADAPT_TRAITS];
    uint32_t            same[LEARN_ADAPT_TRAITS];
    unsigned            viewers[LEARN_ADAPT_TRAITS];
    uint32_t            fronts;
    uint64_t            seen[LEARN_JOINT_BITS / 64];
} learn_joining_t;


/* joint_list.c: URLs of a kind that may be tried; 0 without memory */

int learn_joint_create(learn_adapt_t *adapt, learn_kind_t *kind);

/* what goes of them, and what is left, by what is known now */

void learn_joint_fill(learn_joining_t *run);

/* on how many pages a default can be tried */

void learn_joint_homes(learn_joining_t *run);


/* joint_pick.c: the place of the next URL; UINT32_MAX if there is none */

uint32_t learn_joint_next(const learn_joining_t *run);

/* a trial was made, or is taken for passed until it is */

void learn_joint_count(learn_joining_t *run, uint32_t place, uint32_t turn,
    int passed);

/* what is tried of it, and what is added to it */

void learn_joint_trial(const learn_joining_t *run, uint32_t place,
    uint32_t turn, learn_home_t *home, learn_traits_t *group);

/* true if the name was not tried with this page */

int learn_joint_fresh(const learn_joining_t *run,
    const learn_candidate_t *one, uint32_t trait);


#endif /* _LEARN_JOINT_H_INCLUDED_ */
