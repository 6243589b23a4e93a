
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_PRINT_H_INCLUDED_
#define _MAP_PRINT_H_INCLUDED_


#include <stdio.h>

#include "map_view.h"


/* Parts of map source and of other JSON.  Whoever prints looks for errors. */


/* a host and its mirrors, one line; "time" if it is not 0 */

void learn_print_host(const learn_index_t *index,
    const learn_index_host_t *host, const learn_view_t *view, uint64_t time,
    FILE *out);

/* "name" of a host with its "*.", quoted */

void learn_print_host_name(const learn_index_host_t *host, FILE *out);

/* bytes as a JSON string, quoted; what is no character becomes U+FFFD */

void learn_print_string(const miqps_str_t *text, FILE *out);

/* [ "a", ... ] of those names of a pattern that have one of the verdicts */

#define LEARN_PRINT_ALL  (-1)

void learn_print_names(const learn_view_pattern_t *pattern, int verdict,
    FILE *out);


#endif /* _MAP_PRINT_H_INCLUDED_ */
