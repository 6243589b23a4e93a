
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_DAY_H_INCLUDED_
#define _LEARN_DAY_H_INCLUDED_


#include "miqps_core.h"


/*
 * Days since 1970 of the times that logs have, as they are written there,
 * whatever zone that is:
 *
 *     17/Nov/2026:16:00:00 +0000     $time_local
 *     2026-11-17T16:00:00+00:00      $time_iso8601
 *     20261117160000                 CDX
 *     1794931200.123                 $msec, or whole seconds
 *
 * 0 for what is none of these.
 */
int64_t learn_day(const miqps_str_t *text);


#endif /* _LEARN_DAY_H_INCLUDED_ */
