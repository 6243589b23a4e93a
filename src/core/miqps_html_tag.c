
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"


static const uint8_t  *miqps_html_tag_name(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_before_name(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_name(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last);
static const uint8_t  *miqps_html_after_name(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_before_value(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_value_quoted(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static const uint8_t  *miqps_html_value_bare(miqps_html_t *html,
    const uint8_t *p, const uint8_t *last);
static int  miqps_html_is_canonical(const miqps_html_t *html);
static int  miqps_html_is_word(const miqps_html_t *html);
static void  miqps_html_value_begin(miqps_html_t *html, const uint8_t *p);
static void  miqps_html_value_read(miqps_html_t *html, const uint8_t *p,
    const uint8_t *end);
static void  miqps_html_value_end(miqps_html_t *html, const uint8_t *p);
static void  miqps_html_word(miqps_html_t *html);
static void  miqps_html_tag_end(miqps_html_t *html, const uint8_t *p);
static void  miqps_html_region_end(miqps_html_t *html, const uint8_t *p);


const miqps_html_step_pt
    miqps_html_tag_steps[MIQPS_HTML_STATES - MIQPS_HTML_TAG_NAME] =
{
    miqps_html_tag_name,
    miqps_html_before_name,
    miqps_html_name,
    miqps_html_after_name,
    miqps_html_before_value,
    miqps_html_value_quoted,
    miqps_html_value_bare
};


static const uint8_t *
miqps_html_tag_name(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    for ( /* void */ ; p < last; p++) {

        if (miqps_html_is(*p, MIQPS_HTML_SPACE|MIQPS_HTML_ENDS)) {
            html->state = MIQPS_HTML_BEFORE_NAME;
            miqps_html_tree_name(html);
            break;
        }

        miqps_html_name_add(html, *p);
    }

    return p;
}


/* between attributes, and after a "/", which counts right before the end */

static const uint8_t *
miqps_html_before_name(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    for ( /* void */ ; p < last; p++) {

        if (*p == '>') {
            miqps_html_tag_end(html, p);
            return p + 1;
        }

        html->slash = (*p == '/');

        if (!miqps_html_is(*p, MIQPS_HTML_SPACE|MIQPS_HTML_ENDS)) {

            /* the first byte of a name may be a "=" */

            html->name_len = 0;
            miqps_html_name_add(html, *p);
            html->state = MIQPS_HTML_NAME_OF;

            return p + 1;
        }
    }

    return p;
}


/* of two attributes with the same name the first one counts */

static const uint8_t *
miqps_html_name(miqps_html_t *html, const uint8_t *p, const uint8_t *last)
{
    for ( /* void */ ; p < last; p++) {

        if (miqps_html_is(*p, MIQPS_HTML_SPACE|MIQPS_HTML_ENDS
                              |MIQPS_HTML_EQUALS))
        {
            break;
        }

        if (html->wanted) {
            miqps_html_name_add(html, *p);
        }
    }

    if (p == last) {
        return p;
    }

    html->attribute = 0;

    if (html->wanted) {
        html->attribute = miqps_html_attribute(html);
        html->wanted &= (uint16_t) ~html->attribute;

        if (html->attribute && html->element == MIQPS_HTML_BASE_ELEMENT) {
            html->based = 1;
        }
    }

    html->state = MIQPS_HTML_AFTER_NAME;

    /* there is one region at a time; what is canonical has no images */

    if (html->waits && html->attribute == MIQPS_HTML_AT_IMAGESRCSET) {
        html->waits = 0;
        miqps_html_region_end(html, p);
    }

    return p;
}


static const uint8_t *
miqps_html_after_name(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    while (p < last && miqps_html_is(*p, MIQPS_HTML_SPACE)) {
        p++;
    }

    if (p == last) {
        return p;
    }

    if (*p == '=') {
        html->state = MIQPS_HTML_BEFORE_VALUE;
        return p + 1;
    }

    html->state = MIQPS_HTML_BEFORE_NAME;

    return p;
}


/* "run" is the quote */

static const uint8_t *
miqps_html_before_value(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    while (p < last && miqps_html_is(*p, MIQPS_HTML_SPACE)) {
        p++;
    }

    if (p == last) {
        return p;
    }

    if (*p == '>') {
        html->state = MIQPS_HTML_BEFORE_NAME;
        return p;
    }

    if (*p == '"' || *p == '\'') {
        html->run = *p++;
        html->state = MIQPS_HTML_VALUE_QUOTED;

    } else {
        html->run = 0;
        html->state = MIQPS_HTML_VALUE_BARE;
    }

    if (html->attribute) {
        miqps_html_value_begin(html, p);
    }

    return p;
}


static const uint8_t *
miqps_html_value_quoted(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    const uint8_t  *end;

    end = memchr(p, html->run, (size_t) (last - p));

    if (html->attribute) {
        miqps_html_value_read(html, p, (end != NULL) ? end : last);
    }

    if (end == NULL) {
        return last;
    }

    html->state = MIQPS_HTML_BEFORE_NAME;

    if (html->attribute) {
        miqps_html_value_end(html, end);
    }

    return end + 1;
}


static const uint8_t *
miqps_html_value_bare(miqps_html_t *html, const uint8_t *p,
    const uint8_t *last)
{
    const uint8_t  *end;

    for (end = p; end < last; end++) {
        if (miqps_html_is(*end, MIQPS_HTML_SPACE) || *end == '>') {
            break;
        }
    }

    if (html->attribute) {
        miqps_html_value_read(html, p, end);
    }

    if (end == last) {
        return last;
    }

    html->state = MIQPS_HTML_BEFORE_NAME;

    if (html->attribute) {
        miqps_html_value_end(html, end);
    }

    return end;
}


/* true if the attribute is no link, but says whether another one is */

static int
miqps_html_is_word(const miqps_html_t *html)
{
    switch (html->attribute) {

    case MIQPS_HTML_AT_METHOD:
    case MIQPS_HTML_AT_HTTP_EQUIV:
    case MIQPS_HTML_AT_PROPERTY:
    case MIQPS_HTML_AT_CHARSET:
    case MIQPS_HTML_AT_REL:
        return 1;

    default:
        return 0;
    }
}


static void
miqps_html_value_begin(miqps_html_t *html, const uint8_t *p)
{
    miqps_html_region_t  *region;

    if (miqps_html_is_word(html)) {
        html->name_len = 0;
        return;
    }

    region = &html->region;

    region->data = p;
    region->quote = html->run;
    region->in = (html->attribute == MIQPS_HTML_AT_SRCSET
                  || html->attribute == MIQPS_HTML_AT_IMAGESRCSET)
                 ? MIQPS_HTML_SRCSET : MIQPS_HTML_ALONE;
    region->base = (html->element == MIQPS_HTML_BASE_ELEMENT);
    region->canonical = 0;

    html->waits = (html->attribute == MIQPS_HTML_AT_ACTION
                   || html->attribute == MIQPS_HTML_AT_CONTENT
                   || (html->attribute == MIQPS_HTML_AT_HREF
                       && html->element == MIQPS_HTML_LINK_ELEMENT));
}


static void
miqps_html_value_read(miqps_html_t *html, const uint8_t *p,
    const uint8_t *end)
{
    if (!miqps_html_is_word(html)) {
        return;
    }

    while (p < end && html->name_len <= MIQPS_HTML_NAME) {
        miqps_html_name_add(html, *p++);
    }
}


static void
miqps_html_value_end(miqps_html_t *html, const uint8_t *p)
{
    miqps_html_region_t  *region;

    if (miqps_html_is_word(html)) {
        miqps_html_word(html);
        return;
    }

    region = &html->region;

    /* it may have become too long before */

    if (region->data == NULL) {
        return;
    }

    region->value = html->held + (size_t) (p - region->data);

    if (!html->waits) {
        miqps_html_region_end(html, p);
    }
}


static void
miqps_html_word(miqps_html_t *html)
{
    switch (html->attribute) {

    case MIQPS_HTML_AT_METHOD:

        /* with a reference in it, it can be anything */

        if (miqps_html_named(html, "post") || miqps_html_named(html, "dialog")
            || html->name_len > MIQPS_HTML_NAME
            || memchr(html->name, '&', html->name_len) != NULL)
        {
            html->traits |= MIQPS_HTML_NOT_GET;
        }

        break;

    case MIQPS_HTML_AT_HTTP_EQUIV:

        if (miqps_html_named(html, "refresh")) {
            html->traits |= MIQPS_HTML_IS_REFRESH;

        } else if (miqps_html_named(html, "content-type")) {
            html->traits |= MIQPS_HTML_IS_TYPE;
        }

        break;

    case MIQPS_HTML_AT_PROPERTY:

        if (miqps_html_named(html, "og:url")) {
            html->traits |= MIQPS_HTML_IS_OG_URL;
        }

        break;

    case MIQPS_HTML_AT_REL:
        if (miqps_html_is_canonical(html)) {
            html->traits |= MIQPS_HTML_IS_CANONICAL;
        }

        break;

    default: /* MIQPS_HTML_AT_CHARSET */

        /* in front of a long one, there may be white space */

        if (html->name_len > MIQPS_HTML_NAME
            || miqps_html_value_charset(html->name, html->name_len))
        {
            html->traits |= MIQPS_HTML_IS_STRANGE;
        }
    }
}


/* true if that is one of the words of the value */

static int
miqps_html_is_canonical(const miqps_html_t *html)
{
    size_t  i, at;

    if (html->name_len > MIQPS_HTML_NAME) {
        return 0;
    }

    at = 0;

    for (i = 0; i <= html->name_len; i++) {

        if (i < html->name_len
            && !miqps_html_is(html->name[i], MIQPS_HTML_SPACE))
        {
            continue;
        }

        if (i - at == 9 && memcmp(html->name + at, "canonical", 9) == 0) {
            return 1;
        }

        at = i + 1;
    }

    return 0;
}


/* all attributes are known */

static void
miqps_html_tag_end(miqps_html_t *html, const uint8_t *p)
{
    miqps_html_tree_tag(html);

    if (html->traits & MIQPS_HTML_IS_STRANGE) {
        html->state = MIQPS_HTML_REST;
    }

    if (!html->waits) {
        return;
    }

    html->waits = 0;

    switch (html->traits) {

    case 0:
        if (html->element == MIQPS_HTML_META) {
            miqps_html_forget(html);
            return;
        }

        break;

    case MIQPS_HTML_IS_OG_URL:
        break;

    case MIQPS_HTML_IS_CANONICAL:
        html->region.canonical = 1;
        break;

    case MIQPS_HTML_IS_REFRESH:
        html->region.in = MIQPS_HTML_REFRESH;
        break;

    case MIQPS_HTML_IS_TYPE:
        html->region.in = MIQPS_HTML_CHARSET;
        break;

    default:
        miqps_html_forget(html);
        return;
    }

    miqps_html_region_end(html, p);
}


static void
miqps_html_region_end(miqps_html_t *html, const uint8_t *p)
{
    miqps_html_region_t  *region;

    region = &html->region;
    region->len = html->held + (size_t) (p - region->data);

    if (region->len > MIQPS_HTML_HOLD) {
        miqps_html_forget(html);

    } else {
        html->whole = 1;
    }
}
