
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SETTINGS_H_INCLUDED_
#define _LEARN_SETTINGS_H_INCLUDED_


#include "content/content.h"


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
    unsigned        values;          /* of a name that must not differ */
    unsigned        honor;           /* bits, see honor.h */
    unsigned        adaptive:1;      /* else as published */
    unsigned        paths:1;         /* path rules are looked for */

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

/* words of what a host says itself, with commas; 0 if one is not known */

int learn_settings_honors(learn_settings_t *settings, const char *text);

/* those that decide, as JSON */

void learn_settings_text(const learn_settings_t *settings, char *text,
    size_t size);


#endif /* _LEARN_SETTINGS_H_INCLUDED_ */
