
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "diff.h"


/*
 * How far one gets on each diagonal, k = x - y, with d edits.  All of these
 * are kept, since the way is found from its end.
 */

typedef struct {
    const uint32_t   *a;
    const uint32_t   *b;
    int32_t           n;
    int32_t           m;
    int32_t         **reach;          /* of each d: 2d + 1 diagonals */
    int32_t           d;              /* edits of the whole way; -1: too many */
} learn_way_t;


static int  learn_diff_go(learn_way_t *way, learn_arena_t *scratch);
static int32_t  learn_diff_step(const learn_way_t *way, int32_t d, int32_t k);
static void  learn_diff_back(const learn_way_t *way, uint32_t first,
    uint32_t *match);


int
learn_diff(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
    uint32_t *match, learn_arena_t *scratch)
{
    uint32_t     i, first, last;
    learn_way_t  way;

    for (first = 0; first < n && first < m && a[first] == b[first]; first++) {
        match[first] = first;
    }

    for (last = 0; last < n - first && last < m - first
                   && a[n - last - 1] == b[m - last - 1]; last++)
    {
        match[n - last - 1] = m - last - 1;
    }

    for (i = first; i < n - last; i++) {
        match[i] = LEARN_DIFF_NONE;
    }

    way.a = a + first;
    way.b = b + first;
    way.n = (int32_t) (n - first - last);
    way.m = (int32_t) (m - first - last);

    if (way.n == 0 || way.m == 0) {
        return 1;
    }

    if (!learn_diff_go(&way, scratch)) {
        return 0;
    }

    if (way.d >= 0) {
        learn_diff_back(&way, first, match + first);
    }

    return 1;
}


static int
learn_diff_go(learn_way_t *way, learn_arena_t *scratch)
{
    int32_t  d, k, x;

    way->d = -1;
    way->reach = learn_arena_alloc(scratch, (LEARN_DIFF_MOST + 1)
                                            * sizeof(int32_t *));

    if (way->reach == NULL) {
        return 0;
    }

    for (d = 0; d <= LEARN_DIFF_MOST; d++) {
        way->reach[d] = learn_arena_alloc(scratch, (size_t) (2 * d + 1)
                                                   * sizeof(int32_t));

        if (way->reach[d] == NULL) {
            return 0;
        }

        for (k = -d; k <= d; k += 2) {
            x = learn_diff_step(way, d, k);

            while (x < way->n && x - k < way->m && x - k >= 0
                   && way->a[x] == way->b[x - k])
            {
                x++;
            }

            way->reach[d][k + d] = x;

            if (x >= way->n && x - k >= way->m) {
                way->d = d;
                return 1;
            }
        }
    }

    return 1;
}


/* where d edits begin on a diagonal: beside or below what d - 1 reach */

static int32_t
learn_diff_step(const learn_way_t *way, int32_t d, int32_t k)
{
    int32_t         below, beside;
    const int32_t  *reach;

    if (d == 0) {
        return 0;
    }

    reach = way->reach[d - 1];

    /* of d - 1 there are the diagonals from 1 - d to d - 1 */

    below = (k + 1 <= d - 1) ? reach[k + 1 + d - 1] : -1;
    beside = (k - 1 >= 1 - d) ? reach[k - 1 + d - 1] + 1 : -1;

    return (below >= beside) ? below : beside;
}


static void
learn_diff_back(const learn_way_t *way, uint32_t first, uint32_t *match)
{
    int32_t  d, k, x, from;

    k = way->n - way->m;
    x = way->n;

    for (d = way->d; d >= 0; d--) {
        from = learn_diff_step(way, d, k);

        while (x > from) {
            x--;
            match[x] = first + (uint32_t) (x - k);
        }

        if (d == 0) {
            break;
        }

        /* the edit itself: from the diagonal that it came from */

        if (k + 1 <= d - 1 && way->reach[d - 1][k + 1 + d - 1] == from) {
            k++;

        } else {
            k--;
            from--;
        }

        x = from;
    }
}
