
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_PATTERN_H_INCLUDED_
#define _IMPORT_PATTERN_H_INCLUDED_


#include "import_mem.h"
#include "import_report.h"


/*
 * PATTERNS OVER URLS, of AdGuard and its kin, into hosts and paths:
 *
 *     ||example.org^        the host and those below it
 *     ||example.org/cart    a path, from its beginning
 *     ||example.*            the host in several countries
 *     ://example.org/       the host alone
 *     /cart.php?            the end of a path, at any host
 *     ref=example           a parameter with this value
 *
 * "*" is any text, "^" a byte that is no letter, digit or one of "_-.%", or
 * the end.
 */

typedef struct {
    learn_import_list_t     hosts;      /* none: any host */
    learn_import_list_t     paths;      /* none: any path */
    const char             *suffix;     /* hosts must end so, or NULL */
    const char             *pair;       /* "name=value" in place of a path, or
                                           NULL */
    unsigned                widened:1;  /* holds for more than it did */
    unsigned                unplaced:1; /* may hold anywhere */
} learn_import_pattern_t;


/*
 * Where to strip: nowhere that the pattern does not match.
 *
 * LEARN_IMPORT_OK        "pattern" is set
 * LEARN_IMPORT_DECLINED  no hosts and paths say that; "*kind" tells why
 * LEARN_IMPORT_ERROR     out of memory
 */
learn_import_rc_e learn_import_pattern_strip(learn_arena_t *mem,
    const char *text, learn_import_pattern_t *pattern,
    learn_import_kind_e *kind);

/*
 * Where not to strip: everywhere that the pattern matches, unless it is
 * "unplaced".  LEARN_IMPORT_OK or LEARN_IMPORT_ERROR.
 */
learn_import_rc_e learn_import_pattern_except(learn_arena_t *mem,
    const char *text, learn_import_pattern_t *pattern);


/*
 * Adds a host and those below it; "example.*" is one as well.  DECLINED if it
 * is none.
 */
learn_import_rc_e learn_import_pattern_host(learn_arena_t *mem,
    const char *text, size_t len, int below, learn_import_list_t *hosts);


#endif /* _IMPORT_PATTERN_H_INCLUDED_ */
