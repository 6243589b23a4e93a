
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_MAKE_H_INCLUDED_
#define _MAP_MAKE_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * The image of map source that is in memory, to be free()d.  "name" is what
 * complaints call the source.  LEARN_EXIT_OK, or LEARN_EXIT_FAILED after one.
 */
int learn_map_make(const char *command, const char *name, const char *text,
    size_t len, uint8_t **data, size_t *size);


#endif /* _MAP_MAKE_H_INCLUDED_ */
