
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_GUARD_H_INCLUDED_
#define _LEARN_GUARD_H_INCLUDED_


#include <stdio.h>

#include "merge.h"
#include "store/store.h"


/*
 * THE GUARD
 *
 * Compares a new map with the published one, host by host:
 *
 *   - a pattern that would lose a parameter that mattered is an anomaly, see
 *     anomaly.h; parameters that matter now, and patterns that are gone, are
 *     none; a host that is new is compared with the wildcard that served it;
 *   - a host of whose published patterns more than "anomalies" percent are
 *     anomalies, or more than "vanish" percent are gone, stays as it is
 *     published;
 *   - of other hosts the new map is taken, patterns that are anomalies keep
 *     what either map keeps, new patterns keep what all published ones with
 *     that name keep, and path rules that take what was kept are left out, as
 *     are new ones that rest on nothing, see proven.h.
 *
 * A host stays as it is published, too, if it would be as it was when it was
 * rolled back, see watch.h.
 *
 * If more than "change" percent of the URLs that the store has of all sites
 * would become others than before, some hosts wait for the next time, so that
 * caches are not emptied at once; at least one does not wait, but may be taken
 * in part, see guard_part.h.  Each of these
 * URLs is also a test: a host by which one would lose what mattered stays.
 *
 * Then the whole map is looked at: it is refused if it is empty, too large, or
 * too much smaller or larger than the published one.
 */

typedef struct {
    double           anomalies;      /* percent of a host's patterns */
    double           vanish;         /* percent of a host's patterns gone */
    double           change;         /* percent of URLs that may change */
    double           shrink;         /* percent of hosts or patterns gone */
    double           grow;           /* percent of them more */
    uint64_t         size;           /* bytes */
} learn_guard_limits_t;


#define LEARN_GUARD_ANOMALIES  10.0
#define LEARN_GUARD_VANISH     60.0
#define LEARN_GUARD_CHANGE     25.0
#define LEARN_GUARD_SHRINK     40.0
#define LEARN_GUARD_GROW       80.0
#define LEARN_GUARD_SIZE       (1024 * 1024 * 1024)

/* so few more are no reason to refuse a map, and so few may all be gone */

#define LEARN_GUARD_FEW        10
#define LEARN_GUARD_SOME       4


typedef struct {
    const char            *command;
    learn_guard_limits_t   limits;
    learn_store_t         *store;    /* or NULL: its URLs are not looked at */
    const char            *source;   /* what the new map was made of, which */
    size_t                 len;      /* tells on what its path rules rest; or
                                        NULL: that is not looked at */
    unsigned               force:1;  /* it is told, and taken all the same */

    /* what came out */

    uint64_t               hosts;    /* of the new map; of these */
    uint64_t               fresh;    /* are not in the published one, */
    uint64_t               merged;   /* have anomalies, and keep more, */
    uint64_t               refused;  /* stay as they are published */
    uint64_t               later;    /* wait for the next time */
    uint64_t               parts;    /* are taken in part */
    uint64_t               held;     /* were rolled back as they are now */
    uint64_t               dropped;  /* path rules that rest on nothing */
    uint64_t               gone;     /* are in the published one only */
    double                 changed;  /* percent of URLs that change */
    char                   why[512]; /* it was refused as a whole */
    uint8_t               *data;     /* the map to publish, on the heap */
    size_t                 size;
} learn_guard_t;


/*
 * "old" is NULL if nothing was published.  A line is printed for each host
 * that is not as in the new map.
 *
 * LEARN_EXIT_OK       guard->data is the map to publish
 * LEARN_EXIT_REFUSED  guard->why says why there is none
 * LEARN_EXIT_FAILED   after a complaint
 */
int learn_guard(learn_guard_t *guard, const miqps_image_t *old,
    const miqps_image_t *new, FILE *out);

void learn_guard_init(learn_guard_t *guard, const char *command);
void learn_guard_release(learn_guard_t *guard);


#endif /* _LEARN_GUARD_H_INCLUDED_ */
