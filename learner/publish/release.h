
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_RELEASE_H_INCLUDED_
#define _LEARN_RELEASE_H_INCLUDED_


#include <sys/stat.h>
#include <stddef.h>
#include <stdint.h>


/*
 * THE FILE THAT NGINX READS
 *
 * It is replaced as a whole: a new file in the same folder, safe on the disk,
 * read again and checked as nginx does, takes its name.  Whoever is killed on
 * the way leaves the old file or the new one, and maybe one beside it, which
 * the next release removes.
 *
 * All return LEARN_EXIT_OK, or another after a complaint that begins with
 * "command".
 */

typedef struct {
    const char      *command;
    const char      *path;
    char            *temp;
    int              lock;         /* a descriptor, or -1 */
    struct stat      left;         /* the file, when the lock was given up */
} learn_release_t;


/*
 * Takes the lock beside the file; LEARN_EXIT_LOCKED if somebody else has it.
 * Refuses files and folders that others may write to, links, and what is no
 * file.  Release it in any case.
 */
int learn_release_open(learn_release_t *release, const char *command,
    const char *path);
void learn_release_close(learn_release_t *release);

/*
 * Gives up the lock while nothing is to be written, so that others need not
 * wait, and takes it again, for which it waits.  LEARN_EXIT_LOCKED after a
 * complaint if the file is another one since.
 */
void learn_release_leave(learn_release_t *release);
int learn_release_again(learn_release_t *release);

/* meanwhile: true if the file is still the same */

int learn_release_same(const learn_release_t *release);

/* "data" becomes the file; there is no file */

int learn_release_file(learn_release_t *release, const uint8_t *data,
    size_t size);
int learn_release_none(learn_release_t *release);


#endif /* _LEARN_RELEASE_H_INCLUDED_ */
