
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_private.h"


#define MIQPS_PRIVATE_DIGITS  19     /* a longer number is none of ours */
#define MIQPS_PRIVATE_GROUPS  8


/* digits with what people put between them */

typedef struct {
    uint8_t         digits[MIQPS_PRIVATE_DIGITS];
    uint8_t         groups[MIQPS_PRIVATE_GROUPS];     /* digits of each */
    size_t          ndigits;
    size_t          ngroups;
    unsigned        plus:1;       /* begins with "+" */
    unsigned        dot:1;        /* has "." */
    unsigned        over:1;       /* more than there is room for */
} miqps_number_t;


static int  miqps_private_email(const uint8_t *at, const uint8_t *behind,
    const uint8_t *start, const uint8_t *last);
static const uint8_t  *miqps_private_number(miqps_number_t *number,
    const uint8_t *p, const uint8_t *last);
static miqps_private_e  miqps_private_judge(const miqps_number_t *number);
static int  miqps_private_card(const miqps_number_t *number);
static int  miqps_private_phone(const miqps_number_t *number);


static inline int
miqps_private_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}


static inline int
miqps_private_letter(uint8_t c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}


/* the byte at "p", decoded; "*n" is how many bytes it takes */

static inline uint8_t
miqps_private_byte(const uint8_t *p, const uint8_t *last, size_t *n)
{
    *n = 1;

    if (*p != '%' || last - p < 3 || p[1] < '2' || p[1] > '4') {
        return *p;
    }

    *n = 3;

    switch ((uint32_t) p[1] << 8 | (p[2] & ~0x20U)) {

    case '2' << 8 | ('0' & ~0x20):
        return ' ';

    case '2' << 8 | ('8' & ~0x20):
        return '(';

    case '2' << 8 | ('9' & ~0x20):
        return ')';

    case '2' << 8 | 'B':
        return '+';

    case '2' << 8 | 'D':
        return '-';

    case '4' << 8 | ('0' & ~0x20):
        return '@';

    default:
        *n = 1;
        return '%';
    }
}


miqps_private_e
miqps_private_find(const miqps_str_t *text)
{
    size_t           n;
    uint8_t          c;
    unsigned         word;
    const uint8_t   *p, *last;
    miqps_number_t   number;
    miqps_private_e  what;

    p = text->data;
    last = p + text->len;
    word = 0;

    while (p < last) {
        c = *p;
        n = 1;

        if (c == '%') {
            c = miqps_private_byte(p, last, &n);
        }

        if (c == '@' && miqps_private_email(p, p + n, text->data, last)) {
            return MIQPS_PRIVATE_EMAIL;
        }

        /* a number begins where no word is going on */

        if (!word && (miqps_private_digit(c) || c == '(' || c == '+')) {
            p = miqps_private_number(&number, p, last);

            word = (p < last
                    && (miqps_private_letter(*p) || miqps_private_digit(*p)
                        || *p == '_'));

            what = word ? MIQPS_PRIVATE_NONE : miqps_private_judge(&number);

            if (what != MIQPS_PRIVATE_NONE) {
                return what;
            }

            continue;
        }

        word = miqps_private_digit(c) || miqps_private_letter(c) || c == '_'
               || c == '%' || (word && (c == '-' || c == '.'));
        p += n;
    }

    return MIQPS_PRIVATE_NONE;
}


/* "at" is where the sign is written, "behind" what follows it */

static int
miqps_private_email(const uint8_t *at, const uint8_t *behind,
    const uint8_t *start, const uint8_t *last)
{
    size_t          letters;
    unsigned        dots;
    const uint8_t  *p;

    if (at == start
        || !(miqps_private_letter(at[-1]) || miqps_private_digit(at[-1])
             || at[-1] == '_' || at[-1] == '-' || at[-1] == '.'))
    {
        return 0;
    }

    letters = 0;
    dots = 0;

    for (p = behind; p < last; p++) {

        if (miqps_private_letter(*p)) {
            letters++;

            if (dots > 0 && letters >= 2) {
                return 1;
            }

            continue;
        }

        if (*p == '.' && p > behind) {
            dots++;

        } else if (!miqps_private_digit(*p) && *p != '-') {
            return 0;
        }

        letters = 0;
    }

    return 0;
}


/* reads one, from a digit, "(" or "+" on; returns what is behind it */

static const uint8_t *
miqps_private_number(miqps_number_t *number, const uint8_t *p,
    const uint8_t *last)
{
    size_t          n, group, gap;
    uint8_t         c;
    const uint8_t  *end;

    memset(number, 0, sizeof(miqps_number_t));

    group = 0;
    gap = 0;
    end = p;

    for (/* void */ ; p < last; p += n) {
        c = miqps_private_byte(p, last, &n);

        if (miqps_private_digit(c)) {

            if (number->ndigits == MIQPS_PRIVATE_DIGITS
                || (group == 0 && number->ngroups == MIQPS_PRIVATE_GROUPS))
            {
                number->over = 1;

            } else {
                number->ngroups += (group == 0);
                number->groups[number->ngroups - 1] = (uint8_t) ++group;
                number->digits[number->ndigits++] = (uint8_t) (c - '0');
            }

            gap = 0;
            end = p + n;
            continue;
        }

        /* two of them at a time, as in ") " */

        if ((c != ' ' && c != '+' && c != '-' && c != '.' && c != '('
             && c != ')') || ++gap > 2)
        {
            break;
        }

        number->plus |= (c == '+' && number->ndigits == 0);
        number->dot |= (c == '.');
        group = 0;
    }

    return (end < p && number->ndigits > 0) ? end : p;
}


static miqps_private_e
miqps_private_judge(const miqps_number_t *number)
{
    if (number->over || number->ndigits < 8) {
        return MIQPS_PRIVATE_NONE;
    }

    if (miqps_private_card(number)) {
        return MIQPS_PRIVATE_CARD;
    }

    return miqps_private_phone(number) ? MIQPS_PRIVATE_PHONE
                                       : MIQPS_PRIVATE_NONE;
}


static int
miqps_private_card(const miqps_number_t *number)
{
    size_t    i, sum, value;
    unsigned  issuer;

    if (number->ndigits < 14 || number->dot || number->groups[0] < 4) {
        return 0;
    }

    issuer = 10U * number->digits[0] + number->digits[1];

    if (issuer < 22 || (issuer > 27 && issuer < 34 && issuer != 30)
        || issuer > 69)
    {
        return 0;
    }

    sum = 0;

    for (i = 0; i < number->ndigits; i++) {
        value = number->digits[number->ndigits - 1 - i];

        if (i % 2 == 1) {
            value = (value > 4) ? 2 * value - 9 : 2 * value;
        }

        sum += value;
    }

    return sum % 10 == 0;
}


static int
miqps_private_phone(const miqps_number_t *number)
{
    if (number->ndigits > 15) {
        return 0;
    }

    if (number->plus) {
        return !number->dot;
    }

    /* as in America */

    if (number->ngroups == 3 && number->groups[0] == 3
        && number->groups[1] == 3 && number->groups[2] == 4)
    {
        return 1;
    }

    if (number->digits[0] != 0 || number->dot) {
        return 0;
    }

    /* from abroad, or with the code of a town; a date has less */

    if (number->digits[1] == 0) {
        return number->ndigits >= 11 && number->digits[2] != 0;
    }

    return number->ngroups > 1 && number->ndigits >= 9;
}
