
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "archive.h"
#include "learn.h"
#include "map/map_put.h"
#include "publish.h"


#define LEARN_PUBLISH_GENERATION  24         /* where it is in an image */
#define LEARN_PUBLISH_CHECKSUM    40


static int  learn_publish_now(learn_publish_t *publish);
static int  learn_publish_settle(learn_publish_t *publish);
static int  learn_publish_begun(const learn_version_t *version, void *data);
static int  learn_publish_done(learn_publish_t *publish, const uint8_t *data,
    size_t size);
static int  learn_publish_watched(learn_publish_t *publish, int64_t version);
static void  learn_publish_stamp(uint8_t *data, size_t size,
    uint64_t generation, char image[LEARN_NOTIFY_IMAGE]);
static int  learn_publish_begin(learn_publish_t *publish,
    learn_version_t *version, uint8_t *data, size_t size,
    char image[LEARN_NOTIFY_IMAGE]);
static int  learn_publish_end(learn_publish_t *publish,
    const learn_version_t *version, learn_version_e state, const char *note);
static int  learn_publish_back(learn_publish_t *publish,
    const learn_version_t *version, const char *why);
static int  learn_publish_told(learn_publish_t *publish,
    const learn_version_t *version, learn_notify_e told);


int
learn_publish_option(learn_publish_t *publish, int c, const char *value)
{
    char           *end;
    unsigned long   n;

    switch (c) {

    case 'S':
        publish->url = value;
        return LEARN_EXIT_OK;

    case 'M':
        publish->path = value;
        return LEARN_EXIT_OK;

    case 'C':
        publish->notify.control = value;
        return LEARN_EXIT_OK;

    case 'Z':
        publish->notify.zone = value;
        return LEARN_EXIT_OK;

    case 'T':
        publish->notify.token = value;
        return LEARN_EXIT_OK;

    case 'P':
        publish->notify.pid = value;
        return LEARN_EXIT_OK;

    case 'W':
        n = strtoul(value, &end, 10);

        if (value[0] < '0' || value[0] > '9' || *end != '\0' || n > 86400) {
            learn_complain("%s: '%s' is no number of seconds for --wait",
                           publish->command, value);
            return LEARN_EXIT_USAGE;
        }

        publish->notify.wait = (unsigned) n;
        return LEARN_EXIT_OK;
    }

    return -1;
}


int
learn_publish_open(learn_publish_t *publish)
{
    int  rc;

    publish->release.lock = -1;
    publish->notify.command = publish->command;

    if (publish->url == NULL) {
        learn_complain("%s: name the store, --store %s", publish->command,
                       LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    if (publish->path == NULL) {
        learn_complain("%s: name the file that nginx reads, --map IMAGE",
                       publish->command);
        return LEARN_EXIT_USAGE;
    }

    rc = learn_release_open(&publish->release, publish->command,
                            publish->path);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_store_open(&publish->store, publish->command, publish->url,
                              LEARN_STORE_SHARE);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_publish_now(publish);
    }

    return (rc == LEARN_EXIT_OK) ? learn_publish_settle(publish) : rc;
}


void
learn_publish_close(learn_publish_t *publish)
{
    learn_map_file_release(&publish->now);
    learn_map_file_release(&publish->was);

    if (publish->store != NULL) {
        publish->store->ops->close(publish->store);
    }

    learn_release_close(&publish->release);
}


static int
learn_publish_now(learn_publish_t *publish)
{
    int      rc;
    int64_t  last;

    if (access(publish->path, F_OK) == 0 || errno != ENOENT) {
        return learn_map_file_open(&publish->now, publish->command,
                                   publish->path);
    }

    rc = learn_archive_last(publish->store, &last);

    if (rc == LEARN_EXIT_OK && last > 0) {
        rc = learn_archive_open(publish->store, publish->command, last,
                                &publish->now);
    }

    return rc;
}


/* somebody was killed when the file was there, before he could note it */

static int
learn_publish_settle(learn_publish_t *publish)
{
    int              rc;
    learn_version_t  version;

    memset(&version, 0, sizeof(learn_version_t));

    if (publish->now.data == NULL) {
        return LEARN_EXIT_OK;
    }

    version.id = (int64_t) publish->now.image.generation;
    version.state = LEARN_VERSION_PUBLISHED;

    rc = publish->store->ops->versions(publish->store, learn_publish_begun,
                                       &version);

    if (rc == LEARN_EXIT_OK && version.state == LEARN_VERSION_BEGUN) {
        rc = learn_publish_end(publish, &version, LEARN_VERSION_PUBLISHED,
                               "interrupted, and published all the same");
    }

    return rc;
}


static int
learn_publish_begun(const learn_version_t *version, void *data)
{
    learn_version_t  *wanted;

    wanted = data;

    if (version->id != wanted->id) {
        return 1;
    }

    wanted->state = version->state;

    return 0;
}


int
learn_publish(learn_publish_t *publish, uint8_t *data, size_t size,
    const miqps_str_t *source, const char *note)
{
    int              rc;
    char             image[LEARN_NOTIFY_IMAGE];
    learn_version_t  version;

    memset(&version, 0, sizeof(learn_version_t));

    version.note = note;
    version.source = *source;

    if (!learn_notify_ready(&publish->notify)) {
        return LEARN_EXIT_FAILED;
    }

    rc = learn_publish_begin(publish, &version, data, size, image);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_release_file(&publish->release, data, size);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    rc = learn_publish_told(publish, &version,
                            learn_notify(&publish->notify, image));

    return (rc == LEARN_EXIT_OK) ? learn_publish_done(publish, data, size)
                                 : rc;
}


int
learn_publish_stop(learn_publish_t *publish, uint8_t *data, size_t size,
    const miqps_str_t *source, const char *why)
{
    char             image[LEARN_NOTIFY_IMAGE];
    learn_version_t  version;

    memset(&version, 0, sizeof(learn_version_t));

    version.state = LEARN_VERSION_STOPPED;
    version.note = why;
    version.source = *source;

    return learn_publish_begin(publish, &version, data, size, image);
}


static int
learn_publish_done(learn_publish_t *publish, const uint8_t *data, size_t size)
{
    const char  *why;

    learn_map_file_release(&publish->was);

    publish->was = publish->now;
    memset(&publish->now, 0, sizeof(learn_map_file_t));

    why = learn_map_file_copy(&publish->now, data, size);

    if (why != NULL) {
        learn_complain("%s: %s", publish->command, why);
        return LEARN_EXIT_FAILED;
    }

    return LEARN_EXIT_OK;
}


/* it gets its number, and is in the archive before anybody can read it */

static int
learn_publish_begin(learn_publish_t *publish, learn_version_t *version,
    uint8_t *data, size_t size, char image[LEARN_NOTIFY_IMAGE])
{
    int             rc;
    miqps_image_t   use;
    learn_store_t  *store;

    store = publish->store;
    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = (version->state == LEARN_VERSION_STOPPED)
             ? learn_archive_stopped(store, &version->id)
             : store->ops->version_next(store, &version->id);
    }

    /* the file may be from another store */

    if (publish->now.data != NULL
        && version->id <= (int64_t) publish->now.image.generation)
    {
        version->id = (int64_t) publish->now.image.generation + 1;
    }

    learn_publish_stamp(data, size, (uint64_t) version->id, image);
    miqps_image_use(&use, data);

    version->image = image;
    version->hosts = use.nhosts;
    version->patterns = use.npatterns;
    version->data.data = data;
    version->data.len = size;

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->version_add(store, version);
    }

    if (rc == LEARN_EXIT_OK && publish->status != NULL
        && version->state == LEARN_VERSION_BEGUN)
    {
        rc = learn_publish_watched(publish, version->id);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
    }

    return rc;
}


static int
learn_publish_watched(learn_publish_t *publish, int64_t version)
{
    learn_watched_t  watched;

    watched.version = version;
    watched.previous = (publish->now.data != NULL)
                       ? (int64_t) publish->now.image.generation : 0;
    watched.until = (publish->watch > 0)
                    ? (int64_t) time(NULL) + publish->watch : 0;
    watched.status = publish->status;

    return publish->store->ops->watched_save(publish->store, &watched);
}


static void
learn_publish_stamp(uint8_t *data, size_t size, uint64_t generation,
    char image[LEARN_NOTIFY_IMAGE])
{
    (void) learn_put_u64(data + LEARN_PUBLISH_GENERATION, generation);
    miqps_image_checksum(data, size, data + LEARN_PUBLISH_CHECKSUM);
    learn_notify_image(data + LEARN_PUBLISH_CHECKSUM, image);
}


/* what nginx does not take must not lie there for its next start */

static int
learn_publish_back(learn_publish_t *publish, const learn_version_t *version,
    const char *why)
{
    int  rc;

    rc = (publish->now.data != NULL)
         ? learn_release_file(&publish->release, publish->now.data,
                              publish->now.size)
         : learn_release_none(&publish->release);

    if (rc == LEARN_EXIT_OK) {
        (void) learn_publish_end(publish, version, LEARN_VERSION_REFUSED, why);
    }

    return LEARN_EXIT_FAILED;
}


static int
learn_publish_told(learn_publish_t *publish, const learn_version_t *version,
    learn_notify_e told)
{
    int          rc;
    const char  *how;

    switch (told) {

    case LEARN_NOTIFY_SERVED:
        how = "nginx serves it";
        break;

    case LEARN_NOTIFY_TOLD:
        how = "nobody was asked whether it is served";
        break;

    case LEARN_NOTIFY_REFUSED:
        return learn_publish_back(publish, version, "nginx does not take it");

    default:
        return learn_publish_back(publish, version,
                                  "nginx does not say that it serves it");
    }

    rc = learn_publish_end(publish, version, LEARN_VERSION_PUBLISHED,
                           version->note);

    if (rc == LEARN_EXIT_OK) {
        (void) printf("published as %lld: %llu hosts, %llu patterns, image "
                      "%s; %s\n", (long long) version->id,
                      (unsigned long long) version->hosts,
                      (unsigned long long) version->patterns, version->image,
                      how);

        /* it may be watched for minutes, and who reads a log wants to know */

        (void) fflush(stdout);
    }

    return rc;
}


static int
learn_publish_end(learn_publish_t *publish, const learn_version_t *version,
    learn_version_e state, const char *note)
{
    int             rc;
    learn_store_t  *store;

    store = publish->store;
    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->version_state(store, version->id, state, note);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
    }

    return rc;
}
