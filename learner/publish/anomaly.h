
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ANOMALY_H_INCLUDED_
#define _LEARN_ANOMALY_H_INCLUDED_


#include "map/map_view.h"
#include "normalizer.h"
#include "rules_options.h"


/*
 * WHAT A NEW MAP WOULD STRIP THAT MATTERED
 *
 * A pattern of the old map is an anomaly if one of its parameters is kept by
 * it, and some URL with its names would lose it under the new one.  Both maps
 * are asked, through the normalizer itself, about such URLs: at a path of the
 * pattern's own, at one of each shape that the new map tells apart, and with
 * each value that the new map takes for a default.  So it does not matter in
 * which way the new map strips it: in a pattern with these names, in one that
 * is for some paths only, in one that has only some of the names, or by a path
 * rule, see anomaly_rules.h.
 */

typedef struct {
    learn_rules_options_t   rules;      /* none */
    learn_normalizer_t      before;
    learn_normalizer_t      after;
    learn_index_t           old;
    learn_index_t           new;
    learn_view_t            view;       /* of the old host at hand */
    learn_view_t            next;       /* of the new one, if there is one */
    char                   *url;
    size_t                  size;

    /* path rules of the new host at hand that take what was kept */

    uint8_t                 dropped[MIQPS_PATHS_MAX];
    size_t                  ndropped;
} learn_anomaly_t;


/* names of an old pattern that are lost; "lost" is by their place in it */

typedef struct {
    size_t                  pattern;    /* its place in the view */
    uint8_t                 lost[MIQPS_MAX_PATTERN];
} learn_anomaly_pattern_t;


/*
 * LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint; release it in any
 * case.  The images must stay.
 */
int learn_anomaly_init(learn_anomaly_t *anomaly, const char *command,
    const miqps_image_t *old, const miqps_image_t *new);
void learn_anomaly_release(learn_anomaly_t *anomaly);

/*
 * Looks at a host of the old map, and reads its patterns into anomaly->view.
 * "*list", to be free()d, has the "*n" patterns that lose something, and
 * anomaly->dropped the rules that are to blame.  Returns 0 without memory.
 */
int learn_anomaly_host(learn_anomaly_t *anomaly,
    const learn_index_host_t *host, learn_anomaly_pattern_t **list, size_t *n);


#endif /* _LEARN_ANOMALY_H_INCLUDED_ */
