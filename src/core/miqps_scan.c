
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif


static inline void  miqps_scan_block(miqps_scan_t *scan, const uint8_t *p);


void
miqps_scan(miqps_scan_t *scan, const miqps_str_t *args, size_t at)
{
    size_t          n, skip;
    uint8_t         copy[MIQPS_SCAN_BLOCK];
    const uint8_t  *p;

    p = args->data + at;
    n = args->len - at;

    if (n >= MIQPS_SCAN_BLOCK) {
        miqps_scan_block(scan, p);
        return;
    }

    skip = MIQPS_SCAN_BLOCK - n;

    if (n == 0) {
        memset(scan, 0, sizeof(miqps_scan_t));

    } else if (at >= skip) {

        /* what is left, with some bytes before it that were read already */

        miqps_scan_block(scan, p - skip);

        scan->ends >>= skip;
        scan->equals >>= skip;
        scan->special >>= skip;

    } else {
        memset(copy, '0', MIQPS_SCAN_BLOCK);
        memcpy(copy, p, n);

        miqps_scan_block(scan, copy);
    }

    scan->ends |= UINT64_C(1) << n;
}


#if defined(__SSE2__)

#define miqps_scan_is(v, c)  _mm_cmpeq_epi8(v, _mm_set1_epi8(c))

#define miqps_scan_set(v, shift)                                              \
    ((uint64_t) (uint32_t) _mm_movemask_epi8(v) << (shift))


/* sixteen bytes; adds to "bad", and to "high" the bytes themselves */

static inline void
miqps_scan_16(miqps_scan_t *scan, const uint8_t *p, int shift, __m128i *bad,
    __m128i *high)
{
    __m128i  v, special;

    v = _mm_loadu_si128((const __m128i *) (const void *) (p + shift));

    *high = _mm_or_si128(*high, v);

    /* of controls and the space, the space is the highest */

    *bad = _mm_or_si128(*bad, miqps_scan_is(_mm_max_epu8(v,
                                                 _mm_set1_epi8(' ')), ' '));
    *bad = _mm_or_si128(*bad, miqps_scan_is(v, '#'));
    *bad = _mm_or_si128(*bad, miqps_scan_is(v, ';'));
    *bad = _mm_or_si128(*bad, miqps_scan_is(v, 0x7f));

    /* the bit that is taken of a byte is set in those that are not ASCII */

    special = _mm_or_si128(v, miqps_scan_is(v, '%'));
    special = _mm_or_si128(special, miqps_scan_is(v, '['));
    special = _mm_or_si128(special, miqps_scan_is(v, ']'));
    special = _mm_or_si128(special, miqps_scan_is(v, '+'));
    special = _mm_or_si128(special, miqps_scan_is(v, '.'));
    special = _mm_or_si128(special, miqps_scan_is(v, '?'));

    scan->ends |= miqps_scan_set(miqps_scan_is(v, '&'), shift);
    scan->equals |= miqps_scan_set(miqps_scan_is(v, '='), shift);
    scan->special |= miqps_scan_set(special, shift);
}


static inline void
miqps_scan_block(miqps_scan_t *scan, const uint8_t *p)
{
    __m128i  bad, high;

    bad = _mm_setzero_si128();
    high = _mm_setzero_si128();

    scan->ends = 0;
    scan->equals = 0;
    scan->special = 0;

    miqps_scan_16(scan, p, 0, &bad, &high);
    miqps_scan_16(scan, p, 16, &bad, &high);
    miqps_scan_16(scan, p, 32, &bad, &high);
    miqps_scan_16(scan, p, 48, &bad, &high);

    scan->bad = (unsigned) _mm_movemask_epi8(bad);
    scan->high = (unsigned) _mm_movemask_epi8(high);
}


#else


static inline void
miqps_scan_block(miqps_scan_t *scan, const uint8_t *p)
{
    int       i;
    uint8_t   c;
    uint64_t  bit;

    memset(scan, 0, sizeof(miqps_scan_t));

    for (i = 0; i < MIQPS_SCAN_BLOCK; i++) {
        c = p[i];
        bit = UINT64_C(1) << i;

        scan->ends |= (c == '&') ? bit : 0;
        scan->equals |= (c == '=') ? bit : 0;

        scan->special |= (c >= 0x80 || c == '%' || c == '[' || c == ']'
                          || c == '+' || c == '.' || c == '?') ? bit : 0;

        scan->bad |= (unsigned) miqps_scan_bad(c);
        scan->high |= (c >= 0x80);
    }
}


#endif
