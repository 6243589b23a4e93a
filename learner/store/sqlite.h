
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SQLITE_H_INCLUDED_
#define _LEARN_SQLITE_H_INCLUDED_


#include <sqlite3.h>

#include "arena.h"
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
    LEARN_SQL_SITE_SAVE,
    LEARN_SQL_SITE_ADD,
    LEARN_SQL_HOST_FIND,
    LEARN_SQL_HOST_MAKE,
    LEARN_SQL_HOST_ADD,
    LEARN_SQL_HOST_MOVE,
    LEARN_SQL_PATTERN_FIND,
    LEARN_SQL_PATTERN_MAKE,
    LEARN_SQL_PATTERN_SAVE,
    LEARN_SQL_PARAM_FIND,
    LEARN_SQL_PARAM_MAKE,
    LEARN_SQL_PARAM_READ,
    LEARN_SQL_PARAM_SAVE,
    LEARN_SQL_RUN_ADD,
    LEARN_SQL_RUNS_READ,
    LEARN_SQL_RUNS_DROP,
    LEARN_SQL_HOST_PATTERNS,
    LEARN_SQL_RARE_MISSED,
    LEARN_SQL_RARE_PARAMS,
    LEARN_SQL_RARE_PATTERNS,
    LEARN_SQL_SOURCES,
    LEARN_SQL_SOURCE_MAKE,
    LEARN_SQL_SOURCE_SAVE,
    LEARN_SQL_DECLARE,
    LEARN_SQL_DECLARED,
    LEARN_SQL_SHARED_READ,
    LEARN_SQL_SHARED_SAVE,
    LEARN_SQL_RETENTION,
    LEARN_SQL_RETENTION_SAVE,
    LEARN_SQL_OLD_SITES,
    LEARN_SQL_OLD_PARAMS,
    LEARN_SQL_OLD_PATTERN_PARAMS,
    LEARN_SQL_OLD_PATTERNS,
    LEARN_SQL_OLD_HOSTS,
    LEARN_SQL_OLD_SOURCES,
    LEARN_SQL_OLD_GROWTH,
    LEARN_SQL_HOSTS_AFTER,
    LEARN_SQL_HOST_SITE,
    LEARN_SQL_HOST_MAIN,
    LEARN_SQL_RANKED_URLS,
    LEARN_SQL_RANKED_CLIENTS,
    LEARN_SQL_PARAMS_OF,
    LEARN_SQL_RUN_FIND,
    LEARN_SQL_RUN_MAKE,
    LEARN_SQL_RUN_SAVE,
    LEARN_SQL_RUN_LIST,
    LEARN_SQL_RUN_OLD,
    LEARN_SQL_RUN_DROP,
    LEARN_SQL_VISIT_DROP,
    LEARN_SQL_VERDICT_DROP,
    LEARN_SQL_RULE_DROP,
    LEARN_SQL_VISIT_CUT,
    LEARN_SQL_VISIT_SAVE,
    LEARN_SQL_VISIT_LIST,
    LEARN_SQL_VISIT_FIND,
    LEARN_SQL_VERDICT_SAVE,
    LEARN_SQL_VERDICT_LIST,
    LEARN_SQL_RULE_SAVE,
    LEARN_SQL_RULE_LIST,
    LEARN_SQL_VERSION_LAST,
    LEARN_SQL_VERSION_ADD,
    LEARN_SQL_VERSION_OLD,
    LEARN_SQL_VERSION_STATE,
    LEARN_SQL_VERSION_LIST,
    LEARN_SQL_VERSION_READ,
    LEARN_SQL_WATCHED_SAVE,
    LEARN_SQL_WATCHED_OLD,
    LEARN_SQL_WATCHED_END,
    LEARN_SQL_WATCHED_LIST,
    LEARN_SQL_HOLD_SAVE,
    LEARN_SQL_HOLD_FREE,
    LEARN_SQL_HOLD_LIST,
    LEARN_SQL_HOLD_DROP,
    LEARN_SQL_LIST_SITES,
    LEARN_SQL_LIST_GROWTH,
    LEARN_SQL_LIST_HOSTS,
    LEARN_SQL_LIST_PATTERNS,
    LEARN_SQL_LIST_PARAMS,
    LEARN_SQL_FORGET_PARAMS,
    LEARN_SQL_FORGET_PATTERNS,
    LEARN_SQL_FORGET_HOST,
    LEARN_SQL_FORGET_DECLARED,
    LEARN_SQL_FORGET_SHARED,
    LEARN_SQL_FORGET_VISITS,
    LEARN_SQL_FORGET_VERDICTS,
    LEARN_SQL_FORGET_RULES,
    LEARN_SQL_FORGET_RUNS,
    LEARN_SQL_EMPTY_RUNS,
    LEARN_SQL_EMPTY_GROWTH,
    LEARN_SQL_EMPTY_SITES,
    LEARN_SQL_MAX
} learn_sql_e;


typedef struct {
    learn_store_t    store;
    sqlite3         *db;
    sqlite3_stmt    *stmt[LEARN_SQL_MAX];
    const char      *command;
    char            *path;
    int              lock;           /* a descriptor, or -1 */
    int              study;          /* that of who learns, or -1 */
    unsigned         open:1;         /* a transaction is */
    unsigned         shared:1;       /* locked only during these */
    learn_arena_t    scratch;        /* of one operation */
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

/* overwrites what was deleted before, outside of a transaction */

int learn_sqlite_scrub(learn_sqlite_t *sq);

/* the first column of the first row, 0 for none */

int learn_sqlite_number(learn_sqlite_t *sq, const char *sql, int64_t *value);

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

/* a statement with as many numbers as it has parameters, and no rows */

int learn_sqlite_do(learn_sqlite_t *sq, learn_sql_e sql, const int64_t *args);

/*
 * The first column of the first row as a number, 0 if it is NULL; "*value" is
 * left alone if there is no row.
 */
int learn_sqlite_get(learn_sqlite_t *sq, learn_sql_e sql, int64_t one,
    int64_t *value);

void learn_sqlite_text(sqlite3_stmt *stmt, int i, const miqps_str_t *text);

/* a column of the row at hand, valid until the next step; never NULL */

void learn_sqlite_column(sqlite3_stmt *stmt, int i, miqps_str_t *text);


/*
 * The row by its name and that of what it belongs to, made first if there is
 * none; "*found" is the statement, at the row, to be run() to its end.
 */
int learn_sqlite_find(learn_sqlite_t *sq, learn_sql_e find, learn_sql_e make,
    const miqps_str_t *name, int64_t parent, sqlite3_stmt **found);


/* --- the operations, by file */

/* sqlite_corpus.c */

int learn_sqlite_site(learn_store_t *store, const miqps_str_t *name,
    learn_owner_t *site);
int learn_sqlite_host(learn_store_t *store, int64_t site,
    const miqps_str_t *name, int64_t *host);
int learn_sqlite_pattern(learn_store_t *store, int64_t host,
    const miqps_str_t *names, learn_pattern_t *pattern);
int learn_sqlite_host_add(learn_store_t *store, int64_t host, uint64_t hits);
int learn_sqlite_site_add(learn_store_t *store, int64_t site, uint64_t hits,
    uint64_t patterns);
int learn_sqlite_pattern_save(learn_store_t *store,
    const learn_pattern_t *pattern);
int learn_sqlite_trim_host(learn_store_t *store, int64_t host, uint64_t *gone);

/* sqlite_reservoir.c */

int learn_sqlite_reservoir_add(learn_store_t *store, learn_owner_t *site,
    const learn_pick_t *picks, size_t n);
int learn_sqlite_reservoir(learn_store_t *store, int64_t site,
    learn_store_pick_pt each, void *data);

/*
 * The URLs of a site that "keep" wants, and no others, in one run.  "*gone" is
 * how many it did not want, and they are in "*lost" if that is not NULL, in
 * the scratch memory.  leave() is the same for the URLs of a host.
 */
int learn_sqlite_reservoir_sift(learn_sqlite_t *sq, int64_t site,
    learn_store_pick_pt keep, void *data, learn_pick_t **lost, size_t *gone);
int learn_sqlite_reservoir_leave(learn_sqlite_t *sq, int64_t site,
    const miqps_str_t *host, learn_pick_t **lost, size_t *gone);

/* as reservoir_add(), for picks that may be in the scratch memory */

int learn_sqlite_reservoir_take(learn_sqlite_t *sq, learn_owner_t *site,
    const learn_pick_t *picks, size_t n);

/* sqlite_sample.c */

int learn_sqlite_sample_add(learn_store_t *store, int64_t pattern,
    const miqps_str_t *name, learn_owner_t *param, const learn_pick_t *picks,
    size_t n);
int learn_sqlite_sample(learn_store_t *store, int64_t param,
    learn_store_pick_pt each, void *data);

/* a sample as it shall be */

int learn_sqlite_sample_save(learn_sqlite_t *sq, int64_t param,
    const learn_pick_t *picks, size_t n);

/* the smallest day; 0 for none */

int64_t learn_sqlite_oldest(const learn_pick_t *picks, size_t n);

/* sqlite_plan.c */

int learn_sqlite_hosts(learn_store_t *store, const miqps_str_t *after,
    uint64_t limit, learn_named_pt each, void *data);
int learn_sqlite_host_main(learn_store_t *store, const miqps_str_t *host,
    char *name, size_t size);
int learn_sqlite_host_site(learn_store_t *store, const miqps_str_t *host,
    int64_t *site);
int learn_sqlite_ranked(learn_store_t *store, const miqps_str_t *host,
    int clients, uint64_t limit, learn_ranked_pt each, void *data);
int learn_sqlite_params(learn_store_t *store, int64_t pattern,
    learn_named_pt each, void *data);

/* sqlite_run.c */

int learn_sqlite_study_lock(learn_store_t *store);
int learn_sqlite_run_open(learn_store_t *store, const miqps_str_t *host,
    const char *settings, int64_t *run, int *resumed);
int learn_sqlite_run_close(learn_store_t *store, const learn_run_t *run);
int learn_sqlite_runs(learn_store_t *store, const miqps_str_t *host,
    learn_run_pt each, void *data);

/* sqlite_evidence.c */

int learn_sqlite_visit_save(learn_store_t *store, int64_t run,
    const learn_visit_row_t *visit);
int learn_sqlite_visits(learn_store_t *store, int64_t run,
    learn_visit_pt each, void *data);
int learn_sqlite_visit(learn_store_t *store, int64_t run, uint64_t hash,
    learn_visit_pt each, void *data);

/* numbers, the low byte first */

void learn_sqlite_put(uint8_t *p, uint64_t value, size_t n);
uint64_t learn_sqlite_take(const uint8_t *p, size_t n);

int learn_sqlite_verdict_save(learn_store_t *store, int64_t run,
    const learn_verdict_t *verdict);
int learn_sqlite_verdicts(learn_store_t *store, int64_t run,
    learn_verdict_pt each, void *data);
int learn_sqlite_rule_save(learn_store_t *store, int64_t run,
    const learn_rule_row_t *rule);
int learn_sqlite_rules(learn_store_t *store, int64_t run, learn_rule_pt each,
    void *data);

/* sqlite_version.c */

int learn_sqlite_version_next(learn_store_t *store, int64_t *id);
int learn_sqlite_version_add(learn_store_t *store,
    const learn_version_t *version);
int learn_sqlite_version_state(learn_store_t *store, int64_t id,
    learn_version_e state, const char *note);
int learn_sqlite_versions(learn_store_t *store, learn_version_pt each,
    void *data);
int learn_sqlite_version(learn_store_t *store, int64_t id,
    learn_version_pt each, void *data);

/* sqlite_watched.c */

int learn_sqlite_watched_save(learn_store_t *store,
    const learn_watched_t *watched);
int learn_sqlite_watched_end(learn_store_t *store, int64_t version);
int learn_sqlite_watched(learn_store_t *store, learn_watched_pt each,
    void *data);
int learn_sqlite_hold_save(learn_store_t *store, const learn_hold_t *hold);
int learn_sqlite_hold_free(learn_store_t *store, const learn_hold_t *hold);
int learn_sqlite_holds(learn_store_t *store, learn_hold_pt each, void *data);
int learn_sqlite_holds_drop(learn_store_t *store);

/* sqlite_source.c */

int learn_sqlite_sources(learn_store_t *store, learn_store_source_pt each,
    void *data);
int learn_sqlite_source_save(learn_store_t *store, const char *path,
    learn_source_t *source);

/* sqlite_declare.c */

int learn_sqlite_declare(learn_store_t *store, const miqps_str_t *host,
    const miqps_str_t *site);
int learn_sqlite_declared(learn_store_t *store, learn_store_declared_pt each,
    void *data);

/* sqlite_shared.c */

int learn_sqlite_shared_read(learn_store_t *store, size_t page, void *data,
    size_t len);
int learn_sqlite_shared_save(learn_store_t *store, size_t page,
    const void *data, size_t len);

/* sqlite_expire.c */

int learn_sqlite_retention(learn_store_t *store, uint64_t *days);
int learn_sqlite_retention_save(learn_store_t *store, uint64_t days);
int learn_sqlite_expire(learn_store_t *store, uint64_t *gone);

/* sqlite_list.c */

int learn_sqlite_list(learn_store_t *store, learn_list_e what, uint64_t limit,
    learn_store_row_pt each, void *data);

/* sqlite_forget.c */

int learn_sqlite_forget(learn_store_t *store, const miqps_str_t *host,
    int *found);

/* sqlite_migrate.c: rows of the first schema as runs and samples */

int learn_sqlite_migrate_runs(learn_sqlite_t *sq);


#endif /* _LEARN_SQLITE_H_INCLUDED_ */
