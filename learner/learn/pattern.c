
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "corpus/absolute.h"
#include "learn.h"
#include "miqps_url.h"
#include "pattern.h"


static void  learn_pattern_names(learn_pattern_of_t *pattern,
    miqps_param_t *params, size_t n);
static int  learn_pattern_cmp(const void *one, const void *two);


int
learn_patterns_init(learn_patterns_t *patterns)
{
    int  rc;

    memset(patterns, 0, sizeof(learn_patterns_t));

    learn_rules_options_init(&patterns->rules);
    rc = learn_rules_options_compile(&patterns->rules);
    patterns->normalizer.policy = patterns->rules.policy;

    return rc;
}


void
learn_patterns_release(learn_patterns_t *patterns)
{
    learn_normalizer_release(&patterns->normalizer);
    learn_rules_options_release(&patterns->rules);
}


int
learn_pattern_of(learn_patterns_t *patterns, learn_pattern_of_t *pattern,
    const miqps_str_t *url)
{
    uint8_t             buf[LEARN_ABSOLUTE_ROOM(LEARN_TARGET_MAX)];
    uint8_t             canon[MIQPS_MAX_HOST];
    miqps_str_t         clean, host;
    miqps_url_t         parts;
    learn_normalized_t  n;

    if (url->len > LEARN_TARGET_MAX
        || learn_absolute(url, buf, &clean) != MIQPS_OK
        || clean.len > LEARN_TARGET_MAX
        || miqps_url_split(&parts, &clean) != MIQPS_OK
        || parts.host.len == 0
        || miqps_url_host(&parts.host, canon, &host) != MIQPS_OK)
    {
        return LEARN_EXIT_REFUSED;
    }

    if (learn_normalizer_url(&patterns->normalizer, &clean, &n)
        != LEARN_EXIT_OK)
    {
        return LEARN_EXIT_FAILED;
    }

    if (n.guard != MIQPS_GUARD_PASS) {
        return LEARN_EXIT_REFUSED;
    }

    memcpy(pattern->host, host.data, host.len);
    pattern->host[host.len] = '\0';

    learn_pattern_names(pattern, patterns->normalizer.work.params, n.nparams);

    return LEARN_EXIT_OK;
}


static void
learn_pattern_names(learn_pattern_of_t *pattern, miqps_param_t *params,
    size_t n)
{
    size_t  i;
    char   *p;

    if (n > 1) {
        qsort(params, n, sizeof(miqps_param_t), learn_pattern_cmp);
    }

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
