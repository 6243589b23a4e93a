
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_PATTERN_H_INCLUDED_
#define _TREE_PATTERN_H_INCLUDED_


#include <stdio.h>

#include "tree_set.h"


/*
 * THE PATTERN OF A NODE
 *
 * A field for each key that some member has, in the order of the keys.  Where
 * all values of a key are the same text, the field is literal.  Otherwise it
 * is the narrowest of these that all of them are, each of which is matched by
 * looking at every byte once:
 *
 *     {digits}     one or more digits
 *     {uuid}       8-4-4-4-12 hex digits
 *     {hex}        eight or more hex digits
 *     show-*.php   a beginning and an end, which break off at something that
 *                  is neither letter nor digit; "*" if there is neither
 *
 * A key that some members do not have is optional.  A URL that has a key the
 * pattern does not know does not match it.
 */

typedef enum {
    LEARN_FIELD_LITERAL = 0,
    LEARN_FIELD_DIGITS,
    LEARN_FIELD_UUID,
    LEARN_FIELD_HEX,
    LEARN_FIELD_AFFIX
} learn_field_e;


typedef struct {
    uint32_t         key;
    uint32_t         value;        /* one of them; a literal field's only one */
    uint32_t         prefix;       /* bytes of it, at both ends */
    uint32_t         suffix;
    uint32_t         distinct;     /* values */
    uint32_t         urls;         /* members that have the key */
    learn_field_e    kind;
    unsigned         optional:1;
} learn_field_t;


typedef struct {
    learn_field_t   *fields;
    uint32_t         n;
    uint32_t         required;     /* fields that are not optional */
} learn_pattern_t;


/*
 * A field while values come in, one after the other and each once; it begins
 * as all zeroes.  end() makes it what all of them are; "volume" is that of the
 * node, "urls" how many of its members have the key.
 */

typedef struct {
    learn_field_t    field;
    uint32_t         shortest;
    unsigned         types;
} learn_fold_t;


void learn_fold_add(const learn_set_t *set, learn_fold_t *fold,
    uint32_t value);
void learn_fold_end(const learn_set_t *set, learn_fold_t *fold,
    uint32_t volume);


/* true if all members have the key, with one value */

static inline int
learn_field_fixed(const learn_field_t *field)
{
    return field->kind == LEARN_FIELD_LITERAL && !field->optional;
}


/* true if the text is what the field says */

int learn_field_matches(const learn_set_t *set, const learn_field_t *field,
    const uint8_t *text, size_t len);

/* "*", "{digits}" and so on; a literal as it is, with control bytes escaped */

void learn_field_print(const learn_set_t *set, const learn_field_t *field,
    FILE *out);

/* the whole as a URL, with optional parts in parentheses */

void learn_pattern_print(const learn_set_t *set,
    const learn_pattern_t *pattern, FILE *out);

/* what stands before a key in a URL, "last" being the kind of the one before */

const char *learn_key_lead(learn_key_kind_e kind, int last);


#endif /* _TREE_PATTERN_H_INCLUDED_ */
