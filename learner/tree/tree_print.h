
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_PRINT_H_INCLUDED_
#define _TREE_PRINT_H_INCLUDED_


#include "tree_plan.h"


/*
 * What "miqps rules" tells, for people or, with "json", an object a line.
 * Functions return 0 without memory.
 */

/* each node, indented below its parent, with its URLs and its pattern */

int learn_print_tree(const learn_tree_t *tree, int json, FILE *out);

/* each rule that is deployed, with all that was concatenated */

int learn_print_plan(const learn_plan_t *plan, int json, FILE *out);

/* each candidate, with its rate of false positives and what became of it */

int learn_print_candidates(const learn_plan_t *plan, int json, FILE *out);


#endif /* _TREE_PRINT_H_INCLUDED_ */
