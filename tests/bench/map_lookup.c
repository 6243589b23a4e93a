
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "map_names.h"
#include "miqps_image_check.h"
#include "miqps_map.h"


/*
 * Measures look-ups in images of map_source with 5 patterns of 6 names:
 *
 *     map_lookup time LARGE SMALL      CPU time in interleaved rounds
 *     map_lookup count LARGE           look-ups that callgrind counts
 *
 * Prints lines of fields with tabs between them.  "map" is patterns and bytes
 * of LARGE.  "time" has a name and a number for each round:
 *
 *     read        GB/s of reading the file, which is in memory, into memory
 *     check       GB/s of validating it there
 *     hot         ns of a look-up of one of a few patterns of LARGE
 *     small       the same in SMALL
 *     cold        ns of a look-up of any pattern of LARGE
 *     probe       ns of reading a byte anywhere in LARGE
 *
 * "count" is written after each of two calls of map_passes(): the number of
 * look-ups of hot patterns.
 *
 * Look-ups and probes alike depend on each other: where the next one goes is
 * known only when the one before is done, as if it were the only one.
 */

#define HOT         64          /* patterns; a batch of cold ones, too */
#define HOT_PASSES  500
#define COLD        100000      /* look-ups of a round, and probes */
#define ROUNDS      9
#define NAMES       6
#define TEXT        (NAMES * (MAP_NAME_SIZE + 3))


typedef struct {
    uint8_t         *data;
    size_t           size;
    miqps_image_t    image;
    map_size_t       is;
} table_t;


typedef struct {
    miqps_str_t      host;
    miqps_param_t    params[NAMES];
    char             name[MAP_NAME_SIZE];
    char             text[TEXT + MIQPS_QUERY_SLACK];
    uint8_t          pool[TEXT];
} query_t;


/* callgrind looks for it by name */

static void map_passes(const table_t *table, const query_t *queries,
    size_t passes) __attribute__((noinline));


static query_t           hot[HOT], small[HOT], cold[HOT];
static miqps_map_work_t  work;
static volatile size_t   sink;


static void
fail(const char *what)
{
    (void) fprintf(stderr, "map_lookup: %s\n", what);
    exit(1);
}


static double
now(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);

    return (double) ts.tv_sec * 1e9 + (double) ts.tv_nsec;
}


/* all of a file; again into the same memory if there is some */

static void
read_table(table_t *table, const char *name)
{
    int          fd;
    size_t       done;
    ssize_t      n;
    struct stat  st;

    fd = open(name, O_RDONLY);

    if (fd == -1 || fstat(fd, &st) == -1 || st.st_size <= 0) {
        fail("cannot open an image");
    }

    if (table->data == NULL) {
        table->size = (size_t) st.st_size;
        table->data = malloc(table->size);
    }

    for (done = 0; table->data != NULL && done < table->size; done += n) {
        n = read(fd, table->data + done, table->size - done);

        if (n <= 0) {
            fail("cannot read an image");
        }
    }

    (void) close(fd);
}


static void
check_table(table_t *table)
{
    const char  *why;

    why = "out of memory";

    if (table->data == NULL
        || miqps_image_open(&table->image, table->data, table->size, &why)
           != MIQPS_OK)
    {
        fail(why);
    }
}


/* what map_source has printed for it */

static void
size_table(table_t *table)
{
    table->is.hosts = table->image.nhosts;
    table->is.patterns = table->image.npatterns / table->image.nhosts;
    table->is.names = NAMES;
    table->is.distinct = 200000;
    table->is.shared = 0;
}


/* the names of any pattern of any host, in no order, each with a value */

static void
make_query(const table_t *table, dice_t *dice, query_t *query)
{
    size_t         i, k, n, len, pieces, host;
    miqps_str_t    args;
    map_pattern_t  pattern;

    static miqps_scan_t   scan;
    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    host = dice_below(dice, table->is.hosts);
    map_pattern(&pattern, &table->is, host,
                dice_below(dice, table->is.patterns));

    query->host.data = (const uint8_t *) query->name;
    query->host.len = (size_t) snprintf(query->name, sizeof(query->name),
                                        MAP_HOST, host);

    k = dice_below(dice, NAMES);
    len = 0;

    for (i = 0; i < NAMES; i++) {
        map_name(query->text + len, pattern.id[(i + k) % NAMES]);
        len += strlen(query->text + len);
        memcpy(query->text + len, "=1&", 3);
        len += 3;
    }

    args.data = (const uint8_t *) query->text;
    args.len = len - 1;

    miqps_query_pad((uint8_t *) query->text + args.len);
    miqps_scan(&scan, &args);

    if (miqps_query_split(&args, &scan, query->pool, params, &n, &pieces)
        != MIQPS_GUARD_PASS || n != NAMES)
    {
        fail("a query is not split");
    }

    memcpy(query->params, params, sizeof(query->params));
}


static void
make_queries(const table_t *table, dice_t *dice, query_t *queries)
{
    size_t  i;

    for (i = 0; i < HOT; i++) {
        make_query(table, dice, &queries[i]);
    }
}


/*
 * All queries so many times.  What is learned of a parameter is a small
 * number; all that is left of it here is that it has to be known.
 */

static void
map_passes(const table_t *table, const query_t *queries, size_t passes)
{
    size_t             i, next, found;
    const query_t     *query;
    miqps_map_entry_t  entry;

    static const miqps_str_t  path = miqps_string("/p/1");

    found = 0;
    next = 0;

    for (i = 0; i < HOT * passes; i++) {
        query = &queries[next];
        found += (size_t) miqps_map_find(&table->image,
                              miqps_map_host(&table->image, &query->host),
                              &path, query->params, NAMES, &work, &entry);
        next = (next + 1 + (work.learned[0] >> 7)) % HOT;
    }

    if (found != HOT * passes) {
        fail("a pattern is not found");
    }
}


static double
time_hot(const table_t *table, const query_t *queries)
{
    double  start;

    map_passes(table, queries, 1);

    start = now();
    map_passes(table, queries, HOT_PASSES);

    return (now() - start) / (double) (HOT * HOT_PASSES);
}


/* queries are made when they are due, as a request is: they are not cold */

static double
time_cold(const table_t *table, dice_t *dice)
{
    size_t  i;
    double  start, spent;

    spent = 0;

    for (i = 0; i < COLD; i += HOT) {
        make_queries(table, dice, cold);

        start = now();
        map_passes(table, cold, 1);
        spent += now() - start;
    }

    return spent / (double) i;
}


/* a step of a generator that takes a few cycles, no division */

static double
time_probe(const table_t *table, uint64_t seed)
{
    size_t    i;
    double    start;
    uint64_t  x;

    x = seed;
    start = now();

    for (i = 0; i < COLD; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x += table->data[(x >> 32) * table->size >> 32];
    }

    sink = x;

    return (now() - start) / (double) COLD;
}


static void
print_rounds(const char *name, const double *rounds)
{
    size_t  i;

    (void) printf("time\t%s", name);

    for (i = 0; i < ROUNDS; i++) {
        (void) printf("\t%.3f", rounds[i]);
    }

    (void) puts("");
}


static void
measure(table_t *large, table_t *less, const char *name)
{
    size_t  i, k;
    double  start, rounds[6][ROUNDS];
    dice_t  dice;

    static const char *const  names[] = {
        "read", "check", "hot", "small", "cold", "probe"
    };

    dice_init(&dice, 3, 3);

    for (i = 0; i < ROUNDS; i++) {
        start = now();
        read_table(large, name);
        rounds[0][i] = (double) large->size / (now() - start);

        start = now();
        check_table(large);
        rounds[1][i] = (double) large->size / (now() - start);

        rounds[2][i] = time_hot(large, hot);
        rounds[3][i] = time_hot(less, small);
        rounds[4][i] = time_cold(large, &dice);
        rounds[5][i] = time_probe(large, dice_next(&dice));
    }

    for (k = 0; k < 6; k++) {
        print_rounds(names[k], rounds[k]);
    }
}


int
main(int argc, char **argv)
{
    size_t   passes;
    dice_t   dice;
    table_t  large, less;

    memset(&large, 0, sizeof(large));
    memset(&less, 0, sizeof(less));

    if (argc < 3 || argc != 3 + (strcmp(argv[1], "time") == 0)) {
        fail("usage: map_lookup time LARGE SMALL | count LARGE");
    }

    dice_init(&dice, 2, 2);

    read_table(&large, argv[2]);
    check_table(&large);
    size_table(&large);
    make_queries(&large, &dice, hot);

    (void) printf("map\t%zu\t%zu\n", (size_t) large.image.npatterns,
                  large.size);

    if (argc == 4) {
        read_table(&less, argv[3]);
        check_table(&less);
        size_table(&less);
        make_queries(&less, &dice, small);

        measure(&large, &less, argv[2]);

        return 0;
    }

    for (passes = 1; passes <= 2; passes++) {
        map_passes(&large, hot, passes);
        (void) printf("count\t%zu\n", HOT * passes);
    }

    return 0;
}
