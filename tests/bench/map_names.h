
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_NAMES_H_INCLUDED_
#define _MAP_NAMES_H_INCLUDED_


#include <stddef.h>
#include <stdio.h>


/* Hosts and names of the maps that are measured. */


#define MAP_HOST       "h-%08zu.example"      /* 18 bytes */
#define MAP_NAME_SIZE  32


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


#endif /* _MAP_NAMES_H_INCLUDED_ */
