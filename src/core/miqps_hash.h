
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
 * The name of a parameter, of which the first eight bytes are at hand as its
 * key.  Up to sixteen bytes all of them count, of longer names both ends.
 * Whether a name is long no processor can predict, so that there is no branch
 * on it where eight bytes can be read before "last".
 */

static inline uint32_t
miqps_hash_name(const uint8_t *name, size_t len, uint64_t key,
    const uint8_t *last)
{
    uint64_t  tail, is_long;

    tail = 0;
    is_long = (len > 8);

    if (last - name >= 8) {
        memcpy(&tail, name + ((len - 8) & -is_long), 8);
        tail &= -is_long;
    }

    key ^= (tail + len) * UINT64_C(0xff51afd7ed558ccd);

    return (uint32_t) (key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}


/* a scope and the number of a name */

static inline uint32_t
miqps_hash_pair(uint32_t scope, uint32_t name)
{
    return (uint32_t) ((((uint64_t) scope << 32 | name)
                        * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
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
