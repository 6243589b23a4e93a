
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_hash.h"
#include "veil.h"


#define LEARN_VEIL_DIGIT    1
#define LEARN_VEIL_LOW_HEX  2
#define LEARN_VEIL_LOW      4
#define LEARN_VEIL_UP_HEX   8
#define LEARN_VEIL_UP       16


static unsigned  learn_veil_class(uint8_t c);
static uint8_t  learn_veil_type(const miqps_str_t *value);
static const char  *learn_veil_alphabet(uint8_t type);
static uint64_t  learn_veil_next(uint64_t *state);


uint8_t *
learn_veil(const miqps_str_t *value, uint8_t *out)
{
    size_t   i;
    uint8_t  c, type;

    type = learn_veil_type(value);

    *out++ = LEARN_VEIL_BEGIN;

    for (i = 0; i < value->len; i++) {
        c = value->data[i];

        if (c == '%' && value->len - i > 2) {
            *out++ = type;
            i += 2;

        } else if (learn_veil_class(c) != 0 || c >= 0x80) {
            *out++ = type;

        } else {
            *out++ = c;
        }
    }

    *out++ = LEARN_VEIL_END;

    return out;
}


static unsigned
learn_veil_class(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return LEARN_VEIL_DIGIT;
    }

    if (c >= 'a' && c <= 'z') {
        return (c <= 'f') ? LEARN_VEIL_LOW_HEX : LEARN_VEIL_LOW;
    }

    if (c >= 'A' && c <= 'Z') {
        return (c <= 'F') ? LEARN_VEIL_UP_HEX : LEARN_VEIL_UP;
    }

    return 0;
}


static uint8_t
learn_veil_type(const miqps_str_t *value)
{
    int       low, up;
    size_t    i;
    unsigned  all;

    all = 0;

    for (i = 0; i < value->len; i++) {

        if (value->data[i] == '%') {
            i += 2;
            continue;
        }

        all |= learn_veil_class(value->data[i]);
    }

    low = (all & (LEARN_VEIL_LOW_HEX|LEARN_VEIL_LOW)) != 0;
    up = (all & (LEARN_VEIL_UP_HEX|LEARN_VEIL_UP)) != 0;

    if (!(all & LEARN_VEIL_DIGIT)) {
        return (low && up) ? 'a' : up ? 'u' : 'l';
    }

    if (low && up) {
        return 'w';
    }

    if (low) {
        return (all & LEARN_VEIL_LOW) ? 's' : 'h';
    }

    if (up) {
        return (all & LEARN_VEIL_UP) ? 'c' : 'H';
    }

    return 'd';
}


size_t
learn_veil_fill(const miqps_str_t *url, uint64_t seed, uint8_t *out)
{
    int          veiled;
    size_t       i;
    uint8_t      c, *p;
    const char  *alphabet;

    veiled = 0;
    p = out;

    for (i = 0; i < url->len; i++) {
        c = url->data[i];

        if (c == LEARN_VEIL_BEGIN || c == LEARN_VEIL_END) {
            veiled = (c == LEARN_VEIL_BEGIN);
            continue;
        }

        alphabet = veiled ? learn_veil_alphabet(c) : NULL;

        if (alphabet != NULL) {
            c = (uint8_t) alphabet[learn_veil_next(&seed) % strlen(alphabet)];
        }

        *p++ = c;
    }

    return (size_t) (p - out);
}


/* a number that begins with 0 could be another one */

static const char *
learn_veil_alphabet(uint8_t type)
{
    switch (type) {
    case 'd':
        return "123456789";
    case 'h':
        return "0123456789abcdef";
    case 'H':
        return "0123456789ABCDEF";
    case 'l':
        return "abcdefghijklmnopqrstuvwxyz";
    case 'u':
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    case 'a':
        return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    case 's':
        return "0123456789abcdefghijklmnopqrstuvwxyz";
    case 'c':
        return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    case 'w':
        return "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    default:
        return NULL;
    }
}


static uint64_t
learn_veil_next(uint64_t *state)
{
    uint64_t  x;

    *state += MIQPS_HASH_FACTOR;

    x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);

    return x ^ x >> 31;
}
