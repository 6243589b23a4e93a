
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "study.h"


/*
 * Pages on their way through the browser.  What they are made of is fetched as
 * they are: by this host's lane, through nginx, and only where that may be
 * asked for.  A part is fetched once, however many pages have it.
 *
 * A page that is shown at several URLs is such a part, too: what differs then
 * is not by chance of what was sent.
 */

#define LEARN_SHOW_PARTS  (64 * 1024 * 1024)     /* bytes that are kept */
#define LEARN_SHOW_TURN   0x10000                /* no page has so many */
#define LEARN_SHOW_PAGE   0x20000                /* ... and pages themselves */


typedef struct {
    learn_paint_t    paint;
    learn_study_t   *study;
    learn_visit_t   *visit;
    char             type[LEARN_FETCH_TEXT];
} learn_show_t;


static void  learn_show_from(learn_study_t *study, learn_visit_t *visit,
    const learn_visit_t *page);
static void  learn_show_ask(learn_paint_t *paint, learn_want_t *want);
static void  learn_show_done(learn_paint_t *paint);
static int  learn_show_picture(learn_study_t *study, learn_visit_t *visit,
    const learn_shot_t *shot);
static int  learn_show_keep(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch);


int
learn_show_wanted(const learn_study_t *study, const learn_visit_t *visit)
{
    return study->painter != NULL && !visit->probe && !visit->resource
           && (study->adapt == NULL || visit->as.len > 0);
}


int
learn_show(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch)
{
    uint8_t       *body;
    learn_show_t  *show;

    show = calloc(1, sizeof(learn_show_t) + fetch->body_len + 1);

    if (show == NULL) {
        return 0;
    }

    body = (uint8_t *) (show + 1);
    memcpy(body, fetch->body, fetch->body_len);
    memcpy(show->type, fetch->type, sizeof(show->type));

    show->study = study;
    show->visit = visit;
    show->paint.url = (visit->as.len > 0) ? visit->as : visit->now;
    show->paint.language = learn_fetcher_language(visit->row.viewer);
    show->paint.agent = learn_fetcher_agent(study->fetcher,
                                            visit->row.viewer);
    show->paint.body = body;
    show->paint.len = fetch->body_len;
    show->paint.type = show->type;
    show->paint.ask = learn_show_ask;
    show->paint.done = learn_show_done;
    show->paint.data = show;

    study->flying++;
    learn_painter_add(study->painter, &show->paint);

    return 1;
}


void
learn_show_elsewhere(learn_study_t *study, learn_visit_t *visit)
{
    learn_visit_t  *page;

    page = learn_visit_of(study, &visit->row.url, visit->row.viewer,
                          LEARN_SHOW_PAGE
                          + visit->row.turn % LEARN_VISIT_FRESH);

    if (page == NULL) {
        study->rc = LEARN_EXIT_FAILED;
        return;
    }

    page->resource = 1;
    visit->next = page->shown;
    page->shown = visit;

    if (page->state == LEARN_VISIT_DONE) {
        learn_show_part(study, page, NULL);
        return;
    }

    learn_visit_want(study, page);
}


/* as if it had come for this visit alone */

static void
learn_show_from(learn_study_t *study, learn_visit_t *visit,
    const learn_visit_t *page)
{
    learn_fetch_t  *fetch;

    if (page->body == NULL) {
        learn_visit_end(study, visit, LEARN_VISIT_FAILED);
        return;
    }

    fetch = calloc(1, sizeof(learn_fetch_t));

    if (fetch == NULL) {
        learn_complain("%s: out of memory", study->command);
        study->rc = LEARN_EXIT_FAILED;
        return;
    }

    fetch->status = page->row.status;
    fetch->body = page->body;
    fetch->body_len = page->body_len;
    fetch->length = -1;
    memcpy(fetch->type, page->type, strlen(page->type) + 1);

    learn_visit_page(study, visit, fetch);
    free(fetch);
}


/* of other hosts nothing is shown, and nothing missed */

static void
learn_show_ask(learn_paint_t *paint, learn_want_t *want)
{
    learn_show_t    *show;
    learn_study_t   *study;
    learn_visit_t   *part;
    learn_target_e   rc;
    learn_target_t   target;

    show = paint->data;
    study = show->study;

    rc = learn_target_check(&want->url, study->allowed, study->memo, &target);

    if (rc == LEARN_TARGET_FORM || rc == LEARN_TARGET_HOST) {
        learn_painter_refuse(want, 0);
        return;
    }

    if (rc != LEARN_TARGET_OK || !want->get) {
        learn_painter_refuse(want, 1);
        return;
    }

    part = learn_visit_of(study, &want->url, show->visit->row.viewer,
                          LEARN_SHOW_TURN);

    if (part == NULL) {
        learn_painter_refuse(want, 1);
        return;
    }

    part->resource = 1;
    want->next = part->wants;
    part->wants = want;

    if (part->state == LEARN_VISIT_DONE) {
        learn_show_part(study, part, NULL);
        return;
    }

    learn_visit_want(study, part);
}


void
learn_show_part(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch)
{
    learn_want_t   *want;
    learn_visit_t  *shown;

    visit->state = LEARN_VISIT_DONE;

    if (fetch != NULL && fetch->outcome == LEARN_FETCH_DONE
        && !learn_show_keep(study, visit, fetch))
    {
        learn_complain("%s: out of memory", study->command);
        study->rc = LEARN_EXIT_FAILED;
    }

    while (visit->wants != NULL) {
        want = visit->wants;
        visit->wants = want->next;

        if (visit->body == NULL) {
            learn_painter_refuse(want, 1);

        } else {
            learn_painter_answer(want, visit->row.status, visit->type,
                                 visit->body, visit->body_len);
        }
    }

    while (visit->shown != NULL) {
        shown = visit->shown;
        visit->shown = shown->next;
        learn_show_from(study, shown, visit);
    }

    /* what there is no room for is fetched again */

    if (visit->body != NULL && study->parts > LEARN_SHOW_PARTS) {
        study->parts -= visit->body_len;
        free(visit->body);
        visit->body = NULL;
        visit->state = LEARN_VISIT_NEW;
        visit->now = visit->row.url;
        visit->hops = 0;
    }
}


static int
learn_show_keep(learn_study_t *study, learn_visit_t *visit,
    const learn_fetch_t *fetch)
{
    size_t  len;

    len = strlen(fetch->type) + 1;

    visit->body = malloc(fetch->body_len + 1);
    visit->type = learn_arena_alloc(&study->arena, len);

    if (visit->body == NULL || visit->type == NULL) {
        return 0;
    }

    if (fetch->body_len > 0) {
        memcpy(visit->body, fetch->body, fetch->body_len);
    }

    memcpy(visit->type, fetch->type, len);

    visit->body_len = fetch->body_len;
    visit->row.status = fetch->status;
    study->parts += fetch->body_len;

    return 1;
}


static void
learn_show_done(learn_paint_t *paint)
{
    learn_show_t   *show;
    learn_study_t  *study;
    learn_visit_t  *visit;
    learn_visit_e   outcome;

    show = paint->data;
    study = show->study;
    visit = show->visit;
    outcome = LEARN_VISIT_PAGE;

    study->flying--;

    switch (paint->outcome) {

    case LEARN_PAINT_DONE:
        if (!learn_show_picture(study, visit, paint->shot)) {
            learn_complain("%s: out of memory", study->command);
            study->rc = LEARN_EXIT_FAILED;
        }
        break;

    case LEARN_PAINT_BLANK:
        visit->row.page = LEARN_PAGE_BLANK;
        break;

    case LEARN_PAINT_FAILED:
        visit->row.page = LEARN_PAGE_UNDRAWN;
        break;

    default: /* LEARN_PAINT_DROPPED */
        outcome = LEARN_VISIT_FAILED;
        break;
    }

    free(show);

    learn_visit_end(study, visit, outcome);
}


static int
learn_show_picture(learn_study_t *study, learn_visit_t *visit,
    const learn_shot_t *shot)
{
    size_t    len;
    uint8_t  *packed, *copy;

    packed = malloc(LEARN_SHOT_ROOM);

    if (packed == NULL) {
        return 0;
    }

    len = learn_shot_pack(shot, packed);
    copy = (len > 0) ? learn_arena_alloc(&study->arena, len) : NULL;

    if (copy != NULL) {
        memcpy(copy, packed, len);

        visit->picture.data = copy;
        visit->picture.len = len;
        visit->row.ids[LEARN_ID_VISUAL] = learn_shot_hash(shot);

        if (study->adapt == NULL) {
            visit->row.lines = visit->picture;
        }
    }

    free(packed);

    return copy != NULL;
}


/* what cannot be compared is taken to differ */

int
learn_show_same(const learn_visit_t *one, const learn_visit_t *two)
{
    learn_regions_t  regions;

    if (one->row.ids[LEARN_ID_VISUAL] == two->row.ids[LEARN_ID_VISUAL]) {
        return 1;
    }

    return learn_shot_compare(&one->picture, &two->picture, &regions)
           && learn_regions_count(&regions) == 0;
}


void
learn_show_release(learn_study_t *study)
{
    size_t          i;
    learn_want_t   *want;
    learn_visit_t  *visit;

    for (i = 0; i < study->max_visits; i++) {
        visit = study->visits[i];

        if (visit == NULL || !visit->resource) {
            continue;
        }

        while (visit->wants != NULL) {
            want = visit->wants;
            visit->wants = want->next;
            learn_painter_refuse(want, 0);
        }

        free(visit->body);
    }
}
