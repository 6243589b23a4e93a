
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


static int  learn_sqlite_move(learn_sqlite_t *sq, const miqps_str_t *name,
    int64_t host, int64_t from, const miqps_str_t *site);


int
learn_sqlite_declare(learn_store_t *store, const miqps_str_t *host,
    const miqps_str_t *site)
{
    int              rc;
    int64_t          id, from;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_DECLARE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);
    learn_sqlite_text(stmt, 2, site);

    rc = learn_sqlite_run(sq, stmt);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

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
    from = sqlite3_column_int64(stmt, 1);

    rc = learn_sqlite_run(sq, stmt);

    return (rc == LEARN_EXIT_OK)
           ? learn_sqlite_move(sq, host, id, from, site) : rc;
}


/* a host that is there already takes its URLs along */

static int
learn_sqlite_move(learn_sqlite_t *sq, const miqps_str_t *name, int64_t host,
    int64_t from, const miqps_str_t *site)
{
    int            rc;
    size_t         n;
    learn_pick_t  *picks;
    learn_owner_t  to;

    rc = learn_sqlite_site(&sq->store, site, &to);

    if (rc != LEARN_EXIT_OK || to.id == from) {
        return rc;
    }

    rc = learn_sqlite_do(sq, LEARN_SQL_HOST_MOVE, (int64_t []) { host, to.id });

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_reservoir_leave(sq, from, name, &picks, &n);
    }

    if (rc == LEARN_EXIT_OK && n > 0) {
        rc = learn_sqlite_reservoir_take(sq, &to, picks, n);
    }

    return rc;
}


int
learn_sqlite_declared(learn_store_t *store, learn_store_declared_pt each,
    void *data)
{
    int              rc;
    miqps_str_t      host, site;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_DECLARED);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        learn_sqlite_column(stmt, 0, &host);
        learn_sqlite_column(stmt, 1, &site);

        if (!each(&host, &site, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_FAILED;
        }
    }
}
