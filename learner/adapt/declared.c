
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_DECLARED_URLS  64          /* of a kind that are looked at */


static int  learn_declared_kind(const learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_declaration_t *one);


int
learn_declared(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t name)
{
    const learn_declaration_t  *one;

    for (one = adapt->study->honor.list; one != NULL; one = one->next) {
        if (learn_declaration_names(one, &adapt->names[name].text)
            && learn_declared_kind(adapt, kind, one))
        {
            return 1;
        }
    }

    return 0;
}


/*
 * What a page says is said for its kind.  A prefix that is not that of all of
 * a kind is about something else.
 */

static int
learn_declared_kind(const learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_declaration_t *one)
{
    int       holds;
    uint32_t  i;

    for (i = 0; i < kind->urls && i < LEARN_DECLARED_URLS; i++) {
        holds = learn_declaration_holds(one, &adapt->urls[kind->list[i]].path);

        if (holds == (int) one->exact) {
            return holds;
        }
    }

    return !one->exact;
}
