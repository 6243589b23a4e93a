
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "truth_score.h"


static void  learn_truth_score_params(const learn_truth_t *truth,
    learn_truth_score_t *score);
static uint32_t  learn_truth_score_form(learn_truth_page_t *pages, size_t n,
    learn_truth_score_t *score);
static int  learn_truth_by_form(const void *one, const void *two);


int
learn_truth_score(learn_truth_t *truth, learn_truth_score_t *score)
{
    size_t    i, n;
    uint8_t  *serves;

    memset(score, 0, sizeof(learn_truth_score_t));

    serves = calloc(truth->nnames, 1);

    if (serves == NULL) {
        return 0;
    }

    learn_truth_score_params(truth, score);

    score->urls = truth->npages;
    score->pages = truth->nnames;
    score->lost = truth->nnames;

    qsort(truth->pages, truth->npages, sizeof(learn_truth_page_t),
          learn_truth_by_form);

    for (i = 0; i < truth->npages; i += n) {
        n = 1;

        while (i + n < truth->npages
               && strcmp(truth->pages[i].form, truth->pages[i + n].form) == 0)
        {
            n++;
        }

        serves[learn_truth_score_form(&truth->pages[i], n, score)] = 1;
    }

    for (i = 0; i < truth->nnames; i++) {
        score->lost -= serves[i];
    }

    free(serves);

    return 1;
}


static void
learn_truth_score_params(const learn_truth_t *truth,
    learn_truth_score_t *score)
{
    size_t                      i;
    learn_truth_cell_t         *cell;
    const learn_truth_param_t  *param;

    for (i = 0; i < truth->nparams; i++) {
        param = &truth->params[i];
        cell = &score->roles[param->role];

        if (param->urls == 0) {
            score->absent++;

        } else if (param->stripped > 0) {
            cell->stripped++;

        } else if (param->unknown) {
            cell->unknown++;

        } else {
            cell->kept++;
        }
    }
}


/* URLs of one form, by page; returns the one that serves it */

static uint32_t
learn_truth_score_form(learn_truth_page_t *pages, size_t n,
    learn_truth_score_t *score)
{
    size_t    i, same, most, all;
    uint32_t  serves;

    same = 0;
    most = 0;
    all = 0;
    serves = pages[0].page;

    for (i = 0; i < n; i += same) {
        same = 1;

        while (i + same < n && pages[i + same].page == pages[i].page) {
            same++;
        }

        all++;

        if (same > most) {
            most = same;
            serves = pages[i].page;
        }
    }

    for (i = 0; i < n; i++) {
        if (strcmp(pages[i].url, pages[i].form) == 0) {
            serves = pages[i].page;
        }
    }

    for (i = 0; i < n; i++) {
        pages[i].misled = (pages[i].page != serves);
        score->misled += pages[i].misled;
    }

    score->forms++;
    score->shares += all;
    score->wrong_merges += (all > 1);

    return serves;
}


double
learn_truth_compression(const learn_truth_score_t *score)
{
    return (double) (score->urls - score->forms) / (double) score->urls;
}


double
learn_truth_dup_reduction(const learn_truth_score_t *score)
{
    if (score->urls == score->pages) {
        return 0.0;
    }

    return (double) (score->urls - score->shares)
           / (double) (score->urls - score->pages);
}


static int
learn_truth_by_form(const void *one, const void *two)
{
    int                        rc;
    const learn_truth_page_t  *a = one, *b = two;

    rc = strcmp(a->form, b->form);

    if (rc != 0) {
        return rc;
    }

    return (a->page > b->page) - (a->page < b->page);
}
