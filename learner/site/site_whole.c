
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "site.h"


/* values of a form, each once */

typedef struct {
    uint32_t            list[LEARN_WHOLE_VALUES];
    uint32_t            n;
} learn_values_t;


static int  learn_whole_values(const learn_site_t *site,
    const learn_form_t *form, learn_values_t *values);
static int  learn_whole_add(const learn_site_t *site, learn_values_t *values,
    uint32_t token);
static uint32_t  learn_whole_find(const learn_values_t *values,
    uint32_t token);


int
learn_whole_value(const learn_site_t *site, uint32_t token)
{
    return (site->tokens[token].kind & LEARN_TOKEN_VALUE) != 0;
}


int
learn_whole_difference(learn_site_t *site, const learn_form_t *a,
    const learn_form_t *b, learn_step_t *step)
{
    uint32_t         i, value;
    learn_whole_t   *whole;
    const uint32_t  *pairs;
    learn_values_t   one, two;

    memset(step, 0, sizeof(learn_step_t));

    if (a->host != b->host || a->nsegs > LEARN_WHOLE_SEGMENTS
        || b->nsegs > LEARN_WHOLE_SEGMENTS || a->nparams > LEARN_WHOLE_VALUES
        || b->nparams > LEARN_WHOLE_VALUES
        || !learn_whole_values(site, a, &one)
        || !learn_whole_values(site, b, &two) || one.n != two.n || one.n == 0)
    {
        return 0;
    }

    step->kind = LEARN_STEP_WHOLE;
    whole = &step->whole;
    whole->nfrom = a->nsegs;
    whole->nto = b->nsegs;
    whole->nnames = a->nparams;
    whole->nto_names = b->nparams;

    for (i = 0; i < a->nsegs; i++) {
        value = learn_whole_find(&one, a->parts[i]);
        whole->from[i] = (value != LEARN_NOTHING
                          && learn_whole_value(site, a->parts[i]))
                         ? (LEARN_WHOLE_VALUE | value) : a->parts[i];
    }

    for (i = 0; i < b->nsegs; i++) {
        value = learn_whole_find(&one, b->parts[i]);

        if (learn_whole_value(site, b->parts[i]) && value == LEARN_NOTHING) {
            return 0;
        }

        whole->to[i] = (value != LEARN_NOTHING
                        && learn_whole_value(site, b->parts[i]))
                       ? (LEARN_WHOLE_VALUE | value) : b->parts[i];
    }

    pairs = a->parts + a->nsegs;

    for (i = 0; i < a->nparams; i++) {
        whole->names[i] = pairs[2 * i];
    }

    pairs = b->parts + b->nsegs;

    for (i = 0; i < b->nparams; i++) {
        whole->to_names[i] = pairs[2 * i];
        whole->to_values[i] = learn_whole_find(&one, pairs[2 * i + 1]);

        if (whole->to_values[i] == LEARN_NOTHING) {
            return 0;
        }
    }

    /* words in each other's place are something else */

    return whole->nfrom != whole->nto || whole->nnames != whole->nto_names
           || memcmp(whole->names, whole->to_names,
                     sizeof(whole->names)) != 0;
}


/* 0 if there are too many, one comes twice, or has other bytes than a rule
   could hold */

static int
learn_whole_values(const learn_site_t *site, const learn_form_t *form,
    learn_values_t *values)
{
    uint32_t         i;
    const uint32_t  *pairs;

    values->n = 0;
    pairs = form->parts + form->nsegs;

    for (i = 0; i < form->nsegs; i++) {
        if (learn_whole_value(site, form->parts[i])
            && !learn_whole_add(site, values, form->parts[i]))
        {
            return 0;
        }
    }

    for (i = 0; i < form->nparams; i++) {
        if (pairs[2 * i + 1] == LEARN_NOTHING
            || (i > 0 && pairs[2 * i] == pairs[2 * i - 2])
            || !learn_whole_add(site, values, pairs[2 * i + 1]))
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_whole_add(const learn_site_t *site, learn_values_t *values,
    uint32_t token)
{
    if (values->n == LEARN_WHOLE_VALUES
        || !(site->tokens[token].kind & LEARN_TOKEN_PLAIN)
        || learn_whole_find(values, token) != LEARN_NOTHING)
    {
        return 0;
    }

    values->list[values->n++] = token;

    return 1;
}


static uint32_t
learn_whole_find(const learn_values_t *values, uint32_t token)
{
    uint32_t  i;

    for (i = 0; i < values->n; i++) {
        if (values->list[i] == token) {
            return i;
        }
    }

    return LEARN_NOTHING;
}


int
learn_whole_make(learn_site_t *site, const learn_form_t *form,
    const learn_step_t *step, learn_made_t *made)
{
    uint32_t              i;
    const uint32_t       *pairs;
    learn_values_t        values;
    const learn_whole_t  *whole;

    whole = &step->whole;
    pairs = form->parts + form->nsegs;

    if (form->nsegs != whole->nfrom || form->nparams != whole->nnames
        || !learn_whole_values(site, form, &values))
    {
        return 0;
    }

    for (i = 0; i < form->nsegs; i++) {
        if (learn_whole_value(site, form->parts[i])
            ? !(whole->from[i] >= LEARN_WHOLE_VALUE)
            : whole->from[i] != form->parts[i])
        {
            return 0;
        }
    }

    for (i = 0; i < form->nparams; i++) {
        if (pairs[2 * i] != whole->names[i]) {
            return 0;
        }
    }

    made->form.nsegs = (uint16_t) whole->nto;
    made->form.nparams = (uint16_t) whole->nto_names;

    for (i = 0; i < whole->nto; i++) {
        made->parts[i] = (whole->to[i] >= LEARN_WHOLE_VALUE)
                         ? values.list[whole->to[i] & ~LEARN_WHOLE_VALUE]
                         : whole->to[i];
    }

    for (i = 0; i < whole->nto_names; i++) {
        made->parts[whole->nto + 2 * i] = whole->to_names[i];
        made->parts[whole->nto + 2 * i + 1] =
            values.list[whole->to_values[i]];
    }

    learn_site_hash(&made->form);

    return made->form.hash != form->hash;
}
