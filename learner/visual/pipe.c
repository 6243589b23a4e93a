
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pipe.h"


#define LEARN_PIPE_READ  (64 * 1024)


static char  *learn_pipe_room(learn_pipe_buf_t *buf, size_t len);
static int  learn_pipe_write(learn_pipe_t *pipe);
static int  learn_pipe_read(learn_pipe_t *pipe);


void
learn_pipe_init(learn_pipe_t *pipe, int in, int out)
{
    memset(pipe, 0, sizeof(learn_pipe_t));

    pipe->in = in;
    pipe->out = out;

    (void) fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    (void) fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}


void
learn_pipe_release(learn_pipe_t *pipe)
{
    if (pipe->in != -1) {
        (void) close(pipe->in);
        (void) close(pipe->out);
    }

    free(pipe->got.data);
    free(pipe->sent.data);

    memset(pipe, 0, sizeof(learn_pipe_t));
    pipe->in = -1;
    pipe->out = -1;
}


int
learn_pipe_send(learn_pipe_t *pipe, const char *text, size_t len)
{
    char  *p;

    p = (len < LEARN_PIPE_MAX) ? learn_pipe_room(&pipe->sent, len + 1) : NULL;

    if (p == NULL) {
        return 0;
    }

    memcpy(p, text, len);
    p[len] = '\0';
    pipe->sent.len += len + 1;

    return 1;
}


int
learn_pipe_full(const learn_pipe_t *pipe)
{
    return pipe->sent.len > 0;
}


int
learn_pipe_move(learn_pipe_t *pipe)
{
    return learn_pipe_write(pipe) && learn_pipe_read(pipe);
}


static int
learn_pipe_write(learn_pipe_t *pipe)
{
    ssize_t            n;
    learn_pipe_buf_t  *sent;

    sent = &pipe->sent;

    while (sent->len > 0) {
        n = write(pipe->out, sent->data + sent->start, sent->len);

        if (n == -1) {
            return errno == EAGAIN || errno == EINTR;
        }

        sent->start += (size_t) n;
        sent->len -= (size_t) n;
    }

    return 1;
}


static int
learn_pipe_read(learn_pipe_t *pipe)
{
    char     *p;
    ssize_t   n;

    for ( ;; ) {
        p = learn_pipe_room(&pipe->got, LEARN_PIPE_READ);

        if (p == NULL) {
            return 0;
        }

        n = read(pipe->in, p, LEARN_PIPE_READ);

        if (n == -1 && errno == EINTR) {
            continue;
        }

        if (n <= 0) {
            return n == -1 && errno == EAGAIN;
        }

        pipe->got.len += (size_t) n;
    }
}


char *
learn_pipe_next(learn_pipe_t *pipe, size_t *len)
{
    char              *text, *end;
    learn_pipe_buf_t  *got;

    got = &pipe->got;

    if (got->len == pipe->looked) {
        return NULL;
    }

    text = got->data + got->start;
    end = memchr(text + pipe->looked, '\0', got->len - pipe->looked);

    if (end == NULL) {
        pipe->looked = got->len;
        return NULL;
    }

    *len = (size_t) (end - text);

    got->start += *len + 1;
    got->len -= *len + 1;
    pipe->looked = 0;

    return text;
}


/* room behind what is there, for "len" bytes more; NULL if that is too much */

static char *
learn_pipe_room(learn_pipe_buf_t *buf, size_t len)
{
    char    *data;
    size_t   room;

    if (buf->start > 0 && (buf->len == 0
                           || buf->start + buf->len + len > buf->room))
    {
        memmove(buf->data, buf->data + buf->start, buf->len);
        buf->start = 0;
    }

    if (buf->len + len > buf->room) {

        if (buf->len + len > LEARN_PIPE_MAX) {
            return NULL;
        }

        for (room = LEARN_PIPE_READ; room < buf->len + len; room *= 2) {
            /* void */
        }

        data = realloc(buf->data, room);

        if (data == NULL) {
            return NULL;
        }

        buf->data = data;
        buf->room = room;
    }

    return buf->data + buf->start + buf->len;
}
