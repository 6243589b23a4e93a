
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_PIPE_H_INCLUDED_
#define _LEARN_PIPE_H_INCLUDED_


#include <stddef.h>


/*
 * Messages to another process and back, each with a zero byte at its end, over
 * two descriptors that never block.  What cannot be written yet is kept; a
 * message that is too long is an error, as is an end in the middle of one.
 */

#define LEARN_PIPE_MAX  (64 * 1024 * 1024)       /* bytes of a message */


typedef struct {
    char       *data;
    size_t      start;               /* of what is not used yet */
    size_t      len;                 /* behind it */
    size_t      room;
} learn_pipe_buf_t;


typedef struct {
    int               in;            /* -1: closed */
    int               out;
    learn_pipe_buf_t  got;
    learn_pipe_buf_t  sent;
    size_t            looked;        /* bytes of "got" without a zero */
} learn_pipe_t;


/* takes the descriptors, and makes them such that do not block */

void learn_pipe_init(learn_pipe_t *pipe, int in, int out);

/* closes them */

void learn_pipe_release(learn_pipe_t *pipe);

/* adds a message; 0 without memory, or with too much that nobody reads */

int learn_pipe_send(learn_pipe_t *pipe, const char *text, size_t len);

/* true if there is something that is to be written */

int learn_pipe_full(const learn_pipe_t *pipe);

/* writes and reads as much as goes; 0 if the other side is gone, or on error */

int learn_pipe_move(learn_pipe_t *pipe);

/*
 * The next message, which ends with a zero byte and is valid until the next
 * call of learn_pipe_move(); NULL if there is none.
 */
char *learn_pipe_next(learn_pipe_t *pipe, size_t *len);


#endif /* _LEARN_PIPE_H_INCLUDED_ */
