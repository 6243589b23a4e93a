
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_REPLAY_H_INCLUDED_
#define _LEARN_REPLAY_H_INCLUDED_


#include "map/map_view.h"
#include "normalizer.h"
#include "store/store.h"


/*
 * WHAT WAS ASKED FOR, under two maps: of the URLs that the store has chosen
 * of each site, those that become another URL than before, and so lose their
 * place in caches; and those that lose what mattered.
 *
 * A URL counts for the entry of the new map that serves its host, also as a
 * mirror or below a wildcard; or if there is none, for that of the old one.
 *
 * What mattered is lost if it is stripped; or if a path rule makes one URL of
 * two that are told apart by nothing but the value of it.
 */

typedef struct {
    uint64_t               urls;
    uint64_t               changed;
    uint64_t               lost;
} learn_replay_count_t;


/* a URL that becomes another, for the host at this place of the new index */

typedef void (*learn_replay_pt)(size_t place, const learn_normalized_t *a,
    const learn_normalized_t *b, void *data);


typedef struct {
    const learn_index_t   *old;
    const learn_index_t   *new;
    learn_replay_count_t  *before;       /* by the place of the host */
    learn_replay_count_t  *after;
    learn_replay_count_t   all;          /* with URLs of other hosts */
    learn_replay_pt        each;         /* or NULL */
    void                  *data;
} learn_replay_t;


/*
 * The indexes are given, and counts begin as zeroes.  LEARN_EXIT_OK, or
 * LEARN_EXIT_FAILED after a complaint.
 */
int learn_replay(learn_replay_t *replay, learn_store_t *store);


#endif /* _LEARN_REPLAY_H_INCLUDED_ */
