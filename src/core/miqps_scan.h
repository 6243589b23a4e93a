
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_SCAN_H_INCLUDED_
#define _MIQPS_SCAN_H_INCLUDED_


#include "miqps_core.h"


/*
 * What 64 bytes of a query mean to the splitter, as sets of bits, the lowest
 * for the first byte:
 *
 *     bytes     c o l o r = r e d & s i z e [ ] = 4
 *     equals              *                     *
 *     ends                        *                 *   (of the query)
 *     special                               * *
 *
 * Sets make the splitter's work depend on the number of parameters, not on
 * their length, and spare it the branches that no processor can predict.
 */

typedef struct {
    uint64_t        ends;       /* "&", and the end of the query */
    uint64_t        equals;
    uint64_t        special;    /* the family may not be the plain name */
    unsigned        bad;        /* not 0: something that no query holds */
    unsigned        high;       /* not 0: something that is not ASCII */
} miqps_scan_t;


#define MIQPS_SCAN_BLOCK  64


/*
 * Reads the block of "args" that begins at the offset "at", or what there is
 * of it; nothing behind the end is read.
 */
void miqps_scan(miqps_scan_t *scan, const miqps_str_t *args, size_t at);


/* the bytes that make miqps_scan_t.bad */

static inline int
miqps_scan_bad(uint8_t c)
{
    return c <= ' ' || c == '#' || c == ';' || c == 0x7f;
}


#endif /* _MIQPS_SCAN_H_INCLUDED_ */
