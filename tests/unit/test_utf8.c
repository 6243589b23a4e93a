
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_utf8.h"


typedef struct {
    const char  *sentence;
    const char  *text;
    size_t       len;         /* of the first character, or 0 */
    int          valid;       /* all of it */
} row_t;


static const row_t  rows[] = {
    { "a letter is one byte", "a", 1, 1 },
    { "the last of ASCII is one byte", "\x7f", 1, 1 },
    { "the first of two bytes", "\xc2\x80", 2, 1 },
    { "the last of two bytes", "\xdf\xbf", 2, 1 },
    { "the first of three bytes", "\xe0\xa0\x80", 3, 1 },
    { "the last before the surrogates", "\xed\x9f\xbf", 3, 1 },
    { "the first behind the surrogates", "\xee\x80\x80", 3, 1 },
    { "the last of three bytes", "\xef\xbf\xbf", 3, 1 },
    { "the first of four bytes", "\xf0\x90\x80\x80", 4, 1 },
    { "the last of all", "\xf4\x8f\xbf\xbf", 4, 1 },
    { "several are as good as one", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z", 1,
      1 },
    { "a good one before a bad one", "\xc3\xa9\xff", 2, 0 },
    { "a letter before a bad one", "abc\x80", 1, 0 },
    { "nothing comes behind nothing", "\x80", 0, 0 },
    { "an overlong slash", "\xc0\xaf", 0, 0 },
    { "the last overlong of two bytes", "\xc1\xbf", 0, 0 },
    { "the last overlong of three bytes", "\xe0\x9f\xbf", 0, 0 },
    { "the first surrogate", "\xed\xa0\x80", 0, 0 },
    { "the last surrogate", "\xed\xbf\xbf", 0, 0 },
    { "the last overlong of four bytes", "\xf0\x8f\xbf\xbf", 0, 0 },
    { "the first above all", "\xf4\x90\x80\x80", 0, 0 },
    { "a fifth form", "\xf5\x80\x80\x80", 0, 0 },
    { "a byte that never is", "\xff", 0, 0 },
    { "two bytes without the second", "\xc3", 0, 0 },
    { "three bytes without the third", "\xe2\x82", 0, 0 },
    { "four bytes without the fourth", "\xf0\x9f\x98", 0, 0 },
    { "a second byte that is a letter", "\xc3" "a", 0, 0 },
    { "a third byte that is a letter", "\xe2\x82" "a", 0, 0 },
    { "a third byte that is too high", "\xe2\x82\xc0", 0, 0 },
    { "a fourth byte that is a letter", "\xf0\x9f\x98" "a", 0, 0 },
    { "a fourth byte that is too high", "\xf0\x9f\x98\xc0", 0, 0 }
};


static void
test_row(void **state)
{
    page_t        page;
    miqps_str_t   text;
    const row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);

    assert_int_equal(miqps_utf8_char(text.data, text.len), row->len);
    assert_int_equal(miqps_utf8_valid(text.data, text.len) != 0, row->valid);

    page_release(&page);
}


static void
test_nothing(void **state)
{
    (void) state;

    assert_true(miqps_utf8_valid((const uint8_t *) "", 0));
    assert_int_equal(miqps_utf8_char((const uint8_t *) "", 0), 0);
}


/* every code point, written as RFC 3629 has it, and none that is not one */

static void
test_every_code_point(void **state)
{
    size_t    len;
    uint8_t   s[4];
    uint32_t  code;

    (void) state;

    for (code = 1; code < 0x120000; code++) {

        len = (code < 0x80) ? 1 : (code < 0x800) ? 2 : (code < 0x10000) ? 3 : 4;

        switch (len) {

        case 1:
            s[0] = (uint8_t) code;
            break;

        case 2:
            s[0] = (uint8_t) (0xc0 | code >> 6);
            s[1] = (uint8_t) (0x80 | (code & 0x3f));
            break;

        case 3:
            s[0] = (uint8_t) (0xe0 | code >> 12);
            s[1] = (uint8_t) (0x80 | (code >> 6 & 0x3f));
            s[2] = (uint8_t) (0x80 | (code & 0x3f));
            break;

        default:
            s[0] = (uint8_t) (0xf0 | code >> 18);
            s[1] = (uint8_t) (0x80 | (code >> 12 & 0x3f));
            s[2] = (uint8_t) (0x80 | (code >> 6 & 0x3f));
            s[3] = (uint8_t) (0x80 | (code & 0x3f));
        }

        if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
            assert_int_equal(miqps_utf8_char(s, len), 0);
            continue;
        }

        assert_int_equal(miqps_utf8_char(s, len), len);

        if (len > 1) {
            assert_int_equal(miqps_utf8_char(s, len - 1), 0);
        }
    }
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_row, rows);

    unit_add(&unit, "nothing is text, and no character", test_nothing, NULL);
    unit_add(&unit, "every code point is one, and nothing else",
             test_every_code_point, NULL);

    return unit_run(&unit, "utf8");
}
