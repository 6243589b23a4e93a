
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_POLICY_H_INCLUDED_
#define _MIQPS_POLICY_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_map.h"
#include "miqps_query.h"
#include "miqps_rule.h"


/*
 * A POLICY is rules and scopes compiled for lookup.  It never changes after
 * miqps_policy_init(); regular expressions share scratch memory in it, so that
 * one thread at a time may use it.
 */

typedef struct miqps_policy_s  miqps_policy_t;


/*
 * Compiles "rules" and "scopes", which must outlive the policy.  "nscopes"
 * is at least 1.  The names of the guard are always part of it, so that an
 * empty policy guards too.
 *
 * MIQPS_OK            "*policy" is set; miqps_policy_release() it
 * MIQPS_NO_MEMORY     \
 * MIQPS_SYNTAX         \ nothing is left to release; except for NO_MEMORY,
 * MIQPS_BAD_REGEX      / "fault" tells the text and why
 * MIQPS_COSTLY_REGEX  /
 */
miqps_rc_e miqps_policy_init(miqps_policy_t **policy,
    const miqps_rule_t *rules, size_t nrules, const miqps_scope_t *scopes,
    size_t nscopes, const miqps_mem_t *mem, miqps_fault_t *fault);

/* frees what PCRE2 holds; the rest belongs to the miqps_mem_t */

void miqps_policy_release(miqps_policy_t *policy);


/*
 * Checks the text of one rule, or of a host or path of a scope, as
 * miqps_policy_init() would: for readers that know the position.  Results
 * are the same.
 */
miqps_rc_e miqps_policy_check_rule(const miqps_str_t *text,
    miqps_fault_t *fault);
miqps_rc_e miqps_policy_check_host(const miqps_str_t *text,
    miqps_fault_t *fault);
miqps_rc_e miqps_policy_check_path(const miqps_str_t *text,
    miqps_fault_t *fault);


/*
 * Finds the scopes that are active for a host and path.  "active" has room
 * for MIQPS_MAX_ACTIVE; scope 0 comes first.
 *
 * MIQPS_GUARD_PASS    "*n" are active; "*strict" is the first strict one, or
 *                     NULL
 * MIQPS_GUARD_SCOPES  there are more
 */
miqps_guard_e miqps_policy_scopes(const miqps_policy_t *policy,
    const miqps_str_t *host, const miqps_str_t *path, uint32_t *active,
    size_t *n, const miqps_scope_t **strict);


/* true if scopes do not depend on the path */

int miqps_policy_pathless(const miqps_policy_t *policy);


/*
 * Decides each of "params" by its name and value alone: sets action, layer,
 * why and rule.  "*gave_up" is set if a regular expression did, so that
 * nothing may be stripped.  Returns what the guard thinks of all of them
 * together; when that is not MIQPS_GUARD_PASS, the verdicts are void.
 *
 * What depends on the other members of a family is settled later, by
 * miqps_family_settle().
 */
miqps_guard_e miqps_policy_decide(const miqps_policy_t *policy,
    const uint32_t *active, size_t nactive, const miqps_scope_t *strict,
    miqps_param_t *params, size_t n, unsigned *gave_up);


/*
 * Adds what a map says of a parameter that has been decided, if it says
 * something, no rule keeps it, and the operator did not speak.  With "shown"
 * the result will be seen in a browser, so that what a script of the page
 * reads stays.
 */
void miqps_policy_learned(miqps_param_t *param, miqps_learned_e learned,
    int shown);


#endif /* _MIQPS_POLICY_H_INCLUDED_ */
