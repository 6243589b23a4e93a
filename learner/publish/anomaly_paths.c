
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "anomaly_paths.h"


#define LEARN_SHAPES_WORD  "zq7"

/* shapes of which all pairs are tried */

#define LEARN_SHAPES_FEW   24


static int  learn_shapes_room(learn_shapes_t *shapes,
    const learn_view_t *old, const learn_view_t *new);
static void  learn_shapes_add(learn_shapes_t *shapes,
    const learn_view_t *view);
static void  learn_shapes_longest(const learn_view_t *view, size_t *n,
    size_t *depth);
static int  learn_shapes_sort(const void *one, const void *two);
static void  learn_shapes_word(learn_shapes_t *shapes,
    const learn_view_t *old, const learn_view_t *new);
static int  learn_shapes_has(const learn_view_t *view, const char *word);
static int  learn_shapes_none(learn_shapes_t *shapes, learn_shapes_pt fn,
    void *data);
static int  learn_shapes_pairs(learn_shapes_t *shapes, size_t first,
    const miqps_str_t *met, learn_shapes_pt fn, void *data);
static int  learn_shapes_meet(const miqps_str_t *one, const miqps_str_t *two,
    char *buf, miqps_str_t *met);
static size_t  learn_shapes_segment(const uint8_t *p, const uint8_t *last);


int
learn_shapes_read(learn_shapes_t *shapes, const learn_view_t *old,
    const learn_view_t *new)
{
    size_t  i, n;

    shapes->n = 0;

    if (!learn_shapes_room(shapes, old, new)) {
        return 0;
    }

    learn_shapes_add(shapes, old);
    learn_shapes_add(shapes, new);

    if (shapes->n > 0) {
        qsort(shapes->list, shapes->n, sizeof(miqps_str_t), learn_shapes_sort);
    }

    for (i = 0, n = 0; i < shapes->n; i++) {
        if (n == 0 || !miqps_str_eq(&shapes->list[i], &shapes->list[n - 1])) {
            shapes->list[n++] = shapes->list[i];
        }
    }

    shapes->n = n;
    learn_shapes_word(shapes, old, new);

    return 1;
}


static void
learn_shapes_add(learn_shapes_t *shapes, const learn_view_t *view)
{
    size_t  i;

    for (i = 0; i < view->npatterns; i++) {
        if (view->patterns[i].path.len > 0) {
            shapes->list[shapes->n++] = view->patterns[i].path;
        }
    }
}


void
learn_shapes_release(learn_shapes_t *shapes)
{
    free(shapes->list);
    free(shapes->word);
    free(shapes->buf);
}


static int
learn_shapes_room(learn_shapes_t *shapes, const learn_view_t *old,
    const learn_view_t *new)
{
    char         *buf, *word;
    size_t        n;
    miqps_str_t  *list;

    n = old->npatterns + new->npatterns + 1;

    if (n > shapes->max) {
        list = realloc(shapes->list, n * sizeof(miqps_str_t));

        if (list == NULL) {
            return 0;
        }

        shapes->list = list;
        shapes->max = n;
    }

    n = 0;
    shapes->depth = 0;
    learn_shapes_longest(old, &n, &shapes->depth);
    learn_shapes_longest(new, &n, &shapes->depth);

    n = 2 * n + 2 * shapes->depth + sizeof(LEARN_SHAPES_WORD) + 8;

    if (n <= shapes->size) {
        return 1;
    }

    word = realloc(shapes->word, n);

    if (word != NULL) {
        shapes->word = word;
    }

    buf = realloc(shapes->buf, 4 * n);

    if (buf != NULL) {
        shapes->buf = buf;
    }

    shapes->size = (word != NULL && buf != NULL) ? n : 0;

    return shapes->size > 0;
}


static void
learn_shapes_longest(const learn_view_t *view, size_t *n, size_t *depth)
{
    size_t                       i, k, slashes;
    const learn_view_pattern_t  *pattern;

    for (i = 0; i < view->npatterns; i++) {
        pattern = &view->patterns[i];
        slashes = 0;

        for (k = 0; k < pattern->path.len; k++) {
            slashes += (pattern->path.data[k] == '/');
        }

        *depth = (slashes > *depth) ? slashes : *depth;
        *n = (pattern->path.len > *n) ? pattern->path.len : *n;

        for (k = 0; k < pattern->nparams; k++) {
            if (pattern->params[k].value.len > *n) {
                *n = pattern->params[k].value.len;
            }
        }
    }
}


static int
learn_shapes_sort(const void *one, const void *two)
{
    return learn_str_cmp(one, two);
}


/* at the latest it is longer than all there is */

static void
learn_shapes_word(learn_shapes_t *shapes, const learn_view_t *old,
    const learn_view_t *new)
{
    size_t  n;

    n = sizeof(LEARN_SHAPES_WORD) - 1;
    memcpy(shapes->word, LEARN_SHAPES_WORD, n + 1);

    while (n + 1 < shapes->size
           && (learn_shapes_has(old, shapes->word)
               || learn_shapes_has(new, shapes->word)))
    {
        shapes->word[n++] = '7';
        shapes->word[n] = '\0';
    }
}


static int
learn_shapes_has(const learn_view_t *view, const char *word)
{
    size_t                       i, len;
    uint32_t                     k;
    const miqps_str_t           *value;
    const learn_view_pattern_t  *pattern;

    len = strlen(word);

    for (i = 0; i < view->npatterns; i++) {
        pattern = &view->patterns[i];

        if (pattern->path.len > 0
            && memmem(pattern->path.data, pattern->path.len, word, len)
               != NULL)
        {
            return 1;
        }

        for (k = 0; k < pattern->nparams; k++) {
            value = &pattern->params[k].value;

            if (value->len > 0
                && memmem(value->data, value->len, word, len) != NULL)
            {
                return 1;
            }
        }
    }

    return 0;
}


int
learn_shapes_each(learn_shapes_t *shapes, const miqps_str_t *shape,
    learn_shapes_pt fn, void *data)
{
    size_t        i;
    miqps_str_t   met;

    if (!(shape->len > 0 ? fn(shape, data)
                         : learn_shapes_none(shapes, fn, data)))
    {
        return 0;
    }

    for (i = 0; i < shapes->n; i++) {
        if (!learn_shapes_meet(shape, &shapes->list[i], shapes->buf, &met)) {
            continue;
        }

        if (!fn(&met, data)
            || (shapes->n <= LEARN_SHAPES_FEW
                && !learn_shapes_pairs(shapes, i + 1, &met, fn, data)))
        {
            return 0;
        }
    }

    return 1;
}


/* of any path: the root, and one that no shape is of */

static int
learn_shapes_none(learn_shapes_t *shapes, learn_shapes_pt fn, void *data)
{
    char         *p;
    size_t        i;
    miqps_str_t   shape;

    p = shapes->buf;
    shape.data = (const uint8_t *) p;
    shape.len = 1;
    *p = '/';

    if (!fn(&shape, data)) {
        return 0;
    }

    for (i = 0; i <= shapes->depth; i++) {
        *p++ = '/';
        *p++ = '*';
    }

    shape.len = (size_t) (p - shapes->buf);

    return fn(&shape, data);
}


static int
learn_shapes_pairs(learn_shapes_t *shapes, size_t first,
    const miqps_str_t *met, learn_shapes_pt fn, void *data)
{
    size_t       i;
    miqps_str_t  both;

    for (i = first; i < shapes->n; i++) {
        if (learn_shapes_meet(met, &shapes->list[i],
                              shapes->buf + 2 * shapes->size, &both)
            && !fn(&both, data))
        {
            return 0;
        }
    }

    return 1;
}


/*
 * The shape of paths that are of both, in "buf"; 0 if there are none.  It is
 * no longer than both together.
 */

static int
learn_shapes_meet(const miqps_str_t *one, const miqps_str_t *two, char *buf,
    miqps_str_t *met)
{
    size_t          m, n;
    const uint8_t  *a, *b, *a_last, *b_last;

    if (one->len == 0) {
        *met = *two;
        return 1;
    }

    met->data = (const uint8_t *) buf;
    a = one->data;
    b = two->data;
    a_last = a + one->len;
    b_last = b + two->len;

    while (a < a_last && b < b_last) {

        /* each begins with its slash */

        m = learn_shapes_segment(a, a_last);
        n = learn_shapes_segment(b, b_last);

        if (m == 2 && a[1] == '*' && n > 1) {
            memcpy(buf, b, n);
            buf += n;

        } else if ((n == 2 && b[1] == '*' && m > 1)
                   || (m == n && memcmp(a, b, m) == 0))
        {
            memcpy(buf, a, m);
            buf += m;

        } else {
            return 0;
        }

        a += m;
        b += n;
    }

    met->len = (size_t) ((const uint8_t *) buf - met->data);

    return a == a_last && b == b_last;
}


static size_t
learn_shapes_segment(const uint8_t *p, const uint8_t *last)
{
    const uint8_t  *end;

    end = memchr(p + 1, '/', (size_t) (last - p) - 1);

    return (size_t) ((end != NULL ? end : last) - p);
}
