
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include "miqps_image_check.h"
#include "miqps_image_check_steps.h"
#include "miqps_image_head.h"


static const char  *miqps_check_head(const uint8_t *base, size_t size);
static const char  *miqps_check_sections(const uint8_t *base, size_t size);
static const char  *miqps_check_counts(const miqps_image_t *image);
static const char  *miqps_check_start(miqps_image_check_t *check,
    size_t *budget, int *done);
static const char  *miqps_check_sum(miqps_image_check_t *check,
    size_t *budget, int *done);


static const miqps_step_pt  miqps_steps[] = {
    miqps_check_start,
    miqps_check_sum,
    miqps_check_names,
    miqps_check_shapes,
    miqps_check_hosts,
    miqps_check_places,
    miqps_check_mirrors,
    miqps_check_rules
};


static const char  miqps_newer[] = "its format is newer than this program";

#define MIQPS_STEPS  (sizeof(miqps_steps) / sizeof(miqps_steps[0]))


_Static_assert(sizeof(XXH3_state_t) <= MIQPS_IMAGE_SUM_STATE,
               "the state of a checksum has room");


miqps_rc_e
miqps_image_open(miqps_image_t *image, const uint8_t *base, size_t size,
    const char **why)
{
    miqps_rc_e           rc;
    miqps_image_check_t  check;

    miqps_image_check_init(&check, base, size);

    rc = miqps_image_check(&check, SIZE_MAX, why);

    *image = check.image;

    return rc;
}


void
miqps_image_check_init(miqps_image_check_t *check, const uint8_t *base,
    size_t size)
{
    memset(check, 0, sizeof(miqps_image_check_t));

    check->base = base;
    check->size = size;
}


miqps_rc_e
miqps_image_check(miqps_image_check_t *check, size_t budget, const char **why)
{
    int  done;

    *why = NULL;

    while (check->step < MIQPS_STEPS) {

        if (budget == 0) {
            return MIQPS_AGAIN;
        }

        done = 0;
        *why = miqps_steps[check->step](check, &budget, &done);

        if (*why != NULL) {
            return (*why == miqps_newer) ? MIQPS_TOO_LONG : MIQPS_SYNTAX;
        }

        if (done) {
            check->step++;
            check->at = 0;
        }
    }

    return MIQPS_OK;
}


/* (1), (3) */

static const char *
miqps_check_start(miqps_image_check_t *check, size_t *budget, int *done)
{
    const char      *why;
    const uint8_t   *base;
    XXH3_state_t    *state;

    base = check->base;
    state = (XXH3_state_t *) (void *) check->sum;

    why = miqps_check_head(base, check->size);

    if (why != NULL) {
        return why;
    }

    if (miqps_get_u16(base + MIQPS_HEAD_VERSION) != MIQPS_IMAGE_VERSION
        || miqps_get_u32(base + MIQPS_HEAD_FEATURES) != 0)
    {
        return miqps_newer;
    }

    XXH3_INITSTATE(state);

    (void) XXH3_128bits_reset(state);
    (void) XXH3_128bits_update(state, base, MIQPS_HEAD_CHECKSUM);

    *budget -= 1;
    *done = 1;

    return miqps_check_sections(base, check->size);
}


static const char *
miqps_check_head(const uint8_t *base, size_t size)
{
    if (size < 8 || memcmp(base, "MIQPSMAP", 8) != 0) {
        return "it is not a map image";
    }

    if (size < MIQPS_IMAGE_HEAD) {
        return "it is cut off";
    }

    if (miqps_get_u16(base + MIQPS_HEAD_ORDER) != MIQPS_BYTE_ORDER) {
        return "it is of another byte order";
    }

    if (miqps_get_u64(base + MIQPS_HEAD_SIZE) != size) {
        return (miqps_get_u64(base + MIQPS_HEAD_SIZE) > size)
               ? "it is cut off" : "something follows it";
    }

    return NULL;
}


static const char *
miqps_check_sections(const uint8_t *base, size_t size)
{
    size_t          i;
    uint64_t        offset, length, end;
    const uint8_t  *p;

    end = MIQPS_IMAGE_HEAD;

    for (i = 0; i < MIQPS_IMAGE_SECTIONS; i++) {
        p = base + MIQPS_HEAD_SECTIONS + 16 * i;

        offset = miqps_get_u64(p);
        length = miqps_get_u64(p + 8);

        if (offset != ((end + 7) & ~UINT64_C(7)) || offset > size
            || length > size - offset)
        {
            return "its sections are not in order";
        }

        for (/* void */ ; end < offset; end++) {
            if (base[end] != 0) {
                return "there is something between its sections";
            }
        }

        end = offset + length;
    }

    return (end == size) ? NULL : "its sections do not fill it";
}


/* (2) */

static const char *
miqps_check_sum(miqps_image_check_t *check, size_t *budget, int *done)
{
    size_t               n;
    XXH3_state_t        *state;
    XXH128_canonical_t   canonical;

    state = (XXH3_state_t *) (void *) check->sum;

    n = miqps_check_share(check->size - MIQPS_HEAD_SEED - check->at, 1,
                          budget);

    (void) XXH3_128bits_update(state, check->base + MIQPS_HEAD_SEED
                                      + check->at, n);
    check->at += n;

    if (check->at < check->size - MIQPS_HEAD_SEED) {
        return NULL;
    }

    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));

    if (memcmp(canonical.digest, check->base + MIQPS_HEAD_CHECKSUM,
               MIQPS_IMAGE_CHECKSUM)
        != 0)
    {
        return "its checksum is wrong";
    }

    miqps_image_use(&check->image, check->base);

    *done = 1;

    return miqps_check_counts(&check->image);
}


static const char *
miqps_check_counts(const miqps_image_t *image)
{
    size_t  slots;

    slots = image->section[MIQPS_SECTION_SLOTS].size;

    if (slots / MIQPS_SLOT_SIZE > UINT32_MAX || slots % MIQPS_SLOT_SIZE != 0
        || slots / MIQPS_SLOT_SIZE <= image->nhosts)
    {
        return "it has a wrong number of slots";
    }

    if (image->section[MIQPS_SECTION_NAMES].size
        != (uint64_t) image->nnames * MIQPS_NAME_SIZE
        || image->nnames > MIQPS_MAX_NAMES)
    {
        return "it has a wrong number of names";
    }

    if (image->section[MIQPS_SECTION_SHAPES].size
        != (uint64_t) image->nshapes * MIQPS_SHAPE_SIZE
        || image->nshapes > MIQPS_MAX_SHAPES)
    {
        return "it has a wrong number of shapes";
    }

    if (miqps_get_u32(image->base + MIQPS_HEAD_ZERO) != 0
        || miqps_get_u64(image->base + MIQPS_HEAD_ZERO + 4) != 0)
    {
        return "it has something that this version does not";
    }

    return NULL;
}


void
miqps_image_checksum(const uint8_t *base, size_t size,
    uint8_t sum[MIQPS_IMAGE_CHECKSUM])
{
    XXH3_state_t        state;
    XXH128_canonical_t  canonical;

    XXH3_INITSTATE(&state);

    (void) XXH3_128bits_reset(&state);
    (void) XXH3_128bits_update(&state, base, MIQPS_HEAD_CHECKSUM);
    (void) XXH3_128bits_update(&state, base + MIQPS_HEAD_SEED,
                               size - MIQPS_HEAD_SEED);

    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));

    memcpy(sum, canonical.digest, MIQPS_IMAGE_CHECKSUM);
}


const uint8_t *
miqps_image_checksum_of(const miqps_image_t *image)
{
    return image->base + MIQPS_HEAD_CHECKSUM;
}
