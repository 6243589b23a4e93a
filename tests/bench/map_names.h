
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_NAMES_H_INCLUDED_
#define _MAP_NAMES_H_INCLUDED_


#include <stddef.h>
#include <stdio.h>

#include "../support/dice.h"


/*
 * Hosts, patterns and names of the maps that are measured.  A pattern can be
 * had without those before it, so that whoever looks it up needs nothing from
 * the image.
 */


#define MAP_HOST       "h-%08zu.example"      /* 18 bytes */
#define MAP_NAME_SIZE  32
#define MAP_MAX_NAMES  255


typedef struct {
    size_t    hosts;
    size_t    patterns;         /* of a host */
    size_t    names;            /* of a pattern */
    size_t    distinct;         /* names there are */
    size_t    shared;           /* names that all patterns have */
} map_size_t;


typedef struct {
    size_t    id[MAP_MAX_NAMES];
    unsigned  keep[MAP_MAX_NAMES];
} map_pattern_t;


/* a name of 3 to 16 bytes, another one for each number */

static inline void
map_name(char text[MAP_NAME_SIZE], size_t number)
{
    static const char *const  words[] = {
        "q", "id", "ref", "page", "color", "filter", "session", "campaign",
        "utm_", "sort_", "product_", "x-"
    };

    (void) snprintf(text, MAP_NAME_SIZE, "%s%zx",
                    words[number * 7 % (sizeof(words) / sizeof(words[0]))],
                    number);
}


/* the k-th pattern of a host; each name is kept once in three times */

static inline void
map_pattern(map_pattern_t *pattern, const map_size_t *size, size_t host,
    size_t k)
{
    size_t  i, n;
    dice_t  dice;

    dice_init(&dice, 1, host * size->patterns + k);

    for (n = 0; n < size->names; n++) {

        do {
            pattern->id[n] = (n < size->shared) ? n : size->shared
                             + dice_below(&dice, size->distinct
                                                 - size->shared);

            for (i = 0; i < n && pattern->id[i] != pattern->id[n]; i++) {
                /* void */
            }
        } while (i < n);

        pattern->keep[n] = (n >= size->shared && dice_once_in(&dice, 3));
    }
}


#endif /* _MAP_NAMES_H_INCLUDED_ */
