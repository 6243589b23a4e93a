
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_IMAGE_RULES_H_INCLUDED_
#define _MIQPS_IMAGE_RULES_H_INCLUDED_


#include "miqps_image.h"


/*
 * PATH RULES OF A MAP IMAGE: THE SECTION "RULES"
 *
 * A path rule turns a URL of one form into one of another form: parts of it
 * are kept, replaced, dropped, or moved between host, path and query.  The
 * source in JSON is described in miqps-map(5).
 *
 * A host record with flag 8, MIQPS_HOST_RULES, has four bytes more, its last
 * ones: a u32, the offset of its block in RULES.  No other host costs a byte.
 * Mirrors have the rules of the host that they mirror.  Integers are as in
 * miqps_image.h; texts are in POOL.  Blocks are in the order of their hosts,
 * one after the other, and fill the section.
 *
 *
 * BLOCK, a multiple of 4 long
 *
 *       0  u32    its size
 *       4  u16    number of rules, 1 to 256
 *       6  u8     number of tables, 0 to 64
 *       7  u8     bits: 1, the source of a rule has parameters; 2, what a rule
 *                 has made is looked at again
 *       8  u64 for each rule: what a URL needs to be worth a look, see below
 *          u32 for each rule: its offset in the block
 *          u32 for each table: its offset in the block
 *          the tables, one after the other
 *          the rules, one after the other, the most precise first
 *          zero bytes, up to 3
 *
 *
 * TABLE: what a value becomes
 *
 *       0  u16    number of entries, 1 to 1024
 *       2  {u32 offset, u16 length, u32 offset, u16 length} each: a value,
 *          and what it becomes; ascending by the bytes of the values
 *
 *
 * RULE
 *
 *       0  u16    its size
 *       2  u8     flags: 1 the source has a host, 2 a path; 4 the URL may have
 *                        parameters that the source does not name;
 *                        16 the target has a host, 32 a path, 64 parameters
 *       3  u8     number of segments of the source, without "**"
 *       4  u8     how many of them are before its "**", or 255 without one
 *       5  u8     number of segments of the target; and
 *       6  u8     of those before its "**", or 255
 *       7  u8     number of parameters of the source, 0 to 16
 *       8  u8     number of parameters of the target, the same
 *       9  u8     number of captures, 0 to 64
 *      10  the source: the text of the host, one for each segment, and
 *          {u32 offset, u16 length, text} for each parameter, ascending by
 *          the bytes of the names;
 *          the target: the same
 *
 * What the target does not have stays as it is.  A path, with its "**", has
 * 1 to 32 segments: "/a/b/" has three, the last one empty.  Where "**" is the
 * last of the source, so that it may stand for an empty one, it is the last of
 * the target, too, if it is there.
 *
 *
 * TEXT
 *
 *       0  u8     number of pieces, 0 to 8
 *       1  the pieces: a u8, and
 *
 *            1 LITERAL  u32 offset, u16 length, 1 to 1024
 *            2 DIGITS   one or more of 0-9
 *            3 HEX      one or more of 0-9, a-f, A-F
 *            4 UUID     8-4-4-4-12 of them
 *            5 WORD     one or more letters, digits and "_"
 *            6 ANY      one or more of these, "-", "~", and escapes of bytes
 *                       above 0x7f with digits in upper case
 *            7 RAW      of a path, a segment that is not empty; of a
 *                       parameter, any value or none; alone in its text
 *            8 TABLE    u8 which one: any of its values
 *            9 CAPTURE  u8 which one; only in targets, where of 2 to 8 there
 *                       are none
 *
 * Pieces 2 to 8 of the source are its captures, numbered from 0.  A CAPTURE
 * stands for what was there or, of a TABLE, for what that becomes; each is
 * used once at most.  RAW stands for itself only: of a path for a segment, of
 * a parameter for the parameter of the same name, and alone in its text.  No
 * two literals are neighbours, nor two of 2 to 8; and the literal behind 2 to
 * 8 begins with a byte that these do not have, unless none of 2 to 8 follows.
 * So a text is read from left to right, and its last capture takes all up to
 * the literal at the end, if any: nothing is ever tried twice.
 *
 * LITERALS hold, in hosts, lower-case letters, digits, "-", "_" and "."; in
 * paths, what a segment may hold by RFC 3986 except "*", ";" and escapes other
 * than of a space and of bytes above 0x7f; in values of parameters the same,
 * "/", "?", "[", "]" and all escapes in their normal form, but no "&"; in
 * names what values do but "=" and escapes of "&" and "=".  Both sides of
 * tables hold what ANY does.  No segment is "." or "..", and only the last one
 * is empty.
 *
 *
 * WHICH RULE APPLIES
 *
 * The first one whose source the URL has, and no other one after it; but for
 * HOST RULES, which say something of the host and of nothing else, on both
 * sides: the first of these applies to what came of the others.  The URL has
 * the source if its host, each segment and each parameter have their texts, if
 * there are no other parameters without flag 4, and if there are as many
 * segments, where "**" stands for one or more.
 *
 * To be done by who executes them, once for a URL, before anything else: no
 * rule applies to a path with a segment that is empty and not the last one, a
 * segment "." or "..", a ";" or "\", or an escape of one of these or of "/",
 * "?", "#", "%", or of a byte below 0x20 or 0x7f.  No rule applies if the URL
 * has a name of its source twice, or one of its target that is not in its
 * source, where names that a back end may take for each other are the same;
 * nor if a parameter of the result would be stripped.  Where a host must stay
 * as it is, a rule with a host in its source and its target does not apply,
 * and one with a host in its target only applies without it.
 *
 * Parameters of the target that the source has, too, stay where they are; the
 * others follow at the end, in their order.  What is written is not longer
 * than the URL by more than MIQPS_PATHS_GROWTH.
 *
 * What a URL needs is a set of 64 bits: miqps_paths_need_*() of the number of
 * its segments, one bit, of each segment that is one literal and before "**",
 * and of each name, two.  A URL that lacks one of them cannot have the source.
 *
 *
 * FIXED POINTS
 *
 * A URL that a rule has made is one that no rule changes, where hosts may
 * change as well as where they must stay.  For each two rules of a block, or
 * twice the same one, it is proven that
 *
 *   (a) nothing of the form of the target of one has the source of the other:
 *       a text, a number of segments, or a name that is or is not there, tell
 *       them apart; or
 *   (b) the other leaves it as it is: all of its target is what its source is,
 *       or is a literal that the target of the first has as well; or
 *   (c) one of them is a host rule, and the other one says nothing of the host
 *       in its source, or came before: so it was tried on the same path and
 *       parameters already.
 *
 * Texts are told apart by their literals and by the bytes that the other
 * pieces may hold, tables also by their values.  A host of a target leads to
 * the same record, and so to the same rules.
 *
 * What is true but not proven this way is refused, unless the block is CAREFUL
 * and says that what a rule has made is looked at again: if a rule would change
 * that, none applies, and the URL stays as it is.
 *
 *
 * A section may be used only if
 *
 *   (1) all parts lie where they are said to, are as many as said, have
 *       nothing between them, and are of the forms above;
 *   (2) captures are those of the source, and tables those of the block;
 *   (3) names and tables ascend, and rules do by miqps_paths_rank();
 *   (4) what is needed is what miqps_paths_need() says;
 *   (5) fixed points are proven, or it is careful;
 *   (6) no rule makes a page look like a file, by miqps_paths_disguise().
 *
 * miqps_image_open() establishes all of these, and who executes rules checks
 * nothing again.
 */

#define MIQPS_PATHS_SOME_PARAMS  1           /* bits of a block */
#define MIQPS_PATHS_CAREFUL      2

#define MIQPS_PATHS_MAX          256         /* of a host */
#define MIQPS_PATHS_MAX_TABLES   64
#define MIQPS_PATHS_MAX_ENTRIES  1024
#define MIQPS_PATHS_MAX_PARAMS   16
#define MIQPS_PATHS_MAX_PIECES   8
#define MIQPS_PATHS_MAX_CAPTURE  64
#define MIQPS_PATHS_MAX_LITERAL  1024
#define MIQPS_PATHS_GROWTH       4096

#define MIQPS_PATHS_HEAD         8           /* of a block */
#define MIQPS_PATHS_RULE         10          /* before the texts of a rule */
#define MIQPS_PATHS_STRING       6
#define MIQPS_PATHS_ENTRY        12          /* of a table */
#define MIQPS_PATHS_NO_DEEP      255

#define MIQPS_PATHS_HOST         1
#define MIQPS_PATHS_PATH         2
#define MIQPS_PATHS_REST         4
#define MIQPS_PATHS_TO_HOST      16
#define MIQPS_PATHS_TO_PATH      32
#define MIQPS_PATHS_TO_PARAMS    64


typedef enum {
    MIQPS_PIECE_LITERAL = 1,
    MIQPS_PIECE_DIGITS,
    MIQPS_PIECE_HEX,
    MIQPS_PIECE_UUID,
    MIQPS_PIECE_WORD,
    MIQPS_PIECE_ANY,
    MIQPS_PIECE_RAW,
    MIQPS_PIECE_TABLE,
    MIQPS_PIECE_CAPTURE
} miqps_piece_e;


/* where a text stands, which is what its literals may hold */

typedef enum {
    MIQPS_PLACE_HOST = 0,
    MIQPS_PLACE_PATH,
    MIQPS_PLACE_NAME,
    MIQPS_PLACE_VALUE,
    MIQPS_PLACE_TABLE
} miqps_place_e;


/* the rules of one host; valid while the bytes are */

typedef struct {
    const uint8_t    *block;
    const uint8_t    *pool;
    size_t            pool_size;
    uint32_t          n;
    uint32_t          ntables;
    int               params;                /* some source has parameters */
    int               careful;
} miqps_paths_t;


/* a source or a target; texts are read by miqps_piece_next() */

typedef struct {
    const uint8_t    *host;                  /* or NULL */
    const uint8_t    *segments[MIQPS_MAX_SEGMENTS];
    const uint8_t    *params[MIQPS_PATHS_MAX_PARAMS];   /* at the name */
    uint8_t           nsegments;
    uint8_t           deep;
    uint8_t           nparams;
    uint8_t           path;                  /* it has one */
} miqps_form_t;


typedef struct {
    uint8_t           flags;
    uint8_t           ncaptures;
    uint8_t           kinds[MIQPS_PATHS_MAX_CAPTURE];   /* miqps_piece_e */
    uint8_t           tables[MIQPS_PATHS_MAX_CAPTURE];
    miqps_form_t      from;
    miqps_form_t      to;
} miqps_rewrite_t;


typedef struct {
    miqps_piece_e     kind;
    uint8_t           number;                /* of a table or capture */
    miqps_str_t       literal;
} miqps_piece_t;


/* READING what may be used */

/* the rules of a host record that is no mirror; false if it has none */

int miqps_paths_of(const miqps_image_t *image, const uint8_t *record,
    miqps_paths_t *rules);

void miqps_paths_read(const miqps_paths_t *rules, uint32_t i,
    miqps_rewrite_t *rewrite);


/* {u32 offset, u16 length} */

static inline miqps_str_t
miqps_paths_string(const miqps_paths_t *rules, const uint8_t *p)
{
    miqps_str_t  str;

    str.data = rules->pool + miqps_get_u32(p);
    str.len = miqps_get_u16(p + 4);

    return str;
}


static inline const uint8_t *
miqps_paths_table(const miqps_paths_t *rules, uint32_t i)
{
    return rules->block + miqps_get_u32(rules->block + MIQPS_PATHS_HEAD
                                        + 12 * (size_t) rules->n
                                        + 4 * (size_t) i);
}


/* reads a piece and returns the next one */

static inline const uint8_t *
miqps_piece_next(const miqps_paths_t *rules, const uint8_t *p,
    miqps_piece_t *piece)
{
    piece->kind = (miqps_piece_e) *p++;
    piece->number = 0;

    if (piece->kind == MIQPS_PIECE_LITERAL) {
        piece->literal = miqps_paths_string(rules, p);
        return p + MIQPS_PATHS_STRING;
    }

    if (piece->kind >= MIQPS_PIECE_TABLE) {
        piece->number = *p++;
    }

    return p;
}


/* as memcmp(), a shorter one first: the order of names and of tables */

int miqps_paths_cmp(const miqps_str_t *one, const miqps_str_t *two);

/* what the value becomes, or data is NULL */

miqps_str_t miqps_paths_find(const miqps_paths_t *rules, uint32_t table,
    const miqps_str_t *value);


/* the bits that a URL needs; "i" of a segment is from 0 */

static inline uint64_t
miqps_paths_need_count(uint64_t seed, size_t nsegments)
{
    return UINT64_C(1) << (miqps_image_mix(nsegments ^ seed,
                                           MIQPS_IMAGE_FACTOR) >> 58);
}


static inline uint64_t
miqps_paths_need_name(uint64_t name_hash)
{
    return UINT64_C(1) << (name_hash >> 58)
           | UINT64_C(1) << (name_hash >> 52 & 63);
}


static inline uint64_t
miqps_paths_need_segment(uint64_t seed, size_t i, const miqps_str_t *text)
{
    return miqps_paths_need_name(miqps_image_hash_name(seed + 1 + i,
                                                       text->data, text->len));
}


uint64_t miqps_paths_need(const miqps_paths_t *rules, uint64_t seed,
    const miqps_rewrite_t *rewrite);


/* true for a rule, from its first byte, that is about the host alone */

static inline int
miqps_paths_host_rule(const uint8_t *rule)
{
    return rule[2] == (MIQPS_PATHS_HOST|MIQPS_PATHS_REST|MIQPS_PATHS_TO_HOST)
           && rule[7] == 0;
}


static inline const uint8_t *
miqps_paths_rule(const miqps_paths_t *rules, uint32_t i)
{
    return rules->block
           + miqps_get_u32(rules->block + MIQPS_PATHS_HEAD
                           + 8 * (size_t) rules->n + 4 * (size_t) i);
}


/* an order of rules: what is less is more precise */

uint64_t miqps_paths_rank(const miqps_paths_t *rules,
    const miqps_rewrite_t *rewrite);


/* CHECKING */

/*
 * A literal, or a value of a table; nothing else is ever written.
 */
int miqps_paths_text_ok(miqps_place_e place, const miqps_str_t *text);

/* what a byte may be part of: bits of miqps_paths_kinds[], and of places */

extern const uint8_t  miqps_paths_bytes[256];
extern const uint8_t  miqps_paths_kinds[];


/* whether a piece may hold a byte */

static inline int
miqps_piece_holds(miqps_piece_e kind, uint8_t c)
{
    return (miqps_paths_bytes[c] & miqps_paths_kinds[kind]) != 0
           || (kind == MIQPS_PIECE_UUID && c == '-');
}


/*
 * True if the last segment of the target has a "." where the source has none,
 * so that a cache might take the page for a file that all may have.
 */
int miqps_paths_disguise(const miqps_paths_t *rules,
    const miqps_rewrite_t *rewrite);

/* true for the extension of programs, as "php" */

int miqps_paths_program(const miqps_str_t *extension);

/*
 * (1), (2), (3), (6) of a block of at most "size" bytes.  NULL and its rules,
 * or a static clause that says what is wrong.
 */
const char *miqps_paths_check(miqps_paths_t *rules, const uint8_t *block,
    size_t size, const uint8_t *pool, size_t pool_size);

/*
 * (5) of such a block: true if it is proven.  If not, rule "*two" might change
 * what "*one" has made.
 */
int miqps_paths_prove(const miqps_paths_t *rules, uint32_t *one,
    uint32_t *two);

/*
 * All of a record that has rules; the rest of the image is sound.  "*end" is
 * where its block must begin in RULES, and becomes where it ends; "*n" becomes
 * the number of its rules.
 */
const char *miqps_paths_check_host(const miqps_image_t *image,
    const uint8_t *record, size_t *end, size_t *n);


#endif /* _MIQPS_IMAGE_RULES_H_INCLUDED_ */
