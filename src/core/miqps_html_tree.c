
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"


/*
 * WHAT IS OPEN
 *
 * Tags of HTML are not matched: many need no end, and none but those here
 * change how the bytes after them are read.
 *
 * In SVG and MathML the rules are simple enough to follow them.  A start tag
 * opens an element unless it ends with "/>", an end tag closes the last one of
 * its name and all that were opened after it; html->open has their names, as
 * hashes, and html->depth says how many there are.  What leaves them in another
 * way, or goes back to HTML within them, is not followed: html->doubt is set,
 * and stays.
 *
 * A noscript is read as who runs no scripts does, and left alone.
 *
 * Tags are the same tags in doubt, until one comes that has text after it in
 * HTML alone.  The same holds in a select and after a frameset, where browsers
 * do not all ignore the same tags, and after a col, since a template that has
 * begun with one ignores all tags but its own.  html->select and html->columns
 * say in how many templates that is, and one more for a select; 0 is none.
 *
 * A base between the cells of a table comes to stand in front of it, and of the
 * bases in its cells, which makes it the first one.
 */

#define MIQPS_HTML_IS_POINT  0x80000000


static void  miqps_html_tree_end(miqps_html_t *html);
static void  miqps_html_tree_leave(miqps_html_t *html);
static void  miqps_html_tree_html(miqps_html_t *html);
static void  miqps_html_tree_mark(miqps_html_t *html);
static void  miqps_html_tree_text(miqps_html_t *html);
static int  miqps_html_foreign_open(miqps_html_t *html);
static void  miqps_html_foreign_push(miqps_html_t *html);
static void  miqps_html_foreign_close(miqps_html_t *html);
static uint32_t  miqps_html_hash(const miqps_html_t *html);


/* true where what a tag does depends on what is not known here */

#define miqps_html_unsure(html)                                              \
    ((html)->doubt || (html)->select || (html)->frames || (html)->columns)


void
miqps_html_tree_name(miqps_html_t *html)
{
    html->element = (uint8_t) miqps_html_element(html->name,
                                                 html->name_len);

    /* attributes are read into the place of the name */

    if (html->depth > 0 || html->element == MIQPS_HTML_FOREIGN) {
        html->hash = miqps_html_hash(html);
        html->breaks = miqps_html_breaks_out(html);
    }

    if (html->end || html->templates > 0 || html->noscript) {
        return;
    }

    if (html->depth > 0 && !html->doubt
        && html->element != MIQPS_HTML_A)
    {
        return;
    }

    if (html->element == MIQPS_HTML_BASE_ELEMENT
        && (html->based || miqps_html_unsure(html)))
    {
        if (html->based && html->table) {
            html->traits = MIQPS_HTML_IS_SECOND;
        }

        return;
    }

    html->wanted = miqps_html_attributes(html->element);
}


void
miqps_html_tree_tag(miqps_html_t *html)
{
    html->state = MIQPS_HTML_DATA;

    if (html->end) {
        miqps_html_tree_end(html);
        return;
    }

    if (html->depth > 0 && !html->doubt && miqps_html_foreign_open(html)) {
        return;
    }

    if (html->element >= MIQPS_HTML_BASE_ELEMENT) {
        miqps_html_tree_html(html);
    }
}


/* in foreign elements, and only there, it is no comment */

void
miqps_html_tree_cdata(miqps_html_t *html)
{
    if (html->doubt) {
        html->state = MIQPS_HTML_REST;
        return;
    }

    html->state = (html->depth > 0) ? MIQPS_HTML_CDATA
                                    : MIQPS_HTML_BOGUS_COMMENT;
}


static void
miqps_html_tree_end(miqps_html_t *html)
{
    if (html->doubt) {
        return;
    }

    if (html->depth > 0) {
        miqps_html_foreign_close(html);
        return;
    }

    switch (html->element) {

    case MIQPS_HTML_NOSCRIPT:
        html->noscript = 0;
        break;

    case MIQPS_HTML_TEMPLATE:
    case MIQPS_HTML_SELECT:
        if (html->noscript) {
            html->state = MIQPS_HTML_REST;

        } else if (html->element == MIQPS_HTML_TEMPLATE) {
            miqps_html_tree_leave(html);

        } else if (html->select == html->templates + 1) {
            html->select = 0;
        }

        break;
    }
}


/* the end of a template is that of all that was opened in it */

static void
miqps_html_tree_leave(miqps_html_t *html)
{
    if (html->templates == 0) {
        return;
    }

    html->templates--;

    if (html->select > html->templates + 1) {
        html->select = 0;
    }

    if (html->columns > html->templates) {
        html->columns = 0;
    }
}


/* a start tag of HTML that means something */

static void
miqps_html_tree_html(miqps_html_t *html)
{
    /* what is open after a noscript must not depend on scripts */

    if (html->noscript && html->element < MIQPS_HTML_NOSCRIPT) {
        html->state = MIQPS_HTML_REST;
        return;
    }

    switch (html->element) {

    case MIQPS_HTML_BASE_ELEMENT:
        if ((html->traits & MIQPS_HTML_IS_SECOND)
            || (!html->based && html->templates == 0
                && miqps_html_unsure(html)))
        {
            html->state = MIQPS_HTML_REST;
        }

        break;

    case MIQPS_HTML_SELECT:
    case MIQPS_HTML_FRAMESET:
    case MIQPS_HTML_COLUMN:
    case MIQPS_HTML_TABLE:
        miqps_html_tree_mark(html);
        break;

    case MIQPS_HTML_TEMPLATE:
        if (html->doubt || html->frames || html->templates == UINT32_MAX) {
            html->state = MIQPS_HTML_REST;
        }

        html->templates++;
        break;

    case MIQPS_HTML_FOREIGN:
        if (html->select || html->frames || html->columns) {
            html->state = MIQPS_HTML_REST;

        } else if (!html->doubt) {
            miqps_html_foreign_push(html);
        }

        break;

    case MIQPS_HTML_POINT:
        break;

    case MIQPS_HTML_PLAINTEXT:
        html->state = MIQPS_HTML_REST;
        break;

    case MIQPS_HTML_NOSCRIPT:
        html->noscript = 1;

        if (miqps_html_unsure(html)) {
            html->state = MIQPS_HTML_REST;
        }

        break;

    default:
        miqps_html_tree_text(html);
        break;
    }
}


/* what is to be known of the tags that follow */

static void
miqps_html_tree_mark(miqps_html_t *html)
{
    switch (html->element) {

    case MIQPS_HTML_SELECT:
        if (html->select == 0) {
            html->select = html->templates + 1;
        }

        break;

    case MIQPS_HTML_COLUMN:
        if (html->columns == 0) {
            html->columns = html->templates;
        }

        break;

    case MIQPS_HTML_FRAMESET:
        html->frames = 1;
        break;

    default: /* MIQPS_HTML_TABLE */
        html->table = 1;
    }
}


/* the start tag of an element that has text in it */

static void
miqps_html_tree_text(miqps_html_t *html)
{
    if (html->doubt || html->columns
        || (html->select && html->element != MIQPS_HTML_SCRIPT_ELEMENT)
        || (html->frames && html->element != MIQPS_HTML_NOFRAMES))
    {
        html->state = MIQPS_HTML_REST;
        return;
    }

    html->text = html->element;
    html->escaped = 0;
    html->run = 0;

    html->state = (html->element == MIQPS_HTML_SCRIPT_ELEMENT)
                  ? MIQPS_HTML_SCRIPT : MIQPS_HTML_RAW;
}


/* a start tag in foreign elements; 0 if it may be one of HTML */

static int
miqps_html_foreign_open(miqps_html_t *html)
{
    if ((html->open[html->depth - 1] & MIQPS_HTML_IS_POINT) || html->breaks) {
        html->doubt = 1;
        return 0;
    }

    miqps_html_foreign_push(html);

    return 1;
}


static void
miqps_html_foreign_push(miqps_html_t *html)
{
    if (html->slash) {
        return;
    }

    if (html->depth == MIQPS_HTML_DEPTH || html->hash == 0) {
        html->doubt = 1;
        return;
    }

    html->open[html->depth++] = html->hash;
}


static void
miqps_html_foreign_close(miqps_html_t *html)
{
    uint32_t  i;

    for (i = html->depth; i > 0 && !html->breaks; i--) {
        if (html->open[i - 1] == html->hash) {
            html->depth = i - 1;
            return;
        }
    }

    /* the end of what was opened before is the end of all that is in it */

    html->doubt = 1;
}


/* FNV-1a; 0 for a name that is too long */

static uint32_t
miqps_html_hash(const miqps_html_t *html)
{
    size_t    i;
    uint32_t  hash;

    if (html->name_len > MIQPS_HTML_NAME) {
        return 0;
    }

    hash = 2166136261U;

    for (i = 0; i < html->name_len; i++) {
        hash = (hash ^ html->name[i]) * 16777619U;
    }

    hash &= ~MIQPS_HTML_IS_POINT;

    return (html->element == MIQPS_HTML_POINT
            || html->element == MIQPS_HTML_TITLE)
           ? hash | MIQPS_HTML_IS_POINT : hash;
}
