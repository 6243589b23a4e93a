
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "honor/honor.h"


/* names that are declared for a path, of "a b c d" and one with an escape */

typedef struct {
    const char     *sentence;
    const char     *text;
    const char     *path;
    const char     *names;
} honor_row_t;


static const honor_row_t  no_vary_rows[] = {
    { "reads a list", "params=(\"a\" \"b\")", "/p", "ab" },
    { "reads all", "params", "/p", "abcd[" },
    { "reads all, said aloud", "params=?1", "/p", "abcd[" },
    { "reads none", "params=?0", "/p", "" },
    { "reads exceptions", "params, except=(\"a\" \"d\")", "/p", "bc[" },
    { "reads exceptions in another order", "except=(\"a\"), params", "/p",
      "bcd[" },
    { "leaves exceptions from nothing", "except=(\"a\")", "/p", "" },
    { "leaves an empty list", "params=()", "/p", "" },
    { "leaves the order", "key-order", "/p", "" },
    { "reads it beside the order", "key-order, params=(\"c\")", "/p", "c" },
    { "leaves parameters of values", "params=(\"c\");x=1;y=\"q,\", key-order",
      "/p", "c" },
    { "leaves keys that it does not know", "other=(\"a\"), params=(\"b\")",
      "/p", "b" },
    { "takes the last of several", "params=(\"a\"), params=(\"b\")", "/p",
      "b" },
    { "reads escapes", "params=(\"s%5B%5D\")", "/p", "[" },
    { "holds for its path alone", "params=(\"a\")", "/p/q", "" },
    { "leaves what has no end", "params=(\"a\"", "/p", "" },
    { "leaves a string without an end", "params=(\"a)", "/p", "" },
    { "leaves names without quotes", "params=(a b)", "/p", "" },
    { "leaves names without a space", "params=(\"a\"\"b\")", "/p", "" },
    { "leaves a comma at the end", "params=(\"a\"),", "/p", "" },
    { "leaves a list without a comma", "params=(\"a\") except", "/p", "" },
    { "reads spaces where there may be some",
      " params=( \"a\"  \"b\" ); x=1 , key-order", "/p", "ab" },
    { "leaves capitals", "Params=(\"a\")", "/p", "" },
    { "leaves nothing", "", "/p", "" }
};


static const honor_row_t  clean_rows[] = {
    { "reads a name", "Clean-param: a", "/p", "a" },
    { "reads several names", "Clean-param: a&b&d", "/p", "abd" },
    { "reads any case", "CLEAN-PARAM:a", "/p", "a" },
    { "reads a path", "Clean-param: a /p", "/p/q", "a" },
    { "leaves another path", "Clean-param: a /x", "/p", "" },
    { "takes a path from its beginning", "Clean-param: a /q", "/p/q", "" },
    { "knows a star", "Clean-param: a /*/q", "/p/x/q", "a" },
    { "knows a star that is not there", "Clean-param: a /*/z", "/p/q", "" },
    { "reads several lines", "User-agent: *\r\nClean-param: a\r\n\r\n"
      "Clean-param: b /p\r\nClean-param: c /x", "/p", "ab" },
    { "leaves comments", "Clean-param: a # &b\n#Clean-param: c", "/p", "a" },
    { "leaves empty names", "Clean-param: &&a&", "/p", "a" },
    { "leaves no names", "Clean-param:\nClean-param:  ", "/p", "" },
    { "reads escapes", "Clean-param: s%5b%5D", "/p", "[" },
    { "leaves other lines", "Disallow: /a\nClean-params: b", "/p", "" }
};


/* what is declared, as the first letters of names */

static void
declared(const learn_honor_t *honor, const char *path, char *out)
{
    size_t                      i;
    miqps_str_t                 name, where;
    const learn_declaration_t  *one;

    static const char *const  names[] = { "a", "b", "c", "d", "s[]" };

    where = unit_str(path);

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        name = unit_str(names[i]);

        for (one = honor->list; one != NULL; one = one->next) {
            if (learn_declaration_names(one, &name)
                && learn_declaration_holds(one, &where))
            {
                *out++ = (i == 4) ? '[' : names[i][0];
                break;
            }
        }
    }

    *out = '\0';
}


static void
no_vary_says(void **state)
{
    char                got[16];
    miqps_str_t         path;
    learn_arena_t       arena;
    learn_honor_t       honor;
    const honor_row_t  *row;

    row = *state;
    path = unit_str("/p");
    memset(&honor, 0, sizeof(learn_honor_t));
    learn_arena_init(&arena);

    assert_true(learn_honor_no_vary(&honor, row->text, &path, &arena));
    declared(&honor, row->path, got);
    assert_string_equal(got, row->names);

    /* the same again is nothing new */

    assert_true(learn_honor_no_vary(&honor, row->text, &path, &arena));
    assert_true(honor.n <= 1);

    learn_arena_release(&arena);
}


static void
clean_says(void **state)
{
    char                got[16];
    page_t              page;
    miqps_str_t         text;
    learn_arena_t       arena;
    learn_honor_t       honor;
    const honor_row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);
    memset(&honor, 0, sizeof(learn_honor_t));
    learn_arena_init(&arena);

    assert_true(learn_honor_robots(&honor, text.data, text.len, &arena));
    declared(&honor, row->path, got);
    assert_string_equal(got, row->names);

    learn_arena_release(&arena);
    page_release(&page);
}


static void
there_is_an_end_to_it(void **state)
{
    int            i;
    char           text[64];
    miqps_str_t    path;
    learn_arena_t  arena;
    learn_honor_t  honor;

    (void) state;

    memset(&honor, 0, sizeof(learn_honor_t));
    learn_arena_init(&arena);
    path = unit_str("/p");

    for (i = 0; i < 2 * LEARN_HONOR_MAX; i++) {
        (void) snprintf(text, sizeof(text), "params=(\"n%d\")", i);
        assert_true(learn_honor_no_vary(&honor, text, &path, &arena));
    }

    assert_int_equal(honor.n, LEARN_HONOR_MAX);
    assert_true(learn_honor_robots(&honor, (const uint8_t *) "Clean-param: a",
                                   14, &arena));
    assert_int_equal(honor.n, LEARN_HONOR_MAX);

    learn_arena_release(&arena);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, no_vary_says, no_vary_rows);
    unit_rows(&unit, clean_says, clean_rows);
    unit_add(&unit, "keeps no more than so many", there_is_an_end_to_it, NULL);

    return unit_run(&unit, "honor");
}
