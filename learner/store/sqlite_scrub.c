
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "sqlite.h"


/*
 * Pages that are free have what was in them until they are used again, and
 * zeroing each of them when it becomes free would double what a batch writes.
 * When something is to be gone for good, they are all used once, for zeroes.
 */

#define LEARN_SQLITE_BLOB  (256 * 1024 * 1024)       /* bytes at a time */


static int  learn_sqlite_fill(learn_sqlite_t *sq, int64_t size);


int
learn_sqlite_scrub(learn_sqlite_t *sq)
{
    int      rc;
    int64_t  free, size;

    rc = learn_sqlite_number(sq, "PRAGMA page_size", &size);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_exec(sq, "BEGIN IMMEDIATE;"
                                   "CREATE TABLE scrub (zeroes BLOB)");
    }

    while (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_number(sq, "PRAGMA freelist_count", &free);

        if (rc != LEARN_EXIT_OK || free == 0) {
            break;
        }

        /* a page of a blob has a little less than its size */

        rc = learn_sqlite_fill(sq, free * (size - 64));
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_sqlite_exec(sq, "DROP TABLE scrub; COMMIT");
    }

    if (rc != LEARN_EXIT_OK) {
        sq->open = 1;
        sq->store.ops->rollback(&sq->store);
        return rc;
    }

    /* the log has the pages as they were */

    return learn_sqlite_exec(sq, "PRAGMA wal_checkpoint(TRUNCATE)");
}


static int
learn_sqlite_fill(learn_sqlite_t *sq, int64_t size)
{
    char  sql[128];

    size = (size < LEARN_SQLITE_BLOB) ? size : LEARN_SQLITE_BLOB;

    (void) snprintf(sql, sizeof(sql),
                    "INSERT INTO scrub VALUES (zeroblob(%lld))",
                    (long long) size);

    return learn_sqlite_exec(sq, sql);
}
