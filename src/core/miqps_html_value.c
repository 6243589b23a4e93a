
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_html_steps.h"


/*
 * Values are taken apart as they stand there, with their character references.
 * Where one of these could be white space, a comma or a quote that takes the
 * value apart in another way, there is no link, or miqps_html_decode() refuses
 * the one that there is.
 */

static size_t  miqps_html_value_candidate(const uint8_t *value, size_t len,
    size_t at, size_t *end);
static size_t  miqps_html_value_descriptors(const uint8_t *value, size_t len,
    size_t at);
static size_t  miqps_html_value_refresh(const uint8_t *value, size_t len,
    size_t *end);
static size_t  miqps_html_value_url_is(const uint8_t *value, size_t len,
    size_t at);
static size_t  miqps_html_value_skip(const uint8_t *value, size_t len,
    size_t at);


int
miqps_html_value_link(unsigned in, const uint8_t *value, size_t len, size_t at,
    size_t *begin, size_t *end)
{
    size_t  b, e;

    e = len;

    if (in == MIQPS_HTML_SRCSET) {
        b = miqps_html_value_candidate(value, len, at, &e);

    } else if (at > 0 || in == MIQPS_HTML_CHARSET) {
        return 0;

    } else if (in == MIQPS_HTML_REFRESH) {
        b = miqps_html_value_refresh(value, len, &e);

    } else {
        b = 0;
    }

    b = miqps_html_value_skip(value, e, b);

    while (e > b && miqps_html_is(value[e - 1], MIQPS_HTML_SPACE)) {
        e--;
    }

    *begin = b;
    *end = e;

    return b < e;
}


int
miqps_html_refresh(const uint8_t *value, size_t len, size_t *begin,
    size_t *end)
{
    return miqps_html_value_link(MIQPS_HTML_REFRESH, value, len, 0, begin,
                                 end);
}


/*
 * The next candidate of a srcset after the URL that ends at "at".  Commas at
 * the end of a URL are none of it, and after them there are no descriptors.
 */

static size_t
miqps_html_value_candidate(const uint8_t *value, size_t len, size_t at,
    size_t *end)
{
    size_t  e;

    if (at > 0 && at < len && value[at] != ',') {
        at = miqps_html_value_descriptors(value, len, at);
    }

    while (at < len
           && (value[at] == ',' || miqps_html_is(value[at], MIQPS_HTML_SPACE)))
    {
        at++;
    }

    for (e = at; e < len && !miqps_html_is(value[e], MIQPS_HTML_SPACE); e++) {
        /* void */
    }

    while (e > at && value[e - 1] == ',') {
        e--;
    }

    *end = e;

    return at;
}


/* where they end: at a comma that is not in parentheses */

static size_t
miqps_html_value_descriptors(const uint8_t *value, size_t len, size_t at)
{
    int  within;

    within = 0;

    for ( /* void */ ; at < len; at++) {

        switch (value[at]) {

        case '&':
            return len;

        case '(':
            within = 1;
            break;

        case ')':
            within = 0;
            break;

        case ',':
            if (!within) {
                return at;
            }

            break;
        }
    }

    return len;
}


/* "5; url='...'": where the URL is, as the standard has it */

static size_t
miqps_html_value_refresh(const uint8_t *value, size_t len, size_t *end)
{
    size_t          at, first;
    const uint8_t  *p, *query;

    /* a reference in the query is none in what is looked at here */

    p = memchr(value, '&', len);
    query = memchr(value, '?', len);

    if (p != NULL && (query == NULL || p < query)) {
        return len;
    }

    first = miqps_html_value_skip(value, len, 0);

    for (at = first; at < len; at++) {
        if (!miqps_html_is(value[at], MIQPS_HTML_DIGIT) && value[at] != '.') {
            break;
        }
    }

    if (at == first || at == len
        || (value[at] != ';' && value[at] != ','
            && !miqps_html_is(value[at], MIQPS_HTML_SPACE)))
    {
        return len;
    }

    at = miqps_html_value_skip(value, len, at);

    if (at < len && (value[at] == ';' || value[at] == ',')) {
        at++;
    }

    at = miqps_html_value_skip(value, len, at);

    /* what begins like "url=", and is not, is the URL */

    first = at;
    at = miqps_html_value_url_is(value, len, at);

    if (at == first && at < len && miqps_html_lower(value[at]) == 'u') {
        return at;
    }

    if (at < len && (value[at] == '"' || value[at] == '\'')) {
        at++;
        p = memchr(value + at, value[at - 1], len - at);

        if (p != NULL) {
            *end = (size_t) (p - value);
        }
    }

    return at;
}


/* where it goes on after "url=" at "at", or "at" */

static size_t
miqps_html_value_url_is(const uint8_t *value, size_t len, size_t at)
{
    size_t  end;

    if (len - at < 3 || miqps_html_lower(value[at]) != 'u'
        || miqps_html_lower(value[at + 1]) != 'r'
        || miqps_html_lower(value[at + 2]) != 'l')
    {
        return at;
    }

    end = miqps_html_value_skip(value, len, at + 3);

    if (end == len || value[end] != '=') {
        return at;
    }

    return miqps_html_value_skip(value, len, end + 1);
}


static size_t
miqps_html_value_skip(const uint8_t *value, size_t len, size_t at)
{
    while (at < len && miqps_html_is(value[at], MIQPS_HTML_SPACE)) {
        at++;
    }

    return at;
}


/*
 * Of those that browsers know it is ISO-2022-JP alone, or csISO2022JP.  What
 * references stand for may be part of the name.
 */

int
miqps_html_value_charset(const uint8_t *value, size_t len)
{
    size_t    i;
    unsigned  n;

    n = 0;

    for (i = 0; i < len; i++) {
        n = miqps_html_value_strange(n, value[i]);

        if (n == MIQPS_HTML_STRANGE || value[i] == '&') {
            return 1;
        }
    }

    return 0;
}


unsigned
miqps_html_value_strange(unsigned n, uint8_t c)
{
    static const uint8_t  strange[] = "2022";

    if (c == strange[n]) {
        return n + 1;
    }

    /* after "202", too, there is a "2" */

    return (c == '2') ? 1 : (c == '0' && n == 3) ? 2 : 0;
}
