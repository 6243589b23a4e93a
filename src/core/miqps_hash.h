
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_HASH_H_INCLUDED_
#define _MIQPS_HASH_H_INCLUDED_


#define XXH_INLINE_ALL
#include <xxhash.h>

#include "miqps_core.h"


/*
 * The hash of the policy's tables.  They are filled from configuration only,
 * and "salt" tells apart the kinds of keys that share a table.
 */

static inline uint32_t
miqps_hash(const uint8_t *data, size_t len, uint32_t salt)
{
    return (uint32_t) XXH3_64bits_withSeed(data, len, salt);
}


/* the size of a table, a power of two, that "n" keys fill by half at most */

static inline uint32_t
miqps_hash_size(size_t n)
{
    uint32_t  size;

    for (size = 8; size < 2 * n; size *= 2) { /* void */ }

    return size;
}


#endif /* _MIQPS_HASH_H_INCLUDED_ */
