
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "map_make.h"
#include "map_source.h"


typedef struct {
    const char      *data;
    size_t           left;
} learn_make_t;


static int  learn_make_read(const char *command, const char *name,
    learn_make_t *make, learn_map_t *map);
static ssize_t  learn_make_bytes(void *data, char *buf, size_t size);


int
learn_map_make(const char *command, const char *name, const char *text,
    size_t len, uint8_t **data, size_t *size)
{
    int            rc;
    const char    *why;
    learn_map_t   *map;
    learn_make_t   make;

    *data = NULL;
    map = malloc(sizeof(learn_map_t));

    if (map == NULL) {
        learn_complain("%s: out of memory", command);
        return LEARN_EXIT_FAILED;
    }

    make.data = text;
    make.left = len;

    learn_map_init(map);

    rc = learn_make_read(command, name, &make, map);

    if (rc == LEARN_EXIT_OK) {
        why = learn_map_image(map, data, size);

        if (why != NULL) {
            learn_complain("%s: cannot make the image: %s", command, why);
            rc = LEARN_EXIT_FAILED;
        }
    }

    learn_map_release(map);
    free(map);

    return rc;
}


static int
learn_make_read(const char *command, const char *name, learn_make_t *make,
    learn_map_t *map)
{
    learn_text_t        text;
    learn_text_rc_e     rc;
    learn_text_error_t  error;

    learn_text_init(&text, learn_make_bytes, make);

    rc = learn_source_read(map, &text, NULL, NULL, &error);

    learn_text_release(&text);

    if (rc == LEARN_TEXT_END) {
        return LEARN_EXIT_OK;
    }

    if (rc == LEARN_TEXT_SYNTAX) {
        learn_complain("%s: %s:%zu:%zu: %s", command, name, error.line,
                       error.column, error.text);

    } else {
        learn_complain("%s: out of memory", command);
    }

    return LEARN_EXIT_FAILED;
}


static ssize_t
learn_make_bytes(void *data, char *buf, size_t size)
{
    learn_make_t  *make;

    make = data;
    size = (size < make->left) ? size : make->left;

    memcpy(buf, make->data, size);
    make->data += size;
    make->left -= size;

    return (ssize_t) size;
}
