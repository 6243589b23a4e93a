
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "sqlite.h"


#define LEARN_SQLITE_GROWTH  64        /* days */


/* what is left of a sample */

typedef struct {
    learn_pick_t    picks[LEARN_STORE_SAMPLE];
    size_t          n;
    size_t          gone;
    int64_t         day;
} learn_sqlite_fresh_t;


static int  learn_sqlite_expire_all(learn_sqlite_t *sq, uint64_t days,
    uint64_t *gone);
static int  learn_sqlite_expire_rows(learn_sqlite_t *sq, learn_sql_e old,
    int64_t day, uint64_t *gone);
static int  learn_sqlite_expire_list(learn_sqlite_t *sq, learn_sql_e old,
    int64_t day, int64_t **ids, size_t *n);
static int  learn_sqlite_expire_site(learn_sqlite_t *sq, int64_t site,
    int64_t day, size_t *gone);
static int  learn_sqlite_expire_param(learn_sqlite_t *sq, int64_t param,
    int64_t day, size_t *gone);
static int  learn_sqlite_expire_pick(const learn_pick_t *pick, void *data);
static int  learn_sqlite_is_fresh(const learn_pick_t *pick, void *data);


int
learn_sqlite_retention(learn_store_t *store, uint64_t *days)
{
    int      rc;
    int64_t  value;

    value = LEARN_STORE_RETENTION;

    rc = learn_sqlite_get((learn_sqlite_t *) store, LEARN_SQL_RETENTION, 0,
                          &value);

    *days = (uint64_t) value;

    return rc;
}


int
learn_sqlite_retention_save(learn_store_t *store, uint64_t days)
{
    int64_t  args[] = { (int64_t) days };

    return learn_sqlite_do((learn_sqlite_t *) store, LEARN_SQL_RETENTION_SAVE,
                           args);
}


int
learn_sqlite_expire(learn_store_t *store, uint64_t *gone)
{
    int              rc;
    uint64_t         days;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    *gone = 0;

    rc = learn_sqlite_retention(store, &days);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->begin(store);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_expire_all(sq, days, gone);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
        return rc;
    }

    return (*gone > 0) ? learn_sqlite_scrub(sq) : LEARN_EXIT_OK;
}


static int
learn_sqlite_expire_all(learn_sqlite_t *sq, uint64_t days, uint64_t *gone)
{
    static const learn_sql_e  steps[] = {
        LEARN_SQL_OLD_PATTERN_PARAMS,
        LEARN_SQL_OLD_PATTERNS,
        LEARN_SQL_OLD_HOSTS,
        LEARN_SQL_OLD_SOURCES,
        LEARN_SQL_EMPTY_RUNS,
        LEARN_SQL_EMPTY_GROWTH,
        LEARN_SQL_EMPTY_SITES
    };

    int      rc;
    size_t   i;
    int64_t  day;

    day = (int64_t) sq->store.today - LEARN_SQLITE_GROWTH;
    rc = learn_sqlite_do(sq, LEARN_SQL_OLD_GROWTH, &day);

    if (rc != LEARN_EXIT_OK || days == 0) {
        return rc;
    }

    day = (int64_t) sq->store.today - (int64_t) days;

    rc = learn_sqlite_expire_rows(sq, LEARN_SQL_OLD_SITES, day, gone);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_expire_rows(sq, LEARN_SQL_OLD_PARAMS, day, gone);
    }

    for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (rc == LEARN_EXIT_OK) {
            rc = learn_sqlite_do(sq, steps[i], &day);
        }
    }

    return rc;
}


static int
learn_sqlite_expire_rows(learn_sqlite_t *sq, learn_sql_e old, int64_t day,
    uint64_t *gone)
{
    int       rc;
    size_t    i, n, went;
    int64_t  *ids;

    rc = learn_sqlite_expire_list(sq, old, day, &ids, &n);

    for (i = 0; i < n && rc == LEARN_EXIT_OK; i++) {
        went = 0;

        rc = (old == LEARN_SQL_OLD_SITES)
             ? learn_sqlite_expire_site(sq, ids[i], day, &went)
             : learn_sqlite_expire_param(sq, ids[i], day, &went);

        *gone += went;
    }

    free(ids);

    return rc;
}


/* read to the end first: what is listed will change; free() "*ids" */

static int
learn_sqlite_expire_list(learn_sqlite_t *sq, learn_sql_e old, int64_t day,
    int64_t **ids, size_t *n)
{
    int            rc;
    size_t         room;
    int64_t       *list;
    sqlite3_stmt  *stmt;

    *n = 0;
    *ids = NULL;
    room = 0;

    stmt = learn_sqlite_use(sq, old);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, day);

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        if (*n == room) {
            room = (room == 0) ? 256 : 2 * room;
            list = realloc(*ids, room * sizeof(int64_t));

            if (list == NULL) {
                (void) sqlite3_reset(stmt);
                learn_complain("%s: out of memory", sq->command);
                return LEARN_EXIT_FAILED;
            }

            *ids = list;
        }

        (*ids)[(*n)++] = sqlite3_column_int64(stmt, 0);
    }
}


static int
learn_sqlite_expire_site(learn_sqlite_t *sq, int64_t site, int64_t day,
    size_t *gone)
{
    return learn_sqlite_reservoir_sift(sq, site, learn_sqlite_is_fresh, &day,
                                       NULL, gone);
}


static int
learn_sqlite_expire_param(learn_sqlite_t *sq, int64_t param, int64_t day,
    size_t *gone)
{
    int                   rc;
    learn_sqlite_fresh_t  fresh;

    fresh.n = 0;
    fresh.gone = 0;
    fresh.day = day;

    rc = learn_sqlite_sample(&sq->store, param, learn_sqlite_expire_pick,
                             &fresh);

    *gone = fresh.gone;

    return (rc == LEARN_EXIT_OK)
           ? learn_sqlite_sample_save(sq, param, fresh.picks, fresh.n) : rc;
}


static int
learn_sqlite_expire_pick(const learn_pick_t *pick, void *data)
{
    learn_sqlite_fresh_t  *fresh;

    fresh = data;

    if (learn_sqlite_is_fresh(pick, &fresh->day)) {
        fresh->picks[fresh->n++] = *pick;

    } else {
        fresh->gone++;
    }

    return 1;
}


static int
learn_sqlite_is_fresh(const learn_pick_t *pick, void *data)
{
    return pick->day >= *(const int64_t *) data;
}
