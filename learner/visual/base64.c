
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "base64.h"


static const char  learn_base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";


static int  learn_base64_digit(char c);


void
learn_base64_write(const uint8_t *data, size_t len, char *text)
{
    size_t    i, k, n;
    uint32_t  word;

    for (i = 0; i < len; i += 3) {
        n = (len - i < 3) ? len - i : 3;

        word = (uint32_t) data[i] << 16;
        word |= (n > 1) ? (uint32_t) data[i + 1] << 8 : 0;
        word |= (n > 2) ? data[i + 2] : 0;

        for (k = 0; k < 4; k++) {
            *text++ = (k <= n) ? learn_base64_digits[word >> (18 - 6 * k) & 63]
                               : '=';
        }
    }

    *text = '\0';
}


int
learn_base64_read(const char *text, size_t len, uint8_t *data, size_t *n)
{
    int       digit;
    size_t    i, k, bytes;
    uint32_t  word;

    *n = 0;

    if (len % 4 != 0) {
        return 0;
    }

    for (i = 0; i < len; i += 4) {
        word = 0;
        bytes = 3;

        /* only the last four may have less than three bytes */

        if (i + 4 == len && text[i + 3] == '=') {
            bytes = (text[i + 2] == '=') ? 1 : 2;
        }

        for (k = 0; k < 4; k++) {
            digit = (k <= bytes) ? learn_base64_digit(text[i + k]) : 0;

            if (digit < 0) {
                return 0;
            }

            word = word << 6 | (uint32_t) digit;
        }

        for (k = 0; k < bytes; k++) {
            data[(*n)++] = (uint8_t) (word >> (16 - 8 * k));
        }
    }

    return 1;
}


static int
learn_base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }

    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }

    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }

    return (c == '+') ? 62 : (c == '/') ? 63 : -1;
}
