
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "tree_select.h"


static void  learn_naive_sources(learn_arrow_t *arrows, size_t n);
static int  learn_naive_better(const learn_arrow_t *one,
    const learn_arrow_t *two);
static void  learn_naive_covered(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover);
static learn_arrow_t  *learn_naive_circle(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate, uint32_t *seen);
static learn_arrow_t  *learn_naive_weakest(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate, size_t at);


int
learn_select_naive(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate)
{
    size_t          i;
    uint32_t       *seen;
    learn_arrow_t  *weak;

    for (i = 0; i < n; i++) {
        arrows[i].keep = 1;
    }

    learn_naive_sources(arrows, n);

    if (!by_rate) {
        learn_naive_covered(arrows, n, cover);
    }

    seen = malloc((n + 1) * sizeof(uint32_t));

    if (seen == NULL) {
        return 0;
    }

    while ((weak = learn_naive_circle(arrows, n, cover, by_rate, seen))
           != NULL)
    {
        weak->keep = 0;
    }

    free(seen);

    return 1;
}


/* case (a) */

static void
learn_naive_sources(learn_arrow_t *arrows, size_t n)
{
    size_t  i, best;

    for (i = 1, best = 0; i < n; i++) {
        if (arrows[i].source != arrows[best].source) {
            best = i;

        } else if (learn_naive_better(&arrows[i], &arrows[best])) {
            arrows[best].keep = 0;
            best = i;

        } else {
            arrows[i].keep = 0;
        }
    }
}


static int
learn_naive_better(const learn_arrow_t *one, const learn_arrow_t *two)
{
    if (one->fpr != two->fpr) {
        return one->fpr < two->fpr;
    }

    return one->overlap > two->overlap;
}


/* case (b), the general one stays */

static void
learn_naive_covered(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover)
{
    size_t  i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; arrows[i].keep && j < n; j++) {
            if (j != i && arrows[j].keep
                && arrows[i].source != arrows[j].source
                && cover->covers(cover->data, arrows[i].source,
                                 arrows[j].source))
            {
                arrows[j].keep = 0;
            }
        }
    }
}


const learn_arrow_t *
learn_select_next(const learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate, uint32_t place)
{
    size_t                i;
    const learn_arrow_t  *next;

    next = NULL;

    for (i = 0; i < n; i++) {
        if (!arrows[i].keep
            || (arrows[i].source != place
                && !cover->covers(cover->data, arrows[i].source, place)))
        {
            continue;
        }

        if (next == NULL
            || (by_rate ? learn_naive_better(&arrows[i], next)
                        : arrows[i].volume < next->volume))
        {
            next = &arrows[i];
        }
    }

    return next;
}


/* case (c): the weakest arrow of some circle, or NULL */

static learn_arrow_t *
learn_naive_circle(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate, uint32_t *seen)
{
    size_t                i, at;
    const learn_arrow_t  *next;

    for (i = 0; i < n; i++) {
        seen[i] = 0;
    }

    for (i = 0; i < n; i++) {
        at = i;

        while (arrows[at].keep && seen[at] == 0) {
            seen[at] = (uint32_t) (i + 1);

            next = learn_select_next(arrows, n, cover, by_rate,
                                     arrows[at].target);

            if (next == NULL || next == &arrows[at]) {
                break;
            }

            at = (size_t) (next - arrows);

            if (seen[at] == i + 1) {
                return learn_naive_weakest(arrows, n, cover, by_rate, at);
            }
        }
    }

    return NULL;
}


/* of the circle that the arrow "at" is in */

static learn_arrow_t *
learn_naive_weakest(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate, size_t at)
{
    size_t                i;
    learn_arrow_t        *weak;
    const learn_arrow_t  *next;

    i = at;
    weak = &arrows[at];

    do {
        next = learn_select_next(arrows, n, cover, by_rate, arrows[i].target);
        i = (size_t) (next - arrows);

        if (arrows[i].volume < weak->volume
            || (arrows[i].volume == weak->volume && &arrows[i] > weak))
        {
            weak = &arrows[i];
        }

    } while (i != at);

    return weak;
}
