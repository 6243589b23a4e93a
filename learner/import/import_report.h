
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_REPORT_H_INCLUDED_
#define _IMPORT_REPORT_H_INCLUDED_


#include <stddef.h>
#include <stdio.h>


/*
 * What an import took over, what it left out and why.  A rule that is not in
 * the result is here; the two add up to what the lists hold.
 */


/* where a rule comes from */

typedef struct {
    const char             *file;
    const char             *place;      /* the provider, or NULL */
    const char             *text;
    size_t                  line;       /* or 0 where lines say nothing */
    unsigned                dropped:1;  /* taken over, then taken back */
} learn_import_source_t;


/* why a rule is not in the result; the texts are in import_report.c */

typedef enum {
    LEARN_IMPORT_NONE = 0,

    /* of any list */
    LEARN_IMPORT_REGEX,
    LEARN_IMPORT_NAME,
    LEARN_IMPORT_HOST,
    LEARN_IMPORT_PATTERN,
    LEARN_IMPORT_SCHEME,
    LEARN_IMPORT_QUERY,
    LEARN_IMPORT_UNPLACED,

    /* ClearURLs */
    LEARN_IMPORT_BLOCK,
    LEARN_IMPORT_REDIRECT,
    LEARN_IMPORT_FORCE,
    LEARN_IMPORT_RAW,
    LEARN_IMPORT_REFERRAL,

    /* AdGuard */
    LEARN_IMPORT_ALL,
    LEARN_IMPORT_INVERSE,
    LEARN_IMPORT_VALUE,
    LEARN_IMPORT_TYPE,
    LEARN_IMPORT_PARTY,
    LEARN_IMPORT_APP,
    LEARN_IMPORT_DOMAIN,
    LEARN_IMPORT_MODIFIER,
    LEARN_IMPORT_BADFILTER,
    LEARN_IMPORT_UNNEEDED,
    LEARN_IMPORT_INCLUDE,
    LEARN_IMPORT_SYNTAX,
    LEARN_IMPORT_COSMETIC,
    LEARN_IMPORT_BLOCKING,

    /* taken over, but not as it stood */
    LEARN_IMPORT_WIDENED,
    LEARN_IMPORT_PARTIAL,

    LEARN_IMPORT_KIND_MAX
} learn_import_kind_e;


#define LEARN_IMPORT_EXAMPLE  160


/* begins as all zeroes but for the first two */

typedef struct {
    FILE                   *out;
    unsigned                verbose:1;  /* say each one at once */
    size_t                  taken;
    size_t                  count[LEARN_IMPORT_KIND_MAX];
    char                    example[LEARN_IMPORT_KIND_MAX]
                                   [LEARN_IMPORT_EXAMPLE];
} learn_import_report_t;


/* counts a rule of "source" under "kind"; keeps nothing of "source" */

void learn_import_report_add(learn_import_report_t *report,
    learn_import_kind_e kind, const learn_import_source_t *source);

/* one line for the whole, and one for each kind that occurred */

void learn_import_report_print(const learn_import_report_t *report,
    size_t hosts, size_t files);


#endif /* _IMPORT_REPORT_H_INCLUDED_ */
