
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_RULES_H_INCLUDED_
#define _MIQPS_RULES_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_policy.h"
#include "miqps_rule.h"


/*
 * A BOOK OF RULES, collected from the built-in file, rules files and the
 * operator's own lists, and then compiled into a policy.  nginx and miqps
 * fill it in the same way; they differ in where the texts come from.
 *
 *     miqps_rules_init        an empty book, knowing the built-in platforms
 *     miqps_rules_read        the text of a rules file, any number of times
 *     miqps_rules_platform    miqps_platform
 *     miqps_rules_operator    miqps_keep, miqps_strip
 *     miqps_policy_init       with rules, nrules, scopes, nscopes
 */


/* a rules file larger than this is not one */

#define MIQPS_RULES_MAX_FILE  (16 * 1024 * 1024)


typedef struct {
    miqps_str_t           name;
    miqps_str_t           title;
    miqps_rule_t         *rules;        /* not part of the book yet */
    size_t                nrules;
    uint32_t              scope;        /* once it is, or 0 */
} miqps_platform_t;


typedef struct {
    const miqps_mem_t    *mem;

    miqps_rule_t         *rules;
    miqps_scope_t        *scopes;
    miqps_platform_t     *platforms;

    size_t                nrules;
    size_t                nscopes;
    size_t                nplatforms;

    size_t                max_rules;
    size_t                max_scopes;
    size_t                max_platforms;

    unsigned              tracking:1;   /* take identifiers of trackers */
} miqps_rules_t;


/* one line for people; position is 1-based, 0 where there is none */

typedef struct {
    size_t                line;
    size_t                column;
    char                  text[512];
} miqps_rules_error_t;


/*
 * Every function returns MIQPS_OK, or MIQPS_NO_MEMORY, or MIQPS_SYNTAX with
 * "error" filled.  What the book holds lives in "mem"; the texts given may
 * be freed.  After an error the book is of no use.
 */


/* "tracking": whether the lists of click and campaign identifiers count */

miqps_rc_e miqps_rules_init(miqps_rules_t *book, const miqps_mem_t *mem,
    int tracking, miqps_rules_error_t *error);

/* a rules file, see miqps-rules(5) */

miqps_rc_e miqps_rules_read(miqps_rules_t *book, const char *text, size_t len,
    miqps_rules_error_t *error);

/* binds a platform everywhere */

miqps_rc_e miqps_rules_platform(miqps_rules_t *book, const miqps_str_t *name,
    miqps_rules_error_t *error);

/* whatever no layer keeps is stripped, everywhere */

void miqps_rules_strict(miqps_rules_t *book);

/* a rule of the configuration or command line; MIQPS_KEEP or MIQPS_STRIP */

miqps_rc_e miqps_rules_operator(miqps_rules_t *book, miqps_action_e action,
    const miqps_str_t *text, miqps_rules_error_t *error);


/*
 * Writes why a parameter got its verdict, as in
 *
 *     Meta: named "fbclid"
 *
 * into "out" of "size" bytes, cut off if need be and always terminated.
 */
void miqps_rules_reason(const miqps_param_t *param, char *out, size_t size);


#endif /* _MIQPS_RULES_H_INCLUDED_ */
