
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "archive.h"
#include "learn.h"
#include "learn/study.h"
#include "map/map_put.h"
#include "publish.h"


#define LEARN_PUBLISH_GENERATION  24         /* where it is in an image */
#define LEARN_PUBLISH_CHECKSUM    40


typedef struct {
    learn_publish_t  *publish;
    learn_version_t  *version;
} learn_publish_row_t;


static int  learn_publish_name(learn_publish_t *publish);
static int  learn_publish_now(learn_publish_t *publish);
static int  learn_publish_find(learn_publish_t *publish,
    learn_version_t *version);
static int  learn_publish_row(const learn_version_t *version, void *data);
static int  learn_publish_note(learn_publish_t *publish,
    const learn_version_t *version, learn_version_e state, const char *what);
static int  learn_publish_before(learn_publish_t *publish);
static int  learn_publish_done(learn_publish_t *publish, const uint8_t *data,
    size_t size);
static int  learn_publish_bind(learn_publish_t *publish, int64_t version);
static int  learn_publish_begin_watch(learn_publish_t *publish,
    int64_t version);
static int  learn_publish_watched(learn_publish_t *publish, int64_t version);
static void  learn_publish_stamp(uint8_t *data, size_t size,
    uint64_t generation, char image[LEARN_NOTIFY_IMAGE]);
static int  learn_publish_begin(learn_publish_t *publish,
    learn_version_t *version, uint8_t *data, size_t size,
    char image[LEARN_NOTIFY_IMAGE]);
static int  learn_publish_end(learn_publish_t *publish,
    const learn_version_t *version, learn_version_e state, const char *note);
static int  learn_publish_back(learn_publish_t *publish,
    const learn_version_t *version, learn_notify_e told, const char *why);
static int  learn_publish_returned(learn_publish_t *publish,
    learn_notify_e told);
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

    /* what is begun comes to its end, though nobody reads about it any more */

    (void) signal(SIGPIPE, SIG_IGN);

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
        rc = learn_publish_name(publish);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_store_open(&publish->store, publish->command, publish->url,
                              LEARN_STORE_SHARE);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_publish_now(publish);
    }

    return rc;
}


void
learn_publish_close(learn_publish_t *publish)
{
    learn_map_file_release(&publish->now);
    learn_map_file_release(&publish->was);
    learn_map_file_release(&publish->begun);
    free(publish->note);
    free(publish->name);

    if (publish->store != NULL) {
        publish->store->ops->close(publish->store);
    }

    learn_release_close(&publish->release);
}


/* the file may not be there, and is no link */

static int
learn_publish_name(learn_publish_t *publish)
{
    int          ok;
    char        *copy, *folder;
    const char  *file;

    copy = strdup(publish->path);
    folder = (copy != NULL) ? realpath(dirname(copy), NULL) : NULL;
    file = strrchr(publish->path, '/');
    file = (file != NULL) ? file + 1 : publish->path;

    ok = (folder != NULL
          && asprintf(&publish->name, "%s/%s", folder, file) != -1);

    if (!ok) {
        learn_complain("%s: cannot name '%s': %s", publish->command,
                       publish->path, strerror(errno));
        publish->name = NULL;
    }

    free(copy);
    free(folder);

    return ok ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


static int
learn_publish_now(learn_publish_t *publish)
{
    int          rc;
    int64_t      last;
    const char  *why;

    if (access(publish->path, F_OK) == 0 || errno != ENOENT) {
        why = learn_map_file_try(&publish->now, publish->path);

        if (why == NULL) {
            return LEARN_EXIT_OK;
        }

        learn_map_file_release(&publish->now);

        if (!publish->mend) {
            learn_complain("%s: cannot use '%s': %s; 'miqps rollback' or "
                           "'miqps publish --force' goes on from the archive",
                           publish->command, publish->path, why);
            return LEARN_EXIT_FAILED;
        }

        learn_complain("%s: cannot use '%s': %s; the last map of the archive "
                       "takes its place", publish->command, publish->path,
                       why);
    }

    publish->lost = 1;
    rc = learn_archive_last(publish->store, publish->name, &last);

    if (rc == LEARN_EXIT_OK && last > 0) {
        rc = learn_archive_open(publish->store, publish->command, last,
                                &publish->now);
    }

    return rc;
}


/* what nginx says of it decides whether it was published */

int
learn_publish_interrupted(learn_publish_t *publish)
{
    int              rc;
    char             image[LEARN_NOTIFY_IMAGE];
    learn_notify_e   told;
    learn_version_t  version;

    rc = learn_publish_find(publish, &version);

    if (rc != LEARN_EXIT_OK || version.state != LEARN_VERSION_BEGUN) {
        return rc;
    }

    learn_notify_image(publish->now.data + LEARN_PUBLISH_CHECKSUM, image);
    told = learn_notify_look(&publish->notify, image);

    switch (told) {

    case LEARN_NOTIFY_SERVED:
        break;

    case LEARN_NOTIFY_TOLD:

        /* it is for nginx to find it, or else for a signal to be sent */

        if (publish->notify.pid == NULL) {
            break;
        }

        return learn_publish_before(publish);

    case LEARN_NOTIFY_OTHER:
        return learn_publish_before(publish);

    case LEARN_NOTIFY_BACK:
        return learn_publish_note(publish, &version, LEARN_VERSION_REFUSED,
                                  "nginx's miqps_control went back from it");

    default:
        return LEARN_EXIT_FAILED;
    }

    return learn_publish_note(publish, &version, LEARN_VERSION_PUBLISHED,
                              "interrupted");
}


/* the version of what is published; BEGUN with a note, or another state */

static int
learn_publish_find(learn_publish_t *publish, learn_version_t *version)
{
    int                  rc;
    learn_publish_row_t  row;

    memset(version, 0, sizeof(learn_version_t));
    version->state = LEARN_VERSION_PUBLISHED;

    if (publish->now.data == NULL) {
        return LEARN_EXIT_OK;
    }

    free(publish->note);
    publish->note = NULL;

    row.publish = publish;
    row.version = version;
    version->id = (int64_t) publish->now.image.generation;

    rc = publish->store->ops->versions(publish->store, learn_publish_row,
                                       &row);

    if (rc == LEARN_EXIT_OK && version->state == LEARN_VERSION_BEGUN
        && publish->note == NULL)
    {
        learn_complain("%s: out of memory", publish->command);
        return LEARN_EXIT_FAILED;
    }

    version->note = publish->note;

    return rc;
}


static int
learn_publish_row(const learn_version_t *version, void *data)
{
    learn_publish_row_t  *row;

    row = data;

    if (version->id != row->version->id) {
        return 1;
    }

    row->version->state = version->state;
    row->version->hosts = version->hosts;
    row->version->patterns = version->patterns;
    row->publish->note = strdup(version->note);

    return 0;
}


static int
learn_publish_note(learn_publish_t *publish, const learn_version_t *version,
    learn_version_e state, const char *what)
{
    int    rc;
    char  *note;

    if (asprintf(&note, "%s; %s", version->note, what) == -1) {
        learn_complain("%s: out of memory", publish->command);
        return LEARN_EXIT_FAILED;
    }

    rc = learn_publish_end(publish, version, state, note);
    free(note);

    return rc;
}


/* as if it had not come to the file, which is there, and can stay */

static int
learn_publish_before(learn_publish_t *publish)
{
    int      rc;
    int64_t  last;

    publish->begun = publish->now;
    memset(&publish->now, 0, sizeof(learn_map_file_t));

    rc = learn_archive_last(publish->store, publish->name, &last);

    return (rc == LEARN_EXIT_OK && last > 0)
           ? learn_archive_open(publish->store, publish->command, last,
                                &publish->now)
           : rc;
}


int
learn_publish_resume(learn_publish_t *publish)
{
    int               rc;
    char              image[LEARN_NOTIFY_IMAGE];
    learn_version_t   version;
    learn_map_file_t  now;

    /* its row is found by what is published */

    now = publish->now;
    publish->now = publish->begun;
    rc = learn_publish_find(publish, &version);
    publish->now = now;

    if (rc == LEARN_EXIT_OK && publish->status != NULL) {
        rc = learn_publish_begin_watch(publish, version.id);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    learn_notify_image(publish->begun.data + LEARN_PUBLISH_CHECKSUM, image);
    version.image = image;

    rc = learn_publish_told(publish, &version,
                            learn_notify(&publish->notify, image));

    return (rc == LEARN_EXIT_OK)
           ? learn_publish_done(publish, publish->begun.data,
                                publish->begun.size)
           : rc;
}


int
learn_publish_confirm(learn_publish_t *publish)
{
    char            image[LEARN_NOTIFY_IMAGE];
    learn_notify_e  told;

    if (publish->now.data == NULL || publish->notify.control == NULL) {
        return LEARN_EXIT_OK;
    }

    learn_notify_image(publish->now.data + LEARN_PUBLISH_CHECKSUM, image);
    told = learn_notify_look(&publish->notify, image);

    if (told == LEARN_NOTIFY_SERVED) {
        return LEARN_EXIT_OK;
    }

    if (told == LEARN_NOTIFY_BACK) {
        learn_complain("%s: nginx's miqps_control went back from the map %lld, "
                       "and does not serve it; 'miqps rollback' makes the one "
                       "before the published one, or action=reload&force=1 "
                       "has it served again", publish->command,
                       (long long) publish->now.image.generation);
        return LEARN_EXIT_REFUSED;
    }

    if (told == LEARN_NOTIFY_OTHER
        && learn_notify(&publish->notify, image) == LEARN_NOTIFY_SERVED)
    {
        (void) printf("nginx served another map, and was told again: it "
                      "serves %lld\n",
                      (long long) publish->now.image.generation);
        return LEARN_EXIT_OK;
    }

    return LEARN_EXIT_FAILED;
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
    version->map = publish->name;
    version->hosts = use.nhosts;
    version->patterns = use.npatterns;
    version->data.data = data;
    version->data.len = size;

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->version_add(store, version);
    }

    if (rc == LEARN_EXIT_OK && version->state == LEARN_VERSION_BEGUN) {
        rc = learn_publish_bind(publish, version->id);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
    }

    return rc;
}


/* what belongs to it is there when it is, so that no kill comes in between */

static int
learn_publish_bind(learn_publish_t *publish, int64_t version)
{
    int  rc;

    rc = LEARN_EXIT_OK;

    if (publish->status != NULL) {
        rc = learn_publish_watched(publish, version);
    }

    if (rc == LEARN_EXIT_OK && publish->undo != NULL) {
        rc = learn_undo_holds(publish->undo, publish->store, publish->why);
    }

    return rc;
}


static int
learn_publish_begin_watch(learn_publish_t *publish, int64_t version)
{
    int             rc;
    learn_store_t  *store;

    store = publish->store;
    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_publish_watched(publish, version);
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

    publish->watched = version;
    publish->end = learn_clock() + publish->watch * LEARN_LANE_SECOND;

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


/*
 * What nginx does not take must not lie there for its next start.  It may have
 * taken it, though, and only not have said so: it is told of the old one.
 */

static int
learn_publish_back(learn_publish_t *publish, const learn_version_t *version,
    learn_notify_e told, const char *why)
{
    int  rc;

    rc = (publish->now.data != NULL)
         ? learn_release_file(&publish->release, publish->now.data,
                              publish->now.size)
         : learn_release_none(&publish->release);

    if (rc == LEARN_EXIT_OK && !learn_publish_returned(publish, told)) {
        learn_complain("%s: '%s' is as it was before, and nginx does not say "
                       "that it serves that; ask its miqps_control, which may "
                       "have to be told action=reload", publish->command,
                       publish->path);
    }

    if (rc == LEARN_EXIT_OK) {
        (void) learn_publish_end(publish, version, LEARN_VERSION_REFUSED, why);
    }

    return LEARN_EXIT_FAILED;
}


/* true if nginx serves what was before; of who cannot be asked it is assumed */

static int
learn_publish_returned(learn_publish_t *publish, learn_notify_e told)
{
    char  image[LEARN_NOTIFY_IMAGE];

    if (publish->notify.control == NULL) {
        return 1;
    }

    if (publish->now.data == NULL) {
        return told == LEARN_NOTIFY_REFUSED;
    }

    learn_notify_image(publish->now.data + LEARN_PUBLISH_CHECKSUM, image);

    return learn_notify(&publish->notify, image) == LEARN_NOTIFY_SERVED;
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
        return learn_publish_back(publish, version, told,
                                  "nginx does not take it");

    default:
        return learn_publish_back(publish, version, told,
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
