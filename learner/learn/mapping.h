
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_MAPPING_H_INCLUDED_
#define _LEARN_MAPPING_H_INCLUDED_


#include <stdio.h>

#include "latest.h"


/*
 * The source of a map, a line for each host of which something was learned by
 * itself; its mirrors are in the same line.  LEARN_EXIT_OK, or
 * LEARN_EXIT_FAILED after a complaint; whoever prints looks for errors of
 * "out".
 */
int learn_mapping_print(learn_store_t *store, const learn_latest_t *latest,
    FILE *out);


#endif /* _LEARN_MAPPING_H_INCLUDED_ */
