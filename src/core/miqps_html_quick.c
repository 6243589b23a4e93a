
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif


/*
 * Most tags mean nothing, and many of those that are links have no query.
 * Where nothing is open that an end tag would matter to, such a tag that is
 * whole in the chunk is passed here without a state to keep.  What comes of it
 * is what the steps would make of it; whatever is not plain is left to them.
 */

static const uint8_t  *miqps_html_quick_start(const uint8_t *p,
    const uint8_t *last, unsigned all);
static const uint8_t  *miqps_html_quick_attributes(const uint8_t *p,
    const uint8_t *last, unsigned links);
static const uint8_t  *miqps_html_quick_value(const uint8_t *p,
    const uint8_t *last, unsigned links);
static int  miqps_html_quick_links(const uint8_t *name, size_t len);


#define MIQPS_HTML_QUICK_LEN(n)  (UINT32_C(1) << (n))


/* how long the names of elements are that mean something, by first letter */

static const uint32_t  miqps_html_quick_lens[32] = {
    ['a' & 31] = MIQPS_HTML_QUICK_LEN(1)|MIQPS_HTML_QUICK_LEN(4)
                 |MIQPS_HTML_QUICK_LEN(5),
    ['b' & 31] = MIQPS_HTML_QUICK_LEN(4),
    ['d' & 31] = MIQPS_HTML_QUICK_LEN(4),
    ['e' & 31] = MIQPS_HTML_QUICK_LEN(5),
    ['f' & 31] = MIQPS_HTML_QUICK_LEN(4)|MIQPS_HTML_QUICK_LEN(5)
                 |MIQPS_HTML_QUICK_LEN(8)|MIQPS_HTML_QUICK_LEN(13),
    ['i' & 31] = MIQPS_HTML_QUICK_LEN(3)|MIQPS_HTML_QUICK_LEN(5)
                 |MIQPS_HTML_QUICK_LEN(6),
    ['l' & 31] = MIQPS_HTML_QUICK_LEN(4),
    ['m' & 31] = MIQPS_HTML_QUICK_LEN(2)|MIQPS_HTML_QUICK_LEN(4)
                 |MIQPS_HTML_QUICK_LEN(5),
    ['n' & 31] = MIQPS_HTML_QUICK_LEN(7)|MIQPS_HTML_QUICK_LEN(8),
    ['p' & 31] = MIQPS_HTML_QUICK_LEN(9),
    ['s' & 31] = MIQPS_HTML_QUICK_LEN(3)|MIQPS_HTML_QUICK_LEN(5)
                 |MIQPS_HTML_QUICK_LEN(6),
    ['t' & 31] = MIQPS_HTML_QUICK_LEN(5)|MIQPS_HTML_QUICK_LEN(8),
    ['v' & 31] = MIQPS_HTML_QUICK_LEN(5),
    ['x' & 31] = MIQPS_HTML_QUICK_LEN(3)
};


/* the first of two bytes, or "last" */

static inline const uint8_t *
miqps_html_quick_find(const uint8_t *p, const uint8_t *last, uint8_t one,
    uint8_t two)
{
#if defined(__SSE2__)

    int      bits;
    __m128i  block;

    for ( /* void */ ; last - p >= 16; p += 16) {
        block = _mm_loadu_si128((const __m128i *) p);
        bits = _mm_movemask_epi8(
                   _mm_or_si128(_mm_cmpeq_epi8(block,
                                               _mm_set1_epi8((char) one)),
                                _mm_cmpeq_epi8(block,
                                               _mm_set1_epi8((char) two))));

        if (bits != 0) {
            return p + __builtin_ctz((unsigned) bits);
        }
    }

#endif

    while (p < last && *p != one && *p != two) {
        p++;
    }

    return p;
}


const uint8_t *
miqps_html_quick(const uint8_t *p, const uint8_t *last, unsigned all)
{
    const uint8_t  *end;

    for ( ;; ) {
        p = miqps_html_quick_find(p, last, '<', '<');

        if (last - p < 3) {
            return p;
        }

        if (p[1] == '/' && miqps_html_is(p[2], MIQPS_HTML_ALPHA)) {

            for (end = p + 3; end < last; end++) {
                if (!miqps_html_is(*end, MIQPS_HTML_ALPHA|MIQPS_HTML_DIGIT)) {
                    break;
                }
            }

            if (end == last || *end != '>') {
                return p;
            }

            p = end + 1;
            continue;
        }

        end = miqps_html_quick_start(p, last, all);

        if (end == NULL) {
            return p;
        }

        p = end;
    }
}


/* the end of a start tag, or NULL */

static const uint8_t *
miqps_html_quick_start(const uint8_t *p, const uint8_t *last, unsigned all)
{
    int             links;
    size_t          len;
    const uint8_t  *name;

    name = ++p;

    if (!miqps_html_is(*p, MIQPS_HTML_ALPHA)) {
        return NULL;
    }

    do {
        p++;
    } while (p < last && miqps_html_is(*p, MIQPS_HTML_ALPHA|MIQPS_HTML_DIGIT));

    len = (size_t) (p - name);

    if (p == last || len > 16
        || !miqps_html_is(*p, MIQPS_HTML_SPACE|MIQPS_HTML_ENDS))
    {
        return NULL;
    }

    links = 0;

    if (miqps_html_quick_lens[*name & 31] & MIQPS_HTML_QUICK_LEN(len)) {
        links = miqps_html_quick_links(name, len);

        if (links < 0 || (links && all)) {
            return NULL;
        }
    }

    return (*p == '>') ? p + 1
                       : miqps_html_quick_attributes(p, last,
                                                     (unsigned) links);
}


/* 1 for an element that may have links and does nothing else, or -1 */

static int
miqps_html_quick_links(const uint8_t *name, size_t len)
{
    size_t   i;
    uint8_t  lower[16];

    for (i = 0; i < len; i++) {
        lower[i] = miqps_html_lower(name[i]);
    }

    switch (miqps_html_element(lower, len)) {

    case MIQPS_HTML_OTHER:
    case MIQPS_HTML_POINT:
        return 0;

    case MIQPS_HTML_A:
    case MIQPS_HTML_AREA:
    case MIQPS_HTML_LINK_ELEMENT:
    case MIQPS_HTML_SRC:
    case MIQPS_HTML_IMAGE:
        return 1;

    default:
        return -1;
    }
}


static const uint8_t *
miqps_html_quick_attributes(const uint8_t *p, const uint8_t *last,
    unsigned links)
{
    for ( ;; ) {

        while (p < last && (miqps_html_is(*p, MIQPS_HTML_SPACE) || *p == '/')) {
            p++;
        }

        if (p == last) {
            return NULL;
        }

        if (*p == '>') {
            return p + 1;
        }

        do {
            p++;
        } while (p < last
                 && !miqps_html_is(*p, MIQPS_HTML_SPACE|MIQPS_HTML_ENDS
                                       |MIQPS_HTML_EQUALS));

        while (p < last && miqps_html_is(*p, MIQPS_HTML_SPACE)) {
            p++;
        }

        if (p == last || *p != '=') {
            continue;
        }

        p = miqps_html_quick_value(p + 1, last, links);

        if (p == NULL) {
            return NULL;
        }
    }
}


/* the end of a value that is whole and, where it may be a link, no query */

static const uint8_t *
miqps_html_quick_value(const uint8_t *p, const uint8_t *last, unsigned links)
{
    uint8_t  quote;

    while (p < last && miqps_html_is(*p, MIQPS_HTML_SPACE)) {
        p++;
    }

    if (p == last) {
        return NULL;
    }

    quote = *p;

    if (quote == '"' || quote == '\'') {
        p = miqps_html_quick_find(p + 1, last, quote, links ? '?' : quote);
        return (p < last && *p == quote) ? p + 1 : NULL;
    }

    while (p < last && *p != '>' && !miqps_html_is(*p, MIQPS_HTML_SPACE)) {

        if (*p == '?' && links) {
            return NULL;
        }

        p++;
    }

    return p;
}
