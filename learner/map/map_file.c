
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "learn.h"
#include "map_file.h"


#define LEARN_MAP_FILE_GUESS  (64 * 1024)


static const char  *learn_map_file_take(learn_map_file_t *file, int fd);
static const char  *learn_map_file_load(learn_map_file_t *file, int fd);
static const char  *learn_map_file_read(learn_map_file_t *file, int fd,
    size_t size);


int
learn_map_file_open(learn_map_file_t *file, const char *command,
    const char *name)
{
    int          fd;
    const char  *why;

    memset(file, 0, sizeof(learn_map_file_t));

    file->name = name;

    fd = open(name, O_RDONLY|O_CLOEXEC);

    if (fd == -1) {
        learn_complain("%s: cannot open '%s': %s", command, name,
                       strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    why = learn_map_file_take(file, fd);

    if (why != NULL) {
        learn_complain("%s: cannot use '%s': %s", command, name, why);
        return LEARN_EXIT_FAILED;
    }

    return LEARN_EXIT_OK;
}


const char *
learn_map_file_try(learn_map_file_t *file, const char *name)
{
    int  fd;

    memset(file, 0, sizeof(learn_map_file_t));

    file->name = name;

    fd = open(name, O_RDONLY|O_CLOEXEC);

    return (fd != -1) ? learn_map_file_take(file, fd) : strerror(errno);
}


/* closes it, too */

static const char *
learn_map_file_take(learn_map_file_t *file, int fd)
{
    const char  *why;

    why = learn_map_file_load(file, fd);

    (void) close(fd);

    if (why == NULL) {
        (void) miqps_image_open(&file->image, file->data, file->size, &why);
    }

    return why;
}


void
learn_map_file_release(learn_map_file_t *file)
{
    free(file->data);
    file->data = NULL;
}


const char *
learn_map_file_copy(learn_map_file_t *file, const uint8_t *data, size_t size)
{
    const char  *why;

    why = NULL;
    file->size = size;
    file->data = malloc(size + 1);

    if (file->data == NULL) {
        return "out of memory";
    }

    memcpy(file->data, data, size);
    (void) miqps_image_open(&file->image, file->data, size, &why);

    return why;
}


static const char *
learn_map_file_load(learn_map_file_t *file, int fd)
{
    const char   *why;
    struct stat   st;

    if (fstat(fd, &st) == -1) {
        return strerror(errno);
    }

    if (S_ISDIR(st.st_mode)) {
        return "it is a directory";
    }

    why = learn_map_file_read(file, fd, S_ISREG(st.st_mode)
                                        ? (size_t) st.st_size : 0);

    return (why == NULL && file->size == 0) ? "it is empty" : why;
}


/* to the end; "size" is a guess, since a pipe has none and a file may grow */

static const char *
learn_map_file_read(learn_map_file_t *file, int fd, size_t size)
{
    ssize_t   n;
    uint8_t  *p;

    size += LEARN_MAP_FILE_GUESS;

    for ( ;; ) {

        if (file->data == NULL || file->size == size) {
            size = (file->data == NULL) ? size : 2 * size;
            p = realloc(file->data, size);

            if (p == NULL) {
                return "out of memory";
            }

            file->data = p;
        }

        n = read(fd, file->data + file->size, size - file->size);

        if (n == -1 && errno == EINTR) {
            continue;
        }

        if (n == -1) {
            return strerror(errno);
        }

        if (n == 0) {
            return NULL;
        }

        file->size += (size_t) n;
    }
}
