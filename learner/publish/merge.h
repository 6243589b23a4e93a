
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_MERGE_H_INCLUDED_
#define _LEARN_MERGE_H_INCLUDED_


#include "anomaly.h"


/*
 * A MAP OF PARTS OF TWO
 *
 * Map source, written host by host: as the new map has it, as the old one has
 * it, or as the new one has it with everything kept that the old one has kept.
 */

typedef struct {
    const char            *command;
    const learn_index_t   *old;
    const learn_index_t   *new;
    learn_view_t           view;
    FILE                  *out;
    char                  *text;
    size_t                 len;
} learn_merge_t;


/* all return LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint */

int learn_merge_init(learn_merge_t *merge, const char *command,
    const learn_index_t *old, const learn_index_t *new);
void learn_merge_release(learn_merge_t *merge);

/* a host with its mirrors, as one of the maps has it */

int learn_merge_host(learn_merge_t *merge, const learn_index_t *index,
    const learn_index_host_t *host);

/* the same, as it is written already */

int learn_merge_text(learn_merge_t *merge, const char *text);

/*
 * "b" of the new map, with what patterns of "a" of the old one lose, which may
 * be another host, or NULL if they lose nothing; with what is "added", where
 * patterns of "b" lose it; and without path rules of "b" that are "dropped",
 * by their place
 */

typedef struct {
    const learn_index_host_t       *a;
    const learn_index_host_t       *b;
    const learn_anomaly_pattern_t  *lost;
    size_t                          n;
    const learn_anomaly_pattern_t  *added;
    size_t                          nadded;
    const uint8_t                  *dropped;
} learn_union_t;


int learn_merge_union(learn_merge_t *merge, const learn_union_t *both);

/*
 * The image of all that was written, on the heap; it is no map that was
 * published yet.
 */
int learn_merge_image(learn_merge_t *merge, uint8_t **data, size_t *size);


#endif /* _LEARN_MERGE_H_INCLUDED_ */
