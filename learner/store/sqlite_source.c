
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "learn.h"
#include "sqlite.h"


int
learn_sqlite_sources(learn_store_t *store, learn_store_source_pt each,
    void *data)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;
    learn_source_t   source;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_SOURCES);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        source.id = sqlite3_column_int64(stmt, 0);
        source.head = (uint64_t) sqlite3_column_int64(stmt, 1);
        source.tail = (uint64_t) sqlite3_column_int64(stmt, 2);
        source.head_len = (uint64_t) sqlite3_column_int64(stmt, 3);
        source.offset = (uint64_t) sqlite3_column_int64(stmt, 4);
        source.lines = (uint64_t) sqlite3_column_int64(stmt, 5);

        if (!each(&source, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_OK;
        }
    }
}


int
learn_sqlite_source_save(learn_store_t *store, const char *path,
    learn_source_t *source)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, (source->id == 0) ? LEARN_SQL_SOURCE_MAKE
                                                  : LEARN_SQL_SOURCE_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_text(stmt, 1, path, (int) strlen(path), SQLITE_STATIC);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) source->head);
    (void) sqlite3_bind_int64(stmt, 3, (int64_t) source->tail);
    (void) sqlite3_bind_int64(stmt, 4, (int64_t) source->head_len);
    (void) sqlite3_bind_int64(stmt, 5, (int64_t) source->offset);
    (void) sqlite3_bind_int64(stmt, 6, (int64_t) source->lines);

    if (source->id != 0) {
        (void) sqlite3_bind_int64(stmt, 7, source->id);
    }

    rc = learn_sqlite_run(sq, stmt);

    if (rc == LEARN_EXIT_OK && source->id == 0) {
        source->id = sqlite3_last_insert_rowid(sq->db);
    }

    return rc;
}
