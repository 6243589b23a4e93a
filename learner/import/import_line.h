
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_LINE_H_INCLUDED_
#define _IMPORT_LINE_H_INCLUDED_


#include "import_mem.h"
#include "import_report.h"


/*
 * A LINE OF A FILTER LIST, as AdGuard has them:
 *
 *     [@@] pattern $ modifier[=value],...
 *
 * "@@" makes an exception.  Rules with the modifier "removeparam", or
 * "queryprune" as others call it, are about parameters.  A comma within a
 * value is written "\,", a dollar sign "\$".
 */

typedef struct {
    const char             *pattern;
    const char             *value;      /* of removeparam, "" if none */
    const char             *domain;     /* hosts of the linking page, which
                                           for a page is the URL's own */
    const char             *to;         /* hosts of the URL */
    const char             *denyallow;  /* hosts to leave out */
    learn_import_list_t     modifiers;  /* all but badfilter */
    learn_import_kind_e     limit;      /* why a strip is not for us, or
                                           LEARN_IMPORT_NONE */
    unsigned                exception:1;
    unsigned                badfilter:1;
    unsigned                page:1;     /* for loading pages, the default */
    unsigned                type:1;     /* for other kinds of requests */
} learn_import_line_t;


/*
 * Takes a line apart; what it finds lives in "mem".
 *
 * LEARN_IMPORT_OK        "line" is set
 * LEARN_IMPORT_DECLINED  it is no rule about parameters; "*kind" tells what
 *                        it is, LEARN_IMPORT_NONE for a comment
 * LEARN_IMPORT_ERROR     out of memory
 */
learn_import_rc_e learn_import_line(learn_arena_t *mem, const char *text,
    learn_import_line_t *line, learn_import_kind_e *kind);

/*
 * A string that is equal for lines that say the same, whatever the order of
 * their modifiers; NULL if out of memory.  Sorts line->modifiers.
 */
const char *learn_import_line_key(learn_arena_t *mem,
    learn_import_line_t *line);


#endif /* _IMPORT_LINE_H_INCLUDED_ */
