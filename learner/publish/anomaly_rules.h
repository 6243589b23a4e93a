
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ANOMALY_RULES_H_INCLUDED_
#define _LEARN_ANOMALY_RULES_H_INCLUDED_


#include "anomaly.h"


/*
 * WHAT PATH RULES OF A NEW MAP WOULD TAKE THAT MATTERED
 *
 * Something is told by a part of a URL if another value of that part makes
 * another URL.  URLs that differ in one part only are asked about under both
 * maps: if the old one tells some of them apart that are one under the new
 * one, and a rule of that had a hand in it, then that rule takes what was kept.
 *
 * The parts are parameters that patterns of the old map keep, in URLs that a
 * rule of the new map is about, on paths of that rule and of the pattern; and
 * captures and parameters of rules of the old map, in URLs that these are
 * about, where what they wrote is what tells.  The values are two of each type
 * of wildcard, which no narrower type has; all of a table; those that other
 * rules name for the parameter; and those that rules make of all these.  A
 * parameter may be missing, too.
 *
 * Where rules are gone, others may apply that were there before, so that what
 * stands beside the part is also something that any wildcard stands for.
 *
 * The rest of a path is told apart by nobody but rules, and was compared when
 * they were learned.
 */

/*
 * Parameters of a pattern of anomaly->view: those that rules of the new map
 * take are added to "lost", by their place, and counted.  Rules that take
 * something are marked in anomaly->dropped.  Both return 0 without memory.
 */
int learn_anomaly_by_rules(learn_anomaly_t *anomaly,
    const learn_view_pattern_t *pattern, uint8_t *lost, size_t *nlost);

/* sets anomaly->rules_gone; 0 without memory */

int learn_anomaly_rules_gone(learn_anomaly_t *anomaly);

/*
 * What rules of the old map have written: if no rule of the new one takes it,
 * anomaly->doubts counts it.
 */

int learn_anomaly_of_rules(learn_anomaly_t *anomaly);


#endif /* _LEARN_ANOMALY_RULES_H_INCLUDED_ */
