
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "miqps_map.h"
#include "miqps_url.h"
#include "ways.h"


/*
 * VALUES THAT HAVE TWO NAMES
 *
 *     /shade/3/17      declares to be      /shade/yellow/17
 *
 * Which number is which word no URL tells, but pages do: those that declare to
 * be another URL, which differs in one segment only.  Where two of them have
 * been seen to do so, a URL for each number that is in the same place is
 * fetched, and what it declares to be.  Only what shows the same page is taken:
 * many pages declare what is not true.
 */

#define LEARN_TABLES_MAX     4           /* places */
#define LEARN_TABLES_LEAST   2           /* pages that declare, and values */
#define LEARN_TABLES_VALUES  24          /* of a place, that are tried */


/* where the value is: the segment behind others */

typedef struct {
    uint32_t           left;
    uint32_t           atoms[LEARN_SITE_ATOMS];
    uint32_t           seen;             /* pages that declare so */
} learn_spot_t;


/* two values of a place, and one URL that has the first */

typedef struct {
    uint32_t           from;
    uint32_t           to;
    uint32_t           form;
    learn_way_e        state;
} learn_entry_t;


struct learn_tables_s {
    learn_spot_t      places[LEARN_TABLES_MAX];
    uint32_t           nplaces;
    learn_entry_t      entries[LEARN_TABLES_MAX][LEARN_TABLES_VALUES];
    uint32_t           n[LEARN_TABLES_MAX];
};


static int  learn_tables_create(learn_adapt_t *adapt, learn_ways_t *ways);
static int  learn_tables_by_hash(const void *one, const void *two);
static int  learn_tables_declared(learn_adapt_t *adapt, learn_ways_t *ways,
    const miqps_str_t *url, const miqps_str_t *canonical,
    learn_spot_t *place, uint32_t *from, uint32_t *to);
static int  learn_tables_differ(learn_site_t *site, learn_spot_t *place,
    uint32_t *from, uint32_t *to);
static void  learn_tables_place(learn_tables_t *tables,
    const learn_spot_t *place);
static int  learn_tables_same(const learn_spot_t *one,
    const learn_spot_t *two);
static void  learn_tables_values(learn_ways_t *ways, uint32_t place);
static uint32_t  learn_tables_at(const learn_site_t *site,
    const learn_form_t *form, const learn_spot_t *place);
static int  learn_tables_entry(learn_adapt_t *adapt, learn_ways_t *ways,
    uint32_t place, learn_entry_t *entry);
static int  learn_tables_take(learn_ways_t *ways, uint32_t place);


int
learn_ways_tables(learn_adapt_t *adapt, learn_ways_t *ways)
{
    uint32_t         i, k, open;
    learn_tables_t  *tables;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_TABLES)) {
        return 1;
    }

    if (ways->tables == NULL && !learn_tables_create(adapt, ways)) {
        adapt->failed = 1;
        return 0;
    }

    tables = ways->tables;
    open = 0;

    for (i = 0; i < tables->nplaces; i++) {
        for (k = 0; k < tables->n[i] && !adapt->failed; k++) {
            if (tables->entries[i][k].state == LEARN_WAY_OPEN) {
                open += !learn_tables_entry(adapt, ways, i,
                                            &tables->entries[i][k]);
            }
        }
    }

    if (open > 0 || adapt->failed) {
        return 0;
    }

    for (i = 0; i < tables->nplaces; i++) {
        if (!learn_tables_take(ways, i)) {
            adapt->failed = 1;
            return 0;
        }
    }

    return 1;
}


/* places where pages that have come declare another value; 0 without memory */

static int
learn_tables_create(learn_adapt_t *adapt, learn_ways_t *ways)
{
    size_t           i, n;
    uint32_t         from, to;
    learn_spot_t     place;
    learn_study_t   *study;
    learn_visit_t  **visits, *visit;

    study = adapt->study;
    ways->tables = calloc(1, sizeof(learn_tables_t));
    visits = malloc((study->nvisits + 1) * sizeof(learn_visit_t *));

    if (ways->tables == NULL || visits == NULL) {
        free(visits);
        return 0;
    }

    for (i = 0, n = 0; i < study->max_visits; i++) {
        visit = study->visits[i];

        if (visit != NULL && visit->touched && visit->row.canonical.len > 0
            && visit->state == LEARN_VISIT_DONE && visit->row.turn == 0
            && learn_visit_worth(visit) == LEARN_WORTH_PAGE)
        {
            visits[n++] = visit;
        }
    }

    qsort(visits, n, sizeof(learn_visit_t *), learn_tables_by_hash);

    for (i = 0; i < n && !ways->site.failed; i++) {
        if (learn_tables_declared(adapt, ways, &visits[i]->row.url,
                                  &visits[i]->row.canonical, &place, &from,
                                  &to))
        {
            learn_tables_place(ways->tables, &place);
        }
    }

    free(visits);

    for (i = 0; i < ways->tables->nplaces; i++) {
        if (ways->tables->places[i].seen >= LEARN_TABLES_LEAST) {
            learn_tables_values(ways, (uint32_t) i);
        }
    }

    return !ways->site.failed;
}


static int
learn_tables_by_hash(const void *one, const void *two)
{
    const learn_visit_t *const  *a = one, *const  *b = two;

    if ((*a)->row.hash != (*b)->row.hash) {
        return ((*a)->row.hash > (*b)->row.hash) ? 1 : -1;
    }

    return (*a)->row.viewer > (*b)->row.viewer;
}


/* true if a page declares to be one that has another value in one place */

static int
learn_tables_declared(learn_adapt_t *adapt, learn_ways_t *ways,
    const miqps_str_t *url, const miqps_str_t *canonical,
    learn_spot_t *place, uint32_t *from, uint32_t *to)
{
    int              differ;
    uint32_t         before;
    learn_site_t    *site;
    learn_target_t   target;

    site = &ways->site;
    before = site->nforms;

    if (learn_target_check(canonical, adapt->study->allowed,
                           adapt->study->memo, &target)
        != LEARN_TARGET_OK)
    {
        return 0;
    }

    /* they are among the others only as long as they are compared */

    if (!learn_site_add(site, url, 0) || !learn_site_add(site, canonical, 0)) {
        adapt->failed = 1;
    }

    differ = (site->nforms == before + 2 && !adapt->failed)
             ? learn_tables_differ(site, place, from, to) : 0;

    learn_site_drop(site, before);

    return differ;
}


/* the last two forms: a number and a word in one place, all else being one */

static int
learn_tables_differ(learn_site_t *site, learn_spot_t *place, uint32_t *from,
    uint32_t *to)
{
    uint32_t             i;
    const learn_form_t  *a, *b;

    a = &site->forms[site->nforms - 2];
    b = &site->forms[site->nforms - 1];

    /* a parameter of that name may mean something else on another path */

    if (!learn_site_translates(site, a, b, &i) || i >= a->nsegs) {
        return 0;
    }

    *from = a->parts[i];
    *to = b->parts[i];

    memset(place, 0, sizeof(learn_spot_t));
    place->left = i;

    while (i-- > 0) {
        place->atoms[i] = learn_site_atom(site, a->parts[i]);
    }

    return 1;
}


static void
learn_tables_place(learn_tables_t *tables, const learn_spot_t *place)
{
    uint32_t  i;

    for (i = 0; i < tables->nplaces; i++) {
        if (learn_tables_same(&tables->places[i], place)) {
            tables->places[i].seen++;
            return;
        }
    }

    if (tables->nplaces < LEARN_TABLES_MAX) {
        tables->places[tables->nplaces] = *place;
        tables->places[tables->nplaces++].seen = 1;
    }
}


static int
learn_tables_same(const learn_spot_t *one, const learn_spot_t *two)
{
    return one->left == two->left
           && memcmp(one->atoms, two->atoms, one->left * sizeof(uint32_t))
              == 0;
}


/* the numbers that URLs have there, each with one of these */

static void
learn_tables_values(learn_ways_t *ways, uint32_t place)
{
    uint32_t         i, k, *n, value;
    learn_site_t    *site;
    learn_entry_t   *entries;
    learn_tables_t  *tables;

    site = &ways->site;
    tables = ways->tables;
    entries = tables->entries[place];
    n = &tables->n[place];

    for (i = 0; i < site->nforms && *n < LEARN_TABLES_VALUES; i++) {
        value = learn_tables_at(site, &site->bare[i],
                                &tables->places[place]);

        if (value == LEARN_NOTHING
            || !(site->tokens[value].kind & LEARN_TOKEN_DIGITS))
        {
            continue;
        }

        for (k = 0; k < *n && entries[k].from != value; k++) {
            /* void */
        }

        if (k == *n) {
            entries[k].from = value;
            entries[k].form = i;
            (*n)++;
        }
    }
}


/* the value of a form in a place, or LEARN_NOTHING */

static uint32_t
learn_tables_at(const learn_site_t *site, const learn_form_t *form,
    const learn_spot_t *place)
{
    uint32_t  i;

    if (form->nsegs <= place->left) {
        return LEARN_NOTHING;
    }

    for (i = 0; i < place->left; i++) {
        if (!learn_site_fits(site, place->atoms[i], form->parts[i])) {
            return LEARN_NOTHING;
        }
    }

    return form->parts[place->left];
}


/* 1 if it is known what the value becomes, if anything */

static int
learn_tables_entry(learn_adapt_t *adapt, learn_ways_t *ways, uint32_t place,
    learn_entry_t *entry)
{
    miqps_str_t     url;
    learn_pair_t    pair;
    learn_said_e    rc;
    learn_kind_t   *kind;
    learn_spot_t    other;
    learn_visit_t  *visit;

    static const uint32_t  none[] = { UINT32_MAX };

    kind = learn_ways_noise(adapt, ways, entry->form,
                            &ways->site.bare[entry->form]);
    url = learn_ways_url(adapt, ways, &ways->site.bare[entry->form]);
    visit = (url.len > 0 && kind->why == NULL)
            ? learn_again_visit(adapt, kind, &url, 0, 0) : NULL;

    if (visit != NULL && visit->state != LEARN_VISIT_DONE) {
        return 0;
    }

    rc = LEARN_SAID_NOTHING;

    if (visit != NULL
        && learn_tables_declared(adapt, ways, &url, &visit->row.canonical,
                                 &other, &entry->from, &entry->to)
        && learn_tables_same(&other, &ways->tables->places[place]))
    {
        rc = learn_inquire(adapt, kind, &url, &visit->row.canonical, 0, none,
                           &pair);
    }

    if (rc == LEARN_SAID_WAIT) {
        return 0;
    }

    entry->state = (rc == LEARN_SAID_SAME) ? LEARN_WAY_TAKEN
                                           : LEARN_WAY_REFUSED;

    return 1;
}


/* makes a step of what is known of a place; 0 without memory */

static int
learn_tables_take(learn_ways_t *ways, uint32_t place)
{
    uint32_t         i;
    learn_site_t    *site;
    learn_step_t     step;
    learn_entry_t   *entry;
    learn_spot_t    *where;
    learn_tables_t  *tables;

    site = &ways->site;
    tables = ways->tables;
    where = &tables->places[place];

    memset(&step, 0, sizeof(learn_step_t));

    step.kind = LEARN_STEP_TABLE;
    step.one = LEARN_NOTHING;
    step.left = where->left;
    memcpy(step.atoms, where->atoms, sizeof(step.atoms));
    step.table = learn_arena_alloc(&site->arena, 2 * LEARN_TABLES_VALUES
                                                 * sizeof(uint32_t));

    if (step.table == NULL) {
        return 0;
    }

    for (i = 0; i < tables->n[place]; i++) {
        entry = &tables->entries[place][i];

        if (entry->state == LEARN_WAY_TAKEN) {
            step.table[2 * step.ntable] = entry->from;
            step.table[2 * step.ntable + 1] = entry->to;
            step.ntable++;
        }
    }

    if (step.ntable < LEARN_TABLES_LEAST || site->nsteps == LEARN_SITE_STEPS) {
        return 1;
    }

    step.pages = step.ntable;
    learn_site_put(site, &step);

    return learn_site_walk(site);
}
