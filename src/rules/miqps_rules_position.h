
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_RULES_POSITION_H_INCLUDED_
#define _MIQPS_RULES_POSITION_H_INCLUDED_


#include <stddef.h>

#include <cjson/cJSON.h>


/*
 * Where in a text a value stands.  cJSON forgets positions, but its tree has
 * the values of the text in the order of the text, so that counting finds
 * them again.
 */


/* the offset of "item" of the tree "root" read from "text"; or of its key */

size_t miqps_position_of(const char *text, size_t len, const cJSON *root,
    const cJSON *item, int key);

/* turns an offset into line and column, both from 1 */

void miqps_position_line(const char *text, size_t len, size_t offset,
    size_t *line, size_t *column);


#endif /* _MIQPS_RULES_POSITION_H_INCLUDED_ */
