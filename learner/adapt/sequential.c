
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "sequential.h"


unsigned
learn_sequential_need(double error)
{
    double    left;
    unsigned  n;

    left = 1;

    for (n = 0; left > error && n < LEARN_SEQUENTIAL_MOST; n++) {
        left *= 1 - LEARN_SEQUENTIAL_SHARE;
    }

    return n;
}


double
learn_sequential_error(unsigned trials)
{
    double    left;
    unsigned  n;

    left = 1;

    for (n = 0; n < trials && n < LEARN_SEQUENTIAL_MOST; n++) {
        left *= 1 - LEARN_SEQUENTIAL_SHARE;
    }

    return left;
}


learn_sequential_e
learn_sequential(unsigned need, unsigned same, unsigned differed)
{
    return learn_sequential_shared(need, 0, same, same, differed);
}


learn_sequential_e
learn_sequential_shared(unsigned need, unsigned least, unsigned same,
    unsigned total, unsigned differed)
{
    if (differed > 0) {
        return LEARN_SEQUENTIAL_MATTERS;
    }

    return (same >= need || (same >= least && total >= need))
           ? LEARN_SEQUENTIAL_NEUTRAL : LEARN_SEQUENTIAL_OPEN;
}
