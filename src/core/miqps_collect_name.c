
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_collect.h"
#include "miqps_guard.h"
#include "miqps_hash.h"


#define MIQPS_COLLECT_PLAIN    128   /* bytes of a name that are looked at */
#define MIQPS_COLLECT_TOKEN    8     /* bytes that a token has at least */
#define MIQPS_COLLECT_PHONE    7     /* digits */


/* what a name says of its values */

#define MIQPS_NAME_SECRET      1
#define MIQPS_NAME_TOKEN       2     /* one, if it is long enough */
#define MIQPS_NAME_PHONE       4     /* one, if it has enough digits */
#define MIQPS_NAME_ACT         8
#define MIQPS_NAME_VERB        16    /* the value may be an act */


typedef struct {
    miqps_str_t     text;
    int             whole;      /* else it may be anywhere in the name */
} miqps_collect_word_t;


static const miqps_collect_known_t  *miqps_collect_look(
    miqps_collect_memo_t *memo, const miqps_str_t *name,
    miqps_collect_known_t *spare);
static void  miqps_collect_learn(miqps_collect_known_t *known,
    const miqps_str_t *name);
static uint32_t  miqps_collect_marks(const miqps_str_t *name);
static int  miqps_collect_alike(const miqps_str_t *name,
    const miqps_str_t *word);
static uint16_t  miqps_collect_flags(const miqps_str_t *name);
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


miqps_collect_e
miqps_collect_param(miqps_collect_memo_t *memo, const miqps_str_t *name,
    const miqps_str_t *value, int query, uint32_t *seen)
{
    miqps_collect_known_t         spare;
    const miqps_collect_known_t  *known;

    known = miqps_collect_look(memo, name, &spare);

    if (value->len > 0) {

        if (known->marks != 0) {
            miqps_guard_note(seen, known->marks, value);
        }

        if ((known->flags & MIQPS_NAME_SECRET)
            || ((known->flags & MIQPS_NAME_TOKEN)
                && value->len >= MIQPS_COLLECT_TOKEN))
        {
            return MIQPS_COLLECT_SECRET;
        }

        if ((known->flags & MIQPS_NAME_PHONE)
            && miqps_collect_digits(value) >= MIQPS_COLLECT_PHONE)
        {
            return MIQPS_COLLECT_PERSONAL;
        }
    }

    if (query
        && ((known->flags & MIQPS_NAME_ACT)
            || ((known->flags & MIQPS_NAME_VERB)
                && miqps_collect_value_acts(value))))
    {
        return MIQPS_COLLECT_ACT;
    }

    return MIQPS_COLLECT_PASS;
}


static const miqps_collect_known_t *
miqps_collect_look(miqps_collect_memo_t *memo, const miqps_str_t *name,
    miqps_collect_known_t *spare)
{
    size_t                  i;
    uint64_t                word[MIQPS_COLLECT_NAME / sizeof(uint64_t)];
    miqps_collect_known_t  *known;

    if (name->len > MIQPS_COLLECT_NAME) {
        miqps_collect_learn(spare, name);
        return spare;
    }

    memset(word, 0, sizeof(word));

    if (name->len > 0) {
        memcpy(word, name->data, name->len);
    }

    i = (size_t) ((word[0] ^ word[1] << 1 ^ word[2] << 2 ^ word[3] << 3
                   ^ name->len) * MIQPS_HASH_FACTOR >> 32);

    known = &memo->known[i & (MIQPS_COLLECT_MEMO - 1)];

    /* the empty name of an unused place has nothing to say, as it is */

    if (known->len == name->len
        && memcmp(known->name, word, sizeof(word)) == 0)
    {
        return known;
    }

    miqps_collect_learn(known, name);

    memcpy(known->name, word, sizeof(word));
    known->len = (uint16_t) name->len;

    return known;
}


static void
miqps_collect_learn(miqps_collect_known_t *known, const miqps_str_t *name)
{
    known->marks = miqps_collect_marks(name);
    known->flags = miqps_collect_flags(name);

    switch (miqps_collect_name_acts(name)) {

    case MIQPS_COLLECT_VERB_ACT:
        known->flags |= MIQPS_NAME_ACT;
        break;

    case MIQPS_COLLECT_VERB_VALUE:
        known->flags |= MIQPS_NAME_VERB;
        break;

    default: /* MIQPS_COLLECT_VERB_NONE */
        break;
    }
}


/* names of the guard in any case: nobody is to normalize them here */

static uint32_t
miqps_collect_marks(const miqps_str_t *name)
{
    size_t                     i, n;
    uint32_t                   marks;
    const miqps_guard_name_t  *names;

    marks = 0;
    names = miqps_guard_names(&n);

    for (i = 0; i < n; i++) {
        if (miqps_collect_alike(name, &names[i].text)) {
            marks |= names[i].marks;
        }
    }

    return marks;
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


static uint16_t
miqps_collect_flags(const miqps_str_t *name)
{
    size_t       i, tail;
    uint8_t      c, buf[MIQPS_COLLECT_PLAIN];
    uint16_t     flags;
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

    flags = 0;

    if (miqps_collect_has(&plain, miqps_collect_secrets,
                          miqps_collect_count(miqps_collect_secrets)))
    {
        flags |= MIQPS_NAME_SECRET;
    }

    tail = miqps_collect_token.len;

    if (plain.len >= tail
        && memcmp(buf + plain.len - tail, miqps_collect_token.data, tail) == 0)
    {
        flags |= MIQPS_NAME_TOKEN;
    }

    if (miqps_collect_has(&plain, miqps_collect_phones,
                          miqps_collect_count(miqps_collect_phones)))
    {
        flags |= MIQPS_NAME_PHONE;
    }

    return flags;
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
