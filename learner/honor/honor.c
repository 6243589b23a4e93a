
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>
#include <strings.h>

#include "honor.h"


#define LEARN_HONOR_NAME  256            /* bytes of one */


static learn_declaration_t  *learn_honor_add(learn_honor_t *honor,
    const uint8_t *path, size_t len, learn_arena_t *arena);
static int  learn_honor_same(const learn_declaration_t *one,
    const learn_declaration_t *two);
static int  learn_honor_name(learn_declaration_t *one, const uint8_t *text,
    size_t len, learn_arena_t *arena);
static size_t  learn_honor_decode(const uint8_t *text, size_t len,
    uint8_t *out);
static int  learn_honor_hex(uint8_t c);
static int  learn_honor_clean(learn_honor_t *honor, const uint8_t *p,
    const uint8_t *last, learn_arena_t *arena);
static const char  *learn_honor_key(const char *p, size_t *len);
static const char  *learn_honor_list(const char *p, learn_declaration_t *one,
    learn_arena_t *arena, int *ok);
static const char  *learn_honor_string(const char *p, char *out, size_t *len);
static const char  *learn_honor_skip(const char *p);


/* --- No-Vary-Search: a dictionary, RFC 9651, of which three keys count */


int
learn_honor_no_vary(learn_honor_t *honor, const char *value,
    const miqps_str_t *path, learn_arena_t *arena)
{
    int                   ok, all;
    size_t                len;
    const char           *p, *key;
    learn_declaration_t   names, except, *one, *other;

    memset(&names, 0, sizeof(learn_declaration_t));
    memset(&except, 0, sizeof(learn_declaration_t));

    ok = 1;
    all = 0;
    p = value + strspn(value, " ");

    while (*p != '\0') {
        key = p;
        p = learn_honor_key(p, &len);

        if (p == NULL) {
            return 1;
        }

        other = (len != 6) ? NULL
                : (memcmp(key, "params", 6) == 0) ? &names
                : (memcmp(key, "except", 6) == 0) ? &except : NULL;

        /* the last of several with one key counts */

        if (other != NULL) {
            other->names = NULL;
            all = (other == &names) ? (strncmp(p, "=?0", 3) != 0) : all;
        }

        if (other != NULL && p[0] == '=' && p[1] == '(') {
            all = (other == &names) ? 0 : all;
            p = learn_honor_list(p + 1, other, arena, &ok);

            if (p == NULL) {
                return ok;
            }
        }

        /* parameters of a value, and values that mean nothing here */

        p = learn_honor_skip(p);

        if (p == NULL) {
            return 1;
        }

        p += strspn(p, " \t");

        if (*p == ',') {
            p += 1 + strspn(p + 1, " \t");

            if (*p == '\0') {
                return 1;
            }

        } else if (*p != '\0') {
            return 1;
        }
    }

    if (!all && names.names == NULL) {
        return 1;
    }

    names.except = (unsigned) all;
    names.names = all ? except.names : names.names;

    one = learn_honor_add(honor, path->data, path->len, arena);

    if (one == NULL) {
        return honor->n >= LEARN_HONOR_MAX;
    }

    one->names = names.names;
    one->except = names.except;
    one->exact = 1;

    /* pages say the same again and again */

    for (other = one->next; other != NULL; other = other->next) {
        if (learn_honor_same(one, other)) {
            honor->list = one->next;
            honor->n--;
            break;
        }
    }

    return 1;
}


static int
learn_honor_same(const learn_declaration_t *one,
    const learn_declaration_t *two)
{
    const learn_honor_name_t  *a, *b;

    if (one->except != two->except || one->exact != two->exact
        || !miqps_str_eq(&one->path, &two->path))
    {
        return 0;
    }

    a = one->names;
    b = two->names;

    while (a != NULL && b != NULL && miqps_str_eq(&a->text, &b->text)) {
        a = a->next;
        b = b->next;
    }

    return a == NULL && b == NULL;
}


/* behind the key; NULL if there is none */

static const char *
learn_honor_key(const char *p, size_t *len)
{
    *len = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_-.*");

    if (*len == 0 || !((*p >= 'a' && *p <= 'z') || *p == '*')) {
        return NULL;
    }

    return p + *len;
}


/* an inner list of strings; NULL if it is none, or without memory */

static const char *
learn_honor_list(const char *p, learn_declaration_t *one, learn_arena_t *arena,
    int *ok)
{
    char    name[LEARN_HONOR_NAME];
    size_t  len;

    for (p++; /* void */ ; /* void */) {
        p += strspn(p, " ");

        if (*p == ')') {
            return p + 1;
        }

        p = learn_honor_string(p, name, &len);

        if (p == NULL || (*p != ' ' && *p != ')')) {
            return NULL;
        }

        if (!learn_honor_name(one, (const uint8_t *) name, len, arena)) {
            *ok = 0;
            return NULL;
        }
    }
}


static const char *
learn_honor_string(const char *p, char *out, size_t *len)
{
    if (*p++ != '"') {
        return NULL;
    }

    for (*len = 0; *p != '"'; p++) {

        if (*p == '\\') {
            p++;

            if (*p != '"' && *p != '\\') {
                return NULL;
            }
        }

        if (*p < ' ' || *p > '~' || *len == LEARN_HONOR_NAME) {
            return NULL;
        }

        out[(*len)++] = *p;
    }

    return p + 1;
}


/* to the end of a value and its parameters; NULL if it is not right */

static const char *
learn_honor_skip(const char *p)
{
    char      text[LEARN_HONOR_NAME];
    size_t    len;
    unsigned  deep;

    deep = 0;

    while (*p != '\0' && (deep > 0 || strchr(", \t", *p) == NULL)) {

        if (*p == ';') {
            p += 1 + strspn(p + 1, " ");
            continue;
        }

        if (*p == '"') {
            p = learn_honor_string(p, text, &len);

            if (p == NULL) {
                return NULL;
            }

            continue;
        }

        if (*p == '(') {
            deep++;

        } else if (*p == ')' && deep-- == 0) {
            return NULL;
        }

        p++;
    }

    return (deep == 0) ? p : NULL;
}


/* --- Clean-param */


int
learn_honor_robots(learn_honor_t *honor, const uint8_t *data, size_t len,
    learn_arena_t *arena)
{
    const uint8_t  *p, *last, *end, *stop;

    static const char  head[] = "clean-param:";

    last = data + len;

    for (p = data; p < last; p = end + 1) {

        for (end = p; end < last && *end != '\n' && *end != '\r'; end++) {
            /* void */
        }

        while (p < end && (*p == ' ' || *p == '\t')) {
            p++;
        }

        for (stop = p; stop < end && *stop != '#'; stop++) {
            /* void */
        }

        if ((size_t) (stop - p) > sizeof(head) - 1
            && strncasecmp((const char *) p, head, sizeof(head) - 1) == 0
            && !learn_honor_clean(honor, p + sizeof(head) - 1, stop, arena))
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_honor_clean(learn_honor_t *honor, const uint8_t *p, const uint8_t *last,
    learn_arena_t *arena)
{
    size_t                len;
    const uint8_t        *names, *end, *path;
    learn_declaration_t  *one;

    while (p < last && *p <= ' ') {
        p++;
    }

    for (names = p; p < last && *p > ' '; p++) {
        /* void */
    }

    end = p;

    while (p < last && *p <= ' ') {
        p++;
    }

    for (path = p; p < last && *p > ' '; p++) {
        /* void */
    }

    if (names == end) {
        return 1;
    }

    one = learn_honor_add(honor, path, (size_t) (p - path), arena);

    if (one == NULL) {
        return honor->n >= LEARN_HONOR_MAX;
    }

    for (p = names; p < end; p += len + 1) {

        for (len = 0; p + len < end && p[len] != '&'; len++) {
            /* void */
        }

        if (len > 0 && len <= LEARN_HONOR_NAME
            && !learn_honor_name(one, p, len, arena))
        {
            return 0;
        }
    }

    return 1;
}


/* --- both */


/* NULL without memory, or if there are too many */

static learn_declaration_t *
learn_honor_add(learn_honor_t *honor, const uint8_t *path, size_t len,
    learn_arena_t *arena)
{
    uint8_t              *copy;
    learn_declaration_t  *one;

    if (honor->n >= LEARN_HONOR_MAX) {
        return NULL;
    }

    one = learn_arena_alloc(arena, sizeof(learn_declaration_t));
    copy = learn_arena_alloc(arena, len + 1);

    if (one == NULL || copy == NULL) {
        return NULL;
    }

    if (len > 0) {
        memcpy(copy, path, len);
    }

    one->path.data = copy;
    one->path.len = len;
    one->next = honor->list;

    honor->list = one;
    honor->n++;

    return one;
}


static int
learn_honor_name(learn_declaration_t *one, const uint8_t *text, size_t len,
    learn_arena_t *arena)
{
    uint8_t             *copy;
    learn_honor_name_t  *name;

    name = learn_arena_alloc(arena, sizeof(learn_honor_name_t));
    copy = learn_arena_alloc(arena, len + 1);

    if (name == NULL || copy == NULL) {
        return 0;
    }

    name->text.data = copy;
    name->text.len = learn_honor_decode(text, len, copy);
    name->next = one->names;

    one->names = name;

    return 1;
}


static size_t
learn_honor_decode(const uint8_t *text, size_t len, uint8_t *out)
{
    int     high, low;
    size_t  i, n;

    n = 0;

    for (i = 0; i < len; i++) {
        high = (text[i] == '%' && len - i > 2) ? learn_honor_hex(text[i + 1])
                                               : -1;
        low = (high >= 0) ? learn_honor_hex(text[i + 2]) : -1;

        if (low >= 0) {
            out[n++] = (uint8_t) (high << 4 | low);
            i += 2;

        } else {
            out[n++] = (text[i] == '+') ? ' ' : text[i];
        }
    }

    return n;
}


static int
learn_honor_hex(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c |= 0x20;

    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}


int
learn_declaration_names(const learn_declaration_t *one,
    const miqps_str_t *name)
{
    uint8_t                    plain[LEARN_HONOR_NAME];
    miqps_str_t                text;
    const learn_honor_name_t  *p;

    if (name->len > sizeof(plain)) {
        return 0;
    }

    text.data = plain;
    text.len = learn_honor_decode(name->data, name->len, plain);

    for (p = one->names; p != NULL; p = p->next) {
        if (miqps_str_eq(&p->text, &text)) {
            return !one->except;
        }
    }

    return one->except;
}


/* from the left, each "*" as short as it can be */

int
learn_declaration_holds(const learn_declaration_t *one,
    const miqps_str_t *path)
{
    size_t              i, k, star, mark;
    const miqps_str_t  *own;

    own = &one->path;

    if (one->exact) {
        return miqps_str_eq(own, path);
    }

    star = SIZE_MAX;
    mark = 0;
    i = 0;
    k = 0;

    while (i < own->len) {

        if (own->data[i] == '*') {
            star = i++;
            mark = k;

        } else if (k < path->len && own->data[i] == path->data[k]) {
            i++;
            k++;

        } else if (star == SIZE_MAX || mark == path->len) {
            return 0;

        } else {
            i = star + 1;
            k = ++mark;
        }
    }

    return 1;
}
