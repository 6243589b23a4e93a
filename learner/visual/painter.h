
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_PAINTER_H_INCLUDED_
#define _LEARN_PAINTER_H_INCLUDED_


#include "shot.h"


/*
 * PAGES, DRAWN BY A BROWSER
 *
 * One browser with a few tabs, each of which draws one page after the other.
 * What a page is made of it gets from us: every request that it makes is held
 * up, and answered with the page itself, with what its owner has fetched, or
 * not at all.  The browser talks to nobody else.
 *
 *     owner      learn_painter_add() ---->  painter  ---->  browser
 *                ask()               <----           <----  request of the page
 *                learn_painter_answer() ->           ---->  response
 *                done()              <----           <----  picture
 *
 * Clocks of pages stand still, what is random is the same each time, and
 * nothing moves, so that a page looks the same whenever it is drawn.
 *
 * A browser that dies, or that does not get any further, is ended and another
 * one started; pages that it was at are tried once more.
 */

typedef struct learn_painter_s  learn_painter_t;
typedef struct learn_paint_s    learn_paint_t;
typedef struct learn_want_s     learn_want_t;


typedef enum {
    LEARN_PAINT_DONE = 0,
    LEARN_PAINT_BLANK,             /* there is nothing to be seen */
    LEARN_PAINT_FAILED,            /* it cannot be drawn */
    LEARN_PAINT_DROPPED            /* nobody tried */
} learn_paint_e;


/* one page; the owner's, until done() is called */

struct learn_paint_s {
    learn_paint_t        *next;
    miqps_str_t           url;         /* where the page thinks that it is */
    const char           *language;    /* of the viewer */
    const char           *agent;
    const uint8_t        *body;
    size_t                len;
    const char           *type;        /* of the body, Content-Type */

    /* a page wants something, now or later */
    void                (*ask)(learn_paint_t *paint, learn_want_t *want);
    void                (*done)(learn_paint_t *paint);
    void                 *data;

    learn_paint_e         outcome;
    const learn_shot_t   *shot;        /* valid during done() */
    unsigned              tries;
};


/* something that a page asks for; its owner's, until it is answered */

struct learn_want_s {
    learn_want_t         *next;        /* for the owner */
    learn_painter_t      *painter;
    miqps_str_t           url;
    unsigned              get:1;       /* by GET */
    unsigned              tab;
    unsigned              serial;
    uint64_t              hash;        /* of all that is asked for */
    char                  id[64];
};


/* NULL without memory; "program" is kept, not copied */

learn_painter_t *learn_painter_create(const char *command,
    const char *program);

/* no want may be left */

void learn_painter_free(learn_painter_t *painter);

void learn_painter_add(learn_painter_t *painter, learn_paint_t *paint);

/* for want of a response: "missing" makes it a part of what the page is */

void learn_painter_refuse(learn_want_t *want, int missing);
void learn_painter_answer(learn_want_t *want, unsigned status,
    const char *type, const uint8_t *body, size_t len);

/*
 * Goes on.  "*wait" becomes how many microseconds that may take again, if it
 * is less.  An exit code, after a complaint.
 */
int learn_painter_step(learn_painter_t *painter, uint64_t now,
    uint64_t *wait);

/* ends all pages, undone */

void learn_painter_drop(learn_painter_t *painter);

/* a descriptor to be watched, or -1; and if it is also for writing */

int learn_painter_fd(const learn_painter_t *painter);


#endif /* _LEARN_PAINTER_H_INCLUDED_ */
