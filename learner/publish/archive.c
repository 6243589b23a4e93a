
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "learn.h"


#define LEARN_ARCHIVE_BACK   "rolled back to "
#define LEARN_ARCHIVE_HOSTS  " hosts of "
#define LEARN_ARCHIVE_WORSE  " became worse, and are as before"


typedef struct {
    const char        *command;
    learn_map_file_t  *file;
} learn_archive_take_t;


typedef struct {
    const char        *map;
    int64_t            found;        /* or 0 */
} learn_archive_last_t;


typedef struct {
    const char        *map;
    int64_t            below;        /* what is looked for is older than that */
    int64_t            undone;       /* all from here on were taken back */
    int64_t            found;        /* or 0 */
} learn_archive_find_t;


static int  learn_archive_of(const learn_version_t *version, const char *map);
static int  learn_archive_published(const learn_version_t *version,
    void *data);
static int  learn_archive_older(const learn_version_t *version, void *data);
static int64_t  learn_archive_undoes(const char *note);
static int  learn_archive_other(learn_store_t *store, const char *command,
    int64_t version, const learn_map_file_t *now);
static int  learn_archive_newest(const learn_version_t *version, void *data);
static int  learn_archive_take(const learn_version_t *version, void *data);


int
learn_archive_last(learn_store_t *store, const char *map, int64_t *version)
{
    int                   rc;
    learn_archive_last_t  last;

    last.map = map;
    last.found = 0;

    rc = store->ops->versions(store, learn_archive_published, &last);
    *version = last.found;

    return rc;
}


static int
learn_archive_published(const learn_version_t *version, void *data)
{
    learn_archive_last_t  *last;

    last = data;

    if (!learn_archive_of(version, last->map)) {
        return 1;
    }

    last->found = version->id;

    return 0;
}


/* whether it was published for the file; older stores do not say */

static int
learn_archive_of(const learn_version_t *version, const char *map)
{
    return version->state == LEARN_VERSION_PUBLISHED
           && (version->map[0] == '\0' || strcmp(version->map, map) == 0);
}


int
learn_archive_before(learn_store_t *store, const char *command,
    const char *map, const learn_map_file_t *now, int64_t *version)
{
    int                   rc;
    learn_archive_find_t  find;

    *version = 0;
    find.map = map;
    find.below = (now->data != NULL) ? (int64_t) now->image.generation
                                     : INT64_MAX;

    for ( ;; ) {
        find.undone = INT64_MAX;
        find.found = 0;

        rc = store->ops->versions(store, learn_archive_older, &find);

        if (rc != LEARN_EXIT_OK || find.found == 0) {
            return rc;
        }

        if (learn_archive_other(store, command, find.found, now)) {
            *version = find.found;
            return LEARN_EXIT_OK;
        }

        find.below = find.found;
    }
}


/*
 * The last one comes first.  Who was taken back himself has taken nothing back
 * any more.
 */

static int
learn_archive_older(const learn_version_t *version, void *data)
{
    int64_t                undoes;
    learn_archive_find_t  *find;

    find = data;

    if (!learn_archive_of(version, find->map) || version->id >= find->undone)
    {
        return 1;
    }

    if (version->id < find->below) {
        find->found = version->id;
        return 0;
    }

    undoes = learn_archive_undoes(version->note);

    if (undoes < find->undone) {
        find->undone = undoes;
    }

    return 1;
}


void
learn_archive_note_back(char *note, size_t size, int64_t to)
{
    (void) snprintf(note, size, LEARN_ARCHIVE_BACK "%lld", (long long) to);
}


void
learn_archive_note_worse(char *note, size_t size, size_t hosts,
    int64_t version)
{
    (void) snprintf(note, size, "%zu" LEARN_ARCHIVE_HOSTS "%lld"
                    LEARN_ARCHIVE_WORSE, hosts, (long long) version);
}


/* the first one, or the last number there is */

static int64_t
learn_archive_undoes(const char *note)
{
    char         *end;
    int64_t       version;
    const char   *hosts;
    const size_t  back = sizeof(LEARN_ARCHIVE_BACK) - 1;

    if (strncmp(note, LEARN_ARCHIVE_BACK, back) == 0) {
        version = strtoll(note + back, &end, 10);
        return (end != note + back) ? version + 1 : INT64_MAX;
    }

    hosts = note + strspn(note, "0123456789");

    if (hosts == note
        || strncmp(hosts, LEARN_ARCHIVE_HOSTS,
                   sizeof(LEARN_ARCHIVE_HOSTS) - 1)
           != 0)
    {
        return INT64_MAX;
    }

    version = strtoll(hosts + sizeof(LEARN_ARCHIVE_HOSTS) - 1, &end, 10);

    return (strncmp(end, LEARN_ARCHIVE_WORSE, sizeof(LEARN_ARCHIVE_WORSE) - 1)
            == 0) ? version : INT64_MAX;
}


/*
 * True if it is not the same but for its number and time.  One that is damaged,
 * which was complained of, is nothing to go back to.
 */

static int
learn_archive_other(learn_store_t *store, const char *command, int64_t version,
    const learn_map_file_t *now)
{
    int               other;
    learn_map_file_t  file;

    other = learn_archive_open(store, command, version, &file) == LEARN_EXIT_OK
            && file.data != NULL
            && (now->data == NULL || file.size != now->size
                || memcmp(file.data + MIQPS_IMAGE_HEAD,
                          now->data + MIQPS_IMAGE_HEAD,
                          now->size - MIQPS_IMAGE_HEAD)
                   != 0);

    learn_map_file_release(&file);

    return other;
}


int
learn_archive_stopped(learn_store_t *store, int64_t *version)
{
    int              rc;
    learn_version_t  newest;

    memset(&newest, 0, sizeof(learn_version_t));

    rc = store->ops->versions(store, learn_archive_newest, &newest);

    if (rc != LEARN_EXIT_OK || newest.state != LEARN_VERSION_STOPPED) {
        return (rc == LEARN_EXIT_OK) ? store->ops->version_next(store, version)
                                     : rc;
    }

    *version = newest.id;

    return LEARN_EXIT_OK;
}


static int
learn_archive_newest(const learn_version_t *version, void *data)
{
    learn_version_t  *newest;

    newest = data;
    newest->id = version->id;
    newest->state = version->state;

    return 0;
}


int
learn_archive_open(learn_store_t *store, const char *command, int64_t version,
    learn_map_file_t *file)
{
    learn_archive_take_t  take;

    memset(file, 0, sizeof(learn_map_file_t));

    take.command = command;
    take.file = file;

    return store->ops->version(store, version, learn_archive_take, &take);
}


static int
learn_archive_take(const learn_version_t *version, void *data)
{
    const char            *why;
    learn_archive_take_t  *take;

    take = data;
    why = learn_map_file_copy(take->file, version->data.data,
                              version->data.len);

    if (why == NULL) {
        return 1;
    }

    learn_complain("%s: cannot use the map %lld of the store: %s",
                   take->command, (long long) version->id, why);

    return 0;
}
