
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "study.h"


static uint16_t  learn_judge_differs(const learn_study_t *study,
    const learn_visit_row_t *a, const learn_visit_row_t *b);
static uint16_t  learn_judge_picture(const learn_tested_t *pair);
static int  learn_judge_same(const learn_visit_row_t *a,
    const learn_visit_row_t *b, learn_id_e id);


/*
 * Where pictures differ, one more tells by whom that is: a page that was sent
 * for the URL without the parameter, and is shown where that has it.
 */

int
learn_judge_ready(learn_study_t *study, learn_tested_t *pair)
{
    if (study->settings->id != LEARN_ID_VISUAL
        || learn_visit_worth(pair->original) != LEARN_WORTH_PAGE
        || learn_visit_worth(pair->variant) != LEARN_WORTH_PAGE
        || learn_show_same(pair->original, pair->variant))
    {
        return 1;
    }

    if (pair->shown == NULL) {
        pair->shown = learn_visit_shown(study, &pair->variant->row.url,
                                        &pair->original->now, 0, 0);

        if (pair->shown == NULL) {
            study->rc = LEARN_EXIT_FAILED;
            return 0;
        }

        learn_visit_want(study, pair->shown);
    }

    return pair->shown->state == LEARN_VISIT_DONE;
}


/*
 * An original has to be a page.  Without the parameter there may be none: that
 * is a difference like any other, and not for lack of luck, since failures and
 * limits were tried again.
 */

void
learn_judge_pair(const learn_study_t *study, learn_tested_t *pair)
{
    uint16_t                  differs;
    learn_worth_e             variant;
    const learn_visit_row_t  *a, *b;

    a = &pair->original->row;
    b = &pair->variant->row;

    pair->row.original = a->hash;
    pair->row.variant = b->hash;
    pair->row.differs = LEARN_DIFFERS_NOTHING;

    variant = learn_visit_worth(pair->variant);

    if (learn_visit_worth(pair->original) != LEARN_WORTH_PAGE
        || variant == LEARN_WORTH_NOTHING)
    {
        return;
    }

    /* a page that has not what it is compared by says nothing */

    if (a->ids[study->settings->id] == 0
        || (variant == LEARN_WORTH_PAGE && b->ids[study->settings->id] == 0))
    {
        return;
    }

    differs = learn_judge_differs(study, a, b);

    if (study->settings->id == LEARN_ID_VISUAL
        && variant == LEARN_WORTH_PAGE)
    {
        differs |= learn_judge_picture(pair);

    } else if (variant == LEARN_WORTH_OTHER
               || !learn_judge_same(a, b, study->settings->id))
    {
        differs |= LEARN_DIFFERS_ID;
    }

    pair->row.differs = differs;
}


/* what the page's own script does is done wherever it is sent from */

static uint16_t
learn_judge_picture(const learn_tested_t *pair)
{
    if (learn_show_same(pair->original, pair->variant)) {
        return 0;
    }

    if (learn_visit_worth(pair->shown) == LEARN_WORTH_PAGE
        && learn_show_same(pair->original, pair->shown))
    {
        return LEARN_DIFFERS_PICTURE|LEARN_DIFFERS_CLIENT;
    }

    return LEARN_DIFFERS_PICTURE|LEARN_DIFFERS_ID;
}


learn_worth_e
learn_visit_worth(const learn_visit_t *visit)
{
    const learn_visit_row_t  *row;

    row = &visit->row;

    if (row->outcome != LEARN_VISIT_PAGE) {
        return LEARN_WORTH_NOTHING;
    }

    if (row->status != 200) {
        return (row->status >= 300 && row->status < 500)
               ? LEARN_WORTH_OTHER : LEARN_WORTH_NOTHING;
    }

    switch (row->page) {

    case LEARN_PAGE_GOOD:
        return LEARN_WORTH_PAGE;

    case LEARN_PAGE_CAPTCHA:
    case LEARN_PAGE_BROKEN:
    case LEARN_PAGE_HEAVY:
    case LEARN_PAGE_BLANK:
    case LEARN_PAGE_UNDRAWN:
        return LEARN_WORTH_NOTHING;

    default:
        return LEARN_WORTH_OTHER;
    }
}


/* for people; it decides nothing */

static uint16_t
learn_judge_differs(const learn_study_t *study, const learn_visit_row_t *a,
    const learn_visit_row_t *b)
{
    uint16_t  differs;

    (void) study;

    differs = 0;

    if (a->status != b->status) {
        differs |= LEARN_DIFFERS_STATUS;
    }

    if (!miqps_str_eq(&a->location, &b->location)) {
        differs |= LEARN_DIFFERS_LOCATION;
    }

    if ((a->page == LEARN_PAGE_OTHER) != (b->page == LEARN_PAGE_OTHER)) {
        differs |= LEARN_DIFFERS_TYPE;
    }

    if (!learn_judge_same(a, b, LEARN_ID_TITLE)) {
        differs |= LEARN_DIFFERS_TITLE;
    }

    if (!learn_judge_same(a, b, LEARN_ID_TEXT)) {
        differs |= LEARN_DIFFERS_TEXT;
    }

    if (!learn_judge_same(a, b, LEARN_ID_CANONICAL)) {
        differs |= LEARN_DIFFERS_CANONICAL;
    }

    return differs;
}


static int
learn_judge_same(const learn_visit_row_t *a, const learn_visit_row_t *b,
    learn_id_e id)
{
    learn_content_t  one, two;

    one.id[id] = a->ids[id];
    two.id[id] = b->ids[id];

    return learn_content_same(&one, &two, id);
}


/*
 * As the seed has it: at T percent or more the parameter matters; when there
 * are N pairs and it is more already, no more are looked at; with fewer than N
 * in the end nobody knows, and it matters, too.
 */

void
learn_judge_task(const learn_study_t *study, learn_task_t *task)
{
    double                   percent;
    const learn_tested_t    *pair;
    const learn_settings_t  *settings;

    settings = study->settings;

    if (task->seen < task->npairs) {
        pair = &task->pairs[task->seen++];

        if (!(pair->row.differs & LEARN_DIFFERS_NOTHING)) {
            task->tested++;
            task->differed += (pair->row.differs & LEARN_DIFFERS_ID) != 0;
            task->scripted += (pair->row.differs & LEARN_DIFFERS_CLIENT) != 0;
        }
    }

    percent = (task->tested > 0)
              ? 100.0 * (double) task->differed / (double) task->tested : 0;

    if (task->tested >= settings->tests && percent > settings->threshold) {
        task->verdict = LEARN_VERDICT_MATTERS;
        task->done = 1;
        return;
    }

    if (task->seen < task->npairs) {
        return;
    }

    task->done = 1;

    if (task->tested < settings->tests) {
        task->verdict = LEARN_VERDICT_UNKNOWN;
        return;
    }

    task->verdict = (percent >= settings->threshold)
                    ? LEARN_VERDICT_MATTERS
                    : (task->scripted > 0) ? LEARN_VERDICT_CLIENT
                                           : LEARN_VERDICT_NEUTRAL;
}
