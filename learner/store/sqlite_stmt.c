
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


/*
 * How much a pattern counts: by clients and days where the source knows them,
 * since one client can invent any number of URLs; else by URLs.
 */

#define LEARN_SQL_WEIGHT                                                     \
    "CASE WHEN patterns.clients > 0"                                         \
    " THEN patterns.clients * max(patterns.days, 1)"                         \
    " ELSE patterns.urls END"

#define LEARN_SQL_RARE                                                       \
    "(SELECT id FROM patterns WHERE host = ?1 ORDER BY " LEARN_SQL_WEIGHT    \
    ", hits, names LIMIT ?2)"

#define LEARN_SQL_OF_HOST  " IN (SELECT id FROM patterns WHERE host = ?1)"


static const char  *learn_sqlite_texts[LEARN_SQL_MAX] = {

    [LEARN_SQL_BEGIN] = "BEGIN IMMEDIATE",
    [LEARN_SQL_COMMIT] = "COMMIT",

    [LEARN_SQL_SITE_FIND] = "SELECT id, kept FROM sites WHERE name = ?1",
    [LEARN_SQL_SITE_MAKE] = "INSERT INTO sites (name) VALUES (?1)",

    [LEARN_SQL_HOST_FIND] = "SELECT id FROM hosts WHERE name = ?1",
    [LEARN_SQL_HOST_MAKE] = "INSERT INTO hosts (name, site) VALUES (?1, ?2)",
    [LEARN_SQL_HOST_ADD] = "UPDATE hosts SET hits = hits + ?2 WHERE id = ?1",

    [LEARN_SQL_PATTERN_FIND] =
        "SELECT id, hits, missed, day_bits, last_day, url_sketch,"
        " client_sketch FROM patterns WHERE names = ?1 AND host = ?2",
    [LEARN_SQL_PATTERN_MAKE] =
        "INSERT INTO patterns (names, host, missed)"
        " VALUES (?1, ?2, (SELECT missed FROM hosts WHERE id = ?2))",
    [LEARN_SQL_PATTERN_SAVE] =
        "UPDATE patterns SET hits = ?2, urls = ?3, clients = ?4, days = ?5,"
        " day_bits = ?6, last_day = ?7, url_sketch = ?8, client_sketch = ?9"
        " WHERE id = ?1",

    [LEARN_SQL_PARAM_FIND] =
        "SELECT id, kept FROM params WHERE name = ?1 AND pattern = ?2",
    [LEARN_SQL_PARAM_MAKE] =
        "INSERT INTO params (name, pattern) VALUES (?1, ?2)",

    [LEARN_SQL_SITE_KEEP] =
        "INSERT OR IGNORE INTO reservoir (site, hash, url, host)"
        " VALUES (?1, ?2, ?3, ?4)",
    [LEARN_SQL_PARAM_KEEP] =
        "INSERT OR IGNORE INTO samples (param, hash, url)"
        " VALUES (?1, ?2, ?3)",
    [LEARN_SQL_SITE_KEPT] =
        "UPDATE sites SET kept = kept + ?2 WHERE id = ?1 RETURNING kept",
    [LEARN_SQL_PARAM_KEPT] =
        "UPDATE params SET kept = kept + ?2 WHERE id = ?1 RETURNING kept",
    [LEARN_SQL_SITE_TRIM] =
        "DELETE FROM reservoir WHERE site = ?1 AND hash IN (SELECT hash FROM"
        " reservoir WHERE site = ?1 ORDER BY hash DESC LIMIT ?2)",
    [LEARN_SQL_PARAM_TRIM] =
        "DELETE FROM samples WHERE param = ?1 AND hash IN (SELECT hash FROM"
        " samples WHERE param = ?1 ORDER BY hash DESC LIMIT ?2)",
    [LEARN_SQL_SITE_FLOOR] = "SELECT max(hash) FROM reservoir WHERE site = ?1",
    [LEARN_SQL_PARAM_FLOOR] = "SELECT max(hash) FROM samples WHERE param = ?1",

    [LEARN_SQL_HOST_PATTERNS] =
        "SELECT count(*) FROM patterns WHERE host = ?1",
    [LEARN_SQL_RARE_MISSED] =
        "UPDATE hosts SET missed = max(missed,"
        " (SELECT max(patterns.hits + patterns.missed) FROM patterns"
        "  WHERE id IN " LEARN_SQL_RARE ")) WHERE id = ?1",
    [LEARN_SQL_RARE_SAMPLES] =
        "DELETE FROM samples WHERE param IN"
        " (SELECT id FROM params WHERE pattern IN " LEARN_SQL_RARE ")",
    [LEARN_SQL_RARE_PARAMS] =
        "DELETE FROM params WHERE pattern IN " LEARN_SQL_RARE,
    [LEARN_SQL_RARE_PATTERNS] =
        "DELETE FROM patterns WHERE id IN " LEARN_SQL_RARE,

    [LEARN_SQL_SOURCES] =
        "SELECT id, head, tail, head_len, offset, lines FROM sources"
        " ORDER BY offset DESC",
    [LEARN_SQL_SOURCE_MAKE] =
        "INSERT INTO sources (path, head, tail, head_len, offset, lines, at)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6,"
        " CAST(strftime('%s', 'now') AS INTEGER))",
    [LEARN_SQL_SOURCE_SAVE] =
        "UPDATE sources SET path = ?1, head = ?2, tail = ?3, head_len = ?4,"
        " offset = ?5, lines = ?6,"
        " at = CAST(strftime('%s', 'now') AS INTEGER) WHERE id = ?7",

    [LEARN_SQL_LIST_SITES] =
        "SELECT sites.name, NULL, NULL, count(*),"
        " (SELECT count(*) FROM patterns WHERE host IN"
        "  (SELECT id FROM hosts h WHERE h.site = sites.id)),"
        " sum(hosts.hits), 0, 0, 0, sites.kept"
        " FROM sites JOIN hosts ON hosts.site = sites.id"
        " GROUP BY sites.id ORDER BY 6 DESC, 1 LIMIT ?1",
    [LEARN_SQL_LIST_HOSTS] =
        "SELECT sites.name, hosts.name, NULL, 1, count(patterns.id),"
        " hosts.hits, coalesce(sum(patterns.urls), 0),"
        " coalesce(max(patterns.clients), 0),"
        " coalesce(max(patterns.days), 0), 0"
        " FROM sites JOIN hosts ON hosts.site = sites.id"
        " LEFT JOIN patterns ON patterns.host = hosts.id"
        " GROUP BY hosts.id ORDER BY 1, 6 DESC, 2",
    [LEARN_SQL_LIST_PATTERNS] =
        "SELECT * FROM (SELECT sites.name, hosts.name, patterns.names, 1, 1,"
        " patterns.hits, patterns.urls, patterns.clients, patterns.days, 0,"
        " row_number() OVER (PARTITION BY hosts.id ORDER BY " LEARN_SQL_WEIGHT
        " DESC, patterns.hits DESC, patterns.names) AS place"
        " FROM sites JOIN hosts ON hosts.site = sites.id"
        " JOIN patterns ON patterns.host = hosts.id)"
        " WHERE place <= ?1 ORDER BY 1, 2, place",
    [LEARN_SQL_LIST_PARAMS] =
        "SELECT * FROM (SELECT sites.name, hosts.name, params.name, 1,"
        " count(*), sum(patterns.hits), sum(patterns.urls),"
        " max(patterns.clients), max(patterns.days), sum(params.kept),"
        " row_number() OVER (PARTITION BY hosts.id ORDER BY"
        " sum(" LEARN_SQL_WEIGHT ") DESC, sum(patterns.hits) DESC,"
        " params.name) AS place"
        " FROM sites JOIN hosts ON hosts.site = sites.id"
        " JOIN patterns ON patterns.host = hosts.id"
        " JOIN params ON params.pattern = patterns.id"
        " GROUP BY hosts.id, params.name)"
        " WHERE place <= ?1 ORDER BY 1, 2, place",

    [LEARN_SQL_FORGET_SAMPLES] =
        "DELETE FROM samples WHERE param IN"
        " (SELECT id FROM params WHERE pattern" LEARN_SQL_OF_HOST ")",
    [LEARN_SQL_FORGET_PARAMS] =
        "DELETE FROM params WHERE pattern" LEARN_SQL_OF_HOST,
    [LEARN_SQL_FORGET_PATTERNS] = "DELETE FROM patterns WHERE host = ?1",
    [LEARN_SQL_FORGET_KEPT] =
        "UPDATE sites SET kept = kept - (SELECT count(*) FROM reservoir"
        " WHERE host = ?1 AND site = sites.id) WHERE id ="
        " (SELECT site FROM hosts WHERE id = ?1)",
    [LEARN_SQL_FORGET_URLS] =
        "DELETE FROM reservoir WHERE host = ?1 AND site ="
        " (SELECT site FROM hosts WHERE id = ?1)",
    [LEARN_SQL_FORGET_HOST] = "DELETE FROM hosts WHERE id = ?1",
    [LEARN_SQL_FORGET_SITE] =
        "DELETE FROM sites WHERE NOT EXISTS"
        " (SELECT 1 FROM hosts WHERE hosts.site = sites.id)"
};


sqlite3_stmt *
learn_sqlite_use(learn_sqlite_t *sq, learn_sql_e sql)
{
    if (sq->stmt[sql] == NULL
        && sqlite3_prepare_v3(sq->db, learn_sqlite_texts[sql], -1,
                              SQLITE_PREPARE_PERSISTENT, &sq->stmt[sql], NULL)
           != SQLITE_OK)
    {
        (void) learn_sqlite_failed(sq);
        return NULL;
    }

    return sq->stmt[sql];
}


int
learn_sqlite_step(learn_sqlite_t *sq, sqlite3_stmt *stmt)
{
    int  rc;

    rc = sqlite3_step(stmt);

    if (rc == SQLITE_ROW) {
        return 1;
    }

    if (rc != SQLITE_DONE) {
        (void) learn_sqlite_failed(sq);
    }

    (void) sqlite3_reset(stmt);

    return (rc == SQLITE_DONE) ? 0 : -1;
}


int
learn_sqlite_run(learn_sqlite_t *sq, sqlite3_stmt *stmt)
{
    int  rc, code;

    do {
        rc = sqlite3_step(stmt);
    } while (rc == SQLITE_ROW);

    code = (rc == SQLITE_DONE) ? LEARN_EXIT_OK : learn_sqlite_failed(sq);

    (void) sqlite3_reset(stmt);

    return code;
}


int
learn_sqlite_do(learn_sqlite_t *sq, learn_sql_e sql, int64_t one, int64_t two)
{
    int            n;
    sqlite3_stmt  *stmt;

    stmt = learn_sqlite_use(sq, sql);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    n = sqlite3_bind_parameter_count(stmt);

    if (n > 0) {
        (void) sqlite3_bind_int64(stmt, 1, one);
    }

    if (n > 1) {
        (void) sqlite3_bind_int64(stmt, 2, two);
    }

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_get(learn_sqlite_t *sq, learn_sql_e sql, int64_t one,
    int64_t *value)
{
    sqlite3_stmt  *stmt;

    stmt = learn_sqlite_use(sq, sql);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, one);

    switch (learn_sqlite_step(sq, stmt)) {

    case 1:
        *value = sqlite3_column_int64(stmt, 0);
        return learn_sqlite_run(sq, stmt);

    case 0:
        return LEARN_EXIT_OK;

    default:
        return LEARN_EXIT_FAILED;
    }
}


void
learn_sqlite_text(sqlite3_stmt *stmt, int i, const miqps_str_t *text)
{
    (void) sqlite3_bind_text(stmt, i,
                             (text->len > 0) ? (const char *) text->data : "",
                             (int) text->len, SQLITE_STATIC);
}
