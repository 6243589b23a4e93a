
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit_tree.h"

#include "peer/peer_dust.h"
#include "peer/peer_fanout.h"


/* --- rules from pairs of URLs */

static void
fan_learn(unit_tree_t *unit, learn_fan_t *fan, const char *lines,
    size_t fanout)
{
    unit_tree_init(unit, lines, LEARN_SELECT_NAIVE);

    assert_true(learn_fan_learn(fan, &unit->set, fanout));
    assert_true(learn_fan_select(fan, 0.05));
}


static void
fan_becomes(learn_fan_t *fan, const char *url, const char *want)
{
    char         text[256];
    miqps_str_t  result;

    assert_true(strlen(url) < sizeof(text));
    memcpy(text, url, strlen(url));

    assert_true(learn_fan_apply(fan, (uint8_t *) text, strlen(url), &result)
                >= 0);
    unit_equal(result.data, result.len, want);
}


static void
fan_release(unit_tree_t *unit, learn_fan_t *fan)
{
    learn_fan_release(fan);
    unit_tree_release(unit);
}


/* rules with so many stars */

static size_t
fan_stars(const learn_fan_t *fan, uint32_t stars)
{
    size_t    i, n;
    uint32_t  k, found;

    n = 0;

    for (i = 0; i < fan->nrules; i++) {
        for (k = 0, found = 0; k < fan->rules[i].context.n; k++) {
            found += (fan->rules[i].context.cells[k].kind == LEARN_CELL_STAR);
        }

        n += (found == stars && fan->rules[i].wrong == 0);
    }

    return n;
}


static void
fan_of_figure_3(void **state)
{
    char         *lines;
    learn_fan_t   fan;
    unit_tree_t   unit;

    (void) state;

    lines = unit_figure_3(0);
    fan_learn(&unit, &fan, lines, 5);

    assert_true(fan_stars(&fan, 2) > 0);
    fan_becomes(&fan, "/a?k2=b&k3=p&k4=c7&k5=n", "/a?k2=b&k3=*&k4=c7&k5=*");
    fan_becomes(&fan, "/a?k2=b&k3=r&k4=c7&k5=s", "/a?k2=b&k3=*&k4=c7&k5=*");

    fan_release(&unit, &fan);
    free(lines);

    /* one URL less, and it breaks down */

    lines = unit_figure_3(1);
    fan_learn(&unit, &fan, lines, 5);

    assert_int_equal(fan_stars(&fan, 2), 0);
    fan_becomes(&fan, "/a?k2=b&k3=r&k4=c7&k5=s", "/a?k2=b&k3=r&k4=c7&k5=s");

    fan_release(&unit, &fan);
    free(lines);
}


/* "pages" pages with three sessions each, and every other one on a mirror */

static char *
fan_sessions(size_t pages)
{
    char    *lines;
    size_t   i, k, len;

    lines = malloc(UNIT_LINES);
    assert_non_null(lines);

    len = 0;

    for (i = 0; i < pages; i++) {
        for (k = 0; k < 3; k++) {
            unit_line(lines, &len, "http://www.a.example/p?"
                      "id=%zu&sid=%zu\t%zu\n", i, 3 * i + k, i);
        }

        if (i % 2 == 0) {
            unit_line(lines, &len, "http://m.a.example/p?id=%zu"
                      "\t%zu\nhttp://www.a.example/p?id=%zu"
                      "\t%zu\n", i, i, i, i);
        }
    }

    return lines;
}


static void
fan_needs_as_many_values(void **state)
{
    char         *lines;
    learn_fan_t   fan;
    unit_tree_t   unit;

    (void) state;

    lines = fan_sessions(7);

    fan_learn(&unit, &fan, lines, 5);
    fan_becomes(&fan, "http://www.a.example/p?id=99&sid=abc",
                "http://www.a.example/p?id=99&sid=*");
    fan_release(&unit, &fan);

    fan_learn(&unit, &fan, lines, 10);
    assert_int_equal(fan.nrules, 0);
    fan_becomes(&fan, "http://www.a.example/p?id=99&sid=abc",
                "http://www.a.example/p?id=99&sid=abc");
    fan_release(&unit, &fan);

    free(lines);
}


static void
fan_swaps_a_rare_value(void **state)
{
    char         *lines;
    learn_fan_t   fan;
    unit_tree_t   unit;

    (void) state;

    lines = fan_sessions(40);
    fan_learn(&unit, &fan, lines, 10);

    fan_becomes(&fan, "http://m.a.example/p?id=99",
                "http://www.a.example/p?id=99&sid=*");

    fan_release(&unit, &fan);
    free(lines);
}


/* a star is no value: rules for any value are not for it */

static void
fan_chains_do_not_add_up(void **state)
{
    char         *lines;
    size_t        i, len;
    learn_fan_t   fan;
    unit_tree_t   unit;

    (void) state;

    lines = malloc(UNIT_LINES);
    assert_non_null(lines);

    len = 0;

    /* a session is seen with a page only, and pages have two ids */

    for (i = 0; i < 40; i++) {
        unit_line(lines, &len, "/p?id=%zu&sid=a%zu\t%zu\n"
                  "/p?id=%zu&sid=b%zu\t%zu\n"
                  "/p?id=%zu&sid=a%zu\t%zu\n", i, i, i, i, i, i,
                  100 + i, i, i);
    }

    fan_learn(&unit, &fan, lines, 10);

    /* one of two rules that would be wrong together */

    fan_becomes(&fan, "/p?id=3&sid=b3", "/p?id=*&sid=b3");

    fan_release(&unit, &fan);
    free(lines);
}


/* --- substrings */

static const char  dust_lines[] =
    "http://us.a.example/p/1\t1\n"
    "http://de.a.example/p/1\t1\n"
    "http://us.a.example/p/2\t2\n"
    "http://de.a.example/p/2\t2\n"
    "http://us.a.example/p/3\t3\n"
    "http://de.a.example/p/3\t3\n"
    "http://us.a.example/p/4\t4\n"
    "http://de.a.example/p/4\t4\n"
    "http://us.a.example/p/5\t5\n"
    "http://de.a.example/p/5\t5\n"
    "http://us.a.example/q/5\t6\n"
    "http://de.a.example/q/6\t7\n";


static void
dust_substitutes(void **state)
{
    char              text[64];
    uint8_t          *copy;
    size_t            size;
    miqps_str_t       result;
    learn_dust_t      dust;
    learn_clusters_t  clusters;

    (void) state;

    size = sizeof(dust_lines) - 1;
    copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, dust_lines, size);

    assert_true(learn_clusters_parse(&clusters, copy, size));
    assert_true(learn_dust_learn(&dust, clusters.lines, clusters.nlines));
    assert_int_equal(dust.nrules, 1);
    unit_equal(dust.rules[0].from.data, dust.rules[0].from.len, "/us.");
    unit_equal(dust.rules[0].to.data, dust.rules[0].to.len, "/de.");
    assert_int_equal(dust.rules[0].envelopes, 5);
    assert_int_equal(dust.rules[0].wrong, 0);

    learn_dust_select(&dust, 0.05);
    assert_int_equal(dust.deployed, 1);

    memcpy(text, "http://us.a.example/p/77", 24);
    assert_int_equal(learn_dust_apply(&dust, (uint8_t *) text, 24, &result),
                     1);
    unit_equal(result.data, result.len, "http://de.a.example/p/77");

    learn_dust_release(&dust);
    learn_clusters_release(&clusters);
}


/* --- files of clusters */

typedef struct {
    const char     *sentence;
    const char     *text;
    size_t          lines;
    size_t          clusters;
    size_t          bad;
    size_t          repeated;
    size_t          disputed;
} clusters_row_t;


static const clusters_row_t  clusters_rows[] = {
    { "reads URLs and clusters", "/a\t1\n/b\t1\n/c\tx\n", 3, 2, 0, 0, 0 },
    { "reads a last line without an end", "/a\t1\n/b\t2", 2, 2, 0, 0, 0 },
    { "reads lines that end as those of Windows", "/a\t1\r\n/b\t1\r\n", 2, 1,
      0, 0, 0 },
    { "takes labels in any order", "/a\t2\n/b\t1\n/c\t2\n", 3, 2, 0, 0, 0 },
    { "leaves out what comes again", "/a\t1\n/a\t1\n", 1, 1, 0, 1, 0 },
    { "lets the first of two labels count", "/a\t1\n/a\t2\n/b\t1\n", 2, 2, 0,
      0, 1 },
    { "counts lines without a tab", "/a\nb\n/c\t1\n", 1, 1, 2, 0, 0 },
    { "counts empty lines too", "\n/a\t1\n\n", 1, 1, 2, 0, 0 },
    { "knows an empty file", "", 0, 0, 0, 0, 0 }
};


static void
clusters_are(void **state)
{
    uint8_t               *text;
    size_t                 size;
    learn_clusters_t       clusters;
    const clusters_row_t  *row;

    row = *state;
    size = strlen(row->text);
    text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, row->text, size);

    assert_true(learn_clusters_parse(&clusters, text, size));
    assert_int_equal(clusters.nlines, row->lines);
    assert_int_equal(clusters.nclusters, row->clusters);
    assert_int_equal(clusters.bad, row->bad);
    assert_int_equal(clusters.repeated - clusters.disputed, row->repeated);
    assert_int_equal(clusters.disputed, row->disputed);

    learn_clusters_release(&clusters);
}


int
main(void)
{
    static unit_t  unit;

    unit_add(&unit, "fan-out finds the rule of figure 3, and not without U6",
             fan_of_figure_3, NULL);
    unit_add(&unit, "fan-out needs as many values as that",
             fan_needs_as_many_values, NULL);
    unit_add(&unit, "fan-out swaps a rare value for a frequent one",
             fan_swaps_a_rare_value, NULL);
    unit_add(&unit, "fan-out does not take a star for a value",
             fan_chains_do_not_add_up, NULL);
    unit_add(&unit, "DUST substitutes strings", dust_substitutes, NULL);
    unit_rows(&unit, clusters_are, clusters_rows);

    return unit_run(&unit, "peers");
}
