
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_RECORD_H_INCLUDED_
#define _MAP_RECORD_H_INCLUDED_


#include "map_layout.h"


/*
 * THE RECORD OF A HOST
 *
 * Orders the patterns of a host, finds its neutral names and the rests, and
 * writes them as miqps_image.h says.
 */

typedef struct {
    uint32_t              *words;       /* as in the map, names in order */
    uint32_t               tag;         /* first the sum of all hashes, */
    uint32_t               rest;        /* and of those of its rest */
    uint32_t               nneutral;    /* of its names */
} learn_record_pattern_t;


/* of a name, valid for the host of this stamp */

typedef struct {
    uint32_t               stamp;
    uint32_t               uses:30;
    uint32_t               kept:1;      /* not stripped by one of them */
    uint32_t               neutral:1;
} learn_record_name_t;


typedef struct {
    const learn_layout_t    *layout;
    learn_record_name_t     *names;     /* by their order */
    uint32_t                 stamp;

    learn_record_pattern_t  *patterns;
    uint32_t                 npatterns;
    uint32_t                 max_patterns;

    /* a tag and, below it, what it is of */

    uint64_t                *matter;    /* nothing */
    uint32_t                 nmatter;

    uint64_t                *neutral;   /* the rank of a name */
    uint32_t                 nneutral;
    uint32_t                *by_rank;   /* names */

    uint64_t                *rests;     /* the number of a pattern */
    uint32_t                 nrests;

    uint64_t                 size;      /* of the record */
    int                      wide;
    int                      mirror;
} learn_record_t;


/* false without memory */

int learn_record_init(learn_record_t *record, const learn_layout_t *layout);
void learn_record_release(learn_record_t *record);

/* reads a host of the map; record->size is known then.  NULL or a clause */

const char *learn_record_read(learn_record_t *record, uint32_t host);

/* writes it to record->size bytes; for a mirror with its place */

void learn_record_write(const learn_record_t *record, uint32_t host,
    uint32_t place, uint8_t *p);


#endif /* _MAP_RECORD_H_INCLUDED_ */
