
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_PUT_H_INCLUDED_
#define _MAP_PUT_H_INCLUDED_


#include <stdint.h>
#include <string.h>


/* Integers of an image; each returns what is behind them. */


static inline uint8_t *
learn_put(uint8_t *p, uint64_t value, unsigned bytes)
{
    unsigned  i;

    for (i = 0; i < bytes; i++) {
        p[i] = (uint8_t) (value >> 8 * i & 0xff);
    }

    return p + bytes;
}


static inline uint8_t *
learn_put_u16(uint8_t *p, uint32_t value)
{
    return learn_put(p, value, 2);
}


static inline uint8_t *
learn_put_u24(uint8_t *p, uint32_t value)
{
    return learn_put(p, value, 3);
}


static inline uint8_t *
learn_put_u32(uint8_t *p, uint32_t value)
{
    return learn_put(p, value, 4);
}


static inline uint8_t *
learn_put_u64(uint8_t *p, uint64_t value)
{
    return learn_put(p, value, 8);
}


static inline uint8_t *
learn_put_bytes(uint8_t *p, const uint8_t *data, size_t len)
{
    if (len > 0) {
        memcpy(p, data, len);
    }

    return p + len;
}


#endif /* _MAP_PUT_H_INCLUDED_ */
