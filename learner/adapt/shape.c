
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <ctype.h>
#include <stdlib.h>

#include "adapt.h"


/*
 * KINDS OF PAGES, BY THEIR PATHS
 *
 * URLs are put in groups by their first segment, each group by the second, and
 * so on.  Segments that look like values, and those that are too many to be
 * names of something, are one group, "*":
 *
 *     product/17       product/2081       product/new
 *     product/ *       product/ *         product/new
 */

#define LEARN_SHAPE_DEEP    32           /* segments, as maps have it */
#define LEARN_SHAPE_NAMES   60           /* in one place, that are names */
#define LEARN_SHAPE_MANY    8            /* with so many, they may be values, */
#define LEARN_SHAPE_SOME    4            /* or with so many, behind a value */
#define LEARN_SHAPE_LOTS    20           /* or with so many, in any case */
#define LEARN_SHAPE_FLAT    3            /* times the mean, at most, are */
#define LEARN_SHAPE_CHANCE  7            /* are expected, and there is none */
#define LEARN_SHAPE_OFTEN   50           /* one in so many is, in any case */


typedef struct {
    uint32_t            first;           /* of the list */
    uint32_t            n;
    uint32_t            level;
    miqps_str_t         shape;
} learn_group_t;


typedef struct {
    learn_adapt_t      *adapt;
    uint32_t           *list;            /* URLs */
    uint32_t           *spare;
    uint32_t            level;           /* that is compared */
    learn_group_t      *groups;          /* to be looked at */
    size_t              ngroups;
    size_t              room;
} learn_shaping_t;


static int  learn_shape_group(learn_shaping_t *shaping,
    const learn_group_t *group);
static void  learn_shape_sort(learn_shaping_t *shaping, uint32_t first,
    uint32_t n);
static int  learn_shape_cmp(const learn_shaping_t *shaping, uint32_t a,
    uint32_t b);
static int  learn_shape_split(learn_shaping_t *shaping,
    const learn_group_t *group);
static int  learn_shape_alike(learn_shaping_t *shaping,
    const learn_group_t *group);
static void  learn_shape_count(const learn_adapt_t *adapt, uint32_t url,
    uint32_t *counts);
static uint32_t  learn_shape_run(learn_shaping_t *shaping, uint32_t i,
    uint32_t last);
static int  learn_shape_name(const miqps_str_t *segment, uint32_t urls,
    const learn_group_t *group, uint32_t names, uint32_t values);
static int  learn_shape_value(const miqps_str_t *segment);
static int  learn_shape_push(learn_shaping_t *shaping,
    const learn_group_t *around, uint32_t first, uint32_t n,
    const miqps_str_t *segment);
static int  learn_shape_kind(learn_adapt_t *adapt,
    const learn_group_t *group, const uint32_t *list);
static int  learn_shape_segment(const miqps_str_t *path, uint32_t level,
    miqps_str_t *segment);
static int  learn_shape_by_urls(const void *one, const void *two);


int
learn_adapt_shapes(learn_adapt_t *adapt)
{
    uint32_t         i, k;
    learn_group_t    all, group;
    learn_shaping_t  shaping;

    memset(&shaping, 0, sizeof(learn_shaping_t));

    shaping.adapt = adapt;
    shaping.list = learn_arena_alloc(adapt->arena,
                                     (adapt->nurls + 1) * sizeof(uint32_t));
    shaping.spare = learn_arena_alloc(adapt->arena,
                                      (adapt->nurls + 1) * sizeof(uint32_t));
    adapt->kinds = calloc(LEARN_ADAPT_KINDS, sizeof(learn_kind_t));

    if (shaping.list == NULL || shaping.spare == NULL || adapt->kinds == NULL)
    {
        return 0;
    }

    for (i = 0; i < adapt->nurls; i++) {
        shaping.list[i] = i;
        adapt->urls[i].kind = UINT32_MAX;
    }

    memset(&all, 0, sizeof(learn_group_t));
    all.n = adapt->nurls;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_KINDS)) {

        /* one kind, whatever the path */

        if (all.n > 0 && !learn_shape_kind(adapt, &all, shaping.list)) {
            return 0;
        }

    } else if (all.n > 0 && !learn_shape_group(&shaping, &all)) {
        return 0;
    }

    while (shaping.ngroups > 0) {
        group = shaping.groups[--shaping.ngroups];

        if (!learn_shape_group(&shaping, &group)) {
            free(shaping.groups);
            return 0;
        }
    }

    free(shaping.groups);

    /* those with most URLs first; the list of each is by order */

    qsort(adapt->kinds, adapt->nkinds, sizeof(learn_kind_t),
          learn_shape_by_urls);

    for (i = 0; i < adapt->nkinds; i++) {
        for (k = 0; k < adapt->kinds[i].urls; k++) {
            adapt->urls[adapt->kinds[i].list[k]].kind = i;
        }

        learn_noise_init(&adapt->kinds[i].noise);
    }

    return 1;
}


static int
learn_shape_by_urls(const void *one, const void *two)
{
    const learn_kind_t  *a, *b;

    a = one;
    b = two;

    if (a->urls != b->urls) {
        return (a->urls < b->urls) ? 1 : -1;
    }

    if (a->shape.len != b->shape.len) {
        return (a->shape.len > b->shape.len) ? 1 : -1;
    }

    return memcmp(a->shape.data, b->shape.data, a->shape.len);
}


/* those that end here are a kind; the others are split by what follows */

static int
learn_shape_group(learn_shaping_t *shaping, const learn_group_t *group)
{
    uint32_t       i, ends, url;
    miqps_str_t    segment;
    learn_group_t  rest;

    ends = 0;

    for (i = group->first; i < group->first + group->n; i++) {
        url = shaping->list[i];

        if (!learn_shape_segment(&shaping->adapt->urls[url].path,
                                 group->level, &segment))
        {
            shaping->list[i] = shaping->list[group->first + ends];
            shaping->list[group->first + ends++] = url;
        }
    }

    if (ends > 0
        && !learn_shape_kind(shaping->adapt, &(learn_group_t) {
                                 group->first, ends, 0, group->shape },
                             shaping->list + group->first))
    {
        return 0;
    }

    rest = *group;
    rest.first += ends;
    rest.n -= ends;

    if (rest.n == 0 || rest.level == LEARN_SHAPE_DEEP) {
        return 1;
    }

    return learn_shape_split(shaping, &rest);
}


/* the segment of a path, from 0; 0 behind the last; one may be empty */

static int
learn_shape_segment(const miqps_str_t *path, uint32_t level,
    miqps_str_t *segment)
{
    const uint8_t  *p, *last, *end;

    p = path->data;
    last = p + path->len;
    *segment = (miqps_str_t) miqps_null_str;

    for ( ;; ) {

        if (p == last) {
            return 0;
        }

        p++;                                      /* the slash */
        end = memchr(p, '/', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        if (level-- == 0) {
            segment->data = p;
            segment->len = (size_t) (end - p);
            return 1;
        }

        p = end;
    }
}


static int
learn_shape_split(learn_shaping_t *shaping, const learn_group_t *group)
{
    int          behind;
    uint32_t     i, last, run, names, values, others, most, all;
    miqps_str_t  segment, star;

    behind = (group->shape.len > 1
              && group->shape.data[group->shape.len - 1] == '*');

    shaping->level = group->level;
    learn_shape_sort(shaping, group->first, group->n);

    last = group->first + group->n;
    names = 0;
    values = 0;
    most = 0;
    all = 0;

    for (i = group->first; i < last; i += run) {
        run = learn_shape_run(shaping, i, last);
        (void) learn_shape_segment(
                   &shaping->adapt->urls[shaping->list[i]].path,
                   group->level, &segment);

        if (learn_shape_value(&segment)) {
            values++;

        } else {
            names++;
            all += run;
            most = (run > most) ? run : most;

            if (!behind && memchr(segment.data, '.', segment.len) != NULL) {
                most = group->n;
            }
        }
    }

    /*
     * Many that are as frequent as each other are values, but not files; behind
     * a value these may be, too, and need not be many.  Very many are values
     * even if some are asked for more often.
     */

    if (names >= (behind ? LEARN_SHAPE_SOME : LEARN_SHAPE_MANY)
        && ((uint64_t) most * names < LEARN_SHAPE_FLAT * (uint64_t) all
            || (names >= LEARN_SHAPE_LOTS && most < group->n))
        && learn_shape_alike(shaping, group))
    {
        names = UINT32_MAX;
    }

    /* names are groups of their own, in front of what is none */

    others = 0;

    for (i = group->first; i < last; i += run) {
        run = learn_shape_run(shaping, i, last);
        (void) learn_shape_segment(
                   &shaping->adapt->urls[shaping->list[i]].path,
                   group->level, &segment);

        if (!learn_shape_name(&segment, run, group, names, values)) {
            memcpy(shaping->spare + others, shaping->list + i,
                   run * sizeof(uint32_t));
            others += run;
            continue;
        }

        memmove(shaping->list + i - others, shaping->list + i,
                run * sizeof(uint32_t));

        if (!learn_shape_push(shaping, group, i - others, run, &segment)) {
            return 0;
        }
    }

    memcpy(shaping->list + last - others, shaping->spare,
           others * sizeof(uint32_t));

    star.data = (const uint8_t *) "*";
    star.len = 1;

    return others == 0
           || learn_shape_push(shaping, group, last - others, others, &star);
}


/*
 * True if what follows is much the same for all segments: paths are as long,
 * and no name of parameters, of which there should be some by chance, is
 * missing.  It is where the words stand for different programs.
 */

static int
learn_shape_alike(learn_shaping_t *shaping, const learn_group_t *group)
{
    int              alike;
    uint32_t         i, k, last, run, n, *all, *here;
    learn_adapt_t   *adapt;

    adapt = shaping->adapt;
    n = adapt->nnames + LEARN_SHAPE_DEEP + 1;
    all = calloc(2 * (size_t) n, sizeof(uint32_t));

    if (all == NULL) {
        return 1;
    }

    here = all + n;
    last = group->first + group->n;

    for (i = group->first; i < last; i++) {
        learn_shape_count(adapt, shaping->list[i], all);
    }

    alike = 1;

    for (i = group->first; i < last && alike; i += run) {
        run = learn_shape_run(shaping, i, last);
        memset(here, 0, n * sizeof(uint32_t));

        for (k = i; k < i + run; k++) {
            learn_shape_count(adapt, shaping->list[k], here);
        }

        for (k = 0; k < n && alike; k++) {
            alike = here[k] > 0
                    || (uint64_t) all[k] * run
                       < LEARN_SHAPE_CHANCE * (uint64_t) group->n;
        }
    }

    free(all);

    return alike;
}


/* names that a URL has, and behind these, how long its path is */

static void
learn_shape_count(const learn_adapt_t *adapt, uint32_t url, uint32_t *counts)
{
    uint32_t             i, deep;
    miqps_str_t          segment;
    const learn_seen_t  *seen;

    seen = &adapt->urls[url];

    for (i = 0; i < seen->npieces; i++) {
        counts[seen->pieces[i].name]++;
    }

    for (deep = 0; deep < LEARN_SHAPE_DEEP
                   && learn_shape_segment(&seen->path, deep, &segment); deep++)
    {
        /* void */
    }

    counts[adapt->nnames + deep]++;
}


/* a heap sort, since what is compared depends on the level */

static void
learn_shape_sort(learn_shaping_t *shaping, uint32_t first, uint32_t n)
{
    uint32_t   i, k, child, swap, *list;

    list = shaping->list + first;

    for (i = n / 2; n > 1; /* void */ ) {

        if (i > 0) {
            i--;

        } else {
            n--;
            swap = list[n];
            list[n] = list[0];
            list[0] = swap;
        }

        for (k = i; 2 * k + 1 < n; k = child) {
            child = 2 * k + 1;

            if (child + 1 < n
                && learn_shape_cmp(shaping, list[child], list[child + 1]) < 0)
            {
                child++;
            }

            if (learn_shape_cmp(shaping, list[k], list[child]) >= 0) {
                break;
            }

            swap = list[k];
            list[k] = list[child];
            list[child] = swap;
        }
    }
}


static int
learn_shape_cmp(const learn_shaping_t *shaping, uint32_t a, uint32_t b)
{
    int          rc;
    size_t       len;
    miqps_str_t  one, two;

    (void) learn_shape_segment(&shaping->adapt->urls[a].path, shaping->level,
                               &one);
    (void) learn_shape_segment(&shaping->adapt->urls[b].path, shaping->level,
                               &two);

    len = (one.len < two.len) ? one.len : two.len;
    rc = (len > 0) ? memcmp(one.data, two.data, len) : 0;

    if (rc != 0) {
        return rc;
    }

    if (one.len != two.len) {
        return (one.len > two.len) ? 1 : -1;
    }

    return (a > b) - (a < b);
}


/* how many have the same segment as the first */

static uint32_t
learn_shape_run(learn_shaping_t *shaping, uint32_t i, uint32_t last)
{
    uint32_t     k;
    miqps_str_t  one, two;

    (void) learn_shape_segment(&shaping->adapt->urls[shaping->list[i]].path,
                               shaping->level, &one);

    for (k = i + 1; k < last; k++) {
        (void) learn_shape_segment(
                   &shaping->adapt->urls[shaping->list[k]].path,
                   shaping->level, &two);

        if (!miqps_str_eq(&one, &two)) {
            break;
        }
    }

    return k - i;
}


/* an end with a slash is a name that is empty */

static int
learn_shape_name(const miqps_str_t *segment, uint32_t urls,
    const learn_group_t *group, uint32_t names, uint32_t values)
{
    if (segment->len == 0) {
        return 1;
    }

    if (memchr(segment->data, '*', segment->len) != NULL) {
        return 0;
    }

    if (learn_shape_value(segment)) {
        return values == 1 && names == 0;
    }

    if (names == UINT32_MAX) {
        return 0;
    }

    return names <= LEARN_SHAPE_NAMES
           || (uint64_t) urls * LEARN_SHAPE_OFTEN >= group->n;
}


/* a number, an identifier, words with many hyphens: something that varies */

static int
learn_shape_value(const miqps_str_t *segment)
{
    size_t   i, digits, letters, others;
    uint8_t  c;

    digits = 0;
    letters = 0;
    others = 0;

    for (i = 0; i < segment->len; i++) {
        c = segment->data[i];

        if (isdigit(c)) {
            digits++;

        } else if (isalpha(c)) {
            letters++;

        } else if (c == '-' || c == '_' || c == '%' || c == '+' || c == ',') {
            others++;
        }
    }

    return (digits > 0 && (3 * digits >= letters || digits >= 4))
           || others >= 3 || segment->len > 40;
}


static int
learn_shape_push(learn_shaping_t *shaping, const learn_group_t *around,
    uint32_t first, uint32_t n, const miqps_str_t *segment)
{
    size_t          room;
    uint8_t        *text;
    learn_group_t  *groups, *group;

    if (shaping->ngroups == shaping->room) {
        room = 2 * shaping->room + 64;
        groups = realloc(shaping->groups, room * sizeof(learn_group_t));

        if (groups == NULL) {
            return 0;
        }

        shaping->groups = groups;
        shaping->room = room;
    }

    text = learn_arena_alloc(shaping->adapt->arena,
                             around->shape.len + segment->len + 1);

    if (text == NULL) {
        return 0;
    }

    if (around->shape.len > 0) {
        memcpy(text, around->shape.data, around->shape.len);
    }

    text[around->shape.len] = '/';

    if (segment->len > 0) {
        memcpy(text + around->shape.len + 1, segment->data, segment->len);
    }

    group = &shaping->groups[shaping->ngroups++];

    group->first = first;
    group->n = n;
    group->level = around->level + 1;
    group->shape.data = text;
    group->shape.len = around->shape.len + segment->len + 1;

    return 1;
}


/* when there are too many, the one with the fewest URLs goes */

static int
learn_shape_kind(learn_adapt_t *adapt, const learn_group_t *group,
    const uint32_t *list)
{
    uint32_t       i, least;
    learn_kind_t  *kind;

    if (adapt->nkinds < LEARN_ADAPT_KINDS) {
        kind = &adapt->kinds[adapt->nkinds++];

    } else {
        least = 0;

        for (i = 1; i < adapt->nkinds; i++) {
            if (adapt->kinds[i].urls < adapt->kinds[least].urls) {
                least = i;
            }
        }

        if (adapt->kinds[least].urls >= group->n) {
            return 1;
        }

        kind = &adapt->kinds[least];
    }

    kind->shape = group->shape;
    kind->urls = group->n;
    kind->list = learn_arena_alloc(adapt->arena,
                                   group->n * sizeof(uint32_t));

    if (kind->list == NULL) {
        return 0;
    }

    memcpy(kind->list, list, group->n * sizeof(uint32_t));

    return 1;
}
