
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"

#include <ngx_sha1.h>


static ngx_int_t ngx_http_miqps_urls_init_zone(ngx_shm_zone_t *shm_zone,
    void *data);
static void ngx_http_miqps_urls_random(u_char *p, size_t len, ngx_log_t *log);
static ngx_int_t ngx_http_miqps_urls_find(ngx_http_miqps_urls_t *seen,
    uint64_t hash, uint64_t state, volatile uint32_t **slot, uint32_t *old);
static void ngx_http_miqps_urls_address(ngx_connection_t *c, ngx_sha1_t *sha1);


#define ngx_http_miqps_urls_slots(sh)  ((volatile uint32_t *) ((sh) + 1))


void
ngx_http_miqps_urls_next(ngx_http_miqps_urls_t *seen, uint64_t state)
{
    uint64_t  next;

    next = (ngx_http_miqps_urls_epoch(state) + 1) & 0xff;
    next = next << 24 | (seen->sh->added / 64 & 0xffffff);
    next = next << 32 | ngx_http_miqps_urls_now();

    (void) __sync_bool_compare_and_swap(&seen->sh->state, state, next);
}


ngx_int_t
ngx_http_miqps_urls_add(ngx_http_miqps_urls_t *seen, uint64_t hash)
{
    uint32_t            old, entry;
    uint64_t            state, added;
    ngx_int_t           rc;
    ngx_uint_t          i;
    volatile uint32_t  *slot;

    for (i = 0; i < NGX_HTTP_MIQPS_URLS_TRIES; i++) {
        state = seen->sh->state;

        rc = ngx_http_miqps_urls_find(seen, hash, state, &slot, &old);

        if (rc != NGX_OK) {
            return rc;
        }

        entry = ngx_http_miqps_urls_entry(ngx_http_miqps_urls_epoch(state),
                                          hash);

        if (!__sync_bool_compare_and_swap(slot, old, entry)) {
            continue;
        }

        added = ngx_atomic_fetch_add(&seen->sh->added, 1) / 64;

        if (((added - (state >> 32)) & 0xffffff)
            > seen->sh->nslots / 4 / 64)
        {
            ngx_http_miqps_urls_next(seen, state);
        }

        return NGX_OK;
    }

    return NGX_DECLINED;
}


/* the first free entry, and what is in it; results are those of add() */

static ngx_int_t
ngx_http_miqps_urls_find(ngx_http_miqps_urls_t *seen, uint64_t hash,
    uint64_t state, volatile uint32_t **slot, uint32_t *old)
{
    uint32_t            fingerprint, e;
    volatile uint32_t  *p, *last;

    fingerprint = ngx_http_miqps_urls_fingerprint(hash) << 8;

    p = ngx_http_miqps_urls_place(seen, hash);
    last = p + NGX_HTTP_MIQPS_URLS_NEAR;

    *slot = NULL;

    for ( /* void */ ; p < last; p++) {
        e = *p;

        if (ngx_http_miqps_urls_alive(e, state)) {

            if (e << 8 == fingerprint) {
                return NGX_DONE;
            }

            continue;
        }

        if (*slot == NULL) {
            *slot = p;
            *old = e;
        }

        if (e == 0) {
            break;
        }
    }

    return (*slot != NULL) ? NGX_OK : NGX_DECLINED;
}


/* a hash with a key that only this memory has; networks of IPv6 are one */

void
ngx_http_miqps_urls_client(ngx_http_miqps_urls_t *seen, ngx_connection_t *c,
    u_char *hex)
{
    u_char      digest[20];
    ngx_sha1_t  sha1;

    ngx_sha1_init(&sha1);
    ngx_sha1_update(&sha1, seen->sh->key, NGX_HTTP_MIQPS_URLS_KEY);
    ngx_http_miqps_urls_address(c, &sha1);
    ngx_sha1_update(&sha1, seen->sh->key, NGX_HTTP_MIQPS_URLS_KEY);
    ngx_sha1_final(digest, &sha1);

    hex = ngx_hex_dump(hex, seen->sh->name, NGX_HTTP_MIQPS_URLS_NAME);

    (void) ngx_hex_dump(hex, digest, NGX_HTTP_MIQPS_CLIENT_LEN / 2
                                     - NGX_HTTP_MIQPS_URLS_NAME);
}


static void
ngx_http_miqps_urls_address(ngx_connection_t *c, ngx_sha1_t *sha1)
{
    struct sockaddr_in   *sin;
#if (NGX_HAVE_INET6)
    struct in6_addr      *addr;
#endif

    switch (c->sockaddr->sa_family) {

#if (NGX_HAVE_INET6)
    case AF_INET6:
        addr = &((struct sockaddr_in6 *) c->sockaddr)->sin6_addr;

        if (IN6_IS_ADDR_V4MAPPED(addr)) {
            ngx_sha1_update(sha1, addr->s6_addr + 12, 4);

        } else {
            ngx_sha1_update(sha1, addr->s6_addr, 8);
        }

        break;
#endif

    case AF_INET:
        sin = (struct sockaddr_in *) c->sockaddr;
        ngx_sha1_update(sha1, &sin->sin_addr, 4);
        break;

    default:
        break;
    }
}


ngx_http_miqps_urls_t *
ngx_http_miqps_urls_add_zone(ngx_conf_t *cf, ngx_str_t *name, size_t size)
{
    ngx_str_t               full;
    ngx_shm_zone_t         *shm_zone;
    ngx_http_miqps_urls_t  *seen;

    /* names of their own: miqps_zone has zones too */

    full.len = sizeof("miqps_corpus:") - 1 + name->len;
    full.data = ngx_pnalloc(cf->pool, full.len);
    if (full.data == NULL) {
        return NULL;
    }

    ngx_sprintf(full.data, "miqps_corpus:%V", name);

    shm_zone = ngx_shared_memory_add(cf, &full, size, &ngx_http_miqps_module);
    if (shm_zone == NULL) {
        return NULL;
    }

    if (shm_zone->data != NULL) {
        return shm_zone->data;
    }

    if (size == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "the zone \"%V\" of \"miqps_corpus\" needs a size "
                           "where it is named first", name);
        return NULL;
    }

    seen = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_urls_t));
    if (seen == NULL) {
        return NULL;
    }

    seen->shm_zone = shm_zone;

    shm_zone->init = ngx_http_miqps_urls_init_zone;
    shm_zone->data = seen;

    return seen;
}


static ngx_int_t
ngx_http_miqps_urls_init_zone(ngx_shm_zone_t *shm_zone, void *data)
{
    ngx_http_miqps_urls_t  *old = data;

    size_t                     size;
    ngx_slab_pool_t           *shpool;
    ngx_http_miqps_urls_t     *seen;
    ngx_http_miqps_urls_sh_t  *sh;

    seen = shm_zone->data;

    if (old != NULL) {
        seen->sh = old->sh;
        seen->slots = old->slots;
        return NGX_OK;
    }

    shpool = (ngx_slab_pool_t *) shm_zone->shm.addr;
    shpool->log_nomem = 0;

    /* all that the slab allocator leaves */

    sh = NULL;
    size = shm_zone->shm.size & ~(ngx_pagesize - 1);

    while (sh == NULL && size > ngx_pagesize) {
        size -= ngx_pagesize;
        sh = ngx_slab_alloc(shpool, size);
    }

    if (sh == NULL) {
        ngx_log_error(NGX_LOG_EMERG, shm_zone->shm.log, 0,
                      "there is no room in the zone \"%V\"",
                      &shm_zone->shm.name);
        return NGX_ERROR;
    }

    ngx_memzero(sh, size);

    sh->nslots = (size - sizeof(ngx_http_miqps_urls_sh_t)) / sizeof(uint32_t)
                 - NGX_HTTP_MIQPS_URLS_NEAR;
    sh->state = ngx_http_miqps_urls_now();

    ngx_http_miqps_urls_random(sh->key, sizeof(sh->key), shm_zone->shm.log);
    ngx_http_miqps_urls_random(sh->name, sizeof(sh->name), shm_zone->shm.log);
    ngx_http_miqps_urls_random((u_char *) sh->seed, sizeof(sh->seed),
                               shm_zone->shm.log);

    /* 0 is the name of the program's own key */

    sh->name[0] |= 1;

    sh->seed[1] |= 1;
    sh->seed[2] |= 1;

    seen->sh = sh;
    seen->slots = ngx_http_miqps_urls_slots(sh);

    return NGX_OK;
}


static void
ngx_http_miqps_urls_random(u_char *p, size_t len, ngx_log_t *log)
{
    size_t    i;
    ssize_t   n;
    ngx_fd_t  fd;

    /* better than nothing, where there is nothing better */

    for (i = 0; i < len; i++) {
        p[i] = (u_char) (ngx_random() >> 8);
    }

    fd = ngx_open_file("/dev/urandom", NGX_FILE_RDONLY, NGX_FILE_OPEN, 0);

    if (fd == NGX_INVALID_FILE) {
        ngx_log_error(NGX_LOG_WARN, log, ngx_errno,
                      ngx_open_file_n " \"/dev/urandom\" failed");
        return;
    }

    n = ngx_read_fd(fd, p, len);

    if (n != (ssize_t) len) {
        ngx_log_error(NGX_LOG_WARN, log, ngx_errno,
                      ngx_read_fd_n " \"/dev/urandom\" failed");
    }

    if (ngx_close_file(fd) == NGX_FILE_ERROR) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      ngx_close_file_n " \"/dev/urandom\" failed");
    }
}
