
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "map/map_check.h"
#include "miqps_image_rules.h"
#include "site.h"


#define LEARN_FIND_FORMS    10           /* of a page that are compared */
#define LEARN_FIND_PAGES    2            /* that a step is seen in */
#define LEARN_FIND_TRIES    40           /* steps that are tried in a round */
#define LEARN_FIND_TABLES   16           /* in a round */
#define LEARN_FIND_RARE     10           /* times that others are as frequent */
#define LEARN_FIND_WHOLE    5            /* pages, for another form, */
#define LEARN_FIND_SHARE    4            /* and one in so many that it is for */
#define LEARN_FIND_VALUES   10           /* of a name that has another one */


/* a step that was seen */

typedef struct {
    learn_step_t        step;
    uint64_t            key;             /* 0: free */
    uint32_t            last;            /* page that it was seen in */
    unsigned            tried:1;
} learn_seen_step_t;


typedef struct {
    learn_site_t       *site;
    learn_seen_step_t  *list;            /* by key */
    uint32_t            n;
    uint32_t            mask;
    uint64_t           *tried;           /* keys */
    uint32_t            ntried;
} learn_find_t;


static int  learn_find_round(learn_find_t *find, int *found);
static int  learn_find_before(const learn_seen_step_t *one,
    const learn_seen_step_t *two);
static void  learn_find_pages(learn_find_t *find);
static void  learn_find_tables(learn_find_t *find);
static void  learn_find_page(learn_find_t *find, uint32_t first,
    uint32_t last);
static void  learn_find_note(learn_find_t *find, const learn_step_t *step,
    uint32_t page);
static int  learn_find_named(const learn_site_t *site,
    const learn_step_t *step);
static int  learn_find_often(learn_site_t *site, const learn_step_t *step);
static int  learn_find_file(const learn_site_t *site,
    const learn_step_t *step);
static int  learn_find_owner(const learn_site_t *site,
    const learn_step_t *step);
static int  learn_find_extension(const learn_site_t *site, uint32_t token);
static int  learn_find_try(learn_site_t *site, learn_step_t *step);


int
learn_site_steps(learn_site_t *site)
{
    int           found;
    learn_find_t  find;

    memset(&find, 0, sizeof(learn_find_t));

    if (!learn_site_bare(site)) {
        return 0;
    }

    find.site = site;
    find.mask = 16383;
    find.tried = malloc(LEARN_SITE_STEPS * LEARN_FIND_TRIES
                        * sizeof(uint64_t));

    if (find.tried == NULL) {
        site->failed = 1;
    }

    do {
        found = 0;

        if (site->failed || !learn_find_round(&find, &found)) {
            break;
        }

    } while (found && site->nsteps < LEARN_SITE_STEPS);

    free(find.tried);

    return !site->failed;
}


/* looks at all pages, and takes the step that is seen most */

static int
learn_find_round(learn_find_t *find, int *found)
{
    uint32_t            i, k, n, best;
    learn_site_t       *site;
    learn_seen_step_t  *seen;

    site = find->site;
    find->list = calloc(find->mask + 1, sizeof(learn_seen_step_t));
    find->n = 0;

    if (find->list == NULL) {
        site->failed = 1;
        return 0;
    }

    learn_find_pages(find);
    learn_find_tables(find);

    for (n = 0; n < LEARN_FIND_TRIES && !*found && !site->failed; n++) {
        best = LEARN_NOTHING;

        for (i = 0; i <= find->mask; i++) {
            seen = &find->list[i];

            if (seen->key != 0 && !seen->tried
                && seen->step.pages >= LEARN_FIND_PAGES
                && (best == LEARN_NOTHING
                    || learn_find_before(seen, &find->list[best])))
            {
                best = i;
            }
        }

        if (best == LEARN_NOTHING) {
            break;
        }

        seen = &find->list[best];
        seen->tried = 1;

        for (k = 0; k < find->ntried && find->tried[k] != seen->key; k++) {
            /* void */
        }

        if (k < find->ntried
            || !learn_site_right_way(site, &seen->step))
        {
            n--;
            continue;
        }

        if (find->ntried < LEARN_SITE_STEPS * LEARN_FIND_TRIES) {
            find->tried[find->ntried++] = seen->key;
        }

        if (learn_find_try(site, &seen->step)) {
            learn_site_put(site, &seen->step);
            *found = learn_site_walk(site);
        }
    }

    free(find->list);

    return !site->failed;
}


/* the one that is seen more, and what explains all comes last */

static int
learn_find_before(const learn_seen_step_t *one, const learn_seen_step_t *two)
{
    int  whole;

    whole = (one->step.kind == LEARN_STEP_WHOLE);

    if (whole != (two->step.kind == LEARN_STEP_WHOLE)) {
        return !whole;
    }

    if (one->step.pages != two->step.pages) {
        return one->step.pages > two->step.pages;
    }

    if (one->step.kind != two->step.kind) {
        return one->step.kind < two->step.kind;
    }

    return one->key < two->key;
}


static void
learn_find_pages(learn_find_t *find)
{
    uint32_t       first, last;
    learn_site_t  *site;

    site = find->site;

    for (first = 0; first < site->nforms; first = last) {

        last = learn_site_next(site, first);

        if (last - first > 1) {
            learn_find_page(find, first, last);
        }
    }
}


static void
learn_find_tables(learn_find_t *find)
{
    uint32_t      i, n;
    uint64_t      pages;
    learn_step_t  steps[LEARN_FIND_TABLES];

    if (!learn_site_tables(find->site, steps, LEARN_FIND_TABLES, &n)) {
        return;
    }

    for (i = 0; i < n; i++) {
        for (pages = 0; pages < steps[i].pages; pages++) {
            learn_find_note(find, &steps[i], (uint32_t) pages);
        }
    }
}


/* some of the forms, each once, and each with each */

static void
learn_find_page(learn_find_t *find, uint32_t first, uint32_t last)
{
    uint32_t             i, k, n;
    learn_step_t         step;
    const learn_form_t  *forms[LEARN_FIND_FORMS];

    n = 0;

    for (i = first; i < last && n < LEARN_FIND_FORMS; i++) {

        for (k = 0; k < n; k++) {
            if (forms[k]->hash == find->site->forms[i].hash) {
                break;
            }
        }

        if (k == n) {
            forms[n++] = &find->site->forms[i];
        }
    }

    for (i = 0; i < n; i++) {

        for (k = 0; k < n; k++) {

            if (i == k) {
                continue;
            }

            if (learn_site_difference(find->site, forms[i], forms[k], &step))
            {
                learn_find_note(find, &step, first);
            }
        }
    }
}


/* --- which of them are taken */


static void
learn_find_note(learn_find_t *find, const learn_step_t *step, uint32_t page)
{
    uint64_t            i, key;
    learn_seen_step_t  *seen;

    key = learn_step_key(step);

    for (i = key & find->mask; /* void */ ; i = (i + 1) & find->mask) {
        seen = &find->list[i];

        if (seen->key == 0) {
            break;
        }

        if (seen->key == key) {
            seen->step.pages += (seen->last != page);
            seen->last = page;
            return;
        }
    }

    /* what is seen once is mostly seen no more: nobody misses it */

    if (2 * find->n > find->mask) {
        return;
    }

    seen->key = key;
    seen->step = *step;
    seen->step.pages = 1;
    seen->last = page;
    find->n++;
}


uint64_t
learn_step_key(const learn_step_t *step)
{
    uint32_t  head[6];

    head[0] = step->kind;
    head[1] = step->one;
    head[2] = step->two;
    head[3] = step->left;
    head[4] = step->n;
    head[5] = step->right;

    return XXH3_64bits_withSeed(step->atoms, sizeof(step->atoms),
                                XXH3_64bits_withSeed(&step->whole,
                                    sizeof(step->whole),
                                    XXH3_64bits(head, sizeof(head))))
           | 1;
}


/* from what is rare to what is frequent, where both ways would do */

/* whether the last segment of a step has an extension: of one, or of both */

#define LEARN_FIND_FROM  1
#define LEARN_FIND_TO    2


static int
learn_find_file(const learn_site_t *site, const learn_step_t *step)
{
    uint32_t              from, to;
    const learn_whole_t  *whole;

    from = LEARN_NOTHING;
    to = LEARN_NOTHING;

    if (step->kind == LEARN_STEP_WORD) {
        from = step->one;
        to = step->two;

    } else if (step->kind == LEARN_STEP_WHOLE) {
        whole = &step->whole;
        from = (whole->nfrom > 0) ? whole->from[whole->nfrom - 1] : from;
        to = (whole->nto > 0) ? whole->to[whole->nto - 1] : to;
    }

    return (learn_find_extension(site, from) ? LEARN_FIND_FROM : 0)
           | (learn_find_extension(site, to) ? LEARN_FIND_TO : 0);
}


static int
learn_find_extension(const learn_site_t *site, uint32_t token)
{
    miqps_str_t           extension;
    const learn_token_t  *text;

    if (token >= LEARN_WHOLE_VALUE) {
        return 0;
    }

    text = &site->tokens[token];
    extension.data = text->text + text->dot + 1;
    extension.len = (text->dot > 0) ? text->len - text->dot - 1u : 0;

    return extension.len > 0 && !miqps_paths_program(&extension);
}


/* true if one host may lead to the other in a map */

static int
learn_find_owner(const learn_site_t *site, const learn_step_t *step)
{
    psl_ctx_t    *psl;
    const char   *why;
    miqps_str_t   one, two;

    psl = NULL;
    one.data = site->tokens[step->one].text;
    one.len = site->tokens[step->one].len;
    two.data = site->tokens[step->two].text;
    two.len = site->tokens[step->two].len;
    why = learn_check_owners(&one, &two, &psl);
    psl_free(psl);

    return why == NULL;
}


int
learn_site_right_way(learn_site_t *site, const learn_step_t *step)
{
    int                   file;
    uint32_t              i, k, one, two, last;
    learn_made_t          made;
    const learn_form_t   *form;
    const learn_token_t  *token, *from, *to;

    one = 0;
    two = 0;

    /* no rule makes a page look like a file */

    file = learn_find_file(site, step);

    if (file == LEARN_FIND_FROM || file == LEARN_FIND_TO) {
        return file == LEARN_FIND_FROM;
    }

    if (step->kind == LEARN_STEP_HOST && !learn_find_owner(site, step)) {
        return 0;
    }

    for (i = 0; i < site->nforms; i++) {
        form = &site->forms[i];

        switch (step->kind) {

        case LEARN_STEP_HOST:
            one += (form->host == step->one);
            two += (form->host == step->two);
            break;

        case LEARN_STEP_WORD:
            if (form->nsegs > step->left) {
                one += (form->parts[step->left] == step->one);
                two += (form->parts[step->left] == step->two);
            }

            break;

        case LEARN_STEP_ENDING:
            last = (form->nsegs > 0) ? form->parts[form->nsegs - 1] : 0;
            token = &site->tokens[last];
            from = &site->tokens[step->one];
            to = &site->tokens[step->two];

            if (form->nsegs > 0 && token->dot > 0) {
                one += (token->len - token->dot == from->len
                        && memcmp(token->text + token->dot, from->text,
                                  from->len) == 0);
                two += (token->len - token->dot == to->len
                        && memcmp(token->text + token->dot, to->text,
                                  to->len) == 0);
            }

            break;

        case LEARN_STEP_WHOLE:
            one += (uint32_t) learn_step_make(site, form, step, &made);
            two += (form->nsegs == step->whole.nto
                    && form->nparams == step->whole.nto_names
                    && (form->nsegs == 0
                        || step->whole.to[0] >= LEARN_WHOLE_VALUE
                        || form->parts[0] == step->whole.to[0]));
            break;

        case LEARN_STEP_NAME:
            for (k = 0; k < form->nparams; k++) {
                one += (form->parts[form->nsegs + 2 * k] == step->one);
                two += (form->parts[form->nsegs + 2 * k] == step->two);
            }

            break;

        default:
            return 1;
        }
    }

    /* rather without parameters, unless hardly anybody does it so */

    if (step->kind == LEARN_STEP_WHOLE
        && step->whole.nnames != step->whole.nto_names)
    {
        return (step->whole.nnames > step->whole.nto_names)
               ? one < LEARN_FIND_RARE * two : LEARN_FIND_RARE * one < two;
    }

    return one < two || (one == two && step->one > step->two);
}


static int
learn_find_try(learn_site_t *site, learn_step_t *step)
{
    learn_merged_t  merged;

    merged.pair = NULL;

    if ((step->kind == LEARN_STEP_WHOLE && !learn_find_often(site, step))
        || (step->kind == LEARN_STEP_NAME && !learn_find_named(site, step)))
    {
        return 0;
    }

    if (!learn_site_merge(site, NULL, 0, learn_step_make, step, &merged)
        || merged.good < LEARN_FIND_PAGES || !learn_site_fine(site, &merged)
        || learn_site_tells(site, step))
    {
        return 0;
    }

    step->good = merged.good;
    step->bad = merged.bad;

    return 1;
}


/*
 * Names of which each has a few values have the same one by chance; but not if
 * they are the same in other letters
 */

static int
learn_find_named(const learn_site_t *site, const learn_step_t *step)
{
    uint32_t             i, k, v, n, values[LEARN_FIND_VALUES];
    const uint32_t      *pairs;
    const learn_form_t  *form;

    if (site->names[site->name_of[step->one]].alike
        == site->names[site->name_of[step->two]].alike)
    {
        return 1;
    }

    n = 0;

    for (i = 0; i < site->nforms && n < LEARN_FIND_VALUES; i++) {
        form = &site->forms[i];
        pairs = form->parts + form->nsegs;

        for (k = 0; k < form->nparams && n < LEARN_FIND_VALUES; k++) {

            if (pairs[2 * k] != step->one) {
                continue;
            }

            for (v = 0; v < n && values[v] != pairs[2 * k + 1]; v++) {
                /* void */
            }

            if (v == n) {
                values[n++] = pairs[2 * k + 1];
            }
        }
    }

    return n == LEARN_FIND_VALUES;
}


/* two forms that have values in common mostly are of different pages */

static int
learn_find_often(learn_site_t *site, const learn_step_t *step)
{
    uint32_t      i, last;
    uint64_t      pages;
    learn_made_t  made;

    pages = 0;
    last = LEARN_NOTHING;

    for (i = 0; i < site->nforms; i++) {
        if (site->forms[i].cluster != last
            && learn_step_make(site, &site->forms[i], step, &made))
        {
            last = site->forms[i].cluster;
            pages++;
        }
    }

    return step->pages >= LEARN_FIND_WHOLE
           && LEARN_FIND_SHARE * step->pages >= pages;
}


/* behind those of its kind */

void
learn_site_put(learn_site_t *site, const learn_step_t *step)
{
    uint32_t  i;

    for (i = site->nsteps; i > 0 && site->steps[i - 1].kind > step->kind; i--)
    {
        site->steps[i] = site->steps[i - 1];
    }

    site->steps[i] = *step;
    site->nsteps++;
}
