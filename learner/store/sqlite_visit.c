
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


static int  learn_sqlite_visit_rows(learn_sqlite_t *sq, sqlite3_stmt *stmt,
    learn_visit_pt each, void *data);
static void  learn_sqlite_visit_row(sqlite3_stmt *stmt,
    learn_visit_row_t *visit);


int
learn_sqlite_visit_save(learn_store_t *store, int64_t run,
    const learn_visit_row_t *visit)
{
    size_t           i;
    uint8_t          ids[8 * LEARN_VISIT_IDS];
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VISIT_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    for (i = 0; i < LEARN_VISIT_IDS; i++) {
        learn_sqlite_put(ids + 8 * i, visit->ids[i], 8);
    }

    (void) sqlite3_bind_int64(stmt, 1, run);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) visit->hash);
    learn_sqlite_text(stmt, 3, &visit->url);
    (void) sqlite3_bind_int64(stmt, 4, visit->at);
    (void) sqlite3_bind_int64(stmt, 5, (int64_t) visit->ms);
    (void) sqlite3_bind_int64(stmt, 6, (int64_t) visit->bytes);
    (void) sqlite3_bind_int64(stmt, 7, visit->status);
    (void) sqlite3_bind_int64(stmt, 8, visit->outcome);
    (void) sqlite3_bind_int64(stmt, 9, visit->page);
    (void) sqlite3_bind_blob(stmt, 10, ids, sizeof(ids), SQLITE_STATIC);
    learn_sqlite_text(stmt, 11, &visit->title);
    learn_sqlite_text(stmt, 12, &visit->location);
    learn_sqlite_text(stmt, 13, &visit->canonical);
    (void) sqlite3_bind_int64(stmt, 14, visit->viewer);
    (void) sqlite3_bind_int64(stmt, 15, visit->turn);
    (void) sqlite3_bind_int64(stmt, 16, (int64_t) visit->cookies);
    learn_sqlite_text(stmt, 17, &visit->vary);
    (void) sqlite3_bind_blob64(stmt, 18, visit->lines.data, visit->lines.len,
                               SQLITE_STATIC);
    (void) sqlite3_bind_blob64(stmt, 19, visit->jar.data, visit->jar.len,
                               SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_visits(learn_store_t *store, int64_t run, learn_visit_pt each,
    void *data)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VISIT_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run);

    return learn_sqlite_visit_rows(sq, stmt, each, data);
}


int
learn_sqlite_visit(learn_store_t *store, int64_t run, uint64_t hash,
    learn_visit_pt each, void *data)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VISIT_FIND);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) hash);

    return learn_sqlite_visit_rows(sq, stmt, each, data);
}


static int
learn_sqlite_visit_rows(learn_sqlite_t *sq, sqlite3_stmt *stmt,
    learn_visit_pt each, void *data)
{
    int                rc;
    learn_visit_row_t  visit;

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        learn_sqlite_visit_row(stmt, &visit);

        if (!each(&visit, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_FAILED;
        }
    }
}


static void
learn_sqlite_visit_row(sqlite3_stmt *stmt, learn_visit_row_t *visit)
{
    size_t          i, len;
    const uint8_t  *ids;

    visit->hash = (uint64_t) sqlite3_column_int64(stmt, 0);
    learn_sqlite_column(stmt, 1, &visit->url);
    visit->at = sqlite3_column_int64(stmt, 2);
    visit->ms = (uint64_t) sqlite3_column_int64(stmt, 3);
    visit->bytes = (uint64_t) sqlite3_column_int64(stmt, 4);
    visit->status = (unsigned) sqlite3_column_int(stmt, 5);
    visit->outcome = (unsigned) sqlite3_column_int(stmt, 6);
    visit->page = (unsigned) sqlite3_column_int(stmt, 7);

    ids = sqlite3_column_blob(stmt, 8);
    len = (size_t) sqlite3_column_bytes(stmt, 8);

    for (i = 0; i < LEARN_VISIT_IDS; i++) {
        visit->ids[i] = (8 * i + 8 <= len)
                        ? learn_sqlite_take(ids + 8 * i, 8) : 0;
    }

    learn_sqlite_column(stmt, 9, &visit->title);
    learn_sqlite_column(stmt, 10, &visit->location);
    learn_sqlite_column(stmt, 11, &visit->canonical);
    visit->viewer = (unsigned) sqlite3_column_int(stmt, 12);
    visit->turn = (unsigned) sqlite3_column_int(stmt, 13);
    visit->cookies = (uint64_t) sqlite3_column_int64(stmt, 14);
    learn_sqlite_column(stmt, 15, &visit->vary);

    visit->lines.data = sqlite3_column_blob(stmt, 16);
    visit->lines.len = (size_t) sqlite3_column_bytes(stmt, 16);
    visit->jar.data = sqlite3_column_blob(stmt, 17);
    visit->jar.len = (size_t) sqlite3_column_bytes(stmt, 17);
}
