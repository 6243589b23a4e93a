
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _UNIT_H_INCLUDED_
#define _UNIT_H_INCLUDED_


#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/heap.h"
#include "../support/page.h"
#include "miqps_core.h"


/*
 * A unit test is a table of sentences: the first member of a row is what is
 * claimed, and each row becomes a test of its own.
 */

#define UNIT_MAX  1024


typedef struct {
    struct CMUnitTest  tests[UNIT_MAX];
    size_t             n;
} unit_t;


static inline void
unit_add(unit_t *unit, const char *sentence, CMUnitTestFunction test,
    const void *row)
{
    struct CMUnitTest  *t;

    if (unit->n == UNIT_MAX) {
        printf("Bail out! more than %d tests\n", UNIT_MAX);
        exit(1);
    }

    t = &unit->tests[unit->n++];

    memset(t, 0, sizeof(struct CMUnitTest));

    t->name = sentence;
    t->test_func = test;
    t->initial_state = (void *) (uintptr_t) row;
}


static inline void
unit_add_rows(unit_t *unit, CMUnitTestFunction test, const void *rows,
    size_t nrows, size_t size)
{
    size_t       i;
    const char  *row, *sentence;

    for (i = 0; i < nrows; i++) {
        row = (const char *) rows + i * size;
        memcpy(&sentence, row, sizeof(sentence));
        unit_add(unit, sentence, test, row);
    }
}


#define unit_rows(unit, test, table)                                         \
    unit_add_rows(unit, test, table, sizeof(table) / sizeof((table)[0]),     \
                  sizeof((table)[0]))


static inline int
unit_run(unit_t *unit, const char *name)
{
    return _cmocka_run_group_tests(name, unit->tests, unit->n, NULL, NULL);
}


/* a copy of a terminated string that ends at a guard page, without the zero */

static inline miqps_str_t
unit_put(page_t *page, const char *s)
{
    miqps_str_t  str;

    page_init(page, strlen(s));

    str.len = strlen(s);
    str.data = page_put(page, s, str.len);

    return str;
}


static inline miqps_str_t
unit_str(const char *s)
{
    miqps_str_t  str;

    str.data = (const uint8_t *) s;
    str.len = strlen(s);

    return str;
}


/* compares bytes with a terminated string and shows both if they differ */

static inline void
unit_equal_at(const uint8_t *data, size_t len, const char *want,
    const char *file, int line)
{
    if (len == strlen(want) && (len == 0 || memcmp(data, want, len) == 0)) {
        return;
    }

    print_error("\"%.*s\" (%u bytes), not \"%s\"\n", (int) len,
                (len > 0) ? (const char *) data : "", (unsigned) len, want);
    _fail(file, line);
}


#define unit_equal(data, len, want)                                          \
    unit_equal_at(data, len, want, __FILE__, __LINE__)


#endif /* _UNIT_H_INCLUDED_ */
