
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAPPED_H_INCLUDED_
#define _MAPPED_H_INCLUDED_


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_source.h"
#include "miqps_escape.h"
#include "miqps_image_check.h"
#include "miqps_map.h"
#include "split.h"


/*
 * Images of map source in memory, and look-ups in them that are written down
 * in a few letters.
 *
 * A file that includes this defines _DEFAULT_SOURCE before anything else.
 */

typedef struct {
    const char     *p;
    size_t          left;
    size_t          step;       /* bytes read at once, so that pieces meet */
} mapped_text_t;


static inline ssize_t
mapped_read(void *data, char *buf, size_t size)
{
    mapped_text_t  *text;

    text = data;

    if (size > text->step) {
        size = text->step;
    }

    if (size > text->left) {
        size = text->left;
    }

    if (size > 0) {
        memcpy(buf, text->p, size);
    }

    text->p += size;
    text->left -= size;

    return (ssize_t) size;
}


/* reads source into a map that was begun */

static inline learn_text_rc_e
mapped_source(learn_map_t *map, const char *source, size_t len, size_t step,
    learn_text_error_t *error)
{
    learn_text_t     text;
    mapped_text_t    from;
    learn_text_rc_e  rc;

    from.p = source;
    from.left = len;
    from.step = step;

    learn_text_init(&text, mapped_read, &from);
    rc = learn_source_read(map, &text, NULL, NULL, error);
    learn_text_release(&text);

    return rc;
}


/* an image, on the heap, or the end of the test */

static inline uint8_t *
mapped_image(const char *source, size_t *size)
{
    uint8_t             *image;
    const char          *why;
    learn_map_t          map;
    learn_text_error_t   error;

    learn_map_init(&map);

    error.line = 0;
    error.column = 0;
    error.text[0] = '\0';

    if (mapped_source(&map, source, strlen(source), 7, &error)
        != LEARN_TEXT_END)
    {
        printf("Bail out! %zu:%zu: %s\n", error.line, error.column,
               error.text);
        exit(1);
    }

    why = learn_map_image(&map, &image, size);

    if (why != NULL) {
        printf("Bail out! %s\n", why);
        exit(1);
    }

    learn_map_release(&map);

    return image;
}


/*
 * Looks a URL up.  "out" gets a letter for each parameter, K kept, S stripped,
 * C for clients, D a default, or "-" if the URL is not in the map; "~" before
 * them if the names are only similar; "!" if no query is split so.
 */

static inline void
mapped_look(const miqps_image_t *image, const char *host, const char *path,
    const char *query, char *out)
{
    int                 found;
    size_t              i, n, pieces;
    miqps_str_t         args, raw, h, p;
    miqps_map_entry_t   entry;

    static uint8_t           buf[MIQPS_MAX_ARGS], pool[MIQPS_MAX_ARGS];
    static miqps_param_t     params[MIQPS_MAX_PARAMS];
    static miqps_map_work_t  work;

    raw.data = (const uint8_t *) query;
    raw.len = strlen(query);
    h.data = (const uint8_t *) host;
    h.len = strlen(host);
    p.data = (const uint8_t *) path;
    p.len = strlen(path);

    if (miqps_escape_normalize(&raw, buf, &args) != MIQPS_GUARD_PASS
        || split_args(&args, pool, params, &n, &pieces)
           != MIQPS_GUARD_PASS)
    {
        memcpy(out, "!", 2);
        return;
    }

    found = miqps_map_find(image, miqps_map_host(image, &h), &p, params, n,
                           &work, &entry);

    if (!found) {
        memcpy(out, "-", 2);
        return;
    }

    if (entry.similar) {
        *out++ = '~';
    }

    for (i = 0; i < n; i++) {
        *out++ = "-EKCDS"[work.learned[i]];
    }

    *out = '\0';
}


/* makes the checksum of a changed image right again */

static inline void
mapped_mend(uint8_t *image, size_t size)
{
    uint8_t  sum[MIQPS_IMAGE_CHECKSUM];

    if (size >= MIQPS_IMAGE_HEAD) {
        miqps_image_checksum(image, size, sum);
        memcpy(image + 40, sum, MIQPS_IMAGE_CHECKSUM);
    }
}


#endif /* _MAPPED_H_INCLUDED_ */
