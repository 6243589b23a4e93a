
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_RULES_H_INCLUDED_
#define _IMPORT_RULES_H_INCLUDED_


#include "import_mem.h"
#include "import_report.h"


/*
 * The rules of an import, and the rules file made of them.
 *
 * Rules may come in any order and more than once.  The file does not depend
 * on the order: what holds for the same hosts and paths is one entry, entries
 * are sorted, and so are the rules in them.
 */


typedef enum {
    LEARN_IMPORT_STRIP = 0,
    LEARN_IMPORT_EXCEPT
} learn_import_action_e;


/* where a rule holds; no hosts is any host, no paths any path */

typedef struct {
    learn_import_list_t     hosts;
    learn_import_list_t     paths;
} learn_import_scope_t;


/* the same, made into one string to compare; lives as long as the rules */

typedef struct {
    const char             *key;        /* hosts, an empty line, paths */
} learn_import_place_t;


typedef struct {
    const char             *key;
    const char             *text;
    const char             *note;       /* for the entry; may be NULL */
    learn_import_source_t  *source;
    learn_import_action_e   action;
} learn_import_rule_t;


/* begins as all zeroes */

typedef struct {
    learn_arena_t           mem;
    learn_import_rule_t    *rules;      /* on the heap */
    size_t                  n;
    size_t                  size;
    learn_import_list_t     barred;
    size_t                  hosts;      /* set by learn_import_rules_write() */
} learn_import_rules_t;


/*
 * Sorts hosts and paths of "scope", and copies them.
 *
 * LEARN_IMPORT_OK        "place" is set
 * LEARN_IMPORT_DECLINED  a host or path is not one that a rules file may
 *                        hold; "*kind" tells which
 * LEARN_IMPORT_ERROR     out of memory
 */
learn_import_rc_e learn_import_rules_place(learn_import_rules_t *rules,
    learn_import_scope_t *scope, learn_import_place_t *place,
    learn_import_kind_e *kind);

/*
 * Adds rules with these texts, which are copied.  "note" and "source" must
 * outlive the rules.  Returns LEARN_IMPORT_OK or LEARN_IMPORT_ERROR.
 */
learn_import_rc_e learn_import_rules_add(learn_import_rules_t *rules,
    const learn_import_place_t *place, learn_import_action_e action,
    const learn_import_list_t *texts, const char *note,
    learn_import_source_t *source);

/*
 * Lets no strip with one of these texts into the file, wherever it holds; "*"
 * means all strips.
 */
learn_import_rc_e learn_import_rules_bar(learn_import_rules_t *rules,
    const learn_import_list_t *texts);

/*
 * Writes the rules file to "out".  Strips that are barred are reported and
 * their sources no longer count as taken.
 *
 * LEARN_IMPORT_OK        "out" is complete
 * LEARN_IMPORT_ERROR     out of memory
 */
learn_import_rc_e learn_import_rules_write(learn_import_rules_t *rules,
    learn_import_report_t *report, learn_import_buf_t *out);

void learn_import_rules_release(learn_import_rules_t *rules);


#endif /* _IMPORT_RULES_H_INCLUDED_ */
