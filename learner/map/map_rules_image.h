
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_RULES_IMAGE_H_INCLUDED_
#define _MAP_RULES_IMAGE_H_INCLUDED_


#include "map_layout.h"


/* Path rules of a map in its image: "offset" is where the next ones begin. */


/* bytes that the record of a host has for them */

size_t learn_paths_extra(const learn_map_t *map, uint32_t host);

/*
 * Makes them part of a record of "size" bytes, which has learn_paths_extra()
 * more.  Returns the offset of the next ones.
 */
uint64_t learn_paths_mark(const learn_map_t *map, uint32_t host,
    uint8_t *record, size_t size, uint64_t offset);

/* writes all of them; "pool" is there already */

void learn_paths_put(const learn_layout_t *layout, const uint8_t *pool,
    uint8_t *p);


#endif /* _MAP_RULES_IMAGE_H_INCLUDED_ */
