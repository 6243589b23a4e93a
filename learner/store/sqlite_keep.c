
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


/* the statements of a kind of owner, and how much one may have */

typedef struct {
    learn_sql_e     keep;
    learn_sql_e     kept;
    learn_sql_e     trim;
    learn_sql_e     floor;
    int64_t         max;
} learn_sqlite_kind_t;


static const learn_sqlite_kind_t  learn_sqlite_kinds[] = {
    [LEARN_KEEP_SITE] = { LEARN_SQL_SITE_KEEP, LEARN_SQL_SITE_KEPT,
                          LEARN_SQL_SITE_TRIM, LEARN_SQL_SITE_FLOOR,
                          LEARN_STORE_RESERVOIR },
    [LEARN_KEEP_PARAM] = { LEARN_SQL_PARAM_KEEP, LEARN_SQL_PARAM_KEPT,
                           LEARN_SQL_PARAM_TRIM, LEARN_SQL_PARAM_FLOOR,
                           LEARN_STORE_SAMPLE }
};


int
learn_sqlite_keep(learn_store_t *store, learn_keep_e kind, int64_t owner,
    int64_t host, uint64_t hash, const miqps_str_t *url)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, learn_sqlite_kinds[kind].keep);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, owner);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) hash);
    learn_sqlite_text(stmt, 3, url);

    if (kind == LEARN_KEEP_SITE) {
        (void) sqlite3_bind_int64(stmt, 4, host);
    }

    rc = learn_sqlite_run(sq, stmt);

    if (rc == LEARN_EXIT_OK) {
        sq->kept += (uint64_t) sqlite3_changes(sq->db);
    }

    return rc;
}


int
learn_sqlite_trim(learn_store_t *store, learn_keep_e kind,
    learn_owner_t *owner)
{
    int              rc;
    int64_t          kept, max, floor;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    max = learn_sqlite_kinds[kind].max;
    stmt = learn_sqlite_use(sq, learn_sqlite_kinds[kind].kept);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, owner->id);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) sq->kept);

    sq->kept = 0;

    if (learn_sqlite_step(sq, stmt) != 1) {
        return LEARN_EXIT_FAILED;
    }

    kept = sqlite3_column_int64(stmt, 0);

    rc = learn_sqlite_run(sq, stmt);

    if (rc == LEARN_EXIT_OK && kept > max) {
        rc = learn_sqlite_do(sq, learn_sqlite_kinds[kind].trim, owner->id,
                             kept - max);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_sqlite_do(sq, learn_sqlite_kinds[kind].kept, owner->id,
                                 max - kept);
        }
    }

    owner->floor = UINT64_MAX;

    if (rc == LEARN_EXIT_OK && kept >= max) {
        floor = INT64_MAX;
        rc = learn_sqlite_get(sq, learn_sqlite_kinds[kind].floor, owner->id,
                              &floor);
        owner->floor = (uint64_t) floor;
    }

    return rc;
}


int
learn_sqlite_trim_host(learn_store_t *store, int64_t host, uint64_t *gone)
{
    static const learn_sql_e  steps[] = {
        LEARN_SQL_RARE_MISSED,
        LEARN_SQL_RARE_SAMPLES,
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
        rc = learn_sqlite_do(sq, steps[i], host, n);

        if (rc != LEARN_EXIT_OK) {
            break;
        }
    }

    return rc;
}
