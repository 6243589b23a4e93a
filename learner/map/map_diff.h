
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_DIFF_H_INCLUDED_
#define _MAP_DIFF_H_INCLUDED_


#include <stdio.h>

#include "miqps_image.h"


/* prints in what two images differ, "*n" lines; false without memory */

int learn_diff_images(const miqps_image_t *one, const miqps_image_t *two,
    int json, FILE *out, size_t *n);


#endif /* _MAP_DIFF_H_INCLUDED_ */
