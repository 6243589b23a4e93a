
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anomaly.h"
#include "anomaly_rules.h"
#include "learn.h"
#include "miqps_map.h"


typedef struct {
    learn_anomaly_t              *anomaly;
    const learn_view_pattern_t   *pattern;
    int                           added;     /* it is of the new map */
    uint8_t                      *lost;
    size_t                        nlost;
} learn_anomaly_try_t;


static int  learn_anomaly_name(learn_anomaly_t *anomaly,
    const learn_index_host_t *host);
static int  learn_anomaly_taken(const learn_anomaly_t *anomaly,
    const char *name, int wildcard);
static const uint8_t  *learn_anomaly_serves(const learn_index_t *index,
    const char *name);
static int  learn_anomaly_read(learn_anomaly_t *anomaly);
static int  learn_anomaly_defaults(learn_anomaly_t *anomaly);
static int  learn_anomaly_added(learn_anomaly_t *anomaly);
static int  learn_anomaly_path(const miqps_str_t *shape, void *data);
static int  learn_anomaly_values(learn_anomaly_try_t *at,
    const miqps_str_t *shape, uint32_t which);
static int  learn_anomaly_url(learn_anomaly_try_t *at,
    const miqps_str_t *shape, uint32_t which, const miqps_str_t *value);
static void  learn_anomaly_kept(const learn_anomaly_try_t *at,
    const learn_normalized_t *n, uint8_t *kept);
static int  learn_anomaly_write(learn_anomaly_try_t *at,
    const miqps_str_t *shape, uint32_t which, const miqps_str_t *value,
    miqps_str_t *url);
static uint8_t  *learn_anomaly_put(uint8_t *p, const void *data, size_t len);
static uint8_t  *learn_anomaly_put_path(uint8_t *p, const miqps_str_t *shape,
    const char *word);
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
    free(anomaly->added);
    free(anomaly->defaults);
    learn_shapes_release(&anomaly->shapes);
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
    learn_anomaly_try_t        at;
    learn_anomaly_pattern_t   *found;

    *n = 0;
    *list = NULL;

    if (!learn_anomaly_name(anomaly, host) || !learn_anomaly_read(anomaly)) {
        return 0;
    }

    found = calloc(anomaly->view.npatterns + 1,
                   sizeof(learn_anomaly_pattern_t));

    if (found == NULL) {
        return 0;
    }

    *list = found;

    memset(&at, 0, sizeof(learn_anomaly_try_t));
    at.anomaly = anomaly;

    for (i = 0; i < anomaly->view.npatterns; i++) {
        at.pattern = &anomaly->view.patterns[i];
        at.lost = found[*n].lost;
        at.nlost = 0;

        if (!learn_shapes_each(&anomaly->shapes, &at.pattern->path,
                               learn_anomaly_path, &at)
            || !learn_anomaly_by_rules(anomaly, at.pattern, at.lost,
                                       &at.nlost))
        {
            return 0;
        }

        if (at.nlost > 0) {
            found[(*n)++].pattern = i;
        }
    }

    return learn_anomaly_added(anomaly) && learn_anomaly_of_rules(anomaly);
}


/* a wildcard has hosts below it, of which none is another entry's */

static int
learn_anomaly_name(learn_anomaly_t *anomaly, const learn_index_host_t *host)
{
    unsigned  i;

    for (i = 0; i < 1000; i++) {
        (void) snprintf(anomaly->name, sizeof(anomaly->name), "%.*s",
                        (int) host->host.len, (const char *) host->host.data);

        if (!host->wildcard) {
            return 1;
        }

        (void) snprintf(anomaly->name, sizeof(anomaly->name), "zq%u.%.*s",
                        i + 7, (int) host->host.len,
                        (const char *) host->host.data);

        if (!learn_anomaly_taken(anomaly, anomaly->name, 0)
            && !learn_anomaly_taken(anomaly, anomaly->name, 1))
        {
            return 1;
        }
    }

    return 1;
}


static int
learn_anomaly_taken(const learn_anomaly_t *anomaly, const char *name,
    int wildcard)
{
    learn_index_host_t  wanted;

    memset(&wanted, 0, sizeof(learn_index_host_t));

    wanted.host.data = (const uint8_t *) name;
    wanted.host.len = strlen(name);
    wanted.wildcard = wildcard;

    return learn_index_find(&anomaly->old, &wanted) != NULL
           || learn_index_find(&anomaly->new, &wanted) != NULL;
}


static const uint8_t *
learn_anomaly_serves(const learn_index_t *index, const char *name)
{
    miqps_str_t  host;

    host.data = (const uint8_t *) name;
    host.len = strlen(name);

    return (index->n > 0) ? miqps_map_host(index->image, &host) : NULL;
}


static int
learn_anomaly_read(learn_anomaly_t *anomaly)
{
    anomaly->served = learn_anomaly_serves(&anomaly->old, anomaly->name);
    anomaly->serves = learn_anomaly_serves(&anomaly->new, anomaly->name);
    anomaly->view.npatterns = 0;
    anomaly->next.npatterns = 0;
    anomaly->nadded = 0;
    anomaly->ndropped = 0;
    memset(anomaly->dropped, 0, sizeof(anomaly->dropped));

    return (anomaly->served == NULL
            || learn_view_read(&anomaly->view, anomaly->old.image,
                               anomaly->served))
           && (anomaly->serves == NULL
               || learn_view_read(&anomaly->next, anomaly->new.image,
                                  anomaly->serves))
           && learn_anomaly_defaults(anomaly)
           && learn_shapes_read(&anomaly->shapes, &anomaly->view,
                                &anomaly->next);
}


static int
learn_anomaly_defaults(learn_anomaly_t *anomaly)
{
    size_t                       i, n;
    uint32_t                     k;
    const learn_view_param_t   **list;
    const learn_view_pattern_t  *pattern;

    n = 0;

    for (i = 0; i < anomaly->next.npatterns; i++) {
        n += anomaly->next.patterns[i].nparams;
    }

    list = realloc(anomaly->defaults,
                   (n + 1) * sizeof(const learn_view_param_t *));

    if (list == NULL) {
        return 0;
    }

    anomaly->defaults = list;
    anomaly->ndefaults = 0;

    for (i = 0; i < anomaly->next.npatterns; i++) {
        pattern = &anomaly->next.patterns[i];

        for (k = 0; k < pattern->nparams; k++) {
            if (pattern->params[k].value.data != NULL) {
                list[anomaly->ndefaults++] = &pattern->params[k];
            }
        }
    }

    return 1;
}


/* patterns of the new map, where the old one does not know the names */

static int
learn_anomaly_added(learn_anomaly_t *anomaly)
{
    size_t                i;
    learn_anomaly_try_t   at;

    if (anomaly->view.npatterns == 0) {
        return 1;
    }

    free(anomaly->added);
    anomaly->added = calloc(anomaly->next.npatterns + 1,
                            sizeof(learn_anomaly_pattern_t));

    if (anomaly->added == NULL) {
        return 0;
    }

    memset(&at, 0, sizeof(learn_anomaly_try_t));
    at.anomaly = anomaly;
    at.added = 1;

    for (i = 0; i < anomaly->next.npatterns; i++) {
        at.pattern = &anomaly->next.patterns[i];
        at.lost = anomaly->added[anomaly->nadded].lost;
        at.nlost = 0;

        if (!learn_shapes_each(&anomaly->shapes, &at.pattern->path,
                               learn_anomaly_path, &at))
        {
            return 0;
        }

        if (at.nlost > 0) {
            anomaly->added[anomaly->nadded++].pattern = i;
        }
    }

    return 1;
}


/* URLs at a path of the shape, with values of no meaning and with defaults */

static int
learn_anomaly_path(const miqps_str_t *shape, void *data)
{
    uint32_t              i;
    learn_anomaly_try_t  *at;

    at = data;

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
    const learn_view_param_t  *param;

    for (i = 0; i < at->anomaly->ndefaults; i++) {
        param = at->anomaly->defaults[i];

        if (miqps_str_eq(&param->name, &at->pattern->params[which].name)
            && !learn_anomaly_url(at, shape, which, &param->value))
        {
            return 0;
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

    learn_anomaly_kept(at, &n, kept);

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


static void
learn_anomaly_kept(const learn_anomaly_try_t *at, const learn_normalized_t *n,
    uint8_t *kept)
{
    int                   known;
    uint32_t              i;
    const miqps_str_t    *name;
    const miqps_param_t  *param;

    known = (n->entry.host != NULL && !n->entry.similar);

    for (i = 0; i < at->pattern->nparams; i++) {
        name = &at->pattern->params[i].name;
        param = learn_anomaly_param(n, name);
        kept[i] = 0;

        if (param == NULL || param->action != MIQPS_KEEP
            || (at->added && known))
        {
            continue;
        }

        kept[i] = (param->why == MIQPS_WHY_MATTERS
                   || (at->added && learn_anomaly_always(at->anomaly, name)));
    }
}


int
learn_anomaly_always(const learn_anomaly_t *anomaly, const miqps_str_t *name)
{
    int                        always;
    size_t                     i;
    uint32_t                   k;
    const learn_view_param_t  *param;

    always = 0;

    for (i = 0; i < anomaly->view.npatterns; i++) {
        for (k = 0; k < anomaly->view.patterns[i].nparams; k++) {
            param = &anomaly->view.patterns[i].params[k];

            if (!miqps_str_eq(&param->name, name)) {
                continue;
            }

            if (param->verdict != LEARN_MAP_KEEP) {
                return 0;
            }

            always = 1;
        }
    }

    return always;
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
    size_t                       size, len;
    uint32_t                     i;
    uint8_t                     *p;
    const char                  *word;
    const learn_view_pattern_t  *pattern;

    pattern = at->pattern;
    word = at->anomaly->shapes.word;
    len = strlen(word);

    size = sizeof("http:///?") + strlen(at->anomaly->name)
           + shape->len * (len + 1) + ((value != NULL) ? value->len : 0);

    for (i = 0; i < pattern->nparams; i++) {
        size += pattern->params[i].name.len + len + 2;
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
    p = learn_anomaly_put(p, at->anomaly->name, strlen(at->anomaly->name));
    p = learn_anomaly_put_path(p, shape, word);

    for (i = 0; i < pattern->nparams; i++) {
        *p++ = (i == 0) ? '?' : '&';
        p = learn_anomaly_put(p, pattern->params[i].name.data,
                              pattern->params[i].name.len);
        *p++ = '=';

        if (i == which) {
            p = learn_anomaly_put(p, value->data, value->len);

        } else {
            p = learn_anomaly_put(p, word, len);
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


/* "*" stands for one segment, and so does the word */

static uint8_t *
learn_anomaly_put_path(uint8_t *p, const miqps_str_t *shape, const char *word)
{
    size_t  i;

    for (i = 0; i < shape->len; i++) {
        if (shape->data[i] == '*' && shape->data[i - 1] == '/'
            && (i + 1 == shape->len || shape->data[i + 1] == '/'))
        {
            p = learn_anomaly_put(p, word, strlen(word));

        } else {
            *p++ = shape->data[i];
        }
    }

    return p;
}
