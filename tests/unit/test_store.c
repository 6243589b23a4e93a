
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

    name = unit_str("id");
    assert_int_equal(store->ops->param(store, pattern->id, &name, param),
                     LEARN_EXIT_OK);
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
    miqps_str_t      url;
    learn_owner_t    site, param, again;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("sample", LEARN_STORE_CREATE);
    make_rows(store, &site, &host, &pattern, &param);
    assert_true(param.floor == UINT64_MAX);

    url = unit_str("http://www.shop.example/?id=1&color=red");

    for (i = 2 * LEARN_STORE_SAMPLE; i > 0; i--) {
        assert_int_equal(store->ops->keep(store, LEARN_KEEP_PARAM, param.id,
                                          host, i, &url), LEARN_EXIT_OK);

        /* once more: there it is already */

        assert_int_equal(store->ops->keep(store, LEARN_KEEP_PARAM, param.id,
                                          host, i, &url), LEARN_EXIT_OK);

        if (i % 50 == 0) {
            assert_int_equal(store->ops->trim(store, LEARN_KEEP_PARAM,
                                              &param), LEARN_EXIT_OK);
        }
    }

    assert_int_equal(store->ops->trim(store, LEARN_KEEP_PARAM, &param),
                     LEARN_EXIT_OK);
    assert_int_equal(param.floor, LEARN_STORE_SAMPLE);

    make_rows(store, &site, &host, &pattern, &again);
    assert_int_equal(again.id, param.id);
    assert_int_equal(again.floor, LEARN_STORE_SAMPLE);

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
    miqps_str_t      name, url;
    learn_owner_t    site, param;
    learn_store_t   *store;
    learn_pattern_t  pattern;

    (void) state;

    store = open_store("forget", LEARN_STORE_CREATE);
    make_rows(store, &site, &host, &pattern, &param);
    url = unit_str("http://www.shop.example/?id=1&color=red");
    assert_int_equal(store->ops->keep(store, LEARN_KEEP_SITE, site.id, host,
                                      1, &url), LEARN_EXIT_OK);
    assert_int_equal(store->ops->trim(store, LEARN_KEEP_SITE, &site),
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
    unit_add(&unit, "forgets the rarest patterns",
             forgets_the_rarest_patterns, NULL);
    unit_add(&unit, "remembers how far a file was read",
             remembers_how_far_a_file_was_read, NULL);
    unit_add(&unit, "forgets a host", forgets_a_host, NULL);

    rc = unit_run(&unit, "store");

    clean();

    return rc;
}
