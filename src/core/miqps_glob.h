
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_GLOB_H_INCLUDED_
#define _MIQPS_GLOB_H_INCLUDED_


#include "miqps_core.h"


/*
 * A pattern with at most one "*": what stands before and after it.  One star
 * is enough for names and paths, and it matches in linear time.
 */

typedef struct {
    miqps_str_t     prefix;
    miqps_str_t     suffix;
    unsigned        star:1;     /* without, "prefix" is the whole */
} miqps_glob_t;


/*
 * Splits "text" at its star; "glob" points into it.
 *
 * MIQPS_OK      "glob" is set
 * MIQPS_SYNTAX  there are two stars
 */
miqps_rc_e miqps_glob_init(miqps_glob_t *glob, const miqps_str_t *text);


static inline int
miqps_glob_match(const miqps_glob_t *glob, const uint8_t *data, size_t len)
{
    size_t  prefix, suffix;

    prefix = glob->prefix.len;
    suffix = glob->suffix.len;

    if (len < prefix + suffix || (!glob->star && len != prefix)) {
        return 0;
    }

    return (prefix == 0 || memcmp(data, glob->prefix.data, prefix) == 0)
           && (suffix == 0
               || memcmp(data + len - suffix, glob->suffix.data, suffix) == 0);
}


#endif /* _MIQPS_GLOB_H_INCLUDED_ */
