
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_H_INCLUDED_
#define _IMPORT_H_INCLUDED_


#include "import_mem.h"
#include "import_report.h"
#include "import_rules.h"


/*
 * LISTS OF OTHERS INTO A RULES FILE
 *
 * A list says which parameters to remove where.  What it says is taken over
 * as far as a rules file can say the same, under one principle:
 *
 *   (1) a strip never holds for a name, host or path for which the original
 *       does not; it may hold for fewer;
 *   (2) an exception never holds for fewer; it may hold for more;
 *   (3) where an exception would have to hold everywhere, the strips that it
 *       is about are left out instead: those of the parameter that it names
 *       or, if it names none, all that it takes back;
 *   (4) what is left out is counted and reported, by kind.
 *
 * A host that a list gives the beginning of is a host: "x.com" is neither
 * "x.community" nor "x.com.example", for strips and exceptions alike.
 */


/* a list, as read; the memory is the caller's */

typedef struct {
    const char             *name;
    char                   *data;       /* ends with a zero byte as well */
    size_t                  len;
} learn_import_file_t;


/* begins as all zeroes but for the arenas, report.out and the options */

typedef struct {
    learn_import_rules_t    rules;
    learn_import_report_t   report;
    learn_arena_t           scratch;    /* of a few rules */
    unsigned                since;      /* rules since it was emptied */
    unsigned                referral:1; /* ClearURLs: also referralMarketing */
} learn_import_t;


/* after each rule: what it left in im->scratch may go */

void learn_import_next(learn_import_t *im);


/*
 * Read lists into im->rules and im->report.  A format is read over all files
 * at once, since a line of one file may switch off a line of another.
 *
 * LEARN_IMPORT_OK        done; unreadable rules are in the report
 * LEARN_IMPORT_DECLINED  a file is not of this format, a message is out
 * LEARN_IMPORT_ERROR     out of memory
 */
learn_import_rc_e learn_import_clearurls(learn_import_t *im,
    const learn_import_file_t *files, size_t nfiles);
learn_import_rc_e learn_import_adguard(learn_import_t *im,
    const learn_import_file_t *files, size_t nfiles);


#endif /* _IMPORT_H_INCLUDED_ */
