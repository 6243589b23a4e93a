
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _PRINT_H_INCLUDED_
#define _PRINT_H_INCLUDED_


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_print.h"


/* all of an image as map source, on the heap */

static inline char *
print_image(const miqps_image_t *image)
{
    char           *text;
    FILE           *out;
    size_t          i, len;
    learn_view_t    view;
    learn_index_t   index;

    memset(&view, 0, sizeof(view));
    out = open_memstream(&text, &len);

    if (out == NULL || !learn_index_init(&index, image)) {
        printf("Bail out! out of memory\n");
        exit(1);
    }

    for (i = 0; i < index.n; i++) {
        if (index.hosts[i].target == NULL) {
            (void) learn_view_read(&view, image, index.hosts[i].record);
            learn_print_host(&index, &index.hosts[i], &view, 0, out);
        }
    }

    fclose(out);
    learn_view_release(&view);
    learn_index_release(&index);

    return text;
}


#endif /* _PRINT_H_INCLUDED_ */
