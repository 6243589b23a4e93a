
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _PEER_DUST_H_INCLUDED_
#define _PEER_DUST_H_INCLUDED_


#include "tree/tree_clusters.h"


/*
 * SUBSTRING SUBSTITUTIONS, in the manner of Bar-Yossef, Keidar and Schonfeld
 *
 * A URL is a string, and a rule replaces one string in it by another:
 *
 *     http://us.shop.example/p?id=7     |/us.| -> |/de.|
 *     http://de.shop.example/p?id=7
 *
 * What two URLs of a cluster have in common at both ends is their envelope,
 * and what is between is a candidate, up to the next delimiters on both sides,
 * which belong to it.  The longer string is replaced by the shorter one, or
 * the greater by the smaller of equal length, so that nothing goes around in
 * circles.  The number of different envelopes is the support, and candidates
 * have LEARN_DUST_SUPPORT of it at least.
 *
 * URLs of a cluster are compared with their neighbours in the order of bytes,
 * forwards and backwards, rather than all with all: what differs in one place
 * only is then next to each other, or nearly so.
 *
 * Rules are applied in the order of their support, each at the first place
 * where its string is, until none is found or a limit is reached.
 */

#define LEARN_DUST_SUPPORT  5
#define LEARN_DUST_LENGTH   64         /* bytes of a string, at most */
#define LEARN_DUST_RULES    1000       /* with the most support */


typedef struct {
    miqps_str_t        from;
    miqps_str_t        to;
    uint32_t           envelopes;
    uint32_t           next;           /* in the table, or UINT32_MAX */
    uint64_t           supports;
    uint64_t           wrong;
    double             fpr;
    unsigned           deployed:1;
} learn_dust_rule_t;


typedef struct {
    learn_dust_rule_t *rules;          /* the most support first */
    size_t             nrules;
    size_t             qualified;
    size_t             deployed;
    uint32_t          *table;          /* of rules, by their first bytes */
    size_t             mask;
    uint8_t           *out[2];
    size_t             size[2];
} learn_dust_t;


/*
 * Learns from lines, sorted by cluster.  The rules are parts of their text,
 * which has to stay.  Returns 0 without memory; release it anyway.
 */
int learn_dust_learn(learn_dust_t *dust, const learn_line_t *lines, size_t n);
void learn_dust_release(learn_dust_t *dust);

/* deploys what is within the limit */

void learn_dust_select(learn_dust_t *dust, double limit);

/* as learn_plan_apply() */

int learn_dust_apply(learn_dust_t *dust, uint8_t *url, size_t len,
    miqps_str_t *result);


/* --- between its parts */

/* rates of false positives; returns 0 without memory */

int learn_dust_proof(learn_dust_t *dust, const learn_line_t *lines, size_t n);


/* true where a string may begin */

static inline int
learn_dust_delimiter(uint8_t c)
{
    return c == '/' || c == '?' || c == '&' || c == '=' || c == '.' || c == ':'
           || c == '-' || c == '_' || c == ';' || c == ',';
}


/*
 * Rules are found by their first bytes, up to LEARN_DUST_GRAM of them: the
 * first one of those that are looked up by "gram" bytes of the text, in the
 * order of their support; or UINT32_MAX.  Others follow by "next".
 */

#define LEARN_DUST_GRAM     4

uint32_t learn_dust_look(const learn_dust_t *dust, const uint8_t *text,
    size_t len, size_t gram);


#endif /* _PEER_DUST_H_INCLUDED_ */
