
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit_tree.h"

#include "tree/tree_keys.h"


/* --- figure 2: the key-value form */

typedef struct {
    const char     *sentence;
    const char     *url;
    const char     *pairs;           /* "key=value" with blanks between */
    const char     *joined;          /* NULL: as it was */
} keys_row_t;


static const keys_row_t  keys_rows[] = {
    { "takes the URL of figure 2 apart",
      "http://www.bing.com/images/results.aspx?q=hp&go=&form=qbir",
      "scheme=http auth_0=www auth_1=bing auth_2=com path_0=images "
      "path_1=results.aspx q=hp go= form=qbir",
      "http://www.bing.com/images/results.aspx?form=qbir&go=&q=hp" },
    { "has keys for the port and the slash at the end",
      "https://shop.example:8443/shoes/red/",
      "scheme=https auth_0=shop auth_1=example port=8443 path_0=shoes "
      "path_1=red slash=/", NULL },
    { "tells a word from an empty value", "/p?print&a=",
      "path_0=p print= a=", "/p?a=&print" },
    { "makes letters of host and scheme small", "HTTP://WWW.Example/A",
      "scheme=http auth_0=www auth_1=example path_0=A",
      "http://www.example/A" },
    { "leaves the bytes of a value", "/a?q=%C3%a9+x",
      "path_0=a q=%C3%a9+x", NULL },
    { "leaves out the fragment and empty pieces", "/a?&b=1&#top",
      "path_0=a b=1", "/a?b=1" }
};


static void
keys_are(void **state)
{
    static char        text[UNIT_LINES];
    uint8_t            url[256], joined[256];
    size_t             i, n, len;
    learn_pair_t       pairs[LEARN_MAX_PAIRS];
    const keys_row_t  *row;

    row = *state;
    len = strlen(row->url);
    memcpy(url, row->url, len);

    n = learn_keys_split(url, len, pairs);
    len = 0;

    for (i = 0; i < n; i++) {
        unit_line(text, &len, (i > 0) ? " " : "");
        len += learn_key_name(&pairs[i].key, text + len, 64);
        unit_line(text, &len, "=%.*s", (int) pairs[i].value.len,
                  (const char *) pairs[i].value.data);
    }

    unit_equal((uint8_t *) text, len, row->pairs);

    /* parameters by name: put in order by hand, as a set does */

    for (i = 1; i < n; i++) {
        size_t        j;
        learn_pair_t  pair;

        pair = pairs[i];

        for (j = i; j > 0
                    && learn_key_compare(&pairs[j - 1].key, &pair.key) > 0;
             j--)
        {
            pairs[j] = pairs[j - 1];
        }

        pairs[j] = pair;
    }

    assert_true(learn_keys_size(pairs, n) <= sizeof(joined));
    len = learn_keys_join(pairs, n, joined);
    unit_equal(joined, len, (row->joined != NULL) ? row->joined : row->url);
}


/* --- figure 6: salient and trivial values */

typedef struct {
    const char     *sentence;
    uint32_t        counts[12];
    uint32_t        floor;
    size_t          salient;
} salient_row_t;


static const salient_row_t  salient_rows[] = {
    { "cuts the curve of figure 6 where it falls most",
      { 98012, 90311, 77120, 61003, 52814, 310, 290, 240, 200, 180, 150, 90 },
      1, 5 },
    { "takes the first of equal drops", { 64, 16, 4, 1 }, 1, 1 },
    { "finds none in a flat curve at the floor", { 7, 7, 7, 7 }, 7, 0 },
    { "finds all in a flat curve above the floor", { 9, 9, 9 }, 2, 3 },
    { "finds none in rare values", { 3, 2, 1, 1 }, 5, 0 },
    { "finds one value", { 5 }, 1, 1 },
    { "finds none where there is nothing", { 0 }, 1, 0 }
};


static void
salient_is(void **state)
{
    size_t                n;
    const salient_row_t  *row;

    row = *state;

    for (n = 0; n < 12 && row->counts[n] > 0; n++) { /* void */ }

    assert_int_equal(learn_salient(row->counts, n, row->floor), row->salient);
}


/* --- figure 1: the tree of a site with albums and a blog */

static void
tree_of_figure_1(void **state)
{
    char         *lines;
    size_t        i, len;
    uint32_t      album, show;
    unit_tree_t   unit;

    (void) state;

    lines = malloc(UNIT_LINES);
    assert_non_null(lines);

    len = 0;

    for (i = 0; i < 120; i++) {
        unit_line(lines, &len, "http://www.wretch.cc/album/show.php?"
                  "i=u%zu&b=%zu&f=1%zu\tc%zu\n", i / 3, 7 * i, 3 * i, i);
        unit_line(lines, &len, "http://www.wretch.cc/album/album.php?"
                  "id=u%zu&book=%zu\ta%zu\n", i / 3, 5 * i, i);
        unit_line(lines, &len, "http://www.wretch.cc/blog/u%zu\tb%zu\n", i,
                  i);
    }

    unit_tree_init(&unit, lines, LEARN_SELECT_GRAPH);

    album = unit_tree_node(&unit, "http://www.wretch.cc/album/*.php"
                           "(?b={digits})(&book={digits})(&f={digits})(&i=*)"
                           "(&id=*)");
    show = unit_tree_node(&unit, "http://www.wretch.cc/album/show.php?"
                          "b={digits}&f={digits}&i=*");

    assert_int_equal(learn_node_volume(&unit.tree.nodes[0]), 360);
    assert_int_equal(learn_node_volume(&unit.tree.nodes[album]), 240);
    assert_int_equal(learn_node_volume(&unit.tree.nodes[show]), 120);
    assert_true(learn_tree_covers(&unit.tree, 0, album));
    assert_true(learn_tree_covers(&unit.tree, album, show));
    assert_false(learn_tree_covers(&unit.tree, show, album));

    (void) unit_tree_node(&unit, "http://www.wretch.cc/blog/*");

    unit_tree_release(&unit);
    free(lines);
}


/* --- figure 3: a combination that is missing */

static void
tree_of_figure_3(void **state)
{
    char         *lines;
    unit_tree_t   unit;

    (void) state;

    lines = unit_figure_3(1);
    unit_tree_init(&unit, lines, LEARN_SELECT_GRAPH);

    (void) unit_tree_node(&unit, "/a?k2=b&k3=*&k4=*&k5=*");
    unit_tree_becomes(&unit, "/a?k2=b&k3=r&k4=c7&k5=n",
                      "/a?k2=b&k3=*&k4=c7&k5=*");
    unit_tree_becomes(&unit, "/a?k2=b&k3=new&k4=c7&k5=m",
                      "/a?k2=b&k3=*&k4=c7&k5=*");

    unit_tree_release(&unit);
    free(lines);
}


/* --- figure 4: a rule from node A to node B */

static char *
figure_4(void)
{
    char    *lines;
    size_t   i, len;

    lines = malloc(UNIT_LINES);
    assert_non_null(lines);

    len = 0;

    for (i = 0; i < 24; i++) {
        unit_line(lines, &len, "http://www.x.example/archive%s/"
                  "display?pageid=%zu\t%zu\n"
                  "http://www.x.example/archive%s/%zu/display?"
                  "sid=%zu\t%zu\n", (i % 2) ? "3" : "", 10 + i,
                  i, (i % 3) ? "3" : "", 10 + i, 4000 + 77 * i,
                  i);

        /* what shows that the archive does not matter, nor the session */

        if (i % 2 == 0) {
            unit_line(lines, &len, "http://www.x.example/"
                      "archive%s/%zu/display?sid=%zu\t%zu\n",
                      (i % 3) ? "" : "3", 10 + i, 9000 + 31 * i,
                      i);
        }
    }

    return lines;
}


static void
rule_of_figure_4(void **state)
{
    char                *lines;
    size_t               i;
    uint32_t             k, a, b, kinds[3];
    unit_tree_t          unit;
    const learn_rule_t  *rule;

    static const miqps_str_t  pageid = miqps_string("pageid");

    (void) state;

    lines = figure_4();
    unit_tree_init(&unit, lines, LEARN_SELECT_GRAPH);

    a = unit_tree_node(&unit, "http://www.x.example/*/display?"
                       "pageid={digits}");
    b = unit_tree_node(&unit, "http://www.x.example/*/{digits}/display?"
                       "sid={digits}");
    rule = NULL;

    for (i = 0; i < unit.rules.nrules; i++) {
        if (unit.rules.rules[i].source == a && unit.rules.rules[i].target == b)
        {
            rule = &unit.rules.rules[i];
        }
    }

    assert_non_null(rule);
    assert_int_equal(rule->wrong, 0);
    memset(kinds, 0, sizeof(kinds));

    for (k = 0; k < rule->nops; k++) {
        kinds[rule->ops[k].kind]++;

        switch (unit.set.keys[rule->ops[k].key].key.kind) {

        case LEARN_KEY_PATH:
            if (unit.set.keys[rule->ops[k].key].key.nth == 1) {
                assert_int_equal(rule->ops[k].kind, LEARN_OP_REPLACE);
                assert_true(miqps_str_eq(&unit.set.keys[rule->ops[k].from]
                                         .key.name, &pageid));
            }

            break;

        case LEARN_KEY_PARAM:
            assert_int_equal(rule->ops[k].kind, LEARN_OP_IGNORE);
            break;

        default:
            assert_int_equal(rule->ops[k].kind, LEARN_OP_KEEP);
        }
    }

    /* the host and "display" are kept, archive and session ignored */

    assert_int_equal(kinds[LEARN_OP_KEEP], 5);
    assert_int_equal(kinds[LEARN_OP_REPLACE], 1);
    assert_int_equal(kinds[LEARN_OP_IGNORE], 2);

    unit_tree_becomes(&unit, "http://www.x.example/archive/display?pageid=77",
                      "http://www.x.example/*/77/display?sid=*");
    unit_tree_becomes(&unit, "http://www.x.example/archive3/77/display?sid=1",
                      "http://www.x.example/*/77/display?sid=*");

    unit_tree_release(&unit);
    free(lines);
}


/* a rule there and one back are one candidate; a node and itself are one */

static void
two_nodes_are_one_candidate(void **state)
{
    char         *lines;
    size_t        i, back, own;
    unit_tree_t   unit;

    (void) state;

    lines = figure_4();
    unit_tree_init(&unit, lines, LEARN_SELECT_GRAPH);

    for (i = 0, back = 0, own = 0; i < unit.rules.nrules; i++) {
        back += (unit.rules.rules[i].source > unit.rules.rules[i].target);
        own += (unit.rules.rules[i].source == unit.rules.rules[i].target);
    }

    assert_true(back > 0 && own > 0);
    assert_int_equal(unit.rules.nrules, 2 * back + own);
    assert_int_equal(learn_rules_candidates(&unit.rules), back + own);

    assert_int_equal(learn_rules_qualified(&unit.rules, 1), back + own);
    assert_true(learn_rules_qualified(&unit.rules, 0) > 0);

    /* one way is enough */

    for (i = 0; i < unit.rules.nrules; i++) {
        unit.rules.rules[i].fpr = (unit.rules.rules[i].source
                                   > unit.rules.rules[i].target) ? 0 : 1;
    }

    assert_int_equal(learn_rules_qualified(&unit.rules, 0.05), back);

    unit_tree_release(&unit);
    free(lines);
}


/* what is made of a URL is not changed again; the same from any seed */

static void
forms_are_stable(void **state)
{
    char         *lines, again[256];
    size_t        i;
    miqps_str_t   result;
    unit_tree_t   unit;

    (void) state;

    lines = figure_4();
    unit_tree_init(&unit, lines, LEARN_SELECT_NAIVE);

    for (i = 0; i < unit.clusters.nlines; i++) {
        assert_true(learn_plan_apply(&unit.plan, unit.clusters.lines[i].url,
                                     unit.clusters.lines[i].len, &result)
                    >= 0);
        memcpy(again, result.data, result.len);
        again[result.len] = '\0';
        unit_tree_becomes(&unit, again, again);
    }

    unit_tree_release(&unit);
    free(lines);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, keys_are, keys_rows);
    unit_rows(&unit, salient_is, salient_rows);
    unit_add(&unit, "builds a tree as that of figure 1", tree_of_figure_1,
             NULL);
    unit_add(&unit, "finds the rule of figure 3 without U6", tree_of_figure_3,
             NULL);

    unit_add(&unit, "makes the rule of figure 4", rule_of_figure_4, NULL);
    unit_add(&unit, "counts two nodes as one candidate",
             two_nodes_are_one_candidate, NULL);
    unit_add(&unit, "leaves what it has made", forms_are_stable, NULL);

    return unit_run(&unit, "tree");
}
