
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SEQUENTIAL_H_INCLUDED_
#define _LEARN_SEQUENTIAL_H_INCLUDED_


/*
 * HOW OFTEN IS ENOUGH
 *
 * Two hypotheses about a name: it makes no difference at all, or it makes one
 * in at least LEARN_SEQUENTIAL_SHARE of the trials.  A difference that can be
 * seen again cannot come by the first, so that Wald's ratio of their
 * likelihoods has its boundary on that side at one difference; without any, it
 * is (1 - share) to the power of the trials, and ends where that is as small as
 * the error that is allowed: a name of the second kind is taken for neutral
 * with at most this probability.
 */

#define LEARN_SEQUENTIAL_SHARE  0.2
#define LEARN_SEQUENTIAL_MOST   4096


typedef enum {
    LEARN_SEQUENTIAL_OPEN = 0,
    LEARN_SEQUENTIAL_NEUTRAL,
    LEARN_SEQUENTIAL_MATTERS
} learn_sequential_e;


/* trials without a difference that are needed; error is in (0, 1) */

unsigned learn_sequential_need(double error);

/* the error that so many of them leave */

double learn_sequential_error(unsigned trials);

/* what is known of a name after some trials */

learn_sequential_e learn_sequential(unsigned need, unsigned same,
    unsigned differed);

/*
 * The same where others of its name count, too: "same" trials of its own are at
 * least "least", and all of them, "total", are enough.
 */
learn_sequential_e learn_sequential_shared(unsigned need, unsigned least,
    unsigned same, unsigned total, unsigned differed);


#endif /* _LEARN_SEQUENTIAL_H_INCLUDED_ */
