
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_STATS_H_INCLUDED_
#define _MAP_STATS_H_INCLUDED_


#include <stdio.h>

#include "miqps_image.h"


/* figures about an image, a line each */

void learn_stats_print(const miqps_image_t *image, FILE *out);

/* path rules of all hosts */

uint64_t learn_stats_rules(const miqps_image_t *image);


#endif /* _MAP_STATS_H_INCLUDED_ */
