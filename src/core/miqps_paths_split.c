
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_paths_steps.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif


static int  miqps_paths_split_plain(miqps_paths_work_t *work,
    const uint8_t *path, size_t len);
static int  miqps_paths_split_bytes(miqps_paths_work_t *work,
    const uint8_t *path, size_t len);
static inline int  miqps_paths_segment(miqps_paths_work_t *work,
    const uint8_t *p, size_t len);
static inline int  miqps_paths_segment_ok(const uint8_t *p, size_t len);
static int  miqps_paths_escape(const uint8_t *p, const uint8_t *last);


/* bytes that have to be looked at: controls and DEL, and # % / ; ? \ */

static inline int
miqps_paths_look(uint8_t c)
{
    static const uint32_t  bits[8] = {
        0xffffffff, 0x88008028, 0x10000000, 0x80000000
    };

    return bits[c >> 5] >> (c & 31) & 1;
}


int
miqps_paths_split(miqps_paths_work_t *work, uint8_t *buf)
{
    int     rc;
    size_t  len;

    len = work->url->path.len;

    if (len == 0 || work->url->path.data[0] != '/') {
        return 0;
    }

    /* so that it can be read in blocks; the zero behind it ends it */

    memcpy(buf, work->url->path.data, len);
    memset(buf + len, 0, MIQPS_PATHS_SLACK);

    rc = miqps_paths_split_plain(work, buf, len);
    work->plain = (rc >= 0);

    if (rc < 0) {
        rc = miqps_paths_split_bytes(work, buf, len);
    }

    work->has |= miqps_paths_need_count(work->url->image->seed,
                                        work->nsegments);
    return rc;
}


#if defined(__SSE2__)


/* what miqps_paths_look() tells but for "/", and what is not ASCII */

#define miqps_paths_is(v, c)  _mm_cmpeq_epi8(v, _mm_set1_epi8(c))


static inline unsigned
miqps_paths_odd(__m128i v)
{
    __m128i  odd;

    odd = _mm_cmplt_epi8(v, _mm_set1_epi8(' '));
    odd = _mm_or_si128(odd, miqps_paths_is(v, '#'));
    odd = _mm_or_si128(odd, miqps_paths_is(v, '%'));
    odd = _mm_or_si128(odd, miqps_paths_is(v, '\\'));
    odd = _mm_or_si128(odd, miqps_paths_is(v, 0x7f));

    /* ";" and "?", which differ in one bit */

    odd = _mm_or_si128(odd, miqps_paths_is(_mm_or_si128(v, _mm_set1_epi8(4)),
                                           '?'));

    return (unsigned) _mm_movemask_epi8(odd);
}


/* most paths: sixteen bytes at a time; -1 if one of them is not that simple */

static int
miqps_paths_split_plain(miqps_paths_work_t *work, const uint8_t *path,
    size_t len)
{
    size_t    i, start, end;
    __m128i   v;
    unsigned  slashes, some;

    work->nsegments = 0;
    work->has = 0;

    start = 1;

    for (i = 0; i < len; i += 16) {
        v = _mm_loadu_si128((const __m128i *) (const void *) (path + i));
        some = (len - i < 16) ? (1u << (len - i)) - 1 : 0xffff;

        if (miqps_paths_odd(v) & some) {
            return -1;
        }

        slashes = (unsigned) _mm_movemask_epi8(miqps_paths_is(v, '/')) & some;

        /* the first one is before everything */

        slashes &= (i == 0) ? ~1u : ~0u;

        for (/* void */ ; slashes != 0; slashes &= slashes - 1) {
            end = i + (size_t) __builtin_ctz(slashes);

            if (end == start
                || !miqps_paths_segment(work, path + start, end - start))
            {
                return 0;
            }

            start = end + 1;
        }
    }

    /* only the last may be empty */

    return miqps_paths_segment(work, path + start, len - start);
}


#else


static int
miqps_paths_split_plain(miqps_paths_work_t *work, const uint8_t *path,
    size_t len)
{
    (void) work;
    (void) path;
    (void) len;

    return -1;
}


#endif


static int
miqps_paths_split_bytes(miqps_paths_work_t *work, const uint8_t *path,
    size_t len)
{
    const uint8_t  *p, *last, *start;

    last = path + len;
    start = path + 1;

    work->nsegments = 0;
    work->has = 0;

    for (p = start; /* void */ ; p++) {

        while (!miqps_paths_look(*p)) {
            p++;
        }

        if (*p == '%') {
            if (!miqps_paths_escape(p, last)) {
                return 0;
            }

            p += 2;
            continue;
        }

        if (*p != '/' && p < last) {
            return 0;
        }

        /* only the last may be empty */

        if ((p == start && p < last)
            || !miqps_paths_segment(work, start, (size_t) (p - start)))
        {
            return 0;
        }

        if (p == last) {
            return 1;
        }

        start = p + 1;
    }
}


/* one more, with the bits that it brings; false if there are too many */

static inline miqps_always_inline int
miqps_paths_segment(miqps_paths_work_t *work, const uint8_t *p, size_t len)
{
    uint64_t             hash;
    miqps_str_t         *segment;
    miqps_image_word_t   word;

    if (work->nsegments == MIQPS_PATHS_SEGMENTS
        || !miqps_paths_segment_ok(p, len))
    {
        return 0;
    }

    segment = &work->segments[work->nsegments];
    segment->data = p;
    segment->len = len;

    /* no source has more; and those of a long path would fill all bits */

    if (work->nsegments++ >= MIQPS_MAX_SEGMENTS) {
        return 1;
    }

    miqps_image_word_padded(&word, p, len);
    hash = miqps_image_hash_word(work->url->image->seed + work->nsegments,
                                 &word);

    work->has |= miqps_paths_need_name(hash);

    return 1;
}


static inline int
miqps_paths_segment_ok(const uint8_t *p, size_t len)
{
    return !(len > 0 && len <= 2 && p[0] == '.' && p[len - 1] == '.');
}


/* false for an escape that could be read in two ways */

static int
miqps_paths_escape(const uint8_t *p, const uint8_t *last)
{
    size_t    i;
    unsigned  c;

    if (last - p < 3) {
        return 0;
    }

    c = 0;

    for (i = 1; i <= 2; i++) {
        if (p[i] >= '0' && p[i] <= '9') {
            c = 16 * c + p[i] - '0';

        } else if ((p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'f') {
            c = 16 * c + (p[i] | 0x20) - 'a' + 10;

        } else {
            return 0;
        }
    }

    return c != '.' && !miqps_paths_look((uint8_t) c);
}


/*
 * Empty pieces are left by miqps_normalize() only behind a word that is alone.
 */

int
miqps_paths_split_args(miqps_paths_work_t *work)
{
    size_t          n;
    uint64_t        seed;
    miqps_str_t    *name;
    const uint8_t  *p, *last, *end, *equals;

    n = 0;
    seed = work->url->image->seed;
    p = work->url->args.data;
    last = (work->url->args.len > 0) ? p + work->url->args.len : p;

    while (p < last) {
        end = memchr(p, '&', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        if (n == MIQPS_PATHS_PARAMS) {
            return 0;
        }

        equals = memchr(p, '=', (size_t) (end - p));
        name = &work->names[n];

        name->data = p;
        name->len = (size_t) (((equals != NULL) ? equals : end) - p);

        work->pieces[n].data = p;
        work->pieces[n].len = (size_t) (end - p);

        work->has |= miqps_paths_need_name(
                         miqps_image_hash_name(seed, name->data, name->len));
        n++;
        p = end + 1;
    }

    work->nparams = n;

    return 1;
}
