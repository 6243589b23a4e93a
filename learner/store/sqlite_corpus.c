
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


static void  learn_sqlite_sketch_read(sqlite3_stmt *stmt, int i,
    learn_sketch_t *sketch);
static size_t  learn_sqlite_sketch_write(const learn_sketch_t *sketch,
    uint8_t *out);


int
learn_sqlite_site(learn_store_t *store, const miqps_str_t *name,
    learn_owner_t *site)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    rc = learn_sqlite_find(sq, LEARN_SQL_SITE_FIND, LEARN_SQL_SITE_MAKE, name,
                           0, &stmt);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    site->id = sqlite3_column_int64(stmt, 0);
    site->kept = (uint64_t) sqlite3_column_int64(stmt, 1);
    site->runs = (uint64_t) sqlite3_column_int64(stmt, 2);
    site->floor = (uint64_t) sqlite3_column_int64(stmt, 3);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_host(learn_store_t *store, int64_t site, const miqps_str_t *name,
    int64_t *host)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    rc = learn_sqlite_find(sq, LEARN_SQL_HOST_FIND, LEARN_SQL_HOST_MAKE, name,
                           site, &stmt);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    *host = sqlite3_column_int64(stmt, 0);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_pattern(learn_store_t *store, int64_t host,
    const miqps_str_t *names, learn_pattern_t *pattern)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    rc = learn_sqlite_find(sq, LEARN_SQL_PATTERN_FIND, LEARN_SQL_PATTERN_MAKE,
                           names, host, &stmt);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    pattern->id = sqlite3_column_int64(stmt, 0);
    pattern->hits = (uint64_t) sqlite3_column_int64(stmt, 1);
    pattern->missed = (uint64_t) sqlite3_column_int64(stmt, 2);
    pattern->days = (uint64_t) sqlite3_column_int64(stmt, 3);
    pattern->last_day = sqlite3_column_int64(stmt, 4);
    pattern->fresh = (pattern->hits == 0);

    learn_sqlite_sketch_read(stmt, 5, &pattern->urls);
    learn_sqlite_sketch_read(stmt, 6, &pattern->clients);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_host_add(learn_store_t *store, int64_t host, uint64_t hits)
{
    int64_t  args[] = { host, (int64_t) hits, store->today };

    return learn_sqlite_do((learn_sqlite_t *) store, LEARN_SQL_HOST_ADD, args);
}


int
learn_sqlite_site_add(learn_store_t *store, int64_t site, uint64_t hits,
    uint64_t patterns)
{
    int64_t  args[] = { site, store->today, (int64_t) hits,
                        (int64_t) patterns };

    return learn_sqlite_do((learn_sqlite_t *) store, LEARN_SQL_SITE_ADD, args);
}


int
learn_sqlite_pattern_save(learn_store_t *store, const learn_pattern_t *pattern)
{
    size_t           nurls, nclients;
    uint8_t          urls[8 * LEARN_SKETCH], clients[8 * LEARN_SKETCH];
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_PATTERN_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    nurls = learn_sqlite_sketch_write(&pattern->urls, urls);
    nclients = learn_sqlite_sketch_write(&pattern->clients, clients);

    (void) sqlite3_bind_int64(stmt, 1, pattern->id);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) pattern->hits);
    (void) sqlite3_bind_int64(stmt, 3,
                              (int64_t) learn_sketch_count(&pattern->urls));
    (void) sqlite3_bind_int64(stmt, 4,
                              (int64_t) learn_sketch_count(&pattern->clients));
    (void) sqlite3_bind_int64(stmt, 5, __builtin_popcountll(pattern->days));
    (void) sqlite3_bind_int64(stmt, 6, (int64_t) pattern->days);
    (void) sqlite3_bind_int64(stmt, 7, pattern->last_day);
    (void) sqlite3_bind_blob(stmt, 8, urls, (int) nurls, SQLITE_STATIC);
    (void) sqlite3_bind_blob(stmt, 9, clients, (int) nclients, SQLITE_STATIC);
    (void) sqlite3_bind_int64(stmt, 10, store->today);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_trim_host(learn_store_t *store, int64_t host, uint64_t *gone)
{
    static const learn_sql_e  steps[] = {
        LEARN_SQL_RARE_MISSED,
        LEARN_SQL_RARE_PARAMS,
        LEARN_SQL_RARE_PATTERNS
    };

    int              rc;
    size_t           i;
    int64_t          n;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    n = 0;
    *gone = 0;

    rc = learn_sqlite_get(sq, LEARN_SQL_HOST_PATTERNS, host, &n);

    if (rc != LEARN_EXIT_OK || n <= LEARN_STORE_PATTERNS) {
        return rc;
    }

    n -= LEARN_STORE_PATTERNS;
    *gone = (uint64_t) n;

    for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        rc = learn_sqlite_do(sq, steps[i], (int64_t []) { host, n });

        if (rc != LEARN_EXIT_OK) {
            break;
        }
    }

    return rc;
}


static void
learn_sqlite_sketch_read(sqlite3_stmt *stmt, int i, learn_sketch_t *sketch)
{
    int             j, len;
    size_t          k;
    uint64_t        hash;
    const uint8_t  *p;

    sketch->n = 0;

    p = sqlite3_column_blob(stmt, i);
    len = sqlite3_column_bytes(stmt, i);

    /* added one by one, so that no order in the file has to be trusted */

    for (k = 0; k + 8 <= (size_t) len && k < 8 * LEARN_SKETCH; k += 8) {
        hash = 0;

        for (j = 7; j >= 0; j--) {
            hash = hash << 8 | p[k + (size_t) j];
        }

        learn_sketch_add(sketch, hash);
    }
}


static size_t
learn_sqlite_sketch_write(const learn_sketch_t *sketch, uint8_t *out)
{
    size_t  i, j;

    for (i = 0; i < sketch->n; i++) {
        for (j = 0; j < 8; j++) {
            *out++ = (uint8_t) (sketch->hash[i] >> (8 * j));
        }
    }

    return 8 * sketch->n;
}
