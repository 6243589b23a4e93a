
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_ESCAPE_H_INCLUDED_
#define _MIQPS_ESCAPE_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_guard.h"


/*
 * Percent-escapes, RFC 3986 sections 2.1 and 6.2.2.
 */


/*
 * Normalizes the escapes of "in": those of unreserved characters are decoded
 * (6.2.2.2), the hex digits of all others are made upper case (6.2.2.1).
 * Nothing else changes, nothing grows, and no new escape can appear.
 *
 * "out" is room for in->len bytes.  It is not written to when there is
 * nothing to change; "res" is then "in" itself.
 *
 * MIQPS_GUARD_PASS    "res" is set
 * MIQPS_GUARD_ESCAPE  a "%" is not followed by two hex digits
 * MIQPS_GUARD_NUL     there is an escaped NUL
 * MIQPS_GUARD_VALUE_BYTES  something would change, but there are escapes that
 *                     are not UTF-8
 */
miqps_guard_e miqps_escape_normalize(const miqps_str_t *in, uint8_t *out,
    miqps_str_t *res);


/*
 * True if miqps_escape_normalize() would find nothing to change and nothing
 * wrong.  "set" has a bit for each "%" of "data", in "n" words of 64 bits;
 * behind "data" there are two bytes that are no hex digits.
 */
int miqps_escape_normal(const uint8_t *data, const uint64_t *set, size_t n);


/*
 * Decodes every escape of "in", which miqps_escape_normalize() has passed,
 * and "+" to a space, as a form parser does.  "out" is room for in->len
 * bytes; returns how many were written.
 */
size_t miqps_escape_decode(const miqps_str_t *in, uint8_t *out);


#endif /* _MIQPS_ESCAPE_H_INCLUDED_ */
