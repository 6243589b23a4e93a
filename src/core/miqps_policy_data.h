
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_POLICY_DATA_H_INCLUDED_
#define _MIQPS_POLICY_DATA_H_INCLUDED_


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
 *     tags   hash, hash, ...        beside
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
    uint8_t                 rank;        /* miqps_rank_e */
    uint8_t                 action;      /* KEEP or STRIP, as the rank */
    uint8_t                 layer;       /* as a verdict has it */
    uint8_t                 why;         /* miqps_why_e */
    uint32_t                more;        /* in an entry: see there */
} miqps_verdict_t;


typedef struct miqps_term_s  miqps_term_t;

struct miqps_term_s {
    miqps_verdict_t         verdict;
    miqps_term_t           *next;
    uint64_t                key;         /* of the prefix before a star ... */
    uint64_t                mask;        /* ... and its bits */
    uint32_t                scope;
    uint32_t                marks;       /* of a guard's prefix */
    uint32_t                whole;       /* a star that its key tells */
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


typedef struct {
    uint64_t                key;         /* miqps_family_key() */
    uint64_t                tail;        /* miqps_policy_tail() */
    const uint8_t          *name;
    uint32_t                len;
    uint32_t                marks;
    miqps_entry_t           any;         /* what scope 0 has */
    uint32_t                scoped;      /* its number in pairs; or 0 */
} miqps_name_t;


typedef struct {
    uint32_t                scope;       /* 0 in an empty slot */
    uint32_t                name;        /* its miqps_name_t.scoped */
    miqps_entry_t           entry;
} miqps_pair_t;


struct miqps_policy_s {
    uint32_t               *tags;        /* hashes, 0 where there is none */
    miqps_name_t           *names;
    uint32_t                mask;
    miqps_name_t            nobody;

    miqps_pair_t           *pairs;
    uint32_t                pairs_mask;
    uint32_t                nscoped;     /* names that are in pairs */

    miqps_term_t           *stars[256];  /* by first byte of the name */
    miqps_term_t           *any_star;    /* those that begin with the star */
    unsigned                nstars;

    /*
     * A name that may match a star has a bit in common here, by its first and
     * by its third byte; few others have.
     */
    uint64_t                first[256];
    uint64_t                third[256];

    miqps_term_t          **regexes;     /* by scope */
    unsigned                some_regex;

    miqps_scope_table_t     scopes;
    miqps_regex_work_t      work;
};


/*
 * What a name of more than eight bytes has at its end; up to sixteen bytes a
 * key and this are all of it.
 */

static inline uint64_t
miqps_policy_tail(const uint8_t *name, size_t len)
{
    uint64_t  tail;

    if (len <= 8) {
        return 0;
    }

    memcpy(&tail, name + len - 8, 8);

    return tail;
}


/* the rest of a comparison, which few names need */

int miqps_policy_long_eq(const miqps_name_t *name, const uint8_t *data);


/* where a name is in names[], or would be; tags[] there is 0 if it is not */

static inline uint32_t
miqps_policy_place(const miqps_policy_t *policy, const uint8_t *data,
    size_t len, uint64_t key)
{
    uint32_t             i, tag;
    uint64_t             tail;
    const uint32_t      *tags;
    const miqps_name_t  *name;

    tags = policy->tags;
    tag = miqps_hash_name(key, len) | 1;
    tail = miqps_policy_tail(data, len);

    for (i = tag >> 1 & policy->mask; tags[i] != 0; i = (i + 1) & policy->mask)
    {
        if (tags[i] != tag) {
            continue;
        }

        name = &policy->names[i];

        if (name->key == key && name->tail == tail && name->len == len
            && (len <= 16 || miqps_policy_long_eq(name, data)))
        {
            break;
        }
    }

    return i;
}


/* a name, or an empty one that knows nothing */

static inline const miqps_name_t *
miqps_policy_name(const miqps_policy_t *policy, const uint8_t *data,
    size_t len, uint64_t key)
{
    uint32_t  place;

    place = miqps_policy_place(policy, data, len, key);

    return (policy->tags[place] != 0) ? &policy->names[place]
                                      : &policy->nobody;
}


/* where a scope and name are, or would be, in pairs[] */

static inline miqps_pair_t *
miqps_policy_pair(const miqps_policy_t *policy, uint32_t scope, uint32_t name)
{
    uint32_t  i;

    for (i = miqps_hash_pair(scope, name) & policy->pairs_mask;
         policy->pairs[i].scope != 0;
         i = (i + 1) & policy->pairs_mask)
    {
        if (policy->pairs[i].scope == scope && policy->pairs[i].name == name) {
            break;
        }
    }

    return &policy->pairs[i];
}


#endif /* _MIQPS_POLICY_DATA_H_INCLUDED_ */
