
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_BUILDER_H_INCLUDED_
#define _MAP_BUILDER_H_INCLUDED_


#include <libpsl.h>

#include "map_rules.h"
#include "map_words.h"
#include "miqps_image.h"


/*
 * A MAP BEING MADE
 *
 * Hosts are told one after the other, each with its mirrors and patterns:
 *
 *     learn_map_host        "shop.example" or "*.shop.example"
 *         learn_map_mirror        any number of times
 *         learn_map_pattern       a new pattern
 *             learn_map_param         once for each of its names
 *             learn_map_keep          \
 *             learn_map_client         | of names told before
 *             learn_map_default       /
 *             learn_map_path
 *         learn_map_pattern_end
 *         learn_map_rules         path rules told to map->rules, if any
 *     learn_map_host_end
 *
 * and learn_map_image() makes an image of all of them.  It depends on what was
 * told, not on the order: equal maps have equal images, byte for byte.
 *
 * Names must stay where they are until their pattern ends.
 *
 * All of these return NULL, or a static clause that says what is wrong, after
 * which the map is of no use; without memory that is learn_map_no_memory.
 */

typedef enum {
    LEARN_MAP_STRIP = 0,
    LEARN_MAP_KEEP,
    LEARN_MAP_CLIENT
} learn_map_verdict_e;


/*
 * A pattern is stored as words: the number of its names and, above that, of
 * its defaults, and whether it is nested; its shape + 1, or 0; its names, with
 * the verdict above them; and two for each default, name and value.  Numbers
 * are those of the tables.
 */

#define LEARN_MAP_HEAD     2
#define LEARN_MAP_VERDICT  24               /* bits below the verdict */
#define LEARN_MAP_NESTED   (1 << 16)        /* see map_precise.h */

#define learn_map_names(p)     ((p)[0] & 0xff)
#define learn_map_defaults(p)  ((p)[0] >> 8 & 0xff)
#define learn_map_words(p)                                                   \
    (LEARN_MAP_HEAD + learn_map_names(p) + 2 * learn_map_defaults(p))


typedef struct {
    uint32_t        *patterns;
    uint32_t         npatterns;
    uint32_t         mirrors;               /* number + 1 of a host, or 0 */
    learn_paths_block_t  *rules;            /* or NULL */
} learn_map_host_t;


typedef struct {
    miqps_str_t      given;                 /* the name, as it was told */
    uint32_t         name;
    uint32_t         value;                 /* number + 1, or 0 */
    uint8_t          verdict;
} learn_map_param_t;


typedef struct {
    learn_arena_t        arena;
    learn_words_t        hosts;             /* "*." is part of them */
    learn_words_t        names;
    learn_words_t        shapes;
    learn_words_t        values;
    learn_map_host_t    *list;              /* by the number of the host */
    uint32_t             max_list;
    uint64_t             npatterns;
    uint64_t             time;              /* the latest that was told */
    psl_ctx_t           *psl;
    learn_paths_t        rules;             /* of the host at hand */

    /* the host at hand */

    uint32_t             host;
    uint32_t            *words;             /* its patterns */
    size_t               nwords;
    size_t               max_words;
    uint32_t             nown;              /* as many */

    /* its patterns by hash, to find one that is there twice */

    uint64_t            *seen;              /* stamp and place + 1 */
    size_t               max_seen;
    uint32_t             stamp;

    /* the pattern at hand */

    learn_map_param_t    params[MIQPS_MAX_PATTERN];
    uint32_t             nparams;
    uint32_t             shape;             /* number + 1, or 0 */
} learn_map_t;


extern const char  learn_map_no_memory[];


void learn_map_init(learn_map_t *map);
void learn_map_release(learn_map_t *map);

const char *learn_map_host(learn_map_t *map, const miqps_str_t *host);
const char *learn_map_mirror(learn_map_t *map, const miqps_str_t *host);
const char *learn_map_host_end(learn_map_t *map);

/* NULL if a host is of the owner of the one at hand, as far as can be known */

const char *learn_map_owner(learn_map_t *map, const miqps_str_t *host);

const char *learn_map_pattern(learn_map_t *map);
const char *learn_map_param(learn_map_t *map, const miqps_str_t *name);
const char *learn_map_keep(learn_map_t *map, const miqps_str_t *name);
const char *learn_map_client(learn_map_t *map, const miqps_str_t *name);
const char *learn_map_default(learn_map_t *map, const miqps_str_t *name,
    const miqps_str_t *value);
const char *learn_map_path(learn_map_t *map, const miqps_str_t *path);
const char *learn_map_pattern_end(learn_map_t *map);

/* "which" and "other" are as in learn_paths_block() */

const char *learn_map_rules(learn_map_t *map, uint32_t *which,
    uint32_t *other);

void learn_map_time(learn_map_t *map, uint64_t seconds);

/* says that learn_map_param() will be called with it; see map_words.h */

void learn_map_expect(const learn_map_t *map, const miqps_str_t *name,
    int soon);


/*
 * The image, on the heap, which the caller is to free().  Consumes the map:
 * all that is left to do with it is learn_map_release().
 */
const char *learn_map_image(learn_map_t *map, uint8_t **image, size_t *size);


#endif /* _MAP_BUILDER_H_INCLUDED_ */
