
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "map_names.h"


/*
 * Prints map source of any size:
 *
 *     map_source HOSTS [PATTERNS [NAMES [DISTINCT [SHARED]]]]
 *
 * HOSTS hosts of 18 bytes with PATTERNS patterns each, 5 if not given, of
 * NAMES names, 6, out of DISTINCT, 200000.  Each is kept once in three times.
 * SHARED of the names of a pattern, 0, are trackers, which all patterns have
 * and none keeps.
 */

static void
print_names(const map_pattern_t *pattern, size_t n, unsigned kept)
{
    char         text[MAP_NAME_SIZE];
    size_t       i;
    const char  *comma;

    comma = "";

    for (i = 0; i < n; i++) {
        if (!kept || pattern->keep[i]) {
            map_name(text, pattern->id[i]);
            (void) printf("%s\"%s\"", comma, text);
            comma = ",";
        }
    }
}


static void
print_host(const map_size_t *size, size_t host)
{
    size_t         k;
    map_pattern_t  pattern;

    (void) printf("{\"host\":\"" MAP_HOST "\",\"patterns\":[", host);

    for (k = 0; k < size->patterns; k++) {
        map_pattern(&pattern, size, host, k);

        (void) printf("%s{\"params\":[", (k > 0) ? "," : "");
        print_names(&pattern, size->names, 0);
        (void) fputs("],\"keep\":[", stdout);
        print_names(&pattern, size->names, 1);
        (void) fputs("]}", stdout);
    }

    (void) puts("]}");
}


int
main(int argc, char **argv)
{
    int         i;
    size_t      host;
    map_size_t  size = { 1000, 5, 6, 200000, 0 };

    size_t *const  number[] = {
        &size.hosts, &size.patterns, &size.names, &size.distinct, &size.shared
    };

    for (i = 1; i < argc && i <= 5; i++) {
        *number[i - 1] = strtoul(argv[i], NULL, 10);
    }

    if (size.names < 1 || size.names > MAP_MAX_NAMES
        || size.distinct < 2 * size.names || size.shared > size.names)
    {
        (void) fputs("map_source: there are 1 to 255 names of a pattern, and "
                     "many more to choose from\n", stderr);
        return 2;
    }

    for (host = 0; host < size.hosts; host++) {
        print_host(&size, host);
    }

    return (fflush(stdout) == 0 && !ferror(stdout)) ? 0 : 1;
}
