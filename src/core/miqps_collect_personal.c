
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_collect.h"


#define MIQPS_CARD_MIN    13
#define MIQPS_CARD_MAX    19
#define MIQPS_PHONE_MIN   8
#define MIQPS_PHONE_MAX   15
#define MIQPS_PHONE_TEXT  32         /* bytes that it takes at most */
#define MIQPS_TOP_MIN     2          /* letters of a top level domain */
#define MIQPS_NUMBER_MIN  10         /* digits of what has no "+" */


static int  miqps_personal_mail(const uint8_t *text, size_t len, size_t at);
static size_t  miqps_personal_digits(const uint8_t *text, size_t len,
    size_t *i);
static int  miqps_personal_card(const uint8_t *text, size_t len, size_t i);
static int  miqps_personal_issuer(const uint8_t *digit, size_t n);
static int  miqps_personal_luhn(const uint8_t *digit, size_t n);
static int  miqps_personal_phone(const uint8_t *text, size_t len, size_t i);
static int  miqps_personal_local(const uint8_t *text, size_t len, size_t i);


/* what can begin something, or have it behind */

static const uint8_t  miqps_personal_signs[256] = {
    ['@'] = 1, ['+'] = 1, ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1,
    ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1
};


static inline int
miqps_personal_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}


static inline int
miqps_personal_letter(uint8_t c)
{
    c |= 0x20;

    return c >= 'a' && c <= 'z';
}


/* between the digits of a number; a space may be written as "+" */

static inline int
miqps_personal_gap(uint8_t c)
{
    return c == ' ' || c == '-' || c == '.' || c == '+' || c == '('
           || c == ')';
}


int
miqps_collect_personal(const uint8_t *text, size_t len)
{
    size_t  i, end;

    for (i = 0; i < len; i++) {

        if (!miqps_personal_signs[text[i]]) {
            continue;
        }

        if (text[i] == '@') {

            if (miqps_personal_mail(text, len, i)) {
                return 1;
            }

            continue;
        }

        if (text[i] == '+') {

            if (miqps_personal_phone(text, len, i)) {
                return 1;
            }

            continue;
        }

        /* only where a number begins, or a group of its digits */

        if (i > 0 && (miqps_personal_digit(text[i - 1])
                      || miqps_personal_letter(text[i - 1])))
        {
            continue;
        }

        end = i;

        if (miqps_personal_digits(text, len, &end) < MIQPS_NUMBER_MIN) {
            i = end - 1;
            continue;
        }

        if (miqps_personal_card(text, len, i)
            || miqps_personal_local(text, len, i))
        {
            return 1;
        }
    }

    return 0;
}


/* how many there are in groups, up to MIQPS_NUMBER_MIN; "*i" is behind them */

static size_t
miqps_personal_digits(const uint8_t *text, size_t len, size_t *i)
{
    size_t  k, n;

    n = 0;

    for (k = *i; k < len && n < MIQPS_NUMBER_MIN; k++) {

        if (miqps_personal_digit(text[k])) {
            n++;
            continue;
        }

        if (!miqps_personal_gap(text[k]) || k + 1 == len
            || !miqps_personal_digit(text[k + 1]))
        {
            break;
        }
    }

    *i = k;

    return n;
}


/* something before it, and a name with a dot behind */

static int
miqps_personal_mail(const uint8_t *text, size_t len, size_t at)
{
    size_t   i, label;
    uint8_t  c;

    if (at == 0) {
        return 0;
    }

    c = text[at - 1];

    if (c < 0x80 && !miqps_personal_letter(c) && !miqps_personal_digit(c)
        && c != '_' && c != '-' && c != '+' && c != '.' && c != '"')
    {
        return 0;
    }

    label = at + 1;

    for (i = at + 1; i < len; i++) {
        c = text[i];

        if (c == '.') {

            if (i == at + 1) {
                return 0;
            }

            label = i + 1;
            continue;
        }

        if (c < 0x80 && !miqps_personal_letter(c) && !miqps_personal_digit(c)
            && c != '-')
        {
            break;
        }
    }

    return label > at + 1 && i - label >= MIQPS_TOP_MIN;
}


/* digits in groups; the number may end with any of them */

static int
miqps_personal_card(const uint8_t *text, size_t len, size_t i)
{
    size_t   n;
    uint8_t  digit[MIQPS_CARD_MAX];

    n = 0;

    for ( /* void */ ; i < len; i++) {

        if (miqps_personal_digit(text[i])) {

            if (n == MIQPS_CARD_MAX) {
                return 0;
            }

            digit[n++] = text[i] - '0';

            if (n >= MIQPS_CARD_MIN
                && (i + 1 == len || !miqps_personal_digit(text[i + 1]))
                && miqps_personal_issuer(digit, n)
                && miqps_personal_luhn(digit, n))
            {
                return 1;
            }

            continue;
        }

        if (!miqps_personal_gap(text[i]) || i + 1 == len
            || !miqps_personal_digit(text[i + 1]))
        {
            return 0;
        }
    }

    return 0;
}


/* who issues cards has numbers of their own; times and most others begin so */

static int
miqps_personal_issuer(const uint8_t *digit, size_t n)
{
    switch (digit[0]) {
    case 2:
        return n == 16 && digit[1] >= 2 && digit[1] <= 7;
    case 3:
        return n == 14 || n == 15 || n == 16;
    case 4:
        return n == 13 || n == 16 || n == 19;
    case 5:
        return n == 16;
    case 6:
        return 1;
    default:
        return 0;
    }
}


/* ISO/IEC 7812: every other digit from the right is doubled */

static int
miqps_personal_luhn(const uint8_t *digit, size_t n)
{
    size_t    i;
    unsigned  sum, d;

    sum = 0;

    for (i = 0; i < n; i++) {
        d = digit[n - 1 - i];

        if (i % 2 == 1) {
            d *= 2;
            d = (d > 9) ? d - 9 : d;
        }

        sum += d;
    }

    return sum % 10 == 0;
}


/* "+" at the beginning of a value or segment, and a country behind it */

static int
miqps_personal_phone(const uint8_t *text, size_t len, size_t i)
{
    size_t  n, end;

    if (i > 0 && (miqps_personal_letter(text[i - 1])
                  || miqps_personal_digit(text[i - 1]) || text[i - 1] >= 0x80))
    {
        return 0;
    }

    i++;

    if (i == len || text[i] < '1' || text[i] > '9') {
        return 0;
    }

    end = (len - i > MIQPS_PHONE_TEXT) ? i + MIQPS_PHONE_TEXT : len;

    for (n = 0; i < end; i++) {

        if (miqps_personal_digit(text[i])) {
            n++;

        } else if (!miqps_personal_gap(text[i])) {
            break;
        }
    }

    return n >= MIQPS_PHONE_MIN && n <= MIQPS_PHONE_MAX;
}


/* three, three and four digits, as in North America */

static int
miqps_personal_local(const uint8_t *text, size_t len, size_t i)
{
    size_t          k;
    const char     *p;
    const uint8_t  *at;

    static const char  form[] = "ddd-ddd-dddd";

    if (len - i < sizeof(form) - 1) {
        return 0;
    }

    at = text + i;

    for (k = 0, p = form; *p != '\0'; k++, p++) {

        if (*p == 'd') {

            if (!miqps_personal_digit(at[k])) {
                return 0;
            }

            continue;
        }

        if (at[k] != '-' && at[k] != '.' && at[k] != ' ') {
            return 0;
        }
    }

    return i + k == len || !(miqps_personal_digit(text[i + k])
                             || text[i + k] == '-');
}
