
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "site.h"


/*
 * WHAT A STEP LETS GO
 *
 * Segments that go should be another in each URL of a page, or not be there.
 * Where pages have the same in all of their URLs, they may well tell what page
 * it is, even if no two pages are known that differ in nothing else.  Where
 * hardly a page has several URLs, nothing is known.
 */

#define LEARN_TELLS_PAGES   2
#define LEARN_TELLS_VARY    15           /* percent: labels err less often */
#define LEARN_TELLS_UNSURE  10           /* percent of URLs that may be in such
                                            shapes */


/* a form that the step changes, or that others become by it */

typedef struct {
    uint64_t            shape;           /* what it is without what goes */
    uint64_t            gone;            /* 0: nothing */
    uint64_t            made;            /* within its page */
    uint32_t            cluster;
} learn_gone_t;


static size_t  learn_tells_changed(learn_site_t *site,
    const learn_step_t *step, learn_gone_t *list);
static size_t  learn_tells_bare(learn_site_t *site, const learn_step_t *step,
    learn_gone_t *list, size_t n);
static uint64_t  learn_tells_shape(const learn_site_t *site,
    const learn_form_t *form);
static int  learn_tells_count(const learn_gone_t *list, size_t n);
static int  learn_tells_by_made(const void *one, const void *two);
static int  learn_tells_by_shape(const void *one, const void *two);


int
learn_site_tells(learn_site_t *site, const learn_step_t *step)
{
    int            tells;
    size_t         n;
    learn_gone_t  *list;

    if (step->kind != LEARN_STEP_FIXED && step->kind != LEARN_STEP_FRONT
        && step->kind != LEARN_STEP_INSIDE && step->kind != LEARN_STEP_SWAP)
    {
        return 0;
    }

    list = malloc((2 * (size_t) site->nforms + 1) * sizeof(learn_gone_t));

    if (list == NULL) {
        site->failed = 1;
        return 1;
    }

    tells = 0;
    n = learn_tells_changed(site, step, list);

    if (n > 0) {
        qsort(list, n, sizeof(learn_gone_t), learn_tells_by_made);
        n = learn_tells_bare(site, step, list, n);
        qsort(list, n, sizeof(learn_gone_t), learn_tells_by_shape);
        tells = learn_tells_count(list, n);
    }

    free(list);

    return tells;
}


static size_t
learn_tells_changed(learn_site_t *site, const learn_step_t *step,
    learn_gone_t *list)
{
    size_t         n;
    uint32_t       i, at, gone;
    learn_gone_t  *one;
    learn_form_t  *form;
    learn_made_t   made;

    n = 0;
    at = (step->kind == LEARN_STEP_FRONT) ? 0 : step->left;
    gone = (step->kind == LEARN_STEP_FIXED) ? 1 : step->n;

    for (i = 0; i < site->nforms; i++) {
        form = &site->forms[i];

        if (!learn_step_make(site, form, step, &made)) {
            continue;
        }

        one = &list[n++];
        one->cluster = form->cluster;
        one->made = made.form.hash ^ ((uint64_t) form->cluster << 32);
        one->shape = learn_tells_shape(site, &made.form);
        one->gone = XXH3_64bits(form->parts + at, gone * sizeof(uint32_t))
                    | 1;
    }

    return n;
}


/* of the same pages, those that are already what others become */

static size_t
learn_tells_bare(learn_site_t *site, const learn_step_t *step,
    learn_gone_t *list, size_t n)
{
    size_t         all;
    uint32_t       i;
    learn_gone_t   key, *found;
    learn_made_t   made;
    learn_form_t  *form;

    all = n;

    for (i = 0; i < site->nforms; i++) {
        form = &site->forms[i];
        key.made = form->hash ^ ((uint64_t) form->cluster << 32);
        found = bsearch(&key, list, n, sizeof(learn_gone_t),
                        learn_tells_by_made);

        if (found != NULL && !learn_step_make(site, form, step, &made)) {
            list[all] = *found;
            list[all++].gone = 0;
        }
    }

    return all;
}


/* the shape that it comes to, and its names */

static uint64_t
learn_tells_shape(const learn_site_t *site, const learn_form_t *form)
{
    uint32_t  i, n, atoms[LEARN_SITE_SEGMENTS + LEARN_SITE_PARAMS];

    for (n = 0; n < form->nsegs; n++) {
        atoms[n] = learn_site_atom(site, form->parts[n]);
    }

    for (i = 0; i < form->nparams; i++) {
        atoms[n++] = form->parts[form->nsegs + 2 * i];
    }

    return XXH3_64bits_withSeed(atoms, n * sizeof(uint32_t), form->nsegs);
}


static int
learn_tells_count(const learn_gone_t *list, size_t n)
{
    int       differ;
    size_t    i, k;
    uint64_t  pages, vary, urls, unsure;

    pages = 0;
    vary = 0;
    urls = 0;
    unsure = 0;

    for (i = 0; i < n; i = k) {
        differ = 0;

        for (k = i + 1; k < n && list[k].shape == list[i].shape
                        && list[k].cluster == list[i].cluster; k++)
        {
            differ |= (list[k].gone != list[i].gone);
        }

        pages += (k - i > 1);
        vary += (uint64_t) differ;
        urls += k - i;

        if (k < n && list[k].shape == list[i].shape) {
            continue;
        }

        if (pages >= LEARN_TELLS_PAGES
            && 100 * vary <= LEARN_TELLS_VARY * pages)
        {
            return 1;
        }

        unsure += (vary == 0) ? urls : 0;
        pages = 0;
        vary = 0;
        urls = 0;
    }

    return 100 * unsure > LEARN_TELLS_UNSURE * (uint64_t) n;
}


static int
learn_tells_by_made(const void *one, const void *two)
{
    const learn_gone_t  *a, *b;

    a = one;
    b = two;

    return (a->made > b->made) - (a->made < b->made);
}


static int
learn_tells_by_shape(const void *one, const void *two)
{
    const learn_gone_t  *a, *b;

    a = one;
    b = two;

    if (a->shape != b->shape) {
        return (a->shape > b->shape) ? 1 : -1;
    }

    return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}
