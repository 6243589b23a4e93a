
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_PATHS_STEPS_H_INCLUDED_
#define _MIQPS_PATHS_STEPS_H_INCLUDED_


#include "miqps_paths.h"
#include "miqps_paths_text.h"


/*
 * For miqps_paths*.c alone.
 *
 *     miqps_paths.c         which rule applies
 *     miqps_paths_split.c   the URL, taken apart
 *     miqps_paths_match.c   whether it has the source of a rule
 *     miqps_paths_write.c   the target
 *     miqps_paths_text.c    texts of both
 */

#define MIQPS_PATHS_UNSPLIT  SIZE_MAX


typedef struct {
    const miqps_paths_url_t  *url;
    miqps_paths_t             rules;
    uint64_t                  has;        /* bits that rules may need */

    miqps_str_t               host;
    miqps_str_t               segments[MIQPS_PATHS_SEGMENTS];
    size_t                    nsegments;
    int                       plain;      /* nothing in the path is escaped,
                                             and all is ASCII */

    miqps_str_t               names[MIQPS_PATHS_PARAMS];
    miqps_str_t               pieces[MIQPS_PATHS_PARAMS];  /* "name=value" */
    size_t                    nparams;    /* or UNSPLIT */

    miqps_captures_t          captures;
    size_t                    deep;       /* segments that "**" stands for */
} miqps_paths_work_t;


/*
 * Takes the path apart, in a copy of it in "buf", with MIQPS_PATHS_SLACK bytes
 * behind it.  False if no rule applies to such a path.
 */
int miqps_paths_split(miqps_paths_work_t *work, uint8_t *buf);

/* the parameters; false if there are too many */

int miqps_paths_split_args(miqps_paths_work_t *work);

/*
 * True if the URL has the source of a rule; "*target" is what lies behind that.
 */
int miqps_paths_match(miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t **target);

/* true if one of "n" parameters of a rule has this name; "*text" is its */

int miqps_paths_named(const miqps_paths_work_t *work, const uint8_t *p,
    size_t n, const miqps_str_t *name, const uint8_t **text);

/* writes what a rule makes, of which "target" is the rest; returns its end */

uint8_t *miqps_paths_write(const miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t *target, uint8_t *p, miqps_paths_result_t *res);


#endif /* _MIQPS_PATHS_STEPS_H_INCLUDED_ */
