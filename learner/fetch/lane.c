
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "lane.h"


#define LEARN_LANE_PAUSE     64          /* seconds without a word, at most */
#define LEARN_LANE_STEPS     6           /* of doubling until then */
#define LEARN_LANE_START     50.0        /* a second, where nothing was said */
#define LEARN_LANE_LEAST     0.1
#define LEARN_LANE_GOOD      20          /* answers before it goes faster */
#define LEARN_LANE_FASTER    1.05
#define LEARN_LANE_BEHIND    (LEARN_LANE_SECOND / 10)


static void  learn_lane_slow(learn_lane_t *lane, uint64_t now,
    uint64_t seconds);


void
learn_lane_init(learn_lane_t *lane, double rate, unsigned wide)
{
    memset(lane, 0, sizeof(learn_lane_t));

    lane->rate = rate;
    lane->most = rate;
    lane->wide = wide;
}


int
learn_lane_open(const learn_lane_t *lane, uint64_t now)
{
    return lane->flying < lane->wide && learn_lane_wait(lane, now) == 0;
}


uint64_t
learn_lane_wait(const learn_lane_t *lane, uint64_t now)
{
    uint64_t  at;

    at = (lane->pause > lane->next) ? lane->pause : lane->next;

    return (at > now) ? at - now : 0;
}


/* what was missed is made up for, but not all at once */

void
learn_lane_start(learn_lane_t *lane, uint64_t now)
{
    lane->flying++;

    if (lane->rate == 0) {
        return;
    }

    if (lane->next + LEARN_LANE_BEHIND < now) {
        lane->next = now;
    }

    lane->next += (uint64_t) ((double) LEARN_LANE_SECOND / lane->rate);
}


void
learn_lane_end(learn_lane_t *lane, uint64_t now, int limited,
    uint64_t seconds)
{
    lane->flying--;

    if (limited) {
        learn_lane_slow(lane, now, seconds);
        return;
    }

    lane->limited = 0;

    if (lane->rate == lane->most || ++lane->good < LEARN_LANE_GOOD) {
        return;
    }

    lane->good = 0;
    lane->rate *= LEARN_LANE_FASTER;

    if (lane->most != 0 && lane->rate > lane->most) {
        lane->rate = lane->most;
    }
}


/* several that were under way may say so: that is one complaint */

static void
learn_lane_slow(learn_lane_t *lane, uint64_t now, uint64_t seconds)
{
    unsigned  step;

    lane->good = 0;

    if (lane->pause > now && seconds == 0) {
        return;
    }

    if (lane->pause <= now) {
        lane->rate = (lane->rate == 0) ? LEARN_LANE_START : lane->rate / 2;
        lane->rate = (lane->rate < LEARN_LANE_LEAST) ? LEARN_LANE_LEAST
                                                     : lane->rate;
        lane->limited++;
    }

    if (seconds == 0) {
        step = (lane->limited < LEARN_LANE_STEPS) ? lane->limited - 1
                                                  : LEARN_LANE_STEPS;
        seconds = UINT64_C(1) << step;
    }

    if (lane->pause < now + seconds * LEARN_LANE_SECOND) {
        lane->pause = now + seconds * LEARN_LANE_SECOND;
    }

    lane->next = lane->pause;
}
