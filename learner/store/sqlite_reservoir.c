
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


/*
 * A reservoir is several runs, one for each batch, so that a batch costs what
 * it brings and not what is there.  When these are too many, or have twice the
 * URLs of a reservoir, they become one; so they do while they are few URLs.
 */

#define LEARN_SQLITE_RUNS  64
#define LEARN_SQLITE_FEW   2000


static int  learn_sqlite_run_add(learn_sqlite_t *sq, int64_t site,
    const learn_pick_t *picks, size_t n);
static int  learn_sqlite_runs_load(learn_sqlite_t *sq, int64_t site,
    learn_pick_t **picks, size_t *n);
static int  learn_sqlite_runs_read(learn_sqlite_t *sq, int64_t site,
    miqps_str_t **runs, size_t *n);
static int  learn_sqlite_runs_save(learn_sqlite_t *sq, learn_owner_t *site,
    const learn_pick_t *picks, size_t n);
static int  learn_sqlite_site_save(learn_sqlite_t *sq,
    const learn_owner_t *site);
static int  learn_sqlite_elsewhere(const learn_pick_t *pick, void *data);
static int  learn_sqlite_no_memory(learn_sqlite_t *sq);


int
learn_sqlite_reservoir_add(learn_store_t *store, learn_owner_t *site,
    const learn_pick_t *picks, size_t n)
{
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    learn_arena_clear(&sq->scratch);

    return learn_sqlite_reservoir_take(sq, site, picks, n);
}


int
learn_sqlite_reservoir_take(learn_sqlite_t *sq, learn_owner_t *site,
    const learn_pick_t *picks, size_t n)
{
    int            rc;
    size_t         all;
    learn_pick_t  *merged;

    rc = learn_sqlite_run_add(sq, site->id, picks, n);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    site->kept += n;
    site->runs++;

    if (site->runs == 1
        || (site->runs < LEARN_SQLITE_RUNS && site->kept >= LEARN_SQLITE_FEW
            && site->kept < 2 * LEARN_STORE_RESERVOIR))
    {
        return learn_sqlite_site_save(sq, site);
    }

    rc = learn_sqlite_runs_load(sq, site->id, &merged, &all);

    return (rc == LEARN_EXIT_OK)
           ? learn_sqlite_runs_save(sq, site, merged, all) : rc;
}


static int
learn_sqlite_run_add(learn_sqlite_t *sq, int64_t site,
    const learn_pick_t *picks, size_t n)
{
    size_t         size;
    uint8_t       *data;
    sqlite3_stmt  *stmt;

    stmt = learn_sqlite_use(sq, LEARN_SQL_RUN_ADD);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    size = learn_picks_size(picks, n);
    data = learn_arena_alloc(&sq->scratch, size);

    if (data == NULL) {
        return learn_sqlite_no_memory(sq);
    }

    (void) learn_picks_write(picks, n, data);

    (void) sqlite3_bind_int64(stmt, 1, site);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) n);
    (void) sqlite3_bind_int64(stmt, 3, learn_sqlite_oldest(picks, n));
    (void) sqlite3_bind_blob64(stmt, 4, data, size, SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}


/* all that a site has, as one; in the scratch memory */

static int
learn_sqlite_runs_load(learn_sqlite_t *sq, int64_t site, learn_pick_t **picks,
    size_t *n)
{
    int            rc;
    size_t         i, nruns;
    miqps_str_t   *runs;
    learn_pick_t  *spare;

    rc = learn_sqlite_runs_read(sq, site, &runs, &nruns);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    *n = 0;

    for (i = 0; i < nruns; i++) {
        *n += learn_picks_read(runs[i].data, runs[i].len, NULL);
    }

    *picks = learn_arena_alloc(&sq->scratch, *n * sizeof(learn_pick_t));
    spare = learn_arena_alloc(&sq->scratch, *n * sizeof(learn_pick_t));

    if (*picks == NULL || spare == NULL) {
        return learn_sqlite_no_memory(sq);
    }

    *n = 0;

    for (i = 0; i < nruns; i++) {
        *n += learn_picks_read(runs[i].data, runs[i].len, *picks + *n);
    }

    *n = learn_picks_merge(*picks, spare, *n, LEARN_STORE_RESERVOIR);

    return LEARN_EXIT_OK;
}


static int
learn_sqlite_runs_read(learn_sqlite_t *sq, int64_t site, miqps_str_t **runs,
    size_t *n)
{
    int            rc;
    size_t         len;
    uint8_t       *data;
    miqps_str_t   *list;
    sqlite3_stmt  *stmt;

    *n = 0;
    *runs = NULL;

    stmt = learn_sqlite_use(sq, LEARN_SQL_RUNS_READ);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, site);

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        len = (size_t) sqlite3_column_bytes(stmt, 0);
        data = learn_arena_alloc(&sq->scratch, len);
        list = *runs;

        if (*n % LEARN_SQLITE_RUNS == 0) {
            list = learn_arena_alloc(&sq->scratch, (*n + LEARN_SQLITE_RUNS)
                                                   * sizeof(miqps_str_t));
        }

        if (data == NULL || list == NULL) {
            (void) sqlite3_reset(stmt);
            return learn_sqlite_no_memory(sq);
        }

        if (list != *runs && *n > 0) {
            memcpy(list, *runs, *n * sizeof(miqps_str_t));
        }

        if (len > 0) {
            memcpy(data, sqlite3_column_blob(stmt, 0), len);
        }

        *runs = list;
        list[*n].data = data;
        list[*n].len = len;
        (*n)++;
    }
}


/* one run in the place of all */

static int
learn_sqlite_runs_save(learn_sqlite_t *sq, learn_owner_t *site,
    const learn_pick_t *picks, size_t n)
{
    int  rc;

    rc = learn_sqlite_do(sq, LEARN_SQL_RUNS_DROP, &site->id);

    if (rc == LEARN_EXIT_OK && n > 0) {
        rc = learn_sqlite_run_add(sq, site->id, picks, n);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    site->kept = n;
    site->runs = (n > 0);
    site->floor = (n == LEARN_STORE_RESERVOIR) ? picks[n - 1].hash : INT64_MAX;

    return learn_sqlite_site_save(sq, site);
}


static int
learn_sqlite_site_save(learn_sqlite_t *sq, const learn_owner_t *site)
{
    int64_t  args[] = { site->id, (int64_t) site->kept, (int64_t) site->runs,
                        (int64_t) site->floor };

    return learn_sqlite_do(sq, LEARN_SQL_SITE_SAVE, args);
}


int
learn_sqlite_reservoir(learn_store_t *store, int64_t site,
    learn_store_pick_pt each, void *data)
{
    int              rc;
    size_t           i, n;
    learn_pick_t    *picks;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;

    learn_arena_clear(&sq->scratch);

    rc = learn_sqlite_runs_load(sq, site, &picks, &n);

    for (i = 0; rc == LEARN_EXIT_OK && i < n; i++) {
        if (!each(&picks[i], data)) {
            break;
        }
    }

    return rc;
}


int
learn_sqlite_reservoir_sift(learn_sqlite_t *sq, int64_t id,
    learn_store_pick_pt keep, void *data, learn_pick_t **lost, size_t *gone)
{
    int            rc;
    size_t         i, n, left;
    learn_pick_t  *picks, *out;
    learn_owner_t  site;

    learn_arena_clear(&sq->scratch);

    rc = learn_sqlite_runs_load(sq, id, &picks, &n);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    out = learn_arena_alloc(&sq->scratch, n * sizeof(learn_pick_t));

    if (out == NULL) {
        return learn_sqlite_no_memory(sq);
    }

    left = 0;
    *gone = 0;

    for (i = 0; i < n; i++) {
        if (keep(&picks[i], data)) {
            picks[left++] = picks[i];

        } else {
            out[(*gone)++] = picks[i];
        }
    }

    if (lost != NULL) {
        *lost = out;
    }

    if (*gone == 0) {
        return LEARN_EXIT_OK;
    }

    site.id = id;

    return learn_sqlite_runs_save(sq, &site, picks, left);
}


int
learn_sqlite_reservoir_leave(learn_sqlite_t *sq, int64_t site,
    const miqps_str_t *host, learn_pick_t **lost, size_t *gone)
{
    return learn_sqlite_reservoir_sift(sq, site, learn_sqlite_elsewhere,
                                       (void *) host, lost, gone);
}


/* true for a URL of another host */

static int
learn_sqlite_elsewhere(const learn_pick_t *pick, void *data)
{
    miqps_str_t         host;
    const miqps_str_t  *name;

    name = data;
    host = learn_store_url_host(pick);

    return !miqps_str_eq(&host, name);
}


static int
learn_sqlite_no_memory(learn_sqlite_t *sq)
{
    learn_complain("%s: out of memory", sq->command);

    return LEARN_EXIT_FAILED;
}
