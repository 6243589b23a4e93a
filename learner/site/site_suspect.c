
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "site.h"


/*
 * STEPS THAT NOBODY HAS SEEN YET
 *
 * Where it is not known which URLs show the same page, those are looked for
 * that differ in one part only: a segment that one has and the other has not,
 * a word in another's place, a value that is in the path here and in the query
 * there.  Somebody has to find out whether they are the same.
 *
 * Each form is written down without each of its parts; forms of which the rest
 * is the same come together when that is sorted.
 */

#define LEARN_SUSPECT_NEAR   8           /* forms of one rest, each with each */
#define LEARN_SUSPECT_WHOLE  3           /* times as many as of other steps */
#define LEARN_SUSPECT_TABLE  4096        /* a power of two */


typedef struct {
    uint64_t            rest;            /* hash of a form without the part */
    uint32_t            value;           /* the part, where it matters */
    uint32_t            form;
} learn_rest_t;


typedef struct {
    learn_site_t       *site;
    learn_rest_t       *rests;
    size_t              n;
    size_t              room;
    learn_suspect_t    *list;            /* by key */
    uint32_t            nlist;
} learn_suspecting_t;


static void  learn_suspect_form(learn_suspecting_t *ctx, uint32_t form);
static void  learn_suspect_values(learn_suspecting_t *ctx, uint32_t form);
static void  learn_suspect_rest(learn_suspecting_t *ctx, uint32_t form,
    uint64_t rest, uint32_t value);
static void  learn_suspect_groups(learn_suspecting_t *ctx);
static void  learn_suspect_pair(learn_suspecting_t *ctx, uint32_t one,
    uint32_t two);
static void  learn_suspect_keep(const learn_site_t *site,
    learn_suspect_t *suspect, uint32_t one, uint32_t two);
static int  learn_suspect_alike(const learn_form_t *a,
    const learn_form_t *b);
static uint32_t  learn_suspect_least(const learn_step_t *step,
    uint32_t least);
static int  learn_suspect_by_rest(const void *one, const void *two);
static int  learn_suspect_by_pairs(const void *one, const void *two);


learn_suspect_t *
learn_site_suspects(learn_site_t *site, uint32_t least, uint32_t *n)
{
    uint32_t            i, k;
    learn_suspecting_t  ctx;

    memset(&ctx, 0, sizeof(learn_suspecting_t));

    ctx.site = site;
    ctx.list = calloc(LEARN_SUSPECT_TABLE, sizeof(learn_suspect_t));
    *n = 0;

    if (ctx.list == NULL) {
        site->failed = 1;
        return NULL;
    }

    for (i = 0; i < site->nforms && !site->failed; i++) {
        site->forms[i].shape = learn_site_shape(site, &site->forms[i]);
        learn_suspect_form(&ctx, i);
    }

    if (!site->failed && ctx.n > 0) {
        qsort(ctx.rests, ctx.n, sizeof(learn_rest_t), learn_suspect_by_rest);
        learn_suspect_groups(&ctx);
    }

    free(ctx.rests);

    /* those that are worth it, with most pairs first */

    k = 0;

    for (i = 0; i < LEARN_SUSPECT_TABLE; i++) {
        if (ctx.list[i].key != 0
            && ctx.list[i].step.pages >= learn_suspect_least(&ctx.list[i].step,
                                                             least))
        {
            ctx.list[k++] = ctx.list[i];
        }
    }

    if (k > 0) {
        qsort(ctx.list, k, sizeof(learn_suspect_t), learn_suspect_by_pairs);
    }

    *n = k;

    return ctx.list;
}


/* where all but the values is another, values are the same by chance, too */

static uint32_t
learn_suspect_least(const learn_step_t *step, uint32_t least)
{
    return (step->kind == LEARN_STEP_WHOLE) ? LEARN_SUSPECT_WHOLE * least
                                            : least;
}


/* what could go as a whole need not be fixed */

static int
learn_suspect_by_pairs(const void *one, const void *two)
{
    const learn_suspect_t  *a, *b;

    a = one;
    b = two;

    if ((a->step.kind == LEARN_STEP_FIXED)
        != (b->step.kind == LEARN_STEP_FIXED))
    {
        return (a->step.kind == LEARN_STEP_FIXED) ? 1 : -1;
    }

    if (a->step.pages != b->step.pages) {
        return (a->step.pages < b->step.pages) ? 1 : -1;
    }

    return (a->key > b->key) - (a->key < b->key);
}


/* without each segment, and without each parameter */

static void
learn_suspect_form(learn_suspecting_t *ctx, uint32_t form)
{
    uint32_t             i, n, parts[3 * (LEARN_SITE_SEGMENTS
                                          + LEARN_SITE_PARAMS)];
    uint64_t             all;
    const learn_form_t  *one;

    one = &ctx->site->forms[form];
    n = one->nsegs + 2u * one->nparams;

    /* as it is, for those that have one part more */

    all = XXH3_64bits_withSeed(one->parts, n * sizeof(uint32_t),
                               one->nsegs);
    learn_suspect_rest(ctx, form, all, LEARN_NOTHING);

    for (i = 0; i < one->nsegs; i++) {
        memcpy(parts, one->parts, i * sizeof(uint32_t));
        memcpy(parts + i, one->parts + i + 1, (n - i - 1)
                                              * sizeof(uint32_t));

        all = XXH3_64bits_withSeed(parts, (n - 1) * sizeof(uint32_t),
                                   one->nsegs - 1u);

        /* against those that have not got it, one that was moved, or another
           one in its place */

        learn_suspect_rest(ctx, form, all, LEARN_NOTHING);
        learn_suspect_rest(ctx, form, all + 1, one->parts[i]);
        learn_suspect_rest(ctx, form, all + 2 + i, LEARN_NOTHING);
    }

    /* two in front, as a session and its name */

    if (one->nsegs > 2) {
        all = XXH3_64bits_withSeed(one->parts + 2, (n - 2)
                                                   * sizeof(uint32_t),
                                   one->nsegs - 2u);
        learn_suspect_rest(ctx, form, all, LEARN_NOTHING);
    }

    learn_suspect_values(ctx, form);

    for (i = 0; i < one->nparams; i++) {
        memcpy(parts, one->parts, (one->nsegs + 2 * i) * sizeof(uint32_t));
        memcpy(parts + one->nsegs + 2 * i, one->parts + one->nsegs + 2 * i + 2,
               (n - one->nsegs - 2 * i - 2) * sizeof(uint32_t));

        all = XXH3_64bits_withSeed(parts, (n - 2) * sizeof(uint32_t),
                                   one->nsegs);

        learn_suspect_rest(ctx, form, all + 1,
                           one->parts[one->nsegs + 2 * i + 1]);
    }
}


/* the same values, wherever they are */

static void
learn_suspect_values(learn_suspecting_t *ctx, uint32_t form)
{
    uint32_t             i, n;
    uint64_t             sum;
    const learn_form_t  *one;

    one = &ctx->site->forms[form];
    sum = 0;
    n = 0;

    for (i = 0; i < one->nsegs; i++) {
        if (learn_whole_value(ctx->site, one->parts[i])) {
            sum += one->parts[i] * UINT64_C(0x9e3779b97f4a7c15);
            n++;
        }
    }

    for (i = 0; i < one->nparams; i++) {
        sum += one->parts[one->nsegs + 2 * i + 1]
               * UINT64_C(0x9e3779b97f4a7c15);
        n++;
    }

    if (n > 0 && n <= LEARN_WHOLE_VALUES) {
        learn_suspect_rest(ctx, form, sum ^ UINT64_C(0xbf58476d1ce4e5b9), n);
    }
}


static void
learn_suspect_rest(learn_suspecting_t *ctx, uint32_t form, uint64_t rest,
    uint32_t value)
{
    size_t         room;
    learn_rest_t  *list;

    if (ctx->n == ctx->room) {
        room = 2 * ctx->room + 4096;
        list = realloc(ctx->rests, room * sizeof(learn_rest_t));

        if (list == NULL) {
            ctx->site->failed = 1;
            return;
        }

        ctx->rests = list;
        ctx->room = room;
    }

    ctx->rests[ctx->n].rest = rest;
    ctx->rests[ctx->n].value = value;
    ctx->rests[ctx->n].form = form;
    ctx->n++;
}


static int
learn_suspect_by_rest(const void *one, const void *two)
{
    const learn_rest_t  *a, *b;

    a = one;
    b = two;

    if (a->rest != b->rest) {
        return (a->rest > b->rest) ? 1 : -1;
    }

    if (a->value != b->value) {
        return (a->value > b->value) ? 1 : -1;
    }

    return (a->form > b->form) - (a->form < b->form);
}


static void
learn_suspect_groups(learn_suspecting_t *ctx)
{
    size_t  i, k, a, b;

    for (i = 0; i < ctx->n; i = k) {

        for (k = i + 1; k < ctx->n && ctx->rests[k].rest == ctx->rests[i].rest
                        && ctx->rests[k].value == ctx->rests[i].value; k++)
        {
            /* void */
        }

        for (a = i; a < k; a++) {
            for (b = a + 1; b < k && b < a + LEARN_SUSPECT_NEAR; b++) {
                learn_suspect_pair(ctx, ctx->rests[a].form,
                                   ctx->rests[b].form);
                learn_suspect_pair(ctx, ctx->rests[b].form,
                                   ctx->rests[a].form);
            }
        }
    }
}


static void
learn_suspect_pair(learn_suspecting_t *ctx, uint32_t one, uint32_t two)
{
    uint64_t          i, key;
    learn_step_t      step;
    learn_suspect_t  *suspect;

    if (one == two
        || learn_form_eq(&ctx->site->forms[one], &ctx->site->forms[two])
        || !learn_site_difference(ctx->site, &ctx->site->forms[one],
                                  &ctx->site->forms[two], &step))
    {
        return;
    }

    key = learn_step_key(&step);

    for (i = key & (LEARN_SUSPECT_TABLE - 1); /* void */ ;
         i = (i + 1) & (LEARN_SUSPECT_TABLE - 1))
    {
        suspect = &ctx->list[i];

        if (suspect->key == key || suspect->key == 0) {
            break;
        }
    }

    if (suspect->key == 0) {

        if (2 * ctx->nlist >= LEARN_SUSPECT_TABLE) {
            return;
        }

        suspect->key = key;
        suspect->step = step;
        suspect->step.pages = 0;
        ctx->nlist++;
    }

    /* the same two may meet more than once */

    if (suspect->n > 0 && suspect->one[suspect->n - 1] == one
        && suspect->two[suspect->n - 1] == two)
    {
        return;
    }

    learn_suspect_keep(ctx->site, suspect, one, two);
    suspect->step.pages++;
}


/*
 * Pairs of a shape and with names of parameters that no other pair has come
 * first, and others go when there are too many: what is the same page there
 * need not be elsewhere.
 */

static void
learn_suspect_keep(const learn_site_t *site, learn_suspect_t *suspect,
    uint32_t one, uint32_t two)
{
    uint32_t  i;

    for (i = 0; i < suspect->sets
                && !learn_suspect_alike(&site->forms[suspect->one[i]],
                                        &site->forms[one]); i++)
    {
        /* void */
    }

    if (i < suspect->sets) {

        if (suspect->n < LEARN_SITE_SUSPECTS) {
            suspect->one[suspect->n] = one;
            suspect->two[suspect->n++] = two;
        }

        return;
    }

    if (i == LEARN_SITE_SUSPECTS) {
        return;
    }

    if (i == suspect->n) {
        suspect->n++;

    } else if (suspect->n < LEARN_SITE_SUSPECTS) {
        suspect->one[suspect->n] = suspect->one[i];
        suspect->two[suspect->n++] = suspect->two[i];
    }

    suspect->one[i] = one;
    suspect->two[i] = two;
    suspect->sets++;
}


static int
learn_suspect_alike(const learn_form_t *a, const learn_form_t *b)
{
    uint32_t  i;

    if (a->shape != b->shape || a->nparams != b->nparams) {
        return 0;
    }

    for (i = 0; i < a->nparams; i++) {
        if (a->parts[a->nsegs + 2 * i] != b->parts[b->nsegs + 2 * i]) {
            return 0;
        }
    }

    return 1;
}
