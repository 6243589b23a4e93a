
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


#define LEARN_WATCHED_KEPT  2


int
learn_sqlite_watched_save(learn_store_t *store,
    const learn_watched_t *watched)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_WATCHED_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, watched->version);
    (void) sqlite3_bind_int64(stmt, 2, watched->previous);
    (void) sqlite3_bind_int64(stmt, 3, watched->until);
    (void) sqlite3_bind_text(stmt, 4, watched->status, -1, SQLITE_STATIC);

    rc = learn_sqlite_run(sq, stmt);
    stmt = (rc == LEARN_EXIT_OK) ? learn_sqlite_use(sq, LEARN_SQL_WATCHED_OLD)
                                 : NULL;

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, LEARN_WATCHED_KEPT);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_watched_end(learn_store_t *store, int64_t version)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_WATCHED_END);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, version);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_watched(learn_store_t *store, learn_watched_pt each, void *data)
{
    int               rc;
    sqlite3_stmt     *stmt;
    learn_sqlite_t   *sq;
    learn_watched_t   watched;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_WATCHED_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    while ((rc = learn_sqlite_step(sq, stmt)) == 1) {
        watched.version = sqlite3_column_int64(stmt, 0);
        watched.previous = sqlite3_column_int64(stmt, 1);
        watched.until = sqlite3_column_int64(stmt, 2);
        watched.status = (const char *) sqlite3_column_text(stmt, 3);

        if (!each(&watched, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_OK;
        }
    }

    return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


int
learn_sqlite_hold_save(learn_store_t *store, const learn_hold_t *hold)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_HOLD_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_text(stmt, 1, hold->host, -1, SQLITE_STATIC);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) hold->entry);
    (void) sqlite3_bind_int64(stmt, 3, hold->at);
    (void) sqlite3_bind_text(stmt, 4, hold->why, -1, SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}


/* only of this entry */

int
learn_sqlite_hold_free(learn_store_t *store, const learn_hold_t *hold)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_HOLD_FREE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_text(stmt, 1, hold->host, -1, SQLITE_STATIC);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) hold->entry);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_holds(learn_store_t *store, learn_hold_pt each, void *data)
{
    int              rc;
    learn_hold_t     hold;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_HOLD_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    while ((rc = learn_sqlite_step(sq, stmt)) == 1) {
        hold.host = (const char *) sqlite3_column_text(stmt, 0);
        hold.entry = (uint64_t) sqlite3_column_int64(stmt, 1);
        hold.at = sqlite3_column_int64(stmt, 2);
        hold.why = (const char *) sqlite3_column_text(stmt, 3);

        if (!each(&hold, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_OK;
        }
    }

    return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


int
learn_sqlite_holds_drop(learn_store_t *store)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_HOLD_DROP);

    return (stmt != NULL) ? learn_sqlite_run(sq, stmt) : LEARN_EXIT_FAILED;
}
