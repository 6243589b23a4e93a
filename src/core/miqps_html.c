
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"


static int  miqps_html_hides(unsigned state, const uint8_t *from,
    const uint8_t *to);
static miqps_html_e  miqps_html_tell(miqps_html_t *html,
    miqps_html_piece_t *piece);
static miqps_html_e  miqps_html_text(miqps_html_t *html,
    const uint8_t *to, miqps_html_piece_t *piece);
static miqps_html_e  miqps_html_link(miqps_html_t *html, miqps_html_e what);
static miqps_html_e  miqps_html_kept(miqps_html_t *html, size_t to,
    miqps_html_piece_t *piece);
static miqps_html_e  miqps_html_keep(miqps_html_t *html,
    miqps_html_piece_t *piece);
static void  miqps_html_close(miqps_html_t *html);


void
miqps_html_init(miqps_html_t *html, unsigned all)
{
    /* what is held needs no zeroes */

    memset(html, 0, offsetof(miqps_html_t, hold));

    html->state = MIQPS_HTML_START;
    html->all = (all != 0);
}


void
miqps_html_feed(miqps_html_t *html, const uint8_t *data, size_t len)
{
    if (len == 0) {
        return;
    }

    html->from = data;
    html->pos = data;
    html->last = data + len;

    /* what is held goes on at the beginning of the chunk */

    if (html->region.data != NULL) {
        html->region.data = data;
    }
}


miqps_html_e
miqps_html_next(miqps_html_t *html, miqps_html_piece_t *piece)
{
    unsigned        state;
    miqps_html_e    what;
    const uint8_t  *p, *at;

    for ( ;; ) {

        if (html->whole) {
            what = miqps_html_tell(html, piece);

            if (what != MIQPS_HTML_MORE) {
                return what;
            }
        }

        p = html->pos;

        while (p < html->last && !html->whole && !html->over) {
            at = p;
            state = html->state;

            p = (state < MIQPS_HTML_TAG_NAME)
                ? miqps_html_text_steps[state](html, p, html->last)
                : miqps_html_tag_steps[state - MIQPS_HTML_TAG_NAME]
                                      (html, p, html->last);

            if (html->noscript && miqps_html_hides(state, at, p)) {
                html->state = MIQPS_HTML_REST;
            }
        }

        html->pos = p;

        if (!html->whole) {
            return miqps_html_keep(html, piece);
        }

        miqps_html_close(html);
    }
}


/*
 * For who runs scripts, a noscript is text up to its end tag, and for others
 * it is not.  It ends at the same place if nothing in it that has no tags, as
 * a comment or a value, can hold its end tag.  True if it can; what follows
 * could then be anything.
 */

static int
miqps_html_hides(unsigned state, const uint8_t *from, const uint8_t *to)
{
    if (state < MIQPS_HTML_DECLARATION
        || (state > MIQPS_HTML_CDATA && state < MIQPS_HTML_TAG_NAME))
    {
        return 0;
    }

    return memchr(from, '<', (size_t) (to - from)) != NULL;
}


void
miqps_html_finish(miqps_html_t *html)
{
    html->state = MIQPS_HTML_REST;
    html->from = html->pos;
    html->last = html->pos;
    html->region.data = NULL;
    html->over = (html->held > 0);
}


/*
 * The end of a region was read, which is html->region.len bytes long.  If it
 * began in another chunk, all of it is put together.
 */

static void
miqps_html_close(miqps_html_t *html)
{
    size_t                n;
    const uint8_t        *data;
    miqps_html_region_t  *region;

    region = &html->region;
    region->done = 0;
    region->end = 0;
    region->found = 0;

    if (html->held > 0) {
        n = region->len - html->held;

        memcpy(html->hold + html->held, region->data, n);
        html->held += n;
        html->from = region->data + n;
    }

    data = (html->held > 0) ? html->hold : region->data;

    if (region->in == MIQPS_HTML_CHARSET
        && miqps_html_value_charset(data, region->value))
    {
        html->state = MIQPS_HTML_REST;
    }

    if (!html->all && !region->base
        && memchr(data, '?', region->value) == NULL)
    {
        region->value = 0;
    }
}


/*
 * Too long, or not needed: what was held of it is text.  Nobody knows what
 * links are relative to after a base that cannot be read.
 */

void
miqps_html_forget(miqps_html_t *html)
{
    html->region.data = NULL;
    html->waits = 0;
    html->over = (html->held > 0);

    if (html->region.base) {
        html->state = MIQPS_HTML_REST;
    }
}


/*
 * One piece after the other of a region and of what stands before it; then
 * MIQPS_HTML_MORE.
 */

static miqps_html_e
miqps_html_tell(miqps_html_t *html, miqps_html_piece_t *piece)
{
    const uint8_t        *data;
    miqps_html_region_t  *region;

    region = &html->region;
    data = (html->held > 0) ? html->hold : region->data;

    if (!region->found) {
        region->found = (uint8_t)
            miqps_html_value_link(region->in, data, region->value, region->end,
                                  &region->begin, &region->end);
    }

    if (region->found) {

        if (html->held > 0) {
            return (region->done < region->begin)
                   ? miqps_html_kept(html, region->begin, piece)
                   : miqps_html_link(html,
                                     miqps_html_kept(html, region->end, piece));
        }

        return (html->from < data + region->begin)
               ? miqps_html_text(html, data + region->begin, piece)
               : miqps_html_link(html,
                                 miqps_html_text(html, data + region->end,
                                                 piece));
    }

    if (html->held > 0 && region->done < region->len) {
        return miqps_html_kept(html, region->len, piece);
    }

    /* the rest is text like what comes after it */

    region->data = NULL;
    html->held = 0;
    html->whole = 0;

    return MIQPS_HTML_MORE;
}


/* the piece that was told is a link */

static miqps_html_e
miqps_html_link(miqps_html_t *html, miqps_html_e what)
{
    (void) what;

    html->region.found = 0;

    return html->region.base ? MIQPS_HTML_BASE : MIQPS_HTML_LINK;
}


/* a piece of the chunk */

static miqps_html_e
miqps_html_text(miqps_html_t *html, const uint8_t *to,
    miqps_html_piece_t *piece)
{
    piece->data = html->from;
    piece->len = (size_t) (to - html->from);
    piece->in = html->region.in;
    piece->quote = html->region.quote;
    piece->held = 0;
    piece->canonical = html->region.canonical;

    html->from = to;

    return MIQPS_HTML_TEXT;
}


/* a piece of what was held */

static miqps_html_e
miqps_html_kept(miqps_html_t *html, size_t to, miqps_html_piece_t *piece)
{
    miqps_html_region_t  *region;

    region = &html->region;

    piece->data = html->hold + region->done;
    piece->len = to - region->done;
    piece->in = region->in;
    piece->quote = region->quote;
    piece->held = 1;
    piece->canonical = region->canonical;

    region->done = to;

    return MIQPS_HTML_TEXT;
}


/*
 * The chunk was read.  A region that goes on behind it is held, unless it has
 * become too long.
 */

static miqps_html_e
miqps_html_keep(miqps_html_t *html, miqps_html_piece_t *piece)
{
    size_t                n;
    const uint8_t        *to;
    miqps_html_region_t  *region;

    region = &html->region;

    if (html->pos == html->last && region->data != NULL
        && (size_t) (html->last - region->data)
           > MIQPS_HTML_HOLD - html->held)
    {
        miqps_html_forget(html);
    }

    if (html->over) {
        html->over = 0;
        region->done = 0;
        n = html->held;
        html->held = 0;

        return miqps_html_kept(html, n, piece);
    }

    to = (region->data != NULL) ? region->data : html->last;

    if (html->from < to) {
        return miqps_html_text(html, to, piece);
    }

    if (html->from < html->last) {
        n = (size_t) (html->last - html->from);
        memcpy(html->hold + html->held, html->from, n);
        html->held += n;
        html->from = html->last;

        /* called once more, or with no bytes, there is nothing new of it */

        region->data = html->last;
    }

    return MIQPS_HTML_MORE;
}
