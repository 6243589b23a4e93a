
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "../support/generate.h"
#include "../support/page.h"
#include "miqps_normalize.h"
#include "miqps_url.h"


/*
 * A URL, at the end of a page: taken apart and put together again it is the
 * same, its parts lie in it, and its query is normalized under the rules of
 * its host.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static generate_policy_t  policy;
static miqps_work_t       work;
static page_t             in, out;


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static void
prepare(void)
{
    dice_t  dice;

    dice_init(&dice, 20, 9);
    generate_policy(&dice, &policy);

    page_init(&in, GENERATE_MAX_LEN);
    page_init(&out, miqps_normalize_bound(GENERATE_MAX_LEN));
}


/* goes on behind "part", which must begin at "p" */

static const uint8_t *
behind(const uint8_t *p, const miqps_str_t *part)
{
    require(part->len == 0 || part->data == p);

    return p + part->len;
}


static void
check_parts(const miqps_str_t *text, const miqps_url_t *url)
{
    const uint8_t  *p;

    p = text->data;

    if (url->scheme.len > 0) {
        p = behind(p, &url->scheme);
        require(*p++ == ':');
    }

    if (url->authority.len > 0) {
        require(p[0] == '/' && p[1] == '/');
        p = behind(p + 2, &url->authority);

        require(url->host.len > 0);
        require(url->host.data >= url->authority.data);
        require(url->host.data + url->host.len <= p);

    } else {
        require(url->scheme.len == 0 && url->host.len == 0);
        require(url->path.len > 0 && url->path.data[0] == '/');
    }

    p = behind(p, &url->path);

    if (url->query) {
        require(*p++ == '?');
        p = behind(p, &url->args);

    } else {
        require(url->args.len == 0);
    }

    require(url->fragment.len == 0 || *p == '#');
    p = behind(p, &url->fragment);

    require(p == text->data + text->len);
}


static void
check_host(const miqps_str_t *host, miqps_str_t *canon)
{
    size_t       i;
    miqps_str_t  again;

    static uint8_t  buf[MIQPS_MAX_HOST], other[MIQPS_MAX_HOST];

    if (miqps_url_host(host, buf, canon) != MIQPS_OK) {
        require(host->len > MIQPS_MAX_HOST);
        canon->len = 0;
        return;
    }

    require(canon->len == host->len || canon->len + 1 == host->len);

    for (i = 0; i < canon->len; i++) {
        require(canon->data[i] < 'A' || canon->data[i] > 'Z');
    }

    require(miqps_url_host(canon, other, &again) == MIQPS_OK);
    require(again.len <= canon->len);
    require(memcmp(again.data, canon->data, again.len) == 0);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t           room;
    miqps_str_t      text;
    miqps_url_t      url;
    miqps_result_t   res;
    miqps_request_t  req;

    if (policy.policy == NULL) {
        prepare();
    }

    if (size > GENERATE_MAX_LEN) {
        return 0;
    }

    text.data = page_put(&in, data, size);
    text.len = size;

    if (miqps_url_split(&url, &text) != MIQPS_OK) {
        return 0;
    }

    check_parts(&text, &url);

    memset(&req, 0, sizeof(req));

    check_host(&url.host, &req.host);

    req.path = url.path;
    req.args = url.args;
    req.sort = size & 1;

    room = miqps_normalize_bound(req.args.len);

    require(miqps_normalize(policy.policy, &req, &work, page_tail(&out, room),
                            room, &res)
            == MIQPS_OK);
    require(res.args.len <= req.args.len);

    return 0;
}
