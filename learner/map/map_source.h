
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_SOURCE_H_INCLUDED_
#define _MAP_SOURCE_H_INCLUDED_


#include "map_builder.h"
#include "map_text.h"


/*
 * Reads map source, see miqps-map(5), into a map.
 *
 * LEARN_TEXT_END       all of it was read
 * LEARN_TEXT_SYNTAX    "error" says what is wrong, and where
 * LEARN_TEXT_FAILED    errno says why it cannot be read
 * LEARN_TEXT_NO_MEMORY
 *
 * "each", if it is not NULL, is called after each host.
 */

typedef void (*learn_source_each_pt)(void *data, const learn_map_t *map);

learn_text_rc_e learn_source_read(learn_map_t *map, learn_text_t *text,
    learn_source_each_pt each, void *data, learn_text_error_t *error);


#endif /* _MAP_SOURCE_H_INCLUDED_ */
