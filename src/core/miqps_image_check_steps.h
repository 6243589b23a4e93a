
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_IMAGE_CHECK_STEPS_H_INCLUDED_
#define _MIQPS_IMAGE_CHECK_STEPS_H_INCLUDED_


#include "miqps_image_check.h"


/*
 * A step looks at "*budget" bytes or a few more, and takes them off; it adds
 * what it has done to check->at, and says so when it is through.
 */

typedef const char *(*miqps_step_pt)(miqps_image_check_t *check,
    size_t *budget, int *done);


/* miqps_image_check_names.c */

const char *miqps_check_names(miqps_image_check_t *check, size_t *budget,
    int *done);
const char *miqps_check_shapes(miqps_image_check_t *check, size_t *budget,
    int *done);

/* miqps_image_check_hosts.c */

const char *miqps_check_hosts(miqps_image_check_t *check, size_t *budget,
    int *done);
const char *miqps_check_places(miqps_image_check_t *check, size_t *budget,
    int *done);
const char *miqps_check_mirrors(miqps_image_check_t *check, size_t *budget,
    int *done);

/* miqps_image_rules_section.c */

const char *miqps_check_rules(miqps_image_check_t *check, size_t *budget,
    int *done);


/* how many of the "n" elements of "size" bytes that are left are next */

static inline size_t
miqps_check_share(size_t n, size_t size, size_t *budget)
{
    size_t  share;

    share = (*budget / size < n) ? *budget / size + 1 : n;

    *budget -= (share * size < *budget) ? share * size : *budget;

    return share;
}


#endif /* _MIQPS_IMAGE_CHECK_STEPS_H_INCLUDED_ */
