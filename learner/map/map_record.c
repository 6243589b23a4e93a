
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "map_put.h"
#include "map_record.h"
#include "pages.h"


#define learn_name_of(word)                                                  \
    ((word) & ((UINT32_C(1) << LEARN_MAP_VERDICT) - 1))
#define learn_verdict_of(word)  ((word) >> LEARN_MAP_VERDICT)


/* so few are sorted here */

#define LEARN_RECORD_FEW  16


static int  learn_record_grow(learn_record_t *record, uint32_t n);
static void  learn_record_pattern(learn_record_t *record, uint32_t *p,
    learn_record_pattern_t *pattern);
static int  learn_record_cmp(const void *one, const void *two);
static void  learn_record_sort(learn_record_t *record);
static void  learn_record_sort_keys(uint64_t *keys, uint32_t n);
static int  learn_record_key_cmp(const void *one, const void *two);
static void  learn_record_name(learn_record_t *record,
    const learn_layout_key_t *key, int matters, int counts);
static void  learn_record_neutral(learn_record_t *record);
static void  learn_record_rests(learn_record_t *record);
static void  learn_record_measure(learn_record_t *record, size_t host_len);
static uint64_t  learn_record_tag(const learn_record_t *record,
    uint64_t hash);
static size_t  learn_record_pattern_size(const uint32_t *p, int *client);
static uint8_t  *learn_record_write_neutral(const learn_record_t *record,
    unsigned number, uint8_t *p);
static uint8_t  *learn_record_write_pattern(const learn_record_t *record,
    const uint32_t *words, uint8_t *p);
static uint8_t  *learn_record_write_mask(const uint32_t *words,
    learn_map_verdict_e verdict, uint8_t *p);
static uint8_t  *learn_record_write_defaults(const learn_record_t *record,
    const uint32_t *words, uint8_t *p);


int
learn_record_init(learn_record_t *record, const learn_layout_t *layout)
{
    uint32_t  i;

    memset(record, 0, sizeof(learn_record_t));

    record->layout = layout;

    record->names = learn_pages_alloc(((size_t) layout->names.n + 1)
                                      * sizeof(learn_record_name_t));
    record->by_rank = malloc(((size_t) layout->names.n + 1)
                             * sizeof(uint32_t));
    record->matter = malloc(((size_t) layout->names.n + 1)
                            * sizeof(uint64_t));

    if (record->names == NULL || record->by_rank == NULL
        || record->matter == NULL)
    {
        return 0;
    }

    for (i = 0; i < layout->names.n; i++) {
        record->by_rank[layout->keys[layout->names.list[i]].rank] = i;
    }

    return 1;
}


void
learn_record_release(learn_record_t *record)
{
    free(record->names);
    free(record->by_rank);
    free(record->patterns);
    free(record->matter);
    free(record->neutral);
    free(record->rests);
}


const char *
learn_record_read(learn_record_t *record, uint32_t host)
{
    uint32_t           i, *p;
    miqps_str_t        name;
    learn_map_host_t  *from;

    from = &record->layout->map->list[host];

    record->npatterns = from->npatterns;
    record->mirror = (from->mirrors != 0);
    record->nmatter = 0;
    record->nneutral = 0;
    record->nrests = 0;
    record->stamp++;

    if (!learn_record_grow(record, from->npatterns)) {
        return learn_map_no_memory;
    }

    p = from->patterns;

    for (i = 0; i < from->npatterns; i++) {
        learn_record_pattern(record, p, &record->patterns[i]);

        p += learn_map_words(p);
    }

    if (from->npatterns > 1) {
        learn_record_neutral(record);
    }

    (void) learn_layout_host(record->layout, host, &name);

    learn_record_measure(record, name.len);
    learn_record_sort(record);
    learn_record_rests(record);

    return (record->size > UINT32_MAX) ? "a host has more than 4 GiB" : NULL;
}


static int
learn_record_grow(learn_record_t *record, uint32_t n)
{
    void    *p;
    size_t   max;

    if (n <= record->max_patterns) {
        return 1;
    }

    max = 2 * (size_t) n;

    p = realloc(record->patterns, max * sizeof(learn_record_pattern_t));

    if (p == NULL) {
        return 0;
    }

    record->patterns = p;

    p = realloc(record->rests, max * sizeof(uint64_t));

    if (p == NULL) {
        return 0;
    }

    record->rests = p;

    if (record->neutral == NULL) {
        record->neutral = malloc(UINT16_MAX * sizeof(uint64_t));
    }

    record->max_patterns = (uint32_t) (max / 2);

    return record->neutral != NULL;
}


/*
 * Numbers of the map become those of the image, in the order of hashes.  What
 * is known of a name is looked at once, since each is somewhere else.
 */

static void
learn_record_pattern(learn_record_t *record, uint32_t *p,
    learn_record_pattern_t *pattern)
{
    uint32_t                   i, k, n, word, verdict, *names;
    uint32_t                   ranks[MIQPS_MAX_PATTERN];
    uint64_t                   sum;
    const learn_layout_key_t  *key;

    names = p + LEARN_MAP_HEAD;
    n = learn_map_names(p);
    sum = 0;

    for (i = 0; i < n; i++) {
        key = &record->layout->keys[learn_name_of(names[i])];
        verdict = learn_verdict_of(names[i]);
        word = key->place | verdict << LEARN_MAP_VERDICT;
        sum += key->hash;

        learn_record_name(record, key, verdict != LEARN_MAP_STRIP,
                          !(p[0] & LEARN_MAP_NESTED));

        for (k = i; k > 0 && ranks[k - 1] > key->rank; k--) {
            names[k] = names[k - 1];
            ranks[k] = ranks[k - 1];
        }

        names[k] = word;
        ranks[k] = key->rank;
    }

    if (p[1] != 0) {
        p[1] = record->layout->shapes.place[p[1] - 1] + 1;
    }

    pattern->words = p;
    pattern->tag = (uint32_t) sum;
    pattern->rest = pattern->tag;
    pattern->nneutral = 0;
}


/* counts a name of a pattern, which may matter there, and may be nested */

static void
learn_record_name(learn_record_t *record, const learn_layout_key_t *key,
    int matters, int counts)
{
    learn_record_name_t  *name;

    name = &record->names[key->place];

    if (name->stamp != record->stamp) {
        memset(name, 0, sizeof(learn_record_name_t));
        name->stamp = record->stamp;
    }

    name->uses += (counts != 0);

    if (matters && !name->kept) {
        name->kept = 1;
        record->matter[record->nmatter++] = key->hash;
    }
}


/* by tag; of the same tag any order will do that depends on nothing else */

static int
learn_record_cmp(const void *one, const void *two)
{
    uint32_t                       i;
    const learn_record_pattern_t  *a = one;
    const learn_record_pattern_t  *b = two;

    if (a->tag != b->tag) {
        return (a->tag < b->tag) ? -1 : 1;
    }

    if (learn_map_names(a->words) != learn_map_names(b->words)) {
        return (learn_map_names(a->words) < learn_map_names(b->words)) ? -1 : 1;
    }

    for (i = LEARN_MAP_HEAD; i < LEARN_MAP_HEAD + learn_map_names(a->words);
         i++)
    {
        if (learn_name_of(a->words[i]) != learn_name_of(b->words[i])) {
            return (learn_name_of(a->words[i]) < learn_name_of(b->words[i]))
                   ? -1 : 1;
        }
    }

    return (a->words[1] > b->words[1]) - (a->words[1] < b->words[1]);
}


/* in two patterns at least, and stripped in all */

static void
learn_record_neutral(learn_record_t *record)
{
    uint32_t                   i, k, id;
    uint32_t                  *p;
    learn_record_name_t       *name;
    learn_record_pattern_t    *pattern;
    const learn_layout_key_t  *key;

    for (i = 0; i < record->npatterns; i++) {
        pattern = &record->patterns[i];
        p = pattern->words + LEARN_MAP_HEAD;

        for (k = 0; k < learn_map_names(pattern->words); k++) {
            id = learn_name_of(p[k]);
            name = &record->names[id];

            if (name->uses < 2 || name->kept) {
                continue;
            }

            key = &record->layout->keys[record->layout->names.list[id]];

            if (!name->neutral) {

                if (record->nneutral == UINT16_MAX) {
                    continue;
                }

                name->neutral = 1;

                record->neutral[record->nneutral++] = key->hash << 32
                                                      | key->rank;
            }

            pattern->nneutral++;
            pattern->rest -= (uint32_t) key->hash;
        }

        record->nrests += (pattern->nneutral > 0);
    }
}


/* how large it is, and so how wide its numbers are */

static void
learn_record_measure(learn_record_t *record, size_t host_len)
{
    int       client;
    uint32_t  i;
    uint64_t  fixed, numbers;

    fixed = MIQPS_HOST_HEAD + host_len + 3 * (uint64_t) record->nneutral;
    numbers = record->mirror ? 0 : 2 * (uint64_t) record->npatterns + 1
                                   + record->nmatter;

    if (record->nneutral > 0) {
        numbers += 1 + record->nneutral + 2 * (uint64_t) record->nrests;
    }

    for (i = 0; i < record->npatterns; i++) {
        fixed += learn_record_pattern_size(record->patterns[i].words, &client);
    }

    record->wide = (fixed + 2 * numbers > UINT16_MAX);
    record->size = fixed + (record->wide ? 4 : 2) * numbers;
    record->size = (record->size + 3) & ~UINT64_C(3);
}


static uint64_t
learn_record_tag(const learn_record_t *record, uint64_t hash)
{
    return hash & (record->wide ? 0xffffffff : 0xffff);
}


/* by tags, which are as wide as they will be */

static void
learn_record_sort(learn_record_t *record)
{
    uint32_t                 i, k;
    learn_record_pattern_t   one, *patterns;

    patterns = record->patterns;

    for (i = 0; i < record->npatterns; i++) {
        patterns[i].tag = (uint32_t) learn_record_tag(record, patterns[i].tag);
        patterns[i].rest = (uint32_t) learn_record_tag(record,
                                                       patterns[i].rest);
    }

    if (record->npatterns > LEARN_RECORD_FEW) {
        qsort(patterns, record->npatterns, sizeof(learn_record_pattern_t),
              learn_record_cmp);
    }

    for (i = 1; i < record->npatterns
                && record->npatterns <= LEARN_RECORD_FEW; i++)
    {
        one = patterns[i];

        for (k = i; k > 0 && learn_record_cmp(&patterns[k - 1], &one) > 0; k--)
        {
            patterns[k] = patterns[k - 1];
        }

        patterns[k] = one;
    }

    for (i = 0; i < record->nmatter; i++) {
        record->matter[i] = learn_record_tag(record, record->matter[i]);
    }

    for (i = 0; i < record->nneutral; i++) {
        record->neutral[i] = learn_record_tag(record, record->neutral[i] >> 32)
                             << 32 | (uint32_t) record->neutral[i];
    }

    learn_record_sort_keys(record->matter, record->nmatter);
    learn_record_sort_keys(record->neutral, record->nneutral);
}


static void
learn_record_sort_keys(uint64_t *keys, uint32_t n)
{
    uint32_t  i, k;
    uint64_t  key;

    if (n > LEARN_RECORD_FEW) {
        qsort(keys, n, sizeof(uint64_t), learn_record_key_cmp);
        return;
    }

    for (i = 1; i < n; i++) {
        key = keys[i];

        for (k = i; k > 0 && keys[k - 1] > key; k--) {
            keys[k] = keys[k - 1];
        }

        keys[k] = key;
    }
}


static int
learn_record_key_cmp(const void *one, const void *two)
{
    const uint64_t  *a = one;
    const uint64_t  *b = two;

    return (*a > *b) - (*a < *b);
}


/* those of patterns that have neutral names */

static void
learn_record_rests(learn_record_t *record)
{
    uint32_t  i, n;

    n = 0;

    for (i = 0; i < record->npatterns && n < record->nrests; i++) {
        if (record->patterns[i].nneutral > 0) {
            record->rests[n++] = (uint64_t) record->patterns[i].rest << 32 | i;
        }
    }

    learn_record_sort_keys(record->rests, n);
}


static size_t
learn_record_pattern_size(const uint32_t *p, int *client)
{
    size_t    mask;
    uint32_t  i;

    *client = 0;

    for (i = 0; i < learn_map_names(p); i++) {
        *client |= (learn_verdict_of(p[LEARN_MAP_HEAD + i])
                    == LEARN_MAP_CLIENT);
    }

    mask = (learn_map_names(p) + 7) / 8;

    return MIQPS_PATTERN_HEAD + mask + (*client ? mask : 0)
           + 3 * learn_map_names(p) + ((p[1] != 0) ? 3 : 0)
           + ((learn_map_defaults(p) > 0)
              ? 1 + MIQPS_DEFAULT_SIZE * learn_map_defaults(p) : 0);
}


void
learn_record_write(const learn_record_t *record, uint32_t host, uint32_t place,
    uint8_t *p)
{
    int           wildcard;
    uint8_t      *start, *last, *offsets;
    unsigned      number;
    uint32_t      i;
    miqps_str_t   name;

    start = p;
    last = p + record->size;
    wildcard = learn_layout_host(record->layout, host, &name);
    number = record->wide ? 4 : 2;

    p = learn_put_u32(p, (uint32_t) record->size);

    *p++ = (uint8_t) name.len;
    *p++ = (uint8_t) ((wildcard ? MIQPS_HOST_WILDCARD : 0)
                      | ((place != 0) ? MIQPS_HOST_MIRROR : 0)
                      | (record->wide ? MIQPS_HOST_WIDE : 0));

    p = learn_put_u16(p, record->nneutral);
    p = learn_put_u32(p, (place != 0) ? place : record->npatterns);
    p = learn_put_bytes(p, name.data, name.len);

    if (place != 0) {
        memset(p, 0, (size_t) (last - p));
        return;
    }

    for (i = 0; i < record->npatterns; i++) {
        p = learn_put(p, record->patterns[i].tag, number);
    }

    offsets = p;
    p += number * (size_t) record->npatterns;

    p = learn_put(p, record->nmatter, number);

    for (i = 0; i < record->nmatter; i++) {
        p = learn_put(p, record->matter[i], number);
    }

    if (record->nneutral > 0) {
        p = learn_record_write_neutral(record, number, p);
    }

    for (i = 0; i < record->npatterns; i++) {
        offsets = learn_put(offsets, (size_t) (p - start), number);
        p = learn_record_write_pattern(record, record->patterns[i].words, p);
    }

    memset(p, 0, (size_t) (last - p));
}


static uint8_t *
learn_record_write_neutral(const learn_record_t *record, unsigned number,
    uint8_t *p)
{
    uint32_t  i;

    p = learn_put(p, record->nrests, number);

    for (i = 0; i < record->nneutral; i++) {
        p = learn_put(p, record->neutral[i] >> 32, number);
    }

    for (i = 0; i < record->nneutral; i++) {
        p = learn_put_u24(p, record->by_rank[(uint32_t) record->neutral[i]]);
    }

    for (i = 0; i < record->nrests; i++) {
        p = learn_put(p, record->rests[i] >> 32, number);
    }

    for (i = 0; i < record->nrests; i++) {
        p = learn_put(p, (uint32_t) record->rests[i], number);
    }

    return p;
}


static uint8_t *
learn_record_write_pattern(const learn_record_t *record, const uint32_t *words,
    uint8_t *p)
{
    int       client;
    uint32_t  i;

    (void) learn_record_pattern_size(words, &client);

    *p++ = (uint8_t) learn_map_names(words);
    *p++ = (uint8_t) (((words[1] != 0) ? MIQPS_PATTERN_SHAPE : 0)
                      | ((learn_map_defaults(words) > 0)
                         ? MIQPS_PATTERN_DEFAULT : 0)
                      | (client ? MIQPS_PATTERN_CLIENT : 0));

    p = learn_record_write_mask(words, LEARN_MAP_KEEP, p);

    if (client) {
        p = learn_record_write_mask(words, LEARN_MAP_CLIENT, p);
    }

    for (i = 0; i < learn_map_names(words); i++) {
        p = learn_put_u24(p, learn_name_of(words[LEARN_MAP_HEAD + i]));
    }

    if (words[1] != 0) {
        p = learn_put_u24(p, words[1] - 1);
    }

    if (learn_map_defaults(words) > 0) {
        p = learn_record_write_defaults(record, words, p);
    }

    return p;
}


static uint8_t *
learn_record_write_mask(const uint32_t *words, learn_map_verdict_e verdict,
    uint8_t *p)
{
    size_t    mask;
    uint32_t  i;

    mask = (learn_map_names(words) + 7) / 8;
    memset(p, 0, mask);

    for (i = 0; i < learn_map_names(words); i++) {
        if (learn_verdict_of(words[LEARN_MAP_HEAD + i]) == verdict) {
            p[i / 8] = (uint8_t) (p[i / 8] | 1u << i % 8);
        }
    }

    return p + mask;
}


/* in the order of the names */

static uint8_t *
learn_record_write_defaults(const learn_record_t *record,
    const uint32_t *words, uint8_t *p)
{
    uint32_t               i, k, n, value;
    const uint32_t        *defaults;
    const learn_layout_t  *layout;

    layout = record->layout;
    n = learn_map_names(words);
    defaults = words + LEARN_MAP_HEAD + n;

    *p++ = (uint8_t) learn_map_defaults(words);

    for (i = 0; i < n; i++) {
        for (k = 0; k < learn_map_defaults(words); k++) {

            if (layout->names.place[defaults[2 * k]]
                != learn_name_of(words[LEARN_MAP_HEAD + i]))
            {
                continue;
            }

            value = defaults[2 * k + 1];

            *p++ = (uint8_t) i;
            p = learn_put_u16(p, (uint32_t)
                              layout->map->values.words[value]->text.len);
            p = learn_put_u32(p,
                        layout->values.offset[layout->values.place[value]]);
        }
    }

    return p;
}
