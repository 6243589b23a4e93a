
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

#include "eval_score.h"


static uint64_t  learn_scorer_clusters(learn_scorer_t *scorer, size_t n,
    size_t groups);
static uint32_t  learn_scorer_root(learn_scorer_t *scorer, uint32_t page);
static void  learn_scorer_operations(learn_scorer_t *scorer,
    const learn_line_t *lines, size_t n, size_t groups, learn_score_t *score);


double
learn_score_compression(const learn_score_t *score)
{
    if (score->urls == 0) {
        return 0;
    }

    return 1 - (double) score->norm_urls / (double) score->urls;
}


double
learn_score_reduction(const learn_score_t *score)
{
    double  before, after;

    if (score->urls == score->clusters) {
        return 0;
    }

    before = 1 - (double) score->clusters / (double) score->urls;
    after = 1 - (double) score->norm_clusters / (double) score->norm_urls;

    return 1 - after / before;
}


double
learn_score_fpr(const learn_score_t *score)
{
    if (score->supports == 0) {
        return 0;
    }

    return (double) score->wrong / (double) score->supports;
}


int
learn_scorer_init(learn_scorer_t *scorer, size_t max, size_t pages)
{
    memset(scorer, 0, sizeof(learn_scorer_t));

    scorer->max = max;
    scorer->first = malloc((max + 1) * sizeof(uint32_t));
    scorer->sizes = malloc((max + 1) * sizeof(uint32_t));
    scorer->joined = malloc((pages + 1) * sizeof(uint32_t));

    return scorer->first != NULL && scorer->sizes != NULL
           && scorer->joined != NULL && learn_tally_init(&scorer->tally, max);
}


void
learn_scorer_release(learn_scorer_t *scorer)
{
    free(scorer->first);
    free(scorer->sizes);
    free(scorer->joined);

    learn_tally_release(&scorer->tally);
}


int
learn_scorer_run(learn_scorer_t *scorer, learn_learner_t *learner,
    const learn_line_t *lines, size_t n, learn_score_t *score)
{
    double         start;
    size_t         i;
    miqps_str_t    result;
    learn_pairs_t  pairs;

    memset(score, 0, sizeof(learn_score_t));

    start = learn_cpu_seconds();

    for (i = 0; i < n; i++) {
        if (learn_learner_apply(learner, lines[i].url, lines[i].len, &result)
            < 0)
        {
            return 0;
        }

        scorer->tally.hashes[i] = XXH3_64bits(result.data, result.len);
        scorer->tally.clusters[i] = lines[i].page;
    }

    learner->seconds[LEARN_STAGE_APPLY] = learn_cpu_seconds() - start;

    learn_tally_count(&scorer->tally, n, &pairs);

    score->urls = n;
    score->clusters = (n > 0) ? lines[n - 1].page + (uint64_t) 1 : 0;
    score->norm_urls = pairs.groups;
    score->norm_clusters = learn_scorer_clusters(scorer, n, pairs.groups);
    score->supports = pairs.supports;
    score->wrong = pairs.wrong;
    score->raw = learner->raw;
    score->qualified = learner->qualified;
    score->deployed = learner->deployed;

    learn_scorer_operations(scorer, lines, n, pairs.groups, score);

    return 1;
}


/* pages that have a group in common are one */

static uint64_t
learn_scorer_clusters(learn_scorer_t *scorer, size_t n, size_t groups)
{
    size_t     i;
    uint32_t   a, b, pages;
    uint64_t   left;

    pages = (n > 0) ? scorer->tally.clusters[n - 1] + 1 : 0;
    left = pages;

    for (i = 0; i < pages; i++) {
        scorer->joined[i] = (uint32_t) i;
    }

    memset(scorer->first, 0xff, groups * sizeof(uint32_t));

    for (i = 0; i < n; i++) {
        a = scorer->first[scorer->tally.groups[i]];
        b = scorer->tally.clusters[i];

        if (a == LEARN_NONE) {
            scorer->first[scorer->tally.groups[i]] = b;
            continue;
        }

        a = learn_scorer_root(scorer, a);
        b = learn_scorer_root(scorer, b);

        if (a != b) {
            scorer->joined[b] = a;
            left--;
        }
    }

    return left;
}


static uint32_t
learn_scorer_root(learn_scorer_t *scorer, uint32_t page)
{
    while (scorer->joined[page] != page) {
        scorer->joined[page] = scorer->joined[scorer->joined[page]];
        page = scorer->joined[page];
    }

    return page;
}


/* the main form of a page is the one that most of its URLs have */

static void
learn_scorer_operations(learn_scorer_t *scorer, const learn_line_t *lines,
    size_t n, size_t groups, learn_score_t *score)
{
    size_t     i, first, last, op;
    uint32_t   group, main;

    memset(scorer->sizes, 0, groups * sizeof(uint32_t));

    for (first = 0; first < n; first = last) {
        main = scorer->tally.groups[first];

        for (last = first; last < n && lines[last].page == lines[first].page;
             last++)
        {
            group = scorer->tally.groups[last];
            scorer->sizes[group]++;

            if (scorer->sizes[group] > scorer->sizes[main]) {
                main = group;
            }
        }

        for (i = first; i < last; i++) {
            scorer->sizes[scorer->tally.groups[i]] = 0;

            for (op = 0; op < LEARN_MAX_OPERATIONS
                         && lines[i].operations >> op != 0; op++)
            {
                if (lines[i].operations >> op & 1) {
                    score->applied[op]++;
                    score->undone[op] += (scorer->tally.groups[i] == main);
                }
            }
        }
    }
}
