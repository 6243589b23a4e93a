
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "map/map_print.h"
#include "miqps_map.h"


char *
learn_entry_text(const learn_index_t *index, const learn_index_host_t *host,
    learn_view_t *view)
{
    int     ok;
    char   *text;
    FILE   *out;
    size_t  len;

    text = NULL;
    out = open_memstream(&text, &len);

    if (out == NULL) {
        return NULL;
    }

    ok = learn_view_read(view, index->image, host->record);

    if (ok) {
        learn_print_host(index, host, view, 0, out);
    }

    if (fclose(out) != 0 || !ok) {
        free(text);
        return NULL;
    }

    return text;
}


uint64_t
learn_entry_hash(const char *text)
{
    return XXH3_64bits(text, strlen(text)) >> 1;
}


const learn_index_host_t *
learn_entry_of(const learn_index_t *index, const char *name)
{
    miqps_str_t          host;
    const uint8_t       *record;
    learn_index_host_t   wanted;

    if (index->n == 0) {
        return NULL;
    }

    memset(&wanted, 0, sizeof(learn_index_host_t));

    if (strncmp(name, "*.", 2) == 0) {
        wanted.host.data = (const uint8_t *) name + 2;
        wanted.host.len = strlen(name) - 2;
        wanted.wildcard = 1;

        return learn_index_find(index, &wanted);
    }

    host.data = (const uint8_t *) name;
    host.len = strlen(name);
    record = miqps_map_host(index->image, &host);

    if (record == NULL) {
        return NULL;
    }

    wanted.host.data = record + MIQPS_HOST_HEAD;
    wanted.host.len = record[4];
    wanted.wildcard = ((record[5] & MIQPS_HOST_WILDCARD) != 0);

    return learn_index_find(index, &wanted);
}
