
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_escape.h"


static int  miqps_escape_unreserved(uint8_t c);
static int  miqps_escape_hex(uint8_t c);


miqps_guard_e
miqps_escape_normalize(const miqps_str_t *in, uint8_t *out, miqps_str_t *res)
{
    int             hi, lo;
    uint8_t        *dst;
    const uint8_t  *src, *last, *p;

    *res = *in;

    if (in->len == 0) {
        return MIQPS_GUARD_PASS;
    }

    src = in->data;
    last = in->data + in->len;

    p = memchr(src, '%', in->len);

    if (p == NULL) {
        return MIQPS_GUARD_PASS;
    }

    dst = out;

    do {
        memcpy(dst, src, (size_t) (p - src));
        dst += p - src;

        if (last - p < 3) {
            return MIQPS_GUARD_ESCAPE;
        }

        hi = miqps_escape_hex(p[1]);
        lo = miqps_escape_hex(p[2]);

        if (hi < 0 || lo < 0) {
            return MIQPS_GUARD_ESCAPE;
        }

        if (hi == 0 && lo == 0) {
            return MIQPS_GUARD_NUL;
        }

        if (miqps_escape_unreserved((uint8_t) (hi << 4 | lo))) {
            *dst++ = (uint8_t) (hi << 4 | lo);

        } else {
            *dst++ = '%';
            *dst++ = (uint8_t) "0123456789ABCDEF"[hi];
            *dst++ = (uint8_t) "0123456789ABCDEF"[lo];
        }

        src = p + 3;

        p = memchr(src, '%', (size_t) (last - src));

    } while (p != NULL);

    memcpy(dst, src, (size_t) (last - src));
    dst += last - src;

    res->data = out;
    res->len = (size_t) (dst - out);

    return MIQPS_GUARD_PASS;
}


size_t
miqps_escape_decode(const miqps_str_t *in, uint8_t *out)
{
    uint8_t        *dst;
    const uint8_t  *p, *last;

    dst = out;
    last = in->data + in->len;

    for (p = in->data; p < last; p++) {

        if (*p == '%') {
            *dst++ = (uint8_t) (miqps_escape_hex(p[1]) << 4
                                | miqps_escape_hex(p[2]));
            p += 2;
            continue;
        }

        *dst++ = (*p == '+') ? ' ' : *p;
    }

    return (size_t) (dst - out);
}


static int
miqps_escape_unreserved(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9')
           || c == '-' || c == '.' || c == '_' || c == '~';
}


/* the value of a hex digit, or -1 */

static int
miqps_escape_hex(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }

    return -1;
}
