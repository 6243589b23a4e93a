
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_PRIVATE_H_INCLUDED_
#define _MIQPS_PRIVATE_H_INCLUDED_


#include "miqps_core.h"


/*
 * What tells of a person in a path or query, by its form: such a URL is
 * neither stored nor fetched.
 */

typedef enum {
    MIQPS_PRIVATE_NONE = 0,
    MIQPS_PRIVATE_EMAIL,       /* "a@b.cd", also "a%40b.cd" */
    MIQPS_PRIVATE_PHONE,       /* "+" and 8 to 15 digits, or in groups as
                                  people write them */
    MIQPS_PRIVATE_CARD         /* 14 to 19 digits of a card's issuer that
                                  sum up as a card's do */
} miqps_private_e;


/* the first such thing in raw bytes of a path or query */

miqps_private_e miqps_private_find(const miqps_str_t *text);


#endif /* _MIQPS_PRIVATE_H_INCLUDED_ */
