
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_HASH_H_INCLUDED_
#define _MIQPS_HASH_H_INCLUDED_


#include "miqps_core.h"


/*
 * Hashes of the policy's tables.  These are filled from configuration only:
 * no request can put two names where they collide, so that a product is
 * enough.  The upper bits of a hash are the good ones.
 */

#define MIQPS_HASH_FACTOR  UINT64_C(0x9e3779b97f4a7c15)


/* a host; "kind" tells apart the kinds of patterns that share a table */

static inline uint64_t
miqps_hash_host(const uint8_t *host, size_t len, uint32_t kind)
{
    size_t    i;
    uint64_t  hash, word;

    hash = len + kind * UINT64_C(0x10001);

    if (len < 8) {

        for (i = 0; i < len; i++) {
            hash = hash << 8 ^ host[i];
        }

        return hash * MIQPS_HASH_FACTOR;
    }

    for (i = 0; i + 8 < len; i += 8) {
        memcpy(&word, host + i, 8);

        hash = (hash ^ word) * MIQPS_HASH_FACTOR;
        hash ^= hash >> 32;
    }

    /* the last eight bytes, of which some were there before */

    memcpy(&word, host + len - 8, 8);

    return (hash ^ word) * MIQPS_HASH_FACTOR;
}


/*
 * The name of a parameter, by its first sixteen bytes.  Names that differ
 * behind these share a place.
 */

static inline uint64_t
miqps_hash_name(uint64_t key, uint64_t rest)
{
    /* a short name has its bytes at the top, where a product loses them */

    return (__builtin_bswap64(key) + rest) * MIQPS_HASH_FACTOR;
}


/* names one after the other; the high half is the better one */

static inline uint64_t
miqps_hash_next(uint64_t hash, uint64_t key, uint64_t rest)
{
    hash = (hash ^ key ^ rest >> 7) * MIQPS_HASH_FACTOR;

    return hash ^ hash >> 29;
}


/* a scope and the place of a name, as miqps_pair_id() */

static inline uint64_t
miqps_hash_pair(uint64_t id)
{
    return id * MIQPS_HASH_FACTOR;
}


/*
 * How far to shift a hash for a place in a table that "n" keys fill by a
 * quarter; it has miqps_hash_size() places.
 */

static inline unsigned
miqps_hash_shift(size_t n)
{
    unsigned  shift;

    for (shift = 61; UINT64_C(1) << (64 - shift) < 4 * n; shift--) {
        /* void */
    }

    return shift;
}


static inline uint32_t
miqps_hash_size(unsigned shift)
{
    return UINT32_C(1) << (64 - shift);
}


#endif /* _MIQPS_HASH_H_INCLUDED_ */
