
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <time.h>
#include <zlib.h>

#include "learn.h"
#include "sqlite.h"


static int  learn_sqlite_pack(learn_sqlite_t *sq, sqlite3_stmt *stmt, int i,
    const miqps_str_t *data);
static int  learn_sqlite_unpack(learn_sqlite_t *sq, sqlite3_stmt *stmt, int i,
    miqps_str_t *data);
static void  learn_sqlite_version_row(sqlite3_stmt *stmt,
    learn_version_t *version);


const char *
learn_version_state_name(learn_version_e state)
{
    static const char *const  names[LEARN_VERSION_STATES] = {
        "begun", "published", "refused", "stopped"
    };

    return (state < LEARN_VERSION_STATES) ? names[state] : "unknown";
}


int
learn_sqlite_version_next(learn_store_t *store, int64_t *id)
{
    int      rc;
    int64_t  last;

    last = 0;
    rc = learn_sqlite_get((learn_sqlite_t *) store, LEARN_SQL_VERSION_LAST, 0,
                          &last);
    *id = last + 1;

    return rc;
}


int
learn_sqlite_version_add(learn_store_t *store, const learn_version_t *version)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VERSION_ADD);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_arena_clear(&sq->scratch);

    (void) sqlite3_bind_int64(stmt, 1, version->id);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) time(NULL));
    (void) sqlite3_bind_int64(stmt, 3, (int64_t) version->state);
    (void) sqlite3_bind_text(stmt, 4, version->image, -1, SQLITE_STATIC);
    (void) sqlite3_bind_int64(stmt, 5, (int64_t) version->hosts);
    (void) sqlite3_bind_int64(stmt, 6, (int64_t) version->patterns);
    (void) sqlite3_bind_text(stmt, 7, version->note, -1, SQLITE_STATIC);
    (void) sqlite3_bind_text(stmt, 12, version->map, -1, SQLITE_STATIC);

    rc = learn_sqlite_pack(sq, stmt, 8, &version->data);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_pack(sq, stmt, 10, &version->source);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_run(sq, stmt);
    }

    stmt = (rc == LEARN_EXIT_OK) ? learn_sqlite_use(sq, LEARN_SQL_VERSION_OLD)
                                 : NULL;

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, LEARN_VERSIONS_KEPT);
    (void) sqlite3_bind_int64(stmt, 2, LEARN_VERSION_PUBLISHED);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_version_state(learn_store_t *store, int64_t id,
    learn_version_e state, const char *note)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VERSION_STATE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, id);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) state);
    (void) sqlite3_bind_text(stmt, 3, note, -1, SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_versions(learn_store_t *store, learn_version_pt each, void *data)
{
    int               rc;
    sqlite3_stmt     *stmt;
    learn_sqlite_t   *sq;
    learn_version_t   version;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VERSION_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        learn_sqlite_version_row(stmt, &version);

        if (!each(&version, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_OK;
        }
    }
}


int
learn_sqlite_version(learn_store_t *store, int64_t id, learn_version_pt each,
    void *data)
{
    int               rc;
    sqlite3_stmt     *stmt;
    learn_sqlite_t   *sq;
    learn_version_t   version;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VERSION_READ);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, id);
    rc = learn_sqlite_step(sq, stmt);

    if (rc != 1) {
        return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    learn_arena_clear(&sq->scratch);
    learn_sqlite_version_row(stmt, &version);

    rc = learn_sqlite_unpack(sq, stmt, 8, &version.data);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_unpack(sq, stmt, 10, &version.source);
    }

    if (rc == LEARN_EXIT_OK && !each(&version, data)) {
        rc = LEARN_EXIT_FAILED;
    }

    return (learn_sqlite_run(sq, stmt) == LEARN_EXIT_OK) ? rc
                                                         : LEARN_EXIT_FAILED;
}


static void
learn_sqlite_version_row(sqlite3_stmt *stmt, learn_version_t *version)
{
    memset(version, 0, sizeof(learn_version_t));

    version->id = sqlite3_column_int64(stmt, 0);
    version->at = sqlite3_column_int64(stmt, 1);
    version->state = (learn_version_e) sqlite3_column_int(stmt, 2);
    version->image = (const char *) sqlite3_column_text(stmt, 3);
    version->hosts = (uint64_t) sqlite3_column_int64(stmt, 4);
    version->patterns = (uint64_t) sqlite3_column_int64(stmt, 5);
    version->note = (const char *) sqlite3_column_text(stmt, 6);
    version->map = (const char *) sqlite3_column_text(stmt, 7);
}


/* its size and, compressed, its bytes */

static int
learn_sqlite_pack(learn_sqlite_t *sq, sqlite3_stmt *stmt, int i,
    const miqps_str_t *data)
{
    uLongf    len;
    uint8_t  *packed;

    len = compressBound((uLong) data->len);
    packed = learn_arena_alloc(&sq->scratch, len);

    if (packed == NULL
        || compress2(packed, &len, (data->len > 0) ? data->data
                                                   : (const uint8_t *) "",
                     (uLong) data->len, Z_BEST_SPEED)
           != Z_OK)
    {
        learn_complain("%s: out of memory", sq->command);
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, i, (int64_t) data->len);
    (void) sqlite3_bind_blob64(stmt, i + 1, packed, len, SQLITE_STATIC);

    return LEARN_EXIT_OK;
}


static int
learn_sqlite_unpack(learn_sqlite_t *sq, sqlite3_stmt *stmt, int i,
    miqps_str_t *data)
{
    uLongf    len;
    uint8_t  *bytes;

    len = (uLongf) sqlite3_column_int64(stmt, i);
    bytes = learn_arena_alloc(&sq->scratch, len + 1);

    if (bytes == NULL) {
        learn_complain("%s: out of memory", sq->command);
        return LEARN_EXIT_FAILED;
    }

    data->data = bytes;
    data->len = len;

    if (uncompress(bytes, &len, sqlite3_column_blob(stmt, i + 1),
                   (uLong) sqlite3_column_bytes(stmt, i + 1))
        == Z_OK && len == data->len)
    {
        return LEARN_EXIT_OK;
    }

    learn_complain("%s: the store '%s' is damaged: a map in it is not whole",
                   sq->command, sq->path);

    return LEARN_EXIT_FAILED;
}
