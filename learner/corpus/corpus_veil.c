
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "corpus.h"
#include "learn.h"
#include "veil.h"


/* a run of letters and digits that nobody would type */

#define LEARN_RANDOM_RUN      8
#define LEARN_RANDOM_CHANGES  3      /* between letters, capitals, digits */
#define LEARN_RANDOM_DIGITS   10     /* of nothing but digits */


/* the text on its way, part by part */

typedef struct {
    learn_corpus_t       *corpus;
    const learn_entry_t  *entry;
    uint8_t              *p;
    int                   veiled;
} learn_veiling_t;


static int  learn_veil_path(learn_veiling_t *ctx, const miqps_str_t *path);
static int  learn_veil_query(learn_veiling_t *ctx, const miqps_str_t *args,
    size_t nparams);
static int  learn_veil_part(learn_veiling_t *ctx, const uint8_t *data,
    size_t len, int private);
static int  learn_veil_is_random(const uint8_t *data, size_t len);
static unsigned  learn_veil_kind(uint8_t c);
static int  learn_veil_is_visitor(const uint8_t *name, size_t len);
static void  learn_veil_copy(learn_veiling_t *ctx, const uint8_t *data,
    size_t len);


/*
 * Names whose values tell one visitor from another, in small letters without
 * what is neither letter nor digit; what begins with "*" is the end of a name.
 */

static const char *const  learn_veil_names[] = {
    "*sid", "*sess", "*session", "*sessionid", "*sessid", "*visitor",
    "*visitorid", "*uid", "*uuid", "*guid", "*userid", "*username",
    "*clientid", "*customerid", "*deviceid", "*memberid", "*clickid",
    "cid", "vid", "user", "client", "customer", "device", "member", "account",
    "cookie", "cftoken", "cfid", "zenid", "oscsid", NULL
};


int
learn_corpus_veil(learn_corpus_t *corpus, const learn_entry_t *entry,
    size_t nparams, miqps_str_t *url, int *veiled)
{
    int              rc;
    size_t           slashes, i;
    miqps_str_t      path, args;
    const uint8_t   *mark;
    learn_veiling_t  ctx;

    *veiled = 0;

    if (entry->listed) {
        return LEARN_EXIT_OK;
    }

    ctx.corpus = corpus;
    ctx.entry = entry;
    ctx.p = corpus->veiled;
    ctx.veiled = 0;

    /* "https://host:port/" is nobody's */

    for (i = 0, slashes = 0; slashes < 3; i++) {
        slashes += (url->data[i] == '/');
    }

    learn_veil_copy(&ctx, url->data, i);

    path.data = url->data + i;
    path.len = url->len - i;
    args.len = 0;

    mark = (path.len > 0) ? memchr(path.data, '?', path.len) : NULL;

    if (mark != NULL) {
        path.len = (size_t) (mark - path.data);
        args.data = mark + 1;
        args.len = (size_t) (url->data + url->len - args.data);
    }

    rc = learn_veil_path(&ctx, &path);

    if (rc == LEARN_EXIT_OK && args.len > 0) {
        *ctx.p++ = '?';
        rc = learn_veil_query(&ctx, &args, nparams);
    }

    if (ctx.veiled) {
        *veiled = 1;
        url->data = corpus->veiled;
        url->len = (size_t) (ctx.p - corpus->veiled);
    }

    return rc;
}


static int
learn_veil_path(learn_veiling_t *ctx, const miqps_str_t *path)
{
    int     rc;
    size_t  i, start;

    start = 0;

    for (i = 0; i <= path->len; i++) {

        if (i < path->len && path->data[i] != '/') {
            continue;
        }

        rc = learn_veil_part(ctx, path->data + start, i - start, 0);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        if (i < path->len) {
            *ctx->p++ = '/';
        }

        start = i + 1;
    }

    return LEARN_EXIT_OK;
}


/* what the built-in list strips is of visitors, too */

static int
learn_veil_query(learn_veiling_t *ctx, const miqps_str_t *args, size_t nparams)
{
    int                   rc, private;
    size_t                len, n;
    const uint8_t        *p, *last, *end, *equal;
    const miqps_param_t  *param;

    p = args->data;
    last = p + args->len;

    for (n = 0; p < last; p = end + 1) {
        end = memchr(p, '&', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        equal = (end > p) ? memchr(p, '=', (size_t) (end - p)) : NULL;
        len = (size_t) (((equal != NULL) ? equal : end) - p);

        param = (end > p && n < nparams) ? &ctx->corpus->work.params[n++]
                                         : NULL;

        rc = learn_veil_part(ctx, p, len, 0);

        if (rc == LEARN_EXIT_OK && equal != NULL) {
            *ctx->p++ = '=';

            private = learn_veil_is_visitor(p, len)
                      || (param != NULL
                          && param->layer == MIQPS_LAYER_TRACKING);

            rc = learn_veil_part(ctx, equal + 1, (size_t) (end - equal - 1),
                                 private);
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        if (end < last) {
            *ctx->p++ = '&';
        }
    }

    return LEARN_EXIT_OK;
}


static int
learn_veil_part(learn_veiling_t *ctx, const uint8_t *data, size_t len,
    int private)
{
    int          rc, two;
    uint64_t     hash;
    miqps_str_t  part;

    if (len == 0 || !(private || learn_veil_is_random(data, len))) {
        learn_veil_copy(ctx, data, len);
        return LEARN_EXIT_OK;
    }

    two = 0;

    if (ctx->entry->client != 0) {
        hash = learn_store_hash(ctx->corpus->store, data, len);

        rc = learn_shared_ask(&ctx->corpus->shared, hash, ctx->entry->client,
                              &two);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (two) {
        learn_veil_copy(ctx, data, len);
        return LEARN_EXIT_OK;
    }

    part.data = data;
    part.len = len;

    ctx->p = learn_veil(&part, ctx->p);
    ctx->veiled = 1;

    return LEARN_EXIT_OK;
}


/*
 * Inside a word people change between letters, capitals and digits seldom.
 * What is taken for random and is not only waits for a second visitor.
 */

static int
learn_veil_is_random(const uint8_t *data, size_t len)
{
    size_t       i, run, changes, digits;
    unsigned     kind, last;
    miqps_str_t  part;

    run = 0;
    changes = 0;
    digits = 0;
    last = 0;

    for (i = 0; i < len; i++) {
        kind = learn_veil_kind(data[i]);

        if (kind == 0) {
            run = 0;
            changes = 0;
            digits = 0;

        } else {
            run++;
            changes += (run > 1 && kind != last);
            digits += (kind == 1);
        }

        last = kind;

        if ((run >= LEARN_RANDOM_RUN && changes >= LEARN_RANDOM_CHANGES)
            || digits >= LEARN_RANDOM_DIGITS)
        {
            return 1;
        }
    }

    part.data = data;
    part.len = len;

    return miqps_guard_secret_like(&part);
}


/* 0 for what is neither a letter nor a digit */

static unsigned
learn_veil_kind(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return 1;
    }

    if (c >= 'a' && c <= 'z') {
        return 2;
    }

    return (c >= 'A' && c <= 'Z') ? 3 : 0;
}


static int
learn_veil_is_visitor(const uint8_t *name, size_t len)
{
    char         plain[64];
    size_t       i, k, n;
    const char  *text;

    for (i = 0, n = 0; i < len && n < sizeof(plain); i++) {
        if (learn_veil_kind(name[i]) != 0) {
            plain[n++] = (char) (name[i] | ((name[i] >= 'A') ? 0x20 : 0));
        }
    }

    for (i = 0; learn_veil_names[i] != NULL; i++) {
        text = learn_veil_names[i];

        if (text[0] == '*') {
            text++;
            k = strlen(text);

            if (n >= k && memcmp(plain + n - k, text, k) == 0) {
                return 1;
            }

            continue;
        }

        if (n == strlen(text) && memcmp(plain, text, n) == 0) {
            return 1;
        }
    }

    return 0;
}


static void
learn_veil_copy(learn_veiling_t *ctx, const uint8_t *data, size_t len)
{
    memcpy(ctx->p, data, len);
    ctx->p += len;
}
