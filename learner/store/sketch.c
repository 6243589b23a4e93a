
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "sketch.h"


/* how many hashes there can be */

#define LEARN_SKETCH_SPACE  9223372036854775808.0


void
learn_sketch_add(learn_sketch_t *sketch, uint64_t hash)
{
    size_t  i, move;

    if (hash >= learn_sketch_floor(sketch)) {
        return;
    }

    i = learn_sketch_find(sketch->hash, sketch->n, hash);

    if (i < sketch->n && sketch->hash[i] == hash) {
        return;
    }

    if (sketch->n < LEARN_SKETCH) {
        sketch->n++;
    }

    move = sketch->n - i - 1;

    memmove(&sketch->hash[i + 1], &sketch->hash[i], move * sizeof(uint64_t));

    sketch->hash[i] = hash;
}


uint64_t
learn_sketch_count(const learn_sketch_t *sketch)
{
    double  last;

    if (sketch->n < LEARN_SKETCH) {
        return sketch->n;
    }

    last = (double) sketch->hash[LEARN_SKETCH - 1] + 1;

    return (uint64_t) ((LEARN_SKETCH - 1) * (LEARN_SKETCH_SPACE / last));
}


uint64_t
learn_sketch_floor(const learn_sketch_t *sketch)
{
    return (sketch->n < LEARN_SKETCH) ? UINT64_MAX
                                      : sketch->hash[LEARN_SKETCH - 1];
}
