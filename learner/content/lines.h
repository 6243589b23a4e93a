
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_LINES_H_INCLUDED_
#define _LEARN_LINES_H_INCLUDED_


#include <gumbo.h>

#include "arena.h"
#include "miqps_core.h"


/*
 * A PAGE, LINE BY LINE
 *
 * What a reader sees of a page, in parts that can be compared one by one.  A
 * line is the text between two elements that begin or end a block, and knows
 * in which elements it stands; a picture or the value of a field is a line of
 * its own.  Words are kept as hashes.
 *
 *     <h1>Shoes</h1>                    h1          Shoes
 *     <ul class="more">
 *       <li>A <b>red</b> shoe</li>      ul.more/li  A red shoe
 *       <li><img src="/7.png"></li>     ul.more/li  src /7.png
 *     </ul>
 *
 * Of classes and IDs only those without digits tell where a line stands: the
 * others mostly tell what is in it.
 */

#define LEARN_LINES_MAX    8000
#define LEARN_WORDS_MAX    100000


typedef struct {
    uint32_t        where;         /* hash of the elements around it */
    uint32_t        what;          /* hash of the words */
    uint32_t        first;         /* of its words */
    uint32_t        n;
} learn_pageline_t;


typedef struct {
    learn_pageline_t   *lines;
    uint32_t       *words;
    uint32_t        nlines;
    uint32_t        nwords;
    unsigned        cut:1;         /* there is more than fits */
} learn_lines_t;


/*
 * Lines that are an attribute, and so not what is read, have the first bit.
 * What nobody sees, but what comes of the page by it, has both, and stands
 * behind all others: where links and forms lead, hidden fields, what the head
 * declares, and scripts, in pieces.
 */

#define LEARN_WHERE_ATTR   UINT32_C(0x80000000)
#define LEARN_WHERE_UNSEEN UINT32_C(0x40000000)

#define learn_line_unseen(line)  ((line)->where & LEARN_WHERE_UNSEEN)

/* and so has a link, unless to follow it is to do something */

#define LEARN_WHERE_LINK   UINT32_C(0x20000000)

#define LEARN_WHERE_BITS                                                     \
    (LEARN_WHERE_ATTR | LEARN_WHERE_UNSEEN | LEARN_WHERE_LINK)


/*
 * The lines of a document; all of it lives in the arena, with "title" as a
 * line, if it is not empty.  "host" is that of the page, whose name as a word
 * is the same on each, so that a page can be compared with that of a mirror.
 * 0 without memory.
 */
int learn_lines_read(learn_lines_t *lines, const GumboNode *root,
    const char *title, const miqps_str_t *host, learn_arena_t *arena);

/* the hash that a word has */

uint32_t learn_lines_word(const char *word, size_t len);

/* unseen.c: the words that a URL has in a link, "max" at most; how many */

size_t learn_unseen_words(const miqps_str_t *url, uint32_t *words, size_t max);


/*
 * As bytes, to be kept: room that it takes, and writing and reading it.  What
 * is read points nowhere into "data".  Reading fails, with 0, without memory
 * or if the bytes are not such.
 */
size_t learn_lines_size(const learn_lines_t *lines);
void learn_lines_write(const learn_lines_t *lines, uint8_t *out);
int learn_lines_load(learn_lines_t *lines, const uint8_t *data, size_t len,
    learn_arena_t *arena);


#endif /* _LEARN_LINES_H_INCLUDED_ */
