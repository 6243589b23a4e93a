
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SQLITE_H_INCLUDED_
#define _LEARN_SQLITE_H_INCLUDED_


#include <sqlite3.h>

#include "store.h"


/*
 * The store as one SQLite file, with a write-ahead log beside it.  Whoever
 * writes holds a lock on the file (flock, which SQLite does not use) from
 * opening to closing, so that a second one is told at once, while readers go
 * on.
 */

typedef enum {
    LEARN_SQL_BEGIN = 0,
    LEARN_SQL_COMMIT,
    LEARN_SQL_SITE_FIND,
    LEARN_SQL_SITE_MAKE,
    LEARN_SQL_HOST_FIND,
    LEARN_SQL_HOST_MAKE,
    LEARN_SQL_HOST_ADD,
    LEARN_SQL_PATTERN_FIND,
    LEARN_SQL_PATTERN_MAKE,
    LEARN_SQL_PATTERN_SAVE,
    LEARN_SQL_PARAM_FIND,
    LEARN_SQL_PARAM_MAKE,
    LEARN_SQL_SITE_KEEP,
    LEARN_SQL_PARAM_KEEP,
    LEARN_SQL_SITE_KEPT,
    LEARN_SQL_PARAM_KEPT,
    LEARN_SQL_SITE_TRIM,
    LEARN_SQL_PARAM_TRIM,
    LEARN_SQL_SITE_FLOOR,
    LEARN_SQL_PARAM_FLOOR,
    LEARN_SQL_HOST_PATTERNS,
    LEARN_SQL_RARE_MISSED,
    LEARN_SQL_RARE_SAMPLES,
    LEARN_SQL_RARE_PARAMS,
    LEARN_SQL_RARE_PATTERNS,
    LEARN_SQL_SOURCES,
    LEARN_SQL_SOURCE_MAKE,
    LEARN_SQL_SOURCE_SAVE,
    LEARN_SQL_LIST_SITES,
    LEARN_SQL_LIST_HOSTS,
    LEARN_SQL_LIST_PATTERNS,
    LEARN_SQL_LIST_PARAMS,
    LEARN_SQL_FORGET_SAMPLES,
    LEARN_SQL_FORGET_PARAMS,
    LEARN_SQL_FORGET_PATTERNS,
    LEARN_SQL_FORGET_KEPT,
    LEARN_SQL_FORGET_URLS,
    LEARN_SQL_FORGET_HOST,
    LEARN_SQL_FORGET_SITE,
    LEARN_SQL_MAX
} learn_sql_e;


typedef struct {
    learn_store_t    store;
    sqlite3         *db;
    sqlite3_stmt    *stmt[LEARN_SQL_MAX];
    const char      *command;
    char            *path;
    int              lock;           /* a descriptor, or -1 */
    unsigned         open:1;         /* a transaction is */
    uint64_t         kept;           /* rows that keep() added since trim() */
} learn_sqlite_t;


int learn_sqlite_open(learn_store_t **store, const char *command,
    const char *path, learn_store_mode_e mode);

/* complains of what SQLite just said; returns the exit code */

int learn_sqlite_failed(learn_sqlite_t *sq);

/*
 * Finds or brings up the tables.  Complains of a file that is none of ours, or
 * of a newer version.
 */
int learn_sqlite_schema(learn_sqlite_t *sq, learn_store_mode_e mode);

/* runs statements without parameters and results */

int learn_sqlite_exec(learn_sqlite_t *sq, const char *sql);


/*
 * A statement, ready for new parameters; NULL after a complaint.  Rows are
 * taken with step(): 1 for a row, 0 for none, -1 after a complaint; anything
 * but 1 makes the statement ready again.
 */

sqlite3_stmt *learn_sqlite_use(learn_sqlite_t *sq, learn_sql_e sql);
int learn_sqlite_step(learn_sqlite_t *sq, sqlite3_stmt *stmt);

/* for one that gives no rows, or whose rows are not wanted any more */

int learn_sqlite_run(learn_sqlite_t *sq, sqlite3_stmt *stmt);

/* a statement with up to two numbers, and no rows */

int learn_sqlite_do(learn_sqlite_t *sq, learn_sql_e sql, int64_t one,
    int64_t two);

/*
 * The first column of the first row as a number, 0 if it is NULL; "*value" is
 * left alone if there is no row.
 */
int learn_sqlite_get(learn_sqlite_t *sq, learn_sql_e sql, int64_t one,
    int64_t *value);

void learn_sqlite_text(sqlite3_stmt *stmt, int i, const miqps_str_t *text);


/* the operations, by file */

int learn_sqlite_site(learn_store_t *store, const miqps_str_t *name,
    learn_owner_t *site);
int learn_sqlite_host(learn_store_t *store, int64_t site,
    const miqps_str_t *name, int64_t *host);
int learn_sqlite_pattern(learn_store_t *store, int64_t host,
    const miqps_str_t *names, learn_pattern_t *pattern);
int learn_sqlite_param(learn_store_t *store, int64_t pattern,
    const miqps_str_t *name, learn_owner_t *param);
int learn_sqlite_host_add(learn_store_t *store, int64_t host, uint64_t hits);
int learn_sqlite_pattern_save(learn_store_t *store,
    const learn_pattern_t *pattern);

int learn_sqlite_keep(learn_store_t *store, learn_keep_e kind, int64_t owner,
    int64_t host, uint64_t hash, const miqps_str_t *url);
int learn_sqlite_trim(learn_store_t *store, learn_keep_e kind,
    learn_owner_t *owner);
int learn_sqlite_trim_host(learn_store_t *store, int64_t host, uint64_t *gone);

int learn_sqlite_sources(learn_store_t *store, learn_store_source_pt each,
    void *data);
int learn_sqlite_source_save(learn_store_t *store, const char *path,
    learn_source_t *source);

int learn_sqlite_list(learn_store_t *store, learn_list_e what, uint64_t limit,
    learn_store_row_pt each, void *data);
int learn_sqlite_forget(learn_store_t *store, const miqps_str_t *host,
    int *found);


#endif /* _LEARN_SQLITE_H_INCLUDED_ */
