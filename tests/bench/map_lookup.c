
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../support/dice.h"
#include "map/map_file.h"
#include "miqps_map.h"


/*
 * Measures an image:
 *
 *     map_lookup IMAGE [QUERIES]
 *
 * prints, a line each, bytes of a pattern, GB/s of opening, ns of a look-up
 * of one host after the other in a few that are hot and in all of them at
 * random, and ns of a random probe of a table as large as the image.
 */

#define HOT      64
#define ROUNDS   9
#define MAX_LEN  8192


typedef struct {
    miqps_str_t      host;
    miqps_param_t   *params;
    size_t           n;
} query_t;


static miqps_map_work_t  work;
static volatile size_t   sink;


static double
now(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);

    return (double) ts.tv_sec * 1e9 + (double) ts.tv_nsec;
}


static void *
alloc(size_t size)
{
    void  *p;

    p = malloc(size);

    if (p == NULL) {
        (void) fputs("map_lookup: out of memory\n", stderr);
        exit(1);
    }

    return p;
}


/* the names of a pattern of a host, each with a value */

static void
make_query(const miqps_image_t *image, const uint8_t *record, dice_t *dice,
    query_t *query)
{
    uint32_t         i, k;
    size_t           pieces, len;
    uint8_t         *copy;
    miqps_str_t      name, args;
    miqps_host_t     host;
    miqps_pattern_t  pattern;

    static uint8_t        text[MAX_LEN], pool[MAX_LEN];
    static miqps_scan_t   scan;
    static miqps_param_t  params[MIQPS_MAX_PARAMS];

    miqps_image_host(&host, record);

    k = (uint32_t) dice_below(dice, host.npatterns);
    miqps_image_pattern(&pattern, record
                        + miqps_image_number(&host, host.offsets, k));

    len = 0;

    /* in no order */

    k = (uint32_t) dice_below(dice, pattern.n);

    for (i = 0; i < pattern.n; i++) {
        name = miqps_image_name(image, miqps_get_u24(pattern.names
                                                + 3 * ((i + k) % pattern.n)));
        len += (size_t) snprintf((char *) text + len, MAX_LEN - len,
                                 "%s%.*s=1", (i > 0) ? "&" : "",
                                 (int) name.len, (const char *) name.data);
    }

    /* all of a query in one place, host, text and parameters */

    query->params = alloc(pattern.n * sizeof(miqps_param_t) + len
                          + MIQPS_QUERY_SLACK + host.host.len);
    copy = (uint8_t *) (query->params + pattern.n);

    memcpy(copy, text, len);
    miqps_query_pad(copy + len);

    query->host.data = copy + len + MIQPS_QUERY_SLACK;
    query->host.len = host.host.len;

    memcpy(copy + len + MIQPS_QUERY_SLACK, host.host.data, host.host.len);

    args.data = copy;
    args.len = len;

    miqps_scan(&scan, &args);

    if (miqps_query_split(&args, &scan, pool, params, &query->n, &pieces)
        != MIQPS_GUARD_PASS)
    {
        query->n = 0;
    }

    memcpy(query->params, params, query->n * sizeof(miqps_param_t));
}


static double
look_up(const miqps_image_t *image, const query_t *queries, size_t n,
    size_t passes)
{
    double             start;
    size_t             i, k, found;
    miqps_map_entry_t  entry;

    static const miqps_str_t  path = miqps_string("/p/1");

    start = now();
    found = 0;

    for (k = 0; k < passes; k++) {
        for (i = 0; i < n; i++) {
            found += (size_t) miqps_map_find(image,
                         miqps_map_host(image, &queries[i].host), &path,
                         queries[i].params, queries[i].n, &work, &entry);
        }
    }

    sink = found;

    if (found != n * passes) {
        (void) printf("only %zu of %zu found\n", found, n * passes);
    }

    return (now() - start) / (double) (n * passes);
}


static double
probe(const uint8_t *table, size_t size, size_t n)
{
    size_t  i, sum;
    double  start;
    dice_t  dice;

    dice_init(&dice, 7, 7);
    sum = 0;
    start = now();

    for (i = 0; i < n; i++) {
        sum += table[(dice_next(&dice) + sum % 2) % size];
    }

    sink = sum;

    return (now() - start) / (double) n;
}


static double
best(double one, double two)
{
    return (two < one) ? two : one;
}


int
main(int argc, char **argv)
{
    size_t             i, n;
    double             start, opened, hot, cold, random;
    dice_t             dice;
    query_t           *queries;
    const char        *why;
    const uint8_t     *p, **records;
    miqps_image_t      image;
    learn_map_file_t   file;

    if (argc < 2 || learn_map_file_open(&file, "map_lookup", argv[1]) != 0) {
        return 1;
    }

    n = (argc > 2) ? strtoul(argv[2], NULL, 10) : 100000;
    opened = hot = cold = random = 1e18;

    for (i = 0; i < ROUNDS; i++) {
        start = now();
        (void) miqps_image_open(&image, file.data, file.size, &why);
        opened = best(opened, now() - start);
    }

    records = alloc(image.nhosts * sizeof(uint8_t *));
    queries = alloc(n * sizeof(query_t));
    p = image.section[MIQPS_SECTION_HOSTS].data;

    for (i = 0; i < image.nhosts; i++) {
        records[i] = p;
        p += miqps_get_u32(p);
    }

    dice_init(&dice, 3, 3);

    for (i = 0; i < n; i++) {
        make_query(&image, records[dice_below(&dice, image.nhosts)], &dice,
                   &queries[i]);
    }

    for (i = 0; i < ROUNDS; i++) {
        hot = best(hot, look_up(&image, queries, (n < HOT) ? n : HOT,
                                20000 / HOT));
        cold = best(cold, look_up(&image, queries, n, 1));
        random = best(random, probe(file.data, file.size, n));
    }

    (void) printf("bytes a pattern   %8.2f\n", (double) image.size
                                               / (double) image.npatterns);
    (void) printf("open GB/s         %8.2f\n", (double) image.size / opened);
    (void) printf("hot look-up ns    %8.1f\n", hot);
    (void) printf("cold look-up ns   %8.1f\n", cold);
    (void) printf("random probe ns   %8.1f\n", random);

    learn_map_file_release(&file);

    return 0;
}
