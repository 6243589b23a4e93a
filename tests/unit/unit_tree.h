
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _UNIT_TREE_H_INCLUDED_
#define _UNIT_TREE_H_INCLUDED_


#include <stdlib.h>

#include "tree/tree_clusters.h"
#include "tree/tree_plan.h"
#include "unit.h"


/*
 * What is learned from some lines "URL <tab> cluster", all of it together.
 */

typedef struct {
    learn_clusters_t   clusters;
    learn_set_t        set;
    learn_tree_t       tree;
    learn_rules_t      rules;
    learn_plan_t       plan;
} unit_tree_t;


#define UNIT_LINES  65536


/* puts text at the end of lines, of which there are "len" bytes */

static inline void
unit_line(char *lines, size_t *len, const char *format, ...)
{
    int      n;
    va_list  args;

    va_start(args, format);
    n = vsnprintf(lines + *len, UNIT_LINES - *len, format, args);
    va_end(args);

    assert_true(n >= 0 && (size_t) n < UNIT_LINES - *len);
    *len += (size_t) n;
}


static const learn_rule_limits_t  unit_limits = learn_rule_limits;


static inline void
unit_tree_init(unit_tree_t *unit, const char *lines, learn_select_e select)
{
    size_t                 i, size;
    uint8_t               *text;
    learn_line_t          *line;
    learn_plan_options_t   options = learn_plan_options;

    size = strlen(lines);
    text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, lines, size);

    assert_true(learn_clusters_parse(&unit->clusters, text, size));

    learn_set_init(&unit->set, 1);

    for (i = 0; i < unit->clusters.nlines; i++) {
        line = &unit->clusters.lines[i];
        assert_int_equal(learn_set_add(&unit->set, line->url, line->len,
                                       line->cluster), 1);
    }

    options.select = select;

    assert_true(learn_set_finish(&unit->set, 1));
    assert_true(learn_tree_build(&unit->tree, &unit->set));
    assert_true(learn_rules_make(&unit->rules, &unit->tree, &unit_limits));
    assert_true(learn_plan_make(&unit->plan, &unit->rules, &options));
}


static inline void
unit_tree_release(unit_tree_t *unit)
{
    learn_plan_release(&unit->plan);
    learn_rules_release(&unit->rules);
    learn_tree_release(&unit->tree);
    learn_set_release(&unit->set);
    learn_clusters_release(&unit->clusters);
}


/* the node whose pattern prints so; the test fails without it */

static inline uint32_t
unit_tree_node(const unit_tree_t *unit, const char *pattern)
{
    int        found;
    char      *text;
    size_t     size;
    FILE      *out;
    uint32_t   n;

    for (n = 0; n < unit->tree.nnodes; n++) {
        out = open_memstream(&text, &size);
        assert_non_null(out);
        learn_pattern_print(&unit->set, &unit->tree.patterns[n], out);
        (void) fclose(out);

        found = (strcmp(text, pattern) == 0);
        free(text);

        if (found) {
            return n;
        }
    }

    print_error("no node is \"%s\"\n", pattern);
    fail();

    return 0;
}


/* what a URL becomes */

static inline void
unit_tree_becomes(unit_tree_t *unit, const char *url, const char *want)
{
    char         text[256];
    miqps_str_t  result;

    assert_true(strlen(url) < sizeof(text));
    memcpy(text, url, strlen(url));

    assert_true(learn_plan_apply(&unit->plan, (uint8_t *) text, strlen(url),
                                 &result) >= 0);
    unit_equal(result.data, result.len, want);
}


/*
 * Figure 3: pages with eight URLs each, of which U5 to U8 have all pairs of
 * two values of k3 and two of k5; to be freed.
 */

static inline char *
unit_figure_3(int without_u6)
{
    char   *lines;
    size_t  i, u, len;

    static const char  *values[8][2] = {
        { "r", "s" }, { "t", "v" }, { "w", "x" }, { "y", "z" },
        { "p", "m" }, { "p", "n" }, { "q", "m" }, { "q", "n" }
    };

    lines = malloc(UNIT_LINES);
    assert_non_null(lines);

    len = 0;

    for (i = 0; i < 12; i++) {
        for (u = 0; u < 8; u++) {
            if (u == 5 && without_u6) {
                continue;
            }

            unit_line(lines, &len, "/a?k2=b&k3=%s&k4=c%zu&k5=%s"
                      "\t%zu\n", values[u][0], i, values[u][1],
                      i);
        }
    }

    return lines;
}


#endif /* _UNIT_TREE_H_INCLUDED_ */
