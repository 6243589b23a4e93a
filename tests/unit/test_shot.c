
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <png.h>

#include "unit.h"

#include "visual/shot.h"


#define WIDTH   (LEARN_SHOT_W * 2)
#define HEIGHT  (LEARN_SHOT_H * 2)


/* a picture, white at first, and what is drawn into it */

typedef struct {
    size_t          x, y, w, h;
    uint8_t         rgb[3];
} box_t;


typedef struct {
    const char     *sentence;
    box_t           one, two;        /* one of each in two pictures */
    int             differ;
} differ_row_t;


#define GREY   { 128, 128, 128 }
#define BLACK  { 0, 0, 0 }
#define WHITE  { 255, 255, 255 }


static const differ_row_t  differ_rows[] = {
    { "takes what is the same for the same",
      { 10, 10, 50, 50, BLACK }, { 10, 10, 50, 50, BLACK }, 0 },
    { "sees a picture", { 10, 10, 50, 50, BLACK }, { 10, 10, 50, 50, GREY },
      1 },
    { "sees that something is elsewhere",
      { 10, 10, 50, 50, BLACK }, { 10, 30, 50, 50, BLACK }, 1 },
    { "sees a stroke of a letter",
      { 101, 101, 1, 4, BLACK }, { 101, 101, 0, 0, BLACK }, 1 },
    { "sees it in the last corner",
      { WIDTH - 2, HEIGHT - 2, 2, 2, BLACK }, { 0, 0, 0, 0, BLACK }, 1 },
    { "takes a softer edge for the same",
      { 100, 100, 1, 40, { 225, 225, 225 } },
      { 100, 100, 1, 40, { 250, 250, 250 } }, 0 },
    { "takes a shade for the same",
      { 0, 0, WIDTH, HEIGHT, { 200, 200, 200 } },
      { 0, 0, WIDTH, HEIGHT, { 205, 205, 205 } }, 0 },
    { "sees another colour that is as light",
      { 100, 100, 16, 16, { 255, 0, 0 } }, { 100, 100, 16, 16, { 0, 131, 0 } },
      1 }
};


static uint8_t  picture[WIDTH * HEIGHT * 3];


static void
draw(learn_shot_t *shot, const box_t *box)
{
    size_t             x, y;
    void              *png;
    png_image          image;
    png_alloc_size_t   len;

    memset(picture, 0xff, sizeof(picture));

    for (y = box->y; y < box->y + box->h; y++) {
        for (x = box->x; x < box->x + box->w; x++) {
            memcpy(picture + 3 * (y * WIDTH + x), box->rgb, 3);
        }
    }

    memset(&image, 0, sizeof(png_image));
    image.version = PNG_IMAGE_VERSION;
    image.width = WIDTH;
    image.height = HEIGHT;
    image.format = PNG_FORMAT_RGB;

    len = PNG_IMAGE_PNG_SIZE_MAX(image);
    png = malloc(len);
    assert_non_null(png);
    assert_true(png_image_write_to_memory(&image, png, &len, 0, picture, 0,
                                          NULL));
    assert_true(learn_shot_read(shot, png, len));

    /* half of it is none */

    assert_false(learn_shot_read(shot, png, len / 2));
    assert_true(learn_shot_read(shot, png, len));
    free(png);
}


static void
pictures_differ(void **state)
{
    learn_shot_t        *shots;
    learn_regions_t      regions;
    const differ_row_t  *row;

    row = *state;
    shots = malloc(2 * sizeof(learn_shot_t));
    assert_non_null(shots);

    draw(&shots[0], &row->one);
    draw(&shots[1], &row->two);

    memset(&regions, 0, sizeof(learn_regions_t));
    learn_shot_differ(&shots[0], &shots[1], &regions);
    assert_int_equal(learn_regions_count(&regions) > 0, row->differ);

    free(shots);
}


static void
regions_are_where_it_is(void **state)
{
    box_t            box = { 16 * 5 + 3, 16 * 7 + 3, 4, 4, BLACK };
    box_t            none = { 0, 0, 0, 0, BLACK };
    size_t           region;
    learn_shot_t    *shots;
    learn_regions_t  regions;

    (void) state;

    shots = malloc(2 * sizeof(learn_shot_t));
    assert_non_null(shots);
    draw(&shots[0], &box);
    draw(&shots[1], &none);

    memset(&regions, 0, sizeof(learn_regions_t));
    learn_shot_differ(&shots[0], &shots[1], &regions);

    region = 7 * LEARN_SHOT_ACROSS + 5;
    assert_int_equal(learn_regions_count(&regions), 1);
    assert_true(regions.bits[region / 64] >> region % 64 & 1);

    free(shots);
}


static void
nothing_is_blank(void **state)
{
    box_t          none = { 0, 0, 0, 0, BLACK };
    box_t          all = { 0, 0, WIDTH, HEIGHT, GREY };
    box_t          some = { 300, 700, 3, 3, BLACK };
    learn_shot_t  *shot;

    (void) state;

    shot = malloc(sizeof(learn_shot_t));
    assert_non_null(shot);

    draw(shot, &none);
    assert_true(learn_shot_blank(shot));
    draw(shot, &all);
    assert_true(learn_shot_blank(shot));
    draw(shot, &some);
    assert_false(learn_shot_blank(shot));

    free(shot);
}


static void
pictures_are_kept(void **state)
{
    box_t            box = { 30, 70, 33, 44, { 9, 99, 200 } };
    size_t           n;
    uint8_t         *bytes;
    miqps_str_t      one, two;
    learn_shot_t    *shots;
    learn_regions_t  regions;

    (void) state;

    shots = calloc(2, sizeof(learn_shot_t));
    bytes = malloc(LEARN_SHOT_ROOM);
    assert_non_null(shots);
    assert_non_null(bytes);

    draw(&shots[0], &box);
    shots[0].missing = UINT64_C(0x123456789abcdef0);
    n = learn_shot_pack(&shots[0], bytes);
    assert_true(n > 8 && n < 4096);
    assert_true(learn_shot_unpack(&shots[1], bytes, n));
    assert_memory_equal(&shots[0], &shots[1], sizeof(learn_shot_t));
    assert_int_equal(learn_shot_hash(&shots[0]), learn_shot_hash(&shots[1]));

    one.data = bytes;
    one.len = n;
    assert_true(learn_shot_compare(&one, &one, &regions));
    assert_int_equal(learn_regions_count(&regions), 0);

    two = one;
    two.len = n - 1;
    assert_false(learn_shot_compare(&one, &two, &regions));
    two.len = 7;
    assert_false(learn_shot_compare(&two, &one, &regions));

    /* what is missing is a difference, and no other */

    shots[1].missing++;
    memset(&regions, 0, sizeof(learn_regions_t));
    learn_shot_differ(&shots[0], &shots[1], &regions);
    assert_int_equal(learn_regions_count(&regions), 1);

    free(shots);
    free(bytes);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, pictures_differ, differ_rows);
    unit_add(&unit, "says where it is", regions_are_where_it_is, NULL);
    unit_add(&unit, "knows a page without anything", nothing_is_blank, NULL);
    unit_add(&unit, "keeps pictures as bytes", pictures_are_kept, NULL);

    return unit_run(&unit, "shot");
}
