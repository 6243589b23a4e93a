
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_RULED_H_INCLUDED_
#define _LEARN_RULED_H_INCLUDED_


#include "store/store.h"


/*
 * Prints which path rules of the map that was published last apply to a URL:
 * both sides, what becomes of the URL, and the support and evidence that the
 * source of the map has for them.  "*n" is how many there are.  LEARN_EXIT_OK,
 * or LEARN_EXIT_FAILED after a complaint.
 */
int learn_ruled_print(learn_store_t *store, const char *command,
    const miqps_str_t *url, size_t *n);


#endif /* _LEARN_RULED_H_INCLUDED_ */
