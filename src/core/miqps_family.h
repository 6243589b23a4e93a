
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_FAMILY_H_INCLUDED_
#define _MIQPS_FAMILY_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_guard.h"
#include "miqps_query.h"


/*
 * FAMILIES
 *
 * Back ends disagree on when two names are the same parameter.  PHP takes
 * "a.b", "a b" and "a+b" for "a_b"; PHP, Rack and qs put "a", "a[]", "a[0]"
 * and "a[b]" into one variable, where the last one or the first one wins.
 * A family is a set of names that some back end may mix up:
 *
 *     the name, fully decoded, cut at the first "[", with ".", " " and "+"
 *     taken for "_"
 *
 * Two things follow.  Only families may change places, never the members of
 * one.  And a family goes as a whole or stays as a whole: removing one
 * member would make another one visible.
 */


/*
 * Finds the family of a percent-normalized name.  "pool" is room for
 * name->len bytes; "family" will point to it.
 *
 * MIQPS_GUARD_PASS    "family" is set
 * anything else       no two back ends agree on such a name: DELIMITER,
 *                     BRACKET, NAME_START or NAME_BYTES
 */
miqps_guard_e miqps_family_of(const miqps_str_t *name, uint8_t *pool,
    miqps_str_t *family);


/*
 * The first eight bytes of a family as a number that sorts as they do, with
 * zeroes behind a shorter one.
 */

static inline uint64_t
miqps_family_key(const uint8_t *p, size_t len)
{
    size_t    i;
    uint64_t  key;

    key = 0;

    for (i = 0; i < len && i < 8; i++) {
        key |= (uint64_t) p[i] << (56 - 8 * i);
    }

    return key;
}


/*
 * The same where sixteen bytes may be read, whatever the length; and the same
 * for the eight bytes behind these.
 */

#define miqps_family_key_padded(p, len)   miqps_family_bytes(p, len, 0)
#define miqps_family_rest_padded(p, len)  miqps_family_bytes(p, len, 8)


static inline uint64_t
miqps_family_bytes(const uint8_t *p, size_t len, size_t from)
{
    uint64_t  bytes;

    static const uint64_t  mask[] = {
        0, 0, 0, 0, 0, 0, 0, 0,
        UINT64_C(0x0000000000000000),
        UINT64_C(0xff00000000000000),
        UINT64_C(0xffff000000000000),
        UINT64_C(0xffffff0000000000),
        UINT64_C(0xffffffff00000000),
        UINT64_C(0xffffffffff000000),
        UINT64_C(0xffffffffffff0000),
        UINT64_C(0xffffffffffffff00),
        UINT64_C(0xffffffffffffffff)
    };

    memcpy(&bytes, p + from, 8);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif

    /* no branch: lengths follow no pattern */

    len = (len < 8 + from) ? len : 8 + from;

    return bytes & mask[8 - from + len];
}


/*
 * Fills "order" with the indices of "params" sorted by family, members of
 * one family in the order of the input.  "spare" is as large as "order".
 */
void miqps_family_order(const miqps_param_t *params, size_t n,
    uint16_t *order, uint16_t *spare);


/*
 * Does the same for a few parameters that are seen to be of different
 * families by their keys alone; then there is nothing to settle.  False if
 * there are more, or two have one key; "order" is void then.
 */
int miqps_family_order_few(const miqps_param_t *params, size_t n,
    uint16_t *order);


/*
 * Makes the verdicts of each family agree, given the order by family: it is
 * stripped if all its members are, under one name, by rules that hold for
 * any value or for its only member; else it is kept.  Returns how many
 * parameters are to be stripped.
 */
size_t miqps_family_settle(miqps_param_t *params, size_t n,
    const uint16_t *order);


#endif /* _MIQPS_FAMILY_H_INCLUDED_ */
