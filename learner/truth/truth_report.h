
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_TRUTH_REPORT_H_INCLUDED_
#define _LEARN_TRUTH_REPORT_H_INCLUDED_


#include "truth_score.h"


/*
 * The score for people, with the first parameters and URLs that are wrong, and
 * as JSON, with all of them; to standard output.  "fetches" is NULL if nobody
 * knows.  LEARN_EXIT_OK, or LEARN_EXIT_FAILED without memory.
 */
void learn_truth_print(const learn_truth_t *truth,
    const learn_truth_score_t *score, const uint64_t *fetches);
int learn_truth_json(const learn_truth_t *truth,
    const learn_truth_score_t *score, const uint64_t *fetches);


#endif /* _LEARN_TRUTH_REPORT_H_INCLUDED_ */
