
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_map_names.h"


/* patterns of one URL, whose shapes match; more of them mean keep */

#define MIQPS_MAP_MAX_MATCHES  32

/* of a list of tags, so many at most are looked at one after the other */

#define MIQPS_MAP_FEW_TAGS     8

/* a shape at all is more precise than none */

#define MIQPS_MAP_SHAPED       (UINT64_C(1) << MIQPS_MAX_SEGMENTS)


typedef struct {
    const uint8_t    *p;
    uint64_t          literals;   /* of its shape */
    miqps_pattern_t   pattern;
} miqps_match_t;


typedef struct {
    miqps_map_names_t      names;
    miqps_host_t           host;
    const miqps_str_t     *path;
    uint64_t               rest;       /* sum of names that are not neutral */
    uint32_t               nneutral;   /* of them */
    int                    similar;    /* matches have only some of them */
    unsigned               varies;     /* with the path, or with values */

    miqps_match_t          matches[MIQPS_MAP_MAX_MATCHES + 1];
    size_t                 n;          /* the one behind is being looked at */
} miqps_lookup_t;


static int  miqps_map_equal(miqps_lookup_t *l);
static int  miqps_map_similar(miqps_lookup_t *l);
static void  miqps_map_neutral(miqps_lookup_t *l);
static int  miqps_map_is_neutral(const miqps_lookup_t *l, uint16_t k);
static int  miqps_map_rests(miqps_lookup_t *l, const uint8_t *tags,
    uint32_t n, const uint8_t *numbers);
static int  miqps_map_same_names(const miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static int  miqps_map_some_names(const miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static int  miqps_map_match(miqps_lookup_t *l, const uint8_t *p);
static const uint8_t  *miqps_map_judge(miqps_lookup_t *l, size_t n);
static int  miqps_map_counts(const miqps_lookup_t *l, size_t i);
static void  miqps_map_verdict(miqps_lookup_t *l,
    const miqps_pattern_t *pattern);
static miqps_learned_e  miqps_map_says(const miqps_lookup_t *l,
    const miqps_pattern_t *pattern, uint32_t i, uint16_t k);
static void  miqps_map_elsewhere(miqps_lookup_t *l, size_t n);
static inline uint32_t  miqps_map_bound(const miqps_host_t *host,
    const uint8_t *tags, uint32_t n, uint32_t tag);


int
miqps_map_weigh(miqps_map_names_t *names, const uint8_t *record,
    const miqps_str_t *path, size_t n, miqps_map_entry_t *entry)
{
    int             found;
    miqps_lookup_t  l;

    miqps_map_order(names, n);

    l.names = *names;
    l.path = path;
    l.n = 0;
    l.similar = 0;
    l.varies = 0;

    miqps_image_host(&l.host, record);

    found = (l.names.n <= MIQPS_MAX_PATTERN && miqps_map_equal(&l));

    if (found && l.n == 0 && l.host.nneutral > 0) {
        l.similar = 1;
        found = miqps_map_similar(&l);
    }

    entry->varies = (l.varies != 0);

    if (!found || l.n == 0) {
        miqps_map_elsewhere(&l, n);
        return 0;
    }

    entry->host = record;
    entry->pattern = miqps_map_judge(&l, n);
    entry->similar = (l.similar != 0);

    return 1;
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

    tag = miqps_image_tag(&l->host, l->names.sum);

    for (i = miqps_map_bound(&l->host, l->host.tags, l->host.npatterns, tag);
         i < l->host.npatterns
         && miqps_image_number(&l->host, l->host.tags, i) == tag;
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

    tag = miqps_image_tag(&l->host, l->rest);

    for (i = miqps_map_bound(&l->host, tags, n, tag);
         i < n && miqps_image_number(&l->host, tags, i) == tag; i++)
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


/* marks names that are neutral all over the host; the rest has the others */

static void
miqps_map_neutral(miqps_lookup_t *l)
{
    size_t             i;
    uint16_t           k;
    miqps_map_work_t  *work;

    work = l->names.work;

    l->nneutral = 0;
    l->rest = l->names.sum;

    for (i = 0; i < l->names.n; i++) {
        k = work->order[i];

        work->neutral[k] = (uint8_t) miqps_map_is_neutral(l, k);

        if (work->neutral[k]) {
            l->nneutral++;
            l->rest -= work->hash[k];
        }
    }
}


static int
miqps_map_is_neutral(const miqps_lookup_t *l, uint16_t k)
{
    uint32_t             i, tag;
    const miqps_host_t  *host;

    host = &l->host;
    tag = miqps_image_tag(host, l->names.work->hash[k]);

    for (i = miqps_map_bound(host, host->neutral_tags, host->nneutral, tag);
         i < host->nneutral
         && miqps_image_number(host, host->neutral_tags, i) == tag;
         i++)
    {
        if (miqps_map_is_name(&l->names, k,
                              miqps_get_u24(host->neutral + 3 * (size_t) i)))
        {
            return 1;
        }
    }

    return 0;
}


/*
 * Where the tags that are not below "tag" begin.  The last few are counted,
 * since no processor could predict how they compare.
 */

static inline uint32_t
miqps_map_bound(const miqps_host_t *host, const uint8_t *tags, uint32_t n,
    uint32_t tag)
{
    uint32_t  i, low, half;

    low = 0;

    while (n > MIQPS_MAP_FEW_TAGS) {
        half = n / 2;

        if (miqps_image_number(host, tags, low + half) < tag) {
            low += half + 1;
            n -= half + 1;

        } else {
            n = half;
        }
    }

    if (host->flags & MIQPS_HOST_WIDE) {
        tags += 4 * (size_t) low;

        for (i = 0; i < n; i++) {
            low += (miqps_get_u32(tags + 4 * i) < tag);
        }

        return low;
    }

    tags += 2 * (size_t) low;

    for (i = 0; i < n; i++) {
        low += (miqps_get_u16(tags + 2 * i) < tag);
    }

    return low;
}


static int
miqps_map_same_names(const miqps_lookup_t *l, const miqps_pattern_t *pattern)
{
    uint32_t         i;
    const uint16_t  *order;

    if (pattern->n != l->names.n) {
        return 0;
    }

    order = l->names.work->order;

    for (i = 0; i < pattern->n; i++) {
        if (!miqps_map_is_name(&l->names, order[i],
                               miqps_get_u24(pattern->names + 3 * i)))
        {
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
    size_t           k;
    uint32_t         i, rest;
    const uint16_t  *order;

    order = l->names.work->order;
    rest = 0;
    k = 0;

    for (i = 0; i < pattern->n; i++) {

        while (k < l->names.n
               && !miqps_map_is_name(&l->names, order[k],
                                     miqps_get_u24(pattern->names + 3 * i)))
        {
            k++;
        }

        if (k == l->names.n) {
            return 0;
        }

        rest += !l->names.work->neutral[order[k]];
        k++;
    }

    return rest == l->names.n - l->nneutral;
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
        shape = l->names.image->section[MIQPS_SECTION_SHAPES].data
                + MIQPS_SHAPE_SIZE * (size_t) (match->pattern.shape - 1);
        text = miqps_image_pool(l->names.image, miqps_get_u32(shape),
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

    work = l->names.work;
    first = NULL;

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

    for (i = 0; i < n && l->names.repeats; i++) {
        work->learned[i] = work->learned[work->spare[i]];
    }

    return first;
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
    size_t             at;
    uint16_t           k;
    uint32_t           i;
    miqps_learned_e    says;
    miqps_map_work_t  *work;

    work = l->names.work;
    at = 0;

    for (i = 0; i < pattern->n; i++) {

        while (l->similar
               && !miqps_map_is_name(&l->names, work->order[at],
                                     miqps_get_u24(pattern->names + 3 * i)))
        {
            at++;
        }

        k = work->order[at++];
        says = miqps_map_says(l, pattern, i, k);

        if (says < work->learned[k]) {
            work->learned[k] = (uint8_t) says;
        }
    }
}


/* what a pattern says of its name "i", which parameter "k" has */

static miqps_learned_e
miqps_map_says(const miqps_lookup_t *l, const miqps_pattern_t *pattern,
    uint32_t i, uint16_t k)
{
    uint32_t              d;
    miqps_str_t           value, given;
    const uint8_t        *p;
    const miqps_param_t  *param;

    param = &l->names.params[k];

    if (pattern->client != NULL && (pattern->client[i / 8] & 1u << i % 8)) {
        return MIQPS_LEARNED_CLIENT;
    }

    if (!(pattern->keep[i / 8] & 1u << i % 8)) {
        return MIQPS_LEARNED_STRIP;
    }

    if (l->names.repeats && l->names.work->repeated[k]) {
        return MIQPS_LEARNED_KEEP;
    }

    for (d = 0; d < pattern->ndefaults; d++) {
        p = pattern->defaults + MIQPS_DEFAULT_SIZE * d;

        if (p[0] != i || param->len == param->name_len) {
            continue;
        }

        given = miqps_param_value(param);
        value = miqps_image_pool(l->names.image, miqps_get_u32(p + 3),
                                 miqps_get_u16(p + 1));

        if (miqps_str_eq(&given, &value)) {
            return MIQPS_LEARNED_DEFAULT;
        }
    }

    return MIQPS_LEARNED_KEEP;
}


/* of names that the map has not got together: those that matter with others */

static void
miqps_map_elsewhere(miqps_lookup_t *l, size_t n)
{
    size_t               i;
    uint32_t             k, tag;
    miqps_map_work_t    *work;
    const miqps_host_t  *host;

    host = &l->host;
    work = l->names.work;

    for (i = 0; i < n; i++) {
        tag = miqps_image_tag(host, work->hash[i]);
        k = miqps_map_bound(host, host->matter, host->nmatter, tag);

        work->learned[i] = (k < host->nmatter
                            && miqps_image_number(host, host->matter, k)
                               == tag)
                           ? MIQPS_LEARNED_ELSEWHERE : MIQPS_LEARNED_NOTHING;
    }
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
