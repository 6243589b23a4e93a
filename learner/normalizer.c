
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "miqps_url.h"
#include "normalizer.h"


static int  learn_normalizer_room(learn_normalizer_t *norm, size_t len);


int
learn_normalizer_url(learn_normalizer_t *norm, const miqps_str_t *line,
    learn_normalized_t *n)
{
    uint8_t          host[MIQPS_MAX_HOST];
    miqps_str_t      bare;
    miqps_url_t      url;
    miqps_result_t   res;
    miqps_request_t  req;

    memset(n, 0, sizeof(learn_normalized_t));

    n->line = *line;
    n->result = *line;

    bare = *line;

    /* a byte order mark, or what files from elsewhere end their lines with */

    if (bare.len >= 3 && memcmp(bare.data, "\xef\xbb\xbf", 3) == 0) {
        bare.data += 3;
        bare.len -= 3;
    }

    if (bare.len > 0 && bare.data[bare.len - 1] == '\r') {
        bare.len--;
    }

    memset(&req, 0, sizeof(miqps_request_t));

    if (miqps_url_split(&url, &bare) != MIQPS_OK
        || miqps_url_host(&url.host, host, &req.host) != MIQPS_OK)
    {
        return LEARN_EXIT_OK;
    }

    if (norm->host.len > 0) {
        req.host = norm->host;
    }

    req.path = url.path;
    req.args = url.args;
    req.image = norm->image;
    req.sort = norm->sort;
    req.shown = 1;

    /* a host that is not in the URL, or not its own, cannot become another */

    req.stay = (url.authority.len == 0 || norm->host.len > 0);

    if (learn_normalizer_room(norm, line->len) != LEARN_EXIT_OK) {
        learn_complain("out of memory");
        return LEARN_EXIT_FAILED;
    }

    req.second = norm->second;

    if (miqps_normalize(norm->policy, &req, &norm->work, norm->buf, norm->size,
                        &res)
        != MIQPS_OK)
    {
        learn_complain("out of memory");
        return LEARN_EXIT_FAILED;
    }

    n->url = 1;
    n->query = (url.args.len > 0);
    n->guard = res.guard;
    n->params = norm->work.params;
    n->nparams = res.nparams;
    n->nstripped = res.nstripped;
    n->image = req.image;
    n->entry = res.entry;
    n->moved = res.moved;
    n->rule = res.rule;
    n->host_rule = res.host_rule;
    n->record = res.record;

    if (res.guard != MIQPS_GUARD_PASS) {
        n->nparams = miqps_query_pieces(&url.args, norm->work.params);
    }

    n->result.data = norm->out;
    n->result.len = miqps_url_compose(&url, line,
                                      miqps_str_eq(&res.host, &req.host)
                                      ? NULL : &res.host,
                                      res.moved ? &res.path : NULL, &res.args,
                                      norm->out);
    n->changed = !miqps_str_eq(&n->result, line);

    return LEARN_EXIT_OK;
}


/* room for a line of "len" bytes, and for what the core makes of it */

static int
learn_normalizer_room(learn_normalizer_t *norm, size_t len)
{
    size_t    size;
    uint8_t  *buf, *out;

    if (norm->out_size > len + MIQPS_PATHS_GROWTH + MIQPS_MAX_HOST) {
        return LEARN_EXIT_OK;
    }

    len = 2 * len + 4096;

    buf = realloc(norm->buf, miqps_normalize_bound(len));

    if (buf == NULL) {
        return LEARN_EXIT_FAILED;
    }

    norm->buf = buf;
    norm->size = miqps_normalize_bound(len);

    if (norm->paths && norm->image != NULL) {
        if (norm->second == NULL) {
            norm->second = calloc(1, sizeof(miqps_second_t));
        }

        size = miqps_second_bound(len, len);
        buf = (norm->second != NULL) ? realloc(norm->second->buf, size) : NULL;

        if (buf == NULL) {
            return LEARN_EXIT_FAILED;
        }

        norm->second->buf = buf;
        norm->second->size = size;
    }

    size = len + MIQPS_PATHS_GROWTH + MIQPS_MAX_HOST + 1;
    out = realloc(norm->out, size);

    if (out == NULL) {
        return LEARN_EXIT_FAILED;
    }

    norm->out = out;
    norm->out_size = size;

    return LEARN_EXIT_OK;
}


void
learn_normalizer_release(learn_normalizer_t *norm)
{
    if (norm->second != NULL) {
        free(norm->second->buf);
    }

    free(norm->second);
    free(norm->buf);
    free(norm->out);
}
