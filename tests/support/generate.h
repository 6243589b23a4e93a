
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _GENERATE_H_INCLUDED_
#define _GENERATE_H_INCLUDED_


#include <stdio.h>
#include <stdlib.h>

#include "heap.h"
#include "dice.h"
#include "miqps_policy.h"
#include "model.h"


/*
 * Policies and queries by chance.  Both draw from the same few names, so that
 * rules meet parameters, parameters meet their relatives, and what is nasty
 * is not rare.
 */

#define GENERATE_MAX_RULES   24
#define GENERATE_MAX_SCOPES  (MIQPS_MAX_ACTIVE + 3)
#define GENERATE_FEW_SCOPES  6
#define GENERATE_MAX_LEN     (MIQPS_MAX_ARGS + 2)

#define generate_count(a)  (sizeof(a) / sizeof((a)[0]))

#define generate_pick(dice, list)                                            \
    (list)[dice_below(dice, generate_count(list))]


typedef struct {
    heap_t           heap;
    miqps_policy_t  *policy;
    model_policy_t   model;
    miqps_rule_t     rules[GENERATE_MAX_RULES];
    size_t           nrules;
    miqps_scope_t    scopes[GENERATE_MAX_SCOPES];
    size_t           nscopes;
    miqps_str_t      hosts[GENERATE_MAX_SCOPES][2];
    miqps_str_t      paths[GENERATE_MAX_SCOPES][2];
    uint32_t         platforms[GENERATE_MAX_SCOPES][2];
} generate_policy_t;


typedef struct {
    size_t           len;
    uint8_t          data[GENERATE_MAX_LEN];
} generate_query_t;


/* --- regular expressions, and the same in C */

static inline int
generate_begins(const uint8_t *s, size_t len, const char *word)
{
    return len >= strlen(word) && memcmp(s, word, strlen(word)) == 0;
}


static inline int
generate_utm(const uint8_t *s, size_t len)
{
    return generate_begins(s, len, "utm_");
}


static inline int
generate_any_utm(const uint8_t *s, size_t len)
{
    return len >= 4 && (s[0] | 0x20) == 'u' && (s[1] | 0x20) == 't'
           && (s[2] | 0x20) == 'm' && s[3] == '_';
}


static inline int
generate_id(const uint8_t *s, size_t len)
{
    return len >= 2 && s[len - 2] == 'i' && s[len - 1] == 'd';
}


static inline int
generate_abc(const uint8_t *s, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        if (s[i] >= 'a' && s[i] <= 'c') {
            return 1;
        }
    }

    return 0;
}


static inline int
generate_a_or_b(const uint8_t *s, size_t len)
{
    return len > 0 && (s[0] == 'a' || s[len - 1] == 'b');
}


static inline int
generate_empty(const uint8_t *s, size_t len)
{
    (void) s;

    return len == 0;
}


static inline int
generate_x_digit(const uint8_t *s, size_t len)
{
    return len >= 3 && s[0] == '/' && s[1] == 'x' && s[2] >= '0'
           && s[2] <= '9';
}


static const model_regex_t  generate_regexes[] = {
    { "~^utm_",      generate_utm },
    { "~*^UTM_",     generate_any_utm },
    { "~id$",        generate_id },
    { "~[a-c]",      generate_abc },
    { "~^a|b$",      generate_a_or_b },
    { "~^$",         generate_empty },
    { "~^/x[0-9]",   generate_x_digit },
    { NULL,          NULL }
};


#define GENERATE_NAME_REGEXES  6


/* --- words */

static const char *const  generate_names[] = {
    "a", "b", "c", "ab", "a_b", "a.b", "a+b", "a%20b", "a[]", "a[0]", "a[b]",
    "a[b][c]", "a%5B%5D", "a%5bx%5D", "b[]", "page", "page[]", "p", "q", "id",
    "ID", "size", "size.x", "size_x", "size[min]", "utm_source", "utm_medium",
    "utm.source", "utm_source[]", "%75tm_source", "utm%5fsource", "UTM_id",
    "gclid", "fbclid", "gcl.id", "variant", "color", "s", "code", "state",
    "sig", "se", "expires", "token", "hash", "%E2%82%AC", "%c3%a9", "x?y",
    "__proto__", "123", "eightbyt", "eightbyt9", "eightbyt_nine", "x~", "a%21",
    "_a", ".a", "%21b", "!b", "eightbyt.nine", "longer_than_eigh",
    "longer_than_eight_1",
    "longer_than_eight_2", "a%2Bb",
    "same_ends_1_same_ends", "same_ends_2_same_ends"
};


static const char *const  generate_nasty_names[] = {
    "", "?", "?a", "+a", "%20a", "a]", "[a]", "[]", "a[", "a[b", "a[b]c",
    "a[[b]]", "a%5D", "a%00", "a%26b", "a%3Db", "n\xc3\xa9", "\xff", "%FF",
    "%C0%80", "%ED%A0%80", "%F4%90%80%80", "%E2%82", "X-Amz-Signature",
    "x-goog-date", "openid.mode", "access_token", "password", "_wpnonce",
    "SAMLResponse", "a b", "%", "%4", "%4g", "a%%36%31", "access.token",
    "user[password]", "user%5Bpassword%5d", "otp[]", "a[b][api_key]"
};


static const char *const  generate_values[] = {
    "", "1", "2", "10", "red", "b", "a=b", "b=c", "a%3Db", "%41", "%7e", "%2f",
    "+", "%2B", "%20", "hello+world", "hello%20w", "~", "%c3%a9", "a%26b",
    "\xc3\xa9", "%21", "[]", "]", "x%5D", "a%3bb", "100%25", "1700000000",
    "2024-01-01T00:00:00Z", "%f0%9f%98%80"
};


static const char *const  generate_nasty_values[] = {
    "\xff", "%FF", "%fe", "%c3", "x]=y", "]=", "x%5d=1", "%5D=", "%", "%zz",
    "%1", "%00", "a#b", "a b", "a;b", "a\tb", "\x7f", "aB3dE5fG7hI9jK1l",
    "eyJhbGciOiJIUzI1NiJ9", "d41d8cd98f00b204e9800998ecf8427e",
    "123e4567-e89b-12d3-a456-426614174000"
};


/* texts of rules beside plain names */

static const char *const  generate_rules[] = {
    "utm_*", "*id", "_a*", "!*", "a*", "*", "a*b", "*_source", "b*", "*x",
    "si*", "%61*", "page=1", "a=", "a=1", "b=2", "id=2", "a=b=c", "a.b=1",
    "%61=%31", "page=", "utm_source=red", "=1", "=", "\xe2\x82\xac",
    "\xc3\xa9", "utm_source", "gclid", "fbclid", "page", "a", "b"
};


static const char *const  generate_host_patterns[] = {
    "shop.example", "*.shop.example", "shop.*", "*.shop.*", "example",
    "*.example", "other.test", "*.test", "shop.co.*"
};


static const char *const  generate_path_patterns[] = {
    "/cart", "/p/*", "*", "/*x", "*/1", "/p/1", "~^/x[0-9]"
};


static const char *const  generate_hosts[] = {
    "shop.example", "shop.example", "www.shop.example", "a.b.shop.example",
    "shop.com", "shop.co.uk", "www.shop.co.uk", "shop.a.b.c", "example",
    "other.test", "", "xshop.example", "shop", "a.shop.co"
};


static const char *const  generate_paths[] = {
    "/", "/cart", "/p/1", "/p/", "/x1", "/x", "", "/carts", "/pp/xx"
};


static inline void
generate_str(miqps_str_t *str, const char *s)
{
    str->data = (const uint8_t *) s;
    str->len = strlen(s);
}


/* one path in sixteen is about as long as a regular expression is tried on */

static inline void
generate_path(dice_t *dice, miqps_str_t *path)
{
    static uint8_t  text[MIQPS_REGEX_MAX_SUBJECT + 8];

    if (!dice_once_in(dice, 16)) {
        generate_str(path, generate_pick(dice, generate_paths));
        return;
    }

    memset(text, 'a', sizeof(text));
    memcpy(text, "/x1", 3);

    path->data = text;
    path->len = MIQPS_REGEX_MAX_SUBJECT - 2 + dice_below(dice, 8);
}


/* --- policies */

static inline void
generate_scope(dice_t *dice, generate_policy_t *p, size_t i)
{
    size_t          k, n;
    miqps_scope_t  *scope;

    scope = &p->scopes[i];

    generate_str(&scope->label, "a scope");

    scope->hosts = p->hosts[i];
    scope->paths = p->paths[i];
    scope->platforms = p->platforms[i];
    scope->strict = dice_once_in(dice, 12);

    /* a policy with many has them for every URL */

    if (p->nscopes > GENERATE_FEW_SCOPES) {
        scope->strict = 0;
        return;
    }

    if (i > 0 && dice_once_in(dice, 4)) {
        scope->platform = 1;
        return;
    }

    n = (i == 0) ? 0 : dice_below(dice, 3);

    for (k = 0; k < n; k++) {
        generate_str(&scope->hosts[k],
                     generate_pick(dice, generate_host_patterns));
    }

    scope->nhosts = (uint32_t) n;

    n = (i == 0 || dice_below(dice, 2)) ? 0 : 1 + dice_below(dice, 2);

    for (k = 0; k < n; k++) {
        generate_str(&scope->paths[k],
                     generate_pick(dice, generate_path_patterns));
    }

    scope->npaths = (uint32_t) n;
}


static inline void
generate_platforms(dice_t *dice, generate_policy_t *p)
{
    size_t          i, k;
    miqps_scope_t  *scope;

    for (i = 0; i < p->nscopes; i++) {
        scope = &p->scopes[i];

        for (k = 0; !scope->platform && k < p->nscopes; k++) {
            if (p->scopes[k].platform && scope->nplatforms < 2
                && dice_once_in(dice, 3))
            {
                scope->platforms[scope->nplatforms++] = (uint32_t) k;
            }
        }
    }
}


static inline const char *
generate_rule_text(dice_t *dice)
{
    switch (dice_below(dice, 8)) {

    case 0:
        return generate_regexes[dice_below(dice, GENERATE_NAME_REGEXES)].text;

    case 1:
    case 2:
    case 3:
        return generate_pick(dice, generate_rules);

    default:
        return generate_pick(dice, generate_names);
    }
}


static inline void
generate_rule(dice_t *dice, generate_policy_t *p, miqps_rule_t *rule)
{
    static const struct {
        miqps_action_e  action;
        miqps_layer_e   layer;
    } kinds[] = {
        { MIQPS_KEEP,   MIQPS_LAYER_OPERATOR },
        { MIQPS_STRIP,  MIQPS_LAYER_OPERATOR },
        { MIQPS_KEEP,   MIQPS_LAYER_RULES },
        { MIQPS_STRIP,  MIQPS_LAYER_RULES },
        { MIQPS_STRIP,  MIQPS_LAYER_RULES },
        { MIQPS_EXCEPT, MIQPS_LAYER_RULES },
        { MIQPS_KEEP,   MIQPS_LAYER_PLATFORM },
        { MIQPS_STRIP,  MIQPS_LAYER_TRACKING },
        { MIQPS_STRIP,  MIQPS_LAYER_TRACKING }
    };

    size_t  kind;

    kind = dice_below(dice, generate_count(kinds));

    generate_str(&rule->text, generate_rule_text(dice));
    generate_str(&rule->note, "a vendor");

    rule->action = kinds[kind].action;
    rule->layer = kinds[kind].layer;
    rule->scope = dice_below(dice, 2) ? 0
                  : (uint32_t) dice_below(dice, p->nscopes);
}


static inline void
generate_policy(dice_t *dice, generate_policy_t *p)
{
    size_t         i;
    miqps_rc_e     rc;
    miqps_fault_t  fault;

    memset(p, 0, sizeof(generate_policy_t));
    heap_init(&p->heap);

    p->nrules = dice_below(dice, dice_below(dice, 2) ? 6 : GENERATE_MAX_RULES);
    p->nscopes = 1 + dice_below(dice, GENERATE_FEW_SCOPES);

    if (dice_once_in(dice, 50)) {
        /* about as many as a URL can be in */
        p->nscopes = GENERATE_MAX_SCOPES - dice_below(dice, 6);
    }

    for (i = 0; i < p->nscopes; i++) {
        generate_scope(dice, p, i);
    }

    generate_platforms(dice, p);

    for (i = 0; i < p->nrules; i++) {
        generate_rule(dice, p, &p->rules[i]);
    }

    rc = miqps_policy_init(&p->policy, p->rules, p->nrules, p->scopes,
                           p->nscopes, &p->heap.mem, &fault);

    if (rc != MIQPS_OK) {
        printf("Bail out! policy: \"%.*s\" %s\n", (int) fault.text.len,
               (const char *) fault.text.data, fault.message);
        exit(1);
    }

    model_policy_init(&p->model, p->rules, p->nrules, p->scopes, p->nscopes,
                      generate_regexes);
}


static inline void
generate_policy_release(generate_policy_t *p)
{
    miqps_policy_release(p->policy);
    heap_release(&p->heap);
}


/* --- queries */

static inline void
generate_add(generate_query_t *q, const void *data, size_t len)
{
    if (len <= GENERATE_MAX_LEN - q->len) {
        memcpy(q->data + q->len, data, len);
        q->len += len;
    }
}


static inline void
generate_byte(generate_query_t *q, uint8_t c)
{
    generate_add(q, &c, 1);
}


/* the word, now and then with a byte escaped that need not be */

static inline void
generate_word(dice_t *dice, generate_query_t *q, const char *s)
{
    size_t       escaped;
    const char  *p, *digits;

    escaped = dice_below(dice, 4 * strlen(s) + 8);
    digits = dice_below(dice, 2) ? "0123456789ABCDEF" : "0123456789abcdef";

    for (p = s; *p != '\0'; p++) {

        /* an escape inside of an escape would break most of the queries */

        if ((size_t) (p - s) == escaped && strchr("%=[]", *p) == NULL
            && (p - s < 1 || p[-1] != '%') && (p - s < 2 || p[-2] != '%'))
        {
            generate_byte(q, '%');
            generate_byte(q, (uint8_t) digits[(uint8_t) *p / 16]);
            generate_byte(q, (uint8_t) digits[(uint8_t) *p % 16]);
            continue;
        }

        generate_byte(q, (uint8_t) *p);
    }
}


static inline void
generate_escape(dice_t *dice, generate_query_t *q)
{
    static const char  digits[] = "0123456789ABCDEFabcdef";

    /* rarely one that is not ASCII, which would break most of the queries */

    generate_byte(q, '%');
    generate_byte(q, (uint8_t) digits[dice_below(dice, dice_once_in(dice, 16)
                                                       ? 22 : 8)]);
    generate_byte(q, (uint8_t) digits[dice_below(dice, 22)]);
}


static inline void
generate_pair(dice_t *dice, generate_query_t *q)
{
    generate_word(dice, q, dice_once_in(dice, 80)
                           ? generate_pick(dice, generate_nasty_names)
                           : generate_pick(dice, generate_names));

    if (dice_once_in(dice, 8)) {
        return;
    }

    generate_byte(q, '=');

    if (dice_once_in(dice, 80)) {
        generate_word(dice, q, generate_pick(dice, generate_nasty_values));
        return;
    }

    if (dice_once_in(dice, 16)) {
        generate_escape(dice, q);
    }

    /* rules on values speak of the first few */

    generate_word(dice, q, dice_below(dice, 2)
                           ? generate_pick(dice, generate_values)
                           : generate_values[dice_below(dice, 5)]);
}


/* pairs; those of a link first, then some that were added on the way */

static inline void
generate_pairs(dice_t *dice, generate_query_t *q, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {

        if (i > 0) {
            generate_byte(q, '&');
        }

        if (dice_once_in(dice, 24)) {
            generate_byte(q, '&');
        }

        if (i > 0 && dice_once_in(dice, 40)) {
            continue;
        }

        generate_pair(dice, q);
    }
}


static inline void
generate_soup(dice_t *dice, generate_query_t *q)
{
    size_t       n;

    static const char  bytes[] =
        "aaabbbb====&&&&&&[]..__++%%%22556146;?1 \x80\xc3\xa9#";

    for (n = dice_below(dice, 24); n > 0; n--) {
        /* mostly of what is harmless */
        generate_byte(q, (uint8_t) bytes[dice_below(dice,
                         dice_below(dice, 3) ? 17 : sizeof(bytes) - 1)]);
    }
}


static inline void
generate_run(generate_query_t *q, uint8_t c, size_t n)
{
    while (n-- > 0) {
        generate_byte(q, c);
    }
}


/* about as many pieces as there may be, or a little less */

static inline void
generate_many(dice_t *dice, generate_query_t *q)
{
    size_t  i, n;
    char    name[16];

    n = dice_below(dice, 2) ? MIQPS_MAX_PARAMS - 1 + dice_below(dice, 3)
                            : 17 + dice_below(dice, 400);

    for (i = 0; i < n; i++) {

        if (i > 0) {
            generate_byte(q, '&');
        }

        if (dice_once_in(dice, 60)) {
            generate_pair(dice, q);
            continue;
        }

        (void) snprintf(name, sizeof(name), "%c%u=%u",
                        (int) ('a' + dice_below(dice, 3)),
                        (unsigned) dice_below(dice, n), (unsigned) (i % 10));

        generate_add(q, name, strlen(name));
    }
}


/* one long thing among short ones */

static inline void
generate_long(dice_t *dice, generate_query_t *q)
{
    size_t  n;

    generate_pairs(dice, q, dice_below(dice, 4));
    generate_byte(q, '&');

    n = dice_below(dice, 32 * 1024);

    switch (dice_below(dice, 6)) {

    case 0:
        generate_run(q, 'a', n);
        break;

    case 1:
        generate_add(q, "b=", 2);
        generate_run(q, 'x', n);
        break;

    case 2:
        generate_byte(q, 'a');
        generate_run(q, dice_below(dice, 2) ? '[' : ']', 1 + n % 70);
        break;

    case 3:
        generate_run(q, '&', dice_below(dice, 2) ? n % 1100 : 990 + n % 20);
        break;

    case 4:
        for (n = 30 + n % 5, generate_byte(q, 'a'); n > 0; n--) {
            generate_add(q, "[x]", 3);
        }
        break;

    default:
        generate_add(q, "a=", 2);

        for (n /= 6; n > 0; n--) {
            generate_add(q, dice_below(dice, 2) ? "%41" : "%2f", 3);
        }
    }

    generate_byte(q, '&');
    generate_pairs(dice, q, dice_below(dice, 4));
}


/* names about as long as a regular expression is tried on */

static inline void
generate_long_name(dice_t *dice, generate_query_t *q)
{
    generate_pairs(dice, q, dice_below(dice, 4));
    generate_byte(q, '&');
    generate_run(q, (uint8_t) "amz"[dice_below(dice, 3)],
                 MIQPS_REGEX_MAX_SUBJECT - 3 + dice_below(dice, 6));
    generate_add(q, "=1&", 3);
    generate_pairs(dice, q, 1 + dice_below(dice, 3));
}


static inline void
generate_spoil(dice_t *dice, generate_query_t *q)
{
    size_t  at;

    static const uint8_t  bytes[] = ";#% \0\n\x7f\x80[]=&?+%";

    if (q->len > 0) {
        at = dice_below(dice, q->len);
        q->data[at] = bytes[dice_below(dice, sizeof(bytes) - 1)];
    }
}


static inline void
generate_query(dice_t *dice, generate_query_t *q)
{
    size_t  kind;

    q->len = 0;
    kind = dice_below(dice, 32768);

    if (kind < 2) {
        generate_run(q, 'a', MIQPS_MAX_ARGS - 1 + dice_below(dice, 3));

    } else if (kind < 24) {
        generate_many(dice, q);

    } else if (kind < 40) {
        generate_long(dice, q);

    } else if (kind < 200) {
        generate_long_name(dice, q);

    } else if (kind < 3600) {
        generate_soup(dice, q);

    } else {

        /* so that anything is met at the end of 64 bytes */

        if (dice_once_in(dice, 8)) {
            generate_add(q, "z=", 2);
            generate_run(q, 'x', 40 + dice_below(dice, 30));
            generate_byte(q, '&');
        }

        generate_pairs(dice, q, dice_below(dice, 3) ? dice_below(dice, 5)
                                                    : dice_below(dice, 20));
    }

    if (dice_once_in(dice, 48)) {
        generate_spoil(dice, q);
    }
}


#endif /* _GENERATE_H_INCLUDED_ */
