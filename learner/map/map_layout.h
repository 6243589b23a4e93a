
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_LAYOUT_H_INCLUDED_
#define _MAP_LAYOUT_H_INCLUDED_


#include "map_builder.h"


/*
 * What is decided before the first byte of an image is written.  All of it
 * depends on what is in the map, and on nothing else:
 *
 *     hosts    by their bytes, "*.x" behind "x"
 *     names    those in most patterns first, then by their bytes
 *     shapes   by their bytes
 *     values   by their bytes
 *     seed     of hosts and names, in this order; where hosts are too close
 *              to each other, the next one
 */

typedef struct {
    uint32_t      *list;        /* numbers of the table in their order */
    uint32_t       n;
    uint32_t      *place;       /* the other way round */
    uint32_t      *offset;      /* in POOL, by their order; not of short
                                   names */
} learn_order_t;


/* what is asked of a name again and again, in one place */

typedef struct {
    uint64_t       hash;
    uint32_t       place;       /* in the order of names */
    uint32_t       rank;        /* by hash, then by bytes */
} learn_layout_key_t;


typedef struct {
    learn_map_t   *map;
    uint32_t      *hosts;       /* numbers of hosts in their order */
    learn_order_t  names;
    learn_order_t  shapes;
    learn_order_t  values;
    uint64_t       pool;        /* bytes of all of them */

    uint64_t       seed;
    learn_layout_key_t  *keys;  /* of names, by their numbers */

    uint32_t      *slots;       /* order of hosts + 1, or 0 */
    uint32_t       nslots;
} learn_layout_t;


/* NULL or a clause, as learn_map_image(); release it in any case */

const char *learn_layout_init(learn_layout_t *layout, learn_map_t *map);
void learn_layout_release(learn_layout_t *layout);


/* the host of a number without "*."; the result is true if there is one */

int learn_layout_host(const learn_layout_t *layout, uint32_t number,
    miqps_str_t *host);


#endif /* _MAP_LAYOUT_H_INCLUDED_ */
