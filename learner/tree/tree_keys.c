
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>

#include "miqps_url.h"
#include "tree_keys.h"


typedef struct {
    learn_pair_t   *pairs;
    size_t          n;           /* LEARN_MAX_PAIRS + 1 if there are too many */
} learn_keys_t;


static void  learn_keys_lower(uint8_t *p, size_t len);
static void  learn_keys_authority(learn_keys_t *keys, const miqps_url_t *url);
static void  learn_keys_path(learn_keys_t *keys, const miqps_url_t *url);
static void  learn_keys_query(learn_keys_t *keys, const miqps_url_t *url);
static void  learn_keys_add(learn_keys_t *keys, learn_key_kind_e kind,
    uint32_t nth, const uint8_t *value, const uint8_t *last);
static uint8_t  *learn_keys_put(uint8_t *p, const miqps_str_t *text);


size_t
learn_keys_split(uint8_t *url, size_t len, learn_pair_t *pairs)
{
    miqps_str_t   in;
    miqps_url_t   parts;
    learn_keys_t  keys;

    in.data = url;
    in.len = len;

    if (miqps_url_split(&parts, &in) != MIQPS_OK) {
        return 0;
    }

    keys.pairs = pairs;
    keys.n = 0;

    learn_keys_lower(url, parts.scheme.len);

    if (parts.authority.len > 0) {
        learn_keys_lower(url + (parts.host.data - url), parts.host.len);
    }

    if (parts.scheme.len > 0) {
        learn_keys_add(&keys, LEARN_KEY_SCHEME, 0, parts.scheme.data,
                       parts.scheme.data + parts.scheme.len);
    }

    learn_keys_authority(&keys, &parts);
    learn_keys_path(&keys, &parts);
    learn_keys_query(&keys, &parts);

    return (keys.n > LEARN_MAX_PAIRS) ? 0 : keys.n;
}


static void
learn_keys_lower(uint8_t *p, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        if (p[i] >= 'A' && p[i] <= 'Z') {
            p[i] |= 0x20;
        }
    }
}


static void
learn_keys_authority(learn_keys_t *keys, const miqps_url_t *url)
{
    uint32_t        nth;
    const uint8_t  *p, *last, *host, *dot;

    if (url->authority.len == 0) {
        return;
    }

    nth = 0;
    p = url->authority.data;
    host = url->host.data;
    last = host + url->host.len;

    /* an address in brackets has colons, and is one label */

    while (host < last && *host != '['
           && (dot = memchr(host, '.', (size_t) (last - host))) != NULL)
    {
        learn_keys_add(keys, LEARN_KEY_AUTH, nth++, p, dot);
        p = dot + 1;
        host = p;
    }

    learn_keys_add(keys, LEARN_KEY_AUTH, nth, p, last);

    p = url->authority.data + url->authority.len;

    if (last < p) {
        learn_keys_add(keys, LEARN_KEY_PORT, 0, last + 1, p);
    }
}


static void
learn_keys_path(learn_keys_t *keys, const miqps_url_t *url)
{
    uint32_t        nth;
    const uint8_t  *p, *last, *slash;

    if (url->path.len == 0) {
        return;
    }

    nth = 0;
    p = url->path.data + 1;
    last = url->path.data + url->path.len;

    while (p < last) {
        slash = memchr(p, '/', (size_t) (last - p));

        if (slash == NULL) {
            learn_keys_add(keys, LEARN_KEY_PATH, nth, p, last);
            return;
        }

        learn_keys_add(keys, LEARN_KEY_PATH, nth++, p, slash);
        p = slash + 1;
    }

    learn_keys_add(keys, LEARN_KEY_SLASH, 0, last - 1, last);
}


static void
learn_keys_query(learn_keys_t *keys, const miqps_url_t *url)
{
    miqps_str_t     name;
    const uint8_t  *p, *last, *end, *equals;

    if (url->args.len == 0) {
        return;
    }

    p = url->args.data;
    last = p + url->args.len;

    for (/* void */ ; p < last; p = end + 1) {
        end = memchr(p, '&', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        if (end == p) {
            continue;
        }

        equals = memchr(p, '=', (size_t) (end - p));

        name.data = p;
        name.len = (size_t) (((equals != NULL) ? equals : end) - p);

        if (equals != NULL) {
            learn_keys_add(keys, LEARN_KEY_PARAM, 0, equals + 1, end);

        } else {
            learn_keys_add(keys, LEARN_KEY_WORD, 0, end, end);
        }

        if (keys->n > LEARN_MAX_PAIRS) {
            return;
        }

        keys->pairs[keys->n - 1].key.name = name;
    }
}


static void
learn_keys_add(learn_keys_t *keys, learn_key_kind_e kind, uint32_t nth,
    const uint8_t *value, const uint8_t *last)
{
    learn_pair_t  *pair;

    if (keys->n >= LEARN_MAX_PAIRS) {
        keys->n = LEARN_MAX_PAIRS + 1;
        return;
    }

    pair = &keys->pairs[keys->n++];

    pair->key.name.data = NULL;
    pair->key.name.len = 0;
    pair->key.nth = nth;
    pair->key.kind = kind;
    pair->value.data = value;
    pair->value.len = (size_t) (last - value);
}


size_t
learn_keys_join(const learn_pair_t *pairs, size_t n, uint8_t *out)
{
    size_t             i;
    uint8_t           *p;
    learn_key_kind_e   last;

    p = out;
    last = LEARN_KEY_WORD;

    for (i = 0; i < n; i++) {
        switch (pairs[i].key.kind) {

        case LEARN_KEY_SCHEME:
            p = learn_keys_put(p, &pairs[i].value);
            *p++ = ':';
            break;

        case LEARN_KEY_AUTH:
            if (last == LEARN_KEY_AUTH) {
                *p++ = '.';

            } else {
                *p++ = '/';
                *p++ = '/';
            }

            p = learn_keys_put(p, &pairs[i].value);
            break;

        case LEARN_KEY_PORT:
            *p++ = ':';
            p = learn_keys_put(p, &pairs[i].value);
            break;

        case LEARN_KEY_PATH:
            *p++ = '/';
            p = learn_keys_put(p, &pairs[i].value);
            break;

        case LEARN_KEY_SLASH:
            *p++ = '/';
            break;

        default:
            *p++ = (i > 0 && last >= LEARN_KEY_PARAM) ? '&' : '?';
            p = learn_keys_put(p, &pairs[i].key.name);

            if (pairs[i].key.kind == LEARN_KEY_PARAM) {
                *p++ = '=';
                p = learn_keys_put(p, &pairs[i].value);
            }
        }

        last = pairs[i].key.kind;
    }

    return (size_t) (p - out);
}


static uint8_t *
learn_keys_put(uint8_t *p, const miqps_str_t *text)
{
    if (text->len > 0) {
        memcpy(p, text->data, text->len);
    }

    return p + text->len;
}


size_t
learn_keys_size(const learn_pair_t *pairs, size_t n)
{
    size_t  i, size;

    size = 0;

    for (i = 0; i < n; i++) {
        size += pairs[i].key.name.len + pairs[i].value.len + 2;
    }

    return size;
}


int
learn_key_compare(const learn_key_t *one, const learn_key_t *two)
{
    int     diff;
    size_t  len;

    /* parameters and words come by name */

    if (one->kind < LEARN_KEY_PARAM || two->kind < LEARN_KEY_PARAM) {
        diff = (int) one->kind - (int) two->kind;

        if (diff != 0) {
            return diff;
        }
    }

    len = (one->name.len < two->name.len) ? one->name.len : two->name.len;

    diff = (len > 0) ? memcmp(one->name.data, two->name.data, len) : 0;

    if (diff != 0) {
        return diff;
    }

    if (one->name.len != two->name.len) {
        return (one->name.len < two->name.len) ? -1 : 1;
    }

    if (one->kind != two->kind) {
        return (one->kind < two->kind) ? -1 : 1;
    }

    return (one->nth > two->nth) - (one->nth < two->nth);
}


size_t
learn_key_name(const learn_key_t *key, char *out, size_t size)
{
    int   n;
    char  text[32];

    static const char  *kinds[] = {
        "scheme", "auth_%u", "port", "path_%u", "slash"
    };

    if (key->kind < LEARN_KEY_PARAM) {
        n = snprintf(text, sizeof(text), kinds[key->kind], key->nth);

    } else {
        if (key->name.len >= size) {
            memcpy(out, key->name.data, size);
            return size;
        }

        if (key->name.len > 0) {
            memcpy(out, key->name.data, key->name.len);
        }

        out += key->name.len;
        size -= key->name.len;
        n = 0;

        if (key->nth > 0) {
            n = snprintf(text, sizeof(text), "#%u", key->nth + 1);
        }
    }

    n = ((size_t) n < size) ? n : (int) size;
    memcpy(out, text, (size_t) n);

    return (size_t) n + ((key->kind < LEARN_KEY_PARAM) ? 0 : key->name.len);
}
