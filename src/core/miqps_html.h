
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_HTML_H_INCLUDED_
#define _MIQPS_HTML_H_INCLUDED_


#include "miqps_core.h"


/*
 * LINKS IN HTML, FOUND WHILE IT GOES BY
 *
 * A body comes in chunks that are cut anywhere.  What comes out are pieces
 * that make the same body again, byte for byte and in its order, and some of
 * them are links:
 *
 *     <p><a class=x href="/shoes?fbclid=1&amp;size=4">Shoes</a>
 *     |                   |                         |
 *     text                link                      text
 *
 * It reads tags, comments, script and other text as the tokenizer of the HTML
 * standard does (section 13.2.5), so that a link is what a browser has as the
 * value of an attribute, and nothing else:
 *
 *     href      of a, area and link
 *     src       of audio, embed, frame, iframe, img, input, script, source,
 *               track and video
 *     srcset    of img and source, each candidate of it; imagesrcset of link
 *     action    of form, if its method is GET
 *     content   of meta, for http-equiv=refresh and property=og:url
 *
 * In SVG and MathML it is the href of a alone, in template and noscript there
 * is none.  The href of the first base is told, and is no link.
 *
 * The tokenizer of a browser is told by the tree what comes next: text after
 * <style>, and no text after it in SVG.  There is no tree here.  Where what is
 * open cannot be known from tags alone, tags are read as long as they mean the
 * same either way, and beyond that the rest of the body is one text.  The rest
 * is text, too, after <plaintext>, in UTF-16 that begins with a byte order
 * mark, and after a meta or an XML declaration that names a charset which is
 * not a superset of ASCII.
 *
 * A value is contiguous in its piece.  One that a chunk cuts is held until it
 * is whole, a value that an attribute after it decides upon (of form, link and
 * meta) until the end of the tag.  What would be more than MIQPS_HTML_HOLD
 * bytes is text, however it is cut: pieces depend on the bytes alone.
 *
 * Nothing is allocated.  The work is linear in the size of the body.
 */

#define MIQPS_HTML_HOLD   4096

/* elements of SVG and MathML that are open at a time */

#define MIQPS_HTML_DEPTH  64

/* longest name of an element or attribute that means anything */

#define MIQPS_HTML_NAME   24


typedef enum {
    MIQPS_HTML_MORE = 0,     /* nothing is left of this chunk */
    MIQPS_HTML_TEXT,         /* to be passed on */
    MIQPS_HTML_LINK,         /* to be passed on, or replaced */
    MIQPS_HTML_BASE          /* to be passed on; what links are relative to */
} miqps_html_e;


/* what stands around a link within the value */

typedef enum {
    MIQPS_HTML_ALONE = 0,    /* white space */
    MIQPS_HTML_SRCSET,       /* descriptors and other candidates */
    MIQPS_HTML_REFRESH       /* seconds, quotes */
} miqps_html_in_e;


/*
 * "data" points into the chunk or, if "held", into miqps_html_t, where it
 * stays until the next call.
 */

typedef struct {
    const uint8_t   *data;
    size_t           len;
    uint8_t          in;             /* miqps_html_in_e */
    uint8_t          quote;          /* '"', '\'', or 0 for none */
    uint8_t          held;
    uint8_t          canonical;      /* a link rel=canonical */
} miqps_html_piece_t;


/* a value, or the end of a tag from a value on, that may have links in it */

typedef struct {
    const uint8_t   *data;           /* in the chunk; NULL: there is none */
    size_t           len;            /* of it, once its end is known */
    size_t           value;          /* ... of the value at its beginning */
    size_t           done;           /* ... of what was told of it */
    size_t           begin;          /* of the link that is told next, */
    size_t           end;            /* and of this, or the one before */
    uint8_t          in;
    uint8_t          quote;
    uint8_t          base;           /* it is no link */
    uint8_t          canonical;
    uint8_t          found;          /* there is a next link */
} miqps_html_region_t;


/* see miqps_html_steps.h for what the members mean */

typedef struct {
    const uint8_t   *from;           /* what was not told yet, */
    const uint8_t   *pos;            /* what was not read yet, */
    const uint8_t   *last;           /* and the end of the chunk */

    miqps_html_region_t  region;

    uint16_t         attribute;
    uint16_t         wanted;

    uint8_t          state;
    uint8_t          element;
    uint8_t          traits;
    uint8_t          text;
    uint8_t          escaped;
    uint8_t          run;
    uint8_t          name_len;

    unsigned         end:1;
    unsigned         slash:1;
    unsigned         waits:1;
    unsigned         whole:1;
    unsigned         over:1;
    unsigned         based:1;
    unsigned         frames:1;
    unsigned         table:1;
    unsigned         doubt:1;
    unsigned         breaks:1;
    unsigned         noscript:1;
    unsigned         all:1;

    uint8_t          name[MIQPS_HTML_NAME];

    uint32_t         templates;
    uint32_t         select;
    uint32_t         columns;
    uint32_t         hash;
    uint32_t         depth;
    uint32_t         open[MIQPS_HTML_DEPTH];

    size_t           held;
    uint8_t          hold[MIQPS_HTML_HOLD];
} miqps_html_t;


/*
 * At the beginning of a body.  Links that have no "?" are text, unless "all"
 * is not 0.
 */
void miqps_html_init(miqps_html_t *html, unsigned all);

/*
 * Gives the next chunk, which stays where it is until miqps_html_next() has
 * returned MIQPS_HTML_MORE.  The one before must have come to that.
 */
void miqps_html_feed(miqps_html_t *html, const uint8_t *data, size_t len);

/* the next piece, if it is not MIQPS_HTML_MORE */

miqps_html_e miqps_html_next(miqps_html_t *html, miqps_html_piece_t *piece);

/* no chunk follows: miqps_html_next() then returns what is held, as text */

void miqps_html_finish(miqps_html_t *html);


/*
 * The URL that a browser has for a link or a base: character references are
 * replaced.  "out" is room for piece->len bytes, and "url" points to it.
 *
 * MIQPS_OK      "url" is printable ASCII and bytes above ASCII of the piece
 * MIQPS_SYNTAX  there are white space, control bytes, or references to
 *               anything but printable ASCII; nothing is set
 */
miqps_rc_e miqps_html_decode(const miqps_html_piece_t *piece, uint8_t *out,
    miqps_str_t *url);

/*
 * Writes "url" as it has to stand in the place of "piece", and how long that
 * is to "len".
 *
 * MIQPS_OK        it is written
 * MIQPS_NO_SPACE  "size" is too small; miqps_html_bound() never is
 * MIQPS_SYNTAX    it cannot stand there
 */
miqps_rc_e miqps_html_encode(const miqps_html_piece_t *piece,
    const miqps_str_t *url, uint8_t *out, size_t size, size_t *len);

/*
 * The URL of a refresh, "5; url='/p'", wherever that stands: it is in "value"
 * from "begin" up to "end".  0 if there is none.
 */
int miqps_html_refresh(const uint8_t *value, size_t len, size_t *begin,
    size_t *end);

/* no more bytes are written for a URL of "n" bytes */

#define miqps_html_bound(n)  (6 * (n))


#endif /* _MIQPS_HTML_H_INCLUDED_ */
