
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_OPTIONS_H_INCLUDED_
#define _TREE_OPTIONS_H_INCLUDED_


#include "tree_plan.h"


/*
 * The thresholds of the paper, which "miqps rules" and "miqps eval" both take,
 * with the paper's values where it has them.
 */

typedef struct {
    learn_rule_limits_t    rules;
    learn_plan_options_t   plan;
} learn_tree_options_t;


#define learn_tree_options  { learn_rule_limits, learn_plan_options }


/* what getopt_long() is to return for them */

enum {
    LEARN_TREE_OVERLAP = 256,
    LEARN_TREE_MAPPING,
    LEARN_TREE_FAKE,
    LEARN_TREE_LIMIT,
    LEARN_TREE_COVER,
    LEARN_TREE_DESTINATIONS
};


#define learn_tree_long                                                      \
    { "overlap",       required_argument, NULL, LEARN_TREE_OVERLAP },        \
    { "mapping",       required_argument, NULL, LEARN_TREE_MAPPING },        \
    { "fake",          required_argument, NULL, LEARN_TREE_FAKE },           \
    { "limit",         required_argument, NULL, LEARN_TREE_LIMIT },          \
    { "cover",         required_argument, NULL, LEARN_TREE_COVER },          \
    { "destinations",  required_argument, NULL, LEARN_TREE_DESTINATIONS }


#define learn_tree_usage                                                     \
    "  --overlap SHARE    URLs of two nodes in common clusters, at least\n"   \
    "                     0.5\n"                                             \
    "  --mapping SHARE    values that two keys have in common, more than\n"   \
    "                     0.5\n"                                             \
    "  --fake SHARE       clusters with different values of a key, more than\n"\
    "                     0.1 of which say that it does not matter\n"        \
    "  --limit SHARE      false positives of a rule, at most 0.05\n"          \
    "  --cover NAME       with naive selection, of two rules for one URL\n"   \
    "                     take the better one by fpr, or that of the\n"       \
    "                     ancestor; fpr if not given\n"                       \
    "  --destinations N   with graph selection, at most so many; 0 is as\n"   \
    "                     many as needed\n"


/* LEARN_EXIT_OK, or LEARN_EXIT_USAGE after a complaint */

int learn_tree_option(learn_tree_options_t *options, const char *command,
    int c, const char *value);


/* a number from 0 to 1, a whole number; the same results */

int learn_option_share(const char *command, const char *name,
    const char *value, double *share);
int learn_option_number(const char *command, const char *name,
    const char *value, size_t most, size_t *number);


#endif /* _TREE_OPTIONS_H_INCLUDED_ */
