
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include <idn2.h>
#include <uriparser/Uri.h>

#include "absolute.h"
#include "miqps_url.h"


/* what is left of the path where ".." leads */

typedef struct {
    uint8_t        *start;
    uint8_t        *p;
} learn_absolute_path_t;


static size_t  learn_absolute_before(const miqps_str_t *in,
    const miqps_str_t *base, const miqps_url_t *from);
static int  learn_absolute_has_scheme(const miqps_str_t *in);
static int  learn_absolute_is_plain(const miqps_str_t *in);
static int  learn_absolute_is_escape(const miqps_str_t *in, size_t i);
static miqps_rc_e  learn_absolute_resolve(const miqps_str_t *in, uint8_t *buf,
    miqps_str_t *out);
static miqps_rc_e  learn_absolute_base(const UriUriA *uri, uint8_t *buf,
    miqps_str_t *out, size_t room);
static int  learn_absolute_escaped_dot(const miqps_str_t *path);
static miqps_rc_e  learn_absolute_repair(const miqps_url_t *url, uint8_t *buf,
    miqps_str_t *out);
static uint8_t  *learn_absolute_host(const miqps_url_t *url, uint8_t *p);
static uint8_t  *learn_absolute_ascii(const miqps_str_t *host, uint8_t *p);
static uint8_t  *learn_absolute_path(const miqps_str_t *path, uint8_t *p);
static void  learn_absolute_segment(learn_absolute_path_t *to,
    const uint8_t *data, size_t len, int last);
static size_t  learn_absolute_dots(const uint8_t *data, size_t len);
static uint8_t  *learn_absolute_escape(const uint8_t *data, size_t len,
    uint8_t set, uint8_t *p);


/* bytes that RFC 3986 has in a path or query, but for "%" */

#define LEARN_BYTE_PLAIN  1

/* what browsers escape: "<> and all but ASCII, and in a path ^`{} as well */

#define LEARN_BYTE_PATH   2
#define LEARN_BYTE_QUERY  4


static const uint8_t  learn_absolute_bytes[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 1, 6, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6, 1, 6, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 2, 1,
    2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 2, 1, 0,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6
};


miqps_rc_e
learn_absolute(const miqps_str_t *in, uint8_t *buf, miqps_str_t *out)
{
    miqps_rc_e   rc;
    miqps_url_t  url;

    if (learn_absolute_is_plain(in)) {
        *out = *in;
        return MIQPS_OK;
    }

    if (miqps_url_split(&url, in) != MIQPS_OK) {
        return MIQPS_SYNTAX;
    }

    if (url.authority.len == 0) {
        *out = *in;
        return MIQPS_OK;
    }

    /*
     * Browsers take an escaped dot for a dot, RFC 3986 does not.  An address of
     * IPv6 would be written anew.
     */

    if (!learn_absolute_escaped_dot(&url.path) && url.host.data[0] != '[') {
        rc = learn_absolute_resolve(in, buf, out);

        if (rc != MIQPS_SYNTAX) {
            return rc;
        }
    }

    return learn_absolute_repair(&url, buf, out);
}


/*
 * True for nearly all URLs: those that uriparser would give back as they are,
 * but for a fragment, which nobody asks a server for.  In a path a dot behind
 * a slash may be a segment of its own.
 */

static int
learn_absolute_is_plain(const miqps_str_t *in)
{
    int             query;
    size_t          i;
    const uint8_t  *p;

    p = in->data;

    if (in->len < 8 || memcmp(p, "http", 4) != 0) {
        return 0;
    }

    i = (p[4] == 's') ? 5 : 4;

    if (memcmp(p + i, "://", 3) != 0 || in->len == i + 3 || p[i + 3] == '/') {
        return 0;
    }

    query = 0;

    for (i += 3; i < in->len; i++) {

        if (learn_absolute_bytes[p[i]] == LEARN_BYTE_PLAIN && p[i] != '?'
            && p[i] != '.')
        {
            continue;
        }

        switch (p[i]) {

        case '#':
            return 1;

        case '?':
            query = 1;
            break;

        case '.':
            if (p[i - 1] == '/' && !query) {
                return 0;
            }

            break;

        default:
            if (p[i] != '%' || !learn_absolute_is_escape(in, i)
                || (!query && memcmp(p + i, "%2", 2) == 0
                    && (p[i + 2] | 0x20) == 'e'))
            {
                return 0;
            }
        }
    }

    return 1;
}


static int
learn_absolute_is_escape(const miqps_str_t *in, size_t i)
{
    size_t   k;
    uint8_t  c;

    if (in->len - i < 3) {
        return 0;
    }

    for (k = 1; k < 3; k++) {
        c = in->data[i + k];

        if (!((c >= '0' && c <= '9')
              || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')))
        {
            return 0;
        }
    }

    return 1;
}


static miqps_rc_e
learn_absolute_resolve(const miqps_str_t *in, uint8_t *buf, miqps_str_t *out)
{
    int          rc;
    UriUriA      uri;
    miqps_rc_e   done;
    const char  *first, *at;

    first = (const char *) in->data;

    rc = uriParseSingleUriExA(&uri, first, first + in->len, &at);

    if (rc != URI_SUCCESS) {
        return (rc == URI_ERROR_MALLOC) ? MIQPS_NO_MEMORY : MIQPS_SYNTAX;
    }

    done = learn_absolute_base(&uri, buf, out, LEARN_ABSOLUTE_ROOM(in->len));

    uriFreeUriMembersA(&uri);

    return done;
}


/* 5.2.2 of RFC 3986; only a URL without a scheme needs the base */

static miqps_rc_e
learn_absolute_base(const UriUriA *uri, uint8_t *buf, miqps_str_t *out,
    size_t room)
{
    int          rc, len;
    UriUriA      base, whole;
    const char  *at;

    rc = uriParseSingleUriA(&base, "https://localhost/", &at);

    if (rc != URI_SUCCESS) {
        return MIQPS_NO_MEMORY;
    }

    rc = uriAddBaseUriExA(&whole, uri, &base, URI_RESOLVE_STRICTLY);

    if (rc == URI_SUCCESS) {
        rc = uriToStringA((char *) buf, &whole, (int) room, &len);
    }

    uriFreeUriMembersA(&whole);
    uriFreeUriMembersA(&base);

    if (rc != URI_SUCCESS) {
        return (rc == URI_ERROR_MALLOC) ? MIQPS_NO_MEMORY : MIQPS_SYNTAX;
    }

    /* with the zero byte behind it */

    out->data = buf;
    out->len = (size_t) len - 1;

    return MIQPS_OK;
}


static int
learn_absolute_escaped_dot(const miqps_str_t *path)
{
    size_t          i;
    const uint8_t  *p;

    p = path->data;

    for (i = 0; i + 2 < path->len; i++) {
        if (p[i] == '%' && p[i + 1] == '2' && (p[i + 2] | 0x20) == 'e') {
            return 1;
        }
    }

    return 0;
}


static miqps_rc_e
learn_absolute_repair(const miqps_url_t *url, uint8_t *buf, miqps_str_t *out)
{
    uint8_t  *p;

    p = buf;

    if (url->scheme.len == 4) {
        memcpy(p, "http://", 7);
        p += 7;

    } else {
        memcpy(p, "https://", 8);
        p += 8;
    }

    p = learn_absolute_host(url, p);

    if (p == NULL) {
        return MIQPS_SYNTAX;
    }

    p = learn_absolute_path(&url->path, p);

    if (url->query) {
        *p++ = '?';
        p = learn_absolute_escape(url->args.data, url->args.len,
                                  LEARN_BYTE_QUERY, p);
    }

    out->data = buf;
    out->len = (size_t) (p - buf);

    return MIQPS_OK;
}


/* the authority, with a host in ASCII; NULL if that cannot be */

static uint8_t *
learn_absolute_host(const miqps_url_t *url, uint8_t *p)
{
    size_t          len;
    const uint8_t  *end;

    len = (size_t) (url->host.data - url->authority.data);

    memcpy(p, url->authority.data, len);

    p = learn_absolute_ascii(&url->host, p + len);

    if (p == NULL) {
        return NULL;
    }

    end = url->host.data + url->host.len;
    len = (size_t) (url->authority.data + url->authority.len - end);

    memcpy(p, end, len);

    return p + len;
}


static uint8_t *
learn_absolute_ascii(const miqps_str_t *host, uint8_t *p)
{
    int     rc;
    char   *ascii, name[MIQPS_MAX_HOST + 1];
    size_t  i, len;

    for (i = 0; i < host->len && host->data[i] < 0x80; i++) {
        /* void */
    }

    if (i == host->len) {
        memcpy(p, host->data, host->len);
        return p + host->len;
    }

    if (host->len > MIQPS_MAX_HOST) {
        return NULL;
    }

    memcpy(name, host->data, host->len);
    name[host->len] = '\0';

    rc = idn2_to_ascii_8z(name, &ascii, IDN2_NFC_INPUT|IDN2_NONTRANSITIONAL);

    if (rc != IDN2_OK) {
        return NULL;
    }

    len = strlen(ascii);
    len = (len <= MIQPS_MAX_HOST) ? len : 0;

    memcpy(p, ascii, len);
    idn2_free(ascii);

    return (len > 0) ? p + len : NULL;
}


static uint8_t *
learn_absolute_path(const miqps_str_t *path, uint8_t *p)
{
    size_t                 i, start;
    learn_absolute_path_t  to;

    to.start = p;
    to.p = p;
    start = 1;

    for (i = 1; i <= path->len; i++) {

        if (i < path->len && path->data[i] != '/' && path->data[i] != '\\') {
            continue;
        }

        learn_absolute_segment(&to, path->data + start, i - start,
                               i == path->len);
        start = i + 1;
    }

    if (to.p == to.start) {
        *to.p++ = '/';
    }

    return to.p;
}


/* "." stays away, ".." takes one along; at the end they leave a slash */

static void
learn_absolute_segment(learn_absolute_path_t *to, const uint8_t *data,
    size_t len, int last)
{
    size_t  dots;

    dots = learn_absolute_dots(data, len);

    if (dots == 2) {
        while (to->p > to->start && *--to->p != '/') {
            /* void */
        }
    }

    if (dots == 0 || last) {
        *to->p++ = '/';
    }

    if (dots == 0) {
        to->p = learn_absolute_escape(data, len, LEARN_BYTE_PATH, to->p);
    }
}


/* 1 for ".", 2 for "..", also escaped; 0 for other segments */

static size_t
learn_absolute_dots(const uint8_t *data, size_t len)
{
    size_t  n;

    for (n = 0; len > 0 && n < 3; n++) {

        if (data[0] == '.') {
            data++;
            len--;

        } else if (len > 2 && data[0] == '%' && data[1] == '2'
                   && (data[2] | 0x20) == 'e')
        {
            data += 3;
            len -= 3;

        } else {
            return 0;
        }
    }

    return (len == 0 && n < 3) ? n : 0;
}


static uint8_t *
learn_absolute_escape(const uint8_t *data, size_t len, uint8_t set, uint8_t *p)
{
    static const char  hex[] = "0123456789ABCDEF";

    size_t   i;
    uint8_t  c;

    for (i = 0; i < len; i++) {
        c = data[i];

        if (learn_absolute_bytes[c] & set) {
            *p++ = '%';
            *p++ = (uint8_t) hex[c >> 4];
            *p++ = (uint8_t) hex[c & 15];

        } else {
            *p++ = c;
        }
    }

    return p;
}


/*
 * What is missing in front is taken from the base; dots are resolved as in any
 * other URL then.  A reference to nothing but a fragment is the base.
 */

miqps_rc_e
learn_absolute_resolved(const miqps_str_t *in, const miqps_str_t *base,
    uint8_t *buf, miqps_str_t *out)
{
    size_t        len;
    uint8_t      *text;
    miqps_rc_e    rc;
    miqps_str_t   whole;
    miqps_url_t   url, from;

    if (miqps_url_split(&url, in) == MIQPS_OK && url.scheme.len > 0) {
        return learn_absolute(in, buf, out);
    }

    if (miqps_url_split(&from, base) != MIQPS_OK || from.scheme.len == 0
        || from.path.len == 0 || learn_absolute_has_scheme(in))
    {
        return MIQPS_SYNTAX;
    }

    len = learn_absolute_before(in, base, &from);
    text = malloc(len + in->len + 1);

    if (text == NULL) {
        return MIQPS_NO_MEMORY;
    }

    memcpy(text, base->data, len);

    if (in->len > 0) {
        memcpy(text + len, in->data, in->len);
    }

    whole.data = text;
    whole.len = len + in->len;

    rc = learn_absolute(&whole, buf, out);

    /* what is plain is the text itself, which goes */

    if (rc == MIQPS_OK && out->data == text) {
        memcpy(buf, text, out->len);
        out->data = buf;
    }

    free(text);

    return rc;
}


/* how much of the base stands before a reference */

static size_t
learn_absolute_before(const miqps_str_t *in, const miqps_str_t *base,
    const miqps_url_t *from)
{
    size_t          len;
    const uint8_t  *end;

    if (in->len == 0 || in->data[0] == '#') {
        return base->len - from->fragment.len;
    }

    if (in->len > 1 && in->data[0] == '/' && in->data[1] == '/') {
        return from->scheme.len + 1;
    }

    end = from->authority.data + from->authority.len;

    if (in->data[0] == '/' || in->data[0] == '\\') {
        return (size_t) (end - base->data);
    }

    len = (size_t) (from->path.data + from->path.len - base->data);

    if (in->data[0] == '?') {
        return len;
    }

    while (base->data[len - 1] != '/') {
        len--;
    }

    return len;
}


/* "mailto:", "javascript:" and so on; a colon may be in a path */

static int
learn_absolute_has_scheme(const miqps_str_t *in)
{
    size_t   i;
    uint8_t  c;

    for (i = 0; i < in->len; i++) {
        c = in->data[i];

        if (c == ':') {
            return i > 0;
        }

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
              || (i > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-'
                            || c == '.'))))
        {
            return 0;
        }
    }

    return 0;
}
