
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_PICK_H_INCLUDED_
#define _LEARN_PICK_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * URLS THAT ARE KEPT
 *
 * A pick is a URL with the hash that it is kept for: its own in a reservoir,
 * that of a value in a sample.  Reservoirs and samples have the picks with the
 * smallest hashes, each hash once.
 *
 * In the store they are a run of bytes, in order of their hashes, each of them
 *
 *     0  u64  hash, of 63 bits
 *     8  u16  the day on which it was last seen, since 1970
 *    10  u16  length; the highest bit tells that something in it is veiled
 *    12       the URL
 *
 * with the low byte first.
 */

#define LEARN_PICK_HEAD   12
#define LEARN_PICK_MAX    0x7fff           /* bytes of a URL */


typedef struct {
    uint64_t        hash;
    const uint8_t  *url;
    uint32_t        len;
    uint16_t        day;
    uint16_t        veiled;        /* unsigned  veiled:1; */
} learn_pick_t;


/* bytes that a run of "n" picks takes */

size_t learn_picks_size(const learn_pick_t *picks, size_t n);

/* writes them; returns the end */

uint8_t *learn_picks_write(const learn_pick_t *picks, size_t n, uint8_t *out);


/*
 * Reads a run into "picks", which point into "data"; only counts them if
 * "picks" is NULL.  Returns how many there are, up to where the run ends or
 * is damaged.
 */
size_t learn_picks_read(const uint8_t *data, size_t len, learn_pick_t *picks);


/*
 * Puts "n" picks in order, leaves each hash once, and cuts them down to "max".
 * Of two with one hash the later day stays, and the URL that is not veiled.
 * "spare" is room for as many.  Returns how many are left.
 */
size_t learn_picks_merge(learn_pick_t *picks, learn_pick_t *spare, size_t n,
    size_t max);


#endif /* _LEARN_PICK_H_INCLUDED_ */
