
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "learn.h"
#include "tab.h"


/* microseconds */

#define LEARN_PAINT_QUIET    UINT64_C(120000)     /* nothing comes any more */
#define LEARN_PAINT_LONG     UINT64_C(5000000)    /* of those that never rest */
#define LEARN_PAINT_STUCK    UINT64_C(15000000)
#define LEARN_PAINT_SOON     UINT64_C(5000)

#define LEARN_PAINT_TRIES    2
#define LEARN_PAINT_STARTS   3           /* of a browser, in vain */


struct learn_painter_s {
    const char        *command;
    const char        *program;
    learn_browser_t    browser;
    learn_wire_t       wire;
    learn_tab_t        tabs[LEARN_TABS];
    learn_paint_t     *queue;
    learn_paint_t    **queue_end;
    uint64_t           now;
    unsigned           starts;           /* since the last page was drawn */
    learn_shot_t       shot;
};


static int  learn_painter_start(learn_painter_t *painter);
static void  learn_painter_end(learn_painter_t *painter,
    const learn_tab_t *guilty);
static int  learn_painter_read(learn_painter_t *painter);
static int  learn_painter_message(learn_painter_t *painter, char *text,
    size_t len);
static void  learn_painter_picture(learn_painter_t *painter,
    learn_tab_t *tab, const char *data);
static learn_tab_t  *learn_painter_tabs(learn_painter_t *painter,
    uint64_t *wait);
static void  learn_painter_done(learn_painter_t *painter, learn_tab_t *tab,
    learn_paint_e outcome);
static learn_tab_t  *learn_painter_tab(learn_want_t *want);


learn_painter_t *
learn_painter_create(const char *command, const char *program)
{
    learn_painter_t  *painter;

    painter = calloc(1, sizeof(learn_painter_t));

    if (painter == NULL) {
        learn_complain("%s: out of memory", command);
        return NULL;
    }

    painter->command = command;
    painter->program = program;
    painter->queue_end = &painter->queue;
    painter->wire.pipe = &painter->browser.pipe;

    return painter;
}


void
learn_painter_free(learn_painter_t *painter)
{
    if (painter != NULL) {
        learn_browser_stop(&painter->browser);
        free(painter);
    }
}


void
learn_painter_add(learn_painter_t *painter, learn_paint_t *paint)
{
    paint->next = NULL;

    *painter->queue_end = paint;
    painter->queue_end = &paint->next;
}


int
learn_painter_fd(const learn_painter_t *painter)
{
    return (painter->browser.pid > 0) ? painter->browser.pipe.in : -1;
}


int
learn_painter_step(learn_painter_t *painter, uint64_t now, uint64_t *wait)
{
    learn_tab_t  *stuck;

    painter->now = now;

    if (painter->browser.pid == 0) {
        if (painter->queue == NULL) {
            return LEARN_EXIT_OK;
        }

        if (!learn_painter_start(painter)) {
            return LEARN_EXIT_FAILED;
        }
    }

    if (!learn_painter_read(painter)) {
        learn_painter_end(painter, NULL);
        *wait = 0;
        return LEARN_EXIT_OK;
    }

    stuck = learn_painter_tabs(painter, wait);

    if (stuck != NULL || painter->wire.failed
        || !learn_pipe_move(&painter->browser.pipe))
    {
        learn_painter_end(painter, stuck);
        *wait = 0;

    } else if (learn_pipe_full(&painter->browser.pipe)) {
        *wait = (*wait < 1000) ? *wait : 1000;
    }

    return LEARN_EXIT_OK;
}


static int
learn_painter_start(learn_painter_t *painter)
{
    unsigned  i;

    if (painter->starts++ >= LEARN_PAINT_STARTS) {
        learn_complain("%s: '%s' draws nothing: it was started %d times, and "
                       "ended or did not answer; try whether it runs with "
                       "--headless", painter->command, painter->program,
                       LEARN_PAINT_STARTS);
        return 0;
    }

    if (!learn_browser_start(&painter->browser, painter->command,
                             painter->program))
    {
        return 0;
    }

    painter->wire.failed = 0;

    for (i = 0; i < LEARN_TABS; i++) {
        painter->tabs[i].number = i;
        painter->tabs[i].state = LEARN_TAB_NONE;
        painter->tabs[i].quiet = painter->now;
    }

    return 1;
}


/* the one that is to blame had its try; the others begin again */

static void
learn_painter_end(learn_painter_t *painter, const learn_tab_t *guilty)
{
    size_t          i;
    learn_tab_t    *tab;
    learn_paint_t  *paint;

    learn_browser_stop(&painter->browser);

    for (i = 0; i < LEARN_TABS; i++) {
        tab = &painter->tabs[i];
        paint = tab->paint;

        tab->state = LEARN_TAB_NONE;
        tab->session[0] = '\0';
        tab->serial = (tab->serial + 1) & LEARN_TAB_SERIALS;

        if (paint == NULL) {
            continue;
        }

        if ((tab == guilty || guilty == NULL)
            && ++paint->tries >= LEARN_PAINT_TRIES)
        {
            learn_painter_done(painter, tab, LEARN_PAINT_FAILED);
            continue;
        }

        tab->paint = NULL;
        learn_painter_add(painter, paint);
    }
}


static int
learn_painter_read(learn_painter_t *painter)
{
    int      alive;
    char    *text;
    size_t   len;

    alive = learn_pipe_move(&painter->browser.pipe);

    for ( ;; ) {
        text = learn_pipe_next(&painter->browser.pipe, &len);

        if (text == NULL) {
            return alive;
        }

        if (!learn_painter_message(painter, text, len)) {
            return 0;
        }
    }
}


/* 0 if it cannot go on like this */

static int
learn_painter_message(learn_painter_t *painter, char *text, size_t len)
{
    cJSON             *message;
    const char        *data;
    learn_tab_t       *tab;
    learn_want_t      *want;
    learn_tab_news_e   news;

    message = cJSON_ParseWithLength(text, len);
    tab = learn_tab_of(painter->tabs, message);
    news = LEARN_TAB_ON;

    if (tab != NULL) {
        tab->quiet = painter->now;
        news = learn_tab_hear(tab, &painter->wire, message, &want, &data);
    }

    switch (news) {

    case LEARN_TAB_ASKS:
        if (want == NULL) {
            painter->wire.failed = 1;
            break;
        }

        tab->wants++;
        want->painter = painter;
        tab->paint->ask(tab->paint, want);
        break;

    case LEARN_TAB_PICTURE:
        learn_painter_picture(painter, tab, data);
        break;

    case LEARN_TAB_BROKEN:
        if (tab->paint == NULL) {
            cJSON_Delete(message);
            return 0;
        }

        learn_painter_done(painter, tab, LEARN_PAINT_FAILED);
        break;

    default:
        break;
    }

    cJSON_Delete(message);

    return !painter->wire.failed;
}


static void
learn_painter_picture(learn_painter_t *painter, learn_tab_t *tab,
    const char *data)
{
    size_t          i, n, len;
    uint8_t        *png;
    learn_paint_e   outcome;

    if (tab->state != LEARN_TAB_SHOT || tab->paint == NULL) {
        return;
    }

    outcome = LEARN_PAINT_FAILED;
    len = strlen(data);
    png = malloc(len + 1);

    if (png != NULL && learn_base64_read(data, len, png, &n)
        && learn_shot_read(&painter->shot, png, n))
    {
        for (i = 0; i < tab->nmissing; i++) {
            painter->shot.missing += tab->missing[i];
        }

        painter->starts = 0;
        outcome = learn_shot_blank(&painter->shot) ? LEARN_PAINT_BLANK
                                                   : LEARN_PAINT_DONE;
    }

    free(png);

    learn_painter_done(painter, tab, outcome);
}


/* those that can go on do; returns one that cannot */

static learn_tab_t *
learn_painter_tabs(learn_painter_t *painter, uint64_t *wait)
{
    size_t          i;
    uint64_t        still;
    learn_tab_t    *tab;
    learn_wire_t   *wire;

    wire = &painter->wire;

    for (i = 0; i < LEARN_TABS; i++) {
        tab = &painter->tabs[i];

        if (tab->state == LEARN_TAB_NONE && painter->queue != NULL) {
            tab->quiet = painter->now;
            learn_tab_open(tab, wire);
        }

        if (tab->state == LEARN_TAB_IDLE && painter->queue != NULL) {
            tab->paint = painter->queue;
            painter->queue = tab->paint->next;

            if (painter->queue == NULL) {
                painter->queue_end = &painter->queue;
            }

            tab->quiet = painter->now;
            tab->since = 0;
            learn_tab_show(tab, wire);
        }

        if (tab->state == LEARN_TAB_NONE || tab->state == LEARN_TAB_IDLE) {
            continue;
        }

        /* as long as it waits for us, it is not to blame */

        still = (tab->wants > 0) ? 0 : painter->now - tab->quiet;

        if (still > LEARN_PAINT_STUCK) {
            return tab;
        }

        if (tab->state != LEARN_TAB_LOADING || !tab->loaded) {
            continue;
        }

        if (tab->since == 0) {
            tab->since = painter->now;
        }

        if (still >= LEARN_PAINT_QUIET
            || painter->now - tab->since >= LEARN_PAINT_LONG)
        {
            learn_tab_shoot(tab, wire);

        } else if (*wait > LEARN_PAINT_SOON) {
            *wait = LEARN_PAINT_SOON;
        }
    }

    return NULL;
}


static void
learn_painter_done(learn_painter_t *painter, learn_tab_t *tab,
    learn_paint_e outcome)
{
    learn_paint_t  *paint;

    paint = tab->paint;

    if (tab->state == LEARN_TAB_LOADING || tab->state == LEARN_TAB_SHOT) {
        learn_tab_clear(tab, &painter->wire);
    }

    tab->paint = NULL;

    paint->outcome = outcome;
    paint->shot = &painter->shot;
    paint->done(paint);
}


void
learn_painter_drop(learn_painter_t *painter)
{
    size_t          i;
    learn_paint_t  *paint;

    for (i = 0; i < LEARN_TABS; i++) {
        if (painter->tabs[i].paint != NULL) {
            learn_painter_done(painter, &painter->tabs[i],
                               LEARN_PAINT_DROPPED);
        }
    }

    while (painter->queue != NULL) {
        paint = painter->queue;
        painter->queue = paint->next;

        paint->outcome = LEARN_PAINT_DROPPED;
        paint->done(paint);
    }

    painter->queue_end = &painter->queue;
}


void
learn_painter_refuse(learn_want_t *want, int missing)
{
    learn_tab_t  *tab;

    tab = learn_painter_tab(want);

    if (tab != NULL) {

        if (missing) {
            learn_tab_miss(tab, want->hash);
        }

        learn_tab_fail(tab, &want->painter->wire, want->id);
    }

    free(want);
}


void
learn_painter_answer(learn_want_t *want, unsigned status, const char *type,
    const uint8_t *body, size_t len)
{
    learn_tab_t  *tab;

    tab = learn_painter_tab(want);

    if (tab != NULL) {
        learn_tab_fulfil(tab, &want->painter->wire, want->id, status, type,
                         body, len);
    }

    free(want);
}


/* NULL if the page is gone */

static learn_tab_t *
learn_painter_tab(learn_want_t *want)
{
    learn_tab_t  *tab;

    tab = &want->painter->tabs[want->tab];

    if (tab->serial != want->serial || tab->paint == NULL) {
        return NULL;
    }

    tab->wants--;
    tab->quiet = want->painter->now;

    return tab;
}
