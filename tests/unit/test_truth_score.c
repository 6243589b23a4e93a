
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "truth/truth_score.h"


#define SCORE_URLS  8


/* shares, and what Wilson's interval is for them, in hundredths of a percent */

typedef struct {
    const char     *sentence;
    uint64_t        k;
    uint64_t        n;
    unsigned        low;
    unsigned        high;
} interval_row_t;


static const interval_row_t  interval_rows[] = {
    { "knows nothing of nothing", 0, 0, 0, 10000 },
    { "is never sure of all", 2, 2, 3424, 10000 },
    { "is never sure of none", 0, 2, 0, 6576 },
    { "takes none of a hundred for few", 0, 100, 0, 370 },
    { "takes all of a hundred for most", 100, 100, 9630, 10000 },
    { "is wide for a half of ten", 5, 10, 2366, 7634 },
    { "is narrow for a half of many", 5000, 10000, 4902, 5098 },
    { "leans to the middle", 1, 10, 179, 4042 }
};


static void
intervals_hold(void **state)
{
    learn_interval_t       share;
    const interval_row_t  *row;

    row = *state;
    share = learn_interval(row->k, row->n, LEARN_NORMAL_95);

    assert_int_equal((unsigned) (share.low * 10000 + 0.5), row->low);
    assert_int_equal((unsigned) (share.high * 10000 + 0.5), row->high);
    assert_true(share.low <= share.share && share.share <= share.high);
}


/* URLs "a", "b", ... with their pages and forms, one letter for each */

typedef struct {
    const char     *sentence;
    const char     *pages;
    const char     *forms;
    uint64_t        merges;
    uint64_t        misled;
    uint64_t        lost;
} score_row_t;


static const score_row_t  score_rows[] = {
    { "finds nothing wrong in what is as it was", "ABC", "abc", 0, 0, 0 },
    { "finds nothing wrong in what is right", "AAB", "xxy", 0, 0, 0 },
    { "lets the most URLs say what a form is", "AAB", "xxx", 1, 1, 1 },
    { "lets the URL that it is say what a form is", "BAA", "aaa", 1, 2, 1 },
    { "loses no page that is served elsewhere", "AABB", "xxxy", 1, 1, 0 },
    { "counts each form of several pages", "ABAB", "xxyy", 2, 2, 1 },
    { "takes a form that is the URL of a third page", "ABC", "ccc", 1, 2, 2 }
};


static void
scores_hold(void **state)
{
    char                  text[2 * SCORE_URLS][2];
    size_t                i, n;
    learn_truth_t         truth;
    learn_truth_page_t    pages[SCORE_URLS];
    learn_truth_score_t   score;
    const score_row_t    *row;

    row = *state;
    n = strlen(row->pages);

    memset(&truth, 0, sizeof(learn_truth_t));
    memset(pages, 0, sizeof(pages));
    memset(text, 0, sizeof(text));

    for (i = 0; i < n; i++) {
        text[i][0] = (char) ('a' + i);
        text[SCORE_URLS + i][0] = row->forms[i];
        pages[i].url = text[i];
        pages[i].form = text[SCORE_URLS + i];
        pages[i].page = (uint32_t) (row->pages[i] - 'A');

        if (pages[i].page >= truth.nnames) {
            truth.nnames = pages[i].page + 1;
        }
    }

    truth.pages = pages;
    truth.npages = n;

    assert_true(learn_truth_score(&truth, &score));
    assert_int_equal(score.urls, n);
    assert_int_equal(score.wrong_merges, row->merges);
    assert_int_equal(score.misled, row->misled);
    assert_int_equal(score.lost, row->lost);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, intervals_hold, interval_rows);
    unit_rows(&unit, scores_hold, score_rows);

    return unit_run(&unit, "truth_score");
}
