
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_ZONE_H_INCLUDED_
#define _NGX_HTTP_MIQPS_ZONE_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

#if (NGX_THREADS)
#include <ngx_thread_pool.h>
#endif

#include "miqps_image_check.h"


/*
 * A ZONE is shared memory with room for three images.  One of them, or none,
 * is current.  A new one is read into a slot that nobody uses, and one store
 * makes it current for all workers.
 *
 *     | slab header | the zone's own | slot 0 | slot 1 | slot 2 |
 *
 * READERS never wait.  Each worker has a word of its own in the zone.  It
 * writes there which image it is about to read, looks once more whether that
 * is still the current one, reads, and clears the word.  This takes as long
 * as one look-up: nothing of an image is kept from one event to the next.
 *
 * WRITERS, one at a time, fill a slot only if it is not the current one's and
 * no living worker has it in its word.  A worker that dies leaves a word
 * behind; it counts no more when its process is gone.
 */

#define NGX_HTTP_MIQPS_SLOTS        3
#define NGX_HTTP_MIQPS_MAX_ZONES    256
#define NGX_HTTP_MIQPS_MAX_READERS  NGX_MAX_PROCESSES


typedef struct {
    ngx_atomic_t                 pid;
    ngx_atomic_t                 reading;     /* as "current", or 0 */
    u_char                       pad[64 - 2 * sizeof(ngx_atomic_t)];
} ngx_http_miqps_zone_reader_t;


typedef struct {
    uint64_t                     generation;  /* 0: never used */
    size_t                       size;        /* of the image */
    u_char                       checksum[MIQPS_IMAGE_CHECKSUM];
    time_t                       since;
} ngx_http_miqps_slot_t;


/* which file was looked at last, to see that it was replaced */

typedef struct {
    uint64_t                     inode;
    uint64_t                     size;
    uint64_t                     mtime;       /* nanoseconds */
} ngx_http_miqps_seen_t;


typedef struct {
    ngx_atomic_t                 current;     /* generation << 2 | slot + 1 */
    ngx_atomic_t                 writer;      /* its pid, or 0 */
    ngx_atomic_t                 off;         /* the map does not apply */
    ngx_atomic_t                 reload;      /* counts configurations */
    uint64_t                     generation;  /* of the latest image */
    size_t                       room;        /* bytes of a slot */
    ngx_http_miqps_slot_t        slots[NGX_HTTP_MIQPS_SLOTS];
    ngx_http_miqps_seen_t        seen;
    ngx_atomic_t                 swaps;
    ngx_atomic_t                 refused;
    u_char                       reason[256]; /* of the last refusal */
    ngx_http_miqps_zone_reader_t readers[NGX_HTTP_MIQPS_MAX_READERS];
} ngx_http_miqps_zone_sh_t;


typedef struct {
    ngx_str_t                    name;
    ngx_uint_t                   number;      /* from 0 */
    ngx_str_t                    map;         /* a file, or empty */
    ngx_msec_t                   watch;       /* 0: not watched */
    ngx_shm_zone_t              *shm_zone;
    ngx_http_miqps_zone_sh_t    *sh;
    u_char                      *slots;       /* the first one */
    ngx_atomic_uint_t            reload;      /* of this configuration */

    /* of this process */
    ngx_http_miqps_zone_reader_t  *reader;
    miqps_image_t                image;
    ngx_atomic_uint_t            image_is;    /* "current" when it was made */
    ngx_event_t                  timer;
#if (NGX_THREADS)
    ngx_thread_pool_t           *pool;
    ngx_thread_task_t           *task;
#endif
    ngx_uint_t                   loading;     /* unsigned  loading:1; */
} ngx_http_miqps_zone_t;


/*
 * The current image, to be read until ngx_http_miqps_zone_leave(); or NULL if
 * there is none, and nothing is to be left.
 */
static ngx_inline miqps_image_t *
ngx_http_miqps_zone_enter(ngx_http_miqps_zone_t *zone)
{
    ngx_atomic_uint_t          current;
    ngx_http_miqps_zone_sh_t  *sh;

    sh = zone->sh;

    if (sh->current == 0 || sh->off || zone->reader == NULL) {
        return NULL;
    }

    do {
        current = sh->current;
        zone->reader->reading = current;

        /* the word must be seen before "current" is looked at again */

        __sync_synchronize();

    } while (sh->current != current);

    if (zone->image_is != current) {
        miqps_image_use(&zone->image,
                        zone->slots + ((current & 3) - 1) * sh->room);
        zone->image.serial = current << 8 | zone->number;
        zone->image_is = current;
    }

    return &zone->image;
}


static ngx_inline void
ngx_http_miqps_zone_leave(ngx_http_miqps_zone_t *zone)
{
    ngx_memory_barrier();

    zone->reader->reading = 0;
}


/* the generation of the image that was entered last, by this process */

#define ngx_http_miqps_zone_generation(zone)  ((zone)->image_is >> 2)


/* miqps_zone; adds to the zones of the main configuration */

char *ngx_http_miqps_zone(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* a zone by its name, or NULL */

ngx_http_miqps_zone_t *ngx_http_miqps_zone_find(ngx_array_t *zones,
    ngx_str_t *name);

/* takes the word of this process; without it there are no maps */

void ngx_http_miqps_zone_join(ngx_http_miqps_zone_t *zone);
void ngx_http_miqps_zone_part(ngx_http_miqps_zone_t *zone);


/*
 * WRITING.  NGX_OK, or NGX_BUSY if somebody else writes: then nothing may be
 * done.
 */
ngx_int_t ngx_http_miqps_zone_lock(ngx_http_miqps_zone_t *zone);
void ngx_http_miqps_zone_unlock(ngx_http_miqps_zone_t *zone);

/* a slot that nobody reads, by its number; or NGX_BUSY if there is none now */

ngx_int_t ngx_http_miqps_zone_free_slot(ngx_http_miqps_zone_t *zone);

/* true if an image has the checksum of the current one */

ngx_uint_t ngx_http_miqps_zone_is_current(ngx_http_miqps_zone_t *zone,
    const miqps_image_t *image);

/* makes the image in a slot, which has been checked, the current one */

void ngx_http_miqps_zone_swap(ngx_http_miqps_zone_t *zone, ngx_uint_t slot,
    const miqps_image_t *image);


/* ngx_http_miqps_zone_load.c */

typedef enum {
    NGX_HTTP_MIQPS_LOAD_OK = 0,               /* it is current now */
    NGX_HTTP_MIQPS_LOAD_SAME,                 /* it was already */
    NGX_HTTP_MIQPS_LOAD_BUSY,                 /* somebody else is at it */
    NGX_HTTP_MIQPS_LOAD_REFUSED               /* the old one stays */
} ngx_http_miqps_load_e;


/*
 * Reads the zone's file, checks it, and makes it current.  Takes as long as
 * that takes, without touching anything but the zone, so that a thread can do
 * it.  "text" of "size" bytes is filled with a reason on REFUSED.  "anyway" is
 * for the master: it waits for others, and reads a file that was looked at.
 *
 * Workers of an older configuration are always BUSY.
 */
ngx_http_miqps_load_e ngx_http_miqps_zone_load(ngx_http_miqps_zone_t *zone,
    ngx_uint_t anyway, u_char *text, size_t size);

/* true if the file is not the one that was looked at last */

ngx_uint_t ngx_http_miqps_zone_replaced(ngx_http_miqps_zone_t *zone);


/* ngx_http_miqps_zone_watch.c */

/* loads all maps, in the master; what cannot be loaded is logged */

void ngx_http_miqps_zones_load(ngx_array_t *zones, ngx_log_t *log);

/* begins to watch, in a worker */

void ngx_http_miqps_zone_watch(ngx_http_miqps_zone_t *zone,
    ngx_cycle_t *cycle);


#endif /* _NGX_HTTP_MIQPS_ZONE_H_INCLUDED_ */
