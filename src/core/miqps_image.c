
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include "miqps_family.h"
#include "miqps_image.h"


/* offsets in the head */

#define MIQPS_HEAD_VERSION     8
#define MIQPS_HEAD_ORDER       10
#define MIQPS_HEAD_FEATURES    12
#define MIQPS_HEAD_SIZE        16
#define MIQPS_HEAD_GENERATION  24
#define MIQPS_HEAD_TIME        32
#define MIQPS_HEAD_CHECKSUM    40
#define MIQPS_HEAD_SEED        56
#define MIQPS_HEAD_HOSTS       64
#define MIQPS_HEAD_PATTERNS    68
#define MIQPS_HEAD_NAMES       72
#define MIQPS_HEAD_SHAPES      76
#define MIQPS_HEAD_SECTIONS    80
#define MIQPS_HEAD_WILDCARDS   176
#define MIQPS_HEAD_ZERO        180

#define MIQPS_BYTE_ORDER       0x0102

/* hosts that are looked for at the same time */

#define MIQPS_IMAGE_AHEAD      16


typedef struct {
    const uint8_t    *record;
    uint64_t          hash;
} miqps_ahead_t;


static const char  *miqps_image_check_head(const uint8_t *base, size_t size);
static const char  *miqps_image_check_sections(const uint8_t *base,
    size_t size);
static const char  *miqps_image_check_counts(const miqps_image_t *image);
static const char  *miqps_image_check_names(const miqps_image_t *image);
static const char  *miqps_image_check_shapes(const miqps_image_t *image);
static int  miqps_image_check_shape(const miqps_str_t *text,
    uint32_t segments, uint32_t literals);
static const char  *miqps_image_check_hosts(const miqps_image_t *image);
static int  miqps_image_check_record(const miqps_image_t *image,
    const uint8_t *p, size_t size, uint32_t *patterns);
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
static const char  *miqps_image_check_slots(const miqps_image_t *image);
static uint64_t  miqps_image_record_hash(const miqps_image_t *image,
    const uint8_t *record);
static int  miqps_image_check_found(const miqps_image_t *image,
    const uint8_t *record, uint64_t hash);
static int  miqps_image_check_mirror(const miqps_image_t *image,
    const uint8_t *record);
static int  miqps_image_in_pool(const miqps_image_t *image, uint64_t offset,
    uint64_t len);


miqps_rc_e
miqps_image_open(miqps_image_t *image, const uint8_t *base, size_t size,
    const char **why)
{
    uint8_t  sum[MIQPS_IMAGE_CHECKSUM];

    *why = miqps_image_check_head(base, size);

    if (*why != NULL) {
        return MIQPS_SYNTAX;
    }

    if (miqps_get_u16(base + MIQPS_HEAD_VERSION) != MIQPS_IMAGE_VERSION
        || miqps_get_u32(base + MIQPS_HEAD_FEATURES) != 0)
    {
        *why = "its format is newer than this program";
        return MIQPS_TOO_LONG;
    }

    *why = miqps_image_check_sections(base, size);

    if (*why != NULL) {
        return MIQPS_SYNTAX;
    }

    miqps_image_checksum(base, size, sum);

    if (memcmp(sum, base + MIQPS_HEAD_CHECKSUM, MIQPS_IMAGE_CHECKSUM) != 0) {
        *why = "its checksum is wrong";
        return MIQPS_SYNTAX;
    }

    miqps_image_use(image, base);

    if ((*why = miqps_image_check_counts(image)) != NULL
        || (*why = miqps_image_check_names(image)) != NULL
        || (*why = miqps_image_check_shapes(image)) != NULL
        || (*why = miqps_image_check_hosts(image)) != NULL
        || (*why = miqps_image_check_slots(image)) != NULL)
    {
        return MIQPS_SYNTAX;
    }

    return MIQPS_OK;
}


void
miqps_image_use(miqps_image_t *image, const uint8_t *base)
{
    size_t          i;
    const uint8_t  *p;

    image->base = base;
    image->serial = 0;
    image->size = (size_t) miqps_get_u64(base + MIQPS_HEAD_SIZE);
    image->seed = miqps_get_u64(base + MIQPS_HEAD_SEED);
    image->generation = miqps_get_u64(base + MIQPS_HEAD_GENERATION);
    image->time = miqps_get_u64(base + MIQPS_HEAD_TIME);
    image->nhosts = miqps_get_u32(base + MIQPS_HEAD_HOSTS);
    image->npatterns = miqps_get_u32(base + MIQPS_HEAD_PATTERNS);
    image->nnames = miqps_get_u32(base + MIQPS_HEAD_NAMES);
    image->nshapes = miqps_get_u32(base + MIQPS_HEAD_SHAPES);
    image->nwildcards = miqps_get_u32(base + MIQPS_HEAD_WILDCARDS);

    for (i = 0; i < MIQPS_IMAGE_SECTIONS; i++) {
        p = base + MIQPS_HEAD_SECTIONS + 16 * i;

        image->section[i].data = base + miqps_get_u64(p);
        image->section[i].size = (size_t) miqps_get_u64(p + 8);
    }

    image->mask = (uint32_t) (image->section[MIQPS_SECTION_SLOTS].size
                              / MIQPS_SLOT_SIZE) - 1;
}


void
miqps_image_checksum(const uint8_t *base, size_t size,
    uint8_t sum[MIQPS_IMAGE_CHECKSUM])
{
    XXH3_state_t        state;
    XXH128_canonical_t  canonical;

    XXH3_INITSTATE(&state);

    (void) XXH3_128bits_reset(&state);
    (void) XXH3_128bits_update(&state, base, MIQPS_HEAD_CHECKSUM);
    (void) XXH3_128bits_update(&state, base + MIQPS_HEAD_SEED,
                               size - MIQPS_HEAD_SEED);

    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));

    memcpy(sum, canonical.digest, MIQPS_IMAGE_CHECKSUM);
}


uint64_t
miqps_image_hash_name(uint64_t seed, const uint8_t *name, size_t len)
{
    uint64_t  tail;

    tail = (len > 8) ? miqps_family_key(name + len - 8, 8) : 0;

    return miqps_image_hash_ends(seed, miqps_family_key(name, len), tail, len);
}


uint64_t
miqps_image_hash_host(uint64_t seed, const uint8_t *host, size_t len,
    int wildcard)
{
    return XXH3_64bits_withSeed(host, len, seed + (wildcard != 0));
}


void
miqps_image_host(miqps_host_t *host, const uint8_t *record)
{
    size_t          wide;
    const uint8_t  *p;

    host->record = record;
    host->host.data = record + MIQPS_HOST_HEAD;
    host->host.len = record[4];
    host->flags = record[5];
    host->nneutral = miqps_get_u16(record + 6);
    host->npatterns = miqps_get_u32(record + 8);
    host->nrests = 0;

    wide = (host->flags & MIQPS_HOST_WIDE) ? 4 : 2;

    host->tags = host->host.data + host->host.len;
    host->offsets = host->tags + 4 * (size_t) host->npatterns;

    p = host->offsets + wide * host->npatterns;

    if (host->nneutral > 0) {
        host->nrests = miqps_get_u32(p);
        host->neutral_tags = p + 4;
        host->neutral = host->neutral_tags + 4 * (size_t) host->nneutral;
        host->rest_tags = host->neutral + 3 * (size_t) host->nneutral;
        host->rests = host->rest_tags + 4 * (size_t) host->nrests;

        p = host->rests + wide * host->nrests;
    }

    host->patterns = p;
}


void
miqps_image_pattern(miqps_pattern_t *pattern, const uint8_t *p)
{
    size_t   mask;
    uint8_t  flags;

    pattern->n = p[0];
    flags = p[1];
    mask = (pattern->n + 7) / 8;

    pattern->keep = p + MIQPS_PATTERN_HEAD;
    p = pattern->keep + mask;

    pattern->client = NULL;

    if (flags & MIQPS_PATTERN_CLIENT) {
        pattern->client = p;
        p += mask;
    }

    pattern->names = p;
    p += 3 * pattern->n;

    pattern->shape = 0;

    if (flags & MIQPS_PATTERN_SHAPE) {
        pattern->shape = miqps_get_u24(p) + 1;
        p += 3;
    }

    pattern->ndefaults = 0;
    pattern->defaults = p;

    if (flags & MIQPS_PATTERN_DEFAULT) {
        pattern->ndefaults = *p;
        pattern->defaults = p + 1;
        p += 1 + MIQPS_DEFAULT_SIZE * pattern->ndefaults;
    }

    pattern->end = p;
}


/* --- what miqps_image_open() establishes, by its numbers */


/* (1) */

static const char *
miqps_image_check_head(const uint8_t *base, size_t size)
{
    if (size < 8 || memcmp(base, "MIQPSMAP", 8) != 0) {
        return "it is not a map image";
    }

    if (size < MIQPS_IMAGE_HEAD) {
        return "it is cut off";
    }

    if (miqps_get_u16(base + MIQPS_HEAD_ORDER) != MIQPS_BYTE_ORDER) {
        return "it is of another byte order";
    }

    if (miqps_get_u64(base + MIQPS_HEAD_SIZE) != size) {
        return (miqps_get_u64(base + MIQPS_HEAD_SIZE) > size)
               ? "it is cut off" : "something follows it";
    }

    return NULL;
}


/* (3) */

static const char *
miqps_image_check_sections(const uint8_t *base, size_t size)
{
    size_t          i;
    uint64_t        offset, length, end;
    const uint8_t  *p;

    end = MIQPS_IMAGE_HEAD;

    for (i = 0; i < MIQPS_IMAGE_SECTIONS; i++) {
        p = base + MIQPS_HEAD_SECTIONS + 16 * i;

        offset = miqps_get_u64(p);
        length = miqps_get_u64(p + 8);

        if (offset != ((end + 7) & ~UINT64_C(7)) || offset > size
            || length > size - offset)
        {
            return "its sections are not in order";
        }

        for (/* void */ ; end < offset; end++) {
            if (base[end] != 0) {
                return "there is something between its sections";
            }
        }

        end = offset + length;
    }

    return (end == size) ? NULL : "its sections do not fill it";
}


static const char *
miqps_image_check_counts(const miqps_image_t *image)
{
    size_t  slots;

    slots = image->section[MIQPS_SECTION_SLOTS].size;

    if (slots / MIQPS_SLOT_SIZE > UINT32_MAX || slots < MIQPS_SLOT_SIZE
        || (slots & (slots - 1)) != 0
        || slots / MIQPS_SLOT_SIZE <= image->nhosts)
    {
        return "it has a wrong number of slots";
    }

    if (image->section[MIQPS_SECTION_NAMES].size
        != (uint64_t) image->nnames * MIQPS_NAME_SIZE
        || image->nnames > MIQPS_MAX_NAMES)
    {
        return "it has a wrong number of names";
    }

    if (image->section[MIQPS_SECTION_SHAPES].size
        != (uint64_t) image->nshapes * MIQPS_SHAPE_SIZE
        || image->nshapes > MIQPS_MAX_SHAPES)
    {
        return "it has a wrong number of shapes";
    }

    if (image->section[MIQPS_SECTION_RULES].size != 0
        || miqps_get_u32(image->base + MIQPS_HEAD_ZERO) != 0
        || miqps_get_u64(image->base + MIQPS_HEAD_ZERO + 4) != 0)
    {
        return "it has something that this version does not";
    }

    return NULL;
}


static int
miqps_image_in_pool(const miqps_image_t *image, uint64_t offset, uint64_t len)
{
    return offset + len <= image->section[MIQPS_SECTION_POOL].size;
}


/* (4) */

static const char *
miqps_image_check_names(const miqps_image_t *image)
{
    uint32_t        i;
    const uint8_t  *p;

    p = image->section[MIQPS_SECTION_NAMES].data;

    for (i = 0; i < image->nnames; i++, p += MIQPS_NAME_SIZE) {
        if (!miqps_image_in_pool(image, miqps_get_u32(p),
                                 miqps_get_u32(p + 4)))
        {
            return "a name is not in its pool";
        }
    }

    return NULL;
}


static const char *
miqps_image_check_shapes(const miqps_image_t *image)
{
    uint32_t        i;
    miqps_str_t     text;
    const uint8_t  *p;

    p = image->section[MIQPS_SECTION_SHAPES].data;

    for (i = 0; i < image->nshapes; i++, p += MIQPS_SHAPE_SIZE) {

        if (!miqps_image_in_pool(image, miqps_get_u32(p),
                                 miqps_get_u16(p + 4)))
        {
            return "a shape is not in its pool";
        }

        text = miqps_image_pool(image, miqps_get_u32(p), miqps_get_u16(p + 4));

        if (!miqps_image_check_shape(&text, miqps_get_u16(p + 6),
                                     miqps_get_u32(p + 8)))
        {
            return "a shape is not one";
        }
    }

    return NULL;
}


static int
miqps_image_check_shape(const miqps_str_t *text, uint32_t segments,
    uint32_t literals)
{
    uint32_t        n, set;
    const uint8_t  *p, *last;

    n = 0;
    set = 0;
    p = text->data;
    last = p + text->len;

    if (text->len == 0 || *p != '/') {
        return 0;
    }

    for (/* void */ ; p < last; p++) {

        if (*p != '/') {
            continue;
        }

        if (n == MIQPS_MAX_SEGMENTS) {
            return 0;
        }

        if (!(last - p >= 2 && p[1] == '*' && (last - p == 2 || p[2] == '/')))
        {
            set |= UINT32_C(1) << n;
        }

        n++;
    }

    return n == segments && set == literals;
}


/* (5) */

static const char *
miqps_image_check_hosts(const miqps_image_t *image)
{
    size_t          size, left;
    uint32_t        hosts, patterns, wildcards;
    const uint8_t  *p;

    p = image->section[MIQPS_SECTION_HOSTS].data;
    left = image->section[MIQPS_SECTION_HOSTS].size;
    hosts = 0;
    patterns = 0;
    wildcards = 0;

    while (left > 0) {

        if (left < MIQPS_HOST_HEAD) {
            return "a host is cut off";
        }

        size = miqps_get_u32(p);

        if (size < MIQPS_HOST_HEAD || size > left || size % 4 != 0
            || !miqps_image_check_record(image, p, size, &patterns))
        {
            return "a host is damaged";
        }

        hosts++;
        wildcards += p[5] & MIQPS_HOST_WILDCARD;
        p += size;
        left -= size;
    }

    if (hosts != image->nhosts || patterns != image->npatterns
        || wildcards != image->nwildcards)
    {
        return "it has a wrong number of hosts or patterns";
    }

    return NULL;
}


static int
miqps_image_check_record(const miqps_image_t *image, const uint8_t *p,
    size_t size, uint32_t *patterns)
{
    size_t        need, wide;
    miqps_host_t  host;

    need = MIQPS_HOST_HEAD + p[4];

    if (need > size
        || (p[5] & ~(MIQPS_HOST_WILDCARD|MIQPS_HOST_MIRROR|MIQPS_HOST_WIDE))
        || !miqps_image_check_host_name(p + MIQPS_HOST_HEAD, p[4]))
    {
        return 0;
    }

    if (p[5] & MIQPS_HOST_MIRROR) {
        return miqps_get_u16(p + 6) == 0
               && miqps_image_check_end(p + need, size - need);
    }

    wide = (p[5] & MIQPS_HOST_WIDE) ? 8 : 6;

    if (miqps_get_u32(p + 8) > (size - need) / wide) {
        return 0;
    }

    need += wide * miqps_get_u32(p + 8);

    if (miqps_get_u16(p + 6) > 0
        && (size - need < 4
            || 7 * (size_t) miqps_get_u16(p + 6) > size - need - 4
            || miqps_get_u32(p + need)
               > (size - need - 4 - 7 * (size_t) miqps_get_u16(p + 6)) / wide))
    {
        return 0;
    }

    miqps_image_host(&host, p);

    if (!miqps_image_check_neutral(image, &host)
        || !miqps_image_check_patterns(image, &host, size))
    {
        return 0;
    }

    *patterns += host.npatterns;

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


/* a name in lower case, without a dot at either end */

static int
miqps_image_check_host_name(const uint8_t *host, size_t len)
{
    size_t  i;

    if (len == 0 || host[0] == '.' || host[len - 1] == '.') {
        return 0;
    }

    for (i = 0; i < len; i++) {
        if (host[i] <= ' ' || host[i] >= 0x7f || host[i] == '/'
            || (host[i] >= 'A' && host[i] <= 'Z'))
        {
            return 0;
        }
    }

    return 1;
}


/* (6) of neutral names and their rests */

static int
miqps_image_check_neutral(const miqps_image_t *image, const miqps_host_t *host)
{
    uint32_t  i;

    for (i = 0; i < host->nneutral; i++) {

        if (i > 0 && miqps_get_u32(host->neutral_tags + 4 * i)
                     < miqps_get_u32(host->neutral_tags + 4 * (i - 1)))
        {
            return 0;
        }

        if (miqps_get_u24(host->neutral + 3 * i) >= image->nnames) {
            return 0;
        }
    }

    for (i = 0; i < host->nrests; i++) {

        if (i > 0 && miqps_get_u32(host->rest_tags + 4 * (size_t) i)
                     < miqps_get_u32(host->rest_tags + 4 * (size_t) (i - 1)))
        {
            return 0;
        }

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
        tag = miqps_get_u32(host->tags + 4 * (size_t) i);

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
    uint32_t         i;
    miqps_pattern_t  pattern;

    if (size < MIQPS_PATTERN_HEAD || p[0] == 0
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

    for (i = 0; i < pattern.n; i++) {
        if (miqps_get_u24(pattern.names + 3 * i) >= image->nnames) {
            return 0;
        }
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


/*
 * (8), and (7) of mirrors.  Records have places of their own, so that once
 * each is found at its place, and places are no more than records, every
 * place is that of a record.
 */

static const char *
miqps_image_check_slots(const miqps_image_t *image)
{
    size_t           i, n, left;
    uint32_t         used;
    const uint8_t   *p;
    miqps_ahead_t    ahead[MIQPS_IMAGE_AHEAD];

    p = image->section[MIQPS_SECTION_SLOTS].data;
    used = 0;

    for (i = 0; i <= image->mask; i++) {
        used += (miqps_get_u32(p + MIQPS_SLOT_SIZE * i + 4) != 0);
    }

    if (used != image->nhosts) {
        return "it has a wrong number of places of hosts";
    }

    p = image->section[MIQPS_SECTION_HOSTS].data;
    left = image->section[MIQPS_SECTION_HOSTS].size;

    while (left > 0) {

        /* slots are all over the memory, which is asked for some of them */

        for (n = 0; n < MIQPS_IMAGE_AHEAD && left > 0; n++) {
            ahead[n].record = p;
            ahead[n].hash = miqps_image_record_hash(image, p);

            __builtin_prefetch(image->section[MIQPS_SECTION_SLOTS].data
                               + MIQPS_SLOT_SIZE
                                 * (ahead[n].hash >> 32 & image->mask));

            left -= miqps_get_u32(p);
            p += miqps_get_u32(p);
        }

        for (i = 0; i < n; i++) {
            if (!miqps_image_check_found(image, ahead[i].record,
                                         ahead[i].hash))
            {
                return "a host is not where it is looked for";
            }
        }
    }

    p = image->section[MIQPS_SECTION_HOSTS].data;

    for (left = image->section[MIQPS_SECTION_HOSTS].size; left > 0; /* void */)
    {
        if ((p[5] & MIQPS_HOST_MIRROR) && !miqps_image_check_mirror(image, p)) {
            return "a mirror is one of nothing";
        }

        left -= miqps_get_u32(p);
        p += miqps_get_u32(p);
    }

    return NULL;
}


static uint64_t
miqps_image_record_hash(const miqps_image_t *image, const uint8_t *record)
{
    return miqps_image_hash_host(image->seed, record + MIQPS_HOST_HEAD,
                                 record[4], record[5] & MIQPS_HOST_WILDCARD);
}


/* whether looking for the host of a record leads to its place */

static int
miqps_image_check_found(const miqps_image_t *image, const uint8_t *record,
    uint64_t hash)
{
    uint32_t        i, n, place;
    const uint8_t  *slot;

    place = (uint32_t) ((record - image->section[MIQPS_SECTION_HOSTS].data) / 4)
            + 1;

    i = (uint32_t) (hash >> 32) & image->mask;

    for (n = 0; n < MIQPS_MAX_PROBES; n++) {
        slot = image->section[MIQPS_SECTION_SLOTS].data
               + (size_t) i * MIQPS_SLOT_SIZE;

        if (miqps_get_u32(slot + 4) == 0) {
            return 0;
        }

        if (miqps_get_u32(slot + 4) == place) {
            return miqps_get_u32(slot) == (uint32_t) hash;
        }

        i = (i + 1) & image->mask;
    }

    return 0;
}


/* bytes that are no record have no place, whatever they look like */

static int
miqps_image_check_mirror(const miqps_image_t *image, const uint8_t *record)
{
    uint64_t                offset;
    const miqps_section_t  *hosts;

    hosts = &image->section[MIQPS_SECTION_HOSTS];
    offset = 4 * ((uint64_t) miqps_get_u32(record + 8) - 1);

    return miqps_get_u32(record + 8) != 0 && offset < hosts->size
           && hosts->size - offset >= MIQPS_HOST_HEAD
           && hosts->size - offset - MIQPS_HOST_HEAD >= hosts->data[offset + 4]
           && !(hosts->data[offset + 5] & MIQPS_HOST_MIRROR)
           && miqps_image_check_found(image, hosts->data + offset,
                                      miqps_image_record_hash(image,
                                                      hosts->data + offset));
}
