
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_POLICY_DATA_H_INCLUDED_
#define _MIQPS_POLICY_DATA_H_INCLUDED_


#include "miqps_family.h"
#include "miqps_glob.h"
#include "miqps_hash.h"
#include "miqps_policy.h"
#include "miqps_regex.h"
#include "miqps_scope.h"


/*
 * INSIDE A POLICY
 *
 * Each rule becomes a term.  All names that rules or the guard have are in
 * one table, whatever their scope, so that a name that nobody knows costs one
 * look.  A name knows its terms that hold everywhere; those of other scopes
 * are found by scope and name.  Terms with a star are chained by the first
 * byte before the star, behind a filter that few names pass.  Regular
 * expressions are chained by scope, and run last.
 *
 *     names  name | marks of the guard | verdict | term --> term --> ...
 *     pairs  scope, name | verdict | term --> term --> ...
 *     stars  [first byte] --> term --> term --> ...
 *     regex  [scope] --> term --> term --> ...
 */


/*
 * The places in the precedence, strongest first.  STRICT is not a rule's: it
 * is what strips where nothing above it speaks.
 */

typedef enum {
    MIQPS_RANK_OPERATOR_KEEP = 0,
    MIQPS_RANK_OPERATOR_STRIP,
    MIQPS_RANK_KEEP,
    MIQPS_RANK_STRICT,
    MIQPS_RANK_EXCEPT,
    MIQPS_RANK_STRIP,
    MIQPS_RANK_NONE,                     /* nobody speaks */
    MIQPS_RANK_MAX
} miqps_rank_e;

#define miqps_rank_bit(rank)  (1u << (rank))


/* what a term says, and all that most parameters need of it */

typedef struct {
    const miqps_rule_t     *rule;        /* NULL for marks of the guard */
    uint8_t                 action;      /* KEEP or STRIP, as the rank */
    uint8_t                 layer;       /* as a parameter has it */
    uint8_t                 why;         /* miqps_why_e */
    uint8_t                 rank;        /* miqps_rank_e */
    uint32_t                more;        /* not 0: the name and its key are
                                            not enough to know */
} miqps_verdict_t;


typedef struct miqps_term_s  miqps_term_t;

struct miqps_term_s {
    miqps_verdict_t         verdict;
    miqps_term_t           *next;
    uint64_t                key;         /* of the prefix before a star ... */
    uint64_t                mask;        /* ... and its bits */
    uint32_t                scope;
    uint32_t                marks;       /* of a guard's prefix */
    miqps_glob_t            glob;        /* with MIQPS_WHY_WILDCARD */
    miqps_str_t             value;       /* with MIQPS_WHY_VALUE */
    miqps_regex_t           regex;       /* with MIQPS_WHY_REGEX */
};

#define miqps_term_keeps(term)                                                \
    ((term)->verdict.rule->action == MIQPS_KEEP)


/*
 * The terms of a name in a scope.  Most often it is one that holds for any
 * value; then its verdict is here, where it costs no other cache line, and
 * verdict.more is 0.  Without a term the rank is NONE.
 */

typedef struct {
    miqps_verdict_t         verdict;
    miqps_term_t           *terms;
} miqps_entry_t;


/* a place in the table of names, perhaps an empty one that knows nothing */

typedef struct {
    uint64_t                key;         /* miqps_family_key() ... */
    uint64_t                rest;        /* ... of the bytes behind it */
    uint64_t                taken;       /* all ones; 0 if it is empty */
    const uint8_t          *name;
    uint32_t                len;
    uint32_t                marks;
    miqps_entry_t           any;         /* what scope 0 has */
} miqps_name_t;


typedef struct {
    uint64_t                id;          /* miqps_pair_id(); 0 if empty */
    miqps_entry_t           entry;
} miqps_pair_t;

#define miqps_pair_id(scope, place)                                           \
    ((uint64_t) (scope) << 32 | (place))


/*
 * Lets names through that may match a term with a star: by their first byte a
 * set, in which they are by their third.
 */

typedef struct {
    uint64_t                third[256];
} miqps_filter_t;


struct miqps_policy_s {
    miqps_name_t           *names;
    miqps_pair_t           *pairs;
    unsigned                names_shift;
    unsigned                pairs_shift;

    miqps_verdict_t         nobody;      /* if no rule speaks */

    miqps_term_t           *stars[256];  /* by first byte of the name */
    miqps_term_t           *any_star;    /* those that begin with the star */

    miqps_filter_t          filter;
    miqps_filter_t          strict;      /* for those above STRICT only */

    miqps_term_t          **regexes;     /* by scope */
    unsigned                some_regex;

    miqps_scope_table_t     scopes;
    miqps_regex_work_t      work;
};


static inline int
miqps_filter_passes(const miqps_filter_t *filter, uint64_t key)
{
    return (int) (filter->third[key >> 56] >> (key >> 40 & 63) & 1);
}


/*
 * What a name has behind the bytes of its key.  No name holds a NUL, so that
 * these two are all there is of a name of up to sixteen bytes.
 */

static inline uint64_t
miqps_policy_rest(const uint8_t *name, size_t len)
{
    return (len > 8) ? miqps_family_key(name + 8, len - 8) : 0;
}


/* goes on to look for a name from a place on that may have another */

miqps_noinline uint64_t miqps_policy_probe(const miqps_policy_t *policy,
    const uint8_t *data, size_t len, uint64_t key, uint64_t rest,
    uint64_t place);

miqps_noinline uint64_t miqps_policy_probe_pair(const miqps_policy_t *policy,
    uint64_t id, uint64_t i);


/*
 * Where a name is in names[], or the empty place where it would be.  "key"
 * and "rest" are the name's.
 */

static inline uint64_t
miqps_policy_place(const miqps_policy_t *policy, const uint8_t *data,
    size_t len, uint64_t key, uint64_t rest)
{
    uint64_t             place, differs;
    const miqps_name_t  *name;

    place = miqps_hash_name(key, rest) >> policy->names_shift;
    name = &policy->names[place];

    /*
     * One branch, whether the name is known or not.  The length counts: sixteen
     * bytes may be all of one name and the beginning of another.
     */

    differs = (name->key ^ key) | (name->rest ^ rest) | (name->len ^ len);

    if ((differs & name->taken) != 0 || len > 16) {
        return miqps_policy_probe(policy, data, len, key, rest, place);
    }

    return place;
}


/* what a scope other than 0 has for the name at a place */

static inline miqps_pair_t *
miqps_policy_pair(const miqps_policy_t *policy, uint32_t scope,
    uint64_t place)
{
    uint64_t  i, id, found, differs;

    id = miqps_pair_id(scope, place);
    i = miqps_hash_pair(id) >> policy->pairs_shift;

    found = policy->pairs[i].id;
    differs = found ^ id;

    /* one branch here, too: neither empty nor the one */

    if (((differs < found) ? differs : found) != 0) {
        i = miqps_policy_probe_pair(policy, id, i);
    }

    return &policy->pairs[i];
}


#endif /* _MIQPS_POLICY_DATA_H_INCLUDED_ */
