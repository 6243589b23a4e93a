
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "learn/study.h"


/*
 * Pairs that were looked at, in order: "=" for the same page, "!" for another,
 * "-" for nothing; and what is decided after how many of them, with N = 5 and
 * T = 20 percent.
 */

typedef struct {
    const char       *sentence;
    const char       *pairs;
    learn_verdict_e   verdict;
    size_t            seen;
} task_row_t;


#define NEUTRAL  LEARN_VERDICT_NEUTRAL
#define MATTERS  LEARN_VERDICT_MATTERS
#define UNKNOWN  LEARN_VERDICT_UNKNOWN


static const task_row_t  task_rows[] = {
    { "strips what never differs", "==========", NEUTRAL, 10 },
    { "keeps what always differs", "!!!!!!!!!!", MATTERS, 5 },
    { "stops when it is more than T of N", "!!===", MATTERS, 5 },
    { "keeps at T of N if there are no more", "!====", MATTERS, 5 },
    { "goes on when it is T of N", "!=====", NEUTRAL, 6 },
    { "goes on when it is T of N, and finds more", "!====!====", MATTERS, 6 },
    { "keeps at T in the end", "====!====!", MATTERS, 10 },
    { "stops as soon as it is more", "=========!!!=", MATTERS, 12 },
    { "strips below T", "==========!!", NEUTRAL, 12 },
    { "knows nothing from fewer than N", "====", UNKNOWN, 4 },
    { "knows nothing from fewer than N that differ", "!!!!", UNKNOWN, 4 },
    { "knows nothing from nothing", "", UNKNOWN, 0 },
    { "counts no pair that says nothing", "-=-=-=-=-=", NEUTRAL, 10 },
    { "waits for N that say something", "!-!-!-!-!-", MATTERS, 9 },
    { "knows nothing if too few say something", "-=-=-=-=--", UNKNOWN, 10 }
};


static void
task_is(void **state)
{
    size_t             i;
    learn_task_t       task;
    learn_study_t     *study;
    learn_tested_t     pairs[16];
    learn_settings_t   settings;
    const task_row_t  *row;

    row = *state;

    study = calloc(1, sizeof(learn_study_t));
    assert_non_null(study);
    learn_settings_init(&settings);
    settings.tests = 5;
    settings.threshold = 20;
    study->settings = &settings;

    memset(&task, 0, sizeof(learn_task_t));
    task.pairs = pairs;

    while (row->pairs[task.npairs] != '\0') {
        i = task.npairs++;
        pairs[i].row.differs = (row->pairs[i] == '!') ? LEARN_DIFFERS_ID
                               : (row->pairs[i] == '-') ? LEARN_DIFFERS_NOTHING
                               : LEARN_DIFFERS_TITLE;
    }

    do {
        learn_judge_task(study, &task);
    } while (!task.done);

    assert_int_equal(task.verdict, row->verdict);
    assert_int_equal(task.seen, row->seen);

    free(study);
}


/* two visits, and what the pair of them is worth */

typedef struct {
    const char       *sentence;
    unsigned          outcome;           /* of the one without */
    unsigned          status;
    unsigned          page;
    uint64_t          id;                /* 7 is that of the original */
    int               worth;             /* '=', '!' or '-' */
} pair_row_t;


static const pair_row_t  pair_rows[] = {
    { "takes equal pages for equal", LEARN_VISIT_PAGE, 200, LEARN_PAGE_GOOD, 7,
      '=' },
    { "tells others apart", LEARN_VISIT_PAGE, 200, LEARN_PAGE_GOOD, 8, '!' },
    { "takes a page that is not there for another", LEARN_VISIT_PAGE, 404,
      LEARN_PAGE_MISSING, 9, '!' },
    { "does so whatever it shows", LEARN_VISIT_PAGE, 404, LEARN_PAGE_GOOD, 7,
      '!' },
    { "does so if only the page says it", LEARN_VISIT_PAGE, 200,
      LEARN_PAGE_MISSING, 9, '!' },
    { "takes a redirect to elsewhere for another", LEARN_VISIT_PAGE, 302,
      LEARN_PAGE_EMPTY, 9, '!' },
    { "takes a page to log in for another", LEARN_VISIT_PAGE, 200,
      LEARN_PAGE_LOGIN, 9, '!' },
    { "takes what is no page for another", LEARN_VISIT_PAGE, 200,
      LEARN_PAGE_OTHER, 9, '!' },
    { "learns nothing from failures", LEARN_VISIT_FAILED, 0, LEARN_PAGE_GOOD,
      0, '-' },
    { "learns nothing from errors of a server", LEARN_VISIT_PAGE, 500,
      LEARN_PAGE_GOOD, 9, '-' },
    { "learns nothing from an error that is sent as a page", LEARN_VISIT_PAGE,
      200, LEARN_PAGE_BROKEN, 9, '-' },
    { "learns nothing from a page against robots", LEARN_VISIT_PAGE, 200,
      LEARN_PAGE_CAPTCHA, 9, '-' },
    { "learns nothing from a cache", LEARN_VISIT_CACHED, 200, LEARN_PAGE_GOOD,
      7, '-' },
    { "learns nothing from what is too large", LEARN_VISIT_LARGE, 200,
      LEARN_PAGE_GOOD, 7, '-' },
    { "learns nothing from what was not asked for", LEARN_VISIT_DENIED, 0,
      LEARN_PAGE_GOOD, 0, '-' },
    { "learns nothing from a page without the ID", LEARN_VISIT_PAGE, 200,
      LEARN_PAGE_GOOD, 0, '-' }
};


static void
pair_is(void **state)
{
    int                worth;
    learn_visit_t      original, variant;
    learn_study_t     *study;
    learn_tested_t     pair;
    learn_settings_t   settings;
    const pair_row_t  *row;

    row = *state;

    study = calloc(1, sizeof(learn_study_t));
    assert_non_null(study);
    learn_settings_init(&settings);
    study->settings = &settings;

    memset(&original, 0, sizeof(learn_visit_t));
    memset(&variant, 0, sizeof(learn_visit_t));

    original.row.status = 200;
    original.row.ids[settings.id] = 7;
    variant.row.outcome = row->outcome;
    variant.row.status = row->status;
    variant.row.page = row->page;
    variant.row.ids[settings.id] = row->id;

    pair.original = &original;
    pair.variant = &variant;
    learn_judge_pair(study, &pair);

    worth = (pair.row.differs & LEARN_DIFFERS_NOTHING) ? '-'
            : (pair.row.differs & LEARN_DIFFERS_ID) ? '!' : '=';
    assert_int_equal(worth, row->worth);

    /* an original that is no page says nothing, whatever is compared to it */

    original.row.status = 404;
    learn_judge_pair(study, &pair);
    assert_true(pair.row.differs & LEARN_DIFFERS_NOTHING);

    original.row.status = 200;
    original.row.page = LEARN_PAGE_MISSING;
    learn_judge_pair(study, &pair);
    assert_true(pair.row.differs & LEARN_DIFFERS_NOTHING);

    free(study);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, task_is, task_rows);
    unit_rows(&unit, pair_is, pair_rows);

    return unit_run(&unit, "judge");
}
