
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "archive.h"
#include "learn.h"


typedef struct {
    const char        *command;
    learn_map_file_t  *file;
} learn_archive_take_t;


static int  learn_archive_published(const learn_version_t *version,
    void *data);
static int  learn_archive_newest(const learn_version_t *version, void *data);
static int  learn_archive_take(const learn_version_t *version, void *data);


int
learn_archive_last(learn_store_t *store, int64_t *version)
{
    *version = 0;

    return store->ops->versions(store, learn_archive_published, version);
}


static int
learn_archive_published(const learn_version_t *version, void *data)
{
    if (version->state != LEARN_VERSION_PUBLISHED) {
        return 1;
    }

    *(int64_t *) data = version->id;

    return 0;
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
