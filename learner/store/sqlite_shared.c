
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


int
learn_sqlite_shared_read(learn_store_t *store, size_t page, void *data,
    size_t len)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    memset(data, 0, len);

    stmt = learn_sqlite_use(sq, LEARN_SQL_SHARED_READ);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, (int64_t) page);

    switch (learn_sqlite_step(sq, stmt)) {

    case 1:
        if ((size_t) sqlite3_column_bytes(stmt, 0) == len) {
            memcpy(data, sqlite3_column_blob(stmt, 0), len);
        }

        return learn_sqlite_run(sq, stmt);

    case 0:
        return LEARN_EXIT_OK;

    default:
        return LEARN_EXIT_FAILED;
    }
}


int
learn_sqlite_shared_save(learn_store_t *store, size_t page, const void *data,
    size_t len)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_SHARED_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, (int64_t) page);
    (void) sqlite3_bind_blob64(stmt, 2, data, len, SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}
