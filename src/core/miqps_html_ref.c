
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"


/*
 * CHARACTER REFERENCES
 *
 * A URL has references to ASCII, "&amp;" before all.  Those to anything else
 * could be written only in the charset of the page, which is not known here:
 * a URL that has one is left alone.
 *
 * Two thousand names end with a semicolon; those of printable ASCII that are
 * met in URLs are below, and others are left alone too.  Some can do without
 * the semicolon, if neither a letter, a digit nor "=" follows: these are all
 * here, since "&para_x=1" has one of them and "&param=1" has none.
 */

typedef struct {
    char            name[7];
    uint8_t         c;
} miqps_html_ref_t;


static const uint8_t  *miqps_html_ref(const uint8_t *p, const uint8_t *last,
    int *c);
static const uint8_t  *miqps_html_ref_number(const uint8_t *p,
    const uint8_t *last, int *c);
static int  miqps_html_ref_named(const uint8_t *name, size_t len);
static int  miqps_html_ref_bare(const uint8_t *name, size_t len);
static size_t  miqps_html_ref_put(uint8_t c, uint8_t quote, uint8_t *out);


#define MIQPS_HTML_NONE     -1            /* an ampersand that is one */
#define MIQPS_HTML_FOREIGN_CHAR  0        /* something else than ASCII */


static const miqps_html_ref_t  miqps_html_refs[] = {
    { "amp", '&' },    { "AMP", '&' },    { "lt", '<' },     { "LT", '<' },
    { "gt", '>' },     { "GT", '>' },     { "quot", '"' },   { "QUOT", '"' },
    { "apos", '\'' },  { "num", '#' },    { "percnt", '%' }, { "equals", '=' },
    { "quest", '?' },  { "sol", '/' },    { "colon", ':' },  { "plus", '+' },
    { "comma", ',' },  { "period", '.' }, { "lowbar", '_' }, { "commat", '@' },
    { "excl", '!' },   { "dollar", '$' }, { "ast", '*' },    { "semi", ';' },
    { "lpar", '(' },   { "rpar", ')' },   { "lsqb", '[' },   { "rsqb", ']' },
    { "lbrack", '[' }, { "rbrack", ']' }
};


/* in the order of their bytes, "amp", "gt", "lt" and "quot" apart */

static const char  miqps_html_bare[][7] = {
    "AElig",  "Aacute", "Acirc",  "Agrave", "Aring",  "Atilde", "Auml",
    "COPY",   "Ccedil", "ETH",    "Eacute", "Ecirc",  "Egrave", "Euml",
    "Iacute", "Icirc",  "Igrave", "Iuml",   "Ntilde", "Oacute", "Ocirc",
    "Ograve", "Oslash", "Otilde", "Ouml",   "REG",    "THORN",  "Uacute",
    "Ucirc",  "Ugrave", "Uuml",   "Yacute", "aacute", "acirc",  "acute",
    "aelig",  "agrave", "aring",  "atilde", "auml",   "brvbar", "ccedil",
    "cedil",  "cent",   "copy",   "curren", "deg",    "divide", "eacute",
    "ecirc",  "egrave", "eth",    "euml",   "frac12", "frac14", "frac34",
    "iacute", "icirc",  "iexcl",  "igrave", "iquest", "iuml",   "laquo",
    "macr",   "micro",  "middot", "nbsp",   "not",    "ntilde", "oacute",
    "ocirc",  "ograve", "ordf",   "ordm",   "oslash", "otilde", "ouml",
    "para",   "plusmn", "pound",  "raquo",  "reg",    "sect",   "shy",
    "sup1",   "sup2",   "sup3",   "szlig",  "thorn",  "times",  "uacute",
    "ucirc",  "ugrave", "uml",    "uuml",   "yacute", "yen",    "yuml"
};


miqps_rc_e
miqps_html_decode(const miqps_html_piece_t *piece, uint8_t *out,
    miqps_str_t *url)
{
    int             c;
    uint8_t        *dst;
    const uint8_t  *p, *last;

    p = piece->data;
    last = p + piece->len;

    for (dst = out; p < last; *dst++ = (uint8_t) c) {
        c = *p++;

        if (c != '&') {

            if (c <= ' ' || c == 0x7f) {
                return MIQPS_SYNTAX;
            }

            continue;
        }

        p = miqps_html_ref(p, last, &c);

        if (c == MIQPS_HTML_NONE) {
            c = '&';
            continue;
        }

        if (c <= ' ' || c >= 0x7f
            || (piece->in == MIQPS_HTML_SRCSET && c == ',')
            || (piece->in == MIQPS_HTML_REFRESH && (c == '"' || c == '\'')))
        {
            return MIQPS_SYNTAX;
        }
    }

    url->data = out;
    url->len = (size_t) (dst - out);

    return MIQPS_OK;
}


/*
 * What the bytes after an ampersand stand for, and where these end; they end
 * where they began for MIQPS_HTML_NONE.
 */

static const uint8_t *
miqps_html_ref(const uint8_t *p, const uint8_t *last, int *c)
{
    const uint8_t  *end;

    *c = MIQPS_HTML_NONE;

    if (p == last) {
        return p;
    }

    if (*p == '#') {
        return miqps_html_ref_number(p, last, c);
    }

    for (end = p; end < last; end++) {
        if (!miqps_html_is(*end, MIQPS_HTML_ALPHA|MIQPS_HTML_DIGIT)) {
            break;
        }
    }

    if (end == p || (end < last && *end == '=')) {
        return p;
    }

    if (end < last && *end == ';') {
        *c = miqps_html_ref_named(p, (size_t) (end - p));
        return end + 1;
    }

    *c = miqps_html_ref_bare(p, (size_t) (end - p));

    return (*c == MIQPS_HTML_NONE) ? p : end;
}


/* "#38", "#x26", with a semicolon or without one */

static const uint8_t *
miqps_html_ref_number(const uint8_t *p, const uint8_t *last, int *c)
{
    int             n, value, base;
    const uint8_t  *end;

    base = 10;
    end = p + 1;

    if (end < last && (*end == 'x' || *end == 'X')) {
        base = 16;
        end++;
    }

    value = MIQPS_HTML_NONE;

    for ( /* void */ ; end < last; end++) {
        n = *end - '0';

        if (n < 0 || n > 9) {
            n = miqps_html_lower(*end) - 'a' + 10;

            if (n < 10 || n > 15) {
                break;
            }
        }

        if (n >= base) {
            break;
        }

        value = ((value == MIQPS_HTML_NONE) ? 0 : value) * base + n;

        if (value > 0xff) {
            value = 0xff;
        }
    }

    *c = value;

    if (value == MIQPS_HTML_NONE) {
        return p;
    }

    return (end < last && *end == ';') ? end + 1 : end;
}


static int
miqps_html_ref_named(const uint8_t *name, size_t len)
{
    size_t                   i;
    const miqps_html_ref_t  *ref;

    if (len >= sizeof(ref->name)) {
        return MIQPS_HTML_FOREIGN_CHAR;
    }

    for (i = 0; i < sizeof(miqps_html_refs) / sizeof(miqps_html_refs[0]); i++) {
        ref = &miqps_html_refs[i];

        if (memcmp(ref->name, name, len) == 0 && ref->name[len] == '\0') {
            return ref->c;
        }
    }

    return MIQPS_HTML_FOREIGN_CHAR;
}


/* the first eight of miqps_html_refs[] can do without a semicolon */

static int
miqps_html_ref_bare(const uint8_t *name, size_t len)
{
    int                      rc;
    size_t                   i, from, to;
    const miqps_html_ref_t  *ref;

    if (len >= sizeof(miqps_html_bare[0])) {
        return MIQPS_HTML_NONE;
    }

    for (i = 0; i < 8; i++) {
        ref = &miqps_html_refs[i];

        if (memcmp(ref->name, name, len) == 0 && ref->name[len] == '\0') {
            return ref->c;
        }
    }

    from = 0;
    to = sizeof(miqps_html_bare) / sizeof(miqps_html_bare[0]);

    while (from < to) {
        i = (from + to) / 2;
        rc = memcmp(name, miqps_html_bare[i], len);

        if (rc == 0 && miqps_html_bare[i][len] == '\0') {
            return MIQPS_HTML_FOREIGN_CHAR;
        }

        if (rc > 0) {
            from = i + 1;

        } else {
            to = i;
        }
    }

    return MIQPS_HTML_NONE;
}


miqps_rc_e
miqps_html_encode(const miqps_html_piece_t *piece, const miqps_str_t *url,
    uint8_t *out, size_t size, size_t *len)
{
    size_t   i, n;
    uint8_t  c, text[6];

    if (url->len == 0
        || (piece->in == MIQPS_HTML_SRCSET
            && (url->data[0] == ',' || url->data[url->len - 1] == ',')))
    {
        return MIQPS_SYNTAX;
    }

    *len = 0;

    for (i = 0; i < url->len; i++) {
        c = url->data[i];

        if (c <= ' ' || c == 0x7f
            || (piece->in == MIQPS_HTML_REFRESH && (c == '"' || c == '\'')))
        {
            return MIQPS_SYNTAX;
        }

        n = miqps_html_ref_put(c, piece->quote, text);

        if (n > size - *len) {
            return MIQPS_NO_SPACE;
        }

        memcpy(out + *len, text, n);
        *len += n;
    }

    return MIQPS_OK;
}


static size_t
miqps_html_ref_put(uint8_t c, uint8_t quote, uint8_t *out)
{
    switch (c) {

    case '&':
        memcpy(out, "&amp;", 5);
        return 5;

    case '<':
        if (quote == 0) {
            memcpy(out, "&lt;", 4);
            return 4;
        }

        break;

    case '>':
        if (quote == 0) {
            memcpy(out, "&gt;", 4);
            return 4;
        }

        break;

    case '"':
        if (quote != '\'') {
            memcpy(out, "&quot;", 6);
            return 6;
        }

        break;

    case '\'':
        if (quote != '"') {
            memcpy(out, "&#39;", 5);
            return 5;
        }

        break;
    }

    *out = c;

    return 1;
}
