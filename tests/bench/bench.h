
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _BENCH_H_INCLUDED_
#define _BENCH_H_INCLUDED_


#include "miqps_normalize.h"


/*
 * What the parts of bench_core share: the URLs, the rules they are measured
 * with, and the rows of the table.
 */


/* a URL whole and in the parts that nginx has at hand */

typedef struct {
    miqps_str_t        url;          /* a zero byte follows */
    miqps_str_t        host;
    miqps_str_t        path;
    miqps_str_t        args;
} bench_url_t;


typedef struct {
    const char        *name;
    const char        *text;         /* what is in it */
    bench_url_t       *urls;
    size_t             n;
    size_t             longest;      /* bytes of a URL */

    miqps_policy_t    *strict;       /* allow-lists of 20 hosts */
    miqps_policy_t    *tracking;     /* click and campaign identifiers */
    miqps_policy_t    *regexes;      /* as "strict", and two of these */

    miqps_plans_t     *strict_plans;
    miqps_plans_t     *tracking_plans;
    miqps_plans_t     *regexes_plans;
} bench_set_t;


/*
 * A row: run() takes each URL of a set once, in order, and returns a sum over
 * the results.  "buf" is room for BENCH_BUF bytes.
 */

#define BENCH_BUF  (4 * MIQPS_MAX_ARGS)

typedef struct {
    const char        *name;
    const char        *text;         /* what it does */
    uint64_t         (*run)(const bench_set_t *set, uint8_t *buf);
} bench_row_t;


/*
 * Makes the sets: two of seeded URLs and, if "path" can be read, one of the
 * lines of a file that are URLs with a query.  "rules" is a file with the text
 * of one strip a line.  Returns how many sets there are; says why and exits
 * if one cannot be made.
 */

#define BENCH_MAX_SETS  3

size_t bench_sets_init(bench_set_t *sets, const char *rules, const char *path);


/* the rows of other libraries; those that were not at hand are missing */

extern const bench_row_t  bench_peers[];
extern const size_t       bench_npeers;


/*
 * Makes "passes" passes over a set.  Callgrind counts each call of it, so
 * that it is not in the file that calls it.
 */

uint64_t bench_passes(const bench_row_t *row, const bench_set_t *set,
    uint8_t *buf, size_t passes);


/* the compiler has to believe that someone reads "p" here */

#define bench_keep(p)  __asm__ volatile ("" : : "r" (p) : "memory")


void *bench_alloc(void *data, size_t size);
void bench_fail(const char *what, const char *which);


#endif /* _BENCH_H_INCLUDED_ */
