
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_RULE_H_INCLUDED_
#define _MIQPS_RULE_H_INCLUDED_


#include "miqps_core.h"


/*
 * STATIC RULES
 *
 * A rule names parameters and says what to do with them; a scope says where.
 * Both are plain data.  Whoever reads a rules file or a directive fills
 * arrays of them, and miqps_policy_init() compiles the arrays.
 *
 * The text of a rule is one of
 *
 *     name          exactly this name
 *     pre*suf       one "*" stands for any bytes, also none
 *     name=value    the name, only when it has this value; either may hold
 *                   no "*"
 *     ~regex        PCRE2, searched for in the name
 *     ~*regex       the same, ignoring case
 *
 * Names are compared byte by byte after escapes of unreserved characters
 * were decoded, in the rule as in the query.  A strip means exactly the
 * names it matches.  A keep means their whole family as well: "size" also
 * keeps "size[]", "size[min]" and what PHP would take for it, since keeping
 * too much is harmless.
 */

typedef enum {
    MIQPS_KEEP = 0,
    MIQPS_STRIP,
    MIQPS_EXCEPT           /* takes back strips of RULES and TRACKING */
} miqps_action_e;


/* who decided; the order is that of the reports, not the precedence */

typedef enum {
    MIQPS_LAYER_DEFAULT = 0,    /* nobody: kept */
    MIQPS_LAYER_OPERATOR,       /* miqps_keep, miqps_strip */
    MIQPS_LAYER_RULES,          /* a rules file */
    MIQPS_LAYER_PLATFORM,       /* a platform's allow-list */
    MIQPS_LAYER_REGEX,          /* a regular expression of a rules file */
    MIQPS_LAYER_MAP,            /* the learned map */
    MIQPS_LAYER_TRACKING,       /* click and campaign identifiers */
    MIQPS_LAYER_GUARD,          /* refused to touch */
    MIQPS_LAYER_MAX
} miqps_layer_e;


typedef struct {
    miqps_str_t     text;
    miqps_str_t     note;       /* the vendor, for people; may be empty */
    miqps_action_e  action;
    miqps_layer_e   layer;      /* OPERATOR, RULES, PLATFORM or TRACKING */
    uint32_t        scope;      /* index into the array of scopes */
} miqps_rule_t;


/*
 * Where rules hold.  A scope is active for a URL if one of its hosts and one
 * of its paths match; no hosts means any host, no paths any path.
 *
 * A host is a lower-case name without port or trailing dot:
 *
 *     shop.example      this host
 *     *.shop.example    any host below it, at any depth, not itself
 *     shop.*            "shop" followed by one or two labels, as in
 *                       shop.com or shop.co.uk; also "*.shop.*"
 *
 * A path is compared with the raw bytes of the URL's path: "/cart" exactly,
 * "/products/" followed by "*" as a prefix, one "*" anywhere, or "~regex".
 *
 * An active scope brings its platforms along, which are scopes too,
 * marked "platform" and never active by themselves.  With "strict" a URL in
 * the scope is known: what no layer keeps is stripped.
 *
 * Scope 0 is everywhere; it has no hosts and no paths.
 */

#define MIQPS_SCOPE_ANY  0


typedef struct {
    miqps_str_t      label;       /* how to call it in a reason */
    miqps_str_t     *hosts;
    miqps_str_t     *paths;
    uint32_t        *platforms;   /* indices of scopes */
    uint32_t         nhosts;
    uint32_t         npaths;
    uint32_t         nplatforms;
    uint8_t          platform;    /* this is a platform's scope */
    uint8_t          strict;
} miqps_scope_t;


#endif /* _MIQPS_RULE_H_INCLUDED_ */
