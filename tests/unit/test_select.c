
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "tree/tree_select.h"


/*
 * Places are letters, in a tree that is written as pairs "Aa": place A covers
 * place a.  Arrows are written as the two letters, and their rate.
 */

typedef struct {
    char            name[3];
    double          fpr;
    uint32_t        volume;
    int             naive;          /* is kept */
    int             by_rate;
    int             graph;
} select_arrow_t;


typedef struct {
    const char      *sentence;
    const char      *covers[8];
    select_arrow_t   arrows[8];
} select_row_t;


static const select_row_t  select_rows[] = {

    /* figure 7 */

    { "keeps one of two rules from one node",
      { NULL },
      { { "st", 0.02, 10, 0, 0, 0 },
        { "su", 0.01, 10, 1, 1, 1 } } },

    { "keeps the rule of the ancestor",
      { "Ss", "Tt", NULL },
      { { "ST", 0.03, 100, 1, 1, 1 },
        { "st", 0.01, 10, 0, 1, 0 } } },

    { "breaks a circle at the rule with the least support",
      { NULL },
      { { "ab", 0, 30, 1, 1, 0 },
        { "bc", 0, 10, 0, 0, 1 },
        { "ca", 0, 20, 1, 1, 1 } } },

    { "keeps a rule of a node for itself",
      { NULL },
      { { "aa", 0, 30, 1, 1, 1 } } },

    { "finds a circle by way of an ancestor",
      { "Bb", NULL },
      { { "BA", 0, 50, 1, 1, 0 },
        { "Ab", 0, 20, 0, 0, 0 } } },

    { "has nothing to select", { NULL }, { { "", 0, 0, 0, 0, 0 } } }
};


static int
select_covers(const void *data, uint32_t one, uint32_t two)
{
    size_t               i;
    const select_row_t  *row;

    row = data;

    if (one == two) {
        return 1;
    }

    for (i = 0; i < 8 && row->covers[i] != NULL; i++) {
        if ((uint32_t) row->covers[i][0] == one
            && (uint32_t) row->covers[i][1] == two)
        {
            return 1;
        }
    }

    return 0;
}


static int
select_by_places(const void *one, const void *two)
{
    const learn_arrow_t  *a, *b;

    a = one;
    b = two;

    return (a->source != b->source)
           ? (a->source > b->source) - (a->source < b->source)
           : (a->target > b->target) - (a->target < b->target);
}


/* URLs of a place: those of its arrow, or a few */

static uint32_t
select_volume(const select_row_t *row, char place)
{
    size_t  i;

    for (i = 0; i < 8 && row->arrows[i].name[0] != '\0'; i++) {
        if (row->arrows[i].name[0] == place) {
            return row->arrows[i].volume;
        }
    }

    return 10;
}


static size_t
select_arrows(const select_row_t *row, learn_arrow_t *arrows)
{
    size_t  n;

    for (n = 0; n < 8 && row->arrows[n].name[0] != '\0'; n++) {
        memset(&arrows[n], 0, sizeof(learn_arrow_t));

        arrows[n].source = (uint32_t) row->arrows[n].name[0];
        arrows[n].target = (uint32_t) row->arrows[n].name[1];
        arrows[n].fpr = row->arrows[n].fpr;
        arrows[n].overlap = 0.5;
        arrows[n].volume = row->arrows[n].volume;
        arrows[n].target_volume = select_volume(row, row->arrows[n].name[1]);
    }

    qsort(arrows, n, sizeof(learn_arrow_t), select_by_places);

    return n;
}


static void
selected_are(const select_row_t *row, const learn_arrow_t *arrows, size_t n,
    const char *how)
{
    int     want;
    size_t  i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; (uint32_t) row->arrows[j].name[0] != arrows[i].source
                    || (uint32_t) row->arrows[j].name[1] != arrows[i].target;
             j++)
        {
            /* void */
        }

        want = (strcmp(how, "naive") == 0) ? row->arrows[j].naive
               : (strcmp(how, "fpr") == 0) ? row->arrows[j].by_rate
                                           : row->arrows[j].graph;

        if (want != (int) arrows[i].keep) {
            print_error("%s: %s is %s\n", how, row->arrows[j].name,
                        want ? "lost" : "kept");
            fail();
        }
    }
}


static void
selection_is(void **state)
{
    size_t               n;
    learn_arrow_t        arrows[8];
    learn_cover_t        cover;
    learn_energy_t       energy[128];
    const select_row_t  *row;

    row = *state;
    cover.covers = select_covers;
    cover.data = row;

    n = select_arrows(row, arrows);
    assert_true(learn_select_naive(arrows, n, &cover, 0));
    selected_are(row, arrows, n, "naive");

    n = select_arrows(row, arrows);
    assert_true(learn_select_naive(arrows, n, &cover, 1));
    selected_are(row, arrows, n, "fpr");

    n = select_arrows(row, arrows);
    assert_true(learn_select_graph(arrows, n, &cover, 0, 128, energy));
    selected_are(row, arrows, n, "graph");
}


/*
 * Figure 8: rules 1, 2 and 3 lead by way of two nodes to the destination, and
 * what would lead out of it again is removed.
 */

static const select_row_t  figure_8 = {
    "", { "Dd", NULL },
    { { "ab", 0, 20, 0, 0, 1 },
      { "bc", 0, 30, 0, 0, 1 },
      { "cD", 0, 40, 0, 0, 1 },
      { "DD", 0, 50, 0, 0, 1 },
      { "De", 0, 50, 0, 0, 0 },
      { "eD", 0, 15, 0, 0, 1 } }
};


static void
destinations_of_figure_8(void **state)
{
    size_t                n, steps;
    learn_arrow_t         arrows[8];
    learn_cover_t         cover;
    learn_energy_t        energy[128];
    const learn_arrow_t  *next;
    uint32_t              place;

    (void) state;

    cover.covers = select_covers;
    cover.data = &figure_8;
    n = select_arrows(&figure_8, arrows);

    assert_true(learn_select_graph(arrows, n, &cover, 0, 128, energy));
    assert_int_equal(energy['D'].rank, 0);
    selected_are(&figure_8, arrows, n, "graph");

    /* the chain that becomes one rule */

    place = 'a';
    steps = 0;

    while ((next = learn_select_next(arrows, n, &cover, 0, place)) != NULL
           && next->target != place)
    {
        place = next->target;
        assert_true(steps++ < 3);
    }

    assert_int_equal(place, 'D');
    assert_int_equal(steps, 3);
}


static void
walk_ends_where_two_exchange_all(void **state)
{
    learn_arrow_t   arrows[8];
    learn_cover_t   cover;
    learn_energy_t  energy[128];
    size_t          n;

    static const select_row_t  row = {
        "", { NULL },
        { { "ab", 0, 70, 0, 0, 0 }, { "ba", 0, 20, 0, 0, 1 } }
    };

    (void) state;

    cover.covers = select_covers;
    cover.data = &row;
    n = select_arrows(&row, arrows);

    assert_true(learn_select_graph(arrows, n, &cover, 0, 128, energy));
    assert_true(energy['a'].energy > 44.9 && energy['a'].energy < 45.1);
    assert_int_equal(arrows[0].keep + arrows[1].keep, 1);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, selection_is, select_rows);
    unit_add(&unit, "selects the destination of figure 8",
             destinations_of_figure_8, NULL);
    unit_add(&unit, "comes to rest where two nodes exchange all",
             walk_ends_where_two_exchange_all, NULL);

    return unit_run(&unit, "select");
}
