
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_TAB_H_INCLUDED_
#define _LEARN_TAB_H_INCLUDED_


#include <cjson/cJSON.h>

#include "browser.h"
#include "painter.h"


/*
 * A tab of the browser, as its DevTools protocol has it: a target in a context
 * of its own, which shares neither cookies nor anything else with others.
 *
 *     NONE -> CONTEXT -> TARGET -> SESSION -> IDLE <-> LOADING -> SHOT
 *
 * Commands have numbers, by which their answers are found: of the page that
 * they were for, of the tab, and what is to be done with the answer.
 */

#define LEARN_TABS          4
#define LEARN_TAB_SERIALS   0xfffff
#define LEARN_TAB_MISSING   64         /* kept of a page */
#define LEARN_TAB_MOVES     4          /* of a page to elsewhere, by itself */


typedef enum {
    LEARN_TAB_NONE = 0,
    LEARN_TAB_CONTEXT,
    LEARN_TAB_TARGET,
    LEARN_TAB_SESSION,
    LEARN_TAB_IDLE,
    LEARN_TAB_LOADING,
    LEARN_TAB_SHOT
} learn_tab_e;


typedef struct {
    unsigned            number;
    unsigned            serial;        /* of the page */
    learn_tab_e         state;
    char                context[64];
    char                target[64];    /* also the frame of the page itself */
    char                session[64];
    learn_paint_t      *paint;
    unsigned            moves;
    unsigned            loaded:1;
    unsigned            wants;         /* not answered yet */
    uint64_t            quiet;         /* since when it does nothing */
    uint64_t            since;         /* when it was loaded */
    uint64_t            missing[LEARN_TAB_MISSING];
    size_t              nmissing;
} learn_tab_t;


/* where messages go; "failed" is set when that is not possible */

typedef struct {
    learn_pipe_t       *pipe;
    int                 failed;
} learn_wire_t;


/* what a message leads to */

typedef enum {
    LEARN_TAB_ON = 0,              /* nothing */
    LEARN_TAB_ASKS,                /* "*want" is made, or NULL without memory */
    LEARN_TAB_PICTURE,             /* "*data" is a PNG, in base64 */
    LEARN_TAB_BROKEN
} learn_tab_news_e;


/* begins with a new tab */

void learn_tab_open(learn_tab_t *tab, learn_wire_t *wire);

/* begins with tab->paint */

void learn_tab_show(learn_tab_t *tab, learn_wire_t *wire);

void learn_tab_shoot(learn_tab_t *tab, learn_wire_t *wire);

/* forgets the page */

void learn_tab_clear(learn_tab_t *tab, learn_wire_t *wire);

/* the tab that a message is for; NULL if there is none */

learn_tab_t *learn_tab_of(learn_tab_t *tabs, const cJSON *message);

/* a message for the tab */

learn_tab_news_e learn_tab_hear(learn_tab_t *tab, learn_wire_t *wire,
    const cJSON *message, learn_want_t **want, const char **data);

/* what becomes of a request */

void learn_tab_fulfil(learn_tab_t *tab, learn_wire_t *wire, const char *id,
    unsigned status, const char *type, const uint8_t *body, size_t len);
void learn_tab_fail(learn_tab_t *tab, learn_wire_t *wire, const char *id);

/* something is missing from the page */

void learn_tab_miss(learn_tab_t *tab, uint64_t hash);


#endif /* _LEARN_TAB_H_INCLUDED_ */
