
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_SCAN_H_INCLUDED_
#define _MIQPS_SCAN_H_INCLUDED_


#include "miqps_core.h"


/*
 * What the bytes of a query mean to the splitter, as sets of bits, 64 of them
 * in a word, the lowest for the first byte:
 *
 *     bytes     c o l o r = r = d & s i z e [ ] = 4 %
 *     ends                        *                   *  (of the query)
 *     names               *                     *
 *     special                               * *
 *     more                    *
 *     percent                                       *
 *
 * Every piece, also an empty one, has one end of a name and one end.  Sets
 * make the splitter's work depend on the number of parameters, not on their
 * length, and spare it the branches that no processor can predict.
 */

#define MIQPS_SCAN_BLOCK  64

/* a word for the end behind the last block, and one behind that */

#define MIQPS_SCAN_WORDS  (MIQPS_MAX_ARGS / MIQPS_SCAN_BLOCK + 2)


typedef struct {
    size_t          nwords;           /* those in use; the next holds zeroes */
    unsigned        bad;              /* not 0: something no query holds */
    unsigned        high;             /* not 0: something is not ASCII */
    uint64_t        any_special;      /* not 0: there are such bytes */
    uint64_t        any_more;
    uint64_t        any_percent;

    uint64_t        ends[MIQPS_SCAN_WORDS];      /* "&", end of the query */
    uint64_t        names[MIQPS_SCAN_WORDS];     /* first "=", or as "ends" */
    uint64_t        special[MIQPS_SCAN_WORDS];   /* in a name: its family may
                                                    not be the plain name */
    uint64_t        more[MIQPS_SCAN_WORDS];      /* "=" in a value */
    uint64_t        percent[MIQPS_SCAN_WORDS];   /* "%" */
} miqps_scan_t;


/*
 * Reads "args", of up to MIQPS_MAX_ARGS bytes.  Nothing before or behind them
 * is read.
 */
void miqps_scan(miqps_scan_t *scan, const miqps_str_t *args);


/*
 * The bits of a set from the byte "at" on, which lies in a word in use.  The
 * lowest MIQPS_SCAN_VIEW of them are sure to be there.
 */

#define MIQPS_SCAN_VIEW  56


static inline uint64_t
miqps_scan_from(const uint64_t *set, size_t at)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

    uint64_t  bits;

    memcpy(&bits, (const uint8_t *) set + at / 8, 8);

    return bits >> (at % 8);

#else

    size_t    i;
    unsigned  shift;

    i = at / MIQPS_SCAN_BLOCK;
    shift = at % MIQPS_SCAN_BLOCK;

    /* two shifts: one by 64 has no meaning */

    return set[i] >> shift | set[i + 1] << 1 << (63 - shift);

#endif
}


/* how far it is from the byte "at" to the next bit of a set, which there is */

static inline size_t
miqps_scan_next(const uint64_t *set, size_t at)
{
    size_t    far;
    uint64_t  bits;

    for (far = 0; /* void */ ; far += MIQPS_SCAN_VIEW) {
        bits = miqps_scan_from(set, at + far);

        if (bits != 0) {
            return far + (size_t) __builtin_ctzll(bits);
        }
    }
}


/* the bytes that make miqps_scan_t.bad */

static inline int
miqps_scan_bad(uint8_t c)
{
    return c <= ' ' || c == '#' || c == ';' || c == 0x7f;
}


#endif /* _MIQPS_SCAN_H_INCLUDED_ */
