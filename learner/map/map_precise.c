
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "map_precise.h"
#include "miqps_map.h"


#define LEARN_PRECISE_MAX   65536        /* patterns that are added */
#define LEARN_PRECISE_NAME  ((UINT32_C(1) << LEARN_MAP_VERDICT) - 1)


/* a pattern of the host */

typedef struct {
    const uint32_t        *words;        /* until one is added */
    size_t                 place;        /* of them in map->words */
    uint32_t               shape;        /* number + 1, or 0 */
} learn_precise_set_t;


/* a name that a pattern with a shape keeps, but for a value, or for clients */

typedef struct {
    uint32_t               shape;        /* number + 1 */
    uint32_t               name;
    uint32_t               verdict;
    uint32_t               value;        /* number + 1, or 0 */
} learn_precise_kept_t;


typedef struct {
    learn_map_t           *map;
    size_t                 nwords;       /* what the host was told, */
    uint32_t               nown;         /* so many patterns, */
    learn_precise_set_t   *sets;         /* by their names */

    uint64_t              *shapes;       /* numbers + 1, the vaguest first */
    size_t                 nshapes;

    learn_precise_kept_t  *kept;         /* ascending, each once */
    size_t                 nkept;

    uint64_t              *names;        /* that are kept by a path, and go
                                            elsewhere, or a value of them */
    size_t                 nnames;

    learn_precise_set_t   *covers;       /* of one set of names, ... */
    size_t                 ncovers;
    size_t                 ntold;        /* the first of which were told */
} learn_precise_t;


static int  learn_precise_shaped(const learn_map_t *map);
static const char  *learn_precise_close(learn_precise_t *ctx);
static const char  *learn_precise_round(learn_precise_t *ctx);
static int  learn_precise_told(learn_precise_t *ctx);
static size_t  learn_precise_last(const learn_precise_t *ctx, size_t first);
static int  learn_precise_by_names(const void *one, const void *two);
static int  learn_precise_names_cmp(const uint32_t *one,
    const uint32_t *two);
static int  learn_precise_shapes(learn_precise_t *ctx);
static uint32_t  learn_precise_literals(const learn_map_t *map,
    uint32_t shape);
static int  learn_precise_by_number(const void *one, const void *two);
static int  learn_precise_keeps(learn_precise_t *ctx, int *more);
static void  learn_precise_once(learn_precise_kept_t *kept, size_t *n);
static int  learn_precise_by_kept(const void *one, const void *two);
static int  learn_precise_names(learn_precise_t *ctx);
static int  learn_precise_concerns(const learn_precise_t *ctx, size_t place);
static size_t  learn_precise_find(const learn_precise_t *ctx, uint32_t shape,
    uint32_t name, size_t *last);
static const char  *learn_precise_set(learn_precise_t *ctx, size_t first,
    size_t last);
static int  learn_precise_wants(const learn_precise_t *ctx, uint32_t shape);
static int  learn_precise_loses(const learn_precise_t *ctx,
    const uint32_t *p, uint32_t word, uint32_t shape);
static int  learn_precise_covers(const learn_map_t *map, uint32_t one,
    uint32_t two);
static void  learn_precise_make(const learn_precise_t *ctx, uint32_t shape);
static void  learn_precise_copy(learn_map_t *map, const uint32_t *p);
static void  learn_precise_add(learn_map_param_t *param, uint32_t verdict,
    uint32_t value);
static uint32_t  learn_precise_default(const uint32_t *p, uint32_t name);
static void  learn_precise_everywhere(learn_precise_t *ctx);
static int  learn_precise_anywhere(const learn_precise_t *ctx,
    uint32_t name);
static const char  *learn_precise_mark(learn_precise_t *ctx);
static void  learn_precise_count(learn_precise_t *ctx);


const char *
learn_map_precise(learn_map_t *map)
{
    const char       *why;
    learn_precise_t   ctx;

    if (!learn_precise_shaped(map)) {
        return NULL;
    }

    memset(&ctx, 0, sizeof(learn_precise_t));
    ctx.map = map;
    ctx.nwords = map->nwords;
    ctx.nown = map->nown;

    why = learn_precise_close(&ctx);

    if (why == NULL) {
        learn_precise_count(&ctx);
        why = learn_precise_mark(&ctx);
    }

    free(ctx.sets);
    free(ctx.shapes);
    free(ctx.kept);
    free(ctx.names);
    free(ctx.covers);

    return why;
}


static int
learn_precise_shaped(const learn_map_t *map)
{
    size_t  at;

    for (at = 0; at < map->nwords; at += learn_map_words(map->words + at)) {
        if (map->words[at + 1] != 0) {
            return 1;
        }
    }

    return 0;
}


/* a path that got a pattern keeps what this does: until nothing more is kept */

static const char *
learn_precise_close(learn_precise_t *ctx)
{
    int          more;
    const char  *why;

    if (!learn_precise_told(ctx) || !learn_precise_shapes(ctx)
        || !learn_precise_keeps(ctx, &more))
    {
        return learn_map_no_memory;
    }

    while (more) {

        if (!learn_precise_names(ctx)) {
            return learn_map_no_memory;
        }

        if (ctx->nnames == 0) {
            break;
        }

        why = learn_precise_round(ctx);

        if (why != NULL) {
            return why;
        }

        if (ctx->map->nown - ctx->nown > LEARN_PRECISE_MAX) {
            ctx->map->nwords = ctx->nwords;
            ctx->map->nown = ctx->nown;
            learn_precise_everywhere(ctx);

            return NULL;
        }

        if (!learn_precise_keeps(ctx, &more)) {
            return learn_map_no_memory;
        }
    }

    return NULL;
}


/* adds all patterns anew, by what is kept now */

static const char *
learn_precise_round(learn_precise_t *ctx)
{
    size_t       i, last;
    const char  *why;

    ctx->map->nwords = ctx->nwords;
    ctx->map->nown = ctx->nown;

    for (i = 0; i < ctx->nown; i = last) {
        last = learn_precise_last(ctx, i);
        why = learn_precise_concerns(ctx, ctx->sets[i].place)
              ? learn_precise_set(ctx, i, last) : NULL;

        if (why != NULL || ctx->map->nown - ctx->nown > LEARN_PRECISE_MAX) {
            return why;
        }
    }

    return NULL;
}


/* --- what the host was told */


static int
learn_precise_told(learn_precise_t *ctx)
{
    size_t                at, n;
    const uint32_t       *p;
    learn_precise_set_t  *sets;

    n = ctx->map->nown;
    sets = malloc(n * sizeof(learn_precise_set_t));

    if (sets == NULL) {
        return 0;
    }

    free(ctx->sets);
    ctx->sets = sets;
    n = 0;

    for (at = 0; at < ctx->map->nwords; at += learn_map_words(p)) {
        p = ctx->map->words + at;
        sets[n].words = p;
        sets[n].place = at;
        sets[n++].shape = p[1];
    }

    qsort(sets, n, sizeof(learn_precise_set_t), learn_precise_by_names);

    return 1;
}


/* where patterns of the same names as the first one end */

static size_t
learn_precise_last(const learn_precise_t *ctx, size_t first)
{
    size_t           last;
    const uint32_t  *words;

    words = ctx->map->words;

    for (last = first + 1;
         last < ctx->nown
         && learn_precise_names_cmp(words + ctx->sets[first].place,
                                    words + ctx->sets[last].place)
            == 0;
         last++)
    {
        /* void */
    }

    return last;
}


static int
learn_precise_by_names(const void *one, const void *two)
{
    int                         rc;
    const learn_precise_set_t  *a, *b;

    a = one;
    b = two;
    rc = learn_precise_names_cmp(a->words, b->words);

    return (rc != 0) ? rc : (a->place > b->place) - (a->place < b->place);
}


static int
learn_precise_names_cmp(const uint32_t *one, const uint32_t *two)
{
    uint32_t  i, a, b;

    if (learn_map_names(one) != learn_map_names(two)) {
        return (learn_map_names(one) > learn_map_names(two)) ? 1 : -1;
    }

    for (i = 0; i < learn_map_names(one); i++) {
        a = one[LEARN_MAP_HEAD + i] & LEARN_PRECISE_NAME;
        b = two[LEARN_MAP_HEAD + i] & LEARN_PRECISE_NAME;

        if (a != b) {
            return (a > b) ? 1 : -1;
        }
    }

    return 0;
}


/* shapes, each once */

static int
learn_precise_shapes(learn_precise_t *ctx)
{
    size_t     i, n;
    uint32_t   shape;
    uint64_t  *shapes;

    shapes = malloc(ctx->nown * sizeof(uint64_t));

    if (shapes == NULL) {
        return 0;
    }

    n = 0;

    for (i = 0; i < ctx->nown; i++) {
        shape = ctx->sets[i].shape;

        if (shape != 0) {
            shapes[n++] = (uint64_t) learn_precise_literals(ctx->map, shape)
                          << 32 | shape;
        }
    }

    qsort(shapes, n, sizeof(uint64_t), learn_precise_by_number);

    ctx->shapes = shapes;
    ctx->nshapes = 0;

    for (i = 0; i < n; i++) {
        if (i == 0 || shapes[i] != shapes[ctx->nshapes - 1]) {
            shapes[ctx->nshapes++] = shapes[i];
        }
    }

    ctx->covers = malloc((ctx->nown + ctx->nshapes)
                         * sizeof(learn_precise_set_t));

    return ctx->covers != NULL;
}


/* bytes that are said: of shapes that cover each other the vaguer has fewer */

static uint32_t
learn_precise_literals(const learn_map_t *map, uint32_t shape)
{
    size_t              i;
    uint32_t            n;
    const miqps_str_t  *text;

    text = &map->shapes.words[shape - 1]->text;
    n = 0;

    for (i = 1; i < text->len; i++) {
        n += (text->data[i] != '/'
              && !(text->data[i] == '*' && text->data[i - 1] == '/'
                   && (i + 1 == text->len || text->data[i + 1] == '/')));
    }

    return n;
}


static int
learn_precise_by_number(const void *one, const void *two)
{
    uint64_t  a, b;

    a = *(const uint64_t *) one;
    b = *(const uint64_t *) two;

    return (a > b) - (a < b);
}


/* --- what paths keep */


/* reads it anew; "*more" tells whether it is more than before */

static int
learn_precise_keeps(learn_precise_t *ctx, int *more)
{
    size_t                 at, n, all;
    uint32_t               i, word;
    const uint32_t        *p;
    learn_precise_kept_t  *kept;

    all = 1;

    for (at = 0; at < ctx->map->nwords; at += learn_map_words(p)) {
        p = ctx->map->words + at;
        all += (p[1] != 0) ? learn_map_names(p) : 0;
    }

    kept = malloc(all * sizeof(learn_precise_kept_t));

    if (kept == NULL) {
        return 0;
    }

    n = 0;

    for (at = 0; at < ctx->map->nwords; at += learn_map_words(p)) {
        p = ctx->map->words + at;

        for (i = 0; i < learn_map_names(p) && p[1] != 0; i++) {
            word = p[LEARN_MAP_HEAD + i];

            if (word >> LEARN_MAP_VERDICT != LEARN_MAP_STRIP) {
                kept[n].shape = p[1];
                kept[n].name = word & LEARN_PRECISE_NAME;
                kept[n].verdict = word >> LEARN_MAP_VERDICT;
                kept[n].value = learn_precise_default(p, kept[n].name);
                n++;
            }
        }
    }

    learn_precise_once(kept, &n);

    *more = (n != ctx->nkept
             || (n > 0 && memcmp(kept, ctx->kept,
                                 n * sizeof(learn_precise_kept_t)) != 0));

    free(ctx->kept);
    ctx->kept = kept;
    ctx->nkept = n;

    return 1;
}


static void
learn_precise_once(learn_precise_kept_t *kept, size_t *n)
{
    size_t  i, k;

    if (*n == 0) {
        return;
    }

    qsort(kept, *n, sizeof(learn_precise_kept_t), learn_precise_by_kept);

    for (i = 1, k = 0; i < *n; i++) {
        if (learn_precise_by_kept(&kept[k], &kept[i]) != 0) {
            kept[++k] = kept[i];
        }
    }

    *n = k + 1;
}


static int
learn_precise_by_kept(const void *one, const void *two)
{
    const learn_precise_kept_t  *a, *b;

    a = one;
    b = two;

    if (a->shape != b->shape) {
        return (a->shape > b->shape) ? 1 : -1;
    }

    if (a->name != b->name) {
        return (a->name > b->name) ? 1 : -1;
    }

    if (a->verdict != b->verdict) {
        return (a->verdict > b->verdict) ? 1 : -1;
    }

    return (a->value > b->value) - (a->value < b->value);
}


/* which of the names may have to be added for */

static int
learn_precise_names(learn_precise_t *ctx)
{
    size_t                  i, k, n, at;
    uint32_t                j, word, name;
    uint64_t               *gone;
    const uint32_t         *p;

    n = 0;
    gone = malloc((ctx->map->nwords + 1) * sizeof(uint64_t));
    free(ctx->names);
    ctx->nnames = 0;
    ctx->names = malloc((ctx->nkept + 1) * sizeof(uint64_t));

    if (gone == NULL || ctx->names == NULL) {
        free(gone);
        return 0;
    }

    for (at = 0; at < ctx->nwords; at += learn_map_words(p)) {
        p = ctx->map->words + at;

        for (j = 0; j < learn_map_names(p); j++) {
            word = p[LEARN_MAP_HEAD + j];
            name = word & LEARN_PRECISE_NAME;

            if (word >> LEARN_MAP_VERDICT != LEARN_MAP_KEEP
                || learn_precise_default(p, name) != 0)
            {
                gone[n++] = name;
            }
        }
    }

    qsort(gone, n, sizeof(uint64_t), learn_precise_by_number);

    for (i = 0; i < ctx->nkept; i++) {
        ctx->names[i] = ctx->kept[i].name;
    }

    qsort(ctx->names, ctx->nkept, sizeof(uint64_t), learn_precise_by_number);

    for (i = 0, k = 0; i < ctx->nkept; i++) {

        while (k < n && gone[k] < ctx->names[i]) {
            k++;
        }

        if (k < n && gone[k] == ctx->names[i]
            && (ctx->nnames == 0
                || ctx->names[ctx->nnames - 1] != ctx->names[i]))
        {
            ctx->names[ctx->nnames++] = ctx->names[i];
        }
    }

    free(gone);

    return 1;
}


/* true if one of these is in a pattern */

static int
learn_precise_concerns(const learn_precise_t *ctx, size_t place)
{
    uint32_t         i;
    uint64_t         name;
    const uint32_t  *p;

    p = ctx->map->words + place;

    for (i = 0; i < learn_map_names(p); i++) {
        name = p[LEARN_MAP_HEAD + i] & LEARN_PRECISE_NAME;

        if (bsearch(&name, ctx->names, ctx->nnames, sizeof(uint64_t),
                    learn_precise_by_number)
            != NULL)
        {
            return 1;
        }
    }

    return 0;
}


/* where that a path keeps a name begins, and ends */

static size_t
learn_precise_find(const learn_precise_t *ctx, uint32_t shape, uint32_t name,
    size_t *last)
{
    size_t                 low, half, n;
    learn_precise_kept_t   key;

    key.shape = shape;
    key.name = name;
    key.verdict = 0;
    key.value = 0;
    low = 0;

    for (n = ctx->nkept; n > 0; /* void */ ) {
        half = n / 2;

        if (learn_precise_by_kept(&ctx->kept[low + half], &key) < 0) {
            low += half + 1;
            n -= half + 1;

        } else {
            n = half;
        }
    }

    *last = low;

    while (*last < ctx->nkept && ctx->kept[*last].shape == shape
           && ctx->kept[*last].name == name)
    {
        (*last)++;
    }

    return low;
}


/* --- patterns that are added */


/* for one set of names, whose patterns are from "first" to "last" */

static const char *
learn_precise_set(learn_precise_t *ctx, size_t first, size_t last)
{
    size_t                i;
    uint32_t              shape;
    const char           *why;
    learn_precise_set_t  *added;

    ctx->ntold = last - first;
    ctx->ncovers = ctx->ntold;
    memcpy(ctx->covers, ctx->sets + first,
           ctx->ntold * sizeof(learn_precise_set_t));

    /* what was added for a vaguer one is known for those that it covers */

    for (i = 0; i < ctx->nshapes; i++) {
        shape = (uint32_t) ctx->shapes[i];

        if (!learn_precise_wants(ctx, shape)) {
            continue;
        }

        added = &ctx->covers[ctx->ncovers];
        added->place = ctx->map->nwords;
        added->shape = shape;

        learn_precise_make(ctx, shape);
        why = learn_map_store(ctx->map);

        if (why != NULL) {
            return why;
        }

        ctx->map->nown++;
        ctx->ncovers++;
    }

    return NULL;
}


/*
 * True if nothing was told of the set on this path, but on one that covers it,
 * and something goes there that the path keeps.
 */

static int
learn_precise_wants(const learn_precise_t *ctx, uint32_t shape)
{
    int              wants;
    size_t           i;
    uint32_t         k;
    const uint32_t  *p;

    wants = 0;

    for (i = 0; i < ctx->ntold; i++) {

        if (ctx->covers[i].shape == shape) {
            return 0;
        }

        if (wants
            || !learn_precise_covers(ctx->map, ctx->covers[i].shape, shape))
        {
            continue;
        }

        p = ctx->map->words + ctx->covers[i].place;

        for (k = 0; k < learn_map_names(p) && !wants; k++) {
            wants = learn_precise_loses(ctx, p, p[LEARN_MAP_HEAD + k], shape);
        }
    }

    return wants;
}


/* true if the pattern lets a name or a value go that the path keeps */

static int
learn_precise_loses(const learn_precise_t *ctx, const uint32_t *p,
    uint32_t word, uint32_t shape)
{
    size_t             i, last;
    uint32_t           name;
    learn_map_param_t  param, before;

    name = word & LEARN_PRECISE_NAME;
    param.verdict = (uint8_t) (word >> LEARN_MAP_VERDICT);
    param.value = learn_precise_default(p, name);
    before = param;

    for (i = learn_precise_find(ctx, shape, name, &last); i < last; i++) {
        learn_precise_add(&param, ctx->kept[i].verdict, ctx->kept[i].value);
    }

    return param.verdict != before.verdict || param.value != before.value;
}


/* true if one is less precise than two, and all paths of two are of one */

static int
learn_precise_covers(const learn_map_t *map, uint32_t one, uint32_t two)
{
    if (one == two || two == 0) {
        return 0;
    }

    return one == 0
           || miqps_map_shape_match(&map->shapes.words[one - 1]->text,
                                    &map->shapes.words[two - 1]->text);
}


/* the pattern at hand: what those say that cover it, and what the path keeps */

static void
learn_precise_make(const learn_precise_t *ctx, uint32_t shape)
{
    size_t              i, k, last;
    learn_map_t        *map;
    learn_map_param_t  *param;

    map = ctx->map;
    map->shape = shape;
    map->nparams = 0;

    for (i = 0; i < ctx->ncovers; i++) {
        if (learn_precise_covers(map, ctx->covers[i].shape, shape)) {
            learn_precise_copy(map, map->words + ctx->covers[i].place);
        }
    }

    for (k = 0; k < map->nparams; k++) {
        param = &map->params[k];

        for (i = learn_precise_find(ctx, shape, param->name, &last); i < last;
             i++)
        {
            learn_precise_add(param, ctx->kept[i].verdict,
                              ctx->kept[i].value);
        }
    }
}


/* what a pattern says, beside what others have said */

static void
learn_precise_copy(learn_map_t *map, const uint32_t *p)
{
    uint32_t            k, word, value;
    learn_map_param_t  *param;

    for (k = 0; k < learn_map_names(p); k++) {
        word = p[LEARN_MAP_HEAD + k];
        value = learn_precise_default(p, word & LEARN_PRECISE_NAME);
        param = &map->params[k];

        if (k == map->nparams) {
            map->nparams++;
            param->name = word & LEARN_PRECISE_NAME;
            param->verdict = (uint8_t) (word >> LEARN_MAP_VERDICT);
            param->value = value;

        } else {
            learn_precise_add(param, word >> LEARN_MAP_VERDICT, value);
        }
    }
}


/* what two say of a name: rather keep, then rather leave it to the client */

static void
learn_precise_add(learn_map_param_t *param, uint32_t verdict, uint32_t value)
{
    if (param->verdict == LEARN_MAP_KEEP && verdict == LEARN_MAP_KEEP) {
        param->value = (param->value == value) ? value : 0;

    } else if (verdict == LEARN_MAP_KEEP) {
        param->verdict = LEARN_MAP_KEEP;
        param->value = value;

    } else if (param->verdict == LEARN_MAP_STRIP) {
        param->verdict = (uint8_t) verdict;
    }
}


/* the number of its value + 1, or 0 */

static uint32_t
learn_precise_default(const uint32_t *p, uint32_t name)
{
    uint32_t  i, at;

    for (i = 0; i < learn_map_defaults(p); i++) {
        at = LEARN_MAP_HEAD + learn_map_names(p) + 2 * i;

        if (p[at] == name) {
            return p[at + 1] + 1;
        }
    }

    return 0;
}


/*
 * All names that a path keeps are kept on all paths, whatever was said of their
 * values
 */

static void
learn_precise_everywhere(learn_precise_t *ctx)
{
    size_t        at, to;
    uint32_t      i, k, n, ndefaults, name;
    uint32_t     *p;
    learn_map_t  *map;

    map = ctx->map;
    to = 0;

    for (at = 0; at < map->nwords; at += n) {
        p = map->words + at;
        n = learn_map_words(p);
        k = learn_map_names(p);
        ndefaults = 0;

        for (i = LEARN_MAP_HEAD; i < LEARN_MAP_HEAD + k; i++) {
            name = p[i] & LEARN_PRECISE_NAME;

            if (learn_precise_anywhere(ctx, name)) {
                p[i] = name | (uint32_t) LEARN_MAP_KEEP << LEARN_MAP_VERDICT;
            }
        }

        for (i = LEARN_MAP_HEAD + k; i < n; i += 2) {
            if (!learn_precise_anywhere(ctx, p[i])) {
                memmove(p + LEARN_MAP_HEAD + k + 2 * ndefaults++, p + i,
                        2 * sizeof(uint32_t));
            }
        }

        p[0] = k | ndefaults << 8;
        memmove(map->words + to, p, learn_map_words(p) * sizeof(uint32_t));
        to += learn_map_words(map->words + to);
    }

    map->nwords = to;
}


static int
learn_precise_anywhere(const learn_precise_t *ctx, uint32_t name)
{
    size_t  i;

    for (i = 0; i < ctx->nkept && ctx->kept[i].name != name; i++) {
        /* void */
    }

    return i < ctx->nkept;
}


/* --- all patterns, as they are now */


/* names are ordered by how many patterns have them */

static void
learn_precise_count(learn_precise_t *ctx)
{
    size_t        at;
    uint32_t      i, *p;
    learn_map_t  *map;

    map = ctx->map;

    for (at = ctx->nwords; at < map->nwords; at += learn_map_words(p)) {
        p = map->words + at;

        for (i = LEARN_MAP_HEAD; i < LEARN_MAP_HEAD + learn_map_names(p); i++)
        {
            map->names.words[p[i] & LEARN_PRECISE_NAME]->uses++;
        }
    }
}


static const char *
learn_precise_mark(learn_precise_t *ctx)
{
    size_t  i, k, first, last;

    ctx->nown = ctx->map->nown;

    if (!learn_precise_told(ctx)) {
        return learn_map_no_memory;
    }

    for (first = 0; first < ctx->nown; first = last) {
        last = learn_precise_last(ctx, first);

        for (i = first; i < last; i++) {

            for (k = first; k < last
                            && !learn_precise_covers(ctx->map,
                                                     ctx->sets[k].shape,
                                                     ctx->sets[i].shape); k++)
            {
                /* void */
            }

            if (k < last) {
                ctx->map->words[ctx->sets[i].place] |= LEARN_MAP_NESTED;
            }
        }
    }

    return NULL;
}
