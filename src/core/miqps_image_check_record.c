
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_check.h"


static int  miqps_image_check_lists(const uint8_t *record, size_t need,
    size_t size);
static int  miqps_image_check_ascends(const miqps_host_t *host,
    const uint8_t *tags, uint32_t n);
static int  miqps_image_check_end(const uint8_t *p, size_t size);
static int  miqps_image_check_host_name(const uint8_t *host, size_t len);
static int  miqps_image_check_neutral(const miqps_image_t *image,
    const miqps_host_t *host);
static int  miqps_image_check_patterns(const miqps_image_t *image,
    const miqps_host_t *host, size_t size);
static size_t  miqps_image_check_pattern(const miqps_image_t *image,
    const uint8_t *p, size_t size);
static int  miqps_image_check_masks(const miqps_pattern_t *pattern);
static int  miqps_image_check_defaults(const miqps_image_t *image,
    const miqps_pattern_t *pattern);


/*
 * (5), (6) and (7) of miqps_image.h.  Lists are as long as they say, one
 * after the other, before any of them is looked at.
 */

int
miqps_image_check_record(const miqps_image_t *image, const uint8_t *record,
    size_t size, uint32_t *patterns)
{
    size_t        need;
    miqps_host_t  host;

    need = MIQPS_HOST_HEAD + record[4];
    size -= (record[5] & MIQPS_HOST_RULES) ? 4 : 0;

    if (need > size
        || (record[5]
            & ~(MIQPS_HOST_WILDCARD|MIQPS_HOST_MIRROR|MIQPS_HOST_WIDE
                |MIQPS_HOST_RULES))
        || ((record[5] & MIQPS_HOST_RULES)
            && ((record[5] & MIQPS_HOST_MIRROR)
                || image->section[MIQPS_SECTION_RULES].size == 0))
        || !miqps_image_check_host_name(record + MIQPS_HOST_HEAD, record[4]))
    {
        return 0;
    }

    if (record[5] & MIQPS_HOST_MIRROR) {
        return miqps_get_u16(record + 6) == 0
               && miqps_image_check_end(record + need, size - need);
    }

    if (!miqps_image_check_lists(record, need, size)) {
        return 0;
    }

    miqps_image_host(&host, record);

    if (!miqps_image_check_ascends(&host, host.matter, host.nmatter)
        || !miqps_image_check_neutral(image, &host)
        || !miqps_image_check_patterns(image, &host, size))
    {
        return 0;
    }

    *patterns += host.npatterns;

    return 1;
}


/* whether what is before the patterns is inside of the record */

static int
miqps_image_check_lists(const uint8_t *record, size_t need, size_t size)
{
    size_t        wide;
    uint64_t      left, n;
    miqps_host_t  host;

    host.flags = record[5];

    wide = (host.flags & MIQPS_HOST_WIDE) ? 4 : 2;
    left = size - need;

    n = 2 * wide * (uint64_t) miqps_get_u32(record + 8) + wide;

    if (n > left) {
        return 0;
    }

    left -= n;
    n = wide * (uint64_t) miqps_image_number(&host, record + size - left
                                                    - wide, 0);

    if (n > left) {
        return 0;
    }

    left -= n;

    if (miqps_get_u16(record + 6) == 0) {
        return 1;
    }

    n = wide + (wide + 3) * (uint64_t) miqps_get_u16(record + 6);

    if (n > left) {
        return 0;
    }

    n += 2 * wide * (uint64_t) miqps_image_number(&host, record + size - left,
                                                  0);

    return n <= left;
}


static int
miqps_image_check_ascends(const miqps_host_t *host, const uint8_t *tags,
    uint32_t n)
{
    uint32_t  i, tag, prev;

    prev = 0;

    for (i = 0; i < n; i++) {
        tag = miqps_image_number(host, tags, i);

        if (tag < prev) {
            return 0;
        }

        prev = tag;
    }

    return 1;
}


/* zero bytes up to the next multiple of four */

static int
miqps_image_check_end(const uint8_t *p, size_t size)
{
    size_t  i;

    for (i = 0; i < size; i++) {
        if (i == 3 || p[i] != 0) {
            return 0;
        }
    }

    return 1;
}


/*
 * Eight bytes of a host: the highest bit of each is set in the result if it is
 * not printable, "/", or "A" to "Z"; maybe of others behind such a one, too.
 */

static inline uint64_t
miqps_image_check_host_bytes(uint64_t w)
{
    uint64_t  low, slash, del, upper;

    static const uint64_t  ones = UINT64_C(0x0101010101010101);

    low = w - 0x21 * ones;
    slash = w ^ '/' * ones;
    del = w ^ 0x7f * ones;
    upper = (w + (0x80 - 'A') * ones) & ~(w + (0x7f - 'Z') * ones);

    return (w | (low & ~w) | ((slash - ones) & ~slash) | ((del - ones) & ~del)
            | upper)
           & 0x80 * ones;
}


/* a name in lower case, without a dot at either end */

static int
miqps_image_check_host_name(const uint8_t *host, size_t len)
{
    size_t    i;
    uint64_t  bad, word;

    if (len == 0 || host[0] == '.' || host[len - 1] == '.') {
        return 0;
    }

    if (len < 8) {
        word = UINT64_C(0x6161616161616161);

        for (i = 0; i < len; i++) {
            word = word << 8 | host[i];
        }

        return miqps_image_check_host_bytes(word) == 0;
    }

    bad = miqps_image_check_host_bytes(miqps_get_u64(host + len - 8));

    for (i = 0; i + 8 < len; i += 8) {
        bad |= miqps_image_check_host_bytes(miqps_get_u64(host + i));
    }

    return bad == 0;
}


/* (6) of neutral names and their rests */

static int
miqps_image_check_neutral(const miqps_image_t *image, const miqps_host_t *host)
{
    uint32_t  i;

    if (host->nneutral == 0) {
        return 1;
    }

    if (!miqps_image_check_ascends(host, host->neutral_tags, host->nneutral)
        || !miqps_image_check_ascends(host, host->rest_tags, host->nrests))
    {
        return 0;
    }

    for (i = 0; i < host->nneutral; i++) {
        if (miqps_get_u24(host->neutral + 3 * i) >= image->nnames) {
            return 0;
        }
    }

    for (i = 0; i < host->nrests; i++) {
        if (miqps_image_number(host, host->rests, i) >= host->npatterns) {
            return 0;
        }
    }

    return 1;
}


/* (6) and (7) of patterns */

static int
miqps_image_check_patterns(const miqps_image_t *image,
    const miqps_host_t *host, size_t size)
{
    size_t          at, len;
    uint32_t        i, tag, prev;
    const uint8_t  *p;

    p = host->record;
    at = (size_t) (host->patterns - p);
    prev = 0;

    for (i = 0; i < host->npatterns; i++) {
        tag = miqps_image_number(host, host->tags, i);

        if (tag < prev || miqps_image_number(host, host->offsets, i) != at) {
            return 0;
        }

        len = miqps_image_check_pattern(image, p + at, size - at);

        if (len == 0) {
            return 0;
        }

        at += len;
        prev = tag;
    }

    return miqps_image_check_end(p + at, size - at);
}


/* the length of a pattern, or 0 */

static size_t
miqps_image_check_pattern(const miqps_image_t *image, const uint8_t *p,
    size_t size)
{
    size_t           need, mask;
    uint32_t         i, id, most;
    miqps_pattern_t  pattern;

    if (size < MIQPS_PATTERN_HEAD || p[0] == 0 || image->nnames == 0
        || (p[1] & ~(MIQPS_PATTERN_SHAPE|MIQPS_PATTERN_DEFAULT
                     |MIQPS_PATTERN_CLIENT)))
    {
        return 0;
    }

    mask = (p[0] + 7u) / 8;
    need = MIQPS_PATTERN_HEAD + mask + 3u * p[0]
           + ((p[1] & MIQPS_PATTERN_CLIENT) ? mask : 0)
           + ((p[1] & MIQPS_PATTERN_SHAPE) ? 3 : 0)
           + ((p[1] & MIQPS_PATTERN_DEFAULT) ? 1 : 0);

    if (need > size
        || ((p[1] & MIQPS_PATTERN_DEFAULT)
            && MIQPS_DEFAULT_SIZE * (size_t) p[need - 1] > size - need))
    {
        return 0;
    }

    miqps_image_pattern(&pattern, p);

    /* there are names behind the hosts: four bytes can be read */

    most = 0;

    for (i = 0; i < pattern.n; i++) {
        id = miqps_get_u32(pattern.names + 3 * i) & 0xffffff;
        most = (id > most) ? id : most;
    }

    if (most >= image->nnames) {
        return 0;
    }

    if (pattern.shape > image->nshapes
        || !miqps_image_check_masks(&pattern)
        || !miqps_image_check_defaults(image, &pattern))
    {
        return 0;
    }

    return (size_t) (pattern.end - p);
}


/* no bit behind the last name, and none in both */

static int
miqps_image_check_masks(const miqps_pattern_t *pattern)
{
    size_t    i, mask;
    unsigned  behind;

    mask = (pattern->n + 7) / 8;
    behind = 0xffu << (pattern->n - 8 * (mask - 1)) & 0xff;

    if (pattern->keep[mask - 1] & behind) {
        return 0;
    }

    if (pattern->client == NULL) {
        return 1;
    }

    if (pattern->client[mask - 1] & behind) {
        return 0;
    }

    for (i = 0; i < mask; i++) {
        if (pattern->keep[i] & pattern->client[i]) {
            return 0;
        }
    }

    return 1;
}


static int
miqps_image_check_defaults(const miqps_image_t *image,
    const miqps_pattern_t *pattern)
{
    uint32_t        i;
    const uint8_t  *p;

    for (i = 0; i < pattern->ndefaults; i++) {
        p = pattern->defaults + MIQPS_DEFAULT_SIZE * i;

        if (p[0] >= pattern->n
            || !(pattern->keep[p[0] / 8] & 1u << p[0] % 8)
            || !miqps_image_in_pool(image, miqps_get_u32(p + 3),
                                    miqps_get_u16(p + 1)))
        {
            return 0;
        }
    }

    return 1;
}
