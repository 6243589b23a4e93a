
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_collect.h"
#include "miqps_guard.h"


#define MIQPS_COLLECT_ROUNDS   3     /* of decoding */
#define MIQPS_COLLECT_JWT      20


static miqps_collect_e  miqps_collect_part(miqps_collect_memo_t *memo,
    const miqps_str_t *part, int query, uint8_t *buf);
static size_t  miqps_collect_decode(uint8_t *text, size_t len);
static int  miqps_collect_hex(uint8_t c);
static miqps_collect_e  miqps_collect_text(miqps_collect_memo_t *memo,
    const uint8_t *text, size_t len, int query);
static miqps_collect_e  miqps_collect_piece(miqps_collect_memo_t *memo,
    const uint8_t *text, size_t len, int query, uint32_t *seen);
static int  miqps_collect_jwt(const miqps_str_t *value);


/* where a piece ends: of a path, and of a query */

static const uint8_t  miqps_collect_ends[2][256] = {
    { ['&'] = 1, [';'] = 1, ['?'] = 1, ['#'] = 1, ['/'] = 1 },
    { ['&'] = 1, [';'] = 1, ['?'] = 1, ['#'] = 1 }
};


const char *
miqps_collect_name(miqps_collect_e collect)
{
    static const char *const  name[] = {
        "pass", "secret", "personal", "act"
    };

    return name[collect];
}


miqps_collect_e
miqps_collect_judge(miqps_collect_memo_t *memo, const miqps_str_t *path,
    const miqps_str_t *args, uint8_t *buf)
{
    miqps_collect_e  collect;

    collect = miqps_collect_part(memo, path, 0, buf);

    if (collect != MIQPS_COLLECT_PASS) {
        return collect;
    }

    return miqps_collect_part(memo, args, 1, buf);
}


static miqps_collect_e
miqps_collect_part(miqps_collect_memo_t *memo, const miqps_str_t *part,
    int query, uint8_t *buf)
{
    size_t           len, before, round;
    miqps_collect_e  collect;

    if (part->len == 0) {
        return MIQPS_COLLECT_PASS;
    }

    collect = miqps_collect_text(memo, part->data, part->len, query);

    if (collect != MIQPS_COLLECT_PASS
        || memchr(part->data, '%', part->len) == NULL)
    {
        return collect;
    }

    memcpy(buf, part->data, part->len);
    len = part->len;

    for (round = 0; /* void */ ; round++) {
        before = len;
        len = miqps_collect_decode(buf, len);

        if (len == before) {
            return MIQPS_COLLECT_PASS;
        }

        if (round == MIQPS_COLLECT_ROUNDS) {
            return MIQPS_COLLECT_SECRET;
        }

        collect = miqps_collect_text(memo, buf, len, query);

        if (collect != MIQPS_COLLECT_PASS) {
            return collect;
        }
    }
}


/* in place; what is no escape stays as it is */

static size_t
miqps_collect_decode(uint8_t *text, size_t len)
{
    int       high, low;
    size_t    i;
    uint8_t  *p;

    p = text;

    for (i = 0; i < len; i++) {

        if (text[i] == '%' && len - i > 2) {
            high = miqps_collect_hex(text[i + 1]);
            low = miqps_collect_hex(text[i + 2]);

            if (high >= 0 && low >= 0) {
                *p++ = (uint8_t) (high << 4 | low);
                i += 2;
                continue;
            }
        }

        *p++ = text[i];
    }

    return p - text;
}


static int
miqps_collect_hex(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}


static miqps_collect_e
miqps_collect_text(miqps_collect_memo_t *memo, const uint8_t *text, size_t len,
    int query)
{
    size_t           i, start;
    uint32_t         seen;
    const uint8_t   *ends;
    miqps_collect_e  collect;

    if (miqps_collect_personal(text, len)) {
        return MIQPS_COLLECT_PERSONAL;
    }

    if (!query && miqps_collect_path_acts(text, len)) {
        return MIQPS_COLLECT_ACT;
    }

    /* a path without these has neither parameters nor a JWT */

    if (!query && memchr(text, '=', len) == NULL
        && memchr(text, 'J', len) == NULL)
    {
        return MIQPS_COLLECT_PASS;
    }

    seen = 0;
    start = 0;
    ends = miqps_collect_ends[query];

    for (i = 0; i <= len; i++) {

        if (i < len && !ends[text[i]]) {
            continue;
        }

        collect = miqps_collect_piece(memo, text + start, i - start, query,
                                      &seen);

        if (collect != MIQPS_COLLECT_PASS) {
            return collect;
        }

        start = i + 1;
    }

    return (miqps_guard_judge(seen) != MIQPS_GUARD_PASS)
           ? MIQPS_COLLECT_SECRET : MIQPS_COLLECT_PASS;
}


static miqps_collect_e
miqps_collect_piece(miqps_collect_memo_t *memo, const uint8_t *text,
    size_t len, int query, uint32_t *seen)
{
    miqps_str_t     name, value;
    const uint8_t  *equal;

    name.data = text;
    name.len = len;

    if (miqps_collect_jwt(&name)) {
        return MIQPS_COLLECT_SECRET;
    }

    equal = (len > 0) ? memchr(text, '=', len) : NULL;

    /* a segment of a path, as most are */

    if (equal == NULL && !query) {
        return MIQPS_COLLECT_PASS;
    }

    value.data = text + len;
    value.len = 0;

    if (equal != NULL) {
        name.len = equal - text;
        value.data = equal + 1;
        value.len = len - name.len - 1;
    }

    if (miqps_collect_jwt(&value)) {
        return MIQPS_COLLECT_SECRET;
    }

    return miqps_collect_param(memo, &name, &value, query, seen);
}


/* JSON that begins with a name, in base64 */

static int
miqps_collect_jwt(const miqps_str_t *value)
{
    return value->len >= MIQPS_COLLECT_JWT
           && memcmp(value->data, "eyJ", 3) == 0;
}
