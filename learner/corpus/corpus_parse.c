
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <arpa/inet.h>

#include "corpus.h"
#include "miqps_collect.h"
#include "miqps_url.h"


static learn_line_e  learn_corpus_target(learn_corpus_t *corpus,
    const learn_entry_t *entry, miqps_str_t *target);
static learn_line_e  learn_corpus_host_of(learn_corpus_t *corpus,
    const learn_entry_t *entry, const miqps_url_t *url, uint8_t *out,
    miqps_str_t *host);
static int  learn_corpus_is_number(const miqps_str_t *host);
static int  learn_corpus_is_address(const miqps_str_t *host, int family);
static int  learn_corpus_port_ok(const miqps_url_t *url);
static int  learn_corpus_bytes_ok(const miqps_str_t *text);
static learn_line_e  learn_corpus_judge(learn_corpus_t *corpus,
    const miqps_request_t *req);
static learn_line_e  learn_corpus_query(learn_corpus_t *corpus,
    miqps_request_t *req, size_t *nparams);
static void  learn_corpus_compose(learn_corpus_t *corpus,
    const learn_entry_t *entry, const miqps_url_t *url,
    const miqps_str_t *host, miqps_str_t *out);


static const char  *learn_line_texts[] = {
    [LEARN_LINE_TAKEN] = "taken",
    [LEARN_LINE_EMPTY] = "empty or a comment",
    [LEARN_LINE_FORM] = "not of the file's format",
    [LEARN_LINE_REQUEST] = "not a GET answered with 200",
    [LEARN_LINE_TYPE] = "not HTML",
    [LEARN_LINE_INDEX] = "the address of another sitemap",
    [LEARN_LINE_SYNTAX] = "not a URL",
    [LEARN_LINE_NO_HOST] = "without a host",
    [LEARN_LINE_BAD_HOST] = "not the name of a host",
    [LEARN_LINE_BYTES] = "with bytes no URL has",
    [LEARN_LINE_TOO_LONG] = "too long",
    [LEARN_LINE_USER] = "with a user's name",
    [LEARN_LINE_OPAQUE] = "with a query nobody reads the same",
    [LEARN_LINE_SECRET] = "signed or secret",
    [LEARN_LINE_PERSONAL] = "with something personal",
    [LEARN_LINE_ACT] = "doing something"
};


const char *
learn_line_text(learn_line_e line)
{
    return learn_line_texts[line];
}


learn_line_e
learn_corpus_parse(learn_corpus_t *corpus, const learn_entry_t *entry,
    miqps_request_t *req, uint8_t *host, size_t *nparams, miqps_str_t *url)
{
    miqps_str_t   target;
    miqps_url_t   parts;
    learn_line_e  what;

    what = learn_corpus_target(corpus, entry, &target);

    if (what != LEARN_LINE_TAKEN) {
        return what;
    }

    if (miqps_url_split(&parts, &target) != MIQPS_OK) {
        return LEARN_LINE_SYNTAX;
    }

    memset(req, 0, sizeof(miqps_request_t));

    what = learn_corpus_host_of(corpus, entry, &parts, host, &req->host);

    if (what != LEARN_LINE_TAKEN) {
        return what;
    }

    if (!learn_corpus_bytes_ok(&parts.path)) {
        return LEARN_LINE_BYTES;
    }

    req->path = parts.path;
    req->args = parts.args;

    what = learn_corpus_query(corpus, req, nparams);

    if (what == LEARN_LINE_TAKEN) {
        what = learn_corpus_judge(corpus, req);
    }

    if (what == LEARN_LINE_TAKEN) {
        learn_corpus_compose(corpus, entry, &parts, &req->host, url);
    }

    return what;
}


/* what a client sent is taken as it is; in a list, what it would send */

static learn_line_e
learn_corpus_target(learn_corpus_t *corpus, const learn_entry_t *entry,
    miqps_str_t *target)
{
    miqps_str_t  bare;

    bare = entry->target;

    if (!entry->listed) {
        *target = bare;
        return (bare.len > LEARN_CORPUS_MAX_URL) ? LEARN_LINE_TOO_LONG
                                                 : LEARN_LINE_TAKEN;
    }

    if (bare.len >= 3 && memcmp(bare.data, "\xef\xbb\xbf", 3) == 0) {
        bare.data += 3;
        bare.len -= 3;
    }

    while (bare.len > 0 && bare.data[0] <= ' ') {
        bare.data++;
        bare.len--;
    }

    while (bare.len > 0 && bare.data[bare.len - 1] <= ' ') {
        bare.len--;
    }

    if (bare.len == 0 || bare.data[0] == '#') {
        return LEARN_LINE_EMPTY;
    }

    if (bare.len > LEARN_CORPUS_MAX_URL) {
        return LEARN_LINE_TOO_LONG;
    }

    if (learn_absolute(&bare, corpus->clean, target) != MIQPS_OK) {
        return LEARN_LINE_SYNTAX;
    }

    return (target->len > LEARN_CORPUS_MAX_URL) ? LEARN_LINE_TOO_LONG
                                                : LEARN_LINE_TAKEN;
}


static learn_line_e
learn_corpus_host_of(learn_corpus_t *corpus, const learn_entry_t *entry,
    const miqps_url_t *url, uint8_t *out, miqps_str_t *host)
{
    const miqps_str_t  *name;

    name = (url->authority.len > 0) ? &url->host : &entry->host;

    if (name->len == 0) {
        *host = corpus->host;
        return (host->len > 0) ? LEARN_LINE_TAKEN : LEARN_LINE_NO_HOST;
    }

    if (url->authority.len > 0
        && memchr(url->authority.data, '@', url->authority.len) != NULL)
    {
        return LEARN_LINE_USER;
    }

    if (miqps_url_host(name, out, host) != MIQPS_OK
        || !learn_corpus_host_ok(host)
        || (url->authority.len > 0 && !learn_corpus_port_ok(url)))
    {
        return LEARN_LINE_BAD_HOST;
    }

    return LEARN_LINE_TAKEN;
}


int
learn_corpus_host_ok(const miqps_str_t *host)
{
    size_t   i;
    uint8_t  c, last;

    if (host->len > 0 && host->data[0] == '[') {
        return learn_corpus_is_address(host, AF_INET6);
    }

    last = '.';

    for (i = 0; i < host->len; i++) {
        c = host->data[i];

        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
              || c == '_' || (c == '.' && last != '.')))
        {
            return 0;
        }

        last = c;
    }

    return last != '.' && (!learn_corpus_is_number(host)
                           || learn_corpus_is_address(host, AF_INET));
}


/* what ends with a number, in decimal or with "0x", is no name */

static int
learn_corpus_is_number(const miqps_str_t *host)
{
    int             hex;
    const uint8_t  *p, *last;

    last = host->data + host->len;

    for (p = last; p > host->data && p[-1] != '.'; p--) {
        /* void */
    }

    hex = (last - p >= 2 && memcmp(p, "0x", 2) == 0);

    for (p += hex ? 2 : 0; p < last; p++) {
        if (!((*p >= '0' && *p <= '9') || (hex && *p >= 'a' && *p <= 'f'))) {
            return 0;
        }
    }

    return 1;
}


/* in brackets, if it is of IPv6 */

static int
learn_corpus_is_address(const miqps_str_t *host, int family)
{
    char             text[INET6_ADDRSTRLEN];
    size_t           len;
    struct in6_addr  addr;
    const uint8_t   *start;

    start = host->data;
    len = host->len;

    if (family == AF_INET6) {

        if (len < 2 || start[len - 1] != ']') {
            return 0;
        }

        start++;
        len -= 2;
    }

    if (len >= sizeof(text)) {
        return 0;
    }

    memcpy(text, start, len);
    text[len] = '\0';

    return inet_pton(family, text, &addr) == 1;
}


/* ":8080", or nothing */

static int
learn_corpus_port_ok(const miqps_url_t *url)
{
    unsigned        port;
    const uint8_t  *p, *end;

    p = url->host.data + url->host.len;
    end = url->authority.data + url->authority.len;

    if (p == end) {
        return 1;
    }

    for (port = 0, p++; p < end; p++) {

        if (*p < '0' || *p > '9') {
            return 0;
        }

        port = 10 * port + (*p - '0');

        if (port > 65535) {
            return 0;
        }
    }

    return 1;
}


static int
learn_corpus_bytes_ok(const miqps_str_t *text)
{
    size_t  i;

    for (i = 0; i < text->len; i++) {
        if (text->data[i] <= ' ' || text->data[i] == 0x7f) {
            return 0;
        }
    }

    return 1;
}


/* what nginx would not write down either */

static learn_line_e
learn_corpus_judge(learn_corpus_t *corpus, const miqps_request_t *req)
{
    switch (miqps_collect_judge(&corpus->memo, &req->path, &req->args,
                                corpus->judged)) {

    case MIQPS_COLLECT_PASS:
        return LEARN_LINE_TAKEN;

    case MIQPS_COLLECT_PERSONAL:
        return LEARN_LINE_PERSONAL;

    case MIQPS_COLLECT_ACT:
        return LEARN_LINE_ACT;

    default: /* MIQPS_COLLECT_SECRET */
        return LEARN_LINE_SECRET;
    }
}


static learn_line_e
learn_corpus_query(learn_corpus_t *corpus, miqps_request_t *req,
    size_t *nparams)
{
    miqps_result_t  res;

    *nparams = 0;

    if (req->args.len == 0) {
        return LEARN_LINE_TAKEN;
    }

    if (miqps_normalize(corpus->rules.policy, req, &corpus->work, corpus->buf,
                        miqps_normalize_bound(LEARN_CORPUS_MAX_URL), &res)
        != MIQPS_OK)
    {
        return LEARN_LINE_TOO_LONG;
    }

    switch (res.guard) {

    case MIQPS_GUARD_PASS:
        break;

    case MIQPS_GUARD_SIGNED:
    case MIQPS_GUARD_OAUTH:
    case MIQPS_GUARD_SECRET:
        return LEARN_LINE_SECRET;

    default:
        return LEARN_LINE_OPAQUE;
    }

    *nparams = res.nparams;

    return LEARN_LINE_TAKEN;
}


/* as it came, but for the host's case, a port that says nothing, "#..." */

static void
learn_corpus_compose(learn_corpus_t *corpus, const learn_entry_t *entry,
    const miqps_url_t *url, const miqps_str_t *host, miqps_str_t *out)
{
    int             https;
    size_t          len;
    uint8_t        *p;
    const uint8_t  *port, *end;

    https = (url->scheme.len > 0) ? (url->scheme.len != 4) : !entry->http;
    p = corpus->url;

    memcpy(p, https ? "https://" : "http://", 8);
    p += https ? 8 : 7;

    memcpy(p, host->data, host->len);
    p += host->len;

    if (url->authority.len > 0) {
        port = url->host.data + url->host.len;
        end = url->authority.data + url->authority.len;
        len = (size_t) (end - port);

        while (len > 2 && port[1] == '0') {
            port++;
            len--;
        }

        if (len > 1
            && !(https && len == 4 && memcmp(port + 1, "443", 3) == 0)
            && !(!https && len == 3 && memcmp(port + 1, "80", 2) == 0))
        {
            *p++ = ':';
            memcpy(p, port + 1, len - 1);
            p += len - 1;
        }
    }

    if (url->path.len == 0) {
        *p++ = '/';

    } else {
        memcpy(p, url->path.data, url->path.len);
        p += url->path.len;
    }

    if (url->args.len > 0) {
        *p++ = '?';
        memcpy(p, url->args.data, url->args.len);
        p += url->args.len;
    }

    out->data = corpus->url;
    out->len = (size_t) (p - corpus->url);
}
