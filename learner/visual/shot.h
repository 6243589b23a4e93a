
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SHOT_H_INCLUDED_
#define _LEARN_SHOT_H_INCLUDED_


#include "miqps_core.h"


/*
 * WHAT A PAGE LOOKS LIKE
 *
 * A picture of its upper part, as wide as a window, which comes at half of its
 * size.  Kept of it are the means of small blocks: how light they are, and of
 * larger ones their colour.
 *
 *                    points of the page    of the picture    kept
 *     picture             1024 x 2048        512 x 1024
 *     how light              4 x 4              2 x 2      256 x 512
 *     colour                16 x 16             8 x 8       64 x 128
 *     region                32 x 32            16 x 16      32 x 64
 *
 * Two pictures are compared by regions.  In one that differs there is a block
 * whose mean is clearly another: a letter is enough for that, the edge of one
 * that is drawn a little softer is not.  One more region, the last, is what the
 * page asked for and did not get.
 */

#define LEARN_SHOT_PAGE_W    1024
#define LEARN_SHOT_PAGE_H    2048
#define LEARN_SHOT_SCALE     0.5

#define LEARN_SHOT_W         256
#define LEARN_SHOT_H         512
#define LEARN_SHOT_TONE_W    64
#define LEARN_SHOT_TONE_H    128

#define LEARN_SHOT_ACROSS    32
#define LEARN_SHOT_REGIONS   (32 * 64 + 1)
#define LEARN_SHOT_WORDS     ((LEARN_SHOT_REGIONS + 63) / 64)


typedef struct {
    uint8_t         light[LEARN_SHOT_H * LEARN_SHOT_W];
    uint8_t         tone[2][LEARN_SHOT_TONE_H * LEARN_SHOT_TONE_W];
    uint64_t        missing;         /* hash of what was asked for in vain */
} learn_shot_t;


/* a set of regions */

typedef struct {
    uint64_t        bits[LEARN_SHOT_WORDS];
} learn_regions_t;


/* 0 if these bytes are no PNG of that size, or without memory */

int learn_shot_read(learn_shot_t *shot, const uint8_t *png, size_t len);

/* true if there is nothing to be seen */

int learn_shot_blank(const learn_shot_t *shot);

/* the same for pictures that are the same in each point; never 0 */

uint64_t learn_shot_hash(const learn_shot_t *shot);

/* adds regions in which they differ */

void learn_shot_differ(const learn_shot_t *a, const learn_shot_t *b,
    learn_regions_t *regions);

size_t learn_regions_count(const learn_regions_t *regions);


/*
 * As bytes, to be kept: writes them to "out", with this room, and returns how
 * many there are, 0 on failure; and reads them, 0 if they are not such.
 */

#define LEARN_SHOT_ROOM  (2 * sizeof(learn_shot_t))

size_t learn_shot_pack(const learn_shot_t *shot, uint8_t *out);
int learn_shot_unpack(learn_shot_t *shot, const uint8_t *data, size_t len);

/*
 * Regions in which two of them differ, packed.  0 without memory, or if one of
 * them is none.
 */
int learn_shot_compare(const miqps_str_t *a, const miqps_str_t *b,
    learn_regions_t *regions);


#endif /* _LEARN_SHOT_H_INCLUDED_ */
