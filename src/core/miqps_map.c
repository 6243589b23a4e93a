
/*
 * Copyright (C) the ngx_miqps authors
 */


#if (__SSE2__)
#include <immintrin.h>
#endif

#include "miqps_map.h"
#include "miqps_map_names.h"


/* tags that are looked at together */

#define MIQPS_MAP_FEW_TAGS     8


static inline unsigned  miqps_map_tags(const uint8_t *tags, uint16_t tag);
static inline const uint8_t  *miqps_map_plain(const miqps_map_names_t *names,
    const uint8_t *record, size_t n);


int
miqps_map_find(const miqps_image_t *image, const uint8_t *record,
    const miqps_str_t *path, const miqps_param_t *params, size_t n,
    miqps_map_work_t *work, miqps_map_entry_t *entry)
{
    const uint8_t      *p;
    miqps_map_names_t   names;

    entry->host = NULL;
    entry->pattern = NULL;
    entry->similar = 0;
    entry->varies = 0;

    if (record == NULL || n == 0) {
        return 0;
    }

    names.image = image;
    names.params = params;
    names.work = work;

    miqps_map_names(&names, n);

    p = miqps_map_plain(&names, record, n);

    if (p == NULL) {
        return miqps_map_weigh(&names, record, path, n, entry);
    }

    entry->host = record;
    entry->pattern = p;

    return 1;
}


/*
 * Which of eight tags are this one, a bit each: all are looked at, since no
 * processor could predict which it is.  There are names behind the hosts, so
 * that all of them can be read.
 */

#if (__SSE2__)


static inline unsigned
miqps_map_tags(const uint8_t *tags, uint16_t tag)
{
    __m128i  equal;

    equal = _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *) tags),
                            _mm_set1_epi16((int16_t) tag));

    return (unsigned) _mm_movemask_epi8(_mm_packs_epi16(equal,
                                                        _mm_setzero_si128()));
}


#else


static inline unsigned
miqps_map_tags(const uint8_t *tags, uint16_t tag)
{
    size_t    i;
    unsigned  equal;

    equal = 0;

    for (i = 0; i < 8; i++) {
        equal |= (unsigned) (miqps_get_u16(tags + 2 * i) == tag) << i;
    }

    return equal;
}


#endif


/* leaves up to eight of many tags, from the first that is not below "tag" */

static inline void
miqps_map_near(const uint8_t **tags, uint32_t *n, uint16_t tag)
{
    uint32_t        half, left;
    const uint8_t  *last;

    last = *tags + 2 * (size_t) *n;

    for (left = *n; left > 0; /* void */) {
        half = left / 2;

        if (miqps_get_u16(*tags + 2 * (size_t) half) < tag) {
            *tags += 2 * (size_t) (half + 1);
            left -= half + 1;

        } else {
            left = half;
        }
    }

    left = (uint32_t) ((size_t) (last - *tags) / 2);
    *n = (left < MIQPS_MAP_FEW_TAGS) ? left : MIQPS_MAP_FEW_TAGS;
}


/*
 * The usual case: one pattern has these names, which are few and short, and
 * says keep or strip and nothing else.  NULL if it is not so.
 *
 * Each name is somewhere else, and most often all are the same, so that the
 * memory is asked for all of them at once.
 */

static inline const uint8_t *
miqps_map_plain(const miqps_map_names_t *names, const uint8_t *record,
    size_t n)
{
    uint8_t                   *learned;
    uint32_t                   count, found, place, taken, keep;
    uint64_t                   differ;
    const uint8_t             *p, *name, *entries, *tags, *offsets;
    const uint16_t            *below;
    const miqps_image_word_t  *word;

    count = miqps_get_u32(record + 8);

    if ((record[5] & MIQPS_HOST_WIDE) || names->longs || n > MIQPS_MAP_FEW
        || count == 0)
    {
        return NULL;
    }

    /* there is a pattern, and so a name behind the hosts */

    tags = record + MIQPS_HOST_HEAD + record[4];
    offsets = tags + 2 * (size_t) count;

    if (count > MIQPS_MAP_FEW_TAGS) {
        miqps_map_near(&tags, &count, (uint16_t) names->sum);
    }

    found = miqps_map_tags(tags, (uint16_t) names->sum) & ((1u << count) - 1);

    if (found == 0 || (found & (found - 1)) != 0) {
        return NULL;
    }

    tags += 2 * (size_t) __builtin_ctz(found);
    p = record + miqps_get_u16(offsets
                               + (tags - (record + MIQPS_HOST_HEAD
                                          + record[4])));

    if (p[0] != n || p[1] != 0) {
        return NULL;
    }

    keep = p[MIQPS_PATTERN_HEAD];
    entries = names->image->section[MIQPS_SECTION_NAMES].data;
    word = names->work->words;
    learned = names->work->learned;
    taken = 0;
    differ = 0;

    for (below = names->below + n; below > names->below; word++, learned++) {
        place = *--below;
        taken |= 1u << place;

        name = entries + MIQPS_NAME_SIZE
                         * (size_t) (miqps_get_u32(p + MIQPS_PATTERN_HEAD + 1
                                                   + 3 * place)
                                     & 0xffffff);

        differ |= (miqps_get_u64(name) ^ word->first)
                  | (miqps_get_u64(name + 8) ^ word->rest);

        *learned = (keep >> place & 1) ? MIQPS_LEARNED_KEEP
                                       : MIQPS_LEARNED_STRIP;
    }

    /* no two parameters were taken for the same name */

    return (differ == 0 && taken == (1u << n) - 1) ? p : NULL;
}
