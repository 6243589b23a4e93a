
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_NOISE_H_INCLUDED_
#define _LEARN_NOISE_H_INCLUDED_


#include "lines.h"


/*
 * WHAT OF PAGES DIFFERS BY ITSELF
 *
 * A page that is fetched twice shows what is noise in it, and where: clocks,
 * counters, tokens, adverts, lists in another order each time.  What is learned
 * from one page holds for all pages of its kind:
 *
 *     template   "made in * seconds"   a line of some words that stay, and gaps
 *     order      ul/li                 lines that stand in such elements, and
 *                                      are the same in another order
 *     place      aside                 lines that stand in such elements
 *     block      after this line,      a list of lines, whatever they are
 *                in such elements
 *
 * A template needs a word that stays.  Where most lines of a place or block
 * have changed and nothing of them stayed, all of it is noise; but if as many
 * lines are there as before, only those are that have changed, by their number,
 * and where all are there that were, only their order is.
 */

typedef struct {
    uint32_t              where;
    uint32_t              n;
    uint32_t             *words;        /* 0 is a gap */
} learn_template_t;


#define LEARN_NOISE_SLOTS      256


typedef struct {
    uint32_t              where;
    uint32_t              after;        /* a line, of blocks; else 0 */
    unsigned              order:1;      /* it is the order only, or ... */
    uint32_t              n;            /* ... some of so many lines; 0: all */
    uint64_t              slots[LEARN_NOISE_SLOTS / 64];
} learn_place_t;


/* where the title of a page is, see lines.c */

#define LEARN_NOISE_TITLE      1

#define LEARN_NOISE_TEMPLATES  256
#define LEARN_NOISE_PLACES     256


typedef struct {
    learn_arena_t         arena;
    learn_template_t      templates[LEARN_NOISE_TEMPLATES];
    size_t                ntemplates;
    learn_place_t         places[LEARN_NOISE_PLACES];
    size_t                nplaces;
} learn_noise_t;


/*
 * What a URL brings to a page: words of its parameters, and what links carry
 * on of it that the other URL has not, or has in another way.  A page whose
 * links differ by that alone leads to the same pages, if these are the same.
 */

typedef struct {
    const uint32_t       *from;
    const uint32_t       *to;
    uint32_t              nfrom;
    uint32_t              nto;
} learn_carry_t;


typedef struct {
    const uint32_t       *words;
    size_t                n;
    const learn_carry_t  *carries;
    size_t                ncarries;
} learn_echo_t;


/* how much two pages differ, apart from noise */

typedef struct {
    uint32_t              lines;        /* that differ, in both */
    uint32_t              echoed;       /* of these, by words of the URL in
                                           attributes, and nothing else */
    uint32_t              words;        /* in them, if they are seen */
    uint32_t              doubt;        /* of these, in lines that are much
                                           like some that are noise */
    uint32_t              all;          /* words of the larger page, seen */
    uint32_t              masked;       /* words that are noise, of "a" */
    uint32_t              moved;        /* lines that are only elsewhere */
} learn_differ_t;


void learn_noise_init(learn_noise_t *noise);
void learn_noise_release(learn_noise_t *noise);

/* two looks at one page; 0 without memory */

int learn_noise_learn(learn_noise_t *noise, const learn_lines_t *a,
    const learn_lines_t *b, learn_arena_t *scratch);

/* what differs between two pages; "echo" may be NULL; 0 without memory */

int learn_noise_compare(const learn_noise_t *noise, const learn_lines_t *a,
    const learn_lines_t *b, const learn_echo_t *echo, learn_differ_t *differ,
    learn_arena_t *scratch);


/* --- places.c: one page, and which of its lines have changed by themselves */

typedef struct {
    const learn_lines_t  *lines;
    const uint32_t       *after;        /* the line before the block of each */
    const uint8_t        *changed;
} learn_changed_t;


/* notes places where the same lines come in another order; 0 without memory */

int learn_places_order(learn_noise_t *noise, const learn_changed_t *a,
    const learn_changed_t *b, learn_arena_t *scratch);

/* notes places and blocks most of whose lines have changed */

void learn_places_learn(learn_noise_t *noise, const learn_changed_t *a,
    const learn_changed_t *b);

/* true if order is nothing there; if a line is noise, as it stands in one */

int learn_places_ordered(const learn_noise_t *noise, uint32_t where);
int learn_places_masked(const learn_noise_t *noise, const learn_lines_t *lines,
    const uint32_t *after, uint32_t i);


#endif /* _LEARN_NOISE_H_INCLUDED_ */
