
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_HASH_H_INCLUDED_
#define _MIQPS_HASH_H_INCLUDED_


#define XXH_INLINE_ALL
#include <xxhash.h>

#include "miqps_core.h"


/*
 * Hashes of the policy's tables.  These are filled from configuration only:
 * no request can put two names where they collide.
 */


/* "salt" tells apart the kinds of keys that share a table */

static inline uint32_t
miqps_hash(const uint8_t *data, size_t len, uint32_t salt)
{
    return (uint32_t) XXH3_64bits_withSeed(data, len, salt);
}


/*
 * The name of a parameter, by its key, which is its first eight bytes, and
 * its length.  Names that differ behind that share a place.
 */

static inline uint32_t
miqps_hash_name(uint64_t key, size_t len)
{
    key ^= len;

    /* a short name has its bytes at the top, where a product loses them */

    key ^= key >> 32;

    return (uint32_t) (key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}


/* a scope and the number of a name in it, both counted from 1 */

static inline uint32_t
miqps_hash_pair(uint32_t scope, uint32_t name)
{
    return (scope * UINT32_C(0x9e3779b1) >> 7) + name * UINT32_C(0x85ebca6b);
}


/* the size of a table, a power of two, that "n" keys fill by a quarter */

static inline uint32_t
miqps_hash_size(size_t n)
{
    uint32_t  size;

    for (size = 8; size < 4 * n; size *= 2) { /* void */ }

    return size;
}


#endif /* _MIQPS_HASH_H_INCLUDED_ */
