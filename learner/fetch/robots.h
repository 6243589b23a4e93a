
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ROBOTS_H_INCLUDED_
#define _LEARN_ROBOTS_H_INCLUDED_


#include "arena.h"
#include "miqps_core.h"


/*
 * robots.txt, RFC 9309: of the groups that name us, or else of those that name
 * "*", the longest rule that matches counts, and of equal ones that which
 * allows.  "*" stands for any bytes, and "$" at the end for the end.
 */

#define LEARN_ROBOTS_MAX  (500 * 1024)      /* bytes that are looked at */


typedef struct learn_robots_rule_s  learn_robots_rule_t;

struct learn_robots_rule_s {
    learn_robots_rule_t  *next;
    miqps_str_t           path;
    unsigned              allow:1;
};


typedef struct {
    learn_robots_rule_t  *rules;
    uint64_t              delay;            /* seconds, Crawl-delay; or 0 */
    unsigned              none:1;           /* nothing may be fetched */
} learn_robots_t;


/*
 * Reads it for "agent", which is compared without regard to case; rules are
 * copied into the arena.  0 without memory.
 */
int learn_robots_read(learn_robots_t *robots, const uint8_t *data, size_t len,
    const char *agent, learn_arena_t *arena);

/* what follows from a state: none at all allows all, a failure nothing */

void learn_robots_state(learn_robots_t *robots, unsigned status);

/* true if a target, path and query, may be fetched */

int learn_robots_allow(const learn_robots_t *robots,
    const miqps_str_t *target);


#endif /* _LEARN_ROBOTS_H_INCLUDED_ */
