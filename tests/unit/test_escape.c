
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_escape.h"


typedef struct {
    const char     *sentence;
    const char     *in;
    const char     *want;
    miqps_guard_e   guard;
} normalize_row_t;


typedef struct {
    const char     *sentence;
    const char     *in;
    const char     *want;
} decode_row_t;


static const normalize_row_t  normalize_rows[] = {
    { "leaves a query without escapes", "a=1&b=2", "a=1&b=2", 0 },
    { "leaves an empty query", "", "", 0 },
    { "decodes an unreserved letter", "%61", "a", 0 },
    { "decodes a capital", "%5A", "Z", 0 },
    { "decodes a digit", "%39", "9", 0 },
    { "decodes a hyphen", "%2D", "-", 0 },
    { "decodes a dot", "%2e", ".", 0 },
    { "decodes an underscore", "%5F", "_", 0 },
    { "decodes a tilde", "%7e", "~", 0 },
    { "decodes in the middle", "x%61y", "xay", 0 },
    { "decodes one behind the other", "%61%62%63", "abc", 0 },
    { "raises hex digits to upper case", "%3a%c3%a9", "%3A%C3%A9", 0 },
    { "raises one of two hex digits", "%3A%3a%2F%2f", "%3A%3A%2F%2F", 0 },
    { "raises the digits of four bytes", "%f0%9f%98%80", "%F0%9F%98%80", 0 },
    { "leaves what is no UTF-8 if nothing changes", "a=%FF", "a=%FF", 0 },
    { "leaves half a character if nothing changes", "%C3", "%C3", 0 },
    { "refuses to raise what is no UTF-8", "a=%ff", "",
      MIQPS_GUARD_VALUE_BYTES },
    { "refuses to decode beside what is no UTF-8", "%61=%FF", "",
      MIQPS_GUARD_VALUE_BYTES },
    { "refuses to decode before what is no UTF-8", "%FF&b=%61", "",
      MIQPS_GUARD_VALUE_BYTES },
    { "refuses half a character", "%c3=1", "", MIQPS_GUARD_VALUE_BYTES },
    { "refuses a character half raw", "%c3\xa9", "",
      MIQPS_GUARD_VALUE_BYTES },
    { "refuses a character in two values", "a=%c3&%a9", "",
      MIQPS_GUARD_VALUE_BYTES },
    { "refuses a bad character behind a good one", "%c3%a9%c3%28", "",
      MIQPS_GUARD_VALUE_BYTES },
    { "keeps an encoded ampersand", "%26", "%26", 0 },
    { "keeps an encoded equals sign", "%3d", "%3D", 0 },
    { "keeps an encoded percent sign", "%2561", "%2561", 0 },
    { "keeps an encoded plus and space", "%2b%20", "%2B%20", 0 },
    { "keeps encoded brackets", "%5b%5d", "%5B%5D", 0 },
    { "keeps what surrounds an escape", "a=%31&b", "a=1&b", 0 },
    { "keeps raw bytes above ASCII", "\xc3\xa9%41", "\xc3\xa9" "A", 0 },
    { "keeps a plus", "+%2b", "+%2B", 0 },
    { "does not make a new escape", "%2%35", "", MIQPS_GUARD_ESCAPE },
    { "refuses a lone percent sign", "%", "", MIQPS_GUARD_ESCAPE },
    { "refuses a percent sign at the end", "a%", "", MIQPS_GUARD_ESCAPE },
    { "refuses one hex digit", "a%4", "", MIQPS_GUARD_ESCAPE },
    { "refuses a bad first digit", "%g1", "", MIQPS_GUARD_ESCAPE },
    { "refuses a bad second digit", "%1g", "", MIQPS_GUARD_ESCAPE },
    { "refuses two percent signs", "%%41", "", MIQPS_GUARD_ESCAPE },
    { "refuses the form of old scripts", "%u0041", "", MIQPS_GUARD_ESCAPE },
    { "refuses a bad one behind a good one", "%41%", "", MIQPS_GUARD_ESCAPE },
    { "refuses an escaped NUL", "a%00", "", MIQPS_GUARD_NUL },
    { "takes %01 for a byte like others", "%01", "%01", 0 },
    { "takes %10 for a byte like others", "%10", "%10", 0 }
};


static const decode_row_t  decode_rows[] = {
    { "reads a plain name as it is", "abc", "abc" },
    { "reads an empty name", "", "" },
    { "reads a plus as a space", "a+b", "a b" },
    { "reads an escaped plus as a plus", "a%2Bb", "a+b" },
    { "reads an escaped space", "a%20b", "a b" },
    { "reads brackets", "a%5B%5D", "a[]" },
    { "reads bytes above ASCII", "%C3%A9", "\xc3\xa9" },
    { "reads an escaped percent sign once", "%2541", "%41" },
    { "reads an escape at the end", "a%26", "a&" }
};


/*
 * What the quick look says must be what the long one finds.  The text ends at
 * a guard page, behind two bytes that are no hex digits.
 */

static void
check_normal(const miqps_str_t *in)
{
    size_t         i;
    page_t         page;
    uint8_t       *p, out[256];
    uint64_t       set[4];
    miqps_str_t    res;
    miqps_guard_e  guard;

    assert_true(in->len < sizeof(out));

    page_init(&page, in->len + 2);
    p = page_tail(&page, in->len + 2);

    memset(set, 0, sizeof(set));
    memset(p, 'x', in->len + 2);

    for (i = 0; i < in->len; i++) {
        p[i] = in->data[i];

        if (p[i] == '%') {
            set[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }

    guard = miqps_escape_normalize(in, out, &res);

    assert_int_equal(miqps_escape_normal(p, set, 4) != 0,
                     guard == MIQPS_GUARD_PASS && res.data == in->data);

    page_release(&page);
}


static void
test_normalize(void **state)
{
    page_t                  in, out;
    uint8_t                *buf;
    miqps_str_t             str, res;
    miqps_guard_e           guard;
    const normalize_row_t  *row;

    row = *state;

    str = unit_put(&in, row->in);
    page_init(&out, str.len);
    buf = page_tail(&out, str.len);

    guard = miqps_escape_normalize(&str, buf, &res);

    assert_int_equal(guard, row->guard);

    if (guard == MIQPS_GUARD_PASS) {
        unit_equal(res.data, res.len, row->want);
    }

    check_normal(&str);

    page_release(&in);
    page_release(&out);
}


static void
test_decode(void **state)
{
    page_t               in, out;
    size_t               len;
    uint8_t             *buf;
    miqps_str_t          str;
    const decode_row_t  *row;

    row = *state;

    str = unit_put(&in, row->in);
    page_init(&out, str.len);
    buf = page_tail(&out, str.len);

    len = miqps_escape_decode(&str, buf);
    unit_equal(buf, len, row->want);

    page_release(&in);
    page_release(&out);
}


static void
test_no_change_is_not_copied(void **state)
{
    uint8_t      out[8] = { 1 };
    miqps_str_t  in, res;

    (void) state;

    in = unit_str("ab%2F%FF");

    assert_int_equal(miqps_escape_normalize(&in, out, &res), MIQPS_GUARD_PASS);
    assert_ptr_equal(res.data, in.data);
    assert_int_equal(res.len, 8);
    assert_int_equal(out[0], 1);
}


static void
test_nothing_needs_no_memory(void **state)
{
    miqps_str_t  in, res;

    (void) state;

    in.data = NULL;
    in.len = 0;

    assert_int_equal(miqps_escape_normalize(&in, NULL, &res),
                     MIQPS_GUARD_PASS);
    assert_int_equal(res.len, 0);
}


/* every byte, escaped in both cases of hex digits */

static void
test_every_byte(void **state)
{
    int            c, unreserved;
    char           text[8], want[8];
    uint8_t        out[8];
    unsigned       i;
    miqps_str_t    in, res;
    miqps_guard_e  guard;

    static const char *const  forms[] = { "%%%02x", "%%%02X" };

    (void) state;

    for (c = 1; c < 256; c++) {
        for (i = 0; i < 2; i++) {
            (void) snprintf(text, sizeof(text), forms[i], (unsigned) c);

            unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                         || (c >= '0' && c <= '9')
                         || memchr("-._~", c, 4) != NULL;

            if (unreserved) {
                want[0] = (char) c;
                want[1] = '\0';

            } else {
                (void) snprintf(want, sizeof(want), "%%%02X", (unsigned) c);
            }

            in = unit_str(text);
            check_normal(&in);
            guard = miqps_escape_normalize(&in, out, &res);

            if (c >= 0x80 && strcmp(text, want) != 0) {
                assert_int_equal(guard, MIQPS_GUARD_VALUE_BYTES);
                continue;
            }

            assert_int_equal(guard, MIQPS_GUARD_PASS);
            unit_equal(res.data, res.len, want);
        }
    }
}


/* every pair of bytes behind a percent sign is two hex digits, or refused */

static void
test_every_pair(void **state)
{
    int            hex;
    uint8_t        text[3], out[3];
    unsigned       hi, lo;
    miqps_str_t    in, res;
    miqps_guard_e  guard;

    static const char  digits[] = "0123456789abcdefABCDEF";

    (void) state;

    in.data = text;
    in.len = 3;
    text[0] = '%';

    for (hi = 0; hi < 256; hi++) {
        for (lo = 0; lo < 256; lo++) {
            text[1] = (uint8_t) hi;
            text[2] = (uint8_t) lo;

            hex = (memchr(digits, (int) hi, 22) != NULL
                   && memchr(digits, (int) lo, 22) != NULL);

            guard = miqps_escape_normalize(&in, out, &res);

            if ((hi & 3) == 0 || hex) {
                check_normal(&in);
            }

            if (!hex) {
                assert_int_equal(guard, MIQPS_GUARD_ESCAPE);

            } else if (hi == '0' && lo == '0') {
                assert_int_equal(guard, MIQPS_GUARD_NUL);

            } else if (guard != MIQPS_GUARD_PASS) {
                assert_int_equal(guard, MIQPS_GUARD_VALUE_BYTES);
                assert_true(hi >= '8');
            }
        }
    }
}


/* an escape at each place, alone among those that are as they should be */

static void
test_every_place(void **state)
{
    char         text[200];
    size_t       i, k;
    miqps_str_t  in;

    static const char *const  escapes[] = { "%2F", "%2f", "%41", "%00", "%4" };

    (void) state;

    in.data = (uint8_t *) text;
    in.len = 198;

    for (k = 0; k < sizeof(escapes) / sizeof(escapes[0]); k++) {

        for (i = 0; i < in.len; i += 3) {
            memcpy(text + i, "%3A", 3);
        }

        check_normal(&in);

        for (i = 0; i < in.len; i += 3) {
            memcpy(text + i, escapes[k], strlen(escapes[k]));
            check_normal(&in);
            memcpy(text + i, "%3A", 3);
        }
    }
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_normalize, normalize_rows);
    unit_rows(&unit, test_decode, decode_rows);

    unit_add(&unit, "a query with nothing to change is not copied",
             test_no_change_is_not_copied, NULL);
    unit_add(&unit, "an empty query needs no memory",
             test_nothing_needs_no_memory, NULL);
    unit_add(&unit, "each byte is decoded if and only if it is unreserved",
             test_every_byte, NULL);
    unit_add(&unit, "each pair of bytes is two hex digits or refused",
             test_every_pair, NULL);
    unit_add(&unit, "an escape at each place is seen", test_every_place, NULL);

    return unit_run(&unit, "escape");
}
