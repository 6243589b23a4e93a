
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/atlas.h"
#include "../support/dice.h"
#include "../support/mapped.h"
#include "../support/print.h"


/*
 * What a look-up in an image says must be what the model says.  And what is
 * printed of an image must compile to it.
 */

#define QUERIES  100             /* of a map */


static size_t  seen[128];               /* how often a letter was the answer */


static int
agree(const atlas_t *atlas, const miqps_image_t *image, dice_t *dice,
    const char *source)
{
    char           got[MIQPS_MAX_PARAMS + 2], want[ATLAS_MAX_PARAMS + 4];
    size_t         i, k;
    atlas_query_t  query;

    for (i = 0; i < QUERIES; i++) {
        atlas_make_query(dice, atlas, &query);
        atlas_look(atlas, &query, want);
        mapped_look(image, query.host, query.path, query.text, got);

        if (strcmp(got, want) != 0) {
            printf("# %s%s?%s is %s, not %s, in\n# %s\n", query.host,
                   query.path, query.text, got, want, source);
            return 0;
        }

        for (k = 0; want[k] != '\0'; k++) {
            seen[(unsigned char) want[k]]++;
        }
    }

    return 1;
}


static int
comes_back(const miqps_image_t *image, const uint8_t *data, size_t size)
{
    int       same;
    char     *text;
    size_t    len;
    uint8_t  *again;

    text = print_image(image);
    again = mapped_image(text, &len);
    same = (len == size && memcmp(again, data, size) == 0);

    if (!same) {
        printf("# not the same image: %s\n", text);
    }

    free(again);
    free(text);

    return same;
}


static size_t
maps(void)
{
    const char  *level;

    level = getenv("TEST_LEVEL");

    return (level == NULL || strcmp(level, "check") == 0) ? 2500
           : (strcmp(level, "fuzz") == 0) ? 500000 : 25000;
}


int
main(void)
{
    char           *source;
    size_t          i, n, size, agreed, same, letters;
    dice_t          dice;
    uint8_t        *data;
    const char     *why, *p;
    static atlas_t  atlas;
    miqps_image_t   image;

    n = maps();
    agreed = 0;
    same = 0;

    for (i = 0; i < n; i++) {
        dice_init(&dice, 11, i);
        atlas_make(&dice, &atlas);

        source = atlas_print(&atlas);
        data = mapped_image(source, &size);

        if (miqps_image_open(&image, data, size, &why) != MIQPS_OK) {
            printf("Bail out! %s\n", why);
            return 1;
        }

        agreed += (size_t) agree(&atlas, &image, &dice, source);
        same += (size_t) comes_back(&image, data, size);

        free(data);
        free(source);

        if (agreed + same + 20 < 2 * (i + 1)) {
            break;
        }
    }

    printf("%s 1 - %zu look-ups agree with the model\n",
           (agreed == n) ? "ok" : "not ok", n * QUERIES);
    printf("%s 2 - %zu images print as what they are made of\n",
           (same == n) ? "ok" : "not ok", n);

    /* an answer that never came was not tested */

    letters = 0;

    for (p = "-~KCDS"; *p != '\0'; p++) {
        letters += (seen[(unsigned char) *p] > n);
        printf("# %c %zu\n", *p, seen[(unsigned char) *p]);
    }

    printf("%s 3 - every answer came often\n1..3\n",
           (letters == 6) ? "ok" : "not ok");

    return (agreed == n && same == n && letters == 6) ? 0 : 1;
}
