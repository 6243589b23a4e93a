
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_COLLECT_H_INCLUDED_
#define _MIQPS_COLLECT_H_INCLUDED_


#include "miqps_core.h"


/*
 * WHAT MAY BE WRITTEN DOWN
 *
 * A URL that is collected is kept on disk, and may be fetched again by the
 * learner.  Not all of them are fit for that:
 *
 *   - a secret is in it: a name of the guard's list, in any case of letters;
 *     a name that speaks of a password or token; a JWT;
 *   - somebody can be known by it: an e-mail address, a phone number, the
 *     number of a card;
 *   - to ask for it is to do something: "/logout", "?action=delete".
 *
 * Values hold URLs that hold values: all of it is looked at as it is, and with
 * escapes decoded once, twice and three times.  What is still escaped then is
 * taken for a secret.  On any doubt a URL is not collected: one of many is
 * lost, and nothing is disclosed or done.
 */

typedef enum {
    MIQPS_COLLECT_PASS = 0,
    MIQPS_COLLECT_SECRET,
    MIQPS_COLLECT_PERSONAL,
    MIQPS_COLLECT_ACT,
    MIQPS_COLLECT_MAX
} miqps_collect_e;


/* one word for it, such as "secret"; never NULL */

const char *miqps_collect_name(miqps_collect_e collect);


/*
 * What was found out about names.  Sites use few of them, again and again, and
 * these are not looked at twice.  Zeroed once, and for one process to use.
 */

#define MIQPS_COLLECT_MEMO    512            /* a power of two */
#define MIQPS_COLLECT_NAME    32             /* bytes; longer ones are not in */

typedef struct {
    uint64_t        name[MIQPS_COLLECT_NAME / sizeof(uint64_t)];
    uint32_t        marks;                   /* of the guard */
    uint16_t        len;
    uint16_t        flags;
} miqps_collect_known_t;


typedef struct {
    miqps_collect_known_t   known[MIQPS_COLLECT_MEMO];
} miqps_collect_memo_t;


/*
 * Judges a URL by its path and arguments, raw bytes, either of which may be
 * empty.  "buf" is room for as many bytes as the longer one has.
 */
miqps_collect_e miqps_collect_judge(miqps_collect_memo_t *memo,
    const miqps_str_t *path, const miqps_str_t *args, uint8_t *buf);


/* --- between the files of it */

/*
 * Judges a parameter of a decoded query, or one of a path, which has no acts;
 * what the guard has to say is added to "*seen".
 */
miqps_collect_e miqps_collect_param(miqps_collect_memo_t *memo,
    const miqps_str_t *name, const miqps_str_t *value, int query,
    uint32_t *seen);


/* true if a path, as it is after decoding, names an act */

int miqps_collect_path_acts(const uint8_t *path, size_t len);


/* whether the name of a parameter does, or leaves it to its value */

typedef enum {
    MIQPS_COLLECT_VERB_NONE = 0,
    MIQPS_COLLECT_VERB_ACT,
    MIQPS_COLLECT_VERB_VALUE
} miqps_collect_verb_e;


miqps_collect_verb_e miqps_collect_name_acts(const miqps_str_t *name);
int miqps_collect_value_acts(const miqps_str_t *value);


/*
 * True if somebody can be known by something in the text: an e-mail address,
 * a number of a card, which its last digit confirms, or a phone number.
 */
int miqps_collect_personal(const uint8_t *text, size_t len);


#endif /* _MIQPS_COLLECT_H_INCLUDED_ */
