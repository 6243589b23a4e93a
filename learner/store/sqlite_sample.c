
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


static int  learn_sqlite_sample_read(learn_sqlite_t *sq, int64_t pattern,
    const miqps_str_t *name, int64_t *id, learn_pick_t *picks, size_t *n);
static int  learn_sqlite_sample_same(const learn_pick_t *a,
    const learn_pick_t *b, size_t n);


int
learn_sqlite_sample_add(learn_store_t *store, int64_t pattern,
    const miqps_str_t *name, learn_owner_t *param, const learn_pick_t *picks,
    size_t n)
{
    int              rc;
    size_t           had, i;
    learn_pick_t     before[LEARN_STORE_SAMPLE];
    learn_pick_t     all[2 * LEARN_STORE_SAMPLE], spare[2 * LEARN_STORE_SAMPLE];
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    rc = learn_sqlite_sample_read(sq, pattern, name, &param->id, before,
                                  &had);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    memcpy(all, before, had * sizeof(learn_pick_t));

    for (i = 0; i < n && i < LEARN_STORE_SAMPLE; i++) {
        all[had + i] = picks[i];
    }

    n = learn_picks_merge(all, spare, had + i, LEARN_STORE_SAMPLE);

    if (n != had || !learn_sqlite_sample_same(all, before, n)) {
        rc = learn_sqlite_sample_save(sq, param->id, all, n);
    }

    param->kept = n;
    param->floor = (n == LEARN_STORE_SAMPLE) ? all[n - 1].hash : UINT64_MAX;

    return rc;
}


static int
learn_sqlite_sample_same(const learn_pick_t *a, const learn_pick_t *b,
    size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (a[i].hash != b[i].hash || a[i].day != b[i].day
            || a[i].veiled != b[i].veiled)
        {
            return 0;
        }
    }

    return 1;
}


/* by "*id", or if that is 0 by its name; "picks" has room for a sample */

static int
learn_sqlite_sample_read(learn_sqlite_t *sq, int64_t pattern,
    const miqps_str_t *name, int64_t *id, learn_pick_t *picks, size_t *n)
{
    int            rc;
    size_t         len;
    uint8_t       *data;
    learn_pick_t  *all;
    sqlite3_stmt  *stmt;

    learn_arena_clear(&sq->scratch);

    if (*id == 0) {
        rc = learn_sqlite_find(sq, LEARN_SQL_PARAM_FIND, LEARN_SQL_PARAM_MAKE,
                               name, pattern, &stmt);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        *id = sqlite3_column_int64(stmt, 0);

    } else {
        stmt = learn_sqlite_use(sq, LEARN_SQL_PARAM_READ);

        if (stmt == NULL) {
            return LEARN_EXIT_FAILED;
        }

        (void) sqlite3_bind_int64(stmt, 1, *id);

        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            *n = 0;
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }
    }

    len = (size_t) sqlite3_column_bytes(stmt, 1);
    data = learn_arena_alloc(&sq->scratch, len);

    if (data == NULL) {
        learn_complain("%s: out of memory", sq->command);
        return LEARN_EXIT_FAILED;
    }

    if (len > 0) {
        memcpy(data, sqlite3_column_blob(stmt, 1), len);
    }

    rc = learn_sqlite_run(sq, stmt);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    /* of a file that somebody has changed there may be more */

    *n = learn_picks_read(data, len, NULL);
    all = learn_arena_alloc(&sq->scratch, *n * sizeof(learn_pick_t));

    if (all == NULL) {
        learn_complain("%s: out of memory", sq->command);
        return LEARN_EXIT_FAILED;
    }

    (void) learn_picks_read(data, len, all);

    if (*n > LEARN_STORE_SAMPLE) {
        *n = LEARN_STORE_SAMPLE;
    }

    if (*n > 0) {
        memcpy(picks, all, *n * sizeof(learn_pick_t));
    }

    return LEARN_EXIT_OK;
}


int
learn_sqlite_sample(learn_store_t *store, int64_t param,
    learn_store_pick_pt each, void *data)
{
    int           rc;
    size_t        i, n;
    learn_pick_t  picks[LEARN_STORE_SAMPLE];

    rc = learn_sqlite_sample_read((learn_sqlite_t *) store, 0, NULL, &param,
                                  picks, &n);

    for (i = 0; rc == LEARN_EXIT_OK && i < n; i++) {
        if (!each(&picks[i], data)) {
            break;
        }
    }

    return rc;
}


int
learn_sqlite_sample_save(learn_sqlite_t *sq, int64_t param,
    const learn_pick_t *picks, size_t n)
{
    size_t         size;
    uint8_t       *data;
    sqlite3_stmt  *stmt;

    stmt = learn_sqlite_use(sq, LEARN_SQL_PARAM_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    size = learn_picks_size(picks, n);
    data = learn_arena_alloc(&sq->scratch, size);

    if (data == NULL) {
        learn_complain("%s: out of memory", sq->command);
        return LEARN_EXIT_FAILED;
    }

    (void) learn_picks_write(picks, n, data);

    (void) sqlite3_bind_int64(stmt, 1, param);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) n);
    (void) sqlite3_bind_int64(stmt, 3, learn_sqlite_oldest(picks, n));
    (void) sqlite3_bind_blob64(stmt, 4, data, size, SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}


int64_t
learn_sqlite_oldest(const learn_pick_t *picks, size_t n)
{
    size_t   i;
    int64_t  day;

    day = (n > 0) ? picks[0].day : 0;

    for (i = 1; i < n; i++) {
        day = (picks[i].day < day) ? picks[i].day : day;
    }

    return day;
}
