
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_FILE_H_INCLUDED_
#define _MAP_FILE_H_INCLUDED_


#include "miqps_image_check.h"


/* The file of an image, read and checked. */

typedef struct {
    const char      *name;
    uint8_t         *data;
    size_t           size;
    miqps_image_t    image;
} learn_map_file_t;


/*
 * LEARN_EXIT_OK, or LEARN_EXIT_FAILED after one complaint that begins with
 * "command"; release it in any case.
 */
int learn_map_file_open(learn_map_file_t *file, const char *command,
    const char *name);
void learn_map_file_release(learn_map_file_t *file);

/* the same; NULL, or what is wrong with it */

const char *learn_map_file_try(learn_map_file_t *file, const char *name);

/* a copy of bytes that are elsewhere; NULL, or what is wrong with them */

const char *learn_map_file_copy(learn_map_file_t *file, const uint8_t *data,
    size_t size);


#endif /* _MAP_FILE_H_INCLUDED_ */
