
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ASK_H_INCLUDED_
#define _LEARN_ASK_H_INCLUDED_


#include <stddef.h>


/*
 * A REQUEST TO NGINX, to one of the module's endpoints: "http://HOST/URI" or
 * "unix:PATH:/URI".
 */

typedef struct {
    const char      *command;      /* that complains */
    const char      *url;
    const char      *token;        /* a file, or NULL */
    unsigned         wait;         /* seconds for an answer */
    unsigned         quiet;        /* no complaint if there is none */
} learn_ask_t;


typedef struct {
    char            *text;         /* on the heap, with its end; or NULL */
    size_t           len;
    long             status;
} learn_answer_t;


/*
 * "query" goes behind the "?", and may be empty; "post" for a request that
 * changes something.  The answer replaces what is in "answer", which begins as
 * zeroes and is to be released.  Returns 0 after a complaint if there is none.
 */
int learn_ask(const learn_ask_t *ask, const char *query, int post,
    learn_answer_t *answer);
void learn_answer_release(learn_answer_t *answer);


#endif /* _LEARN_ASK_H_INCLUDED_ */
