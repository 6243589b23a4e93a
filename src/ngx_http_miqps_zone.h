
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
#include "ngx_http_miqps_counters.h"


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
 *
 * GOING BACK makes an older image, which is still in its slot, current again,
 * under a new number.  The checksum of the one that was current is noted, and
 * from then on an image that has it is not loaded.
 */

#define NGX_HTTP_MIQPS_SLOTS        3
#define NGX_HTTP_MIQPS_MAX_ZONES    256
#define NGX_HTTP_MIQPS_MAX_READERS  NGX_MAX_PROCESSES
#define NGX_HTTP_MIQPS_MAX_BACK     16


typedef struct {
    ngx_atomic_t                 pid;
    ngx_atomic_t                 reading;     /* as "current", or 0 */
    u_char                       pad[64 - 2 * sizeof(ngx_atomic_t)];
} ngx_http_miqps_zone_reader_t;


typedef struct {
    uint64_t                     generation;  /* 0: nothing to go back to */
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

    /* what was rolled back: the latest ones, "nback" counts all */
    ngx_atomic_t                 nback;
    u_char                       back[NGX_HTTP_MIQPS_MAX_BACK]
                                     [MIQPS_IMAGE_CHECKSUM];
    ngx_atomic_t                 skipped;     /* files that were such ones */

    ngx_http_miqps_zone_reader_t readers[NGX_HTTP_MIQPS_MAX_READERS];
} ngx_http_miqps_zone_sh_t;


typedef struct ngx_http_miqps_zone_s  ngx_http_miqps_zone_t;
typedef struct ngx_http_miqps_load_s  ngx_http_miqps_load_t;


/*
 * LOADING a file, step by step; see ngx_http_miqps_zone_load.c.  It is done by
 * the master in one go, by a thread, or in the midst of other events.
 */

typedef enum {
    NGX_HTTP_MIQPS_LOAD_OK = 0,               /* it is current now */
    NGX_HTTP_MIQPS_LOAD_SAME,                 /* it was already */
    NGX_HTTP_MIQPS_LOAD_BUSY,                 /* somebody else is at it */
    NGX_HTTP_MIQPS_LOAD_READ,                 /* its slot is being read */
    NGX_HTTP_MIQPS_LOAD_BACK,                 /* it was rolled back */
    NGX_HTTP_MIQPS_LOAD_REFUSED               /* the old one stays */
} ngx_http_miqps_load_e;


#define NGX_HTTP_MIQPS_LOAD_ANYWAY  0x01      /* also if it was looked at */
#define NGX_HTTP_MIQPS_LOAD_WAIT    0x02      /* for others who are at it */
#define NGX_HTTP_MIQPS_LOAD_FORCE   0x04      /* also if it was rolled back */
#define NGX_HTTP_MIQPS_LOAD_CHECK   0x08      /* changes nothing at all */


typedef enum {
    NGX_HTTP_MIQPS_STEP_LOCK = 0,
    NGX_HTTP_MIQPS_STEP_OPEN,
    NGX_HTTP_MIQPS_STEP_SLOT,
    NGX_HTTP_MIQPS_STEP_READ,
    NGX_HTTP_MIQPS_STEP_CHECK,
    NGX_HTTP_MIQPS_STEP_SWAP,
    NGX_HTTP_MIQPS_STEP_END
} ngx_http_miqps_step_e;


typedef void (*ngx_http_miqps_load_pt)(ngx_http_miqps_load_t *load);


struct ngx_http_miqps_load_s {
    ngx_http_miqps_zone_t       *zone;
    ngx_uint_t                   flags;

    /* the result */
    ngx_http_miqps_load_e        rc;
    size_t                       size;        /* of the file, once checked */
    u_char                       checksum[MIQPS_IMAGE_CHECKSUM];
    u_char                       text[256];   /* why not, ends with a zero */

    /* while it goes on */
    ngx_http_miqps_step_e        step;
    ngx_fd_t                     fd;
    ngx_file_info_t              info;
    ngx_int_t                    slot;
    u_char                      *to;          /* the slot, or memory */
    size_t                       done;        /* bytes that were read */
    ngx_uint_t                   tries;
    miqps_image_check_t         *check;       /* in what follows */
    u_char                       checking[sizeof(miqps_image_check_t) + 64];
    unsigned                     opened:1;
    unsigned                     locked:1;
    unsigned                     known:1;     /* "info" is there */
    unsigned                     threaded:1;

    /* of a job, ngx_http_miqps_zone_job.c */
    ngx_queue_t                  queue;
    ngx_http_miqps_load_pt       handler;     /* at its end */
    void                        *data;        /* for the handler */
    ngx_log_t                   *log;
    ngx_event_t                  timer;
#if (NGX_THREADS)
    ngx_thread_task_t            task;
#endif
};


struct ngx_http_miqps_zone_s {
    ngx_str_t                    name;
    ngx_uint_t                   number;      /* from 0 */
    ngx_str_t                    map;         /* a file, or empty */
    ngx_msec_t                   watch;       /* 0: not watched */
    ngx_shm_zone_t              *shm_zone;
    ngx_http_miqps_zone_sh_t    *sh;
    u_char                      *slots;       /* the first one */
    ngx_atomic_uint_t            reload;      /* of this configuration */
#if (NGX_THREADS)
    ngx_thread_pool_t           *pool;        /* or NULL */
#endif

    /* of this process */
    ngx_http_miqps_zone_reader_t  *reader;
    ngx_http_miqps_zone_counts_t  *counts;
    ngx_http_miqps_rule_counts_t  *rules;     /* or NULL */
    miqps_image_t                image;
    ngx_atomic_uint_t            image_is;    /* "current" when it was made */
    ngx_event_t                  timer;
    ngx_queue_t                  jobs;        /* the first one goes on */
    ngx_http_miqps_load_t        watching;    /* a job, if it has a zone */
    ngx_uint_t                   waiting;     /* for readers, and was told */
};


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


/* of the shared memory of such a zone, by which it is known */

ngx_int_t ngx_http_miqps_zone_init(ngx_shm_zone_t *shm_zone, void *data);

/* what is to be done when the configuration has been read */

ngx_int_t ngx_http_miqps_zones_conf(ngx_conf_t *cf, ngx_array_t *zones,
    ngx_uint_t control);


/*
 * WRITING.  NGX_OK, or NGX_BUSY if somebody else writes: then nothing may be
 * done.
 */
ngx_int_t ngx_http_miqps_zone_lock(ngx_http_miqps_zone_t *zone);
void ngx_http_miqps_zone_unlock(ngx_http_miqps_zone_t *zone);

/* a slot that nobody reads, by its number; or NGX_BUSY if there is none now */

ngx_int_t ngx_http_miqps_zone_free_slot(ngx_http_miqps_zone_t *zone);

/* true if the current image has that checksum */

ngx_uint_t ngx_http_miqps_zone_is_current(ngx_http_miqps_zone_t *zone,
    const u_char *checksum);

/* makes the image in a slot, all about which is known, the current one */

void ngx_http_miqps_zone_swap(ngx_http_miqps_zone_t *zone, ngx_uint_t slot);


/* ngx_http_miqps_zone_back.c */

/*
 * Goes back to the image that was current before.
 *
 * NGX_OK        it is current, under a new number
 * NGX_BUSY      somebody else writes
 * NGX_DECLINED  there is none that was not rolled back itself
 */
ngx_int_t ngx_http_miqps_zone_rollback(ngx_http_miqps_zone_t *zone);

/* the slot that this would go to, or NGX_DECLINED */

ngx_int_t ngx_http_miqps_zone_previous(ngx_http_miqps_zone_t *zone);

/* a zone at one moment; generations are 0 where there is none */

typedef struct {
    ngx_http_miqps_slot_t        current;
    ngx_http_miqps_slot_t        previous;    /* to roll back to */
    ngx_uint_t                   off;
    ngx_uint_t                   nback;
    u_char                       back[NGX_HTTP_MIQPS_MAX_BACK]
                                     [MIQPS_IMAGE_CHECKSUM];
    uint64_t                     swaps;
    uint64_t                     refused;
    uint64_t                     skipped;
} ngx_http_miqps_zone_state_t;


void ngx_http_miqps_zone_state(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_state_t *state);

/* true if an image of that checksum was rolled back */

ngx_uint_t ngx_http_miqps_zone_was_back(ngx_http_miqps_zone_t *zone,
    const u_char *checksum);

/* forgets that it was; for a writer */

void ngx_http_miqps_zone_forget(ngx_http_miqps_zone_t *zone,
    const u_char *checksum);

/*
 * Takes over what a zone of the same name and another size knew, whose workers
 * must load no more.  Called before this zone has workers.
 */
void ngx_http_miqps_zone_inherit(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_t *old);

/* the same for its map, if this zone has none and there is room for it */

void ngx_http_miqps_zone_adopt(ngx_http_miqps_zone_t *zone,
    ngx_http_miqps_zone_t *old);


/* ngx_http_miqps_zone_load.c */

/*
 * One step, small enough to be done between two events.  "load" was zeroed, and
 * has zone and flags.  Touches nothing but "load" and the zone's memory, so
 * that a thread can do it.
 *
 * NGX_AGAIN  there is more to do
 * NGX_BUSY   there is, but not before some time has passed
 * NGX_DONE   load->rc is the result, and all else is released
 *
 * Workers of an older configuration are always BUSY, but for CHECK.
 */
ngx_int_t ngx_http_miqps_load_step(ngx_http_miqps_load_t *load);

/* all steps */

void ngx_http_miqps_load_run(ngx_http_miqps_load_t *load);

/* ends it before its time: BUSY */

void ngx_http_miqps_load_abort(ngx_http_miqps_load_t *load);

/* true if the file is not the one that was looked at last */

ngx_uint_t ngx_http_miqps_zone_replaced(ngx_http_miqps_zone_t *zone);


/* ngx_http_miqps_zone_job.c */

/*
 * Has a worker load a file while it serves: a thread does it, if there are
 * threads, or the worker itself in small steps.  "load" has all but what is
 * for jobs; it stays where it is until the handler is called, which always
 * happens, and never before this returns.  Jobs of a zone follow one another.
 *
 * A worker that is to exit waits for the end if "wait" is set.
 */
void ngx_http_miqps_job_add(ngx_http_miqps_load_t *load,
    ngx_http_miqps_load_pt handler, ngx_log_t *log, ngx_uint_t wait);

/* ends jobs of this process, but for what threads do */

void ngx_http_miqps_jobs_abort(ngx_http_miqps_zone_t *zone);


/* ngx_http_miqps_zone_watch.c */

/*
 * Loads all maps, in the master, when the configuration "cycle" is put in
 * force; what cannot be loaded is logged.
 */
void ngx_http_miqps_zones_load(ngx_array_t *zones, ngx_cycle_t *cycle);

/* joins and parts, in a worker, and begins and ends to watch */

void ngx_http_miqps_zones_start(ngx_array_t *zones, ngx_cycle_t *cycle);
void ngx_http_miqps_zones_stop(ngx_array_t *zones);

/* logs what became of a file */

void ngx_http_miqps_load_report(ngx_http_miqps_load_t *load, ngx_log_t *log);


#endif /* _NGX_HTTP_MIQPS_ZONE_H_INCLUDED_ */
