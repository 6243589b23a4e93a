
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


static int  learn_sqlite_forget_host(learn_sqlite_t *sq, int64_t host);


int
learn_sqlite_forget(learn_store_t *store, const miqps_str_t *host, int *found)
{
    int              rc;
    size_t           gone;
    int64_t          id, site;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    *found = 0;

    stmt = learn_sqlite_use(sq, LEARN_SQL_HOST_FIND);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);

    rc = learn_sqlite_step(sq, stmt);

    if (rc != 1) {
        return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    id = sqlite3_column_int64(stmt, 0);
    site = sqlite3_column_int64(stmt, 1);
    *found = 1;

    rc = learn_sqlite_run(sq, stmt);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->begin(store);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_reservoir_leave(sq, site, host, NULL, &gone);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_forget_host(sq, id);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
        return rc;
    }

    return learn_sqlite_scrub(sq);
}


static int
learn_sqlite_forget_host(learn_sqlite_t *sq, int64_t host)
{
    static const learn_sql_e  steps[] = {
        LEARN_SQL_FORGET_PARAMS,
        LEARN_SQL_FORGET_PATTERNS,
        LEARN_SQL_FORGET_VISITS,
        LEARN_SQL_FORGET_VERDICTS,
        LEARN_SQL_FORGET_RULES,
        LEARN_SQL_FORGET_RUNS,
        LEARN_SQL_FORGET_DECLARED,
        LEARN_SQL_FORGET_HOST,
        LEARN_SQL_FORGET_SHARED,
        LEARN_SQL_EMPTY_RUNS,
        LEARN_SQL_EMPTY_GROWTH,
        LEARN_SQL_EMPTY_SITES
    };

    int     rc;
    size_t  i;

    rc = LEARN_EXIT_OK;

    for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (rc == LEARN_EXIT_OK) {
            rc = learn_sqlite_do(sq, steps[i], &host);
        }
    }

    return rc;
}
