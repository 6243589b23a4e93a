
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_escape.h"
#include "miqps_utf8.h"


/* the value of a hex digit, with what else there is to say of it */

#define MIQPS_HEX_NONE   0x80        /* it is none */
#define MIQPS_HEX_SMALL  0x40        /* it is a small letter */

#define N  MIQPS_HEX_NONE

static const uint8_t  miqps_escape_hex[256] = {
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
    0x08, 0x09,    N,    N,    N,    N,    N,    N,
       N, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N,
       N,    N,    N,    N,    N,    N,    N,    N
};

#undef N


/* NUL, which is refused, and the unreserved characters, which are decoded */

static const uint32_t  miqps_escape_odd[8] = {
    0x00000001,                      /* NUL */
    0x03ff6000,                      /* - . 0 to 9 */
    0x87fffffe,                      /* A to Z _ */
    0x47fffffe,                      /* a to z ~ */
    0, 0, 0, 0
};


static uint8_t  *miqps_escape_write(uint8_t *dst, uint8_t c, uint32_t plain);
static int  miqps_escape_utf8(const miqps_str_t *in);
static uint8_t  miqps_escape_byte(const uint8_t *p);


miqps_guard_e
miqps_escape_normalize(const miqps_str_t *in, uint8_t *out, miqps_str_t *res)
{
    uint8_t         c, hi, lo, high, *dst;
    uint32_t        plain;
    const uint8_t  *src, *last, *p;

    *res = *in;

    if (in->len == 0) {
        return MIQPS_GUARD_PASS;
    }

    src = in->data;
    last = src + in->len;
    dst = out;
    high = 0;

    /* "src" to "p" is as it should be; "out" is used when something is not */

    for (p = src; p < last; p += 3) {

        p = memchr(p, '%', (size_t) (last - p));

        if (p == NULL) {
            break;
        }

        if (last - p < 3) {
            return MIQPS_GUARD_ESCAPE;
        }

        hi = miqps_escape_hex[p[1]];
        lo = miqps_escape_hex[p[2]];

        if ((hi | lo) & MIQPS_HEX_NONE) {
            return MIQPS_GUARD_ESCAPE;
        }

        c = (uint8_t) ((hi << 4 | (lo & 0x0f)) & 0xff);

        if (c == 0) {
            return MIQPS_GUARD_NUL;
        }

        high |= c;

        plain = miqps_escape_odd[c / 32] >> (c % 32) & 1;

        if (!plain && !((hi | lo) & MIQPS_HEX_SMALL)) {
            continue;
        }

        memcpy(dst, src, (size_t) (p - src));
        dst = miqps_escape_write(dst + (p - src), c, plain);
        src = p + 3;
    }

    if (dst > out) {

        if (high >= 0x80 && !miqps_escape_utf8(in)) {
            return MIQPS_GUARD_VALUE_BYTES;
        }

        memcpy(dst, src, (size_t) (last - src));

        res->data = out;
        res->len = (size_t) (dst - out) + (size_t) (last - src);
    }

    return MIQPS_GUARD_PASS;
}


static uint8_t *
miqps_escape_write(uint8_t *dst, uint8_t c, uint32_t plain)
{
    if (plain) {
        *dst++ = c;
        return dst;
    }

    *dst++ = '%';
    *dst++ = (uint8_t) "0123456789ABCDEF"[c >> 4];
    *dst++ = (uint8_t) "0123456789ABCDEF"[c & 0x0f];

    return dst;
}


int
miqps_escape_normal(const uint8_t *data, const uint64_t *set, size_t n)
{
    size_t          i;
    unsigned        hi, lo, c, odd;
    uint64_t        bits;
    const uint8_t  *p;

    odd = 0;

    for (i = 0; i < n; i++) {

        for (bits = set[i]; bits != 0; bits &= bits - 1) {
            p = data + 64 * i + __builtin_ctzll(bits);

            hi = miqps_escape_hex[p[1]];
            lo = miqps_escape_hex[p[2]];
            c = (hi << 4 | (lo & 0x0f)) & 0xff;

            odd |= (hi | lo) & (MIQPS_HEX_NONE|MIQPS_HEX_SMALL);
            odd |= miqps_escape_odd[c / 32] >> (c % 32) & 1;
        }
    }

    return !odd;
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
            *dst++ = miqps_escape_byte(p);
            p += 2;
            continue;
        }

        *dst++ = (*p == '+') ? ' ' : *p;
    }

    return (size_t) (dst - out);
}


/*
 * True if all escapes stand for UTF-8.  Where they do not, qs gives up on the
 * whole value and shows it as it was written, so that nothing may change.
 */

static int
miqps_escape_utf8(const miqps_str_t *in)
{
    size_t          n;
    uint8_t         bytes[4];
    const uint8_t  *p, *q, *last;

    last = in->data + in->len;

    for (p = in->data; p < last; p += 3 * n) {

        p = memchr(p, '%', (size_t) (last - p));

        if (p == NULL) {
            break;
        }

        n = 0;

        for (q = p; n < 4 && last - q >= 3 && *q == '%'; q += 3) {
            bytes[n++] = miqps_escape_byte(q);
        }

        n = miqps_utf8_char(bytes, n);

        if (n == 0) {
            return 0;
        }
    }

    return 1;
}


/* what an escape stands for, which has passed miqps_escape_normalize() */

static uint8_t
miqps_escape_byte(const uint8_t *p)
{
    return (uint8_t) ((miqps_escape_hex[p[1]] << 4
                       | (miqps_escape_hex[p[2]] & 0x0f)) & 0xff);
}
