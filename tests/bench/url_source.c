
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "../support/dice.h"


/*
 * Prints a list of URLs of any length:
 *
 *     url_source URLS [HOSTS [SEED]]
 *
 * URLS lines of 100 bytes with up to six parameters in 16 sets of names, from
 * HOSTS hosts in any order, 200 if not given.  Nearly all of them differ.
 */

static const char *const  kinds[] = {
    "product", "list", "search", "article", "image", "tag", "user", "forum"
};


static unsigned
below(dice_t *dice, size_t n)
{
    return (unsigned) dice_below(dice, n);
}


static void
print_url(dice_t *dice, size_t hosts)
{
    unsigned  names;

    names = below(dice, 16);

    (void) printf("https://www.shop%03u.example/%s/%u/item-%u.html",
                  below(dice, hosts), kinds[below(dice, 8)],
                  below(dice, 1000), below(dice, 100000));

    if (names == 0) {
        (void) putchar('\n');
        return;
    }

    (void) printf("?id=%u", below(dice, 10000000));

    if (names & 1) {
        (void) printf("&color=%u", below(dice, 30));
    }

    if (names & 2) {
        (void) printf("&page=%u&sort=price", below(dice, 100));
    }

    if (names & 4) {
        (void) printf("&utm_source=mail&utm_campaign=c%u", below(dice, 1000));
    }

    if (names & 8) {
        (void) printf("&ref=%x", below(dice, 1 << 24));
    }

    (void) putchar('\n');
}


int
main(int argc, char **argv)
{
    size_t  i, urls, hosts;
    dice_t  dice;

    urls = (argc > 1) ? strtoul(argv[1], NULL, 10) : 0;
    hosts = (argc > 2) ? strtoul(argv[2], NULL, 10) : 200;

    if (urls == 0 || hosts == 0) {
        (void) fputs("usage: url_source URLS [HOSTS [SEED]]\n", stderr);
        return 2;
    }

    dice_init(&dice, (argc > 3) ? strtoul(argv[3], NULL, 10) : 1, 0);

    for (i = 0; i < urls; i++) {
        print_url(&dice, hosts);
    }

    return (fflush(stdout) == 0 && !ferror(stdout)) ? 0 : 1;
}
