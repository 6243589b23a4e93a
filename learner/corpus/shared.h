
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SHARED_H_INCLUDED_
#define _LEARN_SHARED_H_INCLUDED_


#include "store/store.h"


/*
 * VALUES THAT SEVERAL CLIENTS SENT
 *
 * A value that looks random may be one visitor's, until a second one sends the
 * same.  This remembers of values, by their hashes, who was the first: a table
 * of a fixed size in which new values take the place of others.  What is
 * forgotten has to be sent by two again.
 *
 *     | value, client | value, client | ... |         8 of these are a bucket
 *
 * A client is 64 bits, and the first 16 of them say under which key it is a
 * hash.  Those of different keys may be one and the same, and so are never
 * taken for two.
 *
 * It is kept in the store, in pages, of which those that changed are written,
 * with the bytes in the order of this machine: on others it is forgotten.
 */

#define LEARN_SHARED_PAGES    256
#define LEARN_SHARED_SLOTS    2048              /* of a page */
#define LEARN_SHARED_BUCKET   8


typedef struct {
    uint64_t         value;                     /* 0: free */
    uint64_t         client;
} learn_shared_slot_t;


typedef struct {
    learn_store_t        *store;
    learn_shared_slot_t  *slots;                /* NULL until it is asked */
    uint64_t              turn;                 /* who has to go next */
    uint8_t               dirty[LEARN_SHARED_PAGES];
} learn_shared_t;


void learn_shared_init(learn_shared_t *shared, learn_store_t *store);
void learn_shared_release(learn_shared_t *shared);

/*
 * "client" has sent a value with this hash.  "*two" is whether another one did
 * before.  LEARN_EXIT_OK, or another code after a complaint.
 */
int learn_shared_ask(learn_shared_t *shared, uint64_t value, uint64_t client,
    int *two);

/* as part of a batch; an exit code */

int learn_shared_save(learn_shared_t *shared);


#endif /* _LEARN_SHARED_H_INCLUDED_ */
