
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_VEIL_H_INCLUDED_
#define _LEARN_VEIL_H_INCLUDED_


#include "miqps_core.h"


/*
 * A value that nobody shall know is stored as its type and length, between two
 * bytes that no URL has:
 *
 *     ?sid=4f9c2e1ab07d&page=2    ->    ?sid=<02>hhhhhhhhhhhh<03>&page=2
 *
 * Each letter, digit, escape and byte that is not ASCII becomes a letter that
 * says what the digits and letters of the value are:
 *
 *     d  digits                      l  small letters
 *     h  hex digits, small           u  capitals
 *     H  hex digits, capitals        s  small letters and digits
 *     a  letters                     c  capitals and digits
 *     w  letters and digits
 *
 * Other characters, such as "-", stay where they are.
 */

#define LEARN_VEIL_BEGIN  0x02
#define LEARN_VEIL_END    0x03


/*
 * Writes a value, veiled, to "out", which has room for value->len + 2 bytes;
 * returns the end.
 */
uint8_t *learn_veil(const miqps_str_t *value, uint8_t *out);


/*
 * Makes a URL of one that has veils: each is replaced by a value of its type
 * and length, which depends on "seed" and nothing else.  "out" has room for
 * url->len bytes; returns how many were written.
 */
size_t learn_veil_fill(const miqps_str_t *url, uint64_t seed, uint8_t *out);


#endif /* _LEARN_VEIL_H_INCLUDED_ */
