
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>

#include <xxhash.h>

#include "adapt.h"


/* names and sets of a kind while they are counted */

typedef struct {
    learn_adapt_t      *adapt;
    learn_kind_t       *kind;
    uint32_t           *where;           /* of each name: its trait */
    uint32_t           *sets;            /* by hash; UINT32_MAX is free */
    uint32_t            mask;
} learn_census_t;


static int  learn_traits_kind(learn_census_t *census);
static int  learn_traits_sort(learn_census_t *census);
static int  learn_traits_url(learn_census_t *census, uint32_t url);
static uint32_t  learn_traits_trait(learn_census_t *census, uint32_t name);
static int  learn_traits_values(learn_census_t *census);
static int  learn_traits_whole(learn_adapt_t *adapt, const learn_seen_t *seen,
    uint32_t piece, miqps_str_t *value);
static void  learn_traits_value(learn_trait_t *trait,
    const miqps_str_t *piece);
static void  learn_traits_rank(learn_census_t *census);
static int  learn_traits_by_order(const void *one, const void *two);
static int  learn_traits_by_urls(const void *one, const void *two);
static int  learn_traits_by_name(const learn_census_t *census, uint32_t a,
    uint32_t b);


/* URLs on their way into an order */

typedef struct {
    uint64_t            order;
    uint32_t            url;
} learn_ordered_t;


int
learn_adapt_traits(learn_adapt_t *adapt)
{
    int              ok;
    uint32_t         i;
    learn_census_t   census;

    census.adapt = adapt;
    census.mask = 1023;
    census.where = malloc((adapt->nnames + 1) * sizeof(uint32_t));
    census.sets = malloc((census.mask + 1) * sizeof(uint32_t));

    ok = (census.where != NULL && census.sets != NULL);

    for (i = 0; ok && i < adapt->nkinds; i++) {
        census.kind = &adapt->kinds[i];
        ok = learn_traits_kind(&census);
    }

    free(census.where);
    free(census.sets);

    return ok;
}


static int
learn_traits_kind(learn_census_t *census)
{
    uint32_t       i;
    learn_kind_t  *kind;

    kind = census->kind;

    memset(census->where, 0xff,
           (census->adapt->nnames + 1) * sizeof(uint32_t));
    memset(census->sets, 0xff, (census->mask + 1) * sizeof(uint32_t));

    kind->traits = calloc(LEARN_ADAPT_TRAITS, sizeof(learn_trait_t));
    kind->sets = learn_arena_alloc(census->adapt->arena,
                                   (census->mask + 1) / 2
                                   * sizeof(learn_nameset_t));

    if (kind->traits == NULL || kind->sets == NULL
        || !learn_traits_sort(census))
    {
        return 0;
    }

    for (i = 0; i < kind->urls; i++) {
        if (!learn_traits_url(census, kind->list[i])) {
            return 0;
        }
    }

    learn_traits_rank(census);

    return learn_traits_values(census);
}


static int
learn_traits_sort(learn_census_t *census)
{
    uint32_t          i;
    learn_kind_t     *kind;
    learn_ordered_t  *list;

    kind = census->kind;
    list = malloc(kind->urls * sizeof(learn_ordered_t));

    if (list == NULL) {
        return 0;
    }

    for (i = 0; i < kind->urls; i++) {
        list[i].url = kind->list[i];
        list[i].order = census->adapt->urls[kind->list[i]].order;
    }

    qsort(list, kind->urls, sizeof(learn_ordered_t), learn_traits_by_order);

    for (i = 0; i < kind->urls; i++) {
        kind->list[i] = list[i].url;
    }

    free(list);

    return 1;
}


static int
learn_traits_by_order(const void *one, const void *two)
{
    const learn_ordered_t  *a, *b;

    a = one;
    b = two;

    return (a->order > b->order) - (a->order < b->order);
}


/* the set of names that a URL has; one with too many has none */

static int
learn_traits_url(learn_census_t *census, uint32_t url)
{
    size_t            slot;
    uint32_t          i, k, n, t, names[LEARN_ADAPT_PIECES];
    learn_nameset_t  *set;
    learn_seen_t     *seen;
    learn_kind_t     *kind;

    kind = census->kind;
    seen = &census->adapt->urls[url];
    seen->set = UINT32_MAX;
    n = 0;

    for (i = 0; i < seen->npieces; i++) {
        t = learn_traits_trait(census, seen->pieces[i].name);

        if (t == UINT32_MAX) {
            return 1;
        }

        for (k = n; k > 0 && learn_traits_by_name(census, names[k - 1], t) > 0;
             k--)
        {
            names[k] = names[k - 1];
        }

        if (k > 0 && names[k - 1] == t) {

            for (/* void */ ; k < n; k++) {
                names[k] = names[k + 1];
            }

            continue;
        }

        names[k] = t;
        n++;
    }

    for (i = 0; i < n; i++) {
        kind->traits[names[i]].urls++;
    }

    for (slot = XXH32(names, n * sizeof(uint32_t), 0) & census->mask;
         census->sets[slot] != UINT32_MAX;
         slot = (slot + 1) & census->mask)
    {
        set = &kind->sets[census->sets[slot]];

        if (set->n == n
            && memcmp(set->traits, names, n * sizeof(uint32_t)) == 0)
        {
            set->urls++;
            seen->set = census->sets[slot];
            return 1;
        }
    }

    if (kind->nsets >= census->mask / 2) {
        return 1;
    }

    set = &kind->sets[kind->nsets];
    set->traits = learn_arena_alloc(census->adapt->arena,
                                    n * sizeof(uint32_t));

    if (set->traits == NULL) {
        return 0;
    }

    memcpy(set->traits, names, n * sizeof(uint32_t));

    set->n = n;
    set->urls = 1;
    set->first = url;

    seen->set = kind->nsets;
    census->sets[slot] = kind->nsets++;

    return 1;
}


static int
learn_traits_by_name(const learn_census_t *census, uint32_t a, uint32_t b)
{
    int                 rc;
    size_t              len;
    const miqps_str_t  *one, *two;

    one = &census->adapt->names[census->kind->traits[a].name].text;
    two = &census->adapt->names[census->kind->traits[b].name].text;
    len = (one->len < two->len) ? one->len : two->len;
    rc = (len > 0) ? memcmp(one->data, two->data, len) : 0;

    if (rc != 0) {
        return rc;
    }

    return (one->len > two->len) - (one->len < two->len);
}


static uint32_t
learn_traits_trait(learn_census_t *census, uint32_t name)
{
    learn_kind_t  *kind;

    kind = census->kind;

    if (census->where[name] == UINT32_MAX) {

        if (kind->ntraits == LEARN_ADAPT_TRAITS) {
            return UINT32_MAX;
        }

        census->where[name] = kind->ntraits;
        kind->traits[kind->ntraits].name = name;
        kind->traits[kind->ntraits].verdict = LEARN_VERDICT_UNKNOWN;
        kind->ntraits++;
    }

    return census->where[name];
}


/* sets with most URLs first */

static void
learn_traits_rank(learn_census_t *census)
{
    uint32_t       i;
    learn_kind_t  *kind;

    kind = census->kind;

    if (kind->nsets > 0) {
        qsort(kind->sets, kind->nsets, sizeof(learn_nameset_t),
              learn_traits_by_urls);
    }

    /* and what of them the URLs have */

    memset(census->sets, 0xff, (census->mask + 1) * sizeof(uint32_t));

    for (i = 0; i < kind->nsets; i++) {
        census->sets[census->adapt->urls[kind->sets[i].first].set] = i;
    }

    for (i = 0; i < kind->urls; i++) {
        if (census->adapt->urls[kind->list[i]].set != UINT32_MAX) {
            census->adapt->urls[kind->list[i]].set =
                census->sets[census->adapt->urls[kind->list[i]].set];
        }
    }
}


static int
learn_traits_by_urls(const void *one, const void *two)
{
    const learn_nameset_t  *a, *b;

    a = one;
    b = two;

    if (a->urls != b->urls) {
        return (a->urls < b->urls) ? 1 : -1;
    }

    return (a->first > b->first) - (a->first < b->first);
}


/* different values of each name, in the order of the URLs */

static int
learn_traits_values(learn_census_t *census)
{
    uint32_t        i, k;
    miqps_str_t     value;
    learn_kind_t   *kind;
    learn_seen_t   *seen;
    learn_trait_t  *trait;

    kind = census->kind;

    for (i = 0; i < kind->ntraits; i++) {
        trait = &kind->traits[i];
        trait->values = learn_arena_alloc(census->adapt->arena,
                                          LEARN_ADAPT_VALUES
                                          * sizeof(miqps_str_t));
        trait->counts = learn_arena_alloc(census->adapt->arena,
                                          LEARN_ADAPT_VALUES
                                          * sizeof(uint32_t));

        if (trait->values == NULL || trait->counts == NULL) {
            return 0;
        }
    }

    for (i = 0; i < kind->urls; i++) {
        seen = &census->adapt->urls[kind->list[i]];

        for (k = 0; seen->set != UINT32_MAX && k < seen->npieces; k++) {
            trait = &kind->traits[census->where[seen->pieces[k].name]];

            if (!learn_traits_whole(census->adapt, seen, k, &value)) {
                return 0;
            }

            if (value.len > 0) {
                learn_traits_value(trait, &value);
            }

            trait->place += (1000 * (k + 1)) / (seen->npieces + 1);
        }
    }

    return 1;
}


/*
 * A name that comes more than once has one value: all of them, "s[]=1&s[]=2".
 * It is that of the first; the others have none.  0 without memory.
 */

static int
learn_traits_whole(learn_adapt_t *adapt, const learn_seen_t *seen,
    uint32_t piece, miqps_str_t *value)
{
    size_t                len;
    uint8_t              *p;
    uint32_t              i, more;
    const learn_piece_t  *one;

    *value = (miqps_str_t) miqps_null_str;
    len = 0;
    more = 0;

    for (i = 0; i < seen->npieces; i++) {
        one = &seen->pieces[i];

        if (one->name == seen->pieces[piece].name) {

            if (i < piece) {
                return 1;
            }

            len += one->text.len + 1;
            more += (i > piece);
        }
    }

    if (more == 0) {
        *value = seen->pieces[piece].text;
        return 1;
    }

    p = learn_arena_alloc(adapt->arena, len);

    if (p == NULL) {
        return 0;
    }

    value->data = p;
    value->len = len - 1;

    for (i = piece; i < seen->npieces; i++) {
        one = &seen->pieces[i];

        if (one->name == seen->pieces[piece].name) {
            memcpy(p, one->text.data, one->text.len);
            p += one->text.len;
            *p++ = '&';
        }
    }

    return 1;
}


static void
learn_traits_value(learn_trait_t *trait, const miqps_str_t *piece)
{
    uint32_t  i;

    for (i = 0; i < trait->nvalues; i++) {
        if (miqps_str_eq(&trait->values[i], piece)) {
            trait->counts[i]++;
            return;
        }
    }

    trait->distinct++;

    if (trait->nvalues < LEARN_ADAPT_VALUES) {
        trait->values[trait->nvalues] = *piece;
        trait->counts[trait->nvalues++] = 1;
    }
}
