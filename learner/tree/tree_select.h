
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_SELECT_H_INCLUDED_
#define _TREE_SELECT_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * WHICH RULES ARE DEPLOYED
 *
 * Selection knows a rule as an arrow between two places, which are nodes of a
 * tree or whatever else can be more or less general: "covers" says so.  It
 * marks the arrows to keep.  Only arrows whose rate is within the limit are
 * given to it.
 *
 * NAIVE, as the paper's list of remedies:
 *
 *   (a) of arrows from one place, the one with the smallest rate stays; of
 *       equal ones that with the larger overlap, of which the paper says that
 *       it gives more confidence, then the first;
 *   (b) of arrows from a place and from one that it covers, the general one
 *       stays; or, as the other variant, both do, and where both apply the
 *       smaller rate comes first;
 *   (c) of arrows in a circle the one with the smallest volume goes, until
 *       there are no circles.  Whoever has arrived at a place goes on by the
 *       arrow of this place or of one that covers it.
 *
 * An arrow from a place to itself, or that leads to where it applies anyway,
 * is no circle: what it has made it does not change again.
 *
 * GRAPH: energy flows along arrows, with weight 1 - fpr, and from each place
 * to all that cover it, with weight 1; an arrow to such a place is one edge,
 * with the weight of the arrow.  Each place begins with its volume.  What the
 * paper leaves open is decided as follows.
 *
 *   - A place without a way out keeps its energy; so does, in part, one with
 *     an arrow to itself, which is an edge as any other.
 *   - Two places with arrows to each other would exchange their energy for
 *     ever.  In each step half of it stays where it is.  That changes nothing
 *     in what is stable, and everything becomes so.
 *   - There are as many destinations as the arrows leave: a place is one if no
 *     arrow leads from it to a place with more energy.  Arrows that lead to
 *     less energy are removed: so all arrows out of destinations are, and no
 *     circles remain.  Of several arrows uphill the one to the most energy
 *     stays.  With a limit on the number, only so many of them, those with the
 *     most energy, are destinations, and whatever does not lead to one of
 *     these is removed.
 *   - An arrow from a place to itself does not leave it, and stays where no
 *     arrow leads uphill.
 *   - An arrow is redundant if a place that covers its source, and has more
 *     energy, keeps an arrow of its own, and covers its target too or leads to
 *     what does: then that one is for both of them.
 */

typedef struct {
    uint32_t        source;
    uint32_t        target;
    double          fpr;
    double          overlap;
    uint32_t        volume;        /* URLs of the source */
    uint32_t        target_volume;
    unsigned        keep:1;
} learn_arrow_t;


typedef struct {
    int           (*covers)(const void *data, uint32_t one, uint32_t two);
    const void     *data;
} learn_cover_t;


/* the arrows are sorted by source and target; returns 0 without memory */

int learn_select_naive(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate);

typedef struct {
    double          energy;        /* in URLs */
    uint32_t        rank;          /* from 0, the most energy; UINT32_MAX for
                                      a place without arrows */
} learn_energy_t;


/*
 * "most" destinations, or as many as needed if it is 0.  Places have numbers
 * below "nplaces", and "energy" has room for each.
 */
int learn_select_graph(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, size_t most, uint32_t nplaces,
    learn_energy_t *energy);


/*
 * Where the way goes on from a place: the arrow of the place itself or of the
 * nearest, that is the smallest in volume, or with "by_rate" of that with the
 * smallest rate, among those that cover it; NULL if there is none.
 */
const learn_arrow_t *learn_select_next(const learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, int by_rate, uint32_t place);


#endif /* _TREE_SELECT_H_INCLUDED_ */
