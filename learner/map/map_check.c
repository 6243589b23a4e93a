
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_check.h"
#include "miqps_escape.h"
#include "miqps_image.h"
#include "miqps_query.h"
#include "miqps_scan.h"


#define LEARN_MAX_DOMAIN  253
#define LEARN_MAX_LABEL   63


static int  learn_check_label(uint8_t c);
static int  learn_check_private(const psl_ctx_t *psl, const char *host);
static const char  *learn_check_one(const miqps_str_t *args, size_t name_len);
static unsigned  learn_check_digits(const char *text, size_t n);
static uint64_t  learn_check_days(unsigned year, unsigned month, unsigned day);


const char *
learn_check_host(const miqps_str_t *host)
{
    size_t  i, label;

    if (host->len == 0) {
        return "a host has a name";
    }

    if (host->len > LEARN_MAX_DOMAIN) {
        return "a host has at most 253 bytes";
    }

    if (host->data[host->len - 1] == '.') {
        return "a host ends without a dot";
    }

    label = 0;

    for (i = 0; i < host->len; i++) {

        if (host->data[i] == '.') {
            if (label == 0) {
                return "between the dots of a host there is something";
            }

            label = 0;
            continue;
        }

        if (host->data[i] >= 'A' && host->data[i] <= 'Z') {
            return "a host is in lower case";
        }

        if (host->data[i] == ':') {
            return "a host is given without a port";
        }

        if (host->data[i] >= 0x80) {
            return "a host is in ASCII; others have a form that begins with "
                   "\"xn--\"";
        }

        if (!learn_check_label(host->data[i])) {
            return "a host consists of letters, digits, dots, \"-\" and \"_\"";
        }

        if (++label > LEARN_MAX_LABEL) {
            return "between the dots of a host there are at most 63 bytes";
        }
    }

    return NULL;
}


static int
learn_check_label(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
           || c == '_';
}


const char *
learn_check_parent(const miqps_str_t *host, psl_ctx_t **psl)
{
    char         text[LEARN_MAX_DOMAIN + 1];
    const char  *why;

    why = learn_check_host(host);

    if (why != NULL) {
        return why;
    }

    if (*psl == NULL) {
        *psl = psl_latest(NULL);
    }

    if (*psl == NULL) {
        return "there is no list of public suffixes to look it up in";
    }

    memcpy(text, host->data, host->len);
    text[host->len] = '\0';

    if (psl_is_public_suffix(*psl, text)) {
        return "below a public suffix everybody can have a host";
    }

    return NULL;
}


const char *
learn_check_owners(const miqps_str_t *one, const miqps_str_t *two,
    psl_ctx_t **psl)
{
    char         a[LEARN_MAX_DOMAIN + 1], b[LEARN_MAX_DOMAIN + 1];
    const char  *first, *second;

    if (miqps_str_eq(one, two)) {
        return NULL;
    }

    if (*psl == NULL) {
        *psl = psl_latest(NULL);
    }

    if (*psl == NULL) {
        return "there is no list of public suffixes to look it up in";
    }

    if (one->len > LEARN_MAX_DOMAIN || two->len > LEARN_MAX_DOMAIN) {
        return "a host has at most 253 bytes";
    }

    memcpy(a, one->data, one->len);
    a[one->len] = '\0';
    memcpy(b, two->data, two->len);
    b[two->len] = '\0';

    if (!learn_check_private(*psl, a) && !learn_check_private(*psl, b)) {
        return NULL;
    }

    first = psl_registrable_domain(*psl, a);
    second = psl_registrable_domain(*psl, b);

    if (first != NULL && second != NULL && strcmp(first, second) == 0) {
        return NULL;
    }

    return "below this public suffix hosts belong to different owners; give "
           "each of them a line of its own";
}


/* true if the suffix is one that its owner lets others have hosts below */

static int
learn_check_private(const psl_ctx_t *psl, const char *host)
{
    const char  *suffix;

    suffix = psl_unregistrable_domain(psl, host);

    return suffix != NULL
           && psl_is_public_suffix2(psl, suffix, PSL_TYPE_PRIVATE
                                                 |PSL_TYPE_NO_STAR_RULE);
}


const char *
learn_check_shape(const miqps_str_t *path, uint32_t *segments,
    uint32_t *literals)
{
    size_t    i;
    unsigned  star;

    *segments = 0;
    *literals = 0;

    if (path->len == 0 || path->data[0] != '/') {
        return "a path begins with \"/\"";
    }

    if (path->len > UINT16_MAX) {
        return "a path has at most 65535 bytes";
    }

    for (i = 0; i < path->len; i++) {

        if (path->data[i] <= ' ' || path->data[i] == 0x7f
            || path->data[i] == '?' || path->data[i] == '#')
        {
            return "a path has no spaces, \"?\" or \"#\"";
        }

        star = (path->data[i] == '*');

        if (star && (path->data[i - 1] != '/'
                     || (i + 1 < path->len && path->data[i + 1] != '/')))
        {
            return "\"*\" stands for a whole segment of a path";
        }

        if (star) {
            *literals &= ~(UINT32_C(1) << (*segments - 1));
        }

        if (path->data[i] != '/') {
            continue;
        }

        if (*segments == MIQPS_MAX_SEGMENTS) {
            return "a path has at most 32 segments";
        }

        *literals |= UINT32_C(1) << *segments;
        (*segments)++;
    }

    return NULL;
}


size_t
learn_check_escape(const miqps_str_t *text, uint8_t *out)
{
    size_t    i;
    uint8_t  *p;

    p = out;

    for (i = 0; i < text->len; i++) {

        if (text->data[i] < 0x80) {
            *p++ = text->data[i];
            continue;
        }

        *p++ = '%';
        *p++ = (uint8_t) "0123456789ABCDEF"[text->data[i] >> 4];
        *p++ = (uint8_t) "0123456789ABCDEF"[text->data[i] & 0x0f];
    }

    return (size_t) (p - out);
}


const char *
learn_check_name(const miqps_str_t *text, uint8_t *out, miqps_str_t *res)
{
    uint8_t      escaped[3 * LEARN_CHECK_MAX_NAME + 1];
    const char  *why;
    miqps_str_t  args;

    if (text->len > LEARN_CHECK_MAX_NAME) {
        return "a name has at most 4096 bytes";
    }

    args.data = escaped;
    args.len = learn_check_escape(text, escaped);

    if (miqps_escape_normalize(&args, out, res) != MIQPS_GUARD_PASS) {
        return "no parameter that is ever looked up has such a name";
    }

    if (res->data != out) {
        memcpy(out, res->data, res->len);
        res->data = out;
    }

    /* a name stands alone only with its "=" behind it */

    memcpy(escaped, out, res->len);
    escaped[res->len] = '=';

    args.len = res->len + 1;
    why = learn_check_one(&args, res->len);

    return (why == NULL) ? NULL
           : "no parameter that is ever looked up has such a name";
}


const char *
learn_check_value(const miqps_str_t *text, uint8_t *out, miqps_str_t *res)
{
    uint8_t      pair[2 * LEARN_CHECK_MAX_NAME];
    miqps_str_t  args;

    if (text->len > LEARN_CHECK_MAX_NAME) {
        return "a value has at most 4096 bytes";
    }

    if (miqps_escape_normalize(text, out, res) != MIQPS_GUARD_PASS) {
        return "no parameter that is ever looked up has such a value";
    }

    memcpy(pair, "a=", 2);

    if (res->len > 0) {
        memcpy(pair + 2, res->data, res->len);
    }

    args.data = pair;
    args.len = res->len + 2;

    return learn_check_one(&args, 1);
}


/* whether the core sees one parameter there, with a name of this length */

static const char *
learn_check_one(const miqps_str_t *args, size_t name_len)
{
    size_t         n, pieces;
    uint8_t        pool[4 * LEARN_CHECK_MAX_NAME];
    uint8_t        text[4 * LEARN_CHECK_MAX_NAME + MIQPS_QUERY_SLACK];
    miqps_str_t    copy;
    miqps_scan_t   scan;
    miqps_param_t  params[MIQPS_MAX_PARAMS];

    memcpy(text, args->data, args->len);
    miqps_query_pad(text + args->len);

    copy.data = text;
    copy.len = args->len;

    miqps_scan(&scan, &copy);

    if (miqps_query_split(&copy, &scan, pool, params, &n, &pieces)
        != MIQPS_GUARD_PASS
        || n != 1 || pieces != 1 || params[0].name_len != name_len)
    {
        return "no parameter that is ever looked up has such a value";
    }

    return NULL;
}


const char *
learn_check_time(const char *text, uint64_t *seconds)
{
    size_t    i;
    unsigned  year, month, day, hour, minute, second;

    static const char      form[] = "0000-00-00T00:00:00Z";
    static const unsigned  days[] = {
        31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
    };
    static const char      why[] = "a time is written as in "
                                   "\"2026-11-17T11:39:00Z\"";

    for (i = 0; text[i] != '\0' && i < sizeof(form) - 1; i++) {
        if ((form[i] == '0') ? (text[i] < '0' || text[i] > '9')
                             : text[i] != form[i])
        {
            return why;
        }
    }

    if (i != sizeof(form) - 1 || text[i] != '\0') {
        return why;
    }

    year = learn_check_digits(text, 4);
    month = learn_check_digits(text + 5, 2);
    day = learn_check_digits(text + 8, 2);
    hour = learn_check_digits(text + 11, 2);
    minute = learn_check_digits(text + 14, 2);
    second = learn_check_digits(text + 17, 2);

    if (year < 1970 || month < 1 || month > 12 || day < 1
        || day > days[month - 1] || hour > 23 || minute > 59 || second > 60
        || (month == 2 && day == 29
            && (year % 4 != 0 || (year % 100 == 0 && year % 400 != 0))))
    {
        return "there is no such time";
    }

    *seconds = learn_check_days(year, month, day) * 86400 + hour * 3600
               + minute * 60 + second;

    return NULL;
}


static unsigned
learn_check_digits(const char *text, size_t n)
{
    size_t    i;
    unsigned  number;

    number = 0;

    for (i = 0; i < n; i++) {
        number = 10 * number + (unsigned) (text[i] - '0');
    }

    return number;
}


/* since 1970; a year that begins with March has its odd day at the end */

static uint64_t
learn_check_days(unsigned year, unsigned month, unsigned day)
{
    if (month < 3) {
        year--;
        month += 12;
    }

    return (uint64_t) year * 365 + year / 4 - year / 100 + year / 400
           + (153 * (month - 3) + 2) / 5 + day - 719469;
}
