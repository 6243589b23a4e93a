
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ANOMALY_H_INCLUDED_
#define _LEARN_ANOMALY_H_INCLUDED_


#include "anomaly_paths.h"
#include "normalizer.h"
#include "rules_options.h"


/*
 * WHAT A NEW MAP WOULD STRIP THAT MATTERED
 *
 * A pattern of the old map is an anomaly if one of its parameters is kept by
 * it, and some URL with its names would lose it under the new one.  Both maps
 * are asked, through the normalizer itself, about such URLs: at each path
 * where what the new map says may change, see anomaly_paths.h, and with each
 * value that either map takes for a default, also two at once.  So it does not
 * matter in which way the new map strips it: in a pattern with these names, in
 * one that is for some paths only, in one that has only some of the names, or
 * by a path rule, see anomaly_rules.h.
 *
 * nginx strips names of trackers as well, if nothing says that they matter.
 *
 * Names of an old pattern and a new one are asked about together, too, where
 * each map may take those of the other one for neutral.
 *
 * The old map may have nothing to say of the names that a pattern of the new
 * one has, or not there.  What it keeps in each of its patterns that has the
 * name, is lost if the new pattern strips it.
 *
 * A host is a name, and what serves it: its own entry, the one that it
 * mirrors, or a wildcard above it.  That may be another one in the new map.
 */

typedef struct {
    size_t                  pattern;    /* its place in the view */
    uint8_t                 lost[MIQPS_MAX_PATTERN];    /* by their place */
} learn_anomaly_pattern_t;


typedef struct {
    learn_rules_options_t   rules;      /* what nginx has without any */
    learn_normalizer_t      before;
    learn_normalizer_t      after;
    learn_index_t           old;
    learn_index_t           new;
    learn_shapes_t          shapes;
    char                   *url;
    size_t                  size;

    /* the host at hand */

    char                    name[MIQPS_MAX_HOST + 32];  /* one that it serves */
    const uint8_t          *served;     /* by this in the old map, or NULL */
    const uint8_t          *serves;     /* the same in the new one */
    learn_view_t            view;       /* of "served" */
    learn_view_t            next;       /* of "serves" */
    const learn_view_param_t  **defaults;   /* those of both */
    size_t                  ndefaults;
    const miqps_str_t     **neutral;    /* names that are so in both */
    size_t                  nneutral;

    /* patterns of "next" that strip what is always kept */

    learn_anomaly_pattern_t  *added;
    size_t                  nadded;

    int                     rules_gone; /* path rules of "served" */

    /* path rules of "serves" that take what was kept */

    uint8_t                 dropped[MIQPS_PATHS_MAX];
    size_t                  ndropped;

    /* what is lost of old path rules, and by no rule */

    size_t                  doubts;
} learn_anomaly_t;


/*
 * LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint; release it in any
 * case.  The images must stay.
 */
int learn_anomaly_init(learn_anomaly_t *anomaly, const char *command,
    const miqps_image_t *old, const miqps_image_t *new);
void learn_anomaly_release(learn_anomaly_t *anomaly);

/*
 * Looks at a host of either map.  "*list", to be free()d, has the "*n"
 * patterns of anomaly->view that lose something; what else there is to say is
 * in "anomaly".  Returns 0 without memory.
 */
int learn_anomaly_host(learn_anomaly_t *anomaly,
    const learn_index_host_t *host, learn_anomaly_pattern_t **list, size_t *n);

/* true if each pattern of anomaly->view that has the name keeps it */

int learn_anomaly_always(const learn_anomaly_t *anomaly,
    const miqps_str_t *name);

/* true if anything was found */


static inline int
learn_anomaly_any(const learn_anomaly_t *anomaly, size_t n)
{
    return n > 0 || anomaly->nadded > 0 || anomaly->ndropped > 0
           || anomaly->doubts > 0;
}


#endif /* _LEARN_ANOMALY_H_INCLUDED_ */
