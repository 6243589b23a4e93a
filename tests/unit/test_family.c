
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/split.h"
#include "../support/dice.h"
#include "miqps_family.h"
#include "miqps_query.h"


typedef struct {
    const char     *sentence;
    const char     *name;
    const char     *family;
    miqps_guard_e   guard;
} family_row_t;


typedef struct {
    const char     *sentence;
    const char     *family;     /* and what is behind it */
    size_t          len;
    uint64_t        key;
} key_row_t;


typedef struct {
    const char     *sentence;
    const char     *args;
    const char     *sorted;
} order_row_t;


/*
 * A row of verdicts has a letter for each parameter: "k" kept, "s" stripped,
 * "v" stripped for its value; of the result also "m" kept, since its family
 * is mixed, and "r" kept, since it is repeated.
 */

typedef struct {
    const char     *sentence;
    const char     *args;
    const char     *before;
    const char     *after;
} settle_row_t;


#define X31  "[x][x][x][x][x][x][x][x][x][x][x][x][x][x][x][x]"                \
             "[x][x][x][x][x][x][x][x][x][x][x][x][x][x][x]"


static const family_row_t  family_rows[] = {
    { "a plain name is its own family", "abc", "abc", 0 },
    { "an empty name is its own family", "", "", 0 },
    { "an array belongs to its name", "a[]", "a", 0 },
    { "an entry belongs to its name", "a[b][c]", "a", 0 },
    { "escaped brackets are brackets", "a%5Bb%5D", "a", 0 },
    { "a dot is an underscore", "a.b", "a_b", 0 },
    { "a plus is an underscore", "a+b", "a_b", 0 },
    { "a space is an underscore", "a%20b", "a_b", 0 },
    { "an escaped plus is an underscore", "a%2Bb", "a_b", 0 },
    { "a dot in brackets does not count", "a[b.c]", "a", 0 },
    { "a leading dot is an underscore", ".a", "_a", 0 },
    { "case counts", "aB", "aB", 0 },
    { "a question mark amid is a letter", "a?", "a?", 0 },
    { "an escaped question mark may lead", "%3Fa", "?a", 0 },
    { "other escapes are decoded", "a%21", "a!", 0 },
    { "UTF-8 of two bytes is decoded", "%C3%A9", "\xc3\xa9", 0 },
    { "UTF-8 of three bytes is decoded", "%E2%82%AC", "\xe2\x82\xac", 0 },
    { "UTF-8 of four bytes is decoded", "%F0%9F%98%80", "\xf0\x9f\x98\x80",
      0 },
    { "the first code point of three bytes is", "%E0%A0%80", "\xe0\xa0\x80",
      0 },
    { "the last before the surrogates is", "%ED%9F%BF", "\xed\x9f\xbf", 0 },
    { "the first of four bytes is", "%F0%90%80%80", "\xf0\x90\x80\x80", 0 },
    { "the last code point is", "%F4%8F%BF%BF", "\xf4\x8f\xbf\xbf", 0 },
    { "brackets may hold UTF-8", "a[%C3%A9]", "a", 0 },
    { "31 pairs of brackets are read", "a" X31, "a", 0 },
    { "32 are not", "a[x]" X31, NULL, MIQPS_GUARD_BRACKET },
    { "a leading plus is cut by some", "+a", NULL, MIQPS_GUARD_NAME_START },
    { "a leading space is cut by some", "%20", NULL, MIQPS_GUARD_NAME_START },
    { "a leading question mark is cut by some", "?", NULL,
      MIQPS_GUARD_NAME_START },
    { "an escaped ampersand divides for some", "a%26", NULL,
      MIQPS_GUARD_DELIMITER },
    { "an escaped equals sign divides for some", "%3D", NULL,
      MIQPS_GUARD_DELIMITER },
    { "a delimiter in brackets divides too", "a[%3D]", NULL,
      MIQPS_GUARD_DELIMITER },
    { "a bracket is left open", "a[", NULL, MIQPS_GUARD_BRACKET },
    { "a bracket is left open with a name", "a[b", NULL,
      MIQPS_GUARD_BRACKET },
    { "a bracket closes what is not open", "a]", NULL, MIQPS_GUARD_BRACKET },
    { "a bracket closes twice", "a[b]]", NULL, MIQPS_GUARD_BRACKET },
    { "a bracket opens twice", "a[[b]]", NULL, MIQPS_GUARD_BRACKET },
    { "a bracket comes first", "[a]", NULL, MIQPS_GUARD_BRACKET },
    { "something follows the brackets", "a[b]c", NULL, MIQPS_GUARD_BRACKET },
    { "raw bytes are read in many ways", "\xc3\xa9", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "a lone continuation byte is no UTF-8", "%80", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "a slash in two bytes is no UTF-8", "%C0%AF", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "an overlong form of two bytes is no UTF-8", "%C1%BF", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "an overlong form of three bytes is no UTF-8", "%E0%9F%BF", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "a surrogate is no UTF-8", "%ED%A0%80", NULL, MIQPS_GUARD_NAME_BYTES },
    { "an overlong form of four bytes is no UTF-8", "%F0%8F%BF%BF", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "what is above the last code point is no UTF-8", "%F4%90%80%80", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "five bytes are no UTF-8", "%F8%88%80%80%80", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "two bytes cut off are no UTF-8", "%C3", NULL, MIQPS_GUARD_NAME_BYTES },
    { "three bytes cut off are no UTF-8", "%E2%82", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "a bad third byte is no UTF-8", "%E2%82a", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "a third byte too large is no UTF-8", "%E2%82%C0", NULL,
      MIQPS_GUARD_NAME_BYTES },
    { "a bad fourth byte is no UTF-8", "%F0%9F%98a", NULL,
      MIQPS_GUARD_NAME_BYTES }
};


static const key_row_t  key_rows[] = {
    { "the key of nothing is 0", "", 0, 0 },
    { "the key of nothing before something is 0", "abcdefghij", 0, 0 },
    { "the key of one byte", "a", 1, UINT64_C(0x6100000000000000) },
    { "the key of one byte before some", "abc", 1,
      UINT64_C(0x6100000000000000) },
    { "the key of one byte before many", "abcdefghij", 1,
      UINT64_C(0x6100000000000000) },
    { "the key of a high byte", "\xff\x01", 2, UINT64_C(0xff01000000000000) },
    { "the key of seven bytes", "abcdefg", 7, UINT64_C(0x6162636465666700) },
    { "the key of seven bytes before one", "abcdefgh", 7,
      UINT64_C(0x6162636465666700) },
    { "the key of eight bytes", "abcdefgh", 8, UINT64_C(0x6162636465666768) },
    { "the key of nine bytes", "abcdefghi", 9, UINT64_C(0x6162636465666768) }
};


static const order_row_t  order_rows[] = {
    { "sorts names by bytes", "b&a&B&_", "B&_&a&b" },
    { "sorts a prefix first", "ab&a&abc", "a&ab&abc" },
    { "leaves repeated names in order", "a=2&a=1&a=3", "a=2&a=1&a=3" },
    { "leaves a family in order", "a[]=1&b&a=2&a[0]=3", "a[]=1&a=2&a[0]=3&b" },
    { "leaves dots and underscores in order", "a_b=1&a&a.b=2",
      "a&a_b=1&a.b=2" },
    { "sorts by the decoded name", "b&%C3%A9&%21", "%21&b&%C3%A9" },
    { "sorts an empty name first", "a&=1", "=1&a" },
    { "compares the ninth byte", "eightbytb&eightbyta",
      "eightbyta&eightbytb" },
    { "sorts eight bytes before nine", "eightbyta&eightbyt&eightbyta",
      "eightbyt&eightbyta&eightbyta" },
    { "sorts nine bytes before ten", "eightbytab&eightbyta",
      "eightbyta&eightbytab" },
    { "takes eight equal bytes for one family", "eightbyt=2&eightbyt[]=1",
      "eightbyt=2&eightbyt[]=1" },
    { "takes long equal names for one family", "a_long.name=2&a_long_name=1",
      "a_long.name=2&a_long_name=1" },
    { "sorts a long name with high bytes", "aaaaaaaa%C3%A9&aaaaaaaaz",
      "aaaaaaaaz&aaaaaaaa%C3%A9" },
    { "sorts sixteen", "p&o&n&m&l&k&j&i&h&g&f&e&d&c&b&a",
      "a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p" },
    { "sorts seventeen", "q&p&o&n&m&l&k&j&i&h&g&f&e&d&c&b&a",
      "a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q" },
    { "sorts many, stable", "d&c&b&a&d=1&c=1&b=1&a=1&d=2&c=2&b=2&a=2&d=3&c=3"
      "&b=3&a=3&d=4&c=4&b=4&a=4",
      "a&a=1&a=2&a=3&a=4&b&b=1&b=2&b=3&b=4&c&c=1&c=2&c=3&c=4&d&d=1&d=2&d=3"
      "&d=4" }
};


static const settle_row_t  settle_rows[] = {
    { "what is alone goes", "a&b", "sk", "sk" },
    { "what is alone goes for its value", "a=1&b", "vk", "vk" },
    { "equal names go together", "a=1&b&a=2", "sks", "sks" },
    { "one member that stays keeps the others", "a=1&a=2&a=3", "sks", "mkm" },
    { "a member of the family that stays keeps", "a=1&a[]=2", "sk", "mk" },
    { "different names of a family stay", "a=1&a[]=2", "ss", "mm" },
    { "names of the same length stay as well", "a.b&a_b", "ss", "mm" },
    { "a strip for a value does not hold for two", "a=1&a=1", "vv", "rr" },
    { "a strip for a value keeps the others", "a=1&a=2", "vs", "rm" },
    { "another family does not matter", "a=1&b=1&a=2", "sks", "sks" },
    { "nothing is settled as it was", "a&b&c", "kkk", "kkk" },
    { "everything goes", "a&b&a&c", "ssss", "ssss" },
    { "nothing comes of nothing", "", "", "" }
};


static miqps_param_t  params[MIQPS_MAX_PARAMS];
static uint16_t       order[MIQPS_MAX_PARAMS];
static uint16_t       spare[MIQPS_MAX_PARAMS];
static uint8_t        pool[64 * 1024];
static int            alone;            /* no two are of one family */


static size_t
split(const char *text)
{
    size_t       n, pieces;
    uint16_t     few[MIQPS_MAX_PARAMS];
    miqps_str_t  args;

    args = unit_str(text);

    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_PASS);

    memset(order, 0xff, sizeof(order));
    memset(spare, 0xff, sizeof(spare));

    miqps_family_order(params, n, order, spare);

    /* the quick way, where there is one, must come to the same */

    alone = miqps_family_order_few(params, n, few);

    if (alone) {
        assert_memory_equal(few, order, n * sizeof(uint16_t));
    }

    return n;
}


static void
test_family(void **state)
{
    page_t               in, out;
    miqps_str_t          name, family;
    miqps_guard_e        guard;
    const family_row_t  *row;

    row = *state;
    name = unit_put(&in, row->name);
    page_init(&out, name.len);

    guard = miqps_family_of(&name, page_tail(&out, name.len), &family);

    assert_int_equal(guard, row->guard);

    if (guard == MIQPS_GUARD_PASS) {
        unit_equal(family.data, family.len, row->family);
    }

    page_release(&in);
    page_release(&out);
}


static void
test_order(void **state)
{
    char                text[512];
    size_t              i, n, len;
    const order_row_t  *row;

    row = *state;
    n = split(row->args);
    len = 0;

    for (i = 0; i < n; i++) {
        len += (size_t) snprintf(text + len, sizeof(text) - len, "%s%.*s",
                                 (i > 0) ? "&" : "",
                                 (int) params[order[i]].len,
                                 (const char *) params[order[i]].name);
    }

    assert_string_equal(text, row->sorted);
}


static void
test_settle(void **state)
{
    char                 text[64];
    size_t               i, n, stripped;
    const settle_row_t  *row;

    row = *state;
    n = split(row->args);
    stripped = 0;

    assert_int_equal(n, strlen(row->before));

    for (i = 0; i < n; i++) {
        if (row->before[i] != 'k') {
            params[i].action = MIQPS_STRIP;
            params[i].layer = MIQPS_LAYER_RULES;
            params[i].why = (row->before[i] == 'v') ? MIQPS_WHY_VALUE
                                                    : MIQPS_WHY_NAME;
        }
    }

    i = miqps_family_settle(params, n, order);

    for (n = 0; row->before[n] != '\0'; n++) {

        if (params[n].action == MIQPS_STRIP) {
            text[n] = row->before[n];
            stripped++;

        } else if (params[n].layer == MIQPS_LAYER_GUARD) {
            text[n] = (params[n].why == MIQPS_WHY_MIXED) ? 'm'
                      : (params[n].why == MIQPS_WHY_REPEATED) ? 'r' : '?';

        } else {
            text[n] = 'k';
        }
    }

    text[n] = '\0';

    assert_string_equal(text, row->after);
    assert_int_equal(i, stripped);
}


static void
test_key(void **state)
{
    page_t            page;
    uint8_t           padded[8];
    uint64_t          key;
    miqps_str_t       family;
    const key_row_t  *row;

    row = *state;
    family = unit_put(&page, row->family);

    key = miqps_family_key(family.data, row->len);
    assert_true(key == row->key);

    /* eight bytes of memory, of which the family may be some */

    memset(padded, 'x', sizeof(padded));
    memcpy(padded, family.data, (family.len < 8) ? family.len : 8);

    key = miqps_family_key_padded(padded, row->len);
    assert_true(key == row->key);

    page_release(&page);
}


/* every number of parameters, by chance, against the definition */

static void
test_every_number(void **state)
{
    char    text[8 * MIQPS_MAX_PARAMS];
    int     rc;
    dice_t  dice;
    size_t  i, k, n, len;

    (void) state;

    dice_init(&dice, 7, 0);

    for (n = 1; n <= MIQPS_MAX_PARAMS; n += (n < 80) ? 1 : 23) {

        for (i = 0, len = 0; i < n; i++) {
            len += (size_t) snprintf(text + len, sizeof(text) - len, "%s%c%u",
                                     (i > 0) ? "&" : "",
                                     (int) ('a' + dice_below(&dice, 3)),
                                     (unsigned) dice_below(&dice, 9));
        }

        k = split(text);
        assert_int_equal(k, n);

        for (i = 1; i < n; i++) {
            rc = memcmp(params[order[i - 1]].family, params[order[i]].family,
                        2);

            assert_true(rc < 0 || (rc == 0 && order[i - 1] < order[i]));
            assert_false(rc == 0 && alone);
        }
    }
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_family, family_rows);
    unit_rows(&unit, test_key, key_rows);
    unit_rows(&unit, test_order, order_rows);
    unit_rows(&unit, test_settle, settle_rows);

    unit_add(&unit, "any number of parameters is sorted, stable",
             test_every_number, NULL);

    return unit_run(&unit, "family");
}
