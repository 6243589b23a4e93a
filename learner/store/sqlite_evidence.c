
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "sqlite.h"


#define LEARN_PAIR_BYTES  18


static uint8_t  *learn_sqlite_pairs(learn_sqlite_t *sq,
    const learn_pair_t *pairs, size_t n);
static learn_pair_t  *learn_sqlite_pairs_read(sqlite3_stmt *stmt, int column,
    learn_arena_t *arena, size_t *n);
static int  learn_sqlite_verdict_row(sqlite3_stmt *stmt,
    learn_arena_t *scratch, learn_verdict_t *verdict);


int
learn_sqlite_verdict_save(learn_store_t *store, int64_t run,
    const learn_verdict_t *verdict)
{
    uint8_t         *pairs;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_VERDICT_SAVE);
    pairs = learn_sqlite_pairs(sq, verdict->pairs, verdict->npairs);

    if (stmt == NULL || pairs == NULL) {
        return LEARN_EXIT_FAILED;
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
    learn_sqlite_text(stmt, 9, &verdict->path);
    learn_sqlite_text(stmt, 10, &verdict->value);

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
    learn_sqlite_column(stmt, 0, &verdict->names);
    learn_sqlite_column(stmt, 1, &verdict->name);
    verdict->urls = (uint64_t) sqlite3_column_int64(stmt, 2);
    verdict->tested = (uint64_t) sqlite3_column_int64(stmt, 3);
    verdict->differed = (uint64_t) sqlite3_column_int64(stmt, 4);
    verdict->verdict = (learn_verdict_e) sqlite3_column_int(stmt, 5);
    verdict->pairs = learn_sqlite_pairs_read(stmt, 6, scratch,
                                             &verdict->npairs);
    learn_sqlite_column(stmt, 7, &verdict->path);
    learn_sqlite_column(stmt, 8, &verdict->value);

    return verdict->pairs != NULL;
}


int
learn_sqlite_rule_save(learn_store_t *store, int64_t run,
    const learn_rule_row_t *rule)
{
    uint8_t         *pairs;
    sqlite3_stmt    *stmt;
    learn_sqlite_t  *sq;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_RULE_SAVE);
    pairs = learn_sqlite_pairs(sq, rule->pairs, rule->npairs);

    if (stmt == NULL || pairs == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run);
    (void) sqlite3_bind_int64(stmt, 2, (int64_t) rule->number);
    learn_sqlite_text(stmt, 3, &rule->rule);
    (void) sqlite3_bind_blob64(stmt, 4, pairs,
                               rule->npairs * LEARN_PAIR_BYTES,
                               SQLITE_STATIC);

    return learn_sqlite_run(sq, stmt);
}


int
learn_sqlite_rules(learn_store_t *store, int64_t run, learn_rule_pt each,
    void *data)
{
    int               rc;
    learn_arena_t     pairs;
    sqlite3_stmt     *stmt;
    learn_sqlite_t   *sq;
    learn_rule_row_t  rule;

    sq = (learn_sqlite_t *) store;
    stmt = learn_sqlite_use(sq, LEARN_SQL_RULE_LIST);

    if (stmt == NULL) {
        return LEARN_EXIT_FAILED;
    }

    (void) sqlite3_bind_int64(stmt, 1, run);
    learn_arena_init(&pairs);

    for ( ;; ) {
        rc = learn_sqlite_step(sq, stmt);

        if (rc != 1) {
            rc = (rc == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
            break;
        }

        learn_arena_clear(&pairs);

        rule.number = (uint64_t) sqlite3_column_int64(stmt, 0);
        learn_sqlite_column(stmt, 1, &rule.rule);
        rule.pairs = learn_sqlite_pairs_read(stmt, 2, &pairs, &rule.npairs);

        if (rule.pairs == NULL || !each(&rule, data)) {
            (void) sqlite3_reset(stmt);
            rc = LEARN_EXIT_FAILED;
            break;
        }
    }

    learn_arena_release(&pairs);

    return rc;
}


/* in the scratch memory; NULL without any */

static uint8_t *
learn_sqlite_pairs(learn_sqlite_t *sq, const learn_pair_t *pairs, size_t n)
{
    size_t    i;
    uint8_t  *data, *p;

    learn_arena_clear(&sq->scratch);
    data = learn_arena_alloc(&sq->scratch, n * LEARN_PAIR_BYTES);

    for (i = 0, p = data; data != NULL && i < n; i++, p += LEARN_PAIR_BYTES) {
        learn_sqlite_put(p, pairs[i].original, 8);
        learn_sqlite_put(p + 8, pairs[i].variant, 8);
        learn_sqlite_put(p + 16, pairs[i].differs, 2);
    }

    return data;
}


static learn_pair_t *
learn_sqlite_pairs_read(sqlite3_stmt *stmt, int column, learn_arena_t *arena,
    size_t *n)
{
    size_t          i;
    learn_pair_t   *pairs;
    const uint8_t  *p;

    p = sqlite3_column_blob(stmt, column);
    *n = (size_t) sqlite3_column_bytes(stmt, column) / LEARN_PAIR_BYTES;
    pairs = learn_arena_alloc(arena, *n * sizeof(learn_pair_t));

    for (i = 0; pairs != NULL && i < *n; i++, p += LEARN_PAIR_BYTES) {
        pairs[i].original = learn_sqlite_take(p, 8);
        pairs[i].variant = learn_sqlite_take(p + 8, 8);
        pairs[i].differs = (uint16_t) learn_sqlite_take(p + 16, 2);
    }

    return pairs;
}


void
learn_sqlite_put(uint8_t *p, uint64_t value, size_t n)
{
    for (/* void */ ; n > 0; n--, value >>= 8) {
        *p++ = (uint8_t) value;
    }
}


uint64_t
learn_sqlite_take(const uint8_t *p, size_t n)
{
    uint64_t  value;

    value = 0;

    while (n > 0) {
        value = value << 8 | p[--n];
    }

    return value;
}
