
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_IMAGE_H_INCLUDED_
#define _MIQPS_IMAGE_H_INCLUDED_


#include "miqps_core.h"


/*
 * MAP IMAGE, VERSION 1
 *
 * A learned map as one immutable run of bytes, written by "miqps compile" and
 * only read ever after.  References are offsets, never addresses, so that it
 * works wherever it is mapped.  Integers are little-endian and, outside of
 * the head, not aligned.
 *
 *
 * HEAD, 192 bytes
 *
 *       0  u8[8]  "MIQPSMAP"
 *       8  u16    version, 1
 *      10  u16    0x0102, to tell the byte order
 *      12  u32    features that a reader must know; none are defined
 *      16  u64    size of the image
 *      24  u64    generation that it was published as, or 0
 *      32  u64    time of the run that it comes from, in seconds; or 0
 *      40  u8[16] checksum: XXH3, 128 bits, canonical, of the whole image
 *                 without these 16 bytes
 *      56  u64    seed of the hashes
 *      64  u32    number of hosts, mirrors included
 *      68  u32    number of patterns
 *      72  u32    number of names
 *      76  u32    number of shapes
 *      80  6 x {u64 offset, u64 size}: the sections
 *     176  u32    number of hosts that stand for all below them
 *     180  u8[12] 0
 *
 * Sections follow in this order, each at a multiple of 8, with zero bytes
 * between them and nothing else, and the last one ends the image:
 *
 *   SLOTS   {u32 tag, u32 place} each, more of them than hosts; where to find
 *           a host.  "tag" is the low half of its hash; "place" is the offset
 *           of its record in HOSTS in units of 4, plus 1, or 0 in an empty
 *           slot.  The search begins at the high half of the hash, times the
 *           number of slots, divided by 2^32, and goes on over 256 slots or
 *           up to an empty one, from the last to the first.
 *   HOSTS   the records, each a multiple of 4 long, one after the other
 *   NAMES   16 bytes each; see below
 *   SHAPES  {u32 offset in POOL, u16 length, u16 segments, u32 literals} each
 *   POOL    bytes of long names, shapes, values and path rules
 *   RULES   path rules of hosts; see miqps_image_rules.h
 *
 *
 * HOST RECORD
 *
 *       0  u32    its size
 *       4  u8     length of the host, 1 to 255
 *       5  u8     flags: 1 the host stands for all below it, "*.HOST";
 *                        2 a mirror of another host;
 *                        4 each "int" below is u32, else it is u16;
 *                        8 there are path rules
 *       6  u16    number of neutral names
 *       8  u32    number of patterns; for a mirror the place of the host that
 *                 it mirrors, which is no mirror
 *      12  the host, lower case
 *          int for each pattern: its tag, ascending
 *          int for each pattern: its offset in the record
 *          int number of names that matter
 *          int for each of these: its tag, ascending
 *          only if there are neutral names:
 *              int number of rests
 *              int for each neutral name: its tag, ascending
 *              u24 for each neutral name
 *              int for each rest: its tag, ascending
 *              int for each rest: the number of its pattern, from 0
 *          the patterns, one after the other, in order of their tags
 *          zero bytes, up to 3
 *          u32 offset of the path rules in RULES; only with flag 8
 *
 * A mirror ends after the host.
 *
 * The tag of a name is the low end of its hash, that of a set of names of the
 * sum of their hashes.
 *
 * A name matters if a pattern of the host does not strip it, at least not for
 * all; nobody is asked to confirm that, since no more can come of it than that
 * another name is kept.  A name is neutral if it is in two patterns of the
 * host at least, not counting those whose names another one has on all their
 * paths, and stripped in all that it is in.  A pattern with neutral
 * names has a rest: its other names; one without is its own rest.  A set of
 * names that has no pattern is treated as one that is part of it, and has the
 * same rest.  Of one that has not even that, nothing goes that matters.
 *
 *
 * NAME
 *
 *       0  u8[15] a name of up to 15 bytes, and zeroes
 *      15  u8     its length
 *
 * or, for a longer one,
 *
 *       0  u32    offset in POOL
 *       4  u32    length
 *       8  u8[7]  0
 *      15  u8     0xff
 *
 *
 * PATTERN
 *
 *       0  u8     number of names, 1 to 255
 *       1  u8     flags: 1 shape; 2 defaults; 4 client
 *       2  keep: a bit for each name, the lowest of the first byte first
 *          client: the same; only with flag 4
 *          u24 for each name, in order of their hashes, then of their bytes
 *          u24 shape; only with flag 1
 *          u8 number of defaults, and {u8 which name, u16 length, u32 offset
 *          in POOL} each; only with flag 2
 *
 * A name that is kept has a value that is the same as leaving it out, if
 * there is a default for it.  A name with a bit in "client" has none in
 * "keep".
 *
 *
 * SHAPE
 *
 * A path such as "/p/" followed by "*" and "/reviews": segments are literal
 * bytes or "*", one non-empty segment; there are 32 at most.  "literals" has
 * a bit for each literal segment.
 *
 *
 * An image may be used only if
 *
 *   (1) the head is as above, and the size is that of the bytes at hand;
 *   (2) the checksum matches;
 *   (3) sections are in order, aligned, and inside the image;
 *   (4) long names and shapes lie in POOL, and names and shapes are of their
 *       form;
 *   (5) HOSTS consists of as many whole records as the head says, and the
 *       parts of each lie in it; patterns as many as the head says;
 *   (6) tags ascend, and offsets and numbers are those of patterns;
 *   (7) every name, shape, value and mirrored place that is referred to is
 *       there;
 *   (8) SLOTS have as many places as there are hosts, and searching for each
 *       host finds its record;
 *   (9) path rules are as miqps_image_rules.h says.
 *
 * miqps_image_check.c establishes all of these.  Look-ups rely on them and
 * check nothing again.
 */

#define MIQPS_IMAGE_VERSION    1
#define MIQPS_IMAGE_HEAD       192
#define MIQPS_IMAGE_SECTIONS   6


typedef enum {
    MIQPS_SECTION_SLOTS = 0,
    MIQPS_SECTION_HOSTS,
    MIQPS_SECTION_NAMES,
    MIQPS_SECTION_SHAPES,
    MIQPS_SECTION_POOL,
    MIQPS_SECTION_RULES
} miqps_section_e;


#define MIQPS_SLOT_SIZE        8
#define MIQPS_NAME_SIZE        16
#define MIQPS_NAME_SHORT       15            /* bytes of a name, at most */
#define MIQPS_NAME_LONG        0xff
#define MIQPS_SHAPE_SIZE       12
#define MIQPS_DEFAULT_SIZE     7

#define MIQPS_HOST_HEAD        12
#define MIQPS_HOST_WILDCARD    1
#define MIQPS_HOST_MIRROR      2
#define MIQPS_HOST_WIDE        4
#define MIQPS_HOST_RULES       8

#define MIQPS_PATTERN_HEAD     2
#define MIQPS_PATTERN_SHAPE    1
#define MIQPS_PATTERN_DEFAULT  2
#define MIQPS_PATTERN_CLIENT   4

#define MIQPS_MAX_PATTERN      255           /* names */
#define MIQPS_MAX_SEGMENTS     32
#define MIQPS_MAX_PROBES       256           /* slots looked at for a host */
#define MIQPS_MAX_NAMES        0xffffff
#define MIQPS_MAX_SHAPES       0xffffff


typedef struct {
    const uint8_t  *data;
    size_t          size;
} miqps_section_t;


/*
 * An image that may be used; copied freely, valid while the bytes are.
 *
 * What is remembered of an image is remembered by its serial, since another
 * one may come to the same address: it is not 0, and another one for each
 * image.  With 0, as it is at first, nothing is remembered.
 */

typedef struct {
    const uint8_t    *base;
    size_t            size;
    uint64_t          serial;                /* see below */
    uint64_t          seed;
    uint64_t          generation;
    uint64_t          time;
    uint32_t          nhosts;
    uint32_t          npatterns;
    uint32_t          nnames;
    uint32_t          nshapes;
    uint32_t          nwildcards;
    uint32_t          nslots;
    miqps_section_t   section[MIQPS_IMAGE_SECTIONS];
} miqps_image_t;


/*
 * For bytes that miqps_image_open() has accepted, see miqps_image_check.h, and
 * that have not changed since: checks nothing.
 */
void miqps_image_use(miqps_image_t *image, const uint8_t *base);


/* READING, from anywhere in an image */

static inline uint32_t
miqps_get_u16(const uint8_t *p)
{
    return (uint32_t) (p[0] | p[1] << 8);
}


static inline uint32_t
miqps_get_u24(const uint8_t *p)
{
    return (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16;
}


static inline uint32_t
miqps_get_u32(const uint8_t *p)
{
    return miqps_get_u24(p) | (uint32_t) p[3] << 24;
}


static inline uint64_t
miqps_get_u64(const uint8_t *p)
{
    return miqps_get_u32(p) | (uint64_t) miqps_get_u32(p + 4) << 32;
}


/*
 * HASHES of the image.  A short name is told by all of its bytes, a longer one
 * by its ends and its length: equal sums are always confirmed by comparing the
 * names.
 */

typedef struct {
    uint64_t          first;
    uint64_t          rest;
} miqps_image_word_t;


/* both halves of a product, one upon the other */

#ifdef __SIZEOF_INT128__


__extension__ typedef unsigned __int128  miqps_image_u128_t;


static inline uint64_t
miqps_image_mix(uint64_t a, uint64_t b)
{
    miqps_image_u128_t  product;

    product = (miqps_image_u128_t) a * b;

    return (uint64_t) product ^ (uint64_t) (product >> 64);
}


#else


static inline uint64_t
miqps_image_mix(uint64_t a, uint64_t b)
{
    uint64_t  low, cross, other, high;

    low = (a & 0xffffffff) * (b & 0xffffffff);
    cross = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    other = (a & 0xffffffff) * (b >> 32) + (cross & 0xffffffff);
    high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);

    return (other << 32 | (low & 0xffffffff)) ^ high;
}


#endif


#define MIQPS_IMAGE_FACTOR  UINT64_C(0x9e3779b97f4a7c15)


static inline uint64_t
miqps_image_hash_word(uint64_t seed, const miqps_image_word_t *word)
{
    return miqps_image_mix(word->first ^ seed,
                           word->rest ^ MIQPS_IMAGE_FACTOR);
}


/* what NAMES has for a name of up to MIQPS_NAME_SHORT bytes */

static inline void
miqps_image_stored(miqps_image_word_t *word, const uint8_t *entry)
{
    word->first = miqps_get_u64(entry);
    word->rest = miqps_get_u64(entry + 8);
}


/* the same for a name, behind which there are as many bytes of anything */

static inline miqps_always_inline void
miqps_image_word_padded(miqps_image_word_t *word, const uint8_t *name,
    size_t len)
{
    /* what is taken of sixteen bytes, behind as many that are not */

    static const uint8_t  mask[32] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
    };

    if (len > MIQPS_NAME_SHORT) {
        word->first = miqps_get_u64(name);
        word->rest = miqps_get_u64(name + len - 8) + len;
        return;
    }

    word->first = miqps_get_u64(name) & miqps_get_u64(mask + 16 - len);
    word->rest = (miqps_get_u64(name + 8) & miqps_get_u64(mask + 24 - len))
                 | (uint64_t) len << 56;
}


uint64_t miqps_image_hash_name(uint64_t seed, const uint8_t *name, size_t len);


/* sixteen bytes at a time; the last ones may have been there before */

static inline uint64_t
miqps_image_hash_host(uint64_t seed, const uint8_t *host, size_t len,
    int wildcard)
{
    size_t              i;
    uint64_t            hash;
    miqps_image_word_t  word;

    seed += 2 * len + (wildcard != 0);
    hash = 0;

    for (i = 0; i + 16 < len; i += 16) {
        miqps_image_stored(&word, host + i);
        hash += miqps_image_hash_word(seed, &word);
        seed += MIQPS_IMAGE_FACTOR;
    }

    if (len >= 16) {
        miqps_image_stored(&word, host + len - 16);

    } else if (len >= 8) {
        word.first = miqps_get_u64(host);
        word.rest = miqps_get_u64(host + len - 8);

    } else {
        word.first = 0;
        word.rest = 0;

        for (i = 0; i < len; i++) {
            word.first = word.first << 8 | host[i];
        }
    }

    hash += miqps_image_hash_word(seed, &word);

    /* its halves are used apart */

    return miqps_image_mix(hash, MIQPS_IMAGE_FACTOR);
}


/* where the search for a host begins */

static inline uint32_t
miqps_image_slot(uint64_t hash, uint32_t nslots)
{
    return (uint32_t) ((hash >> 32) * nslots >> 32);
}


/* the low end of a hash, as wide as tags of a host are */

#define miqps_image_tag(host, hash)                                          \
    (((host)->flags & MIQPS_HOST_WIDE) ? (uint32_t) (hash)                   \
                                       : (uint32_t) (hash) & 0xffff)


/* a host record, its parts found; see miqps_image_host() */

typedef struct {
    const uint8_t    *record;
    miqps_str_t       host;
    uint8_t           flags;
    uint32_t          npatterns;
    uint32_t          nneutral;
    uint32_t          nmatter;
    uint32_t          nrests;
    const uint8_t    *tags;
    const uint8_t    *offsets;
    const uint8_t    *matter;
    const uint8_t    *neutral_tags;
    const uint8_t    *neutral;
    const uint8_t    *rest_tags;
    const uint8_t    *rests;
    const uint8_t    *patterns;
} miqps_host_t;


typedef struct {
    const uint8_t    *keep;
    const uint8_t    *client;                /* or NULL */
    const uint8_t    *names;
    const uint8_t    *defaults;
    uint32_t          n;
    uint32_t          ndefaults;
    uint32_t          shape;                 /* counted from 1, or 0 */
    const uint8_t    *end;
} miqps_pattern_t;


void miqps_image_host(miqps_host_t *host, const uint8_t *record);
void miqps_image_pattern(miqps_pattern_t *pattern, const uint8_t *p);


/* element "i" of a list of integers of a host */

static inline uint32_t
miqps_image_number(const miqps_host_t *host, const uint8_t *list, uint32_t i)
{
    return (host->flags & MIQPS_HOST_WIDE)
           ? miqps_get_u32(list + 4 * (size_t) i)
           : miqps_get_u16(list + 2 * (size_t) i);
}


static inline miqps_str_t
miqps_image_pool(const miqps_image_t *image, uint32_t offset, uint32_t len)
{
    miqps_str_t  str;

    str.data = image->section[MIQPS_SECTION_POOL].data + offset;
    str.len = len;

    return str;
}


static inline miqps_str_t
miqps_image_name(const miqps_image_t *image, uint32_t id)
{
    miqps_str_t     name;
    const uint8_t  *p;

    p = image->section[MIQPS_SECTION_NAMES].data
        + (size_t) id * MIQPS_NAME_SIZE;

    if (p[15] == MIQPS_NAME_LONG) {
        return miqps_image_pool(image, miqps_get_u32(p), miqps_get_u32(p + 4));
    }

    name.data = p;
    name.len = p[15];

    return name;
}


#endif /* _MIQPS_IMAGE_H_INCLUDED_ */
