
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_NAME_H_INCLUDED_
#define _IMPORT_NAME_H_INCLUDED_


#include "import_mem.h"
#include "import_report.h"


/*
 * NAMES OF PARAMETERS, as lists write them, into texts of rules, as
 * miqps_rule.h has them.
 *
 * The texts match no name that the original does not.  They may match fewer:
 * a name that stays costs a little, a name that goes by mistake breaks a
 * page.  The simplest text is taken that holds what can be held: names before
 * wildcards, wildcards before regular expressions.
 *
 * All functions return
 *
 * LEARN_IMPORT_OK        texts are added to "texts"
 * LEARN_IMPORT_DECLINED  there is no such text; "*kind" tells why
 * LEARN_IMPORT_ERROR     out of memory
 */


/* the name itself */

learn_import_rc_e learn_import_name(learn_arena_t *mem, const char *name,
    learn_import_list_t *texts, learn_import_kind_e *kind);

/*
 * ClearURLs: a regular expression that matches the whole name, decoded, in
 * either case.  Names found in it are taken in the case they are written in.
 */
learn_import_rc_e learn_import_name_clearurls(learn_arena_t *mem,
    const char *regex, learn_import_list_t *texts, learn_import_kind_e *kind);

/*
 * AdGuard: what follows "removeparam=", a name or "/regex/", which is searched
 * for in "name=value".  "~name" is any other name, and nothing is any name.
 */
learn_import_rc_e learn_import_name_adguard(learn_arena_t *mem,
    const char *value, learn_import_list_t *texts, learn_import_kind_e *kind);


#endif /* _IMPORT_NAME_H_INCLUDED_ */
