
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_map.h"


static inline const uint8_t  *miqps_map_record(const miqps_image_t *image,
    const uint8_t *host, size_t len, int wildcard);
static miqps_noinline const uint8_t  *miqps_map_wildcard(
    const miqps_image_t *image, const miqps_str_t *host);


/* as memcmp(), which does not know that most hosts are short */

static inline int
miqps_map_same_host(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint64_t  differ;

    if (len < 8 || len > 24) {
        return memcmp(a, b, len) == 0;
    }

    differ = miqps_get_u64(a) ^ miqps_get_u64(b);
    differ |= miqps_get_u64(a + len - 8) ^ miqps_get_u64(b + len - 8);

    if (len > 16) {
        differ |= miqps_get_u64(a + 8) ^ miqps_get_u64(b + 8);
    }

    return differ == 0;
}


const uint8_t *
miqps_map_host(const miqps_image_t *image, const miqps_str_t *host)
{
    const uint8_t  *record;

    if (host->len == 0 || host->len > MIQPS_MAX_HOST) {
        return NULL;
    }

    record = miqps_map_record(image, host->data, host->len, 0);

    if (record == NULL && image->nwildcards > 0) {
        record = miqps_map_wildcard(image, host);
    }

    if (record != NULL && (record[5] & MIQPS_HOST_MIRROR)) {
        record = image->section[MIQPS_SECTION_HOSTS].data
                 + 4 * (size_t) (miqps_get_u32(record + 8) - 1);
    }

    return record;
}


/* the nearest one above */

static miqps_noinline const uint8_t *
miqps_map_wildcard(const miqps_image_t *image, const miqps_str_t *host)
{
    const uint8_t  *record, *p, *last;

    record = NULL;
    last = host->data + host->len;

    for (p = host->data; p < last - 1 && record == NULL; p++) {
        if (*p == '.') {
            record = miqps_map_record(image, p + 1, (size_t) (last - p - 1),
                                      1);
        }
    }

    return record;
}


static inline const uint8_t *
miqps_map_record(const miqps_image_t *image, const uint8_t *host, size_t len,
    int wildcard)
{
    uint32_t        i, n, tag, place;
    uint64_t        hash;
    const uint8_t  *slot, *record;

    hash = miqps_image_hash_host(image->seed, host, len, wildcard);
    tag = (uint32_t) hash;
    i = miqps_image_slot(hash, image->nslots);

    for (n = 0; n < MIQPS_MAX_PROBES; n++) {
        slot = image->section[MIQPS_SECTION_SLOTS].data
               + (size_t) i * MIQPS_SLOT_SIZE;
        place = miqps_get_u32(slot + 4);

        if (place == 0) {
            return NULL;
        }

        if (miqps_get_u32(slot) == tag) {
            record = image->section[MIQPS_SECTION_HOSTS].data
                     + 4 * (size_t) (place - 1);

            /* patterns are a little behind the host */

            __builtin_prefetch(record + 64);
            __builtin_prefetch(record + 128);
            __builtin_prefetch(record + 176);

            if (record[4] == len
                && (record[5] & MIQPS_HOST_WILDCARD) == wildcard
                && miqps_map_same_host(record + MIQPS_HOST_HEAD, host, len))
            {
                return record;
            }
        }

        i = (i + 1 < image->nslots) ? i + 1 : 0;
    }

    return NULL;
}
