
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_url.h"


/* one byte in each of the eight of a word */

#define MIQPS_URL_EACH(c)  (0x0101010101010101 * (uint64_t) (c))


static size_t  miqps_url_scheme(const miqps_str_t *in);
static miqps_rc_e  miqps_url_authority(miqps_url_t *url);
static size_t  miqps_url_find(const uint8_t *p, const uint8_t *last,
    const char *stop, size_t n);
static uint8_t  *miqps_url_put(uint8_t *out, const uint8_t *from,
    const uint8_t *to);


miqps_rc_e
miqps_url_split(miqps_url_t *url, const miqps_str_t *in)
{
    size_t          len;
    miqps_rc_e      rc;
    const uint8_t  *p, *last;

    memset(url, 0, sizeof(miqps_url_t));

    if (in->len == 0) {
        return MIQPS_SYNTAX;
    }

    p = in->data;
    last = p + in->len;

    len = miqps_url_scheme(in);

    if (len > 0) {
        url->scheme.data = p;
        url->scheme.len = len;
        p += len + 1;
    }

    if (last - p >= 2 && p[0] == '/' && p[1] == '/') {
        p += 2;

        url->authority.data = p;
        url->authority.len = miqps_url_find(p, last, "/?#", 3);

        rc = miqps_url_authority(url);

        if (rc != MIQPS_OK) {
            return rc;
        }

        p += url->authority.len;

    } else if (len > 0 || p[0] != '/') {
        return MIQPS_SYNTAX;
    }

    url->path.data = p;
    url->path.len = miqps_url_find(p, last, "?#", 2);
    p += url->path.len;

    if (p < last && *p == '?') {
        p++;

        url->query = 1;
        url->args.data = p;
        url->args.len = miqps_url_find(p, last, "#", 1);
        p += url->args.len;
    }

    url->fragment.data = p;
    url->fragment.len = (size_t) (last - p);

    return MIQPS_OK;
}


size_t
miqps_url_compose(const miqps_url_t *url, const miqps_str_t *in,
    const miqps_str_t *host, const miqps_str_t *path, const miqps_str_t *args,
    uint8_t *out)
{
    uint8_t        *p;
    const uint8_t  *from;

    p = out;
    from = in->data;

    if (host != NULL && url->authority.len > 0) {
        p = miqps_url_put(p, from, url->host.data);
        p = miqps_url_put(p, host->data, host->data + host->len);
        from = url->host.data + url->host.len;
    }

    if (path != NULL) {
        p = miqps_url_put(p, from, url->path.data);
        p = miqps_url_put(p, path->data, path->data + path->len);
        from = url->path.data + url->path.len;
    }

    p = miqps_url_put(p, from, url->path.data + url->path.len);

    if (args->len > 0) {
        *p++ = '?';
        p = miqps_url_put(p, args->data, args->data + args->len);
    }

    p = miqps_url_put(p, url->fragment.data, in->data + in->len);

    return (size_t) (p - out);
}


/* the word with "A" to "Z" in lower case */

static inline uint64_t
miqps_url_lower(uint64_t word)
{
    uint64_t  low, upper;

    low = word & MIQPS_URL_EACH(0x7f);
    upper = (low + MIQPS_URL_EACH(0x80 - 'A'))
            & ~(low + MIQPS_URL_EACH(0x7f - 'Z'))
            & ~word & MIQPS_URL_EACH(0x80);

    return word | upper >> 2;
}


/* not 0 if one of its bytes is a space, a control byte or a backslash */

static inline uint64_t
miqps_url_strange(uint64_t word)
{
    uint64_t  del, back;

    del = word ^ MIQPS_URL_EACH(0x7f);
    back = word ^ MIQPS_URL_EACH('\\');

    return (((word - MIQPS_URL_EACH(' ' + 1)) & ~word)
            | ((del - MIQPS_URL_EACH(1)) & ~del)
            | ((back - MIQPS_URL_EACH(1)) & ~back))
           & MIQPS_URL_EACH(0x80);
}


static uint8_t *
miqps_url_put(uint8_t *out, const uint8_t *from, const uint8_t *to)
{
    memcpy(out, from, (size_t) (to - from));

    return out + (to - from);
}


miqps_rc_e
miqps_url_host(const miqps_str_t *host, uint8_t *out, miqps_str_t *canon)
{
    size_t    i, len;
    uint8_t   c;
    uint64_t  word;

    len = host->len;

    if (len > 0 && host->data[len - 1] == '.') {
        len--;
    }

    if (len > MIQPS_MAX_HOST) {
        return MIQPS_TOO_LONG;
    }

    /* eight at a time, and the rest */

    for (i = 0; i + 8 <= len; i += 8) {
        memcpy(&word, host->data + i, 8);
        word = miqps_url_lower(word);
        memcpy(out + i, &word, 8);
    }

    for (/* void */ ; i < len; i++) {
        c = host->data[i];
        out[i] = (c >= 'A' && c <= 'Z') ? (uint8_t) (c | 0x20) : c;
    }

    canon->data = out;
    canon->len = len;

    return MIQPS_OK;
}


/* the length of "http" or "https" before a ":", in any case, or 0 */

static size_t
miqps_url_scheme(const miqps_str_t *in)
{
    size_t   i;
    uint8_t  low[6];

    for (i = 0; i < sizeof(low); i++) {
        low[i] = (i < in->len) ? in->data[i] : 0;

        if (low[i] >= 'A' && low[i] <= 'Z') {
            low[i] |= 0x20;
        }
    }

    if (memcmp(low, "http:", 5) == 0) {
        return 4;
    }

    return (memcmp(low, "https:", 6) == 0) ? 5 : 0;
}


/* finds the host between user and port */

static miqps_rc_e
miqps_url_authority(miqps_url_t *url)
{
    size_t          i;
    uint64_t        word;
    const uint8_t  *p, *last, *end;

    p = url->authority.data;
    last = p + url->authority.len;

    for (i = 0; i + 8 <= url->authority.len; i += 8) {
        memcpy(&word, p + i, 8);

        if (miqps_url_strange(word)) {
            return MIQPS_SYNTAX;
        }
    }

    for (/* void */ ; i < url->authority.len; i++) {
        if (p[i] <= ' ' || p[i] == 0x7f || p[i] == '\\') {
            return MIQPS_SYNTAX;
        }
    }

    for (end = memchr(p, '@', url->authority.len); end != NULL;
         end = memchr(p, '@', (size_t) (last - p)))
    {
        p = end + 1;
    }

    if (p < last && *p == '[') {
        end = memchr(p, ']', (size_t) (last - p));
        end = (end != NULL) ? end + 1 : p;

    } else {
        end = p + miqps_url_find(p, last, ":", 1);
    }

    if (end == p || (end < last && *end != ':')) {
        return MIQPS_SYNTAX;
    }

    url->host.data = p;
    url->host.len = (size_t) (end - p);

    return MIQPS_OK;
}


/* how many bytes there are before the first of the "n" bytes of "stop" */

static size_t
miqps_url_find(const uint8_t *p, const uint8_t *last, const char *stop,
    size_t n)
{
    size_t          len, i;
    const uint8_t  *found;

    len = (size_t) (last - p);

    for (i = 0; i < n && len > 0; i++) {
        found = memchr(p, stop[i], len);

        if (found != NULL) {
            len = (size_t) (found - p);
        }
    }

    return len;
}
