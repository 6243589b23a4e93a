
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_guard.h"
#include "miqps_query.h"


typedef struct {
    const char     *sentence;
    const char     *value;
    int             secret;
} secret_row_t;


/* a query, as the guard sees it through the marks of its names */

typedef struct {
    const char     *sentence;
    const char     *args;
    miqps_guard_e   guard;
} judge_row_t;


#define HEX32   "d41d8cd98f00b204e9800998ecf8427e"
#define HEX40   "da39a3ee5e6b4b0d3255bfef95601890afd80709"
#define UUID    "123e4567-e89b-12d3-a456-426614174000"
#define BASE64  "kT3b9QxZ7mPw2LrV"


static const secret_row_t  secret_rows[] = {
    { "an MD5 looks like a secret", HEX32, 1 },
    { "a SHA-1 looks like a secret", HEX40, 1 },
    { "capitals and digits look like a secret", "A1B2C3D4E5F6A7B8", 1 },
    { "mixed letters look like a secret", "aBcDeFgHiJkLmNoP", 1 },
    { "base64 looks like a secret", BASE64, 1 },
    { "a UUID looks like a secret", UUID, 1 },
    { "a UUID in capitals does", "123E4567-E89B-12D3-A456-426614174000", 1 },
    { "a UUID of zeros does", "00000000-0000-0000-0000-000000000000", 1 },
    { "a token of three parts does", "eyJhbGciOiJIUzI1NiJ9.e30.abc", 1 },
    { "a secret behind a word does", "word-" BASE64, 1 },
    { "a secret before a word does", BASE64 "-word", 1 },
    { "nothing does not", "", 0 },
    { "a word does not", "word", 0 },
    { "a long word does not", "internationalization", 0 },
    { "words with hyphens do not", "the-quick-brown-fox-jumps", 0 },
    { "a long number does not", "12345678901234567890", 0 },
    { "a word with a year does not", "wintercollection2024", 0 },
    { "a year with a word does not", "2024wintercollection", 0 },
    { "a long phrase does not", "hello+wonderful+world+of+words", 0 },
    { "fifteen bytes do not", "a1b2c3d4e5f6a7b", 0 },
    { "sixteen bytes do", "a1b2c3d4e5f6a7b8", 1 },
    { "short runs apart do not", "a1b2c3d4.e5f6a7b8.c9d0e1", 0 },
    { "short runs with dashes do", "a1b2c3d4-e5f6a7b8_c9d0e1", 1 },
    { "short runs with digits of base64 do", "a1b2c3d4%2Be5f6%2Fa7b8%3D", 1 },
    { "short runs with another escape do not", "a1b2c3d4%26e5f6a7b8", 0 },
    { "a short run with an escaped equals sign does",
      "a1b2%3Dc3d4%3De5f6a7b8", 1 },
    { "a long word with a digit inside does not",
      "abcdefghijklmnopqr1stuvwxyz", 0 },
    { "words with tildes do not", "wonderful~wonders~wonder", 0 },
    { "words with capitals do not", "Spring-Summer-Collection-New", 0 },
    { "half an escape at the end does not", "wonderful-wonders%2", 0 },
    { "a date and time do not", "2024-01-01T00:00:00Z", 0 },
    { "a UUID with a letter beyond f does not",
      "00000000-0000-0000-0000-00000000000g", 0 },
    { "a UUID with a slash does not",
      "0000000/-0000-0000-0000-000000000000", 0 },
    { "a UUID with a colon does not",
      "0000000:-0000-0000-0000-000000000000", 0 },
    { "a UUID with a bad hyphen does not",
      "00000000_0000_0000_0000_000000000000", 0 },
    { "a UUID with a hyphen amiss does not",
      "0000000--0000-0000-0000-000000000000", 0 }
};


static const judge_row_t  judge_rows[] = {

    /* vendors decide alone */

    { "a signature of AWS", "X-Amz-Signature=1", MIQPS_GUARD_SIGNED },
    { "a date of AWS in small letters", "x-amz-date=1", MIQPS_GUARD_SIGNED },
    { "a key pair of CloudFront", "Key-Pair-Id=K1", MIQPS_GUARD_SIGNED },
    { "a signature of Google", "X-Goog-Signature=1", MIQPS_GUARD_SIGNED },
    { "an account of Google", "GoogleAccessId=a%40b", MIQPS_GUARD_SIGNED },
    { "a token of Akamai", "hdnea=st=1~exp=2", MIQPS_GUARD_SIGNED },
    { "a token of Akamai, the default", "__token__=exp%3D1",
      MIQPS_GUARD_SIGNED },
    { "an answer in SAML", "SAMLResponse=abc", MIQPS_GUARD_OAUTH },
    { "an access token", "access_token=1", MIQPS_GUARD_OAUTH },
    { "an answer in OpenID", "openid.mode=id_res", MIQPS_GUARD_OAUTH },
    { "a session of OpenID Connect", "session_state=1", MIQPS_GUARD_OAUTH },
    { "a password", "password=x", MIQPS_GUARD_SECRET },
    { "a password that is empty", "password", MIQPS_GUARD_SECRET },
    { "a one-time password", "otp=123456", MIQPS_GUARD_SECRET },
    { "a key of an interface", "api_key=1", MIQPS_GUARD_SECRET },
    { "a token to reset", "reset_token=1", MIQPS_GUARD_SECRET },

    /* common names need a value that looks so */

    { "s with a hash", "s=" HEX32, MIQPS_GUARD_SIGNED },
    { "s with a search", "s=red+shoes", MIQPS_GUARD_PASS },
    { "s with nothing", "s=", MIQPS_GUARD_PASS },
    { "s without a value", "s", MIQPS_GUARD_PASS },
    { "sig with a hash", "sig=" HEX40, MIQPS_GUARD_SIGNED },
    { "sign with a word", "sign=pisces", MIQPS_GUARD_PASS },
    { "hash with a word", "hash=browns", MIQPS_GUARD_PASS },
    { "hmac with a hash", "hmac=" HEX40, MIQPS_GUARD_SIGNED },
    { "a policy that is encoded", "Policy=eyJTdGF0ZW1lbnQiOlt7IlJlc291",
      MIQPS_GUARD_SIGNED },
    { "a policy that is a word", "Policy=privacy", MIQPS_GUARD_PASS },
    { "token with a UUID", "token=" UUID, MIQPS_GUARD_SECRET },
    { "token with a word", "token=ring", MIQPS_GUARD_PASS },
    { "key with a key", "key=" BASE64, MIQPS_GUARD_SECRET },
    { "key with a word", "key=value", MIQPS_GUARD_PASS },
    { "code with a code", "code=" BASE64, MIQPS_GUARD_OAUTH },
    { "code of a discount", "code=SUMMER20", MIQPS_GUARD_PASS },
    { "state of an item", "state=open", MIQPS_GUARD_PASS },
    { "state with a secret", "state=" HEX32, MIQPS_GUARD_OAUTH },
    { "ticket with a ticket", "ticket=ST12a34b56c78d90ef1",
      MIQPS_GUARD_OAUTH },
    { "confirm with a hash", "confirm=" HEX32, MIQPS_GUARD_SECRET },
    { "confirm with a yes", "confirm=yes", MIQPS_GUARD_PASS },

    /* schemes need all of their names */

    { "code and state", "code=abc&state=xyz", MIQPS_GUARD_OAUTH },
    { "code and issuer", "code=abc&iss=https%3A%2F%2Fx", MIQPS_GUARD_OAUTH },
    { "state and issuer", "state=a&iss=b", MIQPS_GUARD_PASS },
    { "a short hash and a time", "md5=abcd1234&expires=1700000000",
      MIQPS_GUARD_SIGNED },
    { "a short hash and no time", "md5=abcd1234&expires=never",
      MIQPS_GUARD_PASS },
    { "a hash that is too short and a time", "md5=abc&expires=1700000000",
      MIQPS_GUARD_PASS },
    { "a word and a time", "hash=browniesandcream&expires=1700000000",
      MIQPS_GUARD_PASS },
    { "a phrase and a time", "hash=brown+7+times&expires=1700000000",
      MIQPS_GUARD_PASS },
    { "an escaped phrase and a time", "hash=brown%207%20times&e=1700000000",
      MIQPS_GUARD_PASS },
    { "a hash with another escape and a time", "hash=123456%2&e=1700000000",
      MIQPS_GUARD_SIGNED },
    { "a short hash alone", "md5=abcd1234", MIQPS_GUARD_PASS },
    { "a time alone", "expires=1700000000", MIQPS_GUARD_PASS },
    { "a hash and a time in hex digits", "h=abcd1234&e=65a1b2c3",
      MIQPS_GUARD_SIGNED },
    { "a hash and a date", "h=abcd1234&e=2024-01-01T00%3A00%3A00.000Z",
      MIQPS_GUARD_SIGNED },
    { "a hash and a date with colons", "h=abcd1234&e=2024-01-01T00:00:00Z",
      MIQPS_GUARD_SIGNED },
    { "a hash and a short number", "h=abcd1234&e=1234567",
      MIQPS_GUARD_PASS },
    { "a hash and a word", "h=abcd1234&e=tomorrow", MIQPS_GUARD_PASS },
    { "a hash and a word with digits", "h=abcd1234&e=abcd1234",
      MIQPS_GUARD_SIGNED },
    { "a hash and three digits", "h=abcd1234&e=abcdef123",
      MIQPS_GUARD_PASS },
    { "a hash and a sum", "h=abcd1234&e=1234+5678", MIQPS_GUARD_PASS },
    { "a hash and a tilde", "h=abcd1234&e=1234~5678", MIQPS_GUARD_PASS },
    { "a hash and a path", "h=abcd1234&e=/2024/01/01", MIQPS_GUARD_PASS },
    { "a time and nothing", "h=abcd1234&e", MIQPS_GUARD_PASS },
    { "a signature of Azure", "sv=2020-08-04&sig=abcd1234",
      MIQPS_GUARD_SIGNED },
    { "fields of Azure without it", "sv=2020&se=x&sp=r", MIQPS_GUARD_PASS },
    { "the signature of Azure without fields", "sig=abcd1234",
      MIQPS_GUARD_PASS },
    { "a token and a time", "token=abcd1234&exp=1700000000",
      MIQPS_GUARD_SIGNED },

    /* and nothing else */

    { "names of a shop", "q=a&page=2&color=red&size=4", MIQPS_GUARD_PASS },
    { "names in another case", "PASSWORD=x", MIQPS_GUARD_PASS },
    { "the beginning of a name", "X-Amz=1&pass=x", MIQPS_GUARD_PASS },
    { "a session is no secret", "PHPSESSID=" HEX32, MIQPS_GUARD_PASS },
    { "signed goes before secret", "password=x&X-Amz-Date=1",
      MIQPS_GUARD_SIGNED },
    { "nothing", "", MIQPS_GUARD_PASS }
};


static void
test_secret(void **state)
{
    page_t               page;
    miqps_str_t          value;
    const secret_row_t  *row;

    row = *state;
    value = unit_put(&page, row->value);

    assert_int_equal(miqps_guard_secret_like(&value), row->secret);

    page_release(&page);
}


/* the marks of a name, looked up one by one */

static uint32_t
marks_of(const miqps_param_t *param)
{
    size_t                     i, n, len;
    uint32_t                   marks;
    const miqps_guard_name_t  *names;

    names = miqps_guard_names(&n);
    marks = 0;

    for (i = 0; i < n; i++) {
        len = names[i].text.len;

        if (names[i].text.data[len - 1] == '*') {
            len--;

            if (param->name_len < len) {
                continue;
            }

        } else if (param->name_len != len) {
            continue;
        }

        if (memcmp(param->name, names[i].text.data, len) == 0) {
            marks |= names[i].marks;
        }
    }

    return marks;
}


static void
test_judge(void **state)
{
    page_t              page;
    size_t              i, n;
    uint32_t            seen;
    miqps_str_t         args, value;
    const judge_row_t  *row;

    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    row = *state;
    args = unit_put(&page, row->args);
    n = miqps_query_pieces(&args, params);
    seen = 0;

    for (i = 0; i < n; i++) {
        value = miqps_param_value(&params[i]);
        miqps_guard_note(&seen, marks_of(&params[i]), &value);
    }

    assert_int_equal(miqps_guard_judge(seen), row->guard);

    page_release(&page);
}


/* a mark more never makes a query less opaque */

static void
test_monotone(void **state)
{
    uint32_t  seen, bit;

    (void) state;

    for (seen = 0; seen < 0x1000; seen++) {

        if (miqps_guard_judge(seen) == MIQPS_GUARD_PASS) {
            continue;
        }

        for (bit = 1; bit < 0x1000; bit *= 2) {
            assert_int_not_equal(miqps_guard_judge(seen | bit),
                                 MIQPS_GUARD_PASS);
        }
    }
}


static void
test_names(void **state)
{
    size_t                     i, k, n;
    const uint8_t             *star;
    const miqps_guard_name_t  *names;

    (void) state;

    names = miqps_guard_names(&n);
    assert_true(n > 100);

    for (i = 0; i < n; i++) {
        assert_true(names[i].text.len > 0);
        assert_true(names[i].marks != 0);

        star = memchr(names[i].text.data, '*', names[i].text.len);

        assert_true(star == NULL
                    || star == names[i].text.data + names[i].text.len - 1);

        for (k = 0; k < i; k++) {
            assert_false(miqps_str_eq(&names[i].text, &names[k].text));
        }
    }
}


static void
test_texts(void **state)
{
    miqps_guard_e  guard, other;

    (void) state;

    for (guard = 0; guard < MIQPS_GUARD_MAX; guard++) {
        assert_true(strlen(miqps_guard_name(guard)) > 0);
        assert_true(strlen(miqps_guard_text(guard)) > 0);
        assert_null(strchr(miqps_guard_name(guard), ' '));

        for (other = 0; other < guard; other++) {
            assert_string_not_equal(miqps_guard_name(guard),
                                    miqps_guard_name(other));
            assert_string_not_equal(miqps_guard_text(guard),
                                    miqps_guard_text(other));
        }
    }

    assert_string_equal(miqps_guard_name(MIQPS_GUARD_SEMICOLON), "semicolon");
    assert_string_equal(miqps_guard_name(MIQPS_GUARD_VALUE_SPLIT),
                        "value-split");
    assert_string_equal(miqps_guard_name(MIQPS_GUARD_SCOPES), "scopes");
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_secret, secret_rows);
    unit_rows(&unit, test_judge, judge_rows);

    unit_add(&unit, "a mark more never makes a query less opaque",
             test_monotone, NULL);
    unit_add(&unit, "the names are different, a star is at the end",
             test_names, NULL);
    unit_add(&unit, "every reason has a name and a text of its own",
             test_texts, NULL);

    return unit_run(&unit, "guard");
}
