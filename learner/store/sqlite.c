
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <sys/file.h>
#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "learn.h"
#include "sqlite.h"
#include "trust.h"


/* milliseconds to wait for somebody who holds SQLite's own locks */

#define LEARN_SQLITE_WAIT  5000


static int  learn_sqlite_file(learn_sqlite_t *sq, learn_store_mode_e mode);
static int  learn_sqlite_start(learn_sqlite_t *sq, learn_store_mode_e mode);
static void  learn_sqlite_close(learn_store_t *store);
static int  learn_sqlite_begin(learn_store_t *store);
static int  learn_sqlite_commit(learn_store_t *store);
static void  learn_sqlite_rollback(learn_store_t *store);
static void  learn_sqlite_unlock(learn_sqlite_t *sq);


static const learn_store_ops_t  learn_sqlite_ops = {
    .close = learn_sqlite_close,
    .begin = learn_sqlite_begin,
    .commit = learn_sqlite_commit,
    .rollback = learn_sqlite_rollback,
    .site = learn_sqlite_site,
    .host = learn_sqlite_host,
    .pattern = learn_sqlite_pattern,
    .host_add = learn_sqlite_host_add,
    .site_add = learn_sqlite_site_add,
    .pattern_save = learn_sqlite_pattern_save,
    .reservoir_add = learn_sqlite_reservoir_add,
    .sample_add = learn_sqlite_sample_add,
    .reservoir = learn_sqlite_reservoir,
    .sample = learn_sqlite_sample,
    .trim_host = learn_sqlite_trim_host,
    .sources = learn_sqlite_sources,
    .source_save = learn_sqlite_source_save,
    .declare = learn_sqlite_declare,
    .declared = learn_sqlite_declared,
    .shared_read = learn_sqlite_shared_read,
    .shared_save = learn_sqlite_shared_save,
    .retention = learn_sqlite_retention,
    .retention_save = learn_sqlite_retention_save,
    .expire = learn_sqlite_expire,
    .study_lock = learn_sqlite_study_lock,
    .hosts = learn_sqlite_hosts,
    .host_site = learn_sqlite_host_site,
    .host_main = learn_sqlite_host_main,
    .ranked = learn_sqlite_ranked,
    .params = learn_sqlite_params,
    .run_open = learn_sqlite_run_open,
    .run_close = learn_sqlite_run_close,
    .runs = learn_sqlite_runs,
    .visit_save = learn_sqlite_visit_save,
    .visits = learn_sqlite_visits,
    .visit = learn_sqlite_visit,
    .verdict_save = learn_sqlite_verdict_save,
    .verdicts = learn_sqlite_verdicts,
    .rule_save = learn_sqlite_rule_save,
    .rules = learn_sqlite_rules,
    .version_next = learn_sqlite_version_next,
    .version_add = learn_sqlite_version_add,
    .version_state = learn_sqlite_version_state,
    .versions = learn_sqlite_versions,
    .version = learn_sqlite_version,
    .watched_save = learn_sqlite_watched_save,
    .watched_end = learn_sqlite_watched_end,
    .watched = learn_sqlite_watched,
    .hold_save = learn_sqlite_hold_save,
    .hold_free = learn_sqlite_hold_free,
    .holds = learn_sqlite_holds,
    .holds_drop = learn_sqlite_holds_drop,
    .list = learn_sqlite_list,
    .forget = learn_sqlite_forget
};


int
learn_sqlite_open(learn_store_t **store, const char *command, const char *path,
    learn_store_mode_e mode)
{
    int              rc;
    learn_sqlite_t  *sq;

    sq = calloc(1, sizeof(learn_sqlite_t));

    if (sq == NULL) {
        learn_complain("%s: out of memory", command);
        return LEARN_EXIT_FAILED;
    }

    learn_arena_init(&sq->scratch);

    sq->store.ops = &learn_sqlite_ops;
    sq->store.today = (uint16_t) (time(NULL) / 86400);
    sq->command = command;
    sq->lock = -1;
    sq->study = -1;
    sq->path = strdup(path);

    if (sq->path == NULL) {
        learn_complain("%s: out of memory", command);
        rc = LEARN_EXIT_FAILED;

    } else {
        rc = learn_sqlite_file(sq, mode);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_start(sq, mode);
    }

    if (rc != LEARN_EXIT_OK) {
        learn_sqlite_close(&sq->store);
        return rc;
    }

    *store = &sq->store;

    return LEARN_EXIT_OK;
}


/* the file itself: made for its owner alone, and locked */

static int
learn_sqlite_file(learn_sqlite_t *sq, learn_store_mode_e mode)
{
    int          flags;
    struct stat  st;

    flags = (mode == LEARN_STORE_READ) ? O_RDONLY : O_RDWR;

    if (mode == LEARN_STORE_CREATE || mode == LEARN_STORE_AWAIT) {
        flags |= O_CREAT;
    }

    sq->lock = open(sq->path, flags | O_CLOEXEC, 0600);

    if (sq->lock == -1 || fstat(sq->lock, &st) == -1) {
        learn_complain("%s: cannot open the store '%s': %s", sq->command,
                       sq->path, strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    if (!S_ISREG(st.st_mode)) {
        learn_complain("%s: the store '%s' is not a file", sq->command,
                       sq->path);
        return LEARN_EXIT_FAILED;
    }

    if (!learn_trust(sq->command, sq->path, &st, LEARN_TRUST_FILE)) {
        return LEARN_EXIT_FAILED;
    }

    if (mode == LEARN_STORE_READ) {
        return LEARN_EXIT_OK;
    }

    if (flock(sq->lock, LOCK_EX | ((mode >= LEARN_STORE_AWAIT) ? 0 : LOCK_NB))
        == -1)
    {
        if (errno == EINTR) {
            return LEARN_EXIT_LOCKED;
        }

        learn_complain("%s: another miqps writes to the store '%s'; wait for "
                       "it to end", sq->command, sq->path);
        return LEARN_EXIT_LOCKED;
    }

    /* whoever may read URLs is for the owner to say, and he said nobody */

    if ((st.st_mode & 077) != 0 && fchmod(sq->lock, 0600) == -1) {
        learn_complain("%s: others may read the store '%s', and that cannot "
                       "be changed: %s", sq->command, sq->path,
                       strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    return LEARN_EXIT_OK;
}


static int
learn_sqlite_start(learn_sqlite_t *sq, learn_store_mode_e mode)
{
    int  rc;

    if (sqlite3_open_v2(sq->path, &sq->db, SQLITE_OPEN_READWRITE, NULL)
        != SQLITE_OK)
    {
        return learn_sqlite_failed(sq);
    }

    (void) sqlite3_extended_result_codes(sq->db, 1);
    (void) sqlite3_busy_timeout(sq->db, LEARN_SQLITE_WAIT);

    /* what is deleted must be gone */

    rc = learn_sqlite_exec(sq, "PRAGMA page_size = 16384;"
                               "PRAGMA secure_delete = FAST;"
                               "PRAGMA trusted_schema = OFF;"
                               "PRAGMA cache_size = -32768");

    if (rc == LEARN_EXIT_OK && mode != LEARN_STORE_READ) {
        rc = learn_sqlite_exec(sq, "PRAGMA journal_mode = WAL;"
                                   "PRAGMA synchronous = FULL;"
                                   "PRAGMA wal_autocheckpoint = 16384;"
                                   "PRAGMA journal_size_limit = 67108864");
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_schema(sq, mode);
    }

    if (rc == LEARN_EXIT_OK && mode == LEARN_STORE_SHARE) {
        sq->shared = 1;
        (void) flock(sq->lock, LOCK_UN);
    }

    return rc;
}


static void
learn_sqlite_close(learn_store_t *store)
{
    size_t           i;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    for (i = 0; i < LEARN_SQL_MAX; i++) {
        (void) sqlite3_finalize(sq->stmt[i]);
    }

    (void) sqlite3_close(sq->db);
    learn_arena_release(&sq->scratch);

    if (sq->lock != -1) {
        (void) close(sq->lock);
    }

    if (sq->study != -1) {
        (void) close(sq->study);
    }

    free(sq->path);
    free(sq);
}


static int
learn_sqlite_begin(learn_store_t *store)
{
    int              rc;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    /* whoever holds it for longer holds it for good reason */

    while (sq->shared && flock(sq->lock, LOCK_EX) == -1) {
        if (errno != EINTR) {
            learn_complain("%s: the store '%s' cannot be locked: %s",
                           sq->command, sq->path, strerror(errno));
            return LEARN_EXIT_FAILED;
        }
    }

    rc = learn_sqlite_do(sq, LEARN_SQL_BEGIN, NULL);
    sq->open = (rc == LEARN_EXIT_OK);

    return rc;
}


static int
learn_sqlite_commit(learn_store_t *store)
{
    int              rc;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    rc = learn_sqlite_do(sq, LEARN_SQL_COMMIT, NULL);

    if (rc == LEARN_EXIT_OK) {
        sq->open = 0;
        learn_sqlite_unlock(sq);
    }

    return rc;
}


static void
learn_sqlite_rollback(learn_store_t *store)
{
    size_t           i;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    for (i = 0; i < LEARN_SQL_MAX; i++) {
        (void) sqlite3_reset(sq->stmt[i]);
    }

    /* a full disk may have rolled it back already */

    if (sq->open && !sqlite3_get_autocommit(sq->db)) {
        (void) sqlite3_exec(sq->db, "ROLLBACK", NULL, NULL, NULL);
    }

    sq->open = 0;
    learn_sqlite_unlock(sq);
}


static void
learn_sqlite_unlock(learn_sqlite_t *sq)
{
    if (sq->shared) {
        (void) flock(sq->lock, LOCK_UN);
    }
}


int
learn_sqlite_exec(learn_sqlite_t *sq, const char *sql)
{
    if (sqlite3_exec(sq->db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        return learn_sqlite_failed(sq);
    }

    return LEARN_EXIT_OK;
}


int
learn_sqlite_failed(learn_sqlite_t *sq)
{
    int          error;
    const char  *text;

    error = sqlite3_system_errno(sq->db);
    text = sqlite3_errmsg(sq->db);

    switch (sqlite3_errcode(sq->db) & 0xff) {

    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        learn_complain("%s: somebody else holds the store '%s'; wait for him "
                       "to end", sq->command, sq->path);
        return LEARN_EXIT_LOCKED;

    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        learn_complain("%s: the store '%s' is damaged or is none (%s); put a "
                       "copy in its place, or move it away and ingest again",
                       sq->command, sq->path, text);
        return LEARN_EXIT_FAILED;

    case SQLITE_FULL:
        learn_complain("%s: no space is left for the store '%s'; it is as it "
                       "was after the last batch, go on when there is some",
                       sq->command, sq->path);
        return LEARN_EXIT_FAILED;

    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        learn_complain("%s: cannot write to the store '%s' or its folder: %s",
                       sq->command, sq->path,
                       (error != 0) ? strerror(error) : text);
        return LEARN_EXIT_FAILED;

    default:
        learn_complain("%s: the store '%s' failed: %s%s%s", sq->command,
                       sq->path, text, (error != 0) ? ": " : "",
                       (error != 0) ? strerror(error) : "");
        return LEARN_EXIT_FAILED;
    }
}
