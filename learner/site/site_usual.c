
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "map/map_check.h"
#include "site.h"


/*
 * VALUES THAT GO WITHOUT SAYING
 *
 * Of a name that stays one value may be the same as none: page=1.  It goes if
 * URLs of pages become equal by that, and none of different pages.
 *
 * Where pages have it in all of their URLs, it seems to tell them from those
 * that have it in none, even if no two are known that differ in nothing else.
 * If that is so in any shape, it goes in those only where pages have it in some
 * of their URLs and not in others.
 */

#define LEARN_USUAL_PAGES  2
#define LEARN_USUAL_VARY   15            /* percent: labels err less often */
#define LEARN_USUAL_FORMS  16            /* of a page that are compared */


typedef struct {
    uint32_t            name;
    uint32_t            value;
} learn_usual_t;


/* what is seen in a shape */

typedef struct {
    uint32_t            urls;            /* of this page, */
    unsigned            said:1;          /* some of which have the value, */
    unsigned            lacks:1;         /* or not the name */
    uint32_t            pages;           /* that have it, */
    uint32_t            vary;            /* not in all of their URLs */
} learn_usual_shape_t;


static int  learn_usual_may_go(const learn_site_t *site, uint32_t shape,
    uint32_t n);
static int  learn_usual_votes(learn_site_t *site, uint64_t *counts,
    uint32_t *values);
static void  learn_usual_page(learn_site_t *site, uint64_t *counts,
    uint32_t *values, uint32_t first, uint32_t last);
static int  learn_usual_value(const learn_site_t *site, uint32_t value);
static int  learn_usual_try(learn_site_t *site, learn_usual_t *usual);
static int  learn_usual_shapes(learn_site_t *site,
    const learn_usual_t *usual);
static void  learn_usual_see(learn_site_t *site, const learn_usual_t *usual,
    learn_usual_shape_t *shapes, uint32_t first, uint32_t last);
static int  learn_usual_has(const learn_site_t *site,
    const learn_form_t *form, const learn_usual_t *usual, uint32_t *value);
static int  learn_usual_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made);


int
learn_site_usual(learn_site_t *site)
{
    uint32_t       i, *values;
    uint64_t      *counts;
    learn_usual_t  usual;

    counts = calloc(site->nnames + 1, sizeof(uint64_t));
    values = calloc(site->nnames + 1, sizeof(uint32_t));

    if (counts == NULL || values == NULL
        || !learn_usual_votes(site, counts, values))
    {
        site->failed = 1;
    }

    for (i = 0; i < site->nnames && !site->failed; i++) {

        usual.name = i;
        usual.value = values[i];

        if (counts[i] >= LEARN_USUAL_PAGES
            && learn_usual_value(site, values[i])
            && !learn_usual_try(site, &usual))
        {
            break;
        }
    }

    free(counts);
    free(values);

    return !site->failed;
}


uint32_t
learn_site_default(const learn_site_t *site, uint32_t shape, uint32_t n)
{
    return learn_usual_may_go(site, shape, n) ? site->names[n].usual
                                              : LEARN_NOTHING;
}


static int
learn_usual_may_go(const learn_site_t *site, uint32_t shape, uint32_t n)
{
    return !site->names[n].contested
           || (shape != LEARN_NOTHING
               && (site->traits[(size_t) shape * site->nnames + n]
                   & LEARN_TRAIT_UNSAID));
}


/*
 * Values whose URL is also there without them.  Of each name one is counted,
 * by a vote: others take its count away, and its place when that is gone.
 */

static int
learn_usual_votes(learn_site_t *site, uint64_t *counts, uint32_t *values)
{
    uint32_t  first, last;

    for (first = 0; first < site->nforms && !site->failed; first = last) {

        last = learn_site_next(site, first);

        if (last - first > 1) {
            learn_usual_page(site, counts, values, first, last);
        }
    }

    return !site->failed;
}


static void
learn_usual_page(learn_site_t *site, uint64_t *counts, uint32_t *values,
    uint32_t first, uint32_t last)
{
    uint32_t        i, j, k, n;
    learn_form_t   *form;
    learn_made_t    made;
    learn_usual_t   usual;

    last = (last - first > LEARN_USUAL_FORMS) ? first + LEARN_USUAL_FORMS
                                              : last;

    for (i = first; i < last; i++) {
        form = &site->forms[i];

        for (k = 0; k < form->nparams; k++) {
            n = site->name_of[form->parts[form->nsegs + 2 * k]];
            usual.name = n;
            usual.value = form->parts[form->nsegs + 2 * k + 1];

            if (!learn_usual_make(site, form, &usual, &made)) {
                continue;
            }

            for (j = first; j < last; j++) {
                if (learn_form_eq(&site->forms[j], &made.form)) {
                    break;
                }
            }

            if (j == last) {
                continue;
            }

            if (counts[n] == 0 || values[n] == usual.value) {
                values[n] = usual.value;
                counts[n]++;

            } else {
                counts[n]--;
            }
        }
    }
}


/* 0 if no map could have it */

static int
learn_usual_value(const learn_site_t *site, uint32_t value)
{
    uint8_t      out[3 * LEARN_CHECK_MAX_NAME];
    miqps_str_t  text, res;

    if (value == LEARN_NOTHING) {
        return 0;
    }

    text.data = site->tokens[value].text;
    text.len = site->tokens[value].len;

    return text.len <= LEARN_CHECK_MAX_NAME
           && learn_check_value(&text, out, &res) == NULL;
}


/* takes it if it is one; 0 without memory */

static int
learn_usual_try(learn_site_t *site, learn_usual_t *usual)
{
    learn_merged_t  merged;

    merged.pair = NULL;

    if (!learn_usual_shapes(site, usual)) {
        return 0;
    }

    site->names[usual->name].usual = usual->value;

    if (!learn_site_merge(site, NULL, 0, learn_usual_make, usual, &merged)) {
        return 0;
    }

    if (merged.good >= LEARN_USUAL_PAGES && learn_site_fine(site, &merged)) {
        return learn_site_take(site, learn_usual_make, usual, 0);
    }

    site->names[usual->name].usual = LEARN_NOTHING;

    return 1;
}


/* in which shapes pages have it in some of their URLs, or in all */

static int
learn_usual_shapes(learn_site_t *site, const learn_usual_t *usual)
{
    uint32_t              s, first, last;
    learn_usual_shape_t  *shapes;

    shapes = calloc(site->nshapes + 1, sizeof(learn_usual_shape_t));

    if (shapes == NULL) {
        site->failed = 1;
        return 0;
    }

    for (first = 0; first < site->nforms; first = last) {
        last = learn_site_next(site, first);
        learn_usual_see(site, usual, shapes, first, last);
    }

    for (s = 0; s < site->nshapes; s++) {

        if (100 * (uint64_t) shapes[s].vary
            > LEARN_USUAL_VARY * (uint64_t) shapes[s].pages)
        {
            site->traits[(size_t) s * site->nnames + usual->name]
                |= LEARN_TRAIT_UNSAID;

        } else if (shapes[s].pages > 0) {
            site->names[usual->name].contested = 1;
        }
    }

    free(shapes);

    return 1;
}


static void
learn_usual_see(learn_site_t *site, const learn_usual_t *usual,
    learn_usual_shape_t *shapes, uint32_t first, uint32_t last)
{
    uint32_t              i, value;
    learn_usual_shape_t  *shape;

    for (i = first; i < last; i++) {
        shape = &shapes[site->forms[i].shape];
        shape->urls++;

        if (!learn_usual_has(site, &site->forms[i], usual, &value)) {
            shape->lacks = 1;

        } else if (value == usual->value) {
            shape->said = 1;
        }
    }

    for (i = first; i < last; i++) {
        shape = &shapes[site->forms[i].shape];

        if (shape->urls > 1 && shape->said) {
            shape->pages++;
            shape->vary += shape->lacks;
        }

        shape->urls = 0;
        shape->said = 0;
        shape->lacks = 0;
    }
}


/* the value of the first that has the name; 0 if there is none */

static int
learn_usual_has(const learn_site_t *site, const learn_form_t *form,
    const learn_usual_t *usual, uint32_t *value)
{
    uint32_t         k;
    const uint32_t  *pairs;

    pairs = form->parts + form->nsegs;

    for (k = 0; k < form->nparams; k++) {
        if (site->name_of[pairs[2 * k]] == usual->name) {
            *value = pairs[2 * k + 1];
            return 1;
        }
    }

    return 0;
}


/* the form without the value, where that may go */

static int
learn_usual_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made)
{
    uint32_t              k, gone;
    const uint32_t       *pairs;
    const learn_usual_t  *usual;

    usual = data;
    gone = 0;
    pairs = form->parts + form->nsegs;

    for (k = 0; k < form->nparams; k++) {
        if (site->name_of[pairs[2 * k]] == usual->name
            && pairs[2 * k + 1] == usual->value)
        {
            gone |= UINT32_C(1) << k;
        }
    }

    return learn_usual_may_go(site, form->shape, usual->name)
           && learn_form_without(form, gone, made);
}
