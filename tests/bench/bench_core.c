
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "bench.h"
#include "miqps_url.h"


/*
 * The core on three sets of URLs, beside other libraries and beside what
 * copying and one look into a table cost:
 *
 *     bench_core time RULES [URLS]
 *     bench_core count RULES [URLS]
 *
 * "time" takes CPU time in rounds, each with every row on every set, so that
 * what else the machine does falls on all of them alike.  "count" makes one
 * pass and two passes of each, for callgrind to count at bench_passes().
 *
 * RULES holds one strip rule a line, URLS one URL a line.  Both print lines
 * of fields separated by tabs; the script beside this file reads them.
 */

#define BENCH_ROUNDS     31
#define BENCH_BATCH      5000000.0       /* ns of one measurement at least */

#define BENCH_MAX_ROWS   16
#define BENCH_TABLE      4096            /* entries, a power of two */


typedef struct {
    size_t         passes;
    double         ns[BENCH_ROUNDS];     /* per URL */
} bench_cell_t;


static miqps_work_t  bench_work;
static uint64_t      bench_table[BENCH_TABLE];
static bench_cell_t  bench_cells[BENCH_MAX_SETS][BENCH_MAX_ROWS];

/* where the sums go, so that no row is for nothing */

static volatile uint64_t  bench_sum;


static uint64_t  bench_miqps(const bench_set_t *set, uint8_t *buf);
static uint64_t  bench_miqps_new(const bench_set_t *set, uint8_t *buf);
static uint64_t  bench_miqps_url(const bench_set_t *set, uint8_t *buf);
static uint64_t  bench_miqps_tracking(const bench_set_t *set, uint8_t *buf);
static uint64_t  bench_miqps_regexes(const bench_set_t *set, uint8_t *buf);
static uint64_t  bench_memcpy(const bench_set_t *set, uint8_t *buf);
static uint64_t  bench_probe(const bench_set_t *set, uint8_t *buf);


static const bench_row_t  bench_own[] = {
    { "miqps", "miqps: host, path, args; allow-list of the host, sorted",
      bench_miqps },

    { "miqps-new", "miqps: the same for names that were never seen before",
      bench_miqps_new },

    { "miqps-url", "miqps: the same from the whole URL",
      bench_miqps_url },

    { "miqps-tracking", "miqps: tracking list only, not sorted",
      bench_miqps_tracking },

    { "miqps-regexes", "miqps: as the first, and two regular expressions",
      bench_miqps_regexes }
};


static const bench_row_t  bench_floor[] = {
    { "memcpy", "memcpy() of the URL",
      bench_memcpy },

    { "memcpy-probe", "memcpy(), XXH3, one look into a cached table",
      bench_probe }
};


/* --- rows */


static inline uint64_t
bench_normalize(const miqps_policy_t *policy, const miqps_request_t *req,
    uint8_t *buf)
{
    miqps_result_t  res;

    if (miqps_normalize(policy, req, &bench_work, buf, BENCH_BUF, &res)
        != MIQPS_OK)
    {
        return 0;
    }

    bench_keep(res.args.data);

    return res.args.len + res.nstripped;
}


static inline uint64_t
bench_parts(const bench_set_t *set, uint8_t *buf, miqps_plans_t *plans)
{
    size_t           i;
    uint64_t         sum;
    miqps_request_t  req;

    sum = 0;
    req.plans = plans;
    req.image = NULL;
    req.sort = 1;

    for (i = 0; i < set->n; i++) {
        req.host = set->urls[i].host;
        req.path = set->urls[i].path;
        req.args = set->urls[i].args;

        sum += bench_normalize(set->strict, &req, buf);
    }

    return sum;
}


static uint64_t
bench_miqps(const bench_set_t *set, uint8_t *buf)
{
    return bench_parts(set, buf, set->strict_plans);
}


static uint64_t
bench_miqps_new(const bench_set_t *set, uint8_t *buf)
{
    return bench_parts(set, buf, NULL);
}


static uint64_t
bench_miqps_url(const bench_set_t *set, uint8_t *buf)
{
    size_t           i;
    uint8_t          host[MIQPS_MAX_HOST];
    uint64_t         sum;
    miqps_url_t      url;
    miqps_request_t  req;

    sum = 0;
    req.plans = set->strict_plans;
    req.image = NULL;
    req.sort = 1;

    for (i = 0; i < set->n; i++) {

        if (miqps_url_split(&url, &set->urls[i].url) != MIQPS_OK
            || miqps_url_host(&url.host, host, &req.host) != MIQPS_OK)
        {
            continue;
        }

        req.path = url.path;
        req.args = url.args;

        sum += bench_normalize(set->strict, &req, buf);
    }

    return sum;
}


static uint64_t
bench_miqps_tracking(const bench_set_t *set, uint8_t *buf)
{
    size_t           i;
    uint64_t         sum;
    miqps_request_t  req;

    sum = 0;
    req.plans = set->tracking_plans;
    req.image = NULL;
    req.sort = 0;

    for (i = 0; i < set->n; i++) {
        req.host = set->urls[i].host;
        req.path = set->urls[i].path;
        req.args = set->urls[i].args;

        sum += bench_normalize(set->tracking, &req, buf);
    }

    return sum;
}


static uint64_t
bench_miqps_regexes(const bench_set_t *set, uint8_t *buf)
{
    size_t           i;
    uint64_t         sum;
    miqps_request_t  req;

    sum = 0;
    req.plans = set->regexes_plans;
    req.image = NULL;
    req.sort = 1;

    for (i = 0; i < set->n; i++) {
        req.host = set->urls[i].host;
        req.path = set->urls[i].path;
        req.args = set->urls[i].args;

        sum += bench_normalize(set->regexes, &req, buf);
    }

    return sum;
}


static uint64_t
bench_memcpy(const bench_set_t *set, uint8_t *buf)
{
    size_t    i;
    uint64_t  sum;

    sum = 0;

    for (i = 0; i < set->n; i++) {
        memcpy(buf, set->urls[i].url.data, set->urls[i].url.len);
        bench_keep(buf);
        sum += buf[0];
    }

    return sum;
}


/* counts URLs that meet themselves: none the first time, then most */

static uint64_t
bench_probe(const bench_set_t *set, uint8_t *buf)
{
    size_t    i, len;
    uint64_t  sum, hash, *entry;

    sum = 0;

    for (i = 0; i < set->n; i++) {
        len = set->urls[i].url.len;

        memcpy(buf, set->urls[i].url.data, len);
        bench_keep(buf);

        hash = XXH3_64bits(buf, len);
        entry = &bench_table[hash & (BENCH_TABLE - 1)];

        sum += (*entry == hash);
        *entry = hash;
    }

    return sum;
}


/* --- measuring */


static double
bench_now(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);

    return (double) ts.tv_sec * 1e9 + (double) ts.tv_nsec;
}


static double
bench_batch(const bench_row_t *row, const bench_set_t *set, uint8_t *buf,
    size_t passes)
{
    double  start;

    start = bench_now();
    bench_sum = bench_passes(row, set, buf, passes);

    return bench_now() - start;
}


/* finds how many passes take long enough to be measured; warms up, too */

static size_t
bench_calibrate(const bench_row_t *row, const bench_set_t *set, uint8_t *buf)
{
    size_t  passes;

    for (passes = 1; bench_batch(row, set, buf, passes) < BENCH_BATCH;
         passes *= 2)
    {
        /* void */
    }

    return passes;
}


static int
bench_less(const void *a, const void *b)
{
    double  x, y;

    x = *(const double *) a;
    y = *(const double *) b;

    return (x > y) - (x < y);
}


static void
bench_time(const bench_set_t *sets, size_t nsets, const bench_row_t *rows,
    size_t nrows, uint8_t *buf)
{
    size_t         s, r, k;
    bench_cell_t  *cell;

    for (s = 0; s < nsets; s++) {
        for (r = 0; r < nrows; r++) {
            bench_cells[s][r].passes = bench_calibrate(&rows[r], &sets[s],
                                                       buf);
        }
    }

    for (k = 0; k < BENCH_ROUNDS; k++) {
        for (s = 0; s < nsets; s++) {
            for (r = 0; r < nrows; r++) {
                cell = &bench_cells[s][r];
                cell->ns[k] = bench_batch(&rows[r], &sets[s], buf,
                                          cell->passes)
                              / (double) (cell->passes * sets[s].n);
            }
        }
    }

    for (s = 0; s < nsets; s++) {
        for (r = 0; r < nrows; r++) {
            cell = &bench_cells[s][r];

            qsort(cell->ns, BENCH_ROUNDS, sizeof(double), bench_less);

            (void) printf("time\t%s\t%s\t%.1f\t%.1f\t%.1f\n", sets[s].name,
                          rows[r].name, cell->ns[BENCH_ROUNDS / 2],
                          cell->ns[0], cell->ns[BENCH_ROUNDS - 1]);
        }
    }
}


/* the first pass, which binds symbols and fills tables, is not counted */

static void
bench_instructions(const bench_set_t *sets, size_t nsets,
    const bench_row_t *rows, size_t nrows, uint8_t *buf)
{
    size_t  s, r, passes;

    for (s = 0; s < nsets; s++) {
        for (r = 0; r < nrows; r++) {
            bench_sum = rows[r].run(&sets[s], buf);

            for (passes = 1; passes <= 2; passes++) {
                bench_sum = bench_passes(&rows[r], &sets[s], buf, passes);

                (void) printf("count\t%s\t%s\t%zu\n", sets[s].name,
                              rows[r].name, passes * sets[s].n);
            }
        }
    }
}


/* what is in a set, and what becomes of it */

static void
bench_describe(const bench_set_t *set, uint8_t *buf)
{
    size_t           i, bytes, args, params, stripped, changed, opaque;
    miqps_result_t   res;
    miqps_request_t  req;

    bytes = args = params = stripped = changed = opaque = 0;

    req.plans = NULL;
    req.image = NULL;
    req.sort = 1;

    for (i = 0; i < set->n; i++) {
        req.host = set->urls[i].host;
        req.path = set->urls[i].path;
        req.args = set->urls[i].args;

        bytes += set->urls[i].url.len;
        args += set->urls[i].args.len;

        (void) miqps_normalize(set->strict, &req, &bench_work, buf, BENCH_BUF,
                               &res);

        opaque += (res.guard != MIQPS_GUARD_PASS);
        changed += res.changed;
        params += res.nparams;
        stripped += res.nstripped;
    }

    (void) printf("set\t%s\t%s\t%zu\t%.1f\t%.1f\t%.2f\t%.2f\t%zu\t%zu\n",
                  set->name, set->text, set->n,
                  (double) bytes / (double) set->n,
                  (double) args / (double) set->n,
                  (double) params / (double) (set->n - opaque),
                  (double) stripped / (double) (set->n - opaque),
                  changed, opaque);
}


int
main(int argc, char **argv)
{
    size_t        i, n, nsets;
    uint8_t      *buf;
    bench_row_t   rows[BENCH_MAX_ROWS];
    bench_set_t   sets[BENCH_MAX_SETS];

    if (argc < 3 || argc > 4) {
        bench_fail("usage: bench_core", "time|count RULES [URLS]");
    }

    buf = bench_alloc(NULL, BENCH_BUF);
    nsets = bench_sets_init(sets, argv[2], argv[3]);

    n = 0;

    for (i = 0; i < sizeof(bench_own) / sizeof(bench_row_t); i++) {
        rows[n++] = bench_own[i];
    }

    for (i = 0; i < bench_npeers; i++) {
        rows[n++] = bench_peers[i];
    }

    for (i = 0; i < sizeof(bench_floor) / sizeof(bench_row_t); i++) {
        rows[n++] = bench_floor[i];
    }

    for (i = 0; i < nsets; i++) {
        bench_describe(&sets[i], buf);
    }

    for (i = 0; i < n; i++) {
        (void) printf("row\t%s\t%s\n", rows[i].name, rows[i].text);
    }

    if (strcmp(argv[1], "count") == 0) {
        bench_instructions(sets, nsets, rows, n, buf);
        return 0;
    }

    (void) printf("rounds\t%d\n", BENCH_ROUNDS);

    bench_time(sets, nsets, rows, n, buf);

    return 0;
}
