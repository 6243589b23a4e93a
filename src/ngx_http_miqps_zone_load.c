
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * How a file gets into a zone.  It is read, not mapped, since it could shrink
 * under the reader; and what was read is checked, by the code that will look
 * things up in it.
 */


static ngx_int_t ngx_http_miqps_load_lock(ngx_http_miqps_zone_t *zone,
    ngx_uint_t wait);
static ngx_http_miqps_load_e ngx_http_miqps_load_open(
    ngx_http_miqps_zone_t *zone, u_char *text, size_t size);
static ngx_http_miqps_load_e ngx_http_miqps_load_file(
    ngx_http_miqps_zone_t *zone, ngx_fd_t fd, ngx_file_info_t *info,
    u_char *text, size_t size);
static ngx_int_t ngx_http_miqps_load_trust(ngx_http_miqps_zone_t *zone,
    ngx_file_info_t *info, u_char *text, size_t size);
static ngx_int_t ngx_http_miqps_load_read(ngx_fd_t fd, u_char *to, size_t len,
    u_char *text, size_t size);
static ngx_int_t ngx_http_miqps_load_slot(ngx_http_miqps_zone_t *zone);
static void ngx_http_miqps_load_see(ngx_http_miqps_zone_t *zone,
    ngx_file_info_t *info);


#define ngx_http_miqps_load_mtime(info)                                       \
    ((uint64_t) (info)->st_mtim.tv_sec * 1000000000                           \
     + (uint64_t) (info)->st_mtim.tv_nsec)


ngx_http_miqps_load_e
ngx_http_miqps_zone_load(ngx_http_miqps_zone_t *zone, ngx_uint_t anyway,
    u_char *text, size_t size)
{
    ngx_http_miqps_load_e  rc;

    if (ngx_http_miqps_load_lock(zone, anyway) != NGX_OK) {
        (void) ngx_snprintf(text, size, "another process is loading one%Z");
        return anyway ? NGX_HTTP_MIQPS_LOAD_REFUSED
                      : NGX_HTTP_MIQPS_LOAD_BUSY;
    }

    if (zone->reload != zone->sh->reload) {
        rc = NGX_HTTP_MIQPS_LOAD_BUSY;

    } else if (!anyway && !ngx_http_miqps_zone_replaced(zone)) {

        /* somebody else was faster */

        rc = NGX_HTTP_MIQPS_LOAD_SAME;

    } else {
        rc = ngx_http_miqps_load_open(zone, text, size);
    }

    if (rc == NGX_HTTP_MIQPS_LOAD_REFUSED) {
        (void) ngx_atomic_fetch_add(&zone->sh->refused, 1);
        ngx_cpystrn(zone->sh->reason, text, sizeof(zone->sh->reason));
    }

    ngx_http_miqps_zone_unlock(zone);

    return rc;
}


/* ten seconds are more than any image takes */

static ngx_int_t
ngx_http_miqps_load_lock(ngx_http_miqps_zone_t *zone, ngx_uint_t wait)
{
    ngx_uint_t  i;

    for (i = 0; i < 10000; i++) {

        if (ngx_http_miqps_zone_lock(zone) == NGX_OK) {
            return NGX_OK;
        }

        if (!wait) {
            break;
        }

        ngx_msleep(1);
    }

    return NGX_BUSY;
}


/*
 * What was looked at is remembered at the end, so that another one looks again
 * if this one is killed; and also if it cannot be opened, so that this is told
 * once.
 */

static ngx_http_miqps_load_e
ngx_http_miqps_load_open(ngx_http_miqps_zone_t *zone, u_char *text,
    size_t size)
{
    ngx_fd_t                fd;
    ngx_uint_t              known;
    ngx_file_info_t         info;
    ngx_http_miqps_load_e   rc;

    known = ngx_file_info(zone->map.data, &info) != NGX_FILE_ERROR;

    fd = open((const char *) zone->map.data,
              O_RDONLY|O_NONBLOCK|O_NOFOLLOW|O_CLOEXEC);

    if (fd == NGX_INVALID_FILE) {
        (void) ngx_snprintf(text, size, "it cannot be opened: %s%Z",
                            (ngx_errno == NGX_ELOOP) ? "it is a symbolic link"
                                                     : strerror(ngx_errno));
        rc = NGX_HTTP_MIQPS_LOAD_REFUSED;

    } else {
        known = ngx_fd_info(fd, &info) != NGX_FILE_ERROR;

        rc = ngx_http_miqps_load_file(zone, fd, known ? &info : NULL, text,
                                      size);
        (void) ngx_close_file(fd);
    }

    if (known) {
        ngx_http_miqps_load_see(zone, &info);
    }

    return rc;
}


static ngx_http_miqps_load_e
ngx_http_miqps_load_file(ngx_http_miqps_zone_t *zone, ngx_fd_t fd,
    ngx_file_info_t *info, u_char *text, size_t size)
{
    u_char         *to;
    size_t          len;
    ngx_int_t       slot;
    const char     *why;
    miqps_image_t   image;

    if (info == NULL) {
        (void) ngx_snprintf(text, size, "fstat() failed%Z");
        return NGX_HTTP_MIQPS_LOAD_REFUSED;
    }

    if (ngx_http_miqps_load_trust(zone, info, text, size) != NGX_OK) {
        return NGX_HTTP_MIQPS_LOAD_REFUSED;
    }

    len = ngx_file_size(info);
    slot = ngx_http_miqps_load_slot(zone);

    if (slot == NGX_BUSY) {

        /* for the next one who looks to try again */

        ngx_memzero(&zone->sh->seen, sizeof(ngx_http_miqps_seen_t));

        (void) ngx_snprintf(text, size, "a worker goes on reading an older "
                            "one%Z");
        return NGX_HTTP_MIQPS_LOAD_REFUSED;
    }

    to = zone->slots + slot * zone->sh->room;

    /* from here on there is nothing in the slot that could be gone back to */

    zone->sh->slots[slot].generation = 0;

    if (ngx_http_miqps_load_read(fd, to, len, text, size) != NGX_OK) {
        return NGX_HTTP_MIQPS_LOAD_REFUSED;
    }

    if (miqps_image_open(&image, to, len, &why) != MIQPS_OK) {
        (void) ngx_snprintf(text, size, "%s%Z", why);
        return NGX_HTTP_MIQPS_LOAD_REFUSED;
    }

    if (ngx_http_miqps_zone_is_current(zone, &image)) {
        return NGX_HTTP_MIQPS_LOAD_SAME;
    }

    ngx_http_miqps_zone_swap(zone, slot, &image);

    return NGX_HTTP_MIQPS_LOAD_OK;
}


/* look-ups are over in no time, so that a slot in use is soon free */

static ngx_int_t
ngx_http_miqps_load_slot(ngx_http_miqps_zone_t *zone)
{
    ngx_int_t   slot;
    ngx_uint_t  i;

    for (i = 0; i < 1000; i++) {
        slot = ngx_http_miqps_zone_free_slot(zone);

        if (slot != NGX_BUSY) {
            return slot;
        }

        ngx_msleep(1);
    }

    return NGX_BUSY;
}


/*
 * Who may write the file decides what is served: it is root, this user, or
 * whoever the directory belongs to.
 */

static ngx_int_t
ngx_http_miqps_load_trust(ngx_http_miqps_zone_t *zone, ngx_file_info_t *info,
    u_char *text, size_t size)
{
    u_char            dir[NGX_MAX_PATH], *p;
    ngx_uint_t        need;
    ngx_file_info_t   above;

    if (!ngx_is_file(info)) {
        (void) ngx_snprintf(text, size, "it is %s%Z",
                            ngx_is_dir(info) ? "a directory"
                                             : "not a regular file");
        return NGX_ERROR;
    }

    if (info->st_mode & (S_IWGRP|S_IWOTH)) {
        (void) ngx_snprintf(text, size, "others than its owner may write it: "
                            "mode %ui%ui%ui%ui%Z",
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
                            "neither root nor the owner of its directory%Z",
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


static ngx_int_t
ngx_http_miqps_load_read(ngx_fd_t fd, u_char *to, size_t len, u_char *text,
    size_t size)
{
    u_char   more;
    size_t   done;
    ssize_t  n;

    for (done = 0; done < len; done += n) {

        n = read(fd, to + done, len - done);

        if (n == -1 && ngx_errno == NGX_EINTR) {
            n = 0;
            continue;
        }

        if (n == -1) {
            (void) ngx_snprintf(text, size, "it cannot be read: %s%Z",
                                strerror(ngx_errno));
            return NGX_ERROR;
        }

        if (n == 0) {
            break;
        }
    }

    if (done < len || read(fd, &more, 1) == 1) {
        (void) ngx_snprintf(text, size, "it is being written%Z");
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
