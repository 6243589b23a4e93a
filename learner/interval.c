
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <math.h>

#include "interval.h"


learn_interval_t
learn_interval(uint64_t k, uint64_t n, double normal)
{
    double            p, z2, middle, width;
    learn_interval_t  interval = { 0.0, 0.0, 1.0 };

    if (n == 0) {
        return interval;
    }

    p = (double) k / (double) n;
    z2 = normal * normal / (double) n;
    middle = (p + z2 / 2) / (1 + z2);
    width = sqrt(p * (1 - p) * z2 + z2 * z2 / 4) / (1 + z2);

    interval.share = p;
    interval.low = (k == 0) ? 0.0 : middle - width;
    interval.high = (k == n) ? 1.0 : middle + width;

    return interval;
}
