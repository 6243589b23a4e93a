
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * How a file gets into a zone.  It is read, not mapped, since it could shrink
 * under the reader; and what was read is checked, by the code that will look
 * things up in it.
 */


static ngx_int_t ngx_http_miqps_load_end(ngx_http_miqps_load_t *load,
    ngx_http_miqps_load_e rc, const char *text);
static ngx_int_t ngx_http_miqps_load_lock(ngx_http_miqps_load_t *load);
static ngx_int_t ngx_http_miqps_load_open(ngx_http_miqps_load_t *load);
static ngx_int_t ngx_http_miqps_load_trust(ngx_http_miqps_load_t *load);
static ngx_int_t ngx_http_miqps_load_slot(ngx_http_miqps_load_t *load);
static ngx_int_t ngx_http_miqps_load_read(ngx_http_miqps_load_t *load);
static ngx_int_t ngx_http_miqps_load_check(ngx_http_miqps_load_t *load);
static ngx_int_t ngx_http_miqps_load_swap(ngx_http_miqps_load_t *load);
static void ngx_http_miqps_load_see(ngx_http_miqps_zone_t *zone,
    ngx_file_info_t *info);


#define NGX_HTTP_MIQPS_SLICE      (64 * 1024)

/* milliseconds; ten seconds are more than any image takes */

#define NGX_HTTP_MIQPS_PAUSE      2
#define NGX_HTTP_MIQPS_LOCK_WAIT  (10000 / NGX_HTTP_MIQPS_PAUSE)
#define NGX_HTTP_MIQPS_SLOT_WAIT  (1000 / NGX_HTTP_MIQPS_PAUSE)


#define ngx_http_miqps_load_mtime(info)                                       \
    ((uint64_t) (info)->st_mtim.tv_sec * 1000000000                           \
     + (uint64_t) (info)->st_mtim.tv_nsec)


ngx_int_t
ngx_http_miqps_load_step(ngx_http_miqps_load_t *load)
{
    if (load->step != NGX_HTTP_MIQPS_STEP_END
        && !(load->flags & NGX_HTTP_MIQPS_LOAD_CHECK)
        && load->zone->reload != load->zone->sh->reload)
    {
        ngx_http_miqps_load_abort(load);
    }

    switch (load->step) {

    case NGX_HTTP_MIQPS_STEP_LOCK:
        return ngx_http_miqps_load_lock(load);

    case NGX_HTTP_MIQPS_STEP_OPEN:
        return ngx_http_miqps_load_open(load);

    case NGX_HTTP_MIQPS_STEP_SLOT:
        return ngx_http_miqps_load_slot(load);

    case NGX_HTTP_MIQPS_STEP_READ:
        return ngx_http_miqps_load_read(load);

    case NGX_HTTP_MIQPS_STEP_CHECK:
        return ngx_http_miqps_load_check(load);

    case NGX_HTTP_MIQPS_STEP_SWAP:
        return ngx_http_miqps_load_swap(load);

    default: /* NGX_HTTP_MIQPS_STEP_END */
        return NGX_DONE;
    }
}


void
ngx_http_miqps_load_run(ngx_http_miqps_load_t *load)
{
    ngx_int_t  rc;

    do {
        rc = ngx_http_miqps_load_step(load);

        if (rc == NGX_BUSY) {
            ngx_msleep(NGX_HTTP_MIQPS_PAUSE);
        }

    } while (rc != NGX_DONE);
}


void
ngx_http_miqps_load_abort(ngx_http_miqps_load_t *load)
{
    (void) ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_BUSY,
                                   "the configuration was replaced meanwhile");
}


/*
 * What was looked at is remembered at the end, so that another one looks again
 * if this one is killed; and also if it cannot be opened, so that this is told
 * once.  "text" may be the one that is there.
 */

static ngx_int_t
ngx_http_miqps_load_end(ngx_http_miqps_load_t *load, ngx_http_miqps_load_e rc,
    const char *text)
{
    ngx_http_miqps_zone_sh_t  *sh;

    if (load->step == NGX_HTTP_MIQPS_STEP_END) {
        return NGX_DONE;
    }

    if (text != NULL) {
        ngx_cpystrn(load->text, (u_char *) text, sizeof(load->text));
    }

    if (load->opened) {
        (void) ngx_close_file(load->fd);
    }

    if (load->flags & NGX_HTTP_MIQPS_LOAD_CHECK) {
        free(load->to);
    }

    if (load->locked) {
        sh = load->zone->sh;

        if (load->known && rc != NGX_HTTP_MIQPS_LOAD_BUSY
            && rc != NGX_HTTP_MIQPS_LOAD_READ)
        {
            ngx_http_miqps_load_see(load->zone, &load->info);
        }

        if (rc == NGX_HTTP_MIQPS_LOAD_REFUSED) {
            (void) ngx_atomic_fetch_add(&sh->refused, 1);
            ngx_cpystrn(sh->reason, load->text, sizeof(sh->reason));
        }

        if (rc == NGX_HTTP_MIQPS_LOAD_BACK) {
            (void) ngx_atomic_fetch_add(&sh->skipped, 1);
        }

        ngx_http_miqps_zone_unlock(load->zone);
    }

    load->rc = rc;
    load->step = NGX_HTTP_MIQPS_STEP_END;

    return NGX_DONE;
}


static ngx_int_t
ngx_http_miqps_load_lock(ngx_http_miqps_load_t *load)
{
    if (!(load->flags & NGX_HTTP_MIQPS_LOAD_CHECK)) {

        if (ngx_http_miqps_zone_lock(load->zone) != NGX_OK) {

            if ((load->flags & NGX_HTTP_MIQPS_LOAD_WAIT)
                && load->tries++ < NGX_HTTP_MIQPS_LOCK_WAIT)
            {
                return NGX_BUSY;
            }

            return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_BUSY,
                                           "another process is loading one");
        }

        load->locked = 1;
        load->tries = 0;

        if (!(load->flags & NGX_HTTP_MIQPS_LOAD_ANYWAY)
            && !ngx_http_miqps_zone_replaced(load->zone))
        {
            /* somebody else was faster */

            return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_SAME,
                                           NULL);
        }
    }

    load->step = NGX_HTTP_MIQPS_STEP_OPEN;

    return NGX_AGAIN;
}


static ngx_int_t
ngx_http_miqps_load_open(ngx_http_miqps_load_t *load)
{
    const char  *name;

    name = (const char *) load->zone->map.data;

    load->known = ngx_file_info(name, &load->info) != NGX_FILE_ERROR;
    load->fd = open(name, O_RDONLY|O_NONBLOCK|O_NOFOLLOW|O_CLOEXEC);

    if (load->fd == NGX_INVALID_FILE) {
        (void) ngx_snprintf(load->text, sizeof(load->text),
                            "it cannot be opened: %s%Z",
                            (ngx_errno == NGX_ELOOP)
                            ? "it is a symbolic link, name the file itself"
                            : strerror(ngx_errno));

        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_REFUSED,
                                       NULL);
    }

    load->opened = 1;
    load->known = ngx_fd_info(load->fd, &load->info) != NGX_FILE_ERROR;

    if (!load->known) {
        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_REFUSED,
                                       "fstat() failed");
    }

    if (ngx_http_miqps_load_trust(load) != NGX_OK) {
        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_REFUSED,
                                       NULL);
    }

    load->step = NGX_HTTP_MIQPS_STEP_SLOT;

    return NGX_AGAIN;
}


/*
 * Look-ups are over in no time, so that a slot in use is soon free.  Who only
 * checks has memory of his own.
 */

static ngx_int_t
ngx_http_miqps_load_slot(ngx_http_miqps_load_t *load)
{
    ngx_http_miqps_zone_t  *zone;

    zone = load->zone;

    if (load->flags & NGX_HTTP_MIQPS_LOAD_CHECK) {
        load->to = malloc(ngx_file_size(&load->info) + 1);

        if (load->to == NULL) {
            return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_REFUSED,
                                           "there is no memory to read it");
        }

        load->step = NGX_HTTP_MIQPS_STEP_READ;
        return NGX_AGAIN;
    }

    load->slot = ngx_http_miqps_zone_free_slot(zone);

    if (load->slot == NGX_BUSY) {

        if (load->tries++ < NGX_HTTP_MIQPS_SLOT_WAIT) {
            return NGX_BUSY;
        }

        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_READ,
                                       "a worker goes on reading an older "
                                       "one");
    }

    load->to = zone->slots + load->slot * zone->sh->room;

    /* from here on there is nothing in the slot that could be gone back to */

    zone->sh->slots[load->slot].generation = 0;

    load->step = NGX_HTTP_MIQPS_STEP_READ;

    return NGX_AGAIN;
}


static ngx_int_t
ngx_http_miqps_load_read(ngx_http_miqps_load_t *load)
{
    u_char   more;
    size_t   len;
    ssize_t  n;

    len = ngx_file_size(&load->info);

    n = read(load->fd, load->to + load->done,
             ngx_min(len - load->done, NGX_HTTP_MIQPS_SLICE));

    if (n == -1 && ngx_errno == NGX_EINTR) {
        return NGX_AGAIN;
    }

    if (n == -1) {
        (void) ngx_snprintf(load->text, sizeof(load->text),
                            "it cannot be read: %s%Z", strerror(ngx_errno));

        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_REFUSED,
                                       NULL);
    }

    load->done += n;

    if (n > 0 && load->done < len) {
        return NGX_AGAIN;
    }

    if (load->done < len || read(load->fd, &more, 1) == 1) {
        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_REFUSED,
                                       "it is being written");
    }

    /* what it is part of was allocated for less */

    load->check = (miqps_image_check_t *) ngx_align_ptr(load->checking, 64);
    miqps_image_check_init(load->check, load->to, load->done);

    load->step = NGX_HTTP_MIQPS_STEP_CHECK;

    return NGX_AGAIN;
}


static ngx_int_t
ngx_http_miqps_load_check(ngx_http_miqps_load_t *load)
{
    miqps_rc_e   rc;
    const char  *why;

    rc = miqps_image_check(load->check, NGX_HTTP_MIQPS_SLICE, &why);

    if (rc == MIQPS_AGAIN) {
        return NGX_AGAIN;
    }

    if (rc != MIQPS_OK) {
        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_REFUSED, why);
    }

    ngx_memcpy(load->checksum, miqps_image_checksum_of(&load->check->image),
               MIQPS_IMAGE_CHECKSUM);

    load->size = load->done;
    load->step = NGX_HTTP_MIQPS_STEP_SWAP;

    return NGX_AGAIN;
}


static ngx_int_t
ngx_http_miqps_load_swap(ngx_http_miqps_load_t *load)
{
    ngx_http_miqps_slot_t  *slot;
    ngx_http_miqps_zone_t  *zone;

    zone = load->zone;

    if (ngx_http_miqps_zone_is_current(zone, load->checksum)) {
        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_SAME, NULL);
    }

    if (!(load->flags & NGX_HTTP_MIQPS_LOAD_FORCE)
        && ngx_http_miqps_zone_was_back(zone, load->checksum))
    {
        return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_BACK,
                                       "it was rolled back");
    }

    if (!(load->flags & NGX_HTTP_MIQPS_LOAD_CHECK)) {
        ngx_http_miqps_zone_forget(zone, load->checksum);

        slot = &zone->sh->slots[load->slot];

        slot->size = load->size;
        ngx_memcpy(slot->checksum, load->checksum, MIQPS_IMAGE_CHECKSUM);

        ngx_http_miqps_zone_swap(zone, load->slot);
    }

    return ngx_http_miqps_load_end(load, NGX_HTTP_MIQPS_LOAD_OK, NULL);
}


/*
 * Who may write the file decides what is served: it is root, this user, or
 * whoever the directory belongs to.
 */

static ngx_int_t
ngx_http_miqps_load_trust(ngx_http_miqps_load_t *load)
{
    u_char                  dir[NGX_MAX_PATH], *text, *p;
    size_t                  size;
    ngx_uint_t              need;
    ngx_file_info_t        *info, above;
    ngx_http_miqps_zone_t  *zone;

    zone = load->zone;
    info = &load->info;
    text = load->text;
    size = sizeof(load->text);

    if (!ngx_is_file(info)) {
        (void) ngx_snprintf(text, size, "it is %s, name a map's file%Z",
                            ngx_is_dir(info) ? "a directory"
                                             : "not a regular file");
        return NGX_ERROR;
    }

    if (info->st_mode & (S_IWGRP|S_IWOTH)) {
        (void) ngx_snprintf(text, size, "others than its owner may write it: "
                            "mode %ui%ui%ui%ui, chmod go-w it%Z",
                            (ngx_uint_t) info->st_mode >> 9 & 7,
                            (ngx_uint_t) info->st_mode >> 6 & 7,
                            (ngx_uint_t) info->st_mode >> 3 & 7,
                            (ngx_uint_t) info->st_mode & 7);
        return NGX_ERROR;
    }

    ngx_cpystrn(dir, zone->map.data, NGX_MAX_PATH);

    for (p = dir + ngx_strlen(dir); p > dir + 1 && p[-1] != '/'; p--) {
        /* void */
    }

    *p = '\0';

    if (info->st_uid != 0 && info->st_uid != geteuid()
        && (ngx_file_info(dir, &above) == NGX_FILE_ERROR
            || above.st_uid != info->st_uid))
    {
        (void) ngx_snprintf(text, size, "it belongs to user %ui, who is "
                            "neither root nor the owner of its directory, "
                            "chown it%Z",
                            (ngx_uint_t) info->st_uid);
        return NGX_ERROR;
    }

    if ((size_t) ngx_file_size(info) > zone->sh->room) {
        /* nginx wants a page for itself, and another to align the others */

        need = NGX_HTTP_MIQPS_SLOTS * (ngx_file_size(info) / ngx_pagesize + 1)
               + sizeof(ngx_http_miqps_zone_sh_t) / ngx_pagesize + 1 + 2;

        need *= ngx_pagesize + sizeof(ngx_slab_page_t);

        (void) ngx_snprintf(text, size, "zone \"%V\" is too small for its "
                            "%O bytes: make it %uik%Z", &zone->name,
                            ngx_file_size(info), need / 1024 + 1);
        return NGX_ERROR;
    }

    return NGX_OK;
}


static void
ngx_http_miqps_load_see(ngx_http_miqps_zone_t *zone, ngx_file_info_t *info)
{
    ngx_http_miqps_seen_t  *seen;

    seen = &zone->sh->seen;

    seen->inode = info->st_ino;
    seen->size = info->st_size;
    seen->mtime = ngx_http_miqps_load_mtime(info);
}


ngx_uint_t
ngx_http_miqps_zone_replaced(ngx_http_miqps_zone_t *zone)
{
    ngx_file_info_t         info;
    ngx_http_miqps_seen_t  *seen;

    seen = &zone->sh->seen;

    return ngx_file_info(zone->map.data, &info) != NGX_FILE_ERROR
           && (seen->inode != info.st_ino
               || seen->size != (uint64_t) info.st_size
               || seen->mtime != ngx_http_miqps_load_mtime(&info));
}
