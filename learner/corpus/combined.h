
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_COMBINED_H_INCLUDED_
#define _LEARN_COMBINED_H_INCLUDED_


#include "miqps_core.h"


/*
 * A line of nginx's access_log in the format "combined", or one that begins
 * as it does:
 *
 *     192.0.2.7 - - [17/Nov/2026:16:00:00 +0000] "GET /p?id=7 HTTP/1.1" 200 5
 *     |             |                                 |                 |
 *     client        day                               target            status
 */

typedef struct {
    miqps_str_t     client;
    miqps_str_t     user;          /* with a space behind; "- " for none */
    miqps_str_t     method;
    miqps_str_t     target;
    int64_t         day;           /* since 1970, as written */
    unsigned        status;
} learn_combined_t;


/*
 * Takes a line apart.  1, or 0 if it has another form, or nginx had to write
 * a byte of the target as "\xHH"; "entry" points into the line.
 */
int learn_combined_parse(learn_combined_t *entry, const miqps_str_t *line);


#endif /* _LEARN_COMBINED_H_INCLUDED_ */
