
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * Going back to an older image, and what is remembered of it.  A process may
 * be killed between any two stores here: then either nothing has changed but
 * that an image, still in use, would not be loaded again; or all has.
 */


static ngx_uint_t ngx_http_miqps_back_find(ngx_http_miqps_zone_sh_t *sh,
    const u_char *checksum);
static void ngx_http_miqps_back_add(ngx_http_miqps_zone_sh_t *sh,
    const u_char *checksum);


#define NGX_HTTP_MIQPS_BACK_NONE  NGX_HTTP_MIQPS_MAX_BACK


ngx_int_t
ngx_http_miqps_zone_rollback(ngx_http_miqps_zone_t *zone)
{
    ngx_int_t                  slot;
    ngx_uint_t                 from;
    ngx_http_miqps_zone_sh_t  *sh;

    sh = zone->sh;

    if (zone->reload != sh->reload
        || ngx_http_miqps_zone_lock(zone) != NGX_OK)
    {
        return NGX_BUSY;
    }

    slot = ngx_http_miqps_zone_previous(zone);

    if (slot != NGX_DECLINED) {
        from = (sh->current & 3) - 1;

        ngx_http_miqps_back_add(sh, sh->slots[from].checksum);
        ngx_http_miqps_zone_swap(zone, slot);

        /* the first to be filled again */

        sh->slots[from].generation = 0;
    }

    ngx_http_miqps_zone_unlock(zone);

    return (slot != NGX_DECLINED) ? NGX_OK : NGX_DECLINED;
}


ngx_int_t
ngx_http_miqps_zone_previous(ngx_http_miqps_zone_t *zone)
{
    ngx_int_t                  found;
    ngx_uint_t                 i;
    ngx_http_miqps_slot_t     *slot;
    ngx_http_miqps_zone_sh_t  *sh;

    sh = zone->sh;
    slot = sh->slots;
    found = NGX_DECLINED;

    if (sh->current == 0) {
        return NGX_DECLINED;
    }

    for (i = 0; i < NGX_HTTP_MIQPS_SLOTS; i++) {

        if (i + 1 == (sh->current & 3) || slot[i].generation == 0
            || ngx_http_miqps_zone_is_current(zone, slot[i].checksum)
            || ngx_http_miqps_zone_was_back(zone, slot[i].checksum))
        {
            continue;
        }

        if (found == NGX_DECLINED
            || slot[i].generation > slot[found].generation)
        {
            found = i;
        }
    }

    return found;
}


ngx_uint_t
ngx_http_miqps_zone_was_back(ngx_http_miqps_zone_t *zone,
    const u_char *checksum)
{
    return ngx_http_miqps_back_find(zone->sh, checksum)
           != NGX_HTTP_MIQPS_BACK_NONE;
}


static ngx_uint_t
ngx_http_miqps_back_find(ngx_http_miqps_zone_sh_t *sh, const u_char *checksum)
{
    ngx_uint_t  i, n;

    n = ngx_min(sh->nback, NGX_HTTP_MIQPS_MAX_BACK);

    for (i = 0; i < n; i++) {
        if (ngx_memcmp(sh->back[i], checksum, MIQPS_IMAGE_CHECKSUM) == 0) {
            return i;
        }
    }

    return NGX_HTTP_MIQPS_BACK_NONE;
}


/* takes the place of the oldest if there are too many */

static void
ngx_http_miqps_back_add(ngx_http_miqps_zone_sh_t *sh, const u_char *checksum)
{
    if (ngx_http_miqps_back_find(sh, checksum) != NGX_HTTP_MIQPS_BACK_NONE) {
        return;
    }

    ngx_memcpy(sh->back[sh->nback % NGX_HTTP_MIQPS_MAX_BACK], checksum,
               MIQPS_IMAGE_CHECKSUM);

    __sync_synchronize();

    sh->nback++;
}


/* no image has a checksum of zeros */

void
ngx_http_miqps_zone_forget(ngx_http_miqps_zone_t *zone,
    const u_char *checksum)
{
    ngx_uint_t  i;

    i = ngx_http_miqps_back_find(zone->sh, checksum);

    if (i != NGX_HTTP_MIQPS_BACK_NONE) {
        ngx_memzero(zone->sh->back[i], MIQPS_IMAGE_CHECKSUM);
    }
}


void
ngx_http_miqps_zone_inherit(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_t *old)
{
    zone->sh->off = old->sh->off;
    zone->sh->nback = old->sh->nback;

    ngx_memcpy(zone->sh->back, old->sh->back, sizeof(zone->sh->back));

    (void) ngx_atomic_fetch_add(&old->sh->reload, 1);
}


void
ngx_http_miqps_zone_adopt(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_t *old)
{
    const char             *why;
    miqps_image_t           image;
    ngx_http_miqps_slot_t  *from, *to;

    if (old->sh->current == 0) {
        return;
    }

    from = &old->sh->slots[(old->sh->current & 3) - 1];

    if (from->size > zone->sh->room
        || ngx_http_miqps_zone_lock(zone) != NGX_OK)
    {
        return;
    }

    ngx_memcpy(zone->slots, old->slots + (from - old->sh->slots)
                                         * old->sh->room,
               from->size);

    if (miqps_image_open(&image, zone->slots, from->size, &why) == MIQPS_OK) {
        to = &zone->sh->slots[0];

        to->size = from->size;
        ngx_memcpy(to->checksum, from->checksum, MIQPS_IMAGE_CHECKSUM);

        ngx_http_miqps_zone_swap(zone, 0);
    }

    ngx_http_miqps_zone_unlock(zone);
}


/* without the lock: who loads a large file must not make others wait */

void
ngx_http_miqps_zone_state(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_state_t *state)
{
    ngx_int_t                   slot;
    ngx_uint_t                  i;
    ngx_atomic_uint_t           current;
    ngx_http_miqps_zone_sh_t   *sh;

    static const u_char  none[MIQPS_IMAGE_CHECKSUM];

    sh = zone->sh;

    do {
        ngx_memzero(state, sizeof(ngx_http_miqps_zone_state_t));

        current = sh->current;
        ngx_memory_barrier();

        if (current != 0) {
            state->current = sh->slots[(current & 3) - 1];
            state->current.generation = current >> 2;
        }

        slot = ngx_http_miqps_zone_previous(zone);

        if (slot != NGX_DECLINED) {
            state->previous = sh->slots[slot];
        }

        ngx_memory_barrier();

    } while (sh->current != current);

    for (i = 0; i < ngx_min(sh->nback, NGX_HTTP_MIQPS_MAX_BACK); i++) {
        if (ngx_memcmp(sh->back[i], none, MIQPS_IMAGE_CHECKSUM) != 0) {
            ngx_memcpy(state->back[state->nback++], sh->back[i],
                       MIQPS_IMAGE_CHECKSUM);
        }
    }

    state->off = sh->off;
    state->swaps = sh->swaps;
    state->refused = sh->refused;
    state->skipped = sh->skipped;
}
