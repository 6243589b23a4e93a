
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_REGEX_H_INCLUDED_
#define _MIQPS_REGEX_H_INCLUDED_


#include "miqps_core.h"


/*
 * Regular expressions over names and paths, in PCRE2 under limits of our own:
 * a pattern that would run for long gives up, and its caller keeps what it
 * was asked about.
 */

typedef struct {
    void           *code;           /* pcre2_code, with its machine code */
} miqps_regex_t;


/* what a match needs; a policy has one, used by one thread at a time */

typedef struct {
    void           *data;           /* pcre2_match_data */
    void           *context;        /* pcre2_match_context, the limits */
    void           *stack;          /* pcre2_jit_stack, or NULL */
} miqps_regex_work_t;


/* longer subjects are not tried: miqps_regex_exec() gives up on them */

#define MIQPS_REGEX_MAX_SUBJECT  1024


typedef enum {
    MIQPS_REGEX_MISS = 0,
    MIQPS_REGEX_HIT,
    MIQPS_REGEX_GAVE_UP
} miqps_regex_rc_e;


/* MIQPS_OK, or MIQPS_NO_MEMORY with nothing left to release */

miqps_rc_e miqps_regex_work_init(miqps_regex_work_t *work);
void miqps_regex_work_release(miqps_regex_work_t *work);


/*
 * Compiles "text", of the form "~regex" or "~*regex"; with the star letters
 * match either case.
 *
 * MIQPS_OK            "regex" is set; miqps_regex_release() it
 * MIQPS_NO_MEMORY     nothing is set
 * MIQPS_BAD_REGEX     "fault" tells where and why
 * MIQPS_COSTLY_REGEX  it gives up on names of 64 bytes, so it would on those
 *                     that an attacker sends; "fault" says so
 */
miqps_rc_e miqps_regex_init(miqps_regex_t *regex, const miqps_str_t *text,
    miqps_regex_work_t *work, miqps_fault_t *fault);
void miqps_regex_release(miqps_regex_t *regex);


/* searches "subject", which need not be text */

miqps_regex_rc_e miqps_regex_exec(const miqps_regex_t *regex,
    miqps_regex_work_t *work, const miqps_str_t *subject);


#endif /* _MIQPS_REGEX_H_INCLUDED_ */
