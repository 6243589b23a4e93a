
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_DIFF_H_INCLUDED_
#define _LEARN_DIFF_H_INCLUDED_


#include "arena.h"


/*
 * WHAT TWO SEQUENCES HAVE IN COMMON, in order: the shortest way from one to
 * the other, after Myers, "An O(ND) Difference Algorithm and Its Variations"
 * (1986).  Where that would be longer than LEARN_DIFF_MOST, only what they
 * begin and end with counts as common: such sequences are different anyway,
 * and nobody waits for the square of their length.
 */

#define LEARN_DIFF_MOST  600
#define LEARN_DIFF_NONE  UINT32_MAX


/*
 * "match" has room for "n" numbers: for each element of "a", which one of "b"
 * it is, or LEARN_DIFF_NONE.  0 without memory, which comes from "scratch".
 */
int learn_diff(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
    uint32_t *match, learn_arena_t *scratch);


#endif /* _LEARN_DIFF_H_INCLUDED_ */
