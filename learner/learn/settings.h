
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SETTINGS_H_INCLUDED_
#define _LEARN_SETTINGS_H_INCLUDED_


#include "content/content.h"


/* parts of the adaptive algorithm, each of which can be left out */

#define LEARN_WITHOUT_CONTROL   1        /* a page is compared with itself */
#define LEARN_WITHOUT_TIME      2        /* ... some seconds later */
#define LEARN_WITHOUT_VIEWERS   4        /* what holds, holds for two of them */
#define LEARN_WITHOUT_GROUPS    8        /* names are tried together */
#define LEARN_WITHOUT_JOINT     16       /* all that goes, goes together */
#define LEARN_WITHOUT_KINDS     32       /* by the shape of the path */
#define LEARN_WITHOUT_DEFAULTS  64       /* values that are as good as none */
#define LEARN_WITHOUT_GENERAL   128      /* what holds elsewhere holds here */
#define LEARN_WITHOUT_PATHS     256      /* path rules */
#define LEARN_WITHOUT_MIRRORS   512      /* hosts that show another's pages */
#define LEARN_WITHOUT_SEQUENTIAL  1024   /* until an error is small enough */
#define LEARN_WITHOUT_TABLES    2048     /* values that have two names */
#define LEARN_WITHOUT_SHARE     4096     /* what is seen elsewhere counts */


/*
 * How is learned.  The first ones decide what comes out, and are part of a
 * run: one that was interrupted is gone on with only if they are the same.
 */

typedef struct {
    learn_id_e      id;
    const char     *command;         /* of LEARN_ID_EXEC, or NULL */
    unsigned        patterns;        /* K: of a host, at most */
    unsigned        samples;         /* S: URLs of a parameter, at most */
    unsigned        tests;           /* N: pairs that are needed */
    double          threshold;       /* T: percent that differ */
    uint64_t        seed;
    unsigned        fetches;         /* of a host, at most */
    double          error;           /* of a verdict; 0: it is not stated */
    unsigned        values;          /* of a name that must not differ */
    unsigned        honor;           /* bits, see honor.h */
    unsigned        without;         /* bits, see above */
    unsigned        adaptive:1;      /* else as published */

    double          rate;            /* fetches a second of a host, 0: any */
    unsigned        wide;            /* at a time, of a host */
    unsigned        hosts;           /* at a time */
    size_t          body;            /* bytes of a page */
    long            timeout;         /* milliseconds of a fetch */
    const char     *via;
    const char     *browser;         /* the program, of LEARN_ID_VISUAL */
    unsigned        foreign:1;       /* robots.txt counts */
} learn_settings_t;


#define LEARN_SETTINGS_TEXT  1024

void learn_settings_init(learn_settings_t *settings);

/*
 * Words with commas between them, of what a host says itself, and of what is
 * left out; 0 if one is not known.
 */
int learn_settings_honors(learn_settings_t *settings, const char *text);
int learn_settings_leaves(learn_settings_t *settings, const char *text);

/* those that decide, as JSON */

void learn_settings_text(const learn_settings_t *settings, char *text,
    size_t size);


#endif /* _LEARN_SETTINGS_H_INCLUDED_ */
