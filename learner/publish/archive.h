
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ARCHIVE_H_INCLUDED_
#define _LEARN_ARCHIVE_H_INCLUDED_


#include "map/map_file.h"
#include "store/store.h"


/*
 * Maps of the store, by their generations.  A store may have those of several
 * files, by their names, "map".
 */


/* the last one that was published, or 0 */

int learn_archive_last(learn_store_t *store, const char *map,
    int64_t *version);

/*
 * Where to go back to from a map, "now": the newest one that was published
 * before it and says something else, but for those that somebody else has gone
 * back from; or 0.
 */
int learn_archive_before(learn_store_t *store, const char *command,
    const char *map, const learn_map_file_t *now, int64_t *version);

/*
 * The notes of maps that take others back, which is how it is known later on:
 * all from the one named first up to the map itself.
 */
void learn_archive_note_back(char *note, size_t size, int64_t to);
void learn_archive_note_worse(char *note, size_t size, size_t hosts,
    int64_t version);

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
