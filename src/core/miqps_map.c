
/*
 * Copyright (C) the ngx_miqps authors
 */


#if (__SSE2__)
#include <immintrin.h>
#endif

#include "miqps_family.h"
#include "miqps_map.h"


/* patterns of one URL, whose shapes match; more of them mean keep */

#define MIQPS_MAP_MAX_MATCHES  32

/* so many names are ordered by counting */

#define MIQPS_MAP_FEW          16

/* a shape at all is more precise than none */

#define MIQPS_MAP_SHAPED       (UINT64_C(1) << MIQPS_MAX_SEGMENTS)


typedef struct {
    const uint8_t    *p;
    uint64_t          literals;   /* of its shape */
    miqps_pattern_t   pattern;
} miqps_match_t;


typedef struct {
    const miqps_image_t   *image;
    miqps_host_t           host;
    const miqps_str_t     *path;
    const miqps_param_t   *params;
    miqps_map_work_t      *work;
    size_t                 names;      /* different ones, in work->order */
    uint64_t               sum;        /* of their hashes */
    unsigned               odd;        /* not zero if one is not plain */
    uint32_t               nneutral;   /* of them */
    int                    repeats;    /* some are there more than once */
    int                    similar;    /* matches have only some of them */
    unsigned               varies;     /* with the path, or with values */

    miqps_match_t          matches[MIQPS_MAP_MAX_MATCHES + 1];
    size_t                 n;          /* the one behind is being looked at */
} miqps_lookup_t;


static const uint8_t  *miqps_map_record(const miqps_image_t *image,
    const uint8_t *host, size_t len, int wildcard);
static void  miqps_map_names(miqps_lookup_t *l, size_t n);
static int  miqps_map_few(miqps_lookup_t *l, size_t n);
static void  miqps_map_count(const uint16_t *lanes, size_t n,
    uint16_t *place);
static void  miqps_map_many(miqps_lookup_t *l, size_t n);
static void  miqps_map_order(miqps_lookup_t *l, size_t n);
static int  miqps_map_cmp(const miqps_lookup_t *l, uint16_t one, uint16_t two);
static int  miqps_map_equal(miqps_lookup_t *l);
static int  miqps_map_similar(miqps_lookup_t *l);
static void  miqps_map_neutral(miqps_lookup_t *l);
static int  miqps_map_is_neutral(const miqps_lookup_t *l, uint16_t k);
static int  miqps_map_rests(miqps_lookup_t *l, const uint8_t *tags,
    uint32_t n, const uint8_t *numbers);
static int  miqps_map_same_names(const miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static int  miqps_map_same_plain(const miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static int  miqps_map_some_names(const miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static int  miqps_map_match(miqps_lookup_t *l, const uint8_t *p);
static const uint8_t  *miqps_map_judge(miqps_lookup_t *l, size_t n);
static void  miqps_map_plain(miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static int  miqps_map_counts(const miqps_lookup_t *l, size_t i);
static void  miqps_map_verdict(miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static miqps_learned_e  miqps_map_says(const miqps_lookup_t *l,
    const miqps_pattern_t *pattern, uint32_t i, uint16_t k);
static uint32_t  miqps_map_bound(const uint8_t *tags, uint32_t n,
    uint32_t tag);


/* whether parameter "k" has name "i" of a pattern */

static inline int
miqps_map_is_name(const miqps_lookup_t *l, uint16_t k,
    const miqps_pattern_t *pattern, uint32_t i)
{
    miqps_str_t           name;
    const miqps_param_t  *param;

    param = &l->params[k];
    name = miqps_image_name(l->image, miqps_get_u24(pattern->names + 3 * i));

    return name.len == param->name_len
           && (name.len == 0 || memcmp(name.data, param->name, name.len) == 0);
}


int
miqps_map_find(const miqps_image_t *image, const uint8_t *record,
    const miqps_str_t *path, const miqps_param_t *params, size_t n,
    miqps_map_work_t *work, miqps_map_entry_t *entry)
{
    int             found;
    miqps_lookup_t  l;

    entry->host = NULL;
    entry->pattern = NULL;
    entry->similar = 0;
    entry->varies = 0;

    if (record == NULL || n == 0) {
        return 0;
    }

    l.image = image;
    l.path = path;
    l.params = params;
    l.work = work;
    l.n = 0;
    l.similar = 0;
    l.varies = 0;

    miqps_image_host(&l.host, record);
    miqps_map_names(&l, n);

    if (l.names > MIQPS_MAX_PATTERN) {
        return 0;
    }

    found = miqps_map_equal(&l);

    if (found && l.n == 0 && l.host.nneutral > 0) {
        l.similar = 1;
        found = miqps_map_similar(&l);
    }

    entry->varies = (l.varies != 0);

    if (!found || l.n == 0) {
        return 0;
    }

    entry->host = record;
    entry->pattern = miqps_map_judge(&l, n);
    entry->similar = (l.similar != 0);

    return 1;
}


const uint8_t *
miqps_map_host(const miqps_image_t *image, const miqps_str_t *host)
{
    const uint8_t  *record, *p, *last;

    if (host->len == 0 || host->len > MIQPS_MAX_HOST) {
        return NULL;
    }

    record = miqps_map_record(image, host->data, host->len, 0);

    if (record == NULL && image->nwildcards > 0) {
        last = host->data + host->len;

        for (p = host->data; p < last - 1 && record == NULL; p++) {
            if (*p == '.') {
                record = miqps_map_record(image, p + 1,
                                          (size_t) (last - p - 1), 1);
            }
        }
    }

    if (record != NULL && (record[5] & MIQPS_HOST_MIRROR)) {
        record = image->section[MIQPS_SECTION_HOSTS].data
                 + 4 * (size_t) (miqps_get_u32(record + 8) - 1);
    }

    return record;
}


static const uint8_t *
miqps_map_record(const miqps_image_t *image, const uint8_t *host, size_t len,
    int wildcard)
{
    uint32_t        i, n, tag, place;
    uint64_t        hash;
    const uint8_t  *slot, *record;

    hash = miqps_image_hash_host(image->seed, host, len, wildcard);
    tag = (uint32_t) hash;
    i = (uint32_t) (hash >> 32) & image->mask;

    for (n = 0; n < MIQPS_MAX_PROBES; n++) {
        slot = image->section[MIQPS_SECTION_SLOTS].data
               + (size_t) i * MIQPS_SLOT_SIZE;
        place = miqps_get_u32(slot + 4);

        if (place == 0) {
            return NULL;
        }

        if (miqps_get_u32(slot) == tag) {
            record = image->section[MIQPS_SECTION_HOSTS].data
                     + 4 * (size_t) (place - 1);

            /* patterns are a little behind the host */

            __builtin_prefetch(record + 64);
            __builtin_prefetch(record + 128);

            if (record[4] == len
                && (record[5] & MIQPS_HOST_WILDCARD) == wildcard
                && memcmp(record + MIQPS_HOST_HEAD, host, len) == 0)
            {
                return record;
            }
        }

        i = (i + 1) & image->mask;
    }

    return NULL;
}


/*
 * Leaves each name once in work->order, by hash and then by bytes, and if
 * there are fewer names than parameters, in work->spare for each parameter
 * which of its name that is.
 */

static void
miqps_map_names(miqps_lookup_t *l, size_t n)
{
    size_t                i, len;
    uint64_t              seed, tail, sum, one, *hash;
    unsigned              odd;
    const miqps_param_t  *param;

    seed = l->image->seed;
    hash = l->work->hash;
    param = l->params;
    sum = 0;
    odd = 0;

    for (i = 0; i < n; i++, param++) {
        len = param->name_len;

        if (param->special) {
            odd = 1;
            one = miqps_image_hash_name(seed, param->name, len);

        } else {
            tail = (len > 8) ? miqps_family_key_padded(param->name + len - 8,
                                                       8) : 0;
            odd |= (len == 0);
            one = miqps_image_hash_ends(seed, param->key, tail, len);
        }

        hash[i] = one;
        sum += one;
    }

    l->names = n;
    l->sum = sum;
    l->odd = odd;

    if (n > MIQPS_MAP_FEW || !miqps_map_few(l, n)) {
        miqps_map_many(l, n);
    }

    l->repeats = (l->names < n);
}


/*
 * False if two look the same, which are most often the same name.  Counting
 * how many are below takes no branch on what they are; their first sixteen
 * bits are enough.
 */

static int
miqps_map_few(miqps_lookup_t *l, size_t n)
{
    size_t           i;
    uint16_t         lanes[MIQPS_MAP_FEW], place[MIQPS_MAP_FEW], *order;
    unsigned         taken;
    const uint64_t  *hash;

    hash = l->work->hash;

    memset(lanes, 0, sizeof(lanes));

    for (i = 0; i < n; i++) {
        lanes[i] = (uint16_t) (hash[i] >> 48);
    }

    miqps_map_count(lanes, n, place);

    order = l->work->order;
    taken = 0;

    for (i = 0; i < n; i++) {
        taken |= 1u << place[i];
        order[place[i]] = (uint16_t) i;
    }

    return taken == (1u << n) - 1;
}


#if (__SSE2__)


/*
 * Eight at once.  There are only comparisons of signed numbers, so that the
 * highest bit changes.  What is counted for unused lanes is of no use.
 */

static void
miqps_map_count(const uint16_t *lanes, size_t n, uint16_t *place)
{
    size_t   i, k;
    __m128i  eight, one, below, high;

    high = _mm_set1_epi16(INT16_MIN);

    for (k = 0; k < n; k += 8) {
        eight = _mm_loadu_si128((const __m128i *) (lanes + k));
        eight = _mm_xor_si128(eight, high);
        below = _mm_setzero_si128();

        for (i = 0; i < n; i++) {
            one = _mm_set1_epi16((int16_t) (lanes[i] ^ 0x8000));
            below = _mm_sub_epi16(below, _mm_cmpgt_epi16(eight, one));
        }

        _mm_storeu_si128((__m128i *) (place + k), below);
    }
}


#else


static void
miqps_map_count(const uint16_t *lanes, size_t n, uint16_t *place)
{
    size_t  i, k;

    for (i = 0; i < n; i++) {
        place[i] = 0;

        for (k = 0; k < n; k++) {
            place[i] = (uint16_t) (place[i] + (lanes[i] > lanes[k]));
        }
    }
}


#endif


static void
miqps_map_many(miqps_lookup_t *l, size_t n)
{
    size_t             i;
    uint16_t          *order;
    miqps_map_work_t  *work;

    miqps_map_order(l, n);

    work = l->work;
    order = work->order;

    l->names = 0;
    l->sum = 0;

    for (i = 0; i < n; i++) {

        if (l->names > 0
            && miqps_map_cmp(l, order[l->names - 1], order[i]) == 0)
        {
            work->repeated[order[l->names - 1]] = 1;
            work->spare[order[i]] = order[l->names - 1];
            continue;
        }

        work->repeated[order[i]] = 0;
        work->spare[order[i]] = order[i];
        l->sum += work->hash[order[i]];

        order[l->names++] = order[i];
    }
}


/* a stable merge from the bottom up */

static void
miqps_map_order(miqps_lookup_t *l, size_t n)
{
    size_t     i, k, width, left, middle, right, end;
    uint16_t  *from, *to, *swap;

    from = l->work->order;
    to = l->work->spare;

    for (i = 0; i < n; i++) {
        from[i] = (uint16_t) i;
    }

    for (width = 1; width < n; width *= 2) {

        for (k = 0; k < n; k += 2 * width) {
            left = k;
            middle = (k + width < n) ? k + width : n;
            right = middle;
            end = (k + 2 * width < n) ? k + 2 * width : n;

            for (i = k; i < end; i++) {
                if (left < middle
                    && (right == end
                        || miqps_map_cmp(l, from[left], from[right]) <= 0))
                {
                    to[i] = from[left++];

                } else {
                    to[i] = from[right++];
                }
            }
        }

        swap = from;
        from = to;
        to = swap;
    }

    if (from != l->work->order) {
        memcpy(l->work->order, from, n * sizeof(uint16_t));
    }
}


static int
miqps_map_cmp(const miqps_lookup_t *l, uint16_t one, uint16_t two)
{
    int                   rc;
    size_t                len;
    const miqps_param_t  *a, *b;

    if (l->work->hash[one] != l->work->hash[two]) {
        return (l->work->hash[one] < l->work->hash[two]) ? -1 : 1;
    }

    a = &l->params[one];
    b = &l->params[two];

    len = (a->name_len < b->name_len) ? a->name_len : b->name_len;
    rc = (len > 0) ? memcmp(a->name, b->name, len) : 0;

    return (rc != 0) ? rc
                     : (a->name_len > b->name_len)
                       - (a->name_len < b->name_len);
}


/*
 * Collects the patterns that have just these names, and whose shape is that
 * of the path.  False if there are too many.
 */

static int
miqps_map_equal(miqps_lookup_t *l)
{
    uint32_t          i, tag;
    const uint8_t    *p;
    miqps_pattern_t  *pattern;

    tag = (uint32_t) l->sum;

    for (i = miqps_map_bound(l->host.tags, l->host.npatterns, tag);
         i < l->host.npatterns
         && miqps_get_u32(l->host.tags + 4 * (size_t) i) == tag;
         i++)
    {
        p = l->host.record + miqps_image_number(&l->host, l->host.offsets, i);
        pattern = &l->matches[l->n].pattern;

        miqps_image_pattern(pattern, p);

        if (miqps_map_same_names(l, pattern) && !miqps_map_match(l, p)) {
            return 0;
        }
    }

    return 1;
}


/*
 * The same for patterns that have the rest of the names.  One without neutral
 * names is its own rest.
 */

static int
miqps_map_similar(miqps_lookup_t *l)
{
    miqps_map_neutral(l);

    if (l->nneutral == 0) {
        return 1;
    }

    return miqps_map_rests(l, l->host.tags, l->host.npatterns, NULL)
           && miqps_map_rests(l, l->host.rest_tags, l->host.nrests,
                              l->host.rests);
}


static int
miqps_map_rests(miqps_lookup_t *l, const uint8_t *tags, uint32_t n,
    const uint8_t *numbers)
{
    uint32_t          i, tag, number;
    const uint8_t    *p;
    miqps_pattern_t  *pattern;

    tag = (uint32_t) l->sum;

    for (i = miqps_map_bound(tags, n, tag);
         i < n && miqps_get_u32(tags + 4 * (size_t) i) == tag; i++)
    {
        number = (numbers != NULL)
                 ? miqps_image_number(&l->host, numbers, i) : i;
        p = l->host.record
            + miqps_image_number(&l->host, l->host.offsets, number);
        pattern = &l->matches[l->n].pattern;

        miqps_image_pattern(pattern, p);

        if (miqps_map_some_names(l, pattern) && !miqps_map_match(l, p)) {
            return 0;
        }
    }

    return 1;
}


/* marks the names that are neutral all over the host; the sum loses them */

static void
miqps_map_neutral(miqps_lookup_t *l)
{
    size_t    i;
    uint16_t  k;

    l->nneutral = 0;

    for (i = 0; i < l->names; i++) {
        k = l->work->order[i];

        l->work->neutral[k] = (uint8_t) miqps_map_is_neutral(l, k);

        if (l->work->neutral[k]) {
            l->nneutral++;
            l->sum -= l->work->hash[k];
        }
    }
}


static int
miqps_map_is_neutral(const miqps_lookup_t *l, uint16_t k)
{
    uint32_t              i, tag;
    miqps_str_t           name;
    const miqps_param_t  *param;

    param = &l->params[k];
    tag = (uint32_t) l->work->hash[k];

    for (i = miqps_map_bound(l->host.neutral_tags, l->host.nneutral, tag);
         i < l->host.nneutral
         && miqps_get_u32(l->host.neutral_tags + 4 * (size_t) i) == tag;
         i++)
    {
        name = miqps_image_name(l->image, miqps_get_u24(l->host.neutral
                                                        + 3 * (size_t) i));

        if (name.len == param->name_len
            && memcmp(name.data, param->name, name.len) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* where the tags that are not below "tag" begin */

static uint32_t
miqps_map_bound(const uint8_t *tags, uint32_t n, uint32_t tag)
{
    uint32_t  low, high, middle;

    low = 0;
    high = n;

    while (low < high) {
        middle = low + (high - low) / 2;

        if (miqps_get_u32(tags + 4 * (size_t) middle) < tag) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return low;
}


static int
miqps_map_same_names(const miqps_lookup_t *l, const miqps_pattern_t *pattern)
{
    uint32_t  i;

    if (pattern->n != l->names) {
        return 0;
    }

    if (!l->odd) {
        return miqps_map_same_plain(l, pattern);
    }

    for (i = 0; i < pattern->n; i++) {
        if (!miqps_map_is_name(l, l->work->order[i], pattern, i)) {
            return 0;
        }
    }

    return 1;
}


/* whether a plain name, which is not empty, is as many bytes at "p" */

static inline int
miqps_map_is_text(const miqps_param_t *param, const uint8_t *p,
    const uint8_t *last)
{
    size_t    len;
    uint64_t  head;

    len = param->name_len;

    if (last - p < 8) {
        return memcmp(p, param->name, len) == 0;
    }

    head = miqps_family_key_padded(p, 8) ^ param->key;

    if (len < 8) {
        return head >> (64 - 8 * len) == 0;
    }

    return head == 0
           && memcmp(p + len - 8, param->name + len - 8, 8) == 0
           && (len <= 16 || memcmp(p + 8, param->name + 8, len - 16) == 0);
}


/*
 * The same for plain names, none of them empty: they are told by their keys
 * and their last bytes, and only what is between them is left to compare.
 */

static int
miqps_map_same_plain(const miqps_lookup_t *l, const miqps_pattern_t *pattern)
{
    uint32_t               i;
    const uint8_t         *p, *pool, *last, *names, *text[MIQPS_MAX_PATTERN];
    const uint16_t        *order;
    const miqps_param_t   *params;

    names = l->image->section[MIQPS_SECTION_NAMES].data;
    pool = l->image->section[MIQPS_SECTION_POOL].data;
    last = pool + l->image->section[MIQPS_SECTION_POOL].size;
    params = l->params;
    order = l->work->order;

    /*
     * There are names behind the hosts, so that four bytes can be read.  Each
     * name is somewhere else; the memory is asked for all of them first.
     */

    for (i = 0; i < pattern->n; i++) {
        p = names + MIQPS_NAME_SIZE
                    * (size_t) (miqps_get_u32(pattern->names + 3 * i)
                                & 0xffffff);
        text[i] = pool + miqps_get_u32(p);

        if (miqps_get_u32(p + 4) != params[order[i]].name_len) {
            return 0;
        }
    }

    for (i = 0; i < pattern->n; i++) {
        if (!miqps_map_is_text(&params[order[i]], text[i], last)) {
            return 0;
        }
    }

    return 1;
}


/*
 * True if the names of a pattern are among those of the URL, and all that are
 * not neutral there.
 */

static int
miqps_map_some_names(const miqps_lookup_t *l, const miqps_pattern_t *pattern)
{
    size_t    k;
    uint32_t  i, rest;

    rest = 0;
    k = 0;

    for (i = 0; i < pattern->n; i++) {

        while (k < l->names
               && !miqps_map_is_name(l, l->work->order[k], pattern, i))
        {
            k++;
        }

        if (k == l->names) {
            return 0;
        }

        rest += !l->work->neutral[l->work->order[k]];
        k++;
    }

    return rest == l->names - l->nneutral;
}


/*
 * Adds the pattern that is being looked at if its shape is that of the path;
 * false without room.
 */

static int
miqps_map_match(miqps_lookup_t *l, const uint8_t *p)
{
    miqps_str_t     text;
    miqps_match_t  *match;
    const uint8_t  *shape;

    match = &l->matches[l->n];

    match->p = p;
    match->literals = 0;

    l->varies |= match->pattern.shape | match->pattern.ndefaults;

    if (match->pattern.shape != 0) {
        shape = l->image->section[MIQPS_SECTION_SHAPES].data
                + MIQPS_SHAPE_SIZE * (size_t) (match->pattern.shape - 1);
        text = miqps_image_pool(l->image, miqps_get_u32(shape),
                                miqps_get_u16(shape + 4));

        if (!miqps_map_shape_match(&text, l->path)) {
            return 1;
        }

        match->literals = MIQPS_MAP_SHAPED | miqps_get_u32(shape + 8);
    }

    return l->n++ < MIQPS_MAP_MAX_MATCHES;
}


/* the verdicts; returns the first pattern that counted */

static const uint8_t *
miqps_map_judge(miqps_lookup_t *l, size_t n)
{
    size_t             i;
    miqps_map_work_t  *work;
    const uint8_t     *first;

    work = l->work;
    first = NULL;

    if (l->n == 1 && !l->similar && !l->repeats
        && l->matches[0].pattern.client == NULL
        && l->matches[0].pattern.ndefaults == 0)
    {
        miqps_map_plain(l, &l->matches[0].pattern);
        return l->matches[0].p;
    }

    /* what is in no pattern is neutral */

    memset(work->learned, MIQPS_LEARNED_STRIP, n);

    for (i = 0; i < l->n; i++) {

        if (!miqps_map_counts(l, i)) {
            continue;
        }

        if (first == NULL) {
            first = l->matches[i].p;
        }

        miqps_map_verdict(l, &l->matches[i].pattern);
    }

    for (i = 0; i < n && l->repeats; i++) {
        work->learned[i] = work->learned[work->spare[i]];
    }

    return first;
}


/* most often there is one pattern, and nothing to weigh */

static void
miqps_map_plain(miqps_lookup_t *l, const miqps_pattern_t *pattern)
{
    uint8_t         *learned;
    uint32_t         i, bits;
    const uint8_t   *keep;
    const uint16_t  *order;

    learned = l->work->learned;
    order = l->work->order;
    keep = pattern->keep;
    bits = 0;

    for (i = 0; i < pattern->n; i++) {

        if (i % 8 == 0) {
            bits = *keep++;
        }

        learned[order[i]] = (bits & 1) ? MIQPS_LEARNED_KEEP
                                       : MIQPS_LEARNED_STRIP;
        bits >>= 1;
    }
}


/*
 * False if another one is more precise.  All shapes that match a path have as
 * many segments as it has, so that they differ in which are literal.
 */

static int
miqps_map_counts(const miqps_lookup_t *l, size_t i)
{
    size_t    k;
    uint64_t  own, other;

    own = l->matches[i].literals;

    for (k = 0; k < l->n; k++) {
        other = l->matches[k].literals;

        if (other != own && (other & own) == own) {
            return 0;
        }
    }

    return 1;
}


/* results are numbered so that the lower one wins */

static void
miqps_map_verdict(miqps_lookup_t *l, const miqps_pattern_t *pattern)
{
    size_t            at;
    uint16_t          k;
    uint32_t          i;
    miqps_learned_e   says;

    at = 0;

    for (i = 0; i < pattern->n; i++) {

        while (l->similar
               && !miqps_map_is_name(l, l->work->order[at], pattern, i))
        {
            at++;
        }

        k = l->work->order[at++];
        says = miqps_map_says(l, pattern, i, k);

        if (says < l->work->learned[k]) {
            l->work->learned[k] = (uint8_t) says;
        }
    }
}


/* what a pattern says of its name "i", which parameter "k" has */

static miqps_learned_e
miqps_map_says(const miqps_lookup_t *l, const miqps_pattern_t *pattern,
    uint32_t i, uint16_t k)
{
    uint32_t        d;
    miqps_str_t     value, given;
    const uint8_t  *p;

    if (pattern->client != NULL && (pattern->client[i / 8] & 1u << i % 8)) {
        return MIQPS_LEARNED_CLIENT;
    }

    if (!(pattern->keep[i / 8] & 1u << i % 8)) {
        return MIQPS_LEARNED_STRIP;
    }

    if (l->repeats && l->work->repeated[k]) {
        return MIQPS_LEARNED_KEEP;
    }

    for (d = 0; d < pattern->ndefaults; d++) {
        p = pattern->defaults + MIQPS_DEFAULT_SIZE * d;

        if (p[0] != i || l->params[k].len == l->params[k].name_len) {
            continue;
        }

        given = miqps_param_value(&l->params[k]);
        value = miqps_image_pool(l->image, miqps_get_u32(p + 3),
                                 miqps_get_u16(p + 1));

        if (miqps_str_eq(&given, &value)) {
            return MIQPS_LEARNED_DEFAULT;
        }
    }

    return MIQPS_LEARNED_KEEP;
}


int
miqps_map_shape_match(const miqps_str_t *text, const miqps_str_t *path)
{
    const uint8_t  *s, *p, *s_last, *p_last;

    s = text->data;
    p = path->data;
    s_last = s + text->len;
    p_last = p + path->len;

    while (s < s_last && p < p_last) {

        if (*s == '*' && s[-1] == '/' && (s_last - s == 1 || s[1] == '/')) {

            if (*p == '/') {
                return 0;
            }

            while (p < p_last && *p != '/') {
                p++;
            }

            s++;
            continue;
        }

        if (*s != *p) {
            return 0;
        }

        s++;
        p++;
    }

    return s == s_last && p == p_last;
}
