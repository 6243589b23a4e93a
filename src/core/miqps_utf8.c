
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_utf8.h"


size_t
miqps_utf8_char(const uint8_t *p, size_t left)
{
    size_t   i, n;
    uint8_t  low, high;

    if (left == 0 || *p < 0x80) {
        return (left > 0);
    }

    low = 0x80;
    high = 0xbf;

    if (*p >= 0xc2 && *p <= 0xdf) {
        n = 2;

    } else if (*p >= 0xe0 && *p <= 0xef) {
        n = 3;
        low = (*p == 0xe0) ? 0xa0 : 0x80;
        high = (*p == 0xed) ? 0x9f : 0xbf;

    } else if (*p >= 0xf0 && *p <= 0xf4) {
        n = 4;
        low = (*p == 0xf0) ? 0x90 : 0x80;
        high = (*p == 0xf4) ? 0x8f : 0xbf;

    } else {
        return 0;
    }

    if (left < n || p[1] < low || p[1] > high) {
        return 0;
    }

    for (i = 2; i < n; i++) {
        if (p[i] < 0x80 || p[i] > 0xbf) {
            return 0;
        }
    }

    return n;
}


int
miqps_utf8_valid(const uint8_t *p, size_t len)
{
    size_t  n;

    while (len > 0) {
        n = miqps_utf8_char(p, len);

        if (n == 0) {
            return 0;
        }

        p += n;
        len -= n;
    }

    return 1;
}
