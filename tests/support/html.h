
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _HTML_H_INCLUDED_
#define _HTML_H_INCLUDED_


#include <stdlib.h>
#include <string.h>

#include "miqps_html.h"


/*
 * Somebody who changes links: parameters named "u" are taken out of queries.
 * What stays of the rest is for whoever includes this to look at.
 */

typedef struct {
    miqps_html_t    html;
    uint8_t        *out;             /* what came out */
    size_t          len;
    size_t          size;
    size_t          links;           /* how many there were, */
    size_t          changed;         /* were changed, */
    size_t          bases;           /* and how often a base was told */
    size_t          canonical;       /* links that were so */
    size_t          copied;          /* bytes of pieces that were held */
} html_t;


static inline void
html_init(html_t *h, size_t size)
{
    miqps_html_init(&h->html, 0);

    h->size = size;
    h->out = malloc(size + 1);
    h->len = 0;
    h->links = 0;
    h->changed = 0;
    h->bases = 0;
    h->canonical = 0;
    h->copied = 0;

    if (h->out == NULL) {
        abort();
    }
}


static inline void
html_release(html_t *h)
{
    free(h->out);
}


static inline void
html_put(html_t *h, const uint8_t *data, size_t len)
{
    if (len > h->size - h->len) {
        abort();
    }

    memcpy(h->out + h->len, data, len);
    h->len += len;
}


/* "url" without parameters named "u"; 0 if there are none */

static inline int
html_clean(miqps_str_t *url, uint8_t *out)
{
    int             changed;
    size_t          len, n;
    const uint8_t  *p, *last, *end, *hash;

    last = url->data + url->len;
    hash = memchr(url->data, '#', url->len);
    hash = (hash != NULL) ? hash : last;
    p = memchr(url->data, '?', (size_t) (hash - url->data));

    if (p == NULL) {
        return 0;
    }

    len = (size_t) (p - url->data);
    memcpy(out, url->data, len);
    changed = 0;
    n = 0;

    for (p++; p <= hash; p = end + 1) {
        end = memchr(p, '&', (size_t) (hash - p));
        end = (end != NULL) ? end : hash;

        if (end - p >= 2 && p[0] == 'u' && p[1] == '=') {
            changed = 1;
            continue;
        }

        out[len++] = (n++ == 0) ? '?' : '&';
        memcpy(out + len, p, (size_t) (end - p));
        len += (size_t) (end - p);
    }

    memcpy(out + len, hash, (size_t) (last - hash));
    url->data = out;
    url->len = len + (size_t) (last - hash);

    return changed;
}


static inline void
html_link(html_t *h, const miqps_html_piece_t *piece)
{
    size_t       len;
    miqps_str_t  url;

    static uint8_t  decoded[MIQPS_HTML_HOLD], clean[MIQPS_HTML_HOLD + 1];
    static uint8_t  encoded[miqps_html_bound(MIQPS_HTML_HOLD)];

    h->links++;
    h->canonical += piece->canonical;

    if (miqps_html_decode(piece, decoded, &url) == MIQPS_OK
        && html_clean(&url, clean)
        && miqps_html_encode(piece, &url, encoded, sizeof(encoded), &len)
           == MIQPS_OK)
    {
        h->changed++;
        html_put(h, encoded, len);
        return;
    }

    html_put(h, piece->data, piece->len);
}


static inline void
html_pieces(html_t *h)
{
    miqps_html_e        what;
    miqps_html_piece_t  piece;

    for ( ;; ) {
        what = miqps_html_next(&h->html, &piece);

        if (what == MIQPS_HTML_MORE) {
            return;
        }

        if (piece.held) {
            h->copied += piece.len;
        }

        if (what == MIQPS_HTML_LINK) {
            html_link(h, &piece);
            continue;
        }

        h->bases += (what == MIQPS_HTML_BASE);
        html_put(h, piece.data, piece.len);
    }
}


static inline void
html_feed(html_t *h, const uint8_t *data, size_t len)
{
    miqps_html_feed(&h->html, data, len);
    html_pieces(h);
}


static inline void
html_finish(html_t *h)
{
    miqps_html_finish(&h->html);
    html_pieces(h);
}


#endif /* _HTML_H_INCLUDED_ */
