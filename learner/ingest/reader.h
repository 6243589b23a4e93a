
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_READER_H_INCLUDED_
#define _LEARN_READER_H_INCLUDED_


#include <zlib.h>

#include "store/store.h"


/*
 * Lines of a file, compressed with gzip or not, from where the store says
 * that it was read before.
 *
 *     |  seen before  |  line  |  line  |  not looked at  |
 *     buf             at                                  last
 *
 * The bytes before "at", up to LEARN_READER_MARK of them, stay in the buffer:
 * their hash tells later that this is still the same file.
 */

#define LEARN_READER_MARK   1024
#define LEARN_READER_LINE   (64 * 1024)      /* bytes; a longer one is cut */
#define LEARN_READER_SIZE   (512 * 1024)


typedef struct {
    const char       *command;
    const char       *path;          /* "-" is standard input */
    learn_store_t    *store;         /* may be another one for each call */
    gzFile            gz;
    int               fd;            /* of gz, which closes it */
    learn_source_t    source;
    uint64_t          start;         /* offset it was found at */
    uint8_t          *buf;
    uint8_t          *at;
    uint8_t          *last;
    uint64_t          pos;           /* of "last" in the file */
    uint8_t           head[LEARN_READER_MARK];
    size_t            head_len;
    unsigned          resumes:1;     /* it can, and has an entry */
    unsigned          end:1;
    unsigned          whole:1;       /* a line without its end may be going to
                                        grow, and is left for the next time */
} learn_reader_t;


/*
 * Opens "path".  LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint;
 * release() anyway.
 */
int learn_reader_init(learn_reader_t *reader, learn_store_t *store,
    const char *command, const char *path);
void learn_reader_release(learn_reader_t *reader);


/*
 * The next line, without its end.  "*line" is valid until the next call.
 *
 *  1   a line
 *  2   a line that is too long; it has its first bytes
 *  0   there are no more
 * -1   after a complaint
 */
int learn_reader_line(learn_reader_t *reader, miqps_str_t *line);


/*
 * For what is not lines: all bytes at hand, 0 at the end, -1 after a complaint;
 * and the number of bytes passed over, which is less at the end.
 */
int learn_reader_block(learn_reader_t *reader, miqps_str_t *block);
int learn_reader_skip(learn_reader_t *reader, uint64_t n, uint64_t *done);

/* back to the beginning, still the same source; LEARN_EXIT_OK or _FAILED */

int learn_reader_rewind(learn_reader_t *reader);


/*
 * For a file that grows: true if there is more to be read since the end was
 * reached, or if another file has taken its place.
 */
int learn_reader_grown(learn_reader_t *reader);
int learn_reader_replaced(learn_reader_t *reader);


/* how far it was read, to be stored with what was read; NULL if it cannot */

learn_source_t *learn_reader_source(learn_reader_t *reader);


#endif /* _LEARN_READER_H_INCLUDED_ */
