
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"

#pragma GCC visibility push(hidden)
#include "miqps_hash.h"
#pragma GCC visibility pop


/* a browser sends no more, and few servers take it */

#define NGX_HTTP_MIQPS_CORPUS_TARGET_LEN  8192


static ngx_inline uint64_t ngx_http_miqps_corpus_mix(const u_char *p,
    const u_char *q, const uint64_t *seed, uint64_t hash);
static ngx_inline uint64_t ngx_http_miqps_corpus_hash(const u_char *p,
    size_t len, const uint64_t *seed, uint64_t hash);
static ngx_http_miqps_corpus_e ngx_http_miqps_corpus_eligible(
    ngx_http_request_t *r);
static ngx_uint_t ngx_http_miqps_corpus_body(ngx_http_request_t *r);
static ngx_uint_t ngx_http_miqps_corpus_html(ngx_http_request_t *r);
static ngx_inline uint64_t ngx_http_miqps_corpus_url(ngx_http_request_t *r,
    const uint64_t *seed);
static ngx_uint_t ngx_http_miqps_corpus_known(ngx_http_request_t *r,
    ngx_http_miqps_corpus_t *corpus) ngx_http_miqps_apart;
static ngx_int_t ngx_http_miqps_corpus_other(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf) ngx_http_miqps_apart;
static ngx_int_t ngx_http_miqps_corpus_first(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf) ngx_http_miqps_apart;
static ngx_http_miqps_corpus_e ngx_http_miqps_corpus_new(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, uint64_t hash)
    ngx_http_miqps_apart;
static ngx_uint_t ngx_http_miqps_corpus_wanted(ngx_http_request_t *r,
    ngx_http_miqps_corpus_t *corpus);
static ngx_uint_t ngx_http_miqps_corpus_kept(ngx_http_request_t *r);
static ngx_uint_t ngx_http_miqps_corpus_private(ngx_list_t *headers);
static ngx_http_miqps_corpus_e ngx_http_miqps_corpus_judge(
    ngx_http_request_t *r, ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host);


/*
 * What a request already seen goes through; the rest is for new ones.  By far
 * most requests that are not eligible are so by what is looked at first.
 */

ngx_int_t
ngx_http_miqps_corpus_handler(ngx_http_request_t *r)
{
    ngx_http_miqps_corpus_e     what;
    ngx_http_miqps_corpus_t    *corpus;
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);
    corpus = mlcf->corpus;

    if (corpus == NULL || r != r->main) {
        return NGX_OK;
    }

    if (r->method != NGX_HTTP_GET) {
        what = NGX_HTTP_MIQPS_CORPUS_METHOD;

    } else if (r->headers_out.status != NGX_HTTP_OK) {
        what = NGX_HTTP_MIQPS_CORPUS_STATUS;

    } else if (r->headers_out.content_type_len != sizeof("text/html") - 1
               || r->headers_out.content_type.data[0] != 't')
    {
        return ngx_http_miqps_corpus_other(r, mlcf);

    } else if (!ngx_http_miqps_corpus_known(r, corpus)) {
        return ngx_http_miqps_corpus_first(r, mlcf);

    } else {
        what = NGX_HTTP_MIQPS_CORPUS_SEEN;
    }

    mlcf->main->counts->corpus[what]++;

    return NGX_OK;
}


static ngx_uint_t
ngx_http_miqps_corpus_known(ngx_http_request_t *r,
    ngx_http_miqps_corpus_t *corpus)
{
    uint64_t  hash;

    hash = ngx_http_miqps_corpus_url(r, corpus->seen->sh->seed);

    return ngx_http_miqps_urls_has(corpus->seen, hash, corpus->age);
}


static ngx_inline uint64_t
ngx_http_miqps_corpus_url(ngx_http_request_t *r, const uint64_t *seed)
{
    uint64_t  hash;

    hash = ngx_http_miqps_corpus_hash(r->headers_in.server.data,
                                      r->headers_in.server.len, seed, seed[0]);
#if (NGX_HTTP_SSL)
    hash += (r->connection->ssl != NULL);
#endif

    return ngx_http_miqps_corpus_hash(r->uri_start, r->uri_end - r->uri_start,
                                      seed, hash);
}


/* a response that is not HTML, or not by the usual name */

static ngx_int_t
ngx_http_miqps_corpus_other(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    if (!ngx_http_miqps_corpus_html(r)) {
        mlcf->main->counts->corpus[NGX_HTTP_MIQPS_CORPUS_TYPE]++;
        return NGX_OK;
    }

    return ngx_http_miqps_corpus_first(r, mlcf);
}


/* the same for one that may be new; calls are here, to save no registers */

static ngx_int_t
ngx_http_miqps_corpus_first(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf)
{
    uint64_t                 hash;
    ngx_http_miqps_corpus_e  what;

    hash = ngx_http_miqps_corpus_url(r, mlcf->corpus->seen->sh->seed);

    ngx_http_miqps_urls_turn(mlcf->corpus->seen, mlcf->corpus->age);

    what = ngx_http_miqps_urls_has(mlcf->corpus->seen, hash, (uint32_t) -1)
           ? NGX_HTTP_MIQPS_CORPUS_SEEN
           : ngx_http_miqps_corpus_new(r, mlcf, hash);

    mlcf->main->counts->corpus[what]++;

    return NGX_OK;
}


/*
 * Four words and what came before become one, under three secret numbers, so
 * that nobody can make two URLs that are one here.  Should it happen, one of
 * them is not collected.
 */

static ngx_inline uint64_t
ngx_http_miqps_corpus_mix(const u_char *p, const u_char *q,
    const uint64_t *seed, uint64_t hash)
{
    uint64_t            word[4];
    miqps_image_u128_t  product;

    ngx_memcpy(word, p, 2 * sizeof(uint64_t));
    ngx_memcpy(word + 2, q, 2 * sizeof(uint64_t));

    product = (miqps_image_u128_t) ((word[0] + word[1] * seed[1]) ^ hash)
              * (word[2] + word[3] * seed[2]);

    return (uint64_t) product ^ (uint64_t) (product >> 64);
}


static ngx_inline uint64_t
ngx_http_miqps_corpus_hash(const u_char *p, size_t len, const uint64_t *seed,
    uint64_t hash)
{
    size_t         i;
    uint64_t       word[2];
    const u_char  *last;

    hash += len;

    if (len < 16) {

        /* the length is part of it, so that bytes may be there twice */

        if (len >= 8) {
            ngx_memcpy(&word[0], p, sizeof(uint64_t));
            ngx_memcpy(&word[1], p + len - 8, sizeof(uint64_t));

        } else {
            word[0] = 0;
            word[1] = 0;

            for (i = 0; i < len; i++) {
                word[0] = word[0] << 8 | p[i];
            }
        }

        return ngx_http_miqps_corpus_mix((u_char *) word, (u_char *) word,
                                         seed, hash);
    }

    last = p + len - 16;

    if (len < 32) {
        return ngx_http_miqps_corpus_mix(p, last, seed, hash);
    }

    /* of the last ones, some were there before */

    for ( /* void */ ; p < last - 16; p += 32) {
        hash = ngx_http_miqps_corpus_mix(p, p + 16, seed, hash);
    }

    return ngx_http_miqps_corpus_mix(last - 16, last, seed, hash);
}


/* by what is left to be told; NGX_HTTP_MIQPS_CORPUS_LINES if it is */

static ngx_http_miqps_corpus_e
ngx_http_miqps_corpus_eligible(ngx_http_request_t *r)
{
    if (!ngx_http_miqps_corpus_html(r)) {
        return NGX_HTTP_MIQPS_CORPUS_TYPE;
    }

    if (ngx_http_miqps_corpus_body(r)) {
        return NGX_HTTP_MIQPS_CORPUS_BODY;
    }

    if (r->error_page || r->err_status != 0) {
        return NGX_HTTP_MIQPS_CORPUS_STATUS;
    }

    if (r->headers_in.authorization != NULL) {
        return NGX_HTTP_MIQPS_CORPUS_AUTHORIZATION;
    }

    /* what the learner fetches, it must not learn from; anybody may say so */

    if (ngx_http_miqps_learn_mark(r) != NULL) {
        return NGX_HTTP_MIQPS_CORPUS_LEARNER;
    }

    if (r->uri_start == NULL || r->headers_in.server.len == 0
        || r->unparsed_uri.len == 0 || r->empty_path_in_uri
        || r->uri_start[0] != '/' || r->headers_in.server.len > MIQPS_MAX_HOST
        || r->uri_end - r->uri_start > NGX_HTTP_MIQPS_CORPUS_TARGET_LEN)
    {
        return NGX_HTTP_MIQPS_CORPUS_TARGET;
    }

    return NGX_HTTP_MIQPS_CORPUS_LINES;
}


/* of a body that was thrown away, nginx forgets the length */

static ngx_uint_t
ngx_http_miqps_corpus_body(ngx_http_request_t *r)
{
    ngx_table_elt_t  *length;

    length = r->headers_in.content_length;

    return r->headers_in.content_length_n > 0
           || r->headers_in.transfer_encoding != NULL
           || (length != NULL
               && (length->value.len != 1 || length->value.data[0] != '0'));
}


static ngx_uint_t
ngx_http_miqps_corpus_html(ngx_http_request_t *r)
{
    ngx_uint_t  i;

    static ngx_str_t  types[] = {
        ngx_string("text/html"),
        ngx_string("application/xhtml+xml")
    };

    for (i = 0; i < 2; i++) {
        if (r->headers_out.content_type_len == types[i].len
            && ngx_strncasecmp(r->headers_out.content_type.data,
                               types[i].data, types[i].len)
               == 0)
        {
            return 1;
        }
    }

    return 0;
}


static ngx_http_miqps_corpus_e
ngx_http_miqps_corpus_new(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, uint64_t hash)
{
    ngx_int_t                 rc;
    ngx_str_t                 host, target;
    ngx_http_miqps_corpus_e   what;
    ngx_http_miqps_corpus_t  *corpus;

    corpus = mlcf->corpus;

    what = ngx_http_miqps_corpus_eligible(r);

    if (what != NGX_HTTP_MIQPS_CORPUS_LINES) {
        return what;
    }

    host = r->headers_in.server;
    target.data = r->uri_start;
    target.len = r->uri_end - r->uri_start;

    /* other bits than those that say where it is looked for */

    if (corpus->sample != 0
        && (uint32_t) (hash * MIQPS_HASH_FACTOR >> 32) >= corpus->sample)
    {
        return NGX_HTTP_MIQPS_CORPUS_SAMPLE;
    }

    if (!ngx_http_miqps_corpus_wanted(r, corpus)) {
        return NGX_HTTP_MIQPS_CORPUS_IF;
    }

    if (!corpus->private && !ngx_http_miqps_corpus_kept(r)
        && (ngx_http_miqps_corpus_private(&r->headers_out.headers)
            || (r->upstream != NULL
                && ngx_http_miqps_corpus_private(
                       &r->upstream->headers_in.headers))))
    {
        return NGX_HTTP_MIQPS_CORPUS_PRIVATE;
    }

    what = ngx_http_miqps_corpus_judge(r, mlcf, &host);

    if (what != NGX_HTTP_MIQPS_CORPUS_LINES) {
        return what;
    }

    rc = ngx_http_miqps_urls_add(corpus->seen, hash);

    if (rc == NGX_DONE) {
        return NGX_HTTP_MIQPS_CORPUS_SEEN;
    }

    if (rc != NGX_OK
        || ngx_http_miqps_corpus_line(r, corpus, &host, &target) != NGX_OK)
    {
        return NGX_HTTP_MIQPS_CORPUS_SKIPPED;
    }

    return NGX_HTTP_MIQPS_CORPUS_LINES;
}


/* as "if" of access_log */

static ngx_uint_t
ngx_http_miqps_corpus_wanted(ngx_http_request_t *r,
    ngx_http_miqps_corpus_t *corpus)
{
    ngx_str_t  value;

    if (corpus->filter == NULL) {
        return 1;
    }

    if (ngx_http_complex_value(r, corpus->filter, &value) != NGX_OK) {
        return 0;
    }

    return value.len > 1 || (value.len == 1 && value.data[0] != '0');
}


/* what nginx has in its cache is for all */

static ngx_uint_t
ngx_http_miqps_corpus_kept(ngx_http_request_t *r)
{
#if (NGX_HTTP_CACHE)
    return r->cached || (r->upstream != NULL && r->cache != NULL
                         && r->upstream->cacheable);
#else
    return 0;
#endif
}


/* there may be several, and nginx has kept them in different ways */

static ngx_uint_t
ngx_http_miqps_corpus_private(ngx_list_t *headers)
{
    u_char           *last;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    static ngx_str_t  name = ngx_string("Cache-Control");

    for (part = &headers->part; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (header[i].hash == 0 || header[i].key.len != name.len
                || ngx_strncasecmp(header[i].key.data, name.data, name.len)
                   != 0)
            {
                continue;
            }

            last = header[i].value.data + header[i].value.len;

            if (ngx_strlcasestrn(header[i].value.data, last,
                                 (u_char *) "private", 7 - 1)
                != NULL
                || ngx_strlcasestrn(header[i].value.data, last,
                                    (u_char *) "no-store", 8 - 1)
                   != NULL)
            {
                return 1;
            }
        }
    }

    return 0;
}


/* by the URL itself */

static ngx_http_miqps_corpus_e
ngx_http_miqps_corpus_judge(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host)
{
    ngx_str_t       path, args;
    miqps_str_t     given, query;
    miqps_result_t  res;

    ngx_http_miqps_raw(r, &path, &args);

    if (ngx_http_miqps_normalize(r, mlcf, 0, host, &path, &args, &res)
        != NGX_OK)
    {
        return NGX_HTTP_MIQPS_CORPUS_SKIPPED;
    }

    switch (res.guard) {

    case MIQPS_GUARD_PASS:
        break;

    case MIQPS_GUARD_SIGNED:
    case MIQPS_GUARD_OAUTH:
    case MIQPS_GUARD_SECRET:
        return NGX_HTTP_MIQPS_CORPUS_SECRET;

    default:
        return NGX_HTTP_MIQPS_CORPUS_GUARD;
    }

    given.data = path.data;
    given.len = path.len;
    query.data = args.data;
    query.len = args.len;

    switch (miqps_collect_judge(mlcf->main->memo, &given, &query,
                                mlcf->main->buf)) {

    case MIQPS_COLLECT_PASS:
        return NGX_HTTP_MIQPS_CORPUS_LINES;

    case MIQPS_COLLECT_PERSONAL:
        return NGX_HTTP_MIQPS_CORPUS_PERSONAL;

    case MIQPS_COLLECT_ACT:
        return NGX_HTTP_MIQPS_CORPUS_ACT;

    default:
        return NGX_HTTP_MIQPS_CORPUS_SECRET;
    }
}


const char *
ngx_http_miqps_corpus_name(ngx_http_miqps_corpus_e what)
{
    static const char *const  name[] = {
        "lines", "seen", "skipped", "errors", "method", "body", "status",
        "authorization", "learner", "type", "target", "sample", "if",
        "private", "guard", "secret", "personal", "act"
    };

    return name[what];
}
