
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/dice.h"
#include "miqps_scan.h"


/*
 * The scanner has three bodies: for processors with the widest registers, for
 * other x86-64, and for all others.  A program runs but one of them, so that
 * the other two are compiled here, under other names.
 */

#define miqps_scan                 narrow_scan
#define miqps_scan_blocks          narrow_scan_blocks
#define miqps_scan_last            narrow_scan_last
#define miqps_scan_short           narrow_scan_short
#define miqps_scan_word            narrow_scan_word
#define miqps_scan_inspect         narrow_scan_inspect
#define miqps_scan_block_t         narrow_scan_block_t
#define miqps_scan_block_pt        narrow_scan_block_pt
#define __builtin_cpu_supports(x)  0

void narrow_scan(miqps_scan_t *scan, const miqps_str_t *args);

#include "../../src/core/miqps_scan.c"

#undef __SSE2__
#undef miqps_scan
#undef miqps_scan_blocks
#undef miqps_scan_last
#undef miqps_scan_short
#undef miqps_scan_word
#undef miqps_scan_inspect
#undef miqps_scan_block_t
#undef miqps_scan_block_pt

#define miqps_scan  plain_scan

void plain_scan(miqps_scan_t *scan, const miqps_str_t *args);

#include "../../src/core/miqps_scan.c"

#undef miqps_scan


#define MAX_LEN  (4 * MIQPS_SCAN_BLOCK)


typedef void (*scan_pt)(miqps_scan_t *scan, const miqps_str_t *args);


static page_t        page;
static miqps_scan_t  scan;


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


static int
bit(const uint64_t *set, size_t at)
{
    return (int) (set[at / 64] >> (at % 64) & 1);
}


/* what is seen from a byte on is what the bits say */

static void
check_view(const uint64_t *set, size_t at)
{
    size_t    i;
    uint64_t  bits;

    bits = miqps_scan_from(set, at);

    for (i = 0; i < MIQPS_SCAN_VIEW; i++) {
        assert_int_equal(bits >> i & 1, bit(set, at + i));
    }
}


/* byte by byte, by the definition */

static void
check_scan(const uint8_t *text, size_t len)
{
    int       name, ends, named, special, more, bad, high;
    size_t    i;
    uint8_t   c;
    uint64_t  any_special, any_more, any_percent;

    name = 1;
    bad = high = 0;
    any_special = any_more = any_percent = 0;

    assert_int_equal(scan.nwords, len / 64 + 1);

    for (i = 0; i <= len; i++) {
        c = (i < len) ? text[i] : '&';

        ends = (c == '&');
        named = name && (ends || c == '=');
        special = name && is_special(c);
        more = !name && c == '=';

        assert_int_equal(bit(scan.ends, i), ends);
        assert_int_equal(bit(scan.names, i), named);
        assert_int_equal(bit(scan.special, i), special);
        assert_int_equal(bit(scan.more, i), more);
        assert_int_equal(bit(scan.percent, i), c == '%');

        any_special |= (unsigned) special;
        any_more |= (unsigned) more;
        any_percent |= (c == '%');

        name = ends || (name && !named);

        if (i < len) {
            bad |= is_bad(c);
            high |= (c >= 0x80);
        }
    }

    for (i = len + 1; i < 64 * (scan.nwords + 1); i++) {
        assert_int_equal(bit(scan.ends, i), 0);
        assert_int_equal(bit(scan.names, i), 0);
        assert_int_equal(bit(scan.special, i), 0);
        assert_int_equal(bit(scan.more, i), 0);
    }

    assert_int_equal(scan.any_special != 0, any_special);
    assert_int_equal(scan.any_more != 0, any_more);
    assert_int_equal(scan.any_percent != 0, any_percent);
    assert_int_equal(scan.bad != 0, bad);
    assert_int_equal(scan.high != 0, high);
}


/* a text right before a guard page */

static void
check_text(scan_pt function, const uint8_t *text, size_t len)
{
    size_t       i;
    uint8_t     *p;
    miqps_str_t  args;

    p = page_tail(&page, len);

    memmove(p, text, len);

    args.data = p;
    args.len = len;

    memset(&scan, 0xff, sizeof(scan));
    function(&scan, &args);

    check_scan(p, len);

    for (i = 0; i <= len; i += 7) {
        check_view(scan.ends, i);
        check_view(scan.names, i);
    }
}


static scan_pt
body(void **state)
{
    return (strcmp(*state, "plain") == 0) ? plain_scan
           : (strcmp(*state, "narrow") == 0) ? narrow_scan : miqps_scan;
}


/* each byte at each place of a block, alone, in a name and in a value */

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

            if (at > 0) {
                text[0] = '=';
                check_text(body(state), text, sizeof(text));
            }
        }
    }
}


/* each length, of pieces that are all alike */

static void
test_every_length(void **state)
{
    size_t   len;
    uint8_t  text[MAX_LEN];

    for (len = 0; len <= MAX_LEN; len++) {
        memset(text, (len % 3 == 0) ? '&' : (len % 3 == 1) ? '=' : 'a', len);
        check_text(body(state), text, len);
    }
}


/* by chance, mostly of what can stand at the border of two blocks */

static void
test_chance(void **state)
{
    size_t   i, k, len;
    dice_t   dice;
    uint8_t  text[MAX_LEN];

    static const char  bytes[] = "aaaaaaaa=]%5D&[+.?;!";

    dice_init(&dice, 3, 0);

    for (i = 0; i < 4000; i++) {
        len = dice_below(&dice, MAX_LEN + 1);

        for (k = 0; k < len; k++) {
            text[k] = (uint8_t) bytes[dice_below(&dice, sizeof(bytes) - 1)];
        }

        check_text(body(state), text, len);
    }
}


/* the longest query there is */

static void
test_longest(void **state)
{
    static uint8_t  text[MIQPS_MAX_ARGS];

    memset(text, 'a', sizeof(text));
    check_text(body(state), text, sizeof(text));

    memset(text, '&', sizeof(text));
    check_text(body(state), text, sizeof(text));
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

    page_init(&page, MIQPS_MAX_ARGS);

    unit_add(&unit, "knows each byte at each place", test_every_byte, "");
    unit_add(&unit, "knows each length", test_every_length, "");
    unit_add(&unit, "knows what stands between two blocks", test_chance, "");
    unit_add(&unit, "knows the longest query", test_longest, "");

    unit_add(&unit, "the narrow one knows each byte at each place",
             test_every_byte, "narrow");
    unit_add(&unit, "the narrow one knows each length", test_every_length,
             "narrow");
    unit_add(&unit, "the narrow one knows what stands between two blocks",
             test_chance, "narrow");
    unit_add(&unit, "the narrow one knows the longest query", test_longest,
             "narrow");

    unit_add(&unit, "the plain one knows each byte at each place",
             test_every_byte, "plain");
    unit_add(&unit, "the plain one knows each length", test_every_length,
             "plain");
    unit_add(&unit, "the plain one knows what stands between two blocks",
             test_chance, "plain");
    unit_add(&unit, "the plain one knows the longest query", test_longest,
             "plain");

    unit_add(&unit, "knows what no query holds", test_bad, NULL);

    return unit_run(&unit, "scan");
}
