
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


int
learn_sqlite_list(learn_store_t *store, learn_list_e what, uint64_t limit,
    learn_store_row_pt each, void *data)
{
    static const learn_sql_e  lists[] = {
        [LEARN_LIST_SITES] = LEARN_SQL_LIST_SITES,
        [LEARN_LIST_GROWTH] = LEARN_SQL_LIST_GROWTH,
        [LEARN_LIST_HOSTS] = LEARN_SQL_LIST_HOSTS,
        [LEARN_LIST_PATTERNS] = LEARN_SQL_LIST_PATTERNS,
        [LEARN_LIST_PARAMS] = LEARN_SQL_LIST_PARAMS
    };

    int                rc;
    sqlite3_stmt      *stmt;
    learn_sqlite_t    *sq;
    learn_store_row_t  row;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, lists[what]);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    if (sqlite3_bind_parameter_count(stmt) > 0) {
        (void) sqlite3_bind_int64(stmt, 1, (int64_t) limit);
    }

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        row.site = (const char *) sqlite3_column_text(stmt, 0);
        row.host = (const char *) sqlite3_column_text(stmt, 1);
        row.names = (const char *) sqlite3_column_text(stmt, 2);
        row.hosts = (uint64_t) sqlite3_column_int64(stmt, 3);
        row.patterns = (uint64_t) sqlite3_column_int64(stmt, 4);
        row.hits = (uint64_t) sqlite3_column_int64(stmt, 5);
        row.urls = (uint64_t) sqlite3_column_int64(stmt, 6);
        row.clients = (uint64_t) sqlite3_column_int64(stmt, 7);
        row.days = (uint64_t) sqlite3_column_int64(stmt, 8);
        row.kept = (uint64_t) sqlite3_column_int64(stmt, 9);

        if (!each(&row, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_FAILED;
        }
    }
}
