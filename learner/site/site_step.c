
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "site.h"


static int  learn_step_atoms(const learn_site_t *site, const uint32_t *atoms,
    uint32_t n, const uint32_t *segs);
static int  learn_step_path(learn_site_t *site, const learn_form_t *form,
    const learn_step_t *step, uint32_t *segs, uint32_t *n);
static int  learn_step_open(const learn_site_t *site, const uint32_t *segs,
    uint32_t n);
static int  learn_step_cut(const learn_form_t *form, uint32_t at, uint32_t n,
    uint32_t *segs, uint32_t *left);
static int  learn_step_ending(learn_site_t *site, const learn_form_t *form,
    const learn_step_t *step, uint32_t *segs);
static int  learn_step_params(const learn_form_t *form,
    const learn_step_t *step, learn_made_t *made);
static uint32_t  learn_step_translated(const learn_step_t *step,
    uint32_t token);


int
learn_step_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made)
{
    uint32_t             nsegs, segs[LEARN_SITE_SEGMENTS + 1];
    const learn_step_t  *step;

    step = data;
    made->form = *form;
    made->form.parts = made->parts;

    if (step->kind == LEARN_STEP_HOST) {

        if (form->host != step->one) {
            return 0;
        }

        made->form.host = step->two;
        memcpy(made->parts, form->parts, (form->nsegs + 2u * form->nparams)
                                         * sizeof(uint32_t));
        learn_site_hash(&made->form);

        return 1;
    }

    if (step->kind == LEARN_STEP_WHOLE) {
        return learn_whole_make(site, form, step, made);
    }

    nsegs = form->nsegs;
    memcpy(segs, form->parts, nsegs * sizeof(uint32_t));

    if (!learn_step_path(site, form, step, segs, &nsegs)
        || nsegs > LEARN_SITE_SEGMENTS)
    {
        return 0;
    }

    made->form.nsegs = (uint16_t) nsegs;
    memcpy(made->parts, segs, nsegs * sizeof(uint32_t));

    if (!learn_step_params(form, step, made)) {
        return 0;
    }

    learn_site_hash(&made->form);

    return made->form.hash != form->hash;
}


/* the segments; 0 if the step is not about such a URL */

static int
learn_step_path(learn_site_t *site, const learn_form_t *form,
    const learn_step_t *step, uint32_t *segs, uint32_t *n)
{
    uint32_t         i, at;
    const uint32_t  *atoms, *pairs;

    atoms = step->atoms;

    switch (step->kind) {

    case LEARN_STEP_FRONT:
        return form->nsegs > step->n
               && learn_step_atoms(site, atoms, step->n, form->parts)
               && learn_step_cut(form, 0, step->n, segs, n);

    case LEARN_STEP_BACK:
        at = form->nsegs - step->n;

        return form->nsegs > step->n
               && learn_step_atoms(site, atoms, step->n, form->parts + at)
               && learn_step_cut(form, at, step->n, segs, n);

    case LEARN_STEP_INSIDE:
        return form->nsegs == step->left + step->n + step->right
               && learn_step_atoms(site, atoms, form->nsegs, form->parts)
               && learn_step_open(site, form->parts + step->left, step->n)
               && learn_step_cut(form, step->left, step->n, segs, n);

    case LEARN_STEP_FIXED:
        if (form->nsegs <= step->left + 1
            || !learn_step_atoms(site, atoms, step->left + 1, form->parts)
            || form->parts[step->left] == step->one)
        {
            return 0;
        }

        segs[step->left] = step->one;
        return 1;

    case LEARN_STEP_WORD:
        if (form->nsegs <= step->left || form->parts[step->left] != step->one)
        {
            return 0;
        }

        segs[step->left] = step->two;
        return 1;

    case LEARN_STEP_ENDING:
        return learn_step_ending(site, form, step, segs);

    case LEARN_STEP_SWAP:
    case LEARN_STEP_MOVE:
        pairs = form->parts + form->nsegs;

        if (form->nsegs != step->left + step->n + step->right
            || !learn_step_open(site, form->parts + step->left, step->n)
            || !learn_step_atoms(site, atoms, form->nsegs, form->parts))
        {
            return 0;
        }

        for (i = 0; i < form->nparams; i++) {

            if (pairs[2 * i] != step->one || pairs[2 * i + 1] == LEARN_NOTHING
                || !(site->tokens[pairs[2 * i + 1]].kind & LEARN_TOKEN_PLAIN)
                || (i + 1 < form->nparams && pairs[2 * i + 2] == step->one))
            {
                continue;
            }

            if (step->kind == LEARN_STEP_MOVE) {
                memmove(segs + step->left + 1, segs + step->left,
                        step->right * sizeof(uint32_t));
                (*n)++;
            }

            segs[step->left] = pairs[2 * i + 1];

            return 1;
        }

        return 0;

    case LEARN_STEP_TABLE:
        if (step->one != LEARN_NOTHING) {
            return 1;
        }

        if (form->nsegs <= step->left
            || !learn_step_atoms(site, atoms, step->left, form->parts))
        {
            return 0;
        }

        segs[step->left] = learn_step_translated(step,
                                                 form->parts[step->left]);
        return segs[step->left] != form->parts[step->left];

    default:
        return 1;
    }
}


static int
learn_step_atoms(const learn_site_t *site, const uint32_t *atoms, uint32_t n,
    const uint32_t *segs)
{
    uint32_t  i;

    for (i = 0; i < n; i++) {
        if (!learn_site_fits(site, atoms[i], segs[i])) {
            return 0;
        }
    }

    return 1;
}


/* what goes is not a name of something, and is of letters and digits */

static int
learn_step_open(const learn_site_t *site, const uint32_t *segs, uint32_t n)
{
    uint32_t  i;

    for (i = 0; i < n; i++) {
        if (learn_site_atom(site, segs[i]) != LEARN_ATOM_STAR
            || !(site->tokens[segs[i]].kind & LEARN_TOKEN_PLAIN))
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_step_cut(const learn_form_t *form, uint32_t at, uint32_t n,
    uint32_t *segs, uint32_t *left)
{
    memmove(segs + at, segs + at + n, (form->nsegs - at - n)
                                      * sizeof(uint32_t));
    *left = form->nsegs - n;

    return 1;
}


/* only of values: "index.htm" is a name */

static int
learn_step_ending(learn_site_t *site, const learn_form_t *form,
    const learn_step_t *step, uint32_t *segs)
{
    uint8_t               text[512];
    size_t                stem;
    const learn_token_t  *one, *from, *to;

    if (form->nsegs == 0) {
        return 0;
    }

    one = &site->tokens[form->parts[form->nsegs - 1]];
    from = &site->tokens[step->one];
    to = &site->tokens[step->two];
    stem = one->dot;

    if (stem == 0 || one->len - stem != from->len
        || !(one->kind & LEARN_TOKEN_VALUE)
        || memcmp(one->text + stem, from->text, from->len) != 0
        || stem + to->len > sizeof(text))
    {
        return 0;
    }

    memcpy(text, one->text, stem);
    memcpy(text + stem, to->text, to->len);
    segs[form->nsegs - 1] = learn_site_token(site, text, stem + to->len);

    return !site->failed;
}


/* the parameters; 0 if the step is not about such a URL */

static int
learn_step_params(const learn_form_t *form, const learn_step_t *step,
    learn_made_t *made)
{
    int              changed;
    uint32_t         i, n, name, value;
    uint32_t        *to;
    const uint32_t  *pairs;

    pairs = form->parts + form->nsegs;
    to = made->parts + made->form.nsegs;
    changed = 0;
    n = 0;

    for (i = 0; i < form->nparams; i++) {
        name = pairs[2 * i];
        value = pairs[2 * i + 1];

        if (name == step->one && (step->kind == LEARN_STEP_MOVE
                                  || step->kind == LEARN_STEP_SWAP))
        {
            continue;
        }

        if (name == step->one && step->kind == LEARN_STEP_NAME) {
            name = step->two;
            changed = 1;
        }

        if (name == step->two && name != step->one
            && step->kind == LEARN_STEP_NAME && pairs[2 * i] == step->two)
        {
            /* it has both */

            return 0;
        }

        if (name == step->one && step->kind == LEARN_STEP_TABLE
            && value != LEARN_NOTHING)
        {
            value = learn_step_translated(step, value);
            changed |= (value != pairs[2 * i + 1]);
        }

        to[2 * n] = name;
        to[2 * n + 1] = value;
        n++;
    }

    made->form.nparams = (uint16_t) n;

    return changed || (step->kind != LEARN_STEP_NAME
                       && (step->kind != LEARN_STEP_TABLE
                           || step->one == LEARN_NOTHING));
}


static uint32_t
learn_step_translated(const learn_step_t *step, uint32_t token)
{
    uint32_t  i;

    for (i = 0; i < step->ntable; i++) {
        if (step->table[2 * i] == token) {
            return step->table[2 * i + 1];
        }
    }

    return token;
}
