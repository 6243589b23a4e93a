
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <math.h>

#include "tree.h"


/* of a logarithm to the base of 2; 2^32 URLs leave room for the sum */

#define LEARN_ENTROPY_UNIT  16777216.0


size_t
learn_salient(const uint32_t *counts, size_t n, uint32_t floor)
{
    size_t    i, salient;
    uint64_t  high, low, best_high, best_low;

    salient = 0;
    best_high = 1;
    best_low = 1;

    for (i = 0; i < n && counts[i] > floor; i++) {
        high = counts[i];
        low = (i + 1 < n && counts[i + 1] > floor) ? counts[i + 1] : floor;
        low = (low > 0) ? low : 1;

        /* a difference of logarithms is larger where the ratio is */

        if (high * best_low > best_high * low) {
            best_high = high;
            best_low = low;
            salient = i + 1;
        }
    }

    return salient;
}


uint64_t
learn_entropy_term(uint32_t v)
{
    if (v < 2) {
        return 0;
    }

    return (uint64_t) llround(v * log2(v) * LEARN_ENTROPY_UNIT);
}
