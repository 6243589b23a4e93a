
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_HTML_STEPS_H_INCLUDED_
#define _MIQPS_HTML_STEPS_H_INCLUDED_


#include "miqps_html.h"


/*
 * For miqps_html*.c alone.
 *
 *     miqps_html.c          chunks come in, pieces go out
 *     miqps_html_text.c     steps outside of tags
 *     miqps_html_tag.c      steps in a tag
 *     miqps_html_quick.c    many tags at a time
 *     miqps_html_tree.c     what a whole tag means for what follows
 *     miqps_html_names.c    elements and attributes
 *     miqps_html_value.c    where in a value its links are
 *     miqps_html_ref.c      character references
 *
 * A step reads from "p" on and returns where it stopped, behind "p" or with
 * another state.  Names of states are those of the standard, shortened.
 */

typedef enum {
    MIQPS_HTML_START = 0,
    MIQPS_HTML_START_BOM,
    MIQPS_HTML_START_OPEN,
    MIQPS_HTML_START_XML,
    MIQPS_HTML_DATA,
    MIQPS_HTML_TAG_OPEN,
    MIQPS_HTML_END_TAG_OPEN,
    MIQPS_HTML_DECLARATION,
    MIQPS_HTML_DECLARATION_DASH,
    MIQPS_HTML_DECLARATION_CDATA,
    MIQPS_HTML_BOGUS_COMMENT,
    MIQPS_HTML_COMMENT_START,
    MIQPS_HTML_COMMENT,
    MIQPS_HTML_COMMENT_BANG,
    MIQPS_HTML_CDATA,
    MIQPS_HTML_RAW,
    MIQPS_HTML_RAW_OPEN,
    MIQPS_HTML_RAW_NAME,
    MIQPS_HTML_SCRIPT,
    MIQPS_HTML_SCRIPT_OPEN,
    MIQPS_HTML_SCRIPT_BANG,
    MIQPS_HTML_SCRIPT_NAME,
    MIQPS_HTML_REST,

    MIQPS_HTML_TAG_NAME,
    MIQPS_HTML_BEFORE_NAME,
    MIQPS_HTML_NAME_OF,
    MIQPS_HTML_AFTER_NAME,
    MIQPS_HTML_BEFORE_VALUE,
    MIQPS_HTML_VALUE_QUOTED,
    MIQPS_HTML_VALUE_BARE,

    MIQPS_HTML_STATES
} miqps_html_state_e;


/* elements that mean something here */

typedef enum {
    MIQPS_HTML_OTHER = 0,

    MIQPS_HTML_A,
    MIQPS_HTML_AREA,
    MIQPS_HTML_LINK_ELEMENT,
    MIQPS_HTML_SRC,
    MIQPS_HTML_IMAGE,            /* src and srcset */
    MIQPS_HTML_FORM,
    MIQPS_HTML_META,
    MIQPS_HTML_BASE_ELEMENT,

    MIQPS_HTML_SELECT,
    MIQPS_HTML_FRAMESET,
    MIQPS_HTML_TEMPLATE,
    MIQPS_HTML_FOREIGN,          /* svg, math */
    MIQPS_HTML_PLAINTEXT,
    MIQPS_HTML_NOSCRIPT,
    MIQPS_HTML_POINT,            /* elements of SVG that may hold HTML */
    MIQPS_HTML_COLUMN,
    MIQPS_HTML_TABLE,

    /* after these comes text, up to their end tag */

    MIQPS_HTML_SCRIPT_ELEMENT,
    MIQPS_HTML_IFRAME,
    MIQPS_HTML_NOEMBED,
    MIQPS_HTML_NOFRAMES,
    MIQPS_HTML_STYLE,
    MIQPS_HTML_TEXTAREA,
    MIQPS_HTML_TITLE,            /* a POINT as well */
    MIQPS_HTML_XMP
} miqps_html_element_e;


/* attributes, as bits of miqps_html_t.wanted */

#define MIQPS_HTML_AT_HREF        0x01
#define MIQPS_HTML_AT_SRC         0x02
#define MIQPS_HTML_AT_SRCSET      0x04
#define MIQPS_HTML_AT_ACTION      0x08
#define MIQPS_HTML_AT_CONTENT     0x10
#define MIQPS_HTML_AT_METHOD      0x20
#define MIQPS_HTML_AT_HTTP_EQUIV  0x40
#define MIQPS_HTML_AT_PROPERTY    0x80
#define MIQPS_HTML_AT_CHARSET     0x100
#define MIQPS_HTML_AT_REL         0x200
#define MIQPS_HTML_AT_IMAGESRCSET 0x400

#define MIQPS_HTML_NOT_GET        0x01
#define MIQPS_HTML_IS_REFRESH     0x02
#define MIQPS_HTML_IS_TYPE        0x04
#define MIQPS_HTML_IS_OG_URL      0x08
#define MIQPS_HTML_IS_STRANGE     0x10    /* its charset */
#define MIQPS_HTML_IS_CANONICAL   0x20
#define MIQPS_HTML_IS_SECOND      0x40    /* a base, and may be the first */

/* in miqps_html_region_t.in: no links, but it may name a charset */

#define MIQPS_HTML_CHARSET        0xff


/* classes of bytes */

#define MIQPS_HTML_SPACE    0x01          /* white space */
#define MIQPS_HTML_ALPHA    0x02
#define MIQPS_HTML_DIGIT    0x04
#define MIQPS_HTML_ENDS     0x08          /* "/", ">" */
#define MIQPS_HTML_EQUALS   0x10

extern const uint8_t  miqps_html_class[256];

#define miqps_html_is(c, classes)  (miqps_html_class[c] & (classes))
#define miqps_html_lower(c)                                                  \
    ((uint8_t) (((uint8_t) ((c) - 'A') < 26) ? (c) | 0x20 : (c)))


typedef const uint8_t *(*miqps_html_step_pt)(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);


/* miqps_html.c */

/* a region turns out to have no links */

void miqps_html_forget(miqps_html_t *html);


/* miqps_html_text.c, miqps_html_tag.c: the steps, by their states */

extern const miqps_html_step_pt  miqps_html_text_steps[MIQPS_HTML_TAG_NAME];
extern const miqps_html_step_pt
    miqps_html_tag_steps[MIQPS_HTML_STATES - MIQPS_HTML_TAG_NAME];


/* a tag begins; "end" if it is an end tag */

static inline void
miqps_html_tag_init(miqps_html_t *html, unsigned end)
{
    html->state = MIQPS_HTML_TAG_NAME;
    html->element = MIQPS_HTML_OTHER;
    html->attribute = 0;
    html->wanted = 0;
    html->traits = 0;
    html->name_len = 0;
    html->end = end;
    html->slash = 0;
    html->waits = 0;
}


/* adds to the name; one that is too long keeps its length in mind only */

static inline void
miqps_html_name_add(miqps_html_t *html, uint8_t c)
{
    if (html->name_len < MIQPS_HTML_NAME) {
        html->name[html->name_len++] = miqps_html_lower(c);

    } else {
        html->name_len = MIQPS_HTML_NAME + 1;
    }
}


/* true for a name, or the beginning of one, in lower case */

#define miqps_html_named(html, s)                                            \
    ((html)->name_len == sizeof(s) - 1                                       \
     && memcmp((html)->name, s, sizeof(s) - 1) == 0)

#define miqps_html_begins(html, s)                                           \
    ((html)->name_len >= sizeof(s) - 1                                       \
     && (html)->name_len <= MIQPS_HTML_NAME                                  \
     && memcmp((html)->name, s, sizeof(s) - 1) == 0)


/* miqps_html_quick.c */

/*
 * Passes text and tags that mean nothing, from within text on, while nothing
 * is open.  Returns "last", or the "<" of something else.
 */
const uint8_t *miqps_html_quick(const uint8_t *p, const uint8_t *last,
    unsigned all);


/* miqps_html_tree.c */

/* the name of a tag is known: which of its attributes are wanted */

void miqps_html_tree_name(miqps_html_t *html);

/* the end of a tag: what comes after it */

void miqps_html_tree_tag(miqps_html_t *html);

/* "<![CDATA[" was read */

void miqps_html_tree_cdata(miqps_html_t *html);


/* miqps_html_names.c */

/* the element of a name in lower case */

miqps_html_element_e miqps_html_element(const uint8_t *name, size_t len);

/* 1 if this tag, in SVG or MathML, ends these */

unsigned miqps_html_breaks_out(const miqps_html_t *html);

/* attributes of an element that may be links, or decide upon that */

uint16_t miqps_html_attributes(miqps_html_element_e element);

/* which of the wanted attributes miqps_html_t.name is, or 0 */

uint16_t miqps_html_attribute(const miqps_html_t *html);


/* miqps_html_value.c */

/*
 * Finds the link of a value after "at", where the one before ends, or 0, and
 * sets where it begins and ends; 0 if there is none.
 */
int miqps_html_value_link(unsigned in, const uint8_t *value, size_t len,
    size_t at, size_t *begin, size_t *end);

/* true if a value names a charset that is not a superset of ASCII, or may */

int miqps_html_value_charset(const uint8_t *value, size_t len);

/*
 * How many bytes of such a name end with "c", if "n" of them are before it:
 * MIQPS_HTML_STRANGE for all.
 */
unsigned miqps_html_value_strange(unsigned n, uint8_t c);

#define MIQPS_HTML_STRANGE        4


#endif /* _MIQPS_HTML_STEPS_H_INCLUDED_ */
