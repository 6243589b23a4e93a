
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ANOMALY_PATHS_H_INCLUDED_
#define _LEARN_ANOMALY_PATHS_H_INCLUDED_


#include "map/map_view.h"


/*
 * WHERE TWO MAPS MAY DIFFER
 *
 * A pattern of the old map that is for some paths, and one of the new map that
 * is for others, both speak where the paths meet:
 *
 *     old   / * /list
 *     new   /a/ *        meet at /a/list, where the new one may win
 *
 * (without the blanks).  What one pattern leaves is looked up again, and may be
 * for another one of its own map, which is for some paths.  So the paths to ask
 * about are that of the old pattern; where it meets each of both maps; where it
 * meets two of those, if they are few; and one that is deeper than all of them,
 * if it has none.
 * A "*" is then written as a word that neither map has anywhere.
 */

typedef struct {
    miqps_str_t           *list;       /* shapes of both maps, once each */
    size_t                 n;
    size_t                 max;
    char                  *word;       /* what no shape and no default has */
    char                  *buf;        /* for three shapes that meet */
    size_t                 size;
    size_t                 depth;      /* segments of the deepest one */
} learn_shapes_t;


/* what to do with a path to ask about; 0 stops */

typedef int (*learn_shapes_pt)(const miqps_str_t *shape, void *data);


/* of a host in both maps, again and again; 0 without memory */

int learn_shapes_read(learn_shapes_t *shapes, const learn_view_t *old,
    const learn_view_t *new);
void learn_shapes_release(learn_shapes_t *shapes);

/* the paths for a pattern whose own is "shape", or empty; what "fn" returns */

int learn_shapes_each(learn_shapes_t *shapes, const miqps_str_t *shape,
    learn_shapes_pt fn, void *data);


#endif /* _LEARN_ANOMALY_PATHS_H_INCLUDED_ */
