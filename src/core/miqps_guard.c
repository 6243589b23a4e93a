
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_guard.h"


/*
 * Shorter than this nothing is a secret; 16 hex digits are 64 bits, and 16
 * digits of base64 are 96.
 */

#define MIQPS_GUARD_MIN_SECRET  16


/* kinds of bytes, as a person types them */

#define MIQPS_KIND_OTHER    0
#define MIQPS_KIND_DASH     1
#define MIQPS_KIND_DIGIT    2
#define MIQPS_KIND_CAPITAL  3
#define MIQPS_KIND_SMALL    4


#define MIQPS_SIGN_IF    (MIQPS_MARK_SIGN_LIKE|MIQPS_MARK_SIGN)
#define MIQPS_TOKEN_IF   (MIQPS_MARK_TOKEN_LIKE|MIQPS_MARK_SIGN)


static int  miqps_guard_kind(uint8_t c);
static int  miqps_guard_base64(const miqps_str_t *value, size_t i);
static int  miqps_guard_short_sign(const miqps_str_t *value);
static int  miqps_guard_uuid(const miqps_str_t *value);
static int  miqps_guard_epoch(const miqps_str_t *value);


/*
 * Names are compared as they are, so that the spellings in use are listed.
 * Session identifiers are not here: a session in a URL is the very thing
 * that a normalizer is to remove.
 */

static const miqps_guard_name_t  miqps_guard_list[] = {

    /* AWS signature version 4, S3 version 2, and CloudFront */

    { miqps_string("X-Amz-*"),               MIQPS_MARK_SIGNED },
    { miqps_string("x-amz-*"),               MIQPS_MARK_SIGNED },
    { miqps_string("AWSAccessKeyId"),        MIQPS_MARK_SIGNED },
    { miqps_string("Key-Pair-Id"),           MIQPS_MARK_SIGNED },
    { miqps_string("Policy"),                MIQPS_MARK_SIGN_LIKE },

    /* Google Cloud Storage and CDN */

    { miqps_string("X-Goog-*"),              MIQPS_MARK_SIGNED },
    { miqps_string("x-goog-*"),              MIQPS_MARK_SIGNED },
    { miqps_string("GoogleAccessId"),        MIQPS_MARK_SIGNED },
    { miqps_string("URLPrefix"),             MIQPS_MARK_SIGNED },
    { miqps_string("KeyName"),               MIQPS_MARK_SIGN_LIKE },

    /* Azure shared access signatures */

    { miqps_string("sig"),                   MIQPS_SIGN_IF
                                             |MIQPS_MARK_SAS_SIG },
    { miqps_string("se"),                    MIQPS_MARK_SAS },
    { miqps_string("sp"),                    MIQPS_MARK_SAS },
    { miqps_string("sv"),                    MIQPS_MARK_SAS },
    { miqps_string("sr"),                    MIQPS_MARK_SAS },
    { miqps_string("st"),                    MIQPS_MARK_SAS
                                             |MIQPS_SIGN_IF },
    { miqps_string("spr"),                   MIQPS_MARK_SAS },
    { miqps_string("sip"),                   MIQPS_MARK_SAS },
    { miqps_string("skoid"),                 MIQPS_MARK_SIGNED },
    { miqps_string("sktid"),                 MIQPS_MARK_SIGNED },

    /* Alibaba, Tencent, Huawei, Baidu, Volcengine and Qiniu clouds */

    { miqps_string("OSSAccessKeyId"),        MIQPS_MARK_SIGNED },
    { miqps_string("x-oss-*"),               MIQPS_MARK_SIGNED },
    { miqps_string("auth_key"),              MIQPS_MARK_SIGNED },
    { miqps_string("q-sign-algorithm"),      MIQPS_MARK_SIGNED },
    { miqps_string("q-signature"),           MIQPS_MARK_SIGNED },
    { miqps_string("txSecret"),              MIQPS_MARK_SIGNED },
    { miqps_string("AccessKeyId"),           MIQPS_MARK_SIGNED },
    { miqps_string("authorization"),         MIQPS_MARK_SECRET },
    { miqps_string("Authorization"),         MIQPS_MARK_SECRET },
    { miqps_string("X-Tos-*"),               MIQPS_MARK_SIGNED },
    { miqps_string("x-expires"),             MIQPS_MARK_EXPIRES },
    { miqps_string("x-signature"),           MIQPS_MARK_SIGNED },

    /* Akamai, Fastly, Imgix, Bunny, Facebook's CDN, Shopify's proxy */

    { miqps_string("hdnea"),                 MIQPS_MARK_SIGNED },
    { miqps_string("hdnts"),                 MIQPS_MARK_SIGNED },
    { miqps_string("hdntl"),                 MIQPS_MARK_SIGNED },
    { miqps_string("__token__"),             MIQPS_MARK_SIGNED },
    { miqps_string("__gda__"),               MIQPS_MARK_SIGNED },
    { miqps_string("s"),                     MIQPS_SIGN_IF },
    { miqps_string("bcdn_token"),            MIQPS_MARK_SIGNED },
    { miqps_string("oh"),                    MIQPS_MARK_SIGN_LIKE },
    { miqps_string("hmac"),                  MIQPS_SIGN_IF },
    { miqps_string("verify"),                MIQPS_SIGN_IF },

    /* nginx secure_link and home-made schemes */

    { miqps_string("md5"),                   MIQPS_SIGN_IF },
    { miqps_string("signature"),             MIQPS_SIGN_IF },
    { miqps_string("Signature"),             MIQPS_SIGN_IF },
    { miqps_string("sign"),                  MIQPS_SIGN_IF },
    { miqps_string("_signature"),            MIQPS_SIGN_IF },
    { miqps_string("hash"),                  MIQPS_SIGN_IF },
    { miqps_string("Hash"),                  MIQPS_SIGN_IF },
    { miqps_string("h"),                     MIQPS_SIGN_IF },
    { miqps_string("checksum"),              MIQPS_SIGN_IF },
    { miqps_string("digest"),                MIQPS_SIGN_IF },
    { miqps_string("expires"),               MIQPS_MARK_EXPIRES },
    { miqps_string("Expires"),               MIQPS_MARK_EXPIRES },
    { miqps_string("expire"),                MIQPS_MARK_EXPIRES },
    { miqps_string("expiry"),                MIQPS_MARK_EXPIRES },
    { miqps_string("exp"),                   MIQPS_MARK_EXPIRES },
    { miqps_string("e"),                     MIQPS_MARK_EXPIRES },
    { miqps_string("validto"),               MIQPS_MARK_EXPIRES },
    { miqps_string("timestamp"),             MIQPS_MARK_EXPIRES },

    /* OAuth 1 and 2, OpenID Connect, SAML, WS-Federation, CAS */

    { miqps_string("code"),                  MIQPS_MARK_OAUTH_LIKE
                                             |MIQPS_MARK_CODE },
    { miqps_string("state"),                 MIQPS_MARK_OAUTH_LIKE
                                             |MIQPS_MARK_STATE },
    { miqps_string("session_state"),         MIQPS_MARK_OAUTH },
    { miqps_string("iss"),                   MIQPS_MARK_STATE },
    { miqps_string("nonce"),                 MIQPS_MARK_OAUTH_LIKE },
    { miqps_string("id_token"),              MIQPS_MARK_OAUTH },
    { miqps_string("id_token_hint"),         MIQPS_MARK_OAUTH },
    { miqps_string("access_token"),          MIQPS_MARK_OAUTH },
    { miqps_string("refresh_token"),         MIQPS_MARK_OAUTH },
    { miqps_string("code_verifier"),         MIQPS_MARK_OAUTH },
    { miqps_string("code_challenge"),        MIQPS_MARK_OAUTH },
    { miqps_string("client_secret"),         MIQPS_MARK_OAUTH },
    { miqps_string("client_assertion"),      MIQPS_MARK_OAUTH },
    { miqps_string("oauth_token"),           MIQPS_MARK_OAUTH },
    { miqps_string("oauth_verifier"),        MIQPS_MARK_OAUTH },
    { miqps_string("oauth_signature"),       MIQPS_MARK_OAUTH },
    { miqps_string("SAMLResponse"),          MIQPS_MARK_OAUTH },
    { miqps_string("SAMLRequest"),           MIQPS_MARK_OAUTH },
    { miqps_string("SAMLart"),               MIQPS_MARK_OAUTH },
    { miqps_string("RelayState"),            MIQPS_MARK_OAUTH },
    { miqps_string("wresult"),               MIQPS_MARK_OAUTH },
    { miqps_string("openid.*"),              MIQPS_MARK_OAUTH },
    { miqps_string("ticket"),                MIQPS_MARK_OAUTH_LIKE },
    { miqps_string("assertion"),             MIQPS_MARK_OAUTH_LIKE },

    /* passwords, keys and tokens that work once */

    { miqps_string("password"),              MIQPS_MARK_SECRET },
    { miqps_string("passwd"),                MIQPS_MARK_SECRET },
    { miqps_string("pwd"),                   MIQPS_MARK_SECRET },
    { miqps_string("passphrase"),            MIQPS_MARK_SECRET },
    { miqps_string("otp"),                   MIQPS_MARK_SECRET },
    { miqps_string("totp"),                  MIQPS_MARK_SECRET },
    { miqps_string("jwt"),                   MIQPS_MARK_SECRET },
    { miqps_string("secret"),                MIQPS_MARK_SECRET },
    { miqps_string("api_key"),               MIQPS_MARK_SECRET },
    { miqps_string("apikey"),                MIQPS_MARK_SECRET },
    { miqps_string("apiKey"),                MIQPS_MARK_SECRET },
    { miqps_string("api-key"),               MIQPS_MARK_SECRET },
    { miqps_string("private_token"),         MIQPS_MARK_SECRET },
    { miqps_string("auth_token"),            MIQPS_MARK_SECRET },
    { miqps_string("authtoken"),             MIQPS_MARK_SECRET },
    { miqps_string("login_token"),           MIQPS_MARK_SECRET },
    { miqps_string("magic_token"),           MIQPS_MARK_SECRET },
    { miqps_string("reset_token"),           MIQPS_MARK_SECRET },
    { miqps_string("reset_password_token"),  MIQPS_MARK_SECRET },
    { miqps_string("password_token"),        MIQPS_MARK_SECRET },
    { miqps_string("confirm_token"),         MIQPS_MARK_SECRET },
    { miqps_string("confirmation_token"),    MIQPS_MARK_SECRET },
    { miqps_string("verification_token"),    MIQPS_MARK_SECRET },
    { miqps_string("verify_token"),          MIQPS_MARK_SECRET },
    { miqps_string("activation_token"),      MIQPS_MARK_SECRET },
    { miqps_string("activation_key"),        MIQPS_MARK_SECRET },
    { miqps_string("invite_token"),          MIQPS_MARK_SECRET },
    { miqps_string("invitation_token"),      MIQPS_MARK_SECRET },
    { miqps_string("unlock_token"),          MIQPS_MARK_SECRET },
    { miqps_string("unsubscribe_token"),     MIQPS_MARK_SECRET },
    { miqps_string("one_time_token"),        MIQPS_MARK_SECRET },
    { miqps_string("csrf_token"),            MIQPS_MARK_SECRET },
    { miqps_string("csrfmiddlewaretoken"),   MIQPS_MARK_SECRET },
    { miqps_string("authenticity_token"),    MIQPS_MARK_SECRET },
    { miqps_string("_wpnonce"),              MIQPS_MARK_SECRET },
    { miqps_string("_csrf"),                 MIQPS_MARK_SECRET },
    { miqps_string("_token"),                MIQPS_TOKEN_IF },
    { miqps_string("token"),                 MIQPS_TOKEN_IF },
    { miqps_string("Token"),                 MIQPS_TOKEN_IF },
    { miqps_string("t"),                     MIQPS_TOKEN_IF },
    { miqps_string("key"),                   MIQPS_TOKEN_IF },
    { miqps_string("Key"),                   MIQPS_TOKEN_IF },
    { miqps_string("k"),                     MIQPS_TOKEN_IF },
    { miqps_string("auth"),                  MIQPS_TOKEN_IF },
    { miqps_string("pass"),                  MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("pin"),                   MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("invite"),                MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("invitation"),            MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("confirm"),               MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("confirmation"),          MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("activation"),            MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("activate"),              MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("reset"),                 MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("unsubscribe"),           MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("magic"),                 MIQPS_MARK_TOKEN_LIKE },
    { miqps_string("login"),                 MIQPS_MARK_TOKEN_LIKE }
};


const miqps_guard_name_t *
miqps_guard_names(size_t *n)
{
    *n = sizeof(miqps_guard_list) / sizeof(miqps_guard_list[0]);

    return miqps_guard_list;
}


void
miqps_guard_note(uint32_t *seen, uint32_t marks, const miqps_str_t *value)
{
    uint32_t  like;

    like = MIQPS_MARK_SIGN_LIKE|MIQPS_MARK_OAUTH_LIKE|MIQPS_MARK_TOKEN_LIKE;

    if ((marks & (like|MIQPS_MARK_SIGN)) && !miqps_guard_secret_like(value)) {
        marks &= ~like;

        /* a short signature counts in company, words do not */

        if (!miqps_guard_short_sign(value)) {
            marks &= ~(uint32_t) MIQPS_MARK_SIGN;
        }
    }

    if ((marks & MIQPS_MARK_EXPIRES) && !miqps_guard_epoch(value)) {
        marks &= ~(uint32_t) MIQPS_MARK_EXPIRES;
    }

    *seen |= marks;
}


miqps_guard_e
miqps_guard_judge(uint32_t seen)
{
    static const struct {
        uint32_t       all;
        miqps_guard_e  guard;
    } schemes[] = {
        { MIQPS_MARK_SIGNED,                      MIQPS_GUARD_SIGNED },
        { MIQPS_MARK_SIGN_LIKE,                   MIQPS_GUARD_SIGNED },
        { MIQPS_MARK_SIGN|MIQPS_MARK_EXPIRES,     MIQPS_GUARD_SIGNED },
        { MIQPS_MARK_SAS_SIG|MIQPS_MARK_SAS,      MIQPS_GUARD_SIGNED },
        { MIQPS_MARK_OAUTH,                       MIQPS_GUARD_OAUTH },
        { MIQPS_MARK_OAUTH_LIKE,                  MIQPS_GUARD_OAUTH },
        { MIQPS_MARK_CODE|MIQPS_MARK_STATE,       MIQPS_GUARD_OAUTH },
        { MIQPS_MARK_SECRET,                      MIQPS_GUARD_SECRET },
        { MIQPS_MARK_TOKEN_LIKE,                  MIQPS_GUARD_SECRET }
    };

    size_t  i;

    if (seen == 0) {
        return MIQPS_GUARD_PASS;
    }

    for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if ((seen & schemes[i].all) == schemes[i].all) {
            return schemes[i].guard;
        }
    }

    return MIQPS_GUARD_PASS;
}


int
miqps_guard_secret_like(const miqps_str_t *value)
{
    int     kind, last;
    size_t  i, run, word, changes, digits;

    if (value->len < MIQPS_GUARD_MIN_SECRET) {
        return 0;
    }

    if (miqps_guard_uuid(value) || memcmp(value->data, "eyJ", 3) == 0) {
        return 1;
    }

    /*
     * Inside a word people change between small letters, capitals and digits
     * seldom, but for a capital that begins it; random bytes change often.
     */

    run = 0;
    word = 0;
    changes = 0;
    digits = 0;
    last = MIQPS_KIND_OTHER;

    for (i = 0; i < value->len; i++) {
        kind = miqps_guard_kind(value->data[i]);

        if (miqps_guard_base64(value, i)) {
            kind = MIQPS_KIND_DASH;
            i += 2;
        }

        if (kind == MIQPS_KIND_OTHER) {
            run = 0;
            changes = 0;
            digits = 0;
        }

        if (kind == MIQPS_KIND_OTHER || kind == MIQPS_KIND_DASH) {
            word = 0;
            continue;
        }

        if (word > 0 && kind != last
            && !(word == 1 && last == MIQPS_KIND_CAPITAL
                 && kind == MIQPS_KIND_SMALL))
        {
            changes++;
        }

        run++;
        word++;
        digits += (kind == MIQPS_KIND_DIGIT);
        last = kind;

        if (run >= MIQPS_GUARD_MIN_SECRET && digits < run && changes > 1
            && changes * 6 >= run)
        {
            return 1;
        }
    }

    return 0;
}


const char *
miqps_guard_name(miqps_guard_e guard)
{
    static const char *const  name[] = {
        "pass", "semicolon", "escape", "nul", "control", "fragment",
        "delimiter", "bracket", "name-start", "name-bytes", "value-bytes",
        "value-split", "too-many", "too-long", "signed", "oauth", "secret",
        "scopes"
    };

    return name[guard];
}


const char *
miqps_guard_text(miqps_guard_e guard)
{
    static const char *const  text[] = {
        "nothing speaks against it",
        "a raw \";\" separates parameters for some back ends",
        "a \"%\" is not followed by two hex digits",
        "an escaped NUL ends a name for some back ends",
        "a raw space or control byte",
        "a raw \"#\"",
        "an escaped \"&\" or \"=\" in a name",
        "the brackets of a name are not of the form a[b]",
        "a name begins with \"?\" or a space",
        "a name is neither ASCII nor escaped UTF-8",
        "a value is not UTF-8, and back ends repair that differently",
        "\"]=\" inside a value ends a name for some back ends",
        "more parameters than back ends read",
        "longer than 64 KiB",
        "a signature covers the query",
        "part of an OAuth, OpenID Connect or SAML exchange",
        "holds a password, key or one-time token",
        "it cannot be told which rules hold for this host and path"
    };

    return text[guard];
}


static int
miqps_guard_kind(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return MIQPS_KIND_DIGIT;
    }

    if (c >= 'A' && c <= 'Z') {
        return MIQPS_KIND_CAPITAL;
    }

    if (c >= 'a' && c <= 'z') {
        return MIQPS_KIND_SMALL;
    }

    return (c == '-' || c == '_') ? MIQPS_KIND_DASH : MIQPS_KIND_OTHER;
}


/* eight bytes or more with a digit, and no space */

static int
miqps_guard_short_sign(const miqps_str_t *value)
{
    size_t  i, digits;

    digits = 0;

    for (i = 0; i < value->len; i++) {

        if (value->data[i] == '+'
            || (value->len - i >= 3
                && memcmp(value->data + i, "%20", 3) == 0))
        {
            return 0;
        }

        digits += (miqps_guard_kind(value->data[i]) == MIQPS_KIND_DIGIT);
    }

    return value->len >= MIQPS_GUARD_MIN_SECRET / 2 && digits > 0;
}


/* an escape of "+", "/" or "=", which are digits of base64 */

static int
miqps_guard_base64(const miqps_str_t *value, size_t i)
{
    const uint8_t  *p;

    p = value->data + i;

    return value->len - i >= 3
           && (memcmp(p, "%2B", 3) == 0 || memcmp(p, "%2F", 3) == 0
               || memcmp(p, "%3D", 3) == 0);
}


static int
miqps_guard_uuid(const miqps_str_t *value)
{
    size_t   i;
    uint8_t  c;

    if (value->len != 36) {
        return 0;
    }

    for (i = 0; i < 36; i++) {
        c = value->data[i] | 0x20;

        if (i == 8 || i == 13 || i == 18 || i == 23) {
            if (value->data[i] != '-') {
                return 0;
            }

        } else if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            return 0;
        }
    }

    return 1;
}


/* seconds since 1970, decimal or as eight hex digits, or an ISO 8601 time */

static int
miqps_guard_epoch(const miqps_str_t *value)
{
    size_t   i, digits;
    uint8_t  c;

    digits = 0;

    for (i = 0; i < value->len; i++) {
        c = value->data[i] | 0x20;

        if (value->data[i] >= '0' && value->data[i] <= '9') {
            digits++;

        } else if (!(c >= 'a' && c <= 'z') && c != '-' && c != ':'
                   && c != '%' && c != '.')
        {
            return 0;
        }
    }

    return value->len >= 8 && digits >= 4;
}
