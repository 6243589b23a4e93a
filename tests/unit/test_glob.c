
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_glob.h"


typedef struct {
    const char  *sentence;
    const char  *pattern;
    const char  *text;
    int          match;
} match_row_t;


static const match_row_t  match_rows[] = {
    { "a plain pattern matches itself", "abc", "abc", 1 },
    { "a plain pattern matches no prefix", "abc", "ab", 0 },
    { "a plain pattern matches nothing longer", "abc", "abcd", 0 },
    { "a plain pattern is case-sensitive", "abc", "abC", 0 },
    { "an empty pattern matches nothing but nothing", "", "a", 0 },
    { "an empty pattern matches the empty text", "", "", 1 },
    { "a star matches anything", "*", "abc", 1 },
    { "a star matches nothing at all", "*", "", 1 },
    { "a star at the end takes the rest", "utm_*", "utm_source", 1 },
    { "a star at the end takes an empty rest", "utm_*", "utm_", 1 },
    { "what is before the star must be there", "utm_*", "xutm_a", 0 },
    { "what is before the star must be whole", "utm_*", "utm", 0 },
    { "a star at the start takes the beginning", "*id", "gclid", 1 },
    { "what is behind the star must end the text", "*id", "idx", 0 },
    { "a star amid needs both ends", "a*z", "abcz", 1 },
    { "a star amid matches nothing as well", "a*z", "az", 1 },
    { "the two ends do not overlap", "aba*aba", "ababa", 0 },
    { "a star amid misses without the start", "a*z", "bz", 0 },
    { "a star amid misses without the end", "a*z", "ab", 0 },
    { "a star is no text", "a*", "b*", 0 },
    { "a star matches a star", "a*", "a*", 1 }
};


static void
test_match(void **state)
{
    page_t              patterns, texts;
    miqps_str_t         pattern, text;
    miqps_glob_t        glob;
    const match_row_t  *row;

    row = *state;

    pattern = unit_put(&patterns, row->pattern);
    text = unit_put(&texts, row->text);

    assert_int_equal(miqps_glob_init(&glob, &pattern), MIQPS_OK);
    assert_int_equal(miqps_glob_match(&glob, text.data, text.len),
                     row->match);

    page_release(&patterns);
    page_release(&texts);
}


static void
test_two_stars(void **state)
{
    miqps_str_t   pattern;
    miqps_glob_t  glob;

    (void) state;

    pattern = unit_str("a*b*");
    assert_int_equal(miqps_glob_init(&glob, &pattern), MIQPS_SYNTAX);

    pattern = unit_str("**");
    assert_int_equal(miqps_glob_init(&glob, &pattern), MIQPS_SYNTAX);
}


static void
test_parts(void **state)
{
    miqps_str_t   pattern;
    miqps_glob_t  glob;

    (void) state;

    pattern = unit_str("ab*c");

    assert_int_equal(miqps_glob_init(&glob, &pattern), MIQPS_OK);
    assert_int_equal(glob.star, 1);
    unit_equal(glob.prefix.data, glob.prefix.len, "ab");
    unit_equal(glob.suffix.data, glob.suffix.len, "c");
    assert_ptr_equal(glob.prefix.data, pattern.data);

    pattern = unit_str("abc");

    assert_int_equal(miqps_glob_init(&glob, &pattern), MIQPS_OK);
    assert_int_equal(glob.star, 0);
    unit_equal(glob.prefix.data, glob.prefix.len, "abc");
}


static void
test_nothing(void **state)
{
    miqps_str_t   pattern = miqps_null_str;
    miqps_glob_t  glob;

    /* or the compiler would know, and warn of what does not happen */

    const uint8_t *volatile  nowhere = NULL;

    (void) state;

    assert_int_equal(miqps_glob_init(&glob, &pattern), MIQPS_OK);
    assert_true(miqps_glob_match(&glob, nowhere, 0));
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_match, match_rows);

    unit_add(&unit, "two stars are refused", test_two_stars, NULL);
    unit_add(&unit, "a pattern is split at its star", test_parts, NULL);
    unit_add(&unit, "a pattern without bytes needs no memory", test_nothing,
             NULL);

    return unit_run(&unit, "glob");
}
