
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _DAMAGE_H_INCLUDED_
#define _DAMAGE_H_INCLUDED_


#include "mapped.h"


/*
 * Images with something wrong in them and a checksum that is right.  "try" is
 * given each, and says whether it was taken; how many were is the result.
 */

typedef int (*damage_try_pt)(const uint8_t *data, size_t size);


static inline size_t
damage_one(const uint8_t *data, size_t size, size_t at, const void *bytes,
    size_t width, damage_try_pt try)
{
    size_t    taken;
    uint8_t  *copy;

    copy = malloc(size);

    if (copy == NULL) {
        printf("Bail out! out of memory\n");
        exit(1);
    }

    memcpy(copy, data, size);
    memcpy(copy + at, bytes, width);
    mapped_mend(copy, size);

    taken = (size_t) try(copy, size);
    free(copy);

    return taken;
}


/* every bit is another one, once */

static inline size_t
damage_bits(const uint8_t *data, size_t size, damage_try_pt try)
{
    size_t   i, taken;
    uint8_t  byte;

    taken = 0;

    for (i = 0; i < 8 * size; i++) {
        byte = (uint8_t) (data[i / 8] ^ 1u << i % 8);
        taken += damage_one(data, size, i / 8, &byte, 1, try);
    }

    return taken;
}


/* numbers of all widths, everywhere */

static inline size_t
damage_numbers(const uint8_t *data, size_t size, damage_try_pt try)
{
    size_t    at, width, k, taken;
    uint64_t  numbers[9];

    taken = 0;

    for (at = 0; at < size; at++) {
        for (width = 1; width <= 8 && at + width <= size;
             width += (width < 4) ? 1 : 4)
        {
            numbers[0] = 0;
            numbers[1] = 1;
            numbers[2] = UINT64_MAX;
            numbers[3] = UINT64_MAX - 1;
            numbers[4] = at;
            numbers[5] = at / 4 + 1;
            numbers[6] = size;
            numbers[7] = (uint64_t) 1 << (8 * width - 1);
            numbers[8] = data[at] + 1u;

            for (k = 0; k < 9; k++) {
                taken += damage_one(data, size, at, &numbers[k], width, try);
            }
        }
    }

    return taken;
}


#endif /* _DAMAGE_H_INCLUDED_ */
