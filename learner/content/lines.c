
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include <xxhash.h>

#include "html.h"
#include "reading.h"


#define LEARN_LINES_ROOM   256     /* to begin with */
#define LEARN_LINES_HOST   "\001host"    /* for the name of the page's own */


static void  learn_lines_begin(learn_reading_t *reading,
    const GumboNode *node);
static void  learn_lines_end(learn_reading_t *reading, const GumboNode *node);
static int  learn_lines_inline(const GumboNode *node);
static uint32_t  learn_lines_names(uint32_t hash, const char *names);
static void  learn_lines_attrs(learn_reading_t *reading,
    const GumboNode *node);
static void  learn_lines_attr(learn_reading_t *reading, const GumboNode *node,
    const char *name);
static void  learn_lines_text(learn_reading_t *reading, const GumboNode *node);
static void  learn_lines_word_add(learn_reading_t *reading, const char *text,
    size_t len);
static void  learn_lines_word_end(learn_reading_t *reading);
static int  learn_lines_grow(learn_reading_t *reading, void **list,
    uint32_t *room, uint32_t n, uint32_t max, size_t size);
static uint32_t  learn_lines_here(const learn_reading_t *reading);


int
learn_lines_read(learn_lines_t *lines, const GumboNode *root,
    const char *title, const miqps_str_t *host, learn_arena_t *arena)
{
    learn_walk_t     walk;
    learn_reading_t  reading;

    memset(lines, 0, sizeof(learn_lines_t));
    memset(&reading, 0, sizeof(learn_reading_t));

    reading.arena = arena;
    reading.to = lines;
    reading.host = host;

    learn_lines_put(&reading, title, strlen(title));
    learn_lines_flush(&reading, 1);

    learn_walk_init(&walk, root);

    while (learn_walk_next(&walk) && !reading.failed) {

        switch (walk.node->type) {

        case GUMBO_NODE_ELEMENT:
        case GUMBO_NODE_TEMPLATE:
            if (walk.leave) {
                learn_lines_end(&reading, walk.node);

            } else if (learn_html_hidden(walk.node)) {

                /* what is skipped is not left, and must not be entered */

                learn_walk_skip(&walk);

            } else {
                learn_lines_begin(&reading, walk.node);
            }

            break;

        case GUMBO_NODE_TEXT:
        case GUMBO_NODE_CDATA:
        case GUMBO_NODE_WHITESPACE:
            learn_lines_text(&reading, walk.node);
            break;

        default:
            break;
        }
    }

    learn_lines_flush(&reading, learn_lines_here(&reading));
    learn_unseen_read(&reading, root);

    return !reading.failed;
}


static void
learn_lines_begin(learn_reading_t *reading, const GumboNode *node)
{
    if (!learn_lines_inline(node)) {
        learn_lines_flush(reading, learn_lines_here(reading));

        if (reading->deep < LEARN_LINES_DEEP) {
            reading->where[reading->deep] =
                learn_lines_where(learn_lines_here(reading), node);
        }

        reading->deep++;
    }

    learn_lines_attrs(reading, node);
}


static void
learn_lines_end(learn_reading_t *reading, const GumboNode *node)
{
    if (!learn_lines_inline(node)) {
        learn_lines_flush(reading, learn_lines_here(reading));
        reading->deep--;
    }
}


static uint32_t
learn_lines_here(const learn_reading_t *reading)
{
    if (reading->deep == 0) {
        return 0;
    }

    return (reading->deep <= LEARN_LINES_DEEP)
           ? reading->where[reading->deep - 1]
           : reading->where[LEARN_LINES_DEEP - 1];
}


/* elements within a line; what nobody knows is one, too, as browsers do it */

static int
learn_lines_inline(const GumboNode *node)
{
    switch (node->v.element.tag) {

    case GUMBO_TAG_A:
    case GUMBO_TAG_ABBR:
    case GUMBO_TAG_ACRONYM:
    case GUMBO_TAG_B:
    case GUMBO_TAG_BIG:
    case GUMBO_TAG_CITE:
    case GUMBO_TAG_CODE:
    case GUMBO_TAG_DATA:
    case GUMBO_TAG_DFN:
    case GUMBO_TAG_EM:
    case GUMBO_TAG_FONT:
    case GUMBO_TAG_I:
    case GUMBO_TAG_KBD:
    case GUMBO_TAG_LABEL:
    case GUMBO_TAG_MARK:
    case GUMBO_TAG_Q:
    case GUMBO_TAG_S:
    case GUMBO_TAG_SAMP:
    case GUMBO_TAG_SMALL:
    case GUMBO_TAG_SPAN:
    case GUMBO_TAG_STRIKE:
    case GUMBO_TAG_STRONG:
    case GUMBO_TAG_SUB:
    case GUMBO_TAG_SUP:
    case GUMBO_TAG_TIME:
    case GUMBO_TAG_TT:
    case GUMBO_TAG_U:
    case GUMBO_TAG_VAR:
    case GUMBO_TAG_WBR:
    case GUMBO_TAG_UNKNOWN:
        return 1;

    default:
        return 0;
    }
}


uint32_t
learn_lines_where(uint32_t around, const GumboNode *node)
{
    uint32_t     hash;
    const char  *names;

    hash = XXH32(&node->v.element.tag, sizeof(node->v.element.tag), around);

    names = learn_html_attr(node, "id");

    if (names != NULL) {
        hash = learn_lines_names(hash, names);
    }

    names = learn_html_attr(node, "class");

    if (names != NULL) {
        hash = learn_lines_names(hash + 1, names);
    }

    return hash & ~LEARN_WHERE_BITS;
}


static uint32_t
learn_lines_names(uint32_t hash, const char *names)
{
    size_t  len;

    for ( ;; ) {
        names += strspn(names, LEARN_LINES_SPACE);
        len = strcspn(names, LEARN_LINES_SPACE);

        if (len == 0) {
            return hash;
        }

        if (strcspn(names, "0123456789") >= len) {
            hash = XXH32(names, len, hash);
        }

        names += len;
    }
}


/* what is seen of an element beside the text in it */

static void
learn_lines_attrs(learn_reading_t *reading, const GumboNode *node)
{
    size_t  i, k;

    static const struct {
        GumboTag     tag;
        const char  *names[4];
    } seen[] = {
        { GUMBO_TAG_IMG,      { "src", "srcset", "alt", NULL } },
        { GUMBO_TAG_SOURCE,   { "src", "srcset", NULL } },
        { GUMBO_TAG_VIDEO,    { "src", "poster", NULL } },
        { GUMBO_TAG_AUDIO,    { "src", NULL } },
        { GUMBO_TAG_EMBED,    { "src", NULL } },
        { GUMBO_TAG_IFRAME,   { "src", NULL } },
        { GUMBO_TAG_OBJECT,   { "data", NULL } },
        { GUMBO_TAG_INPUT,    { "value", "placeholder", "checked", NULL } },
        { GUMBO_TAG_TEXTAREA, { "placeholder", NULL } },
        { GUMBO_TAG_OPTION,   { "selected", NULL } },
        { GUMBO_TAG_HTML,     { "lang", "dir", NULL } }
    };

    for (i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {

        if (seen[i].tag != node->v.element.tag) {
            continue;
        }

        for (k = 0; seen[i].names[k] != NULL; k++) {
            learn_lines_attr(reading, node, seen[i].names[k]);
        }
    }
}


/* in words, so that a number in the address of a picture is one */

static void
learn_lines_attr(learn_reading_t *reading, const GumboNode *node,
    const char *name)
{
    uint32_t     where;
    const char  *value;

    value = learn_html_attr(node, name);

    if (value == NULL) {
        return;
    }

    where = learn_lines_here(reading);
    learn_lines_flush(reading, where);
    learn_lines_put(reading, name, strlen(name));
    learn_lines_split(reading, value, LEARN_LINES_SPACE "?&=/;,");
    learn_lines_flush(reading, where | LEARN_WHERE_ATTR);
}


void
learn_lines_split(learn_reading_t *reading, const char *text,
    const char *between)
{
    size_t  len;

    for ( ;; ) {
        text += strspn(text, between);
        len = strcspn(text, between);

        if (len == 0) {
            return;
        }

        learn_lines_put(reading, text, len);
        text += len;
    }
}


static void
learn_lines_text(learn_reading_t *reading, const GumboNode *node)
{
    int          lines;
    size_t       len;
    const char  *text;

    text = node->v.text.text;

    lines = (node->parent != NULL
             && node->parent->type == GUMBO_NODE_ELEMENT
             && (node->parent->v.element.tag == GUMBO_TAG_PRE
                 || node->parent->v.element.tag == GUMBO_TAG_TEXTAREA));

    for ( ;; ) {
        len = strspn(text, LEARN_LINES_SPACE);

        if (lines && len > 0 && memchr(text, '\n', len) != NULL) {
            learn_lines_flush(reading, learn_lines_here(reading));
        }

        if (len > 0) {
            learn_lines_word_end(reading);
        }

        text += len;
        len = strcspn(text, LEARN_LINES_SPACE);

        if (len == 0) {
            return;
        }

        learn_lines_word_add(reading, text, len);
        text += len;
    }
}


/* a word goes on in the next element if there is no space between them */

static void
learn_lines_word_add(learn_reading_t *reading, const char *text, size_t len)
{
    size_t  room;

    while (len > 0) {
        room = LEARN_LINES_WORD - reading->nword;
        room = (len < room) ? len : room;

        memcpy(reading->word + reading->nword, text, room);
        reading->nword += room;
        text += room;
        len -= room;

        if (reading->nword == LEARN_LINES_WORD) {
            learn_lines_word_end(reading);
        }
    }
}


static void
learn_lines_word_end(learn_reading_t *reading)
{
    learn_lines_put(reading, reading->word, reading->nword);
    reading->nword = 0;
}


uint32_t
learn_lines_word(const char *word, size_t len)
{
    uint32_t  hash;

    hash = XXH32(word, len, 0);

    return hash + (hash == 0);
}


void
learn_lines_put(learn_reading_t *reading, const char *word, size_t len)
{
    if (len == 0
        || !learn_lines_grow(reading, (void **) &reading->to->words,
                             &reading->words_room, reading->to->nwords,
                             LEARN_WORDS_MAX, sizeof(uint32_t)))
    {
        return;
    }

    if (len == reading->host->len
        && strncasecmp(word, (const char *) reading->host->data, len) == 0)
    {
        word = LEARN_LINES_HOST;
        len = sizeof(LEARN_LINES_HOST) - 1;
    }

    reading->to->words[reading->to->nwords++] = learn_lines_word(word, len);
}


/* ends the line, if there is one */

void
learn_lines_flush(learn_reading_t *reading, uint32_t where)
{
    learn_pageline_t  *line;
    learn_lines_t     *to;

    learn_lines_word_end(reading);
    to = reading->to;

    if (to->nwords == reading->first
        || !learn_lines_grow(reading, (void **) &to->lines,
                             &reading->lines_room, to->nlines,
                             LEARN_LINES_MAX, sizeof(learn_pageline_t)))
    {
        reading->first = to->nwords;
        return;
    }

    line = &to->lines[to->nlines++];

    line->where = where;
    line->first = reading->first;
    line->n = to->nwords - reading->first;
    line->what = XXH32(to->words + line->first, line->n * sizeof(uint32_t),
                       where);

    reading->first = to->nwords;
}


/* room for one more; 0 if there must not be */

static int
learn_lines_grow(learn_reading_t *reading, void **list, uint32_t *room,
    uint32_t n, uint32_t max, size_t size)
{
    void      *longer;
    uint32_t   more;

    if (n < *room) {
        return 1;
    }

    if (n >= max) {
        reading->to->cut = 1;
        return 0;
    }

    more = (*room == 0) ? LEARN_LINES_ROOM : 2 * *room;
    longer = learn_arena_alloc(reading->arena, more * size);

    if (longer == NULL) {
        reading->failed = 1;
        return 0;
    }

    if (n > 0) {
        memcpy(longer, *list, n * size);
    }

    *list = longer;
    *room = more;

    return 1;
}


/*
 * Numbers of 32 bits in the order of this machine, as it is read where it was
 * written: how many lines there are, whether something was cut off, where each
 * line is and how many words it has, and the words.
 */

size_t
learn_lines_size(const learn_lines_t *lines)
{
    return (2 + 2 * (size_t) lines->nlines + lines->nwords)
           * sizeof(uint32_t);
}


void
learn_lines_write(const learn_lines_t *lines, uint8_t *out)
{
    size_t    i;
    uint32_t  pair[2];

    pair[0] = lines->nlines;
    pair[1] = lines->cut;
    memcpy(out, pair, sizeof(pair));
    out += sizeof(pair);

    for (i = 0; i < lines->nlines; i++) {
        pair[0] = lines->lines[i].where;
        pair[1] = lines->lines[i].n;
        memcpy(out, pair, sizeof(pair));
        out += sizeof(pair);
    }

    if (lines->nwords > 0) {
        memcpy(out, lines->words, lines->nwords * sizeof(uint32_t));
    }
}


int
learn_lines_load(learn_lines_t *lines, const uint8_t *data, size_t len,
    learn_arena_t *arena)
{
    size_t             i, nwords;
    uint32_t           pair[2];
    learn_pageline_t  *line;

    memset(lines, 0, sizeof(learn_lines_t));

    if (len < sizeof(pair)) {
        return 0;
    }

    memcpy(pair, data, sizeof(pair));
    data += sizeof(pair);
    len -= sizeof(pair);

    if (pair[0] > LEARN_LINES_MAX || len / sizeof(pair) < pair[0]) {
        return 0;
    }

    lines->nlines = pair[0];
    lines->cut = (pair[1] != 0);
    len -= lines->nlines * sizeof(pair);
    nwords = len / sizeof(uint32_t);

    lines->lines = learn_arena_alloc(arena, (lines->nlines + 1)
                                            * sizeof(learn_pageline_t));
    lines->words = learn_arena_alloc(arena, (nwords + 1) * sizeof(uint32_t));

    if (lines->lines == NULL || lines->words == NULL) {
        return 0;
    }

    memcpy(lines->words, data + lines->nlines * sizeof(pair),
           nwords * sizeof(uint32_t));

    for (i = 0; i < lines->nlines; i++) {
        memcpy(pair, data, sizeof(pair));
        data += sizeof(pair);

        line = &lines->lines[i];
        line->where = pair[0];
        line->first = lines->nwords;
        line->n = pair[1];

        if (line->n > nwords - lines->nwords) {
            return 0;
        }

        lines->nwords += line->n;
        line->what = XXH32(lines->words + line->first,
                           line->n * sizeof(uint32_t), line->where);
    }

    return lines->nwords == nwords;
}
