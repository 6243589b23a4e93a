
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <xxhash.h>
#include <zlib.h>

#include "shot.h"


/* levels, of 256, by which means of blocks may differ */

#define LEARN_SHOT_LIGHT   20
#define LEARN_SHOT_TONE    10
#define LEARN_SHOT_EMPTY   4

#define LEARN_SHOT_PNG_W   (LEARN_SHOT_W * 2)
#define LEARN_SHOT_PNG_H   (LEARN_SHOT_H * 2)
#define LEARN_SHOT_PLANES  offsetof(learn_shot_t, missing)


static void  learn_shot_light(learn_shot_t *shot, const uint8_t *rgb);
static void  learn_shot_tone(learn_shot_t *shot, const uint8_t *rgb);
static int  learn_shot_flat(const uint8_t *data, size_t n);
static void  learn_shot_plane(const uint8_t *a, const uint8_t *b, size_t width,
    size_t height, int level, learn_regions_t *regions);


int
learn_shot_read(learn_shot_t *shot, const uint8_t *png, size_t len)
{
    uint8_t    *rgb;
    png_image   image;

    memset(&image, 0, sizeof(png_image));
    memset(shot, 0, sizeof(learn_shot_t));
    image.version = PNG_IMAGE_VERSION;

    if (!png_image_begin_read_from_memory(&image, png, len)) {
        return 0;
    }

    rgb = NULL;
    image.format = PNG_FORMAT_RGB;

    if (image.width == LEARN_SHOT_PNG_W && image.height == LEARN_SHOT_PNG_H) {
        rgb = malloc(PNG_IMAGE_SIZE(image));
    }

    if (rgb == NULL || !png_image_finish_read(&image, NULL, rgb, 0, NULL)) {
        png_image_free(&image);
        free(rgb);
        return 0;
    }

    learn_shot_light(shot, rgb);
    learn_shot_tone(shot, rgb);

    free(rgb);

    return 1;
}


static void
learn_shot_light(learn_shot_t *shot, const uint8_t *rgb)
{
    size_t          x, y, i;
    uint32_t        sum;
    const uint8_t  *p;

    for (y = 0; y < LEARN_SHOT_H; y++) {
        for (x = 0; x < LEARN_SHOT_W; x++) {
            sum = 0;

            for (i = 0; i < 4; i++) {
                p = rgb + 3 * ((2 * y + i / 2) * LEARN_SHOT_PNG_W
                               + 2 * x + i % 2);
                sum += 77u * p[0] + 150u * p[1] + 29u * p[2];
            }

            shot->light[y * LEARN_SHOT_W + x] = (uint8_t) (sum >> 10);
        }
    }
}


/* how much redder and bluer than green, of all points of a block */

static void
learn_shot_tone(learn_shot_t *shot, const uint8_t *rgb)
{
    int             red, blue;
    size_t          x, y, i, at;
    const uint8_t  *p;

    for (y = 0; y < LEARN_SHOT_TONE_H; y++) {
        for (x = 0; x < LEARN_SHOT_TONE_W; x++) {
            red = 0;
            blue = 0;

            for (i = 0; i < 64; i++) {
                p = rgb + 3 * ((8 * y + i / 8) * LEARN_SHOT_PNG_W
                               + 8 * x + i % 8);
                red += p[0] - p[1];
                blue += p[2] - p[1];
            }

            at = y * LEARN_SHOT_TONE_W + x;

            shot->tone[0][at] = (uint8_t) (128 + red / 128);
            shot->tone[1][at] = (uint8_t) (128 + blue / 128);
        }
    }
}


int
learn_shot_blank(const learn_shot_t *shot)
{
    return learn_shot_flat(shot->light, sizeof(shot->light))
           && learn_shot_flat(shot->tone[0], sizeof(shot->tone[0]))
           && learn_shot_flat(shot->tone[1], sizeof(shot->tone[1]));
}


static int
learn_shot_flat(const uint8_t *data, size_t n)
{
    size_t  i;

    for (i = 1; i < n; i++) {
        if (abs(data[i] - data[0]) > LEARN_SHOT_EMPTY) {
            return 0;
        }
    }

    return 1;
}


uint64_t
learn_shot_hash(const learn_shot_t *shot)
{
    uint64_t  hash;

    hash = XXH3_64bits_withSeed(shot, LEARN_SHOT_PLANES, shot->missing);

    return hash + (hash == 0);
}


void
learn_shot_differ(const learn_shot_t *a, const learn_shot_t *b,
    learn_regions_t *regions)
{
    learn_shot_plane(a->light, b->light, LEARN_SHOT_W, LEARN_SHOT_H,
                     LEARN_SHOT_LIGHT, regions);
    learn_shot_plane(a->tone[0], b->tone[0], LEARN_SHOT_TONE_W,
                     LEARN_SHOT_TONE_H, LEARN_SHOT_TONE, regions);
    learn_shot_plane(a->tone[1], b->tone[1], LEARN_SHOT_TONE_W,
                     LEARN_SHOT_TONE_H, LEARN_SHOT_TONE, regions);

    if (a->missing != b->missing) {
        regions->bits[(LEARN_SHOT_REGIONS - 1) / 64]
            |= UINT64_C(1) << (LEARN_SHOT_REGIONS - 1) % 64;
    }
}


static void
learn_shot_plane(const uint8_t *a, const uint8_t *b, size_t width,
    size_t height, int level, learn_regions_t *regions)
{
    size_t  x, y, side, region;

    side = width / LEARN_SHOT_ACROSS;

    for (y = 0; y < height; y++) {

        if (memcmp(a + y * width, b + y * width, width) == 0) {
            continue;
        }

        for (x = 0; x < width; x++) {
            if (abs(a[y * width + x] - b[y * width + x]) > level) {
                region = y / side * LEARN_SHOT_ACROSS + x / side;
                regions->bits[region / 64] |= UINT64_C(1) << region % 64;
            }
        }
    }
}


size_t
learn_regions_count(const learn_regions_t *regions)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < LEARN_SHOT_WORDS; i++) {
        n += (size_t) __builtin_popcountll(regions->bits[i]);
    }

    return n;
}


/* eight bytes of what is missing, low byte first, and the rest by zlib */

size_t
learn_shot_pack(const learn_shot_t *shot, uint8_t *out)
{
    size_t  i;
    uLongf  len;

    for (i = 0; i < 8; i++) {
        out[i] = (uint8_t) (shot->missing >> 8 * i);
    }

    len = LEARN_SHOT_ROOM - 8;

    if (compress2(out + 8, &len, (const Bytef *) shot, LEARN_SHOT_PLANES,
                  Z_BEST_SPEED)
        != Z_OK)
    {
        return 0;
    }

    return 8 + len;
}


int
learn_shot_unpack(learn_shot_t *shot, const uint8_t *data, size_t len)
{
    size_t  i;
    uLongf  n;

    if (len < 8) {
        return 0;
    }

    shot->missing = 0;

    for (i = 0; i < 8; i++) {
        shot->missing |= (uint64_t) data[i] << 8 * i;
    }

    n = LEARN_SHOT_PLANES;

    return uncompress((Bytef *) shot, &n, data + 8, len - 8) == Z_OK
           && n == LEARN_SHOT_PLANES;
}


int
learn_shot_compare(const miqps_str_t *a, const miqps_str_t *b,
    learn_regions_t *regions)
{
    int            ok;
    learn_shot_t  *shots;

    memset(regions, 0, sizeof(learn_regions_t));

    shots = malloc(2 * sizeof(learn_shot_t));

    ok = shots != NULL && learn_shot_unpack(&shots[0], a->data, a->len)
         && learn_shot_unpack(&shots[1], b->data, b->len);

    if (ok) {
        learn_shot_differ(&shots[0], &shots[1], regions);
    }

    free(shots);

    return ok;
}
