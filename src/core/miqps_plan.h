
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_PLAN_H_INCLUDED_
#define _MIQPS_PLAN_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_image.h"
#include "miqps_policy.h"
#include "miqps_scan.h"


/*
 * PLANS
 *
 * A site is asked for the same sets of names again and again, with other
 * values.  Where names alone decide, what became of one query holds for all
 * that have the same names in the same order: which pieces stay, and in which
 * order.  That is a plan:
 *
 *     utm_source  id  fbclid  color     ->     color, id
 *         0       1     2       3                3     1
 *
 * Plans are kept in a table by a hash of the names, four in a place.  A plan is
 * followed only if all names are its own, byte for byte, and so are the policy,
 * the scopes, and the host in the map, if that has it.  A query for which
 * there is none takes the long way, and leaves one behind; the oldest one of
 * its place has to go.
 *
 * There is no plan for a query that has a name longer than sixteen bytes, a
 * piece that is empty or has no "=", a second "=" in one, bytes that are not
 * ASCII, a parameter whose value has a say in its fate, or more names or
 * scopes than is usual; nor where the map asks for the path.
 */

#define MIQPS_PLAN_NAMES  12                   /* at most */
#define MIQPS_PLANS       4096                 /* a power of two */
#define MIQPS_PLAN_WAYS   4                    /* in a place */
#define MIQPS_PLAN_HOSTS  512                  /* a power of two */


/* the bytes of a name, and zeroes; no name has a zero */

typedef struct {
    uint64_t               first;
    uint64_t               rest;
} miqps_plan_name_t;


/* what else than names decides */

typedef struct {
    const miqps_policy_t  *policy;             /* NULL: there is no plan */
    uint64_t               scopes;             /* up to two beside scope 0 */
    const uint8_t         *record;             /* of the host, or NULL: the */
    uint64_t               serial;             /* map has not got it; of that */
} miqps_plan_key_t;


typedef struct {
    miqps_plan_key_t       key;
    uint64_t               tag;                /* hash, names, sort, shown */
    miqps_strips_t         strips;
    uint8_t                n;                  /* names */
    uint8_t                kept;
    uint8_t                known;              /* by the map */
    uint8_t                order[MIQPS_PLAN_NAMES];
    uint8_t                verdicts[MIQPS_PLAN_NAMES];  /* of names */
    miqps_plan_name_t      names[MIQPS_PLAN_NAMES];
} miqps_plan_t;


/* the record of a host in a map, which is asked for it often */

typedef struct {
    uint64_t               serial;             /* of the map; 0: unused */
    uint64_t               len;                /* of the host, 8 to 24 */
    uint64_t               bytes[3];           /* of which some are twice */
    const uint8_t         *record;             /* or NULL */
} miqps_plan_host_t;


/* zeroed before the first use; for one policy or many, and one thread */

typedef struct {
    miqps_plan_t           plans[MIQPS_PLANS];
    miqps_plan_host_t      hosts[MIQPS_PLAN_HOSTS];
} miqps_plans_t;


/* a query as plans see it */

typedef struct {
    miqps_plan_t          *place;
    miqps_plan_key_t       key;
    uint64_t               tag;
    size_t                 n;                  /* pieces */
    uint32_t               at[MIQPS_PLAN_NAMES];
    uint32_t               len[MIQPS_PLAN_NAMES];
    miqps_plan_name_t      names[MIQPS_PLAN_NAMES];
} miqps_planned_t;


/* the scopes of a key; false if there are too many */

static inline int
miqps_plan_scopes(miqps_plan_key_t *key, const uint32_t *active, size_t n)
{
    key->scopes = (n > 1) ? active[1] : MIQPS_SCOPE_ANY;

    if (n > 2) {
        key->scopes |= (uint64_t) active[2] << 32;
    }

    return n <= 3;
}


/*
 * Reads the pieces of "args", which is percent-normalized and padded, into
 * "q", whose key is set, and finds its place.  "flags" is anything else that
 * must be equal, of eight bits.  False if there can be no plan for it: "q" is
 * void then.
 */
int miqps_plan_read(miqps_planned_t *q, miqps_plans_t *plans, unsigned flags,
    const miqps_str_t *args, const miqps_scan_t *scan);

/* as miqps_map_host(), which is remembered; "plans" may be NULL */

const uint8_t *miqps_plan_record(miqps_plans_t *plans,
    const miqps_image_t *image, const miqps_str_t *host);

/* the plan for this query, or NULL */

const miqps_plan_t *miqps_plan_find(const miqps_planned_t *q);

/*
 * Follows the plan: writes to "out", which has room for args->len bytes and
 * MIQPS_QUERY_SLACK more.  Returns the length.
 */
size_t miqps_plan_emit(const miqps_plan_t *plan, const miqps_planned_t *q,
    const miqps_str_t *args, uint8_t *out);

/*
 * Leaves a plan: "order" has the pieces of the query in the order of the
 * result, of which those stay that "params" keeps.  "known" is for the one who
 * follows it.  Nothing is left if a value had a say in that, or if "q" is
 * NULL.
 */
void miqps_plan_leave(const miqps_planned_t *q, const miqps_param_t *params,
    const uint16_t *order, int known);


#endif /* _MIQPS_PLAN_H_INCLUDED_ */
