
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "jar.h"


#define LEARN_JAR_REST  UINT32_MAX       /* in place of a name */


static uint32_t  learn_jar_hash(const char *text, size_t len);
static void  learn_jar_put(learn_jar_t *jar, const learn_cookie_t *cookie);
static int  learn_jar_compare(const learn_cookie_t *one,
    const learn_cookie_t *two);
static void  learn_jar_word(learn_jar_t *jar, const char *text, size_t len);


void
learn_jar_init(learn_jar_t *jar)
{
    jar->n = 0;
    jar->vary[0] = '\0';
}


void
learn_jar_cookie(learn_jar_t *jar, const char *value)
{
    size_t          len, name;
    learn_cookie_t  cookie;

    len = strcspn(value, ";");

    while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t')) {
        len--;
    }

    name = strcspn(value, "=;");
    name = (name < len) ? name : len;

    cookie.name = learn_jar_hash(value, name);
    cookie.value = learn_jar_hash(value + name, len - name);

    if (cookie.name == LEARN_JAR_REST) {
        cookie.name--;
    }

    learn_jar_put(jar, &cookie);
}


static uint32_t
learn_jar_hash(const char *text, size_t len)
{
    size_t    i;
    uint64_t  hash;

    hash = UINT64_C(0xcbf29ce484222325);

    for (i = 0; i < len; i++) {
        hash = (hash ^ (uint8_t) text[i]) * UINT64_C(0x100000001b3);
    }

    return (uint32_t) (hash ^ hash >> 32);
}


static void
learn_jar_put(learn_jar_t *jar, const learn_cookie_t *cookie)
{
    uint32_t         i;
    learn_cookie_t  *rest;

    for (i = 0; i < jar->n && learn_jar_compare(&jar->list[i], cookie) < 0;
         i++)
    {
        /* void */
    }

    if (i < jar->n && learn_jar_compare(&jar->list[i], cookie) == 0) {
        return;
    }

    /* the last place is for all that there is no room for */

    if (jar->n >= LEARN_JAR_COOKIES - 1) {
        rest = &jar->list[LEARN_JAR_COOKIES - 1];

        if (jar->n < LEARN_JAR_COOKIES) {
            rest->name = LEARN_JAR_REST;
            rest->value = 0;
            jar->n = LEARN_JAR_COOKIES;
        }

        rest->value += cookie->name ^ cookie->value;
        return;
    }

    memmove(jar->list + i + 1, jar->list + i,
            (jar->n - i) * sizeof(learn_cookie_t));
    jar->list[i] = *cookie;
    jar->n++;
}


static int
learn_jar_compare(const learn_cookie_t *one, const learn_cookie_t *two)
{
    if (one->name != two->name) {
        return (one->name > two->name) ? 1 : -1;
    }

    return (one->value > two->value) - (one->value < two->value);
}


void
learn_jar_vary(learn_jar_t *jar, const char *value)
{
    size_t  len;

    while (*value != '\0') {
        value += strspn(value, " \t,");
        len = strcspn(value, " \t,");

        if (len > 0) {
            learn_jar_word(jar, value, len);
        }

        value += len;
    }
}


/* puts it where it belongs; "*" is all of them */

static void
learn_jar_word(learn_jar_t *jar, const char *text, size_t len)
{
    size_t  i, n, all, common;
    char    word[LEARN_JAR_VARY];

    all = strlen(jar->vary);

    if (jar->vary[0] == '*') {
        return;
    }

    if (text[0] == '*' || all + len + 2 > sizeof(jar->vary)) {
        memcpy(jar->vary, "*", 2);
        return;
    }

    for (i = 0; i < len; i++) {
        word[i] = (text[i] >= 'A' && text[i] <= 'Z') ? (char) (text[i] | 0x20)
                                                     : text[i];
    }

    for (i = 0; i < all; i += n + 1) {
        n = strcspn(jar->vary + i, ",");
        common = (n < len) ? n : len;

        if (n == len && memcmp(jar->vary + i, word, n) == 0) {
            return;
        }

        if (memcmp(jar->vary + i, word, common) > 0
            || (memcmp(jar->vary + i, word, common) == 0 && n > len))
        {
            break;
        }
    }

    if (i >= all) {
        i = all;

        if (all > 0) {
            jar->vary[i++] = ',';
        }

        memcpy(jar->vary + i, word, len);
        jar->vary[i + len] = '\0';
        return;
    }

    memmove(jar->vary + i + len + 1, jar->vary + i, all - i + 1);
    memcpy(jar->vary + i, word, len);
    jar->vary[i + len] = ',';
}


void
learn_jar_add(learn_jar_t *jar, const learn_jar_t *other)
{
    uint32_t  i;

    for (i = 0; i < other->n; i++) {
        learn_jar_put(jar, &other->list[i]);
    }

    learn_jar_vary(jar, other->vary);
}


size_t
learn_jar_write(const learn_jar_t *jar, uint8_t *out)
{
    size_t    i, k;
    uint64_t  both;

    for (i = 0; i < jar->n; i++) {
        both = jar->list[i].name | (uint64_t) jar->list[i].value << 32;

        for (k = 0; k < 8; k++) {
            out[8 * i + k] = (uint8_t) (both >> 8 * k);
        }
    }

    return 8 * i;
}


uint64_t
learn_jar_names(const learn_jar_t *jar)
{
    uint32_t  i;
    uint64_t  sum;

    sum = 0;

    for (i = 0; i < jar->n; i++) {
        if (i == 0 || jar->list[i].name != jar->list[i - 1].name) {
            sum += jar->list[i].name * UINT64_C(0x9e3779b97f4a7c15) >> 1 | 1;
        }
    }

    return sum & INT64_MAX;
}


int
learn_jar_get(const miqps_str_t *cookies, size_t i, learn_cookie_t *cookie)
{
    size_t          k;
    uint64_t        both;
    const uint8_t  *p;

    if (8 * i + 8 > cookies->len) {
        return 0;
    }

    p = cookies->data + 8 * i;
    both = 0;

    for (k = 0; k < 8; k++) {
        both |= (uint64_t) p[k] << 8 * k;
    }

    cookie->name = (uint32_t) both;
    cookie->value = (uint32_t) (both >> 32);

    return 1;
}


int
learn_jar_has_name(const miqps_str_t *cookies, uint32_t name)
{
    size_t          i;
    learn_cookie_t  cookie;

    for (i = 0; learn_jar_get(cookies, i, &cookie); i++) {
        if (cookie.name == name) {
            return 1;
        }
    }

    return 0;
}


int
learn_jar_has(const miqps_str_t *cookies, const learn_cookie_t *wanted)
{
    size_t          i;
    learn_cookie_t  cookie;

    for (i = 0; learn_jar_get(cookies, i, &cookie); i++) {
        if (learn_jar_compare(&cookie, wanted) == 0) {
            return 1;
        }
    }

    return 0;
}
