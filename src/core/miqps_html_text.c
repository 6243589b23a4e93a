
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"


static const uint8_t  *miqps_html_start(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last);
static const uint8_t  *miqps_html_start_bom(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_start_open(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_start_xml(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_data(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last);
static const uint8_t  *miqps_html_tag_open(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_end_tag_open(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_declaration(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_declaration_dash(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_declaration_cdata(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_bogus_comment(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_comment_start(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_comment(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_comment_bang(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_cdata(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last);
static const uint8_t  *miqps_html_raw(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last);
static const uint8_t  *miqps_html_raw_open(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_raw_name(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_script(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last);
static const uint8_t  *miqps_html_script_open(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_script_bang(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_script_name(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_rest(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last);
static int  miqps_html_noscript_ends(const miqps_html_t *html);
static const uint8_t  *miqps_html_find(const uint8_t *p, const uint8_t *last,
    uint8_t c);
static void  miqps_html_text_ends(miqps_html_t *html);


const miqps_html_step_pt  miqps_html_text_steps[MIQPS_HTML_TAG_NAME] = {
    miqps_html_start,
    miqps_html_start_bom,
    miqps_html_start_open,
    miqps_html_start_xml,
    miqps_html_data,
    miqps_html_tag_open,
    miqps_html_end_tag_open,
    miqps_html_declaration,
    miqps_html_declaration_dash,
    miqps_html_declaration_cdata,
    miqps_html_bogus_comment,
    miqps_html_comment_start,
    miqps_html_comment,
    miqps_html_comment_bang,
    miqps_html_cdata,
    miqps_html_raw,
    miqps_html_raw_open,
    miqps_html_raw_name,
    miqps_html_script,
    miqps_html_script_open,
    miqps_html_script_bang,
    miqps_html_script_name,
    miqps_html_rest
};


/* a byte order mark of UTF-16, of either order, or an XML declaration */

static const uint8_t *
miqps_html_start(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    (void) last;

    if (*p == '<') {
        html->state = MIQPS_HTML_START_OPEN;
        return p + 1;
    }

    if (*p != 0xfe && *p != 0xff) {
        html->state = MIQPS_HTML_DATA;
        return p;
    }

    html->run = *p;
    html->state = MIQPS_HTML_START_BOM;

    return p + 1;
}


static const uint8_t *
miqps_html_start_bom(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    (void) last;

    html->state = (html->run + *p == 0xfe + 0xff) ? MIQPS_HTML_REST
                                                  : MIQPS_HTML_DATA;
    return p;
}


static const uint8_t *
miqps_html_start_open(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    (void) last;

    if (*p == '?') {
        html->run = 0;
        html->state = MIQPS_HTML_START_XML;
        return p + 1;
    }

    html->state = MIQPS_HTML_TAG_OPEN;

    return p;
}


/* a bogus comment, but browsers read in it what the charset is */

static const uint8_t *
miqps_html_start_xml(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    for ( /* void */ ; p < last; p++) {

        if (*p == '>') {
            html->state = MIQPS_HTML_DATA;
            return p + 1;
        }

        html->run = (uint8_t) miqps_html_value_strange(html->run, *p);

        if (html->run == MIQPS_HTML_STRANGE) {
            html->state = MIQPS_HTML_REST;
            break;
        }
    }

    return p;
}


static const uint8_t *
miqps_html_data(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    p = (html->depth | html->templates | html->noscript | html->select)
        ? miqps_html_find(p, last, '<')
        : miqps_html_quick(p, last, html->all);

    if (p == last) {
        return p;
    }

    html->state = MIQPS_HTML_TAG_OPEN;

    return p + 1;
}


static const uint8_t *
miqps_html_tag_open(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    (void) last;

    if (miqps_html_is(*p, MIQPS_HTML_ALPHA)) {
        miqps_html_tag_init(html, 0);
        return p;
    }

    switch (*p) {

    case '/':
        html->state = MIQPS_HTML_END_TAG_OPEN;
        return p + 1;

    case '!':
        html->state = MIQPS_HTML_DECLARATION;
        return p + 1;

    case '?':
        html->state = MIQPS_HTML_BOGUS_COMMENT;
        return p + 1;

    default:
        html->state = MIQPS_HTML_DATA;
        return p;
    }
}


static const uint8_t *
miqps_html_end_tag_open(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    (void) last;

    if (miqps_html_is(*p, MIQPS_HTML_ALPHA)) {
        miqps_html_tag_init(html, 1);

    } else {
        html->state = MIQPS_HTML_BOGUS_COMMENT;
    }

    return p;
}


/* a document type ends where a bogus comment does */

static const uint8_t *
miqps_html_declaration(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    (void) last;

    html->run = 0;

    switch (*p) {

    case '-':
        html->state = MIQPS_HTML_DECLARATION_DASH;
        return p + 1;

    case '[':
        html->state = MIQPS_HTML_DECLARATION_CDATA;
        return p;

    default:
        html->state = MIQPS_HTML_BOGUS_COMMENT;
        return p;
    }
}


static const uint8_t *
miqps_html_declaration_dash(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    (void) last;

    if (*p != '-') {
        html->state = MIQPS_HTML_BOGUS_COMMENT;
        return p;
    }

    html->state = MIQPS_HTML_COMMENT_START;

    return p + 1;
}


static const uint8_t *
miqps_html_declaration_cdata(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    static const uint8_t  cdata[] = "[CDATA[";

    for ( /* void */ ; p < last; p++) {

        if (*p != cdata[html->run]) {
            html->state = MIQPS_HTML_BOGUS_COMMENT;
            return p;
        }

        if (++html->run == sizeof(cdata) - 1) {
            html->run = 0;
            miqps_html_tree_cdata(html);
            return p + 1;
        }
    }

    return p;
}


static const uint8_t *
miqps_html_bogus_comment(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    p = miqps_html_find(p, last, '>');

    if (p == last) {
        return p;
    }

    html->state = MIQPS_HTML_DATA;

    return p + 1;
}


/* "<!-->" and "<!--->" are whole */

static const uint8_t *
miqps_html_comment_start(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    (void) last;

    if (*p == '-' && html->run == 0) {
        html->run = 1;
        return p + 1;
    }

    if (*p == '>') {
        html->state = MIQPS_HTML_DATA;
        return p + 1;
    }

    /* with a second dash, two of them are behind it */

    html->state = MIQPS_HTML_COMMENT;

    return p;
}


/* "run" counts the dashes at the end of what was read, up to two */

static const uint8_t *
miqps_html_comment(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    while (p < last) {

        if (*p == '-') {
            html->run += (html->run < 2);
            p++;
            continue;
        }

        if (html->run == 2) {
            html->run = 0;

            if (*p == '>') {
                html->state = MIQPS_HTML_DATA;
                return p + 1;
            }

            if (*p == '!') {
                html->state = MIQPS_HTML_COMMENT_BANG;
                return p + 1;
            }
        }

        html->run = 0;
        p = miqps_html_find(p, last, '-');
    }

    return p;
}


/* after "--!" */

static const uint8_t *
miqps_html_comment_bang(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    (void) last;

    if (*p == '>') {
        html->state = MIQPS_HTML_DATA;
        return p + 1;
    }

    html->state = MIQPS_HTML_COMMENT;

    return p;
}


static const uint8_t *
miqps_html_cdata(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    while (p < last) {

        if (*p == ']') {
            html->run += (html->run < 2);
            p++;
            continue;
        }

        if (*p == '>' && html->run == 2) {
            html->state = MIQPS_HTML_DATA;
            return p + 1;
        }

        html->run = 0;
        p = miqps_html_find(p, last, ']');
    }

    return p;
}


/* the text of an element that has no other content; html->text is which */

static const uint8_t *
miqps_html_raw(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    p = miqps_html_find(p, last, '<');

    if (p == last) {
        return p;
    }

    html->state = MIQPS_HTML_RAW_OPEN;

    return p + 1;
}


static const uint8_t *
miqps_html_raw_open(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    (void) last;

    if (*p != '/') {
        html->state = MIQPS_HTML_RAW;
        return p;
    }

    html->state = MIQPS_HTML_RAW_NAME;
    html->name_len = 0;

    return p + 1;
}


static const uint8_t *
miqps_html_raw_name(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    while (p < last && miqps_html_is(*p, MIQPS_HTML_ALPHA)) {
        miqps_html_name_add(html, *p++);
    }

    if (p == last) {
        return p;
    }

    if (miqps_html_is(*p, MIQPS_HTML_SPACE|MIQPS_HTML_ENDS)
        && miqps_html_element(html->name, html->name_len) == html->text)
    {
        miqps_html_text_ends(html);

    } else {
        html->state = miqps_html_noscript_ends(html) ? MIQPS_HTML_REST
                                                     : MIQPS_HTML_RAW;
    }

    return p;
}


/*
 * A script.  "escaped" is 1 after "<!--", and 2 after a "<script" behind that,
 * whose "</script" does not end the one that is read; "run" counts dashes.
 */

static const uint8_t *
miqps_html_script(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    if (html->escaped == 0) {
        p = miqps_html_find(p, last, '<');
    }

    for ( /* void */ ; p < last; p++) {

        if (*p == '<') {
            html->run = 0;
            html->state = MIQPS_HTML_SCRIPT_OPEN;
            return p + 1;
        }

        if (*p == '-') {
            html->run += (html->run < 2);
            continue;
        }

        if (*p == '>' && html->run == 2) {
            html->escaped = 0;
            return p + 1;
        }

        html->run = 0;
    }

    return p;
}


static const uint8_t *
miqps_html_script_open(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    (void) last;

    html->name_len = 0;

    if (*p == '/') {
        html->end = 1;
        html->state = MIQPS_HTML_SCRIPT_NAME;
        return p + 1;
    }

    if (*p == '!' && html->escaped == 0) {
        html->state = MIQPS_HTML_SCRIPT_BANG;
        return p + 1;
    }

    if (html->escaped == 1 && miqps_html_is(*p, MIQPS_HTML_ALPHA)) {
        html->end = 0;
        html->state = MIQPS_HTML_SCRIPT_NAME;
        return p;
    }

    html->state = MIQPS_HTML_SCRIPT;

    return p;
}


/* after "<!" */

static const uint8_t *
miqps_html_script_bang(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    for ( /* void */ ; p < last; p++) {

        if (*p != '-') {
            html->run = 0;
            html->state = MIQPS_HTML_SCRIPT;
            return p;
        }

        if (++html->run == 2) {
            html->escaped = 1;
            html->state = MIQPS_HTML_SCRIPT;
            return p + 1;
        }
    }

    return p;
}


/* of a start tag in a comment, or of an end tag */

static const uint8_t *
miqps_html_script_name(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    while (p < last && miqps_html_is(*p, MIQPS_HTML_ALPHA)) {
        miqps_html_name_add(html, *p++);
    }

    if (p == last) {
        return p;
    }

    html->state = miqps_html_noscript_ends(html) ? MIQPS_HTML_REST
                                                 : MIQPS_HTML_SCRIPT;

    if (!miqps_html_is(*p, MIQPS_HTML_SPACE|MIQPS_HTML_ENDS)
        || !miqps_html_named(html, "script"))
    {
        return p;
    }

    if (!html->end) {
        html->escaped = 2;

    } else if (html->escaped == 2) {
        html->escaped = 1;

    } else {
        html->escaped = 0;
        miqps_html_text_ends(html);
    }

    return p;
}


static const uint8_t *
miqps_html_rest(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    (void) html;
    (void) p;

    return last;
}


/* see miqps_html_hides(): here, a name tells */

static int
miqps_html_noscript_ends(const miqps_html_t *html)
{
    return html->noscript && miqps_html_named(html, "noscript");
}


/* the name of the end tag of raw text was read */

static void
miqps_html_text_ends(miqps_html_t *html)
{
    miqps_html_tag_init(html, 1);

    html->text = MIQPS_HTML_OTHER;
    html->state = MIQPS_HTML_BEFORE_NAME;
}


static const uint8_t *
miqps_html_find(const uint8_t *p, const uint8_t *last, uint8_t c)
{
    p = memchr(p, c, (size_t) (last - p));

    return (p != NULL) ? p : last;
}
