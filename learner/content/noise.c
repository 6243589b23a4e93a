
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "diff.h"
#include "noise.h"


/* with more of them, a line is another one each time */

#define LEARN_NOISE_GAPS   2


/* two pages, and what they have in common */

typedef struct {
    const learn_lines_t  *a;
    const learn_lines_t  *b;
    uint32_t             *match;      /* of a's lines: one of b, or NONE */
    uint32_t             *pair;       /* of those without: what it became */
    uint8_t              *taken;      /* of b's lines: 1 matched, 2 paired,
                                         3 matched elsewhere */
    uint32_t             *after_a;    /* the line before the block of each */
    uint32_t             *after_b;
    learn_arena_t        *scratch;
} learn_two_t;


static int  learn_two_init(learn_two_t *two, const learn_lines_t *a,
    const learn_lines_t *b, learn_arena_t *scratch);
static void  learn_two_after(const learn_lines_t *lines, uint32_t *after);
static void  learn_two_pair(learn_two_t *two, const learn_noise_t *noise);
static void  learn_two_order(learn_two_t *two, const learn_noise_t *noise);
static int  learn_noise_line(learn_noise_t *noise, const learn_two_t *two,
    uint32_t i, uint32_t k);
static int  learn_noise_template(const learn_two_t *two, uint32_t i,
    uint32_t k, uint32_t *words, uint32_t *n);
static int  learn_noise_keep(learn_noise_t *noise, uint32_t where,
    const uint32_t *words, uint32_t n, learn_arena_t *scratch);
static int  learn_noise_common(const uint32_t *a, uint32_t n,
    const uint32_t *b, uint32_t m, uint32_t *out, uint32_t *len,
    learn_arena_t *scratch);
static uint32_t  learn_noise_ends(const uint32_t *a, uint32_t n,
    const uint32_t *b, uint32_t m, uint32_t *out);
static uint32_t  learn_noise_fixed(const uint32_t *words, uint32_t n);
static int  learn_noise_both(const learn_noise_t *noise,
    const learn_two_t *two, uint32_t i, uint32_t k);
static int  learn_noise_fits(const learn_template_t *template,
    const uint32_t *words, uint32_t n);
static int  learn_noise_carried(const learn_two_t *two, uint32_t i,
    uint32_t k, const learn_echo_t *echo);
static const learn_carry_t  *learn_noise_carry(const uint32_t *a, uint32_t n,
    const uint32_t *b, uint32_t m, const learn_echo_t *echo);
static int  learn_noise_echo(const learn_two_t *two, uint32_t i, uint32_t k,
    const learn_echo_t *echo);
static int  learn_noise_echoes(const learn_lines_t *lines, uint32_t i,
    const learn_echo_t *echo);
static uint32_t  learn_noise_seen(const learn_lines_t *lines);
static void  learn_noise_count(const learn_noise_t *noise,
    const learn_lines_t *lines, uint32_t i, learn_differ_t *differ);


void
learn_noise_init(learn_noise_t *noise)
{
    memset(noise, 0, sizeof(learn_noise_t));
    learn_arena_init(&noise->arena);
}


void
learn_noise_release(learn_noise_t *noise)
{
    learn_arena_release(&noise->arena);
}


/* --- what two pages have in common */


static int
learn_two_init(learn_two_t *two, const learn_lines_t *a,
    const learn_lines_t *b, learn_arena_t *scratch)
{
    uint32_t   i, *one, *other;

    two->a = a;
    two->b = b;
    two->scratch = scratch;

    one = learn_arena_alloc(scratch, (a->nlines + 1) * sizeof(uint32_t));
    other = learn_arena_alloc(scratch, (b->nlines + 1) * sizeof(uint32_t));
    two->match = learn_arena_alloc(scratch, (a->nlines + 1)
                                            * sizeof(uint32_t));
    two->pair = learn_arena_alloc(scratch, (a->nlines + 1) * sizeof(uint32_t));
    two->taken = learn_arena_alloc(scratch, b->nlines + 1);
    two->after_a = learn_arena_alloc(scratch, (a->nlines + 1)
                                              * sizeof(uint32_t));
    two->after_b = learn_arena_alloc(scratch, (b->nlines + 1)
                                              * sizeof(uint32_t));

    if (one == NULL || other == NULL || two->match == NULL
        || two->pair == NULL || two->taken == NULL || two->after_a == NULL
        || two->after_b == NULL)
    {
        return 0;
    }

    learn_two_after(a, two->after_a);
    learn_two_after(b, two->after_b);

    for (i = 0; i < a->nlines; i++) {
        one[i] = a->lines[i].what;
    }

    for (i = 0; i < b->nlines; i++) {
        other[i] = b->lines[i].what;
    }

    if (!learn_diff(one, a->nlines, other, b->nlines, two->match, scratch)) {
        return 0;
    }

    for (i = 0; i < a->nlines; i++) {
        if (two->match[i] != LEARN_DIFF_NONE) {
            two->taken[two->match[i]] = 1;
        }
    }

    return 1;
}


static void
learn_two_after(const learn_lines_t *lines, uint32_t *after)
{
    uint32_t  i, last;

    last = 1;

    for (i = 0; i < lines->nlines; i++) {

        if (i > 0 && lines->lines[i - 1].where != lines->lines[i].where) {
            last = lines->lines[i - 1].what | 1;
        }

        after[i] = last;
    }
}


/* lines that stand in each other's place: between the same two, and alike */

static void
learn_two_pair(learn_two_t *two, const learn_noise_t *noise)
{
    uint32_t  i, k, next, last;

    learn_two_order(two, noise);
    next = 0;

    for (i = 0; i < two->a->nlines; i++) {
        two->pair[i] = LEARN_DIFF_NONE;

        if (two->match[i] != LEARN_DIFF_NONE) {
            next = (two->taken[two->match[i]] == 1) ? two->match[i] + 1 : next;
            continue;
        }

        /* up to the next that both have */

        for (last = next; last < two->b->nlines && two->taken[last] != 1;
             last++)
        {
            /* void */
        }

        for (k = next; k < last; k++) {
            if (two->taken[k] == 0
                && two->b->lines[k].where == two->a->lines[i].where)
            {
                two->pair[i] = k;
                two->taken[k] = 2;
                break;
            }
        }
    }
}


/* lines that are only elsewhere, where order is noise */

static void
learn_two_order(learn_two_t *two, const learn_noise_t *noise)
{
    uint32_t                 i, k;
    const learn_pageline_t  *line;

    for (i = 0; i < two->a->nlines; i++) {
        line = &two->a->lines[i];

        if (two->match[i] != LEARN_DIFF_NONE
            || !learn_places_ordered(noise, line->where))
        {
            continue;
        }

        for (k = 0; k < two->b->nlines; k++) {
            if (two->taken[k] == 0 && two->b->lines[k].what == line->what
                && two->b->lines[k].where == line->where)
            {
                two->match[i] = k;
                two->taken[k] = 3;
                break;
            }
        }
    }
}


/* --- learning */


int
learn_noise_learn(learn_noise_t *noise, const learn_lines_t *a,
    const learn_lines_t *b, learn_arena_t *scratch)
{
    int               rc;
    uint8_t          *one, *other;
    uint32_t          i;
    learn_two_t       two;
    learn_changed_t   first, second;

    one = learn_arena_alloc(scratch, a->nlines + 1);
    other = learn_arena_alloc(scratch, b->nlines + 1);

    if (one == NULL || other == NULL || !learn_two_init(&two, a, b, scratch)) {
        return 0;
    }

    first.lines = a;
    first.after = two.after_a;
    first.changed = one;

    second.lines = b;
    second.after = two.after_b;
    second.changed = other;

    for (i = 0; i < a->nlines; i++) {
        one[i] = (two.match[i] == LEARN_DIFF_NONE);
    }

    if (!learn_places_order(noise, &first, &second, scratch)) {
        return 0;
    }

    learn_two_pair(&two, noise);

    for (i = 0; i < b->nlines; i++) {
        other[i] = (two.taken[i] == 0);
    }

    for (i = 0; i < a->nlines; i++) {
        one[i] = 0;

        if (two.match[i] != LEARN_DIFF_NONE) {
            continue;
        }

        rc = (two.pair[i] != LEARN_DIFF_NONE)
             ? learn_noise_line(noise, &two, i, two.pair[i]) : 0;

        if (rc < 0) {
            return 0;
        }

        if (rc == 0) {
            one[i] = 1;

            if (two.pair[i] != LEARN_DIFF_NONE) {
                other[two.pair[i]] = 1;
            }
        }
    }

    learn_places_learn(noise, &first, &second);

    return 1;
}


/* 1 if a template tells what is noise in a line, 0 if not, -1 on failure */

static int
learn_noise_line(learn_noise_t *noise, const learn_two_t *two, uint32_t i,
    uint32_t k)
{
    uint32_t   n, *words;

    if (learn_noise_both(noise, two, i, k)) {
        return 1;
    }

    words = learn_arena_alloc(two->scratch,
                              (2 * two->a->lines[i].n + 2)
                              * sizeof(uint32_t));

    if (words == NULL
        || !learn_noise_template(two, i, k, words, &n))
    {
        return -1;
    }

    if (learn_noise_fixed(words, n) == 0) {
        return 0;
    }

    return learn_noise_keep(noise, two->a->lines[i].where, words, n,
                            two->scratch)
           ? 1 : -1;
}


/*
 * Where not much stayed, what it begins and ends with: words in the middle of
 * two lists of words that are the same are so by chance.
 */

static int
learn_noise_template(const learn_two_t *two, uint32_t i, uint32_t k,
    uint32_t *words, uint32_t *n)
{
    uint32_t                 fixed;
    const uint32_t          *one, *other;
    const learn_pageline_t  *a, *b;

    a = &two->a->lines[i];
    b = &two->b->lines[k];
    one = two->a->words + a->first;
    other = two->b->words + b->first;

    if (!learn_noise_common(one, a->n, other, b->n, words, n, two->scratch)) {
        return 0;
    }

    fixed = learn_noise_fixed(words, *n);

    if (*n - fixed > LEARN_NOISE_GAPS
        || 5 * fixed < 3 * ((a->n > b->n) ? a->n : b->n))
    {
        *n = learn_noise_ends(one, a->n, other, b->n, words);
    }

    return 1;
}


/* what two sequences have in common, with gaps; "out" has room for 2n + 1 */

static int
learn_noise_common(const uint32_t *a, uint32_t n, const uint32_t *b,
    uint32_t m, uint32_t *out, uint32_t *len, learn_arena_t *scratch)
{
    uint32_t   i, next, *match;

    match = learn_arena_alloc(scratch, (n + 1) * sizeof(uint32_t));

    if (match == NULL || !learn_diff(a, n, b, m, match, scratch)) {
        return 0;
    }

    *len = 0;
    next = 0;

    for (i = 0; i < n; i++) {

        if (match[i] == LEARN_DIFF_NONE || a[i] == 0) {
            if (*len == 0 || out[*len - 1] != 0) {
                out[(*len)++] = 0;
            }

            if (match[i] != LEARN_DIFF_NONE) {
                next = match[i] + 1;
            }

            continue;
        }

        if (match[i] > next && (*len == 0 || out[*len - 1] != 0)) {
            out[(*len)++] = 0;
        }

        out[(*len)++] = a[i];
        next = match[i] + 1;
    }

    if (next < m && (*len == 0 || out[*len - 1] != 0)) {
        out[(*len)++] = 0;
    }

    return 1;
}


static uint32_t
learn_noise_ends(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
    uint32_t *out)
{
    uint32_t  i, last, len;

    len = 0;

    for (i = 0; i < n && i < m && a[i] == b[i]; i++) {
        out[len++] = a[i];
    }

    out[len++] = 0;

    for (last = 0; last < n - i && last < m - i
                   && a[n - last - 1] == b[m - last - 1]; last++)
    {
        /* void */
    }

    for (/* void */ ; last > 0; last--) {
        out[len++] = a[n - last];
    }

    return len;
}


static uint32_t
learn_noise_fixed(const uint32_t *words, uint32_t n)
{
    uint32_t  i, fixed;

    fixed = 0;

    for (i = 0; i < n; i++) {
        fixed += (words[i] != 0);
    }

    return fixed;
}


/* one that begins alike becomes what both are */

static int
learn_noise_keep(learn_noise_t *noise, uint32_t where, const uint32_t *words,
    uint32_t n, learn_arena_t *scratch)
{
    size_t             i;
    uint32_t          *both, len;
    learn_template_t  *one;

    for (i = 0; i < noise->ntemplates; i++) {
        one = &noise->templates[i];

        if (one->where != where || one->words[0] != words[0]
            || words[0] == 0)
        {
            continue;
        }

        both = learn_arena_alloc(&noise->arena, (2 * one->n + 2)
                                                * sizeof(uint32_t));

        if (both == NULL
            || !learn_noise_common(one->words, one->n, words, n, both, &len,
                                   scratch))
        {
            return 0;
        }

        one->words = both;
        one->n = len;

        return 1;
    }

    if (noise->ntemplates == LEARN_NOISE_TEMPLATES) {
        return 1;
    }

    both = learn_arena_alloc(&noise->arena, n * sizeof(uint32_t));

    if (both == NULL) {
        return 0;
    }

    memcpy(both, words, n * sizeof(uint32_t));

    one = &noise->templates[noise->ntemplates++];

    one->where = where;
    one->words = both;
    one->n = n;

    return 1;
}


/* --- comparing */


int
learn_noise_compare(const learn_noise_t *noise, const learn_lines_t *a,
    const learn_lines_t *b, const learn_echo_t *echo, learn_differ_t *differ,
    learn_arena_t *scratch)
{
    uint32_t     i, k;
    learn_two_t  two;

    memset(differ, 0, sizeof(learn_differ_t));

    differ->all = learn_noise_seen(a);
    k = learn_noise_seen(b);
    differ->all = (differ->all > k) ? differ->all : k;

    if (!learn_two_init(&two, a, b, scratch)) {
        return 0;
    }

    learn_two_pair(&two, noise);

    for (i = 0; i < a->nlines; i++) {
        k = two.pair[i];

        if (two.match[i] != LEARN_DIFF_NONE) {
            differ->moved += (two.taken[two.match[i]] == 3);
            continue;
        }

        if (learn_places_masked(noise, a, two.after_a, i)) {

            if (k != LEARN_DIFF_NONE) {
                two.taken[k] = 0;
            }

            continue;
        }

        if ((k != LEARN_DIFF_NONE && learn_noise_both(noise, &two, i, k))
            || learn_noise_carried(&two, i, k, echo))
        {
            continue;
        }

        learn_noise_count(noise, a, i, differ);

        if (k == LEARN_DIFF_NONE) {
            differ->echoed += (unsigned) learn_noise_echoes(a, i, echo);

        } else {
            differ->echoed += 2 * (unsigned) learn_noise_echo(&two, i, k, echo);
            two.taken[k] = 0;
        }
    }

    for (k = 0; k < b->nlines; k++) {
        if (two.taken[k] == 0
            && !learn_places_masked(noise, b, two.after_b, k))
        {
            learn_noise_count(noise, b, k, differ);
        }
    }

    for (i = 0; i < a->nlines; i++) {
        if (!learn_line_unseen(&a->lines[i])
            && learn_places_masked(noise, a, two.after_a, i))
        {
            differ->masked += a->lines[i].n;
        }
    }

    return 1;
}


/* words that are seen */

static uint32_t
learn_noise_seen(const learn_lines_t *lines)
{
    uint32_t  i, n;

    n = 0;

    for (i = 0; i < lines->nlines; i++) {
        n += learn_line_unseen(&lines->lines[i]) ? 0 : lines->lines[i].n;
    }

    return n;
}


static void
learn_noise_count(const learn_noise_t *noise, const learn_lines_t *lines,
    uint32_t i, learn_differ_t *differ)
{
    size_t                   t;
    const learn_pageline_t  *line;

    line = &lines->lines[i];

    differ->lines++;

    if (learn_line_unseen(line)) {
        return;
    }

    differ->words += line->n;

    for (t = 0; t < noise->ntemplates; t++) {
        if (noise->templates[t].where == line->where
            && noise->templates[t].words[0] == lines->words[line->first])
        {
            differ->doubt += line->n;
            break;
        }
    }
}


/* true if two lines are the same but for the gaps of a template */

static int
learn_noise_both(const learn_noise_t *noise, const learn_two_t *two,
    uint32_t i, uint32_t k)
{
    size_t                   t;
    const learn_pageline_t  *a, *b;
    const learn_template_t  *template;

    a = &two->a->lines[i];
    b = &two->b->lines[k];

    for (t = 0; t < noise->ntemplates; t++) {
        template = &noise->templates[t];

        if (template->where == a->where
            && learn_noise_fits(template, two->a->words + a->first, a->n)
            && learn_noise_fits(template, two->b->words + b->first, b->n))
        {
            return 1;
        }
    }

    return 0;
}


/* gaps stand for any number of words; as few as will do, from the left */

static int
learn_noise_fits(const learn_template_t *template, const uint32_t *words,
    uint32_t n)
{
    uint32_t  i, at, run;

    at = 0;

    for (i = 0; i < template->n; /* void */ ) {

        if (template->words[i] == 0) {
            i++;

            for (run = i; run < template->n && template->words[run] != 0;
                 run++)
            {
                /* void */
            }

            run -= i;

            if (run == 0) {
                return 1;
            }

            /* what comes last has to be at the end */

            if (i + run == template->n) {
                return n - at >= run
                       && memcmp(words + n - run, template->words + i,
                                 run * sizeof(uint32_t)) == 0;
            }

            while (n - at >= run
                   && memcmp(words + at, template->words + i,
                             run * sizeof(uint32_t)) != 0)
            {
                at++;
            }

            if (n - at < run) {
                return 0;
            }

            at += run;
            i += run;
            continue;
        }

        if (at == n || words[at] != template->words[i]) {
            return 0;
        }

        at++;
        i++;
    }

    return at == n;
}


/*
 * True if a link is the other one, but for what both carry on; or if it is a
 * field of a form, and not there without it.
 */

static int
learn_noise_carried(const learn_two_t *two, uint32_t i, uint32_t k,
    const learn_echo_t *echo)
{
    uint32_t                 n, m;
    const uint32_t          *a, *b;
    const learn_carry_t     *carry;
    const learn_pageline_t  *line;

    line = &two->a->lines[i];

    if (echo == NULL || !(line->where & LEARN_WHERE_LINK)) {
        return 0;
    }

    a = two->a->words + line->first;
    n = line->n;

    if (k != LEARN_DIFF_NONE) {
        b = two->b->words + two->b->lines[k].first;
        m = two->b->lines[k].n;

    } else {
        b = a;
        m = 1;
    }

    while (n > 0) {
        carry = learn_noise_carry(a, n, b, m, echo);

        if (carry != NULL) {
            a += carry->nfrom;
            n -= carry->nfrom;
            b += carry->nto;
            m -= carry->nto;
            continue;
        }

        if (m == 0 || *a != *b) {
            return 0;
        }

        a++;
        n--;
        b++;
        m--;
    }

    return m == 0;
}


static const learn_carry_t *
learn_noise_carry(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m,
    const learn_echo_t *echo)
{
    size_t                i;
    const learn_carry_t  *carry;

    for (i = 0; i < echo->ncarries; i++) {
        carry = &echo->carries[i];

        if (carry->nfrom > 0 && carry->nfrom <= n && carry->nto <= m
            && memcmp(a, carry->from, carry->nfrom * sizeof(uint32_t)) == 0
            && (carry->nto == 0
                || memcmp(b, carry->to, carry->nto * sizeof(uint32_t)) == 0))
        {
            return carry;
        }
    }

    return NULL;
}


/*
 * True if an attribute has only other words of the URL in it: a picture that
 * counts visitors is asked for with what the page was asked for, but so is one
 * that shows it.
 */

static int
learn_noise_echo(const learn_two_t *two, uint32_t i, uint32_t k,
    const learn_echo_t *echo)
{
    uint32_t                 next, j, *match;
    const learn_pageline_t  *a, *b;

    a = &two->a->lines[i];
    b = &two->b->lines[k];

    if (echo == NULL || !(a->where & LEARN_WHERE_ATTR)) {
        return 0;
    }

    match = learn_arena_alloc(two->scratch, (a->n + 1) * sizeof(uint32_t));

    if (match == NULL
        || !learn_diff(two->a->words + a->first, a->n,
                       two->b->words + b->first, b->n, match, two->scratch))
    {
        return 0;
    }

    next = 0;

    for (j = 0; j < a->n; j++) {

        if (match[j] != LEARN_DIFF_NONE) {

            if (match[j] != next) {
                return 0;
            }

            next++;
            continue;
        }

        for (k = 0; k < echo->n; k++) {
            if (echo->words[k] == two->a->words[a->first + j]) {
                break;
            }
        }

        if (k == echo->n) {
            return 0;
        }
    }

    return next == b->n;
}


/* the same of a line that is not there otherwise: all of it is the URL's */

static int
learn_noise_echoes(const learn_lines_t *lines, uint32_t i,
    const learn_echo_t *echo)
{
    uint32_t                 j, k;
    const learn_pageline_t  *line;

    line = &lines->lines[i];

    if (echo == NULL || !(line->where & LEARN_WHERE_ATTR)) {
        return 0;
    }

    for (j = 1; j < line->n; j++) {

        for (k = 0; k < echo->n; k++) {
            if (echo->words[k] == lines->words[line->first + j]) {
                break;
            }
        }

        if (k == echo->n) {
            return 0;
        }
    }

    return line->n > 1;
}
