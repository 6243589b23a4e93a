
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <sys/random.h>
#include <string.h>

#include "learn.h"
#include "sqlite.h"


/* "miqp", what tells our files from other people's databases */

#define LEARN_SQLITE_ID  0x6d697170


static int  learn_sqlite_migrate(learn_sqlite_t *sq, int64_t version);
static int  learn_sqlite_key(learn_sqlite_t *sq);
static int  learn_sqlite_new_key(learn_sqlite_t *sq);


/*
 * One text for each version of the schema: what makes it of the one before.
 * They are never changed, new ones are added.
 *
 * Hashes have 63 bits and are compared as numbers; sketches are 8 bytes for
 * each hash, in order, low byte first; IDs of visits are 8 bytes each, and
 * pairs 18: two hashes of URLs, and what differs.
 */

static const char  *learn_sqlite_steps[] = {

    "CREATE TABLE migrations ("
    "    version INTEGER PRIMARY KEY,"
    "    at INTEGER NOT NULL);"

    "CREATE TABLE settings ("
    "    name TEXT PRIMARY KEY,"
    "    value BLOB NOT NULL) WITHOUT ROWID;"

    "CREATE TABLE sites ("
    "    id INTEGER PRIMARY KEY,"
    "    name TEXT NOT NULL UNIQUE,"
    "    kept INTEGER NOT NULL DEFAULT 0);"

    "CREATE TABLE hosts ("
    "    id INTEGER PRIMARY KEY,"
    "    site INTEGER NOT NULL,"
    "    name TEXT NOT NULL UNIQUE,"
    "    hits INTEGER NOT NULL DEFAULT 0,"
    "    missed INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX hosts_site ON hosts (site);"

    "CREATE TABLE patterns ("
    "    id INTEGER PRIMARY KEY,"
    "    host INTEGER NOT NULL,"
    "    names TEXT NOT NULL,"
    "    hits INTEGER NOT NULL DEFAULT 0,"
    "    missed INTEGER NOT NULL DEFAULT 0,"
    "    urls INTEGER NOT NULL DEFAULT 0,"
    "    clients INTEGER NOT NULL DEFAULT 0,"
    "    days INTEGER NOT NULL DEFAULT 0,"
    "    day_bits INTEGER NOT NULL DEFAULT 0,"
    "    last_day INTEGER NOT NULL DEFAULT 0,"
    "    url_sketch BLOB,"
    "    client_sketch BLOB,"
    "    UNIQUE (host, names));"

    "CREATE TABLE params ("
    "    id INTEGER PRIMARY KEY,"
    "    pattern INTEGER NOT NULL,"
    "    name TEXT NOT NULL,"
    "    kept INTEGER NOT NULL DEFAULT 0,"
    "    UNIQUE (pattern, name));"

    "CREATE TABLE samples ("
    "    param INTEGER NOT NULL,"
    "    hash INTEGER NOT NULL,"
    "    url TEXT NOT NULL,"
    "    PRIMARY KEY (param, hash)) WITHOUT ROWID;"

    "CREATE TABLE reservoir ("
    "    site INTEGER NOT NULL,"
    "    hash INTEGER NOT NULL,"
    "    host INTEGER NOT NULL,"
    "    url TEXT NOT NULL,"
    "    PRIMARY KEY (site, hash)) WITHOUT ROWID;"

    "CREATE TABLE sources ("
    "    id INTEGER PRIMARY KEY,"
    "    path TEXT NOT NULL,"
    "    head INTEGER NOT NULL,"
    "    tail INTEGER NOT NULL,"
    "    head_len INTEGER NOT NULL,"
    "    offset INTEGER NOT NULL,"
    "    lines INTEGER NOT NULL,"
    "    at INTEGER NOT NULL);",

    /* URLs in runs instead of rows; days, growth, sites that are declared */

    "CREATE TABLE segments ("
    "    id INTEGER PRIMARY KEY,"
    "    site INTEGER NOT NULL,"
    "    urls INTEGER NOT NULL,"
    "    oldest INTEGER NOT NULL,"
    "    data BLOB NOT NULL);"
    "CREATE INDEX segments_site ON segments (site);"

    "ALTER TABLE sites ADD COLUMN segments INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE sites ADD COLUMN"
    "    floor INTEGER NOT NULL DEFAULT 9223372036854775807;"
    "ALTER TABLE hosts ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE patterns ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE params ADD COLUMN oldest INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE params ADD COLUMN sample BLOB;"

    "CREATE TABLE growth ("
    "    site INTEGER NOT NULL,"
    "    day INTEGER NOT NULL,"
    "    hits INTEGER NOT NULL,"
    "    patterns INTEGER NOT NULL,"
    "    PRIMARY KEY (site, day)) WITHOUT ROWID;"

    "CREATE TABLE declared ("
    "    host TEXT PRIMARY KEY,"
    "    site TEXT NOT NULL) WITHOUT ROWID;"

    "CREATE TABLE shared ("
    "    page INTEGER PRIMARY KEY,"
    "    data BLOB NOT NULL);",

    /* what was learned, and from what */

    "CREATE TABLE runs ("
    "    id INTEGER PRIMARY KEY,"
    "    host TEXT NOT NULL,"
    "    settings TEXT NOT NULL,"
    "    state INTEGER NOT NULL,"
    "    why TEXT NOT NULL DEFAULT '',"
    "    started INTEGER NOT NULL,"
    "    ended INTEGER NOT NULL DEFAULT 0,"
    "    fetches INTEGER NOT NULL DEFAULT 0,"
    "    failed INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX runs_host ON runs (host);"

    "CREATE TABLE visits ("
    "    run INTEGER NOT NULL,"
    "    hash INTEGER NOT NULL,"
    "    url TEXT NOT NULL,"
    "    at INTEGER NOT NULL,"
    "    ms INTEGER NOT NULL,"
    "    bytes INTEGER NOT NULL,"
    "    status INTEGER NOT NULL,"
    "    outcome INTEGER NOT NULL,"
    "    page INTEGER NOT NULL,"
    "    ids BLOB NOT NULL,"
    "    title TEXT NOT NULL,"
    "    location TEXT NOT NULL,"
    "    canonical TEXT NOT NULL,"
    "    PRIMARY KEY (run, hash)) WITHOUT ROWID;"

    "CREATE TABLE verdicts ("
    "    run INTEGER NOT NULL,"
    "    names TEXT NOT NULL,"
    "    name TEXT NOT NULL,"
    "    urls INTEGER NOT NULL,"
    "    tested INTEGER NOT NULL,"
    "    differed INTEGER NOT NULL,"
    "    verdict INTEGER NOT NULL,"
    "    pairs BLOB NOT NULL,"
    "    PRIMARY KEY (run, names, name)) WITHOUT ROWID;",

    /* what was published */

    "CREATE TABLE versions ("
    "    id INTEGER PRIMARY KEY,"
    "    at INTEGER NOT NULL,"
    "    state INTEGER NOT NULL,"
    "    image TEXT NOT NULL,"
    "    hosts INTEGER NOT NULL,"
    "    patterns INTEGER NOT NULL,"
    "    note TEXT NOT NULL,"
    "    size INTEGER NOT NULL,"
    "    data BLOB NOT NULL,"
    "    source_size INTEGER NOT NULL,"
    "    source BLOB NOT NULL);",

    /* what became of hosts then, and what they must not be again */

    "CREATE TABLE watched ("
    "    version INTEGER PRIMARY KEY,"
    "    previous INTEGER NOT NULL,"
    "    until INTEGER NOT NULL,"
    "    status TEXT NOT NULL);"

    "CREATE TABLE holds ("
    "    host TEXT PRIMARY KEY,"
    "    entry INTEGER NOT NULL,"
    "    at INTEGER NOT NULL,"
    "    why TEXT NOT NULL) WITHOUT ROWID;",

    /* pages seen more than once, by several viewers; verdicts by path; rules */

    "ALTER TABLE visits ADD COLUMN viewer INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE visits ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE visits ADD COLUMN cookies INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE visits ADD COLUMN vary TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE visits ADD COLUMN lines BLOB;"

    "ALTER TABLE verdicts RENAME TO verdicts_before;"
    "CREATE TABLE verdicts ("
    "    run INTEGER NOT NULL,"
    "    path TEXT NOT NULL,"
    "    names TEXT NOT NULL,"
    "    name TEXT NOT NULL,"
    "    urls INTEGER NOT NULL,"
    "    tested INTEGER NOT NULL,"
    "    differed INTEGER NOT NULL,"
    "    verdict INTEGER NOT NULL,"
    "    value TEXT NOT NULL,"
    "    pairs BLOB NOT NULL,"
    "    PRIMARY KEY (run, path, names, name)) WITHOUT ROWID;"
    "INSERT INTO verdicts SELECT run, '', names, name, urls, tested,"
    "    differed, verdict, '', pairs FROM verdicts_before;"
    "DROP TABLE verdicts_before;"

    "CREATE TABLE rules ("
    "    run INTEGER NOT NULL,"
    "    number INTEGER NOT NULL,"
    "    rule TEXT NOT NULL,"
    "    pairs BLOB NOT NULL,"
    "    PRIMARY KEY (run, number)) WITHOUT ROWID;",

    /* hosts that show the pages of another one */

    "ALTER TABLE runs ADD COLUMN mirrors TEXT NOT NULL DEFAULT '';",

    /* what cookies are set to */

    "ALTER TABLE visits ADD COLUMN jar BLOB;",

    /* hosts may have been several things that they must not be again */

    "ALTER TABLE holds RENAME TO holds_before;"
    "CREATE TABLE holds ("
    "    host TEXT NOT NULL,"
    "    entry INTEGER NOT NULL,"
    "    at INTEGER NOT NULL,"
    "    why TEXT NOT NULL,"
    "    PRIMARY KEY (host, entry)) WITHOUT ROWID;"
    "INSERT INTO holds SELECT host, entry, at, why FROM holds_before;"
    "DROP TABLE holds_before;"

    /* the file that a map was for */

    "ALTER TABLE versions ADD COLUMN map TEXT NOT NULL DEFAULT '';"
};

#define LEARN_SQLITE_VERSION                                                 \
    (int64_t) (sizeof(learn_sqlite_steps)                                 \
               / sizeof(learn_sqlite_steps[0]))


int
learn_sqlite_schema(learn_sqlite_t *sq, learn_store_mode_e mode)
{
    int      rc;
    int64_t  id, version, tables;

    rc = learn_sqlite_number(sq, "PRAGMA application_id", &id);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_number(sq, "PRAGMA user_version", &version);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_number(sq, "SELECT count(*) FROM sqlite_schema",
                                 &tables);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    if (id != LEARN_SQLITE_ID && (tables > 0 || mode == LEARN_STORE_READ
                                  || mode == LEARN_STORE_CHANGE
                                  || mode == LEARN_STORE_SHARE)) {
        learn_complain("%s: '%s' is not a store of miqps", sq->command,
                       sq->path);
        return LEARN_EXIT_FAILED;
    }

    if (version > LEARN_SQLITE_VERSION) {
        learn_complain("%s: the store '%s' is of a newer miqps: it has "
                       "version %lld, and this one knows up to %lld",
                       sq->command, sq->path, (long long) version,
                       (long long) LEARN_SQLITE_VERSION);
        return LEARN_EXIT_FAILED;
    }

    if (version < LEARN_SQLITE_VERSION && mode == LEARN_STORE_READ) {
        learn_complain("%s: the store '%s' is of an older miqps; any ingest "
                       "brings it up to date", sq->command, sq->path);
        return LEARN_EXIT_FAILED;
    }

    for (/* void */ ; version < LEARN_SQLITE_VERSION; version++) {
        rc = learn_sqlite_migrate(sq, version);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    return learn_sqlite_key(sq);
}


int
learn_sqlite_number(learn_sqlite_t *sq, const char *sql, int64_t *value)
{
    int            rc;
    sqlite3_stmt  *stmt;

    *value = 0;

    if (sqlite3_prepare_v2(sq->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
        return learn_sqlite_failed(sq);
    }

    rc = sqlite3_step(stmt);

    if (rc == SQLITE_ROW) {
        *value = sqlite3_column_int64(stmt, 0);
    }

    sqlite3_finalize(stmt);

    return (rc == SQLITE_ROW || rc == SQLITE_DONE) ? LEARN_EXIT_OK
                                                   : learn_sqlite_failed(sq);
}


/* from "version" to the next one, as a whole */

static int
learn_sqlite_migrate(learn_sqlite_t *sq, int64_t version)
{
    int   rc;
    char  done[256];

    (void) snprintf(done, sizeof(done),
                    "INSERT INTO migrations VALUES (%lld, "
                    "CAST(strftime('%%s', 'now') AS INTEGER));"
                    "PRAGMA application_id = %d;"
                    "PRAGMA user_version = %lld",
                    (long long) version + 1, LEARN_SQLITE_ID,
                    (long long) version + 1);

    rc = sq->store.ops->begin(&sq->store);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_exec(sq, learn_sqlite_steps[version]);
    }

    if (rc == LEARN_EXIT_OK && version == 0) {
        rc = learn_sqlite_new_key(sq);
    }

    if (rc == LEARN_EXIT_OK && version == 1) {
        rc = learn_sqlite_migrate_runs(sq);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_exec(sq, done);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = sq->store.ops->commit(&sq->store);
    }

    if (rc != LEARN_EXIT_OK) {
        sq->store.ops->rollback(&sq->store);
    }

    return rc;
}


static int
learn_sqlite_new_key(learn_sqlite_t *sq)
{
    int            rc;
    uint8_t        key[LEARN_STORE_KEY];
    sqlite3_stmt  *stmt;

    if (getrandom(key, sizeof(key), 0) != (ssize_t) sizeof(key)) {
        learn_complain("%s: the system has no random bytes", sq->command);
        return LEARN_EXIT_FAILED;
    }

    if (sqlite3_prepare_v2(sq->db, "INSERT INTO settings VALUES ('key', ?)",
                           -1, &stmt, NULL)
        != SQLITE_OK)
    {
        return learn_sqlite_failed(sq);
    }

    sqlite3_bind_blob(stmt, 1, key, sizeof(key), SQLITE_STATIC);

    rc = sqlite3_step(stmt);
    sqlite3_finalize(stmt);

    return (rc == SQLITE_DONE) ? LEARN_EXIT_OK : learn_sqlite_failed(sq);
}


static int
learn_sqlite_key(learn_sqlite_t *sq)
{
    int            rc;
    sqlite3_stmt  *stmt;

    if (sqlite3_prepare_v2(sq->db,
                           "SELECT value FROM settings WHERE name = 'key'",
                           -1, &stmt, NULL)
        != SQLITE_OK)
    {
        return learn_sqlite_failed(sq);
    }

    rc = sqlite3_step(stmt);

    if (rc == SQLITE_ROW && sqlite3_column_bytes(stmt, 0) == LEARN_STORE_KEY) {
        memcpy(sq->store.key, sqlite3_column_blob(stmt, 0), LEARN_STORE_KEY);
        sqlite3_finalize(stmt);
        return LEARN_EXIT_OK;
    }

    sqlite3_finalize(stmt);

    if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
        return learn_sqlite_failed(sq);
    }

    learn_complain("%s: the store '%s' is damaged: it has lost its key",
                   sq->command, sq->path);

    return LEARN_EXIT_FAILED;
}
