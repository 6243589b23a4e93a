
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "eval_alias.h"
#include "miqps_guard.h"


static int  learn_alias_guarded(const uint8_t *name, const uint8_t *last);


int
learn_alias_url(learn_alias_t *alias, const miqps_str_t *url,
    miqps_str_t *result)
{
    size_t          size;
    uint8_t        *to, *larger;
    const uint8_t  *p, *next, *last;

    *result = *url;
    last = url->data + url->len;
    p = (url->len > 0) ? memchr(url->data, '?', url->len) : NULL;

    if (p == NULL) {
        return 1;
    }

    /* a byte more for each name, of which each has one byte at least */

    size = 2 * url->len + 1;

    if (size > alias->size) {
        larger = realloc(alias->buf, size);

        if (larger == NULL) {
            return 0;
        }

        alias->buf = larger;
        alias->size = size;
    }

    p++;
    memcpy(alias->buf, url->data, (size_t) (p - url->data));
    to = alias->buf + (p - url->data);

    for (/* void */ ; p < last; p = next) {
        next = memchr(p, '&', (size_t) (last - p));
        next = (next != NULL) ? next + 1 : last;

        if (learn_alias_guarded(p, next)) {
            *to++ = '-';
        }

        memcpy(to, p, (size_t) (next - p));
        to += next - p;
    }

    result->data = alias->buf;
    result->len = (size_t) (to - alias->buf);

    return 1;
}


/* whether a piece of a query has a name that the guard knows */

static int
learn_alias_guarded(const uint8_t *piece, const uint8_t *last)
{
    size_t                     i, n, len;
    const uint8_t             *end;
    const miqps_str_t         *text;
    const miqps_guard_name_t  *names;

    for (end = piece; end < last && strchr("=&[", *end) == NULL; end++) {
        /* void */
    }

    len = (size_t) (end - piece);
    names = miqps_guard_names(&n);

    for (i = 0; i < n; i++) {
        text = &names[i].text;

        if (text->data[text->len - 1] == '*') {
            if (len >= text->len - 1
                && memcmp(text->data, piece, text->len - 1) == 0)
            {
                return 1;
            }

        } else if (len == text->len && memcmp(text->data, piece, len) == 0) {
            return 1;
        }
    }

    return 0;
}


void
learn_alias_release(learn_alias_t *alias)
{
    free(alias->buf);
}
