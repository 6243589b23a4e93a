
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


#define LEARN_ANOMALY_VALUES   2         /* that are told apart at once */
#define LEARN_ANOMALY_NEUTRAL  2         /* names beside those of patterns */


/* a parameter of a pattern with a value that is a default somewhere */

typedef struct {
    uint32_t                      param;
    const miqps_str_t            *value;
} learn_anomaly_value_t;


typedef struct {
    learn_anomaly_t              *anomaly;
    const learn_view_pattern_t   *pattern;
    const learn_view_pattern_t   *beside;    /* the URL has its names, too, */
    const miqps_str_t            *neutral;   /* and this one; both or NULL */
    learn_anomaly_value_t         values[LEARN_ANOMALY_VALUES];
    size_t                        nvalues;
    int                           added;     /* "pattern" is of the new map */
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
static void  learn_anomaly_defaults_of(learn_anomaly_t *anomaly,
    const learn_view_t *view);
static int  learn_anomaly_similar(learn_anomaly_try_t *at);
static int  learn_anomaly_beside(const learn_anomaly_try_t *at,
    const learn_view_pattern_t *other, const uint8_t *neutral);
static int  learn_anomaly_together(learn_anomaly_try_t *at);
static int  learn_anomaly_known(const learn_anomaly_try_t *at,
    const learn_view_t *view);
static int  learn_anomaly_neutrals(learn_anomaly_t *anomaly);
static int  learn_anomaly_same(const learn_view_pattern_t *one,
    const learn_view_pattern_t *two);
static int  learn_anomaly_neutral(const learn_view_t *view,
    const miqps_str_t *name);
static int  learn_anomaly_named(const learn_view_pattern_t *pattern,
    const miqps_str_t *name);
static int  learn_anomaly_added(learn_anomaly_t *anomaly);
static int  learn_anomaly_path(const miqps_str_t *shape, void *data);
static int  learn_anomaly_values(learn_anomaly_try_t *at,
    const miqps_str_t *shape, uint32_t first);
static int  learn_anomaly_url(learn_anomaly_try_t *at,
    const miqps_str_t *shape);
static void  learn_anomaly_kept(const learn_anomaly_try_t *at,
    const learn_normalized_t *n, uint8_t *kept);
static int  learn_anomaly_write(learn_anomaly_try_t *at,
    const miqps_str_t *shape, miqps_str_t *url);
static const miqps_str_t  *learn_anomaly_value(const learn_anomaly_try_t *at,
    uint32_t param, const miqps_str_t *word);
static uint8_t  *learn_anomaly_put_param(uint8_t *p, int mark,
    const miqps_str_t *name, const miqps_str_t *value);
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
    anomaly->rules.tracking = 1;
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
    free(anomaly->neutral);
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
            || !learn_anomaly_similar(&at)
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
    anomaly->doubts = 0;
    memset(anomaly->dropped, 0, sizeof(anomaly->dropped));

    return (anomaly->served == NULL
            || learn_view_read(&anomaly->view, anomaly->old.image,
                               anomaly->served))
           && (anomaly->serves == NULL
               || learn_view_read(&anomaly->next, anomaly->new.image,
                                  anomaly->serves))
           && learn_anomaly_defaults(anomaly)
           && learn_anomaly_neutrals(anomaly)
           && learn_anomaly_rules_gone(anomaly)
           && learn_shapes_read(&anomaly->shapes, &anomaly->view,
                                &anomaly->next);
}


/* values that either map takes for none */

static int
learn_anomaly_defaults(learn_anomaly_t *anomaly)
{
    size_t                       i, n;
    const learn_view_param_t   **list;

    n = 0;

    for (i = 0; i < anomaly->view.npatterns; i++) {
        n += anomaly->view.patterns[i].nparams;
    }

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

    learn_anomaly_defaults_of(anomaly, &anomaly->view);
    learn_anomaly_defaults_of(anomaly, &anomaly->next);

    return 1;
}


/* each once */

static void
learn_anomaly_defaults_of(learn_anomaly_t *anomaly, const learn_view_t *view)
{
    size_t                     i, n;
    uint32_t                   k;
    const learn_view_param_t  *param, **list;

    list = anomaly->defaults;

    for (i = 0; i < view->npatterns; i++) {
        for (k = 0; k < view->patterns[i].nparams; k++) {
            param = &view->patterns[i].params[k];

            if (param->value.data == NULL) {
                continue;
            }

            for (n = 0; n < anomaly->ndefaults; n++) {
                if (miqps_str_eq(&list[n]->name, &param->name)
                    && miqps_str_eq(&list[n]->value, &param->value))
                {
                    break;
                }
            }

            list[n] = param;
            anomaly->ndefaults += (n == anomaly->ndefaults);
        }
    }
}


/*
 * Names that no pattern has together: one that mattered may be neutral now,
 * since its patterns are gone, and be stripped beside those of a pattern of the
 * new map, where the old one takes those for neutral.  What neither map has
 * just so, gets one more name that is neutral in both.
 */

static int
learn_anomaly_similar(learn_anomaly_try_t *at)
{
    int                  ok;
    size_t               i;
    uint8_t              neutral[MIQPS_MAX_PATTERN];
    uint32_t             k;
    const learn_view_t  *next;

    next = &at->anomaly->next;

    for (k = 0; k < at->pattern->nparams; k++) {
        neutral[k] = (uint8_t) learn_anomaly_neutral(next,
                                               &at->pattern->params[k].name);
    }

    ok = 1;

    for (i = 0; ok && i < next->npatterns; i++) {
        if (i > 0 && learn_anomaly_same(&next->patterns[i],
                                        &next->patterns[i - 1]))
        {
            continue;
        }

        if (learn_anomaly_beside(at, &next->patterns[i], neutral)) {
            at->beside = &next->patterns[i];
            ok = learn_anomaly_together(at);
            at->beside = NULL;
        }
    }

    return ok;
}


/* whether each map may take the names of both for those of its own pattern */

static int
learn_anomaly_beside(const learn_anomaly_try_t *at,
    const learn_view_pattern_t *other, const uint8_t *neutral)
{
    uint32_t             k;
    const learn_view_t  *view;

    view = &at->anomaly->view;

    for (k = 0; k < at->pattern->nparams; k++) {
        if (!neutral[k]
            && !learn_anomaly_named(other, &at->pattern->params[k].name))
        {
            return 0;
        }
    }

    for (k = 0; k < other->nparams; k++) {
        if (!learn_anomaly_named(at->pattern, &other->params[k].name)
            && !learn_anomaly_neutral(view, &other->params[k].name))
        {
            return 0;
        }
    }

    return at->pattern->nparams + other->nparams < MIQPS_MAX_PATTERN;
}


static int
learn_anomaly_together(learn_anomaly_try_t *at)
{
    int     ok;
    size_t  i, n;

    ok = learn_shapes_each(&at->anomaly->shapes, &at->pattern->path,
                           learn_anomaly_path, at);
    n = 0;

    for (i = 0; ok && i < at->anomaly->nneutral && n < LEARN_ANOMALY_NEUTRAL;
         i++)
    {
        at->neutral = at->anomaly->neutral[i];

        if (!learn_anomaly_named(at->pattern, at->neutral)
            && !learn_anomaly_named(at->beside, at->neutral)
            && !learn_anomaly_known(at, &at->anomaly->view)
            && !learn_anomaly_known(at, &at->anomaly->next))
        {
            ok = learn_shapes_each(&at->anomaly->shapes, &at->pattern->path,
                                   learn_anomaly_path, at);
            n++;
        }
    }

    at->neutral = NULL;

    return ok;
}


/* whether a pattern has just the names of the URL */

static int
learn_anomaly_known(const learn_anomaly_try_t *at, const learn_view_t *view)
{
    size_t                       i;
    uint32_t                     k, n;
    const learn_view_pattern_t  *pattern;

    n = at->pattern->nparams + 1;

    for (k = 0; k < at->beside->nparams; k++) {
        n += !learn_anomaly_named(at->pattern, &at->beside->params[k].name);
    }

    for (i = 0; i < view->npatterns; i++) {
        pattern = &view->patterns[i];

        if (pattern->nparams != n) {
            continue;
        }

        for (k = 0; k < n; k++) {
            if (!learn_anomaly_named(at->pattern, &pattern->params[k].name)
                && !learn_anomaly_named(at->beside, &pattern->params[k].name)
                && !miqps_str_eq(at->neutral, &pattern->params[k].name))
            {
                break;
            }
        }

        if (k == n) {
            return 1;
        }
    }

    return 0;
}


/* names that are neutral in both maps, each once */

static int
learn_anomaly_neutrals(learn_anomaly_t *anomaly)
{
    size_t               i, n;
    uint32_t             k;
    const miqps_str_t   *name, **list;
    const learn_view_t  *view;

    n = 0;
    view = &anomaly->view;

    for (i = 0; i < view->npatterns; i++) {
        n += view->patterns[i].nparams;
    }

    list = realloc(anomaly->neutral, (n + 1) * sizeof(const miqps_str_t *));

    if (list == NULL) {
        return 0;
    }

    anomaly->neutral = list;
    anomaly->nneutral = 0;

    for (i = 0; i < view->npatterns; i++) {
        for (k = 0; k < view->patterns[i].nparams; k++) {
            name = &view->patterns[i].params[k].name;

            if (view->patterns[i].params[k].verdict == LEARN_MAP_KEEP) {
                continue;
            }

            for (n = 0; n < anomaly->nneutral; n++) {
                if (miqps_str_eq(list[n], name)) {
                    break;
                }
            }

            if (n == anomaly->nneutral && learn_anomaly_neutral(view, name)
                && learn_anomaly_neutral(&anomaly->next, name))
            {
                list[anomaly->nneutral++] = name;
            }
        }
    }

    return 1;
}


/* the same names, of patterns of one map */

static int
learn_anomaly_same(const learn_view_pattern_t *one,
    const learn_view_pattern_t *two)
{
    uint32_t  i;

    if (one->nparams != two->nparams) {
        return 0;
    }

    for (i = 0; i < one->nparams; i++) {
        if (!miqps_str_eq(&one->params[i].name, &two->params[i].name)) {
            return 0;
        }
    }

    return 1;
}


/* false if some pattern keeps it, or fewer than two have it */

static int
learn_anomaly_neutral(const learn_view_t *view, const miqps_str_t *name)
{
    size_t                     i, found;
    uint32_t                   k;
    const learn_view_param_t  *param;

    found = 0;

    for (i = 0; i < view->npatterns; i++) {
        for (k = 0; k < view->patterns[i].nparams; k++) {
            param = &view->patterns[i].params[k];

            if (!miqps_str_eq(&param->name, name)) {
                continue;
            }

            if (param->verdict == LEARN_MAP_KEEP) {
                return 0;
            }

            found++;
        }
    }

    return found > 1;
}


static int
learn_anomaly_named(const learn_view_pattern_t *pattern,
    const miqps_str_t *name)
{
    uint32_t  i;

    for (i = 0; i < pattern->nparams; i++) {
        if (miqps_str_eq(&pattern->params[i].name, name)) {
            return 1;
        }
    }

    return 0;
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
    learn_anomaly_try_t  *at;

    at = data;
    at->nvalues = 0;

    return learn_anomaly_url(at, shape) && learn_anomaly_values(at, shape, 0);
}


/* each default of the parameters from "first" on, and beside it those behind */

static int
learn_anomaly_values(learn_anomaly_try_t *at, const miqps_str_t *shape,
    uint32_t first)
{
    int                        ok;
    size_t                     k;
    uint32_t                   i;
    const learn_view_param_t  *param;

    ok = 1;

    for (k = 0; ok && k < at->anomaly->ndefaults; k++) {
        param = at->anomaly->defaults[k];

        for (i = first; ok && i < at->pattern->nparams; i++) {
            if (!miqps_str_eq(&param->name, &at->pattern->params[i].name)) {
                continue;
            }

            at->values[at->nvalues].param = i;
            at->values[at->nvalues++].value = &param->value;

            ok = learn_anomaly_url(at, shape)
                 && (at->nvalues == LEARN_ANOMALY_VALUES
                     || learn_anomaly_values(at, shape, i + 1));
            at->nvalues--;
        }
    }

    return ok;
}


/* one URL, under both maps */

static int
learn_anomaly_url(learn_anomaly_try_t *at, const miqps_str_t *shape)
{
    uint8_t               kept[MIQPS_MAX_PATTERN];
    uint32_t              i;
    miqps_str_t           url;
    learn_normalized_t    n;
    const miqps_param_t  *param;

    if (!learn_anomaly_write(at, shape, &url)
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

    /* not that what is left without names of trackers is known */

    known = (n->entry.host != NULL && !n->entry.similar
             && n->entry.pattern[0] == at->pattern->nparams);

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


/* "http://host/path?a=zq7&b=value", and what is beside it */

static int
learn_anomaly_write(learn_anomaly_try_t *at, const miqps_str_t *shape,
    miqps_str_t *url)
{
    char                        *buf;
    size_t                       size;
    uint32_t                     i;
    uint8_t                     *p;
    miqps_str_t                  word;
    const miqps_str_t           *name, *value;
    const learn_view_pattern_t  *pattern, *beside;

    pattern = at->pattern;
    beside = at->beside;
    word.data = (const uint8_t *) at->anomaly->shapes.word;
    word.len = strlen(at->anomaly->shapes.word);

    size = sizeof("http:///?") + strlen(at->anomaly->name)
           + shape->len * (word.len + 1)
           + ((at->neutral != NULL) ? at->neutral->len + word.len + 2 : 0);

    for (i = 0; i < pattern->nparams; i++) {
        size += pattern->params[i].name.len
                + learn_anomaly_value(at, i, &word)->len + 2;
    }

    for (i = 0; beside != NULL && i < beside->nparams; i++) {
        size += beside->params[i].name.len + word.len + 2;
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
    p = learn_anomaly_put_path(p, shape, at->anomaly->shapes.word);

    for (i = 0; i < pattern->nparams; i++) {
        name = &pattern->params[i].name;
        value = learn_anomaly_value(at, i, &word);
        p = learn_anomaly_put_param(p, (i == 0) ? '?' : '&', name, value);
    }

    for (i = 0; beside != NULL && i < beside->nparams; i++) {
        name = &beside->params[i].name;

        if (!learn_anomaly_named(pattern, name)) {
            p = learn_anomaly_put_param(p, '&', name, &word);
        }
    }

    if (at->neutral != NULL) {
        p = learn_anomaly_put_param(p, '&', at->neutral, &word);
    }

    url->len = (size_t) (p - url->data);

    return 1;
}


static const miqps_str_t *
learn_anomaly_value(const learn_anomaly_try_t *at, uint32_t param,
    const miqps_str_t *word)
{
    size_t  i;

    for (i = 0; i < at->nvalues; i++) {
        if (at->values[i].param == param) {
            return at->values[i].value;
        }
    }

    return word;
}


static uint8_t *
learn_anomaly_put_param(uint8_t *p, int mark, const miqps_str_t *name,
    const miqps_str_t *value)
{
    *p++ = (uint8_t) mark;
    p = learn_anomaly_put(p, name->data, name->len);
    *p++ = '=';

    return learn_anomaly_put(p, value->data, value->len);
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
