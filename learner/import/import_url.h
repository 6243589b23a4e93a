
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_URL_H_INCLUDED_
#define _IMPORT_URL_H_INCLUDED_


#include "import_mem.h"
#include "import_report.h"


/*
 * REGULAR EXPRESSIONS OVER WHOLE URLS, of ClearURLs, into hosts and paths:
 *
 *     ^https?:\/\/ (?:[a-z0-9-]+\.)*? amazon(?:\.[a-z]{2,}){1,} \/s\?
 *     |            |                  |                         |
 *     scheme       hosts below        hosts                     path
 */

typedef struct {
    learn_import_list_t     hosts;      /* none: any host */
    learn_import_list_t     paths;      /* of a strip; none: any path */
    const char             *path;       /* of an exception: a regular
                                           expression for the beginning of the
                                           path; NULL: any path */
    learn_import_list_t     named;      /* parameters that it asks for */
    unsigned                never:1;    /* not for http and https */
    unsigned                widened:1;  /* holds for more than it did */
    unsigned                unplaced:1; /* may hold where "hosts" do not */
} learn_import_url_t;


/*
 * Where to strip: nowhere that the expression does not match.
 *
 * LEARN_IMPORT_OK        "url" is set
 * LEARN_IMPORT_DECLINED  no hosts and paths say that; "*kind" tells why
 * LEARN_IMPORT_ERROR     out of memory
 */
learn_import_rc_e learn_import_url_strip(learn_arena_t *mem,
    const char *regex, learn_import_url_t *url, learn_import_kind_e *kind);

/*
 * Where not to strip: everywhere that the expression matches, unless it is
 * "unplaced".  LEARN_IMPORT_OK or LEARN_IMPORT_ERROR.
 */
learn_import_rc_e learn_import_url_except(learn_arena_t *mem,
    const char *regex, learn_import_url_t *url);


#endif /* _IMPORT_URL_H_INCLUDED_ */
