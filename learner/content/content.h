
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_CONTENT_H_INCLUDED_
#define _LEARN_CONTENT_H_INCLUDED_


#include "fetch/fetch.h"
#include "lines.h"


/*
 * WHAT A PAGE IS KNOWN BY
 *
 * A content ID is equal for pages that are equal, each kind of it in its own
 * way:
 *
 *     headers    ETag, or Last-Modified and length
 *     body       all bytes
 *     title      <title>
 *     dom        elements, attributes and text, as the HTML5 parser has them,
 *                without scripts, comments, and what is meant to differ
 *     text       what a reader sees: words, pictures, fields of forms
 *     near       the same, for texts of which nearly all is equal
 *     canonical  the URL that the page declares to be its own, unless it is the
 *                home page and this is another
 *     exec       what a command makes of it
 *     visual     what a browser draws, see visual/shot.h; of this the ID is
 *                only that of one picture, and pictures are compared
 *
 * All but the last are computed at once, from one parse, so that one fetch can
 * be compared in any way later.
 */

typedef enum {
    LEARN_ID_HEADERS = 0,
    LEARN_ID_BODY,
    LEARN_ID_TITLE,
    LEARN_ID_DOM,
    LEARN_ID_TEXT,
    LEARN_ID_NEAR,
    LEARN_ID_CANONICAL,
    LEARN_ID_EXEC,
    LEARN_ID_VISUAL,
    LEARN_ID_MAX
} learn_id_e;


/* pages that teach nothing, although they were sent as pages */

typedef enum {
    LEARN_PAGE_GOOD = 0,
    LEARN_PAGE_OTHER,              /* not HTML */
    LEARN_PAGE_EMPTY,
    LEARN_PAGE_MISSING,            /* "not found", with 200 */
    LEARN_PAGE_LOGIN,
    LEARN_PAGE_CAPTCHA,
    LEARN_PAGE_BROKEN,             /* "internal error", with 200 */
    LEARN_PAGE_HEAVY,              /* too much to read */
    LEARN_PAGE_BLANK,              /* nothing is to be seen */
    LEARN_PAGE_UNDRAWN,            /* a browser cannot draw it */
    LEARN_PAGE_MAX
} learn_page_e;


#define LEARN_CONTENT_TITLE   96   /* bytes that are kept of it */


typedef struct {
    uint64_t        id[LEARN_ID_MAX];            /* 0: it has none */
    learn_page_e    page;
    uint32_t        words;                       /* that a reader sees */
    char            title[LEARN_CONTENT_TITLE];
    char            canonical[LEARN_TARGET_MAX + 1];
    learn_lines_t   lines;                       /* if they are kept */
} learn_content_t;


/* memory that one parse after the other uses */

typedef struct {
    learn_arena_t   arena;
    const char     *command;                     /* of exec, or NULL */
    learn_arena_t  *lines;                       /* where they are kept, or
                                                    NULL for nowhere */
} learn_parser_t;


/* LEARN_ID_MAX if there is none of this name */

learn_id_e learn_id_find(const char *name);
const char *learn_id_name(learn_id_e id);

/* a clause for reports; never NULL */

const char *learn_page_text(learn_page_e page);


void learn_parser_init(learn_parser_t *parser);
void learn_parser_release(learn_parser_t *parser);

/*
 * Looks at the body and headers of a fetch.  "url" is that of the page, for
 * what is relative to it.  0 without memory.
 */
int learn_content_read(learn_content_t *content, learn_parser_t *parser,
    const learn_fetch_t *fetch, const miqps_str_t *url);

/* true if two pages are the same by this kind of ID; both must have one */

int learn_content_same(const learn_content_t *a, const learn_content_t *b,
    learn_id_e id);

/* the same for two IDs of the kind "near" */

int learn_content_near(uint64_t a, uint64_t b);


#endif /* _LEARN_CONTENT_H_INCLUDED_ */
