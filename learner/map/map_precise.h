
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_PRECISE_H_INCLUDED_
#define _MAP_PRECISE_H_INCLUDED_


#include "map_builder.h"


/*
 * WHAT MORE PRECISE PATHS KEEP
 *
 *     id, ref   keep id    on  /?/?
 *     ref       keep ref   on  /press/?
 *
 * (a question mark being a segment that is not said)
 *
 * Of id and ref together nothing is known on /press/?, but that ref matters
 * there.  A look-up that found only the first pattern would strip it.  So there
 * is a pattern more, with what the first one says, and what the path keeps:
 *
 *     id, ref   keep id and ref    on  /press/?
 *
 * This is done for each set of names, and each path of the host that is more
 * precise than where the set is known, and keeps a name of it that is not kept
 * there.  Where these would be too many, such names are kept on all paths.
 *
 * A pattern is nested if another one has its names on a path that covers its
 * own, as one that was added always is.  It does not speak for its names twice:
 * where they are counted, it is left out.
 *
 * Adds and marks them in the host at hand.  NULL, or what is wrong, as all of
 * map_builder.h.
 */
const char *learn_map_precise(learn_map_t *map);


/* map_builder.c: appends the pattern at hand, whose names ascend */

const char *learn_map_store(learn_map_t *map);


#endif /* _MAP_PRECISE_H_INCLUDED_ */
