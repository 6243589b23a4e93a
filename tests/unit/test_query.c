
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/split.h"
#include "miqps_query.h"


/*
 * What a split yields is written as "name=value{family}", parameters apart
 * by spaces, the family only if the parameter is marked special.
 */

typedef struct {
    const char     *sentence;
    const char     *in;
    const char     *want;
    size_t          pieces;
} split_row_t;


typedef struct {
    const char     *sentence;
    const char     *in;
    miqps_guard_e   guard;
} refuse_row_t;


typedef struct {
    const char     *sentence;
    const char     *in;
    const char     *want;
} pieces_row_t;


/* what is longer than the blocks that a query is read in */

#define X32  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X64  X32 X32


static const split_row_t  split_rows[] = {
    { "splits pairs on the ampersand", "a=1&b=2", "a=1 b=2", 2 },
    { "takes one pair", "a=1", "a=1", 1 },
    { "finds nothing in nothing", "", "", 1 },
    { "tells a name without a value", "a", "a", 1 },
    { "tells an empty value", "a=", "a=", 1 },
    { "takes an empty name", "=1", "=1", 1 },
    { "takes an equals sign alone", "=", "=", 1 },
    { "drops an empty piece at the start", "&a", "a", 2 },
    { "drops an empty piece amid", "a&&b", "a b", 3 },
    { "drops an empty piece at the end", "a&", "a", 2 },
    { "drops all of the empty pieces", "&&&", "", 4 },
    { "ends a name at the first equals sign", "a=b=c", "a=b=c", 1 },
    { "takes equals signs for a value", "a===", "a===", 1 },
    { "keeps repeated names apart", "a=1&a=2", "a=1 a=2", 2 },
    { "finds the family of an array", "a[]=1", "a[]=1{a}", 1 },
    { "finds the family behind escapes", "a%5B%5D=1", "a%5B%5D=1{a}", 1 },
    { "finds the family of a dotted name", "a.b=1", "a.b=1{a_b}", 1 },
    { "finds the family of a name with a plus", "a+b", "a+b{a_b}", 1 },
    { "finds two families", "a.b&c.d", "a.b{a_b} c.d{c_d}", 2 },
    { "takes a question mark amid for a letter", "a?b=1", "a?b=1{a?b}", 1 },
    { "takes a question mark in a value", "a=?", "a=?", 1 },
    { "takes brackets in a value", "a=[1]", "a=[1]", 1 },
    { "takes a bracket at the end of a value", "a=b]", "a=b]", 1 },
    { "takes an equals sign and then a bracket", "a==]", "a==]", 1 },
    { "takes an escaped bracket in a value", "a=%5D&b", "a=%5D b", 2 },
    { "takes five, D and equals for a value", "a=5D=", "a=5D=", 1 },
    { "takes an equals sign behind two bytes", "a=xy=z", "a=xy=z", 1 },
    { "takes an equals sign behind three bytes", "a=xyz=w", "a=xyz=w", 1 },
    { "takes UTF-8 in a value", "a=\xc3\xa9", "a=\xc3\xa9", 1 },
    { "takes escapes that are no UTF-8 in a value", "a=%FF", "a=%FF", 1 },
    { "takes a slash, a colon and a comma", "a/b:c,d=/:,", "a/b:c,d=/:,", 1 },
    { "takes a long value", "a=" X64 "&b=1", "a=" X64 " b=1", 2 },
    { "takes a long value last", "b&a=" X64, "b a=" X64, 2 },
    { "takes a long name", X64 "y=1&b", X64 "y=1 b", 2 },
    { "takes a name as long as a block", X64 "=1", X64 "=1", 1 },
    { "takes a pair as long as a block", X32 "=" X32, X32 "=" X32, 1 },
    { "takes a long word", X64 X64, X64 X64, 1 },
    { "takes a short pair behind long ones", X64 "&" X64 "=&c=d",
      X64 " " X64 "= c=d", 3 },
    { "takes equals signs far behind", "a=" X64 "=" X64 "=",
      "a=" X64 "=" X64 "=", 1 },
    { "finds a dot far behind", X64 ".y=1", X64 ".y=1{" X64 "_y}", 1 },
    { "finds a dot at the start of a long name", "." X64 "=1",
      "." X64 "=1{_" X64 "}", 1 },
    { "finds no dot in a long value", X64 "=" X64 ".y", X64 "=" X64 ".y", 1 },
    { "takes escaped UTF-8 in a name", "%C3%A9=1", "%C3%A9=1{\xc3\xa9}", 1 }
};


static const refuse_row_t  refuse_rows[] = {
    { "refuses a semicolon in a name", "a;b", MIQPS_GUARD_SEMICOLON },
    { "refuses a semicolon in a value", "a=1;b=2", MIQPS_GUARD_SEMICOLON },
    { "refuses a semicolon alone", ";", MIQPS_GUARD_SEMICOLON },
    { "refuses the escape of pages", "a=1&amp;b=2", MIQPS_GUARD_SEMICOLON },
    { "refuses a number sign in a name", "a#b", MIQPS_GUARD_FRAGMENT },
    { "refuses a number sign in a value", "a=#", MIQPS_GUARD_FRAGMENT },
    { "refuses a space", "a b", MIQPS_GUARD_CONTROL },
    { "refuses a tab in a value", "a=\t", MIQPS_GUARD_CONTROL },
    { "refuses a line feed", "a=1\n", MIQPS_GUARD_CONTROL },
    { "refuses a DEL", "a=\x7f", MIQPS_GUARD_CONTROL },
    { "refuses an escaped ampersand in a name", "a%26b",
      MIQPS_GUARD_DELIMITER },
    { "refuses an escaped equals sign in a name", "a%3Db=1",
      MIQPS_GUARD_DELIMITER },
    { "refuses an open bracket", "a[b=1", MIQPS_GUARD_BRACKET },
    { "refuses a lone closing bracket", "a]=1", MIQPS_GUARD_BRACKET },
    { "refuses a name that is a bracket", "[a]=1", MIQPS_GUARD_BRACKET },
    { "refuses a leading question mark", "?a=1", MIQPS_GUARD_NAME_START },
    { "refuses a question mark alone", "a&?", MIQPS_GUARD_NAME_START },
    { "refuses a leading plus", "+a=1", MIQPS_GUARD_NAME_START },
    { "refuses a leading escaped space", "%20a=1", MIQPS_GUARD_NAME_START },
    { "refuses raw bytes in a name", "\xc3\xa9=1", MIQPS_GUARD_NAME_BYTES },
    { "refuses escapes that are no UTF-8", "%FF=1", MIQPS_GUARD_NAME_BYTES },
    { "refuses raw bytes that are no UTF-8", "a=\xff",
      MIQPS_GUARD_VALUE_BYTES },
    { "refuses half a character", "a=\xc3&b=\xa9", MIQPS_GUARD_VALUE_BYTES },
    { "refuses a semicolon far behind", "a=" X64 ";", MIQPS_GUARD_SEMICOLON },
    { "refuses a space farther behind", X64 X64 X64 " ",
      MIQPS_GUARD_CONTROL },
    { "refuses a number sign behind a long pair", X64 "=" X64 "&b#",
      MIQPS_GUARD_FRAGMENT },
    { "refuses raw bytes of a name far behind", X64 "\xc3\xa9=1",
      MIQPS_GUARD_NAME_BYTES },
    { "refuses raw bytes of a value far behind", "a=" X64 "\xff",
      MIQPS_GUARD_VALUE_BYTES },
    { "refuses a bracket of a name far behind", X64 "[=1",
      MIQPS_GUARD_BRACKET },
    { "refuses a bracket and equals sign far behind", "a=" X64 "]=",
      MIQPS_GUARD_VALUE_SPLIT },
    { "refuses them where two blocks meet",
      "a=" X32 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx]=", MIQPS_GUARD_VALUE_SPLIT },
    { "refuses them escaped where two blocks meet",
      "a=" X32 "xxxxxxxxxxxxxxxxxxxxxxxxxxxx%5D=", MIQPS_GUARD_VALUE_SPLIT },
    { "refuses a bracket and an equals sign in a value", "a=b]=c",
      MIQPS_GUARD_VALUE_SPLIT },
    { "refuses them at the start of a value", "a=]=",
      MIQPS_GUARD_VALUE_SPLIT },
    { "refuses them escaped", "a=%5D=", MIQPS_GUARD_VALUE_SPLIT },
    { "refuses them behind another equals sign", "a=b=c]=d",
      MIQPS_GUARD_VALUE_SPLIT },
    { "refuses them in the second pair", "a=1&b=%5D=",
      MIQPS_GUARD_VALUE_SPLIT }
};


static const pieces_row_t  pieces_rows[] = {
    { "a report splits what is opaque", "a=1;b&c[", "a=1;b c[" },
    { "a report drops empty pieces", "&a&&b&", "a b" },
    { "a report takes an empty name", "=1&=", "=1 =" },
    { "a report finds nothing in nothing", "", "" },
    { "a report keeps bad escapes", "%=%zz", "%=%zz" }
};


static void
render(const miqps_param_t *params, size_t n, char *out, size_t size)
{
    size_t                i, len;
    const miqps_param_t  *param;

    len = 0;
    out[0] = '\0';

    for (i = 0; i < n; i++) {
        param = &params[i];

        assert_true(param->name_len == param->len
                    || param->name[param->name_len] == '=');

        len += (size_t) snprintf(out + len, size - len, "%s%.*s",
                                 (i > 0) ? " " : "", (int) param->len,
                                 (const char *) param->name);

        if (param->special) {
            len += (size_t) snprintf(out + len, size - len, "{%.*s}",
                                     (int) param->family_len,
                                     (const char *) param->family);
        }
    }
}


static void
test_split(void **state)
{
    char                text[512];
    page_t              in, pool;
    size_t              n, pieces;
    miqps_str_t         args;
    const split_row_t  *row;

    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    row = *state;
    args = unit_put(&in, row->in);

    page_init(&pool, args.len);
    memset(params, 0xff, sizeof(params));

    assert_int_equal(split_args(&args, page_tail(&pool, args.len), params, &n,
                                &pieces),
                     MIQPS_GUARD_PASS);

    assert_int_equal(pieces, row->pieces);
    render(params, n, text, sizeof(text));
    assert_string_equal(text, row->want);

    while (n-- > 0) {
        assert_int_equal(params[n].action, MIQPS_KEEP);
        assert_int_equal(params[n].layer, MIQPS_LAYER_DEFAULT);
        assert_int_equal(params[n].why, MIQPS_WHY_UNNAMED);
        assert_null(params[n].rule);
    }

    page_release(&in);
    page_release(&pool);
}


static void
test_refuse(void **state)
{
    page_t               in, pool;
    size_t               n, pieces;
    miqps_str_t          args;
    const refuse_row_t  *row;

    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    row = *state;
    args = unit_put(&in, row->in);

    page_init(&pool, args.len);
    n = 7;
    pieces = 8;

    assert_int_equal(split_args(&args, page_tail(&pool, args.len), params, &n,
                                &pieces),
                     row->guard);

    assert_int_equal(n, 7);
    assert_int_equal(pieces, 8);

    page_release(&in);
    page_release(&pool);
}


static void
test_pieces(void **state)
{
    char                 text[512];
    page_t               in;
    size_t               n;
    miqps_str_t          args;
    const pieces_row_t  *row;

    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    row = *state;
    args = unit_put(&in, row->in);

    memset(params, 0xff, sizeof(params));

    n = miqps_query_pieces(&args, params);

    while (n < MIQPS_MAX_PARAMS && params[n].name_len != UINT32_MAX) {
        fail_msg("more parameters than were counted");
    }

    memset(params + n, 0, sizeof(miqps_param_t));
    render(params, n, text, sizeof(text));
    assert_string_equal(text, row->want);

    page_release(&in);
}


/* every byte in a name and in a value, alone */

static void
test_every_byte(void **state)
{
    int            c;
    char           text[8];
    size_t         n, pieces;
    uint8_t        pool[8];
    miqps_str_t    args;
    miqps_guard_e  in_name, in_value, want;

    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    (void) state;

    args.data = (uint8_t *) text;

    for (c = 0; c < 256; c++) {

        if (c == '%') {
            continue;
        }

        args.len = (size_t) snprintf(text, sizeof(text), "ab=1");
        text[1] = (char) c;
        in_name = split_args(&args, pool, params, &n, &pieces);

        args.len = (size_t) snprintf(text, sizeof(text), "a=b1");
        text[2] = (char) c;
        in_value = split_args(&args, pool, params, &n, &pieces);

        want = (c <= ' ' || c == 0x7f) ? MIQPS_GUARD_CONTROL
               : (c == ';') ? MIQPS_GUARD_SEMICOLON
               : (c == '#') ? MIQPS_GUARD_FRAGMENT
               : (c >= 0x80) ? MIQPS_GUARD_VALUE_BYTES : MIQPS_GUARD_PASS;

        assert_int_equal(in_value, want);

        want = (c >= 0x80) ? MIQPS_GUARD_NAME_BYTES
               : (c == '[' || c == ']') ? MIQPS_GUARD_BRACKET : want;

        assert_int_equal(in_name, want);
    }
}


/* "n" pieces, "a&a&...&a" */

static size_t
repeat(char *text, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        text[2 * i] = 'a';
        text[2 * i + 1] = '&';
    }

    return 2 * n - 1;
}


static void
test_limit(void **state)
{
    size_t       n, pieces;
    uint8_t      pool[1];
    miqps_str_t  args;

    static char           text[2 * MIQPS_MAX_PARAMS + 4];
    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    (void) state;

    args.data = (uint8_t *) text;
    args.len = repeat(text, MIQPS_MAX_PARAMS);

    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_PASS);
    assert_int_equal(n, MIQPS_MAX_PARAMS);
    assert_int_equal(pieces, MIQPS_MAX_PARAMS);

    /* an empty piece counts */

    args.len++;

    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_TOO_MANY);
    assert_int_equal(miqps_query_pieces(&args, params), MIQPS_MAX_PARAMS);

    args.len = repeat(text, MIQPS_MAX_PARAMS + 1);

    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_TOO_MANY);
    assert_int_equal(miqps_query_pieces(&args, params), MIQPS_MAX_PARAMS);
}


static void
test_no_bytes(void **state)
{
    size_t         n, pieces;
    uint8_t        pool[1];
    miqps_str_t    args = miqps_null_str;
    miqps_param_t  params[1];

    (void) state;

    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_PASS);
    assert_int_equal(n, 0);
    assert_int_equal(pieces, 1);
    assert_int_equal(miqps_query_pieces(&args, params), 0);
}


static void
test_value(void **state)
{
    size_t       n, pieces;
    uint8_t      pool[16];
    miqps_str_t  args, value;

    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    (void) state;

    args = unit_str("a=1=2&b=&c");

    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_PASS);

    value = miqps_param_value(&params[0]);
    unit_equal(value.data, value.len, "1=2");

    value = miqps_param_value(&params[1]);
    unit_equal(value.data, value.len, "");
    assert_non_null(value.data);

    value = miqps_param_value(&params[2]);
    unit_equal(value.data, value.len, "");
    assert_null(value.data);
}


static void
test_texts(void **state)
{
    miqps_why_e    why;
    miqps_layer_e  layer, other;

    (void) state;

    for (why = 0; why < MIQPS_WHY_MAX; why++) {
        assert_true(strlen(miqps_why_text(why)) > 0);
    }

    for (layer = 0; layer < MIQPS_LAYER_MAX; layer++) {
        assert_true(strlen(miqps_layer_name(layer)) > 0);

        for (other = 0; other < layer; other++) {
            assert_string_not_equal(miqps_layer_name(layer),
                                    miqps_layer_name(other));
        }
    }

    assert_string_equal(miqps_layer_name(MIQPS_LAYER_OPERATOR), "operator");
    assert_string_equal(miqps_layer_name(MIQPS_LAYER_GUARD), "guard");
    assert_string_equal(miqps_why_text(MIQPS_WHY_UNNAMED),
                        "no rule names it");
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_split, split_rows);
    unit_rows(&unit, test_refuse, refuse_rows);
    unit_rows(&unit, test_pieces, pieces_rows);

    unit_add(&unit, "each byte is taken or refused in name and value",
             test_every_byte, NULL);
    unit_add(&unit, "a thousand pieces pass, one more does not", test_limit,
             NULL);
    unit_add(&unit, "a query without bytes needs no memory", test_no_bytes,
             NULL);
    unit_add(&unit, "a value begins behind the first equals sign", test_value,
             NULL);
    unit_add(&unit, "every layer and reason has a text", test_texts, NULL);

    return unit_run(&unit, "query");
}
