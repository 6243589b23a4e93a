
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _EVAL_REPORT_H_INCLUDED_
#define _EVAL_REPORT_H_INCLUDED_


#include <stdio.h>

#include "eval_run.h"


/* the paper's tables 1 and 2: sizes of sites, of clusters and of trees */

void learn_report_sites(const learn_eval_t *eval, FILE *out);

/* tables 3 and 4, rates of each method, and how many operations were undone */

void learn_report_methods(const learn_eval_t *eval, FILE *out);

/*
 * Figures 9 to 12: seconds for each stage; qualified rates, compression and
 * dup-reduction for each limit, the last three only with a sweep.
 */
void learn_report_figures(const learn_eval_t *eval, FILE *out);

/*
 * The same as files figure-9.svg to figure-12.svg in a folder, which is there.
 * Returns 0 after a complaint.
 */
int learn_report_svg(const learn_eval_t *eval, const char *folder);

/* an object for each method, on a line; returns 0 without memory */

int learn_report_json(const learn_eval_t *eval, FILE *out);


#endif /* _EVAL_REPORT_H_INCLUDED_ */
