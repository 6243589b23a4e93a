
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "../support/mapped.h"
#include "map/map_print.h"


/*
 * Map source, read in pieces.  It is refused with a position, or becomes an
 * image that prints as source of the same image.
 */

#define MAX_LEN  (64 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


/* an image, or NULL with the error filled */

static uint8_t *
make(const char *text, size_t len, size_t step, size_t *size,
    learn_text_error_t *error)
{
    uint8_t              *image;
    const char           *why;
    learn_map_t          *map;
    learn_text_rc_e       rc;

    map = malloc(sizeof(learn_map_t));
    require(map != NULL);

    learn_map_init(map);

    image = NULL;
    rc = mapped_source(map, text, len, step, error);

    if (rc == LEARN_TEXT_END) {
        why = learn_map_image(map, &image, size);
        require(why == NULL);

    } else {
        require(rc == LEARN_TEXT_SYNTAX);
    }

    learn_map_release(map);
    free(map);

    return image;
}


static void
print(const uint8_t *data, char **text, size_t *len)
{
    FILE           *out;
    size_t          i;
    uint64_t        time;
    learn_view_t    view;
    learn_index_t   index;
    miqps_image_t   image;

    miqps_image_use(&image, data);
    memset(&view, 0, sizeof(view));

    out = open_memstream(text, len);

    require(out != NULL);
    require(learn_index_init(&index, &image));

    time = image.time;

    for (i = 0; i < index.n; i++) {
        if (index.hosts[i].target == NULL) {
            require(learn_view_read(&view, &image, index.hosts[i].record));
            learn_print_host(&index, &index.hosts[i], &view, time, out);
            time = 0;
        }
    }

    require(fclose(out) == 0);

    learn_view_release(&view);
    learn_index_release(&index);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char                *text;
    size_t               len, one, two;
    uint8_t             *image, *again;
    learn_text_error_t   error;

    if (size > MAX_LEN) {
        return 0;
    }

    memset(&error, 0xff, sizeof(error));

    image = make((const char *) data, size, 1 + size % 29, &one, &error);

    if (image == NULL) {
        require(memchr(error.text, '\0', sizeof(error.text)) != NULL);
        require(error.text[0] != '\0');
        require(error.line >= 1 && error.column >= 1);
        require(error.line <= size + 1 && error.column <= size + 1);
        return 0;
    }

    print(image, &text, &len);

    again = make(text, len, MAX_LEN, &two, &error);

    require(again != NULL);
    require(one == two && memcmp(image, again, one) == 0);

    free(text);
    free(again);
    free(image);

    return 0;
}
