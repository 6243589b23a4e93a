
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "noise.h"


/* lines of a page that stand together, by their number */

typedef struct {
    uint32_t              list[LEARN_NOISE_SLOTS];
    uint32_t              n;            /* all of them */
    uint32_t              bad;          /* that have changed */
} learn_crowd_t;


static int  learn_places_shuffled(const learn_lines_t *a,
    const learn_lines_t *b, uint32_t where, uint32_t *scratch);
static uint32_t  learn_places_what(const learn_lines_t *lines, uint32_t where,
    uint32_t *out);
static int  learn_places_by_number(const void *one, const void *two);
static void  learn_places_page(learn_noise_t *noise, const learn_changed_t *a,
    const learn_changed_t *b);
static void  learn_places_crowd(const learn_changed_t *page, uint32_t where,
    uint32_t after, learn_crowd_t *crowd);
static void  learn_places_note(learn_noise_t *noise, uint32_t where,
    uint32_t after, const learn_changed_t *a, const learn_crowd_t *one,
    const learn_changed_t *b, const learn_crowd_t *other);
static learn_place_t  *learn_places_add(learn_noise_t *noise, uint32_t where,
    uint32_t after, uint32_t n, unsigned order);
static int  learn_places_slot(const learn_place_t *place,
    const learn_lines_t *lines, const uint32_t *after, uint32_t i);


/* --- order */


int
learn_places_order(learn_noise_t *noise, const learn_changed_t *a,
    const learn_changed_t *b, learn_arena_t *scratch)
{
    uint32_t   i, where, *room;

    room = learn_arena_alloc(scratch, (a->lines->nlines + b->lines->nlines + 1)
                                      * sizeof(uint32_t));

    if (room == NULL) {
        return 0;
    }

    for (i = 0; i < a->lines->nlines; i++) {
        where = a->lines->lines[i].where;

        if (a->changed[i] && where != LEARN_NOISE_TITLE
            && !learn_places_ordered(noise, where)
            && learn_places_shuffled(a->lines, b->lines, where, room))
        {
            (void) learn_places_add(noise, where, 0, 0, 1);
        }
    }

    return 1;
}


/* true if lines of both, more than one, are the same but for their order */

static int
learn_places_shuffled(const learn_lines_t *a, const learn_lines_t *b,
    uint32_t where, uint32_t *scratch)
{
    uint32_t  n, m;

    n = learn_places_what(a, where, scratch);
    m = learn_places_what(b, where, scratch + n);

    return n > 1 && n == m
           && memcmp(scratch, scratch + n, n * sizeof(uint32_t)) == 0;
}


static uint32_t
learn_places_what(const learn_lines_t *lines, uint32_t where, uint32_t *out)
{
    uint32_t  i, n;

    n = 0;

    for (i = 0; i < lines->nlines; i++) {
        if (lines->lines[i].where == where) {
            out[n++] = lines->lines[i].what;
        }
    }

    if (n > 1) {
        qsort(out, n, sizeof(uint32_t), learn_places_by_number);
    }

    return n;
}


static int
learn_places_by_number(const void *one, const void *two)
{
    const uint32_t  *a, *b;

    a = one;
    b = two;

    return (*a > *b) - (*a < *b);
}


int
learn_places_ordered(const learn_noise_t *noise, uint32_t where)
{
    size_t  i;

    for (i = 0; i < noise->nplaces; i++) {
        if (noise->places[i].order && noise->places[i].where == where) {
            return 1;
        }
    }

    return 0;
}


/* --- lines */


void
learn_places_learn(learn_noise_t *noise, const learn_changed_t *a,
    const learn_changed_t *b)
{
    learn_places_page(noise, a, b);
    learn_places_page(noise, b, a);
}


/* of what nobody sees, all is noise where something is */

static void
learn_places_page(learn_noise_t *noise, const learn_changed_t *a,
    const learn_changed_t *b)
{
    uint32_t                 i;
    learn_crowd_t            one, other;
    const learn_pageline_t  *line;

    for (i = 0; i < a->lines->nlines; i++) {
        line = &a->lines->lines[i];

        if (!a->changed[i] || line->where == LEARN_NOISE_TITLE
            || learn_places_masked(noise, a->lines, a->after, i))
        {
            continue;
        }

        learn_places_crowd(a, line->where, 0, &one);
        learn_places_crowd(b, line->where, 0, &other);

        if (2 * one.bad > one.n || learn_line_unseen(line)) {
            learn_places_note(noise, line->where, 0, a, &one, b, &other);
            continue;
        }

        learn_places_crowd(a, line->where, a->after[i], &one);
        learn_places_crowd(b, line->where, a->after[i], &other);

        if (2 * one.bad > one.n) {
            learn_places_note(noise, line->where, a->after[i], a, &one, b,
                              &other);
        }
    }
}


/* those of a place, or those of the blocks behind a line */

static void
learn_places_crowd(const learn_changed_t *page, uint32_t where, uint32_t after,
    learn_crowd_t *crowd)
{
    uint32_t  i;

    crowd->n = 0;
    crowd->bad = 0;

    for (i = 0; i < page->lines->nlines; i++) {

        if (page->lines->lines[i].where != where
            || (after != 0 && page->after[i] != after))
        {
            continue;
        }

        if (crowd->n < LEARN_NOISE_SLOTS) {
            crowd->list[crowd->n] = i;
        }

        crowd->n++;
        crowd->bad += page->changed[i];
    }
}


/*
 * As many as before, and some of them have stayed where they were: these are no
 * noise.  Of some that are chosen of many, one may come twice, elsewhere.
 */

static void
learn_places_note(learn_noise_t *noise, uint32_t where, uint32_t after,
    const learn_changed_t *a, const learn_crowd_t *one,
    const learn_changed_t *b, const learn_crowd_t *other)
{
    uint32_t        i, stayed;
    learn_place_t  *place;

    stayed = 0;

    for (i = 0; i < one->n && one->n == other->n; i++) {
        if (i == LEARN_NOISE_SLOTS) {
            stayed = 0;
            break;
        }

        stayed += !a->changed[one->list[i]] && !b->changed[other->list[i]];
    }

    if (stayed == 0) {
        (void) learn_places_add(noise, where, after, 0, 0);
        return;
    }

    place = learn_places_add(noise, where, after, one->n, 0);

    for (i = 0; i < one->n && place != NULL; i++) {
        if (a->changed[one->list[i]] || b->changed[other->list[i]]) {
            place->slots[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
}


/* NULL if there is no room */

static learn_place_t *
learn_places_add(learn_noise_t *noise, uint32_t where, uint32_t after,
    uint32_t n, unsigned order)
{
    size_t          i;
    learn_place_t  *place;

    for (i = 0; i < noise->nplaces; i++) {
        place = &noise->places[i];

        if (place->where == where && place->after == after && place->n == n
            && place->order == order)
        {
            return place;
        }
    }

    if (noise->nplaces == LEARN_NOISE_PLACES) {
        return NULL;
    }

    place = &noise->places[noise->nplaces++];
    memset(place, 0, sizeof(learn_place_t));

    place->where = where;
    place->after = after;
    place->n = n;
    place->order = order;

    return place;
}


int
learn_places_masked(const learn_noise_t *noise, const learn_lines_t *lines,
    const uint32_t *after, uint32_t i)
{
    size_t                k;
    const learn_place_t  *place;

    for (k = 0; k < noise->nplaces; k++) {
        place = &noise->places[k];

        if (place->where == lines->lines[i].where && !place->order
            && (place->after == 0 || place->after == after[i])
            && (place->n == 0
                || learn_places_slot(place, lines, after, i)))
        {
            return 1;
        }
    }

    return 0;
}


/* true if there are as many lines, and this is one of those that change */

static int
learn_places_slot(const learn_place_t *place, const learn_lines_t *lines,
    const uint32_t *after, uint32_t i)
{
    uint32_t  k, n, slot;

    n = 0;
    slot = 0;

    for (k = 0; k < lines->nlines && n <= place->n; k++) {

        if (lines->lines[k].where != place->where
            || (place->after != 0 && after[k] != place->after))
        {
            continue;
        }

        if (k == i) {
            slot = n;
        }

        n++;
    }

    return n == place->n && (place->slots[slot / 64] >> (slot % 64) & 1);
}
