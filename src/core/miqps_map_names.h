
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_MAP_NAMES_H_INCLUDED_
#define _MIQPS_MAP_NAMES_H_INCLUDED_


#include "miqps_map.h"


/*
 * THE NAMES OF A URL, as an image has them: each once, by hash and then by
 * bytes.
 */

#define MIQPS_MAP_FEW  8


typedef struct {
    const miqps_image_t   *image;
    const miqps_param_t   *params;
    miqps_map_work_t      *work;       /* work->order has them in the end */
    size_t                 n;          /* different ones */
    uint64_t               sum;        /* of their hashes */
    unsigned               longs;      /* not zero if one is long */
    int                    repeats;    /* some are there more than once */
    uint16_t               below[MIQPS_MAP_FEW];
} miqps_map_names_t;


/*
 * Reads the names of "n" parameters: work->words and work->hash, the sum of
 * all and, if they are MIQPS_MAP_FEW at most, in "below" how many look smaller
 * than each, the last one first.  Two of them that are the same have the same
 * number there.
 */
void miqps_map_names(miqps_map_names_t *names, size_t n);

/*
 * Orders names that were read.  Leaves each once in work->order; and if there
 * are fewer names than parameters, in work->spare for each parameter which of
 * its name that is, and in work->repeated for that one whether there are
 * others.
 */
void miqps_map_order(miqps_map_names_t *names, size_t n);

/*
 * miqps_map_weigh.c: the general case of miqps_map_find(), with any number of
 * patterns that have to be weighed, for names that were read.
 */
int miqps_map_weigh(miqps_map_names_t *names, const uint8_t *record,
    const miqps_str_t *path, size_t n, miqps_map_entry_t *entry);


/* whether parameter "k" has name "id" of the image */

static inline int
miqps_map_is_name(const miqps_map_names_t *names, uint16_t k, uint32_t id)
{
    miqps_str_t                long_name;
    const uint8_t             *p;
    const miqps_param_t       *param;
    const miqps_image_word_t  *word;

    param = &names->params[k];
    word = &names->work->words[k];

    p = names->image->section[MIQPS_SECTION_NAMES].data
        + MIQPS_NAME_SIZE * (size_t) id;

    if (param->name_len <= MIQPS_NAME_SHORT) {
        return miqps_get_u64(p) == word->first
               && miqps_get_u64(p + 8) == word->rest;
    }

    if (p[15] != MIQPS_NAME_LONG || miqps_get_u32(p + 4) != param->name_len) {
        return 0;
    }

    long_name = miqps_image_name(names->image, id);

    return memcmp(long_name.data, param->name, long_name.len) == 0;
}


#endif /* _MIQPS_MAP_NAMES_H_INCLUDED_ */
