
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_TARGET_H_INCLUDED_
#define _LEARN_TARGET_H_INCLUDED_


#include "miqps_collect.h"
#include "miqps_core.h"


/*
 * URLs that are going to be fetched.  They come from a corpus that anybody can
 * write to, and from the pages of others: nothing of them is trusted, however
 * often it was looked at before.
 */

#define LEARN_TARGET_MAX  8192           /* bytes */


/* its parts, as they go over the wire; they point into the URL */

typedef struct {
    miqps_str_t     scheme;              /* "http" or "https" */
    miqps_str_t     authority;           /* host and port, for Host */
    miqps_str_t     host;                /* in lower case */
    miqps_str_t     path;
    miqps_str_t     args;                /* without "?" */
    miqps_str_t     target;              /* path and args, or empty: "/" */
} learn_target_t;


typedef enum {
    LEARN_TARGET_OK = 0,
    LEARN_TARGET_FORM,                   /* no URL, or bytes that none has */
    LEARN_TARGET_HOST,                   /* not one that was asked for */
    LEARN_TARGET_SECRET,                 /* signed, a token, personal */
    LEARN_TARGET_ACT,                    /* it would do something */
    LEARN_TARGET_MAX_E
} learn_target_e;


/* hosts that may be asked; names, or "*.name" for all below it */

typedef struct {
    miqps_str_t    *list;
    size_t          n;
    unsigned        any:1;
} learn_hosts_t;


/* a clause for reports; never NULL */

const char *learn_target_text(learn_target_e why);

/*
 * Names of a command line, which become lower case in place; the list is
 * free()d.  -1, or an exit code after a complaint that begins with "command".
 */
int learn_hosts_read(learn_hosts_t *hosts, const char *command, char **names);

/* true if a host is among them */

int learn_hosts_have(const learn_hosts_t *hosts, const miqps_str_t *host);

/*
 * Takes a URL apart, and judges whether it may be fetched.  "memo" is as in
 * miqps_collect.h.  "*target" is filled also if the answer is
 * LEARN_TARGET_HOST or another behind it.
 */
learn_target_e learn_target_check(const miqps_str_t *url,
    const learn_hosts_t *hosts, miqps_collect_memo_t *memo,
    learn_target_t *target);


/*
 * Writes "url" without the parameters of this name, whose escapes are those of
 * a pattern, to "out", which has room for url->len bytes; the other bytes
 * stay.  Returns how many were written; "*found" is how many parameters went.
 */
size_t learn_target_without(const miqps_str_t *url, const miqps_str_t *name,
    uint8_t *out, size_t *found);


/*
 * Names whose absence may turn a look into an act: "confirm", "preview",
 * "dry_run".  They are never taken away.
 */
int learn_target_brakes(const miqps_str_t *name);


#endif /* _LEARN_TARGET_H_INCLUDED_ */
