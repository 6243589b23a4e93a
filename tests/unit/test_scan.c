
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/dice.h"
#include "miqps_scan.h"


/*
 * The scanner has two bodies, one for processors with wide registers and one
 * for others.  A program has but one of them, so that the other is compiled
 * here, under another name.
 */

#undef __SSE2__
#define miqps_scan  plain_scan

void plain_scan(miqps_scan_t *scan, const miqps_str_t *args, size_t at);

#include "../../src/core/miqps_scan.c"

#undef miqps_scan


#define MAX_LEN  (4 * MIQPS_SCAN_BLOCK)


typedef void (*scan_pt)(miqps_scan_t *scan, const miqps_str_t *args,
    size_t at);


static int
is_special(uint8_t c)
{
    return c >= 0x80 || (c != '\0' && strchr("%[].+?", c) != NULL);
}


static int
is_bad(uint8_t c)
{
    return c <= ' ' || c == '#' || c == ';' || c == 0x7f;
}


/* the bits of one byte, which may be behind the end */

static void
check_byte(const miqps_scan_t *scan, unsigned bit, const miqps_str_t *args,
    size_t at)
{
    uint8_t  c;

    if (at >= args->len) {
        assert_int_equal(scan->ends >> bit & 1, at == args->len);
        assert_int_equal(scan->equals >> bit & 1, 0);
        assert_int_equal(scan->special >> bit & 1, 0);
        return;
    }

    c = args->data[at];

    assert_int_equal(scan->ends >> bit & 1, c == '&');
    assert_int_equal(scan->equals >> bit & 1, c == '=');
    assert_int_equal(scan->special >> bit & 1, is_special(c));
}


/*
 * Of the last block, bytes before it may be seen once more: they have had
 * their say.
 */

static void
check_flags(const miqps_scan_t *scan, const miqps_str_t *args, size_t at)
{
    int     bad, high, bad_before, high_before;
    size_t  i;

    bad = high = bad_before = high_before = 0;

    for (i = 0; i < args->len && i < at + MIQPS_SCAN_BLOCK; i++) {

        if (i < at) {
            bad_before |= is_bad(args->data[i]);
            high_before |= (args->data[i] >= 0x80);

        } else {
            bad |= is_bad(args->data[i]);
            high |= (args->data[i] >= 0x80);
        }
    }

    if (bad || !bad_before) {
        assert_int_equal(scan->bad != 0, bad);
    }

    if (high || !high_before) {
        assert_int_equal(scan->high != 0, high);
    }
}


static void
check_text(scan_pt function, const uint8_t *text, size_t len)
{
    size_t        at;
    unsigned      bit;
    miqps_str_t   args;
    miqps_scan_t  scan;

    args.data = text;
    args.len = len;

    for (at = 0; at <= len; at += MIQPS_SCAN_BLOCK) {
        memset(&scan, 0xff, sizeof(scan));
        function(&scan, &args, at);

        for (bit = 0; bit < MIQPS_SCAN_BLOCK; bit++) {
            check_byte(&scan, bit, &args, at + bit);
        }

        check_flags(&scan, &args, at);
    }
}


static scan_pt
body(void **state)
{
    return (strcmp(*state, "plain") == 0) ? plain_scan : miqps_scan;
}


/* each byte at each place of a block, alone */

static void
test_every_byte(void **state)
{
    int      c;
    size_t   at;
    uint8_t  text[MIQPS_SCAN_BLOCK + 3];

    for (c = 0; c < 256; c++) {
        for (at = 0; at < sizeof(text); at += (c & 1) ? 1 : 5) {
            memset(text, 'a', sizeof(text));
            text[at] = (uint8_t) c;
            check_text(body(state), text, sizeof(text));
        }
    }
}


/* each length, up to a guard page */

static void
test_every_length(void **state)
{
    page_t  page;
    size_t  len;

    page_init(&page, MAX_LEN);

    for (len = 0; len <= MAX_LEN; len++) {
        memset(page_tail(&page, len), (len & 1) ? '&' : '=', len);
        check_text(body(state), page_tail(&page, len), len);
    }

    page_release(&page);
}


/* by chance, mostly of what can stand at the border of two blocks */

static void
test_chance(void **state)
{
    size_t    i, k, len;
    dice_t    dice;
    page_t    page;
    uint8_t  *text;

    static const char  bytes[] = "a=]%5D&[+.?;";

    page_init(&page, MAX_LEN);
    dice_init(&dice, 3, 0);

    for (i = 0; i < 2000; i++) {
        len = dice_below(&dice, MAX_LEN + 1);
        text = page_tail(&page, len);

        for (k = 0; k < len; k++) {
            text[k] = (uint8_t) bytes[dice_below(&dice, sizeof(bytes) - 1)];
        }

        check_text(body(state), text, len);
    }

    page_release(&page);
}


static void
test_bad(void **state)
{
    int  c;

    (void) state;

    for (c = 0; c < 256; c++) {
        assert_int_equal(miqps_scan_bad((uint8_t) c) != 0,
                         is_bad((uint8_t) c));
    }
}


int
main(void)
{
    static unit_t  unit;

    unit_add(&unit, "knows each byte at each place", test_every_byte, "");
    unit_add(&unit, "knows each length", test_every_length, "");
    unit_add(&unit, "knows what stands between two blocks", test_chance, "");

    unit_add(&unit, "the plain one knows each byte at each place",
             test_every_byte, "plain");
    unit_add(&unit, "the plain one knows each length", test_every_length,
             "plain");
    unit_add(&unit, "the plain one knows what stands between two blocks",
             test_chance, "plain");

    unit_add(&unit, "knows what no query holds", test_bad, NULL);

    return unit_run(&unit, "scan");
}
