
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "site.h"


#define LEARN_FIND_FORMS    10           /* of a page that are compared */
#define LEARN_FIND_PAGES    2            /* that a step is seen in */
#define LEARN_FIND_TRIES    40           /* steps that are tried in a round */
#define LEARN_FIND_GONE     3            /* segments that go at once */
#define LEARN_FIND_ENDING   7            /* bytes of ".html", at most */
#define LEARN_FIND_TABLES   16           /* in a round */
#define LEARN_FIND_RARE     10           /* times that others are as frequent */
#define LEARN_FIND_WHOLE    5            /* pages, for another form, */
#define LEARN_FIND_SHARE    4            /* and one in so many that it is for */


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


/* two forms, and where they differ */

typedef struct {
    const learn_form_t *a;
    const learn_form_t *b;
    uint32_t            left;            /* segments that both begin with */
    uint32_t            right;           /* and end with */
    uint32_t            na;              /* what is between */
    uint32_t            nb;
    uint32_t            more[2];         /* the pair that only a has, */
    uint32_t            other[2];        /* and b */
    uint32_t            nmore;           /* how many there are */
    uint32_t            nother;
} learn_apart_t;


static int  learn_find_round(learn_find_t *find, int *found);
static void  learn_find_pages(learn_find_t *find);
static void  learn_find_tables(learn_find_t *find);
static void  learn_find_page(learn_find_t *find, uint32_t first,
    uint32_t last);
static void  learn_find_apart(learn_apart_t *apart, const learn_form_t *a,
    const learn_form_t *b);
static void  learn_find_pairs(learn_apart_t *apart);
static int  learn_find_step(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step);
static int  learn_find_gone(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step);
static int  learn_find_replaced(learn_site_t *site,
    const learn_apart_t *apart, learn_step_t *step);
static int  learn_find_params(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step);
static uint32_t  learn_find_atom(learn_site_t *site, uint32_t token);
static int  learn_find_index(const learn_token_t *token);
static int  learn_find_ending(const learn_token_t *token);
static void  learn_find_note(learn_find_t *find, const learn_step_t *step,
    uint32_t page);
static int  learn_find_often(learn_site_t *site, const learn_step_t *step);
static int  learn_find_try(learn_site_t *site, learn_step_t *step);
static int  learn_find_general(learn_site_t *site, learn_step_t *step);


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
                    || seen->step.pages > find->list[best].step.pages
                    || (seen->step.pages == find->list[best].step.pages
                        && seen->key < find->list[best].key)))
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


/* --- what two URLs of a page differ in */


static void
learn_find_apart(learn_apart_t *apart, const learn_form_t *a,
    const learn_form_t *b)
{
    uint32_t  least;

    apart->a = a;
    apart->b = b;
    apart->left = 0;
    apart->right = 0;

    least = (a->nsegs < b->nsegs) ? a->nsegs : b->nsegs;

    while (apart->left < least
           && a->parts[apart->left] == b->parts[apart->left])
    {
        apart->left++;
    }

    while (apart->right < least - apart->left
           && a->parts[a->nsegs - 1 - apart->right]
              == b->parts[b->nsegs - 1 - apart->right])
    {
        apart->right++;
    }

    apart->na = a->nsegs - apart->left - apart->right;
    apart->nb = b->nsegs - apart->left - apart->right;

    learn_find_pairs(apart);
}


/* both are in order */

static void
learn_find_pairs(learn_apart_t *apart)
{
    int              rc;
    uint32_t         i, k, n, m;
    const uint32_t  *one, *two;

    one = apart->a->parts + apart->a->nsegs;
    two = apart->b->parts + apart->b->nsegs;
    n = apart->a->nparams;
    m = apart->b->nparams;
    apart->nmore = 0;
    apart->nother = 0;

    for (i = 0, k = 0; i < n || k < m; /* void */ ) {

        if (i == n || k == m) {
            rc = (i == n) ? 1 : -1;

        } else if (one[2 * i] != two[2 * k]) {
            rc = (one[2 * i] > two[2 * k]) ? 1 : -1;

        } else if (one[2 * i + 1] != two[2 * k + 1]) {
            rc = 2;

        } else {
            rc = 0;
        }

        if (rc < 0 || rc == 2) {
            memcpy(apart->more, one + 2 * i, 2 * sizeof(uint32_t));
            apart->nmore++;
        }

        if (rc > 0) {
            memcpy(apart->other, two + 2 * k, 2 * sizeof(uint32_t));
            apart->nother++;
        }

        i += (rc <= 0 || rc == 2);
        k += (rc >= 0);
    }
}


int
learn_site_difference(learn_site_t *site, const learn_form_t *a,
    const learn_form_t *b, learn_step_t *step)
{
    learn_apart_t  apart;

    learn_find_apart(&apart, a, b);

    return learn_find_step(site, &apart, step)
           || learn_whole_difference(site, a, b, step);
}


/* 0 if it is none, or more than one */

static int
learn_find_step(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    memset(step, 0, sizeof(learn_step_t));

    if (apart->a->host != apart->b->host) {

        if (apart->na + apart->nb + apart->nmore + apart->nother > 0) {
            return 0;
        }

        step->kind = LEARN_STEP_HOST;
        step->one = apart->a->host;
        step->two = apart->b->host;

        return 1;
    }

    if (apart->nmore + apart->nother > 0) {
        return learn_find_params(site, apart, step);
    }

    if (apart->nb == 0 && apart->na <= LEARN_FIND_GONE) {
        return learn_find_gone(site, apart, step);
    }

    return apart->na == 1 && apart->nb == 1
           && learn_find_replaced(site, apart, step);
}


/* segments that one has and the other has not */

static int
learn_find_gone(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    uint32_t              i;
    const uint32_t       *segs;
    const learn_form_t   *a;
    const learn_token_t  *last;

    a = apart->a;
    segs = a->parts + apart->left;
    step->n = apart->na;

    if (apart->left == 0) {
        step->kind = LEARN_STEP_FRONT;

        for (i = 0; i < step->n; i++) {
            step->atoms[i] = learn_find_atom(site, segs[i]);
        }

        return a->nsegs > step->n
               && site->tokens[a->parts[step->n]].len > 0;
    }

    last = &site->tokens[segs[apart->na - 1]];

    if (apart->right == 0 && apart->na == 1
        && (last->len == 0 || learn_find_index(last)))
    {
        step->kind = LEARN_STEP_BACK;
        step->atoms[0] = segs[0];

        return 1;
    }

    step->kind = LEARN_STEP_INSIDE;
    step->left = apart->left;
    step->right = apart->right;

    for (i = 0; i < a->nsegs; i++) {
        step->atoms[i] = (i >= apart->left && i < apart->left + apart->na)
                         ? LEARN_ATOM_STAR
                         : learn_site_atom(site, a->parts[i]);
    }

    for (i = 0; i < apart->na; i++) {
        if (site->tokens[segs[i]].len == 0) {
            return 0;
        }
    }

    return 1;
}


/* a segment that could be one of many is a pattern */

static uint32_t
learn_find_atom(learn_site_t *site, uint32_t token)
{
    learn_token_t  one;

    one = site->tokens[token];

    if (one.kind & LEARN_TOKEN_DIGITS) {
        return LEARN_ATOM_DIGITS;
    }

    if (one.kind & LEARN_TOKEN_HEX) {
        return LEARN_ATOM_HEX;
    }

    if (one.kind & LEARN_TOKEN_VALUE) {
        return LEARN_ATOM_STAR;
    }

    if (one.tail > 0 && one.tail < one.len) {
        return LEARN_ATOM_COUNT
               | learn_site_token(site, one.text, one.len - one.tail);
    }

    return token;
}


/* files that stand for their folder */

static int
learn_find_index(const learn_token_t *token)
{
    size_t  i;

    static const char *const  names[] = {
        "index.", "default.", "home.", "main.", "welcome."
    };

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (token->len > strlen(names[i])
            && memcmp(token->text, names[i], strlen(names[i])) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* true if it ends as the name of a file does */

static int
learn_find_ending(const learn_token_t *token)
{
    size_t  i;

    if (token->dot == 0 || token->len - token->dot > LEARN_FIND_ENDING) {
        return 0;
    }

    for (i = token->dot + 1u; i < token->len; i++) {
        if (!isalnum(token->text[i])) {
            return 0;
        }
    }

    return token->len - token->dot > 1;
}


/* one segment in the place of another */

static int
learn_find_replaced(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    uint32_t        i, one, two;
    learn_token_t   a, b;

    one = apart->a->parts[apart->left];
    two = apart->b->parts[apart->left];
    a = site->tokens[one];
    b = site->tokens[two];

    if (a.len == 0 || b.len == 0) {
        return 0;
    }

    step->left = apart->left;

    if ((a.kind & LEARN_TOKEN_HEX) && (b.kind & LEARN_TOKEN_HEX)) {
        step->kind = LEARN_STEP_FIXED;
        step->one = learn_site_token(site, (const uint8_t *) "0", 1);

        for (i = 0; i < apart->left; i++) {
            step->atoms[i] = learn_site_atom(site, apart->a->parts[i]);
        }

        step->atoms[apart->left] = LEARN_ATOM_HEX;

        return apart->right > 0;
    }

    if (learn_find_ending(&a) && learn_find_ending(&b) && a.dot == b.dot
        && apart->right == 0 && (a.kind & LEARN_TOKEN_VALUE)
        && memcmp(a.text, b.text, a.dot) == 0)
    {
        step->kind = LEARN_STEP_ENDING;
        step->left = 0;
        step->one = learn_site_token(site, a.text + a.dot, a.len - a.dot);
        step->two = learn_site_token(site, b.text + b.dot, b.len - b.dot);

        return 1;
    }

    if (learn_site_atom(site, one) == LEARN_ATOM_STAR
        || learn_site_atom(site, two) == LEARN_ATOM_STAR)
    {
        return 0;
    }

    step->kind = LEARN_STEP_WORD;
    step->one = one;
    step->two = two;

    return 1;
}


/* a value that is in the path here and a parameter there, or another name */

static int
learn_find_params(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    uint32_t             i;
    const learn_form_t  *a;

    a = apart->a;

    if (apart->nmore != 1 || apart->more[1] == LEARN_NOTHING) {
        return 0;
    }

    if (apart->nother == 0 && apart->na == 0 && apart->nb == 1
        && apart->b->parts[apart->left] == apart->more[1])
    {
        step->kind = LEARN_STEP_MOVE;
        step->one = apart->more[0];
        step->left = apart->left;
        step->right = apart->right;

        for (i = 0; i < a->nsegs; i++) {
            step->atoms[i] = learn_site_atom(site, a->parts[i]);
        }

        return 1;
    }

    if (apart->nother == 0 && apart->na == 1 && apart->nb == 1
        && apart->b->parts[apart->left] == apart->more[1]
        && site->tokens[a->parts[apart->left]].len > 0)
    {
        step->kind = LEARN_STEP_SWAP;
        step->one = apart->more[0];
        step->left = apart->left;
        step->n = 1;
        step->right = apart->right;

        for (i = 0; i < a->nsegs; i++) {
            step->atoms[i] = (i == apart->left)
                             ? LEARN_ATOM_STAR
                             : learn_site_atom(site, a->parts[i]);
        }

        return 1;
    }

    if (apart->nother == 1 && apart->na + apart->nb == 0
        && apart->more[1] == apart->other[1]
        && apart->more[0] != apart->other[0])
    {
        step->kind = LEARN_STEP_NAME;
        step->one = apart->more[0];
        step->two = apart->other[0];

        return 1;
    }

    return 0;
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

int
learn_site_right_way(learn_site_t *site, const learn_step_t *step)
{
    uint32_t              i, k, one, two, last;
    learn_made_t          made;
    const learn_form_t   *form;
    const learn_token_t  *token, *from, *to;

    one = 0;
    two = 0;

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

    if (step->kind == LEARN_STEP_WHOLE && !learn_find_often(site, step)) {
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

    return learn_find_general(site, step);
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


/* what holds in one folder may hold in all of them */

static int
learn_find_general(learn_site_t *site, learn_step_t *step)
{
    uint32_t        i, n;
    learn_step_t    wide;
    learn_merged_t  merged;

    if (step->kind != LEARN_STEP_INSIDE && step->kind != LEARN_STEP_MOVE
        && step->kind != LEARN_STEP_SWAP)
    {
        return 1;
    }

    n = step->left + step->n + step->right;
    merged.pair = NULL;

    for (i = n; i-- > 0; /* void */ ) {

        if (step->atoms[i] >= LEARN_ATOM_LAST
            || site->tokens[step->atoms[i]].len == 0)
        {
            continue;
        }

        wide = *step;
        wide.atoms[i] = LEARN_ATOM_STAR;

        if (!learn_site_merge(site, NULL, 0, learn_step_make, &wide, &merged))
        {
            return 0;
        }

        if (merged.good > step->good && learn_site_fine(site, &merged)
            && !learn_site_tells(site, &wide))
        {
            wide.good = merged.good;
            wide.bad = merged.bad;
            *step = wide;
        }
    }

    return 1;
}
