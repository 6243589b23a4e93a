
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_PATTERN_H_INCLUDED_
#define _LEARN_PATTERN_H_INCLUDED_


#include "fetch/target.h"
#include "normalizer.h"
#include "rules_options.h"


/* the host of a URL, and its names as the store has them, in order */

typedef struct {
    char                     host[MIQPS_MAX_HOST + 1];
    char                     names[LEARN_TARGET_MAX + 1];
} learn_pattern_of_t;


/* URLs are split by the normalizer itself, under no rules */

typedef struct {
    learn_rules_options_t    rules;
    learn_normalizer_t       normalizer;
} learn_patterns_t;


/* LEARN_EXIT_OK, or another after a complaint; release it anyway */

int learn_patterns_init(learn_patterns_t *patterns);
void learn_patterns_release(learn_patterns_t *patterns);

/*
 * LEARN_EXIT_OK, or LEARN_EXIT_REFUSED if it is no URL, or one that is left
 * alone, or LEARN_EXIT_FAILED without memory.  A URL without parameters has no
 * names.
 */
int learn_pattern_of(learn_patterns_t *patterns, learn_pattern_of_t *pattern,
    const miqps_str_t *url);


#endif /* _LEARN_PATTERN_H_INCLUDED_ */
