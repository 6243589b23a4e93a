
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "eval/eval_method.h"
#include "tree/tree_clusters.h"


/*
 * A file of clusters, whatever is in it.  Every method learns from it and is
 * applied to all of its URLs.  A result never has more bytes than the rules
 * can bring, and what a tree has made of a URL it does not change again.
 */

#define MAX_LEN  (16 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static void
apply(learn_learner_t *learner, const learn_line_t *line)
{
    int           rc;
    uint8_t      *url, *again;
    size_t        len;
    miqps_str_t   result;

    url = malloc(line->len + (size_t) 1);
    require(url != NULL);
    memcpy(url, line->url, line->len);

    rc = learn_learner_apply(learner, url, line->len, &result);
    require(rc == 0 || rc == 1);

    if (rc == 0) {
        require(result.data == url && result.len == line->len);

    } else if (learner->method == LEARN_METHOD_TREE_GRAPH
               || learner->method == LEARN_METHOD_TREE_NAIVE)
    {
        len = result.len;
        again = malloc(2 * len + 1);
        require(again != NULL);

        memcpy(again, result.data, len);
        memcpy(again + len, result.data, len);

        require(learn_learner_apply(learner, again, len, &result) >= 0);
        require(result.len == len
                && memcmp(result.data, again + len, len) == 0);

        free(again);
    }

    free(url);
}


static void
learn(const learn_clusters_t *clusters, const learn_set_t *set,
    learn_method_e method, double limit)
{
    size_t                i;
    learn_learner_t      *learner;
    learn_tree_options_t  options = learn_tree_options;

    learner = malloc(sizeof(learn_learner_t));
    require(learner != NULL);

    require(learn_learner_learn(learner, method, set, clusters->lines,
                                clusters->nlines, &options, 0));
    require(learn_learner_select(learner, limit));

    /* rules are made of steps, and several of the same ones */

    require(learner->deployed <= learner->raw
            || method == LEARN_METHOD_MIQPS);

    for (i = 0; i < clusters->nlines; i++) {
        apply(learner, &clusters->lines[i]);
    }

    learn_learner_release(learner);
    free(learner);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t             i;
    uint8_t           *text;
    learn_set_t       *set;
    learn_method_e     method;
    learn_clusters_t   clusters;

    if (size == 0 || size > MAX_LEN) {
        return 0;
    }

    text = malloc(size);
    set = malloc(sizeof(learn_set_t));
    require(text != NULL && set != NULL);
    memcpy(text, data, size);

    require(learn_clusters_parse(&clusters, text, size));

    learn_set_init(set, size);

    for (i = 0; i < clusters.nlines; i++) {
        require(learn_set_add(set, clusters.lines[i].url,
                              clusters.lines[i].len,
                              clusters.lines[i].cluster) >= 0);
    }

    require(learn_set_finish(set, 1));

    for (method = LEARN_METHOD_DUST; method < LEARN_METHODS; method++) {
        learn(&clusters, set, method, (size & 1) ? 0.05 : 0.5);
    }

    learn_set_release(set);
    learn_clusters_release(&clusters);
    free(set);

    return 0;
}
