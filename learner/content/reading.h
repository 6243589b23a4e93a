
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_READING_H_INCLUDED_
#define _LEARN_READING_H_INCLUDED_


#include "lines.h"


#define LEARN_LINES_DEEP   512     /* elements inside each other that count */
#define LEARN_LINES_WORD   256     /* of longer ones, each part is one */
#define LEARN_LINES_SPACE  " \t\r\n\f"


/* a page that is being read */

typedef struct {
    learn_arena_t      *arena;
    learn_lines_t      *to;
    const miqps_str_t  *host;
    uint32_t            lines_room;
    uint32_t            words_room;
    uint32_t            where[LEARN_LINES_DEEP];   /* of blocks it is in */
    size_t              deep;
    uint32_t            first;                     /* word of the open line */
    char                word[LEARN_LINES_WORD];    /* that is not over yet */
    size_t              nword;
    unsigned            failed:1;
} learn_reading_t;


/* lines.c: a word of the open line, and all between any of these bytes */

void learn_lines_put(learn_reading_t *reading, const char *word, size_t len);
void learn_lines_split(learn_reading_t *reading, const char *text,
    const char *between);

/* ends the line, if there is one */

void learn_lines_flush(learn_reading_t *reading, uint32_t where);

/* where an element stands that is in others */

uint32_t learn_lines_where(uint32_t around, const GumboNode *node);


/* unseen.c: adds what nobody sees of the page, as far as there is room */

void learn_unseen_read(learn_reading_t *reading, const GumboNode *root);


#endif /* _LEARN_READING_H_INCLUDED_ */
