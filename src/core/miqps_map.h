
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_MAP_H_INCLUDED_
#define _MIQPS_MAP_H_INCLUDED_


#include "miqps_core.h"
#include "miqps_image.h"
#include "miqps_query.h"


/*
 * LOOKING A URL UP IN A MAP
 *
 *     host -> record -> patterns of these names -> those of the path's shape
 *
 * The host is looked up as it is, then under the wildcards above it, nearest
 * first.  Where several shapes match, those count that no other one makes
 * more precise; of these, one keep is enough to keep.  If no pattern has just
 * these names, one counts that has some of them, and the others are neutral
 * all over the host.  If there is none of these either, the map says only
 * which of the names matter in patterns of the host.
 */


/* what the map says of a parameter */

typedef enum {
    MIQPS_LEARNED_NOTHING = 0,    /* the URL is not in the map, */
    MIQPS_LEARNED_ELSEWHERE,      /* but others are that it matters in */
    MIQPS_LEARNED_KEEP,
    MIQPS_LEARNED_CLIENT,         /* only the page's own script reads it */
    MIQPS_LEARNED_DEFAULT,        /* it has the value of leaving it out */
    MIQPS_LEARNED_STRIP
} miqps_learned_e;


/* which entry of the map spoke; for reports */

typedef struct {
    const uint8_t    *host;       /* a record, or NULL: nothing was found */
    const uint8_t    *pattern;    /* the first of those that count */
    uint8_t           similar;    /* it has not all of the names */
    uint8_t           varies;     /* path or values had a say, also in that
                                     nothing was found */
} miqps_map_entry_t;


/* scratch of one call */

typedef struct {
    miqps_image_word_t  words[MIQPS_MAX_PARAMS];
    uint64_t            hash[MIQPS_MAX_PARAMS];
    uint16_t            order[MIQPS_MAX_PARAMS];
    uint16_t            spare[MIQPS_MAX_PARAMS];
    uint8_t             neutral[MIQPS_MAX_PARAMS];
    uint8_t             repeated[MIQPS_MAX_PARAMS];
    uint8_t             learned[MIQPS_MAX_PARAMS];
} miqps_map_work_t;


/*
 * The record of a host, which is lower case, without port; exact or by a
 * wildcard, mirrors resolved.  NULL if the map has not got it.
 */
const uint8_t *miqps_map_host(const miqps_image_t *image,
    const miqps_str_t *host);

/*
 * Looks up "n" parameters of a URL, as miqps_query_split() made them, under
 * the record of its host; "path" is raw.  Behind names there are 16 bytes of
 * anything.  Fills work->learned for each parameter and "entry".  Returns 1 if
 * the URL is in the map, else 0, also for no record or no parameters.
 */
int miqps_map_find(const miqps_image_t *image, const uint8_t *record,
    const miqps_str_t *path, const miqps_param_t *params, size_t n,
    miqps_map_work_t *work, miqps_map_entry_t *entry);

/* true if a path is of the shape "text" */

int miqps_map_shape_match(const miqps_str_t *text, const miqps_str_t *path);


#endif /* _MIQPS_MAP_H_INCLUDED_ */
