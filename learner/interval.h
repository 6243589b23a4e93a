
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_INTERVAL_H_INCLUDED_
#define _LEARN_INTERVAL_H_INCLUDED_


#include <stdint.h>


/*
 * A share "k" of "n", and where the true one is, by Wilson: with a probability
 * of 95 % for LEARN_NORMAL_95, of 99.9 % for LEARN_NORMAL_999.
 */

#define LEARN_NORMAL_95   1.959963984540054
#define LEARN_NORMAL_999  3.290526731491926


typedef struct {
    double       share;
    double       low;
    double       high;
} learn_interval_t;


learn_interval_t learn_interval(uint64_t k, uint64_t n, double normal);


#endif /* _LEARN_INTERVAL_H_INCLUDED_ */
