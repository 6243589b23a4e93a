
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "corpus.h"
#include "learn.h"


/* limits of a batch */

#define LEARN_BATCH_LINES  4000000
#define LEARN_BATCH_URLS   1200000
#define LEARN_BATCH_BYTES  (128 * 1024 * 1024)

#define LEARN_SEEN_MIN     16384

/*
 * How many URLs of one client a batch keeps, so that nobody who invents them
 * fills reservoirs and samples alone: this, and a part of the lines so far.
 * Where there are hardly any clients, behind a proxy, all may be one's.
 */

#define LEARN_CLIENT_URLS   1000
#define LEARN_CLIENT_PART   16
#define LEARN_CLIENT_FEW    16


static int  learn_corpus_crowd(learn_corpus_t *corpus, uint64_t client);
static int  learn_corpus_site_url(learn_corpus_t *corpus, learn_site_t *site,
    learn_pick_t *pick, const uint8_t **copy);
static void  learn_corpus_cut(learn_corpus_t *corpus, learn_site_t *site);
static int  learn_corpus_new(learn_corpus_t *corpus, uint64_t hash);
static size_t  learn_corpus_place(const uint64_t *seen, size_t size,
    uint64_t hash);
static int  learn_corpus_grow(learn_corpus_t *corpus);
static int  learn_corpus_pattern(learn_corpus_t *corpus, learn_host_t *host,
    size_t nparams, const learn_entry_t *entry, learn_pick_t *pick,
    const uint8_t **copy, int crowded);
static size_t  learn_corpus_sort(learn_corpus_t *corpus, size_t nparams,
    miqps_str_t *names);
static int  learn_param_cmp(const miqps_param_t *a, const miqps_param_t *b);
static int  learn_corpus_clients(learn_corpus_t *corpus, learn_names_t *names,
    const learn_entry_t *entry);
static int  learn_corpus_sketch(learn_corpus_t *corpus,
    learn_hashes_t *hashes, uint64_t hash);
static void  learn_corpus_day(learn_names_t *names, int64_t day);
static int  learn_corpus_values(learn_corpus_t *corpus, learn_names_t *names,
    size_t nparams, learn_pick_t *pick, const uint8_t **copy);
static int  learn_corpus_declared(const miqps_str_t *host,
    const miqps_str_t *site, void *data);


int
learn_corpus_init(learn_corpus_t *corpus, learn_store_t *store,
    const char *command)
{
    int  rc;

    memset(corpus, 0, sizeof(learn_corpus_t));

    corpus->store = store;
    corpus->command = command;
    corpus->max_lines = LEARN_BATCH_LINES;

    learn_arena_init(&corpus->kept);
    learn_arena_init(&corpus->cache);
    learn_arena_init(&corpus->batch);
    learn_shared_init(&corpus->shared, store);
    learn_rules_options_init(&corpus->rules);

    corpus->rules.tracking = 1;

    corpus->psl = psl_latest(NULL);
    corpus->buf = malloc(miqps_normalize_bound(LEARN_CORPUS_MAX_URL));
    corpus->max_seen = LEARN_SEEN_MIN;
    corpus->seen = calloc(LEARN_SEEN_MIN, sizeof(uint64_t));
    corpus->crowd = calloc(LEARN_CROWD, sizeof(uint32_t));
    corpus->picks = malloc(2 * LEARN_STORE_RESERVOIR * sizeof(learn_pick_t));
    corpus->spare = malloc(2 * LEARN_STORE_RESERVOIR * sizeof(learn_pick_t));

    if (corpus->psl == NULL || corpus->buf == NULL || corpus->seen == NULL
        || corpus->crowd == NULL || corpus->picks == NULL
        || corpus->spare == NULL)
    {
        learn_complain("%s: out of memory, or no list of public suffixes",
                       command);
        return LEARN_EXIT_FAILED;
    }

    rc = learn_rules_options_compile(&corpus->rules);

    return (rc == LEARN_EXIT_OK)
           ? store->ops->declared(store, learn_corpus_declared, corpus) : rc;
}


static int
learn_corpus_declared(const miqps_str_t *host, const miqps_str_t *site,
    void *data)
{
    uint8_t           *text;
    learn_corpus_t    *corpus;
    learn_declared_t  *one;

    corpus = data;

    one = learn_arena_alloc(&corpus->kept, sizeof(learn_declared_t));
    text = learn_arena_alloc(&corpus->kept, host->len + site->len);

    if (one == NULL || text == NULL) {
        learn_complain("%s: out of memory", corpus->command);
        return 0;
    }

    memcpy(text, host->data, host->len);
    memcpy(text + host->len, site->data, site->len);

    one->host.data = text;
    one->host.len = host->len;
    one->site.data = text + host->len;
    one->site.len = site->len;
    one->next = corpus->declared;

    corpus->declared = one;

    return 1;
}


void
learn_corpus_release(learn_corpus_t *corpus)
{
    learn_corpus_clear(corpus);
    learn_arena_release(&corpus->kept);
    learn_arena_release(&corpus->cache);
    learn_arena_release(&corpus->batch);
    learn_shared_release(&corpus->shared);
    learn_rules_options_release(&corpus->rules);

    if (corpus->psl != NULL) {
        psl_free(corpus->psl);
    }

    free(corpus->buf);
    free(corpus->seen);
    free(corpus->crowd);
    free(corpus->picks);
    free(corpus->spare);
}


int
learn_corpus_full(const learn_corpus_t *corpus)
{
    return corpus->lines >= corpus->max_lines
           || corpus->nseen >= LEARN_BATCH_URLS
           || corpus->pending >= LEARN_BATCH_BYTES
           || corpus->cached >= LEARN_CACHE_BYTES;
}


void *
learn_corpus_alloc(learn_corpus_t *corpus, size_t size)
{
    corpus->pending += size + sizeof(max_align_t) / 2;

    return learn_arena_alloc(&corpus->batch, size);
}


void
learn_corpus_skip(learn_corpus_t *corpus, learn_line_e why)
{
    corpus->lines++;
    corpus->counts[why]++;
}


int
learn_corpus_add(learn_corpus_t *corpus, const learn_entry_t *entry)
{
    int              rc, veiled, crowded;
    size_t           nparams;
    uint8_t          text[MIQPS_MAX_HOST];
    miqps_str_t      url;
    learn_host_t    *host;
    learn_line_e     what;
    learn_pick_t     pick;
    const uint8_t   *copy;
    miqps_request_t  req;

    what = learn_corpus_parse(corpus, entry, &req, text, &nparams, &url);

    corpus->lines++;
    corpus->counts[what]++;

    if (what != LEARN_LINE_TAKEN) {
        return LEARN_EXIT_OK;
    }

    /* different URLs stay so, whatever is veiled */

    pick.hash = learn_store_hash(corpus->store, url.data, url.len);

    __builtin_prefetch(&corpus->seen[pick.hash & (corpus->max_seen - 1)]);

    rc = learn_corpus_veil(corpus, entry, nparams, &url, &veiled);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    pick.url = url.data;
    pick.len = (uint32_t) url.len;
    pick.day = corpus->store->today;
    pick.veiled = (uint16_t) veiled;

    copy = NULL;
    crowded = learn_corpus_crowd(corpus, entry->client);
    host = learn_corpus_host(corpus, &req.host);

    if (host != NULL
        && (crowded
            || learn_corpus_site_url(corpus, host->site, &pick, &copy))
        && learn_corpus_pattern(corpus, host, nparams, entry, &pick, &copy,
                                crowded))
    {
        host->hits++;
        host->site->hits++;
        return LEARN_EXIT_OK;
    }

    learn_complain("%s: out of memory", corpus->command);

    return LEARN_EXIT_FAILED;
}


/* true for a client that this batch has enough of */

static int
learn_corpus_crowd(learn_corpus_t *corpus, uint64_t client)
{
    uint32_t  *n;

    if (client == 0) {
        return 0;
    }

    n = &corpus->crowd[(client ^ client >> 16 ^ client >> 32)
                       & (LEARN_CROWD - 1)];

    corpus->ncrowd += (*n == 0);
    (*n)++;

    return *n > LEARN_CLIENT_URLS + corpus->lines / LEARN_CLIENT_PART
           && corpus->ncrowd > LEARN_CLIENT_FEW;
}


static int
learn_corpus_site_url(learn_corpus_t *corpus, learn_site_t *site,
    learn_pick_t *pick, const uint8_t **copy)
{
    int            new;
    learn_kept_t  *kept;

    if (pick->hash >= site->owner.floor) {
        return 1;
    }

    new = learn_corpus_new(corpus, pick->hash);

    if (new != 1) {
        return new == 0;
    }

    if (site->nurls == 2 * LEARN_STORE_RESERVOIR) {
        learn_corpus_cut(corpus, site);
    }

    kept = learn_corpus_alloc(corpus, sizeof(learn_kept_t) + pick->len);

    if (kept == NULL) {
        return 0;
    }

    kept->hash = pick->hash;
    kept->len = pick->len;
    kept->veiled = pick->veiled;
    memcpy(kept->url, pick->url, pick->len);

    kept->next = site->urls;
    site->urls = kept;
    site->nurls++;

    *copy = kept->url;

    return 1;
}


/* more than twice of what will be kept is never at hand */

static void
learn_corpus_cut(learn_corpus_t *corpus, learn_site_t *site)
{
    size_t          n;
    learn_kept_t  **next;

    n = learn_corpus_gather(corpus, site);

    if (n == LEARN_STORE_RESERVOIR) {
        site->owner.floor = corpus->picks[n - 1].hash;
    }

    site->nurls = 0;
    next = &site->urls;

    while (*next != NULL) {
        if ((*next)->hash > site->owner.floor) {
            *next = (*next)->next;
            continue;
        }

        next = &(*next)->next;
        site->nurls++;
    }
}


size_t
learn_corpus_gather(learn_corpus_t *corpus, learn_site_t *site)
{
    size_t         n;
    learn_kept_t  *kept;
    learn_pick_t  *pick;

    n = 0;

    for (kept = site->urls; kept != NULL; kept = kept->next) {
        pick = &corpus->picks[n++];

        pick->hash = kept->hash;
        pick->url = kept->url;
        pick->len = kept->len;
        pick->veiled = (uint16_t) kept->veiled;
        pick->day = corpus->store->today;
    }

    return learn_picks_merge(corpus->picks, corpus->spare, n,
                             LEARN_STORE_RESERVOIR);
}


/* 1 for a URL that this batch has not in a reservoir, -1 without memory */

static int
learn_corpus_new(learn_corpus_t *corpus, uint64_t hash)
{
    size_t  i;

    if (2 * corpus->nseen >= corpus->max_seen && !learn_corpus_grow(corpus)) {
        return -1;
    }

    i = learn_corpus_place(corpus->seen, corpus->max_seen, hash + 1);

    if (corpus->seen[i] != 0) {
        return 0;
    }

    corpus->seen[i] = hash + 1;
    corpus->nseen++;

    return 1;
}


/* where a hash is, or can be put; 0 is none */

static size_t
learn_corpus_place(const uint64_t *seen, size_t size, uint64_t hash)
{
    size_t  i;

    for (i = (hash - 1) & (size - 1); seen[i] != 0 && seen[i] != hash;
         i = (i + 1) & (size - 1))
    {
        /* void */
    }

    return i;
}


static int
learn_corpus_grow(learn_corpus_t *corpus)
{
    size_t     i, size;
    uint64_t  *seen;

    size = 2 * corpus->max_seen;
    seen = calloc(size, sizeof(uint64_t));

    if (seen == NULL) {
        return 0;
    }

    for (i = 0; i < corpus->max_seen; i++) {
        if (corpus->seen[i] != 0) {
            seen[learn_corpus_place(seen, size, corpus->seen[i])]
                = corpus->seen[i];
        }
    }

    free(corpus->seen);

    corpus->seen = seen;
    corpus->max_seen = size;

    return 1;
}


static int
learn_corpus_pattern(learn_corpus_t *corpus, learn_host_t *host,
    size_t nparams, const learn_entry_t *entry, learn_pick_t *pick,
    const uint8_t **copy, int crowded)
{
    size_t          n;
    miqps_str_t     text;
    learn_names_t  *names;

    if (nparams == 0) {
        return 1;
    }

    n = learn_corpus_sort(corpus, nparams, &text);

    if (n > MIQPS_MAX_PATTERN) {
        return 1;
    }

    names = learn_corpus_names(corpus, host, &text, n);

    if (names == NULL) {
        return 0;
    }

    names->hits++;

    if (!learn_corpus_sketch(corpus, &names->urls, pick->hash)
        || !learn_corpus_clients(corpus, names, entry))
    {
        return 0;
    }

    return crowded || learn_corpus_values(corpus, names, nparams, pick, copy);
}


/*
 * Puts the names in order, each once, with "&" between them.  Of parameter
 * "i", corpus->order[i] becomes which of the names it has.
 */

static size_t
learn_corpus_sort(learn_corpus_t *corpus, size_t nparams, miqps_str_t *names)
{
    size_t          i, j, n;
    uint8_t        *p;
    uint16_t       *sorted;
    miqps_param_t  *params, *param;

    params = corpus->work.params;
    sorted = corpus->work.spare;

    for (i = 0; i < nparams; i++) {
        for (j = i; j > 0; j--) {
            if (learn_param_cmp(&params[sorted[j - 1]], &params[i]) <= 0) {
                break;
            }

            sorted[j] = sorted[j - 1];
        }

        sorted[j] = (uint16_t) i;
    }

    p = corpus->names;
    n = 0;

    for (i = 0; i < nparams; i++) {
        param = &params[sorted[i]];

        if (i == 0 || learn_param_cmp(&params[sorted[i - 1]], param) != 0) {

            if (n++ > 0) {
                *p++ = '&';
            }

            memcpy(p, param->name, param->name_len);
            p += param->name_len;
        }

        corpus->order[sorted[i]] = (uint16_t) (n - 1);
    }

    names->data = corpus->names;
    names->len = (size_t) (p - corpus->names);

    return n;
}


static int
learn_param_cmp(const miqps_param_t *a, const miqps_param_t *b)
{
    int     rc;
    size_t  len;

    /* the first bytes of a name that is its family, as a number */

    if (a->key != b->key && !a->special && !b->special) {
        return (a->key < b->key) ? -1 : 1;
    }

    len = (a->name_len < b->name_len) ? a->name_len : b->name_len;
    rc = memcmp(a->name, b->name, len);

    if (rc != 0) {
        return rc;
    }

    return (a->name_len > b->name_len) - (a->name_len < b->name_len);
}


static int
learn_corpus_clients(learn_corpus_t *corpus, learn_names_t *names,
    const learn_entry_t *entry)
{
    uint64_t  hash;

    learn_corpus_day(names, entry->day);

    if (entry->client == 0) {
        return 1;
    }

    hash = learn_store_hash(corpus->store, &entry->client, sizeof(uint64_t));

    return learn_corpus_sketch(corpus, &names->clients, hash);
}


static int
learn_corpus_sketch(learn_corpus_t *corpus, learn_hashes_t *hashes,
    uint64_t hash)
{
    size_t  at;

    return hash >= hashes->floor
           || learn_hashes_add(corpus, hashes, hash, LEARN_SKETCH, &at) != -1;
}


static void
learn_corpus_day(learn_names_t *names, int64_t day)
{
    if (day <= 0) {
        return;
    }

    if (day > names->last_day) {
        names->days = (day - names->last_day < 64)
                      ? names->days << (day - names->last_day) : 0;
        names->last_day = day;
    }

    if (names->last_day - day < 64) {
        names->days |= UINT64_C(1) << (names->last_day - day);
    }
}


static int
learn_corpus_values(learn_corpus_t *corpus, learn_names_t *names,
    size_t nparams, learn_pick_t *pick, const uint8_t **copy)
{
    size_t          i;
    miqps_str_t     value;
    learn_param_t  *param;

    for (i = 0; i < nparams; i++) {
        param = &names->params[corpus->order[i]];
        value = miqps_param_value(&corpus->work.params[i]);
        pick->hash = learn_store_hash(corpus->store, value.data, value.len);

        if (pick->hash < param->picks.hashes.floor
            && !learn_picks_add(corpus, &param->picks, pick, copy))
        {
            return 0;
        }
    }

    return 1;
}


int
learn_picks_add(learn_corpus_t *corpus, learn_picks_t *picks,
    const learn_pick_t *pick, const uint8_t **copy)
{
    int            rc;
    size_t         at, room;
    learn_pick_t  *list;

    room = picks->hashes.room;

    rc = learn_hashes_add(corpus, &picks->hashes, pick->hash,
                          LEARN_STORE_SAMPLE, &at);

    if (rc == -1) {
        return 0;
    }

    /* what was there stays, unless it is veiled and this is not */

    if (rc == 0 && !(picks->list[at].veiled && !pick->veiled)) {
        return 1;
    }

    if (picks->hashes.room > room) {
        list = learn_corpus_alloc(corpus, picks->hashes.room
                                          * sizeof(learn_pick_t));

        if (list == NULL) {
            return 0;
        }

        if (room > 0) {
            memcpy(list, picks->list, room * sizeof(learn_pick_t));
        }

        picks->list = list;
    }

    if (*copy == NULL) {
        *copy = learn_corpus_alloc(corpus, pick->len);

        if (*copy == NULL) {
            return 0;
        }

        memcpy((uint8_t *) *copy, pick->url, pick->len);
    }

    if (rc == 1) {
        memmove(&picks->list[at + 1], &picks->list[at],
                (picks->hashes.n - at - 1) * sizeof(learn_pick_t));
    }

    picks->list[at] = *pick;
    picks->list[at].url = *copy;

    return 1;
}


int
learn_hashes_add(learn_corpus_t *corpus, learn_hashes_t *hashes, uint64_t hash,
    size_t max, size_t *at)
{
    size_t     i, room;
    uint64_t  *list;

    i = learn_sketch_find(hashes->list, hashes->n, hash);
    *at = i;

    if (i < hashes->n && hashes->list[i] == hash) {
        return 0;
    }

    if (hashes->n == hashes->room && hashes->n < max) {
        room = (hashes->room == 0) ? 8 : 2 * hashes->room;
        list = learn_corpus_alloc(corpus, room * sizeof(uint64_t));

        if (list == NULL) {
            return -1;
        }

        if (hashes->n > 0) {
            memcpy(list, hashes->list, hashes->n * sizeof(uint64_t));
        }

        hashes->list = list;
        hashes->room = (uint32_t) room;
    }

    hashes->n += (hashes->n < max);

    memmove(&hashes->list[i + 1], &hashes->list[i],
            (hashes->n - i - 1) * sizeof(uint64_t));

    hashes->list[i] = hash;

    if (hashes->n == max) {
        hashes->floor = hashes->list[max - 1];
    }

    return 1;
}
