
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "map_layout.h"
#include "pages.h"


typedef struct {
    uint64_t      key;          /* of the first bytes */
    miqps_str_t   text;
    uint32_t      number;
    int           wildcard;
} learn_layout_host_t;


typedef struct {
    uint64_t      hash;
    miqps_str_t   text;
    uint32_t      number;
} learn_layout_name_t;


static int  learn_layout_hosts(learn_layout_t *layout);
static int  learn_layout_host_cmp(const void *one, const void *two);
static int  learn_layout_order(learn_layout_t *layout, learn_order_t *order,
    const learn_words_t *words, int names);
static uint64_t  learn_layout_seed(const learn_layout_t *layout);
static int  learn_layout_slots(learn_layout_t *layout);
static int  learn_layout_place(learn_layout_t *layout);
static int  learn_layout_names(learn_layout_t *layout);
static int  learn_layout_name_cmp(const void *one, const void *two);
static void  learn_order_release(learn_order_t *order);


const char *
learn_layout_init(learn_layout_t *layout, learn_map_t *map)
{
    memset(layout, 0, sizeof(learn_layout_t));

    layout->map = map;

    if (!learn_layout_hosts(layout)
        || !learn_layout_order(layout, &layout->names, &map->names, 1)
        || !learn_layout_order(layout, &layout->shapes, &map->shapes, 0)
        || !learn_layout_order(layout, &layout->values, &map->values, 0))
    {
        return learn_map_no_memory;
    }

    if (layout->pool > UINT32_MAX) {
        return "names, paths and values have more than 4 GiB";
    }

    layout->seed = learn_layout_seed(layout);

    if (!learn_layout_slots(layout) || !learn_layout_names(layout)) {
        return learn_map_no_memory;
    }

    return NULL;
}


void
learn_layout_release(learn_layout_t *layout)
{
    free(layout->hosts);
    free(layout->keys);
    free(layout->slots);

    learn_order_release(&layout->names);
    learn_order_release(&layout->shapes);
    learn_order_release(&layout->values);
}


static void
learn_order_release(learn_order_t *order)
{
    free(order->list);
    free(order->place);
    free(order->offset);
}


int
learn_layout_host(const learn_layout_t *layout, uint32_t number,
    miqps_str_t *host)
{
    *host = layout->map->hosts.words[number]->text;

    if (host->data[0] != '*') {
        return 0;
    }

    host->data += 2;
    host->len -= 2;

    return 1;
}


static int
learn_layout_hosts(learn_layout_t *layout)
{
    size_t                k;
    uint32_t              i, n;
    learn_layout_host_t  *sorted;

    n = layout->map->hosts.n;

    sorted = malloc(((size_t) n + 1) * sizeof(learn_layout_host_t));
    layout->hosts = malloc(((size_t) n + 1) * sizeof(uint32_t));

    if (sorted == NULL || layout->hosts == NULL) {
        free(sorted);
        return 0;
    }

    for (i = 0; i < n; i++) {
        sorted[i].number = i;
        sorted[i].wildcard = learn_layout_host(layout, i, &sorted[i].text);
        sorted[i].key = 0;

        for (k = 0; k < 8 && k < sorted[i].text.len; k++) {
            sorted[i].key |= (uint64_t) sorted[i].text.data[k] << (56 - 8 * k);
        }
    }

    qsort(sorted, n, sizeof(learn_layout_host_t), learn_layout_host_cmp);

    for (i = 0; i < n; i++) {
        layout->hosts[i] = sorted[i].number;
    }

    free(sorted);

    return 1;
}


static int
learn_layout_host_cmp(const void *one, const void *two)
{
    int                         rc;
    const learn_layout_host_t  *a = one;
    const learn_layout_host_t  *b = two;

    if (a->key != b->key) {
        return (a->key < b->key) ? -1 : 1;
    }

    rc = learn_str_cmp(&a->text, &b->text);

    return (rc != 0) ? rc : a->wildcard - b->wildcard;
}


static int
learn_layout_order(learn_layout_t *layout, learn_order_t *order,
    const learn_words_t *words, int names)
{
    size_t    len;
    uint32_t  i;

    if (!learn_words_sorted(words, names, &order->list, &order->n)) {
        return 0;
    }

    order->place = malloc(((size_t) words->n + 1) * sizeof(uint32_t));
    order->offset = malloc(((size_t) order->n + 1) * sizeof(uint32_t));

    if (order->place == NULL || order->offset == NULL) {
        return 0;
    }

    for (i = 0; i < order->n; i++) {
        order->place[order->list[i]] = i;
        order->offset[i] = (uint32_t) layout->pool;

        len = words->words[order->list[i]]->text.len;

        if (!names || len > MIQPS_NAME_SHORT) {
            layout->pool += len;
        }
    }

    return 1;
}


/* each string with its length before it, so that no two maps read alike */

static uint64_t
learn_layout_seed(const learn_layout_t *layout)
{
    uint32_t            i;
    XXH3_state_t        state;
    const miqps_str_t  *text;

    XXH3_INITSTATE(&state);
    (void) XXH3_64bits_reset(&state);

    for (i = 0; i < layout->map->hosts.n; i++) {
        text = &layout->map->hosts.words[layout->hosts[i]]->text;

        (void) XXH3_64bits_update(&state, &text->len, sizeof(size_t));
        (void) XXH3_64bits_update(&state, text->data, text->len);
    }

    for (i = 0; i < layout->names.n; i++) {
        text = &layout->map->names.words[layout->names.list[i]]->text;

        (void) XXH3_64bits_update(&state, &text->len, sizeof(size_t));
        (void) XXH3_64bits_update(&state, text->data, text->len);
    }

    return XXH3_64bits_digest(&state);
}


static int
learn_layout_slots(learn_layout_t *layout)
{
    uint64_t  n;

    /* half of them are taken */

    n = 2 * (uint64_t) layout->map->hosts.n + 1;

    if (n > UINT32_MAX) {
        n = UINT32_MAX;
    }

    layout->nslots = (uint32_t) n;
    layout->slots = malloc(n * sizeof(uint32_t));

    if (layout->slots == NULL) {
        return 0;
    }

    while (!learn_layout_place(layout)) {
        layout->seed = miqps_image_mix(layout->seed, 1);
    }

    return 1;
}


/* false if a host would be too far from where its search begins */

static int
learn_layout_place(learn_layout_t *layout)
{
    int          wildcard;
    uint32_t     i, k, n;
    miqps_str_t  host;

    memset(layout->slots, 0, layout->nslots * sizeof(uint32_t));

    for (i = 0; i < layout->map->hosts.n; i++) {
        wildcard = learn_layout_host(layout, layout->hosts[i], &host);

        k = miqps_image_slot(miqps_image_hash_host(layout->seed, host.data,
                                                   host.len, wildcard),
                             layout->nslots);

        for (n = 0; layout->slots[k] != 0; n++) {
            if (n == MIQPS_MAX_PROBES - 1) {
                return 0;
            }

            k = (k + 1 < layout->nslots) ? k + 1 : 0;
        }

        layout->slots[k] = i + 1;
    }

    return 1;
}


static int
learn_layout_names(learn_layout_t *layout)
{
    uint32_t              i, n;
    learn_layout_key_t   *key;
    learn_layout_name_t  *sorted;

    n = layout->names.n;

    sorted = malloc(((size_t) n + 1) * sizeof(learn_layout_name_t));
    layout->keys = learn_pages_alloc(((size_t) layout->map->names.n + 1)
                                     * sizeof(learn_layout_key_t));

    if (sorted == NULL || layout->keys == NULL) {
        free(sorted);
        return 0;
    }

    for (i = 0; i < n; i++) {
        sorted[i].number = layout->names.list[i];
        sorted[i].text = layout->map->names.words[sorted[i].number]->text;
        sorted[i].hash = miqps_image_hash_name(layout->seed,
                                               sorted[i].text.data,
                                               sorted[i].text.len);

        key = &layout->keys[sorted[i].number];

        key->hash = sorted[i].hash;
        key->place = i;
    }

    qsort(sorted, n, sizeof(learn_layout_name_t), learn_layout_name_cmp);

    for (i = 0; i < n; i++) {
        layout->keys[sorted[i].number].rank = i;
    }

    free(sorted);

    return 1;
}


static int
learn_layout_name_cmp(const void *one, const void *two)
{
    const learn_layout_name_t  *a = one;
    const learn_layout_name_t  *b = two;

    if (a->hash != b->hash) {
        return (a->hash < b->hash) ? -1 : 1;
    }

    return learn_str_cmp(&a->text, &b->text);
}
