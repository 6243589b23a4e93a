
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "learn.h"
#include "map/map_file.h"
#include "miqps_normalize.h"


/*
 * What path rules cost the normalizer:
 *
 *     map_paths URLS IMAGE...
 *
 * URLS has a host and a target a line, with a space between them.  For each
 * image it prints its name, how many of the URLs its rules move, and the CPU
 * time of a URL in ns, one number for each round; rounds of images alternate.
 */

#define PASSES  50
#define ROUNDS  15
#define IMAGES  4


typedef struct {
    miqps_str_t    host;
    miqps_str_t    path;
    miqps_str_t    args;
} url_t;


static miqps_work_t    work;
static miqps_second_t  second;
static miqps_plans_t   plans[IMAGES];
static uint8_t         buf[4 * MIQPS_MAX_ARGS];
static double          rounds[IMAGES][ROUNDS];
static size_t          moved[IMAGES];


static void
fail(const char *what)
{
    (void) fprintf(stderr, "map_paths: %s\n", what);
    exit(1);
}


static double
now(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);

    return (double) ts.tv_sec * 1e9 + (double) ts.tv_nsec;
}


static miqps_str_t
part(const char *text, size_t len)
{
    miqps_str_t  str;

    str.data = (const uint8_t *) text;
    str.len = len;

    return str;
}


static url_t
parse(char *line)
{
    char   *space, *question;
    url_t   url;

    line[strcspn(line, "\n")] = '\0';
    space = strchr(line, ' ');

    if (space == NULL) {
        fail("a line has no target");
    }

    question = space + 1 + strcspn(space + 1, "?");

    url.host = part(line, (size_t) (space - line));
    url.path = part(space + 1, (size_t) (question - space - 1));
    url.args = part(question + (*question == '?'),
                    strlen(question) - (*question == '?'));

    return url;
}


static url_t *
read_urls(const char *name, size_t *n)
{
    char    *line;
    url_t   *urls;
    FILE    *f;
    size_t   size, have;

    f = fopen(name, "r");

    if (f == NULL) {
        fail("cannot open the URLs");
    }

    urls = NULL;
    have = 0;
    *n = 0;

    for (line = NULL, size = 0; getline(&line, &size, f) > 0; line = NULL) {

        if (*n == have) {
            have = 2 * have + 1000;
            urls = realloc(urls, have * sizeof(url_t));
        }

        if (urls == NULL) {
            fail("out of memory");
        }

        urls[(*n)++] = parse(line);
        size = 0;
    }

    free(line);
    (void) fclose(f);

    return urls;
}


static double
once(const miqps_policy_t *policy, const miqps_image_t *image,
    miqps_plans_t *known, const url_t *urls, size_t n, size_t *nmoved)
{
    size_t           i;
    double           start;
    miqps_result_t   res;
    miqps_request_t  req;

    memset(&req, 0, sizeof(miqps_request_t));

    req.image = image;
    req.plans = known;
    req.second = &second;
    req.stay = 1;
    req.sort = 1;

    *nmoved = 0;
    start = now();

    for (i = 0; i < n; i++) {
        req.host = urls[i].host;
        req.path = urls[i].path;
        req.args = urls[i].args;

        if (miqps_normalize(policy, &req, &work, buf, sizeof(buf), &res)
            != MIQPS_OK)
        {
            fail("no room");
        }

        *nmoved += res.moved;
    }

    return now() - start;
}


static void
measure(const miqps_policy_t *policy, const learn_map_file_t *maps,
    size_t nmaps, const url_t *urls, size_t n)
{
    size_t  i, k, pass;
    double  spent;

    for (k = 0; k < ROUNDS; k++) {
        for (i = 0; i < nmaps; i++) {
            spent = 0;

            for (pass = 0; pass < PASSES; pass++) {
                spent += once(policy, &maps[i].image, &plans[i], urls, n,
                              &moved[i]);
            }

            rounds[i][k] = spent / (double) (PASSES * n);
        }
    }
}


static void *
allocate(void *data, size_t size)
{
    (void) data;

    return calloc(1, size);
}


int
main(int argc, char **argv)
{
    size_t             i, k, n, nmaps;
    url_t             *urls;
    miqps_mem_t        mem;
    miqps_scope_t      all;
    miqps_fault_t      fault;
    miqps_policy_t    *policy;
    learn_map_file_t   maps[IMAGES];

    nmaps = (argc > 2) ? (size_t) argc - 2 : 0;

    if (nmaps == 0 || nmaps > IMAGES) {
        fail("usage: map_paths URLS IMAGE...");
    }

    urls = read_urls(argv[1], &n);

    for (i = 0; i < nmaps; i++) {
        if (learn_map_file_open(&maps[i], "map_paths", argv[i + 2])
            != LEARN_EXIT_OK)
        {
            return 1;
        }

        /* as in a server, which remembers what became of names */

        maps[i].image.serial = i + 1;
    }

    mem.alloc = allocate;
    mem.data = NULL;

    memset(&all, 0, sizeof(miqps_scope_t));

    if (miqps_policy_init(&policy, NULL, 0, &all, 1, &mem, &fault)
        != MIQPS_OK)
    {
        fail("no policy");
    }

    second.size = miqps_second_bound(MIQPS_MAX_ARGS, MIQPS_MAX_ARGS);
    second.buf = malloc(second.size);

    if (second.buf == NULL) {
        fail("out of memory");
    }

    measure(policy, maps, nmaps, urls, n);

    for (i = 0; i < nmaps; i++) {
        (void) printf("%s\t%zu\t%zu", argv[i + 2], n, moved[i]);

        for (k = 0; k < ROUNDS; k++) {
            (void) printf("\t%.2f", rounds[i][k]);
        }

        (void) puts("");
    }

    return 0;
}
