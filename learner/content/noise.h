
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
 *     place      aside                 all lines that stand in such elements
 *     block      after this line,      a list of lines, whatever they are
 *                in such elements
 *
 * A template needs a word that stays.  Where most lines of a place or block
 * have changed and nothing of them stayed, all of it is noise.
 */

typedef struct {
    uint32_t              where;
    uint32_t              n;
    uint32_t             *words;        /* 0 is a gap */
} learn_template_t;


typedef struct {
    uint32_t              where;
    uint32_t              after;        /* a line, of blocks; else 0 */
} learn_place_t;


#define LEARN_NOISE_TEMPLATES  256
#define LEARN_NOISE_PLACES     256


typedef struct {
    learn_arena_t         arena;
    learn_template_t      templates[LEARN_NOISE_TEMPLATES];
    size_t                ntemplates;
    learn_place_t         places[LEARN_NOISE_PLACES];
    size_t                nplaces;
} learn_noise_t;


/* words that a URL brings to a page, in attributes: its own parameters */

typedef struct {
    const uint32_t       *words;
    size_t                n;
} learn_echo_t;


/* how much two pages differ, apart from noise */

typedef struct {
    uint32_t              lines;        /* that differ, in both */
    uint32_t              words;        /* in these */
    uint32_t              doubt;        /* of these, in lines that are much
                                           like some that are noise */
    uint32_t              all;          /* words of the larger page */
    uint32_t              masked;       /* words that are noise, of "a" */
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


#endif /* _LEARN_NOISE_H_INCLUDED_ */
