
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_RULES_DIFF_H_INCLUDED_
#define _MAP_RULES_DIFF_H_INCLUDED_


#include <stdio.h>

#include "map_view.h"


/* path rules of a host record that is no mirror */

uint32_t learn_rules_count(const miqps_image_t *image, const uint8_t *record);

/*
 * Prints in what the path rules of a host differ, and adds the number of
 * lines to "*n"; false without memory.
 */
int learn_diff_rules(const miqps_image_t *one, const learn_index_host_t *old,
    const miqps_image_t *two, const learn_index_host_t *new, int json,
    FILE *out, size_t *n);


#endif /* _MAP_RULES_DIFF_H_INCLUDED_ */
