
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ECHO_H_INCLUDED_
#define _LEARN_ECHO_H_INCLUDED_


#include "content/noise.h"
#include "miqps_core.h"


/*
 * What two URLs, one of which has more than the other, may bring to their
 * pages: see noise.h.  "nobody" are "name=value" that were added to either.
 */

#define LEARN_ECHO_WORDS    64           /* of a URL */
#define LEARN_ECHO_CARRIES  24


typedef struct {
    uint32_t       words[LEARN_ECHO_WORDS];
    uint32_t       rich[LEARN_ECHO_WORDS];
    uint32_t       poor[LEARN_ECHO_WORDS];
    uint32_t       pairs[2 * LEARN_ECHO_WORDS];
    learn_carry_t  carries[LEARN_ECHO_CARRIES];
    learn_echo_t   echo;
} learn_echoing_t;


/* what is made points into "echoing" */

void learn_echo_init(learn_echoing_t *echoing, const miqps_str_t *rich,
    const miqps_str_t *poor, const char *const *nobody, size_t n,
    learn_arena_t *scratch);


#endif /* _LEARN_ECHO_H_INCLUDED_ */
