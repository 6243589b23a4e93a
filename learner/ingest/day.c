
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "day.h"


#define LEARN_DAY_SECONDS  86400
#define LEARN_DAY_STAMP    14          /* digits of "20261117160000" */


static int  learn_day_number(const miqps_str_t *text, size_t at, size_t n,
    unsigned *value);
static int64_t  learn_day_month(const miqps_str_t *text);
static int64_t  learn_day_iso(const miqps_str_t *text, size_t month,
    size_t day);
static int64_t  learn_day_since(unsigned y, unsigned m, unsigned d);


int64_t
learn_day(const miqps_str_t *text)
{
    size_t    i;
    uint64_t  seconds;

    if (text->len >= 11 && text->data[2] == '/' && text->data[6] == '/') {
        return learn_day_month(text);
    }

    if (text->len >= 10 && text->data[4] == '-' && text->data[7] == '-') {
        return learn_day_iso(text, 5, 8);
    }

    seconds = 0;

    for (i = 0; i < text->len && i < LEARN_DAY_STAMP; i++) {

        if (text->data[i] < '0' || text->data[i] > '9') {
            break;
        }

        seconds = 10 * seconds + (text->data[i] - '0');
    }

    if (i == LEARN_DAY_STAMP) {
        return learn_day_iso(text, 4, 6);
    }

    return (i == text->len || text->data[i] == '.')
           ? (int64_t) (seconds / LEARN_DAY_SECONDS) : 0;
}


/* "17/Nov/2026" */

static int64_t
learn_day_month(const miqps_str_t *text)
{
    static const char  months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    unsigned  d, m, y;

    if (!learn_day_number(text, 0, 2, &d)
        || !learn_day_number(text, 7, 4, &y))
    {
        return 0;
    }

    for (m = 0; m < 12; m++) {
        if (memcmp(text->data + 3, months + 3 * m, 3) == 0) {
            return learn_day_since(y, m + 1, d);
        }
    }

    return 0;
}


/* a year, and where month and day are */

static int64_t
learn_day_iso(const miqps_str_t *text, size_t month, size_t day)
{
    unsigned  d, m, y;

    if (!learn_day_number(text, 0, 4, &y)
        || !learn_day_number(text, month, 2, &m)
        || !learn_day_number(text, day, 2, &d))
    {
        return 0;
    }

    return learn_day_since(y, m, d);
}


static int
learn_day_number(const miqps_str_t *text, size_t at, size_t n, unsigned *value)
{
    size_t  i;

    *value = 0;

    for (i = at; i < at + n; i++) {

        if (i >= text->len || text->data[i] < '0' || text->data[i] > '9') {
            return 0;
        }

        *value = 10 * *value + (text->data[i] - '0');
    }

    return 1;
}


/* years that begin in March have their odd day at the end */

static int64_t
learn_day_since(unsigned y, unsigned m, unsigned d)
{
    unsigned  century;

    if (y < 1970 || m < 1 || m > 12 || d < 1 || d > 31) {
        return 0;
    }

    y -= (m < 3);
    m = (m + 9) % 12;
    century = y / 100;

    return (int64_t) 365 * y + y / 4 - century + century / 4
           + (153 * m + 2) / 5 + d - 719469;
}
