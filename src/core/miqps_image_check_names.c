
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_check_steps.h"


static int  miqps_check_name(const miqps_image_t *image, const uint8_t *p);
static int  miqps_check_shape(const miqps_str_t *text, uint32_t segments,
    uint32_t literals);


/* (4) */

const char *
miqps_check_names(miqps_image_check_t *check, size_t *budget, int *done)
{
    size_t                n, last;
    const uint8_t        *p;
    const miqps_image_t  *image;

    image = &check->image;

    p = image->section[MIQPS_SECTION_NAMES].data;
    n = miqps_check_share(image->nnames - check->at, MIQPS_NAME_SIZE, budget);

    for (last = check->at + n; check->at < last; check->at++) {
        if (!miqps_check_name(image, p + MIQPS_NAME_SIZE * check->at)) {
            return "a name is not one, or not in its pool";
        }
    }

    *done = (check->at == image->nnames);

    return NULL;
}


static int
miqps_check_name(const miqps_image_t *image, const uint8_t *p)
{
    size_t  i;

    if (p[15] == MIQPS_NAME_LONG) {
        return miqps_get_u64(p + 8) == (uint64_t) MIQPS_NAME_LONG << 56
               && miqps_get_u32(p + 4) > MIQPS_NAME_SHORT
               && miqps_image_in_pool(image, miqps_get_u32(p),
                                      miqps_get_u32(p + 4));
    }

    if (p[15] > MIQPS_NAME_SHORT) {
        return 0;
    }

    for (i = p[15]; i < MIQPS_NAME_SHORT; i++) {
        if (p[i] != 0) {
            return 0;
        }
    }

    return 1;
}


const char *
miqps_check_shapes(miqps_image_check_t *check, size_t *budget, int *done)
{
    size_t                n, last;
    miqps_str_t           text;
    const uint8_t        *p;
    const miqps_image_t  *image;

    image = &check->image;
    n = miqps_check_share(image->nshapes - check->at, MIQPS_SHAPE_SIZE,
                          budget);

    for (last = check->at + n; check->at < last; check->at++) {
        p = image->section[MIQPS_SECTION_SHAPES].data
            + MIQPS_SHAPE_SIZE * check->at;

        if (!miqps_image_in_pool(image, miqps_get_u32(p),
                                 miqps_get_u16(p + 4)))
        {
            return "a shape is not in its pool";
        }

        text = miqps_image_pool(image, miqps_get_u32(p), miqps_get_u16(p + 4));

        if (!miqps_check_shape(&text, miqps_get_u16(p + 6),
                               miqps_get_u32(p + 8)))
        {
            return "a shape is not one";
        }
    }

    *done = (check->at == image->nshapes);

    return NULL;
}


static int
miqps_check_shape(const miqps_str_t *text, uint32_t segments,
    uint32_t literals)
{
    uint32_t        n, set;
    const uint8_t  *p, *last;

    n = 0;
    set = 0;
    p = text->data;
    last = p + text->len;

    if (text->len == 0 || *p != '/') {
        return 0;
    }

    for (/* void */ ; p < last; p++) {

        if (*p != '/') {
            continue;
        }

        if (n == MIQPS_MAX_SEGMENTS) {
            return 0;
        }

        if (!(last - p >= 2 && p[1] == '*' && (last - p == 2 || p[2] == '/')))
        {
            set |= UINT32_C(1) << n;
        }

        n++;
    }

    return n == segments && set == literals;
}
