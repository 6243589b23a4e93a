
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "combined.h"


typedef struct {
    const uint8_t  *p;
    const uint8_t  *last;
} learn_cursor_t;


static int  learn_combined_until(learn_cursor_t *at, uint8_t end,
    miqps_str_t *part);
static int  learn_combined_skip(learn_cursor_t *at, uint8_t c);
static int  learn_combined_number(learn_cursor_t *at, size_t digits,
    unsigned *value);
static int  learn_combined_day(learn_cursor_t *at, int64_t *day);
static int  learn_combined_request(learn_combined_t *entry,
    const miqps_str_t *request);


int
learn_combined_parse(learn_combined_t *entry, const miqps_str_t *line)
{
    miqps_str_t     part, request;
    learn_cursor_t  at;

    at.p = line->data;
    at.last = line->data + line->len;

    return learn_combined_until(&at, ' ', &entry->client)
           && entry->client.len > 0
           && learn_combined_skip(&at, '-')
           && learn_combined_skip(&at, ' ')
           && learn_combined_until(&at, '[', &entry->user)
           && entry->user.len > 1
           && learn_combined_day(&at, &entry->day)
           && learn_combined_until(&at, ']', &part)
           && learn_combined_skip(&at, ' ')
           && learn_combined_skip(&at, '"')
           && learn_combined_until(&at, '"', &request)
           && learn_combined_skip(&at, ' ')
           && learn_combined_number(&at, 3, &entry->status)
           && (at.p == at.last || *at.p == ' ')
           && learn_combined_request(entry, &request);
}


/* bytes up to one that ends them, which is passed */

static int
learn_combined_until(learn_cursor_t *at, uint8_t end, miqps_str_t *part)
{
    const uint8_t  *p;

    if (at->p == at->last) {
        return 0;
    }

    p = memchr(at->p, end, (size_t) (at->last - at->p));

    if (p == NULL) {
        return 0;
    }

    part->data = at->p;
    part->len = (size_t) (p - at->p);
    at->p = p + 1;

    return 1;
}


static int
learn_combined_skip(learn_cursor_t *at, uint8_t c)
{
    if (at->p == at->last || *at->p != c) {
        return 0;
    }

    at->p++;

    return 1;
}


static int
learn_combined_number(learn_cursor_t *at, size_t digits, unsigned *value)
{
    *value = 0;

    for (/* void */ ; digits > 0; digits--, at->p++) {

        if (at->p == at->last || *at->p < '0' || *at->p > '9') {
            return 0;
        }

        *value = 10 * *value + (*at->p - '0');
    }

    return 1;
}


/* "17/Nov/2026" */

static int
learn_combined_day(learn_cursor_t *at, int64_t *day)
{
    static const char  months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    unsigned  d, m, y, era;

    if (!learn_combined_number(at, 2, &d) || !learn_combined_skip(at, '/')
        || at->last - at->p < 3 || d < 1 || d > 31)
    {
        return 0;
    }

    for (m = 0; m < 12; m++) {
        if (memcmp(at->p, months + 3 * m, 3) == 0) {
            break;
        }
    }

    at->p += 3;

    if (m == 12 || !learn_combined_skip(at, '/')
        || !learn_combined_number(at, 4, &y) || y < 1970)
    {
        return 0;
    }

    /* years that begin in March have their odd day at the end */

    y -= (m < 2);
    m = (m + 10) % 12;
    era = y / 100;

    *day = (int64_t) 365 * y + y / 4 - era + era / 4 + (153 * m + 2) / 5 + d
           - 719469;

    return 1;
}


/* "GET /p?id=7 HTTP/1.1" */

static int
learn_combined_request(learn_combined_t *entry, const miqps_str_t *request)
{
    learn_cursor_t  at;

    at.p = request->data;
    at.last = request->data + request->len;

    if (!learn_combined_until(&at, ' ', &entry->method)
        || !learn_combined_until(&at, ' ', &entry->target))
    {
        return 0;
    }

    return entry->target.len > 0 && at.last - at.p >= 6
           && memcmp(at.p, "HTTP/", 5) == 0
           && memchr(entry->target.data, '\\', entry->target.len) == NULL;
}
