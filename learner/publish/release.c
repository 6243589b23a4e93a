
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <sys/file.h>
#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "learn.h"
#include "map/map_file.h"
#include "release.h"
#include "trust.h"


static int  learn_release_names(learn_release_t *release, char **lock);
static int  learn_release_lock(learn_release_t *release, const char *lock);
static int  learn_release_folder(const learn_release_t *release);
static int  learn_release_target(const learn_release_t *release);
static void  learn_release_stat(const learn_release_t *release,
    struct stat *st);
static int  learn_release_write(learn_release_t *release, const uint8_t *data,
    size_t size);
static int  learn_release_put(int fd, const uint8_t *data, size_t size);
static int  learn_release_check(const learn_release_t *release,
    const uint8_t *data, size_t size);
static int  learn_release_sync(const learn_release_t *release);
static int  learn_release_fail(const learn_release_t *release,
    const char *what, const char *name);


int
learn_release_open(learn_release_t *release, const char *command,
    const char *path)
{
    int    rc;
    char  *lock;

    memset(release, 0, sizeof(learn_release_t));

    release->command = command;
    release->path = path;
    release->lock = -1;

    rc = learn_release_names(release, &lock);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_release_folder(release);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_release_target(release);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_release_lock(release, lock);
    }

    /* of somebody who was killed; the lock is ours */

    if (rc == LEARN_EXIT_OK && unlink(release->temp) == -1
        && errno != ENOENT)
    {
        rc = learn_release_fail(release, "cannot remove", release->temp);
    }

    free(lock);

    return rc;
}


void
learn_release_close(learn_release_t *release)
{
    if (release->lock != -1) {
        (void) close(release->lock);
    }

    free(release->temp);
}


static int
learn_release_names(learn_release_t *release, char **lock)
{
    *lock = NULL;

    if (asprintf(&release->temp, "%s.new", release->path) == -1) {
        release->temp = NULL;
    }

    if (asprintf(lock, "%s.lock", release->path) == -1) {
        *lock = NULL;
    }

    if (release->temp == NULL || *lock == NULL) {
        learn_complain("%s: out of memory", release->command);
        return LEARN_EXIT_FAILED;
    }

    return LEARN_EXIT_OK;
}


static int
learn_release_lock(learn_release_t *release, const char *lock)
{
    release->lock = open(lock, O_RDWR|O_CREAT|O_CLOEXEC|O_NOFOLLOW, 0600);

    if (release->lock == -1) {
        return learn_release_fail(release, "cannot open", lock);
    }

    if (flock(release->lock, LOCK_EX|LOCK_NB) == 0) {
        return LEARN_EXIT_OK;
    }

    if (errno != EWOULDBLOCK) {
        return learn_release_fail(release, "cannot lock", lock);
    }

    learn_complain("%s: another miqps publishes '%s'; wait for it to end",
                   release->command, release->path);

    return LEARN_EXIT_LOCKED;
}


/* whoever may write to the folder may replace the file */

static int
learn_release_folder(const learn_release_t *release)
{
    int           rc;
    char         *copy, *folder;
    struct stat   st;

    copy = strdup(release->path);

    if (copy == NULL) {
        learn_complain("%s: out of memory", release->command);
        return LEARN_EXIT_FAILED;
    }

    folder = dirname(copy);

    if (stat(folder, &st) == -1) {
        rc = learn_release_fail(release, "cannot look at", folder);

    } else {
        rc = learn_trust(release->command, folder, &st, LEARN_TRUST_FOLDER)
             ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    free(copy);

    return rc;
}


static int
learn_release_target(const learn_release_t *release)
{
    struct stat  st;

    if (lstat(release->path, &st) == -1) {
        return (errno == ENOENT)
               ? LEARN_EXIT_OK
               : learn_release_fail(release, "cannot look at", release->path);
    }

    if (S_ISLNK(st.st_mode)) {
        learn_complain("%s: '%s' is a link; name the file that nginx reads",
                       release->command, release->path);
        return LEARN_EXIT_FAILED;
    }

    if (!S_ISREG(st.st_mode)) {
        learn_complain("%s: '%s' is no file; name the one that nginx reads",
                       release->command, release->path);
        return LEARN_EXIT_FAILED;
    }

    return learn_trust(release->command, release->path, &st, LEARN_TRUST_FILE)
           ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


void
learn_release_leave(learn_release_t *release)
{
    learn_release_stat(release, &release->left);
    (void) flock(release->lock, LOCK_UN);
}


int
learn_release_again(learn_release_t *release)
{
    int  rc;

    do {
        rc = flock(release->lock, LOCK_EX);
    } while (rc == -1 && errno == EINTR);

    if (rc == -1) {
        return learn_release_fail(release, "cannot lock again",
                                  release->path);
    }

    if (learn_release_same(release)) {
        return LEARN_EXIT_OK;
    }

    learn_complain("%s: another miqps has published '%s' meanwhile",
                   release->command, release->path);

    return LEARN_EXIT_LOCKED;
}


int
learn_release_same(const learn_release_t *release)
{
    struct stat         st;
    const struct stat  *left;

    left = &release->left;
    learn_release_stat(release, &st);

    return st.st_dev == left->st_dev && st.st_ino == left->st_ino
           && st.st_size == left->st_size
           && st.st_mtim.tv_sec == left->st_mtim.tv_sec
           && st.st_mtim.tv_nsec == left->st_mtim.tv_nsec;
}


/* zeroes if there is none */

static void
learn_release_stat(const learn_release_t *release, struct stat *st)
{
    if (lstat(release->path, st) == -1) {
        memset(st, 0, sizeof(struct stat));
    }
}


int
learn_release_file(learn_release_t *release, const uint8_t *data, size_t size)
{
    int  rc;

    rc = learn_release_write(release, data, size);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_release_check(release, data, size);
    }

    if (rc == LEARN_EXIT_OK && rename(release->temp, release->path) == -1) {
        rc = learn_release_fail(release, "cannot replace", release->path);
    }

    if (rc != LEARN_EXIT_OK) {
        (void) unlink(release->temp);
        return rc;
    }

    return learn_release_sync(release);
}


static int
learn_release_write(learn_release_t *release, const uint8_t *data,
    size_t size)
{
    int  fd, rc;

    fd = open(release->temp, O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC|O_NOFOLLOW,
              0644);

    if (fd == -1) {
        return learn_release_fail(release, "cannot create", release->temp);
    }

    rc = LEARN_EXIT_OK;

    if (fchmod(fd, 0644) == -1 || learn_release_put(fd, data, size) == -1
        || fsync(fd) == -1)
    {
        rc = learn_release_fail(release, "cannot write", release->temp);
    }

    if (close(fd) == -1 && rc == LEARN_EXIT_OK) {
        rc = learn_release_fail(release, "cannot write", release->temp);
    }

    return rc;
}


static int
learn_release_put(int fd, const uint8_t *data, size_t size)
{
    ssize_t  n;

    while (size > 0) {
        n = write(fd, data, size);

        if (n == -1 && errno == EINTR) {
            continue;
        }

        if (n <= 0) {
            return -1;
        }

        data += n;
        size -= (size_t) n;
    }

    return 0;
}


/* what is on the disk is what was meant, and a map */

static int
learn_release_check(const learn_release_t *release, const uint8_t *data,
    size_t size)
{
    int               rc;
    learn_map_file_t  file;

    rc = learn_map_file_open(&file, release->command, release->temp);

    if (rc == LEARN_EXIT_OK
        && (file.size != size || memcmp(file.data, data, size) != 0))
    {
        learn_complain("%s: '%s' is not what was written to it; look after "
                       "the disk", release->command, release->temp);
        rc = LEARN_EXIT_FAILED;
    }

    learn_map_file_release(&file);

    return rc;
}


int
learn_release_none(learn_release_t *release)
{
    if (unlink(release->path) == -1 && errno != ENOENT) {
        return learn_release_fail(release, "cannot remove", release->path);
    }

    return learn_release_sync(release);
}


static int
learn_release_sync(const learn_release_t *release)
{
    int    fd, rc;
    char  *copy;

    copy = strdup(release->path);
    fd = (copy != NULL) ? open(dirname(copy), O_RDONLY|O_DIRECTORY|O_CLOEXEC)
                        : -1;
    free(copy);

    if (fd == -1) {
        return learn_release_fail(release, "cannot open the folder of",
                                  release->path);
    }

    rc = LEARN_EXIT_OK;

    /* some file systems do not know how */

    if (fsync(fd) == -1 && errno != EINVAL && errno != EROFS) {
        rc = learn_release_fail(release, "cannot write the folder of",
                                release->path);
    }

    (void) close(fd);

    return rc;
}


static int
learn_release_fail(const learn_release_t *release, const char *what,
    const char *name)
{
    learn_complain("%s: %s '%s': %s", release->command, what, name,
                   strerror(errno));

    return LEARN_EXIT_FAILED;
}
