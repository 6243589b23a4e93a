
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "map_view.h"


static int  learn_index_sort(const void *one, const void *two);
static int  learn_index_target_sort(const void *one, const void *two);
static void  learn_index_host(learn_index_host_t *host,
    const miqps_image_t *image, const uint8_t *record);
static int  learn_view_grow(learn_view_t *view, const miqps_host_t *host,
    size_t params);
static void  learn_view_pattern(const miqps_image_t *image, const uint8_t *p,
    learn_view_pattern_t *to);
static void  learn_view_param(const miqps_image_t *image,
    const miqps_pattern_t *pattern, uint32_t i, learn_view_param_t *param);
static int  learn_view_param_sort(const void *one, const void *two);
static int  learn_view_sort(const void *one, const void *two);


int
learn_index_init(learn_index_t *index, const miqps_image_t *image)
{
    size_t          i, left;
    const uint8_t  *p;

    memset(index, 0, sizeof(learn_index_t));

    index->image = image;

    index->hosts = malloc(((size_t) image->nhosts + 1)
                          * sizeof(learn_index_host_t));
    index->mirrors = malloc(((size_t) image->nhosts + 1)
                            * sizeof(learn_index_host_t));

    if (index->hosts == NULL || index->mirrors == NULL) {
        return 0;
    }

    p = image->section[MIQPS_SECTION_HOSTS].data;

    for (left = image->section[MIQPS_SECTION_HOSTS].size; left > 0;
         left -= miqps_get_u32(p), p += miqps_get_u32(p))
    {
        learn_index_host(&index->hosts[index->n++], image, p);
    }

    qsort(index->hosts, index->n, sizeof(learn_index_host_t),
          learn_index_sort);

    for (i = 0; i < index->n; i++) {
        if (index->hosts[i].target != NULL) {
            index->mirrors[index->nmirrors++] = index->hosts[i];
        }
    }

    qsort(index->mirrors, index->nmirrors, sizeof(learn_index_host_t),
          learn_index_target_sort);

    return 1;
}


void
learn_index_release(learn_index_t *index)
{
    free(index->hosts);
    free(index->mirrors);
}


static void
learn_index_host(learn_index_host_t *host, const miqps_image_t *image,
    const uint8_t *record)
{
    host->record = record;
    host->host.data = record + MIQPS_HOST_HEAD;
    host->host.len = record[4];
    host->wildcard = ((record[5] & MIQPS_HOST_WILDCARD) != 0);
    host->target = NULL;

    if (record[5] & MIQPS_HOST_MIRROR) {
        host->target = image->section[MIQPS_SECTION_HOSTS].data
                       + 4 * (size_t) (miqps_get_u32(record + 8) - 1);
    }
}


const learn_index_host_t *
learn_index_find(const learn_index_t *index, const learn_index_host_t *wanted)
{
    int     rc;
    size_t  low, high, middle;

    low = 0;
    high = index->n;

    while (low < high) {
        middle = low + (high - low) / 2;
        rc = learn_index_cmp(&index->hosts[middle], wanted);

        if (rc == 0) {
            return &index->hosts[middle];
        }

        if (rc < 0) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return NULL;
}


const learn_index_host_t *
learn_index_mirrors(const learn_index_t *index, const uint8_t *record,
    size_t *n)
{
    size_t                     low, high, middle;
    const learn_index_host_t  *first;

    low = 0;
    high = index->nmirrors;

    while (low < high) {
        middle = low + (high - low) / 2;

        if (index->mirrors[middle].target < record) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    first = &index->mirrors[low];

    for (*n = 0; low < index->nmirrors
                 && index->mirrors[low].target == record; low++)
    {
        (*n)++;
    }

    return first;
}


int
learn_index_cmp(const learn_index_host_t *one, const learn_index_host_t *two)
{
    int  rc;

    rc = learn_str_cmp(&one->host, &two->host);

    return (rc != 0) ? rc : one->wildcard - two->wildcard;
}


static int
learn_index_sort(const void *one, const void *two)
{
    return learn_index_cmp(one, two);
}


static int
learn_index_target_sort(const void *one, const void *two)
{
    const learn_index_host_t  *a = one;
    const learn_index_host_t  *b = two;

    if (a->target != b->target) {
        return (a->target < b->target) ? -1 : 1;
    }

    return learn_index_cmp(a, b);
}


int
learn_view_read(learn_view_t *view, const miqps_image_t *image,
    const uint8_t *record)
{
    size_t           params;
    uint32_t         i;
    miqps_host_t     host;
    const uint8_t   *p;
    miqps_pattern_t  pattern;

    view->npatterns = 0;

    if (record[5] & MIQPS_HOST_MIRROR) {
        return 1;
    }

    miqps_image_host(&host, record);

    params = 0;
    p = host.patterns;

    for (i = 0; i < host.npatterns; i++) {
        miqps_image_pattern(&pattern, p);
        params += pattern.n;
        p = pattern.end;
    }

    if (!learn_view_grow(view, &host, params)) {
        return 0;
    }

    params = 0;
    p = host.patterns;

    for (i = 0; i < host.npatterns; i++) {
        view->patterns[i].params = view->params + params;
        learn_view_pattern(image, p, &view->patterns[i]);
        params += view->patterns[i].nparams;

        miqps_image_pattern(&pattern, p);
        p = pattern.end;
    }

    view->npatterns = host.npatterns;

    if (view->npatterns > 0) {
        qsort(view->patterns, view->npatterns, sizeof(learn_view_pattern_t),
              learn_view_sort);
    }

    return 1;
}


void
learn_view_release(learn_view_t *view)
{
    free(view->patterns);
    free(view->params);
}


static int
learn_view_grow(learn_view_t *view, const miqps_host_t *host, size_t params)
{
    void  *p;

    if (host->npatterns > view->max_patterns) {
        p = realloc(view->patterns,
                    host->npatterns * sizeof(learn_view_pattern_t));

        if (p == NULL) {
            return 0;
        }

        view->patterns = p;
        view->max_patterns = host->npatterns;
    }

    if (params > view->max_params) {
        p = realloc(view->params, params * sizeof(learn_view_param_t));

        if (p == NULL) {
            return 0;
        }

        view->params = p;
        view->max_params = params;
    }

    return 1;
}


static void
learn_view_pattern(const miqps_image_t *image, const uint8_t *p,
    learn_view_pattern_t *to)
{
    uint32_t         i;
    const uint8_t   *shape;
    miqps_pattern_t  pattern;

    miqps_image_pattern(&pattern, p);

    to->record = p;
    to->nparams = pattern.n;
    to->path.data = NULL;
    to->path.len = 0;

    if (pattern.shape != 0) {
        shape = image->section[MIQPS_SECTION_SHAPES].data
                + MIQPS_SHAPE_SIZE * (size_t) (pattern.shape - 1);
        to->path = miqps_image_pool(image, miqps_get_u32(shape),
                                    miqps_get_u16(shape + 4));
    }

    for (i = 0; i < pattern.n; i++) {
        learn_view_param(image, &pattern, i, &to->params[i]);
    }

    qsort(to->params, to->nparams, sizeof(learn_view_param_t),
          learn_view_param_sort);
}


static void
learn_view_param(const miqps_image_t *image, const miqps_pattern_t *pattern,
    uint32_t i, learn_view_param_t *param)
{
    uint32_t        k;
    const uint8_t  *p;

    param->name = miqps_image_name(image,
                                   miqps_get_u24(pattern->names + 3 * i));
    param->value.data = NULL;
    param->value.len = 0;
    param->verdict = LEARN_MAP_STRIP;

    if (pattern->keep[i / 8] & 1u << i % 8) {
        param->verdict = LEARN_MAP_KEEP;
    }

    if (pattern->client != NULL && (pattern->client[i / 8] & 1u << i % 8)) {
        param->verdict = LEARN_MAP_CLIENT;
    }

    for (k = 0; k < pattern->ndefaults; k++) {
        p = pattern->defaults + MIQPS_DEFAULT_SIZE * k;

        if (p[0] == i) {
            param->value = miqps_image_pool(image, miqps_get_u32(p + 3),
                                            miqps_get_u16(p + 1));
        }
    }
}


static int
learn_view_param_sort(const void *one, const void *two)
{
    const learn_view_param_t  *a = one;
    const learn_view_param_t  *b = two;

    return learn_str_cmp(&a->name, &b->name);
}


int
learn_view_cmp(const learn_view_pattern_t *one,
    const learn_view_pattern_t *two)
{
    int       rc;
    uint32_t  i;

    for (i = 0; i < one->nparams && i < two->nparams; i++) {
        rc = learn_str_cmp(&one->params[i].name, &two->params[i].name);

        if (rc != 0) {
            return rc;
        }
    }

    if (one->nparams != two->nparams) {
        return (one->nparams < two->nparams) ? -1 : 1;
    }

    return learn_str_cmp(&one->path, &two->path);
}


static int
learn_view_sort(const void *one, const void *two)
{
    return learn_view_cmp(one, two);
}
