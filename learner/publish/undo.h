
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_UNDO_H_INCLUDED_
#define _LEARN_UNDO_H_INCLUDED_


#include "entry.h"
#include "store/store.h"


/*
 * A MAP WITHOUT WHAT DID HARM: a new one, but for some hosts, which are as
 * they were in the old one, or not in it if they were not.
 */

typedef struct {
    const char              *command;
    learn_index_t            old;
    learn_index_t            new;
    learn_view_t             view;
    uint8_t                 *changed;  /* hosts of the new map, by place */
    uint8_t                 *back;     /* ... that are to be as they were */
    uint8_t                 *again;    /* those that they were, of the old */

    uint8_t                 *data;     /* see learn_undo_source() */
    miqps_image_t            image;
    learn_index_t            source;
    uint8_t                 *former_data;   /* ... and learn_undo_former() */
    miqps_image_t            former_image;
    learn_index_t            former;
} learn_undo_t;


/*
 * "old" is NULL if there was none; the images have to stay.  LEARN_EXIT_OK, or
 * LEARN_EXIT_FAILED after a complaint; release it in any case.
 */
int learn_undo_init(learn_undo_t *undo, const char *command,
    const miqps_image_t *old, const miqps_image_t *new);
void learn_undo_release(learn_undo_t *undo);

/* true if the maps do not say the same of a host */

int learn_undo_changed(const learn_undo_t *undo, const char *name);

/* it is to be as it was; returns its entry in the new map, or NULL */

const learn_index_host_t *learn_undo_mark(learn_undo_t *undo,
    const char *name);

/* true of a host for which that was said */

int learn_undo_marked(const learn_undo_t *undo, const char *name);

/*
 * Reads what the new map was made of, by its number, if the archive has it: an
 * entry of that may have got into the map with what an older one kept, and
 * would again.
 */
int learn_undo_source(learn_undo_t *undo, learn_store_t *store,
    int64_t version);

/* the same of the old map */

int learn_undo_former(learn_undo_t *undo, const miqps_str_t *source);

/*
 * Holds the entry that a host has in what the new map was made of, or if that
 * was not read or has not got it, in the new map: the same is not published
 * for it again.  "host" is among those of undo->new.  learn_undo_holds() does
 * so for all hosts that changed, and what they had in the old map, and in what
 * that was made of, is held no more.  LEARN_EXIT_OK, or another after a
 * complaint; it is for the caller to begin and commit.
 */
int learn_undo_hold(learn_undo_t *undo, learn_store_t *store,
    const learn_index_host_t *host, const char *why);
int learn_undo_holds(learn_undo_t *undo, learn_store_t *store,
    const char *why);

/* the source of such a map, and its image, both on the heap */

int learn_undo_make(learn_undo_t *undo, char **text, size_t *len,
    uint8_t **data, size_t *size);


#endif /* _LEARN_UNDO_H_INCLUDED_ */
