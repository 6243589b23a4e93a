
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "learn.h"
#include "reader.h"


static int  learn_reader_open(learn_reader_t *reader);
static const char  *learn_reader_packed(const learn_reader_t *reader);
static int  learn_reader_find(learn_reader_t *reader);
static int  learn_reader_known(const learn_source_t *source, void *data);
static int  learn_reader_fill(learn_reader_t *reader);
static int  learn_reader_failed(learn_reader_t *reader);
static size_t  learn_reader_read(learn_reader_t *reader, uint8_t *buf,
    size_t size, int *rc);


int
learn_reader_init(learn_reader_t *reader, learn_store_t *store,
    const char *command, const char *path)
{
    int          rc;
    const char  *packer;

    memset(reader, 0, sizeof(learn_reader_t));

    reader->store = store;
    reader->command = command;
    reader->path = path;
    reader->buf = malloc(LEARN_READER_SIZE);
    reader->at = reader->buf;
    reader->last = reader->buf;

    if (reader->buf == NULL) {
        learn_complain("%s: out of memory", command);
        return LEARN_EXIT_FAILED;
    }

    rc = learn_reader_open(reader);

    if (rc != LEARN_EXIT_OK || !learn_reader_fill(reader)) {
        return LEARN_EXIT_FAILED;
    }

    packer = learn_reader_packed(reader);

    if (packer != NULL) {
        learn_complain("%s: '%s' is compressed; let %s read it, and this read "
                       "what comes out, -", command, path, packer);
        return LEARN_EXIT_FAILED;
    }

    return reader->resumes ? learn_reader_find(reader) : LEARN_EXIT_OK;
}


void
learn_reader_release(learn_reader_t *reader)
{
    if (reader->gz != NULL) {
        (void) gzclose(reader->gz);

    } else if (reader->fd > 0) {
        (void) close(reader->fd);
    }

    free(reader->buf);
}


int
learn_reader_line(learn_reader_t *reader, miqps_str_t *line)
{
    size_t    size;
    int       cut;
    uint8_t  *end;

    cut = 0;

    for ( ;; ) {
        size = (size_t) (reader->last - reader->at);
        end = (size > 0) ? memchr(reader->at, '\n', size) : NULL;

        if (end != NULL || (reader->end && size > 0 && !reader->whole)) {
            break;
        }

        if (reader->end) {
            return cut ? 2 : 0;
        }

        /* what is too long to be a line is passed over */

        if (size >= LEARN_READER_LINE) {
            cut = 1;
            reader->source.offset += size;
            reader->at = reader->last;
        }

        if (!learn_reader_fill(reader)) {
            return -1;
        }
    }

    line->data = reader->at;
    line->len = (end != NULL) ? (size_t) (end - reader->at) : size;

    size = line->len + (end != NULL);

    reader->at += size;
    reader->source.offset += size;
    reader->source.lines++;

    return (cut || line->len > LEARN_READER_LINE) ? 2 : 1;
}


learn_source_t *
learn_reader_source(learn_reader_t *reader)
{
    size_t           len;
    learn_source_t  *source;

    if (!reader->resumes) {
        return NULL;
    }

    source = &reader->source;

    len = reader->head_len;

    if (len > source->offset) {
        len = (size_t) source->offset;
    }

    /* of a file that has grown, the buffer may have less than that */

    if (len > (size_t) (reader->at - reader->buf)) {
        len = (size_t) (reader->at - reader->buf);
    }

    if (len == 0) {
        return NULL;
    }

    source->head_len = len;
    source->head = learn_store_hash(reader->store, reader->head, len);

    source->tail = learn_store_hash(reader->store, reader->at - len, len);

    return source;
}


static int
learn_reader_open(learn_reader_t *reader)
{
    struct stat  st;

    reader->fd = (strcmp(reader->path, "-") == 0)
                 ? dup(STDIN_FILENO)
                 : open(reader->path, O_RDONLY|O_CLOEXEC);

    if (reader->fd == -1 || fstat(reader->fd, &st) == -1) {
        learn_complain("%s: cannot read '%s': %s", reader->command,
                       reader->path, strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    if (S_ISDIR(st.st_mode)) {
        learn_complain("%s: '%s' is a folder; name the files in it",
                       reader->command, reader->path);
        return LEARN_EXIT_FAILED;
    }

    reader->gz = gzdopen(reader->fd, "rb");

    if (reader->gz == NULL) {
        learn_complain("%s: out of memory", reader->command);
        return LEARN_EXIT_FAILED;
    }

    /* a pipe cannot be read again */

    reader->resumes = S_ISREG(st.st_mode) && strcmp(reader->path, "-") != 0;

    (void) gzbuffer(reader->gz, 128 * 1024);

    return LEARN_EXIT_OK;
}


/* who reads what zlib does not; NULL for all else */

static const char *
learn_reader_packed(const learn_reader_t *reader)
{
    static const struct {
        const char  *magic;
        size_t       len;
        const char  *program;
    } packers[] = {
        { "\xfd" "7zXZ", 5, "xzcat" },
        { "\x28\xb5\x2f\xfd", 4, "zstdcat" },
        { "BZh", 3, "bzcat" },
        { "\x04\x22\x4d\x18", 4, "lz4cat" }
    };

    size_t  i;

    for (i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
        if (reader->head_len >= packers[i].len
            && memcmp(reader->head, packers[i].magic, packers[i].len) == 0)
        {
            return packers[i].program;
        }
    }

    return NULL;
}


/* goes to where the store says that this file was left */

static int
learn_reader_find(learn_reader_t *reader)
{
    int  rc;

    rc = reader->store->ops->sources(reader->store, learn_reader_known,
                                     reader);

    if (rc != LEARN_EXIT_OK || reader->source.id != 0) {
        return rc;
    }

    /* from the beginning, which is in reader->head only by now */

    return learn_reader_rewind(reader);
}


int
learn_reader_rewind(learn_reader_t *reader)
{
    if (gzseek(reader->gz, 0, SEEK_SET) == -1) {
        return learn_reader_failed(reader);
    }

    reader->at = reader->last = reader->buf;
    reader->pos = 0;
    reader->end = 0;
    reader->source.offset = 0;

    return learn_reader_fill(reader) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


int
learn_reader_block(learn_reader_t *reader, miqps_str_t *block)
{
    if (reader->at == reader->last && !reader->end
        && !learn_reader_fill(reader))
    {
        return -1;
    }

    block->data = reader->at;
    block->len = (size_t) (reader->last - reader->at);

    reader->at = reader->last;
    reader->source.offset += block->len;

    return block->len > 0;
}


int
learn_reader_skip(learn_reader_t *reader, uint64_t n, uint64_t *done)
{
    size_t  size;

    *done = 0;

    while (*done < n) {

        if (reader->at == reader->last) {

            if (reader->end) {
                break;
            }

            if (!learn_reader_fill(reader)) {
                return LEARN_EXIT_FAILED;
            }
        }

        size = (size_t) (reader->last - reader->at);
        size = (size < n - *done) ? size : (size_t) (n - *done);

        reader->at += size;
        reader->source.offset += size;
        *done += size;
    }

    return LEARN_EXIT_OK;
}


/* zlib remembers the end, unless it is told to forget it */

int
learn_reader_grown(learn_reader_t *reader)
{
    gzclearerr(reader->gz);

    return learn_reader_fill(reader) && !reader->end;
}


int
learn_reader_replaced(learn_reader_t *reader)
{
    struct stat  now, then;

    if (!reader->resumes || stat(reader->path, &now) == -1
        || fstat(reader->fd, &then) == -1)
    {
        return 0;
    }

    return now.st_ino != then.st_ino || now.st_dev != then.st_dev
           || (gzdirect(reader->gz)
               && (uint64_t) now.st_size < reader->source.offset);
}


/* returns nonzero to look at more of them */

static int
learn_reader_known(const learn_source_t *source, void *data)
{
    int              rc;
    size_t           len;
    z_off_t          at;
    learn_reader_t  *reader;

    reader = data;
    len = (size_t) source->head_len;

    if (len == 0 || len > reader->head_len || len > source->offset
        || learn_store_hash(reader->store, reader->head, len) != source->head)
    {
        return 1;
    }

    at = (z_off_t) (source->offset - len);

    if (gzseek(reader->gz, at, SEEK_SET) != at
        || learn_reader_read(reader, reader->buf, len, &rc) != len
        || learn_store_hash(reader->store, reader->buf, len) != source->tail)
    {
        gzclearerr(reader->gz);
        return 1;
    }

    reader->source = *source;
    reader->start = source->offset;
    reader->at = reader->last = reader->buf + len;
    reader->pos = source->offset;
    reader->end = 0;

    return 0;
}


/* more bytes behind those not looked at; 0 after a complaint */

static int
learn_reader_fill(learn_reader_t *reader)
{
    int      rc;
    size_t   n, mark;

    mark = (size_t) (reader->at - reader->buf);

    if (mark > LEARN_READER_MARK) {
        n = mark - LEARN_READER_MARK;

        memmove(reader->buf, reader->buf + n,
                (size_t) (reader->last - reader->buf) - n);

        reader->at -= n;
        reader->last -= n;
    }

    n = LEARN_READER_SIZE - (size_t) (reader->last - reader->buf);
    n = learn_reader_read(reader, reader->last, n, &rc);

    if (rc != LEARN_EXIT_OK) {
        return 0;
    }

    /* a file that was short when it was opened has the rest of it now */

    if (reader->pos == reader->head_len && n > 0) {
        mark = LEARN_READER_MARK - reader->head_len;
        mark = (n < mark) ? n : mark;

        memcpy(reader->head + reader->head_len, reader->last, mark);
        reader->head_len += mark;
    }

    reader->last += n;
    reader->pos += n;
    reader->end = (n == 0);

    return 1;
}


static size_t
learn_reader_read(learn_reader_t *reader, uint8_t *buf, size_t size, int *rc)
{
    int  n;

    *rc = LEARN_EXIT_OK;
    n = gzread(reader->gz, buf, (unsigned) size);

    /* a compressed file that ends early is told at the end, not before */

    if (n < 0 || (n == 0 && gzerror(reader->gz, &n) != NULL && n != Z_OK
                  && n != Z_STREAM_END))
    {
        *rc = learn_reader_failed(reader);
        return 0;
    }

    return (size_t) n;
}


static int
learn_reader_failed(learn_reader_t *reader)
{
    int          code, error;
    const char  *text;

    error = errno;
    text = gzerror(reader->gz, &code);

    if (code == Z_ERRNO) {
        text = strerror(error);

    } else if (code == Z_BUF_ERROR) {
        text = "the compressed data end early";
    }

    learn_complain("%s: cannot read '%s': %s", reader->command, reader->path,
                   text);

    return LEARN_EXIT_FAILED;
}
