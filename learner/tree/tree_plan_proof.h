
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_PLAN_PROOF_H_INCLUDED_
#define _TREE_PLAN_PROOF_H_INCLUDED_


#include "tree_plan.h"
#include "tree_tally.h"


/*
 * WHAT IS DEPLOYED, PROOFED AS IT IS
 *
 * Candidates are proofed one by one.  An action is more than a candidate: a
 * chain of them, made to ignore what others ignore that end at the same node,
 * and together with these.  So actions are tried once more on the URLs that
 * they were learned from, each on those that it is the nearest one for.  Of
 * actions that end at one node, the one with the most URLs comes first.  Each
 * adds pairs that become equal, among its own URLs and with those of the
 * actions before it.  If more than the limit of these are wrong, it is tried
 * with only its own keys ignored; if that is wrong too, its URLs stay as they
 * are.  The paper does not try rules again.
 *
 * Sets "stays" of such actions; their rules are no longer deployed.  Returns 0
 * without memory.
 */
int learn_plan_proof(learn_plan_t *plan);


#endif /* _TREE_PLAN_PROOF_H_INCLUDED_ */
