
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_GUARD_PART_H_INCLUDED_
#define _LEARN_GUARD_PART_H_INCLUDED_


#include <cjson/cJSON.h>

#include "replay.h"


/*
 * A HOST, A PART AT A TIME
 *
 * Where a host alone changes more URLs than may change at once, it is what is
 * published with some of what is new in it: of patterns and path rules that
 * come, become others or go, those that change most URLs, as many as may be,
 * and one at least.  The rest is new the next time, too.
 *
 * Only a host that is published already is divided, and only if no other entry
 * has one of its names: of others no cache has URLs that we have made.
 */

typedef enum {
    LEARN_UNIT_PATTERN = 0,              /* of the new entry, by its place */
    LEARN_UNIT_RULE,
    LEARN_UNIT_NO_PATTERN,               /* of the old one, which goes */
    LEARN_UNIT_NO_RULE
} learn_unit_e;


typedef struct {
    learn_unit_e      kind;
    int               place;
    uint64_t          urls;              /* that it changes */
} learn_unit_t;


typedef struct {
    cJSON            *old;               /* the entry as it is published, */
    cJSON            *new;               /* and as it was to be */
    learn_unit_t     *units;             /* those that change most first */
    size_t            n;
    size_t            taken;             /* so many of them are in the text */
    size_t            least;             /* fewer of them change nothing */
    char             *text;              /* map source, or NULL */
    unsigned          whole:1;           /* it cannot be divided */
} learn_part_t;


/*
 * Divides the host of "replay" at a place of its new index, of which "may"
 * URLs may change.  All return 0 without memory; what becomes of it is in
 * part->text, and part->whole.
 */
int learn_part_make(learn_part_t *part, learn_store_t *store,
    const learn_replay_t *replay, size_t place, double may);

/* one thing less or more, if that can be */

int learn_part_less(learn_part_t *part);
int learn_part_more(learn_part_t *part);

void learn_part_release(learn_part_t *part);


#endif /* _LEARN_GUARD_PART_H_INCLUDED_ */
