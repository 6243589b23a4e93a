
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_TEXT_H_INCLUDED_
#define _MAP_TEXT_H_INCLUDED_


#include <stddef.h>
#include <sys/types.h>


/*
 * THE OBJECTS OF A JSON TEXT, one after the other
 *
 * A text is any number of objects, usually one a line, or one array of them.
 * Only the object at hand is in memory, so that a text may be larger than
 * that.  This finds where objects end; whether they are JSON is for others to
 * see.
 */

#define LEARN_TEXT_MAX_OBJECT  (256 * 1024 * 1024)


/* one line for people; position is 1-based, 0 where there is none */

typedef struct {
    size_t           line;
    size_t           column;
    char             text[512];
} learn_text_error_t;


/* as read(), but -1 leaves errno for whoever gets LEARN_TEXT_FAILED */

typedef ssize_t (*learn_text_read_pt)(void *data, char *buf, size_t size);


typedef enum {
    LEARN_TEXT_OBJECT = 0,
    LEARN_TEXT_END,
    LEARN_TEXT_SYNTAX,          /* the error is filled */
    LEARN_TEXT_FAILED,          /* it could not be read, see errno */
    LEARN_TEXT_NO_MEMORY
} learn_text_rc_e;


typedef struct {
    learn_text_read_pt   read;
    void                *data;

    char                *buf;
    size_t               size;
    size_t               start;     /* of what is not yet given away */
    size_t               end;
    size_t               line;      /* of it, from 1 */
    size_t               column;    /* in bytes, from 1 */

    unsigned             eof:1;
    unsigned             begun:1;
    unsigned             array:1;
    unsigned             items:1;   /* the array has one */
    unsigned             closed:1;  /* it has ended */
} learn_text_t;


/* an object in learn_text_t, until the next one is asked for */

typedef struct {
    const char          *data;
    size_t               len;
    size_t               line;      /* where it begins */
    size_t               column;
    unsigned             escapes:1; /* there is a backslash */
    unsigned             high:1;    /* there is a byte that is not ASCII */
} learn_text_object_t;


void learn_text_init(learn_text_t *text, learn_text_read_pt read, void *data);
void learn_text_release(learn_text_t *text);

learn_text_rc_e learn_text_next(learn_text_t *text,
    learn_text_object_t *object, learn_text_error_t *error);


#endif /* _MAP_TEXT_H_INCLUDED_ */
