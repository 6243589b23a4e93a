
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ARCHIVE_H_INCLUDED_
#define _LEARN_ARCHIVE_H_INCLUDED_


#include "map/map_file.h"
#include "store/store.h"


/* Maps of the store, by their generations. */


/* the last one that was published, or 0 */

int learn_archive_last(learn_store_t *store, int64_t *version);

/*
 * Where a map goes that the guard has stopped: those that follow each other
 * take one place, so that who is refused each night does not fill the store.
 */
int learn_archive_stopped(learn_store_t *store, int64_t *version);

/*
 * The image of a version; without data if the archive has not got it.
 * LEARN_EXIT_FAILED after a complaint that begins with "command"; release the
 * file in any case.
 */
int learn_archive_open(learn_store_t *store, const char *command,
    int64_t version, learn_map_file_t *file);


#endif /* _LEARN_ARCHIVE_H_INCLUDED_ */
