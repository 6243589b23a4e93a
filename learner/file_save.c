
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_save.h"
#include "learn.h"


static int  learn_file_replace(const char *command, const char *name,
    const void *data, size_t len);
static int  learn_file_finish(int fd, const char *temp, const char *name);
static int  learn_file_sync_folder(const char *name);
static int  learn_file_put(int fd, const void *data, size_t len);
static int  learn_file_fail(const char *command, const char *what,
    const char *name);


int
learn_file_save(const char *command, const char *name, const void *data,
    size_t len)
{
    int          fd, rc;
    char        *real;
    struct stat  st;

    if (name == NULL) {
        return (learn_file_put(STDOUT_FILENO, data, len) == 0)
               ? LEARN_EXIT_OK
               : learn_file_fail(command, "cannot write", "standard output");
    }

    if (stat(name, &st) == -1) {
        return learn_file_replace(command, name, data, len);
    }

    if (S_ISREG(st.st_mode)) {

        /* a link stays one, as /dev/stdout must */

        real = realpath(name, NULL);

        if (real == NULL) {
            return learn_file_fail(command, "cannot open", name);
        }

        rc = learn_file_replace(command, real, data, len);
        free(real);

        return rc;
    }

    fd = open(name, O_WRONLY|O_CLOEXEC);

    if (fd == -1) {
        return learn_file_fail(command, "cannot open", name);
    }

    rc = learn_file_put(fd, data, len);

    if (close(fd) == -1 || rc != 0) {
        return learn_file_fail(command, "cannot write", name);
    }

    return LEARN_EXIT_OK;
}


static int
learn_file_replace(const char *command, const char *name, const void *data,
    size_t len)
{
    int    fd, rc;
    char  *temp;

    if (asprintf(&temp, "%s.XXXXXX", name) == -1) {
        learn_complain("%s: out of memory", command);
        return LEARN_EXIT_FAILED;
    }

    fd = mkostemp(temp, O_CLOEXEC);

    if (fd == -1) {
        free(temp);
        return learn_file_fail(command, "cannot create", name);
    }

    rc = learn_file_put(fd, data, len);

    if (rc == 0) {
        rc = learn_file_finish(fd, temp, name);

    } else {
        (void) close(fd);
    }

    if (rc != 0) {
        rc = learn_file_fail(command, "cannot write", name);
        (void) unlink(temp);
    }

    free(temp);

    return rc;
}


static int
learn_file_finish(int fd, const char *temp, const char *name)
{
    int     rc;
    mode_t  mask;

    mask = umask(0);
    umask(mask);

    rc = 0;

    if (fchmod(fd, 0666 & ~mask) == -1 || fsync(fd) == -1) {
        rc = -1;
    }

    if (close(fd) == -1) {
        rc = -1;
    }

    if (rc == 0 && rename(temp, name) == -1) {
        rc = -1;
    }

    return (rc == 0) ? learn_file_sync_folder(name) : rc;
}


/* so that the new name is safe as well */

static int
learn_file_sync_folder(const char *name)
{
    int          fd, rc;
    char        *folder;
    const char  *slash;

    slash = strrchr(name, '/');
    folder = (slash == NULL) ? strdup(".")
             : strndup(name, (size_t) (slash - name) + 1);

    if (folder == NULL) {
        return -1;
    }

    fd = open(folder, O_RDONLY|O_DIRECTORY|O_CLOEXEC);
    free(folder);

    if (fd == -1) {
        return -1;
    }

    rc = fsync(fd);

    /* some file systems do not know how */

    if (rc == -1 && (errno == EINVAL || errno == EROFS)) {
        rc = 0;
    }

    (void) close(fd);

    return rc;
}


static int
learn_file_put(int fd, const void *data, size_t len)
{
    size_t   done;
    ssize_t  n;

    for (done = 0; done < len; done += (size_t) n) {
        n = write(fd, (const char *) data + done, len - done);

        if (n == -1 && errno == EINTR) {
            n = 0;

        } else if (n == -1) {
            return -1;
        }
    }

    return 0;
}


static int
learn_file_fail(const char *command, const char *what, const char *name)
{
    learn_complain("%s: %s '%s': %s", command, what, name, strerror(errno));

    return LEARN_EXIT_FAILED;
}
