
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_TRUTH_FORMS_H_INCLUDED_
#define _LEARN_TRUTH_FORMS_H_INCLUDED_


#include "learn/pattern.h"
#include "truth.h"


/*
 * What the URLs of the truth become: by the normalizer, or as a file says,
 * "-" being standard input, in lines of a URL, a tab and its form; one that is
 * not in there stays as it is.  LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a
 * complaint.
 */
int learn_truth_normalize(learn_truth_t *truth, learn_normalizer_t *norm);
int learn_truth_read_forms(learn_truth_t *truth, const char *file);

/* counts which parameters are not in the forms; the same values */

int learn_truth_count(learn_truth_t *truth, learn_patterns_t *patterns);


#endif /* _LEARN_TRUTH_FORMS_H_INCLUDED_ */
