
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_RULES_OPTIONS_H_INCLUDED_
#define _LEARN_RULES_OPTIONS_H_INCLUDED_


#include "arena.h"
#include "miqps_rules.h"


/*
 * The options that say how to normalize, the same for every command that
 * does: --rules, --keep, --strip, --platform, --tracking.  They are noted as
 * they come, and compiled when all are known.
 */

typedef struct {
    char             kind;        /* 'r', 'k', 's' or 'p' */
    const char      *value;
} learn_rules_option_t;


typedef struct {
    learn_arena_t           arena;
    learn_rules_option_t   *options;
    size_t                  noptions;
    size_t                  max_options;
    int                     tracking;
    miqps_policy_t         *policy;
} learn_rules_options_t;


void learn_rules_options_init(learn_rules_options_t *options);

/* "value" is kept, not copied; LEARN_EXIT_OK or LEARN_EXIT_FAILED */

int learn_rules_options_add(learn_rules_options_t *options, char kind,
    const char *value);

/*
 * Makes options->policy.  LEARN_EXIT_OK, or after a complaint
 * LEARN_EXIT_USAGE or LEARN_EXIT_FAILED.
 */
int learn_rules_options_compile(learn_rules_options_t *options);

void learn_rules_options_release(learn_rules_options_t *options);


#endif /* _LEARN_RULES_OPTIONS_H_INCLUDED_ */
