
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


static int  learn_sqlite_named(learn_sqlite_t *sq, sqlite3_stmt *stmt,
    learn_named_pt each, void *data);


int
learn_sqlite_hosts(learn_store_t *store, const miqps_str_t *after,
    uint64_t limit, learn_named_pt each, void *data)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_HOSTS_AFTER);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, after);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) limit);

    return learn_sqlite_named(sq, stmt, each, data);
}


int
learn_sqlite_host_site(learn_store_t *store, const miqps_str_t *host,
    int64_t *site)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_HOST_SITE);
    *site = 0;

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);
    rc = learn_sqlite_step(sq, stmt);

    if (rc != 1) {
        return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    *site = sqlite3_column_int64(stmt, 0);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_host_main(learn_store_t *store, const miqps_str_t *host,
    char *name, size_t size)
{
    int              rc;
    miqps_str_t      found;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_HOST_MAIN);
    name[0] = '\0';

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);
    rc = learn_sqlite_step(sq, stmt);

    if (rc != 1) {
        return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    learn_sqlite_column(stmt, 0, &found);

    if (found.len < size) {
        memcpy(name, found.data, found.len);
        name[found.len] = '\0';
    }

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_params(learn_store_t *store, int64_t pattern,
    learn_named_pt each, void *data)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_PARAMS_OF);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, pattern);

    return learn_sqlite_named(sq, stmt, each, data);
}


static int
learn_sqlite_named(learn_sqlite_t *sq, sqlite3_stmt *stmt,
    learn_named_pt each, void *data)
{
    int          rc;
    miqps_str_t  name;

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        learn_sqlite_column(stmt, 1, &name);

        if (!each(sqlite3_column_int64(stmt, 0), &name, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_FAILED;
        }
    }
}


int
learn_sqlite_ranked(learn_store_t *store, const miqps_str_t *host,
    int clients, uint64_t limit, learn_ranked_pt each, void *data)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_ranked_t   pattern;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, clients ? LEARN_SQL_RANKED_CLIENTS
                                        : LEARN_SQL_RANKED_URLS);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) limit);

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        pattern.id = sqlite3_column_int64(stmt, 0);
        learn_sqlite_column(stmt, 1, &pattern.names);
        pattern.urls = (uint64_t) sqlite3_column_int64(stmt, 2);
        pattern.clients = (uint64_t) sqlite3_column_int64(stmt, 3);
        pattern.days = (uint64_t) sqlite3_column_int64(stmt, 4);

        if (!each(&pattern, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_FAILED;
        }
    }
}
