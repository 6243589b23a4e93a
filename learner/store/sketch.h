
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SKETCH_H_INCLUDED_
#define _LEARN_SKETCH_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * How many different things there were, in a fixed place: the smallest of
 * their hashes.  Exact up to LEARN_SKETCH of them; above, the estimate is off
 * by 9 % or less two times out of three.  Hashes have 63 bits.
 */

#define LEARN_SKETCH  128


typedef struct {
    size_t          n;
    uint64_t        hash[LEARN_SKETCH];     /* in order */
} learn_sketch_t;


void learn_sketch_add(learn_sketch_t *sketch, uint64_t hash);

uint64_t learn_sketch_count(const learn_sketch_t *sketch);

/* a hash at or above this changes nothing */

uint64_t learn_sketch_floor(const learn_sketch_t *sketch);


/* the first place in "n" ordered numbers that is not below "hash" */

static inline size_t
learn_sketch_find(const uint64_t *list, size_t n, uint64_t hash)
{
    size_t  low, mid;

    low = 0;

    while (low < n) {
        mid = low + (n - low) / 2;

        if (list[mid] < hash) {
            low = mid + 1;

        } else {
            n = mid;
        }
    }

    return low;
}


#endif /* _LEARN_SKETCH_H_INCLUDED_ */
