
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_PATTERN_H_INCLUDED_
#define _LEARN_PATTERN_H_INCLUDED_


#include "fetch/target.h"


/* the host of a URL, and its names as the store has them, in order */

typedef struct {
    char            host[MIQPS_MAX_HOST + 1];
    char            names[LEARN_TARGET_MAX + 1];
} learn_pattern_of_t;


/* LEARN_EXIT_OK, or LEARN_EXIT_FAILED if it has none; without a complaint */

int learn_pattern_of(learn_pattern_of_t *pattern, const char *url);


#endif /* _LEARN_PATTERN_H_INCLUDED_ */
