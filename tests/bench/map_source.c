
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/dice.h"
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
print_pattern(dice_t *dice, size_t names, size_t distinct, size_t shared)
{
    char      text[MAP_NAME_SIZE];
    size_t    i, k, n, id[256];
    unsigned  keep;

    for (n = 0; n < names; n++) {

        do {
            id[n] = (n < shared) ? n : shared
                    + dice_below(dice, distinct - shared);

            for (k = 0; k < n && id[k] != id[n]; k++) {
                /* void */
            }
        } while (k < n);
    }

    (void) fputs("{\"params\":[", stdout);

    for (i = 0; i < n; i++) {
        map_name(text, id[i]);
        (void) printf("%s\"%s\"", (i > 0) ? "," : "", text);
    }

    (void) fputs("],\"keep\":[", stdout);

    keep = 0;

    for (i = shared; i < n; i++) {
        if (dice_once_in(dice, 3)) {
            map_name(text, id[i]);
            (void) printf("%s\"%s\"", (keep++ > 0) ? "," : "", text);
        }
    }

    (void) fputs("]}", stdout);
}


int
main(int argc, char **argv)
{
    int     i;
    size_t  host, k, number[5] = { 1000, 5, 6, 200000, 0 };
    dice_t  dice;

    for (i = 1; i < argc && i <= 5; i++) {
        number[i - 1] = strtoul(argv[i], NULL, 10);
    }

    if (number[2] < 1 || number[2] > 255 || number[3] < 2 * number[2]
        || number[4] > number[2])
    {
        (void) fputs("map_source: there are 1 to 255 names of a pattern, and "
                     "many more to choose from\n", stderr);
        return 2;
    }

    for (host = 0; host < number[0]; host++) {
        dice_init(&dice, 1, host);

        (void) printf("{\"host\":\"" MAP_HOST "\",\"patterns\":[", host);

        for (k = 0; k < number[1]; k++) {
            if (k > 0) {
                (void) putchar(',');
            }

            print_pattern(&dice, number[2], number[3], number[4]);
        }

        (void) puts("]}");
    }

    return (fflush(stdout) == 0 && !ferror(stdout)) ? 0 : 1;
}
