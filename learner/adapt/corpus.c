
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>

#include <xxhash.h>

#include "adapt.h"
#include "corpus/veil.h"
#include "learn.h"
#include "miqps_url.h"
#include "normalizer.h"
#include "rules_options.h"


#define LEARN_CORPUS_PATTERNS  200       /* whose samples are looked at */


/* URLs on their way from the store; each of them once */

typedef struct {
    learn_adapt_t          *adapt;
    learn_rules_options_t   rules;       /* lists of trackers */
    learn_normalizer_t      normalizer;
    uint64_t               *hashes;      /* of URLs that are there */
    uint32_t                mask;
    uint32_t               *words;       /* names by hash, UINT32_MAX: free */
    uint32_t                words_mask;
    uint32_t                room;        /* URLs */
    uint32_t                names_room;
    int64_t                *params;      /* whose samples are to be read */
    size_t                  nparams;
    size_t                  params_room;
    int                     rc;
} learn_gather_t;


static int  learn_gather_init(learn_gather_t *gather, learn_adapt_t *adapt);
static void  learn_gather_release(learn_gather_t *gather);
static int  learn_gather_pick(const learn_pick_t *pick, void *data);
static int  learn_gather_pattern(const learn_ranked_t *pattern, void *data);
static int  learn_gather_param(int64_t id, const miqps_str_t *name,
    void *data);
static int  learn_gather_samples(learn_gather_t *gather);
static int  learn_gather_known(learn_gather_t *gather,
    const miqps_str_t *url);
static int  learn_gather_url(learn_gather_t *gather, const miqps_str_t *url);
static int  learn_gather_pieces(learn_gather_t *gather, learn_seen_t *seen,
    size_t n);
static uint32_t  learn_gather_name(learn_gather_t *gather,
    const miqps_param_t *param);
static int  learn_gather_room(learn_gather_t *gather, void **list,
    uint32_t *room, uint32_t n, size_t size);
static int  learn_gather_copy(learn_adapt_t *adapt, miqps_str_t *to,
    const uint8_t *data, size_t len);


int
learn_adapt_load(learn_adapt_t *adapt)
{
    int              rc;
    int64_t          site;
    miqps_str_t      host;
    learn_store_t   *store;
    learn_gather_t   gather;

    store = adapt->study->store;
    host.data = (const uint8_t *) adapt->study->host;
    host.len = strlen(adapt->study->host);

    rc = learn_gather_init(&gather, adapt);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->host_site(store, &host, &site);
    }

    if (rc == LEARN_EXIT_OK && site != 0) {
        rc = store->ops->reservoir(store, site, learn_gather_pick, &gather);
    }

    /* of a site with many hosts one may have few of the URLs */

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->ranked(store, &host, 1, LEARN_CORPUS_PATTERNS,
                                learn_gather_pattern, &gather);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_gather_samples(&gather);
    }

    learn_gather_release(&gather);

    return (gather.rc != LEARN_EXIT_OK) ? gather.rc : rc;
}


static int
learn_gather_init(learn_gather_t *gather, learn_adapt_t *adapt)
{
    memset(gather, 0, sizeof(learn_gather_t));

    gather->adapt = adapt;
    learn_rules_options_init(&gather->rules);
    gather->rules.tracking = 1;

    if (learn_rules_options_compile(&gather->rules) != LEARN_EXIT_OK) {
        return LEARN_EXIT_FAILED;
    }

    gather->normalizer.policy = gather->rules.policy;
    gather->mask = 4 * LEARN_ADAPT_URLS - 1;

    for (gather->mask = 1; gather->mask < 2 * LEARN_ADAPT_URLS;
         gather->mask *= 2)
    {
        /* void */
    }

    gather->words_mask = 65535;
    gather->hashes = calloc(gather->mask, sizeof(uint64_t));
    gather->words = malloc((gather->words_mask + 1) * sizeof(uint32_t));
    gather->mask--;

    if (gather->hashes == NULL || gather->words == NULL) {
        learn_complain("%s: out of memory", adapt->study->command);
        return LEARN_EXIT_FAILED;
    }

    memset(gather->words, 0xff, (gather->words_mask + 1) * sizeof(uint32_t));

    return LEARN_EXIT_OK;
}


static void
learn_gather_release(learn_gather_t *gather)
{
    free(gather->hashes);
    free(gather->words);
    free(gather->params);
    learn_normalizer_release(&gather->normalizer);
    learn_rules_options_release(&gather->rules);
}


/* a URL of the reservoir or of a sample; what is veiled gets some value */

static int
learn_gather_pick(const learn_pick_t *pick, void *data)
{
    uint8_t          full[LEARN_TARGET_MAX];
    miqps_str_t      url, host;
    learn_study_t   *study;
    learn_target_t   target;
    learn_gather_t  *gather;

    gather = data;
    study = gather->adapt->study;
    host = learn_store_url_host(pick);

    if (gather->adapt->nurls == LEARN_ADAPT_URLS
        || pick->len > LEARN_TARGET_MAX || host.len != strlen(study->host)
        || memcmp(host.data, study->host, host.len) != 0)
    {
        return 1;
    }

    url.data = pick->url;
    url.len = pick->len;

    url.len = learn_veil_fill(&url, pick->hash ^ study->settings->seed, full);
    url.data = full;

    if (learn_gather_known(gather, &url)
        || learn_target_check(&url, study->allowed, study->memo, &target)
           != LEARN_TARGET_OK)
    {
        return 1;
    }

    if (!learn_gather_url(gather, &url)) {
        learn_complain("%s: out of memory", study->command);
        gather->rc = LEARN_EXIT_FAILED;
        return 0;
    }

    return 1;
}


static int
learn_gather_known(learn_gather_t *gather, const miqps_str_t *url)
{
    size_t    i;
    uint64_t  hash;

    hash = XXH3_64bits(url->data, url->len) | 1;

    for (i = hash & gather->mask; gather->hashes[i] != 0;
         i = (i + 1) & gather->mask)
    {
        if (gather->hashes[i] == hash) {
            return 1;
        }
    }

    gather->hashes[i] = hash;

    return 0;
}


/* patterns and parameters are listed first, and asked for their URLs then */

static int
learn_gather_pattern(const learn_ranked_t *pattern, void *data)
{
    learn_gather_t  *gather;

    gather = data;

    return learn_gather_param(-pattern->id, &pattern->names, gather);
}


static int
learn_gather_param(int64_t id, const miqps_str_t *name, void *data)
{
    size_t           room;
    int64_t         *list;
    learn_gather_t  *gather;

    (void) name;

    gather = data;

    if (gather->nparams == gather->params_room) {
        room = 2 * gather->params_room + 64;
        list = realloc(gather->params, room * sizeof(int64_t));

        if (list == NULL) {
            learn_complain("%s: out of memory",
                           gather->adapt->study->command);
            gather->rc = LEARN_EXIT_FAILED;
            return 0;
        }

        gather->params = list;
        gather->params_room = room;
    }

    gather->params[gather->nparams++] = id;

    return 1;
}


/* of the list, numbers below zero are patterns */

static int
learn_gather_samples(learn_gather_t *gather)
{
    int             rc;
    size_t          i, n;
    learn_store_t  *store;

    store = gather->adapt->study->store;
    n = gather->nparams;
    rc = LEARN_EXIT_OK;

    for (i = 0; i < n && rc == LEARN_EXIT_OK; i++) {
        rc = store->ops->params(store, -gather->params[i], learn_gather_param,
                                gather);
    }

    for (i = n; i < gather->nparams && rc == LEARN_EXIT_OK; i++) {
        rc = store->ops->sample(store, gather->params[i], learn_gather_pick,
                                gather);
    }

    return rc;
}


/* a query that is left alone is nothing to learn from */

static int
learn_gather_url(learn_gather_t *gather, const miqps_str_t *url)
{
    miqps_url_t          parts;
    learn_seen_t        *seen;
    learn_adapt_t       *adapt;
    learn_normalized_t   n;

    adapt = gather->adapt;

    if (learn_normalizer_url(&gather->normalizer, url, &n) != LEARN_EXIT_OK) {
        return 0;
    }

    if (n.guard != MIQPS_GUARD_PASS || n.nparams > LEARN_ADAPT_PIECES
        || miqps_url_split(&parts, url) != MIQPS_OK)
    {
        return 1;
    }

    if (!learn_gather_room(gather, (void **) &adapt->urls, &gather->room,
                           adapt->nurls, sizeof(learn_seen_t)))
    {
        return 0;
    }

    seen = &adapt->urls[adapt->nurls];

    if (!learn_gather_copy(adapt, &seen->base, url->data,
                           (size_t) (parts.path.data + parts.path.len
                                     - url->data))
        || !learn_gather_pieces(gather, seen, n.nparams))
    {
        return 0;
    }

    seen->path.data = seen->base.data + (parts.path.data - url->data);
    seen->path.len = parts.path.len;
    seen->order = XXH3_64bits_withSeed(url->data, url->len,
                                       adapt->study->settings->seed);
    adapt->nurls++;

    return 1;
}


static int
learn_gather_pieces(learn_gather_t *gather, learn_seen_t *seen, size_t n)
{
    size_t                i;
    learn_piece_t        *piece;
    const miqps_param_t  *params;

    params = gather->normalizer.work.params;
    seen->pieces = learn_arena_alloc(gather->adapt->arena,
                                     n * sizeof(learn_piece_t));

    if (seen->pieces == NULL) {
        return 0;
    }

    for (i = 0; i < n; i++) {
        piece = &seen->pieces[seen->npieces++];
        piece->name = learn_gather_name(gather, &params[i]);

        if (piece->name == UINT32_MAX
            || !learn_gather_copy(gather->adapt, &piece->text, params[i].name,
                                  params[i].len))
        {
            return 0;
        }
    }

    return 1;
}


static uint32_t
learn_gather_name(learn_gather_t *gather, const miqps_param_t *param)
{
    size_t          i;
    uint32_t        hash, at;
    miqps_str_t     text;
    learn_label_t  *word;
    learn_adapt_t  *adapt;

    adapt = gather->adapt;
    text.data = param->name;
    text.len = param->name_len;
    hash = XXH32(text.data, text.len, 0);

    for (i = hash & gather->words_mask; /* void */ ;
         i = (i + 1) & gather->words_mask)
    {
        at = gather->words[i];

        if (at == UINT32_MAX) {
            break;
        }

        if (adapt->names[at].hash == hash
            && miqps_str_eq(&adapt->names[at].text, &text))
        {
            return at;
        }
    }

    if (adapt->nnames > gather->words_mask / 2
        || !learn_gather_room(gather, (void **) &adapt->names,
                              &gather->names_room, adapt->nnames,
                              sizeof(learn_label_t)))
    {
        return UINT32_MAX;
    }

    word = &adapt->names[adapt->nnames];
    word->hash = hash;
    word->tracker = (param->action == MIQPS_STRIP);

    if (!learn_gather_copy(adapt, &word->text, text.data, text.len)) {
        return UINT32_MAX;
    }

    word->brakes = (learn_target_brakes(&word->text) != 0);
    gather->words[i] = adapt->nnames;

    return adapt->nnames++;
}


static int
learn_gather_room(learn_gather_t *gather, void **list, uint32_t *room,
    uint32_t n, size_t size)
{
    void      *longer;
    uint32_t   more;

    if (n < *room) {
        return 1;
    }

    more = 2 * *room + 256;
    longer = learn_arena_alloc(gather->adapt->arena, more * size);

    if (longer == NULL) {
        return 0;
    }

    if (n > 0) {
        memcpy(longer, *list, n * size);
    }

    *list = longer;
    *room = more;

    return 1;
}


static int
learn_gather_copy(learn_adapt_t *adapt, miqps_str_t *to, const uint8_t *data,
    size_t len)
{
    uint8_t  *copy;

    copy = learn_arena_alloc(adapt->arena, len + 1);

    if (copy == NULL) {
        return 0;
    }

    if (len > 0) {
        memcpy(copy, data, len);
    }

    to->data = copy;
    to->len = len;

    return 1;
}
