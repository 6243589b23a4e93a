
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SCHEDULE_H_INCLUDED_
#define _LEARN_SCHEDULE_H_INCLUDED_


#include "study.h"


/*
 * Many hosts, a few of them at a time, in one event loop.  Memory is that of
 * those few, however many there are.
 */

typedef struct learn_schedule_s  learn_schedule_t;


struct learn_schedule_s {
    const learn_settings_t  *settings;
    const learn_hosts_t     *allowed;
    learn_store_t           *store;
    const char              *command;

    /* who wants to know; any may be NULL */
    void                   (*began)(learn_schedule_t *schedule,
                                    learn_study_t *study);
    void                   (*decided)(learn_study_t *study,
                                      const learn_task_t *task);
    void                   (*ended)(learn_schedule_t *schedule,
                                    learn_study_t *study);
    void                   (*progress)(learn_schedule_t *schedule);
    void                    *data;

    /* what is going on */
    learn_study_t           *studies;
    size_t                   open;
    uint64_t                 hosts;        /* that have ended */
    uint64_t                 deferred;
    uint64_t                 skipped;      /* nothing to be learned */
    uint64_t                 fetches;      /* of those that have ended */
    uint64_t                 decisions;
    uint64_t                 started;      /* a time, as in lane.h */
    unsigned                 stopped:1;    /* by a signal */
};


/*
 * Learns all hosts that are allowed and that the store has.  An exit code:
 * LEARN_EXIT_FAILED also if it was interrupted.
 */
int learn_schedule(learn_schedule_t *schedule);

/* true if a signal has stopped one */

int learn_schedule_stopped(void);

/* the plan alone: began() is called for each host */

int learn_schedule_plan(learn_schedule_t *schedule);


#endif /* _LEARN_SCHEDULE_H_INCLUDED_ */
