
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "corpus.h"
#include "learn.h"


/* limits of a batch */

#define LEARN_BATCH_LINES  1000000
#define LEARN_BATCH_URLS   300000
#define LEARN_BATCH_BYTES  (48 * 1024 * 1024)


static int  learn_corpus_site_url(learn_corpus_t *corpus, learn_host_t *host,
    uint64_t hash, const miqps_str_t *url, const uint8_t **copy);
static int  learn_corpus_new(learn_corpus_t *corpus, uint64_t hash);
static int  learn_corpus_pattern(learn_corpus_t *corpus, learn_host_t *host,
    size_t nparams, const learn_visit_t *visit, uint64_t hash,
    const miqps_str_t *url, const uint8_t **copy);
static size_t  learn_corpus_sort(learn_corpus_t *corpus, size_t nparams,
    miqps_str_t *names);
static int  learn_param_cmp(const miqps_param_t *a, const miqps_param_t *b);
static int  learn_corpus_values(learn_corpus_t *corpus, learn_names_t *names,
    size_t nparams, const miqps_str_t *url, const uint8_t **copy);
static void  learn_corpus_day(learn_names_t *names, int64_t day);


int
learn_corpus_init(learn_corpus_t *corpus, learn_store_t *store,
    const char *command)
{
    memset(corpus, 0, sizeof(learn_corpus_t));

    corpus->store = store;
    corpus->command = command;
    corpus->max_lines = LEARN_BATCH_LINES;

    learn_arena_init(&corpus->cache);
    learn_arena_init(&corpus->batch);
    learn_rules_options_init(&corpus->rules);

    corpus->psl = psl_latest(NULL);
    corpus->buf = malloc(miqps_normalize_bound(LEARN_CORPUS_MAX_URL));
    corpus->seen = calloc(LEARN_SEEN_SIZE, sizeof(uint64_t));

    if (corpus->psl == NULL || corpus->buf == NULL || corpus->seen == NULL) {
        learn_complain("%s: out of memory, or no list of public suffixes",
                       command);
        return LEARN_EXIT_FAILED;
    }

    return learn_rules_options_compile(&corpus->rules);
}


void
learn_corpus_release(learn_corpus_t *corpus)
{
    learn_corpus_clear(corpus);
    learn_arena_release(&corpus->cache);
    learn_arena_release(&corpus->batch);
    learn_rules_options_release(&corpus->rules);

    if (corpus->psl != NULL) {
        psl_free(corpus->psl);
    }

    free(corpus->buf);
    free(corpus->seen);
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
    corpus->pending += size + sizeof(max_align_t);

    return learn_arena_alloc(&corpus->batch, size);
}


void
learn_corpus_skip(learn_corpus_t *corpus, learn_line_e why)
{
    corpus->lines++;
    corpus->counts[why]++;
}


int
learn_corpus_add(learn_corpus_t *corpus, const miqps_str_t *line,
    const learn_visit_t *visit)
{
    size_t           nparams;
    uint8_t          text[MIQPS_MAX_HOST];
    uint64_t         hash;
    miqps_str_t      url;
    learn_host_t    *host;
    learn_line_e     what;
    const uint8_t   *copy;
    miqps_request_t  req;

    what = learn_corpus_parse(corpus, line, &req, text, &nparams, &url);

    corpus->lines++;
    corpus->counts[what]++;

    if (what != LEARN_LINE_TAKEN) {
        return LEARN_EXIT_OK;
    }

    if (visit->client != 0) {
        learn_corpus_veil(corpus, &url);
    }

    hash = learn_store_hash(corpus->store, url.data, url.len);
    copy = NULL;
    host = learn_corpus_host(corpus, &req.host);

    if (host != NULL
        && learn_corpus_site_url(corpus, host, hash, &url, &copy)
        && learn_corpus_pattern(corpus, host, nparams, visit, hash, &url,
                                &copy))
    {
        host->hits++;
        return LEARN_EXIT_OK;
    }

    learn_complain("%s: out of memory", corpus->command);

    return LEARN_EXIT_FAILED;
}


static int
learn_corpus_site_url(learn_corpus_t *corpus, learn_host_t *host,
    uint64_t hash, const miqps_str_t *url, const uint8_t **copy)
{
    size_t             room;
    learn_site_t      *site;
    learn_site_url_t  *list;

    site = host->site;

    if (hash >= site->owner.floor || !learn_corpus_new(corpus, hash)) {
        return 1;
    }

    if (site->nurls == site->room) {
        room = (site->room == 0) ? 16 : 2 * site->room;
        list = learn_corpus_alloc(corpus, room * sizeof(learn_site_url_t));

        if (list == NULL) {
            return 0;
        }

        if (site->nurls > 0) {
            memcpy(list, site->urls, site->nurls * sizeof(learn_site_url_t));
        }

        site->urls = list;
        site->room = room;
    }

    *copy = learn_corpus_alloc(corpus, url->len);

    if (*copy == NULL) {
        return 0;
    }

    memcpy((uint8_t *) *copy, url->data, url->len);

    list = &site->urls[site->nurls++];
    list->host = host;
    list->pick.hash = hash;
    list->pick.url = *copy;
    list->pick.len = (uint32_t) url->len;

    return 1;
}


/* true for a URL that this batch has not in a reservoir; 0 marks no place */

static int
learn_corpus_new(learn_corpus_t *corpus, uint64_t hash)
{
    size_t  i;

    for (i = hash & (LEARN_SEEN_SIZE - 1); corpus->seen[i] != 0;
         i = (i + 1) & (LEARN_SEEN_SIZE - 1))
    {
        if (corpus->seen[i] == hash + 1) {
            return 0;
        }
    }

    corpus->seen[i] = hash + 1;
    corpus->nseen++;

    return 1;
}


static int
learn_corpus_pattern(learn_corpus_t *corpus, learn_host_t *host,
    size_t nparams, const learn_visit_t *visit, uint64_t hash,
    const miqps_str_t *url, const uint8_t **copy)
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

    if (hash < names->urls.floor
        && !learn_picks_add(corpus, &names->urls, LEARN_SKETCH, hash, NULL,
                            NULL))
    {
        return 0;
    }

    if (visit->client != 0 && visit->client < names->clients.floor
        && !learn_picks_add(corpus, &names->clients, LEARN_SKETCH,
                            visit->client, NULL, NULL))
    {
        return 0;
    }

    learn_corpus_day(names, visit->day);

    return learn_corpus_values(corpus, names, nparams, url, copy);
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

    len = (a->name_len < b->name_len) ? a->name_len : b->name_len;
    rc = memcmp(a->name, b->name, len);

    if (rc != 0) {
        return rc;
    }

    return (a->name_len > b->name_len) - (a->name_len < b->name_len);
}


static int
learn_corpus_values(learn_corpus_t *corpus, learn_names_t *names,
    size_t nparams, const miqps_str_t *url, const uint8_t **copy)
{
    size_t          i;
    uint64_t        hash;
    miqps_str_t     value;
    learn_param_t  *param;

    for (i = 0; i < nparams; i++) {
        param = &names->params[corpus->order[i]];
        value = miqps_param_value(&corpus->work.params[i]);
        hash = learn_store_hash(corpus->store, value.data, value.len);

        if (hash < param->picks.floor
            && !learn_picks_add(corpus, &param->picks, LEARN_STORE_SAMPLE,
                                hash, url, copy))
        {
            return 0;
        }
    }

    return 1;
}


int
learn_picks_add(learn_corpus_t *corpus, learn_picks_t *picks, size_t max,
    uint64_t hash, const miqps_str_t *url, const uint8_t **copy)
{
    size_t         i, room;
    learn_pick_t  *list;

    for (i = picks->n; i > 0 && picks->list[i - 1].hash >= hash; i--) {
        if (picks->list[i - 1].hash == hash) {
            return 1;
        }
    }

    if (picks->n == picks->room && picks->n < max) {
        room = (picks->room == 0) ? 4 : 2 * picks->room;
        list = learn_corpus_alloc(corpus, room * sizeof(learn_pick_t));

        if (list == NULL) {
            return 0;
        }

        if (picks->n > 0) {
            memcpy(list, picks->list, picks->n * sizeof(learn_pick_t));
        }

        picks->list = list;
        picks->room = (uint32_t) room;
    }

    if (url != NULL && *copy == NULL) {
        *copy = learn_corpus_alloc(corpus, url->len);

        if (*copy == NULL) {
            return 0;
        }

        memcpy((uint8_t *) *copy, url->data, url->len);
    }

    if (picks->n < max) {
        picks->n++;
    }

    memmove(&picks->list[i + 1], &picks->list[i],
            (picks->n - i - 1) * sizeof(learn_pick_t));

    picks->list[i].hash = hash;
    picks->list[i].url = (url != NULL) ? *copy : NULL;
    picks->list[i].len = (url != NULL) ? (uint32_t) url->len : 0;

    if (picks->n == max && picks->list[max - 1].hash < picks->floor) {
        picks->floor = picks->list[max - 1].hash;
    }

    return 1;
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
