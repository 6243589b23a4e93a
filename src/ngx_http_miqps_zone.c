
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_uint_t ngx_http_miqps_zone_read(ngx_http_miqps_zone_sh_t *sh,
    ngx_uint_t slot);
static ngx_uint_t ngx_http_miqps_zone_gone(ngx_atomic_uint_t pid);
static char *ngx_http_miqps_zone_option(ngx_conf_t *cf,
    ngx_http_miqps_zone_t *zone, ngx_str_t *value);


/*
 * The word is that of the process's place in the master's table.  Who takes
 * the place of a worker that died takes its word, whatever was left there, and
 * ends what it was writing.
 */

void
ngx_http_miqps_zone_join(ngx_http_miqps_zone_t *zone)
{
    ngx_http_miqps_zone_reader_t  *reader;

    reader = &zone->sh->readers[ngx_process_slot];

    if (reader->pid != 0) {
        (void) ngx_atomic_cmp_set(&zone->sh->writer, reader->pid, 0);
    }

    reader->reading = 0;
    reader->pid = ngx_pid;

    zone->reader = reader;

    /* one that had the same id died as a writer */

    ngx_http_miqps_zone_unlock(zone);
}


void
ngx_http_miqps_zone_part(ngx_http_miqps_zone_t *zone)
{
    if (zone->reader != NULL) {
        zone->reader->reading = 0;
        zone->reader->pid = 0;
        zone->reader = NULL;
    }
}


/* a writer that died, in the midst of whatever, has only touched free slots */

ngx_int_t
ngx_http_miqps_zone_lock(ngx_http_miqps_zone_t *zone)
{
    ngx_atomic_uint_t  pid;

    pid = zone->sh->writer;

    if (pid != 0 && !ngx_http_miqps_zone_gone(pid)) {
        return NGX_BUSY;
    }

    return ngx_atomic_cmp_set(&zone->sh->writer, pid, ngx_pid) ? NGX_OK
                                                               : NGX_BUSY;
}


void
ngx_http_miqps_zone_unlock(ngx_http_miqps_zone_t *zone)
{
    (void) ngx_atomic_cmp_set(&zone->sh->writer, ngx_pid, 0);
}


/* the oldest: the one before the current stays, to roll back to */

ngx_int_t
ngx_http_miqps_zone_free_slot(ngx_http_miqps_zone_t *zone)
{
    ngx_int_t                  oldest;
    ngx_uint_t                 i;
    ngx_http_miqps_zone_sh_t  *sh;

    sh = zone->sh;
    oldest = NGX_BUSY;

    for (i = 0; i < NGX_HTTP_MIQPS_SLOTS; i++) {

        if (i + 1 == (sh->current & 3)) {
            continue;
        }

        if (oldest == NGX_BUSY
            || sh->slots[i].generation < sh->slots[oldest].generation)
        {
            oldest = i;
        }
    }

    return ngx_http_miqps_zone_read(sh, oldest) ? NGX_BUSY : oldest;
}


/* whether a living process may be reading a slot */

static ngx_uint_t
ngx_http_miqps_zone_read(ngx_http_miqps_zone_sh_t *sh, ngx_uint_t slot)
{
    ngx_uint_t                     i;
    ngx_http_miqps_zone_reader_t  *reader;

    __sync_synchronize();

    for (i = 0; i < NGX_HTTP_MIQPS_MAX_READERS; i++) {
        reader = &sh->readers[i];

        if ((reader->reading & 3) == slot + 1
            && !ngx_http_miqps_zone_gone(reader->pid))
        {
            return 1;
        }
    }

    return 0;
}


/* a process of another user is there: the master, or a worker before "user" */

static ngx_uint_t
ngx_http_miqps_zone_gone(ngx_atomic_uint_t pid)
{
    return pid == 0
           || (kill((pid_t) pid, 0) == -1 && ngx_errno == NGX_ESRCH);
}


void
ngx_http_miqps_zone_swap(ngx_http_miqps_zone_t *zone, ngx_uint_t slot)
{
    ngx_http_miqps_zone_sh_t  *sh;

    sh = zone->sh;

    sh->slots[slot].since = ngx_time();

    /* last: a number is lost if this process is killed from here on */

    sh->slots[slot].generation = ++sh->generation;

    __sync_synchronize();

    sh->current = sh->generation << 2 | (slot + 1);

    (void) ngx_atomic_fetch_add(&sh->swaps, 1);
}


ngx_uint_t
ngx_http_miqps_zone_is_current(ngx_http_miqps_zone_t *zone,
    const u_char *checksum)
{
    ngx_http_miqps_zone_sh_t  *sh;

    sh = zone->sh;

    return sh->current != 0
           && ngx_memcmp(checksum, sh->slots[(sh->current & 3) - 1].checksum,
                         MIQPS_IMAGE_CHECKSUM)
              == 0;
}


char *
ngx_http_miqps_zone(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_main_conf_t  *mmcf = conf;

    char                    *rv;
    ssize_t                  size, least;
    ngx_str_t               *value;
    ngx_uint_t               i;
    ngx_shm_zone_t          *shm_zone;
    ngx_http_miqps_zone_t   *zone, **place;

    value = cf->args->elts;

    if (value[1].len == 0 || ngx_strcmp(value[1].data, "off") == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid name \"%V\" of \"miqps_zone\"", &value[1]);
        return NGX_CONF_ERROR;
    }

    size = ngx_parse_size(&value[2]);
    least = ngx_max(256 * 1024, (ssize_t) (sizeof(ngx_http_miqps_zone_sh_t)
                                           + 16 * ngx_pagesize));

    if (size == NGX_ERROR || size < least) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid size \"%V\" of \"miqps_zone\", it must be "
                           "%zk at least", &value[2], least / 1024);
        return NGX_CONF_ERROR;
    }

    zone = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_zone_t));
    if (zone == NULL) {
        return NGX_CONF_ERROR;
    }

    zone->name = value[1];
    ngx_queue_init(&zone->jobs);

    for (i = 3; i < cf->args->nelts; i++) {
        rv = ngx_http_miqps_zone_option(cf, zone, &value[i]);

        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    if (zone->watch != 0 && zone->map.len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"watch\" of \"miqps_zone\" needs a \"map\"");
        return NGX_CONF_ERROR;
    }

    shm_zone = ngx_shared_memory_add(cf, &zone->name, size,
                                     &ngx_http_miqps_module);
    if (shm_zone == NULL) {
        return NGX_CONF_ERROR;
    }

    if (shm_zone->data != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "duplicate zone \"%V\" in \"miqps_zone\"",
                           &zone->name);
        return NGX_CONF_ERROR;
    }

    shm_zone->init = ngx_http_miqps_zone_init;
    shm_zone->data = zone;
    zone->shm_zone = shm_zone;

    if (mmcf->zones == NULL) {
        mmcf->zones = ngx_array_create(cf->pool, 1,
                                       sizeof(ngx_http_miqps_zone_t *));
        if (mmcf->zones == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    if (mmcf->zones->nelts == NGX_HTTP_MIQPS_MAX_ZONES) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "there are more than %d zones of \"miqps_zone\"",
                           NGX_HTTP_MIQPS_MAX_ZONES);
        return NGX_CONF_ERROR;
    }

    zone->number = mmcf->zones->nelts;

    place = ngx_array_push(mmcf->zones);
    if (place == NULL) {
        return NGX_CONF_ERROR;
    }

    *place = zone;

    return NGX_CONF_OK;
}


static char *
ngx_http_miqps_zone_option(ngx_conf_t *cf, ngx_http_miqps_zone_t *zone,
    ngx_str_t *value)
{
    ngx_int_t  msec;
    ngx_str_t  rest;

    if (value->len > 4 && ngx_strncmp(value->data, "map=", 4) == 0
        && zone->map.len == 0)
    {
        zone->map.data = value->data + 4;
        zone->map.len = value->len - 4;

        return (ngx_conf_full_name(cf->cycle, &zone->map, 1) == NGX_OK)
               ? NGX_CONF_OK : NGX_CONF_ERROR;
    }

    if (value->len > 6 && ngx_strncmp(value->data, "watch=", 6) == 0
        && zone->watch == 0)
    {
        rest.data = value->data + 6;
        rest.len = value->len - 6;

        msec = ngx_parse_time(&rest, 0);

        if (msec != NGX_ERROR && msec > 0) {
            zone->watch = msec;
            return NGX_CONF_OK;
        }
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"miqps_zone\", it takes "
                       "\"map=FILE\" and \"watch=TIME\", each once", value);
    return NGX_CONF_ERROR;
}


/*
 * A zone that is kept over a reload goes on as it is: its map is loaded when
 * the new configuration is in force.
 */

ngx_int_t
ngx_http_miqps_zone_init(ngx_shm_zone_t *shm_zone, void *data)
{
    ngx_http_miqps_zone_t  *old = data;

    size_t                  room;
    ngx_slab_pool_t        *shpool;
    ngx_http_miqps_zone_t  *zone;

    zone = shm_zone->data;
    shpool = (ngx_slab_pool_t *) shm_zone->shm.addr;

    if (old != NULL) {
        zone->sh = old->sh;
        zone->slots = old->slots;
        return NGX_OK;
    }

    if (shm_zone->shm.exists) {
        zone->sh = shpool->data;

    } else {
        zone->sh = ngx_slab_calloc(shpool, sizeof(ngx_http_miqps_zone_sh_t));

        if (zone->sh == NULL) {
            return NGX_ERROR;
        }

        shpool->data = zone->sh;
    }

    /* slots take all pages that are left, now and for ever */

    room = shpool->pfree / NGX_HTTP_MIQPS_SLOTS * ngx_pagesize;

    zone->slots = ngx_slab_alloc(shpool, NGX_HTTP_MIQPS_SLOTS * room);

    if (zone->slots == NULL) {
        ngx_log_error(NGX_LOG_EMERG, shm_zone->shm.log, 0,
                      "miqps zone \"%V\" is too small", &zone->name);
        return NGX_ERROR;
    }

    zone->sh->room = room;
    shpool->log_nomem = 0;

    return NGX_OK;
}


ngx_http_miqps_zone_t *
ngx_http_miqps_zone_find(ngx_array_t *zones, ngx_str_t *name)
{
    ngx_uint_t               i;
    ngx_http_miqps_zone_t  **zone;

    if (zones == NULL) {
        return NULL;
    }

    zone = zones->elts;

    for (i = 0; i < zones->nelts; i++) {
        if (zone[i]->name.len == name->len
            && ngx_strncmp(zone[i]->name.data, name->data, name->len) == 0)
        {
            return zone[i];
        }
    }

    return NULL;
}


/* threads are for those who load while they serve */

ngx_int_t
ngx_http_miqps_zones_conf(ngx_conf_t *cf, ngx_array_t *zones,
    ngx_uint_t control)
{
#if (NGX_THREADS)
    ngx_uint_t               i;
    ngx_http_miqps_zone_t  **zone;

    if (zones == NULL) {
        return NGX_OK;
    }

    zone = zones->elts;

    for (i = 0; i < zones->nelts; i++) {

        if (zone[i]->watch == 0 && !control) {
            continue;
        }

        zone[i]->pool = ngx_thread_pool_add(cf, NULL);

        if (zone[i]->pool == NULL) {
            return NGX_ERROR;
        }
    }
#endif

    return NGX_OK;
}
