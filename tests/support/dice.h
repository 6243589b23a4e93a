
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _DICE_H_INCLUDED_
#define _DICE_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * A source of numbers for generated tests: the same seed gives the same
 * numbers everywhere and for ever.
 */

typedef struct {
    uint64_t  state;
} dice_t;


static inline uint64_t
dice_next(dice_t *dice)
{
    uint64_t  x;

    dice->state += UINT64_C(0x9e3779b97f4a7c15);

    x = dice->state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);

    return x ^ x >> 31;
}


/* a dice of its own for the n-th of many things made from one seed */

static inline void
dice_init(dice_t *dice, uint64_t seed, uint64_t n)
{
    dice->state = seed;
    dice->state = dice_next(dice) ^ n;
    (void) dice_next(dice);
}


/* a number from 0 to n - 1; "n" is not 0 */

static inline size_t
dice_below(dice_t *dice, size_t n)
{
    return (size_t) ((dice_next(dice) >> 32) * (uint64_t) n >> 32);
}


/* true once in "n" times */

static inline int
dice_once_in(dice_t *dice, size_t n)
{
    return dice_below(dice, n) == 0;
}


#endif /* _DICE_H_INCLUDED_ */
