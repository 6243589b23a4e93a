
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * No module tells another what its keys are made of, so the configuration is
 * read once more.  All that comes of it is a warning: whatever is not
 * understood ends the reading, and nothing else.
 *
 * Blocks are kept as a tree.  A location has the mode and the keys of the
 * blocks around it, as far as it has none of its own.
 */

#define NGX_HTTP_MIQPS_KEY_KINDS  4


typedef struct {
    ngx_str_t                    file;
    ngx_uint_t                   line;
    ngx_uint_t                   clean;       /* unsigned  clean:1; */
    ngx_uint_t                   warned;      /* unsigned  warned:1; */
} ngx_http_miqps_key_t;


typedef struct ngx_http_miqps_block_s  ngx_http_miqps_block_t;

struct ngx_http_miqps_block_s {
    ngx_http_miqps_block_t      *parent;
    ngx_http_miqps_block_t      *next;        /* in order of the text */
    ngx_uint_t                   mode;
    ngx_uint_t                   location;    /* unsigned  location:1; */
    ngx_http_miqps_key_t        *keys[NGX_HTTP_MIQPS_KEY_KINDS];
};


typedef struct {
    ngx_pool_t                  *pool;
    ngx_http_miqps_block_t      *first;
    ngx_http_miqps_block_t      *latest;
    ngx_http_miqps_block_t      *inner;       /* not yet closed */
} ngx_http_miqps_blocks_t;


static ngx_int_t ngx_http_miqps_keys_text(ngx_http_miqps_text_e what,
    ngx_http_miqps_text_t *text, void *data);
static ngx_int_t ngx_http_miqps_keys_open(ngx_http_miqps_blocks_t *blocks,
    ngx_http_miqps_text_t *text);
static ngx_int_t ngx_http_miqps_keys_directive(
    ngx_http_miqps_blocks_t *blocks, ngx_http_miqps_text_t *text);
static ngx_uint_t ngx_http_miqps_keys_clean(ngx_str_t *word);
static void ngx_http_miqps_keys_judge(ngx_conf_t *cf,
    ngx_http_miqps_block_t *block);
static ngx_uint_t ngx_http_miqps_keys_is(ngx_str_t *word, const char *text);


static const char *const  ngx_http_miqps_key_directives[] = {
    "proxy_cache_key",
    "fastcgi_cache_key",
    "uwsgi_cache_key",
    "scgi_cache_key"
};


/* what stands for all arguments, or all that are kept */

static const char *const  ngx_http_miqps_clean_variables[] = {
    "uri", "args", "url", "key"
};


void
ngx_http_miqps_keys_conf(ngx_conf_t *cf)
{
    ngx_http_miqps_block_t   *block;
    ngx_http_miqps_blocks_t   blocks;

    ngx_memzero(&blocks, sizeof(ngx_http_miqps_blocks_t));

    blocks.pool = ngx_create_pool(NGX_CYCLE_POOL_SIZE, cf->log);

    if (blocks.pool == NULL) {
        return;
    }

    if (ngx_http_miqps_text_read(cf, blocks.pool, ngx_http_miqps_keys_text,
                                 &blocks)
        == NGX_OK)
    {
        for (block = blocks.first; block != NULL; block = block->next) {

            if (block->location) {
                ngx_http_miqps_keys_judge(cf, block);
            }
        }
    }

    ngx_destroy_pool(blocks.pool);
}


static ngx_int_t
ngx_http_miqps_keys_text(ngx_http_miqps_text_e what,
    ngx_http_miqps_text_t *text, void *data)
{
    ngx_http_miqps_blocks_t  *blocks = data;

    switch (what) {

    case NGX_HTTP_MIQPS_OPEN:
        return ngx_http_miqps_keys_open(blocks, text);

    case NGX_HTTP_MIQPS_CLOSE:

        if (blocks->inner == NULL) {
            return NGX_ERROR;
        }

        blocks->inner = blocks->inner->parent;

        return NGX_OK;

    default: /* NGX_HTTP_MIQPS_DIRECTIVE */
        return ngx_http_miqps_keys_directive(blocks, text);
    }
}


static ngx_int_t
ngx_http_miqps_keys_open(ngx_http_miqps_blocks_t *blocks,
    ngx_http_miqps_text_t *text)
{
    ngx_str_t               *word;
    ngx_http_miqps_block_t  *block;

    block = ngx_pcalloc(blocks->pool, sizeof(ngx_http_miqps_block_t));

    if (block == NULL || text->words.nelts == 0) {
        return NGX_ERROR;
    }

    word = text->words.elts;

    /* what follows is in a language of its own */

    if (word->len > sizeof("_block") - 1
        && ngx_strncmp(word->data + word->len - (sizeof("_block") - 1),
                       "_block", sizeof("_block") - 1)
           == 0)
    {
        return NGX_ERROR;
    }

    block->mode = NGX_CONF_UNSET_UINT;
    block->location = ngx_http_miqps_keys_is(word, "location");
    block->parent = blocks->inner;

    if (blocks->first == NULL) {
        blocks->first = block;

    } else {
        blocks->latest->next = block;
    }

    blocks->latest = block;
    blocks->inner = block;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_keys_directive(ngx_http_miqps_blocks_t *blocks,
    ngx_http_miqps_text_t *text)
{
    ngx_str_t             *word;
    ngx_uint_t             i;
    ngx_http_miqps_key_t  *key;

    if (text->words.nelts < 2 || blocks->inner == NULL) {
        return NGX_OK;
    }

    word = text->words.elts;

    if (ngx_http_miqps_keys_is(&word[0], "miqps")) {
        blocks->inner->mode = ngx_http_miqps_keys_is(&word[1], "annotate")
                              ? NGX_HTTP_MIQPS_ANNOTATE : NGX_HTTP_MIQPS_OFF;
        return NGX_OK;
    }

    for (i = 0; i < NGX_HTTP_MIQPS_KEY_KINDS; i++) {
        if (ngx_http_miqps_keys_is(&word[0], ngx_http_miqps_key_directives[i]))
        {
            break;
        }
    }

    if (i == NGX_HTTP_MIQPS_KEY_KINDS) {
        return NGX_OK;
    }

    key = ngx_pcalloc(blocks->pool, sizeof(ngx_http_miqps_key_t));
    if (key == NULL) {
        return NGX_ERROR;
    }

    key->file = text->file;
    key->line = text->line;
    key->clean = ngx_http_miqps_keys_clean(&word[1]);

    blocks->inner->keys[i] = key;

    return NGX_OK;
}


/* has "$miqps_uri", "${miqps_uri}" or another that is coarser than the URL */

static ngx_uint_t
ngx_http_miqps_keys_clean(ngx_str_t *word)
{
    u_char      *p, *last;
    size_t       len;
    ngx_uint_t   i;

    last = word->data + word->len;
    p = word->data;

    while ((p = ngx_strlcasestrn(p, last, (u_char *) "miqps_", 6 - 1)) != NULL)
    {
        p += sizeof("miqps_") - 1;

        for (i = 0; i < 4; i++) {
            len = ngx_strlen(ngx_http_miqps_clean_variables[i]);

            if ((size_t) (last - p) >= len
                && ngx_strncasecmp(p,
                               (u_char *) ngx_http_miqps_clean_variables[i],
                               len)
                   == 0)
            {
                return 1;
            }
        }
    }

    return 0;
}


/* a location with the mode and the keys that it has, or those around it */

static void
ngx_http_miqps_keys_judge(ngx_conf_t *cf, ngx_http_miqps_block_t *block)
{
    ngx_uint_t               i, mode;
    ngx_http_miqps_key_t    *key;
    ngx_http_miqps_block_t  *outer;

    mode = NGX_CONF_UNSET_UINT;

    for (outer = block; outer != NULL; outer = outer->parent) {
        mode = (mode == NGX_CONF_UNSET_UINT) ? outer->mode : mode;
    }

    if (mode != NGX_HTTP_MIQPS_ANNOTATE) {
        return;
    }

    for (i = 0; i < NGX_HTTP_MIQPS_KEY_KINDS; i++) {

        key = NULL;

        for (outer = block; outer != NULL && key == NULL; outer = outer->parent)
        {
            key = outer->keys[i];
        }

        if (key == NULL || !key->clean || key->warned) {
            continue;
        }

        key->warned = 1;

        ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                      "\"%s\" is made from \"$miqps_*\" for a location "
                      "with \"miqps annotate\", where it will have what the "
                      "client sent; use \"miqps rewrite\" there in %V:%ui",
                      ngx_http_miqps_key_directives[i], &key->file, key->line);
    }
}


static ngx_uint_t
ngx_http_miqps_keys_is(ngx_str_t *word, const char *text)
{
    size_t  len;

    len = ngx_strlen(text);

    return word->len == len && ngx_strncmp(word->data, text, len) == 0;
}
