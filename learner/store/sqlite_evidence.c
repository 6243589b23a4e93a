
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "sqlite.h"


#define LEARN_PAIR_BYTES  18


static void  learn_sqlite_put(uint8_t *p, uint64_t value, size_t n);
static uint64_t  learn_sqlite_take(const uint8_t *p, size_t n);
static int  learn_sqlite_visit_rows(learn_sqlite_t *sq, sqlite3_stmt *stmt,
    learn_visit_pt each, void *data);
static int  learn_sqlite_verdict_row(sqlite3_stmt *stmt,
    learn_arena_t *scratch, learn_verdict_t *verdict);


int
learn_sqlite_visit_save(learn_store_t *store, int64_t run,
    const learn_visit_row_t *visit)
{
    size_t           i;
    uint8_t          ids[8 * LEARN_VISIT_IDS];
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VISIT_SAVE);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    for (i = 0; i < LEARN_VISIT_IDS; i++) {
        learn_sqlite_put(ids + 8 * i, visit->ids[i], 8);
    }

    (void) sqlite3_bind_int64(stmt, 1, run);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) visit->hash);
    learn_sqlite_text(stmt, 3, &visit->url);
    (void) sqlite3_bind_int64(stmt, 4, visit->at);
    (void) sqlite3_bind_int64(stmt, 5, (int64_t) visit->ms);
    (void) sqlite3_bind_int64(stmt, 6, (int64_t) visit->bytes);
    (void) sqlite3_bind_int64(stmt, 7, visit->status);
    (void) sqlite3_bind_int64(stmt, 8, visit->outcome);
    (void) sqlite3_bind_int64(stmt, 9, visit->page);
    (void) sqlite3_bind_blob(stmt, 10, ids, sizeof(ids), SQLITE_STATIC);
    learn_sqlite_text(stmt, 11, &visit->title);
    learn_sqlite_text(stmt, 12, &visit->location);
    learn_sqlite_text(stmt, 13, &visit->canonical);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_visits(learn_store_t *store, int64_t run, learn_visit_pt each,
    void *data)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VISIT_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run);

    return learn_sqlite_visit_rows(sq, stmt, each, data);
}


int
learn_sqlite_visit(learn_store_t *store, int64_t run, uint64_t hash,
    learn_visit_pt each, void *data)
{
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VISIT_FIND);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) hash);

    return learn_sqlite_visit_rows(sq, stmt, each, data);
}


static int
learn_sqlite_visit_rows(learn_sqlite_t *sq, sqlite3_stmt *stmt,
    learn_visit_pt each, void *data)
{
    int                rc;
    size_t             i, len;
    const uint8_t     *ids;
    learn_visit_row_t  visit;

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            return (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
        }

        visit.hash = (uint64_t) sqlite3_column_int64(stmt, 0);
        learn_sqlite_column(stmt, 1, &visit.url);
        visit.at = sqlite3_column_int64(stmt, 2);
        visit.ms = (uint64_t) sqlite3_column_int64(stmt, 3);
        visit.bytes = (uint64_t) sqlite3_column_int64(stmt, 4);
        visit.status = (unsigned) sqlite3_column_int(stmt, 5);
        visit.outcome = (unsigned) sqlite3_column_int(stmt, 6);
        visit.page = (unsigned) sqlite3_column_int(stmt, 7);

        ids = sqlite3_column_blob(stmt, 8);
        len = (size_t) sqlite3_column_bytes(stmt, 8);

        for (i = 0; i < LEARN_VISIT_IDS; i++) {
            visit.ids[i] = (8 * i + 8 <= len)
                           ? learn_sqlite_take(ids + 8 * i, 8) : 0;
        }

        learn_sqlite_column(stmt, 9, &visit.title);
        learn_sqlite_column(stmt, 10, &visit.location);
        learn_sqlite_column(stmt, 11, &visit.canonical);

        if (!each(&visit, data)) {
            (void) sqlite3_reset(stmt);
            return LEARN_EXIT_FAILED;
        }
    }
}


int
learn_sqlite_verdict_save(learn_store_t *store, int64_t run,
    const learn_verdict_t *verdict)
{
    size_t           i;
    uint8_t         *pairs, *p;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VERDICT_SAVE);

    learn_arena_clear(&sq->scratch);
    pairs = learn_arena_alloc(&sq->scratch,
                              verdict->npairs * LEARN_PAIR_BYTES);

    if (stmt == NULL || pairs == NULL) {
        return LEARN_EXIT_FAILED;
    }

    for (i = 0, p = pairs; i < verdict->npairs; i++, p += LEARN_PAIR_BYTES) {
        learn_sqlite_put(p, verdict->pairs[i].original, 8);
        learn_sqlite_put(p + 8, verdict->pairs[i].variant, 8);
        learn_sqlite_put(p + 16, verdict->pairs[i].differs, 2);
    }

    (void) sqlite3_bind_int64(stmt, 1, run);
    learn_sqlite_text(stmt, 2, &verdict->names);
    learn_sqlite_text(stmt, 3, &verdict->name);
    (void) sqlite3_bind_int64(stmt, 4, (int64_t) verdict->urls);
    (void) sqlite3_bind_int64(stmt, 5, (int64_t) verdict->tested);
    (void) sqlite3_bind_int64(stmt, 6, (int64_t) verdict->differed);
    (void) sqlite3_bind_int64(stmt, 7, (int64_t) verdict->verdict);
    (void) sqlite3_bind_blob64(stmt, 8, pairs,
                               verdict->npairs * LEARN_PAIR_BYTES,
                               SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_verdicts(learn_store_t *store, int64_t run,
    learn_verdict_pt each, void *data)
{
    int              rc;
    learn_arena_t    pairs;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;
    learn_verdict_t  verdict;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VERDICT_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run);

    /* of its own: who is called may ask for something else */

    learn_arena_init(&pairs);

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            rc = (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
            break;
        }

        learn_arena_clear(&pairs);

        if (!learn_sqlite_verdict_row(stmt, &pairs, &verdict)
            || !each(&verdict, data))
        {
            (void) sqlite3_reset(stmt);
            rc = LEARN_EXIT_FAILED;
            break;
        }
    }

    learn_arena_release(&pairs);

    return rc;
}


static int
learn_sqlite_verdict_row(sqlite3_stmt *stmt, learn_arena_t *scratch,
    learn_verdict_t *verdict)
{
    size_t          i;
    learn_pair_t   *pairs;
    const uint8_t  *p;

    learn_sqlite_column(stmt, 0, &verdict->names);
    learn_sqlite_column(stmt, 1, &verdict->name);
    verdict->urls = (uint64_t) sqlite3_column_int64(stmt, 2);
    verdict->tested = (uint64_t) sqlite3_column_int64(stmt, 3);
    verdict->differed = (uint64_t) sqlite3_column_int64(stmt, 4);
    verdict->verdict = (learn_verdict_e) sqlite3_column_int(stmt, 5);
    verdict->npairs = (size_t) sqlite3_column_bytes(stmt, 6)
                      / LEARN_PAIR_BYTES;

    p = sqlite3_column_blob(stmt, 6);
    pairs = learn_arena_alloc(scratch,
                              verdict->npairs * sizeof(learn_pair_t));

    if (pairs == NULL) {
        return 0;
    }

    for (i = 0; i < verdict->npairs; i++, p += LEARN_PAIR_BYTES) {
        pairs[i].original = learn_sqlite_take(p, 8);
        pairs[i].variant = learn_sqlite_take(p + 8, 8);
        pairs[i].differs = (uint16_t) learn_sqlite_take(p + 16, 2);
    }

    verdict->pairs = pairs;

    return 1;
}


/* numbers, the low byte first */

static void
learn_sqlite_put(uint8_t *p, uint64_t value, size_t n)
{
    for (/* void */ ; n > 0; n--, value >>= 8) {
        *p++ = (uint8_t) value;
    }
}


static uint64_t
learn_sqlite_take(const uint8_t *p, size_t n)
{
    uint64_t  value;

    value = 0;

    while (n > 0) {
        value = value << 8 | p[--n];
    }

    return value;
}
