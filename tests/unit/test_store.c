
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "learn.h"
#include "store/store.h"


static char  folder[] = "/tmp/miqps-store-XXXXXX";


typedef struct {
    const char  *sentence;
    uint64_t     n;            /* different numbers, each added twice */
    uint64_t     low;          /* of the estimate */
    uint64_t     high;
} sketch_row_t;


static const sketch_row_t  sketch_rows[] = {
    { "counts nothing", 0, 0, 0 },
    { "counts one", 1, 1, 1 },
    { "is exact for few", 127, 127, 127 },
    { "is near for a thousand", 1000, 650, 1350 },
    { "is near for a million", 1000000, 650000, 1350000 }
};


static uint64_t
scatter(uint64_t i)
{
    i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    i = (i ^ i >> 27) * UINT64_C(0x94d049bb133111eb);

    return (i ^ i >> 31) >> 1;
}


static void
sketch_counts(void **state)
{
    uint64_t             i, count;
    learn_sketch_t       sketch;
    const sketch_row_t  *row;

    row = *state;
    sketch.n = 0;

    for (i = 0; i < 2 * row->n; i++) {
        learn_sketch_add(&sketch, scatter(i % row->n));
    }

    for (i = 1; i < sketch.n; i++) {
        assert_true(sketch.hash[i - 1] < sketch.hash[i]);
    }

    count = learn_sketch_count(&sketch);

    assert_in_range(count, row->low, row->high);
}


/* opens a store of this name in the folder */

static learn_store_t *
open_store(const char *name, learn_store_mode_e mode)
{
    char            url[256];
    learn_store_t  *store;

    (void) snprintf(url, sizeof(url), "sqlite:%s/%s", folder, name);

    assert_int_equal(learn_store_open(&store, "test", url, mode),
                     LEARN_EXIT_OK);

    return store;
}


static void
is_private(void **state)
{
    char            path[256];
    struct stat     st;
    learn_store_t  *store;

    (void) state;

    (void) umask(0);
    store = open_store("private", LEARN_STORE_CREATE);

    (void) snprintf(path, sizeof(path), "%s/private", folder);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);

    (void) snprintf(path, sizeof(path), "%s/private-wal", folder);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);

    store->ops->close(store);
}


static void
has_a_key_of_its_own(void **state)
{
    uint64_t        one, again, two;
    learn_store_t  *store;

    (void) state;

    store = open_store("key", LEARN_STORE_CREATE);
    one = learn_store_hash(store, "value", 5);
    store->ops->close(store);

    store = open_store("key", LEARN_STORE_READ);
    again = learn_store_hash(store, "value", 5);
    store->ops->close(store);

    store = open_store("other-key", LEARN_STORE_CREATE);
    two = learn_store_hash(store, "value", 5);
    store->ops->close(store);

    assert_true(one == again);
    assert_true(one != two);
    assert_true(one >> 63 == 0);
}


static void
lets_one_write_and_others_read(void **state)
{
    char            url[256];
    learn_store_t  *one, *two;

    (void) state;

    one = open_store("locked", LEARN_STORE_CREATE);

    (void) snprintf(url, sizeof(url), "sqlite:%s/locked", folder);
    assert_int_equal(learn_store_open(&two, "test", url, LEARN_STORE_CREATE),
                     LEARN_EXIT_LOCKED);
    assert_null(two);

    two = open_store("locked", LEARN_STORE_READ);
    two->ops->close(two);

    one->ops->close(one);

    two = open_store("locked", LEARN_STORE_CHANGE);
    two->ops->close(two);
}


/* true if a text is anywhere in the files of a store */

static int
holds(const char *name, const char *text)
{
    int     found;
    char    path[256], *data;
    FILE   *file;
    size_t  i, k, n;

    static const char *const  parts[] = { "", "-wal" };

    found = 0;

    for (i = 0; i < 2; i++) {
        (void) snprintf(path, sizeof(path), "%s/%s%s", folder, name, parts[i]);
        file = fopen(path, "rb");

        if (file == NULL) {
            continue;
        }

        data = malloc(1 << 24);
        assert_non_null(data);
        n = fread(data, 1, 1 << 24, file);
        assert_true(n < 1 << 24);

        for (k = 0; k + strlen(text) <= n; k++) {
            found |= (memcmp(data + k, text, strlen(text)) == 0);
        }

        free(data);
        (void) fclose(file);
    }

    return found;
}


/* a host with a pattern and a parameter, from scratch or as it was */

static void
make_rows(learn_store_t *store, learn_owner_t *site, int64_t *host,
    learn_pattern_t *pattern, learn_owner_t *param)
{
    miqps_str_t  name;

    name = unit_str("shop.example");
    assert_int_equal(store->ops->site(store, &name, site), LEARN_EXIT_OK);

    name = unit_str("www.shop.example");
    assert_int_equal(store->ops->host(store, site->id, &name, host),
                     LEARN_EXIT_OK);

    name = unit_str("color&id");
    assert_int_equal(store->ops->pattern(store, *host, &name, pattern),
                     LEARN_EXIT_OK);

    param->id = 0;
    name = unit_str("id");
    assert_int_equal(store->ops->sample_add(store, pattern->id, &name, param,
                                            NULL, 0), LEARN_EXIT_OK);
}


/* URLs as they come out of the store */

typedef struct {
    char        text[4096];
    size_t      n;
    uint64_t    last;
} picked_t;


static int
note_pick(const learn_pick_t *pick, void *data)
{
    size_t     len;
    picked_t  *picked;

    picked = data;
    len = strlen(picked->text);

    assert_true(picked->n == 0 || pick->hash > picked->last);

    if (picked->n < 8) {
        (void) snprintf(picked->text + len, sizeof(picked->text) - len,
                        "%s%.*s@%u", pick->veiled ? "*" : "", (int) pick->len,
                        (const char *) pick->url, pick->day);
    }

    picked->last = pick->hash;
    picked->n++;

    return 1;
}


static learn_pick_t
make_pick(uint64_t hash, const char *url, uint16_t day, uint16_t veiled)
{
    learn_pick_t  pick;

    pick.hash = hash;
    pick.url = (const uint8_t *) url;
    pick.len = (uint32_t) strlen(url);
    pick.day = day;
    pick.veiled = veiled;

    return pick;
}


static void
takes_all_of_a_batch_or_nothing(void **state)
{
    int64_t          host;
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("batch", LEARN_STORE_CREATE);

    assert_int_equal(store->ops->begin(store), LEARN_EXIT_OK);
    make_rows(store, &site, &host, &pattern, &param);
    pattern.hits = 7;
    pattern.last_day = 20000;
    pattern.days = 5;
    learn_sketch_add(&pattern.urls, 11);
    learn_sketch_add(&pattern.urls, 9);
    assert_int_equal(store->ops->pattern_save(store, &pattern), LEARN_EXIT_OK);
    assert_int_equal(store->ops->commit(store), LEARN_EXIT_OK);

    assert_int_equal(store->ops->begin(store), LEARN_EXIT_OK);
    pattern.hits = 8;
    assert_int_equal(store->ops->pattern_save(store, &pattern), LEARN_EXIT_OK);
    store->ops->rollback(store);
    store->ops->close(store);

    store = open_store("batch", LEARN_STORE_CHANGE);
    make_rows(store, &site, &host, &pattern, &param);
    assert_int_equal(pattern.hits, 7);
    assert_int_equal(pattern.days, 5);
    assert_int_equal(pattern.last_day, 20000);
    assert_int_equal(pattern.urls.n, 2);
    assert_int_equal(pattern.urls.hash[0], 9);
    assert_int_equal(pattern.clients.n, 0);
    store->ops->close(store);
}


static void
keeps_the_smallest_hashes(void **state)
{
    int64_t          host;
    uint64_t         i;
    picked_t         picked;
    learn_pick_t     picks[LEARN_STORE_SAMPLE];
    learn_owner_t    site, param, again;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("sample", LEARN_STORE_CREATE);
    make_rows(store, &site, &host, &pattern, &param);
    assert_true(param.floor == UINT64_MAX);

    /* the larger half, and then the smaller one, each twice */

    for (i = 0; i < LEARN_STORE_SAMPLE; i++) {
        picks[i] = make_pick(LEARN_STORE_SAMPLE + 1 + i, "http://a/?id=1", 1,
                             0);
    }

    for (i = 0; i < 4; i++) {
        assert_int_equal(store->ops->sample_add(store, pattern.id, NULL,
                                                &param, picks,
                                                LEARN_STORE_SAMPLE),
                         LEARN_EXIT_OK);

        if (i == 1) {
            assert_int_equal(param.floor, 2 * LEARN_STORE_SAMPLE);

            for (i = 0; i < LEARN_STORE_SAMPLE; i++) {
                picks[i].hash -= LEARN_STORE_SAMPLE;
            }

            i = 1;
        }
    }

    assert_int_equal(param.floor, LEARN_STORE_SAMPLE);
    assert_int_equal(param.kept, LEARN_STORE_SAMPLE);

    make_rows(store, &site, &host, &pattern, &again);
    assert_int_equal(again.id, param.id);
    assert_int_equal(again.floor, LEARN_STORE_SAMPLE);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->sample(store, param.id, note_pick, &picked),
                     LEARN_EXIT_OK);
    assert_int_equal(picked.n, LEARN_STORE_SAMPLE);

    store->ops->close(store);
}


static void
keeps_what_is_not_veiled(void **state)
{
    int64_t          host;
    picked_t         picked;
    learn_pick_t     pick;
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("veiled", LEARN_STORE_CREATE);
    make_rows(store, &site, &host, &pattern, &param);

    pick = make_pick(7, "http://a/?id=<x>", 1, 1);
    assert_int_equal(store->ops->sample_add(store, 0, NULL, &param, &pick, 1),
                     LEARN_EXIT_OK);
    assert_int_equal(store->ops->reservoir_add(store, &site, &pick, 1),
                     LEARN_EXIT_OK);

    pick = make_pick(7, "http://a/?id=5", 2, 0);
    assert_int_equal(store->ops->sample_add(store, 0, NULL, &param, &pick, 1),
                     LEARN_EXIT_OK);
    assert_int_equal(store->ops->reservoir_add(store, &site, &pick, 1),
                     LEARN_EXIT_OK);

    pick = make_pick(7, "http://a/?id=<x>", 3, 1);
    assert_int_equal(store->ops->sample_add(store, 0, NULL, &param, &pick, 1),
                     LEARN_EXIT_OK);
    assert_int_equal(store->ops->reservoir_add(store, &site, &pick, 1),
                     LEARN_EXIT_OK);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->sample(store, param.id, note_pick, &picked),
                     LEARN_EXIT_OK);
    assert_string_equal(picked.text, "http://a/?id=5@3");

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->reservoir(store, site.id, note_pick,
                                           &picked), LEARN_EXIT_OK);
    assert_string_equal(picked.text, "http://a/?id=5@3");

    store->ops->close(store);
}


/* several times as many URLs as a reservoir has, in batches */

static void
bounds_a_reservoir(void **state)
{
    size_t           i, n, batch;
    int64_t          host;
    uint64_t         next, *all;
    picked_t         picked;
    learn_pick_t    *picks, *spare;
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    batch = 13000;
    n = 30 * batch;

    store = open_store("reservoir", LEARN_STORE_CREATE);
    assert_int_equal(store->ops->begin(store), LEARN_EXIT_OK);
    make_rows(store, &site, &host, &pattern, &param);

    picks = calloc(batch, sizeof(learn_pick_t));
    spare = calloc(batch, sizeof(learn_pick_t));
    all = calloc(n, sizeof(uint64_t));
    assert_non_null(picks);
    assert_non_null(spare);
    assert_non_null(all);

    for (next = 0; next < n; next += batch) {
        for (i = 0; i < batch; i++) {
            picks[i] = make_pick(scatter(next + i), "http://a/", 1, 0);
            all[next + i] = picks[i].hash;
        }

        i = learn_picks_merge(picks, spare, batch, LEARN_STORE_RESERVOIR);
        assert_int_equal(i, batch);
        assert_int_equal(store->ops->reservoir_add(store, &site, picks, i),
                         LEARN_EXIT_OK);
        assert_true(site.kept < 2 * LEARN_STORE_RESERVOIR);
    }

    assert_int_equal(store->ops->commit(store), LEARN_EXIT_OK);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->reservoir(store, site.id, note_pick,
                                           &picked), LEARN_EXIT_OK);
    assert_int_equal(picked.n, LEARN_STORE_RESERVOIR);

    /* just as many are as small as the largest of them */

    for (i = 0, next = 0; i < n; i++) {
        next += (all[i] <= picked.last);
    }

    assert_int_equal(next, LEARN_STORE_RESERVOIR);

    free(picks);
    free(spare);
    free(all);
    store->ops->close(store);
}


static void
expires_what_is_old(void **state)
{
    int64_t          host;
    uint64_t         gone, days;
    picked_t         picked;
    learn_pick_t     picks[3];
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("old", LEARN_STORE_CREATE);
    make_rows(store, &site, &host, &pattern, &param);

    assert_int_equal(store->ops->retention(store, &days), LEARN_EXIT_OK);
    assert_int_equal(days, LEARN_STORE_RETENTION);
    assert_int_equal(store->ops->retention_save(store, 10), LEARN_EXIT_OK);
    assert_int_equal(store->ops->retention(store, &days), LEARN_EXIT_OK);
    assert_int_equal(days, 10);

    store->today = 1000;
    picks[0] = make_pick(1, "http://a/1", 989, 0);
    picks[1] = make_pick(2, "http://a/2", 990, 0);
    picks[2] = make_pick(3, "http://a/3", 1000, 0);

    assert_int_equal(store->ops->host_add(store, host, 3), LEARN_EXIT_OK);
    assert_int_equal(store->ops->pattern_save(store, &pattern), LEARN_EXIT_OK);
    assert_int_equal(store->ops->sample_add(store, 0, NULL, &param, picks, 3),
                     LEARN_EXIT_OK);
    assert_int_equal(store->ops->reservoir_add(store, &site, picks, 3),
                     LEARN_EXIT_OK);

    assert_int_equal(store->ops->expire(store, &gone), LEARN_EXIT_OK);
    assert_int_equal(gone, 2);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->sample(store, param.id, note_pick, &picked),
                     LEARN_EXIT_OK);
    assert_string_equal(picked.text, "http://a/2@990http://a/3@1000");

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->reservoir(store, site.id, note_pick,
                                           &picked), LEARN_EXIT_OK);
    assert_string_equal(picked.text, "http://a/2@990http://a/3@1000");

    assert_int_equal(store->ops->expire(store, &gone), LEARN_EXIT_OK);
    assert_int_equal(gone, 0);

    store->today = 1011;
    assert_int_equal(store->ops->expire(store, &gone), LEARN_EXIT_OK);
    assert_int_equal(gone, 4);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->sample(store, param.id, note_pick, &picked),
                     LEARN_EXIT_OK);
    assert_int_equal(picked.n, 0);
    assert_false(holds("old", "http://a/"));

    store->ops->close(store);
}


static void
moves_a_host_to_its_site(void **state)
{
    int64_t          host;
    picked_t         picked;
    miqps_str_t      name, to;
    learn_pick_t     picks[2];
    learn_owner_t    site, param, other;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("declared", LEARN_STORE_CREATE);
    make_rows(store, &site, &host, &pattern, &param);

    picks[0] = make_pick(1, "http://www.shop.example:8080/1", 9, 0);
    picks[1] = make_pick(2, "http://m.shop.example/2", 9, 0);
    assert_int_equal(store->ops->reservoir_add(store, &site, picks, 2),
                     LEARN_EXIT_OK);

    name = unit_str("www.shop.example");
    to = unit_str("mirrors");
    assert_int_equal(store->ops->declare(store, &name, &to), LEARN_EXIT_OK);
    assert_int_equal(store->ops->declare(store, &name, &to), LEARN_EXIT_OK);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->reservoir(store, site.id, note_pick,
                                           &picked), LEARN_EXIT_OK);
    assert_string_equal(picked.text, "http://m.shop.example/2@9");

    assert_int_equal(store->ops->site(store, &to, &other), LEARN_EXIT_OK);
    assert_int_equal(other.kept, 1);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->reservoir(store, other.id, note_pick,
                                           &picked), LEARN_EXIT_OK);
    assert_string_equal(picked.text, "http://www.shop.example:8080/1@9");

    store->ops->close(store);
}


/* a store as the first version made it */

static const char  first_schema[] =
    "CREATE TABLE migrations (version INTEGER PRIMARY KEY, at INTEGER);"
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;"
    "CREATE TABLE sites (id INTEGER PRIMARY KEY, name TEXT UNIQUE,"
    " kept INTEGER DEFAULT 0);"
    "CREATE TABLE hosts (id INTEGER PRIMARY KEY, site INTEGER,"
    " name TEXT UNIQUE, hits INTEGER DEFAULT 0, missed INTEGER DEFAULT 0);"
    "CREATE TABLE patterns (id INTEGER PRIMARY KEY, host INTEGER, names TEXT,"
    " hits INTEGER DEFAULT 0, missed INTEGER DEFAULT 0,"
    " urls INTEGER DEFAULT 0, clients INTEGER DEFAULT 0,"
    " days INTEGER DEFAULT 0, day_bits INTEGER DEFAULT 0,"
    " last_day INTEGER DEFAULT 0, url_sketch BLOB, client_sketch BLOB,"
    " UNIQUE (host, names));"
    "CREATE TABLE params (id INTEGER PRIMARY KEY, pattern INTEGER, name TEXT,"
    " kept INTEGER DEFAULT 0, UNIQUE (pattern, name));"
    "CREATE TABLE samples (param INTEGER, hash INTEGER, url TEXT,"
    " PRIMARY KEY (param, hash)) WITHOUT ROWID;"
    "CREATE TABLE reservoir (site INTEGER, hash INTEGER, host INTEGER,"
    " url TEXT, PRIMARY KEY (site, hash)) WITHOUT ROWID;"
    "CREATE TABLE sources (id INTEGER PRIMARY KEY, path TEXT, head INTEGER,"
    " tail INTEGER, head_len INTEGER, offset INTEGER, lines INTEGER,"
    " at INTEGER);"
    "INSERT INTO settings VALUES ('key', zeroblob(192));"
    "INSERT INTO sites VALUES (1, 'shop.example', 2), (2, 'b.example', 1);"
    "INSERT INTO hosts VALUES (1, 1, 'www.shop.example', 2, 0),"
    " (2, 2, 'b.example', 1, 0);"
    "INSERT INTO patterns (id, host, names, hits) VALUES (1, 1, 'color&id', 2);"
    "INSERT INTO params VALUES (1, 1, 'color', 1), (2, 1, 'id', 2);"
    "INSERT INTO samples VALUES (1, 5, 'http://a/5'), (2, 7, 'http://a/7'),"
    " (2, 6, 'http://a/6');"
    "INSERT INTO reservoir VALUES (1, 9, 1, 'http://a/9'),"
    " (1, 8, 1, 'http://a/8'), (2, 3, 2, 'http://b/3');"
    "PRAGMA application_id = 1835626864; PRAGMA user_version = 1";


static void
brings_an_old_store_up_to_date(void **state)
{
    char             path[256], want[64];
    sqlite3         *db;
    int64_t          host;
    picked_t         picked;
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    (void) snprintf(path, sizeof(path), "%s/first", folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, first_schema, NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);

    (void) snprintf(path, sizeof(path), "sqlite:%s/first", folder);
    assert_int_equal(learn_store_open(&store, "test", path, LEARN_STORE_READ),
                     LEARN_EXIT_FAILED);

    store = open_store("first", LEARN_STORE_CHANGE);
    make_rows(store, &site, &host, &pattern, &param);
    assert_int_equal(pattern.hits, 2);
    assert_int_equal(site.kept, 2);
    assert_int_equal(param.kept, 2);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->sample(store, param.id, note_pick, &picked),
                     LEARN_EXIT_OK);
    (void) snprintf(want, sizeof(want), "http://a/6@%uhttp://a/7@%u",
                    store->today, store->today);
    assert_string_equal(picked.text, want);

    memset(&picked, 0, sizeof(picked_t));
    assert_int_equal(store->ops->reservoir(store, site.id, note_pick,
                                           &picked), LEARN_EXIT_OK);
    (void) snprintf(want, sizeof(want), "http://a/8@%uhttp://a/9@%u",
                    store->today, store->today);
    assert_string_equal(picked.text, want);

    store->ops->close(store);
    store = open_store("first", LEARN_STORE_READ);
    store->ops->close(store);
}


static void
forgets_the_rarest_patterns(void **state)
{
    char             text[32];
    int64_t          host;
    uint64_t         i, gone;
    miqps_str_t      names;
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("rare", LEARN_STORE_CREATE);
    assert_int_equal(store->ops->begin(store), LEARN_EXIT_OK);
    make_rows(store, &site, &host, &pattern, &param);
    pattern.hits = 1000;
    learn_sketch_add(&pattern.urls, 1);
    learn_sketch_add(&pattern.urls, 2);
    assert_int_equal(store->ops->pattern_save(store, &pattern), LEARN_EXIT_OK);

    for (i = 0; i < LEARN_STORE_PATTERNS + 9; i++) {
        (void) snprintf(text, sizeof(text), "x%u", (unsigned) i);
        names = unit_str(text);
        assert_int_equal(store->ops->pattern(store, host, &names, &pattern),
                         LEARN_EXIT_OK);
        pattern.hits = 3;
        learn_sketch_add(&pattern.urls, 1);
        assert_int_equal(store->ops->pattern_save(store, &pattern),
                         LEARN_EXIT_OK);
    }

    assert_int_equal(store->ops->trim_host(store, host, &gone),
                     LEARN_EXIT_OK);
    assert_int_equal(gone, 10);
    assert_int_equal(store->ops->trim_host(store, host, &gone),
                     LEARN_EXIT_OK);
    assert_int_equal(gone, 0);

    make_rows(store, &site, &host, &pattern, &param);
    assert_int_equal(pattern.hits, 1000);
    assert_int_equal(pattern.missed, 0);

    names = unit_str("new");
    assert_int_equal(store->ops->pattern(store, host, &names, &pattern),
                     LEARN_EXIT_OK);
    assert_int_equal(pattern.missed, 3);
    assert_int_equal(store->ops->commit(store), LEARN_EXIT_OK);

    store->ops->close(store);
}


static int
last_source(const learn_source_t *source, void *data)
{
    *(learn_source_t *) data = *source;

    return 1;
}


static void
remembers_how_far_a_file_was_read(void **state)
{
    learn_store_t   *store;
    learn_source_t   source, found;

    (void) state;

    store = open_store("sources", LEARN_STORE_CREATE);

    memset(&source, 0, sizeof(learn_source_t));
    memset(&found, 0, sizeof(learn_source_t));

    source.head = 1;
    source.offset = 100;
    assert_int_equal(store->ops->source_save(store, "a", &source),
                     LEARN_EXIT_OK);
    source.offset = 200;
    assert_int_equal(store->ops->source_save(store, "b", &source),
                     LEARN_EXIT_OK);

    assert_int_equal(store->ops->sources(store, last_source, &found),
                     LEARN_EXIT_OK);
    assert_int_equal(found.id, source.id);
    assert_int_equal(found.head, 1);
    assert_int_equal(found.offset, 200);

    store->ops->close(store);
}


static int
count_row(const learn_store_row_t *row, void *data)
{
    (void) row;
    (*(int *) data)++;

    return 1;
}


static void
forgets_a_host(void **state)
{
    int              found, rows;
    int64_t          host;
    miqps_str_t      name;
    learn_pick_t     pick;
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("forget", LEARN_STORE_CREATE);
    make_rows(store, &site, &host, &pattern, &param);
    pick = make_pick(1, "http://www.shop.example/?id=1&color=red", 1, 0);
    assert_int_equal(store->ops->reservoir_add(store, &site, &pick, 1),
                     LEARN_EXIT_OK);

    name = unit_str("other.example");
    assert_int_equal(store->ops->forget(store, &name, &found), LEARN_EXIT_OK);
    assert_false(found);

    name = unit_str("www.shop.example");
    assert_int_equal(store->ops->forget(store, &name, &found), LEARN_EXIT_OK);
    assert_true(found);

    rows = 0;
    assert_int_equal(store->ops->list(store, LEARN_LIST_SITES, 10, count_row,
                                      &rows), LEARN_EXIT_OK);
    assert_int_equal(store->ops->list(store, LEARN_LIST_PATTERNS, 10,
                                      count_row, &rows), LEARN_EXIT_OK);
    assert_int_equal(rows, 0);
    assert_false(holds("forget", "color=red"));

    store->ops->close(store);
}


static void
clean(void)
{
    int    status;
    pid_t  pid;

    pid = fork();

    if (pid == 0) {
        (void) execlp("rm", "rm", "-rf", folder, (char *) NULL);
        _exit(1);
    }

    if (pid > 0) {
        (void) waitpid(pid, &status, 0);
    }
}


int
main(void)
{
    int            rc;
    static unit_t  unit;

    if (mkdtemp(folder) == NULL) {
        return 1;
    }

    unit_rows(&unit, sketch_counts, sketch_rows);
    unit_add(&unit, "is for its owner alone", is_private, NULL);
    unit_add(&unit, "has a key of its own", has_a_key_of_its_own, NULL);
    unit_add(&unit, "lets one write and others read",
             lets_one_write_and_others_read, NULL);
    unit_add(&unit, "takes all of a batch or nothing",
             takes_all_of_a_batch_or_nothing, NULL);
    unit_add(&unit, "keeps the smallest hashes", keeps_the_smallest_hashes,
             NULL);
    unit_add(&unit, "keeps what is not veiled", keeps_what_is_not_veiled,
             NULL);
    unit_add(&unit, "bounds a reservoir", bounds_a_reservoir, NULL);
    unit_add(&unit, "expires what is old, and overwrites it",
             expires_what_is_old, NULL);
    unit_add(&unit, "moves a host to its site", moves_a_host_to_its_site,
             NULL);
    unit_add(&unit, "brings an old store up to date",
             brings_an_old_store_up_to_date, NULL);
    unit_add(&unit, "forgets the rarest patterns",
             forgets_the_rarest_patterns, NULL);
    unit_add(&unit, "remembers how far a file was read",
             remembers_how_far_a_file_was_read, NULL);
    unit_add(&unit, "forgets a host", forgets_a_host, NULL);

    rc = unit_run(&unit, "store");

    clean();

    return rc;
}
