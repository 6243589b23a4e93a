
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_TRUTH_H_INCLUDED_
#define _LEARN_TRUTH_H_INCLUDED_


#include "arena.h"
#include "store/evidence.h"


/*
 * THE TRUTH ABOUT A SITE
 *
 * A file says which page each URL is, and which parameters matter, in lines
 * of fields with a tab between them:
 *
 *     page   URL   any name for the page
 *     param  host  names  name  neutral|matters|alias  [value]
 *
 * "names" are those of the pattern, in order, with "&" between them.  Of
 * parameters that are "alias" one is enough.  A parameter that two lines give
 * different roles matters: a pattern stands for all paths of a host.  With a
 * value, a parameter that matters may go.
 */

typedef enum {
    LEARN_ROLE_NEUTRAL = 0,
    LEARN_ROLE_MATTERS,
    LEARN_ROLE_ALIAS,
    LEARN_ROLES
} learn_role_e;


typedef struct {
    const char          *url;
    const char          *name;       /* of the page */
    const char          *form;       /* what the URL becomes */
    uint32_t             page;       /* a number for the name, from 0 */
    unsigned             misled:1;   /* its form is served by another page */
} learn_truth_page_t;


typedef struct {
    const char          *key;        /* host, names and name, tabs between */
    learn_role_e         role;
    const char          *value;      /* that may go, or NULL */
    uint64_t             urls;       /* that have it, and lose it */
    uint64_t             stripped;
    unsigned             unknown:1;  /* the learner could not tell */
} learn_truth_param_t;


typedef struct {
    learn_arena_t        arena;
    learn_truth_page_t  *pages;      /* by URL, each once */
    size_t               npages;     /* URLs, that is */
    size_t               max_pages;
    uint32_t             nnames;     /* pages */
    learn_truth_param_t *params;     /* by key, each once */
    size_t               nparams;
    size_t               max_params;
} learn_truth_t;


/*
 * Adds a file, "-" being standard input; finish() puts all in order.
 * LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint; release it anyway.
 */
void learn_truth_init(learn_truth_t *truth);
int learn_truth_read(learn_truth_t *truth, const char *file);
int learn_truth_finish(learn_truth_t *truth);
void learn_truth_release(learn_truth_t *truth);

/*
 * Lines of a file, one by one, without their ends.  The handler returns 1, or
 * 0 if it is not "what", or -1 without memory; it may write to the line.
 */
typedef int (*learn_truth_line_pt)(learn_truth_t *truth, char *line);

int learn_truth_lines(learn_truth_t *truth, const char *file,
    learn_truth_line_pt handler, const char *what);

/* a string that lives as long as the truth; NULL without memory */

char *learn_truth_copy(learn_truth_t *truth, const char *text, size_t len);

/* NULL if nothing is known of it */

learn_truth_param_t *learn_truth_param(const learn_truth_t *truth,
    const char *host, const miqps_str_t *names, const miqps_str_t *name);

learn_truth_page_t *learn_truth_url(const learn_truth_t *truth,
    const char *url);

/* one word for it */

const char *learn_role_name(learn_role_e role);


#endif /* _LEARN_TRUTH_H_INCLUDED_ */
