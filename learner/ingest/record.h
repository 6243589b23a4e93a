
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_RECORD_H_INCLUDED_
#define _LEARN_RECORD_H_INCLUDED_


#include "corpus/corpus.h"


/*
 * What a line of a log says, in the words of the log: parts of the line, empty
 * where it does not say.  One function makes an entry for the corpus of it,
 * whatever log it was.
 */

typedef enum {
    LEARN_FIELD_CLIENT = 0,        /* an address */
    LEARN_FIELD_USER,              /* who has logged in; "-" is nobody */
    LEARN_FIELD_TIME,
    LEARN_FIELD_REQUEST,           /* "GET /p?id=7 HTTP/1.1" */
    LEARN_FIELD_METHOD,
    LEARN_FIELD_TARGET,
    LEARN_FIELD_STATUS,
    LEARN_FIELD_SCHEME,
    LEARN_FIELD_HOST,              /* may have a port */
    LEARN_FIELD_TYPE,
    LEARN_FIELD_OTHER,             /* not of interest */
    LEARN_FIELD_MAX = LEARN_FIELD_OTHER
} learn_field_e;


typedef struct {
    miqps_str_t        field[LEARN_FIELD_MAX];
    unsigned           listed:1;               /* of no visitor */
    unsigned           keyed:1;                /* the client is a hash */
    unsigned           escaped:1;              /* as nginx does it */
} learn_record_t;


/* room for what has escapes */

typedef struct {
    uint8_t            target[LEARN_CORPUS_MAX_URL];
    uint8_t            host[MIQPS_MAX_HOST + 8];
} learn_record_work_t;


/*
 * Judges a record, and fills "entry", which points into it or into "work", if
 * the result is LEARN_LINE_TAKEN.
 */
learn_line_e learn_record_entry(const learn_record_t *record,
    const learn_store_t *store, learn_record_work_t *work,
    learn_entry_t *entry);


/* the field that nginx's variable of this name tells, without "$" */

learn_field_e learn_record_variable(const uint8_t *name, size_t len);


#endif /* _LEARN_RECORD_H_INCLUDED_ */
