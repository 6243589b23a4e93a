
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ENTRY_H_INCLUDED_
#define _LEARN_ENTRY_H_INCLUDED_


#include "map/map_view.h"


/*
 * THE ENTRY OF A HOST in a map, with its mirrors, as text that is the same for
 * the same contents; to be free()d, NULL without memory.
 */
char *learn_entry_text(const learn_index_t *index,
    const learn_index_host_t *host, learn_view_t *view);

/* a number for such a text, of 63 bits */

uint64_t learn_entry_hash(const char *text);

/*
 * The entry that speaks for a host, or for "*.NAME" that one itself; NULL if
 * there is none.
 */
const learn_index_host_t *learn_entry_of(const learn_index_t *index,
    const char *name);


#endif /* _LEARN_ENTRY_H_INCLUDED_ */
