
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image.h"
#include "miqps_image_head.h"


void
miqps_image_use(miqps_image_t *image, const uint8_t *base)
{
    size_t          i;
    const uint8_t  *p;

    image->base = base;
    image->serial = 0;
    image->size = (size_t) miqps_get_u64(base + MIQPS_HEAD_SIZE);
    image->seed = miqps_get_u64(base + MIQPS_HEAD_SEED);
    image->generation = miqps_get_u64(base + MIQPS_HEAD_GENERATION);
    image->time = miqps_get_u64(base + MIQPS_HEAD_TIME);
    image->nhosts = miqps_get_u32(base + MIQPS_HEAD_HOSTS);
    image->npatterns = miqps_get_u32(base + MIQPS_HEAD_PATTERNS);
    image->nnames = miqps_get_u32(base + MIQPS_HEAD_NAMES);
    image->nshapes = miqps_get_u32(base + MIQPS_HEAD_SHAPES);
    image->nwildcards = miqps_get_u32(base + MIQPS_HEAD_WILDCARDS);

    for (i = 0; i < MIQPS_IMAGE_SECTIONS; i++) {
        p = base + MIQPS_HEAD_SECTIONS + 16 * i;

        image->section[i].data = base + miqps_get_u64(p);
        image->section[i].size = (size_t) miqps_get_u64(p + 8);
    }

    image->nslots = (uint32_t) (image->section[MIQPS_SECTION_SLOTS].size
                                / MIQPS_SLOT_SIZE);
}


uint64_t
miqps_image_hash_name(uint64_t seed, const uint8_t *name, size_t len)
{
    uint8_t             padded[16];
    miqps_image_word_t  word;

    if (len > MIQPS_NAME_SHORT) {
        miqps_image_word_padded(&word, name, len);
        return miqps_image_hash_word(seed, &word);
    }

    memset(padded, 0, sizeof(padded));

    if (len > 0) {
        memcpy(padded, name, len);
    }

    padded[15] = (uint8_t) len;

    miqps_image_stored(&word, padded);

    return miqps_image_hash_word(seed, &word);
}


void
miqps_image_host(miqps_host_t *host, const uint8_t *record)
{
    size_t          wide;
    const uint8_t  *p;

    host->record = record;
    host->host.data = record + MIQPS_HOST_HEAD;
    host->host.len = record[4];
    host->flags = record[5];
    host->nneutral = miqps_get_u16(record + 6);
    host->npatterns = miqps_get_u32(record + 8);

    wide = (host->flags & MIQPS_HOST_WIDE) ? 4 : 2;

    host->tags = host->host.data + host->host.len;
    host->offsets = host->tags + wide * host->npatterns;

    p = host->offsets + wide * host->npatterns;

    host->nmatter = miqps_image_number(host, p, 0);
    host->matter = p + wide;
    host->nrests = 0;

    p = host->matter + wide * host->nmatter;

    if (host->nneutral > 0) {
        host->nrests = miqps_image_number(host, p, 0);
        host->neutral_tags = p + wide;
        host->neutral = host->neutral_tags + wide * host->nneutral;
        host->rest_tags = host->neutral + 3 * (size_t) host->nneutral;
        host->rests = host->rest_tags + wide * host->nrests;

        p = host->rests + wide * host->nrests;
    }

    host->patterns = p;
}


void
miqps_image_pattern(miqps_pattern_t *pattern, const uint8_t *p)
{
    size_t   mask;
    uint8_t  flags;

    pattern->n = p[0];
    flags = p[1];
    mask = (pattern->n + 7) / 8;

    pattern->keep = p + MIQPS_PATTERN_HEAD;
    p = pattern->keep + mask;

    pattern->client = NULL;

    if (flags & MIQPS_PATTERN_CLIENT) {
        pattern->client = p;
        p += mask;
    }

    pattern->names = p;
    p += 3 * pattern->n;

    pattern->shape = 0;

    if (flags & MIQPS_PATTERN_SHAPE) {
        pattern->shape = miqps_get_u24(p) + 1;
        p += 3;
    }

    pattern->ndefaults = 0;
    pattern->defaults = p;

    if (flags & MIQPS_PATTERN_DEFAULT) {
        pattern->ndefaults = *p;
        pattern->defaults = p + 1;
        p += 1 + MIQPS_DEFAULT_SIZE * pattern->ndefaults;
    }

    pattern->end = p;
}
