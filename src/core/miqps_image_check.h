
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_IMAGE_CHECK_H_INCLUDED_
#define _MIQPS_IMAGE_CHECK_H_INCLUDED_


#include "miqps_image.h"


/*
 * WHETHER AN IMAGE MAY BE USED
 *
 * Everything that miqps_image.h asks for is established, in one go or in as
 * many as the caller likes:
 *
 *     head -> checksum -> names -> shapes -> hosts -> slots -> mirrors -> rules
 */

#define MIQPS_IMAGE_CHECKSUM   16            /* bytes of it */
#define MIQPS_IMAGE_SUM_STATE  576


/* an image being checked; the bytes must not change meanwhile */

typedef struct {
    _Alignas(64) uint8_t  sum[MIQPS_IMAGE_SUM_STATE];

    miqps_image_t         image;             /* in the end */
    const uint8_t        *base;
    size_t                size;
    unsigned              step;
    size_t                at;                /* how far it has come */
    uint32_t              hosts;             /* that were met */
    uint32_t              patterns;
    uint32_t              wildcards;
    uint32_t              mirrors;
    uint32_t              places;
    size_t                rules;             /* bytes of path rules */
} miqps_image_check_t;


void miqps_image_check_init(miqps_image_check_t *check, const uint8_t *base,
    size_t size);

/*
 * Goes on over "budget" bytes, or a few more.
 *
 * MIQPS_AGAIN      there is more to do
 * MIQPS_OK         check->image may be used
 * MIQPS_TOO_LONG   the version or a feature is newer than this code
 * MIQPS_SYNTAX     it is not a sound image
 *
 * On an error "*why" is a clause for people, static.
 */
miqps_rc_e miqps_image_check(miqps_image_check_t *check, size_t budget,
    const char **why);

/* all of it at once; "image" is void after an error */

miqps_rc_e miqps_image_open(miqps_image_t *image, const uint8_t *base,
    size_t size, const char **why);


/* the checksum of an image, as its head should have it, and as it has it */

void miqps_image_checksum(const uint8_t *base, size_t size,
    uint8_t sum[MIQPS_IMAGE_CHECKSUM]);

const uint8_t *miqps_image_checksum_of(const miqps_image_t *image);


/*
 * miqps_image_check_record.c: true if "size" bytes are a sound record, a
 * multiple of 4 and at least its head; adds to "*patterns".
 */
int miqps_image_check_record(const miqps_image_t *image, const uint8_t *record,
    size_t size, uint32_t *patterns);


static inline int
miqps_image_in_pool(const miqps_image_t *image, uint64_t offset, uint64_t len)
{
    return offset + len <= image->section[MIQPS_SECTION_POOL].size;
}


#endif /* _MIQPS_IMAGE_CHECK_H_INCLUDED_ */
