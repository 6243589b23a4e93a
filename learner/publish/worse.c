
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>

#include "interval.h"
#include "worse.h"


static int  learn_worse_share(const learn_worse_t *limits, const char *what,
    uint64_t k, uint64_t n, uint64_t now, uint64_t of,
    char why[LEARN_WORSE_WHY]);
static int  learn_worse_slower(const learn_worse_t *limits,
    const learn_reply_t *before, const learn_reply_t *after,
    char why[LEARN_WORSE_WHY]);


int
learn_worse(const learn_worse_t *limits, const learn_reply_t *before,
    const learn_reply_t *after, char why[LEARN_WORSE_WHY])
{
    return learn_worse_share(limits, "errors", before->errors,
                             before->requests, after->errors, after->requests,
                             why)
           || learn_worse_share(limits, "redirects", before->redirects,
                                before->requests, after->redirects,
                                after->requests, why)
           || learn_worse_slower(limits, before, after, why);
}


static int
learn_worse_share(const learn_worse_t *limits, const char *what, uint64_t k,
    uint64_t n, uint64_t now, uint64_t of, char why[LEARN_WORSE_WHY])
{
    learn_interval_t  then, since;

    then = learn_interval(k, n, LEARN_NORMAL_999);
    since = learn_interval(now, of, LEARN_NORMAL_999);

    if (since.low <= then.high + limits->points / 100.0) {
        return 0;
    }

    (void) snprintf(why, LEARN_WORSE_WHY, "%.1f %% of %llu requests are %s, "
                    "and %.1f %% of %llu were before", 100.0 * since.share,
                    (unsigned long long) of, what, 100.0 * then.share,
                    (unsigned long long) n);

    return 1;
}


static int
learn_worse_slower(const learn_worse_t *limits, const learn_reply_t *before,
    const learn_reply_t *after, char why[LEARN_WORSE_WHY])
{
    double  then, now;

    if (before->upstream < LEARN_WORSE_ANSWERS
        || after->upstream < LEARN_WORSE_ANSWERS)
    {
        return 0;
    }

    then = (double) before->upstream_ms / (double) before->upstream;
    now = (double) after->upstream_ms / (double) after->upstream;

    if (now <= limits->factor * then || now <= then + LEARN_WORSE_MS) {
        return 0;
    }

    (void) snprintf(why, LEARN_WORSE_WHY, "upstreams take %.0f ms for an "
                    "answer, and took %.0f ms before", now, then);

    return 1;
}
