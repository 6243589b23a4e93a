
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_MAPPING_H_INCLUDED_
#define _LEARN_MAPPING_H_INCLUDED_


#include <stdio.h>

#include "latest.h"


/*
 * What a run has learned of its host, as a line of map source with the
 * evidence for it.  LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint.
 */
int learn_mapping_print(learn_store_t *store, const char *command,
    const learn_latest_run_t *latest, FILE *out);


#endif /* _LEARN_MAPPING_H_INCLUDED_ */
