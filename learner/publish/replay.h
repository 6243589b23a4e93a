
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_REPLAY_H_INCLUDED_
#define _LEARN_REPLAY_H_INCLUDED_


#include "map/map_view.h"
#include "store/store.h"


/*
 * WHAT WAS ASKED FOR, under two maps: of the URLs that the store has chosen
 * of each site, those that become another URL than before, and so lose their
 * place in caches.
 */

typedef struct {
    uint64_t         urls;
    uint64_t         changed;
} learn_replay_count_t;


/*
 * "old" may be NULL; "counts" has a place for each host of the index of the
 * new map, and what mirrors are asked for is counted with what they mirror;
 * "all" is the sum, with URLs of other hosts.  LEARN_EXIT_OK, or
 * LEARN_EXIT_FAILED after a complaint.
 */
int learn_replay(learn_store_t *store, const miqps_image_t *old,
    const learn_index_t *new, learn_replay_count_t *counts,
    learn_replay_count_t *all);


#endif /* _LEARN_REPLAY_H_INCLUDED_ */
