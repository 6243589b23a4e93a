
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corpus/veil.h"
#include "ingest/feed.h"
#include "learn.h"
#include "miqps_url.h"


/*
 * Files of all formats, the first byte says of which, on their way into a
 * store that looks at what it is given: URLs in order of their hashes, each
 * with a host, and nothing in them that no URL has but what veils a value.
 */

#define MAX_LEN  (64 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static learn_corpus_t      *corpus;
static learn_store_t        store;
static learn_log_format_t   combined, custom;


/* --- instead of message.c: what is wrong with a file interests nobody */

void
learn_complain(const char *format, ...)
{
    (void) format;
}


void
learn_put_safe(const uint8_t *data, size_t len, FILE *out)
{
    (void) data;
    (void) len;
    (void) out;
}


int
learn_usage_error(const char *command, const char *option)
{
    (void) command;
    (void) option;

    return LEARN_EXIT_USAGE;
}


int
learn_output_ok(void)
{
    return 1;
}


/* --- the store */

static void
look_at(const learn_pick_t *pick)
{
    size_t       i, n;
    unsigned     open;
    uint8_t      filled[LEARN_PICK_MAX];
    miqps_str_t  url, host;

    open = 0;

    for (i = 0; i < pick->len; i++) {

        if (pick->url[i] == LEARN_VEIL_BEGIN) {
            require(pick->veiled && !open);
            open = 1;
            continue;
        }

        if (pick->url[i] == LEARN_VEIL_END) {
            require(open);
            open = 0;
            continue;
        }

        require(pick->url[i] > ' ' && pick->url[i] != 0x7f);
    }

    require(!open);

    host = learn_store_url_host(pick);
    require(host.len > 0 && learn_corpus_host_ok(&host));

    url.data = pick->url;
    url.len = pick->len;
    n = learn_veil_fill(&url, 1, filled);
    require(n <= pick->len && (pick->veiled ? n < pick->len : n == pick->len));
}


static void
look_at_all(const learn_pick_t *picks, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        require(i == 0 || picks[i].hash > picks[i - 1].hash);
        look_at(&picks[i]);
    }
}


static int
done(learn_store_t *s)
{
    (void) s;

    return LEARN_EXIT_OK;
}


static void
undone(learn_store_t *s)
{
    (void) s;
    require(0);
}


static int
site(learn_store_t *s, const miqps_str_t *name, learn_owner_t *owner)
{
    (void) s;
    require(name->len > 0);

    owner->id = 1;
    owner->floor = INT64_MAX;

    return LEARN_EXIT_OK;
}


static int
host(learn_store_t *s, int64_t id, const miqps_str_t *name, int64_t *to)
{
    (void) s;
    require(id == 1 && learn_corpus_host_ok(name));
    *to = 1;

    return LEARN_EXIT_OK;
}


static int
pattern(learn_store_t *s, int64_t id, const miqps_str_t *names,
    learn_pattern_t *row)
{
    (void) s;
    (void) id;
    (void) names;

    memset(row, 0, sizeof(learn_pattern_t));
    row->id = 1;

    return LEARN_EXIT_OK;
}


static int
add(learn_store_t *s, int64_t id, uint64_t hits)
{
    (void) s;
    (void) id;
    require(hits > 0);

    return LEARN_EXIT_OK;
}


static int
grow(learn_store_t *s, int64_t id, uint64_t hits, uint64_t patterns)
{
    (void) patterns;

    return add(s, id, hits);
}


static int
pattern_save(learn_store_t *s, const learn_pattern_t *row)
{
    (void) s;
    require(row->hits > 0 && row->urls.n > 0);

    return LEARN_EXIT_OK;
}


static int
reservoir_add(learn_store_t *s, learn_owner_t *owner,
    const learn_pick_t *picks, size_t n)
{
    (void) s;
    (void) owner;
    look_at_all(picks, n);

    return LEARN_EXIT_OK;
}


static int
sample_add(learn_store_t *s, int64_t id, const miqps_str_t *name,
    learn_owner_t *owner, const learn_pick_t *picks, size_t n)
{
    (void) s;
    (void) id;
    (void) name;
    look_at_all(picks, n);
    owner->id = 1;
    owner->floor = UINT64_MAX;

    return LEARN_EXIT_OK;
}


static int
trim(learn_store_t *s, int64_t id, uint64_t *gone)
{
    (void) s;
    (void) id;

    /* so that memory starts from nothing */

    *gone = 1;

    return LEARN_EXIT_OK;
}


static int
sources(learn_store_t *s, learn_store_source_pt each, void *data)
{
    (void) s;
    (void) each;
    (void) data;

    return LEARN_EXIT_OK;
}


static int
source_save(learn_store_t *s, const char *path, learn_source_t *source)
{
    (void) s;
    (void) path;
    source->id = 1;

    return LEARN_EXIT_OK;
}


static int
declared(learn_store_t *s, learn_store_declared_pt each, void *data)
{
    (void) s;
    (void) each;
    (void) data;

    return LEARN_EXIT_OK;
}


static int
shared_read(learn_store_t *s, size_t page, void *data, size_t len)
{
    (void) s;
    (void) page;
    memset(data, 0, len);

    return LEARN_EXIT_OK;
}


static int
shared_save(learn_store_t *s, size_t page, const void *data, size_t len)
{
    (void) s;
    (void) page;
    (void) data;
    (void) len;

    return LEARN_EXIT_OK;
}


static const learn_store_ops_t  ops = {
    .begin = done,
    .commit = done,
    .rollback = undone,
    .site = site,
    .host = host,
    .pattern = pattern,
    .host_add = add,
    .site_add = grow,
    .pattern_save = pattern_save,
    .reservoir_add = reservoir_add,
    .sample_add = sample_add,
    .trim_host = trim,
    .sources = sources,
    .source_save = source_save,
    .declared = declared,
    .shared_read = shared_read,
    .shared_save = shared_save
};


/* --- a file */

static void
prepare(void)
{
    store.ops = &ops;
    store.today = 20774;

    corpus = malloc(sizeof(learn_corpus_t));
    require(corpus != NULL);
    require(learn_corpus_init(corpus, &store, "fuzz") == LEARN_EXIT_OK);

    corpus->host.data = (const uint8_t *) "a.example";
    corpus->host.len = 9;

    require(learn_log_format_init(&combined, LEARN_LOG_COMBINED) == NULL);
    require(learn_log_format_init(&custom, "<$remote_addr|$time_iso8601|"
                                           "$host|$request_uri>") == NULL);
}


static void
read_all(const char *path, learn_format_e format)
{
    int             got, rc;
    learn_feed_t   *feed;
    learn_line_e    what;
    learn_entry_t   entry;

    feed = malloc(sizeof(learn_feed_t));
    require(feed != NULL);

    rc = learn_feed_init(feed, &store, "fuzz", path, format,
                         (format == LEARN_FORMAT_LOG) ? &custom : &combined);

    while (rc == LEARN_EXIT_OK) {
        got = learn_feed_next(feed, &entry, &what);

        if (got <= 0) {
            break;
        }

        require(what < LEARN_LINE_MAX);

        if (what == LEARN_LINE_TAKEN) {
            require(learn_corpus_add(corpus, &entry) == LEARN_EXIT_OK);
        }
    }

    require(learn_corpus_flush(corpus, path,
                               (rc == LEARN_EXIT_OK)
                               ? learn_reader_source(&feed->reader) : NULL)
            == LEARN_EXIT_OK);

    learn_feed_release(feed);
    free(feed);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int   fd;
    char  path[64];

    if (size == 0 || size > MAX_LEN) {
        return 0;
    }

    if (corpus == NULL) {
        prepare();
    }

    fd = memfd_create("input", 0);
    require(fd != -1);
    require(write(fd, data + 1, size - 1) == (ssize_t) size - 1);
    (void) snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);

    read_all(path, (learn_format_e) (data[0] % LEARN_FORMAT_MAX));

    require(close(fd) == 0);

    return 0;
}
