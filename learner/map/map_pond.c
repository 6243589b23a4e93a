
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "map_pond.h"


#define LEARN_POND_CHUNK  (256 * 1024)


typedef struct learn_pond_chunk_s  learn_pond_chunk_t;

struct learn_pond_chunk_s {
    learn_pond_chunk_t  *next;
    size_t               size;
    size_t               used;
    max_align_t          data[];
};


static void  *learn_pond_alloc(size_t size);
static void  learn_pond_free(void *p);


static learn_pond_chunk_t  *learn_pond;      /* the latest one first */
static int                  learn_pond_failed;


void
learn_pond_open(void)
{
    cJSON_Hooks  hooks;

    hooks.malloc_fn = learn_pond_alloc;
    hooks.free_fn = learn_pond_free;

    cJSON_InitHooks(&hooks);
}


void
learn_pond_close(void)
{
    cJSON_InitHooks(NULL);

    learn_pond_drain();

    free(learn_pond);
    learn_pond = NULL;
}


/* one chunk stays for the next object, unless it is a large one */

void
learn_pond_drain(void)
{
    learn_pond_chunk_t  *chunk;

    learn_pond_failed = 0;

    while (learn_pond != NULL
           && (learn_pond->next != NULL
               || learn_pond->size > LEARN_POND_CHUNK))
    {
        chunk = learn_pond;
        learn_pond = chunk->next;
        free(chunk);
    }

    if (learn_pond != NULL) {
        learn_pond->used = 0;
    }
}


int
learn_pond_dry(void)
{
    return learn_pond_failed;
}


static void *
learn_pond_alloc(size_t size)
{
    void                *p;
    size_t               room;
    learn_pond_chunk_t  *chunk;

    size = (size + 15) & ~(size_t) 15;
    chunk = learn_pond;

    if (chunk == NULL || chunk->size - chunk->used < size) {
        room = (size > LEARN_POND_CHUNK) ? size : LEARN_POND_CHUNK;
        chunk = malloc(sizeof(learn_pond_chunk_t) + room);

        if (chunk == NULL) {
            learn_pond_failed = 1;
            return NULL;
        }

        chunk->size = room;
        chunk->used = 0;
        chunk->next = learn_pond;
        learn_pond = chunk;
    }

    p = (uint8_t *) chunk->data + chunk->used;
    chunk->used += size;

    return p;
}


static void
learn_pond_free(void *p)
{
    (void) p;
}
