
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include "anomaly_rules.h"
#include "anomaly_sample.h"
#include "learn.h"


/* what becomes of a value of a table */

typedef struct {
    uint64_t                     before;
    uint64_t                     after;
    learn_normalized_t           n;         /* after; it has no texts */
} learn_entry_t;


typedef enum {
    LEARN_TOLD_FAILED = 0,
    LEARN_TOLD_STILL,
    LEARN_TOLD_LOST
} learn_told_e;


static int  learn_anomaly_by_shape(const miqps_str_t *shape, void *data);
static int  learn_anomaly_by_rule(learn_sample_t *at);
static int  learn_anomaly_named(const learn_sample_t *at);
static int  learn_anomaly_param_lost(learn_sample_t *at, uint32_t param,
    int *lost);
static int  learn_anomaly_place(const learn_sample_t *at,
    const miqps_str_t *name, uint32_t *place);
static int  learn_anomaly_kept(learn_sample_t *at, const miqps_str_t *name,
    int *kept);
static learn_told_e  learn_anomaly_told(learn_sample_t *at, uint32_t other,
    uint32_t without);
static learn_told_e  learn_anomaly_blame(learn_anomaly_t *anomaly,
    const learn_normalized_t *n);
static learn_told_e  learn_anomaly_entries(learn_sample_t *at,
    uint32_t capture);
static int  learn_anomaly_entry(learn_sample_t *at, uint32_t capture,
    learn_entry_t *entry);
static int  learn_anomaly_by_after(const void *one, const void *two);
static int  learn_anomaly_both(learn_sample_t *at, learn_normalizer_t *norm,
    uint32_t other, uint32_t without, int *same, learn_normalized_t *n);
static int  learn_anomaly_writes(const learn_sample_t *at, uint32_t capture);
static int  learn_anomaly_in(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture);


int
learn_anomaly_by_rules(learn_anomaly_t *anomaly,
    const learn_view_pattern_t *pattern, uint8_t *lost, size_t *nlost)
{
    uint32_t         i;
    miqps_paths_t    rules;
    learn_sample_t   at;
    miqps_rewrite_t  rewrite;

    if (anomaly->serves == NULL
        || !miqps_paths_of(anomaly->new.image, anomaly->serves, &rules))
    {
        return 1;
    }

    learn_sample_init(&at, anomaly, &rules, &rewrite);
    at.pattern = pattern;
    at.lost = lost;
    at.nlost = nlost;

    for (i = 0; i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);

        /* parameters that the source does not name stay as they are */

        if (!learn_anomaly_named(&at)) {
            continue;
        }

        at.shape = NULL;

        if (!learn_anomaly_by_rule(&at)
            || !learn_shapes_each(&anomaly->shapes, &pattern->path,
                                  learn_anomaly_by_shape, &at))
        {
            return 0;
        }
    }

    return 1;
}


/* on paths that are of the rule, and of a shape */

static int
learn_anomaly_by_shape(const miqps_str_t *shape, void *data)
{
    int              ok;
    learn_sample_t  *at;

    at = data;
    at->shape = shape;
    ok = learn_anomaly_by_rule(at);
    at->shape = NULL;

    return ok;
}


static int
learn_anomaly_by_rule(learn_sample_t *at)
{
    int          found;
    uint32_t     k, place;
    miqps_str_t  name;

    for (k = 0; k < at->rewrite->from.nparams; k++) {
        name = miqps_paths_string(at->rules, at->rewrite->from.params[k]);

        if (!learn_anomaly_place(at, &name, &place) || at->lost[place]) {
            continue;
        }

        if (!learn_anomaly_param_lost(at, k, &found)) {
            return 0;
        }

        if (found) {
            at->lost[place] = 1;
            (*at->nlost)++;
        }
    }

    return 1;
}


int
learn_anomaly_of_rules(learn_anomaly_t *anomaly)
{
    uint32_t         i, k;
    miqps_paths_t    rules;
    learn_sample_t   at;
    miqps_rewrite_t  rewrite;

    if (anomaly->served == NULL || anomaly->serves == NULL
        || !miqps_paths_of(anomaly->old.image, anomaly->served, &rules))
    {
        return 1;
    }

    learn_sample_init(&at, anomaly, &rules, &rewrite);

    for (i = 0; i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);

        for (k = 0; k < rewrite.ncaptures; k++) {
            if (learn_anomaly_writes(&at, k)
                && learn_anomaly_told(&at, k, LEARN_SAMPLE_NONE)
                   == LEARN_TOLD_FAILED)
            {
                return 0;
            }
        }
    }

    return 1;
}


/* whether a name of the source is of the pattern */

static int
learn_anomaly_named(const learn_sample_t *at)
{
    uint32_t             i, place;
    miqps_str_t          name;
    const miqps_form_t  *from;

    from = &at->rewrite->from;

    for (i = 0; i < from->nparams; i++) {
        name = miqps_paths_string(at->rules, from->params[i]);

        if (learn_anomaly_place(at, &name, &place)) {
            return 1;
        }
    }

    return 0;
}


static int
learn_anomaly_place(const learn_sample_t *at, const miqps_str_t *name,
    uint32_t *place)
{
    uint32_t  i;

    for (i = 0; i < at->pattern->nparams; i++) {
        if (miqps_str_eq(&at->pattern->params[i].name, name)) {
            *place = i;
            return 1;
        }
    }

    return 0;
}


/* a parameter of the source: each of its captures, or that it is there */

static int
learn_anomaly_param_lost(learn_sample_t *at, uint32_t param, int *lost)
{
    int                  kept;
    uint32_t             i, first, n;
    miqps_str_t          name;
    learn_told_e         told;
    const miqps_form_t  *from;

    *lost = 0;
    from = &at->rewrite->from;
    name = miqps_paths_string(at->rules, from->params[param]);

    if (!learn_anomaly_kept(at, &name, &kept)) {
        return 0;
    }

    if (!kept) {
        return 1;
    }

    first = (from->host != NULL) ? learn_sample_captures(at->rules, from->host)
                                 : 0;

    for (i = 0; i < from->nsegments; i++) {
        first += learn_sample_captures(at->rules, from->segments[i]);
    }

    for (i = 0; i < param; i++) {
        first += learn_sample_captures(at->rules, from->params[i]
                                                  + MIQPS_PATHS_STRING);
    }

    n = learn_sample_captures(at->rules,
                              from->params[param] + MIQPS_PATHS_STRING);

    for (i = first; i < first + n; i++) {
        told = learn_anomaly_told(at, i, LEARN_SAMPLE_NONE);

        if (told == LEARN_TOLD_FAILED) {
            return 0;
        }

        *lost |= (told == LEARN_TOLD_LOST);
    }

    told = learn_anomaly_told(at, LEARN_SAMPLE_NONE, param);
    *lost |= (told == LEARN_TOLD_LOST);

    return told != LEARN_TOLD_FAILED;
}


/* whether the old map keeps it there, since it matters */

static int
learn_anomaly_kept(learn_sample_t *at, const miqps_str_t *name, int *kept)
{
    char                *text;
    size_t               i;
    miqps_str_t          url;
    learn_normalized_t   n;

    *kept = 0;
    text = learn_sample_url(at, LEARN_SAMPLE_NONE, LEARN_SAMPLE_NONE,
                            &url.len);

    if (text == NULL) {
        return 0;
    }

    url.data = (uint8_t *) text;

    if (learn_normalizer_url(&at->anomaly->before, &url, &n)
        != LEARN_EXIT_OK)
    {
        free(text);
        return 0;
    }

    for (i = 0; n.guard == MIQPS_GUARD_PASS && i < n.nparams; i++) {
        if (n.params[i].name_len == name->len
            && memcmp(n.params[i].name, name->data, name->len) == 0)
        {
            *kept |= (n.params[i].action == MIQPS_KEEP
                      && (n.params[i].why == MIQPS_WHY_MATTERS
                          || (n.entry.host == NULL
                              && learn_anomaly_always(at->anomaly, name))));
        }
    }

    free(text);

    return 1;
}


/* whether two URLs that the old map tells apart are one by a rule */

static learn_told_e
learn_anomaly_told(learn_sample_t *at, uint32_t other, uint32_t without)
{
    int                 same;
    learn_normalized_t  n;

    if (other != LEARN_SAMPLE_NONE
        && at->rewrite->kinds[other] == MIQPS_PIECE_TABLE)
    {
        return learn_anomaly_entries(at, other);
    }

    if (!learn_anomaly_both(at, &at->anomaly->before, other, without, &same,
                            &n))
    {
        return LEARN_TOLD_FAILED;
    }

    if (same) {
        return LEARN_TOLD_STILL;
    }

    if (!learn_anomaly_both(at, &at->anomaly->after, other, without, &same,
                            &n))
    {
        return LEARN_TOLD_FAILED;
    }

    return same ? learn_anomaly_blame(at->anomaly, &n) : LEARN_TOLD_STILL;
}


static learn_told_e
learn_anomaly_blame(learn_anomaly_t *anomaly, const learn_normalized_t *n)
{
    if (!n->moved || n->rule == MIQPS_PATHS_NONE) {
        return LEARN_TOLD_STILL;
    }

    anomaly->ndropped += !anomaly->dropped[n->rule];
    anomaly->dropped[n->rule] = 1;

    return LEARN_TOLD_LOST;
}


/*
 * The same of a capture that is a table's: of all of its values, those that
 * become the same must have done so before.
 */

static learn_told_e
learn_anomaly_entries(learn_sample_t *at, uint32_t capture)
{
    size_t           i, n;
    learn_told_e     told, worst;
    learn_entry_t   *list;
    const uint8_t   *p;

    p = miqps_paths_table(at->rules, at->rewrite->tables[capture]);
    n = miqps_get_u16(p);
    list = malloc(n * sizeof(learn_entry_t));
    worst = (list != NULL) ? LEARN_TOLD_STILL : LEARN_TOLD_FAILED;

    for (i = 0; i < n && worst != LEARN_TOLD_FAILED; i++) {
        at->entry = (uint32_t) i;

        if (!learn_anomaly_entry(at, capture, &list[i])) {
            worst = LEARN_TOLD_FAILED;
        }
    }

    at->entry = LEARN_SAMPLE_NONE;

    if (worst != LEARN_TOLD_FAILED) {
        qsort(list, n, sizeof(learn_entry_t), learn_anomaly_by_after);
    }

    for (i = 1; i < n && worst != LEARN_TOLD_FAILED; i++) {
        if (list[i].after == list[i - 1].after
            && list[i].before != list[i - 1].before)
        {
            told = learn_anomaly_blame(at->anomaly, list[i].n.moved
                                                    ? &list[i].n
                                                    : &list[i - 1].n);
            worst = (told == LEARN_TOLD_LOST) ? told : worst;
        }
    }

    free(list);

    return worst;
}


static int
learn_anomaly_entry(learn_sample_t *at, uint32_t capture, learn_entry_t *entry)
{
    int           ok;
    char         *text;
    miqps_str_t   url;

    text = learn_sample_url(at, capture, LEARN_SAMPLE_NONE, &url.len);

    if (text == NULL) {
        return 0;
    }

    url.data = (uint8_t *) text;
    ok = (learn_normalizer_url(&at->anomaly->before, &url, &entry->n)
          == LEARN_EXIT_OK);

    if (ok) {
        entry->before = XXH3_64bits(entry->n.result.data, entry->n.result.len);
        ok = (learn_normalizer_url(&at->anomaly->after, &url, &entry->n)
              == LEARN_EXIT_OK);
    }

    if (ok) {
        entry->after = XXH3_64bits(entry->n.result.data, entry->n.result.len);
    }

    free(text);

    return ok;
}


static int
learn_anomaly_by_after(const void *one, const void *two)
{
    const learn_entry_t  *a = one, *b = two;

    if (a->after != b->after) {
        return (a->after < b->after) ? -1 : 1;
    }

    return (a->before > b->before) - (a->before < b->before);
}


/* "*n" is of the URL that has everything, and has no texts */

static int
learn_anomaly_both(learn_sample_t *at, learn_normalizer_t *norm,
    uint32_t other, uint32_t without, int *same, learn_normalized_t *n)
{
    int                  ok;
    char                *one, *two, *made;
    size_t               len;
    miqps_str_t          url;
    learn_normalized_t   m;

    made = NULL;
    len = 0;
    *same = 0;

    one = learn_sample_url(at, LEARN_SAMPLE_NONE, LEARN_SAMPLE_NONE,
                           &url.len);
    two = NULL;
    ok = (one != NULL);

    if (ok) {
        url.data = (uint8_t *) one;
        ok = (learn_normalizer_url(norm, &url, n) == LEARN_EXIT_OK);
    }

    if (ok) {
        len = n->result.len;
        made = malloc(len + 1);
        two = learn_sample_url(at, other, without, &url.len);
        ok = (made != NULL && two != NULL);
    }

    if (ok) {
        memcpy(made, n->result.data, len);
        url.data = (uint8_t *) two;
        ok = (learn_normalizer_url(norm, &url, &m) == LEARN_EXIT_OK);
        *same = (ok && m.result.len == len
                 && memcmp(m.result.data, made, len) == 0);
    }

    free(one);
    free(two);
    free(made);

    return ok;
}


/* whether a capture of the source is part of the target */

static int
learn_anomaly_writes(const learn_sample_t *at, uint32_t capture)
{
    uint32_t             i;
    const miqps_form_t  *to;

    to = &at->rewrite->to;

    if (to->host != NULL && learn_anomaly_in(at->rules, to->host, capture)) {
        return 1;
    }

    for (i = 0; i < to->nsegments; i++) {
        if (learn_anomaly_in(at->rules, to->segments[i], capture)) {
            return 1;
        }
    }

    for (i = 0; i < to->nparams; i++) {
        if (learn_anomaly_in(at->rules, to->params[i] + MIQPS_PATHS_STRING,
                             capture))
        {
            return 1;
        }
    }

    return 0;
}


static int
learn_anomaly_in(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);

        if (piece.kind == MIQPS_PIECE_CAPTURE && piece.number == capture) {
            return 1;
        }
    }

    return 0;
}
