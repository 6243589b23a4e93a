
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_HTML_H_INCLUDED_
#define _LEARN_HTML_H_INCLUDED_


#include <gumbo.h>

#include "content.h"


/*
 * A document, node by node, in the order in which it was written.  There is no
 * recursion: documents can be nested as deeply as somebody likes.
 */

typedef struct {
    const GumboNode   *root;
    const GumboNode   *node;           /* where it is */
    unsigned           leave:1;        /* it was entered before, and ends */
} learn_walk_t;


void learn_walk_init(learn_walk_t *walk, const GumboNode *root);

/* the next node that begins or ends; 0 at the end */

int learn_walk_next(learn_walk_t *walk);

/* passes over what is inside of the element that has just begun */

void learn_walk_skip(learn_walk_t *walk);


/* the value of an attribute, or NULL */

const char *learn_html_attr(const GumboNode *node, const char *name);

/* true for an element that a reader does not see, with all that is in it */

int learn_html_hidden(const GumboNode *node);

/*
 * Parses it; NULL without memory, or if it would take too much or too long.
 * All of it lives in the arena.
 */
GumboOutput *learn_html_parse(learn_arena_t *arena, const char *data,
    size_t len);


/* --- what is made of it, by file */

/* html_dom.c */

uint64_t learn_html_dom(const GumboNode *root);

/*
 * html_text.c: the text that a reader sees, words with single spaces between
 * them, in the arena; NULL without memory.
 */
char *learn_html_text(const GumboNode *root, learn_arena_t *arena,
    size_t *len);

/* html_head.c: title, canonical, a word on what page it is */

void learn_html_head(learn_content_t *content, const GumboNode *root,
    const char *text, size_t len, const miqps_str_t *url);

/* simhash.c: texts with few different words differ in few bits */

uint64_t learn_simhash(const char *text, size_t len);

/*
 * exec.c: the hash of what the command prints for a page, given to it as its
 * standard input; 0 if it fails.
 */
uint64_t learn_exec(const char *command, const learn_fetch_t *fetch,
    const miqps_str_t *url);


#endif /* _LEARN_HTML_H_INCLUDED_ */
