
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_EVIDENCE_H_INCLUDED_
#define _LEARN_EVIDENCE_H_INCLUDED_


#include "miqps_core.h"


/*
 * WHAT WAS LEARNED, AND FROM WHAT
 *
 *     run of a host --+-- visit      a page that was fetched, by its URL
 *                     |
 *                     +-- verdict    on a parameter of a pattern, with the
 *                                    pairs of visits that it rests on
 *
 * A run that was interrupted has no end, and is gone on with if the settings
 * are the same: what was fetched is not fetched again.
 */

#define LEARN_RUNS_KEPT     3            /* of a host that have ended */
#define LEARN_VISIT_IDS     9


typedef enum {
    LEARN_RUN_OPEN = 0,
    LEARN_RUN_DONE,
    LEARN_RUN_DEFERRED                   /* too much failed */
} learn_run_e;


typedef struct {
    int64_t         id;
    const char     *host;
    const char     *settings;            /* JSON */
    learn_run_e     state;
    const char     *why;                 /* of one that was deferred */
    int64_t         started;             /* seconds since 1970 */
    int64_t         ended;
    uint64_t        fetches;
    uint64_t        failed;
    const char     *mirrors;             /* the host whose pages it shows: all
                                            else was learned of that; or "" */
} learn_run_t;


typedef struct {
    uint64_t        hash;                /* of the URL */
    miqps_str_t     url;
    int64_t         at;                  /* seconds since 1970 */
    uint64_t        ms;
    uint64_t        bytes;
    unsigned        status;
    unsigned        outcome;             /* learn_visit_e */
    unsigned        page;                /* learn_page_e */
    uint64_t        ids[LEARN_VISIT_IDS];
    miqps_str_t     title;
    miqps_str_t     location;
    miqps_str_t     canonical;

    /* where a page is looked at more than once */
    unsigned        viewer;              /* who asked for it, see fetch.h */
    unsigned        turn;                /* how often before */
    uint64_t        cookies;             /* names of these, as a hash */
    miqps_str_t     jar;                 /* these and their values, see jar.h */
    miqps_str_t     vary;
    miqps_str_t     lines;               /* bytes, see lines.h; while the run
                                            is open */
} learn_visit_row_t;


/* what differs between two pages, bits of a pair */

#define LEARN_DIFFERS_ID         1       /* what they are compared by */
#define LEARN_DIFFERS_STATUS     2
#define LEARN_DIFFERS_LOCATION   4
#define LEARN_DIFFERS_TYPE       8
#define LEARN_DIFFERS_TITLE      16
#define LEARN_DIFFERS_TEXT       32
#define LEARN_DIFFERS_CANONICAL  64
#define LEARN_DIFFERS_COOKIES    128
#define LEARN_DIFFERS_VARY       256
#define LEARN_DIFFERS_PICTURE    512     /* what a browser draws */
#define LEARN_DIFFERS_CLIENT     1024    /* it does, by the page's own script */
#define LEARN_DIFFERS_NOTHING    0x8000  /* not a pair to learn from */


typedef struct {
    uint64_t        original;            /* hashes of URLs */
    uint64_t        variant;
    uint16_t        differs;
} learn_pair_t;


typedef enum {
    LEARN_VERDICT_NEUTRAL = 0,
    LEARN_VERDICT_MATTERS,
    LEARN_VERDICT_UNKNOWN,               /* fewer pairs than needed: it is
                                            taken to matter */
    LEARN_VERDICT_DEFAULT,               /* one value is as good as none */
    LEARN_VERDICT_CLIENT                 /* only the page's script reads it */
} learn_verdict_e;


typedef struct {
    miqps_str_t           path;          /* a shape, or empty for any path */
    miqps_str_t           names;         /* of the pattern */
    miqps_str_t           name;
    uint64_t              urls;          /* of the pattern */
    uint64_t              tested;
    uint64_t              differed;
    learn_verdict_e       verdict;
    miqps_str_t           value;         /* of LEARN_VERDICT_DEFAULT */
    const learn_pair_t   *pairs;
    size_t                npairs;
} learn_verdict_t;


/* a path rule, as the source of a map has it */

typedef struct {
    uint64_t              number;
    miqps_str_t           rule;          /* JSON */
    const learn_pair_t   *pairs;
    size_t                npairs;
} learn_rule_row_t;


/* one word for it; never NULL */

const char *learn_verdict_name(learn_verdict_e verdict);


/* a pattern of a host, for a plan */

typedef struct {
    int64_t         id;
    miqps_str_t     names;
    uint64_t        urls;
    uint64_t        clients;
    uint64_t        days;
} learn_ranked_t;


/* return nonzero to go on; what they are given is valid during the call */

typedef int (*learn_run_pt)(const learn_run_t *run, void *data);
typedef int (*learn_visit_pt)(const learn_visit_row_t *visit, void *data);
typedef int (*learn_verdict_pt)(const learn_verdict_t *verdict, void *data);
typedef int (*learn_rule_pt)(const learn_rule_row_t *rule, void *data);
typedef int (*learn_ranked_pt)(const learn_ranked_t *pattern, void *data);
typedef int (*learn_named_pt)(int64_t id, const miqps_str_t *name, void *data);


#endif /* _LEARN_EVIDENCE_H_INCLUDED_ */
