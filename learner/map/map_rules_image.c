
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_put.h"
#include "map_rules_image.h"


static void  learn_paths_offset(void *data, uint8_t *p);
static void  learn_paths_needs(const learn_layout_t *layout,
    const uint8_t *pool, uint8_t *block);


size_t
learn_paths_extra(const learn_map_t *map, uint32_t host)
{
    return (map->list[host].rules != NULL) ? 4 : 0;
}


uint64_t
learn_paths_mark(const learn_map_t *map, uint32_t host, uint8_t *record,
    size_t size, uint64_t offset)
{
    const learn_paths_block_t  *block;

    block = map->list[host].rules;

    if (block == NULL) {
        return offset;
    }

    record[5] |= MIQPS_HOST_RULES;

    (void) learn_put_u32(record, (uint32_t) size + 4);
    (void) learn_put_u32(record + size, (uint32_t) offset);

    return offset + block->size;
}


void
learn_paths_put(const learn_layout_t *layout, const uint8_t *pool, uint8_t *p)
{
    uint32_t                    i;
    const learn_paths_block_t  *block;

    for (i = 0; i < layout->map->hosts.n; i++) {
        block = layout->map->list[layout->hosts[i]].rules;

        if (block == NULL) {
            continue;
        }

        memcpy(p, block->data, block->size);
        learn_paths_walk_block(p, learn_paths_offset, (void *) layout);
        learn_paths_needs(layout, pool, p);

        p += block->size;
    }
}


static void
learn_paths_offset(void *data, uint8_t *p)
{
    const learn_layout_t  *layout = data;
    const learn_order_t   *values = &layout->values;

    (void) learn_put_u32(p, values->offset[values->place[miqps_get_u32(p)]]);
}


static void
learn_paths_needs(const learn_layout_t *layout, const uint8_t *pool,
    uint8_t *block)
{
    uint32_t         i;
    miqps_paths_t    rules;
    miqps_rewrite_t  rewrite;

    rules.block = block;
    rules.pool = pool;
    rules.pool_size = (size_t) layout->pool;
    rules.n = miqps_get_u16(block + 4);
    rules.ntables = block[6];
    rules.params = (block[7] & MIQPS_PATHS_SOME_PARAMS) != 0;
    rules.careful = (block[7] & MIQPS_PATHS_CAREFUL) != 0;

    for (i = 0; i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);
        (void) learn_put_u64(block + MIQPS_PATHS_HEAD + 8 * (size_t) i,
                             miqps_paths_need(&rules, layout->seed,
                                              &rewrite));
    }
}
