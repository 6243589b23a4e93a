
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "site.h"


/*
 * WHAT NAMES DO WITHIN PAGES
 *
 * Shape by shape, since a name may matter in one and not in another:
 *
 *     it varies     a page has URLs with several values of it, or without it
 *     it tells      pages have one value each, in all of their URLs; one value
 *                   of them may go without saying
 *     it repeats    a page has several values, but the same ones again and
 *                   again, which other pages have not: ids that have changed
 */

#define LEARN_NAMES_PAGES   3            /* that tell something */
#define LEARN_NAMES_VARY    15           /* percent: labels err less often */
#define LEARN_NAMES_USUAL   80           /* percent that lack the same value */
#define LEARN_NAMES_AGAIN   3            /* values that come again, and */
#define LEARN_NAMES_OFTEN   8            /* that are certainly not by chance, */
#define LEARN_NAMES_LIFT    3            /* so many times what is by chance, */
#define LEARN_NAMES_SHARE   20           /* in one of so many URLs */


/* what is known of a name in the shape that is looked at */

typedef struct {
    uint32_t            pages;           /* with two URLs, one having it */
    uint32_t            vary;            /* there, */
    uint32_t            lack;            /* or just not in all of them, */
    uint32_t            usual;           /* the value then, mostly */
    uint32_t            votes;           /* for it, less those against */
    uint32_t            values;          /* different ones */
    uint32_t            next;            /* URLs that come after another, */
    uint32_t            same;            /* with the same value */
    uint32_t            urls;
    double              squares;         /* of how often values come */

    /* in the page that is looked at */

    uint32_t            have;            /* URLs that have it */
    uint32_t            last;            /* value */
    unsigned            differ:1;
} learn_conduct_t;


typedef struct {
    uint32_t            name;
    uint32_t            value;
} learn_valued_t;


typedef struct {
    learn_site_t       *site;
    learn_conduct_t    *names;
    learn_valued_t     *values;
    const uint32_t     *forms;           /* of the shape */
    uint32_t            n;
} learn_naming_t;


static int  learn_names_list(learn_site_t *site);
static uint32_t  learn_names_alike(const learn_site_t *site, uint32_t n);
static void  learn_names_shape(learn_naming_t *ctx, uint32_t shape);
static void  learn_names_page(learn_naming_t *ctx, uint32_t first,
    uint32_t last);
static learn_conduct_t  *learn_names_of(learn_naming_t *ctx, uint32_t token);
static void  learn_names_values(learn_naming_t *ctx);
static int  learn_names_by_value(const void *one, const void *two);
static void  learn_names_close(learn_conduct_t *name, uint32_t urls);
static uint8_t  learn_names_traits(learn_conduct_t *conduct);


int
learn_site_names(learn_site_t *site, const uint32_t *list,
    const uint32_t *first)
{
    uint32_t        s, most;
    learn_naming_t  ctx;

    if (!learn_names_list(site)) {
        return 0;
    }

    most = 0;

    for (s = 0; s < site->nshapes; s++) {
        most = (site->shapes[s].urls > most) ? site->shapes[s].urls : most;
    }

    ctx.site = site;
    ctx.names = malloc((site->nnames + 1) * sizeof(learn_conduct_t));
    ctx.values = malloc(((size_t) most * LEARN_SITE_PARAMS + 1)
                        * sizeof(learn_valued_t));

    site->failed |= (ctx.names == NULL || ctx.values == NULL);

    for (s = 0; s < site->nshapes && !site->failed; s++) {
        ctx.forms = list + first[s];
        ctx.n = site->shapes[s].urls;
        learn_names_shape(&ctx, s);
    }

    free(ctx.names);
    free(ctx.values);

    return !site->failed;
}


/* all of them, each once */

static int
learn_names_list(learn_site_t *site)
{
    size_t    size;
    uint32_t  i, k, name;

    site->name_of = malloc((site->ntokens + 1) * sizeof(uint32_t));
    site->names = calloc(site->ntokens + 1, sizeof(learn_site_name_t));

    if (site->name_of == NULL || site->names == NULL) {
        site->failed = 1;
        return 0;
    }

    memset(site->name_of, 0xff, (site->ntokens + 1) * sizeof(uint32_t));

    for (i = 0; i < site->nforms; i++) {

        for (k = 0; k < site->forms[i].nparams; k++) {
            name = site->forms[i].parts[site->forms[i].nsegs + 2 * k];

            if (site->name_of[name] == LEARN_NOTHING) {
                site->name_of[name] = site->nnames;
                site->names[site->nnames].name = name;
                site->names[site->nnames].usual = LEARN_NOTHING;
                site->names[site->nnames].alike =
                    learn_names_alike(site, site->nnames);
                site->nnames++;
            }
        }
    }

    size = (size_t) (site->nshapes + 1) * (site->nnames + 1);
    site->neutral = calloc(size, 1);
    site->traits = calloc(size, 1);
    site->failed |= (site->neutral == NULL || site->traits == NULL);

    return !site->failed;
}


/* where "Id" is, "id" does not lack */

static uint32_t
learn_names_alike(const learn_site_t *site, uint32_t n)
{
    uint32_t              i;
    const learn_token_t  *one, *two;

    one = &site->tokens[site->names[n].name];

    for (i = 0; i < n; i++) {
        two = &site->tokens[site->names[i].name];

        if (one->len == two->len
            && strncasecmp((const char *) one->text, (const char *) two->text,
                           one->len) == 0)
        {
            return i;
        }
    }

    return n;
}


static void
learn_names_shape(learn_naming_t *ctx, uint32_t shape)
{
    uint8_t          *traits;
    uint32_t          i, k;
    learn_site_t     *site;
    learn_conduct_t  *conduct;

    site = ctx->site;
    memset(ctx->names, 0, site->nnames * sizeof(learn_conduct_t));

    for (i = 0; i < ctx->n; i = k) {

        for (k = i + 1; k < ctx->n && site->forms[ctx->forms[k]].cluster
                                      == site->forms[ctx->forms[i]].cluster;
             k++)
        {
            /* void */
        }

        if (k - i > 1) {
            learn_names_page(ctx, i, k);
        }
    }

    learn_names_values(ctx);

    traits = site->traits + (size_t) shape * site->nnames;

    for (i = 0; i < site->nnames; i++) {

        if (site->names[i].alike < i) {
            traits[i] = traits[site->names[i].alike];

        } else {
            traits[i] = learn_names_traits(&ctx->names[i]);
        }

        conduct = &ctx->names[site->names[i].alike];
        site->names[i].vary += conduct->vary;
    }
}


static learn_conduct_t *
learn_names_of(learn_naming_t *ctx, uint32_t token)
{
    return &ctx->names[ctx->site->names[ctx->site->name_of[token]].alike];
}


static void
learn_names_page(learn_naming_t *ctx, uint32_t first, uint32_t last)
{
    uint32_t             i, k;
    const uint32_t      *pairs;
    learn_conduct_t     *name;
    const learn_form_t  *form;

    for (i = first; i < last; i++) {
        form = &ctx->site->forms[ctx->forms[i]];
        pairs = form->parts + form->nsegs;

        for (k = 0; k < form->nparams; k++) {
            name = learn_names_of(ctx, pairs[2 * k]);

            if (name->have > 0) {
                name->next++;
                name->same += (name->last == pairs[2 * k + 1]);
                name->differ |= (name->last != pairs[2 * k + 1]);
            }

            name->last = pairs[2 * k + 1];
            name->have += (k == 0 || pairs[2 * k] != pairs[2 * k - 2]);
        }
    }

    /* once more, each name once */

    for (i = first; i < last; i++) {
        form = &ctx->site->forms[ctx->forms[i]];
        pairs = form->parts + form->nsegs;

        for (k = 0; k < form->nparams; k++) {
            name = learn_names_of(ctx, pairs[2 * k]);

            if (name->have > 0) {
                learn_names_close(name, last - first);
            }
        }
    }
}


/* the page is over, and had so many URLs */

static void
learn_names_close(learn_conduct_t *name, uint32_t urls)
{
    name->pages++;
    name->vary += name->differ;

    if (!name->differ && name->have < urls) {
        name->lack++;

        if (name->votes == 0 || name->usual == name->last) {
            name->usual = name->last;
            name->votes++;

        } else {
            name->votes--;
        }
    }

    name->have = 0;
    name->differ = 0;
}


/* how often values come, whatever the page */

static void
learn_names_values(learn_naming_t *ctx)
{
    size_t               i, k, n;
    double               times;
    learn_conduct_t     *name;
    const learn_form_t  *form;

    n = 0;

    for (i = 0; i < ctx->n; i++) {
        form = &ctx->site->forms[ctx->forms[i]];

        for (k = 0; k < form->nparams; k++, n++) {
            ctx->values[n].name = form->parts[form->nsegs + 2 * k];
            ctx->values[n].value = form->parts[form->nsegs + 2 * k + 1];
        }
    }

    if (n > 0) {
        qsort(ctx->values, n, sizeof(learn_valued_t), learn_names_by_value);
    }

    for (i = 0; i < n; i = k) {

        for (k = i + 1; k < n && ctx->values[k].name == ctx->values[i].name
                        && ctx->values[k].value == ctx->values[i].value; k++)
        {
            /* void */
        }

        name = learn_names_of(ctx, ctx->values[i].name);
        times = (double) (k - i);
        name->values++;
        name->urls += (uint32_t) (k - i);
        name->squares += times * (times - 1);
    }
}


static int
learn_names_by_value(const void *one, const void *two)
{
    const learn_valued_t  *a, *b;

    a = one;
    b = two;

    if (a->name != b->name) {
        return (a->name > b->name) ? 1 : -1;
    }

    return (a->value > b->value) - (a->value < b->value);
}


static uint8_t
learn_names_traits(learn_conduct_t *conduct)
{
    double   chance;
    uint8_t  traits;

    /* what is lacking may be one value that goes without saying */

    if (conduct->values == 1
        || 100 * (uint64_t) conduct->votes
           < LEARN_NAMES_USUAL * (uint64_t) conduct->lack)
    {
        conduct->vary += conduct->lack;
    }

    if (100 * (uint64_t) conduct->vary
        <= LEARN_NAMES_VARY * (uint64_t) conduct->pages)
    {
        return (conduct->pages >= LEARN_NAMES_PAGES) ? LEARN_TRAIT_TELLS : 0;
    }

    traits = LEARN_TRAIT_VARIES;

    /* two URLs have the same value by chance as often as any two have it */

    chance = (conduct->urls > 1)
             ? conduct->squares / conduct->urls / (conduct->urls - 1)
               * conduct->next
             : 0;

    if (conduct->same >= LEARN_NAMES_AGAIN
        && conduct->same > LEARN_NAMES_LIFT * chance + 2 * sqrt(chance)
        && LEARN_NAMES_SHARE * (uint64_t) conduct->same > conduct->next)
    {
        traits |= LEARN_TRAIT_REPEATS;
    }

    if ((traits & LEARN_TRAIT_REPEATS) && conduct->same >= LEARN_NAMES_OFTEN
        && conduct->same > LEARN_NAMES_LIFT * LEARN_NAMES_LIFT * chance)
    {
        traits |= LEARN_TRAIT_OFTEN;
    }

    return traits;
}
