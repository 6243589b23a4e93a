
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_REGEX_H_INCLUDED_
#define _IMPORT_REGEX_H_INCLUDED_


#include <stddef.h>

#include "import_mem.h"


/*
 * REGULAR EXPRESSIONS OF LISTS
 *
 * Lists are written for JavaScript.  Most of their regular expressions are
 * small: a literal, a choice between a few, a literal and a tail.  Such ones
 * become names and hosts, which cost nothing to look up; to tell, they are
 * taken apart here into atoms, each with its quantifier:
 *
 *     p[fd]_rd_[a-z]*      CHAR  CLASS  CHAR CHAR CHAR CHAR  CLASS{0,}
 *     (?:docs|mail)\.x     GROUP  CHAR  CHAR
 *
 * A text is given as its first byte and the byte after its last.
 */

typedef enum {
    LEARN_IMPORT_CHAR = 0,     /* one byte, in "byte" */
    LEARN_IMPORT_DOT,
    LEARN_IMPORT_CLASS,        /* [...] */
    LEARN_IMPORT_TYPE_OF,      /* \d, \w and their like */
    LEARN_IMPORT_GROUP,        /* (...) or (?:...), the inside is "from" "to" */
    LEARN_IMPORT_START,        /* ^ */
    LEARN_IMPORT_FINISH,       /* $ */
    LEARN_IMPORT_BORDER        /* \b, \B */
} learn_import_atom_e;


typedef struct {
    const char             *start;      /* with the quantifier */
    const char             *end;
    const char             *from;       /* inside of a class or group */
    const char             *to;
    learn_import_atom_e     kind;
    unsigned char           byte;
    unsigned                negated:1;  /* [^...] */
    unsigned                once:1;     /* no quantifier */
    unsigned                maybe:1;    /* "?": none or one */
    unsigned                endless:1;  /* "*", "+", "{n,}" */
    unsigned                empty:1;    /* may match nothing */
} learn_import_atom_t;


/*
 * Reads the atom at "*p" and moves "*p" behind it.
 *
 *  1  "atom" is set
 *  0  there is none: "*p" is "end", or the bar of an alternative
 * -1  it is of a kind that is not taken over: a look-around, a reference, a
 *     possessive quantifier, something unbalanced
 */
int learn_import_regex_next(const char **p, const char *end,
    learn_import_atom_t *atom);

/* where the alternative at "p" ends: a bar or "end"; NULL if unreadable */

const char *learn_import_regex_bar(const char *p, const char *end);


/* true if the atom, or one within its group, can match "c" */

int learn_import_atom_matches(const learn_import_atom_t *atom,
    unsigned char c);


/* host names: a dot is a dot, and "(?:\.[a-z]{2,}){1,}" becomes the byte 1 */

#define LEARN_IMPORT_AS_HOST  0x01

#define LEARN_IMPORT_SUFFIX   "\001"


/*
 * All the strings that a text matches as a whole, if they are few.
 *
 * LEARN_IMPORT_OK        they are added to "list"
 * LEARN_IMPORT_DECLINED  there are more than "limit", or it is unreadable
 * LEARN_IMPORT_ERROR     out of memory
 */
learn_import_rc_e learn_import_regex_expand(learn_arena_t *mem,
    const char *p, const char *end, unsigned flags, size_t limit,
    learn_import_list_t *list);


/* "text" such that it matches itself only; NULL if out of memory */

char *learn_import_regex_quote(learn_arena_t *mem, const char *text);

/* true if "subject" as a whole matches, ignoring case */

int learn_import_regex_is(learn_arena_t *mem, const char *regex,
    const char *subject);


#endif /* _IMPORT_REGEX_H_INCLUDED_ */
