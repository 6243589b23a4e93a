
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_collect.h"
#include "miqps_guard.h"


#define MIQPS_COLLECT_ROUNDS   3     /* of decoding */
#define MIQPS_COLLECT_NAME     128   /* bytes of a name that are looked at */
#define MIQPS_COLLECT_TOKEN    8     /* bytes that a token has at least */
#define MIQPS_COLLECT_JWT      20
#define MIQPS_COLLECT_PHONE    7     /* digits */


typedef struct {
    miqps_str_t     text;
    int             whole;      /* else it may be anywhere in the name */
} miqps_collect_word_t;


static miqps_collect_e  miqps_collect_part(const miqps_str_t *part, int query,
    uint8_t *buf);
static size_t  miqps_collect_decode(uint8_t *text, size_t len);
static int  miqps_collect_hex(uint8_t c);
static miqps_collect_e  miqps_collect_text(const uint8_t *text, size_t len,
    int query);
static miqps_collect_e  miqps_collect_piece(const uint8_t *text, size_t len,
    int query, uint32_t *seen);
static int  miqps_collect_ends(uint8_t c, int query);
static int  miqps_collect_jwt(const miqps_str_t *value);
static void  miqps_collect_note(uint32_t *seen, const miqps_str_t *name,
    const miqps_str_t *value);
static int  miqps_collect_alike(const miqps_str_t *name,
    const miqps_str_t *word);
static miqps_collect_e  miqps_collect_named(const miqps_str_t *name,
    const miqps_str_t *value);
static int  miqps_collect_has(const miqps_str_t *name,
    const miqps_collect_word_t *words, size_t n);
static size_t  miqps_collect_digits(const miqps_str_t *value);


/* of names in small letters, without what is neither letter nor digit */

static const miqps_collect_word_t  miqps_collect_secrets[] = {
    { miqps_string("password"),       0 },
    { miqps_string("passwd"),         0 },
    { miqps_string("passphrase"),     0 },
    { miqps_string("passcode"),       0 },
    { miqps_string("secret"),         0 },
    { miqps_string("accesstoken"),    0 },
    { miqps_string("idtoken"),        0 },
    { miqps_string("refreshtoken"),   0 },
    { miqps_string("authtoken"),      0 },
    { miqps_string("apikey"),         0 },
    { miqps_string("accesskey"),      0 },
    { miqps_string("privatekey"),     0 },
    { miqps_string("credential"),     0 },
    { miqps_string("authorization"),  0 },
    { miqps_string("creditcard"),     0 },
    { miqps_string("cardnumber"),     0 },
    { miqps_string("pwd"),            1 },
    { miqps_string("otp"),            1 },
    { miqps_string("totp"),           1 },
    { miqps_string("jwt"),            1 },
    { miqps_string("ssn"),            1 },
    { miqps_string("cvv"),            1 },
    { miqps_string("cvc"),            1 },
    { miqps_string("iban"),           1 }
};


static const miqps_collect_word_t  miqps_collect_phones[] = {
    { miqps_string("phone"),          0 },
    { miqps_string("msisdn"),         0 },
    { miqps_string("mobile"),         1 },
    { miqps_string("tel"),            1 },
    { miqps_string("cell"),           1 },
    { miqps_string("fax"),            1 }
};


static const miqps_str_t  miqps_collect_token = miqps_string("token");


#define miqps_collect_count(table)  (sizeof(table) / sizeof((table)[0]))


const char *
miqps_collect_name(miqps_collect_e collect)
{
    static const char *const  name[] = {
        "pass", "secret", "personal", "act"
    };

    return name[collect];
}


miqps_collect_e
miqps_collect_judge(const miqps_str_t *path, const miqps_str_t *args,
    uint8_t *buf)
{
    miqps_collect_e  collect;

    collect = miqps_collect_part(path, 0, buf);

    if (collect != MIQPS_COLLECT_PASS) {
        return collect;
    }

    return miqps_collect_part(args, 1, buf);
}


static miqps_collect_e
miqps_collect_part(const miqps_str_t *part, int query, uint8_t *buf)
{
    size_t           len, before, round;
    miqps_collect_e  collect;

    if (part->len == 0) {
        return MIQPS_COLLECT_PASS;
    }

    memcpy(buf, part->data, part->len);
    len = part->len;

    for (round = 0; /* void */ ; round++) {
        collect = miqps_collect_text(buf, len, query);

        if (collect != MIQPS_COLLECT_PASS) {
            return collect;
        }

        before = len;
        len = miqps_collect_decode(buf, len);

        if (len == before) {
            return MIQPS_COLLECT_PASS;
        }

        if (round == MIQPS_COLLECT_ROUNDS) {
            return MIQPS_COLLECT_SECRET;
        }
    }
}


/* in place; what is no escape stays as it is */

static size_t
miqps_collect_decode(uint8_t *text, size_t len)
{
    int       high, low;
    size_t    i;
    uint8_t  *p;

    p = text;

    for (i = 0; i < len; i++) {

        if (text[i] == '%' && len - i > 2) {
            high = miqps_collect_hex(text[i + 1]);
            low = miqps_collect_hex(text[i + 2]);

            if (high >= 0 && low >= 0) {
                *p++ = (uint8_t) (high << 4 | low);
                i += 2;
                continue;
            }
        }

        *p++ = text[i];
    }

    return p - text;
}


static int
miqps_collect_hex(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}


static miqps_collect_e
miqps_collect_text(const uint8_t *text, size_t len, int query)
{
    size_t           i, start;
    uint32_t         seen;
    miqps_collect_e  collect;

    if (miqps_collect_personal(text, len)) {
        return MIQPS_COLLECT_PERSONAL;
    }

    if (!query && miqps_collect_path_acts(text, len)) {
        return MIQPS_COLLECT_ACT;
    }

    seen = 0;
    start = 0;

    for (i = 0; i <= len; i++) {

        if (i < len && !miqps_collect_ends(text[i], query)) {
            continue;
        }

        collect = miqps_collect_piece(text + start, i - start, query, &seen);

        if (collect != MIQPS_COLLECT_PASS) {
            return collect;
        }

        start = i + 1;
    }

    return (miqps_guard_judge(seen) != MIQPS_GUARD_PASS)
           ? MIQPS_COLLECT_SECRET : MIQPS_COLLECT_PASS;
}


static int
miqps_collect_ends(uint8_t c, int query)
{
    return c == '&' || c == ';' || c == '?' || c == '#'
           || (c == '/' && !query);
}


static miqps_collect_e
miqps_collect_piece(const uint8_t *text, size_t len, int query,
    uint32_t *seen)
{
    miqps_str_t       name, value;
    const uint8_t    *equal;
    miqps_collect_e   collect;

    name.data = text;
    name.len = len;

    if (miqps_collect_jwt(&name)) {
        return MIQPS_COLLECT_SECRET;
    }

    value.data = text + len;
    value.len = 0;

    equal = (len > 0) ? memchr(text, '=', len) : NULL;

    if (equal != NULL) {
        name.len = equal - text;
        value.data = equal + 1;
        value.len = len - name.len - 1;
    }

    if (value.len > 0) {

        if (miqps_collect_jwt(&value)) {
            return MIQPS_COLLECT_SECRET;
        }

        miqps_collect_note(seen, &name, &value);

        collect = miqps_collect_named(&name, &value);

        if (collect != MIQPS_COLLECT_PASS) {
            return collect;
        }
    }

    return (query && miqps_collect_param_acts(&name, &value))
           ? MIQPS_COLLECT_ACT : MIQPS_COLLECT_PASS;
}


/* JSON that begins with a name, in base64 */

static int
miqps_collect_jwt(const miqps_str_t *value)
{
    return value->len >= MIQPS_COLLECT_JWT
           && memcmp(value->data, "eyJ", 3) == 0;
}


/* names of the guard in any case: nobody is to normalize them here */

static void
miqps_collect_note(uint32_t *seen, const miqps_str_t *name,
    const miqps_str_t *value)
{
    size_t                     i, n;
    const miqps_guard_name_t  *names;

    names = miqps_guard_names(&n);

    for (i = 0; i < n; i++) {
        if (miqps_collect_alike(name, &names[i].text)) {
            miqps_guard_note(seen, names[i].marks, value);
        }
    }
}


static int
miqps_collect_alike(const miqps_str_t *name, const miqps_str_t *word)
{
    size_t   i, len;
    uint8_t  a, b;

    len = word->len;

    if (word->data[len - 1] == '*') {
        len--;

        if (name->len < len) {
            return 0;
        }

    } else if (name->len != len) {
        return 0;
    }

    for (i = 0; i < len; i++) {
        a = name->data[i];
        b = word->data[i];

        if (a >= 'A' && a <= 'Z') {
            a |= 0x20;
        }

        if (b >= 'A' && b <= 'Z') {
            b |= 0x20;
        }

        if (a != b) {
            return 0;
        }
    }

    return 1;
}


static miqps_collect_e
miqps_collect_named(const miqps_str_t *name, const miqps_str_t *value)
{
    size_t       i, tail;
    uint8_t      c, buf[MIQPS_COLLECT_NAME];
    miqps_str_t  plain;

    plain.data = buf;
    plain.len = 0;

    for (i = 0; i < name->len && plain.len < sizeof(buf); i++) {
        c = name->data[i];

        if (c >= 'A' && c <= 'Z') {
            c |= 0x20;
        }

        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            buf[plain.len++] = c;
        }
    }

    if (miqps_collect_has(&plain, miqps_collect_secrets,
                          miqps_collect_count(miqps_collect_secrets)))
    {
        return MIQPS_COLLECT_SECRET;
    }

    tail = miqps_collect_token.len;

    if (plain.len >= tail && value->len >= MIQPS_COLLECT_TOKEN
        && memcmp(buf + plain.len - tail, miqps_collect_token.data, tail) == 0)
    {
        return MIQPS_COLLECT_SECRET;
    }

    if (miqps_collect_digits(value) >= MIQPS_COLLECT_PHONE
        && miqps_collect_has(&plain, miqps_collect_phones,
                             miqps_collect_count(miqps_collect_phones)))
    {
        return MIQPS_COLLECT_PERSONAL;
    }

    return MIQPS_COLLECT_PASS;
}


static int
miqps_collect_has(const miqps_str_t *name, const miqps_collect_word_t *words,
    size_t n)
{
    size_t              i, k;
    const miqps_str_t  *word;

    for (i = 0; i < n; i++) {
        word = &words[i].text;

        if (words[i].whole) {

            if (miqps_str_eq(name, word)) {
                return 1;
            }

            continue;
        }

        for (k = 0; k + word->len <= name->len; k++) {
            if (memcmp(name->data + k, word->data, word->len) == 0) {
                return 1;
            }
        }
    }

    return 0;
}


static size_t
miqps_collect_digits(const miqps_str_t *value)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < value->len; i++) {
        n += (value->data[i] >= '0' && value->data[i] <= '9');
    }

    return n;
}
