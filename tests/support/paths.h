
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _PATHS_H_INCLUDED_
#define _PATHS_H_INCLUDED_


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "miqps_image_rules.h"


/*
 * Path rules done by the book, in no hurry: what miqps_image_rules.h says of
 * them, by trying all ways in which a text can be read.
 */

#define PATHS_MAX       48              /* segments, and parameters */
#define PATHS_MAX_TEXT  (8 * 1024)


typedef struct {
    char      name[PATHS_MAX_TEXT];
    char      value[PATHS_MAX_TEXT];
    int       equals;                   /* there is a "=" */
} paths_param_t;


typedef struct {
    char           host[256];
    char           segments[PATHS_MAX][PATHS_MAX_TEXT];
    size_t         nsegments;
    paths_param_t  params[PATHS_MAX];
    size_t         nparams;
} paths_url_t;


typedef struct {
    const miqps_paths_t   *rules;
    const miqps_rewrite_t *rewrite;
    char                   captures[MIQPS_PATHS_MAX_CAPTURE][PATHS_MAX_TEXT];
    int                    equals[MIQPS_PATHS_MAX_CAPTURE];
    size_t                 n;
    size_t                 deep;        /* segments that "**" stands for */
    int                    stay;        /* the host must not change */
} paths_match_t;


static inline void
paths_set(char *to, const char *text)
{
    memcpy(to, text, strlen(text) + 1);
}


static inline int
paths_in(const char *set, const char *text, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        if (text[i] == '\0' || strchr(set, text[i]) == NULL) {
            return 0;
        }
    }

    return len > 0;
}


#define PATHS_DIGITS  "0123456789"
#define PATHS_HEX     PATHS_DIGITS "abcdefABCDEF"
#define PATHS_WORD    PATHS_HEX "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ_"


static inline int
paths_any(const char *text, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++) {

        if (text[i] != '%') {
            if (!paths_in(PATHS_WORD "-~", text + i, 1)) {
                return 0;
            }

            continue;
        }

        if (len - i < 3 || !paths_in("89ABCDEF", text + i + 1, 1)
            || !paths_in("0123456789ABCDEF", text + i + 2, 1))
        {
            return 0;
        }

        i += 2;
    }

    return len > 0;
}


static inline int
paths_holds(const miqps_paths_t *rules, const miqps_piece_t *piece,
    const char *text, size_t len)
{
    miqps_str_t  str;

    switch (piece->kind) {

    case MIQPS_PIECE_DIGITS:
        return paths_in(PATHS_DIGITS, text, len);

    case MIQPS_PIECE_HEX:
        return paths_in(PATHS_HEX, text, len);

    case MIQPS_PIECE_UUID:
        return len == 36 && text[8] == '-' && text[13] == '-'
               && text[18] == '-' && text[23] == '-'
               && paths_in(PATHS_HEX, text, 8)
               && paths_in(PATHS_HEX, text + 9, 4)
               && paths_in(PATHS_HEX, text + 14, 4)
               && paths_in(PATHS_HEX, text + 19, 4)
               && paths_in(PATHS_HEX, text + 24, 12);

    case MIQPS_PIECE_WORD:
        return paths_in(PATHS_WORD, text, len);

    case MIQPS_PIECE_ANY:
        return paths_any(text, len);

    case MIQPS_PIECE_TABLE:
        str.data = (const uint8_t *) text;
        str.len = len;
        return miqps_paths_find(rules, piece->number, &str).data != NULL;

    default:
        return len > 0;
    }
}


/* in how many ways the rest of a text can be read */

static inline size_t
paths_ways(paths_match_t *match, const uint8_t *p, uint32_t n, size_t capture,
    const char *text, size_t len)
{
    size_t          i, ways;
    miqps_piece_t   piece;

    if (n == 0) {
        return len == 0;
    }

    p = miqps_piece_next(match->rules, p, &piece);

    if (piece.kind == MIQPS_PIECE_LITERAL) {
        return (len >= piece.literal.len
                && memcmp(text, piece.literal.data, piece.literal.len) == 0)
               ? paths_ways(match, p, n - 1, capture,
                            text + piece.literal.len, len - piece.literal.len)
               : 0;
    }

    ways = 0;

    for (i = 0; i <= len; i++) {
        if (paths_holds(match->rules, &piece, text, i)
            && paths_ways(match, p, n - 1, capture + 1, text + i, len - i) > 0)
        {
            memcpy(match->captures[capture], text, i);
            match->captures[capture][i] = '\0';
            ways++;
        }
    }

    return ways;
}


static inline int
paths_text(paths_match_t *match, const uint8_t *text, const char *value)
{
    size_t          ways;
    uint32_t        n;
    const uint8_t  *p;
    miqps_piece_t   piece;

    ways = paths_ways(match, text + 1, text[0], match->n, value,
                      strlen(value));

    if (ways > 1) {
        printf("Bail out! a text can be read in two ways\n");
        exit(1);
    }

    p = text + 1;

    for (n = text[0]; n > 0; n--) {
        p = miqps_piece_next(match->rules, p, &piece);
        match->n += (piece.kind != MIQPS_PIECE_LITERAL);
    }

    return ways == 1;
}


static inline int
paths_is(const miqps_paths_t *rules, const uint8_t *name, const char *text)
{
    miqps_str_t  str;

    str = miqps_paths_string(rules, name);

    return strlen(text) == str.len && memcmp(text, str.data, str.len) == 0;
}


static inline const uint8_t *
paths_param(const miqps_paths_t *rules, const miqps_form_t *form,
    const char *name)
{
    uint32_t  i;

    for (i = 0; i < form->nparams; i++) {
        if (paths_is(rules, form->params[i], name)) {
            return form->params[i] + MIQPS_PATHS_STRING;
        }
    }

    return NULL;
}


/* what no rule is applied to */

static inline int
paths_untouchable(const paths_url_t *url)
{
    size_t       i;
    const char  *s;

    for (i = 0; i < url->nsegments; i++) {
        s = url->segments[i];

        if ((s[0] == '\0' && i + 1 < url->nsegments) || strcmp(s, ".") == 0
            || strcmp(s, "..") == 0 || strpbrk(s, ";\\") != NULL)
        {
            return 1;
        }
    }

    return 0;
}


static inline int
paths_match_path(paths_match_t *match, const paths_url_t *url)
{
    size_t               i, at;
    const miqps_form_t  *from;

    from = &match->rewrite->from;

    if (!from->path) {
        return 1;
    }

    if (from->deep == MIQPS_PATHS_NO_DEEP
        ? url->nsegments != from->nsegments
        : url->nsegments < from->nsegments + 1u)
    {
        return 0;
    }

    match->deep = url->nsegments - from->nsegments;

    for (i = 0; i < from->nsegments; i++) {
        at = (i < from->deep) ? i : i + match->deep;

        if (!paths_text(match, from->segments[i], url->segments[at])) {
            return 0;
        }
    }

    return 1;
}


/* a name without "=" has no value, which only what is raw can be */

static inline int
paths_match_params(paths_match_t *match, const paths_url_t *url)
{
    size_t               i, k, n;
    const uint8_t       *text;
    const miqps_form_t  *from, *to;

    from = &match->rewrite->from;
    to = &match->rewrite->to;

    for (i = 0; i < from->nparams; i++) {
        n = 0;

        for (k = 0; k < url->nparams; k++) {
            if (!paths_is(match->rules, from->params[i],
                          url->params[k].name))
            {
                continue;
            }

            n++;
            text = from->params[i] + MIQPS_PATHS_STRING;

            if (text[0] == 1 && text[1] == MIQPS_PIECE_RAW) {
                paths_set(match->captures[match->n], url->params[k].value);
                match->equals[match->n++] = url->params[k].equals;

            } else if (!url->params[k].equals
                       || !paths_text(match, text, url->params[k].value))
            {
                return 0;
            }

            if (n > 1) {
                return 0;
            }
        }

        if (n == 0) {
            return 0;
        }
    }

    for (k = 0; k < url->nparams; k++) {
        if (paths_param(match->rules, from, url->params[k].name) == NULL
            && (!(match->rewrite->flags & MIQPS_PATHS_REST)
                || paths_param(match->rules, to, url->params[k].name) != NULL))
        {
            return 0;
        }
    }

    return 1;
}


static inline void
paths_fill(const paths_match_t *match, const uint8_t *text, char *out,
    int *equals)
{
    uint32_t       n;
    miqps_str_t    str;
    miqps_piece_t  piece;

    *equals = 1;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(match->rules, text, &piece);

        if (piece.kind == MIQPS_PIECE_LITERAL) {
            str = piece.literal;

        } else {
            str.data = (const uint8_t *) match->captures[piece.number];
            str.len = strlen(match->captures[piece.number]);

            if (match->rewrite->kinds[piece.number] == MIQPS_PIECE_TABLE) {
                str = miqps_paths_find(match->rules,
                                       match->rewrite->tables[piece.number],
                                       &str);
            }

            if (match->rewrite->kinds[piece.number] == MIQPS_PIECE_RAW) {
                *equals = match->equals[piece.number];
            }
        }

        memcpy(out, str.data, str.len);
        out += str.len;
    }

    *out = '\0';
}


static inline void
paths_copy(paths_url_t *to, const paths_url_t *from)
{
    size_t  i;

    paths_set(to->host, from->host);

    for (i = 0; i < from->nsegments; i++) {
        paths_set(to->segments[i], from->segments[i]);
    }

    for (i = 0; i < from->nparams; i++) {
        paths_set(to->params[i].name, from->params[i].name);
        paths_set(to->params[i].value, from->params[i].value);
        to->params[i].equals = from->params[i].equals;
    }

    to->nsegments = from->nsegments;
    to->nparams = from->nparams;
}


static inline void
paths_make(const paths_match_t *match, const paths_url_t *url,
    paths_url_t *out)
{
    int                  equals;
    size_t               i, k, n, deep;
    const uint8_t       *text;
    paths_param_t       *param;
    const miqps_form_t  *from, *to;

    from = &match->rewrite->from;
    to = &match->rewrite->to;

    paths_copy(out, url);

    if (to->host != NULL && !match->stay) {
        paths_fill(match, to->host, out->host, &equals);
    }

    if (to->path) {
        n = 0;
        deep = (to->deep == MIQPS_PATHS_NO_DEEP) ? PATHS_MAX : to->deep;

        for (i = 0; i <= to->nsegments; i++) {
            for (k = 0; i == deep && k < match->deep; k++) {
                paths_set(out->segments[n++], url->segments[from->deep + k]);
            }

            if (i < to->nsegments) {
                paths_fill(match, to->segments[i], out->segments[n++],
                           &equals);
            }
        }

        out->nsegments = n;
    }

    if (!(match->rewrite->flags & MIQPS_PATHS_TO_PARAMS)) {
        return;
    }

    out->nparams = 0;

    for (k = 0; k < url->nparams; k++) {
        text = paths_param(match->rules, to, url->params[k].name);
        param = &out->params[out->nparams];

        if (text != NULL) {
            paths_set(param->name, url->params[k].name);
            paths_fill(match, text, param->value, &param->equals);
            out->nparams++;

        } else if (paths_param(match->rules, from, url->params[k].name)
                   == NULL)
        {
            paths_set(param->name, url->params[k].name);
            paths_set(param->value, url->params[k].value);
            param->equals = url->params[k].equals;
            out->nparams++;
        }
    }

    for (i = 0; i < to->nparams; i++) {
        miqps_str_t  name = miqps_paths_string(match->rules, to->params[i]);

        param = &out->params[out->nparams];
        memcpy(param->name, name.data, name.len);
        param->name[name.len] = '\0';

        if (paths_param(match->rules, from, param->name) != NULL) {
            continue;
        }

        paths_fill(match, to->params[i] + MIQPS_PATHS_STRING, param->value,
                   &param->equals);
        out->nparams++;
    }
}


/* the bits that a URL has, as an executor would collect them */

static inline uint64_t
paths_has(uint64_t seed, const paths_url_t *url)
{
    size_t       i;
    uint64_t     has;
    miqps_str_t  str;

    has = miqps_paths_need_count(seed, url->nsegments);

    for (i = 0; i < url->nsegments; i++) {
        str.data = (const uint8_t *) url->segments[i];
        str.len = strlen(url->segments[i]);
        has |= miqps_paths_need_segment(seed, i, &str);
    }

    for (i = 0; i < url->nparams; i++) {
        has |= miqps_paths_need_name(
            miqps_image_hash_name(seed, (const uint8_t *) url->params[i].name,
                                  strlen(url->params[i].name)));
    }

    return has;
}


/* nothing is said of anything but the host */

static inline int
paths_is_host_rule(const miqps_rewrite_t *rewrite)
{
    return rewrite->from.host != NULL && rewrite->to.host != NULL
           && !rewrite->from.path && !rewrite->to.path
           && rewrite->from.nparams == 0
           && (rewrite->flags & MIQPS_PATHS_REST)
           && !(rewrite->flags & MIQPS_PATHS_TO_PARAMS);
}


/* the number + 1 of the host rule, or of the others, that was applied, or 0 */

static inline uint32_t
paths_apply_one(const miqps_paths_t *rules, uint64_t seed, int stay, int host,
    const paths_url_t *url, paths_url_t *out)
{
    uint32_t         i;
    uint64_t         need;
    miqps_rewrite_t  rewrite;

    static paths_match_t  match;

    for (i = 0; i < rules->n; i++) {
        miqps_paths_read(rules, i, &rewrite);

        if (paths_is_host_rule(&rewrite) != host) {
            continue;
        }

        match.rules = rules;
        match.rewrite = &rewrite;
        match.n = 0;
        match.deep = 0;
        match.stay = stay;

        if (stay && rewrite.from.host != NULL && rewrite.to.host != NULL) {
            continue;
        }

        if ((rewrite.from.host != NULL
             && !paths_text(&match, rewrite.from.host, url->host))
            || !paths_match_path(&match, url)
            || !paths_match_params(&match, url))
        {
            continue;
        }

        need = miqps_get_u64(rules->block + MIQPS_PATHS_HEAD + 8 * (size_t) i);

        if ((need & ~paths_has(seed, url)) != 0) {
            printf("Bail out! a rule needs what its URLs have not\n");
            exit(1);
        }

        paths_make(&match, url, out);

        if (paths_untouchable(out)) {
            printf("Bail out! a rule makes a path that none may touch\n");
            exit(1);
        }

        return i + 1;
    }

    return 0;
}


/* the same of both, the host rule after the others */

static inline uint32_t
paths_apply(const miqps_paths_t *rules, uint64_t seed, int stay,
    const paths_url_t *url, paths_url_t *out)
{
    uint32_t  one, two;

    static paths_url_t  between;

    if (paths_untouchable(url)) {
        return 0;
    }

    one = paths_apply_one(rules, seed, stay, 0, url, out);
    paths_copy(&between, (one != 0) ? out : url);
    two = stay ? 0 : paths_apply_one(rules, seed, 0, 1, &between, out);

    return (one != 0) ? one : two;
}


static inline int
paths_same(const paths_url_t *a, const paths_url_t *b)
{
    size_t  i;

    if (strcmp(a->host, b->host) != 0 || a->nsegments != b->nsegments
        || a->nparams != b->nparams)
    {
        return 0;
    }

    for (i = 0; i < a->nsegments; i++) {
        if (strcmp(a->segments[i], b->segments[i]) != 0) {
            return 0;
        }
    }

    for (i = 0; i < a->nparams; i++) {
        if (strcmp(a->params[i].name, b->params[i].name) != 0
            || strcmp(a->params[i].value, b->params[i].value) != 0
            || a->params[i].equals != b->params[i].equals)
        {
            return 0;
        }
    }

    return 1;
}


/* "//host/path?query" with the path and the query split where they are */

static inline void
paths_read(const char *text, paths_url_t *url)
{
    size_t          len;
    const char     *p;
    paths_param_t  *param;

    url->nsegments = 0;
    url->nparams = 0;

    p = text + 2;
    len = strcspn(p, "/");
    memcpy(url->host, p, len);
    url->host[len] = '\0';
    p += len;

    while (*p == '/') {
        p++;
        len = strcspn(p, "/?");
        memcpy(url->segments[url->nsegments], p, len);
        url->segments[url->nsegments++][len] = '\0';
        p += len;
    }

    while (*p != '\0') {
        p++;

        if (*p == '\0') {
            break;
        }

        param = &url->params[url->nparams++];
        len = strcspn(p, "=&");
        memcpy(param->name, p, len);
        param->name[len] = '\0';
        p += len;
        param->equals = (*p == '=');
        p += param->equals;
        len = strcspn(p, "&");
        memcpy(param->value, p, len);
        param->value[len] = '\0';
        p += len;
    }
}


static inline void
paths_print(const paths_url_t *url, char *out, size_t size)
{
    size_t  i, n;

    n = (size_t) snprintf(out, size, "//%s", url->host);

    for (i = 0; i < url->nsegments && n < size; i++) {
        n += (size_t) snprintf(out + n, size - n, "/%s", url->segments[i]);
    }

    for (i = 0; i < url->nparams && n < size; i++) {
        n += (size_t) snprintf(out + n, size - n, "%c%s%s%s",
                               (i > 0) ? '&' : '?', url->params[i].name,
                               url->params[i].equals ? "=" : "",
                               url->params[i].value);
    }
}


#endif /* _PATHS_H_INCLUDED_ */
