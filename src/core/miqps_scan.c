
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_scan.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif


/* one block, each byte by itself */

typedef struct {
    uint64_t        ends;
    uint64_t        equals;
    uint64_t        special;
    uint64_t        percent;
    unsigned        suspect;     /* not 0: something may be bad or high */
} miqps_scan_block_t;


typedef void (*miqps_scan_block_pt)(miqps_scan_block_t *block,
    const uint8_t *p);


static inline void  miqps_scan_blocks(miqps_scan_t *scan,
    const miqps_str_t *args, miqps_scan_block_pt look);
static inline void  miqps_scan_last(miqps_scan_block_t *block,
    const miqps_str_t *args, miqps_scan_block_pt look);
static void  miqps_scan_short(miqps_scan_block_t *block, const uint8_t *p,
    size_t len);
static inline uint64_t  miqps_scan_word(miqps_scan_t *scan, size_t i,
    const miqps_scan_block_t *block, uint64_t open);
static void  miqps_scan_inspect(miqps_scan_t *scan, const miqps_str_t *args);


static inline miqps_always_inline void
miqps_scan_blocks(miqps_scan_t *scan, const miqps_str_t *args,
    miqps_scan_block_pt look)
{
    size_t              i, n;
    uint64_t            open, special, more, percent;
    unsigned            suspect;
    miqps_scan_block_t  block;

    n = args->len / MIQPS_SCAN_BLOCK;

    open = 1;
    special = 0;
    more = 0;
    percent = 0;
    suspect = 0;

    for (i = 0; i <= n; i++) {
        memset(&block, 0, sizeof(miqps_scan_block_t));

        if (i < n) {
            look(&block, args->data + i * MIQPS_SCAN_BLOCK);

        } else {
            miqps_scan_last(&block, args, look);
        }

        open = miqps_scan_word(scan, i, &block, open);

        special |= scan->special[i];
        more |= scan->more[i];
        percent |= block.percent;
        suspect |= block.suspect;
    }

    scan->nwords = n + 1;
    scan->bad = 0;
    scan->high = 0;
    scan->any_special = special;
    scan->any_more = more;
    scan->any_percent = percent;

    scan->ends[n + 1] = 0;
    scan->names[n + 1] = 0;
    scan->special[n + 1] = 0;
    scan->more[n + 1] = 0;

    if (suspect) {
        miqps_scan_inspect(scan, args);
    }
}


/* what is left behind the last whole block, and the end of the query */

static inline miqps_always_inline void
miqps_scan_last(miqps_scan_block_t *block, const miqps_str_t *args,
    miqps_scan_block_pt look)
{
    size_t          n, skip;
    const uint8_t  *last;

    n = args->len % MIQPS_SCAN_BLOCK;
    last = args->data + args->len;

    if (n == args->len) {
        miqps_scan_short(block, args->data, n);

    } else if (n > 0) {

        /* with some bytes before it that were read already */

        look(block, last - MIQPS_SCAN_BLOCK);

        skip = MIQPS_SCAN_BLOCK - n;

        block->ends >>= skip;
        block->equals >>= skip;
        block->special >>= skip;
        block->percent >>= skip;
    }

    block->ends |= UINT64_C(1) << n;
}


/*
 * Finds the names of a block.  "open" is 1 if one begins with it or goes on
 * in it, else 0; returns the same for the next block.
 */

static inline uint64_t
miqps_scan_word(miqps_scan_t *scan, size_t i, const miqps_scan_block_t *block,
    uint64_t open)
{
    uint64_t  stops, goes, starts, sum, names, special, more;

    stops = block->ends | block->equals;
    goes = ~stops;
    starts = block->ends << 1 | open;

    /*
     * A start that is added to the run of ones it stands in is carried to the
     * zero behind the run, which is where the name stops.
     */

    sum = goes + (starts & goes);
    names = (sum | starts) & stops;

    /* from each start up to the end of its name all bits are set */

    special = block->special & (names - starts);
    more = block->equals & ~names;

    scan->ends[i] = block->ends;
    scan->names[i] = names;
    scan->special[i] = special;
    scan->more[i] = more;
    scan->percent[i] = block->percent;

    return block->ends >> 63 | (sum < goes);
}


/* byte by byte, what was suspected in blocks */

static void
miqps_scan_inspect(miqps_scan_t *scan, const miqps_str_t *args)
{
    size_t  i;

    for (i = 0; i < args->len; i++) {
        scan->high |= (args->data[i] >= 0x80);

        if (miqps_scan_bad(args->data[i])) {
            scan->bad = 1;
            return;
        }
    }
}


#if defined(__SSE2__)


/*
 * The widest registers that every x86-64 has, and those that most have.  In
 * both a "[" and a "]" are found at once, since they are two apart, and the
 * bit that is taken of a byte is set in those that are not ASCII.
 *
 * Controls, the space, "#" and two others are the lowest bytes.  One added to
 * a DEL sets the upper bit; it must not wrap around.
 */

#define miqps_scan_is16(v, c)  _mm_cmpeq_epi8(v, _mm_set1_epi8(c))
#define miqps_scan_is32(v, i)  _mm256_cmpeq_epi8(v, miqps_scan_load(i))

#define miqps_scan_load(i)                                                    \
    _mm256_load_si256((const __m256i *) (const void *) bytes[i])

#define miqps_scan_mask(v)                                                    \
    ((uint64_t) (uint32_t) _mm256_movemask_epi8(v))

#define miqps_scan_8(c)   c, c, c, c, c, c, c, c
#define miqps_scan_32(c)                                                      \
    { miqps_scan_8(c), miqps_scan_8(c), miqps_scan_8(c), miqps_scan_8(c) }


enum {
    MIQPS_SCAN_AMPERSAND = 0,
    MIQPS_SCAN_EQUALS,
    MIQPS_SCAN_PERCENT,
    MIQPS_SCAN_PLUS,
    MIQPS_SCAN_DOT,
    MIQPS_SCAN_QUESTION,
    MIQPS_SCAN_OPEN,
    MIQPS_SCAN_BUT_2,
    MIQPS_SCAN_SEMICOLON,
    MIQPS_SCAN_SHARP,
    MIQPS_SCAN_1
};


static const uint8_t  miqps_scan_bytes[][32] __attribute__((aligned(32))) = {
    miqps_scan_32('&'), miqps_scan_32('='), miqps_scan_32('%'),
    miqps_scan_32('+'), miqps_scan_32('.'), miqps_scan_32('?'),
    miqps_scan_32('['), miqps_scan_32(0xfd), miqps_scan_32(';'),
    miqps_scan_32('#'), miqps_scan_32(1)
};


static inline void
miqps_scan_16(miqps_scan_block_t *block, const uint8_t *p, int shift)
{
    __m128i  v, percent, special, suspect;

    v = _mm_loadu_si128((const __m128i *) (const void *) (p + shift));

    percent = miqps_scan_is16(v, '%');

    special = _mm_sub_epi8(v, _mm_set1_epi8('['));
    special = miqps_scan_is16(_mm_and_si128(special, _mm_set1_epi8(~2)), 0);
    special = _mm_or_si128(special, miqps_scan_is16(v, '+'));
    special = _mm_or_si128(special, miqps_scan_is16(v, '.'));
    special = _mm_or_si128(special, miqps_scan_is16(v, '?'));
    special = _mm_or_si128(special, _mm_or_si128(v, percent));

    suspect = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8('#')), v);
    suspect = _mm_or_si128(suspect, miqps_scan_is16(v, ';'));
    suspect = _mm_or_si128(suspect, _mm_adds_epu8(v, _mm_set1_epi8(1)));

    block->ends |= (uint64_t) (uint32_t)
                   _mm_movemask_epi8(miqps_scan_is16(v, '&')) << shift;
    block->equals |= (uint64_t) (uint32_t)
                     _mm_movemask_epi8(miqps_scan_is16(v, '=')) << shift;
    block->special |= (uint64_t) (uint32_t)
                      _mm_movemask_epi8(special) << shift;
    block->percent |= (uint64_t) (uint32_t)
                      _mm_movemask_epi8(percent) << shift;
    block->suspect |= (uint32_t) _mm_movemask_epi8(suspect);
}


static miqps_avx2 inline void
miqps_scan_half(miqps_scan_block_t *block, const uint8_t *p, int shift)
{
    __m256i  v, percent, special, suspect;

    const uint8_t  (*bytes)[32] = miqps_scan_bytes;

    /*
     * Loaded, not made: that takes longer than a short query.  The compiler
     * knows what they are, and has to forget it.
     */

    __asm__ ("" : "+r" (bytes));

    v = _mm256_loadu_si256((const __m256i *) (const void *) (p + shift));

    percent = miqps_scan_is32(v, MIQPS_SCAN_PERCENT);

    special = _mm256_sub_epi8(v, miqps_scan_load(MIQPS_SCAN_OPEN));
    special = _mm256_and_si256(special, miqps_scan_load(MIQPS_SCAN_BUT_2));
    special = _mm256_cmpeq_epi8(special, _mm256_setzero_si256());
    special = _mm256_or_si256(special, miqps_scan_is32(v, MIQPS_SCAN_PLUS));
    special = _mm256_or_si256(special, miqps_scan_is32(v, MIQPS_SCAN_DOT));
    special = _mm256_or_si256(special,
                              miqps_scan_is32(v, MIQPS_SCAN_QUESTION));
    special = _mm256_or_si256(special, _mm256_or_si256(v, percent));

    suspect = _mm256_min_epu8(v, miqps_scan_load(MIQPS_SCAN_SHARP));
    suspect = _mm256_cmpeq_epi8(suspect, v);
    suspect = _mm256_or_si256(suspect,
                              miqps_scan_is32(v, MIQPS_SCAN_SEMICOLON));
    suspect = _mm256_or_si256(suspect,
                              _mm256_adds_epu8(v,
                                               miqps_scan_load(MIQPS_SCAN_1)));

    block->ends |= miqps_scan_mask(miqps_scan_is32(v, MIQPS_SCAN_AMPERSAND))
                   << shift;
    block->equals |= miqps_scan_mask(miqps_scan_is32(v, MIQPS_SCAN_EQUALS))
                     << shift;
    block->special |= miqps_scan_mask(special) << shift;
    block->percent |= miqps_scan_mask(percent) << shift;
    block->suspect |= (unsigned) _mm256_movemask_epi8(suspect);
}


/* a query that is shorter than a block */

static void
miqps_scan_short(miqps_scan_block_t *block, const uint8_t *p, size_t len)
{
    size_t   i;
    uint8_t  copy[16];

    if (len < 16) {
        memset(copy, 'x', 16);
        memcpy(copy, p, len);

        miqps_scan_16(block, copy, 0);
        return;
    }

    for (i = 0; i + 16 <= len; i += 16) {
        miqps_scan_16(block, p, (int) i);
    }

    /* the last sixteen bytes, some of which say again what they said */

    miqps_scan_16(block, p, (int) len - 16);
}


static inline void
miqps_scan_by_16(miqps_scan_block_t *block, const uint8_t *p)
{
    miqps_scan_16(block, p, 0);
    miqps_scan_16(block, p, 16);
    miqps_scan_16(block, p, 32);
    miqps_scan_16(block, p, 48);
}


static miqps_avx2 inline void
miqps_scan_by_32(miqps_scan_block_t *block, const uint8_t *p)
{
    miqps_scan_half(block, p, 0);
    miqps_scan_half(block, p, 32);
}


static miqps_avx2 void
miqps_scan_wide(miqps_scan_t *scan, const miqps_str_t *args)
{
    miqps_scan_blocks(scan, args, miqps_scan_by_32);
}


void
miqps_scan(miqps_scan_t *scan, const miqps_str_t *args)
{
    if (__builtin_cpu_supports("avx2")) {
        miqps_scan_wide(scan, args);
        return;
    }

    miqps_scan_blocks(scan, args, miqps_scan_by_16);
}


#else


static void
miqps_scan_short(miqps_scan_block_t *block, const uint8_t *p, size_t len)
{
    size_t    i;
    uint8_t   c;
    uint64_t  bit;

    for (i = 0; i < len; i++) {
        c = p[i];
        bit = UINT64_C(1) << i;

        block->ends |= (c == '&') ? bit : 0;
        block->equals |= (c == '=') ? bit : 0;
        block->percent |= (c == '%') ? bit : 0;

        block->special |= (c >= 0x80 || c == '%' || c == '[' || c == ']'
                           || c == '+' || c == '.' || c == '?') ? bit : 0;

        block->suspect |= (c >= 0x80 || miqps_scan_bad(c));
    }
}


static void
miqps_scan_by_1(miqps_scan_block_t *block, const uint8_t *p)
{
    miqps_scan_short(block, p, MIQPS_SCAN_BLOCK);
}


void
miqps_scan(miqps_scan_t *scan, const miqps_str_t *args)
{
    miqps_scan_blocks(scan, args, miqps_scan_by_1);
}


#endif
