
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "shared.h"


/* in the place of a client: there were two */

#define LEARN_SHARED_TWO    UINT64_MAX

#define LEARN_SHARED_ALL    (LEARN_SHARED_PAGES * LEARN_SHARED_SLOTS)
#define LEARN_SHARED_BYTES  (LEARN_SHARED_SLOTS * sizeof(learn_shared_slot_t))


#define learn_shared_key(client)  ((client) >> 48)


static int  learn_shared_load(learn_shared_t *shared);
static learn_shared_slot_t  *learn_shared_find(learn_shared_t *shared,
    learn_shared_slot_t *bucket, uint64_t value);


void
learn_shared_init(learn_shared_t *shared, learn_store_t *store)
{
    memset(shared, 0, sizeof(learn_shared_t));

    shared->store = store;
}


void
learn_shared_release(learn_shared_t *shared)
{
    free(shared->slots);
    shared->slots = NULL;
}


int
learn_shared_ask(learn_shared_t *shared, uint64_t value, uint64_t client,
    int *two)
{
    int                   rc;
    size_t                place;
    learn_shared_slot_t  *slot;

    *two = 0;

    if (shared->slots == NULL) {
        rc = learn_shared_load(shared);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    place = (size_t) (value % (LEARN_SHARED_ALL / LEARN_SHARED_BUCKET))
            * LEARN_SHARED_BUCKET;

    /* 0 is nobody */

    value += (value == 0);
    slot = learn_shared_find(shared, shared->slots + place, value);

    if (slot->value == value) {

        if (slot->client == LEARN_SHARED_TWO) {
            *two = 1;
            return LEARN_EXIT_OK;
        }

        if (slot->client == client) {
            return LEARN_EXIT_OK;
        }

        if (learn_shared_key(slot->client) == learn_shared_key(client)) {
            *two = 1;
            client = LEARN_SHARED_TWO;
        }
    }

    slot->value = value;
    slot->client = client;
    shared->dirty[place / LEARN_SHARED_SLOTS] = 1;

    return LEARN_EXIT_OK;
}


/* the value's own, a free one, or one that another value has to leave */

static learn_shared_slot_t *
learn_shared_find(learn_shared_t *shared, learn_shared_slot_t *bucket,
    uint64_t value)
{
    size_t  i, k;

    for (i = 0; i < LEARN_SHARED_BUCKET; i++) {
        if (bucket[i].value == value || bucket[i].value == 0) {
            return &bucket[i];
        }
    }

    /* those that are known to be no secret stay while there are others */

    shared->turn++;

    for (i = 0; i < LEARN_SHARED_BUCKET; i++) {
        k = (shared->turn + i) % LEARN_SHARED_BUCKET;

        if (bucket[k].client != LEARN_SHARED_TWO) {
            return &bucket[k];
        }
    }

    return &bucket[shared->turn % LEARN_SHARED_BUCKET];
}


static int
learn_shared_load(learn_shared_t *shared)
{
    int     rc;
    size_t  i;

    shared->slots = malloc(LEARN_SHARED_ALL * sizeof(learn_shared_slot_t));

    if (shared->slots == NULL) {
        learn_complain("out of memory");
        return LEARN_EXIT_FAILED;
    }

    for (i = 0; i < LEARN_SHARED_PAGES; i++) {
        rc = shared->store->ops->shared_read(shared->store, i,
                 shared->slots + i * LEARN_SHARED_SLOTS, LEARN_SHARED_BYTES);

        if (rc != LEARN_EXIT_OK) {
            learn_shared_release(shared);
            return rc;
        }
    }

    return LEARN_EXIT_OK;
}


int
learn_shared_save(learn_shared_t *shared)
{
    int     rc;
    size_t  i;

    if (shared->slots == NULL) {
        return LEARN_EXIT_OK;
    }

    for (i = 0; i < LEARN_SHARED_PAGES; i++) {

        if (!shared->dirty[i]) {
            continue;
        }

        rc = shared->store->ops->shared_save(shared->store, i,
                 shared->slots + i * LEARN_SHARED_SLOTS, LEARN_SHARED_BYTES);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        shared->dirty[i] = 0;
    }

    return LEARN_EXIT_OK;
}
