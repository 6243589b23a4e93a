
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_GUARD_H_INCLUDED_
#define _MIQPS_GUARD_H_INCLUDED_


#include "miqps_core.h"


/*
 * THE GUARD
 *
 * Some query strings must not change by a byte: a signature covers them, a
 * secret is in them, or a back end could read them otherwise than we do.
 * Such a query is opaque.  This file holds the reasons, and the names that
 * tell a signed or secret-bearing URL.
 */

typedef enum {
    MIQPS_GUARD_PASS = 0,
    MIQPS_GUARD_SEMICOLON,     /* raw ";": a separator for some */
    MIQPS_GUARD_ESCAPE,        /* "%" without two hex digits */
    MIQPS_GUARD_NUL,           /* "%00" */
    MIQPS_GUARD_CONTROL,       /* raw control byte or space */
    MIQPS_GUARD_FRAGMENT,      /* raw "#" */
    MIQPS_GUARD_DELIMITER,     /* "%26" or "%3D" in a name */
    MIQPS_GUARD_BRACKET,       /* brackets of a name not of the form a[b] */
    MIQPS_GUARD_NAME_START,    /* a name begins with "?", "+" or "%20" */
    MIQPS_GUARD_NAME_BYTES,    /* a name is not ASCII or escaped UTF-8 */
    MIQPS_GUARD_VALUE_BYTES,   /* a value is not UTF-8, and that would show */
    MIQPS_GUARD_VALUE_SPLIT,   /* "]=" inside a value: qs splits there */
    MIQPS_GUARD_TOO_MANY,      /* over MIQPS_MAX_PARAMS pieces */
    MIQPS_GUARD_TOO_LONG,      /* over MIQPS_MAX_ARGS bytes */
    MIQPS_GUARD_SIGNED,        /* a signature covers the URL */
    MIQPS_GUARD_OAUTH,         /* OAuth, OpenID Connect or SAML exchange */
    MIQPS_GUARD_SECRET,        /* one-time token, password or key */
    MIQPS_GUARD_SCOPES,        /* over MIQPS_MAX_ACTIVE scopes, or unknown */
    MIQPS_GUARD_MAX
} miqps_guard_e;


/* one word for --json and logs, such as "semicolon"; never NULL */

const char *miqps_guard_name(miqps_guard_e guard);

/* one clause for people, such as "raw \";\" in the query"; never NULL */

const char *miqps_guard_text(miqps_guard_e guard);


/*
 * What a parameter's name contributes to the verdict on the whole query.
 * Names of one vendor decide alone.  Names that everybody uses ("s", "key",
 * "state") count only with a value that looks like a secret, or together
 * with the other names of their scheme; see miqps_guard_judge().
 */

#define MIQPS_MARK_SIGNED      0x0001   /* decides alone: signed */
#define MIQPS_MARK_OAUTH       0x0002   /* decides alone: OAuth */
#define MIQPS_MARK_SECRET      0x0004   /* decides alone: secret */
#define MIQPS_MARK_SIGN_LIKE   0x0008   /* signed if the value looks so */
#define MIQPS_MARK_OAUTH_LIKE  0x0010   /* OAuth if the value looks so */
#define MIQPS_MARK_TOKEN_LIKE  0x0020   /* secret if the value looks so */
#define MIQPS_MARK_SIGN        0x0040   /* the signature of a scheme */
#define MIQPS_MARK_EXPIRES     0x0080   /* the time limit of a scheme */
#define MIQPS_MARK_CODE        0x0100   /* OAuth "code" */
#define MIQPS_MARK_STATE       0x0200   /* OAuth "state" and companions */
#define MIQPS_MARK_SAS         0x0400   /* Azure's fields beside "sig" */
#define MIQPS_MARK_SAS_SIG     0x0800   /* Azure's "sig" */


typedef struct {
    miqps_str_t     text;       /* a name, or a prefix ending in "*" */
    uint32_t        marks;
} miqps_guard_name_t;


/* the names with their marks; "n" receives how many there are */

const miqps_guard_name_t *miqps_guard_names(size_t *n);


/*
 * Adds what one parameter says to "seen", which starts as 0: "marks" of its
 * name, weighed by its value (percent-normalized bytes, empty if it has
 * none).
 */

void miqps_guard_note(uint32_t *seen, uint32_t marks, const miqps_str_t *value);

/* MIQPS_GUARD_PASS, SIGNED, OAUTH or SECRET for all parameters together */

miqps_guard_e miqps_guard_judge(uint32_t seen);


/*
 * True if a value looks like a signature, key or token rather than a word,
 * a number or a phrase: a long run of mixed letters and digits, a UUID, a
 * JWT.
 */

int miqps_guard_secret_like(const miqps_str_t *value);


#endif /* _MIQPS_GUARD_H_INCLUDED_ */
