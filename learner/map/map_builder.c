
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "map_builder.h"
#include "map_check.h"
#include "map_precise.h"


#define LEARN_MAP_SEEN  16


static const char  *learn_map_add_host(learn_map_t *map,
    const miqps_str_t *host, uint32_t mirrors);
static const char  *learn_map_name(learn_map_t *map, const miqps_str_t *name,
    learn_word_t **word);
static const char  *learn_map_set(learn_map_t *map, const miqps_str_t *name,
    learn_map_verdict_e verdict);
static const char  *learn_map_find(learn_map_t *map, const miqps_str_t *name,
    learn_map_param_t **param);
static void  learn_map_order(learn_map_t *map);
static const char  *learn_map_once(learn_map_t *map, size_t place);
static uint64_t  learn_map_pattern_hash(const uint32_t *p);
static int  learn_map_seen_grow(learn_map_t *map);
static int  learn_map_same(const uint32_t *one, const uint32_t *two);


const char  learn_map_no_memory[] = "out of memory";


void
learn_map_init(learn_map_t *map)
{
    memset(map, 0, sizeof(learn_map_t));

    learn_arena_init(&map->arena);

    learn_words_init(&map->hosts, &map->arena);
    learn_words_init(&map->names, &map->arena);
    learn_words_init(&map->shapes, &map->arena);
    learn_words_init(&map->values, &map->arena);
    learn_paths_init(&map->rules, &map->arena, &map->values);
}


void
learn_map_release(learn_map_t *map)
{
    learn_words_release(&map->hosts);
    learn_words_release(&map->names);
    learn_words_release(&map->shapes);
    learn_words_release(&map->values);
    learn_paths_release(&map->rules);

    free(map->list);
    free(map->words);
    free(map->seen);

    if (map->psl != NULL) {
        psl_free(map->psl);
    }

    learn_arena_release(&map->arena);
}


const char *
learn_map_host(learn_map_t *map, const miqps_str_t *host)
{
    const char   *why;
    miqps_str_t   parent;

    if (host->len >= 2 && memcmp(host->data, "*.", 2) == 0) {
        parent.data = host->data + 2;
        parent.len = host->len - 2;

        why = learn_check_parent(&parent, &map->psl);

    } else {
        why = learn_check_host(host);
    }

    if (why == NULL) {
        why = learn_map_add_host(map, host, 0);
    }

    map->host = map->hosts.n - 1;
    map->nwords = 0;
    map->nown = 0;
    map->stamp++;

    learn_paths_clear(&map->rules);

    return why;
}


const char *
learn_map_mirror(learn_map_t *map, const miqps_str_t *host)
{
    const char  *why;

    if (host->len > 0 && host->data[0] == '*') {
        return "a mirror is one host";
    }

    why = learn_check_host(host);

    if (why == NULL) {
        why = learn_map_owner(map, host);
    }

    return (why != NULL) ? why : learn_map_add_host(map, host, map->host + 1);
}


const char *
learn_map_owner(learn_map_t *map, const miqps_str_t *host)
{
    miqps_str_t  own;

    own = map->hosts.words[map->host]->text;

    if (own.data[0] == '*') {
        own.data += 2;
        own.len -= 2;
    }

    return learn_check_owners(host, &own, &map->psl);
}


static const char *
learn_map_add_host(learn_map_t *map, const miqps_str_t *host, uint32_t mirrors)
{
    uint32_t           n;
    learn_word_t      *word;
    learn_map_host_t  *list;

    n = map->hosts.n;

    if (n == UINT32_MAX / 8) {
        return "a map has at most 536870911 hosts";
    }

    word = learn_words_add(&map->hosts, host);

    if (word == NULL) {
        return learn_map_no_memory;
    }

    if (word->number < n) {
        return "the host is there already";
    }

    if (map->hosts.max != map->max_list) {
        list = realloc(map->list, map->hosts.max * sizeof(learn_map_host_t));

        if (list == NULL) {
            return learn_map_no_memory;
        }

        map->list = list;
        map->max_list = map->hosts.max;
    }

    memset(&map->list[n], 0, sizeof(learn_map_host_t));

    word->uses = 1;
    map->list[n].mirrors = mirrors;

    return NULL;
}


const char *
learn_map_host_end(learn_map_t *map)
{
    size_t             size;
    const char        *why;
    learn_map_host_t  *host;

    why = learn_map_precise(map);

    if (why != NULL) {
        return why;
    }

    host = &map->list[map->host];
    size = map->nwords * sizeof(uint32_t);

    if (size > 0) {
        host->patterns = learn_arena_alloc(&map->arena, size);

        if (host->patterns == NULL) {
            return learn_map_no_memory;
        }

        memcpy(host->patterns, map->words, size);
    }

    host->npatterns = map->nown;
    map->npatterns += map->nown;

    return (map->npatterns > UINT32_MAX)
           ? "a map has at most 4294967295 patterns" : NULL;
}


const char *
learn_map_rules(learn_map_t *map, uint32_t *which, uint32_t *other)
{
    return learn_paths_block(&map->rules, &map->list[map->host].rules, which,
                             other);
}


void
learn_map_time(learn_map_t *map, uint64_t seconds)
{
    if (seconds > map->time) {
        map->time = seconds;
    }
}


const char *
learn_map_pattern(learn_map_t *map)
{
    map->nparams = 0;
    map->shape = 0;

    return NULL;
}


void
learn_map_expect(const learn_map_t *map, const miqps_str_t *name, int soon)
{
    learn_words_expect(&map->names, name, soon);
}


const char *
learn_map_param(learn_map_t *map, const miqps_str_t *name)
{
    uint32_t            i;
    const char         *why;
    learn_word_t       *word;
    learn_map_param_t  *param;

    why = learn_map_name(map, name, &word);

    if (why != NULL) {
        return why;
    }

    for (i = 0; i < map->nparams; i++) {
        if (map->params[i].name == word->number) {
            return "the name is there twice";
        }
    }

    if (map->nparams == MIQPS_MAX_PATTERN) {
        return "a pattern has at most 255 names";
    }

    param = &map->params[map->nparams++];

    word->uses++;

    param->given = *name;
    param->name = word->number;
    param->value = 0;
    param->verdict = LEARN_MAP_STRIP;

    return NULL;
}


/* the form of a name that the core sees is looked for only once */

static const char *
learn_map_name(learn_map_t *map, const miqps_str_t *name, learn_word_t **word)
{
    uint32_t       n;
    uint8_t        out[3 * LEARN_CHECK_MAX_NAME];
    const char    *why;
    miqps_str_t    seen;
    learn_word_t  *other;

    n = map->names.n;
    *word = learn_words_add(&map->names, name);

    if (*word == NULL) {
        return learn_map_no_memory;
    }

    if ((*word)->number < n) {

        if ((*word)->same != (*word)->number) {
            *word = map->names.words[(*word)->same];
        }

        return NULL;
    }

    if (n >= MIQPS_MAX_NAMES) {
        return "a map has at most 16777215 names";
    }

    why = learn_check_name(name, out, &seen);

    if (why != NULL || miqps_str_eq(&seen, name)) {
        return why;
    }

    other = learn_words_add(&map->names, &seen);

    if (other == NULL) {
        return learn_map_no_memory;
    }

    (*word)->same = other->number;
    *word = other;

    return NULL;
}


/* usually the name is written as it was before */

static const char *
learn_map_find(learn_map_t *map, const miqps_str_t *name,
    learn_map_param_t **param)
{
    uint32_t       i;
    const char    *why;
    learn_word_t  *word;

    for (i = 0; i < map->nparams; i++) {
        if (miqps_str_eq(&map->params[i].given, name)) {
            *param = &map->params[i];
            return NULL;
        }
    }

    why = learn_map_name(map, name, &word);
    *param = NULL;

    for (i = 0; why == NULL && i < map->nparams; i++) {
        if (map->params[i].name == word->number) {
            *param = &map->params[i];
        }
    }

    return why;
}


const char *
learn_map_keep(learn_map_t *map, const miqps_str_t *name)
{
    return learn_map_set(map, name, LEARN_MAP_KEEP);
}


const char *
learn_map_client(learn_map_t *map, const miqps_str_t *name)
{
    return learn_map_set(map, name, LEARN_MAP_CLIENT);
}


static const char *
learn_map_set(learn_map_t *map, const miqps_str_t *name,
    learn_map_verdict_e verdict)
{
    const char         *why;
    learn_map_param_t  *param;

    why = learn_map_find(map, name, &param);

    if (why != NULL) {
        return why;
    }

    if (param == NULL) {
        return "the name is not in \"params\"";
    }

    if (param->verdict == verdict) {
        return "the name is there twice";
    }

    if (param->verdict != LEARN_MAP_STRIP) {
        return "the name is in \"keep\" already";
    }

    param->verdict = (uint8_t) verdict;

    return NULL;
}


const char *
learn_map_default(learn_map_t *map, const miqps_str_t *name,
    const miqps_str_t *value)
{
    uint8_t             out[3 * LEARN_CHECK_MAX_NAME];
    const char         *why;
    miqps_str_t         seen;
    learn_word_t       *word;
    learn_map_param_t  *param;

    why = learn_map_find(map, name, &param);

    if (why == NULL) {
        why = learn_check_value(value, out, &seen);
    }

    if (why != NULL) {
        return why;
    }

    if (param == NULL || param->verdict != LEARN_MAP_KEEP) {
        return "the name is not in \"keep\"";
    }

    if (param->value != 0) {
        return "the name is there twice";
    }

    word = learn_words_add(&map->values, &seen);

    if (word == NULL) {
        return learn_map_no_memory;
    }

    word->uses = 1;
    param->value = word->number + 1;

    return NULL;
}


const char *
learn_map_path(learn_map_t *map, const miqps_str_t *path)
{
    uint32_t       segments, literals;
    const char    *why;
    learn_word_t  *word;

    why = learn_check_shape(path, &segments, &literals);

    if (why != NULL) {
        return why;
    }

    word = learn_words_add(&map->shapes, path);

    if (word == NULL) {
        return learn_map_no_memory;
    }

    if (word->number >= MIQPS_MAX_SHAPES) {
        return "a map has at most 16777215 paths";
    }

    word->uses = 1;
    map->shape = word->number + 1;

    return NULL;
}


const char *
learn_map_pattern_end(learn_map_t *map)
{
    size_t       place;
    const char  *why;

    if (map->nparams == 0) {
        return "a pattern has at least one name";
    }

    learn_map_order(map);

    place = map->nwords;
    why = learn_map_store(map);

    if (why == NULL) {
        why = learn_map_once(map, place);
    }

    if (why != NULL) {
        return why;
    }

    map->nown++;

    return NULL;
}


/* names by their numbers; there are few, or few such patterns */

static void
learn_map_order(learn_map_t *map)
{
    uint32_t           i, k;
    learn_map_param_t  param;

    for (i = 1; i < map->nparams; i++) {
        param = map->params[i];

        for (k = i; k > 0 && map->params[k - 1].name > param.name; k--) {
            map->params[k] = map->params[k - 1];
        }

        map->params[k] = param;
    }
}


const char *
learn_map_store(learn_map_t *map)
{
    size_t     max;
    uint32_t  *p, i, ndefaults;

    if (map->max_words - map->nwords < LEARN_MAP_HEAD + 3 * MIQPS_MAX_PATTERN)
    {
        max = 2 * map->max_words + 2 * LEARN_MAP_HEAD + 6 * MIQPS_MAX_PATTERN;
        p = realloc(map->words, max * sizeof(uint32_t));

        if (p == NULL) {
            return learn_map_no_memory;
        }

        map->words = p;
        map->max_words = max;
    }

    p = map->words + map->nwords;
    ndefaults = 0;

    for (i = 0; i < map->nparams; i++) {
        p[LEARN_MAP_HEAD + i] = map->params[i].name
                                | (uint32_t) map->params[i].verdict
                                  << LEARN_MAP_VERDICT;
    }

    for (i = 0; i < map->nparams; i++) {
        if (map->params[i].value == 0) {
            continue;
        }

        max = LEARN_MAP_HEAD + map->nparams + 2 * (size_t) ndefaults++;

        p[max] = map->params[i].name;
        p[max + 1] = map->params[i].value - 1;
    }

    p[0] = map->nparams | ndefaults << 8;
    p[1] = map->shape;

    map->nwords += learn_map_words(p);

    return NULL;
}


/* whether the pattern at "place" is the first of its names and path */

static const char *
learn_map_once(learn_map_t *map, size_t place)
{
    size_t     i;
    uint64_t   entry;
    uint32_t  *p;

    if (2 * ((size_t) map->nown + 1) > map->max_seen
        && !learn_map_seen_grow(map))
    {
        return learn_map_no_memory;
    }

    p = map->words + place;

    for (i = learn_map_pattern_hash(p) & (map->max_seen - 1);
         map->seen[i] >> 32 == map->stamp;
         i = (i + 1) & (map->max_seen - 1))
    {
        entry = map->seen[i] & UINT32_MAX;

        if (learn_map_same(p, map->words + entry)) {
            return "a pattern of these names and this path is there already";
        }
    }

    if (place > UINT32_MAX) {
        return "the host has too many patterns";
    }

    map->seen[i] = (uint64_t) map->stamp << 32 | place;

    return NULL;
}


static uint64_t
learn_map_pattern_hash(const uint32_t *p)
{
    uint32_t  i;
    uint64_t  hash;

    hash = p[1];

    for (i = 0; i < learn_map_names(p); i++) {
        hash += miqps_image_mix(p[LEARN_MAP_HEAD + i]
                                & ((UINT32_C(1) << LEARN_MAP_VERDICT) - 1), i);
    }

    return miqps_image_mix(hash, 0);
}


static int
learn_map_seen_grow(learn_map_t *map)
{
    size_t     i, k, at;
    uint64_t  *seen;

    map->max_seen = (map->max_seen == 0) ? LEARN_MAP_SEEN : 4 * map->max_seen;

    seen = calloc(map->max_seen, sizeof(uint64_t));

    if (seen == NULL) {
        return 0;
    }

    free(map->seen);
    map->seen = seen;

    at = 0;

    for (i = 0; i < map->nown; i++) {
        k = learn_map_pattern_hash(map->words + at) & (map->max_seen - 1);

        while (seen[k] != 0) {
            k = (k + 1) & (map->max_seen - 1);
        }

        seen[k] = (uint64_t) map->stamp << 32 | at;
        at += learn_map_words(map->words + at);
    }

    return 1;
}


static int
learn_map_same(const uint32_t *one, const uint32_t *two)
{
    uint32_t  i;

    if (learn_map_names(one) != learn_map_names(two) || one[1] != two[1]) {
        return 0;
    }

    for (i = 0; i < learn_map_names(one); i++) {
        if ((one[LEARN_MAP_HEAD + i] ^ two[LEARN_MAP_HEAD + i])
            << (32 - LEARN_MAP_VERDICT))
        {
            return 0;
        }
    }

    return 1;
}
