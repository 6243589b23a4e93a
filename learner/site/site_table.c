
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "site.h"


/*
 * VALUES THAT HAVE TWO NAMES
 *
 * Where URLs of a page differ in one value only, a number here and a word
 * there, that may be a translation: if it is the same one in all pages.
 */

#define LEARN_TABLE_VALUES  2            /* of a table, at least */
#define LEARN_TABLE_PAGES   2            /* that a value is seen in */
#define LEARN_TABLE_SHARE   90           /* percent that are of one mind */
#define LEARN_TABLE_FORMS   10           /* of a page that are compared */
#define LEARN_TABLE_PAIRS   200000


typedef struct {
    uint64_t            place;           /* of the value: a hash */
    uint32_t            from;
    uint32_t            to;
    uint32_t            form;            /* one that has it */
} learn_said_t;


static size_t  learn_table_pages(learn_site_t *site, learn_said_t *list);
static size_t  learn_table_page(learn_site_t *site, uint32_t first,
    uint32_t last, learn_said_t *list, size_t n);
static int  learn_table_pair(learn_site_t *site, uint32_t one, uint32_t two,
    learn_said_t *said);
static int  learn_table_words(const learn_site_t *site, uint32_t from,
    uint32_t to);
static uint64_t  learn_table_place(learn_site_t *site,
    const learn_form_t *form, uint32_t at, uint32_t name);
static int  learn_table_step(learn_site_t *site, const learn_said_t *list,
    size_t n, learn_step_t *step);
static void  learn_table_where(learn_site_t *site, const learn_said_t *said,
    learn_step_t *step);
static int  learn_table_by_place(const void *one, const void *two);


int
learn_site_tables(learn_site_t *site, learn_step_t *steps, uint32_t max,
    uint32_t *found)
{
    size_t         i, k, n;
    learn_said_t  *list;

    *found = 0;
    list = malloc(LEARN_TABLE_PAIRS * sizeof(learn_said_t));

    if (list == NULL) {
        site->failed = 1;
        return 0;
    }

    n = learn_table_pages(site, list);

    if (n > 0) {
        qsort(list, n, sizeof(learn_said_t), learn_table_by_place);
    }

    for (i = 0; i < n && *found < max && !site->failed; i = k) {

        for (k = i + 1; k < n && list[k].place == list[i].place; k++) {
            /* void */
        }

        *found += (uint32_t) learn_table_step(site, list + i, k - i,
                                              &steps[*found]);
    }

    free(list);

    return !site->failed;
}


static size_t
learn_table_pages(learn_site_t *site, learn_said_t *list)
{
    size_t    n;
    uint32_t  first, last;

    n = 0;

    for (first = 0; first < site->nforms; first = last) {
        last = learn_site_next(site, first);
        n = learn_table_page(site, first, last, list, n);
    }

    return n;
}


static size_t
learn_table_page(learn_site_t *site, uint32_t first, uint32_t last,
    learn_said_t *list, size_t n)
{
    uint32_t  i, k;

    last = (last - first > LEARN_TABLE_FORMS) ? first + LEARN_TABLE_FORMS
                                              : last;

    for (i = first; i < last; i++) {
        for (k = first; k < last && n < LEARN_TABLE_PAIRS; k++) {
            n += (size_t) (i != k
                           && learn_table_pair(site, i, k, &list[n]));
        }
    }

    return n;
}


static int
learn_table_pair(learn_site_t *site, uint32_t one, uint32_t two,
    learn_said_t *said)
{
    uint32_t             at;
    const learn_form_t  *a, *b;

    a = &site->forms[one];
    b = &site->forms[two];

    if (!learn_site_translates(site, a, b, &at)) {
        return 0;
    }

    said->from = a->parts[at];
    said->to = b->parts[at];
    said->form = one;
    said->place = learn_table_place(site, a, at,
                                    (at >= a->nsegs) ? a->parts[at - 1]
                                                     : LEARN_NOTHING);

    return 1;
}


int
learn_site_translates(const learn_site_t *site, const learn_form_t *a,
    const learn_form_t *b, uint32_t *where)
{
    uint32_t  i, n, at;

    if (a->host != b->host || a->nsegs != b->nsegs
        || a->nparams != b->nparams)
    {
        return 0;
    }

    n = a->nsegs + 2u * a->nparams;
    at = n;

    for (i = 0; i < n; i++) {

        if (a->parts[i] == b->parts[i]) {
            continue;
        }

        /* names are the same */

        if (at < n || (i >= a->nsegs && (i - a->nsegs) % 2 == 0)) {
            return 0;
        }

        at = i;
    }

    *where = at;

    return at < n && learn_table_words(site, a->parts[at], b->parts[at]);
}


static int
learn_table_words(const learn_site_t *site, uint32_t from, uint32_t to)
{
    return from != LEARN_NOTHING && to != LEARN_NOTHING
           && (site->tokens[from].kind & LEARN_TOKEN_DIGITS)
           && (site->tokens[to].kind & LEARN_TOKEN_PLAIN)
           && !(site->tokens[to].kind & LEARN_TOKEN_DIGITS);
}


/* a name, or a number of segments before it and what these are */

static uint64_t
learn_table_place(learn_site_t *site, const learn_form_t *form, uint32_t at,
    uint32_t name)
{
    uint32_t  i, atoms[LEARN_SITE_SEGMENTS + 1];

    if (name != LEARN_NOTHING) {
        return (uint64_t) name << 1;
    }

    for (i = 0; i < at; i++) {
        atoms[i] = learn_site_atom(site, form->parts[i]);
    }

    return XXH3_64bits_withSeed(atoms, at * sizeof(uint32_t), at) | 1;
}


static int
learn_table_by_place(const void *one, const void *two)
{
    const learn_said_t  *a, *b;

    a = one;
    b = two;

    if (a->place != b->place) {
        return (a->place > b->place) ? 1 : -1;
    }

    if (a->from != b->from) {
        return (a->from > b->from) ? 1 : -1;
    }

    return (a->to > b->to) - (a->to < b->to);
}


/* what most say of each value; 1 if that is a table */

static int
learn_table_step(learn_site_t *site, const learn_said_t *list, size_t n,
    learn_step_t *step)
{
    size_t    i, k, run, most;
    uint32_t  best, pairs[2 * LEARN_SITE_TABLE];
    uint64_t  agreed;

    memset(step, 0, sizeof(learn_step_t));
    agreed = 0;

    for (i = 0; i < n && step->ntable < LEARN_SITE_TABLE; i = k) {
        run = 0;
        most = 0;
        best = LEARN_NOTHING;

        for (k = i; k < n && list[k].from == list[i].from; k++) {
            run = (k > i && list[k].to == list[k - 1].to) ? run + 1 : 1;

            if (run > most) {
                most = run;
                best = list[k].to;
            }
        }

        if (most >= LEARN_TABLE_PAGES
            && 100 * most >= LEARN_TABLE_SHARE * (k - i))
        {
            pairs[2 * step->ntable] = list[i].from;
            pairs[2 * step->ntable + 1] = best;
            step->ntable++;
            agreed += most;
        }
    }

    if (step->ntable < LEARN_TABLE_VALUES
        || 100 * agreed < LEARN_TABLE_SHARE * (uint64_t) n)
    {
        return 0;
    }

    step->kind = LEARN_STEP_TABLE;
    step->pages = agreed;
    step->table = learn_arena_alloc(&site->arena, 2 * step->ntable
                                                  * sizeof(uint32_t));

    if (step->table == NULL) {
        site->failed = 1;
        return 0;
    }

    memcpy(step->table, pairs, 2 * step->ntable * sizeof(uint32_t));
    learn_table_where(site, list, step);

    return 1;
}


static void
learn_table_where(learn_site_t *site, const learn_said_t *said,
    learn_step_t *step)
{
    uint32_t             i;
    const learn_form_t  *form;

    form = &site->forms[said->form];

    if (!(said->place & 1)) {
        step->one = (uint32_t) (said->place >> 1);
        return;
    }

    step->one = LEARN_NOTHING;

    for (i = 0; form->parts[i] != said->from
                || learn_table_place(site, form, i, LEARN_NOTHING)
                   != said->place; i++)
    {
        step->atoms[i] = learn_site_atom(site, form->parts[i]);
    }

    step->left = i;
}
