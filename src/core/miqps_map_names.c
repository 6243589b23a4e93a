
/*
 * Copyright (C) the ngx_miqps authors
 */


#if (__SSE2__)
#include <immintrin.h>
#endif

#include "miqps_map_names.h"


static void  miqps_map_sort(miqps_map_names_t *names, size_t n);
static int  miqps_map_cmp(const miqps_map_names_t *names, uint16_t one,
    uint16_t two);


/*
 * The first sixteen bits of up to eight hashes, and for each how many others
 * are below it.  That takes no branch on what they are.
 */

#if (__SSE2__)


typedef __m128i  miqps_lanes_t;


/* only signed numbers compare, so that the highest bit changes */

static inline miqps_lanes_t
miqps_lanes_none(void)
{
    return _mm_set1_epi16(INT16_MAX);
}


static inline miqps_lanes_t
miqps_lanes_push(miqps_lanes_t lanes, uint64_t hash)
{
    return _mm_insert_epi16(_mm_slli_si128(lanes, 2),
                            (int) (hash >> 48) - 0x8000, 0);
}


/* what was pushed last is the first */

static inline void
miqps_lanes_count(miqps_lanes_t lanes, uint16_t *below)
{
    __m128i  sum;

#define miqps_lanes_turned(n)                                                \
    _mm_cmpgt_epi16(lanes, _mm_or_si128(_mm_srli_si128(lanes, 2 * (n)),      \
                                        _mm_slli_si128(lanes, 16 - 2 * (n))))

    sum = miqps_lanes_turned(1);
    sum = _mm_add_epi16(sum, miqps_lanes_turned(2));
    sum = _mm_add_epi16(sum, miqps_lanes_turned(3));
    sum = _mm_add_epi16(sum, miqps_lanes_turned(4));
    sum = _mm_add_epi16(sum, miqps_lanes_turned(5));
    sum = _mm_add_epi16(sum, miqps_lanes_turned(6));
    sum = _mm_add_epi16(sum, miqps_lanes_turned(7));

    _mm_storeu_si128((__m128i *) below,
                     _mm_sub_epi16(_mm_setzero_si128(), sum));
}


#else


typedef struct {
    uint16_t  lane[8];
} miqps_lanes_t;


static inline miqps_lanes_t
miqps_lanes_none(void)
{
    miqps_lanes_t  lanes;

    memset(&lanes, 0xff, sizeof(miqps_lanes_t));

    return lanes;
}


static inline miqps_lanes_t
miqps_lanes_push(miqps_lanes_t lanes, uint64_t hash)
{
    memmove(&lanes.lane[1], &lanes.lane[0], 7 * sizeof(uint16_t));

    lanes.lane[0] = (uint16_t) (hash >> 48);

    return lanes;
}


static inline void
miqps_lanes_count(miqps_lanes_t lanes, uint16_t *below)
{
    size_t  i, k;

    for (i = 0; i < 8; i++) {
        below[i] = 0;

        for (k = 0; k < 8; k++) {
            below[i] = (uint16_t) (below[i] + (lanes.lane[i]
                                               > lanes.lane[k]));
        }
    }
}


#endif


void
miqps_map_names(miqps_map_names_t *names, size_t n)
{
    uint64_t              seed, sum, one, *hash;
    uint32_t              lens;
    miqps_lanes_t         lanes;
    miqps_image_word_t   *word;
    const miqps_param_t  *param, *last;

    seed = names->image->seed;
    word = names->work->words;
    hash = names->work->hash;
    sum = 0;
    lens = 0;
    lanes = miqps_lanes_none();

    last = names->params + n;

    for (param = names->params; param < last; param++, word++, hash++) {
        miqps_image_word_padded(word, param->name, param->name_len);

        one = miqps_image_hash_word(seed, word);

        *hash = one;
        sum += one;
        lens |= param->name_len;
        lanes = miqps_lanes_push(lanes, one);
    }

    names->sum = sum;
    names->longs = (lens > MIQPS_NAME_SHORT);

    miqps_lanes_count(lanes, names->below);
}


void
miqps_map_order(miqps_map_names_t *names, size_t n)
{
    size_t             i;
    uint16_t          *order;
    miqps_map_work_t  *work;

    miqps_map_sort(names, n);

    work = names->work;
    order = work->order;

    names->n = 0;
    names->sum = 0;

    for (i = 0; i < n; i++) {

        if (names->n > 0
            && miqps_map_cmp(names, order[names->n - 1], order[i]) == 0)
        {
            work->repeated[order[names->n - 1]] = 1;
            work->spare[order[i]] = order[names->n - 1];
            continue;
        }

        work->repeated[order[i]] = 0;
        work->spare[order[i]] = order[i];
        names->sum += work->hash[order[i]];

        order[names->n++] = order[i];
    }

    names->repeats = (names->n < n);
}


static void
miqps_map_sort(miqps_map_names_t *names, size_t n)
{
    size_t     i, k, width, left, middle, right, end;
    uint16_t  *from, *to, *swap;

    from = names->work->order;
    to = names->work->spare;

    for (i = 0; i < n; i++) {
        from[i] = (uint16_t) i;
    }

    for (width = 1; width < n; width *= 2) {

        for (k = 0; k < n; k += 2 * width) {
            left = k;
            middle = (k + width < n) ? k + width : n;
            right = middle;
            end = (k + 2 * width < n) ? k + 2 * width : n;

            for (i = k; i < end; i++) {
                if (left < middle
                    && (right == end
                        || miqps_map_cmp(names, from[left], from[right]) <= 0))
                {
                    to[i] = from[left++];

                } else {
                    to[i] = from[right++];
                }
            }
        }

        swap = from;
        from = to;
        to = swap;
    }

    if (from != names->work->order) {
        memcpy(names->work->order, from, n * sizeof(uint16_t));
    }
}


static int
miqps_map_cmp(const miqps_map_names_t *names, uint16_t one, uint16_t two)
{
    int                   rc;
    size_t                len;
    const miqps_param_t  *a, *b;

    if (names->work->hash[one] != names->work->hash[two]) {
        return (names->work->hash[one] < names->work->hash[two]) ? -1 : 1;
    }

    a = &names->params[one];
    b = &names->params[two];

    len = (a->name_len < b->name_len) ? a->name_len : b->name_len;
    rc = (len > 0) ? memcmp(a->name, b->name, len) : 0;

    return (rc != 0) ? rc
                     : (a->name_len > b->name_len)
                       - (a->name_len < b->name_len);
}
