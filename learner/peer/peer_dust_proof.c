
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "peer_dust.h"
#include "tree/tree_tally.h"


/* a line that a rule changes, and where its string is */

typedef struct {
    uint32_t              rule;
    uint32_t              line;
    uint32_t              at;
} learn_dust_hit_t;


/* a line that is in a rule, and what it is after it */

typedef struct {
    uint32_t              line;
    uint64_t              hash;
} learn_dust_member_t;


typedef struct {
    learn_dust_t         *dust;
    const learn_line_t   *lines;
    size_t                n;
    learn_dust_hit_t     *hits;        /* by rule and line */
    size_t                nhits;
    size_t                max_hits;
    uint32_t             *seen;        /* of each rule, the last line; ... */
    uint32_t             *within;      /* of each line, the last rule */
    uint32_t             *known;       /* a table of lines, by their URLs */
    size_t                mask;
    learn_dust_member_t  *members;
    learn_tally_t         tally;
} learn_dust_trial_t;


static int  learn_dust_hits(learn_dust_trial_t *t);
static int  learn_dust_hit(learn_dust_trial_t *t, uint32_t line, size_t at);
static int  learn_dust_room(learn_dust_trial_t *t);
static void  learn_dust_judge(learn_dust_trial_t *t,
    const learn_dust_hit_t *hits, size_t n);
static uint64_t  learn_dust_result(const learn_dust_trial_t *t,
    const learn_dust_hit_t *hit);
static uint32_t  learn_dust_line(const learn_dust_trial_t *t, uint64_t hash);
static int  learn_dust_hit_by_rule(const void *one, const void *two);
static int  learn_dust_member_by_line(const void *one, const void *two);


int
learn_dust_proof(learn_dust_t *dust, const learn_line_t *lines, size_t n)
{
    int                 ok;
    size_t              first, last;
    learn_dust_trial_t  t;

    memset(&t, 0, sizeof(learn_dust_trial_t));

    t.dust = dust;
    t.lines = lines;
    t.n = n;

    ok = learn_dust_room(&t) && learn_dust_hits(&t);

    for (first = 0; ok && first < t.nhits; first = last) {
        for (last = first; last < t.nhits; last++) {
            if (t.hits[last].rule != t.hits[first].rule) {
                break;
            }
        }

        learn_dust_judge(&t, t.hits + first, last - first);
    }

    learn_tally_release(&t.tally);
    free(t.hits);
    free(t.seen);
    free(t.within);
    free(t.known);
    free(t.members);

    return ok;
}


static int
learn_dust_room(learn_dust_trial_t *t)
{
    size_t    i, size;
    uint32_t  n;

    for (size = 64; size < 2 * t->n; size *= 2) { /* void */ }

    t->mask = size - 1;
    t->known = malloc(size * sizeof(uint32_t));
    t->seen = calloc(t->dust->nrules + 1, sizeof(uint32_t));
    t->within = calloc(t->n + 1, sizeof(uint32_t));
    t->members = malloc((t->n + 1) * sizeof(learn_dust_member_t));

    if (t->known == NULL || t->seen == NULL || t->within == NULL
        || t->members == NULL || !learn_tally_init(&t->tally, t->n))
    {
        return 0;
    }

    memset(t->known, 0xff, size * sizeof(uint32_t));

    for (n = 0; n < t->n; n++) {
        i = XXH3_64bits(t->lines[n].url, t->lines[n].len) & t->mask;

        while (t->known[i] != UINT32_MAX) {
            i = (i + 1) & t->mask;
        }

        t->known[i] = n;
    }

    return 1;
}


static int
learn_dust_hits(learn_dust_trial_t *t)
{
    size_t    at;
    uint32_t  i;

    for (i = 0; i < t->n; i++) {
        for (at = 0; at < t->lines[i].len; at++) {
            if ((at == 0 || learn_dust_delimiter(t->lines[i].url[at]))
                && !learn_dust_hit(t, i, at))
            {
                return 0;
            }
        }
    }

    if (t->nhits > 0) {
        qsort(t->hits, t->nhits, sizeof(learn_dust_hit_t),
              learn_dust_hit_by_rule);
    }

    return 1;
}


/* rules whose strings begin here, each at its first place in the line only */

static int
learn_dust_hit(learn_dust_trial_t *t, uint32_t line, size_t at)
{
    size_t              gram, len, more;
    uint32_t            n;
    const uint8_t      *text;
    learn_dust_hit_t   *hit;
    learn_dust_rule_t  *rule;

    text = t->lines[line].url + at;
    len = t->lines[line].len - at;

    for (gram = 1; gram <= LEARN_DUST_GRAM; gram++) {
        for (n = learn_dust_look(t->dust, text, len, gram); n != UINT32_MAX;
             n = rule->next)
        {
            rule = &t->dust->rules[n];

            if (t->seen[n] == line + 1 || rule->from.len > len
                || memcmp(rule->from.data, text, rule->from.len) != 0)
            {
                continue;
            }

            t->seen[n] = line + 1;

            if (t->nhits == t->max_hits) {
                more = 2 * t->max_hits + 1024;
                hit = realloc(t->hits, more * sizeof(learn_dust_hit_t));

                if (hit == NULL) {
                    return 0;
                }

                t->hits = hit;
                t->max_hits = more;
            }

            hit = &t->hits[t->nhits++];

            hit->rule = n;
            hit->line = line;
            hit->at = (uint32_t) at;
        }
    }

    return 1;
}


/* the URLs that the rule changes, and those that are so already */

static void
learn_dust_judge(learn_dust_trial_t *t, const learn_dust_hit_t *hits, size_t n)
{
    size_t              i, m;
    uint32_t            line, mark;
    learn_pairs_t       pairs;
    learn_dust_rule_t  *rule;

    mark = hits[0].rule + 1;

    for (i = 0; i < n; i++) {
        t->within[hits[i].line] = mark;
        t->members[i].line = hits[i].line;
        t->members[i].hash = learn_dust_result(t, &hits[i]);
    }

    for (i = 0, m = n; i < n; i++) {
        line = learn_dust_line(t, t->members[i].hash);

        if (line != UINT32_MAX && t->within[line] != mark) {
            t->within[line] = mark;
            t->members[m].line = line;
            t->members[m++].hash = t->members[i].hash;
        }
    }

    qsort(t->members, m, sizeof(learn_dust_member_t),
          learn_dust_member_by_line);

    for (i = 0; i < m; i++) {
        t->tally.hashes[i] = t->members[i].hash;
        t->tally.clusters[i] = t->lines[t->members[i].line].cluster;
    }

    learn_tally_count(&t->tally, m, &pairs);

    rule = &t->dust->rules[hits[0].rule];
    rule->supports = pairs.supports;
    rule->wrong = pairs.wrong;
    rule->fpr = learn_pairs_rate(&pairs);
}


static uint64_t
learn_dust_result(const learn_dust_trial_t *t, const learn_dust_hit_t *hit)
{
    XXH3_state_t              state;
    const learn_line_t       *line;
    const learn_dust_rule_t  *rule;

    line = &t->lines[hit->line];
    rule = &t->dust->rules[hit->rule];

    (void) XXH3_64bits_reset(&state);
    (void) XXH3_64bits_update(&state, line->url, hit->at);
    (void) XXH3_64bits_update(&state, rule->to.data, rule->to.len);
    (void) XXH3_64bits_update(&state, line->url + hit->at + rule->from.len,
                              line->len - hit->at - rule->from.len);

    return XXH3_64bits_digest(&state);
}


/* the line that has just this URL, or UINT32_MAX */

static uint32_t
learn_dust_line(const learn_dust_trial_t *t, uint64_t hash)
{
    size_t               i;
    const learn_line_t  *line;

    for (i = hash & t->mask; t->known[i] != UINT32_MAX; i = (i + 1) & t->mask)
    {
        line = &t->lines[t->known[i]];

        if (XXH3_64bits(line->url, line->len) == hash) {
            break;
        }
    }

    return t->known[i];
}


static int
learn_dust_hit_by_rule(const void *one, const void *two)
{
    const learn_dust_hit_t  *a, *b;

    a = one;
    b = two;

    if (a->rule != b->rule) {
        return (a->rule > b->rule) ? 1 : -1;
    }

    return (a->line > b->line) - (a->line < b->line);
}


static int
learn_dust_member_by_line(const void *one, const void *two)
{
    const learn_dust_member_t  *a, *b;

    a = one;
    b = two;

    return (a->line > b->line) - (a->line < b->line);
}
