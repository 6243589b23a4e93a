
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <arpa/inet.h>
#include <stdlib.h>

#include "corpus.h"


static int  learn_table_room(learn_table_t *table,
    uint64_t (*hash)(const void *entry));
static uint64_t  learn_site_hash(const void *entry);
static uint64_t  learn_host_hash(const void *entry);
static uint64_t  learn_names_hash(const void *entry);
static void  learn_corpus_site_name(learn_corpus_t *corpus, const char *host,
    miqps_str_t *site);
static learn_site_t  *learn_corpus_site(learn_corpus_t *corpus,
    const char *host);
static int  learn_corpus_is_address(const char *host);
static void  *learn_cache_alloc(learn_corpus_t *corpus, size_t size);
static int  learn_cache_copy(learn_corpus_t *corpus, miqps_str_t *to,
    const miqps_str_t *from);
static void  learn_corpus_params(learn_names_t *names);


learn_host_t *
learn_corpus_host(learn_corpus_t *corpus, const miqps_str_t *name)
{
    char           text[MIQPS_MAX_HOST + 1];
    size_t         i;
    uint64_t       hash;
    learn_host_t  *host;

    if (!learn_table_room(&corpus->hosts, learn_host_hash)) {
        return NULL;
    }

    hash = learn_store_hash(corpus->store, name->data, name->len);

    for (i = hash; /* void */ ; i++) {
        i &= corpus->hosts.size - 1;
        host = corpus->hosts.slots[i];

        if (host == NULL) {
            break;
        }

        if (host->hash == hash && miqps_str_eq(&host->name, name)) {
            return host;
        }
    }

    host = learn_cache_alloc(corpus, sizeof(learn_host_t));

    if (host == NULL || !learn_cache_copy(corpus, &host->name, name)) {
        return NULL;
    }

    memcpy(text, name->data, name->len);
    text[name->len] = '\0';

    host->hash = hash;
    host->site = learn_corpus_site(corpus, text);

    if (host->site == NULL) {
        return NULL;
    }

    host->next = corpus->all_hosts;
    corpus->all_hosts = host;
    corpus->hosts.slots[i] = host;
    corpus->hosts.used++;

    return host;
}


learn_names_t *
learn_corpus_names(learn_corpus_t *corpus, learn_host_t *host,
    const miqps_str_t *text, size_t n)
{
    size_t          i;
    uint64_t        hash;
    learn_names_t  *names;

    if (!learn_table_room(&corpus->patterns, learn_names_hash)) {
        return NULL;
    }

    hash = learn_store_hash(corpus->store, text->data, text->len)
           ^ host->hash * UINT64_C(0x9e3779b97f4a7c15);

    for (i = hash; /* void */ ; i++) {
        i &= corpus->patterns.size - 1;
        names = corpus->patterns.slots[i];

        if (names == NULL) {
            break;
        }

        if (names->hash == hash && names->host == host
            && miqps_str_eq(&names->names, text))
        {
            return names;
        }
    }

    names = learn_cache_alloc(corpus, sizeof(learn_names_t)
                                      + n * sizeof(learn_param_t));

    if (names == NULL || !learn_cache_copy(corpus, &names->names, text)) {
        return NULL;
    }

    names->hash = hash;
    names->host = host;
    names->nparams = (uint32_t) n;
    names->urls.floor = UINT64_MAX;
    names->clients.floor = UINT64_MAX;

    learn_corpus_params(names);

    host->fresh = 1;

    names->next = corpus->all_names;
    corpus->all_names = names;
    corpus->patterns.slots[i] = names;
    corpus->patterns.used++;

    return names;
}


/* the names one by one; they are part of names->names */

static void
learn_corpus_params(learn_names_t *names)
{
    size_t          i;
    const uint8_t  *p, *end, *last;

    p = names->names.data;
    last = p + names->names.len;

    for (i = 0; i < names->nparams; i++) {
        end = memchr(p, '&', (size_t) (last - p));

        if (end == NULL) {
            end = last;
        }

        names->params[i].name.data = p;
        names->params[i].name.len = (size_t) (end - p);
        names->params[i].owner.floor = UINT64_MAX;
        names->params[i].picks.hashes.floor = UINT64_MAX;

        p = (end < last) ? end + 1 : last;
    }
}


/*
 * What was declared, or the registrable domain.  Where there is none, in
 * addresses and in names that no registry gave, the host is a site of its own.
 */

static void
learn_corpus_site_name(learn_corpus_t *corpus, const char *host,
    miqps_str_t *site)
{
    const char              *name;
    const learn_declared_t  *one;

    site->data = (const uint8_t *) host;
    site->len = strlen(host);

    for (one = corpus->declared; one != NULL; one = one->next) {
        if (miqps_str_eq(&one->host, site)) {
            *site = one->site;
            return;
        }
    }

    name = learn_corpus_is_address(host)
           ? NULL : psl_registrable_domain(corpus->psl, host);

    if (name != NULL) {
        site->data = (const uint8_t *) name;
        site->len = strlen(name);
    }
}


static learn_site_t *
learn_corpus_site(learn_corpus_t *corpus, const char *host)
{
    size_t         i;
    uint64_t       hash;
    miqps_str_t    text;
    learn_site_t  *site;

    learn_corpus_site_name(corpus, host, &text);

    if (!learn_table_room(&corpus->sites, learn_site_hash)) {
        return NULL;
    }

    hash = learn_store_hash(corpus->store, text.data, text.len);

    for (i = hash; /* void */ ; i++) {
        i &= corpus->sites.size - 1;
        site = corpus->sites.slots[i];

        if (site == NULL) {
            break;
        }

        if (site->hash == hash && miqps_str_eq(&site->name, &text)) {
            return site;
        }
    }

    site = learn_cache_alloc(corpus, sizeof(learn_site_t));

    if (site == NULL || !learn_cache_copy(corpus, &site->name, &text)) {
        return NULL;
    }

    site->hash = hash;
    site->owner.floor = UINT64_MAX;

    site->next = corpus->all_sites;
    corpus->all_sites = site;
    corpus->sites.slots[i] = site;
    corpus->sites.used++;

    return site;
}


static int
learn_corpus_is_address(const char *host)
{
    struct in_addr  addr;

    return host[0] == '[' || inet_pton(AF_INET, host, &addr) == 1;
}


void
learn_corpus_clear(learn_corpus_t *corpus)
{
    learn_arena_clear(&corpus->cache);

    free(corpus->sites.slots);
    free(corpus->hosts.slots);
    free(corpus->patterns.slots);

    memset(&corpus->sites, 0, sizeof(learn_table_t));
    memset(&corpus->hosts, 0, sizeof(learn_table_t));
    memset(&corpus->patterns, 0, sizeof(learn_table_t));

    corpus->cached = 0;
    corpus->all_sites = NULL;
    corpus->all_hosts = NULL;
    corpus->all_names = NULL;
}


/* for one more */

static int
learn_table_room(learn_table_t *table, uint64_t (*hash)(const void *entry))
{
    void    **slots;
    size_t    i, j, size;

    if (table->used * 2 < table->size) {
        return 1;
    }

    size = (table->size == 0) ? 1024 : 2 * table->size;
    slots = calloc(size, sizeof(void *));

    if (slots == NULL) {
        return 0;
    }

    for (i = 0; i < table->size; i++) {
        if (table->slots[i] == NULL) {
            continue;
        }

        j = hash(table->slots[i]) & (size - 1);

        while (slots[j] != NULL) {
            j = (j + 1) & (size - 1);
        }

        slots[j] = table->slots[i];
    }

    free(table->slots);

    table->slots = slots;
    table->size = size;

    return 1;
}


static uint64_t
learn_site_hash(const void *entry)
{
    return ((const learn_site_t *) entry)->hash;
}


static uint64_t
learn_host_hash(const void *entry)
{
    return ((const learn_host_t *) entry)->hash;
}


static uint64_t
learn_names_hash(const void *entry)
{
    return ((const learn_names_t *) entry)->hash;
}


static void *
learn_cache_alloc(learn_corpus_t *corpus, size_t size)
{
    corpus->cached += size + sizeof(max_align_t);

    return learn_arena_alloc(&corpus->cache, size);
}


static int
learn_cache_copy(learn_corpus_t *corpus, miqps_str_t *to,
    const miqps_str_t *from)
{
    uint8_t  *p;

    p = learn_cache_alloc(corpus, from->len + 1);

    if (p == NULL) {
        return 0;
    }

    memcpy(p, from->data, from->len);

    to->data = p;
    to->len = from->len;

    return 1;
}
