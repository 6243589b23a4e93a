
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _SITE_H_INCLUDED_
#define _SITE_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../support/dice.h"


/*
 * A SITE THAT NOBODY RUNS
 *
 * A site has kinds of pages, each with a skeleton: literal segments, segments
 * and parameters that say which page it is (identity keys), and a file name.
 * A page has a value for each identity key.  It has several URLs, since the
 * site duplicates in some ways, each of which is an operation on the page's
 * first URL: operations are drawn for each URL anew.
 *
 *     page 17 of kind "shoes"   /shop/shoes/17?page=2
 *     session, trailing slash   /shop/shoes/17/?page=2&sid=9f2c...
 *
 * Everything follows from a seed and the number of the site.
 */

typedef enum {
    SITE_SESSION = 0,          /* sid=... */
    SITE_SESSION_PATH,         /* /s/.../ */
    SITE_TRACKER,              /* utm_source=... and so on */
    SITE_MIRROR,               /* another host, or without www */
    SITE_ARCHIVE,              /* /archive3/ */
    SITE_ALIAS,                /* another name for a directory */
    SITE_MOVED,                /* the id in the query, not in the path */
    SITE_PRINT,                /* print=1, or below /amp/ */
    SITE_INDEX,                /* index.html */
    SITE_SLASH,                /* a slash at the end, or none */
    SITE_ORDER,                /* parameters in another order */
    SITE_CASE,                 /* names in other letters */
    SITE_DEFAULT,              /* page=1, which goes without saying */
    SITE_EXTENSION,            /* .htm for .html */
    SITE_SLUG,                 /* words that nobody reads beside the id */
    SITE_TABLE,                /* color=3 for yellow */
    SITE_MATRIX,               /* ;jsessionid=..., not in the calibration */
    SITE_ESCAPE,               /* %7E for ~, not in the calibration */
    SITE_DOUBLE,               /* two slashes, not in the calibration */
    SITE_DATE,                 /* the date in the path too, not in the ... */
    SITE_OPERATIONS
} site_operation_e;


/* what looks like a way to duplicate and is none */

typedef enum {
    SITE_TRAP_LANGUAGE = 0,    /* de.site.example is another language */
    SITE_TRAP_HASH,            /* a parameter like a session tells the page */
    SITE_TRAP_DIRECTORY,       /* neutral, except in one directory */
    SITE_TRAP_FEW,             /* a small number that is identity */
    SITE_TRAP_SHARED,          /* two kinds with the same ids */
    SITE_TRAP_PRINT,           /* a print view with other text */
    SITE_TRAP_OWNERS,          /* sub-sites of different owners */
    SITE_TRAPS
} site_trap_e;


/* operations that make any number of URLs */

#define SITE_ENDLESS                                                         \
    (1u << SITE_SESSION | 1u << SITE_SESSION_PATH | 1u << SITE_TRACKER       \
     | 1u << SITE_MATRIX)

#define SITE_MAX_KINDS     12
#define SITE_MAX_PARTS     8       /* segments */
#define SITE_MAX_KEYS      8       /* that identify */
#define SITE_MAX_TRACKERS  16
#define SITE_MAX_URL       1024
#define SITE_IDS           10000000
#define SITE_ITEMS         64


/* a key that identifies a page: in the path, or a parameter */

typedef struct {
    uint32_t        pool;          /* how many values there are */
    char            name[16];      /* of a parameter */
    unsigned        words:1;       /* values are words, not numbers */
    unsigned        query:1;
    unsigned        page:1;        /* 1 is what goes without saying */
    unsigned        hash:1;        /* values look like sessions */
    unsigned        sub:1;         /* an item has pages with several values */
} site_key_t;


typedef struct {
    char            text[24];      /* a literal segment, ... */
    char            alias[24];     /* ... and its other name */
    int             key;           /* or the key that it holds; -1 */
} site_part_t;


typedef struct {
    site_part_t     parts[SITE_MAX_PARTS];
    size_t          nparts;
    site_key_t      keys[SITE_MAX_KEYS];
    size_t          nkeys;
    int             id;            /* the key with the largest pool */
    int             shares;        /* ids with this kind; -1 */
    char            file[24];      /* "view.php", or "" */
    double          weight;
    uint32_t        operations;    /* that apply here */
    unsigned        html:1;        /* the id ends with .html */
    unsigned        slash:1;       /* it is a directory */
} site_kind_t;


/*
 * What is tuned until the published methods come out as published.  Nothing
 * else is.
 */

typedef struct {
    double          complete;      /* URLs that differ from another one of the
                                      page in one key only */
    double          noise_low;     /* how often sessions and trackers are ... */
    double          noise_high;
    double          shape_low;     /* ... and what changes the form */
    double          shape_high;
    double          spread;        /* kinds that an operation is for */
    double          traps;         /* odds of each */
    double          keys;          /* odds of one more identity key */
    double          directories;   /* ... and that it has few values */
    double          paged;         /* kinds with numbered pages */
    double          in_path;       /* ids in the path */
    double          html;          /* of these, with .html */
    double          trackers;      /* odds of one more tracker */
    double          each;          /* ... and of one more in a URL */
    double          items;         /* pages that share their id with another */
    double          local;         /* kinds whose ids are counted in each
                                      directory */
} site_knobs_t;


typedef struct {
    uint64_t        seed;
    uint32_t        number;
    uint32_t        urls;          /* wanted */
    char            domain[64];
    site_kind_t     kinds[SITE_MAX_KINDS];
    size_t          nkinds;
    uint32_t        operations;
    uint32_t        traps;
    double          rate[SITE_OPERATIONS];
    uint32_t        mirrors;
    uint32_t        archives;
    char            sid[16];       /* names */
    char            trackers[SITE_MAX_TRACKERS][16];
    size_t          ntrackers;
    uint32_t        sources[SITE_MAX_TRACKERS]; /* values of each tracker, 0
                                                   for unbounded */
    int             trap_kind;
    int             bare;          /* the mirror is the host without www */
    int             amp;           /* a print view is a directory */
    uint32_t        max_cluster;
    site_knobs_t    knobs;
} site_t;


/* a page, and one URL of it */

typedef struct {
    uint32_t        kind;
    uint32_t        values[SITE_MAX_KEYS];
    uint32_t        owner;         /* of traps: language or sub-site, ... */
    uint32_t        view;          /* ... a value of the first tracker, ... */
    uint32_t        print;         /* ... a print view of its own */
    uint32_t        drawn;
} site_page_t;


typedef struct {
    uint32_t        applied;       /* operations, a bit each */
    uint64_t        session;
    uint64_t        session_path;
    uint64_t        tracker[SITE_MAX_TRACKERS]; /* 0: not there */
    uint32_t        mirror;
    uint32_t        archive;
    uint32_t        slug;
    uint32_t        order;
} site_variant_t;


/* draws a site; "scale" divides its size */

void site_init(site_t *site, uint64_t seed, uint32_t number, uint32_t scale,
    int others, const site_knobs_t *knobs);

/*
 * Draws a page.  "items" are pages that were drawn before, SITE_ITEMS of each
 * kind, and belong to the caller: a page may be another one of such an item.
 */
void site_page(const site_t *site, dice_t *dice, site_page_t *page,
    site_page_t *items);

/* the URL that comes first, and others from those that were there */

void site_first(const site_t *site, dice_t *dice, const site_page_t *page,
    site_variant_t *variant);
void site_vary(const site_t *site, dice_t *dice, const site_page_t *page,
    site_variant_t *variant);

/* a session or a tracker is added, where forms are not enough */

void site_more(const site_t *site, dice_t *dice, const site_page_t *page,
    site_variant_t *variant);

/* writes the URL; returns its length, below SITE_MAX_URL */

size_t site_url(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, char *out);

/*
 * What is left of a URL if it is one of a page of that kind, with the id in the
 * query if "moved", and all operations are undone; "out" is SITE_MAX_URL.  0 if
 * it is none.  Whether there is such a page is another question.
 */
int site_read(const site_t *site, const char *url, size_t kind, int moved,
    char *out);

/* how many URLs a page has */

uint32_t site_cluster(const site_t *site, dice_t *dice);

/* what tells a page from others: URLs with the same are the same page */

uint64_t site_identity(const site_t *site, const site_page_t *page);

/*
 * What a search engine would know the page by: the least hashes of the runs of
 * words in its text, by "most" functions.  Pages with the same are taken for
 * duplicates.  The fewer functions there are, the more of these are false.
 */
uint64_t site_shingles(const site_t *site, const site_page_t *page,
    unsigned most);

const char *site_operation(site_operation_e operation);

/* a number from 0 to 1, without 1 */

double site_chance(dice_t *dice);

/* a word for a number, always the same; returns its length */

size_t site_word(uint64_t number, char *out);


#endif /* _SITE_H_INCLUDED_ */
