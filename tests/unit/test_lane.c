
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "fetch/lane.h"


#define SECOND  LEARN_LANE_SECOND


/* starts whatever may start, for so long; each takes a tenth of a second */

static unsigned
drive(learn_lane_t *lane, uint64_t *now, uint64_t until)
{
    unsigned  n;
    uint64_t  ends[64];

    n = 0;

    while (*now < until) {

        while (lane->flying > 0 && ends[0] <= *now) {
            memmove(ends, ends + 1, (lane->flying - 1) * sizeof(ends[0]));
            learn_lane_end(lane, *now, 0, 0);
        }

        while (learn_lane_open(lane, *now)) {
            learn_lane_start(lane, *now);
            ends[lane->flying - 1] = *now + SECOND / 10;
            n++;
        }

        *now += 1000;
    }

    return n;
}


static void
keeps_its_rate(void **state)
{
    uint64_t      now;
    unsigned      n, i;
    learn_lane_t  lane;

    static const double  rates[] = { 1, 7, 50, 333 };

    (void) state;

    for (i = 0; i < 4; i++) {
        now = SECOND;
        learn_lane_init(&lane, rates[i], 40);
        n = drive(&lane, &now, now + 20 * SECOND);

        assert_in_range(n, (unsigned) (rates[i] * 20 * 0.95),
                        (unsigned) (rates[i] * 20 * 1.05) + 1);
    }
}


static void
keeps_its_width(void **state)
{
    uint64_t      now;
    learn_lane_t  lane;

    (void) state;

    now = SECOND;
    learn_lane_init(&lane, 0, 3);

    assert_true(learn_lane_open(&lane, now));
    learn_lane_start(&lane, now);
    learn_lane_start(&lane, now);
    assert_true(learn_lane_open(&lane, now));
    learn_lane_start(&lane, now);
    assert_false(learn_lane_open(&lane, now));
    learn_lane_end(&lane, now, 0, 0);
    assert_true(learn_lane_open(&lane, now));
}


static void
waits_as_long_as_it_is_told(void **state)
{
    uint64_t      now;
    learn_lane_t  lane;

    (void) state;

    now = 5 * SECOND;
    learn_lane_init(&lane, 100, 4);

    learn_lane_start(&lane, now);
    learn_lane_start(&lane, now + 10000);
    learn_lane_end(&lane, now, 1, 7);
    assert_false(learn_lane_open(&lane, now + 7 * SECOND - 1));
    assert_true(learn_lane_open(&lane, now + 7 * SECOND));
    assert_true(lane.rate == 50);

    /* what was under way says the same, and is no second complaint */

    learn_lane_end(&lane, now + 1000, 1, 7);
    assert_true(lane.rate == 50);
    assert_int_equal(lane.limited, 1);
}


static void
waits_longer_each_time(void **state)
{
    uint64_t      now, wait;
    unsigned      i;
    learn_lane_t  lane;

    static const unsigned  seconds[] = { 1, 2, 4, 8, 16, 64, 64, 64 };

    (void) state;

    now = SECOND;
    learn_lane_init(&lane, 0, 1);

    for (i = 0; i < 8; i++) {
        learn_lane_start(&lane, now);
        learn_lane_end(&lane, now, 1, 0);
        wait = learn_lane_wait(&lane, now);
        assert_int_equal(wait, seconds[i] * SECOND);
        now += wait;
    }

    assert_true(lane.rate > 0);
}


static void
becomes_faster_again(void **state)
{
    uint64_t      now;
    double        slow;
    learn_lane_t  lane;

    (void) state;

    now = SECOND;
    learn_lane_init(&lane, 40, 8);
    learn_lane_start(&lane, now);
    learn_lane_end(&lane, now, 1, 1);
    slow = lane.rate;
    assert_true(slow == 20);

    (void) drive(&lane, &now, now + 5 * SECOND);
    assert_true(lane.rate > slow && lane.rate < 40);
    (void) drive(&lane, &now, now + 60 * SECOND);
    assert_true(lane.rate == 40);
}


int
main(void)
{
    static unit_t  unit;

    unit_add(&unit, "keeps its rate", keeps_its_rate, NULL);
    unit_add(&unit, "keeps its width", keeps_its_width, NULL);
    unit_add(&unit, "waits as long as it is told", waits_as_long_as_it_is_told,
             NULL);
    unit_add(&unit, "waits longer each time", waits_longer_each_time, NULL);
    unit_add(&unit, "becomes faster again", becomes_faster_again, NULL);

    return unit_run(&unit, "lane");
}
