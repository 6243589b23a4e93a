
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "miqps_escape.h"
#include "miqps_url.h"
#include "target.h"


static int  learn_target_bytes_ok(const miqps_str_t *url);
static int  learn_target_path_ok(const miqps_str_t *path);
static int  learn_target_host_ok(const miqps_url_t *parts);
static int  learn_target_named(const uint8_t *piece, size_t len,
    const miqps_str_t *name);


static const char *const  learn_target_texts[] = {
    [LEARN_TARGET_OK] = "may be fetched",
    [LEARN_TARGET_FORM] = "is no URL to fetch",
    [LEARN_TARGET_HOST] = "is of a host that was not asked for",
    [LEARN_TARGET_SECRET] = "is signed, secret or personal",
    [LEARN_TARGET_ACT] = "would do something"
};


const char *
learn_target_text(learn_target_e why)
{
    return learn_target_texts[why];
}


int
learn_hosts_read(learn_hosts_t *hosts, const char *command, char **names)
{
    size_t       n;
    miqps_str_t  host;

    for (n = 0; names[n] != NULL; n++) { /* void */ }

    hosts->list = calloc(n + 1, sizeof(miqps_str_t));

    if (hosts->list == NULL) {
        learn_complain("%s: out of memory", command);
        return LEARN_EXIT_FAILED;
    }

    for (/* void */ ; *names != NULL; names++) {
        host.data = (const uint8_t *) *names;
        host.len = strlen(*names);

        if (host.len == 0
            || miqps_url_host(&host, (uint8_t *) *names,
                              &hosts->list[hosts->n++])
               != MIQPS_OK)
        {
            learn_complain("%s: '%s' is not the name of a host", command,
                           *names);
            return LEARN_EXIT_USAGE;
        }
    }

    return -1;
}


int
learn_hosts_have(const learn_hosts_t *hosts, const miqps_str_t *host)
{
    size_t              i, len;
    const miqps_str_t  *one;

    if (hosts->any) {
        return 1;
    }

    for (i = 0; i < hosts->n; i++) {
        one = &hosts->list[i];

        if (one->len > 2 && one->data[0] == '*') {
            len = one->len - 1;

            if (host->len > len
                && memcmp(host->data + host->len - len, one->data + 1, len)
                   == 0)
            {
                return 1;
            }

            continue;
        }

        if (miqps_str_eq(one, host)) {
            return 1;
        }
    }

    return 0;
}


learn_target_e
learn_target_check(const miqps_str_t *url, const learn_hosts_t *hosts,
    miqps_collect_memo_t *memo, learn_target_t *target)
{
    uint8_t          buf[LEARN_TARGET_MAX];
    miqps_url_t      parts;
    const uint8_t   *last;
    miqps_collect_e  collect;

    memset(target, 0, sizeof(learn_target_t));

    if (url->len > LEARN_TARGET_MAX || !learn_target_bytes_ok(url)
        || miqps_url_split(&parts, url) != MIQPS_OK || parts.scheme.len == 0
        || parts.fragment.len > 0 || !learn_target_host_ok(&parts))
    {
        return LEARN_TARGET_FORM;
    }

    target->scheme = parts.scheme;
    target->authority = parts.authority;
    target->host = parts.host;
    target->path = parts.path;
    target->args = parts.args;

    last = url->data + url->len;
    target->target.data = parts.path.data;
    target->target.len = (size_t) (last - parts.path.data);

    if (target->target.len == 0 || target->target.data[0] != '/'
        || !learn_target_path_ok(&parts.path))
    {
        return LEARN_TARGET_FORM;
    }

    if (!learn_hosts_have(hosts, &target->host)) {
        return LEARN_TARGET_HOST;
    }

    collect = miqps_collect_judge(memo, &parts.path, &parts.args, buf);

    if (collect == MIQPS_COLLECT_PASS) {
        return LEARN_TARGET_OK;
    }

    return (collect == MIQPS_COLLECT_ACT) ? LEARN_TARGET_ACT
                                          : LEARN_TARGET_SECRET;
}


/* nothing that could end a line, a field, or a URL for somebody */

static int
learn_target_bytes_ok(const miqps_str_t *url)
{
    size_t  i;

    for (i = 0; i < url->len; i++) {
        if (url->data[i] <= ' ' || url->data[i] == 0x7f
            || url->data[i] == '#')
        {
            return 0;
        }
    }

    return url->len > 0;
}


/* no segment that is "." or "..", as they are or escaped: who knows where */

static int
learn_target_path_ok(const miqps_str_t *path)
{
    size_t   i, dots, others;
    uint8_t  c;

    dots = 0;
    others = 0;

    for (i = 0; i <= path->len; i++) {
        c = (i < path->len) ? path->data[i] : '/';

        if (c == '/') {

            if (dots > 0 && dots < 3 && others == 0) {
                return 0;
            }

            dots = 0;
            others = 0;

        } else if (c == '.') {
            dots++;

        } else if (c == '%' && path->len - i > 2 && path->data[i + 1] == '2'
                   && (path->data[i + 2] | 0x20) == 'e')
        {
            dots++;
            i += 2;

        } else {
            others++;
        }
    }

    return 1;
}


/* no user, a host in lower case, and a port that is a number */

static int
learn_target_host_ok(const miqps_url_t *parts)
{
    size_t          i;
    uint8_t         c;
    const uint8_t  *p, *last;

    if (parts->authority.len == 0
        || parts->host.data != parts->authority.data
        || parts->host.len > MIQPS_MAX_HOST)
    {
        return 0;
    }

    for (i = 0; i < parts->host.len; i++) {
        c = parts->host.data[i];

        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
              || c == '_' || c == '.' || c == ':' || c == '[' || c == ']'))
        {
            return 0;
        }
    }

    p = parts->host.data + parts->host.len;
    last = parts->authority.data + parts->authority.len;

    for (i = 0; p < last; p++, i++) {
        if (i == 0 ? *p != ':' : (*p < '0' || *p > '9')) {
            return 0;
        }
    }

    return i <= 6;
}


size_t
learn_target_without(const miqps_str_t *url, const miqps_str_t *name,
    uint8_t *out, size_t *found)
{
    size_t          len;
    uint8_t         sign, *p;
    const uint8_t  *piece, *last, *end, *mark;

    *found = 0;

    last = url->data + url->len;
    mark = memchr(url->data, '?', url->len);

    if (mark == NULL) {
        memcpy(out, url->data, url->len);
        return url->len;
    }

    len = (size_t) (mark - url->data);
    memcpy(out, url->data, len);
    p = out + len;
    sign = '?';

    for (piece = mark + 1; piece <= last; piece = end + 1) {
        end = (piece < last) ? memchr(piece, '&', (size_t) (last - piece))
                             : NULL;
        end = (end != NULL) ? end : last;
        len = (size_t) (end - piece);

        if (len > 0 && learn_target_named(piece, len, name)) {
            (*found)++;
            continue;
        }

        *p++ = sign;
        memcpy(p, piece, len);
        p += len;
        sign = '&';
    }

    /* a query that is empty now is none, unless it was so */

    return (size_t) (p - out);
}


static int
learn_target_named(const uint8_t *piece, size_t len, const miqps_str_t *name)
{
    uint8_t         buf[LEARN_TARGET_MAX];
    miqps_str_t     raw, plain;
    const uint8_t  *equal;

    equal = memchr(piece, '=', len);

    raw.data = piece;
    raw.len = (equal != NULL) ? (size_t) (equal - piece) : len;

    if (raw.len < name->len) {
        return 0;
    }

    plain = raw;

    if (raw.len > 0
        && miqps_escape_normalize(&raw, buf, &plain) != MIQPS_GUARD_PASS)
    {
        return 0;
    }

    return miqps_str_eq(&plain, name);
}


int
learn_target_brakes(const miqps_str_t *name)
{
    char    plain[16];
    size_t  i, n;

    static const char *const  brakes[] = {
        "confirm", "confirmed", "confirmation", "preview", "dryrun",
        "simulate", "simulation", "readonly", "noop", NULL
    };

    for (i = 0, n = 0; i < name->len; i++) {

        if (name->data[i] == '_' || name->data[i] == '-') {
            continue;
        }

        if (n == sizeof(plain) - 1) {
            return 0;
        }

        plain[n++] = (char) (name->data[i] | 0x20);
    }

    plain[n] = '\0';

    for (i = 0; brakes[i] != NULL; i++) {
        if (strcmp(plain, brakes[i]) == 0) {
            return 1;
        }
    }

    return 0;
}
