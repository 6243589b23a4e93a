
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


/*
 * The first schema had a row for each URL, of a site or of a parameter.  What
 * an owner has comes in order of its hashes.
 */

typedef struct {
    learn_sqlite_t   *sq;
    learn_arena_t     arena;
    learn_pick_t     *picks;
    size_t            n;
    size_t            room;
    int64_t           owner;
} learn_migrate_t;


static int  learn_migrate_rows(learn_migrate_t *ctx, const char *sql,
    int (*save)(learn_migrate_t *ctx));
static int  learn_migrate_add(learn_migrate_t *ctx, sqlite3_stmt *stmt);
static int  learn_migrate_site(learn_migrate_t *ctx);
static int  learn_migrate_param(learn_migrate_t *ctx);


int
learn_sqlite_migrate_runs(learn_sqlite_t *sq)
{
    int              rc;
    learn_migrate_t  ctx;

    memset(&ctx, 0, sizeof(learn_migrate_t));

    ctx.sq = sq;
    learn_arena_init(&ctx.arena);

    rc = learn_migrate_rows(&ctx,
             "SELECT site, hash, url FROM reservoir ORDER BY site, hash",
             learn_migrate_site);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_migrate_rows(&ctx,
                 "SELECT param, hash, url FROM samples ORDER BY param, hash",
                 learn_migrate_param);
    }

    learn_arena_release(&ctx.arena);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_exec(sq,
                 "DROP TABLE reservoir; DROP TABLE samples;"
                 "UPDATE hosts SET seen = strftime('%s', 'now') / 86400;"
                 "UPDATE patterns SET seen = strftime('%s', 'now') / 86400");
    }

    return rc;
}


static int
learn_migrate_rows(learn_migrate_t *ctx, const char *sql,
    int (*save)(learn_migrate_t *ctx))
{
    int            rc, step;
    sqlite3_stmt  *stmt;

    if (sqlite3_prepare_v2(ctx->sq->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
        return learn_sqlite_failed(ctx->sq);
    }

    ctx->n = 0;
    rc = LEARN_EXIT_OK;

    do {
        step = sqlite3_step(stmt);

        if (ctx->n > 0 && (step == SQLITE_DONE
                           || sqlite3_column_int64(stmt, 0) != ctx->owner))
        {
            rc = save(ctx);

            ctx->n = 0;
            ctx->room = 0;
            learn_arena_clear(&ctx->arena);
        }

        if (rc == LEARN_EXIT_OK && step == SQLITE_ROW) {
            rc = learn_migrate_add(ctx, stmt);
        }

    } while (rc == LEARN_EXIT_OK && step == SQLITE_ROW);

    sqlite3_finalize(stmt);

    if (rc == LEARN_EXIT_OK && step != SQLITE_DONE) {
        return learn_sqlite_failed(ctx->sq);
    }

    return rc;
}


static int
learn_migrate_add(learn_migrate_t *ctx, sqlite3_stmt *stmt)
{
    size_t         len;
    uint8_t       *url;
    learn_pick_t  *list;

    ctx->owner = sqlite3_column_int64(stmt, 0);
    len = (size_t) sqlite3_column_bytes(stmt, 2);
    url = learn_arena_alloc(&ctx->arena, len);
    list = ctx->picks;

    if (ctx->n == ctx->room) {
        ctx->room = (ctx->room == 0) ? 64 : 2 * ctx->room;
        list = learn_arena_alloc(&ctx->arena,
                                 ctx->room * sizeof(learn_pick_t));
    }

    if (url == NULL || list == NULL) {
        learn_complain("%s: out of memory", ctx->sq->command);
        return LEARN_EXIT_FAILED;
    }

    if (list != ctx->picks && ctx->n > 0) {
        memcpy(list, ctx->picks, ctx->n * sizeof(learn_pick_t));
    }

    ctx->picks = list;

    if (len > LEARN_PICK_MAX) {
        return LEARN_EXIT_OK;
    }

    if (len > 0) {
        memcpy(url, sqlite3_column_text(stmt, 2), len);
    }

    list = &list[ctx->n++];

    list->hash = (uint64_t) sqlite3_column_int64(stmt, 1);
    list->url = url;
    list->len = (uint32_t) len;
    list->day = ctx->sq->store.today;
    list->veiled = 0;

    return LEARN_EXIT_OK;
}


static int
learn_migrate_site(learn_migrate_t *ctx)
{
    learn_owner_t  site;

    site.id = ctx->owner;
    site.kept = 0;
    site.runs = 0;
    site.floor = (ctx->n < LEARN_STORE_RESERVOIR)
                 ? INT64_MAX : ctx->picks[ctx->n - 1].hash;

    return learn_sqlite_reservoir_add(&ctx->sq->store, &site, ctx->picks,
                                      ctx->n);
}


static int
learn_migrate_param(learn_migrate_t *ctx)
{
    learn_owner_t  param;

    param.id = ctx->owner;

    return learn_sqlite_sample_add(&ctx->sq->store, 0, NULL, &param,
                                   ctx->picks, ctx->n);
}
