
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
static learn_chunk_t  *learn_arena_chunk(learn_arena_t *arena, size_t size);
static void  learn_arena_free(learn_chunk_t *chunk);
static void  *learn_arena_mem(void *data, size_t size);


void
learn_arena_init(learn_arena_t *arena)
{
    arena->mem.alloc = learn_arena_mem;
    arena->mem.data = arena;
    arena->chunks = NULL;
    arena->spare = NULL;
}


void *
learn_arena_alloc(learn_arena_t *arena, size_t size)
{
    void           *p;
    size_t          align;
    learn_chunk_t  *chunk;

    align = sizeof(max_align_t);

    if (size > SIZE_MAX / 2) {
        return NULL;
    }

    size = (size + align - 1) / align * align;

    chunk = arena->chunks;

    if (chunk == NULL || chunk->size - chunk->used < size) {
        chunk = learn_arena_chunk(arena, size);

        if (chunk == NULL) {
            return NULL;
        }

        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }

    p = (uint8_t *) chunk->data + chunk->used;
    chunk->used += size;

    return p;
}


/* one that has room, from the spare ones or a new one */

static learn_chunk_t *
learn_arena_chunk(learn_arena_t *arena, size_t size)
{
    size_t          room;
    learn_chunk_t  *chunk, **place;

    for (place = &arena->spare; *place != NULL; place = &(*place)->next) {
        if ((*place)->size >= size) {
            chunk = *place;
            *place = chunk->next;
            return chunk;
        }
    }

    room = learn_arena_room(arena->chunks, size);
    chunk = learn_pages_alloc(room);

    if (chunk != NULL) {
        chunk->size = room - sizeof(learn_chunk_t);
    }

    return chunk;
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
learn_arena_clear(learn_arena_t *arena)
{
    learn_chunk_t  *chunk, *next;

    for (chunk = arena->chunks; chunk != NULL; chunk = next) {
        next = chunk->next;

        memset(chunk->data, 0, chunk->used);

        chunk->used = 0;
        chunk->next = arena->spare;
        arena->spare = chunk;
    }

    arena->chunks = NULL;
}


void
learn_arena_release(learn_arena_t *arena)
{
    learn_arena_free(arena->chunks);
    learn_arena_free(arena->spare);

    arena->chunks = NULL;
    arena->spare = NULL;
}


static void
learn_arena_free(learn_chunk_t *chunk)
{
    learn_chunk_t  *next;

    for (/* void */ ; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
}


static void *
learn_arena_mem(void *data, size_t size)
{
    return learn_arena_alloc(data, size);
}
