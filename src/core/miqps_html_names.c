
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"


typedef struct {
    uint8_t        len;
    uint8_t        element;
    char           name[15];
} miqps_html_name_t;


#define miqps_html_name(s, element)  { sizeof(s) - 1, element, s }


/* by their first letters */

static const miqps_html_name_t  miqps_html_names[] = {
    miqps_html_name("a", MIQPS_HTML_A),
    miqps_html_name("area", MIQPS_HTML_AREA),
    miqps_html_name("audio", MIQPS_HTML_SRC),
    miqps_html_name("annotation-xml", MIQPS_HTML_POINT),
    miqps_html_name("base", MIQPS_HTML_BASE_ELEMENT),
    miqps_html_name("col", MIQPS_HTML_COLUMN),
    miqps_html_name("desc", MIQPS_HTML_POINT),
    miqps_html_name("embed", MIQPS_HTML_SRC),
    miqps_html_name("form", MIQPS_HTML_FORM),
    miqps_html_name("frame", MIQPS_HTML_SRC),
    miqps_html_name("frameset", MIQPS_HTML_FRAMESET),
    miqps_html_name("foreignobject", MIQPS_HTML_POINT),
    miqps_html_name("img", MIQPS_HTML_IMAGE),
    miqps_html_name("input", MIQPS_HTML_SRC),
    miqps_html_name("iframe", MIQPS_HTML_IFRAME),
    miqps_html_name("link", MIQPS_HTML_LINK_ELEMENT),
    miqps_html_name("meta", MIQPS_HTML_META),
    miqps_html_name("mi", MIQPS_HTML_POINT),
    miqps_html_name("mn", MIQPS_HTML_POINT),
    miqps_html_name("mo", MIQPS_HTML_POINT),
    miqps_html_name("ms", MIQPS_HTML_POINT),
    miqps_html_name("math", MIQPS_HTML_FOREIGN),
    miqps_html_name("mtext", MIQPS_HTML_POINT),
    miqps_html_name("noembed", MIQPS_HTML_NOEMBED),
    miqps_html_name("noframes", MIQPS_HTML_NOFRAMES),
    miqps_html_name("noscript", MIQPS_HTML_NOSCRIPT),
    miqps_html_name("plaintext", MIQPS_HTML_PLAINTEXT),
    miqps_html_name("script", MIQPS_HTML_SCRIPT_ELEMENT),
    miqps_html_name("style", MIQPS_HTML_STYLE),
    miqps_html_name("source", MIQPS_HTML_IMAGE),
    miqps_html_name("select", MIQPS_HTML_SELECT),
    miqps_html_name("svg", MIQPS_HTML_FOREIGN),
    miqps_html_name("table", MIQPS_HTML_TABLE),
    miqps_html_name("title", MIQPS_HTML_TITLE),
    miqps_html_name("template", MIQPS_HTML_TEMPLATE),
    miqps_html_name("textarea", MIQPS_HTML_TEXTAREA),
    miqps_html_name("track", MIQPS_HTML_SRC),
    miqps_html_name("video", MIQPS_HTML_SRC),
    miqps_html_name("xmp", MIQPS_HTML_XMP)
};


/* where those with a letter begin, from "a" on, and where they end */

static const uint8_t  miqps_html_letters[] = {
    0, 4, 5, 6, 7, 8, 12, 12, 12, 15, 15, 15, 16, 23, 26, 26, 27, 27, 27, 32,
    37, 37, 38, 38, 39, 39, 39
};


/*
 * Section 13.2.6.5 of the standard.  "font" does so with some attributes only:
 * that it does is not sure, and that is all that counts.
 */

static const char  miqps_html_breaks[][11] = {
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div",
    "dl", "dt", "em", "embed", "font", "h1", "h2", "h3", "h4", "h5", "h6",
    "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol",
    "p", "pre", "ruby", "s", "small", "span", "strike", "strong", "sub",
    "sup", "table", "tt", "u", "ul", "var"
};


const uint8_t  miqps_html_class[256] = {
    ['\t'] = MIQPS_HTML_SPACE,
    ['\n'] = MIQPS_HTML_SPACE,
    ['\f'] = MIQPS_HTML_SPACE,
    ['\r'] = MIQPS_HTML_SPACE,
    [' '] = MIQPS_HTML_SPACE,
    ['/'] = MIQPS_HTML_ENDS,
    ['>'] = MIQPS_HTML_ENDS,
    ['='] = MIQPS_HTML_EQUALS,

    ['0'] = MIQPS_HTML_DIGIT, ['1'] = MIQPS_HTML_DIGIT,
    ['2'] = MIQPS_HTML_DIGIT, ['3'] = MIQPS_HTML_DIGIT,
    ['4'] = MIQPS_HTML_DIGIT, ['5'] = MIQPS_HTML_DIGIT,
    ['6'] = MIQPS_HTML_DIGIT, ['7'] = MIQPS_HTML_DIGIT,
    ['8'] = MIQPS_HTML_DIGIT, ['9'] = MIQPS_HTML_DIGIT,

    ['A'] = MIQPS_HTML_ALPHA, ['B'] = MIQPS_HTML_ALPHA,
    ['C'] = MIQPS_HTML_ALPHA, ['D'] = MIQPS_HTML_ALPHA,
    ['E'] = MIQPS_HTML_ALPHA, ['F'] = MIQPS_HTML_ALPHA,
    ['G'] = MIQPS_HTML_ALPHA, ['H'] = MIQPS_HTML_ALPHA,
    ['I'] = MIQPS_HTML_ALPHA, ['J'] = MIQPS_HTML_ALPHA,
    ['K'] = MIQPS_HTML_ALPHA, ['L'] = MIQPS_HTML_ALPHA,
    ['M'] = MIQPS_HTML_ALPHA, ['N'] = MIQPS_HTML_ALPHA,
    ['O'] = MIQPS_HTML_ALPHA, ['P'] = MIQPS_HTML_ALPHA,
    ['Q'] = MIQPS_HTML_ALPHA, ['R'] = MIQPS_HTML_ALPHA,
    ['S'] = MIQPS_HTML_ALPHA, ['T'] = MIQPS_HTML_ALPHA,
    ['U'] = MIQPS_HTML_ALPHA, ['V'] = MIQPS_HTML_ALPHA,
    ['W'] = MIQPS_HTML_ALPHA, ['X'] = MIQPS_HTML_ALPHA,
    ['Y'] = MIQPS_HTML_ALPHA, ['Z'] = MIQPS_HTML_ALPHA,
    ['a'] = MIQPS_HTML_ALPHA, ['b'] = MIQPS_HTML_ALPHA,
    ['c'] = MIQPS_HTML_ALPHA, ['d'] = MIQPS_HTML_ALPHA,
    ['e'] = MIQPS_HTML_ALPHA, ['f'] = MIQPS_HTML_ALPHA,
    ['g'] = MIQPS_HTML_ALPHA, ['h'] = MIQPS_HTML_ALPHA,
    ['i'] = MIQPS_HTML_ALPHA, ['j'] = MIQPS_HTML_ALPHA,
    ['k'] = MIQPS_HTML_ALPHA, ['l'] = MIQPS_HTML_ALPHA,
    ['m'] = MIQPS_HTML_ALPHA, ['n'] = MIQPS_HTML_ALPHA,
    ['o'] = MIQPS_HTML_ALPHA, ['p'] = MIQPS_HTML_ALPHA,
    ['q'] = MIQPS_HTML_ALPHA, ['r'] = MIQPS_HTML_ALPHA,
    ['s'] = MIQPS_HTML_ALPHA, ['t'] = MIQPS_HTML_ALPHA,
    ['u'] = MIQPS_HTML_ALPHA, ['v'] = MIQPS_HTML_ALPHA,
    ['w'] = MIQPS_HTML_ALPHA, ['x'] = MIQPS_HTML_ALPHA,
    ['y'] = MIQPS_HTML_ALPHA, ['z'] = MIQPS_HTML_ALPHA
};


miqps_html_element_e
miqps_html_element(const uint8_t *name, size_t len)
{
    size_t                    i, last;
    uint8_t                   letter;
    const miqps_html_name_t  *known;

    letter = (uint8_t) (name[0] - 'a');

    if (len == 0 || letter > 'z' - 'a') {
        return MIQPS_HTML_OTHER;
    }

    last = miqps_html_letters[letter + 1];

    for (i = miqps_html_letters[letter]; i < last; i++) {
        known = &miqps_html_names[i];

        if (known->len == len && memcmp(known->name, name, len) == 0) {
            return known->element;
        }
    }

    return MIQPS_HTML_OTHER;
}


unsigned
miqps_html_breaks_out(const miqps_html_t *html)
{
    size_t   i;
    uint8_t  name[12];

    if (html->end) {
        return miqps_html_named(html, "p") || miqps_html_named(html, "br");
    }

    if (html->name_len > 10) {
        return 0;
    }

    memcpy(name, html->name, html->name_len);
    name[html->name_len] = '\0';

    for (i = 0; i < sizeof(miqps_html_breaks) / sizeof(miqps_html_breaks[0]);
         i++)
    {
        if (memcmp(miqps_html_breaks[i], name, html->name_len + 1U) == 0) {
            return 1;
        }
    }

    return 0;
}


uint16_t
miqps_html_attributes(miqps_html_element_e element)
{
    switch (element) {

    case MIQPS_HTML_A:
    case MIQPS_HTML_AREA:
    case MIQPS_HTML_BASE_ELEMENT:
        return MIQPS_HTML_AT_HREF;

    case MIQPS_HTML_LINK_ELEMENT:
        return MIQPS_HTML_AT_HREF|MIQPS_HTML_AT_REL|MIQPS_HTML_AT_IMAGESRCSET;

    case MIQPS_HTML_SRC:
    case MIQPS_HTML_SCRIPT_ELEMENT:
    case MIQPS_HTML_IFRAME:
        return MIQPS_HTML_AT_SRC;

    case MIQPS_HTML_IMAGE:
        return MIQPS_HTML_AT_SRC|MIQPS_HTML_AT_SRCSET;

    case MIQPS_HTML_FORM:
        return MIQPS_HTML_AT_ACTION|MIQPS_HTML_AT_METHOD;

    case MIQPS_HTML_META:
        return MIQPS_HTML_AT_CONTENT|MIQPS_HTML_AT_HTTP_EQUIV
               |MIQPS_HTML_AT_PROPERTY|MIQPS_HTML_AT_CHARSET;

    default:
        return 0;
    }
}


uint16_t
miqps_html_attribute(const miqps_html_t *html)
{
    uint16_t  attribute;

    attribute = 0;

    switch (html->name_len) {

    case 3:
        if (miqps_html_named(html, "src")) {
            attribute = MIQPS_HTML_AT_SRC;

        } else if (miqps_html_named(html, "rel")) {
            attribute = MIQPS_HTML_AT_REL;
        }

        break;

    case 4:
        if (miqps_html_named(html, "href")) {
            attribute = MIQPS_HTML_AT_HREF;
        }

        break;

    case 6:
        if (miqps_html_named(html, "srcset")) {
            attribute = MIQPS_HTML_AT_SRCSET;

        } else if (miqps_html_named(html, "action")) {
            attribute = MIQPS_HTML_AT_ACTION;

        } else if (miqps_html_named(html, "method")) {
            attribute = MIQPS_HTML_AT_METHOD;
        }

        break;

    case 7:
        if (miqps_html_named(html, "content")) {
            attribute = MIQPS_HTML_AT_CONTENT;

        } else if (miqps_html_named(html, "charset")) {
            attribute = MIQPS_HTML_AT_CHARSET;
        }

        break;

    case 8:
        if (miqps_html_named(html, "property")) {
            attribute = MIQPS_HTML_AT_PROPERTY;
        }

        break;

    case 10:
        if (miqps_html_named(html, "http-equiv")) {
            attribute = MIQPS_HTML_AT_HTTP_EQUIV;
        }

        break;

    case 11:
        if (miqps_html_named(html, "imagesrcset")) {
            attribute = MIQPS_HTML_AT_IMAGESRCSET;
        }

        break;
    }

    return ((html->wanted & attribute) == attribute) ? attribute : 0;
}
