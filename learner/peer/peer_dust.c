
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "peer_dust.h"


/* substitutions in one URL */

#define LEARN_DUST_ROUNDS   16


/* two URLs of a cluster: what differs, and what is around it */

typedef struct {
    uint64_t              hash;        /* of both strings */
    uint64_t              envelope;
    miqps_str_t           from;
    miqps_str_t           to;
} learn_dust_pair_t;


typedef struct {
    learn_dust_t         *dust;
    const learn_line_t   *lines;
    size_t                n;
    learn_dust_pair_t    *pairs;
    size_t                npairs;
    size_t                max_pairs;
    const learn_line_t  **order;       /* of a cluster */
    size_t                max_order;
} learn_dusting_t;


static int  learn_dust_pairs(learn_dusting_t *d);
static int  learn_dust_cluster(learn_dusting_t *d, size_t first, size_t last);
static int  learn_dust_pair(learn_dusting_t *d, const learn_line_t *one,
    const learn_line_t *two);
static int  learn_dust_note(learn_dusting_t *d, const learn_dust_pair_t *pair);
static int  learn_dust_rules(learn_dusting_t *d);
static size_t  learn_dust_supported(learn_dusting_t *d);
static int  learn_dust_index(learn_dust_t *dust);
static size_t  learn_dust_place(const learn_dust_t *dust, const uint8_t *text,
    size_t len);
static const learn_dust_rule_t  *learn_dust_find(const learn_dust_t *dust,
    const miqps_str_t *url, size_t *at);
static int  learn_line_by_bytes(const void *one, const void *two);
static int  learn_line_by_end(const void *one, const void *two);
static int  learn_dust_pair_by_hash(const void *one, const void *two);
static int  learn_dust_rule_by_support(const void *one, const void *two);


int
learn_dust_learn(learn_dust_t *dust, const learn_line_t *lines, size_t n)
{
    int              ok;
    learn_dusting_t  d;

    memset(dust, 0, sizeof(learn_dust_t));
    memset(&d, 0, sizeof(learn_dusting_t));

    d.dust = dust;
    d.lines = lines;
    d.n = n;

    ok = learn_dust_pairs(&d) && learn_dust_rules(&d);

    free(d.pairs);
    free(d.order);

    return ok && learn_dust_index(dust) && learn_dust_proof(dust, lines, n);
}


void
learn_dust_release(learn_dust_t *dust)
{
    free(dust->rules);
    free(dust->table);
    free(dust->out[0]);
    free(dust->out[1]);
}


void
learn_dust_select(learn_dust_t *dust, double limit)
{
    size_t              i;
    learn_dust_rule_t  *rule;

    dust->qualified = 0;

    for (i = 0; i < dust->nrules; i++) {
        rule = &dust->rules[i];

        rule->deployed = (rule->supports > 0 && rule->fpr <= limit);
        dust->qualified += rule->deployed;
    }

    dust->deployed = dust->qualified;
}


static int
learn_dust_pairs(learn_dusting_t *d)
{
    size_t  first, last;

    for (first = 0; first < d->n; first = last) {
        for (last = first + 1; last < d->n; last++) {
            if (d->lines[last].cluster != d->lines[first].cluster) {
                break;
            }
        }

        if (last - first > 1 && !learn_dust_cluster(d, first, last)) {
            return 0;
        }
    }

    return 1;
}


static int
learn_dust_cluster(learn_dusting_t *d, size_t first, size_t last)
{
    int                   pass;
    size_t                i, n;
    const learn_line_t  **order;

    n = last - first;

    if (n > d->max_order) {
        order = realloc(d->order, 2 * n * sizeof(learn_line_t *));

        if (order == NULL) {
            return 0;
        }

        d->order = order;
        d->max_order = 2 * n;
    }

    for (i = 0; i < n; i++) {
        d->order[i] = &d->lines[first + i];
    }

    for (pass = 0; pass < 2; pass++) {
        qsort(d->order, n, sizeof(learn_line_t *),
              (pass == 0) ? learn_line_by_bytes : learn_line_by_end);

        for (i = 1; i < n; i++) {
            if (!learn_dust_pair(d, d->order[i - 1], d->order[i])) {
                return 0;
            }
        }
    }

    return 1;
}


static int
learn_dust_pair(learn_dusting_t *d, const learn_line_t *one,
    const learn_line_t *two)
{
    size_t             before, after, shorter;
    miqps_str_t        a, b;
    learn_dust_pair_t  pair;

    shorter = (one->len < two->len) ? one->len : two->len;

    for (before = 0; before < shorter; before++) {
        if (one->url[before] != two->url[before]) {
            break;
        }
    }

    for (after = 0; after < shorter - before; after++) {
        if (one->url[one->len - after - 1] != two->url[two->len - after - 1]) {
            break;
        }
    }

    /* up to a delimiter on both sides, and that too */

    before -= (before > 0);

    while (before > 0 && !learn_dust_delimiter(one->url[before])) {
        before--;
    }

    while (after > 0 && !learn_dust_delimiter(one->url[one->len - after])) {
        after--;
    }

    after -= (after > 0);

    a.data = one->url + before;
    a.len = one->len - before - after;
    b.data = two->url + before;
    b.len = two->len - before - after;

    if (a.len > LEARN_DUST_LENGTH || b.len > LEARN_DUST_LENGTH
        || miqps_str_eq(&a, &b))
    {
        return 1;
    }

    if (a.len > b.len || (a.len == b.len && memcmp(a.data, b.data, a.len) > 0))
    {
        pair.from = a;
        pair.to = b;

    } else {
        pair.from = b;
        pair.to = a;
    }

    pair.hash = XXH3_64bits_withSeed(pair.from.data, pair.from.len,
                                     XXH3_64bits(pair.to.data, pair.to.len));
    pair.envelope = XXH3_64bits_withSeed(one->url, before,
                        XXH3_64bits(one->url + one->len - after, after));

    return learn_dust_note(d, &pair);
}


static int
learn_dust_note(learn_dusting_t *d, const learn_dust_pair_t *pair)
{
    size_t              more;
    learn_dust_pair_t  *pairs;

    if (d->npairs == d->max_pairs) {
        more = 2 * d->max_pairs + 1024;
        pairs = realloc(d->pairs, more * sizeof(learn_dust_pair_t));

        if (pairs == NULL) {
            return 0;
        }

        d->pairs = pairs;
        d->max_pairs = more;
    }

    d->pairs[d->npairs++] = *pair;

    return 1;
}


static int
learn_dust_rules(learn_dusting_t *d)
{
    size_t  n;

    if (d->npairs > 0) {
        qsort(d->pairs, d->npairs, sizeof(learn_dust_pair_t),
              learn_dust_pair_by_hash);
    }

    n = learn_dust_supported(d);

    d->dust->rules = calloc(n + 1, sizeof(learn_dust_rule_t));

    if (d->dust->rules == NULL) {
        return 0;
    }

    d->dust->nrules = n;
    (void) learn_dust_supported(d);

    qsort(d->dust->rules, n, sizeof(learn_dust_rule_t),
          learn_dust_rule_by_support);

    if (n > LEARN_DUST_RULES) {
        d->dust->nrules = LEARN_DUST_RULES;
    }

    return 1;
}


/* counts rules with enough support, and fills them in if there is room */

static size_t
learn_dust_supported(learn_dusting_t *d)
{
    size_t              first, last, n;
    uint32_t            envelopes;
    learn_dust_rule_t  *rule;

    n = 0;

    for (first = 0; first < d->npairs; first = last) {
        envelopes = 1;

        for (last = first + 1; last < d->npairs
                               && d->pairs[last].hash == d->pairs[first].hash;
             last++)
        {
            envelopes += (d->pairs[last].envelope
                          != d->pairs[last - 1].envelope);
        }

        if (envelopes < LEARN_DUST_SUPPORT) {
            continue;
        }

        if (d->dust->rules != NULL) {
            rule = &d->dust->rules[n];
            rule->from = d->pairs[first].from;
            rule->to = d->pairs[first].to;
            rule->envelopes = envelopes;
        }

        n++;
    }

    return n;
}


static int
learn_dust_index(learn_dust_t *dust)
{
    size_t    i;
    uint32_t  n;

    for (i = 64; i < 2 * dust->nrules; i *= 2) { /* void */ }

    dust->mask = i - 1;
    dust->table = malloc(i * sizeof(uint32_t));

    if (dust->table == NULL) {
        return 0;
    }

    memset(dust->table, 0xff, i * sizeof(uint32_t));

    /* chains, with the most support first */

    for (n = (uint32_t) dust->nrules; n-- > 0; /* void */ ) {
        i = learn_dust_place(dust, dust->rules[n].from.data,
                             dust->rules[n].from.len);

        dust->rules[n].next = dust->table[i];
        dust->table[i] = n;
    }

    return 1;
}


static size_t
learn_dust_place(const learn_dust_t *dust, const uint8_t *text, size_t len)
{
    len = (len < LEARN_DUST_GRAM) ? len : LEARN_DUST_GRAM;

    return XXH3_64bits_withSeed(text, len, len) & dust->mask;
}


uint32_t
learn_dust_look(const learn_dust_t *dust, const uint8_t *text, size_t len,
    size_t gram)
{
    if (len < gram) {
        return UINT32_MAX;
    }

    return dust->table[learn_dust_place(dust, text, gram)];
}


int
learn_dust_apply(learn_dust_t *dust, uint8_t *url, size_t len,
    miqps_str_t *result)
{
    size_t                    at, rest;
    uint8_t                  *out;
    unsigned                  round;
    const learn_dust_rule_t  *rule;

    result->data = url;
    result->len = len;

    for (round = 0; round < LEARN_DUST_ROUNDS; round++) {
        rule = learn_dust_find(dust, result, &at);

        if (rule == NULL) {
            break;
        }

        if (dust->size[round & 1] < len) {
            out = realloc(dust->out[round & 1], 2 * len);

            if (out == NULL) {
                return -1;
            }

            dust->out[round & 1] = out;
            dust->size[round & 1] = 2 * len;
        }

        /* what comes out is never longer */

        out = dust->out[round & 1];
        rest = result->len - at - rule->from.len;

        memcpy(out, result->data, at);
        memcpy(out + at, rule->to.data, rule->to.len);
        memcpy(out + at + rule->to.len, result->data + at + rule->from.len,
               rest);

        result->data = out;
        result->len = at + rule->to.len + rest;
    }

    return round > 0;
}


/* the deployed rule with the most support, and the first place for it */

static const learn_dust_rule_t *
learn_dust_find(const learn_dust_t *dust, const miqps_str_t *url, size_t *at)
{
    size_t                    i, gram;
    uint32_t                  n, best;
    const learn_dust_rule_t  *rule;

    best = UINT32_MAX;

    for (i = 0; dust->deployed > 0 && i < url->len; i++) {
        if (i > 0 && !learn_dust_delimiter(url->data[i])) {
            continue;
        }

        for (gram = 1; gram <= LEARN_DUST_GRAM; gram++) {
            for (n = learn_dust_look(dust, url->data + i, url->len - i, gram);
                 n < best; n = rule->next)
            {
                rule = &dust->rules[n];

                if (rule->deployed && rule->from.len <= url->len - i
                    && memcmp(rule->from.data, url->data + i, rule->from.len)
                       == 0)
                {
                    best = n;
                    *at = i;
                    break;
                }
            }
        }
    }

    return (best != UINT32_MAX) ? &dust->rules[best] : NULL;
}


static int
learn_line_by_bytes(const void *one, const void *two)
{
    int                  diff;
    const learn_line_t  *a, *b;

    a = *(learn_line_t *const *) one;
    b = *(learn_line_t *const *) two;

    diff = memcmp(a->url, b->url, (a->len < b->len) ? a->len : b->len);

    return (diff != 0) ? diff : (a->len > b->len) - (a->len < b->len);
}


static int
learn_line_by_end(const void *one, const void *two)
{
    size_t               i;
    uint8_t              c, d;
    const learn_line_t  *a, *b;

    a = *(learn_line_t *const *) one;
    b = *(learn_line_t *const *) two;

    for (i = 1; i <= a->len && i <= b->len; i++) {
        c = a->url[a->len - i];
        d = b->url[b->len - i];

        if (c != d) {
            return (c > d) ? 1 : -1;
        }
    }

    return (a->len > b->len) - (a->len < b->len);
}


static int
learn_dust_pair_by_hash(const void *one, const void *two)
{
    const learn_dust_pair_t  *a, *b;

    a = one;
    b = two;

    if (a->hash != b->hash) {
        return (a->hash > b->hash) ? 1 : -1;
    }

    return (a->envelope > b->envelope) - (a->envelope < b->envelope);
}


/* the most support first; of equal ones, by their bytes */

static int
learn_dust_rule_by_support(const void *one, const void *two)
{
    int                       diff;
    size_t                    len;
    const learn_dust_rule_t  *a, *b;

    a = one;
    b = two;

    if (a->envelopes != b->envelopes) {
        return (a->envelopes > b->envelopes) ? -1 : 1;
    }

    if (a->from.len != b->from.len) {
        return (a->from.len > b->from.len) ? -1 : 1;
    }

    diff = memcmp(a->from.data, b->from.data, a->from.len);

    if (diff != 0) {
        return diff;
    }

    len = (a->to.len < b->to.len) ? a->to.len : b->to.len;
    diff = memcmp(a->to.data, b->to.data, len);

    return (diff != 0) ? diff : (a->to.len > b->to.len)
                                - (a->to.len < b->to.len);
}
