
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_SCOPE_H_INCLUDED_
#define _MIQPS_SCOPE_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_glob.h"
#include "miqps_guard.h"
#include "miqps_regex.h"
#include "miqps_rule.h"


/*
 * WHICH SCOPES HOLD FOR A URL
 *
 * Host patterns are in one hash table, keyed by the literal part and its
 * kind: "shop.example" exact, "*.shop.example" under it, "shop.*" before a
 * suffix, "*.shop.*" both.  A host is looked up once as it is and once for
 * each label it can lose, so that the cost does not depend on the number of
 * patterns.  Scopes without hosts are tried one by one.
 */

typedef struct {
    uint64_t                hash;
    miqps_str_t             host;
    uint32_t                kind;
    uint32_t                scope;      /* index */
    uint32_t                next;       /* same host, another scope; or 0 */
} miqps_scope_host_t;


typedef struct {
    miqps_glob_t            glob;
    miqps_regex_t           regex;      /* instead, if code is not NULL */
} miqps_scope_path_t;


typedef struct {
    const miqps_scope_t    *scopes;
    size_t                  nscopes;

    uint32_t               *table;      /* of 1-based indices of hosts */
    miqps_scope_host_t     *hosts;
    size_t                  nhosts;
    uint32_t                mask;
    unsigned                shift;      /* of a hash */
    uint32_t                kinds;      /* bits of the kinds there are */

    uint32_t               *anywhere;   /* scopes with paths, no hosts */
    size_t                  nanywhere;

    miqps_scope_path_t    **paths;      /* by scope, npaths of them */

    int                     plain;      /* the host is all that matters */
} miqps_scope_table_t;


/*
 * Compiles "scopes", which must outlive "table".
 *
 * MIQPS_OK            miqps_scope_table_release() it
 * MIQPS_NO_MEMORY     \
 * MIQPS_SYNTAX         \ nothing is left to release; except for NO_MEMORY
 * MIQPS_BAD_REGEX      / "fault" tells which and why
 * MIQPS_COSTLY_REGEX  /
 */
miqps_rc_e miqps_scope_table_init(miqps_scope_table_t *table,
    const miqps_scope_t *scopes, size_t nscopes, const miqps_mem_t *mem,
    miqps_regex_work_t *work, miqps_fault_t *fault);
void miqps_scope_table_release(miqps_scope_table_t *table);


/*
 * MIQPS_OK, or why "host" or "path" is not of a form of miqps_rule.h: for
 * readers that know the position.
 */
miqps_rc_e miqps_scope_check_host(const miqps_str_t *host,
    miqps_fault_t *fault);
miqps_rc_e miqps_scope_check_path(const miqps_str_t *path,
    miqps_regex_work_t *work, miqps_fault_t *fault);


/*
 * Finds the scopes of a URL.  "active" has room for MIQPS_MAX_ACTIVE.
 *
 * MIQPS_GUARD_PASS    "*n" scopes, the first of them scope 0; "*strict" is a
 *                     strict one among them, or NULL
 * MIQPS_GUARD_SCOPES  there are more than fit, or the regular expression of
 *                     a path gave up
 */
miqps_guard_e miqps_scope_find(const miqps_scope_table_t *table,
    miqps_regex_work_t *work, const miqps_str_t *host,
    const miqps_str_t *path, uint32_t *active, size_t *n,
    const miqps_scope_t **strict);


#endif /* _MIQPS_SCOPE_H_INCLUDED_ */
