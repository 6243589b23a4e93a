
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

#define LEARN_SQL_EMPTY  " NOT IN (SELECT site FROM hosts)"


static const char  *learn_sqlite_texts[LEARN_SQL_MAX] = {

    [LEARN_SQL_BEGIN] = "BEGIN IMMEDIATE",
    [LEARN_SQL_COMMIT] = "COMMIT",

    [LEARN_SQL_SITE_FIND] =
        "SELECT id, kept, segments, floor FROM sites WHERE name = ?1",
    [LEARN_SQL_SITE_MAKE] = "INSERT INTO sites (name) VALUES (?1)",
    [LEARN_SQL_SITE_SAVE] =
        "UPDATE sites SET kept = ?2, segments = ?3, floor = ?4 WHERE id = ?1",
    [LEARN_SQL_SITE_ADD] =
        "INSERT INTO growth (site, day, hits, patterns)"
        " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET"
        " hits = hits + excluded.hits,"
        " patterns = patterns + excluded.patterns",

    [LEARN_SQL_HOST_FIND] = "SELECT id, site FROM hosts WHERE name = ?1",
    [LEARN_SQL_HOST_MAKE] = "INSERT INTO hosts (name, site) VALUES (?1, ?2)",
    [LEARN_SQL_HOST_ADD] =
        "UPDATE hosts SET hits = hits + ?2, seen = ?3 WHERE id = ?1",
    [LEARN_SQL_HOST_MOVE] = "UPDATE hosts SET site = ?2 WHERE id = ?1",

    [LEARN_SQL_PATTERN_FIND] =
        "SELECT id, hits, missed, day_bits, last_day, url_sketch,"
        " client_sketch FROM patterns WHERE names = ?1 AND host = ?2",
    [LEARN_SQL_PATTERN_MAKE] =
        "INSERT INTO patterns (names, host, missed)"
        " VALUES (?1, ?2, (SELECT missed FROM hosts WHERE id = ?2))",
    [LEARN_SQL_PATTERN_SAVE] =
        "UPDATE patterns SET hits = ?2, urls = ?3, clients = ?4, days = ?5,"
        " day_bits = ?6, last_day = ?7, url_sketch = ?8, client_sketch = ?9,"
        " seen = ?10 WHERE id = ?1",

    [LEARN_SQL_PARAM_FIND] =
        "SELECT id, sample FROM params WHERE name = ?1 AND pattern = ?2",
    [LEARN_SQL_PARAM_MAKE] =
        "INSERT INTO params (name, pattern) VALUES (?1, ?2)",
    [LEARN_SQL_PARAM_READ] = "SELECT id, sample FROM params WHERE id = ?1",
    [LEARN_SQL_PARAM_SAVE] =
        "UPDATE params SET kept = ?2, oldest = ?3, sample = ?4 WHERE id = ?1",

    [LEARN_SQL_RUN_ADD] =
        "INSERT INTO segments (site, urls, oldest, data)"
        " VALUES (?1, ?2, ?3, ?4)",
    [LEARN_SQL_RUNS_READ] = "SELECT data FROM segments WHERE site = ?1",
    [LEARN_SQL_RUNS_DROP] = "DELETE FROM segments WHERE site = ?1",

    [LEARN_SQL_HOST_PATTERNS] =
        "SELECT count(*) FROM patterns WHERE host = ?1",
    [LEARN_SQL_RARE_MISSED] =
        "UPDATE hosts SET missed = max(missed,"
        " (SELECT max(patterns.hits + patterns.missed) FROM patterns"
        "  WHERE id IN " LEARN_SQL_RARE ")) WHERE id = ?1",
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

    [LEARN_SQL_DECLARE] =
        "INSERT INTO declared (host, site) VALUES (?1, ?2)"
        " ON CONFLICT DO UPDATE SET site = excluded.site",
    [LEARN_SQL_DECLARED] = "SELECT host, site FROM declared ORDER BY host",

    [LEARN_SQL_SHARED_READ] = "SELECT data FROM shared WHERE page = ?1",
    [LEARN_SQL_SHARED_SAVE] =
        "INSERT INTO shared (page, data) VALUES (?1, ?2)"
        " ON CONFLICT DO UPDATE SET data = excluded.data",

    [LEARN_SQL_RETENTION] =
        "SELECT value FROM settings WHERE name = 'retention'",
    [LEARN_SQL_RETENTION_SAVE] =
        "INSERT INTO settings (name, value) VALUES ('retention', ?1)"
        " ON CONFLICT DO UPDATE SET value = excluded.value",

    [LEARN_SQL_OLD_SITES] =
        "SELECT DISTINCT site FROM segments WHERE oldest < ?1",
    [LEARN_SQL_OLD_PARAMS] =
        "SELECT id FROM params WHERE kept > 0 AND oldest < ?1",
    [LEARN_SQL_OLD_PATTERN_PARAMS] =
        "DELETE FROM params WHERE pattern IN"
        " (SELECT id FROM patterns WHERE seen < ?1)",
    [LEARN_SQL_OLD_PATTERNS] = "DELETE FROM patterns WHERE seen < ?1",
    [LEARN_SQL_OLD_HOSTS] = "DELETE FROM hosts WHERE seen < ?1",
    [LEARN_SQL_OLD_SOURCES] = "DELETE FROM sources WHERE at < ?1 * 86400",
    [LEARN_SQL_OLD_GROWTH] = "DELETE FROM growth WHERE day < ?1",

    [LEARN_SQL_HOST_SITE] = "SELECT site FROM hosts WHERE name = ?1",
    [LEARN_SQL_HOST_MAIN] =
        "SELECT name FROM hosts WHERE site ="
        " (SELECT site FROM hosts WHERE name = ?1)"
        " ORDER BY hits DESC, name LIMIT 1",
    [LEARN_SQL_HOSTS_AFTER] =
        "SELECT id, name FROM hosts WHERE name > ?1 ORDER BY name LIMIT ?2",
    [LEARN_SQL_RANKED_URLS] =
        "SELECT id, names, urls, clients, days FROM patterns WHERE host ="
        " (SELECT id FROM hosts WHERE name = ?1)"
        " ORDER BY urls DESC, hits DESC, names LIMIT ?2",
    [LEARN_SQL_RANKED_CLIENTS] =
        "SELECT id, names, urls, clients, days FROM patterns WHERE host ="
        " (SELECT id FROM hosts WHERE name = ?1)"
        " ORDER BY " LEARN_SQL_WEIGHT " DESC, hits DESC, names LIMIT ?2",
    [LEARN_SQL_PARAMS_OF] =
        "SELECT id, name FROM params WHERE pattern = ?1 ORDER BY name",

    [LEARN_SQL_RUN_FIND] =
        "SELECT id FROM runs WHERE host = ?1 AND settings = ?2"
        " AND state = 0 ORDER BY id DESC",
    [LEARN_SQL_RUN_MAKE] =
        "INSERT INTO runs (host, settings, state, started)"
        " VALUES (?1, ?2, 0, ?3)",
    [LEARN_SQL_RUN_SAVE] =
        "UPDATE runs SET state = ?2, why = ?3, ended = ?4, fetches = ?5,"
        " failed = ?6, mirrors = ?7 WHERE id = ?1",
    [LEARN_SQL_RUN_LIST] =
        "SELECT id, host, settings, state, why, started, ended, fetches,"
        " failed, mirrors FROM runs WHERE (?1 = '' OR host = ?1)"
        " ORDER BY host, id",
    [LEARN_SQL_RUN_OLD] =
        "SELECT id FROM runs WHERE host = (SELECT host FROM runs WHERE id ="
        " ?1) AND id < ?1 AND (state = 0 OR id NOT IN (SELECT id FROM runs"
        " WHERE host = (SELECT host FROM runs WHERE id = ?1) AND state != 0"
        " ORDER BY id DESC LIMIT ?2))",
    [LEARN_SQL_RUN_DROP] = "DELETE FROM runs WHERE id = ?1",
    [LEARN_SQL_VISIT_DROP] = "DELETE FROM visits WHERE run = ?1",
    [LEARN_SQL_VERDICT_DROP] = "DELETE FROM verdicts WHERE run = ?1",
    [LEARN_SQL_RULE_DROP] = "DELETE FROM rules WHERE run = ?1",
    [LEARN_SQL_VISIT_CUT] =
        "UPDATE visits SET lines = NULL WHERE run = ?1 AND lines IS NOT NULL",
    [LEARN_SQL_VISIT_SAVE] =
        "INSERT OR REPLACE INTO visits (run, hash, url, at, ms, bytes, status,"
        " outcome, page, ids, title, location, canonical, viewer, turn,"
        " cookies, vary, lines, jar)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,"
        " ?15, ?16, ?17, ?18, ?19)",
    [LEARN_SQL_VISIT_LIST] =
        "SELECT hash, url, at, ms, bytes, status, outcome, page, ids, title,"
        " location, canonical, viewer, turn, cookies, vary, lines,"
        " jar FROM visits WHERE run = ?1 ORDER BY hash",
    [LEARN_SQL_VISIT_FIND] =
        "SELECT hash, url, at, ms, bytes, status, outcome, page, ids, title,"
        " location, canonical, viewer, turn, cookies, vary, lines,"
        " jar FROM visits WHERE run = ?1 AND hash = ?2",
    [LEARN_SQL_VERDICT_SAVE] =
        "INSERT OR REPLACE INTO verdicts (run, names, name, urls, tested,"
        " differed, verdict, pairs, path, value)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    [LEARN_SQL_VERDICT_LIST] =
        "SELECT names, name, urls, tested, differed, verdict, pairs, path,"
        " value FROM verdicts WHERE run = ?1"
        " ORDER BY urls DESC, path, names, name",
    [LEARN_SQL_RULE_SAVE] =
        "INSERT OR REPLACE INTO rules (run, number, rule, pairs)"
        " VALUES (?1, ?2, ?3, ?4)",
    [LEARN_SQL_RULE_LIST] =
        "SELECT number, rule, pairs FROM rules WHERE run = ?1 ORDER BY number",

    [LEARN_SQL_VERSION_LAST] = "SELECT max(id) FROM versions WHERE id > ?1",
    [LEARN_SQL_VERSION_ADD] =
        "INSERT OR REPLACE INTO versions (id, at, state, image, hosts,"
        " patterns, note, size, data, source_size, source, map)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [LEARN_SQL_VERSION_OLD] =
        "DELETE FROM versions WHERE"
        " id NOT IN (SELECT id FROM versions ORDER BY id DESC LIMIT ?1)"
        " AND id NOT IN (SELECT id FROM versions WHERE state = ?2"
        " ORDER BY id DESC LIMIT ?1)",
    [LEARN_SQL_VERSION_STATE] =
        "UPDATE versions SET state = ?2, note = ?3 WHERE id = ?1",
    [LEARN_SQL_VERSION_LIST] =
        "SELECT id, at, state, image, hosts, patterns, note, map FROM versions"
        " ORDER BY id DESC",
    [LEARN_SQL_VERSION_READ] =
        "SELECT id, at, state, image, hosts, patterns, note, map, size, data,"
        " source_size, source FROM versions WHERE id = ?1",
    [LEARN_SQL_WATCHED_SAVE] =
        "INSERT OR REPLACE INTO watched (version, previous, until, status)"
        " VALUES (?1, ?2, ?3, ?4)",
    [LEARN_SQL_WATCHED_OLD] =
        "DELETE FROM watched WHERE version NOT IN"
        " (SELECT version FROM watched ORDER BY version DESC LIMIT ?1)",
    [LEARN_SQL_WATCHED_END] =
        "UPDATE watched SET until = 0 WHERE version = ?1",
    [LEARN_SQL_WATCHED_LIST] =
        "SELECT version, previous, until, status FROM watched"
        " ORDER BY version DESC",
    [LEARN_SQL_HOLD_SAVE] =
        "INSERT OR REPLACE INTO holds (host, entry, at, why)"
        " VALUES (?1, ?2, ?3, ?4)",
    [LEARN_SQL_HOLD_FREE] =
        "DELETE FROM holds WHERE host = ?1 AND entry = ?2",
    [LEARN_SQL_HOLD_LIST] = "SELECT host, entry, at, why FROM holds",
    [LEARN_SQL_HOLD_DROP] = "DELETE FROM holds",

    [LEARN_SQL_LIST_SITES] =
        "SELECT sites.name, NULL, NULL, count(*),"
        " (SELECT count(*) FROM patterns WHERE host IN"
        "  (SELECT id FROM hosts h WHERE h.site = sites.id)),"
        " sum(hosts.hits), 0, 0, 0, sites.kept"
        " FROM sites JOIN hosts ON hosts.site = sites.id"
        " GROUP BY sites.id ORDER BY 6 DESC, 1 LIMIT ?1",
    [LEARN_SQL_LIST_GROWTH] =
        "SELECT * FROM (SELECT sites.name, NULL, NULL, 0, growth.patterns,"
        " growth.hits, 0, 0, growth.day, 0, row_number() OVER"
        " (PARTITION BY sites.id ORDER BY growth.day DESC) AS place"
        " FROM sites JOIN growth ON growth.site = sites.id)"
        " WHERE place <= ?1 ORDER BY 1, place DESC",
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

    [LEARN_SQL_FORGET_PARAMS] =
        "DELETE FROM params WHERE pattern IN"
        " (SELECT id FROM patterns WHERE host = ?1)",
    [LEARN_SQL_FORGET_PATTERNS] = "DELETE FROM patterns WHERE host = ?1",
    [LEARN_SQL_FORGET_DECLARED] =
        "DELETE FROM declared WHERE host ="
        " (SELECT name FROM hosts WHERE id = ?1)",
    [LEARN_SQL_FORGET_HOST] = "DELETE FROM hosts WHERE id = ?1",
    [LEARN_SQL_FORGET_SHARED] = "DELETE FROM shared",
    [LEARN_SQL_FORGET_VISITS] =
        "DELETE FROM visits WHERE run IN (SELECT id FROM runs WHERE host ="
        " (SELECT name FROM hosts WHERE id = ?1))",
    [LEARN_SQL_FORGET_VERDICTS] =
        "DELETE FROM verdicts WHERE run IN (SELECT id FROM runs WHERE host ="
        " (SELECT name FROM hosts WHERE id = ?1))",
    [LEARN_SQL_FORGET_RULES] =
        "DELETE FROM rules WHERE run IN (SELECT id FROM runs WHERE host ="
        " (SELECT name FROM hosts WHERE id = ?1))",
    [LEARN_SQL_FORGET_RUNS] =
        "DELETE FROM runs WHERE host ="
        " (SELECT name FROM hosts WHERE id = ?1)",

    [LEARN_SQL_EMPTY_RUNS] = "DELETE FROM segments WHERE site" LEARN_SQL_EMPTY,
    [LEARN_SQL_EMPTY_GROWTH] = "DELETE FROM growth WHERE site" LEARN_SQL_EMPTY,
    [LEARN_SQL_EMPTY_SITES] = "DELETE FROM sites WHERE id" LEARN_SQL_EMPTY
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
learn_sqlite_do(learn_sqlite_t *sq, learn_sql_e sql, const int64_t *args)
{
    int            i, n;
    sqlite3_stmt  *stmt;

    stmt = learn_sqlite_use(sq, sql);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    n = sqlite3_bind_parameter_count(stmt);

    for (i = 0; i < n; i++) {
        (void) sqlite3_bind_int64(stmt, i + 1, args[i]);
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


int
learn_sqlite_find(learn_sqlite_t *sq, learn_sql_e find, learn_sql_e make,
    const miqps_str_t *name, int64_t parent, sqlite3_stmt **found)
{
    int            i, rc;
    sqlite3_stmt  *stmt;

    for (i = 0; i < 3; i++) {
        stmt = learn_sqlite_use(sq, (i == 1) ? make : find);

        if (stmt == NULL) {
            return LEARN_EXIT_FAILED;
        }

        learn_sqlite_text(stmt, 1, name);

        if (sqlite3_bind_parameter_count(stmt) > 1) {
            (void) sqlite3_bind_int64(stmt, 2, parent);
        }

        rc = learn_sqlite_step(sq, stmt);

        if (rc == 1) {
            *found = stmt;
            return LEARN_EXIT_OK;
        }

        if (rc == -1) {
            return LEARN_EXIT_FAILED;
        }
    }

    learn_complain("%s: the store '%s' is damaged: it loses what it is given",
                   sq->command, sq->path);

    return LEARN_EXIT_FAILED;
}


void
learn_sqlite_text(sqlite3_stmt *stmt, int i, const miqps_str_t *text)
{
    (void) sqlite3_bind_text(stmt, i,
                             (text->len > 0) ? (const char *) text->data : "",
                             (int) text->len, SQLITE_STATIC);
}


void
learn_sqlite_column(sqlite3_stmt *stmt, int i, miqps_str_t *text)
{
    text->data = sqlite3_column_text(stmt, i);
    text->len = (size_t) sqlite3_column_bytes(stmt, i);

    if (text->data == NULL) {
        text->data = (const uint8_t *) "";
        text->len = 0;
    }
}
