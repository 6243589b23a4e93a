
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <sys/file.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "learn.h"
#include "sqlite.h"


static int  learn_sqlite_run_find(learn_sqlite_t *sq, const miqps_str_t *host,
    const char *settings, int64_t *run);
static int  learn_sqlite_run_make(learn_sqlite_t *sq, const miqps_str_t *host,
    const char *settings, int64_t *run);
static int  learn_sqlite_run_trim(learn_sqlite_t *sq, int64_t run);


int
learn_sqlite_study_lock(learn_store_t *store)
{
    char             path[4096];
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    (void) snprintf(path, sizeof(path), "%s-learn", sq->path);

    sq->study = open(path, O_RDWR|O_CREAT|O_CLOEXEC|O_NOFOLLOW, 0600);

    if (sq->study == -1) {
        learn_complain("%s: cannot open '%s': %s", sq->command, path,
                       strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    if (flock(sq->study, LOCK_EX|LOCK_NB) == -1) {
        learn_complain("%s: another miqps learns from the store '%s'; wait "
                       "for it to end", sq->command, sq->path);
        return LEARN_EXIT_LOCKED;
    }

    return LEARN_EXIT_OK;
}


int
learn_sqlite_run_open(learn_store_t *store, const miqps_str_t *host,
    const char *settings, int64_t *run, int *resumed)
{
    int              rc;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    *run = 0;

    rc = learn_sqlite_run_find(sq, host, settings, run);
    *resumed = (*run != 0);

    return (rc == LEARN_EXIT_OK && *run == 0)
           ? learn_sqlite_run_make(sq, host, settings, run) : rc;
}


static int
learn_sqlite_run_find(learn_sqlite_t *sq, const miqps_str_t *host,
    const char *settings, int64_t *run)
{
    int            rc;
    sqlite3_stmt  *stmt;

    stmt = learn_sqlite_use(sq, LEARN_SQL_RUN_FIND);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);
    (void) sqlite3_bind_text(stmt, 2, settings, -1, SQLITE_STATIC);

    rc = learn_sqlite_step(sq, stmt);

    if (rc != 1) {
        return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    *run = sqlite3_column_int64(stmt, 0);

    return learn_sqlite_run(sq, stmt);
}


static int
learn_sqlite_run_make(learn_sqlite_t *sq, const miqps_str_t *host,
    const char *settings, int64_t *run)
{
    int            rc;
    sqlite3_stmt  *stmt;

    stmt = learn_sqlite_use(sq, LEARN_SQL_RUN_MAKE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);
    (void) sqlite3_bind_text(stmt, 2, settings, -1, SQLITE_STATIC);
    (void) sqlite3_bind_int64(stmt, 3, (int64_t) time(NULL));

    rc = learn_sqlite_run(sq, stmt);
    *run = sqlite3_last_insert_rowid(sq->db);

    return rc;
}


int
learn_sqlite_run_close(learn_store_t *store, const learn_run_t *run)
{
    int              rc;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_RUN_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run->id);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) run->state);
    (void) sqlite3_bind_text(stmt, 3, (run->why != NULL) ? run->why : "", -1,
                             SQLITE_STATIC);
    (void) sqlite3_bind_int64(stmt, 4, run->ended);
    (void) sqlite3_bind_int64(stmt, 5, (int64_t) run->fetches);
    (void) sqlite3_bind_int64(stmt, 6, (int64_t) run->failed);
    (void) sqlite3_bind_text(stmt, 7, (run->mirrors != NULL) ? run->mirrors
                                                             : "", -1,
                             SQLITE_STATIC);

    rc = learn_sqlite_run(sq, stmt);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_do(sq, LEARN_SQL_VISIT_CUT, &run->id);
    }

    return (rc == LEARN_EXIT_OK) ? learn_sqlite_run_trim(sq, run->id) : rc;
}


/* older ones of the host, but for the last that have ended */

static int
learn_sqlite_run_trim(learn_sqlite_t *sq, int64_t run)
{
    static const learn_sql_e  steps[] = {
        LEARN_SQL_VISIT_DROP,
        LEARN_SQL_VERDICT_DROP,
        LEARN_SQL_RULE_DROP,
        LEARN_SQL_RUN_DROP
    };

    int            rc;
    size_t         i;
    int64_t        old;
    sqlite3_stmt  *stmt;

    for ( ;; ) {
        stmt = learn_sqlite_use(sq, LEARN_SQL_RUN_OLD);

        if (stmt == NULL) {
            return LEARN_EXIT_FAILED;
        }

        (void) sqlite3_bind_int64(stmt, 1, run);
        (void) sqlite3_bind_int64(stmt, 2, LEARN_RUNS_KEPT);

        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        old = sqlite3_column_int64(stmt, 0);
        rc = learn_sqlite_run(sq, stmt);

        for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
            if (rc == LEARN_EXIT_OK) {
                rc = learn_sqlite_do(sq, steps[i], &old);
            }
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }
}


int
learn_sqlite_runs(learn_store_t *store, const miqps_str_t *host,
    learn_run_pt each, void *data)
{
    int              rc;
    learn_run_t      run;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_RUN_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    learn_sqlite_text(stmt, 1, host);

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        run.id = sqlite3_column_int64(stmt, 0);
        run.host = (const char *) sqlite3_column_text(stmt, 1);
        run.settings = (const char *) sqlite3_column_text(stmt, 2);
        run.state = (learn_run_e) sqlite3_column_int(stmt, 3);
        run.why = (const char *) sqlite3_column_text(stmt, 4);
        run.started = sqlite3_column_int64(stmt, 5);
        run.ended = sqlite3_column_int64(stmt, 6);
        run.fetches = (uint64_t) sqlite3_column_int64(stmt, 7);
        run.failed = (uint64_t) sqlite3_column_int64(stmt, 8);
        run.mirrors = (const char *) sqlite3_column_text(stmt, 9);

        if (!each(&run, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_FAILED;
        }
    }
}
