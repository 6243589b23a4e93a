
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_GUARD_STEPS_H_INCLUDED_
#define _LEARN_GUARD_STEPS_H_INCLUDED_


#include "guard.h"
#include "guard_part.h"


/*
 * For guard*.c alone.
 *
 *     guard.c            both maps, host by host, again and again
 *     guard_fate.c       which entries stay as they are
 *     guard_rules.c      which path rules are new and rest on nothing
 *     guard_traffic.c    how much changes, and who waits
 *     guard_part.c       one host, if that is too much already
 *     guard_say.c        what there is to tell
 *
 * An entry is a host of a map that is no mirror, with its mirrors.  Entries of
 * both maps that share a host are taken together, or stay together: else a
 * host would be said twice, or by nobody.
 */

typedef enum {
    LEARN_FATE_TAKEN = 0,
    LEARN_FATE_LATER,                    /* too much would change at once */
    LEARN_FATE_HELD,                     /* it was rolled back as it is */
    LEARN_FATE_REFUSED
} learn_fate_e;


typedef struct {
    learn_guard_t           *guard;
    const miqps_image_t     *old;
    const miqps_image_t     *new;
    const miqps_image_t     *proven;     /* the new one, without path rules
                                            that rest on nothing; or NULL */
    learn_anomaly_t          anomaly;
    learn_merge_t            merge;
    uint8_t                 *before;     /* learn_fate_e of the old map's hosts,
                                            by their place; */
    uint8_t                 *after;      /* of the new one's; where it is an
                                            entry that stands there */
    char                   **held;       /* new ones that must not be so, and
                                            why */
    learn_part_t            *parts;      /* of new entries, by their place */
    int                      rc;
    FILE                    *lines;      /* what there is to tell */
    char                    *text;
    size_t                   len;
} learn_guarding_t;


/* the place of the entry that a host is of, which may be itself */

size_t learn_fate_entry(const learn_index_t *index,
    const learn_index_host_t *host);

/* the host that is an entry of the index; NULL if there is none */

const learn_index_host_t *learn_fate_record(const learn_index_t *index,
    const uint8_t *record);

/* hosts that share entries get the same fate; the worse one wins */

void learn_fate_settle(learn_guarding_t *ctx);

/*
 * What serves a host of either map gets a fate, in both.  False if it was so
 * before.
 */
int learn_fate_set(learn_guarding_t *ctx, const learn_index_host_t *host,
    learn_fate_e fate);

/* whether two entries have no names that others of either map have, too */

int learn_fate_alone(const learn_guarding_t *ctx,
    const learn_index_host_t *old, const learn_index_host_t *new);

/*
 * Marks path rules of the host at hand in ctx->anomaly.dropped that are new
 * and rest on nothing; returns how many, or -1 without memory.
 */
int learn_guard_rules(learn_guarding_t *ctx);

/* LEARN_EXIT_OK; "*again" if others wait than before */

int learn_guard_traffic(learn_guarding_t *ctx, int *again);

/* whether most patterns of the host at hand, which is "host", are gone */

int learn_guard_vanished(const learn_guarding_t *ctx,
    const learn_index_host_t *host);

/* lines; "n" of "list" lose something of the old host */

void learn_guard_say(learn_guarding_t *ctx, const learn_index_host_t *host,
    const char *what, const learn_anomaly_pattern_t *list, size_t n);
void learn_guard_say_rules(learn_guarding_t *ctx,
    const learn_index_host_t *host, int n);
void learn_guard_say_later(learn_guarding_t *ctx,
    const learn_index_host_t *host);
void learn_guard_say_part(learn_guarding_t *ctx,
    const learn_index_host_t *host, const learn_part_t *part);
void learn_guard_say_held(learn_guarding_t *ctx,
    const learn_index_host_t *host, const char *why);

/* a complaint, and LEARN_EXIT_FAILED */

int learn_guard_memory(const learn_guard_t *guard);


#endif /* _LEARN_GUARD_STEPS_H_INCLUDED_ */
