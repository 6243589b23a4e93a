
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
 *   SLOTS   {u32 tag, u32 place} each, a power of two of them; where to find
 *           a host.  "tag" is the low half of its hash; "place" is the offset
 *           of its record in HOSTS in units of 4, plus 1, or 0 in an empty
 *           slot.  The search begins at the high half of the hash, modulo the
 *           number of slots, and goes on over 64 slots or up to an empty one.
 *   HOSTS   the records, each a multiple of 4 long, one after the other
 *   NAMES   {u32 offset in POOL, u32 length} each
 *   SHAPES  {u32 offset in POOL, u16 length, u16 segments, u32 literals} each
 *   POOL    bytes of names, shapes and values
 *   RULES   programs of path rules; empty in version 1
 *
 *
 * HOST RECORD
 *
 *       0  u32    its size
 *       4  u8     length of the host, 1 to 255
 *       5  u8     flags: 1 the host stands for all below it, "*.HOST";
 *                        2 a mirror of another host;
 *                        4 offsets and numbers are u32, else they are u16
 *       6  u16    number of neutral names
 *       8  u32    number of patterns; for a mirror the place of the host that
 *                 it mirrors, which is no mirror
 *      12  the host, lower case
 *          u32 for each pattern: its tag, ascending
 *          u16 or u32 for each pattern: its offset in the record
 *          only if there are neutral names:
 *              u32 number of rests
 *              u32 for each neutral name: the low half of its hash, ascending
 *              u24 for each neutral name
 *              u32 for each rest: its tag, ascending
 *              u16 or u32 for each rest: the number of its pattern, from 0
 *          the patterns, one after the other, in order of their tags
 *          zero bytes, up to 3
 *
 * A mirror ends after the host.
 *
 * The tag of a set of names is the low half of the sum of their hashes.  A
 * name is neutral if it is in two patterns of the host at least, and stripped
 * in all that it is in.  A pattern with neutral names has a rest: its other
 * names; one without is its own rest.  A set of names that has no pattern is
 * treated as one that is part of it, and has the same rest.
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
 *   (4) names and shapes lie in POOL, and shapes are of their form;
 *   (5) HOSTS consists of as many whole records as the head says, and the
 *       parts of each lie in it; patterns as many as the head says;
 *   (6) tags ascend, and offsets and numbers are those of patterns;
 *   (7) every name, shape, value and mirrored place that is referred to is
 *       there;
 *   (8) SLOTS have as many places as there are hosts, and searching for each
 *       host finds its record.
 *
 * miqps_image_open() establishes all of these.  Look-ups rely on them and
 * check nothing again.
 */

#define MIQPS_IMAGE_VERSION    1
#define MIQPS_IMAGE_HEAD       192
#define MIQPS_IMAGE_SECTIONS   6

#define MIQPS_IMAGE_CHECKSUM   16            /* bytes of it */


typedef enum {
    MIQPS_SECTION_SLOTS = 0,
    MIQPS_SECTION_HOSTS,
    MIQPS_SECTION_NAMES,
    MIQPS_SECTION_SHAPES,
    MIQPS_SECTION_POOL,
    MIQPS_SECTION_RULES
} miqps_section_e;


#define MIQPS_SLOT_SIZE        8
#define MIQPS_NAME_SIZE        8
#define MIQPS_SHAPE_SIZE       12
#define MIQPS_DEFAULT_SIZE     7

#define MIQPS_HOST_HEAD        12
#define MIQPS_HOST_WILDCARD    1
#define MIQPS_HOST_MIRROR      2
#define MIQPS_HOST_WIDE        4

#define MIQPS_PATTERN_HEAD     2
#define MIQPS_PATTERN_SHAPE    1
#define MIQPS_PATTERN_DEFAULT  2
#define MIQPS_PATTERN_CLIENT   4

#define MIQPS_MAX_PATTERN      255           /* names */
#define MIQPS_MAX_SEGMENTS     32
#define MIQPS_MAX_PROBES       64            /* slots looked at for a host */
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
    uint32_t          mask;                  /* number of slots less 1 */
    miqps_section_t   section[MIQPS_IMAGE_SECTIONS];
} miqps_image_t;


/*
 * Checks all of the above.
 *
 * MIQPS_OK         "image" is filled
 * MIQPS_TOO_LONG   the version or a feature is newer than this code
 * MIQPS_SYNTAX     it is not a sound image
 *
 * On an error "*why" is a clause for people, static; "image" is void.
 */
miqps_rc_e miqps_image_open(miqps_image_t *image, const uint8_t *base,
    size_t size, const char **why);

/*
 * The same for bytes that miqps_image_open() has accepted, and that have not
 * changed since: checks nothing.
 */
void miqps_image_use(miqps_image_t *image, const uint8_t *base);

/* the checksum of an image, as its head has or should have it */

void miqps_image_checksum(const uint8_t *base, size_t size,
    uint8_t sum[MIQPS_IMAGE_CHECKSUM]);


/*
 * HASHES of the image.  A name of up to 16 bytes is told by all of them, a
 * longer one by its ends and its length: equal sums are always confirmed by
 * comparing the names.
 */

static inline uint64_t
miqps_image_mix(uint64_t a, uint64_t b)
{
    a *= UINT64_C(0x9e3779b97f4a7c15);
    a ^= a >> 32 ^ b;
    a *= UINT64_C(0xd6e8feb86659fd93);

    return a ^ a >> 32;
}


/* "head" and "tail": the first and last eight bytes, or all and 0 */

static inline uint64_t
miqps_image_hash_ends(uint64_t seed, uint64_t head, uint64_t tail, size_t len)
{
    return miqps_image_mix(head ^ seed, tail + len);
}


uint64_t miqps_image_hash_name(uint64_t seed, const uint8_t *name, size_t len);

uint64_t miqps_image_hash_host(uint64_t seed, const uint8_t *host, size_t len,
    int wildcard);


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


/* a host record, its parts found; see miqps_image_host() */

typedef struct {
    const uint8_t    *record;
    miqps_str_t       host;
    uint8_t           flags;
    uint32_t          npatterns;
    uint32_t          nneutral;
    uint32_t          nrests;
    const uint8_t    *tags;
    const uint8_t    *offsets;
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


/* element "i" of the offsets or rests of a host */

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
    const uint8_t  *p;

    p = image->section[MIQPS_SECTION_NAMES].data
        + (size_t) id * MIQPS_NAME_SIZE;

    return miqps_image_pool(image, miqps_get_u32(p), miqps_get_u32(p + 4));
}


#endif /* _MIQPS_IMAGE_H_INCLUDED_ */
