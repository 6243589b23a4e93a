
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _HEAP_H_INCLUDED_
#define _HEAP_H_INCLUDED_


#include <stdlib.h>

#include "miqps_core.h"


/*
 * A miqps_mem_t on malloc(), so that sanitizers see each piece, filled with
 * garbage.  It can fail at the n-th request.
 */

typedef struct heap_piece_s  heap_piece_t;

struct heap_piece_s {
    heap_piece_t  *next;
    void          *align[1];
};


typedef struct {
    heap_piece_t  *pieces;
    size_t         requests;    /* so far */
    size_t         fail_at;     /* counted from 1; 0 is never */
    miqps_mem_t    mem;
} heap_t;


static inline void *
heap_alloc(void *data, size_t size)
{
    heap_t        *heap;
    heap_piece_t  *piece;

    heap = data;

    if (++heap->requests == heap->fail_at) {
        return NULL;
    }

    piece = malloc(sizeof(heap_piece_t) + size);

    if (piece == NULL) {
        return NULL;
    }

    memset(piece, 0xa5, sizeof(heap_piece_t) + size);

    piece->next = heap->pieces;
    heap->pieces = piece;

    return piece + 1;
}


static inline void
heap_init(heap_t *heap)
{
    heap->pieces = NULL;
    heap->requests = 0;
    heap->fail_at = 0;
    heap->mem.alloc = heap_alloc;
    heap->mem.data = heap;
}


static inline void
heap_release(heap_t *heap)
{
    heap_piece_t  *piece, *next;

    for (piece = heap->pieces; piece != NULL; piece = next) {
        next = piece->next;
        free(piece);
    }

    heap->pieces = NULL;
}


#endif /* _HEAP_H_INCLUDED_ */
