
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "arena.h"
#include "pages.h"


/* of the first chunk with its head, and of the last ones */

#define LEARN_CHUNK_MIN   (64 * 1024)
#define LEARN_CHUNK_MAX   (16 * 1024 * 1024)


struct learn_chunk_s {
    learn_chunk_t   *next;
    size_t           used;
    size_t           size;
    max_align_t      data[];
};


static size_t  learn_arena_room(const learn_chunk_t *latest, size_t size);
static void  *learn_arena_mem(void *data, size_t size);


void
learn_arena_init(learn_arena_t *arena)
{
    arena->mem.alloc = learn_arena_mem;
    arena->mem.data = arena;
    arena->chunks = NULL;
}


void *
learn_arena_alloc(learn_arena_t *arena, size_t size)
{
    void           *p;
    size_t          align, room;
    learn_chunk_t  *chunk;

    align = sizeof(max_align_t);

    if (size > SIZE_MAX / 2) {
        return NULL;
    }

    size = (size + align - 1) / align * align;

    chunk = arena->chunks;

    if (chunk == NULL || chunk->size - chunk->used < size) {
        room = learn_arena_room(chunk, size);
        chunk = learn_pages_alloc(room);

        if (chunk == NULL) {
            return NULL;
        }

        chunk->size = room - sizeof(learn_chunk_t);
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }

    p = (uint8_t *) chunk->data + chunk->used;
    chunk->used += size;

    return p;
}


/* twice as much as the latest chunk, so that there are not too many */

static size_t
learn_arena_room(const learn_chunk_t *latest, size_t size)
{
    size_t  room;

    room = LEARN_CHUNK_MIN;

    if (latest != NULL) {
        room = 2 * (latest->size + sizeof(learn_chunk_t));
        room = (room < LEARN_CHUNK_MAX) ? room : LEARN_CHUNK_MAX;
    }

    size += sizeof(learn_chunk_t);

    return (size > room) ? size : room;
}


void
learn_arena_release(learn_arena_t *arena)
{
    learn_chunk_t  *chunk, *next;

    for (chunk = arena->chunks; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }

    arena->chunks = NULL;
}


static void *
learn_arena_mem(void *data, size_t size)
{
    return learn_arena_alloc(data, size);
}
