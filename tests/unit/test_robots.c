
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "fetch/robots.h"


typedef struct {
    const char     *sentence;
    const char     *text;
    const char     *target;
    int             allow;
} robots_row_t;


#define ALL  "User-agent: *\n"


static const robots_row_t  robots_rows[] = {
    { "allows all without rules", "", "/p", 1 },
    { "forbids what is named", ALL "Disallow: /p", "/p?a=1", 0 },
    { "allows what is not", ALL "Disallow: /p", "/q", 1 },
    { "forbids all", ALL "Disallow: /", "/", 0 },
    { "takes an empty rule for none", ALL "Disallow:", "/p", 1 },
    { "lets the longest rule count", ALL "Disallow: /a\nAllow: /a/b", "/a/b/c",
      1 },
    { "lets the longest rule count, in any order",
      ALL "Allow: /a/b\nDisallow: /a", "/a/b/c", 1 },
    { "forbids by the longest", ALL "Allow: /a\nDisallow: /a/b", "/a/b", 0 },
    { "allows where two are equal", ALL "Disallow: /a\nAllow: /a", "/a", 1 },
    { "knows a star", ALL "Disallow: /*?", "/p?a=1", 0 },
    { "knows a star that is not there", ALL "Disallow: /*?", "/p", 1 },
    { "knows several stars", ALL "Disallow: /*a*b*c", "/xaxbxxc", 0 },
    { "goes back for a star", ALL "Disallow: /*ab$", "/abcab", 0 },
    { "knows the end", ALL "Disallow: /*.php$", "/a.php", 0 },
    { "knows that it is not the end", ALL "Disallow: /*.php$", "/a.php?x", 1 },
    { "takes a dollar for one inside", ALL "Disallow: /a$b", "/a$b", 0 },
    { "takes its own group", ALL "Disallow: /\nUser-agent: miqps\n"
      "Disallow: /x", "/p", 1 },
    { "takes its own group in any case", "User-Agent: MIQPS\nDisallow: /x",
      "/x", 0 },
    { "leaves other groups", "User-agent: other\nDisallow: /", "/p", 1 },
    { "reads several agents of one group",
      "User-agent: other\nUser-agent: miqps\nDisallow: /x", "/x", 0 },
    { "reads groups of one agent together",
      ALL "Disallow: /a\n\nUser-agent: other\nDisallow: /b\n\n" ALL
      "Disallow: /c", "/c", 0 },
    { "leaves comments", ALL "Disallow: /x # not /p\n# Disallow: /p", "/p", 1 },
    { "reads other ends of lines", "User-agent: *\r\nDisallow: /p\r\n", "/p",
      0 },
    { "reads a mark of UTF-8", "\xef\xbb\xbf" ALL "Disallow: /p", "/p", 0 },
    { "leaves what it does not know", ALL "Noise: 5\nDisallow: /p\nSitemap: x",
      "/p", 0 },
    { "leaves rules before any agent", "Disallow: /p\n" ALL "Disallow: /q",
      "/p", 1 }
};


static void
robots_say(void **state)
{
    page_t               page;
    miqps_str_t          text, target;
    learn_arena_t        arena;
    learn_robots_t       robots;
    const robots_row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);
    target = unit_str(row->target);
    learn_arena_init(&arena);

    assert_true(learn_robots_read(&robots, text.data, text.len, "miqps",
                                  &arena));
    assert_int_equal(learn_robots_allow(&robots, &target), row->allow);

    learn_arena_release(&arena);
    page_release(&page);
}


static void
states_say(void **state)
{
    miqps_str_t     target;
    learn_robots_t  robots;

    (void) state;

    target = unit_str("/p");

    learn_robots_state(&robots, 404);
    assert_true(learn_robots_allow(&robots, &target));
    learn_robots_state(&robots, 403);
    assert_true(learn_robots_allow(&robots, &target));
    learn_robots_state(&robots, 500);
    assert_false(learn_robots_allow(&robots, &target));
    learn_robots_state(&robots, 0);
    assert_false(learn_robots_allow(&robots, &target));
}


static void
delays_are_read(void **state)
{
    learn_arena_t   arena;
    learn_robots_t  robots;

    static const char  text[] = ALL "Crawl-delay: 5\n";

    (void) state;

    learn_arena_init(&arena);
    assert_true(learn_robots_read(&robots, (const uint8_t *) text,
                                  sizeof(text) - 1, "miqps", &arena));
    assert_int_equal(robots.delay, 5);
    learn_arena_release(&arena);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, robots_say, robots_rows);
    unit_add(&unit, "allows what is not there, and nothing after a failure",
             states_say, NULL);
    unit_add(&unit, "reads a delay", delays_are_read, NULL);

    return unit_run(&unit, "robots");
}
