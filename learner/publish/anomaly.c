
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "anomaly.h"
#include "anomaly_rules.h"
#include "learn.h"


/* a value that no site has for a default, and hosts below a wildcard */

#define LEARN_ANOMALY_VALUE  "zq7"
#define LEARN_ANOMALY_BELOW  "zq7."


typedef struct {
    learn_anomaly_t              *anomaly;
    const learn_index_host_t     *host;
    const learn_view_pattern_t   *pattern;
    uint8_t                      *lost;
    size_t                        nlost;
} learn_anomaly_try_t;


static int  learn_anomaly_pattern(learn_anomaly_try_t *at);
static int  learn_anomaly_path(learn_anomaly_try_t *at,
    const miqps_str_t *shape);
static int  learn_anomaly_values(learn_anomaly_try_t *at,
    const miqps_str_t *shape, uint32_t which);
static int  learn_anomaly_url(learn_anomaly_try_t *at,
    const miqps_str_t *shape, uint32_t which, const miqps_str_t *value);
static int  learn_anomaly_write(learn_anomaly_try_t *at,
    const miqps_str_t *shape, uint32_t which, const miqps_str_t *value,
    miqps_str_t *url);
static uint8_t  *learn_anomaly_put(uint8_t *p, const void *data, size_t len);
static uint8_t  *learn_anomaly_put_path(uint8_t *p, const miqps_str_t *shape);
static const miqps_param_t  *learn_anomaly_param(const learn_normalized_t *n,
    const miqps_str_t *name);


int
learn_anomaly_init(learn_anomaly_t *anomaly, const char *command,
    const miqps_image_t *old, const miqps_image_t *new)
{
    int  rc;

    memset(anomaly, 0, sizeof(learn_anomaly_t));

    learn_rules_options_init(&anomaly->rules);
    rc = learn_rules_options_compile(&anomaly->rules);

    anomaly->before.policy = anomaly->rules.policy;
    anomaly->before.image = old;
    anomaly->before.paths = 1;
    anomaly->after.policy = anomaly->rules.policy;
    anomaly->after.image = new;
    anomaly->after.paths = 1;

    if (rc == LEARN_EXIT_OK
        && !(learn_index_init(&anomaly->old, old)
             && learn_index_init(&anomaly->new, new)))
    {
        learn_complain("%s: out of memory", command);
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


void
learn_anomaly_release(learn_anomaly_t *anomaly)
{
    learn_view_release(&anomaly->view);
    learn_view_release(&anomaly->next);
    learn_index_release(&anomaly->old);
    learn_index_release(&anomaly->new);
    learn_normalizer_release(&anomaly->before);
    learn_normalizer_release(&anomaly->after);
    learn_rules_options_release(&anomaly->rules);
    free(anomaly->url);
}


int
learn_anomaly_host(learn_anomaly_t *anomaly, const learn_index_host_t *host,
    learn_anomaly_pattern_t **list, size_t *n)
{
    size_t                     i;
    const uint8_t             *before, *after;
    const learn_index_host_t  *next;
    learn_anomaly_try_t        at;
    learn_anomaly_pattern_t   *found;

    *n = 0;
    *list = NULL;
    before = (host->target != NULL) ? host->target : host->record;

    if (!learn_view_read(&anomaly->view, anomaly->old.image, before)) {
        return 0;
    }

    anomaly->next.npatterns = 0;
    anomaly->ndropped = 0;
    memset(anomaly->dropped, 0, sizeof(anomaly->dropped));

    after = NULL;
    next = learn_index_find(&anomaly->new, host);

    if (next != NULL) {
        after = (next->target != NULL) ? next->target : next->record;

        if (!learn_view_read(&anomaly->next, anomaly->new.image, after)) {
            return 0;
        }
    }

    found = calloc(anomaly->view.npatterns + 1,
                   sizeof(learn_anomaly_pattern_t));

    if (found == NULL) {
        return 0;
    }

    *list = found;

    for (i = 0; i < anomaly->view.npatterns; i++) {
        at.anomaly = anomaly;
        at.host = host;
        at.pattern = &anomaly->view.patterns[i];
        at.lost = found[*n].lost;
        at.nlost = 0;

        if (!learn_anomaly_pattern(&at)
            || (after != NULL
                && !learn_anomaly_by_rules(anomaly, host, after, at.pattern,
                                           at.lost, &at.nlost)))
        {
            return 0;
        }

        if (at.nlost > 0) {
            found[(*n)++].pattern = i;
        }
    }

    return after == NULL || learn_anomaly_of_rules(anomaly, host, before);
}


static int
learn_anomaly_pattern(learn_anomaly_try_t *at)
{
    size_t              i;
    const miqps_str_t  *shape;
    const miqps_str_t   none = miqps_null_str;

    if (!learn_anomaly_path(at, (at->pattern->path.len > 0)
                                ? &at->pattern->path : &none))
    {
        return 0;
    }

    for (i = 0; i < at->anomaly->next.npatterns; i++) {
        shape = &at->anomaly->next.patterns[i].path;

        if (shape->len > 0 && !learn_anomaly_path(at, shape)) {
            return 0;
        }
    }

    return 1;
}


/* URLs at a path of the shape, with values of no meaning and with defaults */

static int
learn_anomaly_path(learn_anomaly_try_t *at, const miqps_str_t *shape)
{
    uint32_t  i;

    if (!learn_anomaly_url(at, shape, UINT32_MAX, NULL)) {
        return 0;
    }

    for (i = 0; i < at->pattern->nparams; i++) {
        if (!learn_anomaly_values(at, shape, i)) {
            return 0;
        }
    }

    return 1;
}


static int
learn_anomaly_values(learn_anomaly_try_t *at, const miqps_str_t *shape,
    uint32_t which)
{
    size_t                     i;
    uint32_t                   k;
    const learn_view_param_t  *param;

    for (i = 0; i < at->anomaly->next.npatterns; i++) {
        for (k = 0; k < at->anomaly->next.patterns[i].nparams; k++) {
            param = &at->anomaly->next.patterns[i].params[k];

            if (param->value.data != NULL
                && miqps_str_eq(&param->name,
                                &at->pattern->params[which].name)
                && !learn_anomaly_url(at, shape, which, &param->value))
            {
                return 0;
            }
        }
    }

    return 1;
}


/* one URL, under both maps */

static int
learn_anomaly_url(learn_anomaly_try_t *at, const miqps_str_t *shape,
    uint32_t which, const miqps_str_t *value)
{
    uint8_t               kept[MIQPS_MAX_PATTERN];
    uint32_t              i;
    miqps_str_t           url;
    learn_normalized_t    n;
    const miqps_param_t  *param;

    if (!learn_anomaly_write(at, shape, which, value, &url)
        || learn_normalizer_url(&at->anomaly->before, &url, &n)
           != LEARN_EXIT_OK)
    {
        return 0;
    }

    for (i = 0; i < at->pattern->nparams; i++) {
        param = learn_anomaly_param(&n, &at->pattern->params[i].name);
        kept[i] = (param != NULL && param->action == MIQPS_KEEP
                   && param->why == MIQPS_WHY_MATTERS);
    }

    if (learn_normalizer_url(&at->anomaly->after, &url, &n) != LEARN_EXIT_OK) {
        return 0;
    }

    for (i = 0; i < at->pattern->nparams; i++) {
        param = learn_anomaly_param(&n, &at->pattern->params[i].name);

        /* what is left to the page's script is not sent to the site */

        if (kept[i] && !at->lost[i] && param != NULL
            && (param->action == MIQPS_STRIP
                || param->why == MIQPS_WHY_CLIENT))
        {
            at->lost[i] = 1;
            at->nlost++;
        }
    }

    return 1;
}


static const miqps_param_t *
learn_anomaly_param(const learn_normalized_t *n, const miqps_str_t *name)
{
    size_t  i;

    if (n->guard != MIQPS_GUARD_PASS) {
        return NULL;
    }

    for (i = 0; i < n->nparams; i++) {
        if (n->params[i].name_len == name->len
            && memcmp(n->params[i].name, name->data, name->len) == 0)
        {
            return &n->params[i];
        }
    }

    return NULL;
}


/* "http://host/path?a=zq7&b=value" */

static int
learn_anomaly_write(learn_anomaly_try_t *at, const miqps_str_t *shape,
    uint32_t which, const miqps_str_t *value, miqps_str_t *url)
{
    char                        *buf;
    size_t                       size;
    uint32_t                     i;
    uint8_t                     *p;
    const learn_view_pattern_t  *pattern;

    pattern = at->pattern;
    size = sizeof("http://" LEARN_ANOMALY_BELOW "/?") + at->host->host.len
           + shape->len + ((value != NULL) ? value->len : 0);

    for (i = 0; i < pattern->nparams; i++) {
        size += pattern->params[i].name.len + sizeof(LEARN_ANOMALY_VALUE "&=");
    }

    if (size > at->anomaly->size) {
        buf = realloc(at->anomaly->url, size);

        if (buf == NULL) {
            return 0;
        }

        at->anomaly->url = buf;
        at->anomaly->size = size;
    }

    url->data = (uint8_t *) at->anomaly->url;
    p = (uint8_t *) at->anomaly->url;

    p = learn_anomaly_put(p, "http://", 7);

    if (at->host->wildcard) {
        p = learn_anomaly_put(p, LEARN_ANOMALY_BELOW,
                              sizeof(LEARN_ANOMALY_BELOW) - 1);
    }

    p = learn_anomaly_put(p, at->host->host.data, at->host->host.len);
    p = learn_anomaly_put_path(p, shape);

    for (i = 0; i < pattern->nparams; i++) {
        *p++ = (i == 0) ? '?' : '&';
        p = learn_anomaly_put(p, pattern->params[i].name.data,
                              pattern->params[i].name.len);
        *p++ = '=';

        if (i == which) {
            p = learn_anomaly_put(p, value->data, value->len);

        } else {
            p = learn_anomaly_put(p, LEARN_ANOMALY_VALUE,
                                  sizeof(LEARN_ANOMALY_VALUE) - 1);
        }
    }

    url->len = (size_t) (p - url->data);

    return 1;
}


static uint8_t *
learn_anomaly_put(uint8_t *p, const void *data, size_t len)
{
    memcpy(p, data, len);

    return p + len;
}


/* "*" stands for one segment, and so does "x"; no shape is any path */

static uint8_t *
learn_anomaly_put_path(uint8_t *p, const miqps_str_t *shape)
{
    size_t  i;

    if (shape->len == 0) {
        *p++ = '/';
        return p;
    }

    for (i = 0; i < shape->len; i++) {
        *p++ = (shape->data[i] == '*') ? 'x' : shape->data[i];
    }

    return p;
}
