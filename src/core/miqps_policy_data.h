
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_POLICY_DATA_H_INCLUDED_
#define _MIQPS_POLICY_DATA_H_INCLUDED_


#include "miqps_glob.h"
#include "miqps_policy.h"
#include "miqps_regex.h"
#include "miqps_scope.h"


/*
 * INSIDE A POLICY
 *
 * Each rule becomes a term.  Terms with a plain name hang off a slot of one
 * hash table, keyed by scope and name; a parameter costs one probe for each
 * active scope.  Terms with a star are chained by the first byte before the
 * star, so that most parameters meet none.  Regular expressions are chained
 * by scope, and run last.
 *
 *     slot   hash | scope | name | marks | term --> term --> ...
 *     star   [first byte] --> term --> term --> ...
 *     regex  [scope] --> term --> term --> ...
 *
 * The guard's names are in the same table, under scope 0, as marks of the
 * slot, so that the guard costs no probe of its own.
 */


/* tells the scopes of one name apart */

#define MIQPS_POLICY_SPREAD  UINT32_C(0x9e3779b1)


/* the places a term can have in the precedence, strongest first */

typedef enum {
    MIQPS_RANK_OPERATOR_KEEP = 0,
    MIQPS_RANK_OPERATOR_STRIP,
    MIQPS_RANK_KEEP,
    MIQPS_RANK_STRIP,
    MIQPS_RANK_EXCEPT,
    MIQPS_RANK_MAX
} miqps_rank_e;


typedef struct miqps_term_s  miqps_term_t;

struct miqps_term_s {
    const miqps_rule_t     *rule;        /* NULL for marks of the guard */
    miqps_term_t           *next;
    uint32_t                scope;
    uint32_t                marks;       /* of a guard's prefix */
    uint8_t                 rank;        /* miqps_rank_e */
    uint8_t                 why;         /* miqps_why_e */
    uint8_t                 keeps;       /* its action is MIQPS_KEEP */
    miqps_str_t             value;       /* with MIQPS_WHY_VALUE */
    miqps_glob_t            glob;        /* with MIQPS_WHY_WILDCARD */
    miqps_regex_t           regex;       /* with MIQPS_WHY_REGEX */
};


typedef struct {
    uint32_t                hash;
    uint32_t                scope;
    const uint8_t          *name;        /* NULL in an empty slot */
    uint32_t                len;
    uint32_t                marks;
    miqps_term_t           *terms;
} miqps_slot_t;


struct miqps_policy_s {
    miqps_slot_t           *slots;
    uint32_t                mask;

    miqps_term_t           *stars[256];  /* by first byte of the name */
    miqps_term_t           *any_star;    /* those that begin with the star */

    miqps_term_t          **regexes;     /* by scope */
    unsigned                some_regex;

    miqps_scope_table_t     scopes;
    miqps_regex_work_t      work;
};


#endif /* _MIQPS_POLICY_DATA_H_INCLUDED_ */
