
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "map_check.h"
#include "map_put.h"
#include "map_record.h"
#include "map_rules_image.h"
#include "miqps_image_check.h"


typedef struct {
    learn_layout_t   layout;
    learn_record_t   record;
    uint32_t        *places;        /* of hosts, by their numbers */
    uint64_t         patterns;
    uint64_t         rules;         /* bytes of path rules */
    uint32_t         wildcards;

    uint8_t         *data;
    size_t           len;
    size_t           max;
    uint64_t         offset[MIQPS_IMAGE_SECTIONS];
    uint64_t         size[MIQPS_IMAGE_SECTIONS];
} learn_image_t;


/* there is always room to begin a section */

#define LEARN_IMAGE_SPARE  8


static const char  *learn_image_write(learn_image_t *im, learn_map_t *map);
static const char  *learn_image_hosts(learn_image_t *im);
static const char  *learn_image_host(learn_image_t *im, uint32_t number);
static void  learn_image_mirrors(learn_image_t *im);
static void  learn_image_slots(learn_image_t *im);
static int  learn_image_names(learn_image_t *im);
static int  learn_image_shapes(learn_image_t *im);
static int  learn_image_pool(learn_image_t *im);
static int  learn_image_rules(learn_image_t *im);
static void  learn_image_texts(const learn_order_t *order,
    const learn_words_t *words, size_t least, uint8_t *pool);
static void  learn_image_head(learn_image_t *im);
static uint8_t  *learn_image_room(learn_image_t *im, size_t size);
static void  learn_image_section(learn_image_t *im, miqps_section_e section);


const char *
learn_map_image(learn_map_t *map, uint8_t **image, size_t *size)
{
    const char     *why;
    learn_image_t   im;
    miqps_image_t   open;

    memset(&im, 0, sizeof(learn_image_t));

    why = learn_image_write(&im, map);

    learn_record_release(&im.record);
    learn_layout_release(&im.layout);
    free(im.places);

    if (why == NULL
        && miqps_image_open(&open, im.data, im.len, &why) == MIQPS_OK)
    {
        *image = im.data;
        *size = im.len;

        return NULL;
    }

    free(im.data);

    return why;
}


static const char *
learn_image_write(learn_image_t *im, learn_map_t *map)
{
    size_t       slots;
    const char  *why;

    why = learn_layout_init(&im->layout, map);

    if (why != NULL) {
        return why;
    }

    im->places = malloc(((size_t) map->hosts.n + 1) * sizeof(uint32_t));
    slots = MIQPS_SLOT_SIZE * (size_t) im->layout.nslots;

    if (im->places == NULL
        || !learn_record_init(&im->record, &im->layout)
        || learn_image_room(im, MIQPS_IMAGE_HEAD) == NULL)
    {
        return learn_map_no_memory;
    }

    learn_image_section(im, MIQPS_SECTION_SLOTS);

    if (learn_image_room(im, slots) == NULL) {
        return learn_map_no_memory;
    }

    learn_image_section(im, MIQPS_SECTION_HOSTS);

    why = learn_image_hosts(im);

    if (why != NULL) {
        return why;
    }

    learn_image_mirrors(im);
    learn_image_slots(im);

    if (!learn_image_names(im) || !learn_image_shapes(im)
        || !learn_image_pool(im) || !learn_image_rules(im))
    {
        return learn_map_no_memory;
    }

    learn_image_head(im);

    return NULL;
}


static const char *
learn_image_hosts(learn_image_t *im)
{
    uint32_t      i;
    const char   *why;
    learn_map_t  *map;

    map = im->layout.map;

    for (i = 0; i < map->hosts.n; i++) {
        why = learn_image_host(im, im->layout.hosts[i]);

        if (why != NULL) {
            return why;
        }
    }

    return NULL;
}


static const char *
learn_image_host(learn_image_t *im, uint32_t number)
{
    size_t        at;
    uint8_t      *p;
    const char   *why;
    miqps_str_t   host;

    why = learn_record_read(&im->record, number);

    if (why != NULL) {
        return why;
    }

    at = im->len - im->offset[MIQPS_SECTION_HOSTS];

    if (at / 4 >= UINT32_MAX - 1) {
        return "the hosts of a map have more than 16 GiB";
    }

    p = learn_image_room(im, im->record.size
                             + learn_paths_extra(im->layout.map, number));

    if (p == NULL) {
        return learn_map_no_memory;
    }

    im->places[number] = (uint32_t) (at / 4) + 1;
    im->wildcards += (uint32_t) learn_layout_host(&im->layout, number, &host);
    im->patterns += im->record.npatterns;

    /* the place of a mirrored host may not be known yet */

    learn_record_write(&im->record, number,
                       im->layout.map->list[number].mirrors, p);

    im->rules = learn_paths_mark(im->layout.map, number, p, im->record.size,
                                 im->rules);

    return (im->rules > UINT32_MAX) ? "path rules have more than 4 GiB" : NULL;
}


static void
learn_image_mirrors(learn_image_t *im)
{
    uint32_t      i, mirrors;
    uint8_t      *hosts;
    learn_map_t  *map;

    map = im->layout.map;
    hosts = im->data + im->offset[MIQPS_SECTION_HOSTS];

    for (i = 0; i < map->hosts.n; i++) {
        mirrors = map->list[i].mirrors;

        if (mirrors != 0) {
            (void) learn_put_u32(hosts + 4 * (size_t) (im->places[i] - 1) + 8,
                                 im->places[mirrors - 1]);
        }
    }
}


static void
learn_image_slots(learn_image_t *im)
{
    int           wildcard;
    uint8_t      *p;
    uint32_t      i, number;
    uint64_t      hash;
    miqps_str_t   host;

    p = im->data + im->offset[MIQPS_SECTION_SLOTS];

    for (i = 0; i < im->layout.nslots; i++) {

        if (im->layout.slots[i] == 0) {
            p = learn_put_u64(p, 0);
            continue;
        }

        number = im->layout.hosts[im->layout.slots[i] - 1];
        wildcard = learn_layout_host(&im->layout, number, &host);
        hash = miqps_image_hash_host(im->layout.seed, host.data, host.len,
                                     wildcard);

        p = learn_put_u32(p, (uint32_t) hash);
        p = learn_put_u32(p, im->places[number]);
    }
}


static int
learn_image_names(learn_image_t *im)
{
    uint8_t              *p;
    uint32_t              i;
    const miqps_str_t    *text;
    const learn_order_t  *names;

    names = &im->layout.names;

    learn_image_section(im, MIQPS_SECTION_NAMES);

    p = learn_image_room(im, MIQPS_NAME_SIZE * (size_t) names->n);

    if (p == NULL) {
        return 0;
    }

    for (i = 0; i < names->n; i++) {
        text = &im->layout.map->names.words[names->list[i]]->text;

        memset(p, 0, MIQPS_NAME_SIZE);

        if (text->len <= MIQPS_NAME_SHORT) {
            (void) learn_put_bytes(p, text->data, text->len);
            p[15] = (uint8_t) text->len;

        } else {
            (void) learn_put_u32(p, names->offset[i]);
            (void) learn_put_u32(p + 4, (uint32_t) text->len);
            p[15] = MIQPS_NAME_LONG;
        }

        p += MIQPS_NAME_SIZE;
    }

    return 1;
}


static int
learn_image_shapes(learn_image_t *im)
{
    uint8_t              *p;
    uint32_t              i, segments, literals;
    const miqps_str_t    *text;
    const learn_order_t  *shapes;

    shapes = &im->layout.shapes;

    learn_image_section(im, MIQPS_SECTION_SHAPES);

    p = learn_image_room(im, MIQPS_SHAPE_SIZE * (size_t) shapes->n);

    if (p == NULL) {
        return 0;
    }

    for (i = 0; i < shapes->n; i++) {
        text = &im->layout.map->shapes.words[shapes->list[i]]->text;
        (void) learn_check_shape(text, &segments, &literals);

        p = learn_put_u32(p, shapes->offset[i]);
        p = learn_put_u16(p, (uint32_t) text->len);
        p = learn_put_u16(p, segments);
        p = learn_put_u32(p, literals);
    }

    return 1;
}


static int
learn_image_pool(learn_image_t *im)
{
    uint8_t      *p;
    learn_map_t  *map;

    map = im->layout.map;

    learn_image_section(im, MIQPS_SECTION_POOL);

    p = learn_image_room(im, (size_t) im->layout.pool);

    if (p == NULL) {
        return 0;
    }

    learn_image_texts(&im->layout.names, &map->names, MIQPS_NAME_SHORT + 1, p);
    learn_image_texts(&im->layout.shapes, &map->shapes, 0, p);
    learn_image_texts(&im->layout.values, &map->values, 0, p);

    return 1;
}


static int
learn_image_rules(learn_image_t *im)
{
    uint8_t  *p;

    learn_image_section(im, MIQPS_SECTION_RULES);

    p = learn_image_room(im, (size_t) im->rules);

    if (p == NULL) {
        return 0;
    }

    learn_paths_put(&im->layout, im->data + im->offset[MIQPS_SECTION_POOL],
                    p);

    im->size[MIQPS_SECTION_RULES] = (size_t) im->rules;

    return 1;
}


static void
learn_image_texts(const learn_order_t *order, const learn_words_t *words,
    size_t least, uint8_t *pool)
{
    uint32_t            i;
    const miqps_str_t  *text;

    for (i = 0; i < order->n; i++) {
        text = &words->words[order->list[i]]->text;

        if (text->len >= least) {
            (void) learn_put_bytes(pool + order->offset[i], text->data,
                                   text->len);
        }
    }
}


static void
learn_image_head(learn_image_t *im)
{
    size_t    i;
    uint8_t  *p, *sum;

    p = learn_put_bytes(im->data, (const uint8_t *) "MIQPSMAP", 8);
    p = learn_put_u16(p, MIQPS_IMAGE_VERSION);
    p = learn_put_u16(p, 0x0102);
    p = learn_put_u32(p, 0);
    p = learn_put_u64(p, im->len);
    p = learn_put_u64(p, 0);
    p = learn_put_u64(p, im->layout.map->time);

    sum = p;

    p = learn_put_u64(p + MIQPS_IMAGE_CHECKSUM, im->layout.seed);
    p = learn_put_u32(p, im->layout.map->hosts.n);
    p = learn_put_u32(p, (uint32_t) im->patterns);
    p = learn_put_u32(p, im->layout.names.n);
    p = learn_put_u32(p, im->layout.shapes.n);

    for (i = 0; i < MIQPS_IMAGE_SECTIONS; i++) {
        p = learn_put_u64(p, im->offset[i]);
        p = learn_put_u64(p, im->size[i]);
    }

    p = learn_put_u32(p, im->wildcards);
    memset(p, 0, 12);

    miqps_image_checksum(im->data, im->len, sum);
}


/* the next "size" bytes, or NULL without memory */

static uint8_t *
learn_image_room(learn_image_t *im, size_t size)
{
    size_t    max;
    uint8_t  *p;

    if (im->max < LEARN_IMAGE_SPARE + im->len + size) {
        max = LEARN_IMAGE_SPARE + im->len + size + im->max / 2;
        p = realloc(im->data, max);

        if (p == NULL) {
            return NULL;
        }

        im->data = p;
        im->max = max;
    }

    p = im->data + im->len;
    im->len += size;

    return p;
}


/* ends a section and begins the next */

static void
learn_image_section(learn_image_t *im, miqps_section_e section)
{
    if (section > 0) {
        im->size[section - 1] = im->len - im->offset[section - 1];
    }

    while (im->len % 8 != 0) {
        im->data[im->len++] = 0;
    }

    im->offset[section] = im->len;
}
