
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "corpus/absolute.h"
#include "learn.h"
#include "miqps_normalize.h"
#include "miqps_url.h"
#include "pattern.h"
#include "rules_options.h"


static int  learn_pattern_names(learn_pattern_of_t *pattern,
    const miqps_str_t *args);
static int  learn_pattern_sort(learn_pattern_of_t *pattern,
    miqps_param_t *params, size_t n);
static int  learn_pattern_cmp(const void *one, const void *two);


int
learn_pattern_of(learn_pattern_of_t *pattern, const char *url)
{
    uint8_t      buf[LEARN_ABSOLUTE_ROOM(LEARN_TARGET_MAX)];
    uint8_t      canon[MIQPS_MAX_HOST];
    miqps_str_t  in, clean, host;
    miqps_url_t  parts;

    in.data = (const uint8_t *) url;
    in.len = strlen(url);

    if (in.len > LEARN_TARGET_MAX
        || learn_absolute(&in, buf, &clean) != MIQPS_OK
        || clean.len > LEARN_TARGET_MAX
        || miqps_url_split(&parts, &clean) != MIQPS_OK
        || parts.host.len == 0
        || miqps_url_host(&parts.host, canon, &host) != MIQPS_OK)
    {
        return LEARN_EXIT_FAILED;
    }

    memcpy(pattern->host, host.data, host.len);
    pattern->host[host.len] = '\0';

    return learn_pattern_names(pattern, &parts.args);
}


/* split by the normalizer itself, under no rules */

static int
learn_pattern_names(learn_pattern_of_t *pattern, const miqps_str_t *args)
{
    int                     rc;
    size_t                  size;
    uint8_t                *buf;
    miqps_work_t           *work;
    miqps_result_t          res;
    miqps_request_t         req;
    learn_rules_options_t   rules;

    memset(&req, 0, sizeof(miqps_request_t));
    req.args = *args;

    size = miqps_normalize_bound(args->len);
    buf = malloc(size + 1);
    work = malloc(sizeof(miqps_work_t));

    learn_rules_options_init(&rules);
    rc = learn_rules_options_compile(&rules);

    if (rc == LEARN_EXIT_OK
        && (buf == NULL || work == NULL || args->len == 0
            || miqps_normalize(rules.policy, &req, work, buf, size, &res)
               != MIQPS_OK
            || res.guard != MIQPS_GUARD_PASS || res.nparams == 0
            || !learn_pattern_sort(pattern, work->params, res.nparams)))
    {
        rc = LEARN_EXIT_FAILED;
    }

    learn_rules_options_release(&rules);
    free(work);
    free(buf);

    return rc;
}


static int
learn_pattern_sort(learn_pattern_of_t *pattern, miqps_param_t *params,
    size_t n)
{
    size_t  i;
    char   *p;

    qsort(params, n, sizeof(miqps_param_t), learn_pattern_cmp);

    p = pattern->names;

    for (i = 0; i < n; i++) {

        if (i > 0 && learn_pattern_cmp(&params[i - 1], &params[i]) == 0) {
            continue;
        }

        if (i > 0) {
            *p++ = '&';
        }

        memcpy(p, params[i].name, params[i].name_len);
        p += params[i].name_len;
    }

    *p = '\0';

    return 1;
}


static int
learn_pattern_cmp(const void *one, const void *two)
{
    int                   rc;
    size_t                len;
    const miqps_param_t  *a, *b;

    a = one;
    b = two;
    len = (a->name_len < b->name_len) ? a->name_len : b->name_len;
    rc = memcmp(a->name, b->name, len);

    if (rc != 0) {
        return rc;
    }

    return (a->name_len > b->name_len) - (a->name_len < b->name_len);
}
