
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_LANE_H_INCLUDED_
#define _LEARN_LANE_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * HOW FAST A HOST IS ASKED
 *
 * So many requests a second, and so many at a time.  When the host says that
 * it is too much (429, 503), nobody asks it until the time that it named, or
 * for a second, then two, then four; after that it is asked half as often, and
 * slowly more often again while it does not complain.
 *
 * Times are microseconds of any clock that only goes forward.
 */

#define LEARN_LANE_SECOND  UINT64_C(1000000)


typedef struct {
    double          rate;            /* requests a second, 0 for any */
    double          most;            /* what it was told, 0 for any */
    unsigned        wide;            /* requests at a time */
    unsigned        flying;
    uint64_t        next;            /* when one may start */
    uint64_t        pause;           /* until when none may */
    unsigned        limited;         /* answers in a row that said so */
    unsigned        good;            /* ... that did not */
} learn_lane_t;


void learn_lane_init(learn_lane_t *lane, double rate, unsigned wide);

/* true if a request may start now */

int learn_lane_open(const learn_lane_t *lane, uint64_t now);

/* microseconds until that is so as far as time says it; 0: now */

uint64_t learn_lane_wait(const learn_lane_t *lane, uint64_t now);

void learn_lane_start(learn_lane_t *lane, uint64_t now);

/*
 * A request has ended.  "limited" is whether the host said that it is too
 * much, and "seconds" how long it wants to be left alone, or 0.
 */
void learn_lane_end(learn_lane_t *lane, uint64_t now, int limited,
    uint64_t seconds);


#endif /* _LEARN_LANE_H_INCLUDED_ */
