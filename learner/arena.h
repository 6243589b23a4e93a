
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ARENA_H_INCLUDED_
#define _LEARN_ARENA_H_INCLUDED_


#include "miqps_core.h"


/*
 * Memory that is given back all at once.  The core and the book of rules
 * take theirs from arena.mem.
 */

typedef struct learn_chunk_s  learn_chunk_t;

typedef struct {
    miqps_mem_t      mem;
    learn_chunk_t   *chunks;
    learn_chunk_t   *spare;        /* without anything in them */
} learn_arena_t;


void learn_arena_init(learn_arena_t *arena);

/* zeroed, aligned for any type; NULL without memory */

void *learn_arena_alloc(learn_arena_t *arena, size_t size);

/* takes all of it back, to be given out again, or gives it back for good */

void learn_arena_clear(learn_arena_t *arena);
void learn_arena_release(learn_arena_t *arena);


#endif /* _LEARN_ARENA_H_INCLUDED_ */
