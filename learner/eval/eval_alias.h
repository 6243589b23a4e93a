
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _EVAL_ALIAS_H_INCLUDED_
#define _EVAL_ALIAS_H_INCLUDED_


#include "miqps_core.h"


/*
 * The guard leaves a query alone that has a signature or a secret, whatever
 * has been learned, and goes by names: "s=9f2c..." could be one.  To see what
 * was learned, and not what the guard thinks of it, such names get another
 * name: "-s=9f2c...".  URLs that differ still do.
 */

typedef struct {
    uint8_t     *buf;
    size_t       size;
} learn_alias_t;                         /* zeroes to begin with */


/* valid until the next; returns 0 without memory */

int learn_alias_url(learn_alias_t *alias, const miqps_str_t *url,
    miqps_str_t *result);

void learn_alias_release(learn_alias_t *alias);


#endif /* _EVAL_ALIAS_H_INCLUDED_ */
