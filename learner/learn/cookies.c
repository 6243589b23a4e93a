
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "study.h"


/*
 * COOKIES THAT TWO PAGES SET
 *
 * One that says where somebody came from is a reason to keep a parameter, and
 * one that is another each time is none: a session, a token, a clock.  Which is
 * which is known of a name as soon as a page that sets it was looked at twice.
 */


static int  learn_cookies_missing(const learn_study_t *study,
    const learn_visit_t *one, const learn_visit_t *two);
static int  learn_cookies_vary(const learn_study_t *study, uint32_t name);


int
learn_visit_cookies(const learn_study_t *study, const learn_visit_t *one,
    const learn_visit_t *two)
{
    return miqps_str_eq(&one->row.jar, &two->row.jar)
           || (!learn_cookies_missing(study, one, two)
               && !learn_cookies_missing(study, two, one));
}


/* true if a cookie of the first that counts is not one of the second */

static int
learn_cookies_missing(const learn_study_t *study, const learn_visit_t *one,
    const learn_visit_t *two)
{
    size_t          i;
    learn_cookie_t  cookie;

    for (i = 0; learn_jar_get(&one->row.jar, i, &cookie); i++) {
        if (!learn_jar_has(&two->row.jar, &cookie)
            && (!learn_jar_has_name(&two->row.jar, cookie.name)
                || !learn_cookies_vary(study, cookie.name)))
        {
            return 1;
        }
    }

    return 0;
}


/*
 * Only looks that were compared count, since these do not depend on which of
 * the pages came first.
 */

static int
learn_cookies_vary(const learn_study_t *study, uint32_t name)
{
    size_t                i, k;
    learn_cookie_t        cookie;
    const learn_visit_t  *visit, *before;

    for (i = 0; i < study->max_visits; i++) {
        visit = study->visits[i];

        if (visit == NULL || visit->row.turn == 0 || !visit->compared
            || !learn_jar_has_name(&visit->row.jar, name))
        {
            continue;
        }

        before = learn_visit_find(study, &visit->row.url, visit->row.viewer);

        if (before == NULL || !learn_jar_has_name(&before->row.jar, name)) {
            continue;
        }

        for (k = 0; learn_jar_get(&visit->row.jar, k, &cookie); k++) {
            if (cookie.name == name
                && !learn_jar_has(&before->row.jar, &cookie))
            {
                return 1;
            }
        }
    }

    return 0;
}
